//! Whether a formula describes the P-positions, for all heights.

use super::{Found, request};
use crate::failure::Failure;
use crate::host::Host;
use crate::read;
use crate::status::Status;
use crate::units::{Size, Time};
use nimatron::crates::formula::Formula;
use nimatron::proofs::{Judgement, ProveMethod, Proving, Undecided, known_formula, prove};
use nimatron::render::{Diagnostic, ProofAnswer, Written, json};
use nimatron::{Game, Stop};
use serde::Deserialize;

request! {
    /// Prove that a formula describes the P-positions, for all heights.
    pub struct Prove {
        /// The game.
        pub game: String,
        /// The formula; without one, that of the theorem library is proved.
        pub formula: Option<String>,
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

/// How to prove.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "ProveMethod"))]
pub enum Method {
    /// Regions, and automata where these do not do.
    #[default]
    Auto,
    /// Linear arithmetic, for formulas without xor.
    Regions,
    /// The formula as a finite automaton that reads binary digits.
    Automata,
}

/// What came of it.
#[derive(Debug)]
pub struct Proved {
    /// The judgement.
    pub proving: Proving,
    /// Where the certificate was written to.
    pub written: Written,
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

    /// The proof, or what stands against it.
    pub fn find(&self, host: &Host) -> Result<Proved, Failure> {
        let (game, formula) = self.read()?;
        let method = match self.method {
            Method::Auto => ProveMethod::Auto,
            Method::Regions => ProveMethod::Regions,
            Method::Automata => ProveMethod::Automata,
        };
        let proving = prove(&game, &formula, method, &host.proving(self.time, self.memory));
        let mut written = Written::default();
        if let (true, Judgement::Proved(found)) = (self.certificate, &proving.judgement) {
            written.text = Some(String::from_utf8_lossy(&found.proved.text()).into_owned());
        }
        Ok(Proved { proving, written })
    }
}

impl Found for Proved {
    fn status(&self) -> Status {
        match &self.proving.judgement {
            Judgement::Proved(_) => Status::Answered,
            Judgement::Refuted(_) => Status::Negative,
            Judgement::Undecided(Undecided::Stopped(Stop::Cancelled)) => Status::Interrupted,
            _ => Status::Undecided,
        }
    }

    fn json(&self) -> String {
        json::to_string(&ProofAnswer::of_proving(&self.proving, &self.written))
    }
}
