//! Reads an OpenAPI description for the page.
//!
//! It reads what this server itself describes; what it does not know it leaves out.

use serde_json::{Map, Value};

/// A call.
pub struct Call {
    /// Its method, in capitals.
    pub method: String,
    /// Its path.
    pub path: String,
    /// The roles that may; empty: anyone.
    pub who: String,
    /// What it does, in one line.
    pub summary: String,
    /// And more.
    pub description: String,
    /// What stands in its path, query and headers.
    pub parameters: Vec<Parameter>,
    /// Its bodies, by content type.
    pub bodies: Vec<(String, Type)>,
    /// Its answers, by status and content type.
    pub answers: Vec<(String, Vec<(String, Type)>)>,
}

/// A parameter.
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// The key of where it stands.
    pub place: &'static str,
    /// Whether it must be there.
    pub required: bool,
    /// What it is.
    pub description: String,
}

/// A type, in words; with the schema that it names.
pub struct Type {
    /// Words before the schema's name, or all there is.
    pub words: String,
    /// A schema's name.
    pub schema: Option<String>,
}

/// A schema.
pub struct Schema {
    /// Its name.
    pub name: String,
    /// What it is.
    pub description: String,
    /// Its fields.
    pub fields: Vec<Field>,
    /// The words that it may be, if it is one of some words.
    pub words: Vec<String>,
}

/// A field of a schema.
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: Type,
    /// Whether it is always there.
    pub required: bool,
    /// What it is.
    pub description: String,
}

/// The order in which the groups of calls stand; others come behind them.
const ORDER: [&str; 8] = [
    "entries",
    "searches",
    "exports",
    "verifications",
    "logs",
    "people",
    "tokens",
    "system",
];

/// All calls, by tag.
pub fn groups(api: &Value) -> Vec<(String, Vec<Call>)> {
    let mut groups: Vec<(String, Vec<Call>)> = Vec::new();
    for (path, item) in members(&api["paths"]) {
        for (method, operation) in members(item) {
            if !operation.is_object() {
                continue;
            }
            let call = Call::of(path, method, operation);
            let tag = text(&operation["tags"][0]);
            match groups.iter_mut().find(|(name, _)| *name == tag) {
                Some((_, calls)) => calls.push(call),
                None => groups.push((tag, vec![call])),
            }
        }
    }
    groups.sort_by_key(|(tag, _)| {
        ORDER
            .iter()
            .position(|name| name == tag)
            .unwrap_or(ORDER.len())
    });
    groups
}

/// All schemas.
pub fn schemas(api: &Value) -> Vec<Schema> {
    members(&api["components"]["schemas"])
        .map(|(name, schema)| Schema::of(name, schema))
        .collect()
}

/// The roles that a call's security names.
fn who(operation: &Value) -> String {
    let roles = items(&operation["security"]).flat_map(|one| items(&one["bearer"]));
    roles.map(text).collect::<Vec<_>>().join(", ")
}

impl Call {
    /// A call, of its operation.
    fn of(path: &str, method: &str, operation: &Value) -> Self {
        let parameters = items(&operation["parameters"]).map(|parameter| Parameter {
            name: text(&parameter["name"]),
            place: match parameter["in"].as_str() {
                Some("path") => "docs-in-path",
                Some("query") => "docs-in-query",
                _ => "docs-in-header",
            },
            required: parameter["required"] == true,
            description: text(&parameter["description"]),
        });
        let answers = members(&operation["responses"])
            .map(|(status, answer)| (status.to_owned(), contents(answer)));
        Self {
            method: method.to_uppercase(),
            path: path.to_owned(),
            who: who(operation),
            summary: text(&operation["summary"]),
            description: text(&operation["description"]),
            parameters: parameters.collect(),
            bodies: contents(&operation["requestBody"]),
            answers: answers.collect(),
        }
    }
}

impl Schema {
    /// A schema with its own fields and those of the parts that it is made of.
    fn of(name: &str, schema: &Value) -> Self {
        let mut fields = Vec::new();
        for part in items(&schema["allOf"]).chain([schema]) {
            let required: Vec<_> = items(&part["required"]).map(text).collect();
            fields.extend(members(&part["properties"]).map(|(name, field)| Field {
                name: name.to_owned(),
                kind: Type::of(field),
                required: required.iter().any(|required| required == name),
                description: text(&field["description"]),
            }));
            if part["$ref"].is_string() {
                fields.push(Field {
                    name: "…".into(),
                    kind: Type::of(part),
                    required: true,
                    description: "all of its fields as well".into(),
                });
            }
        }
        Self {
            name: name.to_owned(),
            description: text(&schema["description"]),
            fields,
            words: words_of(schema),
        }
    }
}

impl Type {
    /// A type in words. `null` beside another type only means that the field may be absent.
    fn of(schema: &Value) -> Self {
        if let Some(name) = schema["$ref"]
            .as_str()
            .and_then(|path| path.rsplit('/').next())
        {
            return Self {
                words: String::new(),
                schema: Some(name.to_owned()),
            };
        }
        // A type that may be absent is one of null and another.
        let mut others = items(&schema["oneOf"]).filter(|other| other["type"] != "null");
        if let Some(other) = others.next() {
            return Self::of(other);
        }
        let kind = match &schema["type"] {
            Value::Array(kinds) => kinds.iter().find(|kind| **kind != "null").map(text),
            kind => kind.as_str().map(str::to_owned),
        };
        match kind.as_deref() {
            Some("array") => {
                let Self { words, schema } = Self::of(&schema["items"]);
                Self {
                    words: format!("array of {words}"),
                    schema,
                }
            }
            kind => Self {
                words: kind.unwrap_or("any JSON").to_owned(),
                schema: None,
            },
        }
    }
}

/// The words that a schema allows, written as one list or as one constant each.
fn words_of(schema: &Value) -> Vec<String> {
    let listed = items(&schema["enum"]).map(text);
    let one_each = items(&schema["oneOf"])
        .flat_map(|one| items(&one["enum"]).chain([&one["const"]]).map(text));
    listed
        .chain(one_each)
        .filter(|word| !word.is_empty())
        .collect()
}

/// The types of a body or an answer, by content type.
fn contents(holder: &Value) -> Vec<(String, Type)> {
    members(&holder["content"])
        .map(|(kind, content)| (kind.to_owned(), Type::of(&content["schema"])))
        .collect()
}

/// A text, or nothing.
fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// The items of an array; of anything else none.
fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// The members of an object; of anything else none.
fn members(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    value
        .as_object()
        .into_iter()
        .flat_map(Map::iter)
        .map(|(name, value)| (name.as_str(), value))
}
