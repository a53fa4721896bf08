//! The few vector operations that differ between processors.

use super::block::Block;

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
    fn join(self, into: &mut [Block], sources: &[&[Block]], fresh: bool);

    /// Asks for a block that will be read soon. Any address will do; nothing is read.
    fn prefetch(self, block: *const Block);
}

/// Sources that [`Isa::join`] takes at a time.
pub(crate) const MOST_JOINED: usize = 8;

/// [`Isa::join`], to be compiled with each set of instructions.
#[inline(always)]
fn join<I: Isa>(isa: I, into: &mut [Block], sources: &[&[Block]], fresh: bool) {
    match *sources {
        [a] => join_some(isa, into, [a], fresh),
        [a, b] => join_some(isa, into, [a, b], fresh),
        [a, b, c] => join_some(isa, into, [a, b, c], fresh),
        [a, b, c, d] => join_some(isa, into, [a, b, c, d], fresh),
        [a, b, c, d, e] => join_some(isa, into, [a, b, c, d, e], fresh),
        [a, b, c, d, e, f] => join_some(isa, into, [a, b, c, d, e, f], fresh),
        [a, b, c, d, e, f, g] => join_some(isa, into, [a, b, c, d, e, f, g], fresh),
        [a, b, c, d, e, f, g, h] => join_some(isa, into, [a, b, c, d, e, f, g, h], fresh),
        _ => unreachable!("one to eight sources"),
    }
}

#[inline(always)]
fn join_some<I: Isa, const N: usize>(
    isa: I,
    into: &mut [Block],
    sources: [&[Block]; N],
    fresh: bool,
) {
    let len = into.len();
    let sources = sources.map(|source| &source[..len]);
    // No closures here: they would be compiled without the instructions.
    if fresh {
        for i in 0..len {
            let mut all = isa.load(&sources[0][i]);
            for source in &sources[1..] {
                all = isa.or(all, isa.load(&source[i]));
            }
            isa.store(all, &mut into[i]);
        }
    } else {
        for i in 0..len {
            let mut all = isa.load(&into[i]);
            for source in &sources {
                all = isa.or(all, isa.load(&source[i]));
            }
            isa.store(all, &mut into[i]);
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

    fn join(self, into: &mut [Block], sources: &[&[Block]], fresh: bool) {
        join(self, into, sources, fresh);
    }

    #[inline(always)]
    fn prefetch(self, _block: *const Block) {}
}

#[cfg(target_arch = "x86_64")]
pub(crate) mod x86 {
    use super::{Block, Isa};
    use std::arch::x86_64::*;
    use std::mem::transmute;

    /// AVX2 with the bit instructions of its time. Exists only where they do.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Avx2(());

    /// AVX-512. Exists only where the processor has it.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Avx512(());

    impl Avx2 {
        #[inline]
        pub(crate) fn detect() -> Option<Self> {
            let found = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt");
            found.then_some(Avx2(()))
        }
    }

    impl Avx512 {
        #[inline]
        pub(crate) fn detect() -> Option<Self> {
            let found = Avx2::detect().is_some()
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl");
            found.then_some(Avx512(()))
        }
    }

    #[inline(always)]
    fn prefetch(block: *const Block) {
        // SAFETY: a prefetch never faults, whatever the address; SSE is part of x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(block.cast()) }
    }

    // Every `unsafe` below rests on the same ground. `self` exists, so the processor has the
    // instructions; vectors and blocks are plain bits of the same size, and a block is aligned
    // to its size.

    impl Isa for Avx2 {
        type Vector = [__m256i; 2];

        #[inline(always)]
        fn load(self, block: &Block) -> [__m256i; 2] {
            // SAFETY: see above.
            unsafe { *(&raw const *block).cast() }
        }

        #[inline(always)]
        fn store(self, vector: [__m256i; 2], block: &mut Block) {
            // SAFETY: see above.
            unsafe { *(&raw mut *block).cast() = vector }
        }

        #[inline(always)]
        fn splat(self, word: u64) -> [__m256i; 2] {
            // SAFETY: see above.
            unsafe { [_mm256_set1_epi64x(word as i64); 2] }
        }

        #[inline(always)]
        fn or(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
            // SAFETY: see above.
            unsafe { [_mm256_or_si256(a[0], b[0]), _mm256_or_si256(a[1], b[1])] }
        }

        #[inline(always)]
        fn close<const W: usize>(self, v: [__m256i; 2]) -> [__m256i; 2] {
            let close = |v: __m256i| {
                // SAFETY: see above.
                unsafe {
                    let zero = _mm256_setzero_si256();
                    let negative = match W {
                        16 => _mm256_sub_epi16(zero, v),
                        32 => _mm256_sub_epi32(zero, v),
                        _ => _mm256_sub_epi64(zero, v),
                    };
                    _mm256_or_si256(v, negative)
                }
            };
            [close(v[0]), close(v[1])]
        }

        #[inline(always)]
        fn sweep<const W: usize>(
            self,
            v: [__m256i; 2],
            carry: [__m256i; 2],
        ) -> ([__m256i; 2], [__m256i; 2]) {
            // SAFETY: see above.
            unsafe {
                let (v, carry) = super::Portable.sweep::<W>(transmute(v), transmute(carry));
                (transmute::<[u64; 8], [__m256i; 2]>(v), transmute(carry))
            }
        }

        #[inline(always)]
        fn open<const W: usize>(self, [a, b]: [__m256i; 2]) -> u64 {
            // SAFETY: see above.
            let full = unsafe {
                let ones = _mm256_set1_epi8(-1);
                match W {
                    16 => {
                        let (a, b) = (_mm256_cmpeq_epi16(a, ones), _mm256_cmpeq_epi16(b, ones));
                        let packed = _mm256_permute4x64_epi64::<0xd8>(_mm256_packs_epi16(a, b));
                        u64::from(_mm256_movemask_epi8(packed) as u32)
                    }
                    32 => {
                        let (a, b) = (_mm256_cmpeq_epi32(a, ones), _mm256_cmpeq_epi32(b, ones));
                        let low = _mm256_movemask_ps(_mm256_castsi256_ps(a));
                        let high = _mm256_movemask_ps(_mm256_castsi256_ps(b));
                        (low | high << 8) as u64
                    }
                    _ => {
                        let (a, b) = (_mm256_cmpeq_epi64(a, ones), _mm256_cmpeq_epi64(b, ones));
                        let low = _mm256_movemask_pd(_mm256_castsi256_pd(a));
                        let high = _mm256_movemask_pd(_mm256_castsi256_pd(b));
                        (low | high << 4) as u64
                    }
                }
            };
            full ^ (u64::MAX >> (64 - 512 / W))
        }

        #[inline(always)]
        fn fill<const W: usize>(self, [a, b]: [__m256i; 2], lanes: u64, bits: u64) -> [__m256i; 2] {
            // A lane is chosen if its own bit of the mask is set.
            let half = |v: __m256i, lanes: u64| {
                // SAFETY: see above.
                unsafe {
                    let (own, mask, bits) = match W {
                        16 => (
                            _mm256_setr_epi16(
                                1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192,
                                16384, -32768,
                            ),
                            _mm256_set1_epi16(lanes as i16),
                            _mm256_set1_epi16(bits as i16),
                        ),
                        32 => (
                            _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128),
                            _mm256_set1_epi32(lanes as i32),
                            _mm256_set1_epi32(bits as i32),
                        ),
                        _ => (
                            _mm256_setr_epi64x(1, 2, 4, 8),
                            _mm256_set1_epi64x(lanes as i64),
                            _mm256_set1_epi64x(bits as i64),
                        ),
                    };
                    let chosen = _mm256_and_si256(mask, own);
                    let chosen = match W {
                        16 => _mm256_cmpeq_epi16(chosen, own),
                        32 => _mm256_cmpeq_epi32(chosen, own),
                        _ => _mm256_cmpeq_epi64(chosen, own),
                    };
                    _mm256_or_si256(v, _mm256_and_si256(chosen, bits))
                }
            };
            [half(a, lanes), half(b, lanes >> (256 / W))]
        }

        #[inline(always)]
        fn join(self, into: &mut [Block], sources: &[&[Block]], fresh: bool) {
            #[target_feature(enable = "avx2")]
            fn compiled(isa: Avx2, into: &mut [Block], sources: &[&[Block]], fresh: bool) {
                super::join(isa, into, sources, fresh);
            }
            // SAFETY: see above.
            unsafe { compiled(self, into, sources, fresh) }
        }

        #[inline(always)]
        fn prefetch(self, block: *const Block) {
            prefetch(block);
        }
    }

    impl Isa for Avx512 {
        type Vector = __m512i;

        #[inline(always)]
        fn load(self, block: &Block) -> __m512i {
            // SAFETY: see above.
            unsafe { _mm512_load_si512((&raw const *block).cast()) }
        }

        #[inline(always)]
        fn store(self, vector: __m512i, block: &mut Block) {
            // SAFETY: see above.
            unsafe { _mm512_store_si512((&raw mut *block).cast(), vector) }
        }

        #[inline(always)]
        fn splat(self, word: u64) -> __m512i {
            // SAFETY: see above.
            unsafe { _mm512_set1_epi64(word as i64) }
        }

        #[inline(always)]
        fn or(self, a: __m512i, b: __m512i) -> __m512i {
            // SAFETY: see above.
            unsafe { _mm512_or_si512(a, b) }
        }

        #[inline(always)]
        fn close<const W: usize>(self, v: __m512i) -> __m512i {
            // SAFETY: see above.
            unsafe {
                let zero = _mm512_setzero_si512();
                let negative = match W {
                    16 => _mm512_sub_epi16(zero, v),
                    32 => _mm512_sub_epi32(zero, v),
                    _ => _mm512_sub_epi64(zero, v),
                };
                _mm512_or_si512(v, negative)
            }
        }

        #[inline(always)]
        fn sweep<const W: usize>(self, v: __m512i, carry: __m512i) -> (__m512i, __m512i) {
            // SAFETY: see above.
            unsafe {
                let zero = _mm512_setzero_si512();
                // Within 64-bit words by shifts, then across words, then the carry everywhere.
                let v = match W {
                    16 => {
                        let v = _mm512_or_si512(v, _mm512_slli_epi64::<16>(v));
                        _mm512_or_si512(v, _mm512_slli_epi64::<32>(v))
                    }
                    32 => _mm512_or_si512(v, _mm512_slli_epi64::<32>(v)),
                    _ => v,
                };
                // What a later word receives is the top lane of an earlier one.
                let tops = match W {
                    16 => {
                        let (high, low) = (0x0f0e_0f0e, 0x0706_0706);
                        _mm512_shuffle_epi8(v, _mm512_set4_epi32(high, high, low, low))
                    }
                    32 => _mm512_shuffle_epi32::<0b11_11_01_01>(v),
                    _ => v,
                };
                let t = _mm512_alignr_epi64::<7>(tops, zero);
                let t = _mm512_or_si512(t, _mm512_alignr_epi64::<7>(t, zero));
                let t = _mm512_or_si512(t, _mm512_alignr_epi64::<6>(t, zero));
                let t = _mm512_or_si512(t, _mm512_alignr_epi64::<4>(t, zero));
                let v = _mm512_or_si512(_mm512_or_si512(v, t), carry);
                let last = match W {
                    16 => _mm512_permutexvar_epi16(_mm512_set1_epi16(31), v),
                    32 => _mm512_permutexvar_epi32(_mm512_set1_epi32(15), v),
                    _ => _mm512_permutexvar_epi64(_mm512_set1_epi64(7), v),
                };
                (v, last)
            }
        }

        #[inline(always)]
        fn open<const W: usize>(self, v: __m512i) -> u64 {
            // SAFETY: see above.
            unsafe {
                let ones = _mm512_set1_epi8(-1);
                match W {
                    16 => u64::from(_mm512_cmpneq_epi16_mask(v, ones)),
                    32 => u64::from(_mm512_cmpneq_epi32_mask(v, ones)),
                    _ => u64::from(_mm512_cmpneq_epi64_mask(v, ones)),
                }
            }
        }

        #[inline(always)]
        fn fill<const W: usize>(self, v: __m512i, lanes: u64, bits: u64) -> __m512i {
            // SAFETY: see above.
            unsafe {
                match W {
                    16 => {
                        let chosen = _mm512_maskz_set1_epi16(lanes as u32, bits as i16);
                        _mm512_or_si512(v, chosen)
                    }
                    32 => _mm512_mask_or_epi32(v, lanes as u16, v, _mm512_set1_epi32(bits as i32)),
                    _ => _mm512_mask_or_epi64(v, lanes as u8, v, _mm512_set1_epi64(bits as i64)),
                }
            }
        }

        #[inline(always)]
        fn join(self, into: &mut [Block], sources: &[&[Block]], fresh: bool) {
            #[target_feature(enable = "avx512f,avx512vl")]
            fn compiled(isa: Avx512, into: &mut [Block], sources: &[&[Block]], fresh: bool) {
                super::join(isa, into, sources, fresh);
            }
            // SAFETY: see above.
            unsafe { compiled(self, into, sources, fresh) }
        }

        #[inline(always)]
        fn prefetch(self, block: *const Block) {
            prefetch(block);
        }
    }
}

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
        let given: Vec<Block> = blocks().collect();
        let sources: Vec<&[Block]> = given.chunks_exact(30).collect();
        for count in 1..=MOST_JOINED {
            for fresh in [false, true] {
                let mut into = sources[9].to_vec();
                isa.join(&mut into, &sources[..count], fresh);
                for (i, block) in into.iter().enumerate() {
                    let start = if fresh { Block::ZERO } else { sources[9][i] };
                    let all = sources[..count].iter().fold(start, |all, s| all.or(s[i]));
                    assert_eq!(*block, all);
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
