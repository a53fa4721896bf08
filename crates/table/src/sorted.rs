//! Outcomes of games in which the order of the stacks does not matter, over sorted positions.
//!
//! Where the move sets are all sets of certain sizes (Slow, Exact and Moore's Nim and their
//! variants) a position may be sorted, and a table needs one bit per multiset of heights: about
//! n! times fewer than for the box. Multisets are numbered by the combinatorial number system:
//! heights x_1 <= ... <= x_n have the number sum of C(x_i + i - 1, i), which grows with every
//! height. Positions are visited in the order of their numbers; each P-position marks all the
//! positions that have a move to it, and whatever is not marked when its turn comes is P.
//!
//! Cost: a step per position, and for each P-position a mark per move that leads to it, up to
//! symmetry. In Slow games a mark is one addition and one bit: raising a stack by one changes the
//! number by a binomial coefficient. Slow(8,{3,...,8}) with heights to 24, 10.5 million sorted
//! positions, takes about a second.

use crate::boxes::filled;
use crate::error::TableError;
use nimatron_game::{
    Amounts, Choice, Height, MAX_HEIGHT, Outcome, Play, Position, Rule, Sizes, Watch,
};

/// Tabulates the outcomes of all positions with heights up to `max`. The rule must be given by
/// sizes of sets: [`TableError::NotSymmetric`] otherwise.
///
/// ```
/// use nimatron_game::{Family, Outcome, Play, Sizes, Unlimited};
/// use nimatron_table::sorted;
/// let rule = Family::Slow { n: 5, sizes: Sizes::new([1, 2]) }.rule();
/// let table = sorted::outcomes(&rule, Play::Normal, 9, &Unlimited).unwrap();
/// // Sorted parities even, even, odd, odd, odd (Slow26 section 3).
/// assert_eq!(table.get(&[9, 2, 5, 4, 7]), Some(Outcome::P));
/// assert_eq!(table.get(&[9, 2, 6, 4, 7]), Some(Outcome::N));
/// ```
pub fn outcomes(
    rule: &Rule,
    play: Play,
    max: Height,
    watch: &dyn Watch,
) -> Result<SortedTable, TableError> {
    let moves = Moves::new(rule).ok_or(TableError::NotSymmetric)?;
    let numbering = Numbering::new(rule.stacks(), max, watch)?;
    let won = filled(0u64, numbering.len.div_ceil(64))?;
    let mut sieve = Sieve { moves, numbering, won };
    sieve.run(play, watch)?;
    Ok(SortedTable { numbering: sieve.numbering, won: sieve.won })
}

/// The outcome of every position up to a height, whatever the order of its stacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortedTable {
    numbering: Numbering,
    /// A bit for each N-position.
    won: Vec<u64>,
}

impl SortedTable {
    /// The number of sorted positions.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.numbering.len
    }

    /// The outcome of a position, its heights in any order; `None` if a stack is too tall or
    /// their number is wrong.
    pub fn get(&self, heights: &[Height]) -> Option<Outcome> {
        let known = heights.len() == self.numbering.stacks
            && heights.iter().all(|&h| h <= self.numbering.max as Height);
        known.then(|| {
            let mut sorted: Vec<usize> = heights.iter().map(|&h| h as usize).collect();
            sorted.sort_unstable();
            self.outcome(self.numbering.number(&sorted))
        })
    }

    /// The number of sorted P-positions.
    pub fn p_count(&self) -> u64 {
        self.len() as u64 - self.won.iter().map(|w| u64::from(w.count_ones())).sum::<u64>()
    }

    /// All sorted positions (heights ascending) with their outcomes, in the order of the
    /// greatest height, then of the next one, and so on.
    pub fn iter(&self) -> impl Iterator<Item = (Position, Outcome)> + '_ {
        let mut heights = vec![0usize; self.numbering.stacks];
        (0..self.numbering.len).map(move |number| {
            let position = heights.iter().map(|&h| h as Height).collect();
            self.numbering.advance(&mut heights);
            (Position::new(position).expect("heights are bounded"), self.outcome(number))
        })
    }

    fn outcome(&self, number: usize) -> Outcome {
        if bit(&self.won, number) { Outcome::N } else { Outcome::P }
    }
}

fn bit(bits: &[u64], at: usize) -> bool {
    bits[at / 64] >> (at % 64) & 1 == 1
}

/// Sorted positions and their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Numbering {
    stacks: usize,
    max: usize,
    len: usize,
    /// `terms[i][x]` is what height x counts as the i-th smallest (i from 0): C(x + i, i + 1).
    terms: Vec<Vec<usize>>,
}

impl Numbering {
    fn new(stacks: usize, max: Height, watch: &dyn Watch) -> Result<Self, TableError> {
        // C(max + stacks, stacks), exact at each step.
        let mut len = 1u128;
        for i in 1..=stacks as u128 {
            len = len
                .checked_mul(u128::from(max) + i)
                .ok_or(TableError::TooLarge { positions: None })?
                / i;
        }
        let fits = max <= MAX_HEIGHT && len <= isize::MAX as u128;
        if !fits {
            return Err(TableError::TooLarge { positions: Some(len) });
        }
        let (max, len) = (max as usize, len as usize);
        let mut numbering = Numbering { stacks, max, len, terms: Vec::new() };
        watch.check(numbering.memory())?;
        for _ in 0..stacks {
            // With i terms before it, C(x + i, i + 1) is the sum of C(y + i - 1, i) over y <= x.
            let mut term = filled(0usize, max + 1)?;
            for x in 1..=max {
                term[x] = term[x - 1] + numbering.terms.last().map_or(1, |below| below[x]);
            }
            numbering.terms.push(term);
        }
        Ok(numbering)
    }

    /// Bytes of the numbering and of a bit for each position.
    fn memory(&self) -> u64 {
        (self.max as u64).saturating_mul(8 * self.stacks as u64).saturating_add(self.len as u64 / 8)
    }

    fn number(&self, sorted: &[usize]) -> usize {
        sorted.iter().zip(&self.terms).map(|(&height, term)| term[height]).sum()
    }

    /// Turns sorted heights into the next ones; the last become the first.
    fn advance(&self, sorted: &mut [usize]) {
        for i in 0..sorted.len() {
            let bound = sorted.get(i + 1).copied().unwrap_or(self.max);
            if sorted[i] < bound {
                sorted[i] += 1;
                return;
            }
            sorted[i] = 0;
        }
    }
}

/// The moves of a symmetric rule.
struct Moves {
    /// How many stacks a move may play on.
    sizes: Sizes,
    most_stacks: usize,
    each: Amounts,
    total: Amounts,
    /// One token from each played stack, and no further condition.
    slow: bool,
}

impl Moves {
    fn new(rule: &Rule) -> Option<Self> {
        let sizes = rule.sets().sizes()?;
        let most_stacks = sizes.greatest().unwrap_or(0);
        let sizes = match rule.choice() {
            Choice::All => sizes,
            Choice::Any => Sizes::new(1..=most_stacks),
        };
        let (each, total) = (rule.each(), rule.total());
        let slow = each == Amounts::exactly(1) && total == Amounts::POSITIVE;
        Some(Moves { sizes, most_stacks, each, total, slow })
    }

    /// Whether there is a move: if any stacks can be played, then the tallest ones can.
    fn any(&self, sorted: &[usize]) -> bool {
        let most = |height: usize| self.each.most().unwrap_or(Height::MAX).min(height as Height);
        self.sizes.iter().any(|size| {
            let played = &sorted[sorted.len() - size..];
            let least = u128::from(self.each.least()) * size as u128;
            let greatest: u128 = played.iter().map(|&h| u128::from(most(h))).sum();
            played.iter().all(|&h| h as Height >= self.each.least())
                && greatest >= self.total.least().into()
                && self.total.most().is_none_or(|total| least <= total.into())
        })
    }
}

struct Sieve {
    moves: Moves,
    numbering: Numbering,
    /// A bit for each position found to be N.
    won: Vec<u64>,
}

/// Positions between two looks at the watch.
const POSITIONS_BETWEEN_CHECKS: usize = 1 << 12;

impl Sieve {
    fn run(&mut self, play: Play, watch: &dyn Watch) -> Result<(), TableError> {
        let memory = self.numbering.memory();
        let mut sorted = vec![0usize; self.numbering.stacks];
        let mut raised = sorted.clone();
        for number in 0..self.numbering.len {
            if number % POSITIONS_BETWEEN_CHECKS == 0 {
                watch.check(memory)?;
                watch.progress(number as u128, self.numbering.len as u128);
            }
            if !bit(&self.won, number) {
                if play == Play::Misere && !self.moves.any(&sorted) {
                    self.mark_won(number);
                } else if self.moves.slow {
                    self.mark_slow(&sorted, sorted.len(), 0, number);
                } else {
                    raised.copy_from_slice(&sorted);
                    self.mark(&sorted, &mut raised, sorted.len(), 0, 0);
                }
            }
            self.numbering.advance(&mut sorted);
        }
        watch.progress(self.numbering.len as u128, self.numbering.len as u128);
        Ok(())
    }

    fn mark_won(&mut self, number: usize) {
        self.won[number / 64] |= 1 << (number % 64);
    }

    /// Marks the positions from which lowering stacks by one leads here: of the first `left`
    /// heights some are still to be raised, `played` of the others have been.
    ///
    /// Of equal heights the last ones are raised, so that the heights stay sorted.
    fn mark_slow(&mut self, sorted: &[usize], left: usize, played: usize, number: usize) {
        if left == 0 {
            if self.moves.sizes.contains(played) {
                self.mark_won(number);
            }
            return;
        }
        let height = sorted[left - 1];
        let first = sorted[..left].partition_point(|&h| h < height);
        self.mark_slow(sorted, first, played, number);
        if height == self.numbering.max {
            return;
        }
        let mut number = number;
        for i in (first..left).rev() {
            let played = played + left - i;
            if played > self.moves.most_stacks {
                return;
            }
            let term = &self.numbering.terms[i];
            number += term[height + 1] - term[height];
            self.mark_slow(sorted, first, played, number);
        }
    }

    /// Marks the positions from which any allowed amounts lead here: of the first `left` heights
    /// some are still to be raised in `raised`, `played` of the others have been, by `taken`
    /// tokens in all.
    ///
    /// Of equal heights the last ones are raised, and each by no more than the one after it: so
    /// every multiset comes once for each way to reach it.
    fn mark(
        &mut self,
        sorted: &[usize],
        raised: &mut [usize],
        left: usize,
        played: usize,
        taken: u128,
    ) {
        if left == 0 {
            if self.moves.sizes.contains(played) && self.moves.total.allows(taken) {
                let mut heights = raised.to_vec();
                heights.sort_unstable();
                let number = self.numbering.number(&heights);
                self.mark_won(number);
            }
            return;
        }
        let height = sorted[left - 1];
        let first = sorted[..left].partition_point(|&h| h < height);
        self.mark_equal(sorted, raised, (first, left), self.numbering.max, played, taken);
    }

    /// Raises heights `first..left`, all equal, from the last one down, none above `bound`.
    fn mark_equal(
        &mut self,
        sorted: &[usize],
        raised: &mut [usize],
        (first, left): (usize, usize),
        bound: usize,
        played: usize,
        taken: u128,
    ) {
        self.mark(sorted, raised, first, played, taken);
        if left == first || played == self.moves.most_stacks {
            return;
        }
        let height = sorted[left - 1];
        let each = self.moves.each;
        let most = each.most().map_or(bound, |most| {
            bound.min(height.saturating_add(usize::try_from(most).unwrap_or(usize::MAX)))
        });
        let least = height.saturating_add(usize::try_from(each.least()).unwrap_or(usize::MAX));
        for to in least..=most {
            let taken = taken + (to - height) as u128;
            if self.moves.total.most().is_some_and(|total| taken > total.into()) {
                break;
            }
            raised[left - 1] = to;
            self.mark_equal(sorted, raised, (first, left - 1), to, played + 1, taken);
        }
        raised[left - 1] = height;
    }
}
