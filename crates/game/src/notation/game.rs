//! Reading games.
//!
//! Tolerated: `misere` (also `misère`) once before everything; summands joined by `+`, each a
//! family (`family.rs`) with the suffixes of a variant (`variant.rs`) after it.
//! Written: see `display.rs`.

use super::cursor::{Cursor, Word};
use super::error::{Failure, ParseError, ParseErrorKind, Read, parse};
use super::family::named;
use super::names::{self, MISERE};
use super::sets::bracketed;
use super::variant::Suffixes;
use crate::family::{Family, FamilyError};
use crate::game::Game;
use crate::outcome::Play;
use std::ops::Range;
use std::str::FromStr;

const EXAMPLE: &str = "CN(7,3)";
const A_GAME: &str = "a game such as CN(7,3)";

/// Reads a game; see [`crate::notation`].
impl FromStr for Game {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        parse(text, read)
    }
}

/// Reads a whole text as a game.
fn read(cursor: &mut Cursor<'_>) -> Read<Game> {
    if cursor.peek().is_none() {
        let kind = ParseErrorKind::Empty { expected: A_GAME };
        return Err(Failure::new(kind, cursor.here()).such_as(EXAMPLE));
    }
    let mut word = cursor.word();
    let misere = word.as_ref().is_some_and(|w| w.plain() == MISERE);
    if misere {
        word = cursor.word();
    }
    let mut game = summand(cursor, word)?;
    while cursor.peek().is_some() {
        if !cursor.eat("+") {
            return Err(trailing(cursor));
        }
        let word = cursor.word();
        let start = word.as_ref().map_or_else(|| cursor.here().start, |w| w.span.start);
        let next = summand(cursor, word)?;
        let whole = start..cursor.last_end();
        game = game.plus(next).map_err(|error| Failure::family(error, whole))?;
    }
    Ok(if misere { game.under(Play::Misere) } else { game })
}

/// Something that is no `+` follows a complete game: another game, or too much.
fn trailing(cursor: &mut Cursor<'_>) -> Failure {
    let (end, here) = (cursor.last_end(), cursor.here());
    let failure = cursor.unexpected("+ or the end of the text");
    let failure = failure.or(end..here.start, " + ").or(end..here.end, " + ");
    failure.or(here, " ").or(end..cursor.text().len(), "")
}

/// Reads one summand; `word` is its first word, if it starts with one.
fn summand(cursor: &mut Cursor<'_>, word: Option<Word<'_>>) -> Read<Game> {
    let (family, name) = match word {
        Some(word) if word.plain() == MISERE => return Err(misplaced(cursor, word.span)),
        Some(word) => (named(cursor, &word)?, word.span),
        None if cursor.peek() == Some('[') => {
            let open = cursor.here();
            (bracketed(cursor)?, open)
        }
        None => {
            let (last, here, text) = (cursor.last_end(), cursor.here(), cursor.text());
            // Perhaps a `+` too many, or parentheses around the whole.
            let failure = cursor.unexpected(A_GAME).or(last.saturating_sub(1)..last, "");
            let inner = text.trim().strip_prefix('(').and_then(|t| t.strip_suffix(')'));
            let failure = match inner {
                Some(inner) => failure.or(0..text.len(), inner),
                None => failure.or(here, ""),
            };
            return Err(failure.such_as(EXAMPLE));
        }
    };
    let mut suffixes = Suffixes::default();
    let family_end = cursor.last_end();
    let mut first = cursor.here();
    while let Some(word) = cursor.word() {
        let plain = word.plain();
        if plain == MISERE {
            return Err(misplaced(cursor, word.span));
        }
        if names::lookup(&plain).is_some() {
            let (last, here) = (family_end, word.span.start);
            let found = word.text.chars().next();
            let kind = ParseErrorKind::Unexpected { expected: "+", found };
            let failure = Failure::new(kind, word.span).or(last..here, " + ");
            return Err(failure.or(last..cursor.text().len(), ""));
        }
        if suffixes.is_empty() {
            first = word.span.clone();
        }
        suffixes.read(cursor, &word).map_err(|f| f.or(family_end..cursor.text().len(), ""))?;
    }
    let made = match suffixes.is_empty() {
        true => Game::new(family.clone()),
        false => Game::variant(family.clone(), suffixes.variant()),
    };
    made.map_err(|error| {
        let failure = Failure::family(error.clone(), first.clone());
        match (error, family) {
            (FamilyError::NoVariants, family) => {
                let failure = match only_size(&family) {
                    Some((n, k)) => failure.or(name.start..family_end, format!("Moore({n},{k})")),
                    None => failure,
                };
                failure.or(family_end..cursor.last_end(), "")
            }
            _ => failure,
        }
    })
}

/// The stacks and the one size of the sets of an Exact or Slow game.
fn only_size(family: &Family) -> Option<(usize, usize)> {
    match family {
        Family::Exact { n, k } => Some((*n, *k)),
        Family::Slow { n, sizes } if sizes.least() == sizes.greatest() => {
            Some((*n, sizes.least()?))
        }
        _ => None,
    }
}

/// `misere` at `span` is not at the beginning.
fn misplaced(cursor: &Cursor<'_>, span: Range<usize>) -> Failure {
    let text = cursor.text();
    let before = text[..span.start].trim_end();
    let after = text[span.end..].trim_start();
    let gap = if before.is_empty() || after.is_empty() { "" } else { " " };
    let without = format!("{before}{gap}{after}");
    let failure = Failure::new(ParseErrorKind::MiserePlace, span);
    failure.or(0..text.len(), format!("misere {without}")).or(0..text.len(), without)
}
