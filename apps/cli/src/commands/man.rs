//! `nimatron man`

use crate::cli::Cli;
use nimatron_service::Failure;
use crate::output::Output;
use nimatron_service::Status;
use clap::CommandFactory;
use clap_mangen::Man;

/// Print the manual page, in roff
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  nimatron man | man -l -
  nimatron man solve > nimatron-solve.1")]
pub(crate) struct Args {
    /// The command to describe; without it, nimatron itself
    command: Option<String>,
}

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        output.refuse_json("the manual page")?;
        let mut whole = Cli::command();
        whole.build();
        let described = match &self.command {
            None => whole,
            Some(name) => match whole.find_subcommand(name) {
                Some(command) => command.clone(),
                None => {
                    let message = format!("there is no command {name:?}");
                    return Err(Failure::bad("unknown-name", message));
                }
            },
        };
        let mut page = Vec::new();
        // Writing to memory does not fail.
        let _ = Man::new(described).render(&mut page);
        output.raw(&page)?;
        Ok(Status::Answered)
    }
}
