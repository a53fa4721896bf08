//! Proofs by games within games, for a referee.

use super::{case, deeper, symbols};
use crate::render::latex::game as game_math;
use crate::render::words::list;
use nimatron_draw::document::{Block, Cut, Document, Statement, Table, Text};
use nimatron_formula::{Context, Formula};
use nimatron_game::{Game, StackSet};
use nimatron_linear::written;
use nimatron_verify::matryoshka::{MatryoshkaProof, Node, Part};
use std::collections::BTreeSet;

/// Generators whose weights are told one by one.
const MOST_GENERATORS: usize = 24;

fn set(bits: u32) -> String {
    match bits {
        0 => "0".into(),
        bits => StackSet::from_bits(bits).to_string(),
    }
}

fn sets(all: &[u32]) -> Vec<String> {
    all.iter().map(|&bits| set(bits)).collect()
}

/// Writes the proof; of each table and tree at most so many rows and ends. Returns how many ends are left out.
pub(super) fn write(
    document: &mut Document,
    game: &Game,
    proof: &MatryoshkaProof,
    most: usize,
) -> usize {
    document.paragraph(
        "A 0/1 vector is written as the set of its ones. A cell is the set of all sums of its generators, which are 0/1 \
         vectors, each taken any number of times. Every game below is told by its sets, with its name if it has one, and has \
         cells; the P-positions are the union of the cells of the last one. It is shown that from every position outside \
         the cells some move leads into one, and \
         that no move leads from a cell to a cell. Then, by induction on the number of tokens, the cells hold the \
         P-positions and nothing else.",
    );
    if let Some(formula) = &proof.formula {
        let told = match Formula::parse(formula, &Context::of_game(game)) {
            Ok(formula) if formula.any(&mut |f| matches!(f, Formula::Span(_))) => {
                "The theorem lists the generators of the cells, up to symmetry."
            }
            _ => {
                "The theorem tells the union of the cells by a formula. That it holds at the positions of the cells and \
                 at no others was verified by the checker, which cuts both into pieces by linear inequalities; this \
                 comparison is not printed here."
            }
        };
        document.paragraph(told);
    }
    document.subsection("From every other position a move leads into a cell");
    document.paragraph(symbols(
        &["p", "q"],
        "Claim, for each of the games: for every position p there is a position q in one of the cells, nowhere higher than \
         p, that differs from p on stacks of a single set of the game. So p itself lies in a cell, or a move leads from p into one. \
         The cases below use three steps.",
    ));
    let lemma = Text::of("Let ")
        .math("v")
        .say(" be a 0/1 vector, and let ")
        .math("t")
        .say(" be the greatest number with ")
        .math("p-tv >= 0")
        .say(". If ")
        .math("q")
        .say(" does what is claimed for ")
        .math("p-tv")
        .say(", and ")
        .math("v")
        .say(" is a sum of generators of the cell of ")
        .math("q")
        .say(", then ")
        .math("q+tv")
        .say(" does it for ")
        .math("p")
        .say(". So, where this holds for every cell that is reached, it is enough to look at positions in which one of the stacks of ")
        .math("v")
        .say(" is empty.");
    document.push(Block::Statement {
        kind: Statement::Lemma,
        note: Some("invariant vectors".into()),
        body: vec![Block::Paragraph(lemma)],
    });
    let because = Text::of("The position ")
        .math("q+tv")
        .say(" is nowhere higher than ")
        .math("p")
        .say(", the difference is the same as before, so that it lies in one set, and ")
        .math("q+tv")
        .say(" lies in the cell.");
    document.push(Block::Proof(vec![Block::Paragraph(because)]));
    document.paragraph(
        "At the end of each case below, the vectors subtracted on the way to it are sums of generators of every cell that is \
         named there.",
    );
    document.paragraph(
        "A stack can be left out if, for each set, some set holds it together with the other stacks of that set that \
         are still there: the move that is found for the rest empties it as well. And where what is left is one of the \
         games before, on other stacks, what was shown for that game is used.",
    );
    let mut left = 0;
    for (number, part) in proof.parts.iter().enumerate() {
        let last = number + 1 == proof.parts.len();
        let title = match last {
            true => format!("Game {}: the game itself", number + 1),
            false => format!("Game {}", number + 1),
        };
        document.subsection(title);
        left += one_part(document, part, number, most);
    }
    weights(document, proof, most);
    left
}

fn one_part(document: &mut Document, part: &Part, number: usize, most: usize) -> usize {
    let mut head =
        named(part).say(format!("{} stacks; sets ", part.stacks)).maths(&sets(&part.facets));
    if !part.rows.is_empty() {
        let rows: Vec<String> =
            part.rows.iter().map(|(row, constant)| at_least(row, *constant)).collect();
        head = head.say("; only positions count with ").maths(&rows);
    }
    document.paragraph(head.say("."));
    let cells = part.cells.len();
    let rows =
        part.cells.iter().take(most).enumerate().map(|(i, cell)| {
            vec![Text::of(format!("{}", i + 1)), Text::default().maths(&sets(cell))]
        });
    document.push(Block::Table(Table {
        head: vec!["cell".into(), "generators".into()],
        rows: rows.collect(),
        right: vec![0],
        ..Table::default()
    }));
    if cells > most {
        document.paragraph(format!(
            "These are the first {most} of {cells} cells; the others are in the certificate."
        ));
    }
    let mut printed = 0;
    let mut nodes = part.tree.iter();
    // Cases are numbered by the game and the way to them.
    let mut blocks = tree(&mut nodes, &(number + 1).to_string(), most, &mut printed);
    let cases = printed.saturating_sub(most);
    if cases > 0 {
        blocks.push(Block::LeftOut(Cut { cases, ..Cut::default() }));
    }
    document.push(Block::Proof(blocks));
    cases
}

/// What the game of a part is called, if it has a name: also in another order of its stacks.
fn named(part: &Part) -> Text {
    let facets = part.facets.iter().map(|&f| StackSet::from_bits(f)).collect();
    let game = Game::set_nim(part.stacks as usize, facets).ok();
    let name = game.as_ref().and_then(|g| nimatron_reduce::name(g.single()?.sets()));
    match name {
        Some((family, order)) => {
            let name = Text::default().formula(game_math(&family.to_string()));
            match order.is_identity() {
                true => name.say(": "),
                false => name.say(", in another order of its stacks: "),
            }
        }
        None => Text::default(),
    }
}

/// A linear form.
fn form(form: &[i64], constant: i64) -> String {
    let term = |(stack, &c): (usize, &i64)| (i128::from(c), StackSet::single(stack).to_string());
    written(form.iter().enumerate().map(term), constant.into())
}

/// That a form is not negative, with positive terms on both sides.
fn at_least(row: &[i64], constant: i64) -> String {
    let side = |sign: i64| {
        let own: Vec<i64> = row.iter().map(|c| (c * sign).max(0)).collect();
        form(&own, (constant * sign).max(0))
    };
    format!("{} >= {}", side(1), side(-1))
}

/// A decision tree as cases, and at its ends what is done.
fn tree(
    nodes: &mut std::slice::Iter<'_, Node>,
    path: &str,
    most: usize,
    printed: &mut usize,
) -> Vec<Block> {
    let Some(node) = nodes.next() else { return Vec::new() };
    let letter = |s: usize| StackSet::single(s).to_string();
    let suppose = |said: String| Text::of("Suppose ").math(&said).say(".");
    let (before, cases): (Option<Text>, Vec<Text>) = match node {
        Node::Subtract(vector) => {
            let stacks = StackSet::from_bits(*vector).iter();
            let subtract = Text::of("Subtract ").math(&set(*vector)).say(" as often as it goes.");
            (Some(subtract), stacks.map(|s| suppose(format!("{} = 0", letter(s)))).collect())
        }
        Node::Empty(stack) => {
            // Several one after the other are told together.
            let mut names = vec![letter(*stack as usize)];
            while let Some(Node::Empty(stack)) = nodes.as_slice().first() {
                names.push(letter(*stack as usize));
                nodes.next();
            }
            let said = match &names[..] {
                [one] => {
                    Text::of("Stack ").math(one).say(" can be emptied in any move: leave it out.")
                }
                [first @ .., last] => Text::of("Stacks ")
                    .maths(first)
                    .say(" and ")
                    .math(last)
                    .say(" can be emptied in any move, one after the other: leave them out."),
                [] => Text::default(),
            };
            let mut blocks = vec![Block::Paragraph(said)];
            let rest = tree(nodes, path, most, printed);
            if rest.is_empty() {
                return rest;
            }
            blocks.extend(rest);
            return joined(blocks);
        }
        Node::Zero(stack) => {
            let name = letter(*stack as usize);
            (None, vec![suppose(format!("{name} = 0")), suppose(format!("{name} >= 1"))])
        }
        Node::Split(split) => {
            let negative: Vec<i64> = split.iter().map(|c| -c).collect();
            (None, vec![suppose(at_least(split, 0)), suppose(at_least(&negative, -1))])
        }
        Node::Least(of) => {
            let stacks = StackSet::from_bits(*of).iter();
            let least = |s: usize| {
                Text::of("Suppose ")
                    .math(&letter(s))
                    .say(" is least among ")
                    .math(&set(*of))
                    .say(".")
            };
            (None, stacks.map(least).collect())
        }
        leaf => {
            *printed += 1;
            return if *printed > most { Vec::new() } else { vec![Block::Paragraph(end(leaf))] };
        }
    };
    let mut blocks: Vec<Block> = before.into_iter().map(Block::Paragraph).collect();
    let only = blocks.len();
    for (child, assumption) in cases.into_iter().enumerate() {
        let number = deeper(path, child);
        let body = tree(nodes, &number, most, printed);
        if !body.is_empty() {
            blocks.push(case(&number, assumption, body));
        }
    }
    if blocks.len() == only { Vec::new() } else { blocks }
}

/// Paragraphs at the beginning as one.
fn joined(blocks: Vec<Block>) -> Vec<Block> {
    let mut out: Vec<Block> = Vec::new();
    for block in blocks {
        match (out.last_mut(), block) {
            (Some(Block::Paragraph(before)), Block::Paragraph(more)) => {
                *before = std::mem::take(before).say(" ").then(more);
            }
            (_, block) => out.push(block),
        }
    }
    out
}

/// What is done at the end of a case.
fn end(leaf: &Node) -> Text {
    match leaf {
        Node::None(rows) => Text::of(format!(
            "This cannot be: {} of the conditions, multiplied as the certificate says, add up to a contradiction.",
            rows.len()
        )),
        Node::Move { facet, cell, times } if times.is_empty() => Text::of("What is left lies in ")
            .math(&set(*facet))
            .say(format!(": take all of it, which leads into cell {}.", cell + 1)),
        Node::Move { facet, cell, times } => {
            let sums: Vec<String> =
                times.iter().map(|(v, f)| format!("({})*{}", form(f, 0), set(*v))).collect();
            Text::of("Play on ")
                .math(&set(*facet))
                .say(" to ")
                .math(&sums.join(" + "))
                .say(format!(", in cell {}.", cell + 1))
        }
        Node::Part { part, names, cells } => {
            let names: Vec<String> =
                names.iter().map(|&s| StackSet::single(s as usize).to_string()).collect();
            Text::of(format!("Go on as in game {} on ", part + 1))
                .math(&format!("({})", names.join(",")))
                .say(format!(": {}.", into(cells)))
        }
        _ => Text::default(),
    }
}

/// Into which cells those of an earlier game go, in their order.
fn into(cells: &[u32]) -> String {
    let names: Vec<String> = cells.iter().map(|cell| (cell + 1).to_string()).collect();
    match &names[..] {
        [one] => format!("its cell lies in cell {one} here"),
        [first, ..] if names.iter().all(|name| name == first) => {
            format!("all its cells lie in cell {first} here")
        }
        many => format!("its cells lie, in their order, in cells {} here", list(many)),
    }
}

fn weights(document: &mut Document, proof: &MatryoshkaProof, most: usize) {
    document.subsection("No move leads from a cell to a cell");
    document.paragraph(
        symbols(
            &["y", "F", "g"],
            "Let y be a weight for the tokens of each stack, at least 1 on all stacks of a set F. A move on F takes tokens of \
             positive weight away. So it cannot lead from a cell whose generators g all have ",
        )
        .math("y(g) <= 0")
        .say(" to one whose generators all have ")
        .math("y(g) >= 0")
        .say(
            ": the weight would be at most 0 before and at least 0 after. For every set, up to symmetry, and any two cells \
             one of the weights in ",
        )
        .table("weights")
        .say(" does it; the symmetries that are meant permute the sets and the cells of the game, which the checker has verified."),
    );
    let generators: BTreeSet<u32> = proof
        .parts
        .last()
        .into_iter()
        .flat_map(|part| part.cells.iter().flatten().copied())
        .collect();
    let told = generators.len() <= MOST_GENERATORS;
    let rows = proof.weights.iter().take(most).map(|w| {
        let row: Vec<String> = w.weight.iter().map(i64::to_string).collect();
        let weight =
            |g: u32| StackSet::from_bits(g).iter().filter_map(|s| w.weight.get(s)).sum::<i64>();
        let of = |sign: i64| {
            let own: Vec<u32> =
                generators.iter().copied().filter(|&g| weight(g).signum() == sign).collect();
            match own.is_empty() {
                true => Text::of("none"),
                false => Text::default().maths(&sets(&own)),
            }
        };
        let mut cells = vec![
            Text::default().math(&set(w.facet)),
            Text::default().math(&format!("({})", row.join(", "))),
        ];
        if told {
            cells.extend([of(1), of(-1)]);
        }
        cells
    });
    let mut head: Vec<Text> = vec!["set".into(), "weight".into()];
    if told {
        head.extend([Text::default().math("y(g) > 0"), Text::default().math("y(g) < 0")]);
    }
    let caption = match told {
        true => "The weights, by stack, and the generators that have a weight other than 0.",
        false => "The weights, by stack.",
    };
    document.push(Block::Table(Table {
        caption: Text::of(caption).named("weights"),
        head,
        rows: rows.collect(),
        ..Table::default()
    }));
    if proof.weights.len() > most {
        document.paragraph(format!(
            "These are the first {most} of {} weights; the others are in the certificate.",
            proof.weights.len()
        ));
    }
}
