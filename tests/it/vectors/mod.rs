//! The format's independent vectors (`tests/vectors`): what they say must be found.

mod bundles;
mod checkpoint;
mod merkle;
mod subject_index;
mod vrf;

use std::path::PathBuf;

use estreat::digest::Digest;
use serde_json::Value;

/// The path of a vector file.
pub fn path(name: &str) -> PathBuf {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    root.join("tests/vectors").join(name)
}

/// A vector file that is JSON.
pub fn json(name: &str) -> Value {
    let bytes = std::fs::read(path(name)).expect("vector file");
    serde_json::from_slice(&bytes).expect("vector JSON")
}

/// The bytes of a hex string.
pub fn unhex(value: &Value) -> Vec<u8> {
    hex::decode(value.as_str().expect("hex string")).expect("hex")
}

/// `N` bytes of a hex string.
pub fn array<const N: usize>(value: &Value) -> [u8; N] {
    unhex(value).try_into().expect("length")
}

/// The hash of a hex string.
pub fn digest(value: &Value) -> Digest {
    Digest(array(value))
}

/// The elements of an array.
pub fn list(value: &Value) -> &[Value] {
    value.as_array().expect("array")
}

/// A string.
pub fn text(value: &Value) -> &str {
    value.as_str().expect("string")
}
