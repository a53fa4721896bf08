//! Game graphs: text, DOT and JSON.

use crate::Outcome;
use crate::graph::{Edge, GameGraph, GraphKind, Node};
#[cfg(feature = "serde")]
use crate::render::json;
use crate::render::palette::{Palette, paint};
use crate::render::words::{Names, count};
use nimatron_game::StackSet;
#[cfg(feature = "serde")]
use serde::Serialize;
use std::fmt::Write;

/// The graph on the terminal: each position with its moves.
pub fn graph(graph: &GameGraph, palette: &Palette) -> String {
    let mut out =
        paint(palette.title, &palette.wrap(&format!("{} at {}", graph.game, graph.start), "  "))
            + "\n";
    let kind = match graph.kind {
        GraphKind::Full => "Game graph",
        GraphKind::Playable => "Playable game graph",
    };
    let positions = count(graph.nodes.len() as u128, "position");
    let moves = count(graph.edges.len() as u128, "move");
    out += &format!("{kind}: {positions}, {moves}.\n\n");
    let names = Names::of(graph.game.stacks());
    let mut bundles = bundles(graph).peekable();
    for (at, node) in graph.nodes.iter().enumerate() {
        let style = if node.outcome == Outcome::P { palette.loss } else { palette.win };
        let mut moves = Vec::new();
        while let Some(b) = bundles.next_if(|b| b.from == at) {
            let to = &graph.nodes[b.to];
            moves.push(format!("{} to {} {}", b.label(graph, &names), to.outcome, to.position));
        }
        let moves = match moves.is_empty() {
            true => "no move".to_string(),
            false => moves.join("; "),
        };
        let text = format!("    {}: {moves}", heights(node));
        let wrapped = palette.wrap(&text, "      ");
        out += &format!("  {} {}\n", paint(style, &node.outcome.to_string()), wrapped.trim_start());
    }
    if graph.edges.iter().any(|e| e.adjusted) {
        out += "\n  ~ tokens become unplayable by this move\n";
    }
    out
}

/// Moves that lead from one position to the same other one.
struct Bundle<'a> {
    from: usize,
    to: usize,
    edges: Vec<&'a Edge>,
}

/// The moves, put together by where they start and lead.
fn bundles(graph: &GameGraph) -> impl Iterator<Item = Bundle<'_>> {
    let mut bundles: Vec<Bundle<'_>> = Vec::new();
    for edge in &graph.edges {
        let recent = bundles.iter_mut().rev().take_while(|b| b.from == edge.from);
        match { recent }.find(|b| b.to == edge.to) {
            Some(bundle) => bundle.edges.push(edge),
            None => bundles.push(Bundle { from: edge.from, to: edge.to, edges: vec![edge] }),
        }
    }
    bundles.into_iter()
}

impl Bundle<'_> {
    /// Which moves these are: by the stacks played on or left out where one token is taken from
    /// each, by the take otherwise.
    fn label(&self, graph: &GameGraph, names: &Names) -> String {
        let one = |edge: &&Edge| {
            let tilde = if edge.adjusted { "~" } else { "" };
            format!("{}{tilde}", name_of(edge, graph, names))
        };
        self.edges.iter().map(one).collect::<Vec<_>>().join(", ")
    }
}

fn name_of(edge: &Edge, graph: &GameGraph, names: &Names) -> String {
    if edge.take.iter().any(|&t| t > 1) {
        return format!("take {}", edge.take);
    }
    let played = edge.take.support();
    let left_out = StackSet::first(graph.game.stacks()) - played;
    let symmetric = graph.game.single().is_some_and(|rule| rule.sets().sizes().is_some());
    match symmetric && left_out.len() < played.len() {
        true if left_out.is_empty() => "all".to_string(),
        true => format!("-{}", names.set(left_out)),
        false => names.set(played),
    }
}

/// The heights, what is unplayable after a plus sign: `(1,2,3+2,3+3)`.
fn heights(node: &Node) -> String {
    let both = node.position.iter().zip(&node.unplayable);
    let heights: Vec<String> =
        both.map(|(&h, &u)| if u > 0 { format!("{}+{u}", h - u) } else { h.to_string() }).collect();
    format!("({})", heights.join(","))
}

/// The graph in the language of Graphviz.
pub fn graph_dot(graph: &GameGraph) -> String {
    let names = Names::of(graph.game.stacks());
    let mut out = format!("digraph \"{}\" {{\n", graph.game);
    out += "  node [shape=box,style=\"rounded,filled\",fontname=\"sans-serif\"];\n";
    out += "  edge [fontname=\"sans-serif\",fontsize=10];\n";
    for (at, node) in graph.nodes.iter().enumerate() {
        let fill = fill(node);
        let text = heights(node);
        let _ =
            writeln!(out, "  n{at} [label=\"{text}\",fillcolor=\"{fill}\"]; // {}", node.outcome);
    }
    for bundle in bundles(graph) {
        let label = bundle.label(graph, &names);
        let _ = writeln!(out, "  n{} -> n{} [label=\"{label}\"];", bundle.from, bundle.to);
    }
    out + "}\n"
}

fn fill(node: &Node) -> &'static str {
    if node.outcome == Outcome::P { "#8fd3d1" } else { "#ffffff" }
}

/// The graph as one line of JSON.
#[cfg(feature = "serde")]
pub fn graph_json(graph: &GameGraph) -> String {
    json::to_string(graph)
}

/// The graph as it is written in JSON.
#[cfg(feature = "serde")]
pub(super) fn answer(graph: &GameGraph) -> impl Serialize + use<> {
    #[cfg_attr(feature = "serde", derive(Serialize))]
    struct Answer {
        game: String,
        position: Vec<u64>,
        kind: &'static str,
        nodes: Vec<JsonNode>,
        moves: Vec<JsonMove>,
    }
    #[cfg_attr(feature = "serde", derive(Serialize))]
    struct JsonNode {
        position: Vec<u64>,
        unplayable: Vec<u64>,
        outcome: String,
    }
    #[cfg_attr(feature = "serde", derive(Serialize))]
    struct JsonMove {
        from: usize,
        to: usize,
        take: Vec<u64>,
        adjusted: bool,
    }
    let nodes = graph.nodes.iter().map(|n| JsonNode {
        position: n.position.to_vec(),
        unplayable: n.unplayable.clone(),
        outcome: n.outcome.to_string(),
    });
    let moves = graph.edges.iter().map(|e| JsonMove {
        from: e.from,
        to: e.to,
        take: e.take.to_vec(),
        adjusted: e.adjusted,
    });
    Answer {
        game: graph.game.to_string(),
        position: graph.start.to_vec(),
        kind: match graph.kind {
            GraphKind::Full => "full",
            GraphKind::Playable => "playable",
        },
        nodes: nodes.collect(),
        moves: moves.collect(),
    }
}
