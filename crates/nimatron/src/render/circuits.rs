//! Faces and circuits as text and JSON.

use crate::render::json::Limit;
use crate::render::palette::{Palette, paint};
use crate::render::subgame::numbers;
use crate::render::words::{Names, thousands};
use crate::structure::{Circuits, CircularCircuits};
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
        let heading = match (found.size, more) {
            (Some(size), _) => format!("Circuits of {size} stacks"),
            (None, true) => "Some circuits".to_string(),
            (None, false) => "Circuits".to_string(),
        };
        let dots = if more { ", ..." } else { "" };
        let sets: Vec<String> = found.listed.iter().map(|&c| names.set(c)).collect();
        let list = palette.wrap(&format!("  {}{dots}", sets.join(", ")), "  ");
        out += &format!("\n{}\n{list}\n", paint(palette.heading, &heading));
    }
    if let Some(stop) = found.stopped {
        out += &format!("\n{}\n  {stop}\n", paint(palette.heading, "Stopped"));
    }
    out
}

/// The same by arithmetic alone.
pub fn circular_circuits(found: &CircularCircuits, palette: &Palette) -> String {
    let CircularCircuits { n, k, .. } = found;
    let mut out = paint(palette.title, &format!("CN({n},{k})")) + "\n";
    let count = found.count.map_or("not counted".to_string(), thousands);
    out += &line(palette, "circuits", &count);
    let sizes = match found.sizes {
        None => "none: every set of stacks is a face".to_string(),
        Some((least, most)) if least == most => format!("{least} (DH13 Theorem 5.8)"),
        Some((least, most)) => format!("{least} to {most} (DH13 Theorem 5.8)"),
    };
    out += &line(palette, "sizes", &sizes);
    if !found.examples.is_empty() {
        out += &format!("\n{}\n", paint(palette.heading, "One circuit of each size"));
        for example in &found.examples {
            let stacks: Vec<String> = example.iter().map(|s| (s + 1).to_string()).collect();
            out += &line(palette, &example.len().to_string(), &stacks.join(", "));
        }
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

/// The answer to `circuits` about more stacks than a game has here. Stacks are counted from 1.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct CircularCircuitsAnswer {
    game: String,
    circuits: Option<u128>,
    sizes: Vec<usize>,
    listed: Vec<Vec<usize>>,
}

impl From<&CircularCircuits> for CircularCircuitsAnswer {
    fn from(found: &CircularCircuits) -> Self {
        let from_one = |stacks: &Vec<usize>| stacks.iter().map(|s| s + 1).collect();
        CircularCircuitsAnswer {
            game: format!("CN({},{})", found.n, found.k),
            circuits: found.count,
            sizes: found.sizes.map_or(Vec::new(), |(least, most)| (least..=most).collect()),
            listed: found.examples.iter().map(from_one).collect(),
        }
    }
}
