//! Proofs and certificates.

use crate::answer::Answer;
use crate::failure::Failure;
use crate::game::{NativeGame, read_formula, read_game};
use crate::work::{Bounds, run};
use nimatron::crates::verify::Budget;
use nimatron::proofs::{
    DiscoverMethod, Discovery, Examination, Expected, Judgement, ProveMethod, Proving, Search,
    discover_with, known_formula, prove, read_certificate_within,
};
use nimatron::render::{self, Palette, ProofAnswer, VerifyAnswer, Written, json};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// What the checker says about the bytes of a certificate.
pub(crate) fn examine(
    text: &[u8],
    game: Option<&str>,
    formula: Option<&str>,
    budget: u64,
) -> Result<Examination, Failure> {
    let budget = Budget::times(budget);
    let game = game.map(read_game).transpose()?;
    Ok(match read_certificate_within(text, budget) {
        Err(error) => Examination::unreadable(error),
        Ok(certificate) => {
            let about = game.as_ref().unwrap_or(&certificate.game);
            let formula = formula.map(|text| read_formula(text, about)).transpose()?;
            Examination::of(&certificate, &Expected { game, formula, budget })
        }
    })
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
    budget: u64,
) -> PyResult<Answer> {
    let bounds = Bounds::new(None, None, None).map_err(|failure| failure.raise(py))?;
    run(py, &bounds, move |_| {
        let examined = examine(&text, game.as_deref(), formula.as_deref(), budget)?;
        let json = |examined: &Examination| json::to_string(&VerifyAnswer::from(examined));
        let told = move |examined: &Examination, palette: &Palette| {
            render::examination(examined, &name, palette)
        };
        Ok(Answer::new(examined, json, told))
    })
}

/// The game that a certificate says it is about; nothing is checked.
#[pyfunction]
pub(crate) fn certificate_game(text: Vec<u8>) -> Option<String> {
    let certificate = read_certificate_within(&text[..], Budget::default()).ok()?;
    Some(certificate.game.to_string())
}

#[pymethods]
impl NativeGame {
    /// The formula of the theorem library, if it has one.
    fn known_formula(&self) -> Option<String> {
        known_formula(self.game()).map(|formula| formula.to_string())
    }

    /// The answer, and the certificate if there is one.
    #[pyo3(signature = (formula, method, time, memory, progress=None))]
    fn prove<'py>(
        &self,
        py: Python<'py>,
        formula: &str,
        method: &str,
        time: Option<f64>,
        memory: Option<u64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(Answer, Option<Bound<'py, PyBytes>>)> {
        let bounds = Bounds::new(time, memory, progress).map_err(|failure| failure.raise(py))?;
        let (answer, text) = run(py, &bounds, |job| {
            let method = match method {
                "auto" => ProveMethod::Auto,
                "regions" => ProveMethod::Regions,
                "automata" => ProveMethod::Automata,
                other => return Err(unknown(other, "auto, regions and automata")),
            };
            let formula = read_formula(formula, self.game())?;
            let found = prove(self.game(), &formula, method, &job.limits);
            let text = match &found.judgement {
                Judgement::Proved(found) => Some(found.proved.text()),
                _ => None,
            };
            let json = |found: &Proving| {
                json::to_string(&ProofAnswer::of_proving(found, &Written::default()))
            };
            let told = |found: &Proving, palette: &Palette| {
                render::proving(found, &Written::default(), palette)
            };
            Ok((Answer::new(found, json, told), text))
        })?;
        Ok((answer, text.map(|text| PyBytes::new(py, &text))))
    }

    /// The answer, and the certificate if there is one.
    #[pyo3(signature = (method, formula, time, memory, progress=None))]
    fn discover<'py>(
        &self,
        py: Python<'py>,
        method: &str,
        formula: bool,
        time: Option<f64>,
        memory: Option<u64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(Answer, Option<Bound<'py, PyBytes>>)> {
        let bounds = Bounds::new(time, memory, progress).map_err(|failure| failure.raise(py))?;
        let (answer, text) = run(py, &bounds, |job| {
            let method = match method {
                "auto" => DiscoverMethod::Auto,
                "matryoshka" => DiscoverMethod::Matryoshka,
                "automata" => DiscoverMethod::Automata,
                other => return Err(unknown(other, "auto, matryoshka and automata")),
            };
            let search = Search { method, formula, ..Search::default() };
            let found = discover_with(self.game(), &search, &job.limits);
            let text = found.found.as_ref().map(|found| found.proved.text());
            let json = |found: &Discovery| {
                json::to_string(&ProofAnswer::of_discovery(found, &Written::default()))
            };
            let told = |found: &Discovery, palette: &Palette| {
                render::discovery(found, &Written::default(), palette)
            };
            Ok((Answer::new(found, json, told), text))
        })?;
        Ok((answer, text.map(|text| PyBytes::new(py, &text))))
    }
}

fn unknown(method: &str, known: &str) -> Failure {
    Failure::input("method", format!("there is no method {method:?}: known are {known}"))
}
