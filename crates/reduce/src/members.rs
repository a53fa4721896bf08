//! Stacks of a smaller game that stand for stacks of a larger one.
//!
//! `members` has, for each stack of the smaller game, the stacks of the larger that it stands for. Heights go
//! down by adding up, and amounts come back from the smallest stacks first, wherever that is done.

use nimatron_game::{Height, MAX_HEIGHT};

/// The heights of the smaller game: the sums over the stacks that each of its stacks stands for. `None` if a
/// sum exceeds the limit of heights.
///
/// # Panics
/// If a member is no stack of the larger game.
pub fn gather(members: &[Vec<usize>], heights: &[Height]) -> Option<Vec<Height>> {
    members.iter().map(|stacks| sum(stacks.iter().copied(), heights)).collect()
}

/// The tokens on some stacks together. `None` if they exceed the limit of heights.
pub(crate) fn sum(stacks: impl Iterator<Item = usize>, heights: &[Height]) -> Option<Height> {
    let total: u128 = stacks.map(|stack| u128::from(heights[stack])).sum();
    Height::try_from(total).ok().filter(|&height| height <= MAX_HEIGHT)
}

/// Amounts taken in the smaller game as amounts taken in the larger: from the smallest stacks first.
///
/// # Panics
/// If a member is no stack of the larger game, or more is taken than there is.
pub fn spread(members: &[Vec<usize>], take: &[Height], heights: &[Height]) -> Vec<Height> {
    let mut lifted = vec![0; heights.len()];
    for (stacks, &amount) in members.iter().zip(take) {
        match stacks[..] {
            [stack] if amount <= heights[stack] => lifted[stack] = amount,
            _ => spread_one(stacks.clone(), amount.into(), heights, &mut lifted),
        }
    }
    lifted
}

/// Puts into `lifted` an amount taken from these stacks together. It may be more than a single stack can hold.
///
/// # Panics
/// As [`spread`].
pub fn spread_one(mut stacks: Vec<usize>, amount: u128, heights: &[Height], lifted: &mut [Height]) {
    stacks.sort_by_key(|&stack| heights[stack]);
    let mut left = amount;
    for stack in stacks {
        let height = heights[stack];
        lifted[stack] = Height::try_from(left).map_or(height, |left| left.min(height));
        left -= u128::from(lifted[stack]);
    }
    assert_eq!(left, 0, "more tokens taken than there are");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_come_from_the_smallest_stacks_first() {
        let (members, heights) = (vec![vec![2], vec![0, 1, 3]], [5, 2, 9, 3]);
        assert_eq!(gather(&members, &heights), Some(vec![9, 10]));
        assert_eq!(spread(&members, &[4, 6], &heights), [1, 2, 4, 3]);
        assert_eq!(spread(&members, &[0, 10], &heights), [5, 2, 0, 3]);
    }

    #[test]
    fn sums_beyond_the_limit_are_none() {
        assert_eq!(gather(&[vec![0, 1]], &[MAX_HEIGHT, 1]), None);
        assert_eq!(gather(&[vec![0, 1]], &[MAX_HEIGHT, 0]), Some(vec![MAX_HEIGHT]));
    }
}
