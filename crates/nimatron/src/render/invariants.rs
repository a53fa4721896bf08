//! Invariant vectors as text and JSON.

use crate::render::palette::{Palette, paint};
use crate::render::subgame::{TheoremName, numbers};
use crate::render::words::{Names, count, thousands};
use crate::structure::{Invariants, Tested};
use crate::{By, Game, Position};
use nimatron_game::StackSet;
use nimatron_theory::invariance::{Evidence, Vector};
#[cfg(feature = "serde")]
use serde::Serialize;

/// How many refuted vectors are shown.
pub(super) const REFUTED_SHOWN: usize = 12;

/// What theorems say, what the table says, and what speaks against the rest.
pub fn invariants(found: &Invariants, palette: &Palette) -> String {
    let names = Names::of(found.game.stacks());
    let mut out = paint(palette.title, &palette.wrap(&found.game.to_string(), "  ")) + "\n";
    let known = match (&found.known[..], &found.theorem) {
        ([], None) => "none: neither a theorem nor a proof about this game is known".to_string(),
        ([], Some(by)) => format!("none with {}, which solves this game", by.cited()),
        (known, by) => {
            let by = by.as_ref().map_or(String::new(), |by| by.cited().to_string());
            format!("{} ({by})", names.sets(known))
        }
    };
    let label = match &found.theorem {
        Some(By::Proof { .. }) => "by proof",
        _ => "by theorem",
    };
    out += &line(palette, label, &known);
    match &found.tested {
        None => out += &line(palette, "by table", "not tested: even a small box is too large"),
        Some(tested) => out += &about_box(tested, &names, palette),
    }
    out
}

fn about_box(tested: &Tested, names: &Names, palette: &Palette) -> String {
    let positions = count(tested.p_positions as u128, "P-position");
    let box_text = format!("heights 0 to {}, {positions}", tested.max);
    let basis = tested.basis();
    let holding: usize = tested.holding.iter().map(|v| v.images.len()).sum();
    let sums = match holding - basis.len() {
        0 => String::new(),
        more => format!("; and {} of these", count(more as u128, "sum")),
    };
    let text = match basis.is_empty() {
        true => "none: every 0/1 vector is refuted".to_string(),
        false => format!("{}{sums} (evidence, no proof)", names.sets(&basis)),
    };
    let mut out = line(palette, "tested on", &box_text) + &line(palette, "by table", &text);
    if tested.refuted.is_empty() {
        return out;
    }
    let heading = match tested.refuted.len() {
        n if n > REFUTED_SHOWN => {
            format!("Refuted, up to symmetry ({REFUTED_SHOWN} of {})", thousands(n as u128))
        }
        _ => "Refuted, up to symmetry".to_string(),
    };
    out += &format!("\n{}\n", paint(palette.heading, &heading));
    let row = |vector: &&Vector| {
        let (low, high, p_is_low) = pair(vector)?;
        let outcome = |p: bool| if p { "P" } else { "N" };
        let first = format!("{low} is {}", outcome(p_is_low));
        let second = format!("{high} is {}", outcome(!p_is_low));
        Some(vec![vector_name(vector.stacks, names), first, second])
    };
    let rows: Vec<Vec<String>> = shown(tested).iter().filter_map(row).collect();
    out + &palette.columns(&rows)
}

/// The vectors to show: all ones first, then the smallest.
pub(super) fn shown(tested: &Tested) -> Vec<&Vector> {
    let (all, rest): (Vec<&Vector>, Vec<&Vector>) = tested.refuted.iter().partition(|v| is_all(v));
    all.into_iter().chain(rest).take(REFUTED_SHOWN).collect()
}

fn is_all(vector: &Vector) -> bool {
    match &vector.evidence {
        Evidence::Refuted { p, .. } => vector.stacks == StackSet::first(p.len()),
        Evidence::Holds { .. } => false,
    }
}

fn vector_name(stacks: StackSet, names: &Names) -> String {
    let ones = if stacks == StackSet::first(names.len()) { " (all ones)" } else { "" };
    format!("{}{ones}", names.set(stacks))
}

/// The lower and the higher of the two positions, and whether the lower one is the P-position.
pub(super) fn pair(vector: &Vector) -> Option<(&Position, &Position, bool)> {
    match &vector.evidence {
        Evidence::Refuted { p, n } if p.total() < n.total() => Some((p, n, true)),
        Evidence::Refuted { p, n } => Some((n, p, false)),
        Evidence::Holds { .. } => None,
    }
}

fn line(palette: &Palette, label: &str, text: &str) -> String {
    palette.labelled(12, label, text)
}

/// The answer to `invariants`. Stacks are counted from 1.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct InvariantsAnswer {
    game: String,
    theorem: Option<TheoremName>,
    known: Vec<Vec<usize>>,
    tested: Option<TestedAnswer>,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
struct TestedAnswer {
    max: u64,
    p_positions: usize,
    /// Vectors that nothing in the box refutes and that are not sums of others.
    basis: Vec<Vec<usize>>,
    refuted: Vec<RefutedAnswer>,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
struct RefutedAnswer {
    vector: Vec<usize>,
    /// A P-position and an N-position that differ by the vector.
    p: Vec<u64>,
    n: Vec<u64>,
}

impl InvariantsAnswer {
    /// Everything found about a game.
    pub fn new(game: &Game, found: &Invariants) -> Self {
        let refuted = |v: &Vector| match &v.evidence {
            Evidence::Refuted { p, n } => {
                Some(RefutedAnswer { vector: numbers(v.stacks), p: p.to_vec(), n: n.to_vec() })
            }
            Evidence::Holds { .. } => None,
        };
        InvariantsAnswer {
            game: game.to_string(),
            theorem: found.theorem.as_ref().map(TheoremName::from),
            known: found.known.iter().copied().map(numbers).collect(),
            tested: found.tested.as_ref().map(|tested| TestedAnswer {
                max: tested.max,
                p_positions: tested.p_positions,
                basis: tested.basis().into_iter().map(numbers).collect(),
                refuted: tested.refuted.iter().filter_map(refuted).collect(),
            }),
        }
    }
}
