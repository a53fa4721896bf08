//! Boxes of text in SVG documents. Whoever includes this has the names of the crate for drawings at hand.

use super::{Anchor, Point, Run, measure};

/// The boxes of all texts of an SVG document, read from its elements.
pub(crate) fn boxes(svg: &str) -> Vec<(String, measure::Area)> {
    let mut found = Vec::new();
    for element in svg.split("<text ").skip(1) {
        let (head, rest) = element.split_once('>').unwrap();
        let body = rest.split("</text>").next().unwrap();
        let value = |name: &str| {
            let at = head.find(&format!("{name}=\""))? + name.len() + 2;
            head[at..].split('"').next()
        };
        let number = |name: &str| value(name).unwrap().parse::<f64>().unwrap();
        let anchor = match value("text-anchor") {
            None => Anchor::Start,
            Some("middle") => Anchor::Middle,
            Some(_) => Anchor::End,
        };
        let mut text = String::new();
        let mut tag = false;
        for c in body.chars() {
            match c {
                '<' => tag = true,
                '>' => tag = false,
                c if !tag => text.push(c),
                _ => {}
            }
        }
        let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
        let size = number("font-size");
        // The baseline lies 0.34 of the size below the middle.
        let at = Point::new(number("x"), number("y") - 0.34 * size);
        found.push((text.clone(), measure::text_area(at, size, anchor, &[Run::roman(text)])));
    }
    found
}
