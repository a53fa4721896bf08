//! What a certificate proves, if it does.

use super::{Found, request};
use crate::failure::Failure;
use crate::host::Host;
use crate::read;
use crate::status::Status;
use crate::units::{Size, Time};
use nimatron::crates::game::Watch;
use nimatron::crates::table::TableError;
use nimatron::crates::verify::{Budget, ReadError};
use nimatron::kernel::Opinion;
use nimatron::proofs::{Comparison, Examination, Expected, NotAccepted, read_certificate_within};
use nimatron::render::{VerifyAnswer, json};
use nimatron::{Limits, Stop};
use serde::Deserialize;
use std::io::Read;
use std::num::NonZeroU32;
use std::time::Duration;

request! {
    /// Check a certificate, trusting nothing but arithmetic.
    pub struct Verify {
        /// The certificate: its text, or the object itself.
        pub certificate: Text,
        /// It must be about this game.
        pub game: Option<String>,
        /// It must describe the P-positions by this formula.
        pub formula: Option<String>,
        /// Compare with the table of all heights up to this; `true` takes about ten seconds.
        pub compare: Option<Compare>,
        /// Let checking take so many times the usual work.
        pub budget: Option<NonZeroU32>,
        /// Stop comparing after this time.
        pub time: Option<Time>,
        /// Memory for the comparison; 2 GB if not given.
        pub memory: Option<Size>,
    }
}

/// A certificate as text, or as a JSON object.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Text {
    /// The bytes of the file.
    Text(String),
    /// What they stand for.
    Object(serde_json::Map<String, serde_json::Value>),
}

/// How tall a comparison is.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Compare {
    /// Whether to compare at all, for about ten seconds.
    For(bool),
    /// All heights up to this.
    UpTo(NonZeroU32),
}

/// What the checker says, and others who were asked.
#[derive(Debug)]
pub struct Verified {
    /// What the checker says.
    pub examination: Examination,
    /// The proved set beside the table.
    pub compared: Option<Comparison>,
    /// What stopped the comparison.
    pub stop: Option<Stop>,
    /// What the kernel of Coq says, and its version.
    pub kernel: Option<(Opinion, String)>,
}

/// For a comparison when no height is given.
const A_WHILE: Duration = Duration::from_secs(10);

impl Verify {
    /// What it proves.
    pub fn find(&self, host: &Host) -> Result<Verified, Failure> {
        let text = match &self.certificate {
            Text::Text(text) => text.clone(),
            Text::Object(object) => json::to_string(object),
        };
        if self.budget.is_some() && host.is_limited() {
            return Err(Failure::bad("budget", "this host has one budget for all".to_string()));
        }
        let mut verified = self.examine(text.as_bytes(), "certificate")?;
        self.compare(&mut verified, host)?;
        Ok(verified)
    }

    /// What the checker says about a certificate, read from somewhere with this name.
    pub fn examine(&self, from: impl Read, name: &str) -> Result<Verified, Failure> {
        let game = self.game.as_deref().map(read::game).transpose()?;
        let budget = Budget::times(self.budget.map_or(1, |n| n.get().into()));
        let examination = match read_certificate_within(from, budget) {
            Err(ReadError::Io(error)) => return Err(Failure::file(name, &error)),
            Err(error) => Examination::unreadable(error),
            Ok(certificate) => {
                let about = game.as_ref().unwrap_or(&certificate.game);
                let formula = self.formula.as_deref();
                let formula = formula.map(|text| read::formula(text, about)).transpose()?;
                Examination::of(&certificate, &Expected { game, formula, budget })
            }
        };
        Ok(Verified { examination, compared: None, stop: None, kernel: None })
    }

    /// Sets the proved set beside the table, if that is asked for and there is one.
    pub fn compare(&self, verified: &mut Verified, host: &Host) -> Result<(), Failure> {
        let height = match self.compare {
            None | Some(Compare::For(false)) => return Ok(()),
            Some(Compare::For(true)) => None,
            Some(Compare::UpTo(height)) => Some(height.get().into()),
        };
        if verified.examination.refusal.is_some() {
            return Ok(());
        }
        let unusable = || Failure::bad("unusable", NotAccepted::Unusable.to_string());
        let proved = verified.examination.proved().ok_or_else(unusable)?;
        let limits: Limits = host.patient(self.time, self.memory);
        let compared = match height {
            None => Ok(proved.compare_for(A_WHILE, &limits)),
            Some(max) => proved.compare(max, &limits.start()).map(Some),
        };
        let cancelled = || limits.start().check(0).is_err();
        match compared.map_err(TableError::from) {
            Ok(None) => {
                verified.stop = Some(if cancelled() { Stop::Cancelled } else { Stop::Time });
            }
            Ok(compared) => verified.compared = compared,
            // What the checker said stands, whatever becomes of the table.
            Err(TableError::Stopped(stop)) => verified.stop = Some(stop),
            Err(TableError::TooLarge { .. }) => verified.stop = Some(Stop::Memory),
            Err(error) => return Err(Failure::table(&error)),
        }
        Ok(())
    }
}

impl Found for Verified {
    fn status(&self) -> Status {
        let differs = self.compared.as_ref().is_some_and(|c| c.differs.is_some());
        let refused =
            self.kernel.as_ref().is_some_and(|(opinion, _)| *opinion != Opinion::Accepted);
        match self.examination.refusal.is_none() && !differs && !refused {
            false => Status::Negative,
            true => Status::of(self.stop),
        }
    }

    fn json(&self) -> String {
        let answer = VerifyAnswer::from(&self.examination).compared(self.compared.as_ref());
        let kernel = self.kernel.as_ref().map(|(opinion, version)| (opinion, version.as_str()));
        json::to_string(&answer.stopped(self.stop).kernel(kernel))
    }
}
