//! How games and variants are written: the shortest form that is read back as the same value.
//!
//! * `NN(n,k,2)` is written `NN(n,k)`; sizes of slow games increase.
//! * Sets keep their order and are written with letters up to 26 stacks, `Set(abc,bcd)`, and
//!   with numbers beyond, `Set(1 2 3, 4 5 27)`.
//! * Amounts are `=a`, `>=a`, `<=b` or `=a..b`. A variant writes `any` only where the amounts
//!   per stack are restricted, and the total only where that is.
//! * Summands are joined by ` + `, and `misere` comes first.

use super::names;
use crate::family::{CubePart, Family};
use crate::game::{Game, Summand, Variant};
use crate::outcome::Play;
use crate::rule::{Amounts, Choice};
use crate::stacks::StackSet;
use std::fmt;

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Family::Nim { n } => write!(f, "Nim({n})"),
            Family::Moore { n, k } => write!(f, "Moore({n},{k})"),
            Family::Circular { n, k } => write!(f, "CN({n},{k})"),
            Family::Path { n, k } => write!(f, "PN({n},{k})"),
            Family::Necklace { n, k, l: 2 } => write!(f, "NN({n},{k})"),
            Family::Necklace { n, k, l } => write!(f, "NN({n},{k},{l})"),
            Family::Sets { n, sets } if *n <= 26 => {
                write!(f, "Set({})", Joined(",", sets.iter().map(|&s| Set(s, true))))
            }
            Family::Sets { sets, .. } => {
                write!(f, "Set({})", Joined(", ", sets.iter().map(|&s| Set(s, false))))
            }
            Family::Exact { n, k } => write!(f, "Exact({n},{k})"),
            Family::Slow { n, sizes } => write!(f, "Slow({n},{{{}}})", Joined(",", sizes.iter())),
            Family::Matrix { rows, columns } => write!(f, "Matrix({rows},{columns})"),
            Family::Graph { edges } => {
                let edges = edges.iter().map(|(u, v)| format!("{u}-{v}"));
                write!(f, "Graph({})", Joined(",", edges))
            }
            Family::Cube { part } => write!(f, "Cube({part})"),
        }
    }
}

impl fmt::Display for CubePart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CubePart::Vertex => "vertex",
            CubePart::Edge => "edge",
            CubePart::Face => "face",
        })
    }
}

/// Things with a mark between them.
struct Joined<I>(&'static str, I);

impl<I: Iterator<Item: fmt::Display> + Clone> fmt::Display for Joined<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, thing) in self.1.clone().enumerate() {
            write!(f, "{}{thing}", if i > 0 { self.0 } else { "" })?;
        }
        Ok(())
    }
}

/// A set in letters or in numbers.
struct Set(StackSet, bool);

impl fmt::Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Set(set, letters) = *self;
        let stacks = set.iter().map(|s| names::stack(s, letters));
        write!(f, "{}", Joined(if letters { "" } else { " " }, stacks))
    }
}

/// `=3`, `>=3`, `<=3` or `=2..3`.
impl fmt::Display for Amounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.least(), self.most()) {
            (least, None) => write!(f, ">={least}"),
            (least, Some(most)) if least == most => write!(f, "={least}"),
            (1, Some(most)) => write!(f, "<={most}"),
            (least, Some(most)) => write!(f, "={least}..{most}"),
        }
    }
}

/// `any=2`, `each>=2`, `total<=3`, `each=1 total=2..4`; the usual way of playing is `any>=1`.
impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let total = self.total != Amounts::POSITIVE;
        let word = match self.choice {
            Choice::Any if total && self.each == Amounts::POSITIVE => {
                return write!(f, "total{}", self.total);
            }
            Choice::Any => "any",
            Choice::All => "each",
        };
        write!(f, "{word}{}", self.each)?;
        if total {
            write!(f, " total{}", self.total)?;
        }
        Ok(())
    }
}

impl fmt::Display for Summand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.family())?;
        match self.variant() {
            Some(variant) => write!(f, " {variant}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.convention() == Play::Misere {
            f.write_str("misere ")?;
        }
        write!(f, "{}", Joined(" + ", self.summands().iter()))
    }
}
