//! The P-positions as sums of 0/1 vectors, found by games within games.
//!
//! Suppose that 0/1 vectors may be added to and subtracted from positions without changing the
//! outcome (*invariant vectors*, KDH26 section 3). Reduce a position by them until none fits any more:
//! then the stacks of some set that meets all vectors are empty, and what is left is a position of a
//! smaller game. If all these smaller games are solved in the same way, so is the game: its
//! P-positions are the sums of P-positions of the smaller games and vectors. Like a matryoshka, the
//! games sit within each other, down to the game without stacks and two single stacks.
//!
//! [`discover`] guesses the vectors from the P-positions of a small box and solves the smaller
//! games. That every other position has a move into the set found is then clear by construction;
//! that no move leads from the set to itself is shown by weights of the stacks, found by
//! linear programming. See [`nimatron_verify::matryoshka`] for the argument. The guess need not be
//! right: a wrong one fails for lack of weights.
//!
//! Where there are no such vectors but every P-position seems to have an empty stack, the games with
//! one stack emptied take the part of the smaller games, if some move leads from every position
//! without empty stacks into the set found.
//!
//! Sets found in this way are closed under multiples. So a P-position of which some multiple is an
//! N-position shows that a game cannot be solved like this ([`Discovery::Obstructed`]).
//!
//! ```
//! use nimatron_game::{Game, Unlimited};
//! use nimatron_prove::matryoshka::{Discovery, discover};
//!
//! let game: Game = "CN(6,3)".parse().unwrap();
//! let Discovery::Found(solution) = discover(&game, &Unlimited).unwrap() else { panic!() };
//! assert_eq!(solution.formula(), "span(ad, be, ace, cf, bdf)");
//! assert_eq!(solution.equations().len(), 2);
//! assert!(nimatron_verify::verify(&solution.certificate()).is_ok());
//! let take = solution.winning_move(&[10, 9, 5, 8, 4, 3]).unwrap();
//! assert!(game.is_legal(&[10, 9, 5, 8, 4, 3], &take));
//! ```

mod cells;
mod cones;
mod cover;
mod data;
mod equations;
mod facets;
mod older;
mod play;
mod rays;
mod rule;
mod sheet;
mod solution;
mod solve;
mod trees;
mod weights;
mod within;

pub use older::converted;
pub use play::{Answer, Player, Step};
pub use sheet::{Emptied, Sheet};
pub use solution::{Solution, Statistics};
pub use solve::{Discovery, MAX_POSITIONS, NotFound, Unsupported, discover};
