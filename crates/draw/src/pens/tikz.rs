//! TikZ pictures, for papers.

use crate::drawing::{Anchor, Dash, Drawing, Face, Ink, Item, Run, Segment, Shape};
use crate::pens::number;
use crate::theme::Theme;
use std::collections::BTreeMap;
use std::fmt::Write;

/// What is around the picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Frame {
    /// Nothing: to be read with `\input` where `tikz` is loaded.
    Input,
    /// A document of its own, cut to the picture.
    Standalone,
}

/// Points of a page per unit of a drawing: three quarters, as there are of a CSS pixel.
const POINT: f64 = 0.75;

/// The drawing as a TikZ picture. It needs `tikz` (and with it `xcolor`) and no other package; its colours are
/// provided, so that a document may define them before.
pub fn tikz(drawing: &Drawing, frame: Frame) -> String {
    let mut out = String::new();
    if frame == Frame::Standalone {
        out += "\\documentclass[tikz,border=2pt]{standalone}\n\\begin{document}\n";
    }
    let _ = writeln!(out, "% {}", comment(&drawing.title));
    out += &provided(drawing);
    let _ = writeln!(
        out,
        "\\begin{{tikzpicture}}[x={POINT}pt,y=-{POINT}pt,line cap=round,line join=round]"
    );
    let (w, h) = (number(drawing.width), number(drawing.height));
    let _ = writeln!(out, "  \\useasboundingbox (0,0) rectangle ({w},{h});");
    for item in &drawing.items {
        write_item(item, &mut out);
    }
    out += "\\end{tikzpicture}\n";
    if frame == Frame::Standalone {
        out += "\\end{document}\n";
    }
    out
}

/// A line of a comment.
fn comment(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn name(ink: Ink) -> String {
    match ink {
        Ink::Paper => "nimPaper".into(),
        Ink::Ink => "nimInk".into(),
        Ink::Second => "nimSecond".into(),
        Ink::Third => "nimThird".into(),
        Ink::P => "nimP".into(),
        Ink::N => "nimN".into(),
        Ink::PWash => "nimPWash".into(),
        Ink::NWash => "nimNWash".into(),
        Ink::Lamp => "nimLamp".into(),
        Ink::LampEdge => "nimLampEdge".into(),
        Ink::Rule => "nimRule".into(),
        Ink::Line => "nimLine".into(),
        Ink::Socket => "nimSocket".into(),
        Ink::Ramp(place) => format!("nimRamp{place}"),
        Ink::OnRamp(place) => format!("nimOnRamp{place}"),
    }
}

/// The colours of all inks that have names without numbers, for a style file.
pub fn colours() -> String {
    let inks = [
        Ink::Paper,
        Ink::Ink,
        Ink::Second,
        Ink::Third,
        Ink::P,
        Ink::N,
        Ink::PWash,
        Ink::NWash,
        Ink::Lamp,
        Ink::LampEdge,
        Ink::Rule,
        Ink::Line,
        Ink::Socket,
    ];
    inks.into_iter().map(provide).collect()
}

fn provide(ink: Ink) -> String {
    let hex = Theme::Print.colour(ink).hex().to_uppercase();
    format!("\\providecolor{{{}}}{{HTML}}{{{}}}\n", name(ink), &hex[1..])
}

fn provided(drawing: &Drawing) -> String {
    let used = drawing.items.iter().flat_map(|i| [i.fill, i.stroke.map(|s| s.ink)]);
    let used: BTreeMap<String, Ink> = used.flatten().map(|ink| (name(ink), ink)).collect();
    used.into_values().map(provide).collect()
}

fn write_item(item: &Item, out: &mut String) {
    let mut options = Vec::new();
    if let Some(stroke) = item.stroke {
        options.push(format!("draw={}", name(stroke.ink)));
        options.push(format!("line width={}pt", number(stroke.width * POINT)));
        match stroke.dash {
            Dash::Solid => {}
            Dash::Dashed => options.push("dash pattern=on 2.2pt off 2.2pt".into()),
            Dash::Dotted => options.push("dash pattern=on 0pt off 3pt".into()),
        }
    }
    if let Some(ink) = item.fill {
        options.push(format!("fill={}", name(ink)));
    }
    let options = options.join(",");
    match &item.shape {
        Shape::Circle { at, r } => {
            let (x, y) = (number(at.x), number(at.y));
            let r = number(r * POINT);
            let _ = writeln!(out, "  \\path[{options}] ({x},{y}) circle[radius={r}pt];");
        }
        Shape::Rect { at, width, height, radius } => {
            let (x, y) = (number(at.x), number(at.y));
            let (a, b) = (number(at.x + width), number(at.y + height));
            let round = match *radius > 0.0 {
                true => format!(",rounded corners={}pt", number(radius * POINT)),
                false => String::new(),
            };
            let _ = writeln!(out, "  \\path[{options}{round}] ({x},{y}) rectangle ({a},{b});");
        }
        Shape::Path { segments } => {
            let _ = write!(out, "  \\path[{options}]");
            for segment in segments {
                match segment {
                    Segment::Move(p) => _ = write!(out, " ({},{})", number(p.x), number(p.y)),
                    Segment::Line(p) => _ = write!(out, " -- ({},{})", number(p.x), number(p.y)),
                    Segment::Cubic(a, b, p) => {
                        let [a, b, p] =
                            [a, b, p].map(|p| format!("({},{})", number(p.x), number(p.y)));
                        let _ = write!(out, " .. controls {a} and {b} .. {p}");
                    }
                    Segment::Close => *out += " -- cycle",
                }
            }
            *out += ";\n";
        }
        Shape::Text { at, size, anchor, runs } => {
            let (x, y) = (number(at.x), number(at.y + 0.34 * size));
            let anchor = match anchor {
                Anchor::Start => "base west",
                Anchor::Middle => "base",
                Anchor::End => "base east",
            };
            let ink = name(item.fill.unwrap_or(Ink::Ink));
            let (size, line) = (number(size * POINT), number(size * POINT * 1.2));
            let text: String = runs.iter().map(run).collect();
            let _ = writeln!(
                out,
                "  \\node[anchor={anchor},inner sep=0pt,text={ink},font=\\fontsize{{{size}}}{{{line}}}\\selectfont] \
                 at ({x},{y}) {{{text}}};"
            );
        }
    }
}

fn run(run: &Run) -> String {
    let text = escape(&run.text);
    match run.face {
        Face::Roman => text,
        // A stack is a variable, as in formulas.
        Face::Italic if run.text.chars().all(|c| c.is_ascii_lowercase()) => format!("${text}$"),
        Face::Italic => format!("\\textit{{{text}}}"),
        Face::Bold => format!("\\textbf{{{text}}}"),
    }
}

/// Text in which LaTeX takes nothing for a command.
pub fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' | '%' | '#' | '_' | '{' | '}' | '$' => out.extend(['\\', c]),
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '<' => out.push_str("$<$"),
            '>' => out.push_str("$>$"),
            '\u{2212}' => out.push_str("$-$"),
            '\u{2264}' => out.push_str("$\\le$"),
            '\u{2265}' => out.push_str("$\\ge$"),
            '\u{2260}' => out.push_str("$\\ne$"),
            '\u{2192}' => out.push_str("$\\to$"),
            '\u{b7}' => out.push_str("$\\cdot$"),
            '\u{d7}' => out.push_str("$\\times$"),
            '\u{2295}' => out.push_str("$\\oplus$"),
            '\u{2216}' => out.push_str("$\\setminus$"),
            '\u{2032}' => out.push_str("$'$"),
            '\u{2013}' => out.push_str("--"),
            '\u{3a3}' => out.push_str("$\\Sigma$"),
            '\u{2026}' => out.push_str("\\dots{}"),
            c if c.is_control() => out.push(' '),
            // pdfLaTeX without further packages knows the letters of Latin-1 in UTF-8, and little else.
            c if c.is_ascii() || ('\u{c0}'..='\u{17f}').contains(&c) => out.push(c),
            _ => out.push('?'),
        }
    }
    out
}
