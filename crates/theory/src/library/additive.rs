//! Additively closed complexes: the P-positions are the sums of circuits (topic of Horrocks 2010).
//!
//! Sums of circuits can be reached from everywhere: take circuits out of a position as often as
//! they fit; what is left lies in a face. So they are the P-set exactly if no move links two of
//! them, that is, if no integer combination of circuits is non-zero, non-negative and lies
//! within a facet. By Farkas' lemma that is so for a facet F exactly if there is a *weight*: an
//! integer vector `y` with `y >= 1` on F and `y(C) = 0` for every circuit C. (All sums of circuits
//! weigh 0, and every move on F changes the weight.) Conversely, if P is closed under
//! addition, all sums of circuits are P, for the circuits are.
//!
//! Weights and combinations are homogeneous, so that rational ones can be scaled to integer ones;
//! the integer solver therefore decides the question both ways.

use crate::complex::Complex;
use crate::publication::HORROCKS;
use crate::reason::Reason;
use crate::shape::{is_normal_set_nim, list};
use crate::theorem::{Citation, Solution, Statement, Theorem, WinningMove};
use nimatron_game::{Height, Outcome, Play, Rule, StackSet};
use nimatron_linear::omega::{IntegerError, MAX_VARIABLES, Relation, System};
use std::borrow::Cow;

/// The theorem on complexes whose P-positions are closed under addition.
#[derive(Clone, Copy, Debug)]
pub struct AdditiveNim;

impl Theorem for AdditiveNim {
    fn id(&self) -> &str {
        "additive"
    }

    fn games(&self) -> Cow<'static, str> {
        "SetNim whose P-positions are the sums of circuits".into()
    }

    fn citation(&self) -> Citation {
        Citation::whole(HORROCKS).credit(
            "the subject is that of Horrocks; the criterion used was derived for this program",
        )
    }

    fn statement(&self) -> Statement {
        Statement::new(
            "If for every facet there is an integer weight that is positive on its stacks and 0 \
             on every circuit, a position is P exactly if it is a sum of circuits, each with \
             some multiplicity; and P is closed under addition in no other case.",
            r"The $\mathcal{P}$-positions are closed under addition if and only if for every facet $F$
             there is $y \in \mathbb{Z}^V$ with $y_v \ge 1$ for $v \in F$ and $\sum_{v \in C} y_v = 0$
             for every circuit $C$; they are then the sums $\sum_C \lambda_C e_C$ with integers
             $\lambda_C \ge 0$.",
        )
    }

    fn applies(&self, rule: &Rule, play: Play) -> Option<Box<dyn Solution>> {
        if !is_normal_set_nim(rule, play) {
            return None;
        }
        match decide(Complex::of(rule)) {
            Ok(Closure::Closed(solution)) => Some(Box::new(solution)),
            Ok(Closure::Open { .. }) | Err(_) => None,
        }
    }
}

/// Whether the P-positions of a complex are closed under addition.
#[derive(Clone, Debug)]
pub enum Closure {
    /// They are.
    Closed(Additive),
    /// They are not: some move on this facet links two sums of circuits.
    Open {
        /// The facet.
        facet: StackSet,
    },
}

/// Why additive closure was not decided.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Undecided {
    /// More stacks than variables of the solver, or too many facets.
    #[error(
        "additive closure is decided for at most {MAX_VARIABLES} stacks and some thousand facets"
    )]
    TooLarge,
    /// The solver gave up.
    #[error("additive closure is not decided: {0}")]
    Solver(#[from] IntegerError),
}

/// Decides additive closure, with a weight for every facet as the reason if it holds.
pub fn decide(complex: Complex) -> Result<Closure, Undecided> {
    let n = complex.stacks();
    if n > MAX_VARIABLES {
        return Err(Undecided::TooLarge);
    }
    let some_facet = complex.facets().iter().next();
    let mut span = Span::default();
    let mut circuits = Vec::new();
    for circuit in complex.circuits() {
        circuits.push(circuit);
        if let (true, Some(facet)) = (span.insert(circuit) == n, some_facet) {
            // Only the weight 0 vanishes on all circuits.
            return Ok(Closure::Open { facet });
        }
    }
    let facets = list(complex.facets()).ok_or(Undecided::TooLarge)?;
    let mut weights: Vec<Weight> = Vec::new();
    for &facet in &facets {
        let positive = |w: &Weight| facet.iter().all(|s| w[s] >= 1);
        if weights.iter().any(positive) {
            continue;
        }
        match weight(n, &span.basis, facet)? {
            Some(found) => weights.push(found),
            None => return Ok(Closure::Open { facet }),
        }
    }
    Ok(Closure::Closed(Additive { complex, circuits, weights }))
}

/// One integer per stack.
pub type Weight = Vec<i128>;

/// A vector that is at least 1 on the facet and 0 on the circuits of a basis, hence on all.
fn weight(n: usize, basis: &[StackSet], facet: StackSet) -> Result<Option<Weight>, IntegerError> {
    let vector = |set: StackSet| -> Vec<i128> { (0..n).map(|s| set.contains(s).into()).collect() };
    let mut system = System::unbounded(n)?;
    for &circuit in basis {
        system.require(&vector(circuit), 0, Relation::Zero)?;
    }
    for stack in facet {
        system.require(&vector(StackSet::single(stack)), -1, Relation::NonNegative)?;
    }
    system.solve()
}

/// The linear span of 0/1 vectors.
///
/// Independence is decided modulo the prime 2^61 - 1: minors of 0/1 matrices of at most 16 rows
/// are far below it, so that ranks are those over the rationals.
#[derive(Default)]
struct Span {
    basis: Vec<StackSet>,
    /// Reduced rows, each with its pivot.
    rows: Vec<(usize, Vec<u64>)>,
}

const PRIME: u64 = (1 << 61) - 1;

fn times(a: u64, b: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(PRIME)) as u64
}

fn inverse(a: u64) -> u64 {
    // Fermat: a^(p-2).
    let (mut result, mut power, mut exponent) = (1, a, PRIME - 2);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = times(result, power);
        }
        power = times(power, power);
        exponent >>= 1;
    }
    result
}

impl Span {
    /// Adds a vector and returns the rank.
    fn insert(&mut self, set: StackSet) -> usize {
        let mut row: Vec<u64> = (0..MAX_VARIABLES).map(|s| set.contains(s).into()).collect();
        for (pivot, other) in &self.rows {
            let factor = row[*pivot];
            if factor != 0 {
                for (x, &y) in row.iter_mut().zip(other) {
                    *x = (*x + PRIME - times(factor, y)) % PRIME;
                }
            }
        }
        if let Some(pivot) = row.iter().position(|&x| x != 0) {
            let scale = inverse(row[pivot]);
            row.iter_mut().for_each(|x| *x = times(*x, scale));
            self.rows.push((pivot, row));
            self.basis.push(set);
        }
        self.basis.len()
    }
}

/// One additively closed complex.
#[derive(Clone, Debug)]
pub struct Additive {
    complex: Complex,
    circuits: Vec<StackSet>,
    weights: Vec<Weight>,
}

impl Additive {
    /// Weights that prove the closure: each is 0 on every circuit, and for every facet one of
    /// them is positive on its stacks.
    pub fn weights(&self) -> &[Weight] {
        &self.weights
    }

    /// The circuits.
    pub fn circuits(&self) -> &[StackSet] {
        &self.circuits
    }

    /// Whether the position is P. (If circuits can be taken out so that nothing is left, this
    /// happens whichever circuits are taken first: two ways would differ by a move between sums.)
    pub fn is_p(&self, heights: &[Height]) -> bool {
        self.complex.decompose(heights).rest().is_empty()
    }
}

impl Solution for Additive {
    fn stacks(&self) -> usize {
        self.complex.stacks()
    }

    fn outcome(&self, heights: &[Height]) -> Outcome {
        if self.is_p(heights) { Outcome::P } else { Outcome::N }
    }

    fn winning_move(&self, heights: &[Height]) -> Option<WinningMove> {
        let parts = self.complex.decompose(heights);
        let to: Vec<_> = heights.iter().zip(&parts.remainder).map(|(h, r)| h - r).collect();
        let won = !parts.rest().is_empty();
        won.then(|| WinningMove::to(heights, &to, parts.reasons()))
    }

    fn explain(&self, heights: &[Height]) -> Vec<Reason> {
        self.complex.decompose(heights).reasons()
    }

    fn formula(&self) -> Option<String> {
        span_formula(self.stacks(), &self.circuits)
    }
}

/// `span(ad, be, cf)`, if the stacks have letters; `total = 0` if there are no circuits.
pub(crate) fn span_formula(stacks: usize, circuits: &[StackSet]) -> Option<String> {
    if circuits.is_empty() {
        return Some("total = 0".into());
    }
    let mut circuits = circuits.to_vec();
    circuits.sort_unstable_by(StackSet::by_size_and_name);
    let names: Vec<_> = circuits.iter().map(|c| c.to_string()).collect();
    (stacks <= 26).then(|| format!("span({})", names.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Sieve, boxed, check_box, check_tall};
    use nimatron_game::{Family, SetFamily};
    use std::collections::HashSet;

    #[test]
    fn circles_of_six_and_squares() {
        for (n, k, max) in [(4, 2, 8), (6, 3, 5)] {
            let rule = Family::Circular { n, k }.rule();
            check_box(&AdditiveNim, &rule, max);
            check_tall(&AdditiveNim, &rule, 300);
        }
        let rule = Family::Circular { n: 6, k: 3 }.rule();
        let solution = AdditiveNim.applies(&rule, Play::Normal).unwrap();
        assert_eq!(solution.formula().unwrap(), "span(ad, be, cf, ace, bdf)");
    }

    #[test]
    fn an_edge_pair_is_closed_but_not_pointed() {
        let sets = [0b1001, 0b0110].map(StackSet::from_bits);
        let rule = Rule::set_nim(SetFamily::listed(4, sets));
        assert!(Complex::of(&rule).pointed_circuits().is_none());
        check_box(&AdditiveNim, &rule, 7);
    }

    /// Every complex on `n` stacks in which all of them can be played, up to nothing.
    fn complexes(n: usize) -> HashSet<Vec<StackSet>> {
        let all = StackSet::first(n);
        let mut found = HashSet::from([vec![]]);
        for set in all.subsets() {
            let larger: Vec<_> = found
                .iter()
                .map(|sets: &Vec<StackSet>| nimatron_game::maximal(&[&sets[..], &[set]].concat()))
                .collect();
            found.extend(larger);
        }
        let covering =
            |sets: &Vec<StackSet>| sets.iter().fold(StackSet::EMPTY, |u, &s| u | s) == all;
        found.into_iter().filter(covering).collect()
    }

    #[test]
    fn the_decision_is_right_on_all_complexes_with_four_stacks() {
        for n in 1..=4 {
            let max = [0, 6, 6, 6, 6][n];
            let mut closed = 0;
            for sets in complexes(n) {
                let rule = Rule::set_nim(SetFamily::listed(n, sets));
                let complex = Complex::of(&rule);
                let sieve = Sieve::new(&rule, Play::Normal, max);
                // P against the span of circuits, on the box.
                let circuits: Vec<_> = complex.circuits().collect();
                let mut sums = HashSet::from([vec![0; n]]);
                for p in boxed(n, max) {
                    let below = |c: &StackSet| {
                        let less = (0..n).map(|s| p[s].checked_sub(c.contains(s).into()));
                        less.collect::<Option<Vec<Height>>>().is_some_and(|q| sums.contains(&q))
                    };
                    if circuits.iter().any(below) {
                        sums.insert(p);
                    }
                }
                let agree =
                    boxed(n, max).all(|p| (sieve.outcome(&p) == Outcome::P) == sums.contains(&p));
                match decide(complex).unwrap() {
                    Closure::Closed(solution) => {
                        closed += 1;
                        assert!(agree, "{rule:?}");
                        for facet in rule.sets().iter() {
                            let good = |w: &Weight| facet.iter().all(|s| w[s] >= 1);
                            assert!(solution.weights().iter().any(good));
                        }
                        for weight in solution.weights() {
                            for c in solution.circuits() {
                                assert_eq!(c.iter().map(|s| weight[s]).sum::<i128>(), 0);
                            }
                        }
                        check_box(&AdditiveNim, &rule, max.min(4));
                    }
                    Closure::Open { .. } => assert!(!agree, "{rule:?}"),
                }
            }
            assert!(closed > 0);
        }
    }

    #[test]
    fn large_complexes_end_quickly() {
        let moore = Family::Moore { n: 16, k: 8 }.rule();
        assert!(matches!(decide(Complex::of(&moore)), Ok(Closure::Open { .. })));
        let nothing = Complex::new(&SetFamily::listed(2, []));
        assert!(matches!(decide(nothing), Ok(Closure::Closed(_))));
        let large = Family::Moore { n: 32, k: 16 }.rule();
        assert!(matches!(decide(Complex::of(&large)), Err(Undecided::TooLarge)));
        for n in 9..=16 {
            for k in 1..n {
                let circle = Family::Circular { n, k }.rule();
                assert!(decide(Complex::of(&circle)).is_ok(), "CN({n},{k})");
            }
        }
    }
}
