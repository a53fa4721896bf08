//! Formulas and terms: what the text means, and nothing about how it was written.

use nimatron_game::StackSet;

/// A set of positions: those for which the formula holds.
///
/// The parser and the constructors ([`Formula::and`], [`Formula::or`]) keep two normal forms on
/// which [`Display`](std::fmt::Display) and equality rely: a conjunction holds no conjunction
/// and never exactly one item, and likewise for disjunctions. A chain `a = b < c` is the
/// conjunction of its comparisons.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Formula {
    /// A comparison of two terms. `odd(t)` is `t mod 2 = 1`, `even(t)` is `t mod 2 = 0`.
    Compare(Term, Relation, Term),
    /// All of these hold; without items, `true`.
    And(Vec<Formula>),
    /// At least one of these holds; without items, `false`.
    Or(Vec<Formula>),
    /// This does not hold. Never stands over [`Formula::Span`].
    Not(Box<Formula>),
    /// `sym(F)`: some relabelling of the stacks by a symmetry of the game satisfies `F`.
    Sym(Box<Formula>),
    /// `span(ad, be)`: the position is a sum of these 0/1 vectors, each taken any number of
    /// times.
    Span(Vec<StackSet>),
    /// `reduced(F)`: `F` holds once the tokens that no play of a slow game can remove are gone
    /// ([`nimatron_game::slow`]).
    Reduced(Box<Formula>),
    /// `digits(F)`: `F` holds in every binary place, that is, for the digits of all heights there as
    /// heights of 0 and 1. There are zeros in front, so that `F` has to hold where all stacks are
    /// empty.
    Digits(Box<Formula>),
    /// `F then G`: the binary digits can be cut at some place, the same for all stacks, so that `F`
    /// holds for the heights made of the digits before it and `G` for those made of the digits
    /// after it.
    Then(Box<Formula>, Box<Formula>),
    /// `let name = value, body`. The name is visible in the body, but not inside a `sym`,
    /// `reduced`, `digits` or `then` there, where the stacks are other ones.
    Let(String, Term, Box<Formula>),
}

/// An integer that depends on the position.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Term {
    /// A number. Never `i64::MIN`.
    Constant(i64),
    /// The height of a stack, numbered from 0.
    Stack(usize),
    /// What a `let` around it has defined.
    Name(String),
    /// `total`: the sum of all heights.
    Total,
    /// `odds`: how many stacks are odd.
    Odds,
    /// `min` alone: the least height.
    Least,
    /// `max` alone: the greatest height.
    Greatest,
    /// A sum; `a-b` is the sum of `a` and `-1` times `b`. Holds no sum, and at least two
    /// items.
    Sum(Vec<Term>),
    /// An integer multiple.
    Scale(i64, Box<Term>),
    /// The least of several terms.
    Min(Vec<Term>),
    /// The greatest of several terms.
    Max(Vec<Term>),
    /// The bitwise exclusive or of several terms; negative ones count as in two's complement.
    Xor(Vec<Term>),
    /// The remainder after division by a positive number, from 0 to that number less one also
    /// for negative terms.
    Mod(Box<Term>, u64),
}

/// How two terms are compared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `>=`
    AtLeast,
    /// `>`
    Greater,
}

impl Relation {
    /// Whether the relation holds between two numbers.
    ///
    /// ```
    /// use nimatron_formula::Relation;
    /// assert!(Relation::AtMost.holds(3, 3) && !Relation::NotEqual.holds(3, 3));
    /// ```
    pub fn holds<T: Ord>(self, left: T, right: T) -> bool {
        match self {
            Relation::Less => left < right,
            Relation::AtMost => left <= right,
            Relation::Equal => left == right,
            Relation::NotEqual => left != right,
            Relation::AtLeast => left >= right,
            Relation::Greater => left > right,
        }
    }

    /// The relation that holds exactly when this one does not.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Relation::Less => Relation::AtLeast,
            Relation::AtMost => Relation::Greater,
            Relation::Equal => Relation::NotEqual,
            Relation::NotEqual => Relation::Equal,
            Relation::AtLeast => Relation::Less,
            Relation::Greater => Relation::AtMost,
        }
    }
}

impl Formula {
    /// The conjunction, in normal form.
    pub fn and(items: impl IntoIterator<Item = Formula>) -> Self {
        let mut flat = Vec::new();
        for item in items {
            match item {
                Formula::And(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        if flat.len() == 1 { flat.remove(0) } else { Formula::And(flat) }
    }

    /// The disjunction, in normal form.
    pub fn or(items: impl IntoIterator<Item = Formula>) -> Self {
        let mut flat = Vec::new();
        for item in items {
            match item {
                Formula::Or(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        if flat.len() == 1 { flat.remove(0) } else { Formula::Or(flat) }
    }

    /// The formula with every stack `s` renamed to `image[s]`, a permutation of all stacks: it
    /// holds at a position `q` exactly when `self` holds at the `p` with `p[s] = q[image[s]]`.
    ///
    /// # Panics
    /// If a stack has no image.
    #[must_use]
    pub fn relabel(&self, image: &[usize]) -> Self {
        let all = |items: &[Formula]| items.iter().map(|f| f.relabel(image)).collect();
        match self {
            Formula::Compare(left, relation, right) => {
                Formula::Compare(left.relabel(image), *relation, right.relabel(image))
            }
            Formula::And(items) => Formula::And(all(items)),
            Formula::Or(items) => Formula::Or(all(items)),
            Formula::Not(inner) => Formula::Not(inner.relabel(image).into()),
            Formula::Sym(inner) => Formula::Sym(inner.relabel(image).into()),
            Formula::Span(sets) => Formula::Span(sets.iter().map(|s| s.relabel(image)).collect()),
            Formula::Reduced(inner) => Formula::Reduced(inner.relabel(image).into()),
            Formula::Digits(inner) => Formula::Digits(inner.relabel(image).into()),
            Formula::Then(high, low) => {
                Formula::Then(high.relabel(image).into(), low.relabel(image).into())
            }
            Formula::Let(name, value, body) => {
                Formula::Let(name.clone(), value.relabel(image), body.relabel(image).into())
            }
        }
    }

    /// Whether some part of the formula, itself included, satisfies the predicate.
    pub fn any(&self, predicate: &mut dyn FnMut(&Formula) -> bool) -> bool {
        predicate(self)
            || match self {
                Formula::And(items) | Formula::Or(items) => items.iter().any(|f| f.any(predicate)),
                Formula::Not(f)
                | Formula::Sym(f)
                | Formula::Reduced(f)
                | Formula::Digits(f)
                | Formula::Let(_, _, f) => f.any(predicate),
                Formula::Then(high, low) => high.any(predicate) || low.any(predicate),
                Formula::Compare(..) | Formula::Span(_) => false,
            }
    }
}

impl Formula {
    /// A name that occurs in the formula and is not defined there, if there is one.
    pub(crate) fn free_name(&self) -> Option<&str> {
        fn within<'a>(formula: &'a Formula, known: &mut Vec<&'a str>) -> Option<&'a str> {
            let free = |term: &'a Term, known: &[&str]| term.name(&|name| !known.contains(&name));
            match formula {
                Formula::Compare(left, _, right) => {
                    free(left, known).or_else(|| free(right, known))
                }
                Formula::And(items) | Formula::Or(items) => {
                    items.iter().find_map(|item| within(item, known))
                }
                Formula::Not(f) | Formula::Sym(f) | Formula::Reduced(f) | Formula::Digits(f) => {
                    within(f, known)
                }
                Formula::Then(high, low) => within(high, known).or_else(|| within(low, known)),
                Formula::Let(name, value, body) => free(value, known).or_else(|| {
                    known.push(name);
                    let found = within(body, known);
                    known.pop();
                    found
                }),
                Formula::Span(_) => None,
            }
        }
        within(self, &mut Vec::new())
    }
}

impl Term {
    /// A name in the term that satisfies the test.
    fn name(&self, test: &dyn Fn(&str) -> bool) -> Option<&str> {
        match self {
            Term::Name(name) => Some(name.as_str()).filter(|name| test(name)),
            Term::Sum(items) | Term::Min(items) | Term::Max(items) | Term::Xor(items) => {
                items.iter().find_map(|item| item.name(test))
            }
            Term::Scale(_, inner) | Term::Mod(inner, _) => inner.name(test),
            _ => None,
        }
    }

    /// The sum, in normal form.
    pub fn sum(items: impl IntoIterator<Item = Term>) -> Self {
        let mut flat = Vec::new();
        for item in items {
            match item {
                Term::Sum(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        match flat.len() {
            0 => Term::Constant(0),
            1 => flat.remove(0),
            _ => Term::Sum(flat),
        }
    }

    /// The multiple; constants and multiples are multiplied out where the product fits.
    pub fn scale(factor: i64, term: Term) -> Self {
        let product = |c: i64| factor.checked_mul(c).filter(|&p| p != i64::MIN);
        match term {
            term if factor == 1 => term,
            Term::Constant(c) if product(c).is_some() => Term::Constant(factor * c),
            Term::Scale(inner, term) if product(inner).is_some() => {
                Term::scale(factor * inner, *term)
            }
            term => Term::Scale(factor, Box::new(term)),
        }
    }

    /// The term with every stack `s` renamed to `image[s]`, a permutation of all stacks.
    ///
    /// # Panics
    /// If a stack has no image.
    #[must_use]
    pub fn relabel(&self, image: &[usize]) -> Self {
        let all = |items: &[Term]| items.iter().map(|t| t.relabel(image)).collect();
        match self {
            Term::Stack(stack) => Term::Stack(image[*stack]),
            Term::Sum(items) => Term::Sum(all(items)),
            Term::Scale(factor, term) => Term::Scale(*factor, term.relabel(image).into()),
            Term::Min(items) => Term::Min(all(items)),
            Term::Max(items) => Term::Max(all(items)),
            Term::Xor(items) => Term::Xor(all(items)),
            Term::Mod(term, modulus) => Term::Mod(term.relabel(image).into(), *modulus),
            Term::Constant(_) | Term::Name(_) => self.clone(),
            Term::Total | Term::Odds | Term::Least | Term::Greatest => self.clone(),
        }
    }
}
