//! A verdict on the terminal.

use crate::render::palette::{Palette, paint};
#[cfg(feature = "prove")]
use crate::render::proof::{Written, searched};
use crate::render::reasons::sentences;
use crate::render::reduction;
use crate::render::words::{count, list, thousands, with_article};
use crate::{
    After, Conjecture, Game, Open, Outcome, Play, Reason, Stop, Unknown, Verdict, said_to_be_open,
};
#[cfg(feature = "prove")]
use crate::{Investigation, Try};
use nimatron_theory::peeling::PROVED_STACKS;

/// The whole answer: outcome, winning moves, and why.
pub fn verdict(v: &Verdict, palette: &Palette) -> String {
    let title = palette.wrap(&format!("{} at {}", v.game, v.position), "  ");
    let mut out = paint(palette.title, &title)
        + "\n"
        + &match &v.conjecture {
            None => outcome_line(v.outcome, v.game.convention(), v.open.as_ref(), palette),
            Some(c) => paint(
                palette.open,
                &format!("not decided: conjectured to be {}", position(c.outcome)),
            ),
        }
        + "\n";
    if let Some(grundy) = v.grundy.filter(|&g| g > 0) {
        out += &format!("Its Grundy value is {grundy}.\n");
    }
    out += &moves(v, palette);
    if let Some(conjecture) = &v.conjecture {
        out += &conjectured(conjecture, palette);
    }
    // A large box is not searched where a conjecture answers: nothing was stopped.
    let searched = |unknown: &&Unknown| v.conjecture.is_none() || unknown.stop != Stop::Work;
    if let Some(unknown) = v.unknown.as_ref().filter(searched) {
        let positions = count(unknown.positions.into(), "position");
        let lacking = match v.outcome {
            None => "",
            Some(_) => " There may be more winning moves.",
        };
        let text = format!("  {} after {positions}.{lacking}", capital(&unknown.stop.to_string()));
        out += &format!("\n{}\n{}\n", paint(palette.heading, "Stopped"), palette.wrap(&text, "  "));
    }
    if let Some(open) = &v.open {
        let text = palette.wrap(&format!("  {}", open_sentence(open)), "  ");
        let heading = if open.said_by.is_some() { "Open" } else { "Not in the library" };
        out += &format!("\n{}\n{text}\n", paint(palette.heading, heading));
    }
    let told = v.reasons.iter().zip(sentences(&v.reasons));
    let told: Vec<String> =
        told.filter(|(r, _)| worth_saying(v, r)).map(|(_, text)| text).collect();
    if !told.is_empty() {
        let heading = if v.outcome.is_some() { "Why" } else { "Known so far" };
        out += &format!("\n{}\n", paint(palette.heading, heading));
    }
    for (i, text) in told.into_iter().enumerate() {
        out += &palette.wrap(&format!("{:>3}. {text}", i + 1), "     ");
        out.push('\n');
    }
    out
}

/// The answer with all that was done to find it: moves that do not help, a proof that was looked for.
#[cfg(feature = "prove")]
pub fn investigation(i: &Investigation, written: &Written, palette: &Palette) -> String {
    let mut out = verdict(&i.verdict, palette);
    if !i.tries.is_empty() {
        out += &format!("\n{}\n", paint(palette.heading, "No move helps; for example"));
        i.tries.iter().for_each(|one| out += &tried(one, palette));
    }
    if let Some(discovery) = &i.discovery {
        let heading = if discovery.found.is_some() { "Proved just now" } else { "Tried" };
        out += &format!("\n{}\n", paint(palette.heading, heading));
        out += &searched(discovery, written, palette);
    }
    out
}

/// A move, and the reply to it.
#[cfg(feature = "prove")]
fn tried(one: &Try, palette: &Palette) -> String {
    let (take, reply) = (&one.take, &one.reply);
    let text = format!(
        "  taking {take} leaves {}; the reply {} then leaves {}",
        one.to, reply.take, reply.to
    );
    palette.wrap(&text, "    ") + "\n"
}

/// A move and the answer about the position it leaves.
pub fn after(a: &After, palette: &Palette) -> String {
    let to = &a.verdict.position;
    let title = palette.wrap(&format!("{} at {}", a.verdict.game, a.from), "  ");
    let says = match a.verdict.outcome {
        Some(Outcome::P) => "It wins: whoever is to move then loses.",
        Some(Outcome::N) => "It loses: there is a reply that wins.",
        None => "What follows is not known.",
    };
    let text = format!("Taking {} is a move; it leaves {to}. {says}", a.take);
    let mut out = paint(palette.title, &title) + "\n" + &palette.wrap(&text, "") + "\n\n";
    out += &verdict(&a.verdict, palette);
    out
}

/// Who wins, in a line.
pub(super) fn outcome_line(
    outcome: Option<Outcome>,
    play: Play,
    open: Option<&Open>,
    palette: &Palette,
) -> String {
    let misere = match play {
        Play::Normal => "",
        Play::Misere => " under misere play",
    };
    let (style, word, meaning) = match outcome {
        Some(Outcome::P) => (palette.loss, "P-position", "the player to move loses"),
        Some(Outcome::N) => (palette.win, "N-position", "the player to move wins"),
        None => {
            let why = match open {
                Some(open) if open.said_by.is_some() => ": the game is open",
                Some(_) => ": the game is not in the library",
                None => "",
            };
            return paint(palette.open, &format!("not decided{why}"));
        }
    };
    format!("{}: {meaning}{misere}.", paint(style, word))
}

fn position(outcome: Outcome) -> String {
    with_article(&outcome.to_string()) + "-position"
}

/// What a conjecture says, how it comes to that, and that it is one.
fn conjectured(c: &Conjecture, palette: &Palette) -> String {
    let mut out = format!("\n{}\n", paint(palette.heading, "Conjectured, not proved"));
    let mut tell = |text: &str| out += &(palette.wrap(&format!("  {text}"), "  ") + "\n");
    tell(c.statement);
    if let Some(winning) = &c.winning {
        tell(&format!("The move would be to take {}, leaving {}.", winning.take, winning.to));
    }
    sentences(&c.reasons).iter().for_each(|text| tell(text));
    let proved = format!(
        "This is proved where the non-empty stacks merge to at most {PROVED_STACKS}, and where two \
         neighbours among them share no facet. No exception is known."
    );
    tell(&proved);
    out
}

/// What is not known, who says that it is open, and what would have to be solved first.
pub(super) fn open_sentence(open: &Open) -> String {
    let named = |game: &Game| match said_to_be_open(game) {
        Some(by) => format!("{game} (open: {by})"),
        None => game.to_string(),
    };
    let games: Vec<String> = open.obstacles.iter().map(named).collect();
    let first = match games.is_empty() {
        true => "All smaller games inside it are known.".to_string(),
        false => format!("It cannot be solved before {}.", list(&games)),
    };
    let said = open.said_by.map_or(String::new(), |by| format!(" It is open: {by}."));
    format!("Neither a theorem nor a proof about {} is known here.{said} {first}", open.game)
}

fn moves(v: &Verdict, palette: &Palette) -> String {
    if v.moves.is_empty() {
        return String::new();
    }
    let shown = v.moves.len();
    let heading = match v.moves_total {
        Some(1) => "The only winning move".to_string(),
        Some(total) if total == shown as u128 => format!("All {} winning moves", thousands(total)),
        Some(total) => format!("The first {shown} of {} winning moves", thousands(total)),
        None if shown == 1 => "A winning move".to_string(),
        None => format!("At least {shown} winning moves"),
    };
    let takes: Vec<String> = v.moves.iter().map(|m| m.take.to_string()).collect();
    let width = takes.iter().map(String::len).max().unwrap_or(0);
    let rows: Vec<String> = v
        .moves
        .iter()
        .zip(&takes)
        .map(|(m, take)| format!("  take {take:<width$}  leaving {}", m.to))
        .collect();
    let fit = rows.iter().all(|row| row.len() <= palette.width);
    let rows: String = match fit {
        true => rows.iter().map(|row| format!("{row}\n")).collect(),
        false => {
            v.moves.iter().zip(&takes).map(|(m, take)| in_lines(take, &m.to, palette)).collect()
        }
    };
    format!("\n{}\n{rows}", paint(palette.heading, &heading))
}

/// A move of many stacks, too wide for one line.
fn in_lines(take: &str, to: &crate::Position, palette: &Palette) -> String {
    let indent = " ".repeat(10);
    let take = palette.wrap(&format!("  take    {take}"), &indent);
    let leaving = palette.wrap(&format!("  leaving {to}"), &indent);
    format!("{take}\n{leaving}\n")
}

pub(crate) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |c| c.to_uppercase().chain(chars).collect())
}

/// Carrying a move back is worth a line only when something was reduced, and an end only when no
/// reduction has just told of it.
pub(super) fn worth_saying(v: &Verdict, r: &Reason) -> bool {
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
