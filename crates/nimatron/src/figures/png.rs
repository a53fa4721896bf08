//! Figures as dots. Text is set in a serif font of the system.

use nimatron_draw::{Drawing, Theme, pens};
use resvg::usvg::fontdb::Database;
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
    /// There is no font to set the text in.
    #[error("no font is installed, so that the text of the picture cannot be painted")]
    NoFont,
    /// The rasteriser refused.
    #[error("the picture could not be painted: {0}")]
    Painter(String),
}

/// No picture is larger than this in either direction.
const MOST_DOTS: u32 = 16_000;

/// Fonts that are taken if they are there, best first. The painter itself knows one name for all serif fonts.
const FONTS: [&str; 10] = [
    "Source Serif 4",
    "Charter",
    "Georgia",
    "Times New Roman",
    "Liberation Serif",
    "DejaVu Serif",
    "Noto Serif",
    "TeX Gyre Termes",
    "Latin Modern Roman",
    "FreeSerif",
];

/// The drawing as a PNG file, `scale` dots per unit.
pub fn png(drawing: &Drawing, theme: Theme, scale: f64) -> Result<Vec<u8>, PngError> {
    let mut options = usvg::Options::default();
    options.fontdb_mut().load_system_fonts();
    paint(drawing, theme, scale, options)
}

fn paint(
    drawing: &Drawing,
    theme: Theme,
    scale: f64,
    mut options: usvg::Options,
) -> Result<Vec<u8>, PngError> {
    let dots = |length: f64| (length * scale).ceil().clamp(1.0, f64::from(u32::MAX)) as u32;
    let (width, height) = (dots(drawing.width), dots(drawing.height));
    let too_large = PngError::TooLarge { width, height };
    if width.max(height) > MOST_DOTS {
        return Err(too_large);
    }
    let font = serif(&options.fontdb).ok_or(PngError::NoFont)?;
    options.fontdb_mut().set_serif_family(font);
    let theme = if theme == Theme::Auto { Theme::Light } else { theme };
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

/// The best font there is for running text: a serif one, or any.
fn serif(fonts: &Database) -> Option<String> {
    let names = || fonts.faces().flat_map(|face| face.families.iter().map(|(name, _)| name));
    let known = FONTS.iter().find(|font| names().any(|name| name == *font));
    let serif = || names().find(|name| name.contains("Serif"));
    known.map(|font| font.to_string()).or_else(|| serif().or_else(|| names().next()).cloned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use nimatron_draw::{BoardOptions, board};

    fn drawing() -> Drawing {
        let game = "CN(5,3)".parse().unwrap();
        board::position(&game, &[0, 3, 1, 2, 3], &BoardOptions::default()).unwrap()
    }

    #[test]
    #[allow(clippy::print_stderr, reason = "what was skipped is said")]
    fn text_is_painted() {
        let drawing = drawing();
        let mut silent = drawing.clone();
        silent.items.retain(|item| !matches!(item.shape, nimatron_draw::Shape::Text { .. }));
        let painted = match png(&drawing, Theme::Print, 2.0) {
            Err(PngError::NoFont) => return eprintln!("skipped: no font is installed"),
            painted => painted.unwrap(),
        };
        let decoded = |bytes: &[u8]| tiny_skia::Pixmap::decode_png(bytes).unwrap();
        let (with, without) =
            (decoded(&painted), decoded(&png(&silent, Theme::Print, 2.0).unwrap()));
        assert_eq!(f64::from(with.width()), (2.0 * drawing.width).ceil());
        let differ = with.pixels().iter().zip(without.pixels()).filter(|(a, b)| a != b).count();
        assert!(differ > 300, "{differ} dots of text");
        assert_eq!(painted, png(&drawing, Theme::Print, 2.0).unwrap());
    }

    #[test]
    fn without_fonts_nothing_is_painted() {
        let options = usvg::Options::default();
        assert_eq!(paint(&drawing(), Theme::Light, 1.0, options), Err(PngError::NoFont));
    }

    #[test]
    fn large_pictures_are_refused() {
        let error = png(&drawing(), Theme::Light, 1000.0).unwrap_err();
        assert!(matches!(error, PngError::TooLarge { .. }), "{error}");
        assert!(error.to_string().contains("at most 16000"));
    }
}
