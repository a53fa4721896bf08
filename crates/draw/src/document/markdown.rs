//! Documents as Markdown.

use super::{Block, Counter, Document, Inline, Table, Text, left_out, text};

fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if matches!(c, '*' | '_' | '`' | '<' | '>' | '|' | '[' | ']' | '\\' | '#') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

fn line(text: &Text, counter: &Counter) -> String {
    let part = |inline: &Inline| match inline {
        Inline::Words(words) => escape(words),
        Inline::Math(math) => format!("`{}`", math.plain.replace('`', "'")),
        Inline::Code(code) => format!("`{}`", code.replace('`', "'")),
        Inline::Cite(key, None) => format!("[{key}]"),
        Inline::Cite(key, Some(place)) => format!("[{key}, {place}]"),
        Inline::Figure(name) => counter.figure(name),
        Inline::Table(name) => counter.table(name),
        Inline::Name(_) => String::new(),
    };
    text.0.iter().map(part).collect()
}

pub(super) fn document(document: &Document) -> String {
    let mut counter = Counter::of(document);
    let mut out = format!("# {}\n", escape(&document.title));
    if let Some(summary) = &document.summary {
        out += &format!("\n{}\n", line(summary, &counter));
    }
    out += &blocks(&document.blocks, &mut counter);
    if !document.sources.is_empty() {
        out += "\n## Sources\n\n";
        for source in &document.sources {
            out += &format!("- [{}] {}\n", source.key, escape(&source.text));
        }
    }
    out
}

fn blocks(list: &[Block], counter: &mut Counter) -> String {
    list.iter().map(|b| block(b, counter)).collect()
}

fn block(block: &Block, counter: &mut Counter) -> String {
    match block {
        Block::Section(level, title) => {
            format!("\n{} {}\n", "#".repeat(usize::from(*level) + 1), escape(title))
        }
        Block::Paragraph(text) => format!("\n{}\n", line(text, counter)),
        Block::Display(math) => format!("\n    {}\n", math.plain),
        Block::List { numbered, items } => {
            let mut out = String::from("\n");
            for (i, item) in items.iter().enumerate() {
                let mark = if *numbered { format!("{}.", i + 1) } else { "-".into() };
                out += &format!("{mark} {}\n", line(item, counter));
            }
            out
        }
        Block::Statement { kind, note, body } => {
            let name = counter.statement(*kind);
            let note = note.as_ref().map_or(String::new(), |n| format!(" ({})", line(n, counter)));
            format!("\n**{name}**{note}.\n{}", blocks(body, counter))
        }
        Block::LeftOut(cut) => format!("\n{}\n", left_out(cut)),
        Block::Proof(body) => format!("\n*Proof.*\n{}", blocks(body, counter)),
        Block::Case { name, assumption, body } => {
            format!("\n**{name}.** {}\n{}", line(assumption, counter), blocks(body, counter))
        }
        Block::Contradiction(sum) => {
            let mut out = String::from("\n");
            for (times, form, equation, why) in &sum.rows {
                let relation = if *equation { "=" } else { ">=" };
                let why = text::line(why, counter);
                out += &format!("    {times} * ({form} {relation} 0)  {why}\n");
            }
            out + &format!("    sum: {} >= 0, impossible\n", sum.sum)
        }
        Block::Table(found) => table(found, counter),
        Block::Figure { caption, name, .. } => {
            counter.figures += 1;
            let caption = line(caption, counter);
            format!("\n![{caption}]({name}.svg)\n\n*Figure {}. {caption}*\n", counter.figures)
        }
        Block::Code(code) => format!("\n```\n{code}\n```\n"),
    }
}

fn table(table: &Table, counter: &mut Counter) -> String {
    let rule: Vec<&str> = (0..table.head.len())
        .map(|c| if table.right.contains(&c) { "---:" } else { "---" })
        .collect();
    let mut out = String::from("\n");
    if !table.caption.0.is_empty() {
        counter.tables += 1;
        out += &format!("*Table {}. {}*\n\n", counter.tables, line(&table.caption, counter));
    }
    let row = |cells: &[Text]| {
        let cells: Vec<String> = cells.iter().map(|t| line(t, counter)).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    out += &row(&table.head);
    out += &format!("| {} |\n", rule.join(" | "));
    out + &table.rows.iter().map(|r| row(r)).collect::<String>()
}
