//! `nimatron guess`

use crate::host::interruptible;
use crate::input::fetch;
use crate::limits::LimitArgs;
use crate::output::Output;
use crate::progress::Progress;
use nimatron::render::{family_guess, guess};
use nimatron_service::asks::guess::{Guess, Guessed};
use nimatron_service::{Failure, Status};

/// Learn laws of the P-positions from a table: evidence, no proof
///
/// Equations, exclusive ors, parities and comparisons that hold at all P-positions of a box are listed. A
/// formula for all of them is looked for and tested on a larger box; if none is found, formulas that describe
/// a part of them are listed. With `--family`, GAME has a parameter n, as in CN(n,n-2) or Slow(n,{2}), or is
/// Star(n) or Wheel(n); several members are looked at, and it is told which formulas agree.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  nimatron guess \"CN(6,2)\"
  nimatron guess \"Set(ab,ac,ad,bcd)\" --max 20
  nimatron guess \"CN(n,n-2)\" --family --from 4 --to 7
  nimatron guess \"Star(n)\" --family --json

Exit status: 0 done, whatever was noticed, 3 stopped by a limit.")]
pub(crate) struct Args {
    /// The game, or with --family one with a parameter n
    #[arg(value_name = "GAME")]
    game: String,
    /// Test the formula on all heights up to this; by default what takes about a second
    #[arg(long, value_name = "H", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    max: Option<u64>,
    /// Several games of a family
    #[arg(long)]
    family: bool,
    /// The first parameter of a family [default: 3]
    #[arg(long, value_name = "N", requires = "family", value_parser = clap::value_parser!(u8).range(1..=32))]
    from: Option<u8>,
    /// The last parameter of a family [default: 6]
    #[arg(long, value_name = "N", requires = "family", value_parser = clap::value_parser!(u8).range(1..=32))]
    to: Option<u8>,
    #[command(flatten)]
    limits: LimitArgs,
}

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        let (time, memory) = self.limits.asked();
        let asked = Guess {
            game: fetch(&self.game)?,
            max: self.max,
            family: self.family,
            from: self.from,
            to: self.to,
            time,
            memory,
        };
        let host = interruptible(output);
        let progress = Progress::start("learning", self.limits.time(), output);
        let found = progress.during(|| asked.find(&host))?;
        output.found(&found, |palette| match &found {
            Guessed::Game(found) => guess(found, palette),
            Guessed::Family { name, found } => family_guess(name, found, palette),
        })
    }
}
