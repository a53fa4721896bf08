//! The checker's own reading of a formula: which linear constraints hold where it does.

use crate::flaw::{Budget, Rejection, flaw, require};
use crate::row::Row;
use nimatron_formula::{Formula, Relation, Term};
use nimatron_game::Game;
use nimatron_game::symmetry::Symmetry;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The most symmetries that `sym` may range over.
const MAX_SYMMETRIES: usize = 5_040;

/// The most linear forms within a term, names written out.
const MAX_FORMS: usize = 512;

/// What a number that is written counts, in bytes.
const NUMBER: usize = 16;

/// Linear constraints over the heights and further integers, joined by "and" and "or". It holds at
/// a position if there are such integers.
#[derive(Clone, Debug)]
pub enum Statement {
    /// A constraint.
    Row(Row),
    /// All of them hold.
    All(Vec<Statement>),
    /// Some of them holds.
    Any(Vec<Statement>),
}

/// What the checker reads of a formula, and how many further integers that takes, for those who write it
/// down in other words.
pub fn statement(game: &Game, formula: &Formula) -> Result<(Statement, usize), Rejection> {
    Budget::default().for_formula(|budget| read(formula, game, budget))
}

impl Statement {
    /// The constraints, where of several alternatives the one is taken that the next choice says.
    pub(super) fn chosen<'a>(
        &'a self,
        choices: &mut dyn Iterator<Item = &usize>,
        rows: &mut Vec<&'a Row>,
    ) -> Result<(), Rejection> {
        match self {
            Statement::Row(row) => rows.push(row),
            Statement::All(parts) => {
                for part in parts {
                    part.chosen(choices, rows)?;
                }
            }
            Statement::Any(parts) => {
                let part = choices
                    .next()
                    .and_then(|&k| parts.get(k))
                    .ok_or_else(|| flaw("", "a reference leads nowhere"))?;
                part.chosen(choices, rows)?;
            }
        }
        Ok(())
    }
}

/// The relabellings that `sym` ranges over, in the order of its alternatives; the first is none at all.
pub fn relabellings(game: &Game) -> Result<Vec<Vec<usize>>, Rejection> {
    symmetries(game)
}

/// Where the formula holds, and how many integers beyond the heights that takes.
///
/// Negations are pushed to the comparisons. `sym` has one alternative per symmetry, a comparison
/// with `min` or `max` one constraint or one alternative per item, a span one further integer per
/// vector, a remainder its quotient. Alternatives have their further integers in common.
pub(crate) fn read(
    formula: &Formula,
    game: &Game,
    budget: &mut Budget,
) -> Result<(Statement, usize), Rejection> {
    let stacks = game.stacks();
    let has_sym = formula.any(&mut |part| matches!(part, Formula::Sym(_)));
    let symmetries = if has_sym { symmetries(game)? } else { Vec::new() };
    let mut reader = Reader { stacks, symmetries, next: stacks, budget };
    let scope = Scope { image: (0..stacks).collect(), names: BTreeMap::new() };
    let statement = reader.formula(formula, true, &scope)?;
    Ok((statement, reader.next - stacks))
}

/// The relabellings that `sym` ranges over, sorted: of a single game, all symmetries of its sets;
/// of a sum, the symmetries of one summand after the other.
pub(crate) fn symmetries(game: &Game) -> Result<Vec<Vec<usize>>, Rejection> {
    let mut group: Vec<Vec<usize>> = vec![(0..game.stacks()).collect()];
    for summand in game.summands() {
        let own = Symmetry::of(summand.rule()).elements_up_to(MAX_SYMMETRIES / group.len());
        let (own, first) =
            (own.ok_or_else(|| flaw("limit", "sym has too many cases"))?, summand.stacks().start);
        let mut longer = Vec::new();
        for (image, g) in group.iter().flat_map(|image| own.iter().map(move |g| (image, g))) {
            let mut image = image.clone();
            g.images().enumerate().for_each(|(s, i)| image[first + s] = first + i);
            longer.push(image);
        }
        group = longer;
    }
    group.sort();
    Ok(group)
}

struct Reader<'b> {
    stacks: usize,
    symmetries: Vec<Vec<usize>>,
    /// The next further integer.
    next: usize,
    budget: &'b mut Budget,
}

/// Where the stacks of the formula stand, and what its names mean.
struct Scope {
    image: Vec<usize>,
    names: BTreeMap<String, Rc<Sum>>,
}

/// A linear form plus multiples of minima.
#[derive(Clone)]
struct Sum {
    linear: Row,
    minima: Vec<(i128, Vec<Sum>)>,
    /// How many linear forms there are here and in the minima.
    forms: usize,
}

impl Sum {
    fn linear(linear: Row) -> Sum {
        Sum { linear, minima: Vec::new(), forms: 1 }
    }

    fn plus(mut self, factor: i128, other: &Sum) -> Result<Sum, Rejection> {
        self.forms += other.forms - 1;
        require(self.forms <= MAX_FORMS, "", || "a term has too many parts".into())?;
        self.linear = self.linear.plus(factor, &other.linear)?;
        for (times, items) in &other.minima {
            let times = times.checked_mul(factor);
            let times = times.ok_or_else(|| flaw("", "a number is too large"))?;
            self.minima.push((times, items.clone()));
        }
        Ok(self)
    }
}

impl Reader<'_> {
    /// Where the formula holds or, if not `positive`, fails.
    fn formula(&mut self, f: &Formula, positive: bool, s: &Scope) -> Result<Statement, Rejection> {
        match f {
            Formula::Compare(l, relation, r) => {
                let relation = if positive { *relation } else { relation.negated() };
                self.compare(l, relation, r, s)
            }
            Formula::And(items) => {
                self.join(items, !positive, |reader, item| reader.formula(item, positive, s))
            }
            Formula::Or(items) => {
                self.join(items, positive, |reader, item| reader.formula(item, positive, s))
            }
            Formula::Not(inner) => self.formula(inner, !positive, s),
            Formula::Sym(inner) => {
                let group = self.symmetries.clone();
                self.join(&group, positive, |reader, g| {
                    let image = s.image.iter().map(|&stack| g[stack]).collect();
                    let names = BTreeMap::new();
                    reader.formula(inner, positive, &Scope { image, names })
                })
            }
            Formula::Span(_) if !positive => {
                Err(flaw("", "the formula has a span that is negated"))
            }
            Formula::Span(vectors) => {
                let mut parts = Vec::new();
                let mut rest: Vec<Row> = (0..self.stacks).map(Row::variable).collect();
                for vector in vectors {
                    let times = self.fresh();
                    for stack in *vector {
                        let at = *s
                            .image
                            .get(stack)
                            .ok_or_else(|| flaw("", "there is no such stack"))?;
                        rest[at] = rest[at].clone().plus(-1, &times)?;
                    }
                    parts.push(self.row(times)?);
                }
                for row in rest {
                    parts.push(self.row(Row { equation: true, ..row })?);
                }
                Ok(Statement::All(parts))
            }
            Formula::Reduced(_) => Err(flaw("", "the formula has reduced positions")),
            Formula::Digits(_) | Formula::Then(..) => Err(flaw("", "the formula speaks of digits")),
            Formula::Let(name, value, body) => {
                let mut parts = Vec::new();
                let value = self.term(value, s, &mut parts)?;
                let mut names = s.names.clone();
                names.insert(name.clone(), Rc::new(value));
                let scope = Scope { image: s.image.clone(), names };
                parts.push(self.formula(body, positive, &scope)?);
                Ok(Statement::All(parts))
            }
        }
    }

    /// All items, or any of them: alternatives have their further integers in common.
    fn join<T>(
        &mut self,
        items: &[T],
        any: bool,
        mut read: impl FnMut(&mut Self, &T) -> Result<Statement, Rejection>,
    ) -> Result<Statement, Rejection> {
        let (first, mut last) = (self.next, self.next);
        let mut parts = Vec::new();
        for item in items {
            self.count(self.stacks)?;
            self.next = if any { first } else { self.next };
            parts.push(read(self, item)?);
            last = last.max(self.next);
        }
        self.next = last;
        Ok(if any { Statement::Any(parts) } else { Statement::All(parts) })
    }

    fn fresh(&mut self) -> Row {
        self.next += 1;
        Row::variable(self.next - 1)
    }

    /// Numbers that are written and kept.
    fn count(&mut self, numbers: usize) -> Result<(), Rejection> {
        self.budget.hold(NUMBER * (8 + numbers))
    }

    fn row(&mut self, row: Row) -> Result<Statement, Rejection> {
        self.budget.hold(row.bytes())?;
        Ok(Statement::Row(row))
    }

    /// `l relation r`: an equation is two inequalities, the first that `l >= r`.
    fn compare(
        &mut self,
        l: &Term,
        by: Relation,
        r: &Term,
        s: &Scope,
    ) -> Result<Statement, Rejection> {
        if by == Relation::NotEqual {
            let either = [Relation::Less, Relation::Greater];
            return self.join(&either, true, |reader, &by| reader.compare(l, by, r, s));
        }
        let mut parts = Vec::new();
        let l = self.term(l, s, &mut parts)?;
        let r = self.term(r, s, &mut parts)?;
        let (more, less) = (l.clone().plus(-1, &r)?, r.plus(-1, &l)?);
        let strictly = |sum: Sum| sum.plus(-1, &Sum::linear(Row::constant(1)));
        let sums = match by {
            Relation::AtLeast => vec![more],
            Relation::Greater => vec![strictly(more)?],
            Relation::AtMost => vec![less],
            Relation::Less => vec![strictly(less)?],
            Relation::Equal | Relation::NotEqual => vec![more, less],
        };
        for sum in sums {
            parts.push(self.at_least_zero(sum)?);
        }
        Ok(Statement::All(parts))
    }

    /// Where the sum is at least zero. A minimum counted positively is large enough if all its
    /// items are; counted negatively, it is small enough if one of its items is.
    fn at_least_zero(&mut self, mut sum: Sum) -> Result<Statement, Rejection> {
        self.count((8 + self.stacks) * sum.forms)?;
        let Some((factor, items)) = sum.minima.pop() else { return self.row(sum.linear) };
        sum.forms -= items.iter().map(|item| item.forms).sum::<usize>();
        let mut parts = Vec::new();
        for item in &items {
            parts.push(self.at_least_zero(sum.clone().plus(factor, item)?)?);
        }
        Ok(if factor > 0 { Statement::All(parts) } else { Statement::Any(parts) })
    }

    /// The value of a term; the quotients of remainders come with their conditions in `parts`.
    fn term(&mut self, t: &Term, s: &Scope, parts: &mut Vec<Statement>) -> Result<Sum, Rejection> {
        let stacks = || (0..self.stacks).map(Term::Stack).collect();
        let parities = || (0..self.stacks).map(|s| Term::Mod(Term::Stack(s).into(), 2)).collect();
        let zero = Sum::linear(Row::constant(0));
        match t {
            Term::Total => self.term(&Term::Sum(stacks()), s, parts),
            Term::Odds => self.term(&Term::Sum(parities()), s, parts),
            Term::Least => self.term(&Term::Min(stacks()), s, parts),
            Term::Greatest => self.term(&Term::Max(stacks()), s, parts),
            Term::Constant(c) => Ok(Sum::linear(Row::constant((*c).into()))),
            Term::Stack(stack) => {
                let v = s.image.get(*stack).ok_or_else(|| flaw("", "there is no such stack"))?;
                Ok(Sum::linear(Row::variable(*v)))
            }
            Term::Name(name) => zero
                .plus(1, s.names.get(name).ok_or_else(|| flaw("", "a reference leads nowhere"))?),
            Term::Scale(by, t) => zero.plus((*by).into(), &self.term(t, s, parts)?),
            Term::Sum(items) => {
                items.iter().try_fold(zero, |sum, item| sum.plus(1, &self.term(item, s, parts)?))
            }
            Term::Min(items) | Term::Max(items) => {
                // A maximum is minus the minimum of the items' negatives.
                let sign = if matches!(t, Term::Min(_)) { 1 } else { -1 };
                let (mut sums, mut forms) = (Vec::new(), 1);
                for item in items {
                    let sum = zero.clone().plus(sign, &self.term(item, s, parts)?)?;
                    forms += sum.forms;
                    sums.push(sum);
                }
                require(forms <= MAX_FORMS, "", || "a term has too many parts".into())?;
                Ok(Sum { minima: vec![(sign, sums)], forms, ..zero })
            }
            Term::Xor(_) => Err(flaw("", "the formula has an xor")),
            Term::Mod(t, modulus) => {
                let modulus = i128::from(*modulus);
                let value = self.term(t, s, parts)?;
                let rest = value.plus(-modulus, &Sum::linear(self.fresh()))?;
                let room = Sum::linear(Row::constant(modulus - 1)).plus(-1, &rest)?;
                parts.push(self.at_least_zero(rest.clone())?);
                parts.push(self.at_least_zero(room)?);
                Ok(rest)
            }
        }
    }
}
