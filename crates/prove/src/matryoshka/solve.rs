//! From the sets of a game to its P-positions.

use super::cells::{Cell, Cells, lifted};
use super::cover::{Covered, NoCover, cover};
use super::data::Data;
use super::solution::{Node, Reason, Solution, Way};
use super::weights::{NoWeights, weights};
use nimatron_game::symmetry::{Relabelling, Symmetry, canonical_form};
use nimatron_game::{
    Game, Height, MAX_SETS, Play, Position, Rule, SetFamily, StackSet, Stop, Watch, subsets_of_size,
};
use nimatron_reduce::{Components, Cone, Merge, name};
use std::collections::{HashMap, HashSet};

/// The most positions that are tabulated to guess vectors.
pub const MAX_POSITIONS: u64 = 1 << 28;

/// The most positions that are tabulated in search of an obstruction.
const SEARCHED: u64 = 1 << 26;

/// The same where some stacks are empty.
const PART: u64 = 1 << 22;

/// The most ways to empty stacks that are looked at.
const MAX_PARTS: usize = 20_000;

/// The bound on heights that vectors are first guessed with. With heights up to 2 there are vectors
/// that only seem to be invariant (CN(9,3), CN(12,4)).
const FIRST_BOUND: Height = 3;

/// What became of the search.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Discovery {
    /// The P-positions are known for all heights.
    Found(Box<Solution>),
    /// The P-positions are not a finite union of cells: this multiple of a P-position is an
    /// N-position.
    Obstructed {
        /// The P-position.
        position: Position,
        /// The factor.
        factor: Height,
    },
    /// Neither a solution nor an obstruction was found.
    NotFound(NotFound),
}

/// Why nothing was found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotFound {
    /// No 0/1 vector is invariant.
    #[error("{game} has no invariant vectors, as P-positions with heights up to {bound} show")]
    NoVectors {
        /// The game, or one within it.
        game: Game,
        /// The greatest height that was looked at.
        bound: Height,
    },
    /// The vectors that seem to be invariant are not.
    #[error("the vectors of {game} found with heights up to {bound} are not invariant")]
    NotInvariant {
        /// The game, or one within it.
        game: Game,
        /// The greatest height that was looked at.
        bound: Height,
    },
    /// In the box every P-position has an empty stack, but no moves were found from all positions
    /// without empty stacks.
    #[error("no moves from all positive positions of {game} were found (heights up to {bound})")]
    NotCovered {
        /// The game, or one within it.
        game: Game,
        /// The greatest height that was looked at.
        bound: Height,
    },
    /// A game within it falls into parts that share no stack, which needs Grundy values.
    #[error("{game} is a sum, and no obstruction was found with heights up to {bound}")]
    Sum {
        /// The game, or one within it.
        game: Game,
        /// The greatest height that was looked at.
        bound: Height,
    },
    /// There are too many positions to be tabulated.
    #[error("{game} has too many positions with heights up to {FIRST_BOUND}")]
    TooLarge {
        /// The game, or one within it.
        game: Game,
    },
    /// The P-positions were found, but the proof is too long to be written down.
    #[error("the P-positions of {game} were found, but the proof is too long to be written down")]
    LongProof {
        /// The game.
        game: Game,
    },
    /// Numbers became too large in the search for weights.
    #[error("the weights of {game} exceed 64 bits")]
    Overflow {
        /// The game, or one within it.
        game: Game,
    },
    /// A limit was reached.
    #[error("{0}")]
    Stopped(Stop),
}

/// A game that this method does not apply to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unsupported {
    /// Only normal play is supported.
    #[error("invariant vectors are about normal play")]
    Misere,
    /// Not SetNim, or a sum of games.
    #[error("only SetNim games are supported, and no sums")]
    Rule,
    /// Too many sets of stacks.
    #[error("{0} sets of stacks are too many")]
    Sets(u64),
}

/// Looks for the P-positions of a game, from its sets alone.
///
/// Progress is told for the step at hand: positions of a table, or cells of one of the games.
pub fn discover(game: &Game, watch: &dyn Watch) -> Result<Discovery, Unsupported> {
    if game.convention() != Play::Normal {
        return Err(Unsupported::Misere);
    }
    let rule = game.single().filter(|rule| rule.is_set_nim()).ok_or(Unsupported::Rule)?;
    let sets = rule.sets();
    if sets.len() > MAX_SETS as u64 {
        return Err(Unsupported::Sets(sets.len()));
    }
    let mut solver =
        Solver { watch, nodes: Vec::new(), known: HashMap::new(), searched: HashSet::new() };
    Ok(match solver.way(sets, StackSet::EMPTY) {
        Ok(way) => match Solution::new(game.clone(), solver.nodes, way) {
            Some(solution) => Discovery::Found(Box::new(solution)),
            None => Discovery::NotFound(NotFound::LongProof { game: game.clone() }),
        },
        Err(Failure::Obstructed { heights, factor }) => {
            let heights = Symmetry::of_sets(sets).canonical(&heights);
            let position = Position::new(heights).expect("the heights of a box are small");
            Discovery::Obstructed { position, factor }
        }
        Err(Failure::NotFound(reason)) => Discovery::NotFound(reason),
    })
}

/// Why a game was not solved.
enum Failure {
    Obstructed { heights: Vec<Height>, factor: Height },
    NotFound(NotFound),
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Self {
        Failure::NotFound(NotFound::Stopped(stop))
    }
}

struct Solver<'w> {
    watch: &'w dyn Watch,
    /// The games solved so far; those within a game come before it.
    nodes: Vec<Node>,
    /// By canonical form: the number of the game, and the relabelling from that form.
    known: HashMap<SetFamily, (usize, Relabelling)>,
    /// The canonical forms in which an obstruction was looked for.
    searched: HashSet<SetFamily>,
}

impl Solver<'_> {
    /// Empties stacks of a game and solves what is left.
    fn way(&mut self, sets: &SetFamily, emptied: StackSet) -> Result<Way, Failure> {
        let Smaller { everywhere, classes, form, to_form } = Smaller::new(sets, emptied);
        let (game, from_form) = match self.known.get(&form) {
            Some(&known) => known,
            None => {
                let (own, from_form) = match name(&form) {
                    Some((family, relabelling)) => (family.sets(), relabelling),
                    None => (form.clone(), Relabelling::identity(form.stacks())),
                };
                let names = to_form.then(&from_form);
                let node = self.solve(&own).map_err(|failure| match failure {
                    Failure::Obstructed { heights, factor } => {
                        let heights = lifted_heights(&heights, &classes, &names, sets.stacks());
                        Failure::Obstructed { heights, factor }
                    }
                    failure => failure,
                })?;
                self.nodes.push(node);
                let known = (self.nodes.len() - 1, from_form);
                self.known.insert(form, known);
                known
            }
        };
        let names = to_form.then(&from_form).images().collect();
        Ok(Way { emptied, everywhere, classes, names, game })
    }

    /// Solves a game without stacks that can be left out or merged.
    fn solve(&mut self, sets: &SetFamily) -> Result<Node, Failure> {
        let n = sets.stacks();
        let facets: Vec<StackSet> = sets.iter().collect();
        let base = |cell: Cell, reason| -> Result<Node, Failure> {
            let cells = Cells::new(n, [cell], self.watch)?;
            Ok(Node { sets: sets.clone(), cells, reason })
        };
        match &facets[..] {
            [] => return base(vec![], Reason::Empty),
            [a, b] if a.len() == 1 && b.len() == 1 => return base(vec![0b11], Reason::Pair),
            _ => {}
        }
        let symmetry = Symmetry::of_sets(sets);
        let connected = Components::connected(sets).len() == 1;
        let mut tried: Option<Vec<u32>> = None;
        let mut reason = NotFound::TooLarge { game: game_on(sets) };
        if bounds(n).next().is_none() {
            self.look_into_parts(sets)?;
        }
        for bound in bounds(n) {
            let data = Data::new(sets, bound, self.watch)?;
            if let Some((heights, factor)) = data.obstruction() {
                return Err(Failure::Obstructed { heights, factor });
            }
            let vectors = match connected {
                true => data.vectors(&symmetry, self.watch)?,
                false => Vec::new(),
            };
            let forced = connected && vectors.is_empty() && data.has_zeros();
            drop(data);
            if !connected {
                reason = NotFound::Sum { game: game_on(sets), bound };
            } else if vectors.is_empty() && !forced {
                reason = NotFound::NoVectors { game: game_on(sets), bound };
            } else if tried.as_ref() != Some(&vectors) {
                match self.with_vectors(sets, &symmetry, &vectors, forced, bound) {
                    Err(Failure::NotFound(NotFound::Stopped(stop))) => return Err(stop.into()),
                    Err(Failure::NotFound(why)) => reason = why,
                    done => return done,
                }
                tried = Some(vectors);
            }
            if bound == FIRST_BOUND {
                self.look_into_parts(sets)?;
            }
        }
        Err(Failure::NotFound(reason))
    }

    /// Solves a game if these vectors are invariant or, if `forced` is set, every P-position has an
    /// empty stack.
    fn with_vectors(
        &mut self,
        sets: &SetFamily,
        symmetry: &Symmetry,
        vectors: &[u32],
        forced: bool,
        bound: Height,
    ) -> Result<Node, Failure> {
        let all = StackSet::first(sets.stacks());
        let to_meet: Vec<u32> =
            vectors.iter().copied().chain(forced.then_some(all.bits())).collect();
        let mut ways = Vec::new();
        let mut cells: Vec<Cell> = Vec::new();
        for emptied in transversals(&to_meet) {
            let way = self.way(sets, emptied)?;
            for cell in self.nodes[way.game].cells.list() {
                let lift = |&generator: &u32| lifted(generator, &way.classes, &way.names);
                cells.push(cell.iter().flat_map(lift).chain(vectors.iter().copied()).collect());
            }
            ways.push(way);
        }
        let cells = Cells::new(sets.stacks(), cells, self.watch)?;
        let facets: Vec<StackSet> = sets.iter().collect();
        let weights = weights(&facets, &cells, symmetry, self.watch).map_err(|why| {
            Failure::NotFound(match why {
                NoWeights::Move => NotFound::NotInvariant { game: game_on(sets), bound },
                NoWeights::Overflow => NotFound::Overflow { game: game_on(sets) },
                NoWeights::Stopped(stop) => NotFound::Stopped(stop),
            })
        })?;
        let forced = match forced {
            true => Some(self.cover(sets, symmetry, &cells, bound)?),
            false => None,
        };
        let vectors = vectors.iter().map(|&vector| StackSet::from_bits(vector)).collect();
        let symmetries = symmetry.generators();
        let reason = Reason::Vectors { vectors, forced, ways, symmetries, weights };
        Ok(Node { sets: sets.clone(), cells, reason })
    }

    /// Moves from all positions without empty stacks into the cells.
    fn cover(
        &mut self,
        sets: &SetFamily,
        symmetry: &Symmetry,
        cells: &Cells,
        bound: Height,
    ) -> Result<Covered, Failure> {
        cover(sets, symmetry, cells, self.watch).map_err(|why| {
            Failure::NotFound(match why {
                NoCover::Uncovered => NotFound::NotCovered { game: game_on(sets), bound },
                NoCover::Overflow => NotFound::Overflow { game: game_on(sets) },
                NoCover::Stopped(stop) => NotFound::Stopped(stop),
            })
        })
    }

    /// Looks for obstructions with some of the stacks emptied, few stacks first: there the heights
    /// may be greater.
    fn look_into_parts(&mut self, sets: &SetFamily) -> Result<(), Failure> {
        let all = StackSet::first(sets.stacks());
        let parts = (3..sets.stacks()).flat_map(|size| subsets_of_size(all, size));
        for kept in parts.take(MAX_PARTS) {
            self.watch.check(0)?;
            let smaller = Smaller::new(sets, all - kept);
            let n = smaller.form.stacks();
            if n < 3 || !self.searched.insert(smaller.form.clone()) {
                continue;
            }
            for bound in bounds(n).filter(|&b| Data::positions(n, b).is_some_and(|p| p <= PART)) {
                let data = Data::new(&smaller.form, bound, self.watch)?;
                if let Some((heights, factor)) = data.obstruction() {
                    let Smaller { classes, to_form, .. } = smaller;
                    let heights = lifted_heights(&heights, &classes, &to_form, sets.stacks());
                    return Err(Failure::Obstructed { heights, factor });
                }
            }
        }
        Ok(())
    }
}

/// What is left of a game when stacks are emptied: no stack can be left out or merged.
pub(super) struct Smaller {
    /// The stacks that lie in every set.
    pub(super) everywhere: StackSet,
    /// The stacks that are merged.
    pub(super) classes: Vec<StackSet>,
    /// The canonical form of what is left.
    form: SetFamily,
    /// By class: its name there.
    to_form: Relabelling,
}

impl Smaller {
    pub(super) fn new(sets: &SetFamily, emptied: StackSet) -> Self {
        let n = sets.stacks();
        let facets = SetFamily::listed(n, sets.iter().map(|set| set - emptied)).maximal();
        let everywhere = Cone::common(&facets);
        let left = SetFamily::listed(n, facets.iter().map(|facet| facet - everywhere));
        let mut classes = Merge::classes(&left);
        classes.retain(|class| class.is_subset(left.support()));
        let merged = Merge::merged(&left, &classes);
        let (form, to_form) = canonical_form(&merged, None);
        Smaller { everywhere, classes, form, to_form }
    }
}

/// Brings a position of a smaller game back: the tokens of a merged stack go to its first stack.
fn lifted_heights(
    smaller: &[Height],
    classes: &[StackSet],
    names: &Relabelling,
    stacks: usize,
) -> Vec<Height> {
    let mut heights = vec![0; stacks];
    for (class, name) in classes.iter().zip(names.images()) {
        if let Some(stack) = class.lowest() {
            heights[stack] = smaller[name];
        }
    }
    heights
}

/// The game on these sets, by its name if it has one in this order of the stacks.
pub(super) fn game_on(sets: &SetFamily) -> Game {
    let named = name(sets).filter(|(_, names)| names.is_identity());
    let named = named.and_then(|(family, _)| Game::new(family).ok());
    let listed = || Game::from_rule(&Rule::set_nim(sets.clone())).expect("every stack is in a set");
    named.unwrap_or_else(listed)
}

/// The bounds on heights that are tried one after the other.
fn bounds(stacks: usize) -> impl Iterator<Item = Height> {
    let fits = move |bound: &Height| {
        let most = if *bound == FIRST_BOUND { MAX_POSITIONS } else { SEARCHED };
        Data::positions(stacks, *bound).is_some_and(|positions| positions <= most)
    };
    (1..=5).map(|step| step * FIRST_BOUND).filter(fits)
}

/// The minimal sets of stacks that meet every vector.
fn transversals(vectors: &[u32]) -> Vec<StackSet> {
    let mut found = vec![StackSet::EMPTY];
    for vector in vectors.iter().map(|&vector| StackSet::from_bits(vector)) {
        let longer = |set: &StackSet| -> Vec<StackSet> {
            match set.is_disjoint(vector) {
                true => vector.iter().map(|stack| set.with(stack)).collect(),
                false => vec![*set],
            }
        };
        let mut candidates: Vec<StackSet> = found.iter().flat_map(longer).collect();
        candidates.sort_unstable_by(StackSet::by_size);
        found.clear();
        for set in candidates {
            if !found.iter().any(|smaller| smaller.is_subset(set)) {
                found.push(set);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transversals_are_minimal_and_complete() {
        for vectors in [vec![0b0011, 0b0110, 0b1100], vec![0b10101, 0b01110, 0b11000, 0b00011]] {
            let found = transversals(&vectors);
            for set in (0..32).map(StackSet::from_bits) {
                let meets = |set: StackSet| vectors.iter().all(|v| set.bits() & v != 0);
                let minimal = meets(set) && set.iter().all(|s| !meets(set.without(s)));
                assert_eq!(found.contains(&set), minimal, "{set:?}");
            }
        }
    }
}
