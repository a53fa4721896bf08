//! `nimatron completions`

use crate::cli::Cli;
use nimatron_service::Failure;
use crate::output::Output;
use nimatron_service::Status;
use clap::CommandFactory;
use clap_complete::Shell;

/// Print the completion script of a shell
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  nimatron completions bash >> ~/.bash_completion
  nimatron completions fish | source")]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
}

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        output.refuse_json("the script")?;
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "nimatron", &mut script);
        output.raw(&script)?;
        Ok(Status::Answered)
    }
}
