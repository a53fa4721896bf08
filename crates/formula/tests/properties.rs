//! What must hold for all formulas, checked on random ones.

mod support;

use nimatron_formula::{Context, Formula};
use nimatron_game::{Family, Sizes};
use proptest::collection::vec;
use proptest::prelude::*;
use support::formulas::{STACKS, context, formula};
use support::{Naive, PIECES, dihedral};

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..Default::default() })]

    #[test]
    fn printed_formulas_read_back_the_same(formula in formula()) {
        let printed = formula.to_string();
        match Formula::parse(&printed, &context()) {
            Ok(read) => prop_assert_eq!(read, formula, "{}", printed),
            Err(error) => prop_assert!(false, "{} at {:?} of {}", error, error.span(), printed),
        }
    }

    #[test]
    fn the_plain_form_means_the_same(formula in formula(), p in vec(0..5_u64, STACKS)) {
        let symmetries = dihedral(STACKS);
        let naive = Naive { context: context(), symmetries: &symmetries };
        let plain = formula.plain(STACKS).unwrap();
        prop_assert_eq!(naive.holds(&plain, &p), naive.holds(&formula, &p), "{}", plain);
        prop_assert_eq!(Formula::parse(&plain.to_string(), &context()), Ok(plain));
    }

    #[test]
    fn relabelling_moves_the_stacks(
        formula in formula(),
        image in proptest::sample::select(dihedral(STACKS)),
        p in vec(0..5_u64, STACKS),
    ) {
        let symmetries = dihedral(STACKS);
        let naive = Naive { context: context(), symmetries: &symmetries };
        let moved: Vec<u64> = image.iter().map(|&s| p[s]).collect();
        prop_assert_eq!(naive.holds(&formula.relabel(&image), &p), naive.holds(&formula, &moved));
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in ".{0,60}", n in 0..=32_usize) {
        if let Err(error) = Formula::parse(&text, &Context::new(n)) {
            prop_assert!(text.get(error.span()).is_some());
            prop_assert!(!error.to_string().is_empty());
            let _ = error.hint();
        }
    }

    #[test]
    fn nothing_that_looks_like_a_formula_makes_the_parser_panic(
        pieces in vec(proptest::sample::select(PIECES), 0..14),
        n in 0..=6_usize,
        slow in any::<bool>(),
    ) {
        let text = pieces.concat();
        let context = match slow && n > 0 {
            true => Context::of_rule(&Family::Slow { n, sizes: Sizes::new([1]) }.rule()),
            false => Context::new(n),
        };
        match Formula::parse(&text, &context) {
            Err(error) => {
                prop_assert!(text.get(error.span()).is_some());
                let _ = (error.to_string(), error.hint());
            }
            Ok(formula) => {
                let printed = formula.to_string();
                prop_assert_eq!(Formula::parse(&printed, &context), Ok(formula.clone()), "{}", printed);
            }
        }
    }
}
