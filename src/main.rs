//! The binary: everything is in the library.

#![forbid(unsafe_code)]

use std::process::ExitCode;

/// Entries are made on one thread, sealed on a second and freed on a third, which the C library's
/// allocator answers with locks, and with ever more memory that it does not give back.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    estreat::cli::run()
}
