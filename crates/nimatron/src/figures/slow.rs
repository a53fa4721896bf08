//! Position grids and game graphs.

use super::FigureError;
use crate::Outcome;
use crate::graph::GameGraph;
use crate::grid::{CellKind, Grid, GridSource};
use nimatron_draw::charts::{GridCell, PositionGrid, position_grid};
use nimatron_draw::layered::{Layered, Link, Look, Node, layered};
use nimatron_draw::{Drawing, Run};
use nimatron_game::{Position, Rule, StackSet};
use nimatron_theory::slow::{Cell, playable::PlayableMove};
use std::collections::{BTreeMap, BTreeSet};

/// The position grid of a slow game; with a position, the moves from it as arrows from cell to cell.
pub fn grid(grid: &Grid, position: Option<&Position>) -> Result<Drawing, FigureError> {
    let cell = |kind: &CellKind| match kind {
        CellKind::Impossible => GridCell::Impossible,
        CellKind::Unseen => GridCell::Unseen,
        CellKind::P => GridCell::P,
        CellKind::N => GridCell::N,
        CellKind::Mixed { .. } => GridCell::Mixed,
    };
    let rows: Vec<Vec<GridCell>> =
        grid.rows.iter().map(|row| row.iter().map(cell).collect()).collect();
    let mut notes = vec![format!(
        "s: the total mod {}; o: how many stacks are odd; both without unplayable tokens.",
        2 * grid.k
    )];
    let mut arrows = BTreeSet::new();
    let (mut pointed, mut stays) = (None, false);
    if let Some(position) = position {
        let mut heights = position.to_vec();
        nimatron_game::slow::reduce_heights(grid.k, &mut heights);
        let at = |heights: &[u64]| {
            let Cell { s, o, .. } = Cell::of(grid.k, heights);
            (s, o)
        };
        let from = at(&heights);
        pointed = Some(from);
        for take in grid.game.moves(&heights) {
            let to = at(&PlayableMove::new(grid.k, &heights, take).to);
            match to == from {
                true => stays = true,
                false => _ = arrows.insert([from, to]),
            }
        }
        let own = if stays { ", where some of its moves stay" } else { "" };
        let where_to = match (arrows.is_empty(), stays) {
            (true, true) => "",
            (false, true) => "; arrows: where the others lead",
            (_, false) => "; arrows: where its moves lead",
        };
        notes.push(format!("Ringed: the cell of {position}{own}{where_to}."));
    }
    notes.push(match &grid.source {
        GridSource::Theorem(citation) => format!("By {citation}, for all heights."),
        GridSource::Table { max, positions } => {
            format!(
                "Computed for heights up to {max}, {positions} positions: evidence, not a proof."
            )
        }
    });
    let title = format!("Position grid of {}", grid.game);
    let arrows = arrows.into_iter().collect();
    Ok(position_grid(&PositionGrid { title, rows, arrows, pointed, notes })?)
}

/// A game graph in layers: every move leads down. Moves between the same positions share an edge.
pub fn graph(graph: &GameGraph) -> Result<Drawing, FigureError> {
    let node = |node: &crate::graph::Node| {
        let mut line = vec![Run::roman("(")];
        for (i, (h, u)) in node.position.iter().zip(&node.unplayable).enumerate() {
            let comma = if i > 0 { "," } else { "" };
            match u {
                0 => line.push(Run::roman(format!("{comma}{h}"))),
                u => line.push(Run::roman(format!("{comma}{}+{u}", h - u))),
            }
        }
        line.push(Run::roman(")"));
        let look = if node.outcome == Outcome::P { Look::P } else { Look::N };
        Node { lines: vec![line], layer: node.depth, look }
    };
    let mut between: BTreeMap<(usize, usize), (Vec<String>, bool)> = BTreeMap::new();
    let takes_one = is_slow(&graph.game);
    for edge in &graph.edges {
        let support: StackSet = edge.take.support();
        let label = match takes_one {
            true => support.to_string(),
            false => {
                let taken = support.iter().map(|s| {
                    let amount =
                        if edge.take[s] == 1 { String::new() } else { edge.take[s].to_string() };
                    format!("{amount}{}", StackSet::single(s))
                });
                taken.collect::<Vec<_>>().join(" ")
            }
        };
        let entry = between.entry((edge.from, edge.to)).or_default();
        entry.0.push(label);
        entry.1 |= edge.adjusted;
    }
    let wins = |from: usize, to: usize| {
        graph.nodes[from].outcome == Outcome::N && graph.nodes[to].outcome == Outcome::P
    };
    let links = between.into_iter().map(|((from, to), (labels, dashed))| Link {
        from,
        to,
        label: vec![Run::italic(labels.join(", "))],
        dashed,
        strong: wins(from, to),
    });
    let links: Vec<Link> = links.collect();
    let mut legend = vec!["blue: P-positions, and moves to them".to_string()];
    if links.iter().any(|l| l.dashed) {
        legend.push("dashed: tokens become unplayable".into());
    }
    if let Some(first) = graph.nodes.first().filter(|first| first.position != graph.start) {
        let (start, first) = (&graph.start, &first.position);
        legend.push(format!("{start} without unplayable tokens: {first}"));
    }
    let layout = Layered {
        title: format!("Game graph of {} at {}", graph.game, graph.start),
        description: format!("{} positions and {} moves.", graph.nodes.len(), graph.edges.len()),
        nodes: graph.nodes.iter().map(node).collect(),
        links,
        legend,
    };
    Ok(layered(&layout)?)
}

fn is_slow(game: &nimatron_game::Game) -> bool {
    game.single().is_some_and(|rule: &Rule| rule.each().most() == Some(1))
}
