//! The conjectures of KDH26 on invariant vectors.

use super::{Finding, Sweep, Swept, stop};
use crate::invariants::is_sum;
use crate::knowledge::Knowledge;
use crate::subgames::Subgame;
use crate::tables::p_positions;
use nimatron_game::symmetry::canonical_form;
use nimatron_game::{Family, Game, Height, Play, Rule, StackSet, Stop, Watch};
use nimatron_reduce::State;
use nimatron_theory::complex::transversals;
use nimatron_theory::invariance::{Evidence, Vector, detect};
use std::collections::HashMap;

/// Boxes with more positions than this are not computed.
const MOST_POSITIONS: f64 = 2e7;

/// More patterns of empty stacks than this are not gone through.
const MOST_PATTERNS: usize = 20_000;

/// Conjecture 1: CN(n,k) for all k.
pub(super) fn vectors(sweep: &mut Sweep, watch: &dyn Watch) -> Result<(), Stop> {
    let n = sweep.stacks;
    let knowledge = Knowledge::default();
    for k in 1..=n {
        let rule = Family::Circular { n, k }.rule();
        let name = format!("CN({n},{k})");
        let expected = k == n / 3 + 1 && n >= 3 || k + 1 == n;
        let known = knowledge.vectors(&rule, Play::Normal);
        let ones = StackSet::first(n);
        if let Some((known, by)) = &known
            && is_sum(ones, known)
        {
            let finding = if expected { Finding::Proved } else { Finding::Counterexample };
            let text = match known[..] == [ones] {
                true => format!("all ones ({})", by.cited()),
                false => format!("{}, together all ones ({})", letters(known), by.cited()),
            };
            sweep.games.push(Swept::new(name, finding, text));
            continue;
        }
        let (max, found) = by_table(&rule, watch)?;
        let holds = |vector: &&Vector| matches!(vector.evidence, Evidence::Holds { .. });
        let holding: Vec<StackSet> = found.iter().filter(holds).map(|v| v.stacks).collect();
        let (finding, text) = match (expected, holding.is_empty()) {
            (false, true) => (
                Finding::Proved,
                format!("none: every 0/1 vector is refuted with heights up to {max}"),
            ),
            (true, false) if holding.contains(&ones) => {
                (Finding::Evidence, format!("all ones, as far as heights up to {max} show"))
            }
            (true, _) => {
                (Finding::Counterexample, format!("all ones is refuted with heights up to {max}"))
            }
            // Invariant vectors need k > n/3.
            (false, false) if 3 * k <= n => {
                (Finding::Proved, "none, for k <= n/3: KDH26 Remark 3.3(6)".to_string())
            }
            (false, false) => (
                Finding::Unknown,
                format!("{} not refuted with heights up to {max}", letters(&holding)),
            ),
        };
        sweep.games.push(Swept::new(name, finding, text));
    }
    Ok(())
}

/// `adg, beh and cfi`.
fn letters(vectors: &[StackSet]) -> String {
    let words: Vec<String> = vectors.iter().map(ToString::to_string).collect();
    match &words[..] {
        [most @ .., last] if !most.is_empty() => format!("{} and {last}", most.join(", ")),
        _ => words.concat(),
    }
}

/// The greatest box that refutes, and what it says about all vectors but the empty one.
fn by_table(rule: &Rule, watch: &dyn Watch) -> Result<(Height, Vec<Vector>), Stop> {
    let n = rule.stacks();
    let game = game_of(rule);
    let mut height = 1;
    loop {
        let bounds = vec![height; n];
        let p = p_positions(&game, &bounds, watch).map_err(stop)?;
        let mut found = detect(rule, &bounds, &p, watch)?;
        found.retain(|v| !v.stacks.is_empty());
        let refuted = found.iter().all(|v| matches!(v.evidence, Evidence::Refuted { .. }));
        let next = (height as f64 + 2.0).powi(n as i32);
        if refuted || next > MOST_POSITIONS || height >= MOST_HEIGHT {
            return Ok((height, found));
        }
        height += 1;
    }
}

/// Taller boxes are not computed.
const MOST_HEIGHT: Height = 30;

/// The game of listed sets.
fn game_of(rule: &Rule) -> Game {
    let family = Family::Sets { n: rule.stacks(), sets: rule.sets().iter().collect() };
    Game::new(family).expect("the sets of a game")
}

/// Conjecture 2: circular, path and necklace games, and the small games of the atlas.
pub(super) fn matryoshka(sweep: &mut Sweep, watch: &dyn Watch) -> Result<(), Stop> {
    let n = sweep.stacks;
    let knowledge = Knowledge::default();
    let mut judged: HashMap<Rule, (Finding, String)> = HashMap::new();
    for game in games(n) {
        watch.check(0)?;
        let Some(rule) = game.single() else { continue };
        let Some((vectors, by)) = knowledge.vectors(rule, Play::Normal) else { continue };
        let mut worst = Finding::Proved;
        let (mut met, mut words) = (0usize, Vec::new());
        for zeros in transversals(&vectors).take(MOST_PATTERNS) {
            watch.check(0)?;
            let left = Subgame::of(&game, zeros, &knowledge);
            let Some(rule) = united(&left.state).filter(|rule| rule.stacks() > 1) else { continue };
            met += 1;
            let canonical = rule.on(canonical_form(rule.sets(), None).0);
            if !judged.contains_key(&canonical) {
                let judgement = admits(&left, &canonical, &knowledge, watch)?;
                judged.insert(canonical.clone(), judgement);
            }
            let (finding, text) = &judged[&canonical];
            if *finding != Finding::Proved && !words.contains(text) {
                words.push(text.clone());
            }
            worst = worse(worst, *finding);
        }
        let mut text = format!("{} ({}); ", letters(&vectors), by.cited());
        text += &match (met, worst) {
            (0, _) => "single stacks are left".to_string(),
            (_, Finding::Proved) => format!("{met} patterns of empty stacks, all is well"),
            (_, Finding::Evidence) => format!("{met} patterns of empty stacks, all seems well"),
            _ => format!("{met} patterns of empty stacks"),
        };
        if !words.is_empty() {
            text += &format!(": {}", words.join("; "));
        }
        sweep.games.push(Swept::new(&game, worst, text));
    }
    Ok(())
}

/// The less certain, or worse, of two findings.
fn worse(one: Finding, other: Finding) -> Finding {
    let rank = |finding: Finding| match finding {
        Finding::Proved => 0,
        Finding::Evidence => 1,
        Finding::Unknown => 2,
        Finding::Counterexample => 3,
    };
    if rank(one) >= rank(other) { one } else { other }
}

/// Whether what is left has invariant vectors.
fn admits(
    left: &Subgame,
    rule: &Rule,
    knowledge: &Knowledge,
    watch: &dyn Watch,
) -> Result<(Finding, String), Stop> {
    let named = left.game().map_or(String::new(), |game| game.to_string());
    if knowledge.vectors(rule, Play::Normal).is_some() {
        return Ok((Finding::Proved, named));
    }
    let (max, found) = by_table(rule, watch)?;
    let holding: Vec<StackSet> = found
        .iter()
        .filter(|v| matches!(v.evidence, Evidence::Holds { .. }))
        .map(|v| v.stacks)
        .collect();
    Ok(match holding.is_empty() {
        true => (Finding::Counterexample, format!("{named} has none, as heights up to {max} show")),
        false => {
            (Finding::Evidence, format!("{named} has some as far as heights up to {max} show"))
        }
    })
}

/// The parts of a state as one game; `None` if nothing is left to play on.
fn united(state: &State) -> Option<Rule> {
    let mut sets: Vec<StackSet> = Vec::new();
    let mut first = 0;
    for part in &state.parts {
        let moved = |set: StackSet| set.iter().map(|s| s + first).collect::<StackSet>();
        sets.extend(part.rule.sets().iter().map(moved));
        first += part.rule.stacks();
    }
    let family = Family::Sets { n: first, sets };
    family.check().ok()?;
    Some(family.rule())
}

/// Circular, path and necklace games, and the games of the atlas, on so many stacks; each once.
fn games(n: usize) -> Vec<Game> {
    let mut families = Vec::new();
    for k in 1..=n {
        families.push(Family::Circular { n, k });
        families.push(Family::Path { n, k });
        families.extend((2..k).map(|l| Family::Necklace { n, k, l }));
    }
    let named = families.into_iter().filter_map(|family| Game::new(family).ok());
    let mut seen: Vec<Rule> = Vec::new();
    named
        .chain(of_atlas(n))
        .filter(|game| {
            let Some(rule) = game.single().filter(|rule| rule.is_set_nim()) else { return false };
            let canonical = rule.on(canonical_form(rule.sets(), None).0);
            let new = !seen.contains(&canonical);
            seen.push(canonical);
            new
        })
        .collect()
}

#[cfg(feature = "atlas")]
fn of_atlas(n: usize) -> Vec<Game> {
    let entries = crate::atlas::Atlas::shipped().entries().iter();
    let normal = entries.filter(|entry| entry.game.convention() == Play::Normal);
    normal.map(|entry| entry.game.clone()).filter(|game| game.stacks() == n).collect()
}

#[cfg(not(feature = "atlas"))]
fn of_atlas(_: usize) -> Vec<Game> {
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweeps::Question;
    use nimatron_game::Unlimited;

    #[test]
    fn few_circular_games_have_invariant_vectors() {
        for n in 2..=7 {
            let sweep = Sweep::of(Question::InvariantVectors, n, &Unlimited);
            assert_eq!(sweep.games.len(), n);
            assert_eq!(sweep.count(Finding::Proved), n, "{:?}", sweep.games);
        }
    }

    #[test]
    fn a_box_refutes_what_theorems_do_not_give() {
        let rule = Family::Circular { n: 5, k: 3 }.rule();
        let (_, found) = by_table(&rule, &Unlimited).unwrap();
        assert!(found.iter().all(|v| matches!(v.evidence, Evidence::Refuted { .. })));
        let rule = Family::Circular { n: 5, k: 2 }.rule();
        let (_, found) = by_table(&rule, &Unlimited).unwrap();
        assert!(found.iter().any(|v| matches!(v.evidence, Evidence::Holds { .. })));
    }
}
