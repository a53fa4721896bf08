//! Games on graphs: stacks on the edges.

use crate::board::Board;
use crate::drawing::{Canvas, Ink, Point, Stroke};
use crate::measure::Area;
use std::collections::{BTreeMap, BTreeSet};

/// The radius that keeps other things away from a stack and its name.
const ROOM: f64 = 18.0;

/// Vertices on a circle, edges as straight lines (parallel ones bent into two), a disc on each edge.
pub(crate) fn draw(board: &Board, canvas: &mut Canvas) {
    let edges: Vec<(u32, u32)> = board.plan.places.iter().filter_map(|p| p.edge).collect();
    let used: BTreeSet<u32> = edges.iter().flat_map(|&(a, b)| [a, b]).collect();
    let slot: BTreeMap<u32, usize> = used.iter().enumerate().map(|(at, &v)| (v, at)).collect();
    let n = used.len().max(1);
    // Wider until no two discs meet.
    let mut radius = (30.0 / (std::f64::consts::PI / n as f64).sin()).clamp(70.0, 400.0);
    let mut spots = Vec::new();
    for _ in 0..12 {
        let (found, clashes) = places(&edges, &slot, n, radius);
        spots = found;
        if clashes == 0 {
            break;
        }
        radius *= 1.2;
    }
    let vertex = |v: u32| corner(slot.get(&v).copied().unwrap_or(0), n, radius);
    for (spot, &(a, b)) in spots.iter().zip(&edges) {
        let stroke = Stroke::new(Ink::Line, 1.2);
        canvas.line(vertex(a), spot.0, stroke);
        canvas.line(spot.0, vertex(b), stroke);
    }
    for &v in &used {
        canvas.circle(vertex(v), 3.4, None, Some(Ink::Ink)).role(
            "vertex",
            None,
            usize::try_from(v).ok(),
        );
    }
    for (place, spot) in board.plan.places.iter().zip(&spots) {
        board.disc(canvas, place.stack, &place.name, spot.0);
        board.name(canvas, place.stack, &place.name, spot.1);
    }
}

fn corner(slot: usize, n: usize, radius: f64) -> Point {
    let turn = if n.is_multiple_of(2) { 180.0 / n as f64 } else { 0.0 };
    Point::default().toward(-90.0 + turn + 360.0 * slot as f64 / n as f64, radius)
}

/// The place of each disc and of its name, and how many clashes are left.
fn places(
    edges: &[(u32, u32)],
    slot: &BTreeMap<u32, usize>,
    n: usize,
    radius: f64,
) -> (Vec<(Point, Point)>, usize) {
    let vertex = |v: u32| corner(slot.get(&v).copied().unwrap_or(0), n, radius);
    let around = |p: Point, r: f64| Area { least: p.moved(-r, -r), most: p.moved(r, r) };
    let mut taken: Vec<Area> = slot.values().map(|&s| around(corner(s, n, radius), 6.0)).collect();
    let mut found: Vec<(Point, Point)> = Vec::new();
    let mut clashes = 0;
    for (at, &(a, b)) in edges.iter().enumerate() {
        let (from, to) = (vertex(a), vertex(b));
        let same = |e: &&(u32, u32)| **e == (a, b) || **e == (b, a);
        let (before, all) =
            (edges[..at].iter().filter(same).count(), edges.iter().filter(same).count());
        // Parallel edges are bent apart.
        let bend = (before as f64 - (all as f64 - 1.0) / 2.0) * 2.6 * ROOM;
        let along = (to.y - from.y).atan2(to.x - from.x).to_degrees();
        let mut best: Option<(usize, Point, Point, [Area; 2])> = None;
        for part in [0.5, 0.4, 0.6, 0.33, 0.67, 0.26, 0.74] {
            for side in [90.0, -90.0, 45.0, -45.0, 135.0, -135.0] {
                let disc = from.mix(to, part).toward(along + 90.0, bend);
                let name = disc.toward(along + side, ROOM + 9.0);
                let areas = [around(disc, ROOM), around(name, 9.0)];
                let met = taken.iter().filter(|t| areas.iter().any(|a| a.meets(t))).count();
                let crossed = edges.iter().enumerate().filter(|&(other, &(c, d))| {
                    other != at && areas.iter().any(|a| a.crosses(vertex(c), vertex(d)))
                });
                let own = usize::from(areas[1].crosses(from, to));
                let bad = met + crossed.count() + own;
                if best.as_ref().is_none_or(|b| bad < b.0) {
                    best = Some((bad, disc, name, areas));
                }
            }
        }
        if let Some((bad, disc, name, areas)) = best {
            clashes += bad;
            taken.extend(areas);
            found.push((disc, name));
        }
    }
    (found, clashes)
}
