//! Speeds, side by side.

use crate::palette::{Palette, paint};
use serde::Serialize;
use std::fmt::Write;

/// What was measured.
#[derive(Clone, Debug, Serialize)]
pub struct Bench {
    /// One row per game and box.
    pub rows: Vec<Measured>,
    /// Bytes per second that one core reads from memory.
    pub memory_bytes_per_second: f64,
}

/// One game and box.
#[derive(Clone, Debug, Serialize)]
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
    /// Positions per second of the engine.
    pub rate: f64,
    /// How many times faster the engine is.
    pub ratio: Option<f64>,
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
        let rate = |seconds: f64| positions as f64 / seconds.max(1e-9);
        Measured {
            what,
            game: game.to_string(),
            max: max.first().copied().unwrap_or(0),
            positions,
            loop_rate: plain.map(rate),
            rate: rate(engine),
            ratio: plain.map(|p| p / engine.max(1e-9)),
        }
    }
}

/// The rows as a table.
pub fn bench(b: &Bench, palette: &Palette) -> String {
    let title = "Positions per second and core, best of several";
    let mut out = paint(palette.title, title) + "\n\n";
    let head = format!(
        "  {:<27}{:>4}  {:>9}  {:>9}  {:>7}",
        "P-positions", "max", "loop", "engine", "ratio"
    );
    out += &(paint(palette.heading, &head) + "\n");
    let mut what = "P-positions";
    for row in &b.rows {
        if row.what != what {
            what = row.what;
            out += &(paint(palette.heading, &format!("  {what}")) + "\n");
        }
        let plain = row.loop_rate.map_or("-".to_string(), |r| format!("{r:.1e}"));
        let ratio = row.ratio.map_or("-".to_string(), |r| format!("{r:.0}"));
        // Writing into a string cannot fail.
        let _ = writeln!(
            out,
            "  {:<27}{:>4}  {plain:>9}  {:>9}  {ratio:>7}",
            row.game,
            row.max,
            format!("{:.1e}", row.rate)
        );
    }
    let _ = writeln!(out, "\nMemory: {:.1e} bytes per second", b.memory_bytes_per_second);
    out
}
