//! Formulas as unions of systems of linear constraints.
//!
//! A formula without xor describes a union of *branches*: each is a conjunction of linear
//! equations and inequalities over the integers, in the heights and, where the formula has
//! remainders or spans, in further integer variables. Provers and constructions of winning moves
//! work on branches.
//!
//! Minimum and maximum are resolved by cases, negation is pushed to the comparisons, `sym` becomes
//! one branch per image. `l = min(S)` with `l` among `S` needs no cases at all, which keeps the
//! formulas of the papers small.

use crate::ast::{Formula, Relation, Term};
use std::collections::{BTreeMap, BTreeSet};

/// A linear constraint: the form `coefficients . x + constant` is zero, or at least zero.
///
/// The first variables are the heights, in order; further ones belong to the branch.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Constraint {
    /// One coefficient per variable; missing ones at the end are zero.
    pub coefficients: Vec<i64>,
    /// The constant.
    pub constant: i64,
    /// Whether the form is zero rather than at least zero.
    pub is_equation: bool,
}

/// What a variable beyond the heights stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Extra {
    /// How often a vector of a span is taken: at least zero.
    Coefficient,
    /// The quotient of a division with remainder: any integer.
    Quotient,
}

/// A conjunction of linear constraints over the integers.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Branch {
    /// The constraints, sorted, each once. Heights are understood to be at least zero.
    pub constraints: Vec<Constraint>,
    /// The variables beyond the heights.
    pub extras: Vec<Extra>,
}

/// A formula that has no branches, or too many.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BranchError {
    /// The formula has an xor, which is not linear.
    #[error("xor is not linear")]
    Xor,
    /// The formula speaks of reduced positions of slow games.
    #[error("reduced(..) is not resolved into linear constraints")]
    Reduced,
    /// A negation stands over a span.
    #[error("a span cannot be negated")]
    NegatedSpan,
    /// A name without a `let` around it.
    #[error("`{0}` is not defined")]
    UnknownName(String),
    /// A coefficient or constant exceeds 63 bits.
    #[error("a coefficient is too large")]
    TooLarge,
    /// There are more branches than allowed.
    #[error("the formula has more than {0} branches")]
    TooMany(usize),
}

/// The branches of a formula on `stacks` stacks: it holds exactly where one of them does.
/// `symmetries` lists the group that `sym` ranges over, the identity included.
///
/// ```
/// use nimatron_formula::{Context, Formula, branches};
/// let formula = Formula::parse("a = min, b = c+1 or b < c", &Context::new(3)).unwrap();
/// let found = branches(&formula, 3, &[vec![0, 1, 2]], 100).unwrap();
/// assert_eq!(found.len(), 2);
/// ```
pub fn branches(
    formula: &Formula,
    stacks: usize,
    symmetries: &[Vec<usize>],
    limit: usize,
) -> Result<Vec<Branch>, BranchError> {
    let expander = Expander { stacks, symmetries, limit };
    let identity: Vec<usize> = (0..stacks).collect();
    let found = expander.expand(formula, true, &Scope::new(&identity))?;
    let tidy: BTreeSet<Branch> = found.into_iter().filter_map(Draft::finish).collect();
    Ok(without_contained(tidy))
}

/// Drops branches that repeat another with further constraints.
fn without_contained(all: BTreeSet<Branch>) -> Vec<Branch> {
    let contains = |big: &Branch, small: &Branch| {
        big != small
            && small.extras.is_empty()
            && small.constraints.iter().all(|c| big.constraints.binary_search(c).is_ok())
    };
    let kept = all.iter().filter(|big| !all.iter().any(|small| contains(big, small)));
    kept.cloned().collect()
}

/// A branch in the making: forms map variables to coefficients.
#[derive(Clone, Default, Debug)]
struct Draft {
    constraints: Vec<(Form, bool)>,
    extras: Vec<Extra>,
}

/// A linear form. Further variables are numbered from the number of stacks on.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
struct Form {
    coefficients: BTreeMap<usize, i64>,
    constant: i64,
}

impl Form {
    fn variable(v: usize) -> Form {
        Form { coefficients: BTreeMap::from([(v, 1)]), constant: 0 }
    }

    /// `self + factor * other`.
    fn plus(mut self, factor: i64, other: &Form) -> Result<Form, BranchError> {
        let add = |slot: &mut i64, value: i64| -> Result<(), BranchError> {
            let term = value.checked_mul(factor).and_then(|t| slot.checked_add(t));
            *slot = term.ok_or(BranchError::TooLarge)?;
            Ok(())
        };
        for (&v, &c) in &other.coefficients {
            add(self.coefficients.entry(v).or_insert(0), c)?;
        }
        add(&mut self.constant, other.constant)?;
        self.coefficients.retain(|_, c| *c != 0);
        Ok(self)
    }
}

impl Draft {
    /// Both conjunctions; the second one's further variables are numbered after the first's.
    fn and(&self, other: &Draft, stacks: usize) -> Draft {
        let by = self.extras.len();
        let renumber = |(form, equation): &(Form, bool)| {
            let moved = form.coefficients.iter();
            let moved = moved.map(|(&v, &c)| (if v >= stacks { v + by } else { v }, c));
            (Form { coefficients: moved.collect(), constant: form.constant }, *equation)
        };
        Draft {
            constraints: self
                .constraints
                .iter()
                .cloned()
                .chain(other.constraints.iter().map(renumber))
                .collect(),
            extras: self.extras.iter().chain(&other.extras).copied().collect(),
        }
    }

    /// The branch in normal form, or `None` if a constraint fails by itself.
    fn finish(self) -> Option<Branch> {
        let mut constraints = BTreeSet::new();
        for (form, is_equation) in self.constraints {
            let Form { coefficients, mut constant } = form;
            let divisor = coefficients.values().fold(0, |a, &c| gcd(a, c.unsigned_abs()));
            let Ok(divisor) = i64::try_from(divisor) else { continue };
            if divisor == 0 {
                let holds = if is_equation { constant == 0 } else { constant >= 0 };
                if holds {
                    continue;
                }
                return None;
            }
            if is_equation && constant % divisor != 0 {
                return None;
            }
            constant = constant.div_euclid(divisor);
            let last = coefficients.keys().next_back().map_or(0, |&v| v + 1);
            let mut row = vec![0; last];
            coefficients.iter().for_each(|(&v, &c)| row[v] = c / divisor);
            // An equation and its negative are the same; so are bounds that heights keep anyway.
            if is_equation && row.iter().find(|&&c| c != 0).is_some_and(|&c| c < 0) {
                row.iter_mut().for_each(|c| *c = -*c);
                constant = -constant;
            }
            constraints.insert(Constraint { coefficients: row, constant, is_equation });
        }
        let constraints = constraints.into_iter().collect();
        Some(Branch { constraints, extras: self.extras })
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The names in scope and where each stack of the formula stands.
#[derive(Clone)]
struct Scope<'a> {
    image: &'a [usize],
    names: BTreeMap<String, Term>,
}

impl<'a> Scope<'a> {
    fn new(image: &'a [usize]) -> Self {
        Scope { image, names: BTreeMap::new() }
    }
}

struct Expander<'a> {
    stacks: usize,
    symmetries: &'a [Vec<usize>],
    limit: usize,
}

/// A union of drafts.
type Union = Vec<Draft>;

impl Expander<'_> {
    /// Where the formula holds (`positive`), or fails.
    fn expand(&self, f: &Formula, positive: bool, scope: &Scope) -> Result<Union, BranchError> {
        match f {
            Formula::Compare(l, relation, r) => {
                let relation = if positive { *relation } else { relation.negated() };
                self.compare(l, relation, r, scope)
            }
            Formula::And(items) | Formula::Or(items) => {
                let parts = items.iter().map(|item| self.expand(item, positive, scope));
                let parts = parts.collect::<Result<Vec<_>, _>>()?;
                match matches!(f, Formula::And(_)) == positive {
                    true => self.all(parts),
                    false => self.either(parts),
                }
            }
            Formula::Not(inner) => self.expand(inner, !positive, scope),
            Formula::Sym(inner) => {
                let images: Vec<Vec<usize>> = match self.symmetries {
                    [] => vec![(0..self.stacks).collect()],
                    some => some.to_vec(),
                };
                let mut parts = Vec::new();
                for image in &images {
                    let moved: Vec<usize> = scope.image.iter().map(|&s| image[s]).collect();
                    parts.push(self.expand(inner, positive, &Scope::new(&moved))?);
                }
                if positive { self.either(parts) } else { self.all(parts) }
            }
            Formula::Span(_) if !positive => Err(BranchError::NegatedSpan),
            Formula::Span(vectors) => {
                let mut rest: Vec<Form> = (0..self.stacks).map(Form::variable).collect();
                let mut draft = Draft::default();
                for (i, vector) in vectors.iter().enumerate() {
                    let coefficient = Form::variable(self.stacks + i);
                    for stack in vector.iter() {
                        let at = scope.image[stack];
                        rest[at] = std::mem::take(&mut rest[at]).plus(-1, &coefficient)?;
                    }
                    draft.extras.push(Extra::Coefficient);
                    draft.constraints.push((coefficient, false));
                }
                draft.constraints.extend(rest.into_iter().map(|form| (form, true)));
                Ok(vec![draft])
            }
            Formula::Reduced(_) => Err(BranchError::Reduced),
            Formula::Let(name, value, body) => {
                let value = resolve(value, &scope.names)?;
                let mut inner = scope.clone();
                inner.names.insert(name.clone(), value);
                self.expand(body, positive, &inner)
            }
        }
    }

    fn either(&self, parts: Vec<Union>) -> Result<Union, BranchError> {
        self.bounded(parts.into_iter().flatten().collect())
    }

    fn all(&self, parts: Vec<Union>) -> Result<Union, BranchError> {
        let mut product = vec![Draft::default()];
        for part in parts {
            let pairs = product.iter().flat_map(|a| part.iter().map(|b| a.and(b, self.stacks)));
            product = self.bounded(pairs.collect())?;
        }
        Ok(product)
    }

    fn bounded(&self, union: Union) -> Result<Union, BranchError> {
        match union.len() > self.limit {
            true => Err(BranchError::TooMany(self.limit)),
            false => Ok(union),
        }
    }

    /// `l relation r`, as a union.
    fn compare(
        &self,
        l: &Term,
        relation: Relation,
        r: &Term,
        scope: &Scope,
    ) -> Result<Union, BranchError> {
        if relation == Relation::NotEqual {
            let less = self.compare(l, Relation::Less, r, scope)?;
            return self.either(vec![less, self.compare(l, Relation::Greater, r, scope)?]);
        }
        let l = resolve(l, &scope.names)?;
        let r = resolve(r, &scope.names)?;
        if let Some(choice) = choice_in_remainder(&l).or_else(|| choice_in_remainder(&r)) {
            return self.by_cases(&choice, &l, relation, &r, scope);
        }
        let mut sum = Mixed::default();
        let mut extras = Vec::new();
        let mut side = Vec::new();
        self.collect(&l, 1, scope, &mut sum, &mut extras, &mut side)?;
        self.collect(&r, -1, scope, &mut sum, &mut extras, &mut side)?;
        // Everything is now sum = l - r; bring it to "sum >= 0" or "sum = 0".
        let (sum, is_equation) = match relation {
            Relation::Equal => (sum, true),
            Relation::AtLeast => (sum, false),
            Relation::Greater => (sum.shifted(-1)?, false),
            Relation::AtMost => (sum.negated()?, false),
            Relation::Less => (sum.negated()?.shifted(-1)?, false),
            Relation::NotEqual => unreachable!("split above"),
        };
        let union = self.settle(sum, is_equation)?;
        let side = Draft { constraints: side, extras };
        // The side conditions and the comparison speak of the same further variables.
        let join = |draft: Draft| Draft {
            constraints: draft.constraints.into_iter().chain(side.constraints.clone()).collect(),
            extras: side.extras.clone(),
        };
        Ok(union.into_iter().map(join).collect())
    }

    /// A comparison with a minimum or maximum inside a remainder: one case per item that may be
    /// the one chosen.
    fn by_cases(
        &self,
        choice: &Term,
        l: &Term,
        relation: Relation,
        r: &Term,
        scope: &Scope,
    ) -> Result<Union, BranchError> {
        let (items, bound) = match choice {
            Term::Min(items) => (items.clone(), Relation::AtMost),
            Term::Max(items) => (items.clone(), Relation::AtLeast),
            Term::Least => ((0..self.stacks).map(Term::Stack).collect(), Relation::AtMost),
            _ => ((0..self.stacks).map(Term::Stack).collect::<Vec<_>>(), Relation::AtLeast),
        };
        let mut cases = Vec::new();
        for item in &items {
            let guards = items.iter().filter(|&other| other != item);
            let guards = guards.map(|other| self.compare(item, bound, other, scope));
            let mut parts = guards.collect::<Result<Vec<_>, _>>()?;
            let (l, r) = (replace(l, choice, item), replace(r, choice, item));
            parts.push(self.compare(&l, relation, &r, scope)?);
            cases.push(self.all(parts)?);
        }
        self.either(cases)
    }

    /// Adds `factor * term` to the sum. Remainders get a quotient, with side conditions.
    fn collect(
        &self,
        term: &Term,
        factor: i64,
        scope: &Scope,
        sum: &mut Mixed,
        extras: &mut Vec<Extra>,
        side: &mut Vec<(Form, bool)>,
    ) -> Result<(), BranchError> {
        let all = || (0..self.stacks).map(Term::Stack).collect::<Vec<_>>();
        match term {
            Term::Constant(c) => {
                sum.linear = std::mem::take(&mut sum.linear)
                    .plus(factor, &Form { constant: *c, ..Form::default() })?;
            }
            Term::Stack(s) => {
                let form = Form::variable(scope.image[*s]);
                sum.linear = std::mem::take(&mut sum.linear).plus(factor, &form)?;
            }
            Term::Name(name) => return Err(BranchError::UnknownName(name.clone())),
            Term::Total => {
                for t in all() {
                    self.collect(&t, factor, scope, sum, extras, side)?;
                }
            }
            Term::Odds => {
                for t in all() {
                    let parity = Term::Mod(Box::new(t), 2);
                    self.collect(&parity, factor, scope, sum, extras, side)?;
                }
            }
            Term::Least => {
                self.collect(&Term::Min(all()), factor, scope, sum, extras, side)?;
            }
            Term::Greatest => {
                self.collect(&Term::Max(all()), factor, scope, sum, extras, side)?;
            }
            Term::Sum(terms) => {
                for t in terms {
                    self.collect(t, factor, scope, sum, extras, side)?;
                }
            }
            Term::Scale(by, t) => {
                let factor = factor.checked_mul(*by).ok_or(BranchError::TooLarge)?;
                if factor != 0 {
                    self.collect(t, factor, scope, sum, extras, side)?;
                }
            }
            Term::Min(terms) | Term::Max(terms) => {
                let mut items = Vec::new();
                for t in terms {
                    let mut item = Mixed::default();
                    self.collect(t, 1, scope, &mut item, extras, side)?;
                    items.push(item);
                }
                let least = matches!(term, Term::Min(_));
                sum.choices.push(Selection { factor, least, items });
            }
            Term::Xor(_) => return Err(BranchError::Xor),
            Term::Mod(t, modulus) => {
                let modulus = i64::try_from(*modulus).map_err(|_| BranchError::TooLarge)?;
                let mut inner = Mixed::default();
                self.collect(t, 1, scope, &mut inner, extras, side)?;
                let quotient = Form::variable(self.stacks + extras.len());
                extras.push(Extra::Quotient);
                debug_assert!(inner.choices.is_empty(), "choices in remainders are split before");
                let remainder = inner.linear.plus(-modulus, &quotient)?;
                let top = Form { constant: modulus - 1, ..Form::default() };
                side.push((remainder.clone(), false));
                side.push((top.plus(-1, &remainder)?, false));
                sum.linear = std::mem::take(&mut sum.linear).plus(factor, &remainder)?;
            }
        }
        Ok(())
    }

    /// `sum >= 0` or `sum = 0`, resolving one minimum or maximum after the other.
    fn settle(&self, mut sum: Mixed, is_equation: bool) -> Result<Union, BranchError> {
        let Some(choice) = sum.choices.pop() else {
            let constraints = vec![(sum.linear, is_equation)];
            return Ok(vec![Draft { constraints, extras: Vec::new() }]);
        };
        // The sum is rest + factor * choice. Replacing the choice by any of its items gives an
        // upper bound of the sum (`lowers`), or a lower bound.
        let lowers = choice.least == (choice.factor > 0);
        let with = |item: &Mixed| sum.clone().plus(choice.factor, item);
        if !is_equation {
            let parts = choice.items.iter().map(|item| self.settle(with(item)?, false));
            let parts = parts.collect::<Result<Vec<_>, _>>()?;
            return if lowers { self.all(parts) } else { self.either(parts) };
        }
        // An equation: all items on one side, and one of them exactly.
        let sided = |item: &Mixed| -> Result<Mixed, BranchError> {
            if lowers { with(item) } else { with(item)?.negated() }
        };
        let bounds = choice.items.iter().map(|item| self.settle(sided(item)?, false));
        let bounds = self.all(bounds.collect::<Result<Vec<_>, _>>()?)?;
        let attained = choice.items.iter().map(|item| self.settle(with(item)?, true));
        let attained = attained.collect::<Result<Vec<_>, _>>()?;
        let trivial = |union: &Union| union.iter().any(|d| d.constraints.iter().all(holds_always));
        match attained.iter().any(trivial) {
            true => Ok(bounds),
            false => self.all_same_variables(bounds, attained.into_iter().flatten().collect()),
        }
    }

    /// Both unions, which speak of the same further variables.
    fn all_same_variables(&self, a: Union, b: Union) -> Result<Union, BranchError> {
        let join = |x: &Draft, y: &Draft| Draft {
            constraints: x.constraints.iter().chain(&y.constraints).cloned().collect(),
            extras: Vec::new(),
        };
        self.bounded(a.iter().flat_map(|x| b.iter().map(move |y| join(x, y))).collect())
    }
}

fn holds_always((form, is_equation): &(Form, bool)) -> bool {
    form.coefficients.is_empty()
        && if *is_equation { form.constant == 0 } else { form.constant >= 0 }
}

/// A linear form plus multiples of minima and maxima.
#[derive(Clone, Default, Debug)]
struct Mixed {
    linear: Form,
    choices: Vec<Selection>,
}

/// A multiple of a minimum or maximum.
#[derive(Clone, Debug)]
struct Selection {
    factor: i64,
    least: bool,
    items: Vec<Mixed>,
}

impl Mixed {
    fn plus(mut self, factor: i64, other: &Mixed) -> Result<Mixed, BranchError> {
        self.linear = self.linear.plus(factor, &other.linear)?;
        for choice in &other.choices {
            let factor = factor.checked_mul(choice.factor).ok_or(BranchError::TooLarge)?;
            self.choices.push(Selection { factor, ..choice.clone() });
        }
        Ok(self)
    }

    fn negated(self) -> Result<Mixed, BranchError> {
        Mixed::default().plus(-1, &self)
    }

    fn shifted(mut self, by: i64) -> Result<Mixed, BranchError> {
        self.linear.constant = self.linear.constant.checked_add(by).ok_or(BranchError::TooLarge)?;
        Ok(self)
    }
}

/// The term with all names replaced by what they stand for.
fn resolve(term: &Term, names: &BTreeMap<String, Term>) -> Result<Term, BranchError> {
    let list = |terms: &[Term]| -> Result<Vec<Term>, BranchError> {
        terms.iter().map(|t| resolve(t, names)).collect()
    };
    Ok(match term {
        Term::Name(name) => {
            let found = names.get(name);
            found.cloned().ok_or_else(|| BranchError::UnknownName(name.clone()))?
        }
        Term::Sum(terms) => Term::Sum(list(terms)?),
        Term::Scale(by, t) => Term::Scale(*by, Box::new(resolve(t, names)?)),
        Term::Min(terms) => Term::Min(list(terms)?),
        Term::Max(terms) => Term::Max(list(terms)?),
        Term::Xor(terms) => Term::Xor(list(terms)?),
        Term::Mod(t, m) => Term::Mod(Box::new(resolve(t, names)?), *m),
        other => other.clone(),
    })
}

/// A minimum or maximum inside a remainder, an innermost one.
fn choice_in_remainder(term: &Term) -> Option<Term> {
    match term {
        Term::Mod(t, _) => innermost_choice(t),
        Term::Sum(items) | Term::Min(items) | Term::Max(items) | Term::Xor(items) => {
            items.iter().find_map(choice_in_remainder)
        }
        Term::Scale(_, t) => choice_in_remainder(t),
        _ => None,
    }
}

fn innermost_choice(term: &Term) -> Option<Term> {
    match term {
        Term::Least | Term::Greatest => Some(term.clone()),
        Term::Min(items) | Term::Max(items) => {
            items.iter().find_map(innermost_choice).or_else(|| Some(term.clone()))
        }
        Term::Sum(items) | Term::Xor(items) => items.iter().find_map(innermost_choice),
        Term::Scale(_, t) | Term::Mod(t, _) => innermost_choice(t),
        _ => None,
    }
}

/// The term with every occurrence of `from` replaced.
fn replace(term: &Term, from: &Term, to: &Term) -> Term {
    if term == from {
        return to.clone();
    }
    let list = |items: &[Term]| items.iter().map(|t| replace(t, from, to)).collect();
    match term {
        Term::Sum(items) => Term::Sum(list(items)),
        Term::Min(items) => Term::Min(list(items)),
        Term::Max(items) => Term::Max(list(items)),
        Term::Xor(items) => Term::Xor(list(items)),
        Term::Scale(by, t) => Term::Scale(*by, Box::new(replace(t, from, to))),
        Term::Mod(t, m) => Term::Mod(Box::new(replace(t, from, to)), *m),
        other => other.clone(),
    }
}
