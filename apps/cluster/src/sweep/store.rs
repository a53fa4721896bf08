//! What was found, in order: on standard output, or in files that can be gone on with.

use super::work::{Found, Work};
use crate::output::answer;
use nimatron::Game;
use nimatron::atlas::{Entry, FILES, Survey};
use nimatron::files::{Readers, is_device, write_whole};
use nimatron::render::json;
use nimatron_service::Failure;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What was found.
#[derive(Debug)]
pub(super) struct Store {
    lines: Option<Output>,
    /// The certificates of an atlas, and how many bytes they have.
    certificates: Option<Output>,
    offset: u64,
    written: usize,
}

/// A file that is written at its end.
#[derive(Debug)]
struct Output {
    file: File,
    path: PathBuf,
    /// A pipe or a device is written to as it is.
    is_device: bool,
}

impl Output {
    /// A file with what is in it already.
    fn open(path: PathBuf) -> Result<(Self, Vec<u8>), Failure> {
        let is_device = is_device(&path);
        let mut options = OpenOptions::new();
        let options = options.read(!is_device).write(true).create(!is_device);
        let file = options.truncate(false).open(&path).map_err(|error| named(&path, &error))?;
        let mut output = Output { file, path, is_device };
        let mut text = Vec::new();
        if is_device {
            return Ok((output, text));
        }
        let read = output.file.read_to_end(&mut text);
        read.map_err(|error| named(&output.path, &error))?;
        Ok((output, text))
    }

    /// Goes on behind so many bytes.
    fn cut(&mut self, bytes: u64) -> Result<(), Failure> {
        if self.is_device {
            return Ok(());
        }
        let cut = self.file.set_len(bytes).and_then(|()| self.file.seek(SeekFrom::Start(bytes)));
        cut.map(|_| ()).map_err(|error| named(&self.path, &error))
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.file.write_all(bytes).map_err(|error| named(&self.path, &error))
    }

    fn sync(&mut self) -> Result<(), Failure> {
        if self.is_device {
            return Ok(());
        }
        self.file.sync_all().map_err(|error| named(&self.path, &error))
    }
}

fn named(path: &Path, error: &io::Error) -> Failure {
    Failure::file(&path.display().to_string(), error)
}

/// What a sweep was asked for: another one does not go on with its files.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Request {
    sweep: String,
    stacks: usize,
    milliseconds: u64,
    memory: u64,
}

impl Store {
    /// For the games of an atlas: two files in a directory, or standard output.
    pub(super) fn atlas(
        dir: Option<&Path>,
        stacks: usize,
        (time, memory): (Duration, u64),
        games: &[String],
    ) -> Result<Self, Failure> {
        let Some(dir) = dir else { return Ok(Store::to_standard_output()) };
        fs::create_dir_all(dir).map_err(|error| named(dir, &error))?;
        let milliseconds = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let request = Request { sweep: "atlas".to_string(), stacks, milliseconds, memory };
        agree(&dir.join("sweep.json"), &request)?;
        let (mut lines, text) = Output::open(dir.join(FILES[0]))?;
        let (mut certificates, known) = Output::open(dir.join(FILES[1]))?;
        let (mut bytes, mut offset, mut written) = (0, 0, 0);
        for line in complete(&text) {
            let entry: Option<Entry> = serde_json::from_slice(line).ok();
            let Some(entry) = entry else { break };
            if games.get(written) != Some(&entry.game.to_string()) {
                let message = format!("{} holds other games", lines.path.display());
                return Err(Failure::damaged(message));
            }
            let place = entry.proof.as_ref().map(|proof| proof.place);
            let end = place.map_or(offset, |place| place.offset.saturating_add(place.length));
            if place.is_some_and(|place| place.offset != offset) || end > known.len() as u64 {
                break;
            }
            (bytes, offset, written) = (bytes + line.len() as u64, end, written + 1);
        }
        lines.cut(bytes)?;
        certificates.cut(offset)?;
        Ok(Store { lines: Some(lines), certificates: Some(certificates), offset, written })
    }

    /// For lines about games: a file, or standard output.
    pub(super) fn lines(path: Option<&Path>, games: &[String]) -> Result<Self, Failure> {
        let Some(path) = path else { return Ok(Store::to_standard_output()) };
        let (mut lines, text) = Output::open(path.to_path_buf())?;
        let (mut bytes, mut written) = (0, 0);
        for line in complete(&text) {
            let about: Option<About> = serde_json::from_slice(line).ok();
            let Some(About { game }) = about else { break };
            if games.get(written) != Some(&game) {
                let message = format!("{} holds other games", path.display());
                return Err(Failure::damaged(message));
            }
            (bytes, written) = (bytes + line.len() as u64, written + 1);
        }
        lines.cut(bytes)?;
        Ok(Store { lines: Some(lines), certificates: None, offset: 0, written })
    }

    fn to_standard_output() -> Self {
        Store { lines: None, certificates: None, offset: 0, written: 0 }
    }

    /// How many are written.
    pub(super) fn written(&self) -> usize {
        self.written
    }

    /// Writes the next one: what came of this work.
    pub(super) fn put(&mut self, work: &Work, found: Found) -> Result<(), Failure> {
        let (line, certificate) = self.line(work, found)?;
        if let Some(certificates) = &mut self.certificates {
            certificates.write(&certificate)?;
        }
        match &mut self.lines {
            Some(lines) => lines.write(line.as_bytes())?,
            None => answer(&line)?,
        }
        self.offset += certificate.len() as u64;
        self.written += 1;
        Ok(())
    }

    /// Everything is on the disk.
    pub(super) fn close(&mut self) -> Result<(), Failure> {
        let mut outputs = self.certificates.iter_mut().chain(&mut self.lines);
        outputs.try_for_each(Output::sync)
    }

    /// The line about a piece of work, and the certificate for the file of certificates.
    fn line(&self, work: &Work, found: Found) -> Result<(String, Vec<u8>), Failure> {
        let plain = |text: String| Ok((text + "\n", Vec::new()));
        match (work, found) {
            (Work::Survey(_), Found::Surveyed { entry, certificate }) => {
                let mut survey = Survey::again(*entry);
                survey.certificate = certificate.map(String::into_bytes);
                written(survey, self.offset)
            }
            (Work::Survey(game), Found::Failed(why)) => {
                let parsed = game.parse::<Game>().ok();
                match parsed.and_then(|parsed| Survey::given_up(&parsed, why)) {
                    Some(survey) => written(survey, self.offset),
                    None => Err(Failure::damaged(format!("{game} is no game of the atlas"))),
                }
            }
            // Another rank has checked the certificate, if there is one.
            (_, Found::Discovered { answer, certificate }) => {
                plain(with(&answer, "checked", &certificate.map(|_| true)))
            }
            (Work::Verify(path), Found::Verified { answer, .. }) => {
                plain(with(&answer, "file", &path.display().to_string()))
            }
            (Work::Verify(path), Found::Failed(failed)) => plain(with(
                &json::to_string(&Failed { failed }),
                "file",
                &path.display().to_string(),
            )),
            (Work::Discover(game) | Work::Check { game, .. }, Found::Failed(failed)) => {
                plain(with(&json::to_string(&Failed { failed }), "game", game))
            }
            (work, _) => Err(Failure::damaged(format!("{work:?} has an answer of another kind"))),
        }
    }
}

fn written(survey: Survey, offset: u64) -> Result<(String, Vec<u8>), Failure> {
    survey.written(offset).map_err(|error| Failure::file(FILES[1], &error))
}

/// What a line is about.
#[derive(Deserialize)]
struct About {
    game: String,
}

/// A line about work that failed.
#[derive(Serialize)]
struct Failed {
    failed: String,
}

/// A JSON object with another field, which comes first.
fn with(object: &str, name: &str, value: &impl Serialize) -> String {
    let rest = object.strip_prefix('{').unwrap_or(object);
    let comma = if rest.starts_with('}') { "" } else { "," };
    format!("{{\"{name}\":{}{comma}{rest}", json::to_string(value))
}

/// The lines of a text that have their end, with it.
fn complete(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split_inclusive(|&byte| byte == b'\n').filter(|line| line.ends_with(b"\n"))
}

/// Notes what is asked for, unless it was noted before: then it must be the same.
fn agree(path: &Path, request: &Request) -> Result<(), Failure> {
    match fs::read(path) {
        Ok(text) => {
            let known: Option<Request> = serde_json::from_slice(&text).ok();
            match known.as_ref() == Some(request) {
                true => Ok(()),
                false => {
                    let told = json::to_string(request);
                    let message = format!("{} is not {told}: another sweep", path.display());
                    Err(Failure::bad("other-sweep", message))
                }
            }
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let text = json::to_string(request) + "\n";
            let written = write_whole(path, Readers::Usual, text.as_bytes());
            written.map_err(|error| named(path, &error))
        }
        Err(error) => Err(named(path, &error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_added() {
        assert_eq!(with("{}", "a", &1), r#"{"a":1}"#);
        assert_eq!(with(r#"{"b":"x"}"#, "a", &Some(true)), r#"{"a":true,"b":"x"}"#);
    }

    #[test]
    fn half_lines_are_left_out() {
        let lines: Vec<&[u8]> = complete(b"a\nbc\nd").collect();
        assert_eq!(lines, [&b"a\n"[..], b"bc\n"]);
    }
}
