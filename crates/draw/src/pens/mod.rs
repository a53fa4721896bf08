//! Pens: a drawing as text that other programs show.

#[cfg(feature = "serde")]
mod json;
mod svg;
mod tikz;

#[cfg(feature = "serde")]
pub use json::json;
pub use svg::{escape, svg};
pub use tikz::{Frame, colours, escape as escape_latex, tikz};

/// A number with at most two places, as short as it can be.
fn number(x: f64) -> String {
    let text = format!("{x:.2}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    match short {
        "" | "-0" => "0".to_string(),
        short => short.to_string(),
    }
}
