//! Inputs for the bodies where no fuzzer is at hand: well-formed ones, changed at random, the same for
//! the same number.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// SplitMix64 (Steele, Lea and Flood 2014).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }
}

/// One of the seeds after some changes: bytes and numbers replaced, parts left out, doubled, or taken
/// from another seed, words of the dictionary put in.
pub(crate) fn changed(seeds: &[Vec<u8>], words: &[&str], random: &mut Random) -> Vec<u8> {
    let mut bytes = seeds[random.below(seeds.len())].clone();
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len() + 1);
        let end = (at + 1 + random.below(12)).min(bytes.len());
        match random.below(9) {
            0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            1 if at < bytes.len() => bytes[at] = random.next() as u8,
            2 => drop(bytes.drain(at.min(end)..end)),
            3 => {
                let part = bytes[at.min(end)..end].to_vec();
                bytes.splice(at..at, part);
            }
            4 => {
                let other = &seeds[random.below(seeds.len())];
                let from = random.below(other.len());
                let to = (from + random.below(40)).min(other.len());
                bytes.splice(at..at, other[from..to].iter().copied());
            }
            5 => {
                let word = words[random.below(words.len())];
                bytes.splice(at..at, word.bytes());
            }
            6 => number(&mut bytes, at, random),
            7 => word(&mut bytes, at, random),
            _ if random.below(8) == 0 => bytes.truncate(at),
            _ => number(&mut bytes, at, random),
        }
    }
    bytes
}

/// Another number in place of the next one written in digits.
fn number(bytes: &mut Vec<u8>, at: usize, random: &mut Random) {
    let Some(start) = bytes[at..].iter().position(u8::is_ascii_digit).map(|i| at + i) else {
        return;
    };
    let length = bytes[start..].iter().take_while(|b| b.is_ascii_digit()).count();
    let new = match random.below(8) {
        0 => u64::MAX,
        1 => i64::MAX as u64,
        2 => 1 << random.below(64),
        3 => 0,
        4 => 33,
        _ => random.below(12) as u64,
    };
    bytes.splice(start..start + length, new.to_string().into_bytes());
}

/// Another number in place of eight bytes.
fn word(bytes: &mut [u8], at: usize, random: &mut Random) {
    let at = at / 8 * 8;
    let new = match random.below(4) {
        0 => u64::MAX >> random.below(64),
        1 => 1 << random.below(64),
        _ => random.below(40) as u64,
    };
    if let Some(place) = bytes.get_mut(at..at + 8) {
        place.copy_from_slice(&new.to_le_bytes());
    }
}

/// What many inputs took.
pub(crate) struct Figures {
    inputs: u64,
    /// Processor time of all threads, where the system tells.
    processor: Option<Duration>,
    /// The longest time for one, by the clock on the wall.
    longest: Duration,
    /// The most memory of the process, in bytes, where the system tells.
    memory: Option<u64>,
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} inputs, ", self.inputs)?;
        if let Some(time) = self.processor {
            write!(f, "{} s of processor time, ", time.as_secs())?;
        }
        write!(f, "longest {:.2} s", self.longest.as_secs_f64())?;
        self.memory.map_or(Ok(()), |bytes| write!(f, ", peak {} MB", bytes / 1_000_000))
    }
}

/// Hands inputs to a body: a million, and as many more as fill `NIMATRON_SECONDS` of processor time if
/// that is set, beginning with number `NIMATRON_FIRST`. An input that takes longer than ten seconds, or a
/// process of more than a gigabyte, is a fault. Whatever a body does not stand is told.
pub(crate) fn run(seeds: &[Vec<u8>], words: &[&str], body: impl Fn(&[u8])) -> Figures {
    let set = |name| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let wanted = Duration::from_secs(set("NIMATRON_SECONDS").unwrap_or(0));
    let first = set("NIMATRON_FIRST").unwrap_or(0);
    let begun = processor_time();
    let used = |since: Option<Duration>| Some(processor_time()?.saturating_sub(since?));
    let (mut inputs, mut longest) = (0, Duration::ZERO);
    while inputs < 1_000_000 || used(begun).is_some_and(|time| time < wanted) {
        let number = first + inputs;
        let input = changed(seeds, words, &mut Random(number));
        let (clock, before) = (Instant::now(), processor_time());
        let stood = catch_unwind(AssertUnwindSafe(|| body(&input)));
        let took = clock.elapsed();
        // On a busy machine the clock on the wall runs while the process waits.
        let slow = used(before).unwrap_or(took).min(took) >= Duration::from_secs(10);
        let text = || String::from_utf8_lossy(&input).into_owned();
        assert!(stood.is_ok(), "input {number}: {}", text());
        assert!(!slow, "{took:?} for input {number}: {}", text());
        longest = longest.max(took);
        inputs += 1;
    }
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let memory = peak.and_then(|l| l.trim().trim_end_matches(" kB").parse::<u64>().ok());
    let memory = memory.map(|kilobytes| kilobytes * 1024);
    assert!(memory.is_none_or(|bytes| bytes < 1_000_000_000), "{memory:?} bytes");
    Figures { inputs, processor: used(begun), longest, memory }
}

/// The processor time of the process, all threads together, where the system tells: Linux counts in
/// hundredths of a second.
fn processor_time() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program, in brackets, may hold spaces.
    let mut fields = stat.rsplit(')').next()?.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<u64>().ok();
    Some(Duration::from_millis(10 * (ticks()? + ticks()?)))
}
