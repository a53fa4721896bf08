//! Documents as one HTML page.

use super::{Block, Counter, Document, Inline, Table, Text, left_out};
use crate::pens::{escape, svg};
use crate::theme::Theme;

const STYLE: &str = "body{font:17px/1.5 'Source Serif 4',Charter,Georgia,serif;max-width:44em;margin:2em auto;\
    padding:0 1em;color:#221d16;background:#fffdf8}code,pre{font-family:'Source Code Pro',monospace;font-size:.85em}\
    .m{font-style:italic;font-family:inherit;font-size:1em}table{border-collapse:collapse;margin:1em 0;border-top:1.5px solid;\
    border-bottom:1.5px solid}th{border-bottom:1px solid;text-align:left}td,th{padding:.15em .7em}.r{text-align:right}\
    .s{margin:1em 0;padding-left:1em;border-left:2px solid #d8cfbd}.c{margin-left:1.2em}figure{margin:1.5em 0;text-align:center}\
    figure svg{max-width:100%;height:auto}figcaption{color:#5f5748}\
    @media(prefers-color-scheme:dark){body{color:#f3ecdd;background:#13110d}figcaption{color:#b8ad99}.s{border-color:#39332a}}";

fn line(text: &Text, counter: &Counter) -> String {
    let part = |inline: &Inline| match inline {
        Inline::Words(words) => escape(words),
        Inline::Math(math) => format!("<span class=\"m\">{}</span>", escape(&math.plain)),
        Inline::Code(code) => format!("<code>{}</code>", escape(code)),
        Inline::Cite(key, place) => {
            let place = place.as_ref().map_or(String::new(), |p| format!(", {}", escape(p)));
            format!("[<a href=\"#{0}\">{0}</a>{place}]", escape(key))
        }
        Inline::Figure(name) => counter.figure(name),
        Inline::Table(name) => counter.table(name),
        Inline::Name(_) => String::new(),
    };
    text.0.iter().map(part).collect()
}

pub(super) fn document(document: &Document) -> String {
    let mut counter = Counter::of(document);
    let title = escape(&document.title);
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width\">\n<title>{title}</title>\n<style>{STYLE}</style>\n<h1>{title}</h1>\n"
    );
    if let Some(summary) = &document.summary {
        out += &format!("<p><em>{}</em></p>\n", line(summary, &counter));
    }
    out += &blocks(&document.blocks, &mut counter);
    if !document.sources.is_empty() {
        out += "<h2>Sources</h2>\n<ul>\n";
        for source in &document.sources {
            let key = escape(&source.key);
            out += &format!("<li id=\"{key}\">[{key}] {}</li>\n", escape(&source.text));
        }
        out += "</ul>\n";
    }
    out + "</html>\n"
}

fn blocks(list: &[Block], counter: &mut Counter) -> String {
    list.iter().map(|b| block(b, counter)).collect()
}

fn block(block: &Block, counter: &mut Counter) -> String {
    match block {
        Block::Section(level, title) => {
            let level = level + 1;
            format!("<h{level}>{}</h{level}>\n", escape(title))
        }
        Block::Paragraph(text) => format!("<p>{}</p>\n", line(text, counter)),
        Block::Display(math) => format!("<p class=\"c m\">{}</p>\n", escape(&math.plain)),
        Block::List { numbered, items } => {
            let name = if *numbered { "ol" } else { "ul" };
            let items: String =
                items.iter().map(|i| format!("<li>{}</li>\n", line(i, counter))).collect();
            format!("<{name}>\n{items}</{name}>\n")
        }
        Block::Statement { kind, note, body } => {
            let name = counter.statement(*kind);
            let note = note.as_ref().map_or(String::new(), |n| format!(" ({})", line(n, counter)));
            format!(
                "<div class=\"s\"><strong>{name}</strong>{note}.\n{}</div>\n",
                blocks(body, counter)
            )
        }
        Block::LeftOut(cut) => format!("<p>{}</p>\n", left_out(cut)),
        Block::Proof(body) => {
            format!("<div class=\"s\"><em>Proof.</em>\n{}</div>\n", blocks(body, counter))
        }
        Block::Case { name, assumption, body } => format!(
            "<p><strong>{name}.</strong> {}</p>\n<div class=\"c\">{}</div>\n",
            line(assumption, counter),
            blocks(body, counter)
        ),
        Block::Contradiction(sum) => {
            let row = |(times, form, equation, why): &(i64, String, bool, Text)| {
                let relation = if *equation { "=" } else { "\u{2265}" };
                let (form, why) = (escape(form), line(why, counter));
                format!(
                    "<tr><td class=\"r\">{times} \u{b7}</td><td class=\"m\">({form} {relation} 0)</td><td>{why}</td></tr>\n"
                )
            };
            let rows: String = sum.rows.iter().map(row).collect();
            let end = sum.sum;
            format!(
                "<table>\n{rows}<tr><td></td><td>{end} \u{2265} 0</td><td>the sum: impossible</td></tr>\n</table>\n"
            )
        }
        Block::Table(found) => table(found, counter),
        Block::Figure { drawing, caption, .. } => {
            counter.figures += 1;
            let (svg, caption) = (svg(drawing, Theme::Auto), line(caption, counter));
            format!(
                "<figure>\n{svg}<figcaption>Figure {}. {caption}</figcaption></figure>\n",
                counter.figures
            )
        }
        Block::Code(code) => format!("<pre>{}</pre>\n", escape(code)),
    }
}

fn table(table: &Table, counter: &mut Counter) -> String {
    let mut out = String::from("<table>\n");
    if !table.caption.0.is_empty() {
        counter.tables += 1;
        let caption = line(&table.caption, counter);
        out += &format!("<caption>Table {}. {caption}</caption>\n", counter.tables);
    }
    let counter = &*counter;
    let class = |c: usize| if table.right.contains(&c) { " class=\"r\"" } else { "" };
    let row = |name: &str, cells: &[Text]| {
        let cells = cells
            .iter()
            .enumerate()
            .map(|(c, t)| format!("<{name}{}>{}</{name}>", class(c), line(t, counter)));
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    };
    out += &row("th", &table.head);
    out += &table.rows.iter().map(|r| row("td", r)).collect::<String>();
    out + "</table>\n"
}
