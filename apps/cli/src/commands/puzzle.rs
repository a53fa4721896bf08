//! `nimatron puzzle`

use crate::conversation::{Conversation, any_seed};
use crate::host::interruptible;
use crate::input::OptionalGameText;
use crate::limits::LimitArgs;
use crate::output::Output;
use nimatron::play::{MAX_HINT, MAX_RATING, parse_take};
use nimatron::render::{board, hint, rules, short_take, verdict};
use nimatron::{Limits, Outcome, Prepared};
use nimatron_service::asks::play::Puzzle;
use nimatron_service::{Failure, Status};

/// A position with just one way to win: find it
///
/// Type the move as "a2 b1" or "take (2,1,0)"; hint tells a little more each time, solution all, quit ends. The
/// exit status is 0 if the puzzle was solved, 1 if not.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  nimatron puzzle
  nimatron puzzle \"CN(5,2)\" --rating 3
  nimatron puzzle --seed 7 --json")]
pub(crate) struct Args {
    #[command(flatten)]
    game: OptionalGameText,
    /// How hard, from 1 to 5
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=i64::from(MAX_RATING)))]
    rating: Option<u8>,
    /// Each seed gives another puzzle
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    #[command(flatten)]
    limits: LimitArgs,
}

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        let (time, memory) = self.limits.asked();
        let seed = self.seed.unwrap_or_else(any_seed);
        let asked = Puzzle { game: self.game.text()?, rating: self.rating, seed, time, memory };
        let found = asked.find(&interruptible(output))?;
        if output.is_json() {
            return output.found(&found, |_| String::new());
        }
        let puzzle = &found.puzzle;
        let talk = Conversation::new(output);
        talk.say(|palette| {
            let title = format!(
                "Puzzle {seed}, rated {} of {MAX_RATING}: {} at {}",
                puzzle.rating, puzzle.game, puzzle.position
            );
            let title = palette.wrap(&title, "  ");
            let board = board(&puzzle.position, palette);
            format!("{title}\n{}\n{board}", rules(&puzzle.game, palette))
        })?;
        let prepared = Prepared::new(puzzle.game.clone());
        let mut hints = 0u8;
        while let Some(line) = talk.line("your move")? {
            match line.to_ascii_lowercase().as_str() {
                "" => {}
                "quit" | "exit" | "q" => break,
                "hint" => {
                    hints = (hints + 1).min(MAX_HINT - 1);
                    let told = prepared.hint(&puzzle.position, hints, &Limits::default());
                    let told = told.map_err(|e| Failure::bad("wrong-count", e.to_string()))?;
                    talk.tell(&hint(&told, puzzle.position.len()))?;
                }
                "solution" | "why" => {
                    talk.say(|palette| verdict(&puzzle.verdict, palette))?;
                    break;
                }
                _ => {
                    let take = match parse_take(&line, &puzzle.game) {
                        Ok(take) => take,
                        Err(error) => {
                            talk.tell(&format!("{error}. hint, solution and quit are words, too."))?;
                            continue;
                        }
                    };
                    match prepared.after(&puzzle.position, &take, &nimatron::Options::default()) {
                        Err(error) => talk.tell(&format!("That is no move: {error}."))?,
                        Ok(after) if after.verdict.outcome == Some(Outcome::P) => {
                            talk.tell("Right.")?;
                            talk.say(|palette| verdict(&puzzle.verdict, palette))?;
                            return Ok(Status::Answered);
                        }
                        Ok(after) => {
                            let reply = after.verdict.moves.first();
                            let reply = reply.map_or(String::new(), |reply| {
                                format!(" The reply {} wins.", short_take(&reply.take))
                            });
                            talk.tell(&format!("Not that: it leaves {}.{reply}", after.verdict.position))?;
                        }
                    }
                }
            }
        }
        Ok(Status::Negative)
    }
}
