//! Who may do what: every call and every page of the README's tables, tried by every role, and
//! by nobody; and the tables are whole.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::web::browser::Browser;

const README: &str = include_str!("../../../README.md");
const PAGES: &str = include_str!("../../../src/web/pages/mod.rs");
const ROLES: [&str; 5] = ["writer", "auditor", "regulator", "admin", "operator"];

/// What no answer shows without a purpose.
const PLANTED: &str = "planted_plaintext";

/// A method and a path's template.
type Call = (String, String);

/// The README's tables: each call with the roles that may make it, `anyone` among them.
fn tables() -> BTreeMap<Call, BTreeSet<String>> {
    let section = README
        .split("## Who may do what")
        .nth(1)
        .expect("a section");
    let section = section.split("\n## ").next().expect("its text");
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    let mut calls = BTreeMap::new();
    for row in rows {
        let cells: Vec<_> = row.trim_matches('|').split('|').map(str::trim).collect();
        let (names, marks) = cells.split_first().expect("a cell");
        let columns = ROLES.into_iter().chain(["anyone"]);
        assert_eq!(marks.len(), 6, "{row}");
        let allowed: BTreeSet<_> = columns
            .zip(marks)
            .filter(|(_, mark)| !mark.is_empty())
            .map(|(role, _)| role.to_owned())
            .collect();
        for name in names.split(',') {
            let name = name.trim().trim_matches('`');
            let (method, path) = name.split_once(' ').expect("a method and a path");
            let call = (method.to_owned(), path.to_owned());
            assert!(
                calls.insert(call, allowed.clone()).is_none(),
                "{name} twice"
            );
        }
    }
    calls
}

/// The calls that the API's description has, each with the roles of its security.
fn described() -> BTreeMap<Call, BTreeSet<String>> {
    let description = serde_json::to_value(estreat::web::openapi()).expect("JSON");
    let paths = description["paths"].as_object().expect("paths");
    let all = ROLES.into_iter().chain(["anyone"]);
    let all: BTreeSet<_> = all.map(str::to_owned).collect();
    let mut calls = BTreeMap::new();
    for (path, methods) in paths {
        for (method, operation) in methods.as_object().expect("methods") {
            let roles = operation["security"][0]["bearer"].as_array();
            let allowed = match roles {
                Some(roles) => roles
                    .iter()
                    .map(|role| role.as_str().expect("a role").to_owned())
                    .collect(),
                None => all.clone(),
            };
            calls.insert((method.to_uppercase(), path.clone()), allowed);
        }
    }
    calls
}

/// The pages that the router has, as its source says.
pub fn routed() -> BTreeSet<Call> {
    let mut pages = BTreeSet::new();
    for route in PAGES.split(".route(").skip(1) {
        let path = route.split('"').nth(1).expect("a path");
        for (method, word) in [("GET", "get("), ("POST", "post(")] {
            if route.contains(word) {
                pages.insert((method.to_owned(), path.to_owned()));
            }
        }
    }
    assert!(pages.len() > 30, "{pages:?}");
    pages
}

#[test]
fn the_readme_has_every_call_and_every_page_and_no_other() {
    let tables = tables();
    let described = described();
    for (call, roles) in &described {
        assert_eq!(tables.get(call), Some(roles), "{call:?}");
    }
    let routed = routed();
    let all: BTreeSet<_> = described.keys().cloned().chain(routed).collect();
    let named: BTreeSet<_> = tables.keys().cloned().collect();
    assert_eq!(named, all);
}

/// A server with one of everything that the paths name.
struct World {
    app: TestApp,
    /// What stands for each part of a path in braces.
    parts: Vec<(&'static str, String)>,
    tokens: Vec<(&'static str, String)>,
}

impl World {
    fn new() -> Self {
        let app = TestApp::start();
        let event = json!({"operation": "read", "data_subject": "s", "payload": PLANTED});
        app.append("orders", &event.to_string());
        let regulator = json!({"name": "r", "role": "regulator"});
        let regulator = app.post(&app.admin, "/api/v1/tokens", &regulator).json();
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let share_with = [regulator["id"].clone()];
        let (view, _) =
            app.export(&json!({"subject": "s", "purpose": "x", "share_with": share_with}));
        let export = text(&view["id"]);
        let links = format!("/api/v1/exports/{export}/links");
        let link = json!({"recipient": "r", "expires": view["expires_at"], "pass_phrase": false});
        let link = app.post(&app.auditor, &links, &link);
        assert_eq!(link.status, 201, "{}", link.text());
        let path = text(&link.json()["path"]);
        let checks = "/api/v1/logs/orders/verifications";
        let verification = text(&app.post(&app.auditor, checks, &json!({})).json()["id"]);
        let made = Browser::signed_in(&app, &app.auditor)
            .post("/search", &[("subjects", "s"), ("purpose", "x")]);
        let case = made.header("location").expect("a case").to_owned();
        let mut tokens: Vec<_> = ROLES.map(|role| (role, app.token(role, &[]))).into();
        tokens[2].1 = text(&regulator["token"]);
        let parts = vec![
            ("{log}", "orders".to_owned()),
            ("{index}", "0".to_owned()),
            ("{number}", "0".to_owned()),
            (
                "verifications/{id}",
                format!("verifications/{verification}"),
            ),
            ("exports/{id}", format!("exports/{export}")),
            ("/cases/{id}", case),
            ("{file}", "bundle.zip".to_owned()),
            ("{token}", path.trim_start_matches("/r/").to_owned()),
            // Nothing that the others need is ended.
            ("{link}", "0".repeat(32)),
            ("{id}", "0".repeat(32)),
        ];
        Self { app, parts, tokens }
    }

    fn path(&self, template: &str) -> String {
        let parts = self.parts.iter();
        parts.fold(template.to_owned(), |path, (part, value)| {
            path.replace(part, value)
        })
    }

    fn body(&self, (method, path): &Call) -> &'static str {
        match (method.as_str(), path.rsplit('/').next().unwrap_or_default()) {
            ("GET" | "DELETE", _) | (_, "password") => "",
            (_, "entries") => r#"{"operation":"read"}"#,
            (_, "{index}") => r#"{"purpose":"x"}"#,
            (_, "searches") if path.contains("/access/") => r#"{"purpose":"x"}"#,
            (_, "names") => r#"{"entry":0,"purpose":"x"}"#,
            (_, "decision") => r#"{"decision":"refuse"}"#,
            ("POST", "name") => "",
            (_, "searches" | "exports") => r#"{"subject":"s","purpose":"x"}"#,
            (_, "links") => r#"{"recipient":"r","expires":"2000-01-01T00:00:00Z"}"#,
            (_, "tokens" | "people") => r#"{"name":"","role":"writer"}"#,
            _ => "{}",
        }
    }
}

#[test]
fn every_call_is_allowed_and_refused_as_the_table_says() {
    let world = World::new();
    for (call, allowed) in tables() {
        if !described().contains_key(&call) {
            continue;
        }
        let (method, path) = (&call.0, world.path(&call.1));
        let send = |token: &str| {
            let headers = [("Content-Type", "application/json")];
            let body = world.body(&call).as_bytes();
            world.app.send(method, token, &path, &headers, body).status
        };
        for (role, token) in &world.tokens {
            let status = send(token);
            match allowed.contains(*role) {
                // What is named may not be there, or be refused for what it is.
                true => assert!(
                    status < 300 || matches!(status, 404 | 422),
                    "{method} {path} by {role}: {status}"
                ),
                false => assert_eq!(status, 403, "{method} {path} by {role}"),
            }
        }
        match allowed.contains("anyone") {
            true => assert!(send("") < 300, "{method} {path}"),
            false => assert_eq!(send(""), 401, "{method} {path}"),
        }
    }
}

#[test]
fn every_page_is_shown_and_refused_as_the_table_says() {
    let world = World::new();
    // What no form takes, so that nothing is made or ended, but that is looked at only after the
    // role is.
    let fields = [
        ("name", ""),
        ("role", "none"),
        ("subject", ""),
        ("expires", "x"),
    ];
    for (call, allowed) in tables() {
        if described().contains_key(&call) {
            continue;
        }
        let path = world.path(&call.1);
        let send = |browser: &mut Browser| match call.0.as_str() {
            "GET" => browser.get(&path),
            _ => browser.post(&path, &fields),
        };
        let to_sign_in = |place: Option<&str>| place.is_some_and(|to| to.starts_with("/signin"));
        for (role, token) in &world.tokens {
            let page = send(&mut Browser::signed_in(&world.app, token));
            let what = format!(
                "{call:?} by {role}: {} {:?}",
                page.status,
                page.header("location")
            );
            match allowed.contains(*role) {
                // Wrong names and passwords, and after a few of them too many.
                true if call.1.starts_with("/sign") => {
                    assert!(matches!(page.status, 303 | 401 | 429), "{what}");
                }
                true => {
                    assert!(matches!(page.status, 200..=303 | 404 | 422), "{what}");
                    assert!(!to_sign_in(page.header("location")), "{what}");
                }
                false => assert_eq!(page.status, 403, "{what}"),
            }
        }
        let page = send(&mut Browser::new(&world.app));
        let what = format!("{call:?} by nobody: {}", page.status);
        match allowed.contains("anyone") {
            true if call.1.starts_with("/sign") => {
                assert!(matches!(page.status, 200 | 303 | 401 | 429), "{what}");
            }
            true => {
                assert!(matches!(page.status, 200 | 303 | 404), "{what}");
                assert!(!to_sign_in(page.header("location")), "{what}");
            }
            false => {
                assert_eq!(page.status, 303, "{what}");
                assert!(to_sign_in(page.header("location")), "{what}");
            }
        }
    }
}

/// Calls and pages that show what entries say, for a purpose: given with the call, or with the
/// export that the file is of.
const SHOWING: [(&str, &str); 5] = [
    ("GET", "/cases/{id}"),
    ("POST", "/api/v1/logs/{log}/entries/{index}"),
    ("POST", "/api/v1/searches"),
    ("GET", "/api/v1/exports/{id}/{file}"),
    ("POST", "/r/{token}/{file}"),
];

#[test]
fn nothing_of_an_entry_is_shown_without_a_purpose_and_a_record_of_it() {
    let world = World::new();
    let auditor = &world.tokens[1].1;
    let recorded = || {
        let log = world.app.get(auditor, "/api/v1/logs/_access").json();
        log["entries"].as_u64().expect("a count")
    };
    let mut shown = BTreeSet::new();
    for call in tables().into_keys() {
        let (method, template) = (call.0.as_str(), call.1.as_str());
        for file in ["entries.ndjson", "report.html", "entries.csv"] {
            let path = world.path(&template.replace("{file}", file));
            let before = recorded();
            let text = match described().contains_key(&call) {
                true => {
                    let headers = [("Content-Type", "application/json")];
                    let body = world.body(&call).as_bytes();
                    let answer = world.app.send(method, auditor, &path, &headers, body);
                    answer.text()
                }
                false => {
                    let mut browser = Browser::signed_in(&world.app, auditor);
                    match method {
                        "GET" => browser.get(&path).html,
                        // Everything but a purpose.
                        _ => {
                            browser
                                .post(&path, &[("subject", "s"), ("subjects", "s")])
                                .html
                        }
                    }
                }
            };
            if text.contains(PLANTED) {
                assert!(recorded() > before, "{method} {path} is not recorded");
                shown.insert((method.to_owned(), template.to_owned()));
            }
            if !template.contains("{file}") {
                break;
            }
        }
    }
    let known = SHOWING.map(|(method, path)| (method.to_owned(), path.to_owned()));
    assert_eq!(shown, BTreeSet::from(known));
    // The same calls without a purpose.
    for (path, body) in [
        ("/api/v1/logs/orders/entries/0", json!({"purpose": " "})),
        ("/api/v1/searches", json!({"subject": "s", "purpose": " "})),
        ("/api/v1/exports", json!({"subject": "s", "purpose": " "})),
        ("/api/v1/access/searches", json!({"purpose": " "})),
        ("/api/v1/access/names", json!({"entry": 0, "purpose": " "})),
    ] {
        let before = recorded();
        let answer = world.app.post(auditor, path, &body);
        assert_eq!(answer.status, 422, "{path}: {}", answer.text());
        assert!(!answer.text().contains(PLANTED), "{path}");
        assert_eq!(recorded(), before, "{path}");
    }
}

#[test]
fn an_administrator_of_some_logs_makes_no_account_that_covers_more() {
    let app = TestApp::start();
    let admin = app.token("admin", &["orders", "visits"]);
    for path in ["/api/v1/tokens", "/api/v1/people"] {
        let make = |logs: Value| {
            let account = json!({"name": path, "role": "auditor", "logs": logs});
            app.post(&admin, path, &account)
        };
        for wider in [
            json!(null),
            json!(["salaries"]),
            json!(["orders", "salaries"]),
        ] {
            let refused = make(wider.clone());
            assert_eq!(refused.status, 403, "{path} {wider}: {}", refused.text());
        }
        let made = make(json!(["orders"]));
        assert_eq!(made.status, 201, "{path}: {}", made.text());
    }
    let person = |name: &str, logs: Value| {
        let account = json!({"name": name, "role": "auditor", "logs": logs});
        let made = app.post(&app.admin, "/api/v1/people", &account).json();
        let text = |field: &str| made[field].as_str().expect("a text").to_owned();
        (text("id"), text("password"))
    };
    for (name, logs, status) in [
        ("all", json!(null), 403),
        ("wider", json!(["orders", "salaries"]), 403),
        ("within", json!(["visits"]), 200),
    ] {
        let (id, password) = person(name, logs);
        let path = format!("/api/v1/people/{id}/password");
        let reset = app.post(&admin, &path, &json!({}));
        assert_eq!(reset.status, status, "{name}: {}", reset.text());
        let old = Browser::new(&app).sign_in(name, &password).status;
        assert_eq!(
            old == 303,
            status == 403,
            "{name} with the old password: {old}"
        );
    }
}

#[test]
fn a_token_for_some_logs_sees_no_other() {
    let app = TestApp::start();
    app.append("orders", r#"{"operation":"read","data_subject":"s"}"#);
    app.append("salaries", r#"{"operation":"read","data_subject":"s"}"#);
    let auditor = app.token("auditor", &["orders"]);
    let writer = app.token("writer", &["orders"]);
    let found = app
        .post(
            &auditor,
            "/api/v1/searches",
            &json!({"subject": "s", "purpose": "x"}),
        )
        .json();
    assert_eq!(found["entries"].as_array().expect("entries").len(), 1);
    let asked = app.post(
        &auditor,
        "/api/v1/searches",
        &json!({"subject": "s", "purpose": "x", "logs": ["salaries"]}),
    );
    assert_eq!(asked.status, 403);
    assert_eq!(app.get(&auditor, "/api/v1/logs/salaries").status, 403);
    let headers = [("Content-Type", "application/json")];
    let body = br#"{"operation":"read"}"#;
    assert_eq!(
        app.send(
            "POST",
            &writer,
            "/api/v1/logs/salaries/entries",
            &headers,
            body
        )
        .status,
        403
    );
    assert_eq!(
        app.send(
            "POST",
            &app.writer,
            "/api/v1/logs/_access/entries",
            &headers,
            body
        )
        .status,
        403
    );
    let (view, _) = app.export(&json!({"subject": "s", "purpose": "x"}));
    let id = view["id"].as_str().expect("an id");
    assert_eq!(
        app.get(&auditor, &format!("/api/v1/exports/{id}")).status,
        404
    );
}

#[test]
fn a_revoked_token_ends_at_once() {
    let app = TestApp::start();
    let made = app.post(
        &app.admin,
        "/api/v1/tokens",
        &json!({"name": "n", "role": "auditor"}),
    );
    assert_eq!(made.status, 201);
    let made = made.json();
    let (id, secret) = (
        made["id"].as_str().expect("an id"),
        made["token"].as_str().expect("a secret"),
    );
    assert_eq!(app.get(secret, "/api/v1/logs").status, 200);
    assert_eq!(
        app.send(
            "DELETE",
            &app.admin,
            &format!("/api/v1/tokens/{id}"),
            &[],
            b""
        )
        .status,
        204
    );
    assert_eq!(app.get(secret, "/api/v1/logs").status, 401);
    let listed = app.get(&app.admin, "/api/v1/tokens").text();
    assert!(!listed.contains(secret));
}
