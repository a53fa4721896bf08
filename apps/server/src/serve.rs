//! Listening, and sending each request to where it belongs.

use crate::api::Api;
use crate::config::Config;
use crate::files::{FILES, File, WITHOUT_PAGE, embedded, media_type, tag, takes_gzip};
use crate::guard::{Rates, check};
use crate::metrics::{Metrics, less, more};
use crate::pool::Pool;
use crate::reply::{Reply, refused, reply, whole};
use hyper::body::Incoming;
use hyper::header::{self, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::borrow::Cow;
use std::convert::Infallible;
use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{Semaphore, watch};

/// A server that is at work. It ends when it is told to, or when this is dropped.
#[derive(Debug)]
pub struct Running {
    address: SocketAddr,
    end: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Ends it: no new questions, those at work may finish for a few seconds.
    pub fn end(mut self) {
        self.stop();
    }

    /// Waits until the user ends the program: Ctrl-C, or a signal to terminate; then ends the server.
    pub fn until_interrupted(mut self) -> io::Result<()> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(interrupted())?;
        // A second time ends it at once.
        std::thread::spawn(move || {
            if runtime.block_on(interrupted()).is_ok() {
                std::process::exit(130);
            }
        });
        self.stop();
        Ok(())
    }

    fn stop(&mut self) {
        // If the server has ended already, nobody listens.
        let _ = self.end.send(true);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Until the user wants an end.
async fn interrupted() -> io::Result<()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminate = signal(SignalKind::terminate())?;
        match first(tokio::signal::ctrl_c(), terminate.recv()).await {
            First::This(ended) => ended,
            First::That(_) => Ok(()),
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await
}

/// Until the end was asked for.
async fn until(ended: &mut watch::Receiver<bool>) {
    // If nobody can ask any more, that is the end, too.
    let _ = ended.wait_for(|ended| *ended).await;
}

/// What happened first.
enum First<A, B> {
    This(A),
    That(B),
}

/// Waits for the first of two.
async fn first<A: Future, B: Future>(this: A, that: B) -> First<A::Output, B::Output> {
    let (mut this, mut that) = (pin!(this), pin!(that));
    poll_fn(|context| {
        if let Poll::Ready(found) = this.as_mut().poll(context) {
            return Poll::Ready(First::This(found));
        }
        that.as_mut().poll(context).map(First::That)
    })
    .await
}

/// Starts a server.
pub fn start(config: Config) -> io::Result<Running> {
    let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let listener = runtime.block_on(TcpListener::bind(config.address))?;
    let address = listener.local_addr()?;
    let metrics = Arc::new(Metrics::default());
    let api = Api {
        pool: Pool::new(&config, Arc::clone(&metrics))?,
        metrics: Arc::clone(&metrics),
        large: Semaphore::new(8),
        body: config.body,
        patience: config.patience,
    };
    let connections = Arc::new(Semaphore::new(config.connections));
    let site = Arc::new(Site { config, local: address, metrics, api, rates: Rates::default() });
    let (end, ended) = watch::channel(false);
    let thread = std::thread::Builder::new().name("server".to_string());
    let thread = thread.spawn(move || listen(&runtime, listener, site, &connections, ended))?;
    Ok(Running { address, end, thread: Some(thread) })
}

/// How long questions at work may go on after the end was asked for.
const GRACE: Duration = Duration::from_secs(3);
/// And how long their answers may be on the way.
const AFTERWARDS: Duration = Duration::from_secs(2);

fn listen(
    runtime: &Runtime,
    listener: TcpListener,
    site: Arc<Site>,
    connections: &Arc<Semaphore>,
    mut ended: watch::Receiver<bool>,
) {
    let most = connections.available_permits();
    runtime.block_on(async {
        loop {
            let next = first(listener.accept(), until(&mut ended)).await;
            let First::This(accepted) = next else { break };
            match accepted {
                Ok((stream, from)) => {
                    // Whoever comes when all places are taken is sent away at once.
                    let Ok(place) = Arc::clone(connections).try_acquire_owned() else { continue };
                    let (site, ended) = (Arc::clone(&site), ended.clone());
                    tokio::spawn(async move {
                        more(&site.metrics.connections);
                        connection(stream, from, &site, ended).await;
                        less(&site.metrics.connections);
                        drop(place);
                    });
                }
                // Too many open files, or a client that went at once: later ones may do better.
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            }
        }
        drop(listener);
        let all = || connections.acquire_many(u32::try_from(most).unwrap_or(u32::MAX));
        let finished = tokio::time::timeout(GRACE, all()).await;
        site.api.pool.close();
        if finished.is_err() {
            site.api.pool.cancel();
            let _ = tokio::time::timeout(AFTERWARDS, all()).await;
        }
    });
    site.api.pool.join();
}

async fn connection(
    stream: TcpStream,
    from: SocketAddr,
    site: &Arc<Site>,
    mut ended: watch::Receiver<bool>,
) {
    // Answers are small and waited for.
    let _ = stream.set_nodelay(true);
    let service = service_fn(|request| {
        let site = Arc::clone(site);
        async move { Ok::<_, Infallible>(site.respond(request, from).await) }
    });
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(site.config.patience);
    builder.max_buf_size(64 << 10).max_headers(64);
    let connection = builder.serve_connection(TokioIo::new(stream), service);
    let mut connection = pin!(connection);
    // What goes wrong on a connection is its client's affair.
    if let First::That(_) = first(connection.as_mut(), until(&mut ended)).await {
        connection.as_mut().graceful_shutdown();
        let _ = connection.await;
    }
}

/// What a server consists of.
struct Site {
    config: Config,
    local: SocketAddr,
    metrics: Arc<Metrics>,
    api: Api,
    rates: Rates,
}

impl Site {
    async fn respond(&self, request: Request<Incoming>, from: SocketAddr) -> Reply {
        more(&self.metrics.requests);
        let (method, uri, headers) = (request.method(), request.uri(), request.headers());
        let allowed = check(method, uri, headers, &self.config, self.local)
            .and_then(|()| self.rates.check(from.ip(), &self.config));
        if let Err(reply) = allowed {
            more(&self.metrics.refused);
            return *reply;
        }
        let is_read = method == Method::GET || method == Method::HEAD;
        let found = match (uri.path(), is_read) {
            ("/api", false) if method == Method::POST => return self.api.ask(request).await,
            ("/api", _) => Err("POST"),
            ("/healthz", true) => Ok(text("ok\n")),
            ("/metrics", true) => Ok(text(self.metrics.text())),
            (path, true) => Ok(page(path, &request)),
            (_, false) => Err("GET, HEAD"),
        };
        found.unwrap_or_else(|allowed| {
            more(&self.metrics.refused);
            let message = format!("this is asked with {allowed}");
            let mut reply = refused(StatusCode::METHOD_NOT_ALLOWED, "method", &message);
            reply.headers_mut().insert(header::ALLOW, HeaderValue::from_static(allowed));
            reply
        })
    }
}

fn text(text: impl Into<bytes::Bytes>) -> Reply {
    reply(StatusCode::OK, "text/plain; charset=utf-8", whole(text))
}

/// A file of the page.
fn page(path: &str, request: &Request<Incoming>) -> Reply {
    let name = match path.strip_prefix('/') {
        Some("") | None => "index.html",
        Some(name) => name,
    };
    let file = match embedded(name) {
        Some(file) => file,
        None if name == "index.html" && FILES.is_empty() => File::Plain(WITHOUT_PAGE.as_bytes()),
        None => return refused(StatusCode::NOT_FOUND, "not-found", "there is nothing here"),
    };
    let accepted = request.headers().get(header::ACCEPT_ENCODING);
    let takes = accepted.and_then(|value| value.to_str().ok()).is_some_and(takes_gzip);
    let Ok((bytes, packed)) = file.sent(takes) else {
        let message = "this file of the page is damaged";
        return refused(StatusCode::INTERNAL_SERVER_ERROR, "damaged", message);
    };
    let tag = tag(&bytes);
    let known = request.headers().get(header::IF_NONE_MATCH);
    let same = known.is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let mut reply = match same {
        true => reply(StatusCode::NOT_MODIFIED, media_type(name), whole("")),
        false => {
            let body = match bytes {
                Cow::Borrowed(bytes) => whole(bytes),
                Cow::Owned(bytes) => whole(bytes),
            };
            reply(StatusCode::OK, media_type(name), body)
        }
    };
    let headers = reply.headers_mut();
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if packed {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(header::ETAG, tag);
    }
    reply
}
