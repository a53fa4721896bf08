//! A game's structure on the terminal.

use crate::palette::{Palette, paint};
use crate::words::{family, list, set, stack, stacks, thousands, wrap};
use nimatron::game::{Amounts, Choice, Play, Rule, StackSet, Summand};
use nimatron::{Game, GameInfo, SummandInfo};

/// How many sets are shown before the rest is only counted.
const SETS_SHOWN: usize = 40;

/// Facets, symmetries, components, merges and names.
pub fn game(info: &GameInfo, palette: &Palette) -> String {
    let mut out = paint(palette.title, &wrap(&info.game.to_string(), "  ")) + "\n";
    out += &line("play", convention(info.game.convention()));
    for (summand, about) in info.game.summands().iter().zip(&info.summands) {
        if info.summands.len() > 1 {
            let at = summand.stacks();
            let here: StackSet = at.clone().collect();
            out += &format!("\nsummand on {}\n", stacks(here, info.game.stacks()));
        }
        out += &about_summand(summand, about);
    }
    let end = info.reduced.end();
    if !info.reduced.steps().is_empty() {
        let games: Vec<String> =
            end.parts.iter().filter_map(|p| p.game()).map(|g: Game| g.to_string()).collect();
        out += &line("reduces to", &games.join(" + "));
    }
    out
}

fn about_summand(summand: &Summand, about: &SummandInfo) -> String {
    let rule = &about.rule;
    let n = rule.stacks();
    let mut out = line("family", family(summand.family()));
    out += &line("stacks", &format!("{n} ({} to {})", stack(0, n), stack(n - 1, n)));
    out += &line("a move", &moves(rule));
    let what = if rule.choice() == Choice::Any { "facets" } else { "sets" };
    out += &line(what, &sets(rule));
    out += &line("symmetries", &thousands(about.symmetries));
    out += &line("orbits", &groups(&about.orbits, n));
    if !about.components.is_empty() {
        out += &line("components", &groups(&about.components, n));
    }
    if !about.merges.is_empty() {
        out += &line("merges", &groups(&about.merges, n));
    }
    if !about.cone.is_empty() {
        let what = format!("{} (empty in every P-position)", stacks(about.cone, n));
        out += &line("in every facet", &what);
    }
    if let Some((name, relabelling)) = &about.named
        && name != summand.family()
    {
        let game = nimatron::Game::new(name.clone()).map_or(String::new(), |g| g.to_string());
        let inverse = relabelling.inverse();
        let order: Vec<String> = (0..n).map(|s| stack(inverse.image(s), n)).collect();
        let as_is = (0..n).all(|s| relabelling.image(s) == s);
        let how = if as_is { String::new() } else { format!(" in the order {}", order.join(",")) };
        out += &line("sets of", &format!("{game}{how}"));
    }
    out
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

fn sets(rule: &Rule) -> String {
    let n = rule.stacks();
    if let Some(sizes) = rule.sets().sizes() {
        let sizes: Vec<String> = sizes.iter().map(|s| s.to_string()).collect();
        let count = thousands(rule.sets().len().into());
        return format!("all {count} sets of {} stacks", sizes.join(" or "));
    }
    let shown: Vec<String> = rule.sets().iter().take(SETS_SHOWN).map(|s| set(s, n)).collect();
    let more = rule.sets().len() as usize - shown.len();
    let rest = if more > 0 { format!(", and {more} more") } else { String::new() };
    shown.join(", ") + &rest
}

fn groups(groups: &[StackSet], n: usize) -> String {
    list(&groups.iter().map(|&g| set(g, n)).collect::<Vec<_>>())
}

fn convention(play: Play) -> &'static str {
    match play {
        Play::Normal => "normal: the last player to move wins",
        Play::Misere => "misere: the last player to move loses",
    }
}

fn line(label: &str, text: &str) -> String {
    wrap(&format!("  {label:<15}{text}"), &" ".repeat(17)) + "\n"
}
