//! Questions at a steady rate, whether or not the answers come: `steady ADDRESS RATE SECONDS [CONNECTIONS]`.
//!
//! The questions are read from the standard input, one to a line, and asked in turn. A question is asked at the moment
//! the rate says, by the next connection that is free, and its latency counts from that moment: where the server is late,
//! or all connections wait, every question behind is late too, and is counted so. Each connection has a thread that
//! sleeps until its turn, so that the client takes little of the processors it shares with the server. The answer is one
//! line of JSON, in milliseconds; `client` is the processor time that the client took for a question, in microseconds.
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// A connection that stays open.
struct Connection {
    stream: TcpStream,
    from: BufReader<TcpStream>,
    line: String,
    body: Vec<u8>,
}

impl Connection {
    fn open(address: &str) -> io::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(Duration::from_secs(30)))?;
        let from = BufReader::new(stream.try_clone()?);
        Ok(Connection { stream, from, line: String::new(), body: Vec::new() })
    }

    /// Asks, and reads the whole answer.
    fn ask(&mut self, question: &[u8]) -> Outcome<()> {
        self.stream.write_all(question)?;
        let (mut status, mut length) = (String::new(), None);
        loop {
            self.line.clear();
            if self.from.read_line(&mut self.line)? == 0 {
                return Err("the connection was closed".into());
            }
            match self.line.trim_end() {
                "" => break,
                text if status.is_empty() => status = text.to_string(),
                text => match text.split_once(':') {
                    Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                        length = Some(value.trim().parse::<usize>()?);
                    }
                    _ => {}
                },
            }
        }
        let length = length.ok_or("an answer without a length")?;
        self.body.resize(length, 0);
        self.from.read_exact(&mut self.body)?;
        match status.split(' ').nth(1) {
            Some("200") => Ok(()),
            _ => Err(status.into()),
        }
    }
}

fn main() -> Outcome<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [address, rate, seconds, more @ ..] = words.as_slice() else {
        return Err("steady ADDRESS RATE SECONDS [CONNECTIONS]".into());
    };
    let (rate, seconds): (u32, u32) = (rate.parse()?, seconds.parse()?);
    let connections: usize = more.first().map_or(Ok(32), |word| word.parse())?;
    let asked = |body: String| {
        let length = body.len();
        let head = format!(
            "POST /api HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
        );
        (head + &body).into_bytes()
    };
    let questions: Vec<Vec<u8>> =
        io::stdin().lines().map(|line| line.map(asked)).collect::<Result<_, _>>()?;
    if questions.is_empty() || rate == 0 {
        return Err("there is nothing to ask".into());
    }
    let total = usize::try_from(u64::from(rate) * u64::from(seconds))?;
    let apart = Duration::from_secs(1) / rate;
    let open =
        (0..connections).map(|_| Connection::open(address)).collect::<Result<Vec<_>, _>>()?;
    let next = AtomicUsize::new(0);
    let start = Instant::now() + Duration::from_millis(50);
    let asking = |mut connection: Connection| -> Outcome<Vec<Duration>> {
        let mut took = Vec::with_capacity(total / connections.max(1) + 1);
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= total {
                return Ok(took);
            }
            let due = start + apart * u32::try_from(number)?;
            thread::sleep(due.saturating_duration_since(Instant::now()));
            connection.ask(&questions[number % questions.len()])?;
            took.push(due.elapsed());
        }
    };
    let parts: Vec<Outcome<Vec<Duration>>> = thread::scope(|scope| {
        let asking = &asking;
        let threads: Vec<_> =
            open.into_iter().map(|one| scope.spawn(move || asking(one))).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|_| Err("a thread failed".into())))
            .collect()
    });
    let whole = start.elapsed();
    let mut took = Vec::with_capacity(total);
    for part in parts {
        took.extend(part?);
    }
    took.sort_unstable();
    let at = |part: usize| took[(took.len() * part / 1000).min(took.len() - 1)].as_secs_f64() * 1e3;
    println!(
        "{{\"count\":{},\"rate\":{:.0},\"p50\":{:.3},\"p99\":{:.3},\"p999\":{:.3},\"most\":{:.3},\"client\":{}}}",
        took.len(),
        took.len() as f64 / whole.as_secs_f64(),
        at(500),
        at(990),
        at(999),
        at(1000),
        processor()?.checked_div(total as u64).unwrap_or(0),
    );
    Ok(())
}

/// The processor time of this process in microseconds, where the system tells it (in ticks of a hundredth of a second).
fn processor() -> Outcome<u64> {
    let Ok(text) = std::fs::read_to_string("/proc/self/stat") else { return Ok(0) };
    let after = text.rsplit_once(')').map_or("", |(_, after)| after);
    let fields: Vec<&str> = after.split_whitespace().collect();
    let ticks = |i: usize| fields.get(i).map_or(Ok(0), |field| field.parse::<u64>());
    Ok((ticks(11)? + ticks(12)?) * 10_000)
}
