//! Small linear relations that hold at a giant, and the points that satisfy them.

use nimatron_formula::{Formula, Relation, Term};
use std::collections::HashMap;

/// A linear form: the coefficient of every stack, then the constant.
pub(crate) type Form = Vec<i64>;

/// The coefficients tried: from minus this to this.
fn bound(stacks: usize) -> (i64, i64) {
    match stacks {
        0..=4 => (4, 3),
        5 => (3, 2),
        6 => (2, 1),
        7 => (2, 0),
        _ => (1, 0),
    }
}

/// Finds the relations of points. Giants of the same kind have the same ones, which are put in order only once.
#[derive(Default)]
pub(super) struct Relations {
    known: HashMap<Vec<u64>, Vec<Form>>,
}

impl Relations {
    /// A basis of the linear relations of a point with small coefficients, the simplest first.
    pub(super) fn of(&mut self, point: &[i64]) -> Vec<Form> {
        let coding = Coding::new(point.len());
        let mut found = coding.relations(point);
        found.sort_unstable();
        if let Some(known) = self.known.get(&found) {
            return known.clone();
        }
        let forms = coding.in_order(&found);
        let mut basis = Basis::default();
        let forms: Vec<Form> = forms.into_iter().filter(|form| basis.add(form)).collect();
        self.known.insert(found, forms.clone());
        forms
    }
}

/// All linear relations of a point with small coefficients, the simplest first.
pub(super) fn all_relations(point: &[i64]) -> Vec<Form> {
    let coding = Coding::new(point.len());
    coding.in_order(&coding.relations(point))
}

/// Forms with small coefficients as numbers, a digit for each stack and one for the constant.
struct Coding {
    stacks: usize,
    most: i64,
    constant: i64,
}

impl Coding {
    fn new(stacks: usize) -> Self {
        let (most, constant) = bound(stacks);
        Coding { stacks, most, constant }
    }

    fn place(&self, at: usize) -> u64 {
        ((2 * self.most + 1) as u64).pow(at as u32)
    }

    /// The forms of a point: for an empty stack that it is empty, and all about the other ones.
    fn relations(&self, point: &[i64]) -> Vec<u64> {
        let zero: u64 = (0..self.stacks).map(|s| self.most as u64 * self.place(s)).sum();
        let zero = zero + self.constant as u64 * self.place(self.stacks);
        let empty = (0..self.stacks).filter(|&s| point[s] == 0);
        let mut found: Vec<u64> = empty.map(|s| zero + self.place(s)).collect();
        let stacks: Vec<usize> = (0..self.stacks).filter(|&s| point[s] != 0).collect();
        // Both halves by themselves, then whatever fits together.
        let (first, second) = stacks.split_at(stacks.len() / 2);
        let (left, right) = (self.combinations(point, first), self.combinations(point, second));
        let least: u64 = stacks.iter().map(|&s| self.most as u64 * self.place(s)).sum();
        let base = zero - least - self.constant as u64 * self.place(self.stacks);
        for &(sum, number) in &left {
            for value in -self.constant..=self.constant {
                let from = right.partition_point(|&(other, _)| other < value - sum);
                let fitting = right[from..].iter().take_while(|&&(other, _)| other == value - sum);
                let last = (self.constant - value) as u64 * self.place(self.stacks);
                found.extend(fitting.map(|&(_, other)| base + number + other + last));
            }
        }
        found
    }

    /// All coefficients for some stacks, each with the sum that they give, in order of these.
    fn combinations(&self, point: &[i64], stacks: &[usize]) -> Vec<(i64, u64)> {
        let mut all = vec![(0, 0)];
        for &stack in stacks {
            let mut longer = Vec::with_capacity(all.len() * (2 * self.most + 1) as usize);
            for (sum, number) in all {
                let digits = (0..).zip(-self.most..=self.most);
                let with = |(digit, c): (u64, i64)| {
                    (sum + c * point[stack], number + digit * self.place(stack))
                };
                longer.extend(digits.map(with));
            }
            all = longer;
        }
        all.sort_unstable();
        all
    }

    /// The forms with these numbers, the simplest first; one of a form and its multiples.
    fn in_order(&self, numbers: &[u64]) -> Vec<Form> {
        let forms = numbers.iter().map(|&number| self.form(number));
        // One of a form and its negative: the first coefficient is positive.
        let leading = |form: &Form| {
            let stacks = &form[..form.len() - 1];
            stacks.iter().find(|&&c| c != 0).is_some_and(|&c| c > 0)
        };
        let mut forms: Vec<(usize, Form)> = forms
            .filter(|form| leading(form) && gcd_of(form) == 1)
            .map(|form| (cost(&form), form))
            .collect();
        forms.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| b.1.cmp(&a.1)));
        forms.into_iter().map(|(_, form)| form).collect()
    }

    fn form(&self, number: u64) -> Form {
        let digit = |at: usize| (number / self.place(at) % self.place(1)) as i64;
        let last = (number / self.place(self.stacks)) as i64 - self.constant;
        (0..self.stacks).map(|at| digit(at) - self.most).chain([last]).collect()
    }
}

fn gcd_of(form: &[i64]) -> i64 {
    form.iter().fold(0, |a, &b| nimatron_linear::gcd(a, b.abs()))
}

/// How long an equation is as a text, by counting: many more are looked at than written.
pub(super) fn cost(form: &[i64]) -> usize {
    let stacks = form.len() - 1;
    let mut lengths = [0usize; 2];
    for (at, &c) in form.iter().enumerate().filter(|&(_, &c)| c != 0) {
        let (size, is_constant) = (c.unsigned_abs(), at == stacks);
        let number = if size > 1 || is_constant { size.ilog10() as usize + 1 } else { 0 };
        let name = if is_constant { 0 } else { name_length(at) };
        let side = &mut lengths[usize::from(c < 0)];
        // A plus sign before all but the first.
        *side += usize::from(*side > 0) + number + name;
    }
    // "0" where nothing is, and " = " between the sides.
    lengths.iter().map(|&side| side.max(1)).sum::<usize>() + 3
}

/// How long the name of a stack is.
pub(super) fn name_length(stack: usize) -> usize {
    if stack < 26 { 1 } else { Term::Stack(stack).to_string().len() }
}

/// The sum with these coefficients, positive ones.
pub(super) fn sum(terms: impl Iterator<Item = (Option<usize>, i64)>) -> Term {
    Term::sum(terms.map(|(stack, c)| match stack {
        Some(stack) => Term::scale(c, Term::Stack(stack)),
        None => Term::Constant(c),
    }))
}

/// Both sides of a form, with positive coefficients only.
pub(crate) fn sides(form: &[i64]) -> (Term, Term) {
    let n = form.len() - 1;
    let side = |sign: i64| {
        let terms = form.iter().enumerate().filter(move |(_, c)| c.signum() == sign);
        sum(terms.map(move |(at, c)| ((at < n).then_some(at), c.abs())))
    };
    (side(1), side(-1))
}

/// The equation "the form is zero", the shorter side first.
pub(crate) fn equation(form: &[i64]) -> Formula {
    let (left, right) = sides(form);
    let is_constant = |term: &Term| matches!(term, Term::Constant(_));
    let count = |sign: i64| form.iter().filter(|c| c.signum() == sign).count();
    let swap = is_constant(&left) || !is_constant(&right) && count(-1) < count(1);
    match swap {
        true => Formula::Compare(right, Relation::Equal, left),
        false => Formula::Compare(left, Relation::Equal, right),
    }
}

/// The form that an equation says is zero, if it is linear and without exclusive ors and the like.
pub(super) fn form_of(formula: &Formula, stacks: usize) -> Option<Form> {
    let Formula::Compare(left, Relation::Equal, right) = formula else { return None };
    let mut form = vec![0; stacks + 1];
    (add(left, 1, &mut form) && add(right, -1, &mut form)).then_some(form)
}

/// Adds a multiple of a term to a form; whether it is linear.
fn add(term: &Term, factor: i64, form: &mut Form) -> bool {
    match term {
        Term::Stack(stack) if stack + 1 < form.len() => form[*stack] += factor,
        Term::Constant(value) => *form.last_mut().unwrap_or(&mut 0) += factor * value,
        Term::Scale(by, inner) => return add(inner, factor * by, form),
        Term::Sum(items) => return items.iter().all(|item| add(item, factor, form)),
        _ => return false,
    }
    true
}

/// Independent forms in echelon form.
#[derive(Clone, Debug, Default)]
pub(crate) struct Basis {
    rows: Vec<Vec<i128>>,
}

impl Basis {
    /// Adds a form; whether it is independent of those before.
    pub(crate) fn add(&mut self, form: &[i64]) -> bool {
        let mut row: Vec<i128> = form.iter().map(|&c| c.into()).collect();
        for own in &self.rows {
            let Some(pivot) = own.iter().position(|&c| c != 0) else { continue };
            let (factor, by) = (row[pivot], own[pivot]);
            if factor != 0 {
                row.iter_mut().zip(own).for_each(|(c, o)| *c = *c * by - factor * o);
                reduce(&mut row);
            }
        }
        if row.iter().all(|&c| c == 0) {
            return false;
        }
        let pivot = row.iter().position(|&c| c != 0).unwrap_or(0);
        for own in &mut self.rows {
            let (factor, by) = (own[pivot], row[pivot]);
            if factor != 0 {
                own.iter_mut().zip(&row).for_each(|(c, r)| *c = *c * by - factor * r);
                reduce(own);
            }
        }
        self.rows.push(row);
        true
    }

    /// The forms in the one echelon form that depends on nothing but their span.
    pub(crate) fn normal(mut self) -> Vec<Vec<i128>> {
        for row in &mut self.rows {
            let sign = row.iter().find(|&&c| c != 0).map_or(1, |c| c.signum());
            row.iter_mut().for_each(|c| *c *= sign);
        }
        self.rows.sort_unstable();
        self.rows
    }

    /// Points at which all forms are zero, with heights that are not negative: those stacks that are
    /// not determined by others take all heights up to a bound, so that there are about `most`.
    pub(super) fn points(&self, stacks: usize, most: usize) -> Vec<Vec<i64>> {
        let d = stacks.saturating_sub(self.rows.len()) as u32;
        let fits = |h: &i64| (*h as usize + 1).checked_pow(d).is_some_and(|count| count <= most);
        let height = (1..=64).rev().find(fits).unwrap_or(1);
        let mut points = Vec::new();
        self.each_point(stacks, height, |point| points.push(point.to_vec()));
        points
    }

    /// Goes through the points at which all forms are zero, where those stacks that are not determined by others
    /// take all heights up to a bound; no height is negative.
    pub(super) fn each_point(&self, stacks: usize, height: i64, mut tell: impl FnMut(&[i64])) {
        let pivots: Vec<usize> =
            self.rows.iter().filter_map(|row| row.iter().position(|&c| c != 0)).collect();
        if pivots.contains(&stacks) {
            return;
        }
        let free: Vec<usize> = (0..stacks).filter(|s| !pivots.contains(s)).collect();
        let mut point = vec![0i64; stacks];
        loop {
            if self.complete(&pivots, &mut point) {
                tell(&point);
            }
            let Some(at) = free.iter().position(|&s| point[s] < height) else { break };
            free[..at].iter().for_each(|&s| point[s] = 0);
            point[free[at]] += 1;
        }
    }

    /// Computes the heights that are determined by the others, if they are integers and not negative.
    fn complete(&self, pivots: &[usize], point: &mut [i64]) -> bool {
        pivots.iter().for_each(|&s| point[s] = 0);
        let stacks = point.len();
        // Every row is about one of these stacks, and about none of the others of these.
        for (row, &pivot) in self.rows.iter().zip(pivots) {
            let others: i128 =
                row[..stacks].iter().zip(&*point).map(|(c, &x)| c * i128::from(x)).sum();
            let value = -(others + row[stacks]);
            if row[pivot].abs() != 1 && value % row[pivot] != 0 {
                return false;
            }
            let height = value / row[pivot];
            if height < 0 {
                return false;
            }
            point[pivot] = height as i64;
        }
        true
    }
}

fn reduce(row: &mut [i128]) {
    let divisor = row.iter().copied().fold(0, nimatron_linear::gcd).max(1);
    row.iter_mut().for_each(|c| *c /= divisor);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relations_of_a_giant() {
        let (c, d) = (123_456_789_012, 987_654_321_098);
        let texts: Vec<String> = Relations::default()
            .of(&[0, c + d, c, d, c + d])
            .iter()
            .map(|form| equation(form).to_string())
            .collect();
        assert_eq!(texts, ["a = 0", "b = e", "b = c+d"]);
        let texts: Vec<String> = Relations::default()
            .of(&[c, d, c + d + 1])
            .iter()
            .map(|form| equation(form).to_string())
            .collect();
        assert_eq!(texts, ["c = a+b+1"]);
    }

    #[test]
    fn costs_are_lengths() {
        let form = |number: usize| -> Form {
            (0..5).map(|at| [0, 1, -1, 3, -12][number / 5usize.pow(at) % 5]).collect()
        };
        for number in 1..5usize.pow(5) {
            assert_eq!(cost(&form(number)), equation(&form(number)).to_string().len());
        }
        let mut long = vec![0; 31];
        (long[25], long[26], long[29]) = (1, -3, 1);
        assert_eq!(cost(&long), equation(&long).to_string().len());
    }

    #[test]
    fn points_satisfy_the_forms() {
        let mut basis = Basis::default();
        assert!(basis.add(&[1, 1, -1, 0, 0]) && basis.add(&[0, 1, 0, -2, 0]));
        assert!(!basis.add(&[1, 0, -1, 2, 0]));
        let points = basis.points(4, 500);
        assert!(points.len() > 50);
        assert!(points.iter().all(|p| p[0] + p[1] == p[2] && p[1] == 2 * p[3]));
    }
}
