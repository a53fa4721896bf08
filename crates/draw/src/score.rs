//! The score of a reduction: boards from left to right, each smaller than the one before, a line for each stack,
//! and the winning move on its way back.

use crate::board::row;
use crate::drawing::{Anchor, Canvas, Dash, Drawing, Ink, Point, Run, Segment, Stroke};
use crate::layout::DrawError;
use crate::measure;
use nimatron_game::Height;

/// A board of the score.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Stage {
    /// What led here.
    pub caption: String,
    /// The game.
    pub game: String,
    /// What its stacks are called; stacks keep the letters of the first board.
    pub names: Vec<String>,
    /// The heights.
    pub heights: Vec<Height>,
    /// Tokens that are subtracted on the way to the next board.
    pub subtracted: Vec<Height>,
    /// What a winning move takes here; nothing in a P-position.
    pub take: Vec<Height>,
    /// For each stack of the next board, the stacks here that it stands for.
    pub members: Vec<Vec<usize>>,
}

/// A whole score.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Score {
    /// What it is about.
    pub title: String,
    /// The boards.
    pub stages: Vec<Stage>,
    /// What is said about the last board.
    pub ending: String,
}

const PITCH: f64 = 13.0;
const LAMP: f64 = 5.4;
const LINE: f64 = 25.0;
const GAP: f64 = 56.0;
const TEXT: f64 = 13.0;
/// Boards beside each other.
const PER_ROW: usize = 6;
/// Taller stacks are tubes.
const MOST_TOKENS: Height = 12;

/// Draws a score.
pub fn score(score: &Score) -> Result<Drawing, DrawError> {
    const MOST: usize = 20;
    let stages = &score.stages;
    if stages.len() > MOST {
        return Err(DrawError::TooMany { what: "boards", found: stages.len(), most: MOST });
    }
    let mut canvas = Canvas::new();
    let mut y = 0.0;
    let mut start = 0;
    loop {
        let end = (start + PER_ROW).min(stages.len());
        y = system(&mut canvas, &stages[start..end], start == 0, y);
        if end == stages.len() {
            break;
        }
        // The last board is repeated at the start of the next row.
        start = end - 1;
        y += 26.0;
    }
    let wide = canvas.bounds().map_or(300.0, |(a, b)| (b.x - a.x).max(300.0));
    for line in measure::wrapped(&score.ending, TEXT, wide) {
        y += 18.0;
        canvas.text(Point::new(0.0, y), TEXT, Anchor::Start, Ink::Ink, vec![Run::roman(line)]);
    }
    let legend = legend(stages).join("; ");
    if !legend.is_empty() {
        y += 18.0;
        canvas.text(Point::new(0.0, y), TEXT, Anchor::Start, Ink::Third, vec![Run::roman(legend)]);
    }
    let said: Vec<String> =
        stages.iter().map(|s| format!("{} {} at {}", s.caption, s.game, row(&s.heights))).collect();
    Ok(canvas.finish(&score.title, &format!("{}. {}", said.join("; "), score.ending), 8.0))
}

/// What tokens that are not plain mean, as far as there are any.
fn legend(stages: &[Stage]) -> Vec<&'static str> {
    let any = |list: fn(&Stage) -> &[Height]| stages.iter().any(|s| list(s).iter().any(|t| *t > 0));
    let mut said = Vec::new();
    if any(|stage| &stage.subtracted) {
        said.push("dashed: subtracted in the next step");
    }
    if any(|stage| &stage.take) {
        said.push("blue: what the winning move takes");
    }
    said
}

/// Tokens as they are drawn in a line.
fn shown(stage: &Stage, stack: usize) -> f64 {
    let height = stage.heights.get(stack).copied().unwrap_or(0);
    match height {
        0 => 0.0,
        1..=MOST_TOKENS => height as f64 * PITCH,
        // The number of a tube stands behind it.
        _ => 6.0 * PITCH + 8.0 + measure::width(&[Run::roman(height.to_string())], TEXT),
    }
}

fn letter_width(stage: &Stage) -> f64 {
    stage.names.iter().map(|n| measure::width(&Run::math(n), 14.0)).fold(10.0, f64::max) + 6.0
}

fn stage_width(stage: &Stage) -> f64 {
    let tokens = (0..stage.heights.len()).map(|s| shown(stage, s)).fold(20.0, f64::max);
    let lines = [row(&stage.heights), stage.game.clone(), row(&stage.take)];
    let texts = lines.iter().map(|t| measure::width(&[Run::roman(t.as_str())], TEXT));
    texts.fold(tokens + letter_width(stage), f64::max).max(120.0)
}

/// A row of boards; how far down it goes.
fn system(canvas: &mut Canvas, stages: &[Stage], first: bool, top: f64) -> f64 {
    let widths: Vec<f64> = stages.iter().map(stage_width).collect();
    let mut lefts = vec![0.0];
    widths.iter().for_each(|w| lefts.push(lefts[lefts.len() - 1] + w + GAP));
    let captions: Vec<Vec<String>> = stages
        .iter()
        .zip(&widths)
        .enumerate()
        .map(|(i, (stage, w))| match i == 0 && !first {
            true => vec!["continued".to_string()],
            false => measure::wrapped(&stage.caption, TEXT, w + 0.5 * GAP),
        })
        .collect();
    let lines = captions.iter().map(Vec::len).max().unwrap_or(0);
    for (lines, &x) in captions.iter().zip(&lefts) {
        for (i, line) in lines.iter().enumerate() {
            let at = Point::new(x, top + 8.0 + 17.0 * i as f64);
            canvas.text(at, TEXT, Anchor::Start, Ink::Second, vec![Run::roman(line.as_str())]);
        }
    }
    let head = top + 17.0 * lines as f64 + 14.0;
    let most = stages.iter().map(|s| s.heights.len()).max().unwrap_or(0);
    let body = head + 50.0;
    let middle = body + LINE * (most.max(1) - 1) as f64 / 2.0;
    let line_y = |stage: &Stage, stack: usize| {
        middle + LINE * (stack as f64 - (stage.heights.len().max(1) - 1) as f64 / 2.0)
    };
    for (i, stage) in stages.iter().enumerate() {
        let x = lefts[i];
        let game = Point::new(x, head);
        canvas.text(game, 14.0, Anchor::Start, Ink::Ink, vec![Run::bold(stage.game.as_str())]);
        let position = Point::new(x, head + 18.0);
        canvas.text(
            position,
            TEXT,
            Anchor::Start,
            Ink::Third,
            vec![Run::roman(row(&stage.heights))],
        );
        for stack in 0..stage.heights.len() {
            line(canvas, stage, stack, Point::new(x, line_y(stage, stack)));
        }
        if let Some(next) = stages.get(i + 1) {
            for stack in 0..stage.heights.len() {
                let from = Point::new(
                    x + letter_width(stage) + shown(stage, stack).max(12.0) + 4.0,
                    line_y(stage, stack),
                );
                thread(canvas, stage, stack, from, x + widths[i], |image| {
                    Point::new(lefts[i + 1] - 7.0, line_y(next, image))
                });
            }
        }
    }
    let mut bottom = body + LINE * most as f64;
    if stages.iter().any(|s| s.take.iter().any(|t| *t > 0)) {
        let last = lefts[stages.len() - 1] + widths[stages.len() - 1];
        let (from, to) = (Point::new(last, bottom + 2.0), Point::new(0.0, bottom + 2.0));
        canvas.line(from, to.moved(6.0, 0.0), Stroke::new(Ink::P, 1.4));
        canvas.head(to, from, 9.0, Ink::P);
        bottom += 20.0;
        for (i, stage) in stages.iter().enumerate() {
            let word = match (i == 0 && first, i + 1 == stages.len()) {
                (true, _) => "the winning move here",
                (_, true) => "a winning move there",
                _ => "the same move",
            };
            let x = lefts[i];
            canvas.text(Point::new(x, bottom), TEXT, Anchor::Start, Ink::P, vec![Run::roman(word)]);
            let at = Point::new(x, bottom + 17.0);
            canvas.text(at, TEXT, Anchor::Start, Ink::P, vec![Run::bold(row(&stage.take))]);
        }
        bottom += 26.0;
    }
    bottom
}

/// The letter and the tokens of a stack.
fn line(canvas: &mut Canvas, stage: &Stage, stack: usize, at: Point) {
    let height = stage.heights[stack];
    let get = |list: &[Height]| list.get(stack).copied().unwrap_or(0).min(height);
    let (taken, subtracted) = (get(&stage.take), get(&stage.subtracted));
    let ink = if taken > 0 { Ink::P } else { Ink::Second };
    let name = stage.names.get(stack).map_or("", String::as_str);
    canvas.text(at, 14.0, Anchor::Start, ink, Run::math(name)).role("letter", Some(stack), None);
    let x = at.x + letter_width(stage) + LAMP;
    if height == 0 {
        let zero = Point::new(x - LAMP, at.y);
        canvas.text(zero, 12.5, Anchor::Start, Ink::Third, vec![Run::roman("0")]);
        return;
    }
    if height > MOST_TOKENS {
        let (from, to) = (Point::new(x, at.y), Point::new(x + 5.0 * PITCH, at.y));
        let both = vec![Segment::Move(from), Segment::Line(to)];
        canvas.path(both.clone(), Stroke::new(Ink::LampEdge, 2.0 * LAMP));
        canvas.path(both, Stroke::new(Ink::Lamp, 2.0 * LAMP - 2.0));
        let part = |amount: Height| (amount as f64 / height as f64 * 5.0 * PITCH).max(PITCH);
        if taken > 0 {
            let gone = vec![Segment::Move(to.moved(-part(taken), 0.0)), Segment::Line(to)];
            canvas.path(gone.clone(), Stroke::new(Ink::P, 2.0 * LAMP));
            canvas.path(gone, Stroke::new(Ink::Paper, 2.0 * LAMP - 3.0));
        }
        let number = to.moved(LAMP + 6.0, 0.0);
        canvas.text(number, TEXT, Anchor::Start, ink, vec![Run::roman(height.to_string())]);
        return;
    }
    for token in 0..height {
        let here = Point::new(x + token as f64 * PITCH, at.y);
        let index = usize::try_from(token).ok();
        if token < subtracted {
            let dashed = Stroke { ink: Ink::LampEdge, width: 1.0, dash: Dash::Dashed };
            canvas.circle(here, LAMP - 0.5, Some(dashed), None).role(
                "subtracted",
                Some(stack),
                index,
            );
        } else if token >= height - taken {
            let ring = Some(Stroke::new(Ink::P, 1.6));
            canvas.circle(here, LAMP - 0.5, ring, Some(Ink::Paper)).role(
                "taken",
                Some(stack),
                index,
            );
        } else {
            canvas.lamp(here, LAMP).role("token", Some(stack), index);
        }
    }
}

/// The thread from a stack to what stands for it on the next board, or its end.
fn thread(
    canvas: &mut Canvas,
    stage: &Stage,
    stack: usize,
    from: Point,
    edge: f64,
    place: impl Fn(usize) -> Point,
) {
    let image = stage.members.iter().position(|m| m.contains(&stack));
    let taken = stage.take.get(stack).copied().unwrap_or(0) > 0;
    let stroke = if taken { Stroke::new(Ink::P, 1.6) } else { Stroke::new(Ink::Line, 0.9) };
    match image {
        Some(image) => {
            let to = place(image);
            let turn = Point::new(edge.max(from.x), from.y);
            let reach = (to.x - turn.x) / 2.0;
            let segments = vec![
                Segment::Move(from),
                Segment::Line(turn),
                Segment::Cubic(turn.moved(reach, 0.0), to.moved(-reach, 0.0), to),
            ];
            canvas.path(segments, stroke).role("thread", Some(stack), None);
        }
        None => {
            let end = from.moved(22.0, 0.0);
            canvas.line(from, end, stroke);
            canvas.line(end.moved(0.0, -4.0), end.moved(0.0, 4.0), stroke);
        }
    }
}
