//! Proving one direction: that every P-position satisfies a formula, or that only P-positions do.
//!
//! Where the P-positions are known to be those of a formula G, this is a question of whether "G, F" or
//! "G or F" describes them as well: that is proved as always, and checked as always.

use super::discover::Found;
use super::known_formula::{known_after_reductions, symmetries, written};
use super::prove::{Judgement, ProveMethod, Refutation, Undecided, prove};
use crate::ask::{Explain, Options, Prepared};
use crate::check::{Check, Conjecture, MismatchKind, Side};
use crate::knowledge::Knowledge;
use crate::limits::Limits;
use crate::verdict::By;
use nimatron_formula::{Context, Formula, Relation, Term};
use nimatron_game::{Game, Height, Outcome, Position, StackSet, Stop, Take};
use nimatron_meaning::Evaluator;
use nimatron_reduce::{Chain, Change};
use nimatron_table::Alone;
use std::time::Duration;

/// What became of an attempt to prove one direction, or something about some positions only.
#[derive(Debug)]
#[non_exhaustive]
pub struct OneSided {
    /// The game.
    pub game: Game,
    /// The formula.
    pub formula: Formula,
    /// What is claimed about it.
    pub side: Side,
    /// Only positions that satisfy this count, if there is such a condition.
    pub within: Option<Formula>,
    /// Whether it is true.
    pub judgement: SidedJudgement,
    /// The height up to which it was compared with a table first, if that came to its end.
    pub checked: Option<Height>,
    /// How long it took.
    pub time: Duration,
}

/// Whether a claim about one direction is true.
#[derive(Debug)]
#[non_exhaustive]
pub enum SidedJudgement {
    /// It is, for all heights. There is a proof for each direction that was asked for.
    Proved(Vec<SidedProof>),
    /// It is not.
    Refuted {
        /// Where it fails.
        position: Position,
        /// How.
        kind: MismatchKind,
        /// The move that wins there, at an N-position.
        take: Option<Take>,
    },
    /// That is not known.
    Undecided(SidedUndecided),
}

/// The proof of one direction.
#[derive(Debug)]
#[non_exhaustive]
pub struct SidedProof {
    /// Which direction.
    pub side: Side,
    /// Stacks that the formula wants empty: the proof is about what is left of the game without them.
    pub empty: StackSet,
    /// The game of the proof.
    pub about: Game,
    /// The stacks of the game asked about that are those of the proof.
    pub stacks: Vec<usize>,
    /// The P-positions as they are known, in the stacks of the game asked about.
    pub known: Formula,
    /// Who knows them.
    pub by: By,
    /// The proof that the formula, joined with what is known, describes the P-positions.
    pub found: Box<Found>,
}

/// Why one direction was neither proved nor refuted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SidedUndecided {
    /// There is no formula for the P-positions to start from.
    #[error("no formula for the P-positions of {0} is known, from which it might follow")]
    NothingKnown(String),
    /// A span cannot be negated.
    #[error("a condition with span cannot be dealt with here")]
    Span,
    /// The formula cannot be evaluated.
    #[error("the formula has too many images under the symmetries, or is too long")]
    Formula,
    /// A limit was reached.
    #[error("{0}")]
    Stopped(Stop),
    /// What follows from it could not be proved.
    #[error(transparent)]
    Proof(Undecided),
}

/// Proves for all heights that the claim is true, or refutes it.
///
/// ```
/// use nimatron::check::{Context, Formula, Side};
/// use nimatron::proofs::{SidedJudgement, prove_one_sided};
/// use nimatron::{Game, Knowledge, Limits};
///
/// let game: Game = "CN(5,3)".parse().unwrap();
/// let formula = Formula::parse("min = 0", &Context::of_game(&game)).unwrap();
/// let knowledge = Knowledge::default();
/// let judge = |side| {
///     prove_one_sided(&game, &formula, side, None, &knowledge, &Limits::default()).judgement
/// };
/// assert!(matches!(judge(Side::Necessary), SidedJudgement::Proved(_)));
/// assert!(matches!(judge(Side::Sufficient), SidedJudgement::Refuted { .. }));
/// ```
pub fn prove_one_sided(
    game: &Game,
    formula: &Formula,
    side: Side,
    within: Option<&Formula>,
    knowledge: &Knowledge,
    limits: &Limits,
) -> OneSided {
    let watch = limits.stopwatch();
    let mut answer = OneSided {
        game: game.clone(),
        formula: formula.clone(),
        side,
        within: within.cloned(),
        judgement: SidedJudgement::Undecided(SidedUndecided::Formula),
        checked: None,
        time: Duration::ZERO,
    };
    answer.judgement = match answer.compared(limits) {
        Err(why) => SidedJudgement::Undecided(why),
        Ok(Some(refuted)) => refuted,
        Ok(None) => answer.proved(knowledge, limits),
    };
    answer.time = watch.elapsed();
    answer
}

impl OneSided {
    /// What a small table says against the claim.
    fn compared(&mut self, limits: &Limits) -> Result<Option<SidedJudgement>, SidedUndecided> {
        let unreadable = |_| SidedUndecided::Formula;
        let mut conjecture =
            Conjecture::new(&self.game, &self.formula).map_err(unreadable)?.side(self.side);
        if let Some(condition) = &self.within {
            conjecture = conjecture.within(condition).map_err(unreadable)?;
        }
        let height = conjecture.suggested_max();
        let max = vec![height; self.game.stacks()];
        // Most of the time is for the proof.
        let brief = limits.clone().time(limits.time.map(|time| time / 4));
        let Ok(check) = conjecture.check(&max, &Alone, &brief.start()) else { return Ok(None) };
        if let Some(Stop::Cancelled) = check.stop {
            return Err(SidedUndecided::Stopped(Stop::Cancelled));
        }
        self.checked = check.stop.is_none().then_some(height);
        Ok(refutation(&check))
    }

    fn proved(&self, knowledge: &Knowledge, limits: &Limits) -> SidedJudgement {
        let sides: &[Side] = match self.side {
            Side::Exact => &[Side::Necessary, Side::Sufficient],
            Side::Necessary => &[Side::Necessary],
            Side::Sufficient => &[Side::Sufficient],
        };
        let mut proofs = Vec::new();
        for &side in sides {
            match self.one(side, knowledge, limits) {
                Ok(proof) => proofs.push(proof),
                Err(other) => return other,
            }
        }
        SidedJudgement::Proved(proofs)
    }

    fn one(
        &self,
        side: Side,
        knowledge: &Knowledge,
        limits: &Limits,
    ) -> Result<SidedProof, SidedJudgement> {
        let undecided = |why| Err(SidedJudgement::Undecided(why));
        // What the claim comes down to, at all positions.
        let has_span = |f: &Formula| f.clone().any(&mut |part| matches!(part, Formula::Span(_)));
        let claimed = match (side, &self.within) {
            (_, None) => self.formula.clone(),
            (Side::Necessary, Some(condition)) => {
                if has_span(condition) {
                    return undecided(SidedUndecided::Span);
                }
                let outside = Formula::Not(Box::new(condition.clone()));
                Formula::or([self.formula.clone(), outside])
            }
            (_, Some(condition)) => Formula::and([self.formula.clone(), condition.clone()]),
        };
        // P-positions are mapped to P-positions by symmetries: one image of `sym(F)` will do.
        let claimed = match claimed {
            Formula::Sym(inner) if side == Side::Sufficient => *inner,
            other => other,
        };
        let empty = match side {
            Side::Sufficient => wanted_empty(&claimed),
            _ => StackSet::EMPTY,
        };
        let nothing = |game: &Game| SidedUndecided::NothingKnown(game.to_string());
        let Some((about, stacks)) = without(&self.game, empty) else {
            return undecided(nothing(&self.game));
        };
        let Some((known, by)) = known_after_reductions(&self.game, empty, knowledge) else {
            return undecided(nothing(&about));
        };
        let own = |formula: &Formula| {
            let place = |s: usize| stacks.iter().position(|&kept| kept == s);
            let images: Vec<Vec<usize>> =
                (0..self.game.stacks()).map(|s| place(s).into_iter().collect()).collect();
            match empty.is_empty() {
                true => Some(formula.clone()),
                false => written(formula, &images, &symmetries(self.game.single()?, formula)?),
            }
        };
        let (Some(g), Some(f)) = (own(&known), own(&claimed)) else {
            return undecided(SidedUndecided::Formula);
        };
        let joined = match side {
            Side::Necessary => Formula::and([g, f]),
            _ => Formula::or([g, f]),
        };
        match prove(&about, &joined, ProveMethod::Auto, limits).judgement {
            Judgement::Proved(found) => {
                Ok(SidedProof { side, empty, about, stacks, known, by, found })
            }
            Judgement::Refuted(example) => {
                let at = match &example {
                    Refutation::Claimed { position, to, .. } => vec![position, to],
                    Refutation::Missed { position } | Refutation::Terminal { position } => {
                        vec![position]
                    }
                };
                let whole = |position: &Position| {
                    let mut heights = vec![0; self.game.stacks()];
                    stacks.iter().zip(position.iter()).for_each(|(&s, &h)| heights[s] = h);
                    Position::new(heights).ok()
                };
                let positions = at.into_iter().filter_map(whole).collect();
                Err(self.counterexample(side, &claimed, positions, limits))
            }
            Judgement::Undecided(Undecided::Stopped(stop)) => {
                undecided(SidedUndecided::Stopped(stop))
            }
            Judgement::Undecided(why) => undecided(SidedUndecided::Proof(why)),
        }
    }

    /// What is known together with the claim does not describe the P-positions: so one of these, or one
    /// that is reached from it by a winning move, contradicts the claim.
    fn counterexample(
        &self,
        side: Side,
        claimed: &Formula,
        positions: Vec<Position>,
        limits: &Limits,
    ) -> SidedJudgement {
        let found = || {
            let rule = self.game.single()?;
            let images = symmetries(rule, claimed)?;
            let satisfies = Evaluator::new(claimed, &Context::of_game(&self.game), &images).ok()?;
            let prepared = Prepared::new(self.game.clone());
            let options = Options::default().limits(limits.clone()).explain(Explain::Nothing);
            for position in positions {
                let verdict = prepared.ask(&position, &options).ok()?;
                let won = verdict.moves.first();
                match (side, verdict.outcome?) {
                    (Side::Necessary, Outcome::P) if !satisfies.holds(&position) => {
                        let kind = MismatchKind::Missed;
                        return Some(SidedJudgement::Refuted { position, kind, take: None });
                    }
                    (Side::Necessary, Outcome::N) => {
                        let to = won?.to.clone();
                        if !satisfies.holds(&to) {
                            let kind = MismatchKind::Missed;
                            return Some(SidedJudgement::Refuted {
                                position: to,
                                kind,
                                take: None,
                            });
                        }
                    }
                    (Side::Sufficient, Outcome::N) if satisfies.holds(&position) => {
                        let (kind, take) = (MismatchKind::Claimed, won.map(|w| w.take.clone()));
                        return Some(SidedJudgement::Refuted { position, kind, take });
                    }
                    _ => {}
                }
            }
            None
        };
        found().unwrap_or(SidedJudgement::Undecided(SidedUndecided::Proof(Undecided::Other)))
    }
}

/// The smallest counterexample of a table.
fn refutation(check: &Check) -> Option<SidedJudgement> {
    let found = check.counterexample()?;
    let take = match found.kind {
        MismatchKind::Claimed => found.evidence.take().cloned(),
        MismatchKind::Missed => None,
    };
    Some(SidedJudgement::Refuted { position: found.position.clone(), kind: found.kind, take })
}

/// The stacks that are empty wherever the formula holds, as far as it says so outright.
fn wanted_empty(formula: &Formula) -> StackSet {
    let items = match formula {
        Formula::And(items) => &items[..],
        other => std::slice::from_ref(other),
    };
    let mut empty = StackSet::EMPTY;
    let mut equal: Vec<(&Term, &Term)> = Vec::new();
    for item in items {
        if let Formula::Compare(left, Relation::Equal, right) = item {
            equal.push((left, right));
        }
    }
    // A chain `b = c = 0` is several comparisons.
    loop {
        let is_zero = |term: &Term, empty: StackSet| match term {
            Term::Constant(0) => true,
            Term::Stack(s) => empty.contains(*s),
            _ => false,
        };
        let before = empty;
        for (left, right) in &equal {
            for (one, other) in [(left, right), (right, left)] {
                if let Term::Stack(s) = one
                    && is_zero(other, empty)
                {
                    empty = empty.with(*s);
                }
            }
        }
        if empty == before {
            return empty;
        }
    }
}

/// What is left of a game without some stacks, and which of its stacks are left.
fn without(game: &Game, empty: StackSet) -> Option<(Game, Vec<usize>)> {
    if empty.is_empty() {
        return Some((game.clone(), (0..game.stacks()).collect()));
    }
    let mut chain = Chain::reduce(crate::subgames::emptied(game, empty));
    matches!(chain.steps().first()?.change, Change::Zero { .. }).then_some(())?;
    chain.truncate(1);
    let stacks = chain.members().into_iter().map(|members| members[0]).collect();
    let left = chain.end().game()?;
    left.single()?;
    Some((left, stacks))
}
