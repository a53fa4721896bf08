//! Converts certificates of version 1 by games within games: `convert OLD NEW`, or lines of standard input to
//! lines of standard output, where other certificates stay as they are.
#![allow(clippy::print_stdout)]
#![allow(clippy::disallowed_types, clippy::disallowed_methods, reason = "a program opens files")]

use nimatron_prove::matryoshka::converted;
use nimatron_verify::Budget;
use nimatron_verify::verify;
use std::error::Error;
use std::io::BufRead;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [old, new] = &arguments[..] {
        let certificate =
            converted(&std::fs::read(old)?, Budget::default()).ok_or("it cannot be converted")?;
        verify(&certificate)?;
        return Ok(certificate.write(std::fs::File::create(new)?)?);
    }
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        match converted(line.as_bytes(), Budget::default()) {
            Some(certificate) => {
                verify(&certificate)?;
                certificate.write(std::io::stdout())?;
            }
            None => println!("{line}"),
        }
    }
    Ok(())
}
