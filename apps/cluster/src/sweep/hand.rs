//! A process of its own for games: one that eats memory does not take its rank with it.
//!
//! Such a process reads pieces of work from its standard input and writes what came of them to its
//! standard output, one line of JSON each. It has a limit on its memory from the system, and ends with
//! its rank. The rank ends it where it takes far too long.

use super::work::{Found, Limits, Work};
use crate::post::Post;
use rustix::process::{Resource, Rlimit, Signal, set_parent_process_death_signal, setrlimit};
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitCode, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// What the process may have besides what its work may: the program, its libraries, slack.
const BESIDES: u64 = 1 << 30;
/// How long a process may take longer than its work may, in times and beyond that.
const TIMES: u32 = 4;
const BEYOND: Duration = Duration::from_secs(60);
/// How often a rank looks whether others have given up.
const LOOK: Duration = Duration::from_millis(200);

/// The process: reads its limits, then one piece of work after the other.
pub(crate) fn serve() -> ExitCode {
    // Where the system has no such signals the end of standard input does.
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
    // A signal to all processes of a job is for the ranks to hear: they say when to end.
    let _ = ctrlc::set_handler(|| {});
    let mut lines = io::stdin().lock().lines();
    let limits = lines.next().and_then(Result::ok);
    let Some(limits) = limits.and_then(|line| serde_json::from_str::<Limits>(&line).ok()) else {
        return ExitCode::from(2);
    };
    let most = Some(limits.memory.saturating_add(limits.memory / 4).saturating_add(BESIDES));
    // Where that cannot be limited, the work still counts what it uses.
    let _ = setrlimit(Resource::As, Rlimit { current: most, maximum: most });
    for line in lines {
        let Ok(line) = line else { break };
        let found = match serde_json::from_str::<Work>(&line) {
            Ok(work) => work.run(&limits),
            Err(error) => Found::Failed(error.to_string()),
        };
        let mut out = io::stdout().lock();
        let text = serde_json::to_string(&found).unwrap_or_default();
        if writeln!(out, "{text}").and_then(|()| out.flush()).is_err() {
            break;
        }
    }
    ExitCode::SUCCESS
}

/// A hand of a rank: a process, which is started again when it has ended.
#[derive(Debug)]
pub(crate) struct Hand<'a> {
    limits: &'a Limits,
    at_work: Option<Process>,
}

#[derive(Debug)]
struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl<'a> Hand<'a> {
    pub(crate) fn new(limits: &'a Limits) -> Self {
        Hand { limits, at_work: None }
    }

    /// What comes of a piece of work; `None` if others have given up.
    pub(crate) fn run(&mut self, work: &Work, post: &Post) -> Option<Found> {
        let mut process = match self.at_work.take().map_or_else(|| self.start(), Ok) {
            Ok(process) => process,
            Err(error) => {
                return Some(Found::Failed(format!("no process can be started: {error}")));
            }
        };
        let text = serde_json::to_string(work).unwrap_or_default() + "\n";
        let asked = process.input.write_all(text.as_bytes()).and_then(|()| process.input.flush());
        if asked.is_err() {
            return Some(process.ended());
        }
        let began = Instant::now();
        let longest = self.limits.time() * TIMES + BEYOND;
        loop {
            match process.lines.recv_timeout(LOOK) {
                Ok(line) => {
                    let found = serde_json::from_str(&line);
                    self.at_work = Some(process);
                    return Some(found.unwrap_or_else(|error| Found::Failed(error.to_string())));
                }
                Err(RecvTimeoutError::Disconnected) => return Some(process.ended()),
                Err(RecvTimeoutError::Timeout) if post.is_given_up() => {
                    process.kill();
                    return None;
                }
                Err(RecvTimeoutError::Timeout) if began.elapsed() > longest => {
                    process.kill();
                    let seconds = longest.as_secs();
                    return Some(Found::Failed(format!("it was ended after {seconds} s")));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    fn start(&self) -> io::Result<Process> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("hand").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("no pipes"));
        };
        let limits = serde_json::to_string(self.limits)?;
        writeln!(input, "{limits}")?;
        let (send, lines) = channel();
        // It ends with the process.
        std::thread::Builder::new().spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    break;
                }
            }
        })?;
        Ok(Process { child, input, lines })
    }
}

impl Drop for Hand<'_> {
    fn drop(&mut self) {
        if let Some(process) = self.at_work.take() {
            // Without anything to read it ends.
            drop(process.input);
            let mut child = process.child;
            let _ = child.wait();
        }
    }
}

impl Process {
    fn kill(mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// It has ended by itself.
    fn ended(mut self) -> Found {
        let status = self.child.wait();
        let why = status.map_or_else(|error| error.to_string(), |status| status.to_string());
        Found::Failed(format!("its process ended ({why}): it may have run out of memory"))
    }
}
