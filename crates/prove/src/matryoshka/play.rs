//! Answers from a certificate, by walking down its decision trees.

use super::cells::{Cells, is_sum};
use nimatron_game::{Game, Height, Outcome, StackSet, Take, Unlimited};
use nimatron_verify::matryoshka::{self, MatryoshkaProof, Node};
use nimatron_verify::{Certificate, Proof};

/// The P-positions of a game for all heights, by a certificate.
#[derive(Clone, Debug)]
pub struct Player {
    game: Game,
    proof: MatryoshkaProof,
    /// By part and node: the first node after its tree.
    ends: Vec<Vec<usize>>,
}

/// Who wins from a position, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Answer {
    /// Who wins.
    pub outcome: Outcome,
    /// A move to a P-position, from an N-position.
    pub take: Option<Take>,
    /// The way to the answer.
    pub steps: Vec<Step>,
}

/// A step on the way from a position to the answer. All stacks are those of the game itself; the heights
/// are what is left after the step.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// An invariant vector was subtracted as often as it goes.
    Subtracted {
        /// The vector.
        vector: StackSet,
        /// How often.
        times: u128,
        /// One of its stacks that is empty now.
        empty: usize,
        /// The heights that are left.
        left: Vec<u128>,
    },
    /// This stack is left out: every move can empty it, and the winning move will.
    Emptied {
        /// The stack.
        stack: usize,
        /// The heights that are left.
        left: Vec<u128>,
    },
    /// A smaller game is left: only these stacks may hold tokens.
    Smaller {
        /// The number of the part of the proof.
        part: usize,
        /// By stack of the smaller game: the stack of the game itself.
        stacks: Vec<usize>,
        /// The sets of the smaller game, as sets of stacks of the game itself.
        facets: Vec<StackSet>,
    },
    /// What is left above a sum of vectors lies in one facet, and is taken.
    Moved {
        /// The facet; empty if there is nothing to take.
        facet: StackSet,
        /// The vectors whose sum stays besides those subtracted, and how often each is taken.
        stays: Vec<(StackSet, u128)>,
    },
}

impl Player {
    /// The player of a certificate. What it answers is true if the checker accepts the certificate,
    /// which is not asked here. `None` if the proof is of another kind, or so malformed that the
    /// checker would not accept it.
    ///
    /// ```
    /// use nimatron_game::{Game, Outcome, Unlimited};
    /// use nimatron_prove::matryoshka::{Discovery, Player, discover};
    ///
    /// let game: Game = "CN(5,3)".parse().unwrap();
    /// let Discovery::Found(found) = discover(&game, &Unlimited).unwrap() else { panic!() };
    /// let certificate = found.certificate();
    /// assert!(nimatron_verify::verify(&certificate).is_ok());
    /// let player = Player::of_certificate(&certificate).unwrap();
    /// let answer = player.answer(&[3, 9, 5, 7, 4]).unwrap();
    /// assert_eq!(answer.outcome, Outcome::N);
    /// assert!(game.is_legal(&[3, 9, 5, 7, 4], &answer.take.unwrap()));
    /// ```
    pub fn of_certificate(certificate: &Certificate) -> Option<Self> {
        let Proof::Matryoshka(proof) = &certificate.proof else { return None };
        Player::new(certificate.game.clone(), proof.clone())
    }

    pub(super) fn new(game: Game, proof: MatryoshkaProof) -> Option<Self> {
        let fits = proof.parts.last()?.stacks as usize == game.stacks();
        let ends = proof.parts.iter().map(|part| ends(&part.tree)).collect::<Option<_>>()?;
        fits.then_some(Player { game, proof, ends })
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The parts of the proof, the last of which is the game itself.
    pub fn parts(&self) -> &[matryoshka::Part] {
        &self.proof.parts
    }

    /// The proof.
    pub(super) fn proof(&self) -> &MatryoshkaProof {
        &self.proof
    }

    /// The P-positions as a formula.
    pub fn formula(&self) -> Option<String> {
        matryoshka::claimed(&self.proof)
    }

    /// The cells: the P-positions are the sums of generators of one cell.
    pub fn cells(&self) -> Vec<Vec<StackSet>> {
        let stacks = |cell: &Vec<u32>| cell.iter().map(|&g| StackSet::from_bits(g)).collect();
        self.own_cells().iter().map(stacks).collect()
    }

    /// Vectors that can be added and subtracted without changing the outcome as long as the stacks `empty`
    /// are empty: generators that every cell has. There may be none.
    ///
    /// With z in every cell, sums of generators stay such sums when z is added, so P-positions stay
    /// P-positions; and a winning move from an N-position p, which leads to some q, leads from p+z to
    /// q+z.
    pub fn vectors(&self, empty: StackSet) -> Vec<StackSet> {
        let left = |cell: &Vec<u32>| -> Vec<u32> {
            cell.iter().copied().filter(|g| g & empty.bits() == 0).collect()
        };
        // Cells within others add nothing to the set, and are left out.
        let stacks = self.game.stacks();
        let Ok(cells) = Cells::new(stacks, self.own_cells().iter().map(left), &Unlimited) else {
            return Vec::new();
        };
        let cells = cells.list();
        let Some(first) = cells.first() else { return Vec::new() };
        let everywhere = |g: &&u32| cells.iter().all(|cell| is_sum(**g, cell));
        first.iter().filter(everywhere).map(|&g| StackSet::from_bits(g)).collect()
    }

    pub(super) fn own_cells(&self) -> &[Vec<u32>] {
        self.proof.parts.last().map_or(&[], |part| &part.cells)
    }

    /// Who wins from a position, however tall, and how.
    ///
    /// What is said was tested: the move is legal, and the position it leads to, or the position itself
    /// if no move is told, is a sum of generators of one of the [`cells`](Player::cells). `None` if the
    /// trees lead to no such answer, which does not happen with a certificate that the checker accepts.
    ///
    /// # Panics
    /// If there are not as many heights as stacks.
    pub fn answer(&self, heights: &[Height]) -> Option<Answer> {
        assert_eq!(heights.len(), self.game.stacks(), "heights must match the stacks");
        let Walked { cell, sum, steps } = self.walk(heights)?;
        let generators = self.own_cells().get(cell)?;
        // Mostly a vector is a generator itself.
        let spanned = |vector: u32| generators.contains(&vector) || is_sum(vector, generators);
        if !sum.iter().all(|&(vector, times)| times == 0 || spanned(vector)) {
            return None;
        }
        let take = above(heights, &sum)?;
        if take.iter().all(|&amount| amount == 0) {
            return Some(Answer { outcome: Outcome::P, take: None, steps });
        }
        let take = Take::new(take);
        let legal = self.game.is_legal(heights, &take);
        legal.then_some(Answer { outcome: Outcome::N, take: Some(take), steps })
    }

    /// What an answer would take, without any test: for measuring what the tests cost.
    #[doc(hidden)]
    pub fn untested(&self, heights: &[Height]) -> Option<Take> {
        Some(Take::new(above(heights, &self.walk(heights)?.sum)?))
    }

    fn walk(&self, heights: &[Height]) -> Option<Walked> {
        let mut number = self.proof.parts.len().checked_sub(1)?;
        let (mut at, mut steps, mut sum) = (0, Vec::new(), Vec::new());
        // What is left of the position, and by stack of the part the stack of the game.
        let mut p: Vec<u128> = heights.iter().map(|&height| height.into()).collect();
        let mut names: Vec<usize> = (0..heights.len()).collect();
        let mut cell_names: Vec<&[u32]> = Vec::new();
        loop {
            let (part, ends) = (&self.proof.parts[number], &self.ends[number]);
            let child = |place: usize| (0..place).try_fold(at + 1, |at, _| ends.get(at).copied());
            let vector = |set: u32| named(&names, set);
            let left = |p: &[u128]| -> Vec<u128> {
                let mut left = vec![0; heights.len()];
                names.iter().zip(p).for_each(|(&name, &height)| left[name] = height);
                left
            };
            let value = |form: &[i64], p: &[u128]| {
                form.iter().zip(p).try_fold(0i128, |sum, (&c, &height)| {
                    sum.checked_add(i128::from(c).checked_mul(i128::try_from(height).ok()?)?)
                })
            };
            // The place among the stacks of a set of one that is least.
            let least = |set: u32, p: &[u128]| {
                let stacks = StackSet::from_bits(set).iter().enumerate();
                let heights = stacks.map(|(place, s)| Some((*p.get(s)?, place, s)));
                heights.collect::<Option<Vec<_>>>()?.into_iter().min()
            };
            at = match part.tree.get(at)? {
                Node::Subtract(set) => {
                    let (times, place, empty) = least(*set, &p)?;
                    StackSet::from_bits(*set).iter().for_each(|stack| p[stack] -= times);
                    let (vector, empty) = (vector(*set)?, *names.get(empty)?);
                    sum.push((vector, times));
                    let (vector, left) = (StackSet::from_bits(vector), left(&p));
                    steps.push(Step::Subtracted { vector, times, empty, left });
                    child(place)?
                }
                Node::Empty(stack) => {
                    *p.get_mut(*stack as usize)? = 0;
                    let stack = *names.get(*stack as usize)?;
                    steps.push(Step::Emptied { stack, left: left(&p) });
                    at + 1
                }
                Node::Zero(stack) => child(usize::from(*p.get(*stack as usize)? > 0))?,
                Node::Split(form) => child(usize::from(value(form, &p)? < 0))?,
                Node::Least(set) => child(least(*set, &p)?.1)?,
                Node::None(_) => return None,
                Node::Move { facet, cell, times } => {
                    let mut stays = Vec::new();
                    for (set, form) in times {
                        let times = u128::try_from(value(form, &p)?).ok()?;
                        sum.push((vector(*set)?, times));
                        stays.push((StackSet::from_bits(vector(*set)?), times));
                    }
                    let facet = StackSet::from_bits(vector(*facet)?);
                    steps.push(Step::Moved { facet, stays });
                    let cells = cell_names.iter().rev();
                    let cell = cells
                        .copied()
                        .try_fold(*cell, |cell, names| names.get(cell as usize).copied());
                    return Some(Walked { cell: cell? as usize, sum, steps });
                }
                Node::Part { part: next, names: new, cells } => {
                    let next = usize::try_from(*next).ok().filter(|&next| next < number)?;
                    let place =
                        |&name: &u32| Some((*p.get(name as usize)?, *names.get(name as usize)?));
                    let places = new.iter().map(place).collect::<Option<Vec<_>>>()?;
                    (p, names) = places.into_iter().unzip();
                    let part = &self.proof.parts[next];
                    if names.len() != part.stacks as usize {
                        return None;
                    }
                    let facets =
                        part.facets.iter().map(|&f| named(&names, f).map(StackSet::from_bits));
                    let facets = facets.collect::<Option<_>>()?;
                    steps.push(Step::Smaller { part: next, stacks: names.clone(), facets });
                    cell_names.push(cells);
                    number = next;
                    0
                }
            };
        }
    }
}

/// What a walk ends with: the number of a cell, and vectors whose sum lies in it.
struct Walked {
    cell: usize,
    sum: Vec<(u32, u128)>,
    steps: Vec<Step>,
}

/// What of the heights lies above a sum of vectors; `None` if the sum is greater somewhere.
fn above(heights: &[Height], sum: &[(u32, u128)]) -> Option<Vec<Height>> {
    let mut above = heights.to_vec();
    for &(vector, times) in sum.iter().filter(|(_, times)| *times > 0) {
        let times = Height::try_from(times).ok()?;
        for stack in StackSet::from_bits(vector) {
            let left = above.get_mut(stack)?;
            *left = left.checked_sub(times)?;
        }
    }
    Some(above)
}

/// A set of stacks under their names in the game itself.
fn named(names: &[usize], set: u32) -> Option<u32> {
    StackSet::from_bits(set).iter().try_fold(0, |all, stack| Some(all | 1 << names.get(stack)?))
}

/// By node: the first one after its tree. `None` if nodes are missing.
fn ends(tree: &[Node]) -> Option<Vec<usize>> {
    let mut ends = vec![0; tree.len()];
    for (at, node) in tree.iter().enumerate().rev() {
        ends[at] = (0..node.children()).try_fold(at + 1, |at, _| ends.get(at).copied())?;
    }
    Some(ends)
}
