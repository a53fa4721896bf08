//! Scalable vector graphics: one file, no font, no script, nothing from elsewhere.

use crate::drawing::{Anchor, Dash, Drawing, Face, Ink, Item, Segment, Shape};
use crate::pens::number;
use crate::theme::Theme;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The drawing as an SVG document.
///
/// Colours are attributes, which every program understands; with [`Theme::Auto`] a style sheet replaces them
/// where the reader prefers dark pages.
pub fn svg(drawing: &Drawing, theme: Theme) -> String {
    let shown = if theme == Theme::Auto { Theme::Light } else { theme };
    let (w, h) = (number(drawing.width), number(drawing.height));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" \
         viewBox=\"0 0 {w} {h}\" role=\"img\" font-family=\"'Source Serif 4',Charter,Georgia,serif\">\n\
         <title>{}</title>\n<desc>{}</desc>\n",
        escape(&drawing.title),
        escape(&drawing.description)
    );
    let inks = inks(drawing);
    if theme == Theme::Auto {
        out += &dark_style(&inks);
    }
    if inks.contains(&key(Ink::Lamp))
        && let Some(stops) = shown.lamp()
    {
        out += "<defs><radialGradient id=\"nim-lamp\" cx=\".42\" cy=\".36\">";
        for (place, (stop, class)) in
            ["0", ".5", "1"].iter().zip(stops.iter().zip(["l1", "l2", "l3"]))
        {
            let _ = write!(
                out,
                "<stop class=\"{class}\" offset=\"{place}\" stop-color=\"{}\"/>",
                stop.hex()
            );
        }
        out += "</radialGradient></defs>\n";
    }
    if theme != Theme::Print {
        let _ = writeln!(
            out,
            "<rect class=\"{}\" width=\"{w}\" height=\"{h}\" fill=\"{}\"/>",
            name(Ink::Paper, 'f'),
            shown.colour(Ink::Paper).hex()
        );
    }
    for item in &drawing.items {
        write_item(item, theme, shown, &mut out);
    }
    out + "</svg>\n"
}

/// Text as it may stand in XML.
pub fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // What XML cannot hold.
            c if c.is_control() && !matches!(c, '\n' | '\t') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

fn key(ink: Ink) -> String {
    match ink {
        Ink::Paper => "paper".into(),
        Ink::Ink => "ink".into(),
        Ink::Second => "second".into(),
        Ink::Third => "third".into(),
        Ink::P => "p".into(),
        Ink::N => "n".into(),
        Ink::PWash => "pwash".into(),
        Ink::NWash => "nwash".into(),
        Ink::Lamp => "lamp".into(),
        Ink::LampEdge => "edge".into(),
        Ink::Rule => "rule".into(),
        Ink::Line => "line".into(),
        Ink::Socket => "socket".into(),
        Ink::Ramp(place) => format!("r{place}"),
        Ink::OnRamp(place) => format!("o{place}"),
    }
}

/// The class of an ink that fills (`f`) or outlines (`s`).
fn name(ink: Ink, use_: char) -> String {
    format!("{use_}-{}", key(ink))
}

/// Inks in use, by their keys.
fn inks(drawing: &Drawing) -> BTreeSet<String> {
    let used = drawing.items.iter().flat_map(|i| [i.fill, i.stroke.map(|s| s.ink)]);
    used.flatten().map(key).collect()
}

fn dark_style(used: &BTreeSet<String>) -> String {
    let mut rules = String::new();
    let mut rule = |ink: Ink| {
        let colour = Theme::Dark.colour(ink).hex();
        if ink != Ink::Lamp {
            let _ = write!(rules, ".{}{{fill:{colour}}}", name(ink, 'f'));
        }
        let _ = write!(rules, ".{}{{stroke:{colour}}}", name(ink, 's'));
    };
    let plain = [
        Ink::Ink,
        Ink::Second,
        Ink::Third,
        Ink::P,
        Ink::N,
        Ink::PWash,
        Ink::NWash,
        Ink::LampEdge,
        Ink::Rule,
        Ink::Line,
        Ink::Socket,
    ];
    rule(Ink::Paper);
    plain.into_iter().filter(|&i| used.contains(&key(i))).for_each(&mut rule);
    let ramps = (0..=100).flat_map(|place| [Ink::Ramp(place), Ink::OnRamp(place)]);
    ramps.filter(|&i| used.contains(&key(i))).for_each(&mut rule);
    if let Some(stops) = Theme::Dark.lamp() {
        for (class, stop) in ["l1", "l2", "l3"].iter().zip(stops) {
            let _ = write!(rules, ".{class}{{stop-color:{}}}", stop.hex());
        }
    }
    format!("<style>@media(prefers-color-scheme:dark){{{rules}}}</style>\n")
}

fn write_item(item: &Item, theme: Theme, shown: Theme, out: &mut String) {
    let mut classes = Vec::new();
    let mut attributes = String::new();
    match item.fill {
        Some(Ink::Lamp) if shown.lamp().is_some() => attributes += " fill=\"url(#nim-lamp)\"",
        Some(ink) => {
            classes.push(name(ink, 'f'));
            let _ = write!(attributes, " fill=\"{}\"", shown.colour(ink).hex());
        }
        None => attributes += " fill=\"none\"",
    }
    if let Some(stroke) = item.stroke {
        classes.push(name(stroke.ink, 's'));
        let (colour, width) = (shown.colour(stroke.ink).hex(), number(stroke.width));
        let _ = write!(attributes, " stroke=\"{colour}\" stroke-width=\"{width}\"");
        if let Shape::Path { .. } = item.shape {
            attributes += " stroke-linecap=\"round\" stroke-linejoin=\"round\"";
        }
        match stroke.dash {
            Dash::Solid => {}
            Dash::Dashed => attributes += " stroke-dasharray=\"3 3\"",
            Dash::Dotted => attributes += " stroke-dasharray=\"0 4\"",
        }
    }
    // Classes matter only where a style sheet replaces colours.
    if theme == Theme::Auto && !classes.is_empty() {
        attributes = format!(" class=\"{}\"{attributes}", classes.join(" "));
    }
    if let Some(role) = &item.role {
        let _ = write!(attributes, " data-role=\"{}\"", role.kind);
        if let Some(stack) = role.stack {
            let _ = write!(attributes, " data-stack=\"{stack}\"");
        }
        if let Some(index) = role.index {
            let _ = write!(attributes, " data-index=\"{index}\"");
        }
    }
    match &item.shape {
        Shape::Circle { at, r } => {
            let (x, y, r) = (number(at.x), number(at.y), number(*r));
            let _ = writeln!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\"{attributes}/>");
        }
        Shape::Rect { at, width, height, radius } => {
            let (x, y) = (number(at.x), number(at.y));
            let (w, h) = (number(*width), number(*height));
            let round = match *radius > 0.0 {
                true => format!(" rx=\"{}\"", number(*radius)),
                false => String::new(),
            };
            let _ = writeln!(
                out,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\"{round}{attributes}/>"
            );
        }
        Shape::Path { segments } => {
            let mut d = String::new();
            for segment in segments {
                match segment {
                    Segment::Move(p) => _ = write!(d, "M{} {}", number(p.x), number(p.y)),
                    Segment::Line(p) => _ = write!(d, "L{} {}", number(p.x), number(p.y)),
                    Segment::Cubic(a, b, p) => {
                        let pairs = [a, b, p].map(|p| format!("{} {}", number(p.x), number(p.y)));
                        d += &format!("C{}", pairs.join(" "));
                    }
                    Segment::Close => d.push('Z'),
                }
            }
            let _ = writeln!(out, "<path d=\"{d}\"{attributes}/>");
        }
        Shape::Text { at, size, anchor, runs } => {
            // The middle of digits and capitals, not of the whole line.
            let (x, y, s) = (number(at.x), number(at.y + 0.34 * size), number(*size));
            let anchor = match anchor {
                Anchor::Start => "",
                Anchor::Middle => " text-anchor=\"middle\"",
                Anchor::End => " text-anchor=\"end\"",
            };
            let _ = write!(out, "<text x=\"{x}\" y=\"{y}\" font-size=\"{s}\"{anchor}{attributes}>");
            for run in runs {
                let text = escape(&run.text);
                match run.face {
                    Face::Roman => *out += &text,
                    Face::Italic => _ = write!(out, "<tspan font-style=\"italic\">{text}</tspan>"),
                    Face::Bold => _ = write!(out, "<tspan font-weight=\"600\">{text}</tspan>"),
                }
            }
            *out += "</text>\n";
        }
    }
}
