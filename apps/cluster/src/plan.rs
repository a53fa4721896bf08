//! `nimatron-mpi plan`

use crate::cli;
use crate::output::answer;
use nimatron::Unlimited;
use nimatron::render::json;
use nimatron::tables::{Network, PartForecast, PartPlan};
use nimatron_service::asks::table::parts_failure as failure;
use nimatron_service::{Failure, Heights, Status, read};
use serde::Serialize;

/// What a table would need.
#[derive(Debug, Serialize)]
struct Planned {
    game: String,
    max: Vec<nimatron::Height>,
    positions: f64,
    /// P-positions that are listed: those of one block of every orbit.
    listed: f64,
    ranks: Vec<RankPlan>,
}

#[derive(Debug, Serialize)]
struct RankPlan {
    #[serde(flatten)]
    forecast: PartForecast,
    memory: f64,
    /// Seconds over ten-gigabit Ethernet.
    seconds: f64,
}

/// Tells what a table would need.
pub(crate) fn run(args: &cli::Plan) -> Result<Status, Failure> {
    let game = read::game(&args.game)?;
    let max = read::max(&Heights(args.max.clone()), &game)?;
    let mut plan = PartPlan::new(&game, &max).map_err(failure)?;
    let threads = args.threads.into();
    let (least, free) = (plan.least_memory(threads), nimatron::machine::free_memory());
    if free.is_some_and(|free| least > free as f64) {
        let message = format!("to know all blocks takes {:.1} GB of memory", least / 1e9);
        return Err(Failure::memory(message));
    }
    plan.prepare(&Unlimited).map_err(failure)?;
    let ranks = args.ranks.iter().map(|&ranks| {
        let forecast = plan.each_of(ranks as usize, threads);
        let seconds = forecast.seconds(Network::TEN_GIGABIT);
        RankPlan { forecast, memory: forecast.memory(), seconds }
    });
    let planned = Planned {
        game: game.to_string(),
        positions: plan.positions(),
        listed: plan.listed(),
        ranks: ranks.collect(),
        max,
    };
    answer(&match args.json {
        true => json::to_string(&planned) + "\n",
        false => planned.told(),
    })?;
    Ok(Status::Answered)
}

impl Planned {
    fn told(&self) -> String {
        let heights: Vec<String> = self.max.iter().map(ToString::to_string).collect();
        let mut text = format!("{}, heights up to {}\n", self.game, heights.join(","));
        text += &format!("  positions       {:.3e}\n", self.positions);
        text += &format!("  listed, about   {:.3e}\n\n", self.listed);
        let names = ["ranks", "threads", "MB each", "MB received", "work s", "uneven", "time s"];
        let row = |cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(|cell| format!("{cell:>12}")).collect();
            cells.concat() + "\n"
        };
        text += &row(&names.map(str::to_string));
        for RankPlan { forecast, memory, seconds } in &self.ranks {
            text += &row(&[
                forecast.parties.to_string(),
                forecast.threads.to_string(),
                format!("{:.1}", memory / 1e6),
                format!("{:.1}", forecast.received / 1e6),
                format!("{:.2}", forecast.work),
                format!("{:.3}", forecast.imbalance),
                format!("{seconds:.2}"),
            ]);
        }
        text
    }
}
