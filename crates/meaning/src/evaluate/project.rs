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
use super::graph::{Combination, Graph, Literal};
use nimatron_linear::eliminate::{Bounded, Bounds, Row, Shadow};
use nimatron_linear::{Overflow, gcd};

/// Numbers beyond this are not worth their while.
const MAX_COEFFICIENT: i128 = 1 << 24;

/// At most so many inequalities at any time.
const MAX_INEQUALITIES: usize = 128;

/// At most so many inequalities over all cases together.
const MAX_WORK: usize = 2048;

/// `form / denominator + free * t >= 0`, where the quotient is known to be an integer.
#[derive(Clone, PartialEq)]
pub(crate) struct Inequality {
    pub(crate) form: Combination,
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
            let bounded = left.iter().map(|&t| (t, Bounded::new(&rounded, t)));
            let exact = bounded.filter(|(_, bounded)| bounded.exact);
            let Some((t, _)) = exact.min_by_key(|(_, bounded)| bounded.pairs()) else {
                return self.split(&rounded, &left);
            };
            left.retain(|&other| other != t);
            let bounds = Bounds::taken_from(&mut rounded, t);
            let pairs: Result<Vec<Inequality>, Overflow> = bounds.pairs(Shadow::Real).collect();
            let Ok(pairs) = pairs else { return Ok(None) };
            rounded.extend(pairs);
            current = rounded;
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

fn bounded(x: i128) -> Option<i128> {
    (x.abs() <= MAX_COEFFICIENT).then_some(x)
}

impl Row for Inequality {
    type Number = i128;

    fn at(&self, t: usize) -> i128 {
        self.free[t]
    }

    fn combine(&self, a: i128, other: &Inequality, b: i128) -> Result<Inequality, Overflow> {
        let (d, e) = (self.denominator, other.denominator);
        let scaled = Combination::constant(0).plus(a * e, &self.form).ok_or(Overflow)?;
        let free = self.free.iter().zip(&other.free).map(|(x, y)| bounded(a * x + b * y));
        Ok(Inequality {
            form: scaled.plus(b * d, &other.form).ok_or(Overflow)?,
            denominator: bounded(d * e).ok_or(Overflow)?,
            free: free.collect::<Option<_>>().ok_or(Overflow)?,
        })
    }

    fn lower(&mut self, by: i128) -> Result<(), Overflow> {
        let by = by.checked_mul(self.denominator).ok_or(Overflow)?;
        self.form.constant = self.form.constant.checked_sub(by).ok_or(Overflow)?;
        Ok(())
    }
}
