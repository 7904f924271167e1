//! Partial trees: the fewest hashes that give the root together with the known leaves.
//!
//! The rule (`format/FORMAT.md`, "Bundle"): the root over leaves lo … hi−1 is, if no known
//! leaf is among them and hi−lo is a power of two, the given node; else if hi−lo is 1, the
//! known leaf; else split at the largest power of two below hi−lo, and combine. It is
//! RFC 6962 §2.1's own recursion, so a node is never taken where a known leaf lies beneath it.
//!
//! The rule leaves a prover no choice: for a size and a set of known leaves there is one set of
//! nodes and no other. So there is one proof for an answer, none that is larger than it need be,
//! and none in which a node stands for a subtree whose leaf the verifier has before it.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::tree;
use crate::base64;
use crate::digest::Digest;
use crate::strict::Number;

/// Names the root of the complete subtree over leaves
/// `index·2^level … (index+1)·2^level − 1`: level, then index.
///
/// Only complete subtrees are ever named; a subtree at the tree's right edge that is not complete
/// is split instead.
pub type NodeId = (u8, u64);

/// The nodes of a partial tree, in any order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PartialTree {
    /// Level, index, hash.
    /// Whatever a sender wrote: levels and indexes of no tree are refused when a root is made.
    pub nodes: Vec<(u8, u64, Digest)>,
}

/// A partial tree that gives no root.
/// Each makes the proof invalid as a whole: there is no root that is nearly right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PartialError {
    /// The known leaves do not ascend.
    /// Two leaves for one position among them.
    #[error("known leaf {0} does not stand behind the one before")]
    Order(u64),
    /// A known leaf at or past the size.
    #[error("known leaf {0} lies past the tree's end")]
    PastEnd(u64),
    /// A node given twice.
    #[error("node ({0}, {1}) is given twice")]
    Twice(u8, u64),
    /// A node that the rule asks for and that is not given.
    /// Also a leaf that is not known, as the node of level 0.
    #[error("node ({0}, {1}) is missing")]
    Missing(u8, u64),
    /// A node that the rule does not ask for.
    /// It would be a hash that binds nothing: room for data under a sound signature.
    #[error("a node is given that has no place in the tree")]
    Unasked,
}

/// The nodes that the rule asks for, left to right; O(known · log size).
///
/// `known` ascends; whatever is at or past `size` counts for nothing.
/// The prover's side; `root` asks for the same nodes in the same order.
pub fn needed(size: u64, known: &[u64]) -> Vec<NodeId> {
    let mut asked = Vec::new();
    if size > 0 {
        let inside = known.partition_point(|leaf| *leaf < size);
        collect(0, size, &known[..inside], &mut asked);
    }
    asked
}

/// At most 54 calls deep: each split takes a level off.
fn collect(lo: u64, hi: u64, known: &[u64], asked: &mut Vec<NodeId>) {
    match step(lo, hi, known.is_empty()) {
        Step::Node(id) => asked.push(id),
        // The verifier has it.
        Step::Leaf => {}
        Step::Split(middle) => {
            let (left, right) = known.split_at(known.partition_point(|leaf| *leaf < middle));
            collect(lo, middle, left, asked);
            collect(middle, hi, right, asked);
        }
    }
}

/// The root that a partial tree gives, with the known leaves (position and leaf hash).
///
/// A proof that is longer than the tree costs no more than sorting it; no size is believed for
/// memory or for work, since only known leaves open a subtree.
pub fn root(
    size: u64,
    known: &[(u64, Digest)],
    tree: &PartialTree,
) -> Result<Digest, PartialError> {
    if let Some(pair) = known.windows(2).find(|pair| pair[0].0 >= pair[1].0) {
        return Err(PartialError::Order(pair[1].0));
    }
    match known.last() {
        Some((last, _)) if *last >= size => return Err(PartialError::PastEnd(*last)),
        _ => {}
    }
    let mut given = Given::new(tree)?;
    let root = match size {
        0 => tree::root(&[]),
        _ => combine(0, size, known, &mut given)?,
    };
    // Each node is asked for at most once and none is given twice: equal counts are equal sets.
    if given.taken == given.nodes.len() {
        Ok(root)
    } else {
        Err(PartialError::Unasked)
    }
}

/// `known` are the known leaves inside lo … hi−1, ascending; the caller has checked the whole.
fn combine(
    lo: u64,
    hi: u64,
    known: &[(u64, Digest)],
    given: &mut Given,
) -> Result<Digest, PartialError> {
    match (step(lo, hi, known.is_empty()), known) {
        (Step::Node(id), _) => given.take(id),
        (Step::Leaf, [(_, leaf), ..]) => Ok(*leaf),
        // Cannot be: a span of 1 with none known is a power of two. It is an error rather than a
        // panic.
        (Step::Leaf, []) => Err(PartialError::Missing(0, lo)),
        (Step::Split(middle), _) => {
            let (left, right) = known.split_at(known.partition_point(|(leaf, _)| *leaf < middle));
            let left = combine(lo, middle, left, given)?;
            let right = combine(middle, hi, right, given)?;
            Ok(Digest::node(&left, &right))
        }
    }
}

/// What the rule says of leaves lo … hi−1.
enum Step {
    /// The given node of this name.
    Node(NodeId),
    /// The known leaf.
    Leaf,
    /// Two spans, the second from here on.
    Split(u64),
}

/// `lo < hi`, and the span is one of RFC 6962's: `lo` is a multiple of every power of two
/// up to `hi − lo`.
/// Shared by prover and verifier, so that they cannot differ on the rule.
fn step(lo: u64, hi: u64, none_known: bool) -> Step {
    let span = hi - lo;
    if none_known && span.is_power_of_two() {
        // `lo` is a multiple of the span, so the shift loses nothing.
        let level = span.trailing_zeros();
        Step::Node((level as u8, lo >> level))
    } else if span == 1 {
        Step::Leaf
    } else {
        Step::Split(lo + (1 << (span - 1).ilog2()))
    }
}

/// The given nodes, sorted, with a count of those taken.
/// A copy, since a proof keeps the order in which it was sent.
struct Given {
    nodes: Vec<(u8, u64, Digest)>,
    /// Never more than there are: the rule's spans are disjoint, so no name is asked for twice.
    taken: usize,
}

impl Given {
    /// Sorts, and refuses a name given twice, even with one hash.
    fn new(tree: &PartialTree) -> Result<Self, PartialError> {
        let mut nodes = tree.nodes.clone();
        nodes.sort_unstable();
        let same = |pair: &&[(u8, u64, Digest)]| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1);
        match nodes.windows(2).find(same) {
            Some(pair) => Err(PartialError::Twice(pair[0].0, pair[0].1)),
            None => Ok(Self { nodes, taken: 0 }),
        }
    }

    fn take(&mut self, (level, index): NodeId) -> Result<Digest, PartialError> {
        let found = self
            .nodes
            .binary_search_by_key(&(level, index), |node| (node.0, node.1))
            .map_err(|_| PartialError::Missing(level, index))?;
        self.taken += 1;
        Ok(self.nodes[found].2)
    }
}

/// A node's hash, for whoever has all leaves; `None` if its subtree is not complete.
/// Complete means that all 2^level leaves are there.
pub fn node_of(leaves: &[Digest], level: u8, index: u64) -> Option<Digest> {
    let span = 1_u64.checked_shl(u32::from(level))?;
    let from = usize::try_from(index.checked_mul(span)?).ok()?;
    let to = from.checked_add(usize::try_from(span).ok()?)?;
    leaves.get(from..to).map(tree::root)
}

/// The partial tree over `leaves` for the known positions among them, which ascend.
pub fn build(leaves: &[Digest], known: &[u64]) -> PartialTree {
    let asked = needed(leaves.len() as u64, known).into_iter();
    let nodes = asked.filter_map(|(level, index)| {
        let hash = node_of(leaves, level, index)?;
        Some((level, index, hash))
    });
    PartialTree {
        nodes: nodes.collect(),
    }
}

/// A hash as base64.
#[derive(Serialize, Deserialize)]
struct Hash(#[serde(with = "base64::json")] Digest);

/// `[[level, index, "base64"], …]`
impl Serialize for PartialTree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let rows = self.nodes.iter();
        serializer.collect_seq(rows.map(|(level, index, hash)| (level, index, Hash(*hash))))
    }
}

impl<'de> Deserialize<'de> for PartialTree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let rows = Vec::<(Level, Number, Hash)>::deserialize(deserializer)?;
        let node = |(level, index, hash): (Level, Number, Hash)| (level.0, index.0, hash.0);
        Ok(Self {
            nodes: rows.into_iter().map(node).collect(),
        })
    }
}

/// A level: no tree below 2^53 leaves has one past 53, so any that fits is read.
/// Written as digits, and at most 255.
#[derive(Deserialize)]
struct Level(u8);

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn leaves(count: u64) -> Vec<Digest> {
        (0..count)
            .map(|i| Digest::leaf(&[&i.to_be_bytes()]))
            .collect()
    }

    fn sample() -> impl Strategy<Value = (u64, BTreeSet<u64>)> {
        (1_u64..600).prop_flat_map(|size| {
            let known = proptest::collection::btree_set(0..size, 0..20.min(size as usize + 1));
            (Just(size), known)
        })
    }

    proptest! {
        #[test]
        fn what_is_built_gives_the_root((size, known) in sample()) {
            let leaves = leaves(size);
            let known: Vec<u64> = known.into_iter().collect();
            let tree = build(&leaves, &known);
            let pairs: Vec<_> = known.iter().map(|i| (*i, leaves[*i as usize])).collect();
            prop_assert_eq!(tree.nodes.len(), needed(size, &known).len());
            prop_assert_eq!(root(size, &pairs, &tree), Ok(tree::root(&leaves)));
        }

        #[test]
        fn any_change_is_refused_or_gives_another_root(
            (size, known) in sample(), at in any::<prop::sample::Index>(), bit in 0_usize..256, how in 0..4
        ) {
            let leaves = leaves(size);
            let known: Vec<u64> = known.into_iter().collect();
            let mut tree = build(&leaves, &known);
            let pairs: Vec<_> = known.iter().map(|i| (*i, leaves[*i as usize])).collect();
            prop_assume!(!tree.nodes.is_empty());
            let at = at.index(tree.nodes.len());
            match how {
                0 => tree.nodes[at].2.0[bit / 8] ^= 1 << (bit % 8),
                1 => { tree.nodes.remove(at); }
                2 => tree.nodes.push(tree.nodes[at]),
                _ => tree.nodes[at].1 += 1,
            }
            prop_assert_ne!(root(size, &pairs, &tree), Ok(tree::root(&leaves)));
        }

        #[test]
        fn few_nodes_are_asked_for(size in 1_u64..(1 << 53), known in proptest::collection::btree_set(0_u64..(1 << 53), 0..9)) {
            let known: Vec<u64> = known.into_iter().collect();
            prop_assert!(needed(size, &known).len() <= 54 * (known.len() + 1));
        }
    }

    #[test]
    fn the_largest_sizes_do_not_overflow() {
        assert_eq!(needed(u64::MAX, &[]).len(), 64);
        assert!(!needed(u64::MAX, &[u64::MAX - 1, u64::MAX]).is_empty());
        assert_eq!(node_of(&leaves(4), 64, 0), None);
        assert_eq!(node_of(&leaves(4), 1, u64::MAX), None);
    }
}
