//! The part of the Python package `nimatron` that is written in Rust: a skin over the crate of the same
//! name and its protocol (`nimatron-service`). Questions go in as text and numbers, answers come out as the
//! documented JSON, as text and as NumPy arrays; the Python part gives them their shape. There is no game logic
//! here.

mod answer;
mod ask;
mod failure;
mod game;
mod known;
mod many;
mod paper;
mod proof;
mod table;
mod work;

use pyo3::prelude::*;

/// What is computed: see the package `nimatron`, which makes classes and functions of it.
#[pymodule]
mod _nimatron {
    #[pymodule_export]
    use crate::answer::Answer;
    #[pymodule_export]
    use crate::ask::{NativeFigure, ask, draw_figure};
    #[pymodule_export]
    use crate::game::NativeGame;
    #[pymodule_export]
    use crate::known::{NativeSurvey, assembled, systems};
    #[pymodule_export]
    use crate::paper::NativeArticle;
    #[pymodule_export]
    use crate::proof::{certificate_game, verify};

    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
