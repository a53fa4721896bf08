//! From tokens to formulas, by recursive descent.
//!
//! Formulas and terms share one grammar, so that `(a+b) = c` and `(a = b) or c = d` need no
//! backtracking: an [`Item`] is either, and operators say which they take.
//!
//! ```text
//! list    := (let NAME = sum ,)* or (, list)?        scope of a let: the rest of its list
//! or      := and ("or" and)*
//! and     := then ("and" then)*
//! then    := not ("then" then)?
//! not     := "not" not | chain
//! chain   := sum (RELATION sum)*
//! sum     := -? product ((+|-) product)*
//! product := factor (* factor | "mod" NUMBER)*
//! factor  := NUMBER factor? | STACK | NAME | FUNCTION (..)? | ( list )
//! ```

use crate::ast::{Formula, Relation, Term};
use crate::context::Context;
use crate::error::{
    Expected, FormulaError, FormulaErrorKind as Kind, Found, MAX_DEPTH, MAX_GENERATORS, MAX_LENGTH,
};
use crate::lexer::{Token, WORDS, tokens};
use nimatron_game::{MAX_HEIGHT, MAX_STACKS, StackSet};
use std::ops::Range;

type Result<T> = std::result::Result<T, FormulaError>;

/// Terms stay below this in absolute value, whatever the heights; 128 bits leave room for the
/// difference of two of them.
const MAX_SIZE: u128 = 1 << 120;

impl Formula {
    /// Reads a formula about the positions of a game.
    ///
    /// ```
    /// use nimatron_formula::{Context, Formula};
    /// let text = "sym(b = e, a+b = c+d, a = max)";
    /// let formula = Formula::parse(text, &Context::new(5)).unwrap();
    /// assert_eq!(formula.to_string(), text);
    /// ```
    pub fn parse(text: &str, context: &Context) -> Result<Formula> {
        if text.len() > MAX_LENGTH {
            return Err(FormulaError::new(Kind::TooLong(text.len()), 0..text.len()));
        }
        let tokens = tokens(text)?;
        if tokens.len() == 1 {
            return Err(FormulaError::new(Kind::Empty, 0..text.len()));
        }
        let mut parser = Parser {
            text,
            tokens,
            context,
            next: 0,
            depth: 0,
            names: Vec::new(),
            within: vec![""],
        };
        let formula = parser.list()?;
        match parser.peek() {
            Token::End => formula.formula(),
            _ => Err(parser.expected(Expected::Operator)),
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<(Token<'a>, Range<usize>)>,
    context: &'a Context,
    next: usize,
    depth: usize,
    names: Vec<Name<'a>>,
    /// The `sym`, `reduced`, `digits` and `then` around the current place.
    within: Vec<&'static str>,
}

struct Name<'a> {
    name: &'a str,
    size: u128,
    /// The length of [`Parser::within`] where it was defined.
    level: usize,
}

/// A formula or a term, with its place in the text.
struct Item {
    what: What,
    span: Range<usize>,
}

enum What {
    Formula(Formula),
    /// A term and a bound of its absolute value.
    Term(Term, u128),
}

impl Item {
    fn formula(self) -> Result<Formula> {
        match self.what {
            What::Formula(formula) => Ok(formula),
            What::Term(..) => Err(FormulaError::new(Kind::NotAFormula, self.span)),
        }
    }

    fn term(self) -> Result<(Term, u128)> {
        match self.what {
            What::Term(term, size) => Ok((term, size)),
            What::Formula(_) => Err(FormulaError::new(Kind::NotATerm, self.span)),
        }
    }

    fn of_formula(formula: Formula, span: Range<usize>) -> Self {
        Item { what: What::Formula(formula), span }
    }

    fn of_term(term: Term, size: Option<u128>, span: Range<usize>) -> Result<Self> {
        match size.filter(|&s| s <= MAX_SIZE) {
            Some(size) => Ok(Item { what: What::Term(term, size), span }),
            None => Err(FormulaError::new(Kind::TermTooLarge, span)),
        }
    }
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Token<'a> {
        self.tokens[self.next].0
    }

    fn place(&self) -> Range<usize> {
        self.tokens[self.next].1.clone()
    }

    /// Where the token before the current place ends.
    fn end(&self) -> usize {
        self.tokens[self.next.saturating_sub(1)].1.end
    }

    fn advance(&mut self) {
        // The last token is the end, which is never passed.
        self.next = (self.next + 1).min(self.tokens.len() - 1);
    }

    fn eat(&mut self, sign: &str) -> bool {
        let found = self.peek_is(sign);
        if found {
            self.advance();
        }
        found
    }

    fn peek_is(&self, sign: &str) -> bool {
        matches!(self.peek(), Token::Fixed(s) if s == sign)
    }

    fn expect(&mut self, sign: &'static str) -> Result<()> {
        if self.eat(sign) { Ok(()) } else { Err(self.expected(Expected::Token(sign))) }
    }

    fn expected(&self, expected: Expected) -> FormulaError {
        let place = self.place();
        let found = match self.peek() {
            Token::End => Found::End,
            _ => Found::Text(self.text[place.clone()].to_owned()),
        };
        FormulaError::new(Kind::Expected { expected, found }, place)
    }

    /// Runs a part of the grammar that may contain itself.
    fn nested<T>(&mut self, part: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth == MAX_DEPTH {
            return Err(FormulaError::new(Kind::TooDeep, self.place()));
        }
        self.depth += 1;
        let result = part(self);
        self.depth -= 1;
        result
    }

    fn list(&mut self) -> Result<Item> {
        let names = self.names.len();
        let result = self.nested(Self::list_items);
        self.names.truncate(names);
        result
    }

    fn list_items(&mut self) -> Result<Item> {
        let start = self.place().start;
        let mut items = Vec::new();
        loop {
            if self.peek_is("let") {
                let (name, value) = self.binding()?;
                let body = self.list()?.formula()?;
                items.push(Formula::Let(name, value, body.into()));
                break;
            }
            let item = self.or()?;
            if items.is_empty() && !self.peek_is(",") {
                return Ok(item);
            }
            items.push(item.formula()?);
            if !self.eat(",") {
                break;
            }
        }
        Ok(Item::of_formula(Formula::and(items), start..self.end()))
    }

    /// `let NAME = sum ,`
    fn binding(&mut self) -> Result<(String, Term)> {
        let start = self.place().start;
        self.advance();
        let place = self.place();
        let Token::Word(name) = self.peek() else { return Err(self.expected(Expected::Name)) };
        let known = self.names.iter().any(|n| n.name == name);
        if known || WORDS.contains(&name) || is_numbered(name) || self.stack(name).is_some() {
            return Err(FormulaError::new(Kind::NameTaken(name.to_owned()), place));
        }
        self.advance();
        self.expect("=")?;
        let (value, size) = self.sum()?.term()?;
        if matches!(self.peek(), Token::End | Token::Fixed(")")) {
            return Err(FormulaError::new(Kind::UnusedLet, start..self.end()));
        }
        self.expect(",")?;
        self.names.push(Name { name, size, level: self.within.len() });
        Ok((name.to_owned(), value))
    }

    fn or(&mut self) -> Result<Item> {
        self.joined("or", Formula::or, Self::and)
    }

    fn and(&mut self) -> Result<Item> {
        self.joined("and", Formula::and, Self::then)
    }

    /// What stands on either side speaks of other stacks than what stands around.
    fn then(&mut self) -> Result<Item> {
        let first = self.not()?;
        if !self.peek_is("then") {
            return Ok(first);
        }
        let span = first.span.clone();
        let high = first.formula()?;
        if let Some(name) = high.free_name() {
            let name = name.to_owned();
            return Err(FormulaError::new(Kind::Outside { name, inside: "then" }, span));
        }
        self.advance();
        self.within.push("then");
        let low = self.nested(Self::then)?.formula()?;
        self.within.pop();
        Ok(Item::of_formula(Formula::Then(high.into(), low.into()), span.start..self.end()))
    }

    fn joined(
        &mut self,
        operator: &str,
        join: fn(Vec<Formula>) -> Formula,
        operand: fn(&mut Self) -> Result<Item>,
    ) -> Result<Item> {
        let first = operand(self)?;
        if !self.peek_is(operator) {
            return Ok(first);
        }
        let start = first.span.start;
        let mut items = vec![first.formula()?];
        while self.eat(operator) {
            items.push(operand(self)?.formula()?);
        }
        Ok(Item::of_formula(join(items), start..self.end()))
    }

    fn not(&mut self) -> Result<Item> {
        let start = self.place();
        if !self.eat("not") {
            return self.chain();
        }
        let inner = self.nested(Self::not)?.formula()?;
        if inner.any(&mut |f| matches!(f, Formula::Span(_))) {
            return Err(FormulaError::new(Kind::NotOverSpan, start));
        }
        Ok(Item::of_formula(Formula::Not(inner.into()), start.start..self.end()))
    }

    fn chain(&mut self) -> Result<Item> {
        let first = self.sum()?;
        let Some(mut relation) = self.relation() else { return Ok(first) };
        let start = first.span.start;
        let mut left = first.term()?.0;
        let mut comparisons = Vec::new();
        loop {
            self.advance();
            let right = self.sum()?.term()?.0;
            comparisons.push(Formula::Compare(left, relation, right.clone()));
            left = right;
            match self.relation() {
                Some(next) => relation = next,
                None => break,
            }
        }
        Ok(Item::of_formula(Formula::and(comparisons), start..self.end()))
    }

    fn relation(&self) -> Option<Relation> {
        match self.peek() {
            Token::Fixed("<") => Some(Relation::Less),
            Token::Fixed("<=") => Some(Relation::AtMost),
            Token::Fixed("=") => Some(Relation::Equal),
            Token::Fixed("!=") => Some(Relation::NotEqual),
            Token::Fixed(">=") => Some(Relation::AtLeast),
            Token::Fixed(">") => Some(Relation::Greater),
            _ => None,
        }
    }

    fn sum(&mut self) -> Result<Item> {
        let start = self.place().start;
        let negative = self.eat("-");
        let first = self.product()?;
        if !negative && !self.peek_is("+") && !self.peek_is("-") {
            return Ok(first);
        }
        let signed = |negative: bool, term| if negative { Term::scale(-1, term) } else { term };
        let (term, mut size) = first.term()?;
        let mut items = vec![signed(negative, term)];
        while self.peek_is("+") || self.peek_is("-") {
            let negative = self.peek_is("-");
            self.advance();
            let (term, more) = self.product()?.term()?;
            items.push(signed(negative, term));
            size = size.saturating_add(more);
        }
        Item::of_term(Term::sum(items), Some(size), start..self.end())
    }

    fn product(&mut self) -> Result<Item> {
        let mut left = self.factor()?;
        let start = left.span.start;
        let mut chained = 0;
        loop {
            if self.eat("*") {
                let (left_term, left_size) = left.term()?;
                let (right_term, right_size) = self.factor()?.term()?;
                let term = match (left_term, right_term) {
                    (Term::Constant(factor), term) | (term, Term::Constant(factor)) => {
                        Term::scale(factor, term)
                    }
                    _ => return Err(FormulaError::new(Kind::Product, start..self.end())),
                };
                left = Item::of_term(term, left_size.checked_mul(right_size), start..self.end())?;
            } else if self.eat("mod") {
                let (term, _) = left.term()?;
                let modulus = self.modulus()?;
                let size = u128::from(modulus) - 1;
                let term = Term::Mod(term.into(), modulus);
                left = Item::of_term(term, Some(size), start..self.end())?;
            } else {
                return Ok(left);
            }
            // Each step may wrap the term once more.
            chained += 1;
            if self.depth + chained > MAX_DEPTH {
                return Err(FormulaError::new(Kind::TooDeep, start..self.end()));
            }
        }
    }

    fn modulus(&mut self) -> Result<u64> {
        let place = self.place();
        let Token::Number(digits) = self.peek() else {
            return Err(FormulaError::new(Kind::Modulus, place));
        };
        self.advance();
        let value = number(digits, place.clone())?;
        if value == 0 || self.starts_factor() {
            return Err(FormulaError::new(Kind::Modulus, place.start..self.place().end));
        }
        Ok(value.unsigned_abs())
    }

    /// Whether a factor may follow a number directly, as in `2a` and `2(a+b)`.
    fn starts_factor(&self) -> bool {
        matches!(self.peek(), Token::Word(_) | Token::Fixed("("))
    }

    fn factor(&mut self) -> Result<Item> {
        let place = self.place();
        match self.peek() {
            Token::Number(digits) => {
                self.advance();
                let value = number(digits, place.clone())?;
                if !self.starts_factor() {
                    let size = Some(value.unsigned_abs().into());
                    return Item::of_term(Term::Constant(value), size, place);
                }
                let (term, size) = self.factor()?.term()?;
                let size = size.checked_mul(value.unsigned_abs().into());
                Item::of_term(Term::scale(value, term), size, place.start..self.end())
            }
            Token::Word(word) => {
                self.advance();
                self.word(word, place)
            }
            Token::Fixed("(") => {
                self.advance();
                let inner = self.list()?;
                self.expect(")")?;
                Ok(Item { what: inner.what, span: place.start..self.end() })
            }
            _ => Err(self.expected(Expected::Operand)),
        }
    }

    fn word(&mut self, word: &'a str, place: Range<usize>) -> Result<Item> {
        let n = self.context.stacks() as u128;
        let tall = u128::from(MAX_HEIGHT);
        let start = place.start;
        match word {
            "min" if !self.peek_is("(") => Item::of_term(Term::Least, Some(tall), place),
            "max" if !self.peek_is("(") => Item::of_term(Term::Greatest, Some(tall), place),
            "total" => Item::of_term(Term::Total, Some(n * tall), place),
            "odds" => Item::of_term(Term::Odds, Some(n), place),
            "true" => Ok(Item::of_formula(Formula::And(Vec::new()), place)),
            "false" => Ok(Item::of_formula(Formula::Or(Vec::new()), place)),
            "min" | "max" | "sum" | "xor" => {
                let (items, sizes): (Vec<_>, Vec<_>) = self.arguments()?.into_iter().unzip();
                let greatest = sizes.iter().copied().max();
                let total = sizes.iter().fold(0, |a: u128, &s| a.saturating_add(s));
                let (term, size) = match word {
                    "min" => (Term::Min(items), greatest),
                    "max" => (Term::Max(items), greatest),
                    "sum" => (Term::sum(items), Some(total)),
                    _ => (Term::Xor(items), greatest.map(|g| (g + 1).next_power_of_two())),
                };
                Item::of_term(term, size, start..self.end())
            }
            "odd" | "even" => {
                self.expect("(")?;
                let (term, _) = self.nested(Self::sum)?.term()?;
                self.expect(")")?;
                let remainder = Term::Constant(i64::from(word == "odd"));
                let parity =
                    Formula::Compare(Term::Mod(term.into(), 2), Relation::Equal, remainder);
                Ok(Item::of_formula(parity, start..self.end()))
            }
            "sym" => {
                let inner = self.inner_formula("sym")?;
                Ok(Item::of_formula(Formula::Sym(inner.into()), start..self.end()))
            }
            "reduced" => {
                if self.context.least_move().is_none() {
                    return Err(FormulaError::new(Kind::NotSlow, place));
                }
                let inner = self.inner_formula("reduced")?;
                Ok(Item::of_formula(Formula::Reduced(inner.into()), start..self.end()))
            }
            "digits" => {
                let inner = self.inner_formula("digits")?;
                Ok(Item::of_formula(Formula::Digits(inner.into()), start..self.end()))
            }
            "span" => {
                let generators = self.generators()?;
                Ok(Item::of_formula(Formula::Span(generators), start..self.end()))
            }
            _ => self.name(word, place),
        }
    }

    fn inner_formula(&mut self, word: &'static str) -> Result<Formula> {
        self.expect("(")?;
        self.within.push(word);
        let inner = self.list()?.formula()?;
        self.within.pop();
        self.expect(")")?;
        Ok(inner)
    }

    /// `( sum or range , ... )`
    fn arguments(&mut self) -> Result<Vec<(Term, u128)>> {
        self.expect("(")?;
        let mut arguments = Vec::new();
        loop {
            if matches!(self.tokens.get(self.next + 1), Some((Token::Fixed(".."), _))) {
                let start = self.place().start;
                let first = self.range_end()?;
                self.expect("..")?;
                let last = self.range_end()?;
                if first > last {
                    return Err(FormulaError::new(Kind::Backwards, start..self.end()));
                }
                arguments.extend((first..=last).map(|s| (Term::Stack(s), MAX_HEIGHT.into())));
            } else {
                arguments.push(self.nested(Self::sum)?.term()?);
            }
            if !self.eat(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(arguments)
    }

    fn range_end(&mut self) -> Result<usize> {
        let place = self.place();
        let Token::Word(word) = self.peek() else { return Err(self.expected(Expected::Stack)) };
        let stack = self.stack(word).ok_or_else(|| self.unknown(word, place))?;
        self.advance();
        Ok(stack)
    }

    /// `( word ... , word ... )` where each word is made of stack letters or is a numbered stack.
    fn generators(&mut self) -> Result<Vec<StackSet>> {
        self.expect("(")?;
        let mut generators = Vec::new();
        while !self.peek_is(")") || !generators.is_empty() {
            let mut set = StackSet::EMPTY;
            loop {
                let place = self.place();
                let Token::Word(word) = self.peek() else {
                    return Err(self.expected(Expected::Stack));
                };
                let words = match is_numbered(word) {
                    true => vec![(word, place)],
                    false => letters(word, place.start),
                };
                for (name, place) in words {
                    let Some(stack) = self.stack(name) else {
                        return Err(self.unknown(name, place));
                    };
                    if set.contains(stack) {
                        return Err(FormulaError::new(Kind::RepeatedStack(name.to_owned()), place));
                    }
                    set = set.with(stack);
                }
                self.advance();
                if !matches!(self.peek(), Token::Word(_)) {
                    break;
                }
            }
            if generators.len() == MAX_GENERATORS {
                return Err(FormulaError::new(Kind::TooManyGenerators, self.place()));
            }
            generators.push(set);
            if !self.eat(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(generators)
    }

    fn name(&mut self, word: &'a str, place: Range<usize>) -> Result<Item> {
        if let Some(stack) = self.stack(word) {
            return Item::of_term(Term::Stack(stack), Some(MAX_HEIGHT.into()), place);
        }
        match self.names.iter().find(|n| n.name == word) {
            Some(known) if known.level < self.within.len() => {
                let inside = self.within[known.level];
                Err(FormulaError::new(Kind::Outside { name: word.to_owned(), inside }, place))
            }
            Some(known) => Item::of_term(Term::Name(word.to_owned()), Some(known.size), place),
            None => Err(self.unknown(word, place)),
        }
    }

    /// The stack with this name, if the game has it.
    fn stack(&self, word: &str) -> Option<usize> {
        let stack = match word.as_bytes() {
            [letter @ b'a'..=b'z'] => usize::from(letter - b'a'),
            _ if is_numbered(word) => word[1..].parse::<usize>().ok()?.checked_sub(1)?,
            _ => return None,
        };
        (stack < self.context.stacks().min(MAX_STACKS)).then_some(stack)
    }

    fn unknown(&self, word: &str, place: Range<usize>) -> FormulaError {
        let name = word.to_owned();
        let kind = if is_numbered(word) || matches!(word.as_bytes(), [b'a'..=b'z']) {
            Kind::NoSuchStack { name, stacks: self.context.stacks() }
        } else {
            let names = self.names.iter().map(|n| n.name);
            let near = names.chain(WORDS).map(|w| (distance(w, word), w));
            let nearest = near.filter(|&(d, w)| d <= 1 + w.len() / 5).min();
            Kind::Unknown { name, nearest: nearest.map(|(_, w)| w.to_owned()) }
        };
        FormulaError::new(kind, place)
    }
}

/// Whether the word is `x` and a number: such words are always stacks.
fn is_numbered(word: &str) -> bool {
    word.len() > 1 && word.starts_with('x') && word[1..].bytes().all(|b| b.is_ascii_digit())
}

/// The single characters of a word with their places.
fn letters(word: &str, start: usize) -> Vec<(&str, Range<usize>)> {
    (0..word.len()).map(|i| (&word[i..=i], start + i..start + i + 1)).collect()
}

fn number(digits: &str, place: Range<usize>) -> Result<i64> {
    digits.parse().map_err(|_| FormulaError::new(Kind::ConstantTooLarge, place))
}

/// How many characters must be changed, added, dropped or swapped with their neighbour to make
/// one word of the other; words longer than 20 are far from everything.
fn distance(from: &str, to: &str) -> usize {
    let (from, to) = (from.as_bytes(), to.as_bytes());
    if from.len().max(to.len()) > 20 {
        return usize::MAX;
    }
    let mut rows = vec![(0..=to.len()).collect::<Vec<_>>()];
    for (i, a) in from.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in to.iter().enumerate() {
            let replaced = rows[i][j] + usize::from(a != b);
            let mut least = replaced.min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && from[i - 1] == *b && *a == to[j - 1] {
                least = least.min(rows[i - 1][j - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[from.len()][to.len()]
}
