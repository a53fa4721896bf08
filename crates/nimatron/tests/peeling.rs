//! Peeling against tables, against the proofs of the atlas, and where it is only a conjecture.

mod common;

use common::game;
use nimatron::crates::theory::peeling::{Circle, PROVED_CIRCULAR, PROVED_STACKS};
use nimatron::proofs::{Judgement, PeelingCheck, ProveMethod, prove};
use nimatron::render::{Palette, json};
use nimatron::structure::GameInfo;
use nimatron::tables::p_positions;
use nimatron::{
    By, Explain, Game, Height, Knowledge, Limits, Options, Outcome, Play, Position, Prepared, Rule,
    StackSet, Stop, Unlimited, Watch,
};
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 24) % n
    }

    fn heights(&mut self, n: usize, top: u64) -> Vec<Height> {
        (0..n).map(|_| self.below(top)).collect()
    }
}

/// The greatest height for which a box has at least so many positions.
fn height_for(stacks: usize, positions: f64) -> Height {
    (1..).find(|&h: &Height| (h as f64 + 1.0).powi(stacks as i32) >= positions).unwrap()
}

/// Peeling on a whole box: each position, and the move from some of them. Returns how many positions.
fn agrees_with_the_table(game: &Game, max: Height) -> u64 {
    let n = game.stacks();
    let rule = game.single().unwrap();
    let circle = Circle::of(rule, Play::Normal).unwrap_or_else(|| panic!("{game}"));
    let lost = p_positions(game, &vec![max; n], &Unlimited).unwrap();
    let lost: HashSet<&[Height]> = lost.iter().map(|p| &p[..]).collect();
    let (mut heights, mut seen, mut found) = (vec![0; n], 0u64, 0usize);
    loop {
        let is_lost = circle.outcome(&heights) == Outcome::P;
        assert_eq!(is_lost, lost.contains(&heights[..]), "{game} at {heights:?}");
        found += usize::from(is_lost);
        if seen.is_multiple_of(17) && !is_lost {
            let left = circle.left(&heights);
            let reached: Vec<Height> = heights.iter().zip(&left).map(|(h, l)| h - l).collect();
            let touched: StackSet = (0..n).filter(|&s| left[s] > 0).collect();
            assert!(rule.sets().iter().any(|set| touched.is_subset(set)), "{game} at {heights:?}");
            assert!(lost.contains(&reached[..]), "{game} at {heights:?}: {left:?}");
        }
        seen += 1;
        let Some(next) = (0..n).rev().find(|&s| heights[s] < max) else { break };
        heights[next] += 1;
        heights[next + 1..].fill(0);
    }
    assert_eq!(found, lost.len());
    seen
}

fn circular(n: usize) -> Game {
    game(&format!("CN({n},{})", n / 3 + 1))
}

const OTHERS: [&str; 10] = [
    "NN(5,2)",
    "NN(6,3)",
    "NN(7,3)",
    "NN(8,4)",
    "NN(9,4)",
    "PN(4,2)",
    "PN(6,3)",
    "PN(7,4)",
    "PN(8,4)",
    "NN(8,4,3)",
];

/// A random game of class C, its stacks in a random order.
fn member(random: &mut Random, n: usize) -> Game {
    loop {
        let (low, wide) = (random.below(2 + n as u64 / 3), 1 + random.below(1 + n as u64 / 3));
        let mut names: Vec<usize> = (0..n).collect();
        (0..n).for_each(|i| names.swap(i, i + random.below((n - i) as u64) as usize));
        let facets = (0..n).map(|start| {
            let length = (1 + low + random.below(wide)).min(n as u64) as usize;
            (0..length).map(|step| names[(start + step) % n]).collect::<StackSet>()
        });
        let game = Game::set_nim(n, facets.collect()).unwrap();
        let circle = Circle::of(game.single().unwrap(), Play::Normal);
        if circle.is_some_and(|circle| circle.len() + 2 > n) {
            return game;
        }
    }
}

#[test]
fn circular_games_agree_with_tables() {
    for n in 3..=PROVED_STACKS {
        agrees_with_the_table(&circular(n), height_for(n, 3e4).min(40));
    }
}

#[test]
#[ignore = "a minute, optimised: boxes of ten million positions"]
fn circular_games_agree_with_large_tables() {
    for n in 3..=PROVED_STACKS {
        assert!(agrees_with_the_table(&circular(n), height_for(n, 1e7)) >= 10_000_000);
    }
    for text in OTHERS {
        let game = game(text);
        agrees_with_the_table(&game, height_for(game.stacks(), 1e6));
    }
}

#[test]
fn paths_necklaces_and_random_members_agree_with_tables() {
    for text in OTHERS {
        let game = game(text);
        agrees_with_the_table(&game, height_for(game.stacks(), 2e4));
    }
    let mut random = Random(7);
    for i in 0..200 {
        let game = member(&mut random, 3 + i % 8);
        agrees_with_the_table(&game, height_for(game.stacks(), 3e3));
    }
}

/// The certificates of the atlas, which know nothing of peeling, as judges of tall positions.
fn agrees_with_proofs(positions: usize) {
    let knowledge = Knowledge::default();
    for (text, seed) in [("CN(9,4)", 1), ("CN(10,4)", 2), ("CN(11,4)", 3), ("CN(12,5)", 4)] {
        let game = game(text);
        let rule = game.single().unwrap();
        let circle = Circle::of(rule, Play::Normal).unwrap();
        let proof = knowledge.proof(rule, Play::Normal).expect("in the atlas");
        let mut random = Random(seed);
        for i in 0..positions {
            let top = [3, 10, 1_000_000, 1_000_000_000_000_000][i % 4];
            let heights = random.heights(game.stacks(), top);
            let left = circle.left(&heights);
            let lost: Vec<Height> = heights.iter().zip(&left).map(|(h, l)| h - l).collect();
            let outcome = proof.answer(&heights).unwrap().outcome;
            assert_eq!(circle.outcome(&heights), outcome, "{game} at {heights:?}");
            assert_eq!(proof.answer(&lost).unwrap().outcome, Outcome::P, "{game} at {lost:?}");
        }
    }
}

#[test]
fn stored_proofs_agree() {
    agrees_with_proofs(2_000);
}

#[test]
#[ignore = "a minute, optimised: 100,000 positions of each game"]
fn stored_proofs_agree_at_many_positions() {
    agrees_with_proofs(100_000);
}

#[test]
fn solve_tells_which_peels_are_subtracted() {
    let prepared = Prepared::new(game("CN(9,4)"));
    let at: Position = "1000,2000,3000,4000,50000,6000,7000,812,9".parse().unwrap();
    let verdict = prepared.ask(&at, &Options::default()).unwrap();
    assert!(matches!(&verdict.by, Some(By::Theorem { id, .. }) if *id == "peeling"));
    assert!(verdict.conjecture.is_none() && verdict.moves.len() == 1);
    let text = verdict.to_string();
    assert!(text.contains("subtract adg 1000 times"), "{text}");
    let json: serde_json::Value =
        serde_json::from_str(&json::to_string(&json::Solve::from(&verdict))).unwrap();
    let facts = json["explanation"][0]["construction"].as_array().unwrap();
    assert_eq!(facts[0]["kind"], "peel");
    assert_eq!(facts[0]["stacks"], serde_json::json!(["a", "d", "g"]));
    assert_eq!(facts[0]["times"], 1000);
    let left = facts.last().unwrap();
    assert_eq!(left["kind"], "left");
    assert_eq!(serde_json::to_value(verdict.moves[0].take.to_vec()).unwrap(), left["heights"]);
}

/// Stacks in any order: the circle is found.
#[test]
fn games_are_recognised_whatever_their_stacks_are_called() {
    let mut random = Random(3);
    for i in 0..40 {
        let n = 9 + i % 4;
        let game = member(&mut random, n);
        let prepared = Prepared::new(game.clone());
        let heights = random.heights(n, 1_000_000_000_000);
        let position = Position::new(heights).unwrap();
        let verdict = prepared.ask(&position, &Options::default()).unwrap();
        assert!(matches!(verdict.by, Some(By::Theorem { .. })), "{game}");
        for winning in &verdict.moves {
            assert!(game.is_legal(&position, &winning.take));
            let then = prepared.ask(&winning.to, &Options::default()).unwrap();
            assert_eq!(then.outcome, Some(Outcome::P), "{game} at {position}");
        }
    }
}

#[test]
fn beyond_what_is_proved_it_is_a_conjecture() {
    let prepared = Prepared::new(game("CN(30,11)"));
    let mut random = Random(11);
    let (mut proved, mut conjectured, mut slowest) = (0, 0, Duration::ZERO);
    for i in 0..200 {
        let mut heights = random.heights(30, 1_000_000_000_000);
        if i % 2 == 0 {
            // Few stacks are left.
            let keep: HashSet<u64> = (0..9).map(|_| random.below(30)).collect();
            (0..30).filter(|s| !keep.contains(s)).for_each(|s| heights[s as usize] = 0);
        }
        let position = Position::new(heights.clone()).unwrap();
        let clock = Instant::now();
        let verdict = prepared.ask(&position, &Options::default()).unwrap();
        slowest = slowest.max(clock.elapsed());
        let circle = Circle::of(prepared.game().single().unwrap(), Play::Normal).unwrap();
        let peeled = circle.peeled(&heights);
        match (verdict.outcome, &verdict.conjecture) {
            (Some(outcome), None) => {
                assert_eq!(outcome, peeled.outcome());
                proved += 1;
            }
            (None, Some(conjecture)) => {
                assert!(peeled.proof.is_none() && verdict.by.is_none() && verdict.moves.is_empty());
                assert_eq!(conjecture.outcome, peeled.outcome());
                assert_eq!(conjecture.winning.as_ref().map(|w| w.take.clone()), peeled.take());
                assert_eq!(verdict.unknown.as_ref().map(|u| u.stop), Some(Stop::Work));
                assert!(verdict.open.is_none());
                conjectured += 1;
            }
            other => panic!("{position}: {other:?}"),
        }
        let quick = prepared.ask(&position, &Options::default().explain(Explain::Nothing)).unwrap();
        assert_eq!((quick.outcome, quick.reasons.len()), (verdict.outcome, 0));
    }
    assert!(proved >= 90 && conjectured >= 90, "{proved} proved, {conjectured} conjectured");
    // The first questions find the circle; the bar for each is a millisecond, optimised.
    assert!(slowest < Duration::from_secs(1), "{slowest:?}");
}

/// Small positions are settled by computing, whatever is conjectured.
#[test]
fn low_positions_are_computed() {
    let prepared = Prepared::new(game("CN(15,6)"));
    let position = Position::new(vec![1; 15]).unwrap();
    let verdict = prepared.ask(&position, &Options::default()).unwrap();
    assert!(verdict.outcome.is_some() && verdict.conjecture.is_none(), "{verdict:?}");
}

#[test]
fn thirteen_stacks_are_proved_for_circular_games_only() {
    let knowledge = Knowledge::theorems();
    let covered = |text: &str| {
        let game = game(text);
        knowledge.cover(game.single().unwrap(), game.convention()).is_some()
    };
    assert_eq!(PROVED_CIRCULAR, 13);
    assert!(covered("CN(13,5)") && covered("CN(12,5)") && covered("NN(12,6)"));
    assert!(!covered("CN(14,5)") && !covered("CN(15,6)") && !covered("misere CN(9,4)"));
}

/// What is conjectured is told as such, and only where nothing is known.
#[test]
fn games_tell_what_is_conjectured() {
    let told = |text: &str| {
        let info = GameInfo::of(&game(text));
        let json = json::to_string(&json::GameAnswer::from(&info));
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        let shown = nimatron::render::game(&info, &Palette::PLAIN);
        assert_eq!(json["conjecture"].is_string(), shown.contains("conjectured"), "{text}");
        json["conjecture"].is_string()
    };
    assert!(told("CN(14,5)") && told("NN(13,5,4)"));
    assert!(!told("CN(13,5)") && !told("CN(14,6)") && !told("misere CN(9,4)"));
}

#[test]
fn the_types_on_few_stacks_are_proved_again() {
    for n in 3..=9 {
        let check = PeelingCheck::of(n, 1, &Limits::unlimited(), &Unlimited).unwrap();
        assert!(check.is_proved(), "{n}: {:?}", check.flaws().next());
    }
    let none = Limits::unlimited().time(Duration::ZERO);
    // Listing the games can be stopped, too: then nothing is told.
    assert_eq!(PeelingCheck::of(10, 2, &none, &none.start()).unwrap_err(), Stop::Time);
    let check = PeelingCheck::of(9, 1, &Limits::unlimited(), &UntilOneIsDone::default()).unwrap();
    assert_eq!((check.is_proved(), check.stop), (false, Some(Stop::Cancelled)));
    assert!(check.checked.len() < check.types);
}

/// Stops when the first step of anything is done.
#[derive(Default)]
struct UntilOneIsDone(AtomicBool);

impl Watch for UntilOneIsDone {
    fn check(&self, _: u64) -> Result<(), Stop> {
        if self.0.load(Ordering::Relaxed) { Err(Stop::Cancelled) } else { Ok(()) }
    }

    fn progress(&self, _: u128, _: u128) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
#[ignore = "minutes, optimised: all 641 types on up to 12 stacks"]
fn all_types_are_proved_again() {
    for n in 3..=PROVED_STACKS {
        let check = PeelingCheck::of(n, 2, &Limits::unlimited(), &Unlimited).unwrap();
        assert!(check.is_proved(), "{n}: {:?}", check.flaws().next());
    }
}

/// The closed formula for CN(5,2) and CN(7,3), and where it fails.
#[test]
fn equioscillation() {
    for (text, max) in [("CN(5,2)", 8), ("CN(7,3)", 3)] {
        let game = game(text);
        let second = second_form(&game);
        let conjecture = nimatron::check::Conjecture::new(&game, &second).unwrap();
        let bounds = vec![max; game.stacks()];
        let crew = nimatron::tables::Threads::new(1);
        let found = conjecture.check(&bounds, &crew, &Unlimited).unwrap();
        assert_eq!(found.holds(), Some(true), "{text}");
    }
    let game = game("CN(5,2)");
    let proving = prove(&game, &second_form(&game), ProveMethod::Auto, &Limits::unlimited());
    assert!(matches!(proving.judgement, Judgement::Proved(_)));
    // In CN(10,4) windows of four oscillate here as they should, but the position is N.
    let prepared = Prepared::new("CN(10,4)".parse().unwrap());
    let at: Position = "0,1,0,1,1,1,0,1,0,2".parse().unwrap();
    assert_eq!(prepared.ask(&at, &Options::default()).unwrap().outcome, Some(Outcome::N));
}

#[test]
#[ignore = "a minute, optimised"]
fn equioscillation_is_proved_for_seven_stacks() {
    let game = game("CN(7,3)");
    let proving = prove(&game, &second_form(&game), ProveMethod::Auto, &Limits::unlimited());
    assert!(matches!(proving.judgement, Judgement::Proved(_)));
}

fn second_form(game: &Game) -> nimatron::crates::formula::Formula {
    let rule: &Rule = game.single().unwrap();
    let (theorem, _) = nimatron::crates::theory::library::find(rule, Play::Normal).unwrap();
    let text = theorem.second_form().expect("a second form");
    let context = nimatron::crates::formula::Context::of_game(game);
    nimatron::crates::formula::Formula::parse(&text, &context).unwrap()
}

/// The certificate that takes longest to find is kept.
#[test]
#[ignore = "twenty seconds, optimised"]
fn the_certificate_of_thirteen_stacks_is_accepted() {
    use nimatron::crates::verify::Budget;
    use nimatron::proofs::{Proved, read_certificate_within};
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/certificates/CN-13-5.json.gz");
    let file = flate2::read::GzDecoder::new(std::fs::File::open(path).unwrap());
    let budget = Budget::times(2);
    let certificate = read_certificate_within(file, budget).unwrap();
    let proved = Proved::accept_within(certificate, budget).unwrap();
    assert_eq!(proved.game().to_string(), "CN(13,5)");
    let known = proved.games().unwrap().vectors(StackSet::EMPTY);
    let circle = Circle::of(proved.game().single().unwrap(), Play::Normal).unwrap();
    let peels = circle.invariants();
    assert!(!peels.is_empty() && peels.iter().all(|peel| known.contains(peel)));
}
