//! Certificates on their way to files and to the store.

use nimatron::files::{Readers, beside, write_whole};
use nimatron::proofs::{Notes, Proved, Store, StoreError};
use nimatron::render::Written;
use nimatron::{Game, Knowledge};
use nimatron_service::Failure;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Where a certificate is to go.
#[derive(Debug, clap::Args)]
pub(crate) struct OutArgs {
    /// Write the certificate to this file
    #[arg(long, value_name = "CERT")]
    out: Option<PathBuf>,
    /// Overwrite files that exist
    #[arg(long)]
    force: bool,
    /// Keep the certificate for later questions
    #[arg(long)]
    save: bool,
    #[command(flatten)]
    library: LibraryArgs,
}

/// The store of proofs.
#[derive(Debug, clap::Args)]
pub(crate) struct LibraryArgs {
    /// The directory of proofs [default: nimatron in the user's data directory]
    #[arg(long, value_name = "DIR")]
    library: Option<PathBuf>,
}

impl LibraryArgs {
    /// The store, if a directory is named or the system has a place for one.
    pub(crate) fn store(&self) -> Option<Store> {
        let store = self.library.clone().or_else(data_directory).map(Store::new)?;
        Some(match state_directory() {
            Some(state) => store.with_notes(Notes::new(state)),
            None => store,
        })
    }

    /// What is known: the theorem library, the atlas, and the proofs of the store.
    pub(crate) fn knowledge(&self) -> Knowledge {
        self.store().map_or_else(Knowledge::default, Knowledge::with_store)
    }
}

/// `$XDG_DATA_HOME/nimatron`, or `~/.local/share/nimatron`; on Windows `%APPDATA%\nimatron`.
fn data_directory() -> Option<PathBuf> {
    directory("XDG_DATA_HOME", "share", "APPDATA")
}

/// `$XDG_STATE_HOME/nimatron`, or `~/.local/state/nimatron`; on Windows `%LOCALAPPDATA%\nimatron`.
fn state_directory() -> Option<PathBuf> {
    directory("XDG_STATE_HOME", "state", "LOCALAPPDATA")
}

/// A directory of this user, by the name of a variable, of a directory below `~/.local`, and of a variable
/// on Windows.
fn directory(variable: &str, local: &str, windows: &str) -> Option<PathBuf> {
    let named = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|p| p.is_absolute());
    let home = || Some(named("HOME")?.join(".local").join(local));
    let windows = || if cfg!(windows) { named(windows) } else { None };
    Some(named(variable).or_else(windows).or_else(home)?.join("nimatron"))
}

/// `$XDG_CACHE_HOME/nimatron`, or `~/.cache/nimatron`; on Windows `%LOCALAPPDATA%\nimatron`; where
/// there is no such place, one for temporary files.
pub(crate) fn cache_directory() -> PathBuf {
    let named = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|p| p.is_absolute());
    let home = || Some(named("HOME")?.join(".cache"));
    let windows = || if cfg!(windows) { named("LOCALAPPDATA") } else { None };
    let cache = named("XDG_CACHE_HOME").or_else(windows).or_else(home);
    cache.unwrap_or_else(std::env::temp_dir).join("nimatron")
}

impl OutArgs {
    /// The same for a proof of one direction, which answers no later questions; with two directions there
    /// are two certificates.
    pub(crate) fn check_one_sided(
        &self,
        game: &Game,
        both: bool,
        only: &str,
    ) -> Result<(), Failure> {
        if self.save {
            return Err(Failure::useless("--save", only));
        }
        if both && self.out.is_some() {
            let why = "there are two certificates: say --necessary or --sufficient";
            return Err(Failure::useless("--out", why));
        }
        self.check(game, &[])
    }

    /// Complains about what would fail later, before any work is done: options that do nothing,
    /// files that exist, places that cannot be written to. There may be other files than the
    /// certificate.
    pub(crate) fn check(&self, game: &Game, also: &[&Path]) -> Result<(), Failure> {
        let files: Vec<&Path> =
            self.out.iter().map(PathBuf::as_path).chain(also.iter().copied()).collect();
        if self.force && files.is_empty() {
            return Err(Failure::useless("--force", "no file is asked for"));
        }
        if self.library.library.is_some() && !self.save {
            return Err(Failure::useless("--library", "--save keeps the certificate there"));
        }
        for path in files {
            if is_taken(path) && !self.force {
                return Err(Failure::exists(&path.display().to_string()));
            }
            test_writing(path)?;
        }
        if !self.save {
            return Ok(());
        }
        if game.single().is_none() {
            return Err(Failure::store(&StoreError::Sum));
        }
        match self.library.store() {
            None => {
                let message = "there is no data directory; name one with --library".to_string();
                Err(Failure::bad("library", message))
            }
            Some(store) => {
                // The directory is made when there is something to keep.
                let above = store.directory().ancestors().find(|d| d.exists());
                test_writing(&above.unwrap_or(Path::new(".")).join("nimatron"))
            }
        }
    }

    /// Writes a proof to where it was asked for. If that cannot be done the proof is kept
    /// somewhere else, and what failed is returned, too: it is to be told after the proof.
    pub(crate) fn write(&self, proved: &Proved) -> (Written, Option<Failure>) {
        let mut written = Written::default();
        let mut failure = None;
        if let Some(path) = &self.out {
            match write(path, &proved.text()) {
                Ok(()) => written.out = Some(path.display().to_string()),
                Err(error) => failure = Some(error),
            }
        }
        if let Some(store) = self.library.store().filter(|_| self.save) {
            match store.add(proved) {
                Ok(path) => written.saved = Some(path.display().to_string()),
                Err(error) => failure = Some(Failure::store(&error)),
            }
        }
        if failure.is_some() && written.out.is_none() && written.saved.is_none() {
            let text = proved.text();
            let number = std::process::id();
            let path = std::env::temp_dir().join(format!("nimatron-certificate-{number}.json"));
            match write(&path, &text) {
                Ok(()) => written.kept = Some(path.display().to_string()),
                Err(_) => written.text = Some(String::from_utf8_lossy(&text).into_owned()),
            }
        }
        (written, failure)
    }
}

/// Whether something would be overwritten: devices and pipes are not.
pub(crate) fn is_taken(path: &Path) -> bool {
    path.exists() && !is_special(path)
}

/// Whether a path names something that is there and neither a file nor a directory.
pub(crate) fn is_special(path: &Path) -> bool {
    path.metadata().is_ok_and(|m| !m.is_file() && !m.is_dir())
}

/// Finds out whether a file can be written, without leaving anything behind.
pub(crate) fn test_writing(path: &Path) -> Result<(), Failure> {
    let tried = match (is_special(path), path.is_dir()) {
        (true, _) => fs::OpenOptions::new().write(true).open(path).map(drop),
        (_, true) => Err(io::ErrorKind::IsADirectory.into()),
        _ => {
            let beside = beside(path, "partial");
            let made =
                fs::OpenOptions::new().write(true).create(true).truncate(false).open(&beside);
            made.and_then(|_| fs::remove_file(&beside))
        }
    };
    tried.map_err(|error| Failure::file(&path.display().to_string(), &error))
}

/// Writes a file beside its place and moves it there when it is complete. Devices and pipes are
/// written to as they are.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let written = match is_special(path) {
        true => fs::OpenOptions::new().write(true).open(path).and_then(|mut f| f.write_all(bytes)),
        false => write_whole(path, Readers::Usual, bytes),
    };
    written.map_err(|error| Failure::file(&path.display().to_string(), &error))
}
