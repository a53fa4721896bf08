//! The stories that theorems and proofs tell are replayed: each state follows from the one before,
//! and the move carried back wins.

mod common;

use common::game;
use nimatron::crates::reduce::{Chain, Change, State, Step};
use nimatron::{
    Explain, Game, Knowledge, Options, Outcome, Play, Position, Prepared, Reason, StackSet, Take,
    Verdict, ask,
};
use std::sync::Arc;

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 24) % n
    }
}

/// Sets none of which lies in another, sorted.
fn maximal(sets: impl IntoIterator<Item = StackSet>) -> Vec<StackSet> {
    let all: Vec<StackSet> = sets.into_iter().filter(|set| !set.is_empty()).collect();
    let inside = |set: &StackSet| all.iter().any(|other| set != other && set.is_subset(*other));
    let mut kept: Vec<StackSet> = all.iter().copied().filter(|set| !inside(set)).collect();
    kept.sort_unstable();
    kept.dedup();
    kept
}

fn sets(state: &State) -> Vec<StackSet> {
    let [part] = &state.parts[..] else { panic!("a sum: {state}") };
    maximal(part.rule.sets().iter())
}

/// Does the step do what it says, by the definition of what it says?
fn replay(step: &Step) {
    let (before, after) = (step.before.heights(), step.after.heights());
    let sum =
        |members: &Vec<usize>, heights: &[u64]| members.iter().map(|&s| heights[s]).sum::<u64>();
    // The sets in the new stacks.
    let image = |set: StackSet| -> StackSet {
        let met = |members: &Vec<usize>| members.iter().any(|&s| set.contains(s));
        (0..step.members.len()).filter(|&i| met(&step.members[i])).collect()
    };
    let mut left = before.clone();
    match &step.change {
        Change::Invariance { subtracted, by } => {
            assert!(!by.is_empty() && !subtracted.is_empty());
            for &(vector, times) in subtracted {
                let least = vector.iter().map(|s| left[s]).min().unwrap();
                assert_eq!(times, least, "as often as it goes");
                vector.iter().for_each(|s| left[s] -= times);
            }
            assert!(step.members.iter().enumerate().all(|(s, m)| m[..] == [s]));
        }
        Change::Zero { stacks, .. } => {
            assert!(stacks.iter().all(|s| before[s] == 0));
            assert!(step.members.iter().flatten().all(|&s| !stacks.contains(s)));
            assert_eq!(stacks.len() + step.members.len(), before.len());
        }
        Change::Merge { .. } => {
            let own = sets(&step.before);
            for members in step.members.iter() {
                let all: StackSet = members.iter().copied().collect();
                let whole = |set: &StackSet| all.is_subset(*set) || all.is_disjoint(*set);
                assert!(own.iter().all(whole), "merged stacks lie in the same sets");
            }
            assert_eq!(step.members.iter().map(Vec::len).sum::<usize>(), before.len());
        }
        Change::Naming { family, .. } => {
            assert!(step.members.iter().all(|m| m.len() == 1));
            assert_eq!(maximal(family.sets().iter()), sets(&step.after));
        }
        Change::Cone { stack } => {
            assert!(
                before[*stack] > 0 && sets(&step.before).iter().all(|set| set.contains(*stack))
            );
            left[*stack] = 0;
        }
        // Nothing is left to play on.
        Change::Idle { .. } => {
            assert!(before.iter().all(|&h| h == 0) && step.after.parts.is_empty())
        }
        other => panic!("not expected here: {other:?}"),
    }
    let gathered: Vec<u64> = step.members.iter().map(|m| sum(m, &left)).collect();
    assert_eq!(after, gathered);
    if !step.after.parts.is_empty() {
        assert_eq!(sets(&step.after), maximal(sets(&step.before).into_iter().map(image)));
    }
}

/// Follows the story from start to end. Returns how many steps it has.
fn follow(verdict: &Verdict) -> usize {
    let mut state = Arc::new(State::new(&verdict.game, &verdict.position).unwrap());
    let mut steps = 0;
    for reason in &verdict.reasons {
        match reason {
            Reason::Reduction(step) => {
                assert_eq!(step.before, state, "the story has a gap");
                replay(step);
                state = step.after.clone();
                steps += 1;
            }
            Reason::Theorem { state: at, .. }
            | Reason::Proof { state: at, .. }
            | Reason::Settled { state: at, .. } => assert_eq!(*at, state),
            Reason::Move { state: at, take } => {
                assert_eq!(*at, state);
                let [part] = &at.parts[..] else { panic!() };
                assert!(part.rule.is_legal(&part.heights, take));
            }
            Reason::Lift { take } => assert_eq!(*take, verdict.moves[0].take),
            _ => {}
        }
    }
    steps
}

/// Random positions of a game: their stories, and the moves.
fn tell(
    game: &Game,
    knowledge: Knowledge,
    positions: usize,
    judge: &dyn Fn(&Position) -> Outcome,
) -> usize {
    let prepared = Prepared::knowing(game.clone(), knowledge);
    let mut random = Random(game.stacks() as u64);
    let mut steps = 0;
    for i in 0..positions {
        let top = [4, 12, 1_000, 1_000_000_000_000][i % 4];
        let mut heights: Vec<u64> = (0..game.stacks()).map(|_| random.below(top)).collect();
        if i % 3 == 0 {
            let gone = random.below(heights.len() as u64) as usize;
            heights[gone] = 0;
        }
        let mut position = Position::new(heights).unwrap();
        // Where a winning move leads there is a P-position, whose story is told as well.
        for _ in 0..2 {
            let verdict = prepared.ask(&position, &Options::default()).unwrap();
            assert_eq!(verdict.outcome, Some(judge(&position)), "{game} at {position}");
            steps += follow(&verdict);
            let quick = prepared.ask(&position, &Options::default().explain(Explain::Nothing));
            assert_eq!(quick.unwrap().outcome, verdict.outcome);
            let Some(winning) = verdict.moves.first() else { break };
            let take: &Take = &winning.take;
            assert!(game.is_legal(&position, take), "{game} at {position}: {take}");
            assert_eq!(judge(&winning.to), Outcome::P, "{game} at {position}: {take}");
            position = winning.to.clone();
        }
    }
    steps
}

/// The proofs, asked directly: they judge the stories.
fn told(texts: &[&str], positions: usize) {
    for text in texts {
        let game = game(text);
        let knowledge = Knowledge::default();
        let proof = knowledge.proof_cover(game.single().unwrap(), Play::Normal).expect("proved");
        let judge = |position: &Position| proof.answer(position).unwrap().outcome;
        // As they are asked by default; then through the proof, whatever theorems say.
        tell(&game, Knowledge::default(), positions / 10, &judge);
        let steps = tell(&game, Knowledge::proofs_first(), positions, &judge);
        assert!(steps > 2 * positions, "{text}: the proof tells no story");
    }
}

#[test]
fn circular_games_tell_stories() {
    told(&["CN(9,4)", "CN(10,4)", "CN(11,4)", "CN(12,5)"], 300);
}

#[test]
fn their_subgames_tell_stories() {
    // Ten games that are left of these when one, two or three stacks are empty, and that the proofs answer for.
    let knowledge = Knowledge::default();
    let mut games: Vec<String> = Vec::new();
    for (host, wanted) in [("CN(9,4)", 2), ("CN(10,4)", 2), ("CN(11,4)", 3), ("CN(12,5)", 3)] {
        let last = game(host).stacks() - 1;
        let two = (1..last).map(|s| vec![s, last]);
        let three = (1..last).flat_map(|s| (s + 2..last).map(move |t| vec![s, t, last]));
        let patterns = std::iter::once(vec![last]).chain(two.step_by(2)).chain(three.step_by(3));
        let left = patterns.map(|empty| left_of(host, &empty)).filter(|text| {
            let left: Game = text.parse().unwrap();
            knowledge.proof_cover(left.single().unwrap(), Play::Normal).is_some()
        });
        for text in left.take(wanted) {
            assert!(!games.contains(&text), "{text} twice");
            games.push(text);
        }
    }
    assert_eq!(games.len(), 10, "{games:?}");
    told(&games.iter().map(String::as_str).collect::<Vec<_>>(), 300);
}

/// What is left of a game when stacks are empty, as listed sets.
fn left_of(host: &str, empty: &[usize]) -> String {
    let host = game(host);
    let kept: Vec<usize> = (0..host.stacks()).filter(|s| !empty.contains(s)).collect();
    let all: StackSet = kept.iter().copied().collect();
    let place = |s: usize| kept.iter().position(|&k| k == s).unwrap();
    let left = |set: StackSet| (set & all).iter().map(place).collect::<StackSet>();
    let sets = maximal(host.single().unwrap().sets().iter().map(left));
    format!("Set({})", sets.iter().map(ToString::to_string).collect::<Vec<_>>().join(","))
}

/// Theorems tell stories too, and each invariance step cites its theorem.
#[test]
fn every_invariance_step_is_cited() {
    let prepared = Prepared::new(game("CN(7,3)"));
    let verdict = prepared.ask(&"3,5,4,2,1,6,3".parse().unwrap(), &Options::default()).unwrap();
    let cited = verdict.reasons.iter().filter_map(|reason| match reason {
        Reason::Reduction(step) => match &step.change {
            Change::Invariance { by, .. } => Some(by.to_string()),
            _ => None,
        },
        _ => None,
    });
    let cited: Vec<String> = cited.collect();
    assert_eq!(cited, ["KDH26 Theorem 5.1", "Necklace26 Theorems 2.1 and 2.3"]);
}

/// What is known because a game is part of a larger one is told in the stacks of that, which has more of
/// them: as text and as JSON.
#[test]
fn parts_of_solved_games_are_told_in_all_forms() {
    let hosts = ["CN(8,3)", "CN(7,3)", "CN(7,4)", "CN(8,6)", "NN(8,4)"];
    let mut told = 0;
    for host in hosts.map(game) {
        let n = host.stacks();
        for zeros in (0..1u32 << n).filter(|zeros| (1..=3).contains(&zeros.count_ones())) {
            let heights = |height: u64| -> Vec<u64> {
                let height = |s: usize| if zeros >> s & 1 == 1 { 0 } else { height + s as u64 % 3 };
                (0..n).map(height).collect()
            };
            let state = State::new(&host, &Position::new(heights(1)).unwrap()).unwrap();
            let chain = Chain::shrink(state);
            let Some(part) = chain.end().game().filter(|g| g.single().is_some()) else { continue };
            let position = Position::new(chain.end().heights()).unwrap();
            let verdict = ask(&part, &position, &Options::default()).unwrap();
            assert!(!verdict.to_string().is_empty());
            let answer = serde_json::to_value(&verdict).unwrap();
            let steps = answer["explanation"].as_array().unwrap();
            let facts = steps.iter().filter_map(|step| step["facts"].as_array()).flatten();
            told += facts.filter(|fact| fact["kind"] == "within").count();
        }
    }
    assert!(told > 10, "{told}");
}
