//! Lists of positions on their way to the sink.

use super::sink::Note;

/// Positions one after the other, each height in as many bytes as the tallest needs. Several
/// workers hold such lists at a time, and most heights are small.
#[derive(Clone, Debug)]
pub(crate) struct Packed {
    bytes: Vec<u8>,
    width: usize,
    /// What was noted about the first positions.
    notes: Vec<bool>,
}

impl Packed {
    /// An empty list for heights up to this.
    pub(crate) fn up_to(tallest: u32) -> Self {
        let width = match tallest {
            0..0x100 => 1,
            0x100..0x1_0000 => 2,
            _ => 4,
        };
        Packed { bytes: Vec::new(), width, notes: Vec::new() }
    }

    /// Makes room for so many positions more; whether there is enough memory.
    #[inline]
    pub(crate) fn has_room(&mut self, positions: usize, stacks: usize) -> bool {
        self.bytes.try_reserve(positions * stacks * self.width).is_ok()
    }

    /// Appends a position.
    #[inline(always)]
    pub(crate) fn push(&mut self, heights: &[u32]) {
        match self.width {
            1 => self.bytes.extend(heights.iter().map(|&h| h as u8)),
            2 => heights.iter().for_each(|&h| self.bytes.extend((h as u16).to_le_bytes())),
            _ => heights.iter().for_each(|h| self.bytes.extend(h.to_le_bytes())),
        }
    }

    /// Takes over all positions of another list for the same heights, of which nothing was noted.
    pub(crate) fn append(&mut self, other: &mut Packed) {
        debug_assert_eq!((self.width, other.notes.len()), (other.width, 0));
        self.bytes.append(&mut other.bytes);
    }

    /// Notes something about every position about which nothing was noted before.
    pub(crate) fn note(&mut self, stacks: usize, note: &Note<'_>) {
        let mut heights = vec![0; stacks];
        let Packed { bytes, width, notes } = self;
        for position in bytes.chunks_exact(stacks * *width).skip(notes.len()) {
            unpack(position, *width, &mut heights);
            notes.push(note(&heights));
        }
    }

    /// Takes the positions out, one by one, each with what was noted, until one is refused.
    pub(crate) fn drain<E>(
        &mut self,
        stacks: usize,
        mut each: impl FnMut(&[u32], bool) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut heights = vec![0; stacks];
        let notes = self.notes.iter().copied().chain(std::iter::repeat(false));
        for (position, note) in self.bytes.chunks_exact(stacks * self.width).zip(notes) {
            unpack(position, self.width, &mut heights);
            each(&heights, note)?;
        }
        self.bytes.clear();
        self.notes.clear();
        Ok(())
    }
}

#[inline(always)]
fn unpack(position: &[u8], width: usize, heights: &mut [u32]) {
    for (height, bytes) in heights.iter_mut().zip(position.chunks_exact(width)) {
        *height = match *bytes {
            [low] => low.into(),
            [low, high] => u16::from_le_bytes([low, high]).into(),
            _ => bytes.iter().rev().fold(0, |height, &byte| height << 8 | u32::from(byte)),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heights_of_every_width_come_back() {
        for tallest in [1, 255, 256, 65_535, 65_536, (1 << 30) - 1] {
            let rows = [[0, tallest, 1], [tallest, tallest / 2, tallest / 3]];
            let (mut list, mut other) = (Packed::up_to(tallest), Packed::up_to(tallest));
            list.push(&rows[0]);
            other.push(&rows[1]);
            list.append(&mut other);
            list.note(3, &|heights| heights[0] == 0);
            list.push(&[0, 0, 0]);
            let mut found = Vec::new();
            let all = list.drain(3, |heights, note| {
                found.push((heights.to_vec(), note));
                Ok::<(), ()>(())
            });
            let noted = |row: [u32; 3], note| (row.to_vec(), note);
            let expected = [noted(rows[0], true), noted(rows[1], false), noted([0; 3], false)];
            assert_eq!((all, found), (Ok(()), expected.to_vec()));
            assert_eq!(list.drain(3, |_, _| Err(())), Ok(()), "nothing is left");
        }
    }
}
