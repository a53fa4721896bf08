//! Certificates.

use crate::answer::Answer;
use crate::failure::Failure;
use crate::work::{Bounds, run};
use nimatron::crates::verify::Budget;
use nimatron::proofs::read_certificate_within;
use nimatron::render::{self, Palette};
use nimatron_service::Found;
use nimatron_service::asks::verify::{Text, Verified, Verify};
use pyo3::prelude::*;
use std::num::NonZeroU32;

/// What the checker says about the bytes of a certificate.
pub(crate) fn examine(
    text: &[u8],
    name: &str,
    game: Option<String>,
    formula: Option<String>,
    budget: u32,
) -> Result<Verified, Failure> {
    let asked = Verify {
        certificate: Text::Text(String::new()),
        game,
        formula,
        compare: None,
        budget: NonZeroU32::new(budget),
        time: None,
        memory: None,
    };
    Ok(asked.examine(text, name)?)
}

/// Has a certificate checked.
#[pyfunction]
#[pyo3(signature = (text, name, game=None, formula=None, budget=1))]
pub(crate) fn verify(
    py: Python<'_>,
    text: Vec<u8>,
    name: String,
    game: Option<String>,
    formula: Option<String>,
    budget: u32,
) -> PyResult<Answer> {
    run(py, &Bounds::default(), move |_| {
        let examined = examine(&text, &name, game, formula, budget)?;
        let told = move |verified: &Verified, palette: &Palette| {
            render::examination(&verified.examination, &name, palette)
        };
        Ok(Answer::new(examined, Found::json, told))
    })
}

/// The game that a certificate says it is about; nothing is checked.
#[pyfunction]
pub(crate) fn certificate_game(py: Python<'_>, text: Vec<u8>) -> PyResult<Option<String>> {
    run(py, &Bounds::default(), move |_| {
        let certificate = read_certificate_within(&text[..], Budget::default()).ok();
        Ok(certificate.map(|certificate| certificate.game.to_string()))
    })
}
