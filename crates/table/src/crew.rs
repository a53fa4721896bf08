//! Who does the work: threads are lent by the caller.

/// A group of workers that can work at the same time.
///
/// This crate starts no threads of its own. A caller that has some lends them through this
/// trait: a crew is hired with its size, and is no pool that grows by need. [`Alone`] is the crew of
/// one.
///
/// ```
/// use nimatron_table::Crew;
/// struct Scoped(usize);
/// impl Crew for Scoped {
///     fn size(&self) -> usize {
///         self.0
///     }
///     fn run(&self, job: &(dyn Fn(usize) + Sync)) {
///         std::thread::scope(|scope| {
///             for worker in 0..self.0 {
///                 scope.spawn(move || job(worker));
///             }
///         });
///     }
/// }
/// let sum = std::sync::atomic::AtomicUsize::new(0);
/// Scoped(3).run(&|worker| {
///     sum.fetch_add(worker, std::sync::atomic::Ordering::Relaxed);
/// });
/// assert_eq!(sum.into_inner(), 3);
/// ```
pub trait Crew: Sync {
    /// How many workers there are, at least one.
    fn size(&self) -> usize;

    /// Calls `job(0)` to `job(size - 1)`, at the same time as far as possible, and returns when
    /// all have returned. A panic in a job is passed on after all have ended.
    fn run(&self, job: &(dyn Fn(usize) + Sync));
}

/// One worker: the calling thread.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

impl Crew for Alone {
    fn size(&self) -> usize {
        1
    }

    fn run(&self, job: &(dyn Fn(usize) + Sync)) {
        job(0);
    }
}
