//! What can be set.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

/// What a server is like. The default listens to this machine only, on any free port.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Config {
    /// Where it listens.
    pub address: SocketAddr,
    /// Whether anybody may ask, under any name of this machine, and each address is limited to a rate.
    pub public: bool,
    /// No question takes longer.
    pub time: Duration,
    /// No question uses more bytes.
    pub memory: u64,
    /// So many computations at a time, at least two.
    pub workers: usize,
    /// So many questions wait for their turn, short ones and long ones each.
    pub queue: usize,
    /// The longest question.
    pub body: usize,
    /// A question must arrive within this time.
    pub patience: Duration,
    /// So many connections at a time.
    pub connections: usize,
    /// In public: so many requests per second from one address, in the long run.
    pub rate: f64,
    /// In public: so many at once.
    pub burst: f64,
}

impl Default for Config {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Config {
            address: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0),
            public: false,
            time: Duration::from_secs(60),
            memory: 1_000_000_000,
            workers: cores.max(2),
            queue: 256,
            body: 8 << 20,
            patience: Duration::from_secs(15),
            connections: 1024,
            rate: 10.0,
            burst: 40.0,
        }
    }
}
