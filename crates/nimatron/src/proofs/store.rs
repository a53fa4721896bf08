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

use super::proved::{NotAccepted, Proved};
use nimatron_game::symmetry::{Relabelling, canonical_form, find_isomorphism};
use nimatron_game::{Height, Outcome, Play, Rule, Take};
use nimatron_reduce::name;
use nimatron_verify::{Certificate, ReadError};
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

/// A proof from the store, in the stacks of the game asked about.
#[derive(Debug)]
pub struct Stored {
    proved: Proved,
    path: PathBuf,
    /// From the stacks asked about to those of the certificate.
    relabelling: Relabelling,
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
        let Some(relabelling) = relabelling(rule, play, &certificate) else {
            return Err(StoreError::Misplaced { path });
        };
        let noted = || fs::read_to_string(path.with_extension("accepted")).unwrap_or_default();
        let accepted = match text.len() > RECHECKED && noted() == checksum(&text) {
            true => Proved::trusting(certificate).ok_or(NotAccepted::Unusable),
            false => Proved::accept(certificate),
        };
        match accepted {
            Ok(proved) => Ok(Some(Stored { proved, path, relabelling })),
            Err(error) => Err(StoreError::NotAccepted { path, error }),
        }
    }

    fn path(&self, rule: &Rule, play: Play) -> PathBuf {
        self.directory.join(file_name(rule, play))
    }
}

impl Stored {
    /// The proof, in the stacks of its certificate.
    pub fn proved(&self) -> &Proved {
        &self.proved
    }

    /// Its file.
    pub fn path(&self) -> &Path {
        &self.path
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

/// `CN-9-4.json`; games without a name go by a checksum of their canonical form.
fn file_name(rule: &Rule, play: Play) -> String {
    let sets = match name(rule.sets()) {
        Some((family, _)) => family.to_string(),
        None => {
            let (form, _) = canonical_form(rule.sets(), None);
            let sets: Vec<String> = form.iter().map(|set| set.bits().to_string()).collect();
            format!("Set {} {}", form.stacks(), checksum(sets.join(",").as_bytes()))
        }
    };
    let moves = match rule.is_set_nim() {
        true => String::new(),
        false => format!(" {:?} {:?} {:?}", rule.choice(), rule.each(), rule.total()),
    };
    let misere = if play == Play::Misere { "misere " } else { "" };
    let text = format!("{misere}{sets}{moves}");
    let words: Vec<&str> =
        text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty()).collect();
    words.join("-") + ".json"
}

/// FNV-1a with 128 bits, in hexadecimal digits.
fn checksum(bytes: &[u8]) -> String {
    let start = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d_u128;
    let prime = 0x0000_0000_0100_0000_0000_0000_0000_013b_u128;
    let sum = bytes.iter().fold(start, |sum, &b| (sum ^ u128::from(b)).wrapping_mul(prime));
    format!("{sum:032x}")
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
