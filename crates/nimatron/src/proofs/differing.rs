//! Positions at which a formula and an accepted certificate differ.

use super::prove::Refutation;
use super::proved::Proved;
use nimatron_formula::{Context, Formula};
use nimatron_game::{Height, Outcome, Position};
use nimatron_linear::omega::{IntegerError, Relation, System};
use nimatron_linear::{Constraint, Form};
use nimatron_meaning::{Branch, Evaluator, branches};
use nimatron_prove::regions::symmetries;
use nimatron_verify::Certificate;

/// A formula beside the P-positions that a certificate proves. What is found is a position, and whether it is
/// a P-position by the certificate.
pub(super) struct Differing<'a> {
    proved: Proved,
    formula: &'a Formula,
    holds: Evaluator,
    group: Vec<Vec<usize>>,
}

/// The positions of a box that are compared.
const MOST_POSITIONS: u64 = 20_000;

/// Sums of the generators of each cell that are compared.
const SUMS_PER_CELL: u64 = 8;

/// The most branches of a formula that are compared with another one.
const MOST_BRANCHES: usize = 4_096;

/// The most systems of linear constraints that are solved.
const MOST_SYSTEMS: usize = 20_000;

impl<'a> Differing<'a> {
    /// `None` if the formula cannot be evaluated.
    pub(super) fn new(certificate: &Certificate, formula: &'a Formula) -> Option<Self> {
        let game = &certificate.game;
        let proved = Proved::trusting(certificate.clone())?;
        let group = symmetries(game)?;
        let holds = Evaluator::new(formula, &Context::of_game(game), &group).ok()?;
        Some(Differing { proved, formula, holds, group })
    }

    fn is_p(&self, heights: &[Height]) -> Option<bool> {
        Some(self.proved.answer(heights)?.outcome == Outcome::P)
    }

    /// The position, if the two differ there.
    fn at(&self, heights: Vec<Height>) -> Option<(bool, Position)> {
        let is_p = self.is_p(&heights)?;
        let position = Position::new(heights).ok()?;
        (is_p != self.holds.holds(&position)).then_some((is_p, position))
    }

    /// By what refutes the formula: the position itself, or one that a move leads to.
    pub(super) fn by_refutation(&self, refutation: &Refutation) -> Option<(bool, Position)> {
        let (position, to) = match refutation {
            Refutation::Claimed { position, to, .. } => (position, Some(to.clone())),
            Refutation::Missed { position } | Refutation::Terminal { position } => {
                let take = self.proved.answer(position)?.take;
                (position, take.and_then(|take| position.after(&take)))
            }
        };
        [Some(position.clone()), to].into_iter().flatten().find_map(|at| self.at(at.to_vec()))
    }

    /// One of least total in the greatest box that is not too large, or else among sums of generators.
    pub(super) fn small(&self) -> Option<(bool, Position)> {
        let n = self.proved.game().stacks();
        let fits =
            |h: &Height| (h + 1).checked_pow(n as u32).is_some_and(|all| all <= MOST_POSITIONS);
        let height = (1..=MOST_POSITIONS).take_while(fits).last()?;
        let mut heights: Vec<Height> = vec![0; n];
        let mut least = Least::default();
        loop {
            least.offer(self, &heights)?;
            // The last stack counts first, so that of several the first in lexicographic order is met first.
            let Some(at) = heights.iter().rposition(|&h| h < height) else { break };
            heights[at] += 1;
            heights[at + 1..].iter_mut().for_each(|h| *h = 0);
        }
        least.found.or_else(|| self.among_sums())
    }

    /// In cells that a small box hardly reaches: among sums of generators, and positions with one token more.
    fn among_sums(&self) -> Option<(bool, Position)> {
        let mut least = Least::default();
        for (number, cell) in (0..).zip(self.proved.games()?.cells()) {
            for sum in 0..SUMS_PER_CELL {
                let mut heights: Vec<Height> = vec![0; self.proved.game().stacks()];
                for (place, generator) in (1..).zip(&cell) {
                    // Small numbers without a pattern.
                    let times = (number + sum * 13) * place * place % 11 % (sum + 2);
                    generator.iter().for_each(|stack| heights[stack] += times);
                }
                for more in (0..heights.len()).map(Some).chain([None]) {
                    let mut heights = heights.clone();
                    more.into_iter().for_each(|stack| heights[stack] += 1);
                    least.offer(self, &heights)?;
                }
            }
        }
        least.found
    }

    /// One in a branch of the one formula and in none of the other's, if both speak of linear constraints in
    /// the heights alone: positions that satisfy all of a branch are found by the Omega test, and what is met
    /// in a branch of the other one is cut away.
    pub(super) fn by_systems(&self) -> Option<(bool, Position)> {
        let context = Context::of_game(self.proved.game());
        let known = Formula::parse(&self.proved.formula()?, &context).ok()?;
        let mut left = MOST_SYSTEMS;
        // The P-positions are the same under symmetries; where the formula is, too, one of each class will do.
        let symmetric = matches!(self.formula, Formula::Sym(_));
        let within = |formula: &'_ Formula| match formula {
            Formula::Sym(inner) if symmetric => self.branches(inner),
            _ => self.branches(formula),
        };
        for (one, other) in [(self.formula, &known), (&known, self.formula)] {
            let others = self.branches(other)?;
            for branch in within(one)? {
                let found = self.beyond(branch.constraints, &others, &mut left);
                if let Ok(Some(found)) = found {
                    return Some(found);
                }
            }
        }
        None
    }

    /// The branches of a formula, if they are about heights only.
    fn branches(&self, formula: &Formula) -> Option<Vec<Branch>> {
        let stacks = self.proved.game().stacks();
        let found = branches(formula, stacks, &self.group, MOST_BRANCHES).ok()?;
        found.iter().all(|branch| branch.integers.is_empty()).then_some(found)
    }

    /// A position that satisfies the constraints at which formula and certificate differ. `others` are the
    /// branches of what is not to hold there.
    fn beyond(
        &self,
        constraints: Vec<Constraint>,
        others: &[Branch],
        left: &mut usize,
    ) -> Result<Option<(bool, Position)>, IntegerError> {
        let mut pieces = vec![constraints];
        while let Some(mut piece) = pieces.pop() {
            if *left == 0 {
                break;
            }
            *left -= 1;
            let Some(point) = self.solve(&piece)? else { continue };
            let heights = point.iter().map(|&x| Height::try_from(x)).collect::<Result<_, _>>();
            let Ok(heights) = heights else { continue };
            if let Some(found) = self.at(heights) {
                return Ok(Some(found));
            }
            let holds = |branch: &&Branch| branch.constraints.iter().all(|c| c.holds(&point));
            let Some(other) = others.iter().find(holds) else { continue };
            for constraint in &other.constraints {
                for side in constraint.sides() {
                    let outside = Constraint::at_least_zero(side.complement());
                    pieces.push(piece.iter().cloned().chain([outside]).collect());
                }
                piece.push(constraint.clone());
            }
        }
        Ok(None)
    }

    /// Heights that satisfy the constraints.
    fn solve(&self, constraints: &[Constraint]) -> Result<Option<Vec<i128>>, IntegerError> {
        let stacks = self.proved.game().stacks();
        let mut system = System::unbounded(stacks)?;
        let heights = (0..stacks).map(|s| Constraint::at_least_zero(Form::variable(s)));
        for Constraint { form, equation } in heights.chain(constraints.iter().cloned()) {
            let coefficients: Vec<i128> = form.coefficients().iter().map(|&c| c.into()).collect();
            let relation = if equation { Relation::Zero } else { Relation::NonNegative };
            system.require(&coefficients, form.constant.into(), relation)?;
        }
        system.solve()
    }
}

/// The first position of least total among those that are offered.
#[derive(Default)]
struct Least {
    total: Height,
    found: Option<(bool, Position)>,
}

impl Least {
    /// `None` if the certificate gives no answer.
    fn offer(&mut self, differing: &Differing, heights: &[Height]) -> Option<()> {
        let total = heights.iter().sum();
        if self.found.is_none() || total < self.total {
            let is_p = differing.is_p(heights)?;
            if is_p != differing.holds.holds(heights) {
                self.total = total;
                self.found = Some((is_p, Position::new(heights.to_vec()).ok()?));
            }
        }
        Some(())
    }
}
