//! Links: the public statements about batches, and the rules by which they form one chain.

mod link;
mod rules;

pub use link::{
    BATCH_LINK_BYTES, BatchBody, Body, CLOSE_LINK_BYTES, CloseBody, HEAD_BYTES, Head, Link,
    LinkError,
};
pub use rules::{Chain, Flaw, Sums, check_neighbours};
