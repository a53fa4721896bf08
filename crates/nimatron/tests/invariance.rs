//! Invariant vectors, the reduction process and cheat sheets, as the papers print them.

mod common;

use common::{game, position};
use nimatron::crates::formula::{Context, Formula};
use nimatron::crates::game::{Outcome, Play, StackSet, Unlimited};
use nimatron::crates::meaning::branches;
use nimatron::crates::theory::invariance::Evidence;
use nimatron::crates::theory::recognise;
use nimatron::structure::{Case, CheatSheet, Invariants, Solved, invariance_process};
use nimatron::{Knowledge, Options, Reason, ask};
use std::collections::BTreeSet;

fn stacks(text: &str) -> StackSet {
    text.bytes().map(|b| usize::from(b - b'a')).collect()
}

/// `b,c: PN(3,2) at a,f,d+e` for each case of each sheet.
fn sheet(text: &str) -> Vec<String> {
    let sheets = CheatSheet::all(&game(text), &Knowledge::default()).unwrap();
    let letter = |s: &usize| char::from(b'a' + *s as u8).to_string();
    let mut rows = Vec::new();
    for case in &sheets[0].cases {
        let left = case.left.game().unwrap();
        let members: Vec<String> = case
            .left
            .members
            .iter()
            .map(|m| m.iter().map(letter).collect::<Vec<_>>().join("+"))
            .collect();
        assert!(case.left.solved.is_some(), "{text}: {left}");
        rows.push(format!("{}: {left} at {}", case.left.zeros, members.join(",")));
    }
    rows
}

#[test]
fn table_2_of_kdh26() {
    let expected = [
        "a: PN(5,3) at b,c,d,e,f",
        "bc: PN(3,2) at a,f,d+e",
        "cd: PN(4,2) at b,a,f,e",
        "be: CN(4,2) at a,c,d,f",
    ];
    assert_eq!(sheet("H"), expected);
    let sheets = CheatSheet::all(&game("H"), &Knowledge::default()).unwrap();
    let images: Vec<_> = sheets[0].cases.iter().map(|c| c.images.clone()).collect();
    assert_eq!(images, [vec![stacks("f")], vec![stacks("de")], vec![], vec![]]);
    // The same game on renamed stacks has the same cases.
    let games = |text: &str| -> BTreeSet<String> {
        let word = |row: &String| row.split(' ').nth(1).unwrap().to_string();
        sheet(text).iter().map(word).collect()
    };
    assert_eq!(games("Set(bcf,abc,acd,ade,ef)"), games("H"));
    assert_eq!(games("Set(fed,edc,dcb,cba,fa)"), games("H"));
}

#[test]
fn the_cases_of_necklaces_and_circles() {
    let expected = [
        "a: PN(7,4) at b,c,d,e,f,g,h",
        "bf: NN(6,3) at a,c,d,e,g,h",
        "bcd: PN(3,2) at a,h,e+f+g",
        "cde: PN(4,2) at b,a,h,f+g",
    ];
    assert_eq!(sheet("NN(8,4)"), expected);
    let sheets = CheatSheet::all(&game("NN(8,4)"), &Knowledge::default()).unwrap();
    let names: Vec<String> = sheets.iter().map(|s| s.game.to_string()).collect();
    assert_eq!(names, ["NN(8,4)", "NN(6,3)"]);
    let expected = ["ab: PN(6,3) at c,d,e,f,g,h", "ad: CN(5,2) at b,c,e,f+g,h"];
    assert_eq!(sheet("CN(8,3)"), expected);
    assert_eq!(sheet("CN(7,3)"), ["a: NN(6,3) at b,c,d,e,f,g"]);
    assert_eq!(sheet("CN(5,2)"), ["a: PN(4,2) at b,c,d,e"]);
    // KDH26 Proposition 3.4: what is left can be taken in one move.
    let circle = CheatSheet::all(&game("CN(6,3)"), &Knowledge::default()).unwrap();
    let is_one_move = |case: &Case| match &case.left.state.parts[..] {
        [part] => part.rule.sets().len() == 1,
        _ => matches!(case.left.solved, Some(Solved::Over)),
    };
    assert!(circle[0].cases.iter().all(is_one_move));
    for none in ["CN(5,3)", "CN(7,4)", "CN(6,2)", "misere CN(5,2)", "CN(5,2) + Nim(1)"] {
        assert!(CheatSheet::all(&game(none), &Knowledge::default()).is_none(), "{none}");
    }
}

/// Every position that has been through the process shows one of the patterns of the sheet.
#[test]
fn the_patterns_cover_what_is_left() {
    for text in ["H", "NN(8,4)", "NN(7,4)", "CN(8,3)", "CN(7,3)", "CN(6,3)", "CN(5,2)"] {
        let game = game(text);
        let knowledge = Knowledge::default();
        let sheet = &CheatSheet::all(&game, &knowledge).unwrap()[0];
        let patterns: Vec<StackSet> = sheet
            .cases
            .iter()
            .flat_map(|c| [c.left.zeros].into_iter().chain(c.images.iter().copied()))
            .collect();
        let mut seed = 3u64;
        for _ in 0..500 {
            let mut next = || {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                seed >> 33
            };
            let mut heights: Vec<u64> = (0..game.stacks()).map(|_| next() % 9).collect();
            for vector in &sheet.vectors {
                let least = vector.iter().map(|s| heights[s]).min().unwrap();
                vector.iter().for_each(|s| heights[s] -= least);
            }
            let zeros: StackSet = (0..heights.len()).filter(|&s| heights[s] == 0).collect();
            assert!(patterns.iter().any(|p| p.is_subset(zeros)), "{text} {heights:?}");
        }
    }
}

#[test]
fn table_1_of_kdh26() {
    let h = game("H");
    let (z1, z2) = (stacks("abdf"), stacks("acef"));
    // Position, what is left in either order, and the case of the proof.
    let rows = [
        ("5,2,7,8,9,6", "0,0,4,6,6,1", "0,2,2,8,4,1", 1),
        ("3,5,6,3,9,10", "0,2,6,0,9,7", "0,5,3,3,6,7", 1),
        ("4,3,9,12,2,8", "0,0,8,9,1,4", "0,1,7,10,0,4", 1),
        ("8,2,4,6,5,7", "2,0,0,4,1,1", "2,0,0,4,1,1", 2),
        ("5,4,2,2,3,7", "1,2,0,0,1,3", "1,2,0,0,1,3", 3),
        ("7,2,7,5,3,8", "2,0,4,3,0,3", "2,0,4,3,0,3", 4),
    ];
    let cases = ["a", "bc", "cd", "be"].map(stacks);
    for (at, first, second, case) in rows {
        for (vectors, left) in [([z1, z2], first), ([z2, z1], second)] {
            let knowledge = Knowledge::default();
            let chain = invariance_process(&h, &position(at), Some(&vectors), &knowledge).unwrap();
            assert_eq!(chain.after(1).heights(), position(left).to_vec(), "H at {at}");
            let zeros: StackSet = (0..6).filter(|&s| position(left)[s] == 0).collect();
            let found = cases.iter().position(|c| c.is_subset(zeros)).unwrap() + 1;
            assert_eq!(found, case, "H at {at}");
        }
    }
    let wrong = [stacks("abcdef")];
    let at = position("1,1,1,1,1,1");
    assert!(invariance_process(&h, &at, Some(&wrong), &Knowledge::default()).is_err());
}

/// Another order may lead to other empty stacks, never to another outcome.
#[test]
fn the_order_of_the_vectors_may_matter() {
    let circle = game("CN(6,3)");
    let knowledge = Knowledge::default();
    let zeros = |vectors: &[&str]| {
        let vectors: Vec<StackSet> = vectors.iter().map(|v| stacks(v)).collect();
        let at = position("1,0,1,1,1,0");
        let chain = invariance_process(&circle, &at, Some(&vectors), &knowledge).unwrap();
        chain.after(1).heights()
    };
    let (first, second) = (zeros(&["ad", "ace"]), zeros(&["ace", "ad"]));
    assert_ne!(first, second);
    let theorem = recognise(circle.single().unwrap(), Play::Normal).unwrap();
    assert_eq!(theorem.outcome(&first), theorem.outcome(&second));
}

/// KDH26 section 4 and DH13: positions, and options that win.
#[test]
fn the_worked_plays() {
    let plays: &[(&str, &str, &str)] = &[
        ("CN(5,2)", "3,8,5,9,6", "3,8,3,5,6"),
        ("H", "2,6,11,8,3,12", "2,6,6,2,0,12"),
        ("H", "6,2,9,1,3,12", "4,2,9,1,3,11"),
        ("CN(7,3)", "3,5,9,14,11,6,15", "3,5,9,9,5,3,15"),
        ("CN(5,2)", "0,6,4,3,2", "0,5,0,3,2"),
        ("CN(5,2)", "0,6,4,3,5", "0,6,0,1,5"),
        ("CN(5,2)", "0,5,6,3,4", "0,5,0,1,4"),
        ("CN(5,2)", "0,5,6,1,3", "0,4,0,1,3"),
        ("CN(5,3)", "3,9,5,7,4", "3,7,0,7,4"),
        ("CN(5,3)", "3,9,5,6,4", "2,6,0,6,4"),
        ("CN(5,3)", "3,6,4,3,5", "0,5,2,3,5"),
        ("CN(5,3)", "3,6,1,3,5", "0,4,1,3,4"),
        ("CN(5,3)", "2,5,8,7,3", "2,1,3,0,3"),
        ("CN(5,3)", "2,3,8,7,6", "2,3,5,0,5"),
        ("CN(5,3)", "2,3,8,7,3", "2,1,3,0,3"),
        ("CN(6,3)", "5,10,8,6,9,0", "5,9,0,5,9,0"),
        ("CN(6,3)", "10,8,8,4,9,0", "5,8,1,4,9,0"),
        ("CN(6,3)", "10,8,5,2,14,0", "7,8,5,2,13,0"),
    ];
    for (text, from, to) in plays {
        reachable_and_lost(text, from, to);
    }
    for t in 0..=5 {
        let to = format!("{},{},{t},8,4,3", 5 + t, 7 - t);
        reachable_and_lost("CN(6,3)", "10,9,5,8,4,3", &to);
    }
    for m in 13..=16 {
        let to = format!("{},12,11,{},{},{m},0,{m}", m - 12, 2 * m - 23, 23 - m);
        reachable_and_lost("CN(8,6)", "4,12,11,9,10,16,1,17", &to);
    }
    // Not covered by a theorem, but low.
    let verdict = ask(&game("CN(9,5)"), &position("2,2,2,2,2,2,2,2,2"), &Options::unlimited());
    assert_eq!(verdict.unwrap().outcome, Some(Outcome::N));
}

/// The option is one move away, a P-position by theorem, and the position itself is won.
fn reachable_and_lost(text: &str, from: &str, to: &str) {
    let (game, from, to) = (game(text), position(from), position(to));
    let take: Option<Vec<u64>> =
        from.iter().zip(to.iter()).map(|(a, b)| a.checked_sub(*b)).collect();
    let take = take.unwrap_or_else(|| panic!("{text}: {from} to {to} raises a stack"));
    assert!(game.is_legal(&from, &take), "{text}: {from} to {to}");
    let theorem = recognise(game.single().unwrap(), Play::Normal).unwrap();
    assert_eq!(theorem.outcome(&to), Outcome::P, "{text}: {to}");
    let verdict = ask(&game, &from, &Options::unlimited()).unwrap();
    assert_eq!(verdict.outcome, Some(Outcome::N), "{text}: {from}");
    assert_eq!(theorem.outcome(&verdict.moves[0].to), Outcome::P, "{text}: {from}");
}

#[test]
fn the_play_of_cn_7_3_is_explained_through_h() {
    let at = position("3,5,9,14,11,6,15");
    let verdict = ask(&game("CN(7,3)"), &at, &Options::unlimited()).unwrap();
    let reached: Vec<String> = verdict
        .reasons
        .iter()
        .filter_map(|r| match r {
            Reason::Reduction(step) => Some(step.after.to_string()),
            _ => None,
        })
        .collect();
    assert_eq!(reached[0], "CN(7,3) at (0,2,6,11,8,3,12)");
    assert!(reached.contains(&"NN(6,3) at (2,6,11,8,3,12)".to_string()), "{reached:?}");
    assert_eq!(reached.last().unwrap(), "PN(5,3) at (4,11,6,3,10)");
    assert_eq!(verdict.moves[0].to.to_string(), "(3,5,9,9,5,3,15)");
}

/// KDH26 Remark 3.3(4): with the all-ones vector equal heights are P, and every equation between
/// sums has as many stacks on one side as on the other.
#[test]
fn what_the_all_ones_vector_brings() {
    for text in ["CN(3,2)", "CN(5,4)", "CN(5,2)", "CN(7,3)", "CN(8,3)"] {
        let game = game(text);
        let n = game.stacks();
        let theorem = recognise(game.single().unwrap(), Play::Normal).unwrap();
        for height in [0, 1, 2, 7, 1_000_000_000_000] {
            assert_eq!(theorem.outcome(&vec![height; n]), Outcome::P, "{text} at {height}");
        }
        let context = Context::of_game(&game);
        let formula = theorem.solution().formula().unwrap();
        let formula = Formula::parse(&formula, &context).unwrap();
        let identity = vec![(0..n).collect()];
        let equations = branches(&formula, n, &identity, 1000).unwrap();
        let equations = equations.iter().flat_map(|b| &b.constraints).filter(|c| c.equation);
        let sums: Vec<i64> = equations.map(|c| c.form.coefficients().iter().sum()).collect();
        assert!(!sums.is_empty() && sums.iter().all(|&s| s == 0), "{text}: {sums:?}");
    }
    // Without it there is no such balance: CN(5,3) has b = c+d.
    let lopsided = recognise(game("CN(5,3)").single().unwrap(), Play::Normal).unwrap();
    assert_eq!(lopsided.outcome(&[1; 5]), Outcome::N);
}

/// KDH26 Remark 3.3: what kills invariant vectors.
#[test]
fn what_kills_invariant_vectors() {
    let found = |text: &str, max| {
        let found = Invariants::of(&game(text), Some(max), &Knowledge::default(), &Unlimited);
        found.unwrap().unwrap()
    };
    let basis = |text: &str, max| -> Vec<String> {
        let mut basis: Vec<String> =
            found(text, max).tested.unwrap().basis().iter().map(|s| s.to_string()).collect();
        basis.sort();
        basis
    };
    // (1) Paths have both ends and nothing else.
    assert_eq!(basis("PN(5,3)", 4), ["ae"]);
    assert_eq!(basis("PN(4,2)", 6), ["ad"]);
    // (2) A designated zero kills all of them.
    assert_eq!(basis("CN(5,3)", 4), [] as [&str; 0]);
    // (3) Maxima and minima leave at most the all-ones vector.
    assert_eq!(basis("CN(5,2)", 4), ["abcde"]);
    assert_eq!(basis("CN(7,3)", 2), ["abcdefg"]);
    // (5) All positions of equal heights are P in CN(7,4), yet all-ones is not invariant.
    let circle = found("CN(7,4)", 2).tested.unwrap();
    assert!(circle.holding.is_empty());
    let all = circle.refuted.iter().find(|v| v.stacks == StackSet::first(7)).unwrap();
    let Evidence::Refuted { p, n } = &all.evidence else { panic!("{all:?}") };
    assert_eq!(
        (p.to_string(), n.to_string()),
        ("(0,0,1,0,0,1,1)".into(), "(1,1,2,1,1,2,2)".into())
    );
    // (6) Nim on three stacks inside: k <= n/3.
    for (text, max) in [("CN(6,2)", 5), ("CN(7,2)", 3)] {
        assert_eq!(basis(text, max), [] as [&str; 0], "{text}");
    }
    // The vectors of the theorems are those of the tables.
    let games = [("H", 4), ("CN(6,3)", 4), ("NN(7,4)", 3), ("CN(8,3)", 2), ("CN(4,2)", 6)];
    for (text, max) in games {
        let found = found(text, max);
        let known: BTreeSet<StackSet> = found.known.iter().copied().collect();
        let basis: BTreeSet<StackSet> = found.tested.unwrap().basis().into_iter().collect();
        assert_eq!(known, basis, "{text}");
    }
    // NN(5,3) has more than those that all necklaces have: its circuits, which are pointed.
    let necklace = found("NN(5,3)", 4);
    assert_eq!(necklace.known, [stacks("abde"), stacks("ace")]);
    assert_eq!(basis("NN(5,3)", 4), ["ace", "ad", "be"]);
}

#[test]
fn refuting_pairs_are_what_they_say() {
    let circle = game("CN(5,3)");
    let found = Invariants::of(&circle, Some(4), &Knowledge::default(), &Unlimited);
    let tested = found.unwrap().unwrap().tested.unwrap();
    assert_eq!(tested.refuted.len(), 7);
    for vector in &tested.refuted {
        let Evidence::Refuted { p, n } = &vector.evidence else { panic!("{vector:?}") };
        for (at, outcome) in [(p, Outcome::P), (n, Outcome::N)] {
            let verdict = ask(&circle, at, &Options::unlimited()).unwrap();
            assert_eq!(verdict.outcome, Some(outcome), "{at}");
        }
        let differs: StackSet = (0..5).filter(|&s| p[s].abs_diff(n[s]) == 1).collect();
        assert_eq!(differs, vector.stacks);
    }
}
