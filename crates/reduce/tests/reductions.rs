//! Reductions preserve what they say, and carry winning moves back.

mod common;
#[path = "common/oracle.rs"]
mod oracle;

use common::{any_play, any_rule, game, position, set_nim, with_position};
use nimatron_game::{Game, Outcome, Play, Position, Take};
use nimatron_reduce::{Chain, Change, Chop, Cone, Invariance, Merge, Reduction, State};
use oracle::{Oracle, outcome};
use proptest::prelude::*;
use std::sync::Arc;

fn reduced(text: &str, at: &str) -> Chain {
    Chain::reduce(State::new(&game(text), &position(at)).unwrap())
}

fn end(text: &str, at: &str) -> String {
    reduced(text, at).end().to_string()
}

/// The game that a state stands for, with its position.
fn game_at(state: &State) -> Option<(Game, Position)> {
    let games = state.parts.iter().map(|p| p.game().expect("no idle stacks are left"));
    let sum = games.reduce(|a, b| a.plus(b).unwrap())?;
    Some((sum.under(state.play), Position::new(state.heights()).unwrap()))
}

#[test]
fn zeros_turn_circles_into_smaller_games() {
    // Theory: CN(6,2) with d = f = 0 is {ab,bc,e}.
    assert_eq!(end("CN(6,2)", "1,2,3,0,4,0"), "PN(3,2) + Nim(1) at (1,2,3,4)");
    // CN(6,3) with two adjacent zeros is PN(4,3), which merges to PN(3,2).
    let chain = reduced("CN(6,3)", "0,0,3,1,2,4");
    assert_eq!(chain.steps()[0].after.to_string(), "PN(4,3) at (3,1,2,4)");
    assert_eq!(chain.end().to_string(), "PN(3,2) at (3,3,4)");
    // CN(2l+1,l+1) with l-1 adjacent zeros merges to CN(3,2).
    assert_eq!(end("CN(7,4)", "3,0,0,1,2,2,5"), "CN(3,2) at (3,1,9)");
    assert_eq!(end("CN(5,3)", "0,1,2,3,4"), "CN(3,2) at (1,5,4)");
    // CN(c(k+1),k+1) with c equally spaced zeros is CN(ck,k).
    assert_eq!(end("CN(9,3)", "0,1,2,0,3,4,0,5,6"), "CN(6,2) at (1,2,3,4,5,6)");
}

#[test]
fn runs_of_zeros_cut_a_circle_into_a_path() {
    for n in 3..=10 {
        for k in 2..n {
            for zeros in k - 1..=n - k {
                let circle = game(&format!("CN({n},{k})"));
                let heights = (0..n).map(|s| u64::from(s >= zeros)).collect();
                let state = State::new(&circle, &Position::new(heights).unwrap()).unwrap();
                let mut chain = Chain::new(state);
                assert!(chain.push(&nimatron_reduce::Zero));
                let path = game(&format!("PN({},{k})", n - zeros));
                let sets = chain.end().parts[0].rule.sets();
                assert_eq!(sets.maximal().iter().count(), n - zeros - k + 1);
                assert_eq!(sets, path.single().unwrap().sets(), "CN({n},{k}), {zeros} zeros");
            }
        }
    }
}

#[test]
fn circles_are_not_called_matrices() {
    // Rows ab and cd, columns ac and bd: as it stands Matrix(2,2), in another order a circle.
    let (family, _) =
        nimatron_reduce::name(game("Set(ab,cd,ac,bd)").single().unwrap().sets()).unwrap();
    assert_eq!(family.to_string(), "CN(4,2)");
}

#[test]
fn long_windows_on_a_path_merge() {
    for n in 4..=9 {
        let path = State::generic(&game(&format!("PN({n},{})", n - 1)));
        assert!(Chain::reduce(path).end().to_string().starts_with("PN(3,2)"));
    }
}

#[test]
fn a_merged_move_lifts_in_every_way() {
    let chain = reduced("Set(ad,abc,bcd)", "2,3,5,4");
    assert_eq!(chain.end().to_string(), "CN(3,2) at (2,8,4)");
    let winning = Take::new(vec![0, 6, 2]);
    let mut lifted: Vec<String> = chain.lifts(&winning).map(|t| t.to_string()).collect();
    lifted.sort();
    assert_eq!(lifted, ["(0,1,5,2)", "(0,2,4,2)", "(0,3,3,2)"]);
    assert_eq!(chain.lift(&winning).to_string(), "(0,3,3,2)", "smallest stack first");
    assert_eq!(chain.lift_count(&winning), Some(3));
}

#[test]
fn a_cone_stack_with_tokens_is_never_just_deleted() {
    let state = State::new(&game("PN(3,2)"), &position("1,1,1")).unwrap();
    let step = Cone.apply(&Arc::new(state.clone())).unwrap();
    assert_eq!(step.change, Change::Cone { stack: 1 });
    // The rest is P, yet the position is N: emptying the cone stack wins.
    assert_eq!(outcome(&game("Nim(2)"), &position("1,1")), Outcome::P);
    assert_eq!(outcome(&game("PN(3,2)"), &position("1,1,1")), Outcome::N);
    assert_eq!(step.lift(&Take::new(vec![0, 0])).to_string(), "(0,1,0)");
    let misere = State::new(&game("misere PN(3,2)"), &position("1,1,1")).unwrap();
    assert_eq!(Cone.apply(&Arc::new(misere.clone())), None);
    let sum = State::new(&game("PN(3,2) + Nim(1)"), &position("1,1,1,1")).unwrap();
    assert_eq!(Cone.apply(&Arc::new(sum.clone())), None);
}

#[test]
fn invariance_takes_off_what_does_not_matter() {
    // KDH26 Table 1: the game H with z1 = 110101 and z2 = 101011, in both orders.
    let z = |text: &str| (0..6).filter(|&i| text.as_bytes()[i] == b'1').collect();
    let (z1, z2) = (z("110101"), z("101011"));
    let rows = [
        ("5,2,7,8,9,6", "(0,0,4,6,6,1)", "(0,2,2,8,4,1)"),
        ("3,5,6,3,9,10", "(0,2,6,0,9,7)", "(0,5,3,3,6,7)"),
        ("4,3,9,12,2,8", "(0,0,8,9,1,4)", "(0,1,7,10,0,4)"),
        ("8,2,4,6,5,7", "(2,0,0,4,1,1)", "(2,0,0,4,1,1)"),
        ("5,4,2,2,3,7", "(1,2,0,0,1,3)", "(1,2,0,0,1,3)"),
        ("7,2,7,5,3,8", "(2,0,4,3,0,3)", "(2,0,4,3,0,3)"),
    ];
    for (at, first, second) in rows {
        let state = State::new(&game("H"), &position(at)).unwrap();
        for (vectors, expected) in [([z1, z2], first), ([z2, z1], second)] {
            let step = Invariance { vectors: vectors.to_vec(), by: "a theorem".into() }
                .apply(&Arc::new(state.clone()))
                .unwrap();
            let reached = Position::new(step.after.heights()).unwrap();
            assert_eq!(reached.to_string(), expected, "H at {at}");
        }
    }
}

#[test]
fn empty_stacks_remove_the_sets_that_need_them() {
    assert_eq!(end("Exact(4,2)", "3,0,2,1"), "Exact(3,2) at (3,2,1)");
    assert_eq!(end("Slow(5,{2,4})", "1,1,0,1,0"), "Slow(3,{2}) at (1,1,1)");
    assert_eq!(end("Slow(5,{4})", "1,1,0,1,0"), "no moves");
    // b now lies in no set of a game where all stacks of a set are played.
    assert_eq!(end("Set(ab,cd) each>=1", "0,5,1,1"), "Exact(2,2) at (1,1)");
}

#[test]
fn stacks_below_the_amount_to_take_are_gone() {
    assert_eq!(end("Nim(3) any=2", "1,2,3"), "Nim(2) any=1 at (1,1)");
}

#[test]
fn sums_beyond_the_height_limit_are_not_merged() {
    let tall = format!("1,{0},{0}", i64::MAX);
    let chain = reduced("Set(ab,ac,abc)", &tall);
    assert!(chain.steps().iter().all(|s| !matches!(s.change, Change::Merge { .. })));
}

#[test]
fn merging_is_refused_where_it_is_not_valid() {
    for text in ["Exact(3,3)", "Slow(3,{3})", "CN(3,3) any=1", "CN(3,3) each=2"] {
        assert!(!Merge::valid(game(text).single().unwrap()), "{text}");
    }
    for text in ["CN(3,3)", "CN(3,3) total>=2", "CN(3,3) total=2"] {
        assert!(Merge::valid(game(text).single().unwrap()), "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    /// Zero, idle, components, merge and naming keep outcome, Grundy value and remoteness.
    #[test]
    fn values_are_preserved((game, at) in with_position(any_play(any_rule()), 3)) {
        let chain = Chain::reduce(State::new(&game, &at).unwrap());
        match game_at(chain.end()) {
            None => prop_assert!(game.is_terminal(&at)),
            Some((smaller, there)) => {
                let before = Oracle::new(&game).at(&at);
                let after = Oracle::new(&smaller).at(&there);
                prop_assert_eq!(before.outcome, after.outcome);
                prop_assert_eq!(before.remoteness, after.remoteness);
                if game.convention() == Play::Normal {
                    prop_assert_eq!(before.grundy, after.grundy);
                }
            }
        }
    }

    /// A chain found for one position serves every other with the same playable stacks.
    #[test]
    fn chains_are_reusable((game, at) in with_position(any_play(any_rule()), 3), more in 1u64..9) {
        let chain = Chain::reduce(State::new(&game, &at).unwrap());
        let least = |s: usize| {
            let summand = game.summands().iter().find(|p| p.stacks().contains(&s)).unwrap();
            summand.rule().each().least()
        };
        let raise = |(s, &h): (usize, &u64)| if h >= least(s) { h + more } else { h };
        let raised: Vec<u64> = at.iter().enumerate().map(raise).collect();
        let direct = Chain::reduce(State::new(&game, &Position::new(raised.clone()).unwrap()).unwrap());
        // Where tokens may be unplayable, more than the playable stacks decides.
        let states = chain.steps().iter().map(|s| &s.after).chain([chain.start()]);
        let mut parts = states.flat_map(|s| &s.parts);
        if parts.any(|p| Chop::least_move(&p.rule).is_some()) {
            prop_assert_eq!(chain.at(&raised), None);
            return Ok(());
        }
        prop_assert_eq!(chain.at(&raised), Some(direct));
        let lowered = vec![0; at.len()];
        prop_assert_eq!(chain.at(&lowered).is_some(), raised == at.to_vec());
    }

    /// The moves at the end, lifted in all ways, are exactly the moves at the start, and a move
    /// wins at the end iff its lifts win.
    #[test]
    fn moves_lift((game, at) in with_position(any_play(any_rule()), 3)) {
        let chain = Chain::reduce(State::new(&game, &at).unwrap());
        let mut originals: Vec<Take> = game.moves(&at).collect();
        originals.sort();
        let Some((smaller, there)) = game_at(chain.end()) else {
            prop_assert!(originals.is_empty());
            return Ok(());
        };
        let (mut large, mut small) = (Oracle::new(&game), Oracle::new(&smaller));
        let mut lifted = Vec::new();
        for take in smaller.moves(&there) {
            let reached = small.at(&there.after(&take).unwrap()).outcome;
            let lifts: Vec<Take> = chain.lifts(&take).collect();
            prop_assert!(lifts.contains(&chain.lift(&take)));
            prop_assert_eq!(chain.lift_count(&take), Some(lifts.len() as u128));
            for lift in &lifts {
                prop_assert!(game.is_legal(&at, lift), "{} is no move", lift);
                prop_assert_eq!(large.at(&at.after(lift).unwrap()).outcome, reached);
            }
            lifted.extend(lifts);
        }
        lifted.sort();
        prop_assert_eq!(lifted, originals);
    }

    /// A cone stack with tokens makes the position N, and the lifted move wins.
    #[test]
    fn cones_win((game, at) in with_position(set_nim(), 3)) {
        let state = State::new(&game, &at).unwrap();
        let Some(step) = Cone.apply(&Arc::new(state.clone())) else { return Ok(()) };
        prop_assert_eq!(outcome(&game, &at), Outcome::N);
        let rest = Chain::reduce(step.after.clone());
        let none = Take::new(vec![0; rest.end().stacks()]);
        let in_the_rest = game_at(rest.end()).and_then(|(smaller, there)| {
            let mut oracle = Oracle::new(&smaller);
            smaller.moves(&there).find(|t| oracle.at(&there.after(t).unwrap()).outcome == Outcome::P)
        });
        let lifted = step.lift(&rest.lift(&in_the_rest.unwrap_or(none)));
        prop_assert!(game.is_legal(&at, &lifted));
        prop_assert_eq!(outcome(&game, &at.after(&lifted).unwrap()), Outcome::P);
    }
}
