//! Questions to a library that holds every certificate of the atlas: no panic, no wrong answer, and every
//! move that is told wins.

use nimatron::atlas::Atlas;
use nimatron::crates::game::{Game, Height, Outcome, Position};
use nimatron::crates::table::naive;
use nimatron::proofs::{Proved, Store};
use nimatron::{By, Knowledge, Options, Prepared};
use std::collections::HashMap;
use std::path::PathBuf;

const POSITIONS: usize = 10_000;

struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 20) % bound
    }

    /// Heights: small ones, tall ones, or both, and now and then an empty stack.
    fn heights(&mut self, stacks: usize) -> Vec<Height> {
        let bound = [4, 4, 30, 1_000_000_000_000][self.below(4) as usize];
        (0..stacks).map(|_| if self.below(6) == 0 { 0 } else { self.below(bound) }).collect()
    }
}

#[test]
fn ten_thousand_positions() {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("whole-atlas");
    let _ = std::fs::remove_dir_all(&directory);
    let store = Store::new(&directory);
    let atlas = Atlas::shipped();
    let mut games: Vec<Game> = Vec::new();
    for entry in atlas.entries() {
        let Some(certificate) = atlas.certificate(entry).unwrap() else { continue };
        games.push(certificate.game.clone());
        store.add(&Proved::accept(certificate).unwrap()).unwrap();
    }
    assert!(games.len() > 100);
    let mut random = Random(7);
    let (mut asked, mut moves, mut by_proof, mut by_table) = (0, 0, 0, 0);
    for (number, game) in games.iter().enumerate() {
        // As `solve --library` asks, and without any theorem.
        let library =
            Prepared::knowing(game.clone(), Knowledge::with_store(Store::new(&directory)));
        let proofs = Prepared::knowing(game.clone(), Knowledge::proofs_first());
        let n = game.stacks();
        let table: HashMap<Vec<Height>, Outcome> = match n {
            0..=5 => {
                let table = naive::outcomes(game, &vec![3; n]).unwrap();
                table.iter().map(|(position, outcome)| (position.to_vec(), outcome)).collect()
            }
            _ => HashMap::new(),
        };
        let share = POSITIONS * (number + 1) / games.len() - POSITIONS * number / games.len();
        for _ in 0..share {
            let position = Position::new(random.heights(n)).unwrap();
            let verdict = library.ask(&position, &Options::default()).unwrap();
            let outcome = verdict.outcome.unwrap_or_else(|| panic!("{game} {position}"));
            let second = proofs.ask(&position, &Options::default()).unwrap();
            assert_eq!(second.outcome, Some(outcome), "{game} {position}");
            by_proof += usize::from(matches!(second.by, Some(By::Proof { .. })));
            if let Some(&true_outcome) = table.get(&position.to_vec()) {
                assert_eq!(outcome, true_outcome, "{game} {position}");
                by_table += 1;
            }
            // Under misere play the player to move has won where no move is left.
            let moves_on = outcome == Outcome::N && !game.is_terminal(&position);
            assert_eq!(moves_on, !verdict.moves.is_empty(), "{game} {position}");
            for told in verdict.moves.iter().chain(&second.moves) {
                assert!(game.is_legal(&position, &told.take), "{game} {position}");
                for asked in [&library, &proofs] {
                    let after = asked.ask(&told.to, &Options::default()).unwrap();
                    assert_eq!(after.outcome, Some(Outcome::P), "{game} {position}");
                }
                moves += 1;
            }
            asked += 1;
        }
        for prepared in [&library, &proofs] {
            assert!(prepared.knowledge().problems().is_empty(), "{game}");
        }
    }
    assert_eq!(asked, POSITIONS);
    assert!(
        moves > POSITIONS && by_proof > POSITIONS / 2 && by_table > POSITIONS / 10,
        "{moves} {by_proof} {by_table}"
    );
}
