//! The obligations as SMT-LIB 2 files, for a second opinion by z3 or cvc5.
//!
//! The files are written from the formula and the rules directly, by cases nowhere: minimum and
//! maximum become `ite`, remainders `mod`, a span an existential quantifier.

use super::Unsupported;
use super::plays::{Play, plays, symmetries};
use nimatron_formula::{Formula, Relation, Term};
use nimatron_game::{Amounts, Game, Play as Convention};
use nimatron_meaning::BranchError;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// One file per obligation: its name, and its text. All are unsatisfiable exactly if the formula
/// describes the P-positions, which the first line of each says.
///
/// ```
/// use nimatron_formula::{Context, Formula};
/// let game: nimatron_game::Game = "Nim(2)".parse().unwrap();
/// let formula = Formula::parse("a = b", &Context::of_game(&game)).unwrap();
/// let files = nimatron_prove::regions::smt(&game, &formula).unwrap();
/// let names: Vec<&str> = files.iter().map(|(name, _)| &name[..]).collect();
/// assert_eq!(names, ["no-move-a.smt2", "no-move-b.smt2", "some-move.smt2"]);
/// assert!(files.iter().all(|(_, text)| text.starts_with("; expected: unsat")));
/// ```
pub fn smt(game: &Game, formula: &Formula) -> Result<Vec<(String, String)>, Unsupported> {
    const MAX_PLAYS: usize = 2_000;
    let n = game.stacks();
    let plays = plays(game, MAX_PLAYS).ok_or(Unsupported::Plays(MAX_PLAYS))?;
    let symmetries = symmetries(game).ok_or(Unsupported::Symmetries)?;
    let writer = Writer { stacks: n, symmetries };
    let scope = Scope { image: (0..n).collect(), names: BTreeMap::new() };
    let set = writer.formula(formula, &scope)?;
    let arguments =
        |prefix: char| (0..n).map(|s| format!("({prefix}{s} Int) ")).collect::<String>();
    let call = |prefix: char| {
        let names: String = (0..n).map(|s| format!(" {prefix}{s}")).collect();
        format!("(S{names})")
    };
    let heights = |prefix: char| {
        let bounds: String = (0..n).map(|s| format!(" (>= {prefix}{s} 0)")).collect();
        format!("(and true{bounds})")
    };
    let head = |what: &str| {
        let mut text = format!("; expected: unsat\n; {game}: {what}\n");
        text.push_str("(set-logic ALL)\n");
        let _ = writeln!(text, "(define-fun S ({}) Bool {set})", arguments('x'));
        for s in 0..n {
            let _ = writeln!(text, "(declare-const p{s} Int)");
        }
        let _ = writeln!(text, "(assert {})", heights('p'));
        text
    };
    let moves: Vec<String> = plays.iter().map(|play| relation(play, n)).collect();
    let mut files = Vec::new();
    for (play, relation) in plays.iter().zip(&moves) {
        let mut text = head("no move leads from S to S");
        for s in 0..n {
            let _ = writeln!(text, "(declare-const q{s} Int)");
        }
        for part in [heights('q'), relation.clone(), call('p'), call('q')] {
            let _ = writeln!(text, "(assert {part})");
        }
        text.push_str("(check-sat)\n");
        let letters: Vec<String> = play
            .stacks
            .iter()
            .map(|s| {
                if n <= 26 { ((b'a' + s as u8) as char).to_string() } else { format!("{}-", s + 1) }
            })
            .collect();
        files.push((format!("no-move-{}.smt2", letters.concat()), text));
    }
    let any = format!("(or false {})", moves.join(" "));
    let exists =
        |body: &str| format!("(exists ({}) (and {} {any}{body}))", arguments('q'), heights('q'));
    let misere = game.convention() == Convention::Misere;
    let mut text = head("every position outside S has a move into S");
    let _ = writeln!(text, "(assert (not {}))", call('p'));
    if misere {
        let _ = writeln!(text, "(assert {})", exists(""));
    }
    let _ = writeln!(text, "(assert (not {}))\n(check-sat)", exists(&format!(" {}", call('q'))));
    files.push(("some-move.smt2".to_string(), text));
    if misere {
        let mut text = head("every position of S has a move");
        let _ =
            writeln!(text, "(assert {})\n(assert (not {}))\n(check-sat)", call('p'), exists(""));
        files.push(("playable.smt2".to_string(), text));
    }
    Ok(files)
}

/// That q is reached from p by the play.
fn relation(play: &Play, n: usize) -> String {
    let mut parts = Vec::new();
    let within = |amounts: Amounts, form: &str, from_zero: bool| {
        let least = if from_zero { 0 } else { amounts.least() };
        let most = amounts.most().map(|m| format!(" (<= {form} {m})")).unwrap_or_default();
        format!("(and (>= {form} {least}){most})")
    };
    let mut taken = String::from("(+ 0");
    for s in 0..n {
        if play.stacks.contains(s) {
            let _ = write!(taken, " (- p{s} q{s})");
            parts.push(within(play.each, &format!("(- p{s} q{s})"), play.any));
        } else {
            parts.push(format!("(= p{s} q{s})"));
        }
    }
    taken.push(')');
    parts.push(within(play.total, &taken, false));
    format!("(and {})", parts.join(" "))
}

struct Writer {
    stacks: usize,
    symmetries: Vec<Vec<usize>>,
}

#[derive(Clone)]
struct Scope {
    image: Vec<usize>,
    names: BTreeMap<String, String>,
}

impl Writer {
    fn formula(&self, f: &Formula, s: &Scope) -> Result<String, Unsupported> {
        let list = |items: &[Formula], s: &Scope| -> Result<String, Unsupported> {
            Ok(items.iter().map(|f| self.formula(f, s)).collect::<Result<Vec<_>, _>>()?.join(" "))
        };
        Ok(match f {
            Formula::Compare(l, relation, r) => {
                let (l, r) = (self.term(l, s)?, self.term(r, s)?);
                match relation {
                    Relation::Less => format!("(< {l} {r})"),
                    Relation::AtMost => format!("(<= {l} {r})"),
                    Relation::Equal => format!("(= {l} {r})"),
                    Relation::NotEqual => format!("(distinct {l} {r})"),
                    Relation::AtLeast => format!("(>= {l} {r})"),
                    Relation::Greater => format!("(> {l} {r})"),
                }
            }
            Formula::And(items) => format!("(and true {})", list(items, s)?),
            Formula::Or(items) => format!("(or false {})", list(items, s)?),
            Formula::Not(inner) => format!("(not {})", self.formula(inner, s)?),
            Formula::Sym(inner) => {
                let mut images = Vec::new();
                for g in &self.symmetries {
                    let image = s.image.iter().map(|&stack| g[stack]).collect();
                    images.push(self.formula(inner, &Scope { image, names: BTreeMap::new() })?);
                }
                images.sort();
                images.dedup();
                format!("(or false {})", images.join(" "))
            }
            Formula::Span(vectors) => {
                let mut sums = vec![String::from("(+ 0"); self.stacks];
                let (mut bound, mut parts) = (String::new(), Vec::new());
                for (i, vector) in vectors.iter().enumerate() {
                    let _ = write!(bound, "(r{i} Int) ");
                    parts.push(format!("(>= r{i} 0)"));
                    vector.iter().for_each(|stack| {
                        let _ = write!(sums[s.image[stack]], " r{i}");
                    });
                }
                parts.extend(sums.iter().enumerate().map(|(at, sum)| format!("(= x{at} {sum}))")));
                format!("(exists ({bound}) (and {}))", parts.join(" "))
            }
            Formula::Reduced(_) => return Err(Unsupported::Branches(BranchError::Reduced)),
            Formula::Digits(_) | Formula::Then(..) => {
                return Err(Unsupported::Branches(BranchError::Digits));
            }
            Formula::Let(name, value, body) => {
                let mut inner = s.clone();
                inner.names.insert(name.clone(), self.term(value, s)?);
                self.formula(body, &inner)?
            }
        })
    }

    fn term(&self, t: &Term, s: &Scope) -> Result<String, Unsupported> {
        let stacks = || (0..self.stacks).map(Term::Stack).collect::<Vec<_>>();
        let list =
            |items: &[Term]| items.iter().map(|t| self.term(t, s)).collect::<Result<Vec<_>, _>>();
        let extreme = |items: &[Term], relation: &str| -> Result<String, Unsupported> {
            let items = list(items)?;
            let pick = |a: String, b: String| format!("(ite ({relation} {a} {b}) {a} {b})");
            Ok(items.into_iter().reduce(pick).unwrap_or_else(|| "0".to_string()))
        };
        let number =
            |c: i64| if c < 0 { format!("(- {})", c.unsigned_abs()) } else { c.to_string() };
        Ok(match t {
            Term::Constant(c) => number(*c),
            Term::Stack(stack) => format!("x{}", s.image[*stack]),
            Term::Name(name) => {
                let value = s.names.get(name).cloned();
                value
                    .ok_or_else(|| Unsupported::Branches(BranchError::UnknownName(name.clone())))?
            }
            Term::Total => format!("(+ 0 {})", list(&stacks())?.join(" ")),
            Term::Odds => {
                let parts: Vec<String> =
                    list(&stacks())?.into_iter().map(|x| format!("(mod {x} 2)")).collect();
                format!("(+ 0 {})", parts.join(" "))
            }
            Term::Least => extreme(&stacks(), "<=")?,
            Term::Greatest => extreme(&stacks(), ">=")?,
            Term::Sum(items) => format!("(+ {})", list(items)?.join(" ")),
            Term::Scale(by, t) => format!("(* {} {})", number(*by), self.term(t, s)?),
            Term::Min(items) => extreme(items, "<=")?,
            Term::Max(items) => extreme(items, ">=")?,
            Term::Xor(_) => return Err(Unsupported::Branches(BranchError::Xor)),
            Term::Mod(t, modulus) => format!("(mod {} {modulus})", self.term(t, s)?),
        })
    }
}
