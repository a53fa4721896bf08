//! What a formula says about the P-positions, for papers: up to symmetry in words, alternatives by cases, and what
//! the less usual signs mean.

use super::prose::game_math;
use crate::render::words::Names;
use nimatron_draw::document::{Block, Math, Text};
use nimatron_formula::{Formula, Relation, Term};
use nimatron_game::{Game, StackSet};

/// Letters of a line on which a formula stands by itself.
const LINE: usize = 66;
/// Alternatives that stand beside a brace; more of them, or longer ones, are a list.
const CASES: usize = 9;

/// A theorem: which positions of a game are its P-positions.
pub(crate) fn statement(game: &Game, formula: &Formula) -> Vec<Block> {
    let head = Text::of("A position of ")
        .formula(game_math(&game.to_string()))
        .say(" is a P-position if and only if ");
    said(game, formula, head)
}

/// The same for what holds where somebody says so, after `head`.
pub(crate) fn said(game: &Game, formula: &Formula, head: Text) -> Vec<Block> {
    let n = game.stacks();
    let (symmetric, inner) = match formula {
        Formula::Sym(inner) => (true, &**inner),
        other => (false, other),
    };
    let up_to = if symmetric { ", up to a symmetry of the game," } else { "" };
    let mut blocks = match (inner, spans(inner)) {
        (_, Some(spans)) => sums(&spans, n, head.say(format!("it is{up_to} a sum of "))),
        (Formula::Or(items), _) if items.is_empty() => {
            vec![Block::Paragraph(head.say("it is none at all: there is no such position."))]
        }
        _ => {
            let row = format!("({})", Names::of(n).row());
            let head = match symmetric {
                true => head.say("it can be written, after a symmetry of the game, as "),
                false => head.say("it is of the form "),
            };
            conditions(&inner.spelled_out(n), head.math(&row))
        }
    };
    blocks.extend(words(formula).map(Block::Paragraph));
    blocks
}

/// A formula as it stands in a line.
#[cfg(feature = "prove")]
pub(crate) fn inline(formula: &Formula, n: usize) -> Math {
    math(&formula.spelled_out(n))
}

fn math(formula: &Formula) -> Math {
    Math { latex: formula.to_latex(), plain: formula.to_string() }
}

/// The generators of each alternative, where the formula is made of spans alone.
fn spans(formula: &Formula) -> Option<Vec<&[StackSet]>> {
    match formula {
        Formula::Span(generators) => Some(vec![generators]),
        Formula::Or(items) if !items.is_empty() => {
            let all: Option<Vec<_>> = items.iter().map(spans).collect();
            Some(all?.concat())
        }
        _ => None,
    }
}

fn sums(spans: &[&[StackSet]], n: usize, head: Text) -> Vec<Block> {
    let names = Names::of(n);
    let vectors = |sets: &[StackSet]| sets.iter().map(|&s| names.set(s)).collect::<Vec<_>>();
    let often = ", each taken any number of times; a vector is written as the set of its ones";
    match spans {
        [one] => vec![Block::Paragraph(
            head.say("the 0/1 vectors ").maths(&vectors(one)).say(format!("{often}.")),
        )],
        many => vec![
            Block::Paragraph(head.say(format!("0/1 vectors of one of these lists{often}:"))),
            Block::List {
                numbered: true,
                items: many.iter().map(|s| Text::default().maths(&vectors(s)).say(".")).collect(),
            },
        ],
    }
}

/// Conditions one by one, and the names that stand for terms in them.
type Peeled = (Vec<Formula>, Vec<(String, Term)>);

/// A formula without the definitions around its last condition: they are told after it.
fn peeled(formula: &Formula) -> Peeled {
    let (mut items, mut names): Peeled = Default::default();
    let mut rest = Formula::and([formula.clone()]);
    loop {
        let mut own = match rest {
            Formula::And(own) => own,
            other => vec![other],
        };
        match own.pop() {
            // A name that is given twice means something else each time.
            Some(Formula::Let(name, value, body)) if names.iter().all(|(n, _)| *n != name) => {
                items.append(&mut own);
                names.push((name, value));
                rest = *body;
            }
            last => {
                items.append(&mut own);
                items.extend(last);
                return (items, names);
            }
        }
    }
}

/// What names stand for: `v = b-d, w = c-a`.
fn meaning(names: &[(String, Term)]) -> Text {
    let mut out = Text::default();
    for (i, (name, value)) in names.iter().enumerate() {
        out = if i > 0 { out.say(", ") } else { out };
        let name = Term::Name(name.clone());
        out = out.formula(math(&Formula::Compare(name, Relation::Equal, value.clone())));
    }
    out
}

/// What must hold, after `head`: on a line of its own, by cases, or as a list.
fn conditions(formula: &Formula, head: Text) -> Vec<Block> {
    let (items, names) = peeled(formula);
    let is_alternative = |i: &&Formula| matches!(i, Formula::Or(o) if o.len() > 1);
    let alternatives: Vec<&Formula> = items.iter().filter(is_alternative).collect();
    let rest: Vec<Formula> = items.iter().filter(|i| !is_alternative(i)).cloned().collect();
    if let [Formula::Or(cases)] = alternatives[..] {
        let mut head = match rest.is_empty() {
            true => head.say(" with one of the following"),
            false => {
                let rest = Formula::and(rest.clone());
                head.say(" with ").then(pieces(&rest)).say(" and one of the following")
            }
        };
        if !names.is_empty() {
            head = head.say(", where ").then(meaning(&names));
        }
        let head = head.say(":");
        let fits = |case: &Formula| case.to_string().chars().count() <= LINE;
        if cases.len() <= CASES && cases.iter().all(fits) {
            return vec![Block::Paragraph(head), Block::Display(by_cases(cases))];
        }
        let last = cases.len() - 1;
        let item =
            |(i, case): (usize, &Formula)| pieces(case).say(if i == last { "." } else { ", or" });
        let items = cases.iter().enumerate().map(item).collect();
        return vec![Block::Paragraph(head), Block::List { numbered: true, items }];
    }
    let after = match names.is_empty() {
        true => None,
        false => Some(Text::of("where ").then(meaning(&names)).say(".")),
    };
    match (lines(&items), after) {
        (Some(display), None) => {
            vec![Block::Paragraph(head.say(" with")), Block::Display(ended(display, '.'))]
        }
        (Some(display), Some(after)) => vec![
            Block::Paragraph(head.say(" with")),
            Block::Display(ended(display, ',')),
            Block::Paragraph(after),
        ],
        (None, after) => {
            let text = head.say(" with ").then(pieces(&Formula::and(items)));
            vec![Block::Paragraph(match after {
                None => text.say("."),
                Some(after) => text.say(", ").then(after),
            })]
        }
    }
}

/// A displayed formula as the end of a sentence, or before more of it; lines one below the other have no such mark.
fn ended(mut display: Math, mark: char) -> Math {
    if !display.latex.contains("\\begin") {
        display.latex.push(mark);
    }
    display
}

/// The alternatives beside a brace, with numbers.
fn by_cases(cases: &[Formula]) -> Math {
    let last = cases.len() - 1;
    let row = |(i, case): (usize, &Formula)| {
        let end = if i == last { "" } else { r" & \text{or}\\" };
        format!(r"\text{{({})}}\enspace {}{end}", i + 1, case.to_latex())
    };
    let rows: Vec<String> = cases.iter().enumerate().map(row).collect();
    let plain = Formula::Or(cases.to_vec()).to_string();
    Math { latex: format!("\\begin{{cases}}\n{}\n\\end{{cases}}", rows.join("\n")), plain }
}

/// Conditions in lines, if each is short enough for one.
fn lines(items: &[Formula]) -> Option<Math> {
    let mut lines: Vec<Vec<Formula>> = Vec::new();
    let mut room = 0;
    for chain in chains(items) {
        let length = Formula::and(chain.clone()).to_string().chars().count();
        if length > LINE {
            return None;
        }
        match lines.last_mut() {
            Some(line) if length + 2 <= room => line.extend(chain),
            _ => {
                lines.push(chain);
                room = LINE + 2;
            }
        }
        room -= length + 2;
    }
    let whole = Formula::and(items.to_vec());
    let latex: Vec<String> = lines.into_iter().map(|l| Formula::and(l).to_latex()).collect();
    let latex = match &latex[..] {
        [one] => one.clone(),
        many => format!("\\begin{{gathered}}\n{}\n\\end{{gathered}}", many.join(",\\\\\n")),
    };
    Some(Math { latex, plain: whole.to_string() })
}

/// Conditions one by one, those that are read as one (`a = b = c`) together.
fn chains(items: &[Formula]) -> Vec<Vec<Formula>> {
    let mut found: Vec<Vec<Formula>> = Vec::new();
    for item in items {
        let goes_on = match (found.last().and_then(|c| c.last()), item) {
            (Some(Formula::Compare(_, _, right)), Formula::Compare(left, ..)) => right == left,
            _ => false,
        };
        match found.last_mut() {
            Some(chain) if goes_on => chain.push(item.clone()),
            _ => found.push(vec![item.clone()]),
        }
    }
    found
}

/// Conditions with commas between them, where lines may be broken.
pub(crate) fn pieces(formula: &Formula) -> Text {
    let items = match formula {
        Formula::And(items) if !items.is_empty() => &items[..],
        other => std::slice::from_ref(other),
    };
    let mut out = Text::default();
    for (i, chain) in chains(items).into_iter().enumerate() {
        if i > 0 {
            out = out.say(", ");
        }
        out = out.then(broken(Formula::and(chain)));
    }
    out
}

/// A condition; one that is too long for a line can be broken where its parts meet.
fn broken(formula: Formula) -> Text {
    if formula.to_string().chars().count() <= LINE {
        return Text::default().formula(math(&formula));
    }
    match &formula {
        Formula::Or(items) if items.len() > 1 => {
            let mut out = Text::default();
            for (i, item) in items.iter().enumerate() {
                out = if i > 0 { out.say(" or ") } else { out };
                out = match item {
                    Formula::And(_) | Formula::Let(..) => out.say("(").then(pieces(item)).say(")"),
                    _ => out.then(pieces(item)),
                };
            }
            out
        }
        Formula::Let(name, value, body) => {
            let names = [(name.clone(), value.clone())];
            Text::of("with ").then(meaning(&names)).say(": ").then(pieces(body))
        }
        Formula::Not(inner) => Text::of("not (").then(pieces(inner)).say(")"),
        Formula::Sym(inner) => Text::of("sym(").then(pieces(inner)).say(")"),
        Formula::Reduced(inner) => Text::of("reduced(").then(pieces(inner)).say(")"),
        Formula::Digits(inner) => Text::of("digits(").then(pieces(inner)).say(")"),
        Formula::Then(high, low) => {
            Text::of("(").then(pieces(high)).say(") then (").then(pieces(low)).say(")")
        }
        _ => Text::default().formula(math(&formula)),
    }
}

/// What the signs mean that not everybody knows.
fn words(formula: &Formula) -> Option<Text> {
    let mut used = Used::default();
    used.formula(formula);
    let sign = |latex: &str, plain: &str| {
        Text::default().formula(Math { latex: latex.into(), plain: plain.into() })
    };
    let all = [
        (used.xor, sign(r"\oplus", "xor").say(" adds binary digits without carrying")),
        (used.total, sign(r"\Sigma", "total").say(" is the sum of all heights")),
        (used.odds, sign(r"\nimodds", "odds").say(" is the number of odd heights")),
        (
            used.reduced,
            "reduced means that tokens are taken off first that no play can ever remove".into(),
        ),
        (
            used.digits,
            "digits means that this holds for the binary digits of the heights at every place".into(),
        ),
        (
            used.then,
            "`then' means that the binary digits can be cut at some place, so that the first condition holds for the \
             heights made of the higher digits and the second for those made of the lower ones"
                .into(),
        ),
        (used.inner_sym, "sym means that this holds after some symmetry of the game".into()),
        (
            used.inner_span,
            "span means sums of these 0/1 vectors, each taken any number of times".into(),
        ),
    ];
    let said: Vec<Text> = all.into_iter().filter(|(is_used, _)| *is_used).map(|(_, t)| t).collect();
    let last = said.len().checked_sub(1)?;
    let mut out = Text::of("Here ");
    for (i, text) in said.into_iter().enumerate() {
        out = match i {
            0 => out,
            i if i == last => out.say(" and "),
            _ => out.say(", "),
        };
        out = out.then(text);
    }
    Some(out.say("."))
}

#[derive(Default)]
struct Used {
    xor: bool,
    total: bool,
    odds: bool,
    reduced: bool,
    digits: bool,
    then: bool,
    inner_sym: bool,
    inner_span: bool,
    depth: usize,
}

impl Used {
    fn formula(&mut self, formula: &Formula) {
        self.depth += 1;
        match formula {
            Formula::Compare(left, _, right) => [left, right].iter().for_each(|t| self.term(t)),
            Formula::And(items) | Formula::Or(items) => items.iter().for_each(|f| self.formula(f)),
            Formula::Not(inner) => self.formula(inner),
            Formula::Sym(inner) => {
                self.inner_sym |= self.depth > 1;
                self.formula(inner);
            }
            Formula::Reduced(inner) => {
                self.reduced = true;
                self.formula(inner);
            }
            Formula::Digits(inner) => {
                self.digits = true;
                self.formula(inner);
            }
            Formula::Then(high, low) => {
                self.then = true;
                self.formula(high);
                self.formula(low);
            }
            Formula::Let(_, value, body) => {
                self.term(value);
                self.formula(body);
            }
            Formula::Span(_) => self.inner_span |= self.depth > 3,
        }
        self.depth -= 1;
    }

    fn term(&mut self, term: &Term) {
        match term {
            Term::Xor(items) => {
                self.xor = true;
                items.iter().for_each(|t| self.term(t));
            }
            Term::Total => self.total = true,
            Term::Odds => self.odds = true,
            Term::Sum(items) | Term::Min(items) | Term::Max(items) => {
                items.iter().for_each(|t| self.term(t));
            }
            Term::Scale(_, term) | Term::Mod(term, _) => self.term(term),
            Term::Constant(_) | Term::Stack(_) | Term::Name(_) | Term::Least | Term::Greatest => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nimatron_draw::document::Document;
    use nimatron_formula::Context;

    fn latex(game: &str, formula: &str) -> String {
        let game: Game = game.parse().unwrap();
        let formula = Formula::parse(formula, &Context::of_game(&game)).unwrap();
        let mut document = Document::new("");
        document.blocks = statement(&game, &formula);
        document.latex_body()
    }

    #[test]
    fn symmetry_is_told_in_words() {
        let text = latex("CN(5,3)", "sym(a = 0, b = e = c+d)");
        assert!(text.contains("after a symmetry of the game, as $(a,b,c,d,e)$ with"), "{text}");
        assert!(text.contains(r"\[ a = 0,\; b = e = c+d. \]"), "{text}");
    }

    #[test]
    fn alternatives_stand_by_a_brace() {
        let text = latex("CN(4,2)", "a = min, (b = c or (b < c, d = 0))");
        assert!(text.contains(r"$a = \min(a, b, c, d)$ and one of the following:"), "{text}");
        assert!(text.contains(r"\text{(1)}\enspace b = c & \text{or}\\"), "{text}");
        assert!(text.contains(r"\text{(2)}\enspace b < c,\; d = 0"), "{text}");
    }

    #[test]
    fn spans_are_sums() {
        let text = latex("CN(6,3)", "span(ad, be, cf, ace, bdf)");
        assert!(text.contains("it is a sum of the 0/1 vectors $ad$, $be$, $cf$, $ace$, $bdf$"));
        let text = latex("CN(4,2)", "span(ac) or span(bd)");
        assert!(text.contains(r"\item $ac$."), "{text}");
    }

    #[test]
    fn long_formulas_are_broken() {
        let long = "a+b+c = d+e+f, b+c+d = e+f+a, c+d+e = f+a+b, a <= d <= b+c+e, b <= e, c <= f+a";
        let text = latex("CN(6,3)", long);
        assert!(text.contains(r"\begin{gathered}"), "{text}");
        assert!(text.lines().all(|l| l.len() < 160), "{text}");
    }

    #[test]
    fn definitions_are_told_after_the_conditions() {
        let long = "a = 0, let v = b-d, let top = max(v,c), (v = top, c = d) or (c = top, v = d)";
        let text = latex("CN(4,2)", long);
        assert!(
            text.contains("with $a = 0$ and one of the following, where $v = b-d$, "),
            "{text}"
        );
        assert!(
            text.contains(r"\text{(1)}\enspace v = \mathit{top},\; c = d & \text{or}"),
            "{text}"
        );
        let text = latex("CN(4,2)", "let m = min(a,b), c = m, d = m");
        assert!(text.contains("\\[ c = m,\\; d = m, \\]\n\nwhere $m = \\min(a, b)$."), "{text}");
    }

    #[test]
    fn long_alternatives_are_broken() {
        let one = "(a = b+c+d, b = c+d+e, c = d+e+f) or (b = c+d+e, c = d+e+f, d = e+f+a)";
        let text = latex("CN(6,3)", &format!("({one}), ({one} or a = 0)"));
        assert!(text.contains("$d = e+f+a$) or $a = 0$."), "{text}");
    }

    #[test]
    fn signs_are_explained() {
        let text = latex("Nim(3)", "xor(a,b,c) = 0, even(total), odds = 2");
        assert!(text.contains(r"Here $\oplus$ adds binary digits"), "{text}");
        assert!(text.contains(r"$\Sigma$ is the sum of all heights"), "{text}");
        assert!(text.contains(r"$\nimodds$ is the number of odd heights."), "{text}");
    }
}
