//! Lists that do not fit into memory, in a file on a local disk.

use nimatron::crates::table::blocks::Shelf;
use std::fs::{File, OpenOptions, remove_file};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Mutex;

/// A file without a name: it is gone when the process ends, however that happens.
#[derive(Debug)]
pub(crate) struct FileShelf {
    file: File,
    numbers: Mutex<u64>,
}

impl FileShelf {
    /// A new file in this directory.
    pub(crate) fn new(dir: &Path, rank: usize) -> io::Result<Self> {
        std::fs::create_dir_all(dir)?;
        let path = dir.join(format!("nimatron-{}-{rank}.spill", std::process::id()));
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create_new(true).open(&path)?;
        remove_file(&path)?;
        Ok(FileShelf { file, numbers: Mutex::new(0) })
    }
}

impl Shelf for FileShelf {
    fn put(&self, list: &[u32]) -> io::Result<u64> {
        let mut numbers = crate::post::lock(&self.numbers);
        let bytes: Vec<u8> = list.iter().flat_map(|number| number.to_le_bytes()).collect();
        self.file.write_all_at(&bytes, 4 * *numbers)?;
        let at = *numbers;
        *numbers += list.len() as u64;
        Ok(at)
    }

    fn get(&self, at: u64, into: &mut [u32]) -> io::Result<()> {
        let mut bytes = vec![0u8; 4 * into.len()];
        self.file.read_exact_at(&mut bytes, 4 * at)?;
        for (number, bytes) in into.iter_mut().zip(bytes.as_chunks::<4>().0) {
            *number = u32::from_le_bytes(*bytes);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_got() {
        let dir = std::env::temp_dir();
        let shelf = FileShelf::new(&dir, 7).unwrap();
        assert_eq!(shelf.put(&[3, 1 << 31, 5]).unwrap(), 0);
        assert_eq!(shelf.put(&[]).unwrap(), 3);
        assert_eq!(shelf.put(&[9]).unwrap(), 3);
        let mut three = [0; 3];
        shelf.get(1, &mut three).unwrap();
        assert_eq!(three, [1 << 31, 5, 9]);
        assert!(shelf.get(2, &mut three).is_err());
    }
}
