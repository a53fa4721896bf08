//! `nimatron prove`

use crate::certificate::{OutArgs, write};
use crate::failure::Failure;
use crate::input::{GameText, OptionalFormulaText};
use crate::limits::ProofLimitArgs;
use crate::output::Output;
use crate::progress::Progress;
use crate::status::Status;
use nimatron::crates::formula::{Context, Formula};
use nimatron::proofs::{Judgement, ProveMethod, Undecided, prove};
use nimatron::crates::prove::regions::smt;
use nimatron::crates::theory::recognise;
use nimatron::{Game, Stop};
use nimatron::render::{Diagnostic, ProofAnswer, Written, json, proving};
use std::path::{Path, PathBuf};

/// Prove that a formula describes the P-positions, for all heights
///
/// The proof is handed to the independent checker before it is shown. A wrong formula ends in a
/// position that refutes it. Without FORMULA the one of the theorem library is proved.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  nimatron prove \"CN(5,2)\"
  nimatron prove \"CN(5,3)\" \"sym(a = 0, b = e = c+d)\" --out cn53.json
  nimatron prove \"Slow(5,{1,3})\" \"even(total)\" --json
  nimatron prove \"CN(6,4)\" @formula.txt --method automata
  nimatron prove \"CN(6,3)\" \"span(ad, be, cf, ace, bdf)\" --save

Exit status: 0 proved, 1 refuted, 3 neither within the limits.")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameText,
    #[command(flatten)]
    formula: OptionalFormulaText,
    /// How to prove
    #[arg(long, value_enum, default_value_t = Method::Auto)]
    method: Method,
    #[command(flatten)]
    out: OutArgs,
    /// Write what has to be proved as SMT-LIB files into this directory
    #[arg(long, value_name = "DIR")]
    smt: Option<PathBuf>,
    #[command(flatten)]
    limits: ProofLimitArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Method {
    /// Regions, and automata where these do not do
    Auto,
    /// Linear arithmetic, for formulas without xor
    Regions,
    /// The formula as a finite automaton that reads binary digits
    Automata,
}

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        let game = self.game.read()?;
        let formula = match self.formula.read(&game)? {
            Some(formula) => Some(formula),
            None => known_formula(&game),
        };
        let Some(formula) = formula else {
            let message = format!("the theorem library has no formula for {game}");
            let hint = Some(format!("nimatron discover \"{game}\""));
            let diagnostic = Diagnostic { message, place: None, hint };
            let kind = "no-formula";
            return Err(Failure::Open { kind, diagnostic: Box::new(diagnostic) });
        };
        let files = match &self.smt {
            Some(directory) => obligations(&game, &formula, directory, output)?,
            None => Vec::new(),
        };
        self.out.check(&game, &files.iter().map(|(path, _)| path.as_path()).collect::<Vec<_>>())?;
        for (path, text) in &files {
            write(path, text.as_bytes())?;
        }
        let method = match self.method {
            Method::Auto => ProveMethod::Auto,
            Method::Regions => ProveMethod::Regions,
            Method::Automata => ProveMethod::Automata,
        };
        let limits = self.limits.limits();
        let progress = Progress::start("proving", limits.time, output);
        let answer = prove(&game, &formula, method, &limits);
        drop(progress);
        let (written, failure) = match &answer.judgement {
            Judgement::Proved(found) => self.out.write(&found.proved),
            _ => (Written::default(), None),
        };
        output.answer(
            || json::to_string(&ProofAnswer::of_proving(&answer, &written)),
            |palette| proving(&answer, &written, palette),
        )?;
        if let Some(failure) = failure {
            return Ok(output.failure_beside(&failure));
        }
        Ok(match &answer.judgement {
            Judgement::Proved(_) => Status::Answered,
            Judgement::Refuted(_) => Status::Negative,
            Judgement::Undecided(Undecided::Stopped(Stop::Cancelled)) => Status::Interrupted,
            _ => Status::Undecided,
        })
    }
}

/// What has to be proved, as files for an SMT solver. Where there are none, as for a formula with
/// xor, this is told; it can be proved all the same.
fn obligations(
    game: &Game,
    formula: &Formula,
    directory: &Path,
    output: &Output,
) -> Result<Vec<(PathBuf, String)>, Failure> {
    let files = match smt(game, formula) {
        Ok(files) => files,
        Err(error) => {
            output.warning(&format!("--smt writes no files: {error}"));
            return Ok(Vec::new());
        }
    };
    let name = directory.display().to_string();
    std::fs::create_dir_all(directory).map_err(|error| Failure::file(&name, &error))?;
    Ok(files.into_iter().map(|(name, text)| (directory.join(name), text)).collect())
}

/// What the theorem library says about the game, in its own order of stacks.
fn known_formula(game: &Game) -> Option<Formula> {
    let found = recognise(game.single()?, game.convention())?;
    let family = found.family.as_ref().map(|family| family.rule());
    let context = family.as_ref().map_or_else(|| Context::of_game(game), Context::of_rule);
    let formula = Formula::parse(&found.solution().formula()?, &context).ok()?;
    let images: Vec<usize> = found.relabelling.inverse().images().collect();
    Some(formula.relabel(&images))
}
