//! Cases: several ids of one person, their timeline, look-alikes, and exports.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::browser::{Browser, Page, between, borrowed};
use super::pages::check_page;
use crate::support::app::TestApp;

/// An event about somebody, at a time.
pub fn event(subject: &str, time: &str) -> String {
    json!({"operation": "read", "data_subject": subject, "time": time}).to_string()
}

#[test]
fn ids_of_one_person_are_looked_at_together_and_each_look_is_recorded() {
    let app = TestApp::start();
    let both = json!({"operation": "read", "data_subjects": ["u_1", "u_2"], "time": "2026-05-04T00:00:00Z"});
    let events = [
        event("u_1", "2026-05-04T10:00:00Z"),
        both.to_string(),
        event("u_2", "2026-05-06T10:00:00Z"),
        event("u_3", "2026-05-06T10:00:00Z"),
    ];
    app.append("orders", &events.join("\n"));
    app.append("visits", &event("u_2", "2026-05-05T10:00:00Z"));
    let mut browser = Browser::signed_in(&app, &app.auditor);
    let ask = [
        ("subjects", "u_1\r\nu_2\r\n"),
        ("purpose", "request for access"),
        ("case", "C-7"),
    ];
    let made = browser.post("/search", &ask);
    let place = made.header("location").expect("its page").to_owned();
    assert_eq!((made.status, place.len()), (303, "/cases/".len() + 32));
    let page = browser.get(&place);
    check_page(&page);
    assert!(page.html.contains("4 entries name this person"));
    assert_eq!(
        rows(&page),
        [("orders", 1), ("orders", 0), ("visits", 0), ("orders", 2)]
    );
    for column in ["2026-05-04: 2", "2026-05-05: 1", "2026-05-06: 1"] {
        assert!(page.html.contains(&format!("<title>{column}</title>")));
    }
    assert!(!page.title().contains("C-7") && !page.title().contains("u_1"));
    browser.get(&place);
    let looks = |subject: &str| {
        let seen = app.search_in(Some("_access"), subject);
        let looks = seen.iter().map(|it| &it["event"]);
        let looks = looks.filter(|it| it["payload"]["look_alikes"].is_null());
        let looks: Vec<Value> = looks.cloned().collect();
        looks
    };
    for subject in ["u_1", "u_2"] {
        let looks = looks(subject);
        let mine: Vec<_> = looks
            .iter()
            .filter(|it| it["purpose"] == "request for access")
            .collect();
        assert_eq!(mine.len(), 2, "{looks:?}");
        assert!(mine.iter().all(|it| it["operation"] == "search"
            && it["payload"]["case"] == "C-7"
            && it["data_subjects"] == json!(["u_1", "u_2"])));
    }
}

#[test]
fn a_case_is_for_auditors_who_cover_its_logs_and_its_maker_closes_it() {
    let app = TestApp::start();
    app.append("orders", &event("u", "2026-05-04T10:00:00Z"));
    app.append("salaries", &event("u", "2026-05-04T10:00:00Z"));
    let ask = [("subjects", "u"), ("purpose", "x")];
    let mut maker = Browser::signed_in(&app, &app.auditor);
    let of_all = place_of(&maker.post("/search", &ask));
    let mut some = Browser::signed_in(&app, &app.token("auditor", &["orders"]));
    let of_some = place_of(&some.post("/search", &ask));
    assert_eq!(rows(&some.get(&of_some)), [("orders", 0)]);
    assert_eq!(rows(&maker.get(&of_some)), [("orders", 0)]);
    assert_eq!(some.get(&of_all).status, 404, "it covers more");
    let salaries = some.post(&format!("{of_some}/filters"), &[("logs", "salaries")]);
    assert_eq!(salaries.status, 403);
    let beyond = maker.post(&format!("{of_some}/filters"), &[("logs", "salaries")]);
    assert_eq!(
        beyond.status, 422,
        "the case covers less than whoever looks"
    );
    assert_eq!(rows(&some.get(&of_some)), [("orders", 0)]);
    for change in ["filters", "subjects", "exports", "close"] {
        let place = format!("{of_all}/{change}");
        assert_eq!(
            some.post(&place, &[("subject", "v")]).status,
            404,
            "{change}"
        );
    }
    assert_eq!(
        Browser::signed_in(&app, &app.admin).get(&of_all).status,
        403
    );
    assert!(maker.get("/search").html.contains(&of_all));
    assert!(!some.get("/search").html.contains(&of_all));

    let mut other = Browser::signed_in(&app, &app.token("auditor", &[]));
    assert_eq!(other.get(&of_all).status, 200);
    assert_eq!(other.post(&format!("{of_all}/close"), &[]).status, 404);
    let closed = maker.post(&format!("{of_all}/close"), &[]);
    assert_eq!(closed.header("location"), Some("/search"));
    assert_eq!(maker.get(&of_all).status, 404);
    assert!(!maker.get("/search").html.contains(&of_all));
}

#[test]
fn pages_are_stable_among_5000_entries_of_one_microsecond_while_more_arrive() {
    let app = TestApp::start_with(&[("roll_postings", "2000")]);
    let one = event("u", "2026-05-04T10:00:00.000001Z");
    let first = |app: &TestApp| app.append("orders", &vec![one.clone(); 2500].join("\n"));
    first(&app);
    first(&app);
    let mut browser = Browser::signed_in(&app, &app.auditor);
    let mut page = browser.search(&[("subjects", "u"), ("purpose", "x")]);
    let mut places = vec![String::new()];
    let mut seen: Vec<u64> = Vec::new();
    let mut arrived = 0;
    loop {
        seen.extend(rows(&page).iter().map(|(_, entry)| *entry));
        let Some(next) = page.link("Next page") else {
            break;
        };
        // Some come before what was shown, some behind everything.
        if places.len() % 10 == 0 {
            let early = event("u", "2026-05-04T09:00:00Z");
            app.append("orders", &[early, one.clone()].join("\n"));
            arrived += 2;
        }
        page = browser.get(&next);
        assert_eq!(page.status, 200);
        places.push(next);
    }
    let once: BTreeSet<u64> = seen.iter().copied().collect();
    assert_eq!(once.len(), seen.len(), "no entry twice");
    assert!(
        (0..5000).all(|entry| once.contains(&entry)),
        "none left out"
    );
    let total = 5000 + arrived;
    let words = format!(
        "{},{:03} entries name this person",
        total / 1000,
        total % 1000
    );
    assert!(page.html.contains(&words), "{words}");
    // Back, step by step.
    let back = page.link("Page before").expect("a way back");
    let before = browser.get(&back);
    let shown = rows(&before);
    assert_eq!(shown.len(), 50);
    assert_eq!(rows(&browser.get(&places[places.len() - 2])), shown);
}

#[test]
fn places_of_pages_are_opaque_and_of_one_case_alone() {
    let app = TestApp::start();
    let day = event("u", "2026-05-04T10:00:00Z");
    app.append("orders", &vec![day; 120].join("\n"));
    let mut browser = Browser::signed_in(&app, &app.auditor);
    let ask = [("subjects", "u"), ("purpose", "x")];
    let page = browser.search(&ask);
    let next = page.link("Next page").expect("a second page");
    let (_, sealed) = next.split_once("?page=").expect("a place");
    assert!(sealed.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let other = place_of(&browser.post("/search", &ask));
    for wrong in [sealed, "", "00", "zz", &sealed[2..]] {
        let page = browser.get(&format!("{other}?page={wrong}"));
        assert_eq!(page.status, 404, "{wrong}");
        check_page(&page);
    }
    let second = browser.get(&next);
    let first = second.link("Page before").expect("the first page");
    assert!(!first.contains('?'));
    assert_eq!(rows(&browser.get(&first))[0], ("orders", 0));
}

#[test]
fn what_is_shown_is_chosen_by_form_and_kept_in_the_case() {
    let app = TestApp::start();
    let mut events = Vec::new();
    for (day, operation) in [(4, "read"), (5, "update"), (6, "read")] {
        let time = format!("2026-05-0{day}T10:00:00Z");
        events.push(
            json!({"operation": operation, "data_subject": "u", "time": time, "outcome": "denied"})
                .to_string(),
        );
    }
    app.append("orders", &events.join("\n"));
    app.append("visits", &event("u", "2026-05-04T10:00:00Z"));
    let mut browser = Browser::signed_in(&app, &app.auditor);
    let place = place_of(&browser.post("/search", &[("subjects", "u"), ("purpose", "x")]));
    let filters = format!("{place}/filters");
    let mut shown = |fields: &[(&str, &str)]| {
        let changed = browser.post(&filters, fields);
        assert_eq!(
            changed.header("location"),
            Some(&*place),
            "{}",
            changed.html
        );
        let page = browser.get(&place);
        check_page(&page);
        let total = between(&page.html, "<h2 id=\"found\">", " ").expect("a count");
        (total.to_owned(), rows(&page).len())
    };
    let both = |total: &str, rows: usize| (total.to_owned(), rows);
    assert_eq!(shown(&[("operation", "read")]), both("4", 3));
    assert_eq!(
        shown(&[("outcome", "denied"), ("logs", "orders")]),
        both("3", 3)
    );
    let days = [("from", "2026-05-05"), ("to", "2026-05-05")];
    assert_eq!(shown(&days), both("1", 1));
    assert_eq!(shown(&[("actor", "nobody")]), both("4", 0));
    assert_eq!(shown(&[]), both("4", 4));
    let wrong = browser.post(&filters, &[("from", "2026-05-05"), ("to", "2026-05-04")]);
    assert_eq!(wrong.status, 422);
    assert!(wrong.html.contains("id=\"to-error\"") && wrong.html.contains("value=\"2026-05-05\""));
}

#[test]
fn look_alikes_are_told_recorded_and_added() {
    let app = TestApp::start();
    let ids = [
        "jos\u{e9}",
        "jose\u{301}",
        "JOS\u{c9}",
        "jos\u{e9} ",
        "joseph",
    ];
    let events = ids.map(|id| event(id, "2026-05-04T10:00:00Z"));
    app.append("orders", &events.join("\n"));
    let mut browser = Browser::signed_in(&app, &app.auditor);
    let page = browser.search(&[("subjects", ids[0]), ("purpose", "x")]);
    check_page(&page);
    assert!(page.html.contains("1 entry names this person"));
    assert_eq!(page.html.matches("A look-alike id exists").count(), 3);
    let seen = app.search_in(Some("_access"), ids[1]);
    assert_eq!(seen[0]["event"]["operation"], "search");
    assert_eq!(seen[0]["event"]["payload"]["look_alikes"], true);
    assert_eq!(seen[0]["event"]["purpose"], "x");
    let others = app.search_in(Some("_access"), ids[4]);
    let mut others = others.iter().map(|it| &it["event"]["payload"]);
    assert!(others.all(|payload| payload["look_alikes"].is_null()));

    let add = page.form("Add it to this case").expect("a form");
    let place = between(&page.html, "action=\"/cases/", "/subjects").expect("its place");
    let place = format!("/cases/{place}");
    let added = browser.post(&format!("{place}/subjects"), &borrowed(&add));
    assert_eq!(added.header("location"), Some(&*place));
    let page = browser.get(&place);
    assert!(page.html.contains("2 entries name this person"));
    assert_eq!(page.html.matches("A look-alike id exists").count(), 2);
    let wrong = browser.post(&format!("{place}/subjects"), &[("subject", "a\u{7}")]);
    assert_eq!(wrong.status, 422);
    assert!(wrong.html.contains("id=\"subject-error\""));
}

#[test]
fn a_case_has_few_ids_and_each_once() {
    let app = TestApp::start();
    app.append("orders", &event("u", "2026-05-04T10:00:00Z"));
    let mut browser = Browser::signed_in(&app, &app.auditor);
    let many: Vec<_> = (0..17).map(|n| format!("u_{n}")).collect();
    let refused = browser.post(
        "/search",
        &[("subjects", &many.join("\n")), ("purpose", "x")],
    );
    assert_eq!(refused.status, 422);
    check_page(&refused);
    assert!(refused.html.contains("id=\"subjects-error\""));
    let page = browser.search(&[("subjects", "u\nu\n\n u"), ("purpose", "x")]);
    let ids = between(&page.html, "<dt>Ids</dt>", "<dt>").expect("ids");
    assert_eq!(ids.matches("<div>").count(), 2);
    assert!(page.html.contains("begins or ends with white space"));
}

#[test]
fn an_export_of_a_case_is_one_bundle_for_each_id() {
    let app = TestApp::start();
    let events = [
        event("u_1", "2026-05-04T10:00:00Z"),
        event("u_2", "2026-05-05T10:00:00Z"),
        event("u_2", "2026-05-06T10:00:00Z"),
    ];
    app.append("orders", &events.join("\n"));
    let mut browser = Browser::signed_in(&app, &app.auditor);
    let ask = [
        ("subjects", "u_1\nu_2"),
        ("purpose", "x"),
        ("to", "2026-05-05"),
    ];
    let place = place_of(&browser.post("/search", &ask));
    let started = browser.post(&format!("{place}/exports"), &[("language", "de")]);
    assert_eq!(started.header("location"), Some(&*place));
    let mut page = browser.get(&place);
    app.wait_until("both exports", || {
        page = browser.get(&place);
        check_page(&page);
        !page.html.contains("data-state")
    });
    assert_eq!(
        page.html.matches("VERIFIED: 1 entry").count(),
        2,
        "{}",
        page.html
    );
    let bundles: Vec<_> = page.html.split("href=\"/api/v1/exports/").skip(1).collect();
    let bundles = bundles
        .iter()
        .filter(|rest| rest[32..].starts_with("/bundle.zip"));
    assert_eq!(bundles.count(), 2);
}

#[test]
fn the_api_searches_several_ids_at_once() {
    let app = TestApp::start();
    let both = json!({"operation": "read", "data_subjects": ["a", "b"]}).to_string();
    app.append(
        "orders",
        &[both.clone(), both, event("b", "2026-05-04T10:00:00Z")].join("\n"),
    );
    let ask = |question: Value| app.post(&app.auditor, "/api/v1/searches", &question);
    let found = ask(json!({"subjects": ["a", "b"], "purpose": "x", "limit": 2})).json();
    assert_eq!(found["total"], 3);
    assert_eq!(found["entries"].as_array().map(Vec::len), Some(2));
    let cursor = found["cursor"].clone();
    let rest = ask(json!({"subjects": ["a", "b"], "purpose": "x", "cursor": cursor})).json();
    assert_eq!(rest["entries"].as_array().map(Vec::len), Some(1));
    for wrong in [
        json!({"purpose": "x"}),
        json!({"purpose": "x", "subjects": []}),
        json!({"purpose": "x", "subject": "a", "subjects": ["b"]}),
        json!({"purpose": "x", "subjects": vec!["a"; 17]}),
        json!({"purpose": "x", "subjects": ["a", ""]}),
    ] {
        assert_eq!(ask(wrong.clone()).status, 422, "{wrong}");
    }
}

/// Where a case was made.
pub fn place_of(made: &Page) -> String {
    made.header("location").expect("its page").to_owned()
}

/// The entries that a page shows, each with its log.
fn rows(page: &Page) -> Vec<(&str, u64)> {
    let forms = page.html.split("action=\"/logs/").skip(1);
    forms
        .filter_map(|rest| {
            let (log, rest) = rest.split_once("/entries/")?;
            Some((log, rest.split('"').next()?.parse().ok()?))
        })
        .collect()
}

#[test]
fn an_entry_is_checked_anew_step_by_step() {
    let mut app = TestApp::start();
    app.append("orders", &event("u", "2026-05-04T10:00:00Z"));
    let mut browser = Browser::signed_in(&app, &app.auditor);
    let place = "/logs/orders/entries/0/check";
    let check = |browser: &mut Browser| {
        let page = browser.post(place, &[("purpose", "x")]);
        assert_eq!(page.status, 200);
        check_page(&page);
        page.html
    };
    let open = check(&mut browser);
    assert!(open.matches(">holds</span>").count() >= 4, "{open}");
    app.export(&json!({"subject": "u", "purpose": "x"}));
    let whole = check(&mut browser);
    assert_eq!(whole.matches(">holds</span>").count(), 6, "{whole}");
    assert!(whole.contains("Every step holds"));
    let entry = browser.post("/logs/orders/entries/0", &[("purpose", "x")]);
    let leaf = between(&entry.html, "Leaf of the entry</dt><dd><code>", "<").expect("a leaf");
    let link = between(&entry.html, "Hash of the link</dt><dd><code>", "<").expect("a hash");
    assert!(whole.contains(leaf) && whole.contains(link));
    let form = entry.form_to(place).expect("a button");
    assert_eq!(form[0], ("purpose".to_owned(), "x".to_owned()));
    assert_eq!(browser.post(place, &[("purpose", "")]).status, 422);

    assert_eq!(app.stop(), 0);
    super::findings::change_a_byte(&app, "orders");
    app.restart();
    let mut browser = Browser::signed_in(&app, &app.auditor);
    let altered = check(&mut browser);
    assert!(altered.contains("A step fails") && altered.contains("ALTERED: log orders"));
    assert_eq!(altered.matches(">not reached</span>").count(), 5);
    assert_eq!(altered.matches(">holds</span>").count(), 0);
}

#[test]
fn a_case_whose_maker_has_gone_is_closed_by_an_administrator_who_reads_nothing() {
    let app = TestApp::start();
    app.append("orders", &event("planted_u", "2026-05-04T10:00:00Z"));
    let asked = json!({"name": "ottilie", "role": "auditor"});
    let person = app.post(&app.admin, "/api/v1/people", &asked).json();
    let text = |field: &str| person[field].as_str().expect("a text");
    let mut maker = Browser::new(&app);
    assert_eq!(maker.sign_in("ottilie", text("password")).status, 303);
    let ask = [
        ("subjects", "planted_u"),
        ("purpose", "planted purpose"),
        ("case", "planted_case"),
    ];
    let left = place_of(&maker.post("/search", &ask));
    let mut other = Browser::signed_in(&app, &app.auditor);
    let kept = place_of(&other.post("/search", &ask));
    let mut admin = Browser::signed_in(&app, &app.admin);
    let before = admin.get("/cases");
    check_page(&before);
    assert!(!before.html.contains("account ended"), "{}", before.html);
    let path = format!("/api/v1/people/{}", text("id"));
    assert_eq!(app.send("DELETE", &app.admin, &path, &[], b"").status, 204);

    let page = admin.get("/cases");
    check_page(&page);
    let row = |place: &str| {
        let id = place.trim_start_matches("/cases/");
        let begin = format!("<code>{id}</code>");
        between(&page.html, &begin, "</tr>")
            .expect("a row")
            .to_owned()
    };
    assert!(row(&left).contains("account ended"));
    assert!(
        row(&left).contains(&text("id")[..8]),
        "the maker's pseudonym"
    );
    assert!(!row(&kept).contains("account ended"));
    for word in ["planted", "ottilie", text("id")] {
        assert!(!page.html.contains(word), "{word}");
    }
    assert_eq!(admin.get(&left).status, 403, "it is not read");
    assert_eq!(other.post(&format!("{left}/end"), &[]).status, 403);
    assert_eq!(other.get(&left).status, 200);

    let ended = admin.post(&format!("{left}/end"), &[]);
    assert_eq!(ended.header("location"), Some("/cases"));
    assert_eq!(other.get(&left).status, 404);
    assert_eq!(other.get(&kept).status, 200, "another one stays");
    assert_eq!(admin.post(&format!("{left}/end"), &[]).status, 404);
    let asked = json!({"purpose": "x", "operation": "close_case"});
    let found = app
        .post(&app.auditor, "/api/v1/access/searches", &asked)
        .text();
    let id = left.trim_start_matches("/cases/");
    assert_eq!(found.matches("\"close_case\"").count(), 1, "{found}");
    assert!(found.contains(id) && !found.contains("planted"), "{found}");
}

#[test]
fn open_cases_are_paged_and_pages_stay_while_more_are_made() {
    let app = TestApp::start();
    let mut browser = Browser::signed_in(&app, &app.auditor);
    let mut make = |count: usize| -> Vec<String> {
        let ask = [("subjects", "u"), ("purpose", "x")];
        let made = (0..count).map(|_| place_of(&browser.post("/search", &ask)));
        made.map(|place| format!("action=\"{place}/end\""))
            .collect()
    };
    let first = make(120);
    let admin = Browser::signed_in(&app, &app.admin);
    let newest = admin.get("/cases");
    assert!(newest.html.contains(&first[119]) && !newest.html.contains(&first[19]));
    let next = between(&newest.html, "href=\"/cases?", "\"").expect("a further page");
    make(3);
    let rest = admin.get(&format!("/cases?{next}"));
    check_page(&rest);
    assert_eq!(rest.html.matches("/end\"").count(), 20);
    assert!(first[..20].iter().all(|it| rest.html.contains(it)));
    assert_eq!(admin.get("/cases?cursor=x").status, 422);
}
