//! `nimatron conjecture`

use crate::host::interruptible;
use crate::input::word;
use crate::limits::PatientLimitArgs;
use crate::meter::Meter;
use crate::output::Output;
use crate::progress::Progress;
use nimatron::Limits;
use nimatron::render::{order_types, peeling, sweep};
use nimatron_service::asks::conjecture::{Conjecture, Looked, Name};
use nimatron_service::{Failure, Status};
use std::sync::Arc;

/// Check what can be computed about a conjecture
///
/// Conjectures and open questions of the papers, gone through for all games on so many stacks, with what was
/// checked and any counterexample; and what is computed in the proof about CN(8,6) (order-types).
///
/// peeling: one strategy for circular-arc games such as CN(n,floor(n/3)+1). It is a theorem wherever the
/// non-empty stacks merge to few, because all games on few stacks that cannot be made smaller have been
/// proved one by one. This proves those on the given number of stacks again.
///
/// The exit status is 0 if all are proved, or nothing speaks against it; 1 if some are not, or there is a
/// counterexample; 3 if a limit was reached.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  nimatron conjecture peeling --stacks 9
  nimatron conjecture peeling --stacks 12 --threads 1 --json
  nimatron conjecture invariant-vectors --n 10
  nimatron conjecture subset --n 4
  nimatron conjecture order-types")]
pub(crate) struct Args {
    /// Which conjecture
    #[arg(value_name = "NAME", value_parser = word::<Name>())]
    name: Name,
    /// The number of stacks
    #[arg(long, visible_alias = "n", value_name = "N", value_parser = clap::value_parser!(u8).range(2..=16))]
    stacks: Option<u8>,
    /// Use so many threads; all that the machine has if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    limits: PatientLimitArgs,
}

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        if self.threads.is_some() && self.name != Name::Peeling {
            let why = match self.name {
                Name::OrderTypes => "it takes a moment",
                _ => "the games are gone through one by one",
            };
            return Err(Failure::useless("--threads", why));
        }
        let (time, memory) = self.limits.asked();
        let asked = Conjecture { name: self.name, stacks: self.stacks, time, memory };
        let meter = Arc::new(Meter::new(&Limits::unlimited()));
        let host = interruptible(output).listener(&*meter);
        let host = match self.threads {
            Some(threads) => host.threads(threads.into()),
            None => host,
        };
        let progress = Progress::metered(Arc::clone(&meter), output);
        let found = progress.during(|| asked.find(&host))?;
        output.found(&found, |palette| match &found {
            Looked::Peeling(check) => peeling(check, palette),
            Looked::Sweep(found) => sweep(found, palette),
            Looked::OrderTypes(found) => order_types(found, palette),
        })
    }
}
