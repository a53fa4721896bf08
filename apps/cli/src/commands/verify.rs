//! `nimatron verify`

use crate::certificate::cache_directory;
use crate::host::interruptible;
use crate::input::{fetch, take_standard_input};
use crate::limits::cancellation;
use crate::output::Output;
use crate::progress::Progress;
use nimatron::Limits;
use nimatron::crates::verify::Certificate;
use nimatron::kernel::{Kernel, Opinion};
use nimatron::render::{comparison, comparison_stopped, examination, examination_latex, opinion};
use nimatron_service::asks::verify::{Compare, Text, Verify};
use nimatron_service::units::{Size, memory};
use nimatron_service::{Failure, Found, Status};
use std::fs::File;
use std::io;
use std::num::NonZeroU32;

/// Check a certificate, trusting nothing but arithmetic
///
/// Prints what was proved. A certificate about another game or formula than the one named is
/// rejected; games are compared stack by stack, formulas as they read, or, with the automaton of
/// a certificate, by the positions that they describe.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  nimatron verify cn94.json
  nimatron verify cn94.json --game \"CN(9,4)\"
  nimatron verify cn53.json --game \"CN(5,3)\" --formula \"sym(a = 0, b = e = c+d)\"
  nimatron verify cn94.json --compare 7
  nimatron verify cn94.json --coq

Exit status: 0 accepted, 1 rejected or different from the table, 3 accepted but
not compared within the limits, or the Coq kernel cannot tell, 4 the file cannot
be read, 5 coqc is not installed.")]
pub(crate) struct Args {
    /// The certificate; - reads it from standard input
    #[arg(value_name = "CERT")]
    certificate: String,
    /// It must be about this game
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// It must describe the P-positions by this formula
    #[arg(long, value_name = "FORMULA")]
    formula: Option<String>,
    /// Compare with the table of all heights up to this; by default what takes about ten seconds
    #[arg(long, value_name = "H", num_args = 0..=1)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    compare: Option<Option<u64>>,
    /// Let checking take so many times the usual work: about a minute, and 1 GB
    #[arg(long, value_name = "N", default_value_t = 1, hide_default_value = true)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    budget: u64,
    /// Memory for the comparison: 500MB, 2GB, 1GiB; 2GB if not given
    #[arg(long, value_name = "SIZE", value_parser = memory, requires = "compare")]
    memory: Option<u64>,
    /// Ask the kernel of Coq as well: coqc must be installed
    #[arg(long)]
    coq: bool,
    /// Print LaTeX for a document with nimatron.sty (`nimatron paper --style`)
    #[arg(long, conflicts_with = "json")]
    latex: bool,
}

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        let number = |n: u64| u32::try_from(n).ok().and_then(NonZeroU32::new);
        let asked = Verify {
            certificate: Text::Text(String::new()),
            game: self.game.as_deref().map(fetch).transpose()?,
            formula: self.formula.as_deref().map(fetch).transpose()?,
            compare: self.compare.map(|height| match height.and_then(number) {
                Some(height) => Compare::UpTo(height),
                None => Compare::For(true),
            }),
            budget: number(self.budget),
            time: None,
            memory: self.memory.map(Size),
        };
        let name = match self.certificate.as_str() {
            "-" => "standard input",
            path => path,
        };
        let mut found = match self.certificate.as_str() {
            "-" => {
                take_standard_input()?;
                asked.examine(io::stdin().lock(), name)?
            }
            path => {
                let file = File::open(path).map_err(|error| Failure::file(name, &error))?;
                asked.examine(file, name)?
            }
        };
        if let Some(certificate) = found.examination.accepted().filter(|_| self.coq) {
            found.kernel = Some(ask_kernel(certificate, output)?);
        }
        if asked.compare.is_some() {
            let host = interruptible(output);
            let progress = Progress::start("comparing", None, output);
            let compared = asked.compare(&mut found, &host);
            drop(progress);
            compared?;
        }
        if self.latex {
            let kernel = found.kernel.as_ref().map(|(o, version)| (o, version.as_str()));
            let compared = found.compared.as_ref();
            let text = examination_latex(&found.examination, name, compared, found.stop, kernel);
            output.raw(text.as_bytes())?;
            return Ok(found.status());
        }
        output.found(&found, |palette| {
            let compared = found.compared.as_ref().map(|c| comparison(c, palette));
            let stopped = found.stop.map(|stop| comparison_stopped(stop, palette));
            let compared = compared.or(stopped).unwrap_or_default();
            let asked = found.kernel.as_ref().map(|(o, version)| opinion(o, version, palette));
            examination(&found.examination, name, palette) + &compared + &asked.unwrap_or_default()
        })
    }
}

/// What the kernel says, and which version of Coq it is.
fn ask_kernel(certificate: &Certificate, output: &Output) -> Result<(Opinion, String), Failure> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let limits = Limits::unlimited().cancel(cancellation()).start();
    let progress = Progress::start("asking the Coq kernel", None, output);
    let asked = Kernel::find(&path, &cache_directory(), &limits).and_then(|kernel| {
        Ok((kernel.check(certificate, &limits)?, kernel.version().to_string()))
    });
    drop(progress);
    asked.map_err(Failure::kernel)
}
