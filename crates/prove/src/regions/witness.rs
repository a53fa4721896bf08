//! Eliminated variables found again.

use super::project::Step;
use super::row::Row;
use crate::lp::Overflow;

/// Values of the variables `first..first + count` as forms in the variables before `first`: of
/// several bounds the first one, lower or upper. `None` if a bound has a coefficient other than
/// 1. The values need to be checked: another bound may be the tighter one.
pub(crate) fn plain(
    steps: &[Step],
    first: usize,
    count: usize,
    upper: bool,
) -> Result<Option<Vec<Row>>, Overflow> {
    let mut values: Vec<Row> = vec![Row::default(); count];
    for step in steps.iter().rev() {
        let (y, value) = match step {
            Step::Value { y, value } => (*y, value.clone()),
            Step::Between { y, lowers, uppers } => {
                let side = match (upper, lowers.is_empty(), uppers.is_empty()) {
                    (true, _, false) | (false, true, false) => uppers,
                    _ => lowers,
                };
                match side.iter().find(|(a, _)| *a == 1) {
                    Some((_, row)) => (*y, row.clone()),
                    None if side.is_empty() => (*y, Row::default()),
                    None => return Ok(None),
                }
            }
        };
        values[y - first] = settled(&value, first, &values)?;
    }
    Ok(Some(values))
}

/// The form with the variables from `first` on replaced by their values.
pub(crate) fn settled(row: &Row, first: usize, values: &[Row]) -> Result<Row, Overflow> {
    let mut own = Row { c: row.c.iter().take(first).copied().collect(), k: row.k };
    for (i, value) in values.iter().enumerate() {
        if row.at(first + i) != 0 {
            own = own.combine(1, value, row.at(first + i))?;
        }
    }
    own.combine(1, &Row::default(), 0)
}
