//! What must hold for all bytes read as a checkpoint: they are refused, or the run goes on from them
//! within its limits. Called with random and changed bytes by the fuzzer and by the tests of the facade.

use nimatron::Limits;
use nimatron::tables::{Tabulation, Threads};
use std::time::Duration;

/// Reads `bytes` as a checkpoint, as they are and with the checksums put right.
///
/// # Panics
/// If something that should hold does not.
pub(crate) fn check(bytes: &[u8]) {
    load(bytes);
    if let Some(sealed) = sealed(bytes) {
        load(&sealed);
    }
}

fn load(bytes: &[u8]) {
    let Ok((mut run, note)) = Tabulation::load(bytes) else { return };
    let mut saved = Vec::new();
    run.save(&note, &mut saved).expect("what was read can be written");
    let (again, same_note) = Tabulation::load(&saved[..]).expect("what is written is read");
    assert_eq!((again.game(), again.max(), &same_note), (run.game(), run.max(), &note));
    assert_eq!((again.counts(), again.progress()), (run.counts(), run.progress()));
    let watch = Limits::unlimited().time(Duration::from_millis(2)).memory(100_000_000).start();
    let _ = run.step(2, &Threads::new(1), &watch, &mut |_| Ok(()));
}

/// The same bytes with the checksums that belong to them, if the parts can be told apart: a changed
/// checkpoint is nearly always refused for its checksum, and what comes after is never seen.
pub(crate) fn sealed(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut sealed = bytes.to_vec();
    let word = |at: usize| {
        let bytes = bytes.get(at..at.checked_add(8)?)?;
        Some(u64::from_le_bytes(bytes.try_into().ok()?))
    };
    let size = |at: usize| usize::try_from(word(at)?).ok();
    let skip = |at: usize| at.checked_add(8)?.checked_add(size(at)?);
    // The note, the request, and three words about the engine.
    let counts = skip(skip(16)?)?.checked_add(24)?;
    let lists = if word(counts.checked_add(8)?)? == 1 { 2 } else { 1 };
    let heights = size(counts.checked_add(24)?)?;
    let end = counts.checked_add(32)?.checked_add(heights.checked_mul(8 * lists)?)?;
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    let sum = bytes.get(..end)?.iter().fold(0xcbf2_9ce4_8422_2325, step);
    sealed.get_mut(end..end + 8)?.copy_from_slice(&sum.to_le_bytes());
    // The state of the engine: a magic, then words, the last of which is the checksum. That of blocks has one
    // more before its lists, of the words for version, stacks, facets, heights, convention, order and plan.
    let first = end + 16;
    let (stacks, facets) = (size(first + 8)?, size(first + 16)?);
    let middle = stacks.checked_mul(2)?.checked_add(facets)?.checked_add(7)?;
    let middle = (&bytes[end + 8..first] == b"NIMBLOCK").then_some(middle);
    let last = bytes.len().checked_sub(8).filter(|&last| last >= first)?;
    let mut sum = 0x6e69_6d61_7472_6f6e_u64;
    for (index, place) in sealed[first..last].chunks_exact_mut(8).enumerate() {
        if Some(index) == middle {
            place.copy_from_slice(&sum.to_le_bytes());
        }
        let word = u64::from_le_bytes((&*place).try_into().expect("eight bytes"));
        let mixed = (sum ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        sum = mixed ^ mixed >> 29;
    }
    sealed[last..].copy_from_slice(&sum.to_le_bytes());
    Some(sealed)
}
