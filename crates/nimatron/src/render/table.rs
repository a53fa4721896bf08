//! Tables: rows in several formats, and what they amount to.

use crate::render::json::Limit;
use crate::render::latex;
use crate::render::palette::{Palette, paint};
use crate::render::words::{Names, count, stack, thousands};
use crate::tables::TableEngine;
use crate::{Game, Height};
use nimatron_draw::document::{Table, Text, table_frame};
#[cfg(feature = "serde")]
use serde::Serialize;
use std::fmt::Write;

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowFormat {
    /// `(0,1,1)`, and what belongs to it after two blanks.
    Text,
    /// Comma-separated values, with a header.
    Csv,
    /// One JSON object per line.
    JsonLines,
    /// Rows of a LaTeX table; [`latex_frame`] is what stands around them.
    Latex,
}

/// What stands beside the heights of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beside {
    /// Nothing.
    Nothing,
    /// The size of the orbit.
    Orbit(u128),
    /// The Grundy value.
    Grundy(u32),
    /// The remoteness.
    Remoteness(u32),
}

impl Beside {
    fn name(self) -> Option<&'static str> {
        match self {
            Beside::Nothing => None,
            Beside::Orbit(_) => Some("orbit"),
            Beside::Grundy(_) => Some("grundy"),
            Beside::Remoteness(_) => Some("remoteness"),
        }
    }

    fn value(self) -> u128 {
        match self {
            Beside::Nothing => 0,
            Beside::Orbit(size) => size,
            Beside::Grundy(value) | Beside::Remoteness(value) => value.into(),
        }
    }
}

/// The line above all rows, if the format has one.
pub fn header(format: RowFormat, stacks: usize, beside: Beside) -> Option<String> {
    (format == RowFormat::Csv).then(|| {
        let names = (0..stacks).map(|s| stack(s, stacks));
        let names = names.chain(beside.name().map(str::to_string));
        names.collect::<Vec<_>>().join(",")
    })
}

/// Appends one row with its line end.
pub fn row(format: RowFormat, heights: &[Height], beside: Beside, out: &mut String) {
    // Writing into a string cannot fail.
    let _ = match format {
        RowFormat::Text => {
            out.push('(');
            join(heights, out);
            out.push(')');
            match beside {
                Beside::Nothing => Ok(()),
                some => write!(out, "  {}", some.value()),
            }
        }
        RowFormat::Csv => {
            join(heights, out);
            match beside {
                Beside::Nothing => Ok(()),
                some => write!(out, ",{}", some.value()),
            }
        }
        RowFormat::JsonLines => {
            out.push_str("{\"position\":[");
            join(heights, out);
            out.push(']');
            let written = match beside.name() {
                None => Ok(()),
                Some(name) => write!(out, ",\"{name}\":{}", beside.value()),
            };
            out.push('}');
            written
        }
        RowFormat::Latex => {
            let cells: Vec<String> = heights.iter().map(Height::to_string).collect();
            out.push_str(&cells.join(" & "));
            let written = match beside {
                Beside::Nothing => Ok(()),
                some => write!(out, " & {}", some.value()),
            };
            out.push_str(" \\\\");
            written
        }
    };
    out.push('\n');
}

/// What stands before and after the rows of a LaTeX table.
pub fn latex_frame(game: &Game, max: &[Height], beside: Beside) -> (String, String) {
    let (what, more) = match beside {
        Beside::Nothing => ("P-positions", ""),
        Beside::Orbit(_) => ("P-positions", ", up to symmetry, with the sizes of their orbits"),
        Beside::Grundy(_) => ("Grundy values of positions", ""),
        Beside::Remoteness(_) => ("Remoteness of positions", ""),
    };
    let caption = Text::of(format!("{what} of "))
        .formula(latex::game(&game.to_string()))
        .say(format!(" with heights {}{more}.", heights_up_to(max)));
    let names = Names::of(game.stacks());
    let mut head: Vec<Text> = names.all().iter().map(|n| Text::default().math(n)).collect();
    head.extend(beside.name().map(Text::of));
    let right = (0..head.len()).collect();
    table_frame(&Table { caption, head, rows: Vec::new(), right })
}

/// What a LaTeX table amounts to, in a sentence.
pub fn latex_total(summary: &TableSummary, shown: u64) -> String {
    let all = match (summary.p_count, summary.p_orbits) {
        (Some(all), Some(orbits)) => format!(
            "There are {} in this box, {} up to symmetry. ",
            count(all.into(), "P-position"),
            thousands(orbits.into())
        ),
        (Some(all), None) => format!("There are {} in this box. ", count(all.into(), "P-position")),
        (None, _) => String::new(),
    };
    let listed = match summary.limit {
        None => format!("{} are listed.", count(shown.into(), "row")),
        Some(_) => format!("{} are listed; the work was stopped.", count(shown.into(), "row")),
    };
    format!("\\noindent {all}{listed}\n")
}

/// `0 to 9`, or `up to 3,4,5`.
fn heights_up_to(max: &[Height]) -> String {
    match (max.windows(2).all(|w| w[0] == w[1]), max.first()) {
        (true, Some(h)) => format!("0 to {h}"),
        _ => {
            let max: Vec<String> = max.iter().map(Height::to_string).collect();
            format!("up to {}", max.join(","))
        }
    }
}

fn join(heights: &[Height], out: &mut String) {
    for (i, h) in heights.iter().enumerate() {
        let _ = write!(out, "{}{h}", if i > 0 { "," } else { "" });
    }
}

/// The line above an OEIS b-file, whose other lines hold the index and the term, from 0.
pub fn bfile_header(game: &Game, orbits: bool) -> String {
    let what = if orbits { "P-positions up to symmetry" } else { "P-positions" };
    format!("# {what} of {game} with all heights at most n\n")
}

/// What a table amounts to.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct TableSummary {
    /// The game in notation.
    pub game: String,
    /// The greatest height of each stack.
    pub max: Vec<Height>,
    /// Positions in the box.
    pub positions: u128,
    /// P-positions, unless values were tabulated under misere play or the work was stopped.
    pub p_count: Option<u64>,
    /// P-positions up to symmetry.
    pub p_orbits: Option<u64>,
    /// Rows that pass the filters.
    pub selected: Option<u64>,
    /// What was done before the work was stopped, if it was.
    pub partial: Option<Partial>,
    /// Seconds of wall-clock time.
    pub seconds: f64,
    /// The engine that computed it, `line` or `blocks`; `None` if the game is not SetNim, or values
    /// were tabulated.
    pub engine: Option<TableEngine>,
    /// Threads that worked on it.
    pub threads: usize,
    /// Bytes at the peak, where the system tells.
    pub peak_memory: Option<u64>,
    /// Grundy values.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub grundy: Option<ValueSummary>,
    /// Remoteness.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub remoteness: Option<ValueSummary>,
    /// Where the rows went.
    pub out: Option<String>,
    /// Where the state of the work is kept, if it was stopped and can go on.
    pub checkpoint: Option<String>,
    /// The first rows, if some were asked for.
    #[cfg(feature = "serde")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<Vec<serde_json::Value>>,
    /// Whether the work began with a state that was kept.
    pub resumed: bool,
    /// What stopped the work, if something did.
    pub limit: Option<Limit>,
    /// Positions that were worked on in the seconds above.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub worked: u128,
}

/// What was done before the work was stopped.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Partial {
    /// Positions of the box that were decided, about.
    pub positions: u128,
    /// P-positions found among them.
    pub p_count: Option<u64>,
    /// How many of these are the least of their orbits.
    pub p_orbits: Option<u64>,
    /// Rows among them that pass the filters.
    pub selected: Option<u64>,
}

/// What a table of values amounts to.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct ValueSummary {
    /// The greatest value.
    pub max: u32,
    /// The mean.
    pub mean: f64,
    /// How many positions have the values 0, 1, 2, ...
    pub histogram: Vec<u64>,
}

/// The summary as text.
pub fn table_summary(s: &TableSummary, palette: &Palette) -> String {
    let heights = heights_up_to(&s.max);
    let title = palette.wrap(&format!("{}, heights {heights}", s.game), "  ");
    let mut out = paint(palette.title, &title) + "\n";
    let mut line = |label: &str, text: &str| out += &palette.labelled(16, label, text);
    line("positions", &thousands(s.positions));
    if let Some(partial) = &s.partial {
        let share = 100.0 * partial.positions as f64 / s.positions as f64;
        line("decided", &format!("{}, {share:.1} %", thousands(partial.positions)));
    }
    let partial = s.partial.clone().unwrap_or_default();
    for (label, all, some) in [
        ("P-positions", s.p_count, partial.p_count),
        ("up to symmetry", s.p_orbits, partial.p_orbits),
    ] {
        match (all, some) {
            (Some(n), _) => line(label, &thousands(n.into())),
            (None, Some(n)) => line(label, &format!("{} found so far", thousands(n.into()))),
            (None, None) => {}
        }
    }
    for (name, values) in [("Grundy values", &s.grundy), ("remoteness", &s.remoteness)] {
        if let Some(v) = values {
            line(name, &format!("0 to {}, mean {:.2}", v.max, v.mean));
            let counts = v.histogram.iter().take(8).map(|c| thousands((*c).into()));
            let more = if v.histogram.len() > 8 { ", ..." } else { "" };
            let counts = counts.collect::<Vec<_>>().join(", ");
            line("how often", &format!("{counts}{more}"));
        }
    }
    match (s.selected, partial.selected) {
        (Some(n), _) => line("selected", &count(n.into(), "row")),
        (None, Some(n)) => line("selected", &format!("{} found so far", count(n.into(), "row"))),
        (None, None) => {}
    }
    let threads = count(s.threads as u128, "thread");
    let rate = match s.worked as f64 / s.seconds.max(1e-9) {
        0.0 => String::new(),
        rate => format!(", {rate:.1e} positions per second"),
    };
    line("time", &format!("{:.3} s, {threads}{rate}", s.seconds));
    if let Some(bytes) = s.peak_memory {
        line("peak memory", &format!("{:.0} MB", bytes as f64 / 1e6));
    }
    if let Some(file) = &s.out {
        line("rows written to", file);
    }
    if let Some(limit) = &s.limit {
        line("not finished", &limit.text);
    }
    if let Some(file) = &s.checkpoint {
        line("saved to", &format!("{file}; the same command goes on from there"));
    }
    out
}

/// A table that was not begun: it would need more than is allowed.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct TableRefusal {
    /// The game in notation.
    pub game: String,
    /// The greatest height of each stack.
    pub max: Vec<Height>,
    /// Positions in the box.
    pub positions: u128,
    /// What was refused, and why.
    pub refused: Refused,
    /// The limit that is in the way.
    pub limit: Limit,
}

/// The numbers of a refusal.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Refused {
    /// Bytes needed.
    pub memory: u128,
    /// Bytes allowed.
    pub memory_limit: Option<u64>,
    /// Seconds needed, roughly.
    pub seconds: f64,
    /// Seconds allowed.
    pub time_limit: Option<f64>,
    /// The tallest cube that fits.
    pub largest_max: Option<Height>,
}

/// The refusal as text.
pub fn table_refusal(r: &TableRefusal, palette: &Palette) -> String {
    let mut out = paint(palette.open, "Not begun: this table is too large.") + "\n";
    let mut line = |label: &str, text: String| out += &palette.labelled(16, label, &text);
    let more = if r.positions == u128::MAX { "more than " } else { "" };
    line("positions", format!("{more}{:.1e}", r.positions as f64));
    let allowed =
        |limit: Option<String>| limit.map_or(String::new(), |l| format!(" ({l} allowed)"));
    let memory = allowed(r.refused.memory_limit.map(|m| bytes(m.into())));
    line("memory needed", format!("{}{memory}", bytes(r.refused.memory)));
    let time = allowed(r.refused.time_limit.map(time));
    line("time, about", format!("{}{time}", self::time(r.refused.seconds)));
    match r.refused.largest_max {
        Some(h) => line("would fit", format!("--max {h}")),
        None => line("would fit", "no table of this game".to_string()),
    }
    out
}

fn bytes(n: u128) -> String {
    let units = ["bytes", "kB", "MB", "GB", "TB", "PB", "EB"];
    let mut value = n as f64;
    let mut unit = 0;
    while value >= 1000.0 && unit + 1 < units.len() {
        value /= 1000.0;
        unit += 1;
    }
    match unit {
        0 => format!("{n} bytes"),
        _ if value >= 1000.0 => format!("{:.1e} bytes", n as f64),
        _ => format!("{value:.3} {}", units[unit]),
    }
}

fn time(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => format!("{:.0} ms", s * 1e3),
        s if s < 10.0 => format!("{s:.1} s"),
        s if s < 600.0 => format!("{s:.0} s"),
        s if s < 86_400.0 => format!("{:.1} h", s / 3600.0),
        s if s < 3.2e7 => format!("{:.0} days", s / 86_400.0),
        s => format!("{:.1e} years", s / 3.156e7),
    }
}
