//! The C library's allocator, told to give back what it does not need.
//!
//! By default it keeps an arena for each thread and ever larger blocks: a server that takes in and
//! exports a million entries at once peaks at 334 MB, and with two arenas and a fixed trim
//! threshold at 191 MB, at the same speed. It takes these settings from the environment at the
//! start of a process only, and a call that changes them later would be `unsafe`; so the process
//! begins again, once, as the same process with them set.

use std::os::unix::process::CommandExt as _;
use std::process::Command;

const SETTINGS: [(&str, &str); 2] = [
    ("MALLOC_ARENA_MAX", "2"),
    ("MALLOC_TRIM_THRESHOLD_", "1048576"),
];

/// Begins the process again with the settings, unless any of them is set already. Returns if that
/// cannot be done; then everything works, with more memory.
pub fn begin_again_with_less() {
    if SETTINGS
        .iter()
        .any(|(name, _)| std::env::var_os(name).is_some())
    {
        return;
    }
    let Ok(program) = std::env::current_exe() else {
        return;
    };
    let error = Command::new(program)
        .args(std::env::args_os().skip(1))
        .envs(SETTINGS)
        .exec();
    tracing::debug!("the allocator keeps its defaults: {error}");
}
