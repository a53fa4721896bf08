//! Random changes.
use super::common::proved;
use nimatron_verify::{Certificate, verify};
use serde_json::Value;

const CASES: [(&str, &str); 4] = [
    ("CN(5,2)", "sym(b = e, a+b = c+d, a = max)"),
    ("H", "sym(a <= f, a+b+c = d+e+f, a = d+min(c,e))"),
    ("Slow(4,{1,4})", "even(total), even(min)"),
    ("misere PN(3,2)", "total = 1 or (b = 0, a = c, a >= 2)"),
];

struct Random(u64);
impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n
    }
}

fn places(value: &Value, at: &mut Vec<String>, found: &mut Vec<Vec<String>>) {
    match value {
        Value::Array(items) => {
            found.push(at.clone());
            for (i, item) in items.iter().enumerate() {
                at.push(i.to_string());
                places(item, at, found);
                at.pop();
            }
        }
        Value::Object(map) => {
            for (key, item) in map {
                at.push(key.clone());
                places(item, at, found);
                at.pop();
            }
        }
        Value::Number(_) | Value::Bool(_) => found.push(at.clone()),
        _ => {}
    }
}

fn change(value: &mut Value, random: &mut Random) -> Option<String> {
    match value {
        Value::Number(n) => {
            let by = [1, -1, 2, -3, 1_000, i64::MAX][random.below(6)];
            let new = n.as_i64()?.checked_add(by)?;
            let text = format!("{n} -> {new}");
            *value = new.into();
            Some(text)
        }
        Value::Bool(b) => {
            *b = !*b;
            Some("flag".into())
        }
        Value::Array(items) if !items.is_empty() => {
            let i = random.below(items.len());
            match random.below(3) {
                0 => {
                    let x = items.remove(i);
                    Some(format!("drop {i} {}", x.to_string().chars().take(60).collect::<String>()))
                }
                1 => {
                    let x = items[i].clone();
                    items.insert(i, x.clone());
                    Some(format!(
                        "repeat {i} {}",
                        x.to_string().chars().take(60).collect::<String>()
                    ))
                }
                _ => {
                    let j = random.below(items.len());
                    if items[i] == items[j] {
                        return None;
                    }
                    items.swap(i, j);
                    Some(format!("swap {i} {j}"))
                }
            }
        }
        _ => None,
    }
}

#[test]
fn survey() {
    let mut random = Random(7);
    for (game, formula) in CASES {
        let certificate = proved(game, formula).certificate;
        let value = serde_json::to_value(&certificate).unwrap();
        let regions = &value["proof"]["regions"];
        let mut found = Vec::new();
        places(regions, &mut Vec::new(), &mut found);
        let mut count = 0;
        let mut survivors = 0;
        while count < 400 {
            let path = &found[random.below(found.len())];
            let pointer = format!("/proof/regions/{}", path.join("/"));
            let mut mutant = value.clone();
            let before = mutant.pointer(&pointer).unwrap().to_string();
            let Some(text) = change(mutant.pointer_mut(&pointer).unwrap(), &mut random) else {
                continue;
            };
            let Ok(read) = serde_json::from_value::<Certificate>(mutant) else { continue };
            count += 1;
            if verify(&read).is_ok() {
                survivors += 1;
                println!(
                    "{game} {} : {text} in {}",
                    path.join("/"),
                    before.chars().take(100).collect::<String>()
                );
            }
        }
        println!("{game}: {survivors} of {count}");
    }
}
