//! Finding the theorem that covers a game, whatever its stacks are called.

use crate::by_formula::FormulaSolution;
use crate::embedded::find_host;
use crate::library::{find, find_class};
use crate::theorem::{Citation, Solution, Theorem};
use nimatron_formula::{Context, Formula};
use nimatron_game::symmetry::Relabelling;
use nimatron_game::{Family, Height, Outcome, Play, Rule, StackSet, Take};
use nimatron_reduce::name;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// A game covered by a theorem, up to the names of its stacks. Heights and takes are those of the
/// game asked about; the relabelling to the theorem's order happens inside.
pub struct Recognition {
    /// The theorem.
    pub theorem: &'static dyn Theorem,
    /// Where the theorem was proved.
    pub citation: Citation,
    /// The game's name in the theorem's order of stacks, if it has one.
    pub family: Option<Family>,
    /// Where each stack stands in the theorem's order.
    pub relabelling: Relabelling,
    /// Vectors that may be added and subtracted without changing the outcome.
    pub invariants: Vec<StackSet>,
    /// How near the theorem is to the game.
    pub scope: Scope,
    /// How answers name the theorem.
    pub label: Label,
    inverse: Relabelling,
    solution: Box<dyn Solution>,
    /// The formula, compiled when all winning moves are first asked for.
    linear: OnceLock<Option<FormulaSolution>>,
}

/// How answers name a theorem: made once, and shared by all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Label {
    /// The game it was applied to, in the theorem's order of stacks.
    pub game: Option<Arc<str>>,
    /// Where it was proved: `KDH26 Theorem 5.1`.
    pub citation: Arc<str>,
    /// The publication.
    pub source: Arc<str>,
    /// What it says.
    pub statement: Arc<str>,
}

/// How near a theorem is to a game that it covers. The nearer, the more it has to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Scope {
    /// It is about a whole class of games, to which this one belongs.
    Class,
    /// It is about a larger game of which this is a part.
    Part,
    /// It is about this game or its family.
    Game,
}

/// The first theorem that covers the rule, as it is labelled, after renaming its stacks to those
/// of a named game, as a part of a larger solved game whose other stacks are empty, or as a member of
/// a class of games.
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
    let named = named.or_else(|| {
        let (theorem, solution) = find_host(rule, play)?;
        let identity = Relabelling::identity(rule.stacks());
        let scope = Scope::Part;
        Some(Recognition { scope, ..Recognition::new(theorem, solution, identity) })
    });
    named.or_else(|| {
        let (theorem, solution) = find_class(rule, play)?;
        let identity = Relabelling::identity(rule.stacks());
        let scope = Scope::Class;
        Some(Recognition { scope, ..Recognition::new(theorem, solution, identity) })
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
        let vectors = solution.invariants();
        let invariants = vectors.into_iter().map(|v| inverse.set(v)).collect();
        let citation = theorem.citation_for(family.as_ref());
        let label = Label {
            game: family.as_ref().map(|family| family.to_string().into()),
            citation: citation.to_string().into(),
            source: (*citation.source).into(),
            statement: (*theorem.text()).into(),
        };
        Recognition {
            citation,
            label,
            theorem,
            family,
            relabelling,
            invariants,
            scope: Scope::Game,
            inverse,
            solution,
            linear: OnceLock::new(),
        }
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
        let linear = self.linear.get_or_init(|| self.compiled()).as_ref()?;
        let (takes, all) = linear.winning_moves(&self.relabelled(heights), limit);
        let back = |take: Take| Take::new(self.inverse.apply(&take));
        Some((takes.into_iter().map(back).collect(), all))
    }

    fn compiled(&self) -> Option<FormulaSolution> {
        let family = self.family.as_ref()?;
        let text = self.solution.formula()?;
        let formula = Formula::parse(&text, &Context::of_rule(&family.rule())).ok()?;
        FormulaSolution::new(family, &formula, &text).ok()
    }

    /// A move to a P-position; `None` exactly on P-positions and where no move is left.
    pub fn winning_move(&self, heights: &[Height]) -> Option<Take> {
        let take = self.solution.winning_take(&self.relabelled(heights))?;
        Some(self.unlabelled(&take))
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
