//! Formulas beside cells.

use super::*;
use crate::regions::symmetries as all_symmetries;
use nimatron_formula::{Context, Formula};
use nimatron_game::{Height, Position};
use nimatron_meaning::Evaluator;

/// A part whose cells are given, closed under all symmetries of the game.
fn proof(game: &Game, cells: &[&[u32]]) -> MatryoshkaProof {
    let rule = game.single().unwrap();
    let group = all_symmetries(game).unwrap();
    let mut all: Vec<Vec<u32>> = Vec::new();
    for (cell, names) in cells.iter().flat_map(|cell| group.iter().map(move |g| (cell, g))) {
        let names: Vec<u32> = names.iter().map(|&s| s as u32).collect();
        let mut moved: Vec<u32> = cell.iter().map(|&g| image(&names, g)).collect();
        moved.sort_unstable();
        if !all.contains(&moved) {
            all.push(moved);
        }
    }
    let part = Part {
        stacks: rule.stacks() as u32,
        facets: rule.sets().iter().map(StackSet::bits).collect(),
        rows: Vec::new(),
        cells: all,
        tree: Vec::new(),
    };
    let symmetries = group.iter().map(|g| g.iter().map(|&s| s as u32).collect()).collect();
    MatryoshkaProof { formula: None, parts: vec![part], symmetries, weights: Vec::new() }
}

/// That a formula is rejected with a position at which it and the cells differ: the position.
fn differs(game: &Game, own: &MatryoshkaProof, text: &str) -> Position {
    let why = describes(game, own, text).unwrap_err();
    assert_eq!(why.obligation(), "formula", "{text}");
    let (inside, position) = why.differs().unwrap_or_else(|| panic!("{text}: {why}"));
    let symmetries = all_symmetries(game).unwrap();
    let context = Context::of_game(game);
    let formula = Formula::parse(text, &context).unwrap();
    let holds = Evaluator::new(&formula, &context, &symmetries).unwrap().holds(position);
    assert_eq!(holds, !inside, "{text} at {position}");
    let cells = &own.parts[0].cells;
    assert_eq!(cells.iter().any(|cell| is_sum_of(position, cell)), inside, "{text} at {position}");
    position.clone()
}

/// Whether heights are a sum of vectors, by trying all of them.
fn is_sum_of(heights: &[Height], vectors: &[u32]) -> bool {
    let Some((&vector, others)) = vectors.split_first() else {
        return heights.iter().all(|&h| h == 0);
    };
    let mut left = heights.to_vec();
    loop {
        if is_sum_of(&left, others) {
            return true;
        }
        let stacks = StackSet::from_bits(vector);
        if stacks.iter().any(|s| left[s] == 0) {
            return false;
        }
        stacks.iter().for_each(|s| left[s] -= 1);
    }
}

#[test]
fn formulas_of_cells() {
    let pentagon: Game = "CN(5,2)".parse().unwrap();
    let own = proof(&pentagon, &[&[0b00101, 0b01001, 0b11111]]);
    let says = |text: &str| describes(&pentagon, &own, text);
    for right in [
        "sym(a = c, a+b = d+e, a <= min(d,e))",
        "sym(b = e, a+b = c+d, a = max)",
        "sym(b = e, a+b = c+d, b <= min(c,d))",
    ] {
        says(right).unwrap_or_else(|error| panic!("{right}: {error}"));
    }
    for wrong in [
        "sym(a = c, a+b = d+e, a <= d)",
        "sym(a = c, a+b = d+e, a <= min(d,e), b <= d)",
        "a = c, a+b = d+e, a <= min(d,e)",
        "sym(a = c, a+b = d+e+1, a <= min(d,e))",
        "sym(a = c, a+b = d+e)",
    ] {
        differs(&pentagon, &own, wrong);
    }
}

#[test]
fn a_branch_may_lie_in_several_cells() {
    // Two cells side by side: a = c+d with b below or above c.
    let game: Game = "Set(ab,bc,cd,ad)".parse().unwrap();
    let mut own = proof(&game, &[]);
    own.symmetries = Vec::new();
    let (ac, ad, abc, b) = (0b0101, 0b1001, 0b0111, 0b0010);
    own.parts[0].cells = vec![vec![ac, abc, ad], vec![b, abc, ad]];
    own.parts[0].cells.iter_mut().for_each(|cell| cell.sort_unstable());
    assert!(describes(&game, &own, "a = c+d").is_ok());
    let position = differs(&game, &own, "a = c+d, b <= c");
    assert!(position[1] > position[2], "{position}");
    let position = differs(&game, &own, "a <= c+d");
    assert!(position[0] < position[2] + position[3], "{position}");
}

#[test]
fn what_is_no_linear_constraint_is_not_accepted() {
    let game: Game = "Nim(2)".parse().unwrap();
    let own = proof(&game, &[&[0b11]]);
    assert!(describes(&game, &own, "a = b").is_ok());
    for text in ["xor(a,b) = 0", "span(ab)", "a mod 2 = b mod 2", "a = b, a < 7", "a = = b"] {
        assert!(describes(&game, &own, text).is_err(), "{text}");
    }
}
