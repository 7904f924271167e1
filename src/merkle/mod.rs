//! RFC 6962 trees: roots, right edges, and partial trees.
//!
//! A tree here is a list of leaf hashes and nothing else: the hashes of leaves and of nodes begin
//! with different bytes, so that neither can be passed off as the other (RFC 6962 §2.1). A root
//! does not say how many leaves it is over; whoever compares one has the size from a link or a
//! checkpoint.

pub mod partial;
mod tree;

pub use partial::{PartialError, PartialTree};
pub use tree::{Frontier, root};
