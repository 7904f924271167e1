//! Forms: what was sent, and what was wrong with it.
//!
//! Forms with personal data are sent in bodies, never in URLs; what was wrong is shown beside its
//! field with all that was typed, since to type a subject's id again is to mistype it.

use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};

use super::PageError;
use crate::audit::{AuditError, RangeFilter};
use crate::messages::{Said, Shown};
use crate::time::Timestamp;
use crate::web::body;
use crate::web::{Web, language};
use crate::zone::Zone;

/// The fields of a form that is sent in a URL.
pub type Pairs = Vec<(String, String)>;

/// The fields of a form, as they were sent.
#[derive(Default)]
pub struct Fields(Vec<(String, String)>);

/// A form to be shown: with the values sent, and a message beside what was wrong.
#[derive(Default)]
pub struct Form {
    fields: Fields,
    /// One at a time: use cases stop at the first.
    fault: Option<Fault>,
}

/// What came of a form, for the page that answers it.
pub struct Outcome<T> {
    /// 422 if a field was refused.
    pub status: StatusCode,
    /// The form to be shown: as it was sent, with what was wrong.
    pub form: Form,
    /// What was done or made; nothing if a field was refused.
    pub made: Option<T>,
}

/// What was wrong.
pub struct Fault {
    /// With which field.
    pub field: &'static str,
    /// What to do.
    pub detail: Said,
}

impl Fault {
    /// What to do, in the page's language.
    pub fn advice(&self) -> Shown {
        self.detail.html(language::current())
    }

    /// The field as its label has it, in the page's language.
    pub fn words(&self) -> String {
        let key = match self.field {
            "subject" => "form-subject",
            "subjects" => "search-subjects",
            "from" => "form-from",
            "to" => "form-to",
            "purpose" => "form-purpose",
            "case" => "form-case",
            "logs" => "form-logs",
            "audience" => "form-audience",
            "time_zone" => "form-time-zone",
            "language" => "form-language",
            "withhold" => "form-withhold",
            "share_with" => "form-share-with",
            "first_segment" => "integrity-first-segment",
            "last_segment" => "integrity-last-segment",
            "old" => "account-old",
            "new" => "account-new",
            "again" => "account-again",
            "recipient" => "link-recipient",
            "expires" => "form-to",
            "name" | "log" => "form-name",
            "role" => "form-role",
            "note" => "checkpoints-note",
            "cursor" => "page-place",
            field => return field.to_owned(),
        };
        language::current().get(key)
    }
}

impl FromRequest<Web> for Fields {
    type Rejection = PageError;

    async fn from_request(request: Request, _: &Web) -> Result<Self, PageError> {
        let content_type = request.headers().get(header::CONTENT_TYPE);
        let is_form = content_type.is_some_and(|kind| {
            kind.as_bytes()
                .starts_with(b"application/x-www-form-urlencoded")
        });
        // A button alone sends nothing, not even a type.
        if content_type.is_some() && !is_form {
            return Err(PageError::bad_form());
        }
        let bytes = body::small(request).await?;
        let pairs = form_urlencoded::parse(&bytes);
        Ok(Self(pairs.into_owned().collect()))
    }
}

impl Fields {
    /// One field.
    pub fn with(name: &str, value: &str) -> Self {
        Self(vec![(name.to_owned(), value.to_owned())])
    }

    /// Fields with these names and texts.
    pub fn of(pairs: Pairs) -> Self {
        Self(pairs)
    }

    /// A field's text; empty if it was not sent.
    pub fn text(&self, name: &str) -> &str {
        self.all(name).next().unwrap_or_default()
    }

    /// A field's text, unless it is empty.
    pub fn given(&self, name: &str) -> Option<String> {
        Some(self.text(name).to_owned()).filter(|text| !text.is_empty())
    }

    /// All texts of a field that may be sent several times.
    pub fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        self.0
            .iter()
            .filter(move |(sent, _)| sent == name)
            .map(|(_, text)| text.as_str())
    }

    /// All texts of a field, unless there is none.
    pub fn some(&self, name: &str) -> Option<Vec<String>> {
        let texts: Vec<_> = self.all(name).map(str::to_owned).collect();
        (!texts.is_empty()).then_some(texts)
    }

    /// All fields with these names, to be sent again.
    pub fn only(&self, names: &[&str]) -> Pairs {
        let kept = self
            .0
            .iter()
            .filter(|(name, text)| names.contains(&name.as_str()) && !text.is_empty());
        kept.cloned().collect()
    }

    /// Which rows of a list are asked for, between whole days in UTC.
    pub fn range(&self, limit: u32) -> Result<RangeFilter, AuditError> {
        Ok(RangeFilter {
            from: self.day_begin("from")?,
            to: self.day_end("to")?,
            cursor: self.given("cursor"),
            limit: Some(limit),
        })
    }

    /// The moment at which a day begins, in UTC.
    pub fn day_begin(&self, name: &'static str) -> Result<Option<String>, AuditError> {
        self.day_begin_in(name, &Zone::utc())
    }

    /// The moment at which a day begins in a zone.
    pub fn day_begin_in(
        &self,
        name: &'static str,
        zone: &Zone,
    ) -> Result<Option<String>, AuditError> {
        self.moment(name, |day| zone.day_begin(day))
    }

    /// The moment at which a day is over, in UTC.
    pub fn day_end(&self, name: &'static str) -> Result<Option<String>, AuditError> {
        self.day_end_in(name, &Zone::utc())
    }

    /// The moment at which a day is over in a zone.
    pub fn day_end_in(
        &self,
        name: &'static str,
        zone: &Zone,
    ) -> Result<Option<String>, AuditError> {
        self.moment(name, |day| zone.day_end(day))
    }

    /// A moment of a day as a form's date field sends it; nothing where the field is empty.
    fn moment(
        &self,
        name: &'static str,
        of_day: impl Fn(&str) -> Option<Timestamp>,
    ) -> Result<Option<String>, AuditError> {
        let Some(day) = self.given(name) else {
            return Ok(None);
        };
        let moment = of_day(day.trim()).ok_or_else(|| AuditError::invalid(name, "refusal-day"))?;
        Ok(Some(moment.to_string()))
    }
}

impl Form {
    /// A form with values, and nothing wrong.
    pub fn filled(fields: Fields) -> Self {
        Self {
            fields,
            fault: None,
        }
    }

    /// What was wrong.
    pub fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref()
    }

    /// A field's value.
    pub fn value(&self, name: &str) -> &str {
        self.fields.text(name)
    }

    /// The days of a range, as they stand in the URL of another page of the list.
    pub fn days(&self) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        for (name, day) in self.fields.only(&["from", "to"]) {
            query.append_pair(&name, &day);
        }
        match query.finish() {
            days if days.is_empty() => days,
            days => format!("{days}&"),
        }
    }

    /// Whether one of a field's values is this one.
    pub fn has(&self, name: &str, value: &str) -> bool {
        self.fields.all(name).any(|sent| sent == value)
    }

    /// What was wrong with a field; empty if nothing was.
    pub fn error(&self, name: &str) -> String {
        match &self.fault {
            Some(fault) if fault.field == name => fault.detail.text(language::current()),
            _ => String::new(),
        }
    }
}

impl<T> Outcome<T> {
    /// What came of a form with these fields. A refused field is shown in the form; any other
    /// error is a page of its own.
    pub fn of(fields: Fields, done: Result<T, AuditError>) -> Result<Self, PageError> {
        let (status, fault, made) = match done {
            Ok(made) => (StatusCode::OK, None, Some(made)),
            Err(AuditError::Invalid { field, detail }) => {
                let fault = Fault { field, detail };
                (StatusCode::UNPROCESSABLE_ENTITY, Some(fault), None)
            }
            Err(other) => return Err(other.into()),
        };
        Ok(Self {
            status,
            form: Form { fields, fault },
            made,
        })
    }

    /// The same, for a form that makes something: once it is made, the form is for another.
    pub fn of_new(fields: Fields, done: Result<T, AuditError>) -> Result<Self, PageError> {
        let mut outcome = Self::of(fields, done)?;
        if outcome.made.is_some() {
            outcome.status = StatusCode::CREATED;
            outcome.form = Form::default();
        }
        Ok(outcome)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_day_is_included() {
        let sent = |day: &str| Fields(vec![("to".into(), day.into())]);
        let end = |day: &str| sent(day).day_end("to");
        assert_eq!(end("").unwrap(), None);
        assert_eq!(
            end("2024-02-28").unwrap().as_deref(),
            Some("2024-02-29T00:00:00.000000Z")
        );
        assert!(end("2023-02-29").is_err());
        assert!(end("29.02.2024").is_err());
    }
}
