//! The page behind a link: for somebody without an account, who may never have heard of this.
//!
//! It shows nothing before the pass phrase, and hands out nothing without a button, since mail
//! programs and scanners open links by themselves. The pass phrase goes along with each download.

use askama::Template;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;

use super::form::Fields;
use super::nav::Nav;
use super::{PageError, page, show};
use crate::audit::AuditError;
use crate::audit::export::{ClosedLink, LinkVisit, OpenLink};
use crate::web::Web;
use crate::web::client::Client;
use crate::web::download::{self, Way};

/// What stands there before the pass phrase: not even whom the export is about.
#[derive(Template)]
#[template(path = "link_closed.html")]
struct ClosedPage {
    nav: Nav,
    link: ClosedLink,
    token: String,
    refused: bool,
}

/// The pass phrase goes into the page's forms, for there is no session that could hold it.
#[derive(Template)]
#[template(path = "link_open.html")]
struct OpenPage {
    nav: Nav,
    link: OpenLink,
    token: String,
    pass_phrase: String,
}

/// What anybody sees who has the URL.
pub async fn view(
    State(web): State<Web>,
    Path(token): Path<String>,
) -> Result<Response, PageError> {
    closed_page(&web, token, false).await
}

/// What whoever has the pass phrase sees.
pub async fn open(
    State(web): State<Web>,
    client: Client,
    Path(token): Path<String>,
    fields: Fields,
) -> Result<Response, PageError> {
    match web.audit.open_link(visit(&token, &fields, client)).await {
        Ok(link) => {
            let open = OpenPage {
                nav: Nav::for_link(format!("/r/{token}")),
                link,
                token,
                pass_phrase: fields.text("pass_phrase").to_owned(),
            };
            Ok(page(StatusCode::OK, &open))
        }
        Err(AuditError::Unauthorized) => closed_page(&web, token, true).await,
        Err(error) => Err(error.into()),
    }
}

/// Hands out a file.
pub async fn download(
    State(web): State<Web>,
    client: Client,
    Path((token, file)): Path<(String, String)>,
    fields: Fields,
) -> Result<Response, PageError> {
    let visit = visit(&token, &fields, client);
    match web.audit.download_by_link(visit, &file).await {
        Ok((content, export)) => {
            let export = export.to_string();
            Ok(download::respond(content, &export, &file, Way::Kept)?)
        }
        Err(AuditError::Unauthorized) => closed_page(&web, token, true).await,
        Err(error) => Err(error.into()),
    }
}

/// Who comes, with what.
fn visit<'a>(token: &'a str, fields: &'a Fields, client: Client) -> LinkVisit<'a> {
    LinkVisit {
        token,
        pass_phrase: fields.text("pass_phrase"),
        address: client.address,
    }
}

/// Asks for the pass phrase, or says that it was wrong: 401.
async fn closed_page(web: &Web, token: String, refused: bool) -> Result<Response, PageError> {
    let link = web.audit.closed_link(&token).await?;
    let status = match refused {
        true => StatusCode::UNAUTHORIZED,
        false => StatusCode::OK,
    };
    let closed = ClosedPage {
        nav: Nav::for_link(format!("/r/{token}")),
        link,
        token,
        refused,
    };
    Ok(page(status, &closed))
}
