//! (II): all positions are covered by regions from which a move, or none, leads into S.
//!
//! A sample point is taken well inside a cell. Among the regions that contain it the one is chosen
//! of which the fewest constraints are undecided in the cell; the cell is split along these, and
//! what lies outside the region is covered in turn. Inside the region the new heights are fixed
//! as affine forms in the same way: where two bounds compete, the cell is split by which is the
//! tighter one.

use super::cell::{Cell, Interner, Known, Sample};
use super::problem::{Problem, inequalities, narrow};
use super::project::{Projection, Step, project};
use super::row::{Limit, Row, farkas, prune, solver};
use super::strategy::{Class, StrategyRule};
use super::witness::settled;
use super::{Failure, Limits, Reason};
use crate::lp::{Entailed, Overflow};
use nimatron_game::{Play, Watch};
use nimatron_verify::regions as cert;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Integers beyond the heights that a path may have.
pub(crate) const MAX_EXTRAS: usize = 40;

/// How deep the coverage may split.
const MAX_DEPTH: usize = 1_000;

/// From where a play, or staying, leads into a branch.
#[derive(Clone)]
pub(crate) struct Region {
    pub(crate) play: Option<usize>,
    pub(crate) branch: usize,
    pub(crate) rows: Vec<u32>,
    pub(crate) projection: Projection,
    /// RegionsProof that are images of one another have equal orbits.
    pub(crate) orbit: usize,
}

impl Region {
    /// Whether the new heights at a point need a division: only bounds with coefficients other
    /// than 1 are tight.
    fn divides_at(&self, x: &[i128], first: usize) -> bool {
        let mut all: Vec<i128> = x.to_vec();
        for step in self.projection.steps.iter().rev() {
            let (y, value) = match step {
                Step::Value { y, value } => (*y, value.value(&all)),
                Step::Between { y, lowers, uppers } => {
                    let up = |b: &(i64, Row)| -(-b.1.value(&all)).div_euclid(b.0.into());
                    let down = |b: &(i64, Row)| b.1.value(&all).div_euclid(b.0.into());
                    let unit = |b: &&(i64, Row)| b.0 == 1;
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
    form: Row,
    modulus: i64,
    rest: i64,
    t: usize,
}

pub(crate) struct Cover<'a> {
    pub(crate) problem: &'a Problem,
    watch: &'a dyn Watch,
    limits: &'a Limits,
    pub(crate) rows: Interner,
    pub(crate) regions: Vec<Region>,
    pub(crate) known: Known,
    pub(crate) nodes: Vec<cert::Node>,
    pub(crate) rules: Vec<cert::Rule>,
    pub(super) rule_index: HashMap<RuleKey, usize>,
    recent: HashMap<(usize, Vec<Row>), Rc<Placed>>,
    /// How often the regions of an orbit were used.
    pub(crate) used: HashMap<usize, u64>,
    orbits: HashMap<(Option<usize>, Vec<Row>), usize>,
    /// The orbits to which the choice of regions is restricted.
    allowed: Option<HashSet<usize>>,
    /// A point of each cell that was covered, where no residue classes are needed.
    pub(crate) points: Vec<Vec<i128>>,
    /// The rules of the strategy, in the order of their first use.
    pub(crate) strategy: Vec<StrategyRule>,
    residues: Vec<Residue>,
    depth: usize,
    pub(crate) leaves: u64,
}

/// What tells rules apart.
#[derive(PartialEq, Eq, Hash, PartialOrd, Ord, Clone)]
pub(super) struct RuleKey {
    pub(super) play: Option<usize>,
    pub(super) heights: Vec<Row>,
    pub(super) constraints: Vec<Limit>,
    /// Whether the rule leads into S, or only says that a move exists.
    pub(super) goal: bool,
}

impl RuleKey {
    pub(super) fn certificate(
        &self,
        extras: usize,
        branch: Option<usize>,
        witness: &[Row],
        proofs: Vec<cert::Farkas>,
    ) -> cert::Rule {
        let constraint = |(row, e): &Limit| cert::Constraint { form: row.form(), equation: *e };
        cert::Rule {
            extras,
            constraints: self.constraints.iter().map(constraint).collect(),
            play: self.play,
            branch,
            heights: self.heights.iter().map(Row::form).collect(),
            witness: witness.iter().map(Row::form).collect(),
            proofs,
        }
    }
}

/// A rule as it appears in a leaf: the rule, the symmetry, and its constraints there.
struct Placed {
    rule: usize,
    symmetry: Option<usize>,
    rows: Vec<u32>,
}

impl<'a> Cover<'a> {
    pub(crate) fn new(problem: &'a Problem, watch: &'a dyn Watch, limits: &'a Limits) -> Self {
        Cover {
            problem,
            watch,
            limits,
            rows: Interner::default(),
            regions: Vec::new(),
            known: Known::default(),
            nodes: Vec::new(),
            rules: Vec::new(),
            rule_index: HashMap::new(),
            recent: HashMap::new(),
            used: HashMap::new(),
            orbits: HashMap::new(),
            allowed: None,
            points: Vec::new(),
            strategy: Vec::new(),
            residues: Vec::new(),
            depth: 0,
            leaves: 0,
        }
    }

    /// The first variable of the new heights.
    fn first(&self) -> usize {
        self.problem.stacks + MAX_EXTRAS
    }

    /// Covers everything in the domain.
    pub(crate) fn run(&mut self, domain: &[Row]) -> Result<(), Failure> {
        let mut cell = Cell::new(self.problem.stacks);
        for row in domain {
            match cell.with(row, false)? {
                Ok(next) => cell = next,
                Err(_) => return Err(Failure::internal("the domain is empty")),
            }
        }
        let forms = self.residue_forms();
        self.classes(cell, &forms)
    }

    /// The forms whose remainders the branches speak of.
    fn residue_forms(&self) -> Vec<(Row, i64)> {
        let n = self.problem.stacks;
        let mut forms: Vec<(Row, i64)> = Vec::new();
        for branch in &self.problem.branches {
            for (row, _) in &branch.limits {
                let extras: Vec<usize> = (n..row.c.len()).filter(|&v| row.at(v) != 0).collect();
                let [v] = extras[..] else { continue };
                let modulus = row.at(v).abs();
                let mut form = Row { c: row.c.iter().take(n).copied().collect(), k: 0 };
                if form.c.iter().find(|&&c| c != 0).is_some_and(|&c| c < 0) {
                    form = form.negated();
                }
                let Ok(form) = form.combine(1, &Row::default(), 0) else { continue };
                if modulus > 1 && !form.is_constant() && !forms.contains(&(form.clone(), modulus)) {
                    forms.push((form, modulus));
                }
            }
        }
        forms
    }

    /// Splits into residue classes, then covers each.
    fn classes(&mut self, cell: Cell, forms: &[(Row, i64)]) -> Result<(), Failure> {
        let Some(((form, modulus), rest)) = forms.split_first() else {
            if self.allowed.is_none() {
                self.prepare()?;
            }
            return self.cover(cell);
        };
        self.residue(cell, form, *modulus, |cover, cell| cover.classes(cell, rest))
    }

    fn residue(
        &mut self,
        cell: Cell,
        form: &Row,
        modulus: i64,
        mut then: impl FnMut(&mut Self, Cell) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        if cell.extras >= MAX_EXTRAS {
            return Err(Failure::Undecided(Reason::Residues(MAX_EXTRAS)));
        }
        self.nodes.push(cert::Node::Residue(form.form(), modulus));
        for rest in 0..modulus {
            let mark = self.known.mark();
            let mut cell = cell.clone();
            let t = cell.add_extra();
            let mut row = form.combine(1, &Row::variable(t), -modulus)?;
            row.k -= rest;
            match cell.with(&row, true)? {
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
    fn prepare(&mut self) -> Result<(), Failure> {
        let problem = self.problem;
        let (n, first) = (problem.stacks, self.first());
        self.regions.clear();
        self.recent.clear();
        // Heights that the residue classes express by their quotients.
        let mut values: Vec<(usize, Row)> = Vec::new();
        for residue in &self.residues {
            let mut row = residue.form.combine(1, &Row::variable(residue.t), -residue.modulus)?;
            row.k -= residue.rest;
            for (v, value) in &values {
                row = row.replace(*v, value)?;
            }
            if let Some(v) = (0..n).find(|&v| row.at(v).abs() == 1) {
                let sign = -row.at(v);
                row.c[v] = 0;
                let value = row.combine(sign, &Row::default(), 0)?;
                for (_, other) in &mut values {
                    *other = other.replace(v, &value)?;
                }
                values.push((v, value));
            }
        }
        let plays = (0..problem.plays.len()).map(Some);
        let stays = problem.plays.iter().all(|p| p.may_stay()) && values.is_empty();
        // Where every play may leave the position as it is, "in S" needs no regions of its own.
        let plays: Vec<Option<usize>> =
            if stays { plays.collect() } else { plays.chain([None]).collect() };
        let mut found: HashMap<(Option<usize>, usize), usize> = HashMap::new();
        for &play in &plays {
            for branch in 0..problem.branches.len() {
                self.watch.check(0).map_err(Failure::stopped)?;
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
                        let mut limits = self.system(play, branch)?;
                        for (row, _) in &mut limits {
                            for (v, value) in &values {
                                *row = row.replace(*v, value)?;
                            }
                        }
                        match project(limits, first, n)? {
                            Some(p) => p,
                            None => {
                                found.insert((play, branch), usize::MAX);
                                continue;
                            }
                        }
                    }
                };
                let rows = inequalities(&projection.limits);
                let orbit = self.orbit(play, &rows);
                let rows = rows.into_iter().map(|row| self.rows.id(row)).collect();
                found.insert((play, branch), self.regions.len());
                self.regions.push(Region { play, branch, rows, projection, orbit });
            }
        }
        Ok(())
    }

    /// The number of the regions that are images of this one.
    fn orbit(&mut self, play: Option<usize>, rows: &[Row]) -> usize {
        let image = |element: &super::problem::Element| {
            let mut moved: Vec<Row> = rows.iter().map(|row| row.relabel(&element.image)).collect();
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
    fn system(&self, play: Option<usize>, branch: usize) -> Result<Vec<Limit>, Overflow> {
        let (n, first) = (self.problem.stacks, self.first());
        let branch = &self.problem.branches[branch];
        let mut limits = Vec::new();
        let mut stacks = nimatron_game::StackSet::EMPTY;
        if let Some(play) = play {
            let play = &self.problem.plays[play];
            stacks = play.stacks;
            for row in play.rows(first + n, |s| first + s, play.may_stay()) {
                limits.push(narrow(&row)?);
            }
        }
        let new = |s| if stacks.contains(s) { first + s } else { s };
        limits.extend(branch.moved(n, new, first + n));
        Ok(limits)
    }

    pub(super) fn check(&self) -> Result<(), Failure> {
        self.watch.check((self.nodes.len() * 200) as u64).map_err(Failure::stopped)?;
        if self.depth > MAX_DEPTH {
            return Err(Failure::Undecided(Reason::Depth(MAX_DEPTH)));
        }
        if self.nodes.len() as u64 > self.limits.nodes {
            return Err(Failure::Undecided(Reason::Nodes(self.limits.nodes)));
        }
        Ok(())
    }

    /// A point of the cell; splits the cell where none with integer coordinates is at hand.
    fn sampled(
        &mut self,
        mut cell: Cell,
        then: &mut dyn FnMut(&mut Self, Cell, Vec<i128>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        self.check()?;
        match cell.sample()? {
            Sample::Integers(x) => then(self, cell, x),
            Sample::Split(row) => {
                self.split(cell, &row, &mut |cover, cell, _| cover.sampled(cell, then))
            }
        }
    }

    /// Splits a cell; `then` is called for both sides that are not empty, with the side.
    pub(super) fn split(
        &mut self,
        cell: Cell,
        row: &Row,
        then: &mut dyn FnMut(&mut Self, Cell, bool) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        self.nodes.push(cert::Node::Split(row.form()));
        self.depth += 1;
        for (side, row) in [(true, row.clone()), (false, row.complement())] {
            let mark = self.known.mark();
            match cell.with(&row, false)? {
                Err(m) => self.nodes.push(cert::Node::Empty(farkas(&m, cell.next())?)),
                Ok(cell) => then(self, cell, side)?,
            }
            self.known.back_to(mark);
        }
        self.depth -= 1;
        Ok(())
    }

    pub(super) fn cover(&mut self, cell: Cell) -> Result<(), Failure> {
        let misere = self.problem.game.convention() == Play::Misere;
        self.sampled(cell, &mut |cover, mut cell, x| match cover.choose(&mut cell, &x)? {
            _ if misere && cover.is_terminal(&x) => cover.terminal(cell, &x),
            Some(region) => {
                cover.note(region, x);
                let rows = cover.regions[region].rows.clone();
                cover.inside(cell, region, &rows)
            }
            None if cover.allowed.is_some() => {
                cover.points.push(x);
                Err(Failure::internal("too few regions"))
            }
            None => Err(super::refute::uncovered(cover.problem, &x[..cover.problem.stacks])),
        })
    }

    /// Keeps what the strategy is made of.
    fn note(&mut self, region: usize, x: Vec<i128>) {
        let chosen = &self.regions[region];
        let used = self.used.entry(chosen.orbit).or_insert(0);
        *used += 1;
        if *used == 1 || !self.residues.is_empty() {
            let class = |r: &Residue| Class {
                form: r.form.clone(),
                modulus: r.modulus,
                rest: r.rest,
                t: r.t,
            };
            let rule = StrategyRule {
                classes: self.residues.iter().map(class).collect(),
                conditions: chosen.rows.iter().map(|&id| self.rows.row(id).clone()).collect(),
                play: chosen.play.map(|p| self.problem.plays[p].stacks).unwrap_or_default(),
                first: self.first(),
                steps: chosen.projection.steps.clone(),
            };
            self.strategy.push(rule);
        }
        self.points.push(x);
    }

    /// The orbits of the regions that contain a point.
    pub(crate) fn orbits_at(&self, x: &[i128]) -> HashSet<usize> {
        let contains = |r: &&Region| r.rows.iter().all(|&id| self.rows.row(id).value(x) >= 0);
        self.regions.iter().filter(contains).map(|r| r.orbit).collect()
    }

    /// A coverage that starts anew with regions of these orbits only.
    pub(crate) fn restricted(&self, allowed: HashSet<usize>) -> Cover<'a> {
        let mut cover = Cover::new(self.problem, self.watch, self.limits);
        cover.rows = self.rows.clone();
        cover.orbits = self.orbits.clone();
        let kept = self.regions.iter().filter(|r| allowed.contains(&r.orbit));
        cover.regions = kept.cloned().collect();
        cover.allowed = Some(allowed);
        cover
    }

    /// The region that contains the point and has the fewest undecided constraints.
    fn choose(&mut self, cell: &mut Cell, x: &[i128]) -> Result<Option<usize>, Failure> {
        let mut candidates = Vec::new();
        let mut fails: HashMap<u32, bool> = HashMap::new();
        for (i, region) in self.regions.iter().enumerate() {
            if region.rows.iter().any(|&id| self.rows.row(id).value(x) < 0) {
                continue;
            }
            let undecided = region.rows.iter().filter(|&&id| {
                *fails.entry(id).or_insert_with(|| {
                    self.known.get(id).is_none() && cell.fails_somewhere(self.rows.row(id))
                })
            });
            let used = self.used.get(&region.orbit).copied().unwrap_or(0);
            let undecided =
                undecided.count() + 100 * usize::from(region.divides_at(x, self.first()));
            candidates.push((undecided, std::cmp::Reverse(used), i));
        }
        candidates.sort_unstable();
        let mut best: Option<(usize, std::cmp::Reverse<u64>, usize)> = None;
        for (least, used, i) in candidates {
            if best.is_some_and(|b| (least, used) >= (b.0, b.1)) {
                break;
            }
            let ids = self.regions[i].rows.clone();
            let mut count = least / 100 * 100;
            for id in ids {
                let row = self.rows.row(id).clone();
                if self.known.follows(cell, id, &row)?.is_none() {
                    count += 1;
                    if best.is_some_and(|b| (count, used) >= (b.0, b.1)) {
                        break;
                    }
                }
            }
            if best.is_none_or(|b| (count, used) < (b.0, b.1)) {
                best = Some((count, used, i));
            }
        }
        Ok(best.map(|b| b.2))
    }

    /// Cuts off what lies outside the region, row by row.
    fn inside(&mut self, mut cell: Cell, region: usize, rows: &[u32]) -> Result<(), Failure> {
        for (i, &id) in rows.iter().enumerate() {
            let row = self.rows.row(id).clone();
            if self.known.follows(&mut cell, id, &row)?.is_some() {
                continue;
            }
            let rest = &rows[i + 1..];
            return self.split(cell, &row, &mut |cover, cell, side| match side {
                true => cover.inside(cell, region, rest),
                false => cover.cover(cell),
            });
        }
        self.play_out(cell, region)
    }

    /// The cell lies in the region: fixes the new heights.
    fn play_out(&mut self, cell: Cell, region: usize) -> Result<(), Failure> {
        self.sampled(cell, &mut |cover, mut cell, x| {
            let mut rows = Vec::new();
            match cover.settle(&mut cell, region, &x, &mut rows)? {
                Settled::Values(values) => cover.compare(cell, region, &values, &rows),
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
        values: &[Row],
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
        let mut values: Vec<Row> = vec![Row::default(); self.problem.stacks + extras];
        for step in steps.iter().rev() {
            match step {
                Step::Value { y, value } => values[y - first] = settled(value, first, &values)?,
                Step::Between { y, lowers, uppers } => {
                    let forms = |bounds: &[(i64, Row)]| -> Result<Vec<(i64, Row)>, Overflow> {
                        bounds.iter().map(|(a, r)| Ok((*a, settled(r, first, &values)?))).collect()
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
                        None if lowers.is_empty() && uppers.is_empty() => Row::default(),
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
        lowers: &[(i64, Row)],
        uppers: &[(i64, Row)],
        x: &[i128],
        rows: &mut Vec<u32>,
    ) -> Result<Result<Row, (Row, i64)>, Failure> {
        let up = !lowers.is_empty();
        let bounds = if up { lowers } else { uppers };
        let rounded = |b: &&(i64, Row)| {
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
            value = Row::variable(r.t);
            value.k += i64::from(up && r.rest > 0);
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
        values: &[Row],
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
        let bind = (0..cell.extras).map(|e| self.problem.stacks + e).collect();
        let (rule, symmetry) = (placed.rule, placed.symmetry);
        self.nodes.push(cert::Node::Rule { rule, symmetry, bind, proofs });
        self.leaves += 1;
        Ok(())
    }

    /// The rule of a leaf, or the one it is an image of.
    fn place(
        &mut self,
        cell: &Cell,
        region: usize,
        values: &[Row],
        rows: &[u32],
    ) -> Result<Placed, Failure> {
        let problem = self.problem;
        let n = problem.stacks;
        let Region { play, branch, .. } = self.regions[region];
        let ids = self.regions[region].rows.iter().chain(rows);
        let mut limits: Vec<Limit> = ids.map(|&id| (self.rows.row(id).clone(), false)).collect();
        // The classes that the rule's integers belong to.
        limits.extend(cell.path.iter().filter(|(row, e)| *e && row.c.len() > n).cloned());
        let limits = prune(n, cell.extras, limits)?;
        let stacks = play.map(|p| problem.plays[p].stacks).unwrap_or_default();
        let heights: Vec<Row> = stacks.iter().map(|s| values[s].clone()).collect();
        // The least image stands for all.
        let usable = |g: &usize| {
            *g == 0
                || (cell.extras == 0
                    && problem.branches[branch].extras == 0
                    && problem.group[*g].branches[branch].is_some())
        };
        let images = (0..problem.group.len()).filter(usable).map(|g| {
            let element = &problem.group[g];
            let mut new: Vec<(usize, Row)> = stacks
                .iter()
                .zip(&heights)
                .map(|(s, row)| (element.image[s], row.relabel(&element.image)))
                .collect();
            new.sort();
            let mut constraints: Vec<Limit> =
                limits.iter().map(|(row, e)| (row.relabel(&element.image), *e)).collect();
            constraints.sort();
            let heights = new.into_iter().map(|(_, row)| row).collect();
            (RuleKey { play: play.map(|p| element.plays[p]), heights, constraints, goal: true }, g)
        });
        let Some((key, g)) = images.min() else { return Err(Failure::internal("no image")) };
        let rule = match self.rule_index.get(&key) {
            Some(&rule) => rule,
            None => {
                let branch = problem.group[g].branches[branch].unwrap_or(branch);
                let rule = self.rule(cell.extras, &key, branch, &values[n..])?;
                self.rules.push(rule);
                self.rule_index.insert(key.clone(), self.rules.len() - 1);
                self.rules.len() - 1
            }
        };
        let back = problem.group[g].inverse;
        let image = &problem.group[back].image;
        let here: Vec<Limit> =
            key.constraints.iter().map(|(row, e)| (row.relabel(image), *e)).collect();
        let rows = inequalities(&here).into_iter().map(|row| self.rows.id(row)).collect();
        Ok(Placed { rule, symmetry: problem.group[back].number, rows })
    }

    /// The rule with the proofs that it leads where it says.
    fn rule(
        &self,
        extras: usize,
        key: &RuleKey,
        branch: usize,
        witness: &[Row],
    ) -> Result<cert::Rule, Failure> {
        let problem = self.problem;
        let n = problem.stacks;
        let solver = solver(n, extras, &key.constraints)?;
        let solver = solver.map_err(|_| Failure::internal("an empty rule"))?;
        let first = self.first();
        let mut values: Vec<Row> = (0..n).map(Row::variable).collect();
        let stacks = key.play.map(|p| problem.plays[p].stacks).unwrap_or_default();
        stacks.iter().zip(&key.heights).for_each(|(s, row)| values[s] = row.clone());
        values.extend_from_slice(witness);
        let last = n + key.constraints.len();
        let mut proofs = Vec::new();
        for claim in inequalities(&self.system(key.play, branch)?) {
            let claim = settled(&claim, first, &values)?;
            match solver.entails(&claim.c, claim.k, usize::MAX)? {
                Entailed::Yes(m) => proofs.push(farkas(&m, last)?),
                Entailed::No(_) => return Err(Failure::internal("a rule that does not hold")),
            }
        }
        Ok(key.certificate(extras, Some(branch), witness, proofs))
    }
}

enum Settled {
    Values(Vec<Row>),
    Divide(Row, i64),
}
