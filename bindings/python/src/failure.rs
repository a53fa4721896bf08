//! What goes wrong becomes an exception of the Python part (`nimatron/_errors.py`).

use nimatron::Stop;
use nimatron::check::FormulaError;
use nimatron::crates::game::notation::ParseError;
use nimatron::crates::table::TableError;
use nimatron::render::{Diagnostic, json};
use nimatron::tables::TabulationError;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A text that cannot be read.
    Syntax { kind: &'static str, diagnostic: Box<Diagnostic> },
    /// Input that is wrong as a whole.
    Input { kind: &'static str, message: String },
    /// A limit was reached; with what was found so far, in JSON.
    Limit { stop: Stop, message: String, found: Option<String> },
    /// A mistake in the program.
    Internal(String),
}

impl Failure {
    pub(crate) fn input(kind: &'static str, error: impl ToString) -> Self {
        Failure::Input { kind, message: error.to_string() }
    }

    pub(crate) fn text(name: &'static str, text: &str, error: &ParseError) -> Self {
        let diagnostic = Box::new(Diagnostic::of_text(name, text.to_string(), error));
        Failure::Syntax { kind: error.kind().as_str(), diagnostic }
    }

    pub(crate) fn formula(text: &str, error: &FormulaError) -> Self {
        let diagnostic = Box::new(Diagnostic::of_formula(text.to_string(), error));
        Failure::Syntax { kind: error.kind().as_str(), diagnostic }
    }

    pub(crate) fn stopped(stop: Stop) -> Self {
        Failure::Limit { stop, message: stop.to_string(), found: None }
    }

    pub(crate) fn table(error: &TableError) -> Self {
        match error {
            TableError::Stopped(stop) => Failure::stopped(*stop),
            TableError::TooLarge { .. } => {
                Failure::Limit { stop: Stop::Memory, message: error.to_string(), found: None }
            }
            _ => Failure::input("too-large", error),
        }
    }

    pub(crate) fn tabulation(error: TabulationError) -> Self {
        match error {
            TabulationError::Stopped(stop) => Failure::stopped(stop),
            TabulationError::Stacks { .. } => Failure::input("wrong-count", error),
            TabulationError::Blocks => Failure::input("engine", error),
            TabulationError::TooTall { .. } => {
                Failure::Limit { stop: Stop::Memory, message: error.to_string(), found: None }
            }
            other => Failure::table(&other.into()),
        }
    }

    /// The exception. One that was raised while another was made is returned instead.
    pub(crate) fn raise(self, py: Python<'_>) -> PyErr {
        self.exception(py).unwrap_or_else(|error| error)
    }

    fn exception(self, py: Python<'_>) -> PyResult<PyErr> {
        let (class, arguments) = match self {
            Failure::Syntax { kind, diagnostic } => {
                let shown = diagnostic.to_string();
                let shown = shown.strip_prefix("error: ").unwrap_or(&shown).trim_end().to_string();
                let (text, span) = match diagnostic.place {
                    Some(place) => (Some(place.text), Some((place.span.start, place.span.end))),
                    None => (None, None),
                };
                let (message, hint) = (diagnostic.message, diagnostic.hint);
                let arguments = (shown, kind, message, text, span, hint).into_pyobject(py)?;
                ("NimatronSyntaxError", arguments)
            }
            Failure::Input { kind, message } => {
                ("NimatronInputError", (message, kind).into_pyobject(py)?)
            }
            // Who interrupts does not want an answer; the flag is set only for Ctrl-C and the like.
            Failure::Limit { stop: Stop::Cancelled, message, .. } => {
                let class = py.get_type::<pyo3::exceptions::PyKeyboardInterrupt>();
                return Ok(PyErr::from_value(class.call1((message,))?));
            }
            Failure::Limit { stop, message, found } => {
                let kind = json::Limit::from(stop).kind;
                ("NimatronLimit", (message, kind, found).into_pyobject(py)?)
            }
            Failure::Internal(message) => {
                ("NimatronInternalError", (message, "internal").into_pyobject(py)?)
            }
        };
        raised(py, class, arguments)
    }
}

fn raised(py: Python<'_>, class: &str, arguments: Bound<'_, PyTuple>) -> PyResult<PyErr> {
    let class = py.import("nimatron._errors")?.getattr(class)?;
    Ok(PyErr::from_value(class.call1(arguments)?))
}

/// A limit that was reached, with what was found so far as a Python object.
pub(crate) fn limit_with<'py>(py: Python<'py>, stop: Stop, found: impl IntoPyObject<'py>) -> PyErr {
    if stop == Stop::Cancelled {
        return Failure::stopped(stop).raise(py);
    }
    let kind = json::Limit::from(stop).kind;
    let made = found.into_py_any(py).and_then(|found| {
        raised(py, "NimatronLimit", (stop.to_string(), kind, found).into_pyobject(py)?)
    });
    made.unwrap_or_else(|error| error)
}
