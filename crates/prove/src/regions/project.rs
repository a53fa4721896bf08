//! The positions from which a branch can be reached: existential variables eliminated, and how
//! to find them again.

use super::row::{Limit, Row, prune, solver};
use crate::lp::Overflow;
use std::collections::HashMap;

/// How an eliminated variable is found from those that were left.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// It has this value.
    Value { y: usize, value: Row },
    /// It lies between these bounds: `a * y >= L` and `b * y <= U`.
    Between { y: usize, lowers: Vec<(i64, Row)>, uppers: Vec<(i64, Row)> },
}

/// Where the variables exist (a part of it if coefficients other than 1 come in the way), and the
/// steps by which they were eliminated.
#[derive(Clone, Debug)]
pub(crate) struct Projection {
    pub(crate) limits: Vec<Limit>,
    pub(crate) steps: Vec<Step>,
}

/// At most so many rows while variables are eliminated.
const MAX_ROWS: usize = 400;

/// Eliminates the variables from `first` on. `None` if nothing is left, or nothing that can be
/// described.
pub(crate) fn project(
    limits: Vec<Limit>,
    first: usize,
    heights: usize,
) -> Result<Option<Projection>, Overflow> {
    let mut rows = limits;
    let mut steps = Vec::new();
    loop {
        let Some(tidy) = tidied(rows) else { return Ok(None) };
        rows = tidy;
        let unknown =
            |row: &Row| (first..row.c.len()).filter(|&v| row.at(v) != 0).collect::<Vec<_>>();
        let equation = rows.iter().enumerate().find_map(|(i, (row, equation))| {
            let y = unknown(row).into_iter().find(|&v| row.at(v).abs() == 1)?;
            equation.then_some((i, y))
        });
        if let Some((i, y)) = equation {
            let (row, _) = rows.swap_remove(i);
            let sign = -row.at(y);
            let mut rest = row.clone();
            rest.c[y] = 0;
            let value = rest.combine(sign, &Row::default(), 0)?;
            for (other, _) in &mut rows {
                *other = other.replace(y, &value)?;
            }
            steps.push(Step::Value { y, value });
            continue;
        }
        if rows.iter().any(|(row, equation)| *equation && !unknown(row).is_empty()) {
            return Ok(None);
        }
        let mut open: Vec<usize> = rows.iter().flat_map(|(row, _)| unknown(row)).collect();
        open.sort_unstable();
        open.dedup();
        let cost = |&y: &usize| {
            let side = |sign: i64| rows.iter().filter(move |(r, _)| r.at(y) * sign > 0);
            let unit = |sign: i64| side(sign).all(|(r, _)| r.at(y).abs() == 1);
            let (lower, upper) = (side(1).count(), side(-1).count());
            (!(unit(1) || unit(-1)), (lower * upper) as isize - (lower + upper) as isize, y)
        };
        let Some(y) = open.into_iter().min_by_key(cost) else { break };
        rows = eliminate(rows, y, &mut steps)?;
        if rows.len() > 30 {
            let free =
                rows.iter().map(|(r, _)| r.c.len()).max().unwrap_or(0).saturating_sub(heights);
            let Some(tidy) = tidied(rows) else { return Ok(None) };
            rows = prune(heights, free, tidy)?;
        }
        if rows.len() > MAX_ROWS {
            return Ok(None);
        }
    }
    let free = first - heights;
    if solver(heights, free, &rows)?.is_err() {
        return Ok(None);
    }
    Ok(Some(Projection { limits: prune(heights, free, rows)?, steps }))
}

/// Fourier and Motzkin's step for one variable; the dark shadow where no coefficient of a pair is
/// 1.
fn eliminate(rows: Vec<Limit>, y: usize, steps: &mut Vec<Step>) -> Result<Vec<Limit>, Overflow> {
    let (mut lowers, mut uppers, mut kept) = (Vec::new(), Vec::new(), Vec::new());
    for (row, equation) in rows {
        let a = row.at(y);
        let mut rest = row.clone();
        if a == 0 {
            kept.push((row, equation));
            continue;
        }
        rest.c[y] = 0;
        match a > 0 {
            // a y + rest >= 0: a y >= -rest.
            true => lowers.push((a, rest.combine(-1, &Row::default(), 0)?)),
            false => uppers.push((-a, rest.combine(1, &Row::default(), 0)?)),
        }
    }
    for (a, lower) in &lowers {
        for (b, upper) in &uppers {
            let mut row = upper.combine(*a, lower, -b)?;
            row.k -= (a - 1) * (b - 1);
            kept.push((row, false));
        }
    }
    steps.push(Step::Between { y, lowers, uppers });
    Ok(kept)
}

/// The rows in lowest terms; `None` if one of them fails by itself.
pub(crate) fn tidied(rows: Vec<Limit>) -> Option<Vec<Limit>> {
    let mut tidy = Vec::with_capacity(rows.len());
    for (row, equation) in rows {
        let g = row.divisor();
        if g == 0 {
            let holds = if equation { row.k == 0 } else { row.k >= 0 };
            if !holds {
                return None;
            }
            continue;
        }
        if equation && row.k % g != 0 {
            return None;
        }
        let mut row = row.tightened();
        if equation && row.c.iter().find(|&&c| c != 0).is_some_and(|&c| c < 0) {
            row = row.negated();
        }
        tidy.push((row, equation));
    }
    tidy.sort();
    tidy.dedup();
    // Of parallel inequalities the tightest, and equations where two leave no room.
    let mut least: HashMap<Vec<i64>, i64> = HashMap::new();
    for (row, _) in tidy.iter().filter(|l| !l.1) {
        least.entry(row.c.clone()).and_modify(|k| *k = row.k.min(*k)).or_insert(row.k);
    }
    let mut merged = Vec::with_capacity(tidy.len());
    for (row, equation) in tidy {
        if !equation {
            if least.get(&row.c) != Some(&row.k) {
                continue;
            }
            let opposite: Vec<i64> = row.c.iter().map(|c| -c).collect();
            match least.get(&opposite).map(|k| k + row.k) {
                Some(room) if room < 0 => return None,
                Some(0) => {
                    if row.c.iter().find(|&&c| c != 0).is_some_and(|&c| c > 0) {
                        merged.push((row, true));
                    }
                    continue;
                }
                _ => {}
            }
        }
        merged.push((row, equation));
    }
    Some(merged)
}

impl Projection {
    /// Under new names of the variables.
    pub(crate) fn relabel(&self, image: &[usize]) -> Projection {
        let list = |bounds: &[(i64, Row)]| {
            bounds.iter().map(|(a, row)| (*a, row.relabel(image))).collect()
        };
        let step = |step: &Step| match step {
            Step::Value { y, value } => Step::Value { y: image[*y], value: value.relabel(image) },
            Step::Between { y, lowers, uppers } => {
                Step::Between { y: image[*y], lowers: list(lowers), uppers: list(uppers) }
            }
        };
        Projection {
            limits: self.limits.iter().map(|(row, e)| (row.relabel(image), *e)).collect(),
            steps: self.steps.iter().map(step).collect(),
        }
    }
}
