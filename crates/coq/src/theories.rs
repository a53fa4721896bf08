//! The theories, which come with the program.

use flate2::read::GzDecoder;
use std::io::Read;
use std::sync::LazyLock;

/// A file of Coq that is the same for all certificates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theory {
    /// Its name; the file is called so, with `.v` at the end.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// The theories, each after those that it needs.
pub static THEORIES: LazyLock<Vec<Theory>> = LazyLock::new(|| {
    let mut all = String::new();
    let packed = include_bytes!(concat!(env!("OUT_DIR"), "/theories.gz"));
    GzDecoder::new(&packed[..]).read_to_string(&mut all).expect("a test reads the theories");
    let mut rest = all.as_str();
    std::iter::from_fn(|| {
        let (head, texts) = rest.split_once('\n')?;
        let (name, length) = head.split_once(' ')?;
        let (text, others) = texts.split_at_checked(length.parse().ok()?)?;
        rest = others;
        Some(Theory { name: name.to_string(), text: text.to_string() })
    })
    .collect()
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_theories_are_those_of_the_project() {
        let project = include_str!("../theories/_CoqProject");
        let listed = project.lines().filter_map(|line| line.strip_suffix(".v"));
        assert!(listed.eq(THEORIES.iter().map(|theory| theory.name.as_str())));
        let last = &THEORIES[THEORIES.len() - 1];
        assert_eq!(last.text, include_str!("../theories/Regions.v"));
    }
}
