//! Notes about certificates that were accepted on this machine.
//!
//! A note says that the checker of this version accepted a file with exactly these bytes. It is a
//! SHA-256 sum over a key that was made on this machine and never leaves it, the version of the checker
//! and the SHA-256 sum of the file. So a note cannot be made by somebody who does not know the key, and
//! is worth nothing elsewhere, for another version or for another file. Notes are kept in a
//! directory of their own, never in that of the certificates: a library that was copied or
//! unpacked brings no notes with it.

use crate::files::{Readers, write_whole};
use nimatron_verify::CHECKER;
use sha2::{Digest, Sha256};
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The name of the file with the key.
const KEY: &str = "key";

/// The length of the key in bytes.
const KEY_BYTES: usize = 32;

/// A directory for notes, with the key of this machine.
#[derive(Clone, Debug)]
pub struct Notes {
    directory: PathBuf,
}

impl Notes {
    /// The notes in this directory, which need not exist yet. It should be one that only the user can
    /// write to.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Notes { directory: directory.into() }
    }

    /// The directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Whether these bytes were accepted before, here and by this version of the checker.
    pub(super) fn hold(&self, bytes: &[u8]) -> bool {
        let Some(key) = self.key() else { return false };
        let (name, note) = note(&key, bytes);
        let found = fs::File::open(self.directory.join(name)).and_then(|file| {
            let mut text = String::new();
            file.take(note.len() as u64 + 1).read_to_string(&mut text).map(|_| text)
        });
        found.is_ok_and(|text| text == note)
    }

    /// Notes that these bytes were accepted.
    pub(super) fn add(&self, bytes: &[u8]) -> io::Result<()> {
        fs::create_dir_all(&self.directory)?;
        let key = match self.key() {
            Some(key) => key,
            None => self.make_key()?,
        };
        let (name, note) = note(&key, bytes);
        write_whole(&self.directory.join(name), Readers::Owner, note.as_bytes())
    }

    fn key(&self) -> Option<[u8; KEY_BYTES]> {
        let mut key = Vec::new();
        let file = fs::File::open(self.directory.join(KEY)).ok()?;
        file.take(KEY_BYTES as u64 + 1).read_to_end(&mut key).ok()?;
        key.try_into().ok()
    }

    fn make_key(&self) -> io::Result<[u8; KEY_BYTES]> {
        let key = random()?;
        write_whole(&self.directory.join(KEY), Readers::Owner, &key)?;
        Ok(key)
    }
}

#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
fn random() -> io::Result<[u8; KEY_BYTES]> {
    let mut key = [0; KEY_BYTES];
    getrandom::fill(&mut key).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(key)
}

/// Here there are neither files nor chance.
#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
fn random() -> io::Result<[u8; KEY_BYTES]> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The name of a note and its text.
fn note(key: &[u8; KEY_BYTES], bytes: &[u8]) -> (String, String) {
    let file = Sha256::digest(bytes);
    // All parts but the last have a fixed length, and the last one is ours.
    let note = Sha256::new().chain_update(key).chain_update(file).chain_update(CHECKER).finalize();
    (format!("{}.accepted", hexadecimal(&file)), hexadecimal(&note))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
