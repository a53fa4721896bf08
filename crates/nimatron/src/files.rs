//! Files that are there whole or not at all.
//!
//! Whoever writes a file that others rely on writes it beside its place and moves it there when it is
//! complete, so that a full disk or a kill leaves the old one.

use std::collections::hash_map::RandomState;
use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, Hasher};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Who may read a new file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Readers {
    /// Whoever may read new files of this user.
    Usual,
    /// The user only, where the system knows users.
    Owner,
}

/// The path with a word added, after a dot: a place in the same directory for what is not finished.
pub fn beside(path: &Path, word: &str) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(".");
    name.push(word);
    PathBuf::from(name)
}

/// Has a file written at `partial` and moves it to `path` when it is complete. The two should be in one
/// directory. If something fails nothing new is left behind, and what was at `path` before stays.
///
/// A pipe or a device, such as `/dev/null`, is written to as it is: there is nothing to replace.
pub fn replace<E: From<io::Error>>(
    path: &Path,
    partial: &Path,
    readers: Readers,
    fill: impl FnOnce(&mut BufWriter<File>) -> Result<(), E>,
) -> Result<(), E> {
    if is_device(path) {
        let mut to = BufWriter::new(OpenOptions::new().write(true).open(path)?);
        fill(&mut to)?;
        return Ok(to.flush()?);
    }
    let written = write(partial, readers, fill).and_then(|()| Ok(fs::rename(partial, path)?));
    if written.is_err() {
        // What cannot be removed is left behind: the error itself is told.
        let _ = fs::remove_file(partial);
    }
    written
}

/// Whether something is there that is neither a file nor a directory.
pub fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|there| !there.is_file() && !there.is_dir())
}

fn write<E: From<io::Error>>(
    path: &Path,
    readers: Readers,
    fill: impl FnOnce(&mut BufWriter<File>) -> Result<(), E>,
) -> Result<(), E> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    if readers == Readers::Owner {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    #[cfg(not(unix))]
    let _ = readers;
    let mut to = BufWriter::new(options.open(path)?);
    fill(&mut to)?;
    to.flush()?;
    Ok(to.get_ref().sync_all()?)
}

/// As [`replace`], for bytes that are at hand; others may do the same at the same time, on other machines
/// as well, where processes may have the same number.
pub fn write_whole(path: &Path, readers: Readers, bytes: &[u8]) -> io::Result<()> {
    // Every state of hashing is another one.
    let chance = RandomState::new().build_hasher().finish();
    let partial = beside(path, &format!("{}-{chance:x}.partial", std::process::id()));
    replace(path, &partial, readers, |to| to.write_all(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_fails_leaves_the_old_one_and_nothing_else() {
        let place = std::env::temp_dir().join(format!("nimatron-files-{}", std::process::id()));
        fs::create_dir_all(&place).unwrap();
        let path = place.join("a.json");
        write_whole(&path, Readers::Usual, b"old").unwrap();
        let failed = replace(&path, &beside(&path, "new"), Readers::Usual, |to| {
            to.write_all(b"new")?;
            Err(io::Error::other("full"))
        });
        assert_eq!(failed.unwrap_err().to_string(), "full");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(&place).unwrap().count(), 1);
        write_whole(&path, Readers::Owner, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        fs::remove_dir_all(&place).unwrap();
    }

    /// By another name of it, so that nothing is lost if it is replaced after all.
    #[cfg(unix)]
    #[test]
    fn devices_are_written_to_and_stay() {
        let place = std::env::temp_dir().join(format!("nimatron-device-{}", std::process::id()));
        std::os::unix::fs::symlink("/dev/null", &place).unwrap();
        write_whole(&place, Readers::Usual, b"gone").unwrap();
        assert!(fs::symlink_metadata(&place).unwrap().is_symlink());
        assert_eq!(fs::read(&place).unwrap(), b"");
        fs::remove_file(&place).unwrap();
    }
}
