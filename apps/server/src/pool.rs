//! The computations: some threads, and two queues before them. Short questions go first, and long ones never
//! take the last thread, so that a question about a position is answered while proofs are looked for.

use crate::config::Config;
use crate::metrics::{Metrics, less, more};
use crate::reply::error;
use nimatron::Knowledge;
use nimatron_service::{Answer, Host, Listener, Request, Status};
use std::collections::VecDeque;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use tokio::sync::oneshot;

/// How far a computation is.
#[derive(Debug, Default)]
pub(crate) struct Course {
    state: Mutex<State>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    pub(crate) started: bool,
    pub(crate) done: u128,
    pub(crate) of: u128,
    pub(crate) note: String,
}

impl Course {
    pub(crate) fn state(&self) -> State {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Listener for Course {
    fn progress(&self, done: u128, of: u128) {
        self.set(|state| (state.done, state.of) = (done, of));
    }

    fn note(&self, text: &str) {
        self.set(|state| state.note = text.to_string());
    }
}

/// A question on its way. When it is dropped, the work is stopped.
#[derive(Debug)]
pub(crate) struct Ticket {
    cancel: Arc<AtomicBool>,
    pub(crate) course: Arc<Course>,
    pub(crate) answer: oneshot::Receiver<Answer>,
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.cancel.store(true, Ordering::Relaxed);
    }
}

struct Job {
    request: Request,
    cancel: Arc<AtomicBool>,
    course: Arc<Course>,
    answer: oneshot::Sender<Answer>,
}

#[derive(Default)]
struct Queues {
    short: VecDeque<Job>,
    long: VecDeque<Job>,
    long_running: usize,
    /// The flags of those at work.
    running: Vec<Arc<AtomicBool>>,
    closed: bool,
}

struct Shared {
    queues: Mutex<Queues>,
    wake: Condvar,
    config: Config,
    metrics: Arc<Metrics>,
    knowledge: Arc<Knowledge>,
}

impl Shared {
    fn queues(&self) -> std::sync::MutexGuard<'_, Queues> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The threads that compute.
pub(crate) struct Pool {
    shared: Arc<Shared>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

/// There is no room for another question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Full {
    /// Whether it is a long one.
    pub(crate) long: bool,
}

/// What a question may need on the stack: as much as a program's main thread has, and some more.
const STACK: usize = 16 << 20;

impl Pool {
    pub(crate) fn new(config: &Config, metrics: Arc<Metrics>) -> io::Result<Self> {
        let shared = Arc::new(Shared {
            queues: Mutex::default(),
            wake: Condvar::new(),
            config: config.clone(),
            metrics,
            knowledge: Arc::new(Knowledge::default()),
        });
        let worker = |number: usize| {
            let shared = Arc::clone(&shared);
            let name = format!("answers-{number}");
            thread::Builder::new().name(name).stack_size(STACK).spawn(move || work(&shared))
        };
        let threads = (0..config.workers.max(2)).map(worker).collect::<io::Result<Vec<_>>>()?;
        Ok(Pool { shared, threads: Mutex::new(threads) })
    }

    /// Puts a question into its queue.
    pub(crate) fn submit(&self, request: Request) -> Result<Ticket, Full> {
        let cancel = Arc::new(AtomicBool::new(false));
        let course = Arc::new(Course::default());
        let (sender, answer) = oneshot::channel();
        let long = request.is_long();
        let job = Job {
            request,
            cancel: Arc::clone(&cancel),
            course: Arc::clone(&course),
            answer: sender,
        };
        let mut queues = self.shared.queues();
        let closed = queues.closed;
        let queue = if long { &mut queues.long } else { &mut queues.short };
        // Who has gone need not wait.
        if queue.len() >= self.shared.config.queue {
            queue.retain(|job| !job.cancel.load(Ordering::Relaxed));
        }
        if queue.len() >= self.shared.config.queue || closed {
            more(&self.shared.metrics.busy);
            return Err(Full { long });
        }
        queue.push_back(job);
        drop(queues);
        more(&self.shared.metrics.waiting);
        self.shared.wake.notify_one();
        Ok(Ticket { cancel, course, answer })
    }

    /// No more questions: those that wait are dropped.
    pub(crate) fn close(&self) {
        let mut queues = self.shared.queues();
        queues.closed = true;
        queues.short.clear();
        queues.long.clear();
        self.shared.wake.notify_all();
    }

    /// Stops all work.
    pub(crate) fn cancel(&self) {
        for flag in &self.shared.queues().running {
            flag.store(true, Ordering::Relaxed);
        }
    }

    /// Waits for the threads, which end when the pool is closed.
    pub(crate) fn join(&self) {
        let mut threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        for thread in threads.drain(..) {
            // What happened in a computation was told to its client.
            let _ = thread.join();
        }
    }
}

/// What a thread does.
fn work(shared: &Shared) {
    let most_long = shared.config.workers.max(2) - 1;
    let mut queues = shared.queues();
    loop {
        let long = queues.short.is_empty();
        let job = match long {
            false => queues.short.pop_front(),
            true if queues.long_running < most_long => queues.long.pop_front(),
            true => None,
        };
        let Some(job) = job else {
            if queues.closed {
                return;
            }
            queues = shared.wake.wait(queues).unwrap_or_else(PoisonError::into_inner);
            continue;
        };
        less(&shared.metrics.waiting);
        if job.cancel.load(Ordering::Relaxed) {
            more(&shared.metrics.cancelled);
            continue;
        }
        queues.long_running += usize::from(long);
        queues.running.push(Arc::clone(&job.cancel));
        drop(queues);
        more(&shared.metrics.running);
        let flag = Arc::clone(&job.cancel);
        compute(job, shared);
        less(&shared.metrics.running);
        queues = shared.queues();
        queues.long_running -= usize::from(long);
        queues.running.retain(|other| !Arc::ptr_eq(other, &flag));
        // Another long question may go on now.
        shared.wake.notify_one();
    }
}

/// Answers one question, whatever happens.
fn compute(job: Job, shared: &Shared) {
    job.course.set(|state| state.started = true);
    let known = || Knowledge::sharing(Arc::clone(&shared.knowledge));
    let answer = catch_unwind(AssertUnwindSafe(|| {
        let host = Host::default()
            .most_time(shared.config.time)
            .most_memory(shared.config.memory)
            .cancel(Arc::clone(&job.cancel))
            .knowing(&known)
            .listener(&*job.course);
        job.request.answer(&host)
    }));
    let metrics = &shared.metrics;
    let answer = answer.unwrap_or_else(|_| {
        more(&metrics.failed);
        let message = "this question met a fault of the program; please report it";
        Answer { status: Status::FileError, body: error("internal", message) }
    });
    more(match answer.status {
        _ if job.cancel.load(Ordering::Relaxed) => &metrics.cancelled,
        Status::BadInput => &metrics.bad,
        _ => &metrics.answered,
    });
    // If nobody waits any more, that is no error.
    let _ = job.answer.send(answer);
}
