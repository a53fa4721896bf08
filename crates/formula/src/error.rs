//! What can be wrong with a formula, and where.

use std::ops::Range;

/// The longest text that is read, in bytes.
pub const MAX_LENGTH: usize = 1 << 16;

/// How deep parentheses, functions, `not` and `let` may be nested.
pub const MAX_DEPTH: usize = 100;

/// How many vectors a `span` may have.
pub const MAX_GENERATORS: usize = 128;

/// A text that is not a formula: what is wrong, and which bytes of the text show it.
///
/// ```
/// use nimatron_formula::{Context, Formula};
/// let error = Formula::parse("a+b = minn", &Context::new(4)).unwrap_err();
/// assert_eq!(error.span(), 6..10);
/// assert_eq!(error.to_string(), "`minn` is not known here");
/// assert_eq!(error.hint().unwrap(), "did you mean `min`?");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
pub struct FormulaError {
    kind: FormulaErrorKind,
    span: Range<usize>,
}

/// What is wrong with a formula.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FormulaErrorKind {
    /// No formula at all.
    #[error("the formula is empty")]
    Empty,
    /// More than [`MAX_LENGTH`] bytes.
    #[error("the formula has {0} bytes, but at most {MAX_LENGTH} are read")]
    TooLong(usize),
    /// Nested deeper than [`MAX_DEPTH`].
    #[error("the formula is nested more than {MAX_DEPTH} deep")]
    TooDeep,
    /// A character that has no meaning.
    #[error("{} has no meaning in a formula", Shown(*.0))]
    Character(char),
    /// Something else had to stand here.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What could have stood here.
        expected: Expected,
        /// What stands here.
        found: Found,
    },
    /// A number beyond 2^63 - 1.
    #[error("numbers go up to 2^63-1")]
    ConstantTooLarge,
    /// A term whose value might not fit the arithmetic.
    #[error("the value of this term can grow beyond all bounds of the arithmetic")]
    TermTooLarge,
    /// A product of two terms that depend on the position.
    #[error("a product needs a number on one side")]
    Product,
    /// `mod` by something else than a positive number.
    #[error("`mod` needs a positive number on its right")]
    Modulus,
    /// Neither stack nor name nor function.
    #[error("`{name}` is not known here")]
    Unknown {
        /// What was written.
        name: String,
        /// The nearest word of the language or name in scope.
        nearest: Option<String>,
    },
    /// A stack that the game does not have.
    #[error("there is no stack `{name}`: the game has {stacks}")]
    NoSuchStack {
        /// What was written.
        name: String,
        /// The number of stacks.
        stacks: usize,
    },
    /// A `let` name that has another meaning already.
    #[error("`{0}` already has a meaning")]
    NameTaken(String),
    /// A name used inside a `sym` or `reduced` that its `let` stands outside of.
    #[error("`{name}` was defined outside of this `{inside}`")]
    Outside {
        /// The name.
        name: String,
        /// `sym`, `reduced`, `digits` or `then`.
        inside: &'static str,
    },
    /// A `let` at the end of a list.
    #[error("nothing follows this `let`")]
    UnusedLet,
    /// A term where a formula has to stand.
    #[error("a condition is needed here, and this is only a number")]
    NotAFormula,
    /// A formula where a term has to stand.
    #[error("a number is needed here, and this is a condition")]
    NotATerm,
    /// `not` over `span`.
    #[error("`not` may not stand over `span`")]
    NotOverSpan,
    /// A stack twice in the same vector of a `span`.
    #[error("stack `{0}` stands twice in this vector")]
    RepeatedStack(String),
    /// More than [`MAX_GENERATORS`] vectors.
    #[error("a span has at most {MAX_GENERATORS} vectors")]
    TooManyGenerators,
    /// A range that ends before it starts.
    #[error("the range runs backwards")]
    Backwards,
    /// `reduced` in a game that is not slow.
    #[error("`reduced` is for slow games only")]
    NotSlow,
}

/// A character as it can be told apart from others that look like it: by its number, unless it is in
/// ASCII; by its number alone if it does not show.
struct Shown(char);

impl std::fmt::Display for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            c if c.is_ascii_graphic() => write!(f, "`{c}`"),
            c if c.is_alphanumeric() => write!(f, "`{c}` (U+{:04X})", u32::from(c)),
            c => write!(f, "the character U+{:04X}", u32::from(c)),
        }
    }
}

impl FormulaErrorKind {
    /// A stable word for it.
    pub fn as_str(&self) -> &'static str {
        use FormulaErrorKind as Kind;
        match self {
            Kind::Empty => "empty",
            Kind::TooLong(_) => "too-long",
            Kind::TooDeep => "too-deep",
            Kind::Character(_) | Kind::Expected { .. } => "unexpected",
            Kind::ConstantTooLarge | Kind::TermTooLarge => "too-large",
            Kind::Unknown { .. } | Kind::NoSuchStack { .. } | Kind::Outside { .. } => {
                "unknown-name"
            }
            _ => "formula",
        }
    }
}

/// What could have stood at the place of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Expected {
    /// A condition or a number.
    Operand,
    /// A name to be defined.
    Name,
    /// A stack.
    Stack,
    /// This word or sign.
    Token(&'static str),
    /// An operator, a comma or the end.
    Operator,
}

impl std::fmt::Display for Expected {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Expected::Operand => f.write_str("a stack, number, function or `(`"),
            Expected::Name => f.write_str("a name"),
            Expected::Stack => f.write_str("a stack"),
            Expected::Token(token) => write!(f, "`{token}`"),
            Expected::Operator => f.write_str("an operator, a comma or the end"),
        }
    }
}

/// What stands at the place of an error.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Found {
    /// This piece of text.
    Text(String),
    /// The end of the formula.
    End,
}

impl std::fmt::Display for Found {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Found::Text(text) => write!(f, "`{text}`"),
            Found::End => f.write_str("the end"),
        }
    }
}

impl FormulaError {
    pub(crate) fn new(kind: FormulaErrorKind, span: Range<usize>) -> Self {
        FormulaError { kind, span }
    }

    /// What is wrong.
    pub fn kind(&self) -> &FormulaErrorKind {
        &self.kind
    }

    /// The bytes of the text that show it; empty at the end of the text.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// How it might be mended.
    pub fn hint(&self) -> Option<String> {
        use FormulaErrorKind as Kind;
        let fixed = match &self.kind {
            Kind::Empty => "write a condition such as `a+b = c+d`",
            Kind::Character('&') => "write `and`, or a comma",
            Kind::Character('|') => "write `or`",
            Kind::Character('!' | '~') => "write `not`, or `!=` between terms",
            Kind::Character('%') => "write `mod`",
            Kind::Character('^') => "write `xor(a,b)`",
            Kind::Expected { found: Found::Text(text), expected: Expected::Operand }
                if text == "=" =>
            {
                "equality is a single `=`"
            }
            Kind::TermTooLarge => "use smaller factors",
            Kind::Modulus => "for example `(a+b) mod 4`",
            Kind::Unknown { nearest: Some(nearest), .. } => {
                return Some(format!("did you mean `{nearest}`?"));
            }
            Kind::Unknown { name, nearest: None } if name.len() > 1 => {
                "stacks are single letters or x1, x2, ..; sums are written with `+`"
            }
            Kind::NoSuchStack { stacks, .. } => return Some(stacks_hint(*stacks)),
            Kind::NameTaken(_) => "choose a longer name",
            Kind::Outside { inside: "then", .. } => "write the `let` on each side of `then`",
            Kind::Outside { inside, .. } => {
                return Some(format!("write the `let` inside `{inside}(..)`"));
            }
            Kind::UnusedLet => "write `let m = min(a,b), ..` with a condition after the comma",
            Kind::NotAFormula => "compare it with something, as in `a+b = 0`",
            Kind::NotATerm => "conditions are joined by `,`, `and`, `or`",
            Kind::NotOverSpan => "say what the positions outside are by inequalities",
            Kind::Backwards => "list the stacks one by one",
            Kind::NotSlow => "slow games are written Slow(n,{..})",
            _ => return None,
        };
        Some(fixed.to_owned())
    }
}

fn stacks_hint(stacks: usize) -> String {
    let letter = |stack: usize| (b'a' + stack as u8) as char;
    match stacks {
        0 => "this game has no stacks".to_owned(),
        1 => "the only stack is `a`, or `x1`".to_owned(),
        2..=26 => format!("the stacks are `a` to `{}`, or `x1` to `x{stacks}`", letter(stacks - 1)),
        _ => format!("the stacks are `x1` to `x{stacks}`"),
    }
}
