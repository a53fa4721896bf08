//! What must hold for every text, whatever it is. Called with random texts by the fuzzer and by
//! the property tests of the game crate.

use nimatron_game::notation::{ParseError, parse_position};
use nimatron_game::{Game, Position, Take, Variant};
use std::fmt::{Debug, Display};
use std::str::FromStr;

/// Reads `text` as everything there is.
///
/// # Panics
/// If something that should hold does not.
pub(crate) fn check(text: &str) {
    let game = read::<Game>(text);
    read::<Variant>(text);
    read::<Take>(text);
    read::<Position>(text);
    let game = game.unwrap_or_else(|| "PN(3,2) + Nim(1)".parse().expect("a game"));
    match parse_position(text, &game) {
        Ok(position) => assert_eq!(position.len(), game.stacks()),
        Err(error) => sound(text, &error, |hint| parse_position(hint, &game).is_ok()),
    }
}

/// What is read is written so that it is read back as the same; what is not is explained.
fn read<T>(text: &str) -> Option<T>
where
    T: FromStr<Err = ParseError> + Display + PartialEq + Debug,
{
    match text.parse::<T>() {
        Ok(value) => {
            let written = value.to_string();
            assert_eq!(written.parse::<T>().as_ref(), Ok(&value), "{written}");
            Some(value)
        }
        Err(error) => {
            sound(text, &error, |hint| hint.parse::<T>().is_ok());
            None
        }
    }
}

/// The error points into the text, is short, and its hint is of use.
fn sound(text: &str, error: &ParseError, accepts: impl Fn(&str) -> bool) {
    let (before, place) = (&text[..error.span().start], &text[error.span()]);
    assert_eq!(error.column(), before.chars().count() + 1);
    assert_eq!(error.width(), place.chars().count());
    assert!(!error.kind().as_str().is_empty());
    let message = error.to_string();
    assert!(message.chars().count() <= 200 && !message.contains('\n'), "{message}");
    if let Some(hint) = error.hint() {
        // Other white space than this is not passed over.
        let bare = text.trim_matches([' ', '\t', '\r', '\n']);
        assert!(hint.chars().count() <= 100 && hint != bare, "{hint}");
        assert!(accepts(hint), "{hint}");
    }
}
