//! A game's structure on the terminal.

use crate::Game;
use crate::render::palette::{Palette, paint};
use crate::render::reasons::cited;
use crate::render::words::{Names, family, list, thousands};
use crate::said_to_be_open;
use crate::structure::{GameInfo, LongestPlay, SummandInfo, conjecture_about};
use nimatron_game::{
    Amounts, Choice, CubePart, Family, Height, Play, Rule, StackSet, Summand, Take,
};

/// How many sets are shown before the rest is only counted.
const SETS_SHOWN: usize = 40;

/// Up to so many sets are listed even where their size says it all.
const SETS_OF_A_SIZE_SHOWN: u64 = 10;

const CONJECTURED: &str = "won by peeling; proved for some positions only, see docs/peeling.md";

/// Facets, symmetries, components, merges and names.
pub fn game(info: &GameInfo, palette: &Palette) -> String {
    let mut out = paint(palette.title, &palette.wrap(&info.game.to_string(), "  ")) + "\n";
    let play = info.game.convention();
    out += &line(palette, "play", convention(play));
    let alone = info.summands.len() == 1 && play == Play::Normal;
    for (summand, about) in info.game.summands().iter().zip(&info.summands) {
        let names = Names::of(info.game.stacks()).only(summand.stacks());
        if info.summands.len() > 1 {
            let heading = palette.wrap(&summand_text(summand), "  ");
            out += &format!("\n{}\n", paint(palette.heading, &heading));
        }
        out += &about_summand(summand, about, &names, alone, palette);
    }
    if info.summands.len() > 1 {
        out += "\n";
    }
    let reduced = crate::render::reduction::game_of(info.reduced.end());
    if let Some(reduced) = reduced.filter(|_| !info.reduced.steps().is_empty()) {
        out += &line(palette, "reduces to", &reduced);
    }
    let known = match &info.solved {
        None => {
            let open = match said_to_be_open(&info.game) {
                Some(by) => {
                    line(palette, "open", &format!("{by}; neither theorem nor proof is known here"))
                }
                None => line(palette, "not known", "not in the library: neither theorem nor proof"),
            };
            match conjecture_about(&info.game) {
                Some(_) => open + &line(palette, "conjectured", CONJECTURED),
                None => open,
            }
        }
        Some(solved) => {
            let mut by: Vec<String> = solved.by().iter().filter_map(cited).collect();
            by.dedup();
            line(palette, "solved by", &by.join(", "))
        }
    };
    out += &known;
    if let Some(by) = info.announced {
        let mention = if by.contains(" sections ") { "mention" } else { "mentions" };
        out += &line(palette, "announced", &format!("{by} {mention} unpublished results"));
    }
    out
}

/// A summand by itself, in notation.
fn summand_text(summand: &Summand) -> String {
    let family = summand.family().clone();
    let game = match summand.variant() {
        Some(variant) => Game::variant(family, variant),
        None => Game::new(family),
    };
    game.map_or(String::new(), |g| g.to_string())
}

fn about_summand(
    summand: &Summand,
    about: &SummandInfo,
    names: &Names,
    alone: bool,
    palette: &Palette,
) -> String {
    let rule = &about.rule;
    let n = rule.stacks();
    let mut out = line(palette, "family", family(summand.family()));
    let range = match n {
        1 => names.row(),
        _ => format!("{} to {}", names.one(0), names.one(n - 1)),
    };
    out += &line(palette, "stacks", &format!("{n} ({range})"));
    if let Some(text) = stacks_are(summand.family(), names) {
        out += &line(palette, "stacks are", &text);
    }
    out += &line(palette, "a move", &moves(rule));
    if summand.variant().is_some()
        && let Some(text) = example(rule)
    {
        out += &line(palette, "for example", &text);
    }
    let what = if rule.choice() == Choice::Any { "facets" } else { "sets" };
    out += &line(palette, what, &sets(rule, names));
    if let Some(text) = sets_are(summand.family(), names) {
        out += &line(palette, &format!("{what} are"), &text);
    }
    out += &line(palette, "symmetries", &thousands(about.symmetries));
    out += &line(palette, "orbits", &names.sets(&about.orbits));
    if !about.components.is_empty() {
        out += &line(palette, "components", &names.sets(&about.components));
    }
    if !about.merges.is_empty() {
        out += &line(palette, "merges", &names.sets(&about.merges));
    }
    if !about.cone.is_empty() {
        let empty = if alone { " (empty in every P-position)" } else { "" };
        out += &line(palette, "in every facet", &format!("{}{empty}", names.stacks(about.cone)));
    }
    if let Some((name, relabelling)) = &about.named
        && name != summand.family()
        && name.sets() != summand.family().sets()
    {
        let game = Game::new(name.clone()).map_or(String::new(), |g| g.to_string());
        let inverse = relabelling.inverse();
        let order: Vec<&str> = (0..n).map(|s| names.one(inverse.image(s))).collect();
        out +=
            &line(palette, "isomorphic to", &format!("{game}, in the order {}", order.join(",")));
    } else if let Some((name, _)) = &about.named
        && name != summand.family()
        && !summand.family().has_own_moves()
    {
        let game = Game::new(name.clone()).map_or(String::new(), |g| g.to_string());
        out += &line(palette, "same sets as", &game);
    }
    if let Some(found) = &about.longest_play {
        out += &line(palette, "longest play", &longest_play(found));
    }
    out
}

/// What the stacks of a family are, where it is about something else than stacks.
pub(crate) fn stacks_are(family: &Family, names: &Names) -> Option<String> {
    let row = |stacks: std::ops::Range<usize>| names.set(stacks.collect());
    match family {
        Family::Matrix { rows, columns } => {
            let shown: Vec<String> =
                (0..*rows).map(|r| row(r * columns..(r + 1) * columns)).collect();
            let cells = format!("{rows} rows of {columns} columns");
            Some(format!("the cells of a matrix of {cells}, row by row: {}", shown.join(" / ")))
        }
        Family::Graph { edges } => {
            let edge = |(i, (u, v)): (usize, &(u32, u32))| format!("{} is {u}-{v}", names.one(i));
            let edges: Vec<String> = edges.iter().enumerate().map(edge).collect();
            Some(format!("the edges of a graph: {}", edges.join(", ")))
        }
        Family::Cube { .. } => {
            let opposite = |s: usize| row(s..s + 1) + &row(5 - s..6 - s);
            let pairs: Vec<String> = (0..3).map(opposite).collect();
            Some(format!("the faces of a cube; opposite each other are {}", list(&pairs)))
        }
        _ => None,
    }
}

/// What the sets of such a family are.
pub(crate) fn sets_are(family: &Family, names: &Names) -> Option<String> {
    match family {
        Family::Matrix { rows, columns } => {
            let row: StackSet = (0..*columns).collect();
            let left_out: StackSet = (0..*rows).map(|r| r * columns).collect();
            let rest = StackSet::first(rows * columns) - left_out;
            let but = match rest.is_empty() {
                true => String::new(),
                false => format!(", such as {}", names.set(rest)),
            };
            Some(format!("one row, such as {}, or all columns but one{but}", names.set(row)))
        }
        Family::Graph { edges } => {
            let mut vertices: Vec<u32> = edges.iter().flat_map(|&(u, v)| [u, v]).collect();
            vertices.sort_unstable();
            vertices.dedup();
            let at = |v: &u32| -> String {
                let here = |i: &usize| edges[*i].0 == *v || edges[*i].1 == *v;
                format!("{} at {v}", names.set((0..edges.len()).filter(here).collect()))
            };
            let shown: Vec<String> = vertices.iter().map(at).collect();
            Some(format!("the edges at one vertex: {}", shown.join(", ")))
        }
        Family::Cube { part } => Some(
            match part {
                CubePart::Vertex => "the three faces that meet at a vertex",
                CubePart::Edge => "the two faces that share an edge",
                CubePart::Face => "a face and the four around it: all faces but one",
            }
            .to_string(),
        ),
        _ => None,
    }
}

/// Which of two moves on the first set a variant allows: on all its stacks, and on one of them.
fn example(rule: &Rule) -> Option<String> {
    let set = rule.sets().iter().find(|set| set.len() > 1)?;
    let n = rule.stacks();
    let least = rule.each().least().max(1);
    let total = rule.total().least();
    let take = |stacks: StackSet| {
        // As little as the variant allows, the rest of the total from the first stack.
        let rest = total.saturating_sub(least * stacks.len() as Height);
        let more = |s: usize| if Some(s) == stacks.lowest() { rest } else { 0 };
        let amount = |s: usize| if stacks.contains(s) { least + more(s) } else { 0 };
        Take::new((0..n).map(amount).collect())
    };
    let all = take(set);
    let one = take(StackSet::single(set.lowest()?));
    let legal = |take: &Take| rule.is_legal(take, take);
    match (legal(&all), legal(&one)) {
        (true, true) => Some(format!("{all} may be taken, and so may {one}")),
        (true, false) => Some(format!("{all} may be taken, {one} may not")),
        (false, true) => Some(format!("{one} may be taken, {all} may not")),
        (false, false) => None,
    }
}

fn longest_play(found: &LongestPlay) -> String {
    match (&found.differs, &found.proved) {
        (None, Some(citation)) => format!("its length is the Grundy value, by {citation}"),
        (None, None) => format!(
            "its length is the Grundy value for heights up to {} (evidence, not a proof)",
            found.max
        ),
        (Some(d), _) => format!(
            "its length is not the Grundy value: {} and {} at {}",
            d.longest, d.grundy, d.position
        ),
    }
}

fn moves(rule: &Rule) -> String {
    let from = match rule.choice() {
        Choice::Any => "any stacks",
        Choice::All => "every stack",
    };
    let what = if rule.choice() == Choice::Any { "facet" } else { "set" };
    let each = match (rule.each() == Amounts::POSITIVE, rule.choice()) {
        (true, Choice::Any) => "any amounts".to_string(),
        _ => format!("{} from each", amounts(rule.each())),
    };
    let total = match rule.total() == Amounts::POSITIVE {
        true => String::new(),
        false => format!(", {} in total", amounts(rule.total())),
    };
    format!("{from} of one {what}: {each}{total}")
}

fn amounts(a: Amounts) -> String {
    match (a.least(), a.most()) {
        (least, Some(most)) if least == most => format!("exactly {least}"),
        (least, Some(most)) => format!("{least} to {most}"),
        (least, None) => format!("at least {least}"),
    }
}

fn sets(rule: &Rule, names: &Names) -> String {
    let count = rule.sets().len();
    if let Some(sizes) = rule.sets().sizes().filter(|_| count > SETS_OF_A_SIZE_SHOWN) {
        let sizes: Vec<String> = sizes.iter().map(|s| s.to_string()).collect();
        let noun = if sizes == ["1"] { "stack" } else { "stacks" };
        return format!("all {} sets of {} {noun}", thousands(count.into()), sizes.join(" or "));
    }
    let shown: Vec<String> = rule.sets().iter().take(SETS_SHOWN).map(|s| names.set(s)).collect();
    let more = count.saturating_sub(shown.len() as u64);
    let rest = if more > 0 { format!(", and {more} more") } else { String::new() };
    shown.join(", ") + &rest
}

fn convention(play: Play) -> &'static str {
    match play {
        Play::Normal => "normal: the last player to move wins",
        Play::Misere => "misere: the last player to move loses",
    }
}

fn line(palette: &Palette, label: &str, text: &str) -> String {
    palette.labelled(15, label, text)
}
