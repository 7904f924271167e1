//! The layout: floors without cycles, a pure core, files and functions of bounded length.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The floors; modules of a floor never import each other.
const FLOORS: [&[&str]; 11] = [
    &["ids", "time", "limits", "random"],
    &[
        "codec", "digest", "base64", "postings", "strict", "zone", "messages",
    ],
    &["event", "envelope", "chain", "merkle", "vrf"],
    &["format", "checkpoint", "finding"],
    &["sealer", "sequencer", "verifier", "bundle", "sample"],
    &["store", "catalog", "state", "keyring", "cores"],
    &["ingest", "indexer"],
    &["audit"],
    &["web"],
    &["config"],
    &["cli"],
];

/// Imports within a floor that are meant, each with its reason.
const WITHIN: &[(&str, &str)] = &[
    // Names are bounded.
    ("ids", "limits"),
    // The verifier goes on from where a sequencer stands.
    ("verifier", "sequencer"),
    // A sequencer links what a sealer has sealed.
    ("sequencer", "sealer"),
    // Keys rest in files.
    ("keyring", "store"),
    // Databases are made for their owner alone.
    ("state", "store"),
    ("catalog", "store"),
];

/// Words that no module below the purity line may use.
const IMPURE: [&str; 9] = [
    "std::fs",
    "std::net",
    "SystemTime",
    "Instant::now",
    "getrandom",
    "std::thread",
    "tokio::",
    "rustix",
    "std::env",
];

const MAX_FILE_LINES: usize = 500;
const MAX_FUNCTION_LINES: usize = 70;

fn sources() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    walk(&root, &root, &mut files);
    assert!(files.len() > 50, "only {} files", files.len());
    files
}

fn walk(root: &Path, folder: &Path, files: &mut Vec<(PathBuf, String)>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            walk(root, &path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).expect("a source");
            files.push((path.strip_prefix(root).expect("below").to_owned(), text));
        }
    }
}

/// A file's code without its tests and comments.
fn code(text: &str) -> String {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    code.lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .map(|line| format!("{line}\n"))
        .collect()
}

fn module(path: &Path) -> String {
    let first = path
        .iter()
        .next()
        .expect("a name")
        .to_string_lossy()
        .into_owned();
    first.trim_end_matches(".rs").to_owned()
}

fn is_test_file(path: &Path) -> bool {
    path.iter()
        .any(|part| part.to_string_lossy().contains("tests"))
}

/// Each module's imports of others.
fn imports() -> BTreeMap<String, Vec<(String, PathBuf)>> {
    let mut imports: BTreeMap<String, Vec<(String, PathBuf)>> = BTreeMap::new();
    for (path, text) in sources().iter().filter(|(path, _)| !is_test_file(path)) {
        let own = module(path);
        if own == "lib" || own == "main" {
            continue;
        }
        let code = code(text);
        for (at, _) in code.match_indices("crate::") {
            let name: String = code[at + 7..]
                .chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect();
            if name != own {
                imports
                    .entry(own.clone())
                    .or_default()
                    .push((name, path.clone()));
            }
        }
    }
    imports
}

fn floor(module: &str) -> usize {
    FLOORS
        .iter()
        .position(|floor| floor.contains(&module))
        .unwrap_or_else(|| panic!("{module} has no floor"))
}

#[test]
fn modules_import_only_from_lower_floors() {
    for (own, others) in imports() {
        for (other, path) in others {
            let (here, there) = (floor(&own), floor(&other));
            let meant = WITHIN.contains(&(own.as_str(), other.as_str()));
            assert!(
                there < here || (there == here && meant),
                "{} imports {other}",
                path.display()
            );
        }
    }
}

#[test]
fn every_exception_within_a_floor_is_in_use() {
    let imports = imports();
    for (own, other) in WITHIN {
        let used = imports
            .get(*own)
            .is_some_and(|others| others.iter().any(|(name, _)| name == other));
        assert!(used, "{own} does not import {other}");
    }
}

#[test]
fn the_web_names_only_use_cases_and_what_lies_below_the_machines() {
    for (other, path) in &imports()["web"] {
        let allowed = other == "audit" || floor(other) <= 3;
        assert!(allowed, "{} imports {other}", path.display());
    }
}

#[test]
fn nothing_below_the_purity_line_reads_a_clock_a_file_a_socket_or_randomness() {
    for (path, text) in sources().iter().filter(|(path, _)| !is_test_file(path)) {
        let own = module(path);
        if own == "lib" || own == "main" || floor(&own) > 4 {
            continue;
        }
        let code = code(text);
        for word in IMPURE {
            assert!(!code.contains(word), "{} uses {word}", path.display());
        }
    }
}

#[test]
fn files_and_functions_stay_short() {
    for (path, text) in sources() {
        let lines: Vec<&str> = text.lines().collect();
        assert!(
            lines.len() <= MAX_FILE_LINES,
            "{} has {} lines",
            path.display(),
            lines.len()
        );
        for (start, line) in lines.iter().enumerate() {
            let indent = line.len() - line.trim_start().len();
            let words: Vec<&str> = line.split_whitespace().take(4).collect();
            let begins = words.contains(&"fn")
                && !line.trim_end().ends_with(';')
                && !line.trim_start().starts_with("//");
            if !begins {
                continue;
            }
            let closing = format!("{}}}", " ".repeat(indent));
            let end = lines[start..]
                .iter()
                .position(|line| *line == closing)
                .unwrap_or(0);
            assert!(
                end < MAX_FUNCTION_LINES,
                "{}:{} is a function of {end} lines",
                path.display(),
                start + 1
            );
        }
    }
}

#[test]
fn every_module_has_a_floor_and_a_place_in_the_crate_map() {
    let map = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs"))
        .expect("lib.rs");
    for (path, _) in sources() {
        let own = module(&path);
        if own != "lib" && own != "main" {
            floor(&own);
            assert!(
                map.contains(&format!("`{own}`]")) || map.contains(&format!("`mod@{own}`]")),
                "{own} is not in the crate map"
            );
        }
    }
}
