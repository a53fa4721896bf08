//! How the outermost heights are grouped, so that tables are used again while they are near.

use super::shape::Shape;
use super::tables::Draft;

/// How many heights of the first and of the second place are worked on together.
///
/// Every option of a position has no stack taller, so heights can be taken in any order that
/// never puts a lesser one later. Within a tile the third place runs outermost: a part of the
/// shared table is read for all heights of the first place in turn, and a part of a layer's
/// table for all heights of the second.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Tile {
    pub(crate) layers: usize,
    pub(crate) steps: usize,
}

/// Bytes of tables that should stay near.
const NEAR: u128 = 600 << 10;

impl Tile {
    pub(crate) fn new(shape: &Shape, draft: &Draft) -> Self {
        let own: u128 = draft
            .tables
            .iter()
            .filter(|t| t.place >= 2)
            .map(|t| shape.table_blocks(t.place).saturating_mul(64))
            .fold(0, u128::saturating_add);
        let side = match own {
            _ if shape.table_blocks(0).saturating_mul(64) < NEAR => 1,
            _ if own <= NEAR / 16 => 4,
            _ => 2,
        };
        Tile { layers: side.min(shape.outer[0] as usize), steps: side.min(shape.outer[1] as usize) }
    }
}
