//! The elements of a symmetry group, one at a time.

use super::relabelling::Relabelling;

/// Lazy iterator over the elements of a group; see [`super::Symmetry::elements`].
///
/// Every element is a product of one factor from each level of a chain, in exactly one way:
/// the factors run like an odometer.
#[derive(Clone, Debug)]
pub struct Elements {
    levels: Vec<Vec<Relabelling>>,
    /// Which factor of each level is in use; `None` when all elements have been shown.
    wheels: Option<Vec<usize>>,
    /// Entry `i` is the product of the factors of the levels before `i`, the last applied
    /// first.
    products: Vec<Relabelling>,
}

impl Elements {
    /// The products of one factor of each level, the first factors being identities.
    pub(super) fn new(stacks: usize, levels: Vec<Vec<Relabelling>>) -> Self {
        let products = vec![Relabelling::identity(stacks); levels.len() + 1];
        Elements { wheels: Some(vec![0; levels.len()]), levels, products }
    }
}

impl Iterator for Elements {
    type Item = Relabelling;

    fn next(&mut self) -> Option<Relabelling> {
        let wheels = self.wheels.as_mut()?;
        let element = self.products[self.levels.len()];
        let turned = (0..wheels.len()).rev().find(|&i| wheels[i] + 1 < self.levels[i].len());
        match turned {
            None => self.wheels = None,
            Some(first) => {
                wheels[first] += 1;
                wheels[first + 1..].fill(0);
                for (i, &wheel) in wheels.iter().enumerate().skip(first) {
                    self.products[i + 1] = self.levels[i][wheel].then(&self.products[i]);
                }
            }
        }
        Some(element)
    }
}
