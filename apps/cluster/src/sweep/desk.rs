//! Who does what, and in which order it is written.

use super::store::Store;
use super::work::{Found, Work};
use crate::ended::Ended;
use crate::output::announce;
use crate::post::{Kind, Post, To};
use crate::signal;
use nimatron_service::Status;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// What a hand says: what it found, if it had work. It asks for more.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Report {
    pub(super) done: Option<(usize, Found)>,
}

/// What a hand is told to do.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Order {
    pub(super) number: usize,
    pub(super) work: Work,
}

/// How often progress is told.
const A_WHILE: Duration = Duration::from_secs(10);

/// Work that is not done yet, and what was found.
#[derive(Debug)]
pub(super) struct Desk {
    works: Vec<Work>,
    /// The next work that nobody has begun.
    next: usize,
    /// What was found but not checked, by number, with the rank that found it and the check.
    unchecked: BTreeMap<usize, Found>,
    checks: VecDeque<(usize, usize, Work)>,
    /// What is finished but not written: something before it is not.
    finished: BTreeMap<usize, Found>,
    /// Work whose process ended when somebody asked to stop: that says nothing about it.
    abandoned: usize,
    /// Ranks of hands that have nothing to do.
    idle: VecDeque<usize>,
    /// Hands that are not dismissed.
    hands: usize,
    ranks: usize,
    store: Store,
    /// Work that was done before, and how it went since.
    before: usize,
    tally: Tally,
    quiet: bool,
    began: Instant,
    told: Instant,
}

/// How it went.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    proved: usize,
    open: usize,
    failed: usize,
    rejected: usize,
}

impl Desk {
    pub(super) fn new(
        works: Vec<Work>,
        store: Store,
        hands: usize,
        ranks: usize,
        quiet: bool,
    ) -> Self {
        let before = store.written();
        let now = Instant::now();
        Desk {
            works,
            next: before,
            unchecked: BTreeMap::new(),
            checks: VecDeque::new(),
            finished: BTreeMap::new(),
            abandoned: 0,
            idle: VecDeque::new(),
            hands,
            ranks,
            store,
            before,
            tally: Tally::default(),
            quiet,
            began: now,
            told: now,
        }
    }

    /// Hands out work until all is written, then dismisses all hands.
    pub(super) fn serve(mut self, post: &Post) -> Result<Status, Ended> {
        if self.before > 0 && !self.quiet {
            announce(&format!("going on: {} of {} are done", self.before, self.works.len()));
        }
        while self.hands > 0 {
            let (rank, letter) = post.take_any(Kind::Desk)?;
            let report: Report = serde_json::from_slice(&letter).unwrap_or(Report { done: None });
            if let Some((number, found)) = report.done {
                self.take(rank, number, found)?;
            }
            self.idle.push_back(rank);
            self.hand_out(post);
            self.tell();
        }
        self.store.close()?;
        if !self.quiet {
            announce(&self.line(true));
        }
        let all = self.store.written() == self.works.len();
        Ok(match self.tally {
            _ if !all => Status::Interrupted,
            Tally { rejected: 1.., .. } => Status::Negative,
            Tally { failed: 1.., .. } => Status::Undecided,
            _ => Status::Answered,
        })
    }

    /// Something was found, or checked.
    fn take(&mut self, rank: usize, number: usize, found: Found) -> Result<(), Ended> {
        if signal::asked() && matches!(found, Found::Failed(_)) {
            self.unchecked.remove(&number);
            self.abandoned += 1;
            return Ok(());
        }
        let mut is_rejected = false;
        let found = match (self.unchecked.remove(&number), found) {
            // It is checked, or could not be.
            (Some(before), Found::Checked(None)) => before,
            (Some(_), Found::Checked(Some(why))) => {
                is_rejected = true;
                announce(&format!("error: {} was found but rejected: {why}", self.name(number)));
                Found::Failed(format!("the certificate was rejected: {why}"))
            }
            (Some(_), Found::Failed(why)) => {
                Found::Failed(format!("the certificate could not be checked: {why}"))
            }
            (Some(_), _) => Found::Failed("the certificate could not be checked".to_string()),
            (None, found) => {
                if let Some(check) = self.check(number, &found) {
                    self.unchecked.insert(number, found);
                    self.checks.push_back((number, rank, check));
                    return Ok(());
                }
                found
            }
        };
        match &found {
            _ if is_rejected => self.tally.rejected += 1,
            Found::Failed(_) => self.tally.failed += 1,
            Found::Verified { status: 0, .. }
            | Found::Surveyed { certificate: Some(_), .. }
            | Found::Discovered { certificate: Some(_), .. } => self.tally.proved += 1,
            Found::Verified { .. } => self.tally.rejected += 1,
            _ => self.tally.open += 1,
        }
        self.finished.insert(number, found);
        while let Some(found) = self.finished.remove(&self.store.written()) {
            self.store.put(&self.works[self.store.written()], found)?;
        }
        Ok(())
    }

    fn name(&self, number: usize) -> String {
        match &self.works[number] {
            Work::Survey(game) | Work::Discover(game) | Work::Check { game, .. } => game.clone(),
            Work::Verify(path) => path.display().to_string(),
        }
    }

    /// The check of what was found, if there is something to check.
    fn check(&self, number: usize, found: &Found) -> Option<Work> {
        let (Found::Surveyed { certificate, .. } | Found::Discovered { certificate, .. }) = found
        else {
            return None;
        };
        let certificate = certificate.clone()?;
        Some(Work::Check { game: self.name(number), certificate })
    }

    /// Gives work to hands that have none.
    fn hand_out(&mut self, post: &Post) {
        for _ in 0..self.idle.len() {
            let Some(rank) = self.idle.pop_front() else { return };
            match self.work_for(rank) {
                Some(order) => send(post, rank, Some(order)),
                None if self.is_over() => {
                    send(post, rank, None);
                    self.hands -= 1;
                }
                None => self.idle.push_back(rank),
            }
        }
    }

    /// Work for a hand of a rank. Nobody checks what was found on the same rank, unless there is no
    /// other.
    fn work_for(&mut self, rank: usize) -> Option<Order> {
        let by_another = |check: &(usize, usize, Work)| check.1 != rank || self.ranks == 1;
        if let Some(at) = self.checks.iter().position(by_another) {
            let (number, _, work) = self.checks.remove(at)?;
            return Some(Order { number, work });
        }
        if self.next == self.works.len() || signal::asked() {
            return None;
        }
        let number = self.next;
        self.next += 1;
        Some(Order { number, work: self.works[number].clone() })
    }

    /// Whether there is nothing left to do, now or later: all is written, or all that was begun when
    /// somebody asked to stop.
    fn is_over(&self) -> bool {
        let begun = if signal::asked() { self.next } else { self.works.len() };
        self.checks.is_empty()
            && self.unchecked.is_empty()
            && self.store.written() + self.finished.len() + self.abandoned >= begun
    }

    fn tell(&mut self) {
        let often = if std::io::stderr().is_terminal() { A_WHILE / 10 } else { A_WHILE };
        if !self.quiet && self.told.elapsed() >= often {
            self.told = Instant::now();
            announce(&self.line(false));
        }
    }

    /// How far it is, and how it went.
    fn line(&self, at_the_end: bool) -> String {
        let Tally { proved, open, failed, rejected } = self.tally;
        let (done, all) = (self.before + proved + open + failed + rejected, self.works.len());
        let seconds = self.began.elapsed().as_secs_f64();
        let mut text = format!("{} of {all}: {proved} proved", done.min(all));
        for (count, what) in [(open, "open"), (failed, "failed"), (rejected, "rejected")] {
            if count > 0 {
                text += &format!(", {count} {what}");
            }
        }
        text += &format!("; {seconds:.0} s");
        let now = done - self.before;
        if !at_the_end && now > 0 {
            let left = seconds / now as f64 * (all - done.min(all)) as f64;
            text += &format!(", about {left:.0} s left");
        }
        text
    }
}

fn send(post: &Post, rank: usize, order: Option<Order>) {
    post.send(To::Rank(rank), Kind::Work, serde_json::to_vec(&order).unwrap_or_default());
}
