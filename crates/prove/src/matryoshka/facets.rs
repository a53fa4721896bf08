//! Cells as equations and inequalities.
//!
//! The cone that the generators of a cell span is given by the linear equations that hold at all of them
//! and by its *facets*: forms that are nowhere negative and zero at so many generators that these span all
//! but one dimension. Forms with small coefficients are tried; of those that say the same, the shortest
//! is taken. Two cells on the same flat, one on each side of a facet of both, become one if nothing is
//! between them. Nothing is proved here: the checker compares the formula with the cells by itself.

use crate::synthesis::{Basis, Form, arranged, closure, equation, ordered, sides};
use nimatron_formula::{Formula, Relation, Term};
use nimatron_game::{Stop, Watch};
use std::collections::{BTreeMap, HashSet};

/// More cells up to symmetry make no formula that anybody reads.
const MOST_CELLS: usize = 24;

/// On more stacks there are too many forms.
const MOST_STACKS: usize = 12;

/// So many equations of a cell are looked at, the shortest ones.
const MOST_EQUATIONS: usize = 400;

/// A formula in linear constraints for the union of the cells, which the relabellings permute, with forms
/// whose coefficients are at most `most`. `None` if it would be too long.
pub(super) fn formula(
    stacks: usize,
    cells: &[Vec<u32>],
    symmetries: &[Vec<usize>],
    most: i64,
    watch: &dyn Watch,
) -> Result<Option<Formula>, Stop> {
    let few = most == 1 || stacks <= 8;
    if stacks > MOST_STACKS || !few || cells.iter().any(|cell| cell.len() > 64) {
        return Ok(None);
    }
    let group = closure(stacks, symmetries);
    let Some(first) = representatives(cells, &group) else { return Ok(None) };
    let mut shapes = Vec::new();
    for cell in &first {
        let Some(shape) = Shape::new(stacks, cell, most, watch)? else { return Ok(None) };
        shapes.push(shape);
    }
    while let Some(joined) = joined(&shapes, &group, watch)? {
        let Some(shape) = Shape::new(stacks, &joined, most, watch)? else { break };
        shapes.retain(|own| !group.iter().any(|g| shape.contains(&own.moved(g).generators)));
        shapes.push(shape);
    }
    let everything: Vec<u32> = cells.concat();
    let common = equations(stacks, &everything, most);
    let common = independent(&mut Basis::default(), common);
    let mut best: Vec<(Formula, Shape)> = Vec::new();
    for shape in &shapes {
        watch.check(0)?;
        let images = group.iter().map(|g| shape.moved(g));
        let told = images.map(|image| (image.formula(&common), image));
        best.extend(told.min_by_key(|(formula, _)| length(formula)));
    }
    let plain = whole(common, best.into_iter().map(|(_, shape)| shape).collect());
    let symmetric = shapes.iter().all(|shape| {
        let image = |g: &Vec<usize>| shape.moved(g).generators;
        group.iter().all(|g| shapes.iter().any(|other| other.contains(&image(g))))
    });
    Ok(Some(if symmetric { plain } else { Formula::Sym(plain.into()) }))
}

/// The union of cells, with the equations in front that hold in all of them: those in `common`, and those
/// that each would name.
fn whole(mut common: Vec<Form>, shapes: Vec<Shape>) -> Formula {
    let own = |shape: &Shape| shape.own(&common);
    let shared = shapes.iter().map(own).reduce(|mut shared, own| {
        shared.retain(|form| own.contains(form));
        shared
    });
    let one = shapes.len() == 1;
    common.extend(shared.filter(|_| !one).unwrap_or_default());
    let known: &[Form] = if one { &[] } else { &common };
    let mut parts: Vec<Formula> = shapes.iter().map(|shape| shape.formula(known)).collect();
    parts.sort_by_cached_key(length);
    parts.dedup();
    let all = Formula::or(parts);
    match known.is_empty() {
        true => all,
        false => {
            let front = arranged(known.iter().map(|form| equation(form)).collect());
            Formula::and([front, all])
        }
    }
}

fn length(formula: &Formula) -> (usize, String) {
    let text = formula.to_string();
    (text.len(), text)
}

/// One cell of each class; `None` if there are too many.
fn representatives(cells: &[Vec<u32>], group: &[Vec<usize>]) -> Option<Vec<Vec<u32>>> {
    let mut seen: HashSet<Vec<u32>> = HashSet::new();
    let mut first = Vec::new();
    for cell in cells {
        if seen.contains(cell) {
            continue;
        }
        if first.len() == MOST_CELLS {
            return None;
        }
        first.push(cell.clone());
        for g in group {
            let mut moved: Vec<u32> = cell.iter().map(|&v| image(g, v)).collect();
            moved.sort_unstable();
            seen.insert(moved);
        }
    }
    Some(first)
}

fn image(g: &[usize], vector: u32) -> u32 {
    (0..g.len()).filter(|s| vector >> s & 1 == 1).fold(0, |v, s| v | 1 << g[s])
}

/// A cell as generators, as equations and as facets.
#[derive(Clone, Debug)]
struct Shape {
    generators: Vec<u32>,
    /// Equations, the shortest first; many more than are needed.
    equations: Vec<Form>,
    /// Forms that are not negative, those of single stacks left out.
    facets: Vec<Form>,
}

impl Shape {
    /// `None` if the forms tried do not suffice.
    fn new(
        stacks: usize,
        generators: &[u32],
        most: i64,
        watch: &dyn Watch,
    ) -> Result<Option<Self>, Stop> {
        let rank = |vectors: &mut dyn Iterator<Item = u32>| {
            let mut basis = Basis::default();
            vectors.filter(|&v| basis.add(&point(stacks, v))).count()
        };
        let dimension = rank(&mut generators.iter().copied());
        let zeros = |form: &[i64]| {
            let values = generators.iter().map(|&g| value(form, g));
            values.enumerate().filter(|(_, v)| *v == 0).fold(0u64, |z, (at, _)| z | 1 << at)
        };
        let stacks_zeros: HashSet<u64> = (0..stacks)
            .map(|s| zeros(&(0..stacks).map(|t| i64::from(s == t)).collect::<Vec<_>>()))
            .collect();
        let mut found: BTreeMap<u64, (usize, Form)> = BTreeMap::new();
        let mut number = 0u32;
        let mut stopped = None;
        forms(stacks, most, &mut |form| {
            number += 1;
            if number.is_multiple_of(1 << 14) && stopped.is_none() {
                stopped = watch.check(0).err();
            }
            if stopped.is_some() || generators.iter().any(|&g| value(form, g) < 0) {
                return;
            }
            let zeros = zeros(form);
            if zeros.count_ones() as usize == generators.len() || stacks_zeros.contains(&zeros) {
                return;
            }
            let offer = (cost(form), form.iter().copied().chain([0]).collect::<Form>());
            let best = found.entry(zeros).or_insert_with(|| offer.clone());
            if offer < *best {
                *best = offer;
            }
        });
        if let Some(stop) = stopped {
            return Err(stop);
        }
        let is_facet = |zeros: u64| {
            let on = generators.iter().enumerate().filter(|(at, _)| zeros >> at & 1 == 1);
            rank(&mut on.map(|(_, &g)| g)) + 1 == dimension
        };
        let mut facets: Vec<(usize, Form)> = found
            .into_iter()
            .filter(|(zeros, _)| is_facet(*zeros))
            .map(|(_, offer)| offer)
            .collect();
        facets.sort();
        let facets = facets.into_iter().map(|(_, form)| form).collect();
        let equations = equations(stacks, generators, most);
        let complete =
            independent(&mut Basis::default(), equations.clone()).len() + dimension == stacks;
        let generators = generators.to_vec();
        Ok(complete.then_some(Shape { generators, equations, facets }))
    }

    /// Whether vectors lie in the cone.
    fn contains(&self, vectors: &[u32]) -> bool {
        let zero = |form: &Form| vectors.iter().all(|&v| value(form, v) == 0);
        let inside = |form: &Form| vectors.iter().all(|&v| value(form, v) >= 0);
        self.equations.iter().all(zero) && self.facets.iter().all(inside)
    }

    /// The image under a relabelling.
    fn moved(&self, g: &[usize]) -> Shape {
        let form = |form: &Form| {
            let mut moved = form.clone();
            g.iter().enumerate().for_each(|(s, &t)| moved[t] = form[s]);
            moved
        };
        let mut equations: Vec<Form> = self.equations.iter().map(form).map(positive).collect();
        equations.sort_by_cached_key(|form| (cost(form), std::cmp::Reverse(form.clone())));
        let mut generators: Vec<u32> = self.generators.iter().map(|&v| image(g, v)).collect();
        generators.sort_unstable();
        Shape { generators, equations, facets: self.facets.iter().map(form).collect() }
    }

    /// Independent equations of the cell, besides those in `common`.
    fn own(&self, common: &[Form]) -> Vec<Form> {
        let mut basis = Basis::default();
        common.iter().for_each(|form| {
            basis.add(form);
        });
        independent(&mut basis, self.equations.clone())
    }

    /// What holds in the cell besides some equations.
    fn formula(&self, common: &[Form]) -> Formula {
        let own = self.own(common);
        let equations = own.iter().map(|form| equation(form)).collect::<Vec<_>>();
        let inequalities = self.facets.iter().map(|form| {
            let (more, less) = sides(form);
            (ordered(&less), ordered(&more))
        });
        let mut all = match equations.is_empty() {
            true => Vec::new(),
            false => vec![arranged(equations)],
        };
        all.extend(chained(inequalities.collect()));
        Formula::and(all)
    }
}

/// `a <= b` and `b <= c` as `a <= b <= c`; what has a side in common by `min` and `max`.
fn chained(mut pairs: Vec<(Term, Term)>) -> Vec<Formula> {
    pairs.sort_by_cached_key(|(l, r)| {
        let text = format!("{l} {r}");
        (text.len(), text)
    });
    let mut chains: Vec<Vec<Term>> = Vec::new();
    while !pairs.is_empty() {
        let (l, r) = pairs.remove(0);
        let mut chain = vec![l, r];
        while let Some(at) = pairs.iter().position(|(l, _)| Some(l) == chain.last()) {
            chain.push(pairs.remove(at).1);
        }
        while let Some(at) = pairs.iter().position(|(_, r)| Some(r) == chain.first()) {
            chain.insert(0, pairs.remove(at).0);
        }
        chains.push(chain);
    }
    let mut texts: Vec<Formula> = Vec::new();
    let mut singles: Vec<(Term, Term)> = Vec::new();
    for mut chain in chains {
        match chain.len() {
            2 => {
                let last = chain.remove(1);
                singles.push((chain.remove(0), last));
            }
            _ => {
                let pair = |p: &[Term]| at_most(p[0].clone(), p[1].clone());
                texts.push(Formula::and(chain.windows(2).map(pair)));
            }
        }
    }
    while !singles.is_empty() {
        let (l, r) = singles.remove(0);
        let (same_left, others): (Vec<_>, Vec<_>) = singles.into_iter().partition(|p| p.0 == l);
        if !same_left.is_empty() {
            let items = [r].into_iter().chain(same_left.into_iter().map(|p| p.1)).collect();
            texts.push(at_most(l, ordered(&Term::Min(items))));
            singles = others;
            continue;
        }
        let (same_right, others): (Vec<_>, Vec<_>) = others.into_iter().partition(|p| p.1 == r);
        let items: Vec<Term> = [l].into_iter().chain(same_right.into_iter().map(|p| p.0)).collect();
        texts.push(match &items[..] {
            [one] => at_most(one.clone(), r),
            _ => at_most(ordered(&Term::Max(items)), r),
        });
        singles = others;
    }
    texts.sort_by_cached_key(length);
    texts
}

fn at_most(left: Term, right: Term) -> Formula {
    Formula::Compare(left, Relation::AtMost, right)
}

/// The generators of two cells, or of a cell and an image of it, whose union is one cell.
fn joined(
    shapes: &[Shape],
    group: &[Vec<usize>],
    watch: &dyn Watch,
) -> Result<Option<Vec<u32>>, Stop> {
    for (at, own) in shapes.iter().enumerate() {
        for other in &shapes[at..] {
            watch.check(0)?;
            for g in group {
                let other = other.moved(g);
                if fit(own, &other) {
                    let mut all = [&own.generators[..], &other.generators].concat();
                    all.sort_unstable();
                    all.dedup();
                    return Ok((all.len() <= 64).then_some(all));
                }
            }
        }
    }
    Ok(None)
}

/// Whether two cells lie on the same flat, on both sides of a facet of both, and are otherwise bounded by
/// what holds in both.
fn fit(own: &Shape, other: &Shape) -> bool {
    let on_flat = |shape: &Shape, vectors: &[u32]| {
        shape.equations.iter().all(|form| vectors.iter().all(|&v| value(form, v) == 0))
    };
    if !on_flat(own, &other.generators) || !on_flat(other, &own.generators) {
        return false;
    }
    let outside = |shape: &Shape, vectors: &[u32]| -> Vec<Form> {
        let fails = |form: &&Form| vectors.iter().any(|&v| value(form, v) < 0);
        shape.facets.iter().filter(fails).cloned().collect()
    };
    let (first, second) = (outside(own, &other.generators), outside(other, &own.generators));
    let ([first], [second]) = (&first[..], &second[..]) else { return false };
    // Each is a negative multiple of the other.
    let all = || own.generators.iter().chain(&other.generators);
    let largest = |form: &Form| all().map(|&v| value(form, v).abs()).max().unwrap_or(0);
    let (l, m) = (largest(first), largest(second));
    all().all(|&v| value(first, v) * m == -value(second, v) * l)
}

/// Small forms that are zero at all vectors, the shortest first.
fn equations(stacks: usize, vectors: &[u32], most: i64) -> Vec<Form> {
    let mut distinct = vectors.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    let mut found: Vec<(usize, Form)> = Vec::new();
    forms(stacks, most, &mut |form| {
        let leading = form.iter().find(|&&c| c != 0).is_some_and(|&c| c > 0);
        if leading && distinct.iter().all(|&v| value(form, v) == 0) {
            found.push((cost(form), form.iter().copied().chain([0]).collect()));
        }
    });
    found.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| b.1.cmp(&a.1)));
    let mut basis = Basis::default();
    // The shortest, and whatever it takes for a basis.
    let mut kept = Vec::new();
    for (at, (_, form)) in found.into_iter().enumerate() {
        if basis.add(&form) || at < MOST_EQUATIONS {
            kept.push(form);
        }
    }
    kept
}

/// Those that are independent of what is in the basis and of each other.
fn independent(basis: &mut Basis, forms: Vec<Form>) -> Vec<Form> {
    forms.into_iter().filter(|form| basis.add(form)).collect()
}

/// All forms with coefficients up to a bound, zero apart.
fn forms(stacks: usize, most: i64, each: &mut dyn FnMut(&[i64])) {
    let mut form = vec![-most; stacks];
    loop {
        if form.iter().any(|&c| c != 0) {
            each(&form);
        }
        let Some(at) = form.iter().position(|&c| c < most) else { return };
        form[..at].iter_mut().for_each(|c| *c = -most);
        form[at] += 1;
    }
}

/// The form or its negative: the first coefficient is positive.
fn positive(mut form: Form) -> Form {
    if form.iter().find(|&&c| c != 0).is_some_and(|&c| c < 0) {
        form.iter_mut().for_each(|c| *c = -*c);
    }
    form
}

fn point(stacks: usize, vector: u32) -> Form {
    (0..stacks).map(|s| i64::from(vector >> s & 1)).chain([0]).collect()
}

fn value(form: &[i64], vector: u32) -> i64 {
    form.iter().enumerate().filter(|(s, _)| vector >> s & 1 == 1).map(|(_, c)| c).sum()
}

/// How many letters and factors it takes.
fn cost(form: &[i64]) -> usize {
    form.iter().filter(|&&c| c != 0).map(|c| 1 + usize::from(c.abs() > 1)).sum()
}
