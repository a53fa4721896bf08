//! Games, positions and formulas as they are typed: in place, `@FILE`, or `-` for standard input.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use nimatron::crates::game::notation::MAX_LENGTH;
use nimatron_service::{Failure, Heights, Word};
use std::fs::File;
use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};

/// A game to be read.
#[derive(Debug, clap::Args)]
pub(crate) struct GameText {
    /// The game, such as "CN(7,3)"; @FILE or - reads it from there
    #[arg(value_name = "GAME")]
    game: String,
}

impl GameText {
    pub(crate) fn text(&self) -> Result<String, Failure> {
        fetch(&self.game)
    }
}

/// A game to be read, if there is one.
#[derive(Debug, clap::Args)]
pub(crate) struct OptionalGameText {
    /// The game, such as "CN(7,3)"; @FILE or - reads it from there
    #[arg(value_name = "GAME")]
    game: Option<String>,
}

impl OptionalGameText {
    pub(crate) fn text(&self) -> Result<Option<String>, Failure> {
        self.game.as_deref().map(fetch).transpose()
    }
}

/// A position to be read. Something like `-3,2` is no option: it is for the notation to refuse.
#[derive(Debug, clap::Args)]
pub(crate) struct PositionText {
    /// The position, such as 3,5,4,2,1,6,3; @FILE or - reads it from there
    #[arg(value_name = "POSITION", allow_hyphen_values = true)]
    position: String,
}

impl PositionText {
    pub(crate) fn text(&self) -> Result<Heights, Failure> {
        fetch(&self.position).map(Heights)
    }
}

/// A position to be read, if there is one.
#[derive(Debug, clap::Args)]
pub(crate) struct OptionalPositionText {
    /// The position, such as 3,5,4,2,1,6,3; @FILE or - reads it from there
    #[arg(value_name = "POSITION", allow_hyphen_values = true)]
    position: Option<String>,
}

impl OptionalPositionText {
    pub(crate) fn text(&self) -> Result<Option<Heights>, Failure> {
        Ok(self.position.as_deref().map(fetch).transpose()?.map(Heights))
    }
}

/// A formula to be read.
#[derive(Debug, clap::Args)]
pub(crate) struct FormulaText {
    /// The formula, such as "sym(a = 0, b = e = c+d)"; @FILE or - reads it from there
    #[arg(value_name = "FORMULA")]
    formula: String,
}

impl FormulaText {
    pub(crate) fn text(&self) -> Result<String, Failure> {
        fetch(&self.formula)
    }
}

/// A formula to be read, if there is one.
#[derive(Debug, clap::Args)]
pub(crate) struct OptionalFormulaText {
    /// The formula, such as "sym(a = 0, b = e = c+d)"; @FILE or - reads it from there
    #[arg(value_name = "FORMULA")]
    formula: Option<String>,
}

impl OptionalFormulaText {
    pub(crate) fn text(&self) -> Result<Option<String>, Failure> {
        self.formula.as_deref().map(fetch).transpose()
    }
}

/// What is claimed of a formula, and about which positions.
#[derive(Debug, clap::Args)]
pub(crate) struct SideArgs {
    /// Claim only that every P-position satisfies the formula
    #[arg(long, conflicts_with = "sufficient")]
    pub(crate) necessary: bool,
    /// Claim only that no N-position satisfies the formula
    #[arg(long)]
    pub(crate) sufficient: bool,
    /// Only positions that satisfy this formula count; @FILE or - reads it from there
    #[arg(long = "where", value_name = "COND")]
    condition: Option<String>,
}

impl SideArgs {
    /// The condition, as text.
    pub(crate) fn condition(&self) -> Result<Option<String>, Failure> {
        self.condition.as_deref().map(fetch).transpose()
    }
}

/// The greatest heights of a box.
#[derive(Debug, clap::Args)]
pub(crate) struct MaxText {
    /// The greatest height: one for all stacks, or one for each, as in 4,4,9
    #[arg(long, value_name = "H")]
    max: Option<String>,
}

impl MaxText {
    pub(crate) fn text(&self) -> Option<Heights> {
        self.max.clone().map(Heights)
    }
}

/// The text an argument stands for.
pub(crate) fn fetch(argument: &str) -> Result<String, Failure> {
    match argument.strip_prefix('@') {
        Some(path) => {
            let name = format!("file {path}");
            let file = File::open(path).map_err(|error| Failure::file(&name, &error))?;
            read_all(file, &name)
        }
        None if argument == "-" => {
            take_standard_input()?;
            read_all(io::stdin().lock(), "standard input")
        }
        None => Ok(argument.to_string()),
    }
}

/// Standard input holds one text: whoever asks for a second one has made a mistake.
pub(crate) fn take_standard_input() -> Result<(), Failure> {
    static TAKEN: AtomicBool = AtomicBool::new(false);
    match TAKEN.swap(true, Ordering::Relaxed) {
        false => Ok(()),
        true => {
            let message = "- is given twice, but standard input can be read only once";
            Err(Failure::bad("standard-input", message.to_string()))
        }
    }
}

/// Reads a text without its last line end. It is never longer than what can be a game.
fn read_all(source: impl Read, name: &str) -> Result<String, Failure> {
    let most = MAX_LENGTH + 1;
    let mut bytes = Vec::new();
    let limited = source.take(most as u64 + 1).read_to_end(&mut bytes);
    limited.map_err(|error| Failure::file(name, &error))?;
    if bytes.len() > most {
        let message = format!("{name} is too long: at most {MAX_LENGTH} bytes are read");
        return Err(Failure::bad("too-long", message));
    }
    let mut text = String::from_utf8(bytes)
        .map_err(|_| Failure::bad("not-text", format!("{name} is not text in UTF-8")))?;
    if text.ends_with('\n') {
        text.pop();
        if text.ends_with('\r') {
            text.pop();
        }
    }
    Ok(text)
}

/// One of the words that a question may contain, with what is said about each.
pub(crate) fn word<W: Word>() -> impl TypedValueParser<Value = W> {
    let offered = W::ALL
        .iter()
        .map(|(_, word, says)| PossibleValue::new(*word).help(says.trim().trim_end_matches('.')));
    PossibleValuesParser::new(offered).try_map(|typed| {
        let choice = W::ALL.iter().find(|(_, word, _)| *word == typed);
        choice.map(|&(choice, ..)| choice).ok_or("not one of the words")
    })
}
