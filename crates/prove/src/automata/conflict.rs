//! (I): no move leads from S to S. If one does, the shortest words that show it.

use super::nfa::Nfa;
use nimatron_game::{Stop, Watch};

/// The words of a position and of an option, both in S.
pub(super) type Conflict = (Vec<u32>, Vec<u32>);

/// One thing to follow: the states of the position and of the option, and the lowered stacks.
#[derive(Clone, Copy)]
struct Pair {
    from: u32,
    to: u32,
    lowered: u32,
    /// The pair it was reached from, and the letters of the position and of the option.
    parent: u32,
    letters: (u16, u16),
}

/// A move from S to S, if there is one.
pub(super) fn conflict(nfa: &Nfa<'_>, watch: &dyn Watch) -> Result<Option<Conflict>, Stop> {
    let (moves, dfa) = (nfa.moves, nfa.dfa);
    // By state: the letters that leave a way to S.
    let live = |row: &Vec<u32>| -> Vec<(u32, u32)> {
        (0..).zip(row.iter().copied()).filter(|&(_, next)| nfa.is_live(next)).collect()
    };
    let live: Vec<_> = dfa.next.iter().map(live).collect();
    let (states, width) = (dfa.states(), moves.letters() as usize);
    let places = states * states * width;
    watch.check(places as u64 / 8)?;
    let mut seen = vec![0u64; places.div_ceil(64)];
    let initial = dfa.initial;
    let mut pairs =
        vec![Pair { from: initial, to: initial, lowered: 0, parent: 0, letters: (0, 0) }];
    let mut at = 0;
    while let Some(&Pair { from, to, lowered, .. }) = pairs.get(at) {
        let both = dfa.accepting[from as usize] && dfa.accepting[to as usize];
        if both && moves.may_end(lowered) {
            return Ok(Some(trace(&pairs, at)));
        }
        if at.is_multiple_of(256) {
            watch.check((seen.len() * 8 + pairs.capacity() * size_of::<Pair>()) as u64)?;
        }
        for &(x, from) in &live[from as usize] {
            for &(y, to) in &live[to as usize] {
                let Some(lowered) = moves.step(lowered, x, y) else { continue };
                let pair = from as usize * states + to as usize;
                let place = pair * width + lowered as usize;
                let (block, bit) = (place / 64, 1 << (place % 64));
                if seen[block] & bit == 0 {
                    seen[block] |= bit;
                    let letters = (x as u16, y as u16);
                    pairs.push(Pair { from, to, lowered, parent: at as u32, letters });
                }
            }
        }
        at += 1;
    }
    Ok(None)
}

/// The words that lead to a pair.
fn trace(pairs: &[Pair], end: usize) -> Conflict {
    let before = |&at: &usize| (at != 0).then(|| pairs[at].parent as usize);
    let steps = std::iter::successors(Some(end), before).filter(|&at| at != 0);
    let letters = steps.map(|at| pairs[at].letters);
    let (mut from, mut to): (Vec<u32>, Vec<u32>) =
        letters.map(|(x, y)| (u32::from(x), u32::from(y))).unzip();
    from.reverse();
    to.reverse();
    (from, to)
}
