//! A body in the pieces in which it came: put together only where it is read, so that whoever reads
//! it has just had all of it in hand.

use bytes::Bytes;

/// A piece this long stays as it is; shorter ones are put together, so that a sender of single
/// bytes is not given a place in a list for each of them.
const WHOLE_PIECE_BYTES: usize = 16 << 10;

/// A request's body, as it came.
#[derive(Debug, Default)]
pub struct Pieces {
    /// In order, all of them before `short`.
    pieces: Vec<Bytes>,
    /// Short pieces that came last.
    short: Vec<u8>,
}

impl Pieces {
    /// Takes the next piece. The first one stays as it is however short: most bodies have no other.
    pub fn push(&mut self, piece: Bytes) {
        if piece.len() < WHOLE_PIECE_BYTES && !self.pieces.is_empty() {
            self.short.extend_from_slice(&piece);
            return;
        }
        if !self.short.is_empty() {
            let short = std::mem::take(&mut self.short);
            self.pieces.push(short.into());
        }
        self.pieces.push(piece);
    }

    /// Bytes of all pieces.
    pub fn byte_len(&self) -> usize {
        self.pieces.iter().map(Bytes::len).sum::<usize>() + self.short.len()
    }

    /// All bytes in one run; copied only if there are several pieces, each of which goes when it
    /// has been copied.
    pub fn into_whole(self) -> Bytes {
        let length = self.byte_len();
        let mut pieces = self.pieces;
        if !self.short.is_empty() {
            pieces.push(self.short.into());
        }
        if pieces.len() < 2 {
            return pieces.pop().unwrap_or_default();
        }
        let mut whole = Vec::with_capacity(length);
        pieces
            .into_iter()
            .for_each(|piece| whole.extend_from_slice(&piece));
        whole.into()
    }
}

impl From<Bytes> for Pieces {
    fn from(body: Bytes) -> Self {
        Self {
            pieces: vec![body],
            short: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_of_all_sizes_keep_their_order() {
        let long = WHOLE_PIECE_BYTES;
        let sizes = [3, 1, 2, long, 5, 1, long + 1, long, 1, 0];
        for count in 0..=sizes.len() {
            let mut pieces = Pieces::default();
            let mut expected = Vec::new();
            for (n, size) in sizes[..count].iter().enumerate() {
                let piece = vec![n as u8; *size];
                expected.extend_from_slice(&piece);
                pieces.push(piece.into());
            }
            assert_eq!(pieces.byte_len(), expected.len());
            assert_eq!(pieces.into_whole(), expected);
        }
    }

    #[test]
    fn single_bytes_take_no_place_each() {
        let mut pieces = Pieces::default();
        (0..10_000).for_each(|_| pieces.push(Bytes::from_static(b"x")));
        assert_eq!(pieces.pieces.len(), 1);
        assert_eq!(pieces.byte_len(), 10_000);
    }

    #[test]
    fn one_piece_is_not_copied() {
        let body = Bytes::from(vec![7; 100]);
        let place = body.as_ptr();
        let whole = Pieces::from(body).into_whole();
        assert_eq!(whole.as_ptr(), place);
    }
}
