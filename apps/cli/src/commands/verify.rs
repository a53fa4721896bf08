//! `nimatron verify`

use crate::failure::Failure;
use crate::input::{read_formula, read_game};
use crate::limits::cancellation;
use crate::output::Output;
use crate::progress::Progress;
use crate::status::Status;
use nimatron::Limits;
use nimatron::proofs::{Comparison, Examination, Expected, Proved};
use nimatron::verify::{Certificate, ReadError};
use nimatron_render::{VerifyAnswer, comparison, examination, json};
use std::fs::File;
use std::io;
use std::time::Duration;

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
  nimatron verify cn94.json --compare 7

Exit status: 0 accepted, 1 rejected or different from the table, 4 the file cannot be read.")]
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
    /// Compare with the table of all heights up to this; by default what takes about ten seconds
    #[arg(long, value_name = "H", num_args = 0..=1)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    compare: Option<Option<u64>>,
}

/// For a comparison when no height is given.
const A_WHILE: Duration = Duration::from_secs(10);

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
        let mut kept = None;
        let answer = match read {
            Err(ReadError::Io(error)) => return Err(Failure::file(name, &error)),
            Err(error) => Examination::unreadable(error),
            Ok(certificate) => {
                kept = self.compare.map(|_| certificate.clone());
                let about = game.as_ref().unwrap_or(&certificate.game);
                let formula =
                    self.formula.as_deref().map(|text| read_formula(text, about)).transpose()?;
                Examination::of(&certificate, &Expected { game, formula })
            }
        };
        let compared = match kept.filter(|_| answer.refusal.is_none()) {
            Some(certificate) => self.compare(certificate, output)?,
            None => None,
        };
        output.answer(
            || json::to_string(&VerifyAnswer::from(&answer).compared(compared.as_ref())),
            |palette| {
                let compared = compared.as_ref().map(|c| comparison(c, palette));
                examination(&answer, name, palette) + &compared.unwrap_or_default()
            },
        )?;
        let differs = compared.is_some_and(|c| c.differs.is_some());
        Ok(match answer.refusal.is_none() && !differs {
            true => Status::Answered,
            false => Status::Negative,
        })
    }

    /// The proved set beside the table.
    fn compare(
        &self,
        certificate: Certificate,
        output: &Output,
    ) -> Result<Option<Comparison>, Failure> {
        let proved = Proved::accept(certificate);
        let proved = proved.map_err(|error| Failure::bad("unusable", error.to_string()))?;
        let progress = Progress::start("comparing", None, output);
        let limits = Limits { time: None, cancel: cancellation(), ..Limits::for_a_question() };
        let compared = match self.compare.flatten() {
            None => Ok(proved.compare_for(A_WHILE, &limits)),
            Some(max) => proved.compare(max, &limits.start()).map(Some),
        };
        drop(progress);
        compared.map_err(|error| Failure::table(&error.into()))
    }
}
