//! `nimatron prove`

use crate::certificate::{OutArgs, write};
use crate::host::interruptible;
use crate::input::{GameText, OptionalFormulaText, SideArgs};
use crate::limits::{ProofLimitArgs, cancellation};
use crate::output::Output;
use crate::progress::Progress;
use nimatron::check::Side;
use nimatron::crates::formula::Formula;
use nimatron::crates::prove::regions::smt;
use nimatron::proofs::{Judgement, SidedJudgement, SidedUndecided, prove_one_sided};
use nimatron::render::{OneSidedAnswer, Written, json, one_sided, proving};
use nimatron_service::asks::prove::{self, Prove};
use nimatron::{Game, Knowledge, Limits, Stop};
use nimatron_service::{Failure, Found, Status};
use std::path::{Path, PathBuf};

/// Prove that a formula describes the P-positions, for all heights
///
/// The proof is handed to the independent checker before it is shown. A wrong formula ends in a
/// position that refutes it. Without FORMULA the one of the theorem library is proved.
///
/// --necessary and --sufficient prove one direction only, --where something about some positions only,
/// where the P-positions are known.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  nimatron prove \"CN(5,2)\"
  nimatron prove \"CN(5,3)\" \"sym(a = 0, b = e = c+d)\" --out cn53.json
  nimatron prove \"Slow(5,{1,3})\" \"even(total)\" --json
  nimatron prove \"CN(6,4)\" @formula.txt --method automata
  nimatron prove \"CN(6,3)\" \"span(ad, be, cf, ace, bdf)\" --save
  nimatron prove \"CN(9,5)\" \"sym(b = c = d = 0, a = e = f+g+h+i)\" --sufficient

Exit status: 0 proved, 1 refuted, 3 neither within the limits.")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameText,
    #[command(flatten)]
    formula: OptionalFormulaText,
    #[command(flatten)]
    side: SideArgs,
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
        let (time, memory) = self.limits.asked();
        let asked = Prove {
            game: self.game.text()?,
            formula: self.formula.text()?,
            method: match self.method {
                Method::Auto => prove::Method::Auto,
                Method::Regions => prove::Method::Regions,
                Method::Automata => prove::Method::Automata,
            },
            certificate: false,
            time,
            memory,
        };
        let (game, formula) = asked.read()?;
        if self.side.side() != Side::Exact || self.side.condition.is_some() {
            return self.one_sided(&game, &formula, output);
        }
        let files = match &self.smt {
            Some(directory) => obligations(&game, &formula, directory, output)?,
            None => Vec::new(),
        };
        self.out.check(&game, &files.iter().map(|(path, _)| path.as_path()).collect::<Vec<_>>())?;
        for (path, text) in &files {
            write(path, text.as_bytes())?;
        }
        let host = interruptible(output);
        let progress = Progress::start("proving", time.map(|t| t.0), output);
        let found = asked.find(&host);
        drop(progress);
        let mut found = found?;
        let mut failure = None;
        if let Judgement::Proved(proof) = &found.proving.judgement {
            (found.written, failure) = self.out.write(&proof.proved);
        }
        let text = |palette: &_| proving(&found.proving, &found.written, palette);
        output.answer(|| found.json(), text)?;
        match failure {
            Some(failure) => Ok(output.failure_beside(&failure)),
            None => Ok(found.status()),
        }
    }

    /// One direction, or some positions only.
    fn one_sided(
        &self,
        game: &Game,
        formula: &Formula,
        output: &Output,
    ) -> Result<Status, Failure> {
        let side = self.side.side();
        let only = "one direction, or some positions, are all that is asked about";
        if self.smt.is_some() {
            return Err(Failure::useless("--smt", only));
        }
        if self.method != Method::Auto {
            return Err(Failure::useless("--method", only));
        }
        self.out.check_one_sided(game, side == Side::Exact, only)?;
        let condition = self.side.condition(game)?;
        let (time, memory) = self.limits.asked();
        let limits = Limits::unlimited()
            .time(time.map(|time| time.0))
            .memory(memory.map(|memory| memory.0))
            .cancel(cancellation());
        let progress = Progress::start("proving", limits.time, output);
        let knowledge = Knowledge::default();
        let answer =
            prove_one_sided(game, formula, side, condition.as_ref(), &knowledge, &limits);
        drop(progress);
        let (written, failure) = match &answer.judgement {
            SidedJudgement::Proved(proofs) => match &proofs[..] {
                [one] => self.out.write(&one.found.proved),
                _ => (Written::default(), None),
            },
            _ => (Written::default(), None),
        };
        output.answer(
            || json::to_string(&OneSidedAnswer::new(&answer, &written)),
            |palette| one_sided(&answer, &written, palette),
        )?;
        if let Some(failure) = failure {
            return Ok(output.failure_beside(&failure));
        }
        Ok(match &answer.judgement {
            SidedJudgement::Proved(_) => Status::Answered,
            SidedJudgement::Refuted { .. } => Status::Negative,
            SidedJudgement::Undecided(SidedUndecided::Stopped(Stop::Cancelled)) => {
                Status::Interrupted
            }
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
