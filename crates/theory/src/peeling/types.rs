//! The games of class C that cannot be made smaller, for a given number of stacks.
//!
//! Every position of a game of class C without gaps is, after its empty stacks are dropped and the
//! others merged, a position without empty stacks of one of these *types*. They are listed in two ways that
//! have nothing in common but the class itself.

use super::circle::Circle;
use nimatron_game::symmetry::canonical_form;
use nimatron_game::{Play, Rule, SetFamily, StackSet, Stop, Watch};
use std::collections::BTreeSet;

/// Choices between two looks at the limits.
const CHOICES_BETWEEN_CHECKS: u64 = 1 << 10;

/// The games of class C on `n` stacks in which no two stacks can be merged and any two neighbours share
/// a facet, one of each kind up to rotation and reflection, in a fixed order.
///
/// Listed by the function `r`: all words `r(0)-0, r(1)-1, ...` in which `r` never falls are
/// tried, letter by letter.
///
/// # Panics
/// If there are more than 32 stacks.
pub fn types(n: usize, watch: &dyn Watch) -> Result<Vec<SetFamily>, Stop> {
    let mut words = BTreeSet::new();
    let mut word = Vec::with_capacity(n);
    extend(n, &mut word, &mut words, watch)?;
    Ok(words.iter().map(|word| family(word)).collect())
}

/// Puts the words that begin like this, in their least form, into the set.
fn extend(
    n: usize,
    word: &mut Vec<usize>,
    words: &mut BTreeSet<Vec<usize>>,
    watch: &dyn Watch,
) -> Result<(), Stop> {
    if word.len() == n {
        if is_type(word) {
            words.insert(least(word));
        }
        return Ok(());
    }
    if word.len() == n / 2 {
        watch.check(0)?;
    }
    let last = word.last().copied();
    // The first letter is a greatest one. A letter falls by at most 1.
    let least = last.map_or(1, |l| l.saturating_sub(1).max(1));
    let most = word.first().map_or(n - 1, |&first| first);
    for letter in least..=most {
        word.push(letter);
        if goes_on(n, word) {
            extend(n, word, words, watch)?;
        }
        word.pop();
    }
    Ok(())
}

/// Whether the places whose threefold steps are known satisfy the condition of the class.
fn goes_on(n: usize, word: &[usize]) -> bool {
    let holds = |start: usize, beyond: usize, right: &dyn Fn(usize) -> bool| {
        let mut at = start;
        for _ in 0..3 {
            let Some(letter) = word.get(at % n) else { return true };
            at += letter + beyond;
        }
        right(at - start)
    };
    (0..word.len()).all(|i| holds(i, 0, &|sum| sum <= n) && holds(i, 1, &|sum| sum > n))
}

/// Whether the word, closed to a circle, is that of a game of the class without stacks that merge.
fn is_type(word: &[usize]) -> bool {
    let n = word.len();
    let r = |i: usize| i + word[i % n];
    let never_falls = (0..n).all(|i| r(i) <= r(i + 1));
    let is_end = |i: usize| (0..n).any(|j| r(j) % n == i);
    let apart = |i: usize| r(i) != r(i + 1) || is_end(i);
    never_falls && goes_on(n, word) && (0..n).all(apart)
}

/// The least of the words that turning and mirroring lead to.
fn least(word: &[usize]) -> Vec<usize> {
    let n = word.len();
    // Mirrored, a place reaches as far as the first place from which it can be reached.
    let back = |i: usize| (0..n).rev().find(|&step| word[(i + n - step) % n] >= step);
    let mirrored: Vec<usize> = (0..n).map(|i| back(n - 1 - i).unwrap_or(0)).collect();
    let turned = |word: &[usize], by: usize| [&word[by..], &word[..by]].concat();
    let all = (0..n).flat_map(|by| [turned(word, by), turned(&mirrored, by)]);
    all.min().unwrap_or_default()
}

/// The game of a word: its maximal arcs.
fn family(word: &[usize]) -> SetFamily {
    let n = word.len();
    let arc = |i: usize| (0..=word[i]).map(|step| (i + step) % n).collect::<StackSet>();
    SetFamily::listed(n, (0..n).map(arc).collect::<Vec<_>>()).maximal()
}

/// The same games, listed by where facets begin and end, in canonical form.
///
/// Between two neighbours that do not merge a facet ends, or one begins, or both. Facets begin and end
/// in the same order, so a choice for each pair of neighbours and the end of the first facet
/// give the game; whether it is in the class is left to [`Circle::of`], which sees sets only.
///
/// # Panics
/// If there are more than 32 stacks.
pub fn types_by_ends(n: usize, watch: &dyn Watch) -> Result<BTreeSet<SetFamily>, Stop> {
    let mut found = BTreeSet::new();
    for choice in 0..3u64.pow(n as u32) {
        if choice % CHOICES_BETWEEN_CHECKS == 0 {
            watch.check(0)?;
        }
        let digit = |i: usize| choice / 3u64.pow(i as u32) % 3;
        // Between stack i-1 and stack i: 0 one ends, 1 one begins, 2 both.
        let starts: Vec<usize> = (0..n).filter(|&i| digit(i) > 0).collect();
        let ends: Vec<usize> = (0..n).filter(|&i| digit(i) != 1).map(|i| (i + n - 1) % n).collect();
        if starts.len() != ends.len() || starts.len() < 2 {
            continue;
        }
        for shift in 0..starts.len() {
            let facets: Vec<StackSet> = (0..starts.len())
                .map(|i| arc(n, starts[i], ends[(i + shift) % ends.len()]))
                .collect();
            let sets = SetFamily::listed(n, facets.iter().copied());
            if sets.maximal() != sets
                || sets.len() != facets.len() as u64
                || !neighbours(n, &facets)
            {
                continue;
            }
            let circle = Circle::of(&Rule::set_nim(sets.clone()), Play::Normal);
            if circle.is_some_and(|circle| circle.len() == n) {
                found.insert(canonical_form(&sets, None).0);
            }
        }
    }
    Ok(found)
}

/// The stacks from one to another, around the circle.
fn arc(n: usize, from: usize, to: usize) -> StackSet {
    (0..=(to + n - from) % n).map(|step| (from + step) % n).collect()
}

/// Whether any two neighbours share a facet.
fn neighbours(n: usize, facets: &[StackSet]) -> bool {
    let pair = |i: usize| StackSet::single(i).with((i + 1) % n);
    (0..n).all(|i| facets.iter().any(|facet| pair(i).is_subset(*facet)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nimatron_game::Unlimited;

    /// How many there are on 3, 4, ... stacks.
    const COUNTS: [usize; 11] = [1, 2, 4, 7, 12, 23, 42, 81, 156, 313, 630];

    #[test]
    fn two_lists_of_types_agree() {
        for (n, count) in (3..=9).zip(COUNTS) {
            let by_words = types(n, &Unlimited).unwrap();
            assert_eq!(by_words.len(), count, "{n}");
            let canonical: BTreeSet<SetFamily> =
                by_words.iter().map(|sets| canonical_form(sets, None).0).collect();
            assert_eq!(canonical.len(), count, "no two of the types on {n} stacks are the same");
            assert_eq!(canonical, types_by_ends(n, &Unlimited).unwrap(), "{n}");
        }
    }

    #[test]
    #[ignore = "takes a minute"]
    fn two_lists_of_types_agree_up_to_thirteen() {
        for (n, count) in (10..=13).zip(&COUNTS[7..]) {
            let by_words = types(n, &Unlimited).unwrap();
            assert_eq!(by_words.len(), *count, "{n}");
            let canonical: BTreeSet<SetFamily> =
                by_words.iter().map(|sets| canonical_form(sets, None).0).collect();
            assert_eq!(canonical, types_by_ends(n, &Unlimited).unwrap(), "{n}");
        }
    }

    #[test]
    fn the_longer_lists_have_as_many_as_they_should() {
        for (n, count) in (3..=12).zip(COUNTS) {
            assert_eq!(types(n, &Unlimited).unwrap().len(), count, "{n}");
        }
    }

    #[test]
    fn every_type_is_a_game_of_the_class() {
        for n in 3..=11 {
            for sets in types(n, &Unlimited).unwrap() {
                let circle = Circle::of(&Rule::set_nim(sets), Play::Normal).expect("in the class");
                assert_eq!(circle.len(), n);
            }
        }
    }
}
