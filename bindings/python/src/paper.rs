//! Articles.

use crate::failure::Failure;
use crate::game::NativeGame;
use crate::work::{Bounds, run};
use nimatron::paper::{Article, ArticleError, Format};
use nimatron_service::read;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// An article with its files.
#[pyclass(frozen, module = "nimatron._nimatron", name = "Article")]
pub(crate) struct NativeArticle(Article);

#[pymethods]
impl NativeGame {
    /// An article about the game and the proof of its P-positions.
    fn paper(
        &self,
        py: Python<'_>,
        formula: Option<String>,
        bounds: Bounds,
    ) -> PyResult<NativeArticle> {
        let known = self.0.clone();
        run(py, &bounds, move |job| {
            let formula = formula.map(|text| read::formula(&text, &known.game)).transpose()?;
            let knowledge = known.knowledge();
            let article = Article::of(&known.game, formula.as_ref(), &knowledge, &job.limits);
            article.map(NativeArticle).map_err(|error| match error {
                ArticleError::Refuted { .. } => Failure::input("refuted", error),
                error => Failure::unknown("undecided", error),
            })
        })
    }
}

#[pymethods]
impl NativeArticle {
    fn title(&self) -> String {
        self.0.document.title.clone()
    }

    /// The names and contents of all files, of which the last is the article itself.
    fn files<'py>(
        &self,
        py: Python<'py>,
        format: &str,
    ) -> PyResult<Vec<(String, Bound<'py, PyBytes>)>> {
        let format = match format {
            "latex" => Format::Latex,
            "markdown" => Format::Markdown,
            "html" => Format::Html,
            "text" => Format::Text,
            other => {
                let message = format!(
                    "there is no format {other:?}: known are latex, markdown, html and text"
                );
                return Err(Failure::input("format", message).raise(py));
            }
        };
        let files = self.0.files(format).into_iter();
        Ok(files.map(|(name, text)| (name, PyBytes::new(py, &text))).collect())
    }
}
