//! The publications the library draws on.

pub(crate) const BOUTON: &str = "C. L. Bouton: Nim, a game with a complete mathematical theory. \
    Annals of Mathematics 3, 1901/02, 35-39";
pub(crate) const MOORE: &str = "E. H. Moore: A generalization of the game called Nim. \
    Annals of Mathematics 11, 1910, 93-94";
pub(crate) const DH13: &str = "M. Dufour, S. Heubach: Circular Nim games. \
    Electronic Journal of Combinatorics 20(2), 2013, P22";
pub(crate) const KDH26: &str = "B. R. Kadam, M. Dufour, S. Heubach: The invariance reduction \
    process - a new tool to solve circular Nim and related games. arXiv:2604.02587, 2026";
pub(crate) const NECKLACE26: &str = "Necklace games, 2026";
pub(crate) const ES96: &str = "R. Ehrenborg, E. Steingrimsson: Playing Nim on a simplicial \
    complex. Electronic Journal of Combinatorics 3, 1996, R9";
pub(crate) const JM80: &str = "T. A. Jenkyns, J. P. Mayberry: The skeleton of an impartial game \
    and the Nim-function of Moore's Nim_k. International Journal of Game Theory 9, 1980, 51-63";
pub(crate) const HORROCKS: &str = "D. Horrocks: Winning positions in simplicial Nim. \
    Electronic Journal of Combinatorics 17, 2010, R84";
pub(crate) const EXACT: &str = "E. Boros, V. Gurvich, N. B. Ho, K. Makino, P. Mursic: On the \
    Sprague-Grundy function of exact k-Nim. arXiv:1508.04484, 2015";
pub(crate) const DHV21: &str = "M. Dufour, S. Heubach, A. Vo: Circular Nim games CN(7,4). \
    Integers 21B, 2021, A9";
pub(crate) const SLOW26: &str = "M. Dufour, S. Heubach: On the P-positions of some infinite \
    families of Slow A-Nim. arXiv:2404.06608, 2026";
pub(crate) const SLOW_MOORE: &str = "V. Gurvich, S. Heubach, N. H. Ho, N. Chikin: Slow k-Nim. \
    Integers 20, 2020, G3; arXiv:1508.05777";

/// The publication with this short name.
///
/// # Panics
/// If there is none; the data files are read by a test.
pub(crate) fn by_key(key: &str) -> &'static str {
    match key {
        "DH13" => DH13,
        "DHV21" => DHV21,
        "KDH26" => KDH26,
        "Necklace26" => NECKLACE26,
        _ => panic!("no publication `{key}`"),
    }
}
