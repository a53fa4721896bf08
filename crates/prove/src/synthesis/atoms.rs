//! What may be said about a position in a few words: comparisons that hold at a giant.

use super::relations::sum;
use nimatron_formula::{Formula, Relation, Term};
use std::collections::{HashMap, HashSet};
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

/// The sum of some stacks.
pub(super) fn of_set(set: u32) -> Term {
    sum((0..32).filter(|s| set >> s & 1 == 1).map(|s| (Some(s), 1)))
}

/// The exclusive or of some stacks.
pub(super) fn xor_of(set: u32) -> Term {
    Term::Xor((0..32).filter(|s| set >> s & 1 == 1).map(Term::Stack).collect())
}

fn subset_value(set: u32, point: &[i64]) -> i64 {
    (0..point.len()).filter(|s| set >> s & 1 == 1).map(|s| point[s]).sum()
}

fn subset_xor(set: u32, point: &[i64]) -> i64 {
    (0..point.len()).filter(|s| set >> s & 1 == 1).fold(0, |x, s| x ^ point[s])
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

/// Equations with exclusive ors, the shortest first.
fn laws(giant: &[i64], sets: &[u32]) -> Vec<Formula> {
    let n = giant.len();
    let mut found: Vec<Formula> = Vec::new();
    // Exclusive ors of stacks alone.
    for &set in sets.iter().filter(|set| set.count_ones() >= 3) {
        if subset_xor(set, giant) == 0 {
            found.push(Formula::Compare(xor_of(set), Relation::Equal, Term::Constant(0)));
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
    let mut pairs: HashMap<i64, Vec<(u32, u32)>> = HashMap::new();
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
        let items = list.into_iter().map(of_set).collect();
        found.push(Formula::Compare(Term::Xor(items), Relation::Equal, Term::Constant(0)));
    }
    found.extend(mixed(giant, sets));
    found.sort_by_cached_key(|law| (cost(law), law.to_string()));
    found.truncate(MOST_LAWS);
    debug_assert!(n < 32);
    found
}

/// A linear form equals one or two exclusive ors of stacks: `a = b+xor(c,d)`.
fn mixed(giant: &[i64], sets: &[u32]) -> Vec<Formula> {
    let n = giant.len();
    let most: i64 = match n {
        0..=5 => 2,
        6 | 7 => 1,
        _ => return Vec::new(),
    };
    let mut forms: HashMap<i64, Vec<Vec<i64>>> = HashMap::new();
    let mut form = vec![-most; n];
    loop {
        let weight: i64 = form.iter().map(|c| c.abs()).sum();
        if (1..=6).contains(&weight) {
            let value = form.iter().zip(giant).map(|(c, x)| c * x).sum();
            forms.entry(value).or_default().push(form.clone());
        }
        let Some(at) = form.iter().position(|&c| c < most) else { break };
        form[..at].iter_mut().for_each(|c| *c = -most);
        form[at] += 1;
    }
    let xors: Vec<(u32, i64)> = sets
        .iter()
        .filter(|set| set.count_ones() >= 2)
        .map(|&set| (set, subset_xor(set, giant)))
        .filter(|&(_, value)| value != 0)
        .collect();
    let mut found = Vec::new();
    let mut add = |form: &[i64], multiples: &[(i64, u32)]| {
        // form = sum of multiples, all on the side where they are positive.
        let side = |sign: i64| {
            let own = form.iter().enumerate().filter(|(_, c)| c.signum() == sign);
            let own = own.map(|(s, c)| Term::scale(c.abs(), Term::Stack(s)));
            let others = multiples.iter().filter(|(k, _)| k.signum() == -sign);
            let others = others.map(|&(k, set)| Term::scale(k.abs(), xor_of(set)));
            Term::sum(own.chain(others))
        };
        found.push(Formula::Compare(side(1), Relation::Equal, side(-1)));
    };
    for &(set, value) in &xors {
        for k in [1, 2] {
            for form in forms.get(&(k * value)).map_or(&[][..], |list| list) {
                add(form, &[(k, set)]);
            }
        }
    }
    if n <= 5 {
        for (i, &(first, x)) in xors.iter().enumerate() {
            for &(second, y) in &xors[i + 1..] {
                for (k, l) in [(1, 1), (1, -1)] {
                    let list = forms.get(&(k * x + l * y)).map_or(&[][..], |list| list);
                    let short = list.iter().filter(|f| f.iter().map(|c| c.abs()).sum::<i64>() <= 4);
                    short.for_each(|form| add(form, &[(k, first), (l, second)]));
                }
            }
        }
    }
    found
}
