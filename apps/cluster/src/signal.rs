//! Being asked to stop: Ctrl-C, or a signal of what started the ranks.

use crate::output::announce;
use crate::post::{Kind, Post, To, lock};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

static ASKED: AtomicBool = AtomicBool::new(false);
static LAST_WORDS: Mutex<String> = Mutex::new(String::new());

/// How long rank 1 waits for rank 0 to speak.
const A_MOMENT: Duration = Duration::from_millis(300);

/// From now on a signal asks for a clean end; another one ends the rank at once. Rank 0 says then what is kept: when
/// another rank was killed nobody else does. Where rank 0 is the one that was killed, rank 1 does.
pub(crate) fn listen(post: &Arc<Post>) {
    let post = Arc::clone(post);
    // Without a handler a signal ends the rank as it always does.
    let _ = ctrlc::set_handler(move || {
        if ASKED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        let words = lock(&LAST_WORDS).clone();
        let speaks = match post.me() {
            0 => {
                post.send(To::Rank(1), Kind::Said, Vec::new());
                true
            }
            1 => {
                std::thread::sleep(A_MOMENT);
                !post.has(Kind::Said)
            }
            _ => false,
        };
        if speaks && !words.is_empty() {
            announce(&words);
        }
    });
}

/// Whether somebody asked to stop.
pub(crate) fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}

/// What is to be said when somebody asks to stop.
pub(crate) fn last_words(text: String) {
    *lock(&LAST_WORDS) = text;
}
