//! Makes the atlas anew.
//!
//! `cargo run --release -p nimatron --example atlas [DIRECTORY] [--solved]`
//!
//! Surveys every game of the atlas, each within fixed limits, and writes the two files of the atlas to
//! the directory, by default that of the atlas that comes with the program. With `--solved` the games
//! that are open are not searched again: their entries stay as they are. This takes seconds.
#![allow(clippy::print_stderr)]

use nimatron::atlas::{Atlas, Entry, FILES, Survey, games};
use nimatron::{Game, Limits};
use std::error::Error;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The limits for one game.
const TIME: Duration = Duration::from_secs(60);
const MEMORY: u64 = 3_000_000_000;

fn main() -> Result<(), Box<dyn Error>> {
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/atlas");
    let (options, directories): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument == "--solved");
    let directory = directories.first().map_or(PathBuf::from(own), PathBuf::from);
    let old = |game: &Game| Atlas::shipped().find(game.single()?, game.convention());
    let is_kept = |entry: &Entry| !options.is_empty() && entry.reached.is_some();
    let started = Instant::now();
    let games = games();
    let next = AtomicUsize::new(0);
    let surveys: Vec<Mutex<Option<Survey>>> = games.iter().map(|_| Mutex::new(None)).collect();
    let limits = Limits::unlimited().time(TIME).memory(MEMORY);
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(game) = games.get(number) else { break };
                    let clock = Instant::now();
                    let survey = match old(game).filter(|entry| is_kept(entry)) {
                        Some(entry) => Some(Survey::again(entry.clone())),
                        None => Survey::of(game, &limits),
                    };
                    let proof = survey.as_ref().and_then(|s| s.entry.proof.as_ref());
                    let (seconds, size) = (clock.elapsed().as_secs_f64(), proof.map(|p| p.size));
                    eprintln!(
                        "{:>3} of {}  {game}  {seconds:.1} s  {size:?}",
                        number + 1,
                        games.len()
                    );
                    *surveys[number].lock().expect("nobody panicked") = survey;
                }
            });
        }
    });
    let surveys = surveys.into_iter().map(|s| s.into_inner().expect("nobody panicked"));
    let surveys = surveys.collect::<Option<Vec<_>>>().ok_or("not a SetNim game")?;
    let (lines, certificates) = Atlas::assemble(surveys)?;
    std::fs::create_dir_all(&directory)?;
    std::fs::write(directory.join(FILES[0]), lines)?;
    std::fs::write(directory.join(FILES[1]), certificates)?;
    eprintln!("written to {} in {:.0} s", directory.display(), started.elapsed().as_secs_f64());
    Ok(())
}
