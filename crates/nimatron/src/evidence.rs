//! What small boxes suggest about a game, without proving it.

use nimatron_game::{Amounts, Choice, Game, Height, Position, Rule};
use nimatron_table::naive;
use nimatron_theory::library::tetris::TetrisNim;
use nimatron_theory::longest::longest_play;
use nimatron_theory::{Citation, Theorem};

/// Boxes with more positions are not looked at.
const POSITIONS: u64 = 300;
/// Games with more sets are not looked at.
const SETS: u64 = 10;

/// The Grundy values of an Exact game compared with the lengths of the longest plays.
///
/// That they agree on a box is evidence only. Where a theorem knows the Grundy values, it answers by
/// itself; see [`nimatron_theory::library`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LongestPlay {
    /// The greatest height.
    pub max: Height,
    /// How many positions were compared.
    pub positions: u64,
    /// The first position, by total and then lexicographically, where the two differ.
    pub differs: Option<Difference>,
    /// Who has proved that they agree, where somebody has.
    pub proved: Option<Citation>,
}

/// Where the Grundy value is not the length of the longest play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The position.
    pub position: Position,
    /// The length of the longest play.
    pub longest: u128,
    /// The Grundy value.
    pub grundy: u128,
}

/// The theorem on Exact(n,k) with n < 2k.
fn proved(rule: &Rule) -> Option<Citation> {
    let sizes = rule.sets().sizes()?;
    let k = sizes.least().filter(|&k| sizes.greatest() == Some(k))?;
    (rule.stacks() < 2 * k).then(|| TetrisNim.citation())
}

impl LongestPlay {
    /// Compares on a small box. `None` if the game is not an Exact game, or too large.
    ///
    /// ```
    /// use nimatron::structure::LongestPlay;
    /// let game: nimatron::Game = "Exact(4,2)".parse().unwrap();
    /// let found = LongestPlay::of(game.single().unwrap()).unwrap();
    /// assert_eq!(found.differs.unwrap().position.to_string(), "(1,1,1,1)");
    /// ```
    pub fn of(rule: &Rule) -> Option<Self> {
        let exact = rule.choice() == Choice::All
            && rule.each() == Amounts::POSITIVE
            && rule.total() == Amounts::POSITIVE;
        if !exact || rule.sets().len() > SETS {
            return None;
        }
        let n = u32::try_from(rule.stacks()).ok()?;
        let volume = |max: &Height| (max + 1).checked_pow(n).is_some_and(|v| v <= POSITIONS);
        let max = (1..=POSITIONS).take_while(volume).last()?;
        let game = Game::from_rule(rule).ok()?;
        let table = naive::grundy(&game, &vec![max; rule.stacks()]).ok()?;
        let mut differs: Option<Difference> = None;
        for (position, grundy) in table.iter() {
            let (longest, grundy) = (longest_play(rule.sets(), &position).ok()?, grundy.into());
            let smaller = |d: &Difference| {
                (position.total(), &position[..]) < (d.position.total(), &d.position[..])
            };
            if longest != grundy && differs.as_ref().is_none_or(smaller) {
                differs = Some(Difference { position, longest, grundy });
            }
        }
        Some(LongestPlay { max, positions: (max + 1).pow(n), differs, proved: proved(rule) })
    }
}
