//! `nimatron conjecture`

use crate::host::interruptible;
use crate::limits::PatientLimitArgs;
use crate::meter::Meter;
use crate::output::Output;
use crate::progress::Progress;
use nimatron::Limits;
use nimatron::render::{order_types, peeling, sweep};
use nimatron_service::asks::conjecture::{self, Conjecture, Looked};
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
    #[arg(value_name = "NAME")]
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

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Name {
    /// One strategy for circular-arc games
    Peeling,
    /// KDH26 Conjecture 1: which circular games have invariant vectors
    InvariantVectors,
    /// KDH26 Conjecture 2: what the invariance reduction process leaves has invariant vectors, too
    Matryoshka,
    /// Slow26 Conjecture 1 on play on at least k stacks, as printed
    AtLeast,
    /// The same with its middle row corrected
    AtLeastCorrected,
    /// Slow26 Open Problem 5: are the P-positions of Slow(n,{k,n}) among those of Slow(n,{k})?
    Subset,
    /// Slow26 Proposition 7: the move on all stacks added to Slow(n,{n-1})
    OneMoreMove,
    /// The M-rule for Slow(n,{n-1}) under misere play
    MisereMRule,
    /// How the lemmas of DH13 share the orders of eight stacks of CN(8,6)
    OrderTypes,
}

impl From<Name> for conjecture::Name {
    fn from(name: Name) -> Self {
        match name {
            Name::Peeling => conjecture::Name::Peeling,
            Name::InvariantVectors => conjecture::Name::InvariantVectors,
            Name::Matryoshka => conjecture::Name::Matryoshka,
            Name::AtLeast => conjecture::Name::AtLeast,
            Name::AtLeastCorrected => conjecture::Name::AtLeastCorrected,
            Name::Subset => conjecture::Name::Subset,
            Name::OneMoreMove => conjecture::Name::OneMoreMove,
            Name::MisereMRule => conjecture::Name::MisereMRule,
            Name::OrderTypes => conjecture::Name::OrderTypes,
        }
    }
}

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        let name = conjecture::Name::from(self.name);
        if self.threads.is_some() && name != conjecture::Name::Peeling {
            let why = match name {
                conjecture::Name::OrderTypes => "it takes a moment",
                _ => "the games are gone through one by one",
            };
            return Err(Failure::useless("--threads", why));
        }
        let (time, memory) = self.limits.asked();
        let asked = Conjecture { name, stacks: self.stacks, time, memory };
        let meter = Arc::new(Meter::new(&Limits::unlimited()));
        let host = interruptible(output).listener(&*meter);
        let host = match self.threads {
            Some(threads) => host.threads(threads.into()),
            None => host,
        };
        let progress = Progress::metered(Arc::clone(&meter), output);
        let found = asked.find(&host);
        drop(progress);
        let found = found?;
        output.found(&found, |palette| match &found {
            Looked::Peeling(check) => peeling(check, palette),
            Looked::Sweep(found) => sweep(found, palette),
            Looked::OrderTypes(found) => order_types(found, palette),
        })
    }
}
