//! The oracle: every value straight from its definition, position by position.
//!
//! All other tables and searches are tested against this one, so it stays plain: for each
//! position of a box, in lexicographic order, loop over its options and apply the definition.
//! It serves every rule, sum and play convention, and only small boxes.
//!
//! Cost per position: the number of its options (the outcome loop stops at the first
//! P-position among them). Some two million positions per second for CN(5,2) with heights to
//! 23, less the taller the stacks.

use crate::boxes::{PositionBox, Table, filled};
use crate::error::TableError;
use nimatron_game::{Amounts, Game, Height, Outcome, Play, Rule, StackSet};

/// The outcome of every position of a box: P when no option is P; a position without options
/// as the play convention says.
pub fn outcomes(game: &Game, max: &[Height]) -> Result<Table<Outcome>, TableError> {
    let options = Options::new(game, max)?;
    let mut outcomes = filled(Outcome::N, options.cells.len())?;
    let mut heights = vec![0; max.len()];
    for index in 0..options.cells.len() {
        let mut terminal = true;
        let to_p = options.any(&heights, index, |option| {
            terminal = false;
            outcomes[option] == Outcome::P
        });
        outcomes[index] = match (terminal, to_p) {
            (true, _) => game.convention().terminal(),
            (false, true) => Outcome::N,
            (false, false) => Outcome::P,
        };
        options.cells.advance(&mut heights);
    }
    Ok(Table::new(options.cells, outcomes))
}

/// The Grundy value of every position of a box: the least number that no option has. Under
/// misere play there is none.
pub fn grundy(game: &Game, max: &[Height]) -> Result<Table<u32>, TableError> {
    if game.convention() == Play::Misere {
        return Err(TableError::Misere);
    }
    let options = Options::new(game, max)?;
    let mut values = filled(0u32, options.cells.len())?;
    // seen[v] is the number of the position after the last one with an option of value v.
    let mut seen = filled(0usize, options.cells.tokens()? as usize + 2)?;
    let mut heights = vec![0; max.len()];
    for index in 0..options.cells.len() {
        options.any(&heights, index, |option| {
            seen[values[option] as usize] = index + 1;
            false
        });
        values[index] = (0..).find(|&v| seen[v as usize] != index + 1).unwrap_or(0);
        options.cells.advance(&mut heights);
    }
    Ok(Table::new(options.cells, values))
}

/// The remoteness of every position of a box: how many moves are left to play when the player
/// who wins hurries and the one who loses delays (Smith 1966).
///
/// Without options it is 0. Otherwise it is 1 more than the least remoteness among the options
/// that are P-positions or, if there is none, than the greatest remoteness of all options. So
/// remoteness is even exactly for the P-positions of normal play, and for the N-positions of
/// misere play.
pub fn remoteness(game: &Game, max: &[Height]) -> Result<Table<u32>, TableError> {
    let options = Options::new(game, max)?;
    options.cells.tokens()?;
    // The parity of the remoteness of P-positions.
    let p_parity = match game.convention() {
        Play::Normal => 0,
        Play::Misere => 1,
    };
    let mut moves_left = filled(0u32, options.cells.len())?;
    let mut heights = vec![0; max.len()];
    for index in 0..options.cells.len() {
        let (mut hurry, mut delay) = (None::<u32>, None::<u32>);
        options.any(&heights, index, |option| {
            let left = moves_left[option];
            if left % 2 == p_parity {
                hurry = Some(hurry.map_or(left, |least| least.min(left)));
            }
            delay = delay.max(Some(left));
            false
        });
        moves_left[index] = hurry.or(delay).map_or(0, |left| left + 1);
        options.cells.advance(&mut heights);
    }
    Ok(Table::new(options.cells, moves_left))
}

/// The options of the positions of a box, by their numbers.
struct Options {
    cells: PositionBox,
    plays: Vec<Moves>,
}

/// The moves that play on exactly these stacks.
struct Moves {
    /// Each stack, and what a token on it counts in the number of a position.
    stacks: Vec<(usize, usize)>,
    each: Amounts,
    total: Amounts,
}

impl Options {
    fn new(game: &Game, max: &[Height]) -> Result<Self, TableError> {
        if max.len() != game.stacks() {
            return Err(TableError::Stacks { expected: game.stacks(), found: max.len() });
        }
        let cells = PositionBox::new(max)?;
        let mut plays = Vec::new();
        for summand in game.summands() {
            let first = summand.stacks().start;
            let rule = summand.rule();
            for support in supports(rule, &max[summand.stacks()]) {
                let stacks = support.iter().map(|s| (first + s, cells.strides()[first + s]));
                plays.push(Moves {
                    stacks: stacks.collect(),
                    each: rule.each(),
                    total: rule.total(),
                });
            }
        }
        Ok(Options { cells, plays })
    }

    /// Shows the options of a position, each once, until one is accepted.
    #[inline]
    fn any(&self, heights: &[Height], index: usize, mut accept: impl FnMut(usize) -> bool) -> bool {
        self.plays.iter().any(|play| play.any(&play.stacks, heights, index, 0, &mut accept))
    }
}

/// The sets of stacks that moves within the box may play on.
pub(crate) fn supports(rule: &Rule, max: &[Height]) -> Vec<StackSet> {
    let playable = rule.playable(max);
    playable.subsets().filter(|&set| rule.allows_support(set)).collect()
}

impl Moves {
    /// Shows the options in which the stacks before `stacks` have been lowered, by `taken`
    /// tokens in all, to reach the position with this `index`.
    #[inline]
    fn any(
        &self,
        stacks: &[(usize, usize)],
        heights: &[Height],
        index: usize,
        taken: u128,
        accept: &mut impl FnMut(usize) -> bool,
    ) -> bool {
        match *stacks {
            [] => false,
            [(stack, stride)] => {
                let needed = u128::from(self.total.least()).saturating_sub(taken);
                let least = needed.max(self.each.least().into());
                let mut most = heights[stack].min(self.each.most().unwrap_or(Height::MAX));
                if let Some(total) = self.total.most() {
                    most = u128::from(total).saturating_sub(taken).min(most.into()) as Height;
                }
                least <= u128::from(most)
                    && (least as usize..=most as usize).any(|take| accept(index - take * stride))
            }
            [(stack, stride), ref rest @ ..] => {
                let most = heights[stack].min(self.each.most().unwrap_or(Height::MAX));
                (self.each.least()..=most).any(|take| {
                    let index = index - take as usize * stride;
                    self.any(rest, heights, index, taken + u128::from(take), accept)
                })
            }
        }
    }
}
