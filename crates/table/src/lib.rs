//! Nim positions known by computing.
//!
//! * [`mod@line`]: all P-positions of a SetNim game in a box, at memory speed.
//! * [`Crew`]: threads lent by the caller; this crate starts none.

mod crew;
pub mod line;

pub use crew::{Alone, Crew};
