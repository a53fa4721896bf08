//! What is inside a game: invariant vectors, cheat sheets, subgames, circuits.

use super::{Found, request};
use crate::failure::Failure;
use crate::host::Host;
use crate::read;
use crate::status::Status;
use crate::units::{Size, Time};
use nimatron::render::{
    CheatSheetAnswer, CircuitsAnswer, CircularCircuitsAnswer, InvariantsAnswer, SubgamesAnswer,
    json,
};
use nimatron::structure::{
    A_SECOND, CheatSheet, Circuits as Complex, CircularCircuits, Evidence, Invariants as Vectors,
    PeelingRule, Subgames as Inside, affordable_box,
};
use nimatron::{Game, Height, Knowledge};
use std::num::NonZeroU32;

request! {
    /// The invariant vectors of a game, by theorem and by table.
    pub struct Invariants {
        /// The game.
        pub game: String,
        /// Test on all heights up to this; what takes about a second if not given.
        pub max: Option<NonZeroU32>,
        /// Stop after this time; 10 seconds if not given.
        pub time: Option<Time>,
        /// Stop when this much memory is used; 2 GB if not given.
        pub memory: Option<Size>,
    }
}

/// The invariant vectors of a game.
#[derive(Debug)]
pub struct Invariance {
    /// The game.
    pub game: Game,
    /// Its vectors.
    pub vectors: Vectors,
}

impl Invariants {
    /// The vectors.
    pub fn find(&self, host: &Host) -> Result<Invariance, Failure> {
        let game = read::game(&self.game)?;
        let max = self.max.map(|n| n.get().into()).or_else(|| telling_box(&game));
        let watch = host.metered(&host.usual(self.time, self.memory));
        let knowledge = host.knowledge();
        let found = Vectors::of(&game, max, &knowledge, &watch);
        host.problems(&knowledge);
        match found.map_err(|error| Failure::table(&error))? {
            Some(vectors) => Ok(Invariance { game, vectors }),
            None => Err(Failure::bad("sum", "a sum has no invariant vectors of its own".into())),
        }
    }
}

/// The box on which vectors are tried: with one token on each stack at the most, next to nothing speaks against any.
fn telling_box(game: &Game) -> Option<Height> {
    affordable_box(game, A_SECOND).filter(|&max| max >= 2)
}

impl Found for Invariance {
    fn status(&self) -> Status {
        match self.vectors.known.is_empty() && self.vectors.tested.is_none() {
            true => Status::Undecided,
            false => Status::Answered,
        }
    }

    fn json(&self) -> String {
        json::to_string(&InvariantsAnswer::new(&self.game, &self.vectors))
    }
}

request! {
    /// How to play a game with invariant vectors.
    pub struct Cheatsheet {
        /// The game.
        pub game: String,
        /// Where a game is won by peeling, the table of cases as well as the rule.
        #[serde(default)]
        pub cases: bool,
        /// Where no theorem gives vectors, use those that a table does not refute.
        #[serde(default)]
        pub detect: bool,
        /// Stop detecting after this time; 10 seconds if not given.
        pub time: Option<Time>,
        /// Memory for detecting; 2 GB if not given.
        pub memory: Option<Size>,
    }
}

/// How to play a game.
#[derive(Debug)]
pub struct Sheets {
    /// The game.
    pub game: Game,
    /// The rule of peeling, if the game is won by it.
    pub rule: Option<PeelingRule>,
    /// The cheat sheets, the first for the game and the others for the games it leads to.
    pub sheets: Vec<CheatSheet>,
}

impl Cheatsheet {
    /// The sheets. Those of a game that is won by peeling are long; `all` wants them all the same.
    pub fn find_all(&self, all: bool, host: &Host) -> Result<Sheets, Failure> {
        if (self.time.is_some() || self.memory.is_some()) && !self.detect {
            return Err(Failure::useless("--time or --memory", "only --detect takes long"));
        }
        let game = read::game(&self.game)?;
        let knowledge = host.knowledge();
        let rule = PeelingRule::of(&game, &knowledge);
        if self.cases && rule.is_none() {
            return Err(Failure::useless("--cases", "the cases are the whole sheet of this game"));
        }
        // The rule of peeling is shorter than its table of cases.
        let mut sheets = match rule.is_none() || self.cases || all {
            true => CheatSheet::all(&game, &knowledge).unwrap_or_default(),
            false => Vec::new(),
        };
        if sheets.is_empty() && self.detect && rule.is_none() {
            sheets.extend(self.detected(&game, &knowledge, host)?);
        }
        host.problems(&knowledge);
        Ok(Sheets { game, rule, sheets })
    }

    /// The sheets.
    pub fn find(&self, host: &Host) -> Result<Sheets, Failure> {
        self.find_all(false, host)
    }

    /// The sheet by vectors that hold on a box, if there are any.
    fn detected(
        &self,
        game: &Game,
        knowledge: &Knowledge,
        host: &Host,
    ) -> Result<Option<CheatSheet>, Failure> {
        let Some(max) = telling_box(game) else { return Ok(None) };
        let watch = host.metered(&host.usual(self.time, self.memory));
        let found = Vectors::of(game, Some(max), knowledge, &watch);
        let found = found.map_err(|error| Failure::table(&error))?;
        let tested = found.and_then(|f| f.tested).map(|t| t.basis()).unwrap_or_default();
        let evidence = Evidence::Box { max };
        let sheet = || CheatSheet::of(game, &tested, evidence, knowledge);
        Ok((!tested.is_empty()).then(sheet).flatten())
    }
}

impl Found for Sheets {
    fn status(&self) -> Status {
        match self.rule.is_some() || !self.sheets.is_empty() {
            true => Status::Answered,
            false => Status::Undecided,
        }
    }

    fn json(&self) -> String {
        json::to_string(&CheatSheetAnswer::new(&self.game, self.rule.as_ref(), &self.sheets))
    }
}

request! {
    /// The games that arise when stacks are empty, solved and open.
    pub struct Subgames {
        /// The game.
        pub game: String,
        /// List at most so many; all if not given.
        pub limit: Option<u32>,
        /// Stop after this time; 10 seconds if not given.
        pub time: Option<Time>,
        /// Stop when this much memory is used; 2 GB if not given.
        pub memory: Option<Size>,
    }
}

/// The games inside a game.
#[derive(Debug)]
pub struct GamesInside {
    /// The game.
    pub game: Game,
    /// What is inside it.
    pub inside: Inside,
    /// List at most so many, if that was asked for.
    pub limit: Option<usize>,
}

impl Subgames {
    /// The games.
    pub fn find(&self, host: &Host) -> Result<GamesInside, Failure> {
        let game = read::game(&self.game)?;
        let watch = host.metered(&host.usual(self.time, self.memory));
        let knowledge = host.knowledge();
        let inside = Inside::of(&game, &knowledge, &watch);
        host.problems(&knowledge);
        let limit = self.limit.map(|n| usize::try_from(n).unwrap_or(usize::MAX));
        Ok(GamesInside { game, inside, limit })
    }
}

impl Found for GamesInside {
    fn status(&self) -> Status {
        Status::of(self.inside.stopped)
    }

    fn json(&self) -> String {
        let limit = self.limit.unwrap_or(usize::MAX);
        json::to_string(&SubgamesAnswer::new(&self.game, &self.inside, limit))
    }
}

request! {
    /// Faces and circuits of the move sets.
    pub struct Circuits {
        /// The game.
        pub game: String,
        /// List circuits of this size only.
        pub size: Option<NonZeroU32>,
        /// List at most so many circuits; 20 if not given.
        pub limit: Option<u32>,
        /// Stop after this time; 10 seconds if not given.
        pub time: Option<Time>,
        /// Stop when this much memory is used; 2 GB if not given.
        pub memory: Option<Size>,
    }
}

/// The circuits of a game.
#[derive(Debug)]
pub enum Around {
    /// Counted and listed.
    Complex(Box<Complex>),
    /// Of a circular game with more stacks than games here have: by arithmetic.
    Circular(CircularCircuits),
}

impl Circuits {
    /// Faces and circuits.
    pub fn find(&self, host: &Host) -> Result<Around, Failure> {
        let most = |n: u32| usize::try_from(n).unwrap_or(usize::MAX);
        let limit = self.limit.map_or(20, most);
        let size = self.size.map(|size| most(size.get()));
        if let Some(large) = CircularCircuits::read(&self.game) {
            if self.time.is_some() || self.memory.is_some() {
                let why = "sizes and examples come by arithmetic";
                return Err(Failure::useless("--time or --memory", why));
            }
            return Ok(Around::Circular(CircularCircuits::of(large, size, limit)));
        }
        let game = read::game(&self.game)?;
        let watch = host.metered(&host.usual(self.time, self.memory));
        let found = Complex::of_size(&game, size, limit, &watch);
        found.map(|found| Around::Complex(Box::new(found))).ok_or_else(|| {
            let message = "circuits are those of one game in which parts of a set can be played";
            Failure::bad("no-complex", message.into())
        })
    }
}

impl Found for Around {
    fn status(&self) -> Status {
        match self {
            Around::Complex(found) => Status::of(found.stopped),
            Around::Circular(_) => Status::Answered,
        }
    }

    fn json(&self) -> String {
        match self {
            Around::Complex(found) => json::to_string(&CircuitsAnswer::from(&**found)),
            Around::Circular(found) => json::to_string(&CircularCircuitsAnswer::from(found)),
        }
    }
}
