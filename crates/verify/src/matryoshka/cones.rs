//! Cones and what bounds them: the double description of Motzkin, Raiffa, Thompson and Thrall (1953).

use crate::flaw::{Budget, Rejection, flaw};
use crate::row::Row;

/// The most rays on the way.
const MAX_RAYS: usize = 2_000;

/// The most constraints, those that no coordinate is negative included.
const MAX_ROWS: usize = 128;

/// What satisfies constraints, by extreme rays. A point has a coordinate for each stack and one more, `t`, by
/// which the constants of constraints are multiplied: it is 1 at positions, and 0 in directions.
#[derive(Clone)]
pub(super) struct Cone {
    rows: usize,
    pub(super) rays: Vec<Ray>,
}

#[derive(Clone)]
pub(super) struct Ray {
    /// The least integers.
    pub(super) point: Vec<i128>,
    /// The constraints that are zero there, those of the coordinates first.
    zeros: u128,
}

pub(super) fn too_large() -> Rejection {
    flaw("limit", "a number is too large")
}

/// Small numbers, nearly all, have a product that fits.
fn product(a: i128, b: i128) -> Option<i128> {
    match (i64::try_from(a), i64::try_from(b)) {
        (Ok(a), Ok(b)) => Some(i128::from(a) * i128::from(b)),
        _ => a.checked_mul(b),
    }
}

/// The value of a form at a point.
pub(super) fn at(row: &Row, point: &[i128]) -> Result<i128, Rejection> {
    let last = point.last().copied().unwrap_or(0);
    let constant = row.constant.checked_mul(last).ok_or_else(too_large)?;
    row.terms.iter().try_fold(constant, |sum, &(s, c)| {
        let product = point.get(s).and_then(|&x| product(x, c)).ok_or_else(too_large)?;
        sum.checked_add(product).ok_or_else(too_large)
    })
}

/// Whether a row holds at a point.
pub(super) fn holds(row: &Row, point: &[i128]) -> Result<bool, Rejection> {
    let value = at(row, point)?;
    Ok(if row.equation { value == 0 } else { value >= 0 })
}

impl Cone {
    /// The cone of all non-negative points where the rows hold; `None` if it has too many rays.
    pub(super) fn new<'r>(
        coordinates: usize,
        rows: impl IntoIterator<Item = &'r Row>,
        budget: &mut Budget,
    ) -> Result<Option<Cone>, Rejection> {
        let all = (1u128 << coordinates) - 1;
        let unit = |own: usize| Ray {
            point: (0..coordinates).map(|s| i128::from(s == own)).collect(),
            zeros: all & !(1 << own),
        };
        let mut cone = Cone { rows: coordinates, rays: (0..coordinates).map(unit).collect() };
        for row in rows {
            if !cone.cut(row, budget)? {
                return Ok(None);
            }
        }
        Ok(Some(cone))
    }

    /// Leaves what satisfies one more row; `false` if that takes too many rays.
    pub(super) fn cut(&mut self, row: &Row, budget: &mut Budget) -> Result<bool, Rejection> {
        if self.rows >= MAX_ROWS {
            return Ok(false);
        }
        let bit = 1u128 << self.rows;
        self.rows += 1;
        let values = self.rays.iter().map(|ray| at(row, &ray.point));
        let values = values.collect::<Result<Vec<i128>, _>>()?;
        let with = |sign: i128| -> Vec<usize> {
            (0..values.len()).filter(|&i| values[i].signum() == sign).collect()
        };
        let (above, below) = (with(1), with(-1));
        let mut new = Vec::new();
        for (&i, &j) in above.iter().flat_map(|i| below.iter().map(move |j| (i, j))) {
            budget.spend(self.rays.len() + self.rays[i].point.len())?;
            let common = self.rays[i].zeros & self.rays[j].zeros;
            // Two rays span a face of their own if no other ray lies in it.
            let apart = |(k, ray): (usize, &Ray)| k == i || k == j || common & !ray.zeros != 0;
            if self.rays.iter().enumerate().all(apart) {
                let point = between(&self.rays[i], values[i], &self.rays[j], -values[j])?;
                new.push(Ray { point, zeros: common | bit });
            }
        }
        let mut rays = Vec::new();
        for (mut ray, value) in std::mem::take(&mut self.rays).into_iter().zip(values) {
            if value == 0 {
                ray.zeros |= bit;
            }
            if value == 0 || value > 0 && !row.equation {
                rays.push(ray);
            }
        }
        rays.extend(new);
        self.rays = rays;
        Ok(self.rays.len() <= MAX_RAYS)
    }

    /// Whether all of it satisfies some rows.
    pub(super) fn satisfies<'r>(
        &self,
        rows: impl IntoIterator<Item = &'r Row>,
        budget: &mut Budget,
    ) -> Result<bool, Rejection> {
        for row in rows {
            budget.spend(1 + self.rays.len())?;
            for ray in &self.rays {
                if !holds(row, &ray.point)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Whether there is no position in it.
    pub(super) fn is_void(&self) -> bool {
        self.rays.iter().all(|ray| ray.point.last() == Some(&0))
    }

    /// Some positions in it: inside, seen from each corner that has integers only. Other numbers lead to
    /// other ones.
    pub(super) fn positions(&self, number: i128) -> Result<Vec<Vec<i128>>, Rejection> {
        let has = |t: i128| move |ray: &&Ray| ray.point.last() == Some(&t);
        let corners = self.rays.iter().filter(has(1));
        let mut inwards = vec![0; self.rays.first().map_or(0, |ray| ray.point.len())];
        for (at, ray) in (0..).zip(self.rays.iter().filter(has(0))) {
            let times = 1 + number * at % 7;
            let step: Option<Vec<i128>> = ray.point.iter().map(|x| x.checked_mul(times)).collect();
            inwards = plus(&inwards, &step.ok_or_else(too_large)?)?;
        }
        corners.map(|corner| plus(&corner.point, &inwards)).collect()
    }
}

fn plus(a: &[i128], b: &[i128]) -> Result<Vec<i128>, Rejection> {
    a.iter().zip(b).map(|(x, y)| x.checked_add(*y).ok_or_else(too_large)).collect()
}

/// The point between two rays where a form that is `above` here and `-below` there is zero.
fn between(one: &Ray, above: i128, other: &Ray, below: i128) -> Result<Vec<i128>, Rejection> {
    let mut point = Vec::with_capacity(one.point.len());
    for (x, y) in one.point.iter().zip(&other.point) {
        let (x, y) = (x.checked_mul(below), y.checked_mul(above));
        let sum = x.zip(y).and_then(|(x, y)| x.checked_add(y));
        point.push(sum.ok_or_else(too_large)?);
    }
    reduce(&mut point);
    Ok(point)
}

/// Divides by what all numbers have in common.
fn reduce(numbers: &mut [i128]) {
    let divisor = common(numbers.iter().copied());
    if divisor > 1 {
        numbers.iter_mut().for_each(|x| *x /= divisor);
    }
}

/// What all numbers have in common: their greatest common divisor.
pub(super) fn common(numbers: impl IntoIterator<Item = i128>) -> i128 {
    let mut divisor = 0;
    for number in numbers {
        let mut rest = number;
        while rest != 0 {
            (divisor, rest) = (rest, divisor % rest);
        }
        if divisor.abs() == 1 {
            break;
        }
    }
    divisor.abs()
}

/// The equations and inequalities of the cone that 0/1 vectors span, none of them zero; `None` if there
/// are too many.
///
/// Of the vectors, let g1, .., gd be a basis. On their span a form is given by its values z1, .., zd there,
/// and by these its values at all other vectors. Forms that are nowhere negative are a cone in these
/// coordinates, and its extreme rays are the facets.
pub(super) fn bounds(
    stacks: usize,
    vectors: &[u32],
    budget: &mut Budget,
) -> Result<Option<Vec<Row>>, Rejection> {
    // Each row: a combination of the basis, then what it is combined of, in lowest terms. Its pivot is zero in
    // all others.
    let mut rows: Vec<(usize, Vec<i128>)> = Vec::new();
    let (mut basis, mut others) = (Vec::new(), Vec::new());
    for &vector in vectors {
        budget.spend(1 + 4 * stacks * stacks)?;
        let digit = |s: usize| i128::from(s < stacks && vector >> s & 1 == 1);
        let mut row: Vec<i128> = (0..2 * stacks + 1).map(digit).collect();
        row[stacks + basis.len()] = 1;
        for (pivot, own) in &rows {
            eliminate(&mut row, own, *pivot)?;
        }
        let Some(pivot) = row[..stacks].iter().position(|&x| x != 0) else {
            others.push(vector);
            continue;
        };
        for (_, own) in &mut rows {
            eliminate(own, &row, pivot)?;
        }
        rows.push((pivot, row));
        basis.push(vector);
    }
    let dimension = basis.len();
    // A vector of the span is the sum of x[pivot] / row[pivot] times each row.
    let scale = rows.iter().try_fold(1i128, |all, (pivot, row)| {
        let (own, divisor) = (row[*pivot].abs(), common([all, row[*pivot]]).max(1));
        (all / divisor).checked_mul(own).ok_or_else(too_large)
    })?;
    let multiple = |pivot: usize, row: &[i128]| scale / row[pivot];
    let mut found = Vec::new();
    for stack in (0..stacks).filter(|s| rows.iter().all(|(pivot, _)| pivot != s)) {
        let mut terms = vec![(stack, -scale)];
        for (pivot, row) in &rows {
            terms.push((
                *pivot,
                row[stack].checked_mul(multiple(*pivot, row)).ok_or_else(too_large)?,
            ));
        }
        found.push(row_of(terms, true));
    }
    // The coordinate of a basis vector in a point, times the scale, as a form in the pivots.
    let coordinate = |number: usize, pivot: usize, row: &[i128]| {
        row[stacks + number].checked_mul(multiple(pivot, row)).ok_or_else(too_large)
    };
    let mut values = Vec::new();
    for &vector in &others {
        let mut terms = Vec::new();
        for number in 0..dimension {
            let mut sum = 0i128;
            for (pivot, row) in rows.iter().filter(|(pivot, _)| vector >> pivot & 1 == 1) {
                sum = sum.checked_add(coordinate(number, *pivot, row)?).ok_or_else(too_large)?;
            }
            terms.push((number, sum));
        }
        values.push(row_of(terms, false));
    }
    let Some(forms) = Cone::new(dimension, &values, budget)? else { return Ok(None) };
    for form in forms.rays {
        let mut terms = Vec::new();
        for (pivot, row) in &rows {
            let mut sum = 0i128;
            for (number, &value) in form.point.iter().enumerate() {
                let product = coordinate(number, *pivot, row)?.checked_mul(value);
                let product = product.ok_or_else(too_large)?;
                sum = sum.checked_add(product).ok_or_else(too_large)?;
            }
            terms.push((*pivot, sum));
        }
        found.push(row_of(terms, false));
    }
    Ok(Some(found))
}

/// Makes a row zero at the pivot of another one, by multiples of both.
fn eliminate(row: &mut [i128], other: &[i128], pivot: usize) -> Result<(), Rejection> {
    let (factor, by) = (row[pivot], other[pivot]);
    if factor == 0 {
        return Ok(());
    }
    for (x, y) in row.iter_mut().zip(other) {
        let (own, others) = (x.checked_mul(by), y.checked_mul(factor));
        *x = own.zip(others).and_then(|(a, b)| a.checked_sub(b)).ok_or_else(too_large)?;
    }
    reduce(row);
    Ok(())
}

fn row_of(mut terms: Vec<(usize, i128)>, equation: bool) -> Row {
    terms.retain(|&(_, c)| c != 0);
    terms.sort_unstable();
    let divisor = common(terms.iter().map(|&(_, c)| c)).max(1);
    terms.iter_mut().for_each(|(_, c)| *c /= divisor);
    Row { terms, equation, ..Row::constant(0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_of_a_cone() {
        // a+b = c+d, spanned by four vectors, each stack at least zero.
        let vectors = [0b0101, 0b1001, 0b0110, 0b1010];
        let rows = bounds(4, &vectors, &mut Budget::default()).unwrap().unwrap();
        let inside = |point: &[i128]| rows.iter().all(|row| holds(row, point).unwrap());
        for number in 0..5i128.pow(4) {
            let point: Vec<i128> = (0..4).map(|s| number / 5i128.pow(s) % 5).chain([1]).collect();
            assert_eq!(inside(&point), point[0] + point[1] == point[2] + point[3], "{point:?}");
        }
        assert_eq!(rows.iter().filter(|row| row.equation).count(), 1);
        // One ray; and one vector between two others.
        let rows = bounds(3, &[0b011], &mut Budget::default()).unwrap().unwrap();
        assert_eq!(rows.iter().filter(|row| row.equation).count(), 2);
        let rows = bounds(2, &[0b01, 0b11, 0b10], &mut Budget::default()).unwrap().unwrap();
        assert_eq!(rows.len(), 2);
        assert_eq!(bounds(2, &[], &mut Budget::default()).unwrap().unwrap().len(), 2);
    }
}
