//! Documents as text for a terminal.

use super::{Block, Counter, Document, Inline, Table, Text, left_out};

/// A line as plain text.
pub(super) fn line(text: &Text, counter: &Counter) -> String {
    let part = |inline: &Inline| match inline {
        Inline::Words(words) => words.clone(),
        Inline::Math(math) => math.plain.clone(),
        Inline::Code(code) => format!("`{code}`"),
        Inline::Cite(key, None) => format!("[{key}]"),
        Inline::Cite(key, Some(place)) => format!("[{key}, {place}]"),
        Inline::Figure(name) => counter.figure(name),
        Inline::Table(name) => counter.table(name),
        Inline::Name(_) => String::new(),
    };
    text.0.iter().map(part).collect()
}

/// Text in lines of a width, each after an indent.
fn wrap(text: &str, width: usize, indent: usize) -> String {
    let room = width.saturating_sub(indent).max(20);
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(l) if l.chars().count() + 1 + word.chars().count() <= room => {
                l.push(' ');
                l.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    let pad = " ".repeat(indent);
    lines.iter().map(|l| format!("{pad}{l}\n")).collect()
}

pub(super) fn document(document: &Document, width: usize) -> String {
    let mut counter = Counter::of(document);
    let mut out = wrap(&document.title, width, 0);
    if let Some(summary) = &document.summary {
        out += &format!("\n{}", wrap(&line(summary, &counter), width, 2));
    }
    out += &blocks(&document.blocks, width, 0, &mut counter);
    if !document.sources.is_empty() {
        out += "\nSources\n";
        for source in &document.sources {
            out += &wrap(&format!("[{}] {}", source.key, source.text), width, 2);
        }
    }
    out
}

fn blocks(list: &[Block], width: usize, indent: usize, counter: &mut Counter) -> String {
    list.iter().map(|b| block(b, width, indent, counter)).collect()
}

fn block(block: &Block, width: usize, indent: usize, counter: &mut Counter) -> String {
    match block {
        Block::Section(1, title) => format!("\n{}\n", title.to_uppercase()),
        Block::Section(_, title) => format!("\n{title}\n"),
        Block::Paragraph(text) => format!("\n{}", wrap(&line(text, counter), width, indent)),
        Block::Display(math) => format!("\n{}", wrap(&math.plain, width, indent + 4)),
        Block::List { numbered, items } => {
            let mut out = String::from("\n");
            for (i, item) in items.iter().enumerate() {
                let mark = if *numbered { format!("({})", i + 1) } else { "-".into() };
                out += &wrap(&format!("{mark} {}", line(item, counter)), width, indent + 2);
            }
            out
        }
        Block::Statement { kind, note, body } => {
            let name = counter.statement(*kind);
            let note = note.as_ref().map_or(String::new(), |n| format!(" ({})", line(n, counter)));
            format!("\n{name}{note}.\n{}", blocks(body, width, indent + 2, counter))
        }
        Block::LeftOut(cut) => format!("\n{}", wrap(&left_out(cut), width, indent)),
        Block::Proof(body) => format!("\nProof.\n{}", blocks(body, width, indent + 2, counter)),
        Block::Case { name, assumption, body } => {
            let head = wrap(&format!("{name}. {}", line(assumption, counter)), width, indent);
            format!("\n{head}{}", blocks(body, width, indent + 2, counter))
        }
        Block::Contradiction(sum) => {
            let mut out = String::from("\n");
            let pad = " ".repeat(indent + 2);
            for (times, form, equation, why) in &sum.rows {
                let relation = if *equation { "=" } else { ">=" };
                let why = line(why, counter);
                out += &format!("{pad}{times} * ({form} {relation} 0)  {why}\n");
            }
            out + &format!("{pad}sum: {} >= 0, impossible\n", sum.sum)
        }
        Block::Table(found) => format!("\n{}", table(found, indent, counter)),
        Block::Figure { caption, name, .. } => {
            counter.figures += 1;
            let text = format!("[Figure {}, {name}: {}]", counter.figures, line(caption, counter));
            format!("\n{}", wrap(&text, width, indent))
        }
        Block::Code(code) => {
            let pad = " ".repeat(indent + 2);
            format!("\n{}", code.lines().map(|l| format!("{pad}{l}\n")).collect::<String>())
        }
    }
}

fn table(table: &Table, indent: usize, counter: &Counter) -> String {
    let rows: Vec<Vec<String>> = std::iter::once(&table.head)
        .chain(&table.rows)
        .map(|row| row.iter().map(|t| line(t, counter)).collect())
        .collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |c: usize| {
        rows.iter().filter_map(|r| r.get(c)).map(|t| t.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let pad = " ".repeat(indent + 2);
    let mut out = String::new();
    for row in &rows {
        let mut text = pad.clone();
        for (c, cell) in row.iter().enumerate() {
            let fill = " ".repeat(widths[c] - cell.chars().count());
            text += &match table.right.contains(&c) {
                true => format!("{fill}{cell}  "),
                false => format!("{cell}{fill}  "),
            };
        }
        out += text.trim_end();
        out.push('\n');
    }
    out
}
