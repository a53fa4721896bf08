//! Evaluating formulas, fast enough for whole tables of positions.

mod arrange;
mod digits;
mod graph;
mod line;
mod lower;
mod program;
mod project;
mod run;
mod span;

use arrange::Tree;
use graph::{Combination, Condition, Graph, Value};
pub use line::Lines;
use lower::Lowering;
use nimatron_formula::{Context, Formula};
use nimatron_game::Height;
use program::{Program, Register};
use std::ops::ControlFlow;

/// The relabellings of stacks over which `sym(..)` ranges. They must form a group: with each
/// its inverse, with any two their product. The identity is always added.
///
/// A list of permutations will do. Implement the trait for groups too large to be listed in
/// memory; images of a formula that come out alike are kept once, and an evaluator gives up
/// after a million symmetries.
pub trait Symmetries {
    /// Calls `visit` with each relabelling, stack `s` going to `image[s]`, until it breaks off.
    fn each(&self, visit: &mut dyn FnMut(&[usize]) -> ControlFlow<()>) -> ControlFlow<()>;
}

impl Symmetries for [Vec<usize>] {
    fn each(&self, visit: &mut dyn FnMut(&[usize]) -> ControlFlow<()>) -> ControlFlow<()> {
        self.iter().try_for_each(|image| visit(image))
    }
}

impl Symmetries for Vec<Vec<usize>> {
    fn each(&self, visit: &mut dyn FnMut(&[usize]) -> ControlFlow<()>) -> ControlFlow<()> {
        self[..].each(visit)
    }
}

/// No symmetry but the identity.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asymmetric;

impl Symmetries for Asymmetric {
    fn each(&self, _: &mut dyn FnMut(&[usize]) -> ControlFlow<()>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// A formula that cannot be made into a program.
///
/// Of the formulas that [`Formula::parse`] returns only extreme ones are refused; the other
/// reasons are for formulas put together in another way.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CompileError {
    /// A term whose value might not fit the arithmetic.
    #[error("the value of a term can grow beyond all bounds of the arithmetic")]
    TermTooLarge,
    /// Too many images under the symmetries.
    #[error("the formula has too many images under the symmetries of the game")]
    TooManyImages,
    /// The program would be too long.
    #[error("the formula is too long to be evaluated")]
    TooLong,
    /// Terms nested too deep.
    #[error("the terms of the formula are too deep to be evaluated")]
    TooDeep,
    /// A symmetry that does not permute the stacks.
    #[error("{0:?} is not a permutation of the stacks")]
    NotAPermutation(Vec<usize>),
    /// A stack that the game does not have.
    #[error("the formula has a stack that the game does not have")]
    NoSuchStack,
    /// A name without a `let` around it.
    #[error("`{0}` is not defined")]
    UnknownName(String),
    /// `reduced` in a game that is not slow.
    #[error("`reduced` is for slow games only")]
    NotSlow,
}

/// A formula made ready to be evaluated at many positions.
///
/// Common parts are computed once, tests are ordered so that cheap and decisive ones come
/// first, and images under symmetries share their tests. Evaluation allocates nothing. It is
/// exact for all heights: in 64 bits where these suffice for the heights at hand, in 128
/// otherwise. The cost is that of the tests carried out, with one exception: a `span` of many
/// vectors that cannot be turned into linear tests is decided by a search, which may take long
/// at tall stacks (some spans of more than a dozen vectors; none that occurs in a theorem).
///
/// ```
/// use nimatron_formula::{Context, Formula};
/// use nimatron_meaning::Evaluator;
/// let context = Context::new(5);
/// let formula = Formula::parse("sym(b = e, a+b = c+d, a = max)", &context).unwrap();
/// let rotations = |i: usize| (0..5).map(|s| (s + i) % 5).collect::<Vec<_>>();
/// let reflections = |i: usize| (0..5).map(|s| (5 + i - s) % 5).collect::<Vec<_>>();
/// let dihedral: Vec<_> = (0..5).flat_map(|i| [rotations(i), reflections(i)]).collect();
/// let evaluator = Evaluator::new(&formula, &context, &dihedral).unwrap();
/// assert!(evaluator.holds(&[3, 8, 3, 5, 6]));
/// assert!(!evaluator.holds(&[3, 8, 5, 9, 6]));
/// ```
#[derive(Debug)]
pub struct Evaluator {
    program: Program,
    /// What the program was made of.
    tree: Tree,
    values: Vec<Value>,
    conditions: Vec<Condition>,
    wide: Vec<(Register, i128)>,
    /// What 64 bits need, if they suffice for some heights.
    narrow: Option<Vec<(Register, i64)>>,
    /// Heights without these bits can be dealt with in 64 bits.
    beyond_narrow: Height,
    /// The least number of stacks in a move, if the formula has reduced heights.
    least_move: Option<usize>,
}

impl Evaluator {
    /// Makes a formula ready; `symmetries` are those of the game, for `sym(..)`.
    pub fn new(
        formula: &Formula,
        context: &Context,
        symmetries: &dyn Symmetries,
    ) -> Result<Self, CompileError> {
        let reduced = has_reduced(formula);
        let mut lowering = Lowering::new(context, symmetries, reduced);
        let identity: Vec<usize> = (0..context.stacks()).collect();
        let root = lowering.lower(formula, &identity)?;
        let graph = lowering.graph;
        let tree = arrange::arrange(&graph, root);
        let program = program::compile(&graph, &tree)?;
        let wide = program.terms.clone();
        let heights = narrow_heights(&graph);
        let narrow = heights.map(|_| wide.iter().map(|&(r, c)| (r, c as i64)).collect());
        let beyond_narrow = !heights.unwrap_or(0);
        let least_move = context.least_move().filter(|_| reduced);
        let Graph { values, conditions, .. } = graph;
        Ok(Evaluator { program, tree, values, conditions, wide, narrow, beyond_narrow, least_move })
    }

    /// The number of stacks.
    pub fn stacks(&self) -> usize {
        self.program.stacks
    }

    /// Whether the formula holds at the position.
    ///
    /// # Panics
    /// If there are not as many heights as stacks.
    pub fn holds(&self, heights: &[Height]) -> bool {
        assert_eq!(heights.len(), self.program.stacks, "heights must match the stacks");
        let bits = heights.iter().fold(0, |bits, h| bits | h);
        match &self.narrow {
            Some(terms) if bits & self.beyond_narrow == 0 => {
                run::run(&self.program, terms, heights, self.least_move)
            }
            _ => run::run(&self.program, &self.wide, heights, self.least_move),
        }
    }

    /// An evaluator of whole lines of positions, which is much faster than one position after
    /// the other.
    ///
    /// ```
    /// use nimatron_formula::{Context, Formula};
    /// use nimatron_meaning::{Asymmetric, Evaluator};
    /// let context = Context::new(3);
    /// let formula = Formula::parse("a < c <= a+b", &context).unwrap();
    /// let evaluator = Evaluator::new(&formula, &context, &Asymmetric).unwrap();
    /// let mut words = [0];
    /// evaluator.lines().holds(&[2, 3], 9, &mut words);
    /// assert_eq!(words, [0b00_0011_1000]);
    /// ```
    pub fn lines(&self) -> Lines<'_> {
        Lines::new(self)
    }

    /// Whether 64 bits are enough for these heights, another one, and all that follows.
    fn is_narrow(&self, heights: &[Height], other: Height) -> bool {
        let bits = heights.iter().fold(other, |bits, h| bits | h);
        self.narrow.is_some() && bits & self.beyond_narrow == 0 && self.least_move.is_none()
    }
}

/// Whether the formula is the same condition under every symmetry, as far as can be seen from
/// its normal form.
///
/// `true` is a proof: tests are compared after they have been brought to normal form, and
/// `sym(..)` is closed by definition. `false` only says that it is not evident: `a+b = d+e, b+c =
/// e+f` is closed under the rotations of six stacks, but its images follow from it by
/// arithmetic only.
///
/// ```
/// use nimatron_formula::{Context, Formula};
/// use nimatron_meaning::evidently_closed;
/// let context = Context::new(4);
/// let swap = vec![vec![2, 1, 0, 3]];
/// let closed = |text| evidently_closed(&Formula::parse(text, &context).unwrap(), &context, &swap);
/// assert_eq!(closed("a+b = d-c, min(a,c) <= xor(c,a)"), Ok(true));
/// assert_eq!(closed("a = b"), Ok(false));
/// ```
pub fn evidently_closed(
    formula: &Formula,
    context: &Context,
    symmetries: &dyn Symmetries,
) -> Result<bool, CompileError> {
    let reduced = has_reduced(formula);
    let mut lowering = Lowering::new(context, symmetries, reduced);
    let identity: Vec<usize> = (0..context.stacks()).collect();
    let root = lowering.lower(formula, &identity)?;
    let mut result = Ok(true);
    let _ = symmetries.each(&mut |image| {
        result = lowering.lower(formula, image).map(|literal| literal == root);
        if result == Ok(true) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    result
}

fn has_reduced(formula: &Formula) -> bool {
    formula.any(&mut |f| matches!(f, Formula::Reduced(_)))
}

/// The greatest `2^k - 1` such that no combination of the graph leaves 64 bits while all heights
/// are at most that.
fn narrow_heights(graph: &Graph) -> Option<Height> {
    let fits = |&k: &u32| {
        let limit = 1 << 62;
        let mut sizes: Vec<i128> = Vec::with_capacity(graph.values.len());
        let size = |sizes: &[i128], form: &Combination| {
            let terms = form.terms.iter();
            terms.fold(form.constant.abs(), |sum, &(id, c)| {
                sum.saturating_add(sizes[id as usize].saturating_mul(c.abs()))
            })
        };
        for value in &graph.values {
            let greatest = |ids: &[u32]| ids.iter().map(|&id| sizes[id as usize]).max();
            let value = match value {
                Value::Stack(_) => (1 << k) - 1,
                Value::Linear(form) => size(&sizes, form),
                Value::Min(ids) | Value::Max(ids) => greatest(ids).unwrap_or(0),
                Value::Xor(ids) => 2 * greatest(ids).unwrap_or(0) + 1,
                Value::Mod(_, modulus) => i128::from(*modulus),
                Value::Odds { .. } => graph.stacks as i128,
            };
            if value >= limit {
                return false;
            }
            sizes.push(value);
        }
        graph.conditions.iter().all(|condition| match condition {
            Condition::Zero(form) | Condition::NonNegative(form) => size(&sizes, form) < limit,
            _ => true,
        })
    };
    (1..=60).rev().find(fits).map(|k| (1 << k) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_that_occur_need_no_search() {
        for (n, generators) in [
            (6, "ad, be, cf, ace, bdf"),
            (7, "abcdefg, ad, bf, acdf, bdfg"),
            (9, "adg, beh, cfi, ae, af, cg, ch"),
            (9, "adg, beh, cfi, ae, af, abeg, befi"),
            (6, "ad, ae, be, bf, cf"),
            (7, "ac, ad, ae, af, bd, be, bf, bg, ce, cf, cg, df, dg, eg"),
            (3, "a, b, c, ab, bc, ac, abc"),
        ] {
            let context = Context::new(n);
            let formula = Formula::parse(&format!("span({generators})"), &context).unwrap();
            let evaluator = Evaluator::new(&formula, &context, &Asymmetric).unwrap();
            assert!(evaluator.program.spans.is_empty(), "{generators}");
        }
    }

    #[test]
    fn images_that_are_alike_are_tested_once() {
        let context = Context::new(4);
        let turns: Vec<Vec<usize>> =
            (0..4).map(|i| (0..4).map(|s| (s + i) % 4).collect()).collect();
        let tests = |text| {
            let formula = Formula::parse(text, &context).unwrap();
            Evaluator::new(&formula, &context, &turns).unwrap().program.ops.len()
        };
        assert_eq!(tests("sym(a+c = b+d)"), 1);
        assert_eq!(tests("sym(a = c)"), 2);
        assert_eq!(tests("sym(sym(sym(a = c)))"), 2);
        // The least height is computed once; d = min is shared by two images.
        assert_eq!(tests("sym(a = min, b = min)"), 1 + 3 + 2 + 2);
    }
}
