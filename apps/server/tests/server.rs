//! The server on real sockets: what it answers, what it refuses, and that nothing hurts it.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use nimatron_server::{Config, Running, start};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

fn server(change: impl FnOnce(&mut Config)) -> Running {
    let mut config = Config::default();
    change(&mut config);
    start(config).unwrap()
}

/// A reply: the status, the head, the body.
#[derive(Debug)]
struct Got {
    status: u16,
    head: String,
    body: String,
}

impl Got {
    fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }
}

fn connect(running: &Running) -> TcpStream {
    let stream = TcpStream::connect(running.address()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    stream
}

/// Reads one reply with a length.
fn read(stream: &TcpStream) -> Option<Got> {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    loop {
        let mut line = String::new();
        match reader.read_line(&mut line) {
            Ok(0) | Err(_) => return None,
            Ok(_) if line == "\r\n" => break,
            Ok(_) => head += &line,
        }
    }
    let status = head.split(' ').nth(1)?.parse().ok()?;
    let mut got = Got { status, head, body: String::new() };
    let length: usize = got.header("content-length").map_or(0, |n| n.parse().unwrap());
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    got.body = String::from_utf8_lossy(&body).into_owned();
    Some(got)
}

fn send(running: &Running, text: &[u8]) -> Option<Got> {
    let mut stream = connect(running);
    // A server that refuses need not read to the end.
    let _ = stream.write_all(text);
    read(&stream)
}

fn get(running: &Running, path: &str) -> Got {
    let host = running.address();
    send(running, format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes()).unwrap()
}

fn question(running: &Running, more: &str, body: &str) -> Vec<u8> {
    let (host, length) = (running.address(), body.len());
    format!(
        "POST /api HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n{more}Content-Length: \
         {length}\r\n\r\n{body}"
    )
    .into_bytes()
}

fn ask(running: &Running, body: &str) -> Got {
    send(running, &question(running, "", body)).unwrap()
}

/// A number of `/metrics`.
fn metric(running: &Running, name: &str) -> u64 {
    let text = get(running, "/metrics").body;
    let line = text.lines().find_map(|line| line.strip_prefix(&format!("nimatron_{name} ")));
    line.unwrap().parse().unwrap()
}

/// Waits until something is so.
fn eventually(what: &str, within: Duration, is: impl Fn() -> bool) {
    let start = Instant::now();
    while !is() {
        assert!(start.elapsed() < within, "{what}: not within {within:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

const NIM: &str = r#"{"ask":"solve","game":"Nim(3)","position":[1,2,3]}"#;
/// Nobody knows this game: the work goes on until it is stopped.
const LONG: &str = r#"{"ask":"discover","game":"CN(12,2)","time":"50s"}"#;

#[test]
fn questions_are_answered_as_on_the_command_line() {
    let running = server(|_| ());
    let host = nimatron_service::Host::default();
    for (asked, http, status) in [
        (NIM, 200, "0"),
        (r#"{"ask":"check","game":"CN(4,2)","formula":"a = c","max":4}"#, 200, "1"),
        (r#"{"ask":"cheatsheet","game":"CN(7,4)"}"#, 200, "3"),
        (r#"{"ask":"game","game":"CN(3,7)"}"#, 400, "2"),
        (r#"{"ask":"game","colour":"red"}"#, 400, "2"),
        ("no JSON", 400, "2"),
        (r#"{"ask":"lessons"}"#, 200, "0"),
    ] {
        let got = ask(&running, asked);
        assert_eq!((got.status, got.header("x-nimatron-status")), (http, Some(status)), "{asked}");
        assert_eq!(got.body, nimatron_service::answer(asked, &host).body, "{asked}");
        assert_eq!(got.header("content-type"), Some("application/json"));
    }
    assert_eq!(metric(&running, "answered_total"), 4);
    running.end();
}

#[test]
fn one_connection_serves_many_requests() {
    let running = server(|_| ());
    let mut stream = connect(&running);
    for _ in 0..50 {
        stream.write_all(&question(&running, "", NIM)).unwrap();
        assert_eq!(read(&stream).unwrap().status, 200);
    }
}

#[test]
fn every_reply_is_careful() {
    let running = server(|_| ());
    for got in
        [get(&running, "/"), get(&running, "/none"), ask(&running, NIM), get(&running, "/healthz")]
    {
        let policy = got.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("http"), "{policy}");
        assert_eq!(got.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(got.header("referrer-policy"), Some("no-referrer"));
        assert!(got.header("x-nimatron").is_some());
        assert!(got.header("access-control-allow-origin").is_none());
    }
    assert_eq!(get(&running, "/healthz").status, 200);
    let index = get(&running, "/");
    assert_eq!(
        (index.status, index.header("content-type")),
        (200, Some("text/html; charset=utf-8"))
    );
    let tag = index.header("etag").unwrap();
    let host = running.address();
    let again = format!("GET / HTTP/1.1\r\nHost: {host}\r\nIf-None-Match: {tag}\r\n\r\n");
    assert_eq!(send(&running, again.as_bytes()).unwrap().status, 304);
}

#[test]
fn foreign_pages_and_names_are_refused() {
    let running = server(|_| ());
    let (host, port) = (running.address(), running.address().port());
    let status = |more: &str, host: &str| {
        let length = NIM.len();
        let text = format!(
            "POST /api HTTP/1.1\r\n{host}Content-Type: application/json\r\n{more}Content-Length: \
             {length}\r\n\r\n{NIM}"
        );
        send(&running, text.as_bytes()).map_or(0, |got| got.status)
    };
    let own = format!("Host: {host}\r\n");
    assert_eq!(status("", &own), 200);
    assert_eq!(status("", &format!("Host: localhost:{port}\r\n")), 200);
    assert_eq!(status(&format!("Origin: http://{host}\r\n"), &own), 200);
    assert_eq!(status("Sec-Fetch-Site: same-origin\r\n", &own), 200);
    for origin in
        ["http://evil.example", "null", "http://127.0.0.1:1", &format!("http://{host}.evil")]
    {
        assert_eq!(status(&format!("Origin: {origin}\r\n"), &own), 403, "{origin}");
    }
    assert_eq!(status("Sec-Fetch-Site: cross-site\r\n", &own), 403);
    for host in [
        format!("Host: evil.example:{port}\r\n"),
        "Host: evil.example\r\n".to_string(),
        "Host: 127.0.0.1:1\r\n".to_string(),
        "Host: \r\n".to_string(),
        format!("{own}Host: evil.example\r\n"),
        String::new(),
    ] {
        assert_eq!(status("", &host), 421, "{host:?}");
    }
    let proxied = b"GET http://127.0.0.1/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
    assert_eq!(send(&running, proxied).unwrap().status, 421);
}

#[test]
fn hostile_requests_get_the_right_status_and_hurt_nobody() {
    let running = server(|config| {
        config.patience = Duration::from_millis(500);
        config.body = 100_000;
    });
    let host = running.address();
    let deep = format!("{{\"ask\":{}", "[".repeat(50_000));
    let with =
        |line: &str, more: &str| format!("{line}\r\nHost: {host}\r\n{more}\r\n").into_bytes();
    let cases: Vec<(&str, Vec<u8>, &[u16])> = vec![
        ("deep JSON", question(&running, "", &deep), &[400]),
        ("not UTF-8", [&question(&running, "", "    ")[..], b""].concat(), &[400]),
        ("too long", question(&running, "", &"x".repeat(200_000)), &[413]),
        (
            "too long, in pieces",
            [
                with(
                    "POST /api HTTP/1.1",
                    "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n",
                ),
                format!("30000\r\n{}\r\n0\r\n\r\n", "y".repeat(0x30000)).into_bytes(),
            ]
            .concat(),
            &[413],
        ),
        (
            "a lie about the length",
            with("POST /api HTTP/1.1", "Content-Type: application/json\r\nContent-Length: 50\r\n"),
            &[408],
        ),
        ("no media type", with("POST /api HTTP/1.1", "Content-Length: 0\r\n"), &[415]),
        (
            "a form",
            with("POST /api HTTP/1.1", "Content-Type: text/plain\r\nContent-Length: 0\r\n"),
            &[415],
        ),
        ("wrong method", with("GET /api HTTP/1.1", ""), &[405]),
        ("wrong method", with("PUT /api HTTP/1.1", "Content-Length: 0\r\n"), &[405]),
        ("wrong method", with("DELETE / HTTP/1.1", ""), &[405]),
        ("wrong method", with("OPTIONS /api HTTP/1.1", ""), &[405]),
        ("path tricks", with("GET /../Cargo.toml HTTP/1.1", ""), &[404]),
        ("path tricks", with("GET /..%2f..%2fetc/passwd HTTP/1.1", ""), &[404]),
        ("path tricks", with("GET //etc/passwd HTTP/1.1", ""), &[404, 400]),
        ("path tricks", with("GET /index.html%00 HTTP/1.1", ""), &[404]),
        ("no HTTP", b"hello\r\n\r\n".to_vec(), &[400]),
        ("many headers", with("GET / HTTP/1.1", &"X: y\r\n".repeat(500)), &[431]),
        (
            "a long header",
            with("GET / HTTP/1.1", &format!("X: {}\r\n", "y".repeat(200_000))),
            &[431, 0],
        ),
        (
            "two lengths",
            with(
                "POST /api HTTP/1.1",
                "Content-Type: application/json\r\nContent-Length: 1\r\nContent-Length: 2\r\n",
            ),
            &[400],
        ),
    ];
    for (name, text, statuses) in &cases {
        let got = send(&running, text).map_or(0, |got| got.status);
        assert!(statuses.contains(&got), "{name}: {got}");
    }
    // Whoever is slow is sent away.
    let mut slow = connect(&running);
    slow.write_all(b"POST /api HT").unwrap();
    let start = Instant::now();
    let mut rest = Vec::new();
    let _ = slow.read_to_end(&mut rest);
    assert!(start.elapsed() < Duration::from_secs(10));
    // Many of them, and the server answers as before.
    for round in 0..30 {
        for (_, text, _) in cases.iter().filter(|(name, ..)| *name != "a lie about the length") {
            let mut stream = connect(&running);
            let _ = stream.write_all(text);
            if round % 2 == 0 {
                let _ = read(&stream);
            }
        }
    }
    assert_eq!(ask(&running, NIM).status, 200);
    assert_eq!(metric(&running, "failed_total"), 0);
}

#[test]
fn work_ends_when_its_client_goes() {
    let running = server(|config| config.workers = 2);
    for more in ["", "Accept: text/event-stream\r\n"] {
        let mut stream = connect(&running);
        stream.write_all(&question(&running, more, LONG)).unwrap();
        eventually("the work begins", Duration::from_secs(20), || metric(&running, "running") == 1);
        stream.shutdown(Shutdown::Both).unwrap();
        drop(stream);
        // A second on a machine that has time; tests may have to share it.
        eventually("the work ends", Duration::from_secs(20), || metric(&running, "running") == 0);
    }
    assert_eq!(metric(&running, "cancelled_total"), 2);
    assert_eq!(ask(&running, NIM).status, 200);
}

#[test]
fn short_questions_overtake_long_ones_and_the_queue_is_bounded() {
    let running = server(|config| {
        config.workers = 2;
        config.queue = 3;
    });
    let clients: Vec<TcpStream> = (0..4)
        .map(|number| {
            let mut stream = connect(&running);
            stream.write_all(&question(&running, "", LONG)).unwrap();
            let here = move |running: &Running| {
                metric(running, "running") + metric(running, "waiting") == number + 1
            };
            eventually("it is taken", Duration::from_secs(20), || here(&running));
            stream
        })
        .collect();
    // One is at work, three wait: there is no room for another, but short ones are answered.
    assert_eq!((metric(&running, "running"), metric(&running, "waiting")), (1, 3));
    let refused = ask(&running, LONG);
    assert_eq!((refused.status, refused.header("retry-after")), (503, Some("5")));
    assert_eq!(ask(&running, NIM).status, 200);
    drop(clients);
    eventually("all have gone", Duration::from_secs(30), || {
        metric(&running, "running") + metric(&running, "waiting") == 0
    });
    assert_eq!(metric(&running, "busy_total"), 1);
}

#[test]
fn progress_is_told_by_events() {
    let running = server(|_| ());
    let asked = r#"{"ask":"discover","game":"CN(12,2)","time":"1500ms"}"#;
    let mut stream = connect(&running);
    let text = question(&running, "Accept: text/event-stream\r\nConnection: close\r\n", asked);
    stream.write_all(&text).unwrap();
    let mut all = String::new();
    stream.read_to_string(&mut all).unwrap();
    assert!(all.contains("content-type: text/event-stream"), "{all}");
    assert!(all.matches("event: progress\ndata: {").count() >= 1, "{all}");
    assert_eq!(all.matches("event: answer\ndata: {\"status\":3,\"body\":{").count(), 1, "{all}");
    // An answer that is quick comes alone.
    let mut stream = connect(&running);
    let text = question(&running, "Accept: text/event-stream\r\nConnection: close\r\n", NIM);
    stream.write_all(&text).unwrap();
    let mut all = String::new();
    stream.read_to_string(&mut all).unwrap();
    assert!(
        all.contains("event: answer\ndata: {\"status\":0,\"body\":{\"game\":\"Nim(3)\""),
        "{all}"
    );
}

#[test]
fn limits_of_the_server_hold_whatever_is_asked_for() {
    let running = server(|config| config.time = Duration::from_millis(300));
    let start = Instant::now();
    let got = ask(&running, r#"{"ask":"discover","game":"CN(12,2)","time":"1h"}"#);
    assert_eq!((got.status, got.header("x-nimatron-status")), (200, Some("3")));
    assert!(got.body.contains(r#""limit":{"kind":"time""#), "{}", got.body);
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn in_public_each_address_has_a_rate() {
    let running = server(|config| {
        config.public = true;
        config.rate = 0.01;
        config.burst = 5.0;
    });
    let statuses: Vec<u16> = (0..7).map(|_| ask(&running, NIM).status).collect();
    assert_eq!(statuses, [200, 200, 200, 200, 200, 429, 429]);
}

#[test]
fn the_end_is_graceful() {
    let running = server(|_| ());
    let address = running.address();
    let mut long = connect(&running);
    long.write_all(&question(&running, "", LONG)).unwrap();
    eventually("the work begins", Duration::from_secs(20), || metric(&running, "running") == 1);
    let start = Instant::now();
    running.end();
    // Who was waiting is told, and nobody waits for the work.
    assert!(start.elapsed() < Duration::from_secs(20));
    let got = read(&long);
    assert!(got.is_none_or(|got| got.status == 503 || got.status == 200));
    assert!(TcpStream::connect(address).is_err());
}
