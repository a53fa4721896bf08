//! Tables of boxes as charts.

use super::FigureError;
use crate::tables::Tabulation;
use nimatron_draw::charts::{Growth, HeatCell, HeatMap, MOST_CELLS, growth as drawn, heat_map};
use nimatron_draw::{DrawError, Drawing, board};
use nimatron_game::{Game, Height, Outcome, Play, Watch};
use nimatron_table::{Alone, grundy, outcomes, remoteness};

/// What a slice shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SliceValues {
    /// Grundy values (under misere play: outcomes).
    #[default]
    Grundy,
    /// Outcomes.
    Outcomes,
    /// Remoteness.
    Remoteness,
}

/// A slice through the table of a game: two stacks run from 0 to `max`, the others are as in `heights`.
pub fn slice(
    game: &Game,
    heights: &[Height],
    axes: (usize, usize),
    max: Height,
    values: SliceValues,
    watch: &dyn Watch,
) -> Result<Drawing, FigureError> {
    let (n, (across, up)) = (game.stacks(), axes);
    if heights.len() != n {
        return Err(DrawError::Heights { stacks: n, heights: heights.len() }.into());
    }
    if across == up || across >= n || up >= n {
        return Err(FigureError::Axes);
    }
    if max >= MOST_CELLS as Height {
        let found = usize::try_from(max).unwrap_or(usize::MAX).saturating_add(1);
        return Err(DrawError::TooMany { what: "cells in a row", found, most: MOST_CELLS }.into());
    }
    let mut tall = heights.to_vec();
    (tall[across], tall[up]) = (max, max);
    // Grundy values add up under normal play only.
    let misere = game.convention() == Play::Misere;
    let shown = match values {
        SliceValues::Grundy if misere => SliceValues::Outcomes,
        values => values,
    };
    let outcomes = outcomes::table(game, &tall, watch)?;
    let numbers = match shown {
        SliceValues::Grundy => Some(grundy::table(game, &tall, watch)?),
        SliceValues::Remoteness => Some(remoteness::table(game, &tall, watch)?),
        SliceValues::Outcomes => None,
    };
    let cell = |x: Height, y: Height| {
        let mut at = heights.to_vec();
        (at[across], at[up]) = (x, y);
        match (outcomes.get(&at), numbers.as_ref().and_then(|t| t.get(&at))) {
            (Some(Outcome::P), _) => HeatCell::P,
            (Some(Outcome::N), Some(number)) => HeatCell::Value(u64::from(number)),
            (Some(Outcome::N), None) => HeatCell::N,
            (None, _) => HeatCell::Unknown,
        }
    };
    let rows = (0..=max).map(|y| (0..=max).map(|x| cell(x, y)).collect()).collect();
    let names = board::letters(n);
    let fixed: Vec<String> = (0..n)
        .filter(|&s| s != across && s != up)
        .map(|s| format!("{} = {}", names[s], heights[s]))
        .collect();
    let what = match shown {
        SliceValues::Grundy => "Discs: P-positions; numbers: Grundy values.",
        SliceValues::Outcomes => "Discs: P-positions.",
        SliceValues::Remoteness => "Discs: P-positions; numbers: how many moves best play lasts.",
    };
    let mut notes = Vec::new();
    if !fixed.is_empty() {
        notes.push(fixed.join(", "));
    }
    notes.push(what.to_string());
    let title = format!("{game}: {} and {} up to {max}", names[across], names[up]);
    let (across, up) = (names[across].clone(), names[up].clone());
    Ok(heat_map(&HeatMap { title, across, up, notes, rows })?)
}

/// How the number of P-positions grows with the height of the box.
pub fn growth(game: &Game, max: Height, watch: &dyn Watch) -> Result<Drawing, FigureError> {
    let mut run = Tabulation::listing(game, &vec![max; game.stacks()])?;
    run.finish(&Alone, watch, &mut |_| Ok(()))?;
    let upto = usize::try_from(max).unwrap_or(usize::MAX).saturating_add(1);
    let counts: Vec<u128> = run.counts().up_to().take(upto).map(u128::from).collect();
    let last = counts.last().copied().unwrap_or(0);
    let title = format!("P-positions of {game} up to height {max}");
    let notes = vec![format!("{last} P-positions with heights up to {max}.")];
    let counted = "P-positions with heights up to h".to_string();
    Ok(drawn(&Growth { title, counted, counts, notes }))
}
