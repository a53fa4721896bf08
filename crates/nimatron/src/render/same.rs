//! Two games compared, as text and JSON.

use crate::proofs::{SameBy, Sameness};
use crate::render::palette::{Palette, paint};
use crate::render::words::{Names, thousands};
#[cfg(feature = "serde")]
use serde::Serialize;

/// Whether the P-positions are the same, and what shows it.
pub fn sameness(found: &Sameness, palette: &Palette) -> String {
    let [first, second] = &found.games;
    let title = palette.wrap(&format!("{first} and {second}"), "  ");
    let mut out = paint(palette.title, &title) + "\n";
    let line = |label: &str, text: &str| palette.labelled(13, label, text);
    out += &line("heights", &format!("up to {}", found.max));
    let [one, other] = found.counts.map(thousands);
    out += &line("P-positions", &format!("{one} and {other}"));
    if let Some(names) = renamed(found) {
        let text = format!("{second} read in the order {}", names.join(","));
        out += &line("renamed", &text);
    }
    let style = if found.is_equal() { palette.win } else { palette.loss };
    out += &format!("\n{}\n", paint(style, word(found)));
    let mut tell = |text: &str| out += &(palette.wrap(&format!("  {text}"), "  ") + "\n");
    match &found.proof {
        Some(SameBy::Game) => tell("They are the same game, so this holds for all heights."),
        Some(SameBy::Formula { known, formula, by }) => tell(&format!(
            "For all heights: the P-positions of {} are those with {formula} ({}), and the same was proved \
             just now for {}.",
            found.games[*known],
            by.cited(),
            found.games[1 - known]
        )),
        None if found.is_equal() && found.max < 2 => tell(
            "With one token on each stack at the most next to nothing was compared. --max H looks at \
             heights up to H.",
        ),
        None if found.is_equal() => {
            tell("This is evidence, not a proof: taller stacks were not looked at.");
        }
        None => {}
    }
    for (game, position) in found.games.iter().zip(&found.only) {
        if let Some(position) = position {
            tell(&format!("{position} is the smallest that is P in {game} only."));
        }
    }
    out
}

/// The names that the stacks of the second game have in the first, in its own order.
fn renamed(found: &Sameness) -> Option<Vec<String>> {
    let r = &found.relabelling;
    let names = Names::of(r.stacks());
    (!r.is_identity()).then(|| r.images().map(|i| names.one(i).to_string()).collect())
}

fn word(found: &Sameness) -> &'static str {
    match (&found.only, &found.proof) {
        ([None, None], Some(_)) => "the same P-positions",
        ([None, None], None) => "the same P-positions in this box",
        ([None, Some(_)], _) => "in this box, those of the first are P in the second",
        ([Some(_), None], _) => "in this box, those of the second are P in the first",
        _ => "different P-positions",
    }
}

/// The answer to `compare`.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct SamenessAnswer {
    games: [String; 2],
    max: u64,
    p_counts: [u128; 2],
    /// `equal`, `first-in-second`, `second-in-first` or `different`: in the box, unless it is proved.
    relation: &'static str,
    /// Whether they are equal for all heights, by proof.
    proved: bool,
    formula: Option<String>,
    /// The names that the stacks of the second game have in the first.
    renamed: Option<Vec<String>>,
    only_first: Option<Vec<u64>>,
    only_second: Option<Vec<u64>>,
}

impl From<&Sameness> for SamenessAnswer {
    fn from(found: &Sameness) -> Self {
        let only = |i: usize| found.only[i].as_ref().map(|p| p.to_vec());
        SamenessAnswer {
            games: [found.games[0].to_string(), found.games[1].to_string()],
            max: found.max,
            p_counts: found.counts,
            relation: match &found.only {
                [None, None] => "equal",
                [None, Some(_)] => "first-in-second",
                [Some(_), None] => "second-in-first",
                _ => "different",
            },
            proved: found.proof.is_some(),
            formula: match &found.proof {
                Some(SameBy::Formula { formula, .. }) => Some(formula.clone()),
                _ => None,
            },
            renamed: renamed(found),
            only_first: only(0),
            only_second: only(1),
        }
    }
}
