//! Every change of a sound bundle is found.

use std::collections::BTreeMap;
use std::io::{Cursor, Read, Write};

use estreat::bundle::{self, NoteState, Report, Verdict};
use estreat::checkpoint::VerifierKey;
use estreat::digest::Digest;
use proptest::prelude::*;
use proptest::sample::Index;
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use super::maker::{Log, bundle, question, verifier_keys};
use super::round_trip::segments;

type Files = BTreeMap<String, Vec<u8>>;

fn sound() -> (Vec<u8>, Vec<VerifierKey>) {
    let names = |names: &[&str]| {
        names
            .iter()
            .map(|name| (*name).to_owned())
            .collect::<Vec<_>>()
    };
    let segments = [
        vec![
            vec![
                (5, names(&["a"])),
                (6, names(&["b"])),
                (7, names(&["a", "b"])),
            ],
            vec![(8, names(&["a"]))],
        ],
        vec![vec![(9, names(&["b", "c"]))]],
    ];
    let logs = [Log::new("orders", &segments, false)];
    let zip = bundle(&logs, &question("a", &logs), 2).into_inner();
    (zip, verifier_keys("orders"))
}

fn unzip(zip: &[u8]) -> Files {
    let mut archive = ZipArchive::new(Cursor::new(zip)).unwrap();
    let mut files = Files::new();
    for at in 0..archive.len() {
        let mut file = archive.by_index(at).unwrap();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        files.insert(file.name().unwrap().into_owned(), bytes);
    }
    files
}

fn rezip(files: &Files) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// Makes the manifest fit the files, as somebody would who wants a change to pass.
fn fix_manifest(files: &mut Files) {
    files.remove("manifest.note");
    let mut manifest: serde_json::Value = serde_json::from_slice(&files["manifest.json"]).unwrap();
    for (name, hash) in manifest["files"].as_object_mut().unwrap() {
        *hash = Digest::of(&[&files[name]]).to_string().into();
    }
    files.insert(
        "manifest.json".to_owned(),
        manifest.to_string().into_bytes(),
    );
}

fn verify(zip: Vec<u8>, keys: &[VerifierKey]) -> Report {
    bundle::verify(Cursor::new(zip), keys).unwrap()
}

#[test]
fn zipped_again_it_is_still_sound() {
    let (zip, keys) = sound();
    let mut files = unzip(&zip);
    assert_eq!(verify(rezip(&files), &keys).verdict, Verdict::Verified);
    fix_manifest(&mut files);
    assert_eq!(verify(rezip(&files), &keys).verdict, Verdict::Verified);
}

#[test]
fn any_changed_byte_of_any_file_is_found() {
    let (zip, keys) = sound();
    let files = unzip(&zip);
    for (name, bytes) in &files {
        for at in 0..bytes.len() {
            let mut changed = files.clone();
            changed.get_mut(name).unwrap()[at] ^= 1 << (at % 8);
            let report = verify(rezip(&changed), &keys);
            if name == "manifest.note" && report.manifest_note == NoteState::NotChecked {
                // Signed under another name, whose key nobody gave: that is said.
                continue;
            }
            assert_eq!(report.exit_code(), 3, "{name} byte {at}");
            let in_step = |finding: &bundle::Finding| finding.step == bundle::Step::Manifest;
            assert!(report.findings.iter().any(in_step), "{name} byte {at}");
        }
    }
}

#[test]
fn any_changed_byte_of_a_log_is_found_whatever_the_manifest_says() {
    let (zip, keys) = sound();
    let files = unzip(&zip);
    for (name, bytes) in files.iter().filter(|(name, _)| name.starts_with("logs/")) {
        for at in 0..bytes.len() {
            let mut changed = files.clone();
            changed.get_mut(name).unwrap()[at] ^= 1 << (at % 7);
            fix_manifest(&mut changed);
            let report = verify(rezip(&changed), &keys);
            assert_eq!(report.exit_code(), 3, "{name} byte {at}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// An element of an array of proof.json left out, given twice, or in another's place,
    /// under a manifest that fits.
    #[test]
    fn no_element_of_a_proof_is_idle(
        orders in segments(), which in 0..5_usize, at in any::<Index>(), to in any::<Index>(), how in 0..3_u8,
    ) {
        const ARRAYS: [&str; 5] = ["/links", "/tree", "/batches", "/segments", "/batches/0/entries"];
        let logs = [Log::new("orders", &orders, false)];
        let mut files = unzip(&bundle(&logs, &question("a", &logs), 3).into_inner());
        let bytes = files.get_mut("logs/orders/proof.json").unwrap();
        let mut proof: serde_json::Value = serde_json::from_slice(bytes).unwrap();
        let array = proof.pointer_mut(ARRAYS[which]).and_then(serde_json::Value::as_array_mut);
        let Some(array) = array.filter(|array| !array.is_empty()) else {
            return Ok(());
        };
        let (at, to) = (at.index(array.len()), to.index(array.len()));
        match how {
            0 => drop(array.remove(at)),
            1 => array.insert(to, array[at].clone()),
            // Nodes of a tree stand in any order.
            _ if at == to || which == 1 => return Ok(()),
            _ => array.swap(at, to),
        }
        *bytes = serde_json::to_vec(&proof).unwrap();
        fix_manifest(&mut files);
        prop_assert_eq!(verify(rezip(&files), &verifier_keys("orders")).exit_code(), 3);
    }
}

#[test]
fn any_file_left_out_is_found() {
    let (zip, keys) = sound();
    let files = unzip(&zip);
    for name in files.keys().filter(|name| *name != "manifest.note") {
        let mut changed = files.clone();
        changed.remove(name);
        assert_eq!(
            verify(rezip(&changed), &keys).verdict,
            Verdict::Missing,
            "{name}"
        );
    }
    let mut changed = files.clone();
    changed.retain(|name, _| name.starts_with("manifest"));
    assert_eq!(verify(rezip(&changed), &keys).verdict, Verdict::Missing);
}

#[test]
fn no_truncated_zip_is_sound() {
    let (zip, keys) = sound();
    for end in 0..zip.len() {
        if let Ok(report) = bundle::verify(Cursor::new(&zip[..end]), &keys) {
            assert_eq!(report.exit_code(), 3, "{end} bytes");
        }
    }
}

#[test]
fn no_changed_byte_of_the_zip_passes_for_another_bundle() {
    let (zip, keys) = sound();
    let files = unzip(&zip);
    for at in 0..zip.len() {
        let mut changed = zip.clone();
        changed[at] ^= 1 << (at % 8);
        let Ok(report) = bundle::verify(Cursor::new(&changed), &keys) else {
            continue;
        };
        // Some bytes of a zip mean nothing to anybody who unpacks it.
        assert!(
            report.exit_code() == 3 || unzip(&changed) == files,
            "byte {at}"
        );
    }
}

#[test]
fn a_name_twice_is_found() {
    let (zip, keys) = sound();
    let mut files = unzip(&zip);
    // As long as another name, which it then becomes.
    let twin = files["README.txt"].clone();
    files.insert("README.txu".to_owned(), twin);
    let zip = rezip(&files);
    let mut twice = zip.clone();
    for at in 0..zip.len() - 10 {
        if &zip[at..at + 10] == b"README.txu" {
            twice[at + 9] = b't';
        }
    }
    let report = verify(twice, &keys);
    assert_eq!(report.verdict, Verdict::Altered);
    assert_eq!(report.findings[0].step, bundle::Step::Manifest);
    assert!(
        report.findings[0].found.contains("duplicate"),
        "{:?}",
        report.findings
    );
}

#[test]
fn a_proof_that_unpacks_without_end_is_refused() {
    let (zip, keys) = sound();
    let mut files = unzip(&zip);
    let proof = files.get_mut("logs/orders/proof.json").unwrap();
    proof.resize(proof.len() + (8 << 20), b' ');
    fix_manifest(&mut files);
    let report = verify(rezip(&files), &keys);
    assert_eq!(report.verdict, Verdict::Altered);
    assert_eq!(report.findings[0].step, bundle::Step::Proof);
    assert!(
        report.findings[0].found.contains("longer than"),
        "{:?}",
        report.findings
    );
}
