//! Formulas beside automata: comparisons of sums, joined; each sum is followed digit by digit.
//!
//! What is written here is checked by the theory `Readable`. A formula with other words is not
//! written, and the theorem is about the automaton alone.

use crate::ExportError;
use crate::names;
use nimatron_formula::{Context, Formula, Relation, Term};
use nimatron_game::Game;
use nimatron_game::symmetry::Symmetry;
use nimatron_verify::automaton::Dfa;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write;

/// The most comparisons.
const MAX_SUMS: usize = 200;

/// The most symmetries.
const MAX_SYMMETRIES: usize = 24;

/// The most combinations of a state and tracks.
const MAX_PAIRS: usize = 1 << 14;

/// The greatest coefficient.
const MAX_NUMBER: i64 = 1 << 20;

/// By set of stacks, as bits: the coefficient of the exclusive or of their heights; 0 is the constant.
type Sum = BTreeMap<u32, i64>;

/// Comparisons, joined.
enum Phrase {
    /// The sum with this number is 0.
    Zero(usize),
    /// The sum with this number is at least 0.
    AtLeast(usize),
    /// All of them hold, or some does.
    Join(bool, Vec<Phrase>),
    Not(Box<Phrase>),
}

/// A formula, taken apart.
pub(crate) struct Readable {
    /// The formula in the words of Coq.
    pub(crate) statement: String,
    phrase: String,
    sums: Vec<Sum>,
    /// By state: the tracks that it is met with.
    reached: BTreeMap<u32, BTreeSet<Vec<Track>>>,
}

/// What is known of a sum, without its constant: its value, or its sign from now on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Track {
    Value(i128),
    Positive,
    Negative,
}

impl Readable {
    /// The formula of a certificate beside its automaton; `None` if it has words that are not followed here.
    pub(crate) fn new(game: &Game, formula: &str, dfa: &Dfa) -> Option<Self> {
        let formula = Formula::parse(formula, &Context::of_game(game)).ok()?;
        // Only `sym` needs them.
        let group =
            game.single().and_then(|rule| Symmetry::of(rule).elements_up_to(MAX_SYMMETRIES));
        let group = group.unwrap_or_default();
        let mut reader = Reader {
            stacks: game.stacks(),
            group: group.iter().map(|g| g.images().collect()).collect(),
            sums: Vec::new(),
        };
        let image: Vec<usize> = (0..game.stacks()).collect();
        let phrase = reader.formula(&formula, &image)?;
        let sums = reader.sums;
        let reached = reached(dfa, &sums)?;
        let heights = names::heights(game.stacks());
        let statement = phrase.statement(&sums, &heights, false);
        Some(Readable { statement, phrase: phrase.text(), sums, reached })
    }

    /// Writes what the theory checks.
    pub(crate) fn write(&self, to: &mut dyn Write) -> Result<(), ExportError> {
        let sums: Vec<String> = self.sums.iter().map(sum_text).collect();
        writeln!(to, "Import Readable.")?;
        writeln!(to, "Definition sums : list sum := [\n    {}].", sums.join(";\n    "))?;
        writeln!(to, "Definition words : phrase := {}.", self.phrase)?;
        writeln!(to, "Definition reached : list (N * list (list track)) := [")?;
        for (i, (state, tracks)) in self.reached.iter().enumerate() {
            let each = |tracks: &Vec<Track>| {
                let tracks: Vec<String> = tracks.iter().map(track_text).collect();
                format!("[{}]", tracks.join("; "))
            };
            let tracks: Vec<String> = tracks.iter().map(each).collect();
            let comma = if i == 0 { "" } else { ";\n" };
            write!(to, "{comma}    ({state}%N, [{}])", tracks.join("; "))?;
        }
        Ok(writeln!(to, "].\n")?)
    }
}

fn track_text(track: &Track) -> String {
    match track {
        Track::Value(v) => format!("Value ({v})"),
        Track::Positive => "Positive".to_string(),
        Track::Negative => "Negative".to_string(),
    }
}

/// The stacks of an exclusive or.
fn stacks(set: u32) -> impl Iterator<Item = usize> {
    (0..32).filter(move |stack| set >> stack & 1 == 1)
}

fn sum_text(sum: &Sum) -> String {
    let multiples = sum.iter().filter(|(set, _)| **set != 0).map(|(&set, c)| {
        let stacks: Vec<String> = stacks(set).map(|s| s.to_string()).collect();
        format!("(({c})%Z, [{}]%nat)", stacks.join("; "))
    });
    let multiples: Vec<String> = multiples.collect();
    format!("Sum_of ({}) [{}]", sum.get(&0).copied().unwrap_or(0), multiples.join("; "))
}

struct Reader {
    stacks: usize,
    /// The symmetries of the game; none if there are too many.
    group: Vec<Vec<usize>>,
    sums: Vec<Sum>,
}

impl Reader {
    /// The phrase of a formula, where `image` says what its stacks are.
    fn formula(&mut self, formula: &Formula, image: &[usize]) -> Option<Phrase> {
        match formula {
            Formula::Compare(l, relation, r) => self.compare(l, *relation, r, image),
            Formula::And(items) | Formula::Or(items) => {
                let items = items.iter().map(|item| self.formula(item, image));
                let all = matches!(formula, Formula::And(_));
                Some(Phrase::join(all, items.collect::<Option<_>>()?))
            }
            Formula::Not(inner) => Some(Phrase::Not(self.formula(inner, image)?.into())),
            Formula::Sym(_) if self.group.is_empty() => None,
            Formula::Sym(inner) => {
                let mut items = Vec::new();
                let (before, group) = (self.sums.len(), self.group.clone());
                let mut seen = BTreeSet::new();
                for g in &group {
                    let image: Vec<usize> = image.iter().map(|&stack| g[stack]).collect();
                    let phrase = self.formula(inner, &image)?;
                    // Images that say the same are said once.
                    if seen.insert(phrase.statement(&self.sums, &names::heights(self.stacks), true))
                    {
                        items.push(phrase);
                    }
                }
                (self.sums.len() - before <= MAX_SUMS).then_some(Phrase::join(false, items))
            }
            _ => None,
        }
    }

    fn compare(
        &mut self,
        l: &Term,
        relation: Relation,
        r: &Term,
        image: &[usize],
    ) -> Option<Phrase> {
        match (self.choice(l), self.choice(r)) {
            (None, None) => {}
            (None, Some((min, items))) => {
                return self.with_choice(l, relation, min, &items, image);
            }
            (Some((min, items)), None) => {
                let turned = match relation {
                    Relation::Less => Relation::Greater,
                    Relation::Greater => Relation::Less,
                    Relation::AtMost => Relation::AtLeast,
                    Relation::AtLeast => Relation::AtMost,
                    same => same,
                };
                return self.with_choice(r, turned, min, &items, image);
            }
            _ => return None,
        }
        // left - right, or right - left, is 0, or at least 0 or 1.
        let (sign, least) = match relation {
            Relation::AtMost => (-1, 0),
            Relation::Less => (-1, 1),
            Relation::Greater => (1, 1),
            _ => (1, 0),
        };
        let mut sum = Sum::from([(0, -least)]);
        add(&mut sum, sign, &self.term(l, image)?)?;
        add(&mut sum, -sign, &self.term(r, image)?)?;
        let number = self.sums.iter().position(|known| *known == sum).unwrap_or(self.sums.len());
        if number == self.sums.len() {
            self.sums.push(sum);
        }
        if self.sums.len() > MAX_SUMS {
            return None;
        }
        Some(match relation {
            Relation::Equal => Phrase::Zero(number),
            Relation::NotEqual => Phrase::Not(Phrase::Zero(number).into()),
            _ => Phrase::AtLeast(number),
        })
    }

    /// A minimum, or a maximum, and its items.
    fn choice(&self, term: &Term) -> Option<(bool, Vec<Term>)> {
        let stacks = || (0..self.stacks).map(Term::Stack).collect();
        match term {
            Term::Least => Some((true, stacks())),
            Term::Greatest => Some((false, stacks())),
            Term::Min(items) => Some((true, items.clone())),
            Term::Max(items) => Some((false, items.clone())),
            _ => None,
        }
    }

    /// A term compared with a minimum or a maximum: with all items, or with one of them.
    fn with_choice(
        &mut self,
        term: &Term,
        relation: Relation,
        min: bool,
        items: &[Term],
        image: &[usize],
    ) -> Option<Phrase> {
        if relation == Relation::NotEqual {
            let equal = self.with_choice(term, Relation::Equal, min, items, image)?;
            return Some(Phrase::Not(equal.into()));
        }
        // An item that is the term itself says nothing where all count, and settles it where one does.
        let is_item = items.contains(term);
        let mut part = |relation: Relation, all: bool| {
            let others = items.iter().filter(|item| *item != term);
            let parts = others.map(|item| self.compare(term, relation, item, image));
            Some(Phrase::join(all, parts.collect::<Option<Vec<_>>>()?))
        };
        let (below, above) = (Relation::AtMost, Relation::AtLeast);
        match relation {
            // At most a minimum: at most each item; at least a minimum: at least some item.
            Relation::Equal if is_item => part(if min { below } else { above }, true),
            Relation::Equal => {
                Some(Phrase::join(true, vec![part(below, min)?, part(above, !min)?]))
            }
            _ if is_item => None,
            Relation::AtMost | Relation::Less => part(relation, min),
            _ => part(relation, !min),
        }
    }

    /// A term as a sum.
    fn term(&self, term: &Term, image: &[usize]) -> Option<Sum> {
        let stack = |s: usize| Some(1u32 << image.get(s)?);
        let mut sum = Sum::new();
        match term {
            Term::Constant(c) => add(&mut sum, 1, &Sum::from([(0, *c)]))?,
            Term::Stack(s) => add(&mut sum, 1, &Sum::from([(stack(*s)?, 1)]))?,
            Term::Total => {
                for s in 0..self.stacks {
                    add(&mut sum, 1, &Sum::from([(stack(s)?, 1)]))?;
                }
            }
            Term::Sum(items) => {
                for item in items {
                    add(&mut sum, 1, &self.term(item, image)?)?;
                }
            }
            Term::Scale(by, inner) => add(&mut sum, *by, &self.term(inner, image)?)?,
            Term::Xor(items) => {
                let mut set = 0;
                for item in items {
                    let Term::Stack(s) = item else { return None };
                    set ^= stack(*s)?;
                }
                if set != 0 {
                    sum.insert(set, 1);
                }
            }
            _ => return None,
        }
        Some(sum)
    }
}

fn add(sum: &mut Sum, factor: i64, other: &Sum) -> Option<()> {
    for (&set, c) in other {
        let entry = sum.entry(set).or_default();
        *entry = entry.checked_add(factor.checked_mul(*c)?)?;
        if entry.abs() > MAX_NUMBER {
            return None;
        }
    }
    sum.retain(|_, c| *c != 0);
    Some(())
}

impl Phrase {
    fn join(all: bool, mut items: Vec<Phrase>) -> Phrase {
        match items.len() {
            1 => items.remove(0),
            _ => Phrase::Join(all, items),
        }
    }

    /// The phrase for the theory.
    fn text(&self) -> String {
        match self {
            Phrase::Zero(number) => format!("(Is_zero {number})"),
            Phrase::AtLeast(number) => format!("(At_least_zero {number})"),
            Phrase::Not(inner) => format!("(Neither {})", inner.text()),
            Phrase::Join(all, items) => {
                let name = if *all { "Both" } else { "Either" };
                let texts: Vec<String> = items.iter().map(Phrase::text).collect();
                match texts.split_last() {
                    // Nothing: 0 = 0, or not.
                    None if *all => "(Both (At_least_zero 9999) (At_least_zero 9999))".to_string(),
                    None => "(Neither (At_least_zero 9999))".to_string(),
                    Some((last, rest)) => rest
                        .iter()
                        .rev()
                        .fold(last.clone(), |text, item| format!("({name} {item} {text})")),
                }
            }
        }
    }

    /// The same as a reader would write it.
    fn statement(&self, sums: &[Sum], heights: &[String], inside: bool) -> String {
        match self {
            Phrase::Zero(number) => comparison(&sums[*number], "=", heights),
            Phrase::AtLeast(number) => comparison(&sums[*number], "<=", heights),
            Phrase::Not(inner) => format!("~ ({})", inner.statement(sums, heights, false)),
            Phrase::Join(all, items) => {
                let sign = if *all { " /\\ " } else { " \\/ " };
                let texts: Vec<String> =
                    items.iter().map(|item| item.statement(sums, heights, true)).collect();
                match texts.is_empty() {
                    true if *all => "(0 <= 0 /\\ 0 <= 0)".to_string(),
                    true => "~ (0 <= 0)".to_string(),
                    false if inside => format!("({})", texts.join(sign)),
                    false => texts.join(sign),
                }
            }
        }
    }
}

/// `what is negative <= what is positive`, without signs; an equation has the positive side first.
fn comparison(sum: &Sum, sign: &str, heights: &[String]) -> String {
    let side = |positive: bool| {
        let constant = sum.iter().filter(|(set, _)| **set == 0);
        let terms = sum.iter().filter(|(set, _)| **set != 0).chain(constant);
        let terms = terms.filter(|(_, c)| (**c > 0) == positive);
        let terms: Vec<String> = terms.map(|(&set, &c)| multiple(set, c.abs(), heights)).collect();
        if terms.is_empty() { "0".to_string() } else { terms.join(" + ") }
    };
    match sign {
        "=" => format!("{} = {}", side(true), side(false)),
        _ => format!("{} {sign} {}", side(false), side(true)),
    }
}

fn multiple(set: u32, times: i64, heights: &[String]) -> String {
    let mut names: Vec<&String> = stacks(set).filter_map(|stack| heights.get(stack)).collect();
    let Some(last) = names.pop() else { return times.to_string() };
    let mut text = last.clone();
    for (i, name) in names.iter().rev().enumerate() {
        text = if i == 0 {
            format!("Nat.lxor {name} {text}")
        } else {
            format!("Nat.lxor {name} ({text})")
        };
    }
    if times == 1 {
        return text;
    }
    let mut scaled = String::new();
    let _ = match names.is_empty() {
        true => write!(scaled, "{times} * {text}"),
        false => write!(scaled, "{times} * ({text})"),
    };
    scaled
}

/// All states with the tracks that they are met with.
fn reached(dfa: &Dfa, sums: &[Sum]) -> Option<BTreeMap<u32, BTreeSet<Vec<Track>>>> {
    let start = (dfa.initial, vec![Track::Value(0); sums.len()]);
    let (mut seen, mut open) = (BTreeMap::new(), vec![start]);
    let mut pairs = 0;
    while let Some((state, tracks)) = open.pop() {
        let known: &mut BTreeSet<Vec<Track>> = seen.entry(state).or_default();
        if !known.insert(tracks.clone()) {
            continue;
        }
        pairs += 1;
        if pairs > MAX_PAIRS {
            return None;
        }
        for (letter, &next) in (0u32..).zip(dfa.next.get(state as usize)?) {
            let tracks = sums.iter().zip(&tracks).map(|(sum, track)| step(sum, *track, letter));
            open.push((next, tracks.collect()));
        }
    }
    Some(seen)
}

/// The track after one more letter.
fn step(sum: &Sum, track: Track, letter: u32) -> Track {
    let Track::Value(before) = track else { return track };
    let terms = || sum.iter().filter(|(set, _)| **set != 0).map(|(set, c)| (set, i128::from(*c)));
    let odd = terms().filter(|(set, _)| (*set & letter).count_ones() % 2 == 1);
    let value = 2 * before + odd.map(|(_, c)| c).sum::<i128>();
    let up: i128 = terms().map(|(_, c)| c.max(0)).sum();
    let down: i128 = terms().map(|(_, c)| (-c).max(0)).sum();
    let constant = i128::from(sum.get(&0).copied().unwrap_or(0));
    if down <= value && 0 < value + constant {
        Track::Positive
    } else if value <= -up && value + constant < 0 {
        Track::Negative
    } else {
        Track::Value(value)
    }
}
