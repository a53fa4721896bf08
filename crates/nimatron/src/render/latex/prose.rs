//! Sentences with mathematics in them, taken apart: games, positions, stacks and sums are mathematics, keys of
//! publications are citations, and the rest is words.
//!
//! Where a sentence is made for this, its stacks are written in letters of their own ([`Names::for_print`]), so that
//! a stack `a` is not taken for an article.

use crate::render::words::upright;
use nimatron_draw::document::{Math, Text};
use nimatron_theory::publications;

/// A sentence as words, mathematics and citations.
pub(crate) fn text(sentence: &str) -> Text {
    let mut out = Text::default();
    let mut words = String::new();
    let mut rest = sentence;
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        let found = match before.is_alphanumeric() {
            true => None,
            false => cited(rest).or_else(|| game(rest)).or_else(|| mathematics(rest)),
        };
        let Some((piece, length)) = found else {
            words.push(c);
            before = c;
            rest = &rest[c.len_utf8()..];
            continue;
        };
        if !words.is_empty() {
            out = out.say(std::mem::take(&mut words));
        }
        out = out.then(piece);
        before = rest[..length].chars().next_back().unwrap_or(' ');
        rest = &rest[length..];
    }
    if !words.is_empty() {
        out = out.say(words);
    }
    out
}

/// The game as mathematics: names upright.
pub(crate) fn game_math(notation: &str) -> Math {
    Math { latex: super::game_math(notation), plain: notation.to_string() }
}

/// A publication, and the place in it: `KDH26 Theorem 5.1`.
fn cited(rest: &str) -> Option<(Text, usize)> {
    let ends = |key: &str| rest[key.len()..].chars().next().is_none_or(|c| !c.is_alphanumeric());
    let key = publications().iter().map(|p| p.key).find(|k| rest.starts_with(k) && ends(k))?;
    let place = place(&rest[key.len()..]);
    let length = key.len() + place.map_or(0, |p| p.len() + 1);
    Some((Text::default().cite(key, place), length))
}

/// `Theorem 5.1`, `Theorems 2.1 and 2.3`, `section 3`, after a blank.
fn place(rest: &str) -> Option<&str> {
    const PLACES: [&str; 8] = [
        "Theorem",
        "Lemma",
        "Corollary",
        "Proposition",
        "Remark",
        "Open Problem",
        "section",
        "Conjecture",
    ];
    let rest = rest.strip_prefix(' ')?;
    let word = PLACES.iter().find(|word| rest.starts_with(**word))?;
    let number = |text: &str| {
        let length = text.find(|c: char| !c.is_ascii_alphanumeric() && !".()".contains(c));
        let digits = &text[..length.unwrap_or(text.len())];
        // A full stop ends the sentence, and a bracket may be one that was open before.
        let mut digits = digits.trim_end_matches('.');
        while digits.matches(')').count() > digits.matches('(').count() {
            digits = &digits[..digits.len() - 1];
        }
        match digits.starts_with(|c: char| c.is_ascii_digit()) {
            true => digits.len(),
            false => 0,
        }
    };
    let mut end = word.len();
    end += usize::from(rest[end..].starts_with('s'));
    let first = rest[end..].strip_prefix(' ').map_or(0, number);
    if first == 0 {
        return None;
    }
    end += 1 + first;
    if let Some(more) = rest[end..].strip_prefix(" and ") {
        let more = number(more);
        end += if more > 0 { 5 + more } else { 0 };
    }
    Some(&rest[..end])
}

/// The notation of a game, or of a sum: `PN(3,2) + Nim(1)`.
fn game(rest: &str) -> Option<(Text, usize)> {
    let one = |rest: &str| {
        let name = rest.find(|c: char| !c.is_ascii_alphabetic())?;
        let named = rest.starts_with(|c: char| c.is_ascii_uppercase()) && name > 1;
        let length = bracket(&rest[name..])?;
        named.then_some(name + length)
    };
    let mut length = one(rest)?;
    while let Some(more) = rest[length..].strip_prefix(" + ").and_then(one) {
        length += 3 + more;
    }
    Some((Text::default().formula(game_math(&upright(&rest[..length]))), length))
}

/// How long a bracket is that begins here.
fn bracket(rest: &str) -> Option<usize> {
    rest.starts_with('(').then_some(())?;
    let mut depth = 0;
    let end = rest.char_indices().find(|(_, c)| {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        depth == 0
    });
    end.map(|(at, _)| at + 1)
}

const RELATIONS: [&str; 6] = ["<=", ">=", "!=", "=", "<", ">"];

/// Stacks, sums and comparisons: `c+d = 5`, `(a,b+c) = (1,2)`.
fn mathematics(rest: &str) -> Option<(Text, usize)> {
    let (mut length, mut stacks, mut tuple) = atom(rest)?;
    let (mut related, mut letters) = (false, !stacks && !tuple && !is_number(&rest[..length]));
    while let Some((gap, relation)) = operator(&rest[length..]) {
        let Some((more, own, row)) = atom(&rest[length + gap..]) else { break };
        let piece = &rest[length + gap..length + gap + more];
        letters |= !own && !row && !is_number(piece);
        stacks |= own;
        tuple |= row;
        related |= relation;
        length += gap + more;
    }
    // Words in small letters may be stacks only where something is compared.
    let is_math = if letters { related } else { stacks || tuple };
    let ends = rest[length..].chars().next().is_none_or(|c| !c.is_alphanumeric() && c != '-');
    (is_math && ends).then(|| (Text::default().math(&upright(&rest[..length])), length))
}

fn is_number(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_digit())
}

/// The length of an operator with the blanks around it, and whether it compares.
fn operator(rest: &str) -> Option<(usize, bool)> {
    let inner = rest.trim_start_matches(' ');
    let before = rest.len() - inner.len();
    let relation = RELATIONS.iter().find(|r| inner.starts_with(**r));
    let sign = ["+", "-"].iter().find(|s| inner.starts_with(**s));
    let length = relation.or(sign)?.len();
    let after = inner[length..].len() - inner[length..].trim_start_matches(' ').len();
    (before <= 1 && after <= 1).then_some((before + length + after, relation.is_some()))
}

/// A number, stacks, or a row of these in brackets: its length, whether it has stacks in letters of their own, and
/// whether it is a row of several numbers or such stacks.
fn atom(rest: &str) -> Option<(usize, bool, bool)> {
    if let Some(length) = bracket(rest) {
        let inside = &rest[1..length - 1];
        let own = inside.chars().any(is_own);
        let fits = |c: char| c.is_ascii_digit() || is_own(c) || ",+ ".contains(c);
        return (inside.contains(',') && inside.chars().all(fits)).then_some((length, own, true));
    }
    let end = |test: fn(char) -> bool| rest.find(|c: char| !test(c)).unwrap_or(rest.len());
    let digits = end(|c| c.is_ascii_digit());
    let after = &rest[digits..];
    let run = |test: fn(char) -> bool| after.find(|c: char| !test(c)).unwrap_or(after.len());
    let own = run(is_own);
    if own > 0 {
        // x27
        let index = after[own..].find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len() - own);
        return Some((digits + own + index, true, false));
    }
    match (digits, run(|c| c.is_ascii_lowercase())) {
        (0, 0) => None,
        (_, letters) => Some((digits + letters, false, false)),
    }
}

/// Whether a letter is one for stacks in print.
fn is_own(c: char) -> bool {
    ('\u{1d622}'..='\u{1d63b}').contains(&c)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::words::Names;
    use nimatron_draw::document::Document;

    fn latex(sentence: &str) -> String {
        let mut document = Document::new("");
        document.paragraph(text(sentence));
        document.latex_body().trim_end().to_string()
    }

    #[test]
    fn sentences_are_taken_apart() {
        let cases = [
            ("A move of a player.", "A move of a player."),
            ("CN(7,3) at (2,4,3) is solved", r"$\mathrm{CN}(7,3)$ at $(2,4,3)$ is solved"),
            ("this is PN(3,2) + Nim(1).", r"this is $\mathrm{PN}(3,2) + \mathrm{Nim}(1)$."),
            ("so a+b = c holds", "so $a+b = c$ holds"),
            ("by KDH26 Theorem 5.1.", r"by \cite[Theorem~5.1]{KDH26}."),
            ("(Necklace26 Theorems 2.1 and 2.3)", r"(\cite[Theorems~2.1~and~2.3]{Necklace26})"),
            ("as DH13 Theorem 2.1(3) says", r"as \cite[Theorem~2.1(3)]{DH13} says"),
            ("all-but-one games, 3 stacks", "all-but-one games, 3 stacks"),
            ("takes 2 of 5 (or more)", "takes 2 of 5 (or more)"),
        ];
        for (sentence, expected) in cases {
            assert_eq!(latex(sentence), expected);
        }
    }

    #[test]
    fn stacks_are_told_from_words() {
        let names = Names::of(5).for_print();
        let (a, all) = (names.one(0), names.row());
        assert_eq!(latex(&format!("a stack {a} goes to 2")), "a stack $a$ goes to 2");
        assert_eq!(latex(&format!("at ({all}) = (1,2,3,4,5)")), "at $(a,b,c,d,e) = (1,2,3,4,5)$");
        let sum = names.gathered(&[vec![0, 1], vec![2]]);
        assert_eq!(latex(&format!("{} = 2, but", sum.one(0))), "$a+b = 2$, but");
        let many = Names::of(30).for_print();
        assert_eq!(latex(&format!("{} is empty", many.one(26))), "$x_{27}$ is empty");
    }
}
