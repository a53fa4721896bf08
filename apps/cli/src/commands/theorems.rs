//! `nimatron theorems`

use crate::certificate::LibraryArgs;
use crate::failure::Failure;
use crate::input::OptionalGameText;
use crate::limits::LimitArgs;
use crate::output::Output;
use crate::progress::Progress;
use crate::status::Status;
use nimatron::crates::theory::{Recognition, Theorem, library, recognise};
use nimatron::render::{
    Entry, TheoremsAnswer, bibliography, json, theorem, theorems, theorems_latex,
};
use nimatron::structure::{A_SECOND, Solved, TheoremCheck, affordable_box, examples_of};
use nimatron::{Game, Limits};
use std::sync::Arc;

/// The theorems on which answers rest, with their sources
///
/// With a game, only the theorem that covers it, whatever its stacks are called; if there is none,
/// the exit status is 3.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  nimatron theorems
  nimatron theorems \"Set(ac,ce,be,bd,ad)\"
  nimatron theorems --show cn-7-4
  nimatron theorems \"CN(7,3)\" --check
  nimatron theorems --check --json
  nimatron theorems --bibtex")]
pub(crate) struct Args {
    #[command(flatten)]
    game: OptionalGameText,
    /// Show all about the theorem with this name
    #[arg(long, value_name = "ID", conflicts_with = "game")]
    show: Option<String>,
    /// Compare with computed tables; exit status 1 if they differ
    #[arg(long)]
    check: bool,
    /// Compare on all heights up to this; by default what takes about a second
    #[arg(long, value_name = "H", requires = "check")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    max: Option<u64>,
    /// Print the statements in LaTeX
    #[arg(long, conflicts_with_all = ["json", "check"])]
    latex: bool,
    /// Print the bibliography in BibTeX: all of it, or what the theorem cites
    #[arg(long, conflicts_with_all = ["json", "latex", "check"])]
    bibtex: bool,
    #[command(flatten)]
    library: LibraryArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

/// How many games a theorem is compared on when none is given.
const EXAMPLES: usize = 4;

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        if self.limits.is_given() && !self.check {
            return Err(Failure::useless("--time or --memory", "only --check takes long"));
        }
        let game = self.game.read()?;
        let limits = self.limits.limits();
        let knowledge = self.library.knowledge();
        let solved = game.as_ref().and_then(|game| knowledge.solved(game));
        output.problems(&knowledge);
        let progress = Progress::start("comparing", None, output);
        let mut entries = Vec::new();
        match &game {
            Some(game) => {
                let found = game.single().and_then(|rule| recognise(rule, game.convention()));
                if let Some(found) = found {
                    let mut entry = Entry::new(found.theorem, Some(found.solution()));
                    if self.check {
                        entry.checks.extend(self.compare(game, &found, A_SECOND, &limits)?);
                    }
                    entries.push(entry);
                } else {
                    match &solved {
                        Some(Solved::Theorem(found)) => {
                            entries.push(Entry::new(found.theorem, Some(found.solution())));
                        }
                        Some(Solved::Values(all)) => {
                            let entry = |t: &Arc<Recognition>| Entry::new(t.theorem, None);
                            entries.extend(all.iter().map(entry));
                            entries.dedup_by_key(|entry| entry.theorem.id().to_string());
                        }
                        _ => {}
                    }
                }
            }
            None => {
                for theorem in self.chosen()? {
                    let mut entry = Entry::new(theorem, None);
                    if self.check || self.show.is_some() {
                        self.examples(theorem, &mut entry, &limits)?;
                    }
                    entries.push(entry);
                }
            }
        }
        drop(progress);
        if self.bibtex {
            output.raw(bibliography(&entries).as_bytes())?;
        } else if self.latex {
            output.raw(theorems_latex(&entries).as_bytes())?;
        } else {
            output.answer(
                || json::to_string(&TheoremsAnswer::new(game.as_ref(), &entries)),
                |palette| match (&entries[..], &game) {
                    ([], Some(game)) => match solved.iter().flat_map(|s| s.by()).next() {
                        Some(by) => {
                            format!("{game}\nno theorem covers this game, but {} does\n", by.cited())
                        }
                        None => format!("{game}\nno theorem covers this game\n"),
                    },
                    ([entry], _) => theorem(entry, palette),
                    _ => theorems(&entries, palette),
                },
            )?;
        }
        let differs = |e: &Entry| e.checks.iter().any(|c| c.differs.is_some());
        Ok(match entries.is_empty() {
            true => Status::Undecided,
            false if entries.iter().any(differs) => Status::Negative,
            false => Status::Answered,
        })
    }

    /// The theorems asked about.
    fn chosen(&self) -> Result<Vec<&'static dyn Theorem>, Failure> {
        let all = library::theorems();
        let Some(id) = &self.show else { return Ok(all.to_vec()) };
        match all.iter().find(|t| t.id() == id) {
            Some(theorem) => Ok(vec![*theorem]),
            None => {
                let ids: Vec<&str> = all.iter().map(|t| t.id()).collect();
                let known = ids.join(", ");
                let message = format!("there is no theorem {id:?}: known are {known}");
                Err(Failure::bad("unknown-name", message))
            }
        }
    }

    /// The formula for the first example of a theorem, if it is about one game, and comparisons.
    fn examples<'a>(
        &self,
        theorem: &'a dyn Theorem,
        entry: &mut Entry<'a>,
        limits: &Limits,
    ) -> Result<(), Failure> {
        let examples = examples_of(theorem, EXAMPLES);
        for game in &examples {
            let found = game.single().and_then(|rule| recognise(rule, game.convention()));
            let Some(found) = found else { continue };
            if examples.len() == 1 {
                entry.formula = found.solution().formula();
            }
            if self.check {
                let work = A_SECOND / 4.0 / examples.len() as f64;
                entry.checks.extend(self.compare(game, &found, work, limits)?);
            }
        }
        Ok(())
    }

    /// The comparison on a box of the size asked for, or of one that takes this much work.
    fn compare(
        &self,
        game: &Game,
        found: &Recognition,
        work: f64,
        limits: &Limits,
    ) -> Result<Option<TheoremCheck>, Failure> {
        let Some(max) = self.max.or_else(|| affordable_box(game, work)) else { return Ok(None) };
        let check = TheoremCheck::of(game, found, max, &limits.start());
        check.map(Some).map_err(|error| Failure::table(&error))
    }
}
