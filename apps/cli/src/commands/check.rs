//! `nimatron check`

use crate::host::interruptible;
use crate::input::{FormulaText, GameText, MaxText, SideArgs};
use crate::limits::PatientLimitArgs;
use crate::output::Output;
use crate::progress::Progress;
use nimatron::render::check;
use nimatron_service::asks::check::Check;
use nimatron_service::{Failure, Status};

/// Compare a formula with the computed P-positions, up to some height
///
/// The formula should describe the P-positions. If it does in the whole box, this is evidence, not
/// a proof. Otherwise the smallest counterexamples are shown: a P-position that the formula misses,
/// an N-position that it claims, each with the moves that show it. The smallest is that with the
/// fewest tokens; among several, the lexicographically first.
///
/// --necessary and --sufficient ask for one direction only, --where for some positions only.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  nimatron check \"CN(5,3)\" \"sym(a = 0, b = e = c+d)\" --max 12
  nimatron check \"CN(6,3)\" \"span(ad, be, cf, ace, bdf)\" --max 20
  nimatron check \"Slow(5,{1,3})\" \"even(total)\"
  nimatron check \"PN(4,2)\" \"b = c = 0, a = d\" --max 9,4,4,9 --json
  nimatron check \"CN(7,4)\" \"sym(b = c = 0, a = d = e+f+g)\" --sufficient
  nimatron check \"CN(5,2)\" \"b = d, a = b+c\" --where \"e = 0, c <= d\"
  nimatron check \"misere Nim(4)\" @formula.txt --time 1m --threads 4

Exit status: 0 no difference found, 1 counterexample, 3 stopped before either.")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameText,
    #[command(flatten)]
    formula: FormulaText,
    #[command(flatten)]
    side: SideArgs,
    #[command(flatten)]
    max: MaxText,
    /// Use so many threads; all that the machine has if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    #[command(flatten)]
    limits: PatientLimitArgs,
}

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        let (time, memory) = self.limits.asked();
        let asked = Check {
            game: self.game.text()?,
            formula: self.formula.text()?,
            max: self.max.text(),
            necessary: self.side.necessary,
            sufficient: self.side.sufficient,
            condition: self.side.condition()?,
            time,
            memory,
        };
        let host = interruptible(output);
        let host = match self.threads {
            Some(threads) => host.threads(threads.into()),
            None => host,
        };
        let progress = Progress::start("checking", time.map(|t| t.0), output);
        let found = progress.during(|| asked.find(&host))?;
        output.found(&found, |palette| check(&found, palette))
    }
}
