//! Moves as players write them.

use crate::render::stack;
use nimatron_game::notation::{ParseError, parse_position};
use nimatron_game::{Game, Height, Take};

/// Why a text is no move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TakeError {
    /// A word that is not understood.
    #[error(
        "{word:?} is not understood: write a2 to take two tokens from a, or one number per stack"
    )]
    Word {
        /// The word.
        word: String,
    },
    /// A stack that is not there.
    #[error("there is no stack {name}: the stacks are {first} to {last}")]
    Stack {
        /// Its name.
        name: String,
        /// The first stack.
        first: String,
        /// The last stack.
        last: String,
    },
    /// A stack that was named twice.
    #[error("{name} is named twice")]
    Twice {
        /// Its name.
        name: String,
    },
    /// The numbers are not one for each stack.
    #[error("{0}")]
    Numbers(ParseError),
}

/// Reads a move: `a2 b1` takes two tokens from a and one from b; `(2,1,0)` has a number for each stack. The
/// word `take` may stand before both. With more than 26 stacks a colon stands before the number: `x30:2`.
///
/// ```
/// use nimatron::play::parse_take;
/// let game = "CN(4,2)".parse().unwrap();
/// for text in ["a2 b1", "take b1, a2", "(2,1,0,0)", "take 2 1 0 0"] {
///     assert_eq!(parse_take(text, &game).unwrap().to_string(), "(2,1,0,0)");
/// }
/// assert!(parse_take("e2", &game).is_err());
/// ```
pub fn parse_take(text: &str, game: &Game) -> Result<Take, TakeError> {
    let text = text.trim();
    let text = text.strip_prefix("take").map_or(text, str::trim_start);
    if text.starts_with(|c: char| c == '(' || c.is_ascii_digit() || c == '-') {
        let numbers = parse_position(text, game).map_err(TakeError::Numbers)?;
        return Ok(Take::new(numbers.into_vec()));
    }
    let n = game.stacks();
    let names: Vec<String> = (0..n).map(|s| stack(s, n)).collect();
    let mut amounts: Vec<Option<Height>> = vec![None; n];
    let words = text.split([' ', ',', '\t']).filter(|word| !word.is_empty());
    let mut some = false;
    for word in words {
        let bad = || TakeError::Word { word: word.chars().take(40).collect() };
        let split = match word.split_once(':') {
            Some((name, amount)) => Some((name, amount)),
            None if n <= 26 => {
                let at = word.find(|c: char| c.is_ascii_digit());
                at.map(|at| word.split_at(at))
            }
            None => None,
        };
        let (name, amount) = split.ok_or_else(bad)?;
        let amount: Height = amount.parse().map_err(|_| bad())?;
        let name = name.to_ascii_lowercase();
        let place = names.iter().position(|known| *known == name);
        let Some(place) = place else {
            let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric());
            let (first, last) = (names.first().cloned(), names.last().cloned());
            return Err(match (is_name && name.len() <= 4, first, last) {
                (true, Some(first), Some(last)) => TakeError::Stack { name, first, last },
                _ => bad(),
            });
        };
        let Some(slot) = amounts.get_mut(place) else { return Err(bad()) };
        if slot.replace(amount).is_some() {
            return Err(TakeError::Twice { name });
        }
        some = true;
    }
    match some {
        true => Ok(Take::new(amounts.into_iter().map(|a| a.unwrap_or(0)).collect())),
        false => Err(TakeError::Word { word: text.to_string() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_read_or_refused() {
        let game: Game = "CN(4,2)".parse().unwrap();
        let read = |text: &str| parse_take(text, &game).map(|take| take.to_string());
        assert_eq!(read("C3").unwrap(), "(0,0,3,0)");
        assert_eq!(read("  take (0,0,3,0) ").unwrap(), "(0,0,3,0)");
        assert!(matches!(read("a1 a2"), Err(TakeError::Twice { .. })));
        assert!(matches!(read("z9"), Err(TakeError::Stack { .. })));
        assert!(matches!(read("1,2"), Err(TakeError::Numbers(_))));
        for text in ["", "take", "a", "hello", "a99999999999999999999", "é3", "a-1", "3a", "a:"] {
            assert!(read(text).is_err(), "{text}");
        }
        let large: Game = "Nim(30)".parse().unwrap();
        assert_eq!(parse_take("x30:2", &large).unwrap()[29], 2);
        assert!(parse_take("x302", &large).is_err());
    }
}
