//! Lessons: pages of text with a position and a task. They are data files; the answers to tasks are checked by
//! the engine, not written down.

use crate::ask::{AskError, Explain, Options, Prepared};
use crate::limits::Limits;
use crate::render::stack;
use nimatron_game::{Game, Height, IllegalMove, Outcome, Position, Take};
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

/// A lesson.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Lesson {
    /// Its name in links.
    pub id: String,
    /// Its title.
    pub title: String,
    /// What it is about, in a sentence.
    pub about: String,
    /// Its pages.
    pub pages: Vec<Page>,
}

/// A page of a lesson.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Page {
    /// What it says.
    pub text: String,
    /// The game on the board, in notation.
    pub game: String,
    /// The position on the board.
    pub position: Vec<Height>,
    /// What to do.
    pub task: Task,
    /// What the text takes for granted: checked by the tests.
    #[serde(default, skip_serializing)]
    claims: Vec<Claim>,
}

/// Something to be done on a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Task {
    /// What kind of answer is asked for.
    pub kind: TaskKind,
    /// The question.
    pub question: String,
    /// What is said to a right answer.
    pub right: String,
    /// What is said to a wrong one.
    pub wrong: String,
    /// The stack whose height is asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stack: Option<String>,
}

/// What kind of answer a task asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum TaskKind {
    /// Whether this is a P-position or an N-position.
    Outcome,
    /// A move that wins.
    Move,
    /// A height of one stack that makes this a P-position.
    Height,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Claim {
    position: Vec<Height>,
    outcome: String,
}

/// An answer to a task.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LessonAnswer {
    /// P or N.
    Outcome(Outcome),
    /// A move.
    Move(Take),
    /// A height.
    Height(Height),
}

/// What became of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Judged {
    /// Whether it is right.
    pub right: bool,
    /// What is to be said about it.
    pub text: String,
    /// The position that it leads to, if it is a move or a height.
    pub to: Option<Position>,
}

/// Why an answer could not be judged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LessonError {
    /// There is no such page.
    #[error("the lesson has {0} pages")]
    NoPage(usize),
    /// An answer of another kind is asked for.
    #[error("the task asks for {0}")]
    Kind(&'static str),
    /// It is no move.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    /// It is no position.
    #[error(transparent)]
    Ask(#[from] AskError),
    /// It could not be decided, which the tests of the lessons rule out within usual limits.
    #[error("this was not decided within the limits")]
    Undecided,
}

/// The lessons, in the order in which they should be taken.
pub fn lessons() -> &'static [Lesson] {
    static LESSONS: LazyLock<Vec<Lesson>> = LazyLock::new(|| {
        let read =
            |text: &&str| serde_json::from_str(text).expect("lessons are checked by the tests");
        FILES.iter().map(read).collect()
    });
    &LESSONS
}

const FILES: [&str; 6] = [
    include_str!("../../lessons/nim.json"),
    include_str!("../../lessons/equal-stacks.json"),
    include_str!("../../lessons/opposite-stacks.json"),
    include_str!("../../lessons/circle-of-five.json"),
    include_str!("../../lessons/invariant-vectors.json"),
    include_str!("../../lessons/slow-games.json"),
];

impl Lesson {
    /// Judges the answer to the task of a page, counted from 0.
    ///
    /// ```
    /// use nimatron::play::{LessonAnswer, lessons};
    /// use nimatron::{Limits, Take};
    /// let answer = LessonAnswer::Move(Take::new(vec![4]));
    /// let judged = lessons()[0].judge(0, &answer, &Limits::default()).unwrap();
    /// assert!(judged.right);
    /// ```
    pub fn judge(
        &self,
        page: usize,
        answer: &LessonAnswer,
        limits: &Limits,
    ) -> Result<Judged, LessonError> {
        let page = self.pages.get(page).ok_or(LessonError::NoPage(self.pages.len()))?;
        let (game, position) = page.board();
        let (kind, n) = (page.task.kind, game.stacks());
        let to = match (kind, answer) {
            (TaskKind::Outcome, LessonAnswer::Outcome(_)) => position.clone(),
            (TaskKind::Move, LessonAnswer::Move(take)) => game.play(position.clone(), take)?,
            (TaskKind::Height, LessonAnswer::Height(height)) => {
                let asked = page.task.stack.as_deref().unwrap_or_default();
                let mut heights = position.to_vec();
                for (s, h) in heights.iter_mut().enumerate() {
                    if stack(s, n) == asked {
                        *h = *height;
                    }
                }
                Position::new(heights).map_err(|_| LessonError::Kind("a smaller height"))?
            }
            (TaskKind::Outcome, _) => return Err(LessonError::Kind("P or N")),
            (TaskKind::Move, _) => return Err(LessonError::Kind("a move")),
            (TaskKind::Height, _) => return Err(LessonError::Kind("a height")),
        };
        let options = Options::default().limits(limits.clone()).explain(Explain::Nothing);
        let outcome = Prepared::new(game).ask(&to, &options)?.outcome;
        let outcome = outcome.ok_or(LessonError::Undecided)?;
        let right = match answer {
            LessonAnswer::Outcome(said) => *said == outcome,
            _ => outcome == Outcome::P,
        };
        let text = if right { page.task.right.clone() } else { page.task.wrong.clone() };
        Ok(Judged { right, text, to: (kind != TaskKind::Outcome).then_some(to) })
    }
}

impl Page {
    /// The game and the position on the board.
    pub fn board(&self) -> (Game, Position) {
        let game: Game = self.game.parse().expect("lessons are checked by the tests");
        let position = Position::new(self.position.clone());
        (game, position.expect("lessons are checked by the tests"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lessons_are_true_and_their_tasks_can_be_done() {
        let limits = Limits::default();
        for lesson in lessons() {
            assert!(lesson.pages.len() >= 3, "{}", lesson.id);
            for (number, page) in lesson.pages.iter().enumerate() {
                let at = format!("{} {}", lesson.id, number + 1);
                let (game, position) = page.board();
                assert_eq!(game.stacks(), position.len(), "{at}");
                let prepared = Prepared::new(game.clone());
                let options = Options::default();
                for claim in &page.claims {
                    let place = Position::new(claim.position.clone()).unwrap();
                    let outcome = prepared.ask(&place, &options).unwrap().outcome.unwrap();
                    assert_eq!(format!("{outcome:?}"), claim.outcome, "{at}: {place}");
                }
                let judge = |answer: LessonAnswer| lesson.judge(number, &answer, &limits);
                match page.task.kind {
                    TaskKind::Outcome => {
                        let said = [Outcome::P, Outcome::N].map(LessonAnswer::Outcome);
                        let right = said.map(|answer| judge(answer).unwrap().right);
                        assert_ne!(right[0], right[1], "{at}");
                        assert!(judge(LessonAnswer::Height(1)).is_err(), "{at}");
                    }
                    TaskKind::Move => {
                        let found = prepared.ask(&position, &options).unwrap();
                        let take = found.moves.first().expect("won").take.clone();
                        assert!(judge(LessonAnswer::Move(take)).unwrap().right, "{at}");
                        let wrong = game
                            .moves(&position)
                            .find(|take| !judge(LessonAnswer::Move(take.clone())).unwrap().right);
                        assert!(wrong.is_some() || game.stacks() == 1, "{at}: every move wins");
                    }
                    TaskKind::Height => {
                        let n = game.stacks();
                        let asked = page.task.stack.as_deref().unwrap();
                        assert!((0..n).any(|s| stack(s, n) == asked), "{at}");
                        let right: Vec<u64> = (0..20)
                            .filter(|&h| judge(LessonAnswer::Height(h)).unwrap().right)
                            .collect();
                        assert_eq!(right.len(), 1, "{at}: {right:?}");
                    }
                }
            }
        }
    }
}
