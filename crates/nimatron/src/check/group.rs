//! The symmetries of a game as the formula language needs them.

use nimatron_formula::{Context, Formula};
use nimatron_game::Game;
use nimatron_game::symmetry::Symmetry;
use nimatron_meaning::{Symmetries, evidently_closed};
use std::ops::ControlFlow;

/// The symmetries over which `sym(..)` ranges: those of the game; of a sum, those of each summand.
/// Summands are not exchanged, even if they are alike. Proofs and their checker read it so as well.
pub(super) struct Group {
    /// Groups that act on consecutive stacks, from the given one on.
    parts: Vec<(usize, Symmetry)>,
    stacks: usize,
}

impl Group {
    pub(super) fn of(game: &Game) -> Self {
        let summands = game.summands().iter();
        let parts = summands.map(|s| (s.stacks().start, Symmetry::of(s.rule()))).collect();
        Group { parts, stacks: game.stacks() }
    }

    /// The number of symmetries.
    pub(super) fn order(&self) -> u128 {
        self.parts.iter().fold(1, |order, (_, part)| order.saturating_mul(part.order()))
    }

    /// The group, if it is in one piece.
    pub(super) fn single(&self) -> Option<&Symmetry> {
        match &self.parts[..] {
            [(_, symmetry)] => Some(symmetry),
            _ => None,
        }
    }

    /// Whether the formula is evidently the same condition under all symmetries.
    pub(super) fn keeps(&self, formula: &Formula, context: &Context) -> bool {
        let images = |(first, part): &(usize, Symmetry)| {
            let first = *first;
            let moved = part.generators().into_iter().map(move |generator| {
                let mut images: Vec<usize> = (0..self.stacks).collect();
                for (stack, image) in generator.images().enumerate() {
                    images[first + stack] = first + image;
                }
                images
            });
            moved.collect::<Vec<_>>()
        };
        let generators: Vec<Vec<usize>> = self.parts.iter().flat_map(images).collect();
        is_kept(formula, context, &generators)
    }

    fn each_from(
        &self,
        part: usize,
        images: &mut [usize],
        visit: &mut dyn FnMut(&[usize]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Some((first, symmetry)) = self.parts.get(part) else { return visit(images) };
        for element in symmetry.elements() {
            for (stack, image) in element.images().enumerate() {
                images[first + stack] = first + image;
            }
            self.each_from(part + 1, images, visit)?;
        }
        ControlFlow::Continue(())
    }
}

impl Symmetries for Group {
    fn each(&self, visit: &mut dyn FnMut(&[usize]) -> ControlFlow<()>) -> ControlFlow<()> {
        let mut images: Vec<usize> = (0..self.stacks).collect();
        self.each_from(0, &mut images, visit)
    }
}

/// Whether a formula has a `sym(..)`.
pub(super) fn has_sym(formula: &Formula) -> bool {
    formula.any(&mut |f| matches!(f, Formula::Sym(_)))
}

/// `sym(..)` is kept by definition; around it all parts have to be kept. Formulas without it are
/// compared with their images, for which generators suffice.
fn is_kept(formula: &Formula, context: &Context, generators: &Vec<Vec<usize>>) -> bool {
    if !has_sym(formula) {
        return evidently_closed(formula, context, generators) == Ok(true);
    }
    match formula {
        Formula::Sym(_) => true,
        Formula::And(items) | Formula::Or(items) => {
            items.iter().all(|item| is_kept(item, context, generators))
        }
        Formula::Not(inner) | Formula::Reduced(inner) | Formula::Digits(inner) => {
            is_kept(inner, context, generators)
        }
        Formula::Then(high, low) => {
            is_kept(high, context, generators) && is_kept(low, context, generators)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_that_symmetries_keep() {
        let kept = |game: &str, text: &str| {
            let game: Game = game.parse().unwrap();
            let context = Context::of_game(&game);
            Group::of(&game).keeps(&Formula::parse(text, &context).unwrap(), &context)
        };
        assert!(kept("CN(5,3)", "sym(a = 0, b = e)"));
        assert!(kept("CN(5,3)", "even(total), not sym(a = 0, b = e) or min = 0"));
        assert!(!kept("CN(5,3)", "sym(a = 0, b = e), a < 3"));
        assert!(kept("CN(4,2)", "a = c, b = d"));
        assert!(!kept("CN(4,2)", "a = c, b < d"));
        assert!(kept("Slow(9,{4,5})", "reduced(total mod 8 < 3, odds <= total mod 8)"));
        assert!(!kept("Slow(9,{4,5})", "reduced(a = 0)"));
        assert!(kept("Slow(3,{1}) + Nim(2)", "a+b+c = xor(d,e)"));
        assert!(!kept("Slow(3,{1}) + Nim(2)", "total = 2d"));
    }

    #[test]
    fn the_group_of_a_sum_is_that_of_its_summands() {
        let count = |game: &str| {
            let (mut count, group) = (0, Group::of(&game.parse().unwrap()));
            let _ = group.each(&mut |images| {
                let mut sorted = images.to_vec();
                sorted.sort_unstable();
                assert_eq!(sorted, (0..images.len()).collect::<Vec<_>>());
                count += 1;
                ControlFlow::Continue(())
            });
            assert_eq!(count, group.order());
            count
        };
        assert_eq!(count("CN(5,3)"), 10);
        assert_eq!(count("Slow(3,{1}) + Nim(2)"), 12);
        // Summands are not exchanged.
        assert_eq!(count("Nim(1) + PN(3,2) + PN(3,2)"), 4);
    }
}
