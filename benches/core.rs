//! The engine without HTTP, each workload beside the sum of its primitives on the same buffers.
//!
//! Back of the envelope, for 4,096 entries of 4 KiB (17 MB): copying them in 3 ms, salts 0.3 ms,
//! leaf hashes at 1.6 GB/s 10 ms, zstd at level 1 at 0.6 GB/s 28 ms, AES-GCM and digest of a tenth
//! of the bytes 1.6 ms: 45 ms of one core, so that two cores do 180,000 entries a second, chain,
//! fsync and index included in the remaining tenth.

mod run;

fn main() -> std::process::ExitCode {
    run::bench("core")
}
