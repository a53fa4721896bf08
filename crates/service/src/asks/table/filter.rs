//! Which rows of a table are wanted.

use crate::failure::Failure;
use nimatron::{Game, Height};

/// Which rows are wanted.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    sum: Option<u64>,
    /// Per stack: must be empty, must not be empty, or anything.
    zero: Vec<Option<bool>>,
}

impl Filter {
    /// Positions with this many tokens, and with this pattern of empty stacks: `0..+`.
    pub fn new(game: &Game, sum: Option<u64>, zero: Option<&str>) -> Result<Self, Failure> {
        let Some(pattern) = zero else { return Ok(Filter { sum, zero: Vec::new() }) };
        let sign = |c: char| match c {
            '0' => Some(Some(true)),
            '+' => Some(Some(false)),
            '.' => Some(None),
            _ => None,
        };
        let signs: Option<Vec<_>> = pattern.chars().map(sign).collect();
        match signs.filter(|s| s.len() == game.stacks()) {
            Some(zero) => Ok(Filter { sum, zero }),
            None => Err(Failure::bad(
                "pattern",
                format!("a pattern for {game} has {} signs, each 0, + or .", game.stacks()),
            )),
        }
    }

    /// Whether a position is wanted.
    pub fn selects(&self, heights: &[Height]) -> bool {
        let fits = |(&h, sign): (&Height, &Option<bool>)| sign.is_none_or(|zero| (h == 0) == zero);
        let total = || heights.iter().map(|&h| u128::from(h)).sum::<u128>();
        heights.iter().zip(&self.zero).all(fits) && self.sum.is_none_or(|s| total() == s.into())
    }
}
