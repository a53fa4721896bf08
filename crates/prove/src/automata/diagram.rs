//! Sets of positions in a cube, as shared decision diagrams.
//!
//! The positions of `[0, 2^m)^n` are read bit by bit, most significant bits first, and within a
//! bit place stack by stack: `m * n` yes-or-no questions. A set is a diagram of questions with
//! two branches; equal diagrams are stored once, and a question whose branches are equal is left
//! out (Bryant 1986). Equal sets are therefore equal numbers, which is what makes the memoised
//! recursions of this module tree quick.
//!
//! Questions are numbered from the bottom: number `b * n + (n - 1 - s)` asks for bit `b` of stack
//! `s`. A cube is a part of every greater cube, so the diagrams of all `m` live together.

use super::moves::Moves;
use nimatron_game::{Stop, Watch};

/// A set of positions: the number of its diagram.
pub(super) type Set = u32;

/// No position.
pub(super) const EMPTY: Set = 0;
/// All positions of the cube at hand.
pub(super) const FULL: Set = 1;

#[derive(Clone, Copy, PartialEq, Eq)]
struct Node {
    /// One more than the number of its question; 0 for the two constant sets.
    height: u32,
    low: Set,
    high: Set,
}

/// All diagrams in use, and what has been computed from them.
pub(super) struct Diagrams<'a> {
    moves: &'a Moves,
    watch: &'a dyn Watch,
    nodes: Vec<Node>,
    /// Open addressing: numbers of nodes, 0 for a free place.
    places: Vec<Set>,
    unions: Memo,
    reached: Memo,
    solved: Memo,
    steps: u64,
}

impl<'a> Diagrams<'a> {
    pub(super) fn new(moves: &'a Moves, watch: &'a dyn Watch) -> Self {
        let constant = |set| Node { height: 0, low: set, high: set };
        Diagrams {
            moves,
            watch,
            nodes: vec![constant(EMPTY), constant(FULL)],
            places: vec![0; 1 << 12],
            unions: Memo::new(),
            reached: Memo::new(),
            solved: Memo::new(),
            steps: 0,
        }
    }

    /// Bytes held.
    pub(super) fn memory(&self) -> u64 {
        let memos = [&self.unions, &self.reached, &self.solved];
        let slots: usize = memos.iter().map(|memo| memo.slots.len()).sum();
        let nodes = self.nodes.capacity() * size_of::<Node>() + self.places.len() * 4;
        (nodes + slots * size_of::<Slot>()) as u64
    }

    /// The P-positions of `[0, 2^bits)^n`.
    pub(super) fn p_positions(&mut self, bits: u32) -> Result<Set, Stop> {
        let height = bits * self.moves.stacks() as u32;
        let won = if self.moves.is_misere() { self.terminals(height, 0) } else { EMPTY };
        self.solve(height, won)
    }

    /// Drops what was remembered only to save time.
    pub(super) fn forget(&mut self) {
        self.unions = Memo::new();
        self.reached = Memo::new();
        self.solved = Memo::new();
    }

    /// The P-positions of the box of the lowest `height` questions if the positions in `marked`
    /// are N-positions for reasons outside the box.
    ///
    /// The lower half in the direction of the first question is a box that hears nothing of the
    /// upper half; its P-positions mark some positions of the upper half, which is then a box
    /// with marks from outside as well.
    fn solve(&mut self, height: u32, marked: Set) -> Result<Set, Stop> {
        if marked == FULL {
            return Ok(EMPTY);
        }
        if height == 0 {
            return Ok(FULL);
        }
        let key = u64::from(height) << 32 | u64::from(marked);
        if let Some(found) = self.solved.get(key) {
            return Ok(found);
        }
        self.step()?;
        let (low, high) = self.halves(height, marked);
        let p_low = self.solve(height - 1, low)?;
        let lowered = self.moves.join(0, self.stack(height));
        let marks = match lowered {
            Some(lowered) => self.reach(height - 1, lowered, p_low)?,
            None => EMPTY,
        };
        let high = self.union(high, marks)?;
        let p_high = self.solve(height - 1, high)?;
        let solved = self.node(height, p_low, p_high);
        self.solved.put(key, solved);
        Ok(solved)
    }

    /// The positions from which the rest of a move leads into `set`: the stacks of `lowered` have
    /// been lowered at a higher bit, the others not yet.
    fn reach(&mut self, height: u32, lowered: u32, set: Set) -> Result<Set, Stop> {
        if set == EMPTY {
            return Ok(EMPTY);
        }
        if height == 0 {
            return Ok(if self.moves.may_end(lowered) { FULL } else { EMPTY });
        }
        if set == FULL && self.moves.is_free(lowered) {
            // Leave the other stacks as they are.
            return Ok(FULL);
        }
        let key = u64::from(lowered) << 48 | u64::from(height) << 32 | u64::from(set);
        if let Some(found) = self.reached.get(key) {
            return Ok(found);
        }
        self.step()?;
        let stack = self.stack(height);
        let (low, high) = self.halves(height, set);
        let result = if lowered >> stack & 1 == 0 {
            // The bit stays, or falls from 1 to 0.
            let from_low = self.reach(height - 1, lowered, low)?;
            let mut from_high = self.reach(height - 1, lowered, high)?;
            if let Some(lowered) = self.moves.join(lowered, stack) {
                let fallen = self.reach(height - 1, lowered, low)?;
                from_high = self.union(from_high, fallen)?;
            }
            self.node(height, from_low, from_high)
        } else if self.moves.is_slow(stack) {
            // One token less: below the bit that fell, zeros become ones.
            let borrowed = self.reach(height - 1, lowered, high)?;
            self.node(height, borrowed, EMPTY)
        } else {
            // Any bit will do. Uniting afterwards, not before, keeps the sets asked about few:
            // they are parts of a set of P-positions, and these repeat.
            let low = self.reach(height - 1, lowered, low)?;
            let high = self.reach(height - 1, lowered, high)?;
            self.union(low, high)?
        };
        self.reached.put(key, result);
        Ok(result)
    }

    /// The terminal positions, where the stacks of `tokens` are known to be non-empty.
    fn terminals(&mut self, height: u32, tokens: u32) -> Set {
        if !self.moves.is_terminal(tokens) {
            return EMPTY;
        }
        if height == 0 {
            return FULL;
        }
        let more = tokens | 1 << self.stack(height);
        let low = self.terminals(height - 1, tokens);
        if more == tokens {
            return low;
        }
        let high = self.terminals(height - 1, more);
        self.node(height, low, high)
    }

    fn union(&mut self, a: Set, b: Set) -> Result<Set, Stop> {
        let (a, b) = (a.min(b), a.max(b));
        if a == b || a == EMPTY {
            return Ok(b);
        }
        if a == FULL {
            return Ok(FULL);
        }
        let key = u64::from(a) << 32 | u64::from(b);
        if let Some(found) = self.unions.get(key) {
            return Ok(found);
        }
        self.step()?;
        let height = self.nodes[a as usize].height.max(self.nodes[b as usize].height);
        let (a_low, a_high) = self.halves(height, a);
        let (b_low, b_high) = self.halves(height, b);
        let low = self.union(a_low, b_low)?;
        let high = self.union(a_high, b_high)?;
        let union = self.node(height, low, high);
        self.unions.put(key, union);
        Ok(union)
    }

    /// The part of `set` whose top bits are `letter`, in the cube one bit smaller.
    pub(super) fn child(&self, bits: u32, set: Set, letter: u32) -> Set {
        let n = self.moves.stacks() as u32;
        (0..n).fold(set, |set, stack| {
            let (low, high) = self.halves(bits * n - stack, set);
            if letter >> stack & 1 == 0 { low } else { high }
        })
    }

    /// The stack that the top question of a box of this height asks for.
    fn stack(&self, height: u32) -> u32 {
        let n = self.moves.stacks() as u32;
        (n - height % n) % n
    }

    /// The two branches at the question of this height, which the diagram may have left out.
    fn halves(&self, height: u32, set: Set) -> (Set, Set) {
        let node = self.nodes[set as usize];
        if node.height == height { (node.low, node.high) } else { (set, set) }
    }

    fn node(&mut self, height: u32, low: Set, high: Set) -> Set {
        if low == high {
            return low;
        }
        let node = Node { height, low, high };
        let mask = self.places.len() - 1;
        let mut at = hash_node(node) as usize & mask;
        while self.places[at] != 0 {
            if self.nodes[self.places[at] as usize] == node {
                return self.places[at];
            }
            at = (at + 1) & mask;
        }
        let set = self.nodes.len() as Set;
        self.nodes.push(node);
        self.places[at] = set;
        if self.nodes.len() * 2 > self.places.len() {
            self.grow();
        }
        set
    }

    fn grow(&mut self) {
        let mask = self.places.len() * 2 - 1;
        self.places = vec![0; mask + 1];
        for (set, &node) in self.nodes.iter().enumerate().skip(2) {
            let mut at = hash_node(node) as usize & mask;
            while self.places[at] != 0 {
                at = (at + 1) & mask;
            }
            self.places[at] = set as Set;
        }
    }

    /// Asks the watch, which a caller does whose own work is not counted here.
    pub(super) fn check(&self) -> Result<(), Stop> {
        self.watch.check(self.memory())
    }

    fn step(&mut self) -> Result<(), Stop> {
        self.steps += 1;
        if self.steps & 0xfff != 0 {
            return Ok(());
        }
        if self.nodes.len() > 1 << 31 {
            return Err(Stop::Memory);
        }
        self.check()
    }
}

fn hash_node(node: Node) -> u64 {
    let word = u64::from(node.low) << 32 | u64::from(node.high);
    mix(word ^ u64::from(node.height) << 57 ^ u64::from(node.height))
}

fn mix(word: u64) -> u64 {
    let product = u128::from(word ^ 0xF39C_C060_5CED_C835) * 0x9E37_79B9_7F4A_7C15;
    (product as u64) ^ (product >> 64) as u64
}

#[derive(Clone, Copy)]
struct Slot {
    key: u64,
    value: Set,
}

/// Remembers results, each in the one slot its key points to: a newer result may push out an
/// older one, which then has to be computed again. So memory stays bounded.
struct Memo {
    slots: Vec<Slot>,
    puts: usize,
}

impl Memo {
    const MOST: usize = 1 << 24;
    const FREE: Slot = Slot { key: u64::MAX, value: 0 };

    fn new() -> Self {
        Memo { slots: vec![Memo::FREE; 1 << 10], puts: 0 }
    }

    fn get(&self, key: u64) -> Option<Set> {
        let slot = self.slots[mix(key) as usize & (self.slots.len() - 1)];
        (slot.key == key).then_some(slot.value)
    }

    fn put(&mut self, key: u64, value: Set) {
        self.puts += 1;
        if self.puts > self.slots.len() && self.slots.len() < Memo::MOST {
            let old = std::mem::take(&mut self.slots);
            self.slots = vec![Memo::FREE; old.len() * 4];
            old.into_iter().filter(|s| s.key != u64::MAX).for_each(|s| self.set(s));
        }
        self.set(Slot { key, value });
    }

    fn set(&mut self, slot: Slot) {
        let mask = self.slots.len() - 1;
        self.slots[mix(slot.key) as usize & mask] = slot;
    }
}
