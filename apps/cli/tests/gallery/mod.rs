//! What is shown in docs/figures.md.

/// The figures of docs/figures.md, by their names.
pub(crate) const GALLERY: [(&str, &[&str]); 21] = [
    ("game", &["CN(8,3)", "--point", "bcd"]),
    ("position", &["CN(8,3)", "1,3,5,4,4,2,1,6"]),
    ("move", &["CN(7,4)", "1,7,5,6,2,3,6", "--take", "1,6,0,2,0,0,0", "--heights", "numbers"]),
    ("necklace", &["NN(6,3)", "1,3,4,2,2,5"]),
    ("path", &["PN(5,3)", "2,4,1,2,4", "--take", "0,2,1,2,0"]),
    ("graph-game", &["Graph(0-1,1-2,2-0,0-3,1-3,2-3)", "1,2,3,4,5,6"]),
    ("structure-5-3", &["CN(5,3)", "--what", "structure"]),
    ("structure-6-3", &["CN(6,3)", "--what", "structure"]),
    ("structure-6-4", &["CN(6,4)", "--what", "structure"]),
    ("structure-8-6", &["CN(8,6)", "--what", "structure"]),
    ("structure-7-4", &["CN(7,4)", "--what", "structure"]),
    ("process", &["CN(7,3)", "3,5,4,2,1,6,3", "--what", "process"]),
    ("peeling", &["CN(9,4)", "8,3,2,7,5,1,9,4,4", "--what", "process"]),
    ("subgames", &["CN(6,2)", "--what", "subgames"]),
    ("circuits", &["CN(8,6)", "--what", "circuits"]),
    ("slice", &["CN(4,2)", "0,4,0,4", "--what", "slice", "--axes", "ac", "--max", "9"]),
    ("growth", &["CN(5,3)", "--what", "growth", "--max", "12"]),
    ("grid", &["Slow(9,{8})", "1,2,3,4,5,6,7,8,9", "--what", "grid"]),
    ("graph", &["Slow(4,{3})", "1,2,5,6", "--what", "graph"]),
    ("automaton", &["Set(ab,ac,bc,ad)", "--what", "automaton"]),
    ("frontier", &["CN(3,2)", "--what", "frontier", "--max", "12"]),
];
