//! In which order stacks stand on a circle or in a row, so that the sets are short arcs.

use nimatron_game::StackSet;

/// Up to so many stacks all orders are tried.
const TRIED: usize = 8;

/// The least stretch of slots, around a circle, that holds all members: where it starts and how many slots it
/// takes. `slots` are sorted.
pub(crate) fn stretch(slots: &[usize], n: usize) -> (usize, usize) {
    let mut best = (slots[0], n);
    for (i, &slot) in slots.iter().enumerate() {
        let before = slots[(i + slots.len() - 1) % slots.len()];
        let length = (before + n - slot) % n + 1;
        if length < best.1 {
            best = (slot, length);
        }
    }
    best
}

/// The order of the stacks around a circle. The given one is kept if none is better.
pub(crate) fn circular(n: usize, sets: &[StackSet]) -> Vec<usize> {
    let cost = |order: &[usize]| {
        let mut slot = vec![0; n];
        order.iter().enumerate().for_each(|(at, &stack)| slot[stack] = at);
        let spent = sets.iter().map(|set| {
            let mut slots: Vec<usize> = set.iter().map(|s| slot[s]).collect();
            slots.sort_unstable();
            stretch(&slots, n).1 - slots.len()
        });
        spent.sum::<usize>()
    };
    let mut best: Vec<usize> = (0..n).collect();
    let mut least = cost(&best);
    if n <= TRIED {
        // The first stack stays where it is: turning the circle changes nothing.
        let mut order = best.clone();
        while least > 0 && next(&mut order[1..]) {
            let found = cost(&order);
            if found < least {
                (best, least) = (order.clone(), found);
            }
        }
        return best;
    }
    // Moving one stack at a time, as long as it helps.
    let mut improved = least > 0;
    while improved {
        improved = false;
        for from in 0..n {
            for to in 0..n {
                let mut order = best.clone();
                let stack = order.remove(from);
                order.insert(to, stack);
                let found = cost(&order);
                if found < least {
                    (best, least, improved) = (order, found, true);
                }
            }
        }
    }
    let first = best.iter().position(|&s| s == 0).unwrap_or(0);
    best.rotate_left(first);
    best
}

/// The next permutation in lexicographic order, if there is one.
fn next(items: &mut [usize]) -> bool {
    let Some(at) = (1..items.len()).rev().find(|&i| items[i - 1] < items[i]) else { return false };
    let swap = (at..items.len()).rev().find(|&i| items[i] > items[at - 1]).unwrap_or(at);
    items.swap(at - 1, swap);
    items[at..].reverse();
    true
}

/// Lanes for stretches of slots, so that no two in a lane share a slot: the lane of each, and how many there
/// are. A stretch is where it starts and how many slots it takes; it may go around the end.
pub(crate) fn lanes(stretches: &[(usize, usize)], n: usize) -> (Vec<usize>, usize) {
    let mut taken: Vec<Vec<bool>> = Vec::new();
    let mut lane_of = Vec::new();
    for &(start, length) in stretches {
        let slots: Vec<usize> = (start..start + length).map(|s| s % n).collect();
        let free = taken.iter().position(|lane| slots.iter().all(|&s| !lane[s]));
        let lane = free.unwrap_or_else(|| {
            taken.push(vec![false; n]);
            taken.len() - 1
        });
        slots.iter().for_each(|&s| taken[lane][s] = true);
        lane_of.push(lane);
    }
    (lane_of, taken.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sets(names: &[&str]) -> Vec<StackSet> {
        names.iter().map(|s| s.bytes().map(|b| usize::from(b - b'a')).collect()).collect()
    }

    #[test]
    fn a_disguised_circle_is_found() {
        let order = circular(5, &sets(&["ac", "ce", "be", "bd", "ad"]));
        assert_eq!(order, [0, 2, 4, 1, 3]);
        let many = sets(&["ac", "ce", "eg", "gi", "bi", "bd", "df", "fh", "ah"]);
        assert_eq!(circular(9, &many).len(), 9);
    }

    #[test]
    fn stretches_go_around_the_end() {
        assert_eq!(stretch(&[0, 1, 6], 7), (6, 3));
        assert_eq!(stretch(&[2], 7), (2, 1));
        assert_eq!(lanes(&[(0, 3), (3, 3), (6, 3)], 7), (vec![0, 0, 1], 2));
    }
}
