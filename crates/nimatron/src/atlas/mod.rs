//! The atlas: what is known about all small games, as data that comes with the program.
//!
//! It holds every SetNim game on up to [`MAX_LISTED`] stacks, one of each kind up to relabelling;
//! the circular games CN(n,k) with n up to [`MAX_CIRCULAR`], and the slow games Slow(n,A) with n up to
//! [`MAX_SLOW`], under normal and misere play. For each it says whether a theorem of
//! the library covers it, and holds a certificate where [`discover`](crate::proofs::discover) found
//! a proof; for the others it says how far the search went. [`Knowledge`] takes
//! proofs from here, so these games are answered at any height.
//!
//! ```
//! use nimatron::atlas::{Atlas, Status};
//! let atlas = Atlas::shipped();
//! assert_eq!(atlas.systems(4).count(), 20);
//! let game: nimatron::Game = "CN(9,4)".parse().unwrap();
//! let entry = atlas.find(game.single().unwrap(), game.convention()).unwrap();
//! assert!(matches!(atlas.status(entry), Status::Theorem(_)));
//! assert!(entry.proof.is_some(), "a second witness");
//! ```
//!
//! The data are two files: `atlas.jsonl`, one game per line, and `certificates.jsonl.gz`, one certificate
//! per line, each compressed by itself. [`Survey`] makes the entries anew, [`Atlas::audit`]
//! checks what an entry claims.

mod audit;
mod entry;
mod survey;

pub use audit::Flaw;
pub use entry::{Cited, Entry, Obstruction, Place, ProofEntry, Reached};
pub use survey::{Survey, games, systems};

use crate::knowledge::Knowledge;
use crate::proofs::{Proved, key, read_certificate};
use flate2::read::GzDecoder;
use nimatron_game::symmetry::MAX_LISTED;
use nimatron_game::{Family, Game, Play, Rule};
use nimatron_theory::peeling::Circle;
use nimatron_theory::{Scope, recognise};
use nimatron_verify::{Certificate, MAX_BYTES, ReadError};
use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Read};
use std::sync::OnceLock;

/// The most stacks of a circular game of the atlas.
pub const MAX_CIRCULAR: usize = 12;

/// The most stacks of a slow game of the atlas.
pub const MAX_SLOW: usize = 5;

/// The names of the two files.
pub const FILES: [&str; 2] = ["atlas.jsonl", "certificates.jsonl.gz"];

/// What is known about all small games.
#[derive(Debug)]
pub struct Atlas {
    entries: Vec<Entry>,
    certificates: Cow<'static, [u8]>,
    places: HashMap<String, usize>,
}

/// What is known about a game.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Status<'a> {
    /// Theorems of the library cover it, or what is left of it by reductions.
    Theorem(&'a [Cited]),
    /// It was proved here.
    Proved(&'a ProofEntry),
    /// What is left of it by reductions was proved here.
    Reduced(&'a Entry, &'a ProofEntry),
    /// Neither.
    Open,
}

/// Why an atlas could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AtlasError {
    /// A line is no entry.
    #[error("line {line} of the atlas: {error}")]
    Line {
        /// The number of the line.
        line: usize,
        /// What is wrong.
        error: serde_json::Error,
    },
    /// A certificate is not where it should be.
    #[error("the certificate of {game} is missing")]
    Missing {
        /// The game.
        game: Game,
    },
    /// A certificate cannot be read.
    #[error("the certificate of {game}: {error}")]
    Certificate {
        /// The game.
        game: Game,
        /// What is wrong.
        error: ReadError,
    },
}

/// What is known about a circular game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Frontier {
    /// A theorem of the library covers it.
    Theorem,
    /// It was proved here.
    Proved,
    /// There is a conjecture about all its positions, proved for some of them.
    Conjectured,
    /// Nothing.
    Open,
}

/// The lines of the atlas that comes with the program, and its certificates.
#[cfg(not(nimatron_atlas_stored))]
fn files() -> (Cow<'static, str>, &'static [u8]) {
    let packed = include_bytes!(concat!(env!("OUT_DIR"), "/atlas.jsonl.gz"));
    let mut lines = String::new();
    GzDecoder::new(&packed[..]).read_to_string(&mut lines).expect("a test reads the atlas");
    (lines.into(), include_bytes!("../../atlas/certificates.jsonl.gz"))
}

/// The same without compression, for a program that is compressed as a whole before it is sent: apps/wasm makes
/// the files, and says where they are.
#[cfg(nimatron_atlas_stored)]
fn files() -> (Cow<'static, str>, &'static [u8]) {
    let certificates = include_bytes!(concat!(env!("NIMATRON_ATLAS"), "/certificates.jsonl.gz"));
    (include_str!(concat!(env!("NIMATRON_ATLAS"), "/atlas.jsonl")).into(), certificates)
}

impl Atlas {
    /// The atlas that comes with the program.
    pub fn shipped() -> &'static Atlas {
        static SHIPPED: OnceLock<Atlas> = OnceLock::new();
        SHIPPED.get_or_init(|| {
            let (lines, certificates) = files();
            Atlas::read(&lines, certificates).expect("a test reads the atlas")
        })
    }

    /// An atlas, by the contents of its two files.
    pub fn read(
        lines: &str,
        certificates: impl Into<Cow<'static, [u8]>>,
    ) -> Result<Self, AtlasError> {
        let entries = lines.lines().enumerate().map(|(number, line)| {
            serde_json::from_str(line).map_err(|error| AtlasError::Line { line: number + 1, error })
        });
        let entries: Vec<Entry> = entries.collect::<Result<_, _>>()?;
        let places = entries.iter().enumerate().map(|(place, e)| (e.id.clone(), place)).collect();
        Ok(Atlas { entries, certificates: certificates.into(), places })
    }

    /// Puts surveyed games together. Returns the contents of the two files.
    pub fn assemble(surveys: Vec<Survey>) -> io::Result<(String, Vec<u8>)> {
        let (mut lines, mut certificates) = (String::new(), Vec::new());
        for survey in surveys {
            let (line, member) = survey.written(certificates.len() as u64)?;
            lines += &line;
            certificates.extend(member);
        }
        Ok((lines, certificates))
    }

    /// All games, by the number of stacks; the circular games that are not among the small ones
    /// come last.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The SetNim games on `n` stacks, if these are listed completely.
    pub fn systems(&self, n: usize) -> impl Iterator<Item = &Entry> {
        let on_n = move |e: &&Entry| n <= MAX_LISTED && e.game.stacks() == n;
        self.entries.iter().filter(|e| !e.is_slow()).filter(on_n)
    }

    /// The slow games on `n` stacks, under normal or misere play.
    pub fn slow(&self, n: usize, play: Play) -> impl Iterator<Item = &Entry> {
        let wanted = move |e: &&Entry| e.game.stacks() == n && e.game.convention() == play;
        self.entries.iter().filter(|e| e.is_slow()).filter(wanted)
    }

    /// The game CN(n,k); `None` if there is no such game or it is not here.
    pub fn circular(&self, n: usize, k: usize) -> Option<&Entry> {
        let game = Game::new(Family::Circular { n, k }).ok()?;
        self.find(game.single()?, Play::Normal)
    }

    /// What is known about CN(n,k), for any number of stacks: where the atlas ends, by theorem.
    pub fn frontier(&self, n: usize, k: usize) -> Frontier {
        let entry = self.circular(n, k).filter(|_| n <= MAX_CIRCULAR);
        if let Some(entry) = entry {
            return match self.status(entry) {
                Status::Theorem(_) => Frontier::Theorem,
                Status::Open => Frontier::Open,
                _ => Frontier::Proved,
            };
        }
        let Ok(game) = Game::new(Family::Circular { n, k }) else { return Frontier::Open };
        let Some(rule) = game.single() else { return Frontier::Open };
        match (Knowledge::theorems().solved(&game), Circle::of(rule, Play::Normal)) {
            (Some(_), _) => Frontier::Theorem,
            (None, Some(_)) => Frontier::Conjectured,
            (None, None) => Frontier::Open,
        }
    }

    /// The entry about a rule, whatever the stacks are called.
    pub fn find(&self, rule: &Rule, play: Play) -> Option<&Entry> {
        let held = match rule.is_set_nim() {
            true => rule.stacks() <= MAX_CIRCULAR && play == Play::Normal,
            false => rule.stacks() <= MAX_SLOW,
        };
        if !held {
            return None;
        }
        self.places.get(&key(rule, play)).map(|&place| &self.entries[place])
    }

    /// What is known about a game.
    pub fn status<'a>(&'a self, entry: &'a Entry) -> Status<'a> {
        if !entry.theorems.is_empty() {
            return Status::Theorem(&entry.theorems);
        }
        if let Some(proof) = &entry.proof {
            return Status::Proved(proof);
        }
        let rule = entry.reduced.as_ref().and_then(Game::single);
        let reduced = rule.and_then(|rule| self.find(rule, entry.game.convention()));
        match reduced.and_then(|r| Some((r, r.proof.as_ref()?))) {
            Some((reduced, proof)) => Status::Reduced(reduced, proof),
            None => Status::Open,
        }
    }

    /// The certificate of a game, as it is written to a file, if there is one.
    pub fn certificate_text(&self, entry: &Entry) -> Result<Option<Vec<u8>>, AtlasError> {
        let Some(member) = self.member(entry)? else { return Ok(None) };
        let mut text = Vec::new();
        match GzDecoder::new(member).take(MAX_BYTES + 1).read_to_end(&mut text) {
            Ok(_) if text.len() as u64 > MAX_BYTES => Err(unreadable(entry, ReadError::TooLong)),
            Ok(_) => Ok(Some(text)),
            Err(error) => Err(unreadable(entry, error.into())),
        }
    }

    /// The certificate of a game, if there is one. It is not checked here.
    pub fn certificate(&self, entry: &Entry) -> Result<Option<Certificate>, AtlasError> {
        let Some(member) = self.member(entry)? else { return Ok(None) };
        let read = read_certificate(GzDecoder::new(member));
        read.map(Some).map_err(|error| unreadable(entry, error))
    }

    /// The P-positions of a game as a formula, in the stacks of its entry: that of the theorem, or that
    /// of the certificate. `None` if neither has one; an automaton need not.
    pub fn formula(&self, entry: &Entry) -> Option<String> {
        let theorem = recognise(entry.game.single()?, entry.game.convention());
        let own = theorem.filter(|t| t.relabelling.is_identity() && t.scope == Scope::Game);
        let proved = || Proved::trusting(self.certificate(entry).ok()??)?.formula();
        own.and_then(|t| t.solution().formula()).or_else(proved)
    }

    /// The formula in the certificate of a game, if it has one: what an automaton accepts or what vectors
    /// span, told in other words. Nothing is taken from the theorem library.
    pub fn formula_of_proof(&self, entry: &Entry) -> Option<String> {
        let proved = Proved::trusting(self.certificate(entry).ok()??)?;
        proved.formula().filter(|_| proved.has_formula())
    }

    /// The compressed certificate.
    fn member(&self, entry: &Entry) -> Result<Option<&[u8]>, AtlasError> {
        let Some(proof) = &entry.proof else { return Ok(None) };
        let Place { offset, length } = proof.place;
        let bounds = usize::try_from(offset).ok().zip(usize::try_from(length).ok());
        let member = bounds.and_then(|(offset, length)| {
            self.certificates.get(offset..offset.checked_add(length)?)
        });
        member.map(Some).ok_or_else(|| AtlasError::Missing { game: entry.game.clone() })
    }
}

fn unreadable(entry: &Entry, error: ReadError) -> AtlasError {
    AtlasError::Certificate { game: entry.game.clone(), error }
}
