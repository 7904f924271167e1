//! Roots, and the right edge from which a tree grows.

use crate::digest::Digest;
use crate::digest::two::{self, Message};

/// The root over leaf hashes; of none, `H("")`.
///
/// Level by level, two nodes at once; what has no neighbour goes up as it is. That is the tree of
/// RFC 6962 §2.1: the left part of each split is complete.
pub fn root(leaves: &[Digest]) -> Digest {
    match leaves {
        [] => Digest::of(&[]),
        [root] => *root,
        level => {
            let (pairs, alone) = level.as_chunks();
            let mut above = two::all(pairs.iter().map(|[left, right]| Message::node(left, right)));
            above.extend(alone);
            root(&above)
        }
    }
}

/// The right edge of a tree: the roots of its complete subtrees, the largest first.
///
/// There is one for each bit set in `size`, at most 53 in a log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Frontier {
    /// Its bits say which subtrees there are: bit k set, one of 2^k leaves.
    size: u64,
    /// As many as bits are set in `size`.
    edge: Vec<Digest>,
}

impl Frontier {
    /// Takes an edge as stored; `None` if it is not as long as the size asks for.
    /// Whoever goes on from one compares its root with one that is trusted.
    /// A length that fits is no proof of anything: every edge of the right length gives some root.
    pub fn from_parts(size: u64, edge: Vec<Digest>) -> Option<Self> {
        (edge.len() == size.count_ones() as usize).then_some(Self { size, edge })
    }

    /// Number of leaves.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The subtrees' roots, the largest first.
    pub fn edge(&self) -> &[Digest] {
        &self.edge
    }

    /// Appends a leaf hash.
    /// Like adding one to a binary number: each carry joins two subtrees of one size.
    pub fn push(&mut self, leaf: Digest) {
        let mut node = leaf;
        for _ in 0..self.size.trailing_ones() {
            if let Some(left) = self.edge.pop() {
                node = Digest::node(&left, &node);
            }
        }
        self.edge.push(node);
        self.size += 1;
    }

    /// The root.
    ///
    /// From the right, the small ones first: RFC 6962 splits at the largest power of two, so the
    /// largest subtree is joined last.
    pub fn root(&self) -> Digest {
        let right_to_left = self.edge.iter().rev().copied();
        right_to_left
            .reduce(|right, left| Digest::node(&left, &right))
            .unwrap_or_else(|| Digest::of(&[]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_root_is_the_same_by_levels_and_by_the_edge() {
        let mut frontier = Frontier::default();
        let mut leaves = Vec::new();
        for count in 0..70_u64 {
            assert_eq!(root(&leaves), frontier.root(), "{count} leaves");
            let leaf = Digest::leaf(&[&count.to_be_bytes()]);
            leaves.push(leaf);
            frontier.push(leaf);
        }
    }
}
