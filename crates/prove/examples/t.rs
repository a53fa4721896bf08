//! t
fn main(){ let a:Vec<String>=std::env::args().collect(); nimatron_prove::automata::data(&a[1].parse().unwrap(), a[2].parse().unwrap(), &nimatron_game::Unlimited) }
