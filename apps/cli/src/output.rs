//! Where answers and errors go: text or JSON, with or without colours.

use crate::cli::Global;
use anstream::AutoStream;
use clap::ColorChoice;
use nimatron::render::{Palette, json};
use nimatron_service::{Failure, Found, Status};
use std::io::{self, IsTerminal, Write};
use terminal_size::terminal_size_of;

/// The longest line of a complaint about the command line.
const MOST: usize = 200;

/// Prints what clap has to say. It repeats what was typed, however long; such lines are cut. If
/// nobody listens any more, that is no error.
pub(crate) fn clap_error(error: &clap::Error) {
    let plain = error.to_string();
    let is_short = plain.lines().all(|line| line.chars().count() <= MOST);
    let text = match is_short {
        true => error.render().ansi().to_string(),
        false => {
            let cut = |line: &str| match line.chars().count() > MOST {
                true => line.chars().take(MOST).collect::<String>() + "...\n",
                false => format!("{line}\n"),
            };
            plain.lines().map(cut).collect()
        }
    };
    let auto = anstream::ColorChoice::Auto;
    let fit = |width: Option<usize>| match width {
        Some(columns) => Palette::PLAIN.of_width(columns).fit(&text),
        None => text.clone(),
    };
    let _ = match error.use_stderr() {
        true => {
            let text = fit(columns(Stream::Errors));
            AutoStream::new(io::stderr().lock(), auto).write_all(text.as_bytes())
        }
        false => {
            let text = fit(columns(Stream::Answers));
            AutoStream::new(io::stdout().lock(), auto).write_all(text.as_bytes())
        }
    };
}

/// Standard output or standard error.
#[derive(Clone, Copy)]
pub(crate) enum Stream {
    Answers,
    Errors,
}

/// The columns of the terminal: as the user says, or as it says itself. There is none to fit if
/// the output goes elsewhere.
pub(crate) fn columns(stream: Stream) -> Option<usize> {
    let said = std::env::var("COLUMNS").ok().and_then(|text| text.trim().parse().ok());
    let size = || match stream {
        Stream::Answers => terminal_size_of(io::stdout()),
        Stream::Errors => terminal_size_of(io::stderr()),
    };
    let asked = || size().map(|(width, _)| usize::from(width.0));
    said.filter(|&columns: &usize| columns > 0).or_else(|| asked().filter(|&columns| columns > 0))
}

/// The way out.
pub(crate) struct Output {
    json: bool,
    quiet: bool,
    colour: anstream::ColorChoice,
    palette: Palette,
    errors: Palette,
    /// Whether lines that somebody else made are broken, too: there is a terminal to fit.
    fits: bool,
}

impl Output {
    /// As the options say.
    pub(crate) fn new(global: &Global) -> Self {
        let colour = match global.color {
            ColorChoice::Auto => anstream::ColorChoice::Auto,
            ColorChoice::Always => anstream::ColorChoice::Always,
            ColorChoice::Never => anstream::ColorChoice::Never,
        };
        let width = columns(Stream::Answers);
        let palette = Palette::COLOUR.of_width(width.unwrap_or(80));
        let errors = Palette::COLOUR.of_width(columns(Stream::Errors).unwrap_or(80));
        let fits = width.is_some();
        Output { json: global.json, quiet: global.quiet, colour, palette, errors, fits }
    }

    /// The columns of a line on standard error.
    pub(crate) fn error_width(&self) -> usize {
        self.errors.width
    }

    /// Whether answers are JSON objects.
    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// Whether answers are made to fit a terminal.
    pub(crate) fn fits(&self) -> bool {
        self.fits
    }

    /// Whether somebody may be watching standard error.
    pub(crate) fn shows_progress(&self) -> bool {
        !self.quiet && io::stderr().is_terminal()
    }

    /// Complains about `--json` where something else is printed.
    pub(crate) fn refuse_json(&self, printed: &str) -> Result<(), Failure> {
        match self.json {
            true => Err(Failure::useless("--json", &format!("{printed} is printed as it is"))),
            false => Ok(()),
        }
    }

    /// An answer to standard output: one JSON object, or text.
    pub(crate) fn answer(
        &self,
        json: impl FnOnce() -> String,
        text: impl FnOnce(&Palette) -> String,
    ) -> Result<(), Failure> {
        let bytes = match self.json {
            true => json() + "\n",
            false if self.fits => self.palette.fit(&text(&self.palette)),
            false => text(&self.palette),
        };
        self.raw(bytes.as_bytes())
    }

    /// An answer that was found, as JSON or as text, and how it ended.
    pub(crate) fn found(
        &self,
        found: &impl Found,
        text: impl FnOnce(&Palette) -> String,
    ) -> Result<Status, Failure> {
        self.answer(|| found.json(), text)?;
        Ok(found.status())
    }

    /// Bytes to standard output; styles are taken out where they are not wanted.
    pub(crate) fn raw(&self, bytes: &[u8]) -> Result<(), Failure> {
        let mut out = AutoStream::new(io::stdout().lock(), self.colour);
        let written = out.write_all(bytes).and_then(|()| out.flush());
        written.map_err(|error| Failure::output(&error))
    }

    /// What is going on, for whoever wants to know: to standard error.
    pub(crate) fn announce(&self, text: &str) {
        if !self.quiet {
            // If nobody reads it, the answer is still right. The line of progress gives way.
            let clear = if self.shows_progress() { "\r\x1b[K" } else { "" };
            let text = self.told(text);
            let _ = writeln!(io::stderr().lock(), "{clear}{text}");
        }
    }

    /// A remark as it stands on standard error: one line, unless a terminal is too narrow for it.
    fn told(&self, text: &str) -> String {
        match columns(Stream::Errors) {
            Some(_) => self.errors.wrap(text, "  "),
            None => text.to_string(),
        }
    }

    /// Something that should be known, beside the answer: to standard error.
    pub(crate) fn warning(&self, text: &str) {
        // If nobody reads it, the answer is still right.
        let text = self.told(&format!("warning: {text}"));
        let _ = writeln!(io::stderr().lock(), "{text}");
    }

    /// A failure that comes with an answer: the text to standard error, and nothing else.
    pub(crate) fn failure_beside(&self, failure: &Failure) -> Status {
        if let Some((_, diagnostic)) = failure.report() {
            let mut err = AutoStream::new(io::stderr().lock(), self.colour);
            // If nobody reads the errors either, the exit status still tells.
            let _ = err.write_all(diagnostic.render(&self.errors).as_bytes());
        }
        failure.status()
    }

    /// What is being done, for whoever is watching standard error.
    pub(crate) fn note(&self, text: &str) {
        if self.shows_progress() {
            let _ = writeln!(io::stderr().lock(), "\r\x1b[K{text}");
        }
    }

    /// A failure: the text to standard error, and with `--json` the object to standard output.
    pub(crate) fn failure(&self, failure: &Failure) -> Status {
        if let Some((kind, diagnostic)) = failure.report() {
            let mut err = AutoStream::new(io::stderr().lock(), self.colour);
            // If nobody reads the errors either, the exit status still tells.
            let _ = err.write_all(diagnostic.render(&self.errors).as_bytes());
            if self.json {
                let _ = self.raw((json::error(kind, diagnostic) + "\n").as_bytes());
            }
        }
        failure.status()
    }
}
