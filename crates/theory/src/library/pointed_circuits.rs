//! Pointed circuit complexes (Ehrenborg and Steingrimsson 1996).
//!
//! If each circuit owns a stack that lies in no other circuit, the P-positions are the sums of
//! circuits. The heights of the own stacks say how often each circuit must occur; it remains to
//! compare. From any other position, take circuits out as often as they fit: what is left lies in
//! a face, and taking it is a winning move.

use crate::complex::{Complex, Pointed};
use crate::library::additive::span_formula;
use crate::publication::ES96;
use crate::reason::Reason;
use crate::shape::is_normal_set_nim;
use crate::theorem::{Citation, Solution, Statement, Theorem, WinningMove};
use nimatron_game::{Height, Outcome, Play, Rule};
use std::borrow::Cow;

/// The theorem on complexes whose circuits are all pointed.
#[derive(Clone, Copy, Debug)]
pub struct PointedCircuitsNim;

impl Theorem for PointedCircuitsNim {
    fn id(&self) -> &str {
        "pointed-circuits"
    }

    fn games(&self) -> Cow<'static, str> {
        "SetNim in which every circuit owns a stack".into()
    }

    fn citation(&self) -> Citation {
        Citation::item(ES96, "Theorem 3.2")
    }

    fn statement(&self) -> Statement {
        Statement::new(
            "If every circuit (minimal set that is no face) owns a stack that lies in no other \
             circuit, a position is P exactly if it is a sum of circuits, each with some \
             multiplicity.",
            r"If every circuit $C$ of the complex contains a vertex that lies in no other circuit, the
             $\mathcal{P}$-positions are exactly the sums $\sum_C \lambda_C e_C$ with integers
             $\lambda_C \ge 0$, where $e_C$ is the $0/1$ vector of $C$.",
        )
    }

    fn applies(&self, rule: &Rule, play: Play) -> Option<Box<dyn Solution>> {
        if !is_normal_set_nim(rule, play) {
            return None;
        }
        Some(Box::new(PointedCircuits::new(Complex::of(rule))?))
    }
}

/// One pointed circuit complex.
#[derive(Clone, Debug)]
pub struct PointedCircuits {
    complex: Complex,
    circuits: Vec<Pointed>,
}

impl PointedCircuits {
    /// The complex, if all its circuits are pointed.
    pub fn new(complex: Complex) -> Option<Self> {
        let circuits = complex.pointed_circuits()?;
        Some(PointedCircuits { complex, circuits })
    }

    /// Whether the position is P.
    pub fn is_p(&self, heights: &[Height]) -> bool {
        let mut sums = vec![0u128; heights.len()];
        for pointed in &self.circuits {
            let own = pointed.own.lowest().expect("pointed circuits own a stack");
            for stack in pointed.circuit {
                sums[stack] += u128::from(heights[own]);
            }
        }
        sums.iter().zip(heights).all(|(&sum, &height)| sum == height.into())
    }
}

impl Solution for PointedCircuits {
    fn stacks(&self) -> usize {
        self.complex.stacks()
    }

    fn outcome(&self, heights: &[Height]) -> Outcome {
        if self.is_p(heights) { Outcome::P } else { Outcome::N }
    }

    fn winning_move(&self, heights: &[Height]) -> Option<WinningMove> {
        if self.is_p(heights) {
            return None;
        }
        let parts = self.complex.decompose(heights);
        let to: Vec<_> = heights.iter().zip(&parts.remainder).map(|(h, r)| h - r).collect();
        Some(WinningMove::to(heights, &to, parts.reasons()))
    }

    fn explain(&self, heights: &[Height]) -> Vec<Reason> {
        self.complex.decompose(heights).reasons()
    }

    fn formula(&self) -> Option<String> {
        let circuits: Vec<_> = self.circuits.iter().map(|p| p.circuit).collect();
        span_formula(self.stacks(), &circuits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{check_box, check_tall};
    use nimatron_game::{Family, SetFamily, StackSet};

    #[test]
    fn the_example_of_the_paper() {
        let rule = Family::Necklace { n: 5, k: 3, l: 2 }.rule();
        check_box(&PointedCircuitsNim, &rule, 7);
        let solution = PointedCircuits::new(Complex::of(&rule)).unwrap();
        let (a, b, c) = (5, 7, 11);
        assert!(solution.is_p(&[a + b, c, a, b, a + c]));
        assert_eq!(solution.formula().unwrap(), "span(ad, be, ace)");
    }

    #[test]
    fn all_pointed_complexes_with_few_stacks() {
        let mut random = crate::testing::Random::new(5);
        let mut found = 0;
        for n in 1..=6 {
            for _ in 0..60 {
                let all = StackSet::first(n);
                let count = 1 + random.below(6);
                let sets: Vec<_> = (0..count)
                    .map(|_| StackSet::from_bits((random.next() | random.next()) as u32) & all)
                    .collect();
                let rule = Rule::set_nim(SetFamily::listed(n, sets));
                if PointedCircuitsNim.applies(&rule, Play::Normal).is_some() {
                    found += 1;
                    check_box(&PointedCircuitsNim, &rule, [0, 9, 7, 5, 4, 3, 2][n]);
                    check_tall(&PointedCircuitsNim, &rule, 20);
                }
            }
        }
        assert!(found > 40, "{found}");
    }

    #[test]
    fn long_pointed_complexes() {
        // Disjoint circuits: a join of boundaries of simplices.
        let circuits = [0b111u32, 0b11 << 3, 0b11111 << 5];
        let n = 10;
        let avoids = |set: u32| circuits.iter().all(|c| set & c != *c);
        let faces = (0..1u32 << n).filter(|&s| avoids(s)).map(StackSet::from_bits);
        let rule = Rule::set_nim(SetFamily::listed(n, faces.collect::<Vec<_>>()));
        check_tall(&PointedCircuitsNim, &rule, 300);
    }

    #[test]
    fn other_complexes_are_left_alone() {
        let h = Family::Necklace { n: 6, k: 3, l: 2 }.rule();
        assert!(PointedCircuitsNim.applies(&h, Play::Normal).is_none());
        let moore = Family::Moore { n: 32, k: 16 }.rule();
        assert!(PointedCircuitsNim.applies(&moore, Play::Normal).is_none());
    }
}
