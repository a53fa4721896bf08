//! How long a document is, and what is left out of one that is too long.

use super::{Block, Document, Table, Text};

/// Lines of a page, and letters of a line, of an article in LaTeX: about.
const PAGE: f64 = 50.0;
const LINE: f64 = 84.0;
/// Units of a drawing in a line: a unit is three quarters of a point, a line has 13.6 points.
const UNITS: f64 = 18.1;

/// What was left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cut {
    /// Cases without cases of their own.
    pub cases: usize,
    /// Sums that contradict themselves.
    pub sums: usize,
    /// Items of lists.
    pub items: usize,
}

impl Cut {
    /// Whether everything is there.
    pub fn is_empty(&self) -> bool {
        *self == Cut::default()
    }

    /// What is in this and not in the other.
    fn without(&self, other: &Cut) -> Self {
        Cut {
            cases: self.cases.saturating_sub(other.cases),
            sums: self.sums.saturating_sub(other.sums),
            items: self.items.saturating_sub(other.items),
        }
    }

    /// What blocks have that can be left out.
    pub fn of(blocks: &[Block]) -> Self {
        let mut all = Cut::default();
        all.add(blocks);
        all
    }

    fn add(&mut self, blocks: &[Block]) {
        for block in blocks {
            match block {
                Block::Contradiction(_) => self.sums += 1,
                Block::List { items, .. } => self.items += items.len(),
                Block::Case { body, .. } => {
                    let inner = body.iter().any(is_case);
                    self.cases += usize::from(!inner);
                    self.add(body);
                }
                Block::Proof(body) | Block::Statement { body, .. } => self.add(body),
                _ => {}
            }
        }
    }
}

impl Document {
    /// How many pages an article has in LaTeX, about.
    pub fn pages(&self) -> f64 {
        lines(&self.blocks) / PAGE
    }

    /// Leaves out the last cases of proofs, and the last items of lists, until so many pages are left, about. Of
    /// each something stays.
    pub fn shorten(&mut self, pages: f64) -> Cut {
        let before = Cut::of(&self.blocks);
        let mut room = pages * PAGE;
        if lines(&self.blocks) <= room {
            return Cut::default();
        }
        // What can be cut shares what the rest leaves: short parts whole, long ones as far as the room goes.
        let all = parts(&self.blocks);
        let mut sizes: Vec<f64> =
            all.iter().map(|part| lines(&self.blocks[part.clone()])).collect();
        room -= lines(&self.blocks) - sizes.iter().sum::<f64>();
        sizes.sort_by(f64::total_cmp);
        let mut share = 0.0;
        for (i, size) in sizes.iter().enumerate() {
            share = (room / (sizes.len() - i) as f64).max(8.0);
            if *size > share {
                break;
            }
            room -= size;
        }
        for part in all.into_iter().rev() {
            let mut room = share;
            let whole = self.blocks[part.clone()].to_vec();
            let all = Cut::of(&whole);
            let mut kept = shortened(whole, &mut room, true);
            let left = all.without(&Cut::of(&kept));
            // Proofs say it themselves.
            if !left.is_empty() && !matches!(kept[..], [Block::Proof(_)]) {
                kept.push(Block::LeftOut(left));
            }
            self.blocks.splice(part, kept);
        }
        before.without(&Cut::of(&self.blocks))
    }
}

/// Runs of blocks that can be cut: cases one after the other, proofs, lists.
fn parts(blocks: &[Block]) -> Vec<std::ops::Range<usize>> {
    let mut found: Vec<std::ops::Range<usize>> = Vec::new();
    for (at, block) in blocks.iter().enumerate() {
        let goes_on = |part: &&mut std::ops::Range<usize>| {
            part.end == at && matches!(blocks[part.start], Block::Case { .. })
        };
        match block {
            Block::Case { .. } => match found.last_mut().filter(goes_on) {
                Some(part) => part.end = at + 1,
                None => found.push(at..at + 1),
            },
            Block::Proof(_) | Block::List { .. } => found.push(at..at + 1),
            _ => {}
        }
    }
    found
}

/// The first blocks, as many as there is room for. A case without cases of its own stays whole or goes: half of it
/// proves nothing. The first one stays.
fn shortened(blocks: Vec<Block>, room: &mut f64, mut first: bool) -> Vec<Block> {
    let mut kept = Vec::new();
    for (at, mut block) in blocks.into_iter().enumerate() {
        if at > 0 && *room <= 0.0 && !(first && is_case(&block)) {
            break;
        }
        let size = lines(std::slice::from_ref(&block));
        if size <= *room {
            *room -= size;
            first &= !is_case(&block);
            kept.push(block);
            continue;
        }
        match &mut block {
            Block::Proof(body) => {
                *room -= 2.0;
                *body = proof(std::mem::take(body), room);
            }
            Block::Case { body, .. } if body.iter().any(is_case) => {
                *room -= 2.0;
                *body = shortened(std::mem::take(body), room, first);
                if !body.iter().any(is_case) {
                    break;
                }
                first = false;
            }
            Block::Case { .. } if !first => break,
            Block::Case { .. } => first = false,
            Block::List { items, .. } => {
                let fit = items.iter().scan(*room, |left, item| {
                    *left -= wrapped(item, LINE);
                    (*left > 0.0).then_some(())
                });
                items.truncate(fit.count().max(1));
            }
            _ => {}
        }
        *room = 0.0;
        kept.push(block);
    }
    kept
}

fn is_case(block: &Block) -> bool {
    matches!(block, Block::Case { .. })
}

/// A proof with its first cases, what is left out, and the sentences at its end.
fn proof(mut body: Vec<Block>, room: &mut f64) -> Vec<Block> {
    let all = Cut::of(&body);
    let mut end = Vec::new();
    let mut before = Cut::default();
    while body.len() > 1 {
        match body.pop() {
            Some(Block::LeftOut(cut)) => before = cut,
            Some(Block::Paragraph(text)) => end.insert(0, Block::Paragraph(text)),
            other => {
                body.extend(other);
                break;
            }
        }
    }
    *room -= lines(&end);
    let mut kept = shortened(body, room, true);
    let cut = all.without(&Cut::of(&kept));
    let cut = Cut {
        cases: cut.cases + before.cases,
        sums: cut.sums + before.sums,
        items: cut.items + before.items,
    };
    if !cut.is_empty() {
        kept.push(Block::LeftOut(cut));
    }
    kept.extend(end);
    kept
}

/// Whether something is left out of these.
pub(super) fn is_cut(blocks: &[Block]) -> bool {
    blocks.iter().any(|block| match block {
        Block::LeftOut(_) => true,
        Block::Case { body, .. } => is_cut(body),
        _ => false,
    })
}

fn wrapped(text: &Text, line: f64) -> f64 {
    (text.letters() as f64 / line).ceil().max(1.0)
}

fn lines(blocks: &[Block]) -> f64 {
    blocks.iter().map(size).sum()
}

fn size(block: &Block) -> f64 {
    match block {
        Block::Section(1, _) => 3.0,
        Block::Section(..) => 2.4,
        Block::Paragraph(text) => wrapped(text, LINE) + 0.2,
        Block::LeftOut(_) => 1.2,
        Block::Display(math) => 1.8 + (math.plain.chars().count() as f64 / 60.0).ceil(),
        Block::List { items, .. } => items.iter().map(|i| wrapped(i, LINE - 6.0) + 0.4).sum(),
        Block::Statement { body, .. } => 1.0 + lines(body),
        Block::Proof(body) => 1.0 + lines(body),
        Block::Case { assumption, body, .. } => {
            let head = assumption.letters() as f64 + 10.0;
            0.3 + (head / LINE).ceil() + lines(body)
        }
        Block::Contradiction(sum) => 1.9 + 0.95 * sum.rows.len() as f64,
        Block::Table(table) => 4.0 + table_lines(table),
        Block::Figure { drawing, .. } => 4.0 + drawing.height / UNITS,
        Block::Code(code) => 1.5 + code.lines().count() as f64,
    }
}

pub(super) fn table_lines(table: &Table) -> f64 {
    let row = |row: &Vec<Text>| {
        let letters: usize = row.iter().map(Text::letters).sum();
        (letters as f64 / (0.7 * LINE)).ceil().max(1.0)
    };
    table.rows.iter().map(row).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cases(many: usize) -> Document {
        let mut document = Document::new("");
        document.section("The proof");
        let case = |i: usize| Block::Case {
            name: format!("Case {i}"),
            assumption: "Suppose something.".into(),
            body: vec![Block::Paragraph("So it is.".into())],
        };
        document.push(Block::Proof((1..=many).map(case).collect()));
        document.paragraph("The end.");
        document
    }

    #[test]
    fn short_documents_stay_as_they_are() {
        let mut document = cases(10);
        let whole = document.clone();
        assert!(document.shorten(3.0).is_empty());
        assert_eq!(document, whole);
    }

    #[test]
    fn the_first_cases_stay_and_the_rest_is_counted() {
        let mut document = cases(1000);
        let cut = document.shorten(3.0);
        let Some(Block::Proof(body)) = document.blocks.get(1) else { panic!() };
        assert_eq!(body.len() - 1 + cut.cases, 1000);
        assert_eq!(body.last(), Some(&Block::LeftOut(cut)));
        assert!(body.len() > 30, "{}", body.len());
        assert!(document.pages() < 3.2, "{}", document.pages());
        assert_eq!(document.blocks.last(), Some(&Block::Paragraph("The end.".into())));
    }

    #[test]
    fn the_end_of_a_proof_stays() {
        let mut document = cases(1000);
        if let Block::Proof(body) = &mut document.blocks[1] {
            body.push(Block::Paragraph("So it is for all.".into()));
        }
        let cut = document.shorten(3.0);
        let Block::Proof(body) = &document.blocks[1] else { panic!() };
        assert_eq!(body.last(), Some(&Block::Paragraph("So it is for all.".into())));
        assert_eq!(body[body.len() - 2], Block::LeftOut(cut));
        let latex = document.latex_body();
        let said = format!("(The remaining {} cases are in the certificate.)", cut.cases);
        assert!(latex.contains(&said) && latex.contains("\\qedsymbol"), "{latex}");
        assert!(!cases(10).latex_body().contains("\\qedsymbol"));
    }

    #[test]
    fn parts_share_the_room() {
        let mut document = cases(1000);
        document.blocks.extend(cases(5).blocks);
        document.blocks.extend(cases(1000).blocks);
        let cut = document.shorten(4.0);
        let lengths: Vec<usize> = document
            .blocks
            .iter()
            .filter_map(|b| match b {
                Block::Proof(body) => Some(body.len()),
                _ => None,
            })
            .collect();
        // What is cut says so.
        let lengths = [lengths[0] - 1, lengths[1], lengths[2] - 1];
        assert_eq!(lengths[1], 5);
        assert!(lengths[0] > 20 && lengths[0].abs_diff(lengths[2]) <= 1, "{lengths:?}");
        assert_eq!(lengths.iter().sum::<usize>() + cut.cases, 2005);
    }

    /// Cases without cases of their own, in their order.
    fn leaves(blocks: &[Block], found: &mut Vec<Block>) {
        for block in blocks {
            match block {
                Block::Case { body, .. } if body.iter().any(is_case) => leaves(body, found),
                Block::Case { .. } => found.push(block.clone()),
                Block::Proof(body) => leaves(body, found),
                _ => {}
            }
        }
    }

    #[test]
    fn cases_stay_whole() {
        // Cases within cases, each closed by several sums.
        fn case(name: String, depth: usize) -> Block {
            let sum = |i: i64| {
                let rows = vec![(i, "a-b".to_string(), false, "the case".into()); 4];
                Block::Contradiction(super::super::Contradiction { rows, sum: -1 })
            };
            let body = match depth {
                0 => vec![Block::Paragraph("Rule R1 applies.".into()), sum(1), sum(2), sum(3)],
                _ => (1..=3).map(|i| case(format!("{name}.{i}"), depth - 1)).collect(),
            };
            Block::Case { name, assumption: "Suppose something.".into(), body }
        }
        let mut whole = Document::new("");
        whole.push(Block::Proof(vec![
            Block::Paragraph("The cases.".into()),
            case("1".into(), 3),
            case("2".into(), 3),
        ]));
        let mut all = Vec::new();
        leaves(&whole.blocks, &mut all);
        assert_eq!(all.len(), 54);
        let mut lengths = std::collections::BTreeSet::new();
        for tenths in 1..250 {
            let mut document = whole.clone();
            document.shorten(f64::from(tenths) / 10.0);
            let mut kept = Vec::new();
            leaves(&document.blocks, &mut kept);
            assert!(!kept.is_empty() && kept[..] == all[..kept.len()], "{tenths}");
            lengths.insert(kept.len());
        }
        assert!(lengths.len() > 40, "{lengths:?}");
    }
}
