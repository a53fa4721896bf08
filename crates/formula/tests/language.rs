//! What the language means and what it refuses.

mod support;

use nimatron_formula::{
    Asymmetric, CompileError, Context, Evaluator, Formula, FormulaErrorKind, MAX_DEPTH, MAX_LENGTH,
};
use nimatron_game::{Family, MAX_HEIGHT, Sizes};

fn read(text: &str, n: usize) -> Formula {
    match Formula::parse(text, &Context::new(n)) {
        Ok(formula) => formula,
        Err(error) => panic!("{text}: {error} at {:?}", error.span()),
    }
}

fn holds(text: &str, heights: &[u64]) -> bool {
    let context = Context::new(heights.len());
    let formula = read(text, heights.len());
    Evaluator::new(&formula, &context, &Asymmetric).unwrap().holds(heights)
}

#[test]
fn both_texts_mean_the_same() {
    for (text, same) in [
        ("a=b", "  a =\n b "),
        ("a = b = c", "a = b, b = c"),
        ("a = b = c", "a = b and b = c"),
        ("a = b, b < c or c = d", "a = b and (b < c or (c = d))"),
        ("a = b or b = c and c = d", "a = b or (b = c, c = d)"),
        ("not a = b and c = d", "(not (a = b)), c = d"),
        ("2a = 2*b", "a*2 = 2(b)"),
        ("a-b-c = 0", "a-(b)-c = 0"),
        ("a+b mod 4 = 0", "a+(b mod 4) = 0"),
        ("2a mod 4 = 0", "(2*a) mod 4 = 0"),
        ("a mod 4 mod 2 = 0", "(a mod 4) mod 2 = 0"),
        ("-a mod 4 = 0", "-(a mod 4) = 0"),
        ("odd(a+b), even(c)", "(a+b) mod 2 = 1, c mod 2 = 0"),
        ("sum(a..c) = sum(d)", "a+b+c = d"),
        ("xor(a..c,d) = 0", "xor(a,b,c,d) = 0"),
        ("x1+x2 = x3", "a+b = c"),
        ("a \u{2264} b, c \u{2260} d, c \u{2265} 0", "a <= b, c != d, c >= 0"),
        ("a = b, let m = min, m = c, m < d", "a = b, (let m = min, (m = c, m < d))"),
        ("span(ab, cd)", "span(a b, x3 x4)"),
        ("true, a = b", "a = b"),
        ("-3 < a-(-3)", "-3 < a+3"),
    ] {
        assert_eq!(read(text, 4), read(same, 4), "{text} and {same}");
    }
}

#[test]
fn different_texts_differ() {
    assert_ne!(read("a-(b-c) = 0", 3), read("a-b-c = 0", 3));
    assert_ne!(read("(-a) mod 4 = 0", 3), read("-a mod 4 = 0", 3));
    assert_ne!(read("(a = b or b = c), c = a", 3), read("a = b or b = c and c = a", 3));
    assert_ne!(read("not (a = b, b = c)", 3), read("not a = b, b = c", 3));
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
fn more_than_26_stacks_have_numbers() {
    let text = "x1+x32 = a+x30, span(a x30, x31 x32)";
    let formula = read(text, 32);
    assert_eq!(formula.to_string(), "a+x32 = a+x30, span(x1 x30, x31 x32)");
    assert_eq!(read(&formula.to_string(), 32), formula);
}

#[test]
fn errors_point_at_their_cause() {
    for (n, text, pointed, message, hint) in [
        (4, "", "", "the formula is empty", "write a condition such as `a+b = c+d`"),
        (4, "a+b = e", "e", "there is no stack `e`: the game has 4", "the stacks are `a` to `d`"),
        (4, "x5 = 0", "x5", "there is no stack `x5`: the game has 4", "the stacks are `a`"),
        (30, "x31 = 0", "x31", "no stack", "the stacks are `x1` to `x30`"),
        (4, "a = smu(b)", "smu", "`smu` is not known here", "did you mean `sum`?"),
        (
            4,
            "a = sumtotal",
            "sumtotal",
            "`sumtotal` is not known here",
            "stacks are single letters",
        ),
        (4, "a == b", "=", "expected a stack, number, function or `(`, found `=`", "a single `=`"),
        (4, "a = b && c = d", "&", "`&` has no meaning in a formula", "write `and`, or a comma"),
        (4, "a = b c", "c", "expected an operator, a comma or the end, found `c`", ""),
        (4, "(a = b", "", "expected `)`, found the end", ""),
        (4, "a+b", "a+b", "a condition is needed here", "compare it"),
        (4, "a = b, c+d", "c+d", "a condition is needed here", "compare it"),
        (4, "min(a = b) = c", "=", "expected `)`, found `=`", ""),
        (4, "(a = b)+c = d", "(a = b)", "a number is needed here", "conditions are joined"),
        (4, "a*b = c", "a*b", "a product needs a number on one side", ""),
        (4, "a mod b = 0", "b", "`mod` needs a positive number", "(a+b) mod 4"),
        (4, "a mod 0 = 0", "0 =", "`mod` needs a positive number", "(a+b) mod 4"),
        (4, "a mod 2b = 0", "2b", "`mod` needs a positive number", "(a+b) mod 4"),
        (4, "a = 9223372036854775808", "9223372036854775808", "numbers go up to 2^63-1", ""),
        (
            4,
            "b = 9223372036854775807*(9223372036854775807*a)",
            "9223372036854775807*a",
            "the value of this term can grow",
            "smaller factors",
        ),
        (4, "let a = b, a = c", "a", "`a` already has a meaning", "a longer name"),
        (4, "let min = b, a = c", "min", "`min` already has a meaning", "a longer name"),
        (4, "let m = b, let m = c, m = a", "m", "`m` already has a meaning", "a longer name"),
        (4, "a = b, let m = c", "let m = c", "nothing follows this `let`", "after the comma"),
        (4, "(let m = c, m = a), m = b", "m", "there is no stack `m`", ""),
        (
            4,
            "let top = a, sym(b = top)",
            "top",
            "defined outside of this `sym`",
            "inside `sym(..)`",
        ),
        (4, "not span(ab)", "not", "`not` may not stand over `span`", "inequalities"),
        (4, "not (a = b or sym(span(ab)))", "not", "`not` may not stand over `span`", ""),
        (4, "span(aba)", "a", "stack `a` stands twice", ""),
        (4, "span(ae)", "e", "there is no stack `e`", ""),
        (4, "span(ab,)", ")", "expected a stack, found `)`", ""),
        (4, "sum(c..a) = b", "c..a", "the range runs backwards", "one by one"),
        (4, "reduced(a = b)", "reduced", "`reduced` is for slow games only", "Slow(n,{..})"),
        (4, "a = 1 \u{1f600}", "\u{1f600}", "has no meaning", ""),
        (0, "a = 0", "a", "no stack `a`", "no stacks"),
    ] {
        let error = Formula::parse(text, &Context::new(n)).unwrap_err();
        assert_eq!(&text[error.span()], pointed, "{text}: {error}");
        assert!(error.to_string().contains(message), "{text}: {error}");
        let found = error.hint().unwrap_or_default();
        assert!(found.contains(hint), "{text}: {found}");
    }
}

#[test]
fn length_and_depth_are_limited() {
    let context = Context::new(2);
    let kind = |text: &str| Formula::parse(text, &context).unwrap_err().kind().clone();
    let long = "a = b, ".repeat(MAX_LENGTH);
    assert_eq!(kind(&long), FormulaErrorKind::TooLong(long.len()));
    for piece in ["(", "not ", "sym(", "-(", "min(", "2(", "odd("] {
        assert_eq!(kind(&piece.repeat(MAX_LENGTH / 20)), FormulaErrorKind::TooDeep, "{piece}");
    }
    let names: Vec<_> = (0..MAX_DEPTH).map(|i| format!("let n{i} = a, ")).collect();
    assert_eq!(kind(&(names.concat() + "a = b")), FormulaErrorKind::TooDeep);
    let many = |piece: &str| format!("a{} = b", piece.repeat(MAX_LENGTH / 20));
    assert_eq!(kind(&many(" mod 3")), FormulaErrorKind::TooDeep);
    let wide = format!("a = b{}", " or a = b".repeat(5000));
    let formula = Formula::parse(&wide, &context).unwrap();
    assert!(Evaluator::new(&formula, &context, &Asymmetric).unwrap().holds(&[3, 3]));
    let deep = format!("{}a = b{}", "(".repeat(MAX_DEPTH - 1), ")".repeat(MAX_DEPTH - 1));
    assert!(Formula::parse(&deep, &context).is_ok());
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
fn latex() {
    for (text, expected) in [
        ("sym(a = 0, b = h = c+d)", r"\operatorname{sym}\left(a = 0,\; b = h = c+d\right)"),
        ("not (a < b or odd(c))", r"\neg \left(a < b \;\text{or}\; c \text{ odd}\right)"),
        (
            "let top = max(a,b), 2*top >= total",
            r"\mathit{top} := \max(a, b),\; 2\mathit{top} \ge \Sigma",
        ),
        ("span(ab, c)", r"\operatorname{span}\left(ab, c\right)"),
        ("(a-b) mod 4 != xor(a,b+c)", r"(a-b) \bmod 4 \ne a \oplus (b+c)"),
    ] {
        assert_eq!(read(text, 8).to_latex(), expected);
    }
}

#[test]
fn evaluators_can_be_shared_among_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Evaluator>();
    shared::<Formula>();
    shared::<nimatron_formula::FormulaError>();
}
