//! Automata: what the checker of the theory looks up instead of searching is worked out here.

use crate::ExportError;
use crate::readable::Readable;
use nimatron_game::{Amounts, Game, Play, StackSet};
use nimatron_verify::automaton::{AutomatonProof, Dfa, MAX_STACKS, StateSymmetry};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::io::{self, Write};

/// The most combinations of two states and a set of stacks.
const MAX_TRIPLES: usize = 1 << 22;

/// Writes the certificate; returns the set, and the same by a formula if there is one that can be followed.
pub(crate) fn write(
    game: &Game,
    proof: &AutomatonProof,
    to: &mut dyn Write,
) -> Result<(String, Option<String>), ExportError> {
    if game.stacks() > MAX_STACKS {
        return Err(ExportError::Unsupported("automata that read so many stacks"));
    }
    let rules = Rules::new(game)?;
    let dfa = &proof.dfa;
    fits_together(&rules, proof)?;
    let alive = alive(dfa);
    let triples = triples(&rules, dfa, &alive)?;
    let ends = match game.convention() {
        Play::Misere => ends(&rules, dfa),
        _ => BTreeMap::new(),
    };

    writeln!(to, "Import Automaton.")?;
    writeln!(to, "Definition machine : automaton := Automaton {}", dfa.initial)?;
    writeln!(to, "  {} [", plain(&dfa.accepting))?;
    lines(to, dfa.next.iter().map(|row| format!("{}%N", plain(row))))?;
    writeln!(to, "  ].\n")?;
    writeln!(to, "Definition triples : list (N * list (N * list N)) := [")?;
    lines(
        to,
        triples.iter().map(|(q, others)| {
            let others = others.iter().map(|(r, sets)| format!("({r}, {})", plain(sets)));
            format!("({q}, [{}])%N", others.collect::<Vec<_>>().join("; "))
        }),
    )?;
    writeln!(to, "  ].")?;
    writeln!(to, "Definition symmetries : list symmetry := [")?;
    lines(
        to,
        proof.symmetries.iter().map(|symmetry| {
            let states = &symmetry.states;
            let mut back = vec![0u32; states.len()];
            states.iter().enumerate().for_each(|(q, &i)| back[i as usize] = q as u32);
            let stacks = plain(&symmetry.stacks);
            format!("Symmetry {stacks} {}%N {}%N", plain(states), plain(&back))
        }),
    )?;
    writeln!(to, "  ].")?;
    let mut chunks = Vec::new();
    for (number, chunk) in proof.macrostates.chunks(50).enumerate() {
        writeln!(to, "Definition macrostates{number} : list macrostate := [")?;
        lines(
            to,
            chunk.iter().map(|macrostate| {
                let pairs = |list: &[(u32, u32)]| {
                    let pairs = list.iter().map(|(a, b)| format!("({a}, {b})"));
                    format!("[{}]%N", pairs.collect::<Vec<_>>().join("; "))
                };
                let (moves, next) = (pairs(&macrostate.moves), pairs(&macrostate.next));
                match macrostate.terminal {
                    Some(tokens) => format!("Ending {tokens} {moves} {next}"),
                    None => format!("Macrostate {moves} {next}"),
                }
            }),
        )?;
        writeln!(to, "  ].")?;
        chunks.push(format!("macrostates{number}"));
    }
    writeln!(to, "Definition ends : list (N * list N) := [")?;
    let sets = |sets: &BTreeSet<u32>| plain(&sets.iter().collect::<Vec<_>>());
    lines(to, ends.iter().map(|(q, tokens)| format!("({q}, {})%N", sets(tokens))))?;
    writeln!(to, "  ].")?;
    writeln!(to, "Definition proof : certificate := Certificate machine {}", plain(&alive))?;
    writeln!(to, "  triples symmetries ({}) ends.\n", chunks.join(" ++ "))?;
    let readable = proof.formula.as_ref().and_then(|text| Readable::new(game, text, dfa));
    if let Some(readable) = &readable {
        readable.write(to)?;
    }
    Ok(("accepted machine".to_string(), readable.map(|readable| readable.statement)))
}

/// A list with an entry on each line.
fn lines(to: &mut dyn Write, entries: impl Iterator<Item = String>) -> io::Result<()> {
    for (i, entry) in entries.enumerate() {
        write!(to, "{}    {entry}", if i == 0 { "" } else { ";\n" })?;
    }
    writeln!(to)
}

fn plain<T: Display>(entries: &[T]) -> String {
    let entries: Vec<String> = entries.iter().map(T::to_string).collect();
    format!("[{}]", entries.join("; "))
}

/// The moves of a game, as they are seen by sets of stacks.
struct Rules {
    letters: usize,
    /// By set of stacks: whether it lies within a move set.
    within: Vec<bool>,
    /// The stacks from which a move takes exactly one token.
    single: u32,
}

impl Rules {
    fn new(game: &Game) -> Result<Self, ExportError> {
        let letters = 1 << game.stacks();
        let (mut within, mut single) = (vec![false; letters], 0);
        for summand in game.summands() {
            let (rule, first) = (summand.rule(), summand.stacks().start);
            let own = StackSet::first(rule.stacks());
            if rule.each() == Amounts::exactly(1) {
                single |= own.bits() << first;
            }
            for set in own.subsets() {
                within[(set.bits() << first) as usize] |= rule.sets().covers(set);
            }
        }
        within[0] = true;
        Ok(Rules { letters, within, single })
    }

    /// The stacks lowered after a letter of x and a letter of y, if some move looks so.
    fn step(&self, lowered: u32, x: u32, y: u32) -> Option<u32> {
        let up = y & !x;
        let after = lowered | x & !y;
        let fine = up & !lowered == 0 && lowered & self.single & !up == 0;
        (fine && self.within[after as usize]).then_some(after)
    }
}

/// What is needed so that nothing here is out of range.
fn fits_together(rules: &Rules, proof: &AutomatonProof) -> Result<(), ExportError> {
    let dfa = &proof.dfa;
    let states = dfa.states();
    let is_state = |q: &u32| (*q as usize) < states;
    let row = |row: &Vec<u32>| row.len() == rules.letters && row.iter().all(is_state);
    if !is_state(&dfa.initial) || dfa.next.len() != states || !dfa.next.iter().all(row) {
        return Err(ExportError::Broken("the automaton"));
    }
    let is_stack = |stack: &u32| 1usize.checked_shl(*stack).is_some_and(|bit| bit < rules.letters);
    let symmetry = |s: &StateSymmetry| {
        s.states.len() == states && s.states.iter().all(is_state) && s.stacks.iter().all(is_stack)
    };
    if !proof.symmetries.iter().all(symmetry) {
        return Err(ExportError::Broken("a symmetry"));
    }
    Ok(())
}

/// By state: whether an accepting one can still be reached.
fn alive(dfa: &Dfa) -> Vec<bool> {
    let mut alive = dfa.accepting.clone();
    loop {
        let leads_on = |q: &usize| !alive[*q] && dfa.next[*q].iter().any(|&r| alive[r as usize]);
        let more: Vec<usize> = (0..dfa.states()).filter(leads_on).collect();
        if more.is_empty() {
            return alive;
        }
        more.into_iter().for_each(|q| alive[q] = true);
    }
}

/// All (state, stacks that are not empty) that positions reach.
fn ends(rules: &Rules, dfa: &Dfa) -> BTreeMap<u32, BTreeSet<u32>> {
    let mut seen: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    let mut open = vec![(dfa.initial, 0u32)];
    while let Some((q, tokens)) = open.pop() {
        if seen.entry(q).or_default().insert(tokens) {
            let next = dfa.next[q as usize].iter().zip(0..rules.letters as u32);
            open.extend(next.map(|(&r, letter)| (r, tokens | letter)));
        }
    }
    seen
}

type Triples = BTreeMap<u32, BTreeMap<u32, Vec<u32>>>;

/// All (state of x, state of y, lowered stacks) that moves reach.
fn triples(rules: &Rules, dfa: &Dfa, alive: &[bool]) -> Result<Triples, ExportError> {
    let steps = |q: u32| {
        let row = dfa.next[q as usize].iter().enumerate();
        row.filter(|(_, r)| alive[**r as usize]).map(|(letter, &r)| (letter as u32, r))
    };
    let steps: Vec<Vec<(u32, u32)>> =
        (0..dfa.states()).map(|q| steps(q as u32).collect()).collect();
    let start = (dfa.initial, dfa.initial, 0u32);
    let (mut seen, mut open) = (BTreeSet::from([start]), vec![start]);
    while let Some((from, to, lowered)) = open.pop() {
        for &(x, q) in &steps[from as usize] {
            for &(y, r) in &steps[to as usize] {
                let Some(after) = rules.step(lowered, x, y) else { continue };
                if seen.insert((q, r, after)) {
                    open.push((q, r, after));
                }
            }
        }
        if seen.len() > MAX_TRIPLES {
            return Err(ExportError::Unsupported("so large an automaton"));
        }
    }
    let mut triples = Triples::new();
    for (q, r, lowered) in seen {
        triples.entry(q).or_default().entry(r).or_default().push(lowered);
    }
    Ok(triples)
}
