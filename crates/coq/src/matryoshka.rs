//! Games within games: parts and their trees as they are; of the cells of the game itself one of each class.

mod outer;
mod tree;

use crate::ExportError;
use crate::names;
use nimatron_game::Game;
use nimatron_verify::matryoshka::{MatryoshkaProof, Part};
use outer::Outer;
use std::io::Write;

/// Writes the certificate; returns the set.
pub(crate) fn write(
    game: &Game,
    proof: &MatryoshkaProof,
    to: &mut dyn Write,
) -> Result<String, ExportError> {
    let Some((last, earlier)) = proof.parts.split_last() else {
        return Err(ExportError::Broken("there is no part"));
    };
    let outer = Outer::new(game, proof, last)?;
    writeln!(to, "Import Matryoshka.")?;
    for (number, part) in earlier.iter().enumerate() {
        writeln!(to, "Definition part{number} : part := {}.", part_text(part)?)?;
        let same: Vec<usize> = (0..part.cells.len()).collect();
        writeln!(to, "Definition tree{number} : tree := {}.", tree::text(part, earlier, &same)?)?;
    }
    writeln!(to, "Definition outermost : tree := {}.", tree::text(last, earlier, &outer.places)?)?;
    let weights = outer.weights(proof);
    writeln!(to, "Definition weights : list (N * list (list Z)) := [")?;
    for (i, (facet, rows)) in weights.iter().enumerate() {
        writeln!(to, "  ({facet}%N, [")?;
        for (k, row) in rows.iter().enumerate() {
            let comma = if k + 1 == rows.len() { "" } else { ";" };
            writeln!(to, "    {}{comma}", tree::form(row))?;
        }
        writeln!(to, "  ]){}", if i + 1 == weights.len() { "" } else { ";" })?;
    }
    writeln!(to, "].")?;
    let generators = names::vectors(outer.stacks, &outer.representatives);
    let parts: Vec<String> =
        (0..earlier.len()).map(|number| format!("(part{number}, tree{number})")).collect();
    writeln!(to, "Definition proof : certificate := Certificate ({})", outer.group_name)?;
    writeln!(to, "  ({generators})\n  [{}] outermost weights.\n", parts.join("; "))?;
    Ok(format!("cells (sym ({}) ({generators}))\n ", outer.group_name))
}

/// The game of a part, its assumptions and cells.
fn part_text(part: &Part) -> Result<String, ExportError> {
    let rows: Vec<String> = part
        .rows
        .iter()
        .map(|(row, constant)| format!("({}, ({constant})%Z)", tree::form(row)))
        .collect();
    let cells: Vec<String> = part.cells.iter().map(|cell| names::numbers(cell)).collect();
    let facets = names::numbers(&part.facets);
    let stacks = names::natural(part.stacks)?;
    Ok(format!("Part {stacks} {facets} [{}] [{}]", rows.join("; "), cells.join("; ")))
}
