//! What a case does not do: a copy for nobody known, a look where it may not look.

use serde_json::json;

use super::browser::Browser;
use super::case::{event, place_of};
use super::pages::check_page;
use crate::support::app::TestApp;

#[test]
fn an_unknown_audience_gets_no_copy() {
    let app = TestApp::start();
    app.append("orders", &event("u", "2026-05-04T10:00:00Z"));
    let mut browser = Browser::signed_in(&app, &app.auditor);
    let place = place_of(&browser.post("/search", &[("subjects", "u"), ("purpose", "x")]));
    let exports = format!("{place}/exports");
    let refused = browser.post(&exports, &[("audience", "Subject")]);
    check_page(&refused);
    assert_eq!(refused.status, 422);
    assert!(
        refused.html.contains("href=\"#audience\"") && refused.html.contains("id=\"audience\"")
    );
    let all = app.get(&app.auditor, "/api/v1/exports").json();
    assert_eq!(all["exports"], json!([]), "{all}");
    assert_eq!(
        browser.post(&exports, &[("audience", "subject")]).status,
        303
    );
}

#[test]
fn look_alikes_are_sought_only_where_the_case_may_be_looked_at() {
    let app = TestApp::start();
    app.append("orders", &event("u", "2026-05-04T10:00:00Z"));
    app.append("salaries", &event("U", "2026-05-04T10:00:00Z"));
    let mut browser = Browser::signed_in(&app, &app.auditor);
    let ask = [("subjects", "u"), ("purpose", "x"), ("logs", "orders")];
    let open = place_of(&browser.post("/search", &ask));
    let settings = json!({"require_case": true}).to_string();
    let headers = [("Content-Type", "application/json")];
    let path = "/api/v1/logs/salaries";
    let set = app.send("PUT", &app.admin, path, &headers, settings.as_bytes());
    assert_eq!(set.status, 200, "{}", set.text());
    let refused = browser.post("/search", &ask);
    assert_eq!(refused.status, 422, "its filter leaves salaries out");
    let extended = browser.post(&format!("{open}/subjects"), &[("subject", "v")]);
    assert_eq!(extended.status, 422, "{}", extended.html);
    let numbered = [&ask[..], &[("case", "K 7")]].concat();
    assert_eq!(browser.post("/search", &numbered).status, 303);
}
