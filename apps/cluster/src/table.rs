//! `nimatron-mpi table`

mod report;

use crate::cli;
use crate::ended::Ended;
use crate::exchange::{Agreed, Ranks};
use crate::output::{announce, answer};
use crate::post::Post;
use crate::shelf::FileShelf;
use crate::{Rank, signal};
use nimatron::crates::game::Watch;
use nimatron::crates::table::blocks::Shelf;
use nimatron::tables::{
    Manifest, PartForecast, PartPlan, PartReport, PartRun, PartsError, TabulationError, Threads,
};
use nimatron::{Game, Height, Stop};
use nimatron_service::asks::table::parts_failure as failure;
use nimatron_service::{Failure, Heights, Status, read};
use report::{Ending, RankReport, Refusal, Summary};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How often what was found is kept.
const TEN_MINUTES: Duration = Duration::from_secs(600);
/// How often progress is told.
const A_WHILE: Duration = Duration::from_secs(10);

/// A table to be computed.
#[derive(Debug)]
pub(crate) struct Job {
    args: cli::Table,
    game: Game,
    max: Vec<Height>,
}

impl Job {
    /// Reads the game and the box.
    pub(crate) fn read(args: cli::Table) -> Result<Self, Failure> {
        let game = read::game(&args.game)?;
        let max = read::max(&Heights(args.max.clone()), &game)?;
        Ok(Job { args, game, max })
    }

    pub(crate) fn run(self, rank: &Rank<'_>) -> Result<Status, Ended> {
        let Rank { post, machine } = *rank;
        let begun = Instant::now();
        signal::listen(post);
        let threads = self.args.threads.map_or_else(|| machine.threads(), usize::from);
        let memory = self.args.memory.or_else(|| machine.memory());
        let guard = Guard { post, memory };
        let mut plan = PartPlan::new(&self.game, &self.max).map_err(failure)?;
        let room = match self.room(rank, &mut plan, threads, memory)? {
            Ok(room) => room,
            Err(status) => return Ok(status),
        };
        let mut run = self.open(rank, plan, &room, &guard)?;
        let resumed = run.progress().0;
        if post.me() == 0 && resumed > 0 && !self.args.quiet {
            let (done, levels) = run.progress();
            let dir = self.args.out.display();
            announce(&format!("going on from {dir}: {done} of {levels} levels are done"));
        }
        let kept = Mutex::new(Instant::now());
        let (every, time) = (self.args.every.unwrap_or(TEN_MINUTES), self.args.time);
        let wish = || Agreed {
            stop: signal::asked() || (post.me() == 0 && time.is_some_and(|t| begun.elapsed() > t)),
            keep: post.me() == 0 && crate::post::lock(&kept).elapsed() >= every,
        };
        let ranks = Ranks::new(post, &wish);
        let crew = Threads::new(threads);
        let mut told = Instant::now();
        let mut stopped = None;
        while !run.is_finished() {
            ranks.begin();
            run.step(&crew, &ranks, &guard).map_err(|error| given_up(post, error))?;
            let agreed = ranks.agreed();
            if agreed.keep || agreed.stop || run.is_finished() {
                self.keep(post, &mut run)?;
                *crate::post::lock(&kept) = Instant::now();
            }
            if agreed.stop && !run.is_finished() {
                let time = time.is_some_and(|t| begun.elapsed() > t) && !signal::asked();
                stopped = Some(if time { Stop::Time } else { Stop::Cancelled });
                break;
            }
            if post.me() == 0 && !self.args.quiet && told.elapsed() >= A_WHILE {
                told = Instant::now();
                let (done, levels) = run.progress();
                announce(&report::progress(done, levels, resumed, begun.elapsed()));
            }
        }
        let (sent, received) = post.bytes();
        let (worked, waited) = ranks.times();
        let report = RankReport {
            rank: post.me(),
            node: machine.name.clone(),
            threads,
            memory: nimatron::machine::peak_memory(),
            lists: run.most_bytes(),
            sent,
            received,
            worked,
            waited,
            part: run.part_file().bytes,
        };
        let reports: Vec<RankReport> = collect(post, &report)?;
        if post.me() != 0 {
            return Ok(Status::Answered);
        }
        let ending = Ending {
            progress: run.progress(),
            resumed,
            stopped,
            seconds: begun.elapsed().as_secs_f64(),
            forecast: room.forecast,
        };
        let summary = Summary::new(&self.game, &self.max, &self.args.out, &ending, reports)?;
        answer(&summary.told(self.args.json))?;
        Ok(Status::of(stopped))
    }

    /// Room for the table on every rank, or a refusal that rank 0 has told.
    fn room(
        &self,
        rank: &Rank<'_>,
        plan: &mut PartPlan,
        threads: usize,
        memory: Option<u64>,
    ) -> Result<Result<Room, Status>, Ended> {
        let Rank { post, machine } = *rank;
        let allowed = memory.map_or(f64::MAX, |memory| memory as f64);
        let guard = Guard { post, memory };
        let fits_at_all = plan.least_memory(threads) <= allowed;
        if fits_at_all {
            plan.prepare(&guard).map_err(|error| given_up(post, error))?;
        }
        let forecast = plan.each_of(post.ranks(), threads);
        let rest = forecast.memory() - forecast.lists;
        let fits = forecast.memory() <= allowed;
        // What is left for lists, if that is something.
        let most = (self.args.spill.is_some() && !fits && fits_at_all && rest < allowed)
            .then_some((allowed - rest) as u64);
        let refusal = (!fits && most.is_none()).then(|| Refusal {
            rank: post.me(),
            node: machine.name.clone(),
            memory: if fits_at_all { forecast.memory() } else { plan.least_memory(threads) },
            least: if fits_at_all { rest } else { plan.least_memory(threads) },
            limit: memory.unwrap_or(u64::MAX),
        });
        let refusals: Vec<Option<Refusal>> = collect(post, &refusal)?;
        let refusals: Vec<Refusal> = refusals.into_iter().flatten().collect();
        let refused = post.tell(|| vec![u8::from(!refusals.is_empty())])? == [1];
        if !refused {
            return Ok(Ok(Room { forecast, most }));
        }
        if post.me() == 0 {
            let positions = plan.positions();
            let spills = self.args.spill.is_some();
            let told = report::refused(&self.game, &self.max, positions, &refusals, spills);
            answer(&told.told(self.args.json))?;
        }
        Ok(Err(Status::Undecided))
    }

    /// The run, begun or gone on with, and described by a manifest.
    fn open(
        &self,
        rank: &Rank<'_>,
        plan: PartPlan,
        room: &Room,
        guard: &Guard<'_>,
    ) -> Result<PartRun, Ended> {
        let post = rank.post;
        let dir: &Path = &self.args.out;
        // Rank 0 looks what there is, so that all see the same.
        let mut found = Ok(None);
        let told = post.tell(|| {
            found = Manifest::find(dir).map_err(failure);
            found.as_ref().map_or_else(|_| Vec::new(), write)
        })?;
        found?;
        let manifest: Option<Manifest> = match told.is_empty() {
            true => return Err(Ended::Elsewhere),
            false => parse(&told)?,
        };
        let which = (post.me(), post.ranks());
        let shelf = match (room.most, &self.args.spill) {
            (Some(most), Some(place)) => {
                let shelf = FileShelf::new(place, post.me());
                let name = place.display().to_string();
                let shelf = shelf.map_err(|error| Failure::file(&name, &error))?;
                Some((Box::new(shelf) as Box<dyn Shelf>, most))
            }
            _ => None,
        };
        let known = manifest.as_ref().is_some_and(|m| m.parts.len() == post.ranks());
        let mut run = match &manifest {
            Some(manifest) => plan.resume(manifest, dir, which, shelf, guard),
            None => plan.begin(dir, which).map(|mut run| {
                if let Some((shelf, most)) = shelf {
                    run.shelve(shelf, most);
                }
                run
            }),
        }
        .map_err(|error| given_up(post, error))?;
        self.agree(post, &run)?;
        if !known {
            self.keep(post, &mut run)?;
        }
        // Nothing is added to the parts before their manifest is there.
        post.tell(Vec::new)?;
        self.last_words(&run);
        Ok(run)
    }

    /// All ranks have the same plan.
    fn agree(&self, post: &Post, run: &PartRun) -> Result<(), Ended> {
        let mine = run.fingerprint().map_err(failure)?;
        let prints: Vec<u64> = collect(post, &mine)?;
        match prints.iter().position(|&print| print != mine) {
            None => Ok(()),
            Some(rank) => {
                let why = format!("rank {rank} runs another version of nimatron-mpi");
                Err(Failure::bad("versions", why).into())
            }
        }
    }

    /// All ranks bring what they found to the disk; then rank 0 says so in the manifest.
    fn keep(&self, post: &Post, run: &mut PartRun) -> Result<(), Ended> {
        run.sync().map_err(failure)?;
        let reports: Vec<PartReport> = collect(post, &run.report())?;
        if post.me() == 0 {
            let manifest = run.manifest_of(reports);
            manifest.write(&self.args.out).map_err(failure)?;
            manifest.sweep(&self.args.out);
        }
        self.last_words(run);
        Ok(())
    }

    fn last_words(&self, run: &PartRun) {
        let (done, levels) = run.progress();
        let dir = self.args.out.display();
        signal::last_words(format!(
            "asked to stop: {done} of {levels} levels are kept in {dir}; the same command goes on \
             from there, with any number of ranks"
        ));
    }
}

/// What a rank may use.
struct Room {
    forecast: PartForecast,
    /// Bytes for lists in memory, if others are spilled.
    most: Option<u64>,
}

/// Stops the work of a rank when another one cannot go on, or when there is no memory left.
struct Guard<'a> {
    post: &'a Post,
    memory: Option<u64>,
}

impl Watch for Guard<'_> {
    fn check(&self, memory: u64) -> Result<(), Stop> {
        if self.post.is_given_up() {
            return Err(Stop::Cancelled);
        }
        match self.memory.is_some_and(|most| memory > most) {
            true => Err(Stop::Memory),
            false => Ok(()),
        }
    }

    fn progress(&self, _: u128, _: u128) {}
}

/// What stopped a rank: its own trouble, or that of another.
fn given_up(post: &Post, error: PartsError) -> Ended {
    match (post.is_given_up(), error) {
        (true, _) => Ended::Elsewhere,
        (false, PartsError::Run(TabulationError::Stopped(stop))) => Failure::stopped(stop).into(),
        (false, error) => failure(error).into(),
    }
}

fn write(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).unwrap_or_default()
}

fn parse<T: DeserializeOwned>(text: &[u8]) -> Result<T, Failure> {
    let unreadable = |error: serde_json::Error| Failure::bad("letter", error.to_string());
    serde_json::from_slice(text).map_err(unreadable)
}

/// Rank 0 gets what all ranks have, in their order; the others get nothing.
fn collect<T: Serialize + DeserializeOwned>(post: &Post, mine: &T) -> Result<Vec<T>, Ended> {
    let all = post.gather(write(mine))?;
    Ok(all.iter().map(|text| parse(text)).collect::<Result<_, _>>()?)
}
