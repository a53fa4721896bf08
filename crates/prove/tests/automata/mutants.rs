//! Arbitrary changes of certificates: rejected by name, or harmless for a reason.
//!
//! The reasons do not depend on what the checker says. They are found by plain code that shares nothing with the checker: it plays both digits of
//! every stack by the words of the rule.

use super::common::{Arbitrary, found, game, proof, proof_mut};
use super::formulas::{evaluator, formula};
use nimatron_formula::{Formula, Relation, Term};
use nimatron_game::{Amounts, Game, StackSet, Unlimited};
use nimatron_prove::automata::{formula_automaton, prove_formula};
use nimatron_verify::automaton::{AutomatonProof, Macrostate};
use nimatron_verify::{Certificate, verify};
use std::collections::{BTreeMap, BTreeSet};

/// What a change touches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Change {
    Automaton,
    Macrostate(usize),
    Target(usize, usize),
    Symmetry(usize),
    Exchange,
}

/// One arbitrary change somewhere in the certificate.
fn mutate(certificate: &mut Certificate, any: &mut Arbitrary) -> Change {
    let proof = proof_mut(certificate);
    let states = proof.dfa.states();
    let letters = proof.dfa.next[0].len();
    let kind = any.below(12);
    let state = any.below(states);
    let macrostate = any.below(proof.macrostates.len());
    let count = proof.macrostates.len();
    let symmetries = proof.symmetries.len();
    let chosen = &mut proof.macrostates[macrostate];
    let member = any.below(chosen.moves.len());
    match kind {
        0 => proof.dfa.accepting[state] ^= true,
        1 | 2 => proof.dfa.next[state][any.below(letters)] = any.below(states) as u32,
        3 => {
            let (a, b) = (any.below(letters), any.below(letters));
            proof.dfa.next[state].swap(a, b);
        }
        4 => {
            if !chosen.moves.is_empty() {
                chosen.moves.swap_remove(member);
            }
            return Change::Macrostate(macrostate);
        }
        5 => {
            chosen.moves.push((any.below(states) as u32, any.below(letters) as u32));
            return Change::Macrostate(macrostate);
        }
        6 => {
            if let Some(entry) = chosen.moves.get_mut(member) {
                entry.1 = any.below(letters) as u32;
            }
            return Change::Macrostate(macrostate);
        }
        7 | 8 => {
            let target = (any.below(count) as u32, any.below(symmetries) as u32);
            let letter = any.below(letters);
            chosen.next[letter] = target;
            return Change::Target(macrostate, letter);
        }
        9 => {
            let number = any.below(symmetries);
            proof.symmetries[number].states.swap(state, any.below(states));
            return Change::Symmetry(number);
        }
        10 => {
            let number = any.below(symmetries);
            let symmetry = &mut proof.symmetries[number];
            let n = symmetry.stacks.len();
            symmetry.stacks.swap(any.below(n), any.below(n));
            return Change::Symmetry(number);
        }
        _ => {
            let other = any.below(count);
            proof.macrostates.swap(macrostate, other);
            return Change::Exchange;
        }
    }
    Change::Automaton
}

/// A certificate looked at by plain code. Single games only.
struct Plain<'a> {
    game: &'a Game,
    proof: &'a AutomatonProof,
}

impl Plain<'_> {
    /// What may be played on: the sets within move sets, and those that a move plays on exactly.
    fn is_within(&self, lowered: u32) -> bool {
        self.game.single().unwrap().sets().covers(StackSet::from_bits(lowered))
    }

    fn is_played(&self, lowered: u32) -> bool {
        lowered != 0 && self.game.single().unwrap().allows_support(StackSet::from_bits(lowered))
    }

    /// The members that a letter of x leads to, for all letters of y.
    fn reached(&self, from: &Macrostate, x: u32) -> BTreeSet<(u32, u32)> {
        let n = self.game.stacks();
        let one = self.game.single().unwrap().each() == Amounts::exactly(1);
        let mut to = BTreeSet::new();
        for &(q, lowered) in &from.moves {
            for y in 0..1u32 << n {
                let mut after = 0;
                let fits = (0..n).all(|s| {
                    let (was, dx, dy) = (lowered >> s & 1 == 1, x >> s & 1, y >> s & 1);
                    after |= u32::from(was || dx > dy) << s;
                    if was { !one || (dx, dy) == (0, 1) } else { dx >= dy }
                });
                if fits && (after == 0 || self.is_within(after)) {
                    to.insert((self.proof.dfa.next[q as usize][y as usize], after));
                }
            }
        }
        to
    }

    fn image(&self, symmetry: u32, set: u32) -> u32 {
        let stacks = &self.proof.symmetries[symmetry as usize].stacks;
        (0..stacks.len()).filter(|s| set >> s & 1 == 1).fold(0, |all, s| all | 1 << stacks[s])
    }

    /// A letter leads from a macrostate to the image of its target.
    fn leads(&self, number: usize, letter: usize) -> bool {
        let from = &self.proof.macrostates[number];
        let (target, g) = from.next[letter];
        let target = &self.proof.macrostates[target as usize];
        let reached = self.reached(from, letter as u32);
        let states = &self.proof.symmetries[g as usize].states;
        let image = |&(q, l): &(u32, u32)| (states[q as usize], self.image(g, l));
        let tokens = from.terminal.map(|tokens| tokens | letter as u32);
        target.moves.iter().all(|member| reached.contains(&image(member)))
            && target.terminal.is_none_or(|set| Some(self.image(g, set)) == tokens)
    }

    fn accepts(&self, number: usize) -> bool {
        let wins = |&(q, lowered): &(u32, u32)| {
            self.proof.dfa.accepting[q as usize] && (lowered == 0 || self.is_played(lowered))
        };
        let Macrostate { moves, terminal, .. } = &self.proof.macrostates[number];
        let stuck = |tokens: u32| {
            let heights: Vec<u64> =
                (0..self.game.stacks()).map(|s| u64::from(tokens >> s & 1)).collect();
            self.game.is_terminal(&heights)
        };
        moves.iter().any(wins) || terminal.is_some_and(stuck)
    }

    /// A relabelling keeps the moves and the automaton.
    fn is_symmetry(&self, number: usize) -> bool {
        let g = &self.proof.symmetries[number];
        let dfa = &self.proof.dfa;
        let state = |q: u32| g.states[q as usize];
        let image = |set: u32| self.image(number as u32, set);
        let same_moves = (1..1u32 << self.game.stacks()).all(|set| {
            self.is_within(set) == self.is_within(image(set))
                && self.is_played(set) == self.is_played(image(set))
        });
        let keeps = |q: u32| {
            let (row, image_row) = (&dfa.next[q as usize], &dfa.next[state(q) as usize]);
            dfa.accepting[q as usize] == dfa.accepting[state(q) as usize]
                && (0..).zip(row).all(|(x, &r)| state(r) == image_row[image(x) as usize])
        };
        let permutes =
            |images: &[u32]| images.iter().collect::<BTreeSet<_>>().len() == images.len();
        same_moves
            && permutes(&g.states)
            && permutes(&g.stacks)
            && state(dfa.initial) == dfa.initial
            && (0..dfa.states() as u32).all(keeps)
    }
}

/// Why a changed certificate still proves what the original proves, if it does: everything that the
/// change touches is looked at again. The rest holds as it did.
fn reason(
    original: &AutomatonProof,
    mutant: &AutomatonProof,
    game: &Game,
    change: Change,
) -> Option<&'static str> {
    // The set claimed is the same, as is all that is not mentioned in the change.
    if mutant.dfa != original.dfa || mutant.formula != original.formula {
        return None;
    }
    let plain = Plain { game, proof: mutant };
    let all = |matters: &dyn Fn(usize, (u32, u32)) -> bool| {
        mutant.macrostates.iter().enumerate().all(|(number, macrostate)| {
            let mut next = macrostate.next.iter().enumerate();
            next.all(|(letter, &to)| !matters(number, to) || plain.leads(number, letter))
        })
    };
    match change {
        Change::Automaton | Change::Exchange => None,
        Change::Macrostate(k) => {
            let (before, after) = (&original.macrostates[k].moves, &mutant.macrostates[k].moves);
            let set = |moves: &[(u32, u32)]| moves.iter().copied().collect::<BTreeSet<_>>();
            let (before, after) = (set(before), set(after));
            let fits = plain.accepts(k) && all(&|from, to| from == k || to.0 as usize == k);
            let root = k == 0 && after.iter().any(|&member| member != (mutant.dfa.initial, 0));
            if !fits || root {
                return None;
            }
            Some(match (after.is_subset(&before), before.is_subset(&after)) {
                (true, true) => "the same members in another order, or twice",
                (true, false) => "a member that is not needed",
                (false, true) => "a further member, reached wherever the macrostate is a target",
                (false, false) => "another member, reached wherever the macrostate is a target",
            })
        }
        Change::Target(k, letter) => {
            plain.leads(k, letter).then_some("another target that is reached as well")
        }
        Change::Symmetry(g) => {
            let used =
                mutant.macrostates.iter().any(|m| m.next.iter().any(|to| to.1 as usize == g));
            let fits = plain.is_symmetry(g) && all(&|_, to| to.1 as usize == g);
            fits.then_some(if used {
                "another symmetry, under which all targets are reached as well"
            } else {
                "another symmetry, which is not used"
            })
        }
    }
}

#[test]
fn arbitrary_changes_are_rejected_or_harmless() {
    let mut any = Arbitrary(1);
    let (mut rejected, mut harmless) = (BTreeMap::new(), Vec::new());
    for name in ["CN(5,2)", "CN(5,3)", "misere Nim(3)", "Exact(4,2)", "Slow(3,{2})", "PN(4,2)"] {
        let certificate = found(name).certificate;
        for number in 0..100 {
            let mut mutant = certificate.clone();
            let mut change = Change::Automaton;
            while mutant == certificate {
                change = mutate(&mut mutant, &mut any);
            }
            let reason = reason(proof(&certificate), proof(&mutant), &game(name), change);
            match verify(&mutant) {
                Err(rejection) => {
                    *rejected.entry(rejection.obligation()).or_insert(0) += 1;
                }
                Ok(_) => {
                    let reason = reason.unwrap_or_else(|| panic!("{name} {number}: {change:?}"));
                    harmless.push((name, number, reason));
                }
            }
        }
    }
    let (unused, target) =
        ("another symmetry, which is not used", "another target that is reached as well");
    let expected = [
        ("misere Nim(3)", 20, target),
        ("misere Nim(3)", 22, "a further member, reached wherever the macrostate is a target"),
        ("misere Nim(3)", 27, unused),
        ("misere Nim(3)", 36, unused),
        ("misere Nim(3)", 69, unused),
        ("misere Nim(3)", 79, unused),
        ("misere Nim(3)", 88, unused),
    ];
    assert_eq!(harmless, expected);
    let names = ["acceptance", "closure", "leading-zeros", "root", "stability", "symmetry"];
    for name in names {
        assert!(rejected.contains_key(name), "nothing was rejected for {name}: {rejected:?}");
    }
    let all = ["terminal", "well-formed"].iter().chain(&names);
    assert_eq!(all.filter_map(|name| rejected.get(name)).sum::<usize>(), 600 - harmless.len());
}

/// A formula with one arbitrary change: another relation, number or stack, a part left out.
fn changed(formula: &Formula, any: &mut Arbitrary, stacks: usize) -> Formula {
    let inner = |f: &Formula, any: &mut Arbitrary| Box::new(changed(f, any, stacks));
    match formula {
        Formula::Not(f) => Formula::Not(inner(f, any)),
        Formula::Sym(f) => match any.below(8) {
            0 => (**f).clone(),
            _ => Formula::Sym(inner(f, any)),
        },
        Formula::Reduced(f) => Formula::Reduced(inner(f, any)),
        Formula::Let(name, value, body) => match any.below(3) {
            0 => Formula::Let(name.clone(), changed_term(value, any, stacks), body.clone()),
            _ => Formula::Let(name.clone(), value.clone(), inner(body, any)),
        },
        Formula::And(items) | Formula::Or(items) if !items.is_empty() => {
            let mut items = items.clone();
            let chosen = any.below(items.len());
            match any.below(3) {
                0 => drop(items.remove(chosen)),
                _ => items[chosen] = changed(&items[chosen], any, stacks),
            }
            let is_and = matches!(formula, Formula::And(_));
            if is_and { Formula::and(items) } else { Formula::or(items) }
        }
        Formula::Compare(left, relation, right) => {
            let relations = [
                Relation::Less,
                Relation::AtMost,
                Relation::Equal,
                Relation::NotEqual,
                Relation::AtLeast,
                Relation::Greater,
            ];
            let (left, right) = (left.clone(), right.clone());
            match any.below(3) {
                0 => Formula::Compare(left, relations[any.below(6)], right),
                1 => Formula::Compare(changed_term(&left, any, stacks), *relation, right),
                _ => Formula::Compare(left, *relation, changed_term(&right, any, stacks)),
            }
        }
        Formula::Span(sets) if sets.len() > 1 => {
            let mut sets = sets.clone();
            sets.remove(any.below(sets.len()));
            Formula::Span(sets)
        }
        other => other.clone(),
    }
}

fn changed_term(term: &Term, any: &mut Arbitrary, stacks: usize) -> Term {
    match term {
        Term::Constant(c) => Term::Constant(c + if any.below(2) == 0 { 1 } else { -1 }),
        Term::Stack(_) => Term::Stack(any.below(stacks)),
        Term::Sum(items) | Term::Xor(items) | Term::Min(items) | Term::Max(items) => {
            let mut items = items.clone();
            let chosen = any.below(items.len());
            match any.below(3) {
                0 if items.len() > 1 => drop(items.remove(chosen)),
                _ => items[chosen] = changed_term(&items[chosen], any, stacks),
            }
            match term {
                Term::Sum(_) => Term::sum(items),
                Term::Xor(_) => Term::Xor(items),
                Term::Min(_) => Term::Min(items),
                _ => Term::Max(items),
            }
        }
        Term::Scale(factor, inner) => Term::scale(factor + 1, (**inner).clone()),
        Term::Mod(inner, modulus) => Term::Mod(inner.clone(), modulus + 1),
        Term::Least => Term::Greatest,
        Term::Greatest => Term::Least,
        _ => Term::Constant(1),
    }
}

/// The formula of a certificate changed: rejected with a position at which the two formulas differ,
/// or else the finder's own translation of both is the same automaton.
#[test]
fn arbitrary_changes_of_formulas_are_rejected_or_harmless() {
    let mut any = Arbitrary(3);
    let (mut rejected, mut harmless) = (0, Vec::new());
    for (name, text) in [
        ("Nim(3)", "xor(a,b,c) = 0"),
        ("misere Nim(3)", "(max > 1, xor(a,b,c) = 0) or (max < 2, odd(total))"),
        ("Set(ab,c,d)", "xor(a+b,c,d) = 0"),
        ("CN(5,2)", "sym(b = e, a+b = c+d, a = max)"),
        ("CN(6,3)", "span(ad, be, cf, ace, bdf)"),
        ("CN(6,4)", "sym(a+b = d+e, b+c = e+f, xor(a,c,e) = 0, a = min)"),
        ("H", "a+b+c = d+e+f, min(a,f) = min(b+c,c+d,d+e)"),
        ("Slow(4,{1,2})", "odds = 0 or (odds = 3, even(min))"),
        (
            "Slow(3,{2})",
            "reduced(let s = total mod 4, (s < 1, odds <= s) or s = 1 or \
            (1 < s < 3, odds <= 2-s))",
        ),
    ] {
        let game = game(name);
        let original = formula(&game, text);
        let certificate = prove_formula(&game, &original, &Unlimited).unwrap().certificate;
        let holds = evaluator(&game, &original);
        for _ in 0..20 {
            let mut mutant = original.clone();
            while mutant.to_string() == original.to_string() {
                mutant = changed(&original, &mut any, game.stacks());
            }
            let dfa = formula_automaton(&game, &mutant, &Unlimited).unwrap();
            let same = dfa == proof(&certificate).dfa;
            match verify(&certificate.clone().with_formula(Some(mutant.to_string()))) {
                Err(why) if why.differs().is_some() => {
                    let (accepted, position) = why.differs().unwrap();
                    assert!(!same, "{name}, {mutant}");
                    assert_eq!(holds.holds(position), accepted, "{name}, {mutant}: {position}");
                    let mutant_holds = evaluator(&game, &mutant).holds(position);
                    assert_eq!(mutant_holds, !accepted, "{name}, {mutant}: {position}");
                    rejected += 1;
                }
                Err(other) => panic!("{name}, {mutant}: {other}"),
                Ok(_) => {
                    assert!(same, "{name}, {mutant}");
                    harmless.push(format!("{name}: {mutant}"));
                }
            }
        }
    }
    let expected = [
        // An exclusive or, and the number of odd stacks, is never negative.
        "Nim(3): xor(a,b,c) <= 0",
        "misere Nim(3): (max > 1, xor(a,b,c) = 0) or (max < 2, total mod 2 >= 1)",
        "Slow(4,{1,2}): odds <= 0 or (odds = 3, even(min))",
        "Slow(4,{1,2}): odds = 0 or (odds = 3, min mod 2 <= 0)",
        "Slow(4,{1,2}): odds <= 0 or (odds = 3, even(min))",
        // For s = 3 there would have to be at most -1 odd stacks.
        "Slow(3,{2}): reduced(let s = total mod 4, (s < 1, odds <= s) or s = 1 or \
         (1 < s, odds <= 2-s))",
    ];
    assert_eq!(harmless, expected);
    assert_eq!(rejected + harmless.len(), 180);
}
