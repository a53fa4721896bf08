//! The solver against trying all values.

use super::*;
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
        found.retain(|x| self.rows.iter().all(|row| holds(row, x)));
        found
    }
}

fn holds((a, c, relation): &(Vec<i128>, i128, Relation), x: &[i128]) -> bool {
    let value = a.iter().zip(x).map(|(a, x)| a * x).sum::<i128>() + c;
    match relation {
        Relation::Zero => value == 0,
        Relation::NonNegative => value >= 0,
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
    for v in 0..given.bounds.len() {
        assert_eq!(system.least(v).unwrap(), all.iter().map(|x| x[v]).min());
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
}

#[test]
fn many_variables_are_decided() {
    // A hidden solution among tall bounds and constraints that it satisfies.
    let mut state = 31u64;
    let mut below = |limit: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) % limit
    };
    let n = 8;
    for _ in 0..1000 {
        let heights: Vec<i128> = (0..n).map(|_| i128::from(below(1 << 50))).collect();
        let hidden: Vec<i128> = heights.iter().map(|&h| i128::from(below(h as u64 + 1))).collect();
        let bounds: Vec<_> = heights.iter().map(|&h| (0, h)).collect();
        let mut system = System::new(&bounds).unwrap();
        let mut rows = Vec::new();
        for i in 0..7 {
            let a: Vec<i128> = (0..n).map(|_| i128::from(below(3)) - 1).collect();
            let value: i128 = a.iter().zip(&hidden).map(|(a, x)| a * x).sum();
            let (slack, relation) = match i {
                0..3 => (0, Relation::Zero),
                _ => (i128::from(below(3)), Relation::NonNegative),
            };
            system.require(&a, slack - value, relation).unwrap();
            rows.push((a, slack - value, relation));
        }
        let x = system.solve().unwrap().expect("the hidden solution is one");
        assert!(rows.iter().all(|row| holds(row, &x)));
        assert!(x.iter().zip(&heights).all(|(x, h)| (0..=*h).contains(x)));
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
fn the_first_solutions_among_many_are_listed() {
    let tall = 10i128.pow(15);
    let mut even = System::new(&[(0, tall), (0, tall)]).unwrap();
    even.require(&[1, -2], 0, Relation::Zero).unwrap();
    assert_eq!(even.solutions(3).unwrap(), [[0, 0], [2, 1], [4, 2]]);
    let plane = System::new(&[(0, tall), (0, tall)]).unwrap();
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
