//! Writing games and positions down, and reading them back.
