//! The games that are left when stacks are empty.

use crate::knowledge::{Knowledge, ProofCover};
use crate::verdict::By;
use nimatron_game::symmetry::{Symmetry, canonical_form};
use nimatron_game::{Family, Game, Height, Play, Rule, StackSet, Stop, Watch};
use nimatron_reduce::{Chain, Part, State};
use nimatron_theory::Recognition;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::sync::Arc;

/// What is left of a game when some stacks are empty, made as small as possible.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Subgame {
    /// The empty stacks, of the game asked about.
    pub zeros: StackSet,
    /// The game left, at a position that stands for all without empty stacks. Without parts no
    /// move is left.
    pub state: State,
    /// For each stack of the game left, the stacks of the game asked about that it stands for.
    pub members: Vec<Vec<usize>>,
    /// Who solved it; nobody, if it is open.
    pub solved: Option<Solved>,
}

/// Why a game counts as solved.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Solved {
    /// No move is left.
    Over,
    /// By a theorem.
    Theorem(Arc<Recognition>),
    /// By theorems that give the Grundy values of all parts of a sum.
    Values(Vec<Arc<Recognition>>),
    /// By a proof about it, or about a game that contains it.
    Proof(Arc<ProofCover>),
}

impl Solved {
    /// The theorems or the proof it rests on.
    pub fn by(&self) -> Vec<By> {
        match self {
            Solved::Over => Vec::new(),
            Solved::Theorem(theorem) => vec![By::theorem(theorem)],
            Solved::Values(theorems) => theorems.iter().map(|t| By::theorem(t)).collect(),
            Solved::Proof(proof) => vec![proof.by().clone()],
        }
    }
}

impl Subgame {
    /// What is left of `game` when these stacks are empty and no others.
    pub fn of(game: &Game, zeros: StackSet, knowledge: &Knowledge) -> Self {
        let chain = Chain::reduce(emptied(game, zeros));
        let mut members = chain.members();
        members.iter_mut().for_each(|m| m.sort_unstable());
        let (state, members) = gather_nim(State::clone(chain.end()), members);
        let solved = solved(&chain, &state, knowledge);
        Subgame { zeros, members: in_least_order(&state, members), state, solved }
    }

    /// The game left; `None` when no move is left.
    pub fn game(&self) -> Option<Game> {
        self.state.game()
    }

    /// The theorem about the game left, if it is not a sum.
    pub fn theorem(&self) -> Option<&Arc<Recognition>> {
        match &self.solved {
            Some(Solved::Theorem(theorem)) => Some(theorem),
            _ => None,
        }
    }

    /// What two subgames share exactly if they are the same up to the names of the stacks.
    fn key(&self) -> Key {
        let canonical = |rule: &Rule| rule.on(canonical_form(rule.sets(), None).0);
        let mut key: Key = self.state.parts.iter().map(|p| canonical(&p.rule)).collect();
        key.sort_unstable();
        key
    }
}

/// The game with these stacks empty and every other one playable.
pub(crate) fn emptied(game: &Game, zeros: StackSet) -> State {
    let generic = State::generic(game);
    let mut heights = generic.heights();
    zeros.iter().for_each(|s| heights[s] = 0);
    generic.at(&heights).expect("one height per stack")
}

type Key = Vec<Rule>;

/// Single stacks of a sum together are one game of Nim, which comes last.
fn gather_nim(state: State, members: Vec<Vec<usize>>) -> (State, Vec<Vec<usize>>) {
    let is_nim =
        |part: &Part| part.rule.is_set_nim() && part.rule.sets().iter().all(|set| set.len() == 1);
    if state.parts.len() < 2 || !state.parts.iter().any(is_nim) {
        return (state, members);
    }
    let (mut parts, mut order, mut single) = (Vec::new(), Vec::new(), Vec::new());
    for (part, at) in state.parts.iter().zip(state.ranges()) {
        if is_nim(part) {
            single.extend_from_slice(&members[at]);
        } else {
            parts.push(part.clone());
            order.extend_from_slice(&members[at]);
        }
    }
    let family = Family::Nim { n: single.len() };
    let mut nim = Part::new(family.rule(), vec![1; single.len()]);
    nim.family = Some(family);
    parts.push(nim);
    order.append(&mut single);
    (State { play: state.play, parts }, order)
}

/// Who solved the game `end`, the end of a chain. Any state on the way may be the one that a
/// theorem knows.
fn solved(chain: &Chain, end: &State, knowledge: &Knowledge) -> Option<Solved> {
    if end.parts.is_empty() || end.parts.iter().all(|p| p.rule.sets().is_empty()) {
        return Some(Solved::Over);
    }
    let states = (0..=chain.steps().len()).rev().map(|taken| &**chain.after(taken));
    let states = || [end].into_iter().chain(states.clone());
    let part = |state: &State| state.parts.first().filter(|_| state.parts.len() == 1).cloned();
    let theorem = |state: &State| knowledge.theorem(&part(state)?.rule, state.play);
    if let Some(theorem) = states().find_map(theorem) {
        return Some(Solved::Theorem(theorem));
    }
    let values = end.parts.iter().map(|part| {
        let theorem = knowledge.theorem(&part.rule, end.play)?;
        theorem.solution().knows_values().then_some(theorem)
    });
    if end.play == Play::Normal
        && let Some(values) = values.collect::<Option<Vec<_>>>()
    {
        return Some(Solved::Values(values));
    }
    let proof = |state: &State| knowledge.proof_cover(&part(state)?.rule, state.play);
    // A proof about the game itself is better than one about a game that contains it.
    let whole = |state: &State| proof(state).filter(|proof| !proof.is_part());
    states().find_map(whole).or_else(|| states().find_map(proof)).map(Solved::Proof)
}

/// The members in the least order among those that the game's symmetries allow: first things
/// first, so that mirror images read alike.
fn in_least_order(state: &State, members: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    let [part] = &state.parts[..] else { return members };
    if part.rule.sets().is_empty() {
        return members;
    }
    let first: Vec<Height> = members.iter().map(|m| m[0] as Height).collect();
    let order = Symmetry::of(&part.rule).to_canonical(&first).inverse();
    (0..members.len()).map(|place| members[order.image(place)].clone()).collect()
}

/// The subgames of a game, up to the names of the stacks, each with the fewest empty stacks that
/// lead to it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Subgames {
    /// The game itself comes first; then by the number of empty stacks.
    pub found: Vec<Subgame>,
    /// The open subgames that contain no smaller open one, by their places in `found`: nothing
    /// above them can be solved before they are.
    pub obstacles: Vec<usize>,
    /// For each, those that are left when one more stack of it is empty, by their places in `found`.
    pub below: Vec<Vec<usize>>,
    /// What stopped the work before all were found, if something did.
    pub stopped: Option<Stop>,
}

impl Subgames {
    /// Empties the stacks one by one, in every way. Subgames of a subgame are subgames, and a
    /// game met again is not looked at twice.
    pub fn of(game: &Game, knowledge: &Knowledge, watch: &dyn Watch) -> Self {
        let mut found: Vec<Subgame> = Vec::new();
        let mut places: HashMap<Key, usize> = HashMap::new();
        // For each subgame found, the patterns one step below.
        let mut below: Vec<Vec<StackSet>> = Vec::new();
        let mut keys: HashMap<StackSet, Option<Key>> = HashMap::new();
        let mut queue = BinaryHeap::from([Reverse((0, 0u32))]);
        let mut stopped = None;
        while let Some(Reverse((_, bits))) = queue.pop() {
            if let Err(stop) = watch.check(0) {
                stopped = Some(stop);
                break;
            }
            let zeros = StackSet::from_bits(bits);
            let subgame = Subgame::of(game, zeros, knowledge);
            if matches!(subgame.solved, Some(Solved::Over)) {
                keys.insert(zeros, None);
                continue;
            }
            let key = subgame.key();
            keys.insert(zeros, Some(key.clone()));
            if places.contains_key(&key) {
                continue;
            }
            places.insert(key, found.len());
            let emptied = |members: &Vec<usize>| zeros | members.iter().copied().collect();
            let next: Vec<StackSet> = subgame.members.iter().map(emptied).collect();
            for zeros in &next {
                if !keys.contains_key(zeros) {
                    keys.insert(*zeros, None);
                    queue.push(Reverse((zeros.len(), zeros.bits())));
                }
            }
            below.push(next);
            found.push(subgame);
        }
        // From the smallest upwards: which contain something open?
        let lower = |next: &Vec<StackSet>| {
            let place = |zeros: &StackSet| places.get(keys.get(zeros)?.as_ref()?).copied();
            let mut lower: Vec<usize> = next.iter().filter_map(place).collect();
            lower.sort_unstable();
            lower.dedup();
            lower
        };
        let below: Vec<Vec<usize>> = below.iter().map(lower).collect();
        let mut blocked = vec![false; found.len()];
        for place in (0..found.len()).rev() {
            let open = |&p: &usize| found[p].solved.is_none() || blocked[p];
            blocked[place] = below[place].iter().any(open);
        }
        let obstacles =
            (0..found.len()).filter(|&p| found[p].solved.is_none() && !blocked[p]).collect();
        Subgames { found, obstacles, below, stopped }
    }
}
