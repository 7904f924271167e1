//! What the pages say when what is stored is not what was recorded.

use estreat::messages::Lang;

use super::browser::{Browser, Page};
use super::pages::check_page;
use crate::support::app::TestApp;

#[test]
fn a_changed_byte_is_shown_in_words_wherever_it_matters() {
    let mut app = TestApp::start();
    app.append("orders", r#"{"operation":"read","data_subject":"u"}"#);
    assert_eq!(app.stop(), 0);
    change_a_byte(&app, "orders");
    app.restart();
    let mut browser = Browser::signed_in(&app, &app.auditor);

    let search = browser.search(&[("subjects", "u"), ("purpose", "x")]);
    assert_eq!(search.status, 200);
    assert!(search.html.contains("Not everything can be shown"));
    assert!(search.html.contains("ALTERED: log orders, segment 0"));

    let asked = browser.post("/logs/orders/verifications", &[]);
    let found = finished(&app, &browser, asked.header("location").expect("its page"));
    assert!(found.html.contains("class=\"verdict bad\">ALTERED"));
    assert!(found.html.contains("Bytes differ from what was recorded"));
    check_german(
        &app,
        &mut browser,
        asked.header("location").expect("its page"),
    );
    let overview = browser.get("/");
    assert!(overview.html.contains("This needs a person"));
    assert!(
        overview
            .html
            .contains("The last verification of log orders")
    );

    let asked = browser.post("/exports", &[("subject", "u"), ("purpose", "x")]);
    let export = finished(&app, &browser, asked.header("location").expect("its page"));
    assert!(export.html.contains("class=\"verdict bad\""));
    assert!(export.html.contains("<ul class=\"bad\" lang=\"en\">"));
    let means = Lang::English.get("checker-means-subject");
    assert!(
        export
            .html
            .contains(&format!("step subject, 1 finding: {means}"))
    );
}

/// The same findings in German: what is wrong, what it can mean and what to do; what only the
/// verifier's own words say is marked as English.
fn check_german(app: &TestApp, browser: &mut Browser, place: &str) {
    let id = place.rsplit('/').next().expect("an id");
    let view = app.get(&app.auditor, &format!("/api/v1/verifications/{id}"));
    let finding = &view.json()["outcome"]["findings"][0];
    let text = |name: &str| finding[name].as_str().expect("a text").to_owned();
    let kind = text("kind");
    let german = |area: &str| Lang::German.get(&format!("{area}-{kind}"));
    assert_eq!(text("title"), Lang::English.get(&format!("kind-{kind}")));

    browser
        .headers
        .push(("Accept-Language".into(), "de".into()));
    let page = browser.get(place);
    check_page(&page);
    for said in ["kind", "means", "advice"].map(german) {
        assert!(page.html.contains(&said), "{said}: {}", page.html);
    }
    for said in [
        "ALTERED (verändert): ",
        ">ALTERED (verändert)</span>",
        "<li>NICHT ERFASST: ",
    ] {
        assert!(page.html.contains(said), "{said}: {}", page.html);
    }
    let what = format!("<dd lang=\"en\"><bdi dir=\"ltr\">{}</bdi>", text("what"));
    assert!(page.html.contains(&what), "{}", page.html);
    let list = browser.get("/integrity");
    assert!(list.html.contains(">ALTERED (verändert)</a>"));
    browser.headers.clear();
}

/// Waits until a job's page shows its end.
fn finished(app: &TestApp, browser: &Browser, place: &str) -> Page {
    let mut page = browser.get(place);
    app.wait_until("a job", || {
        page = browser.get(place);
        check_page(&page);
        !page.html.contains("data-state")
    });
    page
}

/// Changes a byte of a log's first closed segment, behind its header.
pub fn change_a_byte(app: &TestApp, log: &str) {
    let segment = format!("logs/{log}/segments/00000000000000000000.seg");
    let path = app.data().join(segment);
    let mut bytes = std::fs::read(&path).expect("a segment");
    let at = bytes.len() / 3;
    bytes[at] ^= 1;
    std::fs::write(&path, bytes).expect("written");
}
