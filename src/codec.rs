//! Bounded reading and writing of big-endian bytes.
//!
//! There is no length here that is believed: a field is there whole, or reading ends. Nothing
//! panics on any bytes.

/// Reads fields from the front of a slice; past its end there is only [`Short`].
/// A copy of it is a place to come back to.
#[derive(Clone, Copy)]
pub struct Reader<'a> {
    rest: &'a [u8],
}

/// The bytes end before the field does.
/// It says no more, since each format turns it into its own error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the bytes end before the field does")]
pub struct Short;

impl<'a> Reader<'a> {
    /// Reads from the start of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// The next `count` bytes.
    /// Nothing is taken on an error.
    pub fn take(&mut self, count: usize) -> Result<&'a [u8], Short> {
        let (head, rest) = self.rest.split_at_checked(count).ok_or(Short)?;
        self.rest = rest;
        Ok(head)
    }

    /// The next `N` bytes.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], Short> {
        let (head, rest) = self.rest.split_first_chunk::<N>().ok_or(Short)?;
        self.rest = rest;
        Ok(*head)
    }

    /// The next byte.
    pub fn u8(&mut self) -> Result<u8, Short> {
        self.array::<1>().map(|[byte]| byte)
    }

    /// The next two bytes.
    pub fn u16(&mut self) -> Result<u16, Short> {
        self.array().map(u16::from_be_bytes)
    }

    /// The next four bytes.
    pub fn u32(&mut self) -> Result<u32, Short> {
        self.array().map(u32::from_be_bytes)
    }

    /// The next eight bytes.
    pub fn u64(&mut self) -> Result<u64, Short> {
        self.array().map(u64::from_be_bytes)
    }

    /// The next eight bytes, signed.
    pub fn i64(&mut self) -> Result<i64, Short> {
        self.array().map(i64::from_be_bytes)
    }

    /// What has not been read.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Whether everything has been read.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }
}

/// Appends big-endian fields to a vector.
pub trait Put {
    /// Appends bytes as they are.
    fn put(&mut self, bytes: &[u8]) -> &mut Self;

    /// Appends two bytes.
    fn put_u16(&mut self, value: u16) -> &mut Self {
        self.put(&value.to_be_bytes())
    }

    /// Appends four bytes.
    fn put_u32(&mut self, value: u32) -> &mut Self {
        self.put(&value.to_be_bytes())
    }

    /// Appends eight bytes.
    fn put_u64(&mut self, value: u64) -> &mut Self {
        self.put(&value.to_be_bytes())
    }

    /// Appends eight bytes, signed.
    fn put_i64(&mut self, value: i64) -> &mut Self {
        self.put(&value.to_be_bytes())
    }
}

impl Put for Vec<u8> {
    fn put(&mut self, bytes: &[u8]) -> &mut Self {
        self.extend_from_slice(bytes);
        self
    }
}
