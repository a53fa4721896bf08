//! Which parts of a set, and which moves between them, are images of others under the symmetries.

use super::row::Row;
use nimatron_game::StackSet;
use nimatron_verify::regions::{Branch, RegionsProof};
use std::collections::BTreeMap;

/// Larger numbers are not worth comparing.
const LARGE: i128 = 1 << 60;

/// What the symmetries make of the parts.
pub(super) struct Images {
    /// For each symmetry, the part that each part becomes, where that is seen by comparing their conditions.
    parts: Vec<Vec<Option<usize>>>,
    /// For each part, the first one of which it is an image word for word.
    literal: Vec<Option<Image>>,
}

/// A part as the image of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Image {
    /// The other part.
    pub(super) first: usize,
    /// The symmetry.
    pub(super) by: usize,
    /// What stands in place of each variable of the other part: the heights, and then its further numbers.
    pub(super) names: Vec<usize>,
}

impl Images {
    pub(super) fn of(proof: &RegionsProof, n: usize) -> Self {
        let same: Vec<usize> = (0..n).collect();
        let normal: Vec<_> = proof.branches.iter().map(|b| conditions(b, n, &same)).collect();
        let find = |branch: &Branch, image: &[usize]| {
            let found = conditions(branch, n, image)?;
            normal.iter().position(|own| own.as_ref() == Some(&found))
        };
        let parts = proof.symmetries.iter().map(|g| {
            proof.branches.iter().map(|branch| find(branch, &g.image)).collect::<Vec<_>>()
        });
        let parts: Vec<_> = parts.collect();
        let literal = (0..proof.branches.len()).map(|part| literal(proof, &parts, part, n));
        Images { literal: literal.collect(), parts }
    }

    /// How this part is the image of an earlier one so that each condition of that one becomes one of its own.
    pub(super) fn literal(&self, part: usize) -> Option<&Image> {
        self.literal.get(part)?.as_ref()
    }

    /// The first part that becomes this one, and the symmetry that does it, where equations may have to be put into
    /// conditions; nothing if it is the first itself.
    pub(super) fn original(&self, part: usize) -> Option<(usize, usize)> {
        (0..part).find_map(|first| {
            let by = self.parts.iter().position(|image| image[first] == Some(part))?;
            Some((first, by))
        })
    }

    /// The images of a move between two parts under the symmetries that leave the first part as it is.
    pub(super) fn of_move(
        &self,
        proof: &RegionsProof,
        (from, to): (usize, usize),
        stacks: StackSet,
    ) -> impl Iterator<Item = (StackSet, usize)> {
        self.parts.iter().zip(&proof.symmetries).filter_map(move |(parts, g)| {
            let image = |s: usize| g.image.get(s).copied().unwrap_or(s);
            match (parts[from], parts[to]) {
                (Some(same), Some(to)) if same == from => {
                    let bits = stacks.iter().fold(0, |bits, s| bits | 1 << image(s));
                    Some((StackSet::from_bits(bits), to))
                }
                _ => None,
            }
        })
    }
}

/// Parts with more further numbers are not compared in every order of these.
const FURTHER: usize = 5;

fn literal(
    proof: &RegionsProof,
    parts: &[Vec<Option<usize>>],
    part: usize,
    n: usize,
) -> Option<Image> {
    let own = &proof.branches[part];
    let same: Vec<usize> = (0..n + own.extras).collect();
    let rows = told(own, &same)?;
    let orders = orders(own.extras);
    (0..part).find_map(|first| {
        let other = &proof.branches[first];
        let becomes = |by: &usize| parts[*by][first] == Some(part) && other.extras == own.extras;
        (0..parts.len()).filter(becomes).find_map(|by| {
            orders.iter().find_map(|order| {
                let mut names: Vec<usize> = proof.symmetries[by].image.clone();
                names.extend(order.iter().map(|t| n + t));
                (told(other, &names)? == rows).then_some(Image { first, by, names })
            })
        })
    })
}

/// All orders of so many things; none but the first if they are many.
fn orders(many: usize) -> Vec<Vec<usize>> {
    if many > FURTHER {
        return vec![(0..many).collect()];
    }
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for new in 0..many {
        let longer = |order: Vec<usize>| {
            (0..=order.len()).rev().map(move |at| {
                let mut order = order.clone();
                order.insert(at, new);
                order
            })
        };
        all = all.into_iter().flat_map(longer).collect();
    }
    all
}

/// The conditions as they are printed, in whatever order, under other names of the variables.
fn told(branch: &Branch, names: &[usize]) -> Option<Vec<Condition>> {
    let mut found = Vec::new();
    for c in &branch.constraints {
        let renamed = |v: usize| names.get(v).copied().unwrap_or(v);
        let mut row = Row::of(&c.form, c.equation, "");
        row = row.substituted(|v| Row::variable(renamed(v), ""));
        found.push(upright(row)?);
    }
    found.sort_unstable();
    Some(found)
}

/// A condition in lowest terms; equations begin with a positive term.
fn upright(mut row: Row) -> Option<Condition> {
    lowest(&mut row)?;
    if row.equation && row.terms.values().next().is_some_and(|&c| c < 0) {
        let upside_down = row.clone();
        row.add(-2, &upside_down);
    }
    Some((row.terms, row.constant, row.equation))
}

/// Terms, the number and whether it is an equation.
type Condition = (BTreeMap<usize, i128>, i128, bool);

/// The conditions of a part under new names of the stacks, so that equal ones are told equally: in lowest terms,
/// equations in echelon form, put into the inequalities. The further numbers come first, by what is said of them.
fn conditions(branch: &Branch, n: usize, image: &[usize]) -> Option<Vec<Condition>> {
    let rows: Vec<Row> = branch
        .constraints
        .iter()
        .map(|c| {
            let renamed = |v: usize| image.get(v).copied().unwrap_or(v);
            Row::of(&c.form, c.equation, "").substituted(|v| Row::variable(renamed(v), ""))
        })
        .collect();
    // What is said of a number, whatever the others are called.
    let about = |number: usize| {
        let own = rows.iter().filter(|row| row.terms.contains_key(&number)).map(|row| {
            let name = |v: usize| match v {
                v if v == number => 0,
                v if v >= n => 1,
                v => v + 2,
            };
            let mut terms: Vec<_> = row.terms.iter().map(|(&v, &c)| (name(v), c)).collect();
            terms.sort_unstable();
            (terms, row.constant, row.equation)
        });
        let mut own: Vec<_> = own.collect();
        own.sort_unstable();
        own
    };
    let mut further: Vec<usize> = (n..n + branch.extras).collect();
    further.sort_by_cached_key(|&number| about(number));
    let column = |v: usize| match further.iter().position(|&f| f == v) {
        Some(at) => at,
        None => v + further.len(),
    };
    let named = rows.iter().map(|row| {
        row.substituted(|v| Row { terms: BTreeMap::from([(column(v), 1)]), ..Row::variable(v, "") })
    });
    let (mut equations, mut others): (Vec<Row>, Vec<Row>) = named.partition(|row| row.equation);
    let mut done = 0;
    for v in 0..n + branch.extras {
        let Some(at) = (done..equations.len()).find(|&i| equations[i].terms.contains_key(&v))
        else {
            continue;
        };
        equations.swap(done, at);
        let pivot = equations[done].clone();
        let (before, after) = equations.split_at_mut(done);
        let rest = before.iter_mut().chain(after.iter_mut().skip(1)).chain(others.iter_mut());
        for row in rest {
            eliminate(row, &pivot, v)?;
        }
        done += 1;
    }
    let mut found: Vec<Condition> = Vec::new();
    for row in equations.into_iter().chain(others) {
        found.push(upright(row)?);
    }
    found.sort_unstable();
    found.dedup();
    Some(found)
}

/// Takes a variable out of a row by an equation, the row being multiplied by a positive number.
fn eliminate(row: &mut Row, pivot: &Row, v: usize) -> Option<()> {
    let (Some(&own), Some(&factor)) = (row.terms.get(&v), pivot.terms.get(&v)) else {
        return Some(());
    };
    let before = row.clone();
    row.add(factor.abs() - 1, &before);
    row.add(-own * factor.signum(), pivot);
    lowest(row)
}

/// Divides a row by what all its numbers are multiples of; nothing if they are too large.
fn lowest(row: &mut Row) -> Option<()> {
    let numbers = || row.terms.values().chain(std::iter::once(&row.constant));
    if numbers().any(|c| c.abs() > LARGE) {
        return None;
    }
    let common = numbers().fold(0_i128, |a, &b| gcd(a, b.abs())).max(1);
    row.constant /= common;
    row.terms.values_mut().for_each(|c| *c /= common);
    Some(())
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;
    use crate::proofs::{Judgement, ProveMethod, prove};
    use nimatron_formula::{Context, Formula};
    use nimatron_game::Game;
    use nimatron_verify::Proof;
    use nimatron_verify::regions::{Constraint, Form};

    /// Variables with their factors.
    type Terms<'a> = &'a [(usize, i64)];

    fn part(extras: usize, constraints: &[(i64, Terms, bool)]) -> Branch {
        let one = |&(constant, terms, equation): &(i64, Terms, bool)| Constraint {
            form: Form(constant, terms.to_vec()),
            equation,
        };
        Branch { extras, constraints: constraints.iter().map(one).collect() }
    }

    #[test]
    fn parts_are_compared_by_what_they_say() {
        let same: Vec<usize> = (0..6).collect();
        let turned: Vec<usize> = (0..6).map(|s| (s + 1) % 6).collect();
        // a+b = d+e and b+c = e+f: c+d = f+a follows.
        let sums: &[(usize, i64)] = &[(0, 1), (1, 1), (3, -1), (4, -1)];
        let next: &[(usize, i64)] = &[(1, 1), (2, 1), (4, -1), (5, -1)];
        let whole = part(0, &[(0, sums, true), (0, next, true)]);
        assert_eq!(conditions(&whole, 6, &same), conditions(&whole, 6, &turned));
        let half = part(0, &[(0, sums, true)]);
        assert_ne!(conditions(&half, 6, &same), conditions(&half, 6, &turned));
        // The same with an inequality, which is not turned round.
        let above = part(0, &[(0, sums, false), (0, next, true)]);
        assert_ne!(conditions(&above, 6, &same), conditions(&above, 6, &turned));
    }

    #[test]
    fn further_numbers_have_no_names() {
        // a is even and b odd; exchanged, b is even and a odd.
        let (even, odd): (Terms, Terms) = (&[(0, 1), (2, -2)], &[(1, 1), (3, -2)]);
        let one = part(2, &[(0, even, true), (-1, odd, true)]);
        let (even, odd): (Terms, Terms) = (&[(1, 1), (2, -2)], &[(0, 1), (3, -2)]);
        let other = part(2, &[(-1, odd, true), (0, even, true)]);
        assert_eq!(conditions(&one, 2, &[1, 0]), conditions(&other, 2, &[0, 1]));
        assert_ne!(conditions(&one, 2, &[0, 1]), conditions(&other, 2, &[0, 1]));
    }

    /// Whether a position lies in a part that has no further numbers.
    fn contains(branch: &Branch, position: &[u64]) -> bool {
        branch.constraints.iter().all(|c| {
            let terms = c.form.1.iter().map(|&(v, factor)| factor * position[v] as i64);
            let value = c.form.0 + terms.sum::<i64>();
            if c.equation { value == 0 } else { value >= 0 }
        })
    }

    /// Position by position, for whole games: a part holds exactly the images of what the other holds.
    #[test]
    fn images_of_parts_hold_the_images_of_positions() {
        for (game, formula, found) in [
            ("CN(5,3)", "sym(a = 0, b = e = c+d)", 45),
            ("CN(6,3)", "a+b = d+e, b+c = e+f", 11),
            ("NN(6,3)", "a+b+c = d+e+f, min(a,f) = min(b+c,c+d,d+e)", 4),
        ] {
            let game: Game = game.parse().unwrap();
            let formula = Formula::parse(formula, &Context::of_game(&game)).unwrap();
            let proving = prove(&game, &formula, ProveMethod::Regions, &Limits::default());
            let Judgement::Proved(proved) = proving.judgement else { panic!("{game}") };
            let Proof::Regions(proof) = &proved.proved.certificate().proof else {
                panic!("{game}")
            };
            let n = game.stacks();
            let images = Images::of(proof, n);
            let known = images.parts.iter().flatten().flatten().count();
            assert_eq!(known, found, "{game}");
            for (g, parts) in proof.symmetries.iter().zip(&images.parts) {
                for (from, to) in parts.iter().enumerate().filter_map(|(i, to)| Some((i, (*to)?))) {
                    for number in 0..4_u64.pow(n as u32) {
                        let here: Vec<u64> =
                            (0..n as u32).map(|s| number / 4_u64.pow(s) % 4).collect();
                        let mut there = here.clone();
                        (0..n).for_each(|s| there[g.image[s]] = here[s]);
                        let both = [(from, &here), (to, &there)]
                            .map(|(part, at)| contains(&proof.branches[part], at));
                        assert_eq!(both[0], both[1], "{game}: {from} to {to} at {here:?}");
                    }
                }
            }
        }
    }

    /// What is printed of a part: its own conditions, or which other one it is with other letters. Read back, the
    /// second is the first.
    #[test]
    fn parts_are_images_as_they_are_printed() {
        for (game, formula, many) in [
            ("CN(5,3)", "sym(a = 0, b = e = c+d)", 4),
            ("CN(6,3)", "a+b = d+e, b+c = e+f", 0),
            ("NN(6,3)", "a+b+c = d+e+f, min(a,f) = min(b+c,c+d,d+e)", 2),
            ("Slow(4,{1,2})", "odds = 0 or (odds = 3, even(min))", 3),
        ] {
            let game: Game = game.parse().unwrap();
            let n = game.stacks();
            let formula = Formula::parse(formula, &Context::of_game(&game)).unwrap();
            let proving = prove(&game, &formula, ProveMethod::Regions, &Limits::default());
            let Judgement::Proved(proved) = proving.judgement else { panic!("{game}") };
            let Proof::Regions(proof) = &proved.proved.certificate().proof else {
                panic!("{game}")
            };
            let images = Images::of(proof, n);
            let mut found = 0;
            for (part, branch) in proof.branches.iter().enumerate() {
                let Some(image) = images.literal(part) else { continue };
                found += 1;
                let first = &proof.branches[image.first];
                assert_eq!(image.names[..n], proof.symmetries[image.by].image[..]);
                let letter = |v: usize| match v.checked_sub(n) {
                    None => char::from(b'a' + v as u8).to_string(),
                    Some(t) => format!("t{}", t + 1),
                };
                let own: Vec<String> = (0..n + branch.extras).map(letter).collect();
                let with: Vec<String> = image.names.iter().map(|&v| own[v].clone()).collect();
                let said = |branch: &Branch, names: &[String]| {
                    let sides = |c: &Constraint| {
                        let said = Row::of(&c.form, c.equation, "").said(names);
                        let mut letters: Vec<char> = said.chars().collect();
                        letters.sort_unstable();
                        (c.equation, letters)
                    };
                    let mut all: Vec<_> = branch.constraints.iter().map(sides).collect();
                    all.sort();
                    all
                };
                assert_eq!(said(first, &with), said(branch, &own), "{game}: B{}", part + 1);
            }
            assert_eq!(found, many, "{game}");
        }
    }

    #[test]
    fn further_numbers_are_named_with_the_stacks() {
        // t1 belongs to a, whose name is exchanged with b's: t2 stands in its place.
        let (one, other): (Terms, Terms) = (&[(0, 1), (2, -2)], &[(1, 1), (3, 2), (2, 1)]);
        let first = part(2, &[(0, one, true), (-1, other, false)]);
        let (one, other): (Terms, Terms) = (&[(1, 1), (3, -2)], &[(0, 1), (2, 2), (3, 1)]);
        let second = part(2, &[(0, one, true), (-1, other, false)]);
        let rows = told(&second, &[0, 1, 2, 3]).unwrap();
        assert_eq!(told(&first, &[1, 0, 3, 2]).unwrap(), rows);
        assert_ne!(told(&first, &[1, 0, 2, 3]).unwrap(), rows);
        assert_eq!(orders(3).len(), 6);
        assert_eq!(orders(3)[0], [0, 1, 2]);
        assert_eq!(orders(9).len(), 1);
    }
}
