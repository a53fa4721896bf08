//! The built page as a list of files, so that the server needs nothing but itself. Where it was not built there
//! are none. Files that are smaller compressed are kept so.

use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let page = here.join("../web/dist");
    println!("cargo::rerun-if-changed={}", page.display());
    let mut files = Vec::new();
    if page.is_dir() {
        walk(&page, &page, &mut files)?;
    }
    files.sort();
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let mut code = String::from("pub(crate) static FILES: &[(&str, File)] = &[\n");
    for (number, (name, path)) in files.into_iter().enumerate() {
        println!("cargo::rerun-if-changed={path}");
        let bytes = fs::read(&path)?;
        let mut packed = GzEncoder::new(Vec::new(), Compression::best());
        packed.write_all(&bytes)?;
        let packed = packed.finish()?;
        let (kind, place) = match packed.len() < bytes.len() * 9 / 10 {
            true => {
                let place = out.join(format!("{number}.gz"));
                fs::write(&place, packed)?;
                ("Packed", place.display().to_string())
            }
            false => ("Plain", path),
        };
        code += &format!("    ({name:?}, File::{kind}(include_bytes!({place:?}))),\n");
    }
    code += "];\n";
    fs::write(out.join("files.rs"), code)
}

/// All files below a folder, by their names in addresses.
fn walk(root: &Path, at: &Path, files: &mut Vec<(String, String)>) -> io::Result<()> {
    for entry in fs::read_dir(at)? {
        let path = entry?.path();
        if path.is_dir() {
            println!("cargo::rerun-if-changed={}", path.display());
            walk(root, &path, files)?;
            continue;
        }
        let name = path.strip_prefix(root).map_err(io::Error::other)?;
        let name = name.components().map(|c| c.as_os_str().to_string_lossy().into_owned());
        let name = name.collect::<Vec<_>>().join("/");
        // The engine is behind the server: the page need not bring its own.
        if !name.ends_with(".wasm") {
            files.push((name, path.canonicalize()?.display().to_string()));
        }
    }
    Ok(())
}
