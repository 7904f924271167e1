//! `estreat inspect`: a segment file's header and links, or a data folder's segments, without any
//! key.
//!
//! It believes nothing and checks little: whether links follow one another is what `estreat verify`
//! finds. What it prints of a file from outside is made printable, for this is a terminal.

mod folder;

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};

use super::{DONE, FOUND, Failure, Output};
use crate::chain::{Body, Link};
use crate::digest::Digest;
use crate::format::frame::{Damage, FRAME_HEAD_BYTES, Found, ReadAt as _, read_frame};
use crate::format::header::{Header, KEY_PART_BYTES};
use crate::store::{Snapshot, read_bounded};
use crate::verifier::read_header;

/// What is printed.
#[derive(Args)]
pub struct InspectArguments {
    /// A segment file
    #[arg(required_unless_present = "data", conflicts_with = "data")]
    file: Option<PathBuf>,
    /// A data folder: prints its segments, a line each; payloads are not read
    #[arg(long)]
    data: Option<PathBuf>,
}

/// Prints, up to the end or to damage.
pub fn run(arguments: &InspectArguments, output: &Output) -> Result<u8, Failure> {
    match (&arguments.file, &arguments.data) {
        (Some(file), _) => inspect_file(file, output),
        (None, Some(data)) => folder::run(data, output),
        (None, None) => Err(Failure::new("name a segment file, or a folder with --data")),
    }
}

/// Prints a segment; damage is a finding, not a failure.
fn inspect_file(file_path: &Path, output: &Output) -> Result<u8, Failure> {
    let path = file_path.display();
    let cannot = |error| Failure::new(format!("cannot read {path}: {error}"));
    let file = Snapshot::open(file_path).map_err(cannot)?;
    let mut key_path = file_path.to_owned().into_os_string();
    key_path.push(".key");
    let key_part = read_bounded(key_path.as_ref(), KEY_PART_BYTES as u64).map_err(cannot)?;
    let header = match read_header(&file, key_part.as_deref()).map_err(cannot)? {
        Ok(header) => header,
        Err(error) => {
            output.note(&format!("estreat: {path}: no header: {error}"));
            return Ok(FOUND);
        }
    };
    let mut printer = Printer { output, any: false };
    printer.header(&header, key_part.is_some());
    let end = print_links(&file, &header, &mut printer).map_err(cannot)?;
    printer.end(&end, file.length().map_err(cannot)?);
    let Some(damage) = &end.damage else {
        return Ok(DONE);
    };
    output.note(&format!(
        "estreat: {path}: damage at byte {}: {damage}. What is behind it is not shown; `estreat \
         verify` on the log's folder tells a torn tail from an alteration",
        end.offset
    ));
    Ok(FOUND)
}

/// Where printing ended. `damage` is absent where the file simply ends.
struct End {
    offset: u64,
    closed: bool,
    damage: Option<Damage>,
}

/// Prints link by link, one frame in memory at a time.
fn print_links(
    file: &Snapshot,
    header: &Header,
    printer: &mut Printer<'_>,
) -> std::io::Result<End> {
    let log_id = header.fixed.log_id();
    let mut offset = header.length as u64;
    let mut closed = false;
    loop {
        // A payload that was changed hides nothing of its link.
        let (link, length, whole) = match read_frame(file, offset, &log_id, true)? {
            Found::Frame(frame) => (frame.link, frame.payload_length, true),
            Found::Damage(Damage::Digest, Some(link)) => {
                let length = link.payload().map_or(0, |(length, _)| length as usize);
                (*link, length, false)
            }
            Found::End => {
                return Ok(End {
                    offset,
                    closed,
                    damage: None,
                });
            }
            Found::Damage(damage, _) => {
                return Ok(End {
                    offset,
                    closed,
                    damage: Some(damage),
                });
            }
        };
        let bytes = link.encode();
        printer.link(offset, &link, Digest::leaf(&[&bytes]), length, whole);
        if !whole {
            return Ok(End {
                offset,
                closed,
                damage: Some(Damage::Digest),
            });
        }
        closed = matches!(link.body, Body::Close(_));
        offset += (FRAME_HEAD_BYTES + bytes.len() + length) as u64;
    }
}

/// Prints for people, or one JSON object piece by piece: a segment may have many links.
struct Printer<'o> {
    output: &'o Output,
    any: bool,
}

impl Printer<'_> {
    /// The header. The wrapped key is not printed: only the id of the KEK that opens it.
    fn header(&mut self, header: &Header, from_key_file: bool) {
        let fixed = &header.fixed;
        let fields = [
            (
                "origin",
                json!(crate::finding::printable(fixed.origin.as_str())),
            ),
            ("log_id", json!(fixed.log_id().to_string())),
            ("segment", json!(fixed.segment)),
            ("first_link", json!(fixed.first_link)),
            ("first_entry", json!(fixed.first_entry)),
            ("previous", json!(fixed.previous.to_string())),
            ("created_at", json!(fixed.created_at.to_string())),
            ("kek_id", json!(header.wrapped.kek_id.to_string())),
            ("key_part_from_key_file", json!(from_key_file)),
            ("header_digest", json!(header.digest.to_string())),
            ("header_length", json!(header.length)),
        ];
        if self.output.json {
            self.output
                .line(&format!("{{\"header\":{},\"links\":[", object(&fields)));
        } else {
            self.fields(&fields);
        }
    }

    /// A link; `whole` says whether its payload has the digest that it states.
    fn link(&mut self, offset: u64, link: &Link, hash: Digest, payload: usize, whole: bool) {
        let head = &link.head;
        let mut fields = vec![
            ("link", json!(head.number)),
            ("kind", json!(kind_name(link.kind()))),
            ("offset", json!(offset)),
            ("hash", json!(hash.to_string())),
            ("previous", json!(head.previous.to_string())),
            ("segment", json!(head.segment)),
            ("committed_at", json!(head.committed_at.to_string())),
            ("sync_position", json!(head.sync_position)),
        ];
        body_fields(&link.body, &mut fields);
        fields.push(("payload_length", json!(payload)));
        fields.push(("payload_whole", json!(whole)));
        if self.output.json {
            // One link a line: a segment may have very many.
            let comma = if self.any { "," } else { "" };
            self.output.line(&format!("{comma}{}", object(&fields)));
        } else {
            self.output.line("");
            self.fields(&fields);
        }
        self.any = true;
    }

    /// How the file ends.
    fn end(&mut self, end: &End, length: u64) {
        let damage = end.damage.as_ref().map(ToString::to_string);
        if self.output.json {
            let fields = [
                ("offset", json!(end.offset)),
                ("file_length", json!(length)),
                ("closed", json!(end.closed)),
                ("damage", json!(damage)),
            ];
            self.output
                .line(&format!("],\"end\":{}}}", object(&fields)));
            return;
        }
        self.output.line("");
        match (&damage, end.closed) {
            (Some(damage), _) => self.output.line(&format!(
                "DAMAGE at byte {} of {length}: {damage}",
                end.offset
            )),
            (None, true) => self.output.line(&format!("closed; {length} bytes")),
            (None, false) => self
                .output
                .line(&format!("active, no close link yet; {length} bytes")),
        }
    }

    /// A line a field, for people.
    fn fields(&mut self, fields: &[(&str, Value)]) {
        for (name, value) in fields {
            match value {
                Value::String(text) => self.output.line(&format!("{name:<24}{text}")),
                other => self.output.line(&format!("{name:<24}{other}")),
            }
        }
    }
}

/// What only a link of this kind says.
fn body_fields(body: &Body, fields: &mut Vec<(&'static str, Value)>) {
    match body {
        Body::Batch(body) => fields.extend([
            ("first_entry", json!(body.first_entry)),
            ("entry_count", json!(body.entry_count)),
            ("entries_root", json!(body.entries_root.to_string())),
            ("earliest", json!(body.earliest.to_string())),
            ("latest", json!(body.latest.to_string())),
            ("payload_digest", json!(body.payload_digest.to_string())),
        ]),
        Body::Close(body) => fields.extend([
            ("first_link", json!(body.first_link)),
            ("first_entry", json!(body.first_entry)),
            ("entry_count", json!(body.entry_count)),
            ("earliest", json!(body.earliest.to_string())),
            ("latest", json!(body.latest.to_string())),
            ("subject_count", json!(body.subject_count)),
            ("subjects_root", json!(body.subjects_root.to_string())),
            ("index_key", json!(hex::encode(body.index_key))),
            ("payload_digest", json!(body.payload_digest.to_string())),
            ("header_digest", json!(body.header_digest.to_string())),
        ]),
        Body::Reserved { bytes, .. } => fields.push(("body_length", json!(bytes.len()))),
    }
}

/// The word for a kind of link, as the format numbers them.
fn kind_name(kind: u8) -> &'static str {
    match kind {
        1 => "batch",
        2 => "close",
        3 => "erasure",
        _ => "disposition",
    }
}

/// An object in the order of its fields.
fn object(fields: &[(&str, Value)]) -> String {
    let members: Vec<String> = fields
        .iter()
        .map(|(name, value)| format!("\"{name}\":{value}"))
        .collect();
    format!("{{{}}}", members.join(","))
}
