//! The theorems, one file each.

pub mod all_but_one;
pub mod jm;
pub mod moore;
pub mod necklace;
pub mod nim;
pub mod path;
pub mod single_facet;
mod sources;
