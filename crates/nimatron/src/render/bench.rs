//! Speeds, side by side.

use crate::render::palette::{Palette, paint};
#[cfg(feature = "serde")]
use serde::Serialize;
use std::fmt::Write;

/// What was measured.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Bench {
    /// One row per game and box.
    pub rows: Vec<Measured>,
    /// Bytes per second that one core reads from memory.
    pub memory_bytes_per_second: f64,
    /// Bytes per second that one core joins in its nearest cache.
    pub vector_bytes_per_second: f64,
    /// The threads of the last column.
    pub threads: usize,
}

/// One game and box.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Measured {
    /// What was tabulated.
    pub what: &'static str,
    /// The game in notation.
    pub game: String,
    /// The greatest height.
    pub max: u64,
    /// Positions in the box.
    pub positions: u128,
    /// Positions per second of the plain loop.
    pub loop_rate: Option<f64>,
    /// Positions per second of the engine that `nimatron table` takes, on one core.
    pub rate: f64,
    /// How many times faster than the plain loop that is.
    pub ratio: Option<f64>,
    /// Positions per second of the line kernel, on one core.
    pub line_rate: Option<f64>,
    /// Positions per second of the block engine, on one core.
    pub blocks_rate: Option<f64>,
    /// Positions per second of the engine that `nimatron table` takes, on all threads.
    pub threads_rate: Option<f64>,
}

/// Seconds of the engines for P-positions.
#[derive(Clone, Copy, Debug)]
pub struct EngineSeconds {
    /// The line kernel on one core.
    pub line: f64,
    /// The block engine on one core.
    pub blocks: f64,
    /// The engine that is chosen, on all threads.
    pub threads: f64,
}

impl Measured {
    /// A row from the seconds that the loop and the engine took.
    pub fn new(
        what: &'static str,
        game: &str,
        max: &[u64],
        plain: Option<f64>,
        engine: f64,
    ) -> Self {
        let positions = max.iter().fold(1u128, |v, &h| v.saturating_mul(u128::from(h) + 1));
        let mut row = Measured {
            what,
            game: game.to_string(),
            max: max.first().copied().unwrap_or(0),
            positions,
            loop_rate: None,
            rate: 0.0,
            ratio: plain.map(|p| p / engine.max(1e-9)),
            line_rate: None,
            blocks_rate: None,
            threads_rate: None,
        };
        row.loop_rate = plain.map(|seconds| row.rate_in(seconds));
        row.rate = row.rate_in(engine);
        row
    }

    /// The same with the engines one by one.
    #[must_use]
    pub fn with(mut self, seconds: EngineSeconds) -> Self {
        self.line_rate = Some(self.rate_in(seconds.line));
        self.blocks_rate = Some(self.rate_in(seconds.blocks));
        self.threads_rate = Some(self.rate_in(seconds.threads));
        self
    }

    fn rate_in(&self, seconds: f64) -> f64 {
        self.positions as f64 / seconds.max(1e-9)
    }
}

/// The rows as a table.
pub fn bench(b: &Bench, palette: &Palette) -> String {
    let title = "Positions per second, best of several";
    let mut out = paint(palette.title, title) + "\n\n";
    let threads = match b.threads {
        1 => "1 thread".to_string(),
        many => format!("{many} threads"),
    };
    let line = |cells: [&str; 7]| {
        let [game, max, plain, line, blocks, ratio, threads] = cells;
        format!("  {game:<27}{max:>3} {plain:>8} {line:>8} {blocks:>8} {ratio:>6} {threads:>10}")
    };
    let head = line(["P-positions", "max", "loop", "line", "blocks", "ratio", &threads]);
    out += &(paint(palette.heading, &head) + "\n");
    let number = |rate: Option<f64>| rate.map_or("-".to_string(), |r| format!("{r:.1e}"));
    for row in b.rows.iter().filter(|row| row.line_rate.is_some()) {
        let ratio = match (row.line_rate, row.blocks_rate) {
            (Some(line), Some(blocks)) => format!("{:.1}", blocks / line),
            _ => "-".to_string(),
        };
        let rates = [row.loop_rate, row.line_rate, row.blocks_rate, row.threads_rate].map(number);
        let [plain, lines, blocks, all] = &rates;
        out += &line([&row.game, &row.max.to_string(), plain, lines, blocks, &ratio, all]);
        out.push('\n');
    }
    let head = line(["Grundy values", "", "loop", "engine", "", "ratio", ""]);
    out += &(paint(palette.heading, head.trim_end()) + "\n");
    for row in b.rows.iter().filter(|row| row.line_rate.is_none()) {
        let ratio = row.ratio.map_or("-".to_string(), |r| format!("{r:.0}"));
        let (plain, engine) = (number(row.loop_rate), number(Some(row.rate)));
        let cells = [&*row.game, &row.max.to_string(), &plain, &engine, "", &ratio, ""];
        out += line(cells).trim_end();
        out.push('\n');
    }
    // Writing into a string cannot fail.
    let _ = writeln!(
        out,
        "\nOne core reads {:.1e} bytes per second from memory, and joins {:.1e} per\n\
         second in its nearest cache.",
        b.memory_bytes_per_second, b.vector_bytes_per_second
    );
    out
}
