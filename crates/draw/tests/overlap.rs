//! No label lies on another: boxes of text, measured in the SVG itself.

#[path = "support/boxes.rs"]
mod text;

use nimatron_draw::{Anchor, BoardOptions, Heights, Layout, Point, Run, Theme};
use nimatron_draw::{board, measure, pens};
use nimatron_game::{Game, StackSet};
use text::boxes;

fn overlaps(svg: &str) -> Vec<String> {
    let boxes = boxes(svg);
    assert!(!boxes.is_empty());
    let mut bad = Vec::new();
    for (i, (text, area)) in boxes.iter().enumerate() {
        for (other, beside) in &boxes[i + 1..] {
            if area.meets(beside) {
                bad.push(format!("{text} on {other}"));
            }
        }
    }
    bad
}

fn check(name: &str, svg: &str) {
    let bad = overlaps(svg);
    assert!(bad.is_empty(), "{name}: {bad:?}");
}

/// Numbers without end, always the same.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }
}

fn system(random: &mut Random) -> Game {
    let n = 2 + random.below(7) as usize;
    let all = StackSet::first(n);
    loop {
        let count = 1 + random.below(2 * n as u64);
        let sets: Vec<StackSet> = (0..count)
            .map(|_| StackSet::from_bits(1 + random.below((1 << n) - 1) as u32))
            .collect();
        let covered = sets.iter().fold(StackSet::EMPTY, |a, &s| a | s);
        if covered == all {
            return Game::set_nim(n, sets).unwrap();
        }
    }
}

#[test]
fn two_hundred_set_systems_without_overlaps() {
    let mut random = Random(0x6e696d61);
    for _ in 0..200 {
        let game = system(&mut random);
        let n = game.stacks();
        let heights: Vec<u64> = (0..n).map(|_| random.below(15)).collect();
        let take: Vec<u64> = heights.iter().map(|&h| random.below(h + 1)).collect();
        let options = BoardOptions::default();
        let drawing = board::game(&game, &options).unwrap();
        check(&format!("{game}"), &pens::svg(&drawing, Theme::Auto));
        for heights_as in [Heights::Numbers, Heights::Tokens, Heights::Both] {
            let options = options.clone().heights(Some(heights_as));
            let drawing = board::position(&game, &heights, &options).unwrap();
            check(
                &format!("{game} at {heights:?} as {heights_as:?}"),
                &pens::svg(&drawing, Theme::Auto),
            );
            let drawing = board::step(&game, &heights, &take, &options).unwrap();
            check(&format!("{game}: {take:?} of {heights:?}"), &pens::svg(&drawing, Theme::Auto));
        }
    }
}

#[test]
fn named_games_without_overlaps() {
    let games = [
        "CN(3,2)",
        "CN(8,3)",
        "CN(12,5)",
        "CN(16,7)",
        "PN(5,3)",
        "NN(6,3)",
        "NN(9,4,3)",
        "Moore(5,2)",
        "Nim(4)",
        "Exact(4,2)",
        "Slow(5,{1,2})",
        "Matrix(3,2)",
        "Cube(vertex)",
        "Cube(edge)",
        "Cube(face)",
        "Graph(0-1,1-2,2-0)",
        "Graph(0-1,0-2,0-3,0-4,1-2,1-3,1-4,2-3,2-4,3-4)",
        "Graph(0-1,0-1,1-2)",
        "PN(3,2) + Nim(1)",
        "misere CN(5,2)",
        "CN(20,3)",
    ];
    for name in games {
        let game: Game = name.parse().unwrap();
        let tall: Vec<u64> =
            (0..game.stacks() as u64).map(|s| [0, 7, 123_456, 1, 12, 13][s as usize % 6]).collect();
        for layout in [None, Some(Layout::Row)] {
            let options = BoardOptions::default().layout(layout);
            let drawing = board::game(&game, &options).unwrap();
            check(name, &pens::svg(&drawing, Theme::Print));
            let drawing = board::position(&game, &tall, &options).unwrap();
            check(name, &pens::svg(&drawing, Theme::Dark));
        }
        let numbers = BoardOptions::default().heights(Some(Heights::Numbers));
        let drawing = board::position(&game, &tall, &numbers).unwrap();
        check(name, &pens::svg(&drawing, Theme::Light));
    }
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let fours = StackSet::first(9).subsets().filter(|s| s.len() == 4).skip(26);
    let many = Game::set_nim(9, fours.collect()).unwrap();
    let error = board::game(&many, &BoardOptions::default()).err().unwrap().to_string();
    assert!(error.contains("100 sets; at most 64"), "{error}");
    let long: Game = "CN(20,3)".parse().unwrap();
    let ring = BoardOptions::default().layout(Some(Layout::Ring));
    let error = board::game(&long, &ring).err().unwrap().to_string();
    assert!(error.contains("20 stacks do not fit on a circle"), "{error}");
    let cube: Game = "Cube(face)".parse().unwrap();
    let tokens = BoardOptions::default().heights(Some(Heights::Tokens));
    assert!(board::position(&cube, &[1; 6], &tokens).is_err());
    assert!(board::position(&cube, &[1; 5], &BoardOptions::default()).is_err());
}

#[test]
fn the_same_bytes_every_time_and_nothing_that_is_no_xml() {
    let game: Game = "CN(7,3)".parse().unwrap();
    let draw = || board::position(&game, &[3, 5, 4, 2, 1, 6, 3], &BoardOptions::default()).unwrap();
    assert_eq!(pens::svg(&draw(), Theme::Auto), pens::svg(&draw(), Theme::Auto));
    let mut odd = draw();
    odd.title = "a<b>&\"\u{1}".into();
    let svg = pens::svg(&odd, Theme::Auto);
    assert!(svg.contains("<title>a&lt;b&gt;&amp;&quot;\u{fffd}</title>"));
    assert!(pens::tikz(&odd, pens::Frame::Input).lines().all(|l| !l.contains('\u{1}')));
}
