//! Formulas beside cells.

use super::*;
use crate::regions::symmetries as all_symmetries;

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
    for (wrong, inside) in [
        ("sym(a = c, a+b = d+e, a <= d)", false),
        ("sym(a = c, a+b = d+e, a <= min(d,e), b <= d)", true),
        ("a = c, a+b = d+e, a <= min(d,e)", true),
        ("sym(a = c, a+b = d+e+1, a <= min(d,e))", true),
        ("sym(a = c, a+b = d+e)", false),
    ] {
        let why = says(wrong).unwrap_err();
        assert_eq!(why.obligation(), "formula", "{wrong}");
        assert_eq!(why.differs().map(|(inside, _)| inside), Some(inside), "{wrong}: {why}");
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
    let why = describes(&game, &own, "a = c+d, b <= c").unwrap_err();
    assert_eq!(why.to_string(), "the formula fails at (0,1,0,0), which lies in a cell");
    let why = describes(&game, &own, "a <= c+d").unwrap_err();
    assert!(why.to_string().ends_with("which lies in no cell"), "{why}");
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
