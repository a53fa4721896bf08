//! Before giving up: looking for a proof.

use crate::ask::{AskError, Explain, Options, Prepared};
use crate::proofs::{Discovery, Search, discover_with};
use crate::replies::Try;
use crate::verdict::Verdict;
use nimatron_game::{Game, Outcome, Position, Stop};
use nimatron_reduce::{Chain, State};
use std::time::Duration;

/// What came of a question that was not given up at once.
#[derive(Debug)]
#[non_exhaustive]
pub struct Investigation {
    /// The answer.
    pub verdict: Verdict,
    /// The search for a proof, if nothing was known about the game and computing alone was too slow.
    /// What it found is known from now on, and has answered.
    pub discovery: Option<Discovery>,
    /// For a P-position, where reasons are wanted: some moves, each with the reply that refutes it.
    pub tries: Vec<Try>,
}

/// How many moves from a P-position are tried.
const TRIES: usize = 3;

/// Without a limit on the time, computing alone is given so long before a proof is looked for, and
/// the proof ten times as long.
const AT_FIRST: Duration = Duration::from_secs(1);

impl Prepared {
    /// As [`Prepared::ask`]; but where nothing is known about the game and computing does not lead
    /// to an answer soon, half of the time is spent on looking for a proof for all heights of the
    /// game that is left at this position. `announce` is called before this begins.
    ///
    /// ```
    /// use nimatron::{Options, Outcome, Prepared};
    /// let game = Prepared::new("misere PN(3,2)".parse().unwrap());
    /// let position = "1000000,2000000,3000000".parse().unwrap();
    /// let found = game.investigate(&position, &Options::default(), &|_| {}).unwrap();
    /// assert_eq!(found.verdict.outcome, Some(Outcome::N));
    /// ```
    pub fn investigate(
        &self,
        position: &Position,
        options: &Options,
        announce: &dyn Fn(&Game),
    ) -> Result<Investigation, AskError> {
        let clock = options.limits.stopwatch();
        let whole = options.limits.time;
        let first = whole.map_or(AT_FIRST, |time| (time / 10).min(AT_FIRST));
        let at_first = options.clone().limits(options.limits.clone().time(first));
        let verdict = self.ask(position, &at_first)?;
        let stopped = verdict.unknown.as_ref().map(|unknown| unknown.stop);
        let left_time = || whole.map(|time| time.saturating_sub(clock.elapsed()));
        if matches!(stopped, None | Some(Stop::Cancelled)) {
            return Ok(self.with_tries(verdict, None, options));
        }
        if verdict.outcome.is_some() {
            // Only a list of moves was cut short; more time may help, more memory there is not.
            if stopped != Some(Stop::Time) {
                return Ok(self.with_tries(verdict, None, options));
            }
            let rest = options.clone().limits(options.limits.clone().time(left_time()));
            return Ok(self.with_tries(self.ask(position, &rest)?, None, options));
        }
        let discovery = match left(&self.reductions(position)?).filter(|_| verdict.open.is_some()) {
            None => None,
            Some(game) => {
                announce(&game);
                let time = whole.map_or(10 * AT_FIRST, |time| time / 2);
                let limits = options.limits.clone().time(time);
                let search = Search { formula: false, ..Search::default() };
                let discovery = discover_with(&game, &search, &limits);
                if let Some(found) = &discovery.found {
                    self.learn(&found.proved);
                }
                Some(discovery)
            }
        };
        let rest = options.clone().limits(options.limits.clone().time(left_time()));
        Ok(self.with_tries(self.ask(position, &rest)?, discovery, options))
    }

    fn with_tries(
        &self,
        verdict: Verdict,
        discovery: Option<Discovery>,
        options: &Options,
    ) -> Investigation {
        let wanted = verdict.outcome == Some(Outcome::P) && options.explain == Explain::Steps;
        let tries = match wanted {
            true => self.tries(&verdict.position, TRIES, options),
            false => Vec::new(),
        };
        Investigation { verdict, discovery, tries }
    }
}

/// The game that is left by reductions, as small as it gets without becoming a sum.
fn left(chain: &Chain) -> Option<Game> {
    let single = |state: &State| match &state.parts[..] {
        [part] => Some(part.game()?.under(state.play)),
        _ => None,
    };
    (0..=chain.steps().len()).rev().find_map(|taken| single(chain.after(taken)))
}
