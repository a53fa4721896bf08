//! The formula as the certificate speaks of it: constraints joined by "and" and "or", in the order
//! in which the formula names them.
//!
//! Proofs refer to alternatives and constraints by number, so the order matters: it is that of
//! [`nimatron_verify::regions`]. Equations of the formula are two inequalities.

use super::Unsupported;
use super::problem::Piece;
use super::row::{Limit, Row};
use crate::lp::Overflow;
use nimatron_formula::{BranchError, Formula, Relation, Term};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// At most so many ways through the alternatives are listed.
const MAX_WAYS: usize = 50_000;

/// At most so many constraints, and integers beyond the heights: no more than the checker reads.
const MAX_ROWS: usize = 1 << 18;
const MAX_EXTRAS: usize = 256;

/// What holds where the formula does.
#[derive(Clone, Debug)]
pub(crate) enum Statement {
    Limit(Limit),
    All(Vec<Statement>),
    Any(Vec<Statement>),
}

impl Statement {
    /// Whether it holds wherever the heights are at least zero, as can be seen at once.
    pub(crate) fn evident(&self, stacks: usize) -> bool {
        match self {
            Statement::Limit((row, equation)) => !equation && row.evident(stacks),
            Statement::All(parts) => parts.iter().all(|part| part.evident(stacks)),
            Statement::Any(parts) => parts.iter().any(|part| part.evident(stacks)),
        }
    }
}

/// A way through the alternatives, and the constraints on it.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    pub(crate) choices: Vec<usize>,
    pub(crate) piece: Piece,
}

/// The statement of a formula, and how many integers it needs beyond the heights.
pub(crate) fn statement(
    formula: &Formula,
    stacks: usize,
    symmetries: &[Vec<usize>],
) -> Result<(Statement, usize), Unsupported> {
    let mut writer = Writer { stacks, symmetries, used: 0, rows: 0 };
    let identity: Vec<usize> = (0..stacks).collect();
    let statement = writer.formula(formula, true, &identity, &BTreeMap::new())?;
    Ok((statement, writer.used))
}

/// The ways through a statement, without those that repeat others or evidently lead nowhere.
pub(crate) fn ways(
    statement: &Statement,
    stacks: usize,
    extras: usize,
) -> Result<Vec<Way>, Unsupported> {
    let found = through(statement, stacks)?;
    let mut seen = HashSet::new();
    let mut ways = Vec::new();
    for (choices, limits) in found {
        let set: BTreeSet<&Limit> = limits.iter().collect();
        let set: Vec<Limit> = set.into_iter().cloned().collect();
        if seen.insert(set) {
            ways.push(Way { choices, piece: Piece { limits, extras } });
        }
    }
    Ok(ways)
}

type Found = Vec<(Vec<usize>, Vec<Limit>)>;

fn through(statement: &Statement, stacks: usize) -> Result<Found, Unsupported> {
    match statement {
        Statement::Limit((row, equation)) => {
            let only_heights = row.c.len() <= stacks;
            let falls = only_heights && row.k < 0 && row.c.iter().all(|&c| c <= 0);
            Ok(match falls && !equation {
                true => Vec::new(),
                false => vec![(Vec::new(), vec![(row.clone(), *equation)])],
            })
        }
        Statement::All(parts) => {
            let mut found: Found = vec![(Vec::new(), Vec::new())];
            for part in parts {
                let more = through(part, stacks)?;
                if found.len().saturating_mul(more.len()) > MAX_WAYS {
                    return Err(Unsupported::Branches(BranchError::TooMany(MAX_WAYS)));
                }
                let both = |(choices, limits): &(Vec<usize>, Vec<Limit>)| {
                    let join = |(c, l): &(Vec<usize>, Vec<Limit>)| {
                        ([&choices[..], c].concat(), [&limits[..], l].concat())
                    };
                    more.iter().map(join).collect::<Found>()
                };
                found = found.iter().flat_map(both).collect();
            }
            Ok(found)
        }
        Statement::Any(parts) => {
            let mut found = Found::new();
            for (number, part) in parts.iter().enumerate() {
                let here = through(part, stacks)?.into_iter();
                let here =
                    here.map(|(choices, limits)| ([&[number], &choices[..]].concat(), limits));
                let here: Found = here.collect();
                let trivial = |way: &(Vec<usize>, Vec<Limit>)| {
                    way.1.iter().all(|(row, equation)| !equation && row.evident(stacks))
                };
                // Where one alternative always holds the others are not needed.
                if let Some(way) = here.iter().find(|way| trivial(way)) {
                    return Ok(vec![way.clone()]);
                }
                found.extend(here);
                if found.len() > MAX_WAYS {
                    return Err(Unsupported::Branches(BranchError::TooMany(MAX_WAYS)));
                }
            }
            Ok(found)
        }
    }
}

/// The value of a term: a form, and multiples of the least or greatest of some values.
#[derive(Clone, Default)]
struct Value {
    form: Row,
    extremes: Vec<Extreme>,
}

#[derive(Clone)]
struct Extreme {
    times: i64,
    least: bool,
    items: Vec<Value>,
}

impl Value {
    fn form(form: Row) -> Value {
        Value { form, extremes: Vec::new() }
    }

    fn add(&mut self, times: i64, other: &Value) -> Result<(), Unsupported> {
        self.form = self.form.combine(1, &other.form, times).map_err(too_large)?;
        for extreme in &other.extremes {
            let times = extreme.times.checked_mul(times);
            let times = times.ok_or(Unsupported::Branches(BranchError::TooLarge))?;
            self.extremes.push(Extreme { times, ..extreme.clone() });
        }
        Ok(())
    }
}

fn too_large(_: Overflow) -> Unsupported {
    Unsupported::Branches(BranchError::TooLarge)
}

type Names = BTreeMap<String, Value>;

struct Writer<'a> {
    stacks: usize,
    symmetries: &'a [Vec<usize>],
    /// Integers beyond the heights in use.
    used: usize,
    rows: usize,
}

impl Writer<'_> {
    fn formula(
        &mut self,
        f: &Formula,
        holds: bool,
        image: &[usize],
        names: &Names,
    ) -> Result<Statement, Unsupported> {
        let refused = |error| Err(Unsupported::Branches(error));
        match f {
            Formula::Not(inner) => self.formula(inner, !holds, image, names),
            Formula::And(items) | Formula::Or(items) => {
                let all = matches!(f, Formula::And(_)) == holds;
                self.list(items, all, |writer, item| writer.formula(item, holds, image, names))
            }
            Formula::Sym(inner) => self.list(self.symmetries, !holds, |writer, g| {
                let moved: Vec<usize> = image.iter().map(|&s| g[s]).collect();
                writer.formula(inner, holds, &moved, &Names::new())
            }),
            Formula::Compare(l, relation, r) => {
                let relation = if holds { *relation } else { relation.negated() };
                self.compare(l, relation, r, image, names)
            }
            Formula::Span(_) if !holds => refused(BranchError::NegatedSpan),
            Formula::Span(vectors) => {
                let times: Vec<usize> = vectors.iter().map(|_| self.integer()).collect();
                let mut parts = Vec::new();
                for &v in &times {
                    parts.push(self.limit(Row::variable(v), false)?);
                }
                for stack in 0..self.stacks {
                    let mut row = Row::variable(stack);
                    for (vector, &v) in vectors.iter().zip(&times) {
                        if vector.iter().any(|s| image[s] == stack) {
                            row = row.combine(1, &Row::variable(v), -1).map_err(too_large)?;
                        }
                    }
                    parts.push(self.limit(row, true)?);
                }
                Ok(Statement::All(parts))
            }
            Formula::Reduced(_) => refused(BranchError::Reduced),
            Formula::Let(name, value, body) => {
                let mut parts = Vec::new();
                let value = self.term(value, image, names, &mut parts)?;
                let mut inner = names.clone();
                inner.insert(name.clone(), value);
                parts.push(self.formula(body, holds, image, &inner)?);
                Ok(Statement::All(parts))
            }
        }
    }

    /// Alternatives use the same integers: at most one of them is looked at.
    fn list<T>(
        &mut self,
        items: &[T],
        all: bool,
        write: impl Fn(&mut Self, &T) -> Result<Statement, Unsupported>,
    ) -> Result<Statement, Unsupported> {
        let start = self.used;
        let mut parts = Vec::new();
        let mut most = start;
        for item in items {
            if !all {
                self.used = start;
            }
            parts.push(write(self, item)?);
            most = most.max(self.used);
        }
        self.used = most;
        Ok(if all { Statement::All(parts) } else { Statement::Any(parts) })
    }

    fn integer(&mut self) -> usize {
        self.used += 1;
        self.stacks + self.used - 1
    }

    fn limit(&mut self, row: Row, equation: bool) -> Result<Statement, Unsupported> {
        self.rows += 1;
        match self.rows > MAX_ROWS || self.used > MAX_EXTRAS {
            true => Err(Unsupported::Branches(BranchError::TooMany(MAX_ROWS))),
            false => Ok(Statement::Limit((row, equation))),
        }
    }

    fn compare(
        &mut self,
        l: &Term,
        relation: Relation,
        r: &Term,
        image: &[usize],
        names: &Names,
    ) -> Result<Statement, Unsupported> {
        if relation == Relation::NotEqual {
            return self.list(&[Relation::Less, Relation::Greater], false, |writer, &relation| {
                writer.compare(l, relation, r, image, names)
            });
        }
        let mut parts = Vec::new();
        let l = self.term(l, image, names, &mut parts)?;
        let r = self.term(r, image, names, &mut parts)?;
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
            more.add(-by, &Value::form(Row::constant(1)))?;
            parts.push(self.non_negative(more)?);
        }
        Ok(Statement::All(parts))
    }

    /// The last minimum or maximum is resolved first.
    fn non_negative(&mut self, mut value: Value) -> Result<Statement, Unsupported> {
        let Some(Extreme { times, least, items }) = value.extremes.pop() else {
            return self.limit(value.form, false);
        };
        let mut parts = Vec::new();
        for item in &items {
            let mut with = value.clone();
            with.add(times, item)?;
            parts.push(self.non_negative(with)?);
        }
        let all = if least { times > 0 } else { times < 0 };
        Ok(if all { Statement::All(parts) } else { Statement::Any(parts) })
    }

    fn term(
        &mut self,
        t: &Term,
        image: &[usize],
        names: &Names,
        parts: &mut Vec<Statement>,
    ) -> Result<Value, Unsupported> {
        let stacks = || (0..self.stacks).map(Term::Stack).collect::<Vec<_>>();
        let rewritten = match t {
            Term::Total => Term::Sum(stacks()),
            Term::Odds => {
                Term::Sum(stacks().into_iter().map(|s| Term::Mod(Box::new(s), 2)).collect())
            }
            Term::Least => Term::Min(stacks()),
            Term::Greatest => Term::Max(stacks()),
            other => other.clone(),
        };
        let mut value = Value::default();
        match rewritten {
            Term::Constant(c) => value.form = Row::constant(c),
            Term::Stack(stack) => value.form = Row::variable(image[stack]),
            Term::Name(name) => {
                let known = names.get(&name).cloned();
                value = known.ok_or(Unsupported::Branches(BranchError::UnknownName(name)))?;
            }
            Term::Sum(items) => {
                for item in &items {
                    let item = self.term(item, image, names, parts)?;
                    value.add(1, &item)?;
                }
            }
            Term::Scale(times, inner) => {
                let inner = self.term(&inner, image, names, parts)?;
                value.add(times, &inner)?;
            }
            Term::Min(ref list) | Term::Max(ref list) => {
                let mut items = Vec::new();
                for item in list {
                    items.push(self.term(item, image, names, parts)?);
                }
                let least = matches!(rewritten, Term::Min(_));
                value.extremes.push(Extreme { times: 1, least, items });
            }
            Term::Mod(inner, modulus) => {
                let modulus = i64::try_from(modulus)
                    .map_err(|_| Unsupported::Branches(BranchError::TooLarge))?;
                value = self.term(&inner, image, names, parts)?;
                let quotient = self.integer();
                value.add(-modulus, &Value::form(Row::variable(quotient)))?;
                let mut room = Value::form(Row::constant(modulus - 1));
                room.add(-1, &value)?;
                parts.push(self.non_negative(value.clone())?);
                parts.push(self.non_negative(room)?);
            }
            _ => return Err(Unsupported::Branches(BranchError::Xor)),
        }
        Ok(value)
    }
}
