//! What a comparison has found.

use nimatron_game::Height;

/// How a formula and the P-positions differ, as far as they were compared.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    /// P-positions of the whole box.
    pub(super) p_count: u128,
    /// P-positions that do not satisfy the formula.
    pub(super) missed: Differences,
    /// N-positions that satisfy it.
    pub(super) claimed: Differences,
    /// Where only some positions count: how many do, and how many of these are P-positions.
    pub(super) inside: Differences,
    pub(super) inside_p: Differences,
}

impl Found {
    /// Adds what somebody else has found.
    pub(super) fn join(&mut self, other: Found) {
        self.p_count += other.p_count;
        self.missed.join(other.missed);
        self.claimed.join(other.claimed);
        self.inside.join(other.inside);
        self.inside_p.join(other.inside_p);
    }
}

/// Differences of one kind: how many, and the smallest.
#[derive(Clone, Debug, Default)]
pub(super) struct Differences {
    pub(super) count: u128,
    smallest: Option<(u128, Vec<Height>)>,
}

impl Differences {
    /// The one of least total; of several, the lexicographically least.
    pub(super) fn smallest(&self) -> Option<&[Height]> {
        self.smallest.as_ref().map(|(_, heights)| &heights[..])
    }

    /// Takes a difference into account as a candidate for the smallest one.
    pub(super) fn consider(&mut self, total: u128, heights: &[Height]) {
        let smaller = match &self.smallest {
            None => true,
            Some((least, smallest)) => total < *least || total == *least && heights < &smallest[..],
        };
        if smaller {
            self.smallest = Some((total, heights.to_vec()));
        }
    }

    fn join(&mut self, other: Differences) {
        self.count += other.count;
        if let Some((total, heights)) = other.smallest {
            self.consider(total, &heights);
        }
    }
}
