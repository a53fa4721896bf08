//! Numbers that look like chance and are not.

use nimatron_game::{Choice, Game, Height, Position, StackSet, Take};

/// A generator of numbers (splitmix64): a few operations, and good enough for play.
#[derive(Clone, Debug)]
pub(super) struct Dice(u64);

impl Dice {
    /// Dice for one throw among many: the same seed and number give the same throws.
    pub(super) fn new(seed: u64, number: u64) -> Self {
        let mut dice = Dice(seed ^ number.wrapping_mul(0xd134_2543_de82_ef95));
        dice.next();
        dice
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`, which is not 0.
    pub(super) fn below(&mut self, end: u64) -> u64 {
        // The bias is below end / 2^64: nobody will ever see it.
        ((u128::from(self.next()) * u128::from(end)) >> 64) as u64
    }

    /// A move, each as likely as another where they can be listed; else of a likely set, likely amounts.
    /// `None` if there is none.
    pub(super) fn any_move(&mut self, game: &Game, position: &Position) -> Option<Take> {
        let listed: Vec<Take> = game.moves(position).take(MOST_LISTED + 1).collect();
        if listed.is_empty() {
            return None;
        }
        if listed.len() <= MOST_LISTED {
            let which = self.below(listed.len() as u64);
            return listed.into_iter().nth(usize::try_from(which).ok()?);
        }
        let thrown = (0..TRIES).find_map(|_| self.throw(game, position));
        thrown.or_else(|| listed.into_iter().next())
    }

    /// Some amounts on some set; `None` if this is no move.
    fn throw(&mut self, game: &Game, position: &Position) -> Option<Take> {
        let summands = game.summands();
        let summand = &summands[self.index(summands.len())];
        let (rule, first) = (summand.rule(), summand.stacks().start);
        let sets = rule.sets();
        let set: StackSet = match sets.sizes() {
            Some(sizes) => {
                let sizes: Vec<usize> = sizes.iter().collect();
                let size = *sizes.get(self.index(sizes.len().max(1)))?;
                self.some_of(rule.stacks(), size)
            }
            None => sets.iter().nth(self.index(usize::try_from(sets.len()).ok()?.max(1)))?,
        };
        let mut amounts = vec![0; position.len()];
        for s in set.iter() {
            let height: Height = position[first + s];
            let least = u64::from(rule.choice() == Choice::All);
            amounts[first + s] = match height {
                0 => 0,
                h => least.max(self.below(h + 1)),
            };
        }
        Some(Take::new(amounts)).filter(|take| game.is_legal(position, take))
    }

    /// So many of the first `n` stacks.
    fn some_of(&mut self, n: usize, size: usize) -> StackSet {
        let mut stacks: Vec<usize> = (0..n).collect();
        for i in 0..size.min(n) {
            let other = i + self.index(n - i);
            stacks.swap(i, other);
        }
        stacks.into_iter().take(size).collect()
    }

    fn index(&mut self, end: usize) -> usize {
        usize::try_from(self.below(end as u64)).unwrap_or(0)
    }
}

/// More moves are not listed to choose from.
const MOST_LISTED: usize = 20_000;

/// So many throws before giving up.
const TRIES: usize = 64;
