//! The shape every theorem of the library has.

use crate::invariance;
use crate::publication::Publication;
use crate::reason::Reason;
use nimatron_game::{Family, Height, Outcome, Play, Rule, StackSet, Take};
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// A theorem about the outcomes of a family of games.
///
/// A theorem recognises the games it is about and hands out a [`Solution`] for each of them. The
/// games are recognised in the family's own order of the stacks; finding a relabelling that
/// brings a game into that order is not a theorem's business. Where the order is of no
/// importance to the statement (Moore's Nim, pointed circuits, Nim-regular complexes, ...)
/// every labelling is recognised.
///
/// Implementations hold no state about positions: two calls with the same arguments give the
/// same answer.
///
/// ```
/// use nimatron_game::{Family, Outcome, Play};
/// use nimatron_theory::{Theorem, library::path::PathNim};
///
/// let rule = Family::Path { n: 5, k: 3 }.rule();
/// let solution = PathNim.applies(&rule, Play::Normal).expect("3 is at least half of 5");
/// assert_eq!(solution.outcome(&[4, 0, 0, 1, 3]), Outcome::P);
/// let won = solution.winning_move(&[4, 2, 7, 1, 3]).unwrap();
/// assert_eq!(won.take.to_string(), "(0,2,7,0,0)");
/// ```
pub trait Theorem: Send + Sync {
    /// A short fixed name, unique in the library: `path`, `moore`, `cn-6-4`.
    fn id(&self) -> &str;

    /// The games it is about, in a phrase: `PN(n,k) with k >= n/2`. By default what its statement
    /// says before the first colon.
    fn games(&self) -> Cow<'static, str> {
        let text = self.statement().text;
        let games = text.split_once(": ").map(|(games, _)| games.to_string());
        games.map_or(text, Cow::Owned)
    }

    /// Where the theorem was proved.
    fn citation(&self) -> Citation;

    /// Where it was proved for one of the games that it covers, if that is not the same for all.
    fn citation_for(&self, _game: Option<&Family>) -> Citation {
        self.citation()
    }

    /// Where a game that it covers was solved: those of its parts that are needed, and others who solved this game.
    fn solved_in(&self, game: Option<&Family>) -> Vec<Citation> {
        vec![self.citation_for(game)]
    }

    /// What it says.
    fn statement(&self) -> Statement;

    /// The same in plain text only.
    fn text(&self) -> Cow<'static, str> {
        self.statement().text
    }

    /// Another formula for the same P-positions, proved with this program, where there is one.
    fn second_form(&self) -> Option<Cow<'static, str>> {
        None
    }

    /// The solution of the game with this rule, if the theorem covers it.
    fn applies(&self, rule: &Rule, play: Play) -> Option<Box<dyn Solution>>;
}

/// One game, solved: everything is computed from the heights, in exact arithmetic, for heights
/// up to [`nimatron_game::MAX_HEIGHT`]. The work depends on the number of stacks and of binary
/// digits, never on the heights themselves.
///
/// # Panics
/// All methods may panic if there are not as many heights as [`Solution::stacks`].
pub trait Solution: Send + Sync {
    /// The number of stacks.
    fn stacks(&self) -> usize;

    /// The named game this is, if it has a name in the order of stacks given.
    fn family(&self) -> Option<Family> {
        None
    }

    /// Who wins.
    fn outcome(&self, heights: &[Height]) -> Outcome;

    /// A move to a P-position, with the steps that lead to it; `None` exactly on P-positions and,
    /// under misere play, where no move is left.
    fn winning_move(&self, heights: &[Height]) -> Option<WinningMove>;

    /// The same move without the steps.
    fn winning_take(&self, heights: &[Height]) -> Option<Take> {
        self.winning_move(heights).map(|won| won.take)
    }

    /// The facts about the position that decide its outcome: sums that agree or not, digits
    /// that do not cancel, circuits that make up the position.
    fn explain(&self, heights: &[Height]) -> Vec<Reason>;

    /// Why a position that a winning move leads to is a P-position, where the steps of the move do
    /// not show it.
    fn explain_option(&self, _heights: &[Height]) -> Vec<Reason> {
        Vec::new()
    }

    /// The Grundy value, if the theorem knows it. Values may exceed 64 bits: with a single
    /// facet the value is the total. Unless more is known, that is 0 on P-positions and no answer
    /// on N-positions.
    fn grundy(&self, heights: &[Height]) -> Option<u128> {
        (self.outcome(heights) == Outcome::P).then_some(0)
    }

    /// Whether [`Solution::grundy`] answers for every position.
    fn knows_values(&self) -> bool {
        false
    }

    /// The set of P-positions in the formula language, if it can be written there.
    fn formula(&self) -> Option<String> {
        None
    }

    /// Vectors that may be added and subtracted without changing the outcome: by default those of the
    /// family ([`invariance::known`]).
    fn invariants(&self) -> Vec<StackSet> {
        self.family().as_ref().map_or(Vec::new(), invariance::known)
    }
}

/// A solution can be shared.
impl<T: Solution + ?Sized> Solution for Arc<T> {
    fn stacks(&self) -> usize {
        (**self).stacks()
    }

    fn family(&self) -> Option<Family> {
        (**self).family()
    }

    fn outcome(&self, heights: &[Height]) -> Outcome {
        (**self).outcome(heights)
    }

    fn winning_move(&self, heights: &[Height]) -> Option<WinningMove> {
        (**self).winning_move(heights)
    }

    fn winning_take(&self, heights: &[Height]) -> Option<Take> {
        (**self).winning_take(heights)
    }

    fn explain(&self, heights: &[Height]) -> Vec<Reason> {
        (**self).explain(heights)
    }

    fn explain_option(&self, heights: &[Height]) -> Vec<Reason> {
        (**self).explain_option(heights)
    }

    fn grundy(&self, heights: &[Height]) -> Option<u128> {
        (**self).grundy(heights)
    }

    fn knows_values(&self) -> bool {
        (**self).knows_values()
    }

    fn formula(&self) -> Option<String> {
        (**self).formula()
    }

    fn invariants(&self) -> Vec<StackSet> {
        (**self).invariants()
    }
}

/// A move to a P-position and how it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WinningMove {
    /// The tokens to take.
    pub take: Take,
    /// The steps, in the order in which they were made.
    pub reasons: Vec<Reason>,
}

impl WinningMove {
    /// The move from `before` down to `after`. What is done to the stacks is added to the reasons.
    ///
    /// # Panics
    /// If a stack is higher after than before: a construction that does this is wrong.
    pub(crate) fn to(before: &[Height], after: &[Height], mut reasons: Vec<Reason>) -> Self {
        let lowered = |(stack, (&from, &to)): (usize, (&Height, &Height))| {
            (from != to).then_some(Reason::Lowered { stack, from, to })
        };
        reasons.extend(before.iter().zip(after).enumerate().filter_map(lowered));
        let amount = |(&b, &a): (&Height, &Height)| b.checked_sub(a).expect("stacks only shrink");
        WinningMove { take: Take::new(before.iter().zip(after).map(amount).collect()), reasons }
    }
}

/// Where a result was published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Citation {
    /// The short name used throughout the documentation: `DH13`.
    pub key: Cow<'static, str>,
    /// Authors, title, place and year.
    pub source: Cow<'static, str>,
    /// The theorem there, if it has a number.
    pub item: Option<Cow<'static, str>>,
    /// Who proved it before, or what of it was derived for this program, where that is to be said.
    pub credit: Option<Cow<'static, str>>,
}

impl Citation {
    /// A numbered statement of a publication.
    pub fn item(publication: Publication, item: &'static str) -> Self {
        Citation { item: Some(Cow::Borrowed(item)), ..Citation::whole(publication) }
    }

    /// A publication as a whole.
    pub fn whole(publication: Publication) -> Self {
        let (key, source) = (Cow::Borrowed(publication.key), publication.to_string().into());
        Citation { key, source, item: None, credit: None }
    }

    /// The same, with credit for earlier work or a word on what was derived here.
    pub fn credit(self, credit: &'static str) -> Self {
        Citation { credit: Some(Cow::Borrowed(credit)), ..self }
    }
}

/// `DH13 Theorem 3.5`.
impl fmt::Display for Citation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.key)?;
        self.item.as_ref().map_or(Ok(()), |item| write!(f, " {item}"))
    }
}

/// What a theorem says, twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// In plain text.
    pub text: Cow<'static, str>,
    /// In LaTeX, to stand in running text: formulas are between dollar signs, line breaks mean nothing.
    pub latex: Cow<'static, str>,
}

impl Statement {
    /// A statement whose wording does not depend on parameters.
    pub const fn new(text: &'static str, latex: &'static str) -> Self {
        Statement { text: Cow::Borrowed(text), latex: Cow::Borrowed(latex) }
    }
}
