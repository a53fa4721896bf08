//! Readable theorems: what is printed for well-known games, that it says what the library says, that changed
//! formulas are rejected with a position, and that no clock and no thread changes a byte.

#[path = "../../formula/tests/support/mutants.rs"]
mod mutants;

use mutants::mutants;
use nimatron::crates::formula::{Context, Formula};
use nimatron::proofs::{
    Certificate, DiscoverMethod, Examination, Expected, Found, Refusal, discover, known_formula,
};
use nimatron::{Clock, Game, Limits, Options, Position, Prepared};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Games with the formulas that are printed for them (docs/proofs.md has the same list).
const PRINTED: [(&str, &str); 8] = [
    ("CN(5,2)", "sym(a = c, a+b = d+e, a <= min(d,e))"),
    ("CN(6,4)", "sym(a+b = d+e, a+f = c+d, a <= d, xor(a,c,e) = 0)"),
    ("H", "sym(a+b+c = d+e+f, (a = d+e, b <= d) or (a = c+d, a <= f, c <= e))"),
    (
        "CN(7,3)",
        "sym(a+b = d+e, (b+c = f+g, d <= f <= c, max(d,e) <= a) or (c+2d = a+f+g, a <= e, b <= g, a <= d <= f))",
    ),
    (
        "CN(7,4)",
        "sym((a = b = 0, c = g = d+e+f) or a = b = c = d = e = f = g or (a = c = min, a+b = d+e = f+g, e < b, f < b) or (a = b, c = g, d = f, a+c = e+f, a > 0, d < c))",
    ),
    (
        "CN(8,3)",
        "sym((a+b = e+f, a+g+h = c+d+e, a <= c, b <= h, e <= g, f <= d) or (a+b = d+e, a+2b+c = f+2g+h, g <= e <= a, d+e <= min(f+g,g+h)) or (a+b = d+e, b+c+d = f+g+h, a <= g, b <= h, d <= f, a+b <= f+g))",
    ),
    ("CN(8,6)", "sym(a = 0, b = h = c+d = f+g, (b = e, d <= g) or (e = c+g, c <= f))"),
    (
        "CN(9,4)",
        "sym(a+b+c = e+f+g, (a+h+i = d+e+f, b <= e <= h, c <= min(f,i)) or (a+h+i = c+d+e, a <= g, h <= e, i <= c <= f) or (a+h+i = c+d+e, a <= g, e <= h, c <= min(f,i)))",
    ),
];

fn found(name: &str, limits: &Limits) -> Box<Found> {
    let game: Game = name.parse().unwrap();
    discover(&game, DiscoverMethod::Auto, limits).found.unwrap_or_else(|| panic!("{name}"))
}

fn parsed(text: &str, game: &Game) -> Formula {
    Formula::parse(text, &Context::of_game(game)).unwrap()
}

/// What `verify --formula` says.
fn verified(certificate: &Certificate, formula: Formula) -> Option<Refusal> {
    let expected = Expected { formula: Some(formula), ..Expected::default() };
    Examination::of(certificate, &expected).refusal
}

/// The checker accepts the formula that is printed, and for the same certificate that of the library.
fn is_printed((name, text): (&str, &str)) -> Certificate {
    let found = found(name, &Limits::unlimited());
    assert!(found.proved.has_formula(), "{name}");
    assert_eq!(found.proved.formula().as_deref(), Some(text), "{name}");
    let certificate = found.proved.certificate().clone();
    let game = certificate.game.clone();
    assert!(verified(&certificate, parsed(text, &game)).is_none(), "{name}");
    match known_formula(&game) {
        Some(known) => {
            assert!(verified(&certificate, known.clone()).is_none(), "{name}: {known}");
        }
        // The theorem on peeling has a strategy instead of a formula: what it says is compared.
        None => {
            let prepared = Prepared::new(game.clone());
            for code in 0..1u64 << game.stacks() {
                let tall = |s: usize| (code >> s & 1) * (1_000_000_007 + s as u64 % 3);
                let position = Position::new((0..game.stacks()).map(tall).collect()).unwrap();
                let verdict = prepared.ask(&position, &Options::default()).unwrap();
                let own = found.proved.answer(&position).unwrap().outcome;
                assert_eq!(verdict.outcome, Some(own), "{name} at {position}");
            }
        }
    }
    certificate
}

#[test]
fn formulas_are_printed_and_say_what_the_library_says() {
    for (name, text) in PRINTED.into_iter().filter(|(name, _)| *name != "CN(7,4)") {
        is_printed((name, text));
    }
}

/// It takes seconds where the program is optimised, and a minute where it is not.
#[test]
#[ignore = "a minute"]
fn the_formula_of_seven_and_four() {
    let printed = PRINTED.into_iter().find(|(name, _)| *name == "CN(7,4)").unwrap();
    let certificate = is_printed(printed);
    let tally = changed(&certificate, printed.1, usize::MAX);
    assert!(tally.0 >= 60, "{tally:?}");
}

/// Every changed formula is rejected with a position, or is another text for the same set, which the
/// checker has accepted then: how many there are of each. At most so many are looked at, evenly chosen.
fn changed(certificate: &Certificate, text: &str, most: usize) -> (usize, usize) {
    let (mut rejected, mut same, mut without) = (0, 0, Vec::new());
    let all = mutants(&parsed(text, &certificate.game));
    for mutant in all.iter().step_by(all.len().div_ceil(most)) {
        match verified(certificate, mutant.clone()) {
            None => same += 1,
            Some(Refusal::Differs { .. }) => rejected += 1,
            Some(refusal) => without.push(format!("{mutant}: {refusal:?}")),
        }
    }
    assert!(without.is_empty(), "{}: {}", certificate.game, without.join("\n"));
    (rejected, same)
}

#[test]
fn changed_formulas_are_rejected_with_a_position() {
    let mut tally = (0, 0);
    for name in ["CN(5,2)", "CN(6,4)", "H", "CN(7,3)", "CN(8,3)", "CN(8,6)", "CN(9,4)"] {
        let found = found(name, &Limits::unlimited());
        let text = found.proved.formula().unwrap();
        let (rejected, same) = changed(found.proved.certificate(), &text, 24);
        assert!(rejected > same, "{name}: {rejected} {same}");
        tally = (tally.0 + rejected, tally.1 + same);
    }
    assert!(tally.0 > 100, "{tally:?}");
}

/// All mutants of a formula that is printed.
#[allow(clippy::print_stdout)]
fn all_changed(name: &str) {
    let found = found(name, &Limits::unlimited());
    let text = found.proved.formula().filter(|_| found.proved.has_formula());
    let text = text.unwrap_or_else(|| panic!("{name}"));
    let (rejected, same) = changed(found.proved.certificate(), &text, usize::MAX);
    println!("{name}: {rejected} rejected with a position, {same} say the same");
}

#[test]
#[ignore = "a minute"]
fn all_changed_formulas() {
    PRINTED.into_iter().for_each(|(name, _)| all_changed(name));
}

/// Circles with hundreds of cells.
#[test]
#[ignore = "minutes"]
fn all_changed_formulas_of_ten_and_four() {
    all_changed("CN(10,4)");
}

#[test]
#[ignore = "minutes"]
fn all_changed_formulas_of_eleven_and_four() {
    all_changed("CN(11,4)");
}

#[test]
#[ignore = "minutes"]
fn all_changed_formulas_of_twelve_and_five() {
    all_changed("CN(12,5)");
}

/// The circles with very many cells have equations, too.
#[test]
fn large_circles_have_equations() {
    for (name, most) in [("CN(10,4)", 1_000), ("CN(12,5)", 1_300), ("CN(11,4)", 1_950)] {
        let found = found(name, &Limits::unlimited());
        assert!(found.proved.has_formula(), "{name}");
        let text = found.proved.formula().unwrap();
        assert!(text.len() <= most && !text.contains("span"), "{name}: {} {text}", text.len());
    }
}

/// An hour passes whenever it is read.
#[derive(Debug, Default)]
struct Slow(AtomicU64);

impl Clock for Slow {
    fn now(&self) -> Duration {
        Duration::from_secs(3600 * self.0.fetch_add(1, Ordering::Relaxed))
    }
}

/// Everything that is printed apart from times.
fn bytes(name: &str, limits: &Limits) -> String {
    let found = found(name, limits);
    let text = String::from_utf8(found.proved.text()).unwrap();
    format!("{:?} {:?} {:?} {text}", found.strategy, found.equations, found.in_vain)
}

#[test]
fn the_same_bytes_on_any_machine() {
    let names = [
        "CN(5,2)",
        "CN(5,3)",
        "CN(6,4)",
        "CN(9,4)",
        "PN(4,2)",
        "Set(ab,ac,bc,ad)",
        "misere Slow(3,{2})",
        "misere PN(3,2)",
    ];
    for name in names {
        let first = bytes(name, &Limits::unlimited());
        assert_eq!(bytes(name, &Limits::unlimited()), first, "{name} again");
        let slow = Limits::unlimited().clock(Arc::new(Slow::default()));
        assert_eq!(bytes(name, &slow), first, "{name} on a slow machine");
        std::thread::scope(|scope| {
            let others: Vec<_> =
                (0..4).map(|_| scope.spawn(|| bytes(name, &Limits::unlimited()))).collect();
            for other in others {
                assert_eq!(other.join().unwrap(), first, "{name} beside others");
            }
        });
    }
}

/// What differs only far away, where no corner of what differs has integers: such positions are looked for by
/// systems of linear constraints. And what no integers satisfy changes nothing.
#[test]
fn differences_far_away() {
    let certificate = found("CN(3,2)", &Limits::unlimited()).proved.certificate().clone();
    let judge = |text: &str| verified(&certificate, parsed(text, &certificate.game));
    let Some(Refusal::Differs { position, is_p, .. }) =
        judge("a = b = c or (2a+3b = 1001+4c, a > c)")
    else {
        panic!("a difference is told")
    };
    let [a, b, c] = position[..] else { panic!("{position}") };
    assert!(!is_p && 2 * a + 3 * b == 1001 + 4 * c && a > c, "{position}");
    assert!(judge("a = b = c or 2a+2b = 1001+4c").is_none());
    assert!(judge("a = b = c, 2a < 2b+1").is_none());
}
