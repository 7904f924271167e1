//! Two messages at once.
//!
//! Each round of SHA-256 waits for the one before, so one message leaves a good part of the
//! processor's unit for it idle. The rounds of two messages do not wait for each other: where their
//! blocks take turns, a processor that looks further ahead than one block works on both. With SHA
//! instructions that is up to one and a half times as fast as one message after the other; least
//! where another thread shares the core, and so the unit.
//!
//! Only cutting and padding are done here; the compression is the library's.

use std::slice;

use sha2::block_api::compress256;

use super::{Digest, SALT_LABEL, Salt, first_16};

/// What is compressed at a time (FIPS 180-4 §1).
type Block = [u8; BLOCK_BYTES];
const BLOCK_BYTES: usize = 64;

/// The state before the first block (FIPS 180-4 §5.3.3).
const INITIAL: State = [
    0x6a09_e667,
    0xbb67_ae85,
    0x3c6e_f372,
    0xa54f_f53a,
    0x510e_527f,
    0x9b05_688c,
    0x1f83_d9ab,
    0x5be0_cd19,
];
type State = [u32; 8];

/// A message in blocks: a short head, and a body that is hashed where it lies.
pub struct Message<'m> {
    /// The head, and as much of the body as fills its block.
    first: Option<Block>,
    /// Whole blocks of the body.
    middle: &'m [Block],
    /// What is left, padded (FIPS 180-4 §5.1.1): one block or two.
    last: [Block; 2],
    last_blocks: usize,
}

impl<'m> Message<'m> {
    /// Of `H(body)`.
    pub fn new(body: &'m [u8]) -> Self {
        Self::with_head([], body)
    }

    /// Of `H(salt ‖ body)`.
    pub fn salted(salt: &Salt, body: &'m [u8]) -> Self {
        Self::with_head(*salt, body)
    }

    /// Of `leaf(start ‖ body)`, where the start is a salt or a tag.
    pub fn leaf(start: &[u8; 16], body: &'m [u8]) -> Self {
        let mut head = [0; 17];
        head[1..].copy_from_slice(start);
        Self::with_head(head, body)
    }

    /// Of `node(left, right)`.
    pub fn node(left: &Digest, right: &'m Digest) -> Self {
        let mut head = [1; 33];
        head[1..].copy_from_slice(&left.0);
        Self::with_head(head, &right.0)
    }

    fn with_head<const N: usize>(head: [u8; N], body: &'m [u8]) -> Self {
        const { assert!(N < BLOCK_BYTES) };
        let length = N + body.len();
        let mut begun = [0; BLOCK_BYTES];
        begun[..N].copy_from_slice(&head);
        let (first, body) = match body.split_at_checked(BLOCK_BYTES - N) {
            Some((fill, rest)) if N > 0 => {
                begun[N..].copy_from_slice(fill);
                (Some(begun), rest)
            }
            _ => (None, body),
        };
        let (middle, rest) = body.as_chunks();
        // A head that is not in a block of its own stands before the rest.
        let head = if first.is_none() { &head[..] } else { &[] };
        let mut last = [[0; BLOCK_BYTES]; 2];
        let bytes = last.as_flattened_mut();
        let end = head.len() + rest.len();
        bytes[..head.len()].copy_from_slice(head);
        bytes[head.len()..end].copy_from_slice(rest);
        bytes[end] = 0x80;
        let last_blocks = (end + 1 + LENGTH_BYTES).div_ceil(BLOCK_BYTES);
        let bits = (length as u64 * 8).to_be_bytes();
        bytes[last_blocks * BLOCK_BYTES - LENGTH_BYTES..][..LENGTH_BYTES].copy_from_slice(&bits);
        Self {
            first,
            middle,
            last,
            last_blocks,
        }
    }

    /// Its blocks in order, in three runs.
    fn runs(&self) -> [&[Block]; 3] {
        let last = &self.last[..self.last_blocks];
        [self.first.as_slice(), self.middle, last]
    }
}

/// The message's length in bits stands at the end of its padding.
const LENGTH_BYTES: usize = 8;

/// The hash of each message.
/// Best where neighbours are about as long: what one is longer is hashed alone.
pub fn all<'m>(mut messages: impl Iterator<Item = Message<'m>>) -> Vec<Digest> {
    let mut hashes = Vec::with_capacity(messages.size_hint().0);
    while let Some(message) = messages.next() {
        match messages.next() {
            Some(other) => hashes.extend(two(&message, &other)),
            None => hashes.push(one(&message)),
        }
    }
    hashes
}

/// The hashes of two messages.
fn two(message: &Message<'_>, other: &Message<'_>) -> [Digest; 2] {
    let mut states = [INITIAL; 2];
    for (run, other_run) in message.runs().into_iter().zip(other.runs()) {
        take_turns(&mut states, run, other_run);
    }
    states.map(digest)
}

fn one(message: &Message<'_>) -> Digest {
    let mut state = INITIAL;
    for run in message.runs() {
        compress256(&mut state, run);
    }
    digest(state)
}

/// The salts at all positions below `count` under a seed, as [`salt`](super::salt) gives them: a
/// block each, in which only the position differs.
pub fn salts(seed: &[u8; 32], count: u32) -> Vec<Salt> {
    const LABEL: usize = SALT_LABEL.len();
    let mut head = [0; LABEL + 36];
    head[..LABEL].copy_from_slice(SALT_LABEL);
    head[LABEL..LABEL + 32].copy_from_slice(seed);
    let [first, _] = Message::with_head(head, &[]).last;
    let block = |position: u32| {
        let mut block = first;
        block[LABEL + 32..LABEL + 36].copy_from_slice(&position.to_be_bytes());
        [block]
    };
    let mut salts = Vec::with_capacity(count as usize + 1);
    for position in (0..count).step_by(2) {
        let mut states = [INITIAL; 2];
        let (even, odd) = (block(position), block(position | 1));
        take_turns(&mut states, &even, &odd);
        salts.extend(states.map(|state| first_16(&digest(state))));
    }
    salts.truncate(count as usize);
    salts
}

/// Compresses two runs of blocks, each into its own state.
fn take_turns([state, other_state]: &mut [State; 2], run: &[Block], other_run: &[Block]) {
    let both = run.len().min(other_run.len());
    let (run, rest) = run.split_at(both);
    let (other_run, other_rest) = other_run.split_at(both);
    for (block, other_block) in run.iter().zip(other_run) {
        compress256(state, slice::from_ref(block));
        compress256(other_state, slice::from_ref(other_block));
    }
    // A call for no blocks would cost a tenth of a block each.
    if !rest.is_empty() {
        compress256(state, rest);
    }
    if !other_rest.is_empty() {
        compress256(other_state, other_rest);
    }
}

/// The state as bytes (FIPS 180-4 §6.2.2).
fn digest(state: State) -> Digest {
    let mut bytes = [0; 32];
    for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip(state) {
        *bytes = word.to_be_bytes();
    }
    Digest(bytes)
}

#[cfg(test)]
mod tests {
    use proptest::collection;
    use proptest::prelude::*;

    use super::super::salt;
    use super::*;

    #[test]
    fn salts_are_those_of_each_position() {
        for count in [0, 1, 2, 5] {
            let each: Vec<Salt> = (0..count).map(|n| salt(&[4; 32], n)).collect();
            assert_eq!(salts(&[4; 32], count), each);
        }
    }

    fn check(bodies: &[Vec<u8>]) {
        let salts: Vec<Salt> = (0..)
            .map(|n| salt(&[4; 32], n))
            .take(bodies.len())
            .collect();
        let salted = || bodies.iter().zip(&salts);
        let plain: Vec<_> = bodies.iter().map(|body| Digest::of(&[body])).collect();
        assert_eq!(all(bodies.iter().map(|body| Message::new(body))), plain);
        let with_salt: Vec<_> = salted()
            .map(|(body, salt)| Digest::of(&[salt, body]))
            .collect();
        let messages = salted().map(|(body, salt)| Message::salted(salt, body));
        assert_eq!(all(messages), with_salt);
        let leaves: Vec<_> = salted()
            .map(|(body, salt)| Digest::leaf(&[salt, body]))
            .collect();
        let messages = salted().map(|(body, salt)| Message::leaf(salt, body));
        assert_eq!(all(messages), leaves);
        let pairs = || plain.iter().zip(&leaves);
        let nodes: Vec<_> = pairs()
            .map(|(left, right)| Digest::node(left, right))
            .collect();
        let messages = pairs().map(|(left, right)| Message::node(left, right));
        assert_eq!(all(messages), nodes);
    }

    #[test]
    fn every_border_of_blocks_and_padding() {
        // Beside one as long, beside the longest, and alone.
        for length in 0..200 {
            let body = vec![length as u8; length];
            check(&[body.clone(), body.clone()]);
            check(&[body.clone(), vec![1; 200], body]);
        }
    }

    proptest! {
        #[test]
        fn hashes_are_those_of_the_library(bodies in collection::vec(collection::vec(any::<u8>(), 0..1100), 0..6)) {
            check(&bodies);
        }
    }
}
