//! Writing formulas for papers.

use crate::ast::{Formula, Relation, Term};
use crate::print::{Binding, chain_length, needs_parentheses, parity};
use nimatron_game::StackSet;

impl Formula {
    /// The formula in LaTeX, for math mode. What mathematics has no sign for are macros whose names begin with
    /// `\nim`; a style file defines them.
    ///
    /// ```
    /// use nimatron_formula::{Context, Formula};
    /// let formula = Formula::parse("a <= 2b, xor(a,c) = 0 or c = min", &Context::new(3)).unwrap();
    /// assert_eq!(
    ///     formula.to_latex(),
    ///     r"a \le 2b,\; a \oplus c = 0 \;\text{or}\; c = \nimmin{}",
    /// );
    /// assert!(formula.spelled_out(3).to_latex().ends_with(r"c = \min(a, b, c)"));
    /// ```
    pub fn to_latex(&self) -> String {
        let mut text = String::new();
        write_formula(self, Binding::List, &mut text);
        text
    }

    /// The formula for `n` stacks without `min` and `max` of all of them: the stacks are named.
    #[must_use]
    pub fn spelled_out(&self, n: usize) -> Formula {
        let each = |items: &[Formula]| items.iter().map(|f| f.spelled_out(n)).collect();
        let one = |inner: &Formula| Box::new(inner.spelled_out(n));
        match self {
            Formula::Compare(left, relation, right) => {
                Formula::Compare(left.spelled_out(n), *relation, right.spelled_out(n))
            }
            Formula::And(items) => Formula::And(each(items)),
            Formula::Or(items) => Formula::Or(each(items)),
            Formula::Not(inner) => Formula::Not(one(inner)),
            Formula::Sym(inner) => Formula::Sym(one(inner)),
            Formula::Reduced(inner) => Formula::Reduced(one(inner)),
            Formula::Digits(inner) => Formula::Digits(one(inner)),
            Formula::Then(high, low) => Formula::Then(one(high), one(low)),
            Formula::Let(name, value, body) => {
                Formula::Let(name.clone(), value.spelled_out(n), one(body))
            }
            Formula::Span(_) => self.clone(),
        }
    }
}

impl Term {
    /// The term for `n` stacks without `min` and `max` of all of them.
    fn spelled_out(&self, n: usize) -> Term {
        let all = || (0..n).map(Term::Stack).collect();
        let each = |items: &[Term]| items.iter().map(|t| t.spelled_out(n)).collect();
        match self {
            Term::Least => Term::Min(all()),
            Term::Greatest => Term::Max(all()),
            Term::Sum(items) => Term::Sum(each(items)),
            Term::Min(items) => Term::Min(each(items)),
            Term::Max(items) => Term::Max(each(items)),
            Term::Xor(items) => Term::Xor(each(items)),
            Term::Scale(factor, term) => Term::Scale(*factor, term.spelled_out(n).into()),
            Term::Mod(term, modulus) => Term::Mod(term.spelled_out(n).into(), *modulus),
            Term::Constant(_) | Term::Stack(_) | Term::Name(_) | Term::Total | Term::Odds => {
                self.clone()
            }
        }
    }

    /// The term in LaTeX, for math mode.
    pub fn to_latex(&self) -> String {
        let list = |items: &[Term]| items.iter().map(Term::to_latex).collect::<Vec<_>>().join(", ");
        match self {
            Term::Constant(c) => c.to_string(),
            Term::Stack(stack @ 0..26) => ((b'a' + *stack as u8) as char).to_string(),
            Term::Stack(stack) => format!("x_{{{}}}", stack + 1),
            Term::Name(name) if name.len() == 1 => name.clone(),
            Term::Name(name) => format!(r"\mathit{{{}}}", name.replace('_', r"\_")),
            Term::Total => r"\Sigma".to_owned(),
            Term::Odds => r"\nimodds{}".to_owned(),
            Term::Least => r"\nimmin{}".to_owned(),
            Term::Greatest => r"\nimmax{}".to_owned(),
            Term::Sum(items) => {
                let mut text = String::new();
                for item in items {
                    let item = item.to_latex();
                    let sign = if text.is_empty() || item.starts_with('-') { "" } else { "+" };
                    text = text + sign + &item;
                }
                text
            }
            Term::Scale(factor, term) => {
                let factor = if *factor == -1 { "-".to_owned() } else { factor.to_string() };
                match &**term {
                    Term::Sum(_) | Term::Scale(..) | Term::Constant(_) | Term::Mod(..) => {
                        format!("{factor}({})", term.to_latex())
                    }
                    Term::Xor(_) => format!("{factor}({})", term.to_latex()),
                    _ => factor + &term.to_latex(),
                }
            }
            Term::Min(items) => format!(r"\min({})", list(items)),
            Term::Max(items) => format!(r"\max({})", list(items)),
            Term::Xor(items) => {
                let operand = |t: &Term| match t {
                    Term::Sum(_) | Term::Mod(..) | Term::Xor(_) => format!("({})", t.to_latex()),
                    _ => t.to_latex(),
                };
                items.iter().map(operand).collect::<Vec<_>>().join(r" \oplus ")
            }
            Term::Mod(term, modulus) => match &**term {
                Term::Sum(_) | Term::Xor(_) | Term::Mod(..) => {
                    format!(r"({}) \bmod {modulus}", term.to_latex())
                }
                _ => format!(r"{} \bmod {modulus}", term.to_latex()),
            },
        }
    }
}

fn write_formula(formula: &Formula, within: Binding, text: &mut String) {
    if needs_parentheses(formula, within) {
        text.push_str(r"\left(");
        write_formula(formula, Binding::List, text);
        text.push_str(r"\right)");
        return;
    }
    match formula {
        Formula::Compare(..) => write_chain(std::slice::from_ref(formula), text),
        Formula::And(items) if items.is_empty() => text.push_str(r"\text{true}"),
        Formula::Or(items) if items.is_empty() => text.push_str(r"\text{false}"),
        Formula::And(items) => {
            let mut rest = &items[..];
            while let Some(first) = rest.first() {
                if rest.len() < items.len() {
                    text.push_str(r",\; ");
                }
                let (chain, later) = rest.split_at(chain_length(rest));
                match first {
                    Formula::Compare(..) => write_chain(chain, text),
                    item if later.is_empty() => write_formula(item, Binding::List, text),
                    item => write_formula(item, Binding::Item, text),
                }
                rest = later;
            }
        }
        Formula::Or(items) => {
            for (i, item) in items.iter().enumerate() {
                text.push_str(if i > 0 { r" \;\text{or}\; " } else { "" });
                write_formula(item, Binding::Or, text);
            }
        }
        Formula::Not(inner) => {
            text.push_str(r"\neg ");
            write_formula(inner, Binding::Not, text);
        }
        Formula::Sym(inner) => write_call("sym", &inner.to_latex(), text),
        Formula::Reduced(inner) => write_call("reduced", &inner.to_latex(), text),
        Formula::Digits(inner) => write_call("digits", &inner.to_latex(), text),
        Formula::Then(high, low) => {
            write_formula(high, Binding::Not, text);
            text.push_str(r" \nimthen{} ");
            write_formula(low, Binding::Not, text);
        }
        Formula::Span(generators) => {
            let generator = |set: &StackSet| {
                let names = set.iter().map(|s| Term::Stack(s).to_latex());
                names.collect::<Vec<_>>().concat()
            };
            let generators: Vec<_> = generators.iter().map(generator).collect();
            write_call("span", &generators.join(", "), text);
        }
        Formula::Let(name, value, body) => {
            text.push_str(&Term::Name(name.clone()).to_latex());
            text.push_str(r" \nimdef ");
            text.push_str(&value.to_latex());
            text.push_str(r",\; ");
            write_formula(body, Binding::List, text);
        }
    }
}

fn write_call(name: &str, inner: &str, text: &mut String) {
    text.push_str(&format!(r"\nim{name}{{{inner}}}"));
}

fn write_chain(chain: &[Formula], text: &mut String) {
    for (i, comparison) in chain.iter().enumerate() {
        if let Some((term, odd)) = parity(comparison) {
            text.push_str(&term.to_latex());
            text.push_str(if odd { r" \text{ odd}" } else { r" \text{ even}" });
        } else if let Formula::Compare(left, relation, right) = comparison {
            if i == 0 {
                text.push_str(&left.to_latex());
            }
            text.push_str(match relation {
                Relation::Less => " < ",
                Relation::AtMost => r" \le ",
                Relation::Equal => " = ",
                Relation::NotEqual => r" \ne ",
                Relation::AtLeast => r" \ge ",
                Relation::Greater => " > ",
            });
            text.push_str(&right.to_latex());
        }
    }
}
