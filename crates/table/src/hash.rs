//! A quick hash for keys made of small integers.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A hash map for keys made of small integers, where speed matters and no adversary chooses
/// the keys.
///
/// ```
/// use nimatron_table::hash::FastMap;
///
/// let mut numbers = FastMap::default();
/// numbers.insert((1u32, 2u32), 3u32);
/// assert_eq!(numbers[&(1, 2)], 3);
/// ```
pub type FastMap<K, V> = HashMap<K, V, BuildHasherDefault<MixHasher>>;

/// Multiplies and folds, word by word.
#[derive(Clone, Copy, Debug, Default)]
pub struct MixHasher(u64);

impl MixHasher {
    fn mix(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word) * 0x9E37_79B9_7F4A_7C15;
        self.0 = (product as u64) ^ (product >> 64) as u64 ^ 0xF39C_C060_5CED_C835;
    }
}

impl Hasher for MixHasher {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.mix(u64::from_le_bytes(word));
        }
    }
    fn write_u32(&mut self, word: u32) {
        self.mix(word.into());
    }
    fn write_u64(&mut self, word: u64) {
        self.mix(word);
    }
    fn write_usize(&mut self, word: usize) {
        self.mix(word as u64);
    }
    fn finish(&self) -> u64 {
        self.0
    }
}
