//! Positions, moves and boxes as they are asked about: a list of numbers, or text.

use serde::de::{self, Deserialize, Deserializer, SeqAccess, Visitor};
use std::fmt;

/// Heights of stacks, or tokens taken from them, before they are read: as a list `[3,5,4]`, or as text
/// `"3,5,4"`. A single number is a list of one.
///
/// It is kept as text, for there is one reader, whose complaints point at the problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heights(pub String);

impl From<&str> for Heights {
    fn from(text: &str) -> Self {
        Heights(text.to_string())
    }
}

impl<'de> Deserialize<'de> for Heights {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Heights;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("heights: a list of integers such as [3,5,4], or text such as \"3,5,4\"")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Heights, E> {
        Ok(Heights(text.to_string()))
    }

    fn visit_u64<E: de::Error>(self, height: u64) -> Result<Heights, E> {
        Ok(Heights(height.to_string()))
    }

    fn visit_i64<E: de::Error>(self, height: i64) -> Result<Heights, E> {
        // Negative numbers are for the reader of positions to refuse.
        Ok(Heights(height.to_string()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Heights, A::Error> {
        let mut text = String::new();
        while let Some(Integer(digits)) = list.next_element()? {
            if !text.is_empty() {
                text.push(',');
            }
            text += &digits;
        }
        Ok(Heights(text))
    }
}

/// An integer in digits.
struct Integer(String);

impl<'de> Deserialize<'de> for Integer {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Digits;
        impl Visitor<'_> for Digits {
            type Value = Integer;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an integer")
            }

            fn visit_u64<E: de::Error>(self, height: u64) -> Result<Integer, E> {
                Ok(Integer(height.to_string()))
            }

            fn visit_i64<E: de::Error>(self, height: i64) -> Result<Integer, E> {
                Ok(Integer(height.to_string()))
            }
        }
        from.deserialize_any(Digits)
    }
}
