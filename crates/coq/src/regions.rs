//! Regions: the certificate as it is, with the trees as terms, and the formula in the words of Coq.
//!
//! The statement is the one that the checker reads, so that alternatives and constraints have the numbers
//! that the certificate uses.

use crate::names::{self, natural};
use crate::{By, ExportError};
use nimatron_formula::{Context, Formula};
use nimatron_game::{Amounts, Choice, Game};
use nimatron_verify::regions::{
    Branch, Closed, Farkas, Form, Member, Node, RegionsProof, Row, Rule, Source, Statement,
    relabellings, statement,
};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

/// The most variables that are written.
const MAX_VARIABLES: usize = 200;

/// The most images of a relabelling that are multiplied.
const MAX_WORD: usize = 64;

type Text = Result<String, ExportError>;

/// Writes the certificate; returns the set, and the same by numbers if no further integers are needed.
pub(crate) fn write(
    game: &Game,
    proof: &RegionsProof,
    to: &mut dyn Write,
) -> Result<(String, Option<crate::Statement>), ExportError> {
    let broken = ExportError::Broken;
    let formula = Formula::parse(&proof.formula, &Context::of_game(game));
    let formula = formula.map_err(|_| broken("the formula"))?;
    let (set, extras) = statement(game, &formula).map_err(|_| broken("the formula"))?;
    let kinds = kinds(game)?;
    let stacks = game.stacks();

    writeln!(to, "Import Regions.\nOpen Scope Z_scope.")?;
    writeln!(to, "Definition words : statement := {}.\n", words(&set)?)?;
    writeln!(to, "Definition proof : certificate := {{|")?;
    writeln!(to, "  formula := words; extra := {};", natural(extras)?)?;
    let sets = kinds.iter().map(|(set, kind)| format!("({kind}, {set}%N)"));
    writeln!(to, "  kinds := {};", list(sets.map(Ok))?)?;
    writeln!(to, "  branches := {};", list(proof.branches.iter().map(branch))?)?;
    let mut open = Vec::new();
    add(&set, &mut open);
    writeln!(to, "  expansion := {};", tree(&proof.expansion, open)?)?;
    let (generators, symmetries) = symmetries(proof)?;
    writeln!(to, "  generators := {generators};\n  symmetries := {symmetries};")?;
    let separation = proof.separation.iter().map(|(from, source)| {
        let source = match source {
            Source::Trees(trees) => {
                format!("By_trees {}", list(trees.iter().map(|t| tree(t, Vec::new())))?)
            }
            Source::Image { symmetry, into, extras, proofs } => format!(
                "By_image {} {} {} {}",
                natural(*symmetry)?,
                natural(*into)?,
                list(extras.iter().map(form))?,
                list(proofs.iter().map(farkas))?
            ),
        };
        Ok(format!("({}, {source})", natural(*from)?))
    });
    writeln!(to, "  separation := {};", list(separation)?)?;
    let playable = list(proof.playable.iter().map(|t| tree(t, Vec::new())))?;
    writeln!(to, "  playable := {playable};")?;
    writeln!(to, "  rules := {};", list(proof.rules.iter().map(|r| rule(r, &kinds)))?)?;
    let domain = &proof.domain;
    let least = match domain.least {
        None => "None".to_string(),
        Some(stack) => format!("Some {}", natural(stack)?),
    };
    let orbit: BTreeSet<usize> = domain.least.map_or(BTreeSet::new(), |least| {
        let images = proof.symmetries.iter().filter_map(|g| g.image.get(least).copied());
        images.filter(|&image| image != least).collect()
    });
    let exchange = match domain.exchange {
        None => "None".to_string(),
        Some((a, b, g)) => format!("Some ({}, {}, {})", natural(a)?, natural(b)?, natural(g)?),
    };
    writeln!(to, "  least := {least}; orbit := {};", naturals(orbit)?)?;
    writeln!(to, "  exchange := {exchange};")?;
    writeln!(to, "  coverage := {}\n|}}.", tree(&proof.coverage, Vec::new())?)?;
    writeln!(to, "Close Scope Z_scope.\n")?;
    let readable = (extras == 0).then(|| readable(game, &formula, &tidy(&set)));
    Ok((format!("described {stacks} words"), readable))
}

/// The statement with numbers. The images of a formula under relabellings are written as one predicate.
fn readable(game: &Game, formula: &Formula, set: &Statement) -> crate::Statement {
    let heights = names::heights(game.stacks());
    let group = if matches!(formula, Formula::Sym(_)) { relabellings(game).ok() } else { None };
    if let (Statement::Any(parts), Some(group)) = (set, group)
        && parts.len() == group.len()
        && group.len() > 2
    {
        let image = |g: &Vec<usize>| {
            let names: Vec<&str> = g.iter().map(|&stack| heights[stack].as_str()).collect();
            format!("F {}", names.join(" "))
        };
        // The first relabelling is none at all.
        let definition = Some(said(&parts[0], &heights, true));
        let images: Vec<String> = group.iter().map(image).collect();
        return crate::Statement { definition, text: images.join(" \\/\n   "), by: By::Itself };
    }
    let text = said(set, &heights, true);
    crate::Statement { definition: None, text, by: By::Itself }
}

/// The same without constraints that always hold, as the theory leaves them out.
fn tidy(statement: &Statement) -> Statement {
    let always = |s: &Statement| matches!(s, Statement::All(parts) if parts.is_empty());
    match statement {
        Statement::Row(row) => {
            let holds = if row.equation { row.constant == 0 } else { row.constant >= 0 };
            if row.terms.is_empty() && holds {
                Statement::All(Vec::new())
            } else {
                statement.clone()
            }
        }
        Statement::All(parts) => {
            Statement::All(parts.iter().map(tidy).filter(|part| !always(part)).collect())
        }
        Statement::Any(parts) => {
            let parts: Vec<Statement> = parts.iter().map(tidy).collect();
            if parts.iter().any(always) {
                Statement::All(Vec::new())
            } else {
                Statement::Any(parts)
            }
        }
    }
}

/// By set of stacks, as the checker counts them: how much a move takes.
fn kinds(game: &Game) -> Result<BTreeMap<u32, &'static str>, ExportError> {
    let mut kinds = BTreeMap::new();
    for summand in game.summands() {
        let (rule, first) = (summand.rule(), summand.stacks().start);
        let kind = match (rule.choice(), rule.each(), rule.total()) {
            (Choice::Any, Amounts::POSITIVE, Amounts::POSITIVE) => "Game.Any",
            (Choice::All, Amounts::POSITIVE, Amounts::POSITIVE) => "Each",
            (Choice::All, each, Amounts::POSITIVE) if each == Amounts::exactly(1) => "One",
            _ => return Err(ExportError::Unsupported("these amounts of tokens")),
        };
        kinds.extend(rule.sets().iter().map(|set| (set.shifted(first).bits(), kind)));
    }
    Ok(kinds)
}

/// Generators, and each relabelling as a product of some.
fn symmetries(proof: &RegionsProof) -> Result<(String, String), ExportError> {
    let (mut generators, mut made): (Vec<String>, Vec<Vec<usize>>) = (Vec::new(), Vec::new());
    for symmetry in &proof.symmetries {
        made.push(match &symmetry.closed {
            Closed::Images(members) => {
                let image = naturals(symmetry.image.iter().copied())?;
                let members = list(members.iter().map(member))?;
                generators.push(format!("Generator {image} {members}"));
                vec![generators.len() - 1]
            }
            Closed::Product(first, then) => match (made.get(*first), made.get(*then)) {
                (Some(a), Some(b)) if a.len() + b.len() <= MAX_WORD => [&a[..], &b[..]].concat(),
                _ => return Err(ExportError::Broken("a symmetry")),
            },
        });
    }
    let words = made.into_iter().map(naturals);
    Ok((list(generators.into_iter().map(Ok))?, list(words)?))
}

fn rule(rule: &Rule, kinds: &BTreeMap<u32, &'static str>) -> Text {
    let play = match rule.play {
        None => "None".to_string(),
        Some(set) => {
            let place = kinds.keys().position(|&other| other == set);
            format!("(Some {})", natural(place.ok_or(ExportError::Broken("a rule"))?)?)
        }
    };
    let target = match &rule.target {
        None => "None".to_string(),
        Some(target) => format!("(Some ({}))", member(target)?),
    };
    let (region, heights) = (branch(&rule.region)?, list(rule.heights.iter().map(form))?);
    let proofs = list(rule.proofs.iter().map(farkas))?;
    Ok(format!("Rule ({region}) {play} {heights} {proofs} {target}"))
}

fn member(member: &Member) -> Text {
    let Member { choices, extras, proofs } = member;
    let choices = naturals(choices.iter().copied())?;
    let (extras, proofs) = (list(extras.iter().map(form))?, list(proofs.iter().map(farkas))?);
    Ok(format!("Member {choices} {extras} {proofs}"))
}

fn branch(branch: &Branch) -> Text {
    let rows = branch.constraints.iter().map(|constraint| {
        let kind = if constraint.equation { "Eq" } else { "Ge" };
        Ok(format!("{kind} {}", form(&constraint.form)?))
    });
    Ok(format!("Branch {} {}", natural(branch.extras)?, list(rows)?))
}

/// A tree that is written parents first, as a term; lists of alternatives are followed, for these say
/// how many children there are.
fn tree(nodes: &[Node], open: Vec<&[Statement]>) -> Text {
    let (text, rest) = subtree(nodes, &open)?;
    if rest.is_empty() { Ok(text) } else { Err(ExportError::Broken("a tree")) }
}

fn subtree<'a>(
    nodes: &'a [Node],
    open: &[&[Statement]],
) -> Result<(String, &'a [Node]), ExportError> {
    let broken = || ExportError::Broken("a tree");
    let (node, mut rest) = nodes.split_first().ok_or_else(broken)?;
    let mut child = |open: &[&[Statement]]| -> Text {
        let (text, left) = subtree(rest, open)?;
        rest = left;
        Ok(text)
    };
    let chain = |children: Vec<String>| {
        let start = "Nil".to_string();
        children.into_iter().rev().fold(start, |rest, t| format!("(Cons ({t}) {rest})"))
    };
    let text = match node {
        Node::Split(by) => {
            let (yes, no) = (child(open)?, child(open)?);
            format!("Split {} ({yes}) ({no})", form(by)?)
        }
        Node::Residue(by, modulus) => {
            let children: Result<Vec<String>, _> = (0..*modulus).map(|_| child(open)).collect();
            format!("Residue {} ({modulus}) {}", form(by)?, chain(children?))
        }
        Node::Cases(place) => {
            let alternatives = *open.get(*place).ok_or_else(broken)?;
            let mut children = Vec::new();
            for part in alternatives {
                let mut open = open.to_vec();
                open.remove(*place);
                add(part, &mut open);
                children.push(child(&open)?);
            }
            format!("Cases {place} {}", chain(children))
        }
        Node::Empty(multiples) => format!("Empty {}", farkas(multiples)?),
        Node::Branch { branch, extras, proofs } => format!(
            "In_branch {} {} {}",
            natural(*branch)?,
            list(extras.iter().map(form))?,
            list(proofs.iter().map(farkas))?
        ),
        Node::Rule { rule, symmetry, bind, proofs } => {
            let symmetry = match symmetry {
                None => "None".to_string(),
                Some(g) => format!("(Some {})", natural(*g)?),
            };
            let (rule, bind) = (natural(*rule)?, naturals(bind.iter().copied())?);
            format!("By_rule {rule} {symmetry} {bind} {}", list(proofs.iter().map(farkas))?)
        }
        Node::Terminal(proofs) => format!("No_move {}", list(proofs.iter().map(farkas))?),
    };
    Ok((text, rest))
}

/// The lists of alternatives of a statement that is known to hold.
fn add<'a>(statement: &'a Statement, open: &mut Vec<&'a [Statement]>) {
    match statement {
        Statement::Row(_) => {}
        Statement::All(parts) => parts.iter().for_each(|part| add(part, open)),
        Statement::Any(parts) => open.push(parts),
    }
}

fn words(statement: &Statement) -> Text {
    Ok(match statement {
        Statement::Row(row) => format!("Row ({})", row_text(row)?),
        Statement::All(parts) => format!("All_of {}", list(parts.iter().map(words))?),
        Statement::Any(parts) => format!("Any_of {}", list(parts.iter().map(words))?),
    })
}

fn row_text(row: &Row) -> Text {
    let kind = if row.equation { "Eq" } else { "Ge" };
    Ok(format!("{kind} {}", dense(row.constant, row.terms.iter().copied())?))
}

fn form(form: &Form) -> Text {
    dense(form.0.into(), form.1.iter().map(|&(v, c)| (v, c.into())))
}

/// A constant, and the coefficients of all variables to the last.
fn dense(constant: i128, terms: impl Iterator<Item = (usize, i128)>) -> Text {
    let mut numbers = vec![constant];
    for (variable, coefficient) in terms {
        if variable >= MAX_VARIABLES {
            return Err(ExportError::Unsupported("so many variables"));
        }
        numbers.resize(numbers.len().max(variable + 2), 0);
        // At most as many terms of 64 bits as a certificate has bytes.
        numbers[variable + 1] += coefficient;
    }
    list(numbers.into_iter().map(|number| Ok(number.to_string())))
}

fn farkas(farkas: &Farkas) -> Text {
    list(farkas.iter().map(|(row, multiple)| Ok(format!("({}, {multiple})", natural(*row)?))))
}

fn list(entries: impl Iterator<Item = Text>) -> Text {
    let entries: Result<Vec<String>, ExportError> = entries.collect();
    Ok(format!("[{}]", entries?.join("; ")))
}

fn naturals(numbers: impl IntoIterator<Item = usize>) -> Text {
    list(numbers.into_iter().map(natural))
}

/// The statement as it is written with numbers. The theories take it apart in the same way.
fn said(statement: &Statement, heights: &[String], outermost: bool) -> String {
    let joined = |parts: &[Statement], by: &str, none: &str| match parts {
        [] => none.to_string(),
        [single] => said(single, heights, outermost),
        _ => {
            let parts: Vec<String> = parts.iter().map(|p| said(p, heights, false)).collect();
            let text = parts.join(by);
            if outermost { text } else { format!("({text})") }
        }
    };
    match statement {
        Statement::Row(row) => compared(row, if row.equation { "=" } else { "<=" }, heights),
        Statement::All(parts) => match &parts[..] {
            [Statement::Row(a), Statement::Row(b)] if is_equation(a, b) => {
                compared(b, "=", heights)
            }
            _ => joined(parts, " /\\ ", "True"),
        },
        Statement::Any(parts) => {
            joined(parts, if outermost { " \\/\n   " } else { " \\/ " }, "False")
        }
    }
}

/// Whether two inequalities say that a form is 0.
fn is_equation(a: &Row, b: &Row) -> bool {
    let opposite = |((v, c), (w, d)): (&(usize, i128), &(usize, i128))| v == w && *c == -d;
    !a.equation
        && !b.equation
        && a.constant == -b.constant
        && a.terms.len() == b.terms.len()
        && a.terms.iter().zip(&b.terms).all(opposite)
}

/// What is negative in the form on the left, and the rest on the right.
fn compared(row: &Row, sign: &str, heights: &[String]) -> String {
    let side = |positive: bool| {
        let terms = row.terms.iter().filter(|(_, c)| (*c > 0) == positive);
        let term = |&(v, c): &(usize, i128)| match c.unsigned_abs() {
            1 => heights[v].clone(),
            times => format!("{times} * {}", heights[v]),
        };
        let mut parts: Vec<String> = terms.map(term).collect();
        if row.constant != 0 && (row.constant > 0) == positive {
            parts.push(row.constant.unsigned_abs().to_string());
        }
        if parts.is_empty() { "0".to_string() } else { parts.join(" + ") }
    };
    format!("{} {sign} {}", side(false), side(true))
}
