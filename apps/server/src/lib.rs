//! The server: the [protocol](nimatron_service) over HTTP, and the workbench in the browser.
//!
//! It is made to be left on. It listens to this machine only, unless it is told otherwise; requests from other
//! pages are refused; every request has limits; computations are as many as the machine has cores, and those that
//! wait are bounded; work whose client has gone is stopped. It opens no file. docs/server.md is the reference.
#![forbid(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod api;
mod config;
mod files;
mod guard;
mod metrics;
mod pool;
mod reply;
mod serve;

pub use config::Config;
pub use serve::{Running, start};
