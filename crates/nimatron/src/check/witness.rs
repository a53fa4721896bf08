//! What shows that a counterexample is one.

use super::cost::Engine;
use super::found::Found;
use super::{Conjecture, Mismatch, MismatchKind, Side, volume};
use nimatron_game::{Height, Outcome, Position, StackSet, Stop, Take, Unlimited, Watch};
use nimatron_table::sorted::SortedTable;
use nimatron_table::{Table, line, outcomes};

/// What shows that a position is a counterexample.
///
/// At the smallest of all counterexamples formula and outcomes agree about every option. So there
/// a claimed position has a move to another position that satisfies the formula, or none at all
/// under misere play; and a missed one has no move to any such position. Either is impossible for
/// the set of P-positions, whatever they are.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Witness {
    /// Claimed: this move wins.
    Wins {
        /// The move.
        take: Take,
        /// The P-position it reaches.
        to: Position,
        /// Whether that satisfies the formula, too, so that a move links two positions of the
        /// set.
        linked: bool,
    },
    /// Claimed: no move is left, which under misere play wins.
    NoMoveLeft,
    /// Missed: no move reaches a P-position, though this one reaches a position, an N-position,
    /// that satisfies the formula.
    OnlyInto {
        /// The move.
        take: Take,
        /// What it reaches.
        to: Position,
    },
    /// Missed: no move reaches a P-position, nor a position that satisfies the formula.
    NoMoveInto,
    /// A limit was reached before moves could be tried.
    NotSearched,
}

impl Witness {
    /// The move that is shown.
    pub fn take(&self) -> Option<&Take> {
        match self {
            Witness::Wins { take, .. } | Witness::OnlyInto { take, .. } => Some(take),
            _ => None,
        }
    }
}

/// Where outcomes can be looked up after a comparison.
pub(super) enum Outcomes {
    /// To be computed from these sets.
    SetNim(Vec<StackSet>),
    Table(Table<Outcome>),
    Sorted(SortedTable),
    /// The comparison did not come to its end.
    Unknown,
}

/// Boxes of so many positions take no time worth a limit.
const SMALL: u128 = 100_000;

/// Moves that are tried at most, and between two looks at the watch.
const MOST_MOVES: usize = 5_000_000;
const BETWEEN_CHECKS: usize = 1 << 12;

impl Conjecture {
    /// The smallest counterexample of each kind, the smaller one first.
    pub(super) fn counterexamples(
        &self,
        found: &Found,
        outcomes: &Outcomes,
        watch: &dyn Watch,
    ) -> Vec<Mismatch> {
        let kinds =
            [(MismatchKind::Missed, &found.missed), (MismatchKind::Claimed, &found.claimed)];
        let mut smallest: Vec<(MismatchKind, Position)> = Vec::new();
        let asked = |kind: &MismatchKind| match self.side {
            Side::Exact => true,
            Side::Necessary => *kind == MismatchKind::Missed,
            Side::Sufficient => *kind == MismatchKind::Claimed,
        };
        for (kind, differences) in kinds.into_iter().filter(|(kind, _)| asked(kind)) {
            let position = differences.smallest().map(|h| Position::new(h.to_vec()));
            smallest.extend(position.and_then(Result::ok).map(|position| (kind, position)));
        }
        smallest.sort_by_key(|(_, position)| (position.total(), position.clone()));
        let with_evidence = |(kind, position): (MismatchKind, Position)| {
            let watch = if volume(&position) <= SMALL { &Unlimited } else { watch };
            let evidence = match kind {
                MismatchKind::Missed => self.against_missed(&position, watch),
                MismatchKind::Claimed => self.against_claimed(&position, outcomes, watch),
            };
            let evidence = evidence.unwrap_or(Witness::NotSearched);
            Mismatch { kind, position, evidence }
        };
        smallest.into_iter().map(with_evidence).collect()
    }

    fn against_missed(&self, position: &Position, watch: &dyn Watch) -> Option<Witness> {
        // Only a formula for all P-positions says which moves should win.
        if self.side == Side::Necessary || self.within.is_some() {
            return None;
        }
        let into = |to: &[Height]| self.evaluator.holds(to);
        Some(match self.first_move(position, watch, into)? {
            Some((take, to)) => Witness::OnlyInto { take, to },
            None => Witness::NoMoveInto,
        })
    }

    fn against_claimed(
        &self,
        position: &Position,
        outcomes: &Outcomes,
        watch: &dyn Watch,
    ) -> Option<Witness> {
        let wins = |take, to: Position| {
            let linked = self.evaluator.holds(&to);
            Witness::Wins { take, to, linked }
        };
        if self.game.is_terminal(position) {
            return Some(Witness::NoMoveLeft);
        }
        let is_p: &dyn Fn(&[Height]) -> bool = match outcomes {
            Outcomes::Unknown => {
                let below = self.outcomes_below(position, watch)?;
                return self.against_claimed(position, &below, watch);
            }
            Outcomes::SetNim(sets) => {
                let (take, to) = self.by_answer(position, sets, watch)?;
                return Some(wins(take, to));
            }
            Outcomes::Table(table) => &|to| table.get(to) == Some(Outcome::P),
            Outcomes::Sorted(table) => &|to| table.get(to) == Some(Outcome::P),
        };
        let linked = |to: &[Height]| is_p(to) && self.evaluator.holds(to);
        let found = match self.first_move(position, watch, linked) {
            Some(Some(found)) => Some(found),
            _ => self.first_move(position, watch, is_p)?,
        };
        found.map(|(take, to)| wins(take, to))
    }

    /// Outcomes of what can be reached from a position.
    fn outcomes_below(&self, position: &Position, watch: &dyn Watch) -> Option<Outcomes> {
        match self.engine(position) {
            Engine::Kernel(sets) => Some(Outcomes::SetNim(sets)),
            _ => outcomes::table(&self.game, position, watch).ok().map(Outcomes::Table),
        }
    }

    /// A winning move by the kernel, one to a position that satisfies the formula if possible.
    fn by_answer(
        &self,
        position: &Position,
        sets: &[StackSet],
        watch: &dyn Watch,
    ) -> Option<(Take, Position)> {
        let heights: Option<Vec<u32>> = position.iter().map(|&h| h.try_into().ok()).collect();
        let answer = line::answer(sets, self.game.convention(), &heights?, watch).ok()?;
        let wide = |to: &[u32]| to.iter().map(|&h| Height::from(h)).collect::<Vec<_>>();
        let linked = answer.winning.iter().map(wide).find(|to| self.evaluator.holds(to));
        let to = linked.or_else(|| answer.winning.iter().map(wide).next())?;
        let take = Take::new(position.iter().zip(&to).map(|(h, t)| h - t).collect());
        Some((take, Position::new(to).ok()?))
    }

    /// The first move to a position with a property; `None` if not all moves could be tried.
    fn first_move(
        &self,
        position: &Position,
        watch: &dyn Watch,
        property: impl Fn(&[Height]) -> bool,
    ) -> Option<Option<(Take, Position)>> {
        for (i, take) in self.game.moves(position).enumerate() {
            let stopped = || watch.check(0) != Ok::<(), Stop>(());
            if i == MOST_MOVES || i % BETWEEN_CHECKS == BETWEEN_CHECKS - 1 && stopped() {
                return None;
            }
            let to = position.after(&take)?;
            if property(&to) {
                return Some(Some((take, to)));
            }
        }
        Some(None)
    }
}
