//! Why a certificate is rejected, and how much work is put into it.

use nimatron_game::Position;

/// Which obligation failed, and how.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Rejection {
    obligation: &'static str,
    message: String,
    /// Boxed, for there rarely is one.
    differs: Option<Box<(bool, Position)>>,
}

impl Rejection {
    /// A position at which a formula and what it is to describe differ, if that is what is wrong, and
    /// whether it belongs to the set: the automaton accepts it, or it lies in a cell.
    pub fn differs(&self) -> Option<(bool, &Position)> {
        self.differs.as_ref().map(|differs| (differs.0, &differs.1))
    }

    /// The name of the obligation: a word that stays the same.
    pub fn obligation(&self) -> &'static str {
        self.obligation
    }

    /// The obligation that it belongs to, if it does not know.
    pub(crate) fn under(mut self, obligation: &'static str) -> Self {
        if self.obligation.is_empty() {
            self.obligation = obligation;
        }
        self
    }

    /// The same with a word in front about where it is.
    pub(crate) fn within(mut self, place: impl std::fmt::Display) -> Self {
        self.message = format!("{place}: {}", self.message);
        self
    }
}

/// An obligation that fails.
pub(crate) fn flaw(obligation: &'static str, message: impl Into<String>) -> Rejection {
    Rejection { obligation, message: message.into(), differs: None }
}

/// The position belongs to the set, or does not, where the formula does not hold, or does. Both are told
/// in words: "the automaton accepts", "lies in no cell".
pub(crate) fn difference(
    [belongs, does_not]: [&str; 2],
    inside: bool,
    position: Option<Position>,
) -> Rejection {
    let (holds, words) = if inside { ("fails", belongs) } else { ("holds", does_not) };
    let place = position.as_ref().map_or("a very tall position".into(), Position::to_string);
    let message = format!("the formula {holds} at {place}, which {words}");
    let differs = position.map(|position| Box::new((inside, position)));
    Rejection { differs, ..flaw("formula", message) }
}

/// Fails unless something is so.
pub(crate) fn require(
    fine: bool,
    obligation: &'static str,
    message: impl FnOnce() -> String,
) -> Result<(), Rejection> {
    if fine { Ok(()) } else { Err(flaw(obligation, message())) }
}

/// The work that a check may take, all in all: steps of arithmetic or comparison, and bytes held at a
/// time beyond the certificate itself, about. What needs more is rejected, the obligation being
/// `limit`; nothing is said about its truth then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The steps that are left.
    pub steps: u64,
    /// The bytes that are left.
    pub bytes: u64,
}

/// Enough for about a minute, and 1 GB.
impl Default for Budget {
    fn default() -> Self {
        Budget { steps: 1 << 34, bytes: 1 << 30 }
    }
}

impl Budget {
    /// So many times the usual budget.
    pub fn times(factor: u64) -> Self {
        let Budget { steps, bytes } = Budget::default();
        Budget { steps: steps.saturating_mul(factor), bytes: bytes.saturating_mul(factor) }
    }

    /// Before so many steps are taken.
    pub(crate) fn spend(&mut self, steps: usize) -> Result<(), Rejection> {
        let left = self.steps.checked_sub(steps as u64);
        self.steps = left.ok_or_else(|| flaw("limit", "checking takes more steps than allowed"))?;
        Ok(())
    }

    /// Before so many bytes are used.
    pub(crate) fn hold(&mut self, bytes: usize) -> Result<(), Rejection> {
        let left = self.bytes.checked_sub(bytes as u64);
        self.bytes =
            left.ok_or_else(|| flaw("limit", "checking takes more memory than allowed"))?;
        self.spend(bytes / 8)
    }

    /// An eighth of what is left, for reading a formula: few words can mean very much.
    pub(crate) fn for_formula<T>(&mut self, read: impl FnOnce(&mut Budget) -> T) -> T {
        let whole = Budget { steps: self.steps / 8, bytes: self.bytes / 8 };
        let mut left = whole;
        let result = read(&mut left);
        self.steps -= whole.steps.saturating_sub(left.steps);
        self.bytes -= whole.bytes.saturating_sub(left.bytes);
        result
    }

    /// So many bytes are not used any more.
    pub(crate) fn release(&mut self, bytes: usize) {
        self.bytes += bytes as u64;
    }
}
