//! The games of the atlas, and surveys that make one.

use crate::answer::Answer;
use crate::failure::Failure;
use crate::game::read_game;
use crate::work::{Bounds, run};
use nimatron::atlas::{Atlas, Entry, Survey};
use nimatron::crates::game::symmetry::MAX_LISTED;
use nimatron::render::{self, AtlasAnswer, Palette, json};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// The games on so many stacks, in the order and under the names of the atlas.
#[pyfunction]
pub(crate) fn systems(py: Python<'_>, stacks: usize) -> PyResult<Vec<String>> {
    if !(1..=MAX_LISTED).contains(&stacks) {
        let message =
            format!("the games on 1 to {MAX_LISTED} stacks can be listed, not on {stacks}");
        return Err(Failure::input("stacks", message).raise(py));
    }
    Ok(Atlas::shipped().systems(stacks).map(|entry| entry.game.to_string()).collect())
}

/// What a survey of one game found.
#[pyclass(frozen, module = "nimatron._nimatron", name = "Survey")]
pub(crate) struct NativeSurvey(Survey);

#[pymethods]
impl NativeSurvey {
    /// Surveys a game: theorems, and a search for a proof.
    #[staticmethod]
    fn of(py: Python<'_>, game: String, bounds: Bounds) -> PyResult<Self> {
        run(py, &bounds, move |job| {
            let game = read_game(&game)?;
            let survey = Survey::of(&game, &job.limits);
            let message = "sums are not in the atlas";
            survey.map(NativeSurvey).ok_or_else(|| Failure::input("sum", message))
        })
    }

    /// The entry of the atlas, in JSON.
    fn entry(&self) -> String {
        json::to_string(&self.0.entry)
    }

    /// The certificate, if a proof was found.
    fn certificate<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.0.certificate.as_ref().map(|text| PyBytes::new(py, text))
    }
}

/// What many surveys amount to: an atlas of their own, each as its entry and its certificate.
#[pyfunction]
pub(crate) fn assembled(
    py: Python<'_>,
    surveys: Vec<(String, Option<Vec<u8>>)>,
    title: String,
) -> PyResult<Answer> {
    run(py, &Bounds::default(), move |_| {
        let survey = |(entry, certificate): (String, Option<Vec<u8>>)| {
            let entry: Entry =
                serde_json::from_str(&entry).map_err(|error| Failure::input("survey", error))?;
            let mut survey = Survey::again(entry);
            survey.certificate = certificate;
            Ok(survey)
        };
        let surveys = surveys.into_iter().map(survey).collect::<Result<Vec<_>, Failure>>()?;
        let (lines, certificates) =
            Atlas::assemble(surveys).map_err(|error| Failure::input("survey", error))?;
        let atlas =
            Atlas::read(&lines, certificates).map_err(|error| Failure::input("survey", error))?;
        let json = |(atlas, _): &(Atlas, String)| {
            let entries: Vec<&Entry> = atlas.entries().iter().collect();
            json::to_string(&AtlasAnswer::new(atlas, &entries, None, None, None))
        };
        let text = |(atlas, title): &(Atlas, String), palette: &Palette| {
            let entries: Vec<&Entry> = atlas.entries().iter().collect();
            render::atlas_list(atlas, title, &entries, palette)
        };
        Ok(Answer::new((atlas, title), json, text))
    })
}
