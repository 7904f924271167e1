//! People: let in, signed in, slowed when they guess, and ended.

use serde_json::{Value, json};

use super::browser::{Browser, between};
use super::pages::check_page;
use crate::support::app::{TestApp, estreat};

/// Lets a person in; their id and password.
pub fn person(app: &TestApp, name: &str, role: &str) -> (String, String) {
    let asked = json!({"name": name, "role": role});
    let made = app.post(&app.admin, "/api/v1/people", &asked);
    assert_eq!(made.status, 201, "{}", made.text());
    let made = made.json();
    let text = |field: &str| made[field].as_str().expect("a text").to_owned();
    (text("id"), text("password"))
}

/// The operations in `_access` that speak of an account.
fn recorded(app: &TestApp, operation: &str) -> Vec<Value> {
    let log = app.get(&app.auditor, "/api/v1/logs/_access").json();
    let count = log["entries"].as_u64().expect("a count");
    let entries = (0..count).map(|index| {
        let path = format!("/api/v1/logs/_access/entries/{index}");
        let entry = app.post(&app.auditor, &path, &json!({"purpose": "a test"}));
        assert_eq!(entry.status, 200, "{}", entry.text());
        let entry = entry.json();
        let event = entry["bytes"].as_str().expect("an entry");
        serde_json::from_str::<Value>(event).expect("JSON")
    });
    entries
        .filter(|event| event["operation"] == operation)
        .collect()
}

#[test]
fn a_person_signs_in_with_name_and_password_and_changes_it() {
    let app = TestApp::start();
    let (id, password) = person(&app, "Ada König", "auditor");
    assert_eq!(password.len(), 23, "20 characters in four groups");
    let made = recorded(&app, "create_person");
    assert_eq!(made.len(), 1);
    assert_eq!(made[0]["payload"]["person"], json!(id));
    assert_eq!(made[0]["payload"]["address"], "127.0.0.1");

    let mut wrong = Browser::new(&app);
    let refused = wrong.sign_in("Ada König", "another password");
    assert_eq!(refused.status, 401);
    assert_eq!(refused.header("set-cookie"), None);
    let unknown = wrong.sign_in("Nobody", "another password");
    assert_eq!(unknown.html, refused.html, "which is wrong does not show");

    let mut here = Browser::new(&app);
    let right = here.sign_in(" ada kÖnig ", &password);
    assert_eq!(right.status, 303, "{}", right.html);
    for cookie in right.all("set-cookie") {
        assert!(cookie.contains("; HttpOnly; SameSite=Strict; Path=/"));
        assert!(!cookie.contains(&id) && !cookie.contains(&password));
    }
    let mut there = Browser::new(&app);
    there.sign_in("ada könig", &password);
    assert_eq!(there.get("/search").status, 200);
    assert_eq!(there.get("/tokens").status, 403);

    check_page(&here.get("/account"));
    let change = |old: &str, new: &str, again: &str| {
        [("old", old), ("new", new), ("again", again)]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
    };
    let mut send = |fields: [(String, String); 3]| {
        let fields: Vec<_> = fields
            .iter()
            .map(|(name, value)| (&**name, &**value))
            .collect();
        here.post("/account/password", &fields)
    };
    let new = "four words are enough";
    for (fields, field) in [
        (change("wrong password", new, new), "old"),
        (change(&password, "too short", "too short"), "new"),
        (change(&password, new, "four words are enouhg"), "again"),
    ] {
        let refused = send(fields);
        assert_eq!(refused.status, 422, "{field}");
        assert!(refused.html.contains(&format!("id=\"{field}-error\"")));
        assert!(
            !refused.html.contains("value=\"four"),
            "no password goes back"
        );
    }
    assert_eq!(there.get("/search").status, 200, "nothing was changed");
    let changed = send(change(&password, new, new));
    assert_eq!(changed.status, 200, "{}", changed.html);
    check_page(&changed);
    assert_eq!(here.get("/search").status, 200);
    assert_eq!(there.get("/search").status, 303, "other sessions ended");
    assert_eq!(
        Browser::new(&app).sign_in("ada könig", &password).status,
        401
    );
    assert_eq!(Browser::new(&app).sign_in("ada könig", new).status, 303);
}

#[test]
fn an_administrator_lets_people_in_and_ends_them_on_their_page() {
    let app = TestApp::start();
    let mut admin = Browser::signed_in(&app, &app.admin);
    check_page(&admin.get("/people"));
    let fields = [
        ("name", "Grace <h1>"),
        ("role", "auditor"),
        ("logs", "orders"),
    ];
    let made = admin.post("/people", &fields);
    assert_eq!(made.status, 201);
    check_page(&made);
    let secret = |html: &str| {
        let secret = between(html, "class=\"secret\">", "<").expect("a password");
        secret.to_owned()
    };
    let password = secret(&made.html);
    let taken = admin.post("/people", &[("name", "GRACE <H1>"), ("role", "writer")]);
    assert_eq!(taken.status, 422);
    assert!(taken.html.contains("id=\"name-error\""));
    let listed = admin.get("/people");
    assert!(!listed.html.contains(&password) && listed.html.contains("Grace &#60;h1&#62;"));
    assert!(
        !admin.get("/tokens").html.contains("Grace"),
        "people are no tokens"
    );

    let mut grace = Browser::new(&app);
    assert_eq!(grace.sign_in("grace <h1>", &password).status, 303);
    assert!(grace.get("/account").html.contains("orders"));
    let id = between(&listed.html, "action=\"/people/", "/").expect("an id");
    let reset = admin.post(&format!("/people/{id}/password"), &[]);
    assert_eq!(reset.status, 200);
    check_page(&reset);
    let second = secret(&reset.html);
    assert_eq!(recorded(&app, "reset_password").len(), 1);
    assert_eq!(grace.get("/").status, 303, "the session ended");
    assert_eq!(grace.sign_in("grace <h1>", &password).status, 401);
    assert_eq!(grace.sign_in("grace <h1>", &second).status, 303);

    let removed = admin.post(&format!("/people/{id}/remove"), &[]);
    assert_eq!(removed.header("location"), Some("/people"));
    let gone = recorded(&app, "remove_person");
    assert_eq!(gone.len(), 1);
    assert_eq!(gone[0]["payload"]["person"], json!(id));
    assert_eq!(grace.get("/").status, 303);
    assert_eq!(grace.sign_in("grace <h1>", &second).status, 401);
    assert_eq!(
        admin.post(&format!("/people/{id}/password"), &[]).status,
        404
    );
    assert_eq!(admin.post(&format!("/people/{id}/remove"), &[]).status, 404);
    person(&app, "grace <h1>", "operator");
}

#[test]
fn the_command_line_lets_people_in_and_takes_no_password_as_an_argument() {
    let app = TestApp::start();
    let file = app.data().join("password");
    std::fs::write(&file, "correct horse battery staple\r\n").expect("written");
    let run = |arguments: &[&str]| {
        let mut command = estreat();
        command
            .arg("person")
            .args(arguments)
            .arg("--data")
            .arg(app.data());
        command.output().expect("a run")
    };
    let path = file.to_str().expect("a path");
    let create = ["create", "--name", "ada", "--role", "auditor", "--json"];
    let made = run(&[&create[..], &["--password-file", path]].concat());
    assert!(made.status.success());
    let made: Value = serde_json::from_slice(&made.stdout).expect("JSON");
    assert_eq!(made.get("password"), None);
    let id = made["id"].as_str().expect("an id");
    let mut ada = Browser::new(&app);
    assert_eq!(
        ada.sign_in("ada", "correct horse battery staple").status,
        303
    );
    assert_eq!(run(&create).status.code(), Some(1), "the name is taken");
    let smuggled = run(&[&create[..], &["--password", "correct horse battery"]].concat());
    assert_eq!(smuggled.status.code(), Some(2));
    std::fs::write(&file, "short\n").expect("written");
    let short = run(&["password", id, "--password-file", path]);
    assert_eq!(short.status.code(), Some(1));
    assert_eq!(ada.get("/").status, 200);

    let made = run(&["password", id]);
    let password = String::from_utf8(made.stdout).expect("text");
    assert_eq!(ada.get("/").status, 303, "the session ended");
    assert_eq!(ada.sign_in("ada", password.trim()).status, 303);
    assert!(run(&["remove", id]).status.success());
    assert_eq!(ada.get("/").status, 303);
    assert_eq!(run(&["remove", id]).status.code(), Some(1));
    let listed = String::from_utf8(run(&["list"]).stdout).expect("text");
    assert!(listed.contains(id) && listed.contains("revoked"));
}

#[test]
fn an_attack_slows_the_attacker_and_not_the_person() {
    let app = TestApp::start_with(&[("trusted_proxies", "127.0.0.1")]);
    let (_, password) = person(&app, "ada", "auditor");
    let mut ada = Browser::from(&app, "192.0.2.1");
    assert_eq!(ada.sign_in("ada", &password).status, 303);
    let mut attacker = Browser::from(&app, "203.0.113.66");
    assert!(guess_until_slowed(&mut attacker, "ada") >= 5);
    let slowed = attacker.sign_in("ada", &password);
    assert_eq!(
        slowed.status, 429,
        "also with the right one, and for any name"
    );
    let mut forged = Browser::from(&app, "203.0.113.66");
    forged.device = "estreat_device=0000".into();
    assert_eq!(forged.sign_in("ada", &password).status, 429);
    let seconds: u32 = slowed
        .header("retry-after")
        .expect("a time")
        .parse()
        .expect("seconds");
    assert!((1..=900).contains(&seconds));
    check_page(&slowed);
    // Which names there are does not show.
    assert!(guess_until_slowed(&mut attacker, "nobody") >= 5);

    assert_eq!(ada.get("/").status, 200, "a session goes on");
    let mut behind_the_attacker = Browser::from(&app, "203.0.113.66");
    behind_the_attacker.device = ada.device.clone();
    assert_eq!(behind_the_attacker.sign_in("ada", &password).status, 303);
    assert_eq!(
        Browser::from(&app, "192.0.2.2")
            .sign_in("ada", &password)
            .status,
        303
    );
}

/// Guesses until the answer is to wait; how many guesses were free. A slow machine has more of
/// them, but each wait is twice the one before.
fn guess_until_slowed(attacker: &mut Browser, name: &str) -> usize {
    let mut guesses = 0..20;
    let slowed = guesses.find(|guess| {
        let answer = attacker.sign_in(name, &format!("guess number {guess}"));
        assert!(matches!(answer.status, 401 | 429), "{}", answer.html);
        answer.status == 429
    });
    slowed.expect("guesses are slowed")
}

#[test]
fn nobody_chooses_their_own_address() {
    let app = TestApp::start();
    person(&app, "ada", "auditor");
    let slowed = (0..20).any(|guess| {
        let mut attacker = Browser::from(&app, &format!("203.0.113.{guess}"));
        attacker.sign_in("ada", "a wrong password").status == 429
    });
    assert!(
        slowed,
        "without a trusted proxy the header is anybody's word"
    );
}
