//! The computed part of the theorem on peeling as text and JSON.

use crate::proofs::{PeelingCheck, PeelingType};
use crate::render::json::Limit;
use crate::render::palette::{Palette, paint};
use crate::render::words::{count, thousands};
use nimatron_theory::peeling::{PROVED_STACKS, STATEMENT};
#[cfg(feature = "serde")]
use serde::Serialize;
use std::time::Duration;

/// What was checked, and what it means.
pub fn peeling(check: &PeelingCheck, palette: &Palette) -> String {
    let line = |label: &str, text: &str| palette.labelled(13, label, text);
    let title = format!("Peeling on {}", count(check.stacks as u128, "stack"));
    let mut out = paint(palette.title, &title) + "\n" + &palette.wrap(STATEMENT, "") + "\n\n";
    let sum = Sums::of(check);
    let lists = match check.lists_agree {
        true => "listed in two ways that agree",
        false => "two ways of listing them disagree",
    };
    out += &line("types", &format!("{}, {lists}", thousands(check.types as u128)));
    out += &line("looked at", &thousands(check.checked.len() as u128));
    out += &line("proved", &thousands(sum.proved as u128));
    out += &line("most cells", &thousands(sum.most_cells as u128));
    out += &line("certificates", &format!("{} bytes", thousands(sum.bytes as u128)));
    out += &line("found in", &format!("{:.1} s", sum.search.as_secs_f64()));
    out += &line("accepted in", &format!("{:.1} s", sum.check.as_secs_f64()));
    for (game, flaw) in check.flaws() {
        out += &(palette.wrap(&format!("  {game}: {flaw}"), "    ") + "\n");
    }
    let means = match (check.is_proved(), check.stop) {
        (true, _) if check.stacks > PROVED_STACKS => {
            "All types are proved: with those on fewer stacks, the statement holds wherever the \
             non-empty stacks merge to so many."
        }
        (true, _) => "All types are proved, as the theorem says.",
        (false, Some(_)) => "This is not complete: nothing follows about the types not looked at.",
        (false, None) => "Not all types are proved in this way. That refutes nothing by itself.",
    };
    out += &format!("\n{}\n", palette.wrap(means, ""));
    if let Some(stop) = check.stop {
        out += &format!("Stopped: {stop}.\n");
    }
    out
}

struct Sums {
    proved: usize,
    most_cells: usize,
    bytes: usize,
    search: Duration,
    check: Duration,
}

impl Sums {
    fn of(check: &PeelingCheck) -> Self {
        let each = || check.checked.iter();
        Sums {
            proved: each().filter(|one| one.flaw.is_none()).count(),
            most_cells: each().map(|one| one.cells).max().unwrap_or(0),
            bytes: each().map(|one| one.bytes).sum(),
            search: each().map(|one| one.search).sum(),
            check: each().map(|one| one.check).sum(),
        }
    }
}

/// The answer to `conjecture peeling`.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct PeelingAnswer {
    conjecture: &'static str,
    statement: &'static str,
    stacks: usize,
    types: usize,
    lists_agree: bool,
    checked: usize,
    proved: usize,
    all_proved: bool,
    most_cells: usize,
    bytes: usize,
    seconds_found: f64,
    seconds_accepted: f64,
    games: Vec<TypeAnswer>,
    limit: Option<Limit>,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
struct TypeAnswer {
    game: String,
    cells: usize,
    bytes: usize,
    flaw: Option<String>,
}

impl From<&PeelingCheck> for PeelingAnswer {
    fn from(check: &PeelingCheck) -> Self {
        let sum = Sums::of(check);
        let game = |one: &PeelingType| TypeAnswer {
            game: one.game.to_string(),
            cells: one.cells,
            bytes: one.bytes,
            flaw: one.flaw.as_ref().map(|flaw| flaw.to_string()),
        };
        PeelingAnswer {
            conjecture: "peeling",
            statement: STATEMENT,
            stacks: check.stacks,
            types: check.types,
            lists_agree: check.lists_agree,
            checked: check.checked.len(),
            proved: sum.proved,
            all_proved: check.is_proved(),
            most_cells: sum.most_cells,
            bytes: sum.bytes,
            seconds_found: sum.search.as_secs_f64(),
            seconds_accepted: sum.check.as_secs_f64(),
            games: check.checked.iter().map(game).collect(),
            limit: check.stop.map(Limit::from),
        }
    }
}
