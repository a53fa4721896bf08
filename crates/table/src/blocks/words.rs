//! Bit arrays with one field of the index per place: lowering a stack, putting a field in.
//!
//! An index is made of fields of `k` bits, one per place, the last place in the lowest bits.
//! Everything here is plain Rust on words; the callers compile it with the instructions of the
//! processor.

/// Joins every bit with those of lesser values of the field at bit `at` of the index.
#[inline(always)]
pub(crate) fn sweep(words: &mut [u64], at: u32, k: u32) {
    match (at, k) {
        (0, 2) => in_words::<0, 2>(words),
        (2, 2) => in_words::<2, 2>(words),
        (4, 2) => in_words::<4, 2>(words),
        (0, 3) => in_words::<0, 3>(words),
        (3, 3) => in_words::<3, 3>(words),
        (0, 4) => in_words::<0, 4>(words),
        (4, 4) => across(words),
        (6, 3) => eight(words),
        _ => runs(words, 1 << (at - 6), 1 << k),
    }
}

/// Joins `into` with `from`, lowered along the field at bit `at` of the index, which lies within a
/// vector; or makes it that, if it is `FRESH`.
#[inline(always)]
pub(crate) fn lower<const K: u32, const L: usize, const FRESH: bool>(
    into: &mut [u64; L],
    from: &[u64; L],
    at: u32,
) {
    match (at, K) {
        (0, 2) => each::<L, FRESH>(into, from, raised::<0, 2>),
        (2, 2) => each::<L, FRESH>(into, from, raised::<2, 2>),
        (4, 2) => each::<L, FRESH>(into, from, raised::<4, 2>),
        (0, 3) => each::<L, FRESH>(into, from, raised::<0, 3>),
        (3, 3) => each::<L, FRESH>(into, from, raised::<3, 3>),
        (0, 4) => each::<L, FRESH>(into, from, raised::<0, 4>),
        _ => {
            for (from, into) in from.as_chunks::<8>().0.iter().zip(into.as_chunks_mut::<8>().0) {
                let mut lowered = *from;
                match (at, K) {
                    (4, 4) => across(&mut lowered),
                    (6, 3) => eight(&mut lowered),
                    _ => runs(&mut lowered, 1, 1 << K),
                }
                if FRESH {
                    *into = lowered;
                } else {
                    join(into, &lowered);
                }
            }
        }
    }
}

/// Word by word.
#[inline(always)]
fn each<const L: usize, const FRESH: bool>(
    into: &mut [u64; L],
    from: &[u64; L],
    lowered: impl Fn(u64) -> u64,
) {
    for i in 0..L {
        into[i] = lowered(from[i]) | if FRESH { 0 } else { into[i] };
    }
}

/// The field lies within a word.
#[inline(always)]
fn in_words<const AT: u32, const K: u32>(words: &mut [u64]) {
    for word in words {
        *word = raised::<AT, K>(*word);
    }
}

/// Joins every bit of a word with those of lesser values of a field of its index.
#[inline(always)]
fn raised<const AT: u32, const K: u32>(mut v: u64) -> u64 {
    let mut step = 0;
    while step < K {
        v |= v << (1u32 << (AT + step)) & const { reached(AT, K) }[step as usize];
        step += 1;
    }
    v
}

/// For each step the bits of a word whose field is at least `1 << step`.
const fn reached(at: u32, k: u32) -> [u64; 4] {
    let mut masks = [0; 4];
    let mut step = 0;
    while step < k {
        let mut i = 0;
        while i < 64 {
            if i >> at & ((1 << k) - 1) >= 1 << step {
                masks[step as usize] |= 1 << i;
            }
            i += 1;
        }
        step += 1;
    }
    masks
}

/// The field is that of 16 lanes of 16 bits in four words.
#[inline(always)]
fn across(words: &mut [u64]) {
    for four in words.as_chunks_mut::<4>().0 {
        let mut below = 0;
        for word in four {
            let mut v = *word;
            v |= v << 16;
            v |= v << 32;
            v |= below;
            below = (v >> 48) * 0x0001_0001_0001_0001;
            *word = v;
        }
    }
}

/// The field numbers the words of a group of eight.
#[inline(always)]
fn eight(words: &mut [u64]) {
    for w in words.as_chunks_mut::<8>().0 {
        let a = *w;
        let b = [
            a[0],
            a[1] | a[0],
            a[2] | a[1],
            a[3] | a[2],
            a[4] | a[3],
            a[5] | a[4],
            a[6] | a[5],
            a[7] | a[6],
        ];
        let c = [
            b[0],
            b[1],
            b[2] | b[0],
            b[3] | b[1],
            b[4] | b[2],
            b[5] | b[3],
            b[6] | b[4],
            b[7] | b[5],
        ];
        *w = [c[0], c[1], c[2], c[3], c[4] | c[0], c[5] | c[1], c[6] | c[2], c[7] | c[3]];
    }
}

/// The field numbers runs of `run` words, `side` of them.
#[inline(always)]
fn runs(words: &mut [u64], run: usize, side: usize) {
    for group in words.chunks_exact_mut(run * side) {
        let mut rest = group;
        for _ in 1..side {
            let (below, above) = rest.split_at_mut(run);
            join(&mut above[..run], below);
            rest = above;
        }
    }
}

/// `into |= from`
#[inline(always)]
pub(crate) fn join(into: &mut [u64], from: &[u64]) {
    for (into, &from) in into.iter_mut().zip(from) {
        *into |= from;
    }
}

/// Joins a vector of `W` words with `sub`, into whose index a field of `K` bits is put for inner
/// place `place` (0 the outermost). Every value of the field gets the same bits.
#[inline(always)]
pub(crate) fn spread<const K: u32, const W: usize>(into: &mut [u64; W], sub: u64, place: usize) {
    for (r, word) in into.iter_mut().enumerate() {
        *word |= match (K, place) {
            (3, 0) | (2, 0) => sub,
            (3, 1) => bytes(sub >> (8 * r) & 0xff),
            (3, _) => {
                // One bit of the byte in each byte, then full bytes for those that have it.
                let y = bytes(sub >> (8 * r) & 0xff) & 0x8040_2010_0804_0201;
                let t = (y + 0x7f7f_7f7f_7f7f_7f7f) & 0x8080_8080_8080_8080;
                (t - (t >> 7)) | t
            }
            (2, 1) => {
                let c = sub >> (16 * r) & 0xffff;
                let c = c | c << 16;
                c | c << 32
            }
            (2, 2) => {
                let c = nibbles(sub >> (16 * r) & 0xffff);
                let c = c | c << 4;
                c | c << 8
            }
            (2, _) => {
                let c = nibbles(sub >> (16 * r) & 0xffff);
                let c = (c | c << 6) & 0x0303_0303_0303_0303;
                let c = (c | c << 3) & 0x1111_1111_1111_1111;
                (c << 4).wrapping_sub(c)
            }
            (4, 0) => {
                let c = sub | sub << 16;
                c | c << 32
            }
            _ => {
                let c = sub >> (4 * r) & 0xf;
                let c = (c | c << 15 | c << 30 | c << 45) & 0x0001_0001_0001_0001;
                (c << 16).wrapping_sub(c)
            }
        };
    }
}

/// The byte in all bytes.
#[inline(always)]
fn bytes(byte: u64) -> u64 {
    let b = byte | byte << 8;
    let b = b | b << 16;
    b | b << 32
}

/// The nibbles of 16 bits, 16 bits apart.
#[inline(always)]
fn nibbles(c: u64) -> u64 {
    let c = (c | c << 24) & 0x0000_00ff_0000_00ff;
    (c | c << 12) & 0x000f_000f_000f_000f
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random(seed: u64) -> impl FnMut() -> u64 {
        let mut state = seed;
        move || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state ^ state >> 29) & (state >> 7).rotate_left(state as u32) & state.rotate_left(23)
        }
    }

    fn bit(words: &[u64], index: usize) -> bool {
        words[index / 64] >> (index % 64) & 1 == 1
    }

    #[test]
    fn sweeping_joins_with_all_lesser_values() {
        let mut next = random(1);
        for (k, fields) in [(2, 7), (3, 5), (4, 4)] {
            let words: Vec<u64> = (0..1 << (k * fields - 6)).map(|_| next()).collect();
            for field in 0..fields {
                let at = k * field;
                let mut swept = words.clone();
                sweep(&mut swept, at, k);
                for index in 0..words.len() * 64 {
                    let value = index >> at & ((1 << k) - 1);
                    let lesser = (0..=value).map(|less| index - (less << at));
                    let expected = lesser.into_iter().any(|i| bit(&words, i));
                    assert_eq!(bit(&swept, index), expected, "k = {k}, field {field}");
                }
            }
        }
    }

    fn check_spread<const K: u32, const W: usize>(inner: u32) {
        let mut next = random(7);
        for place in 0..inner {
            let at = K * (inner - 1 - place);
            let sub = next() & (u64::MAX >> (64 - ((64 * W) >> K)));
            let before = next();
            let mut into = [before; W];
            spread::<K, W>(&mut into, sub, place as usize);
            for index in 0..64 * W {
                let low = index & ((1 << at) - 1);
                let from = index >> (at + K) << at | low;
                let expected = sub >> from & 1 == 1 || bit(&[before; W], index);
                assert_eq!(bit(&into, index), expected, "K = {K}, place {place}, {index}");
            }
        }
    }

    fn check_lower<const K: u32, const L: usize>(inner: u32) {
        let mut next = random(3);
        for at in (0..inner).map(|place| K * place) {
            let from: [u64; L] = std::array::from_fn(|_| next());
            let before: [u64; L] = std::array::from_fn(|_| next());
            let mut expected = from;
            sweep(&mut expected, at, K);
            let mut into = before;
            lower::<K, L, true>(&mut into, &from, at);
            assert_eq!(into, expected, "K = {K}, at {at}");
            let mut into = before;
            lower::<K, L, false>(&mut into, &from, at);
            join(&mut expected, &before);
            assert_eq!(into, expected, "K = {K}, at {at}");
        }
    }

    #[test]
    fn lowering_is_sweeping_within_vectors() {
        check_lower::<2, 16>(4);
        check_lower::<3, 64>(3);
        check_lower::<4, 64>(2);
    }

    #[test]
    fn spreading_puts_a_field_in() {
        check_spread::<2, 4>(4);
        check_spread::<3, 8>(3);
        check_spread::<4, 4>(2);
    }
}
