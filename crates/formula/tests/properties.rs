//! What must hold for all formulas, checked on random ones.

mod support;

use nimatron_formula::{Asymmetric, Context, Evaluator, Formula, Relation, Term};
use nimatron_game::{Family, MAX_HEIGHT, Sizes, StackSet};
use proptest::collection::vec;
use proptest::prelude::*;
use support::{Naive, dihedral, permutations};

const STACKS: usize = 4;

fn context() -> Context {
    Context::of_rule(&Family::Slow { n: STACKS, sizes: Sizes::new([2, 3]) }.rule())
}

fn constant() -> impl Strategy<Value = i64> {
    prop_oneof![4 => -5..=9_i64, 1 => -(1 << 20)..=1_i64 << 20]
}

/// Terms; `named` ones may use the name `foo`.
fn term(named: bool) -> impl Strategy<Value = Term> {
    let stack = (0..STACKS).prop_map(Term::Stack);
    let last = if named { Term::Name("foo".to_owned()) } else { Term::Stack(1) };
    let word = [Term::Total, Term::Odds, Term::Least, Term::Greatest, last];
    let leaf = prop_oneof![
        4 => stack,
        1 => constant().prop_map(Term::Constant),
        1 => proptest::sample::select(word.to_vec()),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let some = vec(inner.clone(), 1..4);
        prop_oneof![
            2 => some.clone().prop_map(Term::sum),
            1 => (constant(), inner.clone()).prop_map(|(c, t)| Term::scale(c, t)),
            1 => some.clone().prop_map(Term::Min),
            1 => some.clone().prop_map(Term::Max),
            1 => some.prop_map(Term::Xor),
            1 => (inner, prop_oneof![Just(2), Just(4), 1..9_u64])
                .prop_map(|(t, m)| Term::Mod(t.into(), m)),
        ]
    })
}

fn comparison(named: bool) -> impl Strategy<Value = Formula> {
    let relations = [
        Relation::Equal,
        Relation::NotEqual,
        Relation::Less,
        Relation::AtMost,
        Relation::Greater,
        Relation::AtLeast,
    ];
    (term(named), proptest::sample::select(relations.to_vec()), term(named))
        .prop_map(|(left, relation, right)| Formula::Compare(left, relation, right))
}

fn span(n: usize, generators: usize) -> impl Strategy<Value = Vec<StackSet>> {
    vec((1..1_u32 << n).prop_map(StackSet::from_bits), 0..=generators)
}

/// Formulas without `let`; `spans` may occur, but never under `not`.
fn plain_formula(spans: bool, named: bool) -> BoxedStrategy<Formula> {
    let leaf = if spans {
        prop_oneof![5 => comparison(named), 1 => span(STACKS, 5).prop_map(Formula::Span)].boxed()
    } else {
        comparison(named).boxed()
    };
    let tree = leaf.prop_recursive(3, 16, 4, move |inner| {
        let several = vec(inner.clone(), 0..4);
        let joined =
            prop_oneof![several.clone().prop_map(Formula::and), several.prop_map(Formula::or)];
        if spans {
            joined.boxed()
        } else {
            prop_oneof![3 => joined, 1 => inner.prop_map(|f| Formula::Not(f.into()))].boxed()
        }
    });
    if !spans {
        return tree.boxed();
    }
    prop_oneof![2 => tree, 1 => plain_formula(false, named)].boxed()
}

fn formula() -> impl Strategy<Value = Formula> {
    let closed = plain_formula(true, false);
    let with_let = (term(false), plain_formula(false, true))
        .prop_map(|(value, body)| Formula::Let("foo".to_owned(), value, body.into()));
    let wrapped = prop_oneof![
        3 => closed.clone(),
        2 => with_let,
        2 => closed.clone().prop_map(|f| Formula::Sym(f.into())),
        1 => closed.clone().prop_map(|f| Formula::Reduced(f.into())),
        1 => closed.prop_map(|f| Formula::Sym(Formula::Reduced(f.into()).into())),
    ];
    vec(wrapped, 1..3).prop_flat_map(|parts| {
        prop_oneof![Just(Formula::and(parts.clone())), Just(Formula::or(parts))]
    })
}

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
    fn printed_formulas_read_back_the_same(formula in formula()) {
        let printed = formula.to_string();
        match Formula::parse(&printed, &context()) {
            Ok(read) => prop_assert_eq!(read, formula, "{}", printed),
            Err(error) => prop_assert!(false, "{} at {:?} of {}", error, error.span(), printed),
        }
    }

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
                let evaluator = Evaluator::new(&formula, &context, &Asymmetric).unwrap();
                evaluator.holds(&vec![MAX_HEIGHT; n]);
                evaluator.holds(&vec![0; n]);
            }
        }
    }
}

const PIECES: &[&str] = &[
    "a",
    "b",
    "c",
    "x1",
    "f",
    " ",
    ",",
    "or ",
    "and ",
    "not ",
    "mod ",
    "let ",
    "foo",
    " = ",
    " <= ",
    "<",
    ">=",
    ">",
    "!=",
    "+",
    "-",
    "*",
    "2",
    "0",
    "9223372036854775807",
    "(",
    ")",
    "min",
    "max",
    "sum(",
    "xor(",
    "a..c",
    "odd(",
    "even(",
    "odds",
    "total",
    "sym(",
    "span(",
    "ab",
    "reduced(",
    "true",
    "false",
    "&",
];
