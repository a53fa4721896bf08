//! What a figure consists of.

use crate::measure;
#[cfg(feature = "serde")]
use serde::Serialize;

/// A place in a drawing: to the right and down, in the units of a CSS pixel.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Down.
    pub y: f64,
}

impl Point {
    /// The point with these coordinates.
    pub const fn new(x: f64, y: f64) -> Self {
        Point { x, y }
    }

    /// The point at a distance from this one, in a direction: 0 degrees to the right, 90 down.
    #[must_use]
    pub fn toward(self, degrees: f64, distance: f64) -> Self {
        let (sin, cos) = degrees.to_radians().sin_cos();
        Point::new(self.x + distance * cos, self.y + distance * sin)
    }

    /// The point moved.
    #[must_use]
    pub fn moved(self, dx: f64, dy: f64) -> Self {
        Point::new(self.x + dx, self.y + dy)
    }

    /// The distance of two points.
    pub fn distance(self, other: Point) -> f64 {
        (self.x - other.x).hypot(self.y - other.y)
    }

    /// The point on the way to another, 0 here and 1 there.
    #[must_use]
    pub fn mix(self, other: Point, part: f64) -> Self {
        Point::new(self.x + (other.x - self.x) * part, self.y + (other.y - self.y) * part)
    }
}

/// A colour by what it means; a [`Theme`](crate::Theme) says how it looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize), serde(rename_all = "kebab-case"))]
pub enum Ink {
    /// What is drawn on.
    Paper,
    /// Text and outlines.
    Ink,
    /// Second to it: letters of stacks.
    Second,
    /// Third: zeros, notes.
    Third,
    /// P-positions, and moves that win.
    P,
    /// N-positions, and moves that lose.
    N,
    /// An area that belongs to P, or a set that is pointed out.
    PWash,
    /// An area that belongs to N.
    NWash,
    /// A token.
    Lamp,
    /// The outline of a token.
    LampEdge,
    /// Hairlines.
    Rule,
    /// Lines that carry something.
    Line,
    /// Where a token may lie.
    Socket,
    /// A place on the scale of Grundy values, 0 to 100.
    Ramp(u8),
    /// Text on that place of the scale.
    OnRamp(u8),
}

/// How a line is broken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(Serialize), serde(rename_all = "kebab-case"))]
pub enum Dash {
    /// Not at all.
    #[default]
    Solid,
    /// Into dashes.
    Dashed,
    /// Into dots.
    Dotted,
}

/// How a line is drawn; ends and corners are round.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Stroke {
    /// The colour.
    pub ink: Ink,
    /// The width.
    pub width: f64,
    /// Dashes.
    pub dash: Dash,
}

impl Stroke {
    /// A solid line.
    pub const fn new(ink: Ink, width: f64) -> Self {
        Stroke { ink, width, dash: Dash::Solid }
    }

    /// A dashed line.
    pub const fn dashed(ink: Ink, width: f64) -> Self {
        Stroke { ink, width, dash: Dash::Dashed }
    }
}

/// A part of a path.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize), serde(rename_all = "kebab-case"))]
pub enum Segment {
    /// To begin here.
    Move(Point),
    /// A straight line to here.
    Line(Point),
    /// A curve with two control points to here.
    Cubic(Point, Point, Point),
    /// Back to where it began.
    Close,
}

/// Which side of a text its place is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(Serialize), serde(rename_all = "kebab-case"))]
pub enum Anchor {
    /// The place is to the left of it.
    Start,
    /// The place is its middle.
    #[default]
    Middle,
    /// The place is to the right of it.
    End,
}

/// How letters look.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(Serialize), serde(rename_all = "kebab-case"))]
pub enum Face {
    /// Upright.
    #[default]
    Roman,
    /// Slanted, as letters of stacks are.
    Italic,
    /// Heavy.
    Bold,
}

/// Letters of one look.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Run {
    /// The letters.
    pub text: String,
    /// Their look.
    pub face: Face,
}

impl Run {
    /// Upright letters.
    pub fn roman(text: impl Into<String>) -> Self {
        Run { text: text.into(), face: Face::Roman }
    }

    /// Slanted letters.
    pub fn italic(text: impl Into<String>) -> Self {
        Run { text: text.into(), face: Face::Italic }
    }

    /// Heavy letters.
    pub fn bold(text: impl Into<String>) -> Self {
        Run { text: text.into(), face: Face::Bold }
    }

    /// A mathematical text: single letters slanted, all else upright, as is the article `a`.
    pub fn math(text: &str) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        let chars: Vec<char> = text.chars().collect();
        for (i, &c) in chars.iter().enumerate() {
            let joined = |j: Option<usize>| {
                j.and_then(|j| chars.get(j)).is_some_and(|c| c.is_ascii_alphanumeric())
            };
            let alone = c.is_ascii_lowercase() && !joined(i.checked_sub(1)) && !joined(Some(i + 1));
            let slanted = alone && !(c == 'a' && is_article(&chars[i + 1..]));
            let face = if slanted { Face::Italic } else { Face::Roman };
            match runs.last_mut() {
                Some(run) if run.face == face => run.text.push(c),
                _ => runs.push(Run { text: c.to_string(), face }),
            }
        }
        runs
    }
}

/// Whether an `a` is an article, by what follows: a noun, or a number that stands for one.
fn is_article(rest: &[char]) -> bool {
    let Some((' ', rest)) = rest.split_first() else { return false };
    let word: String = rest.iter().take_while(|c| c.is_ascii_alphanumeric()).collect();
    !word.is_empty()
        && (word.len() > 1 || word.chars().all(|c| c.is_ascii_digit()))
        && !["and", "or", "is", "to", "goes", "up"].contains(&word.as_str())
}

/// What is drawn.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize), serde(rename_all = "kebab-case", tag = "shape"))]
pub enum Shape {
    /// A circle.
    Circle {
        /// Its middle.
        at: Point,
        /// Its radius.
        r: f64,
    },
    /// A rectangle.
    Rect {
        /// Its upper left corner.
        at: Point,
        /// Its width.
        width: f64,
        /// Its height.
        height: f64,
        /// The radius of its corners.
        radius: f64,
    },
    /// Lines and curves.
    Path {
        /// The parts.
        segments: Vec<Segment>,
    },
    /// Text in one line, its middle at the height of its place.
    Text {
        /// Its place.
        at: Point,
        /// The size of its letters.
        size: f64,
        /// On which side of the place it stands.
        anchor: Anchor,
        /// What it says.
        runs: Vec<Run>,
    },
}

/// What something in a figure stands for, for front ends.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Role {
    /// A word: `token`, `taken`, `letter`, `height`, `set`, ...
    pub kind: &'static str,
    /// The stack it belongs to, counted from 0.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub stack: Option<usize>,
    /// Which of several, counted from 0.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub index: Option<usize>,
}

/// A shape with its colours.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Item {
    /// The shape.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub shape: Shape,
    /// Its outline.
    pub stroke: Option<Stroke>,
    /// What fills it; the colour of a text.
    pub fill: Option<Ink>,
    /// What it stands for.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub role: Option<Role>,
}

/// A finished figure: items one above the other, from 0,0 to its width and height.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Drawing {
    /// What it shows, in a few words.
    pub title: String,
    /// The same for those who cannot see it.
    pub description: String,
    /// The width.
    pub width: f64,
    /// The height.
    pub height: f64,
    /// What is drawn.
    pub items: Vec<Item>,
}

impl Drawing {
    /// Several figures in rows, each row centred, no row wider than `width` if it can be helped.
    pub fn rows(title: &str, description: &str, parts: Vec<Drawing>, gap: f64, width: f64) -> Self {
        let mut rows: Vec<Vec<Drawing>> = Vec::new();
        let mut used = 0.0;
        for part in parts {
            match rows.last_mut() {
                Some(row) if used + gap + part.width <= width => {
                    used += gap + part.width;
                    row.push(part);
                }
                _ => {
                    used = part.width;
                    rows.push(vec![part]);
                }
            }
        }
        let wide = |row: &[Drawing]| {
            row.iter().map(|d| d.width).sum::<f64>() + gap * (row.len().max(1) - 1) as f64
        };
        let widest = rows.iter().map(|row| wide(row)).fold(0.0, f64::max);
        let (mut items, mut y) = (Vec::new(), 0.0);
        for row in rows {
            let high = row.iter().map(|d| d.height).fold(0.0, f64::max);
            let mut x = (widest - wide(&row)) / 2.0;
            for part in row {
                let down = y + (high - part.height) / 2.0;
                let right = x;
                x += part.width + gap;
                items.extend(part.items.into_iter().map(|i| i.moved(right, down).rounded()));
            }
            y += high + gap;
        }
        let (title, description) = (title.to_string(), description.to_string());
        let (width, height) = (round(widest), round((y - gap).max(0.0)));
        Drawing { title, description, width, height, items }
    }
}

/// To hundredths, so that what is written is short.
fn round(x: f64) -> f64 {
    (x * 100.0).round() / 100.0
}

impl Item {
    /// The item moved.
    #[must_use]
    pub fn moved(self, dx: f64, dy: f64) -> Self {
        self.mapped(|p| p.moved(dx, dy))
    }

    fn rounded(mut self) -> Self {
        match &mut self.shape {
            Shape::Circle { r, .. } => *r = round(*r),
            Shape::Rect { width, height, .. } => {
                (*width, *height) = (round(*width), round(*height))
            }
            Shape::Text { size, .. } => *size = round(*size),
            Shape::Path { .. } => {}
        }
        self.mapped(|p| Point::new(round(p.x), round(p.y)))
    }

    fn mapped(mut self, map: impl Fn(Point) -> Point) -> Self {
        match &mut self.shape {
            Shape::Circle { at, .. } | Shape::Rect { at, .. } | Shape::Text { at, .. } => {
                *at = map(*at);
            }
            Shape::Path { segments } => {
                for segment in segments {
                    *segment = match *segment {
                        Segment::Move(p) => Segment::Move(map(p)),
                        Segment::Line(p) => Segment::Line(map(p)),
                        Segment::Cubic(a, b, p) => Segment::Cubic(map(a), map(b), map(p)),
                        Segment::Close => Segment::Close,
                    };
                }
            }
        }
        self
    }
}

/// A figure under construction, anywhere in the plane.
#[derive(Clone, Debug, Default)]
pub struct Canvas {
    items: Vec<Item>,
}

impl Canvas {
    /// Nothing drawn yet.
    pub fn new() -> Self {
        Canvas::default()
    }

    /// Adds an item.
    pub fn push(&mut self, shape: Shape, stroke: Option<Stroke>, fill: Option<Ink>) -> &mut Item {
        self.items.push(Item { shape, stroke, fill, role: None });
        let last = self.items.len() - 1;
        &mut self.items[last]
    }

    /// A circle.
    pub fn circle(
        &mut self,
        at: Point,
        r: f64,
        stroke: Option<Stroke>,
        fill: Option<Ink>,
    ) -> &mut Item {
        self.push(Shape::Circle { at, r }, stroke, fill)
    }

    /// A token.
    pub fn lamp(&mut self, at: Point, r: f64) -> &mut Item {
        self.circle(at, r, Some(Stroke::new(Ink::LampEdge, 1.0)), Some(Ink::Lamp))
    }

    /// A straight line.
    pub fn line(&mut self, from: Point, to: Point, stroke: Stroke) -> &mut Item {
        let segments = vec![Segment::Move(from), Segment::Line(to)];
        self.push(Shape::Path { segments }, Some(stroke), None)
    }

    /// A path that is not filled.
    pub fn path(&mut self, segments: Vec<Segment>, stroke: Stroke) -> &mut Item {
        self.push(Shape::Path { segments }, Some(stroke), None)
    }

    /// A thick line with an outline: what encircles some places.
    pub fn band(&mut self, segments: Vec<Segment>, width: f64, edge: Ink, fill: Ink) -> &mut Item {
        self.path(segments.clone(), Stroke::new(edge, width));
        self.path(segments, Stroke::new(fill, width - 2.0))
    }

    /// The head of an arrow whose tip is here, coming from a direction.
    pub fn head(&mut self, tip: Point, from: Point, size: f64, ink: Ink) -> &mut Item {
        let back = (from.y - tip.y).atan2(from.x - tip.x).to_degrees();
        let (left, right) = (tip.toward(back - 24.0, size), tip.toward(back + 24.0, size));
        let segments =
            vec![Segment::Move(tip), Segment::Line(left), Segment::Line(right), Segment::Close];
        self.push(Shape::Path { segments }, None, Some(ink))
    }

    /// A text.
    pub fn text(
        &mut self,
        at: Point,
        size: f64,
        anchor: Anchor,
        ink: Ink,
        runs: Vec<Run>,
    ) -> &mut Item {
        self.push(Shape::Text { at, size, anchor, runs }, None, Some(ink))
    }

    /// A text whose middle is here.
    pub fn label(&mut self, at: Point, size: f64, ink: Ink, runs: Vec<Run>) -> &mut Item {
        self.text(at, size, Anchor::Middle, ink, runs)
    }

    /// Adds a finished figure with its upper left corner here.
    pub fn place(&mut self, drawing: Drawing, at: Point) {
        self.items.extend(drawing.items.into_iter().map(|i| i.moved(at.x, at.y)));
    }

    /// Adds what is on another canvas, in its place.
    pub(crate) fn under(&mut self, other: Canvas) {
        self.items.extend(other.items);
    }

    /// The areas of all texts so far.
    pub(crate) fn texts(&self) -> Vec<measure::Area> {
        self.items.iter().filter_map(measure::area).collect()
    }

    /// Adds what is on another canvas, moved sideways so that it begins at `x`; where it ends.
    pub fn beside(&mut self, other: Canvas, x: f64) -> f64 {
        let Some((least, most)) = other.bounds() else { return x };
        self.items.extend(other.items.into_iter().map(|i| i.moved(x - least.x, 0.0)));
        x + most.x - least.x
    }

    /// The least and the greatest coordinates of what is drawn.
    pub fn bounds(&self) -> Option<(Point, Point)> {
        self.items.iter().filter_map(measure::extent).reduce(|(a, b), (c, d)| {
            (Point::new(a.x.min(c.x), a.y.min(c.y)), Point::new(b.x.max(d.x), b.y.max(d.y)))
        })
    }

    /// The finished figure, with a margin around what is drawn.
    pub fn finish(self, title: &str, description: &str, margin: f64) -> Drawing {
        let (least, most) = self.bounds().unwrap_or_default();
        let (dx, dy) = (margin - least.x, margin - least.y);
        let items = self.items.into_iter().map(|i| i.moved(dx, dy).rounded()).collect();
        Drawing {
            title: title.to_string(),
            description: description.to_string(),
            width: round(most.x - least.x + 2.0 * margin),
            height: round(most.y - least.y + 2.0 * margin),
            items,
        }
    }
}

impl Item {
    /// The item with what it stands for.
    pub fn role(&mut self, kind: &'static str, stack: Option<usize>, index: Option<usize>) {
        self.role = Some(Role { kind, stack, index });
    }
}

/// An arc around a point, from one direction to another, as curves.
pub(crate) fn arc(centre: Point, r: f64, from: f64, to: f64) -> Vec<Segment> {
    let pieces = ((to - from).abs() / 45.0).ceil().max(1.0);
    let step = (to - from) / pieces;
    let reach = r * 4.0 / 3.0 * (step.to_radians() / 4.0).tan();
    let mut segments = vec![Segment::Move(centre.toward(from, r))];
    for piece in 0..pieces as usize {
        let (start, end) = (from + step * piece as f64, from + step * (piece + 1) as f64);
        let (a, b) = (centre.toward(start, r), centre.toward(end, r));
        segments.push(Segment::Cubic(
            a.toward(start + 90.0, reach),
            b.toward(end - 90.0, reach),
            b,
        ));
    }
    segments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stacks_are_slanted_and_articles_are_not() {
        let slanted = |text: &str| {
            let runs = Run::math(text).into_iter().filter(|r| r.face == Face::Italic);
            runs.map(|r| r.text).collect::<String>()
        };
        assert_eq!(slanted("a = 0, b+c"), "abc");
        assert_eq!(slanted("evidence, not a proof"), "");
        assert_eq!(slanted("the stacks that have a 1; 0 if none has"), "");
        assert_eq!(slanted("a and b up to 3"), "ab");
    }
}
