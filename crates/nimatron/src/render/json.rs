//! The JSON of the command line: one object per answer.

#[cfg(feature = "prove")]
use crate::Investigation;
#[cfg(feature = "serde")]
use crate::render::diagnostic::Diagnostic;
use crate::render::game::{sets_are, stacks_are};
#[cfg(feature = "prove")]
use crate::render::proof::{ProofAnswer, Written};
use crate::render::reasons::{details, kind, name};
use crate::render::reduction::{Heights, game_of};
use crate::render::steps::{Explanation, explanations, from_one, reductions};
use crate::render::subgame::TheoremName;
use crate::render::words::Names;
use crate::structure::GameInfo;
use crate::{After, By, Outcome, Stop, Verdict, said_to_be_open};
use nimatron_reduce::Chain;
#[cfg(feature = "serde")]
use serde::Serialize;

/// An answer as one line of JSON.
#[cfg(feature = "serde")]
pub fn to_string(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plain data always serialises")
}

/// The answer to `solve`.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
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
    /// What is conjectured where nothing is decided.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    conjecture: Option<ConjectureAnswer>,
    /// Moves from a P-position, each with the reply that refutes it.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    tries: Vec<TryAnswer>,
    /// The search for a proof, if there was one.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    #[cfg(feature = "prove")]
    discovery: Option<ProofAnswer>,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
struct TryAnswer {
    take: Vec<u64>,
    to: Vec<u64>,
    reply: Reply,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
struct Reply {
    take: Vec<u64>,
    to: Vec<u64>,
}

impl From<&crate::WinningMove> for Reply {
    fn from(winning: &crate::WinningMove) -> Self {
        Reply { take: winning.take.to_vec(), to: winning.to.to_vec() }
    }
}

/// The answer to `solve --after`.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct AfterAnswer {
    game: String,
    position: Vec<u64>,
    take: Vec<u64>,
    legal: bool,
    to: Vec<u64>,
    /// Whether the move wins; `null` if that is not known.
    wins: Option<bool>,
    /// The move that refutes it.
    reply: Option<Reply>,
    /// The whole answer about the position it leaves.
    then: Solve,
}

impl From<&After> for AfterAnswer {
    fn from(after: &After) -> Self {
        let v = &after.verdict;
        AfterAnswer {
            game: v.game.to_string(),
            position: after.from.to_vec(),
            take: after.take.to_vec(),
            legal: true,
            to: v.position.to_vec(),
            wins: v.outcome.map(|outcome| outcome == Outcome::P),
            reply: v.moves.first().map(Reply::from),
            then: Solve::from(v),
        }
    }
}

#[cfg(feature = "prove")]
impl Solve {
    /// An answer with all that was done to find it.
    pub fn investigated(i: &Investigation, written: &Written) -> Self {
        let tried = |t: &crate::Try| TryAnswer {
            take: t.take.to_vec(),
            to: t.to.to_vec(),
            reply: Reply::from(&t.reply),
        };
        Solve {
            tries: i.tries.iter().map(tried).collect(),
            discovery: i.discovery.as_ref().map(|d| ProofAnswer::of_discovery(d, written)),
            ..Solve::from(&i.verdict)
        }
    }
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
struct ConjectureAnswer {
    statement: &'static str,
    outcome: &'static str,
    /// `null` if the position would be a P-position.
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    winning: Option<Reply>,
    explanation: Vec<Explanation>,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
struct OpenAnswer {
    game: String,
    /// Who says that it is open; `null` if it is only not in the library.
    said_by: Option<&'static str>,
    obstacles: Vec<String>,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
struct Source {
    kind: &'static str,
    name: String,
    source: Option<String>,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
struct Move {
    take: Vec<u64>,
    to: Vec<u64>,
    to_outcome: &'static str,
    winning: bool,
}

/// What stopped the work, the same in all answers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Limit {
    /// A stable word.
    pub kind: &'static str,
    /// A sentence.
    pub text: String,
}

/// A position that shows a formula to be wrong, with the move that shows it.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub(crate) struct CounterexampleAnswer<M> {
    pub(crate) position: Vec<u64>,
    pub(crate) kind: &'static str,
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    pub(crate) shown: Option<M>,
}

impl From<Stop> for Limit {
    fn from(reason: Stop) -> Self {
        Limit { kind: stop(reason), text: reason.to_string() }
    }
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
                said_by: open.said_by,
                obstacles: open.obstacles.iter().map(|g| g.to_string()).collect(),
            }),
            conjecture: v.conjecture.as_ref().map(|conjecture| ConjectureAnswer {
                statement: conjecture.statement,
                outcome: outcome(Some(conjecture.outcome)),
                winning: conjecture.winning.as_ref().map(Reply::from),
                explanation: explanations(&conjecture.reasons),
            }),
            tries: Vec::new(),
            #[cfg(feature = "prove")]
            discovery: None,
        }
    }
}

pub(crate) fn outcome(outcome: Option<Outcome>) -> &'static str {
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

/// The answer to `reduce`.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Reduce {
    game: String,
    position: Option<Vec<u64>>,
    steps: Vec<Explanation>,
    reduced: Reduced,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
struct Reduced {
    game: Option<String>,
    position: Option<Vec<u64>>,
    /// For each stack, the stacks of the game asked about that it stands for, from 1.
    members: Vec<Vec<usize>>,
}

impl Reduce {
    /// The chain of a position, or of the game itself.
    pub fn new(game: &crate::Game, chain: &Chain, heights: Heights) -> Self {
        let end = chain.end();
        let shown = heights == Heights::Shown;
        Reduce {
            game: game.to_string(),
            position: shown.then(|| chain.start().heights()),
            steps: reductions(chain, heights),
            reduced: Reduced {
                game: game_of(end),
                position: shown.then(|| end.heights()),
                members: from_one(&chain.members()),
            },
        }
    }
}

/// The answer to `game`.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct GameAnswer {
    game: String,
    stacks: usize,
    misere: bool,
    summands: Vec<SummandAnswer>,
    reduced: Option<String>,
    /// Whether a theorem or a proof is known.
    known: bool,
    /// Whether nothing is known and somebody says that it is open.
    open: bool,
    open_by: Option<&'static str>,
    theorems: Vec<TheoremName>,
    /// Who has announced results that are not published.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    announced_by: Option<&'static str>,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
struct SummandAnswer {
    stacks: usize,
    /// What the stacks and the sets are, where the family has words for it.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    stacks_are: Option<String>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    sets_are: Option<String>,
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

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
struct Isomorphic {
    game: String,
    /// For each stack, from 1, its place in the named game.
    images: Vec<usize>,
}

/// More sets than this are not listed.
const SETS_LISTED: u64 = 10_000;

impl From<&GameInfo> for GameAnswer {
    fn from(info: &GameInfo) -> Self {
        let own = info.game.summands().iter();
        let summands = info.summands.iter().zip(own).map(|(s, own)| SummandAnswer {
            stacks: s.rule.stacks(),
            stacks_are: stacks_are(own.family(), &Names::of(s.rule.stacks())),
            sets_are: sets_are(own.family(), &Names::of(s.rule.stacks())),
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
                    game: crate::Game::new(family.clone()).ok()?.to_string(),
                    images: relabelling.images().map(|i| i + 1).collect(),
                })
            }),
        });
        let open_by = match info.solved {
            Some(_) => None,
            None => said_to_be_open(&info.game),
        };
        GameAnswer {
            game: info.game.to_string(),
            stacks: info.game.stacks(),
            misere: info.game.convention() == crate::Play::Misere,
            summands: summands.collect(),
            reduced: game_of(info.reduced.end()),
            known: info.solved.is_some(),
            open: open_by.is_some(),
            open_by,
            theorems: info.solved.iter().flat_map(|s| s.by()).map(|by| (&by).into()).collect(),
            announced_by: info.announced,
        }
    }
}

fn numbers(set: nimatron_game::StackSet) -> Vec<usize> {
    set.iter().map(|s| s + 1).collect()
}

/// An answer that could not be given.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
struct ErrorAnswer<'a> {
    error: ErrorBody<'a>,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
struct ErrorBody<'a> {
    kind: &'a str,
    message: &'a str,
    /// First character and the one after the last, of the text typed.
    span: Option<[usize; 2]>,
    hint: Option<&'a str>,
}

/// An error of this kind, a stable word, as one line of JSON.
#[cfg(feature = "serde")]
pub fn error(kind: &str, diagnostic: &Diagnostic) -> String {
    let span = diagnostic.place.as_ref().map(|p| [p.span.start, p.span.end]);
    let (message, hint) = (&diagnostic.message, diagnostic.hint.as_deref());
    to_string(&ErrorAnswer { error: ErrorBody { kind, message, span, hint } })
}
