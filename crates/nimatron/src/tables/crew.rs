//! Threads for the table engines.

use nimatron_table::Crew;

/// So many threads of this machine, started for each piece of work.
#[derive(Clone, Copy, Debug)]
pub struct Threads(usize);

impl Threads {
    /// This many threads, at least one.
    pub fn new(count: usize) -> Self {
        Threads(count.max(1))
    }

    /// As many threads as the machine runs at the same time.
    pub fn all() -> Self {
        Threads::new(std::thread::available_parallelism().map_or(1, Into::into))
    }
}

impl Crew for Threads {
    fn size(&self) -> usize {
        self.0
    }

    fn run(&self, job: &(dyn Fn(usize) + Sync)) {
        std::thread::scope(|scope| {
            for worker in 1..self.0 {
                scope.spawn(move || job(worker));
            }
            job(0);
        });
    }
}
