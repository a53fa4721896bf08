//! (I): no move leads from S to S. If one does, the shortest words that show it.

use super::nfa::{Nfa, relabel};
use nimatron_game::{Stop, Watch};
use nimatron_verify::automaton::StateSymmetry;

/// The words of a position and of an option, both in S.
pub(super) type Conflict = (Vec<u32>, Vec<u32>);

/// One thing to follow: the states of the position and of the option, and the lowered stacks.
#[derive(Clone, Copy)]
struct Pair {
    from: u32,
    to: u32,
    lowered: u32,
    /// How it was reached: from this pair, with these letters, and renamed by this symmetry.
    parent: u32,
    letters: (u16, u16),
    by: u16,
}

/// A move from S to S, if there is one.
///
/// Everything that can be reached is visited once up to symmetry: of the images of a pair only
/// the one with the least set of lowered stacks is followed.
pub(super) fn conflict(nfa: &Nfa<'_>, watch: &dyn Watch) -> Result<Option<Conflict>, Stop> {
    let (moves, dfa) = (nfa.moves, nfa.dfa);
    let least: Vec<(u32, u16)> = (0..moves.letters())
        .map(|set| {
            let images = nfa.symmetries.iter().zip(0..).map(|(g, by)| (relabel(g, set), by));
            images.min().unwrap_or((set, 0))
        })
        .collect();
    let mut faces = vec![usize::MAX; least.len()];
    let kept = (0..least.len()).filter(|&set| moves.is_within(set as u32) && least[set].0 == set as u32);
    let kept: Vec<usize> = kept.collect();
    kept.iter().enumerate().for_each(|(place, &set)| faces[set] = place);
    let live: Vec<Vec<(u32, u32)>> = dfa
        .next
        .iter()
        .map(|row| (0..).zip(row.iter().copied()).filter(|&(_, r)| nfa.is_live(r)).collect())
        .collect();

    let states = dfa.states();
    let places = states * states * kept.len();
    watch.check(places as u64 / 8)?;
    let mut seen = vec![0u64; places.div_ceil(64)];
    let start = Pair { from: dfa.initial, to: dfa.initial, lowered: 0, parent: 0, letters: (0, 0), by: 0 };
    let mut pairs = vec![start];
    let mut at = 0;
    while let Some(&Pair { from, to, lowered, .. }) = pairs.get(at) {
        let both = dfa.accepting[from as usize] && dfa.accepting[to as usize];
        if both && moves.may_end(lowered) {
            return Ok(Some(trace(&pairs, at, &nfa.symmetries)));
        }
        if at.is_multiple_of(256) {
            watch.check((seen.len() * 8 + pairs.capacity() * size_of::<Pair>()) as u64)?;
        }
        for &(x, q) in &live[from as usize] {
            for &(y, r) in &live[to as usize] {
                let Some(after) = moves.step(lowered, x, y) else { continue };
                let (after, by) = least[after as usize];
                let symmetry = &nfa.symmetries[by as usize];
                let (q, r) = (symmetry.states[q as usize], symmetry.states[r as usize]);
                let place = (q as usize * states + r as usize) * kept.len() + faces[after as usize];
                let (block, bit) = (place / 64, 1u64 << (place % 64));
                if seen[block] & bit == 0 {
                    seen[block] |= bit;
                    let letters = (x as u16, y as u16);
                    pairs.push(Pair { from: q, to: r, lowered: after, parent: at as u32, letters, by });
                }
            }
        }
        at += 1;
    }
    Ok(None)
}

/// The words that lead to a pair, under the names that the stacks have at the beginning.
fn trace(pairs: &[Pair], end: usize, symmetries: &[StateSymmetry]) -> Conflict {
    let mut steps = Vec::new();
    let mut at = end;
    while at != 0 {
        steps.push(pairs[at]);
        at = pairs[at].parent as usize;
    }
    // names[s]: the original name of the stack that is now called s.
    let mut names: Vec<u32> = (0..symmetries[0].stacks.len() as u32).collect();
    let original = |names: &[u32], letter: u16| {
        let digits = names.iter().enumerate().filter(|&(s, _)| letter >> s & 1 == 1);
        digits.fold(0u32, |all, (_, &name)| all | 1 << name)
    };
    let (mut from, mut to) = (Vec::new(), Vec::new());
    for step in steps.iter().rev() {
        from.push(original(&names, step.letters.0));
        to.push(original(&names, step.letters.1));
        let mut renamed = names.clone();
        for (s, &image) in symmetries[step.by as usize].stacks.iter().enumerate() {
            renamed[image as usize] = names[s];
        }
        names = renamed;
    }
    (from, to)
}
