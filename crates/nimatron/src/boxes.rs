//! How large a box is worth computing.

use nimatron_game::{Game, Height};

/// Work for [`affordable_box`] that takes about a second.
pub const A_SECOND: f64 = 2e8;

/// The greatest height `h` for which the P-positions of the box `0..=h` are found with this much
/// work (roughly, looks at options); `None` if not even height 1 is. It depends on the game
/// alone, so the same question gets the same box everywhere.
pub fn affordable_box(game: &Game, work: f64) -> Option<Height> {
    let least = (1..=LEAST).take_while(|&h| least_cost(game, h) <= work).last();
    (1..=MOST).take_while(|&h| cost(game, h) <= work).last().max(least)
}

/// Lower boxes say next to nothing (up to height 1 every vector can be subtracted once at most), so that they are
/// chosen only where the quick engines do not do this one in time.
const LEAST: Height = 3;

/// What the quick engines need: they follow each set once along each line.
fn least_cost(game: &Game, height: Height) -> f64 {
    let rules = || game.summands().iter().map(|summand| summand.rule());
    if !rules().all(|rule| rule.is_set_nim()) {
        return cost(game, height) / 8.0;
    }
    let positions = (height as f64 + 1.0).powi(game.stacks() as i32);
    positions * rules().map(|rule| rule.sets().len() as f64).sum::<f64>() / 2.0
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
        assert_eq!(
            [height("CN(12,5)"), height("CN(12,6)"), height("CN(14,7)")],
            [Some(3), Some(3), Some(2)]
        );
        assert_eq!(height("CN(12,5) any=1"), Some(2));
        assert_eq!(height("Nim(1)"), Some(MOST));
    }
}
