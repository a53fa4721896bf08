//! `nimatron serve`

use crate::output::Output;
use nimatron_server::{Config, start};
use nimatron_service::units::{memory, time};
use nimatron_service::{Failure, Status};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

/// The workbench in the browser, with this engine behind it
///
/// Prints the address of the page, and answers until Ctrl-C. Nobody but this machine is listened to, unless
/// --public is given. Questions can be asked by programs as well: see docs/protocol.md and docs/server.md.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  nimatron serve
  nimatron serve --port 8080 --time 30s
  nimatron serve --public --port 8080")]
pub(crate) struct Args {
    /// Listen to this port; 0 takes any that is free
    #[arg(long, value_name = "N", default_value_t = 7341)]
    port: u16,
    /// Listen to the network, at a limited rate for each address
    #[arg(long)]
    public: bool,
    /// No question takes longer: 500ms, 30s, 5m; 60s if not given
    #[arg(long, value_name = "TIME", value_parser = time)]
    time: Option<Duration>,
    /// No question uses more memory: 500MB, 2GB; 1GB if not given
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    memory: Option<u64>,
    /// So many questions at a time; as many as there are cores if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(2..=256))]
    workers: Option<u16>,
    /// So many questions wait for their turn; further ones are sent away
    #[arg(long, value_name = "N", default_value_t = 256)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..))]
    queue: u16,
    /// With --public: so many questions per second from one address; 10 if not given
    #[arg(long, value_name = "N", requires = "public")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..))]
    rate: Option<u16>,
}

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        output.refuse_json("the address")?;
        let mut config = Config::default();
        let address = if self.public { Ipv4Addr::UNSPECIFIED } else { Ipv4Addr::LOCALHOST };
        config.address = SocketAddr::new(IpAddr::V4(address), self.port);
        config.public = self.public;
        config.queue = self.queue.into();
        config.time = self.time.unwrap_or(config.time);
        config.memory = self.memory.unwrap_or(config.memory);
        config.workers = self.workers.map_or(config.workers, usize::from);
        if let Some(rate) = self.rate {
            config.rate = rate.into();
            config.burst = 4.0 * config.rate;
        }
        let name = format!("port {}", self.port);
        let failed = |error: std::io::Error| Failure::file(&name, &error);
        let running = start(config).map_err(failed)?;
        let port = running.address().port();
        let said = match self.public {
            true => format!("http://localhost:{port}/, and to the network under the names of this machine"),
            false => format!("http://localhost:{port}/"),
        };
        output.raw(format!("Nimatron answers at {said}\nCtrl-C ends it.\n").as_bytes())?;
        running.until_interrupted().map_err(failed)?;
        Ok(Status::Answered)
    }
}
