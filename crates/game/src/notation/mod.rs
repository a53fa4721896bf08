//! Writing games and positions down, and reading them back.
//!
//! | thing | read and written in | example |
//! | --- | --- | --- |
//! | [`Game`](crate::Game) | `game.rs`, `family.rs`, `sets.rs` | `misere CN(5,2) + Nim(1)` |
//! | [`Variant`](crate::Variant) | `variant.rs` | `any>=2 total=3..5` |
//! | [`Position`](crate::Position), [`Take`](crate::Take) | `position.rs` | `(3,5,9)` |
//!
//! Everything is read with `FromStr` and written with `Display`; what is written is read back
//! as the same value. White space is free between the parts, names may be in capitals or small
//! letters. The header of each file lists what is tolerated and what is written, and the files
//! in `corpus/notation` show every form and every error.
//!
//! A [`ParseError`] points at the place, says what is wrong there, and where possible offers a
//! hint: a valid text that is close to what was given. Hints are themselves read before they are
//! offered.
//!
//! ```
//! use nimatron_game::{Game, notation::parse_position};
//! let game: Game = " cn(8, 3) each>=1 ".parse().unwrap();
//! assert_eq!(game.to_string(), "CN(8,3) each>=1");
//!
//! let error = "CN(3,7)".parse::<Game>().unwrap_err();
//! assert_eq!(error.kind().as_str(), "set-size");
//! assert_eq!((error.span(), error.column()), (5..6, 6));
//! assert_eq!(error.to_string(), "the size of a move set must be from 1 to 3, not 7");
//! assert_eq!(error.hint(), Some("CN(7,3)"));
//!
//! let error = parse_position("1,2,3,4,5,6,7", &game).unwrap_err();
//! assert_eq!(error.to_string(), "CN(8,3) each>=1 has 8 stacks, but 7 heights are given");
//! ```

mod cursor;
mod display;
mod error;
mod family;
mod game;
mod names;
mod position;
mod sets;
mod variant;

pub use error::{ParseError, ParseErrorKind};
pub use position::{parse_position, parse_take};

/// The longest text that is read, in bytes. Every game that can be built is written shorter.
pub const MAX_LENGTH: usize = 1 << 19;
