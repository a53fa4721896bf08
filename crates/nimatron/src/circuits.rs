//! Faces and circuits of a game.

use nimatron_game::{Choice, Game, Sizes, StackSet, Stop, Watch};
use nimatron_theory::complex::{Complex, Pointed};

/// The simplicial complex of a game that is not a sum: how many faces and circuits it has, and
/// some of the circuits. Numbers that could not be found within the limits are missing.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Circuits {
    /// The game.
    pub game: Game,
    /// The number of facets.
    pub facets: u64,
    /// The number of faces, the empty set included.
    pub faces: Option<u64>,
    /// The sizes of the circuits.
    pub sizes: Option<Sizes>,
    /// The number of circuits.
    pub count: Option<u64>,
    /// Some circuits, sorted; all of them if there are no more than were asked for.
    pub listed: Vec<StackSet>,
    /// The circuits that own a stack which lies in no other circuit.
    pub pointed: Option<Vec<Pointed>>,
    /// What stopped the work, if something did.
    pub stopped: Option<Stop>,
}

impl Circuits {
    /// Looks at the circuits; lists up to `limit` of them. `None` for sums and for games in which
    /// all stacks of a set must be played, where subsets of a set are no moves.
    pub fn of(game: &Game, limit: usize, watch: &dyn Watch) -> Option<Self> {
        let rule = game.single().filter(|rule| rule.choice() == Choice::Any)?;
        let complex = Complex::of(rule);
        let mut listed: Vec<StackSet> = complex.circuits().take(limit).collect();
        listed.sort_unstable_by_key(|c| (c.len(), c.iter().collect::<Vec<_>>()));
        let mut report = Circuits {
            game: game.clone(),
            facets: complex.facets().len(),
            faces: None,
            sizes: None,
            count: None,
            listed,
            pointed: None,
            stopped: None,
        };
        if let Err(stop) = report.fill(&complex, watch) {
            report.stopped = Some(stop);
        }
        Some(report)
    }

    fn fill(&mut self, complex: &Complex, watch: &dyn Watch) -> Result<(), Stop> {
        self.sizes = Some(complex.circuit_sizes(watch)?);
        self.count = Some(complex.circuit_count(watch)?);
        self.faces = Some(complex.face_count(watch)?);
        self.pointed = Some(complex.all_pointed(watch)?);
        Ok(())
    }
}
