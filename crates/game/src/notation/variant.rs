//! Reading variants.
//!
//! Tolerated: `any` or `each` with a range of amounts, `total` with one, or both in either
//! order; `≥` and `≤`; blanks around every mark; capitals. A range is `=a`, `=a..b`, `>=a` or
//! `<=b`.
//! Written: see `display.rs`.

use super::cursor::{Cursor, Word};
use super::error::{Failure, ParseError, ParseErrorKind, Read, parse, shorten};
use super::names;
use crate::game::Variant;
use crate::position::Height;
use crate::rule::{Amounts, Choice};
use std::ops::Range;
use std::str::FromStr;

/// Reads the suffixes of a variant, for example `any=2` or `each>=1 total<=5`.
impl FromStr for Variant {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        parse(text, |cursor| {
            if cursor.peek().is_none() {
                let kind = ParseErrorKind::Empty { expected: "a variant such as any=2" };
                return Err(Failure::new(kind, cursor.here()).such_as("any=2"));
            }
            let mut suffixes = Suffixes::default();
            while cursor.peek().is_some() {
                let Some(word) = cursor.word() else {
                    let (end, here) = (cursor.last_end(), cursor.here());
                    let failure = cursor.unexpected("any, each or total").or(here, " ");
                    return Err(failure.or(end..cursor.text().len(), "").such_as("any=2"));
                };
                suffixes.read(cursor, &word).map_err(|f| f.such_as("any=2"))?;
            }
            Ok(suffixes.variant())
        })
    }
}

/// The parts of a variant read so far.
#[derive(Default)]
pub(super) struct Suffixes {
    choice: Option<(Choice, Amounts)>,
    total: Option<Amounts>,
}

/// What a word after a game can be.
#[derive(Clone, Copy)]
enum Part {
    Choice(Choice),
    Total,
}

const PARTS: [(Part, &str); 3] = [
    (Part::Choice(Choice::Any), "any"),
    (Part::Choice(Choice::All), "each"),
    (Part::Total, "total"),
];

impl Suffixes {
    pub(super) fn variant(&self) -> Variant {
        let (choice, each) = self.choice.unwrap_or((Choice::Any, Amounts::POSITIVE));
        Variant { choice, each, total: self.total.unwrap_or(Amounts::POSITIVE) }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.choice.is_none() && self.total.is_none()
    }

    /// Reads one suffix, whose word has been read already.
    pub(super) fn read(&mut self, cursor: &mut Cursor<'_>, word: &Word<'_>) -> Read<()> {
        let plain = word.plain();
        let Some(&(part, _)) = PARTS.iter().find(|(_, w)| *w == plain) else {
            return Err(unknown(word));
        };
        let amounts = amounts(cursor)?;
        let repeated = match part {
            Part::Choice(choice) => self.choice.replace((choice, amounts)).map(|_| "any or each"),
            Part::Total => self.total.replace(amounts).map(|_| "total"),
        };
        match repeated {
            None => Ok(()),
            Some(what) => {
                let kind = ParseErrorKind::RepeatedVariant(what);
                let suffix = word.span.start..cursor.last_end();
                Err(Failure::new(kind, word.span.clone()).or(suffix, ""))
            }
        }
    }
}

fn unknown(word: &Word<'_>) -> Failure {
    let kind = ParseErrorKind::UnknownName {
        name: shorten(word.text),
        what: "variant",
        known: "any, each, total",
    };
    let near = names::nearest(&word.plain(), PARTS.map(|(_, w)| (w, w)));
    let failure = Failure::new(kind, word.span.clone());
    near.into_iter().fold(failure, |f, meant| f.or(word.span.clone(), meant))
}

/// Reads a range of amounts with the mark before it.
fn amounts(cursor: &mut Cursor<'_>) -> Read<Amounts> {
    let start = cursor.here().start;
    let mark = ["=", "≥", "≤", ">", "<"].into_iter().find(|mark| cursor.eat(mark));
    let mark = match mark {
        Some(">") if cursor.eat("=") => "≥",
        Some("<") if cursor.eat("=") => "≤",
        Some(mark) => mark,
        None => {
            let (end, here) = (cursor.last_end(), cursor.here());
            let failure = cursor.unexpected("=, >= or <=").or(end..here.start, "=");
            return Err(failure.or(here, "="));
        }
    };
    let (amount, span) = amount(cursor)?;
    let strict = |cursor: &mut Cursor<'_>, meant: String| {
        let kind = ParseErrorKind::Unexpected { expected: ">= or <=", found: mark.chars().next() };
        Failure::new(kind, start..start + 1).or(start..cursor.last_end(), meant)
    };
    match mark {
        "≥" => Ok(Amounts::at_least(amount)),
        "≤" => Ok(Amounts::between(1, Some(amount))),
        ">" => Err(strict(cursor, format!(">={}", amount.saturating_add(1)))),
        "<" => Err(strict(cursor, format!("<={}", amount - 1))),
        _ if cursor.eat("..") => {
            let (most, end) = self::amount(cursor)?;
            if most < amount {
                let kind = ParseErrorKind::EmptyRange { least: amount, most };
                let range = span.start..end.end;
                return Err(
                    Failure::new(kind, range.clone()).or(range, format!("{most}..{amount}"))
                );
            }
            Ok(Amounts::between(amount, Some(most)))
        }
        _ => Ok(Amounts::exactly(amount)),
    }
}

/// Reads a number of tokens, which is not zero.
fn amount(cursor: &mut Cursor<'_>) -> Read<(Height, Range<usize>)> {
    let number = cursor.number()?;
    match cursor.value(&number)? {
        0 => Err(Failure::new(ParseErrorKind::NoTokens, number.span.clone()).or(number.span, "1")),
        amount => Ok((amount, number.span)),
    }
}
