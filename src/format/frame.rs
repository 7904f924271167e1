//! Frames: a link and its payload, as they stand in a segment file.
//!
//! Frames have no checksum of their own: the link is checked by the chain and the payload by the
//! link. The marker is only there to be found, behind damage; a payload may hold the same four
//! bytes, so what it points at must be a whole frame to count.

use std::cell::RefCell;
use std::io;

use crate::chain::{BATCH_LINK_BYTES, Body, CLOSE_LINK_BYTES, HEAD_BYTES, Link, LinkError};
use crate::codec::Put;
use crate::digest::two::{self, Message};
use crate::digest::{Digest, Hasher};
use crate::ids::LogId;
use crate::limits::{MAX_INDEX_PAYLOAD_BYTES, MAX_PAYLOAD_BYTES};

/// First bytes of every frame.
pub const MARKER: &[u8; 4] = b"LINK";
/// Marker, link length, payload length.
pub const FRAME_HEAD_BYTES: usize = 4 + 2 + 4;

/// Bytes that can be read at any place: a file, or a slice in tests.
pub trait ReadAt {
    /// Number of bytes.
    /// Of a file that grows, as it is now or was when opened; each kind of file says which.
    fn length(&self) -> io::Result<u64>;
    /// Fills `out` from `offset` on; an error if the bytes end before.
    /// From any thread, at any number of places at once.
    fn read_exact_at(&self, offset: u64, out: &mut [u8]) -> io::Result<()>;
}

impl ReadAt for [u8] {
    fn length(&self) -> io::Result<u64> {
        Ok(self.len() as u64)
    }

    fn read_exact_at(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let from = usize::try_from(offset).unwrap_or(usize::MAX);
        let source = self.get(from..).and_then(|rest| rest.get(..out.len()));
        out.copy_from_slice(source.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

/// A whole frame: its link parses, is of the log, and its payload has the link's digest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// Where the frame begins in its file.
    pub offset: u64,
    /// The link.
    /// What `link_bytes` say.
    pub link: Link,
    /// The link's bytes.
    pub link_bytes: Vec<u8>,
    /// The payload's length in the file.
    /// The stored one, which for a batch or close link is the link's own.
    pub payload_length: usize,
    /// The payload; empty if it was not asked for.
    pub payload: Vec<u8>,
}

/// Why the bytes at an offset are no whole frame.
/// What a crash leaves and what somebody changes look the same here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// Not the marker.
    #[error("no frame marker")]
    Marker,
    /// The file ends within the frame.
    /// By the file's length, or by the link's own statement of the payload's.
    #[error("the file ends within the frame")]
    Short,
    /// The link does not parse.
    #[error("no link: {0}")]
    Link(#[from] LinkError),
    /// The link is another log's.
    /// A frame copied from another log.
    #[error("the link is of another log")]
    LogId,
    /// The stored length is not the link's.
    #[error("the payload's length is not the link's")]
    Length,
    /// The payload was changed.
    /// The link is as it was, as far as it can be read.
    #[error("the payload's digest is not the link's")]
    Digest,
}

/// What stands at an offset.
#[derive(Debug)]
pub enum Found {
    /// A whole frame; the next begins behind it.
    Frame(Box<Frame>),
    /// No whole frame, and the link, if it can still be read.
    /// That link is a hint: nothing has checked it but its form.
    Damage(Damage, Option<Box<Link>>),
    /// The end of the file.
    End,
}

impl Frame {
    /// Where the payload begins.
    /// From the start of the file.
    pub fn payload_offset(&self) -> u64 {
        self.offset + (FRAME_HEAD_BYTES + self.link_bytes.len()) as u64
    }

    /// Whether the link asks for a payload of this digest. A reserved kind says nothing of its own.
    pub fn fits(&self, payload: &Digest) -> bool {
        let expected = self.link.payload();
        expected.is_none_or(|(_, digest)| digest == *payload)
    }

    /// Where the next frame begins.
    pub fn end(&self) -> u64 {
        self.payload_offset() + self.payload_length as u64
    }
}

/// Appends a frame.
pub fn put_frame(out: &mut Vec<u8>, link: &[u8], payload: &[u8]) {
    put_frame_head(out, link, payload.len());
    out.put(payload);
}

/// Appends a frame's head and link; the payload follows.
/// For a payload that is written from where it is, without a copy.
pub fn put_frame_head(out: &mut Vec<u8>, link: &[u8], payload_bytes: usize) {
    out.put(MARKER)
        .put_u16(link.len() as u16)
        .put_u32(payload_bytes as u32)
        .put(link);
}

/// Reads what stands at `offset`. With `payloads` false the payload is neither read nor
/// checked (its length is): for readers of links alone.
///
/// Lengths are looked at before memory is taken: the link's by its two bytes, the payload's by its
/// kind's bound and by what the file has. An error is the device's alone.
pub fn read_frame<R: ReadAt + ?Sized>(
    file: &R,
    offset: u64,
    log_id: &LogId,
    payloads: bool,
) -> io::Result<Found> {
    let left = file.length()?.saturating_sub(offset);
    if left == 0 {
        return Ok(Found::End);
    }
    if left < FRAME_HEAD_BYTES as u64 {
        return Ok(Found::Damage(Damage::Short, None));
    }
    // Head and link in one read: a link of the longest kind, or what there is.
    // One read where two would do: most of the cost of a short read is the call.
    let mut first = [0; FRAME_HEAD_BYTES + CLOSE_LINK_BYTES];
    let there = usize::try_from(left).map_or(first.len(), |left| left.min(first.len()));
    let first = &mut first[..there];
    file.read_exact_at(offset, first)?;
    let [m0, m1, m2, m3, l0, l1, p0, p1, p2, p3, rest @ ..] = &*first else {
        return Ok(Found::Damage(Damage::Short, None));
    };
    if &[*m0, *m1, *m2, *m3] != MARKER {
        return Ok(Found::Damage(Damage::Marker, None));
    }
    let link_length = usize::from(u16::from_be_bytes([*l0, *l1]));
    let payload_length = u32::from_be_bytes([*p0, *p1, *p2, *p3]) as usize;
    if left < (FRAME_HEAD_BYTES + link_length) as u64 {
        return Ok(Found::Damage(Damage::Short, None));
    }
    let link_bytes = match rest.get(..link_length) {
        Some(link) => link.to_vec(),
        // Longer than a close link: a reserved kind, or damage.
        None => {
            let mut link = vec![0; link_length];
            file.read_exact_at(offset + FRAME_HEAD_BYTES as u64, &mut link)?;
            link
        }
    };
    let link = match check_link(&link_bytes, payload_length, log_id) {
        Ok(link) => link,
        Err((damage, link)) => return Ok(Found::Damage(damage, link)),
    };
    // The link can be read, so damage here still says which sync it was of.
    if left < (FRAME_HEAD_BYTES + link_length + payload_length) as u64 {
        return Ok(Found::Damage(Damage::Short, Some(Box::new(link))));
    }
    let mut frame = Frame {
        offset,
        link,
        link_bytes,
        payload_length,
        payload: Vec::new(),
    };
    if payloads {
        match read_payload(file, &frame)? {
            Some(payload) => frame.payload = payload,
            None => {
                let link = Some(Box::new(frame.link));
                return Ok(Found::Damage(Damage::Digest, link));
            }
        }
    }
    Ok(Found::Frame(Box::new(frame)))
}

/// Reads a frame's payload; `None` if it has not the link's digest.
/// For whoever has listed frames without their payloads.
pub fn read_payload<R: ReadAt + ?Sized>(file: &R, frame: &Frame) -> io::Result<Option<Vec<u8>>> {
    let mut payload = vec![0; frame.payload_length];
    file.read_exact_at(frame.payload_offset(), &mut payload)?;
    Ok(frame.fits(&Digest::of(&[&payload])).then_some(payload))
}

thread_local! {
    /// For the payloads of two batches, or a piece of a longer one. Kept from frame to frame: to
    /// make it anew costs as much as to fill it.
    static BUFFER: RefCell<Vec<u8>> = RefCell::new(vec![0; 2 * PIECE]);
}
/// Small enough to be hashed while it is in the core's own cache; most batches are smaller.
const PIECE: usize = 128 << 10;

/// The digests of frames' payloads, without keeping them: of two that are short at once, of all
/// others one by one.
pub fn payload_digests<R: ReadAt + ?Sized>(
    file: &R,
    frames: &[Box<Frame>],
) -> io::Result<Vec<Digest>> {
    match frames {
        [one, other] if one.payload_length.max(other.payload_length) <= PIECE => {
            short_payload_digests(file, one, other)
        }
        _ => frames
            .iter()
            .map(|frame| payload_digest(file, frame))
            .collect(),
    }
}

fn short_payload_digests<R: ReadAt + ?Sized>(
    file: &R,
    one: &Frame,
    other: &Frame,
) -> io::Result<Vec<Digest>> {
    BUFFER.with_borrow_mut(|buffer| {
        let (first, rest) = buffer.split_at_mut(one.payload_length);
        let second = &mut rest[..other.payload_length];
        file.read_exact_at(one.payload_offset(), first)?;
        file.read_exact_at(other.payload_offset(), second)?;
        let both = [&*first, &*second].map(Message::new);
        Ok(two::all(both.into_iter()))
    })
}

/// The digest of a frame's payload.
/// A payload can have 258 MiB; only a piece of it is ever in memory.
fn payload_digest<R: ReadAt + ?Sized>(file: &R, frame: &Frame) -> io::Result<Digest> {
    BUFFER.with_borrow_mut(|buffer| {
        let piece = &mut buffer[..PIECE];
        let mut hasher = Hasher::default();
        let mut done = 0;
        while done < frame.payload_length {
            let part = PIECE.min(frame.payload_length - done);
            file.read_exact_at(frame.payload_offset() + done as u64, &mut piece[..part])?;
            hasher.update(&piece[..part]);
            done += part;
        }
        Ok(hasher.finish())
    })
}

/// The first whole frame that begins behind `offset`, wherever it is.
///
/// A marker inside a payload is tried and passed over; whole frames do not begin there, since
/// nobody can put a link that fits this log and a payload with its digest into ciphertext by
/// chance.
pub fn find_frame<R: ReadAt + ?Sized>(
    file: &R,
    offset: u64,
    log_id: &LogId,
) -> io::Result<Option<Frame>> {
    let mut from = offset + 1;
    while let Some(at) = find_marker(file, from)? {
        if let Found::Frame(frame) = read_frame(file, at, log_id, true)? {
            return Ok(Some(*frame));
        }
        from = at + 1;
    }
    Ok(None)
}

/// What can be said without the payload. The link is given back with a wrong length, since the rest
/// of it may be right.
fn check_link(
    bytes: &[u8],
    payload_length: usize,
    log_id: &LogId,
) -> Result<Link, (Damage, Option<Box<Link>>)> {
    let link = Link::decode(bytes).map_err(|error| (Damage::Link(error), None))?;
    if link.head.log_id != *log_id {
        return Err((Damage::LogId, None));
    }
    let fits = match &link.body {
        Body::Batch(body) => {
            body.payload_length as usize == payload_length && payload_length <= MAX_PAYLOAD_BYTES
        }
        Body::Close(body) => {
            body.payload_length as usize == payload_length
                && payload_length <= MAX_INDEX_PAYLOAD_BYTES
        }
        Body::Reserved { .. } => payload_length <= MAX_INDEX_PAYLOAD_BYTES,
    };
    if fits {
        Ok(link)
    } else {
        Err((Damage::Length, Some(Box::new(link))))
    }
}

/// In pieces that overlap by three bytes, so that a marker across a border is found.
fn find_marker<R: ReadAt + ?Sized>(file: &R, from: u64) -> io::Result<Option<u64>> {
    const CHUNK: u64 = 1 << 20;
    let mut buffer = Vec::new();
    let mut at = from;
    let end = file.length()?;
    while at + (MARKER.len() as u64) <= end {
        buffer.resize(CHUNK.min(end - at) as usize, 0);
        file.read_exact_at(at, &mut buffer)?;
        if let Some(found) = buffer
            .windows(MARKER.len())
            .position(|window| window == MARKER)
        {
            return Ok(Some(at + found as u64));
        }
        at += buffer.len() as u64 - (MARKER.len() as u64 - 1);
    }
    Ok(None)
}

const _: () = assert!(HEAD_BYTES < BATCH_LINK_BYTES && CLOSE_LINK_BYTES <= u16::MAX as usize);
