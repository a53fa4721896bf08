//! Proofs by games within games, for a referee.

use nimatron_draw::document::{Block, Document, Statement, Table, Text};
use nimatron_game::StackSet;
use nimatron_verify::matryoshka::{MatryoshkaProof, Node};

/// Moves of a tree that are printed; the rest is counted.
const MOST: usize = 40;

fn set(bits: u32) -> String {
    match bits {
        0 => "0".into(),
        bits => StackSet::from_bits(bits).to_string(),
    }
}

/// Writes the proof.
pub(super) fn write(document: &mut Document, proof: &MatryoshkaProof) {
    document.paragraph(
        "A 0/1 vector is written as the set of its ones. A cell is the set of all sums of its generators, each taken \
         any number of times; the P-positions are the union of the cells below. It is shown that no move leads from a \
         cell to a cell, and that from every other position a move leads into one.",
    );
    let lemma = Text::of(
        "Let v be a 0/1 vector. If from p - v, where v was subtracted as often as it goes, a move \
        leads to q or p - v = q, for a q in a cell that allows v as a further generator, then the same tokens lead from p to q + v, \
        which lies in the cell as well.",
    );
    document.push(Block::Statement {
        kind: Statement::Lemma,
        note: Some("invariant vectors".into()),
        body: vec![Block::Paragraph(lemma)],
    });
    document.push(Block::Proof(vec![Block::Paragraph(
        "The tokens that are taken are the same, so that they lie in one facet again, and q + v is a sum of generators of the cell.".into(),
    )]));
    for (number, part) in proof.parts.iter().enumerate() {
        let last = number + 1 == proof.parts.len();
        let title = match last {
            true => format!("Game {}: the game itself", number + 1),
            false => format!("Game {}", number + 1),
        };
        document.subsection(title);
        let facets: Vec<String> = part.facets.iter().map(|&f| set(f)).collect();
        document.paragraph(
            Text::of(format!("{} stacks; facets ", part.stacks)).math(&facets.join(", ")).say("."),
        );
        let rows = part.cells.iter().take(MOST).enumerate().map(|(i, cell)| {
            let generators: Vec<String> = cell.iter().map(|&g| set(g)).collect();
            vec![Text::of(format!("{}", i + 1)), Text::default().math(&generators.join(", "))]
        });
        let caption = match part.cells.len() > MOST {
            true => format!(
                "The first {MOST} of {} cells; the others are in the certificate.",
                part.cells.len()
            ),
            false => "The cells.".to_string(),
        };
        document.push(Block::Table(Table {
            caption: caption.into(),
            head: vec!["cell".into(), "generators".into()],
            rows: rows.collect(),
            right: vec![0],
        }));
        let mut printed = 0;
        let mut nodes = part.tree.iter();
        let blocks = tree(&mut nodes, "", &mut printed);
        document.push(Block::Proof(blocks));
        if printed > MOST {
            document.paragraph(format!(
                "The first {MOST} of {printed} ends of cases are printed; the others are in the certificate."
            ));
        }
    }
    weights(document, proof);
}

/// A decision tree as cases.
fn tree(nodes: &mut std::slice::Iter<'_, Node>, path: &str, printed: &mut usize) -> Vec<Block> {
    let Some(node) = nodes.next() else { return Vec::new() };
    let deeper = |child: usize| match path.is_empty() {
        true => format!("{}", child + 1),
        false => format!("{path}.{}", child + 1),
    };
    let form = |form: &[i64], constant: i64| {
        let mut out = String::new();
        for (s, &c) in form.iter().enumerate().filter(|(_, c)| **c != 0) {
            let sign = if c < 0 {
                "-"
            } else if out.is_empty() {
                ""
            } else {
                "+"
            };
            let factor = if c.abs() == 1 { String::new() } else { c.abs().to_string() };
            out += &format!("{sign}{factor}{}", StackSet::single(s));
        }
        match constant {
            0 if !out.is_empty() => out,
            0 => "0".into(),
            c if c < 0 => format!("{out}{c}"),
            c => format!("{out}+{c}"),
        }
    };
    let assumptions: Vec<Text> = match node {
        Node::Subtract(vector) => StackSet::from_bits(*vector)
            .iter()
            .map(|s| {
                Text::of("Subtract ")
                    .math(&set(*vector))
                    .say(" as often as it goes; then suppose ")
                    .math(&format!("{} = 0", StackSet::single(s)))
                    .say(".")
            })
            .collect(),
        Node::Empty(stack) => {
            let name = StackSet::single(*stack as usize).to_string();
            vec![
                Text::of("Stack ")
                    .math(&name)
                    .say(" can be emptied in any move, so it is left out."),
            ]
        }
        Node::Zero(stack) => {
            let name = StackSet::single(*stack as usize).to_string();
            vec![
                Text::of("Suppose ").math(&format!("{name} = 0")).say("."),
                Text::of("Suppose ").math(&format!("{name} >= 1")).say("."),
            ]
        }
        Node::Split(split) => {
            let negative: Vec<i64> = split.iter().map(|c| -c).collect();
            vec![
                Text::of("Suppose ").math(&format!("{} >= 0", form(split, 0))).say("."),
                Text::of("Suppose ").math(&format!("{} >= 0", form(&negative, -1))).say("."),
            ]
        }
        Node::Least(of) => StackSet::from_bits(*of)
            .iter()
            .map(|s| {
                Text::of("Suppose ")
                    .math(&StackSet::single(s).to_string())
                    .say(" is least among ")
                    .math(&set(*of))
                    .say(".")
            })
            .collect(),
        leaf => {
            *printed += 1;
            let said = match leaf {
                Node::None(rows) => Text::of(format!(
                    "No position is left: {} inequalities of the path add up to a contradiction.",
                    rows.len()
                )),
                Node::Move { facet, cell, times } => {
                    let target = match times.is_empty() {
                        true => Text::of("nothing is left over"),
                        false => {
                            let sums: Vec<String> = times
                                .iter()
                                .map(|(v, f)| format!("({})*{}", form(f, 0), set(*v)))
                                .collect();
                            Text::of("play to ").math(&sums.join(" + "))
                        }
                    };
                    Text::of("On ")
                        .math(&set(*facet))
                        .say(": ")
                        .then(target)
                        .say(format!(", in cell {}.", cell + 1))
                }
                Node::Part { part, names, .. } => {
                    let names: Vec<String> =
                        names.iter().map(|&s| StackSet::single(s as usize).to_string()).collect();
                    Text::of(format!("Go on as in game {}, whose stacks are here ", part + 1))
                        .math(&names.join(","))
                        .say(".")
                }
                _ => Text::default(),
            };
            return if *printed > MOST { Vec::new() } else { vec![Block::Paragraph(said)] };
        }
    };
    let mut blocks = Vec::new();
    for (child, assumption) in assumptions.into_iter().enumerate() {
        let number = deeper(child);
        let body = tree(nodes, &number, printed);
        if !body.is_empty() {
            blocks.push(Block::Case { number, assumption, body });
        }
    }
    blocks
}

fn weights(document: &mut Document, proof: &MatryoshkaProof) {
    document.subsection("No move leads from a cell to a cell");
    document.paragraph(
        Text::of("Suppose that a weight y of the stacks has ")
            .math("y >= 1")
            .say(" on a facet A, ")
            .math("y(g) <= 0")
            .say(" for the generators g of a first cell and ")
            .math("y(g) >= 0")
            .say(" for those of a second. A move on A from p in the first to q in the second would have ")
            .math("y(p) <= 0 <= y(q)")
            .say(", but it takes tokens of positive weight, so that ")
            .math("y(p) > y(q)")
            .say(". For every facet, up to symmetry, and any two cells one of these weights does it:"),
    );
    let rows = proof.weights.iter().map(|w| {
        let row: Vec<String> = w.weight.iter().map(i64::to_string).collect();
        vec![
            Text::default().math(&set(w.facet)),
            Text::default().math(&format!("({})", row.join(", "))),
        ]
    });
    document.push(Block::Table(Table {
        caption: "The weights, at least 1 on the facet.".into(),
        head: vec!["facet".into(), "weight of a token on each stack".into()],
        rows: rows.collect(),
        right: Vec::new(),
    }));
}
