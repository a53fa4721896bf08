//! Membership in spans, against trying all coefficients, and at heights where that is hopeless.

#[path = "../../formula/tests/support/mod.rs"]
mod support;

use nimatron_formula::{Context, Formula};
use nimatron_game::{MAX_HEIGHT, StackSet};
use nimatron_meaning::{Asymmetric, Evaluator};
use proptest::collection::vec;
use proptest::prelude::*;
use support::{combines, positions};

fn evaluator(n: usize, generators: &[StackSet]) -> Evaluator {
    let formula = Formula::Span(generators.to_vec());
    Evaluator::new(&formula, &Context::new(n), &Asymmetric).unwrap()
}

fn sets(n: usize, most: usize) -> impl Strategy<Value = Vec<StackSet>> {
    vec((1..1_u32 << n).prop_map(StackSet::from_bits), 0..=most)
}

#[test]
fn all_spans_on_three_stacks() {
    for choice in 0..1_u32 << 7 {
        let generators: Vec<_> =
            (0..7).filter(|g| choice >> g & 1 == 1).map(|g| StackSet::from_bits(g + 1)).collect();
        let evaluator = evaluator(3, &generators);
        for p in positions(3, 4) {
            let expected = combines(&p, &generators);
            assert_eq!(evaluator.holds(&p), expected, "{generators:?} at {p:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..Default::default() })]

    #[test]
    fn small_heights(generators in sets(5, 9), p in vec(vec(0..5_u64, 5), 20)) {
        let evaluator = evaluator(5, &generators);
        for p in p {
            prop_assert_eq!(evaluator.holds(&p), combines(&p, &generators), "{:?} at {:?}", &generators, &p);
        }
    }

    #[test]
    fn sums_of_the_generators_are_members(
        generators in sets(6, 8),
        amounts in vec(prop_oneof![0..4_u64, 0..=MAX_HEIGHT / 8], 8),
    ) {
        let mut p = [0; 6];
        for (g, amount) in generators.iter().zip(amounts) {
            g.iter().for_each(|s| p[s] += amount);
        }
        prop_assert!(evaluator(6, &generators).holds(&p), "{:?} at {:?}", &generators, &p);
    }
}

#[test]
fn the_extremes_of_heights() {
    let m = MAX_HEIGHT;
    let span = |text: &str, n| {
        let context = Context::new(n);
        Evaluator::new(&Formula::parse(text, &context).unwrap(), &context, &Asymmetric).unwrap()
    };
    let hexagon = span("span(ad, be, cf, ace, bdf)", 6);
    assert!(hexagon.holds(&[m; 6]));
    assert!(hexagon.holds(&[m, 0, 0, m, 0, 0]));
    assert!(hexagon.holds(&[m, 5, m - 2, m - 5, 10, m - 7]));
    assert!(!hexagon.holds(&[m, 5, m - 2, m - 5, 10, m - 6]));
    assert!(!hexagon.holds(&[m, m, m, m, m, m - 1]));
    // Twice everything: only even multiples, whatever the heights.
    let triangle = span("span(ab, bc, ca)", 3);
    assert!(triangle.holds(&[m - 1, m - 1, m - 1]));
    assert!(!triangle.holds(&[m, m, m]));
    assert!(triangle.holds(&[m, m, 0]) && !triangle.holds(&[m, m - 1, 0]));
    assert!(span("span(a)", 1).holds(&[m]));
    assert!(span("span()", 2).holds(&[0, 0]) && !span("span()", 2).holds(&[0, 1]));
}
