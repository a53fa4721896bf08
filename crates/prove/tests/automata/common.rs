//! What the tests of automata share.

use nimatron_game::{Game, Height, Outcome, Stop, Unlimited, Watch};
use nimatron_prove::automata::{Discovery, Effort, Found, NotFound, discover};
use nimatron_table::naive;
use nimatron_verify::automaton::{AutomatonProof, Dfa};
use nimatron_verify::{Certificate, Proof, verify};
use std::sync::atomic::{AtomicU64, Ordering};

pub(crate) fn game(text: &str) -> Game {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Stops after a number of checks or at a number of bytes.
pub(crate) struct Limits {
    pub(crate) checks: AtomicU64,
    pub(crate) bytes: u64,
}

impl Limits {
    pub(crate) fn new(checks: u64, bytes: u64) -> Self {
        Limits { checks: AtomicU64::new(checks), bytes }
    }
}

impl Watch for Limits {
    fn check(&self, memory: u64) -> Result<(), Stop> {
        if memory > self.bytes {
            return Err(Stop::Memory);
        }
        match self.checks.fetch_sub(1, Ordering::Relaxed) {
            0 | 1 => {
                self.checks.store(1, Ordering::Relaxed);
                Err(Stop::Work)
            }
            _ => Ok(()),
        }
    }
}

pub(crate) fn found(text: &str) -> Found {
    match discover(&game(text), Effort::default(), &Unlimited) {
        Ok(Discovery::Found(found)) => *found,
        other => panic!("{text}: {other:?}"),
    }
}

pub(crate) fn not_found(text: &str, effort: Effort, limits: &Limits) -> NotFound {
    match discover(&game(text), effort, limits) {
        Ok(Discovery::NotFound(not_found)) => not_found,
        other => panic!("{text}: {other:?}"),
    }
}

pub(crate) fn proof(certificate: &Certificate) -> &AutomatonProof {
    match &certificate.proof {
        Proof::Automaton(proof) => proof,
        other => panic!("another kind: {other:?}"),
    }
}

pub(crate) fn proof_mut(certificate: &mut Certificate) -> &mut AutomatonProof {
    match &mut certificate.proof {
        Proof::Automaton(proof) => proof,
        other => panic!("another kind: {other:?}"),
    }
}

/// The certificate is accepted, the automaton agrees with the oracle in a box, and its moves win.
pub(crate) fn check(found: &Found, max: Height) {
    let game = found.automaton.game();
    let accepted = verify(&found.certificate).unwrap_or_else(|error| panic!("{game}: {error}"));
    assert_eq!(&accepted.game, game);
    let table = naive::outcomes(game, &vec![max; game.stacks()]).unwrap();
    for (position, outcome) in table.iter() {
        assert_eq!(found.automaton.outcome(&position), outcome, "{game} {position}");
        match found.automaton.winning_move(&position) {
            Some(take) => {
                assert!(game.is_legal(&position, &take), "{game} {position} {take}");
                let option = position.after(&take).unwrap();
                assert_eq!(table.get(&option), Some(Outcome::P), "{game} {position} {take}");
            }
            None => {
                let won = outcome == Outcome::N && game.is_terminal(&position);
                assert!(outcome == Outcome::P || won, "{game} {position}: no winning move");
            }
        }
    }
}

/// Whether two automata accept the same words.
pub(crate) fn same_language(a: &Dfa, b: &Dfa) -> bool {
    let start = (a.initial, b.initial);
    let mut seen = std::collections::HashSet::from([start]);
    let mut open = vec![start];
    while let Some((p, q)) = open.pop() {
        if a.accepting[p as usize] != b.accepting[q as usize] {
            return false;
        }
        for (&p, &q) in a.next[p as usize].iter().zip(&b.next[q as usize]) {
            if seen.insert((p, q)) {
                open.push((p, q));
            }
        }
    }
    true
}

/// A plain source of arbitrary numbers.
pub(crate) struct Arbitrary(pub(crate) u64);

impl Arbitrary {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound.max(1)
    }
}
