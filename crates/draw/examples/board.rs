//! A board as SVG: `cargo run -p nimatron-draw --example board "CN(7,3)" 3,5,4,2,1,6,3 1,2,0,0,0,0,2`

use nimatron_draw::{BoardOptions, Heights, Theme, board, pens};

#[allow(clippy::print_stdout, reason = "this is what it is for")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut options = BoardOptions::default();
    let mut theme = Theme::Light;
    let mut words = Vec::new();
    for word in std::env::args().skip(1) {
        match word.as_str() {
            "numbers" => options = options.heights(Some(Heights::Numbers)),
            "row" => options = options.layout(Some(nimatron_draw::Layout::Row)),
            "dark" => theme = Theme::Dark,
            "print" => theme = Theme::Print,
            word => words.push(word.to_string()),
        }
    }
    let game = words.first().ok_or("no game is given")?.parse()?;
    let heights = words[1..].iter().map(|w| w.split(',').map(str::parse).collect());
    let heights: Vec<Vec<u64>> = heights.collect::<Result<_, _>>()?;
    let drawing = match &heights[..] {
        [] => board::game(&game, &options)?,
        [position] => board::position(&game, position, &options)?,
        [position, take, ..] => board::step(&game, position, take, &options)?,
    };
    println!("{}", pens::svg(&drawing, theme));
    Ok(())
}
