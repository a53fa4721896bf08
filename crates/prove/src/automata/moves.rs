//! The moves of a game, read bit by bit.
//!
//! A move takes a position x to a position y with some stacks lowered. Read from the most
//! significant bit on, the bits of a stack agree until, at the first bit where they differ, x has
//! 1 and y has 0; from then on the stack is *lowered*, and where a move takes any positive amount
//! the lower bits are free. Where it takes exactly one token they are 0 in x and 1 in y. So all
//! that has to be remembered along the way is the set of lowered stacks.

use nimatron_game::symmetry::{Relabelling, Symmetry};
use nimatron_game::{Amounts, Game, Height, Play, Rule, StackSet};
use nimatron_verify::automaton::MAX_STACKS;

/// Why a game cannot be treated bit by bit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unsupported {
    /// Too many stacks: an automaton has one transition per state and set of stacks.
    #[error("{found} stacks, but automata are built for at most {MAX_STACKS}")]
    Stacks {
        /// The number of stacks.
        found: usize,
    },
    /// Amounts per stack other than "one token" or "at least one", or a bounded total.
    #[error("automata are built for moves that take one token, or any number, from each stack")]
    Amounts,
}

/// The move relation of a game on the bits of a position.
#[derive(Clone, Debug)]
pub(super) struct Moves {
    stacks: usize,
    play: Play,
    /// By lowered set: whether it lies within a move set of the right summand.
    within: Vec<bool>,
    /// By lowered set: whether a move may end with it.
    allowed: Vec<bool>,
    /// The stacks from which a move takes exactly one token.
    slow: u32,
    /// By set: whether there is no move when exactly these stacks have tokens.
    terminal: Vec<bool>,
    symmetries: Vec<Relabelling>,
}

/// The most symmetries used; more would cost more time than they save.
const MOST_SYMMETRIES: usize = 48;

impl Moves {
    pub(super) fn new(game: &Game) -> Result<Self, Unsupported> {
        let n = game.stacks();
        if n > MAX_STACKS {
            return Err(Unsupported::Stacks { found: n });
        }
        let mut slow = 0;
        for summand in game.summands() {
            let rule = summand.rule();
            if rule.total() != Amounts::POSITIVE {
                return Err(Unsupported::Amounts);
            }
            if rule.each() == Amounts::exactly(1) {
                slow |= StackSet::first(rule.stacks()).shifted(summand.stacks().start).bits();
            } else if rule.each() != Amounts::POSITIVE {
                return Err(Unsupported::Amounts);
            }
        }
        // Asks the rule of the summand that all stacks of the set belong to.
        let local = |set: u32, test: &dyn Fn(&Rule, StackSet) -> bool| {
            game.summands().iter().any(|summand| {
                let at = summand.stacks();
                let own = StackSet::first(at.len()).bits() << at.start;
                set & !own == 0 && test(summand.rule(), StackSet::from_bits(set >> at.start))
            })
        };
        let sets = 0..1u32 << n;
        let within: Vec<bool> =
            sets.clone().map(|s| local(s, &|rule, s| rule.sets().covers(s))).collect();
        let allowed: Vec<bool> =
            sets.clone().map(|s| local(s, &|rule, s| rule.allows_support(s))).collect();
        let terminal = |tokens: u32| !subsets(tokens).any(|set| allowed[set as usize]);
        let terminal = sets.map(terminal).collect();
        let (play, symmetries) = (game.convention(), symmetries(game));
        Ok(Moves { stacks: n, play, within, allowed, slow, terminal, symmetries })
    }

    pub(super) fn stacks(&self) -> usize {
        self.stacks
    }

    /// The number of letters: one bit of every stack.
    pub(super) fn letters(&self) -> u32 {
        1 << self.stacks
    }

    pub(super) fn is_misere(&self) -> bool {
        self.play == Play::Misere
    }

    /// The lowered set with one more stack, if a move can lower all of these.
    pub(super) fn join(&self, lowered: u32, stack: u32) -> Option<u32> {
        let joined = lowered | 1 << stack;
        self.within[joined as usize].then_some(joined)
    }

    /// Whether a move can lower these stacks and perhaps more.
    pub(super) fn is_within(&self, lowered: u32) -> bool {
        self.within[lowered as usize]
    }

    /// Whether exactly these stacks can be lowered by a move.
    pub(super) fn may_end(&self, lowered: u32) -> bool {
        self.allowed[lowered as usize]
    }

    /// Whether a move may end here with the lower bits of these stacks left to choice.
    pub(super) fn is_free(&self, lowered: u32) -> bool {
        self.may_end(lowered) && lowered & self.slow == 0
    }

    /// Whether a move takes exactly one token from this stack.
    pub(super) fn is_slow(&self, stack: u32) -> bool {
        self.slow >> stack & 1 == 1
    }

    /// Whether there is no move when exactly these stacks have tokens.
    pub(super) fn is_terminal(&self, tokens: u32) -> bool {
        self.terminal[tokens as usize]
    }

    /// Relabellings of the stacks that keep the moves; the identity first.
    pub(super) fn symmetries(&self) -> &[Relabelling] {
        &self.symmetries
    }

    /// Shows the letters y that can go with the letter x when these stacks are lowered, each
    /// with the stacks lowered then.
    pub(super) fn replies(&self, lowered: u32, x: u32, mut show: impl FnMut(u32, u32)) {
        let slow = lowered & self.slow;
        if x & slow != 0 {
            return;
        }
        let (standing, free) = (x & !lowered, lowered & !self.slow);
        for fallen in subsets(standing).filter(|&fallen| self.is_within(lowered | fallen)) {
            for any in subsets(free) {
                show(standing & !fallen | any | slow, lowered | fallen);
            }
        }
    }

    /// The stacks lowered after a letter of a position and one of its option, or `None` if no move
    /// looks so.
    pub(super) fn step(&self, lowered: u32, x: u32, y: u32) -> Option<u32> {
        let slow = lowered & self.slow;
        let fits = y & !x & !lowered == 0 && x & slow == 0 && y & slow == slow;
        let after = lowered | x & !y;
        (fits && self.is_within(after)).then_some(after)
    }

    /// The letters of a position, the most significant first; zeros in front are left out.
    pub(super) fn letters_of(heights: &[Height]) -> Vec<u32> {
        let all = heights.iter().fold(0, |a, &h| a | h);
        let bits = Height::BITS - all.leading_zeros();
        let letter = |bit: u32| {
            let ones = heights.iter().enumerate().map(|(s, h)| ((h >> bit & 1) as u32) << s);
            ones.fold(0, |a, b| a | b)
        };
        (0..bits).rev().map(letter).collect()
    }
}

/// All subsets of a set of bits, the empty one first.
pub(super) fn subsets(set: u32) -> impl Iterator<Item = u32> + Clone {
    std::iter::successors(Some(0u32), move |&s| {
        let next = s.wrapping_sub(set) & set;
        (next != 0).then_some(next)
    })
}

fn symmetries(game: &Game) -> Vec<Relabelling> {
    let identity = Relabelling::identity(game.stacks());
    let found = game.single().map(Symmetry::of);
    let mut all = found.and_then(|s| s.elements_up_to(MOST_SYMMETRIES)).unwrap_or_default();
    all.retain(|g| !g.is_identity());
    all.insert(0, identity);
    all
}
