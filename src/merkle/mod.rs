//! RFC 6962 trees: roots, right edges, and partial trees.

pub mod partial;
mod tree;

pub use partial::{PartialError, PartialTree};
pub use tree::{Frontier, root};
