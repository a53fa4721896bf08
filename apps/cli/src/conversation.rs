//! A conversation on the terminal, or through a pipe: lines that are typed, and what is said to them.

use crate::output::Output;
use nimatron::render::Palette;
use nimatron_service::Failure;
use std::io::{self, BufRead, IsTerminal, Read};
use std::time::{SystemTime, UNIX_EPOCH};

/// The longest line that is read.
const MOST: u64 = 10_000;

/// A conversation.
pub(crate) struct Conversation<'a> {
    output: &'a Output,
    /// Whether somebody types.
    typed: bool,
}

impl<'a> Conversation<'a> {
    pub(crate) fn new(output: &'a Output) -> Self {
        Conversation { output, typed: io::stdin().is_terminal() }
    }

    /// Says something.
    pub(crate) fn say(&self, text: impl FnOnce(&Palette) -> String) -> Result<(), Failure> {
        self.output.answer(String::new, text)
    }

    /// Says a sentence.
    pub(crate) fn tell(&self, sentence: &str) -> Result<(), Failure> {
        self.say(|palette| palette.wrap(sentence, "") + "\n")
    }

    /// The next line; `None` at the end.
    pub(crate) fn line(&self, prompt: &str) -> Result<Option<String>, Failure> {
        self.output.raw(format!("{prompt}> ").as_bytes())?;
        let mut bytes = Vec::new();
        let mut input = io::stdin().lock();
        let read = input.by_ref().take(MOST).read_until(b'\n', &mut bytes);
        read.map_err(|error| Failure::file("standard input", &error))?;
        if bytes.is_empty() {
            self.output.raw(b"\n")?;
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&bytes).trim().to_string();
        if !self.typed {
            // What comes through a pipe is not seen otherwise.
            let shown: String = line.chars().filter(|c| !c.is_control()).collect();
            self.output.raw(format!("{shown}\n").as_bytes())?;
        }
        Ok(Some(line))
    }
}

/// A seed that is another one each time.
pub(crate) fn any_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |time| u64::from(time.subsec_nanos()) ^ time.as_secs()) % 1_000_000
}
