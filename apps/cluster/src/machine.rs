//! Where a rank runs.

use mpi::topology::{Communicator, SimpleCommunicator};
use nimatron::machine::free_memory;

/// Where a rank runs.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    /// Its name.
    pub(crate) name: String,
    /// How many ranks run here.
    ranks: usize,
}

impl Machine {
    /// The machine of this rank. All ranks must ask.
    pub(crate) fn of(world: &SimpleCommunicator) -> Self {
        let here = world.split_shared(world.rank());
        let name = mpi::environment::processor_name().unwrap_or_default();
        Machine { name, ranks: here.size().max(1) as usize }
    }

    /// Threads that are this rank's share.
    pub(crate) fn threads(&self) -> usize {
        let all = std::thread::available_parallelism().map_or(1, usize::from);
        (all / self.ranks).max(1)
    }

    /// Bytes that are this rank's share of what is free, where the system tells.
    pub(crate) fn memory(&self) -> Option<u64> {
        Some(free_memory()? / self.ranks as u64)
    }
}

/// Whether this process is the one that talks, as far as that is known without MPI: what starts the ranks says
/// which is which.
pub(crate) fn speaks() -> bool {
    let names = ["OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"];
    let rank = names.iter().find_map(|name| std::env::var(name).ok()?.parse::<u64>().ok());
    rank.is_none_or(|rank| rank == 0)
}
