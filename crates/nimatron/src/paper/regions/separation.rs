//! That no move leads from one part of a set to another: a case for each, but one for all that a symmetry maps to one
//! another, and one for all that the same sum closes.

use super::row::Row;
use super::{Writer, case, symbols};
use crate::render::{list, list_or};
use nimatron_draw::document::{Block, Document, Statement, Text};
use nimatron_game::StackSet;
use nimatron_verify::regions::{Node, Source};
use std::collections::BTreeSet;

/// The moves on some stacks from one part to others.
struct Moves {
    stacks: StackSet,
    to: Vec<usize>,
    /// How the case is closed, whatever its number is and the parts are called.
    closed: Vec<Block>,
    number: String,
    body: Vec<Block>,
}

/// Why something holds after the move, where it does so in several parts.
const EACH: &str = "each of these after";

/// Names the part after the move anew in all reasons.
fn rename(blocks: &mut [Block], part: &Text) {
    for block in blocks {
        match block {
            Block::Contradiction(sum) => {
                for (.., why) in sum.rows.iter_mut().filter(|(.., why)| why == part) {
                    *why = EACH.into();
                }
            }
            Block::Case { body, .. } => rename(body, part),
            _ => {}
        }
    }
}

fn after(to: usize) -> Text {
    format!("B{} after", to + 1).into()
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
            // That parts are images of others is said where they are listed.
            let shown = |from: usize| {
                let own = |(part, source): &(usize, Source)| {
                    *part == from && matches!(source, Source::Trees(_))
                };
                self.proof.separation.iter().any(own)
            };
            let said = self.proof.separation.iter().all(|(from, _)| {
                shown(*from) || self.images.original(*from).is_some_and(|(first, _)| shown(first))
            });
            let which = match said {
                true => "the other parts into these".to_string(),
                false => list(&images),
            };
            let text =
                format!("Symmetries map {which}: what is shown for these holds for all parts.");
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
                let new = play.after(self.n, variables);
                let first = variables + play.stacks.len();
                rows.extend(play.rows(&new, false));
                let name = |v: usize| new.get(v).copied().unwrap_or(first + v - self.n.min(v));
                rows.extend(target.constraints.iter().map(|c| {
                    let row = Row::of(&c.form, c.equation, after(to));
                    row.substituted(|v| Row::variable(name(v), ""))
                }));
                let mut names = self.variable_names(source.extras);
                names.extend(play.stacks.iter().map(|s| format!("{}'", self.names.one(s))));
                names.extend((1..=target.extras).map(|i| format!("u{i}")));
                let mut closed = self.outlined(tree, &rows, &names);
                rename(&mut closed, &after(to));
                let same = |m: &&mut Moves| m.stacks == play.stacks && m.closed == closed;
                if let (false, Some(same)) = (closed.is_empty(), found.iter_mut().find(same)) {
                    same.to.push(to);
                    continue;
                }
                let number = format!("{}.{}", from + 1, found.len() + 1);
                let body = self.tree(tree, rows, names, &number, &mut |_, _, _, _| Vec::new());
                found.push(Moves { stacks: play.stacks, to: vec![to], closed, number, body });
            }
        }
        self.plays = plays;
        let cases = found.into_iter().filter(|moves| !moves.body.is_empty());
        (cases.map(|moves| self.told(from, moves)).collect(), skipped)
    }

    /// The cases of a tree, whatever room there is for them.
    fn outlined(&mut self, tree: &[Node], rows: &[Row], names: &[String]) -> Vec<Block> {
        let (most, made, left) = (self.most, self.made, self.left);
        self.most = usize::MAX;
        let (rows, names) = (rows.to_vec(), names.to_vec());
        let blocks = self.tree(tree, rows, names, "", &mut |_, _, _, _| Vec::new());
        (self.most, self.made, self.left) = (most, made, left);
        blocks
    }

    /// A case: the moves on some stacks from one part to others.
    fn told(&self, from: usize, mut moves: Moves) -> Block {
        let parts: Vec<String> = moves.to.iter().map(|to| format!("B{}", to + 1)).collect();
        let title = Text::of("A move on ").math(&self.names.set(moves.stacks)).say(format!(
            " from B{} to {}.",
            from + 1,
            list_or(&parts)
        ));
        if let [first, _, ..] = moves.to[..] {
            rename(&mut moves.body, &after(first));
        }
        case(&moves.number, title, moves.body)
    }
}
