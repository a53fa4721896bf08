//! What the tests share: games by name, a brute force, and evaluation by the definition.
#![allow(dead_code, unreachable_pub)]

pub mod formulas;

use nimatron_formula::{Context, Formula, Term};
use nimatron_game::{Choice, Family, Rule, Sizes, StackSet, slow};

/// The game families that the corpus names.
pub fn family(name: &str) -> Family {
    if name == "H" {
        return Family::Necklace { n: 6, k: 3, l: 2 };
    }
    let (kind, parameters) = name.trim_end_matches(')').split_once('(').unwrap();
    let numbers: Vec<usize> = parameters
        .split(|c: char| !c.is_ascii_digit())
        .filter(|digits| !digits.is_empty())
        .map(|digits| digits.parse().unwrap())
        .collect();
    match (kind, &numbers[..]) {
        ("Nim", &[n]) => Family::Nim { n },
        ("Moore", &[n, k]) => Family::Moore { n, k },
        ("CN", &[n, k]) => Family::Circular { n, k },
        ("PN", &[n, k]) => Family::Path { n, k },
        ("NN", &[n, k]) => Family::Necklace { n, k, l: 2 },
        ("Slow", &[n, ..]) => Family::Slow { n, sizes: Sizes::new(numbers[1..].iter().copied()) },
        _ => panic!("unknown game {name}"),
    }
}

/// Symmetries that everybody sees: the dihedral group for circles, reversal for paths and
/// necklaces, all permutations where stacks are alike.
pub fn symmetries(family: &Family) -> Vec<Vec<usize>> {
    let n = family.stacks();
    match family {
        Family::Circular { .. } => dihedral(n),
        Family::Path { .. } | Family::Necklace { .. } => {
            vec![(0..n).collect(), (0..n).rev().collect()]
        }
        _ => permutations(n),
    }
}

pub fn dihedral(n: usize) -> Vec<Vec<usize>> {
    let rotation = |i| (0..n).map(|s| (s + i) % n).collect();
    let reflection = |i| (0..n).map(|s| (n + i - s) % n).collect();
    (0..n).flat_map(|i| [rotation(i), reflection(i)]).collect()
}

pub fn permutations(n: usize) -> Vec<Vec<usize>> {
    if n == 0 {
        return vec![vec![]];
    }
    let smaller = permutations(n - 1);
    let insert = |p: &Vec<usize>, at: usize| {
        let mut p = p.clone();
        p.insert(at, n - 1);
        p
    };
    smaller.iter().flat_map(|p| (0..n).map(move |at| insert(p, at))).collect()
}

/// All positions with heights up to `h`, smaller ones before those that can reach them.
pub fn positions(n: usize, h: u64) -> impl Iterator<Item = Vec<u64>> {
    let base = h + 1;
    (0..base.pow(n as u32))
        .map(move |code| (0..n as u32).rev().map(|i| code / base.pow(i) % base).collect())
}

/// Which positions of the box are P, in the order of [`positions`].
pub fn brute_force(rule: &Rule, h: u64) -> Vec<bool> {
    let n = rule.stacks();
    let base = h as usize + 1;
    let code = |p: &[u64]| p.iter().fold(0, |code, &x| code * base + x as usize);
    let mut wins = vec![false; base.pow(n as u32)];
    for p in positions(n, h) {
        if wins[code(&p)] {
            continue;
        }
        // A P-position: whatever can reach it wins.
        for set in rule.sets().iter() {
            let mut raise = vec![p.clone()];
            for stack in set {
                let most = if rule.choice() == Choice::Any { h } else { h.min(p[stack] + 1) };
                let least = if rule.choice() == Choice::Any { p[stack] } else { p[stack] + 1 };
                raise = raise
                    .iter()
                    .flat_map(|q| {
                        (least..=most).map(|x| {
                            let mut q = q.clone();
                            q[stack] = x;
                            q
                        })
                    })
                    .collect();
            }
            for q in raise.iter().filter(|q| **q != p) {
                wins[code(q)] = true;
            }
        }
    }
    wins.into_iter().map(|w| !w).collect()
}

/// Evaluation word by word, as the language is defined.
pub struct Naive<'a> {
    pub context: Context,
    pub symmetries: &'a [Vec<usize>],
}

impl Naive<'_> {
    pub fn holds(&self, formula: &Formula, heights: &[u64]) -> bool {
        self.formula(formula, heights, &mut Vec::new())
    }

    fn formula(&self, formula: &Formula, p: &[u64], names: &mut Vec<(String, i128)>) -> bool {
        match formula {
            Formula::Compare(left, relation, right) => {
                relation.holds(term(left, p, names), term(right, p, names))
            }
            Formula::And(items) => items.iter().all(|f| self.formula(f, p, names)),
            Formula::Or(items) => items.iter().any(|f| self.formula(f, p, names)),
            Formula::Not(inner) => !self.formula(inner, p, names),
            Formula::Sym(inner) => self.symmetries.iter().any(|image| {
                let moved: Vec<u64> = image.iter().map(|&s| p[s]).collect();
                self.formula(inner, &moved, &mut Vec::new())
            }),
            Formula::Span(generators) => combines(p, generators),
            Formula::Reduced(inner) => {
                let mut p = p.to_vec();
                slow::reduce_heights(self.context.least_move().unwrap(), &mut p);
                self.formula(inner, &p, &mut Vec::new())
            }
            Formula::Digits(inner) => (0..=64u32).all(|place| {
                let digits: Vec<u64> =
                    p.iter().map(|h| h.checked_shr(place).unwrap_or(0) & 1).collect();
                self.formula(inner, &digits, &mut Vec::new())
            }),
            Formula::Then(high, low) => (0..=64u32).any(|place| {
                let before: Vec<u64> =
                    p.iter().map(|h| h.checked_shr(place).unwrap_or(0)).collect();
                let cut = |(h, b): (&u64, &u64)| h - b.checked_shl(place).unwrap_or(0);
                let after: Vec<u64> = p.iter().zip(&before).map(cut).collect();
                self.formula(high, &before, &mut Vec::new())
                    && self.formula(low, &after, &mut Vec::new())
            }),
            Formula::Let(name, value, body) => {
                let value = term(value, p, names);
                names.push((name.clone(), value));
                let holds = self.formula(body, p, names);
                names.pop();
                holds
            }
        }
    }
}

fn term(t: &Term, p: &[u64], names: &[(String, i128)]) -> i128 {
    let all = |items: &[Term]| items.iter().map(|t| term(t, p, names)).collect::<Vec<_>>();
    let heights = || p.iter().map(|&h| i128::from(h));
    match t {
        Term::Constant(c) => i128::from(*c),
        Term::Stack(s) => i128::from(p[*s]),
        Term::Name(name) => names.iter().rev().find(|(known, _)| known == name).unwrap().1,
        Term::Total => heights().sum(),
        Term::Odds => heights().map(|h| h % 2).sum(),
        Term::Least => heights().min().unwrap(),
        Term::Greatest => heights().max().unwrap(),
        Term::Sum(items) => all(items).iter().sum(),
        Term::Scale(factor, inner) => i128::from(*factor) * term(inner, p, names),
        Term::Min(items) => all(items).into_iter().min().unwrap(),
        Term::Max(items) => all(items).into_iter().max().unwrap(),
        Term::Xor(items) => all(items).into_iter().fold(0, |x, y| x ^ y),
        Term::Mod(inner, modulus) => term(inner, p, names).rem_euclid(i128::from(*modulus)),
    }
}

/// Whether the heights are a sum of the 0/1 vectors, by trying all coefficients.
pub fn combines(p: &[u64], generators: &[StackSet]) -> bool {
    let Some((first, rest)) = generators.split_first() else { return p.iter().all(|&h| h == 0) };
    let most = first.iter().map(|s| p[s]).min().unwrap_or(0);
    (0..=most).any(|amount| {
        let mut q = p.to_vec();
        first.iter().for_each(|s| q[s] -= amount);
        combines(&q, rest)
    })
}

/// One line of `corpus/formula/theorems.txt`.
pub struct Theorem {
    pub game: String,
    pub height: u64,
    pub text: String,
}

pub fn theorems() -> Vec<Theorem> {
    let file = include_str!("../../../../corpus/formula/theorems.txt");
    let mut theorems: Vec<Theorem> = Vec::new();
    for line in file.lines().filter(|l| !l.trim().is_empty() && !l.starts_with('#')) {
        if line.starts_with(char::is_whitespace) {
            let last = theorems.last_mut().unwrap();
            last.text = format!("{} {}", last.text, line.trim());
        } else {
            let fields: Vec<_> = line.splitn(4, ';').map(str::trim).collect();
            theorems.push(Theorem {
                game: fields[0].to_owned(),
                height: fields[1].parse().unwrap(),
                text: fields[3].to_owned(),
            });
        }
    }
    theorems
}

/// What formulas are made of; some of it is none.
pub const PIECES: &[&str] = &[
    "a",
    "b",
    "c",
    "x1",
    "f",
    " ",
    ",",
    "or ",
    "and ",
    "not ",
    "mod ",
    "let ",
    "foo",
    " = ",
    " <= ",
    "<",
    ">=",
    ">",
    "!=",
    "+",
    "-",
    "*",
    "2",
    "0",
    "9223372036854775807",
    "(",
    ")",
    "min",
    "max",
    "sum(",
    "xor(",
    "a..c",
    "odd(",
    "even(",
    "odds",
    "total",
    "sym(",
    "span(",
    "ab",
    "reduced(",
    "digits(",
    " then ",
    "true",
    "false",
    "&",
];
