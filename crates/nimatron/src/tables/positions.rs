//! The P-positions of a box, one after the other.

use super::cost::TableEngine;
use super::run::{Tabulation, TabulationError, Wanted};
use nimatron_game::{Game, Height, Position, Watch};
use nimatron_table::Crew;
use std::fmt;

/// The P-positions of a box in lexicographic order, computed as they are asked for, a layer at a time.
/// A limit ends the list with an error.
///
/// ```
/// use nimatron::Unlimited;
/// use nimatron::tables::{PPositions, Threads};
/// let game = "CN(4,2)".parse().unwrap();
/// let threads = Threads::new(1);
/// let found = PPositions::new(&game, &[2; 4], &threads, &Unlimited).unwrap();
/// let first: Vec<String> = found.take(3).map(|p| p.unwrap().to_string()).collect();
/// assert_eq!(first, ["(0,0,0,0)", "(0,1,0,1)", "(0,2,0,2)"]);
/// ```
pub struct PPositions<'a> {
    run: Tabulation,
    crew: &'a dyn Crew,
    watch: &'a dyn Watch,
    found: std::vec::IntoIter<Position>,
    /// What ended the run early, if it has not been told yet.
    error: Option<TabulationError>,
    stopped: bool,
}

impl<'a> PPositions<'a> {
    /// The P-positions with heights up to `max`.
    pub fn new(
        game: &Game,
        max: &[Height],
        crew: &'a dyn Crew,
        watch: &'a dyn Watch,
    ) -> Result<Self, TabulationError> {
        // Blocks have no rows before all of them are done.
        let run = Tabulation::new(game, max, Wanted::All, Some(TableEngine::Line))?;
        let found = Vec::new().into_iter();
        Ok(PPositions { run, crew, watch, found, error: None, stopped: false })
    }
}

impl Iterator for PPositions<'_> {
    type Item = Result<Position, TabulationError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(position) = self.found.next() {
                return Some(Ok(position));
            }
            if let Some(error) = self.error.take() {
                return Some(Err(error));
            }
            if self.stopped || self.run.is_finished() {
                return None;
            }
            let mut found = Vec::new();
            let done = self.run.step(1, self.crew, self.watch, &mut |row| {
                found.push(Position::new(row.heights.to_vec()).expect("heights are bounded"));
                Ok(())
            });
            self.found = found.into_iter();
            self.error = done.err();
            self.stopped = self.error.is_some();
        }
    }
}

impl std::iter::FusedIterator for PPositions<'_> {}

impl fmt::Debug for PPositions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PPositions").field("run", &self.run).finish_non_exhaustive()
    }
}
