//! `nimatron discover`

use crate::certificate::{OutArgs, write};
use crate::host::interruptible;
use crate::input::{GameText, word};
use crate::limits::ProofLimitArgs;
use crate::output::Output;
use crate::progress::Progress;
use nimatron::render::{discovery, discovery_latex};
use nimatron_service::asks::discover::{Discover, Method};
use nimatron_service::{Failure, Found, Status, read};
use std::path::{Path, PathBuf};

/// Find the P-positions of a game and prove them, for all heights
///
/// Nothing is taken from the theorem library. The proof is handed to the independent checker before
/// it is shown, and so is the formula in which the P-positions are told. If nothing is found, what was
/// tried and how far it went is told.
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
    #[arg(long, default_value = "auto", value_parser = word::<Method>())]
    method: Method,
    #[command(flatten)]
    out: OutArgs,
    /// Look for an automaton, and draw it for Graphviz
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
    /// Look for an automaton, and write it for Walnut
    #[arg(long, value_name = "FILE")]
    walnut: Option<PathBuf>,
    /// Do not look for a formula for what an automaton accepts
    #[arg(long)]
    no_formula: bool,
    /// Print LaTeX for a document with nimatron.sty (`nimatron paper --style`)
    #[arg(long, conflicts_with = "json")]
    latex: bool,
    #[command(flatten)]
    limits: ProofLimitArgs,
}

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        let (time, memory) = self.limits.asked();
        let text = self.game.text()?;
        let game = read::game(&text)?;
        let drawings: Vec<&Path> =
            self.dot.iter().chain(&self.walnut).map(PathBuf::as_path).collect();
        if !drawings.is_empty() && self.method == Method::Matryoshka {
            let why = "there is no automaton in a proof by matryoshka";
            return Err(Failure::useless("--dot or --walnut", why));
        }
        self.out.check(&game, &drawings)?;
        let asked = Discover {
            game: text,
            method: match self.method {
                // Who wants to see an automaton wants one to be looked for.
                Method::Auto if !drawings.is_empty() => Method::Automata,
                method => method,
            },
            no_formula: self.no_formula,
            certificate: false,
            time,
            memory,
        };
        let host = interruptible(output);
        let progress = Progress::start("searching", time.map(|t| t.0), output);
        let mut found = progress.during(|| asked.find(&host))?;
        let mut failure = None;
        let proof = found.discovery.found.as_ref();
        if let Some(proof) = proof {
            (found.written, failure) = self.out.write(&proof.proved);
        }
        if let Some(automaton) = proof.and_then(|f| f.proved.automaton()) {
            let (dot, walnut) = (|| automaton.to_dot(), || automaton.to_walnut());
            let drawn = self.dot.iter().map(|path| (path, dot()));
            for (path, text) in drawn.chain(self.walnut.iter().map(|path| (path, walnut()))) {
                failure = failure.or(write(path, text.as_bytes()).err());
            }
        }
        let text = |palette: &_| discovery(&found.discovery, &found.written, palette);
        match self.latex {
            true => {
                output.raw(discovery_latex(&found.discovery, &found.written).as_bytes())?;
            }
            false => output.answer(|| found.json(), text)?,
        }
        match failure {
            Some(failure) => Ok(output.failure_beside(&failure)),
            None => Ok(found.status()),
        }
    }
}
