//! The longest play of an Exact game.
//!
//! In an Exact game every stack of the chosen set loses a token or more; the longest play takes one
//! token from each. So its length T is the greatest number of move sets, repetitions allowed, of
//! which no stack is covered more often than it has tokens: an integer programme with one variable
//! per set.
//!
//! T bounds the Grundy value from above. They are equal in Exact(n,k) with n < 2k, and T enters the
//! values of Exact(2k,k) (see [`crate::library::tetris`] and [`crate::library::jm`]); elsewhere an
//! agreement on a box is evidence only.

use crate::library::tetris::{MoveSets, wide};
use nimatron_game::{Height, SetFamily, StackSet};
use nimatron_linear::omega::{IntegerError, MAX_VARIABLES, Relation, System};

/// The length of the longest play of the Exact game on these sets.
///
/// Cost: for all sets of one size a binary search. Otherwise the integer programme is solved by the
/// Omega test, whose time depends on the sets (at most 15 whose stacks all have tokens), hardly on
/// the heights; it fails with [`IntegerError`] rather than take long.
///
/// ```
/// use nimatron_game::Family;
/// use nimatron_theory::longest::longest_play;
/// let circle = Family::Circular { n: 5, k: 2 }.sets();
/// assert_eq!(longest_play(&circle, &[1, 1, 1, 1, 1]), Ok(2));
/// assert_eq!(longest_play(&circle, &[1_000_000_000_000; 5]), Ok(2_500_000_000_000));
/// ```
///
/// # Panics
/// If there are not as many heights as stacks.
pub fn longest_play(sets: &SetFamily, heights: &[Height]) -> Result<u128, IntegerError> {
    assert_eq!(sets.stacks(), heights.len(), "heights must match the stacks");
    if let Some(sizes) = sets.sizes()
        && let Some(k) = sizes.least()
    {
        // A larger set can be replaced by a part of it.
        let uniform = MoveSets::Uniform { n: heights.len(), k };
        return Ok(uniform.longest_play(&wide(heights)).unwrap_or(0));
    }
    let playable: StackSet = (0..heights.len()).filter(|&s| heights[s] > 0).collect();
    let within: Vec<StackSet> = sets.iter().filter(|s| s.is_subset(playable)).collect();
    // Likewise only sets count that contain no other.
    let minimal: Vec<StackSet> = within
        .iter()
        .copied()
        .filter(|&s| !within.iter().any(|&t| t != s && t.is_subset(s)))
        .collect();
    packing(&minimal, heights)
}

/// The greatest number of these sets, repetitions allowed, that cover no stack too often.
fn packing(sets: &[StackSet], heights: &[Height]) -> Result<u128, IntegerError> {
    if sets.is_empty() {
        return Ok(0);
    }
    if sets.len() >= MAX_VARIABLES {
        return Err(IntegerError::TooManyVariables(sets.len() + 1));
    }
    // How often each set is taken, and by how much their number falls short of a bound.
    let lowest = |set: StackSet| set.iter().map(|s| i128::from(heights[s])).min().unwrap_or(0);
    let mut bounds: Vec<(i128, i128)> = sets.iter().map(|&set| (0, lowest(set))).collect();
    let bound: i128 = bounds.iter().map(|&(_, most)| most).sum();
    bounds.push((0, bound));
    let mut system = System::new(&bounds)?;
    for (stack, &height) in heights.iter().enumerate() {
        let covering: Vec<i128> = sets.iter().map(|s| -i128::from(s.contains(stack))).collect();
        if covering.iter().any(|&c| c != 0) {
            system.require(&covering, height.into(), Relation::NonNegative)?;
        }
    }
    system.require(&vec![1; bounds.len()], -bound, Relation::Zero)?;
    let short = system.least(sets.len())?.unwrap_or(bound);
    Ok((bound - short) as u128)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Random, boxed};
    use nimatron_game::{Amounts, Choice, Family, Rule};
    use std::collections::HashMap;

    /// By playing all plays.
    fn played(rule: &Rule, p: &[Height], seen: &mut HashMap<Vec<Height>, u128>) -> u128 {
        if let Some(&known) = seen.get(p) {
            return known;
        }
        let lengths = rule.moves(p).map(|take| 1 + played(rule, &Rule::option(p, &take), seen));
        let longest = lengths.collect::<Vec<_>>().into_iter().max().unwrap_or(0);
        seen.insert(p.to_vec(), longest);
        longest
    }

    fn check(sets: &SetFamily, max: Height) {
        let rule = Rule::new(sets.clone(), Choice::All, Amounts::POSITIVE, Amounts::POSITIVE);
        let mut seen = HashMap::new();
        for p in boxed(sets.stacks(), max) {
            assert_eq!(longest_play(sets, &p), Ok(played(&rule, &p, &mut seen)), "{sets:?} {p:?}");
        }
    }

    #[test]
    fn the_longest_play_is_that_of_all_plays() {
        for (n, k, max) in [(4, 2, 3), (5, 2, 2), (5, 3, 2), (6, 2, 1), (7, 3, 1)] {
            check(&Family::Circular { n, k }.sets(), max);
            check(&Family::Exact { n, k }.sets(), max);
            check(&Family::Path { n, k }.sets(), max);
        }
        let mut random = Random::new(5);
        for _ in 0..40 {
            let n = 3 + random.below(2) as usize;
            let all = StackSet::first(n);
            let count = 1 + random.below(6);
            let sets = (0..count).map(|_| StackSet::from_bits(random.next() as u32) & all);
            check(&SetFamily::listed(n, sets), 2);
        }
    }

    #[test]
    fn tall_stacks_take_no_longer() {
        let circle = Family::Circular { n: 7, k: 3 }.sets();
        let tall = [3, 5, 9, 14, 11, 6, 15].map(|h| h * 1_000_000_000_000);
        let length = longest_play(&circle, &tall).unwrap();
        let low = longest_play(&circle, &[3000, 5000, 9000, 14000, 11000, 6000, 15000]).unwrap();
        assert!(length >= low * 1_000_000_000 && length < (low + 1) * 1_000_000_000);
    }

    #[test]
    fn too_many_sets_are_refused() {
        let circle = Family::Circular { n: 20, k: 3 }.sets();
        assert_eq!(longest_play(&circle, &[1; 20]), Err(IntegerError::TooManyVariables(21)));
    }
}
