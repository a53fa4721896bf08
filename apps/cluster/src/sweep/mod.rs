//! `nimatron-mpi sweep` and `verify`: many pieces of work, handed out to whoever is free.
//!
//! Rank 0 has the *desk*. Hands of all ranks, its own too, ask there for work and bring what they found
//! (module `hand`). A certificate goes to a hand of another rank to be checked before it counts. What is
//! found is written in the order of the games, as soon as all before it is (module `store`); so
//! what was written is always a beginning of the whole, and whoever starts again goes on behind it.

mod desk;
pub(crate) mod hand;
mod store;
mod work;

use crate::cli;
use crate::ended::Ended;
use crate::post::{Kind, Post, To};
use crate::{Rank, signal};
use desk::{Desk, Report};
use hand::Hand;
use nimatron::atlas::systems;
use nimatron_service::{Failure, Status, read};
use std::path::PathBuf;
use store::Store;
use work::{Limits, Work};

/// Pieces of work.
#[derive(Debug)]
pub(crate) struct Job {
    kind: Sort,
    out: Option<PathBuf>,
    hands: cli::Hands,
}

/// What is to be done.
#[derive(Debug)]
pub(crate) enum Sort {
    /// All games on so many stacks.
    Atlas(usize),
    /// These games.
    Discover(Vec<String>),
    /// These files.
    Verify(Vec<PathBuf>),
}

impl Job {
    /// Reads what is to be swept.
    pub(crate) fn read(sweep: cli::Sweep) -> Result<Self, Failure> {
        match sweep {
            cli::Sweep::Atlas(args) => {
                let kind = Sort::Atlas(usize::try_from(args.stacks).unwrap_or(0));
                Ok(Job { kind, out: args.out, hands: args.hands })
            }
            cli::Sweep::Discover(args) => {
                let games = games(&args.games)?;
                Ok(Job { kind: Sort::Discover(games), out: args.out, hands: args.hands })
            }
        }
    }

    /// Certificates to be checked.
    pub(crate) fn verifying(args: cli::Verify) -> Result<Self, Failure> {
        Ok(Job { kind: Sort::Verify(args.certificates), out: None, hands: args.hands })
    }

    pub(crate) fn run(self, rank: &Rank<'_>) -> Result<Status, Ended> {
        let Rank { post, machine } = *rank;
        signal::listen(post);
        if let Some(out) = &self.out {
            let out = out.display();
            signal::last_words(format!(
                "asked to stop: what is written to {out} is kept, and the same command goes on \
                 from there, with any number of ranks"
            ));
        }
        let hands = self.hands.threads.map_or_else(|| machine.threads(), usize::from);
        let limits = Limits::new(self.hands.time, self.hands.memory);
        let counts = post.gather(vec![0; hands])?;
        std::thread::scope(|scope| {
            for _ in 0..hands {
                scope.spawn(|| lend(post, &limits));
            }
            match post.me() {
                0 => {
                    let hands = counts.iter().map(Vec::len).sum();
                    let done = self.desk(hands, post).and_then(|desk| desk.serve(post));
                    if let Err(Ended::Here(failure)) = &done {
                        // The hands must hear of it, or they would wait.
                        post.raise(failure.status(), crate::output::told(failure));
                    }
                    done
                }
                _ => Ok(Status::Answered),
            }
        })
    }

    /// The desk, with all work that is not done.
    fn desk(self, hands: usize, post: &Post) -> Result<Desk, Ended> {
        let (works, store) = match self.kind {
            Sort::Atlas(stacks) => {
                let games: Vec<String> = systems(stacks).iter().map(ToString::to_string).collect();
                let limits = (self.hands.time, self.hands.memory);
                let store = Store::atlas(self.out.as_deref(), stacks, limits, &games)?;
                (games.into_iter().map(Work::Survey).collect(), store)
            }
            Sort::Discover(games) => {
                let store = Store::lines(self.out.as_deref(), &games)?;
                (games.into_iter().map(Work::Discover).collect(), store)
            }
            Sort::Verify(files) => {
                (files.into_iter().map(Work::Verify).collect::<Vec<_>>(), Store::lines(None, &[])?)
            }
        };
        Ok(Desk::new(works, store, hands, post.ranks(), self.hands.quiet))
    }
}

/// The games of a file, one per line.
fn games(argument: &str) -> Result<Vec<String>, Failure> {
    let Some(path) = argument.strip_prefix('@') else {
        let message = format!("{argument} is no file of games: write @FILE");
        return Err(Failure::bad("games", message));
    };
    let text = std::fs::read_to_string(path).map_err(|error| Failure::file(path, &error))?;
    let lines = text.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let games = lines.map(|line| Ok(read::game(line)?.to_string()));
    let games: Vec<String> = games.collect::<Result<_, Failure>>()?;
    match games.is_empty() {
        true => Err(Failure::bad("games", format!("{path} has no games"))),
        false => Ok(games),
    }
}

/// Lends a hand: asks for work until there is none left, or somebody has given up.
fn lend(post: &Post, limits: &Limits) {
    let mut hand = Hand::new(limits);
    let mut report = Report { done: None };
    loop {
        let text = serde_json::to_vec(&report).unwrap_or_default();
        post.send(To::Rank(0), Kind::Desk, text);
        let Ok(letter) = post.take_from(Kind::Work, 0) else { return };
        let work: Option<desk::Order> = serde_json::from_slice(&letter).unwrap_or_default();
        let Some(order) = work else { return };
        let Some(found) = hand.run(&order.work, post) else { return };
        report = Report { done: Some((order.number, found)) };
    }
}
