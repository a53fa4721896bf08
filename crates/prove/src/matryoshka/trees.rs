//! The decision trees of certificates.
//!
//! The games of a [`Solution`](super::Solution) have no stacks that can be left out or merged. A
//! certificate knows no merging: where stacks are merged, each of them stands for itself, and a vector is
//! one for each choice of a stack per class. So a part is a game with the sizes of the classes that its
//! stacks stand for; parts with the same sizes, up to symmetry, are shared.

use super::cells::{Cell, is_sum_within, lifted};
use super::cover::Covered;
use super::solution::{Node, Reason, Way};
use nimatron_game::symmetry::{Relabelling, Symmetry};
use nimatron_game::{Game, Height, SetFamily, StackSet};
use nimatron_verify::matryoshka::{self, MatryoshkaProof, Part, Weight};
use std::cell::RefCell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// The most nodes of all trees together.
const MAX_NODES: usize = 1 << 20;

/// The most generators of the cells of all parts together.
const MAX_GENERATORS: usize = 1 << 22;

/// The proof that a solution gives; `None` if it is too large, or if a game in which every P-position has
/// an empty stack stands for one with more stacks.
///
/// `work` counts what is looked at, so that a solution that a stranger wrote takes no longer than it may.
pub(super) fn proof(
    game: &Game,
    nodes: &[Node],
    outermost: &Way,
    work: u64,
) -> Option<MatryoshkaProof> {
    let rule = game.single()?;
    let sets: Vec<u32> = rule.sets().iter().map(StackSet::bits).collect();
    let mut writer = Writer {
        nodes,
        symmetries: nodes.iter().map(|_| None).collect(),
        parts: Vec::new(),
        known: HashMap::new(),
        nodes_left: MAX_NODES,
        generators_left: MAX_GENERATORS,
        work,
    };
    let classes = by_name(outermost, |stacks| stacks.bits())?;
    let mut tree = Vec::new();
    let mut live = StackSet::first(rule.stacks()).bits();
    if sets.len() > 1 {
        tree.extend(outermost.everywhere.iter().map(|s| matryoshka::Node::Empty(s as u32)));
        live &= !outermost.everywhere.bits();
    }
    let part = writer.part(outermost.game, &classes, rule.stacks(), sets, live, tree)?;
    writer.parts.push(part);
    let symmetry = Symmetry::of(rule).generators();
    let images = |g: &Relabelling| g.images().map(|stack| stack as u32).collect();
    Some(MatryoshkaProof {
        formula: None,
        parts: writer.parts,
        symmetries: symmetry.iter().map(images).collect(),
        weights: weights(rule.sets(), &symmetry, nodes.get(outermost.game)?, &classes)?,
    })
}

/// By stack of a smaller game: the stacks that it stands for.
fn by_name(way: &Way, stands_for: impl Fn(StackSet) -> u32) -> Option<Vec<u32>> {
    let mut classes = vec![0; way.classes.len()];
    for (&class, &name) in way.classes.iter().zip(&way.names) {
        *classes.get_mut(name)? = stands_for(class);
    }
    Some(classes)
}

/// Whether each stack stands for itself.
fn is_identity(classes: &[u32]) -> bool {
    classes.iter().enumerate().all(|(stack, &class)| class == 1 << stack)
}

/// All stacks that a set of stacks of a smaller game stands for.
fn spread(classes: &[u32], set: StackSet) -> u32 {
    set.iter().filter_map(|stack| classes.get(stack)).fold(0, |all, class| all | class)
}

/// One vector for each choice of a stack per class.
fn choices(classes: &[u32], vector: u32) -> Vec<u32> {
    let sets: Vec<StackSet> = classes.iter().map(|&class| StackSet::from_bits(class)).collect();
    let names: Vec<usize> = (0..classes.len()).collect();
    lifted(vector, &sets, &names)
}

/// How many these are.
fn count_choices(classes: &[u32], vector: u32) -> usize {
    let met = classes.iter().enumerate().filter(|&(stack, _)| vector >> stack & 1 == 1);
    met.fold(1, |all: usize, (_, class)| all.saturating_mul(class.count_ones() as usize))
}

struct Writer<'a> {
    nodes: &'a [Node],
    /// By game: its symmetries, once they are needed.
    symmetries: Vec<Option<Symmetry>>,
    parts: Vec<Part>,
    /// By game and sizes of classes: the number of the part.
    known: HashMap<(usize, Vec<Height>), usize>,
    nodes_left: usize,
    generators_left: usize,
    work: u64,
}

/// A part in the making.
struct Place<'a> {
    game: usize,
    /// By stack of the game: the stacks of the part.
    classes: &'a [u32],
    facets: &'a [u32],
    cells: &'a [Cell],
    vectors: Vec<u32>,
    stacks: usize,
    /// By vector that was asked about: the cells of which it is a sum, in order.
    spanning: RefCell<HashMap<u32, Vec<u32>>>,
}

impl Place<'_> {
    /// A facet that holds these stacks; 0 if there are none.
    fn facet(&self, live: u32) -> Option<u32> {
        if live == 0 { Some(0) } else { self.facets.iter().copied().find(|f| live & !f == 0) }
    }

    /// The first cell that holds all these vectors.
    fn cell(&self, vectors: &[u32], work: &mut u64) -> Option<u32> {
        let mut spanning = self.spanning.borrow_mut();
        for &vector in vectors {
            if let Entry::Vacant(entry) = spanning.entry(vector) {
                let mut holding = Vec::new();
                for (number, cell) in self.cells.iter().enumerate() {
                    if is_sum_within(vector, cell, work)? {
                        holding.push(number as u32);
                    }
                }
                entry.insert(holding);
            }
        }
        let mut lists: Vec<&Vec<u32>> = vectors.iter().map(|vector| &spanning[vector]).collect();
        lists.sort_unstable_by_key(|list| list.len());
        let Some((rarest, others)) = lists.split_first() else {
            return (!self.cells.is_empty()).then_some(0);
        };
        for number in *rarest {
            *work = work.checked_sub(lists.len() as u64)?;
            if others.iter().all(|list| list.binary_search(number).is_ok()) {
                return Some(*number);
            }
        }
        None
    }
}

impl Writer<'_> {
    /// Counts what is looked at.
    fn spend(&mut self, steps: usize) -> Option<()> {
        self.work = self.work.checked_sub(steps as u64)?;
        Some(())
    }

    /// A part about a game of the list whose stacks stand for classes of stacks.
    fn part(
        &mut self,
        game: usize,
        classes: &[u32],
        stacks: usize,
        facets: Vec<u32>,
        live: u32,
        mut tree: Vec<matryoshka::Node>,
    ) -> Option<Part> {
        let node = self.nodes.get(game)?;
        let mut cells: Vec<Cell> = Vec::new();
        for cell in node.cells.list() {
            for &generator in cell {
                self.spend(count_choices(classes, generator))?;
            }
            let mut all: Cell = cell.iter().flat_map(|&g| choices(classes, g)).collect();
            self.generators_left = self.generators_left.checked_sub(all.len())?;
            all.sort_unstable();
            all.dedup();
            cells.push(all);
        }
        let vectors = match &node.reason {
            Reason::Empty => Vec::new(),
            Reason::Pair => choices(classes, 0b11),
            Reason::Vectors { vectors, .. } => {
                for vector in vectors {
                    self.spend(count_choices(classes, vector.bits()))?;
                }
                vectors.iter().flat_map(|v| choices(classes, v.bits())).collect()
            }
        };
        let place = Place {
            game,
            classes,
            facets: &facets,
            cells: &cells,
            vectors,
            stacks,
            spanning: RefCell::default(),
        };
        match &node.reason {
            Reason::Vectors { forced: Some(covered), .. } if place.facet(live).is_none() => {
                match is_identity(classes) {
                    true => self.forced(&place, covered, &mut tree)?,
                    false => self.go_on(&place, game, classes, &[], &mut tree)?,
                }
            }
            _ => self.tree(&place, live, &mut Vec::new(), &mut tree)?,
        }
        let cells = only_named(cells, &mut tree);
        Some(Part { stacks: stacks as u32, facets, rows: Vec::new(), cells, tree })
    }

    /// Subtracts vectors until none fits any more, and goes on with the smaller game.
    fn tree(
        &mut self,
        place: &Place,
        live: u32,
        path: &mut Vec<u32>,
        tree: &mut Vec<matryoshka::Node>,
    ) -> Option<()> {
        self.nodes_left = self.nodes_left.checked_sub(1)?;
        self.spend(place.facets.len() + place.vectors.len())?;
        if let Some(facet) = place.facet(live) {
            let cell = place.cell(path, &mut self.work)?;
            tree.push(matryoshka::Node::Move { facet, cell, times: Vec::new() });
            return Some(());
        }
        if let Some(&vector) = place.vectors.iter().find(|&vector| vector & !live == 0) {
            tree.push(matryoshka::Node::Subtract(vector));
            path.push(vector);
            for stack in StackSet::from_bits(vector) {
                self.tree(place, live & !(1 << stack), path, tree)?;
            }
            path.pop();
            return Some(());
        }
        let nodes = self.nodes;
        let Reason::Vectors { ways, .. } = &nodes.get(place.game)?.reason else { return None };
        self.spend(ways.len())?;
        let stands_for = |set: StackSet| spread(place.classes, set);
        let way = ways.iter().find(|way| stands_for(way.emptied) & live == 0)?;
        let everywhere = stands_for(way.everywhere) & live;
        let empty = |stack: usize| matryoshka::Node::Empty(stack as u32);
        let left = live & !everywhere;
        tree.extend(StackSet::from_bits(everywhere).iter().map(empty));
        if place.facet(left).is_some() {
            return self.tree(place, left, path, tree);
        }
        let classes = by_name(way, stands_for)?;
        self.go_on(place, way.game, &classes, path, tree)
    }

    /// Goes on with a smaller game whose stacks stand for classes of stacks.
    fn go_on(
        &mut self,
        place: &Place,
        game: usize,
        classes: &[u32],
        path: &[u32],
        tree: &mut Vec<matryoshka::Node>,
    ) -> Option<()> {
        let (part, names) = self.shared(game, classes)?;
        let named = |set: u32| {
            StackSet::from_bits(set).iter().fold(0, |all, stack| all | 1 << names[stack])
        };
        let mut cells = Vec::new();
        for cell in &self.parts[part].cells {
            let all: Cell = cell.iter().map(|&g| named(g)).chain(path.iter().copied()).collect();
            cells.push(place.cell(&all, &mut self.work)?);
        }
        tree.push(matryoshka::Node::Part { part: part as u32, names, cells });
        Some(())
    }

    /// The part about a game with classes of these sizes, and what its stacks are called.
    fn shared(&mut self, game: usize, classes: &[u32]) -> Option<(usize, Vec<u32>)> {
        let node = self.nodes.get(game)?;
        let symmetry = self.symmetries[game].get_or_insert_with(|| Symmetry::of_sets(&node.sets));
        let sizes: Vec<Height> = classes.iter().map(|class| class.count_ones().into()).collect();
        let order = symmetry.to_canonical(&sizes);
        let (classes, sizes) = (order.apply(classes), order.apply(&sizes));
        let names = classes.iter().flat_map(|&class| StackSet::from_bits(class));
        let names: Vec<u32> = names.map(|stack| stack as u32).collect();
        if let Some(&known) = self.known.get(&(game, sizes.clone())) {
            return Some((known, names));
        }
        let mut stacks = 0;
        let mut own = Vec::new();
        for &size in &sizes {
            own.push((0..size as usize).fold(0, |class, s| class | 1 << (stacks + s)));
            stacks += size as usize;
        }
        // Where every P-position has an empty stack, each stack has to stand for itself.
        let forced = matches!(node.reason, Reason::Vectors { forced: Some(_), .. });
        if forced && !is_identity(&own) {
            return None;
        }
        let facets = node.sets.iter().map(|facet| spread(&own, facet)).collect();
        let live = StackSet::first(stacks).bits();
        let part = self.part(game, &own, stacks, facets, live, Vec::new())?;
        self.parts.push(part);
        self.known.insert((game, sizes), self.parts.len() - 1);
        Some((self.parts.len() - 1, names))
    }

    /// Some stack is empty, or the regions of a cover show a move.
    fn forced(
        &mut self,
        place: &Place,
        covered: &Covered,
        tree: &mut Vec<matryoshka::Node>,
    ) -> Option<()> {
        let n = place.stacks;
        let live = StackSet::first(n).bits();
        if place.classes.len() != n || !place.vectors.is_empty() {
            return None;
        }
        for stack in 0..n {
            tree.push(matryoshka::Node::Zero(stack as u32));
            self.tree(place, live & !(1 << stack), &mut Vec::new(), tree)?;
        }
        let regions = covered.tree(place.cells)?;
        self.nodes_left = self.nodes_left.checked_sub(regions.len())?;
        let Some((least, symmetries)) = covered.least() else {
            tree.extend(regions);
            return Some(());
        };
        let orbit: StackSet = symmetries.iter().map(|g| g.image(least)).collect();
        let unit = |stack: usize| (0..n).map(move |s| i64::from(s == stack));
        let mut rows: Vec<(Vec<i64>, i64)> = (0..n).map(|s| (unit(s).collect(), -1)).collect();
        for stack in orbit.without(least) {
            rows.push((unit(stack).zip(unit(least)).map(|(a, b)| a - b).collect(), 0));
        }
        let mut regions = regions;
        let cells = only_named(place.cells.to_vec(), &mut regions);
        let facets = place.facets.to_vec();
        self.parts.push(Part { stacks: n as u32, facets, rows, cells, tree: regions });
        let part = self.parts.len() - 1;
        tree.push(matryoshka::Node::Least(orbit.bits()));
        for stack in orbit {
            let g = symmetries.iter().find(|g| g.image(least) == stack)?;
            let mut cells = Vec::new();
            for cell in &self.parts[part].cells {
                let image: Cell =
                    cell.iter().map(|&v| g.set(StackSet::from_bits(v)).bits()).collect();
                cells.push(place.cell(&image, &mut self.work)?);
            }
            let names = g.images().map(|image| image as u32).collect();
            tree.push(matryoshka::Node::Part { part: part as u32, names, cells });
        }
        Some(())
    }
}

/// The cells that the nodes of a tree name, under new numbers.
fn only_named(cells: Vec<Cell>, tree: &mut [matryoshka::Node]) -> Vec<Cell> {
    fn numbers(node: &mut matryoshka::Node) -> &mut [u32] {
        match node {
            matryoshka::Node::Move { cell, .. } => std::slice::from_mut(cell),
            matryoshka::Node::Part { cells, .. } => cells,
            _ => &mut [],
        }
    }
    let mut new: Vec<Option<u32>> = vec![None; cells.len()];
    tree.iter_mut().flat_map(numbers).for_each(|cell| new[*cell as usize] = Some(0));
    for (count, number) in (0..).zip(new.iter_mut().flatten()) {
        *number = count;
    }
    let named = |cell: &mut u32| *cell = new[*cell as usize].unwrap_or_default();
    tree.iter_mut().flat_map(numbers).for_each(named);
    cells.into_iter().zip(&new).filter(|(_, new)| new.is_some()).map(|(cell, _)| cell).collect()
}

/// The weights of the game itself: each stack has the weight of the one that it is merged into.
fn weights(
    sets: &SetFamily,
    symmetry: &[Relabelling],
    node: &Node,
    classes: &[u32],
) -> Option<Vec<Weight>> {
    let spread_weight = |weight: &[i64]| -> Vec<i64> {
        let class = |s: usize| classes.iter().position(|class| class >> s & 1 == 1);
        (0..sets.stacks())
            .map(|s| class(s).map_or(1, |class| weight.get(class).copied().unwrap_or(0)))
            .collect()
    };
    let everywhere = !classes.iter().fold(0, |all, class| all | class);
    // By facet of the game that is left: the facet of the game itself.
    let facet = |small: StackSet| {
        let (bits, all) = (spread(classes, small), StackSet::first(sets.stacks()).bits());
        sets.iter().find(|set| set.bits() & !everywhere == bits & all).map(StackSet::bits)
    };
    let of_facet = |small: StackSet, weight: &[i64]| {
        Some(Weight { facet: facet(small)?, weight: spread_weight(weight) })
    };
    match &node.reason {
        Reason::Empty => Some(vec![of_facet(StackSet::EMPTY, &[])?]),
        Reason::Pair => Some(vec![
            of_facet(StackSet::from_bits(0b01), &[1, -1])?,
            of_facet(StackSet::from_bits(0b10), &[-1, 1])?,
        ]),
        Reason::Vectors { symmetries, weights, .. } => {
            let mut list = Vec::new();
            let mut served: Vec<u32> = Vec::new();
            let serve = |facet: u32, served: &mut Vec<u32>| {
                let mut next = vec![facet];
                while let Some(facet) = next.pop() {
                    if !served.contains(&facet) {
                        served.push(facet);
                        let set = StackSet::from_bits(facet);
                        next.extend(symmetry.iter().map(|g| g.set(set).bits()));
                    }
                }
            };
            for weight in weights {
                let own = of_facet(StackSet::from_bits(weight.facet), &weight.weight)?;
                serve(own.facet, &mut served);
                list.push(own);
            }
            // A facet may be an image in the smaller game but not in the game itself.
            let identity = Relabelling::identity(node.sets.stacks());
            let mut seen: Vec<u32> = weights.iter().map(|weight| weight.facet).collect();
            let mut next: Vec<(u32, u32, Relabelling)> =
                seen.iter().map(|&facet| (facet, facet, identity)).collect();
            while let Some((from, at, way)) = next.pop() {
                let set = StackSet::from_bits(at);
                if !served.contains(&facet(set)?) {
                    serve(facet(set)?, &mut served);
                    for weight in weights.iter().filter(|weight| weight.facet == from) {
                        list.push(of_facet(set, &way.apply(&weight.weight))?);
                    }
                }
                for g in symmetries {
                    let image = g.set(set).bits();
                    if !seen.contains(&image) {
                        seen.push(image);
                        next.push((from, image, way.then(g)));
                    }
                }
            }
            Some(list)
        }
    }
}
