//! A verdict on the terminal.

use crate::palette::{Palette, paint};
use crate::reasons::sentences;
use crate::reduction;
use crate::words::{WIDTH, count, list, thousands, wrap};
use nimatron::{Open, Outcome, Play, Reason, Verdict};

/// The whole answer: outcome, winning moves, and why.
pub fn verdict(v: &Verdict, palette: &Palette) -> String {
    let title = wrap(&format!("{} at {}", v.game, v.position), "  ");
    let mut out = paint(palette.title, &title) + "\n" + &headline(v, palette) + "\n";
    if let Some(grundy) = v.grundy.filter(|&g| g > 0) {
        out += &format!("Its Grundy value is {grundy}.\n");
    }
    out += &moves(v, palette);
    if let Some(unknown) = &v.unknown {
        let positions = count(unknown.positions.into(), "position");
        let lacking = match v.outcome {
            None => "",
            Some(_) => " There may be more winning moves.",
        };
        let text = format!("  {} after {positions}.{lacking}", capital(&unknown.stop.to_string()));
        out += &format!("\n{}\n{}\n", paint(palette.heading, "Stopped"), wrap(&text, "  "));
    }
    if let Some(open) = &v.open {
        let text = wrap(&format!("  {}", open_sentence(open)), "  ");
        out += &format!("\n{}\n{text}\n", paint(palette.heading, "Open"));
    }
    let told = v.reasons.iter().zip(sentences(&v.reasons));
    let told: Vec<String> =
        told.filter(|(r, _)| worth_saying(v, r)).map(|(_, text)| text).collect();
    if !told.is_empty() {
        let heading = if v.outcome.is_some() { "Why" } else { "Known so far" };
        out += &format!("\n{}\n", paint(palette.heading, heading));
    }
    for (i, text) in told.into_iter().enumerate() {
        out += &wrap(&format!("{:>3}. {text}", i + 1), "     ");
        out.push('\n');
    }
    out
}

fn headline(v: &Verdict, palette: &Palette) -> String {
    let misere = match v.game.convention() {
        Play::Normal => "",
        Play::Misere => " under misere play",
    };
    let (style, word, meaning) = match v.outcome {
        Some(Outcome::P) => (palette.loss, "P-position", "the player to move loses"),
        Some(Outcome::N) => (palette.win, "N-position", "the player to move wins"),
        None if v.open.is_some() => return paint(palette.open, "not decided: the game is open"),
        None => return paint(palette.open, "not decided"),
    };
    format!("{}: {meaning}{misere}.", paint(style, word))
}

/// What is open, and what would have to be solved first.
fn open_sentence(open: &Open) -> String {
    let games: Vec<String> = open.obstacles.iter().map(|g| g.to_string()).collect();
    let first = match games.is_empty() {
        true => "The smaller games inside it are solved.".to_string(),
        false => format!("It cannot be solved before {}.", list(&games)),
    };
    format!("No theorem covers {}. {first}", open.game)
}

fn moves(v: &Verdict, palette: &Palette) -> String {
    if v.moves.is_empty() {
        return String::new();
    }
    let shown = v.moves.len();
    let heading = match v.moves_total {
        Some(1) => "The only winning move".to_string(),
        Some(total) if total == shown as u128 => format!("All {} winning moves", thousands(total)),
        Some(total) => format!("{} of {} winning moves", shown, thousands(total)),
        None if shown == 1 => "A winning move".to_string(),
        None => format!("{shown} winning moves"),
    };
    let takes: Vec<String> = v.moves.iter().map(|m| m.take.to_string()).collect();
    let width = takes.iter().map(String::len).max().unwrap_or(0);
    let rows: Vec<String> = v
        .moves
        .iter()
        .zip(&takes)
        .map(|(m, take)| format!("  take {take:<width$}  leaving {}", m.to))
        .collect();
    let fit = rows.iter().all(|row| row.len() <= WIDTH);
    let rows: String = match fit {
        true => rows.iter().map(|row| format!("{row}\n")).collect(),
        false => v.moves.iter().zip(&takes).map(|(m, take)| in_lines(take, &m.to)).collect(),
    };
    format!("\n{}\n{rows}", paint(palette.heading, &heading))
}

/// A move of many stacks, too wide for one line.
fn in_lines(take: &str, to: &nimatron::Position) -> String {
    let indent = " ".repeat(10);
    let take = wrap(&format!("  take    {take}"), &indent);
    let leaving = wrap(&format!("  leaving {to}"), &indent);
    format!("{take}\n{leaving}\n")
}

pub(crate) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |c| c.to_uppercase().chain(chars).collect())
}

/// Carrying a move back is worth a line only when something was reduced, and an end only when no
/// reduction has just told of it.
fn worth_saying(v: &Verdict, r: &Reason) -> bool {
    let mut reductions = v.reasons.iter().filter_map(|r| match r {
        Reason::Reduction(step) => Some(step),
        _ => None,
    });
    match r {
        Reason::Move { .. } | Reason::Lift { .. } => reductions.next().is_some(),
        Reason::Reduction(step) => reduction::worth_saying(step),
        Reason::Terminal => !reductions.any(|step| reduction::is_over(&step.after)),
        _ => true,
    }
}
