//! The verifier: a log's segments in, findings out. Recovery, the indexer and `estreat verify`
//! all read segments through it, so that they cannot disagree on what is damage.
//!
//! It does not know where files are: [`LogFiles`] reads them.
//!
//! A bundle's verifier asks about one subject; this one asks about a whole log, and what somebody
//! with write access to the data folder could do to it:
//!
//! - An entry, a link or a payload is changed: the payload's digest, `previous` and the log tree no
//!   longer fit ([`scan`], `walk`).
//! - Links are cut off at the end: fewer links than the checkpoint states (`folder`). What the
//!   checkpoint does not cover can be cut off unseen, and is listed as not covered.
//! - A segment file is removed, swapped, or another log's: a gap in the numbers, and headers that
//!   do not follow ([`check_header`]).
//! - A change is passed off as a crash: [`torn_tail`] lets only the sync that was being written be
//!   torn, and never below the checkpoint.
//! - History is written anew from some link on: the root differs (`state`). With the signing key as
//!   well, only witnesses or an older copy of a checkpoint show it.
//! - A subject's entry is left out of the sealed index: the index is rebuilt from the entries
//!   (`deep`); that needs the KEK and the index key.
//! - A finding is made to hide another: the check goes on behind each, in doubt of no more than the
//!   finding touches (`state`).

mod ahead;
mod coverage;
mod damage;
mod deep;
mod folder;
mod head;
mod open;
mod report;
mod segment;
mod source;
mod state;
mod walk;

pub use ahead::{Spread, one_by_one};
pub use coverage::{Coverage, Extent, Gap, Tail};
pub use deep::Secrets;
pub use folder::{Options, check_log};
pub use open::{OpenError, open_batch, open_subjects};
pub use report::{Checked, Counts, LogReport, Note, Report};
pub use segment::{Place, ScanEnd, Torn, check_header, read_header, scan, torn_tail};
pub use source::{Listing, LogFiles};
pub use walk::{OnProgress, Progress};
