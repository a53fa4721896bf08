//! Changes of JSON by structure, not by bytes: numbers, items of lists and whole subtrees, as a row of bytes chooses.

use serde_json::Value;

/// A certificate, changed in one to three places.
///
/// # Panics
/// If the text is no JSON.
pub(crate) fn changed(certificate: &str, bytes: &[u8]) -> String {
    let mut choices = Choices(bytes);
    let original: Value = serde_json::from_str(certificate).expect("a certificate");
    let mut changed = original.clone();
    for _ in 0..1 + choices.below(3) {
        // Mostly in the proof itself.
        let within = if choices.below(16) == 0 { &mut changed } else { &mut changed["proof"] };
        let place = choices.below(size(within));
        if let Some(value) = find(within, &mut { place }) {
            change(value, &original["proof"], &mut choices);
        }
    }
    changed.to_string()
}

/// Choices drawn from bytes; when these are used up every choice is the first.
struct Choices<'a>(&'a [u8]);

impl Choices<'_> {
    fn below(&mut self, count: usize) -> usize {
        let mut number = 0;
        for _ in 0..2 {
            let (first, rest) = self.0.split_first().unwrap_or((&0, &[]));
            number = number << 8 | usize::from(*first);
            self.0 = rest;
        }
        number % count.max(1)
    }
}

/// How many values there are, those inside of others included.
fn size(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(size).sum::<usize>(),
        Value::Object(fields) => fields.values().map(size).sum(),
        _ => 0,
    }
}

/// The value with this number.
fn find<'a>(value: &'a mut Value, number: &mut usize) -> Option<&'a mut Value> {
    if *number == 0 {
        return Some(value);
    }
    *number -= 1;
    match value {
        Value::Array(items) => items.iter_mut().find_map(|item| find(item, number)),
        Value::Object(fields) => fields.values_mut().find_map(|item| find(item, number)),
        _ => None,
    }
}

const GAMES: [&str; 8] =
    ["CN(4,2)", "Nim(2)", "misere Nim(2)", "CN(5,3)", "PN(4,2)", "CN(3,2)", "Nim(3)", "Exact(3,2)"];

fn change(value: &mut Value, donors: &Value, choices: &mut Choices) {
    // Now and then something of the same kind from elsewhere.
    if choices.below(4) == 0 {
        let mut donors = donors.clone();
        let place = choices.below(size(&donors));
        if let Some(donor) = find(&mut donors, &mut { place })
            && std::mem::discriminant(donor) == std::mem::discriminant(value)
        {
            *value = donor.clone();
            return;
        }
    }
    match value {
        Value::Number(number) => {
            let old = number.as_i64().unwrap_or_default();
            *value = match choices.below(8) {
                0 => old.saturating_add(1),
                1 => old.saturating_sub(1),
                2 => old.saturating_neg(),
                3 => 0,
                4 => choices.below(64) as i64,
                5 => old ^ 1 << choices.below(8),
                6 => i64::MAX - choices.below(2) as i64,
                _ => i64::from(u32::MAX) + choices.below(2) as i64,
            }
            .into();
        }
        Value::Array(items) if !items.is_empty() => {
            let (a, b) = (choices.below(items.len()), choices.below(items.len()));
            match choices.below(6) {
                0 => drop(items.remove(a)),
                1 => items.insert(b, items[a].clone()),
                2 => items.swap(a, b),
                3 => items.truncate(a),
                4 => items.reverse(),
                _ => items[b] = items[a].clone(),
            }
        }
        Value::Object(fields) => {
            let key = fields.keys().nth(choices.below(fields.len().max(1))).cloned();
            key.map(|key| fields.remove(&key));
        }
        Value::Bool(flag) => *flag = !*flag,
        Value::String(text) => *text = GAMES[choices.below(GAMES.len())].to_string(),
        _ => {}
    }
}
