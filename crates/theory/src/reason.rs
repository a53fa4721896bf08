//! The steps of an explanation, as data.

use nimatron_formula::Witness;
use nimatron_game::{Family, Height, Outcome, Position, StackSet};
use std::fmt;

/// One step of the reasoning about a position. Rendered by `Display` in plain words; other
/// renderings read the fields. Stacks are counted from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The case of the construction that applies, by its name: `end-stack move`.
    Case(&'static str),
    /// Stacks that always occur together count as one.
    Merged {
        /// The stacks that are merged.
        stacks: StackSet,
        /// Their tokens together.
        sum: u128,
    },
    /// Two sums that ought to be equal.
    Sums {
        /// One set of stacks.
        left: StackSet,
        /// Its tokens.
        left_sum: u128,
        /// The other set of stacks.
        right: StackSet,
        /// Its tokens.
        right_sum: u128,
    },
    /// Stacks that ought to be empty.
    Zeros {
        /// The stacks.
        stacks: StackSet,
        /// Their tokens.
        sum: u128,
    },
    /// A lowest stack among several.
    LeastStack {
        /// The stacks compared.
        among: StackSet,
        /// A lowest one.
        stack: usize,
        /// Its height.
        height: Height,
    },
    /// A window of consecutive stacks with the least sum.
    LeastWindow {
        /// The stacks of the window.
        window: StackSet,
        /// Their sum.
        sum: u128,
    },
    /// The tokens on all stacks.
    Total {
        /// How many there are.
        sum: u128,
    },
    /// The xor of some heights.
    Xor {
        /// The stacks.
        stacks: StackSet,
        /// Their xor.
        value: Height,
    },
    /// The least height of each of some sets of stacks.
    Minima {
        /// The sets.
        rows: Vec<StackSet>,
        /// The xor of their least heights.
        xor: Height,
    },
    /// Differences of opposite stacks, which ought to be equal.
    Differences {
        /// Lower stack, higher stack, and by how much.
        pairs: Vec<(usize, usize, Height)>,
    },
    /// A binary digit that has to be mended, and how.
    Digit {
        /// The digit, counted from the units.
        digit: u32,
        /// The stacks whose height has a one there.
        ones: StackSet,
        /// The stacks whose one is removed, which frees their lower digits.
        dropped: StackSet,
        /// The stacks lowered before that get a one.
        set: StackSet,
    },
    /// A binary digit in which the ones do not cancel (they do, if it is not listed).
    BadDigit {
        /// The digit, counted from the units.
        digit: u32,
        /// The stacks whose height has a one there.
        ones: StackSet,
    },
    /// A circuit that is contained in the position some number of times.
    Circuit {
        /// The stacks of the circuit.
        circuit: StackSet,
        /// How many times.
        times: Height,
    },
    /// What is left when the circuits are taken away lies in one face.
    Remainder {
        /// Where it lies; empty if nothing is left.
        stacks: StackSet,
    },
    /// A peel that is subtracted as often as it goes.
    Peel {
        /// Its stacks.
        stacks: StackSet,
        /// How many times.
        times: Height,
    },
    /// What is left when peels have been subtracted.
    Left {
        /// What is left on each stack.
        heights: Vec<Height>,
        /// A facet that holds it; empty if nothing is left.
        facet: StackSet,
    },
    /// A part of the game that is judged by itself.
    Part {
        /// The stacks of the part.
        stacks: StackSet,
        /// Who wins there.
        outcome: Outcome,
        /// The theorem that says so.
        by: String,
    },
    /// The greatest number of moves that can still be played.
    LongestPlay {
        /// How many.
        moves: u128,
    },
    /// A set of stacks that meets every other move set left.
    MeetsAll {
        /// The set.
        set: StackSet,
    },
    /// The game is part of a larger one, whose other stacks are empty. The facts that follow are
    /// about the stacks of the larger game.
    Within {
        /// The larger game.
        game: Family,
        /// The position there.
        heights: Position,
        /// For each stack of the game, the one there that stands for it.
        stacks: Vec<usize>,
    },
    /// Unplayable tokens of a slow game are taken off.
    Chopped {
        /// What is left.
        reduced: Vec<Height>,
    },
    /// Where a position of a slow game stands in the position grid.
    GridCell {
        /// The total, mod the modulus.
        s: usize,
        /// How many stacks are odd.
        o: usize,
        /// The modulus.
        modulus: usize,
        /// Whether positions there are P.
        p: bool,
    },
    /// The parities of the heights in ascending order.
    Parities {
        /// Whether each is odd.
        odd: Vec<bool>,
    },
    /// The stacks of odd height.
    Odd {
        /// The stacks.
        stacks: StackSet,
    },
    /// A formula that decides the outcome.
    Formula {
        /// The formula, in the stacks of the game it is about.
        text: String,
        /// Whether it holds.
        holds: bool,
    },
    /// Why the formula of the theorem holds.
    Holds {
        /// What the publication calls the alternative that holds.
        case: Option<&'static str>,
        /// How the position is read, and the conditions.
        witness: Witness,
        /// The position.
        heights: Vec<Height>,
    },
    /// The rule of a strategy that tells the move.
    Rule {
        /// Its number, from 1.
        number: usize,
        /// How the position is read: stack `s` of the rule is stack `order[s]`.
        order: Vec<usize>,
        /// The new heights of the stacks that are played.
        heights: Vec<NewHeight>,
    },
    /// The move set on which a move was found.
    PlayedOn {
        /// The move set.
        facet: StackSet,
    },
    /// What the move does to a stack.
    Lowered {
        /// The stack.
        stack: usize,
        /// Its height before.
        from: Height,
        /// Its height after.
        to: Height,
    },
}

/// What a rule does to a stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewHeight {
    /// The stack.
    pub stack: usize,
    /// A number, to which multiples of heights are added.
    pub constant: i64,
    /// Stacks and factors.
    pub terms: Vec<(usize, i64)>,
}

/// In the stacks of the game it is about: letters while there are letters, then numbers.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.told(&|stack| StackSet::single(stack).to_string()))
    }
}

impl Reason {
    /// The same with the stacks called by `name`: what the reader calls them. A name may be a sum,
    /// `d+e`, where stacks were merged.
    pub fn told(&self, name: &dyn Fn(usize) -> String) -> String {
        let set = |set: &StackSet| named(*set, name);
        let sum = |set: &StackSet| set.iter().map(name).collect::<Vec<_>>().join("+");
        let row = |heights: &[Height]| {
            heights.iter().map(Height::to_string).collect::<Vec<_>>().join(",")
        };
        match self {
            Reason::Case(case) => case.to_string(),
            Reason::Merged { stacks, sum } => {
                format!("{} count as one stack of height {sum}", set(stacks))
            }
            Reason::Sums { left, left_sum, right, right_sum } if left_sum == right_sum => {
                format!("{} = {left_sum} = {}", sum(left), sum(right))
            }
            Reason::Sums { left, left_sum, right, right_sum } => {
                format!("{} = {left_sum}, but {} = {right_sum}", sum(left), sum(right))
            }
            Reason::Zeros { stacks, sum: 0 } if stacks.len() == 1 => {
                format!("{} is empty", set(stacks))
            }
            Reason::Zeros { stacks, sum: 0 } => format!("{} are empty", set(stacks)),
            Reason::Zeros { stacks, sum } if stacks.len() == 1 => {
                format!("{} holds {sum}", set(stacks))
            }
            Reason::Zeros { stacks, sum } => format!("{} hold {sum}", set(stacks)),
            Reason::LeastStack { among, stack, height } => {
                format!("{} is lowest among {} with {height}", name(*stack), set(among))
            }
            Reason::LeastWindow { window, sum: least } => {
                format!("the least sum of a window is {least} = {}", sum(window))
            }
            Reason::Total { sum } => format!("{sum} tokens in total"),
            Reason::Xor { stacks, value } => {
                let names: Vec<String> = stacks.iter().map(name).collect();
                format!("xor({}) = {value}", names.join(","))
            }
            Reason::Minima { rows, xor } => {
                let rows: Vec<String> = rows.iter().map(set).collect();
                format!("the xor of the least heights of {} is {xor}", rows.join(", "))
            }
            Reason::Differences { pairs } => {
                let difference = |&(low, high, by): &(usize, usize, Height)| {
                    format!("{}-{} = {by}", name(high), name(low))
                };
                let differences: Vec<String> = pairs.iter().map(difference).collect();
                format!("opposite stacks differ by {}", differences.join(", "))
            }
            Reason::Digit { digit, ones, dropped, set: put } => {
                let mut text = format!("digit {digit}: ones in {{{}}}", set(ones));
                if !dropped.is_empty() {
                    text += &format!(", removed from {}", set(dropped));
                }
                if !put.is_empty() {
                    text += &format!(", put into {}", set(put));
                }
                text
            }
            Reason::BadDigit { digit, ones } => {
                format!("digit {digit}: the ones in {{{}}} do not cancel", set(ones))
            }
            Reason::Circuit { circuit, times } => {
                format!("{times} times the circuit {}", set(circuit))
            }
            Reason::Remainder { stacks } if stacks.is_empty() => "nothing is left".to_string(),
            Reason::Remainder { stacks } => {
                format!("what is left lies in the face {}", set(stacks))
            }
            Reason::Peel { stacks, times: 1 } => format!("subtract {} once", set(stacks)),
            Reason::Peel { stacks, times: 2 } => format!("subtract {} twice", set(stacks)),
            Reason::Peel { stacks, times } => format!("subtract {} {times} times", set(stacks)),
            Reason::Left { facet, .. } if facet.is_empty() => "nothing is left".to_string(),
            Reason::Left { heights, facet } => {
                let (left, facet) = (row(heights), set(facet));
                format!("what is left, ({left}), lies in {facet}: take it")
            }
            Reason::Part { stacks, outcome, by } => {
                format!("the part {} is {outcome} by {by}", set(stacks))
            }
            Reason::LongestPlay { moves } => format!("the longest play has {moves} moves"),
            Reason::MeetsAll { set: all } => format!("{} meets every move set left", set(all)),
            Reason::Within { game, heights, stacks } => {
                let own = |stack: usize| StackSet::single(stack).to_string();
                let there: Vec<String> = stacks.iter().map(|&s| own(s)).collect();
                let here: Vec<String> = (0..stacks.len()).map(name).collect();
                format!(
                    "this is {game} at {heights}, where {} stand for {}; in the letters of {game}",
                    there.join(","),
                    here.join(",")
                )
            }
            Reason::Chopped { reduced } => format!("without unplayable tokens ({})", row(reduced)),
            Reason::GridCell { s, o, modulus, p } => {
                let kind = if *p { "a P" } else { "an N" };
                let stacks = if *o == 1 { "stack" } else { "stacks" };
                format!("total {s} mod {modulus} with {o} odd {stacks} is {kind}-cell")
            }
            Reason::Parities { odd } => {
                let word: String = odd.iter().map(|&o| if o { 'o' } else { 'e' }).collect();
                format!("the parities in ascending order are {word}")
            }
            Reason::Odd { stacks } if stacks.is_empty() => "all stacks are even".to_string(),
            Reason::Odd { stacks } if stacks.len() == 1 => {
                format!("{} is the only odd stack, and it can be played on", set(stacks))
            }
            Reason::Odd { stacks } => {
                format!("the odd stacks are {}, and they can be played on together", set(stacks))
            }
            Reason::Formula { text, holds: true } => format!("{text} holds"),
            Reason::Formula { text, holds: false } => format!("{text} does not hold"),
            Reason::Holds { case, witness, heights } => {
                let conditions = witness.told(heights, name).join(", ");
                let read = reading(&witness.order, name);
                match (case, read.is_empty()) {
                    (Some(lemma), _) if lemma.starts_with("Lemma") => {
                        format!("{lemma}{read}: {conditions}")
                    }
                    (Some(case), _) => format!("case {case}{read}: {conditions}"),
                    (None, true) => conditions,
                    (None, false) => format!("{}: {conditions}", &read[2..]),
                }
            }
            Reason::Rule { number, order, heights } => {
                let to: Vec<String> = heights
                    .iter()
                    .map(|new| {
                        format!("{}' = {}", name(new.stack), form(new.constant, &new.terms, name))
                    })
                    .collect();
                let read = reading(order, name);
                format!("rule {number} of its strategy{read}, play to {}", to.join(", "))
            }
            Reason::PlayedOn { facet } => format!("there is a move on {} into it", set(facet)),
            Reason::Lowered { stack, from, to } => {
                format!("{} goes from {from} to {to}", name(*stack))
            }
        }
    }
}

/// A sum of multiples of heights, and a number: `c+d-2`.
fn form(constant: i64, terms: &[(usize, i64)], name: &dyn Fn(usize) -> String) -> String {
    let mut text = String::new();
    // What is added comes first.
    let mut ordered: Vec<&(usize, i64)> = terms.iter().filter(|(_, factor)| *factor != 0).collect();
    ordered.sort_by_key(|(_, factor)| *factor < 0);
    for (stack, factor) in ordered {
        let name = name(*stack);
        let name = match (factor.unsigned_abs(), name.contains('+')) {
            (1, false) => name,
            (1, true) if *factor > 0 => name,
            (1, true) => format!("({name})"),
            (times, false) => format!("{times}{name}"),
            (times, true) => format!("{times}({name})"),
        };
        text += match (*factor > 0, text.is_empty()) {
            (true, true) => "",
            (true, false) => "+",
            (false, _) => "-",
        };
        text += &name;
    }
    match (constant, text.is_empty()) {
        (_, true) => constant.to_string(),
        (0, false) => text,
        (1.., false) => format!("{text}+{constant}"),
        (_, false) => format!("{text}{constant}"),
    }
}

/// A set of stacks: `abd`, or `{a,b+c}` where names are longer than a letter.
fn named(set: StackSet, name: &dyn Fn(usize) -> String) -> String {
    let mut names: Vec<String> = set.iter().map(name).collect();
    let is_letter = |name: &String| name.len() == 1 && name.chars().all(char::is_alphabetic);
    if names.iter().all(is_letter) {
        names.sort_unstable();
        return names.concat();
    }
    match &names[..] {
        [one] => one.clone(),
        _ => format!("{{{}}}", names.join(",")),
    }
}

/// How a position is read where a formula is about an image of it: `, read from d, backwards`.
/// Nothing if it is read as it is.
fn reading(order: &[usize], name: &dyn Fn(usize) -> String) -> String {
    let n = order.len();
    let turned = |step: usize| (0..n).all(|i| order[i] == (order[0] + step * i) % n);
    match order {
        [] => String::new(),
        _ if order.iter().copied().eq(0..n) => String::new(),
        [first, ..] if turned(1) => format!(", read from {}", name(*first)),
        [first, ..] if turned(n - 1) => format!(", read from {}, backwards", name(*first)),
        _ => {
            let names: Vec<String> = order.iter().map(|&s| name(s)).collect();
            format!(", read in the order {}", names.join(","))
        }
    }
}
