//! `formula`: the formula of a certificate holds exactly at the positions that its automaton accepts.
//!
//! The formula is taken apart until only comparisons of sums of multiples are left, which the module
//! `digits` follows digit by digit. Then all pairs (state of the automaton, state of the formula)
//! that some word reaches are visited, and in each the one must accept exactly if the other holds.
//!
//! Whatever is not settled by the digits read so far is guessed: the multiples of the vectors of a
//! `span`, the height that `reduced` chops at, and the terms of an exclusive or that are not stacks.

use super::Dfa;
use super::digits::{MAX_TRACKS, Part, Parts};
use super::form::{Form, MAX_NUMBER, MAX_SUMMANDS, too_large};
use crate::flaw::{Budget, Rejection, difference};
use crate::regions::symmetries;
use nimatron_formula::{Context, Formula, Relation, Term};
use nimatron_game::{Game, Height, Position, StackSet};
use std::collections::HashSet;

/// The deepest nesting, names written out.
const MAX_DEPTH: usize = 300;

/// Checks that a well-formed automaton accepts just the positions at which a formula holds.
pub(super) fn check(
    game: &Game,
    formula: &Formula,
    dfa: &Dfa,
    budget: &mut Budget,
) -> Result<(), Rejection> {
    let has_sym = formula.any(&mut |part| matches!(part, Formula::Sym(_)));
    let symmetries = match has_sym {
        true => symmetries(game)?,
        false => Vec::new(),
    };
    let stacks = game.stacks();
    let least_move = Context::of_game(game).least_move();
    let mut reader = Reader { stacks, least_move, parts: Parts::new(stacks, symmetries, budget) };
    let scope = Scope { first: 0, tracks: stacks, names: Vec::new(), depth: 0 };
    let whole = reader.formula(formula, scope)?;
    let mut parts = reader.parts;

    // Each pair with the number of the one before it and the letter between them. Shorter words come
    // first, so that the first difference is a shortest one.
    let start = (dfa.initial, parts.start(whole)?);
    let mut seen = HashSet::from([start]);
    let mut visited = vec![(start, 0, 0)];
    let mut at = 0;
    while let Some(&((q, state), ..)) = visited.get(at) {
        let accepted = dfa.accepting[q as usize];
        if accepted != parts.holds(whole, state) {
            let mut word = Vec::new();
            while at > 0 {
                word.push(visited[at].2);
                at = visited[at].1;
            }
            let position = position(stacks, word.into_iter().rev());
            let words = ["the automaton accepts", "the automaton does not accept"];
            return Err(difference(words, accepted, position));
        }
        for (letter, &r) in (0..).zip(&dfa.next[q as usize]) {
            parts.count(1)?;
            let to = (r, parts.next(whole, state, letter)?);
            if seen.insert(to) {
                parts.remember(0)?;
                visited.push((to, at, letter));
            }
        }
        at += 1;
    }
    Ok(())
}

/// The position that a word stands for, unless it is too tall.
fn position(stacks: usize, word: impl Iterator<Item = u32>) -> Option<Position> {
    let mut heights: Vec<Height> = vec![0; stacks];
    for letter in word {
        for (stack, height) in heights.iter_mut().enumerate() {
            *height = height.checked_mul(2)? | Height::from(letter >> stack & 1);
        }
    }
    Position::new(heights).ok()
}

/// What the words of a part of the formula mean.
#[derive(Clone)]
struct Scope<'a> {
    /// The track of the first stack; the others follow.
    first: usize,
    /// The number of tracks in use.
    tracks: usize,
    /// What the names stand for.
    names: Vec<(&'a str, &'a Term)>,
    /// How many terms there are around this one.
    depth: usize,
}

impl Scope<'_> {
    /// A track that is not in use.
    fn new_track(&mut self) -> Result<usize, Rejection> {
        self.tracks += 1;
        if self.tracks > MAX_TRACKS { Err(too_large()) } else { Ok(self.tracks - 1) }
    }
}

/// The numbers that are guessed in a comparison.
struct Guesses {
    /// The first of their tracks.
    first: usize,
    /// By number, as bits: whether it stands for a negative term.
    signs: u32,
    /// What holds for them.
    known: Vec<usize>,
}

/// Takes a formula apart.
struct Reader<'b> {
    stacks: usize,
    least_move: Option<usize>,
    parts: Parts<'b>,
}

impl Reader<'_> {
    /// The part of a formula.
    fn formula(&mut self, formula: &Formula, scope: Scope) -> Result<usize, Rejection> {
        let stacks = 0..self.stacks;
        match formula {
            Formula::Compare(left, relation, right) => self.compare(left, *relation, right, &scope),
            Formula::And(items) | Formula::Or(items) => {
                let of = items.iter().map(|item| self.formula(item, scope.clone()));
                let of = of.collect::<Result<_, _>>()?;
                self.parts.join(matches!(formula, Formula::And(_)), of)
            }
            Formula::Not(inner) => {
                let of = self.formula(inner, scope)?;
                self.parts.add(Part::Not(of))
            }
            Formula::Sym(inner) => {
                let first = scope.first;
                let of = self.formula(inner, Scope { names: Vec::new(), ..scope })?;
                self.parts.add(Part::Image { first, of })
            }
            Formula::Digits(inner) => {
                let of = self.formula(inner, Scope { names: Vec::new(), ..scope })?;
                self.parts.add(Part::Places { of })
            }
            Formula::Then(high, low) => {
                let inside = Scope { names: Vec::new(), ..scope };
                let high = self.formula(high, inside.clone())?;
                let low = self.formula(low, inside)?;
                self.parts.add(Part::Then { high, low })
            }
            Formula::Let(name, value, body) => {
                let mut scope = scope;
                scope.names.push((name, value));
                self.formula(body, scope)
            }
            // Every height is the sum of the multiples of the vectors with a one there.
            Formula::Span(vectors) => {
                let mut inside = scope.clone();
                let mut heights: Vec<Form> = stacks.map(|s| track(scope.first + s)).collect();
                for vector in vectors {
                    let multiple = track(inside.new_track()?);
                    for stack in vector.iter() {
                        heights[stack].add(-1, &multiple)?;
                    }
                }
                let equation = |form| self.parts.add(Part::Compare { form, is_equation: true });
                let of = heights.into_iter().map(equation).collect::<Result<_, _>>()?;
                let all = self.parts.join(true, of)?;
                self.some(&scope, vectors.len(), all)
            }
            // There is a height m, the greatest one that fits, and the formula holds for min(x, m).
            // That m + 1 does not fit is enough: with any height all lesser ones fit, because the sum of
            // all min(x, m) is concave in m.
            Formula::Reduced(inner) => {
                let mut inside = Scope { names: Vec::new(), ..scope.clone() };
                let height = inside.new_track()?;
                let m = Term::Stack(height - scope.first);
                let fits = self.fits(&m)?;
                let next_fits = self.fits(&Term::sum([m, Term::Constant(1)]))?;
                let greatest = Formula::And(vec![fits, Formula::Not(next_fits.into())]);
                let greatest = self.formula(&greatest, inside.clone())?;
                let mut chopped = Scope { first: inside.tracks, ..inside.clone() };
                stacks.into_iter().try_for_each(|_| chopped.new_track().map(drop))?;
                let of = self.formula(inner, chopped)?;
                let holds = self.parts.add(Part::Chop { first: scope.first, height, of })?;
                let both = self.parts.join(true, vec![greatest, holds])?;
                self.some(&scope, 1, both)
            }
        }
    }

    /// Heights can be chopped at m ([`nimatron_game::slow`]): m is at most the tallest, and a times m is
    /// at most the sum of all min(x, m), a being the least number of stacks in a move.
    ///
    /// The sum is not greater if some of the x take the place of min(x, m), and m that of the others; and
    /// it is the same if these others are the stacks that are not less than m. So the second
    /// condition says that for all sets of others a times m is at most such a sum, unless one of them
    /// is less than m.
    fn fits(&self, m: &Term) -> Result<Formula, Rejection> {
        let least = self.least_move.and_then(|least| i64::try_from(least).ok());
        let moved = Term::scale(least.ok_or_else(too_large)?, m.clone());
        let enough = |others: StackSet| {
            let height = |x| if others.contains(x) { m.clone() } else { Term::Stack(x) };
            let sum = Term::sum((0..self.stacks).map(height));
            let less = |x| Formula::Compare(Term::Stack(x), Relation::Less, m.clone());
            let bound = Formula::Compare(moved.clone(), Relation::AtMost, sum);
            Formula::Or(others.iter().map(less).chain([bound]).collect())
        };
        let low = Formula::Compare(m.clone(), Relation::AtMost, Term::Greatest);
        let sets = StackSet::first(self.stacks).subsets();
        Ok(Formula::And([low].into_iter().chain(sets.map(enough)).collect()))
    }

    /// The part for some numbers on so many tracks that are not in use.
    fn some(&mut self, scope: &Scope, count: usize, of: usize) -> Result<usize, Rejection> {
        let first = scope.tracks;
        if count == 0 { Ok(of) } else { self.parts.add(Part::Guess { first, count, of }) }
    }

    fn compare(
        &mut self,
        left: &Term,
        relation: Relation,
        right: &Term,
        scope: &Scope,
    ) -> Result<usize, Rejection> {
        // left - right, or right - left, is 0, or at least 0 or 1.
        let (sign, least) = match relation {
            Relation::Equal | Relation::NotEqual | Relation::AtLeast => (1, 0),
            Relation::Greater => (1, 1),
            Relation::AtMost => (-1, 0),
            Relation::Less => (-1, 1),
        };
        let is_equation = matches!(relation, Relation::Equal | Relation::NotEqual);
        let mut sum = vec![(-least, Term::Constant(1))];
        self.summands(sign, left, scope, &mut sum)?;
        self.summands(-sign, right, scope, &mut sum)?;
        let part = self.settle(sum, is_equation, scope)?;
        match relation {
            Relation::NotEqual => self.parts.add(Part::Not(part)),
            _ => Ok(part),
        }
    }

    /// Takes a multiple of a term apart into multiples of terms that are no sums or multiples.
    fn summands(
        &mut self,
        factor: i128,
        term: &Term,
        scope: &Scope,
        sum: &mut Vec<(i128, Term)>,
    ) -> Result<(), Rejection> {
        let scope = self.deeper(scope)?;
        match self.plain(term, &scope)? {
            Term::Sum(items) => {
                items.iter().try_for_each(|item| self.summands(factor, item, &scope, sum))
            }
            Term::Scale(by, inner) => {
                let factor = factor.checked_mul(by.into()).filter(|f| f.abs() <= MAX_NUMBER);
                self.summands(factor.ok_or_else(too_large)?, &inner, &scope, sum)
            }
            _ if sum.len() == MAX_SUMMANDS => Err(too_large()),
            other => {
                sum.push((factor, other));
                Ok(())
            }
        }
    }

    /// A sum of multiples is zero, or at least zero.
    ///
    /// A positive multiple of a minimum is the least of what its items give. So the sum is at least
    /// zero with the minimum if it is with all of its items. With a maximum in place of the
    /// minimum, or a negative multiple, it must be with one of the items.
    fn settle(
        &mut self,
        mut sum: Vec<(i128, Term)>,
        is_equation: bool,
        scope: &Scope,
    ) -> Result<usize, Rejection> {
        self.parts.count(100 * sum.len() as u64)?;
        let is_choice = |(_, term): &(i128, Term)| matches!(term, Term::Min(_) | Term::Max(_));
        let Some(place) = sum.iter().position(is_choice) else {
            return self.forms(&sum, is_equation, scope);
        };
        if is_equation {
            let negative = sum.iter().map(|(factor, term)| (-factor, term.clone())).collect();
            let both = vec![self.settle(sum, false, scope)?, self.settle(negative, false, scope)?];
            return self.parts.join(true, both);
        }
        let (factor, choice) = sum.swap_remove(place);
        let (Term::Min(items) | Term::Max(items)) = &choice else { return Err(too_large()) };
        let mut of = Vec::new();
        for item in items {
            let mut sum = sum.clone();
            self.summands(factor, item, scope, &mut sum)?;
            of.push(self.settle(sum, false, scope)?);
        }
        self.parts.join(matches!(choice, Term::Min(_)) == (factor > 0), of)
    }

    /// The same without minima and maxima other than inside of remainders and exclusive ors.
    ///
    /// Numbers that have to be guessed may be negative; one case for each choice of the signs.
    fn forms(
        &mut self,
        sum: &[(i128, Term)],
        is_equation: bool,
        scope: &Scope,
    ) -> Result<usize, Rejection> {
        let (mut of, mut signs, mut count) = (Vec::new(), 0, 0);
        while signs >> count == 0 {
            let mut inside = scope.clone();
            let mut guesses = Guesses { first: scope.tracks, signs, known: Vec::new() };
            let mut form = Form::default();
            for (factor, term) in sum {
                form.add(*factor, &self.form(term, &mut guesses, &mut inside)?)?;
            }
            guesses.known.push(self.parts.add(Part::Compare { form, is_equation })?);
            of.push(self.parts.join(true, guesses.known)?);
            count = inside.tracks - scope.tracks;
            signs += 1;
        }
        let any = self.parts.join(false, of)?;
        self.some(scope, count, any)
    }

    /// The scope of a term within a term.
    fn deeper<'a>(&mut self, scope: &Scope<'a>) -> Result<Scope<'a>, Rejection> {
        self.parts.count(100)?;
        let depth = scope.depth + 1;
        if depth > MAX_DEPTH { Err(too_large()) } else { Ok(Scope { depth, ..scope.clone() }) }
    }

    /// A term, or what it is a name for.
    fn plain(&self, term: &Term, scope: &Scope) -> Result<Term, Rejection> {
        let stacks = (0..self.stacks).map(Term::Stack);
        Ok(match term {
            Term::Name(name) => {
                let known = scope.names.iter().find(|(known, _)| known == name);
                self.plain(known.ok_or_else(too_large)?.1, scope)?
            }
            Term::Total => Term::sum(stacks),
            Term::Odds => Term::sum(stacks.map(|stack| Term::Mod(stack.into(), 2))),
            Term::Least => Term::Min(stacks.collect()),
            Term::Greatest => Term::Max(stacks.collect()),
            _ => term.clone(),
        })
    }

    /// A term as a form. Numbers are guessed for minima, maxima, and what is not a stack in an exclusive
    /// or.
    fn form(
        &mut self,
        term: &Term,
        guesses: &mut Guesses,
        scope: &mut Scope,
    ) -> Result<Form, Rejection> {
        scope.depth = self.deeper(scope)?.depth;
        let term = self.plain(term, scope)?;
        let mut form = Form::default();
        match &term {
            Term::Constant(c) => form.constant = (*c).into(),
            Term::Stack(stack) => form = track(scope.first + stack),
            Term::Sum(items) => {
                for item in items {
                    form.add(1, &self.form(item, guesses, scope)?)?;
                }
            }
            Term::Scale(factor, inner) => {
                form.add((*factor).into(), &self.form(inner, guesses, scope)?)?;
            }
            Term::Mod(inner, modulus) => {
                let dividend = self.form(inner, guesses, scope)?;
                let remainders = vec![(1, dividend, (*modulus).into())];
                form.add(1, &Form { remainders, ..Form::default() })?;
            }
            Term::Xor(items) => {
                let (mut set, mut negative) = (0, false);
                for item in items {
                    let digits = match self.plain(item, scope)? {
                        item @ (Term::Stack(_) | Term::Xor(_)) => {
                            self.form(&item, guesses, scope)?
                        }
                        item => self.guessed(&item, guesses, scope)?,
                    };
                    set ^= digits.xors.keys().fold(0, |all, set| all ^ set);
                    negative ^= digits.constant == -1;
                }
                form = exclusive_or(set, negative);
            }
            _ => form = self.guessed(&term, guesses, scope)?,
        }
        scope.depth -= 1;
        Ok(form)
    }

    /// A number y that is guessed: the term is y, or, if it is to be negative, -1-y, which has the
    /// opposite digits.
    fn guessed(
        &mut self,
        term: &Term,
        guesses: &mut Guesses,
        scope: &mut Scope,
    ) -> Result<Form, Rejection> {
        let y = scope.new_track()?;
        let negative = guesses.signs >> (y - guesses.first) & 1 == 1;
        let (sign, constant) = if negative { (-1, -1) } else { (1, 0) };
        let value = Term::scale(sign, Term::Stack(y - scope.first));
        let value = Term::sum([value, Term::Constant(constant)]);
        guesses.known.push(self.compare(term, Relation::Equal, &value, scope)?);
        Ok(exclusive_or(1 << y, negative))
    }
}

fn track(track: usize) -> Form {
    exclusive_or(1 << track, false)
}

/// The exclusive or X of some tracks, or -1-X.
fn exclusive_or(set: u32, negative: bool) -> Form {
    let sign = if negative { -1 } else { 1 };
    let xors = [(set, sign)].into_iter().filter(|&(set, _)| set != 0).collect();
    Form { xors, constant: if negative { -1 } else { 0 }, ..Form::default() }
}
