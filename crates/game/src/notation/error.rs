//! What is wrong with a text, where, and what was perhaps meant.

use super::cursor::Cursor;
use super::{MAX_LENGTH, names};
use crate::family::FamilyError;
use crate::position::{Height, MAX_HEIGHT};
use crate::stacks::{MAX_STACKS, StackSet};
use std::fmt;
use std::ops::Range;

/// At most this many characters of the input are repeated in a message or a hint.
const SHORT: usize = 40;

/// A text that is no game, position, take or variant.
///
/// `Display` writes the message in one line, without place and hint.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
#[non_exhaustive]
pub struct ParseError {
    kind: Box<ParseErrorKind>,
    span: Range<usize>,
    column: usize,
    width: usize,
    hint: Option<String>,
}

impl ParseError {
    /// What is wrong.
    pub fn kind(&self) -> &ParseErrorKind {
        &self.kind
    }

    /// Where: a range of bytes of the text, empty where something is missing.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// Where: the first character of the place, counted from 1. A caret below the text goes
    /// after `column - 1` blanks.
    pub fn column(&self) -> usize {
        self.column
    }

    /// How many characters the place has, perhaps none.
    pub fn width(&self) -> usize {
        self.width
    }

    /// A valid text that is near to what was given.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}

/// What is wrong with a text. The words of [`ParseErrorKind::as_str`] are stable.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// No text, or only blanks.
    #[error("the text is empty: expected {expected}")]
    Empty {
        /// What should stand there.
        expected: &'static str,
    },
    /// More than [`MAX_LENGTH`] bytes.
    #[error("the text has {length} bytes, at most {MAX_LENGTH} are read")]
    TooLong {
        /// The length in bytes.
        length: usize,
    },
    /// Something else should stand here.
    #[error("expected {}, {}", Quoted(expected), Found(*found))]
    Unexpected {
        /// What should stand here.
        expected: &'static str,
        /// What stands here; `None` at the end of the text.
        found: Option<char>,
    },
    /// No game, variant or part of a cube has this name.
    #[error("{name} is no {what}: known are {known}")]
    UnknownName {
        /// The name as given, shortened.
        name: String,
        /// What it should name.
        what: &'static str,
        /// The names there are.
        known: &'static str,
    },
    /// The wrong kind or number of arguments.
    #[error("{name} takes {takes}, as in {example}")]
    Arguments {
        /// The name of the game.
        name: &'static str,
        /// What goes between the parentheses.
        takes: &'static str,
        /// How it may look.
        example: &'static str,
    },
    /// A number below zero.
    #[error("numbers cannot be negative here")]
    Negative,
    /// A number with a fractional part.
    #[error("numbers must be whole here")]
    Fraction,
    /// A number too large to be meant.
    #[error("the number {digits} is too large")]
    TooLarge {
        /// The number as given, shortened.
        digits: String,
    },
    /// A height above [`MAX_HEIGHT`].
    #[error("{digits} is above the greatest height, {MAX_HEIGHT}")]
    TooTall {
        /// The height as given, shortened.
        digits: String,
    },
    /// The numbers do not make a game.
    #[error(transparent)]
    Family(FamilyError),
    /// Stacks that lie in no set.
    #[error("{}", Uncovered(*stacks, *letters))]
    Uncovered {
        /// The stacks.
        stacks: StackSet,
        /// Whether the sets are given by letters.
        letters: bool,
    },
    /// Stack 0.
    #[error("stacks are numbered from 1")]
    StackZero,
    /// A stack twice in one set.
    #[error("a set holds each stack once")]
    RepeatedStack,
    /// Letters and numbers in one list of sets.
    #[error("stacks are given by letters or by numbers, not by both")]
    MixedStacks,
    /// Numbers of stacks without blanks between them.
    #[error("the numbers of the stacks in a set are separated by blanks")]
    RunTogether,
    /// `misere` after the beginning.
    #[error("misere stands once, before the whole sum")]
    MiserePlace,
    /// A part of a variant given twice.
    #[error("{0} is given twice")]
    RepeatedVariant(&'static str),
    /// Zero tokens.
    #[error("a move takes at least one token")]
    NoTokens,
    /// A range whose end is below its start.
    #[error("the range {least}..{most} is empty")]
    EmptyRange {
        /// Where it starts.
        least: Height,
        /// Where it ends.
        most: Height,
    },
    /// Not one number per stack.
    #[error("{game} has {expected} stacks, but {found} {} given", numbers(*found, what))]
    WrongCount {
        /// The game, shortened.
        game: String,
        /// Its stacks.
        expected: usize,
        /// How many numbers are given.
        found: usize,
        /// What the numbers are, in the singular.
        what: &'static str,
    },
    /// More numbers than a game has stacks.
    #[error("a game has at most {MAX_STACKS} stacks")]
    TooManyNumbers,
}

impl ParseErrorKind {
    /// A stable word for programs.
    pub fn as_str(&self) -> &'static str {
        use ParseErrorKind::*;
        match self {
            Empty { .. } => "empty",
            TooLong { .. } => "too-long",
            Unexpected { .. } => "unexpected",
            UnknownName { .. } => "unknown-name",
            Arguments { .. } => "arguments",
            Negative | Fraction | TooLarge { .. } => "bad-number",
            TooTall { .. } => "too-tall",
            Family(FamilyError::NoStacks) => "no-stacks",
            Family(FamilyError::TooManyStacks(_)) | TooManyNumbers => "too-many-stacks",
            Family(FamilyError::TooManySets(_)) => "too-many-sets",
            Family(FamilyError::SetSize { .. }) => "set-size",
            Family(FamilyError::EmptyList) => "empty-list",
            Family(FamilyError::EmptySet(_)) => "empty-set",
            Family(FamilyError::Uncovered(_)) | Uncovered { .. } => "uncovered",
            Family(FamilyError::Outside(_)) => "outside",
            Family(FamilyError::Loop(_)) => "loop",
            Family(FamilyError::NoVariants) => "no-variants",
            StackZero => "stack-zero",
            RepeatedStack => "repeated-stack",
            MixedStacks => "mixed-stacks",
            RunTogether => "run-together",
            MiserePlace => "misere-place",
            RepeatedVariant(_) => "repeated-variant",
            NoTokens | EmptyRange { .. } => "bad-amount",
            WrongCount { .. } => "wrong-count",
        }
    }
}

/// The first characters of a text, with odd ones escaped.
pub(super) fn shorten(text: &str) -> String {
    let mut start: String = text.chars().take(SHORT).flat_map(char::escape_debug).collect();
    if let Some((end, _)) = start.char_indices().nth(SHORT - 1) {
        start.truncate(end);
        start.push('…');
    }
    start
}

/// Punctuation is quoted, descriptions are not.
struct Quoted<'a>(&'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.len() {
            1 => write!(f, "`{}`", self.0),
            _ => f.write_str(self.0),
        }
    }
}

struct Found(Option<char>);

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(c) => write!(f, "not `{}`", c.escape_debug()),
            None => f.write_str("but the text ends"),
        }
    }
}

fn numbers(found: usize, what: &str) -> String {
    if found == 1 { format!("{what} is") } else { format!("{what}s are") }
}

/// `stack b is in no set`; three and more stacks in a row are joined as in `1..9`.
struct Uncovered(StackSet, bool);

impl fmt::Display for Uncovered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Uncovered(stacks, letters) = *self;
        let name = |s: usize| names::stack(s, letters);
        let mut parts = Vec::new();
        let mut rest = stacks;
        while let Some(first) = rest.lowest() {
            let end = (first..).find(|&s| !rest.contains(s)).unwrap_or(first + 1);
            match end - first {
                1 | 2 => parts.extend((first..end).map(name)),
                _ => parts.push(format!("{}..{}", name(first), name(end - 1))),
            }
            rest = rest - (first..end).collect();
        }
        let (noun, verb) = if stacks.len() == 1 { ("stack", "is") } else { ("stacks", "are") };
        write!(f, "{noun} {} {verb} in no set", parts.join(", "))
    }
}

/// The result of reading a part of a text.
pub(super) type Read<T> = Result<T, Failure>;

/// A problem found while reading, with ideas how to mend it.
#[derive(Debug)]
pub(super) struct Failure {
    kind: Box<ParseErrorKind>,
    span: Range<usize>,
    /// Tried in this order; the first that makes the whole text valid becomes the hint.
    fixes: Vec<Fix>,
    /// The hint if no fix does.
    example: Option<String>,
}

/// Replaces a range of the text.
#[derive(Debug)]
struct Fix {
    span: Range<usize>,
    text: String,
}

impl Failure {
    pub(super) fn new(kind: ParseErrorKind, span: Range<usize>) -> Self {
        Failure { kind: Box::new(kind), span, fixes: Vec::new(), example: None }
    }

    pub(super) fn family(error: FamilyError, span: Range<usize>) -> Self {
        Failure::new(ParseErrorKind::Family(error), span)
    }

    /// Perhaps `text` was meant in place of `span`.
    pub(super) fn or(mut self, span: Range<usize>, text: impl Into<String>) -> Self {
        self.fixes.push(Fix { span, text: text.into() });
        self
    }

    /// A form to show if no fix fits; the one given first, at the innermost place, is kept.
    pub(super) fn such_as(mut self, example: impl Into<String>) -> Self {
        self.example.get_or_insert_with(|| example.into());
        self
    }

    /// The error for the user, with a hint that `accepts` has approved.
    fn resolve(self, text: &str, accepts: impl Fn(&str) -> bool) -> ParseError {
        let short = |hint: &String| hint.chars().count() <= SHORT;
        let mend = |fix: &Fix| {
            let (before, after) = (text.get(..fix.span.start)?, text.get(fix.span.end..)?);
            let near = before.len() + after.len() + fix.text.len() <= 4 * SHORT;
            near.then(|| tidy(&format!("{before}{}{after}", fix.text)))
        };
        let mut mended = self.fixes.iter().filter_map(mend).filter(short);
        let example = self.example.filter(|e| accepts(e));
        let hint = mended.find(|hint| accepts(hint)).or(example);
        let column = text[..self.span.start].chars().count() + 1;
        let width = text[self.span.clone()].chars().count();
        ParseError { kind: self.kind, span: self.span, column, width, hint }
    }
}

/// A text without the blanks that a change leaves behind.
fn tidy(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace(" )", ")")
}

/// Reads a whole text with `read`, which leaves the cursor at its end or fails.
pub(super) fn parse<T>(
    text: &str,
    read: impl Fn(&mut Cursor<'_>) -> Read<T>,
) -> Result<T, ParseError> {
    let length = text.len();
    if length > MAX_LENGTH {
        let span = text.floor_char_boundary(MAX_LENGTH)..length;
        return Err(Failure::new(ParseErrorKind::TooLong { length }, span).resolve(text, |_| true));
    }
    let accepts = |hint: &str| read(&mut Cursor::new(hint)).is_ok();
    read(&mut Cursor::new(text)).map_err(|failure| failure.resolve(text, accepts))
}
