//! Kind 1: the set is given by a formula without xor, and the proof is linear arithmetic.
//!
//! # What is proved
//!
//! Let S be the set of positions where the formula holds. Normal play: (I) no move leads from S to
//! S, and (II) every position outside S has a move into S. Misere play: no position without moves
//! lies in S, (I), and every position outside S that has a move has one into S.
//!
//! # How
//!
//! The checker reads the formula as a *statement*: integer linear constraints joined by "and" and
//! "or". Every step is about a system of such constraints and is justified by a [`Farkas`] vector:
//! multiples of constraints that add up to a negative number at least zero. Steps make up trees
//! ([`Node`]) that divide the positions into cases.
//!
//! * `branches`: every position of S lies in one of the listed systems, the [`Branch`]es.
//! * `symmetry`: a relabelling permutes the moves, and maps every branch into S: so it maps S to
//!   itself.
//! * `separation` (I): no move leads from a branch to a branch. A branch that a symmetry maps into
//!   another need not be looked at: a move from S to S would be mapped to another.
//! * `terminal`, misere play only: every position of a branch has a move.
//! * `rule` (II): wherever the constraints of a [`Rule`] hold, the move that it names is legal and
//!   leads into S.
//! * `domain`, `coverage` (II): some symmetry maps any position to one of the [`Domain`], and all of
//!   these are covered by rules or their images. Under misere play some may have no move.
//!
//! # Numbering
//!
//! Variables: the heights, one per stack, come first; then whatever the system at hand adds. In
//! every system the constraints `height >= 0` come first, in the order of the stacks; then the
//! system's own, in the order documented where the system is described. A derivation of `f >= 0`
//! is a refutation of the system with `-f-1 >= 0` appended as its last constraint. Where an
//! equation is derived there are two derivations, of `f >= 0` and of `-f >= 0`.

mod check;
mod plays;
mod statement;
#[cfg(test)]
mod tests;

pub use crate::row::Row;
pub(crate) use check::check;
pub use statement::{Statement, relabellings, statement};
pub(crate) use statement::{read, symmetries};

use serde::{Deserialize, Serialize};

/// A constant and the coefficients of variables, each as (variable, coefficient).
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub struct Form(pub i64, pub Vec<(usize, i64)>);

/// A form that is at least zero or, for an equation, zero.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Constraint {
    /// The form.
    pub form: Form,
    /// Whether it is zero.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub equation: bool,
}

/// Multipliers of constraints, each as (number of the constraint, multiplier); non-negative for
/// inequalities. The sum has no variables and a negative constant.
pub type Farkas = Vec<(usize, i64)>;

/// A system of constraints over the heights and, after them, `extras` further integers.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Branch {
    /// How many integers there are beyond the heights.
    pub extras: usize,
    /// The constraints; heights are at least zero besides.
    pub constraints: Vec<Constraint>,
}

/// Why a system of constraints describes positions of S only.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Member {
    /// The alternatives of the statement that hold, in the order in which they are met.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<usize>,
    /// What the further integers of the statement are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extras: Vec<Form>,
    /// Derivations of the constraints.
    pub proofs: Vec<Farkas>,
}

/// A relabelling of the stacks that permutes the moves and maps S into itself.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Symmetry {
    /// The new name of each stack.
    pub image: Vec<usize>,
    /// Why S is closed under it.
    pub closed: Closed,
}

/// Why S is closed under a relabelling.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Closed {
    /// The image of each branch lies in S.
    Images(Vec<Member>),
    /// It is one earlier symmetry, and then another.
    Product(usize, usize),
}

/// A node of a tree that is written parents first: a node is followed by the trees of its
/// children, in order.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Node {
    /// Two children: the form is at least zero; it is at most -1.
    Split(Form),
    /// As many children as the modulus says: in the `r`-th there is a new integer `t`, and the
    /// form is `modulus * t + r`.
    Residue(Form, i64),
    /// A child for each alternative of the statement, at the place with this number among those
    /// where it has some that have not been considered yet.
    Cases(usize),
    /// Nothing is left here.
    Empty(Farkas),
    /// The positions here lie in a branch.
    Branch {
        /// The number of the branch.
        branch: usize,
        /// What the further integers of the branch are.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        extras: Vec<Form>,
        /// Derivations of its constraints.
        proofs: Vec<Farkas>,
    },
    /// The constraints of a rule, or of its image under a symmetry, hold here.
    Rule {
        /// The number of the rule.
        rule: usize,
        /// The number of the symmetry, if it is an image.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        symmetry: Option<usize>,
        /// Which integers of the path the rule's further integers are.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        bind: Vec<usize>,
        /// Derivations of the rule's constraints.
        proofs: Vec<Farkas>,
    },
    /// No move is possible here: one refutation per kind of move, in the order of the sets as
    /// numbers. The new heights of the stacks played come after the variables of the path.
    Terminal(Vec<Farkas>),
}

/// "Where these constraints hold, play this", or "these positions lie in S".
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Where the rule holds.
    pub region: Branch,
    /// The stacks played, as a number whose bit `s` is stack `s`; none if the position itself lies
    /// in S.
    pub play: Option<u32>,
    /// The new heights of the stacks played, in order.
    pub heights: Vec<Form>,
    /// Derivations of the constraints of the move.
    pub proofs: Vec<Farkas>,
    /// Why it leads into S; none if only a move is shown to exist.
    pub target: Option<Member>,
}

/// Which positions the coverage starts from; others are images of these.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Domain {
    /// A stack that is a least one among its images under the symmetries.
    pub least: Option<usize>,
    /// `(a, b, g)`: stack `a` is at most as tall as `b`, which symmetry `g` exchanges while it
    /// fixes the least stack.
    pub exchange: Option<(usize, usize, usize)>,
}

/// Why no move leads from a branch to a branch.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Source {
    /// For each kind of move, in the order of the sets as numbers, for each branch moved to: a tree
    /// whose leaves are empty. Variables: heights, further integers of the first branch, new
    /// heights of the stacks played in order, further integers of the second. Constraints: the
    /// first branch, the move, the second branch.
    Trees(Vec<Vec<Node>>),
    /// A symmetry maps the branch into one of which this is shown earlier in the list.
    Image {
        /// The number of the symmetry.
        symmetry: usize,
        /// The number of the other branch.
        into: usize,
        /// What the further integers of the other branch are.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        extras: Vec<Form>,
        /// Derivations of its constraints.
        proofs: Vec<Farkas>,
    },
}

/// The proof; see the module.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegionsProof {
    /// The formula that describes S, as it is typed.
    pub formula: String,
    /// Systems of constraints that cover S.
    pub branches: Vec<Branch>,
    /// Why they cover S: a tree that starts from the statement.
    pub expansion: Vec<Node>,
    /// Relabellings that map S to itself.
    pub symmetries: Vec<Symmetry>,
    /// (I): for each branch, named by its number, why no move leads from it to a branch.
    pub separation: Vec<(usize, Source)>,
    /// Misere play: per branch, a tree that shows that each of its positions has a move.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub playable: Vec<Vec<Node>>,
    /// The rules of (II).
    pub rules: Vec<Rule>,
    /// Where the coverage starts.
    pub domain: Domain,
    /// (II).
    pub coverage: Vec<Node>,
}
