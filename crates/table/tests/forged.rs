//! States that promise more than they hold are refused before any memory is taken for it.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the test reads its memory"
)]

use nimatron_table::blocks::{self, Side};
use nimatron_table::line::{self, StateError};

/// A state that is made up: the words after the magic, with their running checksum.
struct Forged {
    bytes: Vec<u8>,
    sum: u64,
}

impl Forged {
    fn new(magic: &[u8; 8]) -> Self {
        Forged { bytes: magic.to_vec(), sum: 0x6e69_6d61_7472_6f6e }
    }

    fn words(mut self, words: &[u64]) -> Self {
        for word in words {
            let mixed = (self.sum ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            self.sum = mixed ^ mixed >> 29;
            self.bytes.extend(word.to_le_bytes());
        }
        self
    }

    /// CN(5,2) in a box of these heights, the stacks in their order.
    fn game(self, heights: [u64; 5]) -> Self {
        let facets = [0b00011, 0b00110, 0b01100, 0b10001, 0b11000];
        self.words(&[1, 5, 5]).words(&facets).words(&heights).words(&[0, 0, 1, 2, 3, 4])
    }

    fn checksum(self) -> Self {
        let sum = self.sum;
        self.words(&[sum])
    }
}

/// The most memory that this process had so far, where that is told.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

#[test]
fn forged_states_take_no_memory() {
    // Few slots of gigabytes each, and many small ones; with a length that is right or is not.
    for (heights, right) in [
        ([1, 0, 1 << 20, 1 << 10, 63], (1025 * 64 / 512 + 1) * ((1 << 20) + 1) * 8),
        ([1, 1 << 27, 0, 0, 63], ((1 << 27) + 1) * 8),
    ] {
        for (words, is_right) in [(right, true), (right - 8, false), (0, false), (1 << 60, false)] {
            let forged = Forged::new(b"NIMLINE\0").game(heights).words(&[0, 0, 0, words, 7, 7]);
            match line::Run::load(&forged.bytes[..]) {
                Err(StateError::Truncated) => assert!(is_right, "{heights:?}, {words} words"),
                Err(StateError::Damaged) => assert!(!is_right, "{heights:?}, {words} words"),
                other => panic!("{heights:?}, {words} words: {other:?}"),
            }
        }
    }
    // Two thousand million blocks.
    let side = Side::Four;
    let all = 75u64.pow(5);
    for (canonical, is_possible) in
        [(all, true), (all.div_ceil(10), true), (all / 10, false), (1, false)]
    {
        let forged = Forged::new(b"NIMBLOCK").game([299; 5]);
        let forged = forged.words(&[side.heights().into(), canonical, 0]).checksum();
        match blocks::Run::load(&forged.words(&[0, 0]).bytes[..]) {
            Err(StateError::Truncated) => assert!(is_possible, "{canonical} canonical blocks"),
            Err(StateError::Damaged) => assert!(!is_possible, "{canonical} canonical blocks"),
            other => panic!("{canonical} canonical blocks: {other:?}"),
        }
    }
    // More facets than any game has.
    let forged = Forged::new(b"NIMLINE\0").words(&[1, 5, 1 << 40]).words(&[1; 100]);
    assert!(matches!(line::Run::load(&forged.bytes[..]), Err(StateError::Damaged)));
    if let Some(kilobytes) = peak() {
        assert!(kilobytes < 100_000, "{kilobytes} kB");
    }
}
