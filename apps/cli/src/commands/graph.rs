//! `nimatron graph`

use crate::failure::Failure;
use crate::input::{GameText, PositionText};
use crate::output::Output;
use crate::status::Status;
use nimatron::graph::{GameGraph, GraphError, GraphKind};
use nimatron::render::{graph, graph_dot, graph_json, graph_svg};

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
    #[arg(value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST)))]
    limit: u32,
}

/// Positions of a graph, at the most.
const MOST: u32 = 100_000;

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        let game = self.game.read()?;
        let position = self.position.read(&game)?;
        let kind = if self.full { GraphKind::Full } else { GraphKind::Playable };
        let limit = usize::try_from(self.limit).unwrap_or(usize::MAX);
        let found = GameGraph::of(&game, &position, kind, limit).map_err(|error| {
            let limit = self.limit;
            let advice = match error {
                GraphError::Stacks { .. } => String::new(),
                _ if limit >= MOST => "; no larger --limit is allowed".to_string(),
                _ => format!("; ask for more with --limit N, up to {MOST}"),
            };
            Failure::bad("too-large", format!("{error}{advice}"))
        })?;
        match (self.dot, self.svg) {
            (true, _) => output.raw(graph_dot(&found).as_bytes())?,
            (_, true) => output.raw(graph_svg(&found).as_bytes())?,
            _ => output.answer(|| graph_json(&found), |palette| graph(&found, palette))?,
        }
        Ok(Status::Answered)
    }
}
