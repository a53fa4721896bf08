//! Trees, from lists of nodes with parents first.

use crate::ExportError;
use crate::names;
use nimatron_verify::matryoshka::{Node, Part};

/// The tree of a part, where `places` says where its cells are in Coq's list.
pub(super) fn text(part: &Part, earlier: &[Part], places: &[usize]) -> Result<String, ExportError> {
    let broken = || ExportError::Broken("a tree");
    let place = |cell: u32| places.get(cell as usize).map(|k| k + 1).ok_or_else(broken);
    let mut done: Vec<String> = Vec::new();
    for node in part.tree.iter().rev() {
        let mut child = || done.pop().ok_or_else(broken);
        let text = match node {
            Node::Subtract(set) | Node::Least(set) => {
                let mut children = Vec::new();
                for _ in 0..set.count_ones() {
                    children.push(child()?);
                }
                let name = if matches!(node, Node::Least(_)) { "Least" } else { "Subtract" };
                let list: String = children.iter().map(|child| format!("(Cons {child} ")).collect();
                format!("({name} {set} {list}Nil{})", ")".repeat(children.len()))
            }
            Node::Empty(stack) => format!("(Empty {} {})", names::natural(*stack)?, child()?),
            Node::Zero(stack) => {
                format!("(Zero {} {} {})", names::natural(*stack)?, child()?, child()?)
            }
            Node::Split(row) => format!("(Split {} {} {})", form(row), child()?, child()?),
            Node::None(multiples) => {
                let multiple =
                    |(row, m): &(usize, i64)| Ok(format!("({}, ({m})%Z)", names::natural(*row)?));
                let multiples: Result<Vec<String>, ExportError> =
                    multiples.iter().map(multiple).collect();
                format!("(Nothing [{}])", multiples?.join("; "))
            }
            Node::Move { facet, cell, times } => {
                let times: Vec<String> =
                    times.iter().map(|(g, row)| format!("({g}%N, {})", form(row))).collect();
                format!("(Move {facet} {} [{}])", place(*cell)?, times.join("; "))
            }
            Node::Part { part, names, cells } => {
                if *part as usize >= earlier.len() {
                    return Err(broken());
                }
                let mut into: Vec<String> = Vec::new();
                for &cell in cells {
                    into.push(place(cell)?.to_string());
                }
                names.iter().try_for_each(|&name| names::natural(name).map(drop))?;
                let names = names::list(names);
                format!("(Again {} {names} [{}]%positive)", part + 1, into.join("; "))
            }
        };
        done.push(text);
    }
    match (done.pop(), done.is_empty()) {
        (Some(tree), true) => Ok(tree),
        _ => Err(broken()),
    }
}

/// The coefficients of a linear form.
pub(super) fn form(row: &[i64]) -> String {
    let row: Vec<String> = row.iter().map(i64::to_string).collect();
    format!("[{}]%Z", row.join("; "))
}
