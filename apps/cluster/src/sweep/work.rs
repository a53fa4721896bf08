//! Pieces of work, and what comes of them.

use nimatron::atlas::{Entry, Survey};
use nimatron::crates::verify::Budget;
use nimatron::proofs::{Examination, Expected, read_certificate_within};
use nimatron::{Game, Limits as GameLimits};
use nimatron_service::asks::discover::{Discover, Method};
use nimatron_service::asks::verify::{Text, Verify};
use nimatron_service::units::{Size, Time};
use nimatron_service::{Answer, Failure, Found as _, Host};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::path::PathBuf;
use std::time::Duration;

/// The limits of each piece of work.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Limits {
    milliseconds: u64,
    pub(crate) memory: u64,
}

impl Limits {
    pub(crate) fn new(time: Duration, memory: u64) -> Self {
        Limits { milliseconds: u64::try_from(time.as_millis()).unwrap_or(u64::MAX), memory }
    }

    pub(crate) fn time(&self) -> Duration {
        Duration::from_millis(self.milliseconds)
    }
}

/// A piece of work.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Work {
    /// Look at a game as the atlas does.
    Survey(String),
    /// Find and prove the P-positions of a game.
    Discover(String),
    /// Check what another rank found about a game.
    Check { game: String, certificate: String },
    /// Check a certificate in a file.
    Verify(PathBuf),
}

/// What came of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Found {
    /// The entry of the atlas, and the certificate.
    Surveyed { entry: Box<Entry>, certificate: Option<String> },
    /// The answer, and the certificate.
    Discovered { answer: String, certificate: Option<String> },
    /// Why a certificate is rejected, if it is.
    Checked(Option<String>),
    /// The answer, and the exit status.
    Verified { answer: String, status: u8 },
    /// Nothing, for this reason.
    Failed(String),
}

/// What was found on another rank was accepted there within this many times the usual work.
const BUDGET: u64 = 64;

impl Work {
    /// Does it.
    pub(crate) fn run(&self, limits: &Limits) -> Found {
        match self {
            Work::Survey(game) => survey(game, limits),
            Work::Discover(game) => discover(game, limits),
            Work::Check { game, certificate } => Found::Checked(check(game, certificate)),
            Work::Verify(path) => verify(path),
        }
    }
}

fn survey(game: &str, limits: &Limits) -> Found {
    let limits = GameLimits::unlimited().time(limits.time()).memory(limits.memory);
    let survey = game.parse::<Game>().ok().and_then(|game| Survey::of(&game, &limits));
    let Some(survey) = survey else {
        return Found::Failed(format!("{game} is not a game of the atlas"));
    };
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let certificate = survey.certificate.map(text);
    Found::Surveyed { entry: Box::new(survey.entry), certificate }
}

fn discover(game: &str, limits: &Limits) -> Found {
    let asked = Discover {
        game: game.to_string(),
        method: Method::Auto,
        no_formula: false,
        certificate: true,
        time: Some(Time(limits.time())),
        memory: Some(Size(limits.memory)),
    };
    match asked.find(&Host::default()) {
        Ok(found) => {
            Found::Discovered { answer: found.json(), certificate: found.written.text.clone() }
        }
        Err(failure) => Found::Failed(Answer::from(&failure).body),
    }
}

/// Why a certificate does not prove what it should, if it does not.
fn check(game: &str, certificate: &str) -> Option<String> {
    let Ok(game) = game.parse::<Game>() else { return Some(format!("{game} is no game")) };
    let budget = Budget::times(BUDGET);
    let expected = Expected { game: Some(game), formula: None, budget };
    match read_certificate_within(certificate.as_bytes(), budget) {
        Ok(certificate) => {
            Examination::of(&certificate, &expected).refusal.map(|refusal| refusal.to_string())
        }
        Err(error) => Some(error.to_string()),
    }
}

fn verify(path: &PathBuf) -> Found {
    let name = path.display().to_string();
    let asked = Verify {
        certificate: Text::Text(String::new()),
        game: None,
        formula: None,
        compare: None,
        budget: None,
        time: None,
        memory: None,
    };
    let file = File::open(path).map_err(|error| Failure::file(&name, &error));
    match file.and_then(|file| asked.examine(file, &name)) {
        Ok(found) => Found::Verified { answer: found.json(), status: found.status().code() },
        Err(failure) => {
            let Answer { status, body } = Answer::from(&failure);
            Found::Verified { answer: body, status: status.code() }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn certificates_are_checked_against_their_game() {
        let limits = Limits::new(Duration::from_secs(60), 1 << 30);
        let found = Work::Survey("CN(4,2)".to_string()).run(&limits);
        let Found::Surveyed { certificate: Some(certificate), .. } = found else {
            panic!("{found:?}");
        };
        let check = |game: &str, certificate: &str| {
            let (game, certificate) = (game.to_string(), certificate.to_string());
            match (Work::Check { game, certificate }).run(&limits) {
                Found::Checked(refusal) => refusal,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(check("CN(4,2)", &certificate), None);
        assert!(check("CN(4,3)", &certificate).is_some());
        assert!(check("CN(4,2)", "{}").is_some());
        assert!(check("CN(4,2)", &certificate.replacen("[1,", "[0,", 1)).is_some());
        let sum = Work::Survey("Nim(1) + CN(4,2)".to_string()).run(&limits);
        assert!(matches!(sum, Found::Failed(_)));
    }
}
