//! The atlas of small games as text, Markdown and JSON.

use crate::columns::columns;
use crate::palette::{Palette, paint};
use crate::words::{count, list, thousands, wrap};
use nimatron::atlas::{Atlas, Entry, Flaw, MAX_CIRCULAR, Obstruction, Reached, Status};
use nimatron::game::symmetry::MAX_LISTED;
use nimatron::proofs::Size;
use serde::Serialize;

/// How much is known, by the number of stacks, and the circular games at a glance.
pub fn atlas(atlas: &Atlas, palette: &Palette) -> String {
    let mut out = paint(palette.title, "Small games: what is known for all heights") + "\n\n";
    out += "  stacks    games  theorem   proved     open\n";
    for n in 1..=MAX_LISTED {
        let counts = Counts::of(atlas, atlas.systems(n));
        out += &format!(
            "  {n:>6} {:>8} {:>8} {:>8} {:>8}\n",
            counts.games, counts.theorem, counts.proved, counts.open
        );
    }
    out += &format!("\n{}\n", circular(atlas, palette));
    out += &wrap(
        "`nimatron atlas 4` lists the games on 4 stacks, `nimatron atlas --circular` says more \
         about circular games, `nimatron atlas --game GAME` tells all about one game.",
        "",
    );
    out + "\n"
}

/// The games of a list, each with what is known.
pub fn atlas_list(atlas: &Atlas, title: &str, entries: &[&Entry], palette: &Palette) -> String {
    let named: Vec<(String, &Entry)> = entries.iter().map(|&e| (e.game.to_string(), e)).collect();
    list_of(atlas, title, &named, palette)
}

/// The games of a list under these names, each with what is known.
fn list_of(atlas: &Atlas, title: &str, named: &[(String, &Entry)], palette: &Palette) -> String {
    let counts = Counts::of(atlas, named.iter().map(|(_, entry)| *entry));
    let mut out = paint(palette.title, title) + "\n" + &counts.sentence() + "\n\n";
    let row = |(name, entry): &(String, &Entry)| {
        let status = atlas.status(entry);
        vec![name.clone(), word(status).to_string(), why(entry, status)]
    };
    let rows: Vec<Vec<String>> = named.iter().map(row).collect();
    let width = |column: usize| rows.iter().map(|r| r[column].chars().count()).max().unwrap_or(0);
    let (first, second) = (width(0).min(26), width(1));
    for row in &rows {
        let line = format!("  {:<first$}  {:<second$}  {}", row[0], row[1], row[2]);
        out += &wrap(line.trim_end(), &" ".repeat(first + second + 6));
        out.push('\n');
    }
    out
}

/// The circular games in a square of letters, and one by one.
pub fn atlas_circular(atlas: &Atlas, palette: &Palette) -> String {
    let list = list_of(atlas, "One by one", &circular_names(atlas), palette);
    format!("{}\n{list}", circular(atlas, palette))
}

/// The circular games in a square of letters.
fn circular(atlas: &Atlas, palette: &Palette) -> String {
    let mut out = paint(palette.heading, "Circular games CN(n,k)") + "\n  n \\ k";
    (1..=MAX_CIRCULAR).for_each(|k| out += &format!("{k:>3}"));
    out.push('\n');
    for n in 1..=MAX_CIRCULAR {
        out += &format!("  {n:>5}");
        for k in 1..=n {
            let letter = atlas.circular(n, k).map_or("?", |e| letter(atlas.status(e)));
            out += &format!("  {letter}");
        }
        out.push('\n');
    }
    out + "  T theorem, P proved here, . open\n"
}

/// All about one game.
pub fn atlas_entry(atlas: &Atlas, entry: &Entry, palette: &Palette) -> String {
    let status = atlas.status(entry);
    let mut out = paint(palette.title, &wrap(&entry.game.to_string(), "  ")) + "\n";
    let style = match status {
        Status::Open => palette.open,
        _ => palette.win,
    };
    out += &(paint(style, word(status)) + "\n");
    let line =
        |label: &str, text: &str| wrap(&format!("  {label:<13}{text}"), &" ".repeat(15)) + "\n";
    if let Some(reduced) = &entry.reduced {
        out += &line("reduces to", &reduced.to_string());
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

/// The circular frontier as a page in Markdown.
pub fn circular_markdown(atlas: &Atlas) -> String {
    let mut out = String::from(
        "# The circular frontier\n\n\
         What is known about the P-positions of CN(n,k), for all heights. This page is what\n\
         `nimatron atlas --circular --markdown` prints.\n\n\
         T: a theorem of the library. **P**: proved here, with a certificate in the atlas.\n\
         o: open.\n\n| n \\ k |",
    );
    (1..=MAX_CIRCULAR).for_each(|k| out += &format!(" {k} |"));
    out += &format!("\n| ---: |{}\n", " :---: |".repeat(MAX_CIRCULAR));
    for n in 1..=MAX_CIRCULAR {
        out += &format!("| {n} |");
        for k in 1..=MAX_CIRCULAR {
            let cell = match atlas.circular(n, k).filter(|_| k <= n).map(|e| atlas.status(e)) {
                None => " |",
                Some(Status::Theorem(_)) => " T |",
                Some(Status::Open) => " o |",
                Some(_) => " **P** |",
            };
            out += cell;
        }
        out.push('\n');
    }
    let all = circular_names(atlas);
    let section = |title: &str, head: &str, wanted: &dyn Fn(Status) -> bool| {
        let mut out = format!("\n## {title}\n\n{head}\n");
        for (name, entry) in all.iter().filter(|(_, e)| wanted(atlas.status(e))) {
            out += &format!("| {name} | {} |\n", why(entry, atlas.status(entry)));
        }
        out
    };
    out += &section("Proved here", "| game | proof |\n| --- | --- |", &|s| {
        matches!(s, Status::Proved(_) | Status::Reduced(..))
    });
    out +=
        &section("Open", "| game | how far, and what stands in the way |\n| --- | --- |", &|s| {
            matches!(s, Status::Open)
        });
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
    let mut out = format!(
        "{}: {} and {} were checked.\n",
        count(entries.len() as u128, "game"),
        count(certificates as u128, "certificate"),
        count(obstructions as u128, "obstruction")
    );
    if flaws.is_empty() {
        return out + &paint(palette.win, "all claims hold") + "\n";
    }
    out += &(paint(palette.loss, "not all claims hold") + "\n");
    let rows = flaws.iter().map(|(e, flaw)| vec![e.game.to_string(), flaw.to_string()]);
    out + &columns(&rows.collect::<Vec<_>>())
}

fn word(status: Status) -> &'static str {
    match status {
        Status::Theorem(_) => "theorem",
        Status::Open => "open",
        _ => "proved",
    }
}

fn letter(status: Status) -> &'static str {
    match status {
        Status::Theorem(_) => "T",
        Status::Open => ".",
        _ => "P",
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
        _ => String::new(),
    }
}

/// How many games have which status.
#[derive(Clone, Copy, Debug, Default, Serialize)]
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
            "{}: {} by theorem, {} proved here, {} open; {}",
            count(self.games as u128, "game"),
            self.theorem,
            self.proved,
            self.open,
            count(self.certificates as u128, "certificate")
        )
    }
}

/// The answer to `atlas`.
#[derive(Clone, Debug, Serialize)]
pub struct AtlasAnswer {
    counts: Counts,
    games: Vec<EntryAnswer>,
    /// After an audit: whether all claims hold.
    verified: Option<bool>,
    flaws: Vec<FlawAnswer>,
    /// Where the certificate was written to.
    certificate: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
struct EntryAnswer {
    game: String,
    stacks: usize,
    status: &'static str,
    reduced: Option<String>,
    theorems: Vec<TheoremAnswer>,
    method: Option<&'static str>,
    bytes: Option<u64>,
    obstruction: Option<ObstructionAnswer>,
    largest_box: Option<u64>,
    states_seen: Option<u64>,
}

#[derive(Clone, Debug, Serialize)]
struct TheoremAnswer {
    name: String,
    source: String,
}

#[derive(Clone, Debug, Serialize)]
struct ObstructionAnswer {
    position: Vec<u64>,
    factor: u64,
}

#[derive(Clone, Debug, Serialize)]
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
    ) -> Self {
        let flaw = |(entry, flaw): &(&Entry, Flaw)| FlawAnswer {
            game: entry.game.to_string(),
            text: flaw.to_string(),
        };
        AtlasAnswer {
            counts: Counts::of(atlas, entries.iter().copied()),
            games: entries.iter().map(|e| EntryAnswer::of(atlas, e)).collect(),
            verified: audit.map(|flaws| flaws.is_empty()),
            flaws: audit.unwrap_or_default().iter().map(flaw).collect(),
            certificate,
        }
    }
}

impl EntryAnswer {
    fn of(atlas: &Atlas, entry: &Entry) -> Self {
        let theorem = |t: &nimatron::atlas::Cited| TheoremAnswer {
            name: t.id.clone(),
            source: t.citation.clone(),
        };
        let method = |size: Size| match size {
            Size::Regions { .. } => Some("regions"),
            Size::Matryoshka { .. } => Some("matryoshka"),
            Size::Automaton { .. } => Some("automaton"),
            _ => None,
        };
        EntryAnswer {
            game: entry.game.to_string(),
            stacks: entry.game.stacks(),
            status: word(atlas.status(entry)),
            reduced: entry.reduced.as_ref().map(|game| game.to_string()),
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
