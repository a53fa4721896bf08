//! What a formula says, in linear constraints.
//!
//! A formula without xor becomes constraints on the heights and, where it has remainders or spans, on
//! further integers, joined by "and" and "or" in the order in which the formula names them. Negation is
//! pushed to the comparisons, minimum and maximum become alternatives, `sym` one alternative per
//! symmetry. An equation of the formula is two inequalities, so that `l = min(S)` needs no cases if
//! `l` is among `S`; those of a span stay equations.
//!
//! Certificates refer to alternatives and constraints by number, so the order is part of their format:
//! it is that of the checker, which reads formulas by itself.

use nimatron_formula::{Formula, Relation, Term};
use nimatron_linear::{Constraint, Form, Overflow};
use std::collections::BTreeMap;

/// At most so many constraints, and integers beyond the heights: no more than the checker reads.
const MAX_CONSTRAINTS: usize = 1 << 18;
const MAX_INTEGERS: usize = 256;

/// What a formula says.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The heights are the first variables.
    pub stacks: usize,
    /// How many further integers there are: the formula holds where some values of them satisfy the
    /// clause.
    pub integers: usize,
    /// The constraints.
    pub clause: Clause,
}

/// Constraints joined by "and" and "or".
#[derive(Clone, Debug)]
pub enum Clause {
    /// A constraint.
    Constraint(Constraint),
    /// All parts hold.
    All(Vec<Clause>),
    /// One of the alternatives holds. They use the same further integers, for only one of them is
    /// looked at.
    Any(Vec<Clause>),
}

/// A formula that is no union of linear systems, or of too many.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BranchError {
    /// The formula has an xor, which is not linear.
    #[error("xor is not linear")]
    Xor,
    /// The formula speaks of reduced positions of slow games.
    #[error("reduced(..) is not resolved into linear constraints")]
    Reduced,
    /// The formula speaks of binary digits.
    #[error("binary digits are not linear")]
    Digits,
    /// A negation stands over a span.
    #[error("a span cannot be negated")]
    NegatedSpan,
    /// A name without a `let` around it.
    #[error("`{0}` is not defined")]
    UnknownName(String),
    /// A coefficient or constant exceeds 60 bits.
    #[error("a coefficient is too large")]
    TooLarge,
    /// There are more constraints, or further integers, than allowed.
    #[error(
        "the formula has more than {MAX_CONSTRAINTS} constraints, or {MAX_INTEGERS} integers besides the heights"
    )]
    TooLong,
    /// There are more branches than allowed.
    #[error("the formula has more than {0} branches")]
    TooMany(usize),
}

impl From<Overflow> for BranchError {
    fn from(_: Overflow) -> Self {
        BranchError::TooLarge
    }
}

impl Statement {
    /// What a formula on `stacks` stacks says. `symmetries` lists the group that `sym` ranges over,
    /// the identity included; without any, `sym` has no effect.
    pub fn new(
        formula: &Formula,
        stacks: usize,
        symmetries: &[Vec<usize>],
    ) -> Result<Statement, BranchError> {
        let identity: Vec<usize> = (0..stacks).collect();
        let alone = [identity.clone()];
        let symmetries = if symmetries.is_empty() { &alone } else { symmetries };
        let mut writer = Writer { stacks, symmetries, integers: 0, constraints: 0 };
        let scope = Scope { image: &identity, names: BTreeMap::new() };
        let clause = writer.formula(formula, true, &scope)?;
        Ok(Statement { stacks, integers: writer.integers, clause })
    }
}

impl Clause {
    /// Whether it holds wherever the heights are at least zero, as can be seen at once.
    pub fn evident(&self, stacks: usize) -> bool {
        match self {
            Clause::Constraint(constraint) => constraint.evident(stacks),
            Clause::All(parts) => parts.iter().all(|part| part.evident(stacks)),
            Clause::Any(parts) => parts.iter().any(|part| part.evident(stacks)),
        }
    }
}

/// The value of a term: a form, and multiples of the least or greatest of some values.
#[derive(Clone, Default)]
struct Value {
    form: Form,
    extremes: Vec<Extreme>,
}

#[derive(Clone)]
struct Extreme {
    times: i64,
    least: bool,
    items: Vec<Value>,
}

impl From<Form> for Value {
    fn from(form: Form) -> Value {
        Value { form, extremes: Vec::new() }
    }
}

impl Value {
    fn add(&mut self, times: i64, other: &Value) -> Result<(), Overflow> {
        self.form = self.form.combine(1, &other.form, times)?;
        for extreme in &other.extremes {
            let times = extreme.times.checked_mul(times).ok_or(Overflow)?;
            self.extremes.push(Extreme { times, ..extreme.clone() });
        }
        Ok(())
    }
}

/// What the words of a formula mean at some place in it.
#[derive(Clone)]
struct Scope<'a> {
    /// Where each stack stands.
    image: &'a [usize],
    names: BTreeMap<String, Value>,
}

struct Writer<'a> {
    stacks: usize,
    symmetries: &'a [Vec<usize>],
    /// Integers beyond the heights in use.
    integers: usize,
    constraints: usize,
}

impl Writer<'_> {
    /// That the formula holds, or that it does not.
    fn formula(&mut self, f: &Formula, holds: bool, scope: &Scope) -> Result<Clause, BranchError> {
        match f {
            Formula::Compare(l, relation, r) => {
                let relation = if holds { *relation } else { relation.negated() };
                self.compare(l, relation, r, scope)
            }
            Formula::And(items) | Formula::Or(items) => {
                let all = matches!(f, Formula::And(_)) == holds;
                self.list(items, all, |writer, item| writer.formula(item, holds, scope))
            }
            Formula::Not(inner) => self.formula(inner, !holds, scope),
            Formula::Sym(inner) => self.list(self.symmetries, !holds, |writer, symmetry| {
                let image: Vec<usize> = scope.image.iter().map(|&s| symmetry[s]).collect();
                writer.formula(inner, holds, &Scope { image: &image, names: BTreeMap::new() })
            }),
            Formula::Span(_) if !holds => Err(BranchError::NegatedSpan),
            Formula::Span(vectors) => {
                let times: Vec<usize> = vectors.iter().map(|_| self.integer()).collect();
                let mut parts = Vec::new();
                for &v in &times {
                    parts.push(self.constraint(Form::variable(v), false)?);
                }
                for stack in 0..self.stacks {
                    let mut form = Form::variable(stack);
                    for (vector, &v) in vectors.iter().zip(&times) {
                        if vector.iter().any(|s| scope.image[s] == stack) {
                            form = form.combine(1, &Form::variable(v), -1)?;
                        }
                    }
                    parts.push(self.constraint(form, true)?);
                }
                Ok(Clause::All(parts))
            }
            Formula::Reduced(_) => Err(BranchError::Reduced),
            Formula::Digits(_) | Formula::Then(..) => Err(BranchError::Digits),
            Formula::Let(name, value, body) => {
                let mut parts = Vec::new();
                let value = self.term(value, scope, &mut parts)?;
                let mut inner = scope.clone();
                inner.names.insert(name.clone(), value);
                parts.push(self.formula(body, holds, &inner)?);
                Ok(Clause::All(parts))
            }
        }
    }

    fn list<T>(
        &mut self,
        items: &[T],
        all: bool,
        write: impl Fn(&mut Self, &T) -> Result<Clause, BranchError>,
    ) -> Result<Clause, BranchError> {
        let start = self.integers;
        let mut parts = Vec::new();
        let mut most = start;
        for item in items {
            if !all {
                self.integers = start;
            }
            parts.push(write(self, item)?);
            most = most.max(self.integers);
        }
        self.integers = most;
        Ok(if all { Clause::All(parts) } else { Clause::Any(parts) })
    }

    /// A further integer, by its variable.
    fn integer(&mut self) -> usize {
        self.integers += 1;
        self.stacks + self.integers - 1
    }

    fn constraint(&mut self, form: Form, equation: bool) -> Result<Clause, BranchError> {
        self.constraints += 1;
        match self.constraints > MAX_CONSTRAINTS || self.integers > MAX_INTEGERS {
            true => Err(BranchError::TooLong),
            false => Ok(Clause::Constraint(Constraint { form, equation })),
        }
    }

    fn compare(
        &mut self,
        l: &Term,
        relation: Relation,
        r: &Term,
        scope: &Scope,
    ) -> Result<Clause, BranchError> {
        if relation == Relation::NotEqual {
            return self.list(&[Relation::Less, Relation::Greater], false, |writer, &relation| {
                writer.compare(l, relation, r, scope)
            });
        }
        let mut parts = Vec::new();
        let l = self.term(l, scope, &mut parts)?;
        let r = self.term(r, scope, &mut parts)?;
        // Which side exceeds the other, and by how much.
        let bounds: &[(bool, i64)] = match relation {
            Relation::AtLeast => &[(true, 0)],
            Relation::Greater => &[(true, 1)],
            Relation::AtMost => &[(false, 0)],
            Relation::Less => &[(false, 1)],
            Relation::Equal | Relation::NotEqual => &[(true, 0), (false, 0)],
        };
        for &(left, by) in bounds {
            let (mut more, less) = if left { (l.clone(), &r) } else { (r.clone(), &l) };
            more.add(-1, less)?;
            more.form = more.form.plus(-by)?;
            parts.push(self.non_negative(more)?);
        }
        Ok(Clause::All(parts))
    }

    /// The last minimum or maximum is resolved first.
    fn non_negative(&mut self, mut value: Value) -> Result<Clause, BranchError> {
        let Some(Extreme { times, least, items }) = value.extremes.pop() else {
            return self.constraint(value.form, false);
        };
        let mut parts = Vec::new();
        for item in &items {
            let mut with = value.clone();
            with.add(times, item)?;
            parts.push(self.non_negative(with)?);
        }
        let all = if least { times > 0 } else { times < 0 };
        Ok(if all { Clause::All(parts) } else { Clause::Any(parts) })
    }

    /// The value of a term. Remainders bring integers, whose constraints are added to the parts.
    fn term(
        &mut self,
        t: &Term,
        scope: &Scope,
        parts: &mut Vec<Clause>,
    ) -> Result<Value, BranchError> {
        let stacks = || (0..self.stacks).map(Term::Stack);
        let mut value = Value::default();
        match t {
            Term::Constant(c) => value.form = Form::number(*c),
            Term::Stack(stack) => value.form = Form::variable(scope.image[*stack]),
            Term::Name(name) => {
                let known = scope.names.get(name).cloned();
                value = known.ok_or_else(|| BranchError::UnknownName(name.clone()))?;
            }
            Term::Total => return self.term(&Term::Sum(stacks().collect()), scope, parts),
            Term::Odds => {
                let parities = stacks().map(|stack| Term::Mod(Box::new(stack), 2));
                return self.term(&Term::Sum(parities.collect()), scope, parts);
            }
            Term::Least => return self.term(&Term::Min(stacks().collect()), scope, parts),
            Term::Greatest => return self.term(&Term::Max(stacks().collect()), scope, parts),
            Term::Sum(items) => {
                for item in items {
                    let item = self.term(item, scope, parts)?;
                    value.add(1, &item)?;
                }
            }
            Term::Scale(times, inner) => {
                let inner = self.term(inner, scope, parts)?;
                value.add(*times, &inner)?;
            }
            Term::Min(list) | Term::Max(list) => {
                let mut items = Vec::new();
                for item in list {
                    items.push(self.term(item, scope, parts)?);
                }
                let least = matches!(t, Term::Min(_));
                value.extremes.push(Extreme { times: 1, least, items });
            }
            Term::Xor(_) => return Err(BranchError::Xor),
            Term::Mod(inner, modulus) => {
                let modulus = i64::try_from(*modulus).map_err(|_| BranchError::TooLarge)?;
                value = self.term(inner, scope, parts)?;
                let quotient = self.integer();
                value.add(-modulus, &Form::variable(quotient).into())?;
                let mut room = Value::from(Form::number(modulus - 1));
                room.add(-1, &value)?;
                parts.push(self.non_negative(value.clone())?);
                parts.push(self.non_negative(room)?);
            }
        }
        Ok(value)
    }
}
