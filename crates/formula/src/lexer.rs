//! From text to tokens.

use crate::error::{FormulaError, FormulaErrorKind as Kind};
use std::ops::Range;

/// A token. Words are classified here, names are looked up by the parser.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Token<'a> {
    /// Digits, not yet converted.
    Number(&'a str),
    /// A word that is not a keyword.
    Word(&'a str),
    /// `and or then not mod let`, a function name, or a sign.
    Fixed(&'static str),
    /// The end of the text.
    End,
}

/// The operators that are words.
const OPERATORS: [&str; 6] = ["and", "or", "then", "not", "mod", "let"];

/// Words that a `let` cannot define: operators, functions and constants of the language.
pub(crate) const WORDS: [&str; 20] = [
    "and", "or", "then", "not", "mod", "let", "min", "max", "sum", "xor", "odd", "even", "odds",
    "total", "sym", "span", "reduced", "digits", "true", "false",
];

/// Signs, longer ones first.
const SIGNS: [(&str, &str); 18] = [
    ("<=", "<="),
    (">=", ">="),
    ("!=", "!="),
    ("..", ".."),
    ("\u{2264}", "<="),
    ("\u{2265}", ">="),
    ("\u{2260}", "!="),
    ("\u{2212}", "-"),
    ("<", "<"),
    (">", ">"),
    ("=", "="),
    ("+", "+"),
    ("-", "-"),
    ("*", "*"),
    ("(", "("),
    (")", ")"),
    (",", ","),
    ("\u{b7}", "*"),
];

/// The tokens with their places; the last one is [`Token::End`].
pub(crate) fn tokens(text: &str) -> Result<Vec<(Token<'_>, Range<usize>)>, FormulaError> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(next) = text[at..].chars().next() {
        let rest = &text[at..];
        let run = |accept: fn(char) -> bool| rest.find(|c| !accept(c)).unwrap_or(rest.len());
        // Blanks, tabs and line ends only: other characters that do not show are refused.
        let (token, length) = if matches!(next, ' ' | '\t' | '\n') || rest.starts_with("\r\n") {
            at += 1;
            continue;
        } else if next.is_ascii_digit() {
            let length = run(|c| c.is_ascii_digit());
            (Token::Number(&rest[..length]), length)
        } else if next.is_ascii_alphabetic() {
            let length = run(|c| c.is_ascii_alphanumeric() || c == '_');
            let word = &rest[..length];
            let operator = OPERATORS.into_iter().find(|&o| o == word);
            (operator.map_or(Token::Word(word), Token::Fixed), length)
        } else if let Some((sign, meaning)) = SIGNS.into_iter().find(|(s, _)| rest.starts_with(s)) {
            (Token::Fixed(meaning), sign.len())
        } else {
            return Err(FormulaError::new(Kind::Character(next), at..at + next.len_utf8()));
        };
        tokens.push((token, at..at + length));
        at += length;
    }
    tokens.push((Token::End, text.len()..text.len()));
    Ok(tokens)
}
