//! Proofs by regions, for a referee: cases, moves, and for every closed case the inequalities and multipliers whose
//! sum is a contradiction.

mod kind;
mod parts;
mod row;
mod separation;

use super::{case, deeper, symbols};
use crate::render::Names;
use kind::Kind;
use nimatron_draw::document::{Block, Cut, Document, Statement, Text};
use nimatron_game::{Amounts, Game, Play, StackSet};
use nimatron_verify::regions::{Branch, Node, RegionsProof, Rule, Source};
use parts::Images;
use row::{Row, contradiction};
use std::collections::BTreeMap;

/// What writes a leaf: from the node, the rows that hold there and the names of variables.
type Leaf<'l, W> = dyn FnMut(&mut W, &Node, &[Row], &[String]) -> Vec<Block> + 'l;

/// What the proof needs besides its own data.
struct Writer<'a> {
    n: usize,
    names: Names,
    proof: &'a RegionsProof,
    plays: Vec<Kind>,
    images: Images,
    misere: bool,
    /// How many sums are made at the most.
    most: usize,
    made: usize,
    left: Left,
}

/// Sums that are not written.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Left {
    /// For want of room.
    pub(super) sums: usize,
    /// Cases without sums, for the same reason.
    pub(super) cases: usize,
    /// Because they are no sums of what the article shows.
    pub(super) untold: usize,
}

/// Writes the proof with at most so many sums; returns what is not written.
pub(super) fn write(
    document: &mut Document,
    game: &Game,
    proof: &RegionsProof,
    most: usize,
) -> Left {
    let n = game.stacks();
    let mut writer = Writer {
        n,
        names: Names::of(n),
        proof,
        plays: Kind::all(game),
        images: Images::of(proof, n),
        misere: game.convention() == Play::Misere,
        most,
        made: 0,
        left: Left::default(),
    };
    let enough = match game.convention() {
        Play::Normal => {
            "It is enough to show that no move leads from S to S, and that from every position outside S some move \
             leads into S; for then, by induction on the number of tokens, S is the set of P-positions."
        }
        Play::Misere => {
            "It is enough to show that every position of S has a move, that no move leads from S to S, and that from \
             every position outside S that has a move some move leads into S; for then, by induction on the number of \
             tokens, S is the set of P-positions. The first of these is shown in the certificate alone."
        }
    };
    document.paragraph(symbols(
        &["S"],
        &format!(
            "Let S be the set of positions that the theorem describes. {enough} Every case is closed by a sum: \
             inequalities that hold in the case, each multiplied by the number before it (which is not negative, \
             unless it is an equation), add up to a negative number that would be at least 0. Letters with a prime \
             are heights after the move. Cases are numbered by the way to them."
        ),
    ));
    writer.branches(document);
    // Each part has room of its own: it is shared when all is there.
    writer.separation(document);
    writer.made = 0;
    writer.rules(document);
    writer.made = 0;
    writer.coverage(document);
    writer.left
}

impl Writer<'_> {
    fn variable_names(&self, extras: usize) -> Vec<String> {
        let mut names: Vec<String> = self.names.all().to_vec();
        names.extend((1..=extras).map(|i| format!("t{i}")));
        names
    }

    /// Stacks in another order.
    fn order(&self, image: &[usize]) -> String {
        let order: Vec<&str> = image.iter().map(|&s| self.names.one(s)).collect();
        format!("({})", order.join(","))
    }

    fn system(&self, branch: &Branch, why: &str) -> Vec<Row> {
        let mut rows: Vec<Row> =
            (0..self.n).map(|s| Row::variable(s, "heights are not negative")).collect();
        rows.extend(branch.constraints.iter().map(|c| Row::of(&c.form, c.equation, why)));
        rows
    }

    fn branches(&self, document: &mut Document) {
        document.subsection("The parts of S");
        if self.proof.branches.iter().any(|b| b.extras > 0) {
            document.paragraph(
                Text::of("The numbers ")
                    .maths(&["t1", "t2"])
                    .say(", ... are whole and tell remainders: ")
                    .math("a = 2t")
                    .say(" says that ")
                    .math("a")
                    .say(" is even. After a move they are called ")
                    .maths(&["u1", "u2"])
                    .say(", ..."),
            );
        }
        if self.divides() {
            document.paragraph(Text::of("The numbers ").maths(&["q1", "q2"]).say(
                ", ... of a case are whole: the case tells the remainder of a height or of a sum.",
            ));
        }
        let parts = self.proof.branches.len();
        document.paragraph(symbols(&["S"], &match parts {
            1 => "S is given by linear conditions, besides heights being at least 0:".to_string(),
            _ => format!(
                "S is the union of {parts} parts, each given by linear conditions besides heights being at least 0:"
            ),
        }));
        let (mut items, mut images) = (Vec::new(), Text::default());
        for (i, branch) in self.proof.branches.iter().enumerate() {
            if let Some((first, by)) = self.images.original(i) {
                if !images.0.is_empty() {
                    images = images.say(", ");
                }
                let order = self.order(&self.proof.symmetries[by].image);
                images = images.say(format!("B{} is B{} with ", i + 1, first + 1)).math(&order);
                continue;
            }
            let names = self.variable_names(branch.extras);
            let rows: Vec<String> = branch
                .constraints
                .iter()
                .map(|c| Row::of(&c.form, c.equation, "").said(&names))
                .collect();
            items.push(Text::of(format!("B{}: ", i + 1)).maths(&rows));
        }
        document.push(Block::List { numbered: false, items });
        if !images.0.is_empty() {
            let own = format!("({})", self.names.row());
            document.paragraph(
                Text::of("The others are images of these; with other letters in place of ")
                    .math(&own)
                    .say(", ")
                    .then(images)
                    .say("."),
            );
        }
        let count = self.proof.symmetries.len();
        if count > 0 {
            let (orders, these) = match count {
                1 => (
                    "One other order of the stacks leaves".to_string(),
                    "its image under this symmetry",
                ),
                _ => (
                    format!("{count} other orders of the stacks leave"),
                    "its images under these symmetries",
                ),
            };
            document.paragraph(symbols(
                &["S"],
                &format!(
                    "{orders} the moves and S as they are; what is shown for a part holds for {these}."
                ),
            ));
        }
    }

    /// Whether some cases tell remainders.
    fn divides(&self) -> bool {
        let residue = |node: &Node| matches!(node, Node::Residue(..));
        self.proof.coverage.iter().any(residue)
            || self.proof.separation.iter().any(|(_, source)| match source {
                Source::Trees(trees) => trees.iter().flatten().any(residue),
                Source::Image { .. } => false,
            })
    }

    /// Prints a sum, unless there are too many.
    fn close(&mut self, rows: &[Row], farkas: &[(usize, i64)], names: &[String]) -> Vec<Block> {
        match contradiction(rows, farkas, names) {
            Some(found) if self.made < self.most => {
                self.made += 1;
                return vec![Block::Contradiction(found)];
            }
            Some(_) => self.left.sums += 1,
            None => self.left.untold += 1,
        }
        Vec::new()
    }

    /// The cases of a tree; `leaf` writes what is neither empty nor divided.
    fn tree(
        &mut self,
        nodes: &[Node],
        rows: Vec<Row>,
        names: Vec<String>,
        path: &str,
        leaf: &mut Leaf<'_, Self>,
    ) -> Vec<Block> {
        let mut rest = nodes.iter();
        self.node(&mut rest, rows, names, path, leaf)
    }

    fn node(
        &mut self,
        rest: &mut std::slice::Iter<'_, Node>,
        rows: Vec<Row>,
        names: Vec<String>,
        path: &str,
        leaf: &mut Leaf<'_, Self>,
    ) -> Vec<Block> {
        let Some(node) = rest.next() else { return Vec::new() };
        let deeper = |child: usize| deeper(path, child);
        match node {
            Node::Split(form) => {
                let row = Row::of(form, false, "the case");
                let mut blocks = Vec::new();
                for (child, row) in [row.clone(), row.negated("the case")].into_iter().enumerate() {
                    let assumption = Text::of("Suppose ").math(&row.said(&names)).say(".");
                    let mut rows = rows.clone();
                    rows.push(row);
                    let body = self.node(rest, rows, names.clone(), &deeper(child), leaf);
                    if !body.is_empty() {
                        blocks.push(case(&deeper(child), assumption, body));
                    }
                }
                blocks
            }
            Node::Residue(form, modulus) => {
                let mut blocks = Vec::new();
                for child in 0..usize::try_from(*modulus).unwrap_or(0) {
                    let mut row = Row::of(form, true, "the case");
                    let mut names = names.clone();
                    let fresh = names.len();
                    let others = names.iter().filter(|name| row::is_quotient(name)).count();
                    names.push(format!("q{}", others + 1));
                    row.add(-i128::from(*modulus), &Row::variable(fresh, ""));
                    row.constant -= child as i128;
                    let assumption = Text::of("Suppose ").math(&row.said(&names)).say(".");
                    let mut rows = rows.clone();
                    rows.push(row);
                    let body = self.node(rest, rows, names, &deeper(child), leaf);
                    if !body.is_empty() {
                        blocks.push(case(&deeper(child), assumption, body));
                    }
                }
                blocks
            }
            Node::Empty(farkas) => self.close(&rows, farkas, &names),
            other => leaf(self, other, &rows, &names),
        }
    }

    fn rules(&mut self, document: &mut Document) {
        document.subsection("From every other position a move leads into S");
        let outside = match self.misere {
            true => "From every position outside S that has a move some move leads into S.",
            false => "From every position outside S some move leads into S.",
        };
        let body = vec![Block::Paragraph(symbols(&["S"], outside))];
        document.push(Block::Statement { kind: Statement::Lemma, note: None, body });
        // Where any tokens may be taken it is enough that some are.
        let any = self.plays.iter().all(|play| play.any && play.total == Amounts::POSITIVE);
        let legal = match any {
            true => "no height grows or gets below 0",
            false => "the amounts taken are those of a move",
        };
        let taken = match any
            && self.proof.rules.iter().all(|r| r.play.is_none() || r.target.is_some())
        {
            true => {
                " A position outside S differs from the one reached, which lies in S; so at least one token is taken."
            }
            false => "",
        };
        let plays = std::mem::take(&mut self.plays);
        let (mut cases, mut summed) = (Vec::new(), false);
        let before = self.left.sums;
        for (i, rule) in self.proof.rules.iter().enumerate() {
            let names = self.variable_names(rule.region.extras);
            let conditions: Vec<String> = rule
                .region
                .constraints
                .iter()
                .map(|c| Row::of(&c.form, c.equation, "").said(&names))
                .collect();
            let assumption = match conditions.is_empty() {
                true => Text::of("Always."),
                false => Text::of("If ").maths(&conditions).say(":"),
            };
            let mut body = Vec::new();
            match rule.play {
                None => body.push(Block::Paragraph(symbols(&["S"], "The position lies in S."))),
                Some(bits) => {
                    let set = StackSet::from_bits(bits);
                    let heights: Vec<String> = set
                        .iter()
                        .zip(&rule.heights)
                        .map(|(s, form)| {
                            format!(
                                "{}' = {}",
                                self.names.one(s),
                                Row::of(form, false, "").plain(&names)
                            )
                        })
                        .collect();
                    body.push(Block::Paragraph(
                        Text::of("Play ")
                            .math(&self.names.set(set))
                            .say(" to ")
                            .maths(&heights)
                            .say(match self.reached(rule, set) {
                                Some(part) => format!(", in B{}.", part + 1),
                                None => ".".into(),
                            }),
                    ));
                    if let Some(play) = plays.iter().find(|p| p.stacks == set) {
                        let rows = self.system(&rule.region, "the rule");
                        let stay =
                            rule.target.is_some() && play.any && play.total == Amounts::POSITIVE;
                        let goals = play.rows(&play.after(self.n, self.n), stay);
                        let value = |v: usize| match v.checked_sub(self.n) {
                            Some(new) if new < rule.heights.len() => {
                                Row::of(&rule.heights[new], false, "")
                            }
                            _ => Row::variable(v, ""),
                        };
                        let goals: Vec<Row> = goals.iter().map(|g| g.substituted(value)).collect();
                        body.extend(self.derivations(&rows, &goals, &rule.proofs, &names));
                    }
                }
            }
            summed |= body.iter().any(|block| matches!(block, Block::Contradiction(_)));
            cases.push(Block::Case { name: format!("Rule R{}", i + 1), assumption, body });
        }
        self.plays = plays;
        let shown = match summed || self.left.sums > before {
            true => {
                "follows from the sums below the rule, where the last row is the negation of what is shown; left out is \
                 what is evident: a sum of heights that is not negative, and what one of the conditions says, with heights added to it."
            }
            false => {
                "is evident: sums of heights are not negative, and the conditions say the rest."
            }
        };
        document.paragraph(symbols(
            &["S"],
            &format!(
                "Each rule names a move wherever its conditions hold, and the new heights. That {legal} {shown}{taken} That the \
                 position reached lies in S is seen by putting the new heights into the conditions of the part that \
                 is named, or else into the formula; the sums for it are in the certificate."
            ),
        ));
        document.blocks.extend(cases);
    }

    /// The part of S that a rule leads to, where that is seen at once.
    fn reached(&self, rule: &Rule, set: StackSet) -> Option<usize> {
        rule.target.as_ref()?;
        let rows = self.system(&rule.region, "");
        let value = |v: usize| match set.iter().position(|s| s == v) {
            Some(at) => {
                rule.heights.get(at).map_or(Row::variable(v, ""), |h| Row::of(h, false, ""))
            }
            None => Row::variable(v, ""),
        };
        self.proof.branches.iter().position(|branch| {
            let holds = |row: Row| row.substituted(value).is_evident(&rows, self.n);
            branch.extras == 0
                && branch.constraints.iter().all(|c| holds(Row::of(&c.form, c.equation, "")))
        })
    }

    /// What is left out since then.
    fn cut(&self, before: usize) -> Option<Block> {
        let sums = self.left.sums - before;
        (sums > 0).then_some(Block::LeftOut(Cut { sums, ..Cut::default() }))
    }

    /// Why some rows follow from others: a sum for each that is not evident.
    fn derivations(
        &mut self,
        rows: &[Row],
        goals: &[Row],
        proofs: &[Vec<(usize, i64)>],
        names: &[String],
    ) -> Vec<Block> {
        let (mut blocks, mut seen) = (Vec::new(), Vec::new());
        let mut proofs = proofs.iter();
        for goal in goals {
            let sides: Vec<Row> = match goal.equation {
                false => vec![goal.clone()],
                true => {
                    let mut other = Row {
                        equation: false,
                        terms: BTreeMap::new(),
                        constant: 0,
                        ..goal.clone()
                    };
                    other.add(-1, goal);
                    vec![Row { equation: false, ..goal.clone() }, other]
                }
            };
            for side in sides {
                let Some(farkas) = proofs.next() else { continue };
                if side.is_evident(rows, self.n) {
                    continue;
                }
                let mut all = rows.to_vec();
                all.push(side.negated(Text::of("the negation of ").math(&side.said(names))));
                // What is shown already is not shown again.
                let sum = contradiction(&all, farkas, names);
                if sum.is_some() && seen.contains(&sum) {
                    continue;
                }
                seen.push(sum);
                blocks.extend(self.close(&all, farkas, names));
            }
        }
        blocks
    }

    fn coverage(&mut self, document: &mut Document) {
        let mut rows: Vec<Row> =
            (0..self.n).map(|s| Row::variable(s, "heights are not negative")).collect();
        let mut text = Text::of(
            "Every position satisfies the conditions of a rule or of its image under a symmetry: the cases below show which; \
             conditions that are evident there are left out again. ",
        );
        let domain = &self.proof.domain;
        let symmetries = &self.proof.symmetries;
        let names = self.variable_names(0);
        if let Some(least) = domain.least {
            let mut images: Vec<usize> = symmetries
                .iter()
                .filter_map(|g| g.image.get(least).copied())
                .filter(|&s| s != least)
                .collect();
            images.sort_unstable();
            images.dedup();
            for stack in images {
                let mut row = Row::variable(stack, "");
                row.add(-1, &Row::variable(least, ""));
                row.why = "by symmetry".into();
                rows.push(row);
            }
            text = text
                .say("By symmetry let ")
                .math(&names[least])
                .say(" be lowest among its images. ");
        }
        if let Some((a, b, _)) = domain.exchange {
            let mut row = Row::variable(b, "");
            row.add(-1, &Row::variable(a, ""));
            row.why = "by symmetry".into();
            text = text.say("By symmetry let ").math(&row.said(&names)).say(". ");
            rows.push(row);
        }
        let turned = |node: &Node| matches!(node, Node::Rule { symmetry: Some(_), .. });
        if self.proof.coverage.iter().any(turned) {
            text = text
                .say("A rule with other letters is meant with these in place of ")
                .math(&format!("({})", self.names.row()))
                .say(". ");
        }
        let before = self.left.sums;
        let proof = self.proof;
        let mut leaf = |writer: &mut Self, node: &Node, rows: &[Row], names: &[String]| match node {
            Node::Rule { rule: number, symmetry, bind, proofs } => {
                let Some(rule) = proof.rules.get(*number) else { return Vec::new() };
                let image: Vec<usize> = match symmetry.and_then(|g| proof.symmetries.get(g)) {
                    Some(g) => g.image.clone(),
                    None => (0..writer.n).collect(),
                };
                let name = |v: usize| match v.checked_sub(writer.n) {
                    None => image.get(v).copied().unwrap_or(v),
                    Some(extra) => bind.get(extra).copied().unwrap_or(v),
                };
                let goals: Vec<Row> = rule
                    .region
                    .constraints
                    .iter()
                    .map(|c| {
                        Row::of(&c.form, c.equation, "").substituted(|v| Row::variable(name(v), ""))
                    })
                    .collect();
                let said = match symmetry {
                    None => Text::of(format!("Rule R{} applies.", number + 1)),
                    Some(_) => Text::of(format!("Rule R{} with ", number + 1))
                        .math(&writer.order(&image))
                        .say(" applies."),
                };
                let mut blocks = vec![Block::Paragraph(said)];
                blocks.extend(writer.derivations(rows, &goals, proofs, names));
                blocks
            }
            Node::Terminal(_) => vec![Block::Paragraph("No move is possible here.".into())],
            _ => Vec::new(),
        };
        let mut blocks = vec![Block::Paragraph(text)];
        blocks.extend(self.tree(&proof.coverage, rows, names, "C", &mut leaf));
        blocks.extend(self.cut(before));
        document.push(Block::Proof(blocks));
    }
}
