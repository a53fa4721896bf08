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
//! The certificate lists *branches*, systems of linear constraints whose union is claimed to be S.
//! The checker expands the formula by itself ([`expand`]), and the certificate shows by
//! [`Inclusion`]s, in both directions, that the two unions are the same. All further steps are
//! about systems of integer linear constraints, and each is justified by a [`Farkas`] vector:
//! multiples of constraints that add up to a negative number at least zero.
//!
//! # Numbering
//!
//! Variables: the heights, one per stack, come first; then whatever the system at hand adds. In
//! every system the constraints `height >= 0` come first, in the order of the stacks; then the
//! system's own, in the order documented where the system is described. A derivation of `f >= 0`
//! is a refutation of the system with `-f-1 >= 0` appended as its last constraint. Where an
//! equation is derived there are two derivations, of `f >= 0` and of `-f >= 0`.

mod check;
mod expand;
mod linear;
mod plays;

pub use check::{Checked, Flaw, Place, Why, check};
pub use expand::{ExpandError, Expanded, expand, symmetries};
pub use linear::{Row, System};
pub use plays::{Play, plays};

use serde::{Deserialize, Serialize};

/// A constant and the coefficients of variables, each as (variable, coefficient).
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub struct Form(pub i64, pub Vec<(usize, i64)>);

/// A form that is at least zero or, for an equation, zero.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
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
pub struct Branch {
    /// How many integers there are beyond the heights.
    pub extras: usize,
    /// The constraints; heights are at least zero besides.
    pub constraints: Vec<Constraint>,
}

/// Why a system of constraints describes positions of a certain branch only.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Inclusion {
    /// There are no such positions.
    Empty(Farkas),
    /// All lie in one branch.
    Into {
        /// The number of the branch.
        branch: usize,
        /// What the branch's further integers are.
        extras: Vec<Form>,
        /// Derivations of the branch's constraints.
        proofs: Vec<Farkas>,
    },
}

/// A relabelling of the stacks that permutes the moves and maps S into itself.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
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
    /// The image of each branch lies in a branch.
    Images(Vec<Inclusion>),
    /// It is one earlier symmetry, and then another.
    Product(usize, usize),
}

/// A node of a tree that is written parents first: a node is followed by the trees of its
/// children, in order.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Node {
    /// Two children: the form is at least zero; it is at most -1.
    Split(Form),
    /// As many children as the modulus says: in the `r`-th there is a new integer `t`, and the
    /// form is `modulus * t + r`.
    Residue(Form, i64),
    /// Nothing is left here.
    Empty(Farkas),
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
    /// No move is possible here: one refutation per play.
    Terminal(Vec<Farkas>),
}

/// "Where these constraints hold, play this", or "these positions lie in S".
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Rule {
    /// How many integers the constraints speak of beyond the heights.
    #[serde(default)]
    pub extras: usize,
    /// Where the rule holds.
    pub constraints: Vec<Constraint>,
    /// The number of the [`Play`]; none if the position itself lies in S.
    pub play: Option<usize>,
    /// The branch that is reached; none if only a move is shown to exist.
    pub branch: Option<usize>,
    /// The new heights of the stacks of the play, in order.
    pub heights: Vec<Form>,
    /// The further integers of the branch.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub witness: Vec<Form>,
    /// Derivations of the constraints of the play, then of the branch.
    pub proofs: Vec<Farkas>,
}

/// Which positions the coverage starts from; others are images of these.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Domain {
    /// A stack that is a least one among its images under the symmetries.
    pub least: Option<usize>,
    /// `(a, b, g)`: stack `a` is at most as tall as `b`, which symmetry `g` exchanges while it
    /// fixes the least stack.
    pub exchange: Option<(usize, usize, usize)>,
}

/// No move leads from this branch to any branch.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Source {
    /// The branch moved from.
    pub branch: usize,
    /// Per play and, for each, per branch moved to: a tree whose leaves are empty.
    pub trees: Vec<Vec<Node>>,
}

/// The proof; see the module.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegionsProof {
    /// The formula that describes S, as it is typed.
    pub formula: String,
    /// The branches of S.
    pub branches: Vec<Branch>,
    /// Each branch of the checker's expansion lies in a listed one.
    pub expansion: Vec<Inclusion>,
    /// Each listed branch lies in one of the checker's expansion.
    pub listed: Vec<Inclusion>,
    /// Relabellings that map S to itself.
    pub symmetries: Vec<Symmetry>,
    /// (I) for at least one branch of each orbit.
    pub sources: Vec<Source>,
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
