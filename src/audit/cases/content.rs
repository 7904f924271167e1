//! What a case is about, and how it rests: sealed under a key of its own, which the KEK wraps.
//! A page's place in the results is sealed under the same key, so that a URL says nothing.
//!
//! The additional data of every sealing names the case and what it is, so that nobody who can write
//! to `state.db` puts one case's content, or one's page, in another's place.

use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use super::CaseFilter;
use crate::audit::window::{KEY_BYTES, Key};
use crate::audit::{Audit, AuditError, Caller};
use crate::envelope::{Dek, NONCE_BYTES, Wrapped};
use crate::ids::{CaseId, LogName};
use crate::limits::CASE_PAGES_BACK;
use crate::random;
use crate::state::{CaseRow, Role};

/// Bound into the wrapping of a case's key: the KEK wraps other keys too.
const KEY_CONTEXT: &[u8] = b"estreat/case-key/v1";

/// What a case is about. Rests as JSON; a field that is added must have a default, or cases of
/// before cannot be opened.
#[derive(Clone, Serialize, Deserialize)]
pub struct Content {
    /// Ids of one person.
    pub subjects: Vec<String>,
    pub purpose: String,
    pub case: Option<String>,
    /// The logs that it may see, which are its maker's; all, if absent.
    pub scope: Option<Vec<String>>,
    pub filter: CaseFilter,
    /// Ids that could be meant as well, and that entries name.
    pub alike: Vec<String>,
    pub exports: Vec<Started>,
}

/// An export that was started from the case.
#[derive(Clone, Serialize, Deserialize)]
pub struct Started {
    pub subject: String,
    pub export: String,
}

impl Content {
    /// Whether a log lies in its scope.
    pub fn covers(&self, log: &LogName) -> bool {
        let scope = self.scope.as_ref();
        scope.is_none_or(|scope| scope.iter().any(|name| name == log.as_str()))
    }

    /// Whether a caller may see it: an auditor who covers all its logs.
    pub fn allows(&self, caller: &Caller) -> bool {
        let token = caller.token();
        let covers = |name: &String| LogName::new(name).is_ok_and(|log| token.covers(&log));
        let all = match &self.scope {
            Some(scope) => scope.iter().all(covers),
            None => token.logs.is_none(),
        };
        caller.role() == Role::Auditor && all
    }
}

/// A case, open.
pub struct OpenCase {
    pub row: CaseRow,
    pub content: Content,
    key: CaseKey,
}

/// The key of a case. It leaves memory with the case; the wrapped one goes from `state.db` when the
/// case is closed, and with it every copy of the content becomes unreadable.
struct CaseKey(Dek);

impl Audit {
    /// Makes a case of its content, not kept yet.
    pub(super) fn new_case(
        &self,
        caller: &Caller,
        content: Content,
    ) -> Result<OpenCase, AuditError> {
        let random = &*self.parts.random;
        let id = CaseId(random::bytes(random));
        let bytes: Zeroizing<[u8; 32]> = Zeroizing::new(random::bytes(random));
        let wrapped = self
            .parts
            .keyring
            .kek
            .wrap(&bytes, &context(id), random::bytes(random))
            .map_err(internal)?;
        let row = CaseRow {
            id,
            token: caller.id(),
            created_at: self.now(),
            key: wrapped.encode(),
            content: Vec::new(),
            version: 0,
        };
        let mut case = OpenCase {
            row,
            content,
            key: CaseKey(Dek::from_bytes(bytes)),
        };
        case.row.content = self.seal_content(&case)?;
        Ok(case)
    }

    /// Opens a case that rests.
    pub(super) fn open_case(&self, row: CaseRow) -> Result<OpenCase, AuditError> {
        let form = row.key.as_slice().try_into().map_err(internal)?;
        let wrapped = Wrapped::decode(form).map_err(internal)?;
        let kek = &self.parts.keyring.kek;
        let key = kek.unwrap(&wrapped, &context(row.id)).map_err(internal)?;
        let key = CaseKey(Dek::from_bytes(key));
        let text = key.0.open(&place(row.id, "content"), &row.content);
        let text = Zeroizing::new(text.map_err(internal)?);
        let content = serde_json::from_slice(&text).map_err(internal)?;
        Ok(OpenCase { row, content, key })
    }

    /// Seals a case's content anew.
    pub(super) fn seal_content(&self, case: &OpenCase) -> Result<Vec<u8>, AuditError> {
        let text = serde_json::to_vec(&case.content).map_err(internal)?;
        self.seal(case, "content", &Zeroizing::new(text))
    }

    /// Seals a page's place, for a URL.
    pub(super) fn seal_trail(&self, case: &OpenCase, trail: &Trail) -> Result<String, AuditError> {
        self.seal(case, "page", &trail.to_bytes()).map(hex::encode)
    }

    /// Seals a text of a case as what it is, under a random nonce: nonce, then ciphertext with its
    /// tag.
    fn seal(&self, case: &OpenCase, what: &str, text: &[u8]) -> Result<Vec<u8>, AuditError> {
        let mut buffer = vec![0; NONCE_BYTES];
        buffer.extend_from_slice(text);
        let nonce = random::bytes(&*self.parts.random);
        let sealed = case
            .key
            .0
            .seal(&nonce, &place(case.row.id, what), &mut buffer);
        sealed.map_err(internal)?;
        Ok(buffer)
    }
}

impl OpenCase {
    /// A page's place, as a URL has it.
    pub fn trail(&self, sealed: Option<&str>) -> Result<Trail, AuditError> {
        let Some(sealed) = sealed else {
            return Ok(Trail::default());
        };
        let read = || {
            let sealed = hex::decode(sealed).ok()?;
            let opened = self.key.0.open(&place(self.row.id, "page"), &sealed);
            Trail::from_bytes(&opened.ok()?)
        };
        read().ok_or(AuditError::NotFound("thing-case-page"))
    }
}

/// Where a page of the results begins, and some of those before it.
#[derive(Clone, Default)]
pub struct Trail {
    /// Pages before it.
    pub before: u32,
    /// Behind which result each page begins, this one last; empty for the first page.
    keys: Vec<Key>,
}

impl Trail {
    /// Behind which result the page begins.
    pub fn after(&self) -> Option<Key> {
        self.keys.last().copied()
    }

    /// The page that begins behind a result of this one.
    pub fn next(&self, key: Key) -> Self {
        let mut keys = self.keys.clone();
        keys.push(key);
        let skipped = keys.len().saturating_sub(CASE_PAGES_BACK);
        Self {
            before: self.before.saturating_add(1),
            keys: keys.split_off(skipped),
        }
    }

    /// The page before, if its place is known; the first page's is.
    pub fn previous(&self) -> Option<Self> {
        let (_, keys) = self.keys.split_last()?;
        let before = self.before.checked_sub(1)?;
        (before == 0 || !keys.is_empty()).then(|| Self {
            before,
            keys: keys.to_vec(),
        })
    }

    /// The number of pages before, 4 bytes, then each key; at most 260 bytes.
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.before.to_be_bytes().to_vec();
        self.keys
            .iter()
            .for_each(|key| bytes.extend(key.to_bytes()));
        bytes
    }

    /// What `to_bytes` has made. It was sealed by this server, so anything else is damage.
    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (before, keys) = bytes.split_first_chunk::<4>()?;
        let (keys, []) = keys.as_chunks::<KEY_BYTES>() else {
            return None;
        };
        let keys: Option<Vec<Key>> = keys.iter().map(Key::from_bytes).collect();
        Some(Self {
            before: u32::from_be_bytes(*before),
            keys: keys?,
        })
    }
}

/// What the wrapping of a case's key is bound to.
fn context(id: CaseId) -> Vec<u8> {
    [KEY_CONTEXT, &id.0].concat()
}

/// What a sealing is bound to.
fn place(id: CaseId, what: &str) -> Vec<u8> {
    format!("estreat/case/{id}/{what}").into_bytes()
}

/// Nobody outside can mend a case that does not open.
fn internal(error: impl std::fmt::Display) -> AuditError {
    AuditError::Internal(format!("a case: {error}"))
}
