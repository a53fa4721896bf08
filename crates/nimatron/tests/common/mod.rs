//! What several test files share: the same as those of `reduce`.

#[path = "../../../reduce/tests/common/mod.rs"]
mod shared;

#[allow(unused_imports)] // Every test file uses a part of this.
pub(crate) use shared::*;
