//! One direction of a claim, or a claim about some positions only.

use crate::failure::Failure;
use crate::read;
use nimatron::Game;
use nimatron::check::Side;
use nimatron::crates::formula::Formula;

/// What a formula is claimed to be.
pub(super) fn side(necessary: bool, sufficient: bool) -> Result<Side, Failure> {
    match (necessary, sufficient) {
        (true, true) => {
            let message = "a claim is necessary or sufficient; without either it is both";
            Err(Failure::bad("sides", message.to_string()))
        }
        (true, _) => Ok(Side::Necessary),
        (_, true) => Ok(Side::Sufficient),
        _ => Ok(Side::Exact),
    }
}

/// The positions that count, if not all do.
pub(super) fn condition(text: Option<&String>, game: &Game) -> Result<Option<Formula>, Failure> {
    text.map(|text| read::formula(text, game)).transpose()
}
