//! The position grid of a slow game (Slow26 sections 4 to 6).

use nimatron_game::{Game, Height, Outcome, Play, Position, Rule, Watch};
use nimatron_table::{TableError, sorted};
use nimatron_theory::library::slow_all_but_one::{
    AllButOneSlow, AllButOneSlowNim, AtLeastAllButOneSlowNim,
};
use nimatron_theory::slow::{self, Cell};
use nimatron_theory::{Citation, Theorem};

/// Which cells of the position grid hold P-positions: rows are the total mod 2k of the reduced
/// position, with k the least number of stacks in a move, columns the number of odd stacks.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Grid {
    /// The game.
    pub game: Game,
    /// The number of stacks.
    pub n: usize,
    /// The least number of stacks in a move.
    pub k: usize,
    /// What the cells hold: 2k rows of n+1 cells.
    pub rows: Vec<Vec<CellKind>>,
    /// Who says so.
    pub source: GridSource,
}

/// What a cell of the grid holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CellKind {
    /// No position: the total and the number of odd stacks have the same parity.
    Impossible,
    /// No position of the box that was computed.
    Unseen,
    /// P-positions only.
    P,
    /// N-positions only.
    N,
    /// Both; the grid does not describe the game.
    Mixed {
        /// A P-position.
        p: Position,
        /// An N-position.
        n: Position,
    },
}

/// How the cells became known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GridSource {
    /// By a theorem, for all heights.
    Theorem(Citation),
    /// By computing, for heights up to a bound.
    Table {
        /// The greatest height.
        max: Height,
        /// How many positions, heights in ascending order.
        positions: u64,
    },
}

/// A grid that cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GridError {
    /// Only slow games on all sets of certain sizes have a grid.
    #[error("only Slow(n,{{...}}) has a position grid")]
    NotSlow,
    /// The table was not computed.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// Without a bound given, tables get about this many positions.
const POSITIONS: u128 = 200_000;
/// Taller stacks show nothing new.
const TALLEST: Height = 40;

impl Grid {
    /// The grid of a game. A theorem answers if there is one and no bound is given; otherwise all
    /// positions with heights up to `max`, or up to a bound that makes for a quick answer, are
    /// computed.
    ///
    /// ```
    /// use nimatron::crates::game::Unlimited;
    /// use nimatron::grid::{CellKind, Grid};
    /// let grid = Grid::of(&"Slow(4,{3})".parse().unwrap(), None, &Unlimited).unwrap();
    /// assert_eq!(grid.rows.len(), 6);
    /// assert_eq!(grid.rows[2][4], CellKind::P);
    /// assert_eq!(grid.rows[2][3], CellKind::Impossible);
    /// ```
    pub fn of(game: &Game, max: Option<Height>, watch: &dyn Watch) -> Result<Self, GridError> {
        let rule = game.single().ok_or(GridError::NotSlow)?;
        let sizes = slow::sizes(rule).ok_or(GridError::NotSlow)?;
        let (n, k) = (rule.stacks(), sizes.least().ok_or(GridError::NotSlow)?);
        let (rows, source) = match theorem(rule, game.convention()).filter(|_| max.is_none()) {
            Some((solved, citation)) => {
                let kind = |cell: Cell| match (cell.occurs(), solved.is_p_cell(cell)) {
                    (false, _) => CellKind::Impossible,
                    (true, true) => CellKind::P,
                    (true, false) => CellKind::N,
                };
                (rows(n, k, kind), GridSource::Theorem(citation))
            }
            None => {
                let max = max.unwrap_or_else(|| default_height(n));
                computed(rule, game.convention(), k, max, watch)?
            }
        };
        Ok(Grid { game: game.clone(), n, k, rows, source })
    }

    /// The mixed cells, with a P-position and an N-position of each.
    pub fn mixed(&self) -> impl Iterator<Item = (Cell, &Position, &Position)> {
        let cells = self.rows.iter().enumerate();
        let cells = cells.flat_map(|(s, row)| row.iter().enumerate().map(move |(o, c)| (s, o, c)));
        cells.filter_map(|(s, o, kind)| match kind {
            CellKind::Mixed { p, n } => Some((Cell { s, o }, p, n)),
            _ => None,
        })
    }
}

/// The theorem that knows the cells of a game.
fn theorem(rule: &Rule, play: Play) -> Option<(AllButOneSlow, Citation)> {
    let n = rule.stacks();
    let theorems: [(&dyn Theorem, bool); 2] =
        [(&AllButOneSlowNim, false), (&AtLeastAllButOneSlowNim, true)];
    theorems.into_iter().find_map(|(theorem, all)| {
        theorem.applies(rule, play)?;
        Some((AllButOneSlow::new(n, all)?, theorem.citation()))
    })
}

fn rows(n: usize, k: usize, kind: impl Fn(Cell) -> CellKind) -> Vec<Vec<CellKind>> {
    (0..2 * k).map(|s| (0..=n).map(|o| kind(Cell { s, o })).collect()).collect()
}

/// The greatest height for which there are not too many positions.
fn default_height(n: usize) -> Height {
    let positions =
        |max: Height| (1..=n as u128).fold(1u128, |count, i| count * (u128::from(max) + i) / i);
    (1..=TALLEST).take_while(|&max| positions(max) <= POSITIONS).last().unwrap_or(1)
}

fn computed(
    rule: &Rule,
    play: Play,
    k: usize,
    max: Height,
    watch: &dyn Watch,
) -> Result<(Vec<Vec<CellKind>>, GridSource), TableError> {
    let n = rule.stacks();
    let table = sorted::outcomes(rule, play, max, watch)?;
    let mut seen: Vec<[Option<Position>; 2]> = vec![[None, None]; 2 * k * (n + 1)];
    for (position, outcome) in table.iter() {
        let cell = Cell::of(k, &position);
        let first = &mut seen[cell.s * (n + 1) + cell.o][usize::from(outcome == Outcome::N)];
        let smaller = |f: &Position| (position.total(), &position[..]) < (f.total(), &f[..]);
        if first.as_ref().is_none_or(smaller) {
            *first = Some(position);
        }
    }
    let kind = |cell: Cell| match &seen[cell.s * (n + 1) + cell.o] {
        _ if !cell.occurs() => CellKind::Impossible,
        [None, None] => CellKind::Unseen,
        [Some(_), None] => CellKind::P,
        [None, Some(_)] => CellKind::N,
        [Some(p), Some(n)] => CellKind::Mixed { p: p.clone(), n: n.clone() },
    };
    let source = GridSource::Table { max, positions: table.len() as u64 };
    Ok((rows(n, k, kind), source))
}
