//! The page, as it was built.

include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// A file of the page, under its name in addresses.
pub fn embedded(name: &str) -> Option<&'static [u8]> {
    let place = FILES.binary_search_by(|(known, _)| (*known).cmp(name)).ok()?;
    FILES.get(place).map(|(_, bytes)| *bytes)
}

/// What a browser takes a file for.
pub fn media_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "woff" => "font/woff",
        "ttf" => "font/ttf",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

/// What is shown where the page was not built.
pub(crate) const WITHOUT_PAGE: &str = "<!doctype html>
<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Nimatron</title></head>
<body><h1>Nimatron</h1>
<p>The engine is here, the page is not: it was not built before this program was. Build it in <code>apps/web</code>
(docs/web.md says how), and build the program again.</p>
<p>Questions can be asked all the same: <code>POST /api</code>, as docs/protocol.md says.</p>
</body></html>
";

/// A word that changes when a file does.
pub(crate) fn tag(bytes: &[u8]) -> String {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325, step);
    format!("\"{hash:016x}-{:x}\"", bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_by_name() {
        assert!(FILES.is_sorted_by(|one, other| one.0 < other.0));
        for (name, bytes) in FILES {
            assert_eq!(embedded(name), Some(*bytes));
        }
        assert_eq!(embedded("../Cargo.toml"), None);
    }
}
