//! What is known about a game as a formula in its own stacks.

use crate::knowledge::{Cover, Knowledge};
use crate::subgames::emptied;
use crate::verdict::By;
use nimatron_formula::{Context, Formula, Term};
use nimatron_game::symmetry::Symmetry;
use nimatron_game::{Game, Play, Rule, StackSet};
use nimatron_reduce::{Chain, Change};

/// More symmetries than this are not written out.
const MOST_SYMMETRIES: usize = 2_000;

/// A span is not written out with more vectors than this.
const MOST_VECTORS: usize = 2_000;

/// The P-positions of a game as a formula, in its own stacks, and who knows it.
pub(super) fn known_formula(game: &Game, knowledge: &Knowledge) -> Option<(Formula, By)> {
    of_rule(game.single()?, game.convention(), knowledge)
}

fn of_rule(rule: &Rule, play: Play, knowledge: &Knowledge) -> Option<(Formula, By)> {
    let of = |cover: Cover| Some((formula_of(rule, &cover)?, cover.by()));
    // A theorem may describe the P-positions by a strategy: then a proof may have the formula.
    let proof = || knowledge.proof_cover(rule, play).map(Cover::Proof);
    knowledge.cover(rule, play).and_then(of).or_else(|| proof().and_then(of))
}

fn formula_of(rule: &Rule, cover: &Cover) -> Option<Formula> {
    let (text, stacks) = match cover {
        Cover::Theorem(theorem) => {
            let inverse = theorem.relabelling.inverse();
            (theorem.solution().formula()?, inverse.images().collect::<Vec<_>>())
        }
        Cover::Proof(proof) if !proof.is_part() => {
            let own = proof.stored().relabelling().inverse();
            (proof.stored().proved().formula()?, own.images().collect())
        }
        Cover::Proof(_) => return None,
    };
    let formula = Formula::parse(&text, &Context::of_rule(rule)).ok()?;
    Some(formula.relabel(&stacks))
}

/// The same where some stacks are empty, and where the game may be known after reductions only. The
/// formula is in the stacks of the game; it says nothing of those that are empty.
pub(super) fn known_after_reductions(
    game: &Game,
    empty: StackSet,
    knowledge: &Knowledge,
) -> Option<(Formula, By)> {
    if empty.is_empty()
        && let Some(known) = known_formula(game, knowledge)
    {
        return Some(known);
    }
    let mut chain = Chain::reduce(emptied(game, empty));
    let maps = |change: &Change| {
        matches!(
            change,
            Change::Zero { .. }
                | Change::Idle { .. }
                | Change::Merge { .. }
                | Change::Naming { .. }
        )
    };
    let usable = chain.steps().iter().take_while(|step| maps(&step.change)).count();
    // The smaller the game, the shorter the formula.
    for taken in (0..=usable).rev() {
        let state = chain.after(taken).clone();
        let [part] = &state.parts[..] else { continue };
        let Some((formula, by)) = of_rule(&part.rule, state.play, knowledge) else { continue };
        let symmetries = symmetries(&part.rule, &formula)?;
        chain.truncate(taken);
        return Some((written(&formula, &chain.members(), &symmetries)?, by));
    }
    None
}

/// The symmetries of a rule as the formula needs them; `None` if there are too many.
pub(super) fn symmetries(rule: &Rule, formula: &Formula) -> Option<Vec<Vec<usize>>> {
    if !formula.any(&mut |part| matches!(part, Formula::Sym(_))) {
        return Some(Vec::new());
    }
    let elements = Symmetry::of(rule).elements_up_to(MOST_SYMMETRIES)?;
    Some(elements.iter().map(|element| element.images().collect()).collect())
}

/// The formula with other stacks: each of its stacks is the sum of these, or empty without any. `None`
/// where that cannot be said.
pub(super) fn written(
    formula: &Formula,
    stacks: &[Vec<usize>],
    symmetries: &[Vec<usize>],
) -> Option<Formula> {
    let again = |f: &Formula| written(f, stacks, symmetries);
    let all = |items: &[Formula]| items.iter().map(again).collect::<Option<Vec<_>>>();
    Some(match formula {
        Formula::Compare(left, relation, right) => {
            Formula::Compare(term(left, stacks)?, *relation, term(right, stacks)?)
        }
        Formula::And(items) => Formula::and(all(items)?),
        Formula::Or(items) => Formula::or(all(items)?),
        Formula::Not(inner) => Formula::Not(again(inner)?.into()),
        Formula::Sym(inner) => {
            let mut images: Vec<Formula> = Vec::new();
            for image in std::iter::once(again(inner)?)
                .chain(symmetries.iter().filter_map(|image| again(&inner.relabel(image))))
            {
                if !images.contains(&image) {
                    images.push(image);
                }
            }
            Formula::or(images)
        }
        Formula::Span(sets) => {
            let mut vectors: Vec<StackSet> = Vec::new();
            for set in sets {
                let mut chosen = vec![StackSet::EMPTY];
                for stack in set.iter() {
                    let with = |one: &StackSet| {
                        stacks[stack].iter().map(|&s| one.with(s)).collect::<Vec<_>>()
                    };
                    chosen = chosen.iter().flat_map(with).collect();
                    if chosen.len() > MOST_VECTORS {
                        return None;
                    }
                }
                vectors.extend(chosen);
            }
            (vectors.len() <= MOST_VECTORS).then_some(())?;
            Formula::Span(vectors)
        }
        Formula::Let(name, value, body) => {
            Formula::Let(name.clone(), term(value, stacks)?, again(body)?.into())
        }
        // These are about the digits, or the rules, of stacks that are there as they are.
        Formula::Digits(inner) if are_single(stacks) => Formula::Digits(again(inner)?.into()),
        Formula::Then(high, low) if are_single(stacks) => {
            Formula::Then(again(high)?.into(), again(low)?.into())
        }
        Formula::Reduced(_) | Formula::Digits(_) | Formula::Then(..) => return None,
    })
}

fn are_single(stacks: &[Vec<usize>]) -> bool {
    stacks.iter().all(|members| members.len() <= 1)
}

fn term(term_: &Term, stacks: &[Vec<usize>]) -> Option<Term> {
    let again = |t: &Term| term(t, stacks);
    let all = |items: &[Term]| items.iter().map(again).collect::<Option<Vec<_>>>();
    let stack = |members: &Vec<usize>| Term::sum(members.iter().map(|&s| Term::Stack(s)));
    Some(match term_ {
        Term::Stack(s) => stack(stacks.get(*s)?),
        Term::Total => Term::sum(stacks.iter().map(stack)),
        Term::Least => Term::Min(stacks.iter().map(stack).collect()),
        Term::Greatest => Term::Max(stacks.iter().map(stack).collect()),
        Term::Odds if are_single(stacks) => {
            let parity = |members| Term::Mod(Box::new(stack(members)), 2);
            Term::sum(stacks.iter().map(parity))
        }
        Term::Odds => return None,
        Term::Sum(items) => Term::sum(all(items)?),
        Term::Scale(factor, inner) => Term::scale(*factor, again(inner)?),
        Term::Min(items) => Term::Min(all(items)?),
        Term::Max(items) => Term::Max(all(items)?),
        Term::Xor(items) => Term::Xor(all(items)?),
        Term::Mod(inner, modulus) => Term::Mod(again(inner)?.into(), *modulus),
        Term::Constant(_) | Term::Name(_) => term_.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_come_back_through_reductions() {
        let known = |game: &str, empty: &str| {
            let game: Game = game.parse().unwrap();
            let empty = empty.chars().map(|c| c as usize - 'a' as usize).collect();
            let (formula, _) = known_after_reductions(&game, empty, &Knowledge::default())?;
            Some(formula.to_string())
        };
        assert_eq!(known("Set(ad,abc,bcd)", "").unwrap(), "a = d, min(a,d) = b+c");
        assert_eq!(known("CN(5,3)", "").unwrap(), "sym(a = 0, b = e = c+d)");
        // Three stacks in a row are empty: the others merge to CN(3,2).
        assert_eq!(known("CN(9,5)", "bcd").unwrap(), "a = e = f+g+h+i");
        assert_eq!(known("CN(6,2)", ""), None);
        // Who has the theorem says a strategy; the proof of the atlas has the formula.
        assert!(known("CN(9,4)", "").unwrap().starts_with("sym(a+b+c = e+f+g"));
    }
}
