//! From arranged conditions to a flat program.
//!
//! A program is a list of operations on a small file of registers: the heights come first, then
//! (slow games) the reduced heights, the number 1, and values computed on the way. Tests jump.
//! While the code is written, the compiler keeps track of which values have been computed on
//! *every* path to the current place; these are not computed again.

use super::CompileError;
use super::arrange::{Tree, operands};
use super::digits::Digits;
use super::graph::{Combination, Condition, Graph, Literal, Value, ValueId};
use nimatron_game::StackSet;
use std::sync::Arc;

/// Index of a register.
pub(crate) type Register = u16;

/// Index of an operation; [`YES`] and [`NO`] end the program.
pub(crate) type Target = u32;

pub(crate) const NO: Target = u32::MAX - 1;
pub(crate) const YES: Target = u32::MAX;

/// A part of a pool.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slice {
    pub(crate) start: u32,
    pub(crate) length: u16,
}

/// One operation. Tests name where to go on if they hold and if not; all others go on with
/// the next operation.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    /// Two registers are equal.
    Same { x: Register, y: Register, yes: Target, no: Target },
    /// The first register is at most the second.
    AtMost { x: Register, y: Register, yes: Target, no: Target },
    /// A combination of registers is 0.
    Zero { terms: Slice, yes: Target, no: Target },
    /// A combination of registers is at least 0.
    NonNegative { terms: Slice, yes: Target, no: Target },
    /// The heights lie in a span.
    Span { index: u16, yes: Target, no: Target },
    /// Something holds for the binary digits.
    Digits { index: u16, yes: Target, no: Target },
    /// A combination of registers.
    Linear { into: Register, terms: Slice },
    /// The least of some registers.
    Min { into: Register, of: Slice },
    /// The greatest of some registers.
    Max { into: Register, of: Slice },
    /// The exclusive or of some registers.
    Xor { into: Register, of: Slice },
    /// The remainder of a register; the modulus is in a pool.
    Mod { into: Register, x: Register, modulus: u16 },
    /// The remainder by a power of 2.
    Low { into: Register, x: Register, bits: u8 },
    /// How many of the first (or the reduced) heights are odd.
    Odds { into: Register, reduced: bool },
}

#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) stacks: usize,
    pub(crate) entry: Target,
    pub(crate) ops: Vec<Op>,
    pub(crate) terms: Vec<(Register, i128)>,
    pub(crate) registers: Vec<Register>,
    pub(crate) moduli: Vec<u64>,
    pub(crate) spans: Vec<(Vec<StackSet>, bool)>,
    pub(crate) digits: Vec<(Arc<Digits>, bool)>,
    /// How many registers are in use.
    pub(crate) size: usize,
}

/// The sizes of register files, the usual one first.
pub(crate) const FILES: [usize; 3] = [16, 64, 1024];

/// The longest program.
const MAX_OPS: usize = 1 << 20;

/// Writes the program for arranged conditions of the graph.
pub(crate) fn compile(graph: &Graph, tree: &Tree) -> Result<Program, CompileError> {
    // A small file keeps values only as long as there is room; only very deep terms need more.
    match Compiler::new(graph, FILES[1]).compile(tree) {
        Err(CompileError::TooDeep) => Compiler::new(graph, FILES[2]).compile(tree),
        result => result,
    }
}

struct Compiler<'a> {
    graph: &'a Graph,
    file: usize,
    one: Register,
    program: Program,
    /// Where labels stand; a jump holds a label until the end.
    labels: Vec<Target>,
}

/// Which values are at hand, in which registers, beside the heights.
#[derive(Clone, Debug, Default)]
struct AtHand(Vec<(ValueId, Register)>);

impl AtHand {
    fn register(&self, id: ValueId) -> Option<Register> {
        self.0.iter().find(|(known, _)| *known == id).map(|(_, r)| *r)
    }

    /// What is at hand on both of two paths.
    fn meet(&mut self, other: &AtHand) {
        self.0.retain(|entry| other.0.contains(entry));
    }
}

impl<'a> Compiler<'a> {
    fn new(graph: &'a Graph, file: usize) -> Self {
        let heights = graph.values.iter().take_while(|v| matches!(v, Value::Stack(_))).count();
        let program = Program {
            stacks: graph.stacks,
            entry: 0,
            ops: Vec::new(),
            terms: Vec::new(),
            registers: Vec::new(),
            moduli: Vec::new(),
            spans: Vec::new(),
            digits: Vec::new(),
            size: heights + 1,
        };
        Compiler { graph, file, one: heights as Register, program, labels: vec![YES, NO] }
    }

    fn compile(mut self, tree: &Tree) -> Result<Program, CompileError> {
        const YES_LABEL: Target = 0;
        const NO_LABEL: Target = 1;
        if let Tree::Constant(holds) = tree {
            self.program.entry = if *holds { YES } else { NO };
            return Ok(self.program);
        }
        self.tree(tree, YES_LABEL, NO_LABEL, AtHand::default())?;
        let labels = self.labels;
        for op in &mut self.program.ops {
            match op {
                Op::Same { yes, no, .. }
                | Op::AtMost { yes, no, .. }
                | Op::Zero { yes, no, .. }
                | Op::NonNegative { yes, no, .. }
                | Op::Span { yes, no, .. }
                | Op::Digits { yes, no, .. } => {
                    *yes = labels[*yes as usize];
                    *no = labels[*no as usize];
                }
                _ => {}
            }
        }
        Ok(self.program)
    }

    /// Writes a condition that jumps to one of two labels; returns what is at hand at each.
    fn tree(
        &mut self,
        tree: &Tree,
        yes: Target,
        no: Target,
        at_hand: AtHand,
    ) -> Result<(AtHand, AtHand), CompileError> {
        let (items, all) = match tree {
            Tree::Leaf(literal) => return self.test(*literal, yes, no, at_hand),
            Tree::All(items) => (items, true),
            Tree::Any(items) => (items, false),
            // Constants only ever stand alone.
            Tree::Constant(_) => return Err(CompileError::TooDeep),
        };
        let mut current = at_hand;
        let mut settled: Option<AtHand> = None;
        for (i, item) in items.iter().enumerate() {
            let last = i + 1 == items.len();
            let next = if last { if all { yes } else { no } } else { self.label() };
            let (go_on, stop) = if all {
                self.tree(item, next, no, current)?
            } else {
                let (yes, no) = self.tree(item, yes, next, current)?;
                (no, yes)
            };
            match &mut settled {
                None => settled = Some(stop),
                Some(settled) => settled.meet(&stop),
            }
            if !last {
                self.labels[next as usize] = self.program.ops.len() as Target;
            }
            current = go_on;
        }
        let settled = settled.unwrap_or_default();
        Ok(if all { (current, settled) } else { (settled, current) })
    }

    fn label(&mut self) -> Target {
        self.labels.push(NO);
        (self.labels.len() - 1) as Target
    }

    fn test(
        &mut self,
        literal: Literal,
        yes: Target,
        no: Target,
        mut at_hand: AtHand,
    ) -> Result<(AtHand, AtHand), CompileError> {
        let graph = self.graph;
        let (yes, no) = if literal.positive { (yes, no) } else { (no, yes) };
        match &graph.conditions[literal.condition as usize] {
            Condition::Zero(form) | Condition::NonNegative(form) => {
                let terms = self.operands(form.terms.iter().map(|t| t.0), &mut at_hand)?;
                let zero =
                    matches!(graph.conditions[literal.condition as usize], Condition::Zero(_));
                let op = match (&form.terms[..], form.constant) {
                    ([(_, 1), (_, -1)], 0) => {
                        let (x, y) = (terms[0], terms[1]);
                        if zero {
                            Op::Same { x, y, yes, no }
                        } else {
                            Op::AtMost { x: y, y: x, yes, no }
                        }
                    }
                    _ => {
                        let terms = self.combination(form, &terms);
                        if zero {
                            Op::Zero { terms, yes, no }
                        } else {
                            Op::NonNegative { terms, yes, no }
                        }
                    }
                };
                self.push(op)?;
            }
            Condition::Span { generators, reduced } => {
                let entry = (generators.clone(), *reduced);
                let index = position_or_push(&mut self.program.spans, entry);
                let index = u16::try_from(index).map_err(|_| CompileError::TooLong)?;
                self.push(Op::Span { index, yes, no })?;
            }
            Condition::Digits { what, reduced } => {
                let entry = (Arc::clone(what), *reduced);
                let index = position_or_push(&mut self.program.digits, entry);
                let index = u16::try_from(index).map_err(|_| CompileError::TooLong)?;
                self.push(Op::Digits { index, yes, no })?;
            }
            // Never a leaf of a tree.
            Condition::True | Condition::And(_) | Condition::Or(_) => {
                return Err(CompileError::TooDeep);
            }
        }
        Ok((at_hand.clone(), at_hand))
    }

    fn push(&mut self, op: Op) -> Result<(), CompileError> {
        if self.program.ops.len() >= MAX_OPS {
            return Err(CompileError::TooLong);
        }
        self.program.ops.push(op);
        Ok(())
    }

    /// The registers of the values, which are computed where they are not at hand.
    fn operands(
        &mut self,
        ids: impl Iterator<Item = ValueId>,
        at_hand: &mut AtHand,
    ) -> Result<Vec<Register>, CompileError> {
        let mut pinned = Vec::new();
        self.all_of(&ids.collect::<Vec<_>>(), at_hand, &mut pinned)
    }

    fn all_of(
        &mut self,
        ids: &[ValueId],
        at_hand: &mut AtHand,
        pinned: &mut Vec<Register>,
    ) -> Result<Vec<Register>, CompileError> {
        let before = pinned.len();
        // What is at hand already must not be given up for the others.
        pinned.extend(ids.iter().filter_map(|&id| at_hand.register(id)));
        let mut registers = Vec::with_capacity(ids.len());
        for &id in ids {
            let register = self.value(id, at_hand, pinned)?;
            pinned.push(register);
            registers.push(register);
        }
        pinned.truncate(before);
        Ok(registers)
    }

    fn value(
        &mut self,
        id: ValueId,
        at_hand: &mut AtHand,
        pinned: &mut Vec<Register>,
    ) -> Result<Register, CompileError> {
        let graph = self.graph;
        let value = &graph.values[id as usize];
        if let Value::Stack(stack) = value {
            return Ok(*stack as Register);
        }
        if let Some(register) = at_hand.register(id) {
            return Ok(register);
        }
        let of = self.all_of(&operands(value), at_hand, pinned)?;
        // The operands are needed until the operation has been carried out, and it may not
        // write where it still reads.
        let before = pinned.len();
        pinned.extend(&of);
        let into = self.free(at_hand, pinned)?;
        pinned.truncate(before);
        let op = match value {
            Value::Stack(_) => return Ok(into),
            Value::Linear(form) => Op::Linear { into, terms: self.combination(form, &of) },
            Value::Min(_) => Op::Min { into, of: self.list(&of) },
            Value::Max(_) => Op::Max { into, of: self.list(&of) },
            Value::Xor(_) => Op::Xor { into, of: self.list(&of) },
            Value::Mod(_, modulus) if modulus.is_power_of_two() => {
                Op::Low { into, x: of[0], bits: modulus.trailing_zeros() as u8 }
            }
            Value::Mod(_, modulus) => {
                let index = position_or_push(&mut self.program.moduli, *modulus);
                let modulus = u16::try_from(index).map_err(|_| CompileError::TooLong)?;
                Op::Mod { into, x: of[0], modulus }
            }
            Value::Odds { reduced } => Op::Odds { into, reduced: *reduced },
        };
        self.push(op)?;
        at_hand.0.push((id, into));
        Ok(into)
    }

    /// A register that nobody needs; if all hold something, the oldest value is given up.
    fn free(
        &mut self,
        at_hand: &mut AtHand,
        pinned: &[Register],
    ) -> Result<Register, CompileError> {
        let used = |r: Register, at_hand: &AtHand| at_hand.0.iter().any(|e| e.1 == r);
        let candidates = self.one + 1..self.file as Register;
        let unused = candidates.clone().find(|&r| !used(r, at_hand) && !pinned.contains(&r));
        let register = match unused {
            Some(register) => register,
            None => {
                let oldest = at_hand.0.iter().position(|e| !pinned.contains(&e.1));
                at_hand.0.remove(oldest.ok_or(CompileError::TooDeep)?).1
            }
        };
        self.program.size = self.program.size.max(usize::from(register) + 1);
        Ok(register)
    }

    fn combination(&mut self, form: &Combination, registers: &[Register]) -> Slice {
        let start = self.program.terms.len() as u32;
        let terms = form.terms.iter().zip(registers).map(|(&(_, c), &r)| (r, c));
        self.program.terms.extend(terms);
        if form.constant != 0 {
            self.program.terms.push((self.one, form.constant));
        }
        Slice { start, length: (self.program.terms.len() as u32 - start) as u16 }
    }

    fn list(&mut self, registers: &[Register]) -> Slice {
        let start = self.program.registers.len() as u32;
        self.program.registers.extend(registers);
        Slice { start, length: registers.len() as u16 }
    }
}

fn position_or_push<T: PartialEq>(list: &mut Vec<T>, item: T) -> usize {
    let at = list.iter().position(|known| *known == item).unwrap_or(list.len());
    if at == list.len() {
        list.push(item);
    }
    at
}
