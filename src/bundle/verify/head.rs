//! Steps 2 and 3: a log's checkpoint, and the form of its proof.
//!
//! Step 2 is where trust enters: all that follows is hashes under this one root. The key comes from
//! the reader, its name is the origin, and the origin names the folder. Were the key taken from the
//! bundle, anybody could sign a history of their own.

use std::io::{self, BufReader, Read, Seek};

use super::super::archive::{Archive, Broken};
use super::super::finding::{Findings, Place, Step, Verdict};
use super::super::proof::{FORMAT, Proof};
use super::super::report::Question;
use super::super::{CHECKPOINT, PROOF};
use super::{Context, Log};
use crate::checkpoint::{Checkpoint, MAX_NOTE_BYTES, Note, Signed};
use crate::ids::SubjectId;
use crate::limits::{MAX_PROOF_BYTES, MAX_PROOF_RATIO};
use crate::time::Timestamp;

/// Whatever the proof is, its tree may be a few hundred bytes that pack well.
const FREE_PROOF_BYTES: u64 = 64 << 10;
/// Unpacked at a time; serde_json asks for a byte at a time.
const BUFFER_BYTES: usize = 64 << 10;

/// Steps 2 and 3. `None` if the proof cannot be read, or neither it nor the manifest states a
/// question: then the log cannot be checked further, and a finding says why.
pub(super) fn check<'a, R: Read + Seek>(
    archive: &mut Archive<R>,
    context: &'a Context<'a>,
    findings: &mut Findings,
) -> Option<Log<'a>> {
    let mut place = findings.at(Step::Checkpoint, context.path(CHECKPOINT));
    let note = read_note(archive, context, &mut place);
    let checkpoint = note
        .as_ref()
        .and_then(|(_, note)| check_checkpoint(note, context, &mut place));
    let mut place = findings.at(Step::Proof, context.path(PROOF));
    let proof = read_proof(archive, context, &mut place)?;
    let text = note.as_ref().map(|(text, _)| text.as_str());
    check_proof(&proof, text, checkpoint.as_ref(), context, &mut place);
    // The manifest's question comes first: it is what the reader compares with what was asked.
    // Where the proof's differs, that was found just now.
    let question = match (context.question, proof_question(&proof)) {
        (Some(question), _) => question.clone(),
        (None, Some(question)) => question,
        (None, None) => return None,
    };
    Some(Log {
        context,
        checkpoint,
        proof,
        question,
    })
}

// ── Step 2 ──────────────────────────────────────────────────────────────────────────────

/// The note with its whole text, which proof.json repeats byte for byte.
fn read_note<R: Read + Seek>(
    archive: &mut Archive<R>,
    context: &Context<'_>,
    place: &mut Place<'_>,
) -> Option<(String, Note)> {
    let bytes = match archive.read(&context.path(CHECKPOINT), MAX_NOTE_BYTES as u64) {
        Ok(bytes) => bytes,
        // Step 1 has said so.
        Err(Broken::Absent) => return None,
        Err(broken) => {
            place.altered("an unreadable checkpoint", "a signed note", broken);
            return None;
        }
    };
    match Note::parse(&bytes) {
        Ok(note) => Some((String::from_utf8(bytes).ok()?, note)),
        Err(error) => {
            place.altered("no signed note", "a signed note", error);
            None
        }
    }
}

/// The checkpoint is given back whatever the keys say of it: an unknown key is its own verdict,
/// which must not hide what the trees show.
fn check_checkpoint(
    note: &Note,
    context: &Context<'_>,
    place: &mut Place<'_>,
) -> Option<Checkpoint> {
    let checkpoint = match Checkpoint::of_note(note) {
        Ok(checkpoint) => checkpoint,
        Err(error) => {
            place.altered("no checkpoint", "origin, size and root", error);
            return None;
        }
    };
    let origin = checkpoint.origin.as_str();
    match checkpoint.check(note, context.keys) {
        Signed::By(_) => {}
        Signed::UnknownKey => place.add(
            Verdict::UnknownKey,
            "no key was given that says whose checkpoint this is",
            format!("a key of the name {origin}"),
            "none",
        ),
        Signed::Bad => {
            let expected = format!("a signature by the given key of the name {origin}");
            place.altered(
                "a signature that does not hold",
                expected,
                "another or none",
            );
        }
    }
    place.equal(
        "the log's folder",
        checkpoint.origin.folder(),
        context.folder,
    );
    // Two servers may each have a log "orders", and the reader the keys of both: without this, one
    // server's manifest could stand over the other's history.
    if let Some(signer) = context.signer {
        let expected = format!("{signer}/{}", context.folder);
        place.equal("the checkpoint of another server's log", &*expected, origin);
    }
    Some(checkpoint)
}

// ── Step 3 ──────────────────────────────────────────────────────────────────────────────

/// Bounded twice, by the most that a proof may have and by its packed size: proofs are hashes,
/// which do not pack, so one that unpacks to a multiple of itself was made to fill memory.
fn read_proof<R: Read + Seek>(
    archive: &mut Archive<R>,
    context: &Context<'_>,
    place: &mut Place<'_>,
) -> Option<Proof> {
    let file = match archive.file(&context.path(PROOF)) {
        Ok(file) => file,
        // Step 1 has said so.
        Err(Broken::Absent) => return None,
        Err(broken) => {
            place.altered("an unreadable proof", "a file", broken);
            return None;
        }
    };
    let by_ratio = file.compressed_size().saturating_mul(MAX_PROOF_RATIO);
    let limit = by_ratio
        .saturating_add(FREE_PROOF_BYTES)
        .min(MAX_PROOF_BYTES);
    let bounded = Bounded {
        inner: file,
        left: limit,
    };
    let reader = BufReader::with_capacity(BUFFER_BYTES, bounded);
    match serde_json::from_reader::<_, crate::strict::Object<Proof>>(reader) {
        Ok(proof) => Some(proof.0),
        Err(error) => {
            place.altered("no proof", "the form of proof.json", error);
            None
        }
    }
}

/// The format, and what must be the same as elsewhere in the bundle.
///
/// These are findings, not reasons to stop: a proof of another question still proves something, and
/// what it proves is reported against the manifest's question.
fn check_proof(
    proof: &Proof,
    note: Option<&str>,
    checkpoint: Option<&Checkpoint>,
    context: &Context<'_>,
    place: &mut Place<'_>,
) {
    place.equal("the format", FORMAT, &*proof.format);
    if let Some(note) = note {
        place.equal(
            "another checkpoint than checkpoint.txt",
            note,
            &*proof.checkpoint,
        );
    }
    if let Some(checkpoint) = checkpoint {
        let expected = checkpoint.origin.as_str();
        place.equal(
            "another origin than the checkpoint's",
            expected,
            &*proof.origin,
        );
    }
    // The range is text here and compared as a time: the canonical form makes both the same.
    let Some(asked) = proof_question(proof) else {
        place.altered(
            "a range that is none",
            "YYYY-MM-DDThh:mm:ss.ffffffZ or null",
            "other text",
        );
        return;
    };
    if let Some(question) = context.question {
        let (expected, found) = (question.subject.expose(), asked.subject.expose());
        place.equal("another subject than the manifest's", expected, found);
        if (question.from, question.to) != (asked.from, asked.to) {
            place.altered(
                "another range than the manifest's",
                range(question),
                range(&asked),
            );
        }
    }
}

/// The proof's own question, for want of the manifest's; `None` if its range is none.
fn proof_question(proof: &Proof) -> Option<Question> {
    let time = |text: &Option<String>| match text {
        Some(text) => Timestamp::parse_canonical(text.as_bytes()).map(Some),
        None => Some(None),
    };
    Some(Question {
        subject: SubjectId::new(&proof.subject),
        from: time(&proof.from)?,
        to: time(&proof.to)?,
        logs: Vec::new(),
    })
}

/// Only for a finding's words; times are written as an entry's.
fn range(question: &Question) -> String {
    let end = |time: Option<Timestamp>| time.map_or("null".to_owned(), |time| time.to_string());
    format!("{} to {}", end(question.from), end(question.to))
}

/// Fails where more is read than a bound.
struct Bounded<R> {
    inner: R,
    left: u64,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        // The last read may go past the bound, by one buffer at most; nothing of it is used.
        self.left = self
            .left
            .checked_sub(read as u64)
            .ok_or_else(|| io::Error::other("longer than a proof may be"))?;
        Ok(read)
    }
}
