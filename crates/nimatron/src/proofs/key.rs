//! Names under which proofs are kept.

use nimatron_game::symmetry::canonical_form;
use nimatron_game::{Play, Rule};
use nimatron_reduce::first_name;

/// A name that all games share which are the same up to the names of the stacks: `CN-9-4`. Games
/// without a name go by a checksum of their canonical form.
pub(crate) fn key(rule: &Rule, play: Play) -> String {
    let sets = match first_name(rule.sets()) {
        Some((family, _)) => family.to_string(),
        None => {
            let (form, _) = canonical_form(rule.sets(), None);
            let sets: Vec<String> = form.iter().map(|set| set.bits().to_string()).collect();
            format!("Set {} {}", form.stacks(), checksum(sets.join(",").as_bytes()))
        }
    };
    let moves = match rule.is_set_nim() {
        true => String::new(),
        false => format!(" {:?} {:?} {:?}", rule.choice(), rule.each(), rule.total()),
    };
    let misere = if play == Play::Misere { "misere " } else { "" };
    let text = format!("{misere}{sets}{moves}");
    let words: Vec<&str> =
        text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty()).collect();
    words.join("-")
}

/// FNV-1a with 128 bits, in hexadecimal digits.
pub(super) fn checksum(bytes: &[u8]) -> String {
    let start = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d_u128;
    let prime = 0x0000_0000_0100_0000_0000_0000_0000_013b_u128;
    let sum = bytes.iter().fold(start, |sum, &b| (sum ^ u128::from(b)).wrapping_mul(prime));
    format!("{sum:032x}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use nimatron_game::Game;

    #[test]
    fn the_order_of_the_stacks_does_not_matter() {
        let key = |text: &str| {
            let game: Game = text.parse().unwrap();
            key(game.single().unwrap(), game.convention())
        };
        assert_eq!(key("CN(9,4)"), "CN-9-4");
        assert_eq!(key("NN(5,2)"), key("Set(ac,ce,be,bd,ad)"));
        assert_eq!(key("Set(bc,ad,bd,cd)"), key("Set(ab,cd,ac,bc)"));
        assert_ne!(key("misere CN(5,2)"), key("CN(5,2)"));
        assert_ne!(key("Exact(4,2)"), key("Moore(4,2)"));
    }
}
