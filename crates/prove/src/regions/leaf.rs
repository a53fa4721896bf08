//! Leaves of a coverage: the new heights as affine forms, and the rules they make.

use super::Failure;
use super::cell::Cell;
use super::cover::Cover;
use super::plays::Play;
use super::problem::Piece;
use super::region::{Region, Residue};
use super::written::{farkas, form as written};
use nimatron_linear::{Constraint, Entailed, Form, Overflow, Step, inequalities, prune, solved};
use nimatron_verify::regions as cert;
use std::rc::Rc;

/// What tells rules apart.
#[derive(PartialEq, Eq, Hash, PartialOrd, Ord, Clone)]
pub(super) struct RuleKey {
    pub(super) play: Option<usize>,
    pub(super) heights: Vec<Form>,
    pub(super) constraints: Vec<Constraint>,
    /// Whether the rule leads into S, or only says that a move exists.
    pub(super) goal: bool,
}

impl RuleKey {
    pub(super) fn certificate(
        &self,
        extras: usize,
        play: Option<&Play>,
        proofs: Vec<cert::Farkas>,
        target: Option<cert::Member>,
    ) -> cert::Rule {
        cert::Rule {
            region: Piece { constraints: self.constraints.clone(), extras }.certificate(),
            play: play.map(|play| play.stacks.bits()),
            heights: self.heights.iter().map(written).collect(),
            proofs,
            target,
        }
    }
}

/// A rule as it appears in a leaf: the rule, the symmetry, and its constraints there.
pub(super) struct Placed {
    rule: usize,
    symmetry: Option<usize>,
    /// The variables of the cell that stand for the rule's own integers.
    bind: Vec<usize>,
    rows: Vec<u32>,
}

/// A rule under other names: the key, the symmetry, and the variables of the cell that stand for the rule's integers.
type Image = (RuleKey, usize, Vec<usize>);

/// Integers beyond the heights, in the order of what is said of each alone: whatever a cell calls them, equal rules have
/// equal names for them.
fn in_order(heights: usize, extras: usize, constraints: &[Constraint]) -> Vec<usize> {
    let mut all: Vec<usize> = (heights..heights + extras).collect();
    let about = |own: usize| {
        let alone = |c: &&Constraint| {
            c.form.at(own) != 0 && c.form.terms().all(|(v, _)| v < heights || v == own)
        };
        let name: Vec<usize> = (0..heights + extras).map(|v| v.min(heights)).collect();
        let mut said: Vec<Constraint> =
            constraints.iter().filter(alone).map(|c| c.relabel(&name)).collect();
        said.sort();
        said
    };
    all.sort_by_cached_key(|&own| about(own));
    all
}

/// New names of the heights; those of the other integers stay.
fn with(image: &[usize], heights: usize, extras: usize) -> Vec<usize> {
    image.iter().copied().chain(heights..heights + extras).collect()
}

enum Settled {
    Values(Vec<Form>),
    Divide(Form, i64),
}

impl Cover<'_> {
    /// The cell lies in the region: fixes the new heights.
    pub(super) fn play_out(&mut self, cell: Cell, region: usize) -> Result<(), Failure> {
        self.sampled(cell, &mut |cover, mut cell, x| {
            let mut rows = Vec::new();
            match cover.settle(&mut cell, region, &x, &mut rows)? {
                Settled::Values(values) => cover.compare(cell, region, &values, &rows),
                Settled::Divide(..) if cover.undivided => {
                    let orbit = cover.regions[region].orbit;
                    cover.uncovered.push((x, Some(orbit)));
                    Ok(())
                }
                Settled::Divide(form, modulus) => {
                    cover.residue(cell, &form, modulus, |cover, cell| cover.play_out(cell, region))
                }
            }
        })
    }

    /// Splits by the comparisons under which the values are right, then writes the leaf.
    fn compare(
        &mut self,
        mut cell: Cell,
        region: usize,
        values: &[Form],
        rows: &[u32],
    ) -> Result<(), Failure> {
        for &id in rows {
            let row = self.rows.row(id).clone();
            if self.known.follows(&mut cell, id, &row)?.is_some() {
                continue;
            }
            return self.split(cell, &row, &mut |cover, cell, side| match side {
                true => cover.compare(cell, region, values, rows),
                false => cover.play_out(cell, region),
            });
        }
        self.leaf(cell, region, values, rows)
    }

    /// Values of the eliminated variables as forms, right at the point and wherever the rows that
    /// are added hold.
    fn settle(
        &mut self,
        cell: &mut Cell,
        region: usize,
        x: &[i128],
        rows: &mut Vec<u32>,
    ) -> Result<Settled, Failure> {
        let first = self.first();
        let steps = self.regions[region].projection.steps.clone();
        let extras = self.problem.branches[self.regions[region].branch].extras;
        let mut values: Vec<Form> = vec![Form::default(); self.problem.stacks + extras];
        for step in steps.iter().rev() {
            match step {
                Step::Value { y, value } => values[y - first] = value.settled(first, &values)?,
                Step::Between { y, lowers, uppers } => {
                    let forms = |bounds: &[(i64, Form)]| -> Result<Vec<(i64, Form)>, Overflow> {
                        bounds.iter().map(|(a, r)| Ok((*a, r.settled(first, &values)?))).collect()
                    };
                    let (lowers, uppers) = (forms(lowers)?, forms(uppers)?);
                    let mut options = Vec::new();
                    for (bounds, sign) in [(&lowers, 1), (&uppers, -1)] {
                        let units = bounds.iter().filter(|b| b.0 == 1);
                        let tightest = units.max_by_key(|b| b.1.value(x) * sign);
                        let Some((_, tightest)) = tightest else { continue };
                        let mut needed = Vec::new();
                        let mut open = 0;
                        for (a, other) in bounds {
                            let row = tightest.combine(sign as i64 * a, other, -sign as i64)?;
                            let row = row.tightened();
                            if row.evident(self.problem.stacks) {
                                continue;
                            }
                            if row.value(x) < 0 {
                                open = usize::MAX;
                                break;
                            }
                            let id = self.rows.id(row.clone());
                            open += usize::from(self.known.follows(cell, id, &row)?.is_none());
                            needed.push(id);
                        }
                        if open < usize::MAX {
                            options.push((open, bounds.len(), needed, tightest.clone()));
                        }
                    }
                    let best = options.into_iter().min_by_key(|o| (o.0, o.1));
                    values[y - first] = match best {
                        Some((_, _, needed, value)) => {
                            rows.extend(needed);
                            value
                        }
                        None if lowers.is_empty() && uppers.is_empty() => Form::default(),
                        None => match self.divided(&lowers, &uppers, x, rows)? {
                            Ok(value) => value,
                            Err((form, modulus)) => return Ok(Settled::Divide(form, modulus)),
                        },
                    };
                }
            }
        }
        rows.sort_unstable();
        rows.dedup();
        Ok(Settled::Values(values))
    }

    /// A value between bounds with coefficients other than 1: the tightest lower bound (upper, if
    /// there is no lower one), divided and rounded. Needs its residue on the path.
    fn divided(
        &mut self,
        lowers: &[(i64, Form)],
        uppers: &[(i64, Form)],
        x: &[i128],
        rows: &mut Vec<u32>,
    ) -> Result<Result<Form, (Form, i64)>, Failure> {
        let up = !lowers.is_empty();
        let bounds = if up { lowers } else { uppers };
        let rounded = |b: &&(i64, Form)| {
            let (a, v) = (i128::from(b.0), b.1.value(x));
            if up { -(-v).div_euclid(a) } else { -v.div_euclid(a) }
        };
        let Some((a, form)) = bounds.iter().max_by_key(rounded) else {
            return Err(Failure::internal("no bound"));
        };
        let mut value = form.clone();
        if *a > 1 {
            let same = |r: &&Residue| r.form == *form && r.modulus == *a;
            let Some(r) = self.residues.iter().find(same) else {
                return Ok(Err((form.clone(), *a)));
            };
            value = Form::variable(r.t);
            value.constant += i64::from(up && r.rest > 0);
        }
        for (b, other) in bounds {
            let row = match up {
                true => value.combine(*b, other, -1)?,
                false => other.combine(1, &value, -b)?,
            };
            let row = row.tightened();
            if !row.evident(self.problem.stacks) {
                rows.push(self.rows.id(row));
            }
        }
        Ok(Ok(value))
    }

    fn leaf(
        &mut self,
        mut cell: Cell,
        region: usize,
        values: &[Form],
        rows: &[u32],
    ) -> Result<(), Failure> {
        let key = (region, values.to_vec());
        let placed = match self.recent.get(&key).filter(|_| cell.extras == 0) {
            Some(placed) => placed.clone(),
            None => {
                let placed = Rc::new(self.place(&cell, region, values, rows)?);
                if cell.extras == 0 {
                    self.recent.insert(key, placed.clone());
                }
                placed
            }
        };
        let mut proofs = Vec::new();
        for &id in &placed.rows {
            let row = self.rows.row(id).clone();
            match self.known.follows(&mut cell, id, &row)? {
                Some(m) => proofs.push(farkas(&m, cell.next())?),
                None => return Err(Failure::internal("a rule does not hold on its leaf")),
            }
        }
        let (rule, symmetry, bind) = (placed.rule, placed.symmetry, placed.bind.clone());
        self.nodes.push(cert::Node::Rule { rule, symmetry, bind, proofs });
        self.leaves += 1;
        Ok(())
    }

    /// The rule of a leaf, or the one it is an image of.
    fn place(
        &mut self,
        cell: &Cell,
        region: usize,
        values: &[Form],
        rows: &[u32],
    ) -> Result<Placed, Failure> {
        let problem = self.problem;
        let n = problem.stacks;
        let Region { play, branch, .. } = self.regions[region];
        let ids = self.regions[region].rows.iter().chain(rows);
        let rows = ids.map(|&id| Constraint::at_least_zero(self.rows.row(id).clone()));
        let mut constraints: Vec<Constraint> = rows.collect();
        // The classes that the rule's integers belong to.
        constraints.extend(cell.path.iter().filter(|c| c.equation && c.form.reach() > n).cloned());
        let constraints = prune(n, cell.extras, constraints)?;
        let stacks = play.map(|p| problem.plays[p].stacks).unwrap_or_default();
        let heights: Vec<Form> = stacks.iter().map(|s| values[s].clone()).collect();
        let image = |g: usize| -> Image {
            let element = &problem.group[g];
            let moved: Vec<Constraint> = constraints
                .iter()
                .map(|c| c.relabel(&with(&element.image, n, cell.extras)))
                .collect();
            let bind = in_order(n, cell.extras, &moved);
            let mut names = with(&element.image, n, cell.extras);
            bind.iter().enumerate().for_each(|(at, &v)| names[v] = n + at);
            let mut new: Vec<(usize, Form)> = stacks
                .iter()
                .zip(&heights)
                .map(|(s, row)| (names[s], row.relabel(&names)))
                .collect();
            new.sort();
            let mut constraints: Vec<Constraint> =
                constraints.iter().map(|c| c.relabel(&names)).collect();
            constraints.sort();
            let heights = new.into_iter().map(|(_, row)| row).collect();
            let play = play.map(|p| element.plays[p]);
            (RuleKey { play, heights, constraints, goal: true }, g, bind)
        };
        let images: Vec<Image> = (0..problem.group.len()).map(image).collect();
        let known = images.iter().find_map(|image| Some((image, *self.rule_index.get(&image.0)?)));
        let ((key, g, bind), rule) = match known {
            Some(known) => known,
            None => {
                // The least image stands for all.
                let usable = |(_, g, _): &&Image| {
                    *g == 0
                        || (cell.extras == 0
                            && problem.branches[branch].extras == 0
                            && problem.group[*g].branches[branch].is_some())
                };
                let Some(least) = images.iter().filter(usable).min() else {
                    return Err(Failure::internal("no image"));
                };
                let (key, g, bind) = least;
                let branch = problem.group[*g].branches[branch].unwrap_or(branch);
                let mut names = with(&problem.group[*g].image, n, cell.extras);
                bind.iter().enumerate().for_each(|(at, &v)| names[v] = n + at);
                let witness: Vec<Form> = values[n..].iter().map(|v| v.relabel(&names)).collect();
                let rule = self.rule(cell.extras, key, branch, &witness)?;
                self.rules.push(rule);
                self.rule_index.insert(key.clone(), self.rules.len() - 1);
                (least, self.rules.len() - 1)
            }
        };
        let back = problem.group[*g].inverse;
        let names: Vec<usize> = problem.group[back].image.iter().chain(bind).copied().collect();
        let here: Vec<Constraint> = key.constraints.iter().map(|c| c.relabel(&names)).collect();
        let rows = inequalities(&here).into_iter().map(|row| self.rows.id(row)).collect();
        Ok(Placed { rule, symmetry: problem.group[back].number, bind: bind.clone(), rows })
    }

    /// The rule with the proofs that it leads where it says.
    fn rule(
        &self,
        extras: usize,
        key: &RuleKey,
        branch: usize,
        witness: &[Form],
    ) -> Result<cert::Rule, Failure> {
        let problem = self.problem;
        let n = problem.stacks;
        let solver = solved(n, extras, &key.constraints)?;
        let solver = solver.map_err(|_| Failure::internal("an empty rule"))?;
        let last = n + key.constraints.len();
        let derive = |claims: Vec<Form>| -> Result<Vec<cert::Farkas>, Failure> {
            let mut proofs = Vec::new();
            for claim in claims {
                match solver.entails(&claim, usize::MAX)? {
                    Entailed::Yes(m) => proofs.push(farkas(&m, last)?),
                    Entailed::No(_) => return Err(Failure::internal("a rule that does not hold")),
                }
            }
            Ok(proofs)
        };
        let mut values: Vec<Form> = (0..n).map(Form::variable).collect();
        let play = key.play.map(|p| &problem.plays[p]);
        let mut moves = Vec::new();
        if let Some(play) = play {
            let stacks = play.stacks.iter().zip(&key.heights);
            stacks.for_each(|(s, row)| values[s] = row.clone());
            for claim in inequalities(&play.constraints(|s| n + s, play.may_stay())?) {
                moves.push(claim.settled(n, &values)?);
            }
        }
        // The branch is a way through the statement.
        let way = &problem.ways[branch];
        let mut integers = vec![Form::default(); problem.statement.integers];
        way.integers.iter().zip(witness).for_each(|(&e, value)| integers[e] = value.clone());
        values.extend(integers.iter().cloned());
        let claims = inequalities(&way.piece.constraints);
        let claims = claims.iter().map(|row| row.settled(0, &values));
        let target = cert::Member {
            choices: way.choices.clone(),
            extras: integers.iter().map(written).collect(),
            proofs: derive(claims.collect::<Result<Vec<_>, _>>()?)?,
        };
        Ok(key.certificate(extras, play, derive(moves)?, Some(target)))
    }
}
