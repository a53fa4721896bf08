//! Why there is no answer.

use crate::status::Status;
use nimatron::Stop;
use nimatron::crates::coq::ExportError;
use nimatron::crates::formula::FormulaError;
use nimatron::crates::game::notation::ParseError;
use nimatron::crates::table::TableError;
use nimatron::kernel::KernelError;
use nimatron::proofs::StoreError;
use nimatron::render::Diagnostic;
use std::io;

/// A problem to report to the user.
#[derive(Debug)]
pub enum Failure {
    /// The input is wrong.
    Bad {
        /// A stable word for programs.
        kind: &'static str,
        /// What and where.
        diagnostic: Box<Diagnostic>,
    },
    /// The question is open.
    Open {
        /// A stable word for programs.
        kind: &'static str,
        /// What, and what could be done.
        diagnostic: Box<Diagnostic>,
    },
    /// A limit was reached before there was anything to tell, or somebody interrupted.
    Stopped {
        /// Which.
        stop: Stop,
        /// The same in words.
        diagnostic: Box<Diagnostic>,
    },
    /// A file could not be read or written.
    File {
        /// What and why.
        diagnostic: Box<Diagnostic>,
    },
    /// Another program is needed that is not installed.
    Missing {
        /// Which, and how to get it.
        diagnostic: Box<Diagnostic>,
    },
    /// Whoever read our output has gone, as in `nimatron ... | head`: nothing to report.
    NobodyListens,
}

impl Failure {
    /// Input that is wrong as a whole.
    pub fn bad(kind: &'static str, message: String) -> Self {
        let diagnostic = Diagnostic { message, place: None, hint: None };
        Failure::Bad { kind, diagnostic: Box::new(diagnostic) }
    }

    /// An option that would do nothing.
    pub fn useless(option: &str, why: &str) -> Self {
        Failure::bad("useless-option", format!("{option} does nothing here: {why}"))
    }

    /// Memory that could not be had.
    pub fn memory(message: String) -> Self {
        let diagnostic = Diagnostic { message, place: None, hint: None };
        Failure::Stopped { stop: Stop::Memory, diagnostic: Box::new(diagnostic) }
    }

    /// A question that has no answer yet.
    pub fn open(kind: &'static str, message: String) -> Self {
        let diagnostic = Diagnostic { message, place: None, hint: None };
        Failure::Open { kind, diagnostic: Box::new(diagnostic) }
    }

    /// Work that was stopped before there was anything to tell.
    pub fn stopped(stop: Stop) -> Self {
        let diagnostic = Diagnostic { message: stop.to_string(), place: None, hint: None };
        Failure::Stopped { stop, diagnostic: Box::new(diagnostic) }
    }

    /// A text that could not be read as what `name` should be.
    pub fn text(name: &'static str, text: String, error: &ParseError) -> Self {
        let diagnostic = Box::new(Diagnostic::of_text(name, text, error));
        Failure::Bad { kind: error.kind().as_str(), diagnostic }
    }

    /// A text that is no formula.
    pub fn formula(text: String, error: &FormulaError) -> Self {
        let diagnostic = Box::new(Diagnostic::of_formula(text, error));
        Failure::Bad { kind: error.kind().as_str(), diagnostic }
    }

    /// A file, named as the user knows it, that could not be read or written.
    pub fn file(name: &str, error: &io::Error) -> Self {
        let message = format!("{name}: {error}");
        let diagnostic = Diagnostic { message, place: None, hint: None };
        Failure::File { diagnostic: Box::new(diagnostic) }
    }

    /// A file whose contents are not what they should be.
    pub fn unusable(name: &str, problem: &str) -> Self {
        let message = format!("{name}: {problem}");
        let hint = Some("--force begins anew and overwrites it".to_string());
        let diagnostic = Diagnostic { message, place: None, hint };
        Failure::File { diagnostic: Box::new(diagnostic) }
    }

    /// Files that do not hold what they must.
    pub fn damaged(message: String) -> Self {
        Failure::File { diagnostic: Box::new(Diagnostic { message, place: None, hint: None }) }
    }

    /// A store of proofs that could not be written.
    pub fn store(error: &StoreError) -> Self {
        let diagnostic = Diagnostic { message: error.to_string(), place: None, hint: None };
        match error {
            StoreError::Sum => Failure::Bad { kind: "sum", diagnostic: Box::new(diagnostic) },
            _ => Failure::File { diagnostic: Box::new(diagnostic) },
        }
    }

    /// What the Coq kernel has no answer to.
    pub fn kernel(error: KernelError) -> Self {
        let diagnostic =
            Box::new(Diagnostic { message: error.to_string(), place: None, hint: None });
        match error {
            KernelError::Missing => {
                let hint = Some("Debian has it: apt-get install coq".to_string());
                Failure::Missing { diagnostic: Box::new(Diagnostic { hint, ..*diagnostic }) }
            }
            KernelError::Stopped(stop) => Failure::Stopped { stop, diagnostic },
            KernelError::Export(ExportError::Io(_)) | KernelError::File { .. } => {
                Failure::File { diagnostic }
            }
            _ => Failure::Open { kind: "coq", diagnostic },
        }
    }

    /// A file that must not be touched.
    pub fn exists(name: &str) -> Self {
        let diagnostic = Diagnostic {
            message: format!("{name} exists already"),
            place: None,
            hint: Some("--force overwrites it".to_string()),
        };
        Failure::File { diagnostic: Box::new(diagnostic) }
    }

    /// A table that was not computed.
    pub fn table(error: &TableError) -> Self {
        let diagnostic = Diagnostic { message: error.to_string(), place: None, hint: None };
        match error {
            TableError::Stopped(stop) => {
                Failure::Stopped { stop: *stop, diagnostic: Box::new(diagnostic) }
            }
            TableError::TooLarge { .. } => {
                Failure::Stopped { stop: Stop::Memory, diagnostic: Box::new(diagnostic) }
            }
            _ => Failure::Bad { kind: "too-large", diagnostic: Box::new(diagnostic) },
        }
    }

    /// Standard output that could not be written.
    pub fn output(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::NobodyListens,
            _ => Failure::file("standard output", error),
        }
    }

    /// The exit status.
    pub fn status(&self) -> Status {
        match self {
            Failure::Bad { .. } => Status::BadInput,
            Failure::Open { .. } => Status::Undecided,
            Failure::Stopped { stop, .. } => Status::of(Some(*stop)),
            Failure::File { .. } => Status::FileError,
            Failure::Missing { .. } => Status::Missing,
            Failure::NobodyListens => Status::Answered,
        }
    }

    /// The stable word and the report, if there is something to report.
    pub fn report(&self) -> Option<(&'static str, &Diagnostic)> {
        match self {
            Failure::Bad { kind, diagnostic } | Failure::Open { kind, diagnostic } => {
                Some((kind, diagnostic))
            }
            Failure::Stopped { diagnostic, .. } => Some(("limit", diagnostic)),
            Failure::File { diagnostic } => Some(("file", diagnostic)),
            Failure::Missing { diagnostic } => Some(("missing", diagnostic)),
            Failure::NobodyListens => None,
        }
    }
}
