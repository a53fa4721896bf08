//! Faces and circuits as text and JSON.

use crate::render::json::Limit;
use crate::render::palette::{Palette, paint};
use crate::render::subgame::numbers;
use crate::render::words::{Names, thousands};
use crate::structure::Circuits;
use nimatron_theory::complex::Pointed;
#[cfg(feature = "serde")]
use serde::Serialize;

/// Numbers, sizes and the first circuits.
pub fn circuits(found: &Circuits, palette: &Palette) -> String {
    let names = Names::of(found.game.stacks());
    let number = |n: Option<u64>| n.map_or("not counted".to_string(), |n| thousands(n.into()));
    let mut out = paint(palette.title, &palette.wrap(&found.game.to_string(), "  ")) + "\n";
    out += &line(palette, "facets", &thousands(found.facets.into()));
    out += &line(palette, "faces", &number(found.faces));
    out += &line(palette, "circuits", &number(found.count));
    let sizes = found.sizes.map(|s| s.iter().map(|s| s.to_string()).collect::<Vec<_>>());
    let sizes = match sizes {
        None => "not found".to_string(),
        Some(sizes) if sizes.is_empty() => "none: every set of stacks is a face".to_string(),
        Some(sizes) => sizes.join(", "),
    };
    out += &line(palette, "sizes", &sizes);
    let all = |p: &[Pointed]| found.count == Some(p.len() as u64);
    let pointed = match &found.pointed {
        None => "not looked for".to_string(),
        Some(p) if p.is_empty() => "none".to_string(),
        Some(p) => {
            let sets: Vec<_> = p.iter().map(|p| p.circuit).collect();
            let all = if all(p) { " (all: their sums are the P-positions)" } else { "" };
            format!("{}{all}", names.sets(&sets))
        }
    };
    out += &line(palette, "pointed", &pointed);
    if !found.listed.is_empty() {
        let more = found.count != Some(found.listed.len() as u64);
        let heading = if more { "Some circuits" } else { "Circuits" };
        let dots = if more { ", ..." } else { "" };
        let sets: Vec<String> = found.listed.iter().map(|&c| names.set(c)).collect();
        let list = palette.wrap(&format!("  {}{dots}", sets.join(", ")), "  ");
        out += &format!("\n{}\n{list}\n", paint(palette.heading, heading));
    }
    if let Some(stop) = found.stopped {
        out += &format!("\n{}\n  {stop}\n", paint(palette.heading, "Stopped"));
    }
    out
}

fn line(palette: &Palette, label: &str, text: &str) -> String {
    palette.labelled(10, label, text)
}

/// The answer to `circuits`. Stacks are counted from 1.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct CircuitsAnswer {
    game: String,
    facets: u64,
    faces: Option<u64>,
    circuits: Option<u64>,
    sizes: Option<Vec<usize>>,
    pointed: Option<Vec<Vec<usize>>>,
    listed: Vec<Vec<usize>>,
    limit: Option<Limit>,
}

impl From<&Circuits> for CircuitsAnswer {
    fn from(found: &Circuits) -> Self {
        let pointed = found.pointed.as_ref();
        CircuitsAnswer {
            game: found.game.to_string(),
            facets: found.facets,
            faces: found.faces,
            circuits: found.count,
            sizes: found.sizes.map(|s| s.iter().collect()),
            pointed: pointed.map(|p| p.iter().map(|p| numbers(p.circuit)).collect()),
            listed: found.listed.iter().copied().map(numbers).collect(),
            limit: found.stopped.map(Limit::from),
        }
    }
}
