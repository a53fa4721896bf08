//! Finding the theorem that covers a game, whatever its stacks are called.

use crate::embedded::find_host;
use crate::invariance;
use crate::library::find;
use crate::linear::FormulaSolution;
use crate::theorem::{Solution, Theorem};
use nimatron_formula::{Context, Formula};
use nimatron_game::symmetry::Relabelling;
use nimatron_game::{Family, Height, Outcome, Play, Rule, StackSet, Take};
use nimatron_reduce::name;
use std::fmt;

/// A game covered by a theorem, up to the names of its stacks. Heights and takes are those of the
/// game asked about; the relabelling to the theorem's order happens inside.
pub struct Recognition {
    /// The theorem.
    pub theorem: &'static dyn Theorem,
    /// The game's name in the theorem's order of stacks, if it has one.
    pub family: Option<Family>,
    /// Where each stack stands in the theorem's order.
    pub relabelling: Relabelling,
    /// Vectors that may be added and subtracted without changing the outcome, and who says so.
    pub invariants: Vec<StackSet>,
    /// Whether the theorem is about a larger game of which this is a part.
    pub is_part: bool,
    inverse: Relabelling,
    solution: Box<dyn Solution>,
}

/// The first theorem that covers the rule, as it is labelled, after renaming its stacks to those
/// of a named game, or as a part of a larger solved game whose other stacks are empty.
///
/// ```
/// use nimatron_game::{Game, Outcome, Play};
/// use nimatron_theory::recognise;
/// let game: Game = "Set(ac,ce,be,bd,ad)".parse().unwrap();
/// let found = recognise(game.single().unwrap(), Play::Normal).unwrap();
/// assert_eq!(found.family.as_ref().unwrap().to_string(), "CN(5,2)");
/// assert_eq!(found.outcome(&[1, 1, 1, 1, 1]), Outcome::P);
/// ```
pub fn recognise(rule: &Rule, play: Play) -> Option<Recognition> {
    if let Some((theorem, solution)) = find(rule, play) {
        let identity = Relabelling::identity(rule.stacks());
        return Some(Recognition::new(theorem, solution, identity));
    }
    let named = name(rule.sets()).and_then(|(family, relabelling)| {
        let (theorem, solution) = find(&rule.on(family.sets()), play)?;
        Some(Recognition::new(theorem, solution, relabelling))
    });
    named.or_else(|| {
        let (theorem, solution) = find_host(rule, play)?;
        let identity = Relabelling::identity(rule.stacks());
        Some(Recognition { is_part: true, ..Recognition::new(theorem, solution, identity) })
    })
}

impl Recognition {
    fn new(
        theorem: &'static dyn Theorem,
        solution: Box<dyn Solution>,
        relabelling: Relabelling,
    ) -> Self {
        let inverse = relabelling.inverse();
        let family = solution.family();
        let vectors = family.as_ref().map_or(Vec::new(), invariance::known);
        let invariants = vectors.into_iter().map(|v| inverse.set(v)).collect();
        let is_part = false;
        Recognition { theorem, family, relabelling, invariants, is_part, inverse, solution }
    }

    /// The solution, in the theorem's order of stacks.
    pub fn solution(&self) -> &dyn Solution {
        &*self.solution
    }

    /// The heights in the theorem's order of stacks.
    pub fn relabelled(&self, heights: &[Height]) -> Vec<Height> {
        self.relabelling.apply(heights)
    }

    /// Who wins.
    pub fn outcome(&self, heights: &[Height]) -> Outcome {
        self.solution.outcome(&self.relabelled(heights))
    }

    /// The Grundy value, if the theorem knows it.
    pub fn grundy(&self, heights: &[Height]) -> Option<u128> {
        self.solution.grundy(&self.relabelled(heights))
    }

    /// All winning moves, at most `limit` of them, and whether these are all, where the P-positions
    /// are known as a linear formula. Exact at any height.
    pub fn winning_moves(&self, heights: &[Height], limit: usize) -> Option<(Vec<Take>, bool)> {
        let family = self.family.as_ref()?;
        let text = self.solution.formula()?;
        let formula = Formula::parse(&text, &Context::of_rule(&family.rule())).ok()?;
        let linear = FormulaSolution::new(family, &formula, &text).ok()?;
        let (takes, all) = linear.winning_moves(&self.relabelled(heights), limit);
        let back = |take: Take| Take::new(self.inverse.apply(&take));
        Some((takes.into_iter().map(back).collect(), all))
    }

    /// A move to a P-position; `None` exactly on P-positions.
    pub fn winning_move(&self, heights: &[Height]) -> Option<Take> {
        let won = self.solution.winning_move(&self.relabelled(heights))?;
        Some(self.unlabelled(&won.take))
    }

    /// A move in the theorem's order of stacks as a move of the game asked about.
    pub fn unlabelled(&self, take: &Take) -> Take {
        Take::new(self.inverse.apply(take))
    }
}

impl fmt::Debug for Recognition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recognition")
            .field("theorem", &self.theorem.id())
            .field("relabelling", &self.relabelling)
            .finish_non_exhaustive()
    }
}
