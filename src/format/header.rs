//! The header of a segment file: the fixed part, which the close link's `header_digest`
//! covers, and the key part, which a new KEK may change.
//!
//! A header binds a file to its place before its first frame is read: log, number, and the link
//! before. Its digests are no signatures; against whoever writes the file anew, they hold only as
//! far as the close link states the fixed part's, and the KEK authenticates the wrapped DEK.

use crate::codec::{Put, Reader, Short};
use crate::digest::{Digest, log_id};
use crate::envelope::{
    Dek, Kek, KekError, NONCE_BYTES, Nonce, Unauthentic, WRAPPED_BYTES, Wrapped,
};
use crate::ids::{EntryIndex, KekId, LinkNumber, LogId, Origin, SegmentNumber};
use crate::limits::{MAX_HEADER_BYTES, NUMBERS_END};
use crate::time::Timestamp;

/// First bytes of every segment file.
pub const MAGIC: &[u8; 8] = b"ESTRSEG1";
/// The fixed part without the origin.
/// In byte order.
pub const FIXED_BYTES: usize = 8 + 4 + 16 + 8 + 8 + 8 + 32 + 8 + 2;
/// The key part: KEK id, wrap nonce, wrapped DEK, digest of all before.
pub const KEY_PART_BYTES: usize = 16 + NONCE_BYTES + WRAPPED_BYTES + 32;
const _: () = assert!(FIXED_BYTES == 94 && KEY_PART_BYTES == 108);

/// The fixed part of a header.
/// Never changed once the file is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fixed {
    /// The segment's number.
    pub segment: SegmentNumber,
    /// Number of its first link.
    pub first_link: LinkNumber,
    /// Index of its first entry.
    pub first_entry: EntryIndex,
    /// `previous` of its first link.
    pub previous: Digest,
    /// When the segment was begun.
    /// By the clock; what a segment's age is counted from. No rule compares it.
    pub created_at: Timestamp,
    /// The log's origin.
    /// Whole, so that a lone file says whose it is; the log id is its hash.
    pub origin: Origin,
}

/// A header, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// The fixed part.
    pub fixed: Fixed,
    /// The wrapped DEK.
    /// From the `.key` file while there is one.
    pub wrapped: Wrapped,
    /// Hash of the fixed part's bytes.
    /// What the close link's `header_digest` must be.
    pub digest: Digest,
    /// Length of the whole header in the file.
    /// Where the first frame begins.
    pub length: usize,
}

/// Bytes that are no header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum HeaderError {
    /// The file ends within it.
    #[error("the file ends within its header")]
    Short,
    /// No segment file.
    #[error("the file does not begin with ESTRSEG1")]
    Magic,
    /// A length that does not fit.
    /// Also an origin that is none.
    #[error("the header's length or origin is not as it must be")]
    Length,
    /// The log id is not the origin's.
    #[error("the log id is not the hash of the origin")]
    LogId,
    /// Changed bytes.
    /// Of the key part, and with it of everything before.
    #[error("the header's digest does not fit its bytes")]
    Digest,
}

impl From<Short> for HeaderError {
    fn from(_: Short) -> Self {
        Self::Short
    }
}

/// A segment file's name: 20 decimal digits and `.seg`.
pub fn segment_name(number: SegmentNumber) -> String {
    format!("{number:020}.seg")
}

/// The number of the segment that a file of this name holds; `None` for any other name.
/// Strict, so that a number has one file: leading zeros are part of the name.
pub fn segment_number(name: &str) -> Option<SegmentNumber> {
    let digits = name
        .strip_suffix(".seg")
        .filter(|digits| digits.len() == 20)?;
    let number = digits
        .bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| digits.parse().ok())??;
    // A segment has a link, and link numbers stay below.
    (number < NUMBERS_END).then_some(number)
}

impl Fixed {
    /// The log's id.
    pub fn log_id(&self) -> LogId {
        log_id(&self.origin)
    }

    /// The bytes of the fixed part.
    ///
    /// Also the additional data under which the DEK is wrapped, so that a wrapped DEK opens in its
    /// own header only.
    pub fn encode(&self) -> Vec<u8> {
        let origin = self.origin.as_str().as_bytes();
        let mut out = Vec::with_capacity(FIXED_BYTES + origin.len());
        out.put(MAGIC)
            .put_u32((FIXED_BYTES + origin.len() + KEY_PART_BYTES) as u32)
            .put(&self.log_id().0)
            .put_u64(self.segment)
            .put_u64(self.first_link)
            .put_u64(self.first_entry)
            .put(&self.previous.0)
            .put_i64(self.created_at.0)
            .put_u16(origin.len() as u16)
            .put(origin);
        out
    }

    /// The whole header, the DEK wrapped under `kek` with a new random nonce.
    /// The error is that of a failed encryption, which does not happen with bounded input.
    pub fn seal(&self, kek: &Kek, dek: &Dek, nonce: Nonce) -> Result<Vec<u8>, Unauthentic> {
        let mut out = self.encode();
        let wrapped = kek.wrap(dek.expose(), &out, nonce)?;
        out.put(&wrapped.kek_id.0)
            .put(&wrapped.nonce)
            .put(&wrapped.bytes);
        let digest = Digest::of(&[&out]);
        out.put(&digest.0);
        Ok(out)
    }
}

impl Header {
    /// Reads the header at the start of `bytes`, which may go on behind it.
    /// `key_part` is the content of a `.key` file, preferred while it is there.
    ///
    /// A `.key` file's digest is over this file's fixed part: one that belongs to another segment
    /// does not fit.
    pub fn decode(bytes: &[u8], key_part: Option<&[u8]>) -> Result<Self, HeaderError> {
        let mut reader = Reader::new(bytes);
        if reader.take(MAGIC.len())? != MAGIC {
            return Err(HeaderError::Magic);
        }
        let length = reader.u32()? as usize;
        // Before anything is read by it.
        if !(FIXED_BYTES + KEY_PART_BYTES..=MAX_HEADER_BYTES).contains(&length) {
            return Err(HeaderError::Length);
        }
        let whole = bytes.get(..length).ok_or(HeaderError::Short)?;
        let (fixed_bytes, own_key_part) = whole.split_at(length - KEY_PART_BYTES);
        let log_id = LogId(reader.array()?);
        let fixed = decode_fixed(&mut reader, fixed_bytes.len())?;
        if fixed.log_id() != log_id {
            return Err(HeaderError::LogId);
        }
        let wrapped = decode_key_part(fixed_bytes, key_part.unwrap_or(own_key_part))?;
        Ok(Self {
            fixed,
            wrapped,
            digest: Digest::of(&[fixed_bytes]),
            length,
        })
    }

    /// Unwraps the segment's DEK.
    /// [`KekError::AnotherKek`] says which KEK is wanted; the others, that bytes were changed.
    pub fn dek(&self, kek: &Kek) -> Result<Dek, KekError> {
        kek.unwrap(&self.wrapped, &self.fixed.encode())
            .map(Dek::from_bytes)
    }
}

/// The origin's length must fill the fixed part exactly.
fn decode_fixed(reader: &mut Reader<'_>, fixed_bytes: usize) -> Result<Fixed, HeaderError> {
    let segment = reader.u64()?;
    let first_link = reader.u64()?;
    let first_entry = reader.u64()?;
    let previous = Digest(reader.array()?);
    let created_at = Timestamp(reader.i64()?);
    let origin_bytes = reader.u16()? as usize;
    if FIXED_BYTES + origin_bytes != fixed_bytes {
        return Err(HeaderError::Length);
    }
    let origin =
        std::str::from_utf8(reader.take(origin_bytes)?).map_err(|_| HeaderError::Length)?;
    let origin = Origin::new(origin).map_err(|_| HeaderError::Length)?;
    Ok(Fixed {
        segment,
        first_link,
        first_entry,
        previous,
        created_at,
        origin,
    })
}

/// Checked to its last byte: nothing may follow.
fn decode_key_part(fixed_bytes: &[u8], key_part: &[u8]) -> Result<Wrapped, HeaderError> {
    let mut reader = Reader::new(key_part);
    let wrapped = Wrapped {
        kek_id: KekId(reader.array()?),
        nonce: reader.array()?,
        bytes: reader.array()?,
    };
    let digest = Digest(reader.array()?);
    let covered = key_part
        .get(..KEY_PART_BYTES - 32)
        .ok_or(HeaderError::Short)?;
    if !reader.is_empty() || digest != Digest::of(&[fixed_bytes, covered]) {
        return Err(HeaderError::Digest);
    }
    Ok(wrapped)
}
