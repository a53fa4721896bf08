//! Linear systems that say of forms that they are at least 0 or positive.

use nimatron_linear::{self as linear, Constraint, Form, Overflow, Solver, gcd};

/// `form . x + constant >= 0`, where the constant is at most 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) form: Vec<i64>,
    pub(super) constant: i64,
}

/// What is known about a system of rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// The least integers in the ratio of a solution. They are one as well if all constants are 0 or
    /// -1, for a form that is positive is at least 1 at integers.
    Ray(Vec<i64>),
    /// Multiples of rows, by their numbers, that add up to a negative constant.
    Contradiction(Vec<(usize, i64)>),
}

/// Solves a system in variables that may have any sign.
pub(super) fn solve(variables: usize, rows: &[Row]) -> Result<Answer, Overflow> {
    let mut solver = Solver::new();
    (0..variables).for_each(|_| solver.add_free());
    for (number, row) in rows.iter().enumerate() {
        let row = Constraint::at_least_zero(Form::new(row.form.clone(), row.constant));
        if let linear::Answer::Infeasible(multiples) = solver.add(&row, number)? {
            let (numbers, multiples): (Vec<usize>, Vec<i128>) = multiples.into_iter().unzip();
            let multiples = lowest_terms(&multiples)?;
            return Ok(Answer::Contradiction(numbers.into_iter().zip(multiples).collect()));
        }
    }
    Ok(Answer::Ray(lowest_terms(&solver.point().numerators)?))
}

/// An integer vector y that is at least 1 on the stacks of `facet`, not positive on the sums of the
/// first generators and not negative on those of the second; `None` if there is none.
pub(super) fn weight(
    stacks: usize,
    facet: u32,
    not_positive: &[u32],
    not_negative: &[u32],
) -> Result<Option<Vec<i64>>, Overflow> {
    let row = |vector: u32, sign: i64, constant: i64| {
        let form = (0..stacks).map(|s| sign * i64::from(vector >> s & 1)).collect();
        Row { form, constant }
    };
    let on_facet = (0..stacks).map(|s| 1 << s).filter(|stack| facet & stack != 0);
    let mut rows: Vec<Row> = on_facet.map(|stack| row(stack, 1, -1)).collect();
    rows.extend(not_positive.iter().map(|&g| row(g, -1, 0)));
    rows.extend(not_negative.iter().map(|&g| row(g, 1, 0)));
    Ok(match solve(stacks, &rows)? {
        Answer::Ray(weight) => Some(weight),
        Answer::Contradiction(_) => None,
    })
}

/// The least integers of the same ratio.
fn lowest_terms(numbers: &[i128]) -> Result<Vec<i64>, Overflow> {
    let divisor = numbers.iter().copied().fold(0, gcd).max(1);
    numbers.iter().map(|y| i64::try_from(y / divisor).map_err(|_| Overflow)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(y: &[i64], facet: u32, not_positive: &[u32], not_negative: &[u32]) -> bool {
        let value =
            |g: &u32| -> i64 { (0..y.len()).filter(|s| g >> s & 1 == 1).map(|s| y[s]).sum() };
        (0..y.len()).all(|s| facet >> s & 1 == 0 || y[s] >= 1)
            && not_positive.iter().all(|g| value(g) <= 0)
            && not_negative.iter().all(|g| value(g) >= 0)
    }

    #[test]
    fn equal_heights_need_opposite_weights() {
        assert_eq!(weight(2, 0b01, &[0b11], &[0b11]), Ok(Some(vec![1, -1])));
        assert_eq!(weight(2, 0b11, &[0b11], &[0b11]), Ok(None));
        assert_eq!(weight(2, 0b01, &[], &[]), Ok(Some(vec![1, 0])));
        assert_eq!(weight(0, 0, &[], &[]), Ok(Some(vec![])));
    }

    /// Every answer is compared with a search among small weights.
    #[test]
    fn small_programs_are_decided() {
        let mut state = 12345u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 8
        };
        let mut answers = [0, 0];
        for _ in 0..3000 {
            let facet = random() % 15 + 1;
            let mut list = || (0..random() % 4).map(|_| random() % 15 + 1).collect::<Vec<u32>>();
            let (first, second) = (list(), list());
            let small = (0..7i64.pow(4)).any(|code| {
                let y: Vec<i64> = (0..4).map(|s| code / 7i64.pow(s) % 7 - 3).collect();
                holds(&y, facet, &first, &second)
            });
            let found = weight(4, facet, &first, &second).unwrap();
            assert_eq!(found.is_some(), small, "{facet:b} {first:?} {second:?}");
            assert!(found.iter().all(|y| holds(y, facet, &first, &second)));
            answers[usize::from(small)] += 1;
        }
        assert!(answers.iter().all(|&count| count > 300), "{answers:?}");
    }
}
