//! Connections: silence keeps no room, what is too large is said early, and what is ambiguous is
//! refused.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use crate::support::app::TestApp;

fn connect(app: &TestApp) -> TcpStream {
    let address = app.url.trim_start_matches("http://");
    let stream = TcpStream::connect(address).expect("a connection");
    let patience = Some(Duration::from_secs(60));
    stream.set_read_timeout(patience).expect("a timeout");
    stream
}

/// Sends a request's head, and reads what comes until the other end closes.
fn talk(app: &TestApp, head: &str) -> String {
    let mut stream = connect(app);
    stream.write_all(head.as_bytes()).expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an end");
    answer
}

#[test]
fn a_connection_that_does_not_send_its_headers_is_closed() {
    let app = TestApp::start_with(&[("header_timeout_seconds", "1")]);
    for begun in ["", "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: "] {
        let answer = talk(&app, begun);
        assert!(!answer.contains("200 OK"), "{answer}");
    }
    // One that has been answered is not kept for ever either.
    let answered = talk(&app, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
    assert!(answered.starts_with("HTTP/1.1 200 OK"), "{answered}");
}

#[test]
fn connections_beyond_the_limit_wait_for_room() {
    let app = TestApp::start_with(&[("max_connections", "8")]);
    let silent: Vec<_> = (0..8).map(|_| connect(&app)).collect();
    let mut next = connect(&app);
    let request = "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    next.write_all(request.as_bytes()).expect("sent");
    let short = Some(Duration::from_millis(300));
    next.set_read_timeout(short).expect("a timeout");
    let early = next.read(&mut [0; 1]).expect_err("there is no room");
    assert!(matches!(
        early.kind(),
        ErrorKind::WouldBlock | ErrorKind::TimedOut
    ));
    drop(silent);
    next.set_read_timeout(Some(Duration::from_secs(60)))
        .expect("a timeout");
    let mut answer = String::new();
    next.read_to_string(&mut answer).expect("an end");
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
}

#[test]
fn a_body_that_is_too_large_is_refused_before_it_is_sent() {
    let app = TestApp::start();
    let calls = [
        ("/api/v1/logs/x/entries", &app.writer, 40 << 20),
        ("/api/v1/tokens", &app.admin, 70_000),
        ("/signin", &app.admin, 70_000),
    ];
    for (path, token, bytes) in calls {
        let kind = match path {
            "/signin" => "application/x-www-form-urlencoded",
            _ => "application/json",
        };
        let answer = talk(
            &app,
            &format!(
                "POST {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\
                 Content-Type: {kind}\r\nContent-Length: {bytes}\r\nExpect: 100-continue\r\n\
                 Connection: close\r\n\r\n"
            ),
        );
        assert!(answer.starts_with("HTTP/1.1 413 "), "{path}: {answer}");
    }
}

#[test]
fn a_head_that_is_too_large_is_refused() {
    let app = TestApp::start();
    let get = |bytes: usize| {
        let value = "x".repeat(bytes);
        talk(
            &app,
            &format!("GET /healthz HTTP/1.1\r\nHost: x\r\nX: {value}\r\nConnection: close\r\n\r\n"),
        )
    };
    assert!(get(32 << 10).starts_with("HTTP/1.1 200 "));
    assert!(get(200 << 10).starts_with("HTTP/1.1 431 "));
}

#[test]
fn two_authorization_headers_are_none() {
    let app = TestApp::start();
    let twice = |second: &str| {
        let second = format!("Bearer {second}");
        let headers = [("Authorization", &*second)];
        app.send("GET", &app.auditor, "/api/v1/logs", &headers, b"")
    };
    for second in [&app.auditor, &app.admin, ""] {
        let answer = twice(second);
        assert_eq!(answer.status, 400, "{}", answer.text());
        assert!(
            answer.json()["type"]
                .as_str()
                .unwrap()
                .ends_with(":authorization")
        );
    }
}

#[test]
fn a_path_or_a_header_that_is_no_such_thing_does_nothing() {
    let app = TestApp::start();
    let auditor = &app.auditor;
    for path in [
        "/api/v1/logs/..%2f..%2fkeys",
        "/api/v1/logs/%2e%2e",
        "/api/v1/logs/orders%00",
        "/api/v1/exports/..%2f..%2fstate.db",
        "/api/v1/exports/00000000000000000000000000000000/..%2f..%2fstate.db",
        "/static/..%2f..%2fCargo.toml",
        "/r/..%2fstate.db",
        "/api/v1/logs/orders%0d%0aX-Injected:%20yes",
    ] {
        let answer = app.get(auditor, path);
        assert!(
            matches!(answer.status, 400 | 404 | 422),
            "{path}: {}",
            answer.status
        );
        assert_eq!(answer.header("x-injected"), None);
        assert!(!answer.text().contains("SQLite format"));
    }
    let smuggled = talk(
        &app,
        "GET /signin?to=/a%0d%0aSet-Cookie:%20x=y HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    );
    let head = smuggled.split("\r\n\r\n").next().expect("a head");
    assert!(!head.to_lowercase().contains("set-cookie"), "{head}");
    let both = talk(
        &app,
        "POST /signin HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\
         Content-Length: 5\r\nConnection: close\r\n\r\n0\r\n\r\n",
    );
    assert!(both.starts_with("HTTP/1.1 4"), "{both}");
}

#[test]
fn whoever_is_refused_while_sending_gets_the_answer() {
    let app = TestApp::start();
    let body = vec![b' '; 1 << 20];
    let head = format!(
        "POST /api/v1/logs/x/entries HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a\r\n\
         Authorization: Bearer b\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    for _ in 0..8 {
        let mut stream = connect(&app);
        stream.write_all(head.as_bytes()).expect("sent");
        stream.write_all(&body).expect("sent to the end");
        stream.shutdown(std::net::Shutdown::Write).expect("an end");
        let mut answer = String::new();
        stream
            .read_to_string(&mut answer)
            .expect("the answer, and an end");
        assert!(answer.starts_with("HTTP/1.1 400 "), "{answer}");
    }
}

/// However a body is cut on its way, it is one body: short pieces, long ones, packed or not.
#[test]
fn a_body_in_odd_pieces_arrives_to_the_letter() {
    let app = TestApp::start();
    let events: Vec<String> = (0..400)
        .map(|n| {
            format!(
                r#"{{"operation":"read","data_subject":"s{n}","payload":"{n} {}"}}"#,
                "x".repeat(n)
            )
        })
        .collect();
    let plain = events.join("\n").into_bytes();
    let packed = zstd::bulk::compress(&plain, 19).expect("packed");
    for (encoding, body) in [("identity", plain), ("zstd", packed)] {
        let mut stream = connect(&app);
        let head = format!(
            "POST /api/v1/logs/{encoding}/entries HTTP/1.1\r\nHost: x\r\n\
             Authorization: Bearer {}\r\nContent-Encoding: {encoding}\r\n\
             Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n",
            app.writer
        );
        stream.write_all(head.as_bytes()).expect("sent");
        let mut rest = body.as_slice();
        for size in [1, 2, 40_000, 3, 17_000, 1, 1].into_iter().cycle() {
            let (piece, left) = rest.split_at(size.min(rest.len()));
            let chunk = [format!("{:x}\r\n", piece.len()).as_bytes(), piece, b"\r\n"].concat();
            stream.write_all(&chunk).expect("sent");
            rest = left;
            if piece.is_empty() {
                break;
            }
        }
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an end");
        assert!(answer.starts_with("HTTP/1.1 201 "), "{answer}");
        assert!(answer.contains("\"count\":400"), "{answer}");
        let found = app.search_in(Some(encoding), "s399");
        let payload = format!("399 {}", "x".repeat(399));
        assert_eq!(found[0]["event"]["payload"], payload);
    }
}
