//! What a formula says about the P-positions, as diagrams.

use super::FigureError;
use crate::Knowledge;
use nimatron_draw::Drawing;
use nimatron_draw::constellation::{Constellation, constellations};
use nimatron_draw::structure::{Group, Structure, structures};
use nimatron_formula::{Context, Formula, Relation, Term};
use nimatron_game::{Game, StackSet};
use nimatron_theory::Scope;

/// The formula for the P-positions of a game, if a theorem or a proof gives one, in the stacks of the game, and who
/// says so.
pub fn formula_of(game: &Game, knowledge: &Knowledge) -> Option<(Formula, String)> {
    let rule = game.single()?;
    let (text, image, by) = match knowledge.theorem(rule, game.convention()) {
        Some(found) if found.scope == Scope::Game => {
            let image: Vec<usize> = found.relabelling.inverse().images().collect();
            (found.solution().formula(), image, found.citation.to_string())
        }
        _ => (None, Vec::new(), String::new()),
    };
    let (text, image, by) = match text {
        Some(text) => (text, image, by),
        None => proved(game, knowledge)?,
    };
    let formula = Formula::parse(&text, &Context::of_game(game)).ok()?;
    Some((formula.relabel(&image), by))
}

/// The formula of a proof, from its stacks to those of the game.
#[cfg(feature = "prove")]
fn proved(game: &Game, knowledge: &Knowledge) -> Option<(String, Vec<usize>, String)> {
    let stored = knowledge.proof(game.single()?, game.convention())?;
    let image = stored.relabelling().inverse().images().collect();
    let by = format!("the proof about {}", stored.proved().game());
    Some((stored.proved().formula()?, image, by))
}

#[cfg(not(feature = "prove"))]
fn proved(_: &Game, _: &Knowledge) -> Option<(String, Vec<usize>, String)> {
    None
}

/// The alternatives of a formula as diagrams: equal stacks share a letter, stacks whose sums are compared are
/// encircled, what else holds is written below. Cells spanned by vectors are drawn as these vectors.
pub fn structure(game: &Game, formula: &Formula) -> Result<Drawing, FigureError> {
    let n = game.stacks();
    if let Some(spans) = spans(formula) {
        let cells = spans.len();
        let sets: Vec<Constellation> = spans
            .into_iter()
            .enumerate()
            .flat_map(|(cell, sets)| sets.into_iter().map(move |set| (cell, set)))
            .map(|(cell, stacks)| {
                let cell = if cells > 1 { format!("{}: ", cell + 1) } else { String::new() };
                let label = format!("{cell}{stacks}");
                Constellation { stacks, pointed: StackSet::EMPTY, label }
            })
            .collect();
        let up_to = if matches!(formula, Formula::Sym(_)) { ", up to symmetry" } else { "" };
        let vectors = if cells == 1 { "these vectors" } else { "the vectors of one number" };
        let note = format!(
            "The P-positions are the sums of {vectors}, each taken any number of times{up_to}."
        );
        let title = format!("P-positions of {game}");
        return Ok(constellations(n, &sets, &title, &[note])?);
    }
    let cells = cells(game, formula);
    let drawable = |cell: &Structure| {
        let own = nimatron_draw::board::letters(n);
        !cell.groups.is_empty() || !cell.marks.is_empty() || cell.words != own
    };
    if !cells.iter().any(drawable) {
        return Err(FigureError::NoStructure(formula.to_string()));
    }
    let note = matches!(formula, Formula::Sym(_)).then_some("up to symmetry");
    Ok(structures(game, &cells, note)?)
}

/// The structures of a formula, one per alternative.
pub fn cells(game: &Game, formula: &Formula) -> Vec<Structure> {
    let inner = match formula {
        Formula::Sym(inner) => &**inner,
        other => other,
    };
    let alternatives = alternatives(inner);
    let several = alternatives.len() > 1;
    alternatives
        .iter()
        .enumerate()
        .map(|(i, items)| {
            let mut cell = cell(game.stacks(), items);
            cell.heading = several.then(|| format!("{}", i + 1));
            cell
        })
        .collect()
}

/// The vectors of each alternative, if the formula is a union of spans.
fn spans(formula: &Formula) -> Option<Vec<Vec<StackSet>>> {
    match formula {
        Formula::Sym(inner) => spans(inner),
        Formula::Span(sets) => Some(vec![sets.clone()]),
        Formula::Or(items) => {
            let all: Option<Vec<Vec<Vec<StackSet>>>> = items.iter().map(spans).collect();
            Some(all?.into_iter().flatten().collect())
        }
        _ => None,
    }
}

/// The alternatives, each as what must hold. At most so many: a formula of many choices is one.
fn alternatives(formula: &Formula) -> Vec<Vec<Formula>> {
    const MOST: usize = 24;
    match formula {
        Formula::Or(items) if items.len() <= MOST => items.iter().flat_map(alternatives).collect(),
        Formula::And(items) => {
            let mut found: Vec<Vec<Formula>> = vec![Vec::new()];
            for item in items {
                let choices = match item {
                    Formula::Or(_) => alternatives(item),
                    other => vec![vec![other.clone()]],
                };
                if found.len() * choices.len() > MOST {
                    found.iter_mut().for_each(|f| f.push(item.clone()));
                    continue;
                }
                let all = found.iter().flat_map(|before| {
                    choices.iter().map(move |choice| [&before[..], &choice[..]].concat())
                });
                found = all.collect();
            }
            found
        }
        other => vec![vec![other.clone()]],
    }
}

/// A stack, or a sum of different stacks.
fn stacks_of(term: &Term) -> Option<StackSet> {
    match term {
        Term::Stack(stack) => Some(StackSet::single(*stack)),
        Term::Sum(items) => items.iter().try_fold(StackSet::EMPTY, |set, item| match item {
            Term::Stack(stack) if !set.contains(*stack) => Some(set.with(*stack)),
            _ => None,
        }),
        _ => None,
    }
}

/// Sets of stacks with equal sums.
struct Classes {
    sets: Vec<StackSet>,
    class: Vec<usize>,
    zero: Vec<usize>,
}

impl Classes {
    fn place(&mut self, set: StackSet) -> usize {
        match self.sets.iter().position(|s| *s == set) {
            Some(place) => self.class[place],
            None => {
                let class = self.class.iter().max().map_or(0, |c| c + 1);
                self.sets.push(set);
                self.class.push(class);
                class
            }
        }
    }

    fn join(&mut self, a: StackSet, b: StackSet) {
        let (a, b) = (self.place(a), self.place(b));
        self.class.iter_mut().filter(|c| **c == b).for_each(|c| *c = a);
        self.zero.iter_mut().filter(|c| **c == b).for_each(|c| *c = a);
    }
}

/// What can be drawn of some conditions, and the rest in words.
fn cell(n: usize, items: &[Formula]) -> Structure {
    let mut classes = Classes { sets: Vec::new(), class: Vec::new(), zero: Vec::new() };
    let mut cell = Structure { words: nimatron_draw::board::letters(n), ..Structure::default() };
    let mut rest: Vec<Formula> = Vec::new();
    for item in items {
        let Formula::Compare(left, Relation::Equal, right) = item else {
            rest.push(item.clone());
            continue;
        };
        match (stacks_of(left), right, stacks_of(right)) {
            (Some(a), _, Some(b)) => classes.join(a, b),
            (Some(a), Term::Constant(0), _) => {
                let class = classes.place(a);
                classes.zero.push(class);
            }
            (Some(a), Term::Least, _) if a.len() == 1 => {
                cell.marks.extend(a.iter().map(|s| (s, "min".to_string())));
            }
            (Some(a), Term::Greatest, _) if a.len() == 1 => {
                cell.marks.extend(a.iter().map(|s| (s, "max".to_string())));
            }
            _ => rest.push(item.clone()),
        }
    }
    let mut names = ["x", "y", "z", "u", "v", "w", "r", "s", "t"].into_iter();
    let mut numbers: Vec<usize> = classes.class.clone();
    numbers.sort_unstable();
    numbers.dedup();
    // Kinds of lines are for sums alone.
    let mut kind = 0;
    for class in numbers {
        let members: Vec<StackSet> = classes
            .sets
            .iter()
            .zip(&classes.class)
            .filter(|(_, c)| **c == class)
            .map(|(set, _)| *set)
            .collect();
        let single: Vec<usize> =
            members.iter().filter(|s| s.len() == 1).filter_map(|s| s.lowest()).collect();
        let zero = classes.zero.contains(&class);
        let word = match &single[..] {
            _ if zero => "0".to_string(),
            [one] => cell.words[*one].clone(),
            _ => names.next().unwrap_or("x").to_string(),
        };
        single.iter().for_each(|&s| cell.words[s] = word.clone());
        for &stacks in members.iter().filter(|s| s.len() > 1) {
            cell.groups.push(Group { stacks, label: format!("= {word}"), class: kind });
        }
        kind += usize::from(members.iter().any(|s| s.len() > 1));
    }
    if !rest.is_empty() {
        cell.notes.push(
            Formula::and(rest).to_string().replace("<=", "\u{2264}").replace(">=", "\u{2265}"),
        );
    }
    cell
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(game: &str, text: &str) -> Vec<Structure> {
        let game: Game = game.parse().unwrap();
        let formula = Formula::parse(text, &Context::of_game(&game)).unwrap();
        cells(&game, &formula)
    }

    #[test]
    fn equal_stacks_share_a_letter_and_sums_are_encircled() {
        let found = read("CN(5,3)", "sym(a = 0, b = e = c+d)");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].words, ["0", "x", "c", "d", "x"]);
        assert_eq!(found[0].groups[0].stacks.to_string(), "cd");
        assert_eq!(found[0].groups[0].label, "= x");
    }

    #[test]
    fn alternatives_are_cells_of_their_own() {
        let found = read("CN(4,2)", "a = min, (b = c or (b < c, d = 0))");
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].marks, [(0, "min".to_string())]);
        assert_eq!(found[0].words, ["a", "x", "x", "d"]);
        assert_eq!(found[1].words, ["a", "b", "c", "0"]);
        assert_eq!(found[1].notes, ["b < c"]);
    }

    #[test]
    fn formulas_without_structure_are_refused() {
        let game: Game = "Nim(3)".parse().unwrap();
        let formula = Formula::parse("xor(a,b,c) = 0", &Context::of_game(&game)).unwrap();
        let error = structure(&game, &formula).err().unwrap();
        assert!(matches!(error, FigureError::NoStructure(_)));
    }
}
