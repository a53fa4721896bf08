//! Relabellings of stacks that leave a rule as it is, or turn one rule into another.
//!
//! Everything here is about the set system of a rule. A [`Relabelling`] renames the stacks;
//! [`find_isomorphism`] looks for one that turns one family of sets into another;
//! [`canonical_form`] picks one representative among all relabellings of a family, so that two
//! families are the same game on renamed stacks exactly when their forms are equal.
//! [`Symmetry`] is the group of all relabellings that leave a family as it is, and brings
//! positions to the least position of their orbit.
//!
//! ```
//! use nimatron_game::Family;
//! use nimatron_game::symmetry::{Symmetry, canonical_form, find_isomorphism};
//!
//! let circle = Family::Circular { n: 5, k: 2 }.rule();
//! let symmetry = Symmetry::of(&circle);
//! assert_eq!(symmetry.order(), 10); // five rotations, five reflections
//! assert_eq!(symmetry.canonical(&[4, 1, 3, 2, 9]), [1, 3, 2, 9, 4]);
//! assert_eq!(symmetry.orbit_size(&[7, 0, 0, 0, 0]), 5);
//!
//! // The pentagram is a pentagon too.
//! let star = Family::Graph { edges: vec![(0, 2), (2, 4), (4, 1), (1, 3), (3, 0)] }.rule();
//! let renaming = find_isomorphism(circle.sets(), star.sets()).unwrap();
//! assert_eq!(&renaming.family(circle.sets()), star.sets());
//! assert_eq!(canonical_form(circle.sets(), None).0, canonical_form(star.sets(), None).0);
//! ```
//!
//! # Method
//!
//! Stacks are coloured, and colours refined until they say no more: a set is told from others
//! by the colours of its stacks, a stack by the sets it lies in. Where several stacks keep the
//! same colour, one of them is singled out and the refinement goes on; a search over these
//! choices ends in colourings that tell all stacks apart. Symmetries met on the way cut away
//! branches that would only repeat others. Stacks that may simply be exchanged (*twins*) never
//! branch at all. Families of *all* sets of given sizes are never written out.

mod blocks;
mod canonical;
mod chain;
mod elements;
mod isomorphism;
mod orbit;
mod partition;
mod relabelling;
mod systems;

pub use canonical::canonical_form;
pub use chain::Symmetry;
pub use elements::Elements;
pub use isomorphism::{find_isomorphism, find_isomorphism_coloured};
pub use relabelling::Relabelling;
pub use systems::{MAX_LISTED, MAX_SYSTEMS, set_systems};
