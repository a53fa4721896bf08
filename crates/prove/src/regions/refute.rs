//! Counterexamples.

use super::problem::Problem;
use super::{Failure, FormulaCounterexample, Reason};
use nimatron_game::{Height, Play, Position, Take, Watch};

/// Looks for a counterexample among the positions with few tokens, in the order of their totals:
/// the first is the smallest of all. Stops after about `work` options.
pub(crate) fn small(
    problem: &Problem,
    work: u64,
    watch: &dyn Watch,
) -> Result<Option<FormulaCounterexample>, Failure> {
    let mut left = work;
    for total in 0.. {
        let mut heights = vec![0; problem.stacks];
        if problem.stacks == 0 {
            return Ok(None);
        }
        heights[problem.stacks - 1] = total;
        loop {
            watch.check(0).map_err(Failure::stopped)?;
            match examine(problem, &heights, &mut left) {
                Examined::Wrong(example) => return Ok(Some(example)),
                Examined::TooLong => return Ok(None),
                Examined::Right => {}
            }
            if !next(&mut heights) {
                break;
            }
        }
    }
    Ok(None)
}

/// The next heights with the same total in lexicographic order.
fn next(heights: &mut [Height]) -> bool {
    // The last position from which something can move to the stack before it.
    let Some(i) = (1..heights.len()).rev().find(|&i| heights[i..].iter().any(|&h| h > 0)) else {
        return false;
    };
    let rest: Height = heights[i..].iter().sum();
    heights[i - 1] += 1;
    heights[i..].fill(0);
    if let Some(last) = heights.last_mut() {
        *last = rest - 1;
    }
    true
}

enum Examined {
    Right,
    Wrong(FormulaCounterexample),
    TooLong,
}

/// Whether the formula is right about one position, given that it is right about its options.
fn examine(problem: &Problem, heights: &[Height], left: &mut u64) -> Examined {
    let inside = problem.evaluator.holds(heights);
    let mut terminal = true;
    let mut option = heights.to_vec();
    for take in problem.game.moves(heights) {
        terminal = false;
        if *left == 0 {
            return Examined::TooLong;
        }
        *left -= 1;
        option.iter_mut().zip(heights).zip(take.iter()).for_each(|((o, h), t)| *o = h - t);
        if problem.evaluator.holds(&option) {
            return match inside {
                true => Examined::Wrong(FormulaCounterexample::Claimed {
                    position: position(heights),
                    take,
                }),
                false => Examined::Right,
            };
        }
    }
    let expected = match (terminal, problem.game.convention()) {
        (true, Play::Misere) => false,
        (true, Play::Normal) | (false, _) => true,
    };
    match (inside, expected) {
        (true, true) | (false, false) => Examined::Right,
        (false, true) => {
            Examined::Wrong(FormulaCounterexample::Missed { position: position(heights) })
        }
        (true, false) => {
            Examined::Wrong(FormulaCounterexample::Terminal { position: position(heights) })
        }
    }
}

fn position(heights: &[Height]) -> Position {
    Position::new(heights.to_vec()).unwrap_or_default()
}

/// A position that no region contains.
pub(crate) fn uncovered(problem: &Problem, x: &[i128]) -> Failure {
    let heights: Option<Vec<Height>> = x.iter().map(|&h| Height::try_from(h).ok()).collect();
    let Some(heights) = heights.filter(|h| Position::new(h.clone()).is_ok()) else {
        return Failure::Undecided(Reason::TooTall);
    };
    if !missed(problem, &heights) {
        return Failure::Undecided(Reason::NoRegion(position(&heights)));
    }
    let heights = shrunk(heights, &|h| missed(problem, h));
    Failure::Refuted(FormulaCounterexample::Missed { position: position(&heights) })
}

/// Whether the position should be in S but is not: no move leads into S.
fn missed(problem: &Problem, heights: &[Height]) -> bool {
    if problem.evaluator.holds(heights) {
        return false;
    }
    if problem.game.convention() == Play::Misere && problem.game.is_terminal(heights) {
        return false;
    }
    !super::moves::reaches(problem, heights)
}

/// A smaller position with the same property: stacks are lowered as far as steps of halving
/// lengths lead.
pub(crate) fn shrunk(mut heights: Vec<Height>, holds: &dyn Fn(&[Height]) -> bool) -> Vec<Height> {
    for _ in 0..3 {
        let before = heights.clone();
        for s in 0..heights.len() {
            let mut step = heights[s];
            while step > 0 {
                let mut lower = heights.clone();
                lower[s] -= step.min(lower[s]);
                if lower[s] < heights[s] && holds(&lower) {
                    heights = lower;
                } else {
                    step /= 2;
                }
            }
        }
        // All stacks at once, and in pairs.
        for a in 0..heights.len() {
            for b in a + 1..heights.len() {
                let mut step = heights[a].min(heights[b]);
                while step > 0 {
                    let mut lower = heights.clone();
                    lower[a] -= step.min(lower[a]);
                    lower[b] -= step.min(lower[b]);
                    if lower != heights && holds(&lower) {
                        heights = lower;
                    } else {
                        step /= 2;
                    }
                }
            }
        }
        if heights == before {
            break;
        }
    }
    heights
}

impl FormulaCounterexample {
    /// A move from S to S that was found; made smaller where that is easy.
    pub(crate) fn claimed(problem: &Problem, heights: Vec<Height>, take: Take) -> Failure {
        let option = |h: &[Height]| -> Option<Vec<Height>> {
            h.iter().zip(take.iter()).map(|(h, t)| h.checked_sub(*t)).collect()
        };
        let wrong = |h: &[Height]| {
            problem.evaluator.holds(h)
                && problem.game.is_legal(h, &take)
                && option(h).is_some_and(|o| problem.evaluator.holds(&o))
        };
        if Position::new(heights.clone()).is_err() || !wrong(&heights) {
            return Failure::internal("a move that is none");
        }
        let heights = shrunk(heights, &wrong);
        Failure::Refuted(FormulaCounterexample::Claimed { position: position(&heights), take })
    }
}
