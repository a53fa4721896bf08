//! Tables by block orbits: all P-positions of a SetNim game in a box, one block per orbit.
//!
//! The line kernel goes through the whole box. But a symmetry of the game that keeps the box
//! takes P-positions to P-positions, so most of the box need not be computed. Single positions
//! are too small a unit to make use of that; *blocks* are not: the box is cut into blocks of 4,
//! 8 or 16 heights per stack ([`Side`]), and a symmetry takes blocks to blocks. Of every orbit
//! of blocks one is *canonical*, and only canonical blocks are computed (module `orbits`).
//!
//! A block needs to know about the blocks below it. A move lowers the block index of some stacks,
//! so it leads to a block with a lesser sum of indices: **blocks of equal sum do not depend on
//! each other**. They make a *level*. All that goes from one level to the next ones is the lists
//! of P-positions of canonical blocks ([`Lists`]); the P-positions of any other block are those
//! of its canonical block with their local heights permuted. So whoever knows the lists of the
//! levels below can compute any block: threads, processes and machines do, all by the same
//! scheduler (module `share`), and what is saved between two sessions is just these lists, in one
//! file (module `state`) or in parts (module `part`).
//!
//! For a block, the P-positions of the blocks below it are entered into arrays (module `fill`).
//! Then something like the line kernel runs within the block, whose tables do not start empty
//! but from these arrays (module `kernel`). The *places* are the stacks in an order that needs
//! few tables (modules `plan`, `draft`); the last of them lie within a vector of bits, the others
//! are outer. There are three packings: four places of 4 heights or two of 16 in a vector of 256
//! bits, three of 8 in one of 512 (module `layout`). The more blocks there are below, the more
//! entering takes, the fewer heights a block has, the better symmetry is used and the less
//! memory the arrays take: sixteen heights suit tall boxes of few stacks, four many stacks.
//!
//! Counts need no more than the lists: a P-position of a canonical block stands for as many as
//! the block's orbit has blocks (module `census`). Listings expand the lists slab by slab and put
//! each slab in order (module `expand`).
//!
//! Everything is plain Rust on words, compiled three times: as it is, for AVX2, and for AVX-512.
//! `unsafe` is only the call of what was compiled for a certain processor (module `run`).
#![deny(unsafe_op_in_unsafe_fn)]
#![allow(unsafe_code)]

mod census;
mod draft;
mod estimate;
mod expand;
mod fill;
mod kernel;
mod layout;
mod lists;
mod orbits;
mod part;
mod plan;
mod run;
mod share;
mod state;
mod words;

pub use census::Census;
pub use estimate::Estimate;
pub use expand::AT_A_TIME;
pub use layout::Side;
pub use lists::{Lists, Shelf};
pub use part::Frame;
pub use plan::Plan;
pub use run::Run;
pub use share::{Exchange, Nobody, Take};
