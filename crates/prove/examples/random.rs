//! Random systems of sets on six stacks that have an automaton, and formulas for them: `random SEED [COUNT]`.
//!
//! A system has 3 to 8 sets of 2 to 4 stacks, none within another, in which every stack occurs and no two
//! stacks lie in the same sets. Those are counted for which an automaton is found within the work allowed. The
//! same seed always gives the same list, whatever the machine.
#![allow(clippy::print_stdout)]

use nimatron_game::symmetry::canonical_form;
use nimatron_game::{Game, Stop, Watch};
use nimatron_prove::automata::{Discovery, Effort, discover};
use nimatron_prove::synthesis::synthesise;
use nimatron_verify::verify;
use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};

const STACKS: u32 = 6;

/// How often the search for an automaton may look at its limits, and the bytes it may hold.
const LOOKS: u64 = 1_200;
const BYTES: u64 = 1 << 30;

/// How often the search for a formula may.
const FOR_FORMULA: u64 = 100_000;

struct Looks(AtomicU64);

impl Looks {
    fn new(looks: u64) -> Self {
        Looks(AtomicU64::new(looks))
    }
}

impl Watch for Looks {
    fn check(&self, memory: u64) -> Result<(), Stop> {
        let left = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1));
        match left {
            Err(_) => Err(Stop::Work),
            Ok(_) if memory > BYTES => Err(Stop::Memory),
            Ok(_) => Ok(()),
        }
    }
}

/// Numbers that look random (Marsaglia's xorshift64*).
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let drawn = u128::from(self.0.wrapping_mul(0x2545_f491_4f6c_dd1d));
        ((drawn * u128::from(bound)) >> 64) as u64
    }

    /// The sets of a system, if what was drawn is one.
    fn system(&mut self) -> Option<Vec<u32>> {
        let sets = 3 + self.below(6);
        let mut system: Vec<u32> = Vec::new();
        for _ in 0..sets {
            let size = 2 + self.below(3) as u32;
            let mut set = 0u32;
            while set.count_ones() < size {
                set |= 1 << self.below(STACKS.into());
            }
            if system.iter().any(|s| s & set == *s || s & set == set) {
                return None;
            }
            system.push(set);
        }
        let column = |s: u32| -> Vec<bool> { system.iter().map(|set| set >> s & 1 == 1).collect() };
        let columns: HashSet<Vec<bool>> = (0..STACKS).map(column).collect();
        let fine = columns.len() == STACKS as usize && columns.iter().all(|c| c.contains(&true));
        system.sort_by_key(|set| (set.count_ones(), set.reverse_bits()));
        fine.then_some(system)
    }
}

fn name(system: &[u32]) -> String {
    let set = |set: &u32| {
        ('a'..).take(6).enumerate().filter(|(s, _)| set >> s & 1 == 1).map(|(_, c)| c).collect()
    };
    format!("Set({})", system.iter().map(set).collect::<Vec<String>>().join(","))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let seed: u64 = arguments.next().ok_or("which seed?")?.parse()?;
    let count: usize = arguments.next().map_or(Ok(20), |text| text.parse())?;
    let mut chance = Chance(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut seen = HashSet::new();
    let (mut drawn, mut with, mut lengths) = (0, 0, Vec::new());
    while with < count {
        let Some(system) = chance.system() else { continue };
        let game: Game = name(&system).parse()?;
        if let Some(rule) = game.single()
            && !seen.insert(format!("{:?}", canonical_form(rule.sets(), None).0))
        {
            continue;
        }
        drawn += 1;
        let Discovery::Found(found) = discover(&game, Effort::default(), &Looks::new(LOOKS))?
        else {
            continue;
        };
        with += 1;
        let formula = synthesise(&game, found.automaton.dfa(), &Looks::new(FOR_FORMULA));
        let states = found.statistics.states;
        let text = formula.ok().and_then(|found| found.formula).map(|formula| formula.to_string());
        let accepted = |text: &String| {
            verify(&found.certificate.clone().with_formula(Some(text.clone()))).is_ok()
        };
        match text.filter(accepted) {
            Some(text) => {
                println!("| {} | {game} | {states} | `{text}` |", text.len());
                lengths.push(text.len());
            }
            None => println!("| | {game} | {states} | none found |"),
        }
    }
    lengths.sort_unstable();
    let median = lengths.get(lengths.len() / 2);
    println!("{} of {with} ({drawn} drawn), median length {median:?}", lengths.len());
    Ok(())
}
