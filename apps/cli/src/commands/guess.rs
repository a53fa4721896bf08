//! `nimatron guess`

use crate::input::fetch;
use crate::limits::{LimitArgs, cancellation};
use crate::output::Output;
use crate::progress::Progress;
use nimatron::Limits;
use nimatron::proofs::{FamilyGuess, Guess, member};
use nimatron::render::{FamilyGuessAnswer, GuessAnswer, family_guess, guess, json};
use nimatron_service::{Failure, Status, read};

/// Learn laws of the P-positions from a table: evidence, no proof
///
/// Equations, exclusive ors, parities and comparisons that hold at all P-positions of a small box are
/// listed, and a formula made of them is tested on a larger one. With `--family`, GAME has a parameter n,
/// as in CN(n,n-2) or Slow(n,{2}), or is Star(n) or Wheel(n); several members are looked at, and it is told
/// which formulas agree.
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
    /// The first parameter of a family
    #[arg(long, value_name = "N", requires = "family", default_value_t = 3,
        value_parser = clap::value_parser!(u8).range(1..=32))]
    from: u8,
    /// The last parameter of a family
    #[arg(long, value_name = "N", requires = "family", default_value_t = 6,
        value_parser = clap::value_parser!(u8).range(1..=32))]
    to: u8,
    #[command(flatten)]
    limits: LimitArgs,
}

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        let (time, memory) = (self.limits.time(), self.limits.asked().1);
        let limits = Limits::default().time(time).cancel(cancellation());
        let limits = match memory {
            Some(size) => limits.memory(size.0),
            None => limits,
        };
        let text = fetch(&self.game)?;
        if !self.family {
            let game = read::game(&text)?;
            let progress = Progress::start("learning", limits.time, output);
            let found = Guess::of(&game, self.max, &limits.start());
            drop(progress);
            let found = found.map_err(|error| Failure::table(&error))?;
            output.answer(
                || json::to_string(&GuessAnswer::from(&found)),
                |palette| guess(&found, palette),
            )?;
            return Ok(Status::Answered);
        }
        let mut games = Vec::new();
        for n in self.from.into()..=usize::from(self.to) {
            games.push((n, read::game(&member(&text, n))?));
        }
        if games.is_empty() {
            return Err(Failure::bad("wrong-count", "--from is greater than --to".to_string()));
        }
        let watch = limits.start();
        let progress = Progress::start("learning", limits.time, output);
        let mut members = Vec::new();
        for (n, game) in games {
            let found = Guess::of(&game, self.max, &watch);
            members.push((n, found.map_err(|error| Failure::table(&error))?));
        }
        drop(progress);
        let found = FamilyGuess::of(members);
        output.answer(
            || json::to_string(&FamilyGuessAnswer::new(&text, &found)),
            |palette| family_guess(&text, &found, palette),
        )?;
        Ok(Status::Answered)
    }
}
