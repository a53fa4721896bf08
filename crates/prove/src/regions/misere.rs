//! Misere play: positions without moves.

use super::cell::{Cell, Sample};
use super::cover::Cover;
use super::leaf::RuleKey;
use super::plays::Play;
use super::written::farkas;
use super::{Failure, FormulaCounterexample, Reason};
use nimatron_game::{Height, Position};
use nimatron_linear::{
    Answer, Constraint, Entailed, Form, Multipliers, Overflow, Solver, inequalities, solved,
};
use nimatron_verify::regions as cert;

impl Cover<'_> {
    /// The heights of a point, if they are a position.
    fn position(&self, x: &[i128]) -> Option<Position> {
        let heights = x[..self.problem.stacks].iter().map(|&h| Height::try_from(h).ok());
        heights.collect::<Option<Vec<_>>>().and_then(|heights| Position::new(heights).ok())
    }

    /// Whether no move is left at the point.
    pub(super) fn is_terminal(&self, x: &[i128]) -> bool {
        self.position(x).is_some_and(|p| self.problem.game.is_terminal(&p))
    }

    /// Cuts off what is not terminal around a terminal point, and writes the leaf.
    pub(super) fn terminal(&mut self, cell: Cell, x: &[i128]) -> Result<(), Failure> {
        let mut rows = Vec::new();
        for play in 0..self.problem.plays.len() {
            let play = &self.problem.plays[play];
            let mut total = Form::number(fit(play.total.least())? - 1);
            for s in play.stacks {
                total = total.combine(1, &Form::variable(s), -1)?;
            }
            let least = fit(play.each.least())?;
            let each = |s: usize| Form::variable(s).negated().with(least - 1);
            let singles = play.stacks.iter().filter(|_| !play.any).map(each);
            let mut blocking = singles.chain([total]).filter(|row| row.value(x) >= 0);
            let Some(row) = blocking.next() else {
                return Err(Failure::internal("a move that is possible and is not"));
            };
            rows.push(self.rows.id(row));
        }
        self.blocked(cell, &rows)
    }

    fn blocked(&mut self, mut cell: Cell, rows: &[u32]) -> Result<(), Failure> {
        for &id in rows {
            let row = self.rows.row(id).clone();
            if self.known.follows(&mut cell, id, &row)?.is_none() {
                return self.split(cell, &row, &mut |cover, cell, side| match side {
                    true => cover.blocked(cell, rows),
                    false => cover.cover(cell),
                });
            }
        }
        let mut refutations = Vec::new();
        for play in &self.problem.plays {
            refutations.push(farkas(&unplayable(&cell, play)?, usize::MAX)?);
        }
        self.nodes.push(cert::Node::Terminal(refutations));
        self.leaves += 1;
        Ok(())
    }

    /// Per branch, a tree that shows that all its positions have moves.
    pub(crate) fn playable(&mut self) -> Result<Vec<Vec<cert::Node>>, Failure> {
        let coverage = std::mem::take(&mut self.nodes);
        let mut trees = Vec::new();
        for branch in &self.problem.branches {
            let mut cell = Cell::new(self.problem.stacks);
            (0..branch.extras).for_each(|_| {
                cell.add_extra();
            });
            let mut empty = None;
            for constraint in &branch.constraints {
                match cell.with(constraint)? {
                    Ok(next) => cell = next,
                    Err(m) => {
                        empty = Some(farkas(&m, usize::MAX)?);
                        break;
                    }
                }
            }
            match empty {
                Some(m) => self.nodes.push(cert::Node::Empty(m)),
                None => self.play_somewhere(cell)?,
            }
            self.known.back_to(0);
            trees.push(std::mem::take(&mut self.nodes));
        }
        self.nodes = coverage;
        Ok(trees)
    }

    fn play_somewhere(&mut self, mut cell: Cell) -> Result<(), Failure> {
        let x = match cell.vertex()? {
            Sample::Integers(x) => x,
            Sample::Split(row) => {
                self.check()?;
                return self.split(cell, &row, &mut |cover, cell, _| cover.play_somewhere(cell));
            }
        };
        if self.is_terminal(&x) {
            let position = self.position(&x).unwrap_or_default();
            return Err(Failure::Refuted(FormulaCounterexample::Terminal { position }));
        }
        let mut found = None;
        for (number, play) in self.problem.plays.iter().enumerate() {
            let tall = |s: &usize, amount: Height| x[*s] >= i128::from(amount);
            let lowered = |s: usize, amount: Height| -> Result<Form, Overflow> {
                Form::variable(s).plus(-fit(amount)?)
            };
            let least = play.each.least();
            let amounts: Vec<(usize, Height)> = match play.any {
                true => match play.stacks.iter().find(|s| tall(s, play.total.least())) {
                    Some(s) => vec![(s, play.total.least())],
                    None => continue,
                },
                false
                    if play.stacks.iter().all(|s| tall(&s, least))
                        && play.total.allows(u128::from(least) * play.stacks.len() as u128) =>
                {
                    play.stacks.iter().map(|s| (s, least)).collect()
                }
                false => continue,
            };
            let constraints = amounts.iter().map(|&(s, a)| lowered(s, a));
            let constraints: Vec<Form> = constraints.collect::<Result<_, _>>()?;
            let heights = play.stacks.iter().map(|s| match amounts.iter().find(|a| a.0 == s) {
                Some(&(s, amount)) => lowered(s, amount),
                None => Ok(Form::variable(s)),
            });
            found = Some((number, constraints, heights.collect::<Result<Vec<Form>, _>>()?));
            break;
        }
        let Some((play, constraints, heights)) = found else {
            let position = self.position(&x).unwrap_or_default();
            return Err(Failure::Undecided(Reason::NoRegion(position)));
        };
        let mut proofs = Vec::new();
        for row in &constraints {
            let id = self.rows.id(row.clone());
            match self.known.follows(&mut cell, id, row)? {
                Some(m) => proofs.push(farkas(&m, cell.next())?),
                None => {
                    return self.split(cell, row, &mut |cover, cell, _| cover.play_somewhere(cell));
                }
            }
        }
        let constraints = constraints.into_iter().map(Constraint::at_least_zero).collect();
        let key = RuleKey { play: Some(play), heights, constraints, goal: false };
        let rule = match self.rule_index.get(&key) {
            Some(&rule) => rule,
            None => {
                let rule = self.playable_rule(&key)?;
                self.rules.push(rule);
                self.rule_index.insert(key, self.rules.len() - 1);
                self.rules.len() - 1
            }
        };
        self.nodes.push(cert::Node::Rule { rule, symmetry: None, bind: Vec::new(), proofs });
        Ok(())
    }

    /// The rule that a move exists.
    fn playable_rule(&self, key: &RuleKey) -> Result<cert::Rule, Failure> {
        let n = self.problem.stacks;
        let solver = solved(n, 0, &key.constraints)?;
        let solver = solver.map_err(|_| Failure::internal("an empty rule"))?;
        let Some(play) = key.play else { return Err(Failure::internal("no play")) };
        let play = &self.problem.plays[play];
        let mut values: Vec<Form> = (0..n).map(Form::variable).collect();
        play.stacks.iter().zip(&key.heights).for_each(|(s, row)| values[s] = row.clone());
        let mut proofs = Vec::new();
        for claim in inequalities(&play.constraints(|s| n + s, false)?) {
            let claim = claim.settled(n, &values)?;
            match solver.entails(&claim, usize::MAX)? {
                Entailed::Yes(m) => proofs.push(farkas(&m, n + key.constraints.len())?),
                Entailed::No(_) => return Err(Failure::internal("a move that is none")),
            }
        }
        Ok(key.certificate(0, Some(play), proofs, None))
    }
}

/// An amount that coefficients can hold.
fn fit(amount: Height) -> Result<i64, Overflow> {
    i64::try_from(amount).ok().filter(|&a| a < 1 << 60).ok_or(Overflow)
}

/// Why no move of the play is possible in the cell.
fn unplayable(cell: &Cell, play: &Play) -> Result<Multipliers, Failure> {
    let mut solver: Solver = cell.solver.clone();
    let first = cell.heights + cell.extras;
    (0..play.stacks.len()).for_each(|_| solver.add_free());
    let constraints = play.constraints(|s| first + play.place(s), false)?;
    for (i, constraint) in constraints.iter().enumerate() {
        if let Answer::Infeasible(m) = solver.add(constraint, cell.next() + i)? {
            return Ok(m);
        }
    }
    Err(Failure::internal("a move that is possible and is not"))
}
