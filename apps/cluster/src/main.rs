//! `nimatron-mpi`: Nimatron on many machines.
//!
//! One process, a *rank*, runs on each machine or on each part of it, started by `mpirun` or by a batch
//! system. The table is computed by the engine and the scheduler of the library; here is only how ranks
//! talk to each other ([`pump`], [`ranks`]), and the command.

mod pump;
mod ranks;
mod shelf;
mod table;

use clap::Parser;
use mpi::Threading;
use mpi::traits::Communicator;
use pump::{Traffic, pump};
use ranks::Ranks;
use std::process::ExitCode;
use std::sync::mpsc::channel;

/// Tables of P-positions on many machines
#[derive(Debug, Parser)]
#[command(name = "nimatron-mpi", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Table(table::Args),
}

/// Why a rank ends early, and with which status.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) status: u8,
    pub(crate) message: String,
}

fn main() -> ExitCode {
    // What cannot be read is told before MPI is begun, by every rank in the same way.
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let first =
                ["OMPI_COMM_WORLD_RANK", "PMI_RANK"].iter().find_map(|v| std::env::var(v).ok());
            if first.is_none_or(|rank| rank == "0") {
                let _ = error.print();
            }
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    let Some((universe, _)) = mpi::initialize_with_threading(Threading::Funneled) else {
        eprintln!("error: MPI cannot be begun");
        return ExitCode::from(5);
    };
    let world = universe.world();
    let [me, count] = [world.rank(), world.size()].map(|n| usize::try_from(n).unwrap_or(0));
    let (out, outbox) = channel();
    let (arrived, inbox) = channel();
    let traffic = Traffic::default();
    let ended = std::thread::scope(|scope| {
        let ranks = Ranks::new(me, count, out, inbox);
        let traffic = &traffic;
        let working = scope.spawn(move || match cli.command {
            Command::Table(args) => args.run(&ranks, (me, count), traffic),
        });
        pump(&world, &outbox, &arrived, traffic, &|| working.is_finished());
        working.join()
    });
    match ended {
        Ok(Ok(status)) => ExitCode::from(status),
        failed => {
            let failure = match failed {
                Ok(Err(failure)) => failure,
                _ => Failure { status: 70, message: "a thread ended in a panic".to_string() },
            };
            // The others cannot go on without this rank.
            eprintln!("error: rank {me}: {}", failure.message);
            world.abort(failure.status.into())
        }
    }
}
