//! Certificates checked by the kernel of the Coq proof assistant.
//!
//! A [`Kernel`] is a `coqc` that was found, with the theories of [`nimatron_coq`] compiled for it. It is
//! asked about a certificate by writing the certificate as a Coq file and compiling that: the answer
//! is yes only if Coq accepts the file and says that its last theorem rests on no assumption.

use crate::{Stop, Watch};
use nimatron_coq::{ExportError, THEORIES};
use nimatron_verify::Certificate;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// What Coq prints about a theorem that rests on nothing but its definitions.
const CLOSED: &str = "Closed under the global context";

/// How much of what Coq says is repeated.
const MOST_WORDS: usize = 600;

/// A Coq compiler with the theories.
#[derive(Clone, Debug)]
pub struct Kernel {
    coqc: PathBuf,
    version: String,
    /// Where the compiled theories are.
    theories: PathBuf,
    /// Where files may be written.
    cache: PathBuf,
}

/// What the kernel says.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Opinion {
    /// The theorem is proved, and rests on no assumption.
    Accepted,
    /// It is not proved: what Coq says.
    Rejected(String),
}

/// Why the kernel says nothing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KernelError {
    /// There is no `coqc` among the programs.
    #[error("coqc is not installed, so the Coq kernel was not asked")]
    Missing,
    /// The theories are refused: another version of Coq, most likely.
    #[error("{version} refuses the theory {theory}: {words}")]
    Theory {
        /// Which.
        theory: String,
        /// The version of Coq.
        version: String,
        /// What it says.
        words: String,
    },
    /// The certificate cannot be written for Coq.
    #[error("{0}")]
    Export(#[from] ExportError),
    /// A limit was reached.
    #[error("{0}")]
    Stopped(#[from] Stop),
    /// A file could not be written, or a program not be started.
    #[error("{path}: {error}")]
    File {
        /// Which.
        path: String,
        /// Why.
        error: io::Error,
    },
}

fn file<'a>(path: &'a Path) -> impl Fn(io::Error) -> KernelError + 'a {
    |error| KernelError::File { path: path.display().to_string(), error }
}

impl Kernel {
    /// Looks for `coqc` in the directories of `path`, as in the variable `PATH`, and compiles the theories
    /// into the directory `cache` if they are not there yet.
    pub fn find(
        path: &std::ffi::OsStr,
        cache: &Path,
        watch: &dyn Watch,
    ) -> Result<Self, KernelError> {
        let name = format!("coqc{}", std::env::consts::EXE_SUFFIX);
        let found = std::env::split_paths(path).map(|folder| folder.join(&name));
        let coqc = found.into_iter().find(|program| program.is_file());
        let coqc = coqc.ok_or(KernelError::Missing)?;
        let output = Command::new(&coqc).arg("--version").output().map_err(file(&coqc))?;
        let version = String::from_utf8_lossy(&output.stdout);
        let version = version.lines().next().unwrap_or_default().trim().to_string();
        let texts = THEORIES.iter().flat_map(|theory| [theory.name.as_str(), &theory.text]);
        let key = fingerprint(texts.chain([version.as_str(), &coqc.to_string_lossy()]));
        let theories = cache.join(format!("coq-{key:016x}"));
        let kernel = Kernel { coqc, version, theories, cache: cache.to_path_buf() };
        if !kernel.theories.is_dir() {
            kernel.compile(watch)?;
        }
        Ok(kernel)
    }

    /// The version, as Coq tells it.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Where the compiled theories are, to be named `Nimatron`.
    pub fn theories(&self) -> &Path {
        &self.theories
    }

    /// Asks about a certificate.
    pub fn check(
        &self,
        certificate: &Certificate,
        watch: &dyn Watch,
    ) -> Result<Opinion, KernelError> {
        let folder = self.scratch()?;
        let path = folder.join("certificate.v");
        let opinion = write(certificate, &path).and_then(|()| {
            let said = self.run(&self.theories, &path, watch)?;
            let closed = said.out.trim() == CLOSED;
            Ok(match said.success && closed {
                true => Opinion::Accepted,
                false => Opinion::Rejected(said.words()),
            })
        });
        // What cannot be removed is left behind.
        let _ = fs::remove_dir_all(&folder);
        opinion
    }

    /// Compiles a file of Coq that uses the theories, and returns what it prints if Coq accepts it.
    pub fn compile_text(
        &self,
        text: &str,
        watch: &dyn Watch,
    ) -> Result<Result<String, String>, KernelError> {
        let folder = self.scratch()?;
        let path = folder.join("text.v");
        let said = fs::write(&path, text)
            .map_err(file(&path))
            .and_then(|()| self.run(&self.theories, &path, watch));
        let _ = fs::remove_dir_all(&folder);
        let said = said?;
        Ok(if said.success { Ok(said.out) } else { Err(said.words()) })
    }

    /// Compiles the theories beside their place, and moves them there when all are accepted.
    fn compile(&self, watch: &dyn Watch) -> Result<(), KernelError> {
        let folder = self.scratch()?;
        let compiled = self.compile_into(&folder, watch);
        if compiled.is_ok() && fs::rename(&folder, &self.theories).is_ok() {
            return Ok(());
        }
        let _ = fs::remove_dir_all(&folder);
        match self.theories.is_dir() {
            // Somebody else was quicker.
            true => Ok(()),
            false => compiled,
        }
    }

    fn compile_into(&self, folder: &Path, watch: &dyn Watch) -> Result<(), KernelError> {
        for theory in THEORIES.iter() {
            let path = folder.join(format!("{}.v", theory.name));
            fs::write(&path, &theory.text).map_err(file(&path))?;
            let said = self.run(folder, &path, watch)?;
            if !said.success {
                let version = self.version.clone();
                return Err(KernelError::Theory {
                    theory: theory.name.clone(),
                    version,
                    words: said.words(),
                });
            }
        }
        Ok(())
    }

    /// A new directory of our own.
    fn scratch(&self) -> Result<PathBuf, KernelError> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = self.cache.join(format!("coq-{}-{number}.partial", std::process::id()));
        fs::create_dir_all(&folder).map_err(file(&folder))?;
        Ok(folder)
    }

    /// Runs `coqc` on a file until it ends or a limit is reached.
    fn run(&self, theories: &Path, path: &Path, watch: &dyn Watch) -> Result<Said, KernelError> {
        let (out, err) = (path.with_extension("out"), path.with_extension("err"));
        let mut command = Command::new(&self.coqc);
        // Nobody follows links: the file for them would be many times as long as the text.
        command.args(["-q", "-noglob"]).arg("-R").arg(theories).arg("Nimatron").arg(path);
        command.stdin(Stdio::null());
        command.stdout(File::create(&out).map_err(file(&out))?);
        command.stderr(File::create(&err).map_err(file(&err))?);
        let mut child = command.spawn().map_err(file(&self.coqc))?;
        let mut pause = Duration::from_millis(5);
        let status = loop {
            if let Some(status) = child.try_wait().map_err(file(&self.coqc))? {
                break status;
            }
            if let Err(stop) = watch.check(0) {
                let _ = child.kill();
                let _ = child.wait();
                return Err(stop.into());
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(100));
        };
        let read = |path: &Path| fs::read(path).map(|b| String::from_utf8_lossy(&b).into_owned());
        let out = read(&out).map_err(file(&out))?;
        Ok(Said { success: status.success(), out, err: read(&err).map_err(file(&err))? })
    }
}

/// What a run of Coq printed.
struct Said {
    success: bool,
    out: String,
    err: String,
}

impl Said {
    /// The beginning of what went wrong, on one line.
    fn words(&self) -> String {
        let all = if self.err.trim().is_empty() { &self.out } else { &self.err };
        let words = all.split_whitespace().collect::<Vec<_>>().join(" ");
        match words.char_indices().nth(MOST_WORDS) {
            Some((end, _)) => format!("{} ...", &words[..end]),
            None => words,
        }
    }
}

/// Writes a certificate as a Coq file.
fn write(certificate: &Certificate, path: &Path) -> Result<(), KernelError> {
    let mut to = io::BufWriter::new(File::create(path).map_err(file(path))?);
    nimatron_coq::write(certificate, &mut to)?;
    to.flush().map_err(file(path))
}

/// A number that changes with the texts. (Files by this name are made by this program alone.)
fn fingerprint<'a>(texts: impl Iterator<Item = &'a str>) -> u64 {
    let bytes = texts.flat_map(|text| text.bytes().chain([0xff]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
