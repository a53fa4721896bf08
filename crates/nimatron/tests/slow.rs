//! Slow, Exact and variant games: reductions, theorems, grids, graphs and conjectures against the
//! oracle.

mod common;

use common::{game, position};
use nimatron::check::{Conjecture, MismatchKind};
use nimatron::crates::formula::{Context, Formula};
use nimatron::crates::game::{
    Family, Game, Height, Outcome, Play, Position, Sizes, Unlimited, Variant,
};
use nimatron::crates::reduce::{Chain, Change, Chop, Floor, Preserves, Reduction, State};
use nimatron::crates::table::{Alone, naive, sorted};
use nimatron::crates::theory::library::slow_all_but_one::AllButOneSlow;
use nimatron::crates::theory::slow::Cell;
use nimatron::crates::theory::slow::at_least::{Wording, formula};
use nimatron::graph::{GameGraph, GraphError, GraphKind};
use nimatron::grid::{CellKind, Grid, GridError, GridSource};
use nimatron::structure::LongestPlay;
use nimatron::{By, Knowledge, Options, Prepared, Reason, ask};
use proptest::prelude::*;

fn slow(n: usize, sizes: impl IntoIterator<Item = usize>) -> Game {
    Game::new(Family::Slow { n, sizes: Sizes::new(sizes) }).unwrap()
}

fn chain(text: &str, at: &str) -> Chain {
    Chain::reduce(State::new(&game(text), &position(at)).unwrap())
}

#[test]
fn examples_of_the_paper_are_chopped() {
    let end = |text, at| chain(text, at).end().to_string();
    assert_eq!(end("Slow(3,{2})", "1,1,100"), "Slow(3,{2}) at (1,1,2)");
    assert_eq!(end("Slow(4,{3})", "1,2,5,6"), "Slow(4,{3}) at (1,2,3,3)");
    // What is left of (0,3,5) is (0,3,3), and an empty stack is no stack.
    assert_eq!(end("Slow(3,{2})", "0,3,5"), "Slow(2,{2}) at (3,3)");
    assert_eq!(end("Slow(3,{2})", "0,0,5"), "no moves");
    let tall = chain("Slow(8,{5})", "12,20,33,52,79,112,155,170");
    assert_eq!(tall.end().to_string(), "Slow(8,{5}) at (12,20,33,52,79,98,98,98)");
    assert_eq!(
        tall.steps()[0].change,
        Change::Chop { unplayable: vec![0, 0, 0, 0, 0, 14, 57, 72] }
    );
    assert_eq!(tall.preserves(), Preserves::Game);
    assert!(chain("Slow(3,{1,2})", "1,1,100").steps().is_empty());
}

#[test]
fn chopped_games_have_the_same_values() {
    for (text, max) in [("Slow(3,{2})", 6), ("Slow(4,{3})", 4), ("Slow(4,{2,4})", 3)] {
        let game = game(text);
        let bounds = vec![max; game.stacks()];
        let grundy = naive::grundy(&game, &bounds).unwrap();
        let remoteness = naive::remoteness(&game, &bounds).unwrap();
        let misere = game.clone().under(Play::Misere);
        let misere = naive::outcomes(&misere, &bounds).unwrap();
        let mut chopped = 0;
        for (at, value) in grundy.iter() {
            let Some(step) = Chop.apply(&State::new(&game, &at).unwrap().into()) else { continue };
            chopped += 1;
            let after = step.after.heights();
            assert_eq!(grundy.get(&after), Some(value), "{text} {at}");
            assert_eq!(remoteness.get(&after), remoteness.get(&at), "{text} {at}");
            assert_eq!(misere.get(&after), misere.get(&at), "{text} {at}");
            // The moves are the same.
            for take in game.moves(&after) {
                assert!(game.is_legal(&at, &step.lift(&take)));
            }
            assert_eq!(game.moves(&after).count(), game.moves(&at).count());
        }
        assert!(chopped > 10);
    }
}

#[test]
fn chains_of_slow_games_do_not_depend_on_earlier_questions() {
    let prepared = Prepared::new(game("Slow(4,{3})"));
    for at in ["2,2,2,2", "1,2,5,6", "3,3,3,3", "1,1,1,9"] {
        let at = position(at);
        let fresh = Prepared::new(game("Slow(4,{3})")).reductions(&at).unwrap();
        assert_eq!(prepared.reductions(&at).unwrap(), fresh, "{at}");
    }
}

/// Variants that play by the bundle, on random and on symmetric sets.
fn bundled() -> impl Strategy<Value = Game> {
    let variant = prop_oneof![
        (2u64..=3).prop_map(Variant::any),
        (2u64..=3).prop_map(Variant::each),
        (2u64..=3).prop_map(Variant::each_at_least),
    ];
    let family = prop_oneof![
        (2usize..=4, 1usize..=3).prop_map(|(n, k)| Family::Circular { n, k: k.min(n) }),
        (2usize..=4, 1usize..=3).prop_map(|(n, k)| Family::Moore { n, k: k.min(n) }),
        common::covering_sets(3).prop_map(|sets| Family::Sets { n: 3, sets }),
    ];
    (family, variant).prop_map(|(family, variant)| Game::variant(family, variant).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn bundles_preserve_values_and_carry_moves_back(
        (game, at) in common::with_position(bundled(), 7),
    ) {
        let state = State::new(&game, &at).unwrap();
        let step = Floor.apply(&state.clone().into()).unwrap();
        let (small, after) = (step.after.parts[0].game().unwrap(), step.after.heights());
        let after = Position::new(after).unwrap();
        prop_assert_eq!(
            naive::grundy(&game, &at).unwrap().get(&at),
            naive::grundy(&small, &after).unwrap().get(&after)
        );
        prop_assert_eq!(
            naive::remoteness(&game, &at).unwrap().get(&at),
            naive::remoteness(&small, &after).unwrap().get(&after)
        );
        // Every move of the game is the lift of exactly one move of the smaller one.
        let mut lifted: Vec<_> = small.moves(&after).flat_map(|t| step.lifts(&t)).collect();
        let mut moves: Vec<_> = game.moves(&at).collect();
        lifted.sort();
        moves.sort();
        prop_assert_eq!(&lifted, &moves);
        let chain = Chain::reduce(state);
        let (end, whole) = (chain.end(), chain.members().len());
        prop_assert!(whole <= game.stacks());
        if let [part] = &end.parts[..] {
            for take in part.rule.moves(&part.heights) {
                let lifts = chain.lifts(&take).collect::<Vec<_>>();
                prop_assert_eq!(chain.lift_count(&take), Some(lifts.len() as u128));
                prop_assert!(lifts.contains(&chain.lift(&take)));
            }
        }
    }
}

#[test]
fn bundles_by_name() {
    let end = |text, at| chain(text, at).end().to_string();
    assert_eq!(end("CN(6,3) any=2", "2,3,4,5,6,7"), "CN(6,3) any=1 at (1,1,2,2,3,3)");
    assert_eq!(end("Moore(4,2) each>=3", "3,5,6,9"), "Exact(4,2) at (1,1,2,3)");
    assert_eq!(end("Moore(3,2) each=2", "5,5,9"), "Slow(3,{2}) at (2,2,4)");
    assert!(chain("CN(5,2) total>=2", "2,3,4,5,6").steps().is_empty());
    assert!(chain("CN(5,2) total=2", "2,3,4,5,6").steps().is_empty());
}

#[test]
fn totals_are_computed() {
    // Facts of the literature on n = 3, k = 2, a = 2, up to symmetry.
    let sorted_p = |text: &str, max: Height| {
        let table = naive::outcomes(&game(text), &[max; 3]).unwrap();
        let p = table.iter().filter(|(at, o)| *o == Outcome::P && at.is_sorted());
        p.map(|(at, _)| at.iter().map(|h| h.to_string()).collect::<String>()).collect::<Vec<_>>()
    };
    assert_eq!(sorted_p("CN(3,2) total>=2", 4), ["000", "001", "222", "223", "444"]);
    let exactly = ["000", "001", "013", "022", "023", "112", "113", "122", "233", "333"];
    assert_eq!(sorted_p("CN(3,2) total=2", 3), exactly);
}

/// The Grundy values of `facts` by table and, where the facade knows them, by the facade.
#[test]
fn grundy_values_of_the_literature() {
    let facts: [(&str, &[(&str, u32)]); 6] = [
        ("Moore(4,2)", &[("1,2,3,3", 0), ("3,5,6,7", 0), ("0,2,3,3", 8), ("1,1,2,3", 7)]),
        ("Moore(3,2)", &[("1,1,2", 4), ("2,2,3", 1), ("3,3,4", 2), ("4,5,6", 15), ("10,11,12", 9)]),
        ("Exact(4,2)", &[("1,1,2,2", 3), ("2,3,4,5", 7), ("3,3,4,9", 2), ("5,6,7,8", 13)]),
        ("Slow(4,{2})", &[("1,2,3,4", 3), ("2,3,4,4", 0), ("3,4,4,6", 2), ("4,7,7,9", 1)]),
        (
            "Slow(3,{1,2})",
            &[
                ("2,2,4", 0),
                ("1,3,5", 0),
                ("2,4,5", 1),
                ("1,1,2", 1),
                ("2,3,3", 2),
                ("1,2,2", 2),
                ("2,3,4", 3),
                ("1,2,3", 3),
            ],
        ),
        ("Exact(3,2)", &[("1,1,1", 1), ("1,2,3", 3), ("2,2,2", 3)]),
    ];
    for (text, values) in facts {
        let game = game(text);
        for (at, value) in values {
            let at = position(at);
            assert_eq!(naive::grundy(&game, &at).unwrap().get(&at), Some(*value), "{text} {at}");
            let verdict = ask(&game, &at, &Options::unlimited()).unwrap();
            let expected = if *value == 0 { Outcome::P } else { Outcome::N };
            assert_eq!(verdict.outcome, Some(expected), "{text} {at}");
            if let Some(grundy) = verdict.grundy {
                assert_eq!(grundy, u64::from(*value), "{text} {at}");
            }
        }
    }
    let five = game("Slow(5,{2})");
    for (at, outcome) in
        [("1,1,1,1,1", Outcome::P), ("1,2,3,4,5", Outcome::N), ("2,3,5,7,9", Outcome::P)]
    {
        assert_eq!(
            ask(&five, &position(at), &Options::unlimited()).unwrap().outcome,
            Some(outcome)
        );
    }
}

#[test]
fn verdicts_on_slow_games_agree_with_tables() {
    let games = [
        "Slow(4,{3})",
        "Slow(4,{3,4})",
        "Slow(4,{2})",
        "Slow(4,{1,4})",
        "Slow(5,{1,2})",
        "CN(5,2) each=1",
    ];
    for text in games {
        let prepared = Prepared::new(game(text));
        let n = prepared.game().stacks();
        let max = if n == 4 { 4 } else { 3 };
        let table = naive::outcomes(prepared.game(), &vec![max; n]).unwrap();
        for (at, outcome) in table.iter() {
            let verdict = prepared.ask(&at, &Options::unlimited()).unwrap();
            assert_eq!(verdict.outcome, Some(outcome), "{text} {at}");
            assert_eq!(verdict.moves.is_empty(), outcome == Outcome::P);
            for m in &verdict.moves {
                assert!(prepared.game().is_legal(&at, &m.take));
                assert_eq!(table.get(&m.to), Some(Outcome::P), "{text} {at}");
            }
        }
    }
}

#[test]
fn tall_slow_games_are_answered_by_theorem() {
    let tall = "1000000000001,999999999999,1000000000007,999999999998";
    for (text, id) in [
        ("Slow(4,{3})", "slow-all-but-one"),
        ("Slow(4,{3,4})", "slow-at-least-all-but-one"),
        ("Slow(4,{1,3})", "slow-odd"),
        ("Slow(4,{1,4})", "slow-one-or-all"),
        ("Slow(4,{1,2})", "slow-one-or-two"),
        ("Slow(4,{1,2,3})", "slow-at-most"),
        ("Slow(4,{2,3})", "slow-parity"),
    ] {
        let game = game(text);
        // The theorems alone, for the atlas knows these games as well.
        let prepared = Prepared::knowing(game.clone(), Knowledge::theorems());
        let verdict = prepared.ask(&position(tall), &Options::unlimited()).unwrap();
        let by = match verdict.by {
            Some(By::Theorem { id, .. }) => id,
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(by, id);
        if verdict.outcome == Some(Outcome::N) {
            assert!(game.is_legal(&position(tall), &verdict.moves[0].take));
        }
    }
}

#[test]
fn a_partial_theorem_says_why() {
    let verdict =
        ask(&game("Slow(6,{3})"), &position("7,2,5,4,1,6"), &Options::unlimited()).unwrap();
    assert_eq!(verdict.moves[0].take.to_string(), "(1,0,1,0,1,0)");
    let told =
        verdict.reasons.iter().any(|r| matches!(r, Reason::Theorem { outcome: Outcome::N, .. }));
    assert!(told);
}

#[test]
fn grids_by_theorem_and_by_table_agree() {
    for n in 2..=7 {
        for sizes in [vec![n - 1], vec![n - 1, n]] {
            let game = slow(n, sizes);
            let theorem = Grid::of(&game, None, &Unlimited).unwrap();
            assert!(matches!(theorem.source, GridSource::Theorem(_)));
            let table =
                Grid::of(&game, Some([0, 0, 20, 20, 16, 12, 10, 8][n]), &Unlimited).unwrap();
            assert!(matches!(table.source, GridSource::Table { .. }));
            for (by_theorem, by_table) in
                theorem.rows.iter().flatten().zip(table.rows.iter().flatten())
            {
                assert!(by_theorem == by_table || *by_table == CellKind::Unseen, "{game}");
            }
            assert_eq!(theorem.mixed().count() + table.mixed().count(), 0);
        }
    }
}

#[test]
fn grids_of_the_paper() {
    // Figures 5 and 6: the grids of {8} and {8,9} differ in one cell, {6,7,8,9} is a triangle.
    let rows = |sizes: Vec<usize>| Grid::of(&slow(9, sizes), None, &Unlimited).unwrap().rows;
    let (eight, nine, six) = (rows(vec![8]), rows(vec![8, 9]), rows(vec![6, 7, 8, 9]));
    let differ: Vec<(usize, usize)> = (0..16)
        .flat_map(|s| (0..10).map(move |o| (s, o)))
        .filter(|&(s, o)| eight[s][o] != nine[s][o])
        .collect();
    assert_eq!(differ, [(7, 9)]);
    assert_eq!((eight.len(), six.len()), (16, 12));
    for (s, row) in six.iter().enumerate() {
        for (o, kind) in row.iter().enumerate() {
            let cell = Cell { s, o };
            let expected = match (cell.occurs(), cell.in_triangle(6)) {
                (false, _) => CellKind::Impossible,
                (true, true) => CellKind::P,
                (true, false) => CellKind::N,
            };
            assert_eq!(*kind, expected, "{cell:?}");
        }
    }
    let known = AllButOneSlow::new(9, false).unwrap();
    assert_eq!(eight[7][9] == CellKind::P, known.is_p_cell(Cell { s: 7, o: 9 }));
}

#[test]
fn mixed_cells_are_found() {
    let grid = Grid::of(&slow(5, [2]), Some(8), &Unlimited).unwrap();
    assert!(grid.mixed().count() > 0);
    let table = sorted::outcomes(grid.game.single().unwrap(), Play::Normal, 8, &Unlimited).unwrap();
    for (cell, p, n) in grid.mixed() {
        assert_eq!((Cell::of(2, p), Cell::of(2, n)), (cell, cell));
        assert_eq!((table.get(p), table.get(n)), (Some(Outcome::P), Some(Outcome::N)));
    }
    assert_eq!(Grid::of(&game("CN(5,2)"), None, &Unlimited), Err(GridError::NotSlow));
    assert_eq!(Grid::of(&game("Slow(3,{2}) + Nim(1)"), None, &Unlimited), Err(GridError::NotSlow));
    assert!(Grid::of(&slow(32, [3]), Some(1000), &Unlimited).is_err());
}

#[test]
fn the_graph_of_the_paper() {
    // Slow26 Figure 1.
    let (game, at) = (game("Slow(4,{3})"), position("1,2,5,6"));
    let full = GameGraph::of(&game, &at, GraphKind::Full, 100).unwrap();
    assert_eq!((full.nodes.len(), full.edges.len()), (10, 13));
    assert_eq!(full.nodes[0].unplayable, [0, 0, 2, 3]);
    let playable = GameGraph::of(&game, &at, GraphKind::Playable, 100).unwrap();
    let positions: Vec<String> = playable.nodes.iter().map(|n| n.position.to_string()).collect();
    let expected = ["(1,2,3,3)", "(0,2,2,2)", "(1,1,2,2)", "(0,1,1,1)", "(1,0,1,1)", "(0,0,0,0)"];
    assert_eq!(positions, expected);
    assert_eq!(playable.edges.iter().filter(|e| e.adjusted).count(), 4);
    assert_eq!(playable.nodes[0].outcome, full.nodes[0].outcome);
}

#[test]
fn outcomes_in_graphs_are_those_of_tables() {
    for (text, at) in [
        ("Slow(4,{3})", "2,3,4,4"),
        ("Slow(3,{2,3})", "4,4,7"),
        ("misere Slow(3,{2})", "3,4,5"),
        ("CN(4,2)", "2,1,2,1"),
        ("PN(3,2) + Nim(1)", "1,2,1,2"),
    ] {
        let (game, at) = (game(text), position(at));
        let table = naive::outcomes(&game, &at).unwrap();
        for kind in [GraphKind::Full, GraphKind::Playable] {
            let graph = GameGraph::of(&game, &at, kind, 10_000).unwrap();
            for node in &graph.nodes {
                assert_eq!(
                    Some(node.outcome),
                    table.get(&node.position),
                    "{text} {}",
                    node.position
                );
            }
            for edge in &graph.edges {
                assert!(graph.nodes[edge.from].depth < graph.nodes[edge.to].depth);
                assert!(edge.from < edge.to);
            }
        }
    }
}

#[test]
fn graphs_are_bounded() {
    let tall = position("1000000000000,1000000000000,1000000000000");
    let found = GameGraph::of(&game("CN(3,2)"), &tall, GraphKind::Full, 50);
    assert_eq!(found, Err(GraphError::TooManyPositions { limit: 50 }));
    let ones = Position::new(vec![1; 31]).unwrap();
    let found = GameGraph::of(&slow(31, [16]), &ones, GraphKind::Playable, 50);
    assert_eq!(found, Err(GraphError::TooManyMoves { limit: 2000 }));
}

/// The smallest counterexample to a formula, and its outcome.
fn check(game: &Game, formula: &str, max: Height) -> Option<String> {
    let formula = Formula::parse(formula, &Context::of_game(game)).unwrap();
    let conjecture = Conjecture::new(game, &formula).unwrap();
    let max = vec![max; game.stacks()];
    let check = conjecture.check(&max, &Alone, &Unlimited).unwrap();
    assert!(check.holds().is_some());
    let smallest = check.counterexample()?;
    let outcome = if smallest.kind == MismatchKind::Missed { "P" } else { "N" };
    Some(format!("{} {outcome}", smallest.position))
}

#[test]
fn the_conjecture_fails_as_printed_and_not_as_corrected() {
    for n in 2..=6usize {
        let max = [0, 0, 30, 20, 12, 9, 7][n];
        for k in 1..=n {
            let game = slow(n, k..=n);
            assert_eq!(check(&game, &formula(n, k, Wording::Corrected), max), None, "{game}");
        }
    }
    let printed = |n, k, max| {
        let game = slow(n, k..=n);
        check(&game, &formula(n, k, Wording::Printed), max)
    };
    // For k = 1 even the empty position is misjudged.
    assert_eq!(printed(3, 1, 5).as_deref(), Some("(0,0,0) P"));
    assert_eq!(printed(4, 2, 6).as_deref(), Some("(0,1,2,2) P"));
    // For {3,4} it contradicts Theorem 8.
    assert_eq!(printed(4, 3, 6).as_deref(), Some("(2,2,2,2) P"));
    // No smaller game with k >= 2 has a counterexample there or below.
    let smallest = (2..=5).flat_map(|n| (2..=n).map(move |k| (n, k)));
    let smallest = smallest.filter_map(|(n, k)| Some((n, k, printed(n, k, 7)?)));
    let fewest = smallest.clone().map(|(n, _, _)| n).min();
    assert_eq!(fewest, Some(4));
}

#[test]
fn longest_plays_are_compared_with_values() {
    let found = |text: &str| LongestPlay::of(game(text).single().unwrap());
    assert_eq!(found("Exact(3,2)").unwrap().differs, None);
    assert!(found("Exact(3,2)").unwrap().proved.is_some());
    assert!(found("CN(5,3) each>=1").unwrap().proved.is_none());
    assert!(found("Exact(4,2)").unwrap().differs.is_some());
    assert_eq!(found("PN(4,3) each>=1").unwrap().differs, None);
    assert_eq!(found("CN(5,3) each>=1").unwrap().differs, None);
    assert_eq!(found("CN(5,2)"), None);
    assert_eq!(found("Slow(3,{2})"), None);
}
