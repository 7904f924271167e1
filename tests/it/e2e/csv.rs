//! entries.csv in a real spreadsheet: nothing runs, and numbers stay numbers.

use std::path::Path;
use std::process::Command;

use serde_json::json;

use super::export::member;
use crate::support::app::TestApp;

/// A file as LibreOffice understands it; none where that is not installed, which `.ci/test` sees to.
fn opened(folder: &Path, name: &str, separator: char) -> Option<String> {
    let profile = format!("-env:UserInstallation=file://{}/profile", folder.display());
    let separator = u32::from(separator);
    let mut command = Command::new("soffice");
    command
        .args([profile.as_str(), "--headless", "--convert-to", "fods"])
        // Separator, quotes, UTF-8, from line 1, no types, no language, not all as text, numbers
        // recognised, values, shown as they are, formulas too: as careless as can be.
        .arg(format!(
            "--infilter=CSV:{separator},34,76,1,,0,false,true,false,false,false,-1,true"
        ))
        .arg(name)
        .current_dir(folder);
    let Ok(output) = command.output() else {
        eprintln!("soffice is not installed: entries.csv is not opened by a spreadsheet here");
        return None;
    };
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let out = folder.join(name).with_extension("fods");
    Some(std::fs::read_to_string(out).expect("a spreadsheet"))
}

#[test]
fn a_spreadsheet_runs_nothing_of_entries_csv() {
    let app = TestApp::start();
    let run = r#"=HYPERLINK("http://evil.example";"x")"#;
    for value in [
        run,
        "+1+1",
        "-1+1",
        "@SUM(1)",
        "\u{a0}=1+1",
        "a;=1+1;b",
        "a,=1+1,b",
        "\"=1+1",
    ] {
        app.append(
            "crm",
            &json!({
                "operation": "=1+1", "data_subject": "s", "actor": value, "recipient": value,
                "resource": value, "purpose": value, "payload": [value],
            })
            .to_string(),
        );
    }
    app.append(
        "crm",
        r#"{"operation":"read","data_subject":"s","payload":-12.5}"#,
    );
    let (_, bundle) = app.export(&json!({"subject": "s", "purpose": "x"}));
    let csv = String::from_utf8(member(&bundle, "entries.csv")).expect("text");
    assert!(csv.starts_with(
        "log,entry,time,received_at,operation,outcome,purpose,lawful_basis,actor,actor_role,"
    ));
    assert!(
        csv.lines()
            .next()
            .unwrap()
            .ends_with(",payload,link,leaf_hash")
    );
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("entries.csv"), &csv).expect("written");
    std::fs::write(folder.path().join("control.csv"), "a,=1+1,-12.5\r\n").expect("written");
    let Some(control) = opened(folder.path(), "control.csv", ',') else {
        return;
    };
    assert!(
        control.contains("table:formula="),
        "the spreadsheet would run one"
    );
    for separator in [',', ';', '\t'] {
        let sheet = opened(folder.path(), "entries.csv", separator).expect("it is installed");
        assert!(!sheet.contains("table:formula="), "{separator:?}");
        assert!(
            separator != ',' || sheet.contains("office:value=\"-12.5\""),
            "a number stays one"
        );
    }
}
