//! What only the KEK shows: a server that lied when it sealed.

use std::collections::BTreeMap;

use estreat::chain::{BatchBody, Body, Link};
use estreat::checkpoint::{Checkpoint, SigningKey};
use estreat::digest::{Digest, log_id, salt};
use estreat::envelope::{Dek, Kek};
use estreat::format::frame::put_frame;
use estreat::format::header::Fixed;
use estreat::format::payload::{KeyedRequest, Packer, encode_batch};
use estreat::format::subject_index::SubjectIndex;
use estreat::ids::{KekId, LogId, Origin};
use estreat::merkle;
use estreat::postings::Posting;
use estreat::sequencer::Sequencer;
use estreat::time::Timestamp;
use estreat::verifier::{LogReport, Secrets};
use estreat::vrf::{IndexSecret, Tag, tag};
use zeroize::Zeroizing;

use super::files::{Files, has};

type Rows = BTreeMap<Tag, Vec<Posting>>;
type Change<'a, T> = &'a dyn Fn(&mut T);
/// Is also given the tag of a subject.
type ChangeRows<'a> = &'a dyn Fn(&mut Rows, &dyn Fn(&str) -> Tag);

/// How a server lies. Everything is linked, signed and sealed as it should be.
struct Lie<'a> {
    entries: Vec<String>,
    requests: Vec<KeyedRequest>,
    /// Whether the second entry is erased.
    erase: bool,
    rows: ChangeRows<'a>,
    batch: Change<'a, BatchBody>,
    raw: Change<'a, Vec<u8>>,
    index_key: Change<'a, [u8; 32]>,
}

impl Default for Lie<'_> {
    fn default() -> Self {
        Self {
            entries: vec![entry(1, "alice"), entry(2, "bob"), entry(3, "alice")],
            requests: Vec::new(),
            erase: false,
            rows: &|_, _| {},
            batch: &|_| {},
            raw: &|_| {},
            index_key: &|_| {},
        }
    }
}

fn time(at: u64) -> Timestamp {
    Timestamp(1_777_887_000_000_000 + at as i64)
}

fn entry(at: u64, subject: &str) -> String {
    format!(
        r#"{{"time":"{}","operation":"read","data_subject":"{subject}"}}"#,
        time(at)
    )
}

fn kek() -> Kek {
    Kek::from_parts(KekId([1; 16]), Zeroizing::new([2; 32]))
}

fn index_secret() -> IndexSecret {
    IndexSecret::from_random(&[4; 64]).unwrap()
}

/// The raw bytes of the batch, and its leaves.
fn raw_batch(lie: &Lie<'_>) -> (Vec<u8>, Vec<Digest>) {
    let seed = [5; 32];
    let leaf = |(at, entry): (u32, &String)| Digest::leaf(&[&salt(&seed, at), entry.as_bytes()]);
    let leaves: Vec<Digest> = (0..).zip(&lie.entries).map(leaf).collect();
    let mut raw = Vec::new();
    if !lie.erase {
        let lengths: Vec<u32> = lie.entries.iter().map(|entry| entry.len() as u32).collect();
        let bytes = lie.entries.concat();
        encode_batch(&mut raw, &seed, &lengths, bytes.as_bytes(), &lie.requests);
        return (raw, leaves);
    }
    raw.extend([0; 32]);
    raw.extend((lie.entries.len() as u32).to_be_bytes());
    for (at, entry) in lie.entries.iter().enumerate() {
        let length = if at == 1 {
            u32::MAX
        } else {
            entry.len() as u32
        };
        raw.extend(length.to_be_bytes());
    }
    for (at, entry) in lie.entries.iter().enumerate() {
        if at == 1 {
            raw.extend(leaves[at].0);
        } else {
            raw.extend(salt(&seed, at as u32));
            raw.extend(entry.as_bytes());
        }
    }
    (raw, leaves)
}

fn honest_rows(log: &LogId, secret: &IndexSecret) -> (Rows, impl Fn(&str) -> Tag) {
    let tag_of = {
        let (log, secret) = (*log, secret.to_bytes());
        move |subject: &str| {
            let secret = IndexSecret::from_bytes(&secret).unwrap();
            tag(&secret.beta(&[&log.0, subject.as_bytes()]), 0)
        }
    };
    let mut rows = Rows::new();
    rows.insert(tag_of("alice"), vec![(0, time(1)), (2, time(3))]);
    rows.insert(tag_of("bob"), vec![(1, time(2))]);
    (rows, tag_of)
}

/// A log of one closed segment with one batch.
fn files(lie: &Lie<'_>) -> Files {
    let origin = Origin::parse_log("log.example/orders").unwrap();
    let log = log_id(&origin);
    let dek = Dek::from_bytes(Zeroizing::new([3; 32]));
    let fixed = Fixed {
        segment: 0,
        first_link: 0,
        first_entry: 0,
        previous: Digest::ZERO,
        created_at: Timestamp(1),
        origin: origin.clone(),
    };
    let mut bytes = fixed.seal(&kek(), &dek, [6; 12]).unwrap();
    let mut packer = Packer::new(3).unwrap();
    let mut sequencer = Sequencer::new(log);
    let mut append = |body: Body, payload: &[u8], at: i64| {
        let head = sequencer.chain.next_head(Timestamp(at), 0);
        let link = Link { head, body };
        sequencer.accept(&link, &link.encode()).unwrap();
        put_frame(&mut bytes, &link.encode(), payload);
        sequencer.chain.sums
    };

    let (mut raw, leaves) = raw_batch(lie);
    (lie.raw)(&mut raw);
    let root = merkle::root(&leaves);
    let additional = Link::additional_data(1, &log, &root);
    let payload = packer.pack(&raw, &dek, &[7; 12], &additional).unwrap();
    let mut body = BatchBody {
        first_entry: 0,
        entry_count: lie.entries.len() as u32,
        entries_root: root,
        earliest: time(1),
        latest: time(3),
        payload_length: payload.len() as u32,
        payload_digest: Digest::of(&[&payload]),
    };
    (lie.batch)(&mut body);
    let sums = append(Body::Batch(body), &payload, 10);

    let secret = index_secret();
    let (mut rows, tag_of) = honest_rows(&log, &secret);
    (lie.rows)(&mut rows, &tag_of);
    let index = SubjectIndex::build(&[8; 32], rows.into_iter().collect()).unwrap();
    let additional = Link::additional_data(2, &log, &index.root());
    let payload = packer
        .pack(index.raw(), &dek, &[9; 12], &additional)
        .unwrap();
    let mut index_key = secret.public().to_bytes();
    (lie.index_key)(&mut index_key);
    let close = estreat::chain::CloseBody {
        first_link: sums.first_link,
        first_entry: sums.first_entry,
        entry_count: sums.entry_count,
        earliest: sums.times.unwrap().0,
        latest: sums.times.unwrap().1,
        subject_count: index.subject_count(),
        subjects_root: index.root(),
        index_key,
        payload_length: payload.len() as u32,
        payload_digest: Digest::of(&[&payload]),
        header_digest: Digest::of(&[&fixed.encode()]),
    };
    append(Body::Close(close), &payload, 11);

    let checkpoint = Checkpoint {
        origin,
        size: 2,
        root: sequencer.tree.root(),
    };
    let note = checkpoint.sign(&SigningKey::from_seed(&[9; 32]));
    Files {
        checkpoint: Some(note.into_bytes()),
        segments: BTreeMap::from([(0, bytes)]),
        ..Files::default()
    }
}

/// Without the KEK nothing can be seen; the report with it.
fn check(lie: &Lie<'_>) -> LogReport {
    let files = files(lie);
    assert_eq!(files.check(&[], None).findings, []);
    let (kek, index) = (kek(), index_secret());
    let secrets = Secrets {
        kek: &kek,
        index: Some(&index),
    };
    files.check(&[], Some(secrets))
}

fn assert_found(lie: &Lie<'_>, step: &str, verdict: &str, what: &str) {
    let report = check(lie);
    let [finding] = &report.findings[..] else {
        panic!("{what}: {:#?}", report.findings)
    };
    assert_eq!(finding.step.name(), step, "{finding:?}");
    assert!(has(&report, verdict, "000.seg, byte"), "{finding:?}");
    assert!(
        finding.what.contains(what) || finding.found.contains(what),
        "{finding:?}"
    );
    // Not even an operator's terminal learns who it is about.
    for subject in ["alice", "bob", "carol"] {
        assert!(!format!("{finding:?}").contains(subject));
    }
}

#[test]
fn what_is_honest_passes() {
    assert_eq!(check(&Lie::default()).findings, []);
    let keyed = KeyedRequest {
        key_hash: Digest::ZERO,
        body_hash: Digest::ZERO,
        first: 1,
        count: 2,
    };
    let lie = Lie {
        requests: vec![keyed],
        ..Lie::default()
    };
    assert_eq!(check(&lie).findings, []);
}

#[test]
fn an_erased_entry_is_no_lie() {
    let lie = Lie {
        erase: true,
        ..Lie::default()
    };
    let report = check(&lie);
    assert_eq!(report.findings, []);
    assert_eq!(report.counts.opened, 3);
}

#[test]
fn subject_indexes_that_lie() {
    let lies: [(ChangeRows<'_>, &str, &str); 8] = [
        (
            &|rows, of| drop(rows.remove(&of("bob"))),
            "MISSING",
            "lacks an entry",
        ),
        (
            &|rows, of| rows.get_mut(&of("alice")).unwrap().truncate(1),
            "MISSING",
            "lacks an entry",
        ),
        (
            &|rows, of| *rows.get_mut(&of("alice")).unwrap() = vec![(2, time(3))],
            "MISSING",
            "lacks an entry",
        ),
        (
            &|rows, of| rows.get_mut(&of("bob")).unwrap().push((2, time(3))),
            "ALTERED",
            "does not name",
        ),
        (
            &|rows, of| rows.get_mut(&of("bob")).unwrap().insert(0, (0, time(1))),
            "ALTERED",
            "does not name",
        ),
        (
            &|rows, of| drop(rows.insert(of("carol"), vec![(0, time(1))])),
            "ALTERED",
            "does not name",
        ),
        (
            &|rows, of| {
                rows.extend(
                    [
                        ([0; 16], vec![(9, time(1))]),
                        (of("carol"), vec![(0, time(1))]),
                    ]
                    .into_iter()
                    .take(1),
                )
            },
            "ALTERED",
            "does not name",
        ),
        (
            &|rows, of| rows.get_mut(&of("bob")).unwrap()[0].1 = time(4),
            "ALTERED",
            "event time",
        ),
    ];
    for (rows, verdict, what) in lies {
        let lie = Lie {
            rows,
            ..Lie::default()
        };
        assert_found(&lie, "subject", verdict, what);
    }
    let lie = Lie {
        index_key: &|key| key[0] ^= 1,
        ..Lie::default()
    };
    assert_found(&lie, "subject", "ALTERED", "index_key");
}

#[test]
fn payloads_that_lie() {
    let with_entry = |entry: &str| Lie {
        entries: vec![
            self::entry(1, "alice"),
            entry.to_owned(),
            self::entry(3, "alice"),
        ],
        ..Lie::default()
    };
    let spaced = entry(2, "bob").replace(':', ": ");
    let twice = entry(2, "bob").replace('}', r#","time":"x"}"#);
    for entry in ["", "{}", "[1]", &spaced, &twice] {
        assert_found(&with_entry(entry), "entries", "ALTERED", "entry");
    }
    let request = |first, count| KeyedRequest {
        key_hash: Digest::ZERO,
        body_hash: Digest::ZERO,
        first,
        count,
    };
    for requests in [
        vec![request(2, 2)],
        vec![request(0, 2), request(1, 1)],
        vec![request(0, 0)],
    ] {
        let lie = Lie {
            requests,
            ..Lie::default()
        };
        assert_found(&lie, "entries", "ALTERED", "a request's entries");
    }
    let lies: [(Change<'_, BatchBody>, &str); 4] = [
        (&|body| body.entry_count = 2, "entry_count"),
        (&|body| body.earliest = time(0), "earliest event time"),
        (&|body| body.latest = time(4), "latest event time"),
        (&|body| body.entries_root.0[0] ^= 1, "authentication tag"),
    ];
    for (batch, what) in lies {
        let lie = Lie {
            batch,
            ..Lie::default()
        };
        assert_found(&lie, "entries", "ALTERED", what);
    }
    let lies: [(Change<'_, Vec<u8>>, &str); 3] = [
        (&|raw| raw[0] ^= 1, "entries_root"),
        (&|raw| raw.push(0), "layout"),
        (&|raw| raw.truncate(raw.len() - 1), "layout"),
    ];
    for (raw, what) in lies {
        let lie = Lie {
            raw,
            ..Lie::default()
        };
        assert_found(&lie, "entries", "ALTERED", what);
    }
}

#[test]
fn with_the_kek_alone_the_index_is_opened_but_not_rebuilt() {
    let lie = Lie {
        rows: &|rows, of| drop(rows.remove(&of("bob"))),
        ..Lie::default()
    };
    let kek = kek();
    let secrets = Secrets {
        kek: &kek,
        index: None,
    };
    let report = files(&lie).check(&[], Some(secrets));
    assert_eq!(report.findings, []);
    assert!(report.notes.contains(&estreat::verifier::Note::NoIndexKey));
}
