//! Answers, told as JSON or as text when somebody asks.

use nimatron::render::Palette;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// An answer of the library.
#[pyclass(frozen, module = "nimatron._nimatron")]
pub(crate) struct Answer {
    told: Box<dyn Told>,
    certificate: Option<Vec<u8>>,
}

/// What can be told of an answer.
trait Told: Send + Sync {
    fn json(&self) -> String;
    fn text(&self, palette: &Palette) -> String;
    fn latex(&self) -> Option<String>;
}

struct Parts<J, T, L> {
    json: J,
    text: T,
    latex: L,
}

impl<J, T, L> Told for Parts<J, T, L>
where
    J: Fn() -> String + Send + Sync,
    T: Fn(&Palette) -> String + Send + Sync,
    L: Fn() -> Option<String> + Send + Sync,
{
    fn json(&self) -> String {
        (self.json)()
    }

    fn text(&self, palette: &Palette) -> String {
        (self.text)(palette)
    }

    fn latex(&self) -> Option<String> {
        (self.latex)()
    }
}

impl Answer {
    /// An answer by how it is told, with what is needed for that in common.
    pub(crate) fn new<A: Send + Sync + 'static>(
        about: A,
        json: impl Fn(&A) -> String + Send + Sync + 'static,
        text: impl Fn(&A, &Palette) -> String + Send + Sync + 'static,
    ) -> Self {
        Answer::with_latex(about, json, text, |_| None)
    }

    /// The same for answers that are told in LaTeX as well.
    pub(crate) fn with_latex<A: Send + Sync + 'static>(
        about: A,
        json: impl Fn(&A) -> String + Send + Sync + 'static,
        text: impl Fn(&A, &Palette) -> String + Send + Sync + 'static,
        latex: impl Fn(&A) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        let about = std::sync::Arc::new(about);
        let (first, second) = (about.clone(), about.clone());
        let told = Box::new(Parts {
            json: move || json(&first),
            text: move |palette: &Palette| text(&second, palette),
            latex: move || latex(&about),
        });
        Answer { told, certificate: None }
    }

    /// The same with the bytes of a certificate, if there is one.
    pub(crate) fn with_certificate(self, certificate: Option<Vec<u8>>) -> Self {
        Answer { certificate, ..self }
    }
}

#[pymethods]
impl Answer {
    /// One line of JSON, as the command line prints it.
    fn json(&self) -> String {
        self.told.json()
    }

    /// The text of the command line.
    fn text(&self, width: usize) -> String {
        self.told.text(&Palette::PLAIN.of_width(width))
    }

    /// LaTeX, if there is any.
    fn latex(&self) -> Option<String> {
        self.told.latex()
    }

    /// The certificate, if there is one.
    fn certificate<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.certificate.as_ref().map(|text| PyBytes::new(py, text))
    }
}
