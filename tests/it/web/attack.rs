//! What an attacker tries: forms from other sites, markup wherever text can stand, and personal
//! data where it does not belong.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::browser::{Browser, Page, borrowed};
use super::pages::check_page;
use crate::e2e::roles::routed;
use crate::support::app::TestApp;

/// Markup as an attacker would choose it.
const MARKUP: &str = "\"><script>alert(1)</script><img src=x onerror='alert(1)'>";

#[test]
fn no_form_is_taken_from_another_site() {
    let app = TestApp::start();
    let mut admin = Browser::signed_in(&app, &app.admin);
    let forms = routed().into_iter().filter(|(method, _)| method == "POST");
    let zero = "0".repeat(32);
    for (_, template) in forms {
        let mut path = template.clone();
        for part in ["{log}", "{index}", "{id}", "{link}", "{token}", "{file}"] {
            path = path.replace(part, if part == "{log}" { "orders" } else { &zero });
        }
        for site in ["cross-site", "same-site"] {
            let refused = admin.post_from(site, &path, &[("name", "n"), ("role", "auditor")]);
            assert_eq!(refused.status, 403, "{path}");
            assert!(refused.html.contains("sent from another site"), "{path}");
        }
    }
    assert_eq!(admin.get("/").status, 200, "the session was not ended");
    // The cookie opens the API too.
    let headers = [
        ("Content-Type", "text/plain"),
        ("Sec-Fetch-Site", "cross-site"),
        ("Cookie", &*admin.cookie),
    ];
    let body = br#"{"name":"smuggled","role":"auditor"}"#;
    let answer = app.send("POST", "", "/api/v1/tokens", &headers, body);
    assert_eq!(answer.status, 403);
    assert!(!admin.get("/tokens").html.contains("smuggled"));
}

#[test]
fn an_old_browser_is_known_by_its_origin() {
    let app = TestApp::start();
    let host = app.url.trim_start_matches("http://").to_owned();
    let send = |origin: &str| {
        let headers = [
            ("Content-Type", "application/x-www-form-urlencoded"),
            ("Accept", "text/html"),
            ("Host", &*host),
            ("Origin", origin),
        ];
        app.send("POST", "", "/signin", &headers, b"token=x").status
    };
    assert_eq!(send("https://evil.example"), 403);
    assert_eq!(send("null"), 403);
    assert_eq!(send(&app.url), 401);
}

/// That markup stands in a page as text only.
fn is_harmless(page: &Page, what: &str) {
    check_page(page);
    for raw in ["<script>alert", "<img src=x", "onerror='alert"] {
        assert!(!page.html.contains(raw), "{what}: {raw}");
    }
    for (name, value) in &page.headers {
        assert!(!value.contains("alert"), "{what}: {name}");
    }
    assert!(!page.title().contains("alert"), "{what}");
}

#[test]
fn what_administrators_and_auditors_write_is_no_markup_anywhere() {
    let app = TestApp::start();
    let mut admin = Browser::signed_in(&app, &app.admin);
    let pages = [
        admin.post("/tokens", &[("name", MARKUP), ("role", "auditor")]),
        admin.post("/people", &[("name", MARKUP), ("role", "auditor")]),
        admin.post(
            "/people",
            &[("name", MARKUP), ("role", MARKUP), ("logs", MARKUP)],
        ),
        admin.post("/logs", &[("log", MARKUP), ("description", MARKUP)]),
    ];
    for (at, page) in pages.iter().enumerate() {
        is_harmless(page, &at.to_string());
        assert!(page.html.contains("&#60;script&#62;alert"), "{at}");
    }
    admin.post("/logs", &[("log", "orders"), ("description", MARKUP)]);
    for path in ["/", "/tokens", "/people", "/logs/orders"] {
        is_harmless(&admin.get(path), path);
    }
    app.append(
        "orders",
        &json!({"operation": "read", "data_subject": "u"}).to_string(),
    );
    let (view, _) = app.export(&json!({"subject": "u", "purpose": MARKUP, "case": MARKUP}));
    let export = view["id"].as_str().expect("an id");
    let mut auditor = Browser::signed_in(&app, &app.auditor);
    let links = format!("/exports/{export}/links");
    let day = view["expires_at"].as_str().expect("a time");
    let asked = json!({"recipient": MARKUP, "expires": day});
    let made = app.post(&app.auditor, &format!("/api/v1{links}"), &asked);
    assert_eq!(made.status, 201, "{}", made.text());
    is_harmless(&auditor.get(&format!("/exports/{export}")), "the export");
    is_harmless(
        &auditor.post(&links, &[("recipient", MARKUP), ("expires", MARKUP)]),
        "a form",
    );
    let secret = made.json();
    let path = secret["path"].as_str().expect("a path");
    let mut visitor = Browser::new(&app);
    is_harmless(
        &visitor.post(path, &[("pass_phrase", MARKUP)]),
        "a pass phrase",
    );
    is_harmless(
        &visitor.get("/signin?to=/%22%3E%3Cscript%3Ealert(1)%3C/script%3E"),
        "to",
    );
    is_harmless(
        &visitor.get("/%22%3E%3Cscript%3Ealert(1)%3C/script%3E"),
        "a path",
    );
    is_harmless(&visitor.sign_in(MARKUP, MARKUP), "a name");
}

#[test]
fn what_services_send_is_no_markup_in_a_report_and_in_quarantine() {
    let app = TestApp::start();
    let operation: String = MARKUP.chars().take(40).collect();
    let event = json!({
        "operation": operation, "outcome": "denied", "data_subject": MARKUP, "id": MARKUP,
        "resource": MARKUP, "data_categories": [MARKUP], "source": MARKUP, "actor": MARKUP,
        "actor_role": MARKUP, "controller": MARKUP, "processor": MARKUP, "recipient": MARKUP,
        "purpose": MARKUP, "lawful_basis": operation, "payload": {MARKUP: MARKUP},
    });
    app.append("orders", &event.to_string());
    let path = "/api/v1/logs/orders/entries?invalid=quarantine";
    let headers = [("Content-Type", "application/x-ndjson")];
    let broken = format!("{{\"operation\":\"{}", MARKUP.replace('"', ""));
    let kept = app.send("POST", &app.writer, path, &headers, broken.as_bytes());
    assert_eq!(kept.status, 201, "{}", kept.text());
    let mut auditor = Browser::signed_in(&app, &app.auditor);
    for index in ["0", "1"] {
        let path = format!("/logs/orders/entries/{index}");
        let entry = auditor.post(&path, &[("purpose", "x")]);
        assert_eq!(entry.status, 200);
        is_harmless(&entry, &path);
        assert!(entry.html.contains("alert(1)"), "it is shown, as text");
    }
    let found = auditor.search(&[("subjects", MARKUP), ("purpose", "x")]);
    is_harmless(&found, "search");
    let question = found.form_to("/exports/new").expect("a form");
    is_harmless(
        &auditor.post("/exports/new", &borrowed(&question)),
        "a new export",
    );

    let (view, _) = app.export(&json!({"subject": MARKUP, "purpose": MARKUP}));
    let id = view["id"].as_str().expect("an id");
    let report = auditor.get(&format!("/api/v1/exports/{id}/report.html"));
    assert_eq!(report.status, 200);
    assert!(!report.html.contains("<script") && !report.html.contains("<img src=x"));
    let policy = report.header("content-security-policy").expect("a policy");
    assert!(
        policy.starts_with("default-src 'none'; style-src"),
        "{policy}"
    );
}

/// The addresses that a page leads to.
fn addresses(page: &Page) -> String {
    let attributes = [
        "href=\"",
        "action=\"",
        "src=\"",
        "data-events=\"",
        "data-state=\"",
    ];
    let all = attributes.iter().flat_map(|attribute| {
        let parts = page.html.split(attribute).skip(1);
        parts.map(|rest| rest.split('"').next().unwrap_or_default())
    });
    all.collect::<Vec<_>>().join("\n")
}

#[test]
fn planted_ids_are_in_no_url_title_cookie_log_line_file_name_or_file() {
    let mut app = TestApp::start_with(&[("log", "trace")]);
    let event = json!({"operation": "read", "data_subject": "planted_subject",
        "actor": "planted_actor", "purpose": "planted_event", "payload": ["planted_payload"]});
    app.append("orders", &[event.to_string(), event.to_string()].join("\n"));
    let why = [
        ("subject", "planted_subject"),
        ("purpose", "planted_purpose"),
        ("case", "planted_case"),
    ];
    let mut auditor = Browser::signed_in(&app, &app.auditor);
    let ask: Vec<_> = [("subjects", "planted_subject")]
        .into_iter()
        .chain(why[1..].iter().copied())
        .chain([("operation", "planted_operation")])
        .collect();
    let made = auditor.post("/search", &ask);
    let case = made.header("location").expect("its page").to_owned();
    let filters = format!("{case}/filters");
    let mut pages = vec![made, auditor.get(&case), auditor.post(&filters, &[])];
    pages.extend([auditor.get(&case), auditor.get("/search")]);
    let question = pages[1].form_to("/exports/new").expect("a form");
    pages.push(auditor.post("/exports/new", &borrowed(&question)));
    pages.push(auditor.post(
        "/search",
        &[("subjects", "planted_subject"), ("purpose", "")],
    ));
    pages.push(auditor.post("/logs/orders/entries/0", &why[1..]));
    pages.push(auditor.post("/exports", &why));
    let place = pages
        .last()
        .and_then(|page| page.header("location"))
        .expect("its page");
    let place = place.to_owned();
    let id = place.trim_start_matches("/exports/");
    app.wait_for_export(id);
    pages.push(auditor.get(&place));
    for file in ["bundle.zip", "report.html", "entries.ndjson", "entries.csv"] {
        pages.push(auditor.get(&format!("/api/v1{place}/{file}")));
    }
    let day = auditor.get(&place).html;
    let day = super::browser::between(&day, "name=\"expires\" value=\"", "\"").expect("a day");
    let link = [
        ("recipient", "planted_recipient"),
        ("expires", day),
        ("open", "yes"),
    ];
    pages.push(auditor.post(&format!("{place}/links"), &link));
    let made = &pages.last().expect("a page").html;
    let url = super::browser::between(made, "class=\"secret link\">", "<").expect("a URL");
    let path = url
        .strip_prefix(&*app.url)
        .expect("of this server")
        .to_owned();
    let mut visitor = Browser::new(&app);
    pages.push(visitor.post(&path, &[]));
    pages.push(visitor.post(&format!("{path}/bundle.zip"), &[]));
    let api = app.post(
        &app.auditor,
        "/api/v1/searches",
        &json!({"subject": "planted_subject", "purpose": "planted_purpose", "limit": 1}),
    );
    let cursor = api.json()["cursor"].clone();
    assert!(cursor.is_string() && !cursor.to_string().contains("planted"));

    for (at, page) in pages.iter().enumerate() {
        assert!(page.status < 500, "{at}");
        assert!(
            !addresses(page).contains("planted"),
            "{at}: {}",
            addresses(page)
        );
        for (name, value) in &page.headers {
            assert!(!value.contains("planted"), "{at}: {name}: {value}");
        }
        if page.html.contains("<title>") {
            assert!(!page.title().contains("planted"), "{at}");
        }
    }
    let private = |name: &str| {
        let mode = std::fs::metadata(app.data().join(name))
            .expect("a file")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    };
    for name in ["state.db", "state.db-wal", "catalog.db", "catalog.db-wal"] {
        private(name);
    }
    assert_eq!(app.stop(), 0);
    let said = app.stderr.lock().expect("no panic").clone();
    assert!(
        said.contains("/api/v1/searches"),
        "requests are logged by their route"
    );
    let line = said.lines().find(|line| line.contains("planted"));
    assert_eq!(line, None, "a log line");
    assert!(!said.contains(&path), "the link's token is no log line");
    assert!(!said.contains(&app.auditor));
    let mut files = Vec::new();
    walk(&app.data(), &mut files);
    assert!(files.len() > 5);
    for path in files {
        let bytes = std::fs::read(&path).expect("a file");
        let found = bytes.windows(8).any(|window| window == b"planted_");
        assert!(!found, "{}", path.display());
        assert!(!path.display().to_string().contains("planted"));
    }
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => walk(&path, files),
            false => files.push(path),
        }
    }
}

#[test]
fn secrets_are_shown_once_and_rest_nowhere() {
    let app = TestApp::start_with(&[("log", "trace")]);
    let asked = json!({"name": "ada", "role": "auditor"});
    let person: Value = app.post(&app.admin, "/api/v1/people", &asked).json();
    let password = person["password"].as_str().expect("a password");
    let mut ada = Browser::new(&app);
    assert_eq!(ada.sign_in("ada", password).status, 303);
    let cookie = ada.cookie.split('=').nth(1).expect("a value").to_owned();
    let device = ada.device.split('=').nth(1).expect("a value").to_owned();
    let secrets = [password, &cookie, &device, &app.admin];
    let mut files = Vec::new();
    walk(&app.data(), &mut files);
    for path in files {
        let bytes = std::fs::read(&path).expect("a file");
        for secret in secrets {
            let found = bytes
                .windows(secret.len())
                .any(|window| window == secret.as_bytes());
            assert!(!found, "{}", path.display());
        }
    }
    let listed = app.get(&app.admin, "/api/v1/people").text();
    assert!(!listed.contains(password) && !listed.contains("argon2"));
    let said = app.stderr.lock().expect("no panic");
    for secret in secrets {
        assert!(!said.contains(secret));
    }
}
