//! The vector operations in the instructions of x86-64.

use super::{Block, Isa, Part, bring};
use std::arch::x86_64::*;
use std::cell::Cell;

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
        let (mut block, mut below) = (Block::ZERO, Block::ZERO);
        self.store(v, &mut block);
        self.store(carry, &mut below);
        let (swept, last) = super::Portable.sweep::<W>(block.0, below.0);
        (self.load(&Block(swept)), self.load(&Block(last)))
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
                            1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384,
                            -32768,
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
    fn join(self, into: &[Cell<Block>], sources: &[&[Cell<Block>]], fresh: bool) {
        #[target_feature(enable = "avx2")]
        fn compiled(isa: Avx2, into: &[Cell<Block>], sources: &[&[Cell<Block>]], fresh: bool) {
            super::join(isa, into, sources, fresh);
        }
        // SAFETY: see above.
        unsafe { compiled(self, into, sources, fresh) }
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
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn compiled<const W: usize>(
            isa: Avx2,
            into: &[Cell<Block>],
            keep: bool,
            part: Part<'_>,
            blocks: usize,
        ) {
            bring::<Avx2, W, 1>(isa, into, keep, part, blocks);
        }
        // SAFETY: see above.
        unsafe { compiled::<W>(self, into, keep, part, blocks) }
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
            let t = _mm512_or_si512(tops, _mm512_alignr_epi64::<7>(tops, zero));
            let t = _mm512_or_si512(t, _mm512_alignr_epi64::<6>(t, zero));
            let t = _mm512_or_si512(t, _mm512_alignr_epi64::<4>(t, zero));
            let v = match W {
                64 => t,
                _ => _mm512_or_si512(v, _mm512_alignr_epi64::<7>(t, zero)),
            };
            // The carry is joined last, so that the next one does not wait for the rest.
            let last = match W {
                16 => _mm512_permutexvar_epi16(_mm512_set1_epi16(31), v),
                32 => _mm512_permutexvar_epi32(_mm512_set1_epi32(15), v),
                _ => _mm512_permutexvar_epi64(_mm512_set1_epi64(7), v),
            };
            (_mm512_or_si512(v, carry), _mm512_or_si512(last, carry))
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
    fn join(self, into: &[Cell<Block>], sources: &[&[Cell<Block>]], fresh: bool) {
        #[target_feature(enable = "avx512f,avx512vl")]
        fn compiled(isa: Avx512, into: &[Cell<Block>], sources: &[&[Cell<Block>]], fresh: bool) {
            super::join(isa, into, sources, fresh);
        }
        // SAFETY: see above.
        unsafe { compiled(self, into, sources, fresh) }
    }

    #[inline(always)]
    fn bring<const W: usize, const Z: usize>(
        self,
        into: &[Cell<Block>],
        keep: bool,
        part: Part<'_>,
        blocks: usize,
    ) {
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn compiled<const W: usize, const Z: usize>(
            isa: Avx512,
            into: &[Cell<Block>],
            keep: bool,
            part: Part<'_>,
            blocks: usize,
        ) {
            bring::<Avx512, W, Z>(isa, into, keep, part, blocks);
        }
        // SAFETY: see above.
        unsafe { compiled::<W, Z>(self, into, keep, part, blocks) }
    }

    #[inline(always)]
    fn prefetch(self, block: *const Block) {
        prefetch(block);
    }
}
