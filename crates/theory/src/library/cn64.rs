//! Circular Nim CN(6,4) (DH13 Theorem 3.5).
//!
//! Stacks a..f stand on a circle; a,d and b,e and c,f are opposite. A position is P when the
//! stacks of one triangle (a,c,e or b,d,f) have xor 0, and each is lower than the stack opposite
//! by the same amount, at least 0.
//!
//! The winning move starts from the lower stack of each opposite pair. One of these three can be
//! lowered to make their xor 0, if it is not. If they form a triangle, all differences are then
//! brought down to the least of them. If they are consecutive, either all pairs are levelled, or
//! (when the middle one had to come down) its partner takes its place and completes a triangle.
//! In each case four consecutive stacks suffice.

use crate::library::nim::{cancel, xor};
use crate::publication::DH13;
use crate::reason::Reason;
use crate::shape::{is_normal_set_nim, matches};
use crate::theorem::{Citation, Solution, Statement, Theorem, WinningMove};
use nimatron_game::{Family, Height, Outcome, Play, Rule};
use std::borrow::Cow;

/// The theorem on CN(6,4).
#[derive(Clone, Copy, Debug)]
pub struct CircleSixFour;

impl Theorem for CircleSixFour {
    fn id(&self) -> &str {
        "cn-6-4"
    }

    fn games(&self) -> Cow<'static, str> {
        "CN(6,4)".into()
    }

    fn citation(&self) -> Citation {
        Citation::item(DH13, "Theorem 3.5")
    }

    fn statement(&self) -> Statement {
        Statement::new(
            "CN(6,4): a position is P exactly if, after some rotation or reflection, a+b = d+e, \
             b+c = e+f, the xor of a, c, e is 0 and a is a lowest stack.",
            r"In $\mathrm{CN}(6,4)$ a position is a $\mathcal{P}$-position if and only if, after some
             rotation or reflection, it is $(a,b,c,d,e,f)$ with $a+b = d+e$, $b+c = e+f$,
             $a \oplus c \oplus e = 0$ and $a = \min(a,\dots,f)$.",
        )
    }

    fn applies(&self, rule: &Rule, play: Play) -> Option<Box<dyn Solution>> {
        let fits = is_normal_set_nim(rule, play) && matches(rule, &Family::Circular { n: 6, k: 4 });
        fits.then(|| Box::new(Circle64) as _)
    }
}

/// CN(6,4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Circle64;

/// The two triangles.
const TRIANGLES: [[usize; 3]; 2] = [[0, 2, 4], [1, 3, 5]];

fn opposite(stack: usize) -> usize {
    (stack + 3) % 6
}

/// How much higher the opposite stack is; 0 if it is not.
fn difference(p: &[Height], stack: usize) -> Height {
    p[opposite(stack)].saturating_sub(p[stack])
}

impl Circle64 {
    /// Whether the position is P.
    pub fn is_p(&self, heights: &[Height]) -> bool {
        TRIANGLES.iter().any(|&t| good(heights, t))
    }
}

/// Whether the stacks of the triangle have xor 0 and lie below their opposites by equal amounts.
fn good(p: &[Height], triangle: [usize; 3]) -> bool {
    let below = triangle.iter().all(|&s| p[s] <= p[opposite(s)]);
    let level = triangle.iter().all(|&s| difference(p, s) == difference(p, triangle[0]));
    below && level && xor(&triangle.map(|s| p[s])) == 0
}

/// The lower stack of each opposite pair, in the order a,d - b,e - c,f.
fn lower_stacks(p: &[Height]) -> [usize; 3] {
    [0, 1, 2].map(|s| if p[s] <= p[opposite(s)] { s } else { opposite(s) })
}

/// The triangle these three stacks form, if they do.
fn triangle(stacks: [usize; 3]) -> bool {
    stacks.iter().all(|s| s % 2 == stacks[0] % 2)
}

/// Brings all differences down to the least one.
fn equalise(p: &mut [Height], triangle: [usize; 3]) {
    let least = triangle.map(|s| difference(p, s)).into_iter().min().expect("three stacks");
    for s in triangle {
        p[opposite(s)] = p[s] + least;
    }
}

/// The middle of three consecutive stacks on the circle.
fn middle(stacks: [usize; 3]) -> usize {
    let next_to = |s: usize, t: usize| (s + 1) % 6 == t || (t + 1) % 6 == s;
    let between = |&s: &usize| stacks.iter().all(|&t| s == t || next_to(s, t));
    stacks.into_iter().find(between).expect("the stacks are consecutive")
}

fn facts(p: &[Height], low: [usize; 3]) -> Vec<Reason> {
    let stacks = low.into_iter().collect();
    let pair = |s: usize| (s, opposite(s), difference(p, s));
    vec![
        Reason::Xor { stacks, value: xor(&low.map(|s| p[s])) },
        Reason::Differences { pairs: low.map(pair).to_vec() },
    ]
}

impl Solution for Circle64 {
    fn stacks(&self) -> usize {
        6
    }

    fn family(&self) -> Option<Family> {
        Some(Family::Circular { n: 6, k: 4 })
    }

    fn outcome(&self, heights: &[Height]) -> Outcome {
        if self.is_p(heights) { Outcome::P } else { Outcome::N }
    }

    fn winning_move(&self, heights: &[Height]) -> Option<WinningMove> {
        if self.is_p(heights) {
            return None;
        }
        let low = lower_stacks(heights);
        let mut reasons = facts(heights, low);
        let mut to = heights.to_vec();
        let lowered = cancel(&low.map(|s| heights[s])).map(|(i, height)| (low[i], height));
        let case = if triangle(low) {
            if let Some((stack, height)) = lowered {
                to[stack] = height;
            }
            equalise(&mut to, low);
            "the lower stacks form a triangle: make its xor 0, then the differences equal"
        } else if let Some((stack, height)) = lowered.filter(|&(s, _)| s == middle(low)) {
            // The partner of the middle stack comes down below it and completes a triangle.
            to[opposite(stack)] = height;
            equalise(&mut to, low.map(|s| if s == stack { opposite(s) } else { s }));
            "the stack opposite the middle one completes a triangle with xor 0"
        } else {
            if let Some((stack, height)) = lowered {
                to[stack] = height;
            }
            for s in low {
                to[opposite(s)] = to[s];
            }
            "opposite stacks are made equal, with xor 0"
        };
        reasons.push(Reason::Case(case));
        Some(WinningMove::to(heights, &to, reasons))
    }

    fn explain(&self, heights: &[Height]) -> Vec<Reason> {
        let good = TRIANGLES.into_iter().find(|&t| good(heights, t));
        facts(heights, good.unwrap_or_else(|| lower_stacks(heights)))
    }

    fn formula(&self) -> Option<String> {
        Some("sym(a+b = d+e, b+c = e+f, xor(a,c,e) = 0, a = min)".into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{check_box, check_tall};

    #[test]
    fn the_theorem_holds_on_a_box() {
        check_box(&CircleSixFour, &Family::Circular { n: 6, k: 4 }.rule(), 9);
    }

    #[test]
    fn tall_stacks_have_winning_moves() {
        check_tall(&CircleSixFour, &Family::Circular { n: 6, k: 4 }.rule(), 60_000);
    }

    #[test]
    fn the_condition_is_that_of_the_theorem() {
        // Word for word: some rotation or reflection satisfies the four conditions.
        let theorem = |p: &[Height]| {
            let image = |r: usize, mirrored: bool| {
                (0..6).map(|i| p[(r + if mirrored { 6 - i } else { i }) % 6]).collect::<Vec<_>>()
            };
            let images = (0..6).flat_map(|r| [image(r, false), image(r, true)]);
            images.into_iter().any(|q| {
                q[0] + q[1] == q[3] + q[4]
                    && q[1] + q[2] == q[4] + q[5]
                    && q[0] ^ q[2] ^ q[4] == 0
                    && q.iter().all(|&h| q[0] <= h)
            })
        };
        for p in crate::testing::boxed(6, 5) {
            assert_eq!(Circle64.is_p(&p), theorem(&p), "{p:?}");
        }
    }
}
