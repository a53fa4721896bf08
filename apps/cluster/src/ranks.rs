//! The other ranks as parties of a table, and reports among them.
//!
//! A message begins with its kind and a number: the level for lists and for the end of a share, the
//! round for a report. Messages of one rank come in the order in which it sent them. A rank may be a
//! level ahead of another; what comes too early is kept.

use crate::pump::Letter;
use nimatron::crates::table::blocks::{Exchange, Take};
use nimatron::crates::table::line::LineError;
use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Lists: for each its block, its length and the numbers.
const LISTS: u32 = 1;
/// A rank has done its share: the cost that was foreseen and the nanoseconds it took, low word first.
const DONE: u32 = 2;
/// A report: text.
const REPORT: u32 = 3;

/// Numbers that are collected before they are sent.
const BATCH: usize = 1 << 18;
/// Shares that were foreseen to cost less, in nanoseconds, say nothing about a rank's speed.
const TELLING: u64 = 5_000_000;

/// This rank among the others.
#[derive(Debug)]
pub(crate) struct Ranks {
    me: usize,
    count: usize,
    out: Sender<Vec<u32>>,
    batch: Mutex<Vec<u32>>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    inbox: Receiver<Letter>,
    /// What came too early.
    early: VecDeque<Letter>,
    speeds: Vec<f64>,
    level: u32,
    round: u32,
    begun: Instant,
}

impl Ranks {
    pub(crate) fn new(
        me: usize,
        count: usize,
        out: Sender<Vec<u32>>,
        inbox: Receiver<Letter>,
    ) -> Self {
        let (early, speeds) = (VecDeque::new(), vec![1.0; count]);
        let state = State { inbox, early, speeds, level: 0, round: 0, begun: Instant::now() };
        Ranks { me, count, out, batch: Mutex::new(vec![LISTS, 0]), state: Mutex::new(state) }
    }

    /// The clock of the next share starts now; this is the level.
    pub(crate) fn begin(&self, level: usize) -> Result<(), LineError> {
        let mut state = lock(&self.state);
        state.begun = Instant::now();
        state.level = word(level)?;
        *lock(&self.batch) = vec![LISTS, state.level];
        Ok(())
    }

    /// Tells all others something, and hears what they tell; the own word is among it.
    pub(crate) fn report(&self, text: &str) -> Result<Vec<String>, LineError> {
        let mut state = lock(&self.state);
        state.round += 1;
        let round = state.round;
        let mut message = vec![REPORT, round, word(text.len())?];
        message.extend(
            text.as_bytes()
                .chunks(4)
                .map(|four| four.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte))),
        );
        self.send(message)?;
        let mut told = vec![None; self.count];
        place(&mut told, self.me, text.to_string())?;
        while told.iter().any(Option::is_none) {
            let (from, message) = state.next(REPORT, round)?;
            let Some((&length, words)) = message.get(2..).and_then(<[u32]>::split_first) else {
                return Err(garbled(from));
            };
            let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            bytes.truncate(length as usize);
            let text = String::from_utf8(bytes).map_err(|_| garbled(from))?;
            place(&mut told, from, text)?;
        }
        Ok(told.into_iter().flatten().collect())
    }

    fn send(&self, message: Vec<u32>) -> Result<(), LineError> {
        let gone = |_| LineError::Outside("MPI has ended".to_string());
        self.out.send(message).map_err(gone)
    }
}

impl State {
    /// The next message of this kind or, for a level, of its lists, and of this number.
    fn next(&mut self, kind: u32, number: u32) -> Result<Letter, LineError> {
        let fits = |(_, message): &Letter| match message.as_slice() {
            &[REPORT, n, ..] => kind == REPORT && n == number,
            &[_, n, ..] => kind != REPORT && n == number,
            _ => false,
        };
        if let Some(at) = self.early.iter().position(fits)
            && let Some(letter) = self.early.remove(at)
        {
            return Ok(letter);
        }
        loop {
            let gone = |_| LineError::Outside("MPI has ended".to_string());
            let letter = self.inbox.recv().map_err(gone)?;
            if fits(&letter) {
                return Ok(letter);
            }
            self.early.push_back(letter);
        }
    }
}

impl Exchange for Ranks {
    fn parties(&self) -> usize {
        self.count
    }

    fn me(&self) -> usize {
        self.me
    }

    fn offer(&self, block: usize, list: &[u32]) -> Result<(), LineError> {
        if self.count == 1 {
            return Ok(());
        }
        let mut batch = lock(&self.batch);
        batch.extend([word(block)?, word(list.len())?]);
        batch.extend_from_slice(list);
        if batch.len() < BATCH {
            return Ok(());
        }
        let head = batch.iter().take(2).copied().collect();
        let full = std::mem::replace(&mut *batch, head);
        self.send(full)
    }

    fn complete(&self, _: usize, cost: u64, take: &mut Take<'_>) -> Result<Vec<f64>, LineError> {
        let mut state = lock(&self.state);
        let level = state.level;
        let took = u64::try_from(state.begun.elapsed().as_nanos()).unwrap_or(u64::MAX);
        let rest = std::mem::replace(&mut *lock(&self.batch), vec![LISTS, level]);
        if rest.len() > 2 {
            self.send(rest)?;
        }
        let halves = |word: u64| [word as u32, (word >> 32) as u32];
        let mut done = vec![DONE, level];
        done.extend(halves(cost));
        done.extend(halves(took));
        self.send(done)?;
        let mut shares = vec![None; self.count];
        place(&mut shares, self.me, (cost, took))?;
        while shares.iter().any(Option::is_none) {
            let (from, message) = state.next(LISTS, level)?;
            match message.as_slice() {
                &[DONE, _, a, b, c, d] => {
                    let whole = |low: u32, high: u32| u64::from(high) << 32 | u64::from(low);
                    place(&mut shares, from, (whole(a, b), whole(c, d)))?;
                }
                [LISTS, _, lists @ ..] => {
                    let mut rest = lists;
                    while let [block, length, more @ ..] = rest {
                        let Some((list, more)) = more.split_at_checked(*length as usize) else {
                            return Err(garbled(from));
                        };
                        take(*block as usize, list)?;
                        rest = more;
                    }
                }
                _ => return Err(garbled(from)),
            }
        }
        // Half of what was known, half of what is new: all ranks come to the same numbers.
        for (speed, (cost, took)) in state.speeds.iter_mut().zip(shares.into_iter().flatten()) {
            if cost >= TELLING && took > 0 {
                *speed = (*speed + cost as f64 / took as f64) / 2.0;
            }
        }
        Ok(state.speeds.clone())
    }
}

fn place<T>(all: &mut [Option<T>], rank: usize, one: T) -> Result<(), LineError> {
    match all.get_mut(rank) {
        Some(slot) if slot.is_none() => {
            *slot = Some(one);
            Ok(())
        }
        _ => Err(garbled(rank)),
    }
}

fn garbled(rank: usize) -> LineError {
    LineError::Outside(format!("a message of rank {rank} cannot be read"))
}

fn word(number: usize) -> Result<u32, LineError> {
    u32::try_from(number)
        .map_err(|_| LineError::Outside(format!("{number} is too large to be sent")))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
