//! Game graphs: all positions that can be reached, with their outcomes.

use nimatron_game::{Game, Height, Outcome, Position, Rule, Take, slow};
use nimatron_reduce::Chop;
use nimatron_theory::slow::playable::PlayableMove;
use std::collections::HashMap;

/// The positions reachable from one, and the moves between them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GameGraph {
    /// The game.
    pub game: Game,
    /// The position asked about, with all its tokens.
    pub start: Position,
    /// Whether unplayable tokens are taken off after every move.
    pub kind: GraphKind,
    /// The positions, the start first; every move leads further down the list.
    pub nodes: Vec<Node>,
    /// The moves, in the order of where they start.
    pub edges: Vec<Edge>,
}

/// Which graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphKind {
    /// The positions as they are.
    Full,
    /// The playable game graph: positions are reduced, and so is what a move leaves (Slow26
    /// Definition 3). In games without unplayable tokens it is the full one.
    Playable,
}

/// A position of the graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The heights.
    pub position: Position,
    /// The tokens that no play can remove; all 0 in a playable graph.
    pub unplayable: Vec<Height>,
    /// Who wins.
    pub outcome: Outcome,
    /// How many moves it takes to get here at the latest, so that every move leads deeper.
    pub depth: usize,
}

/// A move of the graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Where it starts: an index of a node.
    pub from: usize,
    /// Where it leads.
    pub to: usize,
    /// What is taken.
    pub take: Take,
    /// Whether tokens become unplayable by it.
    pub adjusted: bool,
}

/// A graph that cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GraphError {
    /// There are too many positions.
    #[error("more than {limit} positions can be reached")]
    TooManyPositions {
        /// The limit.
        limit: usize,
    },
    /// There are too many moves.
    #[error("the positions reached have more than {limit} moves")]
    TooManyMoves {
        /// The limit.
        limit: usize,
    },
    /// The position does not fit the game.
    #[error("the game has {stacks} stacks, but the position has {heights} heights")]
    Stacks {
        /// Stacks of the game.
        stacks: usize,
        /// Heights of the position.
        heights: usize,
    },
}

/// Moves allowed per position allowed.
const MOVES_PER_POSITION: usize = 40;

impl GameGraph {
    /// The graph of all positions reachable from `start`, if there are at most `limit`.
    ///
    /// ```
    /// use nimatron::graph::{GameGraph, GraphKind};
    /// let (game, start) = ("Slow(4,{3})".parse().unwrap(), "1,2,5,6".parse().unwrap());
    /// let graph = GameGraph::of(&game, &start, GraphKind::Playable, 100).unwrap();
    /// assert_eq!(graph.nodes[0].position.to_string(), "(1,2,3,3)");
    /// ```
    pub fn of(
        game: &Game,
        start: &Position,
        kind: GraphKind,
        limit: usize,
    ) -> Result<Self, GraphError> {
        if game.stacks() != start.len() {
            return Err(GraphError::Stacks { stacks: game.stacks(), heights: start.len() });
        }
        let least = game.single().and_then(Chop::least_move);
        let mut first = start.to_vec();
        if let (GraphKind::Playable, Some(least)) = (kind, least) {
            slow::reduce_heights(least, &mut first);
        }
        let (reached, edges) = explore(game, first, kind, least, limit)?;
        Ok(assemble(game, start, kind, least, reached, edges))
    }
}

type Reached = Vec<Vec<Height>>;

/// Breadth first: the positions and the moves between them.
fn explore(
    game: &Game,
    first: Vec<Height>,
    kind: GraphKind,
    least: Option<usize>,
    limit: usize,
) -> Result<(Reached, Vec<Edge>), GraphError> {
    let most_moves = limit.saturating_mul(MOVES_PER_POSITION);
    let mut index: HashMap<Vec<Height>, usize> = HashMap::from([(first.clone(), 0)]);
    let mut reached = vec![first];
    let mut edges = Vec::new();
    let mut from = 0;
    while let Some(heights) = reached.get(from).cloned() {
        for take in game.moves(&heights) {
            let (to, adjusted) = match (kind, least) {
                (_, None) => (Rule::option(&heights, &take), false),
                (GraphKind::Playable, Some(least)) => {
                    let m = PlayableMove::new(least, &heights, take.clone());
                    let adjusted = m.is_adjusted();
                    (m.to, adjusted)
                }
                (GraphKind::Full, Some(least)) => {
                    let to = Rule::option(&heights, &take);
                    let lost = slow::unplayable(least, &to) != slow::unplayable(least, &heights);
                    (to, lost)
                }
            };
            let next = reached.len();
            let at = *index.entry(to.clone()).or_insert(next);
            if at == next {
                if next >= limit {
                    return Err(GraphError::TooManyPositions { limit });
                }
                reached.push(to);
            }
            if edges.len() >= most_moves {
                return Err(GraphError::TooManyMoves { limit: most_moves });
            }
            edges.push(Edge { from, to: at, take, adjusted });
        }
        from += 1;
    }
    Ok((reached, edges))
}

/// Puts the positions in order, by total, and finds their outcomes.
fn assemble(
    game: &Game,
    start: &Position,
    kind: GraphKind,
    least: Option<usize>,
    reached: Reached,
    mut edges: Vec<Edge>,
) -> GameGraph {
    let total = |heights: &[Height]| heights.iter().map(|&h| u128::from(h)).sum::<u128>();
    let mut order: Vec<usize> = (0..reached.len()).collect();
    order.sort_by_key(|&i| (std::cmp::Reverse(total(&reached[i])), &reached[i]));
    let mut place = vec![0; order.len()];
    order.iter().enumerate().for_each(|(at, &i)| place[i] = at);
    for edge in &mut edges {
        (edge.from, edge.to) = (place[edge.from], place[edge.to]);
    }
    edges.sort_by(|a, b| (a.from, &b.take).cmp(&(b.from, &a.take)));
    let mut depths = vec![0; order.len()];
    for edge in &edges {
        depths[edge.to] = depths[edge.to].max(depths[edge.from] + 1);
    }
    let mut outcomes = vec![Outcome::P; order.len()];
    let mut last = edges.len();
    for at in (0..order.len()).rev() {
        let first = edges[..last].partition_point(|e| e.from < at);
        let moves = &edges[first..last];
        outcomes[at] = match moves.iter().any(|e| outcomes[e.to] == Outcome::P) {
            true => Outcome::N,
            false if moves.is_empty() => game.convention().terminal(),
            false => Outcome::P,
        };
        last = first;
    }
    let node = |(at, &i): (usize, &usize)| {
        let heights = reached[i].clone();
        let unplayable = match least {
            Some(least) => slow::unplayable(least, &heights),
            None => vec![0; heights.len()],
        };
        let position = Position::new(heights).expect("heights below those of a position");
        Node { position, unplayable, outcome: outcomes[at], depth: depths[at] }
    };
    let nodes = order.iter().enumerate().map(node).collect();
    GameGraph { game: game.clone(), start: start.clone(), kind, nodes, edges }
}
