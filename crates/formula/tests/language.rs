//! What the language means and what it refuses.

use nimatron_formula::{Context, Formula, FormulaErrorKind, MAX_DEPTH, MAX_LENGTH};

fn read(text: &str, n: usize) -> Formula {
    match Formula::parse(text, &Context::new(n)) {
        Ok(formula) => formula,
        Err(error) => panic!("{text}: {error} at {:?}", error.span()),
    }
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
    let deep = format!("{}a = b{}", "(".repeat(MAX_DEPTH - 1), ")".repeat(MAX_DEPTH - 1));
    assert!(Formula::parse(&deep, &context).is_ok());
}

#[test]
fn latex() {
    for (text, expected) in [
        ("sym(a = 0, b = h = c+d)", r"\nimsym{a = 0,\; b = h = c+d}"),
        ("not (a < b or odd(c))", r"\neg \left(a < b \;\text{or}\; c \text{ odd}\right)"),
        (
            "let top = max(a,b), 2*top >= total",
            r"\mathit{top} \nimdef \max(a, b),\; 2\mathit{top} \ge \Sigma",
        ),
        ("span(ab, c)", r"\nimspan{ab, c}"),
        (
            "digits(a = b) then a <= min",
            r"\nimdigits{a = b} \nimthen{} \left(a \le \nimmin{}\right)",
        ),
        ("(a-b) mod 4 != xor(a,b+c)", r"(a-b) \bmod 4 \ne a \oplus (b+c)"),
    ] {
        assert_eq!(read(text, 8).to_latex(), expected);
    }
}
