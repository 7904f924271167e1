//! `estreat inspect --data`: the segments of a data folder, a line each, without any key.

use std::io;
use std::path::Path;

use serde_json::json;

use super::object;
use crate::chain::Body;
use crate::cli::{DONE, FOUND, Failure, Output};
use crate::format::frame::{Found, ReadAt as _, read_frame};
use crate::format::header::segment_name;
use crate::ids::{LogName, SegmentNumber};
use crate::store::{DataFolder, LogFolder};
use crate::verifier::{LogFiles as _, read_header};

/// Prints each segment of each log, up to its end or to damage. Links are read, payloads are not:
/// whether they are whole is what `estreat verify` finds.
pub fn run(folder: &Path, output: &Output) -> Result<u8, Failure> {
    let cannot = |error| Failure::new(format!("cannot read {}: {error}", folder.display()));
    let logs = DataFolder::new(folder).logs();
    if !logs.is_dir() {
        let folder = folder.display();
        return Err(Failure::new(format!(
            "{folder} is no data folder: it has no logs"
        )));
    }
    let mut damaged = false;
    for name in DataFolder::new(folder).log_names().map_err(cannot)? {
        let log = LogFolder::new(&logs.join(name.as_str()));
        for number in log.list().map_err(cannot)?.segments {
            let segment = Segment::read(&log, number).map_err(cannot)?;
            damaged |= segment.damage.is_some();
            segment.print(&name, number, output);
        }
    }
    if damaged {
        output.note(
            "estreat: some segments are damaged; `estreat verify` on the folder tells a torn tail \
             from an alteration",
        );
        return Ok(FOUND);
    }
    Ok(DONE)
}

/// What a segment's header and links say of it. Counted from the links; of a damaged one, up to the
/// damage.
#[derive(Default)]
struct Segment {
    first_link: u64,
    links: u64,
    first_entry: u64,
    entries: u64,
    bytes: u64,
    created_at: String,
    closed: bool,
    damage: Option<String>,
}

impl Segment {
    /// Reads a segment's header and links; the file may grow meanwhile, which is as good as its
    /// end.
    fn read(log: &LogFolder, number: SegmentNumber) -> io::Result<Self> {
        let file = log.open(number)?;
        let key_part = log.key_part(number)?;
        let mut segment = Self {
            bytes: file.length()?,
            ..Self::default()
        };
        let header = match read_header(&file, key_part.as_deref())? {
            Ok(header) => header,
            Err(error) => {
                segment.damage = Some(format!("no header: {error}"));
                return Ok(segment);
            }
        };
        let log_id = header.fixed.log_id();
        segment.first_link = header.fixed.first_link;
        segment.first_entry = header.fixed.first_entry;
        segment.created_at = header.fixed.created_at.to_string();
        let mut offset = header.length as u64;
        loop {
            match read_frame(&file, offset, &log_id, false)? {
                Found::End => return Ok(segment),
                Found::Damage(damage, _) => {
                    segment.damage = Some(format!("at byte {offset}: {damage}"));
                    return Ok(segment);
                }
                Found::Frame(frame) => {
                    offset = frame.end();
                    segment.links += 1;
                    match &frame.link.body {
                        Body::Batch(body) => segment.entries += u64::from(body.entry_count),
                        Body::Close(_) => segment.closed = true,
                        Body::Reserved { .. } => {}
                    }
                }
            }
        }
    }

    /// A line for people, or an object for machines.
    fn print(&self, log: &LogName, number: SegmentNumber, output: &Output) {
        let state = match (&self.damage, self.closed) {
            (Some(_), _) => "damaged",
            (None, true) => "closed",
            (None, false) => "active",
        };
        if output.json {
            // One segment a line: a folder may have very many.
            output.line(&object(&[
                ("log", json!(log.as_str())),
                ("segment", json!(number)),
                ("first_link", json!(self.first_link)),
                ("links", json!(self.links)),
                ("first_entry", json!(self.first_entry)),
                ("entries", json!(self.entries)),
                ("bytes", json!(self.bytes)),
                ("created_at", json!(self.created_at)),
                ("state", json!(state)),
                ("damage", json!(self.damage)),
            ]));
            return;
        }
        let file = format!("{}/segments/{}", log.as_str(), segment_name(number));
        output.line(&format!(
            "{file}  {state}  {} links from {}, {} entries from {}, {} bytes, begun {}",
            self.links,
            self.first_link,
            self.entries,
            self.first_entry,
            self.bytes,
            self.created_at
        ));
        if let Some(damage) = &self.damage {
            output.line(&format!("  DAMAGE {damage}"));
        }
    }
}
