//! Reading lists of stack sets.
//!
//! Tolerated: letters, `Set(abc,bcd)`, with or without blanks between them, small or capital;
//! numbers from 1 separated by blanks, `Set(1 2 3, 2 3 4)`; lists of lists, `[[1,2,3],[2,3,4]]`;
//! sets in braces after the number of stacks, `SN(3,{{a,b},{b,c}})`;
//! sets in any order, repeated, or contained in others.
//! Written: letters up to 26 stacks, else numbers; always with `Set`.

use super::cursor::Cursor;
use super::error::{Failure, ParseErrorKind, Read};
use super::names;
use crate::family::{Family, FamilyError, MAX_SETS};
use crate::stacks::{MAX_STACKS, StackSet};
use std::ops::Range;

const EXAMPLE: &str = "Set(abc,bcd)";

/// Reads `(abc,bcd)` or `(1 2 3, 2 3 4)`, after the word `Set`; `start` is where that began.
pub(super) fn parenthesised(cursor: &mut Cursor<'_>, start: usize) -> Read<Family> {
    cursor.expect("(").map_err(|f| f.such_as(EXAMPLE))?;
    let inside = cursor.last_end();
    let mut list = List { example: EXAMPLE, ..List::default() };
    if cursor.peek() == Some(')') {
        return Err(Failure::family(FamilyError::EmptyList, cursor.here()).such_as(EXAMPLE));
    }
    loop {
        loop {
            match cursor.letter() {
                Some((letter, span)) => list.letter(letter, span)?,
                None if cursor.at_number() => list.number(cursor)?,
                None => break,
            }
        }
        list.close(cursor)?;
        if !cursor.eat(",") {
            break;
        }
    }
    let inside = inside..cursor.last_end();
    cursor.expect(")").map_err(|f| f.such_as(EXAMPLE))?;
    if list.runs_together() && !cursor.slice(inside.clone()).contains('0') {
        let spread = spread(cursor.slice(inside.clone()));
        let span = list.first_long.unwrap_or(inside.clone());
        let failure = Failure::new(ParseErrorKind::RunTogether, span);
        return Err(failure.or(inside, spread).such_as("Set(1 2, 2 3)"));
    }
    list.family(start..cursor.last_end())
}

/// Reads `[[1,2,3],[2,3,4]]`.
pub(super) fn bracketed(cursor: &mut Cursor<'_>) -> Read<Family> {
    const EXAMPLE: &str = "[[1,2],[2,3]]";
    let outer = cursor.here().start;
    cursor.expect("[")?;
    let mut list = List { example: EXAMPLE, ..List::default() };
    if cursor.peek() == Some(']') {
        return Err(Failure::family(FamilyError::EmptyList, cursor.here()).such_as(EXAMPLE));
    }
    loop {
        cursor.expect("[").map_err(|f| f.such_as(EXAMPLE))?;
        while cursor.at_number() {
            list.number(cursor)?;
            if !cursor.eat(",") {
                break;
            }
            if !cursor.at_number() {
                return Err(cursor.unexpected("a stack").such_as(EXAMPLE));
            }
        }
        list.close(cursor)?;
        cursor.expect("]").map_err(|f| f.such_as(EXAMPLE))?;
        if !cursor.eat(",") {
            break;
        }
    }
    cursor.expect("]").map_err(|f| f.such_as(EXAMPLE))?;
    list.family(outer..cursor.last_end())
}

/// Reads `{a,b},{b,c}}`, after the first brace, as a game on `n` stacks: `places` are where that number
/// stands, and where the sets begin.
pub(super) fn braced(
    cursor: &mut Cursor<'_>,
    n: usize,
    places: (Range<usize>, usize),
    example: &'static str,
) -> Read<Family> {
    let such_as = |f: Failure| f.such_as(example);
    let mut list = List { example, ..List::default() };
    loop {
        cursor.expect("{").map_err(such_as)?;
        loop {
            match cursor.letter() {
                Some((letter, span)) => list.letter(letter, span)?,
                None if cursor.at_number() => list.number(cursor)?,
                None => break,
            }
            let comma = cursor.eat(",");
            if comma && cursor.peek() == Some('}') {
                return Err(such_as(cursor.unexpected("a stack")));
            }
        }
        list.close(cursor)?;
        cursor.expect("}").map_err(such_as)?;
        if !cursor.eat(",") {
            break;
        }
    }
    cursor.expect("}").map_err(such_as)?;
    let (number, start) = places;
    let most = list.covered().iter().last().map_or(0, |s| s + 1);
    if most > n {
        let outside = list.covered() - StackSet::first(n);
        let failure = Failure::family(FamilyError::Outside(outside), number.clone());
        return Err(such_as(failure.or(number, most.to_string())));
    }
    let missing = StackSet::first(n) - list.covered();
    if list.uncovered().is_empty() && !missing.is_empty() {
        let letters = list.letters == Some(true);
        let kind = ParseErrorKind::Uncovered { stacks: missing, letters };
        return Err(such_as(Failure::new(kind, number.clone()).or(number, most.to_string())));
    }
    list.family(start..cursor.last_end())
}

/// `12,23` as `1 2, 2 3`.
fn spread(sets: &str) -> String {
    let mut spread = String::new();
    let mut digit_before = false;
    for c in sets.chars().filter(|c| !c.is_whitespace()) {
        if digit_before && c.is_ascii_digit() {
            spread.push(' ');
        }
        spread.push(c);
        if c == ',' {
            spread.push(' ');
        }
        digit_before = c.is_ascii_digit();
    }
    spread
}

/// The text with every number raised by one, for those who count stacks from 0; nothing if
/// other numbers than those of stacks may be in it.
fn raised(text: &str) -> String {
    let mut raised = String::new();
    let mut digits = String::new();
    if text.len() > 200 || text.contains(['+', '=']) {
        return raised;
    }
    for c in text.chars().chain([' ']) {
        match c {
            '0'..='9' => digits.push(c),
            _ => {
                raised.extend(digits.parse::<u64>().map(|v| v.saturating_add(1).to_string()));
                digits.clear();
                raised.push(c);
            }
        }
    }
    raised
}

/// The sets read so far, and the one being read.
#[derive(Default)]
struct List {
    /// What to show where nothing nearer is found.
    example: &'static str,
    sets: Vec<StackSet>,
    current: StackSet,
    /// How many stacks were given for the current set, counting those out of range.
    entries: usize,
    /// Letters or numbers, once a stack has been read.
    letters: Option<bool>,
    /// The first number that is out of range.
    beyond: Option<(u64, Range<usize>)>,
    /// The first number of more than one digit.
    first_long: Option<Range<usize>>,
    /// Whether some set has more than one entry.
    several: bool,
}

impl List {
    fn letter(&mut self, letter: char, span: Range<usize>) -> Read<()> {
        self.style(true, &span)?;
        self.add(letter as usize - 'a' as usize, span)
    }

    fn number(&mut self, cursor: &mut Cursor<'_>) -> Read<()> {
        let number = cursor.number().map_err(|f| f.such_as(self.example))?;
        let span = number.span.clone();
        self.style(false, &span)?;
        if span.len() > 1 {
            self.first_long.get_or_insert_with(|| span.clone());
        }
        match number.value.unwrap_or(u64::MAX) {
            0 => {
                let failure = Failure::new(ParseErrorKind::StackZero, span);
                Err(failure.or(0..cursor.text().len(), raised(cursor.text())).such_as(self.example))
            }
            stack if stack > MAX_STACKS as u64 => {
                self.beyond.get_or_insert((stack, span));
                self.entries += 1;
                Ok(())
            }
            stack => self.add(stack as usize - 1, span),
        }
    }

    fn style(&mut self, letter: bool, span: &Range<usize>) -> Read<()> {
        match *self.letters.get_or_insert(letter) == letter {
            true => Ok(()),
            false => {
                let failure = Failure::new(ParseErrorKind::MixedStacks, span.clone());
                Err(failure.or(span.clone(), "").such_as(self.example))
            }
        }
    }

    fn add(&mut self, stack: usize, span: Range<usize>) -> Read<()> {
        if self.current.contains(stack) {
            return Err(Failure::new(ParseErrorKind::RepeatedStack, span.clone()).or(span, ""));
        }
        self.current = self.current.with(stack);
        self.entries += 1;
        Ok(())
    }

    /// Ends the current set, before the mark that follows it.
    fn close(&mut self, cursor: &mut Cursor<'_>) -> Read<()> {
        if self.entries == 0 {
            return Err(match cursor.peek() {
                Some(',' | ')' | ']' | '}') => {
                    let (last, here) = (cursor.last_end(), cursor.here());
                    let error = FamilyError::EmptySet(self.sets.len());
                    // One of the two commas around it is too many.
                    let failure = Failure::family(error, here.clone()).or(here, "");
                    failure.or(last.saturating_sub(1)..last, "").such_as(self.example)
                }
                _ => cursor.unexpected("a stack").such_as(self.example),
            });
        }
        if self.sets.len() == MAX_SETS {
            return Err(Failure::family(FamilyError::TooManySets(MAX_SETS + 1), cursor.here()));
        }
        self.several |= self.entries > 1;
        self.entries = 0;
        self.sets.push(std::mem::take(&mut self.current));
        Ok(())
    }

    fn covered(&self) -> StackSet {
        self.sets.iter().fold(StackSet::EMPTY, |a, &s| a | s)
    }

    /// The stacks below the greatest that lie in no set.
    fn uncovered(&self) -> StackSet {
        let greatest = self.covered().iter().last();
        StackSet::first(greatest.map_or(0, |s| s + 1)) - self.covered()
    }

    /// Whether this looks like `12,23`: only single numbers, some of several digits, and no game.
    fn runs_together(&self) -> bool {
        let bad = self.beyond.is_some() || !self.uncovered().is_empty();
        bad && !self.several && self.first_long.is_some()
    }

    /// The finished list, which was read from `span`.
    fn family(self, span: Range<usize>) -> Read<Family> {
        if let Some((stack, at)) = self.beyond {
            let stacks = usize::try_from(stack).unwrap_or(usize::MAX);
            return Err(
                Failure::family(FamilyError::TooManyStacks(stacks), at).such_as(self.example)
            );
        }
        let stacks = self.uncovered();
        let letters = self.letters == Some(true);
        if !stacks.is_empty() {
            // The same sets without the gaps.
            let order: Vec<usize> = self.covered().iter().collect();
            let renumber = |s: usize| order.partition_point(|&o| o < s);
            let close = |set: &StackSet| set.iter().map(renumber).collect::<StackSet>();
            let sets: Vec<_> = self.sets.iter().map(close).collect();
            let written = if letters {
                Family::Sets { n: order.len(), sets }.to_string()
            } else {
                let set = |s: &StackSet| {
                    let stacks: Vec<_> = s.iter().map(|s| names::stack(s, false)).collect();
                    stacks.join(" ")
                };
                format!("Set({})", sets.iter().map(set).collect::<Vec<_>>().join(", "))
            };
            let kind = ParseErrorKind::Uncovered { stacks, letters };
            return Err(Failure::new(kind, span.clone()).or(span, written).such_as(self.example));
        }
        let n = self.covered().len();
        Ok(Family::Sets { n, sets: self.sets })
    }
}
