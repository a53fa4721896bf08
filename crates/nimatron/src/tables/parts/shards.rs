//! Parties that share nothing but a directory: the parts themselves are what they exchange.

use super::manifest::PartCounts;
use super::{Manifest, PartFile, PartsError, Tally, at, part_path, plan, wrong};
use crate::tables::{Counts, TabulationError};
use nimatron_game::{Game, Height, Unlimited, Watch};
use nimatron_table::Crew;
use nimatron_table::blocks::{Census, Exchange, Frame, Run, Take};
use nimatron_table::line::{LineError, StateError};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long to wait before looking for the frame of another party again.
const A_WHILE: Duration = Duration::from_millis(50);

/// A run of one of several processes that share a directory, as in a job array. Each appends what it
/// computes to its own part and reads those of the others as they grow. A process that was stopped goes
/// on where it was, for its part is what it remembers.
#[derive(Debug)]
pub struct Shards {
    run: Run,
    game: Game,
    max: Vec<Height>,
    dir: PathBuf,
    me: usize,
    parts: usize,
    census: Census,
    /// What is read of each part: bytes and checksum.
    seen: Vec<(u64, u64)>,
}

impl Shards {
    /// The run of part `which.0` (from 0) of `which.1`, begun or to be gone on with.
    pub fn open(
        game: &Game,
        max: &[Height],
        dir: &Path,
        which: (usize, usize),
    ) -> Result<Self, PartsError> {
        if let Ok(Some(manifest)) = Manifest::find(dir) {
            manifest.is_of(game, max, dir)?;
            if manifest.parts.len() != which.1 {
                let why = format!("it has {} parts, not {}", manifest.parts.len(), which.1);
                return Err(PartsError::Damaged { path: super::manifest::path(dir), why });
            }
        }
        fs::create_dir_all(dir).map_err(at(dir))?;
        let mut run = plan(game, max)?;
        run.prepare(&Unlimited)?;
        let (game, max, dir) = (game.clone(), max.to_vec(), dir.to_path_buf());
        let seen = vec![(0, Tally::new(()).sum); which.1];
        let census = Census::default();
        Ok(Shards { run, game, max, dir, me: which.0, parts: which.1, census, seen })
    }

    /// Levels done, and all of them.
    pub fn progress(&self) -> (usize, usize) {
        (self.run.next_level(), self.run.levels())
    }

    /// Does all that is left, waiting for the others where need be, and writes the manifest, as every
    /// party does that sees the end.
    pub fn finish(&mut self, crew: &dyn Crew, watch: &dyn Watch) -> Result<Counts, PartsError> {
        let mine = part_path(&self.dir, self.me, self.parts);
        let mut options = OpenOptions::new();
        let file = options.read(true).append(true).create(true).open(&mine).map_err(at(&mine))?;
        while !self.run.is_finished() {
            let level = self.run.next_level();
            let parts = Parts { dir: &self.dir, count: self.parts, watch };
            // What was written before need not be computed again; what was half written is cut off.
            match parts.read(self.me, self.seen[self.me])? {
                Some(_) => {
                    let mut frames = Vec::new();
                    for (part, seen) in self.seen.iter_mut().enumerate() {
                        let (frame, now) = parts.wait(part, *seen)?;
                        *seen = now;
                        frames.push(frame);
                    }
                    self.run.take_level(frames).map_err(|error| wrong(&self.dir, error))?;
                }
                None => {
                    file.set_len(self.seen[self.me].0).map_err(at(&mine))?;
                    let share = Share {
                        frame: self.run.frame(level, self.me, self.parts),
                        parts,
                        file: (&file, &mine),
                        offered: Mutex::default(),
                        seen: Mutex::new(self.seen.clone()),
                        lost: Mutex::default(),
                    };
                    let done = self.run.advance_with(level + 1, crew, &share, watch);
                    if let Some(lost) = taken(share.lost) {
                        return Err(lost);
                    }
                    done?;
                    self.seen = taken(share.seen);
                }
            }
            self.census.add(&self.run.census_of_part(level, 0, 1)?);
            self.run.forget();
        }
        let parts = self.seen.iter().enumerate().map(|(part, &(bytes, sum))| {
            let name = part_path(Path::new(""), part, self.parts);
            PartFile::new(name.display().to_string(), bytes, sum)
        });
        let (progress, census) = (self.progress(), Some(self.census.clone()));
        let manifest = Manifest::new(&self.game, &self.max, progress, parts.collect(), census);
        manifest.write(&self.dir)?;
        Ok(PartCounts::from(self.census.clone()).into())
    }
}

fn taken<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The files of all parties.
struct Parts<'a> {
    dir: &'a Path,
    count: usize,
    watch: &'a dyn Watch,
}

/// How much of a part is known: its bytes and their checksum.
type Seen = (u64, u64);

impl Parts<'_> {
    /// The next frame of a part, if it is there whole.
    fn read(&self, part: usize, seen: Seen) -> Result<Option<(Frame, Seen)>, PartsError> {
        let path = part_path(self.dir, part, self.count);
        let mut file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(at(&path)(error)),
        };
        file.seek(SeekFrom::Start(seen.0)).map_err(at(&path))?;
        let mut file = Tally { inner: BufReader::new(file), bytes: seen.0, sum: seen.1 };
        match Frame::read(&mut file) {
            Ok(Some(frame)) => Ok(Some((frame, (file.bytes, file.sum)))),
            Ok(None) | Err(StateError::Truncated) => Ok(None),
            Err(error) => Err(wrong(&path, error)),
        }
    }

    /// Waits for it.
    fn wait(&self, part: usize, seen: Seen) -> Result<(Frame, Seen), PartsError> {
        loop {
            if let Some(found) = self.read(part, seen)? {
                return Ok(found);
            }
            self.watch.check(0).map_err(TabulationError::from)?;
            std::thread::sleep(A_WHILE);
        }
    }
}

/// This party's share of one level.
struct Share<'a> {
    /// The frame that it will be, without its lists.
    frame: Frame,
    parts: Parts<'a>,
    file: (&'a File, &'a Path),
    offered: Mutex<Vec<(usize, Box<[u32]>)>>,
    seen: Mutex<Vec<Seen>>,
    /// What went wrong, in full.
    lost: Mutex<Option<PartsError>>,
}

impl Share<'_> {
    /// Appends this party's frame, and hands over those of the others.
    fn pass(&self, take: &mut Take<'_>) -> Result<(), PartsError> {
        let (mut file, path) = self.file;
        let mut frame = self.frame.clone();
        frame.lists = std::mem::take(&mut *lock(&self.offered));
        frame.lists.sort_unstable_by_key(|list| list.0);
        let mut bytes = Vec::new();
        frame.write(&mut bytes).map_err(|error| wrong(path, error))?;
        let written = file.write_all(&bytes).and_then(|()| file.sync_data());
        if let Err(error) = written {
            // Half a frame is cut off by whoever goes on; better now.
            let _ = file.set_len(lock(&self.seen)[frame.part].0);
            return Err(at(path)(error));
        }
        for (part, seen) in lock(&self.seen).iter_mut().enumerate() {
            let (frame, now) = self.parts.wait(part, *seen)?;
            *seen = now;
            if part != self.frame.part {
                for (block, list) in frame.lists {
                    take(block, &list)?;
                }
            }
        }
        Ok(())
    }
}

impl Exchange for Share<'_> {
    fn parties(&self) -> usize {
        self.parts.count
    }

    fn me(&self) -> usize {
        self.frame.part
    }

    fn offer(&self, block: usize, list: &[u32]) -> Result<(), LineError> {
        lock(&self.offered).push((block, list.into()));
        Ok(())
    }

    fn complete(&self, _: usize, _: u64, take: &mut Take<'_>) -> Result<Vec<f64>, LineError> {
        match self.pass(take) {
            // The parts are dealt as if all were equally fast, so that they are always the same.
            Ok(()) => Ok(vec![1.0; self.parts.count]),
            Err(error) => {
                let told = error.to_string();
                lock(&self.lost).get_or_insert(error);
                Err(LineError::Outside(told))
            }
        }
    }
}
