//! Who may ask.

use crate::config::Config;
use crate::reply::{Reply, busy, refused};
use hyper::header::{self, HeaderMap, HeaderName};
use hyper::{Method, StatusCode, Uri};
use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The name under which the server was asked, if it is one of its own.
pub(crate) fn host<'a>(
    headers: &'a HeaderMap,
    uri: &'a Uri,
    config: &Config,
    local: SocketAddr,
) -> Option<&'a str> {
    let mut named = headers.get_all(header::HOST).iter();
    let said = match (uri.authority(), named.next(), named.next()) {
        // A request that is written for a proxy names the host itself.
        (Some(_), _, _) | (_, None, _) | (_, _, Some(_)) => return None,
        (None, Some(host), None) => host.to_str().ok()?,
    };
    let (name, port) = match said.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => (name, port.parse::<u16>().ok()?),
        _ => (said, 80),
    };
    let own = ["127.0.0.1", "localhost", "[::1]"];
    let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b".-[]:".contains(&b));
    match config.public {
        true => (plain && !name.is_empty()).then_some(said),
        false => {
            let mine = own.iter().any(|known| known.eq_ignore_ascii_case(name));
            (mine && port == local.port()).then_some(said)
        }
    }
}

/// Refuses requests that another page made, or that are under a foreign name.
pub(crate) fn check(
    method: &Method,
    uri: &Uri,
    headers: &HeaderMap,
    config: &Config,
    local: SocketAddr,
) -> Result<(), Box<Reply>> {
    let refuse = |status, kind, message| Err(Box::new(refused(status, kind, message)));
    let Some(host) = host(headers, uri, config, local) else {
        let message = "this server does not answer under that name";
        return refuse(StatusCode::MISDIRECTED_REQUEST, "host", message);
    };
    if method == Method::GET || method == Method::HEAD {
        return Ok(());
    }
    let origin = headers.get(header::ORIGIN).map(|origin| origin.to_str().unwrap_or("null"));
    let own = |origin: &str| {
        let after = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        after.is_some_and(|name| name.eq_ignore_ascii_case(host))
    };
    let foreign = origin.is_some_and(|origin| !own(origin));
    let site = headers.get(SITE).and_then(|site| site.to_str().ok());
    if foreign || matches!(site, Some("cross-site" | "same-site")) {
        let message = "this server answers its own page only";
        return refuse(StatusCode::FORBIDDEN, "origin", message);
    }
    Ok(())
}

/// How often each address asks.
#[derive(Debug, Default)]
pub(crate) struct Rates {
    left: Mutex<HashMap<IpAddr, (f64, Instant)>>,
}

/// More addresses are not remembered.
const MOST_ADDRESSES: usize = 20_000;

impl Rates {
    /// Refuses what comes too often.
    pub(crate) fn check(&self, from: IpAddr, config: &Config) -> Result<(), Box<Reply>> {
        if !config.public {
            return Ok(());
        }
        // Addresses of version 6 belong to somebody by the half.
        let from = match from {
            IpAddr::V6(address) => IpAddr::V6(((u128::from(address) >> 64) << 64).into()),
            address => address,
        };
        let now = Instant::now();
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        if left.len() >= MOST_ADDRESSES {
            let full = config.burst / config.rate.max(0.001);
            left.retain(|_, (_, since)| now.duration_since(*since).as_secs_f64() < full);
            if left.len() >= MOST_ADDRESSES {
                left.clear();
            }
        }
        let (tokens, since) = left.entry(from).or_insert((config.burst, now));
        let grown = *tokens + now.duration_since(*since).as_secs_f64() * config.rate;
        *tokens = grown.min(config.burst);
        *since = now;
        if *tokens < 1.0 {
            let message = "too many questions from this address";
            return Err(Box::new(busy(StatusCode::TOO_MANY_REQUESTS, "rate", message, 1)));
        }
        *tokens -= 1.0;
        Ok(())
    }
}
