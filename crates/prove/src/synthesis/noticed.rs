//! Laws that the P-positions of a table obey, where there is no automaton to learn from.
//!
//! A comparison that holds at one tall P-position may hold by accident; one that holds at all P-positions of a
//! box is evidence, no more. Those are kept that tell P-positions from others, the most telling first.

use super::atoms::{atoms, cost, xor_of};
use super::exact::closure;
use super::relations::{Basis, Form, equation};
use super::simplify::least_image;
use super::values::{Marks, Points, all_holding, holds};
use nimatron_formula::{Formula, Relation, Term};
use nimatron_game::{Stop, Watch};
use std::collections::HashSet;

/// The most equations besides linear ones, and the most other comparisons.
const MOST_LAWS: usize = 4;

/// Exclusive ors of so many stacks are all looked at.
const MOST_XORED: usize = 10;

/// Equations, exclusive ors and comparisons that hold at all of the first positions, the most telling first; the
/// images of each under the relabellings hold as well and are not listed. Both lists are closed under them.
pub fn noticed(
    stacks: usize,
    inside: &[Vec<i64>],
    outside: &[Vec<i64>],
    symmetries: &[Vec<usize>],
    watch: &dyn Watch,
) -> Result<Vec<Formula>, Stop> {
    let group = closure(stacks, symmetries);
    let images = |law: &Formula| group.iter().map(|g| law.relabel(g)).collect::<Vec<Formula>>();
    let mut laws: Vec<Formula> = Vec::new();
    let mut span = Basis::default();
    for form in equations(stacks, inside, watch)? {
        if span.add(&form) {
            for g in &group {
                let constant = form.last().copied();
                span.add(&g.iter().map(|&s| form[s]).chain(constant).collect::<Form>());
            }
            laws.push(equation(&form));
        }
    }
    let all: Vec<Formula> = laws.iter().flat_map(images).collect();
    let on = holds(&Formula::And(all), &Points::new(outside));
    let others: Vec<Vec<i64>> =
        outside.iter().enumerate().filter(|(at, _)| on.has(*at)).map(|(_, p)| p.clone()).collect();
    let tallest = inside.iter().max_by_key(|p| (p.iter().min().copied(), p.iter().sum::<i64>()));
    let Some(tallest) = tallest.filter(|_| !others.is_empty()) else { return Ok(laws) };
    let (near, far) = (Points::new(inside), Points::new(&others));
    let mut offers: Vec<(usize, Formula, Marks)> = Vec::new();
    let mut known: HashSet<String> = HashSet::new();
    // Of exclusive ors only the shortest are among the comparisons that hold at one position.
    let sets = (1..1u32 << stacks.min(MOST_XORED)).filter(|set| set.count_ones() >= 3);
    let zero = || Term::Constant(0);
    let mut words = atoms(tallest);
    words.extend(sets.map(|set| Formula::Compare(xor_of(set), Relation::Equal, zero())));
    for some in words.chunks(64) {
        watch.check(0)?;
        let inside = all_holding(some.iter(), &near);
        let laws = some.iter().zip(inside).filter(|(_, inside)| inside.count() == near.len());
        for (atom, _) in laws {
            let law = least_image(&group, std::slice::from_ref(atom));
            if known.insert(law.to_string()) {
                let outside = holds(&Formula::And(images(&law)), &far);
                offers.push((cost(&law), law, outside));
            }
        }
    }
    offers.retain(|(.., outside)| outside.count() < others.len());
    offers.sort_by_cached_key(|(cost, law, _)| (*cost, law.to_string()));
    let mut left = Marks::new(others.len(), |_| true);
    // Few words that exclude many: the logarithm of what is left, and the length. What equations say comes first.
    let is_equation = |law: &Formula| matches!(law, Formula::Compare(_, Relation::Equal, _));
    for equations in [true, false] {
        for _ in 0..MOST_LAWS {
            let remaining = left.count();
            let telling = |(_, law, outside): &&(usize, Formula, Marks)| {
                (is_equation(law) || !equations) && left.count_both(outside) < remaining
            };
            let badness = |(cost, _, outside): &(usize, Formula, Marks)| {
                14.0 * ((left.count_both(outside) + 1) as f64).ln() + *cost as f64
            };
            let offers = offers.iter().filter(telling);
            let best = offers.min_by(|a, b| badness(a).total_cmp(&badness(b)));
            let Some((_, law, outside)) = best else { break };
            laws.push(law.clone());
            left = left.both(outside);
        }
    }
    Ok(laws)
}

/// Those of some laws that hold at further positions.
pub fn kept(laws: Vec<Formula>, points: &[Vec<i64>]) -> Vec<Formula> {
    let points = Points::new(points);
    laws.into_iter().filter(|law| holds(law, &points).count() == points.len()).collect()
}

/// Independent linear equations of the positions with small coefficients, the shortest first.
fn equations(stacks: usize, points: &[Vec<i64>], watch: &dyn Watch) -> Result<Vec<Form>, Stop> {
    let most: i64 = match stacks {
        0..=5 => 3,
        6 | 7 => 2,
        8..=11 => 1,
        _ => return Ok(Vec::new()),
    };
    // Taller positions exclude more.
    let mut order: Vec<&Vec<i64>> = points.iter().collect();
    order.sort_by_key(|p| std::cmp::Reverse(p.iter().sum::<i64>()));
    let mut found: Vec<(usize, Form)> = Vec::new();
    let mut form = vec![-most; stacks + 1];
    form[stacks] = 0;
    for number in 0u64.. {
        if number.is_multiple_of(1 << 12) {
            watch.check(0)?;
        }
        let leading = form.iter().find(|&&c| c != 0).is_some_and(|&c| c > 0);
        let zero = |p: &&Vec<i64>| p.iter().zip(&form).map(|(x, c)| x * c).sum::<i64>() == 0;
        if leading && order.iter().all(zero) {
            found.push((super::relations::cost(&form), form.clone()));
        }
        let Some(at) = form[..stacks].iter().position(|&c| c < most) else { break };
        form[..at].iter_mut().for_each(|c| *c = -most);
        form[at] += 1;
    }
    found.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| b.1.cmp(&a.1)));
    let mut basis = Basis::default();
    Ok(found.into_iter().map(|(_, form)| form).filter(|form| basis.add(form)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use nimatron_game::Unlimited;

    /// All points of a box that satisfy a condition, and all others.
    fn split(stacks: usize, max: i64, is_p: impl Fn(&[i64]) -> bool) -> [Vec<Vec<i64>>; 2] {
        let mut lists = [Vec::new(), Vec::new()];
        let mut point = vec![0; stacks];
        loop {
            lists[usize::from(!is_p(&point))].push(point.clone());
            let Some(at) = point.iter().position(|&h| h < max) else { return lists };
            point[..at].iter_mut().for_each(|h| *h = 0);
            point[at] += 1;
        }
    }

    fn texts(laws: &[Formula]) -> Vec<String> {
        laws.iter().map(Formula::to_string).collect()
    }

    #[test]
    fn laws_of_a_table() {
        let [p, n] = split(3, 9, |p| p[0] ^ p[1] ^ p[2] == 0);
        let laws = noticed(3, &p, &n, &[], &Unlimited).unwrap();
        assert_eq!(texts(&laws), ["xor(a,b,c) = 0"]);
        let [p, n] = split(4, 6, |p| 2 * p[0] == p[1] + p[2] + p[3] && p[1] ^ p[2] ^ p[3] == 0);
        let laws = noticed(4, &p, &n, &[], &Unlimited).unwrap();
        assert_eq!(texts(&laws), ["2a = b+c+d", "xor(b,c,d) = 0"]);
    }

    #[test]
    fn images_are_not_listed() {
        // Every stack is at most the sum of the two others.
        let is_p = |p: &[i64]| (0..3).all(|s| p[s] <= p[(s + 1) % 3] + p[(s + 2) % 3]);
        let [p, n] = split(3, 6, is_p);
        let laws = noticed(3, &p, &n, &[vec![1, 2, 0], vec![1, 0, 2]], &Unlimited).unwrap();
        assert_eq!(texts(&laws), ["a <= b+c"]);
    }
}
