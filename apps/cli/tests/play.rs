//! Playing through a pipe.

mod common;

use common::{nimatron, with_input};
use nimatron::{Explain, Options, Outcome, Position, Prepared};

/// Ten games, theorem or not.
const GAMES: [&str; 10] = [
    "Nim(3)",
    "CN(4,2)",
    "CN(5,2)",
    "CN(5,3)",
    "CN(6,3)",
    "CN(7,3)",
    "H",
    "PN(3,2) + Nim(1)",
    "Slow(3,{1,2})",
    "misere Nim(3)",
];

/// Some positions that are won for who begins.
fn won(game: &str, how_many: usize) -> Vec<Position> {
    let prepared = Prepared::new(game.parse().unwrap());
    let options = Options::default().explain(Explain::Nothing);
    let n = prepared.game().stacks();
    let mut state = 12345u64;
    let mut height = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % 6
    };
    let mut found: Vec<Position> = Vec::new();
    while found.len() < how_many {
        let position = Position::new((0..n).map(|_| height()).collect()).unwrap();
        let verdict = prepared.ask(&position, &options).unwrap();
        if verdict.outcome == Some(Outcome::N) && !prepared.game().is_terminal(&position) {
            found.push(position);
        }
    }
    found
}

#[test]
fn perfect_play_wins_every_won_start() {
    let anything = "any\n".repeat(200);
    let best = "best\n".repeat(200);
    for game in GAMES {
        for (number, position) in won(game, 20).iter().enumerate() {
            let (position, seed) = (position.to_string(), number.to_string());
            // The machine begins, against dice.
            let args = ["play", game, &position, "--second", "--seed", &seed];
            let run = with_input(&args, anything.as_bytes());
            assert_eq!(run.status, Some(0), "{game} {position}: {}", run.stderr);
            assert!(
                run.stdout.contains("\nThe machine wins.\n"),
                "{game} {position}\n{}",
                run.stdout
            );
            // You begin and play as well as it does.
            if number % 5 == 0 {
                let run = with_input(&["play", game, &position, "--seed", &seed], best.as_bytes());
                assert!(run.stdout.contains("\nYou win.\n"), "{game} {position}\n{}", run.stdout);
                assert!(run.stdout.contains("No mistake was made"), "{}", run.stdout);
            }
        }
    }
}

#[test]
fn a_match_is_scripted() {
    let script = "hint\nhint\nhint\nhint\nmoves\nwhy\nb9\na1 a2\nnonsense\ntake (2,0,0)\nundo\na2\nundo\nundo\n\
                  board\nhelp\nredo\nreview\n".to_string()
        + &"best\n".repeat(12);
    let run = with_input(&["play", "Nim(3)", "3,4,5", "--seed", "1"], script.as_bytes());
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    for line in [
        "Nim(3) at (3,4,5)",
        "Who makes the last move wins.",
        "  3  4  5",
        "You can win. Play on a.",
        "You can win. Leave 1 on a.",
        "You can win. Take a2. It wins.",
        "That is no move:",
        "a is named twice",
        "\"nonsense\" is not understood",
        "There is nothing to take back.",
        "You win.",
        "No mistake was made: the start was won for you.",
    ] {
        assert!(run.stdout.contains(line), "{line:?} is missing in\n{}", run.stdout);
    }
    assert!(run.stdout.lines().all(|line| line.chars().count() <= 80), "{}", run.stdout);
    // The same seed, the same match; and a mistake is found.
    let again = with_input(&["play", "Nim(3)", "3,4,5", "--seed", "1"], script.as_bytes());
    assert_eq!(run.stdout, again.stdout);
    let lost = with_input(
        &["play", "Nim(3)", "3,4,5"],
        ("c1\n".to_string() + &"any\n".repeat(30)).as_bytes(),
    );
    assert!(lost.stdout.contains("The machine wins."), "{}", lost.stdout);
    assert!(lost.stdout.contains("a mistake"), "{}", lost.stdout);
    assert!(lost.stdout.contains("decided it: you could have won there."), "{}", lost.stdout);
}

#[test]
fn a_match_may_end_anywhere() {
    for script in ["", "quit\n", "a1", "\u{1b}[31m\n", "undo\nredo\n"] {
        let run = with_input(&["play", "CN(5,2)", "--seed", "3"], script.as_bytes());
        assert_eq!(run.status, Some(0), "{script:?}: {}", run.stderr);
        assert!(!run.stdout.contains('\u{1b}'), "{script:?}");
    }
    let over = nimatron(&["play", "Nim(2)", "0,0"]);
    assert!(over.stdout.contains("The machine wins."), "{}", over.stdout);
    assert_eq!(nimatron(&["play", "Nim(2)", "1,1", "--rate", "5"]).status, Some(2));
    assert_eq!(nimatron(&["play", "Nim(2)", "1,1", "--json"]).status, Some(2));
    assert_eq!(nimatron(&["play", "Nim(2)", "1,1,1"]).status, Some(2));
}

#[test]
fn opponents_differ() {
    // From a won start, dice against dice: the machine does not always win.
    let anything = "any\n".repeat(100);
    let winners: Vec<bool> = (0..12)
        .map(|seed: u32| {
            let seed = seed.to_string();
            let args =
                ["play", "Nim(3)", "3,4,5", "--second", "--opponent", "random", "--seed", &seed];
            with_input(&args, anything.as_bytes()).stdout.contains("The machine wins.")
        })
        .collect();
    assert!(winners.contains(&true) && winners.contains(&false));
    let args = ["play", "Nim(3)", "3,4,5", "--second", "--opponent", "erring", "--rate", "100"];
    let run = with_input(&args, b"quit\n");
    assert!(run.stdout.contains("A mistake."), "{}", run.stdout);
}

#[test]
fn a_puzzle_is_solved() {
    let puzzle = nimatron(&["puzzle", "CN(5,2)", "--seed", "4", "--json"]);
    let answer: serde_json::Value = serde_json::from_str(&puzzle.stdout).unwrap();
    let take: Vec<String> =
        answer["solution"][0]["take"].as_array().unwrap().iter().map(|n| n.to_string()).collect();
    let script = format!("hint\nhint\nnonsense\ntake ({})\n", take.join(","));
    let run = with_input(&["puzzle", "CN(5,2)", "--seed", "4"], script.as_bytes());
    assert_eq!(run.status, Some(0), "{}", run.stdout);
    assert!(run.stdout.contains("\nRight.\n") && run.stdout.contains("\nWhy\n"), "{}", run.stdout);
    let given_up = with_input(&["puzzle", "CN(5,2)", "--seed", "4"], b"solution\n");
    assert_eq!(given_up.status, Some(1));
    for rating in 1..=5 {
        let rating = rating.to_string();
        let run = nimatron(&["puzzle", "--seed", "1", "--rating", &rating, "--json"]);
        assert!(run.stdout.contains(&format!("\"rating\":{rating},")), "{}", run.stdout);
    }
}

#[test]
fn a_lesson_is_taken() {
    let list = nimatron(&["learn"]);
    assert!(list.stdout.contains("circle-of-five"), "{}", list.stdout);
    let script = "a9\na3\na4\nb2\nN\nP\n5\n6\na2\n";
    let run = with_input(&["learn", "nim"], script.as_bytes());
    assert_eq!(run.status, Some(0), "{}", run.stdout);
    assert!(run.stdout.contains("5 of 5 tasks done."), "{}", run.stdout);
    assert!(run.stdout.matches("Not quite.").count() >= 2, "{}", run.stdout);
    assert_eq!(with_input(&["learn", "nim"], b"skip\nquit\n").status, Some(1));
    assert_eq!(nimatron(&["learn", "chess"]).status, Some(2));
}
