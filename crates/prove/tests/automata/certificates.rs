//! Certificates that are accepted, and mutants that are rejected by name.

use super::common::{Arbitrary, found, game, proof, proof_mut, same_language};
use nimatron_prove::automata::{Automaton, NotAnAutomaton};
use nimatron_verify::{Certificate, ReadError, verify};
use std::collections::BTreeMap;

fn text(certificate: &Certificate) -> String {
    let mut text = Vec::new();
    certificate.write(&mut text).unwrap();
    String::from_utf8(text).unwrap()
}

fn obligation(certificate: &Certificate) -> &'static str {
    verify(certificate).map_or_else(|rejection| rejection.obligation(), |_| "accepted")
}

#[test]
fn written_and_read_back() {
    for name in ["CN(5,2)", "misere CN(5,2)", "Slow(3,{2})", "Nim(1) + Nim(1)"] {
        let certificate = found(name).certificate;
        let again = Certificate::read(text(&certificate).as_bytes()).unwrap();
        assert_eq!(again, certificate);
        let accepted = verify(&again).unwrap();
        assert_eq!((accepted.game, accepted.kind), (game(name), "automaton"));
        assert!(Automaton::from_certificate(&again).is_ok());
    }
}

#[test]
fn another_game() {
    let certificate = found("CN(5,2)").certificate;
    let with = |name: &str| {
        let mut other = certificate.clone();
        other.game = game(name);
        obligation(&other)
    };
    assert_eq!(with("CN(5,2)"), "accepted");
    // The same moves under another name.
    assert_eq!(with("Set(ab,bc,cd,de,ae)"), "accepted");
    assert_eq!(with("CN(5,3)"), "stability");
    assert_eq!(with("Moore(5,2)"), "stability");
    // A facet added: some move now stays inside S; a facet removed: the rotations go.
    assert_eq!(with("Set(ab,bc,cd,de,ae,ac)"), "symmetry");
    assert_eq!(with("Set(ab,bc,cd,de)"), "symmetry");
    assert_eq!(with("Nim(5)"), "closure");
    assert_eq!(with("CN(6,2)"), "well-formed");
    assert_eq!(with("CN(4,2)"), "well-formed");
    assert_eq!(with("misere CN(5,2)"), "terminal");
    assert_eq!(with("CN(5,2) each>=1"), "acceptance");
    assert_eq!(with("CN(5,2) total=3"), "rule");
    assert_eq!(with("Nim(13)"), "size");
    let mut other = certificate.clone();
    other.game = game("CN(5,3)");
    let rejected = Automaton::from_certificate(&other);
    assert!(matches!(rejected, Err(NotAnAutomaton::Rejected(_))));
}

#[test]
fn facets_added_and_removed_without_symmetries() {
    // A game whose only symmetry is the identity, so that nothing but the moves can fail.
    let certificate = found("Set(bc,be,ade,cde)").certificate;
    assert_eq!(proof(&certificate).symmetries.len(), 1);
    let with = |name: &str| {
        let mut other = certificate.clone();
        other.game = game(name);
        obligation(&other)
    };
    assert_eq!(with("Set(bc,be,ade,cde)"), "accepted");
    for added in ["ab", "bd", "ac", "abc", "bce"] {
        assert_eq!(with(&format!("Set(bc,be,ade,cde,{added})")), "stability", "{added}");
    }
    for removed in ["be,ade,cde", "bc,ade,cde", "bc,be,ade", "bc,be,cde,a"] {
        assert_eq!(with(&format!("Set({removed})")), "closure", "{removed}");
    }
}

#[test]
fn normal_and_misere_are_not_confused() {
    for name in ["Nim(3)", "CN(5,3)", "Exact(3,2)", "Slow(3,{2})"] {
        let mut normal = found(name).certificate;
        normal.game = game(&format!("misere {name}"));
        assert_eq!(obligation(&normal), "terminal", "{name}");
        let mut misere = found(&format!("misere {name}")).certificate;
        misere.game = game(name);
        assert_eq!(obligation(&misere), "well-formed", "{name}");
        // Even without the states that wait for terminal positions.
        proof_mut(&mut misere).macrostates.iter_mut().for_each(|m| m.terminal = None);
        assert_eq!(obligation(&misere), "acceptance", "{name}");
    }
}

#[test]
fn single_changes() {
    let certificate = found("CN(5,2)").certificate;
    let with = |change: &dyn Fn(&mut nimatron_verify::automaton::AutomatonProof)| {
        let mut mutant = certificate.clone();
        change(proof_mut(&mut mutant));
        obligation(&mutant)
    };
    let original = proof(&certificate);
    let live = |q: usize| original.dfa.next[q].iter().any(|&r| r as usize != q);
    assert_eq!(with(&|_| {}), "accepted");
    for state in 0..original.dfa.states() {
        let flipped = with(&|p| p.dfa.accepting[state] = !p.dfa.accepting[state]);
        assert_ne!(flipped, "accepted", "state {state}");
    }
    // A transition changed breaks the symmetry or, without symmetries, a move or a cover.
    assert_eq!(with(&|p| p.dfa.next[0][3] = 0), "symmetry");
    assert_eq!(with(&|p| p.dfa.next[0][0] = 1), "leading-zeros");
    assert!(live(0));
    assert_eq!(
        with(&|p| {
            p.dfa.accepting.pop();
        }),
        "well-formed"
    );
    assert_eq!(
        with(&|p| {
            p.dfa.next.pop();
        }),
        "well-formed"
    );
    assert_eq!(
        with(&|p| {
            p.dfa.next[3].pop();
        }),
        "well-formed"
    );
    assert_eq!(with(&|p| p.dfa.next[3][1] = 22), "well-formed");
    assert_eq!(with(&|p| p.dfa.initial = 22), "well-formed");
    assert_eq!(with(&|p| p.dfa.initial = 1), "leading-zeros");
    // A macrostate dropped, with and without repairing the numbers behind it.
    assert_eq!(
        with(&|p| {
            p.macrostates.pop();
        }),
        "well-formed"
    );
    assert_eq!(with(&|p| p.macrostates.clear()), "root");
    assert_eq!(
        with(&|p| {
            p.macrostates.remove(0);
        }),
        "well-formed"
    );
    for dropped in 1..original.macrostates.len() {
        let rejected = with(&|p| {
            p.macrostates.remove(dropped);
            let next = p.macrostates.iter_mut().flat_map(|m| m.next.iter_mut());
            next.filter(|(target, _)| *target as usize >= dropped)
                .for_each(|(target, _)| *target -= 1);
        });
        assert_ne!(rejected, "accepted", "macrostate {dropped}");
    }
    assert_eq!(with(&|p| p.macrostates.swap(0, 1)), "root");
    assert_eq!(with(&|p| p.macrostates[1].moves.clear()), "acceptance");
    assert_eq!(with(&|p| p.macrostates[0].moves.push((0, 1))), "root");
    assert_eq!(with(&|p| p.macrostates[1].moves.push((0, 3))), "closure");
    assert_eq!(with(&|p| p.macrostates[1].moves.push((0, 32))), "well-formed");
    assert_eq!(with(&|p| p.macrostates[0].terminal = Some(0)), "well-formed");
    assert_eq!(
        with(&|p| {
            p.macrostates[0].next.pop();
        }),
        "well-formed"
    );
    // Relabellings that are none, or no symmetries.
    assert_eq!(with(&|p| p.symmetries[1].stacks.swap(0, 1)), "symmetry");
    assert_eq!(with(&|p| p.symmetries[1].stacks = p.symmetries[0].stacks.clone()), "symmetry");
    assert_eq!(with(&|p| p.symmetries[1].states = p.symmetries[0].states.clone()), "symmetry");
    assert_eq!(with(&|p| p.symmetries[1].stacks = vec![0; 5]), "well-formed");
    assert_eq!(
        with(&|p| {
            p.symmetries.pop();
        }),
        "well-formed"
    );
    assert_eq!(with(&|p| p.symmetries.reverse()), "closure");
}

/// One arbitrary change somewhere in the certificate, and what it is called.
fn mutate(certificate: &mut Certificate, any: &mut Arbitrary) -> &'static str {
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
            return "member dropped";
        }
        5 => {
            chosen.moves.push((any.below(states) as u32, any.below(letters) as u32));
            return "member added";
        }
        6 => {
            if let Some(entry) = chosen.moves.get_mut(member) {
                entry.1 = any.below(letters) as u32;
            }
            return "member changed";
        }
        7 | 8 => {
            let target = (any.below(count) as u32, any.below(symmetries) as u32);
            chosen.next[any.below(letters)] = target;
            return "target changed";
        }
        9 => {
            let symmetry = &mut proof.symmetries[any.below(symmetries)];
            symmetry.states.swap(state, any.below(states));
            return "state permutation changed";
        }
        10 => {
            let symmetry = &mut proof.symmetries[any.below(symmetries)];
            let n = symmetry.stacks.len();
            symmetry.stacks.swap(any.below(n), any.below(n));
            return "stack permutation changed";
        }
        _ => {
            let other = any.below(count);
            proof.macrostates.swap(macrostate, other);
            return "macrostates exchanged";
        }
    }
    "automaton changed"
}

#[test]
fn arbitrary_changes_are_rejected_or_harmless() {
    let mut any = Arbitrary(7);
    let (mut rejected, mut harmless) = (BTreeMap::new(), BTreeMap::new());
    for name in ["CN(5,2)", "CN(5,3)", "misere Nim(3)", "Exact(4,2)", "Slow(3,{2})", "PN(4,2)"] {
        let certificate = found(name).certificate;
        for _ in 0..60 {
            let mut mutant = certificate.clone();
            let mut change = "";
            while mutant == certificate {
                change = mutate(&mut mutant, &mut any);
            }
            match verify(&mutant) {
                Err(rejection) => *rejected.entry(rejection.obligation()).or_insert(0) += 1,
                Ok(_) => {
                    // Still a proof: then of the same set.
                    let same = same_language(&proof(&mutant).dfa, &proof(&certificate).dfa);
                    assert!(same, "{name}: {change} lets a wrong automaton pass");
                    *harmless.entry(change).or_insert(0) += 1;
                }
            }
        }
    }
    // What can leave a proof intact: another symmetry that serves as well, a macrostate with a
    // member more or less, another target that fits. Never a change of the automaton, which is
    // minimal.
    let may_pass = [
        "stack permutation changed",
        "state permutation changed",
        "member added",
        "member changed",
        "member dropped",
        "target changed",
    ];
    assert!(harmless.keys().all(|change| may_pass.contains(change)), "{harmless:?}");
    assert!(harmless.values().sum::<usize>() <= 10, "{harmless:?}");
    let names = ["acceptance", "closure", "leading-zeros", "root", "stability", "symmetry"];
    for name in names {
        assert!(rejected.contains_key(name), "nothing was rejected for {name}: {rejected:?}");
    }
}

#[test]
fn truncated_and_foreign_files() {
    let whole = text(&found("CN(4,2)").certificate);
    assert!(Certificate::read(whole.as_bytes()).is_ok());
    for end in (0..whole.trim_end().len()).step_by(7) {
        let read = Certificate::read(&whole.as_bytes()[..end]);
        assert!(matches!(read, Err(ReadError::Json(_))), "{end}");
    }
    let twice = format!("{whole}{whole}");
    assert!(matches!(Certificate::read(twice.as_bytes()), Err(ReadError::Json(_))));
    let changed = |from: &str, to: &str| Certificate::read(whole.replacen(from, to, 1).as_bytes());
    assert_eq!(obligation(&changed("nimatron-certificate", "other").unwrap()), "format");
    assert_eq!(obligation(&changed("\"version\":2", "\"version\":1").unwrap()), "version");
    assert!(changed("\"automaton\"", "\"oracle\"").is_err());
    assert!(changed("CN(4,2)", "CN(4,9)").is_err());
    assert!(changed("\"version\":2", "\"version\":2,\"trust\":true").is_err());
    assert!(changed("\"initial\":0", "\"initial\":-1").is_err());
    assert!(changed("\"initial\":0", "\"initial\":4294967296").is_err());
    assert!(matches!(Certificate::read(std::io::repeat(b' ')), Err(ReadError::TooLong)));
}
