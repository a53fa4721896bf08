//! Figures as dots. Text is set in a serif font of the system.

use nimatron_draw::{Drawing, Theme, pens};
use resvg::{tiny_skia, usvg};

/// Why there is no picture.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PngError {
    /// The figure is larger than can be painted.
    #[error(
        "the picture would have {width} by {height} dots; at most {MOST_DOTS} in a line can be painted"
    )]
    TooLarge {
        /// Dots in a line.
        width: u32,
        /// Lines.
        height: u32,
    },
    /// The rasteriser refused.
    #[error("the picture could not be painted: {0}")]
    Painter(String),
}

/// No picture is larger than this in either direction.
const MOST_DOTS: u32 = 16_000;

/// The drawing as a PNG file, `scale` dots per unit.
pub fn png(drawing: &Drawing, theme: Theme, scale: f64) -> Result<Vec<u8>, PngError> {
    let dots = |length: f64| (length * scale).ceil().clamp(1.0, f64::from(u32::MAX)) as u32;
    let (width, height) = (dots(drawing.width), dots(drawing.height));
    let too_large = PngError::TooLarge { width, height };
    if width.max(height) > MOST_DOTS {
        return Err(too_large);
    }
    let theme = if theme == Theme::Auto { Theme::Light } else { theme };
    let mut options = usvg::Options::default();
    options.fontdb_mut().load_system_fonts();
    let painter = |error: &dyn std::fmt::Display| PngError::Painter(error.to_string());
    let svg = pens::svg(drawing, theme);
    let tree = usvg::Tree::from_str(&svg, &options).map_err(|error| painter(&error))?;
    let mut dots = tiny_skia::Pixmap::new(width, height).ok_or(too_large)?;
    if theme == Theme::Print {
        dots.fill(tiny_skia::Color::WHITE);
    }
    let scale = tiny_skia::Transform::from_scale(scale as f32, scale as f32);
    resvg::render(&tree, scale, &mut dots.as_mut());
    dots.encode_png().map_err(|error| painter(&error))
}
