//! Payloads: raw bytes, compressed and sealed; and the raw bytes of a batch.
//!
//! Compressed first and sealed then: ciphertext does not compress. The lengths of payloads are
//! public, and how well a batch packs tells a little about its content.

use zstd::bulk::{Compressor, Decompressor};
use zstd::zstd_safe;

use crate::codec::{Put, Reader, Short};
use crate::digest::two::{self, Message};
use crate::digest::{Digest, Salt};
use crate::envelope::{Dek, NONCE_BYTES, Nonce, OVERHEAD_BYTES, Unauthentic};
use crate::limits::{KEPT_BUFFER_BYTES, MAX_BATCH_ENTRIES, MAX_BATCH_RAW_BYTES};

/// In place of a length: erased, a leaf hash stands in the entry's place.
/// No length: an entry is far shorter.
const ERASED: u32 = u32::MAX;
/// Bytes of a request in the idempotency section.
const REQUEST_BYTES: usize = 32 + 32 + 4 + 4;
/// First bytes of a zstd frame (RFC 8878 §3.1.1), little-endian there.
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// A payload that cannot be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PayloadError {
    /// Changed, or sealed under another key or for another place.
    /// Nothing of the plaintext is given out.
    #[error(transparent)]
    Unauthentic(#[from] Unauthentic),
    /// Not one zstd frame of the length stated.
    #[error("the plaintext is not one zstd frame of the stated length")]
    Frame,
    /// Raw bytes longer than the bound.
    /// The stated length is looked at before memory is taken.
    #[error("the raw bytes are longer than the format allows")]
    TooLong,
    /// Raw bytes that break their layout.
    /// What should stand there. The bytes were authentic, so a writer has put them wrong.
    #[error("the raw bytes break their layout: {0}")]
    Layout(&'static str),
}

impl From<Short> for PayloadError {
    fn from(_: Short) -> Self {
        Self::Layout("they end before a field does")
    }
}

/// Compresses and seals, with contexts that are kept between payloads. One a thread.
/// zstd's context is large, so it is not made anew for each payload.
pub struct Packer {
    compressor: Compressor<'static>,
    /// Where zstd writes, kept while it is not too long. What stands in it is never cleared: a
    /// buffer of zeros for each payload would cost a cache full of what comes next.
    compressed: Vec<u8>,
}

/// zstd's context for a level, 1 (fast) to 19.
///
/// At level 1 its table of 2^14 places does not fit in a core's first cache beside anything else.
/// Half of it does: audit events pack an eighth faster, and no larger by one part in a hundred.
pub fn compressor(level: i32) -> std::io::Result<Compressor<'static>> {
    let mut compressor = Compressor::new(level)?;
    if level == 1 {
        compressor.set_parameter(zstd_safe::CParameter::HashLog(13))?;
    }
    Ok(compressor)
}

impl Packer {
    /// A packer at a zstd level, 1 (fast) to 19.
    pub fn new(level: i32) -> std::io::Result<Self> {
        Ok(Self {
            compressor: compressor(level)?,
            compressed: Vec::new(),
        })
    }

    /// Makes a payload of `raw`: nonce ‖ AES-256-GCM(raw length ‖ zstd frame).
    ///
    /// What comes of it is no longer than it must be, since it waits in memory for its sync. By
    /// the format's bounds the length of `raw` fits in 32 bits.
    pub fn pack(
        &mut self,
        raw: &[u8],
        dek: &Dek,
        nonce: &Nonce,
        additional: &[u8],
    ) -> Result<Vec<u8>, PayloadError> {
        let bound = zstd_safe::compress_bound(raw.len());
        if self.compressed.len() < bound {
            self.compressed = vec![0; bound];
        }
        let written = self
            .compressor
            .compress_to_buffer(raw, &mut self.compressed[..])
            .map_err(|_| PayloadError::Frame)?;
        let mut buffer = Vec::with_capacity(OVERHEAD_BYTES + 4 + written);
        buffer
            .put(&[0; NONCE_BYTES])
            .put_u32(raw.len() as u32)
            .put(&self.compressed[..written]);
        if bound > KEPT_BUFFER_BYTES {
            self.compressed = Vec::new();
        }
        dek.seal(nonce, additional, &mut buffer)?;
        Ok(buffer)
    }
}

/// Opens a payload and gives its raw bytes, at most `max_raw` of them.
/// Everything is checked to the last byte: a payload has one plaintext, and that one frame.
pub fn unpack(
    payload: &[u8],
    dek: &Dek,
    additional: &[u8],
    max_raw: usize,
) -> Result<Vec<u8>, PayloadError> {
    let plaintext = dek.open(additional, payload)?;
    let mut reader = Reader::new(&plaintext);
    let raw_length = reader.u32()? as usize;
    if raw_length > max_raw {
        return Err(PayloadError::TooLong);
    }
    let frame = reader.rest();
    // A decompressor would take skippable frames, and more frames one after another, in which
    // anything could be kept.
    let one_frame = frame.starts_with(&ZSTD_MAGIC)
        && zstd_safe::find_frame_compressed_size(frame).is_ok_and(|size| size == frame.len());
    if !one_frame {
        return Err(PayloadError::Frame);
    }
    // Zeros cost nothing until they are written, and `raw_length` has its bound.
    let mut raw = vec![0; raw_length];
    let written = Decompressor::new()
        .and_then(|mut decompressor| decompressor.decompress_to_buffer(frame, &mut raw))
        .map_err(|_| PayloadError::Frame)?;
    if written == raw_length {
        Ok(raw)
    } else {
        Err(PayloadError::Frame)
    }
}

/// A request that came with an idempotency key, as it is kept beside its entries.
///
/// It is sealed with the entries, so that a request sent again after a crash or a rebuild gets its
/// first answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyedRequest {
    /// `H(token id ‖ key)`.
    pub key_hash: Digest,
    /// `H(body)`, of the unpacked bytes.
    pub body_hash: Digest,
    /// Position of its first entry in the batch.
    /// Requests ascend by it, and `first + count` is at most the next one's `first`.
    pub first: u32,
    /// Number of its entries, at least 1.
    pub count: u32,
}

/// Writes the raw bytes of a batch: the entries' lengths and their concatenated bytes.
///
/// The caller keeps the bounds: `lengths` add up to `entries`, and all of it is at most
/// [`MAX_BATCH_RAW_BYTES`]. `out` is used again from batch to batch.
pub fn encode_batch(
    out: &mut Vec<u8>,
    seed: &[u8; 32],
    lengths: &[u32],
    entries: &[u8],
    requests: &[KeyedRequest],
) {
    out.clear();
    out.reserve(40 + 4 * lengths.len() + entries.len() + REQUEST_BYTES * requests.len());
    out.put(seed).put_u32(lengths.len() as u32);
    lengths.iter().for_each(|length| {
        out.put_u32(*length);
    });
    out.put(entries);
    if !requests.is_empty() {
        out.put_u32(requests.len() as u32);
    }
    for request in requests {
        out.put(&request.key_hash.0)
            .put(&request.body_hash.0)
            .put_u32(request.first)
            .put_u32(request.count);
    }
}

/// A batch, opened.
///
/// Its positions are checked when it is read, so that looking at one cannot fail but for its
/// number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    /// Kept whole: slots point into it.
    raw: Vec<u8>,
    /// One a position, in order.
    slots: Vec<Slot>,
    /// The requests that came with a key, by first position.
    pub requests: Vec<KeyedRequest>,
}

/// The salts are made once, when the batch is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slot {
    Kept { salt: Salt, from: usize, to: usize },
    Erased(Digest),
}

/// What stands at a position of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content<'a> {
    /// An entry and its salt.
    Kept(&'a Salt, &'a [u8]),
    /// An erased entry's leaf.
    /// It goes into the root as the entry's own did.
    Erased(&'a Digest),
}

impl Batch {
    /// Reads raw bytes to the last one.
    /// The root is not checked here: the link has it.
    pub fn decode(raw: Vec<u8>) -> Result<Self, PayloadError> {
        if raw.len() > MAX_BATCH_RAW_BYTES {
            return Err(PayloadError::TooLong);
        }
        let mut reader = Reader::new(&raw);
        let seed: [u8; 32] = reader.array()?;
        let count = reader.u32()? as usize;
        if count == 0 || count > MAX_BATCH_ENTRIES {
            return Err(PayloadError::Layout("1 to 65,536 entries"));
        }
        let lengths = reader.take(4 * count)?;
        let lengths: Vec<u32> = lengths
            .as_chunks()
            .0
            .iter()
            .map(|bytes| u32::from_be_bytes(*bytes))
            .collect();
        let slots = decode_slots(&mut reader, raw.len(), &seed, &lengths)?;
        let requests = decode_requests(reader.rest(), count as u32)?;
        Ok(Self {
            raw,
            slots,
            requests,
        })
    }

    /// Number of entries, erased ones included.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// A batch always has an entry; for the lint's sake.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// What stands at a position.
    pub fn get(&self, position: usize) -> Option<Content<'_>> {
        Some(match self.slots.get(position)? {
            Slot::Kept { salt, from, to } => Content::Kept(salt, &self.raw[*from..*to]),
            Slot::Erased(leaf) => Content::Erased(leaf),
        })
    }

    /// What stands at each position.
    pub fn iter(&self) -> impl Iterator<Item = Content<'_>> {
        (0..self.len()).filter_map(|position| self.get(position))
    }

    /// The leaf of each position.
    pub fn leaves(&self) -> Vec<Digest> {
        let kept = self.iter().filter_map(|content| match content {
            Content::Kept(salt, entry) => Some(Message::leaf(salt, entry)),
            Content::Erased(_) => None,
        });
        let mut kept = two::all(kept).into_iter();
        let leaf = |content| match content {
            Content::Kept(..) => kept.next(),
            Content::Erased(leaf) => Some(*leaf),
        };
        self.iter().filter_map(leaf).collect()
    }
}

impl Content<'_> {
    /// `leaf(salt ‖ entry)`, or the leaf that stands in an erased entry's place.
    pub fn leaf(&self) -> Digest {
        match self {
            Self::Kept(salt, entry) => Digest::leaf(&[*salt, entry]),
            Self::Erased(leaf) => **leaf,
        }
    }
}

/// With erased entries the seed must be zeros: it would give the salts of erased entries, and their
/// leaves would test guesses at what they said.
fn decode_slots(
    reader: &mut Reader<'_>,
    raw_length: usize,
    seed: &[u8; 32],
    lengths: &[u32],
) -> Result<Vec<Slot>, PayloadError> {
    let any_erased = lengths.contains(&ERASED);
    if any_erased && *seed != [0; 32] {
        return Err(PayloadError::Layout("a seed beside an erased entry"));
    }
    let salts = (!any_erased).then(|| two::salts(seed, lengths.len() as u32));
    let mut slots = Vec::with_capacity(lengths.len());
    for (position, length) in lengths.iter().enumerate() {
        if *length == ERASED {
            slots.push(Slot::Erased(Digest(reader.array()?)));
            continue;
        }
        let salt = match &salts {
            Some(salts) => salts[position],
            // The seed is gone, so each entry kept brings its own.
            None => reader.array()?,
        };
        let from = raw_length - reader.rest().len();
        reader.take(*length as usize)?;
        slots.push(Slot::Kept {
            salt,
            from,
            to: from + *length as usize,
        });
    }
    Ok(slots)
}

/// Reads the idempotency section; no bytes mean that no request came with a key.
/// Ascending and apart, so that no entry belongs to two requests.
pub fn decode_requests(bytes: &[u8], entries: u32) -> Result<Vec<KeyedRequest>, PayloadError> {
    if bytes.is_empty() {
        return Ok(Vec::new());
    }
    let mut reader = Reader::new(bytes);
    let count = reader.u32()? as usize;
    // A section that says "none" has a shorter form, which is to leave it out.
    if count == 0 || reader.rest().len() != count.saturating_mul(REQUEST_BYTES) {
        return Err(PayloadError::Layout("the idempotency section's length"));
    }
    let mut requests = Vec::with_capacity(count);
    let mut free_from = 0;
    for _ in 0..count {
        let request = KeyedRequest {
            key_hash: Digest(reader.array()?),
            body_hash: Digest(reader.array()?),
            first: reader.u32()?,
            count: reader.u32()?,
        };
        let end = request
            .first
            .checked_add(request.count)
            .filter(|end| *end <= entries);
        match end {
            Some(end) if request.first >= free_from && request.count > 0 => free_from = end,
            _ => return Err(PayloadError::Layout("a request's entries")),
        }
        requests.push(request);
    }
    Ok(requests)
}
