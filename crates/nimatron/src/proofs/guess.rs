//! What a table suggests about games that are not proved: laws that its P-positions obey, and a formula.
//!
//! All of it is evidence. Nothing here is used to answer a question.

use crate::boxes::{A_SECOND, affordable_box};
use crate::check::{Check, Conjecture};
use crate::tables::p_positions;
use nimatron_formula::Formula;
use nimatron_game::symmetry::Symmetry;
use nimatron_game::{Game, Height, StackSet, Stop, Watch};
use nimatron_prove::synthesis::{Parts, kept, noticed, parts};
use nimatron_table::{Alone, TableError};
use std::collections::{BTreeMap, HashSet};

/// Laws are learned from boxes of about so many positions, formulas from boxes of so many: those of other games
/// than set Nim take longer to compute.
const FOR_LAWS: u64 = 60_000;
const FOR_PARTS: u64 = 1 << 24;
const OF_OTHER_GAMES: u64 = 1 << 20;

/// Formulas are tested on all positions of a box with about so many, parts on so many.
const TESTED: u64 = 1 << 28;
const PARTS_TESTED: u64 = 1 << 26;

/// The tallest boxes to learn from, and to test in unasked.
const TALLEST: Height = 63;
const TALLEST_TEST: Height = 255;

/// What lower boxes say about relations between heights is mostly accident.
const LEAST: Height = 4;

/// What the P-positions of a box suggest.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Guess {
    /// The game.
    pub game: Game,
    /// The greatest height of the positions that all this was learned from.
    pub learned: Height,
    /// How many P-positions there are among them.
    pub p_positions: usize,
    /// What all of these satisfy, the most telling first; images under the symmetries are not listed.
    pub laws: Vec<Formula>,
    /// A formula for all of them, and how it compares with a larger box; `None` if none was found.
    pub candidate: Option<Check>,
    /// How many P-positions there are up to symmetry; zero if the box was too low to look for formulas.
    pub orbits: usize,
    /// Formulas that hold at P-positions only, each with how many of these satisfy it, up to symmetry, and none
    /// before it.
    pub parts: Vec<(Formula, usize)>,
    /// The greatest height up to which the parts were compared with N-positions.
    pub compared: Height,
    /// How many more held at P-positions only where they were learned, but not up to there.
    pub refuted: usize,
    /// What ended the search for a formula, if it was a limit.
    pub stop: Option<Stop>,
}

/// What is learned from.
struct Lesson<'a> {
    game: &'a Game,
    symmetries: Vec<Vec<usize>>,
    watch: &'a dyn Watch,
}

impl Guess {
    /// Learns from a box and tests what was learned on all heights up to `max`, or on what takes about a
    /// second.
    pub fn of(game: &Game, max: Option<Height>, watch: &dyn Watch) -> Result<Self, TableError> {
        let lesson = Lesson::new(game, watch);
        let most = if is_set_nim(game) { FOR_PARTS } else { OF_OTHER_GAMES };
        let height = height_of(game, most, TALLEST).map(|h| max.map_or(h, |max| max.min(h)));
        let Some(height) = height else { return Err(TableError::TooLarge { positions: None }) };
        let mut guess = Guess::laws(game, Some(height), watch)?;
        if height < LEAST {
            return Ok(guess);
        }
        let inside = match lesson.inside(height) {
            Ok(inside) => inside,
            Err(TableError::Stopped(stop)) if stop != Stop::Cancelled => {
                guess.stop = Some(stop);
                return Ok(guess);
            }
            Err(error) => return Err(error),
        };
        (guess.learned, guess.compared, guess.p_positions) = (height, height, inside.len());
        guess.laws = kept(guess.laws, &inside);
        let found = parts(game.stacks(), height, &inside, &guess.laws, &lesson.symmetries, watch);
        let found = match found {
            Ok(found) => found,
            Err(Stop::Cancelled) => return Err(TableError::Stopped(Stop::Cancelled)),
            Err(stop) => {
                guess.stop = Some(stop);
                return Ok(guess);
            }
        };
        drop(inside);
        let most = if found.formula.is_some() { TESTED } else { PARTS_TESTED };
        let max = max.unwrap_or_else(|| tested(game, most)).max(height);
        guess.test(found, max, watch)?;
        Ok(guess)
    }

    /// Only the laws, learned from a small box.
    pub fn laws(game: &Game, max: Option<Height>, watch: &dyn Watch) -> Result<Self, TableError> {
        let n = game.stacks();
        let Some(small) = height_of(game, FOR_LAWS, TALLEST) else {
            return Err(TableError::TooLarge { positions: None });
        };
        let learned = max.map_or(small, |max| max.min(small));
        let lesson = Lesson::new(game, watch);
        let inside = lesson.inside(learned)?;
        let known: HashSet<&Vec<i64>> = inside.iter().collect();
        let outside: Vec<Vec<i64>> =
            positions(n, learned as i64).filter(|p| !known.contains(p)).collect();
        let laws = noticed(n, &inside, &outside, &lesson.symmetries, watch);
        Ok(Guess {
            game: game.clone(),
            learned,
            p_positions: inside.len(),
            laws: laws.map_err(TableError::Stopped)?,
            candidate: None,
            orbits: 0,
            parts: Vec::new(),
            compared: learned,
            refuted: 0,
            stop: None,
        })
    }

    /// Compares what was found with a taller box.
    fn test(&mut self, found: Parts, max: Height, watch: &dyn Watch) -> Result<(), TableError> {
        (self.orbits, self.stop) = (found.orbits, found.stop);
        if let Some(formula) = &found.formula {
            self.candidate = compared(&self.game, formula, max, watch)?;
            return Ok(());
        }
        // All at once, and one by one only if one of them is wrong.
        let all = Formula::or(found.cells.iter().map(|(cell, _)| cell.clone()));
        let game = self.game.clone();
        let stop = &mut self.stop;
        let mut is_right = |formula: &Formula| -> Result<Option<bool>, TableError> {
            let check = compared(&game, formula, max, watch)?;
            *stop = stop.or(check.as_ref().and_then(|check| check.stop));
            Ok(check.filter(|check| check.stop.is_none()).map(|check| check.claimed == 0))
        };
        match if found.cells.is_empty() { None } else { is_right(&all)? } {
            None => self.parts = found.cells,
            Some(true) => (self.parts, self.compared) = (found.cells, max),
            Some(false) => {
                self.compared = max;
                for (cell, count) in found.cells {
                    match is_right(&cell)? {
                        Some(false) => self.refuted += 1,
                        _ => self.parts.push((cell, count)),
                    }
                }
            }
        }
        Ok(())
    }
}

impl<'a> Lesson<'a> {
    fn new(game: &'a Game, watch: &'a dyn Watch) -> Self {
        let symmetries = match game.single() {
            Some(rule) => {
                Symmetry::of(rule).generators().iter().map(|g| g.images().collect()).collect()
            }
            None => Vec::new(),
        };
        Lesson { game, symmetries, watch }
    }

    /// The P-positions of a cube.
    fn inside(&self, max: Height) -> Result<Vec<Vec<i64>>, TableError> {
        let n = self.game.stacks();
        let found = p_positions(self.game, &vec![max; n], self.watch)?;
        // The list, and a copy of it in columns.
        let bytes = found.len() as u64 * (24 + 24 * n as u64);
        self.watch.check(bytes).map_err(TableError::Stopped)?;
        Ok(found.iter().map(|p| p.iter().map(|&h| h as i64).collect()).collect())
    }
}

fn is_set_nim(game: &Game) -> bool {
    game.summands().iter().all(|summand| summand.rule().is_set_nim())
}

/// The tallest cube with so many positions at the most, if there is one.
fn height_of(game: &Game, most: u64, tallest: Height) -> Option<Height> {
    let n = game.stacks() as u32;
    let fits = |h: &Height| (h + 1).checked_pow(n).is_some_and(|all| all <= most);
    (1..=tallest).take_while(fits).last()
}

/// How tall formulas are tested unasked.
fn tested(game: &Game, most: u64) -> Height {
    let affordable = affordable_box(game, A_SECOND).unwrap_or(1);
    match is_set_nim(game) {
        true => height_of(game, most, TALLEST_TEST).unwrap_or(1).max(affordable),
        false => affordable,
    }
}

/// How a formula compares with the table of a box.
fn compared(
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
    /// Parameters that make no game, and why.
    pub missing: Vec<(usize, String)>,
    /// Formulas that fit whole tables, written for any parameter, each with the parameters where it does.
    pub patterns: Vec<(String, Vec<usize>)>,
}

impl FamilyGuess {
    /// Puts together what was noticed about the members; some parameters may make no game.
    pub fn of(members: Vec<(usize, Guess)>, missing: Vec<(usize, String)>) -> Self {
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
        FamilyGuess { members, missing, patterns }
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

/// A game of a family: `n`, `n-1`, `n+2`, `2n+1` in its text become numbers. `Star(n)` is the star with its base on
/// `n` stacks, `Wheel(n)` a circle of `n-1` stacks in pairs and the middle with each of them.
///
/// ```
/// use nimatron::proofs::member;
/// assert_eq!(member("CN(n,n-2)", 6), "CN(6,4)");
/// assert_eq!(member("CN(3n,3n-1)", 2), "CN(6,5)");
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
        // A number in front of it is a factor.
        let rest = text.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let factor = text.split_off(rest);
        let value = factor.parse().map_or(n, |by: usize| n.saturating_mul(by));
        let sign = letters.get(at).copied().filter(|c| matches!(c, '+' | '-'));
        let digits: String = letters[(at + 1).min(letters.len())..]
            .iter()
            .take_while(|c| c.is_ascii_digit())
            .collect();
        let value = match (sign, digits.parse::<usize>()) {
            (Some(sign), Ok(by)) => {
                at += 1 + digits.len();
                if sign == '+' { value.saturating_add(by) } else { value.saturating_sub(by) }
            }
            _ => value,
        };
        text += &value.to_string();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use nimatron_game::Unlimited;

    fn guess(text: &str, max: Height) -> Guess {
        Guess::of(&text.parse().unwrap(), Some(max), &Unlimited).unwrap()
    }

    #[test]
    fn formulas_that_fit() {
        for (game, formula) in [
            ("Nim(3)", "xor(a,b,c) = 0"),
            ("Set(ab,ac,ad,bcd)", "2a = b+c+d, xor(b,c,d) = 0"),
            ("CN(3,2)", "a = b = c"),
            ("CN(5,3)", "sym(a = 0, b = e = c+d)"),
            ("Set(ab,ac,bc,ad)", "(a = 0, d = b+c) or (b = c = a+d, a > 0)"),
            ("Moore(4,2)", "digits(total mod 3 = 0)"),
            ("misere Slow(3,{1})", "odd(total)"),
        ] {
            let check = guess(game, 8).candidate.unwrap();
            let found = (check.formula.to_string(), check.holds());
            assert_eq!(found, (formula.to_string(), Some(true)), "{game}");
        }
    }

    #[test]
    fn parts_hold_at_p_positions_only() {
        // No formula is known for this game.
        let game: Game = "CN(6,2)".parse().unwrap();
        let guess = guess("CN(6,2)", 9);
        assert!(guess.candidate.is_none() && !guess.parts.is_empty());
        let counted: usize = guess.parts.iter().map(|(_, count)| count).sum();
        assert!(counted < guess.orbits);
        for (formula, count) in &guess.parts {
            let check = compared(&game, formula, guess.compared, &Unlimited).unwrap().unwrap();
            assert_eq!(check.claimed, 0, "{formula}");
            assert!(check.p_count - check.missed >= *count as u128, "{formula}");
        }
    }

    #[test]
    fn nothing_is_learned_from_very_low_boxes() {
        let guess = guess("CN(5,3)", 3);
        assert!(guess.candidate.is_none() && guess.parts.is_empty() && guess.orbits == 0);
    }

    #[test]
    fn members_that_agree() {
        let members = (3..=5).map(|n| (n, guess(&member("Star(n)", n), 6))).collect();
        let family = FamilyGuess::of(members, Vec::new());
        let (text, fits) = &family.patterns[0];
        assert_eq!(text, "2a = b+..+z, xor(b,..,z) = 0");
        assert!(fits.contains(&4) && fits.contains(&5), "{fits:?}");
    }
}
