//! Rows on their way to a file or to the terminal.

use super::Args;
use nimatron_service::Failure;
use crate::output::Output;
use nimatron::files::{beside, is_device};
use nimatron::Height;
use nimatron_service::asks::table::Filter;
use nimatron::render::table::{Beside, RowFormat, header, row};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Seek, SeekFrom, Stdout, Write};
use std::path::{Path, PathBuf};

/// Where rows go. A file is written beside its final place and moved there when it is complete.
pub(super) struct Rows {
    filter: Filter,
    format: Option<RowFormat>,
    beside: Beside,
    /// What stands before and after the rows, if the format has that.
    frame: Option<(String, String)>,
    stacks: usize,
    most: u64,
    selected: u64,
    shown: String,
    file: Option<OutFile>,
    /// Standard output, where rows go there at once and need not be kept.
    stream: Option<BufWriter<Stdout>>,
}

struct OutFile {
    path: PathBuf,
    partial: PathBuf,
    writer: BufWriter<File>,
    written: u64,
    /// Whether a checkpoint knows the unfinished file, or it has got its name.
    kept: bool,
}

/// Without a checkpoint that knows it, an unfinished file is of no use to anybody.
impl Drop for OutFile {
    fn drop(&mut self) {
        if !self.kept {
            // What cannot be removed is left behind; the run itself is lost anyway.
            let _ = fs::remove_file(&self.partial);
        }
    }
}

impl Rows {
    /// Opens the file, if there is to be one.
    pub(super) fn open(
        args: &Args,
        filter: Filter,
        stacks: usize,
        beside: Beside,
        output: &Output,
    ) -> Result<Self, Failure> {
        let file = args.out.as_deref().map(|path| OutFile::open(path, args)).transpose()?;
        let (format, shown, most) = (args.row_format(), String::new(), args.most());
        // Lines for a terminal are made to fit, one object holds all of JSON, and what goes on from a
        // checkpoint prints the rows from before: these are kept. The others may be too many for that.
        let kept = output.is_json() || output.fits() || args.checkpoint.is_some();
        let at_once = file.is_none() && most == u64::MAX && format.is_some() && !kept;
        let stream = at_once.then(|| BufWriter::with_capacity(1 << 16, io::stdout()));
        let frame = None;
        Ok(Rows { filter, format, beside, frame, stacks, most, selected: 0, shown, file, stream })
    }

    /// With this before and after them.
    pub(super) fn framed(mut self, frame: (String, String)) -> Self {
        self.frame = Some(frame);
        self
    }

    /// Writes what stands after the last row, and this.
    pub(super) fn end(&mut self, text: &str) -> Result<(), Failure> {
        match self.frame.take() {
            Some((_, after)) => self.write_all(&(after + text)),
            None => Ok(()),
        }
    }

    /// Whether only one row per orbit is wanted.
    pub(super) fn of_orbits(&self) -> bool {
        matches!(self.beside, Beside::Orbit(_))
    }

    /// There are so many rows; not all of them need have been pushed.
    pub(super) fn all_selected(&mut self, rows: u64) {
        self.selected = self.selected.max(rows);
    }

    /// How many rows passed the filter.
    pub(super) fn selected(&self) -> u64 {
        self.selected
    }

    /// Writes what stands above the first row, unless that has been done.
    pub(super) fn begin(&mut self) -> Result<(), Failure> {
        let fresh = self.selected == 0 && self.file.as_ref().is_none_or(|f| f.written == 0);
        let header = self.format.and_then(|f| header(f, self.stacks, self.beside));
        let before = self.frame.as_ref().map(|(before, _)| before.clone());
        match header.map(|header| header + "\n").or(before) {
            Some(header) if fresh => self.write_all(&header),
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
                self.pass_on()
            }
        }
    }

    /// Hands on what is to be printed, if it need not wait.
    fn pass_on(&mut self) -> Result<(), Failure> {
        let Some(stream) = &mut self.stream else { return Ok(()) };
        let written = stream.write_all(self.shown.as_bytes());
        self.shown.clear();
        written.map_err(|error| Failure::output(&error))
    }

    /// Text as it is.
    pub(super) fn write_all(&mut self, text: &str) -> Result<(), Failure> {
        match &mut self.file {
            Some(file) => file.write(text),
            None => {
                self.shown.push_str(text);
                self.pass_on()
            }
        }
    }

    /// What was handed on is on its way.
    pub(super) fn flush(&mut self) -> Result<(), Failure> {
        let flushed = self.stream.as_mut().map_or(Ok(()), Write::flush);
        flushed.map_err(|error| Failure::output(&error))
    }

    /// The file is complete: it gets its name.
    pub(super) fn finish(&mut self) -> Result<Option<String>, Failure> {
        self.flush()?;
        let Some(file) = &mut self.file else { return Ok(None) };
        let name = file.path.display().to_string();
        let flushed = file.writer.flush();
        let moved = match file.partial == file.path {
            true => flushed,
            false => flushed
                .and_then(|()| file.writer.get_ref().sync_all())
                .and_then(|()| fs::rename(&file.partial, &file.path)),
        };
        moved.map_err(|error| Failure::file(&name, &error))?;
        file.kept = true;
        Ok(Some(name))
    }

    /// A checkpoint has been saved that knows the unfinished file.
    pub(super) fn keep(&mut self) {
        self.file.iter_mut().for_each(|file| file.kept = true);
    }

    /// The rows to print, with a word about those left out.
    pub(super) fn printed(&self, output: &Output, is_partial: bool) -> String {
        if self.file.is_some() || output.is_json() {
            return String::new();
        }
        let left_out = self.selected.saturating_sub(self.most);
        let mut text = self.shown.clone();
        let is_text = self.format == Some(RowFormat::Text);
        let least = if is_partial { "at least " } else { "" };
        let word = if left_out == 1 { "row" } else { "rows" };
        let left = format!("{least}{left_out} {word} not shown (--limit all, --out FILE)");
        match (is_text, left_out) {
            (_, 0) => {}
            // Nothing but rows belongs on standard output, and nobody should take them for all.
            (false, _) if self.format.is_some() => output.warning(&left),
            (false, _) => {}
            (true, _) => {
                let shown = if self.most == 0 { "" } else { "... " };
                text += &format!("{shown}{left}\n");
            }
        }
        let streamed = self.stream.is_some() && self.selected > 0;
        if is_text && (streamed || !text.is_empty()) {
            text.push('\n');
        }
        text
    }

    /// The rows that were asked for, each a JSON object.
    pub(super) fn objects(&self) -> Vec<serde_json::Value> {
        self.shown.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
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
        // A device is written to as it is, and stays whatever happens.
        let is_device = is_device(path);
        let partial = if is_device { path.to_path_buf() } else { beside(path, "partial") };
        let resuming = args.checkpoint.as_ref().is_some_and(|c| c.exists());
        if partial.exists() && !is_device && !resuming && !args.force {
            return Err(Failure::exists(&partial.display().to_string()));
        }
        let kept = partial.exists();
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(!resuming);
        let file = options.open(&partial).map_err(|error| Failure::file(&name, &error))?;
        let writer = BufWriter::with_capacity(1 << 16, file);
        Ok(OutFile { path: path.to_path_buf(), partial, writer, written: 0, kept })
    }

    fn write(&mut self, text: &str) -> Result<(), Failure> {
        self.written += text.len() as u64;
        let written = self.writer.write_all(text.as_bytes());
        written.map_err(|error| Failure::file(&self.partial.display().to_string(), &error))
    }
}
