//! The solver against trying all values.

use super::*;
use crate::testing::Random;
use proptest::prelude::*;

/// A system in plain sight.
#[derive(Clone, Debug)]
struct Given {
    bounds: Vec<(i128, i128)>,
    rows: Vec<(Vec<i128>, i128, Relation)>,
}

impl Given {
    fn system(&self) -> System {
        let mut system = System::new(&self.bounds).unwrap();
        for (a, c, relation) in &self.rows {
            system.require(a, *c, *relation).unwrap();
        }
        system
    }

    /// The same with every variable moved up by `by`.
    fn shifted(&self, by: i128) -> Given {
        let shift = |(a, c, r): &(Vec<i128>, i128, Relation)| {
            (a.clone(), c - by * a.iter().sum::<i128>(), *r)
        };
        Given {
            bounds: self.bounds.iter().map(|&(l, h)| (l + by, h + by)).collect(),
            rows: self.rows.iter().map(shift).collect(),
        }
    }

    /// All solutions in lexicographic order.
    fn all(&self) -> Vec<Vec<i128>> {
        let mut found = vec![vec![]];
        for &(low, high) in &self.bounds {
            let extend = |x: &Vec<i128>| {
                let x = x.clone();
                (low..=high).map(move |v| [&x[..], &[v]].concat())
            };
            found = found.iter().flat_map(extend).collect();
        }
        let system = self.system();
        found.retain(|x| system.holds(x).unwrap());
        found
    }
}

fn given(variables: usize, size: i128) -> impl Strategy<Value = Given> {
    let bounds = proptest::collection::vec((-4i128..5, 0i128..6), variables);
    let relation = prop_oneof![Just(Relation::Zero), Just(Relation::NonNegative)];
    let row = (proptest::collection::vec(-size..=size, variables), -9i128..10, relation);
    (bounds, proptest::collection::vec(row, 0..5)).prop_map(|(bounds, rows)| Given {
        bounds: bounds.into_iter().map(|(low, width)| (low, low + width)).collect(),
        rows,
    })
}

fn agree(given: &Given) {
    let all = given.all();
    let system = given.system();
    match system.solve().unwrap() {
        Some(x) => assert!(all.contains(&x), "{x:?}"),
        None => assert!(all.is_empty(), "missed {:?}", all[0]),
    }
    assert_eq!(system.solutions(usize::MAX).unwrap(), all);
    assert_eq!(system.solutions(2).unwrap(), all[..all.len().min(2)]);
    assert_eq!(system.count(u64::MAX).unwrap(), Count::Exactly(all.len() as u128));
    for v in 0..given.bounds.len() {
        assert_eq!(system.least(v).unwrap(), all.iter().map(|x| x[v]).min());
    }
    if let Count::AtLeast(some) = system.count(1).unwrap() {
        assert!(some <= all.len() as u128);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..Default::default() })]

    #[test]
    fn small_coefficients(given in (1usize..5).prop_flat_map(|n| given(n, 1))) {
        agree(&given);
    }

    #[test]
    fn larger_coefficients(given in (1usize..4).prop_flat_map(|n| given(n, 7))) {
        agree(&given);
    }

    #[test]
    fn tall_numbers_change_nothing(given in (1usize..4).prop_flat_map(|n| given(n, 3))) {
        let by = 1_000_000_000_000_000;
        let found = given.shifted(by).system().solutions(usize::MAX).unwrap();
        let back: Vec<Vec<i128>> = found.iter().map(|x| x.iter().map(|v| v - by).collect()).collect();
        prop_assert_eq!(back, given.all());
    }

    #[test]
    fn many_variables_are_decided(seed in any::<u64>()) {
        // A hidden solution among tall bounds and constraints that it satisfies.
        let mut random = Random::new(seed);
        let n = 8;
        let heights: Vec<i128> = (0..n).map(|_| i128::from(random.below(1 << 50))).collect();
        let hidden: Vec<i128> =
            heights.iter().map(|&h| i128::from(random.below(h as u64 + 1))).collect();
        let bounds: Vec<_> = heights.iter().map(|&h| (0, h)).collect();
        let mut system = System::new(&bounds).unwrap();
        for i in 0..7 {
            let a: Vec<i128> = (0..n).map(|_| i128::from(random.below(3)) - 1).collect();
            let value: i128 = a.iter().zip(&hidden).map(|(a, x)| a * x).sum();
            if i < 3 {
                system.require(&a, -value, Relation::Zero).unwrap();
            } else {
                system.require(&a, i128::from(random.below(3)) - value, Relation::NonNegative).unwrap();
            }
        }
        let x = system.solve().unwrap().expect("the hidden solution is one");
        prop_assert!(system.holds(&x).unwrap());
    }
}

#[test]
fn rational_solutions_are_not_enough() {
    let tall = 10i128.pow(15);
    let bounds = [(0, tall), (0, tall), (0, tall)];
    let mut parity = System::new(&bounds).unwrap();
    parity.require(&[2, -2], 1, Relation::Zero).unwrap();
    assert_eq!(parity.solve().unwrap(), None);
    // 3 <= 4x - 2y - 2z <= 3 has rational solutions only, 27 <= 11x + 13y <= 45 with
    // -10 <= 7x - 9y <= 4 is the classical example without integer ones.
    let mut gap = System::new(&bounds).unwrap();
    gap.require(&[4, -2, -2], -3, Relation::NonNegative).unwrap();
    gap.require(&[-4, 2, 2], 3, Relation::NonNegative).unwrap();
    assert_eq!(gap.solve().unwrap(), None);
    let mut pugh = System::new(&[(-tall, tall), (-tall, tall)]).unwrap();
    pugh.require(&[11, 13], -27, Relation::NonNegative).unwrap();
    pugh.require(&[-11, -13], 45, Relation::NonNegative).unwrap();
    pugh.require(&[7, -9], 10, Relation::NonNegative).unwrap();
    pugh.require(&[-7, 9], 4, Relation::NonNegative).unwrap();
    assert_eq!(pugh.solve().unwrap(), None);
}

#[test]
fn long_lines_are_counted_at_once() {
    let tall = 10i128.pow(15);
    let mut line = System::new(&[(0, tall), (0, tall)]).unwrap();
    line.require(&[1, 1], -tall, Relation::Zero).unwrap();
    assert_eq!(line.count(0).unwrap(), Count::Exactly(tall as u128 + 1));
    let mut even = System::new(&[(0, tall), (0, tall)]).unwrap();
    even.require(&[1, -2], 0, Relation::Zero).unwrap();
    assert_eq!(even.count(0).unwrap(), Count::Exactly(tall as u128 / 2 + 1));
    let plane = System::new(&[(0, tall), (0, tall)]).unwrap();
    assert!(matches!(plane.count(10).unwrap(), Count::AtLeast(some) if some > tall as u128));
    assert_eq!(plane.solutions(3).unwrap(), [[0, 0], [0, 1], [0, 2]]);
}

#[test]
fn numbers_out_of_range_are_refused() {
    assert_eq!(System::new(&[(0, 1); 17]).unwrap_err(), IntegerError::TooManyVariables(17));
    assert_eq!(System::new(&[(i128::MIN, 0)]).unwrap_err(), IntegerError::Overflow);
    let tall = 1i128 << 119;
    let mut system = System::new(&[(-tall, tall), (-tall, tall)]).unwrap();
    let refused = system.require(&[i128::MAX], 0, Relation::Zero);
    assert_eq!(refused, Err(IntegerError::Overflow));
    system.require(&[tall, tall - 1], -7, Relation::NonNegative).unwrap();
    system.require(&[tall - 3, 1 - tall], -7, Relation::NonNegative).unwrap();
    assert_eq!(system.solve(), Err(IntegerError::Overflow));
}

#[test]
fn the_listed_moves_of_the_literature() {
    // DH13 Example 4.9: CN(8,6) from (4,12,11,9,10,16,1,17) with g = 0.
    let heights = [4, 12, 11, 9, 10, 16, 1, 17];
    let facet: nimatron_game::StackSet = [3, 4, 5, 6, 7, 0].into_iter().collect();
    let mut options = Options::new(&heights, facet, &[]).unwrap();
    let eq = |a: [i128; 8]| (a, Relation::Zero);
    let constraints = [
        eq([0, 0, 0, 0, 0, 0, 1, 0]),
        eq([0, 0, 0, 0, 0, 1, 0, -1]),
        eq([1, 1, 0, 0, 0, 0, 0, -1]),
        eq([0, 0, 0, 1, 1, -1, 0, 0]),
        eq([1, 0, -1, 0, 1, 0, 0, 0]),
        ([0, 0, -1, 0, 0, 1, 0, 0], Relation::NonNegative),
    ];
    for (a, relation) in constraints {
        options.require(&a, 0, relation).unwrap();
    }
    let found = options.list(100).unwrap();
    let expected: Vec<Vec<u64>> =
        (13..=16).map(|m| vec![m - 12, 12, 11, 2 * m - 23, 23 - m, m, 0, m]).collect();
    assert_eq!(found, expected);
    assert_eq!(options.system().count(0).unwrap(), Count::Exactly(4));
}
