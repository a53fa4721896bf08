//! The game itself: its cells, their symmetries, and the weights between them.

use crate::ExportError;
use crate::names;
use nimatron_game::{Game, StackSet};
use nimatron_verify::matryoshka::{MatryoshkaProof, Part};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The most symmetries that are used.
const MAX_SYMMETRIES: usize = 64;

pub(super) struct Outer {
    pub(super) stacks: usize,
    facets: Vec<u32>,
    /// The symmetries of facets and cells that the certificate lists, by stack its image.
    listed: Vec<Vec<u32>>,
    /// Those that are used: the products of the listed ones.
    group: Vec<Vec<u32>>,
    /// What they are called in Coq.
    pub(super) group_name: String,
    /// One cell of each class.
    pub(super) representatives: Vec<Vec<u32>>,
    /// By cell: its place among the images of these, one symmetry after the other.
    pub(super) places: Vec<usize>,
}

impl Outer {
    pub(super) fn new(
        game: &Game,
        proof: &MatryoshkaProof,
        last: &Part,
    ) -> Result<Self, ExportError> {
        let stacks = game.stacks();
        let fits = |&set: &u32| StackSet::from_bits(set).is_subset(StackSet::first(stacks));
        let sets = || last.facets.iter().chain(last.cells.iter().flatten());
        if last.stacks as usize != stacks || !sets().all(fits) {
            return Err(ExportError::Broken("the last part is another game"));
        }
        let facets = sorted(last.facets.clone());
        let lifted: Vec<Vec<u32>> = last.cells.iter().cloned().map(sorted).collect();
        let set: HashSet<&Vec<u32>> = lifted.iter().collect();
        let keeps = |g: &Vec<u32>| {
            images(g, &facets) == facets && lifted.iter().all(|cell| set.contains(&images(g, cell)))
        };
        let permutes = |g: &&Vec<u32>| sorted(g.to_vec()).into_iter().eq(0..stacks as u32);
        let listed: Vec<Vec<u32>> =
            proof.symmetries.iter().filter(permutes).filter(|g| keeps(g)).cloned().collect();
        let mut group = generated(stacks, &listed);
        let group_name = name(&mut group, stacks);
        let (mut representatives, mut place) = (Vec::new(), HashMap::new());
        for cell in &lifted {
            if !place.contains_key(cell) {
                for (number, g) in group.iter().enumerate() {
                    place.entry(images(g, cell)).or_insert((number, representatives.len()));
                }
                representatives.push(cell.clone());
            }
        }
        let each = representatives.len();
        let places = lifted.iter().map(|cell| place[cell].0 * each + place[cell].1).collect();
        Ok(Outer { stacks, facets, listed, group, group_name, representatives, places })
    }

    /// The weights for one facet of each class.
    pub(super) fn weights(&self, proof: &MatryoshkaProof) -> Vec<(u32, Vec<Vec<i64>>)> {
        let mut by_facet: BTreeMap<u32, Vec<Vec<i64>>> = BTreeMap::new();
        for weight in &proof.weights {
            by_facet.entry(weight.facet).or_default().push(weight.weight.clone());
        }
        self.carry(&mut by_facet);
        let mut done: HashSet<u32> = HashSet::new();
        let mut weights = Vec::new();
        for &facet in &self.facets {
            if done.contains(&facet) {
                continue;
            }
            let class = sorted(self.group.iter().map(|g| image(g, facet)).collect());
            let best = class.iter().max_by_key(|&f| by_facet.get(f).map_or(0, Vec::len));
            let best = best.copied().unwrap_or(facet);
            weights.push((best, by_facet.remove(&best).unwrap_or_default()));
            done.extend(class);
        }
        weights
    }

    /// Carries the weights of a facet to its images under the symmetries that are listed. This
    /// matters if there are too many symmetries for all of them to be used.
    fn carry(&self, by_facet: &mut BTreeMap<u32, Vec<Vec<i64>>>) {
        let fits = |rows: &[Vec<i64>]| rows.iter().all(|row| row.len() == self.stacks);
        let mut next: Vec<u32> = by_facet.keys().copied().collect();
        while let Some(facet) = next.pop() {
            let rows = by_facet[&facet].clone();
            if !self.facets.contains(&facet) || !fits(&rows) {
                continue;
            }
            for g in &self.listed {
                let to = image(g, facet);
                if by_facet.get(&to).map_or(0, Vec::len) < rows.len() {
                    by_facet.insert(to, rows.iter().map(|row| moved(g, row)).collect());
                    next.push(to);
                }
            }
        }
    }
}

/// A weight whose stacks have new names.
fn moved(g: &[u32], row: &[i64]) -> Vec<i64> {
    let mut moved = vec![0; row.len()];
    g.iter().zip(row).for_each(|(&stack, &weight)| moved[stack as usize] = weight);
    moved
}

/// All products of symmetries, or the identity alone if there are too many.
fn generated(stacks: usize, generators: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let identity: Vec<u32> = (0..stacks as u32).collect();
    let mut group = vec![identity.clone()];
    let mut next = 0;
    while let Some(g) = group.get(next).cloned() {
        next += 1;
        for generator in generators {
            let product: Vec<u32> = g.iter().map(|&s| generator[s as usize]).collect();
            if !group.contains(&product) {
                group.push(product);
            }
        }
        if group.len() > MAX_SYMMETRIES {
            return vec![identity];
        }
    }
    group
}

/// What the symmetries are called; they are put in the order that the name stands for.
fn name(group: &mut Vec<Vec<u32>>, stacks: usize) -> String {
    let n = stacks as u32;
    let turn = |r: u32| (0..n).map(|i| (i + r) % n).collect::<Vec<u32>>();
    let flip = |r: u32| (0..n).map(|i| (r + n - i) % n).collect::<Vec<u32>>();
    let dihedral: Vec<Vec<u32>> = (0..n).map(turn).chain((0..n).map(flip)).collect();
    let found: HashSet<&Vec<u32>> = group.iter().collect();
    if found.len() == dihedral.len() && dihedral.iter().all(|g| found.contains(g)) {
        *group = dihedral;
        return format!("dihedral {n}");
    }
    match group.len() {
        1 => format!("same {n}"),
        _ => {
            let lists: Vec<String> = group.iter().map(|g| names::list(g)).collect();
            format!("[{}]", lists.join("; "))
        }
    }
}

pub(super) fn image(images: &[u32], set: u32) -> u32 {
    StackSet::from_bits(set).iter().fold(0, |moved, stack| moved | 1 << images[stack])
}

pub(super) fn images(g: &[u32], sets: &[u32]) -> Vec<u32> {
    sorted(sets.iter().map(|&set| image(g, set)).collect())
}

pub(super) fn sorted(mut list: Vec<u32>) -> Vec<u32> {
    list.sort_unstable();
    list.dedup();
    list
}
