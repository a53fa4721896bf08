//! Nimatron over MPI: every rank reads the same command line, does its share and talks to the others.
//! Like all front ends it knows nothing about games.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod cli;
mod ended;
mod exchange;
mod machine;
mod output;
mod plan;
mod post;
mod shelf;
mod signal;
mod sweep;
mod table;

use clap::Parser;
use cli::{Cli, Command};
use ended::Ended;
use machine::Machine;
use mpi::Threading;
use mpi::topology::Communicator;
use nimatron_service::{Failure, Status};
use post::Post;
use std::process::ExitCode;
use std::sync::Arc;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            if machine::speaks() {
                // If nobody listens, the exit status still tells.
                let _ = error.print();
            }
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    let json = cli.is_json();
    let told = match cli.command {
        Command::Hand => return sweep::hand::serve(),
        // Nothing is computed, so one is enough to tell.
        Command::Plan(_) if !machine::speaks() => Ok(Status::Answered),
        Command::Plan(plan) => plan::run(&plan),
        Command::Table(args) => table::Job::read(args).map(|job| over_mpi(json, |r| job.run(r))),
        Command::Sweep(sweep) => {
            sweep::Job::read(sweep).map(|job| over_mpi(json, |rank| job.run(rank)))
        }
        Command::Verify(args) => {
            sweep::Job::verifying(args).map(|job| over_mpi(json, |rank| job.run(rank)))
        }
    };
    match told {
        Ok(status) => status.code().into(),
        Err(failure) => {
            if machine::speaks() {
                output::failure(&failure, json);
            }
            failure.status().code().into()
        }
    }
}

/// What a rank works with.
pub(crate) struct Rank<'a> {
    pub(crate) post: &'a Arc<Post>,
    pub(crate) machine: &'a Machine,
}

/// Does work on this rank, as one of several. Only rank 0 tells how it ended.
fn over_mpi(json: bool, work: impl FnOnce(&Rank<'_>) -> Result<Status, Ended> + Send) -> Status {
    let Some((universe, _)) = mpi::initialize_with_threading(Threading::Funneled) else {
        output::failure(&Failure::bad("mpi", "MPI cannot be started".to_string()), json);
        return Status::BadInput;
    };
    let world = universe.world();
    let machine = Machine::of(&world);
    let post = Arc::new(Post::new(world.rank() as usize, world.size() as usize));
    let done = std::thread::scope(|scope| {
        let working = scope.spawn(|| {
            let _leaving = Leaving(&post);
            let done = work(&Rank { post: &post, machine: &machine });
            if let Err(Ended::Here(failure)) = &done {
                post.raise(failure.status(), output::told(failure));
            }
            done
        });
        post.serve(&world);
        working.join()
    });
    match (post.trouble(), done) {
        (Some(trouble), _) if post.me() == 0 => output::trouble(&trouble, json),
        (None, Ok(Ok(status))) if post.me() == 0 => status,
        _ => Status::Answered,
    }
}

/// Takes leave from the others in any case.
struct Leaving<'a>(&'a Post);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.raise(Status::FileError, "this is a mistake in the program".to_string());
        }
        self.0.leave();
    }
}
