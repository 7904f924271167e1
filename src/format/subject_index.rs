//! The subject index of a closed segment: which entries name a subject, under its tag.
//!
//! Raw bytes (`FORMAT.md`, "Subject index"), all the close link's payload holds:
//!
//! ```text
//! seed (32) ‖ subject_count u32 ‖ per tag, ascending:
//!     tag (16) ‖ count u32 ‖ count × (entry index u64 ‖ event time i64)
//! ```
//!
//! This module does not know who a subject is, nor what an entry says.
//!
//! It serves two ends that pull apart: show a subject, or a court, that a list is all there is; and
//! tell nobody anything about the others. Sorted tags make absence provable by two neighbours;
//! salted list hashes keep the neighbours' lists hidden, and the tags themselves are outputs of a
//! VRF.

mod claim;

pub use claim::{Absent, Claim, ClaimError, Neighbour, Present};

use crate::codec::{Put, Reader, Short};
use crate::digest::two::{self, Message};
use crate::digest::{self, Digest, Salt};
use crate::ids::EntryIndex;
use crate::limits::{MAX_INDEX_RAW_BYTES, NUMBERS_END};
use crate::merkle;
use crate::merkle::partial::{self, PartialTree};
use crate::postings::Posting;
use crate::time::Timestamp;
use crate::vrf::Tag;

/// Bytes of an entry in a list.
pub const POSTING_BYTES: usize = 16;
/// Never shown: only single salts made of it are.
const SEED_BYTES: usize = 32;
/// Bytes before the first tag.
const HEAD_BYTES: usize = SEED_BYTES + 4;
/// Bytes of a tag and its count.
const ROW_BYTES: usize = 16 + 4;
// A row's place is kept in four bytes.
const _: () = assert!(MAX_INDEX_RAW_BYTES <= u32::MAX as usize);

/// A subject index, as its raw bytes and the place of each row in them.
#[derive(Clone, PartialEq, Eq)]
pub struct SubjectIndex {
    /// What is sealed. A copy in another form would take as much memory again, up to 256 MiB.
    raw: Vec<u8>,
    /// Offsets of the tags in `raw`, ascending.
    rows: Vec<u32>,
}

/// Rows or bytes that are no subject index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum IndexError {
    /// More than [`MAX_INDEX_RAW_BYTES`].
    /// Ingest rolls a segment long before that.
    #[error("a subject index is at most {MAX_INDEX_RAW_BYTES} bytes")]
    TooLong,
    /// The bytes end too early or go on.
    #[error("the subject index does not end where it should")]
    Length,
    /// Tags that do not ascend, or one given twice.
    /// One given twice could be shown with either list.
    #[error("the subject index's tags do not ascend")]
    Tags,
    /// A list that is none.
    /// An empty list is none: absence has its own proof.
    #[error("a list in the subject index is empty, does not ascend, or is out of bounds")]
    List,
}

impl From<Short> for IndexError {
    fn from(_: Short) -> Self {
        Self::Length
    }
}

/// A row, borrowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row<'a> {
    /// Position among the tags.
    /// The leaf's index in the tree, and the salt's.
    pub position: u32,
    /// The tag.
    pub tag: Tag,
    /// The list's bytes.
    pub list: &'a [u8],
}

impl SubjectIndex {
    /// Makes an index of rows in any order; each list ascends. `seed` is random.
    ///
    /// Rows are taken by value: they are let go before the bytes are read again, to hold one copy
    /// at a time. Reading them again checks what was built by the rules of every reader.
    pub fn build<L>(seed: &[u8; 32], rows: Vec<(Tag, L)>) -> Result<Self, IndexError>
    where
        L: IntoIterator<Item = Posting, IntoIter: ExactSizeIterator>,
    {
        let rows = rows.into_iter().map(|(tag, list)| (tag, list.into_iter()));
        let mut rows: Vec<(Tag, L::IntoIter)> = rows.collect();
        rows.sort_unstable_by_key(|(tag, _)| *tag);
        let postings: usize = rows.iter().map(|(_, list)| list.len()).sum();
        let length = HEAD_BYTES + rows.len() * ROW_BYTES + postings * POSTING_BYTES;
        if length > MAX_INDEX_RAW_BYTES {
            return Err(IndexError::TooLong);
        }
        let mut raw = Vec::with_capacity(length);
        raw.put(seed).put_u32(count_u32(rows.len())?);
        for (tag, list) in rows {
            raw.put(&tag).put_u32(count_u32(list.len())?);
            for (entry, time) in list {
                raw.put_u64(entry).put_i64(time.0);
            }
        }
        Self::decode(raw)
    }

    /// Reads raw bytes, to the last one.
    /// Checks the form of every row, so that later looks cannot fail; the root is the close link's.
    pub fn decode(raw: Vec<u8>) -> Result<Self, IndexError> {
        if raw.len() > MAX_INDEX_RAW_BYTES {
            return Err(IndexError::TooLong);
        }
        let mut reader = Reader::new(&raw);
        reader.take(SEED_BYTES)?;
        let count = reader.u32()? as usize;
        // A row has at least one posting. Before memory is taken for `count` rows.
        if count > reader.rest().len() / (ROW_BYTES + POSTING_BYTES) {
            return Err(IndexError::Length);
        }
        let mut rows = Vec::with_capacity(count);
        let mut last: Option<Tag> = None;
        for _ in 0..count {
            rows.push(count_u32(raw.len() - reader.rest().len())?);
            let tag: Tag = reader.array()?;
            if last.is_some_and(|last| last >= tag) {
                return Err(IndexError::Tags);
            }
            last = Some(tag);
            let bytes = (reader.u32()? as usize).checked_mul(POSTING_BYTES);
            if postings(reader.take(bytes.ok_or(IndexError::Length)?)?).is_none() {
                return Err(IndexError::List);
            }
        }
        if !reader.is_empty() {
            return Err(IndexError::Length);
        }
        Ok(Self { raw, rows })
    }

    /// The raw bytes, for sealing.
    pub fn raw(&self) -> &[u8] {
        &self.raw
    }

    /// Distinct tags.
    pub fn subject_count(&self) -> u32 {
        // As many as were read from four bytes.
        self.rows.len() as u32
    }

    /// All rows, by tag.
    pub fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        (0..self.rows.len()).filter_map(|position| self.row(position))
    }

    /// The tree's leaves; three hashes each.
    pub fn leaves(&self) -> Vec<Digest> {
        let salts = two::salts(&self.seed(), self.subject_count());
        let salted = self.rows().zip(&salts);
        let lists = two::all(salted.map(|(row, salt)| Message::salted(salt, row.list)));
        let listed = self.rows().zip(&lists);
        two::all(listed.map(|(row, list)| Message::leaf(&row.tag, &list.0)))
    }

    /// `subjects_root`.
    pub fn root(&self) -> Digest {
        merkle::root(&self.leaves())
    }

    /// What the index says of a tag.
    /// By bisection over the raw bytes.
    pub fn find(&self, tag: &Tag) -> Claim {
        let tag_at = |row: u32| self.raw.get(row as usize..row as usize + 16);
        let at = self
            .rows
            .partition_point(|row| tag_at(*row) < Some(&tag[..]));
        match self.row(at) {
            Some(row) if row.tag == *tag => Claim::Present(Present {
                position: u64::from(row.position),
                salt: self.salt(&row),
                list: row.list.to_vec(),
            }),
            right => Claim::Absent(Absent {
                left: at
                    .checked_sub(1)
                    .and_then(|at| self.row(at))
                    .map(|row| self.neighbour(&row)),
                right: right.map(|row| self.neighbour(&row)),
            }),
        }
    }

    /// What the index says of a tag, and the partial tree that proves it.
    /// Makes all leaves; a bundle asks once for each segment.
    pub fn prove(&self, tag: &Tag) -> (Claim, PartialTree) {
        let claim = self.find(tag);
        let known: Vec<u64> = claim.leaves(tag).iter().map(|(at, _)| *at).collect();
        (claim, partial::build(&self.leaves(), &known))
    }

    /// A row ends where the next begins.
    fn row(&self, position: usize) -> Option<Row<'_>> {
        let start = *self.rows.get(position)? as usize;
        let end = match self.rows.get(position + 1) {
            Some(end) => *end as usize,
            None => self.raw.len(),
        };
        let (tag, rest) = self.raw.get(start..end)?.split_first_chunk::<16>()?;
        Some(Row {
            position: position as u32,
            tag: *tag,
            list: rest.get(4..)?,
        })
    }

    fn seed(&self) -> [u8; SEED_BYTES] {
        let mut seed = [0; SEED_BYTES];
        seed.copy_from_slice(&self.raw[..SEED_BYTES]);
        seed
    }

    fn salt(&self, row: &Row<'_>) -> Salt {
        digest::salt(&self.seed(), row.position)
    }

    /// With its salt: without it, a list of one entry could be guessed from a neighbour's hash.
    fn list_digest(&self, row: &Row<'_>) -> Digest {
        Digest::of(&[&self.salt(row), row.list])
    }

    fn neighbour(&self, row: &Row<'_>) -> Neighbour {
        Neighbour {
            position: u64::from(row.position),
            tag: row.tag,
            digest: self.list_digest(row),
        }
    }
}

/// `leaf_j = leaf(tag_j ‖ H(salt_j ‖ list_j))`
fn leaf(tag: &Tag, list_digest: &Digest) -> Digest {
    Digest::leaf(&[tag, &list_digest.0])
}

/// Reads a list; `None` if it is empty, does not ascend, or an index is not below 2^53.
///
/// Strictly ascending, so an entry stands once in a list. The times are checked by whoever knows
/// the segment's.
pub fn postings(list: &[u8]) -> Option<impl ExactSizeIterator<Item = Posting>> {
    let (chunks, rest) = list.as_chunks::<POSTING_BYTES>();
    let ascends = chunks
        .windows(2)
        .all(|pair| entry_of(&pair[0]) < entry_of(&pair[1]));
    let below_end = entry_of(chunks.last()?) < NUMBERS_END;
    (rest.is_empty() && ascends && below_end).then(|| chunks.iter().map(posting))
}

fn posting(chunk: &[u8; POSTING_BYTES]) -> Posting {
    let [_, _, _, _, _, _, _, _, time @ ..] = *chunk;
    (entry_of(chunk), Timestamp(i64::from_be_bytes(time)))
}

/// By pattern, so that no bound is checked for each of millions.
fn entry_of(chunk: &[u8; POSTING_BYTES]) -> EntryIndex {
    let [a, b, c, d, e, f, g, h, ..] = *chunk;
    u64::from_be_bytes([a, b, c, d, e, f, g, h])
}

fn count_u32(count: usize) -> Result<u32, IndexError> {
    u32::try_from(count).map_err(|_| IndexError::TooLong)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn tag_of(byte: u8) -> Tag {
        [byte; 16]
    }

    fn sample() -> impl Strategy<Value = BTreeMap<u8, Vec<Posting>>> {
        let list = proptest::collection::btree_map(0..NUMBERS_END, any::<i64>(), 1..5);
        let list = list.prop_map(|list| list.into_iter().map(|(e, t)| (e, Timestamp(t))).collect());
        proptest::collection::btree_map(any::<u8>(), list, 0..12)
    }

    fn index(rows: &BTreeMap<u8, Vec<Posting>>) -> SubjectIndex {
        let rows = rows
            .iter()
            .rev()
            .map(|(byte, list)| (tag_of(*byte), list.clone()));
        SubjectIndex::build(&[9; 32], rows.collect()).unwrap_or_else(|_| unreachable!())
    }

    proptest! {
        #[test]
        fn every_claim_holds_and_only_for_its_tag(rows in sample(), byte in any::<u8>(), other in any::<u8>()) {
            let index = index(&rows);
            let (root, count) = (index.root(), index.subject_count());
            let (claim, tree) = index.prove(&tag_of(byte));
            let list = claim.check(&tag_of(byte), count, &root, &tree);
            let found: Option<Vec<Posting>> = list.ok().flatten().and_then(postings).map(Iterator::collect);
            prop_assert!(list.is_ok());
            prop_assert_eq!(found.as_ref(), rows.get(&byte));
            if rows.contains_key(&byte) != rows.contains_key(&other) || (byte != other && rows.contains_key(&byte)) {
                prop_assert!(claim.check(&tag_of(other), count, &root, &tree).is_err());
            }
            prop_assert!(claim.check(&tag_of(byte), count + 1, &root, &tree).is_err());
        }

        #[test]
        fn raw_bytes_have_one_reading(rows in sample(), at in any::<prop::sample::Index>(), bit in 0_u8..8) {
            let index = index(&rows);
            let mut raw = index.raw().to_vec();
            prop_assert_eq!(SubjectIndex::decode(raw.clone()).map(|index| index.root()), Ok(index.root()));
            let end = at.index(raw.len());
            prop_assert!(SubjectIndex::decode(raw[..end].to_vec()).is_err());
            raw[end] ^= 1 << bit;
            // Whatever still reads has another seed, tag or list, so another root.
            if let Ok(changed) = SubjectIndex::decode(raw.clone()) {
                prop_assert!(changed.root() != index.root() || rows.is_empty());
            }
            raw.push(0);
            prop_assert!(SubjectIndex::decode(raw).is_err());
        }
    }

    #[test]
    fn rows_that_are_no_index() {
        let posting = |entry| (entry, Timestamp(0));
        let build = |rows: Vec<(Tag, Vec<Posting>)>| SubjectIndex::build(&[0; 32], rows).err();
        assert_eq!(build(vec![]), None);
        let twice = vec![(tag_of(1), vec![posting(1)]), (tag_of(1), vec![posting(2)])];
        assert_eq!(build(twice), Some(IndexError::Tags));
        for list in [
            vec![],
            vec![posting(1), posting(1)],
            vec![posting(NUMBERS_END)],
        ] {
            assert!(build(vec![(tag_of(1), list)]).is_some());
        }
    }
}
