//! The geometry as JSON, for front ends that draw by themselves.

use crate::drawing::Drawing;
use crate::theme::Theme;
use crate::{Ink, Item};
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Serialize)]
struct Answer<'a> {
    title: &'a str,
    description: &'a str,
    width: f64,
    height: f64,
    items: &'a [Item],
    /// How the inks in use look on a light and on a dark screen.
    inks: BTreeMap<String, [String; 2]>,
}

/// The drawing as one line of JSON: its size, its items in the order in which they are drawn, and the colours of
/// the inks.
pub fn json(drawing: &Drawing) -> String {
    let inks = drawing.items.iter().flat_map(|i| [i.fill, i.stroke.map(|s| s.ink)]).flatten();
    let look = |ink: Ink| [Theme::Light, Theme::Dark].map(|t| t.colour(ink).hex());
    let name = |ink: Ink| match ink {
        Ink::Ramp(place) => format!("ramp:{place}"),
        Ink::OnRamp(place) => format!("on-ramp:{place}"),
        ink => serde_json::to_string(&ink).unwrap_or_default().trim_matches('"').to_string(),
    };
    let answer = Answer {
        title: &drawing.title,
        description: &drawing.description,
        width: drawing.width,
        height: drawing.height,
        items: &drawing.items,
        inks: inks.map(|ink| (name(ink), look(ink))).collect(),
    };
    // Numbers and strings only: nothing that could fail.
    serde_json::to_string(&answer).unwrap_or_default()
}
