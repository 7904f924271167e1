//! What the pages say when what is stored is not what was recorded.

use super::browser::{Browser, Page};
use super::pages::check_page;
use crate::support::app::TestApp;

#[test]
fn a_changed_byte_is_shown_in_words_wherever_it_matters() {
    let mut app = TestApp::start();
    app.append("orders", r#"{"operation":"read","data_subject":"u"}"#);
    assert_eq!(app.stop(), 0);
    change_a_byte(&app);
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
    assert!(export.html.contains("<ul class=\"bad\">"));
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

/// Changes a byte of the first closed segment, behind its header.
pub fn change_a_byte(app: &TestApp) {
    let path = app
        .data()
        .join("logs/orders/segments/00000000000000000000.seg");
    let mut bytes = std::fs::read(&path).expect("a segment");
    let at = bytes.len() / 3;
    bytes[at] ^= 1;
    std::fs::write(&path, bytes).expect("written");
}
