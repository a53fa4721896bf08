//! Reading the named families.
//!
//! Tolerated: `Nim(n)`, `Moore(n,k)`, `CN(n,k)`, `PN(n,k)`, `NN(n,k)`, `NN(n,k,l)`, `H`,
//! `Exact(n,k)`, `Slow(n,{a,b})`, `Matrix(r,c)`, `Graph(0-1,1-2)`, `Cube(vertex)`, and the lists
//! of sets of `sets.rs`; any capitals; blanks everywhere but within names and numbers; sizes of
//! slow games in any order. `SN` as the publications write it: `SN(4,{{a,b},{b,c},{d}})` is SetNim
//! (KDH26), `SN(5,{1,2})` and `SN(5,2)` are slow games (Slow26).
//! Written: the same, with `H` as `NN(6,3)` and without `SN`; see `display.rs`.

use super::cursor::{Cursor, Number, Word};
use super::error::{Failure, ParseErrorKind, Read, shorten};
use super::names::{self, Entry, MISERE, Name};
use super::sets;
use crate::family::{CubePart, Family, FamilyError};
use crate::sets::Sizes;
use crate::stacks::MAX_STACKS;
use std::ops::Range;

/// Reads the family called `word`.
pub(super) fn named(cursor: &mut Cursor<'_>, word: &Word<'_>) -> Read<Family> {
    let plain = word.plain();
    let Some(entry) = names::lookup(&plain) else {
        return Err(unknown(word, &plain));
    };
    let family = match entry.name {
        Name::H => return hexagon(cursor, entry),
        Name::Set => return sets::parenthesised(cursor, word.span.start),
        Name::Slow => return slow(cursor, entry),
        Name::SetOrSlow => return set_or_slow(cursor, entry),
        Name::Graph => return graph(cursor, entry),
        Name::Cube => return cube(cursor, entry),
        Name::Nim => {
            let (values, spans) = numbers(cursor, entry, 1, 1)?;
            return checked(cursor, Family::Nim { n: values[0] }, entry, &spans);
        }
        Name::Necklace => return necklace(cursor, entry),
        Name::Moore => |n, k| Family::Moore { n, k },
        Name::Circular => |n, k| Family::Circular { n, k },
        Name::Path => |n, k| Family::Path { n, k },
        Name::Exact => |n, k| Family::Exact { n, k },
        Name::Matrix => |rows, columns| Family::Matrix { rows, columns },
    };
    let (values, spans) = numbers(cursor, entry, 2, 2)?;
    checked(cursor, family(values[0], values[1]), entry, &spans)
}

fn unknown(word: &Word<'_>, plain: &str) -> Failure {
    let near = names::meant(plain);
    let kind =
        ParseErrorKind::UnknownName { name: shorten(word.text), what: "game", known: names::KNOWN };
    let mut failure = Failure::new(kind, word.span.clone());
    for misere in names::nearest(plain, [(MISERE, MISERE)]) {
        failure = failure.or(word.span.clone(), misere);
    }
    if let Some(rest) = plain.strip_prefix(MISERE) {
        failure = failure.or(word.span.clone(), format!("{MISERE} {rest}"));
    }
    for entry in &near {
        failure = failure.or(word.span.clone(), entry.written);
    }
    match near.first() {
        Some(entry) => failure.such_as(entry.example),
        None => failure,
    }
}

fn arguments(entry: &Entry, span: Range<usize>) -> Failure {
    let Entry { written: name, takes, example, .. } = *entry;
    Failure::new(ParseErrorKind::Arguments { name, takes, example }, span).such_as(example)
}

/// A number as a count of stacks.
fn count(cursor: &Cursor<'_>, number: &Number) -> Read<usize> {
    Ok(usize::try_from(cursor.value(number)?).unwrap_or(usize::MAX))
}

/// Reads `(n,k,...)` with `least` to `most` numbers, and returns these with their places.
fn numbers(
    cursor: &mut Cursor<'_>,
    entry: &Entry,
    least: usize,
    most: usize,
) -> Read<(Vec<usize>, Vec<Range<usize>>)> {
    let such_as = |f: Failure| f.such_as(entry.example);
    cursor.expect("(").map_err(such_as)?;
    let (mut values, mut spans) = (Vec::new(), Vec::new());
    while !cursor.is_next(")") || !values.is_empty() {
        let number = cursor.number().map_err(such_as)?;
        values.push(count(cursor, &number).map_err(such_as)?);
        let end = number.span.end;
        spans.push(number.span);
        if !cursor.eat(",") {
            break;
        }
        if values.len() == most {
            let close = closing(cursor);
            return Err(arguments(entry, cursor.here()).or(end..close, ""));
        }
    }
    if values.len() < least {
        if !cursor.is_next(")") {
            cursor.expect(",").map_err(such_as)?;
        }
        return Err(arguments(entry, cursor.here()));
    }
    cursor.expect(")").map_err(such_as)?;
    Ok((values, spans))
}

/// Where the next closing parenthesis stands, or the end of the text.
fn closing(cursor: &mut Cursor<'_>) -> usize {
    let here = cursor.here().start;
    let rest = &cursor.text()[here..];
    here + rest.find(')').unwrap_or(rest.len())
}

/// The family, if its numbers fit. `spans` are the places of its numbers.
fn checked(
    cursor: &Cursor<'_>,
    family: Family,
    entry: &Entry,
    spans: &[Range<usize>],
) -> Read<Family> {
    let Err(error) = family.check() else {
        return Ok(family);
    };
    // Which number is wrong: a size, a zero, or else the first.
    let parameter = match (&error, &family) {
        (FamilyError::SetSize { parameter, .. }, _) => *parameter,
        (FamilyError::NoStacks, Family::Matrix { rows, .. }) => usize::from(*rows > 0),
        (FamilyError::TooManyStacks(_), Family::Matrix { rows, columns }) => {
            usize::from(columns > rows || *rows <= MAX_STACKS)
        }
        _ => 0,
    };
    let span = spans.get(parameter).cloned().unwrap_or(cursor.last_end()..cursor.last_end());
    let mut failure = Failure::family(error.clone(), span.clone());
    if let [n, k, ..] = spans {
        let swapped = [k.clone(), n.end..k.start, n.clone()].map(|part| cursor.slice(part));
        failure = failure.or(n.start..k.end, swapped.concat());
    }
    failure = match error {
        FamilyError::SetSize { found, least, most, .. } => {
            failure.or(span, found.clamp(least, most.max(least)).to_string())
        }
        FamilyError::NoStacks => failure.or(span, "1"),
        FamilyError::TooManyStacks(_) => {
            let columns = match family {
                Family::Matrix { rows, .. } if parameter == 1 => MAX_STACKS / rows.max(1),
                _ => MAX_STACKS,
            };
            failure.or(span, columns.to_string())
        }
        _ => failure,
    };
    Err(failure.such_as(entry.example))
}

fn hexagon(cursor: &mut Cursor<'_>, entry: &Entry) -> Read<Family> {
    if cursor.is_next("(") {
        let open = cursor.here();
        let close = closing(cursor);
        return Err(arguments(entry, open.clone()).or(open.start..close + 1, ""));
    }
    Ok(Family::Necklace { n: 6, k: 3, l: 2 })
}

fn necklace(cursor: &mut Cursor<'_>, entry: &Entry) -> Read<Family> {
    let (values, spans) = numbers(cursor, entry, 2, 3)?;
    let l = values.get(2).copied().unwrap_or(2);
    checked(cursor, Family::Necklace { n: values[0], k: values[1], l }, entry, &spans)
}

/// Reads `(n,{a,b})`.
fn slow(cursor: &mut Cursor<'_>, entry: &Entry) -> Read<Family> {
    let such_as = |f: Failure| f.such_as(entry.example);
    cursor.expect("(").map_err(such_as)?;
    if cursor.peek() == Some(')') {
        return Err(arguments(entry, cursor.here()));
    }
    let number = cursor.number().map_err(such_as)?;
    let n = count(cursor, &number).map_err(such_as)?;
    checked(cursor, Family::Nim { n }, entry, &[number.span])?;
    if cursor.peek() == Some(')') {
        return Err(arguments(entry, cursor.here()));
    }
    cursor.expect(",").map_err(such_as)?;
    if cursor.at_number() {
        let (start, close) = (cursor.here().start, closing(cursor));
        let braced = format!("{{{}}}", cursor.slice(start..close).trim_end());
        return Err(arguments(entry, cursor.here()).or(start..close, braced));
    }
    cursor.expect("{").map_err(such_as)?;
    let sizes = sizes(cursor, entry, n)?;
    cursor.expect(")").map_err(such_as)?;
    Ok(Family::Slow { n, sizes })
}

/// Reads `(n,{{a,b},{b,c}})`, `(n,{1,2})` or `(n,2)`.
fn set_or_slow(cursor: &mut Cursor<'_>, entry: &Entry) -> Read<Family> {
    let such_as = |f: Failure| f.such_as(entry.example);
    cursor.expect("(").map_err(such_as)?;
    let number = cursor.number().map_err(such_as)?;
    let n = count(cursor, &number).map_err(such_as)?;
    checked(cursor, Family::Nim { n }, entry, std::slice::from_ref(&number.span))?;
    if cursor.peek() == Some(')') {
        return Err(arguments(entry, cursor.here()));
    }
    cursor.expect(",").map_err(such_as)?;
    let family = if cursor.at_number() {
        Family::Slow { n, sizes: Sizes::new([size(cursor, entry, n)?]) }
    } else {
        let start = cursor.here().start;
        cursor.expect("{").map_err(such_as)?;
        match cursor.peek() == Some('{') {
            true => sets::braced(cursor, n, (number.span, start), entry.example)?,
            false => Family::Slow { n, sizes: sizes(cursor, entry, n)? },
        }
    };
    cursor.expect(")").map_err(such_as)?;
    Ok(family)
}

/// Reads one size of move sets.
fn size(cursor: &mut Cursor<'_>, entry: &Entry, n: usize) -> Read<usize> {
    let such_as = |f: Failure| f.such_as(entry.example);
    let number = cursor.number().map_err(such_as)?;
    let size = count(cursor, &number).map_err(such_as)?;
    if (1..=n).contains(&size) {
        return Ok(size);
    }
    let error = FamilyError::SetSize { parameter: 1, found: size, least: 1, most: n };
    let failure = Failure::family(error, number.span.clone());
    Err(such_as(failure.or(number.span, size.clamp(1, n).to_string())))
}

/// Reads `1,2}`, the sizes of move sets of a game on `n` stacks.
fn sizes(cursor: &mut Cursor<'_>, entry: &Entry, n: usize) -> Read<Sizes> {
    if cursor.peek() == Some('}') {
        let failure = Failure::family(FamilyError::EmptyList, cursor.here());
        return Err(failure.or(cursor.last_end()..cursor.last_end(), "1"));
    }
    let mut sizes = vec![size(cursor, entry, n)?];
    while cursor.eat(",") {
        sizes.push(size(cursor, entry, n)?);
    }
    cursor.expect("}").map_err(|f| f.such_as(entry.example))?;
    Ok(Sizes::new(sizes))
}

/// Reads `(0-1,1-2,2-0)`.
fn graph(cursor: &mut Cursor<'_>, entry: &Entry) -> Read<Family> {
    let such_as = |f: Failure| f.such_as(entry.example);
    cursor.expect("(").map_err(such_as)?;
    if cursor.peek() == Some(')') {
        return Err(such_as(Failure::family(FamilyError::EmptyList, cursor.here())));
    }
    let mut edges = Vec::new();
    loop {
        let start = cursor.here().start;
        let from = vertex(cursor).map_err(such_as)?;
        cursor.expect("-").map_err(such_as)?;
        let to = vertex(cursor).map_err(such_as)?;
        let edge = start..cursor.last_end();
        if edges.len() == MAX_STACKS {
            let error = FamilyError::TooManyStacks(MAX_STACKS + 1);
            return Err(such_as(Failure::family(error, edge)));
        }
        if from == to {
            return Err(such_as(Failure::family(FamilyError::Loop(edges.len()), edge)));
        }
        edges.push((from, to));
        if !cursor.eat(",") {
            break;
        }
    }
    cursor.expect(")").map_err(such_as)?;
    Ok(Family::Graph { edges })
}

fn vertex(cursor: &mut Cursor<'_>) -> Read<u32> {
    let number = cursor.number()?;
    let small = number.value.and_then(|v| u32::try_from(v).ok());
    small.ok_or_else(|| {
        let digits = shorten(cursor.slice(number.span.clone()));
        Failure::new(ParseErrorKind::TooLarge { digits }, number.span)
    })
}

const PARTS: [(CubePart, &str); 3] =
    [(CubePart::Vertex, "vertex"), (CubePart::Edge, "edge"), (CubePart::Face, "face")];

/// Reads `(vertex)`, `(edge)` or `(face)`.
fn cube(cursor: &mut Cursor<'_>, entry: &Entry) -> Read<Family> {
    let such_as = |f: Failure| f.such_as(entry.example);
    cursor.expect("(").map_err(such_as)?;
    let Some(word) = cursor.word() else {
        return Err(arguments(entry, cursor.here()));
    };
    let plain = word.plain();
    let Some(&(part, _)) = PARTS.iter().find(|(_, name)| *name == plain) else {
        let kind = ParseErrorKind::UnknownName {
            name: shorten(word.text),
            what: "part of a cube",
            known: "vertex, edge, face",
        };
        let also = [("vertex", "corner"), ("vertex", "vertices"), ("face", "side")];
        let words = PARTS.iter().map(|&(_, w)| (w, w)).chain(also);
        let failure = Failure::new(kind, word.span.clone());
        let meant = names::nearest(&plain, words);
        return Err(such_as(meant.into_iter().fold(failure, |f, m| f.or(word.span.clone(), m))));
    };
    cursor.expect(")").map_err(such_as)?;
    Ok(Family::Cube { part })
}
