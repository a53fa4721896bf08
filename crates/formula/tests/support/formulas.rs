//! Random formulas.

use nimatron_formula::{Context, Formula, Relation, Term};
use nimatron_game::{Family, Sizes, StackSet};
use proptest::collection::vec;
use proptest::prelude::*;

pub const STACKS: usize = 4;

pub fn context() -> Context {
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

pub fn formula() -> impl Strategy<Value = Formula> {
    let closed = plain_formula(true, false);
    let with_let = (term(false), plain_formula(false, true))
        .prop_map(|(value, body)| Formula::Let("foo".to_owned(), value, body.into()));
    let wrapped = prop_oneof![
        3 => closed.clone(),
        2 => with_let,
        2 => closed.clone().prop_map(|f| Formula::Sym(f.into())),
        1 => closed.clone().prop_map(|f| Formula::Reduced(f.into())),
        1 => closed.clone().prop_map(|f| Formula::Sym(Formula::Reduced(f.into()).into())),
        1 => closed.clone().prop_map(|f| Formula::Digits(f.into())),
        1 => (closed.clone(), closed.clone())
            .prop_map(|(f, g)| Formula::Then(f.into(), Formula::Digits(g.into()).into())),
        1 => closed.prop_map(|f| Formula::Sym(Formula::Then(f.clone().into(), f.into()).into())),
    ];
    vec(wrapped, 1..3).prop_flat_map(|parts| {
        prop_oneof![Just(Formula::and(parts.clone())), Just(Formula::or(parts))]
    })
}
