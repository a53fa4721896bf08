//! Certificates on their way to files and to the store.

use crate::failure::Failure;
use nimatron::proofs::{Proved, Store};
use nimatron_render::Written;
use std::fs;
use std::io::Write;
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
        self.library.clone().or_else(data_directory).map(Store::new)
    }
}

/// `$XDG_DATA_HOME/nimatron`, or `~/.local/share/nimatron`; on Windows `%APPDATA%\nimatron`.
fn data_directory() -> Option<PathBuf> {
    let named = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|p| p.is_absolute());
    let home = || Some(named("HOME")?.join(".local").join("share"));
    let windows = || if cfg!(windows) { named("APPDATA") } else { None };
    let data = named("XDG_DATA_HOME").or_else(windows).or_else(home)?;
    Some(data.join("nimatron"))
}

impl OutArgs {
    /// Complains about what would fail later, before any work is done.
    pub(crate) fn check(&self, also: &[&Path]) -> Result<(), Failure> {
        let files = self.out.iter().map(PathBuf::as_path).chain(also.iter().copied());
        for path in files {
            if path.exists() && !self.force {
                return Err(Failure::exists(&path.display().to_string()));
            }
        }
        if self.save && self.library.store().is_none() {
            let message = "there is no data directory; name one with --library".to_string();
            return Err(Failure::bad("library", message));
        }
        Ok(())
    }

    /// Writes a proof to where it was asked for.
    pub(crate) fn write(&self, proved: &Proved) -> Result<Written, Failure> {
        let mut written = Written::default();
        if let Some(path) = &self.out {
            write(path, &proved.text())?;
            written.out = Some(path.display().to_string());
        }
        if let Some(store) = self.library.store().filter(|_| self.save) {
            let path = store.add(proved).map_err(|error| Failure::store(&error))?;
            written.saved = Some(path.display().to_string());
        }
        Ok(written)
    }
}

/// Writes a file beside its place and moves it there when it is complete.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let mut partial = path.as_os_str().to_os_string();
    partial.push(".partial");
    let partial = PathBuf::from(partial);
    let written = fs::File::create(&partial)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&partial, path));
    written.map_err(|error| {
        // What cannot be removed is left behind: the error itself is told.
        let _ = fs::remove_file(&partial);
        Failure::file(&path.display().to_string(), &error)
    })
}
