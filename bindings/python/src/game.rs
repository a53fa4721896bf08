//! A game, what it is like, and the questions about its positions.

use crate::answer::Answer;
use crate::failure::Failure;
use crate::work::{Bounds, Job, lock, run};
use nimatron::crates::game::Summand;
use nimatron::crates::game::notation::parse_position;
use nimatron::crates::game::symmetry::Symmetry;
use nimatron::proofs::Store;
use nimatron::render::{self, MovesAnswer, Palette, Written, json};
use nimatron::{
    After, Game, Height, Investigation, Knowledge, Moves, Options, Page, Position, Prepared,
    StackSet, Take, WantedMoves,
};
use nimatron_service::read;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// A game with what is known about it.
#[pyclass(frozen, module = "nimatron._nimatron", name = "Game")]
pub(crate) struct NativeGame(pub(crate) Arc<Known>);

/// A game with what is known about it, for many calls at once.
pub(crate) struct Known {
    pub(crate) game: Game,
    knowledge: Arc<Knowledge>,
    /// Ready for questions, with what earlier ones computed. Each call has one for itself: nobody waits for
    /// another, and what one finds does not change what another is told.
    ready: Mutex<Vec<Prepared>>,
}

/// So many are kept: they may be large.
const MOST_READY: usize = 2;

/// More sets than this are not listed.
const SETS_LISTED: u64 = 10_000;

pub(crate) fn read_game(text: &str) -> Result<Game, Failure> {
    Ok(read::game(text)?)
}

pub(crate) fn numbers(set: StackSet) -> Vec<usize> {
    set.iter().map(|stack| stack + 1).collect()
}

impl Known {
    /// What is known, for one question.
    pub(crate) fn knowledge(&self) -> Knowledge {
        Knowledge::sharing(self.knowledge.clone())
    }

    /// Asks, with what earlier questions computed.
    pub(crate) fn prepared<T>(&self, ask: impl FnOnce(&Prepared) -> T) -> T {
        self.prepared_unless(ask, |_| false)
    }

    /// The same. Where something was learned on the way, nobody else is to know.
    fn prepared_unless<T>(
        &self,
        ask: impl FnOnce(&Prepared) -> T,
        learned: impl FnOnce(&T) -> bool,
    ) -> T {
        let ready = lock(&self.ready).pop();
        let prepared =
            ready.unwrap_or_else(|| Prepared::knowing(self.game.clone(), self.knowledge()));
        let answer = ask(&prepared);
        let mut ready = lock(&self.ready);
        if ready.len() < MOST_READY && !learned(&answer) {
            ready.push(prepared);
        }
        answer
    }

    pub(crate) fn position(&self, heights: Vec<Height>) -> Result<Position, Failure> {
        let (stacks, found) = (self.game.stacks(), heights.len());
        if stacks != found {
            let message =
                format!("{} has {stacks} stacks, but {found} heights are given", self.game);
            return Err(Failure::input("wrong-count", message));
        }
        Position::new(heights).map_err(|error| Failure::input("too-large", error))
    }
}

impl NativeGame {
    /// Has a question about the game answered.
    pub(crate) fn ask(
        &self,
        py: Python<'_>,
        bounds: &Bounds,
        work: impl FnOnce(&Known, &Job) -> Result<Answer, Failure> + Send + 'static,
    ) -> PyResult<Answer> {
        let known = self.0.clone();
        run(py, bounds, move |job| work(&known, job))
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
        let (knowledge, ready) = (Arc::new(knowledge), Mutex::default());
        Ok(NativeGame(Arc::new(Known { game, knowledge, ready })))
    }

    /// The game in notation.
    fn text(&self) -> String {
        self.0.game.to_string()
    }

    fn stacks(&self) -> usize {
        self.0.game.stacks()
    }

    /// The sets of all summands, with stacks counted from 1 through the whole game.
    fn facets(&self, py: Python<'_>) -> PyResult<Vec<Vec<usize>>> {
        let game = &self.0.game;
        let count: u64 = game.summands().iter().map(|s| s.rule().sets().len()).sum();
        if count > SETS_LISTED {
            let message = format!("{game} has {count} sets: too many to list");
            return Err(Failure::input("too-large", message).raise(py));
        }
        let of = |s: &Summand| {
            let start = s.stacks().start;
            s.rule().sets().iter().map(|set| numbers(set.shifted(start))).collect::<Vec<_>>()
        };
        Ok(game.summands().iter().flat_map(of).collect())
    }

    /// How many symmetries there are, and generators of them: for each stack, where it goes.
    #[allow(clippy::type_complexity, reason = "a tuple for Python")]
    fn symmetries(&self, py: Python<'_>) -> PyResult<(u128, Vec<Vec<usize>>, Vec<Vec<usize>>)> {
        let known = self.0.clone();
        run(py, &Bounds::default(), move |_| {
            let Some(rule) = known.game.single() else {
                let message = "the symmetries of a sum are told summand by summand: see info()";
                return Err(Failure::input("sum", message));
            };
            let symmetry = Symmetry::of(rule);
            let images = symmetry.generators().into_iter();
            let images = images.map(|g| g.images().map(|i| i + 1).collect()).collect();
            let orbits = symmetry.orbits().into_iter().map(numbers).collect();
            Ok((symmetry.order(), images, orbits))
        })
    }

    /// A position that is written as text.
    fn read_position(&self, py: Python<'_>, text: &str) -> PyResult<Vec<Height>> {
        let position = parse_position(text, &self.0.game);
        let position = position.map_err(|error| {
            let failure = nimatron_service::Failure::text("POSITION", text.to_string(), &error);
            Failure::from(failure).raise(py)
        })?;
        Ok(position.into_vec())
    }

    /// Has a certificate accepted and answers by it from now on.
    fn learn(&self, py: Python<'_>, certificate: Vec<u8>, budget: u32) -> PyResult<()> {
        let known = self.0.clone();
        run(py, &Bounds::default(), move |_| {
            let examined = crate::proof::examine(&certificate, "certificate", None, None, budget)?;
            let examined = examined.examination;
            let Some(proved) = examined.proved() else {
                let why = examined.refusal.map_or(String::new(), |refusal| format!(": {refusal}"));
                let message = format!("the certificate is rejected{why}");
                return Err(Failure::input("rejected", message));
            };
            known.knowledge.learn(&proved);
            // Where nothing was known before, something may be now.
            lock(&known.ready).clear();
            Ok(())
        })
    }

    fn solve(
        &self,
        py: Python<'_>,
        heights: Vec<Height>,
        all_moves: bool,
        limit: usize,
        bounds: Bounds,
    ) -> PyResult<Answer> {
        self.ask(py, &bounds, move |known, job| {
            let position = known.position(heights)?;
            let moves = if all_moves { WantedMoves::AllUpTo(limit) } else { WantedMoves::One };
            let options = Options::default().limits(job.limits.clone()).moves(moves);
            let found = known.prepared_unless(
                |prepared| prepared.investigate(&position, &options, &|_| {}),
                |found| found.as_ref().is_ok_and(|found| found.discovery.is_some()),
            );
            let found = found.map_err(|error| Failure::input("wrong-count", error))?;
            let json = |found: &Investigation| {
                json::to_string(&json::Solve::investigated(found, &Written::default()))
            };
            let text = |found: &Investigation, palette: &Palette| {
                render::investigation(found, &Written::default(), palette)
            };
            Ok(Answer::new(found, json, text))
        })
    }

    fn after(
        &self,
        py: Python<'_>,
        heights: Vec<Height>,
        take: Vec<Height>,
        bounds: Bounds,
    ) -> PyResult<Answer> {
        self.ask(py, &bounds, move |known, job| {
            let position = known.position(heights)?;
            let options = Options::default().limits(job.limits.clone());
            let take = Take::new(take);
            let found = known.prepared(|prepared| prepared.after(&position, &take, &options));
            let found = found.map_err(|error| Failure::input("illegal-move", error))?;
            let json = |found: &After| json::to_string(&json::AfterAnswer::from(found));
            Ok(Answer::new(found, json, render::after))
        })
    }

    fn moves(
        &self,
        py: Python<'_>,
        heights: Vec<Height>,
        skip: usize,
        limit: usize,
        bounds: Bounds,
    ) -> PyResult<Answer> {
        self.ask(py, &bounds, move |known, job| {
            let position = known.position(heights)?;
            let page = Page { skip, limit };
            let found = known.prepared(|prepared| prepared.moves(&position, page, &job.limits));
            let found = found.map_err(|error| Failure::input("wrong-count", error))?;
            let json = |found: &Moves| json::to_string(&MovesAnswer::from(found));
            Ok(Answer::new(found, json, render::moves))
        })
    }
}
