//! Ids that look like one asked for: what a person mistypes. Ids are compared as bytes, so that
//! another form of one is another person; this finds such forms that entries name.

use unicode_normalization::UnicodeNormalization as _;

use super::content::Content;
use crate::audit::access::{self, Reading};
use crate::audit::{Audit, AuditError, Caller};
use crate::ids::SubjectId;
use crate::limits::{MAX_EVENT_SUBJECTS, MAX_LOOKALIKES};

impl Audit {
    /// Looks for forms of some ids of a case; those that entries name. It looks through all logs of
    /// the case, whatever its filter names: each that asks for a case number is to have one. It is
    /// in `_access` before, as a search for each.
    pub(super) async fn find_alike(
        &self,
        caller: &Caller,
        content: &Content,
        ids: &[String],
    ) -> Result<Vec<String>, AuditError> {
        let (logs, purpose) = (self.case_logs(caller, content)?, content.purpose());
        for log in &logs {
            self.require_case(&log.name, &purpose).await?;
        }
        let mut wanted: Vec<SubjectId> = Vec::new();
        for id in ids.iter().flat_map(|id| forms(id)) {
            // A form may be longer than an id can be: nothing names that one.
            let Ok(subject) = access::subject(&id) else {
                continue;
            };
            if !content.subjects.contains(&id) && !wanted.contains(&subject) {
                wanted.push(subject);
            }
        }
        for subjects in wanted.chunks(MAX_EVENT_SUBJECTS) {
            let reading = Reading {
                operation: "search",
                subjects: subjects.to_vec(),
                purpose: Some(purpose.clone()),
                what: serde_json::json!({"look_alikes": true}),
            };
            self.record(caller, &reading).await?;
        }
        let mut named = vec![false; wanted.len()];
        for log in &logs {
            self.note_named(log, &wanted, &mut named).await?;
        }
        let found = wanted.iter().zip(named).filter(|(_, named)| *named);
        Ok(found
            .map(|(subject, _)| subject.expose().to_owned())
            .collect())
    }
}

/// Other forms of an id, at most [`MAX_LOOKALIKES`]: without edge spaces or with one, in capitals
/// or small letters, in the Unicode forms NFC, NFD and NFKC (UAX #15).
fn forms(id: &str) -> Vec<String> {
    let bare = id.trim();
    let cases = [
        bare.to_owned(),
        bare.to_lowercase(),
        bare.to_uppercase(),
        capitalised(bare),
    ];
    let mut forms = Vec::new();
    for text in cases {
        forms.push(text.nfc().collect());
        forms.push(text.nfd().collect());
        forms.push(text.nfkc().collect());
        forms.push(text);
    }
    forms.extend([format!("{bare} "), format!(" {bare}")]);
    let mut kept: Vec<String> = Vec::new();
    for form in forms {
        if form != id && !form.is_empty() && !kept.contains(&form) {
            kept.push(form);
        }
    }
    // Unicode may one day give more; the bound is what `_access` and the time of a search can take.
    kept.truncate(MAX_LOOKALIKES);
    kept
}

/// The first letter large, the others small.
fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first
        .chain(letters.as_str().to_lowercase().chars())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::forms;

    #[test]
    fn what_a_person_mistypes_is_among_the_forms() {
        let has = |id: &str, form: &str| {
            let forms = forms(id);
            assert!(forms.iter().any(|it| it == form), "{id:?}: {forms:?}");
            assert!(!forms.iter().any(|it| it == id), "{id:?} itself");
        };
        has(" user_17", "user_17");
        has("user_17", "user_17 ");
        has("User_17", "user_17");
        has("alice", "Alice");
        has("alice", "ALICE");
        has("Jos\u{e9}", "Jose\u{301}");
        has("Jose\u{301}", "Jos\u{e9}");
        has("\u{fb01}nn", "finn");
        has("\u{df}", "SS");
    }

    #[test]
    fn forms_are_few_and_each_stands_once() {
        for id in ["", " ", "17", "\u{fdfa}\u{1e9b}\u{323}İ", "Aé ﬁ\u{301}"] {
            let forms = forms(id);
            assert!(forms.len() <= super::MAX_LOOKALIKES, "{id:?}");
            let mut once = forms.clone();
            once.sort();
            once.dedup();
            assert_eq!(once.len(), forms.len(), "{id:?}");
        }
    }
}
