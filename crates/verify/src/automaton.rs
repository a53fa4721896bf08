//! S given by a finite automaton.
//!
//! The automaton reads the heights of all stacks in parallel in binary, the most significant
//! digit first: a *letter* is one digit of every stack, bit `s` of the letter being the digit of
//! stack `s`. A position lies in S if the word of its heights, with any number of zero letters
//! in front, is accepted.
//!
//! # Moves, digit by digit
//!
//! Let a move lead from x to y. On a stack that is played x and y agree in the digits before some
//! place where x has 1 and y has 0; from there on the stack is *lowered*. Below that place the
//! digits are arbitrary, or, where a move takes exactly one token, 0 in x and 1 in y. On a stack
//! that is not played all digits agree. So (x, y) is a move exactly if, starting from "no stack is
//! lowered", each pair of letters is allowed by `Rules::step` and the stacks lowered at
//! the end are those a move may play on.
//!
//! # What is checked
//!
//! * `leading-zeros`: the zero letter leads from the initial state to itself.
//! * `stability` (I): all (state of x, state of y, lowered stacks) that can be reached are visited;
//!   in none of them are both states accepting while the lowered stacks may be played on.
//! * (II) says that every word x is accepted by the nondeterministic automaton that guesses y: its
//!   states are (state of y, lowered stacks), and one is accepting if the state is and no stack is
//!   lowered (x lies in S) or the lowered stacks may be played on (a move into S). A list of
//!   sets of such states, *macrostates*, shows it: `root`, the first is a set of initial
//!   states; `acceptance`, each contains an accepting state; `closure`, for each macrostate
//!   and letter, what can be reached from it contains a macrostate of the list. Then by induction
//!   along the word, each word leads from the first macrostate to a set with an accepting state.
//! * Misere play: `terminal`, no terminal position lies in S; and the automaton of (II) has a
//!   further initial state that remembers which stacks are not empty and accepts if no move is left.
//! * `symmetry`: relabellings of the stacks, each with the permutation of states that goes with
//!   it, are checked to preserve everything above. In `closure` the image of a macrostate is
//!   then as good as the macrostate itself.
//! * `formula`, if the certificate has one: the automaton accepts exactly the positions at which the
//!   formula holds. The module `formula` reads the formula by itself; `limit`, it gave up.

mod digits;
mod form;
mod formula;

use crate::flaw::{Budget, Rejection, flaw, require};
use nimatron_formula::{Context, Formula};
use nimatron_game::{Amounts, Game, Play, StackSet};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// The most stacks that an automaton can read in parallel.
pub const MAX_STACKS: usize = 12;

/// The most combinations of two states and a set of stacks: an automaton with more is refused.
pub const MAX_VISITS: u128 = 1 << 33;

/// A complete deterministic automaton whose letters are sets of stacks: those with digit 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dfa {
    /// The state before the first letter.
    pub initial: u32,
    /// By state: whether what has been read lies in S.
    pub accepting: Vec<bool>,
    /// By state, then by letter: the next state.
    pub next: Vec<Vec<u32>>,
}

impl Dfa {
    /// The number of states.
    pub fn states(&self) -> usize {
        self.accepting.len()
    }
}

/// A relabelling of the stacks under which the automaton looks the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StateSymmetry {
    /// By stack: its image.
    pub stacks: Vec<u32>,
    /// By state: its image.
    pub states: Vec<u32>,
}

/// A set of states of the automaton for (II), and where it leads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Macrostate {
    /// States of y with the set of lowered stacks.
    pub moves: Vec<(u32, u32)>,
    /// Misere play: the stacks that are not empty, if all of x may turn out to be terminal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terminal: Option<u32>,
    /// By letter: a macrostate and the symmetry whose image of it is reached.
    pub next: Vec<(u32, u32)>,
}

/// An automaton for S with the proof that S is the set of P-positions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AutomatonProof {
    /// A formula that holds exactly at the positions that the automaton accepts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formula: Option<String>,
    /// The automaton.
    pub dfa: Dfa,
    /// The symmetries that are used; the identity, if it is used, is listed too.
    pub symmetries: Vec<StateSymmetry>,
    /// The macrostates, beginning with the initial one.
    pub macrostates: Vec<Macrostate>,
}

/// Checks every obligation; returns the formula as it was read.
pub(crate) fn check(
    game: &Game,
    proof: &AutomatonProof,
    budget: &mut Budget,
) -> Result<Option<Formula>, Rejection> {
    let rules = Rules::new(game)?;
    well_formed(&rules, proof, budget)?;
    let dfa = &proof.dfa;
    let zero = dfa.next[dfa.initial as usize][0] == dfa.initial;
    require(zero, "leading-zeros", || "zeros in front lead to another state".into())?;
    for (number, symmetry) in proof.symmetries.iter().enumerate() {
        budget.spend(4 * rules.letters * (1 + dfa.states()))?;
        let message = || format!("relabelling {number} does not preserve game and automaton");
        require(preserves(&rules, dfa, symmetry), "symmetry", message)?;
    }
    if rules.misere {
        no_terminal_inside(&rules, dfa, budget)?;
    }
    let live = live_steps(dfa);
    stability(&rules, dfa, &live, budget)?;
    universality(&rules, proof, &live, budget)?;
    proof.formula.as_ref().map(|text| describes_within(game, text, dfa, budget)).transpose()
}

/// Checks that a formula holds exactly at the positions that an automaton accepts, whatever the
/// P-positions of the game are: the obligation `formula`. Returns the formula as it was read.
pub fn describes(game: &Game, formula: &str, dfa: &Dfa) -> Result<Formula, Rejection> {
    describes_within(game, formula, dfa, &mut Budget::default())
}

fn describes_within(
    game: &Game,
    formula: &str,
    dfa: &Dfa,
    budget: &mut Budget,
) -> Result<Formula, Rejection> {
    require(game.stacks() <= MAX_STACKS, "size", || "there are too many stacks".into())?;
    well_formed_dfa(1 << game.stacks(), dfa)?;
    let formula = Formula::parse(formula, &Context::of_game(game))
        .map_err(|error| flaw("formula", format!("the formula cannot be read: {error}")))?;
    budget.for_formula(|budget| formula::check(game, &formula, dfa, budget))?;
    Ok(formula)
}

/// The moves of a game, as they are seen by sets of stacks.
struct Rules {
    letters: usize,
    misere: bool,
    /// By set of stacks: whether it lies within a move set.
    within: Vec<bool>,
    /// By set of stacks: whether a move may play on exactly these.
    allowed: Vec<bool>,
    /// The stacks from which a move takes exactly one token; from the others any number.
    single: u32,
}

impl Rules {
    fn new(game: &Game) -> Result<Self, Rejection> {
        require(game.stacks() <= MAX_STACKS, "size", || "there are too many stacks".into())?;
        let letters = 1 << game.stacks();
        let (mut within, mut allowed, mut single) = (vec![false; letters], vec![false; letters], 0);
        for summand in game.summands() {
            let (rule, first) = (summand.rule(), summand.stacks().start);
            let own = StackSet::first(rule.stacks());
            match (rule.each(), rule.total()) {
                (Amounts::POSITIVE, Amounts::POSITIVE) => {}
                (each, Amounts::POSITIVE) if each == Amounts::exactly(1) => {
                    single |= own.bits() << first;
                }
                _ => return Err(flaw("rule", "automata cannot follow the moves of this game")),
            }
            for set in own.subsets() {
                let at = (set.bits() << first) as usize;
                within[at] = rule.sets().covers(set);
                allowed[at] = rule.allows_support(set);
            }
        }
        within[0] = true;
        Ok(Rules { letters, misere: game.convention() == Play::Misere, within, allowed, single })
    }

    /// The stacks lowered after a letter of x and a letter of y, or `None` if no move looks so.
    fn step(&self, lowered: u32, x: u32, y: u32) -> Option<u32> {
        let raised = y & !x & !lowered;
        let not_borrowed = lowered & self.single & (x | !y);
        let after = lowered | x & !y;
        (raised == 0 && not_borrowed == 0 && self.within[after as usize]).then_some(after)
    }

    /// Whether there is no move if exactly these stacks are not empty.
    fn is_terminal(&self, tokens: u32) -> bool {
        let set = StackSet::from_bits(tokens);
        !set.subsets().any(|set| self.allowed[set.bits() as usize])
    }
}

fn part(fine: bool, part: &'static str, number: usize) -> Result<(), Rejection> {
    let message =
        || format!("{part} {number} has a wrong length, an entry out of range or one twice");
    require(fine, "well-formed", message)
}

fn well_formed_dfa(letters: usize, dfa: &Dfa) -> Result<(), Rejection> {
    let states = dfa.states();
    let visits = (states as u128).pow(2) * letters as u128;
    let small = visits <= MAX_VISITS && usize::try_from(visits).is_ok();
    require(small, "size", || "the automaton is too large to be checked".into())?;
    let is_state = |&q: &u32| (q as usize) < states;
    part(is_state(&dfa.initial), "state", dfa.initial as usize)?;
    part(dfa.next.len() == states, "state", dfa.next.len())?;
    let mut rows = dfa.next.iter().enumerate();
    rows.try_for_each(|(number, row)| {
        part(row.len() == letters && row.iter().all(is_state), "state", number)
    })
}

fn well_formed(
    rules: &Rules,
    proof: &AutomatonProof,
    budget: &mut Budget,
) -> Result<(), Rejection> {
    let (states, letters) = (proof.dfa.states(), rules.letters);
    well_formed_dfa(letters, &proof.dfa)?;
    for (number, symmetry) in proof.symmetries.iter().enumerate() {
        let stacks = is_permutation(&symmetry.stacks, letters.trailing_zeros() as usize);
        part(stacks && is_permutation(&symmetry.states, states), "symmetry", number)?;
    }
    let is_set = |&set: &u32| (set as usize) < letters;
    let is_move = |(q, lowered): &(u32, u32)| (*q as usize) < states && is_set(lowered);
    let is_next = |&(target, symmetry): &(u32, u32)| {
        (target as usize) < proof.macrostates.len() && (symmetry as usize) < proof.symmetries.len()
    };
    let mut known = HashSet::new();
    for (number, macrostate) in proof.macrostates.iter().enumerate() {
        let Macrostate { moves, terminal, next } = macrostate;
        budget.spend(8 * (moves.len() + next.len()))?;
        budget.hold(8 * moves.len())?;
        let mut sorted = moves.clone();
        sorted.sort_unstable();
        let fine = next.len() == letters
            && next.iter().all(is_next)
            && moves.iter().all(is_move)
            && sorted.is_sorted_by(|a, b| a < b)
            && terminal.iter().all(|set| is_set(set) && rules.misere);
        part(fine && known.insert((sorted, terminal)), "macrostate", number)?;
    }
    Ok(())
}

fn is_permutation(images: &[u32], size: usize) -> bool {
    let mut seen = vec![false; size];
    let new = |&image: &u32| {
        seen.get_mut(image as usize).is_some_and(|seen| !std::mem::replace(seen, true))
    };
    images.len() == size && images.iter().all(new)
}

fn image(symmetry: &StateSymmetry, set: u32) -> u32 {
    StackSet::from_bits(set).iter().fold(0, |image, stack| image | 1 << symmetry.stacks[stack])
}

fn preserves(rules: &Rules, dfa: &Dfa, symmetry: &StateSymmetry) -> bool {
    let images: Vec<u32> = (0..rules.letters as u32).map(|set| image(symmetry, set)).collect();
    let state = |q: u32| symmetry.states[q as usize];
    let same_sets = images.iter().enumerate().all(|(set, &image)| {
        let image = image as usize;
        rules.within[set] == rules.within[image] && rules.allowed[set] == rules.allowed[image]
    });
    let same_states = (0..dfa.states() as u32).all(|q| {
        let (row, image_row) = (&dfa.next[q as usize], &dfa.next[state(q) as usize]);
        dfa.accepting[q as usize] == dfa.accepting[state(q) as usize]
            && row.iter().zip(&images).all(|(&r, &letter)| state(r) == image_row[letter as usize])
    });
    let single = images[rules.single as usize] == rules.single;
    same_sets && same_states && single && state(dfa.initial) == dfa.initial
}

/// By state: the letters and next states from which an accepting state can still be reached.
/// What leads elsewhere never helps a word to be accepted and is left out.
fn live_steps(dfa: &Dfa) -> Vec<Vec<(u32, u32)>> {
    let mut live = dfa.accepting.clone();
    loop {
        let leads_on = |q: &usize| !live[*q] && dfa.next[*q].iter().any(|&r| live[r as usize]);
        let more: Vec<usize> = (0..dfa.states()).filter(leads_on).collect();
        if more.is_empty() {
            break;
        }
        more.into_iter().for_each(|q| live[q] = true);
    }
    let steps = |row: &Vec<u32>| {
        let steps = row.iter().enumerate().map(|(letter, &r)| (letter as u32, r));
        steps.filter(|&(_, r)| live[r as usize]).collect()
    };
    dfa.next.iter().map(steps).collect()
}

/// `terminal`: follows (state, stacks that are not empty).
fn no_terminal_inside(rules: &Rules, dfa: &Dfa, budget: &mut Budget) -> Result<(), Rejection> {
    budget.hold(dfa.states() * rules.letters)?;
    let mut seen = vec![false; dfa.states() * rules.letters];
    let mut open = vec![(dfa.initial, 0u32)];
    while let Some((q, tokens)) = open.pop() {
        if std::mem::replace(&mut seen[q as usize * rules.letters + tokens as usize], true) {
            continue;
        }
        budget.spend(rules.letters)?;
        let fine = !dfa.accepting[q as usize] || !rules.is_terminal(tokens);
        let set = StackSet::from_bits(tokens);
        require(fine, "terminal", || {
            format!("no move is left with tokens on {set:?}, yet accepted")
        })?;
        let row = dfa.next[q as usize].iter().enumerate();
        let next = row.map(|(letter, &r)| (r, tokens | letter as u32));
        open.extend(next.filter(|&(r, t)| !seen[r as usize * rules.letters + t as usize]));
    }
    Ok(())
}

/// `stability`: follows (state of x, state of y, lowered stacks).
fn stability(
    rules: &Rules,
    dfa: &Dfa,
    live: &[Vec<(u32, u32)>],
    budget: &mut Budget,
) -> Result<(), Rejection> {
    let states = dfa.states();
    let visits = states * states * rules.letters;
    budget.hold(visits / 8)?;
    let mut seen = vec![0u64; visits.div_ceil(64)];
    let mut open = vec![(dfa.initial, dfa.initial, 0)];
    while let Some((from, to, lowered)) = open.pop() {
        let both = dfa.accepting[from as usize] && dfa.accepting[to as usize];
        let set = StackSet::from_bits(lowered);
        require(!both || !rules.allowed[lowered as usize], "stability", || {
            format!(
                "a move on the stacks {set} leads from state {from} to state {to}, both accepting"
            )
        })?;
        let (of_x, of_y) = (&live[from as usize], &live[to as usize]);
        budget.spend(of_x.len() * of_y.len())?;
        for &(x, q) in of_x {
            for &(y, r) in of_y {
                let Some(after) = rules.step(lowered, x, y) else { continue };
                let pair = q as usize * states + r as usize;
                let place = pair * rules.letters + after as usize;
                let bit = 1 << (place % 64);
                if seen[place / 64] & bit == 0 {
                    seen[place / 64] |= bit;
                    budget.hold(12)?;
                    open.push((q, r, after));
                }
            }
        }
    }
    Ok(())
}

/// `root`, `acceptance` and `closure`.
fn universality(
    rules: &Rules,
    proof: &AutomatonProof,
    live: &[Vec<(u32, u32)>],
    budget: &mut Budget,
) -> Result<(), Rejection> {
    let dfa = &proof.dfa;
    let initial = proof.macrostates.first().is_some_and(|root| {
        let empty = root.terminal.is_none_or(|tokens| tokens == 0);
        empty && root.moves.iter().all(|&state| state == (dfa.initial, 0))
    });
    require(initial, "root", || "the first macrostate is no set of initial states".into())?;
    // reached[q * letters + lowered] is the number of the round in which this state was reached.
    budget.hold(8 * dfa.states() * rules.letters)?;
    let mut reached = vec![0u64; dfa.states() * rules.letters];
    let mut round = 0;
    for (number, macrostate) in proof.macrostates.iter().enumerate() {
        let accepts = |&(q, lowered): &(u32, u32)| {
            dfa.accepting[q as usize] && (lowered == 0 || rules.allowed[lowered as usize])
        };
        let terminal = macrostate.terminal.is_some_and(|tokens| rules.is_terminal(tokens));
        let accepting = terminal || macrostate.moves.iter().any(accepts);
        let message = || format!("macrostate {number} contains no accepting state");
        require(accepting, "acceptance", message)?;
        let steps: usize = macrostate.moves.iter().map(|&(q, _)| live[q as usize].len()).sum();
        budget.spend(steps.saturating_mul(rules.letters))?;
        for (letter, &(target, symmetry)) in macrostate.next.iter().enumerate() {
            round += 1;
            for &(q, lowered) in &macrostate.moves {
                for &(y, r) in &live[q as usize] {
                    if let Some(after) = rules.step(lowered, letter as u32, y) {
                        reached[r as usize * rules.letters + after as usize] = round;
                    }
                }
            }
            let (target, g) =
                (&proof.macrostates[target as usize], &proof.symmetries[symmetry as usize]);
            budget.spend(16 * target.moves.len())?;
            let is_reached = |&(q, lowered): &(u32, u32)| {
                let (q, lowered) = (g.states[q as usize] as usize, image(g, lowered) as usize);
                reached[q * rules.letters + lowered] == round
            };
            let tokens = macrostate.terminal.map(|tokens| tokens | letter as u32);
            let terminal = target.terminal.is_none_or(|set| Some(image(g, set)) == tokens);
            require(terminal && target.moves.iter().all(is_reached), "closure", || {
                format!("letter {letter} does not lead from macrostate {number} to what is claimed")
            })?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
