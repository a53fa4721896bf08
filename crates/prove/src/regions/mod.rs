//! Proves that a formula without xor describes exactly the P-positions, for all heights; or finds
//! a position where it does not.
//!
//! The formula is a union of polyhedra, and so is the move relation. (I) "no move from S to S" is
//! then a finite list of linear systems without solutions, each refuted by a Farkas vector. (II)
//! "every position outside S has a move into S" is a coverage of all positions by regions, each
//! the projection of "this play leads into this branch" with the new heights as affine forms.

mod cell;
mod cover;
mod expansion;
mod leaf;
mod misere;
mod moves;
mod plays;
mod problem;
mod refute;
mod region;
mod separate;
mod smt;
mod strategy;
#[cfg(test)]
mod tests;
mod told;
mod witness;
mod words;
mod written;

use nimatron_formula::Formula;
use nimatron_game::{Game, Play, Position, Stop, Take, Watch};
use nimatron_linear::{Form, Overflow};
use nimatron_meaning::{BranchError, CompileError};
use nimatron_verify::Certificate;
use nimatron_verify::regions as cert;
pub use plays::symmetries;
use problem::{Piece, Problem};
pub use smt::smt;
use std::collections::HashSet;
pub use strategy::{Strategy, StrategyRule};

/// What a proof may cost.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Nodes of a tree.
    pub nodes: u64,
    /// Options looked at in search of a small counterexample.
    pub search: u64,
}

impl Limits {
    /// So many options are looked at in search of a small counterexample, unless said otherwise.
    pub const SEARCH: u64 = 150_000;
}

impl Default for Limits {
    fn default() -> Self {
        Limits { nodes: 2_000_000, search: Limits::SEARCH }
    }
}

/// A position that shows that a formula does not describe the P-positions.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FormulaCounterexample {
    /// The formula holds here, and after this move.
    Claimed {
        /// The position.
        position: Position,
        /// The move.
        take: Take,
    },
    /// The formula fails here, but no move leads to where it holds.
    Missed {
        /// The position.
        position: Position,
    },
    /// Misere play: the formula holds here, but there is no move.
    Terminal {
        /// The position.
        position: Position,
    },
}

/// Why there is no proof.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Failure {
    /// The formula is wrong.
    Refuted(FormulaCounterexample),
    /// Neither proved nor refuted.
    Undecided(Reason),
    /// The method does not apply.
    Unsupported(Unsupported),
}

/// What kept a proof from being finished.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// The watch said so.
    #[error("{0}")]
    Stopped(Stop),
    /// A tree grew beyond its limit.
    #[error("more than {0} nodes are needed")]
    Nodes(u64),
    /// A refutation branched too deep.
    #[error("a system of constraints is still undecided after {0} splits")]
    Depth(usize),
    /// Too many residue classes lie within one another.
    #[error("more than {0} remainders are needed")]
    Residues(usize),
    /// Numbers grew beyond the arithmetic.
    #[error("{0}")]
    Numbers(#[from] Overflow),
    /// The only positions found are too tall to be played.
    #[error("a position beyond the tallest stacks allowed")]
    TooTall,
    /// A position has a move into the set, but no rule was found that covers it.
    #[error("no rule was found for {0}")]
    NoRegion(Position),
    /// A step of the proof failed its own test.
    #[error("the method fails: {0}")]
    Method(&'static str),
}

/// Why the method does not apply.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unsupported {
    /// The formula is no union of linear systems, or of too many.
    #[error(transparent)]
    Branches(BranchError),
    /// The formula cannot be evaluated.
    #[error(transparent)]
    Evaluation(CompileError),
    /// The game has too many symmetries.
    #[error("the game has too many symmetries")]
    Symmetries,
    /// The game has too many kinds of moves.
    #[error("the game has more than {0} kinds of moves")]
    Plays(usize),
}

impl Failure {
    fn stopped(stop: Stop) -> Failure {
        Failure::Undecided(Reason::Stopped(stop))
    }

    fn internal(what: &'static str) -> Failure {
        Failure::Undecided(Reason::Method(what))
    }
}

impl From<Overflow> for Failure {
    fn from(overflow: Overflow) -> Failure {
        Failure::Undecided(Reason::Numbers(overflow))
    }
}

/// How large a proof is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statistics {
    /// Branches of the set.
    pub branches: usize,
    /// Branches moved from in (I), up to symmetry.
    pub sources: usize,
    /// Regions among which the coverage chooses.
    pub regions: usize,
    /// Regions used, up to symmetry.
    pub regions_used: usize,
    /// Rules with affine moves, up to symmetry.
    pub rules: usize,
    /// Nodes of the coverage.
    pub nodes: usize,
    /// Leaves of the coverage.
    pub leaves: u64,
    /// Linear programs solved in the coverage.
    pub programs: u64,
}

/// A finished proof.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Proof {
    /// What the checker reads.
    pub certificate: Certificate,
    /// What to play.
    pub strategy: Strategy,
    /// How large the proof is.
    pub statistics: Statistics,
}

/// Proves that the formula describes exactly the P-positions of the game, or refutes it.
///
/// ```
/// use nimatron_formula::{Context, Formula};
/// use nimatron_game::{Game, Unlimited};
/// use nimatron_prove::regions::{FormulaCounterexample, Failure, Limits, prove};
///
/// let game: Game = "PN(3,2)".parse().unwrap();
/// let formula = |text| Formula::parse(text, &Context::of_game(&game)).unwrap();
/// let proof = prove(&game, &formula("b = 0, a = c"), &Unlimited, &Limits::default()).unwrap();
/// assert!(nimatron_verify::verify(&proof.certificate).is_ok());
/// let take = proof.strategy.winning_move(&[7, 3, 1_000_000]).unwrap();
/// assert_eq!(take.to_string(), "(0,3,999993)");
///
/// let wrong = prove(&game, &formula("b <= 1, a = c"), &Unlimited, &Limits::default());
/// let Err(Failure::Refuted(FormulaCounterexample::Claimed { position, .. })) = wrong else { panic!() };
/// assert_eq!(position.to_string(), "(0,1,0)");
/// ```
pub fn prove(
    game: &Game,
    formula: &Formula,
    watch: &dyn Watch,
    limits: &Limits,
) -> Result<Proof, Failure> {
    let problem = Problem::new(game, formula, watch)?;
    if let Some(example) = refute::small(&problem, limits.search, watch)? {
        return Err(Failure::Refuted(example));
    }
    let separation = separate::separate(&problem, watch, limits)?;
    let (domain, rows) = domain(&problem);
    let mut cover = cover::Cover::new(&problem, watch, limits);
    cover.run(&rows)?;
    if let Some(shorter) = shorter(&cover, &rows) {
        cover = shorter;
    }
    let playable = match game.convention() {
        Play::Misere => cover.playable()?,
        Play::Normal => Vec::new(),
    };
    let statistics = Statistics {
        branches: problem.branches.len(),
        sources: separation
            .iter()
            .filter(|(_, source)| matches!(source, cert::Source::Trees(_)))
            .count(),
        regions: cover.regions.len(),
        regions_used: cover.used.len(),
        rules: cover.rules.len(),
        nodes: cover.nodes.len(),
        leaves: cover.leaves,
        programs: cover.known.solved,
    };
    let strategy = Strategy::new(&problem, std::mem::take(&mut cover.strategy));
    let (rules, coverage) = (cover.rules, cover.nodes);
    let expansion = expansion::expansion(&problem, watch)?;
    let proof = cert::RegionsProof {
        formula: formula.to_string(),
        branches: problem.branches.iter().map(Piece::certificate).collect(),
        expansion,
        symmetries: problem.symmetries,
        separation,
        playable,
        rules,
        domain,
        coverage,
    };
    let certificate =
        Certificate::new(game.clone(), nimatron_verify::Proof::Regions(Box::new(proof)));
    Ok(Proof { certificate, strategy, statistics })
}

/// A coverage by fewer regions, up to symmetry: few orbits are chosen that contain all points seen
/// so far, until they cover everything.
fn shorter<'a>(full: &cover::Cover<'a>, rows: &[Form]) -> Option<cover::Cover<'a>> {
    let misere = full.problem.game.convention() == Play::Misere;
    // Within residue classes the regions differ from class to class.
    if misere || full.used.len() < 2 || !full.residue_forms().is_empty() {
        return None;
    }
    let mut sets: Vec<HashSet<usize>> = full.points.iter().map(|x| full.orbits_at(x)).collect();
    let mut work = 0;
    while work <= 5 * full.known.solved {
        let chosen = hitting(&sets, &full.used);
        if chosen.len() >= full.used.len() {
            break;
        }
        let mut cover = full.restricted(chosen);
        cover.run(rows).ok()?;
        work += cover.known.solved + 1;
        if cover.uncovered.is_empty() {
            return Some(cover);
        }
        for (x, unfit) in &cover.uncovered {
            let mut orbits = full.orbits_at(x);
            if orbits.len() > 1 {
                orbits.retain(|o| Some(*o) != *unfit);
            }
            sets.push(orbits);
        }
    }
    None
}

/// Few numbers that meet all sets: greedily, then without those that are not needed.
fn hitting(
    sets: &[HashSet<usize>],
    used: &std::collections::HashMap<usize, u64>,
) -> HashSet<usize> {
    let mut chosen: Vec<usize> = Vec::new();
    let mut open: Vec<&HashSet<usize>> = sets.iter().collect();
    while !open.is_empty() {
        let mut counts: std::collections::BTreeMap<usize, usize> = Default::default();
        open.iter().flat_map(|set| set.iter()).for_each(|&o| *counts.entry(o).or_insert(0) += 1);
        let weight =
            |&(&o, &count): &(&usize, &usize)| (count, used.get(&o).copied(), std::cmp::Reverse(o));
        let Some((&next, _)) = counts.iter().max_by_key(weight) else { break };
        chosen.push(next);
        open.retain(|set| !set.contains(&next));
    }
    let mut i = 0;
    while i < chosen.len() {
        let without = |set: &HashSet<usize>| {
            chosen.iter().enumerate().any(|(j, o)| j != i && set.contains(o))
        };
        if sets.iter().all(without) {
            chosen.remove(i);
        } else {
            i += 1;
        }
    }
    chosen.into_iter().collect()
}

/// Positions of which all others are images.
fn domain(problem: &Problem) -> (cert::Domain, Vec<Form>) {
    let n = problem.stacks;
    let orbit = |s: usize| {
        let mut images: Vec<usize> = problem.group.iter().map(|g| g.image[s]).collect();
        images.sort_unstable();
        images.dedup();
        images
    };
    let mut domain = cert::Domain::default();
    let mut rows = Vec::new();
    let largest = (0..n).max_by_key(|&s| (orbit(s).len(), std::cmp::Reverse(s)));
    let Some(least) = largest.filter(|&s| orbit(s).len() > 1) else { return (domain, rows) };
    domain.least = Some(least);
    rows.extend(
        orbit(least).into_iter().filter(|&s| s != least).map(|s| Form::difference(s, least)),
    );
    for (g, element) in problem.group.iter().enumerate().skip(1) {
        let swapped = (0..n).find(|&a| {
            let b = element.image[a];
            b > a && element.image[b] == a
        });
        if let (true, Some(a)) = (element.image[least] == least, swapped) {
            let b = element.image[a];
            domain.exchange = Some((a, b, g - 1));
            rows.push(Form::difference(b, a));
            break;
        }
    }
    (domain, rows)
}
