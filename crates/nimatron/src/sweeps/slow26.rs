//! Questions of Slow26.

use super::{Finding, Question, Sweep, Swept, stop};
use crate::check::{Conjecture, Context, Formula};
use nimatron_game::{Family, Game, Height, Outcome, Play, Position, Rule, Sizes, Stop, Watch};
use nimatron_table::sorted::{self, SortedTable};
use nimatron_table::{Alone, TableError};
use nimatron_theory::library::slow_all_but_one::AllButOneSlow;
use nimatron_theory::slow::at_least::{Wording, formula};
use nimatron_theory::slow::extension::Extension;
use nimatron_theory::slow::{Cell, m_rule};

/// About so many positions with ascending heights are looked at.
const POSITIONS: u128 = 300_000;

fn slow(n: usize, sizes: impl IntoIterator<Item = usize>) -> Game {
    Game::new(Family::Slow { n, sizes: Sizes::new(sizes) }).expect("sizes up to n")
}

fn rule(game: &Game) -> &Rule {
    game.single().expect("one game")
}

/// The greatest height for which there are at most so many positions with ascending heights.
fn height(n: usize, positions: u128) -> Height {
    let count =
        |max: Height| (1..=n as u128).fold(1u128, |count, i| count * (u128::from(max) + i) / i);
    (1..60).take_while(|&max| count(max) <= positions).last().unwrap_or(1)
}

fn table(game: &Game, max: Height, watch: &dyn Watch) -> Result<SortedTable, Stop> {
    sorted::outcomes(rule(game), game.convention(), max, watch).map_err(|error| match error {
        TableError::Stopped(stop) => stop,
        _ => Stop::Memory,
    })
}

/// Conjecture 1, in either wording, for all k from 2 on.
pub(super) fn at_least(sweep: &mut Sweep, watch: &dyn Watch) -> Result<(), Stop> {
    let n = sweep.stacks;
    let max = height(n, POSITIONS);
    let wording = match sweep.question {
        Question::AtLeast => Wording::Printed,
        _ => Wording::Corrected,
    };
    for k in 2..=n {
        let game = slow(n, k..=n);
        let text = formula(n, k, wording);
        let formula = Formula::parse(&text, &Context::of_game(&game)).expect("a formula");
        let conjecture = Conjecture::new(&game, &formula).expect("a short formula");
        let check = conjecture.check(&vec![max; n], &Alone, watch).map_err(stop)?;
        let (finding, text) = match (check.counterexample(), check.stop, wording) {
            (Some(smallest), _, _) => {
                let outcome = match smallest.kind {
                    crate::check::MismatchKind::Missed => "is P, but not by the grid",
                    crate::check::MismatchKind::Claimed => "is N, but P by the grid",
                };
                (Finding::Counterexample, format!("{} {outcome}", smallest.position))
            }
            (None, Some(stop), _) => return Err(stop),
            (None, None, Wording::Corrected) if k + 1 == n => {
                (Finding::Proved, "Slow26 Theorem 8".to_string())
            }
            (None, None, Wording::Corrected) if k == n => {
                (Finding::Proved, "every play is as long as the least stack is high".to_string())
            }
            (None, None, _) => {
                (Finding::Evidence, format!("no counterexample with heights up to {max}"))
            }
        };
        sweep.games.push(Swept::new(&game, finding, text));
    }
    Ok(())
}

/// Open Problem 5.
pub(super) fn subset(sweep: &mut Sweep, watch: &dyn Watch) -> Result<(), Stop> {
    let n = sweep.stacks;
    let max = height(n, POSITIONS);
    for k in 2..n {
        let (larger, smaller) = (slow(n, [k, n]), slow(n, [k]));
        let (one, other) = (table(&larger, max, watch)?, table(&smaller, max, watch)?);
        let only = |(position, outcome): &(Position, Outcome)| {
            *outcome == Outcome::P && other.get(position) == Some(Outcome::N)
        };
        let smallest =
            one.iter().filter(only).map(|(p, _)| p).min_by_key(|p| (p.total(), p.to_vec()));
        let (finding, text) = match smallest {
            Some(position) => {
                (Finding::Counterexample, format!("{position} is P here, and N in {smaller}"))
            }
            None if k + 1 == n => {
                (Finding::Proved, format!("among those of {smaller}: Slow26 Theorems 6 and 8"))
            }
            None => {
                (Finding::Evidence, format!("among those of {smaller}, with heights up to {max}"))
            }
        };
        sweep.games.push(Swept::new(&larger, finding, text));
    }
    Ok(())
}

/// Proposition 7, as it is used for Theorem 8: the three conditions, looked at position by position.
pub(super) fn one_more_move(sweep: &mut Sweep, watch: &dyn Watch) -> Result<(), Stop> {
    let n = sweep.stacks;
    let max = height(n, POSITIONS / 10);
    let (solved, extended) = (slow(n, [n - 1]), slow(n, [n - 1, n]));
    let known = AllButOneSlow::new(n, false).expect("n is at least 3");
    let is_p = |heights: &[Height]| known.is_p(heights);
    let in_q = |heights: &[Height]| Cell::of(n - 1, heights) == Cell { s: n - 2, o: n };
    let extension =
        Extension { solved: rule(&solved), extended: rule(&extended), is_p: &is_p, in_q: &in_q };
    // One height after the other, so that limits are heard.
    for height in 1..=max {
        watch.check(0)?;
        if let Err(failure) = extension.verify(height) {
            let text = format!("condition {:?} fails at {:?}", failure.condition, failure.position);
            sweep.games.push(Swept::new(&extended, Finding::Counterexample, text));
            return Ok(());
        }
    }
    let text = format!(
        "Slow26 Theorem 8; the three conditions hold at all positions with heights up to {max}"
    );
    sweep.games.push(Swept::new(&extended, Finding::Proved, text));
    Ok(())
}

/// The M-rule under misere play: N-positions from which its move does not win.
pub(super) fn misere_m_rule(sweep: &mut Sweep, watch: &dyn Watch) -> Result<(), Stop> {
    let n = sweep.stacks;
    let max = height(n, POSITIONS);
    let game = slow(n, [n - 1]).under(Play::Misere);
    let outcomes = table(&game, max, watch)?;
    let (mut won, mut exceptions) = (0u64, Vec::new());
    for (position, outcome) in outcomes.iter() {
        let take = m_rule::optimal_move(&position);
        let (Outcome::N, Some(take)) = (outcome, take) else { continue };
        let mut left = Rule::option(&position, &take);
        left.sort_unstable();
        match outcomes.get(&left) {
            Some(Outcome::P) => won += 1,
            _ => exceptions.push(position),
        }
    }
    exceptions.sort_by_key(|p| (p.total(), p.to_vec()));
    let shown: Vec<String> = exceptions.iter().take(6).map(ToString::to_string).collect();
    let (finding, text) = match shown.is_empty() {
        true => (Finding::Evidence, format!("wins wherever one can win, with heights up to {max}")),
        false => (
            Finding::Counterexample,
            format!(
                "with heights up to {max}, in ascending order, it wins from {won} N-positions and fails at {}: {}{}",
                exceptions.len(),
                shown.join(", "),
                if exceptions.len() > shown.len() { ", ..." } else { "" }
            ),
        ),
    };
    sweep.games.push(Swept::new(&game, finding, text));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use nimatron_game::Unlimited;

    fn findings(question: Question, n: usize) -> Vec<(String, Finding, String)> {
        let sweep = Sweep::of(question, n, &Unlimited);
        assert_eq!(sweep.stop, None);
        sweep.games.into_iter().map(|g| (g.game, g.finding, g.text)).collect()
    }

    #[test]
    fn the_subset_fails_first_on_four_stacks() {
        let found = findings(Question::Subset, 3);
        assert_eq!(found[0].1, Finding::Proved);
        let found = findings(Question::Subset, 4);
        assert_eq!(found[0].1, Finding::Counterexample);
        assert_eq!(found[0].2, "(1,2,2,4) is P here, and N in Slow(4,{2})");
        assert_eq!(found[1].1, Finding::Proved);
    }

    #[test]
    fn the_grid_as_printed_fails_and_the_corrected_one_does_not() {
        let printed = findings(Question::AtLeast, 4);
        assert_eq!(printed[0].1, Finding::Counterexample);
        assert!(printed[0].2.starts_with("(0,1,2,2)"), "{}", printed[0].2);
        let corrected = findings(Question::AtLeastCorrected, 5);
        assert!(corrected.iter().all(|(_, finding, _)| *finding != Finding::Counterexample));
    }

    #[test]
    fn the_misere_rule_has_the_exceptions_that_are_known() {
        let found = findings(Question::MisereMRule, 3);
        assert_eq!(found[0].1, Finding::Counterexample);
        assert!(
            found[0].2.contains("fails at 1711: (1,1,2), (1,1,3), (1,1,4), (1,2,3)"),
            "{}",
            found[0].2
        );
        assert_eq!(findings(Question::OneMoreMove, 4)[0].1, Finding::Proved);
    }
}
