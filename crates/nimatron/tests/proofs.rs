//! Proofs that are found, checked, kept and used.

use nimatron::crates::formula::{Context, Formula};
use nimatron::crates::game::Unlimited;
use nimatron::crates::theory::Theorem;
use nimatron::crates::theory::library::star_with_base::StarWithBaseNim;
use nimatron::crates::verify::{Certificate, Proof};
use nimatron::proofs::{
    Attempt, DiscoverMethod, Examination, Expected, Found, Judgement, NotAccepted, ProofKind,
    ProveMethod, Proved, Refutation, Store, StoreError, Undecided, discover, member, prove,
};
use nimatron::tables::p_positions;
use nimatron::{By, Game, Height, Knowledge, Limits, Options, Outcome, Play, Position, Prepared};
use std::path::PathBuf;
use std::time::Duration;

fn game(text: &str) -> Game {
    text.parse().unwrap()
}

fn formula(game: &Game, text: &str) -> Formula {
    Formula::parse(text, &Context::of_game(game)).unwrap()
}

fn discovered(text: &str, method: DiscoverMethod) -> Proved {
    let discovery = discover(&game(text), method, &Limits::unlimited());
    discovery.found.unwrap_or_else(|| panic!("{text}: {:?}", discovery.attempts)).proved
}

fn proved(text: &str, claim: &str) -> Box<Found> {
    let game = game(text);
    let method = ProveMethod::Auto;
    match prove(&game, &formula(&game, claim), method, &Limits::unlimited()).judgement {
        Judgement::Proved(found) => found,
        other => panic!("{text}: {other:?}"),
    }
}

/// Every position of the box has the outcome that the table says, and every N-position a move to a
/// P-position.
fn agrees_with_the_table(proved: &Proved, max: Height) {
    let game = proved.game();
    let lost = p_positions(game, &vec![max; game.stacks()], &Unlimited).unwrap();
    let lost: std::collections::HashSet<Vec<Height>> =
        lost.into_iter().map(Position::into_vec).collect();
    let mut heights = vec![0; game.stacks()];
    loop {
        let expected = if lost.contains(&heights) { Outcome::P } else { Outcome::N };
        let answer = proved.answer(&heights).unwrap();
        assert_eq!(answer.outcome, expected, "{game} {heights:?}");
        match answer.take {
            None => assert!(expected == Outcome::P || game.is_terminal(&heights), "{heights:?}"),
            Some(take) => {
                assert!(game.is_legal(&heights, &take), "{game} {heights:?} {take}");
                let to: Vec<Height> = heights.iter().zip(take.iter()).map(|(h, t)| h - t).collect();
                assert!(lost.contains(&to), "{game} {heights:?} {take}");
            }
        }
        let Some(stack) = heights.iter().position(|&h| h < max) else { break };
        heights[..stack].fill(0);
        heights[stack] += 1;
    }
}

fn directory(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("store-{name}"));
    let _ = std::fs::remove_dir_all(&path);
    path
}

#[test]
fn every_kind_of_proof_answers_like_the_table() {
    for (text, max) in [("CN(4,2)", 4), ("CN(5,3)", 3), ("Set(abc,cd,de)", 3), ("CN(5,2)", 3)] {
        let proved = discovered(text, DiscoverMethod::Matryoshka);
        assert_eq!(proved.kind(), ProofKind::Matryoshka);
        agrees_with_the_table(&proved, max);
    }
    for (text, max) in [("Nim(3)", 7), ("CN(4,2)", 4), ("misere Nim(3)", 5), ("Exact(3,2)", 5)] {
        let proved = discovered(text, DiscoverMethod::Automata);
        assert_eq!(proved.kind(), ProofKind::Automaton);
        agrees_with_the_table(&proved, max);
    }
    for (text, claim, max) in [
        ("CN(4,2)", "a = c, b = d", 4),
        ("CN(5,2)", "sym(b = e, a+b = c+d, a = max)", 3),
        ("CN(5,3)", "sym(a = 0, b = e = c+d)", 3),
        ("Slow(3,{1,3})", "even(total)", 5),
    ] {
        let found = proved(text, claim);
        assert_eq!(found.proved.kind(), ProofKind::Regions);
        agrees_with_the_table(&found.proved, max);
    }
}

#[test]
fn tall_positions_are_answered() {
    let found = proved("CN(5,3)", "sym(a = 0, b = e = c+d)");
    let heights = [7 << 60, 5 << 60, 3 << 60, 6 << 60, 1 << 60];
    let take = found.proved.answer(&heights).unwrap().take.unwrap();
    assert!(found.proved.game().is_legal(&heights, &take));
}

#[test]
fn wrong_formulas_are_refuted_and_hard_ones_left_open() {
    let game = game("CN(4,2)");
    let judge = |text: &str, limits: &Limits| {
        prove(&game, &formula(&game, text), ProveMethod::Auto, limits).judgement
    };
    let unlimited = Limits::unlimited();
    match judge("a = c, b <= d", &unlimited) {
        Judgement::Refuted(Refutation::Claimed { position, take, to }) => {
            assert!(game.is_legal(&position, &take));
            assert_eq!(position.after(&take), Some(to));
        }
        other => panic!("{other:?}"),
    }
    match judge("a = c, b = d, a > 0", &unlimited) {
        Judgement::Refuted(Refutation::Missed { position }) => assert_eq!(position.total(), 0),
        other => panic!("{other:?}"),
    }
    // An xor goes to automata.
    match judge("xor(a,c) = 0, xor(b,d) = 0", &unlimited) {
        Judgement::Proved(found) => {
            assert_eq!(found.proved.kind(), ProofKind::Automaton);
            assert_eq!(found.proved.formula().unwrap(), "xor(a,c) = 0, xor(b,d) = 0");
        }
        other => panic!("{other:?}"),
    }
    match judge("xor(a,c) = 0", &unlimited) {
        Judgement::Refuted(Refutation::Claimed { position, take, .. }) => {
            assert!(game.is_legal(&position, &take));
        }
        other => panic!("{other:?}"),
    }
    let odd = "xor(a,c) = 0, xor(b,d) = 0";
    let odd = prove(&game, &formula(&game, odd), ProveMethod::Regions, &unlimited).judgement;
    assert!(matches!(odd, Judgement::Undecided(Undecided::Xor)), "{odd:?}");
    let none = Limits::unlimited().time(Duration::ZERO);
    match judge("a = c, b = d", &none) {
        Judgement::Undecided(Undecided::Stopped(_)) | Judgement::Proved(_) => {}
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_not_found_comes_with_evidence() {
    let limits = Limits::unlimited().time(Duration::from_secs(1));
    let discovery = discover(&game("PN(5,2)"), DiscoverMethod::Auto, &limits);
    assert!(discovery.found.is_none());
    let [Attempt::Obstructed { position, factor }, Attempt::Automata(missing)] =
        &discovery.attempts[..]
    else {
        panic!("{:?}", discovery.attempts)
    };
    let scaled: Vec<Height> = position.iter().map(|h| h * factor).collect();
    let all = p_positions(&discovery.game, &scaled, &Unlimited).unwrap();
    assert!(all.contains(position) && !all.iter().any(|p| p[..] == scaled[..]));
    assert_eq!(discovery.largest_box(), Some((1 << missing.reached_bits) - 1));
}

#[test]
fn tampered_certificates_are_not_accepted() {
    let original = discovered("CN(4,2)", DiscoverMethod::Matryoshka).certificate().clone();
    let mut other = original.clone();
    other.game = game("CN(4,3)");
    assert!(matches!(Proved::accept(other), Err(NotAccepted::Rejected(_))));
    let mut thinner = original.clone();
    if let Proof::Matryoshka(proof) = &mut thinner.proof {
        proof.parts.last_mut().unwrap().cells.clear();
    }
    assert!(matches!(Proved::accept(thinner), Err(NotAccepted::Rejected(_))));
    assert!(Proved::accept(original).is_ok());
}

#[test]
fn an_examination_compares_game_and_formula() {
    let found = proved("CN(4,2)", "a = c, b = d");
    let certificate = found.proved.certificate();
    let examine = |text: &str, claim: &str| {
        let game = game(text);
        let formula = Some(formula(&game, claim));
        let expected = Expected { game: Some(game), formula, ..Expected::default() };
        let refusal = Examination::of(certificate, &expected).refusal;
        refusal.map(|refusal| refusal.obligation())
    };
    assert_eq!(examine("CN(4,2)", "a = c and b = d"), None);
    assert_eq!(examine("Set(ab,bc,cd,ad)", "a = c, b = d"), None);
    assert_eq!(examine("misere CN(4,2)", "a = c, b = d"), Some("game"));
    assert_eq!(examine("CN(4,3)", "a = c, b = d"), Some("game"));
    assert_eq!(examine("CN(4,2)", "a = c"), Some("formula"));
}

#[test]
fn an_examination_of_an_automaton_verifies_any_formula() {
    let found = proved("Nim(3)", "xor(a,b,c) = 0");
    let examine = |certificate: &Certificate, claim: Option<&str>| {
        let formula = claim.map(|claim| formula(&game("Nim(3)"), claim));
        let expected = Expected { formula, ..Expected::default() };
        let examination = Examination::of(certificate, &expected);
        match examination.refusal {
            Some(refusal) => Err(refusal.obligation()),
            None => Ok(examination.formula),
        }
    };
    let says = |text: &str| Ok(Some(text.to_string()));
    let with = found.proved.certificate();
    assert_eq!(examine(with, None), says("xor(a,b,c) = 0"));
    assert_eq!(examine(with, Some("xor(a,b) = c")), says("xor(a,b) = c"));
    assert_eq!(examine(with, Some("xor(a,b) = c, a < 100")), Err("formula"));
    let without = with.clone().with_formula(None);
    assert_eq!(examine(&without, None), Ok(None));
    assert_eq!(examine(&without, Some("xor(a,b) = c")), says("xor(a,b) = c"));
    assert_eq!(examine(&without, Some("xor(a,b) != c")), Err("formula"));
    // The checker does not follow numbers as large as this one; a position tells the two sets apart.
    assert_eq!(examine(&without, Some("a != 9000000000000")), Err("formula"));
    let wrong = with.clone().with_formula(Some("xor(a,b) = c, a < 100".to_string()));
    assert_eq!(examine(&wrong, None), Err("formula"));
}

/// `sym` ranges over 40,320 relabellings, which is more than the checker lists. Then the proof is
/// about the automaton, and says so.
#[test]
fn a_formula_beyond_the_checker_is_left_out() {
    let found = proved("Nim(8)", "xor(a..h) = 0, sym(a = min)");
    assert_eq!((found.proved.kind(), found.proved.formula()), (ProofKind::Automaton, None));
    let with = found.proved.certificate().clone().with_formula(Some("sym(a = min)".to_string()));
    match Proved::accept(with) {
        Err(NotAccepted::Rejected(rejection)) => assert_eq!(rejection.obligation(), "limit"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_store_finds_a_game_under_other_names() {
    let store = Store::new(directory("names"));
    let rule = |text: &str| game(text).single().unwrap().clone();
    assert!(store.find(&rule("CN(5,2)"), Play::Normal).unwrap().is_none());
    let star = discovered("Set(ac,ce,be,bd,ad)", DiscoverMethod::Matryoshka);
    let path = store.add(&star).unwrap();
    assert_eq!(path.file_name().unwrap(), "CN-5-2.json");
    let circle = store.find(&rule("CN(5,2)"), Play::Normal).unwrap().unwrap();
    for heights in [[1, 1, 1, 1, 1], [3, 1, 2, 2, 1], [4, 1, 3, 2, 1], [0, 2, 0, 2, 5]] {
        let expected = discovered("CN(5,2)", DiscoverMethod::Matryoshka).answer(&heights).unwrap();
        let answer = circle.answer(&heights).unwrap();
        assert_eq!(answer.outcome, expected.outcome);
        if let Some(take) = answer.take {
            assert!(game("CN(5,2)").is_legal(&heights, &take));
        }
    }
    assert!(store.find(&rule("CN(5,2)"), Play::Misere).unwrap().is_none());
    assert!(store.find(&rule("CN(5,2) each=2"), Play::Normal).unwrap().is_none());
    // A game without a name.
    let nameless = discovered("Set(abc,cd,de)", DiscoverMethod::Matryoshka);
    store.add(&nameless).unwrap();
    assert!(store.find(&rule("Set(cde,bc,ab)"), Play::Normal).unwrap().is_some());
}

#[test]
fn the_store_trusts_no_damaged_file() {
    let store = Store::new(directory("damage"));
    let proved = discovered("CN(4,2)", DiscoverMethod::Matryoshka);
    let path = store.add(&proved).unwrap();
    let rule = |text: &str| game(text).single().unwrap().clone();
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::copy(&path, path.with_file_name("CN-4-3.json")).unwrap();
    let misplaced = store.find(&rule("CN(4,3)"), Play::Normal);
    assert!(matches!(misplaced, Err(StoreError::Misplaced { .. })), "{misplaced:?}");
    std::fs::write(&path, &text[..text.len() / 2]).unwrap();
    let cut = store.find(&rule("CN(4,2)"), Play::Normal);
    assert!(matches!(cut, Err(StoreError::Unreadable { .. })), "{cut:?}");
    let mut certificate: Certificate = proved.certificate().clone();
    if let Proof::Matryoshka(proof) = &mut certificate.proof {
        proof.parts.last_mut().unwrap().cells.pop();
    }
    let mut tampered = Vec::new();
    certificate.write(&mut tampered).unwrap();
    std::fs::write(&path, tampered).unwrap();
    let tampered = store.find(&rule("CN(4,2)"), Play::Normal);
    assert!(matches!(tampered, Err(StoreError::NotAccepted { .. })), "{tampered:?}");
}

#[test]
fn sums_are_not_kept() {
    let sum = discovered("Nim(1) + Nim(1)", DiscoverMethod::Automata);
    assert!(matches!(Store::new(directory("sum")).add(&sum), Err(StoreError::Sum)));
}

#[test]
fn questions_are_answered_by_stored_proofs_also_in_parts() {
    let store = Store::new(directory("questions"));
    store.add(&discovered("misere CN(4,2)", DiscoverMethod::Automata)).unwrap();
    for (text, heights, outcome) in [
        ("misere CN(4,2)", "1000000000001,7,1000000000001,7", Outcome::P),
        ("misere CN(4,2)", "1000000000001,7,1000000000002,7", Outcome::N),
        ("misere CN(4,2)", "2,0,0,0", Outcome::N),
        ("misere H", "1000000000001,0,7,1000000000003,0,7", Outcome::N),
    ] {
        let knowledge = Knowledge::with_store(store.clone());
        let prepared = Prepared::knowing(game(text), knowledge);
        let position: Position = heights.parse().unwrap();
        let verdict = prepared.ask(&position, &Options::unlimited()).unwrap();
        assert_eq!(verdict.outcome, Some(outcome), "{text} {heights}");
        if heights.len() > 10 {
            let Some(By::Proof { game, kind, source, .. }) = &verdict.by else {
                panic!("{:?}", verdict.by)
            };
            assert_eq!((&**game, *kind), ("misere CN(4,2)", "automaton"));
            assert!(source.ends_with("misere-CN-4-2.json"), "{source}");
        }
        if outcome == Outcome::N {
            assert!(prepared.game().is_legal(&position, &verdict.moves[0].take));
        }
        assert!(prepared.knowledge().problems().is_empty());
    }
}

/// Earlier versions named the files of variants otherwise: such files are found, and a new proof is kept
/// under the new name.
#[test]
fn files_of_earlier_versions_are_found() {
    for (text, former) in [
        ("Exact(3,2)", "CN-3-2-All-Amounts-least-1-most-None-Amounts-least-1-most-None"),
        ("Slow(3,{2})", "CN-3-2-All-Amounts-least-1-most-Some-1-Amounts-least-1-most-None"),
    ] {
        let store = Store::new(directory("former"));
        let proved = discovered(text, DiscoverMethod::Automata);
        let path = store.add(&proved).unwrap();
        let older = store.directory().join(format!("{former}.json"));
        std::fs::rename(&path, &older).unwrap();
        let game = game(text);
        let found = store.find(game.single().unwrap(), Play::Normal).unwrap().unwrap();
        assert_eq!(found.source().to_string(), older.display().to_string());
        // Under the old name, too, the file must be about the game.
        std::fs::write(&older, discovered("Nim(3)", DiscoverMethod::Automata).text()).unwrap();
        let misplaced = store.find(game.single().unwrap(), Play::Normal);
        assert!(matches!(misplaced, Err(StoreError::Misplaced { .. })), "{misplaced:?}");
        assert_eq!(store.add(&proved).unwrap(), path);
        let found = store.find(game.single().unwrap(), Play::Normal).unwrap().unwrap();
        assert_eq!(found.source().to_string(), path.display().to_string());
    }
}

/// A file may be asked for under several names of the stacks; the trouble with it is told once.
#[test]
fn a_stored_proof_that_cannot_be_used_is_told_once() {
    let library = directory("told-once");
    std::fs::create_dir_all(&library).unwrap();
    std::fs::write(library.join("CN-6-2.json"), b"{}").unwrap();
    let knowledge = Knowledge::with_store(Store::new(library));
    for text in ["CN(6,2)", "Set(ac,ce,bf,be,df,ad)"] {
        assert!(knowledge.proof(game(text).single().unwrap(), Play::Normal).is_none());
    }
    assert_eq!(knowledge.problems().len(), 1);
    assert!(
        knowledge.proof(game("Set(ab,bd,cd,ce,ef,af)").single().unwrap(), Play::Normal).is_none()
    );
    assert!(knowledge.problems().is_empty());
}

/// What is proved of one direction holds in tables, and what is refuted does not.
#[test]
fn one_direction_is_proved_or_refuted() {
    use nimatron::check::{MismatchKind, Side};
    use nimatron::proofs::{SidedJudgement, prove_one_sided};
    let knowledge = Knowledge::default();
    // DHV21 Lemma 5 for nine stacks, among others: the game is open, what is left of it is not.
    let cases = [
        ("CN(9,5)", "sym(b = c = d = 0, a = e = f+g+h+i)", Side::Sufficient, None, Some(true)),
        ("CN(7,4)", "sym(b = c = 0, a = d = e+f+g)", Side::Sufficient, None, Some(true)),
        ("CN(7,4)", "sym(b = c = 0, a = d = e+f+g)", Side::Necessary, None, Some(false)),
        ("CN(5,3)", "min = 0", Side::Necessary, None, Some(true)),
        ("CN(5,3)", "min = 0", Side::Sufficient, None, Some(false)),
        ("CN(4,2)", "a = c", Side::Exact, Some("b = d"), Some(true)),
        ("CN(4,2)", "a = c", Side::Exact, Some("b <= d"), Some(false)),
        ("PN(3,2) + Nim(1)", "even(total)", Side::Necessary, None, Some(false)),
        ("CN(6,2)", "total != 1", Side::Necessary, None, None),
    ];
    for (text, claim, side, condition, expected) in cases {
        let game = game(text);
        let condition = condition.map(|condition| formula(&game, condition));
        let limits = Limits::default().time(Duration::from_secs(120));
        let claim = formula(&game, claim);
        let answer = prove_one_sided(&game, &claim, side, condition.as_ref(), &knowledge, &limits);
        match (&answer.judgement, expected) {
            (SidedJudgement::Proved(proofs), Some(true)) => {
                assert_eq!(proofs.len(), if side == Side::Exact { 2 } else { 1 });
                for proof in proofs {
                    // The certificate stands by itself.
                    Proved::accept(proof.found.proved.certificate().clone()).unwrap();
                }
            }
            (SidedJudgement::Refuted { position, kind, .. }, Some(false)) => {
                let lost = Prepared::new(game.clone()).ask(position, &Options::default()).unwrap();
                let expected = match kind {
                    MismatchKind::Missed => Outcome::P,
                    MismatchKind::Claimed => Outcome::N,
                };
                assert_eq!(lost.outcome, Some(expected), "{text} at {position}");
            }
            (SidedJudgement::Undecided(_), None) => {}
            (other, _) => panic!("{text}, {claim}: {other:?}"),
        }
    }
}

/// Where a proof tells its set by a formula, so does the answer; a proof by regions names its rule.
#[test]
fn answers_name_formulas_and_rules() {
    let text = |game: &Game, knowledge: Knowledge, at: &str| {
        let prepared = Prepared::knowing(game.clone(), knowledge);
        prepared
            .ask(&at.parse().unwrap(), &Options::default())
            .unwrap()
            .to_string()
            .replace("\n     ", " ")
    };
    let triangle = game("Set(ab,cd,ac,bc)");
    let told = text(&triangle, Knowledge::default(), "5,8,3,13");
    assert!(told.contains("There: c = 0, d = 13 = 8+5 = b+a"), "{told}");
    assert!(told.contains("(c = 0, d = b+a) or (b = a = c+d, c > 0)"), "{told}");
    let game = game("CN(5,3)");
    let claim = formula(&game, "sym(a = 0, b = e = c+d)");
    let proving = prove(&game, &claim, ProveMethod::Regions, &Limits::unlimited());
    let Judgement::Proved(found) = proving.judgement else { panic!() };
    let knowledge = Knowledge::theorems().preferring_proofs();
    knowledge.learn(&found.proved);
    let told = text(&game, knowledge, "3,9,5,7,4");
    assert!(told.contains("of its strategy") && told.contains("There: "), "{told}");
    let knowledge = Knowledge::theorems().preferring_proofs();
    knowledge.learn(&found.proved);
    let told = text(&game, knowledge, "3,7,0,7,4");
    assert!(told.contains("read from c"), "{told}");
}

/// The theorem on the star with its base, proved once more by automata for few stacks.
#[test]
fn the_star_with_its_base_is_proved_up_to_eight_stacks() {
    for n in 3..=8 {
        let text = member("Star(n)", n);
        let solution =
            StarWithBaseNim.applies(game(&text).single().unwrap(), Play::Normal).unwrap();
        let found = proved(&text, &solution.formula().unwrap());
        assert_eq!(found.proved.kind(), ProofKind::Automaton);
    }
}
