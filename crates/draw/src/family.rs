//! Families of games in words.

use nimatron_game::{CubePart, Family};

/// Where the stacks of a named game stand: `on a circle`.
pub fn place(family: &Family) -> Option<String> {
    Some(match family {
        Family::Circular { .. } => "on a circle".into(),
        Family::Path { .. } => "in a row".into(),
        Family::Necklace { .. } => "on a string whose ends a clasp joins".into(),
        Family::Matrix { rows, columns } => format!("in {rows} rows and {columns} columns"),
        Family::Graph { .. } => "on the edges of a graph".into(),
        Family::Cube { .. } => "on the faces of a cube".into(),
        _ => return None,
    })
}

/// What the sets of a named game are; of sets that are only listed there is nothing to say.
pub fn sets(family: &Family) -> Option<String> {
    let consecutive = |k: usize| match k {
        1 => "the single stacks".to_string(),
        k => format!("any {k} consecutive stacks"),
    };
    Some(match family {
        Family::Nim { .. } => "the single stacks".into(),
        Family::Moore { k, .. } | Family::Exact { k, .. } => any(&[*k])?,
        Family::Slow { sizes, .. } => any(&sizes.iter().collect::<Vec<_>>())?,
        Family::Circular { k, .. } | Family::Path { k, .. } => consecutive(*k),
        Family::Necklace { k, l: 2, .. } => {
            format!("any {k} consecutive stacks along the string, and the two end stacks")
        }
        Family::Necklace { k, l, .. } => format!(
            "any {k} consecutive stacks along the string, and any {l} consecutive ones across the clasp"
        ),
        Family::Matrix { .. } => "one row, or all columns but one".into(),
        Family::Graph { .. } => "the edges at one vertex".into(),
        Family::Cube { part } => match part {
            CubePart::Vertex => "the three faces at a vertex".into(),
            CubePart::Edge => "the two faces at an edge".into(),
            CubePart::Face => "a face and its four neighbours".into(),
        },
        _ => return None,
    })
}

/// Any stacks, as long as there are so many: `any 1 or 2 stacks`.
pub fn any(sizes: &[usize]) -> Option<String> {
    let words: Vec<String> = sizes.iter().map(usize::to_string).collect();
    let number = match words.split_last()? {
        (last, []) => last.clone(),
        (last, before) => format!("{} or {last}", before.join(", ")),
    };
    Some(format!("any {number} {}", if number == "1" { "stack" } else { "stacks" }))
}
