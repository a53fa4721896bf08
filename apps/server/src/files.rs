//! The page, as it was built.

use flate2::read::GzDecoder;
use std::borrow::Cow;
use std::io::{self, Read};

include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// A file of the page, as it is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum File {
    /// As it is.
    Plain(&'static [u8]),
    /// Compressed by gzip.
    Packed(&'static [u8]),
}

impl File {
    /// What is sent, and whether that is compressed: only if the client takes it so.
    pub(crate) fn sent(self, takes_gzip: bool) -> io::Result<(Cow<'static, [u8]>, bool)> {
        match self {
            File::Plain(bytes) => Ok((bytes.into(), false)),
            File::Packed(bytes) if takes_gzip => Ok((bytes.into(), true)),
            File::Packed(bytes) => {
                let mut plain = Vec::new();
                GzDecoder::new(bytes).read_to_end(&mut plain)?;
                Ok((plain.into(), false))
            }
        }
    }
}

/// A file of the page, under its name in addresses.
pub(crate) fn embedded(name: &str) -> Option<File> {
    let place = FILES.binary_search_by(|(known, _)| (*known).cmp(name)).ok()?;
    FILES.get(place).map(|(_, file)| *file)
}

/// Whether a client that says this in `Accept-Encoding` takes gzip.
pub(crate) fn takes_gzip(accepted: &str) -> bool {
    let mut codings = accepted.split(',').map(|coding| coding.split(';').map(str::trim));
    codings.any(|mut coding| {
        matches!(coding.next(), Some("gzip" | "*"))
            && !coding.any(|q| matches!(q, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"))
    })
}

/// What a browser takes a file for.
pub(crate) fn media_type(name: &str) -> &'static str {
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
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_by_name() {
        assert!(FILES.is_sorted_by(|one, other| one.0 < other.0));
        for (name, file) in FILES {
            assert_eq!(embedded(name), Some(*file));
        }
        assert_eq!(embedded("../Cargo.toml"), None);
    }

    #[test]
    fn files_are_those_that_were_built() {
        let built = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/dist");
        for (name, file) in FILES {
            let (plain, packed) = file.sent(false).unwrap();
            assert!(!packed);
            assert_eq!(plain, std::fs::read(built.join(name)).unwrap(), "{name}");
            assert_eq!(file.sent(true).unwrap().1, matches!(file, File::Packed(_)));
        }
    }

    #[test]
    fn clients_say_what_they_take() {
        for yes in ["gzip", "gzip, deflate, br, zstd", "br;q=1.0, gzip;q=0.8, *;q=0.1", "*"] {
            assert!(takes_gzip(yes), "{yes}");
        }
        for no in ["", "br", "identity", "gzip;q=0", "gzip; q=0, br", "*;q=0"] {
            assert!(!takes_gzip(no), "{no}");
        }
    }
}
