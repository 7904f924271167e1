//! proof.json: the hashes that connect a log's entries in the bundle with its checkpoint.
//!
//! Reading is strict: no other names, none twice, none left out, integers below 2^53 as
//! digits, canonical base64 of the right lengths. What the values mean is the verifier's.
//!
//! The verifier in the browser (`verify.html`) reads the same file: whatever one of them takes and
//! the other refuses would be a bundle with two verdicts. So nothing is left to be guessed, and no
//! value has a second way of being written.

use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};

use crate::base64;
use crate::digest::{Digest, Salt};
use crate::format::subject_index::{Absent, Claim, Present};
use crate::ids::LinkNumber;
use crate::merkle::PartialTree;
use crate::strict::{Number, Object, nullable, number, objects, optional};
use crate::vrf::PROOF_BYTES;

/// The value of "format".
pub(super) const FORMAT: &str = "estreat-proof/1";

/// A whole proof.json.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proof {
    /// Must be `estreat-proof/1`; the verifier compares it, so that another version is a finding of
    /// step 3 and not a riddle of later steps.
    pub(super) format: String,
    /// The log's origin.
    pub origin: String,
    /// The data subject.
    pub subject: String,
    /// From this event time on.
    /// Text, since the verifier must say "a range that is none" where it is no time.
    #[serde(deserialize_with = "nullable")]
    pub from: Option<String>,
    /// Before this event time.
    #[serde(deserialize_with = "nullable")]
    pub to: Option<String>,
    /// Text of checkpoint.txt.
    /// Repeated here byte for byte, so that a proof cannot be set under another checkpoint of the
    /// same log.
    pub checkpoint: String,
    /// The VRF proof of the subject's tags; none if no segment is closed.
    /// One for all segments: the output is the subject's in this log, and each tag follows from it.
    #[serde(deserialize_with = "nullable")]
    pub tag_proof: Option<TagProof>,
    /// Every close link, the links of the batches shown, and the last link.
    #[serde(deserialize_with = "objects")]
    pub links: Vec<ShownLink>,
    /// Partial log tree.
    pub tree: PartialTree,
    /// Batches of which entries are shown.
    #[serde(deserialize_with = "objects")]
    pub batches: Vec<BatchProof>,
    /// What the subject indexes say.
    #[serde(deserialize_with = "objects")]
    pub segments: Vec<SegmentProof>,
}

/// A VRF proof.
/// 80 bytes, fixed when read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TagProof(#[serde(with = "base64::json")] pub [u8; PROOF_BYTES]);

/// A link's bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShownLink {
    /// Its number.
    #[serde(deserialize_with = "number")]
    pub number: LinkNumber,
    /// Its bytes.
    #[serde(with = "base64::json")]
    pub bytes: Vec<u8>,
}

/// A batch of which entries are shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BatchProof {
    /// Its link.
    #[serde(deserialize_with = "number")]
    pub link: LinkNumber,
    /// The entries, ascending.
    #[serde(deserialize_with = "objects")]
    pub entries: Vec<EntryProof>,
    /// Partial batch tree.
    pub tree: PartialTree,
}

/// An entry of a batch.
/// It has exactly one of two forms: line and salt, or leaf and because.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "EntryForm", into = "EntryForm")]
pub struct EntryProof {
    /// Its position in the batch.
    pub position: u64,
    /// How it is shown.
    pub shown: Shown,
}

/// How an entry is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// As a line of entries.ndjson.
    Line {
        /// Number of the line, from 0.
        line: u64,
        /// The entry's salt.
        /// It is shown for shown entries only: with the leaf, it would test guesses at a withheld
        /// one.
        salt: Salt,
    },
    /// By its leaf alone.
    Leaf {
        /// The leaf.
        /// The verifier takes it as the known leaf of its position; the batch's root vouches for
        /// it.
        leaf: Digest,
        /// Why.
        /// The sender's word: no hash says why.
        because: Because,
    },
}

/// Why an entry has no line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", try_from = "String")]
pub enum Because {
    /// It names other people, or there is another ground of law.
    /// The GDPR leaves other people's rights to be weighed (Article 15(4)).
    Withheld,
    /// It was erased.
    Erased,
}

/// A derived enum would be read from an object too.
impl TryFrom<String> for Because {
    type Error = &'static str;

    fn try_from(word: String) -> Result<Self, Self::Error> {
        match word.as_str() {
            "withheld" => Ok(Self::Withheld),
            "erased" => Ok(Self::Erased),
            _ => Err("an entry without a line is withheld or erased"),
        }
    }
}

/// What the subject index of a closed segment says.
/// It has exactly one of two forms: present, or absent.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "SegmentForm")]
pub struct SegmentProof {
    /// The segment's close link.
    pub close_link: LinkNumber,
    /// The list, or that there is none.
    pub claim: Claim,
    /// Partial tree of the subject index.
    pub tree: PartialTree,
}

// ── The forms in JSON ───────────────────────────────────────────────────────────────────

/// As it stands in JSON: read in any order, written in this one.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryForm {
    #[serde(
        default,
        deserialize_with = "optional",
        skip_serializing_if = "Option::is_none"
    )]
    line: Option<Number>,
    position: Number,
    #[serde(
        default,
        deserialize_with = "optional",
        skip_serializing_if = "Option::is_none"
    )]
    salt: Option<SaltForm>,
    #[serde(
        default,
        deserialize_with = "optional",
        skip_serializing_if = "Option::is_none"
    )]
    leaf: Option<LeafForm>,
    #[serde(
        default,
        deserialize_with = "optional",
        skip_serializing_if = "Option::is_none"
    )]
    because: Option<Because>,
}

/// 16 bytes, or nothing is read.
#[derive(Serialize, Deserialize)]
struct SaltForm(#[serde(with = "base64::json")] Salt);

/// 32 bytes, or nothing is read.
#[derive(Serialize, Deserialize)]
struct LeafForm(#[serde(with = "base64::json")] Digest);

impl TryFrom<EntryForm> for EntryProof {
    type Error = &'static str;

    fn try_from(form: EntryForm) -> Result<Self, Self::Error> {
        let shown = match (form.line, form.salt, form.leaf, form.because) {
            (Some(Number(line)), Some(SaltForm(salt)), None, None) => Shown::Line { line, salt },
            (None, None, Some(LeafForm(leaf)), Some(because)) => Shown::Leaf { leaf, because },
            _ => return Err("an entry has line and salt, or leaf and because"),
        };
        let position = form.position.0;
        Ok(Self { position, shown })
    }
}

impl From<EntryProof> for EntryForm {
    fn from(entry: EntryProof) -> Self {
        let mut form = Self {
            line: None,
            position: Number(entry.position),
            salt: None,
            leaf: None,
            because: None,
        };
        match entry.shown {
            Shown::Line { line, salt } => {
                form.line = Some(Number(line));
                form.salt = Some(SaltForm(salt));
            }
            Shown::Leaf { leaf, because } => {
                form.leaf = Some(LeafForm(leaf));
                form.because = Some(because);
            }
        }
        form
    }
}

/// As it stands in JSON, for reading; writing is by hand, since one of two names is left out.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SegmentForm {
    close_link: Number,
    #[serde(default, deserialize_with = "optional")]
    present: Option<Object<Present>>,
    #[serde(default, deserialize_with = "optional")]
    absent: Option<Object<Absent>>,
    tree: PartialTree,
}

impl TryFrom<SegmentForm> for SegmentProof {
    type Error = &'static str;

    fn try_from(form: SegmentForm) -> Result<Self, Self::Error> {
        let claim = match (form.present, form.absent) {
            (Some(Object(present)), None) => Claim::Present(present),
            (None, Some(Object(absent))) => Claim::Absent(absent),
            _ => return Err("a segment has either present or absent"),
        };
        let (close_link, tree) = (form.close_link.0, form.tree);
        Ok(Self {
            close_link,
            claim,
            tree,
        })
    }
}

impl Serialize for SegmentProof {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut form = serializer.serialize_struct("SegmentProof", 3)?;
        form.serialize_field("close_link", &self.close_link)?;
        match &self.claim {
            Claim::Present(present) => form.serialize_field("present", present)?,
            Claim::Absent(absent) => form.serialize_field("absent", absent)?,
        }
        form.serialize_field("tree", &self.tree)?;
        form.end()
    }
}
