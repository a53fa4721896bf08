//! Scalable vector graphics, the little that is needed.

use std::fmt::Write;

/// The colour of P-positions in pictures.
pub(crate) const P_FILL: &str = "#8fd3d1";
/// The colour of N-positions in pictures.
pub(crate) const N_FILL: &str = "#ffffff";
/// The colour of what contradicts itself.
pub(crate) const MIXED_FILL: &str = "#f4a259";
/// The colour of what is not there.
pub(crate) const UNSEEN_FILL: &str = "#eeeeee";
/// The colour of what does not count.
pub(crate) const FAINT: &str = "#9a9a9a";

/// A picture under construction: the elements so far.
pub(crate) struct Svg {
    width: f64,
    height: f64,
    body: String,
}

impl Svg {
    pub(crate) fn new(width: f64, height: f64) -> Self {
        Svg { width, height, body: String::new() }
    }

    /// Adds an element as it is written.
    pub(crate) fn push(&mut self, element: &str) {
        let _ = writeln!(self.body, "{element}");
    }

    /// Adds a text around a point.
    pub(crate) fn text(&mut self, x: f64, y: f64, class: &str, text: &str) {
        let text = escape(text);
        self.push(&format!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" class=\"{class}\" dy=\"0.35em\">{text}</text>"
        ));
    }

    /// The finished picture, with a title for those who cannot see it.
    pub(crate) fn finish(self, title: &str, style: &str) -> String {
        let (w, h) = (self.width, self.height);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w:.0}\" height=\"{h:.0}\" \
             viewBox=\"0 0 {w:.0} {h:.0}\">\n<title>{}</title>\n<style>text{{font-family:\
             sans-serif;font-size:13px;text-anchor:middle}}{style}\
             </style>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{}</svg>\n",
            escape(title),
            self.body
        )
    }
}

/// Text as it may stand in XML.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
