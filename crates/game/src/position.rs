//! Positions and takes: vectors of heights, and of tokens removed.

use crate::StackSet;
use crate::stacks::MAX_STACKS;
use std::fmt;
use std::ops::Deref;

/// The number of tokens on a stack, at most [`MAX_HEIGHT`].
pub type Height = u64;

/// The tallest stack allowed, 2^63 - 1. Totals are taken in 128 bits and cannot overflow.
pub const MAX_HEIGHT: Height = i64::MAX as Height;

/// Heights that cannot be a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PositionError {
    /// A stack is taller than [`MAX_HEIGHT`].
    #[error("stack {} has height {height}, above the bound {MAX_HEIGHT}", stack + 1)]
    TooTall {
        /// The stack, from 0.
        stack: usize,
        /// Its height.
        height: Height,
    },
    /// More than [`MAX_STACKS`] stacks.
    #[error("{0} stacks, but at most {MAX_STACKS} are supported")]
    TooMany(usize),
}

/// How many tokens each stack holds. Two positions are equal when all heights agree in order.
///
/// ```
/// use nimatron_game::Position;
/// let p = Position::new(vec![3, 0, 5]).unwrap();
/// assert_eq!(p.total(), 8);
/// assert_eq!(p.to_string(), "(3,0,5)");
/// assert_eq!("3 0 5".parse::<Position>().unwrap(), p);
/// ```
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Position(Vec<Height>);

impl Position {
    /// A position with these heights.
    pub fn new(heights: Vec<Height>) -> Result<Self, PositionError> {
        if heights.len() > MAX_STACKS {
            return Err(PositionError::TooMany(heights.len()));
        }
        match heights.iter().position(|&h| h > MAX_HEIGHT) {
            Some(stack) => Err(PositionError::TooTall { stack, height: heights[stack] }),
            None => Ok(Position(heights)),
        }
    }

    /// The position without tokens on `n` stacks.
    pub fn zero(n: usize) -> Self {
        Position(vec![0; n])
    }

    /// The sum of all heights.
    pub fn total(&self) -> u128 {
        total(&self.0)
    }

    /// The stacks that are not empty.
    pub fn support(&self) -> StackSet {
        support(&self.0)
    }

    /// The heights as a vector.
    pub fn into_vec(self) -> Vec<Height> {
        self.0
    }

    /// The position left after a take, or `None` if some stack has too few tokens or the
    /// lengths differ. Rules are not consulted; see [`crate::Game::play`].
    pub fn after(&self, take: &Take) -> Option<Position> {
        if self.len() != take.len() {
            return None;
        }
        let left = self.iter().zip(take.iter()).map(|(&h, &t)| h.checked_sub(t));
        left.collect::<Option<Vec<_>>>().map(Position)
    }
}

/// The tokens a move removes from each stack. Which takes are moves is for the rules to say.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Take(Vec<Height>);

impl Take {
    /// A take with these amounts.
    pub fn new(amounts: Vec<Height>) -> Self {
        Take(amounts)
    }

    /// The sum of all amounts.
    pub fn total(&self) -> u128 {
        total(&self.0)
    }

    /// The stacks played on.
    pub fn support(&self) -> StackSet {
        support(&self.0)
    }

    /// The amounts as a vector.
    pub fn into_vec(self) -> Vec<Height> {
        self.0
    }
}

fn total(amounts: &[Height]) -> u128 {
    amounts.iter().map(|&h| u128::from(h)).sum()
}

/// The stacks with a non-zero entry. Entries past the stack limit do not count.
pub(crate) fn support(amounts: &[Height]) -> StackSet {
    let first = amounts.iter().take(MAX_STACKS).rev();
    StackSet::from_bits(first.fold(0, |bits, &h| bits << 1 | u32::from(h > 0)))
}

macro_rules! vector {
    ($name:ident) => {
        impl Deref for $name {
            type Target = [Height];
            fn deref(&self) -> &[Height] {
                &self.0
            }
        }
        /// The tuple form: `(3,5,0)`.
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("(")?;
                for (i, h) in self.0.iter().enumerate() {
                    write!(f, "{}{h}", if i > 0 { "," } else { "" })?;
                }
                f.write_str(")")
            }
        }
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }
    };
}
vector!(Position);
vector!(Take);

#[cfg(feature = "serde")]
mod serde_impl {
    use super::{Height, Position, Take};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    impl Serialize for Position {
        fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
            self.0.serialize(s)
        }
    }
    impl<'de> Deserialize<'de> for Position {
        fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
            Position::new(Vec::<Height>::deserialize(d)?).map_err(serde::de::Error::custom)
        }
    }
    impl Serialize for Take {
        fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
            self.0.serialize(s)
        }
    }
    impl<'de> Deserialize<'de> for Take {
        fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
            Vec::<Height>::deserialize(d).map(Take::new)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_do_not_overflow() {
        let p = Position::new(vec![MAX_HEIGHT; 32]).unwrap();
        assert_eq!(p.total(), 32 * ((1u128 << 63) - 1));
    }

    #[test]
    fn heights_are_bounded() {
        let tall = Position::new(vec![1, MAX_HEIGHT + 1]);
        assert_eq!(tall, Err(PositionError::TooTall { stack: 1, height: 1 << 63 }));
        assert_eq!(Position::new(vec![0; 33]), Err(PositionError::TooMany(33)));
    }

    #[test]
    fn after_subtracts_or_declines() {
        let p = Position::new(vec![3, 1]).unwrap();
        assert_eq!(p.after(&Take::new(vec![1, 1])), Position::new(vec![2, 0]).ok());
        assert_eq!(p.after(&Take::new(vec![0, 2])), None);
        assert_eq!(p.after(&Take::new(vec![1])), None);
    }
}
