//! What memory knows of a segment that the catalog does not know yet: its batches' places, who
//! is named where, and its idempotency keys.

use std::collections::HashMap;
use std::ops::Range;

use crate::catalog::{BatchPlace, RequestRow};
use crate::digest::{Digest, first_16};
use crate::event::Entries;
use crate::postings::{Posting, PostingList, Postings};
use crate::time::Timestamp;
use crate::vrf::Tag;

/// A data subject inside this process: the first half of the hash of its id. Tags take a thousand
/// times longer to compute, and a POST must be searchable at once. 128 bits of SHA-256: to make two
/// ids meet takes some 2^64 hashes, and would only mix their lists in searches: sealed indexes and
/// exports go by the tag.
pub type SubjectKey = [u8; 16];

/// The key of a subject.
pub fn subject_key(subject: &str) -> SubjectKey {
    first_16(&Digest::of(&[subject.as_bytes()]))
}

/// Postings of one batch, by subject, made on a worker.
#[derive(Debug, Default)]
pub struct BatchPostings {
    subjects: Vec<BatchSubject>,
    /// All subjects' names, one behind another: only those of new ones are looked at again.
    names: String,
    positions: Vec<u32>,
}

/// A subject of a batch: ranges of its name and its positions.
#[derive(Debug, Clone, Default)]
struct BatchSubject {
    key: SubjectKey,
    name: Range<usize>,
    positions: Range<usize>,
}

impl BatchPostings {
    /// Groups the postings of `entries` by subject.
    pub fn of(entries: &Entries) -> Self {
        let mut slots: HashMap<&str, u32> = HashMap::new();
        let mut counts: Vec<u32> = Vec::new();
        let mut slot_of: Vec<u32> = Vec::with_capacity(entries.posting_count());
        for (_, name) in entries.postings() {
            let slot = *slots.entry(name).or_insert_with(|| {
                counts.push(0);
                counts.len() as u32 - 1
            });
            counts[slot as usize] += 1;
            slot_of.push(slot);
        }
        // A counting sort: each subject's positions stand side by side, ascending.
        let mut next: Vec<usize> = Vec::with_capacity(counts.len());
        let mut end = 0;
        for count in &counts {
            next.push(end);
            end += *count as usize;
        }
        let mut subjects = vec![BatchSubject::default(); counts.len()];
        let mut names = String::new();
        for (name, slot) in slots {
            let start = next[slot as usize];
            subjects[slot as usize] = BatchSubject {
                key: subject_key(name),
                name: names.len()..names.len() + name.len(),
                positions: start..start + counts[slot as usize] as usize,
            };
            names.push_str(name);
        }
        let mut positions = vec![0; end];
        for ((position, _), slot) in entries.postings().zip(slot_of) {
            positions[next[slot as usize]] = position;
            next[slot as usize] += 1;
        }
        Self {
            subjects,
            names,
            positions,
        }
    }
}

/// A segment's index in memory. Built of what is on disk and of nothing else, so that it can be
/// dropped and rebuilt at any time.
#[derive(Debug, Default)]
pub struct SegmentIndex {
    /// Its batches, ascending.
    pub batches: Vec<BatchPlace>,
    /// Its idempotency keys.
    pub requests: HashMap<Digest, RequestRow>,
    /// How many of its entries are quarantined.
    pub quarantined: u64,
    by_key: HashMap<SubjectKey, u32>,
    subjects: Vec<Subject>,
    postings: usize,
    /// Memory of the subjects' lists.
    list_bytes: usize,
    /// Subjects whose tag is not known yet.
    untagged: usize,
}

/// Its list ascends, since batches come in the order of their links.
#[derive(Debug, Default)]
struct Subject {
    tag: Option<Tag>,
    list: PostingList,
}

/// A subject that is new to a segment, and wants a tag.
pub type Untagged = (SubjectKey, Box<str>);

impl SegmentIndex {
    /// Takes a batch's postings in; gives the subjects that are new.
    pub fn add(
        &mut self,
        place: BatchPlace,
        times: &[Timestamp],
        batch: BatchPostings,
    ) -> Vec<Untagged> {
        let mut fresh = Vec::new();
        for BatchSubject {
            key,
            name,
            positions,
        } in batch.subjects
        {
            let slot = match self.by_key.get(&key) {
                Some(slot) => *slot as usize,
                None => {
                    self.by_key.insert(key, self.subjects.len() as u32);
                    self.subjects.push(Subject::default());
                    fresh.push((key, Box::from(&batch.names[name])));
                    self.subjects.len() - 1
                }
            };
            let positions = &batch.positions[positions];
            self.postings += positions.len();
            let list = &mut self.subjects[slot].list;
            let bytes_before = list.heap_bytes();
            list.extend(positions.iter().map(|position| {
                (
                    place.first_entry + u64::from(*position),
                    times[*position as usize],
                )
            }));
            self.list_bytes += list.heap_bytes() - bytes_before;
        }
        self.untagged += fresh.len();
        self.batches.push(place);
        fresh
    }

    /// Notes a subject's tag.
    pub fn set_tag(&mut self, key: &SubjectKey, tag: Tag) {
        let subject = self
            .by_key
            .get(key)
            .and_then(|slot| self.subjects.get_mut(*slot as usize));
        if let Some(subject) = subject
            && subject.tag.replace(tag).is_none()
        {
            self.untagged -= 1;
        }
    }

    /// Whether every subject has its tag.
    pub fn is_tagged(&self) -> bool {
        self.untagged == 0
    }

    /// Index postings so far.
    pub fn postings(&self) -> usize {
        self.postings
    }

    /// Distinct subjects so far.
    pub fn subjects(&self) -> usize {
        self.subjects.len()
    }

    /// The entries that name a subject, ascending.
    pub fn find(&self, key: &SubjectKey) -> Vec<Posting> {
        let slot = self.by_key.get(key).map(|slot| *slot as usize);
        slot.and_then(|slot| self.subjects.get(slot))
            .map_or_else(Vec::new, |subject| subject.list.iter().collect())
    }

    /// The batch in which an entry stands.
    pub fn batch_of(&self, entry: u64) -> Option<BatchPlace> {
        let behind = self
            .batches
            .partition_point(|place| place.first_entry <= entry);
        behind.checked_sub(1).map(|at| self.batches[at])
    }

    /// Each subject's tag and list; subjects without a tag are left out, so that callers wait
    /// for [`is_tagged`](Self::is_tagged) first.
    pub fn tagged_lists(&self) -> impl Iterator<Item = (Tag, Postings<'_>)> {
        self.subjects
            .iter()
            .filter_map(|subject| Some((subject.tag?, subject.list.iter())))
    }

    /// About how many bytes of memory it takes. Estimated from the sizes of what is kept, with the
    /// tables' empty places; for the budget only.
    pub fn bytes(&self) -> usize {
        self.subjects.len() * 132
            + self.list_bytes
            + self.batches.len() * 24
            + self.requests.len() * 180
    }
}
