//! What is known about small games, the theorem library, and surveys that make an atlas.

use crate::answer::Answer;
use crate::failure::Failure;
use crate::game::{NativeGame, read_game};
use crate::work::{Bounds, run};
use nimatron::atlas::{Atlas, Entry, Status, Survey};
use nimatron::crates::game::symmetry::MAX_LISTED;
use nimatron::crates::theory::{Theorem, library, recognise};
use nimatron::render::{
    self, AtlasAnswer, Entry as TheoremEntry, Palette, TheoremsAnswer, circular_entries, json,
};
use nimatron::structure::Solved;
use nimatron::{Game, Knowledge};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

fn is_open(atlas: &Atlas, entry: &Entry) -> bool {
    matches!(atlas.status(entry), Status::Open)
}

/// Which games of an atlas are told about.
#[derive(Clone, Debug)]
struct Chosen {
    title: Option<String>,
    entries: Vec<usize>,
    asked: Option<Game>,
    circular: bool,
}

/// Some of the atlas that comes with the program.
#[pyfunction]
#[pyo3(signature = (stacks=None, circular=false, slow=false, open=false, game=None))]
pub(crate) fn atlas(
    py: Python<'_>,
    stacks: Option<usize>,
    circular: bool,
    slow: bool,
    open: bool,
    game: Option<&str>,
) -> PyResult<Answer> {
    let bounds = Bounds::new(None, None, None).map_err(|failure| failure.raise(py))?;
    run(py, &bounds, |_| {
        let atlas = Atlas::shipped();
        if let Some(n) = stacks.filter(|n| !(1..=MAX_LISTED).contains(n)) {
            let message = format!("the atlas lists the games on 1 to {MAX_LISTED} stacks, not {n}");
            return Err(Failure::input("stacks", message));
        }
        let asked = game.map(read_game).transpose()?;
        let mut entries: Vec<&Entry> = match (&asked, stacks) {
            (Some(game), _) => {
                let entry = game.single().and_then(|rule| atlas.find(rule, game.convention()));
                let message = format!("{game} is not in the atlas");
                vec![entry.ok_or_else(|| Failure::input("not-in-atlas", message))?]
            }
            (None, Some(n)) => atlas.systems(n).collect(),
            (None, None) if circular => circular_entries(atlas),
            (None, None) if slow => atlas.entries().iter().filter(|e| e.is_slow()).collect(),
            (None, None) => atlas.entries().iter().collect(),
        };
        entries.retain(|entry| !open || is_open(atlas, entry));
        let title = match stacks {
            Some(n) => Some(format!("Set systems on {n} stacks")),
            None if slow => Some("Slow games".to_string()),
            None if open => Some("Open games".to_string()),
            None => None,
        };
        let place = |wanted: &&Entry| atlas.entries().iter().position(|e| std::ptr::eq(e, *wanted));
        let entries = entries.iter().filter_map(place).collect();
        let chosen = Chosen { title, entries, asked, circular: circular && !open };
        Ok(Answer::new(chosen, |c| told_json(atlas, c), |c, palette| told_text(atlas, c, palette)))
    })
}

fn told_json(atlas: &Atlas, chosen: &Chosen) -> String {
    let entries: Vec<&Entry> =
        chosen.entries.iter().map(|&place| &atlas.entries()[place]).collect();
    json::to_string(&AtlasAnswer::new(atlas, &entries, None, None, chosen.asked.as_ref()))
}

fn told_text(atlas: &Atlas, chosen: &Chosen, palette: &Palette) -> String {
    let entries: Vec<&Entry> =
        chosen.entries.iter().map(|&place| &atlas.entries()[place]).collect();
    match (&chosen.asked, &chosen.title, &entries[..]) {
        (Some(asked), _, [entry]) => render::atlas_entry(atlas, entry, asked, palette),
        (_, Some(title), _) => render::atlas_list(atlas, title, &entries, palette),
        _ if chosen.circular => render::atlas_circular(atlas, palette),
        _ => render::atlas(atlas, palette),
    }
}

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

/// All games of the atlas.
#[pyfunction]
pub(crate) fn atlas_games() -> Vec<String> {
    Atlas::shipped().entries().iter().map(|entry| entry.game.to_string()).collect()
}

/// A theorem, with what it says about a game if one was asked about.
type Told = (&'static dyn Theorem, Option<String>);

/// The theorems about a game: one about the game itself, or else those about what it is made of.
fn about(game: &Game, knowledge: &Knowledge) -> Vec<Told> {
    let named = game.single().and_then(|rule| recognise(rule, game.convention()));
    if let Some(found) = named {
        return vec![(found.theorem, found.solution().formula())];
    }
    match knowledge.solved(game) {
        Some(Solved::Theorem(found)) => vec![(found.theorem, found.solution().formula())],
        Some(Solved::Values(all)) => {
            let mut told: Vec<Told> = all.iter().map(|found| (found.theorem, None)).collect();
            told.dedup_by_key(|(theorem, _)| theorem.id().to_string());
            told
        }
        _ => Vec::new(),
    }
}

/// The theorem library, or the theorem about a game.
#[pyfunction]
#[pyo3(signature = (game=None, name=None))]
pub(crate) fn theorems(
    py: Python<'_>,
    game: Option<&NativeGame>,
    name: Option<&str>,
) -> PyResult<Answer> {
    type Chosen = (Option<Game>, Vec<Told>);
    let chosen: Result<Chosen, Failure> = match (game, name) {
        (Some(native), _) => {
            let game = native.game().clone();
            let found = about(&game, native.prepared.knowledge());
            Ok((Some(game), found))
        }
        (None, Some(name)) => {
            let found = library::theorems().iter().find(|theorem| theorem.id() == name);
            match found {
                Some(theorem) => Ok((None, vec![(*theorem, None)])),
                None => {
                    let known: Vec<&str> = library::theorems().iter().map(|t| t.id()).collect();
                    let message =
                        format!("there is no theorem {name:?}: known are {}", known.join(", "));
                    Err(Failure::input("unknown-name", message))
                }
            }
        }
        (None, None) => Ok((None, library::theorems().iter().map(|t| (*t, None)).collect())),
    };
    let chosen = chosen.map_err(|failure| failure.raise(py))?;
    let entries = |chosen: &Chosen| -> Vec<TheoremEntry<'static>> {
        let entry = |(theorem, formula): &Told| {
            let mut entry = TheoremEntry::new(*theorem, None);
            entry.formula = formula.clone();
            entry
        };
        chosen.1.iter().map(entry).collect()
    };
    Ok(Answer::with_latex(
        chosen,
        move |chosen| json::to_string(&TheoremsAnswer::new(chosen.0.as_ref(), &entries(chosen))),
        move |chosen, palette| match (&entries(chosen)[..], &chosen.0) {
            ([], Some(game)) => format!("{game}\nno theorem covers this game\n"),
            ([entry], _) => render::theorem(entry, palette),
            (entries, _) => render::theorems(entries, palette),
        },
        move |chosen| Some(render::theorems_latex(&entries(chosen))),
    ))
}

/// What a survey of one game found.
#[pyclass(frozen, module = "nimatron._nimatron", name = "Survey")]
pub(crate) struct NativeSurvey(Survey);

#[pymethods]
impl NativeSurvey {
    /// Surveys a game: theorems, and a search for a proof.
    #[staticmethod]
    #[pyo3(signature = (game, time, memory, progress=None))]
    fn of(
        py: Python<'_>,
        game: &str,
        time: Option<f64>,
        memory: Option<u64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let bounds = Bounds::new(time, memory, progress).map_err(|failure| failure.raise(py))?;
        run(py, &bounds, |job| {
            let game = read_game(game)?;
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
    let bounds = Bounds::new(None, None, None).map_err(|failure| failure.raise(py))?;
    run(py, &bounds, move |_| {
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
        let entries = (0..atlas.entries().len()).collect();
        let chosen = Chosen { title: Some(title), entries, asked: None, circular: false };
        let json = |(atlas, chosen): &(Atlas, Chosen)| told_json(atlas, chosen);
        let text = |(atlas, chosen): &(Atlas, Chosen), palette: &Palette| {
            told_text(atlas, chosen, palette)
        };
        Ok(Answer::new((atlas, chosen), json, text))
    })
}
