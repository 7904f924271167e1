//! Files of exports on their way out.
//!
//! The name that a browser keeps has the export's id and no subject: it lies in a folder for
//! downloads that others may see.

use axum::body::Body;
use axum::http::header;
use axum::response::Response;
use futures_util::stream::{self, Stream};

use super::problem::Problem;
use crate::audit::export::Download;

/// What the browser does with a file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// It shows it.
    Shown,
    /// It keeps it on the disk.
    Kept,
}

/// The answer that is a file of an export.
pub fn respond(
    download: Download,
    export: &str,
    file: &str,
    way: Way,
) -> Result<Response, Problem> {
    let disposition = match way {
        Way::Shown => "inline".to_owned(),
        Way::Kept => format!(
            "attachment; filename=\"estreat-{}-{file}\"",
            export.get(..8).unwrap_or_default()
        ),
    };
    let mut response = Response::builder()
        .header(header::CONTENT_TYPE, download.content_type)
        .header(header::CONTENT_LENGTH, download.bytes)
        .header(header::CONTENT_DISPOSITION, disposition);
    if way == Way::Shown {
        // The report carries its one style sheet inside, for it must look the same from a disk.
        response = response.header(
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
        );
    }
    let response = response.body(Body::from_stream(pieces(download)));
    response.map_err(|error| {
        tracing::error!("a download: {error}");
        Problem::internal()
    })
}

/// A download piece by piece, read on blocking threads.
fn pieces(download: Download) -> impl Stream<Item = std::io::Result<Vec<u8>>> {
    stream::try_unfold(download, |mut download| async move {
        let read = tokio::task::spawn_blocking(move || {
            download.next_piece().map(|piece| (piece, download))
        });
        let (piece, download) = read.await.map_err(std::io::Error::other)??;
        Ok((!piece.is_empty()).then_some((piece, download)))
    })
}
