//! What holds for all texts and all games: see `fuzz/bodies/notation.rs`.

mod common;
#[path = "../../../fuzz/bodies/inputs.rs"]
#[allow(clippy::disallowed_types, clippy::disallowed_methods, reason = "a test has a clock")]
mod inputs;
#[path = "../../../fuzz/bodies/notation.rs"]
mod text;

use nimatron_game::notation::MAX_LENGTH;
use nimatron_game::{Family, Game, MAX_HEIGHT, MAX_SETS, Position, StackSet, Take, Variant};
use proptest::prelude::*;

const CORPUS: [&str; 3] = [
    include_str!("../../../corpus/notation/games.txt"),
    include_str!("../../../corpus/notation/positions.txt"),
    include_str!("../../../corpus/notation/errors.txt"),
];

fn corpus() -> Vec<&'static str> {
    CORPUS.iter().flat_map(|file| file.lines()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn every_game_is_read_back(game in common::game()) {
        let written = game.to_string();
        let read = written.parse::<Game>();
        prop_assert_eq!(read.as_ref(), Ok(&game), "{}", written);
    }

    #[test]
    fn blanks_and_capitals_do_not_matter(game in common::game(), upper: bool) {
        let written = game.to_string();
        let wide: String = written
            .split_inclusive(['(', ')', ',', '{', '}', '+', '='])
            .flat_map(|part| [part, " \t"])
            .collect();
        let wide = if upper { wide.to_uppercase() } else { wide.to_lowercase() };
        prop_assert_eq!(wide.parse::<Game>(), Ok(game), "{}", wide);
    }

    #[test]
    fn every_variant_is_read_back(variant in common::variant(5, true)) {
        prop_assert_eq!(variant.to_string().parse::<Variant>(), Ok(variant));
    }

    #[test]
    fn every_position_is_read_back(heights in prop::collection::vec(0..=MAX_HEIGHT, 0..=32)) {
        let position = Position::new(heights.clone()).unwrap();
        let bare = position.to_string();
        prop_assert_eq!(bare.parse::<Position>(), Ok(position.clone()));
        prop_assert_eq!(bare.parse::<Take>(), Ok(Take::new(heights)));
        let blanks = bare.replace([',', '(', ')'], " ");
        prop_assert!(position.is_empty() || blanks.parse::<Position>() == Ok(position));
    }

    /// `Game::from_rule` gives a game with the same moves, or says why there is none.
    #[test]
    fn every_rule_that_covers_its_stacks_is_a_game(rule in common::rule(5)) {
        match Game::from_rule(&rule) {
            Ok(game) => {
                let made = game.single().unwrap();
                prop_assert_eq!(made.stacks(), rule.stacks());
                prop_assert_eq!((made.choice(), made.each()), (rule.choice(), rule.each()));
                prop_assert_eq!(made.total(), rule.total());
                for set in StackSet::first(rule.stacks()).subsets() {
                    prop_assert_eq!(made.allows_support(set), rule.allows_support(set));
                }
                prop_assert_eq!(game.to_string().parse::<Game>(), Ok(game));
            }
            Err(_) => prop_assert_ne!(rule.sets().support(), StackSet::first(rule.stacks())),
        }
    }

    #[test]
    fn any_text_is_read_or_explained(junk in any::<String>()) {
        text::check(&junk);
    }

    #[test]
    fn text_made_of_what_games_are_made_of(parts in prop::collection::vec(prop::sample::select(vec![
        "CN", "Set", "Slow", "H", "NN", "Graph", "Cube", "misere", "any", "each", "total", "(", ")", "[", "]",
        "{", "}", ",", " ", "+", "-", "=", ">", "<", "..", ".", "0", "1", "2", "12", "99", "a", "b", "ab", "é", "vertex",
        "18446744073709551616", "misère", "≥", "\u{300}",
    ]), 0..12)) {
        text::check(&parts.concat());
    }

    #[test]
    fn corpus_lines_with_a_few_changes(
        line in prop::sample::select(corpus()),
        cut in any::<prop::sample::Index>(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<bool>(), any::<char>()), 0..3),
    ) {
        let input = line.split(" => ").next().unwrap();
        let mut chars: Vec<char> = input.chars().collect();
        for (at, replace, c) in edits {
            let at = at.index(chars.len() + 1);
            match replace && at < chars.len() {
                true => chars[at] = c,
                false => chars.insert(at, c),
            }
        }
        text::check(&chars.iter().collect::<String>());
        chars.truncate(cut.index(chars.len() + 1));
        text::check(&chars.iter().collect::<String>());
    }
}

#[test]
fn the_longest_games_are_read_back() {
    let sets = vec![StackSet::first(32); MAX_SETS];
    let game = Game::new(Family::Sets { n: 32, sets }).unwrap();
    let written = game.to_string();
    assert!(written.len() < MAX_LENGTH);
    assert_eq!(written.parse::<Game>(), Ok(game));

    let summand = |n| {
        let sets = vec![StackSet::first(n); MAX_SETS];
        Game::new(Family::Sets { n, sets }).unwrap()
    };
    let sum = (0..5).try_fold(summand(27), |sum, _| sum.plus(summand(1))).unwrap();
    let written = sum.to_string();
    assert!(written.len() < MAX_LENGTH);
    assert_eq!(written.parse::<Game>(), Ok(sum));

    let distinct = (0..MAX_SETS as u32).map(|b| StackSet::from_bits((b << 20) | 0xf_ffff));
    let game = Game::set_nim(32, distinct.collect()).unwrap();
    assert_eq!(game.to_string().parse::<Game>(), Ok(game));
}

/// A million characters of everything that could make a reader work hard.
#[test]
fn long_texts_are_rejected_with_short_errors() {
    let starts = [
        "",
        "(",
        "[",
        "[[",
        "Set(",
        "Set(a,",
        "Set(12,",
        "[[1],",
        "Graph(0-1,",
        "Slow(5,{",
        "misere ",
        "Nim(1)+",
        "CN(",
        "CN(7,",
        "H(",
        "x",
        "é",
        "9",
        "9,",
        "0 ",
        " ",
        "-",
        ".",
        "any=2 ",
        "Nim(1) any=2 ",
        "a b",
    ];
    for start in starts {
        for repeated in ["", "a"] {
            let unit = format!("{start}{repeated}");
            if unit.is_empty() {
                continue;
            }
            // Just below the limit, and far above it.
            for length in [MAX_LENGTH, 1_000_000] {
                text::check(&unit.repeat(length / unit.len()));
                text::check(&format!("{start}{}", "a,".repeat((length - start.len()) / 2)));
            }
        }
    }
    let long = "é".repeat(MAX_LENGTH);
    let error = long.parse::<Game>().unwrap_err();
    assert_eq!(error.kind().as_str(), "too-long");
}

#[cfg(feature = "serde")]
#[test]
fn games_are_serialised_as_their_notation() {
    use serde::de::value::{Error, StrDeserializer};
    use serde::{Deserialize, Serialize, de::IntoDeserializer};
    struct Shown<'a>(&'a Game);
    impl std::fmt::Display for Shown<'_> {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            self.0.serialize(f)
        }
    }
    let game: Game = "misere CN(5,2) any=2 + H".parse().unwrap();
    assert_eq!(Shown(&game).to_string(), "misere CN(5,2) any=2 + NN(6,3)");
    let read = |text: &'static str| {
        let text: StrDeserializer<'_, Error> = text.into_deserializer();
        Game::deserialize(text)
    };
    assert_eq!(read("misere CN(5,2) any=2 + NN(6,3)"), Ok(game));
    let error = read("CN(3,7)").unwrap_err().to_string();
    assert_eq!(error, "the size of a move set must be from 1 to 3, not 7");
}

#[test]
#[ignore = "minutes even when optimised"]
#[allow(clippy::print_stdout, reason = "the figures are what it is run for")]
fn a_million_texts() {
    let input = |line: &&str| line.split(" => ").next().unwrap_or(line).as_bytes().to_vec();
    let seeds: Vec<Vec<u8>> = corpus().iter().map(input).collect();
    let words = [
        "CN(", "Set(", "Slow(", "misere ", " + ", "total=", "any>=", "each=", ",", ")", "{1,2}",
        "ab", "é",
    ];
    let body = |bytes: &[u8]| text::check(&String::from_utf8_lossy(bytes));
    println!("notation: {}", inputs::run(&seeds, &words, body));
}
