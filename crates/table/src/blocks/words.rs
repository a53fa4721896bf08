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
        (4, 4) => together(words, across),
        (6, 3) => together(words, eight),
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
        (_, 2) => {
            for (from, into) in from.as_chunks::<4>().0.iter().zip(into.as_chunks_mut::<4>().0) {
                let mut lowered = *from;
                runs(&mut lowered, 1, 4);
                each::<4, FRESH>(into, &lowered, |word| word);
            }
        }
        _ => {
            let pairs =
                from.as_chunks::<TOGETHER>().0.iter().zip(into.as_chunks_mut::<TOGETHER>().0);
            for (from, into) in pairs {
                let lowered = if K == 4 { across(from) } else { eight(from) };
                for (into, lowered) in into.iter_mut().zip(&lowered[GROUP..]) {
                    *into = lowered | if FRESH { 0 } else { *into };
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

/// Words that are lowered across words together, with as many zeros before them as a group has words at most:
/// what lies some words below is then a plain load at another place, and no word is moved by itself.
const TOGETHER: usize = 64;
type Padded = [u64; TOGETHER + GROUP];
const GROUP: usize = 8;

/// The words with zeros before them.
#[inline(always)]
fn padded(words: &[u64; TOGETHER]) -> Padded {
    let mut padded = [0; TOGETHER + GROUP];
    padded[GROUP..].copy_from_slice(words);
    padded
}

/// Joins `into` with the words of `from` that lie so many words below in the same group of `OF` words.
#[inline(always)]
fn join_below<const BELOW: usize, const OF: usize>(into: &mut Padded, from: &Padded) {
    for start in (GROUP..TOGETHER + GROUP).step_by(GROUP) {
        for r in 0..GROUP {
            into[start + r] |= if r % OF >= BELOW { from[start + r - BELOW] } else { 0 };
        }
    }
}

/// The field is that of 16 lanes of 16 bits in four words.
#[inline(always)]
fn across(words: &[u64; TOGETHER]) -> Padded {
    let mut lowered = padded(words);
    let mut all = [0; TOGETHER + GROUP];
    for (word, all) in lowered.iter_mut().zip(&mut all) {
        *word |= *word << 16;
        *word |= *word << 32;
        // The last lane has what any lane has; the words above get that in all lanes.
        *all = *word >> 48;
        *all |= *all << 16;
        *all |= *all << 32;
    }
    join_below::<1, 4>(&mut lowered, &all);
    join_below::<2, 4>(&mut lowered, &all);
    join_below::<3, 4>(&mut lowered, &all);
    lowered
}

/// The field numbers the words of a group of eight.
#[inline(always)]
fn eight(words: &[u64; TOGETHER]) -> Padded {
    let one = padded(words);
    let mut two = one;
    join_below::<1, 8>(&mut two, &one);
    let mut four = two;
    join_below::<2, 8>(&mut four, &two);
    let mut lowered = four;
    join_below::<4, 8>(&mut lowered, &four);
    lowered
}

/// Lowers an array across words, many of them together; the words of a short one by themselves.
#[inline(always)]
fn together(words: &mut [u64], lowered: impl Fn(&[u64; TOGETHER]) -> Padded) {
    let (whole, rest) = words.as_chunks_mut::<TOGETHER>();
    for words in whole {
        let lowered = lowered(words);
        words.copy_from_slice(&lowered[GROUP..]);
    }
    if !rest.is_empty() {
        let mut words = [0; TOGETHER];
        words[..rest.len()].copy_from_slice(rest);
        rest.copy_from_slice(&lowered(&words)[GROUP..GROUP + rest.len()]);
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
