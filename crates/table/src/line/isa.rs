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

/// The operations, on lanes of `W` bits (16, 32 or 64). A value of an implementing type is the
/// proof that the processor has its instructions.
pub(crate) trait Isa: Copy {
    /// In every lane all bits from the lowest set bit on.
    fn close<const W: usize>(self, block: Block) -> Block;

    /// Every lane joined with all lanes below it, and with `carry`, the lane below the first.
    /// Returns the last lane as the next carry.
    fn sweep<const W: usize>(self, block: Block, carry: u64) -> (Block, u64);

    /// The lanes that are not full, as a bit mask.
    fn open<const W: usize>(self, block: Block) -> u64;

    /// Joins the `lanes` given by a bit mask with `bits`. Lanes past the block do not matter.
    fn fill<const W: usize>(self, block: Block, lanes: u64, bits: u64) -> Block;

    /// Asks for a block that will be read soon.
    fn prefetch(self, blocks: &[Block], index: usize);
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
    #[inline(always)]
    fn close<const W: usize>(self, block: Block) -> Block {
        // v | -v in every lane; the top bit of a lane is kept out of the borrow.
        let top = repeat::<W>(1 << (W - 1));
        let close = |v: u64| v | ((top - (v & !top)) ^ (!v & top));
        Block(block.0.map(close))
    }

    #[inline(always)]
    fn sweep<const W: usize>(self, block: Block, carry: u64) -> (Block, u64) {
        let mut carry = carry;
        let swept = block.0.map(|word| {
            let mut v = word | carry;
            let mut shift = W;
            while shift < 64 {
                v |= v << shift;
                shift *= 2;
            }
            carry = v >> (64 - W);
            v
        });
        (Block(swept), carry)
    }

    #[inline(always)]
    fn open<const W: usize>(self, block: Block) -> u64 {
        let mut mask = 0;
        for (i, &word) in block.0.iter().enumerate() {
            for lane in 0..64 / W {
                let bits = word >> (lane * W) & (u64::MAX >> (64 - W));
                mask |= u64::from(bits != u64::MAX >> (64 - W)) << (i * (64 / W) + lane);
            }
        }
        mask
    }

    #[inline(always)]
    fn fill<const W: usize>(self, block: Block, lanes: u64, bits: u64) -> Block {
        let per_word = 64 / W;
        Block(std::array::from_fn(|i| {
            let mut word = block.0[i];
            for lane in 0..per_word {
                let chosen = (lanes >> (i * per_word + lane) & 1).wrapping_neg();
                word |= (bits & chosen) << (lane * W);
            }
            word
        }))
    }

    #[inline(always)]
    fn prefetch(self, _blocks: &[Block], _index: usize) {}
}

#[cfg(target_arch = "x86_64")]
pub(crate) mod x86 {
    use super::{Block, Isa};
    use std::arch::x86_64::*;

    /// AVX2 with the bit instructions of its time. Exists only where they do.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Avx2(());

    /// AVX-512. Exists only where the processor has it.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Avx512(());

    impl Avx2 {
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
    fn prefetch(blocks: &[Block], index: usize) {
        let at = blocks.as_ptr().wrapping_add(index).cast();
        // SAFETY: a prefetch never faults, whatever the address; SSE is part of x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(at) }
    }

    impl Isa for Avx2 {
        #[inline(always)]
        fn close<const W: usize>(self, block: Block) -> Block {
            // SAFETY: `self` exists, so AVX2 does; a block and two vectors of 256 bits hold
            // the same plain bits.
            unsafe {
                let halves: [__m256i; 2] = std::mem::transmute(block);
                let closed = halves.map(|v| {
                    let zero = _mm256_setzero_si256();
                    let negative = match W {
                        16 => _mm256_sub_epi16(zero, v),
                        32 => _mm256_sub_epi32(zero, v),
                        _ => _mm256_sub_epi64(zero, v),
                    };
                    _mm256_or_si256(v, negative)
                });
                std::mem::transmute(closed)
            }
        }

        #[inline(always)]
        fn sweep<const W: usize>(self, block: Block, carry: u64) -> (Block, u64) {
            super::Portable.sweep::<W>(block, carry)
        }

        #[inline(always)]
        fn open<const W: usize>(self, block: Block) -> u64 {
            // SAFETY: as in `close`.
            let full = unsafe {
                let [a, b]: [__m256i; 2] = std::mem::transmute(block);
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
        fn fill<const W: usize>(self, block: Block, lanes: u64, bits: u64) -> Block {
            // A lane is chosen if its own bit of the mask is set.
            // SAFETY: as in `close`.
            unsafe {
                let [a, b]: [__m256i; 2] = std::mem::transmute(block);
                let half = |v: __m256i, lanes: u64| {
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
                };
                std::mem::transmute([half(a, lanes), half(b, lanes >> (256 / W))])
            }
        }

        #[inline(always)]
        fn prefetch(self, blocks: &[Block], index: usize) {
            prefetch(blocks, index);
        }
    }

    impl Isa for Avx512 {
        #[inline(always)]
        fn close<const W: usize>(self, block: Block) -> Block {
            // SAFETY: `self` exists, so AVX-512 does; a block and a vector of 512 bits hold the
            // same plain bits.
            unsafe {
                let v: __m512i = std::mem::transmute(block);
                let zero = _mm512_setzero_si512();
                let negative = match W {
                    16 => _mm512_sub_epi16(zero, v),
                    32 => _mm512_sub_epi32(zero, v),
                    _ => _mm512_sub_epi64(zero, v),
                };
                std::mem::transmute(_mm512_or_si512(v, negative))
            }
        }

        #[inline(always)]
        fn sweep<const W: usize>(self, block: Block, carry: u64) -> (Block, u64) {
            // SAFETY: as in `close`.
            unsafe {
                let v: __m512i = std::mem::transmute(block);
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
                    16 => _mm512_shuffle_epi8(
                        v,
                        _mm512_set4_epi32(0x0f0e_0f0e, 0x0f0e_0f0e, 0x0706_0706, 0x0706_0706),
                    ),
                    32 => _mm512_shuffle_epi32::<0b11_11_01_01>(v),
                    _ => v,
                };
                let t = _mm512_alignr_epi64::<7>(tops, zero);
                let t = _mm512_or_si512(t, _mm512_alignr_epi64::<7>(t, zero));
                let t = _mm512_or_si512(t, _mm512_alignr_epi64::<6>(t, zero));
                let t = _mm512_or_si512(t, _mm512_alignr_epi64::<4>(t, zero));
                let carry = match W {
                    16 => _mm512_set1_epi16(carry as i16),
                    32 => _mm512_set1_epi32(carry as i32),
                    _ => _mm512_set1_epi64(carry as i64),
                };
                let v = _mm512_or_si512(_mm512_or_si512(v, t), carry);
                let swept: Block = std::mem::transmute(v);
                (swept, swept.0[7] >> (64 - W))
            }
        }

        #[inline(always)]
        fn open<const W: usize>(self, block: Block) -> u64 {
            // SAFETY: as in `close`.
            unsafe {
                let v: __m512i = std::mem::transmute(block);
                let ones = _mm512_set1_epi8(-1);
                match W {
                    16 => u64::from(_mm512_cmpneq_epi16_mask(v, ones)),
                    32 => u64::from(_mm512_cmpneq_epi32_mask(v, ones)),
                    _ => u64::from(_mm512_cmpneq_epi64_mask(v, ones)),
                }
            }
        }

        #[inline(always)]
        fn fill<const W: usize>(self, block: Block, lanes: u64, bits: u64) -> Block {
            // SAFETY: as in `close`.
            unsafe {
                let v: __m512i = std::mem::transmute(block);
                std::mem::transmute(match W {
                    16 => {
                        let chosen = _mm512_maskz_set1_epi16(lanes as u32, bits as i16);
                        _mm512_or_si512(v, chosen)
                    }
                    32 => _mm512_mask_or_epi32(v, lanes as u16, v, _mm512_set1_epi32(bits as i32)),
                    _ => _mm512_mask_or_epi64(v, lanes as u8, v, _mm512_set1_epi64(bits as i64)),
                })
            }
        }

        #[inline(always)]
        fn prefetch(self, blocks: &[Block], index: usize) {
            prefetch(blocks, index);
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

    fn check<const W: usize, I: Isa>(isa: I) {
        for block in blocks() {
            let given = lanes::<W>(block);
            let full = u64::MAX >> (64 - W);
            let closed = given.iter().map(|&v| (v | v.wrapping_neg()) & full).collect::<Vec<_>>();
            assert_eq!(lanes::<W>(isa.close::<W>(block)), closed);
            let carry = given[3] & 0x5555;
            let mut below = carry;
            let swept: Vec<_> = given
                .iter()
                .map(|&v| {
                    below |= v;
                    below
                })
                .collect();
            let (found, last) = isa.sweep::<W>(block, carry);
            assert_eq!(lanes::<W>(found), swept);
            assert_eq!(last, below);
            let open = given.iter().rev().fold(0, |mask, &v| mask << 1 | u64::from(v != full));
            assert_eq!(isa.open::<W>(block), open);
            let (chosen, bits) = (given[5].rotate_left(7) ^ given[1], given[2]);
            let fill = |(i, v): (usize, &u64)| v | if chosen >> i & 1 == 1 { bits } else { 0 };
            let filled: Vec<_> = given.iter().enumerate().map(fill).collect();
            assert_eq!(lanes::<W>(isa.fill::<W>(block, chosen, bits)), filled);
        }
    }

    fn check_all<I: Isa>(isa: I) {
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
