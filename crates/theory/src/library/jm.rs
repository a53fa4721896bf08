/// The formula of Jenkyns and Mayberry.
pub(crate) fn jm_value(total: u128, least: nimatron_game::Height, rest: u128) -> u128 {
    let y = rest + 1;
    let (c, m) = (y.saturating_mul(rest) / 2, u128::from(least));
    if m <= c { total } else { c + (m - c - 1) % y }
}
