//! `nimatron atlas`

use crate::certificate::{is_taken, write};
use crate::failure::Failure;
use crate::input::read_game;
use crate::limits::cancellation;
use crate::output::Output;
use crate::progress::Progress;
use crate::status::Status;
use nimatron::atlas::{Atlas, Entry, Flaw};
use nimatron::crates::game::symmetry::MAX_LISTED;
use nimatron::render::{
    AtlasAnswer, atlas, atlas_circular, atlas_entry, atlas_formulas, atlas_list, audited,
    circular_entries, circular_markdown, json,
};
use nimatron::{Game, Limits, Stop};
use std::path::PathBuf;
use std::sync::atomic::Ordering;

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
    /// List the formulas that were found for automata, the shortest first
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
        let shipped = Atlas::shipped();
        if self.markdown {
            output.raw(circular_markdown(shipped).as_bytes())?;
            return Ok(Status::Answered);
        }
        let asked = self.game.as_deref().map(read_game).transpose()?;
        let mut entries: Vec<&Entry> = match (&self.game, self.stacks) {
            (Some(_), _) => {
                asked.iter().map(|game| find(shipped, game)).collect::<Result<_, _>>()?
            }
            (None, Some(n)) => shipped.systems(usize::try_from(n).unwrap_or(0)).collect(),
            (None, None) if self.circular => circular_entries(shipped),
            (None, None) if self.slow => shipped.entries().iter().filter(|e| e.is_slow()).collect(),
            (None, None) => shipped.entries().iter().collect(),
        };
        let is_open =
            |entry: &Entry| matches!(shipped.status(entry), nimatron::atlas::Status::Open);
        entries.retain(|entry| !self.open || is_open(entry));
        let written = self.write(shipped, &entries)?;
        let flaws = match self.verify {
            true => Some(verify(shipped, &entries, output)?),
            false => None,
        };
        output.answer(
            || {
                let answer = AtlasAnswer::new(
                    shipped,
                    &entries,
                    flaws.as_deref(),
                    written.clone(),
                    asked.as_ref(),
                );
                json::to_string(&answer)
            },
            |palette| match (&flaws, &entries[..]) {
                (Some(flaws), _) => audited(&entries, flaws, palette),
                (None, [entry]) if let Some(asked) = &asked => {
                    let told = atlas_entry(shipped, entry, asked, palette);
                    let to = written
                        .as_ref()
                        .map_or(String::new(), |to| format!("  written to   {to}\n"));
                    told + &to
                }
                _ if self.formulas => atlas_formulas(shipped, &entries, palette),
                _ if let Some(n) = self.stacks => {
                    atlas_list(shipped, &format!("Set systems on {n} stacks"), &entries, palette)
                }
                _ if self.circular && !self.open => atlas_circular(shipped, palette),
                _ if self.slow => atlas_list(shipped, "Slow games", &entries, palette),
                _ if self.open => atlas_list(shipped, "Open games", &entries, palette),
                _ => atlas(shipped, palette),
            },
        )?;
        Ok(match &flaws {
            Some(flaws) if !flaws.is_empty() => Status::Negative,
            None if self.game.is_some() && entries.iter().all(|e| is_open(e)) => Status::Undecided,
            _ => Status::Answered,
        })
    }

    /// Writes the certificate to where it was asked for.
    fn write(&self, atlas: &Atlas, entries: &[&Entry]) -> Result<Option<String>, Failure> {
        let (Some(path), [entry]) = (&self.out, entries) else { return Ok(None) };
        let name = path.display().to_string();
        if is_taken(path) && !self.force {
            return Err(Failure::exists(&name));
        }
        let text = atlas.certificate_text(entry);
        match text.map_err(|error| Failure::bad("atlas", error.to_string()))? {
            Some(text) => write(path, &text).map(|()| Some(name)),
            None => {
                let message = format!("the atlas has no certificate of {}", entry.game);
                Err(Failure::open("no-certificate", message))
            }
        }
    }
}

/// The entry about a game, as it is or with its stacks renamed.
fn find<'a>(atlas: &'a Atlas, game: &Game) -> Result<&'a Entry, Failure> {
    let entry = game.single().and_then(|rule| atlas.find(rule, game.convention()));
    entry.ok_or_else(|| {
        let message = format!(
            "{game} is not in the atlas, which holds SetNim on up to {MAX_LISTED} stacks, \
             circular games and slow games"
        );
        Failure::open("not-in-atlas", message)
    })
}

/// Checks the claims one by one.
fn verify<'a>(
    atlas: &Atlas,
    entries: &[&'a Entry],
    output: &Output,
) -> Result<Vec<(&'a Entry, Flaw)>, Failure> {
    let progress = Progress::start("checking", None, output);
    let limits = Limits::default().cancel(cancellation());
    let cancelled = || limits.cancel.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed));
    let mut flaws = Vec::new();
    for &entry in entries {
        let audit = atlas.audit(entry, &limits);
        if cancelled() {
            return Err(Failure::stopped(Stop::Cancelled));
        }
        flaws.extend(audit.err().map(|flaw| (entry, flaw)));
    }
    drop(progress);
    Ok(flaws)
}
