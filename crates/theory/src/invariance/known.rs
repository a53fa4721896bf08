//! The invariant vectors that theorems give.

use crate::library::fixed;
use nimatron_game::{Family, StackSet};

/// The invariant vectors of a solved game, in the order in which the process uses them.
///
/// They come with the theorems: CN(5,2), CN(6,3), CN(7,3) and CN(8,3) in their data files, the
/// all-ones vector of CN(n,n-1), both ends of a path, and the vectors of necklaces (Necklace26).
/// Games without known invariant vectors have an empty list.
pub fn known(family: &Family) -> Vec<StackSet> {
    if let Some(theorem) = fixed::all().iter().find(|t| t.family() == family) {
        return theorem.invariants().to_vec();
    }
    match *family {
        Family::Circular { n, k } | Family::Moore { n, k } if k + 1 == n && n >= 2 => {
            vec![StackSet::first(n)]
        }
        Family::Path { n, k } if k < n && 2 * k >= n => vec![[0, n - 1].into_iter().collect()],
        Family::Necklace { n, k, l: 2 } if n == 2 * k && k >= 2 => {
            (1..k).map(|i| [0, i, i + k - 1, n - 1].into_iter().collect()).collect()
        }
        Family::Necklace { n, k, l: 2 } if n + 1 == 2 * k && k >= 2 => {
            let pairs = (1..k - 1).map(|i| [0, i, i + k - 1, n - 1].into_iter().collect());
            let centre = [0, k - 1, n - 1].into_iter().collect();
            pairs.chain([centre]).collect()
        }
        _ => Vec::new(),
    }
}
