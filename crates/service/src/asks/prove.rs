//! Whether a formula describes the P-positions, for all heights.

use super::side::{condition, side};
use super::{Found, request};
use crate::failure::Failure;
use crate::host::Host;
use crate::read;
use crate::status::Status;
use crate::units::{Size, Time};
use crate::word::word;
use nimatron::check::Side;
use nimatron::crates::formula::Formula;
use nimatron::proofs::{
    Judgement, OneSided, ProveMethod, Proving, SidedJudgement, SidedUndecided, Undecided,
    known_formula, prove, prove_one_sided,
};
use nimatron::render::{Diagnostic, OneSidedAnswer, ProofAnswer, Written, json};
use nimatron::{Game, Stop};

request! {
    /// Prove that a formula describes the P-positions, for all heights.
    pub struct Prove {
        /// The game.
        pub game: String,
        /// The formula; without one, that of the theorem library is proved.
        pub formula: Option<String>,
        /// Claim only that every P-position satisfies the formula.
        #[serde(default)]
        pub necessary: bool,
        /// Claim only that no N-position satisfies the formula.
        #[serde(default)]
        pub sufficient: bool,
        /// Only positions that satisfy this formula count.
        #[serde(rename = "where")]
        pub condition: Option<String>,
        /// How to prove.
        #[serde(default)]
        pub method: Method,
        /// Put the certificate into the answer, as `certificate_text`.
        #[serde(default)]
        pub certificate: bool,
        /// Stop after this time; 45 seconds if not given.
        pub time: Option<Time>,
        /// Stop when this much memory is used; 4 GB if not given.
        pub memory: Option<Size>,
    }
}

word! {
    /// How to prove.
    #[derive(Default)]
    #[cfg_attr(test, schemars(rename = "ProveMethod"))]
    pub enum Method {
        /// Regions, and automata where these do not do.
        #[default]
        Auto = "auto",
        /// Linear arithmetic, for formulas without xor.
        Regions = "regions",
        /// The formula as a finite automaton that reads binary digits.
        Automata = "automata",
    }
}

/// What came of it.
#[derive(Debug)]
pub struct Proved {
    /// The judgement.
    pub judged: Judged,
    /// Where the certificate was written to.
    pub written: Written,
}

/// A judgement.
#[derive(Debug)]
pub enum Judged {
    /// About the formula as a description of the P-positions.
    Whole(Box<Proving>),
    /// About one direction, or about some positions.
    OneSided(Box<OneSided>),
}

impl Judged {
    /// The one proof that was found, which has a certificate.
    pub fn proof(&self) -> Option<&nimatron::proofs::Proved> {
        match self {
            Judged::Whole(proving) => match &proving.judgement {
                Judgement::Proved(found) => Some(&found.proved),
                _ => None,
            },
            Judged::OneSided(answer) => match &answer.judgement {
                SidedJudgement::Proved(proofs) => match &proofs[..] {
                    [one] => Some(&one.found.proved),
                    _ => None,
                },
                _ => None,
            },
        }
    }
}

impl Prove {
    /// The game and the formula; where none is given, that of the theorem library.
    pub fn read(&self) -> Result<(Game, Formula), Failure> {
        let game = read::game(&self.game)?;
        let formula = match &self.formula {
            Some(text) => Some(read::formula(text, &game)?),
            None => known_formula(&game),
        };
        match formula {
            Some(formula) => Ok((game, formula)),
            None => {
                let message = format!("the theorem library has no formula for {game}");
                let hint = Some(format!("nimatron discover \"{game}\""));
                let diagnostic = Box::new(Diagnostic { message, place: None, hint });
                Err(Failure::Open { kind: "no-formula", diagnostic })
            }
        }
    }

    /// What the formula is claimed to be.
    pub fn side(&self) -> Result<Side, Failure> {
        side(self.necessary, self.sufficient)
    }

    /// Whether one direction, or some positions, are all that is asked about.
    pub fn is_one_sided(&self) -> bool {
        self.necessary || self.sufficient || self.condition.is_some()
    }

    /// The proof, or what stands against it.
    pub fn find(&self, host: &Host) -> Result<Proved, Failure> {
        let (game, formula) = self.read()?;
        let limits = host.proving(self.time, self.memory);
        let method = match self.method {
            Method::Auto => ProveMethod::Auto,
            Method::Regions => ProveMethod::Regions,
            Method::Automata => ProveMethod::Automata,
        };
        let judged = match self.is_one_sided() {
            false => Judged::Whole(Box::new(prove(&game, &formula, method, &limits))),
            true => {
                if self.method != Method::Auto {
                    return Err(Failure::useless("--method", ONLY));
                }
                let (side, within) = (self.side()?, condition(self.condition.as_ref(), &game)?);
                let knowledge = host.knowledge();
                let answer =
                    prove_one_sided(&game, &formula, side, within.as_ref(), &knowledge, &limits);
                host.problems(&knowledge);
                Judged::OneSided(Box::new(answer))
            }
        };
        let mut written = Written::default();
        if let (true, Some(proof)) = (self.certificate, judged.proof()) {
            written.text = Some(String::from_utf8_lossy(&proof.text()).into_owned());
        }
        Ok(Proved { judged, written })
    }
}

/// Why other things cannot be asked for.
pub const ONLY: &str = "one direction, or some positions, are all that is asked about";

impl Found for Proved {
    fn status(&self) -> Status {
        match &self.judged {
            Judged::Whole(proving) => match &proving.judgement {
                Judgement::Proved(_) => Status::Answered,
                Judgement::Refuted(_) => Status::Negative,
                Judgement::Undecided(Undecided::Stopped(Stop::Cancelled)) => Status::Interrupted,
                _ => Status::Undecided,
            },
            Judged::OneSided(answer) => match &answer.judgement {
                SidedJudgement::Proved(_) => Status::Answered,
                SidedJudgement::Refuted { .. } => Status::Negative,
                SidedJudgement::Undecided(SidedUndecided::Stopped(Stop::Cancelled)) => {
                    Status::Interrupted
                }
                _ => Status::Undecided,
            },
        }
    }

    fn json(&self) -> String {
        match &self.judged {
            Judged::Whole(proving) => {
                json::to_string(&ProofAnswer::of_proving(proving, &self.written))
            }
            Judged::OneSided(answer) => {
                json::to_string(&OneSidedAnswer::new(answer, &self.written))
            }
        }
    }
}
