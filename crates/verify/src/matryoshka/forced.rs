//! Stacks that are never all positive in a P-position.
//!
//! A *forced* set of stacks is claimed to contain an empty stack in every P-position. Then it is enough
//! to have children for the sets T that meet all vectors and all forced sets, if from every position
//! that is positive on a forced set some move leads into S. A tree of regions shows that.
//!
//! All forms are linear in the heights p, without a constant. The constraints at the root, in this
//! order: for each stack, p >= 1 if it is forced and p >= 0 otherwise; if a stack is said to be
//! the least, for every other stack that the symmetries can bring to its place, that it is at least as
//! tall. (Some symmetry brings a position to this form, if all of them keep the forced set.) Then
//! come the constraints of the path.

use super::{Nested, image};
use nimatron_game::StackSet;
use serde::{Deserialize, Serialize};

/// A set of stacks that contains an empty one in every P-position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Forced {
    /// The set.
    pub stacks: u32,
    /// A stack that is at most as tall as those that the symmetries bring to its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least: Option<u32>,
    /// Why every position that is positive on the set has a move into S: a tree, parents first, each
    /// node followed by the trees of its children.
    pub tree: Vec<Region>,
}

/// A node of the tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Region {
    /// Two children: the form is at least 0; it is at most -1.
    Split(Vec<i64>),
    /// No position is left: multiples of constraints, by their numbers, add up to a negative constant.
    Empty(Vec<(usize, i64)>),
    /// A move leads into a cell.
    Play {
        /// The facet played on.
        facet: u32,
        /// The number of the cell.
        cell: usize,
        /// By generator of the cell: how often it is taken, as a form. The option is the sum.
        times: Vec<Vec<i64>>,
    },
}

/// The most constraints of a path: each of them is kept for each node that is still to come.
const MAX_ROWS: usize = 1_000;

/// `form . p + constant >= 0`.
#[derive(Clone)]
struct Row {
    form: Vec<i128>,
    constant: i128,
}

/// Checks the tree; `Err` is the number of the node that fails, or of the one that is missing.
pub(super) fn check(
    nested: &Nested,
    symmetries: &[Vec<u32>],
    forced: &Forced,
) -> Result<(), usize> {
    let mut open = vec![root(nested, symmetries, forced).ok_or(0usize)?];
    for (number, region) in forced.tree.iter().enumerate() {
        let rows = open.pop().ok_or(number)?;
        match region {
            Region::Split(form)
                if form.len() == nested.stacks as usize && rows.len() < MAX_ROWS =>
            {
                let form: Vec<i128> = form.iter().map(|&c| c.into()).collect();
                let negative = form.iter().map(|c| -c).collect();
                open.push([&rows[..], &[Row { form: negative, constant: -1 }]].concat());
                open.push([&rows[..], &[Row { form, constant: 0 }]].concat());
            }
            Region::Empty(multiples) if is_contradiction(&rows, multiples) == Some(true) => {}
            Region::Play { facet, cell, times }
                if is_move(nested, forced.stacks, &rows, *facet, *cell, times) => {}
            _ => return Err(number),
        }
    }
    if open.is_empty() { Ok(()) } else { Err(forced.tree.len()) }
}

/// The constraints at the root, or `None` if a symmetry changes the forced set.
fn root(nested: &Nested, symmetries: &[Vec<u32>], forced: &Forced) -> Option<Vec<Row>> {
    let n = nested.stacks as usize;
    let unit = |stack: usize| (0..n).map(|s| i128::from(s == stack)).collect::<Vec<_>>();
    let positive = |stack: usize| -i128::from(forced.stacks >> stack & 1);
    let mut rows: Vec<Row> =
        (0..n).map(|stack| Row { form: unit(stack), constant: positive(stack) }).collect();
    let Some(least) = forced.least else { return Some(rows) };
    let least = usize::try_from(least).ok().filter(|&least| least < n)?;
    if symmetries.iter().any(|images| image(images, forced.stacks) != forced.stacks) {
        return None;
    }
    let mut orbit = 1u32 << least;
    loop {
        let wider = symmetries.iter().fold(orbit, |orbit, images| orbit | image(images, orbit));
        if wider == orbit {
            break;
        }
        orbit = wider;
    }
    for stack in StackSet::from_bits(orbit).iter().filter(|&stack| stack != least) {
        let mut form = unit(stack);
        form[least] = -1;
        rows.push(Row { form, constant: 0 });
    }
    Some(rows)
}

/// Whether multiples of rows add up to a negative constant; `None` if a row does not exist or a number
/// is too large.
fn is_contradiction(rows: &[Row], multiples: &[(usize, i64)]) -> Option<bool> {
    let mut sum = vec![0i128; rows.first().map_or(0, |row| row.form.len())];
    let mut constant = 0i128;
    for &(number, multiple) in multiples {
        let (row, multiple) = (rows.get(number)?, i128::from(multiple));
        if multiple < 0 {
            return Some(false);
        }
        for (sum, c) in sum.iter_mut().zip(&row.form) {
            *sum = sum.checked_add(c.checked_mul(multiple)?)?;
        }
        constant = constant.checked_add(row.constant.checked_mul(multiple)?)?;
    }
    Some(sum.iter().all(|&c| c == 0) && constant < 0)
}

/// Whether the sum of generators is reached from p by a move on the facet, wherever the rows hold.
fn is_move(
    nested: &Nested,
    forced: u32,
    rows: &[Row],
    facet: u32,
    cell: usize,
    times: &[Vec<i64>],
) -> bool {
    let n = nested.stacks as usize;
    let Some(cell) = nested.cells.get(cell) else { return false };
    let all = cell.iter().fold(0, |all, generator| all | generator);
    // A forced stack that is empty in the cell: it holds tokens in p, so something is taken.
    let lowers = forced & !all != 0;
    if !lowers || !nested.facets.contains(&facet) || times.len() != cell.len() {
        return false;
    }
    if times.iter().any(|form| form.len() != n) {
        return false;
    }
    let holds = |form: &[i128]| {
        form.iter().all(|&c| c >= 0) || rows.iter().any(|row| row.constant <= 0 && row.form == form)
    };
    let wide = |form: &Vec<i64>| form.iter().map(|&c| i128::from(c)).collect::<Vec<_>>();
    let taken = |stack: usize| {
        let mut left: Vec<i128> = (0..n).map(|s| i128::from(s == stack)).collect();
        for (generator, form) in cell.iter().zip(times) {
            if generator >> stack & 1 == 1 {
                left.iter_mut().zip(form).for_each(|(left, &c)| *left -= i128::from(c));
            }
        }
        left
    };
    times.iter().all(|form| holds(&wide(form)))
        && (0..n).all(|stack| match facet >> stack & 1 {
            1 => holds(&taken(stack)),
            _ => taken(stack).iter().all(|&c| c == 0),
        })
}
