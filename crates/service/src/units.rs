//! Times, sizes and numbers as they are typed.

use serde::de::{Deserialize, Deserializer, Error};
use std::borrow::Cow;
use std::time::Duration;

/// A time as it is asked for: `"500ms"`, `"30s"`, `"5m"`, `"1h"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Time(pub Duration);

/// A size of memory as it is asked for: `"500MB"`, `"2GB"`, `"1GiB"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(pub u64);

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(from)?;
        time(&text).map(Time).map_err(D::Error::custom)
    }
}

impl<'de> Deserialize<'de> for Size {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(from)?;
        memory(&text).map(Size).map_err(D::Error::custom)
    }
}

/// `500ms`, `30s`, `5m`, `1h`.
pub fn time(text: &str) -> Result<Duration, UnitError> {
    let units = [("ms", 1), ("s", 1000), ("m", 60_000), ("min", 60_000), ("h", 3_600_000)];
    let expected = "a time such as 30s or 5m";
    scaled(text, &units, expected).map(Duration::from_millis)
}

/// `500MB`, `2GB`, `1GiB`.
pub fn memory(text: &str) -> Result<u64, UnitError> {
    let units = [
        ("kb", 1_000),
        ("mb", 1_000_000),
        ("gb", 1_000_000_000),
        ("tb", 1_000_000_000_000),
        ("kib", 1 << 10),
        ("mib", 1 << 20),
        ("gib", 1 << 30),
        ("tib", 1 << 40),
    ];
    scaled(text, &units, "a size such as 2GB")
}

/// A number, perhaps 0.
pub fn number(text: &str) -> Result<u32, UnitError> {
    text.trim().parse().map_err(|_| UnitError { expected: "a number" })
}

/// A number of things, at least one.
pub fn count(text: &str) -> Result<u32, UnitError> {
    let some = number(text).ok().filter(|&n| n > 0);
    some.ok_or(UnitError { expected: "a number, 1 or more" })
}

/// Text that is no time, size or number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitError {
    expected: &'static str,
}

impl std::fmt::Display for UnitError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "expected {}", self.expected)
    }
}

impl std::error::Error for UnitError {}

/// A decimal number with one of the units; small and capital letters are the same.
fn scaled(text: &str, units: &[(&str, u64)], expected: &'static str) -> Result<u64, UnitError> {
    let error = UnitError { expected };
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let unit = unit.trim().to_ascii_lowercase();
    let scale = units.iter().find(|(name, _)| *name == unit).map(|&(_, scale)| scale);
    let scale = scale.ok_or(error.clone())?;
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let parse = |digits: &str| digits.parse::<u64>().map_err(|_| error.clone());
    // Nobody needs more than nine decimals, and they cannot overflow.
    if fraction.len() > 9 || whole.is_empty() {
        return Err(error);
    }
    let part = u128::from(parse(fraction)?) * u128::from(scale) / 10u128.pow(fraction.len() as u32);
    let all = u128::from(parse(whole)?) * u128::from(scale) + part;
    u64::try_from(all).map_err(|_| error.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes() {
        assert_eq!(time("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(time("30s"), Ok(Duration::from_secs(30)));
        assert_eq!(time("1.5h"), Ok(Duration::from_secs(5400)));
        assert_eq!(time("5 m"), Ok(Duration::from_secs(300)));
        assert_eq!(memory("2GB"), Ok(2_000_000_000));
        assert_eq!(memory("1GiB"), Ok(1 << 30));
        assert_eq!(memory("0.5mb"), Ok(500_000));
    }

    #[test]
    fn numbers() {
        assert_eq!((count("1"), count(" 50 "), number("0")), (Ok(1), Ok(50), Ok(0)));
        for text in ["", "0", "-1", "all", "1.5", "4294967296"] {
            assert_eq!(count(text), Err(UnitError { expected: "a number, 1 or more" }));
        }
    }

    #[test]
    fn what_is_no_time_or_size() {
        for text in ["", "s", "10", "-1s", "1x", "1.s", ".5s", "1.2.3s", "99999999999999999999s"] {
            assert!(time(text).is_err(), "{text}");
        }
        for text in ["2", "2G", "2 bytes", "99999999999TB", "1e3GB", "2GBGB"] {
            assert!(memory(text).is_err(), "{text}");
        }
        assert!(time(&format!("{}h", u64::MAX)).is_err());
    }
}
