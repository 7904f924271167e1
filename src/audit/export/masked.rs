//! The person's copy of entries that name others: what was done with their data, without the
//! others. Signed with the bundle, but in its masked content not provable.
//!
//! The fields that it keeps are those that GDPR Art. 15(1) asks for: purposes, categories,
//! recipients and source; it is a list of what goes in, so that a field that comes later stays out.

use serde_json::{Map, Value};

use crate::event::View;

/// A masked entry as a line of JSON: the subject, what was done, why and to whom data went; staff
/// by role, no other person, no resource and no payload.
pub fn line(log: &str, entry: u64, view: &View<'_>, subject: &str) -> Vec<u8> {
    let mut masked = Map::new();
    masked.insert("log".into(), log.into());
    masked.insert("entry".into(), entry.into());
    masked.insert("time".into(), view.time.to_string().into());
    masked.insert("data_subject".into(), subject.into());
    let fields = [
        ("operation", &view.operation),
        ("outcome", &view.outcome),
        ("source", &view.source),
        ("actor_role", &view.actor_role),
        ("controller", &view.controller),
        ("processor", &view.processor),
        ("recipient", &view.recipient),
        ("purpose", &view.purpose),
        ("lawful_basis", &view.lawful_basis),
    ];
    for (name, value) in fields {
        if let Some(value) = value {
            masked.insert(name.into(), value.as_ref().into());
        }
    }
    if !view.data_categories.is_empty() {
        let categories = view.data_categories.iter().map(AsRef::<str>::as_ref);
        masked.insert("data_categories".into(), Value::from_iter(categories));
    }
    let hidden =
        view.subjects().filter(|name| *name != subject).count() + usize::from(view.actor.is_some());
    masked.insert("masked".into(), Value::from(hidden));
    let mut line = Value::Object(masked).to_string().into_bytes();
    line.push(b'\n');
    line
}
