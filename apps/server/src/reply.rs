//! Replies, all with the same careful headers.

use bytes::Bytes;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::{HeaderMap, Response, StatusCode};
use nimatron::render::{Diagnostic, json};
use nimatron_service::{Answer, Status};
use std::convert::Infallible;

/// The body of a reply.
pub(crate) type Body = BoxBody<Bytes, Infallible>;

/// A reply.
pub(crate) type Reply = Response<Body>;

/// How an answer ended, for programs.
pub(crate) const STATUS: HeaderName = HeaderName::from_static("x-nimatron-status");
/// Which version answers.
const VERSION: HeaderName = HeaderName::from_static("x-nimatron");

/// What the page may load: itself, and nothing from anywhere else.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; \
     img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; \
     manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/// A body of some bytes.
pub(crate) fn whole(bytes: impl Into<Bytes>) -> Body {
    Full::new(bytes.into()).boxed()
}

/// A reply with this media type.
pub(crate) fn reply(status: StatusCode, media: &'static str, body: Body) -> Reply {
    let mut reply = Response::new(body);
    *reply.status_mut() = status;
    let headers = reply.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media));
    careful(headers);
    reply
}

/// The headers of every reply.
fn careful(headers: &mut HeaderMap) {
    let fixed = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=()"),
        (VERSION, env!("CARGO_PKG_VERSION")),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
}

/// The exit status of an answer as a status of HTTP: an answer is an answer, be it no or not decided.
pub(crate) fn http_status(status: Status) -> StatusCode {
    match status {
        Status::Answered | Status::Negative | Status::Undecided => StatusCode::OK,
        Status::BadInput => StatusCode::BAD_REQUEST,
        Status::Interrupted => StatusCode::SERVICE_UNAVAILABLE,
        Status::FileError | Status::Missing => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

/// An answer of the engine.
pub(crate) fn answered(answer: Answer) -> Reply {
    let code = answer.status.code();
    let mut reply = reply(http_status(answer.status), "application/json", whole(answer.body));
    reply.headers_mut().insert(STATUS, HeaderValue::from(u16::from(code)));
    reply
}

/// A request that is not answered, with the reason as the program tells errors.
pub(crate) fn refused(status: StatusCode, kind: &str, message: &str) -> Reply {
    let mut reply = reply(status, "application/json", whole(error(kind, message)));
    let code = if status.is_client_error() { Status::BadInput } else { Status::Undecided };
    reply.headers_mut().insert(STATUS, HeaderValue::from(u16::from(code.code())));
    reply
}

/// An error as JSON.
pub(crate) fn error(kind: &str, message: &str) -> String {
    json::error(kind, &Diagnostic { message: message.to_string(), place: None, hint: None })
}

/// The same, to be tried again later.
pub(crate) fn busy(status: StatusCode, kind: &str, message: &str, seconds: u16) -> Reply {
    let mut reply = refused(status, kind, message);
    reply.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    reply
}
