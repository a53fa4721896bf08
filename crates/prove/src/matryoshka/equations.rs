//! Linear equations that hold at every P-position.

use nimatron_game::StackSet;
use nimatron_linear::echelon;

/// A basis of the linear equations in the heights that all sums of the generators satisfy, each by
/// its coefficients.
pub(super) fn equations(stacks: usize, generators: &[u32]) -> Vec<Vec<i64>> {
    let row = |&g: &u32| (0..stacks).map(|s| i64::from(g >> s & 1)).collect::<Vec<i64>>();
    // All numbers are minors of a 0/1 matrix, which are small.
    echelon::equations(stacks, generators.iter().map(row).collect()).unwrap_or_default()
}

/// `a+b = d+2e`.
pub(super) fn display(equation: &[i64]) -> String {
    let side = |sign: i64| {
        let terms = equation.iter().enumerate().filter(|(_, c)| c.signum() == sign);
        let term = |(stack, c): (usize, &i64)| {
            let factor = if c.abs() == 1 { String::new() } else { c.abs().to_string() };
            let letters = equation.len() <= 26;
            match letters {
                true => format!("{factor}{}", StackSet::single(stack)),
                false => format!("{factor}x{}", stack + 1),
            }
        };
        let terms: Vec<String> = terms.map(term).collect();
        if terms.is_empty() { "0".to_string() } else { terms.join("+") }
    };
    format!("{} = {}", side(1), side(-1))
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
        let many: Vec<i64> = (0..30).map(|s| i64::from(s == 0) - i64::from(s == 26)).collect();
        assert_eq!(display(&many), "x1 = x27");
        assert_eq!(equations(2, &[0b11]), [[1, -1]]);
        assert!(equations(2, &[0b11, 0b01]).is_empty());
    }
}
