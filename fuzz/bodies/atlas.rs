//! What must hold for all bytes read as the data of an atlas. Called with random and changed bytes by
//! the fuzzer and by the tests of the facade.

use nimatron::atlas::Atlas;
use nimatron::render::{Palette, atlas_entry, atlas_list};

/// Reads the bytes before the first zero byte as the lines of an atlas, and the others as its
/// certificates; whatever can be read is shown.
///
/// # Panics
/// If something that should hold does not.
pub(crate) fn check(bytes: &[u8]) {
    let end = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
    let certificates = bytes.get(end + 1..).unwrap_or_default().to_vec();
    let lines = String::from_utf8_lossy(&bytes[..end]);
    let Ok(atlas) = Atlas::read(&lines, certificates) else { return };
    for entry in atlas.entries() {
        let _ = atlas.status(entry);
        if let Some(rule) = entry.game.single() {
            let _ = atlas.find(rule, entry.game.convention());
        }
        let (text, certificate) = (atlas.certificate_text(entry), atlas.certificate(entry));
        assert!(certificate.is_err() || text.is_ok());
        assert!(!atlas_entry(&atlas, entry, &entry.game, &Palette::PLAIN).is_empty());
    }
    let entries: Vec<_> = atlas.entries().iter().collect();
    assert!(!atlas_list(&atlas, "all", &entries, &Palette::PLAIN).is_empty());
}
