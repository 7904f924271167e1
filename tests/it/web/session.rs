//! Coming in, going out, and forms that come from elsewhere.

use super::browser::Browser;
use crate::support::app::TestApp;

#[test]
fn a_token_signs_in_and_the_cookie_is_kept_from_scripts_and_other_sites() {
    let app = TestApp::start();
    let mut browser = Browser::new(&app);
    let away = browser.get("/exports");
    assert_eq!(away.status, 303);
    assert_eq!(away.header("location"), Some("/signin?to=/exports"));
    assert!(
        browser
            .get("/signin?to=/exports")
            .html
            .contains("value=\"/exports\"")
    );

    let wrong = browser.post("/signin", &[("token", "estreat_wrong"), ("to", "/exports")]);
    assert_eq!(wrong.status, 401);
    assert!(wrong.html.contains("This token does not hold"));
    assert!(!wrong.html.contains("estreat_wrong"));
    assert_eq!(wrong.header("set-cookie"), None);

    let token = app.auditor.clone();
    let right = browser.post("/signin", &[("token", &token), ("to", "/exports")]);
    assert_eq!(
        (right.status, right.header("location")),
        (303, Some("/exports"))
    );
    let cookie = right.header("set-cookie").expect("a cookie");
    assert!(
        cookie.contains("; HttpOnly; SameSite=Strict; Path=/"),
        "{cookie}"
    );
    assert!(!cookie.contains(&token));
    assert_eq!(browser.get("/exports").status, 200);
    assert_eq!(browser.get("/signin").header("location"), Some("/"));
}

#[test]
fn nobody_is_sent_to_another_site() {
    let app = TestApp::start();
    for to in [
        "//evil.example",
        "https://evil.example/",
        "/\\evil.example",
        "/a?b",
        "x",
        "",
    ] {
        let answer = Browser::new(&app).post("/signin", &[("token", &app.auditor), ("to", to)]);
        assert_eq!(answer.header("location"), Some("/"), "{to}");
    }
}

#[test]
fn signing_out_ends_one_session_and_everywhere_all() {
    let app = TestApp::start();
    let mut here = Browser::signed_in(&app, &app.auditor);
    let mut there = Browser::signed_in(&app, &app.auditor);
    let old = here.cookie.clone();
    assert_eq!(here.post("/signout", &[]).status, 303);
    here.cookie = old;
    assert_eq!(here.get("/").status, 303, "the old cookie holds no more");
    assert_eq!(there.get("/").status, 200);

    let third = Browser::signed_in(&app, &app.auditor);
    there.post("/signout", &[("everywhere", "yes")]);
    assert_eq!(third.get("/").status, 303);
}

#[test]
fn signing_in_again_ends_the_session_before() {
    let app = TestApp::start();
    let mut browser = Browser::signed_in(&app, &app.auditor);
    let first = browser.cookie.clone();
    browser.post("/signin", &[("token", &app.admin)]);
    assert_ne!(browser.cookie, first);
    browser.cookie = first;
    assert_eq!(browser.get("/").status, 303);
}

#[test]
fn forms_from_other_sites_do_nothing() {
    let app = TestApp::start();
    let mut admin = Browser::signed_in(&app, &app.admin);
    for site in ["cross-site", "same-site"] {
        let token = [("name", "smuggled"), ("role", "auditor")];
        let refused = admin.post_from(site, "/tokens", &token);
        assert_eq!(refused.status, 403);
        assert!(refused.html.contains("sent from another site"));
        assert_eq!(admin.post_from(site, "/signout", &[]).status, 403);
    }
    let tokens = admin.get("/tokens");
    assert_eq!(tokens.status, 200);
    assert!(!tokens.html.contains("smuggled"));
}

#[test]
fn a_session_ends_unused_or_old_and_with_its_account() {
    let app = TestApp::start();
    let ends = [
        // Half an hour unused.
        "UPDATE sessions SET last_seen_at = last_seen_at - 30 * 60 * 1000000",
        // Twelve hours in all, however much it was used.
        "UPDATE sessions SET created_at = created_at - 12 * 3600 * 1000000",
        "UPDATE tokens SET expires_at = 1 WHERE role = 'auditor'",
    ];
    for end in ends {
        let browser = Browser::signed_in(&app, &app.auditor);
        app.edit_state("UPDATE sessions SET last_seen_at = last_seen_at - 29 * 60 * 1000000");
        assert_eq!(browser.get("/").status, 200);
        app.edit_state("UPDATE sessions SET last_seen_at = last_seen_at - 29 * 60 * 1000000");
        assert_eq!(
            browser.get("/").status,
            200,
            "each use begins the time anew"
        );
        app.edit_state(end);
        assert_eq!(browser.get("/").status, 303, "{end}");
    }
}

#[test]
fn a_session_that_somebody_else_has_chosen_is_never_begun() {
    let app = TestApp::start();
    let chosen = format!("estreat_session={}", "ab".repeat(32));
    let mut victim = Browser::new(&app);
    victim.cookie = chosen.clone();
    victim.post("/signin", &[("token", &app.auditor)]);
    assert_ne!(victim.cookie, chosen);
    assert_eq!(victim.get("/").status, 200);
    let mut attacker = Browser::new(&app);
    attacker.cookie = chosen;
    assert_eq!(attacker.get("/").status, 303);
}
