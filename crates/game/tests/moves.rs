//! The moves that are listed are the takes that are legal, each once, and nothing tall or wide
//! stands in the way.

mod common;

use nimatron_game::{Game, Height, MAX_HEIGHT, Position, Rule, Take};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// All takes from at most `heights`, the legal ones and the others.
fn all_takes(heights: &[Height]) -> Vec<Vec<Height>> {
    heights.iter().fold(vec![vec![]], |takes, &height| {
        let longer = |take: Vec<Height>| (0..=height).map(move |t| [&take[..], &[t]].concat());
        takes.into_iter().flat_map(longer).collect()
    })
}

/// The take as the schema says it, without the help of [`Rule::violation`].
fn legal_by_definition(rule: &Rule, heights: &[Height], take: &[Height]) -> bool {
    let played: Vec<usize> = (0..take.len()).filter(|&s| take[s] > 0).collect();
    let in_a_set = rule.sets().iter().any(|set| {
        let all_played = set.iter().all(|s| take[s] > 0);
        played.iter().all(|&s| set.contains(s))
            && (rule.choice() == nimatron_game::Choice::Any || all_played)
    });
    let total: u128 = take.iter().map(|&t| u128::from(t)).sum();
    !played.is_empty()
        && in_a_set
        && played.iter().all(|&s| take[s] <= heights[s] && rule.each().allows(take[s].into()))
        && rule.total().allows(total)
}

/// A rule with a position of at most 5 stacks of height at most 3.
fn ruled_position() -> impl Strategy<Value = (Rule, Vec<Height>)> {
    let own = common::single(5, 4, false).prop_map(|game| game.single().unwrap().clone());
    prop_oneof![own, common::rule(5)].prop_flat_map(|rule| {
        let heights = prop::collection::vec(0..=3u64, rule.stacks());
        (Just(rule), heights)
    })
}

/// A game, sums included, with a position on few stacks.
fn game_and_position() -> impl Strategy<Value = (Game, Position)> {
    let game = (common::single(3, 4, false), proptest::option::of(common::single(3, 4, false)));
    let game = game.prop_map(|(one, other)| match other {
        Some(other) => one.plus(other).unwrap(),
        None => one,
    });
    game.prop_filter("the cube has many stacks", |game| game.stacks() <= 6).prop_flat_map(|game| {
        let heights = prop::collection::vec(0..=2u64, game.stacks());
        (Just(game), heights.prop_map(|h| Position::new(h).unwrap()))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn the_moves_are_the_legal_takes_each_once((rule, heights) in ruled_position()) {
        let listed: Vec<Vec<Height>> = rule.moves(&heights).map(Take::into_vec).collect();
        let once: BTreeSet<_> = listed.iter().cloned().collect();
        prop_assert_eq!(once.len(), listed.len());
        let takes = all_takes(&heights);
        let legal: BTreeSet<_> =
            takes.iter().filter(|t| legal_by_definition(&rule, &heights, t)).cloned().collect();
        prop_assert_eq!(&once, &legal);
        for take in &takes {
            prop_assert_eq!(rule.is_legal(&heights, take), legal.contains(take));
        }
        prop_assert_eq!(rule.is_terminal(&heights), legal.is_empty());
        for take in listed {
            let option = Rule::option(&heights, &Take::new(take));
            prop_assert!(option.iter().sum::<u64>() < heights.iter().sum::<u64>());
            prop_assert!(option.iter().zip(&heights).all(|(o, h)| o <= h));
        }
    }

    #[test]
    fn games_play_the_listed_moves_and_no_others((game, position) in game_and_position()) {
        let listed: Vec<Take> = game.moves(&position).collect();
        let once: BTreeSet<_> = listed.iter().cloned().collect();
        prop_assert_eq!(once.len(), listed.len());
        prop_assert_eq!(game.is_terminal(&position), listed.is_empty());
        for take in all_takes(&position).into_iter().map(Take::new) {
            match game.play(position.clone(), &take) {
                Ok(reached) => {
                    prop_assert!(once.contains(&take));
                    prop_assert_eq!(reached.total() + take.total(), position.total());
                }
                Err(illegal) => {
                    prop_assert!(!once.contains(&take));
                    prop_assert_eq!(illegal.position, position.clone());
                    prop_assert_eq!(Some(illegal.violation), game.violation(&position, &take));
                }
            }
        }
        // Too much from a stack, and the wrong number of entries, are refused too.
        let tall = Take::new(position.iter().map(|h| h + 1).collect());
        let refused = game.play(position.clone(), &tall).unwrap_err();
        prop_assert_eq!(&refused.position, &position);
        let long = Take::new(vec![1; position.len() + 1]);
        let refused = game.play(position.clone(), &long).unwrap_err();
        prop_assert_eq!(&refused.position, &position);
    }

    /// The first moves of a game of any kind from the tallest position are legal and distinct.
    #[test]
    fn tall_and_wide_positions_have_their_first_moves_at_once(game in common::game()) {
        let heights = vec![MAX_HEIGHT; game.stacks()];
        let first: Vec<Take> = game.moves(&heights).take(50).collect();
        for take in &first {
            prop_assert_eq!(game.violation(&heights, take), None);
        }
        prop_assert_eq!(first.iter().collect::<BTreeSet<_>>().len(), first.len());
    }
}

fn game(text: &str) -> Game {
    text.parse().unwrap()
}

#[test]
fn a_thousand_moves_from_the_tallest_position() {
    let heights = [MAX_HEIGHT; 32];
    for text in ["Nim(32)", "Moore(32,16)", "Exact(32,16)", "Slow(32,{1,16,32})", "CN(32,32)"] {
        let game = game(text);
        let first: Vec<_> = game.moves(&heights).take(1000).collect();
        assert_eq!(first.len(), 1000, "{text}");
        assert!(first.iter().all(|take| game.is_legal(&heights, take)), "{text}");
    }
    // The greatest total there is has one move, and it is found.
    let all = "Moore(32,32) each>=9223372036854775807";
    assert_eq!(game(all).moves(&heights).count(), 1);
}

/// The number of ways to write `total` as an ordered sum of `parts` numbers from 0.
fn weak_compositions(total: usize, parts: usize) -> usize {
    (0..total).fold(1, |ways, i| ways * (parts + i) / (i + 1))
}

#[test]
fn a_bounded_total_is_enumerated_exactly_however_tall_the_stacks() {
    let tall = 1_000_000_000_000_000;
    for n in [3, 8, 16] {
        // Any stacks of one set: all ways to take five.
        for text in [format!("CN({n},{n}) total=5"), format!("Moore({n},{n}) total=5")] {
            let count = game(&text).moves(&vec![tall; n]).count();
            assert_eq!(count, weak_compositions(5, n), "{text}");
        }
    }
    for text in ["CN(32,32) total=2", "Moore(32,32) total=2", "CN(32,31) total=2"] {
        let count = game(text).moves(&[MAX_HEIGHT; 32]).count();
        assert_eq!(count, weak_compositions(2, 32), "{text}");
    }
    // CN(5,2): five tokens from one stack, or from two neighbours in four ways.
    assert_eq!(game("CN(5,2) total=5").moves(&[tall; 5]).count(), 5 + 5 * 4);
    // At least two each: 4 or 5 from one stack, 2+2, 2+3 or 3+2 from two.
    assert_eq!(game("Moore(5,3) any>=2 total=4..5").moves(&[tall; 5]).count(), 5 * 2 + 10 * 3);
}

#[test]
fn totals_out_of_reach_are_seen_without_trying_every_set() {
    let ones = [1; 32];
    for text in ["Moore(32,32) total>=33", "CN(32,32) total>=33", "CN(32,31) total>=32"] {
        assert!(game(text).is_terminal(&ones), "{text}");
    }
    for text in ["Moore(32,32) total=32", "CN(32,32) total=32"] {
        assert_eq!(game(text).moves(&ones).count(), 1, "{text}");
    }
    // Only the sets with the tall stack reach the total.
    let mut heights = ones;
    heights[31] = 100;
    assert_eq!(game("Moore(32,32) total>=131").moves(&heights).count(), 1);
    assert_eq!(game("Moore(32,32) total>=130").moves(&heights).count(), 1 + 32);
}
