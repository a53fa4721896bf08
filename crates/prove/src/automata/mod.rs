//! x
mod conflict;
mod cover;
mod dfa;
mod diagram;
mod moves;
mod nfa;
mod guess;
mod proof;
pub use proof::*;
/// tmp
pub fn data(game:&nimatron_game::Game, m:u32, watch:&dyn nimatron_game::Watch){
 let moves=moves::Moves::new(game).unwrap();
 let mut d=diagram::Diagrams::new(&moves,watch);
 let mut cubes=vec![1];
 for b in 1..=m { let t=std::time::Instant::now(); 
 let marked= if moves.is_misere() { d.terminals(b*moves.stacks() as u32,0) } else {0};
 let p=d.p_positions(b,marked).unwrap(); println!("m={b} set {p} nodes {} mem {}MB {:?}",d.len(),d.memory()>>20,t.elapsed()); 
 cubes.push(p);
 let mut last=None;
 for r in 0..b as usize { match guess::guess(&d,moves.letters(),&cubes,r) { guess::Guess::Closed(x)=>{println!("  r={r} closed {}",x.next.len()); if b==m {last=Some(x)}}, guess::Guess::Open{states}=>println!("  r={r} open {states}") } }
 if let Some(x)=last { let t=std::time::Instant::now(); 
   let r=prove(game,&x,watch); println!("proved {:?} {:?}",r.is_ok(),t.elapsed());
   match r { Ok(c)=>{ let nimatron_verify::Proof::Automaton(a)=&c.proof else {panic!()}; println!("{} macrostates, {} states in them",a.macrostates.len(),a.macrostates.iter().map(|m|m.moves.len()).sum::<usize>());
    let t=std::time::Instant::now(); println!("{:?} {:?}",nimatron_verify::verify(&c),t.elapsed()); let mut v=vec![]; c.write(&mut v).unwrap(); println!("{} bytes",v.len()); }
   Err(e)=>println!("{e}") } }
 }
}
