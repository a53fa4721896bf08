//! Figures of Nim games.
//!
//! A figure is data first: a [`Drawing`] holds circles, paths and texts with their places, and names for
//! colours instead of colours. Pens ([`pens`]) write it as SVG, as TikZ, as JSON for front ends that draw by
//! themselves. Layouts are deterministic: the same game gives the same bytes.
//!
//! * [`Layout`]: where the stacks of a game stand: on a circle, on a path, in a matrix, ...
//! * [`board`]: a game, a position, a move.
//! * [`measure`]: how much room text needs. Nothing may lie on a label.
//!
//! ```
//! use nimatron_draw::{BoardOptions, Theme, board, pens};
//! let game = "CN(7,3)".parse().unwrap();
//! let drawing = board::position(&game, &[3, 5, 4, 2, 1, 6, 3], &BoardOptions::default()).unwrap();
//! assert!(pens::svg(&drawing, Theme::Auto).starts_with("<svg"));
//! assert!(pens::tikz(&drawing, pens::Frame::Input).contains("\\begin{tikzpicture}"));
//! ```
//!
//! Layered graphs ([`layered`]) and the order of stacks on a circle are laid out by own code: what there is in
//! public crates gives labels no room of their own, and its output changes from version to version.
//!
//! This crate decides nothing about a game, reads no clock, starts no thread and opens no file.
#![forbid(unsafe_code)]

pub mod board;
pub mod charts;
pub mod constellation;
pub mod document;
mod drawing;
pub mod family;
mod graph_board;
pub mod layered;
mod layout;
pub mod measure;
mod order;
pub mod pens;
pub mod score;
pub mod structure;
mod theme;

pub use board::{BoardOptions, Heights};
pub use drawing::{
    Anchor, Canvas, Dash, Drawing, Face, Ink, Item, Point, Role, Run, Segment, Shape, Stroke,
};
pub use layout::{DrawError, Layout, MOST_STACKS, Place, Plan, SetMark};
pub use theme::{Colour, Theme};
