//! All P-positions of a box, and how large a box is worth computing.

use nimatron_game::{Game, Height, Outcome, Position, Watch};
use nimatron_table::{PositionBox, TableError, naive};

/// All P-positions with heights up to `max`, in lexicographic order.
///
/// ```
/// use nimatron::game::Unlimited;
/// let game = "CN(4,2)".parse().unwrap();
/// let found = nimatron::p_positions(&game, &[2; 4], &Unlimited).unwrap();
/// assert_eq!(found.len(), 9); // (a,b,a,b)
/// ```
pub fn p_positions(
    game: &Game,
    max: &[Height],
    watch: &dyn Watch,
) -> Result<Vec<Position>, TableError> {
    watch.check(PositionBox::new(max)?.len() as u64)?;
    let table = naive::outcomes(game, max)?;
    let lost = table.entries().iter().enumerate().filter(|(_, o)| **o == Outcome::P);
    Ok(lost.filter_map(|(i, _)| table.cells().position_at(i)).collect())
}

/// Work for [`affordable_box`] that takes about a second.
pub const A_SECOND: f64 = 2e8;

/// The greatest height `h` for which the P-positions of the box `0..=h` are found with this much
/// work (roughly, looks at options); `None` if not even height 1 is. It depends on the game
/// alone, so the same question gets the same box everywhere.
pub fn affordable_box(game: &Game, work: f64) -> Option<Height> {
    (1..=MOST).take_while(|&h| cost(game, h) <= work).last()
}

/// The tallest box that is chosen unasked.
const MOST: Height = 60;

/// An estimate of the options looked at in a box.
fn cost(game: &Game, height: Height) -> f64 {
    let positions = (height as f64 + 1.0).powi(game.stacks() as i32);
    let average = height as f64 / 2.0 + 1.0;
    let options = game.summands().iter().map(|summand| {
        let sets = summand.rule().sets();
        let size = match sets.sizes() {
            Some(sizes) => sizes.greatest().unwrap_or(0) as i32,
            None => sets.iter().map(|s| s.len()).max().unwrap_or(0) as i32,
        };
        sets.len() as f64 * average.powi(size)
    });
    positions * options.sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_shrink_with_the_number_of_stacks() {
        let height = |text: &str| affordable_box(&text.parse().unwrap(), A_SECOND);
        let heights = ["CN(4,2)", "CN(5,3)", "CN(7,4)", "CN(8,6)"].map(height);
        assert!(heights.is_sorted_by(|a, b| a > b), "{heights:?}");
        assert_eq!(height("CN(32,16)"), None);
        assert_eq!(height("Nim(1)"), Some(MOST));
    }
}
