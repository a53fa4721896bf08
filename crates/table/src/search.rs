//! One position, exactly, by looking at the positions reachable from it.
//!
//! Every position met is first made smaller (zero, components, merge) and brought to the least
//! form under the symmetries of what is left, so that positions that are the same game share one
//! entry in memory. Under normal play a sum is settled by the Grundy values of its parts; under
//! misere play it is searched as a whole. A provider of known values is asked before a position
//! is expanded.
//!
//! The search keeps its own stack of open positions, so tall stacks cannot exhaust the thread's.

use crate::hash::FastMap;
use nimatron_game::symmetry::{Symmetry, canonical_form};
use nimatron_game::{Height, Known, MAX_HEIGHT, Moves, Outcome, Play, Rule, Stop, Watch};
use nimatron_reduce::{Chain, Cone, Part, State};
use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::sync::Arc;

/// How many steps pass between two looks at the limits.
const STEPS_PER_CHECK: u64 = 256;

/// Bytes of bookkeeping per remembered position, besides its heights.
const ENTRY_BYTES: u64 = 72;

/// Which canonical rule: an index into [`Memory::kinds`].
type Kind = u32;

/// A connected, reduced game at its canonical heights.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
struct Node {
    kind: Kind,
    heights: Box<[Height]>,
}

/// What is known about a rule up to relabelling.
struct KindData {
    rule: Rule,
    symmetry: Symmetry,
    /// A stack lies in every facet: every non-zero position is N under normal play.
    cone: bool,
    /// Ordinary Nim, whose Grundy value is the xor of the heights.
    nim: bool,
    /// How positions with these playable stacks fall into parts.
    patterns: FastMap<u32, Arc<Pattern>>,
}

/// The parts that a game has when certain stacks are playable; per part the stacks of the
/// game that each of its stacks stands for.
struct Pattern {
    parts: Vec<(Kind, Vec<Vec<usize>>)>,
}

/// What searches remember. Keep it to ask about many positions of related games: what one
/// answer needed helps the next.
#[derive(Default)]
pub struct Memory {
    kinds: Vec<KindData>,
    by_rule: HashMap<Rule, (Kind, Vec<usize>)>,
    outcomes: FastMap<Node, Outcome>,
    grundy: FastMap<Node, u64>,
    misere: FastMap<Vec<Node>, Outcome>,
    /// Heights whose sum exceeds the limit are not merged; the patterns know nothing of heights.
    unmerged: bool,
    bytes: u64,
    steps: u64,
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memory").field("bytes", &self.bytes).finish_non_exhaustive()
    }
}

impl Memory {
    /// How many positions, up to reductions and symmetry, have been settled.
    pub fn positions(&self) -> u64 {
        (self.outcomes.len() + self.grundy.len() + self.misere.len()) as u64
    }

    /// The bytes held, estimated.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// A search: its memory, what is known otherwise, and who may stop it.
pub struct Search<'a> {
    memory: &'a mut Memory,
    known: &'a dyn Known,
    watch: &'a dyn Watch,
}

impl fmt::Debug for Search<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Search").field("memory", &self.memory).finish_non_exhaustive()
    }
}

/// A value to be found.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Task {
    Outcome(Node),
    Grundy(Node),
    Misere(Vec<Node>),
}

/// An open task: its options, and what they have shown so far.
struct Frame {
    task: Task,
    /// The nodes of the position, their moves, and which node is being played on.
    nodes: Vec<Node>,
    at: usize,
    moves: Moves,
    /// An option whose value is not known yet.
    pending: Option<Vec<Node>>,
    /// Grundy values seen (Grundy tasks only).
    seen: Seen,
    any_option: bool,
}

enum Peek<T> {
    Value(T),
    Needs(Task),
}

impl<'a> Search<'a> {
    /// A search that uses and extends `memory`.
    pub fn new(memory: &'a mut Memory, known: &'a dyn Known, watch: &'a dyn Watch) -> Self {
        Search { memory, known, watch }
    }

    /// The outcome of a state.
    pub fn outcome(&mut self, state: &State) -> Result<Outcome, Stop> {
        let nodes = self.enter(state);
        match state.play {
            Play::Normal => self.settle(&nodes, Search::peek_outcome),
            Play::Misere => self.settle(&nodes, Search::peek_misere),
        }
    }

    /// The Grundy value of a state, taken in normal play whatever its convention.
    pub fn grundy(&mut self, state: &State) -> Result<u64, Stop> {
        let nodes = self.enter(state);
        self.settle(&nodes, Search::peek_grundy)
    }

    fn enter(&mut self, state: &State) -> Vec<Node> {
        let total: u128 = state.heights().iter().map(|&h| u128::from(h)).sum();
        let unmerged = total > u128::from(MAX_HEIGHT);
        if unmerged != self.memory.unmerged {
            self.memory.unmerged = unmerged;
            self.memory.kinds.iter_mut().for_each(|k| k.patterns.clear());
        }
        let mut nodes = Vec::new();
        for part in &state.parts {
            let (kind, image) = self.kind(&part.rule);
            let mut heights = vec![0; image.len()];
            image.iter().zip(&part.heights).for_each(|(&to, &h)| heights[to] = h);
            self.split(kind, &heights, &mut nodes);
        }
        nodes.sort_unstable();
        nodes
    }

    /// Works until the value can be read off.
    fn settle<T>(
        &mut self,
        nodes: &[Node],
        peek: fn(&Self, &[Node]) -> Peek<T>,
    ) -> Result<T, Stop> {
        loop {
            match peek(self, nodes) {
                Peek::Value(value) => return Ok(value),
                Peek::Needs(task) => self.work(task)?,
            }
        }
    }

    fn peek_outcome(&self, nodes: &[Node]) -> Peek<Outcome> {
        match nodes {
            [] => Peek::Value(Outcome::P),
            [node] if self.memory.kinds[node.kind as usize].cone => Peek::Value(Outcome::N),
            [node] => match (self.memory.outcomes.get(node), self.memory.grundy.get(node)) {
                (Some(&outcome), _) => Peek::Value(outcome),
                (None, Some(&g)) => Peek::Value(if g == 0 { Outcome::P } else { Outcome::N }),
                (None, None) if self.memory.kinds[node.kind as usize].nim => {
                    let zero = node.heights.iter().fold(0, |a, b| a ^ b) == 0;
                    Peek::Value(if zero { Outcome::P } else { Outcome::N })
                }
                (None, None) => Peek::Needs(Task::Outcome(node.clone())),
            },
            nodes => match self.peek_grundy(nodes) {
                Peek::Value(0) => Peek::Value(Outcome::P),
                Peek::Value(_) => Peek::Value(Outcome::N),
                Peek::Needs(task) => Peek::Needs(task),
            },
        }
    }

    /// The xor of the parts' values; equal parts cancel without being looked at.
    fn peek_grundy(&self, nodes: &[Node]) -> Peek<u64> {
        let mut value = 0;
        let mut left = nodes;
        while let [node, rest @ ..] = left {
            if rest.first() == Some(node) {
                left = &rest[1..];
                continue;
            }
            left = rest;
            value ^= match self.memory.grundy.get(node) {
                Some(g) => *g,
                None if self.memory.kinds[node.kind as usize].nim => {
                    node.heights.iter().fold(0, |a, b| a ^ b)
                }
                None => return Peek::Needs(Task::Grundy(node.clone())),
            };
        }
        Peek::Value(value)
    }

    fn peek_misere(&self, nodes: &[Node]) -> Peek<Outcome> {
        if nodes.is_empty() {
            return Peek::Value(Play::Misere.terminal());
        }
        match self.memory.misere.get(nodes) {
            Some(&outcome) => Peek::Value(outcome),
            None => Peek::Needs(Task::Misere(nodes.to_vec())),
        }
    }

    /// Settles a task and everything it needs.
    fn work(&mut self, task: Task) -> Result<(), Stop> {
        let mut open = Vec::new();
        // Bytes of the values seen by all open frames.
        let mut seen = 0;
        self.open(task, &mut open);
        while let Some(mut frame) = open.pop() {
            self.memory.steps += 1;
            if self.memory.steps.is_multiple_of(STEPS_PER_CHECK) {
                let frames = (open.len() * size_of::<Frame>()) as u64;
                self.watch.check(self.memory.bytes + frames + seen)?;
            }
            let option = frame.pending.take().or_else(|| self.next_option(&mut frame));
            let Some(option) = option else {
                seen -= frame.seen.bytes();
                self.close(frame);
                continue;
            };
            let needs = match &frame.task {
                Task::Grundy(_) => match self.peek_grundy(&option) {
                    Peek::Value(value) => {
                        seen -= frame.seen.bytes();
                        frame.seen.mark(value);
                        seen += frame.seen.bytes();
                        None
                    }
                    Peek::Needs(task) => Some(task),
                },
                Task::Outcome(_) | Task::Misere(_) => {
                    let peek = match frame.task {
                        Task::Misere(_) => self.peek_misere(&option),
                        _ => self.peek_outcome(&option),
                    };
                    match peek {
                        Peek::Value(Outcome::P) => {
                            self.record(frame.task, Outcome::N);
                            continue;
                        }
                        Peek::Value(Outcome::N) => None,
                        Peek::Needs(task) => Some(task),
                    }
                }
            };
            match needs {
                None => open.push(frame),
                Some(task) => {
                    frame.pending = Some(option);
                    open.push(frame);
                    self.open(task, &mut open);
                }
            }
        }
        Ok(())
    }

    /// Puts a task on the stack, unless its value is known already.
    fn open(&mut self, task: Task, open: &mut Vec<Frame>) {
        let nodes = match &task {
            Task::Outcome(node) | Task::Grundy(node) => vec![node.clone()],
            Task::Misere(nodes) => nodes.clone(),
        };
        let rule = &self.memory.kinds[nodes[0].kind as usize].rule;
        match (&task, &nodes[..]) {
            (Task::Outcome(_), [node]) => {
                if let Some(o) = self.known.outcome(rule, Play::Normal, &node.heights) {
                    return self.record(task, o);
                }
            }
            (Task::Misere(_), [node]) => {
                if let Some(o) = self.known.outcome(rule, Play::Misere, &node.heights) {
                    return self.record(task, o);
                }
            }
            (Task::Grundy(_), [node]) => {
                if let Some(g) = self.known.grundy(rule, &node.heights) {
                    return self.record_grundy(node.clone(), g);
                }
            }
            _ => {}
        }
        let moves = rule.moves(&nodes[0].heights);
        open.push(Frame {
            task,
            nodes,
            at: 0,
            moves,
            pending: None,
            seen: Seen::default(),
            any_option: false,
        });
    }

    /// The next option of a frame, in reduced form.
    fn next_option(&mut self, frame: &mut Frame) -> Option<Vec<Node>> {
        let take = loop {
            if let Some(take) = frame.moves.next() {
                break take;
            }
            frame.at += 1;
            let node = frame.nodes.get(frame.at)?;
            frame.moves = self.memory.kinds[node.kind as usize].rule.moves(&node.heights);
        };
        frame.any_option = true;
        let played = &frame.nodes[frame.at];
        let heights = Rule::option(&played.heights, &take);
        let others = frame.nodes.iter().enumerate().filter(|&(i, _)| i != frame.at);
        let mut option: Vec<Node> = others.map(|(_, n)| n.clone()).collect();
        self.split(played.kind, &heights, &mut option);
        option.sort_unstable();
        Some(option)
    }

    /// All options have been seen, none of them decisive.
    fn close(&mut self, frame: Frame) {
        match frame.task {
            Task::Grundy(node) => self.record_grundy(node, frame.seen.mex()),
            task => {
                let outcome = match (&task, frame.any_option) {
                    (Task::Misere(_), false) => Play::Misere.terminal(),
                    _ => Outcome::P,
                };
                self.record(task, outcome);
            }
        }
    }

    fn record(&mut self, task: Task, outcome: Outcome) {
        match task {
            Task::Outcome(node) | Task::Grundy(node) => {
                self.memory.bytes += ENTRY_BYTES + 8 * node.heights.len() as u64;
                self.memory.outcomes.insert(node, outcome);
            }
            Task::Misere(nodes) => {
                let bytes = nodes.iter().map(|n| ENTRY_BYTES + 8 * n.heights.len() as u64);
                self.memory.bytes += bytes.sum::<u64>();
                self.memory.misere.insert(nodes, outcome);
            }
        }
    }

    fn record_grundy(&mut self, node: Node, value: u64) {
        self.memory.bytes += ENTRY_BYTES + 8 * node.heights.len() as u64;
        self.memory.grundy.insert(node, value);
    }

    /// The number of a rule's canonical form, and where each stack stands in it.
    fn kind(&mut self, rule: &Rule) -> (Kind, Vec<usize>) {
        if let Some(found) = self.memory.by_rule.get(rule) {
            return found.clone();
        }
        let (sets, relabelling) = canonical_form(rule.sets(), None);
        let image: Vec<usize> = (0..rule.stacks()).map(|s| relabelling.image(s)).collect();
        let canonical = rule.on(sets);
        let kind = match self.memory.kinds.iter().position(|k| k.rule == canonical) {
            Some(index) => index as Kind,
            None => {
                let part = Part::new(canonical.clone(), vec![1; rule.stacks()]);
                let nim = canonical.is_set_nim() && canonical.sets().iter().all(|s| s.len() == 1);
                self.memory.kinds.push(KindData {
                    symmetry: Symmetry::of(&canonical),
                    cone: !Cone::stacks(&part).is_empty(),
                    nim,
                    rule: canonical,
                    patterns: FastMap::default(),
                });
                (self.memory.kinds.len() - 1) as Kind
            }
        };
        self.memory.by_rule.insert(rule.clone(), (kind, image.clone()));
        (kind, image)
    }

    /// Appends the parts of a position in reduced, canonical form.
    fn split(&mut self, kind: Kind, heights: &[Height], nodes: &mut Vec<Node>) {
        for (kind, members) in &self.pattern(kind, heights).parts {
            let sum = |m: &Vec<usize>| m.iter().map(|&s| heights[s]).sum();
            let mut merged: Vec<Height> = members.iter().map(sum).collect();
            self.memory.kinds[*kind as usize].symmetry.canonicalise(&mut merged);
            nodes.push(Node { kind: *kind, heights: merged.into() });
        }
    }

    fn pattern(&mut self, kind: Kind, heights: &[Height]) -> Arc<Pattern> {
        let data = &self.memory.kinds[kind as usize];
        let playable = data.rule.playable(heights);
        if let Some(pattern) = data.patterns.get(&playable.bits()) {
            return pattern.clone();
        }
        // Which stacks are playable decides the reductions; the heights themselves do not. A
        // sum beyond the height limit would prevent merging, which unit heights cannot show.
        let least = data.rule.each().least();
        let unit = |s| if !playable.contains(s) { 0 } else { least };
        let part = Part::new(data.rule.clone(), (0..heights.len()).map(unit).collect());
        let state = State { play: Play::Normal, parts: vec![part] };
        let chain = match self.memory.unmerged {
            true => Chain::shrink_unmerged(state),
            false => Chain::shrink(state),
        };
        let members = chain.members();
        let mut parts = Vec::new();
        for (part, at) in chain.end().parts.iter().zip(chain.end().ranges()) {
            let (kind, image) = self.kind(&part.rule);
            let mut relabelled = vec![Vec::new(); image.len()];
            for (stack, from) in at.enumerate() {
                relabelled[image[stack]] = members[from].clone();
            }
            parts.push((kind, relabelled));
        }
        let pattern = Arc::new(Pattern { parts });
        self.memory.kinds[kind as usize].patterns.insert(playable.bits(), pattern.clone());
        pattern
    }
}

/// A set of Grundy values. Small ones are bits; tall stacks of Nim have values far too large
/// for that, and these are listed.
#[derive(Default)]
struct Seen {
    small: Vec<u64>,
    large: BTreeSet<u64>,
}

/// Values from here on are listed.
const SMALL_VALUES: u64 = 1 << 16;

impl Seen {
    fn mark(&mut self, value: u64) {
        if value >= SMALL_VALUES {
            self.large.insert(value);
            return;
        }
        let word = (value / 64) as usize;
        if self.small.len() <= word {
            self.small.resize(word + 1, 0);
        }
        self.small[word] |= 1 << (value % 64);
    }

    /// The least value not seen.
    fn mex(&self) -> u64 {
        let full = self.small.iter().take_while(|&&w| w == u64::MAX).count();
        let next = self.small.get(full).map_or(0, |w| w.trailing_ones());
        let least = full as u64 * 64 + u64::from(next);
        if least < SMALL_VALUES {
            return least;
        }
        self.large.iter().zip(least..).take_while(|(seen, next)| *seen == next).count() as u64
            + least
    }

    /// The bytes held, roughly.
    fn bytes(&self) -> u64 {
        8 * self.small.len() as u64 + 16 * self.large.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_value_not_seen() {
        let mut seen = Seen::default();
        assert_eq!(seen.mex(), 0);
        [0, 2, i64::MAX as u64].into_iter().for_each(|v| seen.mark(v));
        assert_eq!(seen.mex(), 1);
        assert!(seen.bytes() < 100, "a tall value is one entry");
        (0..SMALL_VALUES + 3).for_each(|v| seen.mark(v));
        assert_eq!(seen.mex(), SMALL_VALUES + 3);
        seen.mark(SMALL_VALUES + 4);
        assert_eq!(seen.mex(), SMALL_VALUES + 3);
        seen.mark(SMALL_VALUES + 3);
        assert_eq!(seen.mex(), SMALL_VALUES + 5);
    }
}
