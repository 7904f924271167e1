//! manifest.json: what was asked, by whom, why, when, and the hash of every other file.
//!
//! Unlike proof.json it may have more names than these, so that a later writer can say more to
//! people; an older verifier passes over them. But no name stands twice at any depth, read or not:
//! two readers that take different ones would see two manifests under one signature.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::report::Question;
use crate::digest::Digest;
use crate::ids::SubjectId;
use crate::strict::{NamesOnce, nullable, optional};
use crate::time::Timestamp;

/// The file's name.
pub const MANIFEST: &str = "manifest.json";
/// The name of the note that signs it.
pub const MANIFEST_NOTE: &str = "manifest.note";

/// It stands in the manifest and, by itself, as the first line of the note's text, so that the
/// signature of a note of any other kind cannot be used as one of this.
const FORMAT: &str = "estreat-bundle/1";

/// A manifest; its fields stand in the order in which they are written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    format: String,
    /// The data subject.
    /// As it was asked for, byte for byte. Printed before anything else.
    pub subject: String,
    /// From this event time on, in an entry's form.
    #[serde(deserialize_with = "nullable")]
    pub from: Option<String>,
    /// Before this event time.
    #[serde(deserialize_with = "nullable")]
    pub to: Option<String>,
    /// The logs' folders.
    /// Each names a folder under `logs/`, once.
    pub logs: Vec<String>,
    /// Why it was asked.
    /// Kept, as `requested_by` is, for accountability (GDPR Article 5(2)); nothing proves it but
    /// the note's signature.
    pub purpose: String,
    /// Who asked.
    pub requested_by: String,
    /// When the bundle was made.
    pub created_at: String,
    /// Lower-case hex SHA-256 of every file but this and its note.
    pub files: BTreeMap<String, String>,
    /// Verifier keys of the server and its logs, for people to compare: no proof of anything.
    #[serde(
        default,
        deserialize_with = "optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub keys: Option<Vec<String>>,
    /// The language of the report (BCP 47). It is written for people; nothing is read from it.
    #[serde(skip_deserializing)]
    language: &'static str,
    /// The time zone in which the range was asked for; written for people.
    #[serde(skip_deserializing)]
    time_zone: String,
    /// The decisions to withhold entries; written for people.
    #[serde(skip_deserializing, skip_serializing_if = "Vec::is_empty")]
    withheld: Vec<WithheldEntry>,
}

/// A decision to withhold an entry on a ground of law.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WithheldEntry {
    /// The log.
    pub log: String,
    /// The entry's index in it.
    pub entry: u64,
    /// The ground.
    pub ground: String,
    /// Who decided, by role and pseudonym.
    pub decided_by: String,
}

/// What the writer of a bundle says of it.
#[derive(Debug, Clone)]
pub struct About {
    /// The question that the bundle answers.
    pub question: Question,
    /// Why it was asked.
    pub purpose: String,
    /// Who asked.
    pub requested_by: String,
    /// When the bundle is made.
    pub created_at: Timestamp,
    /// Verifier keys of the server and its logs.
    pub keys: Vec<String>,
    /// The language of the report (BCP 47).
    pub language: &'static str,
    /// The time zone in which the range was asked for.
    pub time_zone: String,
    /// The decisions to withhold entries.
    pub withheld: Vec<WithheldEntry>,
}

impl Manifest {
    /// The manifest of a bundle with these files.
    pub fn new(about: &About, files: BTreeMap<String, String>) -> Self {
        let About {
            question,
            purpose,
            requested_by,
            created_at,
            keys,
            language,
            time_zone,
            withheld,
        } = about;
        Self {
            format: FORMAT.to_owned(),
            subject: question.subject.expose().to_owned(),
            from: question.from.map(|time| time.to_string()),
            to: question.to.map(|time| time.to_string()),
            logs: question.logs.clone(),
            purpose: purpose.clone(),
            requested_by: requested_by.clone(),
            created_at: created_at.to_string(),
            files,
            keys: (!keys.is_empty()).then(|| keys.clone()),
            language,
            time_zone: time_zone.clone(),
            withheld: withheld.clone(),
        }
    }

    /// Reads a manifest; the reason, in words, if it is none.
    /// What is checked here is the form alone; what the names lead to is step 1's.
    pub fn decode(bytes: &[u8]) -> Result<Self, String> {
        // A derived struct would take an unknown name twice, at any depth.
        serde_json::from_slice::<NamesOnce>(bytes).map_err(|error| error.to_string())?;
        // serde would take an array of the fields' values too.
        if bytes.trim_ascii_start().first() != Some(&b'{') {
            return Err("not an object".to_owned());
        }
        let manifest: Self = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        if manifest.format != FORMAT {
            return Err(format!(
                "the format is {:?}, not {FORMAT:?}",
                manifest.format
            ));
        }
        if let Some((name, _)) = manifest
            .files
            .iter()
            .find(|(_, hash)| digest(hash).is_none())
        {
            return Err(format!(
                "the hash of {name:?} is not 64 lower-case hexadecimal digits"
            ));
        }
        Ok(manifest)
    }

    /// The question; `None` if `from` or `to` is not a time in an entry's form.
    pub fn question(&self) -> Option<Question> {
        Some(Question {
            subject: SubjectId::new(&self.subject),
            from: bound(self.from.as_deref())?,
            to: bound(self.to.as_deref())?,
            logs: self.logs.clone(),
        })
    }

    /// Names and hashes of the files.
    pub fn digests(&self) -> impl Iterator<Item = (&str, Digest)> {
        // Every hash was read when the manifest was.
        self.files
            .iter()
            .filter_map(|(name, hash)| Some((&**name, digest(hash)?)))
    }
}

/// The text that manifest.note signs.
/// Over the file's bytes, not over what they mean: no canonical form of JSON is needed.
pub fn note_text(manifest: &[u8]) -> String {
    format!("{FORMAT}\n{}\n", Digest::of(&[manifest]))
}

/// An end of the range: open, or a time; `None` if it is neither.
fn bound(text: Option<&str>) -> Option<Option<Timestamp>> {
    match text {
        None => Some(None),
        Some(text) => Timestamp::parse_canonical(text.as_bytes()).map(Some),
    }
}

/// Lower-case only: a digest has one way of being written.
fn digest(hash: &str) -> Option<Digest> {
    let mut bytes = [0; 32];
    hex::decode_to_slice(hash, &mut bytes).ok()?;
    let digest = Digest(bytes);
    (digest.to_string() == hash).then_some(digest)
}
