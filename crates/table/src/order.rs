//! Looking for an order of the stacks that takes little work.

/// Tries orders until `trials` are used up: rotations of the given order and of its reverse
/// first, then the best swap of two stacks as long as one helps.
pub(crate) fn search(
    n: usize,
    mut trials: usize,
    mut cost: impl FnMut(&[usize]) -> f64,
) -> Vec<usize> {
    let mut best: Vec<usize> = (0..n).collect();
    let mut least = cost(&best);
    let mut consider = |order: &[usize], best: &mut Vec<usize>| {
        let found = cost(order);
        trials = trials.saturating_sub(1);
        let better = found < least * 0.999;
        if better {
            least = found;
            best.copy_from_slice(order);
        }
        (better, trials > 0)
    };
    let mut order = best.clone();
    for reversed in [false, true] {
        for _ in 0..n {
            order.rotate_left(1);
            if !consider(&order, &mut best).1 {
                return best;
            }
        }
        if !reversed {
            order.reverse();
        }
    }
    loop {
        let start = best.clone();
        let mut improved = false;
        for i in 0..n {
            for j in i + 1..n {
                order.copy_from_slice(&start);
                order.swap(i, j);
                let (better, more) = consider(&order, &mut best);
                improved |= better;
                if !more {
                    return best;
                }
            }
        }
        if !improved {
            return best;
        }
    }
}
