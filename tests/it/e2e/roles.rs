//! Who may do what: every call, tried by every role, and by nobody.

use serde_json::json;

use crate::support::app::TestApp;

/// A call, and the roles that may make it.
struct Call {
    method: &'static str,
    path: &'static str,
    body: &'static str,
    allowed: &'static [&'static str],
}

const ROLES: [&str; 5] = ["writer", "auditor", "regulator", "admin", "operator"];
const ALL: &[&str] = &["writer", "auditor", "regulator", "admin", "operator", ""];

const CALLS: &[Call] = &[
    Call {
        method: "POST",
        path: "/api/v1/logs/orders/entries",
        body: r#"{"operation":"read"}"#,
        allowed: &["writer"],
    },
    Call {
        method: "POST",
        path: "/api/v1/logs/orders/entries/0",
        body: r#"{"purpose":"x"}"#,
        allowed: &["auditor"],
    },
    Call {
        method: "GET",
        path: "/api/v1/logs",
        body: "",
        allowed: &["auditor", "admin"],
    },
    Call {
        method: "GET",
        path: "/api/v1/logs/orders",
        body: "",
        allowed: &["auditor", "admin"],
    },
    Call {
        method: "PUT",
        path: "/api/v1/logs/orders",
        body: "{}",
        allowed: &["admin"],
    },
    Call {
        method: "GET",
        path: "/api/v1/logs/orders/segments",
        body: "",
        allowed: &["auditor"],
    },
    Call {
        method: "GET",
        path: "/api/v1/logs/orders/segments/0",
        body: "",
        allowed: &["auditor"],
    },
    Call {
        method: "POST",
        path: "/api/v1/searches",
        body: r#"{"subject":"s","purpose":"x"}"#,
        allowed: &["auditor"],
    },
    Call {
        method: "POST",
        path: "/api/v1/exports",
        body: r#"{"subject":"s","purpose":"x"}"#,
        allowed: &["auditor"],
    },
    Call {
        method: "GET",
        path: "/api/v1/exports",
        body: "",
        allowed: &["auditor", "regulator"],
    },
    Call {
        method: "GET",
        path: "/api/v1/exports/EXPORT",
        body: "",
        allowed: &["auditor", "regulator"],
    },
    Call {
        method: "GET",
        path: "/api/v1/exports/EXPORT/events",
        body: "",
        allowed: &["auditor", "regulator"],
    },
    Call {
        method: "GET",
        path: "/api/v1/exports/EXPORT/bundle.zip",
        body: "",
        allowed: &["auditor", "regulator"],
    },
    Call {
        method: "POST",
        path: "/api/v1/logs/orders/verifications",
        body: "{}",
        allowed: &["auditor"],
    },
    Call {
        method: "GET",
        path: "/api/v1/verifications/VERIFICATION",
        body: "",
        allowed: &["auditor"],
    },
    Call {
        method: "POST",
        path: "/api/v1/tokens",
        body: r#"{"name":"n","role":"writer"}"#,
        allowed: &["admin"],
    },
    Call {
        method: "GET",
        path: "/api/v1/tokens",
        body: "",
        allowed: &["admin"],
    },
    Call {
        method: "DELETE",
        path: "/api/v1/tokens/00000000000000000000000000000000",
        body: "",
        allowed: &["admin"],
    },
    Call {
        method: "GET",
        path: "/metrics",
        body: "",
        allowed: &["operator", "admin"],
    },
    Call {
        method: "GET",
        path: "/api/v1/keys",
        body: "",
        allowed: ALL,
    },
    Call {
        method: "GET",
        path: "/healthz",
        body: "",
        allowed: ALL,
    },
    Call {
        method: "GET",
        path: "/readyz",
        body: "",
        allowed: ALL,
    },
    Call {
        method: "GET",
        path: "/openapi.json",
        body: "",
        allowed: ALL,
    },
];

#[test]
fn every_call_is_allowed_and_refused_as_the_table_says() {
    let app = TestApp::start();
    app.append("orders", r#"{"operation":"read","data_subject":"s"}"#);
    let (view, _) = app.export(&json!({"subject": "s", "purpose": "x"}));
    let export = view["id"].as_str().expect("an id").to_owned();
    let verification = app.post(
        &app.auditor,
        "/api/v1/logs/orders/verifications",
        &json!({}),
    );
    assert_eq!(verification.status, 202, "{}", verification.text());
    let verification = verification.json()["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    for call in CALLS {
        let path = call
            .path
            .replace("EXPORT", &export)
            .replace("VERIFICATION", &verification);
        for role in ROLES.into_iter().chain([""]) {
            let token = if role.is_empty() {
                String::new()
            } else {
                app.token(role, &[])
            };
            let headers = [("Content-Type", "application/json")];
            let status = app
                .send(call.method, &token, &path, &headers, call.body.as_bytes())
                .status;
            let refused = if role.is_empty() { 401 } else { 403 };
            match call.allowed.contains(&role) {
                true => assert!(
                    status < 300 || status == 404,
                    "{} {path} by {role:?}: {status}",
                    call.method
                ),
                false => assert_eq!(status, refused, "{} {path} by {role:?}", call.method),
            }
        }
    }
}

#[test]
fn the_table_has_every_call_of_the_description() {
    let description = serde_json::to_value(estreat::web::openapi()).expect("JSON");
    for (path, methods) in description["paths"].as_object().expect("paths") {
        for method in methods.as_object().expect("methods").keys() {
            let named = CALLS
                .iter()
                .any(|call| call.method.eq_ignore_ascii_case(method) && matches(path, call.path));
            assert!(named, "{method} {path} is not in the table");
        }
    }
}

fn matches(template: &str, path: &str) -> bool {
    let (mut template, mut path) = (template.split('/'), path.split('/'));
    loop {
        match (template.next(), path.next()) {
            (None, None) => return true,
            (Some(part), Some(word)) if part == word || part.starts_with('{') => {}
            _ => return false,
        }
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
