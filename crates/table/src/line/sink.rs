//! What is done with P-positions, and what may not be one.

use super::LineError;
use super::plan::Plan;
use super::run::Run;
use crate::crew::Alone;
use nimatron_game::{Outcome, Play, StackSet, Stop, Watch};

/// Is given P-positions one by one.
pub trait Sink: Send {
    /// A P-position, in the order of the game's stacks. `Err` stops the run.
    fn p_position(&mut self, heights: &[u32]) -> Result<(), Stop>;

    /// The same with what was noted about it, for [`Run::advance_noting`].
    fn noted(&mut self, heights: &[u32], note: bool) -> Result<(), Stop> {
        let _ = note;
        self.p_position(heights)
    }
}

/// Something about a P-position that depends on nothing else. The workers find it out, each for
/// what it found itself, before the sink is given the position.
pub type Note<'a> = dyn Fn(&[u32]) -> bool + Sync + 'a;

/// Any function of the heights is a sink that never stops.
impl<F: FnMut(&[u32]) + Send> Sink for F {
    fn p_position(&mut self, heights: &[u32]) -> Result<(), Stop> {
        self(heights);
        Ok(())
    }
}

/// A list of P-positions, all heights in one vector.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct List {
    stacks: usize,
    heights: Vec<u32>,
}

impl List {
    /// The P-positions, each as the heights of all stacks.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        self.heights.chunks_exact(self.stacks.max(1))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.iter().len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.heights.is_empty()
    }

    /// Puts them in lexicographic order.
    pub fn sort(&mut self) {
        let mut rows: Vec<&[u32]> = self.iter().collect();
        if !rows.is_sorted() {
            rows.sort_unstable();
            self.heights = rows.concat();
        }
    }
}

impl Sink for List {
    fn p_position(&mut self, heights: &[u32]) -> Result<(), Stop> {
        self.stacks = heights.len();
        self.heights.extend_from_slice(heights);
        Ok(())
    }
}

/// Positions that are excluded from being P-positions.
pub trait Blocked: Sync {
    /// Marks what is blocked on one line: all positions with these heights except that the
    /// last stack of the plan's order, here 0, has any height `x`; bit `x % 64` of word
    /// `x / 64` is set if it is blocked. The words are zero before.
    fn line(&self, heights: &[u32], words: &mut [u64]);
}

/// The outcome of one position, and what it can move to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The outcome.
    pub outcome: Outcome,
    /// The P-positions reached in one move, in lexicographic order: none from a P-position.
    pub winning: List,
}

/// Who wins from a position, and with which moves: computes all P-positions of its box.
///
/// ```
/// use nimatron_game::{Family, Outcome, Play, Unlimited};
/// use nimatron_table::line::answer;
/// let facets: Vec<_> = Family::Nim { n: 3 }.sets().iter().collect();
/// let answer = answer(&facets, Play::Normal, &[3, 4, 5], &Unlimited).unwrap();
/// assert_eq!(answer.outcome, Outcome::N);
/// assert_eq!(answer.winning.iter().collect::<Vec<_>>(), [&[1, 4, 5]]);
/// ```
pub fn answer(
    sets: &[StackSet],
    play: Play,
    heights: &[u32],
    watch: &dyn Watch,
) -> Result<Answer, LineError> {
    let plan = Plan::new(sets, heights)?;
    let facets = plan.facets().to_vec();
    let mut winning = List { stacks: heights.len(), heights: Vec::new() };
    let mut outcome = Outcome::N;
    let mut sink = |found: &[u32]| {
        let lowered = (0..heights.len()).filter(|&s| found[s] < heights[s]).collect::<StackSet>();
        if lowered.is_empty() {
            outcome = Outcome::P;
        } else if facets.iter().any(|&f| lowered.is_subset(f)) {
            winning.heights.extend_from_slice(found);
        }
    };
    Run::new(plan)?.under(play).finish(&Alone, watch, Some(&mut sink))?;
    winning.sort();
    Ok(Answer { outcome, winning })
}
