//! What must hold for every text read as a certificate: it is refused, or it is true. Called with
//! random and changed texts by the fuzzer and by the tests of the facade.

use nimatron::Limits;
use nimatron::proofs::{Certificate, Proved};
use std::time::Duration;

/// Positions of the boxes with which accepted certificates are compared.
const POSITIONS: u64 = 3000;
/// Positions beyond, about which they are asked.
const SOME: u64 = 25;

/// Reads `bytes` as a certificate and checks it; what it says of small positions is then compared with
/// a table.
///
/// # Panics
/// If something that should hold does not.
pub(crate) fn check(bytes: &[u8]) {
    let Ok(certificate) = Certificate::read(bytes) else { return };
    let mut written = Vec::new();
    certificate.write(&mut written).expect("plain data is written");
    let again = Certificate::read(&written[..]).expect("what is written is read");
    assert_eq!(again, certificate);
    let game = certificate.game.clone();
    let Ok(proved) = Proved::accept(certificate) else { return };
    let fits =
        |max: &u64| (max + 1).checked_pow(game.stacks() as u32).is_some_and(|v| v <= POSITIONS);
    let Some(max) = (1..=3).rev().find(fits) else { return };
    let watch = Limits::unlimited().time(Duration::from_secs(5)).start();
    if let Ok(compared) = proved.compare(max, &watch) {
        assert_eq!(compared.differs, None, "a false certificate about {game} is accepted");
    }
    answers(&proved, &vec![max + 1; game.stacks()]);
    // A few more, with stacks of all kinds.
    for number in 0..SOME {
        let height = |stack: u64| (number * 7 + stack * (number % 5 + 1) * 3) % (2 * max + 2);
        answers(&proved, &(0..game.stacks() as u64).map(height).collect::<Vec<u64>>());
    }
}

fn answers(proved: &Proved, heights: &[u64]) {
    let answer = proved.answer(heights);
    let answer =
        answer.unwrap_or_else(|| panic!("an accepted certificate has no answer at {heights:?}"));
    assert!(answer.take.is_none_or(|take| proved.game().is_legal(heights, &take)));
}
