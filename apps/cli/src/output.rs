//! Where answers and errors go: text or JSON, with or without colours.

use crate::cli::Global;
use crate::failure::Failure;
use crate::status::Status;
use anstream::AutoStream;
use clap::ColorChoice;
use nimatron_render::{Palette, json};
use std::io::{self, IsTerminal, Write};

/// The longest line of a complaint about the command line.
const MOST: usize = 200;

/// Prints what clap has to say. It repeats what was typed, however long; such lines are cut. If
/// nobody listens any more, that is no error.
pub(crate) fn clap_error(error: &clap::Error) {
    let text = error.to_string();
    if text.lines().all(|line| line.chars().count() <= MOST) {
        let _ = error.print();
        return;
    }
    let mut err = io::stderr().lock();
    for line in text.lines() {
        let cut = if line.chars().count() > MOST { "..." } else { "" };
        let _ = writeln!(err, "{}{cut}", line.chars().take(MOST).collect::<String>());
    }
}

/// The way out.
pub(crate) struct Output {
    json: bool,
    quiet: bool,
    colour: anstream::ColorChoice,
}

impl Output {
    /// As the options say.
    pub(crate) fn new(global: &Global) -> Self {
        let colour = match global.color {
            ColorChoice::Auto => anstream::ColorChoice::Auto,
            ColorChoice::Always => anstream::ColorChoice::Always,
            ColorChoice::Never => anstream::ColorChoice::Never,
        };
        Output { json: global.json, quiet: global.quiet, colour }
    }

    /// Whether answers are JSON objects.
    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// Whether somebody may be watching standard error.
    pub(crate) fn shows_progress(&self) -> bool {
        !self.quiet && io::stderr().is_terminal()
    }

    /// An answer to standard output: one JSON object, or text.
    pub(crate) fn answer(
        &self,
        json: impl FnOnce() -> String,
        text: impl FnOnce(&Palette) -> String,
    ) -> Result<(), Failure> {
        let bytes = match self.json {
            true => json() + "\n",
            false => text(&Palette::COLOUR),
        };
        self.raw(bytes.as_bytes())
    }

    /// Bytes to standard output; styles are taken out where they are not wanted.
    pub(crate) fn raw(&self, bytes: &[u8]) -> Result<(), Failure> {
        let mut out = AutoStream::new(io::stdout().lock(), self.colour);
        let written = out.write_all(bytes).and_then(|()| out.flush());
        written.map_err(|error| Failure::output(&error))
    }

    /// Something that should be known, beside the answer: to standard error.
    pub(crate) fn warning(&self, text: &str) {
        // If nobody reads it, the answer is still right.
        let _ = writeln!(io::stderr().lock(), "warning: {text}");
    }

    /// A failure: the text to standard error, and with `--json` the object to standard output.
    pub(crate) fn failure(&self, failure: &Failure) -> Status {
        if let Some((kind, diagnostic)) = failure.report() {
            let mut err = AutoStream::new(io::stderr().lock(), self.colour);
            // If nobody reads the errors either, the exit status still tells.
            let _ = err.write_all(diagnostic.render(&Palette::COLOUR).as_bytes());
            if self.json {
                let _ = self.raw((json::error(kind, diagnostic) + "\n").as_bytes());
            }
        }
        failure.status()
    }
}
