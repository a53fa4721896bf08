//! What formulas mean, and which are refused.

use nimatron_formula::{Context, Formula};
use nimatron_game::{Family, MAX_HEIGHT, Sizes};
use nimatron_meaning::{Asymmetric, CompileError, Evaluator};

fn read(text: &str, n: usize) -> Formula {
    Formula::parse(text, &Context::new(n)).unwrap()
}

fn holds(text: &str, heights: &[u64]) -> bool {
    let context = Context::new(heights.len());
    let formula = read(text, heights.len());
    Evaluator::new(&formula, &context, &Asymmetric).unwrap().holds(heights)
}

#[test]
fn values() {
    assert!(holds("a mod 3 = 2, (a-6) mod 3 = 2, (a-b) mod 4 = 1", &[5, 8]));
    assert!(holds("min = 2, max = 7, total = 13, odds = 1", &[4, 7, 2]));
    assert!(holds("xor(a,b,c) = 1 and max(a,b-10) = 4 and min(a-9,b) = -5", &[4, 7, 2]));
    assert!(holds("let d = b-a, let twice = 2d, twice = 6, d != twice", &[4, 7, 2]));
    assert!(holds("true or false", &[]) && !holds("false", &[0]));
    let m = MAX_HEIGHT;
    assert!(holds("total = 9223372036854775807*4, a+b > c, 2a-2b = 0", &[m, m, m, m]));
    assert!(holds("xor(a,b) = 1, a-b = 1, b-a = -1", &[m, m - 1]));
    let steep = "72057594037927935a > 72057594037927934b";
    assert!(holds(steep, &[m - 128, m]) && !holds(steep, &[m - 129, m]));
    assert!(holds(steep, &[1, 1]) && !holds(steep, &[0, 0]));
}

#[test]
fn names_do_not_blow_up() {
    // Written out, the last name has 2^60 terms.
    let mut text = "let n0 = min(a,b)".to_owned();
    for i in 1..=60 {
        text += &format!(", let n{i} = max(n{0}-1, n{0} mod 1000)", i - 1);
    }
    text += ", n60 = 7";
    let context = Context::new(2);
    let formula = Formula::parse(&text, &context).unwrap();
    let evaluator = Evaluator::new(&formula, &context, &Asymmetric).unwrap();
    assert!(evaluator.holds(&[7, 9]) && !evaluator.holds(&[8, 9]));
    assert!(formula.plain(2).is_err());
}

#[test]
fn slow_games_reduce() {
    let rule = Family::Slow { n: 3, sizes: Sizes::new([2]) }.rule();
    let context = Context::of_rule(&rule);
    let formula = Formula::parse("c = 100, reduced(total = 4, c = 2)", &context).unwrap();
    let evaluator = Evaluator::new(&formula, &context, &Asymmetric).unwrap();
    assert!(evaluator.holds(&[1, 1, 100]) && !evaluator.holds(&[1, 2, 100]));
}

#[test]
fn hand_made_formulas_are_checked() {
    let new = |formula: &Formula, n, symmetries: &Vec<Vec<usize>>| {
        Evaluator::new(formula, &Context::new(n), symmetries).map(|_| ())
    };
    let formula = read("a = d", 4);
    assert_eq!(new(&formula, 3, &vec![]), Err(CompileError::NoSuchStack));
    let sym = read("sym(a = b)", 2);
    let not_one_to_one = vec![vec![0, 0]];
    let error = CompileError::NotAPermutation(vec![0, 0]);
    assert_eq!(new(&sym, 2, &not_one_to_one), Err(error));
    let Formula::Let(_, _, body) = read("let m = a, m = b", 2) else { panic!("no let") };
    assert_eq!(new(&body, 2, &vec![]), Err(CompileError::UnknownName("m".to_owned())));
    let reduced = Formula::Reduced(Box::new(read("a = b", 2)));
    assert_eq!(new(&reduced, 2, &vec![]), Err(CompileError::NotSlow));
}

#[test]
fn evaluators_can_be_shared_among_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Evaluator>();
    shared::<Formula>();
    shared::<nimatron_formula::FormulaError>();
}

#[test]
fn many_alternatives_are_evaluated() {
    let wide = format!("a = b{}", " or a = b".repeat(5000));
    assert!(holds(&wide, &[3, 3]) && !holds(&wide, &[3, 4]));
}
