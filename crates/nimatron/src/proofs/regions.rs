//! Winning moves from the coverage of a proof by regions.

use nimatron_formula::{Context, Formula};
use nimatron_game::symmetry::Relabelling;
use nimatron_game::{Game, Height, StackSet, Take};
use nimatron_meaning::Evaluator;
use nimatron_prove::regions::symmetries;
use nimatron_theory::{NewHeight, Reason};
use nimatron_verify::regions::{Form, Node, RegionsProof};

/// The rules of a certificate, found by walking down its tree.
#[derive(Debug)]
pub(super) struct Rules {
    game: Game,
    proof: RegionsProof,
    formula: Formula,
    evaluator: Evaluator,
    /// The identity and the symmetries of the proof.
    images: Vec<Relabelling>,
    /// By node: the first one after its tree.
    ends: Vec<usize>,
}

/// A rule that applies: its stack `s` is stack `order[s]`.
struct Applied {
    rule: usize,
    order: Vec<usize>,
}

impl Rules {
    /// `None` if the formula or the tree cannot be read.
    pub(super) fn new(game: &Game, proof: &RegionsProof) -> Option<Self> {
        let context = Context::of_game(game);
        let formula = Formula::parse(&proof.formula, &context).ok()?;
        let evaluator = Evaluator::new(&formula, &context, &symmetries(game)?).ok()?;
        let listed = proof.symmetries.iter().map(|symmetry| Relabelling::new(&symmetry.image));
        let mut images = vec![Relabelling::identity(game.stacks())];
        for image in listed {
            images.push(image.filter(|g| g.stacks() == game.stacks())?);
        }
        let mut ends = vec![0; proof.coverage.len()];
        for (at, node) in proof.coverage.iter().enumerate().rev() {
            let children = match node {
                Node::Split(_) => 2,
                Node::Residue(_, modulus) => usize::try_from(*modulus).ok()?,
                _ => 0,
            };
            let mut end = at + 1;
            for _ in 0..children {
                end = *ends.get(end)?;
            }
            ends[at] = end;
        }
        let (game, proof) = (game.clone(), proof.clone());
        Some(Rules { game, proof, formula, evaluator, images, ends })
    }

    pub(super) fn formula(&self) -> &Formula {
        &self.formula
    }

    pub(super) fn holds(&self, heights: &[Height]) -> bool {
        self.evaluator.holds(heights)
    }

    /// The rule that covers the position or one of its images. Whatever a rule says is looked at
    /// before it is passed on: a legal move, to where the formula holds.
    pub(super) fn winning_move(&self, heights: &[Height]) -> Option<Take> {
        self.applied(heights).map(|(take, _)| take)
    }

    /// The rule by which the move is found, in the stacks of the position.
    pub(super) fn told(&self, heights: &[Height]) -> Option<Reason> {
        let (_, applied) = self.applied(heights)?;
        let rule = self.proof.rules.get(applied.rule)?;
        let place = |stack: usize| applied.order.get(stack).copied();
        let height = |(stack, form): (usize, &Form)| {
            let terms = form.1.iter().map(|&(s, factor)| Some((place(s)?, factor)));
            let (stack, constant, terms) = (place(stack)?, form.0, terms.collect::<Option<_>>()?);
            Some(NewHeight { stack, constant, terms })
        };
        let played = StackSet::from_bits(rule.play?);
        let new = played.iter().zip(&rule.heights).map(height).collect::<Option<Vec<_>>>()?;
        Some(Reason::Rule { number: applied.rule + 1, order: applied.order, heights: new })
    }

    fn applied(&self, heights: &[Height]) -> Option<(Take, Applied)> {
        if self.holds(heights) {
            return None;
        }
        self.images.iter().find_map(|image| {
            let (option, mut applied) = self.option(&image.apply(heights))?;
            let back = image.inverse();
            applied.order.iter_mut().for_each(|stack| *stack = back.image(*stack));
            let option = back.apply(&option);
            let amount = |(h, o): (&Height, &Height)| h.checked_sub(*o);
            let take: Option<Vec<Height>> = heights.iter().zip(&option).map(amount).collect();
            let take = Take::new(take?);
            let wins = self.game.is_legal(heights, &take) && self.evaluator.holds(&option);
            wins.then_some((take, applied))
        })
    }

    /// Where the leaf of a position leads, and by which rule.
    fn option(&self, heights: &[Height]) -> Option<(Vec<Height>, Applied)> {
        let mut values: Vec<i128> = heights.iter().map(|&h| h.into()).collect();
        let mut at = 0;
        loop {
            match self.proof.coverage.get(at)? {
                Node::Split(form) if value(form, &values)? >= 0 => at += 1,
                Node::Split(_) => at = *self.ends.get(at + 1)?,
                Node::Residue(form, modulus) => {
                    let whole = value(form, &values)?;
                    let modulus = i128::from(*modulus);
                    let rest = whole.checked_rem_euclid(modulus)?;
                    values.push(whole.checked_div_euclid(modulus)?);
                    at += 1;
                    for _ in 0..rest {
                        at = *self.ends.get(at)?;
                    }
                }
                Node::Rule { rule: number, symmetry, bind, .. } => {
                    let rule = self.proof.rules.get(*number)?;
                    let stacks = heights.len();
                    // The rule's stack s is stack image(s) here.
                    let image: Vec<usize> = match symmetry {
                        Some(g) => self.proof.symmetries.get(*g)?.image.clone(),
                        None => (0..stacks).collect(),
                    };
                    let places = image.iter().chain(bind);
                    let own: Option<Vec<i128>> = places.map(|&v| values.get(v).copied()).collect();
                    let own = own?;
                    let play = StackSet::from_bits(rule.play?);
                    let mut option = heights.to_vec();
                    for (stack, form) in play.iter().zip(&rule.heights) {
                        option[*image.get(stack)?] = Height::try_from(value(form, &own)?).ok()?;
                    }
                    return Some((option, Applied { rule: *number, order: image }));
                }
                _ => return None,
            }
        }
    }
}

/// The value of a form.
fn value(form: &Form, values: &[i128]) -> Option<i128> {
    form.1.iter().try_fold(i128::from(form.0), |sum, &(variable, coefficient)| {
        sum.checked_add(values.get(variable)?.checked_mul(coefficient.into())?)
    })
}
