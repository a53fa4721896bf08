//! Taking circuits out of a position until a face is left.

use super::Complex;
use crate::reason::Reason;
use nimatron_game::{Height, StackSet};

/// A position as a sum of circuits and a remainder that lies in a face.
///
/// Taking the remainder is a move to a combination of circuits: that is how such combinations
/// are reached from everywhere (Ehrenborg and Steingrimsson 1996). Each circuit is taken as often
/// as the position allows, so there are at most as many circuits as stacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decomposition {
    /// The circuits, each with how often it was taken.
    pub circuits: Vec<(StackSet, Height)>,
    /// What is left.
    pub remainder: Vec<Height>,
}

impl Decomposition {
    /// The stacks on which something is left.
    pub fn rest(&self) -> StackSet {
        (0..self.remainder.len()).filter(|&s| self.remainder[s] > 0).collect()
    }

    /// The steps, for an explanation.
    pub(crate) fn reasons(&self) -> Vec<Reason> {
        let circuit = |&(circuit, times): &(StackSet, Height)| Reason::Circuit { circuit, times };
        let rest = Reason::Remainder { stacks: self.rest() };
        self.circuits.iter().map(circuit).chain([rest]).collect()
    }
}

impl Complex {
    /// Takes circuits out of a position until what is left lies in a face.
    ///
    /// ```
    /// use nimatron_game::Family;
    /// use nimatron_theory::complex::Complex;
    /// // Opposite stacks of a square are its circuits.
    /// let square = Complex::of(&Family::Circular { n: 4, k: 2 }.rule());
    /// let parts = square.decompose(&[3, 5, 4, 2]);
    /// assert_eq!(parts.circuits.len(), 2);
    /// assert_eq!(parts.remainder, [0, 3, 1, 0]);
    /// ```
    ///
    /// # Panics
    /// If there are not as many heights as stacks.
    pub fn decompose(&self, heights: &[Height]) -> Decomposition {
        assert_eq!(heights.len(), self.stacks(), "heights must match the stacks");
        let mut parts = Decomposition { circuits: Vec::new(), remainder: heights.to_vec() };
        while let Some(circuit) = self.circuit_in(parts.rest()) {
            let least = circuit.iter().map(|s| parts.remainder[s]).min();
            let times = least.expect("circuits are not empty");
            for stack in circuit {
                parts.remainder[stack] -= times;
            }
            parts.circuits.push((circuit, times));
        }
        parts
    }
}
