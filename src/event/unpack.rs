//! Unpacking a request's body: bounded, and of every frame or member that it has.
//!
//! A packed body is the cheapest way to ask for much memory: the bound is on what comes out, and
//! what a header claims is never reserved, but for a zstd window within its own bound.

use std::borrow::Cow;
use std::io::{self, Read};

use flate2::read::MultiGzDecoder;

use crate::limits::MAX_ZSTD_WINDOW_LOG;

/// How a body is packed.
/// Those that `Content-Encoding` may name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// Not at all.
    Identity,
    /// RFC 1952, members concatenated.
    Gzip,
    /// RFC 8878, frames concatenated; the window of RFC 9659.
    Zstd,
}

/// A body that cannot be unpacked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum UnpackError {
    /// It is damaged, or ends early: 400.
    #[error("the body cannot be unpacked: {0}")]
    Corrupt(&'static str),
    /// It is longer than allowed once unpacked: 413.
    #[error("the body is longer than {max} bytes once unpacked; send fewer events at once")]
    TooLarge {
        /// The limit.
        max: usize,
    },
}

/// Unpacks `bytes` into at most `max` bytes.
/// What is not packed is not copied.
pub fn unpack(encoding: Encoding, bytes: &[u8], max: usize) -> Result<Cow<'_, [u8]>, UnpackError> {
    match encoding {
        Encoding::Identity if bytes.len() > max => Err(UnpackError::TooLarge { max }),
        Encoding::Identity => Ok(Cow::Borrowed(bytes)),
        Encoding::Gzip => bounded(MultiGzDecoder::new(bytes), bytes.len(), max),
        Encoding::Zstd => {
            let corrupt = |_| UnpackError::Corrupt("zstd could not be set up");
            let mut decoder = zstd::Decoder::with_buffer(bytes).map_err(corrupt)?;
            // Refused at the frame's header, before the window is reserved.
            decoder
                .window_log_max(MAX_ZSTD_WINDOW_LOG)
                .map_err(corrupt)?;
            bounded(decoder, bytes.len(), max)
        }
    }
}

/// Four times the packed size is a usual ratio; more is grown into.
fn bounded<'a>(
    decoder: impl Read,
    packed: usize,
    max: usize,
) -> Result<Cow<'a, [u8]>, UnpackError> {
    let mut out = Vec::with_capacity(packed.saturating_mul(4).min(max));
    // One byte past the limit tells "longer" from "just as long".
    let end = u64::try_from(max).unwrap_or(u64::MAX).saturating_add(1);
    decoder
        .take(end)
        .read_to_end(&mut out)
        .map_err(|error| corrupt(&error))?;
    if out.len() > max {
        return Err(UnpackError::TooLarge { max });
    }
    Ok(Cow::Owned(out))
}

fn corrupt(error: &io::Error) -> UnpackError {
    UnpackError::Corrupt(match error.kind() {
        io::ErrorKind::UnexpectedEof => "it ends early",
        _ => "it is damaged, or its zstd window is larger than 8 MiB",
    })
}
