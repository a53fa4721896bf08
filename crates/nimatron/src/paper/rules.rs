//! The rules of a game in words: where its stacks stand, what its sets are, and how much a move takes.

use crate::figures::{self, BoardOptions};
use crate::render::{Names, latex};
use nimatron_draw::Plan;
use nimatron_draw::board::letters;
use nimatron_draw::document::{Block, Document, Text};
use nimatron_draw::family;
use nimatron_game::{Amounts, Choice, Family, Game, Play, Rule};
use nimatron_theory::publications;

/// Sets that are listed one by one.
const MOST_SETS: u64 = 40;

/// Who the game comes from.
fn defined(family: &Family) -> Option<&'static str> {
    let key = match family {
        Family::Nim { .. } => "Bouton 1901",
        Family::Moore { .. } => "Moore 1910",
        Family::Circular { .. } => "DH13",
        Family::Path { .. } => "KDH26",
        Family::Necklace { .. } => "Necklace26",
        Family::Matrix { .. } => "Holladay",
        Family::Slow { .. } => "Slow26",
        _ => return None,
    };
    publications().iter().map(|p| p.key).find(|k| k.starts_with(key))
}

/// `exactly one token`, `from 2 to 5 tokens`.
fn amounts(amounts: Amounts) -> String {
    let tokens = |count: u64| match count {
        1 => "one token".to_string(),
        count => format!("{count} tokens"),
    };
    match (amounts.least(), amounts.most()) {
        (1, None) => "any positive number of tokens".into(),
        (least, None) => format!("at least {}", tokens(least)),
        (least, Some(most)) if least == most => format!("exactly {}", tokens(most)),
        (1, Some(most)) => format!("at most {}, and at least one,", tokens(most)),
        (least, Some(most)) => format!("from {least} to {}", tokens(most)),
    }
}

/// What a move takes from the stacks of a set.
fn takes(rule: &Rule) -> String {
    let each = amounts(rule.each());
    let move_ = match (rule.is_set_nim(), rule.choice()) {
        (true, _) => {
            return "A move takes any number of tokens, at least one in all, from stacks of one set. ".into();
        }
        (false, Choice::All) => format!("A move takes {each} from each stack of one set"),
        (false, Choice::Any) => {
            format!(
                "A move chooses some stacks of one set, at least one, and takes {each} from each of them"
            )
        }
    };
    match rule.total() {
        Amounts::POSITIVE => format!("{move_}. "),
        total => format!("{move_}, and {} in all. ", amounts(total)),
    }
}

/// Writes what the game is, with a figure of it.
pub(super) fn write(document: &mut Document, game: &Game) {
    document.section("The game");
    let n = game.stacks();
    let names = Names::of(n);
    let mut text = Text::default();
    text = match (game.single(), game.summands()) {
        (Some(rule), [summand]) => {
            let sets = family::sets(summand.family());
            let place = family::place(summand.family()).map_or(String::new(), |place| format!(", {place}"));
            text = text.formula(latex::game(&game.to_string()));
            if let Some(key) = defined(summand.family()) {
                text = text.say(" ").cite(key, None);
            }
            text = text
                .say(format!(" is played with {n} stacks of tokens{place}. The sets are "));
            let all: Vec<String> = match rule.sets().len() {
                0..=MOST_SETS => rule.sets().iter().map(|s| names.set(s)).collect(),
                _ => Vec::new(),
            };
            text = match (sets, all.is_empty()) {
                (Some(sets), true) => text.say(format!("{sets}. ")),
                (Some(sets), false) => text.say(format!("{sets}: ")).maths(&all).say(". "),
                (None, true) => text.say(format!("{} in number. ", rule.sets().len())),
                (None, false) => text.maths(&all).say(". "),
            };
            text.say(takes(rule))
        }
        _ => text.say(format!(
            "There are {n} stacks of tokens. The game is a sum: a move is a move in one of the summands. "
        )),
    };
    text = text.say(match game.convention() {
        Play::Normal => "Whoever makes the last move wins. ",
        Play::Misere => "Whoever makes the last move loses. ",
    });
    text = text.say(
        "A P-position is one from which the player to move loses if the opponent plays well; all others are \
         N-positions. ",
    );
    let letters_of = format!("({})", names.row());
    text = text.say("A position is written ").math(&letters_of).say(".");
    let Ok(drawing) = figures::game(game, &BoardOptions::default()) else {
        return document.paragraph(text);
    };
    document.paragraph(text.say(" ").figure("game").say(" shows the game."));
    let lines = Plan::all(game, None, &letters(n))
        .is_ok_and(|plans| plans.iter().all(|plan| !plan.marks.is_empty()));
    let caption = Text::of("The game ").formula(latex::game(&game.to_string())).say(match lines {
        true => ": its stacks, and its sets as lines with a dot on each member.",
        false => ": its stacks.",
    });
    document.push(Block::Figure { drawing: Box::new(drawing), caption, name: "game".into() });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(game: &str) -> String {
        let mut document = Document::default();
        write(&mut document, &game.parse().unwrap());
        document.text(10_000)
    }

    #[test]
    fn games_are_told_in_words() {
        for (game, words) in [
            (
                "CN(5,2)",
                "5 stacks of tokens, on a circle. The sets are any 2 consecutive stacks: ab, ",
            ),
            ("NN(6,3)", "3 consecutive stacks along the string, and the two end stacks: "),
            ("Moore(5,2)", "The sets are any 2 stacks: ab, "),
            ("Set(ab,ac)", "3 stacks of tokens. The sets are ab, ac. A move takes any number"),
            ("Slow(4,{1,2})", "A move takes exactly one token from each stack of one set."),
            (
                "Exact(4,2)",
                "A move takes any positive number of tokens from each stack of one set.",
            ),
            ("misere Nim(2)", "Whoever makes the last move loses."),
        ] {
            let text = told(game);
            assert!(text.contains(words), "{game}: {text}");
        }
        assert!(told("CN(5,2)").contains("lines with a dot"));
        assert!(!told("Moore(5,2)").contains("lines with a dot"));
    }
}
