//! What a table in parts says about itself.

use super::{PartsError, Readers, at, part_path, write_whole};
use crate::tables::Counts;
use nimatron_game::{Game, Height};
use nimatron_table::blocks::Census;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

const FORMAT: &str = "nimatron table in parts";
const VERSION: u32 = 1;

/// What a table in parts says about itself.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Manifest {
    format: String,
    version: u32,
    /// The game.
    pub game: String,
    /// The greatest height of each stack.
    pub max: Vec<Height>,
    /// All levels.
    pub levels: usize,
    /// Levels that are done, and on the disk.
    pub done: usize,
    /// The parts.
    pub parts: Vec<PartFile>,
    /// What all parts amount to, when the table is complete.
    pub counts: Option<PartCounts>,
}

/// One part.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PartFile {
    /// The name of its file.
    pub file: String,
    /// How many bytes of it count.
    pub bytes: u64,
    /// The 64-bit FNV-1a hash of these, in hexadecimal digits.
    pub checksum: String,
}

/// What all parts amount to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PartCounts {
    /// P-positions.
    pub p_count: u64,
    /// P-positions up to symmetry.
    pub p_orbits: u64,
    /// P-positions by greatest height.
    pub by_height: Vec<u64>,
    /// Orbits by greatest height.
    pub orbits_by_height: Vec<u64>,
}

impl From<Census> for PartCounts {
    fn from(census: Census) -> Self {
        PartCounts {
            p_count: census.count,
            p_orbits: census.orbits,
            by_height: census.by_max,
            orbits_by_height: census.orbits_by_max,
        }
    }
}

impl From<PartCounts> for Census {
    fn from(counts: PartCounts) -> Self {
        Census {
            count: counts.p_count,
            orbits: counts.p_orbits,
            by_max: counts.by_height,
            orbits_by_max: counts.orbits_by_height,
        }
    }
}

/// What a party tells the others about its part, as far as it is on the disk.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PartReport {
    /// Its file.
    pub file: PartFile,
    /// What its P-positions amount to.
    pub counts: PartCounts,
}

impl From<PartCounts> for Counts {
    fn from(counts: PartCounts) -> Self {
        Counts {
            p_count: counts.p_count,
            p_orbits: Some(counts.p_orbits),
            by_height: counts.by_height,
            orbits_by_height: counts.orbits_by_height,
        }
    }
}

impl PartFile {
    pub(super) fn new(file: String, bytes: u64, sum: u64) -> Self {
        PartFile { file, bytes, checksum: format!("{sum:016x}") }
    }

    pub(super) fn sum(&self) -> Result<u64, PartsError> {
        let why = format!("{} is not a checksum", self.checksum);
        let path = PathBuf::from(&self.file);
        u64::from_str_radix(&self.checksum, 16).map_err(|_| PartsError::Damaged { path, why })
    }
}

/// Where the manifest of a directory is.
pub(super) fn path(dir: &Path) -> PathBuf {
    dir.join("manifest.json")
}

impl Manifest {
    pub(super) fn new(
        game: &Game,
        max: &[Height],
        (done, levels): (usize, usize),
        parts: Vec<PartFile>,
        census: Option<Census>,
    ) -> Self {
        let (format, version) = (FORMAT.to_string(), VERSION);
        let counts = census.filter(|_| done == levels).map(Into::into);
        let (game, max) = (game.to_string(), max.to_vec());
        Manifest { format, version, game, max, levels, done, parts, counts }
    }

    /// Reads the manifest of a directory.
    pub fn read(dir: &Path) -> Result<Self, PartsError> {
        let path = path(dir);
        let text = fs::read_to_string(&path).map_err(at(&path))?;
        let damaged = |why: String| PartsError::Damaged { path: path.clone(), why };
        let manifest: Manifest =
            serde_json::from_str(&text).map_err(|error| damaged(error.to_string()))?;
        if manifest.format != FORMAT || manifest.version != VERSION {
            return Err(damaged(format!("{} of version {}", manifest.format, manifest.version)));
        }
        let named = |(part, file): (usize, &PartFile)| {
            Path::new(&file.file) == part_path(Path::new(""), part, manifest.parts.len())
        };
        if manifest.parts.is_empty() || !manifest.parts.iter().enumerate().all(named) {
            return Err(damaged("the parts are not named as they must be".to_string()));
        }
        Ok(manifest)
    }

    /// The manifest of a directory, if it has one. Parts without one are those of a run that has not
    /// ended: nobody may begin anew there by accident, unless there is nothing in them.
    pub fn find(dir: &Path) -> Result<Option<Self>, PartsError> {
        if path(dir).exists() {
            return Manifest::read(dir).map(Some);
        }
        let Ok(entries) = fs::read_dir(dir) else { return Ok(None) };
        let is_part = |name: &str| name.starts_with("part-") && name.ends_with(".lists");
        let holds_a_part = |entry: fs::DirEntry| {
            let holds = fs::metadata(entry.path()).map_or(true, |file| file.len() > 0);
            holds && entry.file_name().to_str().is_some_and(is_part)
        };
        match entries.flatten().any(holds_a_part) {
            true => Err(PartsError::NoManifest { path: dir.to_path_buf() }),
            false => Ok(None),
        }
    }

    /// Writes it, whole or not at all.
    pub fn write(&self, dir: &Path) -> Result<(), PartsError> {
        let path = path(dir);
        let mut text = serde_json::to_string_pretty(self)
            .map_err(|error| PartsError::Damaged { path: path.clone(), why: error.to_string() })?;
        text.push('\n');
        write_whole(&path, Readers::Usual, text.as_bytes()).map_err(at(&path))
    }

    /// Removes part files of this directory that the manifest does not name.
    pub fn sweep(&self, dir: &Path) {
        let Ok(entries) = fs::read_dir(dir) else { return };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let Some(name) = name.to_str() else { continue };
            let is_part = name.starts_with("part-") && name.ends_with(".lists");
            if is_part && !self.parts.iter().any(|part| part.file == name) {
                // What cannot be removed is in nobody's way.
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// The table asked for is this one.
    pub(super) fn is_of(&self, game: &Game, max: &[Height], dir: &Path) -> Result<(), PartsError> {
        match self.game == game.to_string() && self.max == max {
            true => Ok(()),
            false => {
                let heights: Vec<String> = self.max.iter().map(Height::to_string).collect();
                let game = format!("{} up to {}", self.game, heights.join(","));
                Err(PartsError::Other { path: dir.to_path_buf(), game })
            }
        }
    }

    /// The game and the box.
    pub fn request(&self, dir: &Path) -> Result<(Game, Vec<Height>), PartsError> {
        let why = format!("{} is not a game", self.game);
        let damaged = |_| PartsError::Damaged { path: path(dir), why };
        Ok((self.game.parse().map_err(damaged)?, self.max.clone()))
    }
}
