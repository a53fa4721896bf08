//! Solutions read back from certificates.

use super::cells::Cells;
use super::cover::Covered;
use super::solution::{Node, Reason, Solution, Way};
use super::solve::Smaller;
use nimatron_game::symmetry::{Relabelling, Symmetry};
use nimatron_game::{SetFamily, StackSet};
use nimatron_verify::matryoshka::{self, Child, Nested};
use nimatron_verify::{Certificate, Proof};

impl Solution {
    /// The solution that a certificate holds. What it answers is true if the checker accepts the
    /// certificate, which is not asked here. `None` if the proof is of another kind, or so
    /// malformed that the checker would not accept it.
    ///
    /// ```
    /// use nimatron_game::{Game, Unlimited};
    /// use nimatron_prove::matryoshka::{Discovery, Solution, discover};
    ///
    /// let game: Game = "CN(5,3)".parse().unwrap();
    /// let Discovery::Found(found) = discover(&game, &Unlimited).unwrap() else { panic!() };
    /// let certificate = found.certificate();
    /// assert!(nimatron_verify::verify(&certificate).is_ok());
    /// let read = Solution::of_certificate(&certificate).unwrap();
    /// assert_eq!(read.certificate(), certificate);
    /// assert_eq!(read.winning_move(&[3, 9, 5, 7, 4]), found.winning_move(&[3, 9, 5, 7, 4]));
    /// ```
    pub fn of_certificate(certificate: &Certificate) -> Option<Self> {
        let Proof::Matryoshka(proof) = &certificate.proof else { return None };
        let mut nodes: Vec<Node> = Vec::new();
        for nested in &proof.games {
            let node = node(nested, &nodes)?;
            nodes.push(node);
        }
        let rule = certificate.game.single()?;
        let outermost = way(rule.sets(), &proof.outermost, &nodes)?;
        Some(Solution::new(certificate.game.clone(), nodes, outermost))
    }
}

/// A game of the list, after the smaller ones.
fn node(nested: &Nested, smaller: &[Node]) -> Option<Node> {
    let stacks = usize::try_from(nested.stacks).ok().filter(|&n| n <= 32)?;
    let fits = |set: &u32| StackSet::from_bits(*set).is_subset(StackSet::first(stacks));
    if !nested.facets.iter().chain(nested.cells.iter().flatten()).all(fits) {
        return None;
    }
    let facets = nested.facets.iter().map(|&facet| StackSet::from_bits(facet));
    let sets = SetFamily::listed(stacks, facets);
    let cells = Cells::listed(stacks, nested.cells.clone());
    let reason = match &nested.reason {
        matryoshka::Reason::Empty => Reason::Empty,
        matryoshka::Reason::Pair => (stacks == 2).then_some(Reason::Pair)?,
        matryoshka::Reason::Vectors(reason) => {
            let ways = reason.children.iter().map(|child| way(&sets, child, smaller));
            let relabelling = |images: &Vec<u32>| {
                let images: Vec<usize> = images.iter().map(|&s| s as usize).collect();
                Relabelling::new(&images).filter(|g| g.stacks() == stacks)
            };
            let forced = match &reason.forced[..] {
                [] => None,
                [forced] => Some(Covered::of_certificate(&Symmetry::of_sets(&sets), forced)?),
                _ => return None,
            };
            if !reason.vectors.iter().all(fits) {
                return None;
            }
            Reason::Vectors {
                vectors: reason.vectors.iter().map(|&v| StackSet::from_bits(v)).collect(),
                forced,
                ways: ways.collect::<Option<_>>()?,
                symmetries: reason.symmetries.iter().map(relabelling).collect::<Option<_>>()?,
                weights: reason.weights.clone(),
            }
        }
    };
    Some(Node { sets, cells, reason })
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
