//! The steps of an explanation, as data.

use nimatron_game::{Family, Height, Outcome, Position, StackSet};
use std::fmt;

/// One step of the reasoning about a position. Rendered by `Display` in plain words; other
/// renderings read the fields. Stacks are counted from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The case of the construction that applies, by its name: `end-stack move`.
    Case(&'static str),
    /// Stacks that always occur together count as one.
    Merged {
        /// The stacks that are merged.
        stacks: StackSet,
        /// Their tokens together.
        sum: u128,
    },
    /// Two sums that ought to be equal.
    Sums {
        /// One set of stacks.
        left: StackSet,
        /// Its tokens.
        left_sum: u128,
        /// The other set of stacks.
        right: StackSet,
        /// Its tokens.
        right_sum: u128,
    },
    /// Stacks that ought to be empty.
    Zeros {
        /// The stacks.
        stacks: StackSet,
        /// Their tokens.
        sum: u128,
    },
    /// A lowest stack among several.
    LeastStack {
        /// The stacks compared.
        among: StackSet,
        /// A lowest one.
        stack: usize,
        /// Its height.
        height: Height,
    },
    /// A window of consecutive stacks with the least sum.
    LeastWindow {
        /// The stacks of the window.
        window: StackSet,
        /// Their sum.
        sum: u128,
    },
    /// The tokens on all stacks.
    Total {
        /// How many there are.
        sum: u128,
    },
    /// The xor of some heights.
    Xor {
        /// The stacks.
        stacks: StackSet,
        /// Their xor.
        value: Height,
    },
    /// Differences of opposite stacks, which ought to be equal.
    Differences {
        /// Lower stack, higher stack, and by how much.
        pairs: Vec<(usize, usize, Height)>,
    },
    /// A binary digit that has to be mended, and how.
    Digit {
        /// The digit, counted from the units.
        digit: u32,
        /// The stacks whose height has a one there.
        ones: StackSet,
        /// The stacks whose one is removed, which frees their lower digits.
        dropped: StackSet,
        /// The stacks lowered before that get a one.
        set: StackSet,
    },
    /// A binary digit in which the ones do not cancel (they do, if it is not listed).
    BadDigit {
        /// The digit, counted from the units.
        digit: u32,
        /// The stacks whose height has a one there.
        ones: StackSet,
    },
    /// A circuit that is contained in the position some number of times.
    Circuit {
        /// The stacks of the circuit.
        circuit: StackSet,
        /// How many times.
        times: Height,
    },
    /// What is left when the circuits are taken away lies in one face.
    Remainder {
        /// Where it lies; empty if nothing is left.
        stacks: StackSet,
    },
    /// A part of the game that is judged by itself.
    Part {
        /// The stacks of the part.
        stacks: StackSet,
        /// Who wins there.
        outcome: Outcome,
        /// The theorem that says so.
        by: String,
    },
    /// The greatest number of moves that can still be played.
    LongestPlay {
        /// How many.
        moves: u128,
    },
    /// A set of stacks that meets every other move set left.
    MeetsAll {
        /// The set.
        set: StackSet,
    },
    /// The game is part of a larger one, whose other stacks are empty. The facts that follow are
    /// about the stacks of the larger game.
    Within {
        /// The larger game.
        game: Family,
        /// The position there.
        heights: Position,
    },
    /// A formula that decides the outcome.
    Formula {
        /// The formula, in the stacks of the game it is about.
        text: String,
        /// Whether it holds.
        holds: bool,
    },
    /// The move set on which a move was found.
    PlayedOn {
        /// The move set.
        facet: StackSet,
    },
    /// What the move does to a stack.
    Lowered {
        /// The stack.
        stack: usize,
        /// Its height before.
        from: Height,
        /// Its height after.
        to: Height,
    },
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let one = |stack: usize| StackSet::single(stack);
        match self {
            Reason::Case(name) => write!(f, "{name}"),
            Reason::Merged { stacks, sum } => {
                write!(f, "{stacks} count as one stack of height {sum}")
            }
            Reason::Sums { left, left_sum, right, right_sum } => {
                let sign = if left_sum == right_sum { "equals" } else { "differs from" };
                write!(f, "the sum {left_sum} of {left} {sign} the sum {right_sum} of {right}")
            }
            Reason::Zeros { stacks, sum: 0 } => write!(f, "{stacks} are empty"),
            Reason::Zeros { stacks, sum } => write!(f, "{stacks} hold {sum}"),
            Reason::LeastStack { among, stack, height } => {
                write!(f, "{} is lowest among {among} with {height}", one(*stack))
            }
            Reason::LeastWindow { window, sum } => {
                write!(f, "the least sum of a window is {sum}, at {window}")
            }
            Reason::Total { sum } => write!(f, "{sum} tokens in total"),
            Reason::Xor { stacks, value } => write!(f, "the xor of {stacks} is {value}"),
            Reason::Differences { pairs } => {
                f.write_str("opposite stacks differ by")?;
                for (i, &(low, high, by)) in pairs.iter().enumerate() {
                    let comma = if i > 0 { "," } else { "" };
                    write!(f, "{comma} {}-{}={by}", one(high), one(low))?;
                }
                Ok(())
            }
            Reason::Digit { digit, ones, dropped, set } => {
                write!(f, "digit {digit}: ones in {ones:?}")?;
                if !dropped.is_empty() {
                    write!(f, ", removed from {dropped}")?;
                }
                if !set.is_empty() {
                    write!(f, ", put into {set}")?;
                }
                Ok(())
            }
            Reason::BadDigit { digit, ones } => {
                write!(f, "digit {digit}: the ones in {ones:?} do not cancel")
            }
            Reason::Circuit { circuit, times } => write!(f, "{times} times the circuit {circuit}"),
            Reason::Remainder { stacks } if stacks.is_empty() => f.write_str("nothing is left"),
            Reason::Remainder { stacks } => write!(f, "what is left lies in the face {stacks}"),
            Reason::Part { stacks, outcome, by } => {
                write!(f, "the part {stacks} is {outcome} by {by}")
            }
            Reason::LongestPlay { moves } => write!(f, "the longest play has {moves} moves"),
            Reason::MeetsAll { set } => write!(f, "{set} meets every move set left"),
            Reason::Within { game, heights } => write!(f, "this is {game} at {heights}"),
            Reason::Formula { text, holds: true } => write!(f, "{text} holds"),
            Reason::Formula { text, holds: false } => write!(f, "{text} does not hold"),
            Reason::PlayedOn { facet } => write!(f, "there is a move on {facet} into it"),
            Reason::Lowered { stack, from, to } => {
                write!(f, "{} goes from {from} to {to}", one(*stack))
            }
        }
    }
}
