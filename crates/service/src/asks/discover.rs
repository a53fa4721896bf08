//! The P-positions, found and proved for all heights.

use super::{Found, request};
use crate::failure::Failure;
use crate::host::Host;
use crate::read;
use crate::status::Status;
use crate::units::{Size, Time};
use crate::word::word;
use nimatron::Stop;
use nimatron::proofs::{DiscoverMethod, Discovery, Search, discover_with};
use nimatron::render::{ProofAnswer, Written, json};

request! {
    /// Find the P-positions of a game and prove them, for all heights.
    pub struct Discover {
        /// The game.
        pub game: String,
        /// How to look.
        #[serde(default)]
        pub method: Method,
        /// Do not look for a formula for what an automaton accepts.
        #[serde(default)]
        pub no_formula: bool,
        /// Put the certificate into the answer, as `certificate_text`.
        #[serde(default)]
        pub certificate: bool,
        /// Stop after this time; 45 seconds if not given.
        pub time: Option<Time>,
        /// Stop when this much memory is used; 4 GB if not given.
        pub memory: Option<Size>,
    }
}

word! {
    /// How to look for a proof.
    #[derive(Default)]
    #[cfg_attr(test, schemars(rename = "DiscoverMethod"))]
    pub enum Method {
        /// Matryoshka, and automata where it finds nothing.
        #[default]
        Auto = "auto",
        /// Sums of 0/1 vectors, by games within games.
        Matryoshka = "matryoshka",
        /// A finite automaton that reads binary digits.
        Automata = "automata",
    }
}

/// What came of it.
#[derive(Debug)]
pub struct Discovered {
    /// The proof, or what was tried.
    pub discovery: Discovery,
    /// Where the certificate was written to.
    pub written: Written,
}

impl Discover {
    /// The proof, or what was tried.
    pub fn find(&self, host: &Host) -> Result<Discovered, Failure> {
        let game = read::game(&self.game)?;
        let method = match self.method {
            Method::Auto => DiscoverMethod::Auto,
            Method::Matryoshka => DiscoverMethod::Matryoshka,
            Method::Automata => DiscoverMethod::Automata,
        };
        let search = Search { method, formula: !self.no_formula, ..Search::default() };
        let discovery = discover_with(&game, &search, &host.proving(self.time, self.memory));
        let mut written = Written::default();
        if let (true, Some(found)) = (self.certificate, &discovery.found) {
            written.text = Some(String::from_utf8_lossy(&found.proved.text()).into_owned());
        }
        Ok(Discovered { discovery, written })
    }
}

impl Found for Discovered {
    fn status(&self) -> Status {
        match (&self.discovery.found, self.discovery.stop) {
            (Some(_), _) => Status::Answered,
            (None, Some(Stop::Cancelled)) => Status::Interrupted,
            (None, _) => Status::Undecided,
        }
    }

    fn json(&self) -> String {
        json::to_string(&ProofAnswer::of_discovery(&self.discovery, &self.written))
    }
}
