//! Certificates that are accepted, and mutants that are rejected by name.

use super::common::{found, game, proof, proof_mut};
use super::formulas::{evaluator, formula};
use nimatron_game::Unlimited;
use nimatron_prove::automata::{Automaton, prove_formula};
use nimatron_table::naive;
use nimatron_verify::{Certificate, ReadError, verify};

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
        assert!(Automaton::of_certificate(&again).is_some());
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
}

#[test]
fn the_formula_must_say_the_same_as_the_automaton() {
    for (name, text, wrong) in [
        (
            "CN(6,4)",
            "sym(a+b = d+e, b+c = e+f, xor(a,c,e) = 0, a = min)",
            [
                "sym(a+b = d+e, b+c = e+f, xor(a,c,e) = 1, a = min)",
                "sym(a+b = d+e, b+c = e+f, xor(a,c,f) = 0, a = min)",
                "sym(a+b = d+e, b+c = e+f, xor(a,c,e) = 0)",
                "sym(a+b = d+e, b+c = e+f, xor(a,c,e) = 0, a < min(b,c,d,e,f))",
            ],
        ),
        (
            "Slow(3,{2})",
            "reduced(let s = total mod 4, (s < 1, odds <= s) or s = 1 or (1 < s < 3, odds <= 2-s))",
            [
                "reduced(let s = total mod 5, (s < 1, odds <= s) or s = 1 or (1 < s < 3, odds <= 2-s))",
                "reduced(let s = total mod 4, (s < 1, odds <= s) or s = 2 or (1 < s < 3, odds <= 2-s))",
                "reduced(let s = total mod 4, s < 1 or s = 1 or (1 < s < 3, odds <= 2-s))",
                "let s = total mod 4, (s < 1, odds <= s) or s = 1 or (1 < s < 3, odds <= 2-s)",
            ],
        ),
        (
            "NN(6,5)",
            "a = f, min(a,f) = b+c+d+e",
            [
                "a = f, min(a,f) = b+c+d+e+1",
                "a = e, min(a,f) = b+c+d+f",
                "min(a,f) = b+c+d+e",
                "a <= f, min(a,f) = b+c+d+e",
            ],
        ),
    ] {
        let game = game(name);
        let right = formula(&game, text);
        let certificate = prove_formula(&game, &right, &Unlimited).unwrap().certificate;
        assert_eq!(verify(&certificate).unwrap().formula, Some(right.to_string()));
        let with = |text: &str| verify(&certificate.clone().with_formula(Some(text.into())));
        for wrong in wrong {
            let rejection = with(wrong).unwrap_err();
            assert_eq!(rejection.obligation(), "formula", "{wrong}");
            // The position shows it: the formulas differ there.
            let (accepted, position) = rejection.differs().unwrap();
            assert_eq!(evaluator(&game, &right).holds(position), accepted, "{wrong}");
            let wrong = evaluator(&game, &formula(&game, wrong));
            assert_eq!(wrong.holds(position), !accepted);
        }
        assert_eq!(with("a = = b").unwrap_err().obligation(), "formula");
        assert_eq!(with("z = 0").unwrap_err().obligation(), "formula");
        assert_eq!(with("a = 9000000000000").unwrap_err().obligation(), "limit");
        assert_eq!(
            with("a mod 1000003 = 1, b mod 1000003 = 1").unwrap_err().obligation(),
            "formula"
        );
        assert!(verify(&certificate.clone().with_formula(None)).unwrap().formula.is_none());
        // Another description of the same positions is as good.
        assert!(with(&format!("{text}, total+1 > total, xor(a+b,a+b) = 0")).is_ok());
    }
}

/// Certificates of games whose P-positions differ, by the oracle, are never exchanged.
#[test]
fn no_certificate_of_one_game_is_accepted_for_another() {
    let names = [
        "Nim(3)",
        "misere Nim(3)",
        "CN(3,2)",
        "PN(3,2)",
        "Exact(3,2)",
        "misere Exact(3,2)",
        "Slow(3,{1,2})",
        "Slow(3,{1,3})",
        "Slow(3,{2})",
        "Moore(3,3)",
        "Nim(4)",
        "CN(4,2)",
        "misere CN(4,2)",
        "PN(4,2)",
        "Moore(4,2)",
        "Exact(4,2)",
        "Slow(4,{1,2})",
        "Moore(4,3)",
    ];
    let certificates: Vec<Certificate> = names.iter().map(|name| found(name).certificate).collect();
    let mut rejected = 0;
    for certificate in &certificates {
        assert_eq!(obligation(certificate), "accepted");
        for other in names.map(game).iter().filter(|other| **other != certificate.game) {
            let stacks = other.stacks();
            if stacks == certificate.game.stacks() {
                let of = |game| naive::outcomes(game, &vec![4; stacks]).unwrap();
                let (own, theirs) = (of(&certificate.game), of(other));
                assert!(own.iter().any(|(p, outcome)| theirs.get(&p) != Some(outcome)), "{other}");
            }
            let mut exchanged = certificate.clone();
            exchanged.game = other.clone();
            assert_ne!(obligation(&exchanged), "accepted", "{} {other}", certificate.game);
            rejected += 1;
        }
    }
    assert_eq!(rejected, names.len() * (names.len() - 1));
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
    for version in ["0", "2", "4"] {
        let other = changed("\"version\":3", &format!("\"version\":{version}")).unwrap();
        assert_eq!(obligation(&other), "version");
    }
    let formula = "\"automaton\":{\"formula\":\"a = c, b = d\",";
    let with_formula = whole.replacen("\"automaton\":{", formula, 1);
    assert_eq!(obligation(&Certificate::read(with_formula.as_bytes()).unwrap()), "accepted");
    assert!(changed("\"automaton\"", "\"oracle\"").is_err());
    assert!(changed("CN(4,2)", "CN(4,9)").is_err());
    assert!(changed("\"version\":3", "\"version\":3,\"trust\":true").is_err());
    assert!(changed("\"initial\":0", "\"initial\":-1").is_err());
    assert!(changed("\"initial\":0", "\"initial\":4294967296").is_err());
    assert!(matches!(Certificate::read(std::io::repeat(b' ')), Err(ReadError::TooLong)));
}
