//! Documents as LaTeX.

use super::length::{is_cut, table_lines};
use super::{Block, Contradiction, Document, Inline, Statement, Table, Text, left_out};
use crate::pens::{colours, escape_latex as escape};
use std::fmt::Write;

/// The name of the style file.
pub const STYLE_NAME: &str = "nimatron.sty";

/// The style file that articles and all other LaTeX output need: packages of a small LaTeX, environments, colours,
/// and the few macros that formulas use.
pub fn style() -> String {
    let mut out = String::from(
        r"\NeedsTeXFormat{LaTeX2e}
\ProvidesPackage{nimatron}[2026/11/18 Theorems and figures about Nim games]
\RequirePackage{amsmath,amssymb,amsthm,array,booktabs,float,longtable,tikz}
% Formulas and paths are broken in few places; lines may be looser for it.
\AtBeginDocument{\ifdim\emergencystretch<3em\emergencystretch=3em\fi\setlength{\LTcapwidth}{\linewidth}}
% Macros of formulas.
\providecommand{\Ppos}{\mathcal{P}}
\providecommand{\Npos}{\mathcal{N}}
% Some symmetry of the game makes it true.
\providecommand{\nimsym}[1]{\operatorname{sym}\left(#1\right)}
% Sums of these 0/1 vectors, each any number of times.
\providecommand{\nimspan}[1]{\operatorname{span}\left(#1\right)}
% True when tokens that no play can remove are taken off.
\providecommand{\nimreduced}[1]{\operatorname{reduced}\left(#1\right)}
% True for the binary digits at every place.
\providecommand{\nimdigits}[1]{\operatorname{digits}\left(#1\right)}
% True for the higher digits, and then for the lower ones.
\providecommand{\nimthen}{\mathrel{\text{then}}}
% The least and the greatest of all heights; how many are odd.
\providecommand{\nimmin}{\min(\text{all})}
\providecommand{\nimmax}{\max(\text{all})}
\providecommand{\nimodds}{\mathrm{odds}}
\providecommand{\nimdef}{\mathrel{\mathop:}=}
% Statements, unless the document has its own.
",
    );
    for (name, word) in [("theorem", "Theorem"), ("lemma", "Lemma"), ("definition", "Definition")] {
        let counter = if name == "theorem" { String::new() } else { "[theorem]".to_string() };
        let _ = writeln!(
            out,
            "\\@ifundefined{{{name}}}{{\\newtheorem{{{name}}}{counter}{{{word}}}}}{{}}"
        );
    }
    out += r"\newenvironment{nimcase}[2]{\par\smallskip\noindent
  {\interlinepenalty=10000\textbf{#1.} #2\par}
  \begingroup\advance\leftskip by 1em\parindent=0pt\@beginparpenalty=10000\relax}{\par\endgroup}
% A sum stands where its case stands, and farther to the left only if it is too wide.
\newsavebox{\nimrows}
\newenvironment{nimsum}{\par\begin{lrbox}{\nimrows}\small}{\end{lrbox}\addvspace{\smallskipamount}\noindent
  \dimen0=\linewidth\advance\dimen0 by -\leftskip\advance\dimen0 by -\wd\nimrows
  \ifdim\dimen0<0pt\hskip\dimen0\fi\usebox{\nimrows}\par\addvspace{\smallskipamount}}
% So much room is left on the page, or a new one begins.
\newcommand{\nimroom}[1]{\par\vskip 0pt plus #1\penalty-100\vskip 0pt plus -#1\relax}
% What follows stays with the lines before it.
\newcommand{\nimwith}{\@beginparpenalty=10000\relax}
% A figure from a file, as wide as the line and four fifths of the page high at the most.
\newsavebox{\nimbox}
\newcommand{\nimfigure}[1]{\sbox{\nimbox}{\input{#1}}%
  \ifdim\wd\nimbox>\linewidth\sbox{\nimbox}{\resizebox{\linewidth}{!}{\usebox{\nimbox}}}\fi
  \ifdim\ht\nimbox>.8\textheight\sbox{\nimbox}{\resizebox{!}{.8\textheight}{\usebox{\nimbox}}}\fi
  \usebox{\nimbox}}
% A document of figures may define these colours before.
";
    out + &colours() + "\\endinput\n"
}

/// The name of a publication in a bibliography: that of its BibTeX entry.
pub fn cite_key(key: &str) -> String {
    key.chars().filter(char::is_ascii_alphanumeric).collect()
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
                if let Some((text, used)) = rounded(&word, &chars[end..]) {
                    out += &text;
                    at = end + used;
                    continue;
                }
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

/// `ceil(...)` and `floor(...)` with the signs for them, and how many letters after the word they take.
fn rounded(word: &str, rest: &[char]) -> Option<(String, usize)> {
    let (left, right) = match word {
        "ceil" => ("\\lceil ", "\\rceil "),
        "floor" => ("\\lfloor ", "\\rfloor "),
        _ => return None,
    };
    if rest.first() != Some(&'(') {
        return None;
    }
    let mut depth = 0;
    let end = rest.iter().position(|c| {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        depth == 0
    })?;
    let inside: String = rest[1..end].iter().collect();
    Some((format!("{left}{}{right}", math(&inside)), end + 1))
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
        Inline::Math(math) if is_long_row(&math.plain) || is_long_choice(&math.plain) => {
            format!("${}$", math.latex.replace(',', ",\\allowbreak "))
        }
        Inline::Math(math) => format!("${}$", math.latex),
        Inline::Code(code) => {
            // Typewriter fonts have braces of their own, and no signs for two hyphens.
            let code = escape(code).replace("\\{", "\\symbol{123}").replace("\\}", "\\symbol{125}");
            let code = code.replace("--", "-{}-").replace('/', "/\\allowbreak{}");
            format!("\\texttt{{{code}}}")
        }
        Inline::Cite(key, place) => {
            let place = place.as_ref().map(|p| format!("[{}]", escape(p).replace(' ', "~")));
            format!("\\cite{}{{{}}}", place.unwrap_or_default(), cite_key(key))
        }
        Inline::Figure(name) => format!("Figure~\\ref{{nim:{name}}}"),
        Inline::Table(name) => format!("Table~\\ref{{nim:{name}}}"),
        Inline::Name(name) => format!("\\label{{nim:{name}}}"),
    };
    text.0.iter().map(part).collect()
}

/// Whether this is a row of numbers or stacks that may be too long for a line.
fn is_long_row(plain: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || ",+ ".contains(c);
    let inside = plain.strip_prefix('(').and_then(|p| p.strip_suffix(')'));
    plain.len() > 30 && inside.is_some_and(|p| p.chars().all(fits))
}

/// Whether this has a least or greatest of several things, and may be too long for a column.
fn is_long_choice(plain: &str) -> bool {
    plain.len() > 16 && ["max(", "min("].iter().any(|word| plain.contains(word))
}

/// Whether this is little but a list of formulas: lines that are filled with them have wide gaps.
fn is_list(text: &Text) -> bool {
    let (mut formulas, mut words) = (0, 0);
    for inline in &text.0 {
        match inline {
            Inline::Math(_) => formulas += 1,
            Inline::Words(said) if said.trim() != "," => words += 1,
            _ => {}
        }
    }
    formulas >= 8 && formulas > 3 * words
}

/// A whole article.
pub(super) fn document(document: &Document) -> String {
    let mut out = String::from(
        "\\documentclass[11pt,a4paper]{article}\n\\usepackage[margin=27mm]{geometry}\n\
         \\usepackage{nimatron}\n\\allowdisplaybreaks\n\\emergencystretch=7em\n\
         \\relpenalty=9999\n\\binoppenalty=9999\n",
    );
    let _ = writeln!(out, "\\title{{{}}}\n\\author{{}}\n\\date{{}}", escape(&document.title));
    // Without authors and a date there is no room for them.
    out += "\\makeatletter\n\\def\\@maketitle{\\begin{center}{\\LARGE\\@title\\par}\\end{center}\\par\\vskip 1ex}\n\
            \\makeatother\n";
    out += "\\begin{document}\n\\maketitle\n";
    if let Some(summary) = &document.summary {
        let _ = writeln!(out, "\\begin{{abstract}}\n{}\n\\end{{abstract}}", line(summary));
    }
    out += &blocks(&document.blocks);
    if !document.sources.is_empty() {
        out += "\\begin{thebibliography}{99}\n";
        for source in &document.sources {
            let _ =
                writeln!(out, "\\bibitem{{{}}} {}.", cite_key(&source.key), escape(&source.text));
        }
        out += "\\end{thebibliography}\n";
    }
    out + "\\end{document}\n"
}

/// Blocks one after the other.
pub(super) fn blocks(list: &[Block]) -> String {
    let one = |(at, this): (usize, &Block)| match (this, at.checked_sub(1).map(|b| &list[b])) {
        // A heading does not stand at the foot of a page with a statement alone.
        (Block::Section(..), _) if matches!(list.get(at + 1), Some(Block::Statement { .. })) => {
            format!("\\nimroom{{10\\baselineskip}}\n{}", block(this))
        }
        (Block::Code(_), Some(Block::Paragraph(_))) => {
            format!("{{\\nimwith\n{}}}\n", block(this))
        }
        _ => block(this),
    };
    list.iter().enumerate().map(one).collect::<Vec<_>>().join("\n")
}

fn block(block: &Block) -> String {
    match block {
        Block::Section(1, title) => format!("\\section{{{}}}\n", escape(title)),
        Block::Section(_, title) => format!("\\subsection*{{{}}}\n", escape(title)),
        Block::Paragraph(text) if is_list(text) => {
            format!("{{\\raggedright {}\\par}}\n", line(text))
        }
        Block::Paragraph(text) => line(text) + "\n",
        Block::Display(math) => format!("\\[ {} \\]\n", math.latex),
        Block::List { numbered, items } => {
            let (name, mark) = match numbered {
                true => ("enumerate", ""),
                // The usual bullet is in a font that few have but as dots.
                false => ("itemize", "[$\\bullet$]"),
            };
            let item = |i: &Text| format!("\\item{mark} {}\n", line(i));
            let items: String = items.iter().map(item).collect();
            format!("\\begin{{{name}}}\n{items}\\end{{{name}}}\n")
        }
        Block::Statement { kind, note, body } => {
            let name = match kind {
                Statement::Theorem => "theorem",
                Statement::Lemma => "lemma",
                Statement::Definition => "definition",
            };
            let note = note.as_ref().map_or(String::new(), |n| format!("[{{{}}}]", line(n)));
            format!("\\begin{{{name}}}{note}\n{}\\end{{{name}}}\n", blocks(body))
        }
        Block::Proof(body) => {
            // What is not printed whole is not at its end there.
            let open = if is_cut(body) { "\\renewcommand{\\qedsymbol}{}" } else { "" };
            format!("\\begin{{proof}}{open}\n{}\\end{{proof}}\n", blocks(body))
        }
        Block::LeftOut(cut) => format!("\\medskip\\noindent {}\n", left_out(cut)),
        Block::Case { name, assumption, body } => {
            let assumption = line(assumption);
            // What a case says stays with its heading.
            let with = if body.is_empty() { "" } else { "\\nopagebreak\n" };
            format!(
                "\\begin{{nimcase}}{{{name}}}{{{assumption}}}\n{with}{}\\end{{nimcase}}\n",
                blocks(body)
            )
        }
        Block::Contradiction(sum) => contradiction(sum),
        Block::Table(found) => table(found),
        Block::Figure { caption, name, .. } => {
            format!(
                "\\begin{{figure}}[!htb]\\centering\n\\nimfigure{{{name}}}\n\\caption{{{}}}\\label{{nim:{name}}}\n\\end{{figure}}\n",
                line(caption)
            )
        }
        Block::Code(code) => format!("\\begin{{verbatim}}\n{code}\n\\end{{verbatim}}\n"),
    }
}

fn contradiction(sum: &Contradiction) -> String {
    let mut out = String::from("\\begin{nimsum}\\begin{tabular}{@{}r@{\\;$\\cdot$\\;}ll}\n");
    for (times, form, equation, why) in &sum.rows {
        let relation = if *equation { "=" } else { "\\ge" };
        let (form, why) = (math(form), line(why));
        let _ = writeln!(out, "${times}$ & $({form} {relation} 0)$ & {why} \\\\");
    }
    let _ = writeln!(
        out,
        "\\midrule\n\\multicolumn{{2}}{{l}}{{${} \\ge 0$}} & the sum: impossible \\\\",
        sum.sum
    );
    out + "\\end{tabular}\\end{nimsum}\n"
}

/// The letters of a line of a table, about.
const LETTERS: usize = 88;
/// Tables with more lines may be broken between pages.
const LONG: f64 = 12.0;

/// The columns of a table: as wide as their text, or, where that does not fit, broken into lines.
fn columns(table: &Table) -> String {
    let count = table.head.len().max(table.rows.iter().map(Vec::len).max().unwrap_or(0));
    let width = |c: usize| {
        let cells = std::iter::once(&table.head).chain(&table.rows);
        cells.filter_map(|r| r.get(c)).map(Text::letters).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..count).map(width).collect();
    let plain = |c: usize| if table.right.contains(&c) { "r" } else { "l" };
    if widths.iter().sum::<usize>() + 3 * count <= LETTERS {
        return (0..count).map(plain).collect();
    }
    let is_wide = |w: usize| w > 20;
    let narrow: usize = widths.iter().filter(|w| !is_wide(**w)).sum();
    let left = (LETTERS - 4).saturating_sub(narrow + 3 * count).max(20) as f64 / LETTERS as f64;
    // Few cells are as wide as the widest: what most of them need counts as well.
    let usual = |c: usize| {
        let mut all: Vec<usize> =
            table.rows.iter().filter_map(|r| r.get(c)).map(Text::letters).collect();
        all.sort_unstable();
        all.get(all.len() * 9 / 10).copied().unwrap_or(0)
    };
    let weight = |c: usize| (usual(c).max(12) + widths[c].min(140)) as f64;
    let all: f64 = (0..count).filter(|&c| is_wide(widths[c])).map(weight).sum();
    let column = |(c, &w): (usize, &usize)| match is_wide(w) {
        true => {
            let share = left * weight(c) / all.max(1.0);
            format!(">{{\\raggedright\\arraybackslash}}p{{{share:.3}\\linewidth}}")
        }
        false => plain(c).to_string(),
    };
    widths.iter().enumerate().map(column).collect()
}

fn table_row(cells: &[Text]) -> String {
    cells.iter().map(line).collect::<Vec<_>>().join(" & ") + " \\\\\n"
}

fn caption(table: &Table) -> String {
    format!("\\caption{{{}}}", line(&table.caption))
}

/// What stands before and after the rows of a table that may go on over many pages. Each row ends with `\\\\`, its
/// cells are separated by `&`.
pub fn table_frame(table: &Table) -> (String, String) {
    let mut out = format!("\\begin{{longtable}}{{{}}}\n", columns(table));
    let has_caption = !table.caption.0.is_empty();
    let head = format!("\\toprule\n{}\\midrule\n", table_row(&table.head));
    if has_caption {
        let _ = write!(out, "{}\\\\\n{head}\\endfirsthead\n", caption(table));
    }
    // A table that goes on says so by a rule and some room.
    let foot = "\\bottomrule\\noalign{\\vskip 12pt}\n\\endfoot\n\\bottomrule\n\\endlastfoot\n";
    let _ = write!(out, "{head}\\endhead\n{foot}");
    // Without a caption there is no number either.
    let uncounted = if has_caption { "" } else { "\\addtocounter{table}{-1}\n" };
    (out, format!("\\end{{longtable}}\n{uncounted}"))
}

fn table(table: &Table) -> String {
    let spec = columns(table);
    // Where cells have several lines, some room says where a row ends.
    let between = if spec.contains("p{") { "\\addlinespace\n" } else { "" };
    let rows: Vec<String> = table.rows.iter().map(|r| table_row(r)).collect();
    let rows = rows.join(between);
    if table_lines(table) <= LONG {
        let head = table_row(&table.head);
        let inner = format!(
            "\\begin{{tabular}}{{{spec}}}\n\\toprule\n{head}\\midrule\n{rows}\\bottomrule\n\\end{{tabular}}"
        );
        return match table.caption.0.is_empty() {
            true => format!("\\begin{{center}}\n{inner}\n\\end{{center}}\n"),
            false => {
                let caption = caption(table);
                format!(
                    "\\begin{{table}}[!htb]\\centering\n{caption}\n\\smallskip\n{inner}\n\\end{{table}}\n"
                )
            }
        };
    }
    let (before, after) = table_frame(table);
    before + &rows + &after
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_mathematics() {
        let cases = [
            ("a+b >= 2c", "a+b \\ge 2c"),
            ("b' = max(0, ceil((e+f)/2))", "b' = \\max(0, \\lceil (e+f)/2\\rceil )"),
            ("T1 >= x12", "T_{1} \\ge x_{12}"),
            ("abc", "abc"),
            ("{1,2}", "\\{1,2\\}"),
        ];
        for (plain, latex) in cases {
            assert_eq!(math(plain), latex);
        }
    }

    #[test]
    fn wide_columns_are_broken() {
        let long = "a, ".repeat(60);
        let row = vec!["R1".into(), long.as_str().into(), long.as_str().into()];
        let wide = Table { head: vec!["".into(); 3], rows: vec![row], ..Table::default() };
        assert_eq!(columns(&wide).matches("\\linewidth").count(), 2);
        let narrow = Table { head: vec!["".into(); 3], ..Table::default() };
        assert_eq!(columns(&narrow), "lll");
        let numbers = Table { right: vec![1], ..narrow };
        assert_eq!(columns(&numbers), "lrl");
    }

    #[test]
    fn long_choices_are_broken_after_commas() {
        let text = Text::default().math("c' = max(0, ceil((b+2c+d+e)/2))").math("max(a,b)");
        let latex = line(&text);
        assert_eq!(latex.matches("\\allowbreak").count(), 1, "{latex}");
    }

    #[test]
    fn what_belongs_together_stays_together() {
        let mut document = Document::new("");
        document.subsection("A part");
        document.push(Block::Statement { kind: Statement::Lemma, note: None, body: Vec::new() });
        document.paragraph("Type this:");
        document.push(Block::Code("nimatron".into()));
        let latex = document.latex_body();
        assert!(latex.contains("\\nimroom{10\\baselineskip}\n\\subsection*"), "{latex}");
        assert!(latex.contains("{\\nimwith\n\\begin{verbatim}"), "{latex}");
    }

    #[test]
    fn what_is_typed_stays_as_it_is() {
        let text = Text::default().code("paper \"Slow(4,{1})\" --out");
        let latex = "\\texttt{paper \"Slow(4,\\symbol{123}1\\symbol{125})\" -{}-out}";
        assert_eq!(line(&text), latex);
    }

    #[test]
    fn citations_have_the_names_of_bibtex_entries() {
        let text = Text::of("See ")
            .cite("Bouton 1901", None)
            .say(" and ")
            .cite("DH13", Some("Theorem 3.1"));
        assert_eq!(line(&text), "See \\cite{Bouton1901} and \\cite[Theorem~3.1]{DH13}");
    }
}
