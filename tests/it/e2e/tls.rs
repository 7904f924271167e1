//! TLS built in, and TLS at a proxy before the server.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::app::{TestApp, estreat};
use crate::web::browser::Browser;

/// Writes a new certificate for this machine, and its key.
fn write_certificate(folder: &Path) -> (PathBuf, PathBuf) {
    let names = ["localhost", "127.0.0.1"].map(str::to_owned);
    let made = rcgen::generate_simple_self_signed(names).expect("a certificate");
    let (certificate, key) = (folder.join("cert.pem"), folder.join("key.pem"));
    std::fs::write(&certificate, made.cert.pem()).expect("written");
    std::fs::write(&key, made.signing_key.serialize_pem()).expect("written");
    (certificate, key)
}

fn settings<'a>(certificate: &'a Path, key: &'a Path) -> [(&'static str, &'a str); 2] {
    [("tls_cert_file", certificate), ("tls_key_file", key)]
        .map(|(name, path)| (name, path.to_str().expect("a path")))
}

#[test]
fn over_tls_cookies_are_secure_and_a_new_certificate_needs_no_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let (certificate, key) = write_certificate(folder.path());
    let app = TestApp::start_with(&settings(&certificate, &key));
    assert!(app.url.starts_with("https://"), "{}", app.url);
    app.append("orders", r#"{"operation":"read","data_subject":"u"}"#);
    let mut browser = Browser::new(&app);
    let signed_in = browser.post("/signin", &[("token", &app.auditor)]);
    let cookie = signed_in.header("set-cookie").expect("a cookie");
    assert!(cookie.starts_with("__Host-estreat_session="), "{cookie}");
    assert!(
        cookie.ends_with("; HttpOnly; SameSite=Strict; Path=/; Secure"),
        "{cookie}"
    );
    let page = browser.get("/");
    assert_eq!(page.status, 200);
    assert_eq!(
        page.header("strict-transport-security"),
        Some("max-age=31536000")
    );
    browser.cookie = browser.cookie.trim_start_matches("__Host-").to_owned();
    assert_eq!(
        browser.get("/").status,
        303,
        "a cookie without the prefix is anybody's"
    );

    let before = app.tls_config();
    write_certificate(folder.path());
    let pid = app.pid().to_string();
    let hung_up = Command::new("kill").args(["-HUP", &pid]).status();
    assert!(hung_up.expect("a signal").success());
    let trusts = |config: ureq::tls::TlsConfig| {
        let agent = ureq::Agent::config_builder().tls_config(config).build();
        let agent: ureq::Agent = agent.into();
        agent.get(format!("{}/healthz", app.url)).call().is_ok()
    };
    app.wait_until("the new certificate", || trusts(app.tls_config()));
    assert!(!trusts(before));
    std::fs::write(&certificate, "nothing").expect("written");
    let hung_up = Command::new("kill").args(["-HUP", &pid]).status();
    assert!(hung_up.expect("a signal").success());
    app.wait_until("the error", || {
        let said = app.stderr.lock().expect("no panic");
        said.contains("the certificate stays as it was")
    });
}

#[test]
fn files_that_cannot_serve_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let (certificate, key) = write_certificate(folder.path());
    let other = tempfile::tempdir().expect("a folder");
    let (_, other_key) = write_certificate(other.path());
    let absent = folder.path().join("absent.pem");
    let data = folder.path().join("data");
    let start = |settings: &[(&str, &Path)]| {
        let mut command = estreat();
        command
            .args(["serve", "--listen", "127.0.0.1:0", "--data"])
            .arg(&data);
        for (name, path) in settings {
            command.env(format!("ESTREAT_{}", name.to_uppercase()), path);
        }
        let output = command.output().expect("a run");
        assert_eq!(output.status.code(), Some(1));
        assert!(!data.exists(), "nothing is made");
        String::from_utf8(output.stderr).expect("text")
    };
    let (cert, private) = ("tls_cert_file", "tls_key_file");
    for (settings, words) in [
        (vec![(cert, &*absent), (private, &*key)], "absent.pem"),
        (vec![(cert, &*key), (private, &*key)], "has no certificate"),
        (
            vec![(cert, &*certificate), (private, &*certificate)],
            "has no private key",
        ),
        (
            vec![(cert, &*certificate), (private, &*other_key)],
            "cannot serve",
        ),
        (vec![(cert, &*certificate)], "TLS needs both"),
        (vec![(private, &*key)], "TLS needs both"),
    ] {
        let said = start(&settings);
        assert!(said.contains(words), "{said}");
    }
}

#[test]
fn a_trusted_proxy_says_for_whom_it_asks_and_nobody_else_does() {
    let app = TestApp::start_with(&[("trusted_proxies", "127.0.0.0/8, 2001:db8::1")]);
    let sign_in = |app: &TestApp, proto: &str| {
        let mut browser = Browser::from(app, "203.0.113.7");
        browser
            .headers
            .push(("X-Forwarded-Proto".into(), proto.into()));
        let page = browser.post("/signin", &[("token", &app.auditor)]);
        let cookie = page.header("set-cookie").expect("a cookie").to_owned();
        assert_eq!(browser.get("/").status, 200);
        browser.search(&[("subjects", "u"), ("purpose", "x")]);
        cookie
    };
    assert!(sign_in(&app, "https").starts_with("__Host-"));
    assert!(!sign_in(&app, "http").contains("Secure"));
    let seen = app.search_in(Some("_access"), "u");
    assert_eq!(seen[0]["event"]["payload"]["address"], "203.0.113.7");

    let open = TestApp::start();
    assert!(!sign_in(&open, "https").contains("Secure"));
    let seen = open.search_in(Some("_access"), "u");
    assert_eq!(seen[0]["event"]["payload"]["address"], "127.0.0.1");
    let wrong = estreat()
        .args(["serve", "--data", "x"])
        .env("ESTREAT_TRUSTED_PROXIES", "proxy.example")
        .output();
    let wrong = wrong.expect("a run");
    assert_eq!(wrong.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("such as 10.0.0.0/8"));
}
