//! The examples for newcomers run as they are.
#![allow(dead_code, reason = "the arguments of the test program are not those of the examples")]

#[path = "../examples/prove.rs"]
mod prove;
#[path = "../examples/solve.rs"]
mod solve;
#[path = "../examples/sweep.rs"]
mod sweep;
#[path = "../examples/table.rs"]
mod table;

#[test]
fn the_examples_answer() {
    solve::run("Set(ad,abc,bcd)", "2,3,5,4").unwrap();
    sweep::run("CN(5,3)", 3).unwrap();
    table::run("CN(5,2)", 6).unwrap();
    prove::run("CN(4,2)", "a = c, b = d").unwrap();
    assert!(solve::run("CN(3,7)", "1,2,3").is_err());
}
