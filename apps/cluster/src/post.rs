//! Letters between ranks.
//!
//! One thread of a rank speaks MPI, the main one ([`Post::serve`]). All others put letters into the post
//! and take letters out of it; so what was found is on its way while others still compute. The main
//! thread always takes what arrives, also while it sends: nobody waits for each other in a circle.
//!
//! A rank that cannot go on tells all others why ([`Post::raise`]): whoever waits for a letter then, or
//! asks whether to go on, hears of it. Every rank takes leave from all others when it is done, in
//! one way or the other, and takes letters until all have left: nothing is on its way when MPI ends.

use mpi::point_to_point::MatchedReceiveVec;
use mpi::request::multiple_scope;
use mpi::topology::{Communicator, SimpleCommunicator};
use mpi::traits::{Destination, Source};
use nimatron_service::Status;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// What a letter is about: its tag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Lists of P-positions.
    Lists,
    /// A level is done.
    Level,
    /// Something that rank 0 collects from all.
    Gather,
    /// Something that rank 0 tells all.
    Told,
    /// A hand asks rank 0 for work, perhaps with what it found.
    Desk,
    /// Work for a hand.
    Work,
    /// Rank 0 has said what there is to say.
    Said,
    /// Somebody cannot go on.
    Trouble,
    /// Somebody leaves.
    Leave,
}

const KINDS: [Kind; 9] = [
    Kind::Lists,
    Kind::Level,
    Kind::Gather,
    Kind::Told,
    Kind::Desk,
    Kind::Work,
    Kind::Said,
    Kind::Trouble,
    Kind::Leave,
];

/// Whom a letter is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum To {
    Rank(usize),
    Others,
}

/// Why a rank cannot go on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Trouble {
    /// Whose it is.
    pub(crate) rank: usize,
    /// How it ends.
    pub(crate) status: Status,
    /// What is told.
    pub(crate) text: String,
}

/// How work can end that did not come to its end.
const STATUSES: [Status; 6] = [
    Status::Negative,
    Status::BadInput,
    Status::Undecided,
    Status::FileError,
    Status::Missing,
    Status::Interrupted,
];

/// Another rank cannot go on, so neither can this one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GivenUp;

/// The letters of one rank.
#[derive(Debug)]
pub(crate) struct Post {
    me: usize,
    ranks: usize,
    outbox: Mutex<Outbox>,
    written: Condvar,
    inbox: Mutex<Inbox>,
    arrived: Condvar,
    /// Whether there is trouble.
    alarm: AtomicBool,
    sent: AtomicU64,
    received: AtomicU64,
}

#[derive(Debug, Default)]
struct Outbox {
    letters: Vec<Letter>,
    closed: bool,
}

#[derive(Debug)]
struct Letter {
    to: To,
    kind: Kind,
    text: Arc<[u8]>,
}

#[derive(Debug)]
struct Inbox {
    /// For each kind and each rank what came from there.
    letters: Vec<Vec<VecDeque<Vec<u8>>>>,
    trouble: Option<Trouble>,
    left: usize,
}

/// How long nobody looks for letters if none came lately: from the shortest to the longest.
const REST: [Duration; 2] = [Duration::from_micros(20), Duration::from_micros(500)];

impl Post {
    pub(crate) fn new(me: usize, ranks: usize) -> Self {
        let letters = KINDS.iter().map(|_| vec![VecDeque::new(); ranks]).collect();
        Post {
            me,
            ranks,
            outbox: Mutex::default(),
            written: Condvar::new(),
            inbox: Mutex::new(Inbox { letters, trouble: None, left: 0 }),
            arrived: Condvar::new(),
            alarm: AtomicBool::new(false),
            sent: AtomicU64::new(0),
            received: AtomicU64::new(0),
        }
    }

    /// Which rank this is.
    pub(crate) fn me(&self) -> usize {
        self.me
    }

    /// How many ranks there are.
    pub(crate) fn ranks(&self) -> usize {
        self.ranks
    }

    /// Bytes that other ranks were sent, and bytes that came from them.
    pub(crate) fn bytes(&self) -> (u64, u64) {
        (self.sent.load(Ordering::Relaxed), self.received.load(Ordering::Relaxed))
    }

    /// Sends a letter, some time soon, unless leave is taken or there is no such rank.
    pub(crate) fn send(&self, to: To, kind: Kind, text: impl Into<Arc<[u8]>>) {
        let text = text.into();
        match to {
            To::Rank(rank) if rank == self.me => self.deliver(rank, kind, text.to_vec()),
            To::Others if self.ranks == 1 => {}
            To::Rank(rank) if rank >= self.ranks => {}
            _ => {
                let mut outbox = lock(&self.outbox);
                if !outbox.closed {
                    outbox.letters.push(Letter { to, kind, text });
                    self.written.notify_one();
                }
            }
        }
    }

    /// The next letter of a kind from a rank, once there is one.
    pub(crate) fn take_from(&self, kind: Kind, rank: usize) -> Result<Vec<u8>, GivenUp> {
        self.take(|inbox| inbox.letters[kind as usize][rank].pop_front())
    }

    /// The next letter of a kind from anybody.
    pub(crate) fn take_any(&self, kind: Kind) -> Result<(usize, Vec<u8>), GivenUp> {
        self.take(|inbox| {
            let mut ranks = inbox.letters[kind as usize].iter_mut().enumerate();
            ranks.find_map(|(rank, letters)| Some((rank, letters.pop_front()?)))
        })
    }

    /// Whether there is a letter of a kind.
    pub(crate) fn has(&self, kind: Kind) -> bool {
        lock(&self.inbox).letters[kind as usize].iter().any(|letters| !letters.is_empty())
    }

    fn take<T>(&self, find: impl Fn(&mut Inbox) -> Option<T>) -> Result<T, GivenUp> {
        let mut inbox = lock(&self.inbox);
        loop {
            if inbox.trouble.is_some() {
                return Err(GivenUp);
            }
            if let Some(found) = find(&mut inbox) {
                return Ok(found);
            }
            inbox = self.arrived.wait(inbox).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Rank 0 gets what all ranks have to tell, in their order; the others get nothing.
    pub(crate) fn gather(&self, text: Vec<u8>) -> Result<Vec<Vec<u8>>, GivenUp> {
        self.send(To::Rank(0), Kind::Gather, text);
        match self.me {
            0 => (0..self.ranks).map(|rank| self.take_from(Kind::Gather, rank)).collect(),
            _ => Ok(Vec::new()),
        }
    }

    /// All ranks get what rank 0 has to tell.
    pub(crate) fn tell(&self, text: impl FnOnce() -> Vec<u8>) -> Result<Vec<u8>, GivenUp> {
        match self.me {
            0 => {
                let text = text();
                self.send(To::Others, Kind::Told, text.clone());
                Ok(text)
            }
            _ => self.take_from(Kind::Told, 0),
        }
    }

    /// This rank cannot go on: all others are told, unless there is trouble already.
    pub(crate) fn raise(&self, status: Status, text: String) {
        let mut inbox = lock(&self.inbox);
        if inbox.trouble.is_none() {
            let letter = [&[status.code()], text.as_bytes()].concat();
            inbox.trouble = Some(Trouble { rank: self.me, status, text });
            self.alarm.store(true, Ordering::Relaxed);
            drop(inbox);
            self.arrived.notify_all();
            self.send(To::Others, Kind::Trouble, letter);
        }
    }

    /// Whether somebody cannot go on.
    pub(crate) fn is_given_up(&self) -> bool {
        self.alarm.load(Ordering::Relaxed)
    }

    /// What is wrong, if something is.
    pub(crate) fn trouble(&self) -> Option<Trouble> {
        lock(&self.inbox).trouble.clone()
    }

    /// Takes leave: the last letter to all others.
    pub(crate) fn leave(&self) {
        self.send(To::Others, Kind::Leave, Vec::new());
        lock(&self.outbox).closed = true;
        self.written.notify_one();
    }

    /// Carries letters until this rank and all others have taken leave.
    pub(crate) fn serve(&self, world: &SimpleCommunicator) {
        let mut rest = REST[0];
        loop {
            let (letters, closed) = self.collect(rest);
            let busy = self.carry(world, &letters) | self.fetch(world);
            if closed && letters.is_empty() && lock(&self.inbox).left + 1 == self.ranks {
                return;
            }
            rest = if busy { REST[0] } else { (rest * 2).min(REST[1]) };
        }
    }

    /// What is to be sent, and whether there will be more. Waits a while if there is nothing.
    fn collect(&self, rest: Duration) -> (Vec<Letter>, bool) {
        let mut outbox = lock(&self.outbox);
        if outbox.letters.is_empty() {
            let waited = self.written.wait_timeout(outbox, rest);
            outbox = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        (std::mem::take(&mut outbox.letters), outbox.closed)
    }

    /// Sends letters, and takes what arrives meanwhile. Whether there were any.
    fn carry(&self, world: &SimpleCommunicator, letters: &[Letter]) -> bool {
        if letters.is_empty() {
            return false;
        }
        let all = letters.len() * self.ranks;
        multiple_scope(all, |scope, requests| {
            let mut left = 0usize;
            for letter in letters {
                let ranks = match letter.to {
                    To::Rank(rank) => rank..rank + 1,
                    To::Others => 0..self.ranks,
                };
                for rank in ranks.filter(|&rank| rank != self.me) {
                    let process = world.process_at_rank(rank as i32);
                    let text: &[u8] = &letter.text;
                    let tag = letter.kind as i32;
                    requests.add(process.immediate_send_with_tag(scope, text, tag));
                    self.sent.fetch_add(text.len() as u64, Ordering::Relaxed);
                    left += 1;
                }
            }
            while left > 0 {
                let mut busy = self.fetch(world);
                while left > 0 && requests.test_any().is_some() {
                    left -= 1;
                    busy = true;
                }
                if !busy {
                    std::thread::sleep(REST[0]);
                }
            }
        });
        true
    }

    /// Takes all letters that have arrived. Whether there were any.
    fn fetch(&self, world: &SimpleCommunicator) -> bool {
        let mut some = false;
        while let Some(arriving) = world.any_process().immediate_matched_probe() {
            let (text, status) = arriving.matched_receive_vec::<u8>();
            self.received.fetch_add(text.len() as u64, Ordering::Relaxed);
            let kind = KINDS.into_iter().find(|&kind| kind as i32 == status.tag());
            if let (Ok(rank), Some(kind)) = (usize::try_from(status.source_rank()), kind) {
                self.deliver(rank, kind, text);
            }
            some = true;
        }
        some
    }

    fn deliver(&self, rank: usize, kind: Kind, text: Vec<u8>) {
        let mut inbox = lock(&self.inbox);
        match kind {
            Kind::Leave => inbox.left += 1,
            Kind::Trouble => {
                let code = text.first().copied();
                let status = STATUSES.into_iter().find(|status| Some(status.code()) == code);
                let status = status.unwrap_or(Status::FileError);
                let told = String::from_utf8_lossy(text.get(1..).unwrap_or_default());
                let trouble = Trouble { rank, status, text: told.into_owned() };
                inbox.trouble.get_or_insert(trouble);
                self.alarm.store(true, Ordering::Relaxed);
            }
            _ => inbox.letters[kind as usize][rank].push_back(text),
        }
        drop(inbox);
        self.arrived.notify_all();
    }
}

/// A lock, whether or not somebody panicked holding it: the job is given up then anyway.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
