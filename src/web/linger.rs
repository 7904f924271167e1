//! Closing so that the answer arrives.
//!
//! Who is refused before all of the body is read is still sending. If the connection were closed
//! then, the kernel would answer what comes with a reset, and the client may lose the answer that
//! says why (RFC 9112 section 9.6). So the sending side is closed first, and what still comes is
//! read and thrown away, for a little while.

use std::future::Future as _;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, header};
use hyper::body::{Frame, SizeHint};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// Whether a request's body is still unread; `None` if it has none.
pub struct Unread(Option<Arc<AtomicBool>>);

/// The request, with a body that notes when it was read to its end.
pub fn watch(request: Request) -> (Request, Unread) {
    if request.body().is_end_stream() {
        return (request, Unread(None));
    }
    let unread = Arc::new(AtomicBool::new(true));
    let noted = unread.clone();
    let request = request.map(|body| {
        Body::new(Watched {
            body,
            unread: noted,
        })
    });
    (request, Unread(Some(unread)))
}

impl Unread {
    /// Says on the answer that the connection ends, if the body was not read to its end.
    pub fn say_so(self, headers: &mut HeaderMap) {
        if self.0.is_some_and(|unread| unread.load(Ordering::Relaxed)) {
            headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
    }
}

/// A body that notes when it was read to its end.
struct Watched {
    body: Body,
    unread: Arc<AtomicBool>,
}

impl HttpBody for Watched {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        if frame.is_none() || self.body.is_end_stream() {
            self.unread.store(false, Ordering::Relaxed);
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// How long what still comes is read.
const PATIENCE: Duration = Duration::from_secs(2);
/// How much of it.
const MOST_BYTES: usize = 4 << 20;

/// A stream that reads on for a while after it was shut down.
pub struct Lingering<S> {
    stream: S,
    /// Since it was shut down: until when it reads, and how much was thrown away.
    rest: Option<(Pin<Box<Sleep>>, usize)>,
}

impl<S> Lingering<S> {
    /// The stream as it is, until it is shut down.
    pub fn new(stream: S) -> Self {
        Self { stream, rest: None }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Lingering<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Lingering<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, pieces)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Self { stream, rest } = &mut *self;
        if rest.is_none() {
            ready!(Pin::new(&mut *stream).poll_shutdown(context))?;
        }
        let (until, thrown_away) = rest.get_or_insert_with(|| (Box::pin(sleep(PATIENCE)), 0));
        let mut piece = [0; 16 << 10];
        while *thrown_away < MOST_BYTES && until.as_mut().poll(context).is_pending() {
            let mut buffer = ReadBuf::new(&mut piece);
            match ready!(Pin::new(&mut *stream).poll_read(context, &mut buffer)) {
                Ok(()) if !buffer.filled().is_empty() => *thrown_away += buffer.filled().len(),
                // The client has closed too, or is gone.
                _ => break,
            }
        }
        Poll::Ready(Ok(()))
    }
}
