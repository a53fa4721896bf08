//! Games within games, solved: who wins, how, and the proof.

use super::cells::{Cell, Cells, lifted};
use super::cover::Covered;
use super::equations;
use super::sheet::Sheet;
use nimatron_game::symmetry::Relabelling;
use nimatron_game::{Game, Height, Outcome, SetFamily, StackSet, Take};
use nimatron_verify::matryoshka::{Child, MatryoshkaProof, Nested, Vectors, Weight};
use nimatron_verify::{Certificate, Proof, matryoshka};

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
    game: Game,
    nodes: Vec<Node>,
    outermost: Way,
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
    /// The number of weights of all games together.
    pub weights: usize,
}

impl Solution {
    pub(super) fn new(game: Game, nodes: Vec<Node>, outermost: Way) -> Self {
        Solution { game, nodes, outermost }
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The cells: the P-positions are the sums of generators of one cell.
    pub fn cells(&self) -> Vec<Vec<StackSet>> {
        let stacks = |cell: Cell| cell.into_iter().map(StackSet::from_bits).collect();
        self.lifted_cells().into_iter().map(stacks).collect()
    }

    fn lifted_cells(&self) -> Vec<Cell> {
        let Way { classes, names, game, .. } = &self.outermost;
        let lift = |cell: &Cell| {
            let mut lifted: Cell =
                cell.iter().flat_map(|&generator| lifted(generator, classes, names)).collect();
            lifted.sort_unstable();
            lifted
        };
        self.nodes[*game].cells.list().iter().map(lift).collect()
    }

    /// The P-positions as a formula.
    pub fn formula(&self) -> String {
        matryoshka::formula(&self.game, &self.lifted_cells())
    }

    /// Linear equations that hold at every P-position, independent of each other: `a+b = d+e`. There may
    /// be none, and they need not be enough.
    pub fn equations(&self) -> Vec<String> {
        let generators: Vec<u32> = self.lifted_cells().concat();
        let equations = equations::equations(self.game.stacks(), &generators);
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
        let weights = |node: &Node| match &node.reason {
            Reason::Vectors { weights, .. } => weights.len(),
            _ => 0,
        };
        Statistics {
            games: self.nodes.len(),
            cells: self.nodes[self.outermost.game].cells.len(),
            all_cells: self.nodes.iter().map(|node| node.cells.len()).sum(),
            weights: self.nodes.iter().map(weights).sum(),
        }
    }

    /// Who wins from a position, however tall.
    ///
    /// # Panics
    /// If there are not as many heights as stacks.
    pub fn outcome(&self, heights: &[Height]) -> Outcome {
        match self.winning_move(heights) {
            Some(_) => Outcome::N,
            None => Outcome::P,
        }
    }

    /// A winning move, or `None` from a P-position: the vectors are subtracted, the smaller game is
    /// won, and the same tokens are taken here.
    ///
    /// # Panics
    /// If there are not as many heights as stacks.
    pub fn winning_move(&self, heights: &[Height]) -> Option<Take> {
        assert_eq!(heights.len(), self.game.stacks(), "heights must match the stacks");
        let heights: Vec<u128> = heights.iter().map(|&height| height.into()).collect();
        let take = self.win_through(&self.outermost, &heights)?;
        // Nothing is taken that is not there, so 64 bits hold it.
        Some(Take::new(take.into_iter().map(|amount| amount as Height).collect()))
    }

    /// What to take from the stacks of a game of the list.
    fn win(&self, game: usize, heights: &[u128]) -> Option<Vec<u128>> {
        match &self.nodes[game].reason {
            Reason::Empty => None,
            Reason::Pair => {
                let least = heights[0].min(heights[1]);
                let take: Vec<u128> = heights.iter().map(|height| height - least).collect();
                (heights[0] != heights[1]).then_some(take)
            }
            Reason::Vectors { forced: Some(covered), .. } if !heights.contains(&0) => {
                Some(covered.take(&self.nodes[game].cells, heights))
            }
            Reason::Vectors { vectors, ways, .. } => {
                let mut left = heights.to_vec();
                for vector in vectors {
                    let times = vector.iter().map(|stack| left[stack]).min().unwrap_or(0);
                    vector.iter().for_each(|stack| left[stack] -= times);
                }
                let empty: StackSet = (0..left.len()).filter(|&stack| left[stack] == 0).collect();
                let way = ways.iter().find(|way| way.emptied.is_subset(empty));
                self.win_through(way.expect("the empty stacks meet every vector"), &left)
            }
        }
    }

    /// What to take from a position in which the stacks of the way are empty.
    fn win_through(&self, way: &Way, heights: &[u128]) -> Option<Vec<u128>> {
        let mut smaller = vec![0; way.classes.len()];
        for (class, &name) in way.classes.iter().zip(&way.names) {
            smaller[name] = class.iter().map(|stack| heights[stack]).sum();
        }
        let won = self.win(way.game, &smaller);
        let more = way.everywhere.iter().any(|stack| heights[stack] > 0);
        if won.is_none() && !more {
            return None;
        }
        let mut take = vec![0; heights.len()];
        way.everywhere.iter().for_each(|stack| take[stack] = heights[stack]);
        for (class, &name) in way.classes.iter().zip(&way.names) {
            let mut amount = won.as_ref().map_or(0, |won| won[name]);
            let mut stacks: Vec<usize> = class.iter().collect();
            stacks.sort_by_key(|&stack| heights[stack]);
            for stack in stacks {
                take[stack] = amount.min(heights[stack]);
                amount -= take[stack];
            }
        }
        Some(take)
    }

    /// The proof, for the checker.
    pub fn certificate(&self) -> Certificate {
        let games = self.nodes.iter().map(nested).collect();
        let proof = MatryoshkaProof { games, outermost: child(&self.outermost) };
        Certificate::new(self.game.clone(), Proof::Matryoshka(proof))
    }
}

fn nested(node: &Node) -> Nested {
    let reason = match &node.reason {
        Reason::Empty => matryoshka::Reason::Empty,
        Reason::Pair => matryoshka::Reason::Pair,
        Reason::Vectors { vectors, forced, ways, symmetries, weights } => {
            let images = |g: &Relabelling| g.images().map(|stack| stack as u32).collect();
            matryoshka::Reason::Vectors(Vectors {
                vectors: vectors.iter().map(|vector| vector.bits()).collect(),
                forced: forced.iter().map(Covered::certificate).collect(),
                children: ways.iter().map(child).collect(),
                symmetries: symmetries.iter().map(images).collect(),
                weights: weights.clone(),
            })
        }
    };
    Nested {
        stacks: node.sets.stacks() as u32,
        facets: node.sets.iter().map(StackSet::bits).collect(),
        cells: node.cells.list().to_vec(),
        reason,
    }
}

fn child(way: &Way) -> Child {
    Child {
        emptied: way.emptied.bits(),
        game: way.game as u32,
        names: way.names.iter().map(|&name| name as u32).collect(),
    }
}
