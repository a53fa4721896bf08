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
