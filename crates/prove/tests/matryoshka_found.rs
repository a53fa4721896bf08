//! What the matryoshka method finds is what the oracle computes.

use nimatron_formula::{Context, Formula};
use nimatron_game::symmetry::{Symmetry, set_systems};
use nimatron_game::{Game, Height, MAX_HEIGHT, Outcome, StackSet, Stop, Unlimited, Watch};
use nimatron_meaning::Evaluator;
use nimatron_prove::matryoshka::{Discovery, NotFound, Solution, Unsupported, discover};
use nimatron_table::naive;
use nimatron_verify::{Certificate, verify};

fn game(name: &str) -> Game {
    name.parse().unwrap()
}

fn found(game: &Game) -> Solution {
    match discover(game, &Unlimited) {
        Ok(Discovery::Found(solution)) => *solution,
        other => panic!("{game}: {other:?}"),
    }
}

/// The certificate is accepted, also after it was written and read, and it claims the formula.
fn check_certificate(solution: &Solution) {
    let certificate = solution.certificate();
    let accepted = verify(&certificate).unwrap_or_else(|why| panic!("{}: {why}", solution.game()));
    assert_eq!(&accepted.game, solution.game());
    assert_eq!(accepted.kind, "matryoshka");
    assert_eq!(accepted.set, solution.formula());
    let mut text = Vec::new();
    certificate.write(&mut text).unwrap();
    assert_eq!(Certificate::read(&text[..]).unwrap(), certificate);
}

/// Recursion, formula and winning moves agree with the oracle on a box.
fn check_box(solution: &Solution, max: Height) {
    let game = solution.game();
    let n = game.stacks();
    let table = naive::outcomes(game, &vec![max; n]).unwrap();
    let context = Context::of_game(game);
    let formula = Formula::parse(&solution.formula(), &context).unwrap();
    let symmetries: Vec<Vec<usize>> =
        Symmetry::of(game.single().unwrap()).elements().map(|g| g.images().collect()).collect();
    let evaluator = Evaluator::new(&formula, &context, &symmetries).unwrap();
    for (position, outcome) in table.iter() {
        assert_eq!(solution.answer(&position).unwrap().outcome, outcome, "{game} {position}");
        assert_eq!(evaluator.holds(&position), outcome == Outcome::P, "{game} {position}");
        if let Some(take) = solution.winning_move(&position) {
            let reached = game.play(position, &take).unwrap();
            assert_eq!(table.get(&reached), Some(Outcome::P), "{game} {reached}");
        }
    }
}

#[test]
fn circles() {
    for (name, max) in
        [("CN(4,2)", 6), ("CN(5,2)", 5), ("CN(6,3)", 3), ("CN(7,3)", 2), ("CN(8,3)", 2)]
    {
        let solution = found(&game(name));
        check_certificate(&solution);
        check_box(&solution, max);
    }
}

#[test]
fn paths_and_necklaces() {
    for n in 2..=8 {
        for k in (n + 1) / 2..=n {
            let solution = found(&game(&format!("PN({n},{k})")));
            check_certificate(&solution);
            check_box(&solution, if n <= 5 { 4 } else { 1 });
        }
    }
    for n in 3..=9usize {
        for k in (n / 2).max(2)..=n {
            let solution = found(&game(&format!("NN({n},{k})")));
            check_certificate(&solution);
            check_box(&solution, if n <= 6 { 3 } else { 1 });
        }
    }
    check_box(&found(&game("NN(7,3)")), 2);
}

#[test]
fn games_that_merge_or_have_a_stack_everywhere() {
    for name in
        ["Set(abc)", "Set(ad,abc,bcd)", "PN(5,4)", "Set(abd,bcd,cad)", "Nim(2)", "Moore(4,3)"]
    {
        let solution = found(&game(name));
        check_certificate(&solution);
        check_box(&solution, 3);
    }
    assert_eq!(found(&game("Set(abc)")).formula(), "total = 0");
    assert_eq!(found(&game("Set(ad,abc,bcd)")).formula(), "span(abd, acd)");
}

/// Whether one cell of the solution, up to symmetry, has exactly these generators.
fn has_cell(solution: &Solution, generators: &str) -> bool {
    let set = |word: &str| word.bytes().map(|b| usize::from(b - b'a')).collect::<StackSet>();
    let mut cell: Vec<StackSet> = generators.split(' ').map(set).collect();
    cell.sort_unstable();
    let cells = solution.cells();
    Symmetry::of(solution.game().single().unwrap()).elements().any(|g| {
        let mut moved: Vec<StackSet> = cell.iter().map(|&s| g.set(s)).collect();
        moved.sort_unstable();
        cells.contains(&moved)
    })
}

#[test]
fn the_cells_of_cn_6_3_and_cn_7_3() {
    let hexagon = found(&game("CN(6,3)"));
    assert_eq!(hexagon.cells().len(), 1);
    assert!(has_cell(&hexagon, "ad be cf ace bdf"));
    assert_eq!(hexagon.equations().len(), 2);
    let heptagon = found(&game("CN(7,3)"));
    assert_eq!(heptagon.cells().len(), 35);
    for cell in ["ad bf acdf bdfg abcdefg", "ad ae abdf acef abcdefg", "ad ae abdf bdeg abcdefg"] {
        assert!(has_cell(&heptagon, cell), "{cell}");
    }
}

#[test]
fn cn_9_4_is_a_union_of_four_cells_up_to_symmetry() {
    let solution = found(&game("CN(9,4)"));
    check_certificate(&solution);
    assert_eq!(solution.statistics().cells, 54);
    for cell in [
        "adg beh cfi ae af cg ch",
        "adg beh cfi ae cg abeg acfg",
        "adg beh cfi ae af abeg acfg",
        "adg beh cfi ae af abeg befi",
    ] {
        assert!(has_cell(&solution, cell), "{cell}");
    }
    check_box(&solution, 1);
}

#[test]
fn worked_plays() {
    for (name, position) in [
        ("CN(5,2)", "3,8,5,9,6"),
        ("H", "2,6,11,8,3,12"),
        ("H", "6,2,9,1,3,12"),
        ("CN(7,3)", "3,5,9,14,11,6,15"),
        ("CN(6,3)", "10,9,5,8,4,3"),
    ] {
        let game = game(name);
        let solution = found(&game);
        let position: nimatron_game::Position = position.parse().unwrap();
        let take = solution.winning_move(&position).unwrap();
        let reached = game.play(position, &take).unwrap();
        assert_eq!(solution.answer(&reached).unwrap().outcome, Outcome::P, "{name} {reached}");
    }
    for (name, p) in
        [("CN(5,2)", "3,8,3,5,6"), ("H", "2,6,6,2,0,12"), ("CN(7,3)", "3,5,9,9,5,3,15")]
    {
        let p: nimatron_game::Position = p.parse().unwrap();
        assert_eq!(found(&game(name)).answer(&p).unwrap().outcome, Outcome::P);
    }
}

#[test]
fn the_tallest_stacks() {
    let game = game("NN(7,3)");
    let solution = found(&game);
    let tall = nimatron_game::Position::new(vec![MAX_HEIGHT; 7]).unwrap();
    if let Some(take) = solution.winning_move(&tall) {
        let reached = game.play(tall, &take).unwrap();
        assert_eq!(solution.answer(&reached).unwrap().outcome, Outcome::P);
    }
    let path = found(&"PN(8,4)".parse().unwrap());
    let heights = [MAX_HEIGHT, MAX_HEIGHT - 5, 0, 0, 0, MAX_HEIGHT, MAX_HEIGHT - 5, 0];
    assert_eq!(path.answer(&heights).unwrap().outcome, Outcome::P);
    assert!(path.winning_move(&[MAX_HEIGHT; 8]).is_some());
}

#[test]
fn the_sheet_of_h() {
    let sheets = found(&game("H")).sheets();
    let last = sheets.last().unwrap();
    assert_eq!(last.game.as_ref().unwrap().to_string(), "NN(6,3)");
    let vectors: Vec<String> = last.vectors.iter().map(|v| v.to_string()).collect();
    assert_eq!(vectors, ["abdf", "acef"]);
    let rows: Vec<String> = last
        .rows
        .iter()
        .map(|row| {
            let game = sheets[row.sheet].game.as_ref().unwrap();
            let sums: Vec<String> = row.sums.iter().map(|s| s.to_string()).collect();
            format!("{} {} ({}) {}", row.stacks, game, sums.join(","), row.everywhere)
        })
        .collect();
    // KDH26 Table 2, with merges and stacks in every set carried out.
    for row in ["a PN(4,2)", "bc Nim(2)", "cd PN(4,2)", "be CN(4,2)", "de Nim(2)", "f PN(4,2)"] {
        assert!(rows.iter().any(|found| found.starts_with(row)), "{row} in {rows:#?}");
    }
    assert_eq!(rows.len(), 6);
}

/// Games without invariant vectors in which every P-position has an empty stack.
#[test]
fn forced_zeros() {
    let pentagon = found(&game("CN(5,3)"));
    assert_eq!(pentagon.formula(), "sym(span(acd, ace))");
    check_certificate(&pentagon);
    check_box(&pentagon, 4);
    let sheets = pentagon.sheets();
    let sheet = sheets.last().unwrap();
    assert!(sheet.positive && sheet.rows.len() == 5);
    assert!(
        sheet.to_string().starts_with(
            "CN(5,3): some stack must be empty; up to symmetry,\n  a empty: game 1 at ("
        )
    );
    let octagon = found(&game("CN(8,6)"));
    check_certificate(&octagon);
    assert_eq!(octagon.cells().len(), 16);
    check_box(&octagon, 1);
    for (solution, position) in [
        (&pentagon, "3,9,5,7,4"),
        (&pentagon, "2,3,8,7,6"),
        (&octagon, "4,12,11,9,10,16,1,17"),
        (&octagon, "4000000000000000000,12,11,9000000000000000000,10,16,1,17"),
    ] {
        let position: nimatron_game::Position = position.parse().unwrap();
        let take = solution.winning_move(&position).unwrap();
        let reached = solution.game().play(position, &take).unwrap();
        assert_eq!(solution.answer(&reached).unwrap().outcome, Outcome::P, "{reached}");
        assert!(reached.contains(&0));
    }
}

/// The witness is a P-position, its multiple is not.
fn check_obstruction(game: &Game, position: &[Height], factor: Height) {
    let multiple: Vec<Height> = position.iter().map(|h| h * factor).collect();
    let table = naive::outcomes(game, &multiple).unwrap();
    assert_eq!(table.get(position), Some(Outcome::P), "{game} {position:?}");
    assert_eq!(table.get(&multiple), Some(Outcome::N), "{game} {multiple:?}");
}

fn check_obstructed(name: &str, factor: Height) {
    let game = game(name);
    match discover(&game, &Unlimited).unwrap() {
        Discovery::Obstructed { position, factor: found } => {
            assert_eq!(found, factor, "{name} {position}");
            check_obstruction(&game, &position, factor);
        }
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn obstructions() {
    for name in ["Nim(3)", "CN(6,2)", "PN(5,2)", "PN(7,3)", "CN(9,3)"] {
        check_obstructed(name, 3);
    }
}

#[test]
#[ignore = "boxes of millions of positions"]
fn obstructions_in_large_boxes() {
    for (name, factor) in
        [("CN(6,4)", 3), ("CN(7,5)", 2), ("CN(8,4)", 2), ("CN(8,5)", 3), ("CN(9,5)", 2)]
    {
        check_obstructed(name, factor);
    }
    let open = discover(&game("CN(7,4)"), &Unlimited).unwrap();
    assert!(matches!(open, Discovery::NotFound(NotFound::NoVectors { bound: 12, .. })), "{open:?}");
}

/// Every set system on up to four stacks, and how many end in which way.
#[test]
fn all_small_set_systems() {
    let mut counts = Vec::new();
    for n in 1..=4 {
        let (mut solved, mut obstructed, mut open) = (0, 0, 0);
        for sets in set_systems(n) {
            let game = Game::set_nim(n, sets.iter().collect()).unwrap();
            match discover(&game, &Unlimited).unwrap() {
                Discovery::Found(solution) => {
                    check_certificate(&solution);
                    check_box(&solution, 4);
                    solved += 1;
                }
                Discovery::Obstructed { position, factor } => {
                    check_obstruction(&game, &position, factor);
                    obstructed += 1;
                }
                _ => open += 1,
            }
        }
        counts.push((solved, obstructed, open));
    }
    assert_eq!(counts, [(1, 0, 0), (2, 0, 0), (4, 1, 0), (11, 8, 1)]);
}

#[test]
fn what_is_not_supported_is_refused() {
    let refused = |name: &str| discover(&game(name), &Unlimited).unwrap_err();
    assert_eq!(refused("misere CN(5,2)"), Unsupported::Misere);
    assert_eq!(refused("Exact(4,2)"), Unsupported::Rule);
    assert_eq!(refused("Slow(4,{1,2})"), Unsupported::Rule);
    assert_eq!(refused("CN(5,2) total>=2"), Unsupported::Rule);
    assert_eq!(refused("PN(3,2) + Nim(1)"), Unsupported::Rule);
    assert_eq!(refused("Moore(24,12)"), Unsupported::Sets(2_704_156));
}

#[test]
fn limits_are_kept() {
    struct Never;
    impl Watch for Never {
        fn check(&self, _memory: u64) -> Result<(), Stop> {
            Err(Stop::Cancelled)
        }
    }
    let stopped = discover(&game("CN(8,3)"), &Never).unwrap();
    let expected = NotFound::Stopped(Stop::Cancelled);
    assert!(matches!(stopped, Discovery::NotFound(reason) if reason == expected));
    let large = discover(&game("CN(20,15)"), &Unlimited).unwrap();
    assert!(matches!(large, Discovery::NotFound(NotFound::TooLarge { .. })), "{large:?}");
}

#[test]
#[ignore = "takes seconds even when optimised"]
fn circles_of_ten_to_twelve() {
    for (name, cells, games) in
        [("CN(10,4)", 1440, 15), ("CN(11,4)", 2827, 18), ("CN(12,5)", 879, 11)]
    {
        let solution = found(&game(name));
        check_certificate(&solution);
        let statistics = solution.statistics();
        assert_eq!((statistics.cells, statistics.games), (cells, games), "{name}");
        check_box(&solution, 1);
    }
}

#[test]
#[ignore = "takes minutes and gigabytes even when optimised"]
fn the_circle_of_thirteen() {
    let solution = found(&game("CN(13,5)"));
    check_certificate(&solution);
    assert_eq!(solution.statistics().cells, 94_211);
}

/// The P-positions in equations and inequalities: accepted by the checker, and what the oracle says.
#[test]
fn cells_are_told_in_equations_and_inequalities() {
    for (name, max) in [
        ("Set(abc)", 3),
        ("PN(3,2)", 6),
        ("CN(4,2)", 4),
        ("PN(5,3)", 3),
        ("CN(5,2)", 3),
        ("CN(5,3)", 3),
        ("NN(6,3)", 2),
        ("Set(ad,abc,bcd)", 4),
        ("CN(7,3)", 1),
    ] {
        let solution = found(&game(name));
        let formula = solution.readable(&Unlimited).unwrap().unwrap_or_else(|| panic!("{name}"));
        let text = formula.to_string();
        let accepted = verify(&solution.certificate().with_formula(Some(text.clone()))).unwrap();
        assert_eq!(accepted.formula.as_deref(), Some(text.as_str()));
        assert_eq!(accepted.set, solution.formula());
        assert!(!text.contains("span"), "{name}: {text}");
        let game = solution.game();
        let table = naive::outcomes(game, &vec![max; game.stacks()]).unwrap();
        let holds = evaluator(game, &formula);
        for (position, outcome) in table.iter() {
            assert_eq!(holds.holds(&position), outcome == Outcome::P, "{text} at {position}");
        }
        assert_eq!(found(game).readable(&Unlimited).unwrap(), Some(formula));
    }
    let text = |name: &str| found(&game(name)).readable(&Unlimited).unwrap().unwrap().to_string();
    assert_eq!(text("CN(5,3)"), "sym(a = 0, b = e = c+d)");
    assert_eq!(text("CN(6,3)"), "a+b = d+e, a+f = c+d");
}

fn evaluator(game: &Game, formula: &Formula) -> Evaluator {
    let symmetries: Vec<Vec<usize>> =
        Symmetry::of(game.single().unwrap()).elements().map(|g| g.images().collect()).collect();
    Evaluator::new(formula, &Context::of_game(game), &symmetries).unwrap()
}

/// Formulas that are changed in one comparison are rejected with a position, or describe the same set.
#[test]
fn formulas_that_were_changed_are_rejected_with_a_position() {
    let (mut rejected, mut same) = (0, 0);
    for name in ["CN(5,2)", "CN(5,3)", "NN(6,3)", "PN(5,3)", "CN(7,3)"] {
        let solution = found(&game(name));
        let text = solution.readable(&Unlimited).unwrap().unwrap().to_string();
        let certificate = solution.certificate();
        let context = Context::of_game(solution.game());
        let holds = evaluator(solution.game(), &Formula::parse(&text, &context).unwrap());
        for (from, to) in [(" = ", " <= "), (" <= ", " >= "), (" <= ", " < "), (" = ", " = 1+")] {
            for (at, _) in text.match_indices(from) {
                let mutant = format!("{}{to}{}", &text[..at], &text[at + from.len()..]);
                let formula = Formula::parse(&mutant, &context).unwrap();
                let changed = evaluator(solution.game(), &formula);
                let checked = verify(&certificate.clone().with_formula(Some(mutant.clone())));
                if let Some((inside, position)) = checked.as_ref().err().and_then(|e| e.differs()) {
                    assert_eq!(holds.holds(position), inside, "{mutant} at {position}");
                    assert_ne!(changed.holds(position), inside, "{mutant} at {position}");
                    rejected += 1;
                    continue;
                }
                // Then nothing has changed, and the checker sees it.
                assert!(checked.is_ok(), "{mutant}: {checked:?}");
                let n = solution.game().stacks() as u32;
                for code in 0..3u64.pow(n) {
                    let p: Vec<Height> = (0..n).map(|s| code / 3u64.pow(s) % 3).collect();
                    assert_eq!(holds.holds(&p), changed.holds(&p), "{mutant} at {p:?}");
                }
                same += 1;
            }
        }
    }
    assert!(rejected >= 40 && same <= 10, "{rejected} {same}");
}
