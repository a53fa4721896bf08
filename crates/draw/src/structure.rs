//! Structures of P-positions: which stacks are equal, which sums balance, what is least or greatest.

use crate::board::{Board, BoardOptions, Content, letters, sketch};
use crate::drawing::{Canvas, Dash, Drawing, Ink, Item, Point, Run, Segment, Shape, Stroke, arc};
use crate::layout::{DrawError, Layout, Plan};
use crate::measure::{self, Area};
use nimatron_game::{Game, StackSet};

/// One kind of position, up to symmetry.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Structure {
    /// What it is called: `S1`.
    pub heading: Option<String>,
    /// What stands on each stack: `0`, or a letter shared by stacks that are equal.
    pub words: Vec<String>,
    /// Stacks that count together.
    pub groups: Vec<Group>,
    /// Words beside stacks: `min`.
    pub marks: Vec<(usize, String)>,
    /// What else holds, in the language of formulas.
    pub notes: Vec<String>,
}

/// Stacks that are encircled, for their sum is compared with something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The stacks.
    pub stacks: StackSet,
    /// What their sum is equal to.
    pub label: String,
    /// Groups of the same class have equal sums, and lines of the same kind.
    pub class: usize,
}

/// The radius of a disc with a word, and how far the first line around it is away.
const DISC: f64 = 15.0;

/// What a heading is called among the items.
const HEADING: &str = "heading";

/// A figure of one structure.
pub fn structure(game: &Game, cell: &Structure) -> Result<Drawing, DrawError> {
    let words: Vec<Vec<Run>> = cell.words.iter().map(|w| Run::math(w)).collect();
    // Letters stand beyond the lines around stacks.
    let away = farthest(cell) as u32;
    let options = BoardOptions { away, ..BoardOptions::default().plain() };
    let names = letters(game.stacks());
    let mut canvas = Canvas::new();
    let plans = Plan::all(game, None, &names)?;
    if let [plan] = &plans[..] {
        groups(&mut canvas, plan, cell);
    }
    let board = sketch(game, Content::Words(&words), &options, None)?;
    canvas.under(board);
    if let [plan] = &plans[..] {
        labels(&mut canvas, plan, cell);
    }
    if let Some((least, most)) = canvas.bounds() {
        // On a circle, words stand above and below its middle, whatever is beside it.
        let ring = matches!(&plans[..], [plan] if plan.layout == Layout::Ring);
        let x = if ring { 0.0 } else { (least.x + most.x) / 2.0 };
        if let Some(heading) = &cell.heading {
            let at = Point::new(x, least.y - 16.0);
            let runs = vec![Run::bold(heading.as_str())];
            canvas.label(at, 15.0, Ink::Ink, runs).role(HEADING, None, None);
        }
        let wide = (most.x - least.x).max(190.0);
        let lines = cell.notes.iter().flat_map(|note| measure::wrapped(note, 13.0, wide));
        for (i, line) in lines.enumerate() {
            let at = Point::new(x, most.y + 16.0 + 17.0 * i as f64);
            canvas.label(at, 13.0, Ink::Second, Run::math(&line));
        }
    }
    let title = match &cell.heading {
        Some(heading) => format!("P-positions of {game}: {heading}"),
        None => format!("P-positions of {game}"),
    };
    Ok(canvas.finish(&title, &said(game, cell), 8.0))
}

/// All structures of a game side by side, with a note below all of them.
pub fn structures(
    game: &Game,
    cells: &[Structure],
    note: Option<&str>,
) -> Result<Drawing, DrawError> {
    const MOST: usize = 24;
    if cells.len() > MOST {
        return Err(DrawError::TooMany { what: "structures", found: cells.len(), most: MOST });
    }
    let parts = cells.iter().map(|cell| structure(game, cell)).collect::<Result<Vec<_>, _>>()?;
    let parts = level(parts);
    let description: Vec<String> = cells.iter().map(|cell| said(game, cell)).collect();
    let title = format!("P-positions of {game}");
    let description = description.join(" ");
    let drawn = Drawing::rows(&title, &description, parts, 22.0, 760.0);
    let Some(note) = note else { return Ok(drawn) };
    let below = Point::new(drawn.width / 2.0, drawn.height + 8.0);
    let mut canvas = Canvas::new();
    canvas.place(drawn, Point::default());
    canvas.label(below, 13.0, Ink::Second, vec![Run::roman(note)]);
    Ok(canvas.finish(&title, &format!("{description} {note}"), 4.0))
}

/// Figures with their first circles at the same height, headings too, and all as high as the highest, each as wide on
/// the one side of its heading as on the other.
fn level(parts: Vec<Drawing>) -> Vec<Drawing> {
    let circle = |drawing: &Drawing| {
        let circles = drawing.items.iter().filter_map(|item| match item.shape {
            Shape::Circle { at, .. } => Some(at.y),
            _ => None,
        });
        { circles }.next().unwrap_or(0.0)
    };
    let lowest = parts.iter().map(circle).fold(0.0, f64::max);
    let mut parts: Vec<Drawing> = parts
        .into_iter()
        .map(|mut part| {
            let down = lowest - circle(&part);
            part.items = part.items.into_iter().map(|item| item.moved(0.0, down)).collect();
            part.height += down;
            part
        })
        .collect();
    let heading = |item: &Item| match (&item.shape, &item.role) {
        (Shape::Text { at, .. }, Some(role)) if role.kind == HEADING => Some(at.y),
        _ => None,
    };
    let top =
        parts.iter().flat_map(|part| &part.items).filter_map(heading).fold(f64::MAX, f64::min);
    for item in parts.iter_mut().flat_map(|part| &mut part.items) {
        if let Some(y) = heading(item) {
            *item = item.clone().moved(0.0, top - y);
        }
    }
    for part in &mut parts {
        let at = part.items.iter().find_map(|item| match &item.shape {
            Shape::Text { at, .. } if heading(item).is_some() => Some(at.x),
            _ => None,
        });
        let Some(middle) = at else { continue };
        let half = middle.max(part.width - middle);
        let items = std::mem::take(&mut part.items);
        part.items = items.into_iter().map(|item| item.moved(half - middle, 0.0)).collect();
        part.width = 2.0 * half;
    }
    let high = parts.iter().map(|part| part.height).fold(0.0, f64::max);
    parts.iter_mut().for_each(|part| part.height = high);
    parts
}

/// A structure in words.
fn said(game: &Game, cell: &Structure) -> String {
    let names = letters(game.stacks());
    let mut parts: Vec<String> = names
        .iter()
        .zip(&cell.words)
        .filter(|(n, w)| n != w)
        .map(|(n, w)| format!("{n} = {w}"))
        .collect();
    for group in &cell.groups {
        let sum: Vec<&str> =
            group.stacks.iter().filter_map(|s| names.get(s)).map(String::as_str).collect();
        parts.push(format!("{} {}", sum.join("+"), group.label));
    }
    for (stack, mark) in &cell.marks {
        parts.push(format!("{} is {mark}", names.get(*stack).map_or("", String::as_str)));
    }
    parts.extend(cell.notes.iter().cloned());
    format!("{}.", parts.join("; "))
}

fn radius(plan: &Plan) -> f64 {
    Board::ring_radius(plan.places.len(), 0)
}

/// The slots of a group, in runs of neighbours.
fn runs_of(plan: &Plan, stacks: StackSet) -> Vec<(usize, usize)> {
    let n = plan.places.len();
    let inside: Vec<bool> = plan.places.iter().map(|p| stacks.contains(p.stack)).collect();
    let around = plan.layout == Layout::Ring;
    if inside.iter().all(|i| *i) {
        return vec![(0, n)];
    }
    let starts = (0..n).filter(|&s| inside[s] && (s == 0 && !around || !inside[(s + n - 1) % n]));
    let length = |start: usize| {
        let most = if around { n } else { n - start };
        (1..most).find(|l| !inside[(start + l) % n]).unwrap_or(most)
    };
    starts.map(|start| (start, length(start))).collect()
}

fn stroke(class: usize) -> Stroke {
    let dash = [Dash::Solid, Dash::Dashed, Dash::Dotted][class % 3];
    Stroke { ink: if class < 3 { Ink::P } else { Ink::Ink }, width: 1.4, dash }
}

/// How far the line around a group is from the middle of its stacks: groups that share stacks get lines at
/// different distances.
fn distances(cell: &Structure) -> Vec<f64> {
    let mut depth: Vec<usize> = Vec::new();
    for (i, group) in cell.groups.iter().enumerate() {
        let used: Vec<usize> = (0..i)
            .filter(|&j| !cell.groups[j].stacks.is_disjoint(group.stacks))
            .map(|j| depth[j])
            .collect();
        depth.push((0..).find(|d| !used.contains(d)).unwrap_or(0));
    }
    depth.into_iter().map(|d| DISC + 4.5 + 4.0 * d.min(6) as f64).collect()
}

/// How much farther than the discs the farthest line around stacks is, in whole units.
fn farthest(cell: &Structure) -> f64 {
    (distances(cell).into_iter().fold(0.0, f64::max) - DISC - 4.0).max(0.0).ceil()
}

/// The lines around groups, below the discs.
fn groups(canvas: &mut Canvas, plan: &Plan, cell: &Structure) {
    for (group, away) in cell.groups.iter().zip(distances(cell)) {
        let runs = runs_of(plan, group.stacks);
        let stroke = stroke(group.class);
        match plan.layout {
            Layout::Ring => {
                let r = radius(plan);
                for &(start, length) in &runs {
                    let (from, to) = (plan.angle(start), plan.angle(start + length - 1));
                    canvas.path(around_arc(r, away, from, to), stroke);
                }
                // What belongs together without being neighbours is joined through the middle.
                for pair in runs.windows(2) {
                    let middle = |(start, length): (usize, usize)| {
                        let angle = (plan.angle(start) + plan.angle(start + length - 1)) / 2.0;
                        Point::default().toward(angle, r - away)
                    };
                    canvas.line(middle(pair[0]), middle(pair[1]), stroke);
                }
            }
            Layout::Row => {
                let step = 46.0;
                for &(start, length) in &runs {
                    let at = Point::new(start as f64 * step - away, -away);
                    let width = (length - 1) as f64 * step + 2.0 * away;
                    let shape = Shape::Rect { at, width, height: 2.0 * away, radius: away };
                    canvas.push(shape, Some(stroke), None);
                }
                for pair in runs.windows(2) {
                    let from = Point::new((pair[0].0 + pair[0].1 - 1) as f64 * step, -away);
                    let to = Point::new(pair[1].0 as f64 * step, -away);
                    let (a, b) = (from.moved(8.0, -14.0), to.moved(-8.0, -14.0));
                    canvas.path(vec![Segment::Move(from), Segment::Cubic(a, b, to)], stroke);
                }
            }
            _ => {}
        }
    }
}

/// The outline of a band along an arc around the middle.
fn around_arc(r: f64, away: f64, from: f64, to: f64) -> Vec<Segment> {
    let centre = Point::default();
    if (to - from).abs() < 0.5 {
        return arc(centre.toward(from, r), away, 0.0, 360.0);
    }
    let mut segments = arc(centre, r + away, from, to);
    let mut join = |mut part: Vec<Segment>| {
        if !part.is_empty() {
            part.remove(0);
        }
        segments.extend(part);
    };
    join(arc(centre.toward(to, r), away, to, to + 180.0));
    join(arc(centre, (r - away).max(1.0), to, from));
    join(arc(centre.toward(from, r), away, from + 180.0, from + 360.0));
    segments.push(Segment::Close);
    segments
}

/// What groups are equal to, and marks, wherever there is room for them.
fn labels(canvas: &mut Canvas, plan: &Plan, cell: &Structure) {
    let away = distances(cell);
    let mut taken: Vec<Area> = canvas.texts();
    let mut put = |canvas: &mut Canvas,
                   angle: f64,
                   from: Point,
                   first: f64,
                   text: &str,
                   size: f64,
                   ink: Ink| {
        let runs = Run::math(text);
        let wide = measure::width(&runs, size);
        let across = angle.to_radians().cos();
        // Outwards until nothing is in the way.
        for step in 0..14 {
            let out =
                from.toward(angle, first + 6.0 * f64::from(step)).moved(across * wide / 2.0, 0.0);
            let area = measure::text_area(out, size, crate::Anchor::Middle, &runs);
            if !taken.iter().any(|t| t.meets(&area.widened(1.0))) || step == 13 {
                taken.push(area);
                canvas.label(out, size, ink, runs);
                return;
            }
        }
    };
    for (stack, mark) in &cell.marks {
        let Some(place) = plan.places.iter().find(|p| p.stack == *stack) else { continue };
        match plan.layout {
            Layout::Ring => {
                let angle = plan.angle(place.slot);
                put(
                    canvas,
                    angle,
                    Point::default(),
                    radius(plan) + DISC + 30.0,
                    mark,
                    12.5,
                    Ink::Third,
                );
            }
            Layout::Row => {
                let at = Point::new(place.slot as f64 * 46.0, 0.0);
                put(canvas, 90.0, at, DISC + 30.0 + farthest(cell), mark, 12.5, Ink::Third);
            }
            _ => {}
        }
    }
    for (group, away) in cell.groups.iter().zip(away) {
        let runs = runs_of(plan, group.stacks);
        let Some(&(start, length)) = runs.iter().max_by_key(|r| (r.1, std::cmp::Reverse(r.0)))
        else {
            continue;
        };
        match plan.layout {
            Layout::Ring => {
                // Between two stacks: beside the letter of one it would seem to be about that stack.
                let between = if length % 2 == 1 { 180.0 / plan.places.len() as f64 } else { 0.0 };
                let angle = (plan.angle(start) + plan.angle(start + length - 1)) / 2.0 + between;
                let first = radius(plan) + away + 11.0;
                match (&runs[..], length) {
                    // Beside the line through the middle that joins the stacks.
                    ([one, other, ..], 1) => {
                        let at =
                            |slot: usize| Point::default().toward(plan.angle(slot), radius(plan));
                        let half = at(one.0).mix(at(other.0), 0.5);
                        let inward = (-half.y).atan2(-half.x).to_degrees();
                        put(canvas, inward, half, 20.0, &group.label, 14.0, Ink::P);
                    }
                    _ => put(canvas, angle, Point::default(), first, &group.label, 14.0, Ink::P),
                }
            }
            Layout::Row => {
                let x = (start as f64 + (length - 1) as f64 / 2.0) * 46.0;
                put(canvas, -90.0, Point::new(x, 0.0), away + 12.0, &group.label, 14.0, Ink::P);
            }
            _ => {}
        }
    }
}
