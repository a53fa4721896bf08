//! `nimatron export`

use crate::certificate::write;
use nimatron_service::Failure;
use crate::output::Output;
use nimatron_service::Status;
use nimatron::crates::coq::{self, ExportError, THEOREM};
use nimatron::crates::verify::{Certificate, ReadError};
use nimatron::render::json;
use std::fs::File;
use std::io;
use std::path::PathBuf;

/// Write a certificate for another program: the Coq proof assistant
///
/// The file ends with a theorem that says which are the P-positions of the game. Coq proves it with
/// the theories that `nimatron verify --coq` compiles; nothing but the statement of that theorem needs
/// to be believed. The certificate is not checked here.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  nimatron export cn94.json --coq cn94.v

Exit status: 0 written, 2 not a certificate, 3 a kind of proof that the theories
do not treat, 4 a file exists or cannot be read or written.")]
pub(crate) struct Args {
    /// The certificate; - reads it from standard input
    #[arg(value_name = "CERT")]
    certificate: String,
    /// Write this file of Coq
    #[arg(long, value_name = "FILE")]
    coq: PathBuf,
    /// Overwrite a file that exists
    #[arg(long)]
    force: bool,
}

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        let to = self.coq.display().to_string();
        if self.coq.exists() && !self.force {
            return Err(Failure::exists(&to));
        }
        let read = match self.certificate.as_str() {
            "-" => Certificate::read(io::stdin().lock()),
            path => File::open(path).map_err(ReadError::Io).and_then(Certificate::read),
        };
        let certificate = read.map_err(|error| match error {
            ReadError::Io(error) => Failure::file(&self.certificate, &error),
            error => Failure::bad("certificate", error.to_string()),
        })?;
        let mut text = Vec::new();
        coq::write(&certificate, &mut text).map_err(|error| match error {
            ExportError::Io(error) => Failure::file(&to, &error),
            ExportError::Broken(_) => Failure::bad("certificate", error.to_string()),
            error => Failure::open("coq", error.to_string()),
        })?;
        write(&self.coq, &text)?;
        let game = certificate.game.to_string();
        let exported = serde_json::json!({
            "game": game, "theorem": THEOREM, "file": to, "bytes": text.len(),
        });
        output.answer(
            || json::to_string(&exported),
            |_| format!("{game}\n  Written to {to}; its theorem is called {THEOREM}.\n"),
        )?;
        Ok(Status::Answered)
    }
}
