//! The theories, which come with the program.

/// A file of Coq that is the same for all certificates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theory {
    /// Its name; the file is called so, with `.v` at the end.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

macro_rules! theories {
    ($($name:literal),*) => {
        [$(Theory {
            name: $name,
            text: include_str!(concat!("../theories/", $name, ".v")),
        }),*]
    };
}

/// The theories, each after those that it needs.
pub const THEORIES: [Theory; 12] = theories!(
    "Game",
    "Solution",
    "Sets",
    "Linear",
    "Trees",
    "Matryoshka",
    "Digits",
    "Automaton",
    "Readable",
    "Constraints",
    "RegionChecker",
    "Regions"
);
