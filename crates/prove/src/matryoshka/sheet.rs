//! Cheat sheets: what to do in each of the games within a game.

use super::solution::{Node, Reason, Way};
use super::solve::game_on;
use nimatron_game::symmetry::Relabelling;
use nimatron_game::{Game, StackSet};
use std::collections::HashSet;
use std::fmt;

/// One of the games within a game: which vectors to subtract, and which smaller game is left then.
///
/// A generated form of Table 2 in KDH26.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sheet {
    /// The game; `None` for the one without stacks.
    pub game: Option<Game>,
    /// The invariant vectors; none in the base cases, and none if `positive` is set.
    pub vectors: Vec<StackSet>,
    /// Whether all positions without empty stacks are N-positions; then the rows say what is left
    /// when there is an empty one.
    pub positive: bool,
    /// The cells of its P-positions.
    pub cells: Vec<Vec<StackSet>>,
    /// What is left when the vectors cannot be subtracted any more.
    pub rows: Vec<Emptied>,
    /// Relabellings that keep the game.
    symmetries: Vec<Relabelling>,
}

/// What is left of a game when some of its stacks are empty.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Emptied {
    /// The empty stacks.
    pub stacks: StackSet,
    /// The stacks that lie in every set then: if one holds tokens, it is an N-position.
    pub everywhere: StackSet,
    /// The number of the game that is left, in the list of sheets.
    pub sheet: usize,
    /// By stack of that game: the stacks whose sum it holds.
    pub sums: Vec<StackSet>,
}

impl Sheet {
    pub(super) fn of(node: &Node) -> Self {
        let (vectors, positive, rows, symmetries) = match &node.reason {
            Reason::Vectors { vectors, forced, ways, symmetries, .. } => {
                let rows = ways.iter().map(Emptied::of).collect();
                (vectors.clone(), forced.is_some(), rows, symmetries.clone())
            }
            _ => (Vec::new(), false, Vec::new(), Vec::new()),
        };
        let stacks = |cell: &Vec<u32>| cell.iter().map(|&g| StackSet::from_bits(g)).collect();
        let cells = node.cells.list().iter().map(stacks).collect();
        let game = (node.sets.stacks() > 0).then(|| game_on(&node.sets));
        Sheet { game, vectors, positive, cells, rows, symmetries }
    }

    /// One row of each class under the symmetries of the game, the first.
    pub fn classes(&self) -> Vec<&Emptied> {
        let mut seen: HashSet<StackSet> = HashSet::new();
        let mut first = Vec::new();
        for row in &self.rows {
            if seen.contains(&row.stacks) {
                continue;
            }
            first.push(row);
            let mut next = vec![row.stacks];
            while let Some(stacks) = next.pop() {
                if seen.insert(stacks) {
                    next.extend(self.symmetries.iter().map(|g| g.set(stacks)));
                }
            }
        }
        first
    }
}

impl Emptied {
    pub(super) fn of(way: &Way) -> Self {
        let mut sums = vec![StackSet::EMPTY; way.classes.len()];
        for (&class, &name) in way.classes.iter().zip(&way.names) {
            sums[name] = class;
        }
        Emptied { stacks: way.emptied, everywhere: way.everywhere, sheet: way.game, sums }
    }
}

/// The vectors and one line per row, up to symmetry: `a: game 2 at (b, c+d, e)`.
impl fmt::Display for Sheet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.game {
            Some(game) => write!(f, "{game}")?,
            None => return f.write_str("no stacks"),
        }
        let list = |sets: &[StackSet]| sets.iter().map(|s| s.to_string()).collect::<Vec<_>>();
        match (self.positive, &self.vectors[..]) {
            (true, _) => f.write_str(": some stack must be empty")?,
            (false, []) => f.write_str(": equal heights")?,
            (false, vectors) => write!(f, ": subtract {}", list(vectors).join(", "))?,
        }
        let rows = self.classes();
        if rows.len() < self.rows.len() {
            f.write_str("; up to symmetry,")?;
        }
        for row in rows {
            let sum = |set: &StackSet| {
                list(&set.iter().map(StackSet::single).collect::<Vec<_>>()).join("+")
            };
            let sums: Vec<String> = row.sums.iter().map(sum).collect();
            write!(f, "\n  {} empty: game {} at ({})", row.stacks, row.sheet, sums.join(","))?;
            if !row.everywhere.is_empty() {
                write!(f, ", {} must be empty", row.everywhere)?;
            }
        }
        Ok(())
    }
}
