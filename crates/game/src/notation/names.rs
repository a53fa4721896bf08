//! The names of games, and which of them a misspelt name was meant to be.

/// The named families, as they are told apart by their names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Name {
    Nim,
    Moore,
    Circular,
    Path,
    Necklace,
    H,
    Exact,
    Slow,
    Set,
    SetOrSlow,
    Matrix,
    Graph,
    Cube,
}

/// How a name is written and what follows it.
pub(super) struct Entry {
    pub(super) name: Name,
    pub(super) written: &'static str,
    pub(super) takes: &'static str,
    pub(super) example: &'static str,
    /// Words in small letters by which people may call the game; not accepted, but understood.
    also: &'static [&'static str],
}

/// The word before a game under misere play.
pub(super) const MISERE: &str = "misere";

/// All names, for messages.
pub(super) const KNOWN: &str =
    "Nim, Moore, CN, PN, NN, H, Exact, Slow, Set, SN, Matrix, Graph, Cube";

const ENTRIES: [Entry; 13] = [
    Entry {
        name: Name::Nim,
        written: "Nim",
        takes: "one number",
        example: "Nim(4)",
        also: &["bouton", "heaps", "piles"],
    },
    Entry {
        name: Name::Circular,
        written: "CN",
        takes: "two numbers",
        example: "CN(7,3)",
        also: &["circular", "circularnim", "circle", "cyclic", "cycle", "ring"],
    },
    Entry {
        name: Name::Path,
        written: "PN",
        takes: "two numbers",
        example: "PN(5,3)",
        also: &["path", "pathnim", "line", "row"],
    },
    Entry {
        name: Name::Necklace,
        written: "NN",
        takes: "two or three numbers",
        example: "NN(6,3)",
        also: &["necklace", "necklacenim"],
    },
    Entry {
        name: Name::Moore,
        written: "Moore",
        takes: "two numbers",
        example: "Moore(5,2)",
        also: &["moorenim", "mn"],
    },
    Entry { name: Name::H, written: "H", takes: "no numbers", example: "H", also: &[] },
    Entry {
        name: Name::Exact,
        written: "Exact",
        takes: "two numbers",
        example: "Exact(4,2)",
        also: &["exactnim", "en"],
    },
    Entry {
        name: Name::Slow,
        written: "Slow",
        takes: "a number and sizes in braces",
        example: "Slow(5,{1,2})",
        also: &["slownim"],
    },
    Entry {
        name: Name::Set,
        written: "Set",
        takes: "sets of stacks",
        example: "Set(abc,bcd)",
        also: &["sets", "setnim", "simplicial", "simplicialnim", "complex", "hypergraph"],
    },
    Entry {
        name: Name::SetOrSlow,
        written: "SN",
        takes: "a number and sets in braces",
        example: "SN(3,{{a,b},{b,c}})",
        also: &[],
    },
    Entry {
        name: Name::Matrix,
        written: "Matrix",
        takes: "two numbers",
        example: "Matrix(3,2)",
        also: &["matrixnim", "holladay", "grid"],
    },
    Entry {
        name: Name::Graph,
        written: "Graph",
        takes: "edges",
        example: "Graph(0-1,1-2,2-0)",
        also: &["graphnim", "edges"],
    },
    Entry {
        name: Name::Cube,
        written: "Cube",
        takes: "vertex, edge or face",
        example: "Cube(vertex)",
        also: &["cubenim", "cubic"],
    },
];

/// The entry whose name this is, in small letters.
pub(super) fn lookup(plain: &str) -> Option<&'static Entry> {
    ENTRIES.iter().find(|e| e.written.eq_ignore_ascii_case(plain))
}

/// The entries that `plain` may stand for, the nearest first.
pub(super) fn meant(plain: &str) -> Vec<&'static Entry> {
    let words = ENTRIES.iter().flat_map(|e| {
        let written = (e, e.written.to_ascii_lowercase());
        std::iter::once(written).chain(e.also.iter().map(move |&a| (e, a.to_owned())))
    });
    let mut found: Vec<&'static Entry> = Vec::new();
    for entry in nearest(plain, words) {
        if found.iter().all(|f| f.name != entry.name) {
            found.push(entry);
        }
    }
    found
}

/// The values whose words are close to `plain`, the nearest first.
pub(super) fn nearest<T, W>(plain: &str, words: impl IntoIterator<Item = (T, W)>) -> Vec<T>
where
    W: AsRef<str>,
{
    const LONGEST: usize = 20;
    let given: Vec<char> = plain.chars().take(LONGEST + 1).collect();
    if given.len() > LONGEST {
        return Vec::new();
    }
    let allowed = match given.len() {
        0..=3 => 1,
        4..=6 => 2,
        _ => 3,
    };
    let distance = |word: &str| match given.len() >= 3 && word.starts_with(plain) {
        true => 1.min(word.len() - plain.len()),
        false => edits(&given, &word.chars().collect::<Vec<_>>()),
    };
    let near = words.into_iter().map(|(value, word)| (distance(word.as_ref()), value));
    let mut near: Vec<_> = near.filter(|&(d, _)| d <= allowed).collect();
    near.sort_by_key(|&(d, _)| d);
    near.into_iter().map(|(_, value)| value).collect()
}

/// How many letters must be inserted, removed, replaced or swapped with their neighbour to turn
/// `a` into `b` (each letter touched once).
fn edits(a: &[char], b: &[char]) -> usize {
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

/// A stack, numbered from 0 inside, as a letter or as a number from 1.
pub(super) fn stack(stack: usize, letter: bool) -> String {
    match u8::try_from(stack) {
        Ok(s) if letter && s < 26 => char::from(b'a' + s).to_string(),
        _ => (stack + 1).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_counted() {
        let count = |a: &str, b: &str| {
            edits(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>())
        };
        assert_eq!(count("", ""), 0);
        assert_eq!(count("cm", "cn"), 1);
        assert_eq!(count("mooer", "moore"), 1);
        assert_eq!(count("necklace", "neklase"), 2);
        assert_eq!(count("nim", ""), 3);
    }

    #[test]
    fn misspelt_names_are_understood() {
        let first = |plain: &str| meant(plain).first().map(|e| e.written);
        assert_eq!(first("cm"), Some("CN"));
        assert_eq!(first("circular"), Some("CN"));
        assert_eq!(first("circ"), Some("CN"));
        assert_eq!(first("neclace"), Some("NN"));
        assert_eq!(first("path"), Some("PN"));
        assert_eq!(first("more"), Some("Moore"));
        assert_eq!(first("metrix"), Some("Matrix"));
        assert_eq!(first("chess"), None);
        assert_eq!(first(&"n".repeat(1000)), None);
    }

    #[test]
    fn every_name_is_listed_and_every_example_is_valid() {
        let mut known: Vec<_> = KNOWN.split(", ").collect();
        known.sort_unstable();
        let mut written: Vec<_> = ENTRIES.iter().map(|e| e.written).collect();
        written.sort_unstable();
        assert_eq!(known, written);
        for entry in &ENTRIES {
            assert!(entry.example.parse::<crate::Game>().is_ok(), "{}", entry.example);
            assert_eq!(lookup(&entry.written.to_lowercase()).unwrap().name, entry.name);
        }
    }
}
