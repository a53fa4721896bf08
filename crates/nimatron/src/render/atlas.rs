//! The atlas of small games as text, Markdown and JSON.

use crate::atlas::{
    Atlas, Entry, Flaw, Frontier, MAX_CIRCULAR, MAX_SLOW, Obstruction, Reached, Status,
};
use crate::proofs::Size;
use crate::render::palette::{Palette, paint};
use crate::render::words::{Names, count, list, thousands};
use crate::structure::Subgame;
use crate::{Game, Knowledge};
use nimatron_game::symmetry::{MAX_LISTED, Symmetry, find_isomorphism};
use nimatron_game::{Play, StackSet};
#[cfg(feature = "serde")]
use serde::Serialize;

/// How much is known, by the number of stacks, and the circular games at a glance.
pub fn atlas(atlas: &Atlas, palette: &Palette) -> String {
    let mut out = paint(palette.title, "Small games: what is known for all heights") + "\n\n";
    let rows = (1..=MAX_LISTED).map(|n| Counts::of(atlas, atlas.systems(n)));
    out += &by_stacks(&rows.collect::<Vec<_>>(), palette);
    out += &format!("\n{}\n", circular(atlas, palette));
    for (play, title) in [
        (Play::Normal, "Slow games Slow(n,A)"),
        (Play::Misere, "Slow games Slow(n,A) under misere play"),
    ] {
        out += &format!("{}\n", paint(palette.heading, title));
        let rows = (1..=MAX_SLOW).map(|n| Counts::of(atlas, atlas.slow(n, play)));
        out += &(by_stacks(&rows.collect::<Vec<_>>(), palette) + "\n");
    }
    out += &palette.wrap(
        "`nimatron atlas 4` lists the games on 4 stacks, `nimatron atlas --circular` says more \
         about circular games, `nimatron atlas --slow` lists the slow ones, `nimatron atlas --game \
         GAME` tells all about one game.",
        "",
    );
    out + "\n"
}

/// How much is known about games on 1, 2, 3, ... stacks.
fn by_stacks(rows: &[Counts], palette: &Palette) -> String {
    let is_narrow = palette.width < 44;
    let mut out = match is_narrow {
        true => String::new(),
        false => "  stacks    games  theorem   proved  unknown\n".to_string(),
    };
    for (counts, n) in rows.iter().zip(1..) {
        if is_narrow {
            let text = format!("{}: {}", count(n, "stack"), counts.sentence());
            out += &(palette.wrap(&format!("  {text}"), "    ") + "\n");
            continue;
        }
        out += &format!(
            "  {n:>6} {:>8} {:>8} {:>8} {:>8}\n",
            counts.games, counts.theorem, counts.proved, counts.open
        );
    }
    out
}

/// The games of a list, each with what is known.
pub fn atlas_list(atlas: &Atlas, title: &str, entries: &[&Entry], palette: &Palette) -> String {
    let named: Vec<(String, &Entry)> = entries.iter().map(|&e| (e.game.to_string(), e)).collect();
    list_of(atlas, title, &named, palette)
}

/// The games of a list under these names, each with what is known.
fn list_of(atlas: &Atlas, title: &str, named: &[(String, &Entry)], palette: &Palette) -> String {
    let counts = Counts::of(atlas, named.iter().map(|(_, entry)| *entry));
    let mut out =
        paint(palette.title, title) + "\n" + &palette.wrap(&counts.sentence(), "") + "\n\n";
    let row = |(name, entry): &(String, &Entry)| {
        let status = atlas.status(entry);
        vec![name.clone(), word(status).to_string(), why(entry, status)]
    };
    let rows: Vec<Vec<String>> = named.iter().map(row).collect();
    let width = |column: usize| rows.iter().map(|r| r[column].chars().count()).max().unwrap_or(0);
    let (first, second) = (width(0).min(26), width(1));
    for row in &rows {
        let line = format!("  {:<first$}  {:<second$}  {}", row[0], row[1], row[2]);
        let indent = if palette.width < 60 { 4 } else { first + second + 6 };
        out += &palette.wrap(line.trim_end(), &" ".repeat(indent));
        out.push('\n');
    }
    out
}

/// The games whose certificates tell the P-positions in a formula, the shortest formula first, each with
/// its length; then those for which none was found.
pub fn atlas_formulas(atlas: &Atlas, entries: &[&Entry], palette: &Palette) -> String {
    let (mut told, mut untold) = (Vec::new(), Vec::new());
    // Of automata and of games within games: those with a formula, and all.
    let mut counts = [[0; 2]; 2];
    for entry in entries {
        let Some(proof) = &entry.proof else { continue };
        let kind = &mut counts[usize::from(matches!(proof.size, Size::Matryoshka { .. }))];
        kind[1] += 1;
        match atlas.formula_of_proof(entry) {
            Some(formula) => {
                kind[0] += 1;
                told.push((formula, entry.game.to_string()));
            }
            None => untold.push(format!("{}: {}", entry.game, size(proof.size))),
        }
    }
    told.sort_by_key(|(formula, _)| formula.len());
    let mut out = paint(palette.title, "P-positions in a formula, the shortest first") + "\n";
    let [automata, within] = counts;
    out += &palette.wrap(
        &format!(
            "{} of {} proved by an automaton, {} of {} by games within games; half of the formulas have at \
             most {}",
            automata[0],
            count(automata[1], "game"),
            within[0],
            within[1],
            count(told.get(told.len() / 2).map_or(0, |(f, _)| f.len()) as u128, "character"),
        ),
        "",
    );
    out += "\n\n";
    for (formula, game) in &told {
        out += &(palette.wrap(&format!("  {game}  ({})", formula.len()), "    ") + "\n");
        out += &(palette.wrap(&format!("      {formula}"), "      ") + "\n");
    }
    if !untold.is_empty() {
        out += &format!("\n{}\n", paint(palette.heading, "No formula found within the limits"));
        untold.iter().for_each(|game| out += &(palette.wrap(&format!("  {game}"), "    ") + "\n"));
    }
    out
}

/// The circular games in a square of letters, and one by one.
pub fn atlas_circular(atlas: &Atlas, palette: &Palette) -> String {
    let list = list_of(atlas, "One by one", &circular_names(atlas), palette);
    format!("{}\n{list}", circular(atlas, palette))
}

/// The frontier is shown up to so many stacks.
const FRONTIER: usize = 16;

/// The circular games in a square of letters.
fn circular(atlas: &Atlas, palette: &Palette) -> String {
    let mut out = paint(palette.heading, "Circular games CN(n,k)") + "\n";
    // As many columns at a time as there is room for.
    let columns: Vec<usize> = (1..=FRONTIER).collect();
    for columns in columns.chunks((palette.width - 7) / 3) {
        out += "  n \\ k";
        columns.iter().for_each(|k| out += &format!("{k:>3}"));
        out.push('\n');
        for n in columns[0]..=FRONTIER {
            out += &format!("  {n:>5}");
            for &k in columns.iter().filter(|&&k| k <= n) {
                out += &format!("  {}", letter(atlas.frontier(n, k)));
            }
            out.push('\n');
        }
    }
    out + "  T theorem, P proved here, C conjectured, . not known\n"
}

/// All about one game, `asked` about under these names of the stacks.
pub fn atlas_entry(atlas: &Atlas, entry: &Entry, asked: &Game, palette: &Palette) -> String {
    let status = atlas.status(entry);
    let mut out = paint(palette.title, &palette.wrap(&entry.game.to_string(), "  ")) + "\n";
    let style = match status {
        Status::Open => palette.open,
        _ => palette.win,
    };
    out += &(paint(style, word(status)) + "\n");
    let line = |label: &str, text: &str| palette.labelled(13, label, text);
    if let Some(order) = order(entry, asked) {
        let text = format!("{asked}, whose stacks {} are a,b,c,... here", order.join(","));
        out += &line("asked about", &text);
    }
    if let Some(reduced) = &entry.reduced {
        let at = Subgame::of(&entry.game, StackSet::EMPTY, &Knowledge::theorems());
        let names = Names::of(entry.game.stacks()).gathered(&at.members);
        out += &line("reduces to", &format!("{reduced} at ({})", names.row()));
    }
    if let Some(formula) = atlas.formula(entry) {
        out += &line("P if", &formula);
    }
    for theorem in &entry.theorems {
        out += &line("theorem", &format!("{} ({})", theorem.citation, theorem.id));
    }
    if let Some(proof) = &entry.proof {
        out += &line("proof", &size(proof.size));
        out += &line("certificate", &format!("{} bytes", thousands(proof.bytes.into())));
    }
    if let Some(obstruction) = &entry.obstruction {
        out +=
            &line("obstruction", &format!("{}: no sums of 0/1 vectors", obstructed(obstruction)));
    }
    if let Some(why) = &entry.not_within {
        out += &line("vectors", why);
    }
    if let Some(reached) = &entry.reached {
        out += &line(
            "automata",
            &format!(
                "none found from {}; {}; {}",
                heights(reached),
                count(reached.states.into(), "state"),
                reached.why
            ),
        );
    }
    out
}

/// The stacks of the game asked about in the order of the entry, if that is another order.
fn order(entry: &Entry, asked: &Game) -> Option<Vec<String>> {
    let (own, other) = (entry.game.single()?.sets(), asked.single()?.sets());
    if own == other {
        return None;
    }
    let back = find_isomorphism(other, own)?.inverse();
    let names = Names::of(asked.stacks());
    Some((0..own.stacks()).map(|s| names.one(back.image(s)).to_string()).collect())
}

/// The circular frontier as a page in Markdown.
pub fn circular_markdown(atlas: &Atlas) -> String {
    let mut out = String::from(
        "# The circular frontier\n\n\
         What is known about the P-positions of CN(n,k), for all heights. This page is what\n\
         `nimatron atlas --circular --markdown` prints.\n\n\
         T: a theorem of the library. **P**: proved here, with a certificate in the atlas.\n\
         C: a [conjecture](peeling.md), proved for some positions. o: not known.\n\n| n \\ k |",
    );
    (1..=FRONTIER).for_each(|k| out += &format!(" {k} |"));
    out += &format!("\n| ---: |{}\n", " :---: |".repeat(FRONTIER));
    for n in 1..=FRONTIER {
        out += &format!("| {n} |");
        for k in 1..=FRONTIER {
            out += match (k <= n).then(|| atlas.frontier(n, k)) {
                None => " |",
                Some(Frontier::Theorem) => " T |",
                Some(Frontier::Proved) => " **P** |",
                Some(Frontier::Conjectured) => " C |",
                Some(Frontier::Open) => " o |",
            };
        }
        out.push('\n');
    }
    let all = circular_names(atlas);
    let section = |title: &str, head: &str, wanted: &dyn Fn(Status) -> bool| {
        let listed = || all.iter().filter(|(_, e)| wanted(atlas.status(e)));
        if listed().next().is_none() {
            return String::new();
        }
        let mut out = format!("\n## {title}\n\n{head}\n");
        for (name, entry) in listed() {
            out += &format!("| {name} | {} |\n", why(entry, atlas.status(entry)));
        }
        out
    };
    out += &section("Proved here", "| game | proof |\n| --- | --- |", &|s| {
        matches!(s, Status::Proved(_) | Status::Reduced(..))
    });
    out += &section(
        "Not known",
        "| game | how far, and what stands in the way |\n| --- | --- |",
        &|s| matches!(s, Status::Open),
    );
    out += &section("Theorems", "| game | source |\n| --- | --- |", &|s| {
        matches!(s, Status::Theorem(_))
    });
    out
}

/// The entries of the circular games, by n and k.
pub fn circular_entries(atlas: &Atlas) -> Vec<&Entry> {
    circular_names(atlas).into_iter().map(|(_, entry)| entry).collect()
}

/// The same with their names as circular games.
fn circular_names(atlas: &Atlas) -> Vec<(String, &Entry)> {
    let each = (1..=MAX_CIRCULAR).flat_map(|n| (1..=n).map(move |k| (n, k)));
    each.filter_map(|(n, k)| Some((format!("CN({n},{k})"), atlas.circular(n, k)?))).collect()
}

/// What became of an audit.
pub fn audited(entries: &[&Entry], flaws: &[(&Entry, Flaw)], palette: &Palette) -> String {
    let certificates = entries.iter().filter(|e| e.proof.is_some()).count();
    let obstructions = entries.iter().filter(|e| e.obstruction.is_some()).count();
    let checked = format!(
        "{}: {} and {} were checked.",
        count(entries.len() as u128, "game"),
        count(certificates as u128, "certificate"),
        count(obstructions as u128, "obstruction")
    );
    let mut out = palette.wrap(&checked, "") + "\n";
    if flaws.is_empty() {
        return out + &paint(palette.win, "all claims hold") + "\n";
    }
    out += &(paint(palette.loss, "not all claims hold") + "\n");
    let rows = flaws.iter().map(|(e, flaw)| vec![e.game.to_string(), flaw.to_string()]);
    out + &palette.columns(&rows.collect::<Vec<_>>())
}

fn word(status: Status) -> &'static str {
    match status {
        Status::Theorem(_) => "theorem",
        Status::Open => "not known",
        _ => "proved",
    }
}

/// The word for programs.
fn key(status: Status) -> &'static str {
    match status {
        Status::Open => "open",
        other => word(other),
    }
}

fn letter(frontier: Frontier) -> &'static str {
    match frontier {
        Frontier::Theorem => "T",
        Frontier::Proved => "P",
        Frontier::Conjectured => "C",
        Frontier::Open => ".",
    }
}

/// What the status rests on.
fn why(entry: &Entry, status: Status) -> String {
    let reduced = entry.reduced.as_ref().map_or(String::new(), |game| format!("as {game}: "));
    match status {
        Status::Theorem(theorems) => {
            let citations: Vec<String> = theorems.iter().map(|t| t.citation.clone()).collect();
            let certificate = if entry.proof.is_some() { "; certificate" } else { "" };
            reduced + &list(&citations) + certificate
        }
        Status::Proved(proof) => size(proof.size),
        Status::Reduced(_, proof) => reduced + &size(proof.size),
        _ => {
            let mut reasons = Vec::new();
            reasons.extend(entry.reduced.as_ref().map(|game| format!("reduces to {game}")));
            reasons.extend(entry.reached.as_ref().map(|reached| {
                format!(
                    "computed for {}, {}",
                    heights(reached),
                    count(reached.states.into(), "state")
                )
            }));
            reasons.extend(entry.obstruction.as_ref().map(obstructed));
            reasons.extend(entry.not_within.clone());
            reasons.join("; ")
        }
    }
}

fn heights(reached: &Reached) -> String {
    format!("heights to {}", thousands(reached.height.into()))
}

fn obstructed(obstruction: &Obstruction) -> String {
    let heights: Vec<String> = obstruction.position.iter().map(|h| h.to_string()).collect();
    format!("({}) is P, {} times it is N", heights.join(","), obstruction.factor)
}

fn size(size: Size) -> String {
    match size {
        Size::Regions { rules, .. } => format!("regions, {}", count(rules as u128, "rule")),
        Size::Matryoshka { games, cells, .. } => format!(
            "matryoshka, {}, {}",
            count(games as u128, "game"),
            count(cells as u128, "cell")
        ),
        Size::Automaton { states, .. } => {
            format!("automaton, {}", count(states as u128, "state"))
        }
    }
}

/// How many games have which status.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "serde", derive(Serialize))]
struct Counts {
    games: usize,
    theorem: usize,
    proved: usize,
    open: usize,
    certificates: usize,
}

impl Counts {
    fn of<'a>(atlas: &Atlas, entries: impl Iterator<Item = &'a Entry>) -> Self {
        let mut counts = Counts::default();
        for entry in entries {
            counts.games += 1;
            counts.certificates += usize::from(entry.proof.is_some());
            match atlas.status(entry) {
                Status::Theorem(_) => counts.theorem += 1,
                Status::Open => counts.open += 1,
                _ => counts.proved += 1,
            }
        }
        counts
    }

    fn sentence(&self) -> String {
        format!(
            "{}: {} by theorem, {} proved here, {} not known; {}",
            count(self.games as u128, "game"),
            self.theorem,
            self.proved,
            self.open,
            count(self.certificates as u128, "certificate")
        )
    }
}

/// The answer to `atlas`.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct AtlasAnswer {
    counts: Counts,
    games: Vec<EntryAnswer>,
    /// After an audit: whether all claims hold.
    verified: Option<bool>,
    flaws: Vec<FlawAnswer>,
    /// Where the certificate was written to.
    certificate: Option<String>,
    /// The certificate itself, where it was asked for.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    certificate_text: Option<String>,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
struct EntryAnswer {
    game: String,
    stacks: usize,
    /// How many relabellings of the stacks keep the moves.
    symmetries: String,
    status: &'static str,
    reduced: Option<String>,
    /// The P-positions, where just one game was asked about and a formula is known.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    formula: Option<String>,
    /// The stacks of the game asked about in the order of this entry, if that is another order.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    order: Option<Vec<String>>,
    theorems: Vec<TheoremAnswer>,
    method: Option<&'static str>,
    bytes: Option<u64>,
    obstruction: Option<ObstructionAnswer>,
    largest_box: Option<u64>,
    states_seen: Option<u64>,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
struct TheoremAnswer {
    name: String,
    source: String,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
struct ObstructionAnswer {
    position: Vec<u64>,
    factor: u64,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
struct FlawAnswer {
    game: String,
    text: String,
}

impl AtlasAnswer {
    /// Some games of the atlas, and what became of an audit if there was one.
    pub fn new(
        atlas: &Atlas,
        entries: &[&Entry],
        audit: Option<&[(&Entry, Flaw)]>,
        certificate: Option<String>,
        asked: Option<&Game>,
    ) -> Self {
        let flaw = |(entry, flaw): &(&Entry, Flaw)| FlawAnswer {
            game: entry.game.to_string(),
            text: flaw.to_string(),
        };
        AtlasAnswer {
            counts: Counts::of(atlas, entries.iter().copied()),
            games: entries.iter().map(|e| EntryAnswer::of(atlas, e, asked)).collect(),
            verified: audit.map(|flaws| flaws.is_empty()),
            flaws: audit.unwrap_or_default().iter().map(flaw).collect(),
            certificate,
            certificate_text: None,
        }
    }

    /// With the certificate itself.
    #[must_use]
    pub fn with_certificate(self, text: Option<String>) -> Self {
        AtlasAnswer { certificate_text: text, ..self }
    }
}

/// How many relabellings of the stacks keep the moves, summand by summand.
fn symmetries(game: &Game) -> u128 {
    let orders = game.summands().iter().map(|summand| Symmetry::of(summand.rule()).order());
    orders.fold(1, u128::saturating_mul)
}

impl EntryAnswer {
    fn of(atlas: &Atlas, entry: &Entry, asked: Option<&Game>) -> Self {
        let theorem = |t: &crate::atlas::Cited| TheoremAnswer {
            name: t.id.clone(),
            source: t.citation.clone(),
        };
        let method = |size: Size| match size {
            Size::Regions { .. } => Some("regions"),
            Size::Matryoshka { .. } => Some("matryoshka"),
            Size::Automaton { .. } => Some("automaton"),
        };
        EntryAnswer {
            game: entry.game.to_string(),
            stacks: entry.game.stacks(),
            symmetries: symmetries(&entry.game).to_string(),
            status: key(atlas.status(entry)),
            reduced: entry.reduced.as_ref().map(|game| game.to_string()),
            formula: asked.and_then(|_| atlas.formula(entry)),
            order: asked.and_then(|asked| order(entry, asked)),
            theorems: entry.theorems.iter().map(theorem).collect(),
            method: entry.proof.as_ref().and_then(|proof| method(proof.size)),
            bytes: entry.proof.as_ref().map(|proof| proof.bytes),
            obstruction: entry
                .obstruction
                .as_ref()
                .map(|o| ObstructionAnswer { position: o.position.clone(), factor: o.factor }),
            largest_box: entry.reached.as_ref().map(|r| r.height),
            states_seen: entry.reached.as_ref().map(|r| r.states),
        }
    }
}
