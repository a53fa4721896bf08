//! How much room things need.
//!
//! The fonts of the reader are not known. Widths are those of a wide serif font, so that what does not
//! overlap here overlaps nowhere.

use crate::drawing::{Anchor, Face, Item, Point, Run, Segment, Shape};

/// A rectangle with its sides along the axes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Area {
    /// The upper left corner.
    pub least: Point,
    /// The lower right corner.
    pub most: Point,
}

impl Area {
    /// Whether two areas share more than a border.
    pub fn meets(&self, other: &Area) -> bool {
        self.least.x < other.most.x
            && other.least.x < self.most.x
            && self.least.y < other.most.y
            && other.least.y < self.most.y
    }

    /// Whether a straight line touches the area.
    pub fn crosses(&self, from: Point, to: Point) -> bool {
        // Liang and Barsky's clipping.
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        let (mut first, mut last) = (0.0f64, 1.0f64);
        let sides = [
            (-dx, from.x - self.least.x),
            (dx, self.most.x - from.x),
            (-dy, from.y - self.least.y),
            (dy, self.most.y - from.y),
        ];
        for (p, q) in sides {
            if p == 0.0 {
                if q < 0.0 {
                    return false;
                }
            } else if p < 0.0 {
                first = first.max(q / p);
            } else {
                last = last.min(q / p);
            }
        }
        first <= last
    }

    /// The area with a margin.
    #[must_use]
    pub fn widened(&self, by: f64) -> Self {
        Area { least: self.least.moved(-by, -by), most: self.most.moved(by, by) }
    }
}

/// The width of a letter, in parts of the size.
fn advance(c: char, face: Face) -> f64 {
    let width = match c {
        'i' | 'j' | 'l' | '.' | ',' | ';' | ':' | '\'' | '|' | '!' | ' ' | '\u{b7}'
        | '\u{2032}' => 0.34,
        '(' | ')' | '[' | ']' | '{' | '}' | 't' | 'f' | 'r' | 'I' | '/' | '-' => 0.47,
        'm' | 'w' | 'M' | 'W' | '\u{2265}' | '\u{2264}' | '=' | '+' | '<' | '>' | '\u{2192}' => {
            0.95
        }
        c if c.is_ascii_uppercase() => 0.8,
        c if c.is_ascii_digit() => 0.64,
        c if c.is_ascii() => 0.64,
        _ => 0.95,
    };
    match face {
        Face::Bold => width * 1.1,
        _ => width,
    }
}

/// The width of a text of this size.
pub fn width(runs: &[Run], size: f64) -> f64 {
    let letters = runs.iter().flat_map(|run| run.text.chars().map(|c| advance(c, run.face)));
    letters.sum::<f64>() * size
}

/// The area of a text.
pub fn text_area(at: Point, size: f64, anchor: Anchor, runs: &[Run]) -> Area {
    let wide = width(runs, size);
    let left = match anchor {
        Anchor::Start => at.x,
        Anchor::Middle => at.x - wide / 2.0,
        Anchor::End => at.x - wide,
    };
    // Capitals and what hangs below the line.
    let least = Point::new(left, at.y - 0.46 * size);
    Area { least, most: Point::new(left + wide, at.y + 0.46 * size) }
}

/// The area of an item that is a text.
pub fn area(item: &Item) -> Option<Area> {
    match &item.shape {
        Shape::Text { at, size, anchor, runs } => Some(text_area(*at, *size, *anchor, runs)),
        _ => None,
    }
}

/// The least and the greatest coordinates of an item, its outline included.
pub fn extent(item: &Item) -> Option<(Point, Point)> {
    let margin = item.stroke.map_or(0.0, |s| s.width / 2.0);
    let (least, most) = match &item.shape {
        Shape::Circle { at, r } => (at.moved(-r, -r), at.moved(*r, *r)),
        Shape::Rect { at, width, height, .. } => (*at, at.moved(*width, *height)),
        Shape::Text { at, size, anchor, runs } => {
            let area = text_area(*at, *size, *anchor, runs);
            (area.least, area.most)
        }
        Shape::Path { segments } => {
            let points = segments.iter().flat_map(|s| match s {
                Segment::Move(p) | Segment::Line(p) => vec![*p],
                Segment::Cubic(a, b, p) => vec![*a, *b, *p],
                Segment::Close => Vec::new(),
            });
            points.map(|p| (p, p)).reduce(|(a, b), (c, d)| {
                (Point::new(a.x.min(c.x), a.y.min(c.y)), Point::new(b.x.max(d.x), b.y.max(d.y)))
            })?
        }
    };
    Some((least.moved(-margin, -margin), most.moved(margin, margin)))
}

/// The lines of a text that may not be wider than this; single words may.
pub fn wrapped(text: &str, size: f64, most: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let fits = |line: &String| width(&[Run::roman(format!("{line} {word}"))], size) <= most;
        match lines.last_mut() {
            Some(line) if fits(line) => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_through_a_box_is_seen() {
        let area = Area { least: Point::new(0.0, 0.0), most: Point::new(10.0, 10.0) };
        assert!(area.crosses(Point::new(-5.0, 5.0), Point::new(15.0, 6.0)));
        assert!(!area.crosses(Point::new(-5.0, 5.0), Point::new(5.0, 16.0)));
        assert!(!area.crosses(Point::new(-5.0, -1.0), Point::new(15.0, -1.0)));
        assert!(area.meets(&area.widened(-1.0)));
    }

    #[test]
    fn long_text_is_broken() {
        assert_eq!(wrapped("aa bb cc", 10.0, 35.0), ["aa bb", "cc"]);
        assert_eq!(wrapped("aaaaaaaaaaaaa b", 10.0, 20.0), ["aaaaaaaaaaaaa", "b"]);
    }
}
