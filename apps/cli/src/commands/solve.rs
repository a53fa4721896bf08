//! `nimatron solve`

use crate::certificate::LibraryArgs;
use crate::host::{interruptible, knowing};
use crate::input::{GameText, PositionText, fetch};
use crate::limits::LimitArgs;
use crate::output::Output;
use crate::progress::Progress;
use nimatron::render::{after, after_latex, investigation, investigation_latex};
use nimatron_service::asks::solve::{Solve, Solved};
use nimatron_service::{Failure, Found, Heights, Status};
use nimatron_service::units::count;
use std::num::NonZeroU32;


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
    #[arg(value_parser = count)]
    limit: u32,
    /// Make this move first: is it legal, and what is the reply?
    #[arg(long, value_name = "MOVE", allow_hyphen_values = true)]
    after: Option<String>,
    /// If a proof about the game had to be found, keep it for later questions
    #[arg(long, conflicts_with = "after")]
    save: bool,
    /// Print LaTeX for a document with nimatron.sty (`nimatron paper --style`)
    #[arg(long, conflicts_with = "json")]
    latex: bool,
    #[command(flatten)]
    library: LibraryArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        let (time, memory) = self.limits.asked();
        let asked = Solve {
            game: self.game.text()?,
            position: self.position.text()?,
            all_moves: self.all_moves,
            limit: NonZeroU32::new(self.limit).filter(|_| self.all_moves),
            after: self.after.as_deref().map(fetch).transpose()?.map(Heights),
            time,
            memory,
        };
        if self.save && self.library.store().is_none() {
            let message = "there is no data directory; name one with --library".to_string();
            return Err(Failure::bad("library", message));
        }
        let known = knowing(&self.library);
        let host = interruptible(output).knowing(&known);
        let progress = Progress::start("searching", self.limits.time(), output);
        let mut found = progress.during(|| asked.find(&host))?;
        if let Solved::Position { investigation, written } = &mut found {
            let proof = investigation.discovery.as_ref().and_then(|d| d.found.as_ref());
            if let (Some(proof), Some(store)) = (proof, self.library.store().filter(|_| self.save)) {
                let path = store.add(&proof.proved).map_err(|error| Failure::store(&error))?;
                written.saved = Some(path.display().to_string());
            }
        }
        if self.latex {
            let text = match &found {
                Solved::Position { investigation: found, written } => {
                    investigation_latex(found, written)
                }
                Solved::After(found) => after_latex(found),
            };
            output.raw(text.as_bytes())?;
            return Ok(found.status());
        }
        output.found(&found, |palette| match &found {
            Solved::Position { investigation: found, written } => {
                investigation(found, written, palette)
            }
            Solved::After(found) => after(found, palette),
        })
    }
}
