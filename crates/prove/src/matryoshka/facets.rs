//! Cells as equations and inequalities.
//!
//! The cone that the generators of a cell span is given by the linear equations that hold at all of them
//! and by its *facets*: forms that are nowhere negative and zero at so many generators that these span all
//! but one dimension. On the flat of a cell a form may be told in many ways; of these, the shortest is taken. Two
//! cells on the same flat, one on each side of a facet of both, become one if nothing is between them; of
//! many cells also those whose hull belongs to the union; and what can be left out while a cell stays
//! within the union is left out. Nothing is proved here: the checker compares the formula with the cells by
//! itself.

use super::cones::{self, Cone, Row, covers, is_covered};
use crate::synthesis::{Basis, Form, arranged, closure, equation, ordered, sides};
use nimatron_formula::{Formula, Relation, Term};
use nimatron_game::{Stop, Watch};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// More cells up to symmetry than this are not put together.
const MOST_CELLS: usize = 400;

/// On more stacks there are too many forms.
const MOST_STACKS: usize = 12;

/// A formula in linear constraints for the union of the cells, which the relabellings permute. `None` if
/// there are too many stacks, cells or generators.
pub(super) fn formula(
    stacks: usize,
    cells: &[Vec<u32>],
    symmetries: &[Vec<usize>],
    watch: &dyn Watch,
) -> Result<Option<Formula>, Stop> {
    if stacks > MOST_STACKS || cells.iter().any(|cell| cell.len() > 64) {
        return Ok(None);
    }
    let group = closure(stacks, symmetries);
    let Some(first) = representatives(cells, &group) else { return Ok(None) };
    let mut shapes = Vec::new();
    for cell in &first {
        watch.check(0)?;
        let Some(shape) = Shape::new(stacks, cell) else { return Ok(None) };
        shapes.push(shape);
    }
    let shapes = merged(shapes, &group, watch)?;
    let shapes = hulls(stacks, shapes, &group, watch)?;
    let shapes = wider(stacks, shapes, &group, watch)?;
    let everything: BTreeSet<u32> = cells.iter().flatten().copied().collect();
    let everything: Vec<Vec<i64>> = everything.iter().map(|&v| point(stacks, v)).collect();
    let common = equations(stacks, &everything);
    let common = independent(&mut Basis::default(), &common);
    let mut best: Vec<(Formula, Shape)> = Vec::new();
    for shape in &shapes {
        watch.check(0)?;
        let images = group.iter().map(|g| shape.moved(g));
        let told = images.map(|image| (image.formula(&common), image));
        best.extend(told.min_by_key(|(formula, _)| length(formula)));
    }
    let mut plain = whole(common.clone(), best.into_iter().map(|(_, shape)| shape).collect());
    if common.is_empty() && shapes.len() >= FEW_SHAPES {
        let grouped = grouped(&shapes, &group, watch)?;
        if length(&grouped) < length(&plain) {
            plain = grouped;
        }
    }
    let symmetric = shapes.iter().all(|shape| {
        let image = |g: &Vec<usize>| -> Vec<Form> {
            shape.generators.iter().map(|v| relabelled(v, g)).collect()
        };
        let mut images = group.iter().map(image);
        images.all(|image| shapes.iter().any(|other| other.contains(&image)))
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

/// So many equations of each image of a cell are offered to the others.
const OFFERED: usize = 8;

/// The union of images of cells, put together by an equation that as many as possible have in common.
fn grouped(shapes: &[Shape], group: &[Vec<usize>], watch: &dyn Watch) -> Result<Formula, Stop> {
    let mut left: Vec<Vec<Shape>> =
        shapes.iter().map(|shape| group.iter().map(|g| shape.moved(g)).collect()).collect();
    let mut parts = Vec::new();
    while !left.is_empty() {
        watch.check(0)?;
        let mut shared: BTreeMap<(usize, Form), usize> = BTreeMap::new();
        for images in &left {
            let offered = images.iter().flat_map(|image| image.equations.iter().take(OFFERED));
            for form in offered.collect::<HashSet<_>>() {
                *shared.entry((cost(form), form.clone())).or_default() += 1;
            }
        }
        let best = shared.iter().min_by_key(|(form, count)| (std::cmp::Reverse(**count), *form));
        let Some(((_, form), _)) = best else { break };
        let has = |image: &&Shape| image.equations.iter().take(OFFERED).any(|own| own == form);
        let common = [form.clone()];
        let mut chosen = Vec::new();
        left.retain(|images| {
            let fitting = images.iter().filter(has);
            let least = fitting.min_by_key(|image| length(&image.formula(&common)));
            chosen.extend(least.cloned());
            least.is_none()
        });
        parts.push(whole(if chosen.len() == 1 { Vec::new() } else { common.to_vec() }, chosen));
    }
    parts.sort_by_cached_key(length);
    Ok(Formula::or(parts))
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
    stacks: usize,
    generators: Vec<Vec<i64>>,
    /// Equations, the shortest first; more than are needed.
    equations: Vec<Form>,
    /// Forms that are not negative, those of single stacks left out.
    facets: Vec<Form>,
}

impl Shape {
    /// The cell that 0/1 vectors span; `None` if it has too many facets.
    fn new(stacks: usize, vectors: &[u32]) -> Option<Self> {
        let generators: Vec<Vec<i64>> = vectors.iter().map(|&v| point(stacks, v)).collect();
        let zeros = |form: &[i64]| -> Vec<bool> {
            generators.iter().map(|g| value(form, g) == 0).collect()
        };
        let unit = |s: usize| (0..stacks).map(|t| i64::from(s == t)).collect::<Vec<i64>>();
        let of_stacks: HashSet<Vec<bool>> = (0..stacks).map(|s| zeros(&unit(s))).collect();
        let equations = equations(stacks, &generators);
        let flat = independent(&mut Basis::default(), &equations);
        let combinations = combinations(&flat);
        let mut facets: Vec<(usize, Form)> = Vec::new();
        for mut facet in cones::facets(stacks, &generators)? {
            if of_stacks.contains(&zeros(&facet)) {
                continue;
            }
            // What is zero on the flat may be added.
            facet.push(0);
            facets.push(told_best(&facet, &combinations));
        }
        facets.sort();
        let facets = facets.into_iter().map(|(_, form)| form).collect();
        Some(Shape { stacks, generators, equations, facets })
    }

    /// Whether vectors lie in the cone.
    fn contains(&self, vectors: &[Vec<i64>]) -> bool {
        let zero = |form: &Form| vectors.iter().all(|v| value(form, v) == 0);
        let inside = |form: &Form| vectors.iter().all(|v| value(form, v) >= 0);
        self.equations.iter().all(zero) && self.facets.iter().all(inside)
    }

    /// The image under a relabelling.
    fn moved(&self, g: &[usize]) -> Shape {
        let form = |form: &Form| relabelled(form, g);
        let mut equations: Vec<Form> = self.equations.iter().map(form).map(positive).collect();
        equations.sort_by_cached_key(|form| (cost(form), std::cmp::Reverse(form.clone())));
        let mut generators: Vec<Vec<i64>> =
            self.generators.iter().map(|v| relabelled(v, g)).collect();
        generators.sort_unstable();
        let facets = self.facets.iter().map(form).collect();
        Shape { stacks: self.stacks, generators, equations, facets }
    }

    /// Everything that it takes to belong to the cell, with these of its equations.
    fn rows<'a>(&'a self, equations: &'a [Form]) -> Vec<Row<'a>> {
        let facets = self.facets.iter().map(Row::AtLeast);
        equations.iter().map(Row::Zero).chain(facets).collect()
    }

    /// Independent equations of the cell, besides those in `common`.
    fn own(&self, common: &[Form]) -> Vec<Form> {
        let mut basis = Basis::default();
        common.iter().for_each(|form| {
            basis.add(form);
        });
        independent(&mut basis, &self.equations)
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

/// The shapes with those joined whose union, or that of images of them, is one cell.
fn merged(
    mut shapes: Vec<Shape>,
    group: &[Vec<usize>],
    watch: &dyn Watch,
) -> Result<Vec<Shape>, Stop> {
    let mut images: Vec<Vec<Image>> = shapes.iter().map(|shape| shape.images(group)).collect();
    let mut numbers: Vec<usize> = (0..shapes.len()).collect();
    let (mut apart, mut next) = (HashSet::new(), shapes.len());
    while let Some(joined) = joined(&shapes, &images, &numbers, &mut apart, watch)? {
        let mut at = 0;
        while at < shapes.len() {
            if images[at].iter().any(|image| joined.contains(&image.generators)) {
                shapes.remove(at);
                images.remove(at);
                numbers.remove(at);
            } else {
                at += 1;
            }
        }
        images.push(joined.images(group));
        shapes.push(joined);
        numbers.push(next);
        next += 1;
    }
    Ok(shapes)
}

/// The image of a cell under a relabelling.
struct Image {
    generators: Vec<Vec<i64>>,
    /// Independent equations.
    equations: Vec<Form>,
    facets: Vec<Form>,
}

impl Image {
    fn rows(&self) -> Vec<Row<'_>> {
        let facets = self.facets.iter().map(Row::AtLeast);
        self.equations.iter().map(Row::Zero).chain(facets).collect()
    }

    /// Whether it spans the flat of these independent equations.
    fn spans(&self, equations: &[Form]) -> bool {
        let zero = |form: &Form| self.generators.iter().all(|g| value(form, g) == 0);
        self.equations.len() == equations.len() && equations.iter().all(zero)
    }
}

/// The union of two cells, or of a cell and an image, that is one cell. In `apart` are the pairs, by number,
/// that have been tried in vain.
fn joined(
    shapes: &[Shape],
    images: &[Vec<Image>],
    numbers: &[usize],
    apart: &mut HashSet<(usize, usize)>,
    watch: &dyn Watch,
) -> Result<Option<Shape>, Stop> {
    for (at, own) in shapes.iter().enumerate() {
        let Some(first) = images[at].first() else { continue };
        for other in at..shapes.len() {
            if apart.contains(&(numbers[at], numbers[other])) {
                continue;
            }
            watch.check(0)?;
            let same_flat = images[other].iter().filter(|image| image.spans(&first.equations));
            if let Some(joined) = same_flat.filter_map(|image| own.with(image)).next() {
                return Ok(Some(joined));
            }
            apart.insert((numbers[at], numbers[other]));
        }
    }
    Ok(None)
}

impl Shape {
    /// All images, the cell itself first.
    fn images(&self, group: &[Vec<usize>]) -> Vec<Image> {
        let own = self.own(&[]);
        let image = |g: &Vec<usize>| {
            let mut generators: Vec<Vec<i64>> =
                self.generators.iter().map(|v| relabelled(v, g)).collect();
            generators.sort_unstable();
            let facets = self.facets.iter().map(|form| relabelled(form, g)).collect();
            let equations = own.iter().map(|form| relabelled(form, g)).collect();
            Image { generators, equations, facets }
        };
        group.iter().map(image).collect()
    }

    /// The union with a cell on the same flat, if the two lie on both sides of a facet of both and are
    /// otherwise bounded by what holds in both.
    fn with(&self, other: &Image) -> Option<Shape> {
        let crossed = |facets: &[Form], vectors: &[Vec<i64>]| {
            let fails = |form: &Form| vectors.iter().any(|v| value(form, v) < 0);
            let mut crossed = facets.iter().enumerate().filter(|(_, form)| fails(form));
            let only = crossed.next().map(|(at, _)| at);
            only.filter(|_| crossed.next().is_none())
        };
        let first = crossed(&self.facets, &other.generators)?;
        let second = crossed(&other.facets, &self.generators)?;
        let (wall, opposite) = (&self.facets[first], &other.facets[second]);
        // Each is a negative multiple of the other.
        let all = || self.generators.iter().chain(&other.generators);
        let largest = |form: &Form| all().map(|v| value(form, v).abs()).max().unwrap_or(0);
        let (l, m) = (largest(wall), largest(opposite));
        if !all().all(|v| value(wall, v) * m == -value(opposite, v) * l) {
            return None;
        }
        let mut generators: Vec<Vec<i64>> = all().cloned().collect();
        generators.sort_unstable();
        generators.dedup();
        let facets = self.facets.iter().enumerate().filter(|(at, _)| *at != first);
        let others = other.facets.iter().enumerate().filter(|(at, _)| *at != second);
        let mut facets: Vec<Form> = facets.chain(others).map(|(_, form)| form.clone()).collect();
        facets.sort_by_cached_key(|form| (cost(form), form.clone()));
        // Forms that are zero at the same generators are the same on this flat.
        let zeros =
            |form: &Form| -> Vec<bool> { generators.iter().map(|v| value(form, v) == 0).collect() };
        let mut seen = HashSet::new();
        facets.retain(|form| seen.insert(zeros(form)));
        // What lies between others is no generator.
        let bounds = |v: &[i64]| -> Vec<bool> {
            let facets = facets.iter().map(|form| value(form, v) == 0);
            facets.chain(v.iter().map(|&x| x == 0)).collect()
        };
        let all: Vec<(Vec<i64>, Vec<bool>)> =
            generators.iter().map(|v| (v.clone(), bounds(v))).collect();
        let within = |own: &[bool], other: &[bool]| own.iter().zip(other).all(|(a, b)| !a || *b);
        generators.retain(|v| {
            let own = bounds(v);
            !all.iter().any(|(w, other)| w != v && within(&own, other))
        });
        let equations = self.equations.clone();
        (generators.len() <= 64).then_some(Shape {
            stacks: self.stacks,
            generators,
            equations,
            facets,
        })
    }
}

/// The cells with more of them joined: whatever lies between some on the same flat, if all of that belongs to
/// the union.
fn hulls(
    stacks: usize,
    mut shapes: Vec<Shape>,
    group: &[Vec<usize>],
    watch: &dyn Watch,
) -> Result<Vec<Shape>, Stop> {
    if shapes.len() < FEW_SHAPES {
        return Ok(shapes);
    }
    let all = images_of(&shapes, group);
    let parts: Vec<Vec<Row<'_>>> = all.iter().map(|(_, image)| image.rows()).collect();
    let mut at = 0;
    while at < shapes.len() {
        let mut shape = shapes.remove(at);
        let parts = useful(&parts, &shape.generators);
        let belongs = |point: &[i64]| is_covered(&parts, point);
        let flat = shape.own(&[]);
        for (_, other) in all.iter().filter(|(_, other)| other.spans(&flat)) {
            watch.check(0)?;
            if shape.contains(&other.generators) {
                continue;
            }
            // Most of what does not belong to the union is seen here.
            let sum = |a: &[i64], b: &[i64]| -> Vec<i64> {
                a.iter().zip(b).map(|(x, y)| x + y).collect()
            };
            let between = |g: &Vec<i64>| other.generators.iter().all(|h| belongs(&sum(g, h)));
            let both = shape.generators.iter().chain(&other.generators);
            let centre = both.fold(vec![0; stacks], |all, g| sum(&all, g));
            if !belongs(&centre) || !shape.generators.iter().all(between) {
                continue;
            }
            let mut vectors: Vec<u32> =
                shape.generators.iter().chain(&other.generators).map(|g| mask(g)).collect();
            vectors.sort_unstable();
            vectors.dedup();
            if vectors.len() > 64 {
                continue;
            }
            let Some(hull) = Shape::new(stacks, &vectors) else { continue };
            let cone = Cone::new(stacks, hull.rows(&hull.own(&[])));
            if cone.and_then(|cone| covers(stacks, &parts, cone)) == Some(true) {
                shape = hull;
            }
        }
        shapes.retain(|other| {
            !group.iter().any(|g| {
                let image: Vec<Vec<i64>> =
                    other.generators.iter().map(|v| relabelled(v, g)).collect();
                shape.contains(&image)
            })
        });
        at = at.min(shapes.len());
        shapes.insert(at, shape);
        at += 1;
    }
    Ok(shapes)
}

/// So few cells up to symmetry are not looked at again.
const FEW_SHAPES: usize = 4;

/// A 0/1 vector as a set.
fn mask(point: &[i64]) -> u32 {
    point.iter().enumerate().filter(|(_, x)| **x != 0).fold(0, |set, (s, _)| set | 1 << s)
}

/// The cells, each without as many of its facets as can be left out while it stays within the union; and without
/// those that others make superfluous.
fn wider(
    stacks: usize,
    shapes: Vec<Shape>,
    group: &[Vec<usize>],
    watch: &dyn Watch,
) -> Result<Vec<Shape>, Stop> {
    let all = images_of(&shapes, group);
    let parts: Vec<Vec<Row<'_>>> = all.iter().map(|(_, image)| image.rows()).collect();
    let mut wide: Vec<Shape> = Vec::new();
    for mut shape in shapes {
        let own = shape.own(&[]);
        let parts = useful(&parts, &shape.generators);
        // The longest first.
        for at in (0..shape.facets.len()).rev() {
            watch.check(0)?;
            let mut fewer = shape.clone();
            fewer.facets.remove(at);
            let Some(cone) = Cone::new(stacks, fewer.rows(&own)) else { continue };
            fewer.generators = cone.rays().map(|ray| ray.to_vec()).collect();
            fewer.generators.sort_unstable();
            if covers(stacks, &parts, cone) == Some(true) {
                shape = fewer;
            }
        }
        wide.push(shape);
    }
    let text = |shape: &Shape| length(&shape.formula(&[]));
    wide.sort_by_cached_key(|shape| std::cmp::Reverse(text(shape)));
    let images = images_of(&wide, group);
    let mut gone: Vec<bool> = vec![false; wide.len()];
    for (number, shape) in wide.iter().enumerate() {
        watch.check(0)?;
        let others = images.iter().filter(|(of, _)| *of != number && !gone[*of]);
        let parts: Vec<Vec<Row<'_>>> = others.map(|(_, image)| image.rows()).collect();
        let parts = useful(&parts, &shape.generators);
        let cone = Cone::new(stacks, shape.rows(&shape.own(&[])));
        gone[number] = cone.and_then(|cone| covers(stacks, &parts, cone)) == Some(true);
    }
    let mut kept = gone.iter().map(|gone| !gone);
    wide.retain(|_| kept.next().unwrap_or(true));
    Ok(wide)
}

/// The parts that hold what some points span: of closed cones, others are of no use to cover that.
fn useful<'a>(parts: &[Vec<Row<'a>>], points: &[Vec<i64>]) -> Vec<Vec<Row<'a>>> {
    let zero = |row: &Row<'a>| match row {
        Row::Zero(form) => points.iter().all(|point| value(form, point) == 0),
        Row::AtLeast(_) => true,
    };
    parts.iter().filter(|part| part.iter().all(zero)).cloned().collect()
}

/// All images of cells, each with the number of the cell.
fn images_of(shapes: &[Shape], group: &[Vec<usize>]) -> Vec<(usize, Image)> {
    let mut all = Vec::new();
    for (number, shape) in shapes.iter().enumerate() {
        let mut seen = HashSet::new();
        let images = shape.images(group).into_iter();
        let new = images.filter(|image| seen.insert(image.generators.clone()));
        all.extend(new.map(|image| (number, image)));
    }
    all
}

/// A form with other names for the stacks.
fn relabelled(form: &[i64], g: &[usize]) -> Form {
    let mut moved = form.to_vec();
    g.iter().enumerate().for_each(|(s, &t)| moved[t] = form[s]);
    moved
}

/// Short forms that are zero at all points, the shortest first.
fn equations(stacks: usize, points: &[Vec<i64>]) -> Vec<Form> {
    let flat: Vec<Form> = cones::equations(stacks, points)
        .into_iter()
        .map(|form| form.into_iter().chain([0]).collect())
        .collect();
    let mut found: Vec<(usize, Form)> = combinations(&flat)
        .into_iter()
        .filter(|form| form.iter().any(|&c| c != 0))
        .map(|form| positive(reduced(form)))
        .map(|form| (cost(&form), form))
        .collect();
    found.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| b.1.cmp(&a.1)));
    found.dedup();
    // Those that are offered to other cells, whatever it takes for a basis, and all others that are no longer: so
    // the images of a cell have the images of its equations.
    let (mut basis, mut left, mut most) = (Basis::default(), flat.len(), 0);
    let mut kept = Vec::new();
    for (at, (cost, form)) in found.into_iter().enumerate() {
        let needed = left > 0 || at < OFFERED;
        if !needed && cost > most {
            break;
        }
        if left > 0 && basis.add(&form) {
            left -= 1;
        }
        if needed {
            most = cost;
        }
        kept.push(form);
    }
    kept
}

/// At most about so many combinations of equations are looked at.
const MOST_COMBINATIONS: usize = 3_200;

/// Sums of small multiples of forms, nothing at all among them.
fn combinations(forms: &[Form]) -> Vec<Form> {
    let Some(first) = forms.first() else { return vec![Vec::new()] };
    let few = |most: &i64| {
        let each = 2 * *most as usize + 1;
        each.checked_pow(forms.len() as u32).is_some_and(|all| all <= MOST_COMBINATIONS)
    };
    let most = (1..=3).rev().find(few).unwrap_or(1);
    let mut all = vec![vec![0; first.len()]];
    for form in forms {
        let with = |sum: &Form| {
            let sum = sum.clone();
            (-most..=most).map(move |k| sum.iter().zip(form).map(|(a, b)| a + k * b).collect())
        };
        all = all.iter().flat_map(with).collect();
    }
    all
}

/// Of a form and its double, each with one of the combinations added, the one of the least cost, which comes
/// first; with its cost.
fn told_best(form: &[i64], combinations: &[Form]) -> (usize, Form) {
    let mut best = (usize::MAX, Form::new());
    let mut sum = form.to_vec();
    for (other, factor) in combinations.iter().flat_map(|other| [(other, 1), (other, 2)]) {
        let parts = form.iter().zip(other);
        sum.iter_mut().zip(parts).for_each(|(sum, (c, o))| *sum = factor * c + o);
        // Each letter costs at least that.
        if sum.iter().filter(|&&c| c != 0).count() <= best.0 {
            let told = reduced(sum.clone());
            best = best.min((cost(&told), told));
        }
    }
    best
}

/// A form without what all its coefficients have in common.
fn reduced(mut form: Form) -> Form {
    let divisor = form.iter().fold(0, |a, &b| nimatron_linear::gcd(a, b.abs())).max(1);
    form.iter_mut().for_each(|c| *c /= divisor);
    form
}

/// Those that are independent of what is in the basis and of each other.
fn independent(basis: &mut Basis, forms: &[Form]) -> Vec<Form> {
    forms.iter().filter(|form| basis.add(form)).cloned().collect()
}

/// The form or its negative: the first coefficient is positive.
fn positive(mut form: Form) -> Form {
    if form.iter().find(|&&c| c != 0).is_some_and(|&c| c < 0) {
        form.iter_mut().for_each(|c| *c = -*c);
    }
    form
}

fn point(stacks: usize, vector: u32) -> Vec<i64> {
    (0..stacks).map(|s| i64::from(vector >> s & 1)).collect()
}

fn value(form: &[i64], point: &[i64]) -> i64 {
    form.iter().zip(point).map(|(c, x)| c * x).sum()
}

/// How many letters and factors it takes.
fn cost(form: &[i64]) -> usize {
    form.iter().filter(|&&c| c != 0).map(|c| 1 + usize::from(c.abs() > 1)).sum()
}
