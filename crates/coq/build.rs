//! The theories in one compressed file, in the order of `_CoqProject`, so that programs which carry them stay small.
// This runs while the crate is built, not when it computes.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::PathBuf;

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=theories");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default());
    let mut packed = GzEncoder::new(File::create(out.join("theories.gz"))?, Compression::best());
    let project = fs::read_to_string("theories/_CoqProject")?;
    for file in project.lines().filter(|line| line.ends_with(".v")) {
        let text = fs::read_to_string(format!("theories/{file}"))?;
        // As src/theories.rs reads them: a line with the name and the length, and the text.
        write!(packed, "{} {}\n{text}", file.trim_end_matches(".v"), text.len())?;
    }
    packed.finish()?;
    Ok(())
}
