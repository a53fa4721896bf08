//! Fewer and shorter words for the same set, in normal order.

use super::atoms::cost;
use super::cell::Cell;
use super::exact::{Exact, Unanswered, accepts, difference, is_empty};
use super::sample::{Chance, Walks};
use nimatron_formula::{Formula, Relation, Term};
use nimatron_verify::automaton::Dfa;

/// The union of the cells and of their images under the symmetries, as short as it gets while it holds
/// wherever `wanted` accepts; with the number of cells that are left.
pub(super) fn simplified(
    exact: &mut Exact<'_>,
    wanted: &Dfa,
    mut cells: Vec<Cell>,
) -> Result<(usize, Formula), Unanswered> {
    drop_atoms(exact, &mut cells)?;
    drop_cells(exact, wanted, &mut cells)?;
    let cells = in_order(cells.iter().map(|cell| least_image(&exact.group, &cell.atoms)).collect());
    let (count, plain) = (cells.len(), Formula::or(cells));
    let needs_sym = exact.group.len() > 1 && !covers(exact, wanted, &plain)?;
    Ok((count, if needs_sym { Formula::Sym(plain.into()) } else { plain }))
}

/// Whether a formula holds wherever an automaton accepts.
fn covers(exact: &mut Exact<'_>, wanted: &Dfa, formula: &Formula) -> Result<bool, Unanswered> {
    let dfa = exact.automaton(formula)?;
    Ok(difference(exact.stacks, wanted, &dfa, |wanted, found| wanted && !found).is_none())
}

/// Leaves out what a cell does not need to stay within the set.
fn drop_atoms(exact: &mut Exact<'_>, cells: &mut [Cell]) -> Result<(), Unanswered> {
    for cell in cells {
        let mut at = cell.atoms.len();
        while at > 0 {
            at -= 1;
            exact.check()?;
            let mut fewer = cell.atoms.clone();
            let gone = fewer.remove(at);
            let equations = cell.equations - usize::from(at < cell.equations);
            let dfa = exact.automaton(&Formula::and(fewer.iter().cloned()))?;
            if exact.outside(&dfa).is_none() {
                *cell = Cell { atoms: fewer, equations, dfa };
                continue;
            }
            // The bound itself may belong to it.
            if let Formula::Compare(left, Relation::Less, right) = gone {
                let mut weaker = cell.atoms.clone();
                weaker[at] = Formula::Compare(left, Relation::AtMost, right);
                let dfa = exact.automaton(&Formula::and(weaker.iter().cloned()))?;
                if exact.outside(&dfa).is_none() {
                    *cell = Cell { atoms: weaker, equations: cell.equations, dfa };
                }
            }
        }
    }
    Ok(())
}

/// Leaves out cells that the others make superfluous, the longest first.
fn drop_cells(
    exact: &mut Exact<'_>,
    wanted: &Dfa,
    cells: &mut Vec<Cell>,
) -> Result<(), Unanswered> {
    let mut order: Vec<usize> = (0..cells.len()).collect();
    order.sort_by_key(|&at| (std::cmp::Reverse(cells[at].cost()), at));
    let mut gone = vec![false; cells.len()];
    for &at in &order {
        let others: Vec<&Cell> =
            (0..cells.len()).filter(|&o| o != at && !gone[o]).map(|o| &cells[o]).collect();
        if is_needed(exact, wanted, &cells[at], &others) {
            continue;
        }
        let mut remaining = wanted.clone();
        for other in (0..cells.len()).filter(|&other| other != at && !gone[other]) {
            remaining = exact.without(&remaining, &cells[other].dfa)?;
        }
        gone[at] = is_empty(&remaining);
    }
    let mut at = 0;
    cells.retain(|_| {
        at += 1;
        !gone[at - 1]
    });
    Ok(())
}

/// How many positions of a cell are looked at before it is compared with the others exactly.
const SAMPLES: usize = 48;

/// Whether a position of a cell was found that lies in no image of the others. This is much quicker than
/// to find out that there is none.
fn is_needed(exact: &Exact<'_>, wanted: &Dfa, cell: &Cell, others: &[&Cell]) -> bool {
    let Some(walks) = Walks::new(exact.stacks, &cell.dfa) else { return false };
    let mut chance = Chance::new(1);
    let mut samples =
        (0..SAMPLES).filter_map(|at| walks.giant(&mut chance, [2, 10, 30, 60][at % 4]));
    samples.any(|sample| {
        let images = exact.images(&sample);
        let covered = |other: &&Cell| images.iter().any(|image| accepts(&other.dfa, image));
        accepts(wanted, &sample) && !others.iter().any(covered)
    })
}

/// The shortest first, each once.
pub(super) fn in_order(mut cells: Vec<Formula>) -> Vec<Formula> {
    cells.sort_by_cached_key(length);
    cells.dedup();
    cells
}

fn length(formula: &Formula) -> (usize, String) {
    let text = formula.to_string();
    (text.len(), text)
}

/// The image of a conjunction under the symmetries that reads best.
pub(super) fn least_image(group: &[Vec<usize>], atoms: &[Formula]) -> Formula {
    let images = group
        .iter()
        .map(|image| arranged(atoms.iter().map(|atom| tidy(&atom.relabel(image))).collect()));
    images.min_by_key(length).unwrap_or_else(|| Formula::and(atoms.iter().cloned()))
}

/// A comparison with its terms in normal order.
pub(super) fn tidy(formula: &Formula) -> Formula {
    match formula {
        Formula::Compare(left, relation, right) => {
            Formula::Compare(ordered(left), *relation, ordered(right))
        }
        other => other.clone(),
    }
}

pub(crate) fn ordered(term: &Term) -> Term {
    let list = |items: &[Term]| {
        let mut items: Vec<Term> = items.iter().map(ordered).collect();
        items.sort_by_cached_key(|item| {
            let text = item.to_string();
            let constant = matches!(item, Term::Constant(_));
            let letter = text.trim_start_matches(|c: char| c.is_ascii_digit()).to_string();
            (constant, letter.len(), letter, text)
        });
        items
    };
    match term {
        Term::Sum(items) => Term::sum(list(items)),
        Term::Min(items) => Term::Min(list(items)),
        Term::Max(items) => Term::Max(list(items)),
        Term::Xor(items) => Term::Xor(list(items)),
        Term::Scale(factor, inner) => Term::scale(*factor, ordered(inner)),
        Term::Mod(inner, modulus) => Term::Mod(ordered(inner).into(), *modulus),
        other => other.clone(),
    }
}

/// A conjunction with equal terms in chains, `b = e = c+d`; equations first, shorter ones before
/// longer ones.
pub(crate) fn arranged(atoms: Vec<Formula>) -> Formula {
    let mut chains: Vec<Vec<Term>> = Vec::new();
    let mut others: Vec<Formula> = Vec::new();
    for atom in atoms {
        let Formula::Compare(left, Relation::Equal, right) = &atom else {
            others.push(atom);
            continue;
        };
        let is_law = |term: &Term| matches!(term, Term::Mod(..) | Term::Xor(_));
        let constant = matches!(right, Term::Constant(_) | Term::Least | Term::Greatest);
        if is_law(left) || constant && !matches!(left, Term::Stack(_)) {
            others.push(atom);
            continue;
        }
        let mut joined = vec![left.clone(), right.clone()];
        chains.retain(|chain| {
            let shared = chain.iter().any(|term| joined.contains(term));
            if shared {
                joined.extend(chain.iter().cloned());
            }
            !shared
        });
        joined.sort_by_cached_key(key_of_term);
        joined.dedup();
        chains.push(joined);
    }
    let chain = |terms: Vec<Term>| {
        let pairs = terms.windows(2);
        Formula::and(pairs.map(|p| Formula::Compare(p[0].clone(), Relation::Equal, p[1].clone())))
    };
    let mut items: Vec<(bool, usize, String, Formula)> = Vec::new();
    for terms in chains {
        // `a = xor(b,c)` by itself is `xor(a,b,c) = 0`, which favours no stack.
        if let [stack @ Term::Stack(_), Term::Xor(list)] = &terms[..]
            && list.iter().all(|item| matches!(item, Term::Stack(_)) && item != stack)
        {
            let all = Term::Xor(list.iter().chain([stack]).cloned().collect());
            others.push(Formula::Compare(ordered(&all), Relation::Equal, Term::Constant(0)));
            continue;
        }
        let formula = chain(terms);
        items.push((false, cost(&formula), formula.to_string(), formula));
    }
    for formula in others {
        items.push((true, cost(&formula), formula.to_string(), formula));
    }
    items.sort_by(|a, b| (a.0, a.1, &a.2).cmp(&(b.0, b.1, &b.2)));
    Formula::and(items.into_iter().map(|(_, _, _, formula)| formula))
}

/// Stacks before sums, and what is said of them (a number, the least, the greatest) last.
fn key_of_term(term: &Term) -> (bool, usize, String) {
    let last = matches!(term, Term::Constant(_) | Term::Least | Term::Greatest);
    let text = term.to_string();
    (last, text.len(), text)
}
