//! `nimatron verify`

use crate::failure::Failure;
use crate::input::{read_formula, read_game};
use crate::output::Output;
use crate::status::Status;
use nimatron::proofs::{Examination, Expected};
use nimatron::verify::{Certificate, ReadError};
use nimatron_render::{VerifyAnswer, examination, json};
use std::fs::File;
use std::io;

/// Check a certificate, trusting nothing but arithmetic
///
/// Prints what was proved. A certificate about another game or formula than the one named is
/// rejected; games are compared stack by stack, formulas as they read, or, with the automaton of
/// a certificate, by the positions that they describe.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  nimatron verify cn94.json
  nimatron verify cn94.json --game \"CN(9,4)\"
  nimatron verify cn53.json --game \"CN(5,3)\" --formula \"sym(a = 0, b = e = c+d)\"

Exit status: 0 accepted, 1 rejected, 4 the file cannot be read.")]
pub(crate) struct Args {
    /// The certificate; - reads it from standard input
    #[arg(value_name = "CERT")]
    certificate: String,
    /// It must be about this game
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// It must describe the P-positions by this formula
    #[arg(long, value_name = "FORMULA")]
    formula: Option<String>,
}

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        let game = self.game.as_deref().map(read_game).transpose()?;
        let name = match self.certificate.as_str() {
            "-" => "standard input",
            path => path,
        };
        let read = match self.certificate.as_str() {
            "-" => Certificate::read(io::stdin().lock()),
            path => match File::open(path) {
                Ok(file) => Certificate::read(file),
                Err(error) => Err(ReadError::Io(error)),
            },
        };
        let answer = match read {
            Err(ReadError::Io(error)) => return Err(Failure::file(name, &error)),
            Err(error) => Examination::unreadable(error),
            Ok(certificate) => {
                let about = game.as_ref().unwrap_or(&certificate.game);
                let formula =
                    self.formula.as_deref().map(|text| read_formula(text, about)).transpose()?;
                Examination::of(&certificate, &Expected { game, formula })
            }
        };
        output.answer(
            || json::to_string(&VerifyAnswer::from(&answer)),
            |palette| examination(&answer, name, palette),
        )?;
        Ok(if answer.refusal.is_none() { Status::Answered } else { Status::Negative })
    }
}
