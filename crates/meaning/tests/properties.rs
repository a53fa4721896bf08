//! What must hold for all formulas, checked on random ones.

#[path = "../../formula/tests/support/mod.rs"]
mod support;

use nimatron_formula::{Context, Formula};
use nimatron_game::{Family, MAX_HEIGHT, Sizes};
use nimatron_meaning::{Asymmetric, Evaluator};
use proptest::collection::vec;
use proptest::prelude::*;
use support::formulas::{STACKS, context, formula};
use support::{Naive, PIECES, dihedral, permutations};

fn heights() -> impl Strategy<Value = Vec<u64>> {
    let low = vec(0..6_u64, STACKS);
    let high = vec(prop_oneof![0..3_u64, MAX_HEIGHT - 3..=MAX_HEIGHT, 0..=MAX_HEIGHT], STACKS);
    prop_oneof![3 => low, 1 => high]
}

/// Whether all coefficients of spans can be tried out.
fn feasible(formula: &Formula, heights: &[u64]) -> bool {
    let mut found = |f: &Formula| matches!(f, Formula::Span(_));
    heights.iter().all(|&h| h < 10) || !formula.clone().any(&mut found)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..Default::default() })]

    #[test]
    fn evaluation_follows_the_definition(
        formula in formula(),
        positions in vec(heights(), 12),
        all in any::<bool>(),
    ) {
        let symmetries = if all { permutations(STACKS) } else { dihedral(STACKS) };
        let evaluator = Evaluator::new(&formula, &context(), &symmetries).unwrap();
        let naive = Naive { context: context(), symmetries: &symmetries };
        for p in positions.into_iter().filter(|p| feasible(&formula, p)) {
            prop_assert_eq!(evaluator.holds(&p), naive.holds(&formula, &p), "{} at {:?}", formula, p);
        }
    }

    #[test]
    fn lines_agree_with_single_positions(
        formula in formula(),
        prefix in heights(),
        most in prop_oneof![0..12_u64, 60..70_u64, Just(200)],
    ) {
        let symmetries = dihedral(STACKS);
        let evaluator = Evaluator::new(&formula, &context(), &symmetries).unwrap();
        let mut p = prefix;
        let mut words = vec![u64::MAX; 5];
        if feasible(&formula, &p) {
            evaluator.lines().holds(&p[..STACKS - 1], most, &mut words);
            for height in 0..64 * words.len() as u64 {
                p[STACKS - 1] = height;
                let holds = words[height as usize / 64] >> (height % 64) & 1 == 1;
                let expected = height <= most && evaluator.holds(&p);
                prop_assert_eq!(holds, expected, "{} at {:?}", formula, p);
            }
        }
    }

    #[test]
    fn whatever_is_read_can_be_evaluated(
        pieces in vec(proptest::sample::select(PIECES), 0..14),
        n in 0..=6_usize,
        slow in any::<bool>(),
    ) {
        let context = match slow && n > 0 {
            true => Context::of_rule(&Family::Slow { n, sizes: Sizes::new([1]) }.rule()),
            false => Context::new(n),
        };
        if let Ok(formula) = Formula::parse(&pieces.concat(), &context) {
            let evaluator = Evaluator::new(&formula, &context, &Asymmetric).unwrap();
            evaluator.holds(&vec![MAX_HEIGHT; n]);
            evaluator.holds(&vec![0; n]);
        }
    }
}
