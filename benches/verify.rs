//! Verification of a folder and the indexer, beside their primitives on all cores.
//!
//! Back of the envelope: verification without keys is SHA-256 of every byte, 1.5 GB/s a core; with
//! the KEK an entry of 450 bytes costs about 1.1 µs of SHA-256, zstd and parsing. A closed segment
//! of a million postings is a million times 16 bytes of lists, and a row a data subject.

mod run;

fn main() -> std::process::ExitCode {
    run::bench("verify")
}
