//! Counting faces without listing them.

use super::Complex;
use nimatron_game::{Sizes, StackSet, Stop, Watch};
use std::collections::HashMap;

impl Complex {
    /// How many faces there are, the empty set included.
    ///
    /// Stacks are decided upon one after the other; what matters for the rest is only which
    /// facets hold all stacks chosen so far, cut down to the stacks still to come. On circles
    /// and paths few such families occur, however many faces there are.
    pub fn face_count(&self, watch: &dyn Watch) -> Result<u64, Stop> {
        let n = self.stacks();
        if let Some(k) = self.facets.sizes().and_then(Sizes::greatest) {
            return Ok((0..=k.min(n)).map(|size| binomial(n, size)).sum());
        }
        let facets: Vec<StackSet> = self.facets.iter().collect();
        count(facets, n, &mut HashMap::new(), watch)
    }

    /// How many circuits there are. For circles and families of all sets of a size that is
    /// known; otherwise they are counted one by one, as long as `watch` allows.
    pub fn circuit_count(&self, watch: &dyn Watch) -> Result<u64, Stop> {
        let n = self.stacks();
        if let Some(k) = self.facets.sizes().and_then(Sizes::greatest) {
            return Ok(binomial(n, k + 1));
        }
        if let Some(k) = self.circle() {
            return Ok(super::circular::circuit_count(n, k));
        }
        let mut found = 0;
        for _ in self.circuits() {
            if found % 1024 == 0 {
                watch.check(0)?;
            }
            found += 1;
        }
        Ok(found)
    }
}

/// The number of sets of the first `n` stacks that lie in one of the facets.
fn count(
    mut facets: Vec<StackSet>,
    n: usize,
    known: &mut HashMap<(usize, Vec<StackSet>), u64>,
    watch: &dyn Watch,
) -> Result<u64, Stop> {
    if facets.is_empty() {
        return Ok(0);
    }
    facets = nimatron_game::maximal(&facets);
    facets.sort_unstable();
    match &facets[..] {
        // Only empty sets were left, and these are not listed.
        [] => return Ok(1),
        [one] => return Ok(1 << one.len()),
        _ => {}
    }
    let key = (n, facets);
    if let Some(&number) = known.get(&key) {
        return Ok(number);
    }
    if known.len().is_multiple_of(1024) {
        watch.check(known.len() as u64 * 64)?;
    }
    let stack = n - 1;
    let without = key.1.iter().map(|f| f.without(stack)).collect();
    let with = key.1.iter().filter(|f| f.contains(stack)).map(|f| f.without(stack)).collect();
    let number = count(without, stack, known, watch)? + count(with, stack, known, watch)?;
    known.insert(key, number);
    Ok(number)
}

/// The number of `k`-subsets of `n` stacks.
fn binomial(n: usize, k: usize) -> u64 {
    if k > n {
        return 0;
    }
    (0..k as u64).fold(1, |number, i| number * (n as u64 - i) / (i + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nimatron_game::{Family, SetFamily, Unlimited};

    #[test]
    fn faces_are_counted_as_they_would_be_listed() {
        let mut random = crate::testing::Random::new(5);
        let mut families: Vec<SetFamily> = Vec::new();
        for n in 1..=9 {
            for k in 1..=n {
                families.push(Family::Circular { n, k }.sets());
                families.push(Family::Path { n, k }.sets());
                families.push(Family::Moore { n, k }.sets());
            }
            for _ in 0..20 {
                let sets = (0..1 + random.below(6))
                    .map(|_| StackSet::from_bits(random.next() as u32) & StackSet::first(n));
                families.push(SetFamily::listed(n, sets.collect::<Vec<_>>()));
            }
        }
        for sets in families {
            let complex = Complex::new(&sets);
            let all = (0..1u32 << sets.stacks()).map(StackSet::from_bits);
            let faces = all.filter(|&s| complex.is_face(s)).count() as u64;
            if !sets.is_empty() {
                assert_eq!(complex.face_count(&Unlimited), Ok(faces), "{sets:?}");
            }
            let circuits = complex.circuits().count() as u64;
            assert_eq!(complex.circuit_count(&Unlimited), Ok(circuits), "{sets:?}");
        }
    }

    #[test]
    fn many_faces_are_counted_quickly() {
        let circle = |n, k| Complex::of(&Family::Circular { n, k }.rule());
        // A set is a face of CN(n,k) with 2k <= n if it is empty or has a first stack, followed by
        // any of the next k-1.
        assert_eq!(circle(32, 10).face_count(&Unlimited), Ok(1 + 32 * 512));
        let faces = circle(31, 27).face_count(&Unlimited).unwrap();
        assert!(faces > 1 << 27 && faces < 1 << 31);
    }
}
