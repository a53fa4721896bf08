//! Writing formulas as text that parses back to the same formula.

use crate::ast::{Formula, Relation, Term};
use std::fmt::{self, Display, Write};

/// How tightly the surroundings of a formula bind; what binds weaker needs parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Binding {
    /// A whole list, or its last item, after which a `let` may reach to the end.
    List,
    /// An item of a list with others after it.
    Item,
    /// An operand of `or`.
    Or,
    /// An operand of `not` or `then`.
    Not,
}

impl Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_formula(self, Binding::List, f)
    }
}

fn write_formula(formula: &Formula, within: Binding, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if needs_parentheses(formula, within) {
        f.write_str("(")?;
        write_formula(formula, Binding::List, f)?;
        return f.write_str(")");
    }
    match formula {
        Formula::Compare(..) => write_chain(std::slice::from_ref(formula), f),
        Formula::And(items) if items.is_empty() => f.write_str("true"),
        Formula::And(items) => {
            let mut rest = &items[..];
            while let Some(first) = rest.first() {
                if rest.len() < items.len() {
                    f.write_str(", ")?;
                }
                let (chain, later) = rest.split_at(chain_length(rest));
                match first {
                    Formula::Compare(..) => write_chain(chain, f)?,
                    item if later.is_empty() => write_formula(item, Binding::List, f)?,
                    item => write_formula(item, Binding::Item, f)?,
                }
                rest = later;
            }
            Ok(())
        }
        Formula::Or(items) if items.is_empty() => f.write_str("false"),
        Formula::Or(items) => {
            for (i, item) in items.iter().enumerate() {
                f.write_str(if i > 0 { " or " } else { "" })?;
                write_formula(item, Binding::Or, f)?;
            }
            Ok(())
        }
        Formula::Not(inner) => {
            f.write_str("not ")?;
            write_formula(inner, Binding::Not, f)
        }
        Formula::Sym(inner) => write!(f, "sym({inner})"),
        Formula::Reduced(inner) => write!(f, "reduced({inner})"),
        Formula::Digits(inner) => write!(f, "digits({inner})"),
        Formula::Then(high, low) => {
            write_formula(high, Binding::Not, f)?;
            f.write_str(" then ")?;
            write_formula(low, Binding::Not, f)
        }
        Formula::Span(generators) => {
            f.write_str("span(")?;
            for (i, set) in generators.iter().enumerate() {
                f.write_str(if i > 0 { ", " } else { "" })?;
                let letters = set.bits() >> 26 == 0;
                for (j, stack) in set.iter().enumerate() {
                    f.write_str(if j > 0 && !letters { " " } else { "" })?;
                    if letters {
                        write!(f, "{}", StackName(stack))?;
                    } else {
                        write!(f, "x{}", stack + 1)?;
                    }
                }
            }
            f.write_str(")")
        }
        Formula::Let(name, value, body) => write!(f, "let {name} = {value}, {body}"),
    }
}

pub(crate) fn needs_parentheses(formula: &Formula, within: Binding) -> bool {
    match formula {
        Formula::And(items) if items.is_empty() => false,
        Formula::And(items) => match within {
            Binding::List | Binding::Item => false,
            // A chain by itself reads well in a disjunction.
            Binding::Or => {
                chain_length(items) < items.len() || !matches!(items[0], Formula::Compare(..))
            }
            Binding::Not => true,
        },
        Formula::Or(items) => !items.is_empty() && within > Binding::Item,
        Formula::Let(..) => within > Binding::List,
        Formula::Compare(..) => within == Binding::Not && parity(formula).is_none(),
        Formula::Then(..) => within == Binding::Not,
        Formula::Not(_) | Formula::Sym(_) | Formula::Span(_) => false,
        Formula::Reduced(_) | Formula::Digits(_) => false,
    }
}

/// `odd(t)` or `even(t)`: the term, and whether it is odd.
pub(crate) fn parity(formula: &Formula) -> Option<(&Term, bool)> {
    match formula {
        Formula::Compare(Term::Mod(term, 2), Relation::Equal, Term::Constant(c @ (0 | 1))) => {
            Some((term, *c == 1))
        }
        _ => None,
    }
}

/// How many of the first items make one chain of comparisons; at least 1.
pub(crate) fn chain_length(items: &[Formula]) -> usize {
    let linked = |pair: &[Formula]| match pair {
        [Formula::Compare(_, _, right), Formula::Compare(left, _, _)] => {
            right == left && parity(&pair[0]).is_none() && parity(&pair[1]).is_none()
        }
        _ => false,
    };
    1 + items.windows(2).take_while(|pair| linked(pair)).count()
}

fn write_chain(chain: &[Formula], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (i, comparison) in chain.iter().enumerate() {
        if let Some((term, odd)) = parity(comparison) {
            return write!(f, "{}({term})", if odd { "odd" } else { "even" });
        }
        if let Formula::Compare(left, relation, right) = comparison {
            if i == 0 {
                left.fmt(f)?;
            }
            f.write_str(" ")?;
            relation.fmt(f)?;
            f.write_str(" ")?;
            right.fmt(f)?;
        }
    }
    Ok(())
}

impl Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Relation::Less => "<",
            Relation::AtMost => "<=",
            Relation::Equal => "=",
            Relation::NotEqual => "!=",
            Relation::AtLeast => ">=",
            Relation::Greater => ">",
        })
    }
}

/// `a` to `z`, then `x27` and so on.
struct StackName(usize);

impl Display for StackName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match u8::try_from(self.0) {
            Ok(stack @ 0..26) => f.write_char((b'a' + stack) as char),
            _ => write!(f, "x{}", self.0 + 1),
        }
    }
}

impl Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Term::Constant(c) => write!(f, "{c}"),
            Term::Stack(stack) => StackName(*stack).fmt(f),
            Term::Name(name) => f.write_str(name),
            Term::Total => f.write_str("total"),
            Term::Odds => f.write_str("odds"),
            Term::Least => f.write_str("min"),
            Term::Greatest => f.write_str("max"),
            Term::Sum(items) => {
                for (i, item) in items.iter().enumerate() {
                    f.write_str(if i > 0 && !is_signed(item) { "+" } else { "" })?;
                    item.fmt(f)?;
                }
                Ok(())
            }
            Term::Scale(factor, term) => {
                match factor {
                    -1 => f.write_str("-")?,
                    _ => write!(f, "{factor}")?,
                }
                let star = if *factor == -1 { "" } else { "*" };
                match &**term {
                    Term::Stack(_) => term.fmt(f),
                    // A number right after the sign would be read as the factor.
                    Term::Sum(_) | Term::Scale(..) | Term::Constant(_) => {
                        write!(f, "{star}({term})")
                    }
                    Term::Mod(..) if *factor != -1 => write!(f, "{star}({term})"),
                    _ => write!(f, "{star}{term}"),
                }
            }
            Term::Min(items) => write_call("min", items, f),
            Term::Max(items) => write_call("max", items, f),
            Term::Xor(items) => write_call("xor", items, f),
            Term::Mod(term, modulus) => {
                let closed = !matches!(**term, Term::Sum(_)) && !is_signed(term);
                match closed {
                    true => write!(f, "{term} mod {modulus}"),
                    false => write!(f, "({term}) mod {modulus}"),
                }
            }
        }
    }
}

/// Whether what is written starts with a minus sign.
fn is_signed(term: &Term) -> bool {
    match term {
        Term::Constant(c) | Term::Scale(c, _) => *c < 0,
        Term::Sum(items) => items.first().is_some_and(is_signed),
        // What is before `mod` is in parentheses then.
        _ => false,
    }
}

fn write_call(name: &str, items: &[Term], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str(name)?;
    f.write_str("(")?;
    for (i, item) in items.iter().enumerate() {
        f.write_str(if i > 0 { "," } else { "" })?;
        item.fmt(f)?;
    }
    f.write_str(")")
}
