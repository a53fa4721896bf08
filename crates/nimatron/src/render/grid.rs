//! The position grid of a slow game: text, LaTeX, SVG and JSON.

use crate::Game;
use crate::grid::{CellKind, Grid, GridSource};
#[cfg(feature = "serde")]
use crate::render::json::{self, Limit};
use crate::render::palette::{Palette, paint};
use crate::render::svg::{FAINT, MIXED_FILL, N_FILL, P_FILL, Svg, UNSEEN_FILL};
use crate::render::words::count;
use nimatron_game::Stop;
#[cfg(feature = "serde")]
use serde::Serialize;
use std::fmt::Write;

/// The grid on the terminal.
pub fn grid(grid: &Grid, palette: &Palette) -> String {
    let mut out = paint(palette.title, &grid.game.to_string()) + "\n";
    let what = format!(
        "Rows s: the total mod {}; columns o: how many stacks are odd; both without unplayable \
         tokens.",
        2 * grid.k
    );
    out += &(palette.wrap(&what, "") + "\n");
    // As many columns at a time as there is room for.
    let columns: Vec<usize> = (0..=grid.n).collect();
    for columns in columns.chunks((palette.width - 6) / 3) {
        out += "\n   s\\o";
        columns.iter().for_each(|o| _ = write!(out, "{o:>3}"));
        out.push('\n');
        for (s, row) in grid.rows.iter().enumerate() {
            let _ = write!(out, "{s:>6}");
            for kind in columns.iter().filter_map(|&o| row.get(o)) {
                let cell = sign(kind);
                let padded = format!("  {cell}");
                out += &match kind {
                    CellKind::P => format!("  {}", paint(palette.loss, cell)),
                    CellKind::Mixed { .. } => format!("  {}", paint(palette.open, cell)),
                    _ => padded,
                };
            }
            out.push('\n');
        }
    }
    out += &format!("\n{}\n", palette.wrap(&legend(grid), "  "));
    for (cell, p, n) in grid.mixed() {
        let line = format!("  s={}, o={}: {p} is P, {n} is N", cell.s, cell.o);
        out += &(palette.wrap(&line, "    ") + "\n");
    }
    out + &palette.wrap(&source(grid), "") + "\n"
}

fn sign(kind: &CellKind) -> &'static str {
    match kind {
        CellKind::Impossible => ".",
        CellKind::Unseen => "?",
        CellKind::P => "P",
        CellKind::N => "N",
        CellKind::Mixed { .. } => "*",
    }
}

/// What the signs mean, as far as they occur.
fn legend(grid: &Grid) -> String {
    legend_parts(grid).join(", ")
}

fn legend_parts(grid: &Grid) -> Vec<&'static str> {
    let has = |test: fn(&CellKind) -> bool| grid.rows.iter().flatten().any(test);
    let mut parts = vec!["P: P-positions", "N: N-positions", ".: impossible"];
    if has(|k| matches!(k, CellKind::Unseen)) {
        parts.push("?: not met");
    }
    if has(|k| matches!(k, CellKind::Mixed { .. })) {
        parts.push("*: both, so the grid does not describe this game");
    }
    parts
}

/// Who says so.
fn source(grid: &Grid) -> String {
    match &grid.source {
        GridSource::Theorem(citation) => format!("By {citation}, for all heights."),
        GridSource::Table { max, positions } => {
            let positions = count((*positions).into(), "position");
            format!("Computed for heights up to {max}: {positions}. Evidence, not a proof.")
        }
    }
}

/// The grid as a TikZ picture.
pub fn grid_latex(grid: &Grid) -> String {
    let rows = grid.rows.len();
    let mut out = format!("% Position grid of {}. {}\n", grid.game, source(grid));
    out += "\\begin{tikzpicture}[x=5mm,y=-5mm,font=\\scriptsize]\n";
    out += "  \\definecolor{pcell}{HTML}{8FD3D1}\n  \\definecolor{mixedcell}{HTML}{F4A259}\n";
    for (s, row) in grid.rows.iter().enumerate() {
        for (o, kind) in row.iter().enumerate() {
            let (x, y) = (o + 1, s + 1);
            let middle = format!("({o}.5,{s}.5)");
            out += &match kind {
                CellKind::P => format!("  \\fill[pcell] ({o},{s}) rectangle ({x},{y});\n"),
                CellKind::Mixed { .. } => {
                    format!("  \\fill[mixedcell] ({o},{s}) rectangle ({x},{y});\n")
                }
                CellKind::Impossible => format!("  \\fill {middle} circle (0.5pt);\n"),
                CellKind::Unseen => format!("  \\node at {middle} {{?}};\n"),
                CellKind::N => String::new(),
            };
        }
    }
    let columns = grid.n + 1;
    let _ = writeln!(out, "  \\draw[gray,very thin] (0,0) grid ({columns},{rows});");
    for o in 0..columns {
        let _ = writeln!(out, "  \\node at ({o}.5,-0.5) {{${o}$}};");
    }
    for s in 0..rows {
        let _ = writeln!(out, "  \\node at (-0.5,{s}.5) {{${s}$}};");
    }
    out += "  \\node at (-0.5,-0.5) {$s\\backslash o$};\n";
    out + "\\end{tikzpicture}\n"
}

/// The grid as an SVG picture.
pub fn grid_svg(grid: &Grid) -> String {
    const SIDE: f64 = 28.0;
    const LEFT: f64 = 56.0;
    const TOP: f64 = 64.0;
    let (columns, rows) = (grid.n + 1, grid.rows.len());
    let below = TOP + rows as f64 * SIDE;
    let width = (LEFT + columns as f64 * SIDE + 20.0).max(430.0);
    let mut svg = Svg::new(width, below + 40.0 + 18.0 * legend_parts(grid).len() as f64);
    svg.push(&format!("<text x=\"16\" y=\"22\" class=\"title\">{}</text>", grid.game));
    svg.text(LEFT - 20.0, TOP - 14.0, "axis", "s \u{2216} o");
    for o in 0..columns {
        svg.text(LEFT + (o as f64 + 0.5) * SIDE, TOP - 14.0, "axis", &o.to_string());
    }
    for (s, row) in grid.rows.iter().enumerate() {
        let y = TOP + s as f64 * SIDE;
        svg.text(LEFT - 20.0, y + SIDE / 2.0, "axis", &s.to_string());
        for (o, kind) in row.iter().enumerate() {
            let x = LEFT + o as f64 * SIDE;
            let fill = match kind {
                CellKind::P => P_FILL,
                CellKind::Mixed { .. } => MIXED_FILL,
                CellKind::Unseen => UNSEEN_FILL,
                CellKind::N | CellKind::Impossible => N_FILL,
            };
            svg.push(&format!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"{fill}\" \
                 stroke=\"#c8c8c8\"/>"
            ));
            let (cx, cy) = (x + SIDE / 2.0, y + SIDE / 2.0);
            match kind {
                CellKind::Impossible => {
                    svg.push(&format!(
                        "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"1.5\" fill=\"{FAINT}\"/>"
                    ));
                }
                kind => svg.text(cx, cy, "cell", sign(kind)),
            }
        }
    }
    let notes = legend_parts(grid).join("\n") + "\n" + &source(grid);
    for (line, text) in notes.lines().enumerate() {
        let y = below + 20.0 + 18.0 * line as f64;
        let text = crate::render::svg::escape(text);
        svg.push(&format!("<text x=\"16\" y=\"{y}\" class=\"note\">{text}</text>"));
    }
    let style = ".title{font-size:16px;font-weight:bold}.title,.note{text-anchor:start}\
                 .note{font-size:11px}.axis{fill:#555}.cell{font-size:12px}";
    svg.finish(&format!("Position grid of {}", grid.game), style)
}

/// Why there is no grid, on the terminal.
pub fn grid_stopped(game: &Game, stop: Stop, palette: &Palette) -> String {
    let (title, open) =
        (paint(palette.title, &game.to_string()), paint(palette.open, "not decided"));
    let text = format!("{stop}. A smaller --max or a larger limit may help.");
    format!("{title}\n{open}: {}\n", palette.wrap(&text, ""))
}

/// Why there is no grid, as one line of JSON.
#[cfg(feature = "serde")]
pub fn grid_stopped_json(game: &Game, stop: Stop) -> String {
    #[cfg_attr(feature = "serde", derive(Serialize))]
    struct Answer {
        game: String,
        rows: Option<()>,
        limit: Limit,
    }
    json::to_string(&Answer { game: game.to_string(), rows: None, limit: stop.into() })
}

/// The grid as one line of JSON: a string per row, a sign per column.
#[cfg(feature = "serde")]
pub fn grid_json(grid: &Grid) -> String {
    json::to_string(grid)
}

/// The grid as it is written in JSON.
#[cfg(feature = "serde")]
pub(super) fn answer(grid: &Grid) -> impl Serialize + use<> {
    #[cfg_attr(feature = "serde", derive(Serialize))]
    struct Answer {
        game: String,
        n: usize,
        k: usize,
        modulus: usize,
        rows: Vec<String>,
        mixed: Vec<Mixed>,
        by: By,
    }
    #[cfg_attr(feature = "serde", derive(Serialize))]
    struct Mixed {
        s: usize,
        o: usize,
        p: Vec<u64>,
        n: Vec<u64>,
    }
    #[cfg_attr(feature = "serde", derive(Serialize))]
    struct By {
        kind: &'static str,
        source: String,
        max: Option<u64>,
    }
    let (kind, max) = match grid.source {
        GridSource::Theorem(_) => ("theorem", None),
        GridSource::Table { max, .. } => ("table", Some(max)),
    };
    let mixed =
        grid.mixed().map(|(c, p, n)| Mixed { s: c.s, o: c.o, p: p.to_vec(), n: n.to_vec() });
    Answer {
        game: grid.game.to_string(),
        n: grid.n,
        k: grid.k,
        modulus: 2 * grid.k,
        rows: grid.rows.iter().map(|row| row.iter().map(sign).collect()).collect(),
        mixed: mixed.collect(),
        by: By { kind, source: source(grid), max },
    }
}
