//! A log in memory, without payloads, and bundles of it.

use std::collections::BTreeMap;
use std::io::Cursor;

use estreat::bundle::{
    About, BatchProof, Because, BundleWriter, EntryProof, ProofHead, Question, SegmentProof, Shown,
    ShownLink, TagProof, begin_proof,
};
use estreat::chain::{BatchBody, Body, Chain, CloseBody, Link};
use estreat::checkpoint::{Checkpoint, SigningKey, VerifierKey};
use estreat::digest::{self, Digest};
use estreat::format::subject_index::SubjectIndex;
use estreat::ids::{LogName, Origin, SubjectId};
use estreat::merkle::{self, partial};
use estreat::postings::Posting;
use estreat::time::Timestamp;
use estreat::vrf::{self, IndexSecret, Tag};

/// An entry to be: its time and its subjects.
pub type Event = (i64, Vec<String>);

/// A log of batches in segments; the last segment may be active.
pub struct Log {
    pub origin: Origin,
    pub links: Vec<(Link, Vec<u8>)>,
    batches: BTreeMap<u64, Vec<Entry>>,
    indexes: BTreeMap<u64, SubjectIndex>,
    keys: Keys,
}

struct Keys {
    signing: SigningKey,
    index: IndexSecret,
}

struct Entry {
    bytes: Vec<u8>,
    time: Timestamp,
    subjects: Vec<String>,
    salt: [u8; 16],
}

impl Entry {
    fn leaf(&self) -> Digest {
        Digest::leaf(&[&self.salt, &self.bytes])
    }
}

pub fn server() -> Origin {
    Origin::new("log.example").unwrap()
}

fn keys() -> Keys {
    Keys {
        signing: SigningKey::from_seed(&[1; 32]),
        index: IndexSecret::from_random(&[2; 64]).unwrap(),
    }
}

/// The server's key and the log's.
pub fn verifier_keys(log: &str) -> Vec<VerifierKey> {
    let origin = server().of_log(&LogName::new(log).unwrap());
    let names = [server(), origin];
    let key = keys().signing;
    names
        .iter()
        .map(|name| key.verifier(name.as_str()).unwrap())
        .collect()
}

impl Log {
    /// Segments of batches of events; `active` leaves the last segment open.
    pub fn new(name: &str, segments: &[Vec<Vec<Event>>], active: bool) -> Self {
        let origin = server().of_log(&LogName::new(name).unwrap());
        let mut chain = Chain::new(digest::log_id(&origin));
        let mut log = Self {
            origin,
            links: Vec::new(),
            batches: BTreeMap::new(),
            indexes: BTreeMap::new(),
            keys: keys(),
        };
        for (number, batches) in segments.iter().enumerate() {
            let mut postings: BTreeMap<Tag, Vec<Posting>> = BTreeMap::new();
            for (at, events) in batches.iter().enumerate() {
                log.batch(&mut chain, events, at % 3 != 0, &mut postings);
            }
            if !active || number + 1 < segments.len() {
                log.close(&mut chain, postings);
            }
        }
        log
    }

    fn batch(
        &mut self,
        chain: &mut Chain,
        events: &[Event],
        same_sync: bool,
        postings: &mut BTreeMap<Tag, Vec<Posting>>,
    ) {
        let seed = [chain.next_link as u8; 32];
        let entries: Vec<Entry> = (0..)
            .zip(events)
            .map(|(at, event)| entry(event, digest::salt(&seed, at)))
            .collect();
        for (index, entry) in (chain.next_entry..).zip(&entries) {
            let mut subjects = entry.subjects.clone();
            subjects.sort();
            subjects.dedup();
            for subject in subjects {
                let beta = self.keys.index.beta(&[&chain.log_id.0, subject.as_bytes()]);
                let list = postings.entry(vrf::tag(&beta, chain.segment)).or_default();
                list.push((index, entry.time));
            }
        }
        let leaves: Vec<Digest> = entries.iter().map(Entry::leaf).collect();
        let times = entries.iter().map(|entry| entry.time);
        let body = Body::Batch(BatchBody {
            first_entry: chain.next_entry,
            entry_count: entries.len() as u32,
            entries_root: merkle::root(&leaves),
            earliest: times.clone().min().unwrap(),
            latest: times.max().unwrap(),
            payload_length: 0,
            payload_digest: Digest::ZERO,
        });
        self.batches.insert(chain.next_link, entries);
        self.link(chain, body, same_sync);
    }

    fn close(&mut self, chain: &mut Chain, postings: BTreeMap<Tag, Vec<Posting>>) {
        let index = SubjectIndex::build(&[3; 32], postings.into_iter().collect()).unwrap();
        let sums = chain.sums;
        let (earliest, latest) = sums.times.unwrap_or((Timestamp(0), Timestamp(0)));
        let body = Body::Close(CloseBody {
            first_link: sums.first_link,
            first_entry: sums.first_entry,
            entry_count: sums.entry_count,
            earliest,
            latest,
            subject_count: index.subject_count(),
            subjects_root: index.root(),
            index_key: self.keys.index.public().to_bytes(),
            payload_length: 0,
            payload_digest: Digest::ZERO,
            header_digest: Digest::ZERO,
        });
        self.indexes.insert(chain.next_link, index);
        self.link(chain, body, false);
    }

    fn link(&mut self, chain: &mut Chain, body: Body, same_sync: bool) {
        let head = match chain.last_sync {
            Some((at, position)) if same_sync => chain.next_head(at, position + 1),
            _ => chain.next_head(chain.next_sync_at(Timestamp(0)), 0),
        };
        let link = Link { head, body };
        let bytes = link.encode();
        chain.accept(&link, &bytes).unwrap();
        self.links.push((link, bytes));
    }

    /// The entries that a bundle must show: batch link and positions.
    fn shown(&self, question: &Question) -> BTreeMap<u64, Vec<u64>> {
        let subject = question.subject.expose();
        let closed_end = self
            .indexes
            .last_key_value()
            .map_or(0, |(number, _)| *number);
        let mut shown: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
        for (link, entries) in self.batches.range(..closed_end) {
            for (position, entry) in (0..).zip(entries) {
                if question.contains(entry.time) && entry.subjects.iter().any(|one| one == subject)
                {
                    shown.entry(*link).or_default().push(position);
                }
            }
        }
        shown
    }

    pub fn checkpoint(&self) -> Checkpoint {
        let leaves = self.leaves();
        let (origin, root) = (self.origin.clone(), merkle::root(&leaves));
        Checkpoint {
            origin,
            size: leaves.len() as u64,
            root,
        }
    }

    fn leaves(&self) -> Vec<Digest> {
        self.links
            .iter()
            .map(|(_, bytes)| Digest::leaf(&[bytes]))
            .collect()
    }

    /// Adds the log's three files; every `withhold`th entry is withheld.
    fn write(&self, bundle: &mut BundleWriter<Vec<u8>>, question: &Question, withhold: u64) {
        let folder = format!("logs/{}", self.origin.folder());
        let note = self.checkpoint().sign(&self.keys.signing);
        bundle
            .file(&format!("{folder}/checkpoint.txt"), note.as_bytes())
            .unwrap();
        let mut lines = Vec::new();
        let batches = self.batch_proofs(question, withhold, &mut lines);
        bundle
            .file(&format!("{folder}/entries.ndjson"), &lines)
            .unwrap();
        bundle.begin(&format!("{folder}/proof.json"), true).unwrap();
        let shown: Vec<u64> = self
            .links
            .iter()
            .map(|(link, _)| link.head.number)
            .filter(|number| {
                let last = *number as usize + 1 == self.links.len();
                last || self.indexes.contains_key(number)
                    || batches.iter().any(|batch| batch.link == *number)
            })
            .collect();
        let alpha = vrf::alpha(&digest::log_id(&self.origin), &question.subject);
        let head = ProofHead {
            origin: &self.origin,
            question,
            checkpoint: &note,
            tag_proof: (!self.indexes.is_empty()).then(|| TagProof(self.keys.index.prove(&alpha))),
        };
        let links = shown.iter().map(|number| ShownLink {
            number: *number,
            bytes: self.links[*number as usize].1.clone(),
        });
        let tree = partial::build(&self.leaves(), &shown);
        let mut proof = begin_proof(bundle, &head, links, &tree).unwrap();
        batches.iter().for_each(|batch| proof.batch(batch).unwrap());
        let mut proof = proof.segments().unwrap();
        for (number, index) in &self.indexes {
            let Body::Close(body) = &self.links[*number as usize].0.body else {
                unreachable!()
            };
            let late = question.from.is_some_and(|from| body.latest < from);
            let early = question.to.is_some_and(|to| body.earliest >= to);
            if body.entry_count > 0 && !late && !early {
                let beta = self.keys.index.beta(&[&alpha]);
                let tag = vrf::tag(&beta, self.links[*number as usize].0.head.segment);
                let (claim, tree) = index.prove(&tag);
                proof
                    .segment(&SegmentProof {
                        close_link: *number,
                        claim,
                        tree,
                    })
                    .unwrap();
            }
        }
        proof.finish().unwrap();
    }

    fn batch_proofs(
        &self,
        question: &Question,
        withhold: u64,
        lines: &mut Vec<u8>,
    ) -> Vec<BatchProof> {
        let (mut line, mut count) = (0, 0);
        let mut proofs = Vec::new();
        for (link, positions) in self.shown(question) {
            let entries = &self.batches[&link];
            let mut proof = Vec::new();
            for position in &positions {
                let entry = &entries[*position as usize];
                count += 1;
                let shown = if withhold > 0 && count % withhold == 0 {
                    let because = if count % 2 == 0 {
                        Because::Withheld
                    } else {
                        Because::Erased
                    };
                    Shown::Leaf {
                        leaf: entry.leaf(),
                        because,
                    }
                } else {
                    lines.extend_from_slice(&entry.bytes);
                    lines.push(b'\n');
                    line += 1;
                    Shown::Line {
                        line: line - 1,
                        salt: entry.salt,
                    }
                };
                proof.push(EntryProof {
                    position: *position,
                    shown,
                });
            }
            let leaves: Vec<Digest> = entries.iter().map(Entry::leaf).collect();
            let tree = partial::build(&leaves, &positions);
            proofs.push(BatchProof {
                link,
                entries: proof,
                tree,
            });
        }
        proofs
    }
}

fn entry((time, subjects): &Event, salt: [u8; 16]) -> Entry {
    let time = Timestamp(*time);
    let bytes = serde_json::json!({"time": time.to_string(), "data_subjects": subjects});
    Entry {
        bytes: bytes.to_string().into_bytes(),
        time,
        subjects: subjects.clone(),
        salt,
    }
}

pub fn question(subject: &str, logs: &[Log]) -> Question {
    Question {
        subject: SubjectId::new(subject),
        from: None,
        to: None,
        logs: logs
            .iter()
            .map(|log| log.origin.folder().to_owned())
            .collect(),
    }
}

/// A bundle of the logs.
pub fn bundle(logs: &[Log], question: &Question, withhold: u64) -> Cursor<Vec<u8>> {
    let mut bundle = BundleWriter::new(Vec::new());
    bundle.file("README.txt", b"what this is").unwrap();
    logs.iter()
        .for_each(|log| log.write(&mut bundle, question, withhold));
    let about = About {
        question: question.clone(),
        purpose: "test".to_owned(),
        requested_by: "somebody".to_owned(),
        created_at: Timestamp(0),
        keys: verifier_keys("orders")
            .iter()
            .map(ToString::to_string)
            .collect(),
        language: "en",
        time_zone: "UTC".to_owned(),
        withheld: Vec::new(),
    };
    Cursor::new(bundle.finish(&about, &server(), &keys().signing).unwrap())
}
