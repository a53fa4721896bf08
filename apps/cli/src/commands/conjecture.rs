//! `nimatron conjecture`

use nimatron_service::Failure;
use crate::limits::PatientLimitArgs;
use crate::meter::Meter;
use crate::output::Output;
use crate::progress::Progress;
use nimatron_service::Status;
use nimatron::proofs::PeelingCheck;
use nimatron::render::{PeelingAnswer, json, peeling};
use std::sync::Arc;

/// Check what can be computed about a conjecture
///
/// peeling: one strategy for circular-arc games such as CN(n,floor(n/3)+1). It is a theorem wherever the
/// non-empty stacks merge to few, because all games on few stacks that cannot be made smaller have been
/// proved one by one. This proves those on the given number of stacks again.
///
/// The exit status is 0 if all are proved, 1 if some are not, 3 if a limit was reached.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  nimatron conjecture peeling --stacks 9
  nimatron conjecture peeling --stacks 12 --threads 1 --json")]
pub(crate) struct Args {
    /// Which conjecture
    #[arg(value_name = "NAME")]
    name: Name,
    /// The number of stacks
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(3..=16))]
    stacks: u8,
    /// Use so many threads; all that the machine has if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    limits: PatientLimitArgs,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Name {
    Peeling,
}

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        let limits = self.limits.limits();
        let meter = Arc::new(Meter::new(&limits));
        let progress = Progress::metered(Arc::clone(&meter), output);
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = self.threads.map_or_else(all, usize::from);
        let Name::Peeling = self.name;
        let check = PeelingCheck::of(self.stacks.into(), threads, &limits, &*meter);
        drop(progress);
        let check = check.map_err(Failure::stopped)?;
        output.answer(
            || json::to_string(&PeelingAnswer::from(&check)),
            |palette| peeling(&check, palette),
        )?;
        Ok(match check.stop {
            Some(_) => Status::of(check.stop),
            None if check.is_proved() => Status::Answered,
            None => Status::Negative,
        })
    }
}
