//! The command line of Nimatron. It reads what was typed, asks the library and shows the answer;
//! it knows nothing about games.
#![forbid(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod certificate;
mod cli;
mod commands;
mod conversation;
mod help;
mod host;
mod input;
mod limits;
mod meter;
mod output;
mod progress;

use output::Output;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = match help::parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help, version, or a malformed command line: all is said by clap.
            output::clap_error(&error);
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    let output = Output::new(&cli.global);
    match cli.command.run(&output) {
        Ok(status) => status.code().into(),
        Err(failure) => output.failure(&failure).code().into(),
    }
}
