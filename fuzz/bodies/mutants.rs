//! Certificates that are changed by structure, not by bytes: numbers, items of lists and whole subtrees.
//! Whatever the checker still accepts must be true of the table of a small box. Called with random choices
//! by the fuzzer and by the property tests of the crate that finds proofs.

use nimatron_formula::{Context, Formula};
use nimatron_game::symmetry::Symmetry;
use nimatron_game::{Game, Height, Outcome};
use nimatron_meaning::Evaluator;
use nimatron_table::naive;
use nimatron_verify::{Accepted, Budget, Certificate, Proof, verify_within};
use serde_json::Value;

/// What became of a changed certificate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fate {
    /// It cannot even be read.
    Unreadable,
    /// An obligation failed.
    Rejected(&'static str),
    /// It was accepted, and its claim agrees with the table.
    True,
}

/// Choices drawn from bytes; when these are used up every choice is the first.
struct Choices<'a>(&'a [u8]);

impl Choices<'_> {
    fn below(&mut self, count: usize) -> usize {
        let mut number = 0;
        for _ in 0..2 {
            let (first, rest) = self.0.split_first().unwrap_or((&0, &[]));
            number = number << 8 | usize::from(*first);
            self.0 = rest;
        }
        number % count.max(1)
    }
}

/// Changes a certificate as the bytes say, and compares what the checker accepts with a table.
///
/// # Panics
/// If a false claim is accepted.
pub(crate) fn check(certificate: &str, bytes: &[u8]) -> Fate {
    let mut choices = Choices(bytes);
    let original: Value = serde_json::from_str(certificate).expect("a certificate");
    let mut changed = original.clone();
    for _ in 0..1 + choices.below(3) {
        // Mostly in the proof itself.
        let within = if choices.below(16) == 0 { &mut changed } else { &mut changed["proof"] };
        let place = choices.below(size(within));
        if let Some(value) = find(within, &mut { place }) {
            change(value, &original["proof"], &mut choices);
        }
    }
    let text = changed.to_string();
    let Ok(certificate) = Certificate::read(text.as_bytes()) else { return Fate::Unreadable };
    let budget = Budget { steps: 1 << 26, bytes: 1 << 27 };
    match verify_within(&certificate, budget) {
        Err(rejection) => Fate::Rejected(rejection.obligation()),
        Ok(accepted) => {
            assert!(is_true(&certificate, &accepted), "accepted: {text}");
            Fate::True
        }
    }
}

/// How many values there are, those inside of others included.
fn size(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(size).sum::<usize>(),
        Value::Object(fields) => fields.values().map(size).sum(),
        _ => 0,
    }
}

/// The value with this number.
fn find<'a>(value: &'a mut Value, number: &mut usize) -> Option<&'a mut Value> {
    if *number == 0 {
        return Some(value);
    }
    *number -= 1;
    match value {
        Value::Array(items) => items.iter_mut().find_map(|item| find(item, number)),
        Value::Object(fields) => fields.values_mut().find_map(|item| find(item, number)),
        _ => None,
    }
}

const GAMES: [&str; 8] =
    ["CN(4,2)", "Nim(2)", "misere Nim(2)", "CN(5,3)", "PN(4,2)", "CN(3,2)", "Nim(3)", "Exact(3,2)"];

fn change(value: &mut Value, donors: &Value, choices: &mut Choices) {
    // Now and then something of the same kind from elsewhere.
    if choices.below(4) == 0 {
        let mut donors = donors.clone();
        let place = choices.below(size(&donors));
        if let Some(donor) = find(&mut donors, &mut { place })
            && std::mem::discriminant(donor) == std::mem::discriminant(value)
        {
            *value = donor.clone();
            return;
        }
    }
    match value {
        Value::Number(number) => {
            let old = number.as_i64().unwrap_or_default();
            *value = match choices.below(8) {
                0 => old.saturating_add(1),
                1 => old.saturating_sub(1),
                2 => old.saturating_neg(),
                3 => 0,
                4 => choices.below(64) as i64,
                5 => old ^ 1 << choices.below(8),
                6 => i64::MAX - choices.below(2) as i64,
                _ => i64::from(u32::MAX) + choices.below(2) as i64,
            }
            .into();
        }
        Value::Array(items) if !items.is_empty() => {
            let (a, b) = (choices.below(items.len()), choices.below(items.len()));
            match choices.below(6) {
                0 => drop(items.remove(a)),
                1 => items.insert(b, items[a].clone()),
                2 => items.swap(a, b),
                3 => items.truncate(a),
                4 => items.reverse(),
                _ => items[b] = items[a].clone(),
            }
        }
        Value::Object(fields) => {
            let key = fields.keys().nth(choices.below(fields.len().max(1))).cloned();
            key.map(|key| fields.remove(&key));
        }
        Value::Bool(flag) => *flag = !*flag,
        Value::String(text) => *text = GAMES[choices.below(GAMES.len())].to_string(),
        _ => {}
    }
}

/// Whether the claim agrees with the table of a small box.
fn is_true(certificate: &Certificate, accepted: &Accepted) -> bool {
    let game = &accepted.game;
    let max = [15, 15, 15, 7, 4, 3, 2][game.stacks().min(6)];
    if game.stacks() > 6 {
        return true;
    }
    let table = naive::outcomes(game, &vec![max; game.stacks()]).expect("a small box");
    let claimed = claim(certificate, accepted, game);
    table.iter().all(|(position, outcome)| claimed(&position) == (outcome == Outcome::P))
}

/// Whether a position is claimed to be P.
type Claim = dyn Fn(&[Height]) -> bool;

/// The set that is claimed, by its formula or its automaton.
fn claim(certificate: &Certificate, accepted: &Accepted, game: &Game) -> Box<Claim> {
    if let Some(text) = &accepted.formula {
        let context = Context::of_game(game);
        let formula = Formula::parse(text, &context).expect("what is accepted is a formula");
        let group: Vec<Vec<usize>> = match game.single() {
            Some(rule) => {
                let elements = Symmetry::of(rule).elements_up_to(5040).expect("a small group");
                elements.iter().map(|g| g.images().collect()).collect()
            }
            None => vec![(0..game.stacks()).collect()],
        };
        let set = Evaluator::new(&formula, &context, &group).expect("a small formula");
        return Box::new(move |heights| set.holds(heights));
    }
    let Proof::Automaton(proof) = &certificate.proof else { panic!("no formula") };
    let dfa = proof.dfa.clone();
    Box::new(move |heights| {
        let letters = (0..8).rev().map(|bit| {
            heights.iter().enumerate().fold(0, |all, (s, h)| all | (h >> bit & 1) << s) as usize
        });
        let end = letters.fold(dfa.initial, |q, letter| dfa.next[q as usize][letter]);
        dfa.accepting[end as usize]
    })
}
