//! Formulas for automata: what is found, that the checker accepts it, and that it rejects mutants.

#[path = "../../formula/tests/support/mutants.rs"]
mod mutants;

use mutants::mutants;
use nimatron_formula::{Context, Formula};
use nimatron_game::{Game, Stop, Unlimited, Watch};
use nimatron_prove::automata::{Discovery, Effort, discover, formula_automaton};
use nimatron_prove::synthesis::{Synthesis, synthesise};
use nimatron_verify::automaton::{Dfa, describes};

fn automaton(game: &Game) -> Dfa {
    match discover(game, Effort::default(), &Unlimited) {
        Ok(Discovery::Found(found)) => found.automaton.dfa().clone(),
        other => panic!("{game}: {other:?}"),
    }
}

fn synthesis(text: &str) -> (Game, Dfa, Synthesis) {
    let game: Game = text.parse().unwrap();
    let dfa = automaton(&game);
    let synthesis = synthesise(&game, &dfa, &Unlimited).unwrap();
    (game, dfa, synthesis)
}

/// Games with the formulas that are found, in their normal form.
const FOUND: [(&str, &str); 14] = [
    ("Nim(3)", "xor(a,b,c) = 0"),
    ("Moore(4,2)", "digits(total mod 3 = 0)"),
    ("Set(ab,ac,ad)", "a = 0, xor(b,c,d) = 0"),
    ("Set(ab,ac,ad,bcd)", "digits(2a = b+c+d)"),
    ("Set(ab,ac,bc,ad,bd)", "a = b = xor(c,d)"),
    ("Set(a,b,cd)", "c+d = xor(a,b)"),
    ("Set(a,bc,de)", "xor(a,b+c,d+e) = 0"),
    ("Set(ab,ac,bc,ad)", "(a = 0, d = b+c) or (b = c = a+d, a > 0)"),
    ("Set(ab,ac,ad,ae,bcde)", "2a = b+c+d+e, xor(b,c,d,e) = 0"),
    ("Set(ab,ac,ad,bce,bde)", "a = b+e, xor(b,c,d) = 0"),
    ("CN(5,3)", "sym(a = 0, b = e = c+d)"),
    ("Exact(3,2)", "sym(a = b = 0)"),
    ("misere Nim(2)", "sym(a = b > 1 or (a = 0, b = 1))"),
    ("misere PN(3,2)", "sym((a = 1, b = c = 0) or (b = 0, a = c > 1) or (b = 1, a = c = 0))"),
];

#[test]
fn formulas_are_found_and_accepted_by_the_checker() {
    for (text, expected) in FOUND {
        let (game, dfa, found) = synthesis(text);
        let formula = found.formula.as_ref().map(Formula::to_string);
        assert_eq!(formula.as_deref(), Some(expected), "{text}");
        describes(&game, expected, &dfa).unwrap_or_else(|error| panic!("{text}: {error}"));
        // Twice the same.
        assert_eq!(synthesise(&game, &dfa, &Unlimited).unwrap(), found);
    }
}

/// A mutant that says the same is accepted; all others are rejected with a position.
#[test]
fn mutants_of_formulas_are_rejected_with_a_position() {
    let (mut rejected, mut accepted) = (0, 0);
    for (text, formula) in FOUND {
        let game: Game = text.parse().unwrap();
        let dfa = automaton(&game);
        let formula = Formula::parse(formula, &Context::of_game(&game)).unwrap();
        for mutant in mutants(&formula) {
            let same = formula_automaton(&game, &mutant, &Unlimited).unwrap() == dfa;
            match describes(&game, &mutant.to_string(), &dfa) {
                Ok(_) => {
                    assert!(same, "{mutant}");
                    accepted += 1;
                }
                Err(rejection) => {
                    assert!(!same, "{mutant}");
                    assert_eq!(rejection.obligation(), "formula");
                    assert!(rejection.to_string().contains(" at ("), "{mutant}: {rejection}");
                    rejected += 1;
                }
            }
        }
    }
    assert!(rejected > 150 && accepted < 30, "{rejected} {accepted}");
}

/// Stops at once.
struct Impatient;

impl Watch for Impatient {
    fn check(&self, _: u64) -> Result<(), Stop> {
        Err(Stop::Cancelled)
    }
}

#[test]
fn a_search_can_be_stopped() {
    let game: Game = "CN(5,2)".parse().unwrap();
    assert_eq!(synthesise(&game, &automaton(&game), &Impatient), Err(Stop::Cancelled));
}

/// A set without a short formula: what holds everywhere is told.
#[test]
fn equations_are_told_where_no_formula_is_found() {
    // Equal stacks of which the digits never repeat a one.
    let next = vec![vec![0, 2, 2, 1], vec![0, 2, 2, 2], vec![2; 4]];
    let dfa = Dfa { initial: 0, accepting: vec![true, true, false], next };
    let game: Game = "Nim(2)".parse().unwrap();
    let found = synthesise(&game, &dfa, &Unlimited).unwrap();
    assert_eq!(found.formula, None);
    let equations: Vec<String> = found.equations.iter().map(Formula::to_string).collect();
    assert_eq!(equations, ["a = b"]);
}
