//! `nimatron atlas`

use crate::certificate::{is_taken, write};
use crate::host::{interruptible, quick};
use crate::input::fetch;
use crate::output::Output;
use crate::progress::Progress;
use nimatron::atlas::Atlas as Shipped;
use nimatron::crates::game::symmetry::MAX_LISTED;
use nimatron::render::{
    atlas, atlas_circular, atlas_entry, atlas_formulas, atlas_list, audited, circular_markdown,
};
use nimatron_service::asks::atlas::{Atlas, Listed};
use nimatron_service::{Failure, Status};
use std::path::PathBuf;

/// What is known about all small games
///
/// The atlas holds every SetNim game on up to 5 stacks, the circular games on up to 12, and the slow games on
/// up to 5 under normal and misere play, with the theorem that covers it or a certificate of the proof that
/// was found. Where there is neither it tells how far the search went. `solve` takes the proofs from here.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  nimatron atlas
  nimatron atlas 4
  nimatron atlas 5 --open
  nimatron atlas --circular
  nimatron atlas --slow
  nimatron atlas --formulas
  nimatron atlas --game \"CN(9,4)\" --out cn94.json
  nimatron atlas --verify

Exit status: 0 told, 1 a claim of the atlas does not hold, 3 the game is open or not in the atlas.")]
pub(crate) struct Args {
    /// List the games on this many stacks
    #[arg(value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MAX_LISTED as u64))]
    #[arg(conflicts_with_all = ["circular", "game"])]
    stacks: Option<u64>,
    /// List the circular games
    #[arg(long, conflicts_with = "game")]
    circular: bool,
    /// List the slow games
    #[arg(long, conflicts_with_all = ["circular", "game", "stacks"])]
    slow: bool,
    /// Tell about this game
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// List open games only
    #[arg(long, conflicts_with = "game")]
    open: bool,
    /// List the formulas that were found and proved, the shortest first
    #[arg(long, conflicts_with_all = ["game", "open", "verify", "json"])]
    formulas: bool,
    /// Check all claims: theorems, certificates, obstructions
    #[arg(long)]
    verify: bool,
    /// Print the page about circular games in Markdown
    #[arg(long, requires = "circular")]
    #[arg(conflicts_with_all = ["json", "open", "verify", "game", "stacks", "out"])]
    markdown: bool,
    /// Write the certificate of the game to this file
    #[arg(long, value_name = "CERT", requires = "game")]
    #[arg(conflicts_with_all = ["circular", "stacks", "open", "verify"])]
    out: Option<PathBuf>,
    /// Overwrite the file if it exists
    #[arg(long, requires = "out")]
    force: bool,
}

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        let shipped = Shipped::shipped();
        if self.markdown {
            output.raw(circular_markdown(shipped).as_bytes())?;
            return Ok(Status::Answered);
        }
        let request = Atlas {
            stacks: self.stacks.and_then(|n| usize::try_from(n).ok()),
            circular: self.circular,
            slow: self.slow,
            game: self.game.as_deref().map(fetch).transpose()?,
            open: self.open,
            verify: self.verify,
            certificate: false,
        };
        let progress = self.verify.then(|| Progress::start("checking", None, output));
        let found = match self.verify {
            true => request.find(&interruptible(output)),
            false => request.find(&quick(output)),
        };
        drop(progress);
        let mut found = found?;
        found.written = self.write(&found)?;
        let (asked, entries, written) = (&found.asked, &found.entries, &found.written);
        output.found(&found, |palette| match (&found.flaws, &entries[..]) {
            (Some(flaws), _) => audited(entries, flaws, palette),
            (None, [entry]) if let Some(asked) = asked => {
                let told = atlas_entry(shipped, entry, asked, palette);
                let to =
                    written.as_ref().map_or(String::new(), |to| format!("  written to   {to}\n"));
                told + &to
            }
            _ if self.formulas => atlas_formulas(shipped, entries, palette),
            _ if let Some(n) = self.stacks => {
                atlas_list(shipped, &format!("Set systems on {n} stacks"), entries, palette)
            }
            _ if self.circular && !self.open => atlas_circular(shipped, palette),
            _ if self.slow => atlas_list(shipped, "Slow games", entries, palette),
            _ if self.open => atlas_list(shipped, "Open games", entries, palette),
            _ => atlas(shipped, palette),
        })
    }

    /// Writes the certificate to where it was asked for.
    fn write(&self, found: &Listed) -> Result<Option<String>, Failure> {
        let Some(path) = &self.out else { return Ok(None) };
        let name = path.display().to_string();
        if is_taken(path) && !self.force {
            return Err(Failure::exists(&name));
        }
        write(path, &found.certificate()?).map(|()| Some(name))
    }
}
