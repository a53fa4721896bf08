//! Formulas that say nearly the same.

use nimatron_formula::{Formula, Relation, Term};

/// The formula with one comparison changed, or without one part, in all ways.
pub(crate) fn mutants(formula: &Formula) -> Vec<Formula> {
    let wrap = |inner: &Formula, of: &dyn Fn(Box<Formula>) -> Formula| -> Vec<Formula> {
        mutants(inner).into_iter().map(|mutant| of(Box::new(mutant))).collect()
    };
    match formula {
        Formula::Compare(left, relation, right) => {
            let others = [Relation::Equal, Relation::AtMost, Relation::Less, Relation::NotEqual];
            let others = others.into_iter().filter(|other| other != relation);
            let mut list: Vec<Formula> =
                others.map(|other| Formula::Compare(left.clone(), other, right.clone())).collect();
            let more = Term::sum([right.clone(), Term::Constant(1)]);
            list.push(Formula::Compare(left.clone(), *relation, more));
            list
        }
        Formula::And(items) | Formula::Or(items) => {
            let all = matches!(formula, Formula::And(_));
            let join =
                |list: Vec<Formula>| if all { Formula::and(list) } else { Formula::or(list) };
            let mut list = Vec::new();
            for at in 0..items.len() {
                let mut fewer = items.clone();
                fewer.remove(at);
                list.push(join(fewer));
                for mutant in mutants(&items[at]) {
                    let mut changed = items.clone();
                    changed[at] = mutant;
                    list.push(join(changed));
                }
            }
            list
        }
        Formula::Sym(inner) => wrap(inner, &Formula::Sym),
        Formula::Digits(inner) => wrap(inner, &Formula::Digits),
        _ => Vec::new(),
    }
}
