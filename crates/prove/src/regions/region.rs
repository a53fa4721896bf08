//! The regions among which a coverage chooses, and the residue classes within which they are
//! found.

use super::cell::Cell;
use super::cover::{Cover, MAX_EXTRAS};
use super::plays::Play;
use super::problem::Element;
use super::written::{farkas, form as written};
use super::{Failure, Reason};
use nimatron_game::StackSet;
use nimatron_linear::{
    Constraint, Form, Overflow, Projection, Step, Substitution, inequalities, project,
};
use nimatron_verify::regions as cert;
use std::collections::HashMap;

/// From where a play, or staying, leads into a branch.
#[derive(Clone)]
pub(crate) struct Region {
    pub(crate) play: Option<usize>,
    pub(crate) branch: usize,
    pub(crate) rows: Vec<u32>,
    pub(crate) projection: Projection,
    /// Regions that are images of one another have equal orbits.
    pub(crate) orbit: usize,
}

impl Region {
    /// Whether the new heights at a point need a division: only bounds with coefficients other
    /// than 1 are tight.
    pub(super) fn divides_at(&self, x: &[i128], first: usize) -> bool {
        let mut all: Vec<i128> = x.to_vec();
        for step in self.projection.steps.iter().rev() {
            let (y, value) = match step {
                Step::Value { y, value } => (*y, value.value(&all)),
                Step::Between { y, lowers, uppers } => {
                    let up = |b: &(i64, Form)| -(-b.1.value(&all)).div_euclid(b.0.into());
                    let down = |b: &(i64, Form)| b.1.value(&all).div_euclid(b.0.into());
                    let unit = |b: &&(i64, Form)| b.0 == 1;
                    let low = lowers.iter().map(up).max();
                    let high = uppers.iter().map(down).min();
                    let unit_low = lowers.iter().filter(unit).map(up).max();
                    let unit_high = uppers.iter().filter(unit).map(down).min();
                    match (low.filter(|_| low == unit_low), high.filter(|_| high == unit_high)) {
                        (Some(low), _) => (*y, low),
                        (None, Some(high)) => (*y, high),
                        (None, None) if low.is_none() && high.is_none() => (*y, 0),
                        (None, None) => return true,
                    }
                }
            };
            if all.len() <= y {
                all.resize((y + 1).max(first), 0);
            }
            all[y] = value;
        }
        false
    }
}

/// A residue class on the path: `form = modulus * t + rest`.
#[derive(Clone)]
pub(crate) struct Residue {
    pub(super) form: Form,
    pub(super) modulus: i64,
    pub(super) rest: i64,
    pub(super) t: usize,
}

/// A form of the heights with its remainder, where a constraint of a branch says that.
struct Congruence {
    form: Form,
    modulus: i64,
    rest: i64,
}

impl Congruence {
    fn new(constraint: &Constraint, stacks: usize) -> Option<Congruence> {
        let (form, modulus, sign) = remainder(&constraint.form, stacks)?;
        let rest = (-sign * constraint.form.constant).rem_euclid(modulus);
        constraint.equation.then_some(Congruence { form, modulus, rest })
    }

    /// Whether no move of the play leads from the residue class to where this holds.
    fn excludes(&self, class: &Residue, play: Option<&Play>) -> bool {
        if class.form != self.form || class.modulus != self.modulus {
            return false;
        }
        let played = play.map_or(StackSet::EMPTY, |play| play.stacks);
        let taken: i64 = played.iter().map(|s| self.form.at(s).rem_euclid(self.modulus)).sum();
        let each = match play.filter(|_| taken != 0) {
            None => 0,
            // Exactly so much is taken from each stack.
            Some(play) if !play.any && play.each.most() == Some(play.each.least()) => {
                (play.each.least() % self.modulus as u64) as i64
            }
            Some(_) => return false,
        };
        let new = i128::from(class.rest) - i128::from(taken) * i128::from(each);
        new.rem_euclid(self.modulus.into()) != i128::from(self.rest)
    }
}

/// The form of the heights, and the modulus, of a constraint on a remainder: it mentions one further
/// integer. The form starts with a positive coefficient; the sign says how it stands in the row.
fn remainder(row: &Form, stacks: usize) -> Option<(Form, i64, i64)> {
    let extras: Vec<i64> = row.terms().filter(|(v, _)| *v >= stacks).map(|(_, c)| c).collect();
    let [modulus] = extras[..] else { return None };
    let modulus = modulus.abs();
    let (first, sign) = row.terms().next().map(|(v, c)| (v, c.signum()))?;
    let form = row.first(stacks).with(0).times(sign).ok()?;
    (modulus > 1 && first < stacks).then_some((form, modulus, sign))
}

impl Cover<'_> {
    /// The forms whose remainders the branches speak of.
    pub(super) fn residue_forms(&self) -> Vec<(Form, i64)> {
        let n = self.problem.stacks;
        let mut forms: Vec<(Form, i64)> = Vec::new();
        for branch in &self.problem.branches {
            for Constraint { form, .. } in &branch.constraints {
                let Some((form, modulus, _)) = remainder(form, n) else { continue };
                if !forms.contains(&(form.clone(), modulus)) {
                    forms.push((form, modulus));
                }
            }
        }
        forms
    }

    /// Splits into residue classes, then covers each.
    pub(super) fn classes(&mut self, cell: Cell, forms: &[(Form, i64)]) -> Result<(), Failure> {
        let Some(((form, modulus), rest)) = forms.split_first() else {
            if self.allowed.is_none() {
                self.prepare()?;
            }
            return self.cover(cell);
        };
        self.residue(cell, form, *modulus, |cover, cell| cover.classes(cell, rest))
    }

    pub(super) fn residue(
        &mut self,
        cell: Cell,
        form: &Form,
        modulus: i64,
        mut then: impl FnMut(&mut Self, Cell) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        if cell.extras >= MAX_EXTRAS {
            return Err(Failure::Undecided(Reason::Residues(MAX_EXTRAS)));
        }
        self.nodes.push(cert::Node::Residue(written(form), modulus));
        for rest in 0..modulus {
            let mark = self.known.mark();
            let mut cell = cell.clone();
            let t = cell.add_extra();
            let class = form.combine(1, &Form::variable(t), -modulus)?.plus(-rest)?;
            match cell.with(&Constraint::zero(class))? {
                Err(m) => self.nodes.push(cert::Node::Empty(farkas(&m, cell.next())?)),
                Ok(cell) => {
                    self.residues.push(Residue { form: form.clone(), modulus, rest, t });
                    then(self, cell)?;
                    self.residues.pop();
                }
            }
            self.known.back_to(mark);
        }
        Ok(())
    }

    /// Finds the regions, within the current residue class.
    pub(super) fn prepare(&mut self) -> Result<(), Failure> {
        let problem = self.problem;
        let (n, first) = (problem.stacks, self.first());
        self.regions.clear();
        self.recent.clear();
        // Heights that the residue classes express by their quotients.
        let mut values = Substitution::default();
        for residue in &self.residues {
            let quotient = Form::variable(residue.t);
            let class = residue.form.combine(1, &quotient, -residue.modulus)?;
            values.learn(&class.plus(-residue.rest)?, ..n)?;
        }
        let plays = (0..problem.plays.len()).map(Some);
        let stays = problem.plays.iter().all(|p| p.may_stay()) && values.is_empty();
        // Where every play may leave the position as it is, "in S" needs no regions of its own.
        let plays: Vec<Option<usize>> =
            if stays { plays.collect() } else { plays.chain([None]).collect() };
        let congruences = problem.branches.iter().map(|branch| {
            let own = branch.constraints.iter().filter_map(|c| Congruence::new(c, n));
            own.collect::<Vec<_>>()
        });
        let congruences: Vec<Vec<Congruence>> = congruences.collect();
        let mut found: HashMap<(Option<usize>, usize), usize> = HashMap::new();
        for &play in &plays {
            for (branch, own) in congruences.iter().enumerate() {
                self.watch.check(0).map_err(Failure::stopped)?;
                let moves = play.map(|p| &problem.plays[p]);
                let excludes = |c: &Congruence| self.residues.iter().any(|r| c.excludes(r, moves));
                if own.iter().any(excludes) {
                    continue;
                }
                let image = match values.is_empty() {
                    true => self.image_of(play, branch, &found),
                    false => None,
                };
                let projection = match image {
                    Some((region, g)) => {
                        let Some(region) = region else { continue };
                        let region: &Region = &self.regions[region];
                        let image = &problem.group[g].image;
                        let all: Vec<usize> = (0..first + n + 64)
                            .map(|v| match v {
                                v if v < n => image[v],
                                v if (first..first + n).contains(&v) => first + image[v - first],
                                v => v,
                            })
                            .collect();
                        region.projection.relabel(&all)
                    }
                    None => {
                        let mut system = self.system(play, branch)?;
                        for constraint in &mut system {
                            constraint.form = values.apply(&constraint.form)?;
                        }
                        match project(system, first, n)? {
                            Some(p) => p,
                            None => {
                                found.insert((play, branch), usize::MAX);
                                continue;
                            }
                        }
                    }
                };
                let rows = inequalities(&projection.constraints);
                let orbit = self.orbit(play, &rows);
                let rows = rows.into_iter().map(|row| self.rows.id(row)).collect();
                found.insert((play, branch), self.regions.len());
                self.regions.push(Region { play, branch, rows, projection, orbit });
            }
        }
        Ok(())
    }

    /// The number of the regions that are images of this one.
    fn orbit(&mut self, play: Option<usize>, rows: &[Form]) -> usize {
        let image = |element: &Element| {
            let mut moved: Vec<Form> = rows.iter().map(|row| row.relabel(&element.image)).collect();
            moved.sort();
            (play.map(|p| element.plays[p]), moved)
        };
        let Some(least) = self.problem.group.iter().map(image).min() else { return 0 };
        let next = self.orbits.len();
        *self.orbits.entry(least).or_insert(next)
    }

    /// A region found before of which this one is an image: the region, or none if it is empty,
    /// and the symmetry.
    fn image_of(
        &self,
        play: Option<usize>,
        branch: usize,
        found: &HashMap<(Option<usize>, usize), usize>,
    ) -> Option<(Option<usize>, usize)> {
        let group = &self.problem.group;
        (1..group.len()).find_map(|g| {
            // The source is the image under the inverse.
            let back = &group[group[g].inverse];
            let from = (play.map(|p| back.plays[p]), back.branches[branch]?);
            let &region = found.get(&from)?;
            Some(((region != usize::MAX).then_some(region), g))
        })
    }

    /// The constraints of a play into a branch; without a play, of the branch.
    pub(super) fn system(
        &self,
        play: Option<usize>,
        branch: usize,
    ) -> Result<Vec<Constraint>, Overflow> {
        let (n, first) = (self.problem.stacks, self.first());
        let branch = &self.problem.branches[branch];
        let mut constraints = Vec::new();
        let mut stacks = StackSet::EMPTY;
        if let Some(play) = play {
            let play = &self.problem.plays[play];
            stacks = play.stacks;
            constraints = play.constraints(|s| first + s, play.may_stay())?;
        }
        let new = |s| if stacks.contains(s) { first + s } else { s };
        constraints.extend(branch.moved(n, new, first + n));
        Ok(constraints)
    }
}
