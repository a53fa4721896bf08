//! Comparisons of linear forms, in heights and exclusive ors of heights alike.
//!
//! To an automaton that reads digits the exclusive or of some stacks is just one more number whose
//! digits it sees. Reading a digit x takes the value v of a form so far to 2v + (the form of the
//! digits). Once |v| exceeds both the sum of the coefficients and everything that is added at the
//! end, it only grows, and its sign is all that matters. Of a remainder the remainder so far
//! is enough.

use super::NoAutomaton;
use super::operations::Tracks;
use nimatron_formula::Term;
use nimatron_verify::automaton::Dfa;
use std::collections::BTreeMap;

/// Coefficients, constants and moduli beyond this are refused; their automata would be too large.
const MOST: i128 = 1 << 40;

/// The deepest nesting of terms.
const MOST_DEPTH: usize = 200;

/// An integer that depends on the position: a sum of multiples.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub(super) struct Form {
    /// By set of stacks, as bits: the coefficient of the exclusive or of their heights. Never 0.
    xors: BTreeMap<u32, i128>,
    constant: i128,
    remainders: Vec<Remainder>,
    /// Minima and maxima. There are none inside of remainders.
    pub(super) choices: Vec<Choice>,
}

/// A multiple of a remainder.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Remainder {
    factor: i128,
    of: Form,
    modulus: i128,
}

/// A multiple of a minimum or maximum.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Choice {
    pub(super) factor: i128,
    /// Whether it is a minimum.
    pub(super) least: bool,
    pub(super) items: Vec<Form>,
}

impl Form {
    /// The form of a term in plain words, without minima and maxima inside of remainders, and
    /// with exclusive ors of stacks and numbers only.
    pub(super) fn new(term: &Term, stacks: usize) -> Result<Self, NoAutomaton> {
        let list = |terms: &[Term]| -> Result<Vec<Form>, NoAutomaton> {
            terms.iter().map(|t| Form::new(t, stacks)).collect()
        };
        match term {
            Term::Constant(c) => Form::constant((*c).into()),
            Term::Stack(_) | Term::Xor(_) => {
                let (mut set, mut number) = (0, 0);
                operands(term, stacks, &mut set, &mut number)?;
                Form::xor(set, number)
            }
            Term::Sum(items) => list(items)?.iter().try_fold(Form::default(), |a, b| a.plus(1, b)),
            Term::Scale(factor, inner) => {
                Form::default().plus((*factor).into(), &Form::new(inner, stacks)?)
            }
            Term::Min(items) | Term::Max(items) => {
                let least = matches!(term, Term::Min(_));
                let choice = Choice { factor: 1, least, items: list(items)? };
                Ok(Form { choices: vec![choice], ..Form::default() })
            }
            Term::Mod(inner, modulus) => Form::new(inner, stacks)?.modulo((*modulus).into()),
            Term::Name(name) => Err(NoAutomaton::UnknownName(name.clone())),
            Term::Total | Term::Odds | Term::Least | Term::Greatest => {
                unreachable!("plain formulas have no such terms")
            }
        }
    }

    pub(super) fn constant(constant: i128) -> Result<Self, NoAutomaton> {
        Ok(Form { constant: bounded(constant)?, ..Form::default() })
    }

    fn modulo(self, modulus: i128) -> Result<Self, NoAutomaton> {
        let remainder = Remainder { factor: 1, of: self, modulus: bounded(modulus.max(1))? };
        Ok(Form { remainders: vec![remainder], ..Form::default() })
    }

    /// The exclusive or of the heights X of some stacks with a number. The digit of value d of X is
    /// `X mod 2d - X mod d`, which is d or 0; to flip it is to add d and twice to take it away.
    fn xor(set: u32, number: i64) -> Result<Self, NoAutomaton> {
        if number < 0 {
            return Form::constant(-1)?.plus(-1, &Form::xor(set, !number)?);
        }
        let stacks = Form { xors: BTreeMap::from([(set, 1)]), ..Form::default() };
        let stacks = if set == 0 { Form::default() } else { stacks };
        let mut form = stacks.clone();
        for digit in (0..i64::BITS - 1).filter(|digit| number >> digit & 1 == 1) {
            let d = 1i128 << digit;
            form = form.plus(1, &Form::constant(d)?)?;
            if set != 0 {
                form = form.plus(-2, &stacks.clone().modulo(2 * d)?)?;
                form = form.plus(2, &stacks.clone().modulo(d)?)?;
            }
        }
        Ok(form)
    }

    /// The form with a multiple of another one added.
    pub(super) fn plus(mut self, factor: i128, other: &Form) -> Result<Self, NoAutomaton> {
        bounded(factor)?;
        if factor == 0 {
            return Ok(self);
        }
        for (&set, &coefficient) in &other.xors {
            let sum = self.xors.remove(&set).unwrap_or(0) + factor * coefficient;
            if bounded(sum)? != 0 {
                self.xors.insert(set, sum);
            }
        }
        self.constant = bounded(self.constant + factor * other.constant)?;
        for Remainder { factor: inner, of, modulus } in &other.remainders {
            let same = |r: &Remainder| r.modulus == *modulus && r.of == *of;
            let before = self.remainders.iter().position(same);
            let before = before.map_or(0, |place| self.remainders.remove(place).factor);
            let factor = bounded(before + factor * inner)?;
            if factor != 0 {
                self.remainders.push(Remainder { factor, of: of.clone(), modulus: *modulus });
            }
        }
        for choice in &other.choices {
            let factor = bounded(factor * choice.factor)?;
            self.choices.push(Choice { factor, ..choice.clone() });
        }
        Ok(self)
    }

    /// The form of the digits of a letter, of the stacks alone.
    fn digit(&self, letter: u32) -> i128 {
        let odd = |set: u32| (set & letter).count_ones() % 2 == 1;
        self.xors.iter().filter(|&(&set, _)| odd(set)).map(|(_, coefficient)| coefficient).sum()
    }

    /// All remainders, those inside of others after these.
    fn all_remainders<'a>(&'a self, list: &mut Vec<&'a Remainder>) {
        for remainder in &self.remainders {
            list.push(remainder);
            remainder.of.all_remainders(list);
        }
    }

    /// What is to be added to the value of the stacks; takes the remainders of the stacks in the
    /// order of [`Form::all_remainders`].
    fn rest(&self, remainders: &mut impl Iterator<Item = i128>) -> i128 {
        let mut sum = self.constant;
        for remainder in &self.remainders {
            let stacks = remainders.next().expect("there is a number for every remainder");
            let value = stacks + remainder.of.rest(remainders);
            sum += remainder.factor * value.rem_euclid(remainder.modulus);
        }
        sum
    }
}

fn bounded(number: i128) -> Result<i128, NoAutomaton> {
    if number.abs() > MOST { Err(NoAutomaton::TooLarge) } else { Ok(number) }
}

/// Collects the stacks and the number of an exclusive or.
fn operands(
    term: &Term,
    stacks: usize,
    set: &mut u32,
    number: &mut i64,
) -> Result<(), NoAutomaton> {
    match term {
        Term::Stack(s) if *s >= stacks => return Err(NoAutomaton::NoSuchStack),
        Term::Stack(s) => *set ^= 1 << s,
        Term::Constant(c) => *number ^= c,
        Term::Xor(items) => items.iter().try_for_each(|t| operands(t, stacks, set, number))?,
        Term::Name(name) => return Err(NoAutomaton::UnknownName(name.clone())),
        _ => unreachable!("other operands have been replaced by stacks"),
    }
    Ok(())
}

/// The automaton for "the form is zero", or "at least zero". The form has no choices.
pub(super) fn automaton(
    tracks: &Tracks<'_>,
    form: &Form,
    is_equation: bool,
) -> Result<Dfa, NoAutomaton> {
    let mut remainders = Vec::new();
    form.all_remainders(&mut remainders);
    let slope: i128 = form.xors.values().map(|c| c.abs()).sum();
    let most_added: i128 = form.remainders.iter().map(|r| r.factor.abs() * r.modulus).sum();
    let bound = slope.max(form.constant.abs() + most_added) + 1;
    // Nearly all values and remainders up to the bounds are met on the way.
    let most = tracks.most_states() as i128;
    if !form.xors.is_empty() && bound > most || remainders.iter().any(|r| r.modulus > most) {
        return Err(NoAutomaton::TooLarge);
    }
    let letters = 0..1u32 << tracks.count;
    let digits: Vec<i128> = letters.clone().map(|letter| form.digit(letter)).collect();
    let of = |remainder: &Remainder| -> Vec<i128> {
        letters.clone().map(|letter| remainder.of.digit(letter)).collect()
    };
    let remainder_digits: Vec<Vec<i128>> = remainders.iter().map(|r| of(r)).collect();
    let step = |(value, so_far): &(i128, Vec<i128>), letter: u32| {
        let letter = letter as usize;
        let to = match value.abs() == bound {
            true => *value,
            false => (2 * value + digits[letter]).clamp(-bound, bound),
        };
        let each = so_far.iter().zip(&remainder_digits).zip(&remainders);
        let each = each.map(|((r, digits), of)| (2 * r + digits[letter]).rem_euclid(of.modulus));
        (to, each.collect())
    };
    let accepts = |(value, so_far): &(i128, Vec<i128>)| {
        let value = value + form.rest(&mut so_far.iter().copied());
        if is_equation { value == 0 } else { value >= 0 }
    };
    tracks.explore((0, vec![0; remainders.len()]), step, accepts)
}

/// A minimum or maximum that stands inside a remainder or exclusive or; an innermost one.
pub(super) fn hidden_choice(term: &Term) -> Option<&Term> {
    match term {
        Term::Mod(inner, _) => innermost_choice(inner),
        Term::Xor(items) => items.iter().find_map(innermost_choice),
        Term::Sum(items) | Term::Min(items) | Term::Max(items) => {
            items.iter().find_map(hidden_choice)
        }
        Term::Scale(_, inner) => hidden_choice(inner),
        _ => None,
    }
}

fn innermost_choice(term: &Term) -> Option<&Term> {
    match term {
        Term::Min(items) | Term::Max(items) => {
            items.iter().find_map(innermost_choice).or(Some(term))
        }
        Term::Sum(items) | Term::Xor(items) => items.iter().find_map(innermost_choice),
        Term::Scale(_, inner) | Term::Mod(inner, _) => innermost_choice(inner),
        _ => None,
    }
}

/// An operand of an exclusive or that is neither a stack nor a number nor an exclusive or; an
/// innermost one.
pub(super) fn xor_operand(term: &Term) -> Option<&Term> {
    match term {
        Term::Sum(items) | Term::Min(items) | Term::Max(items) => {
            items.iter().find_map(xor_operand)
        }
        Term::Xor(items) => items.iter().find_map(|item| {
            let other =
                !matches!(item, Term::Stack(_) | Term::Constant(_) | Term::Xor(_) | Term::Name(_));
            xor_operand(item).or(other.then_some(item))
        }),
        Term::Scale(_, inner) | Term::Mod(inner, _) => xor_operand(inner),
        _ => None,
    }
}

/// The term with every occurrence of `from` replaced.
pub(super) fn replace(term: &Term, from: &Term, to: &Term) -> Term {
    if term == from {
        return to.clone();
    }
    let list =
        |items: &[Term]| -> Vec<Term> { items.iter().map(|t| replace(t, from, to)).collect() };
    match term {
        Term::Sum(items) => Term::sum(list(items)),
        Term::Min(items) => Term::Min(list(items)),
        Term::Max(items) => Term::Max(list(items)),
        Term::Xor(items) => Term::Xor(list(items)),
        Term::Scale(factor, inner) => Term::Scale(*factor, replace(inner, from, to).into()),
        Term::Mod(inner, modulus) => Term::Mod(replace(inner, from, to).into(), *modulus),
        other => other.clone(),
    }
}

/// How many minima and maxima a term has, unless it is nested too deep.
pub(super) fn choices(term: &Term) -> Option<usize> {
    fn count(term: &Term, depth: usize) -> Option<usize> {
        if depth > MOST_DEPTH {
            return None;
        }
        let sum = |items: &[Term]| -> Option<usize> {
            items.iter().try_fold(0, |sum, t| Some(sum + count(t, depth + 1)?))
        };
        match term {
            Term::Min(items) | Term::Max(items) => Some(1 + sum(items)?),
            Term::Sum(items) | Term::Xor(items) => sum(items),
            Term::Scale(_, inner) | Term::Mod(inner, _) => count(inner, depth + 1),
            _ => Some(0),
        }
    }
    count(term, 0)
}
