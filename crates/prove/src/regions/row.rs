//! Linear constraints as the prover handles them.

use crate::lp::{Answer, Entailed, Linear, Overflow, Solver};
use nimatron_verify::regions as cert;
use std::collections::HashMap;

/// `c . x + k`, at least zero unless said otherwise. Trailing zeros are cut off, so that equal
/// forms are equal values.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub(crate) struct Row {
    pub(crate) c: Vec<i64>,
    pub(crate) k: i64,
}

impl Row {
    pub(crate) fn constant(k: i64) -> Row {
        Row { c: Vec::new(), k }
    }

    pub(crate) fn variable(v: usize) -> Row {
        let mut c = vec![0; v + 1];
        c[v] = 1;
        Row { c, k: 0 }
    }

    /// `a - b`.
    pub(crate) fn difference(a: usize, b: usize) -> Row {
        let mut c = vec![0; a.max(b) + 1];
        c[a] += 1;
        c[b] -= 1;
        Row { c, k: 0 }
    }

    pub(crate) fn at(&self, v: usize) -> i64 {
        self.c.get(v).copied().unwrap_or(0)
    }

    fn trim(mut self) -> Row {
        while self.c.last() == Some(&0) {
            self.c.pop();
        }
        self
    }

    /// `self * a + other * b`.
    pub(crate) fn combine(&self, a: i64, other: &Row, b: i64) -> Result<Row, Overflow> {
        let mix = |x: i64, y: i64| {
            let sum = i128::from(x) * i128::from(a) + i128::from(y) * i128::from(b);
            i64::try_from(sum).ok().filter(|&s| s.abs() < 1 << 60).ok_or(Overflow)
        };
        let len = self.c.len().max(other.c.len());
        let c = (0..len).map(|v| mix(self.at(v), other.at(v))).collect::<Result<_, _>>()?;
        Ok(Row { c, k: mix(self.k, other.k)? }.trim())
    }

    pub(crate) fn negated(&self) -> Row {
        Row { c: self.c.iter().map(|c| -c).collect(), k: -self.k }
    }

    /// `-form - 1`: at least zero exactly where the form is not.
    pub(crate) fn complement(&self) -> Row {
        let mut row = self.negated();
        row.k -= 1;
        row
    }

    /// The row with variable `v` replaced by a form.
    pub(crate) fn replace(&self, v: usize, value: &Row) -> Result<Row, Overflow> {
        match self.at(v) {
            0 => Ok(self.clone()),
            a => {
                let mut without = self.clone();
                without.c[v] = 0;
                without.combine(1, value, a)
            }
        }
    }

    /// The row with every variable replaced by a form.
    pub(crate) fn substitute(&self, values: &[Row]) -> Result<Row, Overflow> {
        let terms = self.c.iter().zip(values).filter(|(c, _)| **c != 0);
        terms
            .map(|(&c, value)| (c, value))
            .try_fold(Row::constant(self.k), |row, (c, value)| row.combine(1, value, c))
    }

    pub(crate) fn relabel(&self, image: &[usize]) -> Row {
        let mut c = vec![0; self.c.len().max(image.len())];
        for (v, &x) in self.c.iter().enumerate() {
            c[*image.get(v).unwrap_or(&v)] = x;
        }
        Row { c, k: self.k }.trim()
    }

    /// The greatest common divisor of the coefficients.
    pub(crate) fn divisor(&self) -> i64 {
        self.c.iter().fold(0, |g, &c| gcd(g, c))
    }

    /// The tightest inequality with the same integer points.
    pub(crate) fn tightened(&self) -> Row {
        match self.divisor() {
            0 | 1 => self.clone(),
            g => Row { c: self.c.iter().map(|c| c / g).collect(), k: self.k.div_euclid(g) },
        }
    }

    pub(crate) fn is_constant(&self) -> bool {
        self.c.is_empty()
    }

    /// Whether it holds wherever the first `heights` variables are at least zero.
    pub(crate) fn evident(&self, heights: usize) -> bool {
        self.k >= 0 && self.c.len() <= heights && self.c.iter().all(|&c| c >= 0)
    }

    pub(crate) fn value(&self, x: &[i128]) -> i128 {
        let terms = self.c.iter().zip(x).filter(|(c, _)| **c != 0);
        terms.fold(i128::from(self.k), |sum, (&c, &x)| {
            sum.saturating_add(x.saturating_mul(i128::from(c)))
        })
    }

    pub(crate) fn linear(&self, equation: bool) -> Linear<'_> {
        Linear { coefficients: &self.c, constant: self.k, equation }
    }

    pub(crate) fn form(&self) -> cert::Form {
        let terms = self.c.iter().enumerate().filter(|&(_, &c)| c != 0);
        cert::Form(self.k, terms.map(|(v, &c)| (v, c)).collect())
    }
}

pub(crate) fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

/// A constraint: a row and whether it is an equation.
pub(crate) type Limit = (Row, bool);

/// Solves a system: heights at least zero, then the constraints under the numbers that follow.
pub(crate) fn solver(heights: usize, free: usize, limits: &[Limit]) -> Result<Solved, Overflow> {
    let mut solver = Solver::new();
    (0..heights).for_each(|s| solver.add_height(s));
    (0..free).for_each(|_| solver.add_free());
    for (i, (row, equation)) in limits.iter().enumerate() {
        if let Answer::Infeasible(m) = solver.add(row.linear(*equation), heights + i)? {
            return Ok(Err(m));
        }
    }
    Ok(Ok(solver))
}

/// A solved system, or its refutation.
pub(crate) type Solved = Result<Solver, crate::lp::Multipliers>;

/// Drops inequalities that follow from the others and from heights being at least zero.
pub(crate) fn prune(
    heights: usize,
    free: usize,
    mut rows: Vec<Limit>,
) -> Result<Vec<Limit>, Overflow> {
    // Of rows with equal coefficients the tightest stays.
    let mut tightest: HashMap<Vec<i64>, i64> = HashMap::new();
    for (row, _) in rows.iter().filter(|r| !r.1) {
        let k = tightest.entry(row.c.clone()).or_insert(row.k);
        *k = row.k.min(*k);
    }
    rows.retain(|(row, equation)| {
        *equation || (!row.evident(heights) && tightest.get(&row.c) == Some(&row.k))
    });
    rows.sort();
    rows.dedup();
    rows.sort_by_key(|(row, equation)| (!equation, row.c.iter().filter(|&&c| c != 0).count()));
    let mut i = rows.len();
    while i > 0 {
        i -= 1;
        if rows[i].1 {
            continue;
        }
        let others: Vec<Limit> =
            rows.iter().enumerate().filter(|&(j, _)| j != i).map(|(_, r)| r.clone()).collect();
        let follows = match solver(heights, free, &others)? {
            Err(_) => true,
            Ok(solver) => {
                // Not for integers only: what is derived from the rows may not be in lowest
                // terms. A multiple that is at least -1 can hardly be negative.
                let fine = rows[i].0.combine(1_000, &Row::default(), 0)?;
                matches!(solver.entails(&fine.c, fine.k, usize::MAX)?, Entailed::Yes(_))
            }
        };
        if follows {
            rows.remove(i);
        }
    }
    Ok(rows)
}

/// Multipliers as they are written in a certificate; the negated constraint gets number `last`.
pub(crate) fn farkas(m: &[(usize, i128)], last: usize) -> Result<cert::Farkas, Overflow> {
    let one = |&(i, m): &(usize, i128)| {
        let m = i64::try_from(m).map_err(|_| Overflow)?;
        Ok((if i == usize::MAX { last } else { i }, m))
    };
    m.iter().map(one).collect()
}
