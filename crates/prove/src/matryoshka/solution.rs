//! Games within games, solved: who wins, how, and the proof.

use super::cells::Cells;
use super::cover::Covered;
use super::play::{Answer, Player};
use super::sheet::Sheet;
use super::trees;
use super::{equations, facets};
use nimatron_formula::Formula;
use nimatron_game::symmetry::Relabelling;
use nimatron_game::{Game, Height, SetFamily, StackSet, Stop, Take, Watch};
use nimatron_verify::matryoshka::Weight;
use nimatron_verify::{Certificate, Proof};

/// A game without stacks that can be left out or merged, and its P-positions.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) sets: SetFamily,
    pub(super) cells: Cells,
    pub(super) reason: Reason,
}

/// Why the cells of a game are its P-positions.
#[derive(Clone, Debug)]
pub(super) enum Reason {
    /// There is no stack.
    Empty,
    /// There are two stacks, each by itself.
    Pair,
    /// The vectors are invariant, and the weights show it.
    Vectors {
        vectors: Vec<StackSet>,
        /// If every P-position has an empty stack: moves from all other positions.
        forced: Option<Covered>,
        ways: Vec<Way>,
        symmetries: Vec<Relabelling>,
        weights: Vec<Weight>,
    },
}

/// How emptying stacks of a game leads to a smaller one.
#[derive(Clone, Debug)]
pub(super) struct Way {
    pub(super) emptied: StackSet,
    /// The stacks that then lie in every set; they are empty in P-positions.
    pub(super) everywhere: StackSet,
    /// The other stacks: those of a class lie in the same sets and are merged.
    pub(super) classes: Vec<StackSet>,
    /// By class: the stack of the smaller game.
    pub(super) names: Vec<usize>,
    /// The number of the smaller game.
    pub(super) game: usize,
}

/// The P-positions of a game for all heights, with the proof.
#[derive(Clone, Debug)]
pub struct Solution {
    nodes: Vec<Node>,
    outermost: Way,
    /// Who has the decision trees of the proof.
    player: Player,
}

/// How large a solution is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statistics {
    /// The number of games within each other, base cases included.
    pub games: usize,
    /// The number of cells of the game itself.
    pub cells: usize,
    /// The number of cells of all games together.
    pub all_cells: usize,
    /// The number of weights.
    pub weights: usize,
}

impl Solution {
    /// The solution of a game by games within it; `None` if its proof is too large.
    pub(super) fn new(game: Game, nodes: Vec<Node>, outermost: Way) -> Option<Self> {
        Solution::within(game, nodes, outermost, u64::MAX)
    }

    /// The same; `None` also if writing the proof takes more steps than these.
    pub(super) fn within(game: Game, nodes: Vec<Node>, outermost: Way, work: u64) -> Option<Self> {
        let proof = trees::proof(&game, &nodes, &outermost, work)?;
        Some(Solution { nodes, outermost, player: Player::new(game, proof)? })
    }

    pub(super) fn outermost(&self) -> &Way {
        &self.outermost
    }

    pub(super) fn node(&self, number: usize) -> &Node {
        &self.nodes[number]
    }

    /// The game.
    pub fn game(&self) -> &Game {
        self.player.game()
    }

    /// The cells: the P-positions are the sums of generators of one cell.
    pub fn cells(&self) -> Vec<Vec<StackSet>> {
        self.player.cells()
    }

    /// The P-positions as a formula.
    pub fn formula(&self) -> String {
        self.player.formula().unwrap_or_default()
    }

    /// The P-positions in linear equations and inequalities, if there are not too many stacks and cells. Whether
    /// the formula describes the cells is for the checker to say.
    pub fn readable(&self, watch: &dyn Watch) -> Result<Option<Formula>, Stop> {
        let proof = self.player.proof();
        let names = |names: &Vec<u32>| names.iter().map(|&name| name as usize).collect();
        let symmetries: Vec<Vec<usize>> = proof.symmetries.iter().map(names).collect();
        let (stacks, cells) = (self.game().stacks(), self.player.own_cells());
        facets::formula(stacks, cells, &symmetries, watch)
    }

    /// Who answers by the decision trees of the proof.
    pub fn player(&self) -> &Player {
        &self.player
    }

    /// Linear equations that hold at every P-position, independent of each other: `a+b = d+e`. There may
    /// be none, and they need not be enough.
    pub fn equations(&self) -> Vec<String> {
        let generators: Vec<u32> = self.player.own_cells().concat();
        let equations = equations::equations(self.game().stacks(), &generators);
        equations.iter().map(|equation| equations::display(equation)).collect()
    }

    /// The games within each other, smaller ones first, each with its vectors and what is left
    /// when they have been subtracted. The last one is the game itself with all reductions
    /// applied.
    pub fn sheets(&self) -> Vec<Sheet> {
        self.nodes.iter().map(Sheet::of).collect()
    }

    /// How large it is.
    pub fn statistics(&self) -> Statistics {
        Statistics {
            games: self.nodes.len(),
            cells: self.player.own_cells().len(),
            all_cells: self.nodes.iter().map(|node| node.cells.len()).sum(),
            weights: self.player.proof().weights.len(),
        }
    }

    /// Who wins from a position, however tall, and how: see [`Player::answer`].
    ///
    /// # Panics
    /// If there are not as many heights as stacks.
    pub fn answer(&self, heights: &[Height]) -> Option<Answer> {
        self.player.answer(heights)
    }

    /// A winning move; `None` from a P-position.
    ///
    /// # Panics
    /// If there are not as many heights as stacks.
    pub fn winning_move(&self, heights: &[Height]) -> Option<Take> {
        self.answer(heights)?.take
    }

    /// The proof, for the checker.
    pub fn certificate(&self) -> Certificate {
        let proof = self.player.proof().clone();
        Certificate::new(self.game().clone(), Proof::Matryoshka(proof))
    }
}
