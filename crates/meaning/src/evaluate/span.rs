//! Membership in a span: is a position a sum of given 0/1 vectors, each taken any number of
//! times?
//!
//! Most spans that occur have few linear relations among their vectors. Then the coefficients
//! are eliminated once and for all, and membership becomes a conjunction of linear conditions
//! on the heights: exact for all heights, at the cost of a few tests per position.
//!
//! 1. All ways to write a position as an integer combination of the vectors are one solution, a
//!    linear function of the heights, plus combinations `t` of the relations among the vectors
//!    ([`nimatron_linear::echelon::combinations`]).
//! 2. The coefficients must not be negative. The `t` are eliminated in turn, exactly over the
//!    integers ([`super::project`]).
//!
//! If the conditions become too many, membership is decided by [`search`]: a depth-first search
//! over the coefficients of the vectors, which is exact too. Its cost is at worst the product of
//! the heights, one factor for each relation.

use nimatron_game::{Height, MAX_STACKS, StackSet};

/// Whether the heights are a sum of the generators, by depth-first search.
///
/// A stack that only one of the remaining generators can lower forces its coefficient, so the
/// search branches only where at least two generators compete for every stack.
pub(crate) fn search(heights: &[Height], generators: &[StackSet]) -> bool {
    debug_assert!(generators.len() <= 128);
    let mut left = [0; MAX_STACKS];
    left[..heights.len()].copy_from_slice(heights);
    let all = if generators.len() >= 128 { u128::MAX } else { (1 << generators.len()) - 1 };
    descend(&mut left, generators, all)
}

fn descend(left: &mut [Height; MAX_STACKS], generators: &[StackSet], mut open: u128) -> bool {
    loop {
        let mut present = StackSet::EMPTY;
        for (stack, _) in left.iter().enumerate().filter(|(_, h)| **h > 0) {
            present = present.with(stack);
        }
        let members = |open: u128| (0..generators.len()).filter(move |&g| open >> g & 1 == 1);
        for g in members(open) {
            if !generators[g].is_subset(present) || generators[g].is_empty() {
                open &= !(1 << g);
            }
        }
        if present.is_empty() {
            return true;
        }
        // The stack with the fewest generators, and of these the least height.
        let owners = |stack: usize| members(open).filter(move |&g| generators[g].contains(stack));
        let key = |&stack: &usize| (owners(stack).count(), left[stack]);
        let Some(stack) = present.iter().min_by_key(key) else { return true };
        let mut rivals = owners(stack);
        let Some(g) = rivals.next() else { return false };
        let most = generators[g].iter().map(|s| left[s]).min().unwrap_or(0);
        open &= !(1 << g);
        if rivals.next().is_none() {
            if left[stack] > most {
                return false;
            }
            let amount = left[stack];
            generators[g].iter().for_each(|s| left[s] -= amount);
            continue;
        }
        for amount in (0..=most).rev() {
            let mut lowered = *left;
            generators[g].iter().for_each(|s| lowered[s] -= amount);
            if descend(&mut lowered, generators, open) {
                return true;
            }
        }
        return false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sets(words: &str) -> Vec<StackSet> {
        let word = |w: &str| w.bytes().map(|b| usize::from(b - b'a')).collect();
        words.split(' ').map(word).collect()
    }

    #[test]
    fn the_search_is_exact() {
        let pairs = sets("ab ac ad bc bd cd abc abd acd bcd");
        for code in 0..5_u64.pow(4) {
            let p = [code % 5, code / 5 % 5, code / 25 % 5, code / 125];
            // Two or three stacks at a time: no stack above the sum of the others.
            let total: u64 = p.iter().sum();
            let expected = p.iter().all(|&h| 2 * h <= total);
            assert_eq!(search(&p, &pairs), expected, "{p:?}");
        }
    }
}
