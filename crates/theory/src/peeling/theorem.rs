//! Peeling as a theorem: about whole games, and about some positions of larger ones.

use super::circle::Circle;
use super::strategy::{PROVED_CIRCULAR, PROVED_STACKS, Peeled, Proof};
use crate::partial::PartialTheorem;
use crate::reason::Reason;
use crate::theorem::{Citation, Solution, Statement, Theorem, WinningMove};
use nimatron_game::{Height, Outcome, Play, Rule, StackSet, Take};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

/// What is claimed of every game of class C.
pub const STATEMENT: &str = "In a circular-arc game of class C, subtract peels, each as often as it \
    goes, until what is left lies in one facet: the position is P exactly if nothing is left; \
    otherwise taking what is left wins.";

const LATEX: &str = r"In a circular-arc game of class $C$ let peels be subtracted from a position, each as
    often as it goes, until what is left lies in one facet. The position is in $\mathcal{P}$ if and only
    if nothing is left; otherwise taking exactly what is left leads to $\mathcal{P}$.";

const SOURCE: &str = "proved with this program: docs/peeling.md";

fn citation() -> Citation {
    let (key, source) = ("peeling, proved here".into(), SOURCE.into());
    Citation { key, source, item: None, credit: None }
}

/// Games of class C that merge to few stacks ([`Circle::is_proved`]).
#[derive(Clone, Copy, Debug)]
pub struct PeelingNim;

impl Theorem for PeelingNim {
    fn id(&self) -> &str {
        "peeling"
    }

    fn games(&self) -> Cow<'static, str> {
        format!(
            "circular-arc games of class C on at most {PROVED_STACKS} stacks, and CN(n,floor(n/3)+1) on \
             at most {PROVED_CIRCULAR}"
        )
        .into()
    }

    fn citation(&self) -> Citation {
        citation()
    }

    fn statement(&self) -> Statement {
        Statement::new(STATEMENT, LATEX)
    }

    fn applies(&self, rule: &Rule, play: Play) -> Option<Box<dyn Solution>> {
        let circle = Circle::of(rule, play).filter(Circle::is_proved)?;
        Some(Box::new(PeelingSolution { circle, stacks: rule.stacks() }))
    }
}

/// One game, won by peeling.
struct PeelingSolution {
    circle: Circle,
    stacks: usize,
}

impl Solution for PeelingSolution {
    fn stacks(&self) -> usize {
        self.stacks
    }

    fn outcome(&self, heights: &[Height]) -> Outcome {
        self.circle.outcome(heights)
    }

    fn winning_move(&self, heights: &[Height]) -> Option<WinningMove> {
        winning(&self.circle.peeled(heights))
    }

    fn winning_take(&self, heights: &[Height]) -> Option<Take> {
        let left = self.circle.left(heights);
        left.iter().any(|&h| h > 0).then(|| Take::new(left))
    }

    fn explain(&self, heights: &[Height]) -> Vec<Reason> {
        self.circle.peeled(heights).reasons()
    }

    fn invariants(&self) -> Vec<StackSet> {
        self.circle.invariants()
    }
}

fn winning(peeled: &Peeled) -> Option<WinningMove> {
    let take = peeled.take()?;
    Some(WinningMove { take, reasons: peeled.reasons() })
}

/// Positions of games of class C, of any size, for which the statement is proved.
#[derive(Clone, Copy, Debug)]
pub struct PeelingSupport;

impl PeelingSupport {
    fn peeled(rule: &Rule, play: Play, heights: &[Height]) -> Option<Peeled> {
        remembered(rule, play).map(|circle| circle.peeled(heights)).filter(|p| p.proof.is_some())
    }
}

/// The game as one of class C. Searches ask about the same rules again and again, so those met last are
/// remembered.
fn remembered(rule: &Rule, play: Play) -> Option<Arc<Circle>> {
    type Known = RwLock<HashMap<Rule, Option<Arc<Circle>>>>;
    static KNOWN: LazyLock<Known> = LazyLock::new(Known::default);
    if play != Play::Normal || !rule.is_set_nim() {
        return None;
    }
    let known = KNOWN.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = known.get(rule) {
        return found.clone();
    }
    drop(known);
    let found = Circle::of(rule, play).map(Arc::new);
    let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
    if known.len() >= MOST_REMEMBERED {
        known.clear();
    }
    known.insert(rule.clone(), found.clone());
    found
}

const MOST_REMEMBERED: usize = 1000;

/// A game of class C about which the theorem on whole games says nothing.
fn large(rule: &Rule, play: Play) -> Option<Circle> {
    if rule.stacks() <= PROVED_STACKS {
        return None;
    }
    Circle::of(rule, play).filter(|circle| !circle.is_proved())
}

impl PartialTheorem for PeelingSupport {
    fn id(&self) -> &str {
        "peeling-support"
    }

    fn citation(&self) -> Citation {
        citation()
    }

    fn statement(&self) -> Statement {
        let games = format!(
            " Proved where the non-empty stacks merge to at most {PROVED_STACKS}, where two \
             neighbours among them share no facet, and for N-positions from which the move leads to \
             such a position."
        );
        Statement { text: (STATEMENT.to_string() + &games).into(), latex: LATEX.into() }
    }

    fn outcome(&self, rule: &Rule, play: Play, heights: &[Height]) -> Option<Outcome> {
        PeelingSupport::peeled(rule, play, heights).map(|peeled| peeled.outcome())
    }

    fn explain(&self, rule: &Rule, heights: &[Height]) -> Vec<Reason> {
        let Some(peeled) = PeelingSupport::peeled(rule, Play::Normal, heights) else {
            return Vec::new();
        };
        let why = match peeled.proof {
            Some(Proof::Few { .. }) => "the non-empty stacks merge to few",
            Some(Proof::Gap) => "two neighbours share no facet",
            _ => "the move leads to few stacks or to neighbours that share no facet",
        };
        [Reason::Case(why)].into_iter().chain(peeled.reasons()).collect()
    }

    fn winning_move(&self, rule: &Rule, play: Play, heights: &[Height]) -> Option<WinningMove> {
        winning(&PeelingSupport::peeled(rule, play, heights)?)
    }
}

/// What peeling says about a position where it is not proved. Nothing may rest on it.
///
/// ```
/// use nimatron_game::{Family, Outcome, Play};
/// use nimatron_theory::peeling::conjecture;
/// let rule = Family::Circular { n: 30, k: 11 }.rule();
/// let heights: Vec<u64> = (1..=30).collect();
/// assert_eq!(conjecture(&rule, Play::Normal, &heights).unwrap().outcome(), Outcome::N);
/// let few: Vec<u64> = (0..30).map(|stack| u64::from(stack % 5 == 0)).collect();
/// assert!(conjecture(&rule, Play::Normal, &few).is_none(), "this is proved");
/// ```
pub fn conjecture(rule: &Rule, play: Play, heights: &[Height]) -> Option<Peeled> {
    let peeled = large(rule, play)?.peeled(heights);
    peeled.proof.is_none().then_some(peeled)
}
