//! Winning moves in sums.

use crate::solver::{Solver, Value};
use nimatron_game::{Play, Rule, Stop, Take};
use nimatron_reduce::{Part, State};

/// A move of a sum under normal play that makes the xor of the parts' values zero, or `None` if it
/// is zero already. Some part can always be brought to the value of all others together; single
/// stacks of SetNim, where the height is the value, are tried first, for there the move is plain
/// at any height.
pub(crate) fn winning_move(
    solver: &mut Solver,
    state: &State,
    values: &[Value],
) -> Result<Option<Take>, Stop> {
    let total = values.iter().fold(0, |a, b| a ^ b.grundy);
    if total == 0 {
        return Ok(None);
    }
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by_key(|&i| !is_nim(&state.parts[i].rule));
    for index in order {
        let target = values[index].grundy ^ total;
        if target >= values[index].grundy {
            continue;
        }
        let part = &state.parts[index];
        let local = match is_nim(&part.rule) {
            true => lower_one_stack(&part.heights, total),
            false => reach_value(solver, part, &values[index], target)?,
        };
        if let Some(local) = local {
            let mut take = vec![0; state.stacks()];
            take[state.ranges()[index].clone()].copy_from_slice(&local);
            return Ok(Some(Take::new(take)));
        }
    }
    unreachable!("a sum of non-zero value has a move to value zero")
}

/// Whether the part is ordinary Nim: any number of tokens from one stack.
fn is_nim(rule: &Rule) -> bool {
    rule.is_set_nim() && rule.sets().iter().all(|set| set.len() == 1)
}

/// Bouton's move: a stack whose xor with `total` is smaller is lowered to that.
fn lower_one_stack(heights: &[u64], total: u64) -> Option<Vec<u64>> {
    let stack = heights.iter().position(|h| h ^ total < *h)?;
    let mut take = vec![0; heights.len()];
    take[stack] = heights[stack] - (heights[stack] ^ total);
    Some(take)
}

/// A move of the part to a position of this Grundy value, by trying all.
fn reach_value(
    solver: &mut Solver,
    part: &Part,
    value: &Value,
    target: u64,
) -> Result<Option<Vec<u64>>, Stop> {
    for take in part.rule.moves(&part.heights) {
        let heights = Rule::option(&part.heights, &take);
        let reached = match &value.table {
            Some(table) => table.get(&heights).map_or(0, u64::from),
            None => {
                let reached = Part { heights, ..part.clone() };
                solver.grundy(&State { play: Play::Normal, parts: vec![reached] })?
            }
        };
        if reached == target {
            return Ok(Some(take.into_vec()));
        }
    }
    Ok(None)
}
