//! The engine as a WebAssembly module: a skin over [`nimatron_service::answer`]. Text goes in and out through
//! the module's memory:
//!
//! 1. `nimatron_room(bytes)` makes room for a question and says where it is;
//! 2. the host writes the question there, as JSON in UTF-8;
//! 3. `nimatron_ask(seconds, megabytes)` answers it, within these limits (0 for none), and gives the exit status;
//! 4. `nimatron_answer()` and `nimatron_answer_bytes()` say where the answer is.
//!
//! The host lends two functions of the module `host`: `now()`, its clock in milliseconds, and
//! `progress(at, bytes)`, which hears in words what is being done. It ends a question by ending the worker that the module runs
//! in. After a trap the module must not be asked again.
#![deny(unsafe_op_in_unsafe_fn)]

use nimatron_service::{Clock, Host, Listener, answer};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// The host's clock, in milliseconds.
    safe fn now() -> f64;
    /// Hears what is being done: so many bytes of UTF-8 at this place, to be read at once.
    safe fn progress(at: *const u8, bytes: usize);
}

static QUESTION: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static ANSWER: Mutex<String> = Mutex::new(String::new());

fn open<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes room for a question of so many bytes.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn nimatron_room(bytes: usize) -> *mut u8 {
    let mut question = open(&QUESTION);
    question.clear();
    question.resize(bytes, 0);
    question.as_mut_ptr()
}

/// Answers the question: its exit status.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn nimatron_ask(seconds: f64, megabytes: f64) -> u32 {
    let question = std::mem::take(&mut *open(&QUESTION));
    // What is not UTF-8 is no JSON either, and is told so.
    let question = String::from_utf8_lossy(&question);
    let ear = Ear { told: AtomicU64::new(now().to_bits()) };
    let host = Host::default()
        .clock(Arc::new(Lent))
        .most_time(Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero()))
        // A float becomes the nearest integer of its range.
        .most_memory(Some((megabytes * 1e6) as u64).filter(|&bytes| bytes > 0))
        .listener(&ear);
    let told = answer(&question, &host);
    *open(&ANSWER) = told.body;
    u32::from(told.status.code())
}

/// Where the last answer is.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn nimatron_answer() -> *const u8 {
    open(&ANSWER).as_ptr()
}

/// How long the last answer is.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn nimatron_answer_bytes() -> usize {
    open(&ANSWER).len()
}

/// The host's clock.
#[derive(Debug)]
struct Lent;

impl Clock for Lent {
    fn now(&self) -> Duration {
        Duration::try_from_secs_f64(now() / 1000.0).unwrap_or_default()
    }
}

/// Tells the host how far the work is, but not too often.
struct Ear {
    /// When it was told last, as the bits of a float.
    told: AtomicU64,
}

/// How often progress is told, in milliseconds.
const BETWEEN: f64 = 200.0;

impl Listener for Ear {
    fn progress(&self, done: u128, of: u128) {
        let (last, now) = (f64::from_bits(self.told.load(Ordering::Relaxed)), now());
        if now - last >= BETWEEN {
            self.told.store(now.to_bits(), Ordering::Relaxed);
            tell(&format!("{:.0} %", 100.0 * done as f64 / of.max(1) as f64));
        }
    }

    fn note(&self, text: &str) {
        tell(text);
    }
}

fn tell(text: &str) {
    progress(text.as_ptr(), text.len());
}
