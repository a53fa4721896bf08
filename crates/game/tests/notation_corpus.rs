//! The files in `corpus/notation` are the manual of the notation; here they are executed.

use nimatron_game::notation::{ParseError, parse_position, parse_take};
use nimatron_game::{Game, Position, Take, Variant};

const GAMES: &str = include_str!("../../../corpus/notation/games.txt");
const POSITIONS: &str = include_str!("../../../corpus/notation/positions.txt");
const ERRORS: &str = include_str!("../../../corpus/notation/errors.txt");

/// The lines that hold something, without comments.
fn lines(file: &str) -> impl Iterator<Item = &str> {
    file.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
}

/// A text that may stand in quotes, to show blanks at its ends.
fn unquoted(text: &str) -> &str {
    text.strip_prefix('"').and_then(|t| t.strip_suffix('"')).unwrap_or(text)
}

/// Reads `text` as what the section asks for, and writes it again.
fn rewrite(section: &str, text: &str) -> Result<String, ParseError> {
    if let Some(game) = section.strip_prefix("position of ") {
        let game: Game = game.parse().expect("a section names a game");
        return parse_position(text, &game).map(|p| p.to_string());
    }
    if let Some(game) = section.strip_prefix("take in ") {
        let game: Game = game.parse().expect("a section names a game");
        return parse_take(text, &game).map(|p| p.to_string());
    }
    match section {
        "game" => text.parse::<Game>().map(|g| g.to_string()),
        "variant" => text.parse::<Variant>().map(|v| v.to_string()),
        "position" => text.parse::<Position>().map(|p| p.to_string()),
        "take" => text.parse::<Take>().map(|p| p.to_string()),
        other => panic!("no section is called {other}"),
    }
}

/// Checks a file of lines `input => written form`; returns how many there are.
fn written_forms(file: &str) -> usize {
    let (mut section, mut count) = ("", 0);
    for line in lines(file) {
        if let Some(name) = line.strip_prefix("[").and_then(|l| l.strip_suffix("]"))
            && !line.contains("=>")
        {
            section = name;
            continue;
        }
        let (input, written) = line.split_once(" => ").expect("input => written form");
        let read = rewrite(section, unquoted(input));
        assert_eq!(read.as_deref(), Ok(written), "{input}");
        assert_eq!(rewrite(section, written).as_deref(), Ok(written), "{written}");
        count += 1;
    }
    count
}

#[test]
fn games_are_written_in_one_form() {
    assert!(written_forms(GAMES) > 80);
}

#[test]
fn positions_are_written_in_one_form() {
    assert!(written_forms(POSITIONS) > 10);
}

#[test]
fn errors_point_and_help() {
    let (mut section, mut count) = ("", 0);
    let mut lines = lines(ERRORS);
    while let Some(line) = lines.next() {
        if let Some(name) = line.strip_prefix("[").and_then(|l| l.strip_suffix("]"))
            && !line.contains("=>")
        {
            section = name;
            continue;
        }
        let (input, _) = line.split_once(" => ").expect("input => kind, column, hint");
        let message = lines.next().expect("the message follows").trim();
        let error = rewrite(section, unquoted(input)).expect_err(input);
        let hint = error.hint().map_or(String::new(), |h| format!(", try {h}"));
        let (kind, column) = (error.kind().as_str(), error.column());
        assert_eq!(line, format!("{input} => {kind}, column {column}{hint}"), "{error}");
        assert_eq!(message, error.to_string(), "{input}");
        if let Some(hint) = error.hint() {
            assert!(rewrite(section, hint).is_ok(), "{hint}");
        }
        count += 1;
    }
    assert!(count > 80);
}
