//! The JSON of the command line: one object per answer.

use crate::diagnostic::Diagnostic;
use crate::reasons::{details, kind, name, sentences, word};
use crate::reduction::{Heights, game_of, step as in_words};
use crate::subgame::TheoremName;
use crate::words::Names;
use nimatron::reduce::{Chain, Preserves, Step};
use nimatron::{By, GameInfo, Outcome, Reason, Stop, Verdict};
use serde::Serialize;

/// An answer as one line of JSON.
pub fn to_string(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plain data always serialises")
}

/// The answer to `solve`.
#[derive(Clone, Debug, Serialize)]
pub struct Solve {
    game: String,
    position: Vec<u64>,
    outcome: &'static str,
    grundy: Option<u64>,
    by: Option<Source>,
    moves: Vec<Move>,
    moves_total: Option<u64>,
    truncated: bool,
    explanation: Vec<Explanation>,
    limit: Option<Limit>,
    open: Option<OpenAnswer>,
}

#[derive(Clone, Debug, Serialize)]
struct OpenAnswer {
    game: String,
    obstacles: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
struct Source {
    kind: &'static str,
    name: String,
    source: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
struct Move {
    take: Vec<u64>,
    to: Vec<u64>,
    to_outcome: &'static str,
    winning: bool,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Limit {
    pub(crate) kind: &'static str,
    pub(crate) text: String,
}

/// One step of an explanation or reduction.
#[derive(Clone, Debug, Serialize)]
struct Explanation {
    step: &'static str,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<Vec<u64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    preserves: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    members: Option<Vec<Vec<usize>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    take: Option<Vec<u64>>,
}

impl From<&Verdict> for Solve {
    fn from(v: &Verdict) -> Self {
        let moves = v.moves.iter().map(|m| Move {
            take: m.take.to_vec(),
            to: m.to.to_vec(),
            to_outcome: "P",
            winning: true,
        });
        Solve {
            game: v.game.to_string(),
            position: v.position.to_vec(),
            outcome: outcome(v.outcome),
            grundy: v.grundy,
            by: v.by.as_ref().map(source),
            moves: moves.collect(),
            moves_total: v.moves_total.and_then(|n| u64::try_from(n).ok()),
            truncated: v.is_truncated(),
            explanation: explanations(&v.reasons),
            limit: v.unknown.as_ref().map(|u| Limit { kind: stop(u.stop), text: u.to_string() }),
            open: v.open.as_ref().map(|open| OpenAnswer {
                game: open.game.to_string(),
                obstacles: open.obstacles.iter().map(|g| g.to_string()).collect(),
            }),
        }
    }
}

fn outcome(outcome: Option<Outcome>) -> &'static str {
    match outcome {
        Some(Outcome::P) => "P",
        Some(Outcome::N) => "N",
        None => "unknown",
    }
}

fn source(by: &By) -> Source {
    Source { kind: kind(by), name: name(by), source: details(by) }
}

pub(crate) fn stop(stop: Stop) -> &'static str {
    match stop {
        Stop::Time => "time",
        Stop::Memory => "memory",
        Stop::Work => "work",
        Stop::Cancelled => "cancelled",
        _ => "other",
    }
}

fn explanations(reasons: &[Reason]) -> Vec<Explanation> {
    reasons.iter().zip(sentences(reasons)).map(|(r, text)| explanation(r, text)).collect()
}

fn explanation(r: &Reason, text: String) -> Explanation {
    match r {
        Reason::Reduction(step) => reduction(step, text, Heights::Shown),
        r => Explanation {
            step: word(r),
            text,
            game: None,
            position: None,
            preserves: None,
            members: None,
            take: match r {
                Reason::Move { take, .. } | Reason::Lift { take } => Some(take.to_vec()),
                _ => None,
            },
        },
    }
}

fn reduction(step: &Step, text: String, heights: Heights) -> Explanation {
    Explanation {
        step: word(&Reason::Reduction(Box::new(step.clone()))),
        text,
        game: game_of(&step.after),
        position: (heights == Heights::Shown).then(|| step.after.heights()),
        preserves: Some(match step.preserves {
            Preserves::Game => "game",
            Preserves::Values => "values",
            _ => "outcome",
        }),
        members: Some(from_one(&step.members)),
        take: None,
    }
}

/// The answer to `reduce`.
#[derive(Clone, Debug, Serialize)]
pub struct Reduce {
    game: String,
    position: Option<Vec<u64>>,
    steps: Vec<Explanation>,
    reduced: Reduced,
}

#[derive(Clone, Debug, Serialize)]
struct Reduced {
    game: Option<String>,
    position: Option<Vec<u64>>,
    /// For each stack, the stacks of the game asked about that it stands for, from 1.
    members: Vec<Vec<usize>>,
}

impl Reduce {
    /// The chain of a position, or of the game itself.
    pub fn new(game: &nimatron::Game, chain: &Chain, heights: Heights) -> Self {
        let end = chain.end();
        let shown = heights == Heights::Shown;
        let mut names = Names::of(game.stacks());
        let mut told = |step: &Step| {
            let text = in_words(step, &names, heights);
            names = names.gathered(&step.members);
            reduction(step, text, heights)
        };
        Reduce {
            game: game.to_string(),
            position: shown.then(|| chain.start().heights()),
            steps: chain.steps().iter().map(&mut told).collect(),
            reduced: Reduced {
                game: game_of(end),
                position: shown.then(|| end.heights()),
                members: from_one(&chain.members()),
            },
        }
    }
}

/// Stacks counted from 1, as everywhere outside the program.
fn from_one(members: &[Vec<usize>]) -> Vec<Vec<usize>> {
    members.iter().map(|m| m.iter().map(|s| s + 1).collect()).collect()
}

/// The answer to `game`.
#[derive(Clone, Debug, Serialize)]
pub struct GameAnswer {
    game: String,
    stacks: usize,
    misere: bool,
    summands: Vec<SummandAnswer>,
    reduced: Option<String>,
    open: bool,
    theorems: Vec<TheoremName>,
}

#[derive(Clone, Debug, Serialize)]
struct SummandAnswer {
    stacks: usize,
    set_nim: bool,
    set_count: u64,
    /// Stack numbers from 1; `null` when there are too many sets to list.
    sets: Option<Vec<Vec<usize>>>,
    symmetries: String,
    orbits: Vec<Vec<usize>>,
    components: Vec<Vec<usize>>,
    merges: Vec<Vec<usize>>,
    cone: Vec<usize>,
    isomorphic_to: Option<Isomorphic>,
}

#[derive(Clone, Debug, Serialize)]
struct Isomorphic {
    game: String,
    /// For each stack, from 1, its place in the named game.
    images: Vec<usize>,
}

/// More sets than this are not listed.
const SETS_LISTED: u64 = 10_000;

impl From<&GameInfo> for GameAnswer {
    fn from(info: &GameInfo) -> Self {
        let summands = info.summands.iter().map(|s| SummandAnswer {
            stacks: s.rule.stacks(),
            set_nim: s.rule.is_set_nim(),
            set_count: s.rule.sets().len(),
            sets: (s.rule.sets().len() <= SETS_LISTED)
                .then(|| s.rule.sets().iter().map(numbers).collect()),
            symmetries: s.symmetries.to_string(),
            orbits: s.orbits.iter().copied().map(numbers).collect(),
            components: s.components.iter().copied().map(numbers).collect(),
            merges: s.merges.iter().copied().map(numbers).collect(),
            cone: numbers(s.cone),
            isomorphic_to: s.named.as_ref().and_then(|(family, relabelling)| {
                Some(Isomorphic {
                    game: nimatron::Game::new(family.clone()).ok()?.to_string(),
                    images: relabelling.images().map(|i| i + 1).collect(),
                })
            }),
        });
        GameAnswer {
            game: info.game.to_string(),
            stacks: info.game.stacks(),
            misere: info.game.convention() == nimatron::Play::Misere,
            summands: summands.collect(),
            reduced: game_of(info.reduced.end()),
            open: info.solved.is_none(),
            theorems: info.solved.iter().flat_map(|s| s.by()).map(|by| (&by).into()).collect(),
        }
    }
}

fn numbers(set: nimatron::game::StackSet) -> Vec<usize> {
    set.iter().map(|s| s + 1).collect()
}

/// An answer that could not be given.
#[derive(Clone, Debug, Serialize)]
struct ErrorAnswer<'a> {
    error: ErrorBody<'a>,
}

#[derive(Clone, Debug, Serialize)]
struct ErrorBody<'a> {
    kind: &'a str,
    message: &'a str,
    /// First character and the one after the last, of the text typed.
    span: Option<[usize; 2]>,
    hint: Option<&'a str>,
}

/// An error of this kind, a stable word, as one line of JSON.
pub fn error(kind: &str, diagnostic: &Diagnostic) -> String {
    let span = diagnostic.place.as_ref().map(|p| [p.span.start, p.span.end]);
    let (message, hint) = (&diagnostic.message, diagnostic.hint.as_deref());
    to_string(&ErrorAnswer { error: ErrorBody { kind, message, span, hint } })
}
