//! Games that are known to be open: somebody has said so in print.

use nimatron_game::{Choice, Family, Game, Play, Rule};
use nimatron_reduce::name;

/// Who says that a game is open: `KDH26 Open Problem 3`. `None` if nobody is known to have said so,
/// which does not mean that the game is solved. Whether something is known about a game by now is
/// for [`Knowledge`](crate::Knowledge) to say, which should be asked first.
///
/// ```
/// use nimatron::said_to_be_open;
/// let said = |text: &str| said_to_be_open(&text.parse().unwrap());
/// assert_eq!(said("Set(ab,bc,d)"), Some("KDH26 Open Problem 3"));
/// assert_eq!(said("CN(6,2)"), Some("DH13 section 3"));
/// assert_eq!(said("misere CN(6,2)"), None);
/// ```
pub fn said_to_be_open(game: &Game) -> Option<&'static str> {
    if game.convention() != Play::Normal {
        return None;
    }
    let rule = game.single();
    match rule {
        Some(rule) if rule.is_set_nim() => set_nim(rule),
        Some(rule) => slow(rule),
        // PN(3,2) + Nim(1) is {ab,bc,d}.
        None => match game.summands() {
            [one, other] => {
                let families = [one.family(), other.family()];
                let path = Family::Path { n: 3, k: 2 };
                let stack = Family::Nim { n: 1 };
                let pair = families.contains(&&path) && families.contains(&&stack);
                pair.then_some("KDH26 Open Problem 3")
            }
            _ => None,
        },
    }
}

/// Who says in print that there are results on a game which are not published: `KDH26 section 8`.
///
/// ```
/// use nimatron::said_to_be_solved;
/// let said = |text: &str| said_to_be_solved(&text.parse().unwrap());
/// assert_eq!(said("CN(10,4)"), Some("KDH26 section 8"));
/// assert_eq!(said("CN(12,5)"), None);
/// ```
pub fn said_to_be_solved(game: &Game) -> Option<&'static str> {
    let rule = game.single().filter(|rule| rule.is_set_nim())?;
    let named = || name(rule.sets()).map(|(family, _)| family);
    let said = match named()? {
        // Its P-positions are said to be known there, with a proof too long to be printed.
        Family::Circular { n: 9, k: 4 } => "KDH26 sections 4 and 8",
        Family::Circular { n: 10..=11, k: 4 } => "KDH26 section 8",
        _ => return None,
    };
    (game.convention() == Play::Normal).then_some(said)
}

/// Circular games that publications have solved, besides those with k = 1, n - 1 or n.
const SINCE_SOLVED: [(usize, usize); 9] =
    [(4, 2), (5, 2), (5, 3), (6, 3), (6, 4), (7, 3), (7, 4), (8, 3), (8, 6)];

fn set_nim(rule: &Rule) -> Option<&'static str> {
    let sets = rule.sets();
    let sizes = || {
        let mut sizes: Vec<usize> = sets.iter().map(|set| set.len()).collect();
        sizes.sort_unstable();
        sizes
    };
    // Two sets that share a stack, and a stack by itself.
    if sets.sizes().is_none() && sets.stacks() == 4 && sizes() == [1, 2, 2] {
        return Some("KDH26 Open Problem 3");
    }
    match name(sets)?.0 {
        Family::Circular { n, k } if SINCE_SOLVED.contains(&(n, k)) => None,
        Family::Circular { n: 6, k: 2 } => Some("DH13 section 3"),
        Family::Circular { n: 7, k: 2..=5 } => Some("DH13 section 6, question 2"),
        Family::Circular { n, k } if n == 3 * k && k > 1 => Some("KDH26 section 8"),
        Family::Circular { n, k } if 1 < k && k + 1 < n => Some("DH13 section 6, question 1"),
        Family::Path { n, k } if k > 1 && 2 * k < n => Some("KDH26 Remark 3.3"),
        Family::Necklace { n, k, l: 2 } if n > 2 * k => Some("Necklace26 Open Problem 1"),
        Family::Necklace { l, .. } if l > 2 => Some("Necklace26 Open Problem 2"),
        _ => None,
    }
}

/// Slow games on all sets of certain sizes.
fn slow(rule: &Rule) -> Option<&'static str> {
    let exactly_one = rule.each().least() == 1 && rule.each().most() == Some(1);
    if rule.choice() != Choice::All || !exactly_one {
        return None;
    }
    let n = rule.stacks();
    let sizes: Vec<usize> = rule.sets().sizes()?.iter().collect();
    match sizes[..] {
        // Up to six stacks k = 2 is in the literature that Slow26 cites.
        [2] if n >= 7 => Some("Slow26 Open Problem 1"),
        [k] if k > 2 && k + 2 <= n => Some("Slow26 Open Problem 1"),
        [1, 2] if n >= 6 => Some("Slow26 Open Problem 3"),
        [1, k] if k > 2 && k % 2 == 0 && k < n => Some("Slow26 Open Problem 4"),
        [k, all] if k >= 2 && k + 2 <= n && all == n => Some("Slow26 Open Problem 2"),
        _ => None,
    }
}
