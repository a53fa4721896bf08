//! Which sets of reachable values to keep, and in which order to visit the stacks.
//!
//! Stacks are visited in a fixed order, the first changing slowest. A move by facet A lowers
//! some of A's stacks among the first j and some of the others. What it can do to the later
//! stacks depends on A's *remainder* (its stacks from j on) alone, so facets whose remainders
//! agree can share what is known of their first part. Two ways of sharing are combined:
//!
//! * *by families*, for the stacks before the `split`: a node stands for a set of facet traces
//!   that have the same family of remainders (a deterministic automaton reading the facets
//!   stack by stack);
//! * *by remainders* from the split on: a node for each remainder, fed by every earlier node
//!   whose family holds it.
//!
//! Where the split goes, and the order of the stacks, only affects speed; both are chosen by
//! counting operations.

use nimatron_game::{Height, StackSet};
use std::collections::BTreeMap;

/// Values reachable by lowering stacks of certain facets among the stacks visited first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Node {
    /// The stack (as a place in the order) after which the node is up to date.
    pub(super) level: usize,
    /// Whether facets that contain the stack lead here: then there is a stored set for each
    /// choice of the later stacks, running along this stack.
    pub(super) stored: bool,
    /// Nodes from which facets that contain the stack lead here.
    pub(super) with: Vec<usize>,
    /// Nodes from which facets that do not contain the stack lead here.
    pub(super) without: Vec<usize>,
}

impl Node {
    /// Whether no other node leads here, so that the stored sets are all there is.
    pub(super) fn is_source(&self) -> bool {
        self.stored && self.with.is_empty() && self.without.is_empty()
    }
}

/// How to compute the values along a line: nodes in the order of their levels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    /// The stacks in the order of visiting.
    pub(super) order: Vec<usize>,
    /// Every node comes after those it is fed by.
    pub(super) nodes: Vec<Node>,
    /// Nodes whose values are reachable leaving the last stack alone.
    pub(super) open: Vec<usize>,
    /// Nodes whose values are reachable with the last stack lowered or not.
    pub(super) closing: Vec<usize>,
    /// Whether the last stack lies in a facet at all.
    pub(super) last_playable: bool,
}

impl Plan {
    /// The cheapest plan found for these facets, on at least one stack with these greatest
    /// heights.
    pub(super) fn new(facets: &[StackSet], max: &[Height]) -> Plan {
        let n = max.len();
        // Empty stacks first, so that lines are long.
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by_key(|&stack| max[stack] > 0);
        let empty = max.iter().filter(|&&m| m == 0).count();
        let mut best = Plan::with_order(&order, facets);
        // Families of all sets of one size look the same in any order.
        let mut improved = facets.len() * n <= 200;
        while improved {
            improved = false;
            for i in empty..n {
                for j in i + 1..n {
                    let mut order = best.order.clone();
                    order.swap(i, j);
                    let plan = Plan::with_order(&order, facets);
                    if plan.cost(max) < best.cost(max) {
                        best = plan;
                        improved = true;
                    }
                }
            }
        }
        best
    }

    /// The cheapest plan that visits the stacks in this order.
    fn with_order(order: &[usize], facets: &[StackSet]) -> Plan {
        let mut place = vec![0; order.len()];
        for (i, &stack) in order.iter().enumerate() {
            place[stack] = i;
        }
        let facets: Vec<u32> = facets.iter().map(|f| f.relabel(&place).bits()).collect();
        let plans = (0..order.len()).map(|split| Builder::run(order, &facets, split));
        plans.min_by_key(Plan::operations).expect("there is at least one stack")
    }

    /// Line operations, roughly.
    fn operations(&self) -> u128 {
        let node = |n: &Node| 4 * usize::from(n.stored) + n.with.len() + 2 * n.without.len();
        let nodes = self.nodes.iter().map(node).sum::<usize>();
        (nodes + self.open.len() + self.closing.len() + 4) as u128
    }

    /// Time per position in arbitrary units: short lines cost more.
    fn cost(&self, max: &[Height]) -> u128 {
        let length = self.order.last().map_or(1, |&last| u128::from(max[last]) + 1);
        self.operations() * 1000 * (length + 16) / length
    }
}

/// Remainders of facets, as bits from the current stack on; sorted, each once.
type Remainders = Vec<u32>;

struct Builder {
    nodes: Vec<Node>,
}

impl Builder {
    fn run(order: &[usize], facets: &[u32], split: usize) -> Plan {
        let last = order.len() - 1;
        let mut builder = Builder { nodes: Vec::new() };
        let mut unplayed: Remainders = facets.to_vec();
        let mut families: BTreeMap<Remainders, usize> = BTreeMap::new();
        for level in 0..split.min(last) {
            families = builder.step_families(level, &families, &unplayed);
            unplayed = passed_by(&unplayed);
        }
        let mut holders: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (family, &node) in &families {
            for &remainder in family {
                holders.entry(remainder).or_default().push(node);
            }
        }
        for &remainder in &unplayed {
            holders.entry(remainder).or_default();
        }
        for level in split.min(last)..last {
            holders = builder.step_remainders(level, holders);
        }
        let take = |remainder| holders.get(&remainder).cloned().unwrap_or_default();
        let closing = take(1);
        let mut open = take(0);
        open.retain(|node| !closing.contains(node));
        Plan {
            order: order.to_vec(),
            nodes: builder.nodes,
            open,
            closing,
            last_playable: facets.iter().any(|f| f >> last & 1 == 1),
        }
    }

    /// Reads one stack with facets grouped by their families of remainders.
    fn step_families(
        &mut self,
        level: usize,
        families: &BTreeMap<Remainders, usize>,
        unplayed: &Remainders,
    ) -> BTreeMap<Remainders, usize> {
        let mut next: BTreeMap<Remainders, Node> = BTreeMap::new();
        let empty = Node { level, stored: false, with: Vec::new(), without: Vec::new() };
        for (family, &node) in families {
            let (with, without) = (played_by(family), passed_by(family));
            if !with.is_empty() {
                let target = next.entry(with).or_insert_with(|| empty.clone());
                target.stored = true;
                target.with.push(node);
            }
            if !without.is_empty() {
                next.entry(without).or_insert_with(|| empty.clone()).without.push(node);
            }
        }
        let first = played_by(unplayed);
        if !first.is_empty() {
            next.entry(first).or_insert_with(|| empty.clone()).stored = true;
        }
        let add = |(family, node): (Remainders, Node)| match (node.stored, &node.without[..]) {
            // Nothing happens here: the node stays what it was.
            (false, &[same]) => (family, same),
            _ => {
                self.nodes.push(node);
                (family, self.nodes.len() - 1)
            }
        };
        next.into_iter().map(add).collect()
    }

    /// Reads one stack with facets grouped by their remainders.
    fn step_remainders(
        &mut self,
        level: usize,
        holders: BTreeMap<u32, Vec<usize>>,
    ) -> BTreeMap<u32, Vec<usize>> {
        let mut next: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (remainder, nodes) in holders {
            let target = next.entry(remainder >> 1).or_default();
            if remainder & 1 == 1 {
                target.push(self.nodes.len());
                self.nodes.push(Node { level, stored: true, with: nodes, without: Vec::new() });
            } else {
                target.extend(nodes);
            }
        }
        for nodes in next.values_mut() {
            nodes.sort_unstable();
            nodes.dedup();
        }
        next
    }
}

/// What remains of the facets that contain the current stack.
fn played_by(family: &[u32]) -> Remainders {
    step(family, 1)
}

/// What remains of the facets that do not contain the current stack.
fn passed_by(family: &[u32]) -> Remainders {
    step(family, 0)
}

fn step(family: &[u32], bit: u32) -> Remainders {
    let mut left: Vec<u32> = family.iter().filter(|&r| r & 1 == bit).map(|r| r >> 1).collect();
    left.sort_unstable();
    left.dedup();
    left
}

#[cfg(test)]
mod tests {
    use super::*;
    use nimatron_game::Family;

    fn stored(family: Family) -> usize {
        let rule = family.rule();
        let facets: Vec<_> = rule.sets().iter().collect();
        let plan = Plan::new(&facets, &vec![7; rule.stacks()]);
        plan.nodes.iter().filter(|n| n.stored).count()
    }

    #[test]
    fn tables_are_few() {
        assert_eq!(stored(Family::Nim { n: 1 }), 0);
        assert!(stored(Family::Nim { n: 4 }) <= 3);
        assert!(stored(Family::Circular { n: 5, k: 2 }) <= 6);
        assert!(stored(Family::Circular { n: 6, k: 3 }) <= 9);
        // By families of remainders only the number of stacks played so far counts.
        assert!(stored(Family::Moore { n: 8, k: 4 }) <= 4 * 7);
    }
}
