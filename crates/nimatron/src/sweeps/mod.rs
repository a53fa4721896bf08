//! Conjectures and open questions of the papers, gone through for all games on so many stacks.
//!
//! A sweep says of each game what was found, and how sure that is: a counterexample and a proof are final, a
//! table is evidence.

mod kdh26;
mod slow26;

use crate::tables::TabulationError;
use nimatron_game::{Stop, Watch};
use nimatron_table::TableError;
use nimatron_table::line::LineError;

/// What can be swept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Question {
    /// KDH26 Conjecture 1: which circular games have invariant vectors.
    InvariantVectors,
    /// KDH26 Conjecture 2: games left by the invariance reduction process have invariant vectors, too.
    Matryoshka,
    /// Slow26 Conjecture 1, as printed.
    AtLeast,
    /// The same with its middle row corrected.
    AtLeastCorrected,
    /// Slow26 Open Problem 5: are the P-positions of Slow(n,{k,n}) among those of Slow(n,{k})?
    Subset,
    /// Slow26 Proposition 7, with the move on all stacks added to Slow(n,{n-1}).
    OneMoreMove,
    /// The M-rule for Slow(n,{n-1}) under misere play, which Slow26 mentions.
    MisereMRule,
}

impl Question {
    /// All of them.
    pub const ALL: [Question; 7] = [
        Question::InvariantVectors,
        Question::Matryoshka,
        Question::AtLeast,
        Question::AtLeastCorrected,
        Question::Subset,
        Question::OneMoreMove,
        Question::MisereMRule,
    ];

    /// The word for it on the command line and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Question::InvariantVectors => "invariant-vectors",
            Question::Matryoshka => "matryoshka",
            Question::AtLeast => "at-least",
            Question::AtLeastCorrected => "at-least-corrected",
            Question::Subset => "subset",
            Question::OneMoreMove => "one-more-move",
            Question::MisereMRule => "misere-m-rule",
        }
    }

    /// Where it stands.
    pub fn source(self) -> &'static str {
        match self {
            Question::InvariantVectors => "KDH26 Conjecture 1",
            Question::Matryoshka => "KDH26 Conjecture 2",
            Question::AtLeast => "Slow26 Conjecture 1, as printed",
            Question::AtLeastCorrected => "Slow26 Conjecture 1, corrected",
            Question::Subset => "Slow26 Open Problem 5",
            Question::OneMoreMove => "Slow26 Proposition 7 and Theorem 8",
            Question::MisereMRule => "Slow26 section 1, arXiv:2311.13511",
        }
    }

    /// What it says.
    pub fn statement(self) -> &'static str {
        match self {
            Question::InvariantVectors => {
                "CN(n,k) has invariant vectors exactly if k = floor(n/3)+1 or k = n-1, and then the vector of \
                 all ones is one of them."
            }
            Question::Matryoshka => {
                "If a SetNim game has invariant vectors, so has every game that the invariance reduction process \
                 leaves of it, a single stack excepted."
            }
            Question::AtLeast => {
                "In Slow(n,{k,..,n}) the position grid tells the P-positions; in row s = k-1 the number of odd \
                 stacks has the parity of n."
            }
            Question::AtLeastCorrected => {
                "In Slow(n,{k,..,n}) the position grid tells the P-positions; in row s = k-1 there are at most \
                 k-1 odd stacks."
            }
            Question::Subset => "Every P-position of Slow(n,{k,n}) is one of Slow(n,{k}).",
            Question::OneMoreMove => {
                "When Slow(n,{n-1}) gets the move on all stacks, the P-positions with all stacks odd in row \
                 s = n-2 become N-positions, and nothing else changes."
            }
            Question::MisereMRule => {
                "In misere Slow(n,{n-1}) the M-rule wins: leave out a smallest even stack or, if all are odd, a \
                 largest one."
            }
        }
    }

    /// For how many stacks it can be asked.
    pub fn stacks(self) -> std::ops::RangeInclusive<usize> {
        match self {
            Question::InvariantVectors | Question::Matryoshka => 2..=16,
            Question::AtLeast | Question::AtLeastCorrected => 2..=12,
            Question::Subset | Question::OneMoreMove | Question::MisereMRule => 3..=9,
        }
    }
}

/// What was found about one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Finding {
    /// It is as the question says, for all heights.
    Proved,
    /// Nothing speaks against it, as far as was looked.
    Evidence,
    /// It is not as the question says.
    Counterexample,
    /// Neither.
    Unknown,
}

impl Finding {
    /// As a word.
    pub fn as_str(self) -> &'static str {
        match self {
            Finding::Proved => "proved",
            Finding::Evidence => "evidence",
            Finding::Counterexample => "counterexample",
            Finding::Unknown => "unknown",
        }
    }
}

/// One line of a sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Swept {
    /// The game.
    pub game: String,
    /// What was found.
    pub finding: Finding,
    /// The same in words, with what was looked at.
    pub text: String,
}

impl Swept {
    fn new(game: impl ToString, finding: Finding, text: impl Into<String>) -> Self {
        Swept { game: game.to_string(), finding, text: text.into() }
    }
}

/// All games on so many stacks.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Sweep {
    /// What was asked.
    pub question: Question,
    /// The number of stacks.
    pub stacks: usize,
    /// The games, one after the other.
    pub games: Vec<Swept>,
    /// What stopped the work before all were looked at.
    pub stop: Option<Stop>,
}

impl Sweep {
    /// Goes through the games on so many stacks.
    ///
    /// ```
    /// use nimatron::crates::game::Unlimited;
    /// use nimatron::sweeps::{Finding, Question, Sweep};
    /// let sweep = Sweep::of(Question::Subset, 4, &Unlimited);
    /// assert_eq!(sweep.games[0].game, "Slow(4,{2,4})");
    /// assert_eq!(sweep.games[0].finding, Finding::Counterexample);
    /// assert!(sweep.games[0].text.contains("(1,2,2,4)"));
    /// ```
    pub fn of(question: Question, stacks: usize, watch: &dyn Watch) -> Self {
        let mut sweep = Sweep { question, stacks, games: Vec::new(), stop: None };
        let swept = match question {
            Question::InvariantVectors => kdh26::vectors(&mut sweep, watch),
            Question::Matryoshka => kdh26::matryoshka(&mut sweep, watch),
            Question::AtLeast | Question::AtLeastCorrected => slow26::at_least(&mut sweep, watch),
            Question::Subset => slow26::subset(&mut sweep, watch),
            Question::OneMoreMove => slow26::one_more_move(&mut sweep, watch),
            Question::MisereMRule => slow26::misere_m_rule(&mut sweep, watch),
        };
        sweep.stop = swept.err();
        sweep
    }

    /// How many games there are of a kind.
    pub fn count(&self, finding: Finding) -> usize {
        self.games.iter().filter(|swept| swept.finding == finding).count()
    }

    /// Whether nothing speaks against it; `None` if the work was stopped before anything did.
    pub fn holds(&self) -> Option<bool> {
        match (self.count(Finding::Counterexample), self.stop) {
            (0, None) => Some(true),
            (0, Some(_)) => None,
            _ => Some(false),
        }
    }
}

/// What a table that ended early was stopped by: too little memory is a limit like others.
fn stop(error: TabulationError) -> Stop {
    match error {
        TabulationError::Stopped(stop) => stop,
        TabulationError::Line(LineError::Memory(_)) => Stop::Memory,
        TabulationError::Table(TableError::TooLarge { .. }) => Stop::Memory,
        _ => Stop::Work,
    }
}
