//! What a host remembers between questions never changes an answer.

use nimatron::Knowledge;
use nimatron_service::{Host, answer};
use std::sync::Arc;

/// Games under several names, and games within them.
const GAMES: [&str; 18] = [
    "Nim(3)",
    "CN(3,1)",
    "Moore(3,1)",
    "PN(3,1)",
    "Set(a,b,c)",
    "CN(3,2)",
    "Moore(3,2)",
    "Set(ab,bc,ac)",
    "PN(3,2)",
    "Set(ab,bc)",
    "CN(4,2)",
    "PN(4,2)",
    "Set(ab,bc,cd)",
    "CN(5,3)",
    "CN(7,3)",
    "Set(abc,bcd,cde,def,efg,afg,abg)",
    "CN(4,3)",
    "Moore(4,3)",
];

fn questions() -> Vec<String> {
    let mut made = Vec::new();
    let mut seed = 17u64;
    for _ in 0..4 {
        for game in GAMES {
            let stacks = game.parse::<nimatron::Game>().unwrap().stacks();
            let heights: Vec<String> = (0..stacks)
                .map(|_| {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    let height = (seed >> 40) % 7;
                    // Empty stacks make games within games.
                    height.saturating_sub(2).to_string()
                })
                .collect();
            let at = heights.join(",");
            made.push(format!(
                r#"{{"ask":"solve","game":"{game}","position":[{at}],"all_moves":true}}"#
            ));
            made.push(format!(r#"{{"ask":"solve","game":"misere {game}","position":[{at}]}}"#));
            made.push(format!(r#"{{"ask":"reduce","game":"{game}","position":[{at}]}}"#));
            made.push(format!(
                r#"{{"ask":"reduce","game":"{game}","position":[{at}],"invariance":true}}"#
            ));
        }
    }
    for game in GAMES {
        made.push(format!(r#"{{"ask":"subgames","game":"{game}"}}"#));
        made.push(format!(r#"{{"ask":"game","game":"{game}"}}"#));
    }
    made
}

#[test]
fn answers_do_not_depend_on_what_was_asked_before() {
    let questions = questions();
    let alone = |question: &String| answer(question, &Host::default());
    let expected: Vec<_> = questions.iter().map(alone).collect();
    // In this order, in the other, and with strides: each leaves other memories behind.
    let count = questions.len();
    let forward = (0..count).collect::<Vec<_>>();
    let back = (0..count).rev().collect::<Vec<_>>();
    let strides = (0..count).map(|i| i * 53 % count).collect::<Vec<_>>();
    assert_ne!(count % 53, 0);
    for order in [forward, back, strides] {
        let shared = Arc::new(Knowledge::default());
        let known = || Knowledge::sharing(Arc::clone(&shared));
        let host = Host::default().knowing(&known);
        for place in order {
            let told = answer(&questions[place], &host);
            assert_eq!(told, expected[place], "{}", questions[place]);
        }
    }
}
