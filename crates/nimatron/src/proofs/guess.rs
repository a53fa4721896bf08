//! What a table suggests about games that are not proved: laws that its P-positions obey, and a formula.
//!
//! All of it is evidence. Nothing here is used to answer a question.

use crate::boxes::{A_SECOND, affordable_box};
use crate::check::{Check, Conjecture};
use crate::tables::p_positions;
use nimatron_formula::Formula;
use nimatron_game::symmetry::Symmetry;
use nimatron_game::{Game, Height, StackSet, Watch};
use nimatron_prove::synthesis::noticed;
use nimatron_table::{Alone, TableError};
use std::collections::{BTreeMap, HashSet};

/// Laws are learned from boxes of about so many positions.
const MOST_POSITIONS: u64 = 60_000;

/// What the P-positions of a box suggest.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Guess {
    /// The game.
    pub game: Game,
    /// The greatest height of the positions that the laws were learned from.
    pub learned: Height,
    /// How many P-positions there are among them.
    pub p_positions: usize,
    /// What all of these satisfy, the most telling first.
    pub laws: Vec<String>,
    /// A formula that all of them satisfy, and how it compares with a larger box; `None` if nothing was
    /// noticed.
    pub candidate: Option<Check>,
}

impl Guess {
    /// Learns from a small box and tests what was learned on all heights up to `max`, or on what takes
    /// about a second.
    pub fn of(game: &Game, max: Option<Height>, watch: &dyn Watch) -> Result<Self, TableError> {
        let n = game.stacks();
        let fits = |h: &Height| {
            (h + 1).checked_pow(n as u32).is_some_and(|all| all <= MOST_POSITIONS) && *h <= 64
        };
        let Some(small) = (1..=64).take_while(fits).last() else {
            return Err(TableError::TooLarge { positions: None });
        };
        let learned = max.map_or(small, |max| max.min(small));
        let inside: Vec<Vec<i64>> = p_positions(game, &vec![learned; n], watch)?
            .iter()
            .map(|p| p.iter().map(|&h| h as i64).collect())
            .collect();
        let known: HashSet<&Vec<i64>> = inside.iter().collect();
        let outside: Vec<Vec<i64>> =
            positions(n, learned as i64).filter(|p| !known.contains(p)).collect();
        let symmetries: Vec<Vec<usize>> = match game.single() {
            Some(rule) => {
                Symmetry::of(rule).generators().iter().map(|g| g.images().collect()).collect()
            }
            None => Vec::new(),
        };
        let found =
            noticed(n, &inside, &outside, &symmetries, watch).map_err(TableError::Stopped)?;
        let max = max.or_else(|| affordable_box(game, A_SECOND)).unwrap_or(learned).max(learned);
        let candidate = match &found.formula {
            Some(formula) => tested(game, formula, max, watch)?,
            None => None,
        };
        Ok(Guess {
            game: game.clone(),
            learned,
            p_positions: inside.len(),
            laws: found.laws.iter().map(Formula::to_string).collect(),
            candidate,
        })
    }
}

/// How a formula compares with the table of a box.
fn tested(
    game: &Game,
    formula: &Formula,
    max: Height,
    watch: &dyn Watch,
) -> Result<Option<Check>, TableError> {
    let Ok(conjecture) = Conjecture::new(game, formula) else { return Ok(None) };
    Ok(Some(conjecture.check(&vec![max; game.stacks()], &Alone, watch)?))
}

/// All positions with heights up to a bound.
fn positions(stacks: usize, max: i64) -> impl Iterator<Item = Vec<i64>> {
    let mut next = Some(vec![0; stacks]);
    std::iter::from_fn(move || {
        let point = next.take()?;
        if let Some(at) = point.iter().position(|&h| h < max) {
            let mut after = point.clone();
            after[..at].iter_mut().for_each(|h| *h = 0);
            after[at] += 1;
            next = Some(after);
        }
        Some(point)
    })
}

/// Several games of a family, and which formulas agree up to the parameter.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FamilyGuess {
    /// The members, each with its parameter.
    pub members: Vec<(usize, Guess)>,
    /// Formulas that fit whole tables, written for any parameter, each with the parameters where it does.
    pub patterns: Vec<(String, Vec<usize>)>,
}

impl FamilyGuess {
    /// Puts together what was noticed about the members.
    pub fn of(members: Vec<(usize, Guess)>) -> Self {
        let mut patterns: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (n, guess) in &members {
            let fits = guess.candidate.as_ref().filter(|check| check.holds() == Some(true));
            if let Some(check) = fits {
                let text = pattern(&check.formula.to_string(), guess.game.stacks());
                patterns.entry(text).or_default().push(*n);
            }
        }
        let mut patterns: Vec<(String, Vec<usize>)> = patterns.into_iter().collect();
        patterns.sort_by_key(|(text, fits)| (std::cmp::Reverse(fits.len()), text.len()));
        FamilyGuess { members, patterns }
    }
}

/// A formula with runs of letters up to the last stack written for any number of stacks: `b+c+d` becomes
/// `b+..+z` if `d` is the last one.
fn pattern(formula: &str, stacks: usize) -> String {
    let mut text = formula.to_string();
    let names: Vec<String> = (0..stacks).map(|s| StackSet::single(s).to_string()).collect();
    for first in 0..stacks.saturating_sub(1) {
        for sign in ["+", ",", " = "] {
            let run = names[first..].join(sign);
            text = text.replace(&run, &format!("{}{sign}..{sign}z", names[first]));
        }
    }
    text
}

/// A game of a family: `n`, `n-1`, `n+2` in its text become numbers. `Star(n)` is the star with its base on
/// `n` stacks, `Wheel(n)` a circle of `n-1` stacks in pairs and the middle with each of them.
///
/// ```
/// use nimatron::proofs::member;
/// assert_eq!(member("CN(n,n-2)", 6), "CN(6,4)");
/// assert_eq!(member("Star(n)", 4), "Set(ab,ac,ad,bcd)");
/// assert_eq!(member("Wheel(n)", 4), "Set(ab,ac,ad,bc,cd,bd)");
/// ```
pub fn member(family: &str, n: usize) -> String {
    let plain: String = family.chars().filter(|c| !c.is_whitespace()).collect();
    let name = |s: usize| StackSet::single(s).to_string();
    let rays = (1..n).map(|s| format!("{}{}", name(0), name(s)));
    match plain.as_str() {
        "Star(n)" => {
            let base = (1..n).map(name).collect::<String>();
            return format!("Set({})", rays.chain([base]).collect::<Vec<_>>().join(","));
        }
        "Wheel(n)" => {
            let next = |s: usize| if s + 1 < n { s + 1 } else { 1 };
            let pair = |s: usize| {
                let (low, high) = (s.min(next(s)), s.max(next(s)));
                format!("{}{}", name(low), name(high))
            };
            return format!("Set({})", rays.chain((1..n).map(pair)).collect::<Vec<_>>().join(","));
        }
        _ => {}
    }
    let letters: Vec<char> = plain.chars().collect();
    let (mut text, mut at) = (String::new(), 0);
    while at < letters.len() {
        let alone = letters[at] == 'n'
            && !at.checked_sub(1).is_some_and(|b| letters[b].is_ascii_alphabetic())
            && !letters.get(at + 1).is_some_and(char::is_ascii_alphabetic);
        if !alone {
            text.push(letters[at]);
            at += 1;
            continue;
        }
        at += 1;
        let sign = letters.get(at).copied().filter(|c| matches!(c, '+' | '-'));
        let digits: String = letters[(at + 1).min(letters.len())..]
            .iter()
            .take_while(|c| c.is_ascii_digit())
            .collect();
        let value = match (sign, digits.parse::<usize>()) {
            (Some(sign), Ok(by)) => {
                at += 1 + digits.len();
                if sign == '+' { n.saturating_add(by) } else { n.saturating_sub(by) }
            }
            _ => n,
        };
        text += &value.to_string();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use nimatron_game::Unlimited;

    fn guess(text: &str) -> Guess {
        Guess::of(&text.parse().unwrap(), Some(6), &Unlimited).unwrap()
    }

    #[test]
    fn formulas_that_fit() {
        for (game, formula) in [
            ("Nim(3)", "xor(a,b,c) = 0"),
            ("Set(ab,ac,ad,bcd)", "2a = b+c+d, xor(b,c,d) = 0"),
            ("CN(3,2)", "a = b = c"),
        ] {
            let check = guess(game).candidate.unwrap();
            assert_eq!((check.formula.to_string().as_str(), check.holds()), (formula, Some(true)));
        }
    }

    #[test]
    fn members_that_agree() {
        let members = (3..=5).map(|n| (n, guess(&member("Star(n)", n)))).collect();
        let family = FamilyGuess::of(members);
        let (text, fits) = &family.patterns[0];
        assert_eq!(text, "2a = b+..+z, xor(b,..,z) = 0");
        assert!(fits.contains(&4) && fits.contains(&5), "{fits:?}");
    }
}
