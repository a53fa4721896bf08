//! The checker's own reading of a formula: a union of systems of linear constraints.

use super::linear::Row;
use super::{Branch, Constraint, Form};
use nimatron_formula::{Formula, Relation, Term};
use nimatron_game::Game;
use nimatron_game::symmetry::Symmetry;
use std::collections::{BTreeMap, BTreeSet};

/// The most symmetries that `sym` may range over.
const MAX_SYMMETRIES: usize = 5_040;

/// The most branches.
const MAX_BRANCHES: usize = 50_000;

/// A formula that the checker does not expand.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExpandError {
    /// An xor is not linear.
    #[error("the formula has an xor")]
    Xor,
    /// Reduced positions of slow games.
    #[error("the formula speaks of reduced positions")]
    Reduced,
    /// A span under a negation.
    #[error("a span is negated")]
    NegatedSpan,
    /// A name that is not defined.
    #[error("`{0}` is not defined")]
    UnknownName(String),
    /// A stack that the game does not have.
    #[error("the formula has a stack that the game does not have")]
    NoSuchStack,
    /// A number that does not fit.
    #[error("a number of the formula is too large")]
    TooLarge,
    /// Too many branches or symmetries.
    #[error("the formula has too many cases")]
    TooMany,
}

/// The branches of a formula, in a fixed order.
pub type Expanded = Vec<Branch>;

/// The relabellings that `sym` ranges over: of a single game, all symmetries of its sets; of a
/// sum, the symmetries of one summand after the other.
pub fn symmetries(game: &Game) -> Result<Vec<Vec<usize>>, ExpandError> {
    let mut group: Vec<Vec<usize>> = vec![(0..game.stacks()).collect()];
    for summand in game.summands() {
        let own = Symmetry::of(summand.rule()).elements_up_to(MAX_SYMMETRIES);
        let own = own.ok_or(ExpandError::TooMany)?;
        if group.len() * own.len() > MAX_SYMMETRIES {
            return Err(ExpandError::TooMany);
        }
        let at = summand.stacks();
        let extend = |image: &Vec<usize>| -> Vec<Vec<usize>> {
            let with = |g: &nimatron_game::symmetry::Relabelling| {
                let mut image = image.clone();
                g.images().enumerate().for_each(|(s, i)| image[at.start + s] = at.start + i);
                image
            };
            own.iter().map(with).collect()
        };
        group = group.iter().flat_map(extend).collect();
    }
    group.sort();
    Ok(group)
}

/// The branches of a formula: negations are pushed to the comparisons, `min` and `max` are
/// resolved by cases, `sym` by the images under `symmetries`, a span by one coefficient per
/// vector, a remainder by its quotient.
pub fn expand(
    formula: &Formula,
    stacks: usize,
    symmetries: &[Vec<usize>],
) -> Result<Expanded, ExpandError> {
    let mut expander = Expander { stacks, symmetries, next: stacks };
    let scope = Scope { image: (0..stacks).collect(), names: BTreeMap::new() };
    let cases = expander.formula(formula, true, &scope)?;
    cases.into_iter().map(|case| branch(case, stacks)).collect()
}

/// Constraints that all hold. Variables from the number of stacks on are numbered anew in the
/// end.
type Case = BTreeSet<Row>;
/// At least one of the cases holds.
type Cases = Vec<Case>;

struct Expander<'a> {
    stacks: usize,
    symmetries: &'a [Vec<usize>],
    next: usize,
}

struct Scope {
    image: Vec<usize>,
    names: BTreeMap<String, Term>,
}

/// A linear form plus multiples of minima.
#[derive(Clone)]
struct Sum {
    linear: Row,
    minima: Vec<(i128, Vec<Sum>)>,
}

impl Sum {
    fn constant(c: i128) -> Sum {
        let linear = Row { constant: c, ..Row::zero(0) };
        Sum { linear, minima: Vec::new() }
    }

    fn variable(v: usize) -> Sum {
        Sum { linear: Row::variable(v + 1, v), minima: Vec::new() }
    }

    fn plus(mut self, factor: i128, other: &Sum) -> Result<Sum, ExpandError> {
        self.linear.add(factor, &other.linear).map_err(|_| ExpandError::TooLarge)?;
        for (times, items) in &other.minima {
            let times = times.checked_mul(factor).ok_or(ExpandError::TooLarge)?;
            self.minima.push((times, items.clone()));
        }
        Ok(self)
    }
}

fn any(parts: Vec<Cases>) -> Result<Cases, ExpandError> {
    let cases: BTreeSet<Case> = parts.into_iter().flatten().collect();
    match cases.first() {
        Some(case) if case.is_empty() => Ok(vec![Case::new()]),
        _ if cases.len() > MAX_BRANCHES => Err(ExpandError::TooMany),
        _ => Ok(cases.into_iter().collect()),
    }
}

fn all(parts: Vec<Cases>) -> Result<Cases, ExpandError> {
    let mut product: Cases = vec![Case::new()];
    for part in parts {
        if product.len().saturating_mul(part.len()) > 4 * MAX_BRANCHES {
            return Err(ExpandError::TooMany);
        }
        let join = |a: &Case| part.iter().map(|b| a | b).collect::<Vec<Case>>();
        let joined: BTreeSet<Case> = product.iter().flat_map(join).collect();
        product = joined.into_iter().collect();
    }
    Ok(product)
}

/// Where the sum is at least zero. A minimum counted positively is that large if all its items
/// are; counted negatively, if one of its items is.
fn at_least_zero(mut sum: Sum, stacks: usize) -> Result<Cases, ExpandError> {
    let Some((factor, items)) = sum.minima.pop() else {
        let row = sum.linear;
        let heights_only = row.coefficients.iter().skip(stacks).all(|&c| c == 0);
        let rises = heights_only && row.coefficients.iter().all(|&c| c >= 0);
        let falls = heights_only && row.coefficients.iter().all(|&c| c <= 0);
        // Heights are at least zero.
        return Ok(match row.constant >= 0 {
            true if rises => vec![Case::new()],
            false if falls => vec![],
            _ => vec![Case::from([row])],
        });
    };
    let parts = items.iter().map(|item| at_least_zero(sum.clone().plus(factor, item)?, stacks));
    let parts = parts.collect::<Result<Vec<_>, _>>()?;
    if factor > 0 { all(parts) } else { any(parts) }
}

impl Expander<'_> {
    /// Where the formula holds or, if not `positive`, fails.
    fn formula(&mut self, f: &Formula, positive: bool, s: &Scope) -> Result<Cases, ExpandError> {
        match f {
            Formula::Compare(l, relation, r) => {
                let relation = if positive { *relation } else { relation.negated() };
                self.compare(l, relation, r, s)
            }
            Formula::And(items) | Formula::Or(items) => {
                let parts = items.iter().map(|item| self.formula(item, positive, s));
                let parts = parts.collect::<Result<Vec<_>, _>>()?;
                if matches!(f, Formula::And(_)) == positive { all(parts) } else { any(parts) }
            }
            Formula::Not(inner) => self.formula(inner, !positive, s),
            Formula::Sym(inner) => {
                let mut parts = Vec::new();
                for g in self.symmetries {
                    let image = s.image.iter().map(|&stack| g[stack]).collect();
                    let names = BTreeMap::new();
                    parts.push(self.formula(inner, positive, &Scope { image, names })?);
                }
                if positive { any(parts) } else { all(parts) }
            }
            Formula::Span(_) if !positive => Err(ExpandError::NegatedSpan),
            Formula::Span(vectors) => {
                let mut case = Case::new();
                let mut rest: Vec<Sum> = (0..self.stacks).map(Sum::variable).collect();
                for vector in vectors {
                    let times = self.fresh();
                    for stack in *vector {
                        let at = *s.image.get(stack).ok_or(ExpandError::NoSuchStack)?;
                        rest[at] = rest[at].clone().plus(-1, &times)?;
                    }
                    case.insert(times.linear);
                }
                case.extend(rest.into_iter().map(|sum| Row { equation: true, ..sum.linear }));
                Ok(vec![case])
            }
            Formula::Reduced(_) => Err(ExpandError::Reduced),
            Formula::Let(name, value, body) => {
                let mut names = s.names.clone();
                names.insert(name.clone(), resolve(value, &s.names)?);
                self.formula(body, positive, &Scope { image: s.image.clone(), names })
            }
        }
    }

    fn fresh(&mut self) -> Sum {
        self.next += 1;
        Sum::variable(self.next - 1)
    }

    fn compare(
        &mut self,
        l: &Term,
        by: Relation,
        r: &Term,
        s: &Scope,
    ) -> Result<Cases, ExpandError> {
        if by == Relation::NotEqual {
            let less = self.compare(l, Relation::Less, r, s)?;
            return any(vec![less, self.compare(l, Relation::Greater, r, s)?]);
        }
        let mut side = Vec::new();
        let l = self.term(&resolve(l, &s.names)?, s, &mut side)?;
        let r = self.term(&resolve(r, &s.names)?, s, &mut side)?;
        let (up, down) = (l.clone().plus(-1, &r)?, r.plus(-1, &l)?);
        let strictly = |sum: Sum| sum.plus(-1, &Sum::constant(1));
        let at_least_zero = |sum| at_least_zero(sum, self.stacks);
        let cases = match by {
            Relation::AtLeast => at_least_zero(up)?,
            Relation::Greater => at_least_zero(strictly(up)?)?,
            Relation::AtMost => at_least_zero(down)?,
            Relation::Less => at_least_zero(strictly(down)?)?,
            Relation::Equal | Relation::NotEqual => {
                all(vec![at_least_zero(up)?, at_least_zero(down)?])?
            }
        };
        side.push(cases);
        all(side)
    }

    /// The value of a term; quotients of remainders come with their conditions.
    fn term(&mut self, t: &Term, s: &Scope, side: &mut Vec<Cases>) -> Result<Sum, ExpandError> {
        let stacks: Vec<Term> = (0..self.stacks).map(Term::Stack).collect();
        match t {
            Term::Constant(c) => Ok(Sum::constant((*c).into())),
            Term::Stack(stack) => {
                s.image.get(*stack).map(|&v| Sum::variable(v)).ok_or(ExpandError::NoSuchStack)
            }
            Term::Name(name) => Err(ExpandError::UnknownName(name.clone())),
            Term::Total => self.sum(&stacks, s, side),
            Term::Odds => {
                let parity = |t: &Term| Term::Mod(Box::new(t.clone()), 2);
                self.sum(&stacks.iter().map(parity).collect::<Vec<_>>(), s, side)
            }
            Term::Least => self.least(&stacks, 1, s, side),
            Term::Greatest => self.least(&stacks, -1, s, side),
            Term::Sum(items) => self.sum(items, s, side),
            Term::Scale(by, t) => Sum::constant(0).plus((*by).into(), &self.term(t, s, side)?),
            Term::Min(items) => self.least(items, 1, s, side),
            Term::Max(items) => self.least(items, -1, s, side),
            Term::Xor(_) => Err(ExpandError::Xor),
            Term::Mod(t, modulus) => {
                let modulus = i128::from(*modulus);
                let value = self.term(t, s, side)?;
                let quotient = self.fresh();
                let rest = value.plus(-modulus, &quotient)?;
                side.push(at_least_zero(rest.clone(), self.stacks)?);
                let room = Sum::constant(modulus - 1).plus(-1, &rest)?;
                side.push(at_least_zero(room, self.stacks)?);
                Ok(rest)
            }
        }
    }

    fn sum(&mut self, t: &[Term], s: &Scope, side: &mut Vec<Cases>) -> Result<Sum, ExpandError> {
        let mut sum = Sum::constant(0);
        for item in t {
            sum = sum.plus(1, &self.term(item, s, side)?)?;
        }
        Ok(sum)
    }

    /// `sign` times the minimum of the items times `sign`: their maximum if the sign is -1.
    fn least(
        &mut self,
        items: &[Term],
        sign: i128,
        s: &Scope,
        side: &mut Vec<Cases>,
    ) -> Result<Sum, ExpandError> {
        let mut sums = Vec::new();
        for item in items {
            sums.push(Sum::constant(0).plus(sign, &self.term(item, s, side)?)?);
        }
        Ok(Sum { minima: vec![(sign, sums)], ..Sum::constant(0) })
    }
}

/// The term with names replaced by what they stand for.
fn resolve(term: &Term, names: &BTreeMap<String, Term>) -> Result<Term, ExpandError> {
    let list = |items: &[Term]| -> Result<Vec<Term>, ExpandError> {
        items.iter().map(|t| resolve(t, names)).collect()
    };
    Ok(match term {
        Term::Name(name) => {
            let value = names.get(name).cloned();
            value.ok_or_else(|| ExpandError::UnknownName(name.clone()))?
        }
        Term::Sum(items) => Term::Sum(list(items)?),
        Term::Scale(by, t) => Term::Scale(*by, resolve(t, names)?.into()),
        Term::Min(items) => Term::Min(list(items)?),
        Term::Max(items) => Term::Max(list(items)?),
        Term::Xor(items) => Term::Xor(list(items)?),
        Term::Mod(t, modulus) => Term::Mod(resolve(t, names)?.into(), *modulus),
        other => other.clone(),
    })
}

/// The case with its further variables numbered from the number of stacks on.
fn branch(case: Case, stacks: usize) -> Result<Branch, ExpandError> {
    let used = |row: &Row| {
        let terms = row.coefficients.iter().enumerate();
        terms.filter(|&(v, &c)| v >= stacks && c != 0).map(|(v, _)| v).collect::<Vec<_>>()
    };
    let extras: BTreeSet<usize> = case.iter().flat_map(used).collect();
    let number: BTreeMap<usize, usize> = extras.into_iter().zip(stacks..).collect();
    let narrow = |c: i128| i64::try_from(c).map_err(|_| ExpandError::TooLarge);
    let constraint = |row: &Row| {
        let mut form = Form(narrow(row.constant)?, Vec::new());
        for (v, &c) in row.coefficients.iter().enumerate().filter(|&(_, &c)| c != 0) {
            form.1.push((*number.get(&v).unwrap_or(&v), narrow(c)?));
        }
        Ok(Constraint { form, equation: row.equation })
    };
    let constraints = case.iter().map(constraint).collect::<Result<_, _>>()?;
    Ok(Branch { extras: number.len(), constraints })
}
