//! proof.json, written part by part: a batch or a segment at a time, so that an export of
//! many entries needs no more memory than its largest batch.
//!
//! The types hold the order of the parts: [`begin`] → [`Batches`] → [`Segments`].

use std::io::{self, Write};

use serde::Serialize;

use super::proof::{BatchProof, FORMAT, SegmentProof, ShownLink, TagProof};
use super::report::Question;
use crate::ids::Origin;
use crate::merkle::PartialTree;
use crate::time::Timestamp;

/// What stands before the links.
#[derive(Debug, Clone, Copy)]
pub struct ProofHead<'a> {
    /// The log's origin.
    pub origin: &'a Origin,
    /// The question, the same as the manifest's.
    pub question: &'a Question,
    /// Text of checkpoint.txt.
    pub checkpoint: &'a str,
    /// The VRF proof; none if no segment is closed.
    pub tag_proof: Option<TagProof>,
}

/// Writes everything before the batches. Links ascend: every close link, those of the batches
/// to come, and the last.
/// Nothing is checked here: an export verifies its own bundle before anybody gets it.
pub fn begin<W: Write>(
    mut out: W,
    head: &ProofHead<'_>,
    links: impl IntoIterator<Item = ShownLink>,
    tree: &PartialTree,
) -> io::Result<Batches<W>> {
    let question = head.question;
    let time = |time: Option<Timestamp>| time.map(|time| time.to_string());
    member(&mut out, "{\"format\":", FORMAT)?;
    member(&mut out, ",\"origin\":", head.origin.as_str())?;
    member(&mut out, ",\"subject\":", question.subject.expose())?;
    member(&mut out, ",\"from\":", &time(question.from))?;
    member(&mut out, ",\"to\":", &time(question.to))?;
    member(&mut out, ",\"checkpoint\":", head.checkpoint)?;
    member(&mut out, ",\"tag_proof\":", &head.tag_proof)?;
    out.write_all(b",\"links\":[")?;
    let mut first = true;
    for link in links {
        element(&mut out, &mut first, &link)?;
    }
    member(&mut out, "],\"tree\":", tree)?;
    out.write_all(b",\"batches\":[")?;
    Ok(Batches { out, first: true })
}

/// A proof whose batches are being written.
pub struct Batches<W> {
    out: W,
    first: bool,
}

impl<W: Write> Batches<W> {
    /// Writes the next batch; they ascend, and their lines count on.
    pub fn batch(&mut self, batch: &BatchProof) -> io::Result<()> {
        element(&mut self.out, &mut self.first, batch)
    }

    /// Ends the batches.
    pub fn segments(mut self) -> io::Result<Segments<W>> {
        self.out.write_all(b"],\"segments\":[")?;
        Ok(Segments {
            out: self.out,
            first: true,
        })
    }
}

/// A proof whose segments are being written.
pub struct Segments<W> {
    out: W,
    first: bool,
}

impl<W: Write> Segments<W> {
    /// Writes the next segment; they ascend.
    pub fn segment(&mut self, segment: &SegmentProof) -> io::Result<()> {
        element(&mut self.out, &mut self.first, segment)
    }

    /// Ends the proof.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.write_all(b"]}")?;
        Ok(self.out)
    }
}

/// `name` holds the comma, the quotes and the colon; the value is written by serde.
fn member<T: Serialize + ?Sized>(out: &mut impl Write, name: &str, value: &T) -> io::Result<()> {
    out.write_all(name.as_bytes())?;
    out.write_all(&serde_json::to_vec(value)?)
}

/// The comma goes before each element but the first.
fn element<T: Serialize>(out: &mut impl Write, first: &mut bool, value: &T) -> io::Result<()> {
    if !std::mem::take(first) {
        out.write_all(b",")?;
    }
    // In one piece: what comes behind hashes and packs each piece that it gets.
    out.write_all(&serde_json::to_vec(value)?)
}
