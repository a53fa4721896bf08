//! The solver against its own answers.

use nimatron_prove::lp::{Answer, Linear, Solver};
use proptest::prelude::*;

proptest! {
    /// A feasible system has a point, an infeasible one multipliers that add up.
    #[test]
    fn answers_are_right(
        rows in prop::collection::vec((prop::collection::vec(-4i64..5, 4), -6i64..7, any::<bool>()), 1..9)
    ) {
        let mut solver = Solver::new();
        (0..3).for_each(|v| solver.add_height(v));
        solver.add_free();
        let mut added: Vec<(Vec<i64>, i64, bool)> =
            (0..3).map(|v| ((0..4).map(|u| i64::from(u == v)).collect(), 0, false)).collect();
        for (c, k, equation) in rows {
            let number = added.len();
            added.push((c.clone(), k, equation));
            let answer = solver.add(Linear { coefficients: &c, constant: k, equation }, number).unwrap();
            match answer {
                Answer::Feasible => {
                    let point = solver.point();
                    prop_assert!(point.denominator > 0);
                    for (c, k, equation) in &added {
                        let value = point.value(c, *k).unwrap();
                        prop_assert!(value == 0 || (value > 0 && !equation));
                    }
                    let inner = solver.inner_point(|_| 3).unwrap();
                    for (c, k, equation) in &added {
                        let value = inner.value(c, *k).unwrap();
                        prop_assert!(value == 0 || (value > 0 && !equation));
                    }
                }
                Answer::Infeasible(multipliers) => {
                    let mut sum = [0i128; 5];
                    for (i, m) in multipliers {
                        let (c, k, equation) = &added[i];
                        prop_assert!(*equation || m >= 0);
                        c.iter().chain([k]).zip(&mut sum).for_each(|(c, s)| *s += m * i128::from(*c));
                    }
                    prop_assert_eq!(&sum[..4], &[0; 4]);
                    prop_assert!(sum[4] < 0);
                    return Ok(());
                }
            }
        }
    }
}
