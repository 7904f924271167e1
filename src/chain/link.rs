//! A link's bytes; the layout is in `format/FORMAT.md`, "Link", and the structs mirror it in
//! byte order.
//!
//! Decoding is strict: there is one byte string for a link, so that its leaf hash names the
//! statement and not one spelling of it. It checks each field by itself; what depends on other
//! links is `rules.rs`.

use crate::codec::{Put, Reader, Short};
use crate::digest::Digest;
use crate::ids::{EntryIndex, LinkNumber, LogId, SegmentNumber};
use crate::limits::{MAX_BATCH_ENTRIES, NUMBERS_END};
use crate::time::Timestamp;

/// Bytes 0–77, which every kind of link has.
pub const HEAD_BYTES: usize = 78;
/// Length of a batch link.
pub const BATCH_LINK_BYTES: usize = 174;
/// Length of a close link.
pub const CLOSE_LINK_BYTES: usize = 254;
const _: () = assert!(BATCH_LINK_BYTES == HEAD_BYTES + 8 + 4 + 32 + 8 + 8 + 4 + 32);
const _: () = assert!(CLOSE_LINK_BYTES == HEAD_BYTES + 5 * 8 + 4 + 3 * 32 + 4 + 32);

/// Another version is another format: nothing here guesses what its bytes mean.
const VERSION: u8 = 1;

/// A link, decoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// Bytes 0–77.
    pub head: Head,
    /// The rest, by kind.
    pub body: Body,
}

/// What every link has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// The log it belongs to.
    /// Keeps a link, with its sealed payload, from being shown as another log's.
    pub log_id: LogId,
    /// Its index in the log.
    /// Also its leaf's index in the log tree. Below 2^53, as is `segment`.
    pub number: LinkNumber,
    /// The segment it stands in.
    pub segment: SegmentNumber,
    /// Leaf hash of the link before; zeros for link 0.
    /// With it, whoever holds a link holds all before it.
    pub previous: Digest,
    /// When it was synced; links of one sync share it.
    /// By the server's clock, and never behind an earlier sync: the clock may step back, this does
    /// not.
    pub committed_at: Timestamp,
    /// Its position among the links of its sync; at most its number.
    /// It tells syncs apart, which the rule for torn tails rests on.
    pub sync_position: u32,
}

/// A link's body, by kind.
/// What a kind's body holds is fixed by the version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// Kind 1.
    Batch(BatchBody),
    /// Kind 2, the last of its segment.
    Close(CloseBody),
    /// Kind 3 or 4: reserved, left unread.
    /// It has its place in the chain and the tree like any other, so that an older reader can still
    /// check a log with erasures.
    Reserved {
        /// 3 (erasure) or 4 (disposition).
        kind: u8,
        /// The bytes from 78 on.
        bytes: Vec<u8>,
    },
}

/// What a batch link states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BatchBody {
    /// Index of its first entry.
    /// With the count it stays below 2^53; decoding holds that, so sums of the two cannot overflow.
    pub first_entry: EntryIndex,
    /// 1 … 65,536.
    /// A root says nothing of a tree's size: this does.
    pub entry_count: u32,
    /// Root over the entries' leaves.
    /// It stays true when entries are erased, since their leaves remain.
    pub entries_root: Digest,
    /// Earliest event time.
    /// By the entries, not by the clock. `earliest ≤ latest` is the chain's to check.
    pub earliest: Timestamp,
    /// Latest event time.
    pub latest: Timestamp,
    /// Length of the sealed payload.
    pub payload_length: u32,
    /// Hash of the sealed payload.
    /// What is hashed is ciphertext: it can be checked without a key.
    pub payload_digest: Digest,
}

/// What a close link states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CloseBody {
    /// First link of the segment; its own number if it has no other.
    /// The link behind the close link before, or 0: that close links name it lets them be checked
    /// without the links between.
    pub first_link: LinkNumber,
    /// First entry of the segment; the next entry's index if it has none.
    pub first_entry: EntryIndex,
    /// Entries of the segment.
    /// The sum over its batches.
    pub entry_count: u64,
    /// Earliest event time, 0 if there is no entry.
    pub earliest: Timestamp,
    /// Latest event time, 0 if there is no entry.
    pub latest: Timestamp,
    /// Distinct tags in the subject index.
    /// The size of the subject index's tree: without it no absence could be shown.
    pub subject_count: u32,
    /// Root over the subject index.
    pub subjects_root: Digest,
    /// Public key of the subject index.
    /// Here and not only in a setting, so that a bundle carries the key under which its tags were
    /// made, under the checkpoint's signature.
    pub index_key: [u8; 32],
    /// Length of the sealed subject index.
    pub payload_length: u32,
    /// Hash of the sealed subject index.
    pub payload_digest: Digest,
    /// Hash of the fixed part of the segment's header.
    /// The key part is left out, since a new KEK changes it.
    pub header_digest: Digest,
}

/// Bytes that are no link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// The length is not the kind's.
    #[error("the link's length is not that of its kind")]
    Length,
    /// Another version.
    #[error("link version {0}, expected 1")]
    Version(u8),
    /// A kind that is none.
    #[error("link kind {0}, expected 1 to 4")]
    Kind(u8),
    /// A number outside its bounds.
    /// The field's name.
    #[error("{0} is out of bounds")]
    Bounds(&'static str),
}

impl From<Short> for LinkError {
    fn from(_: Short) -> Self {
        Self::Length
    }
}

impl Link {
    /// Reads a link; refuses every byte string that [`encode`](Self::encode) would not give.
    pub fn decode(bytes: &[u8]) -> Result<Self, LinkError> {
        let mut reader = Reader::new(bytes);
        let version = reader.u8()?;
        let kind = reader.u8()?;
        if version != VERSION {
            return Err(LinkError::Version(version));
        }
        let head = Head::decode(&mut reader)?;
        let body = match kind {
            1 if bytes.len() == BATCH_LINK_BYTES => Body::Batch(BatchBody::decode(&mut reader)?),
            2 if bytes.len() == CLOSE_LINK_BYTES => Body::Close(CloseBody::decode(&mut reader)?),
            1 | 2 => return Err(LinkError::Length),
            // Of any length, also none: what stands there is a later release's to say.
            3 | 4 => Body::Reserved {
                kind,
                bytes: reader.rest().to_vec(),
            },
            other => return Err(LinkError::Kind(other)),
        };
        Ok(Self { head, body })
    }

    /// The link's bytes.
    /// These are the bytes of the leaf, of `previous` and of the file: there is no other form.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(CLOSE_LINK_BYTES);
        out.put(&[VERSION, self.kind()]);
        self.head.encode(&mut out);
        match &self.body {
            Body::Batch(body) => body.encode(&mut out),
            Body::Close(body) => body.encode(&mut out),
            Body::Reserved { bytes, .. } => {
                out.put(bytes);
            }
        }
        out
    }

    /// 1 batch, 2 close, 3 erasure, 4 disposition.
    pub fn kind(&self) -> u8 {
        match &self.body {
            Body::Batch(_) => 1,
            Body::Close(_) => 2,
            Body::Reserved { kind, .. } => *kind,
        }
    }

    /// Length and digest of the payload that belongs to it, where its kind says so.
    /// Of a reserved kind neither can be read here, so its payload goes unchecked.
    pub fn payload(&self) -> Option<(u32, Digest)> {
        match &self.body {
            Body::Batch(body) => Some((body.payload_length, body.payload_digest)),
            Body::Close(body) => Some((body.payload_length, body.payload_digest)),
            Body::Reserved { .. } => None,
        }
    }

    /// The additional data under which its payload is sealed, for a root known before the link.
    ///
    /// Bytes 0–17 of the link, then the root. Neither the number nor `previous` is among them: they
    /// are not known when the payload is sealed. What ties a payload to one place is its digest in
    /// the link there.
    pub fn additional_data(kind: u8, log_id: &LogId, root: &Digest) -> [u8; 50] {
        let mut data = [0; 50];
        data[0] = VERSION;
        data[1] = kind;
        data[2..18].copy_from_slice(&log_id.0);
        data[18..].copy_from_slice(&root.0);
        data
    }
}

impl Head {
    /// Bytes 2–77; the caller has read version and kind.
    fn decode(reader: &mut Reader<'_>) -> Result<Self, LinkError> {
        let head = Self {
            log_id: LogId(reader.array()?),
            number: reader.u64()?,
            segment: reader.u64()?,
            previous: Digest(reader.array()?),
            committed_at: Timestamp(reader.i64()?),
            sync_position: reader.u32()?,
        };
        below_end(head.number, "number")?;
        below_end(head.segment, "segment")?;
        if u64::from(head.sync_position) > head.number {
            return Err(LinkError::Bounds("sync_position"));
        }
        Ok(head)
    }

    fn encode(&self, out: &mut Vec<u8>) {
        out.put(&self.log_id.0)
            .put_u64(self.number)
            .put_u64(self.segment)
            .put(&self.previous.0)
            .put_i64(self.committed_at.0)
            .put_u32(self.sync_position);
    }
}

impl BatchBody {
    fn decode(reader: &mut Reader<'_>) -> Result<Self, LinkError> {
        let body = Self {
            first_entry: reader.u64()?,
            entry_count: reader.u32()?,
            entries_root: Digest(reader.array()?),
            earliest: Timestamp(reader.i64()?),
            latest: Timestamp(reader.i64()?),
            payload_length: reader.u32()?,
            payload_digest: Digest(reader.array()?),
        };
        if body.entry_count == 0 || body.entry_count as usize > MAX_BATCH_ENTRIES {
            return Err(LinkError::Bounds("entry_count"));
        }
        below_end(
            body.first_entry.saturating_add(u64::from(body.entry_count)),
            "first_entry",
        )?;
        Ok(body)
    }

    fn encode(&self, out: &mut Vec<u8>) {
        out.put_u64(self.first_entry)
            .put_u32(self.entry_count)
            .put(&self.entries_root.0)
            .put_i64(self.earliest.0)
            .put_i64(self.latest.0)
            .put_u32(self.payload_length)
            .put(&self.payload_digest.0);
    }
}

impl CloseBody {
    fn decode(reader: &mut Reader<'_>) -> Result<Self, LinkError> {
        let body = Self {
            first_link: reader.u64()?,
            first_entry: reader.u64()?,
            entry_count: reader.u64()?,
            earliest: Timestamp(reader.i64()?),
            latest: Timestamp(reader.i64()?),
            subject_count: reader.u32()?,
            subjects_root: Digest(reader.array()?),
            index_key: reader.array()?,
            payload_length: reader.u32()?,
            payload_digest: Digest(reader.array()?),
            header_digest: Digest(reader.array()?),
        };
        below_end(body.first_link, "first_link")?;
        below_end(
            body.first_entry.saturating_add(body.entry_count),
            "first_entry",
        )?;
        Ok(body)
    }

    fn encode(&self, out: &mut Vec<u8>) {
        out.put_u64(self.first_link)
            .put_u64(self.first_entry)
            .put_u64(self.entry_count)
            .put_i64(self.earliest.0)
            .put_i64(self.latest.0)
            .put_u32(self.subject_count)
            .put(&self.subjects_root.0)
            .put(&self.index_key)
            .put_u32(self.payload_length)
            .put(&self.payload_digest.0)
            .put(&self.header_digest.0);
    }
}

/// 2^53: what a JSON reader of a bundle can still tell apart.
fn below_end(number: u64, field: &'static str) -> Result<(), LinkError> {
    if number < NUMBERS_END {
        Ok(())
    } else {
        Err(LinkError::Bounds(field))
    }
}
