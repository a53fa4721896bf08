//! Names under which proofs are kept.
//!
//! A name is a promise: a proof kept by one version of the program is found by the next. It is made of
//! words of letters and digits, joined by `-`:
//!
//! | words | meaning |
//! | --- | --- |
//! | `misere` | misere play; left out under normal play |
//! | `CN-9-4` | the sets, by the first name that fits them in the notation of games |
//! | `Set-4-` and 32 digits | sets without a name: how many stacks, and a checksum of the canonical form |
//! | `any` or `all`, then twice a range | the variant, where it is not the usual play: any stacks of a set or all, what is taken from each, what is taken in total |
//!
//! A range is `2` (exactly), `2up` (at least) or `2to5`. So `Exact(4,2)` is kept under
//! `Moore-4-2-all-1up-1up`.

use nimatron_game::symmetry::canonical_form;
use nimatron_game::{Amounts, Choice, Play, Rule};
use nimatron_reduce::first_name;

/// A name that all games share which are the same up to the names of the stacks: `CN-9-4`.
pub(crate) fn key(rule: &Rule, play: Play) -> String {
    let range = |amounts: Amounts| match (amounts.least(), amounts.most()) {
        (least, None) => format!("{least}up"),
        (least, Some(most)) if most == least => least.to_string(),
        (least, Some(most)) => format!("{least}to{most}"),
    };
    let choice = match rule.choice() {
        Choice::Any => "any",
        Choice::All => "all",
    };
    let moves = format!("{choice} {} {}", range(rule.each()), range(rule.total()));
    joined(rule, play, &moves)
}

/// The name under which earlier versions kept variants.
pub(super) fn former_key(rule: &Rule, play: Play) -> Option<String> {
    let range = |amounts: Amounts| {
        let most = amounts.most().map_or("None".to_string(), |most| format!("Some {most}"));
        format!("Amounts least {} most {most}", amounts.least())
    };
    let choice = match rule.choice() {
        Choice::Any => "Any",
        Choice::All => "All",
    };
    let moves = format!("{choice} {} {}", range(rule.each()), range(rule.total()));
    (!rule.is_set_nim()).then(|| joined(rule, play, &moves))
}

/// The words of a name; those about the moves are left out for SetNim.
fn joined(rule: &Rule, play: Play, moves: &str) -> String {
    let sets = match first_name(rule.sets()) {
        Some((family, _)) => family.to_string(),
        None => {
            let (form, _) = canonical_form(rule.sets(), None);
            let sets: Vec<String> = form.iter().map(|set| set.bits().to_string()).collect();
            format!("Set {} {}", form.stacks(), checksum(sets.join(",").as_bytes()))
        }
    };
    let misere = if play == Play::Misere { "misere" } else { "" };
    let moves = if rule.is_set_nim() { "" } else { moves };
    let text = format!("{misere} {sets} {moves}");
    let words: Vec<&str> =
        text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty()).collect();
    words.join("-")
}

/// FNV-1a with 128 bits, in hexadecimal digits.
fn checksum(bytes: &[u8]) -> String {
    let start = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d_u128;
    let prime = 0x0000_0000_0100_0000_0000_0000_0000_013b_u128;
    let sum = bytes.iter().fold(start, |sum, &b| (sum ^ u128::from(b)).wrapping_mul(prime));
    format!("{sum:032x}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use nimatron_game::Game;

    fn of(text: &str, key: impl Fn(&Rule, Play) -> String) -> String {
        let game: Game = text.parse().unwrap();
        key(game.single().unwrap(), game.convention())
    }

    #[test]
    fn the_order_of_the_stacks_does_not_matter() {
        let key = |text: &str| of(text, key);
        assert_eq!(key("NN(5,2)"), key("Set(ac,ce,be,bd,ad)"));
        assert_eq!(key("Set(bc,ad,bd,cd)"), key("Set(ab,cd,ac,bc)"));
        assert_ne!(key("misere CN(5,2)"), key("CN(5,2)"));
        assert_ne!(key("Exact(4,2)"), key("Moore(4,2)"));
    }

    /// Files with these names exist: a change here loses them.
    #[test]
    fn names_stay_as_they_are() {
        for (game, name) in [
            ("CN(9,4)", "CN-9-4"),
            ("misere CN(5,2)", "misere-CN-5-2"),
            ("Set(ad,abc,bcd)", "NN-4-3"),
            ("Set(ab,cd,ac,bc)", "Set-4-d68b86d9ea04de1425fbb64689765a22"),
            ("Exact(4,2)", "Moore-4-2-all-1up-1up"),
            ("Slow(4,{1,3})", "Set-4-6c4fb54915868e065d385890ee2f945e-all-1-1up"),
            ("CN(5,2) any=3", "CN-5-2-any-3-1up"),
            ("CN(6,3) each>=2 total=4..5", "CN-6-3-all-2up-4to5"),
        ] {
            assert_eq!(of(game, key), name, "{game}");
        }
    }

    #[test]
    fn former_names_of_variants_are_known() {
        let former = |text: &str| of(text, |rule, play| former_key(rule, play).unwrap_or_default());
        assert_eq!(former("CN(9,4)"), "");
        let exact = "Moore-4-2-All-Amounts-least-1-most-None-Amounts-least-1-most-None";
        assert_eq!(former("Exact(4,2)"), exact);
        let total = "CN-6-3-Any-Amounts-least-1-most-None-Amounts-least-2-most-Some-2";
        assert_eq!(former("CN(6,3) total=2"), total);
    }
}
