//! Documents as LaTeX.

use super::{Block, Contradiction, Document, Inline, Statement, Table, Text};
use crate::pens::{colours, escape_latex as escape};
use std::fmt::Write;

/// The name of the style file.
pub const STYLE_NAME: &str = "nimatron.sty";

/// The style file that articles need: packages of a small LaTeX, environments, colours, and the few macros that
/// formulas use.
pub fn style() -> String {
    let mut out = String::from(
        "\\NeedsTeXFormat{LaTeX2e}\n\
         \\ProvidesPackage{nimatron}[2026/11/16 Theorems and figures about Nim games]\n\
         \\RequirePackage{amsmath,amssymb,amsthm,array,booktabs,longtable,tikz}\n\
         % Macros of formulas.\n\
         \\providecommand{\\Ppos}{\\mathcal{P}}\n\
         \\providecommand{\\Npos}{\\mathcal{N}}\n\
         \\providecommand{\\nimsym}[1]{\\operatorname{sym}\\left(#1\\right)}\n\
         \\providecommand{\\nimspan}[1]{\\operatorname{span}\\left(#1\\right)}\n\
         \\providecommand{\\nimreduced}[1]{\\operatorname{reduced}\\left(#1\\right)}\n\
         \\providecommand{\\nimdigits}[1]{\\operatorname{digits}\\left(#1\\right)}\n\
         \\providecommand{\\nimdef}{\\mathrel{\\mathop:}=}\n\
         % Statements, unless the document has its own.\n",
    );
    for (name, word) in [("theorem", "Theorem"), ("lemma", "Lemma"), ("definition", "Definition")] {
        let counter = if name == "theorem" { String::new() } else { "[theorem]".to_string() };
        let _ = writeln!(
            out,
            "\\@ifundefined{{{name}}}{{\\newtheorem{{{name}}}{counter}{{{word}}}}}{{}}"
        );
    }
    out += "\\newenvironment{nimcase}[2]{\\par\\smallskip\\noindent\\textbf{Case #1.} #2\\par\
            \\begingroup\\leftskip=1.2em\\relax}{\\par\\endgroup}\n\
            % A document of figures may define these colours before.\n";
    out + &colours() + "\\endinput\n"
}

/// Plain mathematics as LaTeX for math mode.
pub fn math(plain: &str) -> String {
    let mut out = String::new();
    let chars: Vec<char> = plain.chars().collect();
    let mut at = 0;
    while at < chars.len() {
        let c = chars[at];
        let next = chars.get(at + 1).copied();
        let (text, used): (String, usize) = match (c, next) {
            ('>', Some('=')) => ("\\ge".into(), 2),
            ('<', Some('=')) => ("\\le".into(), 2),
            ('!', Some('=')) => ("\\ne".into(), 2),
            (':', Some('=')) => ("\\nimdef".into(), 2),
            ('*', _) => ("\\cdot ".into(), 1),
            ('{' | '}' | '%' | '#' | '&' | '_', _) => (format!("\\{c}"), 1),
            ('\\' | '^' | '~' | '$', _) => (String::new(), 1),
            // Words are upright, single letters are variables; x12 has an index.
            (c, _) if c.is_ascii_alphabetic() => {
                let end = chars[at..].iter().position(|c| !c.is_ascii_alphanumeric());
                let end = end.map_or(chars.len(), |e| at + e);
                let word: String = chars[at..end].iter().collect();
                let letters = word.chars().take_while(|c| c.is_ascii_alphabetic()).count();
                let index = &word[letters..];
                let text = match (letters, index.is_empty()) {
                    (1, true) => word.clone(),
                    (1, false) => format!("{}_{{{index}}}", &word[..1]),
                    _ if matches!(&word[..], "min" | "max") => format!("\\{word}"),
                    // Small letters one after the other are a set of stacks.
                    _ if word.chars().all(|c| c.is_ascii_lowercase())
                        && word.len() > 1
                        && !is_word(&word) =>
                    {
                        word.clone()
                    }
                    _ if is_word(&word) => format!("\\;\\text{{{word}}}\\;"),
                    _ => format!("\\mathrm{{{word}}}"),
                };
                (text, end - at)
            }
            (c, _) if c.is_ascii() => (c.to_string(), 1),
            (c, _) => (escape(&c.to_string()).replace('$', ""), 1),
        };
        out += &text;
        at += used;
    }
    out
}

fn is_word(word: &str) -> bool {
    matches!(
        word,
        "or" | "and"
            | "if"
            | "then"
            | "not"
            | "mod"
            | "xor"
            | "odd"
            | "even"
            | "sym"
            | "span"
            | "reduced"
            | "digits"
            | "total"
            | "odds"
            | "let"
            | "is"
            | "at"
            | "true"
            | "false"
    )
}

/// A line of text.
pub(super) fn line(text: &Text) -> String {
    let part = |inline: &Inline| match inline {
        Inline::Words(words) => escape(words),
        Inline::Math(math) => format!("${}$", math.latex),
        Inline::Code(code) => format!("\\texttt{{{}}}", escape(code).replace("--", "-{}-")),
        Inline::Cite(key) => format!("\\cite{{{key}}}"),
    };
    text.0.iter().map(part).collect()
}

/// A whole article.
pub(super) fn document(document: &Document) -> String {
    let mut out = String::from(
        "\\documentclass[11pt,a4paper]{article}\n\\usepackage[margin=27mm]{geometry}\n\
         \\usepackage{nimatron}\n\\allowdisplaybreaks\n\\emergencystretch=3em\n",
    );
    let _ = writeln!(out, "\\title{{{}}}\n\\author{{}}\n\\date{{}}", escape(&document.title));
    out += "\\begin{document}\n\\maketitle\n";
    if let Some(summary) = &document.summary {
        let _ = writeln!(out, "\\begin{{abstract}}\n{}\n\\end{{abstract}}", line(summary));
    }
    out += &blocks(&document.blocks);
    if !document.sources.is_empty() {
        out += "\\begin{thebibliography}{99}\n";
        for source in &document.sources {
            let _ = writeln!(out, "\\bibitem{{{}}} {}.", source.key, escape(&source.text));
        }
        out += "\\end{thebibliography}\n";
    }
    out + "\\end{document}\n"
}

/// Blocks one after the other.
pub(super) fn blocks(list: &[Block]) -> String {
    list.iter().map(block).collect::<Vec<_>>().join("\n")
}

fn block(block: &Block) -> String {
    match block {
        Block::Section(1, title) => format!("\\section{{{}}}\n", escape(title)),
        Block::Section(_, title) => format!("\\subsection*{{{}}}\n", escape(title)),
        Block::Paragraph(text) => line(text) + "\n",
        Block::Display(math) => format!("\\[ {} \\]\n", math.latex),
        Block::List { numbered, items } => {
            let name = if *numbered { "enumerate" } else { "itemize" };
            let items: String = items.iter().map(|i| format!("\\item {}\n", line(i))).collect();
            format!("\\begin{{{name}}}\n{items}\\end{{{name}}}\n")
        }
        Block::Statement { kind, note, body } => {
            let name = match kind {
                Statement::Theorem => "theorem",
                Statement::Lemma => "lemma",
                Statement::Definition => "definition",
            };
            let note = note.as_ref().map_or(String::new(), |n| format!("[{}]", escape(n)));
            format!("\\begin{{{name}}}{note}\n{}\\end{{{name}}}\n", blocks(body))
        }
        Block::Proof(body) => format!("\\begin{{proof}}\n{}\\end{{proof}}\n", blocks(body)),
        Block::Case { number, assumption, body } => {
            let assumption = line(assumption);
            format!(
                "\\begin{{nimcase}}{{{number}}}{{{assumption}}}\n{}\\end{{nimcase}}\n",
                blocks(body)
            )
        }
        Block::Contradiction(sum) => contradiction(sum),
        Block::Table(found) => table(found),
        Block::Figure { caption, name, .. } => {
            format!(
                "\\begin{{figure}}[htbp]\\centering\n\\resizebox{{\\ifdim\\width>\\linewidth \\linewidth\\else\\width\\fi}}{{!}}{{\\input{{{name}}}}}\n\\caption{{{}}}\n\\end{{figure}}\n",
                line(caption)
            )
        }
        Block::Code(code) => format!("\\begin{{verbatim}}\n{code}\n\\end{{verbatim}}\n"),
    }
}

fn contradiction(sum: &Contradiction) -> String {
    let mut out = String::from("\\begin{center}\\small\\begin{tabular}{r@{\\;$\\cdot$\\;}ll}\n");
    for (times, form, equation, why) in &sum.rows {
        let relation = if *equation { "=" } else { "\\ge" };
        let (form, why) = (math(form), escape(why));
        let _ = writeln!(out, "${times}$ & $({form} {relation} 0)$ & {why} \\\\");
    }
    let _ = writeln!(
        out,
        "\\midrule\n\\multicolumn{{2}}{{l}}{{${} \\ge 0$}} & the sum: impossible \\\\",
        sum.sum
    );
    out + "\\end{tabular}\\end{center}\n"
}

fn table(table: &Table) -> String {
    let columns = table.head.len().max(table.rows.iter().map(Vec::len).max().unwrap_or(0));
    let spec: String = (0..columns)
        .map(|c| if table.right.contains(&c) { "r".to_string() } else { "l".to_string() })
        .collect();
    // The last column of a table of sentences is broken.
    let long = table.rows.iter().flatten().map(|t| line(t).len()).max().unwrap_or(0) > 60;
    let spec = match (long, spec.len()) {
        (true, 2..) => format!("{}p{{0.55\\linewidth}}", &spec[..spec.len() - 1]),
        _ => spec,
    };
    let row = |cells: &[Text]| cells.iter().map(line).collect::<Vec<_>>().join(" & ") + " \\\\\n";
    let mut out = format!("\\begin{{longtable}}{{{spec}}}\n");
    if !table.caption.0.is_empty() {
        let _ = writeln!(out, "\\caption{{{}}}\\\\", line(&table.caption));
    }
    let _ = write!(
        out,
        "\\toprule\n{}\\midrule\n\\endhead\n\\bottomrule\n\\endfoot\n",
        row(&table.head)
    );
    out += &table.rows.iter().map(|r| row(r)).collect::<String>();
    out + "\\end{longtable}\n"
}
