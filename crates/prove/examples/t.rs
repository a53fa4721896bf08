//! t
use nimatron_game::*;
use nimatron_prove::automata::*;
struct W(std::time::Instant, f64, u64);
impl Watch for W {
    fn check(&self, m: u64) -> Result<(), Stop> {
        if self.0.elapsed().as_secs_f64() > self.1 {
            Err(Stop::Time)
        } else if m > self.2 {
            Err(Stop::Memory)
        } else {
            Ok(())
        }
    }
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    if a[1] == "census" {
        let n: usize = a[2].parse().unwrap();
        let lim: f64 = a[3].parse().unwrap();
        let mb: u64 = a[4].parse().unwrap();
        let mut found = 0;
        for f in symmetry::set_systems(n) {
            let sets: Vec<_> = f.iter().collect();
            let g = Game::set_nim(n, sets).unwrap();
            let t = std::time::Instant::now();
            match discover(&g, Effort::default(), &W(t, lim, mb << 20)).unwrap() {
                Discovery::Found(x) => {
                    found += 1;
                    let t2 = t.elapsed();
                    nimatron_verify::verify(&x.certificate).unwrap();
                    println!("{g} {:?} {t2:?}", x.statistics)
                }
                Discovery::NotFound(x) => println!("{g} {x} {:?}", t.elapsed()),
                _ => {}
            }
        }
        println!("found {found}");
        return;
    }
    let g: Game = a[1].parse().unwrap();
    let t = std::time::Instant::now();
    match discover(
        &g,
        Effort::default(),
        &W(t, a[2].parse().unwrap(), a[3].parse::<u64>().unwrap() << 20),
    )
    .unwrap()
    {
        Discovery::Found(x) => {
            println!("{g} found {:?} in {:?}", x.statistics, t.elapsed());
            let t = std::time::Instant::now();
            let r = nimatron_verify::verify(&x.certificate);
            println!("verify {} {:?}", r.is_ok(), t.elapsed());
            let mut v = vec![];
            x.certificate.write(&mut v).unwrap();
            println!("{} bytes", v.len());
            let h: Vec<u64> = (0..g.stacks() as u64)
                .map(|i| (i + 3).wrapping_mul(0x9E3779B97F4A7C15) >> 1)
                .collect();
            let t = std::time::Instant::now();
            println!(
                "{:?} {:?} {:?}",
                x.automaton.outcome(&h),
                x.automaton.winning_move(&h),
                t.elapsed()
            );
        }
        Discovery::NotFound(x) => println!("{g}: {x} {:?}", t.elapsed()),
        _ => {}
    }
}
