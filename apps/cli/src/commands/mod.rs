//! The commands. Each is a module of its own: the struct `Args` says what can be typed (its first
//! comment line is the command's description), and `Args::run` does it.

use crate::output::Output;
use clap::Subcommand;
use nimatron_service::Failure;
use nimatron_service::Status;

/// Declares the modules, the subcommands and their dispatch from one list.
macro_rules! commands {
    ($($name:ident: $module:ident),* $(,)?) => {
        $(mod $module;)*

        #[derive(Debug, Subcommand)]
        pub(crate) enum Command {
            $($name($module::Args),)*
        }

        impl Command {
            pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
                match self {
                    $(Command::$name(args) => args.run(output),)*
                }
            }
        }
    };
}

commands! {
    Solve: solve,
    Moves: moves,
    Game: game,
    Reduce: reduce,
    Table: table,
    Play: play,
    Puzzle: puzzle,
    Learn: learn,
    Serve: serve,
    Bench: bench,
    Check: check,
    Prove: prove,
    Discover: discover,
    Ask: ask,
    Guess: guess,
    Conjecture: conjecture,
    Compare: compare,
    Verify: verify,
    Export: export,
    Atlas: atlas,
    Invariants: invariants,
    Cheatsheet: cheatsheet,
    Circuits: circuits,
    Subgames: subgames,
    Theorems: theorems,
    Draw: draw,
    Paper: paper,
    Grid: grid,
    Graph: graph,
    Completions: completions,
    Man: man,
}
