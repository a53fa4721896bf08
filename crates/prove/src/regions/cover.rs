//! (II): all positions are covered by regions from which a move, or none, leads into S.
//!
//! A sample point is taken well inside a cell. Among the regions that contain it the one is chosen
//! of which the fewest constraints are undecided in the cell; the cell is split along these, and
//! what lies outside the region is covered in turn. Inside the region the new heights are fixed
//! as affine forms in the same way: where two bounds compete, the cell is split by which is the
//! tighter one.

use super::cell::{Cell, Interner, Known, Sample};
use super::leaf::{Placed, RuleKey};
use super::problem::Problem;
use super::region::{Region, Residue};
use super::strategy::{Class, StrategyRule};
use super::written::{farkas, form as written};
use super::{Failure, Limits, Reason};
use nimatron_game::{Play, Watch};
use nimatron_linear::{Constraint, Form};
use nimatron_verify::regions as cert;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Integers beyond the heights that a path may have.
pub(crate) const MAX_EXTRAS: usize = 40;

/// How deep the coverage may split.
const MAX_DEPTH: usize = 1_000;

/// What to do with a cell next.
type Then<'f, 'a, T> = &'f mut dyn FnMut(&mut Cover<'a>, Cell, T) -> Result<(), Failure>;

/// A coverage in the making.
pub(crate) struct Cover<'a> {
    pub(crate) problem: &'a Problem,
    pub(super) watch: &'a dyn Watch,
    pub(super) limits: &'a Limits,
    pub(crate) rows: Interner,
    pub(crate) regions: Vec<Region>,
    pub(crate) known: Known,
    pub(crate) nodes: Vec<cert::Node>,
    pub(crate) rules: Vec<cert::Rule>,
    pub(super) rule_index: HashMap<RuleKey, usize>,
    pub(super) recent: HashMap<(usize, Vec<Form>), Rc<Placed>>,
    /// How often the regions of an orbit were used.
    pub(crate) used: HashMap<usize, u64>,
    pub(super) orbits: HashMap<(Option<usize>, Vec<Form>), usize>,
    /// The orbits to which the choice of regions is restricted.
    pub(super) allowed: Option<HashSet<usize>>,
    /// A point of each cell that was covered, where no residue classes are needed.
    pub(crate) points: Vec<Vec<i128>>,
    /// Points that no allowed region contains, or only one of this orbit that would need divisions:
    /// there is no coverage.
    pub(crate) uncovered: Vec<(Vec<i128>, Option<usize>)>,
    /// The rules of the strategy, in the order of their first use.
    pub(crate) strategy: Vec<StrategyRule>,
    /// Whether divisions are avoided, since there is a coverage without.
    pub(super) undivided: bool,
    most_nodes: u64,
    most_depth: usize,
    deepest: usize,
    pub(super) residues: Vec<Residue>,
    pub(super) depth: usize,
    pub(crate) leaves: u64,
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
            uncovered: Vec::new(),
            strategy: Vec::new(),
            undivided: false,
            most_nodes: limits.nodes,
            most_depth: MAX_DEPTH,
            deepest: 0,
            residues: Vec::new(),
            depth: 0,
            leaves: 0,
        }
    }

    /// The first variable of the new heights.
    pub(super) fn first(&self) -> usize {
        self.problem.stacks + MAX_EXTRAS
    }

    /// Covers everything in the domain.
    pub(crate) fn run(&mut self, domain: &[Form]) -> Result<(), Failure> {
        let mut cell = Cell::new(self.problem.stacks);
        for row in domain {
            match cell.with(&Constraint::at_least_zero(row.clone()))? {
                Ok(next) => cell = next,
                Err(_) => return Err(Failure::internal("the domain is empty")),
            }
        }
        let forms = self.residue_forms();
        self.classes(cell, &forms)
    }

    pub(super) fn check(&self) -> Result<(), Failure> {
        self.watch.check((self.nodes.len() * 200) as u64).map_err(Failure::stopped)?;
        if self.depth > self.most_depth {
            return Err(Failure::Undecided(Reason::Depth(self.most_depth)));
        }
        if self.nodes.len() as u64 > self.most_nodes {
            return Err(Failure::Undecided(Reason::Nodes(self.limits.nodes)));
        }
        Ok(())
    }

    /// A point of the cell; splits the cell where none with integer coordinates is at hand.
    pub(super) fn sampled(
        &mut self,
        mut cell: Cell,
        then: Then<'_, 'a, Vec<i128>>,
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
        row: &Form,
        then: Then<'_, 'a, bool>,
    ) -> Result<(), Failure> {
        self.nodes.push(cert::Node::Split(written(row)));
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
        for (side, row) in [(true, row.clone()), (false, row.complement())] {
            let mark = self.known.mark();
            match cell.with(&Constraint::at_least_zero(row))? {
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
                cover.uncovered.push((x, None));
                Ok(())
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
            if !self.strategy.iter().any(|other| other.same_place(&rule)) {
                self.strategy.push(rule);
            }
        }
        self.points.push(x);
    }

    /// The orbits of the regions that contain a point, without divisions if possible.
    pub(crate) fn orbits_at(&self, x: &[i128]) -> HashSet<usize> {
        let contains = |r: &&Region| r.rows.iter().all(|&id| self.rows.row(id).value(x) >= 0);
        let containing: Vec<&Region> = self.regions.iter().filter(contains).collect();
        let simple = containing.iter().filter(|r| !r.divides_at(x, self.first()));
        let simple: HashSet<usize> = simple.map(|r| r.orbit).collect();
        match simple.is_empty() {
            true => containing.iter().map(|r| r.orbit).collect(),
            false => simple,
        }
    }

    /// A coverage that starts anew with regions of these orbits only.
    pub(crate) fn restricted(&self, allowed: HashSet<usize>) -> Cover<'a> {
        let mut cover = Cover::new(self.problem, self.watch, self.limits);
        cover.rows = self.rows.clone();
        cover.orbits = self.orbits.clone();
        let kept = self.regions.iter().filter(|r| allowed.contains(&r.orbit));
        cover.regions = kept.cloned().collect();
        cover.allowed = Some(allowed);
        cover.undivided = !self.nodes.iter().any(|n| matches!(n, cert::Node::Residue(..)));
        cover.most_depth = 2 * self.deepest + 20;
        cover.most_nodes = self.limits.nodes.min(2 * self.nodes.len() as u64 + 200);
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
            let divides = region.divides_at(x, self.first());
            if divides && self.undivided {
                continue;
            }
            let used = self.used.get(&region.orbit).copied().unwrap_or(0);
            let undecided = undecided.count() + 100 * usize::from(divides);
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
}
