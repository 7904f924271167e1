//! Sealing files of any length, in chunks: what an export needs while it is made, and its
//! finished bundle.
//!
//! A file is a row of chunks of [`CHUNK_BYTES`] of plaintext, the last one shorter (perhaps
//! empty), each sealed as nonce ‖ ciphertext ‖ tag. The additional data are the file's name, the
//! chunk's number and whether it is the last, so that chunks cannot be moved, repeated or cut
//! off unseen.
//!
//! An export can be larger than memory and is read at any place, for a download that goes on where
//! it broke off; so it cannot be one ciphertext. Every chunk has a random nonce; an export of 1 TiB
//! has 2^24 of them, far below the bound for one DEK.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::Arc;

use super::dek::{Dek, NONCE_BYTES, OVERHEAD_BYTES};
use crate::random::{self, Random};

/// Plaintext of a chunk.
pub const CHUNK_BYTES: usize = 64 << 10;
/// All chunks but the last have this length, so that a chunk's place follows from its number.
const SEALED_CHUNK_BYTES: usize = CHUNK_BYTES + OVERHEAD_BYTES;

/// Under what a file is sealed.
#[derive(Clone)]
pub struct ChunkKey {
    /// New for each job, and forgotten with it: what is left of the file is then lost for good.
    dek: Arc<Dek>,
    /// Job and file name: no two files of one key share it.
    name: Vec<u8>,
}

impl ChunkKey {
    /// The key of the file `name`.
    pub fn new(dek: Arc<Dek>, name: &str) -> Self {
        Self {
            dek,
            name: name.as_bytes().to_vec(),
        }
    }

    /// The nine bytes behind the name have one length, so no two places give the same.
    fn additional(&self, number: u64, last: bool) -> Vec<u8> {
        [
            &self.name,
            number.to_be_bytes().as_slice(),
            &[u8::from(last)],
        ]
        .concat()
    }
}

/// Seals what is written to it. Nothing is there before [`finish`](Self::finish).
pub struct ChunkWriter<W: Write> {
    inner: W,
    key: ChunkKey,
    random: Arc<dyn Random>,
    /// Of the chunk that is being filled.
    number: u64,
    /// Room for a nonce, then the chunk's plaintext.
    /// Never longer than one chunk.
    buffer: Vec<u8>,
}

impl<W: Write> ChunkWriter<W> {
    /// Begins a file.
    pub fn new(inner: W, key: ChunkKey, random: Arc<dyn Random>) -> Self {
        Self {
            inner,
            key,
            random,
            number: 0,
            buffer: vec![0; NONCE_BYTES],
        }
    }

    /// Seals the last chunk; gives the inner writer, to be synced.
    /// Without it the file has no last chunk, and does not open to its end.
    pub fn finish(mut self) -> io::Result<W> {
        self.seal(true)?;
        self.inner.flush()?;
        Ok(self.inner)
    }

    /// The buffer's plaintext is overwritten by its ciphertext.
    fn seal(&mut self, last: bool) -> io::Result<()> {
        let nonce = random::bytes(&*self.random);
        let additional = self.key.additional(self.number, last);
        self.key
            .dek
            .seal(&nonce, &additional, &mut self.buffer)
            .map_err(io::Error::other)?;
        self.inner.write_all(&self.buffer)?;
        self.number += 1;
        self.buffer.clear();
        self.buffer.resize(NONCE_BYTES, 0);
        Ok(())
    }
}

impl<W: Write> Write for ChunkWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Only when more comes: a full chunk may be the last.
        if self.buffer.len() == NONCE_BYTES + CHUNK_BYTES {
            self.seal(false)?;
        }
        let room = NONCE_BYTES + CHUNK_BYTES - self.buffer.len();
        let taken = bytes.len().min(room);
        self.buffer.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Opens a sealed file, at any place.
pub struct ChunkReader<R: Read + Seek> {
    inner: R,
    key: ChunkKey,
    /// Of the plaintext, by the file's length.
    length: u64,
    /// Which chunk is the last one follows from it, and must be what was sealed.
    chunks: u64,
    /// Place in the plaintext; may lie past its end.
    at: u64,
    /// The chunk opened last, by number: most reads go on where the last one ended.
    open: Option<(u64, Vec<u8>)>,
}

impl<R: Read + Seek> ChunkReader<R> {
    /// A reader of a sealed file. An error if its end does not open: it was cut, or changed.
    pub fn new(mut inner: R, key: ChunkKey) -> io::Result<Self> {
        let sealed = inner.seek(SeekFrom::End(0))?;
        let chunks = sealed.div_ceil(SEALED_CHUNK_BYTES as u64);
        let length = sealed
            .checked_sub(chunks * OVERHEAD_BYTES as u64)
            .filter(|_| chunks > 0)
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "a sealed file was cut"))?;
        let mut reader = Self {
            inner,
            key,
            length,
            chunks,
            at: 0,
            open: None,
        };
        // The last chunk vouches for the length: wherever the file was cut, something else stands
        // in its place, or nothing.
        reader.chunk(chunks - 1)?;
        Ok(reader)
    }

    /// Length of the plaintext.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// An error of the kind `Other` for a chunk that does not open.
    fn chunk(&mut self, number: u64) -> io::Result<&[u8]> {
        if self.open.as_ref().is_none_or(|(open, _)| *open != number) {
            self.inner
                .seek(SeekFrom::Start(number * SEALED_CHUNK_BYTES as u64))?;
            let mut sealed = Vec::with_capacity(SEALED_CHUNK_BYTES);
            self.inner
                .by_ref()
                .take(SEALED_CHUNK_BYTES as u64)
                .read_to_end(&mut sealed)?;
            let additional = self.key.additional(number, number + 1 == self.chunks);
            let plain = self
                .key
                .dek
                .open(&additional, &sealed)
                .map_err(io::Error::other)?;
            self.open = Some((number, plain));
        }
        Ok(self.open.as_ref().map_or(&[], |(_, plain)| plain))
    }
}

impl<R: Read + Seek> Read for ChunkReader<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.at >= self.length {
            return Ok(0);
        }
        let (number, within) = (
            self.at / CHUNK_BYTES as u64,
            (self.at % CHUNK_BYTES as u64) as usize,
        );
        let chunk = self.chunk(number)?;
        let rest = chunk.get(within..).unwrap_or_default();
        let taken = rest.len().min(out.len());
        out[..taken].copy_from_slice(&rest[..taken]);
        self.at += taken as u64;
        Ok(taken)
    }
}

impl<R: Read + Seek> Seek for ChunkReader<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let target = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.length.checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = target.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        Ok(self.at)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use zeroize::Zeroizing;

    use super::*;

    struct Counting;

    impl Random for Counting {
        fn fill(&self, out: &mut [u8]) {
            out.fill(7);
        }
    }

    fn key(name: &str) -> ChunkKey {
        ChunkKey::new(Arc::new(Dek::from_bytes(Zeroizing::new([3; 32]))), name)
    }

    fn sealed(plain: &[u8]) -> Vec<u8> {
        let mut writer = ChunkWriter::new(Vec::new(), key("a"), Arc::new(Counting));
        writer.write_all(plain).expect("written");
        writer.finish().expect("finished")
    }

    fn opened(sealed: Vec<u8>, name: &str) -> io::Result<Vec<u8>> {
        let mut plain = Vec::new();
        ChunkReader::new(Cursor::new(sealed), key(name))?.read_to_end(&mut plain)?;
        Ok(plain)
    }

    #[test]
    fn any_length_comes_back() {
        for length in [
            0,
            1,
            CHUNK_BYTES - 1,
            CHUNK_BYTES,
            CHUNK_BYTES + 1,
            3 * CHUNK_BYTES,
        ] {
            let plain: Vec<u8> = (0..length).map(|n| n as u8).collect();
            assert_eq!(
                opened(sealed(&plain), "a").expect("opened"),
                plain,
                "{length}"
            );
        }
    }

    #[test]
    fn a_cut_a_swap_and_another_name_are_seen() {
        let whole = sealed(&vec![1; 3 * CHUNK_BYTES]);
        assert!(opened(whole.clone(), "b").is_err());
        for cut in [0, 1, OVERHEAD_BYTES, OVERHEAD_BYTES + 1] {
            for chunks in 0..3 {
                let cut = whole[..chunks * SEALED_CHUNK_BYTES + cut].to_vec();
                let length = cut.len();
                assert!(opened(cut, "a").is_err(), "cut to {length}");
            }
        }
        assert!(opened(vec![0; OVERHEAD_BYTES], "a").is_err());
        let mut swapped = whole[SEALED_CHUNK_BYTES..2 * SEALED_CHUNK_BYTES].to_vec();
        swapped.extend_from_slice(&whole[..SEALED_CHUNK_BYTES]);
        swapped.extend_from_slice(&whole[2 * SEALED_CHUNK_BYTES..]);
        assert!(opened(swapped, "a").is_err());
    }

    #[test]
    fn it_can_be_read_at_any_place() {
        let plain: Vec<u8> = (0..2 * CHUNK_BYTES).map(|n| (n % 251) as u8).collect();
        let mut reader = ChunkReader::new(Cursor::new(sealed(&plain)), key("a")).expect("a reader");
        reader
            .seek(SeekFrom::Start(CHUNK_BYTES as u64 - 2))
            .expect("sought");
        let mut four = [0; 4];
        reader.read_exact(&mut four).expect("read");
        assert_eq!(four, plain[CHUNK_BYTES - 2..CHUNK_BYTES + 2]);
    }
}
