//! What can be computed about a conjecture.

use super::{Found, request};
use crate::failure::Failure;
use crate::host::Host;
use crate::status::Status;
use crate::units::{Size, Time};
use crate::word::word;
use nimatron::Stop;
use nimatron::crates::theory::order_types::{self, OrderTypes};
use nimatron::proofs::PeelingCheck;
use nimatron::render::{OrderTypesAnswer, PeelingAnswer, SweepAnswer, json};
use nimatron::sweeps::{Question, Sweep};
use std::ops::RangeInclusive;

request! {
    /// Check what can be computed about a conjecture.
    pub struct Conjecture {
        /// Which conjecture.
        pub name: Name,
        /// The number of stacks, where games are gone through.
        pub stacks: Option<u8>,
        /// Stop after this time.
        pub time: Option<Time>,
        /// Stop when this much memory is used; 2 GB if not given.
        pub memory: Option<Size>,
    }
}

word! {
    /// A conjecture.
    #[cfg_attr(test, schemars(rename = "ConjectureName"))]
    pub enum Name {
        /// One strategy for circular-arc games.
        Peeling = "peeling",
        /// KDH26 Conjecture 1: which circular games have invariant vectors.
        InvariantVectors = "invariant-vectors",
        /// KDH26 Conjecture 2: what the invariance reduction process leaves has invariant vectors, too.
        Matryoshka = "matryoshka",
        /// Slow26 Conjecture 1 on play on at least k stacks, as printed.
        AtLeast = "at-least",
        /// The same with its middle row corrected.
        AtLeastCorrected = "at-least-corrected",
        /// Slow26 Open Problem 5: are the P-positions of Slow(n,{k,n}) among those of Slow(n,{k})?
        Subset = "subset",
        /// Slow26 Proposition 7: the move on all stacks added to Slow(n,{n-1}).
        OneMoreMove = "one-more-move",
        /// The M-rule for Slow(n,{n-1}) under misere play.
        MisereMRule = "misere-m-rule",
        /// How the lemmas of DH13 share the orders of eight stacks of CN(8,6).
        OrderTypes = "order-types",
    }
}

impl Name {
    /// What is gone through game by game.
    pub fn question(self) -> Option<Question> {
        match self {
            Name::Peeling | Name::OrderTypes => None,
            Name::InvariantVectors => Some(Question::InvariantVectors),
            Name::Matryoshka => Some(Question::Matryoshka),
            Name::AtLeast => Some(Question::AtLeast),
            Name::AtLeastCorrected => Some(Question::AtLeastCorrected),
            Name::Subset => Some(Question::Subset),
            Name::OneMoreMove => Some(Question::OneMoreMove),
            Name::MisereMRule => Some(Question::MisereMRule),
        }
    }
}

/// What was found out.
#[derive(Debug)]
pub enum Looked {
    /// The proofs of one strategy.
    Peeling(PeelingCheck),
    /// The games of a conjecture.
    Sweep(Sweep),
    /// The orders of eight stacks.
    OrderTypes(Box<OrderTypes>),
}

impl Conjecture {
    /// What can be computed.
    pub fn find(&self, host: &Host) -> Result<Looked, Failure> {
        let limits = host.patient(self.time, self.memory);
        let watch = host.metered(&limits);
        match (self.name, self.name.question()) {
            (_, Some(question)) => {
                let stacks = self.stacks(&question.stacks())?;
                Ok(Looked::Sweep(Sweep::of(question, stacks, &watch)))
            }
            (Name::OrderTypes, None) => match self.stacks {
                Some(_) => Err(Failure::useless("--stacks", "CN(8,6) has eight")),
                None => Ok(Looked::OrderTypes(Box::new(order_types::count()))),
            },
            (_, None) => {
                let stacks = self.stacks(&(3..=16))?;
                let check = PeelingCheck::of(stacks, host.hands(), &limits, &watch);
                check.map(Looked::Peeling).map_err(Failure::stopped)
            }
        }
    }

    /// The number of stacks, which must be within these bounds.
    fn stacks(&self, bounds: &RangeInclusive<usize>) -> Result<usize, Failure> {
        let (least, most) = (bounds.start(), bounds.end());
        let message = match self.stacks.map(usize::from) {
            Some(stacks) if bounds.contains(&stacks) => return Ok(stacks),
            Some(stacks) => {
                format!("the number of stacks must be from {least} to {most}, not {stacks}")
            }
            None => {
                format!("say for how many stacks: --stacks N, with N from {least} to {most}")
            }
        };
        Err(Failure::bad("stacks", message))
    }
}

impl Found for Looked {
    fn status(&self) -> Status {
        let judged = |holds: Option<bool>, stop: Option<Stop>| match (holds, stop) {
            (_, Some(Stop::Cancelled)) => Status::Interrupted,
            (Some(true), _) => Status::Answered,
            (Some(false), _) => Status::Negative,
            (None, _) => Status::Undecided,
        };
        match self {
            Looked::Peeling(check) => {
                judged(check.stop.is_none().then(|| check.is_proved()), check.stop)
            }
            Looked::Sweep(sweep) => judged(sweep.holds(), sweep.stop),
            Looked::OrderTypes(found) => judged(Some(found.left_over.is_none()), None),
        }
    }

    fn json(&self) -> String {
        match self {
            Looked::Peeling(check) => json::to_string(&PeelingAnswer::from(check)),
            Looked::Sweep(sweep) => json::to_string(&SweepAnswer::from(sweep)),
            Looked::OrderTypes(found) => json::to_string(&OrderTypesAnswer::from(&**found)),
        }
    }
}
