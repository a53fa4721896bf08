//! Invariant vectors of a game, and of what is left of it when stacks are empty.

use super::cells::lifted;
use super::sheet::Emptied;
use super::solution::{Reason, Solution};
use nimatron_game::StackSet;

/// More vectors than this are not listed: merged stacks multiply them.
const MOST_VECTORS: usize = 256;

impl Solution {
    /// Which of the games within each other is the game itself with all reductions applied, and what
    /// its stacks stand for.
    pub fn whole(&self) -> Emptied {
        Emptied::of(self.outermost())
    }

    /// Vectors that can be added and subtracted without changing the outcome as long as the stacks
    /// `empty` are empty, in the stacks of the game. They are those of the outermost of the games
    /// within each other that has vectors on the other stacks. There may be none.
    ///
    /// A vector z of a game in the proof is invariant: sums of generators stay such sums when z is
    /// added, so P-positions stay P-positions; and a winning move from an N-position p, which leads
    /// to some q, leads from p+z to q+z.
    ///
    /// ```
    /// use nimatron_game::{Game, StackSet, Unlimited};
    /// use nimatron_prove::matryoshka::{Discovery, discover};
    ///
    /// let game: Game = "CN(6,3)".parse().unwrap();
    /// let Discovery::Found(solution) = discover(&game, &Unlimited).unwrap() else { panic!() };
    /// let vectors = |empty| solution.vectors(empty).iter().map(|v| v.to_string()).collect::<Vec<_>>();
    /// assert_eq!(vectors(StackSet::EMPTY), ["ad", "be", "ace", "cf", "bdf"]);
    /// assert_eq!(vectors(StackSet::single(0)), ["be", "cf", "bdf"]);
    /// ```
    pub fn vectors(&self, empty: StackSet) -> Vec<StackSet> {
        let mut way = self.outermost();
        // By stack of the game looked at: the stacks of the whole game that it stands for.
        let mut members: Vec<StackSet> = (0..self.game().stacks()).map(StackSet::single).collect();
        loop {
            let mut inside = vec![StackSet::EMPTY; way.classes.len()];
            for (class, &name) in way.classes.iter().zip(&way.names) {
                inside[name] = class.iter().fold(StackSet::EMPTY, |all, s| all | members[s]);
            }
            members = inside.into_iter().map(|stacks| stacks - empty).collect();
            let Reason::Vectors { vectors, ways, .. } = &self.node(way.game).reason else {
                return Vec::new();
            };
            let left: StackSet = (0..members.len()).filter(|&s| !members[s].is_empty()).collect();
            let found: Vec<StackSet> = vectors
                .iter()
                .filter(|vector| vector.is_subset(left))
                .flat_map(|vector| in_stacks(*vector, &members))
                .collect();
            if !found.is_empty() {
                return found;
            }
            let gone = StackSet::first(members.len()) - left;
            match ways.iter().find(|way| way.emptied.is_subset(gone)) {
                Some(next) => way = next,
                None => return Vec::new(),
            }
        }
    }
}

/// A vector, one for each choice of a stack for every merged one; if these are too many, one.
fn in_stacks(vector: StackSet, members: &[StackSet]) -> Vec<StackSet> {
    let count = vector.iter().try_fold(1usize, |n, s| n.checked_mul(members[s].len()));
    if count.is_none_or(|n| n > MOST_VECTORS) {
        return vec![vector.iter().filter_map(|s| members[s].lowest()).collect()];
    }
    let own: Vec<usize> = (0..members.len()).collect();
    let mut all = lifted(vector.bits(), members, &own);
    all.sort_unstable();
    all.into_iter().map(StackSet::from_bits).collect()
}
