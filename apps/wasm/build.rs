//! Room for the stack, as much as the server gives a question, and an end to the memory.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-link-arg-cdylib=-zstack-size=16777216");
    println!("cargo::rustc-link-arg-cdylib=--max-memory=2147483648");
}
