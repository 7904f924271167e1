//! What is appended: seeded, so that every run has the same bytes.

use crate::event::{Context, Entries, Limits, OnInvalid, Refusal, Submission, read_body};
use crate::ids::TokenId;
use crate::sample::Month;
use crate::time::Timestamp;

/// Entries of a group as the research system's producers sent them.
pub const GROUP: usize = 4096;

/// The kinds of entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// (a) the research system's: 4 KiB of two words.
    Words4K,
    /// (b) the same with 171 bytes.
    Words171,
    /// (c) realistic audit events.
    Events,
    /// (d) incompressible payloads of 1 KiB.
    Random,
    /// (e) every entry a new data subject.
    NewSubjects,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 5] = [
        Self::Words4K,
        Self::Words171,
        Self::Events,
        Self::Random,
        Self::NewSubjects,
    ];

    /// Its letter and name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Words4K => "(a) 4 KiB of two words",
            Self::Words171 => "(b) 171 bytes of two words",
            Self::Events => "(c) realistic events",
            Self::Random => "(d) incompressible 1 KiB",
            Self::NewSubjects => "(e) every entry a new subject",
        }
    }

    /// How much of the limit by CPU the engine should reach.
    pub fn of_limit(self) -> Option<f64> {
        match self {
            Self::Words4K => Some(0.85),
            Self::Words171 | Self::NewSubjects => Some(0.8),
            Self::Events | Self::Random => None,
        }
    }
}

/// A seeded generator: splitmix64 (Steele, Lea, Flood 2014).
pub struct Seeded(pub u64);

impl Seeded {
    /// The next 64 bits.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}

/// A group of `count` entries of a kind; another seed gives others.
pub fn group(kind: Kind, seed: u64, count: usize) -> Entries {
    let mut random = Seeded(seed);
    let mut entries = Entries::with_capacity(count * 512);
    let start = Timestamp(1_777_887_012_000_000);
    if kind == Kind::Events {
        return month(seed, count, start);
    }
    for n in 0..count {
        let time = start.plus_micros(n as i64);
        let subject = match kind {
            Kind::NewSubjects => format!("user_{seed}_{n}"),
            _ => format!("user_{}", random.next() % 1000),
        };
        let payload = match kind {
            Kind::Words4K => words(&mut random, 4096),
            Kind::Words171 | Kind::NewSubjects => words(&mut random, 171),
            _ => noise(&mut random, 1024),
        };
        let operation = ["create", "read", "update", "delete"][(random.next() % 4) as usize];
        let entry = format!(
            "{{\"time\":\"{time}\",\"operation\":\"{operation}\",\"outcome\":\"success\",\"data_subject\":\"{subject}\",\
             \"data_categories\":[\"attribute_{}\"],\"controller\":\"controller_{}\",\"processor\":\"processor_{}\",\
             \"payload\":\"{payload}\",\"received_at\":\"{time}\"}}",
            random.next() % 10,
            random.next() % 10,
            random.next() % 20,
        );
        entries.push(entry.as_bytes(), time, [subject.as_str()]);
    }
    entries
}

fn month(seed: u64, count: usize, start: Timestamp) -> Entries {
    let body: Vec<String> = Month::new(seed, count, start).collect();
    read(body.join("\n").as_bytes())
        .map(|submission| submission.entries)
        .unwrap_or_default()
}

/// Reads a request's body as the server does.
pub fn read(body: &[u8]) -> Result<Submission, Refusal> {
    let context = Context {
        received_at: Timestamp(1),
        submitted_by: TokenId([1; 16]),
        limits: Limits::default(),
    };
    read_body(body, &context, OnInvalid::Refuse)
}

/// Two words with Zipf weights 1 and ½.
fn words(random: &mut Seeded, bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 5);
    while text.len() < bytes {
        text.push_str(if random.next().is_multiple_of(3) {
            "data "
        } else {
            "the "
        });
    }
    text.truncate(bytes);
    text
}

fn noise(random: &mut Seeded, bytes: usize) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    (0..bytes)
        .map(|_| char::from(LETTERS[(random.next() % 64) as usize]))
        .collect()
}
