//! Questions over HTTP.

use crate::metrics::{Metrics, more};
use crate::pool::{Pool, State, Ticket};
use crate::reply::{Reply, answered, busy, error, refused, reply};
use bytes::{Bytes, BytesMut};
use http_body_util::{BodyExt, Limited};
use hyper::body::{Body as _, Frame, Incoming};
use hyper::header::{self, HeaderMap};
use hyper::{Request as HttpRequest, StatusCode};
use nimatron_service::{Answer, Failure, Request, Status};
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;
use tokio::time::Interval;

/// How often progress is told.
const BETWEEN: Duration = Duration::from_millis(500);

/// Bodies above this size are read one at a time for each of these places.
const LARGE: u64 = 1 << 16;

/// What a question over HTTP needs.
pub(crate) struct Api {
    pub(crate) pool: Pool,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) large: Semaphore,
    pub(crate) body: usize,
    pub(crate) patience: Duration,
}

impl Api {
    /// Answers a question, or says why not.
    pub(crate) async fn ask(&self, request: HttpRequest<Incoming>) -> Reply {
        let json = media(request.headers(), header::CONTENT_TYPE, "application/json");
        if !json {
            let message = "a question is sent as application/json";
            return refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, "media-type", message);
        }
        let events = media(request.headers(), header::ACCEPT, "text/event-stream");
        let body = match self.read(request.into_body()).await {
            Ok(body) => body,
            Err(reply) => return *reply,
        };
        let question = match std::str::from_utf8(&body) {
            Ok(text) => Request::read(text),
            Err(_) => {
                Err(Failure::bad("not-text", "the question is not text in UTF-8".to_string()))
            }
        };
        drop(body);
        let question = match question {
            Ok(question) => question,
            Err(failure) => {
                more(&self.metrics.bad);
                return answered(Answer::from(&failure));
            }
        };
        match self.pool.submit(question) {
            Err(full) => {
                let wait = if full.long { 5 } else { 1 };
                let message = "too many questions are waiting; ask again later";
                busy(StatusCode::SERVICE_UNAVAILABLE, "busy", message, wait)
            }
            Ok(ticket) if events => told(ticket),
            Ok(mut ticket) => match (&mut ticket.answer).await {
                Ok(answer) => answered(answer),
                Err(_) => ending(),
            },
        }
    }

    /// The whole body, within its limits.
    async fn read(&self, body: Incoming) -> Result<Bytes, Box<Reply>> {
        let refuse = |status, kind, message: &str| Err(Box::new(refused(status, kind, message)));
        let too_long = format!("a question has at most {} bytes", self.body);
        let hint = body.size_hint();
        if hint.lower() > self.body as u64 {
            return refuse(StatusCode::PAYLOAD_TOO_LARGE, "too-long", &too_long);
        }
        let small = hint.upper().is_some_and(|most| most <= LARGE);
        let reading = async {
            // Few large bodies are held at a time.
            let _place = match small {
                true => None,
                false => self.large.acquire().await.ok(),
            };
            let mut body = Limited::new(body, self.body);
            let mut all = BytesMut::new();
            while let Some(frame) = body.frame().await {
                match frame {
                    Ok(frame) => all.extend_from_slice(frame.data_ref().map_or(&[], |data| data)),
                    Err(error) => return Err(error.is::<http_body_util::LengthLimitError>()),
                }
            }
            Ok(all.freeze())
        };
        match tokio::time::timeout(self.patience, reading).await {
            Ok(Ok(all)) => Ok(all),
            Ok(Err(true)) => refuse(StatusCode::PAYLOAD_TOO_LARGE, "too-long", &too_long),
            Ok(Err(false)) => {
                refuse(StatusCode::BAD_REQUEST, "body", "the question did not arrive whole")
            }
            Err(_) => {
                refuse(StatusCode::REQUEST_TIMEOUT, "slow", "the question took too long to arrive")
            }
        }
    }
}

/// The server ends before the answer is found.
fn ending() -> Reply {
    busy(StatusCode::SERVICE_UNAVAILABLE, "ending", "the server is being ended", 5)
}

/// Whether a header names a media type.
fn media(headers: &HeaderMap, name: header::HeaderName, wanted: &str) -> bool {
    let values = headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    let kinds = values.flat_map(|value| value.split(','));
    let mut plain = kinds.map(|kind| kind.split(';').next().unwrap_or_default().trim());
    plain.any(|kind| kind.eq_ignore_ascii_case(wanted))
}

/// The answer as events: progress until it is found.
fn told(ticket: Ticket) -> Reply {
    let mut ticks = tokio::time::interval(BETWEEN);
    ticks.reset();
    let events = Events { ticket: Some(ticket), ticks, since: Instant::now() };
    reply(StatusCode::OK, "text/event-stream", events.boxed())
}

/// A body that goes on until the answer is found. When it is dropped, the work is stopped.
struct Events {
    ticket: Option<Ticket>,
    ticks: Interval,
    since: Instant,
}

impl hyper::body::Body for Events {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let this = &mut *self;
        let Some(ticket) = &mut this.ticket else { return Poll::Ready(None) };
        let bytes = match Pin::new(&mut ticket.answer).poll(context) {
            Poll::Ready(found) => {
                this.ticket = None;
                let ended = |_| {
                    let body = error("ending", "the server is being ended");
                    Answer { status: Status::Interrupted, body }
                };
                answer_event(&found.unwrap_or_else(ended))
            }
            Poll::Pending => {
                std::task::ready!(this.ticks.poll_tick(context));
                event("progress", &progress(&ticket.course.state(), this.since.elapsed()))
            }
        };
        Poll::Ready(Some(Ok(Frame::data(bytes))))
    }
}

fn answer_event(answer: &Answer) -> Bytes {
    let code = answer.status.code();
    event("answer", &format!("{{\"status\":{code},\"body\":{}}}", answer.body))
}

fn event(name: &str, data: &str) -> Bytes {
    // Answers are one line of JSON.
    Bytes::from(format!("event: {name}\ndata: {data}\n\n"))
}

/// How far the work is, in words and numbers.
fn progress(state: &State, since: Duration) -> String {
    let seconds = since.as_secs_f64();
    let text = match state {
        State { started: false, .. } => "waiting for its turn".to_string(),
        State { note, of: 0, .. } if !note.is_empty() => note.clone(),
        State { of: 0, .. } => "working".to_string(),
        State { done, of, .. } => format!("{:.0} %", 100.0 * *done as f64 / *of as f64),
    };
    let value = serde_json::json!({
        "text": format!("{text}, {seconds:.0} s"),
        "done": (state.of > 0).then(|| state.done.to_string()),
        "of": (state.of > 0).then(|| state.of.to_string()),
        "seconds": seconds,
    });
    value.to_string()
}
