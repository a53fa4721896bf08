//! Figures: answers as drawings, for papers and for screens.
//!
//! Layouts and pens are those of the crate `draw`; here, answers are turned into what it draws. Nothing is
//! decided: a figure shows what was known before.
//!
//! ```
//! use nimatron::figures::{self, BoardOptions, Theme, pens};
//! let game = "CN(5,3)".parse().unwrap();
//! let drawing = figures::position(&game, &[0, 3, 1, 2, 3], &BoardOptions::default()).unwrap();
//! let svg = pens::svg(&drawing, Theme::Print);
//! assert!(svg.contains("<title>CN(5,3) at (0,3,1,2,3)</title>"));
//! ```

#[cfg(feature = "prove")]
mod automaton;
mod boxes;
mod error;
mod known;
#[cfg(feature = "png")]
mod png;
mod process;
mod slow;
mod structure;

#[cfg(feature = "prove")]
pub use automaton::automaton;
#[cfg(feature = "prove")]
pub(crate) use automaton::{digit, kinds};
pub use boxes::{SliceValues, growth, slice};
pub use error::FigureError;
#[cfg(feature = "atlas")]
pub use known::frontier;
pub use known::{circuits, subgames};
pub use nimatron_draw::board::{game, position, step};
pub use nimatron_draw::{BoardOptions, DrawError, Drawing, Heights, Layout, Theme, pens};
#[cfg(feature = "png")]
pub use png::{PngError, png};
pub use process::process;
pub use slow::{graph, grid};
pub use structure::{cells, formula_of, structure};
