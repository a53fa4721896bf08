//! Making the entries of the atlas.

use super::audit::theorems;
use super::entry::{Entry, Obstruction, Place, ProofEntry, Reached};
use super::{MAX_CIRCULAR, MAX_SLOW, key};
use crate::knowledge::Knowledge;
use crate::limits::Limits;
use crate::proofs::{Attempt, Search, discover_with};
use crate::subgames::Subgame;
use flate2::Compression;
use flate2::write::GzEncoder;
use nimatron_game::symmetry::{MAX_LISTED, set_systems};
use nimatron_game::{Family, Game, Play, Rule, SetFamily, Sizes, StackSet};
use nimatron_prove::automata::Effort;
use nimatron_reduce::first_name;
use nimatron_theory::Theorem;
use nimatron_theory::peeling::PeelingNim;
use std::io::{self, Write};

/// An entry with its certificate.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Survey {
    /// The entry. The place of its certificate is not known before the atlas is put together.
    pub entry: Entry,
    /// The certificate, if a proof was found.
    pub certificate: Option<Vec<u8>>,
}

/// On small games automata with more states are not looked for. Those that were found have at most
/// 23 states, and the others seem to have none: the states grow with the heights.
const MOST_STATES: usize = 5_000;

/// Automata of slow games on five stacks with more states have certificates too long to come with the
/// program: together some megabytes. `discover` finds many of them within a minute.
const MOST_SLOW_STATES: usize = 100;

impl Survey {
    /// An entry without a certificate, as it was.
    pub fn again(entry: Entry) -> Self {
        Survey { entry, certificate: None }
    }

    /// What is known of a game without a search, which had to be given up for this reason; `None` if it
    /// is a sum.
    pub fn given_up(game: &Game, why: String) -> Option<Self> {
        let mut entry = begun(game)?;
        entry.reached = Some(Reached { height: 0, states: 0, why });
        Some(Survey::again(entry))
    }

    /// The line of the entry in the atlas, with its end, and the compressed certificate, if its file has
    /// so many bytes already.
    pub fn written(mut self, offset: u64) -> io::Result<(String, Vec<u8>)> {
        let mut member = Vec::new();
        if let (Some(proof), Some(text)) = (&mut self.entry.proof, &self.certificate) {
            let mut to = GzEncoder::new(member, Compression::best());
            to.write_all(text)?;
            member = to.finish()?;
            proof.place = Place { offset, length: member.len() as u64 };
        }
        Ok((serde_json::to_string(&self.entry)? + "\n", member))
    }

    /// Looks at a game: at theorems, and for a proof. Larger games and slow ones that a theorem covers
    /// need no proof.
    pub fn of(game: &Game, limits: &Limits) -> Option<Self> {
        let mut entry = begun(game)?;
        // Where it is a theorem about a whole class a proof is a second witness.
        let is_named = entry.theorems.iter().any(|theorem| theorem.id != PeelingNim.id());
        if is_named && (game.stacks() > MAX_LISTED || entry.is_slow()) {
            return Some(Survey { entry, certificate: None });
        }
        let effort = match entry.is_slow() {
            true if game.stacks() == MAX_SLOW => {
                Effort { states: MOST_SLOW_STATES, ..Effort::default() }
            }
            true => Effort { states: MOST_STATES, ..Effort::default() },
            false if game.stacks() <= MAX_LISTED => {
                Effort { states: MOST_STATES, ..Effort::default() }
            }
            false => Effort::default(),
        };
        let discovery = discover_with(game, &Search { effort, ..Search::default() }, limits);
        for attempt in &discovery.attempts {
            match attempt {
                Attempt::Obstructed { position, factor } => {
                    let position = position.to_vec();
                    entry.obstruction = Some(Obstruction { position, factor: *factor });
                }
                Attempt::Matryoshka(why) => entry.not_within = Some(why.to_string()),
                Attempt::Automata(missing) => {
                    entry.reached = Some(Reached {
                        height: (1 << missing.reached_bits.min(62)) - 1,
                        states: missing.states_seen as u64,
                        why: missing.reason.to_string(),
                    });
                }
                _ => {}
            }
        }
        let certificate = discovery.found.map(|found| {
            let (size, bytes) = (found.size, found.bytes as u64);
            entry.proof = Some(ProofEntry { size, bytes, place: Place { offset: 0, length: 0 } });
            found.proved.text()
        });
        Some(Survey { entry, certificate })
    }
}

/// What is known of a game without a search.
fn begun(game: &Game) -> Option<Entry> {
    let rule = game.single()?;
    let subgame = Subgame::of(game, StackSet::EMPTY, &Knowledge::theorems());
    let same =
        |left: &Game| left.single().is_some_and(|l| l.sets().stacks() == rule.sets().stacks());
    let mut entry = Entry {
        id: key(rule, game.convention()),
        game: game.clone(),
        reduced: subgame.game().filter(|left| !same(left)),
        theorems: Vec::new(),
        proof: None,
        obstruction: None,
        not_within: None,
        reached: None,
    };
    entry.theorems = theorems(&entry);
    Some(entry)
}

/// The SetNim games on `n` stacks, one of each kind, in the order of the atlas: by the number of their
/// sets, then as they are written.
///
/// # Panics
/// If `n` exceeds [`MAX_SYSTEMS`](nimatron_game::symmetry::MAX_SYSTEMS).
pub fn systems(n: usize) -> Vec<Game> {
    let orders = orders(n);
    let mut systems: Vec<Game> =
        set_systems(n).iter().map(|sets| readable(sets, &orders)).collect();
    let facets = |game: &Game| game.single().map_or(0, |rule| rule.sets().len());
    systems.sort_by_cached_key(|game| (facets(game), game.to_string()));
    systems
}

/// The games of the atlas, in order.
pub fn games() -> Vec<Game> {
    let mut games: Vec<Game> = (1..=MAX_LISTED).flat_map(systems).collect();
    for n in MAX_LISTED + 1..=MAX_CIRCULAR {
        let circles = (1..=n).filter_map(|k| Game::new(Family::Circular { n, k }).ok());
        games.extend(circles);
    }
    for (n, play) in (1..=MAX_SLOW).flat_map(|n| [(n, Play::Normal), (n, Play::Misere)]) {
        let mut sizes: Vec<Sizes> =
            StackSet::first(n).subsets().map(|s| Sizes::new(s.iter().map(|i| i + 1))).collect();
        sizes.sort_by_key(|sizes| (sizes.iter().count(), sizes.iter().collect::<Vec<_>>()));
        let slow = sizes.into_iter().filter_map(|sizes| Game::new(Family::Slow { n, sizes }).ok());
        games.extend(slow.map(|game| game.under(play)));
    }
    games
}

/// The game under its name, or with its stacks named so that the sets read well: the first of all
/// orders of the stacks.
fn readable(sets: &SetFamily, orders: &[Vec<usize>]) -> Game {
    let named = first_name(sets).and_then(|(family, _)| Game::new(family).ok());
    named.unwrap_or_else(|| {
        let n = sets.stacks();
        // Sets by their place among all of them, which is quicker to compare.
        let mut all: Vec<StackSet> = StackSet::first(n).subsets().collect();
        all.sort_unstable_by(StackSet::by_size_and_name);
        let mut places = vec![0; 1 << n];
        all.iter().enumerate().for_each(|(place, set)| places[set.bits() as usize] = place);
        let sets: Vec<StackSet> = sets.iter().collect();
        let written = orders.iter().map(|order| {
            let place =
                |set: &StackSet| places[set.iter().fold(0, |bits, stack| bits | 1 << order[stack])];
            let mut sets: Vec<usize> = sets.iter().map(place).collect();
            sets.sort_unstable();
            sets
        });
        let least = written.min().expect("there is always the order as it is");
        let least = least.into_iter().map(|place| all[place]);
        let rule = Rule::set_nim(SetFamily::listed(n, least));
        Game::from_rule(&rule).expect("no more stacks than before")
    })
}

/// All orders of the first `n` numbers.
fn orders(n: usize) -> Vec<Vec<usize>> {
    let mut orders = vec![Vec::new()];
    for last in 0..n {
        let longer = orders.iter().flat_map(|order: &Vec<usize>| {
            (0..=last).map(move |at| {
                let mut order = order.clone();
                order.insert(at, last);
                order
            })
        });
        orders = longer.collect();
    }
    orders
}
