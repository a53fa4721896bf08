//! From formulas to conditions in normal form.

use super::digits::Digits;
use super::graph::{Combination, Condition, Graph, Literal};
use super::project::{Inequality, project};
use super::{CompileError, Symmetries};
use nimatron_formula::{Context, Formula, Relation, Term};
use nimatron_game::StackSet;
use nimatron_linear::echelon::combinations;
use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::sync::Arc;

/// How many conditions and values a formula may have once its images are written out.
const MAX_NODES: usize = 1 << 20;

/// How many symmetries `sym` will go through.
const MAX_SYMMETRIES: usize = 1 << 20;

/// Lowers formulas into one graph.
pub(crate) struct Lowering<'a> {
    pub(crate) graph: Graph,
    context: Context,
    symmetries: &'a dyn Symmetries,
    /// What each `sym` became. The symmetries are a group, so it is the same under every image.
    closed: HashMap<(*const Formula, bool, bool), Literal>,
}

/// What the words of a formula mean at some place in it.
struct Scope<'a, 'n> {
    /// The stacks, relabelled.
    image: &'a [usize],
    /// Whether stacks stand for reduced heights.
    reduced: bool,
    names: Vec<(&'n str, Combination)>,
}

impl<'a> Lowering<'a> {
    /// `reduced` says whether the formulas speak of reduced heights.
    pub(crate) fn new(context: &Context, symmetries: &'a dyn Symmetries, reduced: bool) -> Self {
        let graph = Graph::new(context.stacks(), reduced);
        Lowering { graph, context: *context, symmetries, closed: HashMap::new() }
    }

    /// The formula with its stacks relabelled by `image`.
    pub(crate) fn lower(
        &mut self,
        formula: &Formula,
        image: &[usize],
    ) -> Result<Literal, CompileError> {
        if !is_permutation(image, self.context.stacks()) {
            return Err(CompileError::NotAPermutation(image.to_vec()));
        }
        let mut scope = Scope { image, reduced: false, names: Vec::new() };
        self.formula(formula, &mut scope, true)
    }

    /// The formula, or its negation if not `positive`.
    fn formula<'n>(
        &mut self,
        formula: &'n Formula,
        scope: &mut Scope<'_, 'n>,
        positive: bool,
    ) -> Result<Literal, CompileError> {
        match formula {
            Formula::Compare(left, relation, right) => {
                let relation = if positive { *relation } else { relation.negated() };
                self.compare(left, relation, right, scope)
            }
            Formula::And(items) | Formula::Or(items) => {
                let all = matches!(formula, Formula::And(_)) == positive;
                let mut literals = Vec::with_capacity(items.len());
                for item in items {
                    literals.push(self.formula(item, scope, positive)?);
                }
                Ok(self.graph.join(literals, all))
            }
            Formula::Not(inner) => self.formula(inner, scope, !positive),
            Formula::Sym(inner) => self.sym(inner, scope.reduced, positive),
            Formula::Reduced(inner) => {
                if self.context.least_move().is_none() {
                    return Err(CompileError::NotSlow);
                }
                let mut inside = Scope { image: scope.image, reduced: true, names: Vec::new() };
                self.formula(inner, &mut inside, positive)
            }
            Formula::Span(generators) => self.span(generators, scope, positive),
            Formula::Digits(_) | Formula::Then(..) => {
                let what =
                    Digits::new(formula.relabel(scope.image), &self.context, self.symmetries)?;
                let condition = Condition::Digits { what: Arc::new(what), reduced: scope.reduced };
                Ok(self.graph.condition(condition).is(positive))
            }
            Formula::Let(name, value, body) => {
                let value = self.term(value, scope)?;
                scope.names.push((name, value));
                let literal = self.formula(body, scope, positive);
                scope.names.pop();
                literal
            }
        }
    }

    fn compare(
        &mut self,
        left: &Term,
        relation: Relation,
        right: &Term,
        scope: &Scope<'_, '_>,
    ) -> Result<Literal, CompileError> {
        let left = self.term(left, scope)?;
        let right = self.term(right, scope)?;
        let (greater, less, gap) = match relation {
            Relation::Equal | Relation::NotEqual | Relation::AtLeast => (left, right, 0),
            Relation::Greater => (left, right, 1),
            Relation::AtMost => (right, left, 0),
            Relation::Less => (right, left, 1),
        };
        let difference =
            greater.plus(-1, &less).and_then(|d| d.plus(-gap, &Combination::constant(1)));
        let difference = difference.ok_or(CompileError::TermTooLarge)?;
        match relation {
            Relation::Equal => self.graph.zero(difference),
            Relation::NotEqual => Ok(self.graph.zero(difference)?.is(false)),
            _ => self.graph.non_negative(difference),
        }
    }

    fn sym(
        &mut self,
        inner: &Formula,
        reduced: bool,
        positive: bool,
    ) -> Result<Literal, CompileError> {
        let key = (std::ptr::from_ref(inner), reduced, positive);
        if let Some(&known) = self.closed.get(&key) {
            return Ok(known);
        }
        let n = self.context.stacks();
        let symmetries = self.symmetries;
        let mut images = BTreeSet::new();
        let mut seen = 0;
        let mut failed = None;
        let mut visit = |image: &[usize]| {
            seen += 1;
            let result = if !is_permutation(image, n) {
                Err(CompileError::NotAPermutation(image.to_vec()))
            } else if seen > MAX_SYMMETRIES
                || self.graph.values.len() + self.graph.conditions.len() > MAX_NODES
            {
                Err(CompileError::TooManyImages)
            } else {
                let mut scope = Scope { image, reduced, names: Vec::new() };
                self.formula(inner, &mut scope, positive)
            };
            match result {
                Ok(literal) => {
                    images.insert(literal);
                    ControlFlow::Continue(())
                }
                Err(error) => {
                    failed = Some(error);
                    ControlFlow::Break(())
                }
            }
        };
        let identity: Vec<usize> = (0..n).collect();
        if visit(&identity).is_continue() {
            let _ = symmetries.each(&mut visit);
        }
        if let Some(error) = failed {
            return Err(error);
        }
        let literal = self.graph.join(images.into_iter().collect(), !positive);
        self.closed.insert(key, literal);
        Ok(literal)
    }

    fn span(
        &mut self,
        generators: &[StackSet],
        scope: &Scope<'_, '_>,
        positive: bool,
    ) -> Result<Literal, CompileError> {
        let n = self.context.stacks();
        if generators.iter().any(|g| !g.is_subset(StackSet::first(n))) {
            return Err(CompileError::NoSuchStack);
        }
        let mut generators: Vec<_> = generators.iter().map(|g| g.relabel(scope.image)).collect();
        generators.sort_unstable();
        generators.dedup();
        generators.retain(|g| !g.is_empty());
        let reduced = scope.reduced;
        let literal = match self.linear_span(&generators, reduced)? {
            Some(literal) => literal,
            None => self.graph.condition(Condition::Span { generators, reduced }),
        };
        Ok(if positive { literal } else { self.negate(literal) })
    }

    /// Membership in a span as a condition on linear forms, if that is not too long.
    fn linear_span(
        &mut self,
        generators: &[StackSet],
        reduced: bool,
    ) -> Result<Option<Literal>, CompileError> {
        let n = self.context.stacks();
        let vector = |g: &StackSet| (0..n).map(|s| i128::from(g.contains(s))).collect();
        let vectors: Vec<Vec<i128>> = generators.iter().map(vector).collect();
        let Ok(solution) = combinations(n, &vectors) else { return Ok(None) };
        let offset = if reduced { n as u32 } else { 0 };
        let form = |coefficients: &Vec<i128>| {
            let terms = coefficients.iter().enumerate().filter(|(_, c)| **c != 0);
            let terms = terms.map(|(i, &c)| (i as u32 + offset, c)).collect();
            Combination { terms, constant: 0 }
        };
        let denominator = i128::from(solution.divisor);
        let coefficients = solution.coefficients.into_iter();
        let inequalities = coefficients
            .map(|(f, free)| Inequality { form: form(&f), denominator, free })
            .collect();
        let Some(solvable) = project(&mut self.graph, inequalities)? else { return Ok(None) };
        let mut literals = vec![solvable];
        for f in &solution.zero {
            literals.push(self.graph.zero(form(f))?);
        }
        for f in &solution.multiple {
            let remainder = self.graph.modulo(form(f), solution.divisor)?;
            literals.push(self.graph.zero(remainder)?);
        }
        Ok(Some(self.graph.join(literals, true)))
    }

    fn negate(&mut self, literal: Literal) -> Literal {
        let (items, all) = match &self.graph.conditions[literal.condition as usize] {
            Condition::And(items) => (items.clone(), true),
            Condition::Or(items) => (items.clone(), false),
            _ => return literal.is(false),
        };
        let negated = items.into_iter().map(|item| self.negate(item)).collect();
        self.graph.join(negated, !all)
    }

    fn term(&mut self, term: &Term, scope: &Scope<'_, '_>) -> Result<Combination, CompileError> {
        let n = self.context.stacks();
        let stack = |s: usize| Combination::value((s + if scope.reduced { n } else { 0 }) as u32);
        match term {
            Term::Constant(c) => Ok(Combination::constant((*c).into())),
            Term::Stack(s) if *s >= n => Err(CompileError::NoSuchStack),
            Term::Stack(s) => Ok(stack(scope.image[*s])),
            Term::Name(name) => {
                let known = scope.names.iter().rev().find(|(known, _)| known == name);
                known.map(|(_, form)| form.clone()).ok_or(CompileError::UnknownName(name.clone()))
            }
            Term::Total => add((0..n).map(stack)),
            Term::Odds => Ok(self.graph.odds(scope.reduced)),
            Term::Least => self.graph.extreme((0..n).map(stack).collect(), true),
            Term::Greatest => self.graph.extreme((0..n).map(stack).collect(), false),
            Term::Sum(items) => add(self.terms(items, scope)?),
            Term::Scale(factor, inner) => {
                let inner = self.term(inner, scope)?;
                let scaled = Combination::constant(0).plus((*factor).into(), &inner);
                scaled.ok_or(CompileError::TermTooLarge)
            }
            Term::Min(items) | Term::Max(items) => {
                let forms = self.terms(items, scope)?;
                self.graph.extreme(forms, matches!(term, Term::Min(_)))
            }
            Term::Xor(items) => {
                let forms = self.terms(items, scope)?;
                self.graph.xor(forms)
            }
            Term::Mod(_, 0) => Err(CompileError::TermTooLarge),
            Term::Mod(inner, modulus) => {
                let inner = self.term(inner, scope)?;
                self.graph.modulo(inner, *modulus)
            }
        }
    }

    fn terms(
        &mut self,
        items: &[Term],
        scope: &Scope<'_, '_>,
    ) -> Result<Vec<Combination>, CompileError> {
        items.iter().map(|item| self.term(item, scope)).collect()
    }
}

fn add(forms: impl IntoIterator<Item = Combination>) -> Result<Combination, CompileError> {
    let mut sum = Combination::constant(0);
    for form in forms {
        sum = sum.plus(1, &form).ok_or(CompileError::TermTooLarge)?;
    }
    Ok(sum)
}

fn is_permutation(image: &[usize], n: usize) -> bool {
    let mut seen = vec![false; n];
    image.len() == n && image.iter().all(|&s| s < n && !std::mem::replace(&mut seen[s], true))
}
