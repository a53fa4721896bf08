//! Playing: the board, hints, reviews and puzzles, as text and as JSON.

use crate::play::{Choice, Hint, Judgement, MAX_HINT, MAX_RATING, Manner, Match, Puzzle, Review};
use crate::render::json::outcome;
use crate::render::palette::{Palette, paint};
use crate::render::steps::{Explanation, explanations};
use crate::render::words::{Names, count, list, list_or, stack};
use crate::{Game, Outcome, Play, Position, StackSet, Take, WinningMove};
#[cfg(feature = "serde")]
use serde::Serialize;

/// The two players, as whoever plays speaks of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seat {
    /// You begin.
    First,
    /// The machine begins.
    Second,
}

impl Seat {
    /// Who a player of a match is, by number.
    fn who(self, player: usize) -> &'static str {
        if (self == Seat::First) == (player == 0) { "you" } else { "machine" }
    }
}

/// Stacks are drawn up to this height.
const DRAWN: u64 = 12;

/// The board: columns of tokens, with their names and heights. Stacks that are too tall are cut, and where
/// there are too many for a line they are listed.
pub fn board(position: &Position, palette: &Palette) -> String {
    let n = position.len();
    let names = (0..n).map(|s| stack(s, n));
    let numbers: Vec<String> = position.iter().map(u64::to_string).collect();
    let width = numbers.iter().map(String::len).chain(names.clone().map(|s| s.len())).max();
    let width = width.unwrap_or(1) + 2;
    if width * n > palette.width {
        let all: Vec<String> = names.zip(&numbers).map(|(name, h)| format!("{name} {h}")).collect();
        return palette.wrap(&format!("  {}", all.join(", ")), "  ") + "\n";
    }
    let mut out = String::new();
    let mut row = |cells: &mut dyn Iterator<Item = String>| {
        let line: String = cells.map(|cell| format!("{cell:>width$}")).collect();
        out += line.trim_end();
        out.push('\n');
    };
    let tallest = position.iter().copied().max().unwrap_or(0);
    for level in (1..=tallest.min(DRAWN)).rev() {
        row(&mut position.iter().map(|&h| {
            let cell = match () {
                () if h > DRAWN && level == DRAWN => "^",
                () if h >= level => "o",
                () => "",
            };
            cell.to_string()
        }));
    }
    row(&mut names.into_iter());
    row(&mut numbers.into_iter());
    out
}

/// What a move may do, in a few lines.
pub fn rules(game: &Game, palette: &Palette) -> String {
    let n = game.stacks();
    let names = Names::of(n);
    let mut told: Vec<String> = Vec::new();
    for summand in game.summands() {
        let (rule, first) = (summand.rule(), summand.stacks().start);
        let sets = rule.sets();
        let of = match game.single() {
            Some(_) => String::new(),
            None => format!(" among {}", names.set(summand.stacks().collect())),
        };
        let which = match sets.sizes().map(|sizes| sizes.iter().collect::<Vec<_>>()) {
            Some(sizes) if rule.is_set_nim() && sizes == [1] => format!("one stack{of}"),
            Some(sizes) if rule.is_set_nim() => {
                let most = sizes.into_iter().max().unwrap_or(0);
                format!("at most {most} stacks{of}")
            }
            Some(sizes) => {
                let sizes: Vec<String> = sizes.iter().map(|s| s.to_string()).collect();
                format!("{} stacks{of}", list_or(&sizes))
            }
            None if sets.len() <= 40 => {
                let sets = sets.iter().map(|set| names.set(set.shifted(first)));
                format!("stacks of one set: {}", list_or(&sets.collect::<Vec<_>>()))
            }
            None => format!("stacks of one of {}", count(sets.len().into(), "set")),
        };
        told.push(match rule.is_set_nim() {
            true => format!("A move takes any tokens from {which}."),
            false => format!("A move plays on {which}, as the rule of {game} says."),
        });
    }
    told.push(match game.convention() {
        Play::Normal => "Who makes the last move wins.".to_string(),
        Play::Misere => "Who makes the last move loses.".to_string(),
    });
    palette.wrap(&told.join(" "), "") + "\n"
}

/// A move in short: `a2 b1`.
pub fn short_take(take: &Take) -> String {
    let n = take.len();
    let taken = take.iter().enumerate().filter(|(_, amount)| **amount > 0);
    let words: Vec<String> = taken.map(|(s, amount)| format!("{}{amount}", stack(s, n))).collect();
    words.join(" ")
}

/// Why the machine made a move, in a sentence that gives nothing away.
pub fn manner(manner: Manner) -> String {
    match manner {
        Manner::Wins => "It wins.".to_string(),
        Manner::Resists(left) => {
            format!("Nothing wins; this lasts longest, {} more.", count(left.into(), "move"))
        }
        Manner::FewReplies(1) => "Nothing wins; there is only one good reply to this.".to_string(),
        Manner::FewReplies(n) => format!("Nothing wins; there are {n} good replies to this."),
        Manner::Lost => "Nothing wins.".to_string(),
        Manner::Unknown => "Whether it wins is not known.".to_string(),
        Manner::Errs => "A mistake.".to_string(),
        Manner::Thrown => "By dice.".to_string(),
    }
}

fn manner_key(manner: Manner) -> &'static str {
    match manner {
        Manner::Wins => "wins",
        Manner::Resists(_) => "resists",
        Manner::FewReplies(_) => "few-replies",
        Manner::Lost => "lost",
        Manner::Unknown => "unknown",
        Manner::Errs => "errs",
        Manner::Thrown => "random",
    }
}

/// A hint in words, without the reasons.
pub fn hint(hint: &Hint, n: usize) -> String {
    let wins = match hint.outcome {
        Some(Outcome::N) => "You can win.",
        Some(Outcome::P) => "Every move loses, if the answer is right.",
        None => "Who wins is not known.",
    };
    let names = Names::of(n);
    let verb = if hint.outcome == Some(Outcome::N) { "Play" } else { "Hardest to answer: play" };
    match (&hint.take, &hint.heights, hint.stacks) {
        (Some((take, how)), _, _) => {
            let short = short_take(take);
            let how = manner(*how);
            format!("{wins} Take {short}. {how}")
        }
        (None, Some(heights), _) => {
            let leave: Vec<String> =
                heights.iter().map(|&(s, h)| format!("{h} on {}", stack(s, n))).collect();
            format!("{wins} Leave {}.", list(&leave))
        }
        (None, None, Some(stacks)) => {
            let each: Vec<String> = stacks.iter().map(|s| names.set(StackSet::single(s))).collect();
            format!("{wins} {verb} on {}.", list(&each))
        }
        (None, None, None) => wins.to_string(),
    }
}

/// What is to be said about a move of a match.
pub fn judged(judgement: Judgement) -> &'static str {
    match judgement {
        Judgement::Wins => "right",
        Judgement::Mistake => "a mistake",
        Judgement::Lost => "nothing wins here",
        Judgement::Unknown => "not decided",
    }
}

/// A match move by move, and where it was decided.
pub fn review(review: &Review, seat: Seat, palette: &Palette) -> String {
    let mut out = format!("{}\n", paint(palette.heading, "Review"));
    let mut rows = Vec::new();
    for (number, m) in review.moves.iter().enumerate() {
        let better = m.better.as_ref().map(|b| format!("{} wins", short_take(&b.take)));
        rows.push(vec![
            format!("{}.", number + 1),
            seat.who(m.player).to_string(),
            short_take(&m.take),
            format!("leaving {}", m.to),
            judged(m.judgement).to_string(),
            better.unwrap_or_default(),
        ]);
    }
    out += &palette.columns(&rows);
    let decided = match (review.winner, review.decided, review.moves.is_empty()) {
        (_, _, true) => "No move was made.".to_string(),
        (_, Some(at), _) => {
            let who = review.moves.get(at).map_or("", |m| seat.who(m.player));
            format!("Move {} decided it: {who} could have won there.", at + 1)
        }
        (Some(winner), None, _) => {
            let who = seat.who(winner);
            format!("No mistake was made: the start was won for {who}.")
        }
        (None, None, _) => "No mistake was made so far.".to_string(),
    };
    out + "\n" + &palette.wrap(&format!("  {decided}"), "  ") + "\n"
}

/// A match and the machine's move, as JSON.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct PlayAnswer {
    game: String,
    /// Where the match began.
    start: Vec<u64>,
    /// All moves, that of the machine included.
    moves: Vec<Vec<u64>>,
    position: Vec<u64>,
    /// Whose turn it is, `null` if the match is over.
    turn: Option<&'static str>,
    winner: Option<&'static str>,
    /// The machine's move, if it was its turn.
    reply: Option<ChoiceAnswer>,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
struct ChoiceAnswer {
    take: Vec<u64>,
    to: Vec<u64>,
    manner: &'static str,
    text: String,
}

impl PlayAnswer {
    /// A match after the machine's move.
    pub fn new(played: &Match, seat: Seat, reply: Option<&Choice>) -> Self {
        PlayAnswer {
            game: played.game().to_string(),
            start: played.start().to_vec(),
            moves: played.takes().iter().map(|take| take.to_vec()).collect(),
            position: played.position().to_vec(),
            turn: (!played.is_over()).then(|| seat.who(played.turn())),
            winner: played.winner().map(|winner| seat.who(winner)),
            reply: reply.map(|choice| ChoiceAnswer {
                take: choice.take.to_vec(),
                to: choice.to.to_vec(),
                manner: manner_key(choice.manner),
                text: manner(choice.manner),
            }),
        }
    }
}

/// A hint as JSON: what its step does not tell is `null`.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct HintAnswer {
    game: String,
    position: Vec<u64>,
    step: u8,
    steps: u8,
    outcome: &'static str,
    text: String,
    /// Letters of the stacks to play on.
    stacks: Option<Vec<String>>,
    /// What to leave on them.
    heights: Option<Vec<u64>>,
    take: Option<Vec<u64>>,
    manner: Option<&'static str>,
    explanation: Vec<Explanation>,
}

impl HintAnswer {
    /// A hint about a position.
    pub fn new(game: &Game, position: &Position, told: &Hint) -> Self {
        let n = position.len();
        let names = |stacks: StackSet| stacks.iter().map(|s| stack(s, n)).collect();
        HintAnswer {
            game: game.to_string(),
            position: position.to_vec(),
            step: told.step,
            steps: MAX_HINT,
            outcome: outcome(told.outcome),
            text: hint(told, n),
            stacks: told.stacks.map(names),
            heights: told.heights.as_ref().map(|h| h.iter().map(|&(_, height)| height).collect()),
            take: told.take.as_ref().map(|(take, _)| take.to_vec()),
            manner: told.take.as_ref().map(|&(_, manner)| manner_key(manner)),
            explanation: told.verdict.as_ref().map_or(Vec::new(), |v| explanations(&v.reasons)),
        }
    }
}

/// A review as JSON.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct ReviewAnswer {
    game: String,
    start: Vec<u64>,
    moves: Vec<ReviewedAnswer>,
    winner: Option<&'static str>,
    /// The number of the move that decided the match, from 1; `null` if no mistake was made.
    decided: Option<usize>,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
struct ReviewedAnswer {
    player: &'static str,
    from: Vec<u64>,
    take: Vec<u64>,
    to: Vec<u64>,
    judgement: &'static str,
    text: &'static str,
    better: Option<MoveAnswer>,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
struct MoveAnswer {
    take: Vec<u64>,
    to: Vec<u64>,
}

impl From<&WinningMove> for MoveAnswer {
    fn from(winning: &WinningMove) -> Self {
        MoveAnswer { take: winning.take.to_vec(), to: winning.to.to_vec() }
    }
}

impl ReviewAnswer {
    /// A match, judged.
    pub fn new(played: &Match, seat: Seat, review: &Review) -> Self {
        let moves = review.moves.iter().map(|m| ReviewedAnswer {
            player: seat.who(m.player),
            from: m.from.to_vec(),
            take: m.take.to_vec(),
            to: m.to.to_vec(),
            judgement: match m.judgement {
                Judgement::Wins => "wins",
                Judgement::Mistake => "mistake",
                Judgement::Lost => "lost",
                Judgement::Unknown => "unknown",
            },
            text: judged(m.judgement),
            better: m.better.as_ref().map(MoveAnswer::from),
        });
        ReviewAnswer {
            game: played.game().to_string(),
            start: played.start().to_vec(),
            moves: moves.collect(),
            winner: review.winner.map(|winner| seat.who(winner)),
            decided: review.decided.map(|at| at + 1),
        }
    }
}

/// A puzzle as JSON.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct PuzzleAnswer {
    game: String,
    position: Vec<u64>,
    rating: u8,
    ratings: u8,
    seed: u64,
    solution: Vec<MoveAnswer>,
    explanation: Vec<Explanation>,
}

impl PuzzleAnswer {
    /// A puzzle and the seed it came from.
    pub fn new(puzzle: &Puzzle, seed: u64) -> Self {
        PuzzleAnswer {
            game: puzzle.game.to_string(),
            position: puzzle.position.to_vec(),
            rating: puzzle.rating,
            ratings: MAX_RATING,
            seed,
            solution: puzzle.solution.iter().map(MoveAnswer::from).collect(),
            explanation: explanations(&puzzle.verdict.reasons),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_is_drawn() {
        let drawn = board(&"2,0,3".parse().unwrap(), &Palette::PLAIN);
        assert_eq!(drawn, "        o\n  o     o\n  o     o\n  a  b  c\n  2  0  3\n");
        let tall = board(&"20,1".parse().unwrap(), &Palette::PLAIN);
        assert!(tall.starts_with("   ^\n   o\n"), "{tall}");
        assert_eq!(tall.lines().count(), 14);
        let wide = Position::new(vec![1_000_000; 20]).unwrap();
        assert!(board(&wide, &Palette::PLAIN).starts_with("  a 1000000, b 1000000,"));
    }
}
