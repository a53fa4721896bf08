//! Elimination of integer unknowns from linear inequalities.
//!
//! Given inequalities in the heights and in unknown integers `t`, find a condition on the heights
//! alone that says: some integers `t` satisfy them all. Bounds of one unknown from below and
//! above are paired (Fourier-Motzkin). That is exact over the integers if all bounds from below,
//! or all from above, have coefficient 1. Where they have not, two things help:
//!
//! * An inequality whose unknowns have a common factor is divided by it and rounded, with the
//!   remainder of the known part as a term. A single unknown can always be treated so.
//! * Otherwise the other unknowns are split by their remainders: `t = m u + r` for each `r` below
//!   `m`, with a new unknown `u`. Then the first rule applies.

use super::CompileError;
use super::graph::{Form, Graph, Literal, gcd};
use super::span::{MAX_COEFFICIENT, bounded};

/// At most so many inequalities at any time.
const MAX_INEQUALITIES: usize = 128;

/// At most so many inequalities over all cases together.
const MAX_WORK: usize = 2048;

/// `form / denominator + free * t >= 0`, where the quotient is known to be an integer.
#[derive(Clone, PartialEq)]
pub(crate) struct Inequality {
    pub(crate) form: Form,
    pub(crate) denominator: i128,
    pub(crate) free: Vec<i128>,
}

/// Whether some integers `t` satisfy all inequalities; `None` if that gets too long.
pub(crate) fn project(
    graph: &mut Graph,
    inequalities: Vec<Inequality>,
) -> Result<Option<Literal>, CompileError> {
    let unknowns = inequalities.first().map_or(0, |i| i.free.len());
    let left = (0..unknowns).collect();
    Projection { graph, work: 0 }.eliminate(inequalities, left)
}

struct Projection<'a> {
    graph: &'a mut Graph,
    work: usize,
}

impl Projection<'_> {
    fn eliminate(
        &mut self,
        inequalities: Vec<Inequality>,
        mut left: Vec<usize>,
    ) -> Result<Option<Literal>, CompileError> {
        let mut current = inequalities;
        loop {
            let mut rounded: Vec<Inequality> = Vec::with_capacity(current.len());
            for inequality in current {
                let Some(inequality) = self.round(inequality)? else { return Ok(None) };
                if !rounded.contains(&inequality) {
                    rounded.push(inequality);
                }
            }
            self.work += rounded.len();
            if rounded.len() > MAX_INEQUALITIES || self.work > MAX_WORK {
                return Ok(None);
            }
            if left.is_empty() {
                let tests = rounded.into_iter().map(|i| self.graph.non_negative(i.form));
                let tests = tests.collect::<Result<_, _>>()?;
                return Ok(Some(self.graph.join(tests, true)));
            }
            let growth = |t: usize| {
                let count = |sign: i128| rounded.iter().filter(|i| i.free[t] * sign > 0).count();
                count(1) * count(-1)
            };
            let exact = left.iter().copied().filter(|&t| is_exact(&rounded, t));
            let Some(t) = exact.min_by_key(|&t| growth(t)) else {
                return self.split(&rounded, &left);
            };
            left.retain(|&other| other != t);
            match pair(&rounded, t) {
                Some(next) => current = next,
                None => return Ok(None),
            }
        }
    }

    /// Divides the inequality by the common factor of its unknowns, rounding the rest down.
    fn round(&mut self, mut inequality: Inequality) -> Result<Option<Inequality>, CompileError> {
        let factor = inequality.free.iter().fold(0, |g, &c| gcd(g, c));
        if factor > 1 {
            let Some(denominator) = bounded(inequality.denominator * factor) else {
                return Ok(None);
            };
            let modulus = denominator.unsigned_abs() as u64;
            let remainder = self.graph.modulo(inequality.form.clone(), modulus)?;
            let rounded = inequality.form.plus(-1, &remainder);
            inequality.form = rounded.ok_or(CompileError::TermTooLarge)?;
            inequality.denominator = denominator;
            inequality.free.iter_mut().for_each(|c| *c /= factor);
        }
        // What divides everything can go.
        let Inequality { form, denominator, .. } = &mut inequality;
        let terms = form.terms.iter().fold(gcd(*denominator, form.constant), |g, t| gcd(g, t.1));
        form.terms.iter_mut().for_each(|t| t.1 /= terms);
        form.constant /= terms;
        *denominator /= terms;
        let fits = form.terms.iter().all(|t| t.1.abs() <= MAX_COEFFICIENT);
        Ok(fits.then_some(inequality))
    }

    /// Splits unknowns by their remainders so that the elimination of another one becomes exact.
    fn split(
        &mut self,
        inequalities: &[Inequality],
        left: &[usize],
    ) -> Result<Option<Literal>, CompileError> {
        // For each unknown to be eliminated: the modulus, and the unknowns to be split by it.
        let plan = |t: usize| {
            let modulus = inequalities.iter().fold(1, |m, i| match i.free[t].abs() {
                0 => m,
                c => m / gcd(m, c) * c,
            });
            let involved = |s: &usize| {
                *s != t
                    && inequalities.iter().any(|i| i.free[t] != 0 && i.free[*s] % i.free[t] != 0)
            };
            (modulus, left.iter().copied().filter(involved).collect::<Vec<_>>())
        };
        let cases =
            |(modulus, split): &(i128, Vec<usize>)| modulus.saturating_pow(split.len() as u32);
        let Some((modulus, split)) = left.iter().map(|&t| plan(t)).min_by_key(cases) else {
            return Ok(None);
        };
        let cases = cases(&(modulus, split.clone()));
        if cases > MAX_WORK as i128 {
            return Ok(None);
        }
        let mut alternatives = Vec::new();
        for case in 0..cases {
            let mut remainders = case;
            let mut these = inequalities.to_vec();
            for &s in &split {
                let remainder = remainders % modulus;
                remainders /= modulus;
                for inequality in &mut these {
                    let coefficient = inequality.free[s];
                    let Some(factor) = bounded(coefficient * modulus) else { return Ok(None) };
                    inequality.free[s] = factor;
                    inequality.form.constant += coefficient * remainder * inequality.denominator;
                }
            }
            match self.eliminate(these, left.to_vec())? {
                Some(literal) => alternatives.push(literal),
                None => return Ok(None),
            }
        }
        Ok(Some(self.graph.join(alternatives, false)))
    }
}

/// Whether pairing the bounds of `t` is exact.
fn is_exact(inequalities: &[Inequality], t: usize) -> bool {
    let unit = |sign: i128| inequalities.iter().all(|i| i.free[t] * sign <= 1);
    unit(1) || unit(-1)
}

/// The inequalities without `t`, and what each two of its bounds from both sides say together.
fn pair(inequalities: &[Inequality], t: usize) -> Option<Vec<Inequality>> {
    let with = |sign: i128| inequalities.iter().filter(move |i| i.free[t] * sign > 0);
    let mut next: Vec<_> = inequalities.iter().filter(|i| i.free[t] == 0).cloned().collect();
    for low in with(1) {
        for high in with(-1) {
            let (a, b) = (low.free[t], -high.free[t]);
            let scaled = Form::constant(0).plus(b * high.denominator, &low.form)?;
            let free = low.free.iter().zip(&high.free).map(|(x, y)| bounded(b * x + a * y));
            next.push(Inequality {
                form: scaled.plus(a * low.denominator, &high.form)?,
                denominator: bounded(low.denominator * high.denominator)?,
                free: free.collect::<Option<_>>()?,
            });
        }
    }
    Some(next)
}
