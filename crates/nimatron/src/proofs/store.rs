//! Certificates kept in a directory.
//!
//! A certificate is checked completely before it is added. Its file is named after the game, in words
//! that stay the same from version to version (`key` says which), so that it is found again for the
//! same game under other names of the stacks.
//!
//! When a certificate is used, it is checked completely once more; unless it has more than
//! [`RECHECKED`] bytes and [`Notes`], kept elsewhere, say that exactly this file was accepted before, on
//! this machine and by this version of the checker. So a directory that came from somewhere else is
//! always checked again, and who can write to the directory can add what is true, but nothing false.

use super::examine::read_certificate;
use super::key::{former_key, key};
use super::notes::Notes;
use super::proved::{Answer, NotAccepted, Proved};
use crate::files::{Readers, write_whole};
use nimatron_game::symmetry::{Relabelling, find_isomorphism};
use nimatron_game::{Game, Height, Play, Position, Rule, Take};
use nimatron_verify::{Certificate, MAX_BYTES, ReadError};
use std::fmt;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Certificates up to this many bytes are checked whenever they are used, notes or not.
pub const RECHECKED: usize = 1 << 18;

/// A directory of certificates.
#[derive(Clone, Debug)]
pub struct Store {
    directory: PathBuf,
    notes: Option<Notes>,
}

/// Why a store could not be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// A file could not be read or written.
    #[error("{path}: {error}")]
    File {
        /// The file or directory.
        path: PathBuf,
        /// What went wrong.
        error: io::Error,
    },
    /// A file is no certificate.
    #[error("{path}: {error}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: ReadError,
    },
    /// A certificate is not accepted.
    #[error("{path}: {error}")]
    NotAccepted {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: NotAccepted,
    },
    /// A file is about another game than its name says.
    #[error("{path}: about another game than its name says")]
    Misplaced {
        /// The file.
        path: PathBuf,
    },
    /// A proof gave no answer that stands a test: it is not used any more.
    #[error("{place}: no answer at {position} stood the test, so the proof is not used")]
    Unreliable {
        /// Where the proof is kept.
        place: Source,
        /// The position, in the stacks asked about.
        position: Position,
    },
    /// Sums of games are not kept.
    #[error("proofs about sums of games are not kept")]
    Sum,
}

/// A proof that is kept, in the stacks of the game asked about.
#[derive(Debug)]
pub struct Stored {
    proved: Proved,
    source: Source,
    /// From the stacks asked about to those of the certificate.
    relabelling: Relabelling,
}

/// Where a proof is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Source {
    /// In a file of a store.
    File(PathBuf),
    /// In the atlas that comes with the program.
    Atlas,
    /// Nowhere: it was found just now.
    Found,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::File(path) => path.display().fmt(f),
            Source::Atlas => f.write_str("atlas"),
            Source::Found => f.write_str("found"),
        }
    }
}

impl Store {
    /// The store in this directory, which need not exist yet. Whatever is used is checked.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Store { directory: directory.into(), notes: None }
    }

    /// The store with notes about long certificates, so that these need not be checked at every use.
    /// Notes inside the directory of the store do not count: they may have come with it.
    #[must_use]
    pub fn with_notes(mut self, notes: Notes) -> Self {
        let place =
            |path: &Path| fs::canonicalize(path).or_else(|_| std::path::absolute(path)).ok();
        let inside = match (place(notes.directory()), place(&self.directory)) {
            (Some(notes), Some(store)) => notes.starts_with(store),
            _ => true,
        };
        self.notes = (!inside).then_some(notes);
        self
    }

    /// The directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Keeps a proof, in place of an older one about the same game. Returns its file.
    pub fn add(&self, proved: &Proved) -> Result<PathBuf, StoreError> {
        let rule = proved.game().single().ok_or(StoreError::Sum)?;
        let path = self.path(rule, proved.game().convention());
        let in_directory = |error| StoreError::File { path: self.directory.clone(), error };
        fs::create_dir_all(&self.directory).map_err(in_directory)?;
        let text = proved.text();
        let in_file = |error| StoreError::File { path: path.clone(), error };
        write_whole(&path, Readers::Usual, &text).map_err(in_file)?;
        if let Some(notes) = self.notes.as_ref().filter(|_| text.len() > RECHECKED) {
            let in_notes =
                |error| StoreError::File { path: notes.directory().to_path_buf(), error };
            notes.add(&text).map_err(in_notes)?;
        }
        Ok(path)
    }

    /// The proof about a rule, if there is one.
    pub fn find(&self, rule: &Rule, play: Play) -> Result<Option<Stored>, StoreError> {
        if !self.directory.is_dir() {
            return Ok(None);
        }
        let Some((path, text)) = self.read(rule, play)? else { return Ok(None) };
        let certificate = match read_certificate(&text[..]) {
            Ok(certificate) => certificate,
            Err(error) => return Err(StoreError::Unreadable { path, error }),
        };
        if relabelling(rule, play, &certificate).is_none() {
            return Err(StoreError::Misplaced { path });
        }
        let notes = self.notes.as_ref().filter(|_| text.len() > RECHECKED);
        let accepted = match notes.is_some_and(|notes| notes.hold(&text)) {
            true => Proved::trusting(certificate).ok_or(NotAccepted::Unusable),
            false => Proved::accept(certificate),
        };
        if let (Ok(_), Some(notes)) = (&accepted, notes) {
            // Without a note it is checked again the next time.
            let _ = notes.add(&text);
        }
        match accepted {
            Ok(proved) => Ok(Stored::new(rule, play, proved, Source::File(path))),
            Err(error) => Err(StoreError::NotAccepted { path, error }),
        }
    }

    /// The games of which proofs are kept, as far as they can be read.
    pub fn games(&self) -> Vec<Game> {
        let Ok(files) = fs::read_dir(&self.directory) else { return Vec::new() };
        let paths = files.filter_map(|file| Some(file.ok()?.path()));
        let mut paths: Vec<PathBuf> =
            paths.filter(|path| path.extension().is_some_and(|e| e == "json")).collect();
        paths.sort_unstable();
        let certificate = |path: &PathBuf| Certificate::read(&read(path).ok()?[..]).ok();
        paths.iter().filter_map(|path| Some(certificate(path)?.game)).collect()
    }

    /// The file about a rule, under its name or else the one that earlier versions gave it.
    fn read(&self, rule: &Rule, play: Play) -> Result<Option<(PathBuf, Vec<u8>)>, StoreError> {
        let former = former_key(rule, play).map(|key| self.directory.join(key + ".json"));
        for path in [Some(self.path(rule, play)), former].into_iter().flatten() {
            match read(&path) {
                Ok(text) => return Ok(Some((path, text))),
                Err(ReadError::Io(error)) if error.kind() == io::ErrorKind::NotFound => {}
                Err(ReadError::Io(error)) => return Err(StoreError::File { path, error }),
                Err(error) => return Err(StoreError::Unreadable { path, error }),
            }
        }
        Ok(None)
    }

    fn path(&self, rule: &Rule, play: Play) -> PathBuf {
        self.directory.join(key(rule, play) + ".json")
    }
}

impl Stored {
    /// A proof about a rule; `None` if it is about another one.
    pub(crate) fn new(rule: &Rule, play: Play, proved: Proved, source: Source) -> Option<Self> {
        let relabelling = relabelling(rule, play, proved.certificate())?;
        Some(Stored { proved, source, relabelling })
    }

    /// The proof, in the stacks of its certificate.
    pub fn proved(&self) -> &Proved {
        &self.proved
    }

    /// Where it is kept.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// From the stacks asked about to those of the certificate.
    pub fn relabelling(&self) -> &Relabelling {
        &self.relabelling
    }

    /// Who wins and how, tested at this position: see [`Proved::answer`]. `None` shows that the proof
    /// is not to be used.
    ///
    /// # Panics
    /// If there are not as many heights as stacks.
    pub fn answer(&self, heights: &[Height]) -> Option<Answer> {
        let Answer { outcome, take, steps } =
            self.proved.answer(&self.relabelling.apply(heights))?;
        let take = take.map(|take| Take::new(self.relabelling.inverse().apply(&take)));
        Some(Answer { outcome, take, steps })
    }
}

/// From the stacks of a rule to those of a certificate about the same game.
fn relabelling(rule: &Rule, play: Play, certificate: &Certificate) -> Option<Relabelling> {
    let own = certificate.game.single()?;
    let alike = certificate.game.convention() == play && rule.on(own.sets().clone()) == *own;
    if !alike {
        return None;
    }
    find_isomorphism(rule.sets(), own.sets())
}

/// Reads a file that is no longer than a certificate can be, and no pipe or device.
fn read(path: &Path) -> Result<Vec<u8>, ReadError> {
    let about = fs::metadata(path)?;
    if !about.is_file() {
        return Err(io::Error::other("not a plain file").into());
    }
    if about.len() > MAX_BYTES {
        return Err(ReadError::TooLong);
    }
    let mut text = Vec::new();
    fs::File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut text)?;
    Ok(text)
}
