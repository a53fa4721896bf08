//! Looking for invariant vectors in a table.

use nimatron_game::symmetry::Symmetry;
use nimatron_game::{Height, Position, Rule, StackSet, Stop, Watch};
use std::collections::HashSet;

/// What a table says about a vector.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Evidence {
    /// No pair of positions of the box speaks against it.
    Holds {
        /// How many pairs of P-positions differ by the vector.
        pairs: u64,
    },
    /// A P-position that the vector leads to an N-position, with that position.
    Refuted {
        /// The P-position.
        p: Position,
        /// The N-position: the P-position with the vector added or subtracted once.
        n: Position,
    },
}

/// A candidate vector with its evidence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Vector {
    /// The stacks of the vector, the least of its images under the game's symmetries.
    pub stacks: StackSet,
    /// All images.
    pub images: Vec<StackSet>,
    /// What the table says.
    pub evidence: Evidence,
}

/// Tests all 0/1 vectors, up to the symmetries of the rule, on all P-positions of a box.
///
/// `p_positions` must be all P-positions with heights up to `max`, in any order; then a vector
/// that holds is invariant as far as the box can tell. For a refuted vector the pair reported is
/// the one of least total, then least in lexicographic order of the P-position.
pub fn detect(
    rule: &Rule,
    max: &[Height],
    p_positions: &[Position],
    watch: &dyn Watch,
) -> Result<Vec<Vector>, Stop> {
    let n = rule.stacks();
    let mut sorted: Vec<&Position> = p_positions.iter().collect();
    sorted.sort_by_cached_key(|p| (p.total(), &p[..]));
    watch.check(0)?;
    let known: HashSet<&[Height]> = p_positions.iter().map(|p| &p[..]).collect();
    let symmetry = Symmetry::of(rule);
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    let mut candidates: Vec<StackSet> = StackSet::first(n).subsets().collect();
    candidates.sort_unstable_by(StackSet::by_size);
    for stacks in candidates {
        if !seen.insert(stacks) {
            continue;
        }
        let images = images(stacks, &symmetry);
        seen.extend(images.iter().copied());
        let evidence = test(stacks, max, &sorted, &known, watch)?;
        found.push(Vector { stacks, images, evidence });
    }
    Ok(found)
}

/// The images of a set of stacks under symmetries, sorted.
pub fn images(stacks: StackSet, symmetry: &Symmetry) -> Vec<StackSet> {
    let generators = symmetry.generators();
    let mut images = vec![stacks];
    let mut next = 0;
    while let Some(&image) = images.get(next) {
        next += 1;
        for moved in generators.iter().map(|g| g.set(image)) {
            if !images.contains(&moved) {
                images.push(moved);
            }
        }
    }
    images.sort_unstable();
    images
}

fn test(
    stacks: StackSet,
    max: &[Height],
    p_positions: &[&Position],
    known: &HashSet<&[Height]>,
    watch: &dyn Watch,
) -> Result<Evidence, Stop> {
    let mut pairs = 0;
    for (i, p) in p_positions.iter().enumerate() {
        if i % 4096 == 0 {
            watch.check(0)?;
        }
        let mut moved = p.to_vec();
        if stacks.iter().all(|s| p[s] > 0) {
            stacks.iter().for_each(|s| moved[s] -= 1);
            if !known.contains(&moved[..]) {
                return Ok(refuted(p, moved));
            }
            stacks.iter().for_each(|s| moved[s] += 1);
        }
        if stacks.iter().all(|s| p[s] < max[s]) {
            stacks.iter().for_each(|s| moved[s] += 1);
            if !known.contains(&moved[..]) {
                return Ok(refuted(p, moved));
            }
            pairs += 1;
        }
    }
    Ok(Evidence::Holds { pairs })
}

fn refuted(p: &Position, n: Vec<Height>) -> Evidence {
    let n = Position::new(n).expect("within the box");
    Evidence::Refuted { p: p.clone(), n }
}
