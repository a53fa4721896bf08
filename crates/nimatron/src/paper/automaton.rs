//! Proofs by automata: what the checker verified, said as it is.

use crate::figures;
use nimatron_draw::document::{Block, Document, Text};
use nimatron_game::Game;
use nimatron_verify::automaton::AutomatonProof;

/// Writes what is proved and by whom.
pub(super) fn write(document: &mut Document, game: &Game, proof: &AutomatonProof) {
    let states = proof.dfa.states();
    document.paragraph(format!(
        "The set is given by an automaton with {states} states that reads the binary digits of all heights at once, the \
         highest place first. Two properties of it were verified by program, state by state: no move leads from a \
         position that it accepts to another, and from every position that it does not accept some move leads to one \
         that it accepts. This part of the proof is not written out here: it is a finite search, done by a checker \
         that is independent of the program that found the automaton."
    ));
    match figures::automaton(game, &proof.dfa) {
        Ok(drawing) => {
            let caption = Text::of(
                "The transitions. Blue states accept; a column is named by the stacks whose digit is 1.",
            );
            document.push(Block::Figure {
                drawing: Box::new(drawing),
                caption,
                name: "automaton".into(),
            });
        }
        Err(error) => {
            document.paragraph(format!("The transitions are in the certificate ({error})."))
        }
    }
}
