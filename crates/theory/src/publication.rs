//! The publications that the library draws on.

use std::fmt;

/// A publication, with what a bibliography needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Publication {
    /// The short name used throughout the documentation: `DH13`.
    pub key: &'static str,
    /// The authors, each as `M. Dufour`.
    pub authors: &'static [&'static str],
    /// The title.
    pub title: &'static str,
    /// The journal, if it appeared in one.
    pub journal: Option<&'static str>,
    /// Volume and issue: `20(2)`.
    pub volume: Option<&'static str>,
    /// Pages, or the number of the paper.
    pub pages: Option<&'static str>,
    /// The year.
    pub year: &'static str,
    /// The number in the arXiv.
    pub arxiv: Option<&'static str>,
}

/// What a publication has where nothing is said.
const NONE: Publication = Publication {
    key: "",
    authors: &[],
    title: "",
    journal: None,
    volume: None,
    pages: None,
    year: "",
    arxiv: None,
};

const EJC: Option<&str> = Some("Electronic Journal of Combinatorics");
const INTEGERS: Option<&str> = Some("Integers");

/// Nim.
pub(crate) const BOUTON: Publication = Publication {
    key: "Bouton 1901",
    authors: &["C. L. Bouton"],
    title: "Nim, a game with a complete mathematical theory",
    journal: Some("Annals of Mathematics"),
    volume: Some("3"),
    pages: Some("35-39"),
    year: "1901/02",
    ..NONE
};

/// Nim on up to k stacks.
pub(crate) const MOORE: Publication = Publication {
    key: "Moore 1910",
    authors: &["E. H. Moore"],
    title: "A generalization of the game called Nim",
    journal: Some("Annals of Mathematics"),
    volume: Some("11"),
    pages: Some("93-94"),
    year: "1910",
    ..NONE
};

/// Nim on a matrix.
pub(crate) const HOLLADAY: Publication = Publication {
    key: "Holladay 1958",
    authors: &["J. C. Holladay"],
    title: "Matrix Nim",
    journal: Some("American Mathematical Monthly"),
    volume: Some("65"),
    pages: Some("107-109"),
    year: "1958",
    ..NONE
};

/// Values of Moore's Nim on all stacks but one.
pub(crate) const JM80: Publication = Publication {
    key: "Jenkyns-Mayberry 1980",
    authors: &["T. A. Jenkyns", "J. P. Mayberry"],
    title: "The skeleton of an impartial game and the Nim-function of Moore's Nim_k",
    journal: Some("International Journal of Game Theory"),
    volume: Some("9"),
    pages: Some("51-63"),
    year: "1980",
    ..NONE
};

/// Nim on simplicial complexes.
pub(crate) const ES96: Publication = Publication {
    key: "Ehrenborg-Steingrimsson 1996",
    authors: &["R. Ehrenborg", "E. Steingrimsson"],
    title: "Playing Nim on a simplicial complex",
    journal: EJC,
    volume: Some("3"),
    pages: Some("R9"),
    year: "1996",
    ..NONE
};

/// P-positions that are sums of circuits.
pub(crate) const HORROCKS: Publication = Publication {
    key: "Horrocks 2010",
    authors: &["D. Horrocks"],
    title: "Winning positions in simplicial Nim",
    journal: EJC,
    volume: Some("17"),
    pages: Some("R84"),
    year: "2010",
    ..NONE
};

/// Circular Nim.
pub(crate) const DH13: Publication = Publication {
    key: "DH13",
    authors: &["M. Dufour", "S. Heubach"],
    title: "Circular Nim games",
    journal: EJC,
    volume: Some("20(2)"),
    pages: Some("P22"),
    year: "2013",
    ..NONE
};

/// Exact Nim.
pub(crate) const EXACT: Publication = Publication {
    key: "arXiv:1508.04484",
    authors: &["E. Boros", "V. Gurvich", "N. B. Ho", "K. Makino", "P. Mursic"],
    title: "On the Sprague-Grundy function of exact k-Nim",
    journal: Some("Discrete Applied Mathematics"),
    volume: Some("239"),
    pages: Some("1-14"),
    year: "2018",
    arxiv: Some("1508.04484"),
};

/// Exact Nim on tetris hypergraphs.
pub(crate) const TETRIS: Publication = Publication {
    key: "arXiv:1701.02819",
    authors: &["E. Boros", "V. Gurvich", "N. B. Ho", "K. Makino", "P. Mursic"],
    title: "Tetris hypergraphs and combinations of impartial games",
    year: "2017",
    arxiv: Some("1701.02819"),
    ..NONE
};

/// Slow Nim on up to, or on exactly, k stacks.
pub(crate) const SLOW_MOORE: Publication = Publication {
    key: "arXiv:1508.05777",
    authors: &["V. Gurvich", "S. Heubach", "N. H. Ho", "N. Chikin"],
    title: "Slow k-Nim",
    journal: INTEGERS,
    volume: Some("20"),
    pages: Some("G3"),
    year: "2020",
    arxiv: Some("1508.05777"),
};

/// Slow Nim on exactly two of five or six stacks.
pub(crate) const MORE_SLOW: Publication = Publication {
    key: "Chikin 2021",
    authors: &["N. Chikin", "V. Gurvich", "K. Knop", "M. Paterson", "M. Vyalyi"],
    title: "More about exact slow k-Nim",
    journal: INTEGERS,
    volume: Some("21"),
    pages: Some("G4"),
    year: "2021",
    ..NONE
};

/// The M-rule.
pub(crate) const M_RULE: Publication = Publication {
    key: "arXiv:2304.06498",
    authors: &["V. Gurvich", "D. Martynov", "V. Maximchuk", "M. Vyalyi"],
    title: "On remoteness functions of exact slow k-NIM with k+1 piles",
    journal: INTEGERS,
    volume: Some("24"),
    pages: Some("G1"),
    year: "2024",
    arxiv: Some("2304.06498"),
};

/// Circular Nim on four of seven stacks.
pub(crate) const DHV21: Publication = Publication {
    key: "DHV21",
    authors: &["M. Dufour", "S. Heubach", "A. Vo"],
    title: "Circular Nim games CN(7,4)",
    journal: INTEGERS,
    volume: Some("21B"),
    pages: Some("A9"),
    year: "2021",
    ..NONE
};

/// The M-rule under misere play, by computation.
pub(crate) const MISERE_M_RULE: Publication = Publication {
    key: "arXiv:2311.13511",
    authors: &["V. Gurvich", "V. Maximchuk", "G. Miheenkov", "M. Naumova"],
    title: "On remoteness functions of k-NIM with k+1 piles in normal and in misere versions",
    journal: Some("Games"),
    volume: Some("15(6)"),
    pages: Some("37"),
    year: "2024",
    arxiv: Some("2311.13511"),
};

/// Slow Nim.
pub(crate) const SLOW26: Publication = Publication {
    key: "Slow26",
    authors: &["M. Dufour", "S. Heubach"],
    title: "On the P-positions of some infinite families of Slow A-Nim",
    year: "2026",
    arxiv: Some("2404.06608"),
    ..NONE
};

/// Invariant vectors.
pub(crate) const KDH26: Publication = Publication {
    key: "KDH26",
    authors: &["B. R. Kadam", "M. Dufour", "S. Heubach"],
    title: "The invariance reduction process - a new tool to solve circular Nim and related games",
    year: "2026",
    arxiv: Some("2604.02587"),
    ..NONE
};

/// Necklace Nim.
pub(crate) const NECKLACE26: Publication = Publication {
    key: "Necklace26",
    authors: &["B. R. Kadam", "S. Heubach", "M. Dufour"],
    title: "Necklace games",
    year: "2026",
    arxiv: Some("2604.10364"),
    ..NONE
};

const ALL: [Publication; 17] = [
    BOUTON,
    MOORE,
    HOLLADAY,
    JM80,
    ES96,
    HORROCKS,
    DH13,
    TETRIS,
    EXACT,
    SLOW_MOORE,
    MORE_SLOW,
    DHV21,
    M_RULE,
    MISERE_M_RULE,
    SLOW26,
    KDH26,
    NECKLACE26,
];

/// All publications, by year.
///
/// ```
/// let all = nimatron_theory::publications();
/// assert_eq!(all[0].bibtex().lines().next(), Some("@article{Bouton1901,"));
/// ```
pub fn publications() -> &'static [Publication] {
    &ALL
}

impl Publication {
    /// The publication with this short name.
    pub fn by_key(key: &str) -> Option<&'static Publication> {
        ALL.iter().find(|p| p.key == key)
    }

    /// The entry for a bibliography.
    pub fn bibtex(&self) -> String {
        let kind = if self.journal.is_some() { "article" } else { "misc" };
        let name: String = self.key.chars().filter(char::is_ascii_alphanumeric).collect();
        let (volume, number) = match self.volume.and_then(|v| v.split_once('(')) {
            Some((volume, number)) => (Some(volume), Some(number.trim_end_matches(')'))),
            None => (self.volume, None),
        };
        let authors = self.authors.join(" and ").replace("Steingrimsson", r"Steingr{\'i}msson");
        // Capitals of names are kept as they are.
        let title = self.title.replace("Nim_k", "{N}im$_k$").replace("Nim", "{N}im");
        let title = title.replace("CN(7,4)", "{CN}(7,4)").replace("{N}im$_k$", "{Nim}$_k$");
        let pages = self.pages.map(|p| p.replace('-', "--"));
        let fields = [
            ("author", Some(authors)),
            ("title", Some(title)),
            ("journal", self.journal.map(String::from)),
            ("volume", volume.map(String::from)),
            ("number", number.map(String::from)),
            ("pages", pages),
            ("year", Some(self.year.to_string())),
            ("eprint", self.arxiv.map(String::from)),
            ("archiveprefix", self.arxiv.map(|_| "arXiv".to_string())),
        ];
        let mut out = format!("@{kind}{{{name},\n");
        for (field, value) in fields {
            if let Some(value) = value {
                out += &format!("  {field} = {{{value}}},\n");
            }
        }
        out + "}\n"
    }
}

/// `M. Dufour, S. Heubach: Circular Nim games. Electronic Journal of Combinatorics 20(2), 2013, P22`.
impl fmt::Display for Publication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}. ", self.authors.join(", "), self.title)?;
        match (self.journal, self.volume, self.pages) {
            (Some(journal), Some(volume), Some(pages)) => {
                write!(f, "{journal} {volume}, {}, {pages}", self.year)?;
                self.arxiv.map_or(Ok(()), |arxiv| write!(f, "; arXiv:{arxiv}"))
            }
            _ => write!(f, "arXiv:{}, {}", self.arxiv.unwrap_or("?"), self.year),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::theorems;
    use std::collections::HashSet;

    #[test]
    fn publications_are_complete() {
        let keys: HashSet<_> = ALL.iter().map(|p| p.key).collect();
        assert_eq!(keys.len(), ALL.len());
        for p in &ALL {
            assert!(!p.authors.is_empty() && p.title.len() > 5 && p.year.len() >= 4, "{}", p.key);
            assert!(p.journal.is_some() || p.arxiv.is_some(), "{}", p.key);
            assert_eq!(p.journal.is_some(), p.volume.is_some() && p.pages.is_some(), "{}", p.key);
            let entry = p.bibtex();
            assert_eq!(entry.matches('{').count(), entry.matches('}').count(), "{entry}");
        }
        assert!(ALL.is_sorted_by_key(|p| p.year.split('/').next()));
    }

    #[test]
    fn every_citation_names_a_publication() {
        for theorem in theorems() {
            let citation = theorem.citation();
            let known = Publication::by_key(&citation.key).is_some();
            assert!(known || citation.key.ends_with("proved here"), "{}: {citation}", theorem.id());
        }
    }

    #[test]
    fn an_entry_as_it_is_printed() {
        assert_eq!(
            DH13.bibtex(),
            "@article{DH13,\n  author = {M. Dufour and S. Heubach},\n  title = {Circular {N}im \
             games},\n  journal = {Electronic Journal of Combinatorics},\n  volume = {20},\n  \
             number = {2},\n  pages = {P22},\n  year = {2013},\n}\n"
        );
    }
}
