//! Links: the public statements about batches, and the rules by which they form one chain.
//!
//! This module does not know payloads: a link binds one by its length and its digest, whatever it
//! holds. Nor does it know signatures: a chain that follows all rules may still be a second
//! history, which only a checkpoint's root tells from the first.

mod link;
mod rules;

pub use link::{
    BATCH_LINK_BYTES, BatchBody, Body, CLOSE_LINK_BYTES, CloseBody, HEAD_BYTES, Head, Link,
    LinkError,
};
pub use rules::{Chain, Flaw, Sums, check_neighbours};
