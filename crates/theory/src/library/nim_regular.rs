//! Nim-regular complexes: P-positions digit by digit (Ehrenborg and Steingrimsson 1996).
//!
//! Let B be the sets S whose 0/1 position (one token on each stack of S) is P. A complex is
//! Nim-regular if a position is P exactly when, in every binary digit, the stacks with a one form
//! a set of B. A finite condition suffices:
//!
//! > (C) For every face F (also the empty one) and every set S there is T in B such that the stacks
//! > outside F on which S and T differ, K, lie in S, and F+K is a face.
//!
//! Read it as a rule for one digit, from the top: the stacks of F have been lowered before and
//! may have any digit; the stacks of K have a one, lose it and are lowered from here on. So a
//! position that is not of the form is moved to one that is; this is the winning move. No move
//! links two positions of the form: in the top digit it changes, a set S of B would shrink to a
//! set T of B, with S-T inside a face, but then the 0/1 positions of S and T would be linked.

use crate::complex::Complex;
use crate::library::moore::{digits, mended, mended_take, ones};
use crate::publication::ES96;
use crate::reason::Reason;
use crate::shape::{is_normal_set_nim, joined};
use crate::theorem::{Citation, Solution, Statement, Theorem, WinningMove};
use nimatron_game::{Height, Outcome, Play, Rule, StackSet, Take};
use std::borrow::Cow;

/// The theorem on Nim-regular complexes.
#[derive(Clone, Copy, Debug)]
pub struct NimRegularNim;

impl Theorem for NimRegularNim {
    fn id(&self) -> &str {
        "nim-regular"
    }

    fn games(&self) -> Cow<'static, str> {
        "SetNim that is decided digit by digit".into()
    }

    fn citation(&self) -> Citation {
        Citation::whole(ES96).credit(
            "Nim-regular complexes are theirs; the finite test used was derived for this program",
        )
    }

    fn statement(&self) -> Statement {
        Statement::new(
            "Let B be the sets whose 0/1 position is P. If for every face F and every set S there \
             is T in B such that the stacks outside F on which S and T differ lie in S and form \
             a face together with F, a position is P exactly if in every binary digit the stacks \
             with a one form a set of B.",
            r"Let $B$ be the family of sets $S$ with $e_S \in \mathcal{P}$. If for every face $F$ and
             every set $S$ there is $T \in B$ such that $K = (S \mathbin{\triangle} T) \setminus F$ is
             contained in $S$ and $F \cup K$ is a face, then $\sum_d 2^d e_{S_d} \in \mathcal{P}$ if and
             only if $S_d \in B$ for all $d$.",
        )
    }

    fn applies(&self, rule: &Rule, play: Play) -> Option<Box<dyn Solution>> {
        if !is_normal_set_nim(rule, play) {
            return None;
        }
        Some(Box::new(NimRegular::new(Complex::of(rule))?))
    }
}

/// The certificate is looked for up to this number of stacks.
pub const MOST_STACKS: usize = 10;

/// One Nim-regular complex.
#[derive(Clone, Debug)]
pub struct NimRegular {
    complex: Complex,
    /// Whether a set belongs to B, by its bits.
    base: Vec<bool>,
}

impl NimRegular {
    /// The complex, if it satisfies (C) and has at most [`MOST_STACKS`] stacks.
    pub fn new(complex: Complex) -> Option<Self> {
        if complex.stacks() > MOST_STACKS {
            return None;
        }
        let base = zero_one_positions(&complex);
        let regular = NimRegular { complex, base };
        regular.is_regular().then_some(regular)
    }

    fn has(&self, set: StackSet) -> bool {
        self.base[set.bits() as usize]
    }

    /// The sets of B.
    pub fn base(&self) -> impl Iterator<Item = StackSet> {
        (0..self.base.len()).filter(|&s| self.base[s]).map(|s| StackSet::from_bits(s as u32))
    }

    /// Whether the position is P.
    pub fn is_p(&self, heights: &[Height]) -> bool {
        digits(heights).all(|d| self.has(ones(heights, d)))
    }

    /// Condition (C).
    fn is_regular(&self) -> bool {
        let all = StackSet::first(self.complex.stacks());
        let faces = subsets_and_empty(all).filter(|&f| self.complex.is_face(f));
        faces
            .into_iter()
            .all(|face| subsets_and_empty(all - face).all(|s| self.mend(face, s).is_some()))
    }

    /// How to mend a digit: the ones are at `ones`, the stacks of `free` have free digits. Gives
    /// the stacks that lose their one, as few as possible, and the free stacks that get one.
    fn mend(&self, free: StackSet, ones: StackSet) -> Option<(StackSet, StackSet)> {
        let bound = ones - free;
        let allowed = |&k: &StackSet| self.complex.is_face(free | k);
        let fill = |k: StackSet| {
            let set = subsets_and_empty(free).find(|&u| self.has((bound - k) | u))?;
            Some((k, set))
        };
        if let Some(kept) = fill(StackSet::EMPTY) {
            return Some(kept);
        }
        bound.subsets().filter(allowed).filter_map(fill).min_by_key(|(k, _)| k.len())
    }
}

fn subsets_and_empty(set: StackSet) -> impl Iterator<Item = StackSet> + Clone {
    std::iter::once(StackSet::EMPTY).chain(set.subsets())
}

/// B by definition: a 0/1 position is P if no face leads to a smaller one that is P.
fn zero_one_positions(complex: &Complex) -> Vec<bool> {
    let mut base = vec![false; 1 << complex.stacks()];
    for bits in 0..base.len() {
        let set = StackSet::from_bits(bits as u32);
        let reached = |k: StackSet| base[(set - k).bits() as usize] && complex.is_face(k);
        base[bits] = !set.subsets().any(reached);
    }
    base
}

impl Solution for NimRegular {
    fn stacks(&self) -> usize {
        self.complex.stacks()
    }

    fn outcome(&self, heights: &[Height]) -> Outcome {
        if self.is_p(heights) { Outcome::P } else { Outcome::N }
    }

    fn winning_move(&self, heights: &[Height]) -> Option<WinningMove> {
        mended(heights, |free, ones| self.mend(free, ones).expect("condition (C)"))
    }

    fn winning_take(&self, heights: &[Height]) -> Option<Take> {
        mended_take(heights, |free, ones| self.mend(free, ones).expect("condition (C)"))
    }

    fn explain(&self, heights: &[Height]) -> Vec<Reason> {
        let bad = digits(heights).rev().filter(|&d| !self.has(ones(heights, d)));
        let reasons: Vec<_> =
            bad.map(|digit| Reason::BadDigit { digit, ones: ones(heights, digit) }).collect();
        if reasons.is_empty() {
            return vec![Reason::Case("every digit is in order")];
        }
        reasons
    }

    /// If B is closed under symmetric difference (the cycles of a binary matroid), it is given by
    /// xors that vanish.
    fn formula(&self) -> Option<String> {
        let n = self.stacks();
        let even = |check: &StackSet| self.base().all(|s| (s & *check).len().is_multiple_of(2));
        let mut checks = Vec::new();
        let mut span = vec![0u32];
        let mut sets: Vec<_> = StackSet::first(n).subsets().collect();
        sets.sort_unstable_by(StackSet::by_size);
        for check in sets {
            if even(&check) && !span.contains(&check.bits()) {
                span.extend(span.clone().iter().map(|s| s ^ check.bits()));
                checks.push(check);
            }
        }
        let linear = self.base().count() << checks.len() == 1 << n;
        let xor = |check: &StackSet| match check.len() {
            1 => format!("{} = 0", joined(*check, n, "")),
            2 => joined(*check, n, " = "),
            _ => format!("xor({}) = 0", joined(*check, n, ",")),
        };
        linear.then(|| checks.iter().map(xor).collect::<Vec<_>>().join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Sieve, boxed, check_box, check_tall};
    use nimatron_game::{Family, SetFamily};

    fn graph(n: usize, edges: &[(usize, usize)]) -> Rule {
        let sets = edges.iter().map(|&(u, v)| StackSet::single(u).with(v));
        let alone = (0..n).map(StackSet::single);
        Rule::set_nim(SetFamily::listed(n, sets.chain(alone).collect::<Vec<_>>()))
    }

    fn multipartite(parts: &[usize]) -> Rule {
        let part: Vec<usize> =
            parts.iter().enumerate().flat_map(|(i, &p)| std::iter::repeat_n(i, p)).collect();
        let n = part.len();
        let pairs = (0..n).flat_map(|u| (0..u).map(move |v| (u, v)));
        graph(n, &pairs.filter(|&(u, v)| part[u] != part[v]).collect::<Vec<_>>())
    }

    #[test]
    fn nim_and_moore_are_regular() {
        for (n, k, max) in [(3, 1, 7), (4, 2, 7), (4, 3, 7), (5, 2, 3)] {
            let rule = Family::Moore { n, k }.rule();
            check_box(&NimRegularNim, &rule, max);
            check_tall(&NimRegularNim, &rule, 100);
        }
    }

    #[test]
    fn complete_multipartite_graphs() {
        // Reading 1999: two classes: both xors 0; three classes: the three xors equal.
        for (parts, max) in [(&[2, 2][..], 7), (&[1, 2, 2], 3), (&[3, 2], 3)] {
            check_box(&NimRegularNim, &multipartite(parts), max);
            check_tall(&NimRegularNim, &multipartite(parts), 100);
        }
        let formula = |parts: &[usize]| {
            let rule = multipartite(parts);
            NimRegularNim.applies(&rule, Play::Normal).unwrap().formula().unwrap()
        };
        assert_eq!(formula(&[2, 2]), "a = b, c = d");
        assert_eq!(formula(&[1, 3]), "a = 0, xor(b,c,d) = 0");
    }

    #[test]
    fn ten_stacks_are_within_reach() {
        check_tall(&NimRegularNim, &multipartite(&[5, 5]), 30);
        check_tall(&NimRegularNim, &Family::Moore { n: 10, k: 4 }.rule(), 30);
    }

    #[test]
    fn graphs_with_bad_subgraphs_are_not_regular() {
        // An edge and a single vertex; five vertices with all edges but one.
        let edge_and_vertex = graph(3, &[(0, 1)]);
        assert!(NimRegularNim.applies(&edge_and_vertex, Play::Normal).is_none());
        let pairs = (0..5).flat_map(|u| (0..u).map(move |v| (u, v)));
        let all_but_one: Vec<_> = pairs.filter(|&e| e != (1, 0)).collect();
        assert!(NimRegularNim.applies(&graph(5, &all_but_one), Play::Normal).is_none());
    }

    #[test]
    fn graphs_are_regular_as_reading_says() {
        // Regular exactly if no three vertices carry a single edge and no five lack a single one.
        for n in 2..=5 {
            let pairs: Vec<_> = (0..n).flat_map(|u| (0..u).map(move |v| (u, v))).collect();
            for bits in 0u32..1 << pairs.len() {
                let chosen = |i: &usize| bits >> i & 1 == 1;
                let edges: Vec<_> = (0..pairs.len()).filter(chosen).map(|i| pairs[i]).collect();
                let inside = |s: StackSet| {
                    edges.iter().filter(|&&(u, v)| s.contains(u) && s.contains(v)).count()
                };
                let bad = StackSet::first(n)
                    .subsets()
                    .any(|s| (s.len() == 3 && inside(s) == 1) || (s.len() == 5 && inside(s) == 9));
                let regular = NimRegular::new(Complex::of(&graph(n, &edges)));
                assert_eq!(regular.is_some(), !bad, "{edges:?}");
            }
        }
    }

    #[test]
    fn the_certificate_misses_no_regular_complex_with_three_stacks() {
        for bits in 0u32..1 << 7 {
            let sets: Vec<_> =
                (1..8).filter(|s| bits >> (s - 1) & 1 == 1).map(StackSet::from_bits).collect();
            let family = SetFamily::listed(3, sets);
            if family.support().len() < 3 {
                continue;
            }
            let rule = Rule::set_nim(family);
            let complex = Complex::of(&rule);
            let sieve = Sieve::new(&rule, Play::Normal, 7);
            let base = zero_one_positions(&complex);
            let by_digits = |p: &[Height]| digits(p).all(|d| base[ones(p, d).bits() as usize]);
            let regular = boxed(3, 7).all(|p| (sieve.outcome(&p) == Outcome::P) == by_digits(&p));
            assert_eq!(NimRegular::new(complex).is_some(), regular, "{rule:?}");
        }
    }
}
