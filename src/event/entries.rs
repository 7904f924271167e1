//! The entries of a request or a batch: the one container that goes untouched through the
//! queue, compression and hashing.

use std::fmt;

use crate::time::Timestamp;

/// Entries one after another, with what the index needs to know of each.
///
/// All bytes lie in one vector, since that is what is compressed and sealed. Invariants:
/// `lengths` and `times` have one item per entry, the lengths add up to `raw`, and postings
/// ascend by position, with no subject twice at one position.
#[derive(Default, Clone, PartialEq, Eq)]
pub struct Entries {
    /// What is compressed and sealed, without a copy.
    raw: Vec<u8>,
    /// `u32`, as a batch writes them.
    lengths: Vec<u32>,
    /// A batch link states the least and the greatest.
    times: Vec<Timestamp>,
    /// All subjects' ids, one behind another: one allocation instead of one for each.
    names: String,
    /// They go into the segment's subject index.
    postings: Vec<Posting>,
}

/// One data subject of one entry: a slice of `names`.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Posting {
    /// Of the entry, from 0.
    position: u32,
    /// `start ≤ end`, both at borders of characters.
    start: u32,
    end: u32,
}

impl Entries {
    /// No entries, with room for `bytes` of them.
    pub fn with_capacity(bytes: usize) -> Self {
        Self {
            raw: Vec::with_capacity(bytes),
            ..Self::default()
        }
    }

    /// How many entries.
    pub fn len(&self) -> usize {
        self.lengths.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.lengths.is_empty()
    }

    /// The bytes of all entries, nothing between them.
    pub fn raw(&self) -> &[u8] {
        &self.raw
    }

    /// How many bytes all entries have.
    pub fn byte_len(&self) -> usize {
        self.raw.len()
    }

    /// The length of each entry.
    pub fn lengths(&self) -> &[u32] {
        &self.lengths
    }

    /// The event time of each entry.
    pub fn times(&self) -> &[Timestamp] {
        &self.times
    }

    /// Each entry's bytes, in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let mut rest = self.raw.as_slice();
        self.lengths.iter().map(move |length| {
            let (entry, tail) = rest.split_at(*length as usize);
            rest = tail;
            entry
        })
    }

    /// The bytes of the entry at `position`. Adds up the lengths before it: to see many,
    /// use [`iter`](Self::iter).
    pub fn entry(&self, position: usize) -> Option<&[u8]> {
        let length = *self.lengths.get(position)? as usize;
        let before: usize = self.lengths[..position].iter().map(|n| *n as usize).sum();
        self.raw.get(before..before + length)
    }

    /// Which entry names which data subject, ascending by position, each pair once.
    /// In no order within an entry but that of the event.
    pub fn postings(&self) -> impl Iterator<Item = (u32, &str)> {
        self.postings
            .iter()
            .map(|posting| (posting.position, self.name(posting)))
    }

    /// How many pairs [`postings`](Self::postings) has.
    pub fn posting_count(&self) -> usize {
        self.postings.len()
    }

    /// Adds an entry. A subject given twice counts once.
    /// For entries that the server makes itself; clients' are written in place.
    pub fn push<'s>(
        &mut self,
        entry: &[u8],
        time: Timestamp,
        subjects: impl IntoIterator<Item = &'s str>,
    ) {
        let mark = self.mark();
        self.raw.extend_from_slice(entry);
        for subject in subjects {
            self.add_subject(&mark, subject);
        }
        self.finish(&mark, time);
    }

    /// Adds another's entries behind its own.
    /// How requests become one batch. Positions move by the entries that are there already.
    pub fn append(&mut self, other: &Self) {
        let (positions, names) = (self.lengths.len() as u32, self.names.len() as u32);
        self.raw.extend_from_slice(&other.raw);
        self.lengths.extend_from_slice(&other.lengths);
        self.times.extend_from_slice(&other.times);
        self.names.push_str(&other.names);
        self.postings
            .extend(other.postings.iter().map(|posting| Posting {
                position: posting.position + positions,
                start: posting.start + names,
                end: posting.end + names,
            }));
    }

    /// A slice that was pushed as a whole, so always there.
    fn name(&self, posting: &Posting) -> &str {
        &self.names[posting.start as usize..posting.end as usize]
    }

    // An entry is written in place: mark, write into `tail`, add its subjects, then finish it
    // or go back. Positions and offsets fit in 32 bits: whoever fills the container keeps to
    // the bounds of a batch.

    /// Where to go back to.
    pub(super) fn mark(&self) -> Mark {
        Mark {
            raw: self.raw.len(),
            names: self.names.len(),
            postings: self.postings.len(),
        }
    }

    /// To be written behind the mark, and nowhere else.
    pub(super) fn tail(&mut self) -> &mut Vec<u8> {
        &mut self.raw
    }

    /// Compared with the entry's own subjects only: there are at most `MAX_EVENT_SUBJECTS` and one
    /// more.
    pub(super) fn add_subject(&mut self, mark: &Mark, subject: &str) {
        let known = self.postings[mark.postings..]
            .iter()
            .any(|posting| self.name(posting) == subject);
        if known {
            return;
        }
        let start = self.names.len() as u32;
        self.names.push_str(subject);
        self.postings.push(Posting {
            position: self.lengths.len() as u32,
            start,
            end: self.names.len() as u32,
        });
    }

    /// The bytes behind the mark are an entry now.
    pub(super) fn finish(&mut self, mark: &Mark, time: Timestamp) {
        self.lengths.push((self.raw.len() - mark.raw) as u32);
        self.times.push(time);
    }

    /// Nothing of the entry is left.
    pub(super) fn go_back(&mut self, mark: &Mark) {
        self.raw.truncate(mark.raw);
        self.names.truncate(mark.names);
        self.postings.truncate(mark.postings);
    }
}

/// Where an entry begins that is being written.
pub(super) struct Mark {
    pub(super) raw: usize,
    names: usize,
    postings: usize,
}

impl fmt::Debug for Entries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Entries({} of {} bytes)", self.len(), self.byte_len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_go_behind_each_other() {
        let mut all = Entries::default();
        all.push(b"{1}", Timestamp(1), ["a", "b", "a"]);
        let mut more = Entries::default();
        more.push(b"{}", Timestamp(2), []);
        more.push(b"{22}", Timestamp(3), ["b"]);
        all.append(&more);
        assert_eq!(all.raw(), b"{1}{}{22}");
        assert_eq!(all.lengths(), [3, 2, 4]);
        assert_eq!(all.times(), [Timestamp(1), Timestamp(2), Timestamp(3)]);
        assert_eq!(
            all.iter().collect::<Vec<_>>(),
            [&b"{1}"[..], b"{}", b"{22}"]
        );
        assert_eq!(all.entry(2), Some(&b"{22}"[..]));
        assert_eq!(all.entry(3), None);
        let postings: Vec<_> = all.postings().collect();
        assert_eq!(postings, [(0, "a"), (0, "b"), (2, "b")]);
        assert_eq!(all.posting_count(), 3);
    }

    #[test]
    fn content_does_not_print() {
        let mut entries = Entries::default();
        entries.push(b"{\"secret\":1}", Timestamp(0), ["alice"]);
        assert_eq!(format!("{entries:?}"), "Entries(1 of 12 bytes)");
    }
}
