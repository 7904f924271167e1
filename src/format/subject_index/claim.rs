//! What a subject index says of a tag, and how anybody checks it against the root.
//!
//! A claim is always about a tag that the verifier has made itself, from the tag proof: the tag is
//! not in the claim, so that none can be about somebody else's.

use serde::{Deserialize, Serialize};

use super::{leaf, postings};
use crate::base64;
use crate::digest::{Digest, Salt};
use crate::merkle::partial::{self, PartialError, PartialTree};
use crate::strict;
use crate::vrf::Tag;

/// The list of a tag, or that there is none.
/// Both need the same three things to hold: the form, the places, and the root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claim {
    /// The tag has a list.
    Present(Present),
    /// The tag is not in the index.
    Absent(Absent),
}

/// A tag's list; the tag itself is the verifier's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Present {
    /// Position among the tags.
    /// Any number below 2^53 is read; the tree says whether it is a position.
    #[serde(deserialize_with = "strict::number")]
    pub position: u64,
    /// The position's salt.
    #[serde(with = "base64::json")]
    pub salt: Salt,
    /// The list's bytes.
    /// Shown whole: it is one leaf, so no part of it can be left out.
    #[serde(with = "base64::json")]
    pub list: Vec<u8>,
}

/// The two tags between which a tag would stand.
/// Both null only if the index is empty.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Absent {
    /// The one before; none if the tag would be the first.
    #[serde(deserialize_with = "nullable_object")]
    pub left: Option<Neighbour>,
    /// The one behind; none if the tag would be the last.
    #[serde(deserialize_with = "nullable_object")]
    pub right: Option<Neighbour>,
}

/// Somebody else's tag: its list stays hidden behind its salted hash.
/// That its tag is shown cannot be helped: it is the proof. Without the secret key it names nobody.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Neighbour {
    /// Position among the tags.
    #[serde(deserialize_with = "strict::number")]
    pub position: u64,
    /// The tag.
    #[serde(with = "base64::json")]
    pub tag: Tag,
    /// `H(salt ‖ list)`
    #[serde(with = "base64::json")]
    pub digest: Digest,
}

/// `null` or an object; an array would be read into a struct too.
fn nullable_object<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Neighbour>, D::Error> {
    let object = Option::<strict::Object<Neighbour>>::deserialize(deserializer)?;
    Ok(object.map(|object| object.0))
}

/// A claim that does not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ClaimError {
    /// The list is empty, does not ascend, or is no list.
    #[error("the list is empty or does not ascend")]
    List,
    /// The neighbours do not stand next to each other around the tag.
    /// With a gap between them the tag could be in it.
    #[error("the tag would not stand between the neighbours given")]
    Neighbours,
    /// The partial tree gives no root.
    #[error(transparent)]
    Tree(#[from] PartialError),
    /// The partial tree gives another root.
    #[error("the root is {found}, not {expected}")]
    Root {
        /// `subjects_root` of the close link.
        expected: Digest,
        /// What leaves and tree give.
        found: Digest,
    },
}

impl Claim {
    /// Positions and hashes of the leaves that the claim, made of `tag`, knows.
    /// For a neighbour, its hash stands in for its salt and list.
    pub fn leaves(&self, tag: &Tag) -> Vec<(u64, Digest)> {
        match self {
            Self::Present(present) => {
                let list = Digest::of(&[&present.salt, &present.list]);
                vec![(present.position, leaf(tag, &list))]
            }
            Self::Absent(Absent { left, right }) => {
                let both = left.iter().chain(right);
                both.map(|one| (one.position, leaf(&one.tag, &one.digest)))
                    .collect()
            }
        }
    }

    /// Checks the claim, made of `tag`, against a close link; gives the list if there is one.
    /// The order matters only to which error is given; all of it must hold.
    pub fn check(
        &self,
        tag: &Tag,
        subject_count: u32,
        subjects_root: &Digest,
        tree: &PartialTree,
    ) -> Result<Option<&[u8]>, ClaimError> {
        let size = u64::from(subject_count);
        let list = match self {
            Self::Present(present) if postings(&present.list).is_some() => Some(&*present.list),
            Self::Present(_) => return Err(ClaimError::List),
            Self::Absent(absent) if absent.surrounds(tag, size) => None,
            Self::Absent(_) => return Err(ClaimError::Neighbours),
        };
        let found = partial::root(size, &self.leaves(tag), tree)?;
        if found == *subjects_root {
            Ok(list)
        } else {
            let expected = *subjects_root;
            Err(ClaimError::Root { expected, found })
        }
    }
}

impl Absent {
    /// Whether the neighbours are at positions p and p+1 with left < tag < right, where an
    /// end of the index stands for a neighbour that is not there.
    /// The tree shows that they stand at these positions; this, that nothing stands between.
    fn surrounds(&self, tag: &Tag, size: u64) -> bool {
        let (left, right) = (self.left.as_ref(), self.right.as_ref());
        // Positions are below 2^53.
        let behind_left = left.map_or(0, |left| left.position + 1);
        let at_right = right.map_or(size, |right| right.position);
        behind_left == at_right
            && left.is_none_or(|left| left.tag < *tag)
            && right.is_none_or(|right| *tag < right.tag)
    }
}
