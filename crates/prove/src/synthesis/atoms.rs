//! What may be said about a position in a few words: comparisons that hold at a giant.

use super::relations::{name_length, sum};
use nimatron_formula::{Formula, Relation, Term};
use nimatron_table::hash::FastMap;
use std::collections::HashSet;
use std::fmt::Write;

/// The most exclusive-or laws that are offered.
const MOST_LAWS: usize = 60;

/// The length of a formula as a person sees it. Of two of the same length, the one that compares a
/// stack with a number is easier to read.
pub(super) fn cost(formula: &Formula) -> usize {
    let plain = matches!(formula, Formula::Compare(Term::Stack(_), _, Term::Constant(_)));
    length(formula) + 2 - usize::from(plain)
}

/// The length of what is written, without writing it anywhere.
fn length(formula: &Formula) -> usize {
    struct Count(usize);
    impl std::fmt::Write for Count {
        fn write_str(&mut self, text: &str) -> std::fmt::Result {
            self.0 += text.len();
            Ok(())
        }
    }
    let mut count = Count(0);
    // Counting does not fail.
    let _ = write!(count, "{formula}");
    count.0
}

/// The stacks of a set.
fn members(set: u32) -> impl Iterator<Item = usize> {
    let next = |&rest: &u32| Some(rest & (rest - 1)).filter(|&rest| rest != 0);
    let rests = std::iter::successors(Some(set).filter(|&set| set != 0), next);
    rests.map(|rest| rest.trailing_zeros() as usize)
}

/// The sum of some stacks.
pub(super) fn of_set(set: u32) -> Term {
    sum(members(set).map(|s| (Some(s), 1)))
}

/// The exclusive or of some stacks.
pub(super) fn xor_of(set: u32) -> Term {
    Term::Xor(members(set).map(Term::Stack).collect())
}

fn subset_value(set: u32, point: &[i64]) -> i64 {
    members(set).map(|s| point[s]).sum()
}

fn subset_xor(set: u32, point: &[i64]) -> i64 {
    members(set).fold(0, |x, s| x ^ point[s])
}

/// The comparisons that hold at a giant and are worth trying.
pub(super) fn atoms(giant: &[i64]) -> Vec<Formula> {
    let n = giant.len();
    let mut atoms = Vec::new();
    let mut push = |left: Term, relation: Relation, right: Term| {
        atoms.push(Formula::Compare(left, relation, right));
    };
    let sets: Vec<u32> = {
        let mut sets: Vec<u32> = (1..1u32 << n).collect();
        sets.sort_by_key(|set| (set.count_ones(), *set));
        sets
    };
    // Sums against sums.
    let most = if n > 6 { 3 } else { 4 };
    for &left in sets.iter().filter(|s| s.count_ones() < most) {
        let lesser = subset_value(left, giant);
        for &right in sets.iter().filter(|r| *r & left == 0) {
            if left.count_ones() + right.count_ones() > most {
                break;
            }
            let greater = subset_value(right, giant);
            if lesser <= greater {
                push(of_set(left), Relation::AtMost, of_set(right));
            }
            if lesser < greater {
                push(of_set(left), Relation::Less, of_set(right));
            }
        }
    }
    for s in 0..n {
        let x = || Term::Stack(s);
        for c in 0..=3 {
            if giant[s] > c {
                push(x(), Relation::Greater, Term::Constant(c));
            } else if giant[s] <= c {
                push(x(), Relation::AtMost, Term::Constant(c));
            }
        }
        if giant.iter().all(|&y| y >= giant[s]) {
            push(x(), Relation::Equal, Term::Least);
        }
        if giant.iter().all(|&y| y <= giant[s]) {
            push(x(), Relation::Equal, Term::Greatest);
        }
        // Twice a stack.
        for &set in sets.iter().filter(|&&set| set >> s & 1 == 0 && set.count_ones() <= 2) {
            let value = subset_value(set, giant);
            let double = || Term::scale(2, Term::Stack(s));
            if value <= 2 * giant[s] {
                push(of_set(set), Relation::AtMost, double());
            }
            if value >= 2 * giant[s] {
                push(double(), Relation::AtMost, of_set(set));
            }
        }
        // Against the lesser or greater of two, and against exclusive ors.
        for &set in sets.iter().filter(|&&set| set >> s & 1 == 0 && set.count_ones() >= 2) {
            if set.count_ones() > 3 {
                break;
            }
            let each = || (0..n).filter(|t| set >> t & 1 == 1);
            let items = || each().map(Term::Stack).collect::<Vec<_>>();
            let least = each().map(|t| giant[t]).min().unwrap_or(0);
            let greatest = each().map(|t| giant[t]).max().unwrap_or(0);
            let xor = subset_xor(set, giant);
            let relations: [(i64, Term, [Relation; 2]); 4] = [
                (least, Term::Min(items()), [Relation::AtLeast, Relation::Greater]),
                (greatest, Term::Max(items()), [Relation::AtMost, Relation::Less]),
                (xor, xor_of(set), [Relation::AtLeast, Relation::Greater]),
                (xor, xor_of(set), [Relation::AtMost, Relation::Less]),
            ];
            for (value, term, both) in relations {
                for relation in both {
                    if relation.holds(giant[s], value) {
                        push(x(), relation, term.clone());
                    }
                }
            }
        }
    }
    // Parities.
    for &set in sets.iter().filter(|set| n <= 6 || set.count_ones() <= 2) {
        let remainder = subset_value(set, giant) & 1;
        let term = if set.count_ones() as usize == n && n > 2 { Term::Total } else { of_set(set) };
        push(Term::Mod(term.into(), 2), Relation::Equal, Term::Constant(remainder));
    }
    atoms.extend(laws(giant, &sets));
    atoms
}

/// An equation with exclusive ors, not yet written down: of thousands that hold the shortest are wanted.
enum Law {
    /// The exclusive or of the sums of some sets is zero.
    Sums(Vec<u32>),
    /// A linear form equals a sum of multiples of exclusive ors: `a = b+xor(c,d)`.
    Mixed([i64; MOST_MIXED], Multiples),
}

/// Linear forms are equal to exclusive ors on so many stacks at the most.
const MOST_MIXED: usize = 7;

/// Multiples of the exclusive ors of two sets; zero times a set is none.
type Multiples = [(i64, u32); 2];

impl Law {
    fn formula(&self) -> Formula {
        let (left, right) = match self {
            Law::Sums(sets) => {
                let items = sets.iter().copied().map(of_set).collect();
                (Term::Xor(items), Term::Constant(0))
            }
            Law::Mixed(form, multiples) => {
                // All on the side where they are positive.
                let side = |sign: i64| {
                    let own = form.iter().enumerate().filter(|(_, c)| c.signum() == sign);
                    let own = own.map(|(s, c)| Term::scale(c.abs(), Term::Stack(s)));
                    let others = multiples.iter().filter(|(k, _)| *k != 0 && k.signum() == -sign);
                    let others = others.map(|&(k, set)| Term::scale(k.abs(), xor_of(set)));
                    Term::sum(own.chain(others))
                };
                (side(1), side(-1))
            }
        };
        Formula::Compare(left, Relation::Equal, right)
    }

    /// The length of the formula, by counting.
    fn length(&self) -> usize {
        // Every name, and a sign after all but the last.
        let names = |set: u32| match set >> 26 {
            0 => 2 * set.count_ones() as usize - 1,
            _ => members(set).map(|s| name_length(s) + 1).sum::<usize>() - 1,
        };
        match self {
            Law::Sums(sets) => {
                let inside: usize = sets.iter().map(|&set| names(set) + 1).sum();
                "xor() = 0".len() + inside - 1
            }
            Law::Mixed(form, multiples) => {
                let digits = |c: i64| if c.abs() == 1 { 0 } else { c.abs().ilog10() as usize + 1 };
                let own = form.iter().enumerate().filter(|&(_, &c)| c != 0);
                let own = own.map(|(s, &c)| (c > 0, digits(c) + name_length(s)));
                let others = multiples.iter().filter(|&&(k, _)| k != 0).map(|&(k, set)| {
                    let factor = if k.abs() == 1 { 0 } else { digits(k) + "*".len() };
                    (k < 0, factor + "xor()".len() + names(set))
                });
                let (mut left, mut right) = (0, 0);
                for (is_left, length) in own.chain(others) {
                    let side = if is_left { &mut left } else { &mut right };
                    *side += length + usize::from(*side > 0);
                }
                left.max(1) + " = ".len() + right.max(1)
            }
        }
    }
}

/// Equations with exclusive ors, the shortest first.
fn laws(giant: &[i64], sets: &[u32]) -> Vec<Formula> {
    debug_assert!(giant.len() < 32);
    let found: Vec<(usize, Law)> =
        all_laws(giant, sets).into_iter().map(|law| (law.length(), law)).collect();
    let mut lengths: Vec<usize> = found.iter().map(|(length, _)| *length).collect();
    lengths.sort_unstable();
    let longest = lengths.get(MOST_LAWS - 1).copied().unwrap_or(usize::MAX);
    let short = found.iter().filter(|(length, _)| *length <= longest);
    let mut laws: Vec<Formula> = short.map(|(_, law)| law.formula()).collect();
    laws.sort_by_cached_key(|law| (cost(law), law.to_string()));
    laws.truncate(MOST_LAWS);
    laws
}

fn all_laws(giant: &[i64], sets: &[u32]) -> Vec<Law> {
    let mut found: Vec<Law> = Vec::new();
    // Exclusive ors of stacks alone.
    for &set in sets.iter().filter(|set| set.count_ones() >= 3) {
        if subset_xor(set, giant) == 0 {
            found.push(Law::Sums(members(set).map(|s| 1 << s).collect()));
        }
    }
    // Two to four sums whose exclusive or is zero.
    let small: Vec<(u32, i64)> = sets
        .iter()
        .filter(|set| set.count_ones() <= 3)
        .map(|&set| (set, subset_value(set, giant)))
        .filter(|&(_, value)| value != 0)
        .collect();
    let letters = |list: &[u32]| list.iter().map(|set| set.count_ones()).sum::<u32>();
    let disjoint = |list: &[u32]| list.iter().fold(0, |a, b| a | b).count_ones() == letters(list);
    let mut pairs: FastMap<i64, Vec<(u32, u32)>> = FastMap::default();
    for (i, &(first, x)) in small.iter().enumerate() {
        for &(second, y) in &small[i + 1..] {
            if x != y && letters(&[first, second]) <= 4 {
                pairs.entry(x ^ y).or_default().push((first, second));
            }
        }
    }
    let mut seen: HashSet<Vec<u32>> = HashSet::new();
    let mut sums: Vec<Vec<u32>> = Vec::new();
    for &(third, z) in &small {
        for &(first, second) in pairs.get(&z).map_or(&[][..], |list| list) {
            sums.push(vec![first, second, third]);
        }
    }
    for list in pairs.values() {
        for (i, &(first, second)) in list.iter().enumerate() {
            for &(third, fourth) in &list[i + 1..] {
                sums.push(vec![first, second, third, fourth]);
            }
        }
    }
    for mut list in sums {
        list.sort_unstable();
        let single = list.iter().all(|set| set.count_ones() == 1);
        let shared = !disjoint(&list) && letters(&list) > 6;
        if single || shared || letters(&list) > 7 || !seen.insert(list.clone()) {
            continue;
        }
        found.push(Law::Sums(list));
    }
    found.extend(mixed(giant, sets));
    found
}

/// A linear form equals one or two exclusive ors of stacks: `a = b+xor(c,d)`.
fn mixed(giant: &[i64], sets: &[u32]) -> Vec<Law> {
    let n = giant.len();
    let most: i64 = match n {
        0..=5 => 2,
        6..=MOST_MIXED => 1,
        _ => return Vec::new(),
    };
    let xors: Vec<(u32, i64)> = sets
        .iter()
        .filter(|set| set.count_ones() >= 2)
        .map(|&set| (set, subset_xor(set, giant)))
        .filter(|&(_, value)| value != 0)
        .collect();
    // By value: what a form may equal, and how long the form may be then.
    let mut wanted: FastMap<i64, Vec<(i64, Multiples)>> = FastMap::default();
    let mut want = |value: i64, longest: i64, multiples: Multiples| {
        wanted.entry(value).or_default().push((longest, multiples));
    };
    for &(set, value) in &xors {
        [1, 2].into_iter().for_each(|k| want(k * value, 6, [(k, set), (0, 0)]));
    }
    if n <= 5 {
        for (i, &(first, x)) in xors.iter().enumerate() {
            for &(second, y) in &xors[i + 1..] {
                let both = |l: i64| [(1, first), (l, second)];
                [1, -1].into_iter().for_each(|l| want(x + l * y, 4, both(l)));
            }
        }
    }
    let mut found = Vec::new();
    let mut form = [0; MOST_MIXED];
    form[..n].fill(-most);
    loop {
        let weight: i64 = form.iter().map(|c| c.abs()).sum();
        if (1..=6).contains(&weight) {
            let value = form.iter().zip(giant).map(|(c, x)| c * x).sum();
            let fitting = wanted.get(&value).map_or(&[][..], |list| list);
            let fitting = fitting.iter().filter(|(longest, _)| weight <= *longest);
            found.extend(fitting.map(|&(_, multiples)| Law::Mixed(form, multiples)));
        }
        let Some(at) = form[..n].iter().position(|&c| c < most) else { break };
        form[..at].fill(-most);
        form[at] += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn laws_are_counted_as_they_are_written() {
        let (x, y, z) = (0x35_1234_5678_9abc_i64, 0x0f_edcb_a987_6543_i64, 0x2a_5555_0f0f_3333_i64);
        let giants = [
            vec![x, y, x ^ y, z],
            vec![x, y, z, x + (y ^ z), 0],
            vec![x, y, (x ^ y) + z, z, 2 * x],
            vec![x, x, y, y, z, x ^ z],
            vec![x, y, z, x + y, (x + y) ^ z, y + z, z],
            vec![x, y, z, x, y, z, x + y, (x + y) ^ z],
        ];
        for giant in giants {
            let sets: Vec<u32> = (1..1u32 << giant.len()).collect();
            let all = all_laws(&giant, &sets);
            assert!(!all.is_empty(), "{giant:?}");
            for law in &all {
                assert_eq!(law.length(), length(&law.formula()), "{}", law.formula());
                assert_eq!(law.length() + 2, cost(&law.formula()), "{}", law.formula());
            }
            let mut formulas: Vec<Formula> = all.iter().map(Law::formula).collect();
            formulas.sort_by_cached_key(|law| (cost(law), law.to_string()));
            formulas.truncate(MOST_LAWS);
            assert_eq!(laws(&giant, &sets), formulas);
        }
    }
}
