//! Reading positions and takes.
//!
//! Tolerated: numbers separated by commas, blanks or both; parentheses or brackets around them;
//! leading zeros.
//! Written: the tuple, `(3,5,9)`.
//!
//! Heights and amounts are whole numbers from 0 to [`MAX_HEIGHT`], and there are at most
//! [`MAX_STACKS`] of them.

use super::cursor::Cursor;
use super::error::{Failure, ParseError, ParseErrorKind, Read, parse, shorten};
use crate::game::Game;
use crate::position::{Height, MAX_HEIGHT, Position, Take};
use crate::stacks::MAX_STACKS;
use std::ops::Range;
use std::str::FromStr;

/// Reads a position with one height per stack of the game.
///
/// ```
/// use nimatron_game::{Game, notation::parse_position};
/// let game: Game = "PN(3,2)".parse().unwrap();
/// assert_eq!(parse_position("1 2 3", &game).unwrap().to_string(), "(1,2,3)");
/// assert!(parse_position("1 2", &game).is_err());
/// ```
pub fn parse_position(text: &str, game: &Game) -> Result<Position, ParseError> {
    parse(text, |cursor| position(cursor, Some(game)))
}

/// Reads a take with one amount per stack of the game; whether it is a move is not asked.
pub fn parse_take(text: &str, game: &Game) -> Result<Take, ParseError> {
    parse(text, |cursor| vector(cursor, "amount", Some(game)).map(Take::new))
}

/// Reads a position: `3,5,9`, `(3,5,9)` or `3 5 9`.
impl FromStr for Position {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        parse(text, |cursor| position(cursor, None))
    }
}

/// Reads a take, in the forms of a position.
impl FromStr for Take {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        parse(text, |cursor| vector(cursor, "amount", None).map(Take::new))
    }
}

fn position(cursor: &mut Cursor<'_>, game: Option<&Game>) -> Read<Position> {
    let heights = vector(cursor, "height", game)?;
    Ok(Position::new(heights).expect("number and bound of the heights were checked"))
}

/// Reads a whole text as numbers, one per stack if the game is given.
fn vector(cursor: &mut Cursor<'_>, what: &'static str, game: Option<&Game>) -> Read<Vec<Height>> {
    let such_as = |failure: Failure| failure.such_as(example(game));
    if cursor.peek().is_none() {
        let expected =
            if what == "height" { "heights such as 3,5,9" } else { "amounts such as 0,2,1" };
        return Err(such_as(Failure::new(ParseErrorKind::Empty { expected }, cursor.here())));
    }
    let (numbers, end) = numbers(cursor).map_err(such_as)?;
    if let Some(game) = game {
        let (expected, found) = (game.stacks(), numbers.len());
        if found != expected {
            let surplus = numbers.get(expected).map(|(_, span)| span.clone());
            let game = shorten(&game.to_string());
            let kind = ParseErrorKind::WrongCount { game, expected, found, what };
            return Err(Failure::new(kind, surplus.unwrap_or(end..end)));
        }
    }
    if let Some((_, span)) = numbers.get(MAX_STACKS) {
        return Err(Failure::new(ParseErrorKind::TooManyNumbers, span.clone()));
    }
    Ok(numbers.into_iter().map(|(value, _)| value).collect())
}

/// As many small numbers as the game has stacks.
fn example(game: Option<&Game>) -> String {
    let numbers = match game {
        None => vec![3, 5, 9],
        Some(game) => (1..=game.stacks()).map(|i| i % 10).collect(),
    };
    numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(",")
}

/// The numbers with their places, and where they end.
type Numbers = (Vec<(Height, Range<usize>)>, usize);

fn numbers(cursor: &mut Cursor<'_>) -> Read<Numbers> {
    let brackets = [("(", ")"), ("[", "]")];
    let close = brackets.into_iter().find(|(open, _)| cursor.eat(open)).map(|(_, close)| close);
    let mut numbers = Vec::new();
    while !numbers.is_empty() || !close.is_some_and(|close| cursor.is_next(close)) {
        let (before, here) = (cursor.last_end(), cursor.here());
        let (value, span) = number(cursor).map_err(|failure| {
            // Perhaps a comma too many, or points for commas.
            let failure = failure.or(before.saturating_sub(1)..before, "").or(here, "");
            match cursor.text() {
                text if text.len() < 200 => failure.or(0..text.len(), text.replace('.', ",")),
                _ => failure,
            }
        })?;
        numbers.push((value, span));
        if !cursor.eat(",") && !cursor.at_number() {
            break;
        }
    }
    let end = cursor.last_end();
    if let Some(close) = close {
        cursor.expect(close)?;
    }
    match cursor.peek() {
        None => Ok((numbers, end)),
        Some(next) => {
            let underscore = next == '_';
            let failure = cursor.unexpected("a number or the end of the text");
            let end = cursor.last_end();
            let failure = cursor.replaced(failure, if underscore { "" } else { "," });
            Err(failure.or(end..cursor.text().len(), ""))
        }
    }
}

fn number(cursor: &mut Cursor<'_>) -> Read<(Height, Range<usize>)> {
    let number = cursor.number()?;
    match number.value {
        Some(value) if value <= MAX_HEIGHT => Ok((value, number.span)),
        _ => {
            let digits = shorten(cursor.slice(number.span.clone()));
            let failure = Failure::new(ParseErrorKind::TooTall { digits }, number.span.clone());
            Err(failure.or(number.span, MAX_HEIGHT.to_string()))
        }
    }
}
