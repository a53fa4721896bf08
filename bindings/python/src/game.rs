//! A game and the questions about it.

use crate::answer::Answer;
use crate::failure::Failure;
use crate::work::{Bounds, run};
use nimatron::check::{Conjecture, Context, Formula};
use nimatron::crates::game::notation::parse_position;
use nimatron::crates::game::symmetry::Symmetry;
use nimatron::crates::reduce::{Chain, State};
use nimatron::proofs::{Examination, Store};
use nimatron::render::{
    self, CheatSheetAnswer, CheckAnswer, Heights, InvariantsAnswer, MovesAnswer, Palette,
    SubgamesAnswer, Written, json,
};
use nimatron::structure::{
    A_SECOND, CheatSheet, Evidence, GameInfo, Invariants, PeelingRule, Subgames, affordable_box,
    invariance_process,
};
use nimatron::tables::Threads;
use nimatron::{
    Game, Height, Knowledge, Options, Page, Position, Prepared, StackSet, Take, WantedMoves,
};
use pyo3::prelude::*;
use std::path::PathBuf;

/// A game with what is known about it.
#[pyclass(frozen, module = "nimatron._nimatron", name = "Game")]
pub(crate) struct NativeGame {
    pub(crate) prepared: Prepared,
}

/// More sets than this are not listed.
const SETS_LISTED: u64 = 10_000;

pub(crate) fn read_game(text: &str) -> Result<Game, Failure> {
    text.parse().map_err(|error| Failure::text("GAME", text, &error))
}

pub(crate) fn read_formula(text: &str, game: &Game) -> Result<Formula, Failure> {
    let parsed = Formula::parse(text, &Context::of_game(game));
    parsed.map_err(|error| Failure::formula(text, &error))
}

pub(crate) fn numbers(set: StackSet) -> Vec<usize> {
    set.iter().map(|stack| stack + 1).collect()
}

pub(crate) fn threads(count: Option<usize>) -> Threads {
    count.map_or_else(Threads::all, Threads::new)
}

impl NativeGame {
    pub(crate) fn game(&self) -> &Game {
        self.prepared.game()
    }

    fn position(&self, heights: Vec<Height>) -> Result<Position, Failure> {
        let (stacks, found) = (self.game().stacks(), heights.len());
        if stacks != found {
            let message =
                format!("{} has {stacks} stacks, but {found} heights are given", self.game());
            return Err(Failure::input("wrong-count", message));
        }
        Position::new(heights).map_err(|error| Failure::input("too-large", error))
    }

    /// The set of stacks with ones in a vector.
    fn vector(&self, ones: &[usize]) -> Result<StackSet, Failure> {
        let stacks = self.game().stacks();
        match ones.iter().find(|&&stack| stack == 0 || stack > stacks) {
            Some(stack) => {
                let message = format!("there is no stack {stack}: stacks go from 1 to {stacks}");
                Err(Failure::input("vectors", message))
            }
            None => Ok(ones.iter().map(|stack| stack - 1).collect()),
        }
    }
}

#[pymethods]
impl NativeGame {
    #[new]
    #[pyo3(signature = (text, library=None))]
    fn new(py: Python<'_>, text: &str, library: Option<PathBuf>) -> PyResult<Self> {
        let game = read_game(text).map_err(|failure| failure.raise(py))?;
        let knowledge =
            library.map(Store::new).map_or_else(Knowledge::default, Knowledge::with_store);
        Ok(NativeGame { prepared: Prepared::knowing(game, knowledge) })
    }

    /// The game in notation.
    fn text(&self) -> String {
        self.game().to_string()
    }

    fn stacks(&self) -> usize {
        self.game().stacks()
    }

    /// The sets of all summands, with stacks counted from 1 through the whole game.
    fn facets(&self, py: Python<'_>) -> PyResult<Vec<Vec<usize>>> {
        let count: u64 = self.game().summands().iter().map(|s| s.rule().sets().len()).sum();
        if count > SETS_LISTED {
            let message = format!("{} has {count} sets: too many to list", self.game());
            return Err(Failure::input("too-large", message).raise(py));
        }
        let of = |s: &nimatron::crates::game::Summand| {
            let start = s.stacks().start;
            s.rule().sets().iter().map(|set| numbers(set.shifted(start))).collect::<Vec<_>>()
        };
        Ok(self.game().summands().iter().flat_map(of).collect())
    }

    /// How many symmetries there are, and generators of them: for each stack, where it goes.
    fn symmetries(&self, py: Python<'_>) -> PyResult<(u128, Vec<Vec<usize>>, Vec<Vec<usize>>)> {
        let Some(rule) = self.game().single() else {
            let message = "the symmetries of a sum are told summand by summand: see info()";
            return Err(Failure::input("sum", message).raise(py));
        };
        let symmetry = Symmetry::of(rule);
        let images = symmetry.generators().into_iter().map(|g| g.images().map(|i| i + 1).collect());
        let orbits = symmetry.orbits().into_iter().map(numbers).collect();
        Ok((symmetry.order(), images.collect(), orbits))
    }

    /// A position that is written as text.
    fn read_position(&self, py: Python<'_>, text: &str) -> PyResult<Vec<Height>> {
        let position = parse_position(text, self.game());
        let position = position.map_err(|e| Failure::text("POSITION", text, &e).raise(py))?;
        Ok(position.into_vec())
    }

    /// Has a certificate accepted and answers by it from now on.
    fn learn(&self, py: Python<'_>, certificate: Vec<u8>, budget: u64) -> PyResult<()> {
        let bounds = Bounds::new(None, None, None).map_err(|failure| failure.raise(py))?;
        run(py, &bounds, |_| {
            let examined: Examination = crate::proof::examine(&certificate, None, None, budget)?;
            let Some(proved) = examined.proved() else {
                let why = examined.refusal.map_or(String::new(), |refusal| format!(": {refusal}"));
                return Err(Failure::input(
                    "rejected",
                    format!("the certificate is rejected{why}"),
                ));
            };
            self.prepared.learn(&proved);
            Ok(())
        })
    }

    fn info(&self, py: Python<'_>) -> PyResult<Answer> {
        let bounds = Bounds::new(None, None, None).map_err(|failure| failure.raise(py))?;
        run(py, &bounds, |_| {
            let info = GameInfo::knowing(self.game(), self.prepared.knowledge());
            let json = |info: &GameInfo| json::to_string(&json::GameAnswer::from(info));
            Ok(Answer::new(info, json, render::game))
        })
    }

    #[pyo3(signature = (heights, all_moves, limit, time, memory, progress=None))]
    #[allow(clippy::too_many_arguments)]
    fn solve(
        &self,
        py: Python<'_>,
        heights: Vec<Height>,
        all_moves: bool,
        limit: usize,
        time: Option<f64>,
        memory: Option<u64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Answer> {
        let bounds = Bounds::new(time, memory, progress).map_err(|failure| failure.raise(py))?;
        run(py, &bounds, |job| {
            let position = self.position(heights)?;
            let moves = if all_moves { WantedMoves::AllUpTo(limit) } else { WantedMoves::One };
            let options = Options::default().limits(job.limits.clone()).moves(moves);
            let found = self.prepared.investigate(&position, &options, &|_| {});
            let found = found.map_err(|error| Failure::input("wrong-count", error))?;
            let json = |found: &nimatron::Investigation| {
                json::to_string(&json::Solve::investigated(found, &Written::default()))
            };
            let text = |found: &nimatron::Investigation, palette: &Palette| {
                render::investigation(found, &Written::default(), palette)
            };
            Ok(Answer::new(found, json, text))
        })
    }

    #[pyo3(signature = (heights, take, time, memory, progress=None))]
    fn after(
        &self,
        py: Python<'_>,
        heights: Vec<Height>,
        take: Vec<Height>,
        time: Option<f64>,
        memory: Option<u64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Answer> {
        let bounds = Bounds::new(time, memory, progress).map_err(|failure| failure.raise(py))?;
        run(py, &bounds, |job| {
            let position = self.position(heights)?;
            let options = Options::default().limits(job.limits.clone());
            let found = self.prepared.after(&position, &Take::new(take), &options);
            let found = found.map_err(|error| Failure::input("illegal-move", error))?;
            let json = |found: &nimatron::After| json::to_string(&json::AfterAnswer::from(found));
            Ok(Answer::new(found, json, render::after))
        })
    }

    #[pyo3(signature = (heights, skip, limit, time, memory, progress=None))]
    #[allow(clippy::too_many_arguments)]
    fn moves(
        &self,
        py: Python<'_>,
        heights: Vec<Height>,
        skip: usize,
        limit: usize,
        time: Option<f64>,
        memory: Option<u64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Answer> {
        let bounds = Bounds::new(time, memory, progress).map_err(|failure| failure.raise(py))?;
        run(py, &bounds, |job| {
            let position = self.position(heights)?;
            let found = self.prepared.moves(&position, Page { skip, limit }, &job.limits);
            let found = found.map_err(|error| Failure::input("wrong-count", error))?;
            let json = |found: &nimatron::Moves| json::to_string(&MovesAnswer::from(found));
            Ok(Answer::new(found, json, render::moves))
        })
    }

    /// The game made smaller, or the position; by invariant vectors too, if these are asked for.
    #[pyo3(signature = (heights, cone, invariance, vectors))]
    fn reduce(
        &self,
        py: Python<'_>,
        heights: Option<Vec<Height>>,
        cone: bool,
        invariance: bool,
        vectors: Option<Vec<Vec<usize>>>,
    ) -> PyResult<Answer> {
        let bounds = Bounds::new(None, None, None).map_err(|failure| failure.raise(py))?;
        run(py, &bounds, |_| {
            let game = self.game();
            let position = heights.map(|heights| self.position(heights)).transpose()?;
            let shown = if position.is_some() { Heights::Shown } else { Heights::Hidden };
            let chain = match position {
                Some(position) if invariance || vectors.is_some() => {
                    let sets = vectors.map(|all| {
                        all.iter().map(|ones| self.vector(ones)).collect::<Result<Vec<_>, _>>()
                    });
                    let sets = sets.transpose()?;
                    let knowledge = self.prepared.knowledge();
                    let chain = invariance_process(game, &position, sets.as_deref(), knowledge);
                    chain.map_err(|error| Failure::input("vectors", error))?
                }
                position => {
                    let start = match position {
                        None => State::generic(game),
                        Some(position) => State::new(game, &position)
                            .map_err(|error| Failure::input("wrong-count", error))?,
                    };
                    if cone { Chain::reduce_with_cone(start) } else { Chain::reduce(start) }
                }
            };
            let json = move |(game, chain): &(Game, Chain)| {
                json::to_string(&json::Reduce::new(game, chain, shown))
            };
            let text = move |(game, chain): &(Game, Chain), palette: &Palette| {
                render::reduction(game, chain, shown, palette)
            };
            Ok(Answer::new((game.clone(), chain), json, text))
        })
    }

    #[pyo3(signature = (formula, max, threads, time, memory, progress=None))]
    #[allow(clippy::too_many_arguments)]
    fn check(
        &self,
        py: Python<'_>,
        formula: &str,
        max: Option<Vec<Height>>,
        threads: Option<usize>,
        time: Option<f64>,
        memory: Option<u64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Answer> {
        let bounds = Bounds::new(time, memory, progress).map_err(|failure| failure.raise(py))?;
        run(py, &bounds, |job| {
            let formula = read_formula(formula, self.game())?;
            let conjecture = Conjecture::new(self.game(), &formula)
                .map_err(|error| Failure::input("formula", error))?;
            let max = max.unwrap_or_else(|| vec![conjecture.suggested_max(); self.game().stacks()]);
            let found = conjecture.check(&max, &self::threads(threads), job);
            let found = found.map_err(|error| Failure::input("box", error))?;
            let json = |found: &nimatron::check::Check| json::to_string(&CheckAnswer::from(found));
            Ok(Answer::new(found, json, render::check))
        })
    }

    #[pyo3(signature = (max, time, memory, progress=None))]
    fn invariants(
        &self,
        py: Python<'_>,
        max: Option<Height>,
        time: Option<f64>,
        memory: Option<u64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Answer> {
        let bounds = Bounds::new(time, memory, progress).map_err(|failure| failure.raise(py))?;
        run(py, &bounds, |job| {
            let max = max.or_else(|| affordable_box(self.game(), A_SECOND));
            let found = Invariants::of(self.game(), max, self.prepared.knowledge(), job);
            let found = found.map_err(|error| Failure::table(&error))?;
            let Some(found) = found else {
                let message = "a sum has no invariant vectors of its own";
                return Err(Failure::input("sum", message));
            };
            let json =
                |found: &Invariants| json::to_string(&InvariantsAnswer::new(&found.game, found));
            Ok(Answer::new(found, json, render::invariants))
        })
    }

    /// The cheat sheet: the rule of peeling, or sheets with cases, or both.
    #[pyo3(signature = (cases, detect, time, memory, progress=None))]
    fn cheatsheet(
        &self,
        py: Python<'_>,
        cases: bool,
        detect: bool,
        time: Option<f64>,
        memory: Option<u64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Answer> {
        let bounds = Bounds::new(time, memory, progress).map_err(|failure| failure.raise(py))?;
        run(py, &bounds, |job| {
            let (game, knowledge) = (self.game(), self.prepared.knowledge());
            let rule = PeelingRule::of(game, knowledge);
            let mut sheets = match rule.is_none() || cases {
                true => CheatSheet::all(game, knowledge).unwrap_or_default(),
                false => Vec::new(),
            };
            if sheets.is_empty() && detect && rule.is_none() {
                sheets.extend(detected(game, knowledge, job)?);
            }
            type Sheet = (Game, Option<PeelingRule>, Vec<CheatSheet>);
            let json = |(game, rule, sheets): &Sheet| {
                json::to_string(&CheatSheetAnswer::new(game, rule.as_ref(), sheets))
            };
            let text = |(game, rule, sheets): &Sheet, palette: &Palette| {
                let rule = rule.as_ref().map(|rule| render::peeling_rule(rule, palette));
                match (rule, sheets.is_empty()) {
                    (None, true) => format!("{game}\nno invariant vectors are known\n"),
                    (None, false) => render::cheatsheet(sheets, palette),
                    (Some(rule), true) => rule,
                    (Some(rule), false) => rule + "\n" + &render::cheatsheet(sheets, palette),
                }
            };
            let latex = |(_, _, sheets): &Sheet| {
                (!sheets.is_empty()).then(|| render::cheatsheet_latex(sheets))
            };
            Ok(Answer::with_latex((game.clone(), rule, sheets), json, text, latex))
        })
    }

    #[pyo3(signature = (limit, time, memory, progress=None))]
    fn subgames(
        &self,
        py: Python<'_>,
        limit: Option<usize>,
        time: Option<f64>,
        memory: Option<u64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Answer> {
        let bounds = Bounds::new(time, memory, progress).map_err(|failure| failure.raise(py))?;
        run(py, &bounds, |job| {
            let found = Subgames::of(self.game(), self.prepared.knowledge(), job);
            let json = move |(game, found): &(Game, Subgames)| {
                json::to_string(&SubgamesAnswer::new(game, found, limit.unwrap_or(usize::MAX)))
            };
            let text = move |(game, found): &(Game, Subgames), palette: &Palette| {
                render::subgames(game, found, limit.unwrap_or(30), palette)
            };
            Ok(Answer::new((self.game().clone(), found), json, text))
        })
    }
}

/// A sheet by vectors that hold in a small box.
fn detected(
    game: &Game,
    knowledge: &Knowledge,
    job: &crate::work::Job,
) -> Result<Option<CheatSheet>, Failure> {
    let Some(max) = affordable_box(game, A_SECOND) else { return Ok(None) };
    let found = Invariants::of(game, Some(max), knowledge, job);
    let found = found.map_err(|error| Failure::table(&error))?;
    let vectors = found.and_then(|f| f.tested).map(|t| t.basis()).unwrap_or_default();
    let sheet = || CheatSheet::of(game, &vectors, Evidence::Box { max }, knowledge);
    Ok(if vectors.is_empty() { None } else { sheet() })
}
