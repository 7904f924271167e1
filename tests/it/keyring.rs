//! Keys: a first start that is cut off at any step goes on; with data nothing is made anew.

use std::path::Path;

use estreat::keyring::{Keyring, KeyringError, Options};
use estreat::store::{DataFolder, SystemRandom};

/// The files of a first start, in the order in which they are made.
const FILES: [&str; 4] = ["kek", "origin", "index-key", "signing-key"];

fn open(root: &Path) -> Result<Keyring, KeyringError> {
    Keyring::open_or_make(&DataFolder::new(root), &Options::default(), &SystemRandom)
}

fn content(root: &Path, name: &str) -> Vec<u8> {
    std::fs::read(root.join("keys").join(name)).expect("a key file")
}

#[test]
fn a_first_start_cut_off_at_any_step_goes_on() {
    for made in 0..=FILES.len() {
        let folder = tempfile::tempdir().expect("a folder");
        open(folder.path()).expect("keys");
        let before: Vec<_> = FILES[..made]
            .iter()
            .map(|name| content(folder.path(), name))
            .collect();
        for name in &FILES[made..] {
            std::fs::remove_file(folder.path().join("keys").join(name)).expect("removed");
        }
        // What a cut-off write leaves beside the file it would have replaced.
        std::fs::write(folder.path().join("keys/kek.new"), b"half").expect("written");
        open(folder.path()).expect("the start goes on");
        let after: Vec<_> = FILES[..made]
            .iter()
            .map(|name| content(folder.path(), name))
            .collect();
        assert_eq!(before, after, "after {made} files");
        open(folder.path()).expect("and again");
    }
}

#[test]
fn beside_data_no_key_is_made_anew() {
    for name in FILES {
        let folder = tempfile::tempdir().expect("a folder");
        open(folder.path()).expect("keys");
        std::fs::create_dir_all(folder.path().join("logs/orders/segments")).expect("a log");
        std::fs::remove_file(folder.path().join("keys").join(name)).expect("removed");
        assert!(open(folder.path()).is_err(), "{name} was made anew");
        assert!(!folder.path().join("keys").join(name).exists(), "{name}");
    }
}
