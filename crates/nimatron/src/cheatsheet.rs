//! Cheat sheets: what is left when invariant vectors have been subtracted.

use crate::knowledge::Knowledge;
use crate::subgames::{self, Subgame};
use crate::verdict::By;
use nimatron_game::symmetry::Symmetry;
use nimatron_game::{Family, Game, Height, StackSet};
use nimatron_reduce::Chain;
use nimatron_theory::Scope;
use nimatron_theory::complex::transversals;
use nimatron_theory::invariance::images;
use nimatron_theory::peeling::Circle;
use std::collections::{BTreeSet, HashSet};
use std::mem::discriminant;

/// How to play a game with invariant vectors (KDH26 section 3 and Table 2).
///
/// Once each vector has been subtracted as often as possible, some stack of each is empty. Each
/// [`Case`] is a minimal pattern of empty stacks, up to symmetry, with the smaller game that is
/// left; a winning move there wins in the whole game. Where one or two empty stacks leave just a
/// smaller game of the same family, that is a case of its own, and what remains is for that
/// game's sheet (Necklace26 section 4).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CheatSheet {
    /// The game.
    pub game: Game,
    /// Its invariant vectors.
    pub vectors: Vec<StackSet>,
    /// Who says that they are invariant.
    pub evidence: Evidence,
    /// The patterns of empty stacks.
    pub cases: Vec<Case>,
}

/// Why vectors are taken to be invariant.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Evidence {
    /// A theorem or a proof says so.
    Known(By),
    /// No position of a box speaks against it. That proves nothing.
    Box {
        /// The greatest height.
        max: Height,
    },
}

/// One pattern of empty stacks.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Case {
    /// What is left, and how it relates to the stacks of the game.
    pub left: Subgame,
    /// The patterns that are the same by symmetry.
    pub images: Vec<StackSet>,
}

/// How to win a game by peeling, where the theorem on peeling covers it and no other does.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PeelingRule {
    /// The game.
    pub game: Game,
    /// The stacks around the circle; those that lie in the same facets stand at one place.
    pub places: Vec<StackSet>,
    /// The peels while no stack is empty; none if stacks share a place.
    pub peels: Vec<StackSet>,
    /// Who says that peeling wins.
    pub by: By,
}

impl PeelingRule {
    /// The rule for a game. `None` if another theorem, which has more to say, covers it, or none does.
    pub fn of(game: &Game, knowledge: &Knowledge) -> Option<Self> {
        let rule = game.single()?;
        let theorem = knowledge.theorem(rule, game.convention())?;
        let circle = Circle::of(rule, game.convention())?;
        (theorem.scope == Scope::Class).then(|| PeelingRule {
            game: game.clone(),
            places: circle.places().to_vec(),
            peels: theorem.invariants.clone(),
            by: By::theorem(&theorem),
        })
    }
}

/// More vectors or patterns than this are not looked at.
const MOST_PATTERNS: usize = 100_000;

impl CheatSheet {
    /// The sheet of a game by the vectors that theorems and proofs give, followed by the sheets of the games
    /// that are left where these need one. `None` if no vectors are known.
    pub fn all(game: &Game, knowledge: &Knowledge) -> Option<Vec<CheatSheet>> {
        let (vectors, by) = knowledge.vectors(game.single()?, game.convention())?;
        let first = CheatSheet::of(game, &vectors, Evidence::Known(by), knowledge)?;
        let mut sheets = vec![first];
        let mut next = 0;
        while let Some(sheet) = sheets.get(next) {
            next += 1;
            let left = sheet.cases.iter().filter_map(|case| case.left.further(knowledge));
            for further in left.collect::<Vec<_>>() {
                if sheets.iter().all(|s| s.game != further.game) {
                    sheets.push(further);
                }
            }
        }
        Some(sheets)
    }

    /// The sheet of a game that is not a sum, by the vectors given. `None` if there are too many
    /// patterns.
    pub fn of(
        game: &Game,
        vectors: &[StackSet],
        evidence: Evidence,
        knowledge: &Knowledge,
    ) -> Option<Self> {
        let patterns = patterns(game, vectors, knowledge)?;
        // Symmetries that do not keep the vectors would mix up the patterns.
        let symmetry = Symmetry::of(game.single()?);
        let known: HashSet<StackSet> = vectors.iter().copied().collect();
        let keeps = symmetry
            .generators()
            .iter()
            .all(|g| vectors.iter().all(|&v| known.contains(&g.set(v))));
        let mut seen = HashSet::new();
        let mut cases = Vec::new();
        for &zeros in &patterns {
            if !seen.insert(zeros) {
                continue;
            }
            let images = match keeps {
                true => images(zeros, &symmetry),
                false => vec![zeros],
            };
            seen.extend(images.iter().copied());
            let images = images.into_iter().filter(|&i| i != zeros).collect();
            cases.push(Case { left: Subgame::of(game, zeros, knowledge), images });
        }
        Some(CheatSheet { game: game.clone(), vectors: vectors.to_vec(), evidence, cases })
    }
}

impl Subgame {
    /// The sheet of the game left, if one is needed: paths and the like are won at once, and so
    /// is a game all of whose cases are.
    fn further(&self, knowledge: &Knowledge) -> Option<CheatSheet> {
        if self.theorem().is_some_and(|theorem| crate::process::wins_at_once(theorem)) {
            return None;
        }
        let game = self.game()?;
        let (vectors, by) = knowledge.vectors(game.single()?, game.convention())?;
        CheatSheet::of(&game, &vectors, Evidence::Known(by), knowledge)
    }
}

/// The patterns of empty stacks of a sheet, fewest stacks first.
fn patterns(game: &Game, vectors: &[StackSet], knowledge: &Knowledge) -> Option<Vec<StackSet>> {
    let minimal: Vec<StackSet> = transversals(vectors).take(MOST_PATTERNS + 1).collect();
    if minimal.len() > MOST_PATTERNS {
        return None;
    }
    let family =
        knowledge.theorem(game.single()?, game.convention()).and_then(|t| t.family.clone());
    let alike =
        family.map_or(Vec::new(), |family| smaller_alike(game, &family, &minimal, knowledge));
    let covered = |t: &StackSet| alike.iter().any(|s| s.is_subset(*t));
    let mut patterns: BTreeSet<_> = alike.iter().map(|s| (s.len(), s.bits())).collect();
    patterns.extend(minimal.iter().filter(|t| !covered(t)).map(|t| (t.len(), t.bits())));
    Some(patterns.into_iter().map(|(_, bits)| StackSet::from_bits(bits)).collect())
}

/// One or two stacks, part of a minimal pattern but not all of it, without which the game is a
/// smaller one of its own family that a theorem covers, with nothing to merge.
fn smaller_alike(
    game: &Game,
    family: &Family,
    minimal: &[StackSet],
    knowledge: &Knowledge,
) -> Vec<StackSet> {
    let n = game.stacks();
    let singles = (0..n).map(StackSet::single);
    let pairs = (0..n).flat_map(|a| (a + 1..n).map(move |b| StackSet::single(a).with(b)));
    let mut alike: Vec<StackSet> = Vec::new();
    for zeros in singles.chain(pairs) {
        let part = |t: &StackSet| zeros != *t && zeros.is_subset(*t);
        if alike.iter().any(|s| s.is_subset(zeros)) || !minimal.iter().any(part) {
            continue;
        }
        // Looking for names takes a while; most patterns are out of the question before.
        if Chain::shrink(subgames::emptied(game, zeros)).members().iter().any(|m| m.len() > 1) {
            continue;
        }
        let left = Subgame::of(game, zeros, knowledge);
        let name = match &left.state.parts[..] {
            [part] => part.family.as_ref().filter(|_| left.solved.is_some()),
            _ => None,
        };
        if name.is_some_and(|name| discriminant(name) == discriminant(family)) {
            alike.push(zeros);
        }
    }
    alike
}
