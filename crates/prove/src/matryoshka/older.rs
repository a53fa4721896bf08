//! Certificates of version 1, in which every game within a game had cells and weights of its own.
//!
//! They are converted before they are checked. Nothing here is trusted: what does not fit gives no
//! certificate, or one that the checker rejects.

use super::cells::Cells;
use super::cover::Covered;
use super::solution::{Node, Reason, Solution, Way};
use super::solve::Smaller;
use nimatron_game::symmetry::{Relabelling, Symmetry};
use nimatron_game::{Game, SetFamily, StackSet};
use nimatron_verify::matryoshka::Weight;
use nimatron_verify::{Budget, Certificate};
use serde::Deserialize;
use std::collections::BTreeSet;

/// The longest certificate that is converted, in bytes: three times the longest that was ever written.
const MAX_BYTES: usize = 1 << 20;

/// The share of the steps of a check that converting may take.
const SHARE: u64 = 64;

/// The most facets of a game.
const MAX_FACETS: usize = 1 << 12;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Whole {
    format: String,
    version: u32,
    game: Game,
    proof: Proof,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Proof {
    matryoshka: Matryoshka,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Matryoshka {
    games: Vec<Nested>,
    outermost: Child,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Nested {
    stacks: u32,
    facets: Vec<u32>,
    cells: Vec<Vec<u32>>,
    reason: Why,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Why {
    Empty,
    Pair,
    Vectors(Vectors),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Vectors {
    vectors: Vec<u32>,
    #[serde(default)]
    forced: Vec<Forced>,
    children: Vec<Child>,
    symmetries: Vec<Vec<u32>>,
    weights: Vec<Weight>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Child {
    emptied: u32,
    game: u32,
    names: Vec<u32>,
}

/// A set of stacks that contains an empty one in every P-position, with a tree of moves from all others.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Forced {
    pub(super) stacks: u32,
    #[serde(default)]
    pub(super) least: Option<u32>,
    pub(super) tree: Vec<Region>,
}

/// A node of such a tree.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Region {
    Split(Vec<i64>),
    Empty(Vec<(usize, i64)>),
    Play { facet: u32, cell: usize, times: Vec<Vec<i64>> },
}

/// The certificate that one of version 1 becomes, if it is one by games within games and can be
/// converted with a part of the budget for a check.
///
/// ```
/// use nimatron_prove::matryoshka::converted;
/// use nimatron_verify::Budget;
///
/// let old = r#"{"format":"nimatron-certificate","version":1,"game":"Nim(2)","proof":{"matryoshka":{
///     "games":[{"stacks":2,"facets":[1,2],"cells":[[3]],"reason":"pair"}],
///     "outermost":{"emptied":0,"game":0,"names":[0,1]}}}}"#;
/// let certificate = converted(old.as_bytes(), Budget::default()).unwrap();
/// assert_eq!(nimatron_verify::verify(&certificate).unwrap().set, "span(ab)");
/// ```
pub fn converted(text: &[u8], budget: Budget) -> Option<Certificate> {
    if text.len() > MAX_BYTES {
        return None;
    }
    let whole: Whole = serde_json::from_slice(text).ok()?;
    if whole.format != "nimatron-certificate" || whole.version != 1 {
        return None;
    }
    let Matryoshka { games, outermost } = whole.proof.matryoshka;
    let mut nodes: Vec<Node> = Vec::new();
    let mut work = budget.steps / SHARE;
    let mut bytes = budget.bytes / SHARE;
    for nested in games {
        work = work.checked_sub(steps(&nested))?;
        bytes = bytes.checked_sub(table_bytes(&nested))?;
        let node = node(nested, &nodes)?;
        nodes.push(node);
    }
    let rule = whole.game.single().filter(|rule| rule.is_set_nim())?;
    if rule.sets().len() > 1 << 12 || outermost.emptied != 0 {
        return None;
    }
    let outermost = way(rule.sets(), &outermost, &nodes)?;
    Some(Solution::within(whole.game, nodes, outermost, work)?.certificate())
}

/// About how many steps it takes to look at a game: for itself and for each child any two facets are
/// compared, and sets are looked up.
fn steps(nested: &Nested) -> u64 {
    let (facets, children) = match &nested.reason {
        Why::Vectors(reason) => (nested.facets.len() as u64, reason.children.len() as u64),
        _ => (nested.facets.len() as u64, 0),
    };
    (1 + children).saturating_mul(1024 + 4 * facets * facets)
}

/// How many bytes the table of cells and generators takes.
fn table_bytes(nested: &Nested) -> u64 {
    let generators: BTreeSet<u32> = nested.cells.iter().flatten().copied().collect();
    (nested.cells.len() as u64).saturating_mul(64 + generators.len() as u64 / 8)
}

/// A game of the list, after the smaller ones.
fn node(nested: Nested, smaller: &[Node]) -> Option<Node> {
    let stacks = usize::try_from(nested.stacks).ok().filter(|&n| n <= 32)?;
    let fits =
        |set: &u32| *set != 0 && StackSet::from_bits(*set).is_subset(StackSet::first(stacks));
    if nested.facets.len() > MAX_FACETS {
        return None;
    }
    if !nested.facets.iter().chain(nested.cells.iter().flatten()).all(fits) {
        return None;
    }
    let facets = nested.facets.iter().map(|&facet| StackSet::from_bits(facet));
    let sets = SetFamily::listed(stacks, facets);
    let reason = match nested.reason {
        Why::Empty => (stacks == 0).then_some(Reason::Empty)?,
        Why::Pair => (stacks == 2).then_some(Reason::Pair)?,
        Why::Vectors(reason) => {
            let ways = reason.children.iter().map(|child| way(&sets, child, smaller));
            let relabelling = |images: &Vec<u32>| {
                let images: Vec<usize> = images.iter().map(|&s| s as usize).collect();
                Relabelling::new(&images).filter(|g| g.stacks() == stacks)
            };
            let forced = match &reason.forced[..] {
                [] => None,
                [forced] => Some(Covered::recalled(&Symmetry::of_sets(&sets), forced)?),
                _ => return None,
            };
            let weights = reason.weights.iter().all(|w| w.weight.len() == stacks && fits(&w.facet));
            if !reason.vectors.iter().all(fits) || !weights {
                return None;
            }
            Reason::Vectors {
                vectors: reason.vectors.iter().map(|&v| StackSet::from_bits(v)).collect(),
                forced,
                ways: ways.collect::<Option<_>>()?,
                symmetries: reason.symmetries.iter().map(relabelling).collect::<Option<_>>()?,
                weights: reason.weights,
            }
        }
    };
    Some(Node { sets, cells: Cells::listed(stacks, nested.cells), reason })
}

/// The way to a child, made anew from the stacks that are emptied.
fn way(sets: &SetFamily, child: &Child, nodes: &[Node]) -> Option<Way> {
    let emptied = StackSet::from_bits(child.emptied);
    let Smaller { everywhere, classes, .. } = Smaller::new(sets, emptied);
    let game = usize::try_from(child.game).ok()?;
    let names: Vec<usize> = child.names.iter().map(|&name| name as usize).collect();
    let stacks = nodes.get(game)?.sets.stacks();
    let fits = names.len() == classes.len() && stacks == classes.len();
    (fits && Relabelling::new(&names).is_some()).then_some(Way {
        emptied,
        everywhere,
        classes,
        names,
        game,
    })
}
