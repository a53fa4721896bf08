//! Faces and circuits of a game.

use nimatron_game::{Choice, Game, Sizes, StackSet, Stop, Watch};
use nimatron_theory::complex::{Complex, Pointed, circular};

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
    /// The size of the circuits that are listed, if only one was asked for.
    pub size: Option<usize>,
    /// What stopped the work, if something did.
    pub stopped: Option<Stop>,
}

/// Circuits between two looks at the watch.
const BETWEEN_CHECKS: usize = 1 << 14;

impl Circuits {
    /// Looks at the circuits; lists up to `limit` of them. `None` for sums and for games in which
    /// all stacks of a set must be played, where subsets of a set are no moves.
    pub fn of(game: &Game, limit: usize, watch: &dyn Watch) -> Option<Self> {
        Circuits::of_size(game, None, limit, watch)
    }

    /// The same; lists circuits of this size only, if one is given.
    pub fn of_size(
        game: &Game,
        size: Option<usize>,
        limit: usize,
        watch: &dyn Watch,
    ) -> Option<Self> {
        let rule = game.single().filter(|rule| rule.choice() == Choice::Any)?;
        let complex = Complex::of(rule);
        let wanted = |circuit: &StackSet| size.is_none_or(|size| circuit.len() == size);
        let mut listed: Vec<StackSet> = Vec::new();
        let mut stopped = None;
        for (i, circuit) in complex.circuits().enumerate() {
            if listed.len() == limit {
                break;
            }
            if i % BETWEEN_CHECKS == BETWEEN_CHECKS - 1
                && let Err(stop) = watch.check(0)
            {
                stopped = Some(stop);
                break;
            }
            if wanted(&circuit) {
                listed.push(circuit);
            }
        }
        listed.sort_unstable_by(StackSet::by_size_and_name);
        let mut report = Circuits {
            game: game.clone(),
            facets: complex.facets().len(),
            faces: None,
            sizes: None,
            count: None,
            listed,
            pointed: None,
            size,
            stopped,
        };
        if report.stopped.is_some() {
            return Some(report);
        }
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

/// The circuits of CN(n,k) as far as arithmetic tells them, for any number of stacks (DH13 section 5).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CircularCircuits {
    /// Stacks.
    pub n: usize,
    /// Size of a move set.
    pub k: usize,
    /// How many circuits there are, if that was counted.
    pub count: Option<u128>,
    /// The least and the greatest size; `None` if there are no circuits.
    pub sizes: Option<(usize, usize)>,
    /// One circuit of each size asked for, its stacks counted from 0.
    pub examples: Vec<Vec<usize>>,
}

/// So many stacks are dealt with, and counted.
const MOST_STACKS: usize = 10_000;
const MOST_COUNTED: usize = 120;

impl CircularCircuits {
    /// The numbers of a text such as `CN(40,35)`, if it is about more stacks than a game can have here.
    pub fn read(text: &str) -> Option<(usize, usize)> {
        let plain: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let inside = plain.to_ascii_uppercase();
        let (n, k) = inside.strip_prefix("CN(")?.strip_suffix(')')?.split_once(',')?;
        let (n, k) = (n.parse().ok()?, k.parse().ok()?);
        (nimatron_game::MAX_STACKS < n && n <= MOST_STACKS && 1 <= k && k <= n).then_some((n, k))
    }

    /// Sizes, number and examples; of one size, if it is given, else of all, as many as the limit says.
    pub fn of((n, k): (usize, usize), size: Option<usize>, limit: usize) -> Self {
        let range = circular::size_range(n, k);
        let sizes = (!range.is_empty()).then(|| (*range.start(), *range.end()));
        let wanted = range.filter(|&s| size.is_none_or(|size| s == size));
        let examples = wanted.filter_map(|s| circular::example(n, k, s)).take(limit).collect();
        let count = if n <= MOST_COUNTED { circular::count(n, k) } else { None };
        CircularCircuits { n, k, count, sizes, examples }
    }
}
