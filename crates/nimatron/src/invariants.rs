//! Invariant vectors, by theorem and by evidence.

use crate::knowledge::Knowledge;
use crate::tables::p_positions;
use crate::verdict::By;
use nimatron_game::{Game, Height, StackSet, Watch};
use nimatron_table::TableError;
use nimatron_theory::invariance::{Evidence, Vector, detect};

/// What is known about the invariant vectors of a game that is not a sum.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Invariants {
    /// The game.
    pub game: Game,
    /// The theorem or proof that solves the game, if one does; where vectors are known, the one that
    /// gives them.
    pub theorem: Option<By>,
    /// The vectors that come with it.
    pub known: Vec<StackSet>,
    /// What a table says.
    pub tested: Option<Tested>,
}

/// All 0/1 vectors, tried on a box.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Tested {
    /// The greatest height.
    pub max: Height,
    /// How many P-positions the box has.
    pub p_positions: usize,
    /// The vectors that nothing in the box speaks against, up to symmetry, smallest first.
    pub holding: Vec<Vector>,
    /// The others, each with two positions that refute it.
    pub refuted: Vec<Vector>,
}

/// More stacks than this have too many vectors to try.
const MOST_STACKS: usize = 20;

impl Invariants {
    /// What theorems say and, if `max` is given, what the P-positions of that box say. `None` for
    /// sums.
    pub fn of(
        game: &Game,
        max: Option<Height>,
        knowledge: &Knowledge,
        watch: &dyn Watch,
    ) -> Result<Option<Self>, TableError> {
        let Some(rule) = game.single() else { return Ok(None) };
        let tested = match max.filter(|_| game.stacks() <= MOST_STACKS) {
            None => None,
            Some(max) => {
                let bounds = vec![max; game.stacks()];
                let p = p_positions(game, &bounds, watch)?;
                let all = detect(rule, &bounds, &p, watch)?.into_iter();
                let (holding, refuted) =
                    all.partition(|v| matches!(v.evidence, Evidence::Holds { .. }));
                Some(Tested { max, p_positions: p.len(), holding, refuted })
            }
        };
        let (known, theorem) = match knowledge.vectors(rule, game.convention()) {
            Some((vectors, by)) => (vectors, Some(by)),
            None => {
                let solved = knowledge.solved(game).and_then(|s| s.by().into_iter().next());
                (Vec::new(), solved)
            }
        };
        Ok(Some(Invariants { game: game.clone(), theorem, known, tested }))
    }
}

impl Tested {
    /// Of the vectors that hold, with all their images, those that are not sums of others.
    pub fn basis(&self) -> Vec<StackSet> {
        let mut images: Vec<StackSet> =
            self.holding.iter().flat_map(|v| v.images.iter().copied()).collect();
        images.sort_unstable_by(StackSet::by_size);
        let mut basis: Vec<StackSet> = Vec::new();
        for vector in images {
            if !is_sum(vector, &basis) {
                basis.push(vector);
            }
        }
        basis
    }
}

/// Whether the set is a disjoint union of some of these.
pub(crate) fn is_sum(set: StackSet, of: &[StackSet]) -> bool {
    let Some(first) = set.lowest() else { return true };
    let parts = of.iter().filter(|p| p.contains(first) && p.is_subset(set));
    parts.into_iter().any(|&p| is_sum(set - p, of))
}
