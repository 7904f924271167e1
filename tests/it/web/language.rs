//! The language of a page: chosen, else accepted, else English.

use serde_json::json;
use ureq::Agent;

use super::browser::{Browser, between};
use super::pages::check_page;
use crate::support::app::TestApp;

/// A page, asked for with these headers.
fn page(app: &TestApp, path: &str, headers: &[(&str, &str)]) -> String {
    let config = Agent::config_builder().http_status_as_error(false);
    let agent: Agent = config.build().into();
    let mut request = agent
        .get(format!("{}{path}", app.url))
        .header("Accept", "text/html");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let mut response = request.call().expect("an answer");
    response.body_mut().read_to_string().expect("text")
}

#[test]
fn a_page_speaks_as_chosen_else_as_the_browser_asks_else_english() {
    let app = TestApp::start();
    let (german, english) = ("<html lang=\"de\">", "<html lang=\"en\">");
    for (headers, lang, words) in [
        (&[][..], english, "Sign in"),
        (
            &[("Accept-Language", "de-DE,de;q=0.9,en;q=0.5")],
            german,
            "Anmelden",
        ),
        (&[("Accept-Language", "fr")], english, "Sign in"),
        (
            &[("Accept-Language", "de"), ("Cookie", "estreat_language=en")],
            english,
            "Sign in",
        ),
        (
            &[("Cookie", "a=b; estreat_language=de")],
            german,
            "Anmelden",
        ),
        (
            &[("Cookie", "estreat_language=\"><script>")],
            english,
            "Sign in",
        ),
    ] {
        let html = page(&app, "/signin", headers);
        assert!(html.contains(lang), "{headers:?}: {html}");
        assert!(html.contains(&format!("<h1>{words}</h1>")), "{headers:?}");
    }
    let lost = page(&app, "/nowhere", &[("Accept-Language", "de")]);
    assert!(lost.contains("Diese Seite gibt es nicht") && lost.contains(german));
    let problem = app.get("", "/api/v1/nowhere").json();
    assert_eq!(problem["title"], "Not found", "programs read one language");
}

#[test]
fn a_reader_chooses_without_script_and_comes_back() {
    let app = TestApp::start();
    let mut browser = Browser::new(&app);
    let form = browser.get("/verify").form("Deutsch").expect("a switch");
    assert_eq!(form, [("to".to_owned(), "/verify".to_owned())]);
    let chosen = browser.post("/language", &[("to", "/verify"), ("language", "de")]);
    assert_eq!(
        (chosen.status, chosen.header("location")),
        (303, Some("/verify"))
    );
    let cookie = chosen.header("set-cookie").expect("a cookie");
    for part in ["estreat_language=de", "HttpOnly", "SameSite=Lax", "Path=/"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    let back = browser.get("/verify");
    assert!(back.html.contains("<html lang=\"de\">"));
    assert!(
        between(&back.html, "<footer>", "</footer>")
            .unwrap()
            .contains("English")
    );
    check_page(&back);
    for (to, place) in [
        ("//evil.example", "/"),
        ("https://evil.example", "/"),
        ("", "/"),
    ] {
        let chosen = browser.post("/language", &[("to", to), ("language", "xx")]);
        assert_eq!(chosen.header("location"), Some(place), "{to}");
        assert!(chosen.header("set-cookie").unwrap().contains("=en"));
    }
    let foreign = browser.post_from("cross-site", "/language", &[("language", "de")]);
    assert_eq!(foreign.status, 403);
}

#[test]
fn what_is_refused_is_said_to_people_in_their_language_and_to_programs_in_english() {
    let app = TestApp::start();
    app.append("orders", r#"{"operation":"read","data_subject":"u"}"#);
    let mut browser = Browser::signed_in(&app, &app.auditor);
    browser
        .headers
        .push(("Accept-Language".into(), "de".into()));
    let purpose = ("purpose", "x");
    let subject = ("subject", "u");
    for (path, fields, said) in [
        (
            "/search",
            vec![("subjects", "u")],
            "sagen Sie, wofür das gelesen wird",
        ),
        ("/search", vec![purpose], "1 bis 16 Kennungen einer Person"),
        (
            "/exports",
            vec![subject],
            "sagen Sie, wofür das gelesen wird",
        ),
        (
            "/exports",
            vec![subject, purpose, ("from", "4.5.")],
            "als Jahr-Monat-Tag",
        ),
        (
            "/exports",
            vec![
                subject,
                purpose,
                ("from", "2026-05-04"),
                ("to", "2026-05-01"),
            ],
            "der Zeitraum ist leer",
        ),
        (
            "/exports",
            vec![subject, purpose, ("time_zone", "Nirgendwo")],
            "eine Zone der IANA-Datenbank",
        ),
        (
            "/exports",
            vec![subject, purpose, ("withhold", "x")],
            "Zeile 1 hat nicht die Form",
        ),
    ] {
        let page = browser.post(path, &fields);
        assert_eq!(page.status, 422, "{path} {fields:?}");
        check_page(&page);
        assert!(page.html.contains(said), "{said}: {}", page.html);
    }
    for (path, status, said) in [
        ("/logs/none", 404, "nicht gefunden: Log. Das gibt es nicht"),
        ("/logs/orders/entries/x", 404, "nicht gefunden: Eintrag."),
        ("/tokens", 403, "ein Konto der Rolle auditor darf das nicht"),
        (
            "/integrity?log=a&log=b",
            400,
            "Die Adresse, oder was mit ihr",
        ),
    ] {
        let page = browser.get(path);
        assert_eq!(page.status, status, "{path}");
        check_page(&page);
        assert!(page.html.contains(said), "{said}: {}", page.html);
        assert!(!page.html.contains("<p class=\"sentence\" lang=\"en\">"));
    }
    let none = app.get(&app.auditor, "/api/v1/logs/none").json();
    assert_eq!(
        none["detail"],
        "there is no such log, or this token may not see it"
    );
    let range = json!({"subject": "u", "purpose": "x", "from": "2026-05-04T00:00:00Z", "to": "2026-05-01T00:00:00Z"});
    let refused = app.post(&app.auditor, "/api/v1/searches", &range);
    let detail = "the range is empty: `to` must be later than `from`";
    assert_eq!(
        refused.json()["errors"][0]["detail"],
        format!("to: {detail}")
    );
}
