//! `nimatron prove`

use crate::certificate::{OutArgs, write};
use crate::host::interruptible;
use crate::input::{GameText, OptionalFormulaText, SideArgs, word};
use crate::limits::ProofLimitArgs;
use crate::output::Output;
use crate::progress::Progress;
use nimatron::Game;
use nimatron::check::Side;
use nimatron::crates::formula::Formula;
use nimatron::crates::prove::regions::smt;
use nimatron::render::{one_sided, one_sided_latex, proving, proving_latex};
use nimatron_service::asks::prove::{self, Judged, Method, Prove};
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
  nimatron prove \"CN(5,3)\" --latex > theorem.tex
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
    #[arg(long, default_value = "auto", value_parser = word::<Method>())]
    method: Method,
    #[command(flatten)]
    out: OutArgs,
    /// Write what has to be proved as SMT-LIB files into this directory
    #[arg(long, value_name = "DIR")]
    smt: Option<PathBuf>,
    /// Print LaTeX for a document with nimatron.sty (`nimatron paper --style`)
    #[arg(long, conflicts_with = "json")]
    latex: bool,
    #[command(flatten)]
    limits: ProofLimitArgs,
}

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        let (time, memory) = self.limits.asked();
        let asked = Prove {
            game: self.game.text()?,
            formula: self.formula.text()?,
            necessary: self.side.necessary,
            sufficient: self.side.sufficient,
            condition: self.side.condition()?,
            method: self.method,
            certificate: false,
            time,
            memory,
        };
        let (game, formula) = asked.read()?;
        if asked.is_one_sided() {
            if self.smt.is_some() {
                return Err(Failure::useless("--smt", prove::ONLY));
            }
            self.out.check_one_sided(&game, asked.side()? == Side::Exact, prove::ONLY)?;
        }
        let files = match &self.smt {
            Some(directory) => obligations(&game, &formula, directory, output)?,
            None => Vec::new(),
        };
        if !asked.is_one_sided() {
            let paths: Vec<_> = files.iter().map(|(path, _)| path.as_path()).collect();
            self.out.check(&game, &paths)?;
        }
        for (path, text) in &files {
            write(path, text.as_bytes())?;
        }
        let host = interruptible(output);
        let progress = Progress::start("proving", time.map(|t| t.0), output);
        let mut found = progress.during(|| asked.find(&host))?;
        let mut failure = None;
        if let Some(proof) = found.judged.proof() {
            (found.written, failure) = self.out.write(proof);
        }
        let text = |palette: &_| match &found.judged {
            Judged::Whole(judged) => proving(judged, &found.written, palette),
            Judged::OneSided(judged) => one_sided(judged, &found.written, palette),
        };
        match (&found.judged, self.latex) {
            (Judged::Whole(judged), true) => {
                output.raw(proving_latex(judged, &found.written).as_bytes())?;
            }
            (Judged::OneSided(judged), true) => {
                output.raw(one_sided_latex(judged, &found.written).as_bytes())?;
            }
            _ => output.answer(|| found.json(), text)?,
        }
        match failure {
            Some(failure) => Ok(output.failure_beside(&failure)),
            None => Ok(found.status()),
        }
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
