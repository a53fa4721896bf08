//! What a certificate says about single positions: the plainest way to see that rules and cases are
//! right, at small heights.

use super::super::problem::Problem;
use super::super::{cert, domain};
use cert::{Node, RegionsProof, Rule};
use nimatron_game::{Height, Play, StackSet};

/// Heights up to this are tried.
const MOST: Height = 4;

fn positions(stacks: usize) -> impl Iterator<Item = Vec<Height>> {
    let base = MOST + 1;
    (0..base.pow(stacks as u32))
        .map(move |code| (0..stacks).map(|s| code / base.pow(s as u32) % base).collect())
}

fn value(form: &cert::Form, x: &[i128]) -> i128 {
    form.1.iter().fold(form.0.into(), |sum, &(v, c)| sum + i128::from(c) * x[v])
}

fn holds(branch: &cert::Branch, x: &[i128]) -> bool {
    branch.constraints.iter().all(|c| {
        let value = value(&c.form, x);
        if c.equation { value == 0 } else { value >= 0 }
    })
}

/// Whether two branches hold at the same positions. Further integers are found by trying.
pub(super) fn same_branch(problem: &Problem, a: &cert::Branch, b: &cert::Branch) -> bool {
    let inside = |branch: &cert::Branch, heights: &[Height]| {
        let choices = 7u64.pow(branch.extras as u32);
        (0..choices).any(|code| {
            let further = (0..branch.extras).map(|e| i128::from(code / 7u64.pow(e as u32) % 7) - 1);
            let x: Vec<i128> = heights.iter().map(|&h| h.into()).chain(further).collect();
            holds(branch, &x)
        })
    };
    positions(problem.stacks).all(|heights| inside(a, &heights) == inside(b, &heights))
}

/// Whether a rule without further integers is right wherever it holds: its move is legal and leads to
/// where the formula holds; or, if it says less, as far as it goes.
pub(super) fn rule_is_right(problem: &Problem, rule: &Rule) -> bool {
    if rule.region.extras > 0 {
        return false;
    }
    positions(problem.stacks).all(|heights| {
        let x: Vec<i128> = heights.iter().map(|&h| h.into()).collect();
        if !holds(&rule.region, &x) {
            return true;
        }
        let mut option = heights.clone();
        let played = rule.play.map_or(StackSet::EMPTY, StackSet::from_bits);
        for (stack, form) in played.iter().zip(&rule.heights) {
            match Height::try_from(value(form, &x)) {
                Ok(height) => option[stack] = height,
                Err(_) => return false,
            }
        }
        let take: Option<Vec<Height>> =
            heights.iter().zip(&option).map(|(h, o)| h.checked_sub(*o)).collect();
        let legal = take.is_some_and(|take| problem.game.is_legal(&heights, &take));
        let stays = rule.target.is_some() && option == heights;
        (legal || stays) && (rule.target.is_none() || problem.evaluator.holds(&option))
    })
}

/// Whether every position of the domain comes to a leaf of the coverage that is right about it.
pub(super) fn coverage_is_right(problem: &Problem, proof: &RegionsProof) -> bool {
    let rows = domain(problem).1;
    positions(problem.stacks).all(|heights| {
        let x: Vec<i128> = heights.iter().map(|&h| h.into()).collect();
        rows.iter().any(|row| row.value(&x) < 0) || leaf_is_right(problem, proof, x, &heights)
    })
}

fn leaf_is_right(
    problem: &Problem,
    proof: &RegionsProof,
    mut x: Vec<i128>,
    heights: &[Height],
) -> bool {
    let mut at = 0;
    loop {
        // How many trees to leave out before the child that the position belongs to.
        let skipped = match &proof.coverage[at] {
            Node::Split(form) => usize::from(value(form, &x) < 0),
            Node::Residue(form, modulus) => {
                let (value, modulus) = (value(form, &x), i128::from(*modulus));
                x.push(value.div_euclid(modulus));
                value.rem_euclid(modulus) as usize
            }
            Node::Rule { rule, symmetry, bind, .. } => {
                let image = symmetry.map(|g| proof.symmetries[g].image.clone());
                let image = image.unwrap_or_else(|| (0..problem.stacks).collect());
                let own: Vec<i128> = image.iter().chain(bind).map(|&v| x[v]).collect();
                return holds(&proof.rules[*rule].region, &own);
            }
            Node::Terminal(_) => {
                let misere = problem.game.convention() == Play::Misere;
                return misere && problem.game.is_terminal(heights);
            }
            _ => return false,
        };
        at += 1;
        for _ in 0..skipped {
            at = end(&proof.coverage, at);
        }
    }
}

/// The first node after a tree.
fn end(nodes: &[Node], at: usize) -> usize {
    let children = match &nodes[at] {
        Node::Split(_) => 2,
        Node::Residue(_, modulus) => *modulus as usize,
        _ => 0,
    };
    (0..children).fold(at + 1, |at, _| end(nodes, at))
}
