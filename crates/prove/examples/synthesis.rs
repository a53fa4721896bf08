//! Formulas for automata: `synthesis GAME..`, or certificates, one per line, on standard input.
#![allow(clippy::print_stdout)]
#![allow(clippy::disallowed_types, clippy::disallowed_methods, reason = "a program has a clock")]

use nimatron_game::{Game, Stop, Watch};
use nimatron_prove::automata::{Discovery, Effort, discover};
use nimatron_prove::synthesis::synthesise;
use nimatron_verify::{Certificate, Proof, verify};
use std::io::BufRead;
use std::time::{Duration, Instant};

struct Limits(Instant);

impl Watch for Limits {
    fn check(&self, _: u64) -> Result<(), Stop> {
        if Instant::now() > self.0 { Err(Stop::Time) } else { Ok(()) }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let limits = |seconds| Limits(Instant::now() + Duration::from_secs(seconds));
    let mut certificates = Vec::new();
    for text in std::env::args().skip(1) {
        let game: Game = text.parse()?;
        let start = Instant::now();
        match discover(&game, Effort::default(), &limits(60))? {
            Discovery::Found(found) => {
                println!("{game}: automaton in {:.2?}", start.elapsed());
                certificates.push(found.certificate);
            }
            other => println!("{game}: {other:?}"),
        }
    }
    if certificates.is_empty() {
        for line in std::io::stdin().lock().lines() {
            certificates.push(Certificate::read(line?.as_bytes())?);
        }
    }
    let (mut all, mut lengths) = (0, Vec::new());
    for certificate in certificates {
        let Proof::Automaton(proof) = &certificate.proof else { continue };
        let game = certificate.game.clone();
        all += 1;
        let start = Instant::now();
        let formula = synthesise(&game, &proof.dfa, &limits(60));
        let time = start.elapsed();
        let states = proof.dfa.states();
        match formula {
            Ok(found) if found.formula.is_some() => {
                let (work, text) =
                    (found.work, found.formula.map_or(String::new(), |f| f.to_string()));
                let fine = verify(&certificate.with_formula(Some(text.clone())));
                let verdict = fine.map_or_else(|error| error.to_string(), |_| "ok".into());
                println!("{game} ({states}) {time:.2?} {work} {}: {text}  [{verdict}]", text.len());
                lengths.push(text.len());
            }
            other => println!("{game} ({states}) {time:.2?} NONE {other:?}"),
        }
    }
    lengths.sort_unstable();
    println!("{} of {all}, median {:?}", lengths.len(), lengths.get(lengths.len() / 2));
    Ok(())
}
