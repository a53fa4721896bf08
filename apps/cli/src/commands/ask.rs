//! `nimatron ask`

use crate::host::{interruptible, knowing};
use crate::certificate::LibraryArgs;
use crate::output::Output;
use nimatron_service::{Failure, Status, answer};
use std::io::{self, BufRead, BufReader, Read};

/// Answer questions that are written as JSON
///
/// A question is an object with the field `ask`; the answer is what the command of that name prints with
/// --json. From standard input questions are read line by line, and each is answered with one line. See
/// docs/protocol.md.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  nimatron ask '{\"ask\":\"game\",\"game\":\"H\"}'
  nimatron ask < questions.jsonl > answers.jsonl

Exit status: that of the question; of several, the greatest.")]
pub(crate) struct Args {
    /// The question; without it, questions are read from standard input
    #[arg(value_name = "QUESTION")]
    question: Option<String>,
    #[command(flatten)]
    library: LibraryArgs,
}

/// The longest question that is read: a certificate may be in it.
const MOST: u64 = 256 << 20;

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        if output.is_json() {
            return Err(Failure::useless("--json", "answers are JSON in any case"));
        }
        let known = knowing(&self.library);
        let host = interruptible(output).knowing(&known);
        if let Some(question) = &self.question {
            let answer = answer(question, &host);
            output.raw((answer.body + "\n").as_bytes())?;
            return Ok(answer.status);
        }
        let mut input = BufReader::new(io::stdin().lock());
        let mut worst = Status::Answered;
        loop {
            let mut line = String::new();
            let read = input.by_ref().take(MOST).read_line(&mut line);
            match read.map_err(|error| Failure::file("standard input", &error))? {
                0 => return Ok(worst),
                _ if line.trim().is_empty() => {}
                _ => {
                    let answer = answer(&line, &host);
                    output.raw((answer.body + "\n").as_bytes())?;
                    if answer.status.code() > worst.code() {
                        worst = answer.status;
                    }
                    if answer.status == Status::Interrupted {
                        return Ok(worst);
                    }
                }
            }
        }
    }
}
