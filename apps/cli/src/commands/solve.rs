//! `nimatron solve`

use crate::certificate::LibraryArgs;
use crate::failure::Failure;
use crate::input::{GameText, PositionText, read_take};
use crate::limits::LimitArgs;
use crate::output::Output;
use crate::progress::Progress;
use crate::status::Status;
use nimatron::{Game, Options, Position, Prepared, Stop, Verdict, WantedMoves};
use nimatron::render::{Written, after, investigation, json};

/// Who wins at a position, the winning move, and why
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  nimatron solve \"CN(7,3)\" 3,5,4,2,1,6,3
  nimatron solve \"Set(ad,abc,bcd)\" 2,3,5,4 --all-moves
  nimatron solve \"misere CN(5,2)\" 1,2,0,2,1
  nimatron solve \"CN(7,4)\" 1,1,3,2,2,2,3 --after 0,0,1,0,0,0,0
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
    /// Make this move first: is it legal, and what is the reply?
    #[arg(long, value_name = "MOVE", allow_hyphen_values = true)]
    after: Option<String>,
    /// If a proof about the game had to be found, keep it for later questions
    #[arg(long, conflicts_with = "after")]
    save: bool,
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
        let options = Options::default().limits(self.limits.limits()).moves(moves);
        if self.save && self.library.store().is_none() {
            let message = "there is no data directory; name one with --library".to_string();
            return Err(Failure::bad("library", message));
        }
        let prepared = Prepared::knowing(game, self.library.knowledge());
        match &self.after {
            Some(text) => follow(&prepared, &position, text, &options, output),
            None => self.answer(&prepared, &position, &options, output),
        }
    }

    /// The answer about a position; before giving up, a proof is looked for.
    fn answer(
        &self,
        prepared: &Prepared,
        position: &Position,
        options: &Options,
        output: &Output,
    ) -> Result<Status, Failure> {
        let announce = |game: &Game| {
            output.note(&format!("nothing is known about {game}: looking for a proof"));
        };
        let progress = Progress::start("searching", options.limits.time, output);
        let answer = prepared.investigate(position, options, &announce);
        drop(progress);
        output.problems(prepared.knowledge());
        let answer = answer.map_err(|error| Failure::bad("wrong-count", error.to_string()))?;
        let found = answer.discovery.as_ref().and_then(|d| d.found.as_ref());
        let mut written = Written::default();
        if let (Some(found), Some(store)) = (found, self.library.store().filter(|_| self.save)) {
            let path = store.add(&found.proved).map_err(|error| Failure::store(&error))?;
            written.saved = Some(path.display().to_string());
        }
        output.answer(
            || json::to_string(&json::Solve::investigated(&answer, &written)),
            |palette| investigation(&answer, &written, palette),
        )?;
        Ok(status(&answer.verdict))
    }
}

/// What follows a move.
fn follow(
    prepared: &Prepared,
    position: &Position,
    text: &str,
    options: &Options,
    output: &Output,
) -> Result<Status, Failure> {
    let take = read_take(text, prepared.game())?;
    let progress = Progress::start("searching", options.limits.time, output);
    let answer = prepared.after(position, &take, options);
    drop(progress);
    output.problems(prepared.knowledge());
    let answer = answer.map_err(|error| Failure::bad("illegal-move", error.to_string()))?;
    output.answer(
        || json::to_string(&json::AfterAnswer::from(&answer)),
        |palette| after(&answer, palette),
    )?;
    Ok(status(&answer.verdict))
}

fn status(verdict: &Verdict) -> Status {
    match &verdict.unknown {
        Some(unknown) if unknown.stop == Stop::Cancelled => Status::Interrupted,
        _ if verdict.outcome.is_none() => Status::Undecided,
        _ => Status::Answered,
    }
}
