//! The steps of an explanation or a reduction in JSON: all that a picture of them needs.
//!
//! Stacks go by what they are in the game asked about: `letters` name them, `stacks` number them from
//! 1. A stack that stands for several has several.

use crate::Reason;
use crate::render::reasons::{before_larger, change, in_proof, origins, sentences, word};
use crate::render::reduction::{Heights, game_of, step as in_words};
use crate::render::subgame::TheoremName;
use crate::render::words::Names;
use nimatron_game::StackSet;
use nimatron_reduce::{Chain, Change, Preserves, Step};
use nimatron_theory::Reason as Fact;
#[cfg(feature = "serde")]
use serde::Serialize;
use std::sync::Arc;

/// One step.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub(crate) struct Explanation {
    step: &'static str,
    text: String,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    game: Option<String>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    position: Option<Vec<u64>>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    letters: Option<Vec<String>>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    stacks: Option<Vec<Vec<usize>>>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    preserves: Option<&'static str>,
    /// For each stack of the state after, the stacks before that it stands for, from 1.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    members: Option<Vec<Vec<usize>>>,
    /// Who answered, or says that the vectors are invariant.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    by: Option<String>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    subtracted: Vec<Subtracted>,
    /// The stacks that were left out.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    empty: Vec<String>,
    /// The sets that now lie in others.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    dropped: Vec<Vec<String>>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    merged: Vec<Vec<String>>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    outcome: Option<String>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    theorem: Option<TheoremName>,
    /// The facts that decide the outcome.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    facts: Vec<FactAnswer>,
    /// How the move was constructed.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    construction: Vec<FactAnswer>,
    /// Why the move leads to a P-position.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    reached: Vec<FactAnswer>,
    /// The position in the larger game that a proof is about.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    within: Option<Within>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    take: Option<Vec<u64>>,
}

/// An invariant vector and how often it was subtracted.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
struct Subtracted {
    vector: Vec<String>,
    stacks: Vec<Vec<usize>>,
    times: u64,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
struct Within {
    game: String,
    position: Vec<u64>,
}

/// A fact of a theorem; which fields there are depends on its kind.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(Serialize))]
struct FactAnswer {
    kind: &'static str,
    text: String,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    left: Option<Vec<String>>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    left_sum: Option<u64>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    right: Option<Vec<String>>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    right_sum: Option<u64>,
    /// The stacks the fact is about: a window, the played set, the stacks of an xor.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    stacks: Option<Vec<String>>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    sum: Option<u64>,
    /// What the publication calls the alternative that holds.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    case: Option<&'static str>,
    /// How the position is read: the stacks in the order of the formula.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    order: Option<Vec<String>>,
    /// The alternative of the formula that holds, from 1.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    alternative: Option<usize>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    conditions: Vec<String>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    times: Option<u64>,
    /// What is left on each stack.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    heights: Option<Vec<u64>>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    from: Option<u64>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    to: Option<u64>,
}

/// The steps of an explanation.
pub(crate) fn explanations(reasons: &[Reason]) -> Vec<Explanation> {
    let origins = origins(reasons);
    let told = reasons.iter().zip(sentences(reasons)).zip(&origins);
    told.map(|((reason, text), before)| explanation(reason, text, before)).collect()
}

/// The steps of a reduction.
pub(crate) fn reductions(chain: &Chain, heights: Heights) -> Vec<Explanation> {
    let mut before: Vec<Vec<usize>> = (0..chain.start().stacks()).map(|s| vec![s]).collect();
    let n = before.len();
    let told = |step: &Arc<Step>| {
        let text = in_words(step, &Names::of(n).gathered(&before), heights);
        let answer = reduction(step, text, &before, n, heights);
        before = gathered(&before, &step.members);
        answer
    };
    chain.steps().iter().map(told).collect()
}

/// For each stack after, the stacks at the start.
pub(crate) fn gathered(before: &[Vec<usize>], members: &[Vec<usize>]) -> Vec<Vec<usize>> {
    members.iter().map(|m| m.iter().flat_map(|&s| before[s].clone()).collect()).collect()
}

fn explanation(reason: &Reason, text: String, before: &(usize, Vec<Vec<usize>>)) -> Explanation {
    let (n, before) = before;
    let names = Names::of(*n).gathered(before);
    let plain = Explanation { step: word(reason), text, ..Explanation::default() };
    let at = |answer: Explanation, state: &nimatron_reduce::State| Explanation {
        game: game_of(state),
        position: Some(state.heights()),
        letters: Some(names.all().to_vec()),
        stacks: Some(from_one(before)),
        ..answer
    };
    match reason {
        Reason::Reduction(step) => reduction(step, plain.text, before, *n, Heights::Shown),
        Reason::Theorem {
            state, outcome, by, relabelling, facts, construction, reached, ..
        } => {
            let back = relabelling.inverse();
            let own = |stack: usize| names.one(back.image(stack)).to_string();
            let told = |facts: &[Fact]| FactAnswer::all(facts, &own);
            Explanation {
                by: Some(by.cited().to_string()),
                outcome: Some(outcome.to_string()),
                theorem: Some(by.into()),
                facts: told(facts),
                construction: told(construction),
                reached: told(reached),
                ..at(plain, state)
            }
        }
        Reason::Proof { state, outcome, by, position, stacks, facts, reached, .. } => Explanation {
            by: Some(by.cited().to_string()),
            outcome: Some(outcome.to_string()),
            facts: FactAnswer::all(facts, &|stack| in_proof(stack, stacks, &names)),
            reached: FactAnswer::all(reached, &|stack| in_proof(stack, stacks, &names)),
            within: match by {
                crate::By::Proof { game, .. } => {
                    Some(Within { game: game.to_string(), position: position.to_vec() })
                }
                _ => None,
            },
            ..at(plain, state)
        },
        Reason::Conjecture { state, outcome, facts } => {
            let own = |stack: usize| names.one(stack).to_string();
            Explanation {
                outcome: Some(outcome.to_string()),
                facts: FactAnswer::all(facts, &own),
                ..at(plain, state)
            }
        }
        Reason::Settled { state, outcome, by } => Explanation {
            by: Some(by.cited().to_string()),
            outcome: Some(outcome.to_string()),
            ..at(plain, state)
        },
        Reason::Move { state, take } => {
            Explanation { take: Some(take.to_vec()), ..at(plain, state) }
        }
        Reason::Lift { take } => Explanation { take: Some(take.to_vec()), ..plain },
        Reason::Value { by, .. } => Explanation { by: Some(by.cited().to_string()), ..plain },
        Reason::Terminal | Reason::Sum { .. } => plain,
    }
}

fn reduction(
    step: &Step,
    text: String,
    before: &[Vec<usize>],
    n: usize,
    heights: Heights,
) -> Explanation {
    let names = Names::of(n).gathered(before);
    let after = gathered(before, &step.members);
    let letters = |set: StackSet| set.iter().map(|s| names.one(s).to_string()).collect();
    let mut answer = Explanation {
        step: change(step),
        text,
        game: game_of(&step.after),
        position: (heights == Heights::Shown).then(|| step.after.heights()),
        letters: Some(Names::of(n).gathered(&after).all().to_vec()),
        stacks: Some(from_one(&after)),
        preserves: Some(match step.preserves {
            Preserves::Game => "game",
            Preserves::Values => "values",
            _ => "outcome",
        }),
        members: Some(from_one(&step.members)),
        ..Explanation::default()
    };
    match &step.change {
        Change::Zero { stacks, dropped } => {
            answer.empty = letters(*stacks);
            answer.dropped = dropped.iter().map(|&set| letters(set)).collect();
        }
        Change::Idle { stacks } => answer.empty = letters(*stacks),
        Change::Merge { classes } => {
            answer.merged = classes.iter().map(|&class| letters(class)).collect();
        }
        Change::Cone { stack } => answer.empty = letters(StackSet::single(*stack)),
        Change::Invariance { subtracted, by } => {
            answer.by = Some(by.to_string());
            let one = |&(vector, times): &(StackSet, u64)| Subtracted {
                vector: letters(vector),
                stacks: vector.iter().map(|s| before[s].iter().map(|s| s + 1).collect()).collect(),
                times,
            };
            answer.subtracted = subtracted.iter().map(one).collect();
        }
        _ => {}
    }
    answer
}

impl FactAnswer {
    /// Facts one after the other, each in the stacks it is about.
    fn all(facts: &[Fact], name: &dyn Fn(usize) -> String) -> Vec<Self> {
        let split = before_larger(facts);
        let there = |stack: usize| StackSet::single(stack).to_string();
        let own = facts[..split].iter().map(|fact| FactAnswer::of(fact, name));
        own.chain(facts[split..].iter().map(|fact| FactAnswer::of(fact, &there))).collect()
    }

    fn of(fact: &Fact, name: &dyn Fn(usize) -> String) -> Self {
        let letters = |set: &StackSet| Some(set.iter().map(name).collect::<Vec<_>>());
        let small = |sum: &u128| u64::try_from(*sum).ok();
        let plain = FactAnswer { text: fact.told(name), ..FactAnswer::default() };
        match fact {
            Fact::Sums { left, left_sum, right, right_sum } => FactAnswer {
                kind: "sums",
                left: letters(left),
                left_sum: small(left_sum),
                right: letters(right),
                right_sum: small(right_sum),
                ..plain
            },
            Fact::Zeros { stacks, sum } => {
                FactAnswer { kind: "zeros", stacks: letters(stacks), sum: small(sum), ..plain }
            }
            Fact::LeastWindow { window, sum } => {
                FactAnswer { kind: "window", stacks: letters(window), sum: small(sum), ..plain }
            }
            Fact::LeastStack { stack, height, .. } => FactAnswer {
                kind: "least",
                stacks: Some(vec![name(*stack)]),
                sum: Some(*height),
                ..plain
            },
            Fact::Xor { stacks, value } => {
                FactAnswer { kind: "xor", stacks: letters(stacks), sum: Some(*value), ..plain }
            }
            Fact::Circuit { circuit, times } => FactAnswer {
                kind: "circuit",
                stacks: letters(circuit),
                times: Some(*times),
                ..plain
            },
            Fact::Peel { stacks, times } => {
                FactAnswer { kind: "peel", stacks: letters(stacks), times: Some(*times), ..plain }
            }
            Fact::Left { heights, facet } => FactAnswer {
                kind: "left",
                stacks: letters(facet),
                heights: Some(heights.clone()),
                ..plain
            },
            Fact::Holds { case, witness, heights } => FactAnswer {
                kind: "holds",
                case: *case,
                order: Some(witness.order.iter().map(|&s| name(s)).collect()),
                alternative: witness.alternatives.first().map(|number| number + 1),
                conditions: witness.told(heights, name),
                ..plain
            },
            Fact::PlayedOn { facet } => {
                FactAnswer { kind: "played", stacks: letters(facet), ..plain }
            }
            Fact::Lowered { stack, from, to } => FactAnswer {
                kind: "lowered",
                stacks: Some(vec![name(*stack)]),
                from: Some(*from),
                to: Some(*to),
                ..plain
            },
            Fact::Rule { order, heights, .. } => FactAnswer {
                kind: "rule",
                order: Some(order.iter().map(|&s| name(s)).collect()),
                stacks: Some(heights.iter().map(|new| name(new.stack)).collect()),
                ..plain
            },
            Fact::Case(_) => FactAnswer { kind: "case", ..plain },
            // Stacks of the larger game go by its own letters from here on.
            Fact::Within { .. } => FactAnswer { kind: "within", ..plain },
            _ => FactAnswer { kind: "fact", ..plain },
        }
    }
}

/// Stacks counted from 1, as everywhere outside the program.
pub(crate) fn from_one(members: &[Vec<usize>]) -> Vec<Vec<usize>> {
    members.iter().map(|m| m.iter().map(|s| s + 1).collect()).collect()
}
