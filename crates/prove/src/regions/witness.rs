//! Eliminated variables found again.

use nimatron_linear::{Form, Overflow, Step};

/// Values of the variables `first..first + count` as forms in the variables before `first`: of
/// several bounds the first one, lower or upper. `None` if a bound has a coefficient other than
/// 1. The values need to be checked: another bound may be the tighter one.
pub(crate) fn plain(
    steps: &[Step],
    first: usize,
    count: usize,
    upper: bool,
) -> Result<Option<Vec<Form>>, Overflow> {
    let mut values: Vec<Form> = vec![Form::default(); count];
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
                    None if side.is_empty() => (*y, Form::default()),
                    None => return Ok(None),
                }
            }
        };
        values[y - first] = value.settled(first, &values)?;
    }
    Ok(Some(values))
}
