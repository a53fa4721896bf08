//! What was typed.

use nimatron_service::units::{memory, time};
use std::path::PathBuf;
use std::time::Duration;

/// Nimatron on many machines: tables and sweeps over MPI
///
/// Start it with mpirun, mpiexec or srun; all ranks get the same command line.
#[derive(Debug, clap::Parser)]
#[command(name = "nimatron-mpi", version)]
#[command(after_help = "\
Examples:
  mpirun -n 16 nimatron-mpi table \"CN(9,4)\" --max 31 --out parts
  mpirun -n 16 nimatron-mpi sweep atlas --stacks 6 --time 5s --out atlas6
  mpirun -n 16 nimatron-mpi sweep discover @games.txt
  mpirun -n 16 nimatron-mpi verify proofs/*.json
  nimatron-mpi plan \"CN(9,4)\" --max 31 --ranks 16,256

Exit status: as of nimatron. docs/cluster.md tells more.")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Cli {
    /// Whether the answer is one JSON object.
    pub(crate) fn is_json(&self) -> bool {
        matches!(&self.command, Command::Table(Table { json: true, .. }))
            || matches!(&self.command, Command::Plan(Plan { json: true, .. }))
    }
}

#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    Table(Table),
    Plan(Plan),
    #[command(subcommand)]
    Sweep(Sweep),
    Verify(Verify),
    /// A process that does one piece of work after the other, each within its limits
    #[command(hide = true)]
    Hand,
}

/// The P-positions of a whole box, in parts that `nimatron table --join` reads
///
/// What was found is kept every so often, by all ranks together; the same command goes on from there,
/// with another number of ranks if wished.
#[derive(Debug, clap::Args)]
pub(crate) struct Table {
    /// The game, such as "CN(9,4)"
    #[arg(value_name = "GAME")]
    pub(crate) game: String,
    /// The greatest height, for all stacks or one per stack: 9, or 3,4,5
    #[arg(long, value_name = "H")]
    pub(crate) max: String,
    /// The directory for the parts and their manifest; all ranks must see the same one
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Threads of each rank; its share of the machine's if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Memory of each rank; its share of what is free if not given
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    pub(crate) memory: Option<u64>,
    /// Where lists are put that do not fit into memory: a directory on a local disk
    #[arg(long, value_name = "DIR")]
    pub(crate) spill: Option<PathBuf>,
    /// How often what was found is kept; every 10m if not given
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(crate) every: Option<Duration>,
    /// Stop after the level in which this time is over
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(crate) time: Option<Duration>,
    /// Answer with one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Tell nothing on standard error but errors
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// What a table would need on so many ranks, without computing it
#[derive(Debug, clap::Args)]
pub(crate) struct Plan {
    /// The game, such as "CN(9,4)"
    #[arg(value_name = "GAME")]
    pub(crate) game: String,
    /// The greatest height, for all stacks or one per stack: 9, or 3,4,5
    #[arg(long, value_name = "H")]
    pub(crate) max: String,
    /// Numbers of ranks to look at
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "1,2,4,16,256")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub(crate) ranks: Vec<u32>,
    /// Threads of each rank
    #[arg(long, value_name = "N", default_value = "1")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: u16,
    /// Answer with one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// Many games, handed out to whoever is free
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Sweep {
    Atlas(Atlas),
    Discover(Discover),
}

/// Survey all SetNim games on so many stacks, one of each kind
///
/// One line per game, in the order and form of the atlas that comes with Nimatron.
#[derive(Debug, clap::Args)]
pub(crate) struct Atlas {
    /// How many stacks
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=6))]
    pub(crate) stacks: u64,
    /// Write atlas.jsonl and certificates.jsonl.gz into this directory, and go on with what is there;
    /// without it lines go to standard output
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) hands: Hands,
}

/// Find and prove the P-positions of the games in a file
///
/// One line per game, in the order of the file: the JSON of `nimatron discover --json` with the
/// certificate.
#[derive(Debug, clap::Args)]
pub(crate) struct Discover {
    /// A file with a game on each line, as @FILE; lines that begin with # are left out
    #[arg(value_name = "@FILE")]
    pub(crate) games: String,
    /// Write the lines to this file, and go on with what is there; without it they go to standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) hands: Hands,
}

/// Check certificates, trusting nothing but arithmetic
///
/// One line per file, in the order given: its name and the JSON of `nimatron verify --json`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Exit status: 0 all accepted, 1 some rejected.")]
pub(crate) struct Verify {
    /// The certificates
    #[arg(value_name = "CERT", required = true)]
    pub(crate) certificates: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) hands: Hands,
}

/// Who works on games, and how much each may take.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Hands {
    /// Time for each game
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = time)]
    pub(crate) time: Duration,
    /// Memory for each game
    #[arg(long, value_name = "SIZE", default_value = "3GB", value_parser = memory)]
    pub(crate) memory: u64,
    /// Games at a time on each rank; as many as its share of the machine's threads if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Tell nothing on standard error but errors
    #[arg(long, short)]
    pub(crate) quiet: bool,
}
