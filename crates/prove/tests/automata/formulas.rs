//! Formulas as automata: they say the same, and are proved or refuted.

use super::common::{Arbitrary, Limits, check, game};
use nimatron_formula::{Context, Formula, Relation, Term};
use nimatron_game::symmetry::Symmetry;
use nimatron_game::{Game, Height, Outcome, Stop, Unlimited};
use nimatron_meaning::Evaluator;
use nimatron_prove::automata::{
    AutomatonCounterexample, NoAutomaton, Unproved, UnprovedFormula, formula_automaton,
    prove_formula,
};
use nimatron_table::naive;
use nimatron_verify::automaton::{Dfa, describes};
use nimatron_verify::verify;
use proptest::prelude::*;

const THEOREMS: &str = include_str!("../../../../corpus/formula/theorems.txt");

/// The games and formulas of the corpus, with the box.
fn theorems() -> Vec<(Game, Height, Formula)> {
    let mut entries: Vec<String> = Vec::new();
    for line in THEOREMS.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        match entries.last_mut() {
            Some(entry) if line.starts_with(' ') => entry.push_str(line),
            _ => entries.push(line.into()),
        }
    }
    let read = |entry: &String| {
        let mut fields = entry.splitn(4, ';').map(str::trim);
        let mut field = || fields.next().unwrap_or_else(|| panic!("{entry}"));
        let (name, most, _, text) = (field(), field(), field(), field());
        let game = game(name);
        let formula = formula(&game, text);
        (game, most.parse().unwrap(), formula)
    };
    entries.iter().map(read).collect()
}

pub(crate) fn formula(game: &Game, text: &str) -> Formula {
    Formula::parse(text, &Context::of_game(game)).unwrap_or_else(|e| panic!("{text}: {e}"))
}

pub(crate) fn evaluator(game: &Game, formula: &Formula) -> Evaluator {
    let elements = game.single().map(|rule| Symmetry::of(rule).elements());
    let images = elements.into_iter().flatten().map(|g| g.images().collect::<Vec<_>>());
    Evaluator::new(formula, &Context::of_game(game), &images.collect::<Vec<_>>()).unwrap()
}

fn accepts(dfa: &Dfa, heights: &[Height]) -> bool {
    let digits =
        |bit: u32| (0..).zip(heights).fold(0, |a, (s, h)| a | ((h >> bit & 1) as usize) << s);
    let all = heights.iter().fold(0, |a, h| a | h);
    let word = (0..64 - all.leading_zeros()).rev().map(digits);
    dfa.accepting[word.fold(dfa.initial as usize, |q, letter| dfa.next[q][letter] as usize)]
}

/// All positions with heights up to a bound.
fn boxed(stacks: usize, most: Height) -> impl Iterator<Item = Vec<Height>> {
    let side = most + 1;
    (0..side.pow(stacks as u32))
        .map(move |number| (0..stacks as u32).map(|s| number / side.pow(s) % side).collect())
}

/// The checker finds the automaton to be that of the formula, and with one state changed it names a
/// position at which they differ; or else it gives up.
fn checked(game: &Game, formula: &Formula, dfa: &Dfa, evaluator: &Evaluator) -> bool {
    let text = formula.to_string();
    match describes(game, &text, dfa).map(drop) {
        Err(why) if why.obligation() == "limit" => return false,
        result => assert_eq!(result, Ok(()), "{game}, {text}"),
    }
    let mut wrong = dfa.clone();
    let state = Arbitrary(text.len() as u64).below(dfa.states());
    wrong.accepting[state] ^= true;
    let why = describes(game, &text, &wrong).unwrap_err();
    let (accepted, position) = why.differs().unwrap_or_else(|| panic!("{game}, {text}: {why}"));
    assert_eq!(accepted, accepts(&wrong, position), "{game}, {text}: {position}");
    assert_eq!(accepted, !evaluator.holds(position), "{game}, {text}: {position}");
    true
}

/// Comparing larger automata with their formulas takes a while.
const MOST_CHECKED: usize = 1000;
const MOST_ARBITRARY: usize = 100;

/// The automaton agrees with the evaluator in a box and at some tall positions near solutions.
fn compare(game: &Game, formula: &Formula, most: Height) {
    let (dfa, evaluator) = compared(game, formula, most);
    if dfa.states() <= MOST_CHECKED {
        assert!(checked(game, formula, &dfa, &evaluator), "{game}, {formula}");
    }
}

fn compared(game: &Game, formula: &Formula, most: Height) -> (Dfa, Evaluator) {
    let dfa = formula_automaton(game, formula, &Unlimited);
    let dfa = dfa.unwrap_or_else(|error| panic!("{game}, {formula}: {error}"));
    let evaluator = evaluator(game, formula);
    let agree = |heights: &[Height]| {
        let holds = evaluator.holds(heights);
        assert_eq!(accepts(&dfa, heights), holds, "{game}, {formula}: {heights:?}");
        holds
    };
    let mut arbitrary = Arbitrary(1);
    for heights in boxed(game.stacks(), most) {
        if agree(&heights) && arbitrary.below(20) == 0 {
            let factor = 1 + arbitrary.below(1 << 30) as Height;
            let mut tall: Vec<Height> = heights.iter().map(|h| h * factor).collect();
            agree(&tall);
            tall[arbitrary.below(heights.len())] += 1;
            agree(&tall);
        }
    }
    (dfa, evaluator)
}

#[test]
fn theorems_say_the_same_as_their_automata() {
    let mut compared = 0;
    for (game, most, formula) in theorems() {
        if game.stacks() <= 6 {
            compare(&game, &formula, most);
            compared += 1;
        }
    }
    assert!(compared >= 30, "{compared}");
}

#[test]
#[ignore = "takes a minute"]
fn the_largest_theorems_are_read_right_and_proved() {
    for (game, most, formula) in theorems() {
        if game.stacks() == 7 || game.to_string() == "Slow(5,{4})" {
            compare(&game, &formula, most);
            match prove_formula(&game, &formula, &Unlimited) {
                Ok(found) => {
                    let accepted = verify(&found.certificate).unwrap();
                    assert_eq!(accepted.formula, Some(formula.to_string()), "{game}");
                }
                Err(error) => panic!("{game}, {formula}: {error}"),
            }
        }
    }
}

#[test]
fn every_part_of_the_language_is_read_right() {
    let nim = game("Nim(3)");
    for text in [
        "true",
        "false",
        "a > 2b-3c+4",
        "a != b or not c < 5",
        "xor(a,b)+xor(b,c) = 2xor(a,c)",
        "xor(a,5) < b",
        "xor(a,b,-3)+c <= 1",
        "xor(a,xor(a,b)) = c",
        "xor(6,3) = a",
        "xor(a+b,c) = 0",
        "xor(2a,b-c) <= xor(a,b)",
        "xor(a-b,b-c) = -1",
        "xor(a mod 3,xor(a+b,2)+1) = c",
        "xor(3a+1,b)-c = 2",
        "xor(min(a,b)+1,c) mod 3 = 1",
        "xor(min(a,b),c) >= max(a,b)-1",
        "(a+2b) mod 3 = c mod 2",
        "(a-b) mod 5 > 2",
        "((a mod 3)+b) mod 2 = 0, c > a mod 4",
        "2*(a mod 3)-b = 1",
        "min(a,b+c) mod 3 = 1",
        "max(min(a,b),c-1) = min(max(a,b),c)",
        "a-min(b,2c) != max(b,3)-c",
        "odds = 2, even(min)",
        "odd(max), total mod 4 = 1",
        "span(ab, bc, ac)",
        "span(abc, ab, c)",
        "span(a, bc) or c > a",
        "sym(a = b+1, c > a)",
        "not sym(a = 2b)",
        "not sym(sym(a = b), c = 0)",
        "let m = a+b, let k = m mod 3, k = c or m = 2c",
        "a = 100000",
        "a mod 1 = 0",
    ] {
        compare(&nim, &formula(&nim, text), 9);
    }
    let slow = game("Slow(3,{2})");
    for text in [
        "reduced(a = b)",
        "not reduced(sym(a > 2, b mod 3 = c))",
        "a > 3, reduced(reduced(total = 6))",
    ] {
        compare(&slow, &formula(&slow, text), 9);
    }
}

fn arbitrary_term() -> impl Strategy<Value = Term> {
    let leaf = prop_oneof![
        4 => (0..3usize).prop_map(Term::Stack),
        1 => (-3..6i64).prop_map(Term::Constant),
    ];
    leaf.prop_recursive(3, 8, 2, |inner| {
        let two = prop::collection::vec(inner.clone(), 2);
        prop_oneof![
            two.clone().prop_map(Term::sum),
            two.clone().prop_map(Term::Min),
            two.clone().prop_map(Term::Max),
            two.prop_map(Term::Xor),
            (-2..4i64, inner.clone()).prop_map(|(factor, term)| Term::scale(factor, term)),
            (inner, 1..5u64).prop_map(|(term, modulus)| Term::Mod(term.into(), modulus)),
        ]
    })
}

fn arbitrary_formula() -> impl Strategy<Value = Formula> {
    let relation = prop::sample::select(vec![
        Relation::Less,
        Relation::AtMost,
        Relation::Equal,
        Relation::NotEqual,
        Relation::AtLeast,
        Relation::Greater,
    ]);
    let leaf = (arbitrary_term(), relation, arbitrary_term());
    leaf.prop_map(|(l, relation, r)| Formula::Compare(l, relation, r)).prop_recursive(
        2,
        4,
        2,
        |inner| {
            let two = prop::collection::vec(inner.clone(), 2);
            prop_oneof![
                two.clone().prop_map(Formula::and),
                two.prop_map(Formula::or),
                inner.clone().prop_map(|f| Formula::Not(f.into())),
                inner.prop_map(|f| Formula::Sym(f.into())),
            ]
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn arbitrary_formulas_are_read_right(formula in arbitrary_formula()) {
        let game = game("CN(3,2)");
        let (dfa, evaluator) = compared(&game, &formula, 6);
        // One in some thousands is beyond the limits.
        if dfa.states() <= MOST_ARBITRARY {
            checked(&game, &formula, &dfa, &evaluator);
        }
    }

    /// The checker and the finder agree on which formulas say the same.
    #[test]
    fn arbitrary_pairs_of_formulas(f in arbitrary_formula(), g in arbitrary_formula()) {
        let game = game("CN(3,2)");
        let [of_f, of_g] = [&f, &g].map(|f| formula_automaton(&game, f, &Unlimited).unwrap());
        prop_assume!(of_f.states().max(of_g.states()) <= MOST_ARBITRARY);
        match describes(&game, &f.to_string(), &of_g) {
            Ok(_) => prop_assert_eq!(of_f, of_g),
            Err(why) if why.obligation() == "limit" => {}
            Err(why) => {
                let differs = why.differs();
                let (accepted, position) = differs.unwrap_or_else(|| panic!("{f}; {g}: {why}"));
                prop_assert_eq!(evaluator(&game, &g).holds(position), accepted);
                prop_assert_eq!(evaluator(&game, &f).holds(position), !accepted);
            }
        }
    }
}

#[test]
fn right_formulas_are_proved() {
    for (name, text, most) in [
        ("Nim(3)", "xor(a,b,c) = 0", 7),
        ("Nim(4)", "xor(a,b) = xor(c,d)", 4),
        ("Moore(4,3)", "min = max", 4),
        ("Set(ab,c,d)", "xor(a+b,c,d) = 0", 5),
        ("CN(5,2)", "sym(b = e, a+b = c+d, a = max)", 4),
        ("CN(5,3)", "sym(a = 0, b = e = c+d)", 4),
        ("CN(6,3)", "a+b = d+e, b+c = e+f", 3),
        ("CN(6,3)", "span(ad, be, cf, ace, bdf)", 3),
        ("CN(6,4)", "sym(a+b = d+e, b+c = e+f, xor(a,c,e) = 0, a = min)", 3),
        ("H", "sym(a <= f, a+b+c = d+e+f, a = d+min(c,e))", 3),
        ("misere Nim(3)", "(max > 1, xor(a,b,c) = 0) or (max < 2, odd(total))", 7),
        ("Exact(3,3)", "min = 0", 5),
        ("Slow(3,{1,2})", "odds mod 3 = 0", 5),
        ("Slow(4,{1,2})", "odds = 0 or (odds = 3, even(min))", 4),
        ("Slow(4,{1,4})", "even(total), even(min)", 4),
        ("Nim(1) + Nim(2)", "xor(a,b,c) = 0", 5),
    ] {
        let game = game(name);
        match prove_formula(&game, &formula(&game, text), &Unlimited) {
            Ok(found) => check(&found, most),
            Err(error) => panic!("{name}, {text}: {error}"),
        }
    }
}

#[test]
fn reduced_formulas_are_proved() {
    let mut proved = 0;
    for (game, most, formula) in theorems() {
        if game.stacks() <= 4 && formula.to_string().starts_with("reduced") {
            match prove_formula(&game, &formula, &Unlimited) {
                Ok(found) => check(&found, most.min(5)),
                Err(error) => panic!("{game}, {formula}: {error}"),
            }
            proved += 1;
        }
    }
    assert_eq!(proved, 3);
}

/// The counterexample is one by the rules and by the evaluator, and the formula disagrees with
/// the oracle at some position below.
fn confirm(game: &Game, formula: &Formula, counterexample: &AutomatonCounterexample) {
    let evaluator = evaluator(game, formula);
    let top = match counterexample {
        AutomatonCounterexample::Move { from, take } => {
            assert!(game.is_legal(from, take), "{formula}: {counterexample}");
            let to = from.after(take).unwrap();
            assert!(evaluator.holds(from) && evaluator.holds(&to), "{formula}: {counterexample}");
            from
        }
        AutomatonCounterexample::Stuck { position } => {
            assert!(!evaluator.holds(position), "{formula}: {counterexample}");
            let mut options = game.moves(position).map(|take| position.after(&take).unwrap());
            assert!(!options.any(|option| evaluator.holds(&option)), "{formula}: {counterexample}");
            position
        }
        AutomatonCounterexample::Terminal { position } => {
            assert!(evaluator.holds(position) && game.is_terminal(position), "{counterexample}");
            position
        }
        other => panic!("{formula}: {other}"),
    };
    let table = naive::outcomes(game, top).unwrap();
    let mut positions = table.iter();
    assert!(positions.any(|(p, outcome)| evaluator.holds(&p) != (outcome == Outcome::P)));
}

#[test]
fn wrong_formulas_are_refuted_by_a_position() {
    for (name, text) in [
        ("Nim(3)", "xor(a,b,c) = 1"),
        ("Nim(3)", "xor(a,b) = c or a = b = c"),
        ("Nim(3)", "a+b = c"),
        ("Nim(3)", "xor(a,b,c) = 0, total < 40"),
        ("misere Nim(3)", "xor(a,b,c) = 0"),
        ("CN(5,2)", "sym(b = e, a+b = c+d)"),
        ("CN(5,3)", "sym(a = 0, b = e = c+d, c > 0)"),
        ("CN(6,3)", "span(ad, be, cf, ace)"),
        ("CN(6,4)", "sym(a+b = d+e, b+c = e+f, xor(a,c,e) = 0)"),
        ("CN(6,4)", "sym(a+b = d+e, b+c = e+f, a+c = e, a = min)"),
        ("CN(6,4)", "a+b = d+e, b+c = e+f, xor(a,c,e) = 0, a = min"),
        ("H", "sym(a <= f, a+b+c = d+e+f, a = d+min(c,f))"),
        ("Slow(3,{1,2})", "odds mod 4 = 0"),
        ("Slow(3,{2})", "even(total)"),
    ] {
        let game = game(name);
        let formula = formula(&game, text);
        match prove_formula(&game, &formula, &Unlimited) {
            Err(UnprovedFormula::Unproved(Unproved::Refuted(counterexample))) => {
                confirm(&game, &formula, &counterexample);
            }
            other => panic!("{name}, {text}: {other:?}"),
        }
    }
}

#[test]
fn what_cannot_be_read_is_refused() {
    let refused = |name: &str, text: &str| {
        let game = game(name);
        formula_automaton(&game, &formula(&game, text), &Unlimited).unwrap_err()
    };
    let sums = (0..14).map(|i| format!("xor(a+{i}b+1,c)")).collect::<Vec<_>>().join("+");
    assert_eq!(refused("Nim(3)", &format!("{sums} = 0")), NoAutomaton::Tracks { most: 16 });
    assert_eq!(refused("Nim(3)", "a mod 9000000000000 = 1"), NoAutomaton::TooLarge);
    assert_eq!(refused("Nim(3)", "a = 9000000000"), NoAutomaton::TooLarge);
    assert_eq!(refused("Nim(3)", "a mod 90000000 = 1"), NoAutomaton::TooLarge);
    let many = "a mod 127 = 1, b mod 131 = 1";
    assert_eq!(refused("Nim(10)", many), NoAutomaton::States { most: 1 << 14 });
    assert_eq!(refused("Slow(3,{2})", "reduced(span(ab))"), NoAutomaton::ReducedSpan);
    assert!(matches!(refused("Nim(13)", "a = b"), NoAutomaton::Unsupported(_)));
    let all = "span(a, b, c, d, ab, ac, ad, bc, bd, cd, abc, abd, acd)";
    assert_eq!(refused("Nim(4)", all), NoAutomaton::Generators { found: 13, most: 12 });
    let deep = (0..40).map(|i| format!("min(a,b+{i})+min(b,c+{i})")).collect::<Vec<_>>().join("+");
    assert_eq!(refused("Nim(3)", &format!("{deep} = 0")), NoAutomaton::TooDeep);

    let nim = game("Nim(3)");
    let formula = formula(&nim, "xor(a,b,c) = 0");
    let stopped = prove_formula(&nim, &formula, &Limits::new(1, 1 << 30)).unwrap_err();
    assert_eq!(stopped, UnprovedFormula::NoAutomaton(NoAutomaton::Stopped(Stop::Work)));
}
