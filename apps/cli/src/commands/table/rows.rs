//! Rows on their way to a file or to the terminal.

use super::{Args, Limit};
use crate::failure::Failure;
use crate::output::Output;
use nimatron::{Game, Height};
use nimatron_render::table::{Beside, RowFormat, header, row};
use std::fs::{self, File, OpenOptions};
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Which rows are wanted.
#[derive(Clone, Debug, Default)]
pub(super) struct Filter {
    sum: Option<u64>,
    /// Per stack: must be empty, must not be empty, or anything.
    zero: Vec<Option<bool>>,
}

impl Filter {
    pub(super) fn new(game: &Game, sum: Option<u64>, zero: Option<&str>) -> Result<Self, Failure> {
        let Some(pattern) = zero else { return Ok(Filter { sum, zero: Vec::new() }) };
        let sign = |c: char| match c {
            '0' => Some(Some(true)),
            '+' => Some(Some(false)),
            '.' => Some(None),
            _ => None,
        };
        let signs: Option<Vec<_>> = pattern.chars().map(sign).collect();
        match signs.filter(|s| s.len() == game.stacks()) {
            Some(zero) => Ok(Filter { sum, zero }),
            None => Err(Failure::bad(
                "pattern",
                format!("a pattern for {game} has {} signs, each 0, + or .", game.stacks()),
            )),
        }
    }

    fn selects(&self, heights: &[Height]) -> bool {
        let fits = |(&h, sign): (&Height, &Option<bool>)| sign.is_none_or(|zero| (h == 0) == zero);
        let total = || heights.iter().map(|&h| u128::from(h)).sum::<u128>();
        heights.iter().zip(&self.zero).all(fits) && self.sum.is_none_or(|s| total() == s.into())
    }
}

/// Where rows go. A file is written beside its final place and moved there when it is complete.
pub(super) struct Rows {
    filter: Filter,
    format: Option<RowFormat>,
    beside: Beside,
    stacks: usize,
    most: u64,
    selected: u64,
    shown: String,
    file: Option<OutFile>,
}

struct OutFile {
    path: PathBuf,
    partial: PathBuf,
    writer: BufWriter<File>,
    written: u64,
}

impl Rows {
    /// Opens the file, if there is to be one.
    pub(super) fn open(
        args: &Args,
        filter: Filter,
        stacks: usize,
        beside: Beside,
    ) -> Result<Self, Failure> {
        let most = match args.limit {
            Limit::UpTo(n) => n,
            Limit::All => u64::MAX,
        };
        let file = args.out.as_deref().map(|path| OutFile::open(path, args)).transpose()?;
        let (format, shown) = (args.row_format(), String::new());
        Ok(Rows { filter, format, beside, stacks, most, selected: 0, shown, file })
    }

    /// Whether rows are written at all, and so have an order.
    pub(super) fn wants_order(&self) -> bool {
        self.format.is_some() && (self.file.is_some() || self.most > 0)
    }

    /// Whether only one row per orbit is wanted.
    pub(super) fn of_orbits(&self) -> bool {
        matches!(self.beside, Beside::Orbit(_))
    }

    /// How many rows passed the filter.
    pub(super) fn selected(&self) -> u64 {
        self.selected
    }

    /// Writes what stands above the first row, unless that has been done.
    pub(super) fn begin(&mut self) -> Result<(), Failure> {
        let fresh = self.selected == 0 && self.file.as_ref().is_none_or(|f| f.written == 0);
        match self.format.and_then(|f| header(f, self.stacks, self.beside)) {
            Some(header) if fresh => self.write_all(&(header + "\n")),
            _ => Ok(()),
        }
    }

    /// One row.
    pub(super) fn push(&mut self, heights: &[Height], beside: Beside) -> Result<(), Failure> {
        if !self.filter.selects(heights) {
            return Ok(());
        }
        self.selected += 1;
        let Some(format) = self.format else { return Ok(()) };
        match &mut self.file {
            Some(file) => {
                let mut line = String::new();
                row(format, heights, beside, &mut line);
                file.write(&line)
            }
            None => {
                if self.selected <= self.most {
                    row(format, heights, beside, &mut self.shown);
                }
                Ok(())
            }
        }
    }

    /// Text as it is.
    pub(super) fn write_all(&mut self, text: &str) -> Result<(), Failure> {
        match &mut self.file {
            Some(file) => file.write(text),
            None => {
                self.shown.push_str(text);
                Ok(())
            }
        }
    }

    /// The file is complete: it gets its name.
    pub(super) fn finish(&mut self) -> Result<Option<String>, Failure> {
        let Some(file) = &mut self.file else { return Ok(None) };
        let name = file.path.display().to_string();
        let synced = file.writer.flush().and_then(|()| file.writer.get_ref().sync_all());
        let moved = synced.and_then(|()| fs::rename(&file.partial, &file.path));
        moved.map_err(|error| Failure::file(&name, &error))?;
        Ok(Some(name))
    }

    /// The run was stopped. The unfinished file is kept only for a checkpoint that knows it.
    pub(super) fn abandon(&mut self, keep: bool) {
        if let Some(file) = &mut self.file
            && !keep
        {
            // What cannot be removed is left behind; the run itself is lost anyway.
            let _ = fs::remove_file(&file.partial);
        }
    }

    /// The rows to print, with a word about those left out.
    pub(super) fn printed(&self, output: &Output, limit: Limit) -> Result<String, Failure> {
        if self.file.is_some() || output.is_json() {
            return Ok(String::new());
        }
        let left_out = self.selected.saturating_sub(self.most);
        let mut text = self.shown.clone();
        let is_text = self.format == Some(RowFormat::Text);
        if is_text && left_out > 0 && !matches!(limit, Limit::All) {
            let shown = if self.most == 0 { "" } else { "... " };
            text += &format!("{shown}{left_out} rows not shown (--limit all, --out FILE)\n");
        }
        if is_text && !text.is_empty() {
            text.push('\n');
        }
        Ok(text)
    }

    /// What a checkpoint must remember: bytes in the file, rows so far, rows to be printed.
    pub(super) fn state(&mut self) -> Result<(u64, u64, String), Failure> {
        let written = match &mut self.file {
            None => 0,
            Some(file) => {
                let name = file.partial.display().to_string();
                let synced = file.writer.flush().and_then(|()| file.writer.get_ref().sync_all());
                synced.map_err(|error| Failure::file(&name, &error))?;
                file.written
            }
        };
        Ok((written, self.selected, self.shown.clone()))
    }

    /// Goes back to what a checkpoint remembers.
    pub(super) fn restore(&mut self, state: (u64, u64, String)) -> Result<(), Failure> {
        let (written, selected, shown) = state;
        self.selected = selected;
        self.shown = shown;
        let Some(file) = &mut self.file else { return Ok(()) };
        let name = file.partial.display().to_string();
        let wrong = |error: std::io::Error| Failure::file(&name, &error);
        let length = file.writer.get_ref().metadata().map_err(wrong)?.len();
        if length < written {
            let message = format!("{name} is shorter than the checkpoint says");
            return Err(Failure::bad("checkpoint", message));
        }
        file.writer.get_ref().set_len(written).map_err(wrong)?;
        file.writer.seek(SeekFrom::Start(written)).map_err(wrong)?;
        file.written = written;
        Ok(())
    }
}

impl OutFile {
    fn open(path: &Path, args: &Args) -> Result<Self, Failure> {
        let name = path.display().to_string();
        if path.exists() && !args.force {
            return Err(Failure::exists(&name));
        }
        let mut partial = path.as_os_str().to_os_string();
        partial.push(".partial");
        let partial = PathBuf::from(partial);
        let resuming = args.checkpoint.as_ref().is_some_and(|c| c.exists());
        if partial.exists() && !resuming && !args.force {
            return Err(Failure::exists(&partial.display().to_string()));
        }
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(!resuming);
        let file = options.open(&partial).map_err(|error| Failure::file(&name, &error))?;
        let writer = BufWriter::with_capacity(1 << 16, file);
        Ok(OutFile { path: path.to_path_buf(), partial, writer, written: 0 })
    }

    fn write(&mut self, text: &str) -> Result<(), Failure> {
        self.written += text.len() as u64;
        let written = self.writer.write_all(text.as_bytes());
        written.map_err(|error| Failure::file(&self.partial.display().to_string(), &error))
    }
}
