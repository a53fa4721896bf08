//! The theorems on which answers rest.

use super::{Found, request};
use crate::failure::Failure;
use crate::host::Host;
use crate::read;
use crate::status::Status;
use crate::units::{Size, Time};
use nimatron::crates::theory::{Recognition, Theorem, library, recognise};
use nimatron::render::{Entry, TheoremsAnswer, json};
use nimatron::structure::{A_SECOND, Solved, TheoremCheck, affordable_box, examples_of};
use nimatron::{Game, Limits};
use std::num::NonZeroU32;
use std::sync::Arc;

request! {
    /// The theorems on which answers rest, with their sources.
    pub struct Theorems {
        /// Only the theorem that covers this game.
        pub game: Option<String>,
        /// All about the theorem with this name.
        pub show: Option<String>,
        /// Compare with computed tables.
        #[serde(default)]
        pub check: bool,
        /// Compare on all heights up to this; what takes about a second if not given.
        pub max: Option<NonZeroU32>,
        /// Stop comparing after this time; 10 seconds if not given.
        pub time: Option<Time>,
        /// Memory for comparing; 2 GB if not given.
        pub memory: Option<Size>,
    }
}

/// Some theorems.
#[derive(Debug)]
pub struct Cited {
    /// The game asked about.
    pub game: Option<Game>,
    /// Who solved it, be it a theorem or not.
    pub solved: Option<Solved>,
    /// The theorems.
    pub entries: Vec<Entry<'static>>,
}

/// How many games a theorem is compared on when none is given.
const EXAMPLES: usize = 4;

impl Theorems {
    /// The theorems asked for.
    pub fn find(&self, host: &Host) -> Result<Cited, Failure> {
        if (self.time.is_some() || self.memory.is_some()) && !self.check {
            return Err(Failure::useless("--time or --memory", "only --check takes long"));
        }
        if self.max.is_some() && !self.check {
            return Err(Failure::useless("max", "only check compares"));
        }
        if self.show.is_some() && self.game.is_some() {
            return Err(Failure::useless("show", "it is about one game"));
        }
        let game = self.game.as_deref().map(read::game).transpose()?;
        let limits = host.usual(self.time, self.memory);
        let knowledge = host.knowledge();
        let solved = game.as_ref().and_then(|game| knowledge.solved(game));
        host.problems(&knowledge);
        let mut entries = Vec::new();
        match &game {
            Some(game) => {
                let found = game.single().and_then(|rule| recognise(rule, game.convention()));
                if let Some(found) = found {
                    let mut entry = Entry::new(found.theorem, Some(found.solution()));
                    if self.check {
                        entry.checks.extend(self.compare(game, &found, A_SECOND, &limits)?);
                    }
                    entries.push(entry);
                } else {
                    match &solved {
                        Some(Solved::Theorem(found)) => {
                            entries.push(Entry::new(found.theorem, Some(found.solution())));
                        }
                        Some(Solved::Values(all)) => {
                            let entry = |t: &Arc<Recognition>| Entry::new(t.theorem, None);
                            entries.extend(all.iter().map(entry));
                            entries.dedup_by_key(|entry| entry.theorem.id().to_string());
                        }
                        _ => {}
                    }
                }
            }
            None => {
                for theorem in self.chosen()? {
                    let mut entry = Entry::new(theorem, None);
                    if self.check || self.show.is_some() {
                        self.examples(theorem, &mut entry, &limits)?;
                    }
                    entries.push(entry);
                }
            }
        }
        Ok(Cited { game, solved, entries })
    }

    /// The theorems asked about.
    fn chosen(&self) -> Result<Vec<&'static dyn Theorem>, Failure> {
        let all = library::theorems();
        let Some(id) = &self.show else { return Ok(all.to_vec()) };
        match all.iter().find(|t| t.id() == id) {
            Some(theorem) => Ok(vec![*theorem]),
            None => {
                let ids: Vec<&str> = all.iter().map(|t| t.id()).collect();
                let known = ids.join(", ");
                let message = format!("there is no theorem {id:?}: known are {known}");
                Err(Failure::bad("unknown-name", message))
            }
        }
    }

    /// The formula for the first example of a theorem, if it is about one game, and comparisons.
    fn examples(
        &self,
        theorem: &'static dyn Theorem,
        entry: &mut Entry<'static>,
        limits: &Limits,
    ) -> Result<(), Failure> {
        let examples = examples_of(theorem, EXAMPLES);
        for game in &examples {
            let found = game.single().and_then(|rule| recognise(rule, game.convention()));
            let Some(found) = found else { continue };
            if examples.len() == 1 {
                entry.formula = found.solution().formula();
            }
            if self.check {
                let work = A_SECOND / 4.0 / examples.len() as f64;
                entry.checks.extend(self.compare(game, &found, work, limits)?);
            }
        }
        Ok(())
    }

    /// The comparison on a box of the size asked for, or of one that takes this much work.
    fn compare(
        &self,
        game: &Game,
        found: &Recognition,
        work: f64,
        limits: &Limits,
    ) -> Result<Option<TheoremCheck>, Failure> {
        let max = self.max.map(|n| n.get().into());
        let Some(max) = max.or_else(|| affordable_box(game, work)) else { return Ok(None) };
        let check = TheoremCheck::of(game, found, max, &limits.start());
        check.map(Some).map_err(|error| Failure::table(&error))
    }
}

impl Found for Cited {
    fn status(&self) -> Status {
        let differs = |e: &Entry| e.checks.iter().any(|c| c.differs.is_some());
        match self.entries.is_empty() {
            true => Status::Undecided,
            false if self.entries.iter().any(differs) => Status::Negative,
            false => Status::Answered,
        }
    }

    fn json(&self) -> String {
        json::to_string(&TheoremsAnswer::new(self.game.as_ref(), &self.entries))
    }
}
