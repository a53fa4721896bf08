//! Play on at least k stacks: Slow(n,{k,...,n}), and what is conjectured about it.
//!
//! Conjecture 1 of Slow26 describes the P-positions by the position grid. As printed it fails; with
//! its middle row corrected no counterexample is known. Both are here as formulas, to be compared
//! with tables. Neither is a theorem, except that the corrected one is for k = n-1 (Slow26
//! Theorem 8) and for k = n, where the number of moves is the least height.

/// Which wording of the conjecture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wording {
    /// As printed: in row s = k-1 the number of odd stacks has the parity of n and lies between 1
    /// and k-1.
    Printed,
    /// In row s = k-1 there are at most k-1 odd stacks.
    Corrected,
}

/// The conjectured P-positions of Slow(n,{k,...,n}) in the formula language.
///
/// ```
/// use nimatron_theory::slow::at_least::{Wording, formula};
/// assert_eq!(
///     formula(4, 2, Wording::Corrected),
///     "reduced(let s = total mod 4, (s <= 1, odds <= s) or (1 < s < 3, odds <= 2-s))"
/// );
/// ```
///
/// # Panics
/// Unless `1 <= k <= n`.
pub fn formula(n: usize, k: usize, wording: Wording) -> String {
    assert!(1 <= k && k <= n, "k must be from 1 to {n}");
    let (below, modulus, twice, end) = (k - 1, 2 * k, 2 * (k - 1), 2 * k - 1);
    let last = format!("({below} < s < {end}, odds <= {twice}-s)");
    match wording {
        Wording::Corrected => {
            format!("reduced(let s = total mod {modulus}, (s <= {below}, odds <= s) or {last})")
        }
        Wording::Printed => {
            let parity = if n.is_multiple_of(2) { "even" } else { "odd" };
            format!(
                "reduced(let s = total mod {modulus}, (s < {below}, odds <= s) or (s = {below}, \
                 {parity}(odds), 1 <= odds <= {below}) or {last})"
            )
        }
    }
}
