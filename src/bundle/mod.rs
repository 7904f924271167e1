//! Bundles: verified exports, written and checked.
//!
//! The layout is in `format/FORMAT.md`, "Bundle". This module does not know where entries
//! come from, nor how reports look: it zips what it is given, and checks what anybody sends.

mod archive;
mod manifest;
mod proof;
mod proof_writer;
mod report;
mod verify;
mod write;

pub use archive::Unreadable;
pub use manifest::{About, MANIFEST, MANIFEST_NOTE, Manifest, WithheldEntry, note_text};
pub use proof::{BatchProof, Because, EntryProof, Proof, SegmentProof, Shown, ShownLink, TagProof};
pub use proof_writer::{Batches, ProofHead, Segments, begin as begin_proof};
pub use report::{Counts, Coverage, Extent, NoteState, Question, Report, found};
pub use verify::verify;
pub use write::BundleWriter;

use crate::finding;
pub use crate::finding::{Finding, Step, Verdict};

/// A log's signed checkpoint, in its folder.
pub const CHECKPOINT: &str = "checkpoint.txt";
/// A log's entries, in its folder.
pub const ENTRIES: &str = "entries.ndjson";
/// A log's proof, in its folder.
pub const PROOF: &str = "proof.json";
