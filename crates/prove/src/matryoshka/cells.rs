//! Cells: all sums of 0/1 vectors.

use nimatron_game::{StackSet, Stop, Watch};
use std::collections::{BTreeSet, HashMap};

/// The generators of a cell, sorted; bit `s` of a generator is stack `s`.
pub(super) type Cell = Vec<u32>;

/// Whether a 0/1 vector is a sum of generators: then it is divided into disjoint ones.
pub(super) fn is_sum(vector: u32, generators: &[u32]) -> bool {
    let lowest = vector & vector.wrapping_neg();
    let fits = |&&g: &&u32| g & lowest != 0 && g & !vector == 0;
    vector == 0 || generators.iter().filter(fits).any(|g| is_sum(vector & !g, generators))
}

/// The same as [`is_sum`], counting what is looked at; `None` if that is more than is left.
pub(super) fn is_sum_within(vector: u32, generators: &[u32], left: &mut u64) -> Option<bool> {
    *left = left.checked_sub(1 + generators.len() as u64)?;
    let lowest = vector & vector.wrapping_neg();
    if vector == 0 {
        return Some(true);
    }
    for g in generators.iter().filter(|&&g| g & lowest != 0 && g & !vector == 0) {
        if is_sum_within(vector & !g, generators, left)? {
            return Some(true);
        }
    }
    Some(false)
}

/// The cell without generators that are sums of others: there is one way only to write it so.
fn reduced(mut cell: Cell) -> Cell {
    cell.sort_unstable();
    cell.dedup();
    let mut position = 0;
    while position < cell.len() {
        let generator = cell.remove(position);
        if !is_sum(generator, &cell) {
            cell.insert(position, generator);
            position += 1;
        }
    }
    cell
}

/// Brings generators back through a merge: one for each choice of a stack from every class.
pub(super) fn lifted(generator: u32, classes: &[StackSet], names: &[usize]) -> Vec<u32> {
    let met = classes.iter().zip(names).filter(|&(_, &name)| generator >> name & 1 == 1);
    met.fold(vec![0], |parts, (class, _)| {
        parts.iter().flat_map(|part| class.iter().map(move |s| part | 1 << s)).collect()
    })
}

/// A union of cells, none of which lies within another.
#[derive(Clone, Debug)]
pub(super) struct Cells {
    stacks: usize,
    cells: Vec<Cell>,
    generators: Vec<u32>,
    /// By cell: its generators by their numbers.
    bits: Vec<Bits>,
}

impl Cells {
    /// The union of these cells, in a form that depends on their sums only.
    pub(super) fn new(
        stacks: usize,
        cells: impl IntoIterator<Item = Cell>,
        watch: &dyn Watch,
    ) -> Result<Self, Stop> {
        let mut distinct: BTreeSet<Cell> = BTreeSet::new();
        for (number, cell) in cells.into_iter().enumerate() {
            if number.is_multiple_of(256) {
                watch.check(0)?;
            }
            distinct.insert(reduced(cell));
        }
        let all = Cells::numbered(stacks, distinct.into_iter().collect());
        // By cell the generators that are sums of its own, and by generator the cells with which it is.
        let mut spanned = vec![all.no_generators(); all.len()];
        let mut holding: Vec<Vec<usize>> = vec![Vec::new(); all.generators.len()];
        let mut bytes = (all.len() * all.generators.len() / 8) as u64;
        for (number, cell) in all.cells.iter().enumerate() {
            watch.check(bytes)?;
            for (g, &generator) in all.generators.iter().enumerate() {
                if is_sum(generator, cell) {
                    spanned[number].set(g);
                    holding[g].push(number);
                    bytes += size_of::<usize>() as u64;
                }
            }
        }
        let mut kept = vec![true; all.len()];
        for (number, kept) in kept.iter_mut().enumerate() {
            watch.check(bytes)?;
            let own = &all.bits[number];
            let around = |&other: &usize| other != number && own.is_subset(&spanned[other]);
            // Only cells that span its rarest generator can hold it.
            *kept = match own.iter().map(|g| &holding[g]).min_by_key(|cells| cells.len()) {
                Some(rarest) => !rarest.iter().any(around),
                // The cell of no vectors lies within every other.
                None => all.len() == 1,
            };
        }
        let kept = all.cells.into_iter().zip(kept).filter(|(_, kept)| *kept);
        Ok(Cells::numbered(stacks, kept.map(|(cell, _)| cell).collect()))
    }

    /// These cells as they are, in this order.
    pub(super) fn listed(stacks: usize, cells: Vec<Cell>) -> Self {
        Cells::numbered(stacks, cells)
    }

    fn numbered(stacks: usize, cells: Vec<Cell>) -> Self {
        let distinct: BTreeSet<u32> = cells.iter().flatten().copied().collect();
        let generators: Vec<u32> = distinct.into_iter().collect();
        let numbers: HashMap<u32, usize> =
            generators.iter().enumerate().map(|(number, &g)| (g, number)).collect();
        let bits = |cell: &Cell| {
            let mut bits = Bits::new(generators.len());
            cell.iter().for_each(|g| bits.set(numbers[g]));
            bits
        };
        let bits = cells.iter().map(bits).collect();
        Cells { stacks, cells, generators, bits }
    }

    pub(super) fn stacks(&self) -> usize {
        self.stacks
    }

    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    pub(super) fn cell(&self, number: usize) -> &[u32] {
        &self.cells[number]
    }

    pub(super) fn list(&self) -> &[Cell] {
        &self.cells
    }

    /// All generators, each once.
    pub(super) fn generators(&self) -> &[u32] {
        &self.generators
    }

    /// The generators of a cell, as numbers into [`Cells::generators`].
    pub(super) fn bits(&self, number: usize) -> &Bits {
        &self.bits[number]
    }

    /// An empty set of generators.
    pub(super) fn no_generators(&self) -> Bits {
        Bits::new(self.generators.len())
    }
}

/// A set of small numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bits {
    size: usize,
    words: Vec<u64>,
}

impl Bits {
    /// The empty set of numbers below `size`.
    pub(super) fn new(size: usize) -> Self {
        Bits { size, words: vec![0; size.div_ceil(64)] }
    }

    pub(super) fn set(&mut self, number: usize) {
        self.words[number / 64] |= 1 << (number % 64);
    }

    pub(super) fn is_disjoint(&self, other: &Bits) -> bool {
        self.words.iter().zip(&other.words).all(|(a, b)| a & b == 0)
    }

    /// The numbers of the set.
    fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.size).filter(|number| self.words[number / 64] >> (number % 64) & 1 == 1)
    }

    /// Whether all its numbers lie in another set.
    fn is_subset(&self, other: &Bits) -> bool {
        self.words.iter().zip(&other.words).all(|(a, b)| a & !b == 0)
    }

    /// Adds the numbers of another set; whether one of them is new.
    pub(super) fn join(&mut self, other: &Bits) -> bool {
        let mut new = false;
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            new |= more & !*word != 0;
            *word |= more;
        }
        new
    }

    /// The least number below the size that is missing.
    pub(super) fn first_zero(&self) -> Option<usize> {
        let word = self.words.iter().position(|word| *word != u64::MAX)?;
        let number = word * 64 + self.words[word].trailing_ones() as usize;
        (number < self.size).then_some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nimatron_game::Unlimited;

    #[test]
    fn sums_and_containment() {
        assert!(is_sum(0b1111, &[0b0011, 0b0110, 0b1100]));
        assert!(!is_sum(0b0111, &[0b0011, 0b0110]));
        assert_eq!(reduced(vec![0b11, 0b01, 0b10, 0b11]), [0b01, 0b10]);
        // The second lies within the first, the third is the first again.
        let cells = [vec![0b01, 0b10], vec![0b11], vec![0b10, 0b01, 0b11], vec![0b111]];
        let cells = Cells::new(3, cells, &Unlimited).unwrap();
        assert_eq!(cells.list(), [vec![0b001, 0b010], vec![0b111]]);
    }

    #[test]
    fn sets_within_sets() {
        let bits = |numbers: &[usize]| {
            let mut bits = Bits::new(130);
            numbers.iter().for_each(|&number| bits.set(number));
            bits
        };
        let (a, b) = (bits(&[3, 70, 129]), bits(&[3, 129]));
        assert_eq!(a.iter().collect::<Vec<_>>(), [3, 70, 129]);
        assert!(b.is_subset(&a) && a.is_subset(&a) && bits(&[]).is_subset(&b));
        assert!(!a.is_subset(&b) && !bits(&[70]).is_subset(&b));
        let cells = |cells: Vec<Cell>| Cells::new(3, cells, &Unlimited).unwrap().list().to_vec();
        assert_eq!(cells(vec![vec![], vec![0b11]]), [vec![0b11]]);
        assert_eq!(cells(vec![vec![]]), [Vec::<u32>::new()]);
    }

    #[test]
    fn lifting_chooses_a_stack_of_each_class() {
        let classes = [0b0011, 0b0100, 0b1000].map(StackSet::from_bits);
        assert_eq!(lifted(0b011, &classes, &[0, 2, 1]), [0b1001, 0b1010]);
    }

    #[test]
    fn missing_numbers() {
        let mut bits = Bits::new(65);
        (0..64).for_each(|number| bits.set(number));
        assert_eq!(bits.first_zero(), Some(64));
        bits.set(64);
        assert_eq!(bits.first_zero(), None);
        assert_eq!(Bits::new(0).first_zero(), None);
    }
}
