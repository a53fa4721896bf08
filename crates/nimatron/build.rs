//! The lines of the atlas, compressed, so that programs which carry them stay small; the certificates already are.

fn main() -> std::io::Result<()> {
    println!("cargo::rerun-if-changed=atlas/atlas.jsonl");
    #[cfg(feature = "atlas")]
    {
        use std::io::Write;
        let out = std::path::PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default());
        let file = std::fs::File::create(out.join("atlas.jsonl.gz"))?;
        let mut packed = flate2::write::GzEncoder::new(file, flate2::Compression::best());
        packed.write_all(&std::fs::read("atlas/atlas.jsonl")?)?;
        packed.finish()?;
    }
    Ok(())
}
