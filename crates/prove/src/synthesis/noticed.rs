//! Laws that the P-positions of a table obey, where there is no automaton to learn from.
//!
//! A comparison that holds at one tall P-position may hold by accident; one that holds at all P-positions of a
//! box is evidence, no more. Those are kept that tell P-positions from others, the most telling first.

use super::atoms::{atoms, cost};
use super::exact::closure;
use super::relations::{Basis, Form, equation};
use super::simplify::arranged;
use super::values::{Marks, Points, all_holding, holds};
use nimatron_formula::Formula;
use nimatron_game::{Stop, Watch};

/// The most comparisons besides equations.
const MOST_LAWS: usize = 6;

/// What all P-positions of a table have in common.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Noticed {
    /// Equations, exclusive ors and comparisons that hold at all of them, the most telling first.
    pub laws: Vec<Formula>,
    /// All of them in one formula; of a game with symmetries perhaps one that holds at an image of each
    /// P-position. `None` if nothing was noticed.
    pub formula: Option<Formula>,
    /// How many of the other positions satisfy the formula.
    pub others: usize,
}

/// What the first positions have in common and the others do not. Both are closed under the relabellings.
pub fn noticed(
    stacks: usize,
    inside: &[Vec<i64>],
    outside: &[Vec<i64>],
    symmetries: &[Vec<usize>],
    watch: &dyn Watch,
) -> Result<Noticed, Stop> {
    let (laws, left) = common(stacks, inside, outside, watch)?;
    let mut found = Noticed { others: left, ..Noticed::default() };
    found.formula = (!laws.is_empty()).then(|| arranged(laws.clone()));
    found.laws = laws;
    let group = closure(stacks, symmetries);
    if group.len() == 1 {
        return Ok(found);
    }
    // The first image of each position, and the laws of these.
    let first = |p: &Vec<i64>| {
        let images = group.iter().map(|g| g.iter().map(|&s| p[s]).collect::<Vec<i64>>());
        images.min().unwrap_or_else(|| p.clone())
    };
    let mut images: Vec<Vec<i64>> = inside.iter().map(first).collect();
    images.sort_unstable();
    images.dedup();
    let (laws, _) = common(stacks, &images, outside, watch)?;
    if laws.is_empty() {
        return Ok(found);
    }
    let formula = arranged(laws);
    let here = holds(&formula, &Points::new(outside));
    let mut strangers: Vec<Vec<i64>> =
        outside.iter().enumerate().filter(|(at, _)| here.has(*at)).map(|(_, p)| first(p)).collect();
    strangers.sort_unstable();
    strangers.dedup();
    let formula = Formula::Sym(formula.into());
    let length = |formula: &Formula| formula.to_string().len();
    let known = found.formula.as_ref().map_or(usize::MAX, length);
    if (strangers.len(), length(&formula)) < (left, known) {
        (found.others, found.formula) = (strangers.len(), Some(formula));
    }
    Ok(found)
}

/// Laws of the first positions, and how many of the others obey them.
fn common(
    stacks: usize,
    inside: &[Vec<i64>],
    outside: &[Vec<i64>],
    watch: &dyn Watch,
) -> Result<(Vec<Formula>, usize), Stop> {
    let mut laws: Vec<Formula> =
        equations(stacks, inside, watch)?.iter().map(|form| equation(form)).collect();
    let on = holds(&Formula::And(laws.clone()), &Points::new(outside));
    let others: Vec<Vec<i64>> =
        outside.iter().enumerate().filter(|(at, _)| on.has(*at)).map(|(_, p)| p.clone()).collect();
    let tallest = inside.iter().max_by_key(|p| (p.iter().min().copied(), p.iter().sum::<i64>()));
    let Some(tallest) = tallest.filter(|_| !others.is_empty()) else {
        return Ok((laws, others.len()));
    };
    let (near, far) = (Points::new(inside), Points::new(&others));
    let mut offers: Vec<(usize, Formula, Marks)> = Vec::new();
    for some in atoms(tallest).chunks(64) {
        watch.check(0)?;
        let inside = all_holding(some.iter(), &near);
        let laws = some.iter().zip(inside).filter(|(_, inside)| inside.count() == near.len());
        let laws: Vec<&Formula> = laws.map(|(atom, _)| atom).collect();
        let outside = all_holding(laws.iter().copied(), &far);
        let telling = laws.into_iter().zip(outside).filter(|(_, o)| o.count() < others.len());
        offers.extend(telling.map(|(atom, outside)| (cost(atom), atom.clone(), outside)));
    }
    offers.sort_by_cached_key(|(cost, atom, _)| (*cost, atom.to_string()));
    let mut left = Marks::new(others.len(), |_| true);
    for _ in 0..MOST_LAWS {
        let remaining = left.count();
        let telling =
            |(_, _, outside): &&(usize, Formula, Marks)| left.count_both(outside) < remaining;
        // Few words that exclude many: the logarithm of what is left, and the length.
        let badness = |(cost, _, outside): &(usize, Formula, Marks)| {
            14.0 * ((left.count_both(outside) + 1) as f64).ln() + *cost as f64
        };
        let best = offers.iter().filter(telling).min_by(|a, b| badness(a).total_cmp(&badness(b)));
        let Some((_, atom, outside)) = best else { break };
        laws.push(atom.clone());
        left = left.both(outside);
    }
    Ok((laws, left.count()))
}

/// Independent linear equations of the positions with small coefficients, the shortest first.
fn equations(stacks: usize, points: &[Vec<i64>], watch: &dyn Watch) -> Result<Vec<Form>, Stop> {
    let most: i64 = match stacks {
        0..=5 => 3,
        6 => 2,
        7..=11 => 1,
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

    #[test]
    fn laws_of_a_table() {
        let [p, n] = split(3, 9, |p| p[0] ^ p[1] ^ p[2] == 0);
        let found = noticed(3, &p, &n, &[], &Unlimited).unwrap();
        assert_eq!(found.formula.unwrap().to_string(), "xor(a,b,c) = 0");
        assert_eq!(found.others, 0);
        let [p, n] = split(4, 6, |p| 2 * p[0] == p[1] + p[2] + p[3] && p[1] ^ p[2] ^ p[3] == 0);
        let found = noticed(4, &p, &n, &[], &Unlimited).unwrap();
        assert_eq!(found.formula.unwrap().to_string(), "2a = b+c+d, xor(b,c,d) = 0");
        assert_eq!(found.others, 0);
    }

    #[test]
    fn laws_up_to_symmetry() {
        let is_p = |p: &[i64]| (0..3).any(|s| p[s] == 0 && p[(s + 1) % 3] == p[(s + 2) % 3]);
        let [p, n] = split(3, 6, is_p);
        let found = noticed(3, &p, &n, &[vec![1, 2, 0], vec![1, 0, 2]], &Unlimited).unwrap();
        assert_eq!(found.formula.unwrap().to_string(), "sym(a = 0, b = c)");
        assert_eq!(found.others, 0);
    }
}
