//! `nimatron solve`

use crate::certificate::LibraryArgs;
use crate::failure::Failure;
use crate::input::{GameText, PositionText};
use crate::limits::LimitArgs;
use crate::output::Output;
use crate::progress::Progress;
use crate::status::Status;
use nimatron::{Explain, Knowledge, Options, Prepared, Stop, WantedMoves};
use nimatron_render::{json, verdict};

/// Who wins at a position, the winning move, and why
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  nimatron solve \"CN(7,3)\" 3,5,4,2,1,6,3
  nimatron solve \"Set(ad,abc,bcd)\" 2,3,5,4 --all-moves
  nimatron solve \"misere CN(5,2)\" 1,2,0,2,1
  nimatron solve \"PN(3,2) + Nim(1)\" 1,2,1,3 --json
  nimatron solve \"CN(8,3)\" @position.txt --time 5m --memory 8GB")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameText,
    #[command(flatten)]
    position: PositionText,
    /// List all winning moves
    #[arg(long)]
    all_moves: bool,
    /// List at most so many winning moves
    #[arg(long, value_name = "N", default_value_t = 20, requires = "all_moves")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
    #[command(flatten)]
    library: LibraryArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        let game = self.game.read()?;
        let position = self.position.read(&game)?;
        let moves = match self.all_moves {
            true => WantedMoves::AllUpTo(usize::try_from(self.limit).unwrap_or(usize::MAX)),
            false => WantedMoves::One,
        };
        let limits = self.limits.limits();
        let progress = Progress::start("searching", limits.time, output);
        let options = Options { limits, moves, explain: Explain::Steps };
        let knowledge = self.library.store().map_or_else(Knowledge::default, Knowledge::with_store);
        let prepared = Prepared::knowing(game, knowledge);
        let answer = prepared.ask(&position, &options);
        drop(progress);
        for problem in prepared.knowledge().problems() {
            output.warning(&format!("a stored proof is not used: {problem}"));
        }
        let answer = answer.map_err(|error| Failure::bad("wrong-count", error.to_string()))?;
        output.answer(
            || json::to_string(&json::Solve::from(&answer)),
            |palette| verdict(&answer, palette),
        )?;
        Ok(match &answer.unknown {
            Some(unknown) if unknown.stop == Stop::Cancelled => Status::Interrupted,
            _ if answer.outcome.is_none() => Status::Undecided,
            _ => Status::Answered,
        })
    }
}
