//! Relabellings of stacks that leave a rule as it is.
