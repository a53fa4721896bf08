//! `nimatron reduce`

use crate::certificate::LibraryArgs;
use crate::host::{knowing, quick};
use crate::input::{GameText, OptionalPositionText};
use crate::output::Output;
use nimatron::render::reduction;
use nimatron_service::asks::reduce::Reduce;
use nimatron_service::{Failure, Status};


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
        let asked = Reduce {
            game: self.game.text()?,
            position: self.position.text()?,
            cone: self.cone,
            invariance: self.invariance,
            vectors: self.vectors,
        };
        let known = knowing(&self.library);
        let found = asked.find(&quick(output).knowing(&known))?;
        output.found(&found, |palette| {
            reduction(&found.game, &found.chain, found.heights, palette)
        })
    }
}
