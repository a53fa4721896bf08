//! Why a formula holds at a position: which image, which alternatives, which conditions.

use crate::ast::{Formula, Relation, Term};
use crate::print::chain_length;
use nimatron_game::Height;
use std::fmt::Write;

/// Why a formula holds at a position.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Witness {
    /// How the position is read: stack `s` of the formula is stack `order[s]` of the position.
    pub order: Vec<usize>,
    /// Of each disjunction on the way, from the outside, the alternative that holds, from 0.
    pub alternatives: Vec<usize>,
    /// What the names introduced by `let` stand for, in the stacks of the position.
    pub names: Vec<(String, Term)>,
    /// The conditions that hold, in the stacks of the position: comparisons and what else is no
    /// conjunction or disjunction.
    pub conditions: Vec<Formula>,
}

impl Formula {
    /// Why the formula holds at a position; `sym` ranges over the `symmetries`, of which each takes
    /// stack `s` to `image[s]`, and the identity. `None` if it does not hold, or if that cannot be
    /// told in terms of comparisons: `span`, `reduced`, `digits` and `then` have no such reasons.
    ///
    /// ```
    /// use nimatron_formula::{Context, Formula};
    /// let formula = Formula::parse("sym(a = 0, b = c)", &Context::new(3)).unwrap();
    /// let turns = [vec![1, 2, 0], vec![2, 0, 1]];
    /// let witness = formula.witness(&[4, 0, 4], &turns).unwrap();
    /// assert_eq!(witness.order, [1, 2, 0]);
    /// let name = |s: usize| ["a", "b", "c"][s].to_string();
    /// assert_eq!(witness.told(&[4, 0, 4], &name), ["b = 0", "c = 4 = a"]);
    /// ```
    pub fn witness(&self, heights: &[Height], symmetries: &[Vec<usize>]) -> Option<Witness> {
        let identity: Vec<usize> = (0..heights.len()).collect();
        let (body, images) = match self {
            Formula::Sym(body) => (&**body, symmetries),
            other => (other, &[][..]),
        };
        let mut orders = std::iter::once(&identity).chain(images);
        orders.find_map(|order| {
            let mut witness = Witness {
                order: order.clone(),
                alternatives: Vec::new(),
                names: Vec::new(),
                conditions: Vec::new(),
            };
            witness.collect(body, heights).then_some(witness)
        })
    }
}

impl Witness {
    /// Adds why the formula holds; `false`, with anything added, if it does not.
    fn collect(&mut self, formula: &Formula, heights: &[Height]) -> bool {
        match formula {
            Formula::And(items) => items.iter().all(|item| self.collect(item, heights)),
            Formula::Or(items) => {
                let before = self.clone();
                for (number, item) in items.iter().enumerate() {
                    self.alternatives.push(number);
                    if self.collect(item, heights) {
                        return true;
                    }
                    *self = before.clone();
                }
                false
            }
            Formula::Compare(left, relation, right) => {
                let (left, right) = (left.relabel(&self.order), right.relabel(&self.order));
                let holds = match (self.value(&left, heights), self.value(&right, heights)) {
                    (Some(l), Some(r)) => relation.holds(l, r),
                    _ => false,
                };
                self.conditions.push(Formula::Compare(left, *relation, right));
                holds
            }
            Formula::Let(name, value, body) => {
                let value = value.relabel(&self.order);
                self.names.push((name.clone(), value));
                self.collect(body, heights)
            }
            Formula::Not(inner) => match &**inner {
                Formula::Compare(left, relation, right) => {
                    let negated = Formula::Compare(left.clone(), relation.negated(), right.clone());
                    self.collect(&negated, heights)
                }
                _ => false,
            },
            Formula::Sym(_) | Formula::Span(_) | Formula::Reduced(_) => false,
            Formula::Digits(_) | Formula::Then(..) => false,
        }
    }

    /// The value of a term in the stacks of the position.
    fn value(&self, term: &Term, heights: &[Height]) -> Option<i128> {
        let all = |items: &[Term]| {
            items.iter().map(|item| self.value(item, heights)).collect::<Option<Vec<i128>>>()
        };
        match term {
            Term::Constant(c) => Some((*c).into()),
            Term::Stack(stack) => heights.get(*stack).map(|&h| h.into()),
            Term::Name(name) => {
                let place = self.names.iter().rposition(|(known, _)| known == name)?;
                let outer = Witness { names: self.names[..place].to_vec(), ..self.clone() };
                outer.value(&self.names[place].1, heights)
            }
            Term::Total => Some(heights.iter().map(|&h| i128::from(h)).sum()),
            Term::Odds => Some(heights.iter().filter(|&h| h % 2 == 1).count() as i128),
            Term::Least => heights.iter().min().map(|&h| h.into()),
            Term::Greatest => heights.iter().max().map(|&h| h.into()),
            Term::Sum(items) => {
                all(items)?.into_iter().try_fold(0i128, |sum, item| sum.checked_add(item))
            }
            Term::Scale(factor, term) => {
                self.value(term, heights)?.checked_mul(i128::from(*factor))
            }
            Term::Min(items) => all(items)?.into_iter().min(),
            Term::Max(items) => all(items)?.into_iter().max(),
            Term::Xor(items) => Some(all(items)?.into_iter().fold(0, |x, item| x ^ item)),
            Term::Mod(term, modulus) => {
                self.value(term, heights)?.checked_rem_euclid(i128::from(*modulus))
            }
        }
    }

    /// The conditions with the numbers that make them true, chain by chain: `a+c = 3+2 = 4+1 = d+e`,
    /// `0 < a < e (0 < 1 < 2)`. Stacks are called by `name`.
    pub fn told(&self, heights: &[Height], name: &dyn Fn(usize) -> String) -> Vec<String> {
        let mut told = Vec::new();
        for (number, (label, term)) in self.names.iter().enumerate() {
            // What is not used further on is not worth telling.
            let uses = |f: &Formula| mentions(f, label);
            let later = self.names[number + 1..].iter().any(|(_, t)| has_name(t, label));
            if later || self.conditions.iter().any(uses) {
                let (text, numbers) = (self.text(term, name), self.numbers(term, heights));
                let value = self.value(term, heights).map_or(String::new(), |v| v.to_string());
                told.push(joined(&[label.clone(), text, numbers, value]));
            }
        }
        let mut rest = &self.conditions[..];
        while !rest.is_empty() {
            let (chain, later) = rest.split_at(chain_length(rest));
            told.push(self.chain(chain, heights, name));
            rest = later;
        }
        told
    }

    fn chain(
        &self,
        chain: &[Formula],
        heights: &[Height],
        name: &dyn Fn(usize) -> String,
    ) -> String {
        let comparisons = chain.iter().filter_map(|item| match item {
            Formula::Compare(left, relation, right) => Some((left, *relation, right)),
            _ => None,
        });
        let comparisons: Vec<(&Term, Relation, &Term)> = comparisons.collect();
        let Some(&(first, ..)) = comparisons.first() else { return String::new() };
        if comparisons.iter().all(|&(_, relation, _)| relation == Relation::Equal) {
            let mut parts = vec![self.text(first, name), self.numbers(first, heights)];
            for &(_, _, term) in &comparisons {
                parts.push(self.numbers(term, heights));
                parts.push(self.text(term, name));
            }
            return joined(&parts);
        }
        let (mut text, mut numbers) = (self.text(first, name), self.numbers(first, heights));
        for &(_, relation, term) in &comparisons {
            // Writing to a string does not fail.
            let _ = write!(text, " {relation} {}", self.text(term, name));
            let _ = write!(numbers, " {relation} {}", self.numbers(term, heights));
        }
        format!("{text} ({numbers})")
    }

    /// A term with its stacks called by `name`.
    fn text(&self, term: &Term, name: &dyn Fn(usize) -> String) -> String {
        write_term(term, &|stack| name(stack), &|label| label.to_string())
    }

    /// A term with heights in place of its stacks, and values in place of names.
    fn numbers(&self, term: &Term, heights: &[Height]) -> String {
        let whole = |term: &Term| self.value(term, heights).map_or("?".into(), |v| v.to_string());
        match term {
            Term::Total | Term::Odds | Term::Least | Term::Greatest => whole(term),
            _ => {
                let height = |stack: usize| heights.get(stack).map_or("?".into(), u64::to_string);
                let named = |label: &str| {
                    let value = whole(&Term::Name(label.to_string()));
                    if value.starts_with('-') { format!("({value})") } else { value }
                };
                write_term(term, &height, &named)
            }
        }
    }
}

/// Parts joined by equals signs, without repeating one that is the same as the one before.
fn joined(parts: &[String]) -> String {
    let mut parts = parts.to_vec();
    parts.dedup();
    parts.join(" = ")
}

fn write_term(
    term: &Term,
    stack: &dyn Fn(usize) -> String,
    label: &dyn Fn(&str) -> String,
) -> String {
    let write = |term: &Term| write_term(term, stack, label);
    let list = |items: &[Term]| items.iter().map(&write).collect::<Vec<_>>().join(",");
    let grouped = |term: &Term| match term {
        Term::Sum(_) => format!("({})", write(term)),
        _ => write(term),
    };
    match term {
        Term::Stack(s) => stack(*s),
        Term::Name(name) => label(name),
        Term::Sum(items) => {
            let mut text = String::new();
            for item in items {
                let item = write(item);
                if !text.is_empty() && !item.starts_with('-') {
                    text.push('+');
                }
                text += &item;
            }
            text
        }
        Term::Scale(-1, term) => format!("-{}", grouped(term)),
        Term::Scale(factor, term) => format!("{factor}*{}", grouped(term)),
        Term::Min(items) => format!("min({})", list(items)),
        Term::Max(items) => format!("max({})", list(items)),
        Term::Xor(items) => format!("xor({})", list(items)),
        Term::Mod(term, modulus) => format!("{} mod {modulus}", grouped(term)),
        Term::Constant(_) | Term::Total | Term::Odds | Term::Least | Term::Greatest => {
            term.to_string()
        }
    }
}

fn mentions(formula: &Formula, name: &str) -> bool {
    match formula {
        Formula::Compare(left, _, right) => has_name(left, name) || has_name(right, name),
        _ => false,
    }
}

fn has_name(term: &Term, name: &str) -> bool {
    match term {
        Term::Name(known) => known == name,
        Term::Sum(items) | Term::Min(items) | Term::Max(items) | Term::Xor(items) => {
            items.iter().any(|item| has_name(item, name))
        }
        Term::Scale(_, term) | Term::Mod(term, _) => has_name(term, name),
        _ => false,
    }
}
