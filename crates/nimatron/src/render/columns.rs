//! Rows in columns.

use crate::render::palette::Palette;

impl Palette {
    /// Rows with their cells under each other, two blanks in front. What is too wide for the screen
    /// has its last cells on lines of their own.
    pub(crate) fn columns(&self, rows: &[Vec<String>]) -> String {
        columns(rows, self)
    }
}

fn columns(rows: &[Vec<String>], palette: &Palette) -> String {
    let width = palette.width;
    let length = |cell: &String| cell.chars().count();
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..count)
        .map(|c| rows.iter().filter_map(|row| row.get(c)).map(length).max().unwrap_or(0))
        .collect();
    // Columns stand under each other as far as they leave room for what follows.
    let total: usize = widths.iter().map(|w| w + 2).sum();
    let mut used = 0;
    let aligned = widths.iter().take_while(|&w| {
        used += w + 2;
        total <= width || used <= width * 3 / 5
    });
    let aligned = aligned.count();
    let mut out = String::new();
    for row in rows {
        let last = row.iter().rposition(|cell| !cell.is_empty()).map_or(0, |i| i + 1);
        let mut line = String::new();
        for (c, cell) in row[..last].iter().enumerate() {
            let blanks = if c < aligned { widths[c] - length(cell) } else { 0 };
            line += &format!("  {cell}{}", " ".repeat(blanks));
        }
        out += &palette.wrap(line.trim_end(), if width < 50 { "    " } else { "        " });
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_stand_under_each_other_while_there_is_room() {
        let row = |cells: &[&str]| cells.iter().map(|c| c.to_string()).collect::<Vec<_>>();
        let rows = [row(&["a", "bb", ""]), row(&["aaa", "b", "c"])];
        assert_eq!(Palette::PLAIN.columns(&rows), "  a    bb\n  aaa  b   c\n");
        let wide = Palette::PLAIN.columns(&[row(&["a", &"b ".repeat(60)]), row(&["aaa", "b"])]);
        assert!(wide.lines().all(|l| l.len() <= 80), "{wide}");
        let narrow = Palette::PLAIN.of_width(30).columns(&rows);
        assert!(narrow.lines().all(|l| l.len() <= 30), "{narrow}");
        assert!(wide.ends_with("\n  aaa  b\n"), "{wide}");
    }
}
