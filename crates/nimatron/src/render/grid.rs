//! The position grid of a slow game: text and JSON.

use crate::Game;
use crate::grid::{CellKind, Grid, GridSource};
#[cfg(feature = "serde")]
use crate::render::json::{self, Limit};
use crate::render::palette::{Palette, paint};
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
    let has = |test: fn(&CellKind) -> bool| grid.rows.iter().flatten().any(test);
    let mut parts = vec!["P: P-positions", "N: N-positions", ".: impossible"];
    if has(|k| matches!(k, CellKind::Unseen)) {
        parts.push("?: not met");
    }
    if has(|k| matches!(k, CellKind::Mixed { .. })) {
        parts.push("*: both, so the grid does not describe this game");
    }
    parts.join(", ")
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
