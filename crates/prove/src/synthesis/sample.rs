//! Tall positions read off an automaton.
//!
//! A *giant* is a position with some forty binary digits that a walk through the automaton spells
//! out by chance. What small relation holds at it (a sum, an exclusive or) holds because the automaton
//! says so, not by accident.

use nimatron_verify::automaton::Dfa;
use std::collections::VecDeque;

/// The letters of a giant before the shortest way to acceptance.
const LETTERS: u32 = 42;

/// The most binary digits of a giant: sums of all its heights stay far below 2^63.
const MOST_BITS: usize = 56;

/// Numbers that look random and are always the same.
#[derive(Clone, Debug)]
pub(super) struct Chance(u64);

impl Chance {
    pub(super) fn new(seed: u64) -> Self {
        Chance(seed)
    }

    /// A number below a bound (Vigna's splitmix64).
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(z ^ (z >> 31)) * bound as u128) >> 64) as usize
    }
}

/// The part of an automaton from which acceptance can be reached, for walks.
pub(super) struct Walks {
    stacks: usize,
    initial: usize,
    /// By state: letters and states within its component.
    inner: Vec<Vec<(u32, u32)>>,
    /// By state: letters and states of other components, by component.
    outer: Vec<Vec<Vec<(u32, u32)>>>,
    /// By state: a first step of a shortest way to acceptance.
    home: Vec<Option<(u32, u32)>>,
    /// By state: whether it is accepting.
    accepting: Vec<bool>,
}

impl Walks {
    /// `None` if nothing is accepted.
    pub(super) fn new(stacks: usize, dfa: &Dfa) -> Option<Self> {
        let states = dfa.states();
        let mut before = vec![Vec::new(); states];
        for (q, row) in dfa.next.iter().enumerate() {
            for (letter, &r) in (0..).zip(row) {
                before[r as usize].push((q, letter));
            }
        }
        let mut home = vec![None; states];
        let mut live = dfa.accepting.clone();
        let mut open: VecDeque<usize> = (0..states).filter(|&q| live[q]).collect();
        while let Some(r) = open.pop_front() {
            for &(q, letter) in &before[r] {
                if !live[q] {
                    live[q] = true;
                    home[q] = Some((letter, r as u32));
                    open.push_back(q);
                }
            }
        }
        if !live[dfa.initial as usize] {
            return None;
        }
        let steps: Vec<Vec<(u32, u32)>> = dfa
            .next
            .iter()
            .map(|row| {
                let steps = (0..).zip(row.iter().copied());
                steps.filter(|&(_, r)| live[r as usize]).collect()
            })
            .collect();
        let component = components(&steps);
        let inner = |q: usize| {
            let own = |&&(_, r): &&(u32, u32)| component[r as usize] == component[q];
            steps[q].iter().filter(own).copied().collect()
        };
        let outer = |q: usize| {
            let mut others: Vec<Vec<(u32, u32)>> = Vec::new();
            for &(letter, r) in &steps[q] {
                let of = component[r as usize];
                if of == component[q] {
                    continue;
                }
                match others.iter_mut().find(|list| component[list[0].1 as usize] == of) {
                    Some(list) => list.push((letter, r)),
                    None => others.push(vec![(letter, r)]),
                }
            }
            others
        };
        Some(Walks {
            stacks,
            initial: dfa.initial as usize,
            inner: (0..states).map(inner).collect(),
            outer: (0..states).map(outer).collect(),
            home,
            accepting: dfa.accepting.clone(),
        })
    }

    /// A giant; `leave` of a hundred steps lead to another component. `None` if it is too tall.
    pub(super) fn giant(&self, chance: &mut Chance, leave: usize) -> Option<Vec<i64>> {
        let mut heights = vec![0i64; self.stacks];
        let push = |heights: &mut [i64], letter: u32| {
            for (stack, height) in heights.iter_mut().enumerate() {
                *height = *height << 1 | i64::from(letter >> stack & 1);
            }
        };
        let mut q = self.initial;
        for _ in 0..LETTERS {
            let (inner, outer) = (&self.inner[q], &self.outer[q]);
            let leaves = !outer.is_empty() && (inner.is_empty() || chance.below(100) < leave);
            let list = match leaves {
                true => &outer[chance.below(outer.len())],
                false => inner,
            };
            if list.is_empty() {
                break;
            }
            let (letter, next) = list[chance.below(list.len())];
            push(&mut heights, letter);
            q = next as usize;
        }
        for _ in 0..MOST_BITS - LETTERS as usize {
            if self.accepting[q] {
                return Some(heights);
            }
            let (letter, next) = self.home[q]?;
            push(&mut heights, letter);
            q = next as usize;
        }
        self.accepting[q].then_some(heights)
    }
}

/// Strongly connected components (Tarjan 1972, without recursion).
fn components(steps: &[Vec<(u32, u32)>]) -> Vec<u32> {
    let states = steps.len();
    let (mut index, mut low) = (vec![u32::MAX; states], vec![0u32; states]);
    let (mut component, mut count) = (vec![u32::MAX; states], 0);
    let (mut stack, mut next_index) = (Vec::new(), 0);
    for root in 0..states {
        if index[root] != u32::MAX {
            continue;
        }
        let mut calls = vec![(root, 0usize)];
        while let Some((q, at)) = calls.pop() {
            if at == 0 {
                index[q] = next_index;
                low[q] = next_index;
                next_index += 1;
                stack.push(q);
            }
            match steps[q].get(at) {
                Some(&(_, r)) => {
                    calls.push((q, at + 1));
                    let r = r as usize;
                    if index[r] == u32::MAX {
                        calls.push((r, 0));
                    } else if component[r] == u32::MAX {
                        low[q] = low[q].min(index[r]);
                    }
                }
                None => {
                    if low[q] == index[q] {
                        while let Some(r) = stack.pop() {
                            component[r] = count;
                            if r == q {
                                break;
                            }
                        }
                        count += 1;
                    }
                    if let Some(&(parent, _)) = calls.last() {
                        low[parent] = low[parent].min(low[q]);
                    }
                }
            }
        }
    }
    component
}
