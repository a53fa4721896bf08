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

use nimatron_formula::{Context, Formula, FormulaError};
use nimatron_game::{Amounts, Game, Play, Position, StackSet};
use serde::{Deserialize, Serialize};

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

/// The obligation that failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Failed {
    /// `rule`: the moves take other amounts than one token or any number from each stack.
    #[error("automata cannot follow the moves of this game")]
    Rule,
    /// `size`: too many stacks or states.
    #[error("the automaton is too large to be checked")]
    Size,
    /// `well-formed`: the part of this name and number has a wrong length or entry.
    #[error("{0} {1} has the wrong length or an entry out of range")]
    Malformed(&'static str, usize),
    /// `leading-zeros`
    #[error("the zero letter leads from the initial state to another one")]
    LeadingZeros,
    /// `symmetry`: the number of the relabelling.
    #[error("relabelling {0} does not preserve the game and the automaton")]
    Symmetry(usize),
    /// `terminal`: the stacks that are not empty.
    #[error("a terminal position with tokens on the stacks {0:?} is accepted in misere play")]
    Terminal(StackSet),
    /// `stability`: the states of a position and of an option, and the stacks played on.
    #[error("a move on the stacks {2} leads from state {0} to state {1}, both accepting")]
    Stability(u32, u32, StackSet),
    /// `root`
    #[error("the first macrostate is not a set of initial states")]
    Root,
    /// `acceptance`: the number of the macrostate.
    #[error("macrostate {0} contains no accepting state")]
    Acceptance(usize),
    /// `closure`: the number of the macrostate and the letter.
    #[error("letter {1} does not lead from macrostate {0} to what is claimed")]
    Closure(usize, usize),
    /// `formula`: it cannot be read.
    #[error("the formula cannot be read: {0}")]
    Unreadable(#[from] FormulaError),
    /// `formula`: it does not describe the positions that are accepted.
    #[error("the formula {} at {}, which the automaton {}",
        if *accepted { "fails" } else { "holds" },
        position.as_ref().map_or("a very tall position".into(), Position::to_string),
        if *accepted { "accepts" } else { "does not accept" })]
    Formula {
        /// Whether the automaton accepts the position.
        accepted: bool,
        /// A position with as few digits as possible, if it has heights that can be written.
        position: Option<Position>,
    },
    /// `limit`: following the formula digit by digit takes too much.
    #[error("the formula is too large to be compared with the automaton")]
    Limit,
}

impl Failed {
    /// The name of the obligation: a word that stays the same.
    pub fn obligation(&self) -> &'static str {
        match self {
            Failed::Rule => "rule",
            Failed::Size => "size",
            Failed::Malformed(..) => "well-formed",
            Failed::LeadingZeros => "leading-zeros",
            Failed::Symmetry(_) => "symmetry",
            Failed::Terminal(_) => "terminal",
            Failed::Stability(..) => "stability",
            Failed::Root => "root",
            Failed::Acceptance(_) => "acceptance",
            Failed::Closure(..) => "closure",
            Failed::Unreadable(_) | Failed::Formula { .. } => "formula",
            Failed::Limit => "limit",
        }
    }
}

/// Checks every obligation.
pub(crate) fn check(game: &Game, proof: &AutomatonProof) -> Result<(), Failed> {
    let rules = Rules::new(game)?;
    well_formed(&rules, proof)?;
    let dfa = &proof.dfa;
    if dfa.next[dfa.initial as usize][0] != dfa.initial {
        return Err(Failed::LeadingZeros);
    }
    for (number, symmetry) in proof.symmetries.iter().enumerate() {
        if !preserves(&rules, dfa, symmetry) {
            return Err(Failed::Symmetry(number));
        }
    }
    if rules.misere {
        no_terminal_inside(&rules, dfa)?;
    }
    let live = live_steps(dfa);
    stability(&rules, dfa, &live)?;
    universality(&rules, proof, &live)?;
    proof.formula.as_ref().map_or(Ok(()), |text| describes(game, text, dfa))
}

/// Checks that a formula holds exactly at the positions that an automaton accepts, whatever the
/// P-positions of the game are: the obligation `formula`.
pub fn describes(game: &Game, formula: &str, dfa: &Dfa) -> Result<(), Failed> {
    if game.stacks() > MAX_STACKS {
        return Err(Failed::Size);
    }
    well_formed_dfa(1 << game.stacks(), dfa)?;
    formula::check(game, &Formula::parse(formula, &Context::of_game(game))?, dfa)
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
    fn new(game: &Game) -> Result<Self, Failed> {
        if game.stacks() > MAX_STACKS {
            return Err(Failed::Size);
        }
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
                _ => return Err(Failed::Rule),
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

fn require(fine: bool, part: &'static str, number: usize) -> Result<(), Failed> {
    if fine { Ok(()) } else { Err(Failed::Malformed(part, number)) }
}

fn well_formed_dfa(letters: usize, dfa: &Dfa) -> Result<(), Failed> {
    let states = dfa.states();
    let visits = (states as u128).pow(2) * letters as u128;
    if visits > MAX_VISITS || usize::try_from(visits).is_err() {
        return Err(Failed::Size);
    }
    let is_state = |&q: &u32| (q as usize) < states;
    require(is_state(&dfa.initial), "state", dfa.initial as usize)?;
    require(dfa.next.len() == states, "state", dfa.next.len())?;
    let mut rows = dfa.next.iter().enumerate();
    rows.try_for_each(|(number, row)| {
        require(row.len() == letters && row.iter().all(is_state), "state", number)
    })
}

fn well_formed(rules: &Rules, proof: &AutomatonProof) -> Result<(), Failed> {
    let (states, letters) = (proof.dfa.states(), rules.letters);
    well_formed_dfa(letters, &proof.dfa)?;
    for (number, symmetry) in proof.symmetries.iter().enumerate() {
        let stacks = is_permutation(&symmetry.stacks, letters.trailing_zeros() as usize);
        require(stacks && is_permutation(&symmetry.states, states), "symmetry", number)?;
    }
    let is_set = |&set: &u32| (set as usize) < letters;
    let is_move = |(q, lowered): &(u32, u32)| (*q as usize) < states && is_set(lowered);
    let is_next = |&(target, symmetry): &(u32, u32)| {
        (target as usize) < proof.macrostates.len() && (symmetry as usize) < proof.symmetries.len()
    };
    for (number, macrostate) in proof.macrostates.iter().enumerate() {
        let next = macrostate.next.len() == letters && macrostate.next.iter().all(is_next);
        let moves = macrostate.moves.iter().all(is_move);
        let terminal = macrostate.terminal.iter().all(|set| is_set(set) && rules.misere);
        require(next && moves && terminal, "macrostate", number)?;
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
fn no_terminal_inside(rules: &Rules, dfa: &Dfa) -> Result<(), Failed> {
    let mut seen = vec![false; dfa.states() * rules.letters];
    let mut open = vec![(dfa.initial, 0u32)];
    while let Some((q, tokens)) = open.pop() {
        if std::mem::replace(&mut seen[q as usize * rules.letters + tokens as usize], true) {
            continue;
        }
        if dfa.accepting[q as usize] && rules.is_terminal(tokens) {
            return Err(Failed::Terminal(StackSet::from_bits(tokens)));
        }
        let row = dfa.next[q as usize].iter().enumerate();
        open.extend(row.map(|(letter, &r)| (r, tokens | letter as u32)));
    }
    Ok(())
}

/// `stability`: follows (state of x, state of y, lowered stacks).
fn stability(rules: &Rules, dfa: &Dfa, live: &[Vec<(u32, u32)>]) -> Result<(), Failed> {
    let states = dfa.states();
    let mut seen = vec![0u64; (states * states * rules.letters).div_ceil(64)];
    let mut open = vec![(dfa.initial, dfa.initial, 0)];
    while let Some((from, to, lowered)) = open.pop() {
        let both = dfa.accepting[from as usize] && dfa.accepting[to as usize];
        if both && rules.allowed[lowered as usize] {
            return Err(Failed::Stability(from, to, StackSet::from_bits(lowered)));
        }
        for &(x, q) in &live[from as usize] {
            for &(y, r) in &live[to as usize] {
                let Some(after) = rules.step(lowered, x, y) else { continue };
                let pair = q as usize * states + r as usize;
                let place = pair * rules.letters + after as usize;
                let bit = 1 << (place % 64);
                if seen[place / 64] & bit == 0 {
                    seen[place / 64] |= bit;
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
) -> Result<(), Failed> {
    let dfa = &proof.dfa;
    let root = proof.macrostates.first().ok_or(Failed::Root)?;
    let initial = root.moves.iter().all(|&state| state == (dfa.initial, 0));
    if !initial || root.terminal.is_some_and(|tokens| tokens != 0) {
        return Err(Failed::Root);
    }
    // reached[q * letters + lowered] is the number of the round in which this state was reached.
    let mut reached = vec![0u64; dfa.states() * rules.letters];
    let mut round = 0;
    for (number, macrostate) in proof.macrostates.iter().enumerate() {
        let accepts = |&(q, lowered): &(u32, u32)| {
            dfa.accepting[q as usize] && (lowered == 0 || rules.allowed[lowered as usize])
        };
        let terminal = macrostate.terminal.is_some_and(|tokens| rules.is_terminal(tokens));
        if !terminal && !macrostate.moves.iter().any(accepts) {
            return Err(Failed::Acceptance(number));
        }
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
            let is_reached = |&(q, lowered): &(u32, u32)| {
                let (q, lowered) = (g.states[q as usize] as usize, image(g, lowered) as usize);
                reached[q * rules.letters + lowered] == round
            };
            let tokens = macrostate.terminal.map(|tokens| tokens | letter as u32);
            let terminal = target.terminal.is_none_or(|set| Some(image(g, set)) == tokens);
            if !terminal || !target.moves.iter().all(is_reached) {
                return Err(Failed::Closure(number, letter));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
