//! That no move leads from one part of a set to another: a case for each, but one for all that a symmetry maps to one
//! another, and one for all that the same sum closes.

use super::row::{Row, contradiction};
use super::{Writer, case, symbols};
use crate::render::{list, list_or};
use nimatron_draw::document::{Block, Contradiction, Document, Statement, Text};
use nimatron_game::StackSet;
use nimatron_verify::regions::{Node, Source};
use std::collections::BTreeSet;

/// The moves on some stacks from one part to others.
struct Moves {
    stacks: StackSet,
    to: Vec<usize>,
    /// The sum that closes the case, where there is but one.
    sum: Option<Contradiction>,
    number: String,
    body: Vec<Block>,
}

impl Moves {
    /// Whether a sum is the one that closes this case, though it was made for another part.
    fn is_closed_by(&self, stacks: StackSet, other: &Contradiction) -> bool {
        let rows = |sum: &Contradiction| {
            let row = |(times, form, equation, _): &(i64, String, bool, Text)| {
                (*times, form.clone(), *equation)
            };
            sum.rows.iter().map(row).collect::<Vec<_>>()
        };
        self.stacks == stacks && self.sum.as_ref().is_some_and(|sum| rows(sum) == rows(other))
    }
}

impl Writer<'_> {
    pub(super) fn separation(&mut self, document: &mut Document) {
        document.subsection("No move leads from S to S");
        let body = vec![Block::Paragraph(symbols(
            &["S"],
            "No move leads from a position of S to a position of S.",
        ))];
        document.push(Block::Statement { kind: Statement::Lemma, note: None, body });
        let (mut cases, mut images) = (Vec::new(), Vec::new());
        let before = self.left.sums;
        let mut once = false;
        for (from, source) in &self.proof.separation {
            match source {
                Source::Image { into, .. } => {
                    images.push(format!("B{} into B{}", from + 1, into + 1));
                }
                Source::Trees(trees) => {
                    let (found, skipped) = self.moves_from(*from, trees);
                    cases.extend(found);
                    once |= skipped;
                }
            }
        }
        cases.extend(self.cut(before));
        if !images.is_empty() {
            let text = format!("Symmetries map {}; so it is shown for all parts.", list(&images));
            cases.push(Block::Paragraph(text.into()));
        }
        if once {
            let text = "Of moves that a symmetry maps to one another, one is treated.";
            cases.insert(0, Block::Paragraph(text.into()));
        }
        document.push(Block::Proof(cases));
    }

    /// The cases of the moves from a part, and whether images of others were left out.
    fn moves_from(&mut self, from: usize, trees: &[Vec<Node>]) -> (Vec<Block>, bool) {
        let plays = std::mem::take(&mut self.plays);
        let mut trees = trees.iter();
        let proof = self.proof;
        let Some(source) = proof.branches.get(from) else { return (Vec::new(), false) };
        let (mut found, mut covered) = (Vec::<Moves>::new(), BTreeSet::new());
        let mut skipped = false;
        for play in &plays {
            for (to, target) in proof.branches.iter().enumerate() {
                let Some(tree) = trees.next() else { continue };
                if covered.contains(&(play.stacks.bits(), to)) {
                    skipped = true;
                    continue;
                }
                let images = self.images.of_move(proof, (from, to), play.stacks);
                covered.extend(images.map(|(stacks, to)| (stacks.bits(), to)));
                let mut rows = self.system(source, &format!("B{} before", from + 1));
                let variables = self.n + source.extras;
                let after = play.after(self.n, variables);
                let first = variables + play.stacks.len();
                rows.extend(play.rows(&after, false));
                let name = |v: usize| after.get(v).copied().unwrap_or(first + v - self.n.min(v));
                rows.extend(target.constraints.iter().map(|c| {
                    let row = Row::of(&c.form, c.equation, format!("B{} after", to + 1));
                    row.substituted(|v| Row::variable(name(v), ""))
                }));
                let mut names = self.variable_names(source.extras);
                names.extend(play.stacks.iter().map(|s| format!("{}'", self.names.one(s))));
                names.extend((1..=target.extras).map(|i| format!("u{i}")));
                let sum = match &tree[..] {
                    [Node::Empty(farkas)] => contradiction(&rows, farkas, &names),
                    _ => None,
                };
                if let Some(sum) = &sum
                    && let Some(same) = found.iter_mut().find(|m| m.is_closed_by(play.stacks, sum))
                {
                    same.to.push(to);
                    continue;
                }
                let number = format!("{}.{}", from + 1, found.len() + 1);
                let body = self.tree(tree, rows, names, &number, &mut |_, _, _, _| Vec::new());
                found.push(Moves { stacks: play.stacks, to: vec![to], sum, number, body });
            }
        }
        self.plays = plays;
        let cases = found.into_iter().filter(|moves| !moves.body.is_empty());
        (cases.map(|moves| self.told(from, moves)).collect(), skipped)
    }

    /// A case: the moves on some stacks from one part to others.
    fn told(&self, from: usize, mut moves: Moves) -> Block {
        let parts: Vec<String> = moves.to.iter().map(|to| format!("B{}", to + 1)).collect();
        let title = Text::of("A move on ").math(&self.names.set(moves.stacks)).say(format!(
            " from B{} to {}.",
            from + 1,
            list_or(&parts)
        ));
        if let ([first, _, ..], [Block::Contradiction(sum)]) = (&parts[..], &mut moves.body[..]) {
            let own = Text::of(format!("{first} after"));
            for (.., why) in sum.rows.iter_mut().filter(|(.., why)| *why == own) {
                *why = "each of these after".into();
            }
        }
        case(&moves.number, title, moves.body)
    }
}
