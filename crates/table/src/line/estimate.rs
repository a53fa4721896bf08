//! What a run will need, known before it starts.

use super::block::Block;
use super::lines::Found;
use super::shape::{Shape, Width};
use super::tables::Draft;
use super::tile::Tile;
use super::wide::Room;
use super::worker::chunk_slices;

/// What a run will need.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// Positions in the box.
    pub positions: u128,
    /// Bytes of all tables.
    pub memory: u128,
    /// Operations on blocks of 512 bits.
    pub operations: u128,
    /// Whether a line takes several words, which are worked on one after the other.
    pub is_wide: bool,
}

impl Estimate {
    pub(crate) fn new(shape: &Shape, draft: &Draft, tile: Tile, workers: usize) -> Self {
        let slices = chunk_slices(shape, draft) as u128;
        let scratch = (3 * slices + 6) * shape.blocks as u128;
        let finds = slices * shape.lanes as u128 * size_of::<Found>() as u128;
        let beside = (finds + Room::memory(shape)).div_ceil(size_of::<Block>() as u128);
        let (mut ground, mut own) = (0u128, scratch + beside);
        for table in &draft.tables {
            let blocks = shape.table_blocks(table.place);
            match table.place {
                0 => ground = blocks,
                place => {
                    let copies: usize = tile[..place.min(3)].iter().product();
                    own = own.saturating_add(blocks.saturating_mul(copies as u128));
                }
            }
        }
        let blocks = own.saturating_mul(workers as u128).saturating_add(ground);
        let fed = draft.tables.iter().map(|t| t.sources.len()).sum::<usize>();
        let reads = fed + draft.finals.len() + draft.row_sources.len() + 1;
        Estimate {
            positions: shape.slices().saturating_mul(shape.slice_positions()),
            memory: blocks.saturating_mul(size_of::<Block>() as u128),
            operations: shape.slices().saturating_mul((shape.blocks * reads) as u128),
            is_wide: matches!(shape.width, Width::Words(_)),
        }
    }
}
