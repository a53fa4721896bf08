//! Automata as text for other tools.

use super::answer::Automaton;
use std::fmt::Write;

/// What all formats leave out: states from which no accepted position can be reached, and
/// the transitions to them. The initial state stays.
struct Live<'a> {
    automaton: &'a Automaton,
    live: Vec<bool>,
}

impl<'a> Live<'a> {
    fn new(automaton: &'a Automaton) -> Self {
        let dfa = automaton.dfa();
        let mut live = super::nfa::live(dfa);
        live[dfa.initial as usize] = true;
        Live { automaton, live }
    }

    /// The states, whether each is accepting, and its letters with the next states.
    fn rows(&self) -> impl Iterator<Item = (usize, bool, Vec<(u32, u32)>)> + '_ {
        let dfa = self.automaton.dfa();
        (0..dfa.states()).filter(|&q| self.live[q]).map(move |q| {
            let row = (0..).zip(dfa.next[q].iter().copied());
            let row = row.filter(|&(_, r)| self.live[r as usize]).collect();
            (q, dfa.accepting[q], row)
        })
    }

    /// The digits of a letter, those of the first stack first.
    fn digits(&self, letter: u32) -> impl Iterator<Item = u32> {
        (0..self.automaton.game().stacks()).map(move |stack| letter >> stack & 1)
    }
}

// Writing to a String never fails, so the results of `write!` are not looked at.
impl Automaton {
    /// A drawing for Graphviz; an arrow lists the letters that lead the same way.
    pub fn to_dot(&self) -> String {
        let live = Live::new(self);
        let mut dot = format!("digraph \"{}\" {{\n  rankdir=LR;\n", self.game());
        let _ = writeln!(dot, "  start [shape=point];\n  start -> {};", self.dfa().initial);
        for (q, accepting, row) in live.rows() {
            let shape = if accepting { "doublecircle" } else { "circle" };
            let _ = writeln!(dot, "  {q} [shape={shape}];");
            let mut targets: Vec<u32> = row.iter().map(|&(_, r)| r).collect();
            targets.sort_unstable();
            targets.dedup();
            for target in targets {
                let letters = row.iter().filter(|&&(_, r)| r == target);
                let letters: Vec<String> = letters
                    .map(|&(letter, _)| live.digits(letter).map(|d| d.to_string()).collect())
                    .collect();
                let _ = writeln!(dot, "  {q} -> {target} [label=\"{}\"];", letters.join("\\n"));
            }
        }
        dot.push_str("}\n");
        dot
    }

    /// The text format of the theorem prover Walnut: one track per stack, each in base 2 with the
    /// most significant digit first.
    pub fn to_walnut(&self) -> String {
        let live = Live::new(self);
        let mut text = vec!["msd_2"; self.game().stacks()].join(" ");
        text.push('\n');
        for (q, accepting, row) in live.rows() {
            let _ = writeln!(text, "\n{q} {}", u32::from(accepting));
            for (letter, target) in row {
                live.digits(letter).for_each(|digit| {
                    let _ = write!(text, "{digit} ");
                });
                let _ = writeln!(text, "-> {target}");
            }
        }
        text
    }
}
