//! S given by cells: a union of sets spanned by 0/1 vectors. Normal-play SetNim only.
//!
//! Sets of stacks and 0/1 vectors are written as numbers: bit `s` is stack `s`. A *cell* is the set
//! of all sums of its *generators*, each taken any number of times.
//!
//! # Games within games
//!
//! The proof is a list of games, smaller ones first. Each has 0/1 vectors I and cells, whose union S
//! is claimed to be its set of P-positions. Reduce a position p by the vectors until none of
//! them fits any more: then the stacks of some minimal set T that meets every vector are empty, and
//! what is left, p~, is a position of the *child* with the stacks of T emptied. Let S contain the sums
//! of a P-position of a child and vectors of I, for every such T.
//!
//! * (II) If p is not in S, p~ is not a P-position of the child; so a move leads from p~ to a
//!   P-position of the child, and the same move leads from p into S.
//! * (I) Suppose that for a facet A and two cells there is a *weight* y of the stacks with y >= 1 on A,
//!   y.g <= 0 for the generators g of the first cell and y.g >= 0 for those of the second. A move by
//!   A from p in the first to q in the second would have y.p <= 0 <= y.q, but y.(p - q) > 0.
//!
//! A child is made smaller: empty stacks are left out and only the maximal sets kept; stacks that lie
//! in every set are left out, for they are empty in P-positions (with tokens there, empty them and,
//! if the rest is an N-position, play its winning move as well); stacks that lie in the same sets are
//! merged into one that holds their sum. P-positions of the merged game come back by distributing the
//! tokens in all ways, so a generator becomes one generator for each choice of one stack per
//! merged stack.
//!
//! # What is checked
//!
//! * `rule`: SetNim under normal play, not a sum. `size`, `well-formed`: numbers in range.
//! * `base`: the game without stacks has S = {0}, two single stacks have S = equal heights.
//! * `transversal`: there is a child for every T; the checker lists these itself.
//! * `child`: a child is an earlier game of the list, and its facets, under the new names of the
//!   stacks, are those that the checker gets by emptying T.
//! * `cells`: the P-positions of the child, with I added, lie in a cell of the game.
//! * `forced`: where a set of stacks is claimed to contain an empty one in every P-position, T need
//!   meet it as well, and every position that is positive on it has a move into S ([`Forced`]).
//! * `symmetry`: a relabelling permutes the facets and the cells.
//! * `weight`: a weight belongs to a facet and is at least 1 on it.
//! * `stability` (I): for one facet of each class under the symmetries every ordered pair of cells has
//!   a weight.

mod forced;

pub use forced::{Forced, Region};

use nimatron_game::symmetry::{Relabelling, Symmetry};
use nimatron_game::{Game, Play, StackSet, maximal};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// The most facets that a game may have.
const MAX_FACETS: usize = 1 << 12;

/// The most cells, vectors and sets T that a game may have.
const MAX_LIST: usize = 1 << 20;

/// The most generators that the cells of a child have in all.
const MAX_GENERATORS: usize = 1 << 24;

/// The most combinations of a cell and a weight.
const MAX_SERVED: usize = 1 << 31;

/// The most sets T that are compared with each other, and the most generators that are tried to
/// make up others, for one game.
const MAX_TRIALS: u64 = 1 << 33;

/// Games within games, the innermost first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatryoshkaProof {
    /// The games, each with what is known about it.
    pub games: Vec<Nested>,
    /// How the game itself, with no stack emptied, is one of the list.
    pub outermost: Child,
}

/// A game of the list, and its P-positions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Nested {
    /// The number of stacks.
    pub stacks: u32,
    /// The facets.
    pub facets: Vec<u32>,
    /// The cells, each by its generators.
    pub cells: Vec<Vec<u32>>,
    /// Why their union is the set of P-positions.
    pub reason: Reason,
}

/// Why the union of the cells is the set of P-positions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reason {
    /// There is no stack.
    Empty,
    /// There are two stacks, each by itself.
    Pair,
    /// Reduction by vectors.
    Vectors(Vectors),
}

/// The vectors of a game, its children, and the weights.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vectors {
    /// The 0/1 vectors I.
    pub vectors: Vec<u32>,
    /// Sets of stacks that contain an empty one in every P-position.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forced: Vec<Forced>,
    /// A child for each minimal set of stacks that meets all vectors and forced sets.
    pub children: Vec<Child>,
    /// Relabellings, by stack its image, that keep the facets and the cells.
    pub symmetries: Vec<Vec<u32>>,
    /// The weights.
    pub weights: Vec<Weight>,
}

/// A game of the list that is left when stacks are emptied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Child {
    /// The stacks that are emptied.
    pub emptied: u32,
    /// The number of the game in the list.
    pub game: u32,
    /// The stacks of that game: one for each class of merged stacks, the classes in order of their
    /// least stacks.
    pub names: Vec<u32>,
}

/// A weight of the stacks that forbids moves by a facet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weight {
    /// The facet.
    pub facet: u32,
    /// By stack: the weight of a token.
    pub weight: Vec<i64>,
}

/// The obligation that failed, and for which game of the list.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Failed {
    /// `rule`
    #[error("cells describe SetNim games under normal play only, and no sums")]
    Rule,
    /// `size`
    #[error("game {game} is too large to be checked")]
    Size {
        /// Which game.
        game: usize,
    },
    /// `well-formed`
    #[error("game {game}: {part} has the wrong length or an entry out of range")]
    Malformed {
        /// Which game.
        game: usize,
        /// What kind of thing it is.
        part: &'static str,
    },
    /// `base`
    #[error("game {game} is not the base case that it is said to be")]
    Base {
        /// Which game.
        game: usize,
    },
    /// `transversal`
    #[error("game {game} has no child with the stacks {emptied} emptied")]
    Transversal {
        /// Which game.
        game: usize,
        /// The stacks that meet every vector.
        emptied: StackSet,
    },
    /// `child`
    #[error("emptying the stacks {emptied} of game {game} does not lead to the child named")]
    Child {
        /// Which game; the number after the last for the game of the certificate.
        game: usize,
        /// The stacks that are emptied.
        emptied: StackSet,
    },
    /// `cells`
    #[error("no cell of game {game} holds cell {cell} of the child with {emptied} emptied")]
    Cells {
        /// Which game.
        game: usize,
        /// The stacks that are emptied.
        emptied: StackSet,
        /// Which cell of the child.
        cell: usize,
    },
    /// `symmetry`
    #[error("relabelling {number} of game {game} does not permute its facets and cells")]
    Symmetry {
        /// Which game.
        game: usize,
        /// Which relabelling.
        number: usize,
    },
    /// `forced`
    #[error("game {game}: positive on {stacks}, but node {node} shows no move into S")]
    Forced {
        /// Which game.
        game: usize,
        /// The forced set.
        stacks: StackSet,
        /// Which node of its tree.
        node: usize,
    },
    /// `weight`
    #[error("weight {number} of game {game} is not at least 1 on a facet")]
    Weight {
        /// Which game.
        game: usize,
        /// Which weight.
        number: usize,
    },
    /// `stability`
    #[error("game {game}: nothing forbids a move by {facet} from cell {from} to cell {to}")]
    Stability {
        /// Which game.
        game: usize,
        /// The facet.
        facet: StackSet,
        /// The cell before the move.
        from: usize,
        /// The cell after the move.
        to: usize,
    },
}

impl Failed {
    /// The name of the obligation: a word that stays the same.
    pub fn obligation(&self) -> &'static str {
        match self {
            Failed::Rule => "rule",
            Failed::Size { .. } => "size",
            Failed::Malformed { .. } => "well-formed",
            Failed::Base { .. } => "base",
            Failed::Transversal { .. } => "transversal",
            Failed::Child { .. } => "child",
            Failed::Cells { .. } => "cells",
            Failed::Symmetry { .. } => "symmetry",
            Failed::Forced { .. } => "forced",
            Failed::Weight { .. } => "weight",
            Failed::Stability { .. } => "stability",
        }
    }
}

/// Checks every obligation; returns the cells of the game itself.
pub(crate) fn check(game: &Game, proof: &MatryoshkaProof) -> Result<Vec<Vec<u32>>, Failed> {
    let rule = game.single().filter(|rule| rule.is_set_nim()).ok_or(Failed::Rule)?;
    if game.convention() != Play::Normal {
        return Err(Failed::Rule);
    }
    if rule.sets().len() > MAX_FACETS as u64 {
        return Err(Failed::Size { game: proof.games.len() });
    }
    for (number, nested) in proof.games.iter().enumerate() {
        well_formed(number, nested)?;
        match &nested.reason {
            Reason::Empty if nested.stacks == 0 && nested.cells == [[0; 0]] => {}
            Reason::Pair
                if nested.stacks == 2
                    && sorted(nested.facets.clone()) == [0b01, 0b10]
                    && nested.cells == [[0b11]] => {}
            Reason::Vectors(reason) => {
                children(number, &proof.games[..number], nested, reason)?;
                stability(number, nested, reason)?;
            }
            _ => return Err(Failed::Base { game: number }),
        }
    }
    let facets: Vec<u32> = rule.sets().iter().map(StackSet::bits).collect();
    let outermost = &proof.outermost;
    match outermost.emptied {
        0 => lifted(&facets, outermost, proof.games.len(), &proof.games),
        stacks => Err(failed_child(proof.games.len(), stacks)),
    }
}

fn well_formed(game: usize, nested: &Nested) -> Result<(), Failed> {
    let n = nested.stacks as usize;
    let fits = |set: &u32| *set != 0 && u64::from(*set) >> n == 0;
    let require =
        |fine: bool, part| if fine { Ok(()) } else { Err(Failed::Malformed { game, part }) };
    require(n <= nimatron_game::MAX_STACKS, "the number of stacks")?;
    require(nested.facets.iter().all(fits), "a facet")?;
    require(nested.cells.iter().flatten().all(fits), "a generator")?;
    let Reason::Vectors(reason) = &nested.reason else { return Ok(()) };
    require(reason.vectors.len() + reason.forced.len() > 0, "the list of vectors")?;
    require(reason.vectors.iter().all(fits), "a vector")?;
    require(reason.forced.iter().all(|forced| fits(&forced.stacks)), "a forced set")?;
    let permutes = |images: &Vec<u32>| is_permutation(images, n);
    require(reason.symmetries.iter().all(permutes), "a symmetry")?;
    require(reason.weights.iter().all(|w| w.weight.len() == n), "a weight")?;
    let lists = [nested.cells.len(), reason.vectors.len(), reason.forced.len()];
    let long = nested.facets.len() > MAX_FACETS || lists.iter().any(|&length| length > MAX_LIST);
    match long || nested.cells.len().saturating_mul(reason.weights.len()) > MAX_SERVED {
        true => Err(Failed::Size { game }),
        false => Ok(()),
    }
}

/// `transversal`, `child` and `cells`: what (II) rests on.
fn children(
    game: usize,
    earlier: &[Nested],
    nested: &Nested,
    reason: &Vectors,
) -> Result<(), Failed> {
    let cells: HashSet<Vec<u32>> = nested.cells.iter().cloned().map(sorted).collect();
    let forced = reason.forced.iter().map(|forced| forced.stacks);
    let to_meet: Vec<u32> = reason.vectors.iter().copied().chain(forced).collect();
    let mut trials = MAX_TRIALS;
    for emptied in transversals(&to_meet).ok_or(Failed::Size { game })? {
        let child = reason.children.iter().find(|child| child.emptied == emptied);
        let set = StackSet::from_bits(emptied);
        let child = child.ok_or(Failed::Transversal { game, emptied: set })?;
        for (cell, generators) in lifted(&nested.facets, child, game, earlier)?.iter().enumerate() {
            let all = sorted([&generators[..], &reason.vectors].concat());
            let mut holds = |cell: &Vec<u32>| all.iter().all(|&g| is_sum(g, cell, &mut trials));
            if !cells.contains(&all) && !cells.iter().any(&mut holds) {
                let tried = Failed::Cells { game, emptied: set, cell };
                return Err(if trials == 0 { Failed::Size { game } } else { tried });
            }
        }
    }
    Ok(())
}

/// The minimal sets of stacks that meet every vector, or `None` if there are too many.
fn transversals(vectors: &[u32]) -> Option<Vec<u32>> {
    let (mut found, mut trials) = (vec![0], MAX_TRIALS);
    for &vector in vectors {
        let (meeting, missing): (Vec<u32>, Vec<u32>) =
            found.iter().partition(|&&set| set & vector != 0);
        let longer = missing.len() as u64 * u64::from(vector.count_ones());
        trials = trials.checked_sub(longer * meeting.len() as u64 + found.len() as u64)?;
        let stacks = || StackSet::from_bits(vector).iter().map(|stack| 1 << stack);
        let longer = missing.iter().flat_map(|&set| stacks().map(move |stack| set | stack));
        let minimal = |set: &u32| !meeting.iter().any(|&smaller| smaller & !set == 0);
        // Two longer sets never contain each other: each meets the vector in one stack, and the
        // sets they come from do not contain each other.
        let longer: Vec<u32> = longer.filter(minimal).collect();
        found = sorted([&meeting[..], &longer].concat());
        if found.len() > MAX_LIST {
            return None;
        }
    }
    Some(found)
}

/// `child`: empties stacks, makes the game smaller, compares it with the game of the list, and brings
/// the cells of that game back.
fn lifted(
    facets: &[u32],
    child: &Child,
    game: usize,
    earlier: &[Nested],
) -> Result<Vec<Vec<u32>>, Failed> {
    let failed = || failed_child(game, child.emptied);
    let target = earlier.get(child.game as usize).ok_or_else(failed)?;
    let left = facets.iter().map(|facet| StackSet::from_bits(facet & !child.emptied));
    let sets: Vec<u32> = maximal(&left.collect::<Vec<_>>()).iter().map(|set| set.bits()).collect();
    let in_every_set = sets.iter().fold(u32::MAX, |common, set| common & set);
    let sets: Vec<u32> = sets.iter().map(|set| set & !in_every_set).filter(|&s| s != 0).collect();
    // The stacks that are left, by the sets they lie in.
    let mut classes: Vec<u32> = Vec::new();
    for stack in StackSet::from_bits(sets.iter().fold(0, |all, set| all | set)) {
        let same = |class: &&mut u32| {
            let other = class.trailing_zeros();
            sets.iter().all(|set| set >> stack & 1 == set >> other & 1)
        };
        match classes.iter_mut().find(same) {
            Some(class) => *class |= 1 << stack,
            None => classes.push(1 << stack),
        }
    }
    let fits =
        is_permutation(&child.names, classes.len()) && classes.len() == target.stacks as usize;
    if !fits {
        return Err(failed());
    }
    let named = |set: &u32| {
        let met = classes.iter().zip(&child.names).filter(|(class, _)| *class & set != 0);
        met.fold(0, |named, (_, &name)| named | 1 << name)
    };
    if sorted(sets.iter().map(named).collect()) != sorted(target.facets.clone()) {
        return Err(failed());
    }
    let lift = |generator: u32| -> Vec<u32> {
        let met = classes.iter().zip(&child.names).filter(|(_, name)| generator >> **name & 1 == 1);
        met.fold(vec![0], |parts, (&class, _)| {
            let choices = || StackSet::from_bits(class).iter().map(|stack| 1 << stack);
            parts.iter().flat_map(|part| choices().map(move |stack| part | stack)).collect()
        })
    };
    let mut lifted = vec![Vec::new(); target.cells.len()];
    let mut generators = 0;
    for (cell, lifted) in target.cells.iter().zip(&mut lifted) {
        for &generator in cell {
            let parts = lift(generator);
            generators += parts.len();
            if generators > MAX_GENERATORS {
                return Err(Failed::Size { game });
            }
            lifted.extend(parts);
        }
    }
    Ok(lifted)
}

/// Whether a 0/1 vector is found to be a sum of generators: it is then divided into disjoint ones.
/// Nothing is found any more when no trials are left.
fn is_sum(vector: u32, generators: &[u32], trials: &mut u64) -> bool {
    let lowest = vector & vector.wrapping_neg();
    let fits = |&&g: &&u32| g & lowest != 0 && g & !vector == 0;
    *trials = trials.saturating_sub(generators.len() as u64);
    let found = *trials > 0;
    let mut fitting = generators.iter().filter(fits);
    found && (vector == 0 || fitting.any(|g| is_sum(vector & !g, generators, trials)))
}

/// `symmetry`, `forced`, `weight` and `stability`.
fn stability(game: usize, nested: &Nested, reason: &Vectors) -> Result<(), Failed> {
    let facets: HashSet<u32> = nested.facets.iter().copied().collect();
    let cells: HashSet<Vec<u32>> = nested.cells.iter().cloned().map(sorted).collect();
    for (number, images) in reason.symmetries.iter().enumerate() {
        let moved = |cell: &Vec<u32>| sorted(cell.iter().map(|&g| image(images, g)).collect());
        // One to one, so that images within the same finite set are all of it.
        let permutes = facets.iter().all(|&facet| facets.contains(&image(images, facet)))
            && cells.iter().all(|cell| cells.contains(&moved(cell)));
        if !permutes {
            return Err(Failed::Symmetry { game, number });
        }
    }
    for forced in &reason.forced {
        forced::check(nested, &reason.symmetries, forced).map_err(|node| Failed::Forced {
            game,
            stacks: StackSet::from_bits(forced.stacks),
            node,
        })?;
    }
    for (number, weight) in reason.weights.iter().enumerate() {
        let positive =
            |facet: u32| StackSet::from_bits(facet).iter().all(|s| weight.weight[s] >= 1);
        if !facets.contains(&weight.facet) || !positive(weight.facet) {
            return Err(Failed::Weight { game, number });
        }
    }
    let mut done: HashSet<u32> = HashSet::new();
    for &facet in &nested.facets {
        if done.contains(&facet) || unserved(nested, reason, facet).is_some() {
            continue;
        }
        let mut next = vec![facet];
        while let Some(facet) = next.pop() {
            if done.insert(facet) {
                next.extend(reason.symmetries.iter().map(|images| image(images, facet)));
            }
        }
    }
    for &facet in nested.facets.iter().filter(|facet| !done.contains(facet)) {
        if let Some((from, to)) = unserved(nested, reason, facet) {
            let facet = StackSet::from_bits(facet);
            return Err(Failed::Stability { game, facet, from, to });
        }
    }
    Ok(())
}

/// The first ordered pair of cells for which no weight of the facet will do.
fn unserved(nested: &Nested, reason: &Vectors, facet: u32) -> Option<(usize, usize)> {
    let cells = &nested.cells;
    let bit = |set: &[u64], number: usize| set[number / 64] >> (number % 64) & 1 == 1;
    // For each weight the cells that may come first, and those that may come second.
    let mut sides: Vec<(Vec<u64>, Vec<u64>)> = Vec::new();
    for weight in reason.weights.iter().filter(|weight| weight.facet == facet) {
        // At most 32 terms of 64 bits each: no sum leaves the range.
        let value = |g: &u32| -> i128 {
            StackSet::from_bits(*g).iter().map(|s| i128::from(weight.weight[s])).sum()
        };
        let mut side = (vec![0u64; cells.len().div_ceil(64)], vec![0u64; cells.len().div_ceil(64)]);
        for (number, cell) in cells.iter().enumerate() {
            let (first, second) =
                (cell.iter().all(|g| value(g) <= 0), cell.iter().all(|g| value(g) >= 0));
            side.0[number / 64] |= u64::from(first) << (number % 64);
            side.1[number / 64] |= u64::from(second) << (number % 64);
        }
        sides.push(side);
    }
    (0..cells.len()).find_map(|from| {
        let mut served = vec![0u64; cells.len().div_ceil(64)];
        for (_, second) in sides.iter().filter(|(first, _)| bit(first, from)) {
            served.iter_mut().zip(second).for_each(|(word, more)| *word |= more);
        }
        (0..cells.len()).find(|&to| !bit(&served, to)).map(|to| (from, to))
    })
}

fn failed_child(game: usize, emptied: u32) -> Failed {
    Failed::Child { game, emptied: StackSet::from_bits(emptied) }
}

fn image(images: &[u32], set: u32) -> u32 {
    StackSet::from_bits(set).iter().fold(0, |moved, stack| moved | 1 << images[stack])
}

fn is_permutation(images: &[u32], size: usize) -> bool {
    sorted(images.to_vec()).into_iter().eq(0..size as u32) && images.len() == size
}

/// Sorted, each entry once.
fn sorted(mut list: Vec<u32>) -> Vec<u32> {
    list.sort_unstable();
    list.dedup();
    list
}

/// The set as a formula. The P-positions of a game are the same under its symmetries, so one cell of
/// each class is enough.
pub fn formula(game: &Game, cells: &[Vec<u32>]) -> String {
    let symmetries = game.single().map_or(Vec::new(), |rule| Symmetry::of(rule).generators());
    let mut seen: HashSet<Vec<u32>> = HashSet::new();
    let mut spans: Vec<String> = Vec::new();
    let mut symmetric = false;
    for cell in cells.iter().cloned().map(sorted) {
        if seen.contains(&cell) {
            continue;
        }
        let names = cell.iter().map(|&g| StackSet::from_bits(g).to_string()).collect::<Vec<_>>();
        spans.push(match names.is_empty() {
            true => "total = 0".to_string(),
            false => format!("span({})", names.join(", ")),
        });
        let mut next = vec![cell];
        while let Some(cell) = next.pop() {
            let moved = |g: &Relabelling| {
                sorted(cell.iter().map(|&v| g.set(StackSet::from_bits(v)).bits()).collect())
            };
            let images: Vec<_> = symmetries.iter().map(moved).collect();
            symmetric |= images.iter().any(|image| *image != cell);
            if seen.insert(cell) {
                next.extend(images);
            }
        }
    }
    let union = spans.join(" or ");
    if symmetric { format!("sym({union})") } else { union }
}
