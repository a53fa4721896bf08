//! The kinds of moves of a game, and the symmetries, as the prover sees them.

use nimatron_game::symmetry::Symmetry;
use nimatron_game::{Amounts, Choice, Game, StackSet};
use nimatron_linear::{Constraint, Form, Overflow};
use std::collections::BTreeMap;

/// The most symmetries that are listed.
const MAX_SYMMETRIES: usize = 5_040;

/// Moves on the stacks of one set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Play {
    pub(crate) stacks: StackSet,
    /// Whether stacks of the set may be left as they are.
    pub(crate) any: bool,
    /// What is taken from a stack that is lowered.
    pub(crate) each: Amounts,
    /// What is taken in total.
    pub(crate) total: Amounts,
}

/// The kinds of moves by their sets as numbers, or `None` if there are more than `limit`.
pub(crate) fn plays(game: &Game, limit: usize) -> Option<Vec<Play>> {
    let mut found: BTreeMap<u32, Play> = BTreeMap::new();
    for part in game.summands() {
        let rule = part.rule();
        // Bounds on what is taken from a stack hold for the stacks that are lowered only, so these
        // have to be known.
        let by_subset = rule.choice() == Choice::Any && rule.each() != Amounts::POSITIVE;
        let any = rule.choice() == Choice::Any && !by_subset;
        let mut add = |set: StackSet| {
            let stacks = set.shifted(part.stacks().start);
            let play = Play { stacks, any, each: rule.each(), total: rule.total() };
            found.insert(stacks.bits(), play);
            (found.len() <= limit).then_some(())
        };
        for set in rule.sets().iter() {
            match by_subset {
                false => add(set)?,
                true => set.subsets().filter(|s| !s.is_empty()).try_for_each(&mut add)?,
            }
        }
    }
    Some(found.into_values().collect())
}

/// The relabellings that `sym` ranges over in proofs, each as the images of the stacks, sorted: of a
/// single game all symmetries; of a sum, the symmetries of its summands. `None` if there are more
/// than 5040.
///
/// ```
/// use nimatron_prove::regions::symmetries;
/// let images = symmetries(&"PN(3,2) + Nim(1)".parse().unwrap()).unwrap();
/// assert_eq!(images, [[0, 1, 2, 3], [2, 1, 0, 3]]);
/// ```
pub fn symmetries(game: &Game) -> Option<Vec<Vec<usize>>> {
    let mut images: Vec<Vec<usize>> = vec![Vec::new()];
    for part in game.summands() {
        let elements = Symmetry::of(part.rule()).elements_up_to(MAX_SYMMETRIES / images.len())?;
        let first = part.stacks().start;
        let extended = images.iter().flat_map(|head| {
            let with = |g: &nimatron_game::symmetry::Relabelling| {
                head.iter().copied().chain(g.images().map(|s| first + s)).collect::<Vec<usize>>()
            };
            elements.iter().map(with).collect::<Vec<_>>()
        });
        images = extended.collect();
    }
    images.sort();
    Some(images)
}

impl Play {
    pub(crate) fn relabel(&self, image: &[usize]) -> Play {
        Play { stacks: self.stacks.relabel(image), ..*self }
    }

    /// Whether new heights that are the old ones do no harm, if they lie in S.
    pub(crate) fn may_stay(&self) -> bool {
        self.any && self.total == Amounts::POSITIVE
    }

    /// Where the new height of a stack stands among those of the play.
    pub(crate) fn place(&self, stack: usize) -> usize {
        self.stacks.iter().take_while(|&s| s < stack).count()
    }

    /// The constraints of the play, in the order of the certificate: by stack that the new height
    /// `new(s)` is at least zero and what is taken is allowed, then what is taken in total unless the
    /// position may stay as it is.
    pub(crate) fn constraints(
        &self,
        new: impl Fn(usize) -> usize,
        stay: bool,
    ) -> Result<Vec<Constraint>, Overflow> {
        let mut constraints = Vec::new();
        let mut sum = Form::default();
        for stack in self.stacks {
            let taken = Form::difference(stack, new(stack));
            sum = sum.combine(1, &taken, 1)?;
            constraints.push(Constraint::at_least_zero(Form::variable(new(stack))));
            let least = if self.any { 0 } else { self.each.least() };
            constraints.extend(between(&taken, least, self.each.most())?);
        }
        if !stay {
            constraints.extend(between(&sum, self.total.least(), self.total.most())?);
        }
        Ok(constraints)
    }
}

/// That a form lies between bounds: one equation if these are equal.
fn between(form: &Form, least: u64, most: Option<u64>) -> Result<Vec<Constraint>, Overflow> {
    let amount = |a: u64| i64::try_from(a).map_err(|_| Overflow);
    let lower = form.combine(1, &Form::number(amount(least)?), -1)?;
    Ok(match most {
        None => vec![Constraint::at_least_zero(lower)],
        Some(most) if most == least => vec![Constraint::zero(lower)],
        Some(most) => {
            let upper = Form::number(amount(most)?).combine(1, form, -1)?;
            vec![Constraint::at_least_zero(lower), Constraint::at_least_zero(upper)]
        }
    })
}
