//! What goes wrong becomes an exception of the Python part (`nimatron/_errors.py`).

use nimatron::Stop;
use nimatron::crates::table::TableError;
use nimatron::render::{Diagnostic, json};
use nimatron_service::Failure as Told;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Input that is wrong, with the place where it is if it is text.
    Input { kind: &'static str, diagnostic: Box<Diagnostic> },
    /// Nobody knows.
    Unknown { kind: &'static str, message: String },
    /// A limit was reached; with what was found so far, in JSON.
    Limit { stop: Stop, message: String, found: Option<String> },
    /// A mistake in the program.
    Internal(String),
}

impl Failure {
    pub(crate) fn input(kind: &'static str, error: impl ToString) -> Self {
        let diagnostic = Diagnostic { message: error.to_string(), place: None, hint: None };
        Failure::Input { kind, diagnostic: Box::new(diagnostic) }
    }

    pub(crate) fn unknown(kind: &'static str, error: impl ToString) -> Self {
        Failure::Unknown { kind, message: error.to_string() }
    }

    pub(crate) fn limit(stop: Stop, message: String) -> Self {
        Failure::Limit { stop, message, found: None }
    }

    pub(crate) fn table(error: &TableError) -> Self {
        Told::table(error).into()
    }

    /// The exception. One that was raised while another was made is returned instead.
    pub(crate) fn raise(self, py: Python<'_>) -> PyErr {
        self.exception(py).unwrap_or_else(|error| error)
    }

    fn exception(self, py: Python<'_>) -> PyResult<PyErr> {
        let (class, arguments) = match self {
            Failure::Input { kind, diagnostic } if diagnostic.place.is_some() => {
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
            Failure::Input { kind, diagnostic } => {
                ("NimatronInputError", (diagnostic.message, kind).into_pyobject(py)?)
            }
            Failure::Unknown { kind, message } => {
                ("NimatronUnknown", (message, kind).into_pyobject(py)?)
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

impl From<Told> for Failure {
    fn from(failure: Told) -> Self {
        match failure {
            Told::Bad { kind, mut diagnostic } => {
                // The command line's options have dashes, the names of arguments have none.
                if let Some(rest) = diagnostic.message.strip_prefix("--") {
                    diagnostic.message = rest.to_string();
                }
                Failure::Input { kind, diagnostic }
            }
            Told::Open { kind: "too-tall", diagnostic } => {
                Failure::limit(Stop::Memory, diagnostic.message)
            }
            Told::Open { kind, diagnostic } => Failure::unknown(kind, diagnostic.message),
            Told::Stopped { stop, diagnostic } => Failure::limit(stop, diagnostic.message),
            Told::File { diagnostic } => Failure::Input { kind: "file", diagnostic },
            Told::Missing { diagnostic } => Failure::unknown("missing", diagnostic.message),
            Told::NobodyListens => Failure::Internal("nobody listens".to_string()),
        }
    }
}

fn raised(py: Python<'_>, class: &str, arguments: Bound<'_, PyTuple>) -> PyResult<PyErr> {
    let class = py.import("nimatron._errors")?.getattr(class)?;
    Ok(PyErr::from_value(class.call1(arguments)?))
}

/// A limit that was reached, with what was found so far as a Python object.
pub(crate) fn limit_with<'py>(py: Python<'py>, stop: Stop, found: impl IntoPyObject<'py>) -> PyErr {
    if stop == Stop::Cancelled {
        return Failure::limit(stop, stop.to_string()).raise(py);
    }
    let kind = json::Limit::from(stop).kind;
    let made = found.into_py_any(py).and_then(|found| {
        raised(py, "NimatronLimit", (stop.to_string(), kind, found).into_pyobject(py)?)
    });
    made.unwrap_or_else(|error| error)
}
