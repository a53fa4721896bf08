//! The reader's place in a text: blanks, words, numbers and punctuation.

use super::error::{Failure, ParseErrorKind, Read, shorten};
use crate::position::Height;
use std::ops::Range;

/// Walks once through a text. Blanks are skipped before everything that is read.
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
    /// Where the last thing read ended: what is missing is inserted there.
    last_end: usize,
}

/// A run of letters.
pub(super) struct Word<'a> {
    pub(super) text: &'a str,
    pub(super) span: Range<usize>,
}

impl Word<'_> {
    /// The word in small letters and without accents.
    pub(super) fn plain(&self) -> String {
        let plain = self.text.chars().filter(|&c| c != GRAVE).flat_map(char::to_lowercase);
        plain.map(|c| if c == 'è' { 'e' } else { c }).collect()
    }
}

/// The accent of misère, where it is a character of its own.
const GRAVE: char = '\u{300}';

/// A run of digits.
pub(super) struct Number {
    /// The value, if 64 bits hold it.
    pub(super) value: Option<Height>,
    pub(super) span: Range<usize>,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Cursor { text, at: 0, last_end: 0 }
    }

    /// The part of the text at `span`.
    pub(super) fn slice(&self, span: Range<usize>) -> &'a str {
        &self.text[span]
    }

    /// The whole text.
    pub(super) fn text(&self) -> &'a str {
        self.text
    }

    /// The next character that is not blank.
    pub(super) fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        // Other characters that do not show are refused, wherever they stand.
        let next = rest.find(|c: char| !matches!(c, ' ' | '\t' | '\n' | '\r'));
        self.at += next.unwrap_or(rest.len());
        self.text[self.at..].chars().next()
    }

    /// The place of the next character; empty at the end.
    pub(super) fn here(&mut self) -> Range<usize> {
        let width = self.peek().map_or(0, char::len_utf8);
        self.at..self.at + width
    }

    /// The end of what was read last.
    pub(super) fn last_end(&self) -> usize {
        self.last_end
    }

    fn consume(&mut self, bytes: usize) -> Range<usize> {
        let start = self.at;
        self.at += bytes;
        self.last_end = self.at;
        start..self.at
    }

    /// Whether `token` stands next.
    pub(super) fn is_next(&mut self, token: &str) -> bool {
        self.peek();
        self.text[self.at..].starts_with(token)
    }

    /// Reads `token` if it stands next.
    pub(super) fn eat(&mut self, token: &str) -> bool {
        let next = self.is_next(token);
        if next {
            self.consume(token.len());
        }
        next
    }

    /// Reads a mark of punctuation, which must stand next.
    pub(super) fn expect(&mut self, mark: &'static str) -> Read<()> {
        if self.eat(mark) {
            return Ok(());
        }
        let (last, here) = (self.last_end, self.here());
        let closes = matches!(mark, ")" | "]" | "}");
        // A closing mark belongs to what was read last, another one between that and the next.
        let gap = if closes { last..last } else { last..here.start };
        let failure = self.unexpected(mark).or(gap, mark).or(here, mark);
        let failure = self.replaced(failure, mark);
        Err(if closes { self.replaced(failure, ",") } else { failure })
    }

    /// Perhaps `mark` was meant wherever the text has its next character.
    pub(super) fn replaced(&mut self, failure: Failure, mark: &str) -> Failure {
        let text = self.text;
        match self.peek() {
            Some(c) if !c.is_alphanumeric() && text.len() < 200 => {
                failure.or(0..text.len(), text.replace(c, mark))
            }
            _ => failure,
        }
    }

    /// Something other than `expected` stands next.
    pub(super) fn unexpected(&mut self, expected: &'static str) -> Failure {
        let (found, span) = (self.peek(), self.here());
        Failure::new(ParseErrorKind::Unexpected { expected, found }, span)
    }

    /// Reads one ASCII letter.
    pub(super) fn letter(&mut self) -> Option<(char, Range<usize>)> {
        let letter = self.peek().filter(char::is_ascii_alphabetic)?;
        Some((letter.to_ascii_lowercase(), self.consume(1)))
    }

    /// Reads a run of letters.
    pub(super) fn word(&mut self) -> Option<Word<'a>> {
        self.peek().filter(|c| c.is_alphabetic())?;
        let rest = &self.text[self.at..];
        let length = rest.find(|c: char| !c.is_alphabetic() && c != GRAVE).unwrap_or(rest.len());
        let span = self.consume(length);
        Some(Word { text: self.slice(span.clone()), span })
    }

    /// Whether a number stands next, be it negative.
    pub(super) fn at_number(&mut self) -> bool {
        self.peek();
        let rest = &self.text[self.at..];
        let digits = rest.strip_prefix('-').unwrap_or(rest);
        digits.starts_with(|c: char| c.is_ascii_digit())
    }

    /// Reads a number: decimal digits without sign, point or separator.
    pub(super) fn number(&mut self) -> Read<Number> {
        if !self.at_number() {
            return Err(self.unexpected("a number"));
        }
        let sign = self.here();
        if self.eat("-") {
            let end = self.number()?.span.end;
            let failure = Failure::new(ParseErrorKind::Negative, sign.start..end);
            return Err(failure.or(sign, ""));
        }
        let rest = &self.text[self.at..];
        let length = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let span = self.consume(length);
        let mut after = self.text[span.end..].chars();
        if after.next() == Some('.') && after.next().is_some_and(|c| c.is_ascii_digit()) {
            let point = span.end..span.end + 1;
            let failure = Failure::new(ParseErrorKind::Fraction, span.start..point.end + 1);
            return Err(failure.or(point.clone(), ",").or(point, ".."));
        }
        Ok(Number { value: self.slice(span.clone()).parse().ok(), span })
    }

    /// The value of a number that counts something.
    pub(super) fn value(&self, number: &Number) -> Read<Height> {
        number.value.ok_or_else(|| {
            let digits = shorten(self.slice(number.span.clone()));
            Failure::new(ParseErrorKind::TooLarge { digits }, number.span.clone())
        })
    }
}
