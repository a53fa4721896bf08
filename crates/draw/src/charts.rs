//! Charts: slices of tables, growth of counts, triangles of games, position grids.

use crate::drawing::{Anchor, Canvas, Drawing, Ink, Point, Run, Segment, Shape, Stroke};
use crate::layout::DrawError;
use crate::measure;
use std::ops::Range;

/// What a cell of a heat map shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeatCell {
    /// A P-position.
    P,
    /// An N-position, of which no more is known.
    N,
    /// A number above 0.
    Value(u64),
    /// Nothing was computed.
    Unknown,
}

/// A slice of a table: two stacks along the axes, the others as they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeatMap {
    /// What it shows.
    pub title: String,
    /// The stack along the horizontal axis.
    pub across: String,
    /// The stack along the vertical axis, upwards.
    pub up: String,
    /// What is fixed, and what the colours mean.
    pub notes: Vec<String>,
    /// Rows from height 0 on, each from height 0 on.
    pub rows: Vec<Vec<HeatCell>>,
}

/// Cells of a heat map in a row or column.
pub const MOST_CELLS: usize = 64;

/// Draws a heat map.
pub fn heat_map(map: &HeatMap) -> Result<Drawing, DrawError> {
    let columns = map.rows.iter().map(Vec::len).max().unwrap_or(0);
    let most = map.rows.len().max(columns);
    if most > MOST_CELLS {
        return Err(DrawError::TooMany { what: "cells in a row", found: most, most: MOST_CELLS });
    }
    let greatest =
        map.rows.iter().flatten().map(|c| if let HeatCell::Value(v) = c { *v } else { 0 }).max();
    let greatest = greatest.unwrap_or(0).max(1);
    // Numbers only where there is room for them.
    let numbers = most <= 26 && greatest < 1000;
    let side = if numbers { 26.0 } else { 12.0 };
    let mut canvas = Canvas::new();
    for (y, row) in map.rows.iter().enumerate() {
        for (x, cell) in row.iter().enumerate() {
            let at = Point::new(x as f64 * side, -(y as f64 + 1.0) * side);
            let middle = at.moved(side / 2.0, side / 2.0);
            let shape = Shape::Rect { at, width: side, height: side, radius: 0.0 };
            let edge = Some(Stroke::new(Ink::Rule, 0.6));
            match cell {
                HeatCell::P => {
                    canvas.push(shape, edge, Some(Ink::PWash));
                    canvas.circle(middle, 0.33 * side, None, Some(Ink::P)).role("p", None, None);
                }
                HeatCell::N => _ = canvas.push(shape, edge, Some(Ink::Paper)),
                HeatCell::Unknown => {
                    canvas.push(shape, edge, Some(Ink::Paper));
                    canvas.circle(middle, 1.2, None, Some(Ink::Socket));
                }
                HeatCell::Value(value) => {
                    // The scale is fixed, so that slices of one game can be compared.
                    let place = ramp_place(*value);
                    canvas.push(shape, edge, Some(Ink::Ramp(place)));
                    if numbers {
                        let text = vec![Run::roman(value.to_string())];
                        let size = if *value >= 100 { 10.5 } else { 12.5 };
                        canvas.label(middle, size, Ink::OnRamp(place), text);
                    }
                }
            }
        }
    }
    let step = if numbers { 1 } else { 5 };
    for x in (0..columns).step_by(step) {
        let at = Point::new((x as f64 + 0.5) * side, 13.0);
        canvas.label(at, 12.5, Ink::Second, vec![Run::roman(x.to_string())]);
    }
    for y in (0..map.rows.len()).step_by(step) {
        let at = Point::new(-7.0, -(y as f64 + 0.5) * side);
        canvas.text(at, 12.5, Anchor::End, Ink::Second, vec![Run::roman(y.to_string())]);
    }
    let right = Point::new(columns as f64 * side + 14.0, 13.0);
    canvas.label(right, 15.0, Ink::Ink, vec![Run::italic(map.across.as_str())]);
    let top = Point::new(-14.0, -(map.rows.len() as f64) * side - 12.0);
    canvas.label(top, 15.0, Ink::Ink, vec![Run::italic(map.up.as_str())]);
    notes(&mut canvas, &map.notes);
    Ok(canvas.finish(&map.title, &map.notes.join(" "), 8.0))
}

/// The place of a value on the scale: by its logarithm, 1 at one end, 64 and more at the other.
fn ramp_place(value: u64) -> u8 {
    let part = (value.max(1) as f64).log2() / 6.0;
    (part * 96.0).round().clamp(0.0, 100.0) as u8
}

fn notes(canvas: &mut Canvas, notes: &[String]) {
    let Some((least, most)) = canvas.bounds() else { return };
    let wide = (most.x - least.x).max(260.0);
    let lines = notes.iter().flat_map(|note| measure::wrapped(note, 12.5, wide));
    for (i, line) in lines.enumerate() {
        let at = Point::new(least.x, most.y + 18.0 + 17.0 * i as f64);
        canvas.text(at, 12.5, Anchor::Start, Ink::Third, Run::math(&line));
    }
}

/// How counts grow with the height of a box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Growth {
    /// What it shows.
    pub title: String,
    /// What is counted along the vertical axis.
    pub counted: String,
    /// Counts for the heights 0, 1, 2, ...
    pub counts: Vec<u128>,
    /// What is said below.
    pub notes: Vec<String>,
}

/// Draws how counts grow, on a logarithmic scale.
pub fn growth(growth: &Growth) -> Drawing {
    const WIDE: f64 = 380.0;
    const HIGH: f64 = 230.0;
    let last = growth.counts.len().max(2) - 1;
    let log = |count: u128| (count.max(1) as f64).log10();
    let top = growth.counts.iter().map(|&c| log(c)).fold(1.0, f64::max).ceil();
    let at = |h: usize, level: f64| Point::new(h as f64 / last as f64 * WIDE, -level / top * HIGH);
    let mut canvas = Canvas::new();
    let step = (top / 6.0).ceil().max(1.0);
    let mut level = 0.0;
    while level <= top {
        canvas.line(at(0, level), at(last, level), Stroke::new(Ink::Rule, 0.8));
        let (text, power) = match level as i32 {
            power @ 0..=3 => (10_i64.pow(power.unsigned_abs()).to_string(), String::new()),
            power => ("10".into(), power.to_string()),
        };
        let mut end = at(0, level).moved(-8.0, 0.0);
        if !power.is_empty() {
            let raised = vec![Run::roman(power)];
            let wide = measure::width(&raised, 9.0);
            canvas.text(end.moved(0.0, -5.0), 9.0, Anchor::End, Ink::Second, raised);
            end = end.moved(-wide - 0.5, 0.0);
        }
        canvas.text(end, 12.5, Anchor::End, Ink::Second, vec![Run::roman(text)]);
        level += step;
    }
    let marks = last.div_ceil(12).max(1);
    for h in (0..=last).step_by(marks) {
        let below = at(h, 0.0).moved(0.0, 14.0);
        canvas.label(below, 12.5, Ink::Second, vec![Run::roman(h.to_string())]);
    }
    let points: Vec<Point> =
        growth.counts.iter().enumerate().map(|(h, &c)| at(h, log(c))).collect();
    let line = points
        .iter()
        .enumerate()
        .map(|(i, &p)| if i == 0 { Segment::Move(p) } else { Segment::Line(p) });
    canvas.path(line.collect(), Stroke::new(Ink::P, 1.6));
    for (h, &p) in points.iter().enumerate() {
        canvas.circle(p, 3.0, None, Some(Ink::P)).role("count", None, Some(h));
    }
    canvas.label(at(last, 0.0).moved(24.0, 14.0), 15.0, Ink::Ink, vec![Run::italic("h")]);
    let head = Point::new(-8.0, -HIGH - 22.0);
    canvas.text(head, 13.0, Anchor::Start, Ink::Ink, vec![Run::roman(growth.counted.as_str())]);
    notes(&mut canvas, &growth.notes);
    let counts: Vec<String> = growth.counts.iter().map(u128::to_string).collect();
    canvas.finish(&growth.title, &format!("{}: {}.", growth.counted, counts.join(", ")), 8.0)
}

/// What is known about a game of a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// By a theorem.
    Theorem,
    /// By a proof found by program.
    Proved,
    /// Only conjectured.
    Conjectured,
    /// Nothing.
    Open,
}

/// A triangle of games, as Pascal's: a row for each n.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Triangle {
    /// What it shows.
    pub title: String,
    /// Rows for n = 1, 2, ..., each for k = 1, ..., n.
    pub rows: Vec<Vec<Known>>,
    /// What is said below.
    pub notes: Vec<String>,
}

/// Draws a triangle of games: a lamp is lit where the game is solved.
pub fn triangle(triangle: &Triangle) -> Result<Drawing, DrawError> {
    const MOST: usize = 24;
    let n = triangle.rows.len();
    if n > MOST {
        return Err(DrawError::TooMany { what: "rows", found: n, most: MOST });
    }
    let (across, down, lamp) = (33.0, 30.0, 11.0);
    let mut canvas = Canvas::new();
    let mut used = [false; 4];
    for (i, row) in triangle.rows.iter().enumerate() {
        let y = down * i as f64;
        let left = -(i as f64) / 2.0 * across;
        let label = Point::new(-(n as f64) / 2.0 * across - 6.0, y);
        canvas.text(
            label,
            12.5,
            Anchor::End,
            Ink::Third,
            vec![Run::italic("n"), Run::roman(format!(" = {}", i + 1))],
        );
        for (j, known) in row.iter().enumerate() {
            let at = Point::new(left + across * j as f64, y);
            used[*known as usize] = true;
            match known {
                Known::Theorem | Known::Proved => {
                    canvas.circle(
                        at,
                        lamp,
                        Some(Stroke::new(Ink::LampEdge, 1.0)),
                        Some(Ink::Ramp(18)),
                    );
                    if *known == Known::Proved {
                        canvas.circle(at, lamp + 2.6, Some(Stroke::new(Ink::P, 1.4)), None);
                    }
                }
                Known::Conjectured => {
                    canvas.circle(at, lamp, Some(Stroke::dashed(Ink::LampEdge, 1.2)), None);
                }
                Known::Open => {
                    _ = canvas.circle(at, lamp, Some(Stroke::new(Ink::Socket, 1.0)), None)
                }
            }
            let ink = match known {
                Known::Theorem | Known::Proved => Ink::OnRamp(18),
                _ => Ink::Third,
            };
            let text = vec![Run::roman((j + 1).to_string())];
            canvas.label(at, 12.0, ink, text).role("game", Some(i + 1), Some(j + 1));
        }
    }
    let meanings = [
        (Known::Theorem, "solved by a published theorem"),
        (Known::Proved, "proved with this program"),
        (Known::Conjectured, "conjectured"),
        (Known::Open, "not known"),
    ];
    let mut y = down * n as f64 + 14.0;
    let x = -(n as f64) / 2.0 * across - 30.0;
    for (known, text) in meanings.into_iter().filter(|(known, _)| used[*known as usize]) {
        let at = Point::new(x, y);
        let (stroke, fill) = match known {
            Known::Theorem => (Stroke::new(Ink::LampEdge, 1.0), Some(Ink::Ramp(18))),
            Known::Proved => (Stroke::new(Ink::P, 1.4), Some(Ink::Ramp(18))),
            Known::Conjectured => (Stroke::dashed(Ink::LampEdge, 1.2), None),
            Known::Open => (Stroke::new(Ink::Socket, 1.0), None),
        };
        canvas.circle(at, 6.0, Some(stroke), fill);
        canvas.text(at.moved(13.0, 0.0), 12.5, Anchor::Start, Ink::Second, vec![Run::roman(text)]);
        y += 19.0;
    }
    notes(&mut canvas, &triangle.notes);
    Ok(canvas.finish(&triangle.title, &triangle.notes.join(" "), 8.0))
}

/// What a cell of a position grid holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GridCell {
    /// No position.
    Impossible,
    /// None that was met.
    Unseen,
    /// P-positions.
    P,
    /// N-positions.
    N,
    /// Both.
    Mixed,
}

/// The position grid of a slow game, with moves on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionGrid {
    /// What it shows.
    pub title: String,
    /// Rows by the total, each by the number of odd stacks.
    pub rows: Vec<Vec<GridCell>>,
    /// Arrows from cell to cell, as (row, column).
    pub arrows: Vec<[(usize, usize); 2]>,
    /// A cell that is pointed out.
    pub pointed: Option<(usize, usize)>,
    /// What is said below.
    pub notes: Vec<String>,
}

/// The colour of a cell.
fn ground(cell: &GridCell) -> Ink {
    match cell {
        GridCell::P => Ink::PWash,
        GridCell::Mixed => Ink::NWash,
        _ => Ink::Paper,
    }
}

/// Draws a position grid.
pub fn position_grid(grid: &PositionGrid) -> Result<Drawing, DrawError> {
    let columns = grid.rows.iter().map(Vec::len).max().unwrap_or(0);
    let most = grid.rows.len().max(columns);
    if most > MOST_CELLS {
        return Err(DrawError::TooMany { what: "cells in a row", found: most, most: MOST_CELLS });
    }
    let side = 27.0;
    let mut canvas = Canvas::new();
    let middle =
        |(s, o): (usize, usize)| Point::new((o as f64 + 0.5) * side, (s as f64 + 0.5) * side);
    for (s, row) in grid.rows.iter().enumerate() {
        for (o, cell) in row.iter().enumerate() {
            let at = Point::new(o as f64 * side, s as f64 * side);
            let shape = Shape::Rect { at, width: side, height: side, radius: 0.0 };
            canvas.push(shape, Some(Stroke::new(Ink::Rule, 0.8)), Some(ground(cell)));
        }
    }
    if let Some(cell) = grid.pointed {
        canvas.circle(middle(cell), 0.46 * side, Some(Stroke::new(Ink::Ink, 1.8)), None);
    }
    for &[from, to] in &grid.arrows {
        let wins = grid.rows.get(to.0).and_then(|r| r.get(to.1)) == Some(&GridCell::P);
        let (a, b) = (middle(from), middle(to));
        let way = a.distance(b);
        if way < 1.0 {
            continue;
        }
        let ink = if wins { Ink::P } else { Ink::Line };
        let (start, tip) = (a.mix(b, 0.46 * side / way), b.mix(a, 0.36 * side / way));
        canvas.line(start, tip.mix(start, 4.0 / way), Stroke::new(ink, 1.4));
        canvas.head(tip, start, 7.0, ink);
    }
    for (s, row) in grid.rows.iter().enumerate() {
        for (o, cell) in row.iter().enumerate() {
            let centre = middle((s, o));
            // Arrows give way to letters.
            if !grid.arrows.is_empty() && *cell != GridCell::Impossible {
                canvas.circle(centre, 7.0, None, Some(ground(cell)));
            }
            match cell {
                GridCell::Impossible => _ = canvas.circle(centre, 1.3, None, Some(Ink::Socket)),
                GridCell::P => _ = canvas.label(centre, 12.5, Ink::P, vec![Run::bold("P")]),
                GridCell::N => _ = canvas.label(centre, 12.5, Ink::Third, vec![Run::roman("N")]),
                GridCell::Mixed => _ = canvas.label(centre, 12.5, Ink::N, vec![Run::bold("*")]),
                GridCell::Unseen => {
                    _ = canvas.label(centre, 12.5, Ink::Third, vec![Run::roman("?")])
                }
            }
        }
    }
    for o in 0..columns {
        let at = Point::new((o as f64 + 0.5) * side, -12.0);
        canvas.label(at, 12.5, Ink::Second, vec![Run::roman(o.to_string())]);
    }
    for s in 0..grid.rows.len() {
        let at = Point::new(-8.0, (s as f64 + 0.5) * side);
        canvas.text(at, 12.5, Anchor::End, Ink::Second, vec![Run::roman(s.to_string())]);
    }
    let runs = vec![Run::italic("s"), Run::roman("\u{2216}"), Run::italic("o")];
    canvas.label(Point::new(-20.0, -12.0), 13.0, Ink::Ink, runs);
    notes(&mut canvas, &grid.notes);
    Ok(canvas.finish(&grid.title, &grid.notes.join(" "), 8.0))
}

/// A table with words in its cells: the transitions of an automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transitions {
    /// What it shows.
    pub title: String,
    /// What stands above each column, in lines.
    pub columns: Vec<Vec<String>>,
    /// By state: whether it accepts, and the state that follows for each column.
    pub rows: Vec<(bool, Vec<u32>)>,
    /// The state before anything is read.
    pub initial: u32,
    /// What is said below.
    pub notes: Vec<String>,
}

impl Transitions {
    /// Whether a state rejects and is never left.
    pub fn is_dead(&self, state: u32) -> bool {
        let row = self.rows.get(state as usize);
        row.is_some_and(|(accepts, next)| !accepts && next.iter().all(|to| *to == state))
    }
}

/// Draws the transitions of an automaton as a table: a row for each state, a column for letters that all states
/// treat alike.
pub fn transitions(table: &Transitions) -> Result<Drawing, DrawError> {
    const MOST_STATES: usize = 40;
    const MOST_COLUMNS: usize = 64;
    /// Columns beside each other; more are drawn below them.
    const WIDE: usize = 32;
    if table.rows.len() > MOST_STATES {
        return Err(DrawError::TooMany {
            what: "states",
            found: table.rows.len(),
            most: MOST_STATES,
        });
    }
    let found = table.columns.len();
    if found > MOST_COLUMNS {
        return Err(DrawError::TooMany { what: "kinds of letters", found, most: MOST_COLUMNS });
    }
    let mut canvas = Canvas::new();
    let bands = found.div_ceil(WIDE).max(1);
    let mut top = 0.0;
    for first in (0..found.max(1)).step_by(found.div_ceil(bands).max(1)) {
        let last = (first + found.div_ceil(bands)).min(found);
        top = band(&mut canvas, table, first..last, top) + 24.0;
    }
    notes(&mut canvas, &table.notes);
    Ok(canvas.finish(&table.title, &table.notes.join(" "), 8.0))
}

/// Some columns of a table of transitions; how far down they go.
fn band(canvas: &mut Canvas, table: &Transitions, range: Range<usize>, top: f64) -> f64 {
    let columns = &table.columns[range.clone()];
    let side = 26.0;
    let runs = |text: &str| vec![Run::italic(text)];
    let width = |column: &Vec<String>| {
        column.iter().map(|l| measure::width(&runs(l), 12.5)).fold(side, f64::max) + 10.0
    };
    let mut lefts = vec![0.0];
    columns.iter().for_each(|c| lefts.push(lefts[lefts.len() - 1] + width(c)));
    let lines = columns.iter().map(Vec::len).max().unwrap_or(0);
    let head = top + 17.0 * lines as f64 + 4.0;
    for (column, pair) in columns.iter().zip(lefts.windows(2)) {
        let x = (pair[0] + pair[1]) / 2.0;
        for (i, line) in column.iter().rev().enumerate() {
            let at = Point::new(x, head - 13.0 - 17.0 * i as f64);
            canvas.label(at, 12.5, Ink::Second, runs(line));
        }
    }
    let right = lefts[lefts.len() - 1];
    let mut rule = |y: f64, width: f64| {
        canvas.line(Point::new(-44.0, y), Point::new(right, y), Stroke::new(Ink::Ink, width));
    };
    rule(top, 1.2);
    rule(head, 0.7);
    let end = head + table.rows.len() as f64 * side;
    rule(end, 1.2);
    for (state, (accepts, next)) in table.rows.iter().enumerate() {
        let y = head + (state as f64 + 0.5) * side;
        let middle = Point::new(-18.0, y);
        let (stroke, fill, ink) = match accepts {
            true => (Stroke::new(Ink::P, 1.4), Ink::PWash, Ink::P),
            false => (Stroke::new(Ink::Line, 1.0), Ink::Paper, Ink::Ink),
        };
        canvas.circle(middle, 11.0, Some(stroke), Some(fill)).role("state", None, Some(state));
        let text = vec![Run::roman(state.to_string())];
        canvas.label(middle, 12.5, ink, text);
        if table.initial as usize == state {
            let from = Point::new(-46.0, y);
            canvas.line(from, middle.moved(-17.0, 0.0), Stroke::new(Ink::Ink, 1.2));
            canvas.head(middle.moved(-12.0, 0.0), from, 7.0, Ink::Ink);
        }
        for (pair, to) in lefts.windows(2).zip(&next[range.clone()]) {
            let p = table.rows.get(*to as usize).is_some_and(|r| r.0);
            let ink = match p {
                true => Ink::P,
                false if table.is_dead(*to) => Ink::Third,
                false => Ink::Ink,
            };
            let at = Point::new((pair[0] + pair[1]) / 2.0, y);
            canvas.label(at, 13.0, ink, vec![Run::roman(to.to_string())]);
        }
    }
    end
}
