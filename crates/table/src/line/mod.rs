//! The line kernel: all P-positions of a SetNim game in a box.
//!
//! Positions are never visited one by one. A *line* fixes all stacks but the last and is held
//! in the bits of a lane, bit `x` for height `x`. Every single stack can be played, so a line
//! holds at most one P-position: the lowest bit that is not *marked*, where a mark means that
//! some move reaches a P-position. The stack before the last runs along the lanes of a vector;
//! these two stacks make a *slice*, the stack before them a *row* of slices, and the others
//! are outer.
//!
//! Marks come from tables of the P-positions found so far. For a facet that holds the outer
//! stacks `a < b < ...` there is a table of what is reached by lowering stack `a` to any height
//! below the current one, another for `a` and `b`, and so on, indexed by the stacks after the
//! one they run along. A table is brought up to date by joining it with its source at the
//! current height, and starts again when its stack returns to 0. Facets share tables wherever
//! they can (module `tables`), and the order of the stacks is chosen to need few of them
//! (module `plan`). What a facet lowers within a slice is applied when a P-position is entered
//! into a table, or when tables are read (module `steps`).
//!
//! The largest table belongs to the first stack; it takes one bit per line and height of the
//! last stack, `(h+1)^(n-1)` bits for a cube. It is also all that is carried from one layer
//! (height of the first stack) to the next. Layers can be worked on at the same time: each
//! follows the one below it at a distance in the second stack (module `run`).
//!
//! Lines of heights up to 15, 31 and 63 take 16, 32 and 64 bits; longer ones take several
//! words (module `lines`). Operations that need special instructions are in module `isa`.
#![deny(unsafe_op_in_unsafe_fn)]
#![allow(unsafe_code)]

mod block;
mod estimate;
mod isa;
mod kernel;
mod lines;
mod narrow;
mod packed;
mod plan;
mod run;
mod shape;
mod sink;
mod state;
mod steps;
mod tables;
mod tile;
mod wide;
mod worker;

pub use crate::saved::StateError;
pub(crate) use block::{Store, words, words_mut};
pub use estimate::Estimate;
pub use isa::Path;
pub use plan::{Order, Plan};
pub use run::{Run, Tally};
pub use sink::{Answer, Blocked, List, Note, Sink, answer};
pub(crate) use tables::{Group, group};

use nimatron_game::{MAX_STACKS, StackSet, Stop};

/// Why a run cannot begin or go on.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LineError {
    /// No stack, or more than [`MAX_STACKS`].
    #[error("{0} stacks, but 1 to {MAX_STACKS} are supported")]
    Stacks(usize),
    /// The sets do not make up exactly the stacks of the box.
    #[error("the sets hold the stacks {0}, which are not those of the box")]
    Cover(StackSet),
    /// The tables do not fit into memory.
    #[error("{0} bytes of memory are needed")]
    Memory(u128),
    /// A limit was reached, or somebody asked to stop.
    #[error(transparent)]
    Stopped(#[from] Stop),
    /// The run was stopped within a layer before; load its last saved state.
    #[error("the run was stopped within a layer and cannot go on")]
    Spoiled,
    /// Lists of P-positions were dropped when no later block needed them.
    #[error("lists that are asked for were dropped")]
    Dropped,
    /// Somebody who does a share of the work, or keeps a part of it, failed.
    #[error("{0}")]
    Outside(String),
}
