//! Figures of answers: nothing lies on a label.

use nimatron::Game;
use nimatron::crates::draw::measure::{Area, area};
use nimatron::crates::draw::{Drawing, Item, Point, Segment, Shape};
use nimatron::figures;
use nimatron::graph::{GameGraph, GraphKind};

/// An edge as straight pieces, short enough to be taken for the curve.
fn pieces(item: &Item) -> Vec<(Point, Point)> {
    let Shape::Path { segments } = &item.shape else { return Vec::new() };
    let mut at = Point::default();
    let mut found = Vec::new();
    for segment in segments {
        match *segment {
            Segment::Move(to) => at = to,
            Segment::Line(to) => {
                found.push((at, to));
                at = to;
            }
            Segment::Cubic(a, b, to) => {
                let point = |t: f64| {
                    let (p, q, r) = (at.mix(a, t), a.mix(b, t), b.mix(to, t));
                    p.mix(q, t).mix(q.mix(r, t), t)
                };
                found.extend(
                    (0..40).map(|i| (point(f64::from(i) / 40.0), point(f64::from(i + 1) / 40.0))),
                );
                at = to;
            }
            Segment::Close => {}
        }
    }
    found
}

fn of_kind<'a>(drawing: &'a Drawing, kind: &str) -> Vec<&'a Item> {
    let role = |item: &&Item| item.role.as_ref().is_some_and(|role| role.kind == kind);
    drawing.items.iter().filter(role).collect()
}

/// What is wrong with a graph: texts on texts, edges through labels or through positions.
fn flaws(drawing: &Drawing) -> Vec<String> {
    let texts: Vec<(String, Area)> = drawing
        .items
        .iter()
        .filter_map(|item| match &item.shape {
            Shape::Text { runs, .. } => {
                Some((runs.iter().map(|r| r.text.as_str()).collect(), area(item)?))
            }
            _ => None,
        })
        .collect();
    let mut found = Vec::new();
    for (i, (text, area)) in texts.iter().enumerate() {
        let on = texts[i + 1..].iter().filter(|(_, other)| area.meets(other));
        found.extend(on.map(|(other, _)| format!("{text} on {other}")));
    }
    let edges: Vec<_> = of_kind(drawing, "edge").into_iter().map(pieces).collect();
    for label in of_kind(drawing, "label") {
        let box_ = area(label).unwrap();
        let crossed = edges.iter().flatten().filter(|(a, b)| box_.crosses(*a, *b)).count();
        if crossed > 0 {
            found.push(format!("{:?} is crossed", label.shape));
        }
    }
    for node in of_kind(drawing, "node") {
        let Shape::Rect { at, width, height, .. } = node.shape else { continue };
        let inside = Area { least: at, most: at.moved(width, height) }.widened(-1.5);
        if edges.iter().flatten().any(|(a, b)| inside.crosses(*a, *b)) {
            found.push(format!("an edge through the position at {at:?}"));
        }
    }
    found
}

/// Up to sixty positions, of many kinds of games.
#[test]
fn graphs_of_up_to_sixty_positions_are_legible() {
    let games = [
        ("Slow(4,{3})", vec![[1, 2, 5, 6], [2, 2, 3, 3], [3, 3, 3, 3]]),
        ("Slow(4,{1,2})", vec![[1, 1, 1, 1], [0, 1, 2, 2], [1, 1, 1, 2]]),
        ("CN(4,2)", vec![[1, 1, 1, 1], [0, 1, 2, 3], [0, 2, 2, 2]]),
        ("Nim(4)", vec![[1, 1, 1, 2], [0, 0, 2, 5], [0, 1, 3, 5]]),
        ("PN(4,3)", vec![[1, 1, 1, 1], [1, 0, 2, 3], [0, 1, 2, 3]]),
        ("Exact(4,2)", vec![[1, 2, 2, 2], [2, 2, 2, 2]]),
        ("Set(ab,cd,ac)", vec![[1, 1, 2, 2], [2, 1, 0, 3]]),
        ("misere Nim(4)", vec![[1, 1, 1, 1], [0, 1, 2, 2]]),
    ];
    let mut largest = 0;
    for (name, positions) in games {
        let game: Game = name.parse().unwrap();
        for heights in positions {
            let start = nimatron::Position::new(heights.to_vec()).unwrap();
            for kind in [GraphKind::Playable, GraphKind::Full] {
                let Ok(graph) = GameGraph::of(&game, &start, kind, 60) else { continue };
                largest = largest.max(graph.nodes.len());
                let drawing = figures::graph(&graph).unwrap();
                let found = flaws(&drawing);
                assert!(
                    found.is_empty(),
                    "{name} at {start}, {} positions: {found:?}",
                    graph.nodes.len()
                );
                assert_eq!(of_kind(&drawing, "node").len(), graph.nodes.len());
            }
        }
    }
    assert!(largest > 40, "{largest}");
}

/// Graphs that are too large are refused, with numbers.
#[test]
fn large_graphs_are_refused() {
    let game: Game = "Nim(3)".parse().unwrap();
    let start = nimatron::Position::new(vec![9, 9, 9]).unwrap();
    let graph = GameGraph::of(&game, &start, GraphKind::Full, 2000).unwrap();
    let error = figures::graph(&graph).unwrap_err().to_string();
    assert!(error.contains("nodes: 1000, and at most 400"), "{error}");
}
