//! Proofs of one direction, as text and JSON.

use crate::check::{Formula, MismatchKind, Side};
use crate::proofs::{OneSided, SidedJudgement, SidedProof, SidedUndecided};
use crate::render::check::claim;
use crate::render::json::{CounterexampleAnswer, Limit};
use crate::render::palette::{Palette, paint};
use crate::render::proof::{Written, account};
use crate::render::verdict::capital;
use crate::render::words::Names;
use crate::{Position, Take};
#[cfg(feature = "serde")]
use serde::Serialize;

/// What became of an attempt to prove one direction.
pub fn one_sided(o: &OneSided, written: &Written, palette: &Palette) -> String {
    let mut out = paint(palette.title, &palette.wrap(&o.game.to_string(), "  ")) + "\n";
    out += &(palette.wrap(&format!("  {}", o.formula), "    ") + "\n");
    if let Some(condition) = &o.within {
        out += &(palette.wrap(&format!("  where {condition}"), "    ") + "\n");
    }
    if let Some(claim) = claim(o.side) {
        out += &paragraph(palette, claim);
    }
    out.push('\n');
    match &o.judgement {
        SidedJudgement::Proved(proofs) => {
            out += &(paint(palette.win, "proved for all heights") + "\n");
            for proof in proofs {
                out += &format!("\n{}\n", paint(palette.heading, "Why"));
                out += &paragraph(palette, &why(o, proof));
                out += &account(&proof.found, written, palette);
            }
        }
        SidedJudgement::Refuted { position, kind, take } => {
            out += &(paint(palette.loss, "wrong") + "\n");
            out += &paragraph(palette, &refuted(position, *kind, take.as_ref()));
        }
        SidedJudgement::Undecided(why) => {
            out += &(paint(palette.open, "not decided") + "\n");
            out += &paragraph(palette, &format!("{}.", capital(&why.to_string())));
            if let Some(height) = o.checked {
                let text = format!(
                    "There is no counterexample with heights up to {height}. This is evidence, not a proof."
                );
                out += &paragraph(palette, &text);
            }
        }
    }
    out
}

/// Where the claim fails.
pub(super) fn refuted(position: &Position, kind: MismatchKind, take: Option<&Take>) -> String {
    match (kind, take) {
        (MismatchKind::Missed, _) => {
            format!("{position} is a P-position that does not satisfy the formula.")
        }
        (MismatchKind::Claimed, Some(take)) => {
            format!("{position} is an N-position that satisfies the formula: taking {take} wins.")
        }
        (MismatchKind::Claimed, None) => {
            format!("{position} is an N-position that satisfies the formula.")
        }
    }
}

/// Longer formulas are not shown.
const MOST_SHOWN: usize = 300;

/// How the direction follows from what is known.
pub(super) fn why(o: &OneSided, proof: &SidedProof) -> String {
    let names = Names::of(o.game.stacks());
    let (known, by) = (&proof.known, proof.by.cited());
    let mut text = String::new();
    if !proof.empty.is_empty() {
        let row: Vec<&str> = proof.stacks.iter().map(|&s| names.one(s)).collect();
        let (who, symmetry) = match (&o.within, &o.formula) {
            (None, Formula::Sym(_)) => ("The formula", ", up to symmetry"),
            (None, _) => ("The formula", ""),
            (Some(_), _) => ("What is claimed", ""),
        };
        text += &format!(
            "{who} wants {} empty{symmetry}. What is left is {}, on {}. ",
            names.stacks(proof.empty),
            proof.about,
            row.join(",")
        );
    }
    let known = known.to_string();
    text += &match known.len() <= MOST_SHOWN {
        true => format!("The P-positions are those with {known} ({by}). "),
        false => format!("The P-positions are known ({by}), by a formula too long to be shown. "),
    };
    text += &match (proof.side, &o.within) {
        (Side::Necessary, None) => {
            "It was proved just now that they are also those which satisfy this and the formula: so \
             every P-position satisfies the formula."
                .to_string()
        }
        (Side::Necessary, Some(condition)) => format!(
            "It was proved just now that they are also those which satisfy this and, where {condition}, \
             the formula: so every P-position with {condition} satisfies the formula."
        ),
        (_, None) => {
            "It was proved just now that they are also those which satisfy this or the formula: so \
             whatever satisfies the formula is a P-position."
                .to_string()
        }
        (_, Some(condition)) => format!(
            "It was proved just now that they are also those which satisfy this, or the formula where \
             {condition}: so whatever satisfies the formula is a P-position where {condition}."
        ),
    };
    text
}

fn paragraph(palette: &Palette, text: &str) -> String {
    palette.wrap(&format!("  {text}"), "  ") + "\n"
}

/// The answer to `prove` about one direction, for JSON.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct OneSidedAnswer {
    game: String,
    formula: String,
    side: &'static str,
    #[cfg_attr(feature = "serde", serde(rename = "where"))]
    within: Option<String>,
    proved: bool,
    proofs: Vec<SidedProofAnswer>,
    certificate: Option<String>,
    /// The certificate as text, where it was asked for.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    certificate_text: Option<String>,
    counterexample: Option<CounterexampleAnswer<Vec<u64>>>,
    checked_up_to: Option<u64>,
    seconds: f64,
    limit: Option<Limit>,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
struct SidedProofAnswer {
    side: &'static str,
    /// Stacks that the formula wants empty, from 1.
    empty: Vec<usize>,
    /// The game of the proof, and its stacks among those of the game asked about.
    about: String,
    stacks: Vec<usize>,
    known: String,
    by: String,
    method: &'static str,
    /// What was proved to describe the P-positions, in the stacks of the game of the proof.
    formula: Option<String>,
    bytes: usize,
    check_seconds: f64,
}

impl OneSidedAnswer {
    /// The answer, with the place that the certificate was written to.
    pub fn new(o: &OneSided, written: &Written) -> Self {
        let proofs = match &o.judgement {
            SidedJudgement::Proved(proofs) => &proofs[..],
            _ => &[],
        };
        let counterexample = match &o.judgement {
            SidedJudgement::Refuted { position, kind, take } => Some(CounterexampleAnswer {
                position: position.to_vec(),
                kind: match kind {
                    MismatchKind::Missed => "missed",
                    MismatchKind::Claimed => "claimed",
                },
                shown: take.as_ref().map(|take| take.to_vec()),
            }),
            _ => None,
        };
        let limit = match &o.judgement {
            SidedJudgement::Undecided(SidedUndecided::Stopped(stop)) => Some(Limit::from(*stop)),
            SidedJudgement::Undecided(why) => Some(Limit { kind: "method", text: why.to_string() }),
            _ => None,
        };
        OneSidedAnswer {
            game: o.game.to_string(),
            formula: o.formula.to_string(),
            side: o.side.as_str(),
            within: o.within.as_ref().map(ToString::to_string),
            proved: matches!(o.judgement, SidedJudgement::Proved(_)),
            proofs: proofs.iter().map(answer).collect(),
            certificate: written.out.clone(),
            certificate_text: written.text.clone(),
            counterexample,
            checked_up_to: o.checked,
            seconds: o.time.as_secs_f64(),
            limit,
        }
    }
}

fn answer(proof: &SidedProof) -> SidedProofAnswer {
    SidedProofAnswer {
        side: proof.side.as_str(),
        empty: proof.empty.iter().map(|s| s + 1).collect(),
        about: proof.about.to_string(),
        stacks: proof.stacks.iter().map(|s| s + 1).collect(),
        known: proof.known.to_string(),
        by: proof.by.cited().to_string(),
        method: proof.found.proved.kind().as_str(),
        formula: proof.found.proved.formula(),
        bytes: proof.found.bytes,
        check_seconds: proof.found.check.as_secs_f64(),
    }
}
