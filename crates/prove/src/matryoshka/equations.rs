//! Linear equations that hold at every P-position.

use nimatron_game::StackSet;

/// A basis of the linear equations in the heights that all sums of the generators satisfy, each by
/// its coefficients.
pub(super) fn equations(stacks: usize, generators: &[u32]) -> Vec<Vec<i64>> {
    // Row echelon form without fractions; all entries stay minors of a 0/1 matrix.
    let row = |&g: &u32| (0..stacks).map(|s| i64::from(g >> s & 1)).collect::<Vec<i64>>();
    let mut rows: Vec<Vec<i64>> = generators.iter().map(row).collect();
    let mut pivots: Vec<usize> = Vec::new();
    for column in 0..stacks {
        let done = pivots.len();
        let Some(found) = (done..rows.len()).find(|&r| rows[r][column] != 0) else { continue };
        rows.swap(done, found);
        let own = rows[done].clone();
        for (number, row) in rows.iter_mut().enumerate().filter(|(_, row)| row[column] != 0) {
            if number != done {
                let factor = row[column];
                for (entry, own_entry) in row.iter_mut().zip(&own) {
                    *entry = *entry * own[column] - factor * own_entry;
                }
                let divisor = row.iter().fold(0, |divisor, &c| gcd(divisor, c)).max(1);
                row.iter_mut().for_each(|c| *c /= divisor);
            }
        }
        pivots.push(column);
    }
    let free = (0..stacks).filter(|column| !pivots.contains(column));
    let equation = |column: usize| {
        let scale =
            pivots.iter().enumerate().fold(1, |scale, (r, &pivot)| lcm(scale, rows[r][pivot]));
        let mut form = vec![0; stacks];
        form[column] = scale;
        for (r, &pivot) in pivots.iter().enumerate() {
            form[pivot] = -rows[r][column] * (scale / rows[r][pivot]);
        }
        let sign = form.iter().find(|&&c| c != 0).map_or(1, |c| c.signum());
        let divisor = sign * form.iter().fold(0, |divisor, &c| gcd(divisor, c)).max(1);
        form.into_iter().map(|c| c / divisor).collect()
    };
    free.map(equation).collect()
}

/// `a+b = d+2e`.
pub(super) fn display(equation: &[i64]) -> String {
    let side = |sign: i64| {
        let terms = equation.iter().enumerate().filter(|(_, c)| c.signum() == sign);
        let term = |(stack, c): (usize, &i64)| {
            let factor = if c.abs() == 1 { String::new() } else { c.abs().to_string() };
            format!("{factor}{}", StackSet::single(stack))
        };
        let terms: Vec<String> = terms.map(term).collect();
        if terms.is_empty() { "0".to_string() } else { terms.join("+") }
    };
    format!("{} = {}", side(1), side(-1))
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

fn lcm(a: i64, b: i64) -> i64 {
    a / gcd(a, b) * b.abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hexagon_has_two_equations() {
        let generators = [0b001001, 0b010010, 0b100100, 0b010101, 0b101010];
        let equations = equations(6, &generators);
        assert_eq!(equations.len(), 2);
        for (equation, g) in equations.iter().flat_map(|e| generators.map(|g| (e, g))) {
            let value: i64 = (0..6).filter(|s| g >> s & 1 == 1).map(|s| equation[s]).sum();
            assert_eq!(value, 0);
        }
    }

    #[test]
    fn as_text() {
        assert_eq!(display(&[1, 1, 0, -1, -2]), "a+b = d+2e");
        assert_eq!(display(&[0, 1]), "b = 0");
        assert_eq!(equations(2, &[0b11]), [[1, -1]]);
        assert!(equations(2, &[0b11, 0b01]).is_empty());
    }
}
