//! The sealer: entries in, a sealed batch out. All the work of a batch that needs no
//! predecessor, so that it can run on every core.
//!
//! A sealed batch may still be dropped: it has no number yet, and nobody was answered. Where it
//! goes is decided by the order of tickets, not by which core has sealed it first.

use crate::chain::{BatchBody, Link};
use crate::digest::Digest;
use crate::digest::two::{self, Message};
use crate::envelope::{Dek, Nonce};
use crate::event::Entries;
use crate::format::payload::{KeyedRequest, Packer, PayloadError, encode_batch};
use crate::ids::LogId;
use crate::merkle;
use crate::time::Timestamp;

/// Seals batches; keeps its buffers and compression context between them. One a thread.
pub struct Sealer {
    packer: Packer,
    /// Plaintext of the batch sealed last; overwritten by the next, not wiped.
    raw: Vec<u8>,
}

/// Under what a batch is sealed: both random and new for every batch.
///
/// A seed that came twice would give two batches' entries the same salts, and equal entries equal
/// leaves.
pub struct Fresh {
    /// Seed of the entries' salts.
    /// It is in the payload and nowhere else: whoever has it can test guesses at every entry.
    pub seed: [u8; 32],
    /// Nonce of the payload.
    pub nonce: Nonce,
}

/// A sealed batch: everything of its link but its place in the chain.
#[derive(Debug)]
pub struct SealedBatch {
    /// The payload: nonce, ciphertext, tag.
    pub payload: Vec<u8>,
    /// `H(payload)`.
    /// Made here, on the worker, since hashing is most of what linking would cost.
    pub payload_digest: Digest,
    /// Number of entries.
    pub entry_count: u32,
    /// Root over the entries' leaves.
    pub entries_root: Digest,
    /// Earliest and latest event time.
    pub times: (Timestamp, Timestamp),
}

impl Sealer {
    /// A sealer at a zstd level.
    pub fn new(level: i32) -> std::io::Result<Self> {
        Ok(Self {
            packer: Packer::new(level)?,
            raw: Vec::new(),
        })
    }

    /// Seals `entries`, of which there is at least one, for a log under a segment's DEK.
    ///
    /// An error is zstd's or GCM's, and does not come with bounded input; the caller gives the
    /// batch up.
    pub fn seal(
        &mut self,
        log_id: &LogId,
        dek: &Dek,
        fresh: &Fresh,
        entries: &Entries,
        requests: &[KeyedRequest],
    ) -> Result<SealedBatch, PayloadError> {
        // Before sealing: the root is in the additional data.
        let entries_root = entries_root(&fresh.seed, entries);
        encode_batch(
            &mut self.raw,
            &fresh.seed,
            entries.lengths(),
            entries.raw(),
            requests,
        );
        let additional = Link::additional_data(1, log_id, &entries_root);
        let payload = self
            .packer
            .pack(&self.raw, dek, &fresh.nonce, &additional)?;
        let payload_digest = Digest::of(&[&payload]);
        let earliest = entries
            .times()
            .iter()
            .min()
            .copied()
            .unwrap_or(Timestamp(0));
        let latest = entries
            .times()
            .iter()
            .max()
            .copied()
            .unwrap_or(Timestamp(0));
        Ok(SealedBatch {
            payload,
            payload_digest,
            entry_count: entries.len() as u32,
            entries_root,
            times: (earliest, latest),
        })
    }

    /// The packer, for the subject index of a segment that closes.
    /// It shares the context, since close links are rare.
    pub fn packer(&mut self) -> &mut Packer {
        &mut self.packer
    }
}

impl SealedBatch {
    /// The link's body, for a batch whose first entry has this index.
    /// All of the link that can be known before it has a place.
    pub fn body(&self, first_entry: u64) -> BatchBody {
        BatchBody {
            first_entry,
            entry_count: self.entry_count,
            entries_root: self.entries_root,
            earliest: self.times.0,
            latest: self.times.1,
            payload_length: self.payload.len() as u32,
            payload_digest: self.payload_digest,
        }
    }
}

/// The root over the salted leaves: with zstd most of a batch's work, so two are hashed at once.
pub fn entries_root(seed: &[u8; 32], entries: &Entries) -> Digest {
    let salts = two::salts(seed, entries.len() as u32);
    let salted = salts.iter().zip(entries.iter());
    merkle::root(&two::all(
        salted.map(|(salt, entry)| Message::leaf(salt, entry)),
    ))
}
