//! Exports: the list, and the form for a new one.

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};

use super::form::{Fields, Form, Outcome};
use super::nav::Nav;
use super::{PageError, page, show};
use crate::audit::export::{self, Audience, ExportRequest, ExportView, Ground, WithholdRequest};
use crate::audit::{AuditError, Caller, LogView, rights};
use crate::messages::{Lang, Said};
use crate::web::auth::SignedIn;
use crate::web::{Web, language};
use crate::zone::Zone;

/// Exports that the list shows.
const LISTED: u32 = 200;

#[derive(Template)]
#[template(path = "exports.html")]
struct ExportsPage {
    nav: Nav,
    exports: Vec<ExportView>,
    is_auditor: bool,
}

#[derive(Template)]
#[template(path = "export_new.html")]
struct NewExportPage {
    nav: Nav,
    form: Form,
    logs: Vec<LogView>,
    zones: Vec<String>,
}

impl NewExportPage {
    /// The report's language: as chosen, else the page's.
    fn language(&self) -> Lang {
        Lang::parse(self.form.value("language")).unwrap_or(self.nav.t)
    }

    /// The time zone: as given, else UTC.
    fn zone(&self) -> &str {
        match self.form.value("time_zone") {
            "" => "UTC",
            zone => zone,
        }
    }
}

/// The list.
pub async fn list(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
) -> Result<Response, PageError> {
    let exports = ExportsPage {
        nav: Nav::of(&caller, "/exports"),
        exports: web.audit.exports(&caller, LISTED).await?,
        is_auditor: caller.may(rights::EXPORT),
    };
    Ok(page(StatusCode::OK, &exports))
}

/// The form.
pub async fn ask(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
) -> Result<Response, PageError> {
    form_page(&web, &caller, StatusCode::OK, Form::default()).await
}

/// The form, with the question of a search.
pub async fn prefill(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
    fields: Fields,
) -> Result<Response, PageError> {
    form_page(&web, &caller, StatusCode::OK, Form::filled(fields)).await
}

/// Asks for an export, and goes to its page.
pub async fn request(
    State(web): State<Web>,
    SignedIn(caller): SignedIn,
    fields: Fields,
) -> Result<Response, PageError> {
    let made = async {
        let request = export_request(&fields)?;
        web.audit.request_export(&caller, &request).await
    };
    let made = made.await;
    let outcome = Outcome::of(fields, made)?;
    match outcome.made {
        Some(view) => Ok(Redirect::to(&format!("/exports/{}", view.id)).into_response()),
        None => form_page(&web, &caller, outcome.status, outcome.form).await,
    }
}

async fn form_page(
    web: &Web,
    caller: &Caller,
    status: StatusCode,
    form: Form,
) -> Result<Response, PageError> {
    caller.require(rights::EXPORT)?;
    let new = NewExportPage {
        nav: Nav::of(caller, "/exports"),
        form,
        logs: web.audit.logs(caller).await?,
        zones: Zone::names(),
    };
    Ok(page(status, &new))
}

/// For whom an export is made; an unknown word is refused, since the copy for an authority shows
/// more.
pub fn audience(fields: &Fields) -> Result<Audience, AuditError> {
    match fields.text("audience") {
        "authority" | "" => Ok(Audience::Authority),
        "subject" => Ok(Audience::Subject),
        _ => Err(AuditError::invalid("audience", "refusal-audience")),
    }
}

fn export_request(fields: &Fields) -> Result<ExportRequest, AuditError> {
    let audience = audience(fields)?;
    let lang = fields.given("language");
    let lang = lang.map_or(Some(language::current()), |code| Lang::parse(&code));
    let time_zone = fields.given("time_zone");
    let zone = export::zone(time_zone.as_deref())?;
    let share_with = fields.text("share_with").split_whitespace();
    Ok(ExportRequest {
        subject: fields.text("subject").to_owned(),
        logs: fields.some("logs"),
        from: fields.day_begin_in("from", &zone)?,
        to: fields.day_end_in("to", &zone)?,
        time_zone,
        purpose: fields.text("purpose").to_owned(),
        case: fields.given("case"),
        audience,
        language: lang.ok_or_else(|| AuditError::invalid("language", "refusal-language"))?,
        withhold: withhold(fields.text("withhold"))?,
        share_with: share_with.map(str::to_owned).collect(),
    })
}

/// Entries to withhold, one a line: log/entry, the ground, and who decided.
fn withhold(text: &str) -> Result<Vec<WithholdRequest>, AuditError> {
    let lines = text.lines().map(str::trim).enumerate();
    let lines = lines.filter(|(_, line)| !line.is_empty());
    lines
        .map(|(at, line)| {
            withhold_line(line).ok_or_else(|| {
                let why = Said::new("refusal-withhold-line").count("line", at as u64 + 1);
                AuditError::invalid("withhold", why)
            })
        })
        .collect()
}

fn withhold_line(line: &str) -> Option<WithholdRequest> {
    let (place, rest) = line.split_once(char::is_whitespace)?;
    let (log, entry) = place.split_once('/')?;
    let rest = rest.trim();
    let (word, who) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    Some(WithholdRequest {
        log: log.to_owned(),
        entry: entry.parse().ok()?,
        ground: Ground::ALL
            .into_iter()
            .find(|ground| ground.word() == word)?,
        decided_by: Some(who.trim().to_owned()).filter(|who| !who.is_empty()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_name_an_entry_a_ground_and_who_decided() {
        let text = "orders/17 gdpr-15-4\r\n\n  a.b/0   gdpr-23  data protection officer 7f \n";
        let read = withhold(text).unwrap();
        assert_eq!((read[0].log.as_str(), read[0].entry), ("orders", 17));
        assert_eq!(read[0].decided_by, None);
        assert_eq!(read[1].ground, Ground::RestrictedByLaw);
        let who = read[1].decided_by.as_deref();
        assert_eq!(who, Some("data protection officer 7f"));
        for wrong in [
            "orders 17 gdpr-23",
            "orders/x gdpr-23",
            "orders/1",
            "orders/1 art-15",
            "orders/-1 gdpr-23",
        ] {
            let refused = withhold(&format!("\n{wrong}")).unwrap_err();
            assert!(refused.to_string().contains("line 2"), "{wrong}: {refused}");
        }
    }
}
