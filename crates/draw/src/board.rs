//! Boards: a game, a position, a move.

use crate::drawing::{Anchor, Canvas, Dash, Drawing, Ink, Point, Run, Segment, Shape, Stroke, arc};
use crate::layout::{DrawError, Layout, Plan, SetMark, cube_place};
use crate::{graph_board, measure};
use nimatron_game::{Game, Height, StackSet};

/// How heights are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Heights {
    /// As numbers.
    Numbers,
    /// As tokens one behind the other.
    Tokens,
    /// As both.
    Both,
}

/// How a board looks.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct BoardOptions {
    /// How heights are shown; if nothing is said, as both where tokens have a place.
    pub heights: Option<Heights>,
    /// How stacks are arranged; if nothing is said, as suits the game.
    pub layout: Option<Layout>,
    /// A set of stacks to point out.
    pub pointed: StackSet,
    /// No marks for the sets of the game.
    pub plain: bool,
    /// How much farther away letters stand, for what is drawn around the stacks.
    pub(crate) away: u32,
}

impl BoardOptions {
    /// With heights shown like this.
    #[must_use]
    pub fn heights(mut self, heights: Option<Heights>) -> Self {
        self.heights = heights;
        self
    }

    /// With stacks arranged like this.
    #[must_use]
    pub fn layout(mut self, layout: Option<Layout>) -> Self {
        self.layout = layout;
        self
    }

    /// With these stacks pointed out.
    #[must_use]
    pub fn pointing(mut self, stacks: StackSet) -> Self {
        self.pointed = stacks;
        self
    }

    /// Without marks for the sets.
    #[must_use]
    pub fn plain(mut self) -> Self {
        self.plain = true;
        self
    }
}

/// What stands on the stacks.
#[derive(Clone, Copy)]
pub(crate) enum Content<'a> {
    /// Nothing: the game itself.
    Letters,
    /// Heights, and what a move takes of them.
    Heights(&'a [Height], Option<&'a [Height]>),
    /// A word for each.
    Words(&'a [Vec<Run>]),
}

/// Heights up to this are drawn as tokens; taller stacks are tubes.
const MOST_TOKENS: Height = 12;

/// The letters of the stacks: `a`, `b`, ..., or `x1`, `x2`, ...
pub fn letters(n: usize) -> Vec<String> {
    (0..n)
        .map(|s| match n <= 26 {
            true => ((b'a' + s as u8) as char).to_string(),
            false => format!("x{}", s + 1),
        })
        .collect()
}

/// A name of a stack as it is written in a figure: the letter slanted, a number after it upright.
pub(crate) fn name_runs(name: &str) -> Vec<Run> {
    match name.strip_prefix('x').filter(|rest| !rest.is_empty()) {
        Some(rest) => vec![Run::italic("x"), Run::roman(rest)],
        None => Run::math(name),
    }
}

/// The game: its stacks and its sets.
pub fn game(game: &Game, options: &BoardOptions) -> Result<Drawing, DrawError> {
    for (plan, summand) in Plan::all(game, options.layout, &[])?.iter().zip(game.summands()) {
        if plan.marks.is_empty() && plan.note.is_none() {
            let game = summand.family().to_string();
            return Err(DrawError::Sets { game, sets: plan.sets });
        }
    }
    let title = game.to_string();
    let description = format!("The game {game} with {} stacks.", game.stacks());
    draw(game, Content::Letters, options, &title, &description)
}

/// A position.
pub fn position(
    game: &Game,
    heights: &[Height],
    options: &BoardOptions,
) -> Result<Drawing, DrawError> {
    fits(game, heights)?;
    let row = row(heights);
    let title = format!("{game} at {row}");
    let description = format!("The position {row} of {game}.");
    draw(game, Content::Heights(heights, None), options, &title, &description)
}

/// A move: the position with the tokens that are taken as rings, and the position after it.
pub fn step(
    game: &Game,
    heights: &[Height],
    take: &[Height],
    options: &BoardOptions,
) -> Result<Drawing, DrawError> {
    fits(game, heights)?;
    fits(game, take)?;
    let after: Vec<Height> = heights.iter().zip(take).map(|(h, t)| h.saturating_sub(*t)).collect();
    let (from, to) = (row(heights), row(&after));
    let title = format!("A move of {game}: {from} to {to}");
    let description = format!("In {game}, taking {} from {from} leaves {to}.", row(take));
    let support = take.iter().enumerate().filter(|(_, t)| **t > 0).map(|(s, _)| s).collect();
    let pointed = options.clone().pointing(support);
    let scale = heights.iter().copied().max();
    let before = sketch(game, Content::Heights(heights, Some(take)), &pointed, scale)?;
    let left = sketch(game, Content::Heights(&after, None), options, scale)?;
    let mut canvas = Canvas::new();
    let x = canvas.beside(before, 0.0);
    let middle = match Plan::all(game, options.layout, &[])?[0].layout {
        Layout::Row => -24.0,
        Layout::Ring => 0.0,
        _ => canvas.bounds().map_or(0.0, |(a, b)| (a.y + b.y) / 2.0),
    };
    let (from, to) = (Point::new(x + 14.0, middle), Point::new(x + 54.0, middle));
    canvas.line(from, to.moved(-6.0, 0.0), Stroke::new(Ink::P, 1.6));
    canvas.head(to, from, 10.0, Ink::P);
    canvas.beside(left, x + 68.0);
    Ok(canvas.finish(&title, &description, 8.0))
}

/// Heights as they are written.
pub(crate) fn row(heights: &[Height]) -> String {
    let heights: Vec<String> = heights.iter().map(|h| h.to_string()).collect();
    format!("({})", heights.join(","))
}

fn fits(game: &Game, heights: &[Height]) -> Result<(), DrawError> {
    let (stacks, heights) = (game.stacks(), heights.len());
    if stacks == heights { Ok(()) } else { Err(DrawError::Heights { stacks, heights }) }
}

/// A finished board.
pub(crate) fn draw(
    game: &Game,
    content: Content,
    options: &BoardOptions,
    title: &str,
    description: &str,
) -> Result<Drawing, DrawError> {
    Ok(sketch(game, content, options, None)?.finish(title, description, 8.0))
}

/// A board, one summand beside the other, with room for heights up to `scale`.
pub(crate) fn sketch(
    game: &Game,
    content: Content,
    options: &BoardOptions,
    scale: Option<Height>,
) -> Result<Canvas, DrawError> {
    let names = letters(game.stacks());
    let plans = Plan::all(game, options.layout, &names)?;
    let mut canvas = Canvas::new();
    let mut x = 0.0;
    for (i, plan) in plans.iter().enumerate() {
        let mut part = Canvas::new();
        draw_plan(&mut part, plan, content, options, scale)?;
        if plans.len() == 1 {
            return Ok(part);
        }
        if i > 0 {
            canvas.label(Point::new(x + 22.0, 0.0), 22.0, Ink::Ink, vec![Run::roman("+")]);
            x += 44.0;
        }
        x = canvas.beside(part, x);
    }
    Ok(canvas)
}

fn draw_plan(
    canvas: &mut Canvas,
    plan: &Plan,
    content: Content,
    options: &BoardOptions,
    scale: Option<Height>,
) -> Result<(), DrawError> {
    let is_line = matches!(plan.layout, Layout::Ring | Layout::Row);
    let heights = match (options.heights, content) {
        (_, Content::Letters | Content::Words(_)) => Heights::Numbers,
        (Some(heights), _) => heights,
        (None, _) if is_line => Heights::Both,
        (None, _) => Heights::Numbers,
    };
    if heights != Heights::Numbers && !is_line {
        return Err(DrawError::Tokens);
    }
    let board = Board { plan, content, heights, options, scale };
    match plan.layout {
        Layout::Ring if heights == Heights::Numbers => board.ring_of_numbers(canvas),
        Layout::Ring => board.ring_of_tokens(canvas),
        Layout::Row if heights == Heights::Numbers => board.row_of_numbers(canvas),
        Layout::Row => board.row_of_tokens(canvas),
        Layout::Matrix { columns } => board.matrix(canvas, columns),
        Layout::Cube => board.cube(canvas),
        Layout::Graph => graph_board::draw(&board, canvas),
    }
    if let (Some(note), false) = (&plan.note, options.plain)
        && let Some((least, most)) = canvas.bounds()
    {
        // Broken to the width of the board, or to some width if it is narrow.
        let wide = (most.x - least.x).max(230.0);
        let x = (least.x + most.x) / 2.0;
        for (i, line) in measure::wrapped(&format!("a move: {note}"), 13.0, wide).iter().enumerate()
        {
            let at = Point::new(x, most.y + 18.0 + 17.0 * i as f64);
            canvas.label(at, 13.0, Ink::Third, vec![Run::roman(line.as_str())]);
        }
    }
    Ok(())
}

pub(crate) struct Board<'a> {
    pub(crate) plan: &'a Plan,
    content: Content<'a>,
    heights: Heights,
    options: &'a BoardOptions,
    scale: Option<Height>,
}

/// The radius of a stack that is drawn as a circle with a number.
const DISC: f64 = 15.0;

impl Board<'_> {
    pub(crate) fn height(&self, stack: usize) -> Option<Height> {
        match self.content {
            Content::Heights(heights, _) => heights.get(stack).copied(),
            _ => None,
        }
    }

    pub(crate) fn taken(&self, stack: usize) -> Height {
        match self.content {
            Content::Heights(_, Some(take)) => take.get(stack).copied().unwrap_or(0),
            _ => 0,
        }
    }

    fn is_pointed(&self, stack: usize) -> bool {
        self.options.pointed.contains(stack)
    }

    /// Whether sets are drawn beside the stacks.
    fn shows_sets(&self) -> bool {
        !self.options.plain && !self.plan.marks.is_empty()
    }

    /// The disc of a stack with its letter, height or word.
    pub(crate) fn disc(&self, canvas: &mut Canvas, stack: usize, name: &str, at: Point) {
        let taken = self.taken(stack);
        let ink = if taken > 0 { Ink::P } else { Ink::Line };
        let width = if taken > 0 { 1.8 } else { 1.1 };
        let fill = match self.height(stack) {
            Some(0) | None => Ink::Paper,
            Some(_) => Ink::Lamp,
        };
        let fill = if let Content::Words(_) = self.content { Ink::Paper } else { fill };
        let edge = if fill == Ink::Lamp && taken == 0 { Ink::LampEdge } else { ink };
        let stroke = Some(Stroke::new(edge, width));
        let plain_lamp = if fill == Ink::Lamp { Some(Ink::Ramp(12)) } else { Some(fill) };
        canvas.circle(at, DISC, stroke, plain_lamp).role("stack", Some(stack), None);
        match self.content {
            Content::Letters => {
                canvas.label(at, 16.0, Ink::Ink, name_runs(name)).role("letter", Some(stack), None);
            }
            Content::Heights(..) => {
                let height = self.height(stack).unwrap_or(0);
                let text = vec![Run::roman(height.to_string())];
                let size = fitted(&text, 15.0, 2.0 * DISC - 5.0);
                let ink = if height == 0 { Ink::Third } else { Ink::OnRamp(12) };
                canvas.label(at, size, ink, text).role("height", Some(stack), None);
            }
            Content::Words(words) => {
                let word = words.get(stack).cloned().unwrap_or_default();
                let size = fitted(&word, 15.0, 2.0 * DISC - 4.0);
                canvas.label(at, size, Ink::Ink, word).role("word", Some(stack), None);
            }
        }
    }

    /// The name of a stack, where it does not stand on it, and what is taken.
    pub(crate) fn name(&self, canvas: &mut Canvas, stack: usize, name: &str, at: Point) {
        if let Content::Letters = self.content {
            return;
        }
        let mut runs = name_runs(name);
        if let (Heights::Numbers, taken @ 1..) = (self.heights, self.taken(stack)) {
            runs.push(Run::roman(format!("\u{2212}{taken}")));
        }
        let ink = if self.taken(stack) > 0 { Ink::P } else { Ink::Second };
        canvas.label(at, 14.0, ink, runs).role("letter", Some(stack), None);
    }

    /// The radius of a circle of discs, with lanes for sets inside.
    pub(crate) fn ring_radius(n: usize, lanes: usize) -> f64 {
        let close = 22.0 / (std::f64::consts::PI / n as f64).sin();
        close.max(64.0).max(48.0 + 9.0 * lanes as f64)
    }

    fn ring_of_numbers(&self, canvas: &mut Canvas) {
        let n = self.plan.places.len();
        let lanes = if self.shows_sets() { self.plan.lanes } else { 0 };
        let radius = Board::ring_radius(n, lanes);
        let centre = Point::default();
        let at = |slot: usize| centre.toward(self.plan.angle(slot), radius);
        self.band_on_ring(canvas, radius);
        let outline = Stroke::new(Ink::Rule, 1.0);
        match self.plan.clasp {
            false => _ = canvas.circle(centre, radius, Some(outline), None),
            true => {
                let (first, last) = (self.plan.angle(0), self.plan.angle(n - 1));
                canvas.path(arc(centre, radius, first, last), outline);
                clasp(canvas, at(n - 1), at(0));
            }
        }
        if self.shows_sets() {
            self.hub(canvas, radius - DISC - 10.0, 9.0);
        }
        for place in &self.plan.places {
            self.disc(canvas, place.stack, &place.name, at(place.slot));
            let letter = centre.toward(
                self.plan.angle(place.slot),
                radius + DISC + 14.0 + f64::from(self.options.away),
            );
            let wide = if self.taken(place.stack) > 0 { 10.0 } else { 0.0 };
            let out = letter.x.signum() * if letter.x.abs() > 1.0 { wide } else { 0.0 };
            self.name(canvas, place.stack, &place.name, letter.moved(out, 0.0));
        }
    }

    /// What points out some stacks on a ring of discs: a band through neighbours.
    fn band_on_ring(&self, canvas: &mut Canvas, radius: f64) {
        let n = self.plan.places.len();
        let pointed: Vec<bool> =
            self.plan.places.iter().map(|p| self.is_pointed(p.stack)).collect();
        if pointed.iter().all(|p| *p) && !self.plan.clasp {
            let around = arc(Point::default(), radius, 0.0, 360.0);
            canvas.band(around, 2.0 * DISC + 12.0, Ink::P, Ink::PWash);
            return;
        }
        for start in (0..n).filter(|&s| pointed[s] && !pointed[(s + n - 1) % n]) {
            let length = (1..n).find(|l| !pointed[(start + l) % n]).unwrap_or(n);
            let (from, to) = (self.plan.angle(start), self.plan.angle(start + length - 1));
            let segments = match length {
                1 => vec![
                    Segment::Move(Point::default().toward(from, radius)),
                    Segment::Line(Point::default().toward(from + 0.01, radius)),
                ],
                _ => arc(Point::default(), radius, from, to),
            };
            canvas.band(segments, 2.0 * DISC + 12.0, Ink::P, Ink::PWash).role(
                "set",
                None,
                Some(start),
            );
        }
    }

    /// The sets as arcs inside the ring: a dot on each member.
    fn hub(&self, canvas: &mut Canvas, outermost: f64, lane: f64) {
        for (index, mark) in self.plan.marks.iter().enumerate() {
            let r = outermost - lane * mark.lane as f64;
            let (from, to) =
                (self.plan.angle(mark.start), self.plan.angle(mark.start + mark.length - 1));
            let stroke = self.mark_stroke(mark);
            if mark.length > 1 {
                canvas.path(arc(Point::default(), r, from, to), stroke).role(
                    "set",
                    None,
                    Some(index),
                );
            }
            for &slot in &mark.members {
                let at = Point::default().toward(self.plan.angle(slot), r);
                canvas.circle(at, 2.2, None, Some(stroke.ink)).role("member", None, Some(index));
            }
        }
    }

    fn mark_stroke(&self, mark: &SetMark) -> Stroke {
        let played = !self.options.pointed.is_empty() && self.options.pointed.is_subset(mark.set);
        match (played, mark.clasp) {
            (true, _) => Stroke::new(Ink::P, 1.6),
            (false, true) => Stroke { ink: Ink::Line, width: 1.4, dash: Dash::Dashed },
            (false, false) => Stroke::new(Ink::Line, 1.1),
        }
    }

    fn tallest(&self) -> Height {
        let own = self.plan.places.iter().filter_map(|p| self.height(p.stack)).max();
        self.scale.max(own).unwrap_or(0)
    }

    fn ring_of_tokens(&self, canvas: &mut Canvas) {
        let n = self.plan.places.len();
        let tallest = self.tallest();
        let (limit, pitch) = match tallest {
            0..=4 => (4, 26.0),
            5..=7 => (7, 24.0),
            8..=9 => (9, 21.0),
            _ => (12, 17.0),
        };
        let lanes = if self.shows_sets() { self.plan.lanes } else { 0 };
        let room = 0.62 * pitch / (std::f64::consts::PI / n as f64).sin();
        // Numbers beyond the tokens need room, too, where stacks are low.
        let first =
            room.max(44.0 + 9.0 * lanes as f64).max(24.0 / (std::f64::consts::PI / n as f64).sin());
        let lamp = 0.42 * pitch;
        let centre = Point::default();
        let pointed = self.plan.places.iter().filter(|p| self.is_pointed(p.stack));
        let high = pointed.filter_map(|p| self.height(p.stack)).max().unwrap_or(0).clamp(1, limit);
        self.sectors(canvas, first - 0.72 * pitch, first + high as f64 * pitch + 0.4 * pitch);
        let letters = first - lamp - 14.0;
        if self.shows_sets() {
            self.hub(canvas, letters - 15.0, 9.0);
        }
        if self.plan.clasp {
            // Between the letters of its ends.
            let (a, b) = (self.plan.angle(n - 1), self.plan.angle(n));
            let gap = (13.0 / letters).to_degrees();
            let stroke = Stroke::dashed(Ink::Line, 1.4);
            canvas.path(arc(centre, letters, a + gap, b - gap), stroke).role("clasp", None, None);
        }
        for place in &self.plan.places {
            let (stack, angle) = (place.stack, self.plan.angle(place.slot));
            let ray = |j: f64| centre.toward(angle, first + j * pitch);
            let height = self.height(stack).unwrap_or(0);
            let end = self.stack_of_tokens(canvas, stack, &ray, lamp, limit);
            let text = vec![Run::bold(height.to_string())];
            if self.heights == Heights::Both {
                let size = 14.0;
                let away = 0.5 * measure::width(&text, size);
                let across = angle.to_radians().cos().abs();
                let at = centre.toward(
                    angle,
                    first + end * pitch + lamp + 9.0 + across * (away - 4.0).max(0.0),
                );
                let ink = match (height, self.taken(stack)) {
                    (0, _) => Ink::Third,
                    (_, 0) => Ink::Ink,
                    _ => Ink::P,
                };
                canvas.label(at, size, ink, text).role("height", Some(stack), None);
            }
            let ink = if self.taken(stack) > 0 { Ink::P } else { Ink::Second };
            canvas.label(centre.toward(angle, letters), 15.0, ink, name_runs(&place.name)).role(
                "letter",
                Some(stack),
                None,
            );
        }
    }

    /// The tokens of a stack along a ray; the place of the last one.
    fn stack_of_tokens(
        &self,
        canvas: &mut Canvas,
        stack: usize,
        ray: &dyn Fn(f64) -> Point,
        lamp: f64,
        limit: Height,
    ) -> f64 {
        let (height, taken) = (self.height(stack).unwrap_or(0), self.taken(stack));
        if height == 0 {
            canvas.circle(ray(0.0), 1.6, None, Some(Ink::Socket)).role("socket", Some(stack), None);
            return 0.0;
        }
        if height > MOST_TOKENS {
            // A tube of full length; what is taken of it is drawn in proportion, but can be seen.
            let last = (limit - 1) as f64;
            let both = vec![Segment::Move(ray(0.0)), Segment::Line(ray(last))];
            canvas.path(both.clone(), Stroke::new(Ink::LampEdge, 2.0 * lamp));
            canvas.path(both, Stroke::new(Ink::Lamp, 2.0 * lamp - 2.0)).role(
                "tube",
                Some(stack),
                None,
            );
            if taken > 0 {
                let part = (taken as f64 / height as f64 * last).max(1.0).min(last);
                let gone = vec![Segment::Move(ray(last - part)), Segment::Line(ray(last))];
                canvas.path(gone.clone(), Stroke::new(Ink::P, 2.0 * lamp));
                canvas.path(gone, Stroke::new(Ink::Paper, 2.0 * lamp - 3.0)).role(
                    "taken",
                    Some(stack),
                    None,
                );
            }
            return last;
        }
        for j in 0..height {
            let at = ray(j as f64);
            let index = Some(usize::try_from(j).unwrap_or(0));
            match j < height - taken.min(height) {
                true => canvas.lamp(at, lamp).role("token", Some(stack), index),
                false => canvas
                    .circle(at, lamp - 0.6, Some(Stroke::new(Ink::P, 1.8)), Some(Ink::Paper))
                    .role("taken", Some(stack), index),
            }
        }
        (height - 1) as f64
    }

    /// What points out some stacks on a ring of tokens: sectors.
    fn sectors(&self, canvas: &mut Canvas, inner: f64, outer: f64) {
        let n = self.plan.places.len();
        let pointed: Vec<bool> =
            self.plan.places.iter().map(|p| self.is_pointed(p.stack)).collect();
        let half = 0.43 * 360.0 / n as f64;
        let whole = pointed.iter().all(|p| *p);
        for start in
            (0..n).filter(|&s| pointed[s] && (!pointed[(s + n - 1) % n] || whole && s == 0))
        {
            let length = (1..n).find(|l| !pointed[(start + l) % n]).unwrap_or(n);
            let (from, to) =
                (self.plan.angle(start) - half, self.plan.angle(start + length - 1) + half);
            let mut segments = arc(Point::default(), outer, from, to);
            let mut back = arc(Point::default(), inner, to, from);
            if let Some(Segment::Move(p)) = back.first().copied() {
                back[0] = Segment::Line(p);
            }
            segments.extend(back);
            segments.push(Segment::Close);
            let edge = Some(Stroke::new(Ink::Rule, 1.0));
            canvas.push(Shape::Path { segments }, edge, Some(Ink::PWash)).role(
                "set",
                None,
                Some(start),
            );
        }
    }

    fn row_of_numbers(&self, canvas: &mut Canvas) {
        let step = 46.0;
        let n = self.plan.places.len();
        let at = |slot: usize| Point::new(slot as f64 * step, 0.0);
        for place in self.plan.places.iter().filter(|p| self.is_pointed(p.stack)) {
            let here = at(place.slot);
            let corner = here.moved(-step / 2.0 + 1.0, -DISC - 7.0);
            let shape = Shape::Rect {
                at: corner,
                width: step - 2.0,
                height: 2.0 * DISC + 14.0,
                radius: 6.0,
            };
            canvas.push(shape, None, Some(Ink::PWash)).role("set", Some(place.stack), None);
        }
        // Where any stacks may be played together their order means nothing.
        if self.plan.note.is_none() {
            canvas.line(at(0), at(n - 1), Stroke::new(Ink::Rule, 1.0));
        }
        for place in &self.plan.places {
            self.disc(canvas, place.stack, &place.name, at(place.slot));
            let below = DISC + 14.0 + f64::from(self.options.away);
            self.name(canvas, place.stack, &place.name, at(place.slot).moved(0.0, below));
        }
        let below = if let Content::Letters = self.content { DISC + 16.0 } else { DISC + 34.0 };
        self.score(canvas, step, below);
    }

    fn row_of_tokens(&self, canvas: &mut Canvas) {
        let tallest = self.tallest();
        let (limit, pitch) = match tallest {
            0..=7 => (7, 20.0),
            8..=9 => (9, 18.0),
            _ => (12, 15.0),
        };
        let lamp = 0.42 * pitch;
        let texts = self.plan.places.iter().map(|p| {
            let height = self.height(p.stack).unwrap_or(0);
            measure::width(&[Run::bold(height.to_string())], 14.0)
        });
        let step = texts.fold(34.0, |w: f64, t| w.max(t + 8.0));
        let n = self.plan.places.len();
        let shown = tallest.min(limit).max(1) as f64;
        let at = |slot: usize| Point::new(slot as f64 * step, 0.0);
        let top = -(shown - 1.0) * pitch - lamp - 22.0;
        for place in self.plan.places.iter().filter(|p| self.is_pointed(p.stack)) {
            let corner = at(place.slot).moved(-step / 2.0 + 1.0, top);
            let height = lamp + 4.0 - top;
            let shape = Shape::Rect { at: corner, width: step - 2.0, height, radius: 3.0 };
            canvas.push(shape, None, Some(Ink::PWash)).role("set", Some(place.stack), None);
        }
        let base = lamp + 4.0;
        let ends = (at(0).moved(-step / 2.0, base), at(n - 1).moved(step / 2.0, base));
        canvas.line(ends.0, ends.1, Stroke::new(Ink::Rule, 1.0));
        for place in &self.plan.places {
            let stack = place.stack;
            let ray = |j: f64| at(place.slot).moved(0.0, -j * pitch);
            let height = self.height(stack).unwrap_or(0);
            let end = self.stack_of_tokens(canvas, stack, &ray, lamp, limit);
            if self.heights == Heights::Both {
                let ink = match (height, self.taken(stack)) {
                    (0, _) => Ink::Third,
                    (_, 0) => Ink::Ink,
                    _ => Ink::P,
                };
                let above = ray(end).moved(0.0, -lamp - 11.0);
                let text = vec![Run::bold(height.to_string())];
                canvas.label(above, 14.0, ink, text).role("height", Some(stack), None);
            }
            let ink = if self.taken(stack) > 0 { Ink::P } else { Ink::Second };
            canvas
                .label(at(place.slot).moved(0.0, base + 14.0), 15.0, ink, name_runs(&place.name))
                .role("letter", Some(stack), None);
        }
        self.score(canvas, step, base + 32.0);
    }

    /// The sets as a score below a row: lines with a dot on each member, going around the end where the game is a
    /// circle.
    fn score(&self, canvas: &mut Canvas, step: f64, below: f64) {
        if !self.shows_sets() {
            return;
        }
        let n = self.plan.places.len();
        for (index, mark) in self.plan.marks.iter().enumerate() {
            let y = below + 10.0 * mark.lane as f64;
            let stroke = self.mark_stroke(mark);
            let last = mark.start + mark.length - 1;
            let at = |slot: f64| Point::new(slot * step, y);
            let (start, end) = (mark.start as f64, last as f64);
            if last >= n {
                let edge = n as f64 - 0.5;
                canvas.line(at(start), at(edge), stroke).role("set", None, Some(index));
                canvas.line(at(-0.5), at(end - n as f64), stroke).role("set", None, Some(index));
            } else if mark.length > 1 {
                canvas.line(at(start), at(end), stroke).role("set", None, Some(index));
            }
            for &slot in &mark.members {
                canvas.circle(at(slot as f64), 2.4, None, Some(stroke.ink)).role(
                    "member",
                    None,
                    Some(index),
                );
            }
        }
    }

    fn matrix(&self, canvas: &mut Canvas, columns: usize) {
        let (wide, high) = (58.0, 58.0);
        for place in &self.plan.places {
            let (row, column) = (place.slot / columns, place.slot % columns);
            let at = Point::new(column as f64 * wide, row as f64 * high);
            let corner = at.moved(-wide / 2.0, -high / 2.0);
            let fill = if self.is_pointed(place.stack) { Ink::PWash } else { Ink::Paper };
            let shape = Shape::Rect { at: corner, width: wide, height: high, radius: 0.0 };
            canvas.push(shape, Some(Stroke::new(Ink::Rule, 1.0)), Some(fill)).role(
                "cell",
                Some(place.stack),
                None,
            );
            self.in_cell(canvas, place.stack, &place.name, at);
        }
    }

    fn cube(&self, canvas: &mut Canvas) {
        let side = 58.0;
        for place in &self.plan.places {
            let unit = cube_place(place.slot);
            let at = Point::new(unit.x * side, unit.y * side);
            let corner = at.moved(-side / 2.0, -side / 2.0);
            let fill = if self.is_pointed(place.stack) { Ink::PWash } else { Ink::Paper };
            let shape = Shape::Rect { at: corner, width: side, height: side, radius: 0.0 };
            canvas.push(shape, Some(Stroke::new(Ink::Line, 1.2)), Some(fill)).role(
                "cell",
                Some(place.stack),
                None,
            );
            self.in_cell(canvas, place.stack, &place.name, at);
        }
    }

    /// A disc in a square cell, with its name in a corner.
    fn in_cell(&self, canvas: &mut Canvas, stack: usize, name: &str, at: Point) {
        if let Content::Letters = self.content {
            canvas.label(at, 17.0, Ink::Ink, name_runs(name)).role("letter", Some(stack), None);
            return;
        }
        self.disc(canvas, stack, name, at.moved(4.0, 5.0));
        let mut runs = name_runs(name);
        if let taken @ 1.. = self.taken(stack) {
            runs.push(Run::roman(format!("\u{2212}{taken}")));
        }
        let ink = if self.taken(stack) > 0 { Ink::P } else { Ink::Second };
        let corner = at.moved(-25.0, -21.0);
        canvas.text(corner, 12.5, Anchor::Start, ink, runs).role("letter", Some(stack), None);
    }
}

/// The clasp of a necklace between its ends.
fn clasp(canvas: &mut Canvas, last: Point, first: Point) {
    let way = last.distance(first);
    let (a, b) = (last.mix(first, (DISC + 3.0) / way), first.mix(last, (DISC + 3.0) / way));
    canvas.line(a, b, Stroke::dashed(Ink::Line, 1.4)).role("clasp", None, None);
}

/// The size at which a text is no wider than this.
fn fitted(runs: &[Run], size: f64, most: f64) -> f64 {
    let wide = measure::width(runs, size);
    if wide <= most { size } else { size * most / wide }
}
