//! Play on reduced positions: the playable game (Slow26 section 3).
//!
//! Its positions are the reduced ones; a move is a move of the slow game, after which the tokens
//! that have become unplayable are taken off as well.

use nimatron_game::{Height, Rule, Take, slow};

/// A move from a reduced position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayableMove {
    /// The tokens the player takes.
    pub take: Take,
    /// The tokens that thereby become unplayable, for each stack.
    pub lost: Vec<Height>,
    /// The reduced position reached.
    pub to: Vec<Height>,
}

impl PlayableMove {
    /// The move `take` from the reduced position `heights` of a game whose moves play on at least
    /// `least` stacks.
    ///
    /// # Panics
    /// If `take` takes more than there is, or there are too many stacks.
    pub fn new(least: usize, heights: &[Height], take: Take) -> Self {
        let after = Rule::option(heights, &take);
        let lost = slow::unplayable(least, &after);
        let to = after.iter().zip(&lost).map(|(h, u)| h - u).collect();
        PlayableMove { take, lost, to }
    }

    /// Whether tokens become unplayable.
    pub fn is_adjusted(&self) -> bool {
        self.lost.iter().any(|&u| u > 0)
    }
}

/// The moves from a reduced position, lazily; none if the game is not Slow(n,A).
///
/// ```
/// use nimatron_game::{Family, Sizes};
/// use nimatron_theory::slow::playable::moves;
/// let rule = Family::Slow { n: 4, sizes: Sizes::new([3]) }.rule();
/// let adjusted = moves(&rule, &[1, 2, 3, 3]).filter(|m| m.is_adjusted());
/// let reached: Vec<_> = adjusted.map(|m| m.to).collect();
/// assert_eq!(reached, [[0, 1, 1, 1], [0, 1, 1, 1]]);
/// ```
///
/// # Panics
/// If there are not as many heights as stacks.
pub fn moves(rule: &Rule, heights: &[Height]) -> impl Iterator<Item = PlayableMove> + use<> {
    let least = super::sizes(rule).and_then(|s| s.least());
    let takes = least.map(|_| rule.moves(heights)).into_iter().flatten();
    let heights = heights.to_vec();
    takes.map(move |take| PlayableMove::new(least.unwrap_or(1), &heights, take))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slow::Cell;
    use crate::testing::boxed;
    use nimatron_game::{Family, Sizes};

    fn reduced(n: usize, max: Height, least: usize) -> impl Iterator<Item = Vec<Height>> {
        boxed(n, max).filter(move |p| is_reduced(least, p))
    }

    fn is_reduced(least: usize, heights: &[Height]) -> bool {
        slow::unplayable(least, heights).iter().all(|&tokens| tokens == 0)
    }

    /// Whether tokens become unplayable by the move, seen before it is made (Slow26 Lemma 4): from the
    /// reduced position `heights`, in a game whose moves play on at least `least` stacks.
    fn is_foreseen(least: usize, heights: &[Height], take: &Take) -> bool {
        let tallest = heights.iter().copied().max().unwrap();
        let total: u128 = heights.iter().map(|&h| u128::from(h)).sum();
        let spare = total - least as u128 * u128::from(tallest);
        let played = take.support().len() as u128;
        let left_out = heights.iter().zip(take.iter()).any(|(&h, &t)| h == tallest && t == 0);
        // R2: a tallest stack is left out. R1: all are played, on more stacks than necessary.
        match left_out {
            true => spare < played,
            false => spare + (least as u128) < played,
        }
    }

    #[test]
    fn adjustments_are_foreseen() {
        let games: [(usize, Height, &[usize]); 6] = [
            (3, 8, &[2]),
            (3, 7, &[2, 3]),
            (4, 5, &[2, 4]),
            (4, 5, &[3]),
            (4, 5, &[3, 4]),
            (5, 3, &[2, 3, 5]),
        ];
        for (n, max, sizes) in games {
            let sizes = Sizes::new(sizes.iter().copied());
            let rule = Family::Slow { n, sizes }.rule();
            let least = sizes.least().unwrap();
            let mut adjusted = 0;
            for p in reduced(n, max, least) {
                for m in moves(&rule, &p) {
                    let foreseen = is_foreseen(least, &p, &m.take);
                    assert_eq!(foreseen, m.is_adjusted(), "{p:?} by {}", m.take);
                    assert!(is_reduced(least, &m.to));
                    adjusted += usize::from(m.is_adjusted());
                }
            }
            assert!(adjusted > 0);
        }
    }

    #[test]
    fn options_of_play_on_all_stacks_but_one() {
        // Slow26 Lemmas 5 and 6.
        for (n, max) in [(3, 10), (4, 6), (5, 4)] {
            let k = n - 1;
            let rule = Family::Slow { n, sizes: Sizes::new([k]) }.rule();
            for p in reduced(n, max, k) {
                let Cell { s, o } = Cell::of(k, &p);
                let tallest = *p.iter().max().unwrap();
                let alpha = p.iter().filter(|&&h| h == tallest).count();
                for m in moves(&rule, &p) {
                    let omitted = m.take.iter().position(|&t| t == 0).unwrap();
                    let odd = usize::from(p[omitted] % 2 == 1);
                    let expected = match (m.is_adjusted(), s % k) {
                        (false, _) => Cell { s: (s + k) % (2 * k), o: n - o + 2 * odd - 1 },
                        (true, 0) if s == 0 => Cell { s: k - 1 - alpha, o: n - o - alpha },
                        (true, 0) => Cell { s: 2 * k - 1 - alpha, o: n - o + alpha },
                        (true, _) => Cell { s: (s + k - 1) % (2 * k), o: n - o },
                    };
                    assert_eq!(Cell::of(k, &m.to), expected, "{p:?} by {}", m.take);
                    if m.is_adjusted() {
                        assert_eq!(tallest % 2 == 0, s < k);
                    }
                }
            }
        }
    }
}
