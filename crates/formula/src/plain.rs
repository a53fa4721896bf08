//! The same formula in fewer words.

use crate::ast::{Formula, Term};
use std::collections::HashMap;

/// How many terms a formula may have once its names are written out.
const MAX_TERMS: usize = 1 << 16;

/// A formula that grows too large when its names are replaced by what they stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the formula has more than {MAX_TERMS} terms once its names are written out")]
pub struct TooManyTerms;

impl Formula {
    /// The formula without `let`, `total`, `odds` and bare `min` and `max`, for a game with this
    /// many stacks: what is left is built from stacks, numbers, sums, multiples, minima, maxima,
    /// exclusive ors and remainders alone. Provers and checkers start from here.
    ///
    /// ```
    /// use nimatron_formula::{Context, Formula};
    /// let formula = Formula::parse("let m = a+min, 2m = total, odds > 0", &Context::new(2));
    /// let plain = formula.unwrap().plain(2).unwrap();
    /// assert_eq!(plain.to_string(), "2*(a+min(a,b)) = a+b, a mod 2+b mod 2 > 0");
    /// ```
    pub fn plain(&self, stacks: usize) -> Result<Formula, TooManyTerms> {
        Plain { stacks, terms: 0 }.formula(self, &mut HashMap::new())
    }
}

struct Plain {
    stacks: usize,
    terms: usize,
}

/// What the names stand for.
type Names<'a> = HashMap<&'a str, Term>;

impl Plain {
    fn formula<'a>(
        &mut self,
        formula: &'a Formula,
        names: &mut Names<'a>,
    ) -> Result<Formula, TooManyTerms> {
        Ok(match formula {
            Formula::Compare(left, relation, right) => {
                Formula::Compare(self.term(left, names)?, *relation, self.term(right, names)?)
            }
            Formula::And(items) => Formula::and(self.formulas(items, names)?),
            Formula::Or(items) => Formula::or(self.formulas(items, names)?),
            Formula::Not(inner) => Formula::Not(self.formula(inner, names)?.into()),
            Formula::Sym(inner) => Formula::Sym(self.formula(inner, &mut Names::new())?.into()),
            Formula::Reduced(inner) => {
                Formula::Reduced(self.formula(inner, &mut Names::new())?.into())
            }
            Formula::Digits(inner) => {
                Formula::Digits(self.formula(inner, &mut Names::new())?.into())
            }
            Formula::Then(high, low) => {
                let high = self.formula(high, &mut Names::new())?;
                Formula::Then(high.into(), self.formula(low, &mut Names::new())?.into())
            }
            Formula::Span(generators) => Formula::Span(generators.clone()),
            Formula::Let(name, value, body) => {
                let value = self.term(value, names)?;
                let hidden = names.insert(name, value);
                let body = self.formula(body, names)?;
                match hidden {
                    Some(value) => names.insert(name, value),
                    None => names.remove(name.as_str()),
                };
                body
            }
        })
    }

    fn formulas<'a>(
        &mut self,
        items: &'a [Formula],
        names: &mut Names<'a>,
    ) -> Result<Vec<Formula>, TooManyTerms> {
        items.iter().map(|item| self.formula(item, names)).collect()
    }

    fn term(&mut self, term: &Term, names: &Names<'_>) -> Result<Term, TooManyTerms> {
        let stacks = 0..self.stacks;
        let plain = match term {
            Term::Name(name) => match names.get(name.as_str()) {
                Some(value) => {
                    self.count(size(value))?;
                    value.clone()
                }
                None => term.clone(),
            },
            Term::Total => Term::sum(stacks.map(Term::Stack)),
            Term::Odds => Term::sum(stacks.map(|s| Term::Mod(Term::Stack(s).into(), 2))),
            Term::Least => Term::Min(stacks.map(Term::Stack).collect()),
            Term::Greatest => Term::Max(stacks.map(Term::Stack).collect()),
            Term::Sum(items) => Term::sum(self.terms(items, names)?),
            Term::Min(items) => Term::Min(self.terms(items, names)?),
            Term::Max(items) => Term::Max(self.terms(items, names)?),
            Term::Xor(items) => Term::Xor(self.terms(items, names)?),
            Term::Scale(factor, inner) => Term::scale(*factor, self.term(inner, names)?),
            Term::Mod(inner, modulus) => Term::Mod(self.term(inner, names)?.into(), *modulus),
            Term::Constant(_) | Term::Stack(_) => term.clone(),
        };
        self.count(1)?;
        Ok(plain)
    }

    fn terms(&mut self, items: &[Term], names: &Names<'_>) -> Result<Vec<Term>, TooManyTerms> {
        items.iter().map(|item| self.term(item, names)).collect()
    }

    fn count(&mut self, more: usize) -> Result<(), TooManyTerms> {
        self.terms += more;
        if self.terms > MAX_TERMS { Err(TooManyTerms) } else { Ok(()) }
    }
}

/// How many terms a term consists of.
fn size(term: &Term) -> usize {
    match term {
        Term::Sum(items) | Term::Min(items) | Term::Max(items) | Term::Xor(items) => {
            1 + items.iter().map(size).sum::<usize>()
        }
        Term::Scale(_, inner) | Term::Mod(inner, _) => 1 + size(inner),
        _ => 1,
    }
}
