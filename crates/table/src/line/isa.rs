//! The few vector operations that differ between processors.

use super::block::Block;
use super::steps::{Part, bring};
use std::cell::Cell;

/// Which instructions are used. All give the same results, bit for bit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum Path {
    /// Plain Rust, on any processor.
    Portable,
    /// x86-64 with AVX2 and BMI2.
    Avx2,
    /// x86-64 with AVX-512 (F, BW, DQ, VL).
    Avx512,
}

impl Path {
    /// The fastest path this processor can take.
    pub fn best() -> Path {
        let paths = [Path::Avx512, Path::Avx2];
        paths.into_iter().find(|p| p.is_available()).unwrap_or(Path::Portable)
    }

    /// Whether this processor can take the path.
    pub fn is_available(self) -> bool {
        match self {
            Path::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Path::Avx2 => x86::Avx2::detect().is_some(),
            #[cfg(target_arch = "x86_64")]
            Path::Avx512 => x86::Avx512::detect().is_some(),
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }
}

/// The operations, on vectors of 512 bits in lanes of `W` bits (16, 32 or 64). A value of an
/// implementing type is the proof that the processor has its instructions.
pub(crate) trait Isa: Copy {
    /// A block in registers.
    type Vector: Copy;

    fn load(self, block: &Block) -> Self::Vector;

    fn store(self, vector: Self::Vector, block: &mut Block);

    /// The block in a cell.
    #[inline(always)]
    fn read(self, cell: &Cell<Block>) -> Self::Vector {
        self.load(&cell.get())
    }

    /// Puts a block into a cell.
    #[inline(always)]
    fn write(self, vector: Self::Vector, cell: &Cell<Block>) {
        let mut block = Block::ZERO;
        self.store(vector, &mut block);
        cell.set(block);
    }

    /// The word in all words.
    fn splat(self, word: u64) -> Self::Vector;

    /// The bits set in one of the two.
    fn or(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// In every lane all bits from the lowest set bit on.
    fn close<const W: usize>(self, v: Self::Vector) -> Self::Vector;

    /// Every lane joined with all lanes below it, and with `carry`, whose lanes are all equal to
    /// the one below the first. Returns the last lane, in all lanes, as the next carry.
    fn sweep<const W: usize>(
        self,
        v: Self::Vector,
        carry: Self::Vector,
    ) -> (Self::Vector, Self::Vector);

    /// The lanes that are not full, as a bit mask.
    fn open<const W: usize>(self, v: Self::Vector) -> u64;

    /// Joins the `lanes` given by a bit mask with `bits`. Lanes past the vector do not matter.
    fn fill<const W: usize>(self, v: Self::Vector, lanes: u64, bits: u64) -> Self::Vector;

    /// `into |= a | b | ...` for one to [`MOST_JOINED`] sources of the same length, or
    /// `into = a | b | ...` when fresh.
    fn join(self, into: &[Cell<Block>], sources: &[&[Cell<Block>]], fresh: bool);

    /// [`bring`], compiled with these instructions. `Z` divides the number of blocks.
    fn bring<const W: usize, const Z: usize>(
        self,
        into: &[Cell<Block>],
        keep: bool,
        part: Part<'_>,
        blocks: usize,
    );

    /// Asks for a block that will be read soon. Any address will do; nothing is read.
    fn prefetch(self, block: *const Block);
}

/// Sources that [`Isa::join`] takes at a time.
pub(crate) const MOST_JOINED: usize = 6;

/// [`Isa::join`], to be compiled with each set of instructions.
#[inline(always)]
fn join<I: Isa>(isa: I, into: &[Cell<Block>], sources: &[&[Cell<Block>]], fresh: bool) {
    match *sources {
        [a] => join_some(isa, into, [a], fresh),
        [a, b] => join_some(isa, into, [a, b], fresh),
        [a, b, c] => join_some(isa, into, [a, b, c], fresh),
        [a, b, c, d] => join_some(isa, into, [a, b, c, d], fresh),
        [a, b, c, d, e] => join_some(isa, into, [a, b, c, d, e], fresh),
        [a, b, c, d, e, f] => join_some(isa, into, [a, b, c, d, e, f], fresh),
        _ => unreachable!("one to six sources"),
    }
}

#[inline(always)]
fn join_some<I: Isa, const N: usize>(
    isa: I,
    into: &[Cell<Block>],
    mut sources: [&[Cell<Block>]; N],
    fresh: bool,
) {
    let len = into.len();
    for source in &mut sources {
        *source = &source[..len];
    }
    // No closures here: they would be compiled without the instructions.
    if fresh {
        for i in 0..len {
            let mut all = isa.read(&sources[0][i]);
            for source in &sources[1..] {
                all = isa.or(all, isa.read(&source[i]));
            }
            isa.write(all, &into[i]);
        }
    } else {
        for i in 0..len {
            let mut all = isa.read(&into[i]);
            for source in &sources {
                all = isa.or(all, isa.read(&source[i]));
            }
            isa.write(all, &into[i]);
        }
    }
}

/// Plain Rust.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

/// The word with `bits` in every lane of `W` bits.
#[inline(always)]
pub(crate) const fn repeat<const W: usize>(bits: u64) -> u64 {
    match W {
        16 => bits * 0x0001_0001_0001_0001,
        32 => bits * 0x0000_0001_0000_0001,
        _ => bits,
    }
}

impl Isa for Portable {
    type Vector = [u64; 8];

    #[inline(always)]
    fn load(self, block: &Block) -> [u64; 8] {
        block.0
    }

    #[inline(always)]
    fn store(self, vector: [u64; 8], block: &mut Block) {
        block.0 = vector;
    }

    #[inline(always)]
    fn splat(self, word: u64) -> [u64; 8] {
        [word; 8]
    }

    #[inline(always)]
    fn or(self, a: [u64; 8], b: [u64; 8]) -> [u64; 8] {
        std::array::from_fn(|i| a[i] | b[i])
    }

    #[inline(always)]
    fn close<const W: usize>(self, v: [u64; 8]) -> [u64; 8] {
        // v | -v in every lane; the top bit of a lane is kept out of the borrow.
        let top = repeat::<W>(1 << (W - 1));
        v.map(|v| v | ((top - (v & !top)) ^ (!v & top)))
    }

    #[inline(always)]
    fn sweep<const W: usize>(self, v: [u64; 8], carry: [u64; 8]) -> ([u64; 8], [u64; 8]) {
        let mut carry = carry[0] >> (64 - W);
        let swept = v.map(|word| {
            let mut v = word | carry;
            let mut shift = W;
            while shift < 64 {
                v |= v << shift;
                shift *= 2;
            }
            carry = v >> (64 - W);
            v
        });
        (swept, [repeat::<W>(carry); 8])
    }

    #[inline(always)]
    fn open<const W: usize>(self, v: [u64; 8]) -> u64 {
        let full = u64::MAX >> (64 - W);
        let lane = |i: usize| v[i * W / 64] >> (i * W % 64) & full;
        (0..512 / W).fold(0, |mask, i| mask | u64::from(lane(i) != full) << i)
    }

    #[inline(always)]
    fn fill<const W: usize>(self, v: [u64; 8], lanes: u64, bits: u64) -> [u64; 8] {
        let per_word = 64 / W;
        std::array::from_fn(|i| {
            (0..per_word).fold(v[i], |word, lane| {
                let chosen = (lanes >> (i * per_word + lane) & 1).wrapping_neg();
                word | (bits & chosen) << (lane * W)
            })
        })
    }

    // Not inlined: each is compiled once, as those for the other paths are.

    #[inline(never)]
    fn join(self, into: &[Cell<Block>], sources: &[&[Cell<Block>]], fresh: bool) {
        join(self, into, sources, fresh);
    }

    #[inline(always)]
    fn bring<const W: usize, const Z: usize>(
        self,
        into: &[Cell<Block>],
        keep: bool,
        part: Part<'_>,
        blocks: usize,
    ) {
        // One at a time: there are not the registers for more.
        #[inline(never)]
        fn compiled<const W: usize>(
            into: &[Cell<Block>],
            keep: bool,
            part: Part<'_>,
            blocks: usize,
        ) {
            bring::<Portable, W, 1>(Portable, into, keep, part, blocks);
        }
        compiled::<W>(into, keep, part, blocks);
    }

    #[inline(always)]
    fn prefetch(self, _block: *const Block) {}
}

#[cfg(target_arch = "x86_64")]
pub(crate) mod x86;

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks() -> impl Iterator<Item = Block> {
        // A linear congruential generator; the third kind has many full lanes.
        let mut state = 1u64;
        let mut next = move || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            state ^ state >> 29
        };
        (0..300).map(move |i| match i % 3 {
            0 => Block(std::array::from_fn(|_| next())),
            1 => Block(std::array::from_fn(|_| next() & next() & next() & next() & next())),
            _ => Block(std::array::from_fn(|_| next() | next() | next() | next() | next())),
        })
    }

    fn lanes<const W: usize>(block: Block) -> Vec<u64> {
        let lane = |i: usize| block.0[i * W / 64] >> (i * W % 64) & (u64::MAX >> (64 - W));
        (0..512 / W).map(lane).collect()
    }

    fn out<I: Isa>(isa: I, v: I::Vector) -> Block {
        let mut block = Block::ZERO;
        isa.store(v, &mut block);
        block
    }

    fn check<const W: usize, I: Isa>(isa: I) {
        for block in blocks() {
            let given = lanes::<W>(block);
            let v = isa.load(&block);
            let full = u64::MAX >> (64 - W);
            let closed = given.iter().map(|&v| (v | v.wrapping_neg()) & full).collect::<Vec<_>>();
            assert_eq!(lanes::<W>(out(isa, isa.close::<W>(v))), closed);
            let both = isa.or(v, isa.splat(0x1234_5678_9abc_def0));
            assert_eq!(out(isa, both).0, block.0.map(|word| word | 0x1234_5678_9abc_def0));
            let carry = given[3] & 0x5555;
            let mut below = carry;
            let swept: Vec<_> = given
                .iter()
                .map(|&v| {
                    below |= v;
                    below
                })
                .collect();
            let (found, last) = isa.sweep::<W>(v, isa.splat(repeat::<W>(carry)));
            assert_eq!(lanes::<W>(out(isa, found)), swept);
            assert_eq!(lanes::<W>(out(isa, last)), vec![below; 512 / W]);
            let open = given.iter().rev().fold(0, |mask, &v| mask << 1 | u64::from(v != full));
            assert_eq!(isa.open::<W>(v), open);
            let (chosen, bits) = (given[5].rotate_left(7) ^ given[1], given[2]);
            let fill = |(i, v): (usize, &u64)| v | if chosen >> i & 1 == 1 { bits } else { 0 };
            let filled: Vec<_> = given.iter().enumerate().map(fill).collect();
            assert_eq!(lanes::<W>(out(isa, isa.fill::<W>(v, chosen, bits))), filled);
        }
    }

    fn check_join<I: Isa>(isa: I) {
        let given: Vec<Cell<Block>> = blocks().map(Cell::new).collect();
        let sources: Vec<&[Cell<Block>]> = given.chunks_exact(30).collect();
        for count in 1..=MOST_JOINED {
            for fresh in [false, true] {
                let into = sources[9].to_vec();
                isa.join(&into, &sources[..count], fresh);
                for (i, block) in into.iter().enumerate() {
                    let mut all = if fresh { Block::ZERO } else { sources[9][i].get() };
                    for source in &sources[..count] {
                        all = Block(std::array::from_fn(|w| all.0[w] | source[i].get().0[w]));
                    }
                    assert_eq!(block.get(), all);
                }
            }
        }
    }

    fn check_all<I: Isa>(isa: I) {
        check_join(isa);
        check::<16, I>(isa);
        check::<32, I>(isa);
        check::<64, I>(isa);
    }

    #[test]
    fn every_path_does_what_its_operations_say() {
        check_all(Portable);
        #[cfg(target_arch = "x86_64")]
        if let Some(isa) = x86::Avx2::detect() {
            check_all(isa);
        }
        #[cfg(target_arch = "x86_64")]
        if let Some(isa) = x86::Avx512::detect() {
            check_all(isa);
        }
    }
}
