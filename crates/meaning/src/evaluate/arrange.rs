//! In which order conditions are tested.
//!
//! Any order is right. A good one shares the tests that alternatives have in common, asks cheap
//! questions first, and of these the ones that are likely to settle the matter.

use super::graph::{Combination, Condition, FALSE, Graph, Literal, TRUE, Value, ValueId};
use std::collections::HashMap;

/// Conditions in the order of their tests.
#[derive(Debug)]
pub(crate) enum Tree {
    Constant(bool),
    Leaf(Literal),
    All(Vec<Tree>),
    Any(Vec<Tree>),
}

/// Arranges the tests of a condition.
pub(crate) fn arrange(graph: &Graph, root: Literal) -> Tree {
    match root {
        TRUE => Tree::Constant(true),
        FALSE => Tree::Constant(false),
        _ => Arranger { graph, costs: value_costs(graph) }.literal(root).tree,
    }
}

/// A tree, what it costs on average and how often it will hold, by rough guess.
struct Weighed {
    tree: Tree,
    cost: f64,
    chance: f64,
}

struct Arranger<'a> {
    graph: &'a Graph,
    costs: Vec<f64>,
}

/// What each value costs to compute, shared among its uses.
fn value_costs(graph: &Graph) -> Vec<f64> {
    let mut uses = vec![0.0_f64; graph.values.len()];
    let mut used = |ids: &mut dyn Iterator<Item = ValueId>| {
        ids.for_each(|id| uses[id as usize] += 1.0);
    };
    for value in &graph.values {
        used(&mut operands(value).into_iter());
    }
    for condition in &graph.conditions {
        if let Condition::Zero(form) | Condition::NonNegative(form) = condition {
            used(&mut form.terms.iter().map(|t| t.0));
        }
    }
    let mut costs: Vec<f64> = Vec::with_capacity(uses.len());
    for (value, uses) in graph.values.iter().zip(uses) {
        // Operands come before what is made of them.
        let inner: f64 = operands(value).iter().map(|&id| 1.0 + costs[id as usize]).sum();
        let own = match value {
            Value::Stack(_) => 0.0,
            Value::Odds { .. } => graph.stacks as f64,
            Value::Mod(_, modulus) if !modulus.is_power_of_two() => 12.0,
            _ => 2.0,
        };
        costs.push((own + inner) / uses.max(1.0));
    }
    costs
}

/// The values a value is computed from.
pub(crate) fn operands(value: &Value) -> Vec<ValueId> {
    match value {
        Value::Stack(_) | Value::Odds { .. } => Vec::new(),
        Value::Linear(form) => form.terms.iter().map(|t| t.0).collect(),
        Value::Min(ids) | Value::Max(ids) | Value::Xor(ids) => ids.clone(),
        Value::Mod(id, _) => vec![*id],
    }
}

impl Arranger<'_> {
    fn literal(&self, literal: Literal) -> Weighed {
        match &self.graph.conditions[literal.condition as usize] {
            Condition::And(items) => self.group(items, true),
            Condition::Or(items) => self.group(items, false),
            _ => {
                let (cost, chance) = self.leaf(literal);
                Weighed { tree: Tree::Leaf(literal), cost, chance }
            }
        }
    }

    /// The cost of a test and how likely it is to hold.
    fn leaf(&self, literal: Literal) -> (f64, f64) {
        let form = |form: &Combination| {
            let terms = form.terms.iter().map(|t| 1.0 + self.costs[t.0 as usize]);
            3.0 + terms.sum::<f64>()
        };
        let (cost, chance) = match &self.graph.conditions[literal.condition as usize] {
            Condition::Zero(f) => (form(f), 0.15),
            Condition::NonNegative(f) => (form(f), 0.5),
            Condition::Span { generators, .. } => (60.0 * generators.len() as f64, 0.05),
            Condition::Digits { .. } => (800.0, 0.05),
            Condition::True | Condition::And(_) | Condition::Or(_) => (1.0, 0.5),
        };
        (cost, if literal.positive { chance } else { 1.0 - chance })
    }

    /// A conjunction (or disjunction). Items that share a part are put together, so that
    /// `A and X or A and Y` becomes `A and (X or Y)`.
    fn group(&self, items: &[Literal], all: bool) -> Weighed {
        let parts: Vec<&[Literal]> = items.iter().map(|item| self.parts(item, all)).collect();
        self.shared(parts.iter().map(|p| p.to_vec()).collect(), all)
    }

    /// The items of a group of the other kind; anything else by itself.
    fn parts<'b>(&'b self, item: &'b Literal, all: bool) -> &'b [Literal] {
        match &self.graph.conditions[item.condition as usize] {
            Condition::Or(inner) if all => inner,
            Condition::And(inner) if !all => inner,
            _ => std::slice::from_ref(item),
        }
    }

    fn shared(&self, items: Vec<Vec<Literal>>, all: bool) -> Weighed {
        let mut counts: HashMap<Literal, usize> = HashMap::new();
        for &literal in items.iter().flatten() {
            *counts.entry(literal).or_default() += 1;
        }
        // Each item goes to the literal it shares with most others; ties to the cheaper one.
        let rank = |&literal: &Literal| {
            let (cost, _) = self.leaf(literal);
            (counts[&literal], std::cmp::Reverse((cost * 1000.0) as u64), literal)
        };
        let mut order = Vec::new();
        let mut groups: HashMap<Literal, Vec<Vec<Literal>>> = HashMap::new();
        let mut children = Vec::new();
        for item in items {
            let best = item.iter().copied().filter(|l| counts[l] > 1).max_by_key(|l| rank(l));
            match best {
                None => children.push(self.sequence(item.iter().map(|&l| self.literal(l)), !all)),
                Some(key) => {
                    let rest = item.into_iter().filter(|&l| l != key).collect();
                    let members = groups.entry(key).or_default();
                    if members.is_empty() {
                        order.push(key);
                    }
                    members.push(rest);
                }
            }
        }
        for key in order {
            let members = groups.remove(&key).unwrap_or_default();
            let head = self.literal(key);
            // An item that is nothing but the key makes the others superfluous.
            if members.iter().any(Vec::is_empty) {
                children.push(head);
            } else {
                let rest = self.shared(members, all);
                children.push(self.sequence([head, rest], !all));
            }
        }
        self.sequence(children, all)
    }

    /// Puts the parts of a conjunction (or disjunction) into the order of least cost.
    fn sequence(&self, parts: impl IntoIterator<Item = Weighed>, all: bool) -> Weighed {
        let mut parts: Vec<Weighed> = parts.into_iter().collect();
        if parts.len() == 1 {
            return parts.remove(0);
        }
        let goes_on = |p: &Weighed| if all { p.chance } else { 1.0 - p.chance };
        let key = |p: &Weighed| p.cost / (1.0 - goes_on(p)).max(1e-9);
        parts.sort_by(|p, q| key(p).total_cmp(&key(q)));
        let (mut cost, mut reached) = (0.0, 1.0);
        for part in &parts {
            cost += reached * part.cost;
            reached *= goes_on(part);
        }
        let chance = if all { reached } else { 1.0 - reached };
        let mut trees = Vec::new();
        for part in parts {
            match part.tree {
                Tree::All(inner) if all => trees.extend(inner),
                Tree::Any(inner) if !all => trees.extend(inner),
                tree => trees.push(tree),
            }
        }
        Weighed { tree: if all { Tree::All(trees) } else { Tree::Any(trees) }, cost, chance }
    }
}
