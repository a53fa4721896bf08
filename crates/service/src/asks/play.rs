//! Playing: the machine's move, hints, reviews, puzzles and lessons. Nothing is remembered: who asks sends the
//! whole match.

use super::{Found, request};
use crate::failure::Failure;
use crate::heights::Heights;
use crate::host::Host;
use crate::read;
use crate::status::Status;
use crate::units::{Size, Time};
use crate::word::word;
use nimatron::play::{
    self, Choice, Judged, Lesson, LessonAnswer, LessonError, Match, Opponent as Manner, Player,
    PuzzleError, PuzzleWish, lessons,
};
use nimatron::render::{HintAnswer, PlayAnswer, PuzzleAnswer, ReviewAnswer, Seat, json};
use nimatron::{Outcome, Prepared, Stop, Take};
use serde::{Deserialize, Serialize};

word! {
    /// How the machine plays.
    #[derive(Default)]
    pub enum Opponent {
        /// Wins whatever can be won.
        #[default]
        Perfect = "perfect",
        /// Makes mistakes: `rate` times out of a hundred.
        Erring = "erring",
        /// Makes any move.
        Random = "random",
    }
}

word! {
    /// Who begins.
    #[derive(Default)]
    pub enum Who {
        /// You.
        #[default]
        You = "you",
        /// The machine.
        Machine = "machine",
    }
}

impl From<Who> for Seat {
    fn from(who: Who) -> Self {
        match who {
            Who::You => Seat::First,
            Who::Machine => Seat::Second,
        }
    }
}

request! {
    /// The machine's move in a match, if it is its turn.
    pub struct Play {
        /// The game.
        pub game: String,
        /// Where the match began.
        pub position: Heights,
        /// The moves that were made, of both players.
        #[serde(default)]
        pub moves: Vec<Heights>,
        /// Who began.
        #[serde(default)]
        pub first: Who,
        /// How the machine plays.
        #[serde(default)]
        pub opponent: Opponent,
        /// With `erring`: how often out of a hundred; 25 if not given.
        pub rate: Option<u8>,
        /// The dice: the same match with the same seed goes the same way.
        #[serde(default)]
        pub seed: u64,
        /// Stop thinking after this time; 10 seconds if not given.
        pub time: Option<Time>,
        /// Stop when this much memory is used; 2 GB if not given.
        pub memory: Option<Size>,
    }
}

/// A match after the machine's move.
#[derive(Debug)]
pub struct Played {
    /// The match.
    pub played: Match,
    /// Who began.
    pub seat: Seat,
    /// The machine's move.
    pub reply: Option<Choice>,
}

impl Play {
    /// The match, with the machine's move.
    pub fn find(&self, host: &Host) -> Result<Played, Failure> {
        let (prepared, mut played) = a_match(&self.game, &self.position, &self.moves, host)?;
        let opponent = match (self.opponent, self.rate) {
            (Opponent::Erring, rate) => match rate.unwrap_or(25) {
                rate @ 0..=100 => Manner::Erring(rate),
                _ => return Err(Failure::bad("rate", "the rate is from 0 to 100".to_string())),
            },
            (_, Some(_)) => return Err(Failure::useless("rate", "only an erring opponent errs")),
            (Opponent::Perfect, None) => Manner::Perfect,
            (Opponent::Random, None) => Manner::Random,
        };
        let seat = Seat::from(self.first);
        let machine = usize::from(self.first == Who::You);
        let mut reply = None;
        if played.turn() == machine && !played.is_over() {
            let limits = host.usual(self.time, self.memory);
            let player = Player::new(opponent, self.seed);
            let choice = player.choose(&prepared, &played, &limits);
            reply = choice.map_err(|error| Failure::bad("wrong-count", error.to_string()))?;
            if let Some(choice) = &reply {
                let made = played.play(choice.take.clone());
                made.map_err(|error| Failure::bad("illegal-move", error.to_string()))?;
            }
        }
        host.problems(prepared.knowledge());
        Ok(Played { played, seat, reply })
    }
}

/// A match that has gone on for some moves.
fn a_match(
    game: &str,
    position: &Heights,
    moves: &[Heights],
    host: &Host,
) -> Result<(Prepared, Match), Failure> {
    let game = read::game(game)?;
    let start = read::position(position, &game)?;
    let takes = moves.iter().map(|text| read::take(text, &game)).collect::<Result<Vec<_>, _>>()?;
    let prepared = Prepared::knowing(game, host.knowledge());
    let played = Match::after(&prepared, start, takes);
    let played = played.map_err(|error| Failure::bad("illegal-move", error.to_string()))?;
    Ok((prepared, played))
}

impl Found for Played {
    fn status(&self) -> Status {
        Status::Answered
    }

    fn json(&self) -> String {
        json::to_string(&PlayAnswer::new(&self.played, self.seat, self.reply.as_ref()))
    }
}

request! {
    /// A hint about a position.
    pub struct Hint {
        /// The game.
        pub game: String,
        /// The position.
        pub position: Heights,
        /// How much is told: 1 who wins, 2 on which stacks, 3 to which heights, 4 the move and why.
        pub step: Option<u8>,
        /// Stop after this time; 10 seconds if not given.
        pub time: Option<Time>,
        /// Stop when this much memory is used; 2 GB if not given.
        pub memory: Option<Size>,
    }
}

/// A hint about a position.
#[derive(Debug)]
pub struct Hinted {
    game: nimatron::Game,
    position: nimatron::Position,
    /// The hint.
    pub hint: play::Hint,
}

impl Hint {
    /// The hint.
    pub fn find(&self, host: &Host) -> Result<Hinted, Failure> {
        let game = read::game(&self.game)?;
        let position = read::position(&self.position, &game)?;
        let step = self.step.unwrap_or(1);
        if !(1..=play::MAX_HINT).contains(&step) {
            let message = format!("hints have the steps 1 to {}", play::MAX_HINT);
            return Err(Failure::bad("step", message));
        }
        let prepared = Prepared::knowing(game, host.knowledge());
        let hint = prepared.hint(&position, step, &host.usual(self.time, self.memory));
        let hint = hint.map_err(|error| Failure::bad("wrong-count", error.to_string()))?;
        host.problems(prepared.knowledge());
        Ok(Hinted { game: prepared.game().clone(), position, hint })
    }
}

impl Found for Hinted {
    fn status(&self) -> Status {
        match self.hint.outcome {
            Some(_) => Status::Answered,
            None => Status::Undecided,
        }
    }

    fn json(&self) -> String {
        json::to_string(&HintAnswer::new(&self.game, &self.position, &self.hint))
    }
}

request! {
    /// A match judged move by move.
    pub struct Review {
        /// The game.
        pub game: String,
        /// Where the match began.
        pub position: Heights,
        /// The moves that were made, of both players.
        pub moves: Vec<Heights>,
        /// Who began.
        #[serde(default)]
        pub first: Who,
        /// The time for each position; 10 seconds if not given.
        pub time: Option<Time>,
        /// Stop when this much memory is used; 2 GB if not given.
        pub memory: Option<Size>,
    }
}

/// A match, judged.
#[derive(Debug)]
pub struct Reviewed {
    /// The match.
    pub played: Match,
    /// Who began.
    pub seat: Seat,
    /// What is to be said about it.
    pub review: play::Review,
}

impl Review {
    /// The review.
    pub fn find(&self, host: &Host) -> Result<Reviewed, Failure> {
        let (prepared, played) = a_match(&self.game, &self.position, &self.moves, host)?;
        let review = prepared.review(&played, &host.usual(self.time, self.memory));
        let review = review.map_err(|error| Failure::bad("wrong-count", error.to_string()))?;
        host.problems(prepared.knowledge());
        Ok(Reviewed { played, seat: Seat::from(self.first), review })
    }
}

impl Found for Reviewed {
    fn status(&self) -> Status {
        Status::Answered
    }

    fn json(&self) -> String {
        json::to_string(&ReviewAnswer::new(&self.played, self.seat, &self.review))
    }
}

request! {
    /// A position with exactly one winning move, up to symmetry.
    pub struct Puzzle {
        /// The game; one that suits if not given.
        pub game: Option<String>,
        /// How hard, from 1 to 5; any if not given.
        pub rating: Option<u8>,
        /// Each seed gives another puzzle.
        #[serde(default)]
        pub seed: u64,
        /// Stop looking after this time; 10 seconds if not given.
        pub time: Option<Time>,
        /// Stop when this much memory is used; 2 GB if not given.
        pub memory: Option<Size>,
    }
}

/// A puzzle.
#[derive(Debug)]
pub struct Puzzled {
    /// The puzzle.
    pub puzzle: play::Puzzle,
    seed: u64,
}

impl Puzzle {
    /// The puzzle.
    pub fn find(&self, host: &Host) -> Result<Puzzled, Failure> {
        let game = self.game.as_deref().map(read::game).transpose()?;
        let wish = PuzzleWish::new(self.seed).game(game).rating(self.rating);
        match play::puzzle(&wish, &host.usual(self.time, self.memory)) {
            Ok(puzzle) => Ok(Puzzled { puzzle, seed: self.seed }),
            Err(PuzzleError::Stopped(stop)) => Err(Failure::stopped(stop)),
            Err(error @ PuzzleError::None(_)) => Err(Failure::open("no-puzzle", error.to_string())),
            Err(error) => Err(Failure::bad("rating", error.to_string())),
        }
    }
}

impl Found for Puzzled {
    fn status(&self) -> Status {
        Status::Answered
    }

    fn json(&self) -> String {
        json::to_string(&PuzzleAnswer::new(&self.puzzle, self.seed))
    }
}

request! {
    /// The lessons, one lesson, or whether the answer to a task is right.
    pub struct Lessons {
        /// The lesson with this name.
        pub lesson: Option<String>,
        /// The page whose task is answered, from 1.
        pub page: Option<usize>,
        /// The answer: `"P"` or `"N"`, a move as a list, or a height.
        pub answer: Option<Said>,
    }
}

/// An answer to a task.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Said {
    /// A height.
    Height(u64),
    /// A move.
    Move(Vec<u64>),
    /// An outcome, or a move as text.
    Text(String),
}

/// Lessons, a lesson, or what became of an answer.
#[derive(Debug)]
pub enum Taught {
    /// All.
    All(&'static [Lesson]),
    /// One.
    One(&'static Lesson),
    /// An answer, judged.
    Judged(Judged),
}

impl Lessons {
    /// What is asked for.
    pub fn find(&self, host: &Host) -> Result<Taught, Failure> {
        let Some(id) = &self.lesson else {
            return match self.page.is_some() || self.answer.is_some() {
                true => Err(Failure::useless("page or answer", "they need a lesson")),
                false => Ok(Taught::All(lessons())),
            };
        };
        let Some(lesson) = lessons().iter().find(|lesson| lesson.id == *id) else {
            let known: Vec<&str> = lessons().iter().map(|lesson| lesson.id.as_str()).collect();
            let message = format!("there is no lesson {id:?}: known are {}", known.join(", "));
            return Err(Failure::bad("unknown-name", message));
        };
        let (page, answer) = match (self.page, &self.answer) {
            (None, None) => return Ok(Taught::One(lesson)),
            (Some(page), Some(answer)) => (page, answer),
            _ => {
                let message = "page and answer go together".to_string();
                return Err(Failure::bad("answer", message));
            }
        };
        let place = page.checked_sub(1).filter(|&p| p < lesson.pages.len());
        let Some(place) = place else {
            let error = LessonError::NoPage(lesson.pages.len());
            return Err(Failure::bad("page", error.to_string()));
        };
        let said = match answer {
            Said::Height(height) => LessonAnswer::Height(*height),
            Said::Move(take) => LessonAnswer::Move(Take::new(take.clone())),
            Said::Text(text) => match text.trim() {
                "P" | "p" => LessonAnswer::Outcome(Outcome::P),
                "N" | "n" => LessonAnswer::Outcome(Outcome::N),
                other => {
                    let game = lesson.pages.get(place).map(|page| page.board().0);
                    let game = game.ok_or_else(|| Failure::stopped(Stop::Work))?;
                    LessonAnswer::Move(read::take(&Heights(other.to_string()), &game)?)
                }
            },
        };
        let judged = lesson.judge(place, &said, &host.usual(None, None));
        judged.map(Taught::Judged).map_err(|error| match error {
            LessonError::Illegal(error) => Failure::bad("illegal-move", error.to_string()),
            error => Failure::bad("answer", error.to_string()),
        })
    }
}

#[derive(Serialize)]
struct Listed<'a> {
    lessons: Vec<Title<'a>>,
}

#[derive(Serialize)]
struct Title<'a> {
    id: &'a str,
    title: &'a str,
    about: &'a str,
    pages: usize,
}

#[derive(Serialize)]
struct Verdict<'a> {
    right: bool,
    text: &'a str,
    to: Option<Vec<u64>>,
}

impl Found for Taught {
    fn status(&self) -> Status {
        match self {
            Taught::Judged(Judged { right: false, .. }) => Status::Negative,
            _ => Status::Answered,
        }
    }

    fn json(&self) -> String {
        match self {
            Taught::All(all) => {
                let title = |lesson: &'static Lesson| Title {
                    id: &lesson.id,
                    title: &lesson.title,
                    about: &lesson.about,
                    pages: lesson.pages.len(),
                };
                json::to_string(&Listed { lessons: all.iter().map(title).collect() })
            }
            Taught::One(lesson) => json::to_string(lesson),
            Taught::Judged(judged) => json::to_string(&Verdict {
                right: judged.right,
                text: &judged.text,
                to: judged.to.as_ref().map(|to| to.to_vec()),
            }),
        }
    }
}
