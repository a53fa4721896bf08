//! Sets of stacks as constellations: the stacks on a circle, the members lit and joined.

use crate::board::letters;
use crate::drawing::{Canvas, Drawing, Ink, Point, Run, Segment, Shape, Stroke};
use crate::layout::DrawError;
use nimatron_game::StackSet;

/// A set to be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constellation {
    /// Its stacks.
    pub stacks: StackSet,
    /// Stacks that are pointed out.
    pub pointed: StackSet,
    /// What stands below.
    pub label: String,
}

/// Sets drawn at most.
const MOST: usize = 60;

/// Sets of stacks `0..n` side by side, in rows, with notes below.
pub fn constellations(
    n: usize,
    sets: &[Constellation],
    title: &str,
    notes: &[String],
) -> Result<Drawing, DrawError> {
    if sets.len() > MOST {
        return Err(DrawError::TooMany { what: "sets", found: sets.len(), most: MOST });
    }
    let names = letters(n);
    let parts: Vec<Drawing> = sets.iter().map(|set| one(n, set, &names)).collect();
    let description: Vec<String> = sets.iter().map(|s| s.stacks.to_string()).collect();
    let drawn = Drawing::rows(title, &description.join(", "), parts, 10.0, 700.0);
    if notes.is_empty() {
        return Ok(drawn);
    }
    let (wide, high) = (drawn.width, drawn.height);
    let mut canvas = Canvas::new();
    canvas.place(drawn, Point::default());
    let lines = notes.iter().flat_map(|n| crate::measure::wrapped(n, 12.5, wide.max(260.0)));
    for (i, line) in lines.enumerate() {
        let at = Point::new(0.0, high + 14.0 + 17.0 * i as f64);
        canvas.text(at, 12.5, crate::Anchor::Start, Ink::Third, vec![Run::roman(line)]);
    }
    Ok(canvas.finish(title, &description.join(", "), 4.0))
}

fn one(n: usize, set: &Constellation, names: &[String]) -> Drawing {
    let radius = (9.0 / (std::f64::consts::PI / n.max(3) as f64).sin()).max(26.0);
    let at =
        |stack: usize| Point::default().toward(-90.0 + 360.0 * stack as f64 / n as f64, radius);
    let mut canvas = Canvas::new();
    canvas.circle(Point::default(), radius, Some(Stroke::new(Ink::Rule, 0.8)), None);
    let members: Vec<usize> = set.stacks.iter().collect();
    let mut segments: Vec<Segment> = members.iter().map(|&s| Segment::Line(at(s))).collect();
    if let Some(first) = members.first() {
        segments[0] = Segment::Move(at(*first));
        if members.len() > 2 {
            segments.push(Segment::Close);
        }
        let stroke = Some(Stroke::new(Ink::LampEdge, 1.0));
        canvas.push(Shape::Path { segments }, stroke, None);
    }
    for (stack, name) in names.iter().enumerate() {
        if set.stacks.contains(stack) {
            canvas.lamp(at(stack), 5.5).role("member", Some(stack), None);
        } else {
            canvas.circle(at(stack), 2.0, None, Some(Ink::Socket));
        }
        if set.pointed.contains(stack) {
            canvas.circle(at(stack), 8.5, Some(Stroke::new(Ink::P, 1.6)), None);
        }
        let out = Point::default().toward(-90.0 + 360.0 * stack as f64 / n as f64, radius + 16.0);
        let ink = if set.stacks.contains(stack) { Ink::Ink } else { Ink::Third };
        canvas.label(out, 12.5, ink, crate::board::name_runs(name));
    }
    let below = Point::new(0.0, radius + 36.0);
    canvas.label(below, 13.0, Ink::Second, vec![Run::roman(set.label.as_str())]);
    canvas.finish("", "", 6.0)
}
