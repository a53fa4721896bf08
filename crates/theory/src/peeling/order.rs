//! A circular order of stacks in which every set is an arc.
//!
//! Sets are bit masks. A set is an arc of the circle exactly if its complement is, so every set
//! that holds the element 0 is replaced by its complement; what is then asked for is an order of the
//! other elements, on a line, in which every set is an interval (Tucker's reduction). Sets that
//! overlap (meet, and neither holds the other) fix each other's places up to a reversal; so each
//! connected class of overlapping sets is laid out by itself, set after set, and the class whose union
//! is smaller goes, as a whole, into one block of those that are larger.

/// A circular order of the elements `0..n` in which all sets are arcs, if there is one. Where
/// there are several, which of them is found depends on the sets alone.
pub(crate) fn circular(n: usize, sets: &[u32]) -> Option<Vec<usize>> {
    let all = u32::MAX >> (32 - n);
    let mut line: Vec<u32> =
        sets.iter().map(|&set| if set & 1 == 1 { all & !set } else { set }).collect();
    line.sort_unstable();
    line.dedup();
    line.retain(|set| set.count_ones() > 1);
    let blocks = intervals(all & !1, line)?;
    let elements = |mut block: u32| {
        std::iter::from_fn(move || {
            let lowest = block.trailing_zeros();
            block &= block.checked_sub(1)?;
            Some(lowest as usize)
        })
    };
    let order: Vec<usize> = [0].into_iter().chain(blocks.into_iter().flat_map(elements)).collect();
    sets.iter().all(|&set| is_arc(set, &order)).then_some(order)
}

/// Whether the set begins at most once along the circle.
fn is_arc(set: u32, order: &[usize]) -> bool {
    let holds = |place: usize| set >> order[place % order.len()] & 1 == 1;
    let last = order.len() - 1;
    (0..order.len()).filter(|&place| holds(place) && !holds(place + last)).count() <= 1
}

/// The elements as a row of blocks in which all sets are intervals, if there is one; within a block
/// any order will do. Sets have two elements or more, each is listed once.
fn intervals(elements: u32, mut sets: Vec<u32>) -> Option<Vec<u32>> {
    let mut layouts: Vec<Layout> = Vec::new();
    while let Some(first) = sets.pop() {
        let mut layout = Layout { union: first, sets: vec![first], blocks: vec![first] };
        let mut next = 0;
        while let Some(&placed) = layout.sets.get(next) {
            next += 1;
            let overlaps =
                |set: &u32| placed & set != 0 && placed & !set != 0 && !placed & set != 0;
            while let Some(at) = sets.iter().position(overlaps) {
                layout.place(sets.swap_remove(at))?;
            }
        }
        layouts.push(layout);
    }
    // Of two classes with the same union, the one that is a single set holds the other.
    layouts.sort_by_key(|l| (std::cmp::Reverse(l.union.count_ones()), l.sets.len()));
    let mut row = if elements == 0 { Vec::new() } else { vec![elements] };
    for layout in layouts {
        let at = row.iter().position(|block| layout.union & !block == 0)?;
        let rest = row[at] & !layout.union;
        let rest = (rest != 0).then_some(rest);
        row.splice(at..=at, layout.blocks.into_iter().chain(rest));
    }
    Some(row)
}

/// Overlapping sets as intervals of a row of blocks. It is the only one up to reversal.
struct Layout {
    union: u32,
    sets: Vec<u32>,
    blocks: Vec<u32>,
}

impl Layout {
    /// Adds a set that overlaps one that has its place. `None` if it cannot be an interval.
    fn place(&mut self, set: u32) -> Option<()> {
        let first = self.blocks.iter().position(|block| block & set != 0)?;
        let last = self.blocks.iter().rposition(|block| block & set != 0)?;
        let full = |place: usize| self.blocks[place] & !set == 0;
        if !(first + 1..last).all(full) {
            return None;
        }
        let outside = set & !self.union;
        let at_end = last + 1 == self.blocks.len() && (first == last || full(last));
        let at_start = first == 0 && (first == last || full(first));
        if outside == 0 {
            self.split(last, set, true);
            self.split(first, set, false);
        } else if at_end {
            self.split(first, set, false);
            self.blocks.push(outside);
        } else if at_start {
            self.split(last, set, true);
            self.blocks.insert(0, outside);
        } else {
            return None;
        }
        self.union |= set;
        self.sets.push(set);
        Some(())
    }

    /// Splits a block into what the set holds of it and what it does not, in this order or the
    /// other.
    fn split(&mut self, place: usize, set: u32, inside_first: bool) {
        let (inside, rest) = (self.blocks[place] & set, self.blocks[place] & !set);
        if inside != 0 && rest != 0 {
            let (first, second) = if inside_first { (inside, rest) } else { (rest, inside) };
            self.blocks.splice(place..=place, [first, second]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    /// Whether some circular order makes all sets arcs, by trying them all.
    fn exists(n: usize, sets: &[u32]) -> bool {
        fn go(order: &mut Vec<usize>, n: usize, sets: &[u32]) -> bool {
            if order.len() == n {
                return sets.iter().all(|&set| is_arc(set, order));
            }
            (1..n).any(|next| {
                if order.contains(&next) {
                    return false;
                }
                order.push(next);
                let found = go(order, n, sets);
                order.pop();
                found
            })
        }
        go(&mut vec![0], n, sets)
    }

    #[test]
    fn an_order_is_found_exactly_if_there_is_one() {
        let mut random = Random::new(11);
        let mut counts = [0, 0];
        for n in 1..=7usize {
            for _ in 0..400 {
                let count = 1 + random.below(6);
                let all = u32::MAX >> (32 - n);
                let sets: Vec<u32> = (0..count).map(|_| random.next() as u32 & all).collect();
                let found = circular(n, &sets);
                assert_eq!(found.is_some(), exists(n, &sets), "{n} {sets:?}");
                counts[usize::from(found.is_some())] += 1;
            }
        }
        assert!(counts.iter().all(|&c| c > 200), "{counts:?}");
    }

    #[test]
    fn scrambled_arcs_are_put_in_order() {
        let mut random = Random::new(12);
        for n in 2..=32usize {
            for _ in 0..40 {
                let mut names: Vec<usize> = (0..n).collect();
                for i in 0..n {
                    names.swap(i, i + random.below((n - i) as u64) as usize);
                }
                let arc = |start: u64, length: u64| {
                    let place = |step| names[((start + step) % n as u64) as usize];
                    (0..length).fold(0u32, |set, step| set | 1 << place(step))
                };
                let count = 1 + random.below(2 * n as u64);
                let sets: Vec<u32> = (0..count)
                    .map(|_| arc(random.below(n as u64), 1 + random.below(n as u64)))
                    .collect();
                assert!(circular(n, &sets).is_some(), "{n} {sets:?}");
            }
        }
    }
}
