//! All winning moves from the formula of a theorem are those of the table, and stay exact at any
//! height.

mod common;

use common::{game, position};
use nimatron::crates::game::{Outcome, Play, Position, Take};
use nimatron::crates::table::naive;
use nimatron::crates::theory::recognise;
use nimatron::{Options, WantedMoves, ask};
use std::collections::BTreeSet;

#[test]
fn formulas_list_the_winning_moves_of_the_table() {
    let games = [
        ("CN(4,2)", 4),
        ("CN(5,2)", 3),
        ("CN(5,3)", 3),
        ("CN(6,3)", 2),
        ("CN(7,3)", 1),
        ("CN(7,4)", 1),
        ("CN(8,3)", 1),
        ("CN(8,6)", 1),
        ("PN(5,3)", 3),
        ("NN(5,3)", 3),
        ("H", 2),
    ];
    for (text, height) in games {
        let game = game(text);
        let n = game.stacks();
        let theorem = recognise(game.single().unwrap(), Play::Normal).unwrap();
        let table = naive::outcomes(&game, &vec![height; n]).unwrap();
        for (i, (at, _)) in table.iter().enumerate() {
            if i % 7 != 3 {
                continue;
            }
            let (takes, all) = theorem.winning_moves(&at, 10_000).unwrap();
            assert!(all, "{game} at {at}");
            let wins = |t: &Take| table.get(&at.after(t).unwrap()) == Some(Outcome::P);
            let expected: BTreeSet<Take> = game.moves(&at).filter(wins).collect();
            assert_eq!(takes.into_iter().collect::<BTreeSet<_>>(), expected, "{game} at {at}");
        }
    }
}

#[test]
fn tall_positions_have_all_their_moves_listed() {
    // CN(6,3): (10,9,5,8,4,3) -> (5+t,7-t,t,8,4,3) for t = 0..5 (DH13), raised by multiples of
    // the invariant vectors ad, be and cf, which change no outcome.
    let tall = 1_000_000_000_000_000u64;
    let at = |p: [u64; 6]| Position::new(p.map(|h| h.wrapping_add(tall)).to_vec()).unwrap();
    let options = Options::unlimited().moves(WantedMoves::AllUpTo(50));
    let verdict = ask(&game("CN(6,3)"), &at([10, 9, 5, 8, 4, 3]), &options).unwrap();
    assert_eq!(verdict.outcome, Some(Outcome::N));
    let reached: BTreeSet<Position> = verdict.moves.iter().map(|m| m.to.clone()).collect();
    // On tall stacks t may be negative as well: 7 - t and 5 + t must not exceed 9 and 10.
    for t in 0..=7 {
        assert!(reached.contains(&at([3 + t, 9 - t, t.wrapping_sub(2), 8, 4, 3])), "t = {t} - 2");
    }
    assert_eq!((verdict.moves.len(), verdict.moves_total), (8, Some(8)));
    assert!(!verdict.is_truncated());
}

#[test]
fn a_limit_on_the_list_is_told() {
    let options = Options::unlimited().moves(WantedMoves::AllUpTo(2));
    let verdict = ask(&game("CN(6,3)"), &position("10,9,5,8,4,3"), &options).unwrap();
    assert_eq!(verdict.moves.len(), 2);
    assert_eq!(verdict.moves_total, Some(6));
    assert!(verdict.is_truncated());
}
