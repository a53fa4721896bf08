//! The named families of games, and the move sets each of them stands for.

use crate::rule::{Amounts, Choice, Rule};
use crate::sets::{SetFamily, Sizes};
use crate::stacks::{MAX_STACKS, StackSet};

/// A named family of move sets. Numbers are the ones of the notation: `CN(7,3)` is
/// `Circular { n: 7, k: 3 }`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum Family {
    /// `Nim(n)`: every stack by itself (Bouton 1901).
    Nim {
        /// Stacks.
        n: usize,
    },
    /// `Moore(n,k)`: any `k` stacks (Moore 1910).
    Moore {
        /// Stacks.
        n: usize,
        /// Size of a move set.
        k: usize,
    },
    /// `CN(n,k)`: `k` consecutive stacks on a circle (DH13).
    Circular {
        /// Stacks.
        n: usize,
        /// Size of a move set.
        k: usize,
    },
    /// `PN(n,k)`: `k` consecutive stacks on a path (KDH26).
    Path {
        /// Stacks.
        n: usize,
        /// Size of a move set.
        k: usize,
    },
    /// `NN(n,k,l)`: a path whose ends are joined by a clasp of size `l` (Necklace26);
    /// `NN(n,k)` has `l = 2`, and `H` is `NN(6,3)`.
    Necklace {
        /// Stacks.
        n: usize,
        /// Size of a move set along the path.
        k: usize,
        /// Size of a move set across the clasp.
        l: usize,
    },
    /// `Set(...)`: the sets as listed.
    Sets {
        /// Stacks.
        n: usize,
        /// The sets, as given.
        sets: Vec<StackSet>,
    },
    /// `Exact(n,k)`: exactly `k` stacks, at least one token from each.
    Exact {
        /// Stacks.
        n: usize,
        /// Stacks played in a move.
        k: usize,
    },
    /// `Slow(n,{a,...})`: exactly `a` stacks for an `a` of the list, one token from each.
    Slow {
        /// Stacks.
        n: usize,
        /// How many stacks may be played in a move.
        sizes: Sizes,
    },
    /// `Matrix(rows,columns)`: one row, or all columns but one (Holladay). Stacks are listed
    /// row by row.
    Matrix {
        /// Rows.
        rows: usize,
        /// Columns.
        columns: usize,
    },
    /// `Graph(0-1,...)`: tokens on edges, a set per vertex: the edges there.
    Graph {
        /// The edges, in the order of the stacks.
        edges: Vec<(u32, u32)>,
    },
    /// `Cube(...)`: tokens on the six faces of a cube, of which a,f and b,e and c,d are
    /// opposite (Kadam-Shaiju).
    Cube {
        /// What a move set is.
        part: CubePart,
    },
}

/// The most sets that can be listed one by one.
pub const MAX_SETS: usize = 4096;

/// What determines a move set of a cube game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum CubePart {
    /// The three faces at a vertex.
    Vertex,
    /// The two faces at an edge.
    Edge,
    /// A face and its four neighbours.
    Face,
}

/// Parameters that do not make a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FamilyError {
    /// No stack at all.
    #[error("a game needs at least one stack")]
    NoStacks,
    /// More than [`MAX_STACKS`] stacks.
    #[error("{0} stacks, but at most {MAX_STACKS} are supported")]
    TooManyStacks(usize),
    /// More than [`MAX_SETS`] sets in a list.
    #[error("{0} sets, but at most {MAX_SETS} can be listed")]
    TooManySets(usize),
    /// The size of a move set, or the number of stacks, is out of its range.
    #[error("{} must be from {least} to {most}, not {found}", parameter_name(*parameter))]
    SetSize {
        /// Which parameter, counted from 0.
        parameter: usize,
        /// What was given.
        found: usize,
        /// The least size allowed.
        least: usize,
        /// The greatest size allowed.
        most: usize,
    },
    /// A list of sets, sizes or edges without entries.
    #[error("the list is empty")]
    EmptyList,
    /// An empty set among the sets.
    #[error("set {} is empty", .0 + 1)]
    EmptySet(usize),
    /// Stacks that lie in no set.
    #[error("in no set: {}", .0)]
    Uncovered(StackSet),
    /// Sets with stacks beyond the number of stacks.
    #[error("stacks that the game does not have: {}", .0)]
    Outside(StackSet),
    /// An edge that joins a vertex with itself.
    #[error("edge {} joins a vertex with itself", .0 + 1)]
    Loop(usize),
    /// A variant of a game that has its own way of playing.
    #[error("Exact and Slow games have no variants")]
    NoVariants,
}

fn parameter_name(parameter: usize) -> &'static str {
    if parameter == 0 { "the number of stacks" } else { "the size of a move set" }
}

impl Family {
    /// The number of stacks.
    pub fn stacks(&self) -> usize {
        match self {
            Family::Nim { n }
            | Family::Moore { n, .. }
            | Family::Circular { n, .. }
            | Family::Path { n, .. }
            | Family::Necklace { n, .. }
            | Family::Sets { n, .. }
            | Family::Exact { n, .. }
            | Family::Slow { n, .. } => *n,
            Family::Matrix { rows, columns } => rows.saturating_mul(*columns),
            Family::Graph { edges } => edges.len(),
            Family::Cube { .. } => 6,
        }
    }

    /// Checks the parameters.
    pub fn check(&self) -> Result<(), FamilyError> {
        match self {
            Family::Sets { sets, .. } if sets.is_empty() => return Err(FamilyError::EmptyList),
            Family::Sets { sets, .. } if sets.len() > MAX_SETS => {
                return Err(FamilyError::TooManySets(sets.len()));
            }
            Family::Graph { edges } if edges.is_empty() => return Err(FamilyError::EmptyList),
            _ => {}
        }
        match self.stacks() {
            0 => return Err(FamilyError::NoStacks),
            1..=MAX_STACKS => {}
            n => return Err(FamilyError::TooManyStacks(n)),
        }
        let size = |parameter, found, least, most| match found {
            _ if found < least || found > most => {
                Err(FamilyError::SetSize { parameter, found, least, most })
            }
            _ => Ok(()),
        };
        match self {
            Family::Moore { n, k }
            | Family::Circular { n, k }
            | Family::Path { n, k }
            | Family::Exact { n, k } => size(1, *k, 1, *n),
            Family::Necklace { n, k, l } => {
                size(0, *n, 2, MAX_STACKS)?;
                size(1, *k, 2, *n)?;
                size(2, *l, 2, *k)
            }
            Family::Slow { n, sizes } => match sizes.greatest() {
                None => Err(FamilyError::EmptyList),
                Some(greatest) => size(1, greatest, 1, *n),
            },
            Family::Sets { n, sets } => {
                if let Some(i) = sets.iter().position(|s| s.is_empty()) {
                    return Err(FamilyError::EmptySet(i));
                }
                let covered = sets.iter().fold(StackSet::EMPTY, |a, &s| a | s);
                let all = StackSet::first(*n);
                match (all - covered, covered - all) {
                    (StackSet::EMPTY, StackSet::EMPTY) => Ok(()),
                    (StackSet::EMPTY, outside) => Err(FamilyError::Outside(outside)),
                    (uncovered, _) => Err(FamilyError::Uncovered(uncovered)),
                }
            }
            Family::Graph { edges } => match edges.iter().position(|(u, v)| u == v) {
                Some(i) => Err(FamilyError::Loop(i)),
                None => Ok(()),
            },
            Family::Nim { .. } | Family::Matrix { .. } | Family::Cube { .. } => Ok(()),
        }
    }

    /// Whether the family says itself how its sets are played (Exact and Slow games).
    pub fn has_own_moves(&self) -> bool {
        matches!(self, Family::Exact { .. } | Family::Slow { .. })
    }

    /// The rule, with the usual way of playing.
    ///
    /// # Panics
    /// If the parameters do not pass [`Family::check`].
    pub fn rule(&self) -> Rule {
        let sets = self.sets();
        match self {
            Family::Exact { .. } => {
                Rule::new(sets, Choice::All, Amounts::POSITIVE, Amounts::POSITIVE)
            }
            Family::Slow { .. } => {
                Rule::new(sets, Choice::All, Amounts::exactly(1), Amounts::POSITIVE)
            }
            _ => Rule::set_nim(sets),
        }
    }

    /// The move sets.
    ///
    /// # Panics
    /// If the parameters do not pass [`Family::check`].
    pub fn sets(&self) -> SetFamily {
        if let Err(error) = self.check() {
            panic!("not a game: {error}");
        }
        let n = self.stacks();
        match self {
            Family::Nim { .. } => SetFamily::by_size(n, Sizes::new([1])),
            Family::Moore { k, .. } | Family::Exact { k, .. } => {
                SetFamily::by_size(n, Sizes::new([*k]))
            }
            Family::Slow { sizes, .. } => SetFamily::by_size(n, *sizes),
            Family::Circular { k, .. } => {
                SetFamily::listed(n, (0..n).map(|start| window(start, *k, n)))
            }
            Family::Path { k, .. } => {
                SetFamily::listed(n, (0..=n - k).map(|start| window(start, *k, n)))
            }
            Family::Necklace { k, l, .. } => {
                let path = (0..=n - k).map(|start| window(start, *k, n));
                let clasp = (n - l + 1..n).map(|start| window(start, *l, n));
                SetFamily::listed(n, path.chain(clasp))
            }
            Family::Sets { sets, .. } => SetFamily::listed(n, sets.iter().copied()),
            Family::Matrix { rows, columns } => {
                let cell = |r: usize, c: usize| r * columns + c;
                let row = |r: usize| (0..*columns).map(|c| cell(r, c)).collect::<StackSet>();
                let column = |c: usize| (0..*rows).map(|r| cell(r, c)).collect::<StackSet>();
                let all = StackSet::first(n);
                let all_but_one = (0..*columns).map(|c| all - column(c));
                SetFamily::listed(n, (0..*rows).map(row).chain(all_but_one))
            }
            Family::Graph { edges } => {
                let at = |v: u32| -> StackSet {
                    let here = |&i: &usize| edges[i].0 == v || edges[i].1 == v;
                    (0..n).filter(here).collect()
                };
                SetFamily::listed(n, edges.iter().flat_map(|&(u, v)| [at(u), at(v)]))
            }
            Family::Cube { part } => SetFamily::listed(n, cube(*part)),
        }
    }
}

/// The `k` stacks from `start` on, around a circle of `n`.
fn window(start: usize, k: usize, n: usize) -> StackSet {
    (start..start + k).map(|i| i % n).collect()
}

fn cube(part: CubePart) -> Vec<StackSet> {
    let opposite = |face: usize| 5 - face;
    let all = StackSet::first(6);
    let has_opposites = |set: StackSet| set.iter().any(|face| set.contains(opposite(face)));
    let without_opposites = |size| {
        let sized = all.subsets().filter(move |s| s.len() == size);
        sized.filter(|&s| !has_opposites(s)).collect()
    };
    match part {
        CubePart::Vertex => without_opposites(3),
        CubePart::Edge => without_opposites(2),
        CubePart::Face => all.iter().map(|face| all.without(opposite(face))).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facets(family: Family) -> Vec<String> {
        let mut sets: Vec<_> = family.rule().sets().iter().map(|s| s.to_string()).collect();
        sets.sort();
        sets
    }

    #[test]
    fn the_facets_of_the_named_families() {
        assert_eq!(facets(Family::Circular { n: 5, k: 2 }), ["ab", "ae", "bc", "cd", "de"]);
        assert_eq!(facets(Family::Path { n: 4, k: 2 }), ["ab", "bc", "cd"]);
        assert_eq!(facets(Family::Circular { n: 4, k: 4 }), ["abcd"]);
        let h = ["abc", "af", "bcd", "cde", "def"];
        assert_eq!(facets(Family::Necklace { n: 6, k: 3, l: 2 }), h);
        assert_eq!(facets(Family::Nim { n: 3 }), ["a", "b", "c"]);
        assert_eq!(facets(Family::Moore { n: 3, k: 2 }), ["ab", "ac", "bc"]);
        assert_eq!(facets(Family::Matrix { rows: 2, columns: 2 }), ["ab", "ac", "bd", "cd"]);
        let triangle = Family::Graph { edges: vec![(0, 1), (1, 2), (2, 0)] };
        assert_eq!(facets(triangle), ["ab", "ac", "bc"]);
        assert_eq!(facets(Family::Cube { part: CubePart::Vertex }).len(), 8);
        assert_eq!(facets(Family::Cube { part: CubePart::Edge }).len(), 12);
        let face = ["abcde", "abcdf", "abcef", "abdef", "acdef", "bcdef"];
        assert_eq!(facets(Family::Cube { part: CubePart::Face }), face);
    }

    #[test]
    fn a_necklace_is_a_circle_with_zeros() {
        // l = k is the circle itself; in general NN(n,k,l) is CN(n+k-l,k) with k-l
        // consecutive empty stacks (Necklace26).
        for n in 2..=9 {
            for k in 2..=n {
                for l in 2..=k {
                    let circle = Family::Circular { n: n + k - l, k };
                    let kept = StackSet::first(n);
                    let restricted = circle.sets().iter().map(|s| s & kept).collect::<Vec<_>>();
                    let restricted = SetFamily::listed(n, restricted).maximal();
                    let necklace = Family::Necklace { n, k, l }.rule();
                    assert_eq!(necklace.sets(), &restricted, "NN({n},{k},{l})");
                }
            }
        }
    }

    #[test]
    fn parameters_are_checked() {
        let size = |found, most| FamilyError::SetSize { parameter: 1, found, least: 1, most };
        assert_eq!(Family::Circular { n: 3, k: 7 }.check(), Err(size(7, 3)));
        assert_eq!(Family::Slow { n: 5, sizes: Sizes::new([6]) }.check(), Err(size(6, 5)));
        assert_eq!(Family::Nim { n: 0 }.check(), Err(FamilyError::NoStacks));
        assert_eq!(Family::Nim { n: 33 }.check(), Err(FamilyError::TooManyStacks(33)));
        let huge = Family::Matrix { rows: usize::MAX, columns: usize::MAX };
        assert_eq!(huge.check(), Err(FamilyError::TooManyStacks(usize::MAX)));
        let sets = vec![StackSet::from_bits(0b101)];
        let uncovered = Err(FamilyError::Uncovered(StackSet::from_bits(0b010)));
        assert_eq!(Family::Sets { n: 3, sets }.check(), uncovered);
        let sets = vec![StackSet::from_bits(0b101), StackSet::from_bits(0b11)];
        let outside = Err(FamilyError::Outside(StackSet::from_bits(0b100)));
        assert_eq!(Family::Sets { n: 2, sets }.check(), outside);
        let sets = vec![StackSet::from_bits(1); MAX_SETS + 1];
        let many = Err(FamilyError::TooManySets(MAX_SETS + 1));
        assert_eq!(Family::Sets { n: 1, sets }.check(), many);
    }
}
