//! Graphs in layers, with room for every label.
//!
//! An edge is a chain of points, one in each layer that it crosses, and its label is one of these points and as
//! wide as its text. Whatever crosses a layer has room there of its own, so that no label lies on another, on a
//! node, or on an edge that is not its own. Layers are put in order by medians and swaps (Gansner, Koutsofios,
//! North and Vo 1993); coordinates come from a few rounds of pulling towards neighbours and pushing apart.

use crate::drawing::{Canvas, Drawing, Ink, Point, Run, Segment, Shape, Stroke};
use crate::layout::DrawError;
use crate::measure;

/// A node of the graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// What it says, in lines.
    pub lines: Vec<Vec<Run>>,
    /// Its layer; edges lead to greater layers.
    pub layer: usize,
    /// How it looks.
    pub look: Look,
}

/// How a node looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// A P-position, or something solved.
    P,
    /// An N-position, or something usual.
    N,
    /// Something open.
    Open,
}

/// An edge of the graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The index of the node where it starts.
    pub from: usize,
    /// The index of the node where it leads.
    pub to: usize,
    /// What it says.
    pub label: Vec<Run>,
    /// Whether it is broken into dashes.
    pub dashed: bool,
    /// Whether it is pointed out.
    pub strong: bool,
}

/// A graph with its words.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Layered {
    /// What it shows.
    pub title: String,
    /// The same for those who cannot see it.
    pub description: String,
    /// The nodes.
    pub nodes: Vec<Node>,
    /// The edges.
    pub links: Vec<Link>,
    /// What the looks mean, in lines below.
    pub legend: Vec<String>,
}

const SIZE: f64 = 13.0;
const LABEL: f64 = 12.5;
const BETWEEN: f64 = 14.0;
/// Half the height of a layer of labels.
const BAND: f64 = 9.0;
/// Nodes, and points of edges, that can be drawn.
const MOST_NODES: usize = 400;
const MOST_POINTS: usize = 6000;

/// A place in a layer: a node, or a point of an edge.
struct Cell {
    layer: usize,
    width: f64,
    x: f64,
    /// Neighbours in the layer above and in the layer below.
    up: Vec<usize>,
    down: Vec<usize>,
}

/// Draws a graph. Every edge must lead to a greater layer.
pub fn layered(graph: &Layered) -> Result<Drawing, DrawError> {
    let (nodes, links) = (&graph.nodes, &graph.links);
    if nodes.len() > MOST_NODES {
        return Err(DrawError::TooMany { what: "nodes", found: nodes.len(), most: MOST_NODES });
    }
    let width = |node: &Node| {
        let widest = node.lines.iter().map(|l| measure::width(l, SIZE)).fold(0.0, f64::max);
        widest + 16.0
    };
    // Nodes stand in even layers, labels in the odd ones between.
    let mut cells: Vec<Cell> = nodes
        .iter()
        .map(|n| Cell {
            layer: 2 * n.layer,
            width: width(n),
            x: 0.0,
            up: Vec::new(),
            down: Vec::new(),
        })
        .collect();
    let mut chains: Vec<Vec<usize>> = Vec::new();
    for link in links {
        let (first, last) = (cells[link.from].layer, cells[link.to].layer);
        let mut chain = vec![link.from];
        for layer in first + 1..last {
            // The label comes first, near where the edge starts.
            let wide = match layer == first + 1 && !link.label.is_empty() {
                true => measure::width(&link.label, LABEL) + 6.0,
                false => 4.0,
            };
            let at = cells.len();
            cells.push(Cell { layer, width: wide, x: 0.0, up: Vec::new(), down: Vec::new() });
            chain.push(at);
        }
        chain.push(link.to);
        for pair in chain.windows(2) {
            cells[pair[0]].down.push(pair[1]);
            cells[pair[1]].up.push(pair[0]);
        }
        chains.push(chain);
    }
    if cells.len() > MOST_POINTS {
        return Err(DrawError::TooMany {
            what: "points of edges",
            found: cells.len(),
            most: MOST_POINTS,
        });
    }
    let layers = cells.iter().map(|c| c.layer).max().map_or(0, |l| l + 1);
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); layers];
    cells.iter().enumerate().for_each(|(at, c)| rows[c.layer].push(at));
    arrange(&mut rows, &cells);
    place(&rows, &mut cells);
    // Half the height of each layer: that of its tallest node, or of its labels.
    let mut halves = vec![BAND; layers];
    for (node, cell) in nodes.iter().zip(&cells) {
        let high = &mut halves[cell.layer];
        *high = high.max(half_height(node));
    }
    // Layers are as far apart as the longest way sideways between them asks for.
    let mut ys = vec![0.0];
    for layer in 1..layers {
        let reach = rows[layer].iter().flat_map(|&c| cells[c].up.iter().map(move |&u| (u, c)));
        let reach = reach.map(|(u, c)| (cells[u].x - cells[c].x).abs()).fold(0.0, f64::max);
        let apart = halves[layer - 1] + halves[layer] + (8.0 + 0.09 * reach).min(90.0);
        ys.push(ys[layer - 1] + apart);
    }
    let mut canvas = Canvas::new();
    for (link, chain) in links.iter().zip(&chains) {
        let ends = [half_height(&nodes[link.from]), half_height(&nodes[link.to])];
        edge(&mut canvas, link, chain, &cells, (&ys, &halves), ends);
    }
    for (node, cell) in nodes.iter().zip(&cells) {
        draw_node(&mut canvas, node, Point::new(cell.x, ys[cell.layer]), cell.width);
    }
    for (link, chain) in links.iter().zip(&chains) {
        if link.label.is_empty() {
            continue;
        }
        let cell = &cells[chain[1]];
        let ink = if link.strong { Ink::P } else { Ink::Second };
        let at = Point::new(cell.x, ys[cell.layer]);
        canvas.label(at, LABEL, ink, link.label.clone()).role("label", None, None);
    }
    if let Some((least, most)) = canvas.bounds() {
        for (i, line) in graph.legend.iter().enumerate() {
            let at = Point::new(least.x, most.y + 20.0 + 17.0 * i as f64);
            canvas.text(
                at,
                12.5,
                crate::Anchor::Start,
                Ink::Third,
                vec![Run::roman(line.as_str())],
            );
        }
    }
    Ok(canvas.finish(&graph.title, &graph.description, 10.0))
}

/// Half the height of a node.
fn half_height(node: &Node) -> f64 {
    0.5 * (17.0 * node.lines.len() as f64 + 9.0)
}

fn draw_node(canvas: &mut Canvas, node: &Node, at: Point, width: f64) {
    let half = half_height(node);
    let corner = at.moved(-width / 2.0, -half);
    let shape = Shape::Rect { at: corner, width, height: 2.0 * half, radius: 4.0 };
    let (stroke, fill) = match node.look {
        Look::P => (Stroke::new(Ink::P, 1.6), Ink::PWash),
        Look::N => (Stroke::new(Ink::Line, 1.0), Ink::Paper),
        Look::Open => (Stroke::dashed(Ink::N, 1.4), Ink::Paper),
    };
    canvas.push(shape, Some(stroke), Some(fill)).role("node", None, None);
    for (i, line) in node.lines.iter().enumerate() {
        let y = 17.0 * (i as f64 - (node.lines.len() - 1) as f64 / 2.0);
        // The last of several lines says by whom it is known.
        let ink = if i == 0 || i + 1 < node.lines.len() { Ink::Ink } else { Ink::Third };
        canvas.label(at.moved(0.0, y), SIZE, ink, line.clone());
    }
}

/// An edge through its points: straight down where it crosses a layer, curved between layers. `ends` are half the
/// heights of the nodes that it joins.
fn edge(
    canvas: &mut Canvas,
    link: &Link,
    chain: &[usize],
    cells: &[Cell],
    (ys, halves): (&[f64], &[f64]),
    ends: [f64; 2],
) {
    let mut stroke = Stroke::new(
        if link.strong { Ink::P } else { Ink::Line },
        if link.strong { 1.6 } else { 1.0 },
    );
    if link.dashed {
        stroke = Stroke::dashed(stroke.ink, stroke.width);
    }
    let point = |c: usize, dy: f64| Point::new(cells[c].x, ys[cells[c].layer] + dy);
    let half = |c: usize| halves[cells[c].layer];
    let last = chain.len() - 1;
    // A node may be lower than its layer.
    let mut segments = vec![Segment::Move(point(chain[0], ends[0]))];
    if ends[0] < half(chain[0]) {
        segments.push(Segment::Line(point(chain[0], half(chain[0]))));
    }
    for (i, pair) in chain.windows(2).enumerate() {
        let (a, b) = (point(pair[0], half(pair[0])), point(pair[1], -half(pair[1])));
        let bend = (b.y - a.y) / 2.0;
        segments.push(Segment::Cubic(a.moved(0.0, bend), b.moved(0.0, -bend), b));
        let labelled = i == 0 && !link.label.is_empty();
        if i + 1 < last {
            let through = point(pair[1], half(pair[1]));
            // The line is open where its label stands.
            segments.push(if labelled { Segment::Move(through) } else { Segment::Line(through) });
        }
    }
    let tip = point(chain[last], -ends[1]);
    if ends[1] < half(chain[last]) {
        segments.push(Segment::Line(tip));
    }
    canvas.path(segments, stroke).role("edge", None, None);
    canvas.head(tip, tip.moved(0.0, -10.0), 7.0, stroke.ink);
}

/// Puts the layers in an order with few crossings.
fn arrange(rows: &mut [Vec<usize>], cells: &[Cell]) {
    let mut slot = vec![0.0; cells.len()];
    let number = |row: &[usize], slot: &mut Vec<f64>| {
        row.iter().enumerate().for_each(|(at, &c)| slot[c] = at as f64);
    };
    rows.iter().for_each(|row| number(row, &mut slot));
    let mut best = rows.to_vec();
    let mut fewest = crossings(rows, cells, &slot);
    for round in 0..12 {
        let down = round % 2 == 0;
        let order: Vec<usize> = match down {
            true => (0..rows.len()).collect(),
            false => (0..rows.len()).rev().collect(),
        };
        for layer in order {
            let key = |c: usize| {
                let near = if down { &cells[c].up } else { &cells[c].down };
                let mut slots: Vec<f64> = near.iter().map(|&n| slot[n]).collect();
                slots.sort_by(f64::total_cmp);
                match slots.len() {
                    0 => slot[c],
                    n => (slots[(n - 1) / 2] + slots[n / 2]) / 2.0,
                }
            };
            let mut keyed: Vec<(f64, usize)> = rows[layer].iter().map(|&c| (key(c), c)).collect();
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
            rows[layer] = keyed.into_iter().map(|(_, c)| c).collect();
            number(&rows[layer], &mut slot);
        }
        let found = crossings(rows, cells, &slot);
        if found < fewest {
            (best, fewest) = (rows.to_vec(), found);
        }
        if fewest == 0 {
            break;
        }
    }
    rows.clone_from_slice(&best);
}

/// Crossings between neighbouring layers.
fn crossings(rows: &[Vec<usize>], cells: &[Cell], slot: &[f64]) -> usize {
    let mut count = 0;
    for row in rows {
        let mut ends: Vec<f64> = Vec::new();
        for &c in row {
            let mut next: Vec<f64> = cells[c].down.iter().map(|&d| slot[d]).collect();
            next.sort_by(f64::total_cmp);
            for &end in &next {
                count += ends.iter().filter(|&&e| e > end).count();
            }
            ends.extend(next);
        }
    }
    count
}

/// Coordinates along the layers, in the order that was found.
fn place(rows: &[Vec<usize>], cells: &mut [Cell]) {
    for row in rows {
        let mut x = 0.0;
        for &c in row {
            cells[c].x = x + cells[c].width / 2.0;
            x += cells[c].width + BETWEEN;
        }
        let shift = (x - BETWEEN) / 2.0;
        row.iter().for_each(|&c| cells[c].x -= shift);
    }
    for round in 0..24 {
        let down = round % 2 == 0;
        let order: Vec<usize> = match down {
            true => (0..rows.len()).collect(),
            false => (0..rows.len()).rev().collect(),
        };
        for layer in order {
            let row = &rows[layer];
            let wish: Vec<f64> = row
                .iter()
                .map(|&c| {
                    let (near, far) = match down {
                        true => (&cells[c].up, &cells[c].down),
                        false => (&cells[c].down, &cells[c].up),
                    };
                    let near = if near.is_empty() { far } else { near };
                    match near.len() {
                        0 => cells[c].x,
                        n => near.iter().map(|&o| cells[o].x).sum::<f64>() / n as f64,
                    }
                })
                .collect();
            let found = apart(row, &wish, cells);
            row.iter().zip(found).for_each(|(&c, x)| cells[c].x = x);
        }
    }
}

/// The places nearest to what is wished for, in this order and without touching: pools of neighbours that press
/// on each other share what is left to be desired.
fn apart(row: &[usize], wish: &[f64], cells: &[Cell]) -> Vec<f64> {
    // Without the widths, what is asked for is that places do not decrease.
    let mut offset = Vec::with_capacity(row.len());
    let mut sum = 0.0;
    for (i, &c) in row.iter().enumerate() {
        if i > 0 {
            sum += (cells[row[i - 1]].width + cells[c].width) / 2.0 + BETWEEN;
        }
        offset.push(sum);
    }
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for (wish, offset) in wish.iter().zip(&offset) {
        pools.push((wish - offset, 1));
        while pools.len() > 1 && pools[pools.len() - 2].0 > pools[pools.len() - 1].0 {
            let Some((b, m)) = pools.pop() else { break };
            let Some((a, n)) = pools.pop() else { break };
            pools.push(((a * n as f64 + b * m as f64) / (n + m) as f64, n + m));
        }
    }
    let flat = pools.into_iter().flat_map(|(x, count)| std::iter::repeat_n(x, count));
    flat.zip(offset).map(|(x, o)| x + o).collect()
}
