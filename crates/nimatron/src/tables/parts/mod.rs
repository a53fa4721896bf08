//! A table in parts: a directory that several processes write, each its own file, and that is joined
//! to the table that one process would have computed.
//!
//! | file | contents |
//! | --- | --- |
//! | `part-1-of-4.lists`, ... | the lists of P-positions of some blocks, level by level: a row of frames ([`Frame`]) |
//! | `manifest.json` | which table this is, how far it is, and length and checksum of every part |
//!
//! Which block belongs to which part depends on the table and the number of parts alone, not on who
//! computed it: parts made by MPI and parts made by processes that only share a directory are the same
//! bytes. The manifest is written last, beside its place, and moved there. So it always describes a
//! state that is on the disk, and whoever goes on reads what it says and cuts off what is longer.

mod forecast;
mod manifest;
mod shards;

pub use forecast::{Network, PartForecast, PartPlan};
pub use manifest::{Manifest, PartCounts, PartFile, PartReport};
pub use shards::Shards;

use super::cost::TableEngine;
use super::run::{Engine, Tabulation, TabulationError, Wanted};
use crate::files::{Readers, write_whole};
use nimatron_game::{Game, Height, Unlimited, Watch};
use nimatron_table::blocks::{Census, Exchange, Frame, Run};
use nimatron_table::line::{LineError, StateError};
use nimatron_table::{Crew, blocks};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// What is wrong with a table in parts.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PartsError {
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A file does not hold what it must.
    #[error("{} is damaged: {why}", path.display())]
    Damaged {
        /// Which.
        path: PathBuf,
        /// In which way.
        why: String,
    },
    /// The directory holds something else.
    #[error("{} holds another table, of {game}", path.display())]
    Other {
        /// Which.
        path: PathBuf,
        /// What it holds.
        game: String,
    },
    /// The directory holds parts, but no manifest.
    #[error("{} holds parts of a run that has not ended, and no manifest", path.display())]
    NoManifest {
        /// Which.
        path: PathBuf,
    },
    /// The table is not complete yet.
    #[error("{} is not complete: {done} of {levels} levels are done", path.display())]
    Unfinished {
        /// Which.
        path: PathBuf,
        /// Levels done.
        done: usize,
        /// All levels.
        levels: usize,
    },
    /// The table cannot be computed, or that ended early.
    #[error(transparent)]
    Run(#[from] TabulationError),
}

impl From<LineError> for PartsError {
    fn from(error: LineError) -> Self {
        PartsError::Run(error.into())
    }
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> PartsError {
    let path = path.to_path_buf();
    move |error| PartsError::Io { path, error }
}

fn wrong(path: &Path, error: StateError) -> PartsError {
    let path = path.to_path_buf();
    match error {
        StateError::Io(error) => PartsError::Io { path, error },
        StateError::Run(error) => error.into(),
        error => PartsError::Damaged { path, why: error.to_string() },
    }
}

/// The file of a part, from 0.
pub(super) fn part_path(dir: &Path, part: usize, parts: usize) -> PathBuf {
    dir.join(format!("part-{}-of-{parts}.lists", part + 1))
}

/// One party's run of a table in parts, level by level.
///
/// ```
/// use nimatron::Unlimited;
/// use nimatron::crates::table::blocks::Nobody;
/// use nimatron::tables::{PartRun, Tabulation, Threads, Wanted};
/// let dir = std::env::temp_dir().join(format!("nimatron-parts-doc-{}", std::process::id()));
/// let game = "CN(5,2)".parse().unwrap();
/// let mut run = PartRun::begin(&game, &[9; 5], &dir, (0, 1)).unwrap();
/// while !run.is_finished() {
///     run.step(&Threads::new(1), &Nobody, &Unlimited).unwrap();
/// }
/// let part = run.part_file();
/// run.manifest(vec![part], Some(run.census().clone())).write(&dir).unwrap();
/// let mut table = Tabulation::join(&dir, Wanted::Counts).unwrap();
/// table.finish(&Threads::new(1), &Unlimited, &mut |_| Ok(())).unwrap();
/// assert_eq!(table.counts().p_count, 835);
/// # std::fs::remove_dir_all(&dir).unwrap();
/// ```
#[derive(Debug)]
pub struct PartRun {
    run: Run,
    game: Game,
    max: Vec<Height>,
    dir: PathBuf,
    part: usize,
    parts: usize,
    file: Tally<BufWriter<File>>,
    census: Census,
    most_held: f64,
    most_bytes: u64,
}

impl PartRun {
    /// Begins a table, as part `which.0` (from 0) of `which.1`. The directory is made if need be, and
    /// the part's file begins empty.
    pub fn begin(
        game: &Game,
        max: &[Height],
        dir: &Path,
        which: (usize, usize),
    ) -> Result<Self, PartsError> {
        PartPlan::new(game, max)?.begin(dir, which)
    }

    /// A run that writes to this file.
    fn writing(
        plan: PartPlan,
        dir: &Path,
        which: (usize, usize),
        file: Tally<BufWriter<File>>,
    ) -> Result<Self, PartsError> {
        let PartPlan { mut run, game, max, .. } = plan;
        run.prepare(&Unlimited)?;
        let most_held = run.most_held();
        let ((part, parts), dir, census) = (which, dir.to_path_buf(), Census::default());
        Ok(PartRun { run, game, max, dir, part, parts, file, census, most_held, most_bytes: 0 })
    }

    /// The part's own file as it was when the manifest was written.
    fn again(
        plan: PartPlan,
        manifest: &Manifest,
        dir: &Path,
        which: (usize, usize),
    ) -> Result<Self, PartsError> {
        let path = part_path(dir, which.0, which.1);
        let described = &manifest.parts[which.0];
        let mut file = OpenOptions::new().write(true).open(&path).map_err(at(&path))?;
        file.set_len(described.bytes).map_err(at(&path))?;
        file.seek(SeekFrom::End(0)).map_err(at(&path))?;
        let mut file = Tally::new(BufWriter::with_capacity(1 << 20, file));
        (file.bytes, file.sum) = (described.bytes, described.sum()?);
        PartRun::writing(plan, dir, which, file)
    }

    /// Does this party's share of the next level, gets the others' and writes what belongs to this part.
    pub fn step(
        &mut self,
        crew: &dyn Crew,
        exchange: &dyn Exchange,
        watch: &dyn Watch,
    ) -> Result<(), PartsError> {
        let level = self.run.next_level();
        self.run.advance_with(level + 1, crew, exchange, watch)?;
        self.kept(level, true)
    }

    /// A level is known: it is counted, written if need be, and what nobody needs any more is dropped.
    fn kept(&mut self, level: usize, written: bool) -> Result<(), PartsError> {
        let path = part_path(&self.dir, self.part, self.parts);
        let to = written.then_some(&mut self.file);
        let census = self.run.keep(level, (self.part, self.parts), to);
        self.census.add(&census.map_err(|error| wrong(&path, error))?);
        self.most_bytes = self.most_bytes.max(self.run.lists().bytes());
        self.run.forget();
        self.run.make_room()?;
        Ok(())
    }

    /// What was written is on the disk.
    pub fn sync(&mut self) -> Result<(), PartsError> {
        let path = part_path(&self.dir, self.part, self.parts);
        let sync = |file: &File| match file.metadata()?.is_file() {
            true => file.sync_all(),
            false => Ok(()),
        };
        let synced = self.file.flush().and_then(|()| sync(self.file.inner.get_ref()));
        synced.map_err(at(&path))
    }

    /// What the manifest says about this part's file.
    pub fn part_file(&self) -> PartFile {
        let path = part_path(Path::new(""), self.part, self.parts);
        PartFile::new(path.display().to_string(), self.file.bytes, self.file.sum)
    }

    /// What this part's P-positions amount to so far.
    pub fn census(&self) -> &Census {
        &self.census
    }

    /// What this party tells the one that writes the manifest.
    pub fn report(&self) -> PartReport {
        PartReport { file: self.part_file(), counts: self.census.clone().into() }
    }

    /// The manifest of the state at hand, by what all parties tell, in the order of the parts.
    pub fn manifest_of(&self, reports: Vec<PartReport>) -> Manifest {
        let mut census = Census::default();
        let parts = reports.into_iter().map(|report| {
            census.add(&report.counts.into());
            report.file
        });
        let parts = parts.collect();
        self.manifest(parts, Some(census))
    }

    /// The manifest of the state at hand, with what all parts amount to if the table is complete.
    pub fn manifest(&self, parts: Vec<PartFile>, census: Option<Census>) -> Manifest {
        let (done, levels) = self.progress();
        Manifest::new(&self.game, &self.max, (done, levels), parts, census)
    }

    /// Levels done, and all of them.
    pub fn progress(&self) -> (usize, usize) {
        (self.run.next_level(), self.run.levels())
    }

    /// Whether all levels are done.
    pub fn is_finished(&self) -> bool {
        self.run.is_finished()
    }

    /// The run itself.
    pub fn run(&self) -> &Run {
        &self.run
    }

    /// Lists that make more bytes than these are put on a shelf.
    pub fn shelve(&mut self, shelf: Box<dyn blocks::Shelf>, most: u64) {
        self.run.shelve(shelf, most);
    }

    /// The most bytes of lists that were held in memory at a time, so far.
    pub fn most_bytes(&self) -> u64 {
        self.most_bytes
    }

    /// What was read of the table and the plan alone: parties that differ in it cannot work together.
    pub fn fingerprint(&self) -> Result<u64, PartsError> {
        let mut plan = Tally::new(io::sink());
        let frame = self.run.frame(0, 0, self.parts);
        frame.write(&mut plan).map_err(|error| wrong(&self.dir, error))?;
        Ok(plan.sum)
    }

    /// The share of all lists that is held at a time at most: what no later level needs is dropped.
    pub fn most_held(&self) -> f64 {
        self.most_held
    }
}

impl PartPlan {
    /// Begins the table, as part `which.0` (from 0) of `which.1`. The directory is made if need be, and
    /// the part's file begins empty.
    pub fn begin(self, dir: &Path, which: (usize, usize)) -> Result<PartRun, PartsError> {
        fs::create_dir_all(dir).map_err(at(dir))?;
        let path = part_path(dir, which.0, which.1);
        let mut options = OpenOptions::new();
        let file = options.write(true).create(true).truncate(true).open(&path);
        let file = Tally::new(BufWriter::with_capacity(1 << 20, file.map_err(at(&path))?));
        PartRun::writing(self, dir, which, file)
    }

    /// Goes on with the table that a manifest describes, with the same number of parts or another one.
    /// With another one a new file is written; the manifest must then be, too, before anything else. Lists
    /// that make more bytes than there is room for are put on the shelf.
    pub fn resume(
        self,
        manifest: &Manifest,
        dir: &Path,
        which: (usize, usize),
        shelf: Option<(Box<dyn blocks::Shelf>, u64)>,
        watch: &dyn Watch,
    ) -> Result<PartRun, PartsError> {
        manifest.is_of(&self.game, &self.max, dir)?;
        let same = manifest.parts.len() == which.1;
        let mut reader = PartReader::open(manifest, dir)?;
        let mut run = match same {
            false => self.begin(dir, which)?,
            true => PartRun::again(self, manifest, dir, which)?,
        };
        if let Some((shelf, most)) = shelf {
            run.shelve(shelf, most);
        }
        for level in 0..manifest.done {
            watch.check(run.run.lists().bytes()).map_err(TabulationError::from)?;
            run.run.take_level(reader.level()?).map_err(|error| wrong(dir, error))?;
            run.kept(level, !same)?;
        }
        reader.finish()?;
        if !same {
            run.sync()?;
        }
        Ok(run)
    }
}

/// A run by blocks that has not begun.
fn plan(game: &Game, max: &[Height]) -> Result<Run, PartsError> {
    let blocks = Some(TableEngine::Blocks);
    match Tabulation::new(game, max, Wanted::Counts, blocks)?.engine {
        Engine::Blocks { run, .. } => Ok(*run),
        _ => Err(TabulationError::Blocks.into()),
    }
}

impl Tabulation {
    /// The table that the parts in a directory make, for any purpose. All of it is held in memory.
    pub fn join(dir: &Path, wanted: Wanted) -> Result<Self, PartsError> {
        let manifest = Manifest::read(dir)?;
        let (game, max) = manifest.request(dir)?;
        if manifest.done < manifest.levels {
            let (done, levels) = (manifest.done, manifest.levels);
            return Err(PartsError::Unfinished { path: dir.to_path_buf(), done, levels });
        }
        let mut run = plan(&game, &max)?;
        let mut reader = PartReader::open(&manifest, dir)?;
        for _ in 0..manifest.levels {
            run.take_level(reader.level()?).map_err(|error| wrong(dir, error))?;
        }
        reader.finish()?;
        let path = manifest::path(dir);
        let census = run.census()?;
        if !run.is_finished() || manifest.counts.as_ref() != Some(&census.into()) {
            let why = "its counts are not those of the parts".to_string();
            return Err(PartsError::Damaged { path, why });
        }
        let engine = Engine::Blocks { run: Box::new(run), handed_out: false };
        Ok(Tabulation::with_engine(&game, &max, wanted, engine))
    }
}

/// Reads all parts of a table, level by level.
struct PartReader {
    files: Vec<(PathBuf, PartInput, PartFile)>,
}

/// A part as far as the manifest knows of it.
type PartInput = Tally<io::Take<BufReader<File>>>;

impl PartReader {
    fn open(manifest: &Manifest, dir: &Path) -> Result<Self, PartsError> {
        let open = |(part, described): (usize, &PartFile)| {
            let path = part_path(dir, part, manifest.parts.len());
            let file = File::open(&path).map_err(at(&path))?;
            let length = file.metadata().map_err(at(&path))?.len();
            if length < described.bytes {
                let why = format!("it has {length} bytes of {}", described.bytes);
                return Err(PartsError::Damaged { path, why });
            }
            let file = BufReader::with_capacity(1 << 20, file).take(described.bytes);
            Ok((path, Tally::new(file), described.clone()))
        };
        Ok(PartReader {
            files: manifest.parts.iter().enumerate().map(open).collect::<Result<_, _>>()?,
        })
    }

    /// The frames of the next level.
    fn level(&mut self) -> Result<Vec<Frame>, PartsError> {
        let frames = self.files.iter_mut().map(|(path, file, _)| {
            let frame = Frame::read(file).map_err(|error| wrong(path, error))?;
            let why = || "a level is missing".to_string();
            frame.ok_or_else(|| PartsError::Damaged { path: path.clone(), why: why() })
        });
        frames.collect()
    }

    /// Everything was read, and is what was written.
    fn finish(self) -> Result<(), PartsError> {
        for (path, mut file, described) in self.files {
            io::copy(&mut file, &mut io::sink()).map_err(at(&path))?;
            if (file.bytes, file.sum) != (described.bytes, described.sum()?) {
                let why = "it does not match its checksum".to_string();
                return Err(PartsError::Damaged { path, why });
            }
        }
        Ok(())
    }
}

/// Counts and sums up the bytes that go through.
#[derive(Debug)]
struct Tally<T> {
    inner: T,
    bytes: u64,
    /// The 64-bit FNV-1a hash.
    sum: u64,
}

impl<T> Tally<T> {
    fn new(inner: T) -> Self {
        Tally { inner, bytes: 0, sum: 0xcbf2_9ce4_8422_2325 }
    }

    fn add(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        let step = |sum: u64, &byte: &u8| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        self.sum = bytes.iter().fold(self.sum, step);
    }
}

impl<T: Write> Write for Tally<T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.add(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl<T: Read> Read for Tally<T> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(bytes)?;
        self.add(&bytes[..read]);
        Ok(read)
    }
}
