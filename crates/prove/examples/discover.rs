//! Looks for an automaton: `discover GAME [SECONDS [MEGABYTES]]`.
#![allow(clippy::print_stdout)]
#![allow(clippy::disallowed_types, clippy::disallowed_methods, reason = "a program has a clock")]

use nimatron_game::{Game, Stop, Watch};
use nimatron_prove::automata::{Discovery, Effort, discover};
use std::time::{Duration, Instant};

struct Limits {
    end: Instant,
    bytes: u64,
}

impl Watch for Limits {
    fn check(&self, memory: u64) -> Result<(), Stop> {
        match memory > self.bytes {
            true => Err(Stop::Memory),
            false if Instant::now() > self.end => Err(Stop::Time),
            false => Ok(()),
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let game: Game = arguments.next().ok_or("which game?")?.parse()?;
    let seconds = arguments.next().map_or(Ok(60), |text| text.parse())?;
    let megabytes: u64 = arguments.next().map_or(Ok(2000), |text| text.parse())?;
    let start = Instant::now();
    let limits = Limits { end: start + Duration::from_secs(seconds), bytes: megabytes << 20 };
    match discover(&game, Effort::default(), &limits)? {
        Discovery::Found(found) => {
            println!("{game}: {:?} after {:.1?}", found.statistics, start.elapsed());
            let start = Instant::now();
            let accepted = nimatron_verify::verify(&found.certificate)?;
            println!("checked in {:.1?}: {}", start.elapsed(), accepted.set);
            let mut text = Vec::new();
            found.certificate.write(&mut text)?;
            println!("certificate: {} bytes", text.len());
        }
        Discovery::NotFound(missing) => println!("{game}: {missing}, {:.1?}", start.elapsed()),
        other => println!("{other:?}"),
    }
    Ok(())
}
