//! The oracle against the moves that the rules themselves list.

mod common;

use nimatron_game::{Family, Game, Outcome, Play, Variant};
use nimatron_table::{TableError, naive};
use proptest::prelude::*;
use std::collections::HashSet;

/// Outcome, Grundy value and remoteness of every position, from [`Game::moves`].
fn from_moves(game: &Game, max: &[u64]) -> Vec<(Outcome, u32, u32)> {
    let cells = nimatron_table::PositionBox::new(max).unwrap();
    let mut values: Vec<(Outcome, u32, u32)> = Vec::new();
    for position in cells.iter() {
        let options: Vec<_> = game
            .moves(&position)
            .map(|take| values[cells.index_of(&position.after(&take).unwrap()).unwrap()])
            .collect();
        let seen: HashSet<u32> = options.iter().map(|o| o.1).collect();
        let grundy = (0..).find(|v| !seen.contains(v)).unwrap();
        let hurried = options.iter().filter(|o| o.0 == Outcome::P).map(|o| o.2).min();
        let delayed = options.iter().map(|o| o.2).max();
        let (outcome, remoteness) = match (hurried, delayed) {
            (_, None) => (game.convention().terminal(), 0),
            (Some(least), _) => (Outcome::N, least + 1),
            (None, Some(greatest)) => (Outcome::P, greatest + 1),
        };
        values.push((outcome, grundy, remoteness));
    }
    values
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn agrees_with_the_listed_moves((game, max) in common::boxed(common::game())) {
        let expected = from_moves(&game, &max);
        let outcomes: Vec<_> = expected.iter().map(|e| e.0).collect();
        let table = naive::outcomes(&game, &max).unwrap();
        prop_assert_eq!(table.entries(), &outcomes[..]);
        let remoteness: Vec<_> = expected.iter().map(|e| e.2).collect();
        let table = naive::remoteness(&game, &max).unwrap();
        prop_assert_eq!(table.entries(), &remoteness[..]);
        let normal = game.clone().under(Play::Normal);
        let grundy: Vec<_> = expected.iter().map(|e| e.1).collect();
        let table = naive::grundy(&normal, &max).unwrap();
        prop_assert_eq!(table.entries(), &grundy[..]);
    }
}

#[test]
fn known_values() {
    // Bouton 1901: the Grundy value of Nim is the xor of the heights.
    let nim = Game::new(Family::Nim { n: 3 }).unwrap();
    for (p, value) in naive::grundy(&nim, &[7; 3]).unwrap().iter() {
        assert_eq!(u64::from(value), p[0] ^ p[1] ^ p[2]);
    }
    // DH13 section 6, total of at least two from two of three stacks, heights to 4.
    let game = Game::variant(Family::Moore { n: 3, k: 2 }, Variant::total_at_least(2)).unwrap();
    let table = naive::outcomes(&game, &[4; 3]).unwrap();
    let sorted = |p: &&(nimatron_game::Position, Outcome)| p.0.is_sorted() && p.1 == Outcome::P;
    let all: Vec<_> = table.iter().collect();
    let p: Vec<_> = all.iter().filter(sorted).map(|p| p.0.to_string()).collect();
    assert_eq!(p, ["(0,0,0)", "(0,0,1)", "(2,2,2)", "(2,2,3)", "(4,4,4)"]);
}

#[test]
fn remoteness_of_slow_games() {
    // The length of play by the M-rule (arXiv:2304.06498).
    let table = naive::remoteness(&common::slow(4, &[3]), &[10; 4]).unwrap();
    for (heights, moves) in [
        ([1, 1, 1, 1], 1),
        ([1, 2, 3, 4], 3),
        ([4, 5, 6, 7], 7),
        ([9, 9, 9, 9], 11),
        ([10, 10, 10, 10], 12),
    ] {
        assert_eq!(table.get(&heights), Some(moves), "{heights:?}");
    }
}

#[test]
fn the_parity_of_remoteness_tells_the_outcome() {
    for play in [Play::Normal, Play::Misere] {
        let game = common::circular(4, 2).under(play);
        let outcomes = naive::outcomes(&game, &[4; 4]).unwrap();
        let remoteness = naive::remoteness(&game, &[4; 4]).unwrap();
        for ((p, outcome), (_, left)) in outcomes.iter().zip(remoteness.iter()) {
            let even = if play == Play::Normal { Outcome::P } else { Outcome::N };
            assert_eq!(left % 2 == 0, outcome == even, "{p}");
        }
    }
}

#[test]
fn what_cannot_be_tabulated_is_an_error() {
    let game = common::circular(4, 2);
    let stacks = Err(TableError::Stacks { expected: 4, found: 3 });
    assert_eq!(naive::outcomes(&game, &[1; 3]), stacks);
    assert!(matches!(
        naive::outcomes(&game, &[u64::MAX; 4]),
        Err(TableError::TooLarge { positions: None })
    ));
    let misere = game.under(Play::Misere);
    assert_eq!(naive::grundy(&misere, &[1; 4]), Err(TableError::Misere));
}
