//! The access log: who read what, and the names behind its pseudonyms, which take two people.

use serde_json::{Value, json};

use super::browser::{Browser, between};
use super::findings::change_a_byte;
use super::pages::check_page;
use crate::support::app::TestApp;

fn acts(app: &TestApp, request: Value) -> (Vec<Value>, Value) {
    let answer = app.post(&app.auditor, "/api/v1/access/searches", &request);
    assert_eq!(answer.status, 200, "{}", answer.text());
    let page = answer.json();
    (
        page["acts"].as_array().expect("acts").clone(),
        page["cursor"].clone(),
    )
}

fn operations(acts: &[Value]) -> Vec<&str> {
    let words = acts.iter().map(|act| act["operation"].as_str());
    words.map(|word| word.expect("a word")).collect()
}

#[test]
fn whoever_reads_the_access_log_says_why_and_stands_in_it() {
    let mut app = TestApp::start();
    app.append(
        "orders",
        r#"{"operation":"read","data_subject":"planted_17"}"#,
    );
    app.search("planted_17");
    let refused = app.post(
        &app.auditor,
        "/api/v1/access/searches",
        &json!({"purpose": " "}),
    );
    assert_eq!(refused.status, 422);
    let narrow = app.token("auditor", &["orders"]);
    let request = json!({"purpose": "a review"});
    let refused = app.post(&narrow, "/api/v1/access/searches", &request);
    assert_eq!(refused.status, 403, "its account does not cover _access");
    let refused = app.post(&app.admin, "/api/v1/access/searches", &request);
    assert_eq!(refused.status, 403);

    let (first, _) = acts(&app, json!({"purpose": "a review", "case": "K 7"}));
    assert_eq!(
        operations(&first),
        ["search"],
        "what was there before the reading"
    );
    let act = &first[0];
    assert_eq!(
        (&act["role"], &act["logs"]),
        (&json!("auditor"), &json!(["orders"]))
    );
    assert_eq!(
        (&act["purpose"], &act["about_a_person"]),
        (&json!("a test"), &json!(true))
    );
    assert!(!act.to_string().contains("planted_17"), "{act}");
    let (second, _) = acts(&app, json!({"purpose": "a look"}));
    assert_eq!(operations(&second), ["read_access", "search"]);
    assert_eq!(
        (&second[0]["purpose"], &second[0]["case"]),
        (&json!("a review"), &json!("K 7"))
    );
    assert_eq!(second[0]["pseudonym"], act["pseudonym"], "the same account");

    // Across closed segments, page by page.
    assert_eq!(app.stop(), 0);
    app.restart();
    app.search("planted_17");
    let mut seen = Vec::new();
    let mut cursor = Value::Null;
    loop {
        let request = json!({"purpose": "x", "operation": "search", "limit": 1, "cursor": cursor});
        let (page, next) = acts(&app, request);
        seen.extend(
            page.iter()
                .map(|act| act["entry"].as_u64().expect("an entry")),
        );
        cursor = next;
        if cursor.is_null() {
            break;
        }
    }
    assert_eq!(seen.len(), 2, "{seen:?}");
    assert!(seen[0] > seen[1]);
    let by = |name: &str, value: &str| acts(&app, json!({"purpose": "x", name: value})).0.len();
    assert_eq!((by("log", "orders"), by("log", "hr")), (2, 0));
    assert_eq!(
        (by("role", "admin"), by("to", "2000-01-01T00:00:00Z")),
        (0, 0)
    );
}

#[test]
fn a_changed_byte_hides_no_act_but_those_of_its_batch() {
    let mut app = TestApp::start();
    app.append("orders", r#"{"operation":"read","data_subject":"u"}"#);
    for _ in 0..12 {
        app.search("u");
    }
    assert_eq!(app.stop(), 0);
    change_a_byte(&app, "_access");
    app.restart();
    // A page has one row: an act, or the place where one may be missing.
    let (mut seen, mut findings, mut cursor) = (Vec::new(), Vec::new(), Value::Null);
    loop {
        let request = json!({"purpose": "x", "operation": "search", "limit": 1, "cursor": cursor});
        let answer = app.post(&app.auditor, "/api/v1/access/searches", &request);
        assert_eq!(answer.status, 200, "{}", answer.text());
        let page = answer.json();
        let acts = page["acts"].as_array().expect("acts").iter();
        seen.extend(acts.map(|act| act["entry"].as_u64().expect("an entry")));
        let found = page["findings"].as_array().into_iter().flatten();
        findings.extend(found.map(|it| it.as_str().expect("a finding").to_owned()));
        cursor = page["cursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    let [finding] = &*findings else {
        panic!("{findings:?}")
    };
    let missing: Vec<u64> = (0..12).filter(|entry| !seen.contains(entry)).collect();
    let [missing] = &*missing else {
        panic!("{seen:?}")
    };
    assert!((1..11).contains(missing), "some are older, some newer");
    let place = format!("from entry {missing} on: ALTERED: log _access, segment 0");
    assert!(finding.starts_with(&place), "{finding}");
    assert_eq!(seen.len(), 11, "each once");

    let mut browser = Browser::signed_in(&app, &app.auditor);
    let page = browser.post("/access", &[("purpose", "x"), ("operation", "search")]);
    check_page(&page);
    assert!(page.html.contains(&place), "{}", page.html);
}

#[test]
fn a_name_takes_two_people_and_is_shown_once() {
    let app = TestApp::start();
    app.append("orders", r#"{"operation":"read","data_subject":"u"}"#);
    app.search("u");
    let asker = app.token("auditor", &[]);
    let ask = json!({"entry": 0, "purpose": "planted_purpose"});
    let asked = app.post(&asker, "/api/v1/access/names", &ask);
    assert_eq!(asked.status, 201, "{}", asked.text());
    let view = asked.json();
    assert_eq!(
        (&view["status"], &view["may_decide"]),
        (&json!("waiting"), &json!(false))
    );
    let path = format!(
        "/api/v1/access/names/{}",
        view["id"].as_str().expect("an id")
    );
    let (decide, show) = (format!("{path}/decision"), format!("{path}/name"));
    let yes = json!({"decision": "approve"});
    assert_eq!(
        app.post(&asker, &show, &json!({})).status,
        403,
        "nobody has allowed it"
    );
    assert_eq!(app.post(&asker, &decide, &yes).status, 403, "not who asks");
    assert_eq!(
        app.post(&app.auditor, &decide, &yes).status,
        403,
        "not whose name it is"
    );
    let overview = app.get(&app.admin, "/api/v1/overview").text();
    assert!(overview.contains("names-asked"), "{overview}");
    let names = app.get(&app.admin, "/api/v1/access/names").json();
    assert_eq!(names["names"][0]["purpose"], "planted_purpose");
    let decided = app.post(&app.admin, &decide, &yes);
    assert_eq!(
        (decided.status, &decided.json()["status"]),
        (200, &json!("approved"))
    );
    assert_eq!(app.post(&app.admin, &decide, &yes).status, 403, "decided");
    assert_eq!(
        app.post(&app.auditor, &show, &json!({})).status,
        404,
        "another's request"
    );
    let shown = app.post(&asker, &show, &json!({}));
    assert_eq!(shown.status, 200, "{}", shown.text());
    let name = shown.json()["name"].as_str().expect("a name").to_owned();
    assert!(!name.is_empty());
    assert_eq!(app.post(&asker, &show, &json!({})).status, 403, "once");

    let (all, _) = acts(&app, json!({"purpose": "x"}));
    assert_eq!(
        operations(&all),
        ["show_name", "approve_name", "ask_for_name", "search"]
    );
    // The reason rests sealed.
    for file in ["state.db", "state.db-wal"] {
        let bytes = std::fs::read(app.data().join(file)).unwrap_or_default();
        let planted = b"planted_purpose";
        assert!(
            !bytes.windows(planted.len()).any(|it| it == planted),
            "{file}"
        );
    }

    // One that waits too long, and one that is not shown in time.
    let again = app.post(&asker, "/api/v1/access/names", &ask).json();
    app.edit_state("UPDATE reveals SET created_at = 1 WHERE decided_at IS NULL");
    let path = format!(
        "/api/v1/access/names/{}/decision",
        again["id"].as_str().expect("an id")
    );
    assert_eq!(app.post(&app.admin, &path, &yes).status, 410);
}

#[test]
fn the_pages_of_the_access_log_lead_from_the_act_to_the_name() {
    let app = TestApp::start();
    app.append("orders", r#"{"operation":"read","data_subject":"u"}"#);
    let hostile = "<script>alert(1)</script>\u{202e}";
    let mut reader = Browser::signed_in(&app, &app.auditor);
    let made = reader.post("/search", &[("subjects", "u"), ("purpose", hostile)]);
    let case = made.header("location").expect("a case").to_owned();
    assert_eq!(reader.get(&case).status, 200);
    let asker = app.token("auditor", &[]);
    let mut asker = Browser::signed_in(&app, &asker);
    check_page(&asker.get("/access"));
    assert_eq!(asker.post("/access", &[("purpose", "")]).status, 422);
    let found = asker.post(
        "/access",
        &[("purpose", "a review"), ("operation", "search")],
    );
    check_page(&found);
    assert!(!found.html.contains("<script>alert") && found.html.contains("U+202E"));
    let entry = between(&found.html, "name=\"entry\" value=\"", "\"")
        .expect("an entry")
        .to_owned();
    let asked = asker.post(
        "/access/names",
        &[("entry", &entry), ("purpose", "an abuse")],
    );
    assert_eq!(
        asked.header("location"),
        Some("/access/names"),
        "{}",
        asked.html
    );
    let waiting = asker.get("/access/names");
    check_page(&waiting);
    assert!(waiting.html.contains("waits for a second person"));
    assert!(!waiting.html.contains("value=\"approve\""));
    let mut admin = Browser::signed_in(&app, &app.admin);
    let list = admin.get("/access/names");
    check_page(&list);
    let place = between(&list.html, "action=\"", "\"").filter(|it| it.contains("/decision"));
    let place = place.map(str::to_owned).or_else(|| {
        let mut forms = list.html.split("action=\"").skip(1);
        let form = forms.find(|form| form.starts_with("/access/names/"))?;
        form.split('"').next().map(str::to_owned)
    });
    let place = place.expect("a form to decide");
    admin.post(&place, &[("decision", "approve")]);
    let show = place.replace("/decision", "/name");
    let shown = asker.post(&show, &[]);
    check_page(&shown);
    assert!(shown.html.contains("shown this once"), "{}", shown.html);
    assert_eq!(asker.post(&show, &[]).status, 403);
}
