//! Which roles may make which call: the one table. Use cases ask it, the API's description is
//! made of it, and the README's table is compared with it.
//!
//! A role here says what may be asked at all; which logs it may be asked about is the account's
//! (`Caller::require_log`), and both are asked. No role contains another: an administrator lets
//! readers in, which stands in `_access`, and reads nothing himself.

use crate::state::Role::{self, Admin, Auditor, Operator, Regulator, Writer};

/// The roles that may make a call.
pub type Roles = &'static [Role];

/// Whoever asks, also without any token.
pub const ANYONE: Roles = &Role::ALL;
/// Append entries.
pub const APPEND: Roles = &[Writer];
/// Search, and read entries.
pub const READ: Roles = &[Auditor];
/// See logs and how far they are.
pub const SEE_LOGS: Roles = &[Auditor, Admin];
/// Set a log's settings.
pub const SET_LOGS: Roles = &[Admin];
/// See a log's segments.
pub const SEE_SEGMENTS: Roles = &[Auditor];
/// Ask for exports, and make links to them.
pub const EXPORT: Roles = &[Auditor];
/// See and download exports: an auditor's own logs', and a regulator's shared ones.
pub const SEE_EXPORTS: Roles = &[Auditor, Regulator];
/// Verify logs, and see what came of it.
pub const VERIFY: Roles = &[Auditor];
/// See what the last verification of a log said.
pub const SEE_VERDICTS: Roles = &[Auditor, Admin];
/// Allow or refuse that a name of the access log is shown.
pub const DECIDE_NAMES: Roles = &[Auditor, Admin];
/// List open cases by their numbers, and close those of others.
pub const MANAGE_CASES: Roles = &[Admin];
/// Let tokens and people in, and end them.
pub const MANAGE_ACCOUNTS: Roles = &[Admin];
/// Read metrics.
pub const SEE_METRICS: Roles = &[Operator, Admin];

/// The roles that can read what entries say.
pub fn readers() -> Vec<Role> {
    let all = Role::ALL.into_iter();
    all.filter(|role| can_read(*role)).collect()
}

/// Whether accounts of a role can read what entries say: making one is an entry in `_access`.
pub fn can_read(role: Role) -> bool {
    READ.contains(&role) || SEE_EXPORTS.contains(&role)
}
