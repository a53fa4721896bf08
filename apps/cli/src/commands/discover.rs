//! `nimatron discover`

use crate::certificate::{OutArgs, write};
use crate::failure::Failure;
use crate::input::GameText;
use crate::limits::ProofLimitArgs;
use crate::output::Output;
use crate::progress::Progress;
use crate::status::Status;
use nimatron::Stop;
use nimatron::proofs::{DiscoverMethod, discover};
use nimatron_render::{ProofAnswer, Written, discovery, json};
use std::path::{Path, PathBuf};

/// Find the P-positions of a game and prove them, for all heights
///
/// Nothing is taken from the theorem library. The proof is handed to the independent checker before
/// it is shown. If nothing is found, what was tried and how far it went is told.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  nimatron discover \"CN(9,4)\" --out cn94.json
  nimatron discover \"CN(6,4)\" --method automata --dot cn64.dot
  nimatron discover \"misere Nim(3)\" --json
  nimatron discover \"Set(abc,bcd,cde,def,af)\" --time 5m --memory 8GB --save

Exit status: 0 found and proved, 3 not found within the limits.")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameText,
    /// How to look
    #[arg(long, value_enum, default_value_t = Method::Auto)]
    method: Method,
    #[command(flatten)]
    out: OutArgs,
    /// Draw the automaton for Graphviz, if one was found
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
    /// Write the automaton for Walnut, if one was found
    #[arg(long, value_name = "FILE")]
    walnut: Option<PathBuf>,
    #[command(flatten)]
    limits: ProofLimitArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Method {
    /// Matryoshka, and automata where it finds nothing
    Auto,
    /// Sums of 0/1 vectors, by games within games
    Matryoshka,
    /// A finite automaton that reads binary digits
    Automata,
}

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        let game = self.game.read()?;
        let drawings: Vec<&Path> =
            self.dot.iter().chain(&self.walnut).map(PathBuf::as_path).collect();
        self.out.check(&drawings)?;
        let method = match self.method {
            Method::Auto => DiscoverMethod::Auto,
            Method::Matryoshka => DiscoverMethod::Matryoshka,
            Method::Automata => DiscoverMethod::Automata,
        };
        let limits = self.limits.limits();
        let progress = Progress::start("searching", limits.time, output);
        let answer = discover(&game, method, &limits);
        drop(progress);
        let written = match &answer.found {
            Some(found) => self.out.write(&found.proved)?,
            None => Written::default(),
        };
        if let Some(automaton) = answer.found.as_ref().and_then(|f| f.proved.automaton()) {
            if let Some(path) = &self.dot {
                write(path, automaton.to_dot().as_bytes())?;
            }
            if let Some(path) = &self.walnut {
                write(path, automaton.to_walnut().as_bytes())?;
            }
        }
        output.answer(
            || json::to_string(&ProofAnswer::of_discovery(&answer, &written)),
            |palette| discovery(&answer, &written, palette),
        )?;
        Ok(match (&answer.found, answer.stop) {
            (Some(_), _) => Status::Answered,
            (None, Some(Stop::Cancelled)) => Status::Interrupted,
            (None, _) => Status::Undecided,
        })
    }
}
