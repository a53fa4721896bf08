//! Lists that do not fit into memory, in a file of this rank's own.

use nimatron::crates::table::blocks::Shelf;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// A file that goes when it is dropped. It should be on a disk of the machine itself.
#[derive(Debug)]
pub(crate) struct Scratch {
    file: File,
    path: PathBuf,
    /// Numbers in the file.
    length: Mutex<u64>,
}

impl Scratch {
    pub(crate) fn new(dir: &Path, rank: usize) -> io::Result<Self> {
        fs::create_dir_all(dir)?;
        let path = dir.join(format!("nimatron-{}-{rank}.scratch", std::process::id()));
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(true).open(&path)?;
        Ok(Scratch { file, path, length: Mutex::new(0) })
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed is left behind: the work is done.
        let _ = fs::remove_file(&self.path);
    }
}

impl Shelf for Scratch {
    fn put(&self, list: &[u32]) -> io::Result<u64> {
        let mut length = self.length.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = list.iter().flat_map(|number| number.to_le_bytes()).collect();
        self.file.write_all_at(&bytes, 4 * *length)?;
        let at = *length;
        *length += list.len() as u64;
        Ok(at)
    }

    fn get(&self, at: u64, into: &mut [u32]) -> io::Result<()> {
        let mut bytes = vec![0u8; 4 * into.len()];
        self.file.read_exact_at(&mut bytes, 4 * at)?;
        let (fours, _) = bytes.as_chunks::<4>();
        into.iter_mut().zip(fours).for_each(|(number, four)| *number = u32::from_le_bytes(*four));
        Ok(())
    }
}
