//! One pass over JSON text that checks its grammar (RFC 8259) and finds where things lie.
//!
//! It never recurses, so no depth can overflow the stack, and it never builds a tree: a value is
//! the slice of bytes that spells it. Bytes from 0x80 on are taken as they come inside strings;
//! that they are UTF-8 is for the caller to check, once for all of a body.
//!
//! It is hand-written because entries keep the bytes: a reader that builds values loses how they
//! were spelled, and serde_json's raw values would be read twice. The tests hold it against
//! serde_json on random and odd texts.

use std::borrow::Cow;

/// Where the text stops being JSON, and what should stand there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Syntax {
    /// Offset in the bytes that the scanner was given.
    pub(super) at: usize,
    /// To be read behind "expected".
    pub(super) what: &'static str,
}

/// A string as it stands between its quotes.
#[derive(Clone, Copy)]
pub(super) struct Text<'a> {
    /// Without the quotes, escapes as they were spelled.
    pub(super) raw: &'a [u8],
    /// If not, `raw` is the string: most are, and are copied as they stand.
    pub(super) escaped: bool,
}

/// A value as it is spelled.
#[derive(Clone, Copy)]
pub(super) struct Value<'a> {
    /// From its first byte to its last.
    pub(super) raw: &'a [u8],
    /// Whether a string here has escapes (only for a value that is a string).
    pub(super) escaped: bool,
    /// Whether white space stands in it outside strings.
    /// If not, it can be copied whole: it is compact.
    pub(super) spaced: bool,
    /// How many arrays and objects lie within each other; a string has 0.
    pub(super) depth: usize,
}

/// Reads values one after another.
pub(super) struct Scanner<'a> {
    bytes: &'a [u8],
    /// At most one past the end of `bytes`.
    at: usize,
    /// Of the value that is being read; `value` puts its own aside.
    spaced: bool,
    /// Kept from value to value for its memory.
    nest: Nest,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            at: 0,
            spaced: false,
            nest: Nest::default(),
        }
    }

    /// Offset of the next byte.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Behind a flaw, to where the next value may begin.
    pub(super) fn go_to(&mut self, at: usize) {
        self.at = at;
    }

    /// Whether white space outside strings was met since the start.
    pub(super) fn met_space(&self) -> bool {
        self.spaced
    }

    /// The next byte that is not white space, not yet taken.
    #[inline]
    pub(super) fn peek(&mut self) -> Option<u8> {
        loop {
            let byte = *self.bytes.get(self.at)?;
            if !matches!(byte, b' ' | b'\n' | b'\r' | b'\t') {
                return Some(byte);
            }
            self.spaced = true;
            self.at += 1;
        }
    }

    /// Takes the byte that [`peek`](Self::peek) showed.
    #[inline]
    pub(super) fn take(&mut self) {
        self.at += 1;
    }

    /// At the byte that was not expected.
    pub(super) fn fail<T>(&self, what: &'static str) -> Result<T, Syntax> {
        Err(Syntax { at: self.at, what })
    }

    /// Reads an object and hands over its members in order. The next byte must be its brace.
    pub(super) fn members(
        &mut self,
        mut each: impl FnMut(Text<'a>, Value<'a>),
    ) -> Result<(), Syntax> {
        self.take();
        if self.peek() == Some(b'}') {
            self.take();
            return Ok(());
        }
        loop {
            let name = self.name()?;
            let value = self.value()?;
            each(name, value);
            match self.peek() {
                Some(b',') => self.take(),
                Some(b'}') => {
                    self.take();
                    return Ok(());
                }
                _ => return self.fail("a comma or a closing brace"),
            }
        }
    }

    /// Reads any value.
    /// A string is the common case and is read without a look at anything else.
    pub(super) fn value(&mut self) -> Result<Value<'a>, Syntax> {
        let first = self.peek();
        let from = self.at;
        if first == Some(b'"') {
            self.take();
            let escaped = self.string()?.escaped;
            return Ok(Value {
                raw: &self.bytes[from..self.at],
                escaped,
                spaced: false,
                depth: 0,
            });
        }
        let spaced_before = std::mem::replace(&mut self.spaced, false);
        let depth = self.skip()?;
        let spaced = std::mem::replace(&mut self.spaced, spaced_before);
        self.spaced |= spaced;
        Ok(Value {
            raw: &self.bytes[from..self.at],
            escaped: false,
            spaced,
            depth,
        })
    }

    /// Passes over a value, however deep, and says how deep it was.
    /// One loop for all levels: `nest` says to which kind of bracket it comes back.
    fn skip(&mut self) -> Result<usize, Syntax> {
        self.nest.clear();
        let mut deepest = 0;
        'value: loop {
            match self.peek() {
                Some(b'"') => {
                    self.take();
                    self.string()?;
                }
                Some(b'{') => {
                    self.take();
                    deepest = deepest.max(self.nest.enter(true));
                    if self.peek() != Some(b'}') {
                        self.name()?;
                        continue 'value;
                    }
                }
                Some(b'[') => {
                    self.take();
                    deepest = deepest.max(self.nest.enter(false));
                    if self.peek() != Some(b']') {
                        continue 'value;
                    }
                }
                Some(b'-' | b'0'..=b'9') => self.number()?,
                Some(b't') => self.literal(b"true")?,
                Some(b'f') => self.literal(b"false")?,
                Some(b'n') => self.literal(b"null")?,
                _ => return self.fail("a value"),
            }
            while self.nest.depth > 0 {
                match (self.peek(), self.nest.in_object()) {
                    (Some(b','), in_object) => {
                        self.take();
                        if in_object {
                            self.name()?;
                        }
                        continue 'value;
                    }
                    (Some(b'}'), true) | (Some(b']'), false) => {
                        self.take();
                        self.nest.leave();
                    }
                    (_, true) => return self.fail("a comma or a closing brace"),
                    (_, false) => return self.fail("a comma or a closing bracket"),
                }
            }
            return Ok(deepest);
        }
    }

    /// Reads a member's name and its colon.
    #[inline]
    fn name(&mut self) -> Result<Text<'a>, Syntax> {
        if self.peek() != Some(b'"') {
            return self.fail("a name in double quotes");
        }
        self.take();
        let name = self.string()?;
        if self.peek() != Some(b':') {
            return self.fail("a colon");
        }
        self.take();
        Ok(name)
    }

    /// Reads a string behind its opening quote.
    ///
    /// Control characters must be escaped (RFC 8259 §7). That `\u` escapes form pairs is for
    /// `decode` to see.
    #[inline]
    fn string(&mut self) -> Result<Text<'a>, Syntax> {
        let from = self.at;
        let mut escaped = false;
        loop {
            self.at += plain_prefix(&self.bytes[self.at..]);
            match self.bytes.get(self.at) {
                Some(b'"') => {
                    let raw = &self.bytes[from..self.at];
                    self.at += 1;
                    return Ok(Text { raw, escaped });
                }
                Some(b'\\') => {
                    self.escape()?;
                    escaped = true;
                }
                Some(_) => return self.fail("no control character inside a string"),
                None => return self.fail("the end of a string"),
            }
        }
    }

    /// Only its form; what it means is resolved when somebody asks.
    fn escape(&mut self) -> Result<(), Syntax> {
        let length = match self.bytes.get(self.at + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 2,
            Some(b'u') => match self.bytes.get(self.at + 2..self.at + 6) {
                Some(digits) if digits.iter().all(u8::is_ascii_hexdigit) => 6,
                _ => return self.fail("four hexadecimal digits after \\u"),
            },
            _ => return self.fail("an escape that JSON knows"),
        };
        self.at += length;
        Ok(())
    }

    /// RFC 8259 §6. Its value is never computed, so that no digit of it is lost.
    fn number(&mut self) -> Result<(), Syntax> {
        if self.bytes[self.at] == b'-' {
            self.at += 1;
        }
        match self.bytes.get(self.at) {
            // Nothing but a fraction, an exponent or the end may follow a leading zero; another
            // digit is no number's, and whoever reads on finds it.
            Some(b'0') => self.at += 1,
            _ => self.digits()?,
        }
        if self.bytes.get(self.at) == Some(&b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.bytes.get(self.at) {
            self.at += 1;
            if let Some(b'+' | b'-') = self.bytes.get(self.at) {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(())
    }

    /// At least one.
    fn digits(&mut self) -> Result<(), Syntax> {
        let rest = &self.bytes[self.at..];
        let count = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if count == 0 {
            return self.fail("a digit");
        }
        self.at += count;
        Ok(())
    }

    /// What follows the word is the caller's to judge: `truex` fails there.
    fn literal(&mut self, word: &'static [u8]) -> Result<(), Syntax> {
        if !self.bytes[self.at..].starts_with(word) {
            return self.fail("a value");
        }
        self.at += word.len();
        Ok(())
    }
}

impl<'a> Value<'a> {
    /// The string that this value is, if it is one.
    pub(super) fn text(&self) -> Option<Text<'a>> {
        let raw = self.raw.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
        Some(Text {
            raw,
            escaped: self.escaped,
        })
    }

    /// The strings of the array that this value is, but no more than `most`; `None` if it is no
    /// array of strings as far as that.
    /// The grammar was checked when the value was read, so that a comma more or less cannot come.
    pub(super) fn texts(&self, most: usize) -> Option<Vec<Text<'a>>> {
        let mut inner = Scanner::new(self.raw);
        let mut texts = Vec::new();
        if inner.peek() != Some(b'[') {
            return None;
        }
        inner.take();
        while texts.len() < most && inner.peek()? != b']' {
            texts.push(inner.value().ok()?.text()?);
            if inner.peek()? == b',' {
                inner.take();
            }
        }
        Some(texts)
    }
}

impl<'a> Text<'a> {
    /// The string with its escapes resolved. `None` for a lone surrogate, which no UTF-8 can
    /// spell, and for bytes that are not UTF-8.
    /// Called for names and ids, never for payloads.
    pub(super) fn decode(&self) -> Option<Cow<'a, str>> {
        let raw = std::str::from_utf8(self.raw).ok()?;
        if !self.escaped {
            return Some(Cow::Borrowed(raw));
        }
        let mut out = String::with_capacity(raw.len());
        let mut rest = raw;
        while let Some((plain, tail)) = rest.split_once('\\') {
            out.push_str(plain);
            let (spelled, after) = unescape(tail)?;
            out.push(spelled);
            rest = after;
        }
        out.push_str(rest);
        Some(Cow::Owned(out))
    }
}

/// Resolves one escape behind its backslash.
/// The grammar of the escape was checked before.
fn unescape(text: &str) -> Option<(char, &str)> {
    let (letter, rest) = text.split_at_checked(1)?;
    let plain = match letter {
        "b" => '\u{8}',
        "f" => '\u{c}',
        "n" => '\n',
        "r" => '\r',
        "t" => '\t',
        "u" => return unescape_unit(rest),
        other => other.chars().next()?,
    };
    Some((plain, rest))
}

/// Resolves `\u`: one code unit, or the two halves of a pair.
fn unescape_unit(text: &str) -> Option<(char, &str)> {
    let (first, rest) = code_unit(text)?;
    if let Some(plain) = char::from_u32(first) {
        return Some((plain, rest));
    }
    let (second, rest) = code_unit(rest.strip_prefix("\\u")?)?;
    let pair = (0xD800..0xDC00).contains(&first) && (0xDC00..0xE000).contains(&second);
    let scalar = pair.then(|| 0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00))?;
    Some((char::from_u32(scalar)?, rest))
}

/// Four hexadecimal digits.
fn code_unit(text: &str) -> Option<(u32, &str)> {
    let (digits, rest) = text.split_at_checked(4)?;
    Some((u32::from_str_radix(digits, 16).ok()?, rest))
}

/// How many bytes stand before the first quote, backslash or control character.
///
/// Eight bytes at a time: most of what is submitted lies in strings. A borrow in the
/// subtractions can only mark bytes behind a true mark, so the lowest mark is exact.
#[inline]
pub(super) fn plain_prefix(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGHS: u64 = ONES << 7;
    let (chunks, tail) = bytes.as_chunks::<8>();
    for (number, chunk) in chunks.iter().enumerate() {
        let word = u64::from_le_bytes(*chunk);
        let quote = word ^ (ONES * b'"' as u64);
        let slash = word ^ (ONES * b'\\' as u64);
        let marks = (word.wrapping_sub(ONES * 0x20) & !word)
            | (quote.wrapping_sub(ONES) & !quote)
            | (slash.wrapping_sub(ONES) & !slash);
        let marks = marks & HIGHS;
        if marks != 0 {
            return number * 8 + marks.trailing_zeros() as usize / 8;
        }
    }
    let plain = |byte: &&u8| !matches!(byte, 0..0x20 | b'"' | b'\\');
    chunks.len() * 8 + tail.iter().take_while(plain).count()
}

/// Which of the enclosing levels are objects: a bit each, 64 at hand and the rest put by.
#[derive(Default)]
struct Nest {
    depth: usize,
    /// The innermost level is the lowest bit.
    near: u64,
    /// Whole words of 64 levels each, the outermost first; empty for anything but an attack.
    far: Vec<u64>,
}

impl Nest {
    fn clear(&mut self) {
        self.depth = 0;
        self.far.clear();
    }

    /// The depth with this level.
    #[inline]
    fn enter(&mut self, object: bool) -> usize {
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.far.push(self.near);
        }
        self.near = (self.near << 1) | u64::from(object);
        self.depth += 1;
        self.depth
    }

    /// Only where there is a level to leave.
    #[inline]
    fn leave(&mut self) {
        self.depth -= 1;
        self.near >>= 1;
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.near = self.far.pop().unwrap_or_default();
        }
    }

    #[inline]
    fn in_object(&self) -> bool {
        self.near & 1 == 1
    }
}
