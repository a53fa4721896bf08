//! Sums of 0/1 vectors.
//!
//! How often each vector is taken is guessed digit by digit. What has to be remembered is, for
//! every stack, how much of its height so far is not yet accounted for; if that is negative or too
//! large, later digits cannot make up for it. An automaton follows all guesses at once.

use super::NoAutomaton;
use super::operations::Tracks;
use nimatron_game::StackSet;
use nimatron_verify::automaton::Dfa;

/// The most vectors: all sets of them are tried at every digit.
const MOST_GENERATORS: usize = 12;

/// The automaton of `span(..)`.
pub(super) fn automaton(tracks: &Tracks<'_>, generators: &[StackSet]) -> Result<Dfa, NoAutomaton> {
    let n = tracks.count;
    if generators.iter().any(|g| !g.is_subset(StackSet::first(n))) {
        return Err(NoAutomaton::NoSuchStack);
    }
    let mut generators: Vec<u32> = generators.iter().map(|g| g.bits()).collect();
    generators.sort_unstable();
    generators.dedup();
    generators.retain(|&g| g != 0);
    let (found, most) = (generators.len(), MOST_GENERATORS);
    if found > most {
        return Err(NoAutomaton::Generators { found, most });
    }
    // By stack: how many of the chosen vectors it lies on.
    let total = |chosen: u32| -> Vec<i8> {
        let taken = (0..).zip(&generators).filter(|&(g, _)| chosen >> g & 1 == 1);
        taken.fold(vec![0; n], |mut sum, (_, generator)| {
            (0..n).for_each(|s| sum[s] += (generator >> s & 1) as i8);
            sum
        })
    };
    let digits: Vec<Vec<i8>> = (0..1 << found).map(total).collect();
    // With k vectors on a stack, later digits account for less than k times the present one.
    let bounds: Vec<i8> = total(u32::MAX).into_iter().map(|k| (k - 1).max(0)).collect();
    let step = |from: &Vec<Vec<i8>>, letter: u32| {
        let mut to = Vec::new();
        for open in from {
            for taken in &digits {
                let left = (0..n).map(|s| {
                    let left = 2 * open[s] + (letter >> s & 1) as i8 - taken[s];
                    (0..=bounds[s]).contains(&left).then_some(left)
                });
                to.extend(left.collect::<Option<Vec<i8>>>());
            }
        }
        to.sort_unstable();
        to.dedup();
        to
    };
    let accepts = |open: &Vec<Vec<i8>>| open.iter().any(|open| open.iter().all(|&left| left == 0));
    tracks.explore(vec![vec![0; n]], step, accepts)
}
