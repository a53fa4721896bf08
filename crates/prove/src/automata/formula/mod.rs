//! A formula as an automaton, proved or refuted.
//!
//! Every comparison becomes a small automaton ([`linear`]), a span likewise ([`span`]); what
//! joins them in the formula joins the automata, and each result is made as small as possible
//! before it is used further. Exclusive ors cost no more than sums.

mod linear;
mod operations;
mod span;

use super::moves::{Moves, Unsupported};
use super::proof::{Unproved, prove};
use super::{Found, found};
use linear::{Form, choices, hidden_choice, replace, xor_operand};
use nimatron_formula::{Context, Formula, Relation, Term, TooManyTerms};
use nimatron_game::symmetry::Symmetry;
use nimatron_game::{Game, Stop, Watch};
use nimatron_verify::automaton::Dfa;
use operations::Tracks;
pub(crate) use operations::complement;
use std::collections::HashMap;

/// Why no automaton was built from a formula.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoAutomaton {
    /// Exclusive ors of many terms that are neither stacks nor numbers, each of which is read like
    /// one more stack.
    #[error("with its exclusive ors of sums the formula is about more than {most} numbers")]
    Tracks {
        /// The most that are allowed, stacks included.
        most: usize,
    },
    /// A span inside of `reduced`.
    #[error("automata are not built for a span of reduced heights")]
    ReducedSpan,
    /// Digits inside of `reduced`.
    #[error("automata are not built for the digits of reduced heights")]
    ReducedDigits,
    /// `reduced` in a game that is not slow.
    #[error("`reduced` is for slow games only")]
    NotSlow,
    /// A span of very many vectors.
    #[error("a span of {found} vectors, but automata are built for at most {most}")]
    Generators {
        /// The number of vectors.
        found: usize,
        /// The most that are allowed.
        most: usize,
    },
    /// A comparison with very many minima and maxima, or nested deep.
    #[error("a comparison has too many minima and maxima or is nested too deep")]
    TooDeep,
    /// A coefficient, number or modulus.
    #[error("a number of the formula is too large")]
    TooLarge,
    /// An automaton on the way.
    #[error("an automaton for a part of the formula has more than {most} states")]
    States {
        /// The most that are allowed, for this number of stacks.
        most: usize,
    },
    /// Images of a formula under the symmetries.
    #[error("the formula has more than {most} images under the symmetries of the game")]
    Images {
        /// The most that are allowed.
        most: usize,
    },
    /// A formula that grows when its names are written out.
    #[error(transparent)]
    TooManyTerms(#[from] TooManyTerms),
    /// A name without a `let` around it.
    #[error("`{0}` is not defined")]
    UnknownName(String),
    /// A stack that the game does not have.
    #[error("the formula has a stack that the game does not have")]
    NoSuchStack,
    /// Automata cannot follow the moves of the game.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// A limit was reached.
    #[error("{0}")]
    Stopped(#[from] Stop),
}

/// Why a formula was not proved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnprovedFormula {
    /// No automaton was built from it.
    #[error(transparent)]
    NoAutomaton(#[from] NoAutomaton),
    /// Its automaton was not proved; [`Unproved::Refuted`] carries the counterexample.
    #[error(transparent)]
    Unproved(#[from] Unproved),
}

/// Proves that a formula describes the P-positions of a game, for all heights, or finds a
/// counterexample.
///
/// The certificate holds the formula and its automaton. The checker reads the formula by itself; where
/// that goes beyond its limits it says so, and
/// [`with_formula`](nimatron_verify::Certificate::with_formula) leaves the formula out.
///
/// ```
/// use nimatron_formula::{Context, Formula};
/// use nimatron_game::{Game, Unlimited};
/// use nimatron_prove::automata::{AutomatonCounterexample, Unproved, UnprovedFormula, prove_formula};
///
/// let game: Game = "Nim(3)".parse().unwrap();
/// let formula = |text| Formula::parse(text, &Context::of_game(&game)).unwrap();
/// let found = prove_formula(&game, &formula("xor(a,b) = c"), &Unlimited).unwrap();
/// let accepted = nimatron_verify::verify(&found.certificate).unwrap();
/// assert_eq!(accepted.formula.as_deref(), Some("xor(a,b) = c"));
/// assert_eq!(found.statistics.states, 2);
///
/// match prove_formula(&game, &formula("xor(a,b) = c, a < 2"), &Unlimited) {
///     Err(UnprovedFormula::Unproved(Unproved::Refuted(AutomatonCounterexample::Stuck { position }))) => {
///         assert_eq!(position.iter().filter(|&&height| height >= 2).count(), 2);
///     }
///     other => panic!("{other:?}"),
/// }
/// ```
pub fn prove_formula(
    game: &Game,
    formula: &Formula,
    watch: &dyn Watch,
) -> Result<Found, UnprovedFormula> {
    let dfa = formula_automaton(game, formula, watch)?;
    let certificate = prove(game, &dfa, watch)?.with_formula(Some(formula.to_string()));
    let moves = Moves::new(game).map_err(NoAutomaton::from)?;
    Ok(found(moves, certificate, 0, 0))
}

/// The least automaton that accepts the positions at which a formula holds, whatever the
/// P-positions of the game are.
///
/// The game is asked for its symmetries, over which `sym` ranges, and whether it is slow.
///
/// ```
/// use nimatron_formula::{Context, Formula};
/// use nimatron_game::Unlimited;
/// use nimatron_prove::automata::formula_automaton;
///
/// let game = "Nim(2)".parse().unwrap();
/// let formula = Formula::parse("a = 2b", &Context::new(2)).unwrap();
/// // The value of a-2b so far, 0, 1 or -1 before all hope is lost.
/// assert_eq!(formula_automaton(&game, &formula, &Unlimited).unwrap().states(), 3);
/// ```
pub fn formula_automaton(
    game: &Game,
    formula: &Formula,
    watch: &dyn Watch,
) -> Result<Dfa, NoAutomaton> {
    let mut builder = Builder::new(game, watch)?;
    builder.formula(&formula.plain(game.stacks())?)
}

/// Generators of the group that `sym` ranges over: the symmetries of each summand.
fn symmetries(game: &Game) -> Vec<Vec<usize>> {
    let mut generators = Vec::new();
    for summand in game.summands() {
        let at = summand.stacks();
        for own in Symmetry::of(summand.rule()).generators() {
            let mut image: Vec<usize> = (0..game.stacks()).collect();
            own.images().enumerate().for_each(|(s, i)| image[at.start + s] = at.start + i);
            generators.push(image);
        }
    }
    generators
}

/// The most minima and maxima in one comparison.
const MOST_CHOICES: usize = 64;

/// The most numbers that are read in parallel.
const MOST_TRACKS: usize = 16;

/// Makes automata of formulas about one game, and remembers those of comparisons.
pub(crate) struct Builder<'a> {
    tracks: Tracks<'a>,
    symmetries: Vec<Vec<usize>>,
    least_move: Option<usize>,
    /// What has been built before. Images and cases often share comparisons.
    comparisons: HashMap<(Term, Relation, Term), Dfa>,
    atoms: HashMap<(Form, bool), Dfa>,
}

impl<'a> Builder<'a> {
    pub(crate) fn new(game: &Game, watch: &'a dyn Watch) -> Result<Self, NoAutomaton> {
        Ok(Builder {
            tracks: Tracks { count: Moves::new(game)?.stacks(), watch },
            symmetries: symmetries(game),
            least_move: Context::of_game(game).least_move(),
            comparisons: HashMap::new(),
            atoms: HashMap::new(),
        })
    }

    /// Generators of the group that `sym` ranges over.
    pub(crate) fn symmetries(&self) -> &[Vec<usize>] {
        &self.symmetries
    }

    /// The images of an automaton under the symmetries, itself included; each once.
    pub(crate) fn images(&self, dfa: Dfa) -> Result<Vec<Dfa>, NoAutomaton> {
        self.tracks.images(dfa, &self.symmetries)
    }

    /// Accepts what all of the automata accept, or what at least one of them does.
    pub(crate) fn combine(&self, all: bool, parts: Vec<Dfa>) -> Result<Dfa, NoAutomaton> {
        self.tracks.combine(all, parts)
    }
}

impl Builder<'_> {
    /// The automaton of a formula in plain words ([`Formula::plain`]).
    pub(crate) fn formula(&mut self, formula: &Formula) -> Result<Dfa, NoAutomaton> {
        match formula {
            Formula::Compare(left, relation, right) => self.compare(left, *relation, right),
            Formula::And(items) | Formula::Or(items) => {
                let parts: Result<Vec<Dfa>, _> = items.iter().map(|f| self.formula(f)).collect();
                self.tracks.combine(matches!(formula, Formula::And(_)), parts?)
            }
            Formula::Not(inner) => Ok(complement(self.formula(inner)?)),
            Formula::Sym(inner) => {
                let dfa = self.formula(inner)?;
                let images = self.tracks.images(dfa, &self.symmetries)?;
                self.tracks.combine(false, images)
            }
            Formula::Span(generators) => span::automaton(&self.tracks, generators),
            Formula::Reduced(inner) => self.reduced(inner),
            Formula::Digits(inner) => {
                let dfa = self.formula(inner)?;
                self.tracks.places(&dfa)
            }
            Formula::Then(high, low) => {
                let (high, low) = (self.formula(high)?, self.formula(low)?);
                self.tracks.then(&high, &low)
            }
            Formula::Let(name, ..) => Err(NoAutomaton::UnknownName(name.clone())),
        }
    }

    fn compare(
        &mut self,
        left: &Term,
        relation: Relation,
        right: &Term,
    ) -> Result<Dfa, NoAutomaton> {
        let key = (left.clone(), relation, right.clone());
        if let Some(known) = self.comparisons.get(&key) {
            return Ok(known.clone());
        }
        let (of_left, of_right) = (choices(left), choices(right));
        match (of_left, of_right) {
            (Some(l), Some(r)) if l + r <= MOST_CHOICES => {}
            _ => return Err(NoAutomaton::TooDeep),
        }
        let dfa = match hidden_choice(left).or_else(|| hidden_choice(right)) {
            Some(choice) => self.by_cases(choice, left, relation, right)?,
            None => match xor_operand(left).or_else(|| xor_operand(right)) {
                Some(operand) => self.with_number(operand, left, relation, right)?,
                None => self.forms(left, relation, right)?,
            },
        };
        self.comparisons.insert(key, dfa.clone());
        Ok(dfa)
    }

    /// A comparison with a minimum or maximum that stands inside a remainder or exclusive or: one
    /// case per item that may be the one chosen.
    fn by_cases(
        &mut self,
        choice: &Term,
        left: &Term,
        relation: Relation,
        right: &Term,
    ) -> Result<Dfa, NoAutomaton> {
        let (items, bound) = match choice {
            Term::Min(items) => (items, Relation::AtMost),
            Term::Max(items) => (items, Relation::AtLeast),
            _ => unreachable!("a choice is a minimum or maximum"),
        };
        let mut cases = Vec::new();
        for item in items {
            let (left, right) = (replace(left, choice, item), replace(right, choice, item));
            let mut parts = vec![self.compare(&left, relation, &right)?];
            for other in items.iter().filter(|&other| other != item) {
                parts.push(self.compare(item, bound, other)?);
            }
            cases.push(self.tracks.combine(true, parts)?);
        }
        self.tracks.combine(false, cases)
    }

    /// A comparison with an exclusive or of a term that is neither a stack nor a number: there is a
    /// number y equal to the term t, or to -1-t if t is negative, and t is y or `xor(y,-1)`.
    /// The digits of y are read as those of one more stack, which is then forgotten.
    fn with_number(
        &mut self,
        operand: &Term,
        left: &Term,
        relation: Relation,
        right: &Term,
    ) -> Result<Dfa, NoAutomaton> {
        let mut inside = self.with_track()?;
        let y = Term::Stack(self.tracks.count);
        let negative = Term::Xor(vec![y.clone(), Term::Constant(-1)]);
        let mut cases = Vec::new();
        for value in [y, negative] {
            let (left, right) = (replace(left, operand, &value), replace(right, operand, &value));
            let parts = vec![
                inside.compare(operand, Relation::Equal, &value)?,
                inside.compare(&left, relation, &right)?,
            ];
            cases.push(inside.tracks.combine(true, parts)?);
        }
        let dfa = inside.tracks.combine(false, cases)?;
        self.tracks.without_last(&dfa)
    }

    /// For formulas about one more number than this builder's.
    fn with_track(&self) -> Result<Self, NoAutomaton> {
        let stacks = self.tracks.count;
        if stacks == MOST_TRACKS {
            return Err(NoAutomaton::Tracks { most: MOST_TRACKS });
        }
        let extend = |image: &Vec<usize>| image.iter().copied().chain([stacks]).collect();
        Ok(Builder {
            tracks: Tracks { count: stacks + 1, watch: self.tracks.watch },
            symmetries: self.symmetries.iter().map(extend).collect(),
            least_move: None,
            comparisons: HashMap::new(),
            atoms: HashMap::new(),
        })
    }

    /// A comparison without any of these.
    fn forms(&mut self, left: &Term, relation: Relation, right: &Term) -> Result<Dfa, NoAutomaton> {
        let stacks = self.tracks.count;
        let (left, right) = (Form::new(left, stacks)?, Form::new(right, stacks)?);
        let (more, less, gap) = match relation {
            Relation::Equal | Relation::NotEqual | Relation::AtLeast => (left, right, 0),
            Relation::Greater => (left, right, 1),
            Relation::AtMost => (right, left, 0),
            Relation::Less => (right, left, 1),
        };
        let difference = more.plus(-1, &less)?.plus(-gap, &Form::constant(1)?)?;
        match relation {
            Relation::Equal => self.settle(difference, true),
            Relation::NotEqual => Ok(complement(self.settle(difference, true)?)),
            _ => self.settle(difference, false),
        }
    }

    /// Where a form is zero, or at least zero; resolves one minimum or maximum after the other.
    fn settle(&mut self, mut form: Form, is_equation: bool) -> Result<Dfa, NoAutomaton> {
        self.tracks.watch.check(0)?;
        let Some(choice) = form.choices.pop() else {
            let key = (form, is_equation);
            if let Some(known) = self.atoms.get(&key) {
                return Ok(known.clone());
            }
            let dfa = linear::automaton(&self.tracks, &key.0, is_equation)?;
            self.atoms.insert(key, dfa.clone());
            return Ok(dfa);
        };
        if is_equation {
            form.choices.push(choice);
            let negative = Form::default().plus(-1, &form)?;
            let bounds = vec![self.settle(form, false)?, self.settle(negative, false)?];
            return self.tracks.combine(true, bounds);
        }
        // The form is rest + factor * choice. Replacing the choice by any of its items gives an
        // upper bound of the form, and then all must be at least zero, or a lower bound.
        let all = choice.least == (choice.factor > 0);
        let mut parts = Vec::new();
        for item in &choice.items {
            parts.push(self.settle(form.clone().plus(choice.factor, item)?, false)?);
        }
        self.tracks.combine(all, parts)
    }

    /// `reduced(F)`: there is a height m to chop at, the greatest one at most as tall as the
    /// tallest stack that the least move can use up ([`nimatron_game::slow`]), and `F` holds for the
    /// heights `min(x, m)`. The digits of m are read as those of one more stack, which is then
    /// forgotten.
    fn reduced(&mut self, inner: &Formula) -> Result<Dfa, NoAutomaton> {
        let least = self.least_move.ok_or(NoAutomaton::NotSlow)?;
        let least = i64::try_from(least).map_err(|_| NoAutomaton::TooLarge)?;
        let stacks = self.tracks.count;
        let m = || Term::Stack(stacks);
        let heights = || (0..stacks).map(Term::Stack);
        let fits = |height: Term| {
            let chopped = heights().map(|x| Term::Min(vec![x, height.clone()]));
            let used = Term::scale(least, height.clone());
            Formula::Compare(Term::sum(chopped), Relation::AtLeast, used)
        };
        let tallest = || Term::Max(heights().collect());
        let formula = Formula::and([
            Formula::Compare(m(), Relation::AtMost, tallest()),
            fits(m()),
            Formula::or([
                Formula::Compare(m(), Relation::Equal, tallest()),
                Formula::Not(fits(Term::sum([m(), Term::Constant(1)])).into()),
            ]),
            chopped(inner, stacks)?,
        ]);
        let mut inside = self.with_track()?;
        let dfa = inside.formula(&formula)?;
        self.tracks.without_last(&dfa)
    }
}

/// The formula with every height x replaced by `min(x, m)`, where m is the stack beyond the last.
fn chopped(formula: &Formula, stacks: usize) -> Result<Formula, NoAutomaton> {
    let all = |items: &[Formula]| -> Result<Vec<Formula>, NoAutomaton> {
        items.iter().map(|f| chopped(f, stacks)).collect()
    };
    let term = |term: &Term| {
        (0..stacks).fold(term.clone(), |term, s| {
            let (x, m) = (Term::Stack(s), Term::Stack(stacks));
            replace(&term, &x.clone(), &Term::Min(vec![x, m]))
        })
    };
    Ok(match formula {
        Formula::Compare(left, relation, right) => {
            Formula::Compare(term(left), *relation, term(right))
        }
        Formula::And(items) => Formula::And(all(items)?),
        Formula::Or(items) => Formula::Or(all(items)?),
        Formula::Not(inner) => Formula::Not(chopped(inner, stacks)?.into()),
        Formula::Sym(inner) => Formula::Sym(chopped(inner, stacks)?.into()),
        // What is reduced stays as it is when it is reduced again.
        Formula::Reduced(inner) => chopped(inner, stacks)?,
        Formula::Span(_) => return Err(NoAutomaton::ReducedSpan),
        Formula::Digits(_) | Formula::Then(..) => return Err(NoAutomaton::ReducedDigits),
        Formula::Let(name, ..) => return Err(NoAutomaton::UnknownName(name.clone())),
    })
}
