//! Joins: complexes that are put together from parts which do not hinder each other.
//!
//! In the join of two complexes a set is a face exactly if its traces in both parts are. A move
//! may then play in both parts at once, and a position is P exactly if it is P in every part:
//! from such a position every move spoils a part, and in any other one move mends all parts that
//! need it. The circuits of a join are those of its parts.

use crate::complex::Complex;
use crate::publication::ES96;
use crate::reason::Reason;
use crate::recognise::{Recognition, recognise};
use crate::shape::{is_normal_set_nim, list, uniform};
use crate::theorem::{Citation, Solution, Statement, Theorem, WinningMove};
use nimatron_game::{Height, Outcome, Play, Rule, SetFamily, StackSet, Take};
use std::borrow::Cow;

/// The theorem on joins of games the library knows.
#[derive(Clone, Copy, Debug)]
pub struct JoinNim;

impl Theorem for JoinNim {
    fn id(&self) -> &str {
        "join"
    }

    fn games(&self) -> Cow<'static, str> {
        "joins of games that theorems cover".into()
    }

    fn citation(&self) -> Citation {
        Citation::whole(ES96)
    }

    fn statement(&self) -> Statement {
        Statement::new(
            "If the facets are all unions of a facet of one part and a facet of another, on \
             disjoint stacks, a position is P exactly if it is P in every part.",
            r"If the complex is a join $\Delta_1 * \Delta_2$, that is, its facets are the unions $F_1
             \cup F_2$ of facets of $\Delta_1$ and $\Delta_2$, a position is a $\mathcal{P}$-position if
             and only if its restrictions to both parts are.",
        )
    }

    fn applies(&self, rule: &Rule, play: Play) -> Option<Box<dyn Solution>> {
        if !is_normal_set_nim(rule, play) {
            return None;
        }
        let parts = parts(&Complex::of(rule))?;
        if parts.len() < 2 {
            return None;
        }
        let solve = |stacks: StackSet| {
            let solved = recognise(&restriction(rule, stacks)?, play)?;
            Some(Part { stacks: stacks.iter().collect(), solved })
        };
        let parts = parts.into_iter().map(solve).collect::<Option<Vec<_>>>()?;
        Some(Box::new(Join { stacks: rule.stacks(), parts }))
    }
}

/// The finest decomposition of a complex into a join: the stacks of its parts, in the order of
/// their lowest stacks. One part, if it is no join; `None` if there are too many facets to tell.
///
/// Stacks in a common circuit belong together. As long as the parts found so far do not make up
/// the complex, some union of traces is no face, and a circuit inside it joins two parts; a
/// union of traces that is a face determines its facet, so the search for one that is not
/// takes no more steps than there are facets.
pub fn parts(complex: &Complex) -> Option<Vec<StackSet>> {
    let n = complex.stacks();
    let mut parts: Vec<StackSet> = (0..n).map(StackSet::single).collect();
    if let Some(k) = uniform(complex.facets()) {
        // All circuits have k+1 stacks, any k+1 of them; or there are none.
        return Some(if k == n { parts } else { vec![StackSet::first(n)] });
    }
    let facets = list(complex.facets())?;
    loop {
        let traces: Vec<Vec<StackSet>> = parts
            .iter()
            .map(|&part| {
                let traces: Vec<_> = facets.iter().map(|&f| f & part).collect();
                nimatron_game::maximal(&traces)
            })
            .collect();
        let Some(circuit) = unions(&traces).find_map(|union| complex.circuit_in(union)) else {
            return Some(parts);
        };
        let (met, mut rest): (Vec<_>, Vec<_>) =
            parts.iter().partition(|part| !part.is_disjoint(circuit));
        rest.push(met.into_iter().fold(StackSet::EMPTY, |all, part| all | part));
        rest.sort_by_key(|part| part.lowest());
        parts = rest;
    }
}

/// All unions of one trace per part, lazily.
fn unions(traces: &[Vec<StackSet>]) -> impl Iterator<Item = StackSet> {
    let mut wheels = Some(vec![0; traces.len()]);
    std::iter::from_fn(move || {
        let current = wheels.clone()?;
        let chosen = traces.iter().zip(&current).filter_map(|(t, &i)| t.get(i));
        let union = chosen.fold(StackSet::EMPTY, |all, &t| all | t);
        let turn = (0..traces.len()).find(|&i| current[i] + 1 < traces[i].len());
        wheels = turn.map(|i| {
            let mut next = current;
            next[..i].fill(0);
            next[i] += 1;
            next
        });
        Some(union)
    })
}

/// The game on some stacks, renumbered in their order.
fn restriction(rule: &Rule, stacks: StackSet) -> Option<Rule> {
    let order: Vec<usize> = stacks.iter().collect();
    let place = |s: usize| order.iter().position(|&t| t == s).expect("in the part");
    let trace = |facet: StackSet| (facet & stacks).iter().map(place).collect::<StackSet>();
    let sets: Vec<StackSet> = list(rule.sets())?.into_iter().map(trace).collect();
    Some(rule.on(SetFamily::listed(order.len(), sets)))
}

/// A join whose parts are solved.
#[derive(Debug)]
pub struct Join {
    stacks: usize,
    parts: Vec<Part>,
}

#[derive(Debug)]
struct Part {
    stacks: Vec<usize>,
    solved: Recognition,
}

impl Part {
    fn heights(&self, heights: &[Height]) -> Vec<Height> {
        self.stacks.iter().map(|&s| heights[s]).collect()
    }
}

impl Solution for Join {
    fn stacks(&self) -> usize {
        self.stacks
    }

    fn outcome(&self, heights: &[Height]) -> Outcome {
        let lost = |part: &Part| part.solved.outcome(&part.heights(heights)) == Outcome::P;
        if self.parts.iter().all(lost) { Outcome::P } else { Outcome::N }
    }

    fn winning_move(&self, heights: &[Height]) -> Option<WinningMove> {
        let take = self.winning_take(heights)?;
        let to: Vec<Height> = heights.iter().zip(take.iter()).map(|(h, t)| h - t).collect();
        Some(WinningMove::to(heights, &to, self.explain(heights)))
    }

    fn winning_take(&self, heights: &[Height]) -> Option<Take> {
        let mut amounts = vec![0; heights.len()];
        for part in &self.parts {
            if let Some(take) = part.solved.winning_move(&part.heights(heights)) {
                for (&stack, &amount) in part.stacks.iter().zip(take.iter()) {
                    amounts[stack] = amount;
                }
            }
        }
        amounts.iter().any(|&amount| amount > 0).then(|| Take::new(amounts))
    }

    fn explain(&self, heights: &[Height]) -> Vec<Reason> {
        let reason = |part: &Part| Reason::Part {
            stacks: part.stacks.iter().copied().collect(),
            outcome: part.solved.outcome(&part.heights(heights)),
            by: part.solved.theorem.id().to_owned(),
        };
        self.parts.iter().map(reason).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{check_box, check_tall};
    use nimatron_game::Family;

    /// The join of games, their stacks one after the other, then shuffled by `order`.
    fn join(games: &[Rule], order: &[usize]) -> Rule {
        let mut facets = vec![StackSet::EMPTY];
        let mut first = 0;
        for game in games {
            let of = |f: &StackSet| -> Vec<StackSet> {
                game.sets().iter().map(|g| *f | g.shifted(first)).collect()
            };
            facets = facets.iter().flat_map(of).collect();
            first += game.stacks();
        }
        let family = SetFamily::listed(first, facets).relabel(order, first);
        Rule::set_nim(family)
    }

    #[test]
    fn joins_of_known_games() {
        let nim = Family::Nim { n: 2 }.rule();
        let path = Family::Path { n: 3, k: 2 }.rule();
        let moore = Family::Moore { n: 3, k: 2 }.rule();
        let cases = [
            (join(&[nim.clone(), path.clone()], &[4, 0, 1, 2, 3]), 3),
            (join(&[nim.clone(), nim.clone()], &[2, 0, 3, 1]), 6),
            (join(&[moore, nim.clone()], &[0, 3, 1, 4, 2]), 3),
            (join(&[Family::Nim { n: 3 }.rule(), Family::Nim { n: 1 }.rule()], &[0, 1, 2, 3]), 6),
        ];
        for (rule, max) in cases {
            check_box(&JoinNim, &rule, max);
            check_tall(&JoinNim, &rule, 200);
        }
        let long = [Family::Circular { n: 6, k: 4 }.rule(), Family::Path { n: 9, k: 5 }.rule()];
        let order: Vec<usize> = (0..15).collect();
        check_tall(&JoinNim, &join(&long, &order), 300);
    }

    #[test]
    fn parts_are_classes_of_circuits() {
        let mut random = crate::testing::Random::new(3);
        for n in 2..=7 {
            for _ in 0..80 {
                let count = 1 + random.below(6);
                let all = StackSet::first(n);
                let sets: Vec<_> = (0..count)
                    .map(|_| StackSet::from_bits((random.next() | random.next()) as u32) & all)
                    .collect();
                let complex = Complex::new(&SetFamily::listed(n, sets));
                let mut classes: Vec<StackSet> = all.iter().map(StackSet::single).collect();
                for circuit in complex.circuits() {
                    let (met, mut rest): (Vec<_>, Vec<_>) =
                        classes.iter().partition(|c| !c.is_disjoint(circuit));
                    rest.push(met.iter().fold(StackSet::EMPTY, |u, &c| u | c));
                    classes = rest;
                }
                classes.sort_by_key(|c| c.lowest());
                assert_eq!(parts(&complex), Some(classes), "{complex:?}");
            }
        }
    }

    #[test]
    fn what_is_no_join_is_left_alone() {
        for family in [Family::Circular { n: 5, k: 2 }, Family::Moore { n: 32, k: 16 }] {
            assert!(JoinNim.applies(&family.rule(), Play::Normal).is_none());
        }
        assert_eq!(parts(&Complex::of(&Family::Moore { n: 3, k: 3 }.rule())).unwrap().len(), 3);
    }
}
