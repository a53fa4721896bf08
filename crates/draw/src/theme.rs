//! How colours look on paper, on a light screen and on a dark one.

use crate::drawing::Ink;

/// Where a figure is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Theme {
    /// On a screen, light or dark as the reader has it (SVG only; elsewhere light).
    #[default]
    Auto,
    /// On a light screen.
    Light,
    /// On a dark screen.
    Dark,
    /// On white paper.
    Print,
}

/// Red, green and blue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Colour(pub u8, pub u8, pub u8);

impl Colour {
    const fn of(rgb: u32) -> Self {
        Colour((rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8)
    }

    /// As in style sheets: `#1d55ad`.
    pub fn hex(self) -> String {
        format!("#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }

    fn linear(self) -> [f64; 3] {
        [self.0, self.1, self.2].map(|c| {
            let c = f64::from(c) / 255.0;
            if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        })
    }

    /// How bright it looks, from 0 to 1.
    pub fn luminance(self) -> f64 {
        let [r, g, b] = self.linear();
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }
}

/// The stops of the scale of Grundy values; between them it is interpolated in OKLab, where equal steps look
/// equal.
const RAMP_LIGHT: [u32; 5] = [0xfff4d9, 0xf6c667, 0xd98a1f, 0x8a4a08, 0x4a2500];
const RAMP_DARK: [u32; 5] = [0x221a10, 0x553712, 0xa3681b, 0xeeb04a, 0xfff0cc];

impl Theme {
    /// The colour of an ink.
    pub fn colour(self, ink: Ink) -> Colour {
        let dark = self == Theme::Dark;
        let print = self == Theme::Print;
        let (light, in_the_dark, printed) = match ink {
            Ink::Paper => (0xfffdf8, 0x13110d, 0xffffff),
            Ink::Ink => (0x221d16, 0xf3ecdd, 0x000000),
            Ink::Second => (0x5f5748, 0xb8ad99, 0x333333),
            Ink::Third => (0x6f6554, 0x9c917d, 0x555555),
            Ink::P => (0x1d55ad, 0x8fbcff, 0x1d4f9f),
            Ink::N => (0xad3a10, 0xff9a6e, 0xa03510),
            Ink::PWash => (0xdfe9f8, 0x16263f, 0xe2eaf6),
            Ink::NWash => (0xf8e4d9, 0x381d11, 0xf6e6dd),
            Ink::Lamp => (0xf7bb4b, 0xffce73, 0xf2c878),
            Ink::LampEdge => (0x9c5d00, 0xffbf57, 0x5e4a26),
            Ink::Rule => (0xd8cfbd, 0x39332a, 0xcccccc),
            Ink::Line => (0x8a7f6b, 0x7d735f, 0x808080),
            Ink::Socket => (0xc3b8a2, 0x4d4637, 0xbbbbbb),
            Ink::Ramp(place) => return ramp(if dark { RAMP_DARK } else { RAMP_LIGHT }, place),
            Ink::OnRamp(place) => {
                let below = self.colour(Ink::Ramp(place));
                return Colour::of(if below.luminance() > 0.179 { 0x000000 } else { 0xffffff });
            }
        };
        Colour::of(if dark {
            in_the_dark
        } else if print {
            printed
        } else {
            light
        })
    }

    /// The colours of a token from its middle outwards, where it is drawn as a lamp.
    pub(crate) fn lamp(self) -> Option<[Colour; 3]> {
        match self {
            Theme::Print => None,
            Theme::Dark => Some([0xfff6da, 0xffce73, 0xe8932a].map(Colour::of)),
            _ => Some([0xffe9b8, 0xf7bb4b, 0xdd8f1c].map(Colour::of)),
        }
    }
}

fn ramp(stops: [u32; 5], place: u8) -> Colour {
    let at = f64::from(place.min(100)) / 100.0 * 4.0;
    let low = (at.floor() as usize).min(3);
    let (a, b) = (oklab(Colour::of(stops[low])), oklab(Colour::of(stops[low + 1])));
    let part = at - low as f64;
    from_oklab([0, 1, 2].map(|i| a[i] + (b[i] - a[i]) * part))
}

fn oklab(colour: Colour) -> [f64; 3] {
    let [r, g, b] = colour.linear();
    let l = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b).cbrt();
    let m = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b).cbrt();
    let s = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b).cbrt();
    [
        0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
        1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
        0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s,
    ]
}

fn from_oklab([light, a, b]: [f64; 3]) -> Colour {
    let l = (light + 0.3963377774 * a + 0.2158037573 * b).powi(3);
    let m = (light - 0.1055613458 * a - 0.0638541728 * b).powi(3);
    let s = (light - 0.0894841775 * a - 1.2914855480 * b).powi(3);
    let linear = [
        4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
        -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
        -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s,
    ];
    let [r, g, b] = linear.map(|c| {
        let c = if c <= 0.0031308 { 12.92 * c } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 };
        (c * 255.0).round().clamp(0.0, 255.0) as u8
    });
    Colour(r, g, b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contrast(a: Colour, b: Colour) -> f64 {
        let (a, b) = (a.luminance(), b.luminance());
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn text_is_legible() {
        for theme in [Theme::Light, Theme::Dark, Theme::Print] {
            let paper = theme.colour(Ink::Paper);
            for ink in [Ink::Ink, Ink::Second, Ink::Third, Ink::P, Ink::N] {
                assert!(contrast(theme.colour(ink), paper) >= 4.5, "{theme:?} {ink:?}");
            }
            for place in 0..=100 {
                let (on, below) = (Ink::OnRamp(place), Ink::Ramp(place));
                assert!(contrast(theme.colour(on), theme.colour(below)) >= 4.5, "{place}");
            }
        }
    }

    #[test]
    fn the_scale_passes_through_its_stops() {
        assert_eq!(Theme::Light.colour(Ink::Ramp(0)).hex(), "#fff4d9");
        assert_eq!(Theme::Light.colour(Ink::Ramp(50)).hex(), "#d98a1f");
        assert_eq!(Theme::Dark.colour(Ink::Ramp(100)).hex(), "#fff0cc");
    }
}
