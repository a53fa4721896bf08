//! Cones by their extreme rays, and whether one lies in a union of others.
//!
//! The double description of Motzkin, Raiffa, Thompson and Thrall (1953): a cone is cut by one constraint after
//! the other, and a new ray lies between two old ones that span a face of their own.

use crate::synthesis::Form;

/// More rays, constraints or pieces than these are too many.
const MOST_RAYS: usize = 1_000;
const MOST_ROWS: usize = 120;
const MOST_PIECES: usize = 2_000;

/// A form that is zero, or at least zero.
#[derive(Clone, Copy, Debug)]
pub(super) enum Row<'a> {
    Zero(&'a Form),
    AtLeast(&'a Form),
}

impl Row<'_> {
    fn form(&self) -> &Form {
        match self {
            Row::Zero(form) | Row::AtLeast(form) => form,
        }
    }

    fn holds(&self, point: &[i64]) -> bool {
        match self {
            Row::Zero(form) => at(form, point) == 0,
            Row::AtLeast(form) => at(form, point) >= 0,
        }
    }
}

fn at(form: &[i64], point: &[i64]) -> i128 {
    form.iter().zip(point).map(|(&c, &x)| i128::from(c) * i128::from(x)).sum()
}

#[derive(Clone, Debug)]
pub(super) struct Cone {
    rows: usize,
    /// The rays, each with the constraints that are zero there.
    rays: Vec<(Vec<i64>, u128)>,
}

impl Cone {
    /// All points with heights that are not negative where some rows hold; `None` if it takes too many rays.
    pub(super) fn new<'a>(stacks: usize, rows: impl IntoIterator<Item = Row<'a>>) -> Option<Cone> {
        let all = (1u128 << stacks) - 1;
        let unit = |own: usize| {
            let point = (0..stacks).map(|s| i64::from(s == own)).collect();
            (point, all & !(1 << own))
        };
        let mut cone = Cone { rows: stacks, rays: (0..stacks).map(unit).collect() };
        rows.into_iter().try_for_each(|row| cone.cut(row.form(), matches!(row, Row::Zero(_))))?;
        Some(cone)
    }

    pub(super) fn rays(&self) -> impl Iterator<Item = &[i64]> {
        self.rays.iter().map(|(point, _)| &point[..])
    }

    /// Leaves where a form is zero, or at least zero.
    fn cut(&mut self, form: &[i64], zero: bool) -> Option<()> {
        let bit = 1u128 << self.rows;
        self.rows += 1;
        let values: Vec<i128> = self.rays.iter().map(|(point, _)| at(form, point)).collect();
        let mut new = Vec::new();
        let below: Vec<usize> = (0..values.len()).filter(|&j| values[j] < 0).collect();
        let above = (0..values.len()).filter(|&i| values[i] > 0);
        for (i, j) in above.flat_map(|i| below.iter().map(move |&j| (i, j))) {
            let common = self.rays[i].1 & self.rays[j].1;
            let apart =
                |(k, ray): (usize, &(Vec<i64>, u128))| k == i || k == j || common & !ray.1 != 0;
            if self.rays.iter().enumerate().all(apart) {
                let pairs = self.rays[i].0.iter().zip(&self.rays[j].0);
                let point: Vec<i128> = pairs
                    .map(|(&x, &y)| i128::from(x) * -values[j] + i128::from(y) * values[i])
                    .collect();
                let divisor = point.iter().copied().fold(0, nimatron_linear::gcd).max(1);
                let point = point.iter().map(|x| i64::try_from(x / divisor).ok());
                new.push((point.collect::<Option<Vec<i64>>>()?, common | bit));
            }
        }
        let mut rays = Vec::new();
        for ((point, zeros), value) in std::mem::take(&mut self.rays).into_iter().zip(values) {
            if value == 0 {
                rays.push((point, zeros | bit));
            } else if value > 0 && !zero {
                rays.push((point, zeros));
            }
        }
        rays.extend(new);
        self.rays = rays;
        (self.rays.len() <= MOST_RAYS && self.rows <= MOST_ROWS).then_some(())
    }

    /// A point inside.
    fn centre(&self, stacks: usize) -> Vec<i64> {
        let mut centre = vec![0i64; stacks];
        for point in self.rays() {
            centre.iter_mut().zip(point).for_each(|(x, y)| *x = x.saturating_add(*y));
        }
        centre
    }
}

/// Whether a point lies in one of the parts.
pub(super) fn is_covered(parts: &[Vec<Row<'_>>], point: &[i64]) -> bool {
    parts.iter().any(|part| part.iter().all(|row| row.holds(point)))
}

/// Whether a cone lies in the union of others, each given by its rows. `None` if that takes too long.
pub(super) fn covers(stacks: usize, parts: &[Vec<Row<'_>>], cone: Cone) -> Option<bool> {
    let (mut pieces, mut number) = (vec![cone], 0);
    while let Some(piece) = pieces.pop() {
        let inside = |row: &Row<'_>| piece.rays().all(|ray| row.holds(ray));
        if parts.iter().any(|part| part.iter().all(inside)) {
            continue;
        }
        if !piece.rays().all(|ray| is_covered(parts, ray)) {
            return Some(false);
        }
        let centre = piece.centre(stacks);
        let part = parts.iter().find(|part| part.iter().all(|row| row.holds(&centre)));
        let Some(part) = part else { return Some(false) };
        number += 1;
        if number > MOST_PIECES {
            return None;
        }
        // Both sides of a row that does not hold in all of it.
        let row = part.iter().find(|row| !inside(row))?;
        let opposite: Form = row.form().iter().map(|c| -c).collect();
        for form in [row.form(), &opposite] {
            let mut half = piece.clone();
            half.cut(form, false)?;
            pieces.push(half);
        }
    }
    Some(true)
}

/// A basis of the span of some points, solved: each row is a combination of points, followed by its
/// coefficients, and zero in the pivots of all others.
struct Span {
    stacks: usize,
    rows: Vec<(usize, Vec<i128>)>,
    /// The points that do not belong to the basis.
    others: Vec<Vec<i64>>,
}

impl Span {
    fn new(stacks: usize, points: &[Vec<i64>]) -> Self {
        let mut span = Span { stacks, rows: Vec::new(), others: Vec::new() };
        for point in points {
            let mut row: Vec<i128> = point.iter().map(|&x| x.into()).collect();
            row.resize(2 * stacks + 1, 0);
            row[stacks + span.rows.len()] = 1;
            span.rows.iter().for_each(|(pivot, own)| eliminate(&mut row, own, *pivot));
            let Some(pivot) = row[..stacks].iter().position(|&x| x != 0) else {
                span.others.push(point.clone());
                continue;
            };
            span.rows.iter_mut().for_each(|(_, own)| eliminate(own, &row, pivot));
            span.rows.push((pivot, row));
        }
        span
    }

    /// A point of the span is the sum of these multiples of its heights at pivots, divided by this number.
    fn scale(&self) -> i128 {
        self.rows.iter().fold(1, |all, (pivot, row)| {
            let own = row[*pivot].abs();
            all / nimatron_linear::gcd(all, own).max(1) * own
        })
    }
}

fn eliminate(row: &mut [i128], other: &[i128], pivot: usize) {
    let (factor, by) = (row[pivot], other[pivot]);
    if factor != 0 {
        row.iter_mut().zip(other).for_each(|(x, y)| *x = *x * by - y * factor);
        let divisor = row.iter().copied().fold(0, nimatron_linear::gcd).abs().max(1);
        row.iter_mut().for_each(|x| *x /= divisor);
    }
}

/// Independent forms that are zero at all points.
pub(super) fn equations(stacks: usize, points: &[Vec<i64>]) -> Vec<Form> {
    let span = Span::new(stacks, points);
    let scale = span.scale();
    let free = (0..stacks).filter(|s| span.rows.iter().all(|(pivot, _)| pivot != s));
    let form = |stack: usize| {
        let mut form = vec![0; stacks];
        form[stack] = -scale;
        for (pivot, row) in &span.rows {
            form[*pivot] = row[stack] * (scale / row[*pivot]);
        }
        small(&form)
    };
    free.filter_map(form).collect()
}

/// The facets of the cone that points span: forms on its span, told by the heights at its pivots. `None` if
/// there are too many.
///
/// A form is given by its values at a basis, and so are its values at the other points. Forms that are
/// nowhere negative are a cone in these coordinates, and its extreme rays are the facets.
pub(super) fn facets(stacks: usize, points: &[Vec<i64>]) -> Option<Vec<Form>> {
    let span = Span::new(stacks, points);
    let (scale, dimension) = (span.scale(), span.rows.len());
    // What a basis vector contributes to a point, by pivot.
    let coordinate = |number: usize, (pivot, row): &(usize, Vec<i128>)| {
        row[span.stacks + number] * (scale / row[*pivot])
    };
    let mut values: Vec<Form> = Vec::new();
    for point in &span.others {
        let value = |number: usize| {
            let parts =
                span.rows.iter().map(|row| coordinate(number, row) * i128::from(point[row.0]));
            parts.sum::<i128>()
        };
        values.push(small(&(0..dimension).map(value).collect::<Vec<i128>>())?);
    }
    let forms = Cone::new(dimension, values.iter().map(Row::AtLeast))?;
    let form = |ray: &[i64]| {
        let mut form = vec![0; stacks];
        for row in &span.rows {
            let parts = ray.iter().enumerate();
            form[row.0] = parts.map(|(number, &z)| coordinate(number, row) * i128::from(z)).sum();
        }
        small(&form)
    };
    forms.rays().map(form).collect()
}

/// A form in lowest terms, if its coefficients are not huge.
fn small(form: &[i128]) -> Option<Form> {
    let divisor = form.iter().copied().fold(0, nimatron_linear::gcd).abs().max(1);
    form.iter().map(|c| i64::try_from(c / divisor).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cones_in_unions() {
        // Where a+b = c+d, and one of a, b, c is the least of these.
        let equation = vec![1, 1, -1, -1];
        let differences = [[1, -1, 0, 0], [1, 0, -1, 0], [0, 1, -1, 0]].map(|f| f.to_vec());
        let opposites = differences.clone().map(|f| f.iter().map(|c| -c).collect::<Form>());
        let [ab, ac, bc] = &differences;
        let [ba, ca, cb] = &opposites;
        let least = [[ba, ca], [ab, cb], [ac, bc]];
        let parts: Vec<Vec<Row<'_>>> =
            least.iter().map(|forms| forms.map(Row::AtLeast).to_vec()).collect();
        let flat = Cone::new(4, [Row::Zero(&equation)]).unwrap();
        assert_eq!(flat.rays().count(), 4);
        assert_eq!(covers(4, &parts, flat.clone()), Some(true));
        assert_eq!(covers(4, &parts[..2], flat), Some(false));
    }
}
