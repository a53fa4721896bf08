//! Ranks as the parties of a table: lists of P-positions go to all others as they are found.

use crate::post::{Kind, Post, To, lock};
use nimatron::crates::table::blocks::{Exchange, Take};
use nimatron::crates::table::line::LineError;
use std::sync::Mutex;
use std::time::Instant;

/// Bytes of lists that are sent in one letter, about.
const LETTER: usize = 1 << 18;
/// What is left of older measurements of speed when a level is done.
const REMEMBERED: f64 = 0.7;
/// Speeds say nothing before all have worked so many seconds.
const TOLD: f64 = 0.05;

/// What all ranks agree on when a level is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Agreed {
    /// Somebody wants to stop here.
    pub(crate) stop: bool,
    /// Rank 0 wants what was found to be kept.
    pub(crate) keep: bool,
}

/// This rank and the others.
pub(crate) struct Ranks<'a> {
    post: &'a Post,
    /// What this rank wants when it has done its share of a level.
    wish: &'a (dyn Fn() -> Agreed + Sync),
    state: Mutex<State>,
}

struct State {
    lists: Vec<u8>,
    /// Letters that were sent in this level.
    letters: u64,
    began: Instant,
    /// What was done and how long it took, less what was long ago.
    cost: f64,
    seconds: f64,
    agreed: Agreed,
    /// Seconds of work, and of waiting for others.
    worked: f64,
    waited: f64,
}

impl<'a> Ranks<'a> {
    pub(crate) fn new(post: &'a Post, wish: &'a (dyn Fn() -> Agreed + Sync)) -> Self {
        let state = State {
            lists: Vec::new(),
            letters: 0,
            began: Instant::now(),
            cost: 0.0,
            seconds: 0.0,
            agreed: Agreed::default(),
            worked: 0.0,
            waited: 0.0,
        };
        Ranks { post, wish, state: Mutex::new(state) }
    }

    /// What all ranks agreed on at the end of the last level.
    pub(crate) fn agreed(&self) -> Agreed {
        lock(&self.state).agreed
    }

    /// Seconds of work, and of waiting for others.
    pub(crate) fn times(&self) -> (f64, f64) {
        let state = lock(&self.state);
        (state.worked, state.waited)
    }

    /// A new level begins now.
    pub(crate) fn begin(&self) {
        lock(&self.state).began = Instant::now();
    }
}

/// What a rank says when it has done its share of a level.
#[derive(Clone, Copy)]
struct Word {
    level: u64,
    letters: u64,
    cost: f64,
    seconds: f64,
    wish: Agreed,
}

impl Word {
    fn write(self) -> Vec<u8> {
        let wish = u64::from(self.wish.stop) | u64::from(self.wish.keep) << 1;
        let numbers = [self.level, self.letters, self.cost.to_bits(), self.seconds.to_bits(), wish];
        numbers.into_iter().flat_map(u64::to_le_bytes).collect()
    }

    fn read(text: &[u8]) -> Option<Self> {
        let (words, []) = text.as_chunks::<8>() else { return None };
        let [level, letters, cost, seconds, wish] =
            <[[u8; 8]; 5]>::try_from(words).ok()?.map(u64::from_le_bytes);
        let wish = Agreed { stop: wish & 1 == 1, keep: wish >> 1 & 1 == 1 };
        Some(Word {
            level,
            letters,
            cost: f64::from_bits(cost),
            seconds: f64::from_bits(seconds),
            wish,
        })
    }
}

fn outside(why: impl ToString) -> LineError {
    LineError::Outside(why.to_string())
}

/// Appends a list to a letter.
fn write_list(letter: &mut Vec<u8>, block: u32, list: &[u32]) {
    letter.reserve(8 + 4 * list.len());
    letter.extend(block.to_le_bytes());
    letter.extend((list.len() as u32).to_le_bytes());
    letter.extend(list.iter().flat_map(|number| number.to_le_bytes()));
}

/// Hands over the lists of a letter.
fn read_lists(letter: &[u8], list: &mut Vec<u32>, take: &mut Take<'_>) -> Result<(), LineError> {
    let cut = || outside("a letter is cut off");
    let (numbers, []) = letter.as_chunks::<4>() else { return Err(cut()) };
    let mut rest = numbers;
    while let [block, length, after @ ..] = rest {
        let length = u32::from_le_bytes(*length) as usize;
        let (numbers, after) = after.split_at_checked(length).ok_or_else(cut)?;
        list.clear();
        list.extend(numbers.iter().map(|&number| u32::from_le_bytes(number)));
        take(u32::from_le_bytes(*block) as usize, list)?;
        rest = after;
    }
    if rest.is_empty() { Ok(()) } else { Err(cut()) }
}

impl Exchange for Ranks<'_> {
    fn parties(&self) -> usize {
        self.post.ranks()
    }

    fn me(&self) -> usize {
        self.post.me()
    }

    fn offer(&self, block: usize, list: &[u32]) -> Result<(), LineError> {
        if self.post.ranks() == 1 {
            return Ok(());
        }
        let block = u32::try_from(block).map_err(outside)?;
        let mut state = lock(&self.state);
        write_list(&mut state.lists, block, list);
        if state.lists.len() >= LETTER {
            state.letters += 1;
            let letter = std::mem::take(&mut state.lists);
            drop(state);
            self.post.send(To::Others, Kind::Lists, letter);
        }
        Ok(())
    }

    fn complete(
        &self,
        level: usize,
        cost: u64,
        take: &mut Take<'_>,
    ) -> Result<Vec<f64>, LineError> {
        let mut state = lock(&self.state);
        let done = Instant::now();
        let worked = (done - state.began).as_secs_f64();
        state.worked += worked;
        state.cost = REMEMBERED * state.cost + cost as f64;
        state.seconds = REMEMBERED * state.seconds + worked;
        if !state.lists.is_empty() {
            state.letters += 1;
            let letter = std::mem::take(&mut state.lists);
            self.post.send(To::Others, Kind::Lists, letter);
        }
        let mine = Word {
            level: level as u64,
            letters: std::mem::take(&mut state.letters),
            cost: state.cost,
            seconds: state.seconds,
            wish: (self.wish)(),
        };
        drop(state);
        self.post.send(To::Others, Kind::Level, mine.write());
        let mut words = vec![mine; self.post.ranks()];
        let mut list = Vec::new();
        for rank in (0..self.post.ranks()).filter(|&rank| rank != self.post.me()) {
            let given_up = |_| outside("another rank cannot go on");
            let word = self.post.take_from(Kind::Level, rank).map_err(given_up)?;
            let word = Word::read(&word).filter(|word| word.level == level as u64);
            let word = word.ok_or_else(|| outside("ranks are at different levels"))?;
            for _ in 0..word.letters {
                let letter = self.post.take_from(Kind::Lists, rank).map_err(given_up)?;
                read_lists(&letter, &mut list, take)?;
            }
            words[rank] = word;
        }
        let agreed = Agreed {
            stop: words.iter().any(|word| word.wish.stop),
            keep: words.iter().any(|word| word.wish.keep),
        };
        let mut state = lock(&self.state);
        state.agreed = agreed;
        state.waited += done.elapsed().as_secs_f64();
        // All have the same numbers before them, and so come to the same speeds.
        let told = words.iter().all(|word| word.seconds > TOLD && word.cost > 0.0);
        Ok(words.iter().map(|word| if told { word.cost / word.seconds } else { 1.0 }).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_read_as_they_were_written() {
        let lists: [(usize, &[u32]); 3] = [(7, &[1, 5, u32::MAX]), (9, &[]), (1 << 20, &[0])];
        let mut letter = Vec::new();
        lists.iter().for_each(|&(block, list)| write_list(&mut letter, block as u32, list));
        let mut read = Vec::new();
        let mut take = |block: usize, list: &[u32]| {
            read.push((block, list.to_vec()));
            Ok(())
        };
        read_lists(&letter, &mut Vec::new(), &mut take).unwrap();
        assert!(read.iter().map(|(block, list)| (*block, &list[..])).eq(lists));
        // Whatever is missing is noticed.
        for length in 0..letter.len() {
            let mut count = 0;
            let mut take = |_: usize, _: &[u32]| {
                count += 1;
                Ok(())
            };
            let whole = read_lists(&letter[..length], &mut Vec::new(), &mut take).is_ok();
            assert!(!whole || count < lists.len(), "cut off at {length}");
        }
        let wish = Agreed { stop: false, keep: true };
        let word = Word { level: 3, letters: 2, cost: 1e9, seconds: 0.25, wish };
        let read = Word::read(&word.write()).unwrap();
        assert_eq!((read.level, read.letters, read.wish), (3, 2, wish));
        assert_eq!((read.cost, read.seconds), (1e9, 0.25));
        assert!(Word::read(&word.write()[1..]).is_none());
    }
}
