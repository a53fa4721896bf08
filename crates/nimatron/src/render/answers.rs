//! `Display` and `Serialize` for answers: the plain text of the terminal, and the documented JSON.

use super::palette::Palette;
#[cfg(feature = "prove")]
use super::proof::Written;
use crate::check::Check;
use crate::graph::GameGraph;
use crate::grid::Grid;
#[cfg(feature = "prove")]
use crate::investigate::Investigation;
use crate::moves::Moves;
#[cfg(feature = "prove")]
use crate::proofs::{Comparison, Discovery, PeelingCheck, Proving, Sameness};
use crate::replies::After;
use crate::structure::{CheatSheet, Circuits, GameInfo, Invariants};
use crate::verdict::Verdict;
use std::fmt;

/// Each as its function in [`crate::render`] shows it without styles, and without the last line end.
macro_rules! displayed {
    ($($answer:ty => $text:expr;)*) => {$(
        impl fmt::Display for $answer {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let text: fn(&$answer, &Palette) -> String = $text;
                f.write_str(text(self, &Palette::PLAIN).trim_end())
            }
        }
    )*};
}

displayed! {
    Verdict => super::verdict;
    Moves => super::moves;
    After => super::after;
    CheatSheet => |sheet, palette| super::cheatsheet(std::slice::from_ref(sheet), palette);
    Check => super::check;
    GameInfo => super::game;
    Circuits => super::circuits;
    Invariants => super::invariants;
    Grid => super::grid;
    GameGraph => super::graph;
}

#[cfg(feature = "prove")]
displayed! {
    Proving => |proving, palette| super::proving(proving, &Written::default(), palette);
    Discovery => |discovery, palette| super::discovery(discovery, &Written::default(), palette);
    Comparison => super::comparison;
    Investigation => |found, palette| super::investigation(found, &Written::default(), palette);
    PeelingCheck => super::peeling;
    Sameness => super::sameness;
}

/// Each as `--json` prints it.
#[cfg(feature = "serde")]
mod json {
    use super::*;
    #[cfg(feature = "prove")]
    use crate::proofs::Examination;
    use crate::render::json::{AfterAnswer, GameAnswer, Solve};
    use crate::render::{CheckAnswer, CircuitsAnswer, InvariantsAnswer, MovesAnswer, graph, grid};
    #[cfg(feature = "prove")]
    use crate::render::{PeelingAnswer, ProofAnswer, SamenessAnswer, VerifyAnswer};
    use serde::{Serialize, Serializer};

    macro_rules! serialised {
        ($($answer:ty => $data:expr;)*) => {$(
            impl Serialize for $answer {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    let data = $data;
                    data(self).serialize(serializer)
                }
            }
        )*};
    }

    serialised! {
        Verdict => |v: &Verdict| Solve::from(v);
        Moves => |m: &Moves| MovesAnswer::from(m);
        After => |a: &After| AfterAnswer::from(a);
        Check => |c: &Check| CheckAnswer::from(c);
        GameInfo => |info: &GameInfo| GameAnswer::from(info);
        Circuits => |c: &Circuits| CircuitsAnswer::from(c);
        Invariants => |i: &Invariants| InvariantsAnswer::new(&i.game, i);
        Grid => grid::answer;
        GameGraph => graph::answer;
    }

    #[cfg(feature = "prove")]
    serialised! {
        Proving => |p: &Proving| ProofAnswer::of_proving(p, &Written::default());
        Discovery => |d: &Discovery| ProofAnswer::of_discovery(d, &Written::default());
        Examination => |e: &Examination| VerifyAnswer::from(e);
        Investigation => |i: &Investigation| Solve::investigated(i, &Written::default());
        PeelingCheck => |c: &PeelingCheck| PeelingAnswer::from(c);
        Sameness => |s: &Sameness| SamenessAnswer::from(s);
    }
}
