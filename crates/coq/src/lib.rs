//! Certificates as theorems of the Coq proof assistant.
//!
//! [`write()`] turns a certificate into a Coq file whose last theorem says which are the P-positions of
//! the game. The [`THEORIES`], which are written once and for all, define games and prove that a
//! certificate that passes their checker is right; Coq's kernel runs that checker.
//!
//! Nothing written here is believed but the statement of the last theorem: the game and the set, in
//! the words of the theory `Game`. If the rest is wrong, Coq refuses the file.
#![forbid(unsafe_code)]

mod automaton;
mod matryoshka;
mod names;
mod readable;
mod regions;
mod theories;

pub use theories::{THEORIES, Theory};

use nimatron_formula::{Context, Formula};
use nimatron_verify::{Certificate, Proof};
use std::io::{self, Write};

/// The name of the theorem that every file ends with.
pub const THEOREM: &str = "p_positions";

/// Why a certificate is not written for Coq.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The theories do not treat this.
    #[error("the Coq theories do not treat {0}")]
    Unsupported(&'static str),
    /// The certificate does not fit together.
    #[error("the certificate does not fit together: {0}")]
    Broken(&'static str),
    /// Writing failed.
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// Writes a certificate as a Coq file. The certificate need not be right.
pub fn write(certificate: &Certificate, to: &mut dyn Write) -> Result<(), ExportError> {
    write!(to, "(* The P-positions of {}, for all heights. All that needs", certificate.game)?;
    writeln!(to, "\n   to be read is the last theorem, and its words in the theory Game. *)")?;
    preamble(to)?;
    body(certificate, to)?.theorem(to)
}

/// Writes several certificates as one Coq file, which loads the theories only once. Each is a
/// module `c0`, `c1`, ... with its theorem.
pub fn write_all(certificates: &[Certificate], to: &mut dyn Write) -> Result<(), ExportError> {
    preamble(to)?;
    for (number, certificate) in certificates.iter().enumerate() {
        writeln!(to, "\nModule c{number}.")?;
        body(certificate, to)?.theorem(to)?;
        writeln!(to, "End c{number}.")?;
    }
    Ok(())
}

/// Writes one Coq file that prints for each certificate in turn whether the checker of the theories
/// accepts it.
pub fn write_questions(
    certificates: &[Certificate],
    to: &mut dyn Write,
) -> Result<(), ExportError> {
    preamble(to)?;
    for (number, certificate) in certificates.iter().enumerate() {
        writeln!(to, "\nModule c{number}.")?;
        let claim = body(certificate, to)?;
        let described = match claim.statement {
            Some(Statement { by: By::Digits, .. }) => {
                format!(" && describes {} machine sums words reached", claim.heights.len())
            }
            _ => String::new(),
        };
        writeln!(to, "Eval vm_compute in (check ({}) proof{described})%bool.", claim.game)?;
        writeln!(to, "End c{number}.")?;
    }
    Ok(())
}

fn preamble(to: &mut dyn Write) -> Result<(), ExportError> {
    writeln!(to, "From Coq Require Import String NArith ZArith List.")?;
    writeln!(to, "From Nimatron Require Import Game.")?;
    writeln!(to, "From Nimatron Require Matryoshka Automaton Readable Regions.")?;
    Ok(writeln!(to, "Import ListNotations.\n")?)
}

/// What a certificate claims, in the words of the theory `Game`.
struct Claim {
    /// The game.
    game: String,
    /// The names of the heights.
    heights: Vec<String>,
    /// A set of positions.
    set: String,
    /// The same by a formula.
    statement: Option<Statement>,
}

/// A set in the words of a formula.
struct Statement {
    /// What is defined first, so that it need not be repeated: a predicate `F`.
    definition: Option<String>,
    text: String,
    by: By,
}

/// How a formula is shown to describe a set.
#[derive(Clone, Copy)]
enum By {
    /// It is followed beside an automaton.
    Digits,
    /// The set is the formula.
    Itself,
}

impl Claim {
    /// The theorem, once `proof` is defined and `check` is that of its kind.
    fn theorem(&self, to: &mut dyn Write) -> Result<(), ExportError> {
        let Claim { game, heights, set, statement } = self;
        let position = format!("[{}]", heights.join("; "));
        writeln!(to, "Lemma checked : check ({game}) proof = true.")?;
        writeln!(to, "Proof. vm_cast_no_check (eq_refl true). Qed.\n")?;
        let Some(Statement { definition, text, by }) = statement else {
            return self.about_set(&position, set, to);
        };
        let stacks = heights.len();
        if let By::Digits = by {
            writeln!(
                to,
                "Lemma described : describes {stacks} machine sums words reached = true."
            )?;
            writeln!(to, "Proof. vm_cast_no_check (eq_refl true). Qed.\n")?;
        }
        if let Some(definition) = definition {
            writeln!(to, "Definition F ({} : nat) : Prop :=", heights.join(" "))?;
            writeln!(to, "  ({definition})%nat.\n")?;
        }
        writeln!(to, "Theorem {THEOREM} : forall {} : nat,", heights.join(" "))?;
        writeln!(to, "  P ({game}) {position} <->\n  ({text})%nat.")?;
        writeln!(to, "Proof.\n  intros.")?;
        writeln!(to, "  apply (iff_trans (check_sound _ proof checked {position} eq_refl)).")?;
        let plain = match by {
            By::Digits => format!("(describes_sound _ _ _ _ _ described {position} eq_refl)"),
            By::Itself => format!("(described_plain {stacks} words eq_refl {position})"),
        };
        writeln!(to, "  apply (iff_trans {plain}).")?;
        let last = match (by, definition) {
            (By::Digits, _) => "unfold sums, words. plainly.",
            (By::Itself, None) => "in_numbers words.",
            (By::Itself, Some(_)) => "unfold F. in_numbers words.",
        };
        writeln!(to, "  {last}\nQed.")?;
        Ok(writeln!(to, "Print Assumptions {THEOREM}.")?)
    }

    /// The theorem in the words of a set.
    fn about_set(&self, position: &str, set: &str, to: &mut dyn Write) -> Result<(), ExportError> {
        let Claim { game, heights, .. } = self;
        writeln!(to, "Theorem {THEOREM} : forall {} : nat,", heights.join(" "))?;
        writeln!(to, "  P ({game}) {position} <->\n  {set} {position}.")?;
        writeln!(
            to,
            "Proof. intros. exact (check_sound _ proof checked {position} eq_refl). Qed."
        )?;
        Ok(writeln!(to, "Print Assumptions {THEOREM}.")?)
    }
}

/// Writes the data that the theories check.
fn body(certificate: &Certificate, to: &mut dyn Write) -> Result<Claim, ExportError> {
    let game = &certificate.game;
    let another = |_| ExportError::Broken("its format or version is another");
    certificate.understood().map_err(another)?;
    if let Some(formula) = certificate.formula() {
        let read = Formula::parse(formula, &Context::of_game(game));
        read.map_err(|_| ExportError::Broken("the formula cannot be read"))?;
    }
    let name = names::game(game)?;
    let (set, statement) = match &certificate.proof {
        Proof::Matryoshka(proof) => (matryoshka::write(game, proof, to)?, None),
        Proof::Automaton(proof) => {
            let (set, statement) = automaton::write(game, proof, to)?;
            (set, statement.map(|text| Statement { definition: None, text, by: By::Digits }))
        }
        Proof::Regions(proof) => regions::write(game, proof, to)?,
        _ => return Err(ExportError::Unsupported("this kind of proof")),
    };
    Ok(Claim { game: name, heights: names::heights(game.stacks()), set, statement })
}
