//! Lists of the entries that name a data subject, as this process and its catalog keep them.
//!
//! Each posting is written as its difference from the one before: some five bytes in a busy log,
//! where the sealed index, whose bytes are hashed, has sixteen. There are as many postings as
//! entries, and those of active segments are all in memory.

use integer_encoding::VarInt;

use crate::ids::EntryIndex;
use crate::limits::NUMBERS_END;
use crate::time::Timestamp;

/// An entry that names a subject: its index and its event time.
pub type Posting = (EntryIndex, Timestamp);

/// Bytes of a posting at most: two varints of 64 bits.
const MAX_POSTING_BYTES: usize = 2 * 10;

/// A list that grows at its end.
///
/// Per posting: entry index as a varint, event time as a zigzag varint; both less those of the
/// posting before, the first less 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PostingList {
    bytes: Vec<u8>,
    count: u32,
    last: Posting,
}

impl Default for PostingList {
    fn default() -> Self {
        Self {
            bytes: Vec::new(),
            count: 0,
            last: START,
        }
    }
}

/// What the first posting is written as a difference from.
const START: Posting = (0, Timestamp(0));

impl PostingList {
    /// Appends a posting.
    pub fn push(&mut self, posting: Posting) {
        let (entry, time) = (posting.0, posting.1.0);
        let mut room = [0; MAX_POSTING_BYTES];
        // Wrapping: whatever numbers there are, they come back.
        let middle = entry.wrapping_sub(self.last.0).encode_var(&mut room);
        let step = time.wrapping_sub(self.last.1.0);
        let end = middle + step.encode_var(&mut room[middle..]);
        self.bytes.extend_from_slice(&room[..end]);
        self.count += 1;
        self.last = posting;
    }

    /// The postings, in order.
    pub fn iter(&self) -> Postings<'_> {
        Postings {
            rest: &self.bytes,
            left: self.count as usize,
            last: START,
        }
    }

    /// Bytes of memory that it takes beside itself.
    pub fn heap_bytes(&self) -> usize {
        self.bytes.capacity()
    }

    /// Its bytes, for [`read`].
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

impl Extend<Posting> for PostingList {
    fn extend<I: IntoIterator<Item = Posting>>(&mut self, postings: I) {
        postings.into_iter().for_each(|posting| self.push(posting));
    }
}

impl FromIterator<Posting> for PostingList {
    fn from_iter<I: IntoIterator<Item = Posting>>(postings: I) -> Self {
        let mut list = Self::default();
        list.extend(postings);
        list
    }
}

/// The postings of a list.
#[derive(Debug, Clone)]
pub struct Postings<'a> {
    rest: &'a [u8],
    left: usize,
    last: Posting,
}

impl Iterator for Postings<'_> {
    type Item = Posting;

    fn next(&mut self) -> Option<Posting> {
        (self.last, self.rest) = next(self.last, self.rest)?;
        self.left -= 1;
        Some(self.last)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Postings<'_> {}

/// Reads a list's bytes; `None` if they are none, if entries do not strictly ascend, or if one is
/// not below 2^53: the rules of the sealed list that it was made of.
pub fn read(mut bytes: &[u8]) -> Option<Vec<Posting>> {
    let mut postings: Vec<Posting> = Vec::with_capacity(bytes.len() / 4);
    let mut last = START;
    while !bytes.is_empty() {
        let (posting, rest) = next(last, bytes)?;
        let ascends = postings.is_empty() || posting.0 > last.0;
        if !ascends || posting.0 >= NUMBERS_END {
            return None;
        }
        postings.push(posting);
        (last, bytes) = (posting, rest);
    }
    (!postings.is_empty()).then_some(postings)
}

/// The posting behind `last`, and the bytes behind it.
fn next((entry, time): Posting, bytes: &[u8]) -> Option<(Posting, &[u8])> {
    let (entry_step, length) = u64::decode_var(bytes)?;
    let bytes = bytes.get(length..)?;
    let (time_step, length) = i64::decode_var(bytes)?;
    let posting = (
        entry.wrapping_add(entry_step),
        Timestamp(time.0.wrapping_add(time_step)),
    );
    Some((posting, bytes.get(length..)?))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn list() -> impl Strategy<Value = Vec<Posting>> {
        let list = proptest::collection::btree_map(0..NUMBERS_END, any::<i64>(), 1..40);
        list.prop_map(|list| list.into_iter().map(|(e, t)| (e, Timestamp(t))).collect())
    }

    proptest! {
        #[test]
        fn what_was_put_in_comes_out(postings in list()) {
            let list: PostingList = postings.iter().copied().collect();
            prop_assert_eq!(list.iter().len(), postings.len());
            prop_assert_eq!(list.iter().collect::<Vec<_>>(), postings.clone());
            let bytes = list.into_bytes();
            prop_assert_eq!(read(&bytes), Some(postings.clone()));
            if let Some((_, shorter)) = bytes.split_last() {
                prop_assert_ne!(read(shorter), Some(postings));
            }
        }

        #[test]
        fn any_bytes_are_a_list_or_none(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
            if let Some(postings) = read(&bytes) {
                prop_assert!(postings.windows(2).all(|pair| pair[0].0 < pair[1].0));
                prop_assert!(postings.iter().all(|(entry, _)| *entry < NUMBERS_END));
            }
        }
    }

    #[test]
    fn a_busy_log_takes_a_few_bytes_a_posting() {
        let times = |n: u64| Timestamp(1_777_887_012_000_000 + n as i64 * 900);
        let list: PostingList = (0..1000).map(|n| (n * 1000, times(n))).collect();
        assert!(list.into_bytes().len() < 1000 * 5);
    }

    #[test]
    fn bytes_that_are_no_list() {
        let bytes = |entries: &[u64]| {
            let postings = entries.iter().map(|entry| (*entry, Timestamp(0)));
            postings.collect::<PostingList>().into_bytes()
        };
        assert!(read(&bytes(&[0, 1])).is_some());
        for entries in [&[][..], &[1, 1], &[2, 1], &[NUMBERS_END], &[5, u64::MAX, 6]] {
            assert_eq!(read(&bytes(entries)), None, "{entries:?}");
        }
        for cut in [&[0x80][..], &[1]] {
            assert_eq!(read(cut), None);
        }
    }
}
