//! Reports: what they say, in which language, and that whoever follows them can check everything.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::export::{member, python, verifies};
use crate::support::app::TestApp;
use crate::web::browser::{Browser, between, borrowed};

fn text(bundle: &[u8], name: &str) -> String {
    String::from_utf8(member(bundle, name)).expect("text")
}

/// The text between tags, its entities read.
fn words(html: &str) -> String {
    let pieces = html
        .split('<')
        .map(|piece| piece.split_once('>').map_or("", |it| it.1));
    let text: String = pieces.collect();
    [
        ("&#60;", "<"),
        ("&#62;", ">"),
        ("&#34;", "\""),
        ("&#39;", "'"),
        ("&#38;", "&"),
    ]
    .iter()
    .fold(text, |text, (entity, c)| text.replace(entity, c))
}

/// A log in which one person is named by others, masked, withheld, disclosed and consulted.
fn told(app: &TestApp) {
    for (month, recipient) in [(3, "tax office"), (4, "tax office"), (5, "printer <&>")] {
        let event = json!({
            "operation": "read", "data_subject": "s-1", "time": format!("2026-0{month}-02T10:00:00Z"),
            "actor": "clerk 4", "actor_role": "support", "purpose": "billing",
            "recipient": recipient, "payload": {"n": month},
        });
        app.append("crm", &event.to_string());
    }
    app.append("crm", r#"{"operation":"update","data_subject":"s-1","time":"2026-05-03T00:00:00Z","payload":"own"}"#);
    app.append("crm", r#"{"operation":"delete","data_subjects":["s-1","s-2"],"purpose":"secret purpose","recipient":"secret recipient","time":"2026-05-04T00:00:00Z"}"#);
}

#[test]
fn a_report_says_what_was_asked_found_disclosed_and_consulted() {
    let app = TestApp::start();
    told(&app);
    app.search("s-1");
    let (view, bundle) = app.export(&json!({
        "subject": "s-1", "purpose": "access <request>", "case": "2026-7",
        "from": "2026-02-28T23:00:00Z", "to": "2026-05-31T22:00:00Z", "time_zone": "Europe/Berlin",
    }));
    assert_eq!(view["outcome"]["entries"], 5, "{view}");
    verifies(&bundle, &app.keys());
    let html = text(&bundle, "report.html");
    let report = words(&html);
    for said in [
        "s-1 (exactly these characters)",
        "from 2026-03-01 00:00:00 +01:00 to before 2026-06-01 00:00:00 +02:00 (Europe/Berlin)",
        "from 2026-02-28 23:00:00 +00:00 to before 2026-05-31 22:00:00 +00:00 (UTC)",
        "access <request>",
        "VERIFIED: 5 entries name exactly s-1",
        "4 of these entries name someone else",
        "What “complete” means here",
        "May 2026",
        "tax office2",
        "printer <&>1",
        "searched for the entries",
        "asked for an export",
        "auditor",
        "estreat verify bundle.zip",
    ] {
        assert!(report.contains(said), "{said}: {report}");
    }
    assert!(!html.contains("<&>") && !html.contains(" style="));
    assert!(html.contains("<rect ") && html.contains("<html lang=\"en\">"));
    for claim in ["compliant", "compliance", "konform"] {
        assert!(!report.to_lowercase().contains(claim), "{claim}");
    }
    let manifest: Value = serde_json::from_slice(&member(&bundle, "manifest.json")).unwrap();
    assert_eq!(
        (&manifest["language"], &manifest["time_zone"]),
        (&json!("en"), &json!("Europe/Berlin"))
    );
}

#[test]
fn whom_a_link_handed_an_export_to_is_named_in_the_next_report() {
    let app = TestApp::start();
    told(&app);
    let question = json!({"subject": "s-1", "purpose": "x"});
    let (view, first) = app.export(&question);
    assert!(!words(&text(&first, "report.html")).contains("Recipients of links"));
    let id = view["id"].as_str().expect("an id");
    let links = format!("/api/v1/exports/{id}/links");
    for recipient in ["Authority <B>", "Authority <B>", "nobody yet"] {
        let link =
            json!({"recipient": recipient, "expires": view["expires_at"], "pass_phrase": false});
        let made = app.post(&app.auditor, &links, &link);
        assert_eq!(made.status, 201, "{}", made.text());
        if recipient == "nobody yet" {
            continue;
        }
        let path = made.json()["path"].as_str().expect("a path").to_owned();
        let mut visitor = Browser::new(&app);
        assert_eq!(visitor.post(&path, &[]).status, 200);
        let file = visitor.post_bytes(&format!("{path}/bundle.zip"), &[]);
        assert_eq!(file.0.status, 200);
    }
    // Of another person nobody was handed anything.
    let (_, other) = app.export(&json!({"subject": "s-2", "purpose": "x"}));
    assert!(!words(&text(&other, "report.html")).contains("Authority <B>"));
    // Whatever the range: links were used after it.
    let (_, bundle) = app.export(&json!({
        "subject": "s-1", "purpose": "x", "to": "2026-03-01T00:00:00Z",
    }));
    verifies(&bundle, &app.keys());
    let report = words(&text(&bundle, "report.html"));
    let disclosed = report.split("To whom the data was disclosed").last();
    let disclosed = disclosed.and_then(|it| it.split("Who consulted the data").next());
    let disclosed = disclosed.expect("a section");
    // Two links, each opened and downloaded from; and one that was not used.
    assert!(disclosed.contains("Authority <B>24"), "{disclosed}");
    assert!(disclosed.contains("nobody yet10"), "{disclosed}");
}

#[test]
fn a_report_speaks_german_and_nothing_found_is_an_answer() {
    let app = TestApp::start();
    app.append("crm", r#"{"operation":"read","data_subject":"s"}"#);
    let (view, bundle) = app.export(&json!({"subject": "S", "purpose": "x", "language": "de"}));
    assert_eq!(view["outcome"]["entries"], 0);
    verifies(&bundle, &app.keys());
    let html = text(&bundle, "report.html");
    let report = words(&html);
    assert!(html.contains("<html lang=\"de\">"));
    for said in [
        "Bericht über eine betroffene Person",
        "S (genau diese Zeichen)",
        "VERIFIED: 0 Einträge nennen genau S",
        "Dass nichts gefunden wurde, ist auch eine Antwort",
        "einen Export verlangt",
    ] {
        assert!(report.contains(said), "{said}: {report}");
    }
    for refused in [
        json!({"language": "fr"}),
        json!({"time_zone": "Mars/Olympus"}),
        json!({"withhold": [{"log": "crm", "entry": 0, "ground": "because"}]}),
        json!({"withhold": [{"log": "hr", "entry": 0, "ground": "gdpr-23"}]}),
        json!({"withhold": [{"log": "crm", "entry": 0, "ground": "gdpr-23"}, {"log": "crm", "entry": 0, "ground": "gdpr-15-4"}]}),
        json!({"withhold": vec![json!({"log": "crm", "entry": 0, "ground": "gdpr-23"}); 501]}),
    ] {
        let mut question = json!({"subject": "S", "purpose": "x"});
        question
            .as_object_mut()
            .unwrap()
            .extend(refused.as_object().unwrap().clone());
        let answer = app.post(&app.auditor, "/api/v1/exports", &question);
        assert_eq!(answer.status, 422, "{refused}: {}", answer.text());
    }
}

#[test]
fn entries_are_withheld_whole_on_a_ground_of_law_and_stay_proved() {
    let app = TestApp::start();
    told(&app);
    for audience in ["authority", "subject"] {
        let (view, bundle) = app.export(&json!({
            "subject": "s-1", "purpose": "x", "audience": audience,
            "withhold": [
                {"log": "crm", "entry": 4, "ground": "gdpr-15-4", "decided_by": "data protection officer 7f3a"},
                {"log": "crm", "entry": 3, "ground": "gdpr-23"},
                {"log": "crm", "entry": 99, "ground": "gdpr-17-3"},
            ],
        }));
        verifies(&bundle, &app.keys());
        let outcome = &view["outcome"];
        let withheld = if audience == "subject" { 5 } else { 2 };
        assert_eq!(
            (&outcome["entries"], &outcome["withheld"]),
            (&json!(5), &json!(withheld))
        );
        let report = words(&text(&bundle, "report.html"));
        for said in [
            "GDPR Art. 15(4)",
            "data protection officer 7f3a",
            "GDPR Art. 23",
            "not among the entries of this export: crm/99",
            "withheld on a ground of law",
        ] {
            assert!(report.contains(said), "{said}: {report}");
        }
        let manifest: Value = serde_json::from_slice(&member(&bundle, "manifest.json")).unwrap();
        assert_eq!(manifest["withheld"][0]["ground"], "gdpr-15-4");
        let decided = manifest["withheld"][1]["decided_by"].as_str().unwrap();
        assert!(
            decided.starts_with("auditor ") && decided.len() == 16,
            "{decided}"
        );
        let mut files = vec!["report.html", "entries.csv", "logs/crm/entries.ndjson"];
        files.extend((audience == "subject").then_some("masked.ndjson"));
        for file in files {
            let text = text(&bundle, file);
            for word in ["secret", "s-2", "\"own\""] {
                assert!(!text.contains(word), "{audience} {file} holds {word}");
            }
        }
    }
}

#[test]
fn the_first_thousand_entries_are_shown_and_the_rest_is_pointed_to() {
    let app = TestApp::start();
    let line = r#"{"operation":"read","data_subject":"s","payload":"x"}"#;
    app.append("crm", &[line; 1001].join("\n"));
    let (_, bundle) = app.export(&json!({"subject": "s", "purpose": "x", "language": "de"}));
    let html = text(&bundle, "report.html");
    let alarm = between(&html, "<p class=\"bad\">", "</p>").expect("red words");
    assert!(alarm.contains("die ersten 1.000 von 1.001"), "{alarm}");
    assert_eq!(html.matches("<td>crm ").count(), 1000);
}

/// A bundle as whoever received it has it, and the commands of its report.
fn received(bundle: &[u8], title: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("bundle.zip"), bundle).expect("written");
    let html = text(bundle, "report.html");
    let section = html.split_once(title).expect("the heading").1;
    let printed = between(section, "<code>", "</code></pre>").or(None);
    let printed = printed.map_or_else(String::new, |_| {
        let code = section
            .split_once("<pre tabindex=\"0\"><code>")
            .expect("code")
            .1;
        words(&format!(
            ">{}",
            code.split_once("</code>").expect("its end").0
        ))
    });
    (folder, printed)
}

fn run(program: &str, arguments: &[&str], folder: &Path, input: &str) -> (bool, String) {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = command.spawn().expect("a process");
    std::io::Write::write_all(
        &mut process.stdin.take().expect("its input"),
        input.as_bytes(),
    )
    .expect("written");
    let output = process.wait_with_output().expect("its end");
    let said = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    (output.status.success(), said)
}

#[test]
fn the_openssl_commands_check_the_signatures_as_printed() {
    let app = TestApp::start();
    told(&app);
    app.append("hr", r#"{"operation":"read","data_subject":"s-1"}"#);
    let (_, bundle) = app.export(&json!({"subject": "s-1", "purpose": "x"}));
    let (folder, printed) = received(&bundle, "with openssl alone");
    let (ran, said) = run("sh", &[], folder.path(), &printed);
    assert!(ran, "{printed}\n{said}");
    assert_eq!(
        said.matches("Signature Verified Successfully").count(),
        3,
        "{said}"
    );
    let mut lines = said.lines().filter(|line| line.len() >= 64);
    let hash = lines.next().expect("a hash");
    assert!(hash.ends_with(" *manifest.json"), "{said}");
    assert_eq!(hash.get(..64), lines.next(), "the signed hash: {said}");
    let manifest: Value = serde_json::from_slice(&member(&bundle, "manifest.json")).unwrap();
    for (name, digest) in manifest["files"].as_object().unwrap() {
        let line = format!("{} *{name}", digest.as_str().unwrap());
        assert!(said.contains(&line), "{line}: {said}");
    }
    // One letter less, and openssl says so.
    let note = folder.path().join("bundle/logs/hr/checkpoint.txt");
    let changed = std::fs::read_to_string(&note)
        .unwrap()
        .replacen("/hr", "/Hr", 1);
    std::fs::write(&note, changed).unwrap();
    let again = printed.replace("unzip -q bundle.zip -d bundle && cd bundle", "cd bundle");
    let (_, said) = run("sh", &[], folder.path(), &again);
    assert_eq!(
        said.matches("Signature Verified Successfully").count(),
        2,
        "{said}"
    );
}

#[test]
fn the_page_of_python_checks_every_entry_as_printed() {
    let Some(python) = python() else { return };
    let app = TestApp::start_with(&[("roll_bytes", "4096")]);
    told(&app);
    for n in 0..300 {
        app.append(
            "hr",
            &json!({"operation": "read", "data_subject": format!("s-{}", n % 3), "payload": n})
                .to_string(),
        );
    }
    let (_, bundle) = app.export(&json!({
        "subject": "s-1", "purpose": "x", "withhold": [{"log": "crm", "entry": 1, "ground": "gdpr-23"}],
    }));
    let (folder, printed) = received(&bundle, "with a page of Python");
    assert!(printed.lines().count() < 70, "it is a page");
    std::fs::write(folder.path().join("check.py"), &printed).unwrap();
    let check = |name: &str| run(&python, &["check.py", name], folder.path(), "");
    let (sound, said) = check("bundle.zip");
    assert!(
        sound && said.starts_with("UNALTERED: 104 entries"),
        "{said}"
    );
    for (name, from, to) in [
        ("logs/hr/entries.ndjson", "\"payload\":1,", "\"payload\":2,"),
        ("logs/crm/entries.ndjson", "billing", "Billing"),
        ("report.html", "VERIFIED", "VERIFIEd"),
    ] {
        let altered = rezipped(&bundle, name, from, to);
        std::fs::write(folder.path().join("altered.zip"), altered).unwrap();
        let (sound, said) = check("altered.zip");
        assert!(!sound && said.contains("AssertionError"), "{name}: {said}");
    }
}

/// A program's words about report.pdf; none where the program is not installed, which `.ci/test` sees to.
fn of_pdf(pdf: &[u8], program: &str, arguments: &[&str]) -> Option<String> {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("report.pdf"), pdf).expect("written");
    let mut command = Command::new(program);
    let Ok(output) = command.args(arguments).current_dir(folder.path()).output() else {
        eprintln!("{program} is not installed: report.pdf is not checked by it here");
        return None;
    };
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{program}: {said}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    Some(said)
}

#[test]
fn report_pdf_says_what_report_html_says_and_names_nobody_outside_its_pages() {
    let app = TestApp::start();
    told(&app);
    let hostile = "s-1\u{202e}\u{4e2d} </text> \\(";
    app.append(
        "crm",
        &json!({"operation": "read", "data_subject": hostile, "payload": "x".repeat(900)})
            .to_string(),
    );
    for (subject, language, title) in [
        ("s-1", "en", "Report on one data subject"),
        (hostile, "de", "Bericht über eine betroffene Person"),
    ] {
        let question = json!({"subject": subject, "purpose": "x", "language": language});
        let (view, bundle) = app.export(&question);
        let id = view["id"].as_str().unwrap();
        let alone = app.get(&app.auditor, &format!("/api/v1/exports/{id}/report.pdf"));
        assert_eq!(alone.header("content-type"), Some("application/pdf"));
        let pdf = member(&bundle, "report.pdf");
        assert!(alone.body == pdf && pdf.starts_with(b"%PDF-1.7"));
        let raw = String::from_utf8_lossy(&pdf);
        for part in [
            "/StructTreeRoot",
            "/Outlines",
            "/FontFile",
            "/Marked true",
            &format!("/Lang({language})"),
        ] {
            assert!(raw.contains(part), "{part}");
        }
        if let Some(text) = of_pdf(&pdf, "pdftotext", &["-layout", "report.pdf", "-"]) {
            let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
            for said in [
                title,
                "VERIFIED: ",
                "billing",
                "tax office",
                "check manifest.note",
                "bundle = zipfile.ZipFile",
            ] {
                assert!(
                    words.contains(said) || subject == hostile && said.len() < 12,
                    "{said}: {words}"
                );
            }
            let shown = if subject == hostile {
                "s-1[U+202E][U+4E2D] </text> \\("
            } else {
                "s-1 (exactly"
            };
            assert!(words.contains(shown), "{shown}: {words}");
        }
        if let Some(about) = of_pdf(&pdf, "pdfinfo", &["report.pdf"]) {
            assert!(
                about.contains(title) && about.contains("Tagged:          yes"),
                "{about}"
            );
            assert!(!about.contains("s-1"), "{about}");
        }
        of_pdf(&pdf, "qpdf", &["--check", "report.pdf"]);
    }
}

/// The bundle with a file altered, and the manifest made to fit it but for the report.
fn rezipped(bundle: &[u8], name: &str, from: &str, to: &str) -> Vec<u8> {
    use std::io::{Cursor, Write as _};
    let mut zip = zip::ZipArchive::new(Cursor::new(bundle)).unwrap();
    let names: Vec<String> = (0..zip.len())
        .map(|at| zip.by_index(at).unwrap().name().unwrap().into_owned())
        .collect();
    let mut out = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let old = text(bundle, name);
    let new = old.replacen(from, to, 1);
    assert!(old != new, "{name}");
    let digest = |text: &str| estreat::digest::Digest::of(&[text.as_bytes()]).to_string();
    for file in names {
        let bytes = match file.as_str() {
            file if file == name => new.clone().into_bytes(),
            "manifest.json" if name != "report.html" => text(bundle, &file)
                .replace(&digest(&old), &digest(&new))
                .into_bytes(),
            file => member(bundle, file),
        };
        out.start_file(file, zip::write::SimpleFileOptions::default())
            .unwrap();
        out.write_all(&bytes).unwrap();
    }
    out.finish().unwrap().into_inner()
}

#[test]
fn the_form_asks_for_whole_days_of_a_zone_a_language_and_withholding() {
    let app = TestApp::start();
    told(&app);
    let mut browser = Browser::signed_in(&app, &app.auditor);
    let fields = [
        ("subject", "s-1"),
        ("purpose", "x"),
        ("from", "2026-05-02"),
        ("to", "2026-05-04"),
        ("time_zone", "Europe/Berlin"),
        ("language", "de"),
        ("withhold", "crm/3 gdpr-23\r\n"),
    ];
    let made = browser.post("/exports", &fields);
    assert_eq!(made.status, 303, "{}", made.html);
    let place = made.header("location").expect("its page").to_owned();
    let id = place.trim_start_matches("/exports/");
    let view = app.wait_for_export(id);
    // 2026-05-04 ends in Berlin at 22:00 UTC, and its first moment is part of it.
    assert_eq!(
        (&view["outcome"]["entries"], &view["outcome"]["withheld"]),
        (&json!(3), &json!(1))
    );
    let page = browser.get(&place);
    assert!(words(&page.html).contains("2026-05-05 00:00:00 +02:00 (Europe/Berlin)"));
    let report = browser.get(&format!("/api/v1/exports/{id}/report.html"));
    assert!(report.html.contains("<html lang=\"de\">"));
    for (field, wrong) in [
        ("time_zone", "Mars"),
        ("withhold", "crm 3"),
        ("language", "fr"),
    ] {
        let refused = browser.post(
            "/exports",
            &[("subject", "kept"), ("purpose", "x"), (field, wrong)],
        );
        assert_eq!(refused.status, 422, "{field}");
        assert!(
            refused.html.contains(&format!("href=\"#{field}\"")),
            "{field}"
        );
        assert!(refused.html.contains("value=\"kept\""));
    }
    let empty: Vec<(String, String)> = Vec::new();
    assert!(
        browser
            .post("/exports/new", &borrowed(&empty))
            .html
            .contains("<option>Europe/Berlin</option>")
    );
}
