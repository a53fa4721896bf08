use nimatron_game::*;
use nimatron_table::{Alone, Crew, line::*};
use std::time::Instant;
struct Threads(usize);
impl Crew for Threads {
    fn size(&self) -> usize {
        self.0
    }
    fn run(&self, job: &(dyn Fn(usize) + Sync)) {
        std::thread::scope(|s| {
            for w in 0..self.0 {
                s.spawn(move || job(w));
            }
        });
    }
}
fn cpu() -> f64 {
    let s = std::fs::read_to_string("/proc/self/schedstat").unwrap();
    s.split_whitespace().next().unwrap().parse::<f64>().unwrap() / 1e9
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let n: usize = a[1].parse().unwrap();
    let k: usize = a[2].parse().unwrap();
    let h: u32 = a[3].parse().unwrap();
    let t: usize = a.get(4).map_or(1, |s| s.parse().unwrap());
    let reps: usize = a.get(5).map_or(1, |s| s.parse().unwrap());
    let fam = if a.get(6).is_some_and(|s| s == "moore") {
        Family::Moore { n, k }
    } else if a.get(6).is_some_and(|s| s == "path") {
        Family::Path { n, k }
    } else {
        Family::Circular { n, k }
    };
    let sets: Vec<_> = fam.rule().sets().iter().collect();
    let part: u32 = std::env::var("PART").ok().map_or(h + 1, |s| s.parse().unwrap());
    let path = match std::env::var("ISA").as_deref() {
        Ok("avx2") => Path::Avx2,
        Ok("portable") => Path::Portable,
        _ => Path::Avx512,
    };
    let mut best = (0f64, 0f64);
    let mut info = String::new();
    for _ in 0..reps {
        let c0 = cpu();
        let t0 = Instant::now();
        let plan = Plan::new(&sets, &vec![h; n]).unwrap();
        let tp = t0.elapsed().as_secs_f64();
        let order = plan.order().to_vec();
        let e = plan.estimate(t);
        if a.get(7).is_some() {
            println!("{plan:#?}");
        }
        let mut run = Run::new(plan).unwrap().on(path);
        let r = if t == 1 {
            run.advance(part, &Alone, &Unlimited, None)
        } else {
            run.advance(part, &Threads(t), &Unlimited, None)
        };
        r.unwrap();
        let count = run.tally().count;
        let dt = t0.elapsed().as_secs_f64();
        let pos = (h as f64 + 1.0).powi(n as i32 - 1) * part as f64;
        best.0 = best.0.max(pos / dt);
        best.1 = best.1.max(pos / (cpu() - c0));
        info = format!(
            "P={count} order {order:?} plan {:.3}ms mem {:.1}MB",
            tp * 1e3,
            e.memory as f64 / 1e6
        );
    }
    println!("{fam:?} h={h} best wall {:.3e}/s cpu {:.3e}/s {info}", best.0, best.1);
}
