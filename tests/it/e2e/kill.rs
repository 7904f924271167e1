//! A server that is killed in the middle loses nothing that it acknowledged, and repeats
//! nothing that is sent again with its key.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;

use crate::support::app::{TestApp, verify};

const CONNECTIONS: usize = 16;
const EVENTS: usize = 10_000;

/// A request: its key, its packing, and its events' numbers.
struct Request {
    key: String,
    packing: usize,
    events: std::ops::Range<usize>,
}

#[test]
fn every_event_is_in_the_export_exactly_once_and_in_order() {
    let mut app = TestApp::start_with(&[("roll_bytes", "65536")]);
    let requests = requests();
    let answered = Mutex::new(BTreeMap::new());
    let killed_at = EVENTS / 2;
    let sent = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for connection in 0..CONNECTIONS {
            let (app, requests, answered, sent) = (&app, &requests, &answered, &sent);
            scope.spawn(move || {
                for (number, request) in requests
                    .iter()
                    .enumerate()
                    .skip(connection)
                    .step_by(CONNECTIONS)
                {
                    match send(app, request) {
                        Some(answer) => answered.lock().expect("no panic").insert(number, answer),
                        None => return,
                    };
                    sent.fetch_add(request.events.len(), Ordering::SeqCst);
                }
            });
        }
        let (sent, pid) = (&sent, app.pid().to_string());
        scope.spawn(move || {
            while sent.load(Ordering::SeqCst) < killed_at {
                std::thread::yield_now();
            }
            std::process::Command::new("kill")
                .args(["-KILL", &pid])
                .status()
                .expect("killed");
        });
    });
    app.kill();
    let before = answered.into_inner().expect("no panic");
    assert!(
        before.len() < requests.len(),
        "the kill came too late to matter"
    );
    app.restart();
    for (number, request) in requests.iter().enumerate() {
        let again = send(&app, request).expect("an answer");
        if let Some(first) = before.get(&number) {
            assert_eq!(*first, again, "the first answer again");
        }
    }
    check(&app);
    let mut keys = app.keys();
    keys.sort();
    assert_eq!(app.stop(), 0);
    let (code, output) = verify(&app.data(), &keys, &["--deep"]);
    assert_eq!(code, 0, "{output}");
}

fn requests() -> Vec<Request> {
    let mut requests = Vec::new();
    let mut next = 0;
    while next < EVENTS {
        let number = requests.len();
        let size = if number % 4 == 0 {
            1
        } else {
            17 * (number % 7) + 1
        };
        let end = (next + size).min(EVENTS);
        requests.push(Request {
            key: format!("key-{number}"),
            packing: number % 3,
            events: next..end,
        });
        next = end;
    }
    requests
}

/// Sends a request until it is answered, or the server is gone: position and count of its
/// entries, and its link.
fn send(app: &TestApp, request: &Request) -> Option<(u64, u64, String)> {
    let mut body = String::new();
    for n in request.events.clone() {
        body += &format!(
            "{{\"operation\":\"read\",\"data_subject\":\"s{}\",\"payload\":{n}}}\n",
            n % 10
        );
    }
    let (packed, encoding) = pack(body.as_bytes(), request.packing);
    let mut headers = vec![
        ("Content-Type", "application/x-ndjson"),
        ("Idempotency-Key", request.key.as_str()),
    ];
    headers.extend(encoding.map(|encoding| ("Content-Encoding", encoding)));
    loop {
        let answer = app.try_send(
            "POST",
            &app.writer,
            "/api/v1/logs/orders/entries",
            &headers,
            &packed,
        )?;
        match answer.status {
            201 => {
                let receipt = answer.json();
                return Some((
                    receipt["first_entry"].as_u64().expect("a number"),
                    receipt["count"].as_u64().expect("a number"),
                    receipt["link"]["hash"].as_str().expect("a hash").to_owned(),
                ));
            }
            503 => std::thread::yield_now(),
            other => panic!("{other}: {}", answer.text()),
        }
    }
}

fn pack(body: &[u8], packing: usize) -> (Vec<u8>, Option<&'static str>) {
    match packing {
        0 => (body.to_vec(), None),
        1 => {
            let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            gzip.write_all(body).expect("packed");
            (gzip.finish().expect("packed"), Some("gzip"))
        }
        _ => (zstd::encode_all(body, 1).expect("packed"), Some("zstd")),
    }
}

fn check(app: &TestApp) {
    let mut seen = BTreeSet::new();
    for subject in 0..10 {
        let question = json!({"subject": format!("s{subject}"), "purpose": "a test"});
        let (view, bundle) = app.export(&question);
        assert_eq!(view["outcome"]["verdict"], "VERIFIED", "{view}");
        let mut zip = zip::ZipArchive::new(std::io::Cursor::new(bundle)).expect("a zip");
        let mut file = zip
            .by_name("logs/orders/entries.ndjson")
            .expect("the entries");
        let mut lines = String::new();
        std::io::Read::read_to_string(&mut file, &mut lines).expect("text");
        for line in lines.lines() {
            let entry: serde_json::Value = serde_json::from_str(line).expect("JSON");
            let n = entry["payload"].as_u64().expect("a number");
            assert_eq!(n % 10, subject);
            assert!(seen.insert(n), "{n} stands twice");
        }
    }
    assert_eq!(seen.len(), EVENTS);
    assert!(seen.into_iter().eq(0..EVENTS as u64));
}
