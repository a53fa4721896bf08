//! The theorem library: recognised under any names, equal to the oracle, and its moves win.

mod common;

use common::game;
use nimatron::crates::game::Variant;
use nimatron::crates::game::symmetry::Relabelling;
use nimatron::crates::game::{
    Family, Game, Height, Outcome, Play, Position, Rule, StackSet, Unlimited,
};
use nimatron::crates::table::naive;
use nimatron::crates::theory::library::theorems;
use nimatron::crates::theory::recognise;
use nimatron::structure::{TheoremCheck, affordable_box, examples_of};
use nimatron::{By, Explain, Options, Prepared, ask};

/// Games of all theorems.
fn library() -> Vec<Game> {
    let mut games: Vec<Game> = theorems().iter().flat_map(|t| examples_of(*t, 5)).collect();
    let more = ["PN(12,6)", "NN(12,6)", "NN(9,5)", "NN(11,7)", "CN(12,11)", "Nim(20)"];
    games.extend(more.map(game));
    // A part of H without a name of its own.
    games.push(game("Set(ab,bc,ae,cde)"));
    games
}

/// A small deterministic generator (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound.max(1)
    }

    fn height(&mut self, top: Height) -> Height {
        match self.below(8) {
            0 => 0,
            1 => self.below(4).min(top),
            _ => self.below(top + 1),
        }
    }

    fn position(&mut self, n: usize, top: Height) -> Position {
        Position::new((0..n).map(|_| self.height(top)).collect()).unwrap()
    }

    fn relabelling(&mut self, n: usize) -> Relabelling {
        let mut images: Vec<usize> = (0..n).collect();
        for i in (1..n).rev() {
            images.swap(i, self.below(i as u64 + 1) as usize);
        }
        Relabelling::new(&images).unwrap()
    }

    /// A position from which a move leads to `to`, or none if this try does not give one.
    fn undo(&mut self, rule: &Rule, to: &Position, top: Height) -> Option<Position> {
        let sets: u64 = rule.sets().len();
        let set = rule.sets().iter().nth(self.below(sets.min(50)) as usize)?;
        let mut heights = to.to_vec();
        for stack in set {
            heights[stack] += self.height(top);
        }
        let take: Vec<Height> = heights.iter().zip(to.iter()).map(|(a, b)| a - b).collect();
        rule.is_legal(&heights, &take).then(|| Position::new(heights).unwrap())
    }
}

/// The same game on renamed stacks, as a list of sets.
fn scrambled(game: &Game, by: &Relabelling) -> Option<Game> {
    let rule = game.single()?;
    if rule.sets().len() > 500 {
        return None;
    }
    let sets: Vec<StackSet> = rule.sets().iter().map(|s| by.set(s)).collect();
    let family = Family::Sets { n: rule.stacks(), sets };
    let variant = Variant { choice: rule.choice(), each: rule.each(), total: rule.total() };
    Game::variant(family, variant).ok()
}

#[test]
fn every_theorem_has_examples_and_is_right_on_boxes() {
    for theorem in theorems() {
        let examples = examples_of(*theorem, 6);
        assert!(!examples.is_empty(), "{}", theorem.id());
        for game in examples {
            let found = recognise(game.single().unwrap(), game.convention()).unwrap();
            assert_eq!(found.theorem.id(), theorem.id());
            let max = affordable_box(&game, 5e6).unwrap_or(1);
            let check = TheoremCheck::of(&game, &found, max, &Unlimited).unwrap();
            assert_eq!(check.differs, None, "{} on {game}", theorem.id());
            assert!(check.positions > 1 && check.p_positions > 0);
        }
    }
}

#[test]
fn scrambled_games_are_recognised() {
    let games = library();
    let mut random = Random(1);
    let mut tried = 0;
    while tried < 1000 {
        let game = &games[random.below(games.len() as u64) as usize];
        let n = game.stacks();
        let by = random.relabelling(n);
        let Some(renamed) = scrambled(game, &by) else { continue };
        tried += 1;
        let rule = renamed.single().unwrap();
        let found = recognise(rule, Play::Normal);
        let found = found.unwrap_or_else(|| panic!("{renamed}, which is {game}"));
        let theorem = recognise(game.single().unwrap(), Play::Normal).unwrap();
        for top in [3, 1_000_000] {
            let at = random.position(n, top);
            let moved = by.apply(&at);
            let outcome = theorem.outcome(&at);
            assert_eq!(found.outcome(&moved), outcome, "{renamed} at {moved:?}, {game} at {at}");
            if let Some(take) = found.winning_move(&moved) {
                assert!(rule.is_legal(&moved, &take), "{renamed} at {moved:?}: {take}");
                assert_eq!(found.outcome(&Rule::option(&moved, &take)), Outcome::P);
            }
        }
        if tried % 10 == 0 {
            let at = random.position(n, 50);
            let verdict = ask(&renamed, &at, &Options::unlimited()).unwrap();
            assert!(matches!(verdict.by, Some(By::Theorem { .. })), "{renamed} at {at}");
            assert_eq!(verdict.outcome, Some(found.outcome(&at)));
        }
    }
}

/// Asks about random tall positions, half of them made by undoing a move from a P-position. The
/// move given must be legal and land on a P-position.
fn moves_land_on_p(game: &Game, count: usize, random: &mut Random) {
    let prepared = Prepared::new(game.clone());
    let rule = game.single().unwrap();
    let theorem = recognise(rule, game.convention()).unwrap();
    let n = game.stacks();
    let mut at = random.position(n, 1_000_000_000_000_000);
    for _ in 0..count {
        let brief = Options::unlimited().explain(Explain::Nothing);
        let options = if random.below(8) > 0 { brief } else { Options::unlimited() };
        let verdict = prepared.ask(&at, &options).unwrap();
        assert!(matches!(verdict.by, Some(By::Theorem { .. })), "{game} at {at}: {verdict:?}");
        assert_eq!(verdict.reasons.is_empty(), options.explain == Explain::Nothing);
        assert_eq!(verdict.outcome, Some(theorem.outcome(&at)), "{game} at {at}");
        let lost = match verdict.moves.first() {
            None => {
                // Under misere play the player to move has won where no move is left.
                assert!(verdict.outcome == Some(Outcome::P) || rule.is_terminal(&at));
                at.clone()
            }
            Some(winning) => {
                assert!(game.is_legal(&at, &winning.take), "{game} at {at}: {}", winning.take);
                assert_eq!(at.after(&winning.take).as_ref(), Some(&winning.to));
                assert_eq!(theorem.outcome(&winning.to), Outcome::P, "{game} at {at}");
                winning.to.clone()
            }
        };
        let top = [4, 1000, 1_000_000_000_000_000][random.below(3) as usize];
        let undone = random.below(2) == 0;
        let raised = if undone { random.undo(rule, &lost, top) } else { None };
        let lost_is_p = theorem.outcome(&lost) == Outcome::P;
        if let Some(raised) = raised.as_ref().filter(|_| lost_is_p) {
            assert_eq!(
                theorem.outcome(raised),
                Outcome::N,
                "{game}: {raised} has a move to {lost}"
            );
        }
        at = raised.unwrap_or_else(|| random.position(n, top));
    }
}

#[test]
fn moves_of_the_library_land_on_p() {
    let mut random = Random(2);
    for game in library() {
        moves_land_on_p(&game, 2000, &mut random);
    }
}

#[test]
#[ignore = "takes minutes: run with --release"]
fn many_moves_of_the_library_land_on_p() {
    let mut random = Random(3);
    for game in library() {
        moves_land_on_p(&game, 100_000, &mut random);
    }
}

#[test]
fn low_positions_agree_with_the_oracle() {
    let games: Vec<Game> = library().into_iter().filter(|g| g.stacks() <= 8).collect();
    let each = 10_000 / games.len() + 1;
    let mut random = Random(4);
    for game in &games {
        let max = affordable_box(game, 1e6).unwrap_or(1);
        let table = naive::outcomes(game, &vec![max; game.stacks()]).unwrap();
        let prepared = Prepared::new(game.clone());
        for _ in 0..each {
            let at = random.position(game.stacks(), max);
            let verdict = prepared.ask(&at, &Options::unlimited()).unwrap();
            assert_eq!(verdict.outcome, table.get(&at), "{game} at {at}");
            let brief = Options::unlimited().explain(Explain::Nothing);
            let told = prepared.ask(&at, &brief).unwrap();
            assert_eq!((told.outcome, &told.moves), (verdict.outcome, &verdict.moves));
            for winning in &verdict.moves {
                assert!(game.is_legal(&at, &winning.take));
                assert_eq!(table.get(&winning.to), Some(Outcome::P), "{game} at {at}");
            }
        }
    }
}
