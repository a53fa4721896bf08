//! Certificates kept in a directory.
//!
//! A certificate is checked completely before it is added. Its file is named after the game, so that
//! it is found again for the same game under other names of the stacks. Beside it a small file
//! with the ending `accepted` holds a checksum of what was checked.
//!
//! When a certificate is used, one of up to [`RECHECKED`] bytes is checked completely once more; a
//! longer one is taken as it is if the checksum agrees, and checked completely otherwise. The checksum
//! guards against damage, not against malice: who can write to the directory can write both files.
//! `nimatron verify` on the files trusts nothing.

use super::key::{checksum, key};
use super::proved::{NotAccepted, Proved};
use nimatron_game::symmetry::{Relabelling, find_isomorphism};
use nimatron_game::{Height, Outcome, Play, Rule, Take};
use nimatron_verify::{Certificate, ReadError};
use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Certificates up to this many bytes are checked whenever they are used.
pub const RECHECKED: usize = 1 << 18;

/// A directory of certificates.
#[derive(Clone, Debug)]
pub struct Store {
    directory: PathBuf,
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
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::File(path) => path.display().fmt(f),
            Source::Atlas => f.write_str("atlas"),
        }
    }
}

impl Store {
    /// The store in this directory, which need not exist yet.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Store { directory: directory.into() }
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
        // While only one of the two is new the checksum does not agree, and all is checked.
        write(&path, &text)?;
        write(&path.with_extension("accepted"), checksum(&text).as_bytes())?;
        Ok(path)
    }

    /// The proof about a rule, if there is one.
    pub fn find(&self, rule: &Rule, play: Play) -> Result<Option<Stored>, StoreError> {
        if !self.directory.is_dir() {
            return Ok(None);
        }
        let path = self.path(rule, play);
        let text = match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(StoreError::File { path, error }),
            Ok(text) => text,
        };
        let certificate = match Certificate::read(&text[..]) {
            Ok(certificate) => certificate,
            Err(error) => return Err(StoreError::Unreadable { path, error }),
        };
        if relabelling(rule, play, &certificate).is_none() {
            return Err(StoreError::Misplaced { path });
        }
        let noted = || fs::read_to_string(path.with_extension("accepted")).unwrap_or_default();
        let accepted = match text.len() > RECHECKED && noted() == checksum(&text) {
            true => Proved::trusting(certificate).ok_or(NotAccepted::Unusable),
            false => Proved::accept(certificate),
        };
        match accepted {
            Ok(proved) => Ok(Stored::new(rule, play, proved, Source::File(path))),
            Err(error) => Err(StoreError::NotAccepted { path, error }),
        }
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

    /// Who wins.
    pub fn outcome(&self, heights: &[Height]) -> Outcome {
        self.proved.outcome(&self.relabelling.apply(heights))
    }

    /// A move to a P-position; `None` from a P-position and where no move is left.
    pub fn winning_move(&self, heights: &[Height]) -> Option<Take> {
        let take = self.proved.winning_move(&self.relabelling.apply(heights))?;
        Some(Take::new(self.relabelling.inverse().apply(&take)))
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

/// Writes a file beside its place and moves it there when it is complete.
fn write(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let mut partial = path.as_os_str().to_os_string();
    partial.push(format!(".{}.partial", std::process::id()));
    let partial = PathBuf::from(partial);
    let written = fs::File::create(&partial)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&partial, path));
    written.map_err(|error| {
        let _ = fs::remove_file(&partial);
        StoreError::File { path: path.to_path_buf(), error }
    })
}
