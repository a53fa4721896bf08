//! What is known about games: their parts, their circuits, the circular ones.

use super::FigureError;
use crate::open_games::said_to_be_open;
use crate::structure::{Circuits, Solved, Subgames};
use nimatron_draw::constellation::{Constellation, constellations};
use nimatron_draw::layered::{Layered, Link, Look, Node, layered};
use nimatron_draw::{DrawError, Drawing, Run};
use nimatron_game::symmetry::Symmetry;
use nimatron_game::{Game, Height, StackSet};
use std::collections::BTreeMap;

/// Games that can be drawn in one figure.
const MOST_GAMES: usize = 60;

/// The games that are left when stacks are empty, and who solved them: an edge leads from a game to each game
/// that is left when one more stack is empty.
pub fn subgames(game: &Game, found: &Subgames) -> Result<Drawing, FigureError> {
    if let Some(stop) = found.stopped {
        return Err(stop.into());
    }
    let count = found.found.len();
    if count > MOST_GAMES {
        let most = MOST_GAMES;
        return Err(DrawError::TooMany { what: "subgames", found: count, most }.into());
    }
    let names: Vec<String> =
        found.found.iter().map(|s| s.game().map_or("-".into(), |g| g.to_string())).collect();
    let stacks: Vec<usize> = found.found.iter().map(|s| s.state.stacks()).collect();
    // A game is above all that it contains, with as few stacks in a layer as can be.
    let mut layers = vec![0usize; count];
    for place in 0..count {
        for &lower in &found.below[place] {
            layers[lower] = layers[lower].max(layers[place] + 1);
        }
    }
    let most = stacks.iter().max().copied().unwrap_or(0);
    layers.iter_mut().zip(&stacks).for_each(|(l, s)| *l = (*l).max(most - s));
    settle(&mut layers, &found.below);
    let nodes = found.found.iter().zip(&names).zip(&layers).map(|((sub, name), &layer)| {
        let by = sub.solved.iter().flat_map(Solved::by).next().map(|by| short(&by.cited()));
        let look = if sub.solved.is_some() { Look::P } else { Look::Open };
        let mut lines = nimatron_draw::measure::wrapped(&name.replace(',', ", "), 13.0, 150.0);
        lines.truncate(4);
        let mut lines: Vec<Vec<Run>> =
            lines.into_iter().map(|l| vec![Run::roman(l.replace(", ", ","))]).collect();
        // Open is what somebody says is open.
        let unknown = || match sub.game().and_then(|left| said_to_be_open(&left)) {
            Some(by) => format!("open: {}", short(by)),
            None => "not known".into(),
        };
        lines.push(vec![Run::roman(by.unwrap_or_else(unknown))]);
        Node { lines, layer, look }
    });
    let links = found.below.iter().enumerate().flat_map(|(from, below)| {
        below.iter().map(move |&to| Link {
            from,
            to,
            label: Vec::new(),
            dashed: false,
            strong: false,
        })
    });
    let unknown = found.found.iter().filter(|s| s.solved.is_none()).count();
    let legend = match unknown {
        0 => Vec::new(),
        _ => vec!["dashed: not known".to_string()],
    };
    let graph = Layered {
        title: format!("Subgames of {game}"),
        description: format!(
            "{count} games arise from {game} when stacks are empty; {unknown} are not known."
        ),
        nodes: nodes.collect(),
        links: links.filter(|l| l.from != l.to).collect(),
        legend,
    };
    Ok(layered(&graph)?)
}

/// Layers such that every edge leads down.
fn settle(layers: &mut [usize], below: &[Vec<usize>]) {
    for _ in 0..layers.len() {
        let mut changed = false;
        for place in 0..layers.len() {
            for &lower in &below[place] {
                if lower != place && layers[lower] <= layers[place] {
                    layers[lower] = layers[place] + 1;
                    changed = true;
                }
            }
        }
        if !changed {
            return;
        }
    }
}

/// A source in few letters: `KDH26 Thm 4.1`.
fn short(by: &str) -> String {
    let by = by.replace("Theorem", "Thm").replace("Proposition", "Prop.");
    match by.strip_prefix("the proof about ") {
        Some(_) => "proved here".into(),
        None => by,
    }
}

/// The circuits of a game up to symmetry; those that own a stack have it ringed.
pub fn circuits(found: &Circuits) -> Result<Drawing, FigureError> {
    let rule = found.game.single().ok_or(FigureError::Sum)?;
    let n = rule.stacks();
    let symmetry = Symmetry::of(rule);
    let mut orbits: BTreeMap<(usize, Vec<Height>), (StackSet, usize)> = BTreeMap::new();
    for &circuit in &found.listed {
        let vector: Vec<Height> = (0..n).map(|s| Height::from(circuit.contains(s))).collect();
        let key = (circuit.len(), symmetry.canonical(&vector));
        orbits.entry(key).or_insert((circuit, 0)).1 += 1;
    }
    let pointed = found.pointed.as_deref().unwrap_or_default();
    let own = |circuit: StackSet| {
        pointed.iter().find(|p| p.circuit == circuit).map_or(StackSet::EMPTY, |p| p.own)
    };
    let sets: Vec<Constellation> = orbits
        .into_values()
        .map(|(stacks, count)| {
            let label = match count {
                1 => stacks.to_string(),
                _ => format!("{stacks}  \u{d7}{count}"),
            };
            Constellation { stacks, pointed: own(stacks), label }
        })
        .collect();
    let mut notes = Vec::new();
    if let Some(count) = found.count {
        let all = found.listed.len() as u64 == count;
        notes.push(match all {
            true => format!(
                "{count} circuits, drawn up to symmetry; after \u{d7}, how many there are of each."
            ),
            false => format!(
                "{count} circuits; drawn up to symmetry are those among the first {}.",
                found.listed.len()
            ),
        });
    }
    if !pointed.is_empty() {
        notes.push("Ringed: stacks that lie in no other circuit.".into());
    }
    Ok(constellations(n, &sets, &format!("Circuits of {}", found.game), &notes)?)
}

/// Which circular games are solved, up to `n` stacks.
#[cfg(feature = "atlas")]
pub fn frontier(most: usize) -> Result<Drawing, FigureError> {
    use crate::Knowledge;
    use crate::atlas::{Atlas, Frontier};
    use nimatron_draw::charts::{Known, Triangle, triangle};
    use nimatron_game::Family;
    use nimatron_theory::publications;
    let atlas = Atlas::shipped();
    let knowledge = Knowledge::default();
    // Theorems that were proved with this program are no publications.
    let is_published = |key: &str| publications().iter().any(|p| key.starts_with(p.key));
    let published = |n: usize, k: usize| {
        if let Some(entry) = atlas.circular(n, k) {
            return entry.theorems.iter().any(|theorem| is_published(&theorem.citation));
        }
        let Ok(game) = Game::new(Family::Circular { n, k }) else { return true };
        let theorem = game.single().and_then(|rule| knowledge.theorem(rule, game.convention()));
        theorem.is_none_or(|theorem| is_published(&theorem.citation.key))
    };
    let row = |n: usize| (1..=n).map(move |k| (n, k));
    let rows = (1..=most).map(|n| {
        row(n)
            .map(|(n, k)| match atlas.frontier(n, k) {
                Frontier::Theorem if published(n, k) => Known::Theorem,
                Frontier::Theorem => Known::Proved,
                Frontier::Proved => Known::Proved,
                Frontier::Conjectured => Known::Conjectured,
                Frontier::Open => Known::Open,
            })
            .collect()
    });
    let title = "Circular games CN(n,k): what is known for all heights".to_string();
    let notes = vec!["Numbers are k; rows are n stacks.".to_string()];
    Ok(triangle(&Triangle { title, rows: rows.collect(), notes })?)
}
