//! Lines on what a check covers, for people.

use crate::messages::Said;

/// Each line as it was written, in English, with what it says in whichever language it is read,
/// where that is known: old outcomes have their words alone.
pub(super) fn said_or_written(
    lines: &[String],
    said: impl Fn(usize) -> Option<Said>,
) -> Vec<(Option<Said>, &str)> {
    let lines = lines.iter().enumerate();
    lines.map(|(at, line)| (said(at), line.as_str())).collect()
}
