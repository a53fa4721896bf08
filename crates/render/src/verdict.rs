//! A verdict on the terminal.

use crate::reasons::reason;
use crate::words::{count, wrap};
use nimatron::{Outcome, Reason, Verdict};

/// The whole answer: outcome, winning moves, and why.
pub fn verdict(v: &Verdict) -> String {
    let mut out = format!("{} at {}: {}\n", v.game, v.position, headline(v));
    if let Some(grundy) = v.grundy {
        out += &format!("Grundy value {grundy}\n");
    }
    out += &moves(v);
    if let Some(unknown) = &v.unknown {
        out += &format!("\nNot finished: {unknown}.\n");
    }
    let reasons: Vec<&Reason> = v.reasons.iter().filter(|r| worth_saying(v, r)).collect();
    if !reasons.is_empty() {
        out += "\nWhy\n";
    }
    for (i, r) in reasons.into_iter().enumerate() {
        out += &wrap(&format!("{:>3}. {}", i + 1, reason(r)), 78, "     ");
        out.push('\n');
    }
    out
}

fn headline(v: &Verdict) -> &'static str {
    match v.outcome {
        Some(Outcome::P) => "a P-position; whoever is to move loses.",
        Some(Outcome::N) => "an N-position; whoever is to move wins.",
        None => "not decided.",
    }
}

fn moves(v: &Verdict) -> String {
    let Some(first) = v.moves.first() else { return String::new() };
    if v.moves.len() == 1 && v.moves_total != Some(1) {
        return format!("\nWinning move: take {}, leaving {}.\n", first.take, first.to);
    }
    let total = match v.moves_total {
        Some(total) if total == v.moves.len() as u128 => count(total, "winning move"),
        Some(total) => format!("{}, {} shown", count(total, "winning move"), v.moves.len()),
        None => format!("Winning moves, {} shown", v.moves.len()),
    };
    let width = v.moves.iter().map(|m| m.take.to_string().len()).max().unwrap_or(0);
    let lines = v
        .moves
        .iter()
        .map(|m| format!("  take {:<width$}  leaving {}\n", m.take.to_string(), m.to));
    format!("\n{total}\n{}", lines.collect::<String>())
}

/// Carrying a move back is worth a line only when something was reduced.
fn worth_saying(v: &Verdict, r: &Reason) -> bool {
    let reduced = v.reasons.iter().any(|r| matches!(r, Reason::Reduction(_)));
    match r {
        Reason::Move { .. } | Reason::Lift { .. } => reduced,
        _ => true,
    }
}
