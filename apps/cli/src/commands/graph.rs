//! `nimatron graph`

use crate::host::quick;
use crate::input::{GameText, PositionText};
use crate::output::Output;
use nimatron::figures::{self, Theme, pens};
use nimatron::render::{graph, graph_dot};
use nimatron_service::asks::pictures::{Graph, MOST_POSITIONS};
use nimatron_service::{Failure, Found, Status};
use std::num::NonZeroU32;

/// All positions that can be reached, with their moves and outcomes
///
/// In slow games tokens that no play can ever remove are taken off, at the start and after every
/// move: the playable game graph. With --full they stay, and are shown apart.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  nimatron graph \"Slow(4,{3})\" 1,2,5,6
  nimatron graph \"Slow(4,{3})\" 1,2,5,6 --full
  nimatron graph \"CN(4,2)\" 1,1,1,1 --dot | dot -Tpdf > graph.pdf
  nimatron graph \"Slow(4,{3})\" 1,2,5,6 --svg > graph.svg")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameText,
    #[command(flatten)]
    position: PositionText,
    /// Keep unplayable tokens
    #[arg(long)]
    full: bool,
    /// Print the graph in the language of Graphviz
    #[arg(long, group = "format", conflicts_with = "json")]
    dot: bool,
    /// Print an SVG picture
    #[arg(long, group = "format", conflicts_with = "json")]
    svg: bool,
    /// Give up if more positions than this can be reached
    #[arg(long, value_name = "N", default_value_t = 200)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_POSITIONS)))]
    limit: u32,
}

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        let asked = Graph {
            game: self.game.text()?,
            position: self.position.text()?,
            full: self.full,
            limit: NonZeroU32::new(self.limit),
        };
        let found = asked.find(&quick(output))?;
        match (self.dot, self.svg) {
            (true, _) => output.raw(graph_dot(&found).as_bytes())?,
            (_, true) => {
                let drawn = figures::graph(&found).map_err(|error| {
                    let advice = "--dot writes it for Graphviz, whatever its size";
                    Failure::bad("figure", format!("{error}; {advice}"))
                })?;
                output.raw(pens::svg(&drawn, Theme::Auto).as_bytes())?;
            }
            _ => output.answer(|| found.json(), |palette| graph(&found, palette))?,
        }
        Ok(found.status())
    }
}
