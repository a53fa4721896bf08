//! Questions of the protocol, as JSON, and how their answers are told as text.

use crate::answer::Answer;
use crate::failure::Failure;
use crate::game::{Known, NativeGame};
use crate::work::{Bounds, Job, run};
use nimatron::atlas::Atlas;
use nimatron::figures::{Drawing, Theme, pens};
use nimatron::render::{self, Palette};
use nimatron::structure::CircularCircuits;
use nimatron_service::asks::{
    atlas, check, compare, conjecture, discover, draw, game, guess, prove, reduce, structure,
    theorems,
};
use nimatron_service::{Found, Host};
use pyo3::prelude::*;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// A question: the fields of one of the protocol.
#[derive(Clone)]
struct Question(Map<String, Value>);

impl Question {
    fn read(text: &str) -> Result<Self, Failure> {
        serde_json::from_str(text).map(Question).map_err(|error| Failure::input("request", error))
    }

    /// The question by its type. What it does not know is refused.
    fn of<T: DeserializeOwned>(self) -> Result<T, Failure> {
        serde_json::from_value(Value::Object(self.0))
            .map_err(|error| Failure::input("request", error))
    }

    /// The same without the limits that the protocol has by default: those of the host are kept.
    fn patient<T: DeserializeOwned>(mut self) -> Result<T, Failure> {
        self.0.insert("time".to_string(), json!("1000000h"));
        self.0.insert("memory".to_string(), json!("1000000tb"));
        self.of()
    }

    fn says(&self, field: &str) -> bool {
        self.0.get(field).is_some_and(|value| *value == Value::Bool(true))
    }

    fn text(&self, field: &str) -> &str {
        self.0.get(field).and_then(Value::as_str).unwrap_or_default()
    }
}

/// Whom to ask, and how long.
struct Asking {
    known: Option<Arc<Known>>,
    question: String,
    threads: Option<usize>,
    limits: (Option<std::time::Duration>, Option<u64>),
}

impl Asking {
    fn new(
        game: Option<&NativeGame>,
        question: String,
        threads: Option<usize>,
        bounds: &Bounds,
    ) -> Self {
        let limits = (bounds.time(), bounds.memory());
        Asking { known: game.map(|game| game.0.clone()), question, threads, limits }
    }

    /// Finds something where this is known.
    fn with<T>(
        &self,
        job: &Job,
        find: impl FnOnce(Question, &Host<'_>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let question = Question::read(&self.question)?;
        let knowledge = || match &self.known {
            Some(known) => known.knowledge(),
            None => Default::default(),
        };
        let host = job.host(self.threads).knowing(&knowledge);
        find(question, &host.most_time(self.limits.0).most_memory(self.limits.1))
    }
}

/// Has a question of the protocol answered.
#[pyfunction]
pub(crate) fn ask(
    py: Python<'_>,
    name: String,
    game: Option<&NativeGame>,
    question: String,
    threads: Option<usize>,
    bounds: Bounds,
) -> PyResult<Answer> {
    let asking = Asking::new(game, question, threads, &bounds);
    run(py, &bounds, move |job| asking.with(job, |question, host| answer(&name, question, host)))
}

fn answer(name: &str, question: Question, host: &Host<'_>) -> Result<Answer, Failure> {
    Ok(match name {
        "game" => {
            let found = question.of::<game::Game>()?.find(host)?;
            Answer::new(found, Found::json, render::game)
        }
        "reduce" => {
            let found = question.of::<reduce::Reduce>()?.find(host)?;
            Answer::new(found, Found::json, |found, palette| {
                render::reduction(&found.game, &found.chain, found.heights, palette)
            })
        }
        "check" => {
            let found = question.patient::<check::Check>()?.find(host)?;
            Answer::new(found, Found::json, render::check)
        }
        "prove" => {
            let found = question.patient::<prove::Prove>()?.find(host)?;
            let certificate = found.judged.proof().map(|proof| proof.text());
            let text = |found: &prove::Proved, palette: &Palette| match &found.judged {
                prove::Judged::Whole(proving) => render::proving(proving, &found.written, palette),
                prove::Judged::OneSided(answer) => {
                    render::one_sided(answer, &found.written, palette)
                }
            };
            Answer::new(found, Found::json, text).with_certificate(certificate)
        }
        "discover" => {
            let found = question.patient::<discover::Discover>()?.find(host)?;
            let certificate = found.discovery.found.as_ref().map(|found| found.proved.text());
            let text = |found: &discover::Discovered, palette: &Palette| {
                render::discovery(&found.discovery, &found.written, palette)
            };
            Answer::new(found, Found::json, text).with_certificate(certificate)
        }
        "compare" => {
            let found = question.patient::<compare::Compare>()?.find(host)?;
            Answer::new(found, Found::json, render::sameness)
        }
        "guess" => {
            let found = question.patient::<guess::Guess>()?.find(host)?;
            let text = |found: &guess::Guessed, palette: &Palette| match found {
                guess::Guessed::Game(found) => render::guess(found, palette),
                guess::Guessed::Family { name, found } => {
                    render::family_guess(name, found, palette)
                }
            };
            Answer::new(found, Found::json, text)
        }
        "conjecture" => {
            let found = question.patient::<conjecture::Conjecture>()?.find(host)?;
            let text = |found: &conjecture::Looked, palette: &Palette| match found {
                conjecture::Looked::Peeling(found) => render::peeling(found, palette),
                conjecture::Looked::Sweep(found) => render::sweep(found, palette),
                conjecture::Looked::OrderTypes(found) => render::order_types(found, palette),
            };
            Answer::new(found, Found::json, text)
        }
        "invariants" => {
            let found = question.patient::<structure::Invariants>()?.find(host)?;
            let text = |found: &structure::Invariance, palette: &Palette| {
                render::invariants(&found.vectors, palette)
            };
            Answer::new(found, Found::json, text)
        }
        "cheatsheet" => cheatsheet(question, host)?,
        "subgames" => {
            let found = question.patient::<structure::Subgames>()?.find(host)?;
            let text = |found: &structure::GamesInside, palette: &Palette| {
                render::subgames(&found.game, &found.inside, found.limit.unwrap_or(30), palette)
            };
            Answer::new(found, Found::json, text)
        }
        "circuits" => {
            // Those of large circular games come by arithmetic, and limits are refused.
            let asked: structure::Circuits = match CircularCircuits::read(question.text("game")) {
                Some(_) => question.of()?,
                None => question.patient()?,
            };
            let text = |found: &structure::Around, palette: &Palette| match found {
                structure::Around::Complex(found) => render::circuits(found, palette),
                structure::Around::Circular(found) => render::circular_circuits(found, palette),
            };
            Answer::new(asked.find(host)?, Found::json, text)
        }
        "theorems" => {
            let found = question.of::<theorems::Theorems>()?.find(host)?;
            let latex = |found: &theorems::Cited| Some(render::theorems_latex(&found.entries));
            Answer::with_latex(found, Found::json, cited, latex)
        }
        "atlas" => {
            let asked = question.of::<atlas::Atlas>()?;
            let found = asked.find(host)?;
            Answer::new(found, Found::json, move |found, palette| listed(&asked, found, palette))
        }
        other => return Err(Failure::Internal(format!("there is no question {other:?}"))),
    })
}

fn cheatsheet(question: Question, host: &Host<'_>) -> Result<Answer, Failure> {
    // Only looking for vectors takes long; without it, limits are refused.
    let asked: structure::Cheatsheet = match question.says("detect") {
        true => question.patient()?,
        false => question.of()?,
    };
    let found = asked.find(host)?;
    let text = |found: &structure::Sheets, palette: &Palette| {
        let rule = found.rule.as_ref().map(|rule| render::peeling_rule(rule, palette));
        match (rule, found.sheets.is_empty()) {
            (None, true) => format!("{}\nno invariant vectors are known\n", found.game),
            (None, false) => render::cheatsheet(&found.sheets, palette),
            (Some(rule), true) => rule,
            (Some(rule), false) => rule + "\n" + &render::cheatsheet(&found.sheets, palette),
        }
    };
    let latex = |found: &structure::Sheets| {
        (!found.sheets.is_empty()).then(|| render::cheatsheet_latex(&found.sheets))
    };
    Ok(Answer::with_latex(found, Found::json, text, latex))
}

fn cited(found: &theorems::Cited, palette: &Palette) -> String {
    match (&found.entries[..], &found.game) {
        ([], Some(game)) => match found.solved.iter().flat_map(|solved| solved.by()).next() {
            Some(by) => format!("{game}\nno theorem covers this game, but {} does\n", by.cited()),
            None => format!("{game}\nno theorem covers this game\n"),
        },
        ([entry], _) => render::theorem(entry, palette),
        (entries, _) => render::theorems(entries, palette),
    }
}

fn listed(asked: &atlas::Atlas, found: &atlas::Listed, palette: &Palette) -> String {
    let shipped = Atlas::shipped();
    let list = |title| render::atlas_list(shipped, title, &found.entries, palette);
    match (&found.asked, &found.entries[..], asked.stacks) {
        (Some(game), [entry], _) => render::atlas_entry(shipped, entry, game, palette),
        (_, _, Some(n)) => list(&format!("Set systems on {n} stacks")),
        _ if asked.circular && !asked.open => render::atlas_circular(shipped, palette),
        _ if asked.slow => list("Slow games"),
        _ if asked.open => list("Open games"),
        _ => render::atlas(shipped, palette),
    }
}

/// A figure, drawn with any pen.
#[pyclass(frozen, module = "nimatron._nimatron", name = "Figure")]
pub(crate) struct NativeFigure(Drawing);

/// Has a figure drawn.
#[pyfunction]
pub(crate) fn draw_figure(
    py: Python<'_>,
    game: Option<&NativeGame>,
    question: String,
    bounds: Bounds,
) -> PyResult<NativeFigure> {
    let asking = Asking::new(game, question, None, &bounds);
    run(py, &bounds, move |job| {
        asking.with(job, |question, host| {
            let found = question.patient::<draw::Draw>()?.find(host)?;
            Ok(NativeFigure(found.drawing))
        })
    })
}

#[pymethods]
impl NativeFigure {
    fn title(&self) -> String {
        self.0.title.clone()
    }

    /// The figure in a language: `svg` in the colours of a theme, `tikz`, `standalone` or `json`.
    fn told(&self, py: Python<'_>, pen: &str, theme: &str) -> PyResult<String> {
        let theme = match theme {
            "auto" => Theme::Auto,
            "light" => Theme::Light,
            "dark" => Theme::Dark,
            "print" => Theme::Print,
            other => {
                let message =
                    format!("there is no theme {other:?}: known are auto, light, dark and print");
                return Err(Failure::input("theme", message).raise(py));
            }
        };
        Ok(match pen {
            "svg" => pens::svg(&self.0, theme),
            "tikz" => pens::tikz(&self.0, pens::Frame::Input),
            "standalone" => pens::tikz(&self.0, pens::Frame::Standalone),
            _ => pens::json(&self.0),
        })
    }
}
