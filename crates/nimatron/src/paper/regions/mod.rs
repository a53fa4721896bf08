//! Proofs by regions, for a referee: cases, moves, and for every closed case the inequalities and multipliers whose
//! sum is a contradiction.

mod kind;
mod parts;
mod row;
mod separation;

use super::{case, deeper, symbols};
use crate::render::Names;
use kind::Kind;
use nimatron_draw::document::{Block, Cut, Document, Statement, Table, Text};
use nimatron_game::{Amounts, Game, Play, StackSet};
use nimatron_verify::regions::{Branch, Constraint, Node, RegionsProof, Rule, Source};
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
            "Let S be the set of positions that the theorem describes. {enough} A case is closed by a sum, or \
             by a rule whose conditions hold there. In a sum, inequalities that hold in the case, each multiplied by \
             the number before it (which is not negative, unless it is an equation), add up to a negative number that \
             would be at least 0. Letters with a prime are heights after the move. Case 1.2 is the second of the \
             cases within Case 1."
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
        tuple(&self.variable_names(0), image)
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
        let (mut items, mut images) = (Vec::new(), Vec::new());
        // What stands in place of the letters: also in place of the further numbers, where there are some.
        let extras = self.proof.branches.iter().map(|b| b.extras).max().unwrap_or(0);
        let letters = self.variable_names(extras);
        let own: Vec<usize> = (0..letters.len()).collect();
        for (i, branch) in self.proof.branches.iter().enumerate() {
            if let Some(image) = self.images.literal(i) {
                let mut order = image.names.clone();
                order.extend(order.len()..letters.len());
                images.push((i, image.first, tuple(&letters, &order)));
                continue;
            }
            let names = self.variable_names(branch.extras);
            let rows: Vec<String> = branch
                .constraints
                .iter()
                .map(|c| Row::of(&c.form, c.equation, "").said(&names))
                .collect();
            let item = Text::of(format!("B{}: ", i + 1)).maths(&rows);
            items.push(match self.images.original(i).filter(|_| branch.extras == 0) {
                Some((first, by)) => item
                    .say(format!(" (the image of B{} with ", first + 1))
                    .math(&self.order(&self.proof.symmetries[by].image))
                    .say(", equations of it being put into other conditions)"),
                None => item,
            });
        }
        let listed = items.len();
        document.push(Block::List { numbered: false, items });
        images_of(document, listed, &tuple(&letters, &own), &images);
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

    /// Prints a sum, unless there is no room for more.
    fn close(
        &mut self,
        rows: &[Row],
        farkas: &[(usize, i64)],
        names: &[String],
        room: bool,
    ) -> Vec<Block> {
        match contradiction(rows, farkas, names) {
            Some(found) if room => {
                self.made += 1;
                return vec![Block::Contradiction(found)];
            }
            Some(_) => self.left.sums += 1,
            None => self.left.untold += 1,
        }
        Vec::new()
    }

    fn has_room(&self) -> bool {
        self.made < self.most
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
            Node::Empty(farkas) => {
                let room = self.has_room();
                self.close(&rows, farkas, &names, room)
            }
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
        // Whether it is said of every rule which part it leads to.
        let mut named = true;
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
                    let play =
                        Text::of("Play ").math(&self.names.set(set)).say(" to ").maths(&heights);
                    let into = reached(self.proof, self.n, rule, set);
                    body.push(Block::Paragraph(match into {
                        Some((part, numbers)) => {
                            let numbers = numbers.iter().enumerate();
                            let numbers: Vec<String> = numbers
                                .map(|(t, form)| format!("u{} = {}", t + 1, form.plain(&names)))
                                .collect();
                            let play = play.say(format!(", in B{}", part + 1));
                            match numbers.is_empty() {
                                true => play.say("."),
                                false => play.say(" with ").maths(&numbers).say("."),
                            }
                        }
                        None => {
                            named &= rule.target.is_none();
                            play.say(".")
                        }
                    }));
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
                        let left = self.left.sums;
                        body.extend(self.derivations(&rows, &goals, &rule.proofs, &names));
                        if self.left.sums > left {
                            body.push(Block::Paragraph("The sums are in the certificate.".into()));
                        }
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
        let rules = match self.proof.rules.iter().any(|rule| rule.play.is_none()) {
            true => {
                "Each rule names a move wherever its conditions hold, and the new heights, or says that the position lies in S."
            }
            false => "Each rule names a move wherever its conditions hold, and the new heights.",
        };
        let lies = match named {
            true => "the part that is named",
            false => "the part that is named, or else into the formula",
        };
        document.paragraph(symbols(
            &["S"],
            &format!(
                "{rules} That {legal} {shown}{taken} That the position reached lies in S is seen by putting the new \
                 heights into the conditions of {lies}: they follow from those of the rule, by sums that are in the \
                 certificate where it is not evident."
            ),
        ));
        document.blocks.extend(cases);
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
        // All of them, or none: some prove nothing.
        let room = self.has_room();
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
                blocks.extend(self.close(&all, farkas, names, room));
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
            for &stack in &images {
                let mut row = Row::variable(stack, "");
                row.add(-1, &Row::variable(least, ""));
                row.why = "by symmetry".into();
                rows.push(row);
            }
            text = text.say("By symmetry let ").math(&names[least]).then(
                match images.len() + 1 == self.n {
                    true => Text::of(" be a least stack. "),
                    false => {
                        let others: Vec<&String> = images.iter().map(|&s| &names[s]).collect();
                        Text::of(" be at most as high as its images ").maths(&others).say(". ")
                    }
                },
            );
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
                let mut with: Vec<String> = Vec::new();
                with.extend(symmetry.map(|_| writer.order(&image)));
                let own = |t: usize| names.get(name(writer.n + t)).map_or("", String::as_str);
                with.extend((0..rule.region.extras).map(|t| format!("t{} = {}", t + 1, own(t))));
                let said = Text::of(format!("Rule R{}", number + 1));
                let said = match with.is_empty() {
                    true => said,
                    false => said.say(" with ").maths(&with),
                };
                let mut blocks = vec![Block::Paragraph(said.say(" applies."))];
                let before = writer.left.sums;
                blocks.extend(writer.derivations(rows, &goals, proofs, names));
                if writer.left.sums > before { Vec::new() } else { blocks }
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

/// Letters one after the other: `(b,c,a)`.
fn tuple(letters: &[String], order: &[usize]) -> String {
    let order: Vec<&str> =
        order.iter().map(|&v| letters.get(v).map_or("", String::as_str)).collect();
    format!("({})", order.join(","))
}

/// Parts that are told as images of those listed: in a sentence, or, if they are many, in a table.
fn images_of(
    document: &mut Document,
    listed: usize,
    letters: &str,
    images: &[(usize, usize, String)],
) {
    let these = if listed == 1 { "this" } else { "these" };
    let (others, them) = match images.len() {
        0 => return,
        1 => ("The other is an image", "it"),
        _ => ("The others are images", "each"),
    };
    let head = Text::of(format!("{others} of {these}; "));
    if images.len() <= 4 {
        let mut text = head.say("with other letters in place of ").math(letters).say(", ");
        for (i, (part, first, order)) in images.iter().enumerate() {
            let comma = if i > 0 { ", " } else { "" };
            text = text.say(format!("{comma}B{} is B{} with ", part + 1, first + 1)).math(order);
        }
        return document.paragraph(text.say("."));
    }
    let head = head.say(format!("{them} is the part beside it with other letters in place of "));
    document.paragraph(head.math(letters).say(":"));
    // As many side by side as there is room for.
    let columns = (84 / (letters.len() + 14)).clamp(1, 3);
    let lines = images.len().div_ceil(columns);
    let rows = (0..lines).map(|line| {
        let cells = (0..columns).map(|column| images.get(column * lines + line));
        let told = |cell: Option<&(usize, usize, String)>| match cell {
            Some((part, first, order)) => [
                Text::of(format!("B{}", part + 1)),
                Text::of(format!("B{}", first + 1)),
                Text::default().math(order),
            ],
            None => [const { Text(Vec::new()) }; 3],
        };
        cells.flat_map(told).collect()
    });
    let head = ["part", "image of", "with"].map(Text::of);
    document.push(Block::Table(Table {
        head: (0..columns).flat_map(|_| head.clone()).collect(),
        rows: rows.collect(),
        ..Table::default()
    }));
}

/// The part of S that a rule leads to, and what its further numbers are: one whose conditions hold at the new heights
/// at once, or else one where they follow from those of the rule.
fn reached(
    proof: &RegionsProof,
    n: usize,
    rule: &Rule,
    set: StackSet,
) -> Option<(usize, Vec<Row>)> {
    let target = rule.target.as_ref()?;
    let rows: Vec<Row> =
        rule.region.constraints.iter().map(|c| Row::of(&c.form, c.equation, "")).collect();
    let numbers: Vec<Row> = target.extras.iter().map(|form| Row::of(form, false, "")).collect();
    let goals = |branch: &Branch, numbers: &[Row]| -> Vec<Row> {
        let value = |v: usize| match (set.iter().position(|s| s == v), v.checked_sub(n)) {
            (Some(at), _) => {
                rule.heights.get(at).map_or(Row::variable(v, ""), |h| Row::of(h, false, ""))
            }
            (None, Some(t)) => numbers.get(t).cloned().unwrap_or_else(|| Row::variable(v, "")),
            (None, None) => Row::variable(v, ""),
        };
        let goal = |c: &Constraint| Row::of(&c.form, c.equation, "").substituted(value);
        branch.constraints.iter().map(goal).collect()
    };
    let heights: Vec<Row> = (0..n).map(|s| Row::variable(s, "")).collect();
    let evident: Vec<Row> = heights.into_iter().chain(rows.iter().cloned()).collect();
    let system = row::solved(&rows, n, rule.region.extras)?;
    let mut found = None;
    for (part, branch) in proof.branches.iter().enumerate() {
        for numbers in choices(&numbers, branch.extras) {
            let goals = goals(branch, &numbers);
            if goals.iter().all(|goal| goal.is_evident(&evident, n)) {
                return Some((part, numbers));
            }
            if found.is_none() && goals.iter().all(|goal| goal.follows(&system)) {
                found = Some((part, numbers));
            }
        }
    }
    found
}

/// All ways to choose so many things, one after the other.
fn choices(from: &[Row], many: usize) -> Vec<Vec<Row>> {
    let mut all: Vec<Vec<Row>> = vec![Vec::new()];
    for _ in 0..many {
        let longer = |chosen: Vec<Row>| {
            from.iter().map(move |row| chosen.iter().chain([row]).cloned().collect())
        };
        all = all.into_iter().flat_map(longer).take(MOST_CHOICES).collect();
    }
    all
}

/// Ways to choose that are tried.
const MOST_CHOICES: usize = 10_000;
