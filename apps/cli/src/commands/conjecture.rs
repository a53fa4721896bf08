//! `nimatron conjecture`

use nimatron_service::Failure;
use crate::limits::PatientLimitArgs;
use crate::meter::Meter;
use crate::output::Output;
use crate::progress::Progress;
use nimatron_service::Status;
use nimatron::Stop;
use nimatron::proofs::PeelingCheck;
use nimatron::render::{
    OrderTypesAnswer, PeelingAnswer, SweepAnswer, json, order_types, peeling, sweep,
};
use nimatron::sweeps::{Question, Sweep};
use std::ops::RangeInclusive;
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

impl Name {
    /// What is gone through game by game.
    fn question(self) -> Option<Question> {
        match self {
            Name::Peeling | Name::OrderTypes => None,
            Name::InvariantVectors => Some(Question::InvariantVectors),
            Name::Matryoshka => Some(Question::Matryoshka),
            Name::AtLeast => Some(Question::AtLeast),
            Name::AtLeastCorrected => Some(Question::AtLeastCorrected),
            Name::Subset => Some(Question::Subset),
            Name::OneMoreMove => Some(Question::OneMoreMove),
            Name::MisereMRule => Some(Question::MisereMRule),
        }
    }
}

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        if let Name::OrderTypes = self.name {
            return self.order_types(output);
        }
        if let Some(question) = self.name.question() {
            return self.sweep(question, output);
        }
        let stacks = self.stacks(&(3..=16))?;
        let limits = self.limits.limits();
        let meter = Arc::new(Meter::new(&limits));
        let progress = Progress::metered(Arc::clone(&meter), output);
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = self.threads.map_or_else(all, usize::from);
        let check = PeelingCheck::of(stacks, threads, &limits, &*meter);
        drop(progress);
        output.answer(
            || json::to_string(&PeelingAnswer::from(&check)),
            |palette| peeling(&check, palette),
        )?;
        Ok(match check.stop {
            Some(Stop::Cancelled) => Status::Interrupted,
            Some(_) => Status::Undecided,
            None if check.is_proved() => Status::Answered,
            None => Status::Negative,
        })
    }

    /// The number of stacks, which must be within these bounds.
    fn stacks(&self, bounds: &RangeInclusive<usize>) -> Result<usize, Failure> {
        let (least, most) = (bounds.start(), bounds.end());
        match self.stacks.map(usize::from) {
            Some(stacks) if bounds.contains(&stacks) => Ok(stacks),
            Some(stacks) => {
                let message = format!("the number of stacks must be from {least} to {most}, not {stacks}");
                Err(Failure::bad("stacks", message))
            }
            None => {
                let message = format!("say for how many stacks: --stacks N, with N from {least} to {most}");
                Err(Failure::bad("stacks", message))
            }
        }
    }

    fn sweep(&self, question: Question, output: &Output) -> Result<Status, Failure> {
        let stacks = self.stacks(&question.stacks())?;
        if self.threads.is_some() {
            return Err(Failure::useless("--threads", "the games are gone through one by one"));
        }
        let limits = self.limits.limits();
        let progress = Progress::start("sweeping", limits.time, output);
        let found = Sweep::of(question, stacks, &limits.start());
        drop(progress);
        output.answer(
            || json::to_string(&SweepAnswer::from(&found)),
            |palette| sweep(&found, palette),
        )?;
        Ok(match (found.holds(), found.stop) {
            (_, Some(Stop::Cancelled)) => Status::Interrupted,
            (Some(true), _) => Status::Answered,
            (Some(false), _) => Status::Negative,
            (None, _) => Status::Undecided,
        })
    }

    fn order_types(&self, output: &Output) -> Result<Status, Failure> {
        if self.stacks.is_some() {
            return Err(Failure::useless("--stacks", "CN(8,6) has eight"));
        }
        if self.threads.is_some() {
            return Err(Failure::useless("--threads", "it takes a moment"));
        }
        let found = nimatron::crates::theory::order_types::count();
        output.answer(
            || json::to_string(&OrderTypesAnswer::from(&found)),
            |palette| order_types(&found, palette),
        )?;
        Ok(match found.left_over {
            None => Status::Answered,
            Some(_) => Status::Negative,
        })
    }
}
