//! Conjectures against brute force.

use nimatron::check::{Check, Conjecture, MismatchKind, Side, Witness};
use nimatron::crates::formula::{Context, Formula};
use nimatron::crates::game::Unlimited;
use nimatron::crates::game::symmetry::Symmetry;
use nimatron::crates::meaning::Evaluator;
use nimatron::crates::table::{Alone, Crew, naive};
use nimatron::tables::Threads;
use nimatron::{Deadline, Game, Limits, Outcome, Position, Stop};
use proptest::prelude::*;
use std::time::Duration;

fn read(game: &str, text: &str) -> (Game, Formula) {
    let game: Game = game.parse().unwrap();
    let formula = Formula::parse(text, &Context::of_game(&game)).unwrap();
    (game, formula)
}

fn check(game: &str, text: &str, max: &[u64], crew: &dyn Crew) -> Check {
    let (game, formula) = read(game, text);
    Conjecture::new(&game, &formula).unwrap().check(max, crew, &Unlimited).unwrap()
}

/// All symmetries, listed; for a sum, those of the summands one after the other.
fn symmetries(game: &Game) -> Vec<Vec<usize>> {
    let list = |s: Symmetry| s.elements().map(|e| e.images().collect()).collect::<Vec<Vec<_>>>();
    let mut all = vec![Vec::new()];
    for summand in game.summands() {
        let first = summand.stacks().start;
        let own = list(Symmetry::of(summand.rule()));
        let join = |before: &Vec<usize>, e: &Vec<usize>| {
            before.iter().copied().chain(e.iter().map(|i| first + i)).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(|b| own.iter().map(move |e| join(b, e))).collect();
    }
    all
}

/// Compares everything with the definition.
fn assert_right(game_text: &str, text: &str, max: &[u64], found: &Check) {
    let (game, formula) = read(game_text, text);
    let evaluator = Evaluator::new(&formula, &Context::of_game(&game), &symmetries(&game)).unwrap();
    let table = naive::outcomes(&game, max).unwrap();
    let losing = |p: &[u64]| table.get(p) == Some(Outcome::P);
    let mut expected: Vec<(u128, Position, MismatchKind)> = Vec::new();
    for (position, outcome) in table.iter() {
        let kind = match (outcome, evaluator.holds(&position)) {
            (Outcome::P, false) => MismatchKind::Missed,
            (Outcome::N, true) => MismatchKind::Claimed,
            _ => continue,
        };
        expected.push((position.total(), position, kind));
    }
    let at = format!("{game_text}, {text}, {max:?}");
    assert_eq!(found.stop, None, "{at}");
    assert_eq!(found.holds(), Some(expected.is_empty()), "{at}");
    assert_eq!(found.positions, table.cells().len() as u128, "{at}");
    assert_eq!(found.p_count, table.iter().filter(|(_, o)| *o == Outcome::P).count() as u128);
    let count = |kind| expected.iter().filter(|e| e.2 == kind).count() as u128;
    assert_eq!(
        (found.missed, found.claimed),
        (count(MismatchKind::Missed), count(MismatchKind::Claimed)),
        "{at}"
    );
    expected.sort_by(|x, y| (x.0, &x.1).cmp(&(y.0, &y.1)));
    let first = |kind| expected.iter().position(|e| e.2 == kind);
    let mut smallest: Vec<usize> =
        [first(MismatchKind::Missed), first(MismatchKind::Claimed)].into_iter().flatten().collect();
    smallest.sort_unstable();
    assert_eq!(found.counterexamples.len(), smallest.len(), "{at}");
    for (c, &i) in found.counterexamples.iter().zip(&smallest) {
        let (_, position, kind) = &expected[i];
        assert_eq!((&c.position, c.kind), (position, *kind), "{at}");
        let into_formula =
            || game.moves(position).any(|t| evaluator.holds(&position.after(&t).unwrap()));
        match (&c.evidence, kind) {
            (Witness::Wins { take, to, linked }, MismatchKind::Claimed) => {
                assert_eq!(&game.play(position.clone(), take).unwrap(), to, "{at}");
                assert!(losing(to), "{at}");
                assert_eq!(*linked, evaluator.holds(to), "{at}");
                assert!(*linked || i > 0, "{at}: the smallest of all links two members");
            }
            (Witness::NoMoveLeft, MismatchKind::Claimed) => {
                assert!(game.is_terminal(position), "{at}")
            }
            (Witness::OnlyInto { take, to }, MismatchKind::Missed) => {
                assert_eq!(&game.play(position.clone(), take).unwrap(), to, "{at}");
                assert!(evaluator.holds(to) && !losing(to) && i > 0, "{at}");
            }
            (Witness::NoMoveInto, MismatchKind::Missed) => assert!(!into_formula(), "{at}"),
            other => panic!("{at}: {other:?}"),
        }
    }
}

const GAMES: [&str; 20] = [
    "Nim(1)",
    "Nim(2)",
    "misere Nim(3)",
    "CN(4,2)",
    "CN(5,3)",
    "misere CN(4,2)",
    "PN(4,2)",
    "NN(5,3)",
    "Moore(4,2)",
    "Set(ad,abc,bcd)",
    "PN(3,2) + Nim(1)",
    "misere Nim(1) + CN(3,2)",
    "Slow(4,{1,2})",
    "misere Slow(3,{2})",
    "Slow(5,{3,4})",
    "Exact(4,2)",
    "CN(4,2) each=2",
    "Moore(4,2) total=2",
    "Slow(3,{1,2}) + Nim(1)",
    "misere Exact(2,2) + Nim(2)",
];

/// Formulas whose stacks are taken modulo the number of stacks.
fn text() -> impl Strategy<Value = String> {
    let atom = prop_oneof![
        (0..9usize, 0..9usize, 0..6usize).prop_map(|(x, y, r)| {
            let relation = ["=", "!=", "<", "<=", ">", ">="][r];
            format!("<{x}> {relation} <{y}>")
        }),
        (0..9usize, 0..9usize, 0..9usize).prop_map(|(x, y, z)| format!("<{x}>+<{y}> = 2<{z}>")),
        (0..9usize, 0..9usize).prop_map(|(x, y)| format!("xor(<{x}>,<{y}>,1) = 0")),
        (0..9usize, 0..4u64).prop_map(|(x, c)| format!("<{x}> = {c}")),
        Just("min = 0".to_string()),
        Just("even(total)".to_string()),
        Just("odds <= 1".to_string()),
        Just("total mod 3 != 1".to_string()),
        Just("max <= 2min".to_string()),
        Just("span(<0>, <1>)".to_string()),
        Just("true".to_string()),
        Just("false".to_string()),
    ];
    atom.prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(f, g)| format!("({f} and {g})")),
            (inner.clone(), inner.clone()).prop_map(|(f, g)| format!("({f} or {g})")),
            inner.clone().prop_map(|f| match f.contains("span") {
                true => f,
                false => format!("not ({f})"),
            }),
            inner.clone().prop_map(|f| format!("sym({f})")),
            inner.prop_map(|f| format!("sym({f})")),
        ]
    })
}

fn with_stacks(text: &str, n: usize) -> String {
    let name = |digit: char| ["a", "b", "c", "d", "e"][digit as usize % 16 % n];
    let mut out = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('<', Some(&digit)) if digit.is_ascii_digit() => {
                out += name(digit);
                chars.nth(1);
            }
            _ => out.push(c),
        }
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn random_formulas(
        game in 0..GAMES.len(),
        text in text(),
        heights in proptest::collection::vec(0..5u64, 5),
        uniform in any::<bool>(),
    ) {
        let game = GAMES[game];
        let n = game.parse::<Game>().unwrap().stacks();
        let max = if uniform { vec![heights[0]; n] } else { heights[..n].to_vec() };
        let text = with_stacks(&text, n);
        assert_right(game, &text, &max, &check(game, &text, &max, &Alone));
    }
}

#[test]
fn boxes_of_many_lines() {
    for (game, text, max) in [
        ("CN(5,2)", "sym(b = e, a+b = c+d, a = max)", vec![7; 5]),
        ("CN(5,2)", "sym(b = e, a+b = c+d, a >= c)", vec![7; 5]),
        ("CN(5,2)", "a = b", vec![9, 8, 9, 2, 9]),
        ("PN(4,2)", "b = c = 0, a = d", vec![5, 70, 5, 130]),
        ("Slow(5,{1,2})", "even(total), a = b", vec![7; 5]),
        ("misere CN(4,2)", "sym(a = c, b = d, a > 1)", vec![9; 4]),
        ("Moore(4,2)", "total mod 3 = 0", vec![9; 4]),
        ("Slow(4,{2,3})", "reduced(even(total))", vec![9; 4]),
    ] {
        let alone = check(game, text, &max, &Alone);
        assert_right(game, text, &max, &alone);
        assert_eq!(check(game, text, &max, &Threads::new(3)), alone, "{game}, {text}");
    }
}

/// More lines than are held at a time.
#[test]
fn boxes_of_many_batches() {
    let theorem = "sym(a = min, b <= g, a+b = e+min(d,f), b+c+d = e+f+g)";
    let found = check("CN(7,3)", theorem, &[10; 7], &Threads::new(2));
    assert_eq!((found.holds(), found.p_count), (Some(true), 70_851));
    // One position less, in the last layer: all images of it are missed.
    let wrong = format!("{theorem}, not sym(a = b = c = d = e = f = g = 10)");
    let found = check("CN(7,3)", &wrong, &[10; 7], &Threads::new(2));
    assert_eq!((found.missed, found.claimed), (1, 0));
    assert_eq!(found.counterexample().unwrap().position.to_vec(), [10; 7]);
}

#[test]
fn theorems_of_the_corpus() {
    let corpus = include_str!("../../../corpus/formula/theorems.txt");
    // Lines that start with a blank go on with the formula before.
    let corpus = corpus.replace("\n ", " ");
    let mut checked = 0;
    for line in corpus.lines().filter(|l| !l.starts_with('#') && !l.is_empty()) {
        let [game, height, _, text] = line.splitn(4, ';').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let n = game.parse::<Game>().unwrap().stacks();
        let height = height.trim().parse().unwrap();
        let found = check(game, text, &vec![height; n], &Alone);
        assert_eq!(found.holds(), Some(true), "{line}: {:?}", found.counterexamples);
        checked += 1;
    }
    assert!(checked > 30, "{checked} theorems");
}

#[test]
fn symmetric_games_of_many_stacks() {
    let found = check("Slow(8,{1,3})", "even(total)", &[9; 8], &Alone);
    assert_eq!((found.holds(), found.positions), (Some(true), 100_000_000));
    assert_eq!(found.p_count, 50_000_000);
    let found = check("Slow(12,{1,3})", "even(total), a = a", &[3; 12], &Alone);
    assert_eq!((found.holds(), found.p_count), (Some(true), 4u128.pow(12) / 2));
    let found = check("Nim(9)", "xor(a..i) = 0", &[7; 9], &Alone);
    assert_eq!((found.holds(), found.p_count), (Some(true), 8u128.pow(8)));
    let found = check("Moore(32,31)", "min = max", &[1; 32], &Alone);
    assert_eq!((found.holds(), found.p_count), (Some(true), 2));
}

#[test]
fn limits_stop_it() {
    let (game, formula) = read("CN(8,3)", "a = b");
    let conjecture = Conjecture::new(&game, &formula).unwrap();
    let run = |max: u64, limits: Limits| {
        let watch: Deadline = limits.start();
        conjecture.check(&[max; 8], &Alone, &watch).unwrap()
    };
    let memory = Limits::unlimited().memory(1_000_000);
    let found = run(30, memory);
    assert_eq!((found.stop, found.holds()), (Some(Stop::Memory), None));
    let time = Limits::unlimited().time(Duration::from_millis(150));
    let found = run(15, time);
    assert_eq!(found.stop, Some(Stop::Time));
    // What was found by then is true.
    if let Some(c) = found.counterexample() {
        assert_eq!(found.holds(), Some(false));
        assert!(matches!(c.evidence, Witness::Wins { .. } | Witness::NoMoveInto), "{c:?}");
    }
}

#[test]
fn boxes_that_are_none() {
    let (game, formula) = read("CN(4,2)", "a = b");
    let conjecture = Conjecture::new(&game, &formula).unwrap();
    assert!(conjecture.check(&[3; 5], &Alone, &Unlimited).is_err());
    assert!(conjecture.check(&[3, 3, 3, u64::MAX], &Alone, &Unlimited).is_err());
    let (game, formula) = read("Nim(12)", "sym(a = b)");
    assert!(Conjecture::new(&game, &formula).is_err());
}

#[test]
fn suggestions_are_sensible() {
    for (game, text, least, most) in [
        ("CN(5,3)", "sym(a = 0, b = e = c+d)", 30, 90),
        ("CN(9,4)", "a = b", 3, 6),
        ("Slow(8,{1,2})", "even(total)", 12, 30),
        ("CN(32,3)", "a = b", 0, 1),
        ("Moore(32,16)", "a = b", 0, 1),
    ] {
        let (game, formula) = read(game, text);
        let max = Conjecture::new(&game, &formula).unwrap().suggested_max();
        assert!((least..=most).contains(&max), "{game}: {max}");
    }
}

/// One direction, and some positions only, against the plain loop.
#[test]
fn one_direction_and_some_positions() {
    // By lines, by a table of outcomes, and over sorted positions.
    let cases = [
        ("CN(5,3)", "min = 0", "a <= b", 4),
        ("CN(5,3)", "sym(a = 0, b = e)", "min = 0", 4),
        ("CN(6,2)", "even(total)", "a = 0 or b = c", 2),
        ("Slow(4,{2})", "even(total)", "max >= 2", 5),
        ("Slow(4,{2})", "even(a)", "b = 2", 5),
        ("misere CN(4,2)", "a = c", "d <= 2", 5),
    ];
    for (text, formula, condition, max) in cases {
        let (game, formula) = read(text, formula);
        let (_, condition) = read(text, condition);
        let rule = game.single().unwrap();
        let images: Vec<Vec<usize>> =
            Symmetry::of(rule).elements().map(|g| g.images().collect()).collect();
        let evaluator = |f: &Formula| Evaluator::new(f, &Context::of_game(&game), &images).unwrap();
        let (satisfies, counts) = (evaluator(&formula), evaluator(&condition));
        let bounds = vec![max; game.stacks()];
        let table = naive::outcomes(&game, &bounds).unwrap();
        let (mut considered, mut p_count, mut missed, mut claimed) = (0u128, 0u128, 0u128, 0u128);
        for (at, outcome) in table.iter().filter(|(at, _)| counts.holds(at)) {
            let lost = outcome == Outcome::P;
            considered += 1;
            p_count += u128::from(lost);
            missed += u128::from(lost && !satisfies.holds(&at));
            claimed += u128::from(!lost && satisfies.holds(&at));
        }
        for side in [Side::Exact, Side::Necessary, Side::Sufficient] {
            let conjecture = Conjecture::new(&game, &formula).unwrap().side(side);
            let conjecture = conjecture.within(&condition).unwrap();
            let check = conjecture.check(&bounds, &Alone, &Unlimited).unwrap();
            let counted = (check.considered, check.p_count, check.missed, check.claimed);
            assert_eq!(counted, (considered, p_count, missed, claimed), "{text}");
            let found: Vec<MismatchKind> = check.counterexamples.iter().map(|c| c.kind).collect();
            let asked = |kind| found.contains(&kind);
            assert_eq!(asked(MismatchKind::Missed), missed > 0 && side != Side::Sufficient);
            assert_eq!(asked(MismatchKind::Claimed), claimed > 0 && side != Side::Necessary);
        }
    }
}

#[test]
fn a_box_with_one_position_says_nothing() {
    let game: Game = "CN(5,3)".parse().unwrap();
    let formula = Formula::parse("a = 0", &Context::of_game(&game)).unwrap();
    let check = Conjecture::new(&game, &formula).unwrap();
    let check = check.check(&[0; 5], &Alone, &Unlimited).unwrap();
    assert_eq!(check.holds(), Some(true));
    assert!(check.is_empty());
    assert!(check.to_string().contains("next to nothing"));
}
