//! Laws of the P-positions, learned from a table.

use super::{Found, request};
use crate::failure::Failure;
use crate::host::Host;
use crate::read;
use crate::status::Status;
use crate::units::{Size, Time};
use nimatron::proofs::{FamilyGuess, Guess as OneGuess, member};
use nimatron::render::{FamilyGuessAnswer, GuessAnswer, json};

request! {
    /// Laws of the P-positions, learned from a table: evidence, no proof.
    pub struct Guess {
        /// The game, or with `family` one with a parameter n, as in CN(n,n-2).
        pub game: String,
        /// Test the formula on all heights up to this; about a second's work if not given.
        pub max: Option<u64>,
        /// Several games of a family.
        #[serde(default)]
        pub family: bool,
        /// The first parameter of a family; 3 if not given.
        pub from: Option<u8>,
        /// The last parameter of a family; 6 if not given.
        pub to: Option<u8>,
        /// Stop after this time; 10 seconds if not given.
        pub time: Option<Time>,
        /// Stop when this much memory is used; 2 GB if not given.
        pub memory: Option<Size>,
    }
}

/// What was noticed.
#[derive(Debug)]
pub enum Guessed {
    /// About a game.
    Game(Box<OneGuess>),
    /// About games of a family.
    Family {
        /// The family, as it was asked about.
        name: String,
        /// What was noticed.
        found: FamilyGuess,
    },
}

/// The tallest box of a guess.
const TALLEST: u64 = 1_000_000;
/// The greatest parameter of a family.
const MOST: u8 = 32;

impl Guess {
    /// What is noticed.
    pub fn find(&self, host: &Host) -> Result<Guessed, Failure> {
        if self.max.is_some_and(|max| !(1..=TALLEST).contains(&max)) {
            return Err(Failure::bad("box", format!("--max is from 1 to {TALLEST}")));
        }
        let watch = host.metered(&host.usual(self.time, self.memory));
        if !self.family {
            if self.from.is_some() || self.to.is_some() {
                return Err(Failure::useless("--from or --to", "only a family has parameters"));
            }
            let found = OneGuess::of(&read::game(&self.game)?, self.max, &watch);
            return Ok(Guessed::Game(Box::new(found.map_err(|error| Failure::table(&error))?)));
        }
        let (from, to) = (self.from.unwrap_or(3), self.to.unwrap_or(6));
        if from == 0 || to > MOST {
            let message = format!("parameters of a family are from 1 to {MOST}");
            return Err(Failure::bad("wrong-count", message));
        }
        if from > to {
            return Err(Failure::bad("wrong-count", "--from is greater than --to".to_string()));
        }
        // Some parameters may be too small or too large for the family.
        let (mut games, mut missing, mut failure) = (Vec::new(), Vec::new(), None);
        for n in usize::from(from)..=usize::from(to) {
            let text = member(&self.game, n);
            match read::game(&text) {
                Ok(game) => games.push((n, game)),
                Err(error) => {
                    let message = error.report().map_or(String::new(), |(_, d)| d.message.clone());
                    missing.push((n, format!("{text}: {message}")));
                    failure = Some(error);
                }
            }
        }
        if let Some(failure) = failure.filter(|_| games.is_empty()) {
            return Err(failure);
        }
        let mut members = Vec::new();
        for (n, game) in games {
            let found = OneGuess::of(&game, self.max, &watch);
            members.push((n, found.map_err(|error| Failure::table(&error))?));
        }
        Ok(Guessed::Family { name: self.game.clone(), found: FamilyGuess::of(members, missing) })
    }
}

impl Found for Guessed {
    fn status(&self) -> Status {
        let stopped = |guess: &OneGuess| guess.stop.is_some();
        let is_stopped = match self {
            Guessed::Game(found) => stopped(found),
            Guessed::Family { found, .. } => found.members.iter().any(|(_, guess)| stopped(guess)),
        };
        if is_stopped { Status::Undecided } else { Status::Answered }
    }

    fn json(&self) -> String {
        match self {
            Guessed::Game(found) => json::to_string(&GuessAnswer::from(&**found)),
            Guessed::Family { name, found } => {
                json::to_string(&FamilyGuessAnswer::new(name, found))
            }
        }
    }
}
