//! Reading one segment, frame by frame, and telling a torn tail from an alteration.
//!
//! The one reader of segments: recovery decides by it what to keep, the indexer what to take in,
//! `verify` what to report. It has no opinion of its own about trust: it says what is there, and
//! each caller says what that means.

use std::io;

use crate::chain::{Body, Chain, Flaw, Link, check_neighbours};
use crate::format::frame::{Damage, Found, Frame, ReadAt, find_frame, read_frame};
use crate::format::header::{Header, HeaderError};
use crate::limits::MAX_HEADER_BYTES;
use crate::sequencer::Sequencer;
use crate::time::Timestamp;

/// Where a scan ended.
#[derive(Debug)]
pub enum ScanEnd {
    /// At a close link, with this many bytes behind it.
    Closed {
        /// Where the close link's frame ends.
        end: u64,
        /// Bytes behind it, of which there must be none.
        behind: u64,
    },
    /// At the end of the file, without a close link.
    /// An active segment, or one whose end was cut off at a frame's border; only the checkpoint
    /// tells which.
    Open {
        /// Length of the file.
        end: u64,
    },
    /// At bytes that are no whole frame.
    /// Whether that is a torn tail is `torn_tail`'s to say, and only of the last segment.
    Damaged(Place),
    /// At a whole frame that does not follow the one before.
    /// Its payload is as its link says: no crash writes such a frame.
    Broken {
        /// Where the frame begins.
        offset: u64,
        /// What does not fit.
        flaw: Flaw,
    },
}

/// A place of damage.
#[derive(Debug)]
pub struct Place {
    /// Where the damage begins; also the end of the whole frames before it.
    pub offset: u64,
    /// What is wrong.
    pub damage: Damage,
    /// The link there, if it can still be read.
    pub link: Option<Box<Link>>,
}

impl Place {
    /// A header that cannot be read.
    pub fn of_header() -> Self {
        Self {
            offset: 0,
            damage: Damage::Marker,
            link: None,
        }
    }
}

/// What damage at the end of the last segment is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Torn {
    /// The sync that was being written when the machine stopped; nothing acknowledged is hurt.
    Tail,
    /// An alteration.
    /// With the condition that does not hold, as a clause for a finding.
    No(&'static str),
}

/// Reads a segment's header.
/// An `io::Error` means that nothing was seen; a [`HeaderError`], that what was seen is no header.
pub fn read_header<R: ReadAt + ?Sized>(
    file: &R,
    key_part: Option<&[u8]>,
) -> io::Result<Result<Header, HeaderError>> {
    let mut bytes = vec![0; file.length()?.min(MAX_HEADER_BYTES as u64) as usize];
    file.read_exact_at(0, &mut bytes)?;
    Ok(Header::decode(&bytes, key_part))
}

/// Checks that a header says what the chain before it asks for.
///
/// `created_at` is not compared: no link says when its segment was begun. The key part has its own
/// digest, and may change.
pub fn check_header(header: &Header, chain: &Chain) -> Result<(), Flaw> {
    let fixed = &header.fixed;
    let pairs = [
        (
            "header: log id",
            chain.log_id.to_string(),
            fixed.log_id().to_string(),
        ),
        (
            "header: segment",
            chain.segment.to_string(),
            fixed.segment.to_string(),
        ),
        (
            "header: first_link",
            chain.next_link.to_string(),
            fixed.first_link.to_string(),
        ),
        (
            "header: first_entry",
            chain.next_entry.to_string(),
            fixed.first_entry.to_string(),
        ),
        (
            "header: previous",
            chain.head.to_string(),
            fixed.previous.to_string(),
        ),
    ];
    match pairs
        .into_iter()
        .find(|(_, expected, found)| expected != found)
    {
        Some((what, expected, found)) => Err(Flaw {
            what,
            expected,
            found,
        }),
        None => Ok(()),
    }
}

/// Reads frames from behind the header on, takes each into `sequencer`, and shows it to
/// `visit`. With `payloads` false, payloads are neither read nor checked.
///
/// A link is accepted before it is shown, so `sequencer` stands behind the frame that `visit` gets.
/// A visitor's error ends the scan, and is given back.
pub fn scan<R: ReadAt + ?Sized>(
    file: &R,
    header: &Header,
    sequencer: &mut Sequencer,
    payloads: bool,
    mut visit: impl FnMut(Frame, &Sequencer) -> io::Result<()>,
) -> io::Result<ScanEnd> {
    let log_id = sequencer.chain.log_id;
    let mut offset = header.length as u64;
    loop {
        let frame = match read_frame(file, offset, &log_id, payloads)? {
            Found::Frame(frame) => frame,
            Found::End => return Ok(ScanEnd::Open { end: offset }),
            Found::Damage(damage, link) => {
                return Ok(ScanEnd::Damaged(Place {
                    offset,
                    damage,
                    link,
                }));
            }
        };
        if let Err(flaw) = accept(sequencer, &frame, header) {
            return Ok(ScanEnd::Broken { offset, flaw });
        }
        offset = frame.end();
        let closes = matches!(frame.link.body, Body::Close(_));
        visit(*frame, sequencer)?;
        if closes {
            return Ok(ScanEnd::Closed {
                end: offset,
                behind: file.length()? - offset,
            });
        }
    }
}

/// The header's digest comes first: it is known only to a close link, and the chain does not know
/// headers.
fn accept(sequencer: &mut Sequencer, frame: &Frame, header: &Header) -> Result<(), Flaw> {
    header_flaw(&frame.link, header).map_or(Ok(()), Err)?;
    sequencer.accept(&frame.link, &frame.link_bytes)
}

/// What a close link says otherwise of its segment's header.
///
/// This is what makes the header's fixed part part of the history: changing a closed segment's
/// origin or numbers shows here.
pub(super) fn header_flaw(link: &Link, header: &Header) -> Option<Flaw> {
    match &link.body {
        Body::Close(body) if body.header_digest != header.digest => Some(Flaw {
            what: "header_digest",
            expected: header.digest.to_string(),
            found: body.header_digest.to_string(),
        }),
        _ => None,
    }
}

/// Whether damage in the last segment, in the place of the link that `chain` asks for next, is a
/// torn tail (FORMAT.md, "Segment file"). `checkpoint_size` is that of the newest checkpoint, 0
/// if there is none.
///
/// The rule is as narrow as it can be: a sync writes its frames in order, nothing follows before it
/// has returned, and a crash may leave any mixture of its bytes, in any order. So whatever is whole
/// behind the damage must be of that one sync. Anything wider would let an attacker erase what was
/// acknowledged and call it a crash.
pub fn torn_tail<R: ReadAt + ?Sized>(
    file: &R,
    place: &Place,
    chain: &Chain,
    checkpoint_size: u64,
) -> io::Result<Torn> {
    if checkpoint_size > chain.next_link {
        return Ok(Torn::No("the checkpoint covers a link from here on"));
    }
    // The damaged frame's own word first, then that of every whole frame behind it: all must say
    // the same sync.
    let mut sync = readable_sync(place, chain);
    let mut offset = place.offset;
    while let Some(frame) = find_frame(file, offset, &chain.log_id)? {
        let found = sync_of(&frame.link);
        if *sync.get_or_insert(found) != found {
            return Ok(Torn::No("whole frames of another sync stand behind it"));
        }
        offset = frame.end() - 1;
    }
    Ok(match sync {
        Some((begins, committed_at)) => fits(chain, begins, committed_at),
        // Nothing can be read any more, and nothing under the checkpoint is touched.
        None => Torn::Tail,
    })
}

/// The sync of a link: the number of its first link, and its time.
fn sync_of(link: &Link) -> (u64, Timestamp) {
    let head = &link.head;
    (
        head.number.saturating_sub(u64::from(head.sync_position)),
        head.committed_at,
    )
}

/// The sync of the damaged frame's own link, if that can still be read: its bytes 0–65 are as
/// they must be, and its payload's length is its frame's.
/// Otherwise the bytes may be anything, and their word for a sync is worth nothing.
fn readable_sync(place: &Place, chain: &Chain) -> Option<(u64, Timestamp)> {
    let link = place.link.as_ref()?;
    let head = &link.head;
    let as_it_must_be = head.log_id == chain.log_id
        && head.number == chain.next_link
        && head.segment == chain.segment
        && head.previous == chain.head
        && place.damage != Damage::Length;
    as_it_must_be.then(|| sync_of(link))
}

/// A sync that begins behind the damage shows that what is damaged was synced before it:
/// acknowledged, so no crash may have hurt it.
fn fits(chain: &Chain, begins: u64, committed_at: Timestamp) -> Torn {
    if begins > chain.next_link {
        return Torn::No("the sync behind it begins later: what is damaged was acknowledged");
    }
    let position = chain.next_link - begins;
    let position = u32::try_from(position).unwrap_or(u32::MAX);
    match chain.last_sync {
        None if position == 0 => Torn::Tail,
        Some(last) if check_neighbours(last, (committed_at, position)).is_ok() => Torn::Tail,
        _ => Torn::No("the sync behind it does not follow the link before"),
    }
}
