//! Peeling: one strategy for a class of circular-arc games.
//!
//! Let the stacks stand on a circle so that every facet is an arc, and let the game be in the class
//! described at [`Circle`]: CN(n,k) with `k` the integer part of `n/3`, plus 1; the paths with
//! `k >= n/2`; the necklaces with `k >= (n-1)/2`; and whatever is left of these when stacks are empty.
//! Let S be the non-empty stacks of a position. A *peel* of S is a pair of neighbours in S that share no
//! facet, if there is one; otherwise go, from any stack of S, to the last stack of S in the facet that
//! starts there, and on like this: the stacks met again and again are a peel.
//!
//! **Statement.** Subtract peels, each as often as it goes, until what is left lies in one
//! facet. The position is P exactly if nothing is left; otherwise taking exactly what is left wins.
//!
//! It is proved for all heights where the non-empty stacks merge to at most [`PROVED_STACKS`], and
//! wherever two neighbours share no facet; beyond that it is a conjecture. The proof, and what of
//! it is done by computer, is in `docs/peeling.md`. None of the papers has it; it is the family of
//! KDH26's Conjecture 1.
//!
//! * [`Circle`]: the games, recognised whatever their stacks are called.
//! * [`Peeled`]: what peeling says about a position.
//! * [`types()`]: the games to which all positions come down.
//! * [`PeelingNim`]: the theorem about whole games; [`PeelingSupport`]: about positions of
//!   larger ones; [`conjecture`]: what is not proved.

mod circle;
#[cfg(test)]
mod lemmas;
mod order;
mod strategy;
#[cfg(test)]
mod tests;
mod theorem;
mod types;

pub use circle::Circle;
pub use strategy::{PROVED_CIRCULAR, PROVED_STACKS, Peeled, Proof};
pub use theorem::{PeelingNim, PeelingSupport, STATEMENT, conjecture};
pub use types::{types, types_by_ends};
