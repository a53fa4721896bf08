//! The prover's own reading of rules and formulas, and what becomes of certificates at random.

mod places;
mod points;
mod random;
mod readings;
