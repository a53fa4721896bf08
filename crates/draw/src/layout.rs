//! Where the stacks of a game stand.

use crate::drawing::Point;
use crate::family;
use crate::order::{circular, lanes, stretch};
use nimatron_game::{Choice, Family, Game, StackSet, Summand};

/// How stacks are arranged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// On a circle, the first on top, clockwise.
    Ring,
    /// Side by side.
    Row,
    /// In rows and columns.
    Matrix {
        /// How many columns there are.
        columns: usize,
    },
    /// On the net of a cube.
    Cube,
    /// On the edges of a graph.
    Graph,
}

/// More stacks than this are not drawn.
pub const MOST_STACKS: usize = 32;
/// On a circle there is room for so many.
const MOST_ON_RING: usize = 16;
/// So many sets are drawn.
const MOST_SETS: usize = 64;
/// So many lanes fit into a circle.
const MOST_LANES: usize = 9;

/// Why there is no figure.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DrawError {
    /// There are too many sets.
    #[error("{game} has {sets} sets; at most {MOST_SETS} can be drawn")]
    Sets {
        /// The game.
        game: String,
        /// How many sets it has.
        sets: u64,
    },
    /// There is no room on a circle.
    #[error("{stacks} stacks do not fit on a circle; at most {MOST_ON_RING} do")]
    Ring {
        /// How many there are.
        stacks: usize,
    },
    /// Tokens have no place in this layout.
    #[error("tokens are drawn on circles and in rows only; numbers can be drawn everywhere")]
    Tokens,
    /// The position does not fit the game.
    #[error("the game has {stacks} stacks, but {heights} heights are given")]
    Heights {
        /// Stacks of the game.
        stacks: usize,
        /// Heights given.
        heights: usize,
    },
    /// There is more than a page can show.
    #[error("{what}: {found}, and at most {most} can be drawn")]
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// How much there is.
        found: usize,
        /// How much can be drawn.
        most: usize,
    },
}

/// Where a stack stands.
#[derive(Clone, PartialEq, Debug)]
pub struct Place {
    /// The stack of the game, counted from 0.
    pub stack: usize,
    /// What it is called.
    pub name: String,
    /// Its place around the circle or in the row.
    pub slot: usize,
    /// On a graph, the ends of its edge.
    pub edge: Option<(u32, u32)>,
}

/// A set as it is drawn: an arc over some slots, with dots on its members.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetMark {
    /// The stacks, of the game.
    pub set: StackSet,
    /// The first slot of the arc.
    pub start: usize,
    /// The slots it covers.
    pub length: usize,
    /// The slots of the members.
    pub members: Vec<usize>,
    /// The lane it is in.
    pub lane: usize,
    /// Whether it is the clasp of a necklace.
    pub clasp: bool,
}

/// The arrangement of one summand of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// How stacks are arranged.
    pub layout: Layout,
    /// The stacks, in the order of their slots.
    pub places: Vec<Place>,
    /// The sets that are drawn, if they are.
    pub marks: Vec<SetMark>,
    /// How many lanes they need.
    pub lanes: usize,
    /// Whether the slots close to a circle of sets: sets may go around the end of a row.
    pub closed: bool,
    /// Where there is a clasp: after the last slot.
    pub clasp: bool,
    /// What the sets are, where they are said instead of drawn.
    pub note: Option<String>,
    /// How many sets there are.
    pub sets: u64,
}

impl Plan {
    /// The arrangement of a summand; the layout that suits it, if none is given. Stacks are called by `names`.
    pub fn of(
        summand: &Summand,
        layout: Option<Layout>,
        names: &[String],
    ) -> Result<Self, DrawError> {
        let family = summand.family();
        let rule = summand.rule();
        let (n, first) = (rule.stacks(), summand.stacks().start);
        let suited = layout.unwrap_or_else(|| suited(family, n));
        if suited == Layout::Ring && n > MOST_ON_RING {
            return Err(DrawError::Ring { stacks: n });
        }
        let said = said(family, rule);
        let facets = rule.sets().len();
        let drawn: Vec<StackSet> = match said.is_none() && facets <= MOST_SETS as u64 {
            true => rule.sets().iter().collect(),
            false => Vec::new(),
        };
        let named = |family: &Family| !matches!(family, Family::Sets { .. });
        let order: Vec<usize> = match suited {
            Layout::Ring | Layout::Row if !named(family) => circular(n, &drawn),
            _ => (0..n).collect(),
        };
        let edges = match family {
            Family::Graph { edges } => edges.clone(),
            _ => Vec::new(),
        };
        let places = order.iter().enumerate().map(|(slot, &stack)| Place {
            stack: stack + first,
            name: names.get(stack + first).cloned().unwrap_or_default(),
            slot,
            edge: edges.get(stack).copied(),
        });
        let places = places.collect();
        let (marks, count, closed) = marks(&order, &drawn, suited, first, family);
        if layout.is_none() && suited == Layout::Ring && count > MOST_LANES {
            return Plan::of(summand, Some(Layout::Row), names);
        }
        let clasp = matches!(family, Family::Necklace { .. }) && suited == Layout::Ring;
        Ok(Plan {
            layout: suited,
            places,
            marks,
            lanes: count,
            closed,
            clasp,
            note: said,
            sets: facets,
        })
    }

    /// The plans of all summands of a game. Layouts are given for all of them or for none.
    pub fn all(
        game: &Game,
        layout: Option<Layout>,
        names: &[String],
    ) -> Result<Vec<Self>, DrawError> {
        game.summands().iter().map(|s| Plan::of(s, layout, names)).collect()
    }

    /// The direction of a slot on the circle, in degrees.
    pub fn angle(&self, slot: usize) -> f64 {
        -90.0 + 360.0 * slot as f64 / self.places.len() as f64
    }
}

/// The layout that suits a family.
fn suited(family: &Family, n: usize) -> Layout {
    match family {
        Family::Matrix { columns, .. } => Layout::Matrix { columns: *columns },
        Family::Graph { .. } => Layout::Graph,
        Family::Cube { .. } => Layout::Cube,
        Family::Circular { .. } | Family::Necklace { .. } | Family::Sets { .. }
            if (3..=MOST_ON_RING).contains(&n) =>
        {
            Layout::Ring
        }
        _ => Layout::Row,
    }
}

/// What the sets are, in words, where they are not drawn one by one.
fn said(family: &Family, rule: &nimatron_game::Rule) -> Option<String> {
    if matches!(family, Family::Matrix { .. } | Family::Graph { .. } | Family::Cube { .. }) {
        return family::sets(family);
    }
    let sizes = rule.sets().sizes()?;
    match rule.choice() {
        // Of a set any stacks may be played.
        Choice::Any => Some(match sizes.greatest()? {
            1 => "one stack".to_string(),
            2 => "one or two stacks".into(),
            most => format!("one to {most} stacks"),
        }),
        Choice::All => family::any(&sizes.iter().collect::<Vec<_>>()),
    }
}

fn marks(
    order: &[usize],
    sets: &[StackSet],
    layout: Layout,
    first: usize,
    family: &Family,
) -> (Vec<SetMark>, usize, bool) {
    let n = order.len();
    let mut slot = vec![0; n];
    order.iter().enumerate().for_each(|(at, &stack)| slot[stack] = at);
    let mut found: Vec<SetMark> = Vec::new();
    let mut closed = layout == Layout::Ring;
    // In a row, an arc goes around the end only where the game is a circle.
    closed |= layout == Layout::Row && matches!(family, Family::Circular { .. });
    let path = match family {
        Family::Necklace { k, .. } => Some(*k),
        _ => None,
    };
    for set in sets {
        let mut members: Vec<usize> = set.iter().map(|s| slot[s]).collect();
        members.sort_unstable();
        let around = stretch(&members, n);
        let straight = (members[0], members[members.len() - 1] - members[0] + 1);
        let (start, length) = if closed { around } else { straight };
        let clasp = path.is_some_and(|k| straight.1 > k && around.1 < straight.1);
        let set = set.iter().map(|s| s + first).collect();
        found.push(SetMark { set, start, length, members, lane: 0, clasp });
    }
    found.sort_by_key(|m| (m.start, m.length));
    let stretches: Vec<(usize, usize)> = found.iter().map(|m| (m.start, m.length)).collect();
    let (lane, count) = lanes(&stretches, n);
    found.iter_mut().zip(lane).for_each(|(mark, lane)| mark.lane = lane);
    (found, count, closed)
}

/// Places on the net of a cube: b, c, e and d in a row, a above c and f below it, so that a and f, b and e, c and
/// d are opposite.
pub(crate) fn cube_place(stack: usize) -> Point {
    let (x, y) =
        [(1.0, 0.0), (0.0, 1.0), (1.0, 1.0), (3.0, 1.0), (2.0, 1.0), (1.0, 2.0)][stack % 6];
    Point::new(x, y)
}
