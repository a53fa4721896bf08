//! The simplicial complex of a set game: faces, facets and circuits.
//!
//! Faces are the sets that lie in a facet; circuits are the minimal sets that are no faces. In
//! every complex the multiples of a circuit's 0/1 vector are P-positions (Ehrenborg and
//! Steingrimsson 1996), and many P-sets are made of circuits altogether.

mod circuits;
pub mod circular;
mod decompose;
mod faces;

pub use circuits::{Circuits, transversals};
pub use decompose::Decomposition;

use crate::shape::{list, uniform};
use nimatron_game::{Family, Rule, SetFamily, Sizes, StackSet, Stop, Watch};

/// A simplicial complex on the stacks `0..n`, given by its facets.
///
/// ```
/// use nimatron_game::Family;
/// use nimatron_theory::complex::Complex;
/// let h = Complex::of(&Family::Necklace { n: 6, k: 3, l: 2 }.rule());
/// let mut circuits: Vec<String> = h.circuits().map(|c| c.to_string()).collect();
/// circuits.sort();
/// assert_eq!(circuits, ["ad", "ae", "be", "bf", "cf"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complex {
    facets: SetFamily,
}

impl Complex {
    /// The complex of all subsets of the given sets.
    pub fn new(sets: &SetFamily) -> Self {
        Complex { facets: sets.maximal() }
    }

    /// The complex of the sets a rule plays on.
    pub fn of(rule: &Rule) -> Self {
        Complex::new(rule.sets())
    }

    /// The number of stacks.
    pub fn stacks(&self) -> usize {
        self.facets.stacks()
    }

    /// The facets.
    pub fn facets(&self) -> &SetFamily {
        &self.facets
    }

    /// Whether a set is a face. The empty set always is.
    pub fn is_face(&self, set: StackSet) -> bool {
        set.is_empty() || self.facets.covers(set)
    }

    /// Whether a set is a circuit: no face, though every smaller set in it is one.
    pub fn is_circuit(&self, set: StackSet) -> bool {
        !self.is_face(set) && set.iter().all(|s| self.is_face(set.without(s)))
    }

    /// A circuit inside a set, or `None` if the set is a face.
    pub fn circuit_in(&self, set: StackSet) -> Option<StackSet> {
        if self.is_face(set) {
            return None;
        }
        let drop = |set: StackSet, s| match self.is_face(set.without(s)) {
            true => set,
            false => set.without(s),
        };
        Some(set.iter().fold(set, drop))
    }

    /// The circuits, lazily, each once. There may be very many.
    pub fn circuits(&self) -> Circuits {
        Circuits::new(self)
    }

    /// The sizes of the circuits. For circles and for families of all sets of a size they are
    /// known; otherwise all circuits are looked at, as long as `watch` allows.
    pub fn circuit_sizes(&self, watch: &dyn Watch) -> Result<Sizes, Stop> {
        let n = self.stacks();
        if let Some(k) = uniform(&self.facets) {
            return Ok(Sizes::new((k < n).then_some(k + 1)));
        }
        if let Some(k) = self.circle() {
            return Ok(circular::circuit_sizes(n, k));
        }
        let mut found = vec![false; n + 1];
        for (i, circuit) in self.circuits().enumerate() {
            if i % 1024 == 0 {
                watch.check(0)?;
            }
            found[circuit.len()] = true;
        }
        Ok(Sizes::new((0..=n).filter(|&size| found[size])))
    }

    /// The `k` for which this is CN(n,k) as it stands.
    fn circle(&self) -> Option<usize> {
        let n = self.stacks();
        let facets = list(&self.facets)?;
        let k = facets.first()?.len();
        let circle = Family::Circular { n, k };
        (facets.len() == n && list(circle.rule().sets()) == Some(facets)).then_some(k)
    }

    /// All circuits, if each of them is *pointed*: owns a stack that lies in no other. Then
    /// there are at most as many as stacks.
    pub fn pointed_circuits(&self) -> Option<Vec<Pointed>> {
        let circuits: Vec<_> = self.circuits().take(self.stacks() + 1).collect();
        let pointed: Vec<_> = own_stacks(&circuits)
            .zip(&circuits)
            .map(|(own, &circuit)| Pointed { circuit, own })
            .collect();
        pointed.iter().all(|p| !p.own.is_empty()).then_some(pointed)
    }
}

impl Complex {
    /// All circuits that are pointed, even if others are not.
    pub fn all_pointed(&self, watch: &dyn Watch) -> Result<Vec<Pointed>, Stop> {
        if let Some(k) = self.facets.sizes().and_then(Sizes::greatest) {
            // Exchanging stacks turns every circuit into every other.
            let lone = k + 1 == self.stacks();
            let all = StackSet::first(self.stacks());
            return Ok(lone.then_some(Pointed { circuit: all, own: all }).into_iter().collect());
        }
        let (mut once, mut twice) = (StackSet::EMPTY, StackSet::EMPTY);
        for (i, circuit) in self.circuits().enumerate() {
            if i % 1024 == 0 {
                watch.check(0)?;
            }
            twice = twice | (once & circuit);
            once = once | circuit;
            if twice == StackSet::first(self.stacks()) {
                return Ok(Vec::new());
            }
        }
        let pointed = |circuit: StackSet| Pointed { circuit, own: circuit - twice };
        Ok(self.circuits().map(pointed).filter(|p| !p.own.is_empty()).collect())
    }
}

/// A circuit and the stacks that lie in no other circuit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pointed {
    /// The circuit.
    pub circuit: StackSet,
    /// Its own stacks.
    pub own: StackSet,
}

/// For each of the given circuits the stacks that lie in no other of them.
pub fn own_stacks(circuits: &[StackSet]) -> impl Iterator<Item = StackSet> {
    let (mut once, mut twice) = (StackSet::EMPTY, StackSet::EMPTY);
    for &circuit in circuits {
        twice = twice | (once & circuit);
        once = once | circuit;
    }
    circuits.iter().map(move |&circuit| circuit - twice)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nimatron_game::Unlimited;

    fn circuits(rule: &Rule) -> Vec<StackSet> {
        let mut circuits: Vec<_> = Complex::of(rule).circuits().collect();
        circuits.sort_unstable();
        circuits
    }

    fn by_definition(rule: &Rule) -> Vec<StackSet> {
        let complex = Complex::of(rule);
        let all = (0..1u32 << rule.stacks()).map(StackSet::from_bits);
        all.filter(|&set| complex.is_circuit(set)).collect()
    }

    #[test]
    fn circuits_are_the_minimal_non_faces() {
        let mut random = crate::testing::Random::new(11);
        for n in 1..=8 {
            for _ in 0..40 {
                let sets = (0..1 + random.below(7))
                    .map(|_| StackSet::from_bits(random.next() as u32) & StackSet::first(n));
                let rule = Rule::set_nim(SetFamily::listed(n, sets.collect::<Vec<_>>()));
                assert_eq!(circuits(&rule), by_definition(&rule), "{rule:?}");
            }
            for k in 1..=n {
                let moore = Family::Moore { n, k }.rule();
                assert_eq!(circuits(&moore), by_definition(&moore));
                let path = Family::Path { n, k }.rule();
                assert_eq!(circuits(&path), by_definition(&path));
            }
        }
    }

    #[test]
    fn pairs_have_half_n_times_n_minus_3_circuits() {
        for n in 4..=20 {
            let rule = Family::Circular { n, k: 2 }.rule();
            assert_eq!(circuits(&rule).len(), n * (n - 3) / 2);
        }
    }

    #[test]
    fn a_circuit_inside_every_non_face() {
        let complex = Complex::of(&Family::Circular { n: 8, k: 5 }.rule());
        for set in (0..256).map(StackSet::from_bits) {
            match complex.circuit_in(set) {
                None => assert!(complex.is_face(set)),
                Some(c) => assert!(c.is_subset(set) && complex.is_circuit(c)),
            }
        }
    }

    #[test]
    fn the_circuits_of_the_literature() {
        let names = |rule: &Rule| -> Vec<String> {
            let mut names: Vec<_> = circuits(rule).iter().map(|c| c.to_string()).collect();
            names.sort();
            names
        };
        let h = Family::Necklace { n: 6, k: 3, l: 2 }.rule();
        assert_eq!(names(&h), ["ad", "ae", "be", "bf", "cf"]);
        let all = circuits(&h);
        let pointed: Vec<_> = own_stacks(&all)
            .zip(&all)
            .filter(|(own, _)| !own.is_empty())
            .map(|(_, circuit)| circuit.to_string())
            .collect();
        assert_eq!(pointed, ["ad", "cf"]);
        assert_eq!(Complex::of(&h).pointed_circuits(), None);
        let found = Complex::of(&h).all_pointed(&Unlimited).unwrap();
        let found: Vec<_> = found.iter().map(|p| p.circuit.to_string()).collect();
        assert_eq!(found.iter().collect::<std::collections::BTreeSet<_>>().len(), 2);
        assert!(found.contains(&"ad".into()) && found.contains(&"cf".into()));
        // {123, 234, 345, 15}
        let example = Family::Necklace { n: 5, k: 3, l: 2 }.rule();
        assert_eq!(names(&example), ["ace", "ad", "be"]);
        assert_eq!(Complex::of(&example).pointed_circuits().unwrap().len(), 3);
    }

    #[test]
    fn sizes_are_those_of_an_enumeration() {
        for n in 2..=9 {
            for k in 1..=n {
                let rules = [Family::Circular { n, k }.rule(), Family::Moore { n, k }.rule()];
                for rule in rules {
                    let sizes = Complex::of(&rule).circuit_sizes(&Unlimited).unwrap();
                    let found = Sizes::new(by_definition(&rule).iter().map(|c| c.len()));
                    assert_eq!(sizes, found, "{n} {k}");
                }
            }
        }
    }

    #[test]
    fn a_long_circle_is_no_obstacle() {
        let complex = Complex::of(&Family::Circular { n: 31, k: 27 }.rule());
        let sizes = complex.circuit_sizes(&Unlimited).unwrap();
        assert_eq!(sizes.iter().collect::<Vec<_>>(), [8, 9, 10, 11, 12]);
        let seen = complex.circuits().inspect(|&c| assert!(circular::is_circuit(31, 27, c)));
        assert_eq!(seen.count() as u64, circular::circuit_count(31, 27));
        // All 17-subsets of 32 stacks: far too many to see them all.
        let moore = Complex::of(&Family::Moore { n: 32, k: 16 }.rule());
        assert!(moore.circuits().take(1000).all(|c| moore.is_circuit(c)));
        assert_eq!(moore.circuit_sizes(&Unlimited).unwrap(), Sizes::new([17]));
    }
}
