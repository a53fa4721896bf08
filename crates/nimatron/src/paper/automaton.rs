//! Proofs by automata: what the checker verified, said as it is.

use crate::figures;
use crate::render::list;
use nimatron_draw::document::{Block, Document, Table, Text};
use nimatron_game::{Game, Play};
use nimatron_verify::automaton::{AutomatonProof, Dfa};
use std::collections::BTreeMap;

/// Writes what is proved and by whom.
pub(super) fn write(document: &mut Document, game: &Game, proof: &AutomatonProof) {
    let states = proof.dfa.states();
    let (playable, moves) = match game.convention() {
        Play::Normal => ("", ""),
        Play::Misere => (" every position that it accepts has a move,", " and that has a move"),
    };
    let formula = match proof.formula {
        Some(_) => {
            " It accepts exactly the positions that the theorem describes; the checker has verified this as well."
        }
        None => "",
    };
    document.paragraph(format!(
        "The set is given by an automaton with {states} states that reads the binary digits of all heights at once, the \
         highest place first.{formula} These properties of it were verified by program, state by state:{playable} no move \
         leads from a position that it accepts to another, and from every position that it does not accept{moves} some \
         move leads to one that it accepts. Hence, by induction on the number of tokens, the positions that it accepts are \
         the P-positions. That these properties hold is not written out here: it was found by a finite search, done \
         by a checker that is independent of what found the automaton."
    ));
    match figures::automaton(game, &proof.dfa) {
        Ok(drawing) if drawing.height <= PAGE => {
            document.paragraph(Text::default().figure("automaton").say(" shows the transitions."));
            let caption = Text::of("The transitions of the automaton.");
            document.push(Block::Figure {
                drawing: Box::new(drawing),
                caption,
                name: "automaton".into(),
            });
        }
        _ => table(document, &proof.dfa),
    }
}

/// Higher figures have no room on a page.
const PAGE: f64 = 700.0;

/// Transitions that are listed; of more, the certificate tells.
const MOST: usize = 4_000;

/// What a drawing has no room for: for each state, where the digits lead.
fn table(document: &mut Document, dfa: &Dfa) {
    let kinds = figures::kinds(dfa);
    if kinds.len() * dfa.states() > MOST {
        return document.paragraph("The transitions are in the certificate.");
    }
    document.paragraph(
        Text::default()
            .table("automaton")
            .say(format!(
                " has the transitions, by kinds of columns: all columns of a kind lead to the same states. A column of \
                 digits is named by the stacks that have a 1, and is 0 if none has. The automaton starts in state {}; it accepts in ",
                dfa.initial
            ))
            .say(accepting(dfa)),
    );
    let rows = kinds.iter().map(|(column, letters)| {
        let letters: Vec<String> = letters.iter().map(|&l| figures::digit(l)).collect();
        let mut by: BTreeMap<u32, Vec<String>> = BTreeMap::new();
        for (from, &to) in column.iter().enumerate() {
            by.entry(to).or_default().push(from.to_string());
        }
        let mut leads: Vec<(u32, Vec<String>)> = by.into_iter().collect();
        leads.sort_by_key(|(to, from)| (std::cmp::Reverse(from.len()), *to));
        // Where most states lead is said once.
        let told: Vec<String> = leads
            .iter()
            .enumerate()
            .map(|(i, (to, from))| match i {
                0 if from.len() > 2 => format!("{to}"),
                _ => format!("{to} from {}", from.join(" and ")),
            })
            .collect();
        let told = match leads.first() {
            Some((_, from)) if from.len() > 2 && told.len() > 1 => {
                format!("{}; else {}", told[1..].join("; "), told[0])
            }
            _ => told.join("; "),
        };
        vec![Text::default().maths(&letters), told.into()]
    });
    document.push(Block::Table(Table {
        caption: Text::of("The transitions of the automaton.").named("automaton"),
        head: vec!["columns".into(), "lead to state".into()],
        rows: rows.collect(),
        ..Table::default()
    }));
}

fn accepting(dfa: &Dfa) -> String {
    let states: Vec<String> = (0..dfa.states())
        .filter(|&s| dfa.accepting.get(s).copied().unwrap_or(false))
        .map(|s| s.to_string())
        .collect();
    match &states[..] {
        [one] => format!("state {one}."),
        many => format!("states {}.", list(many)),
    }
}
