//! The solver against its own answers.

use nimatron_linear::{Answer, Constraint, Form, Solver};
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
        let mut added: Vec<Constraint> =
            (0..3).map(|v| Constraint::at_least_zero(Form::variable(v))).collect();
        for (c, k, equation) in rows {
            let number = added.len();
            added.push(Constraint { form: Form::new(c, k), equation });
            match solver.add(&added[number], number).unwrap() {
                Answer::Feasible => {
                    let point = solver.point();
                    prop_assert!(point.denominator > 0);
                    prop_assert!(added.iter().all(|c| c.allows(point.value(&c.form).unwrap())));
                    let inner = solver.inner_point(|_| 3).unwrap();
                    prop_assert!(added.iter().all(|c| c.allows(inner.value(&c.form).unwrap())));
                }
                Answer::Infeasible(multipliers) => {
                    let mut sum = Form::default();
                    for (i, m) in multipliers {
                        prop_assert!(added[i].equation || m >= 0);
                        sum = sum.combine(1, &added[i].form, m as i64).unwrap();
                    }
                    prop_assert!(sum.is_number() && sum.constant < 0);
                    return Ok(());
                }
            }
        }
    }
}
