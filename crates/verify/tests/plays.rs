//! The checker's polyhedra against the rules of the game, on all pairs of small positions.

use nimatron_game::{Game, Height};
use nimatron_verify::regions::plays;

#[test]
fn plays_are_the_moves() {
    for name in [
        "CN(4,2)",
        "PN(3,2)",
        "Exact(3,2)",
        "Slow(3,{1,2})",
        "Slow(4,{2})",
        "CN(3,2) any=2",
        "CN(4,2) each=2",
        "Nim(3) each>=2",
        "CN(3,2) total>=2",
        "PN(4,2) total=3",
        "PN(3,2) + Nim(1)",
        "misere Nim(2)",
        "Exact(2,2) + Slow(2,{1})",
    ] {
        let game: Game = name.parse().unwrap();
        let n = game.stacks();
        let plays = plays(&game, 100).unwrap();
        let base = 4u64;
        let position = |code: u64| -> Vec<Height> {
            (0..n).map(|s| code / base.pow(s as u32) % base).collect()
        };
        for from in 0..base.pow(n as u32) {
            let p = position(from);
            for to in 0..=from {
                let q = position(to);
                let x: Vec<i128> = p.iter().chain(&q).map(|&h| h.into()).collect();
                let described = plays.iter().any(|play| {
                    let off = (0..n).all(|s| play.stacks.contains(s) || p[s] == q[s]);
                    off && play.rows(2 * n, |s| n + s, false).iter().all(|row| {
                        let terms = row.coefficients.iter().zip(&x).map(|(c, x)| c * x);
                        let value = terms.sum::<i128>() + row.constant;
                        if row.equation { value == 0 } else { value >= 0 }
                    })
                });
                let take: Option<Vec<Height>> =
                    p.iter().zip(&q).map(|(p, q)| p.checked_sub(*q)).collect();
                let legal = take.is_some_and(|take| game.is_legal(&p, &take));
                assert_eq!(described, legal, "{name}: {p:?} to {q:?}");
            }
        }
    }
}

#[test]
fn too_many_plays_are_refused() {
    let game: Game = "Moore(12,6)".parse().unwrap();
    assert_eq!(plays(&game, 100), None);
}
