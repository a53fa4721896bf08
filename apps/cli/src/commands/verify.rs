//! `nimatron verify`

use crate::certificate::cache_directory;
use crate::failure::Failure;
use crate::input::{read_formula, read_game, take_standard_input};
use crate::limits::cancellation;
use crate::output::Output;
use crate::progress::Progress;
use crate::status::Status;
use crate::units::memory;
use nimatron::crates::game::Watch;
use nimatron::crates::table::TableError;
use nimatron::crates::verify::{Budget, Certificate, ReadError};
use nimatron::kernel::{Kernel, Opinion};
use nimatron::proofs::{
    Comparison, Examination, Expected, NotAccepted, read_certificate_within,
};
use nimatron::render::{VerifyAnswer, comparison, comparison_stopped, examination, json, opinion};
use nimatron::{Limits, Stop};
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
  nimatron verify cn94.json --coq

Exit status: 0 accepted, 1 rejected or different from the table, 3 accepted but
not compared within the limits, or the Coq kernel cannot tell, 4 the file cannot
be read, 5 coqc is not installed.")]
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
    /// Let checking take so many times the usual work: about a minute, and 1 GB
    #[arg(long, value_name = "N", default_value_t = 1, hide_default_value = true)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    budget: u64,
    /// Memory for the comparison: 500MB, 2GB, 1GiB; 2GB if not given
    #[arg(long, value_name = "SIZE", value_parser = memory, requires = "compare")]
    memory: Option<u64>,
    /// Ask the kernel of Coq as well: coqc must be installed
    #[arg(long)]
    coq: bool,
}

const TWO_GIGABYTES: u64 = 2_000_000_000;

/// For a comparison when no height is given.
const A_WHILE: Duration = Duration::from_secs(10);

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        let game = self.game.as_deref().map(read_game).transpose()?;
        let name = match self.certificate.as_str() {
            "-" => "standard input",
            path => path,
        };
        let budget = Budget::times(self.budget);
        let read = match self.certificate.as_str() {
            "-" => {
                take_standard_input()?;
                read_certificate_within(io::stdin().lock(), budget)
            }
            path => match File::open(path) {
                Ok(file) => read_certificate_within(file, budget),
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
                Examination::of(&certificate, &Expected { game, formula, budget })
            }
        };
        let asked = match answer.accepted().filter(|_| self.coq) {
            Some(certificate) => Some(ask_kernel(certificate, output)?),
            None => None,
        };
        let (compared, stop) = match self.compare.filter(|_| answer.refusal.is_none()) {
            Some(height) => self.compare(&answer, height, output)?,
            None => (None, None),
        };
        let asked = asked.as_ref().map(|(opinion, version)| (opinion, version.as_str()));
        output.answer(
            || {
                let answer = VerifyAnswer::from(&answer).compared(compared.as_ref());
                json::to_string(&answer.stopped(stop).kernel(asked))
            },
            |palette| {
                let compared = compared.as_ref().map(|c| comparison(c, palette));
                let stopped = stop.map(|stop| comparison_stopped(stop, palette));
                let compared = compared.or(stopped).unwrap_or_default();
                let asked = asked.map(|(o, version)| opinion(o, version, palette));
                examination(&answer, name, palette) + &compared + &asked.unwrap_or_default()
            },
        )?;
        let differs = compared.is_some_and(|c| c.differs.is_some());
        let refused = asked.is_some_and(|(opinion, _)| *opinion != Opinion::Accepted);
        Ok(match (answer.refusal.is_none() && !differs && !refused, stop) {
            (false, _) => Status::Negative,
            (true, None) => Status::Answered,
            (true, Some(Stop::Cancelled)) => Status::Interrupted,
            (true, Some(_)) => Status::Undecided,
        })
    }

    /// The proved set beside the table.
    fn compare(
        &self,
        accepted: &Examination,
        height: Option<u64>,
        output: &Output,
    ) -> Result<(Option<Comparison>, Option<Stop>), Failure> {
        let unusable = || Failure::bad("unusable", NotAccepted::Unusable.to_string());
        let proved = accepted.proved().ok_or_else(unusable)?;
        let progress = Progress::start("comparing", None, output);
        let memory = self.memory.unwrap_or(TWO_GIGABYTES);
        let limits = Limits::unlimited().memory(memory).cancel(cancellation());
        let compared = match height {
            None => Ok(proved.compare_for(A_WHILE, &limits)),
            Some(max) => proved.compare(max, &limits.start()).map(Some),
        };
        drop(progress);
        let cancelled = || limits.start().check(0).is_err();
        match compared.map_err(TableError::from) {
            Ok(None) => {
                let stop = if cancelled() { Stop::Cancelled } else { Stop::Time };
                Ok((None, Some(stop)))
            }
            Ok(compared) => Ok((compared, None)),
            // What the checker said stands, whatever becomes of the table.
            Err(TableError::Stopped(stop)) => Ok((None, Some(stop))),
            Err(TableError::TooLarge { .. }) => Ok((None, Some(Stop::Memory))),
            Err(error) => Err(Failure::table(&error)),
        }
    }
}

/// What the kernel says, and which version of Coq it is.
fn ask_kernel(certificate: &Certificate, output: &Output) -> Result<(Opinion, String), Failure> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let limits = Limits::unlimited().cancel(cancellation()).start();
    let progress = Progress::start("asking the Coq kernel", None, output);
    let asked = Kernel::find(&path, &cache_directory(), &limits).and_then(|kernel| {
        Ok((kernel.check(certificate, &limits)?, kernel.version().to_string()))
    });
    drop(progress);
    asked.map_err(Failure::kernel)
}
