//! From the set of values of all options to the value of the position.

/// A rule that gives a position its value when the set of values of its options is known. The
/// value must lie within the bits that are there; it does, since no value exceeds the number of
/// tokens.
pub(crate) trait Pick {
    /// The value as the only member of a set.
    fn pick<B: Bits>(&self, options: B) -> B;

    /// The value, from a set that is given word by word.
    fn pick_wide(&self, options: &[u64]) -> u32;
}

/// Sets of small numbers in a machine integer.
pub(crate) trait Bits: Copy {
    /// 64-bit words of a set.
    const WORDS: usize;
    /// No number at all.
    const EMPTY: Self;
    /// The even numbers.
    const EVEN: Self;
    /// The odd numbers.
    const ODD: Self;
    fn load(words: &[u64]) -> Self;
    fn store(self, words: &mut [u64]);
    /// The set of one number, which must be in range.
    fn only(number: u32) -> Self;
    /// The union.
    fn with(self, other: Self) -> Self;
    /// The intersection.
    fn within(self, other: Self) -> Self;
    fn is_empty(self) -> bool;
    /// The set of the least number that is missing.
    fn least_missing(self) -> Self;
    /// The least number, of a set that is not empty.
    fn least(self) -> u32;
    /// The set of 1 more than the least number, of a set that is not empty.
    fn after_least(self) -> Self;
    /// The set of 1 more than the greatest number; of 0 if there is none.
    fn after_greatest(self) -> Self;
}

macro_rules! bits {
    ($int:ty, $words:literal) => {
        impl Bits for $int {
            const WORDS: usize = $words;
            const EMPTY: Self = 0;
            const EVEN: Self = <$int>::MAX / 3;
            const ODD: Self = !Self::EVEN;
            #[inline]
            fn load(words: &[u64]) -> Self {
                (0..$words).fold(0, |set, i| set | (words[i] as $int) << (64 * i))
            }
            #[inline]
            fn store(self, words: &mut [u64]) {
                (0..$words).for_each(|i| words[i] = (self >> (64 * i)) as u64);
            }
            #[inline]
            fn only(number: u32) -> Self {
                1 << number
            }
            #[inline]
            fn with(self, other: Self) -> Self {
                self | other
            }
            #[inline]
            fn within(self, other: Self) -> Self {
                self & other
            }
            #[inline]
            fn is_empty(self) -> bool {
                self == 0
            }
            #[inline]
            fn least_missing(self) -> Self {
                !self & self.wrapping_add(1)
            }
            #[inline]
            fn least(self) -> u32 {
                self.trailing_zeros()
            }
            #[inline]
            fn after_least(self) -> Self {
                (self & self.wrapping_neg()) << 1
            }
            #[inline]
            fn after_greatest(self) -> Self {
                1 << (<$int>::BITS - self.leading_zeros())
            }
        }
    };
}
bits!(u64, 1);
bits!(u128, 2);

/// The Grundy value: the least number that no option has.
pub(crate) struct LeastMissing;

impl Pick for LeastMissing {
    #[inline]
    fn pick<B: Bits>(&self, options: B) -> B {
        options.least_missing()
    }

    #[inline]
    fn pick_wide(&self, options: &[u64]) -> u32 {
        let word = options.iter().position(|&w| w != u64::MAX).unwrap_or(0);
        64 * word as u32 + options[word].trailing_ones()
    }
}

/// The remoteness: 1 more than the least remoteness of a P-option, or else than the greatest
/// of any option; 0 without options.
pub(crate) struct Remoteness {
    /// Whether P-positions are those of odd remoteness: under misere play.
    pub(crate) odd: bool,
}

impl Pick for Remoteness {
    #[inline]
    fn pick<B: Bits>(&self, options: B) -> B {
        let p = options.within(if self.odd { B::ODD } else { B::EVEN });
        if p.is_empty() { options.after_greatest() } else { p.after_least() }
    }

    #[inline]
    fn pick_wide(&self, options: &[u64]) -> u32 {
        let parity = if self.odd { u64::ODD } else { u64::EVEN };
        let place = |word: usize, bit: u32| 64 * word as u32 + bit + 1;
        let mut words = options.iter().enumerate();
        if let Some((i, w)) = words.find(|(_, w)| *w & parity != 0) {
            return place(i, (w & parity).trailing_zeros());
        }
        let last = options.iter().enumerate().rfind(|(_, w)| **w != 0);
        last.map_or(0, |(i, w)| place(i, 63 - w.leading_zeros()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All ways of picking agree with each other and with the definition.
    #[test]
    fn narrow_and_wide_agree() {
        let picks = |set: u64| {
            let remoteness = |odd| {
                let rule = Remoteness { odd };
                let narrow = rule.pick(set).least();
                assert_eq!(rule.pick(u128::from(set)).least(), narrow);
                assert_eq!(rule.pick_wide(&[set, 0, 0]), narrow);
                narrow
            };
            let grundy = LeastMissing.pick(set).least();
            assert_eq!(LeastMissing.pick(u128::from(set)).least(), grundy);
            assert_eq!(LeastMissing.pick_wide(&[set, 0, 0]), grundy);
            (grundy, remoteness(false), remoteness(true))
        };
        assert_eq!(picks(0), (0, 0, 0));
        assert_eq!(picks(0b1), (1, 1, 1));
        assert_eq!(picks(0b10), (0, 2, 2));
        assert_eq!(picks(0b1011), (2, 1, 2));
        assert_eq!(picks(0b1010_1000), (0, 8, 4));
        assert_eq!(picks(0b0101_0111), (3, 1, 2));
        assert_eq!(Remoteness { odd: true }.pick_wide(&[0b101, 0b110]), 66);
        assert_eq!(Remoteness { odd: false }.pick_wide(&[0b1010, 0b1000]), 68);
        assert_eq!(LeastMissing.pick_wide(&[u64::MAX, 0b1011]), 66);
        assert_eq!(LeastMissing.pick(u128::from(u64::MAX)).least(), 64);
    }
}
