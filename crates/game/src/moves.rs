//! The moves of a rule, one at a time.

use crate::position::{Height, Take};
use crate::rule::{Amounts, Choice, Rule};
use crate::sets::{Sizes, maximal, subsets_of_size};
use crate::stacks::{MAX_STACKS, StackSet};
use std::fmt;

/// Lazy iterator over the moves from a position; see [`Rule::moves`].
///
/// Moves are grouped by the stacks they play on; stacks from which no allowed total can be taken
/// are never chosen. Within a group the amounts run like an odometer whose wheels are bounded so
/// that the total stays reachable: no combination is generated and thrown away, however many
/// stacks there are and however tall they are.
///
/// The iterator owns what it needs, so a search can keep many of them on a stack.
pub struct Moves {
    each: Amounts,
    total: Amounts,
    heights: Box<[Height]>,
    supports: Box<dyn Iterator<Item = StackSet> + Send + Sync>,
    current: Option<Odometer>,
}

impl Moves {
    pub(crate) fn new(rule: &Rule, heights: &[Height]) -> Self {
        let supports = supports(rule, heights);
        let (each, total) = (rule.each(), rule.total());
        Moves { each, total, heights: heights.into(), supports, current: None }
    }
}

impl fmt::Debug for Moves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Moves").field("heights", &self.heights).finish_non_exhaustive()
    }
}

impl Iterator for Moves {
    type Item = Take;

    fn next(&mut self) -> Option<Take> {
        loop {
            if let Some(wheels) = &mut self.current {
                let mut take = vec![0; self.heights.len()];
                wheels.write(&mut take);
                if !wheels.advance() {
                    self.current = None;
                }
                return Some(Take::new(take));
            }
            let support = self.supports.next()?;
            self.current = Odometer::new(self.each, self.total, &self.heights, support);
        }
    }
}

/// The sets of stacks that moves from `heights` can play on, each once.
fn supports(rule: &Rule, heights: &[Height]) -> Box<dyn Iterator<Item = StackSet> + Send + Sync> {
    let playable = rule.playable(heights);
    let any_total = rule.total() == Amounts::POSITIVE;
    match (rule.choice(), rule.sets().sizes()) {
        (Choice::All, None) => {
            let sets: Vec<_> = rule.sets().iter().filter(|s| s.is_subset(playable)).collect();
            Box::new(sets.into_iter())
        }
        (Choice::Any, None) => {
            let sets: Vec<_> = rule.sets().iter().map(|s| s & playable).collect();
            let sets = maximal(&sets);
            if any_total {
                return Box::new(faces(sets, |set| set.subsets()));
            }
            let (sizes, each, total) = (Sizes::new(1..=MAX_STACKS), rule.each(), rule.total());
            let heights = heights.to_vec();
            Box::new(faces(sets, move |set| Reaching::new(each, total, &heights, set, sizes)))
        }
        (choice, Some(sizes)) => {
            let sizes = match choice {
                Choice::All => sizes,
                Choice::Any => Sizes::new(1..=sizes.greatest().unwrap_or(0)),
            };
            if any_total {
                Box::new(sizes.iter().flat_map(move |size| subsets_of_size(playable, size)))
            } else {
                Box::new(Reaching::new(rule.each(), rule.total(), heights, playable, sizes))
            }
        }
    }
}

/// What `subsets` yields for the given sets, each once: with the first set that contains it.
fn faces<I: Iterator<Item = StackSet>>(
    sets: Vec<StackSet>,
    subsets: impl Fn(StackSet) -> I,
) -> impl Iterator<Item = StackSet> {
    (0..sets.len()).flat_map(move |i| {
        let earlier: Vec<_> = sets[..i].iter().map(|&e| e & sets[i]).collect();
        subsets(sets[i]).filter(move |s| !earlier.iter().any(|&e| s.is_subset(e)))
    })
}

/// The subsets of a set that have one of certain sizes and from which an allowed total can be
/// taken. A branch of the search is left as soon as the stacks still open cannot complete it, so
/// that no subset is generated and thrown away.
struct Reaching {
    /// The stacks, with the most that may be taken from each.
    members: Vec<(usize, u128)>,
    /// `best[i][s]`: the most that `s` of the stacks from the `i`-th on can give.
    best: Vec<Vec<u128>>,
    each_least: u128,
    total_least: u128,
    total_most: u128,
    sizes: Sizes,
    open: Vec<Branch>,
}

/// A choice among the first `decided` stacks.
struct Branch {
    decided: usize,
    chosen: StackSet,
    most: u128,
}

impl Reaching {
    fn new(each: Amounts, total: Amounts, heights: &[Height], of: StackSet, sizes: Sizes) -> Self {
        let members: Vec<_> = of.iter().map(|s| (s, each.cap(heights[s]).into())).collect();
        let best = (0..=members.len()).map(|i| {
            let mut mosts: Vec<u128> = members[i..].iter().map(|&(_, most)| most).collect();
            mosts.sort_unstable_by(|a, b| b.cmp(a));
            let sums = mosts.iter().scan(0, |sum, most| {
                *sum += most;
                Some(*sum)
            });
            std::iter::once(0).chain(sums).collect()
        });
        Reaching {
            best: best.collect(),
            members,
            each_least: each.least().into(),
            total_least: total.least().into(),
            total_most: total.most().map_or(u128::MAX, Into::into),
            sizes,
            open: vec![Branch { decided: 0, chosen: StackSet::EMPTY, most: 0 }],
        }
    }

    /// Whether some of the stacks still open make the choice one that can be played.
    fn completes(&self, branch: &Branch) -> bool {
        self.best[branch.decided].iter().zip(branch.chosen.len()..).any(|(best, size)| {
            self.sizes.contains(size)
                && self.each_least * size as u128 <= self.total_most
                && branch.most + best >= self.total_least
        })
    }
}

impl Iterator for Reaching {
    type Item = StackSet;

    fn next(&mut self) -> Option<StackSet> {
        while let Some(branch) = self.open.pop() {
            if !self.completes(&branch) {
                continue;
            }
            let Branch { decided, chosen, most } = branch;
            let Some(&(stack, more)) = self.members.get(decided) else {
                return Some(chosen);
            };
            let decided = decided + 1;
            self.open.push(Branch { decided, chosen, most });
            self.open.push(Branch { decided, chosen: chosen.with(stack), most: most + more });
        }
        None
    }
}

/// The amounts taken from each stack of a fixed support.
struct Odometer {
    wheels: Vec<Wheel>,
    total_least: u128,
    total_most: u128,
}

struct Wheel {
    stack: usize,
    least: Height,
    most: Height,
    amount: Height,
}

impl Odometer {
    /// The first amounts, or `None` if no amounts fit.
    fn new(each: Amounts, total: Amounts, heights: &[Height], support: StackSet) -> Option<Self> {
        let wheel = |stack: usize| Wheel {
            stack,
            least: each.least(),
            most: each.cap(heights[stack]),
            amount: 0,
        };
        let mut odometer = Odometer {
            wheels: support.iter().map(wheel).collect(),
            total_least: total.least().into(),
            total_most: total.most().map_or(u128::MAX, Into::into),
        };
        let fits = odometer.wheels.iter().all(|w| w.least <= w.most)
            && sum(&odometer.wheels, |w| w.most) >= odometer.total_least
            && sum(&odometer.wheels, |w| w.least) <= odometer.total_most;
        fits.then(|| {
            odometer.restart(0);
            odometer
        })
    }

    fn write(&self, take: &mut [Height]) {
        for wheel in &self.wheels {
            take[wheel.stack] = wheel.amount;
        }
    }

    /// The least and greatest amount of wheel `i` that leave the total reachable, given the
    /// wheels before it.
    fn bounds(&self, i: usize) -> (Height, Height) {
        let before = sum(&self.wheels[..i], |w| w.amount);
        let after = &self.wheels[i + 1..];
        let needed = self.total_least.saturating_sub(before + sum(after, |w| w.most));
        let room = self.total_most.saturating_sub(before + sum(after, |w| w.least));
        let wheel = &self.wheels[i];
        // Both fit a height: `needed` is at most `most` whenever the total is reachable.
        let least = u128::from(wheel.least).max(needed).min(wheel.most.into());
        (least as Height, u128::from(wheel.most).min(room) as Height)
    }

    /// Puts the wheels from `i` on to their least amounts.
    fn restart(&mut self, i: usize) {
        for j in i..self.wheels.len() {
            self.wheels[j].amount = self.bounds(j).0;
        }
    }

    /// Moves on to the next amounts; `false` when all have been shown.
    fn advance(&mut self) -> bool {
        for i in (0..self.wheels.len()).rev() {
            if self.wheels[i].amount < self.bounds(i).1 {
                self.wheels[i].amount += 1;
                self.restart(i + 1);
                return true;
            }
        }
        false
    }
}

fn sum(wheels: &[Wheel], part: impl Fn(&Wheel) -> Height) -> u128 {
    wheels.iter().map(|w| u128::from(part(w))).sum()
}
