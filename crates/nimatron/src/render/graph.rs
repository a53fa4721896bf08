//! Game graphs: text, DOT, SVG and JSON.

use crate::Outcome;
use crate::graph::{Edge, GameGraph, GraphKind, Node};
#[cfg(feature = "serde")]
use crate::render::json;
use crate::render::palette::{Palette, paint};
use crate::render::svg::{FAINT, N_FILL, P_FILL, Svg, escape};
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
    if node.outcome == Outcome::P { P_FILL } else { N_FILL }
}

const LAYER: f64 = 120.0;
const BOX: f64 = 30.0;
const GAP: f64 = 44.0;
const MARGIN: f64 = 24.0;
const TITLE: f64 = 40.0;

/// The graph as an SVG picture: a layer for each number of moves.
pub fn graph_svg(graph: &GameGraph) -> String {
    let names = Names::of(graph.game.stacks());
    let layout = Layout::of(graph);
    let mut svg = Svg::new(layout.width, layout.height);
    svg.push(
        "<defs><marker id=\"arrow\" viewBox=\"0 0 10 10\" refX=\"10\" refY=\"5\" markerWidth=\"7\" \
         markerHeight=\"7\" orient=\"auto-start-reverse\"><path d=\"M0 0L10 5L0 10z\" \
         fill=\"#555\"/></marker></defs>",
    );
    let title = format!("{} at {}", graph.game, graph.start);
    svg.push(&format!("<text x=\"16\" y=\"20\" class=\"title\">{}</text>", escape(&title)));
    let bundles: Vec<Bundle<'_>> = bundles(graph).collect();
    for b in &bundles {
        let (x1, y1) = (layout.x[b.from], layout.y(graph, b.from) + BOX / 2.0);
        let (x2, y2) = (layout.x[b.to], layout.y(graph, b.to) - BOX / 2.0);
        let dash =
            if b.edges.iter().any(|e| e.adjusted) { " stroke-dasharray=\"5 3\"" } else { "" };
        svg.push(&format!(
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"#555\"{dash} \
             marker-end=\"url(#arrow)\"/>"
        ));
    }
    // Labels stand on their lines, those of one position at different heights.
    for (i, b) in bundles.iter().enumerate() {
        let (x1, y1) = (layout.x[b.from], layout.y(graph, b.from) + BOX / 2.0);
        let (x2, y2) = (layout.x[b.to], layout.y(graph, b.to) - BOX / 2.0);
        let nth = bundles[..i].iter().rev().take_while(|other| other.from == b.from).count();
        // Close to where the move starts, lest it be taken for another's.
        let t = (0.22 + 0.25 * (nth % 3) as f64) * (LAYER - BOX) / (y2 - y1);
        let (x, y) = (x1 + t * (x2 - x1), y1 + t * (y2 - y1));
        svg.text(x, y, "move", &b.label(graph, &names));
    }
    for (at, node) in graph.nodes.iter().enumerate() {
        let (x, y, w) = (layout.x[at], layout.y(graph, at), layout.widths[at]);
        svg.push(&format!(
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{w:.1}\" height=\"{BOX}\" rx=\"8\" fill=\"{}\" \
             stroke=\"#333\"/>",
            x - w / 2.0,
            y - BOX / 2.0,
            fill(node)
        ));
        let spans: Vec<String> = node
            .position
            .iter()
            .zip(&node.unplayable)
            .map(|(&h, &u)| match u {
                0 => h.to_string(),
                u => format!("{}<tspan fill=\"{FAINT}\">+{u}</tspan>", h - u),
            })
            .collect();
        svg.push(&format!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" dy=\"0.35em\">{}</text>",
            spans.join(",")
        ));
    }
    let note = "P-positions coloured, N-positions white; dashed, ~: tokens become unplayable";
    let y = layout.height - 16.0;
    svg.push(&format!("<text x=\"16\" y=\"{y:.1}\" class=\"note\">{note}</text>"));
    let style = ".title{font-size:16px;font-weight:bold}.title,.note{text-anchor:start}\
                 .note{font-size:11px}.move{font-size:11px;paint-order:stroke;stroke:#fff;\
                 stroke-width:4px}";
    svg.finish(&format!("Game graph of {title}"), style)
}

/// Where the positions stand.
struct Layout {
    x: Vec<f64>,
    widths: Vec<f64>,
    width: f64,
    height: f64,
}

impl Layout {
    fn of(graph: &GameGraph) -> Self {
        let widths: Vec<f64> =
            graph.nodes.iter().map(|n| 18.0 + 7.4 * (heights(n).len() - 2) as f64).collect();
        let layers = graph.nodes.iter().map(|n| n.depth).max().unwrap_or(0) + 1;
        let mut rows: Vec<Vec<usize>> = vec![Vec::new(); layers];
        graph.nodes.iter().enumerate().for_each(|(at, node)| rows[node.depth].push(at));
        let span = |row: &[usize]| row.iter().map(|&at| widths[at] + GAP).sum::<f64>() - GAP;
        let widest = rows.iter().map(|row| span(row)).fold(460.0, f64::max);
        let mut x = vec![0.0; graph.nodes.len()];
        for row in &rows {
            // Below the positions from which they are reached, on average.
            let mean = |at: usize| {
                let above = graph.edges.iter().filter(|e| e.to == at).map(|e| x[e.from]);
                let (sum, count) = above.fold((0.0, 0.0), |(s, c), x| (s + x, c + 1.0));
                if count > 0.0 { sum / count } else { 0.0 }
            };
            let mut keyed: Vec<(f64, usize)> = row.iter().map(|&at| (mean(at), at)).collect();
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let row: Vec<usize> = keyed.into_iter().map(|(_, at)| at).collect();
            let mut left = MARGIN + (widest - span(&row)) / 2.0;
            for &at in &row {
                x[at] = left + widths[at] / 2.0;
                left += widths[at] + GAP;
            }
        }
        let height = TITLE + MARGIN + (layers - 1) as f64 * LAYER + BOX + 2.0 * MARGIN;
        Layout { x, widths, width: widest + 2.0 * MARGIN, height }
    }

    fn y(&self, graph: &GameGraph, at: usize) -> f64 {
        TITLE + MARGIN + graph.nodes[at].depth as f64 * LAYER
    }
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
