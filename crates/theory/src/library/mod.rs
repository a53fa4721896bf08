//! The theorems, one file each.

pub mod additive;
pub mod all_but_one;
pub mod cn64;
pub mod jm;
pub mod moore;
pub mod necklace;
pub mod nim;
pub mod path;
pub mod pointed_circuits;
pub mod single_facet;
mod sources;
