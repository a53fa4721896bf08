//! `nimatron reduce`

use crate::certificate::LibraryArgs;
use crate::failure::Failure;
use crate::input::{GameText, OptionalPositionText};
use crate::output::Output;
use crate::status::Status;
use nimatron::crates::game::StackSet;
use nimatron::crates::reduce::{Chain, State};
use nimatron::Game;
use nimatron::structure::invariance_process;
use nimatron::render::{Heights, json, reduction};

/// How a game, or a position, becomes a smaller one
///
/// Every step keeps the outcome, the Grundy value and the remoteness; only the steps taken with
/// --cone and --invariance keep no more than the outcome.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  nimatron reduce \"Set(ad,abc,bcd)\"
  nimatron reduce \"CN(6,3)\" 0,0,3,1,2,4
  nimatron reduce \"PN(5,3)\" 1,2,3,4,5 --cone
  nimatron reduce H 2,6,11,8,3,12 --invariance
  nimatron reduce H 5,2,7,8,9,6 --vectors 101011,110101")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameText,
    #[command(flatten)]
    position: OptionalPositionText,
    /// Also drop stacks that lie in every set: they are empty in every P-position
    #[arg(long)]
    cone: bool,
    /// Also take tokens off along invariant vectors, as long as theorems give some
    #[arg(long, conflicts_with = "cone", requires = "position")]
    invariance: bool,
    /// The vectors to take off first, in this order: 110101,101011 or abdf,acef
    #[arg(long, value_name = "LIST", conflicts_with = "cone", requires = "position")]
    vectors: Option<String>,
    #[command(flatten)]
    library: LibraryArgs,
}

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        let game = self.game.read()?;
        let position = self.position.read(&game)?;
        if let Some(position) = &position
            && (self.invariance || self.vectors.is_some())
        {
            let vectors = self.vectors.as_deref().map(|v| read_vectors(v, &game)).transpose()?;
            let knowledge = self.library.knowledge();
            let chain = invariance_process(&game, position, vectors.as_deref(), &knowledge);
            output.problems(&knowledge);
            let chain = chain.map_err(|e| Failure::bad("vectors", e.to_string()))?;
            return show(&game, &chain, Heights::Shown, output);
        }
        let (start, heights) = match position {
            None => (State::generic(&game), Heights::Hidden),
            Some(position) => {
                let state = State::new(&game, &position);
                let state = state.map_err(|e| Failure::bad("wrong-count", e.to_string()))?;
                (state, Heights::Shown)
            }
        };
        let chain = match self.cone {
            true => Chain::reduce_with_cone(start),
            false => Chain::reduce(start),
        };
        show(&game, &chain, heights, output)
    }
}

fn show(
    game: &Game,
    chain: &Chain,
    heights: Heights,
    output: &Output,
) -> Result<Status, Failure> {
    output.answer(
        || json::to_string(&json::Reduce::new(game, chain, heights)),
        |palette| reduction(game, chain, heights, palette),
    )?;
    Ok(Status::Answered)
}

/// Vectors written as zeros and ones, or as the stacks they have ones at.
fn read_vectors(text: &str, game: &Game) -> Result<Vec<StackSet>, Failure> {
    text.split(',').map(|word| read_vector(word.trim(), game)).collect()
}

fn read_vector(word: &str, game: &Game) -> Result<StackSet, Failure> {
    let n = game.stacks();
    let bad = || {
        let message = format!("{word:?} is no vector of this game: write 0 or 1 for each stack");
        Failure::bad("vectors", message)
    };
    if word.is_empty() {
        return Err(bad());
    }
    if word.chars().all(|c| c == '0' || c == '1') {
        let ones = word.chars().enumerate().filter(|(_, c)| *c == '1');
        return if word.len() == n { Ok(ones.map(|(i, _)| i).collect()) } else { Err(bad()) };
    }
    let stack = |c: char| match c {
        'a'..='z' => Some(usize::from(c as u8 - b'a')).filter(|&s| s < n && n <= 26),
        _ => None,
    };
    let stacks: Option<Vec<usize>> = word.chars().map(stack).collect();
    stacks.map(|s| s.into_iter().collect()).ok_or_else(bad)
}
