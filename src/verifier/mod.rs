//! The verifier: a log's segments in, findings out. Recovery, the indexer and `estreat verify`
//! all read segments through it, so that they cannot disagree on what is damage.
//!
//! It does not know where files are: [`LogFiles`] reads them.

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
