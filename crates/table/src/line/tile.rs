//! How the outermost heights are grouped, so that tables are used again while they are near.

use super::shape::Shape;
use super::tables::Draft;

/// How many heights of the first, second and third place are worked on together.
///
/// Every option of a position has no stack taller, so heights can be taken in any order that
/// never puts a lesser one later. Within a tile the fourth place runs outermost: a part of the
/// shared table is read for all heights of the first place in turn, a part of a layer's table
/// for all heights of the second, and so on.
pub(crate) type Tile = [usize; 3];

/// Bytes that should be near at a time.
const NEAR: f64 = 500e3;
/// Tables of fewer bytes are near anyway.
const SMALL: f64 = 200e3;

/// The tile with the least traffic whose tables stay near.
pub(crate) fn tile(shape: &Shape, draft: &Draft) -> Tile {
    let bytes = |place: usize| shape.table_blocks(place) as f64 * 64.0;
    let count = |place: usize| draft.tables.iter().filter(|t| t.place == place).count() as f64;
    // Reading counts once, changing every block twice.
    let traffic = |place: usize| -> f64 {
        let here = draft.tables.iter().filter(|t| t.place == place);
        here.map(|t| if t.sources.is_empty() { 1.0 } else { 3.0 }).sum()
    };
    let slab = bytes(2) / if shape.row_place() > 3 { f64::from(shape.outer[3]) } else { 1.0 };
    let deep: f64 = (3..shape.outer.len()).map(|place| count(place) * bytes(place)).sum();
    let mut best = ([1; 3], f64::INFINITY);
    for tile in (0..27).map(|i| [1usize << (i / 9), 1 << (i / 3 % 3), 1 << (i % 3)]) {
        let [a, b, c] = tile.map(|side| side as f64);
        let near = slab * (count(0) * b * c + count(1) * a * c + count(2) * a * b);
        let own = a * count(1) * bytes(1) + a * b * count(2) * bytes(2) + a * b * c * deep;
        let fits = tile.iter().zip(&shape.outer).all(|(&side, &heights)| side <= heights as usize);
        let allowed = near + a * b * c * deep <= NEAR && own <= bytes(0) / 6.0 + SMALL && fits;
        if !allowed && tile != [1; 3] {
            continue;
        }
        let far = |total: f64, near: f64| match total {
            _ if total < NEAR => 0.0,
            _ if total < 8e6 => near,
            _ => near * 2.0,
        };
        let cost = far(count(0) * bytes(0), 1.5) / a
            + far(a * count(1) * bytes(1), traffic(1)) / b
            + far(a * b * count(2) * bytes(2), traffic(2)) / c
            + 0.01 * (a + b + c);
        if cost < best.1 {
            best = (tile, cost);
        }
    }
    best.0
}
