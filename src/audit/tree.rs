//! Nodes of a log's tree, from the tiles that the catalog keeps.

use std::num::NonZeroUsize;

use lru::LruCache;

use super::AuditError;
use crate::catalog::Catalog;
use crate::digest::Digest;
use crate::ids::LogName;
use crate::merkle::partial::needed;
use crate::merkle::{PartialTree, root};
use crate::messages::Said;

/// Levels of a tile.
const TILE_LEVELS: u8 = 8;
/// 256 hashes of 32 bytes each: 2 MB.
const KEPT_TILES: NonZeroUsize = NonZeroUsize::new(256).unwrap();

/// A log's tree. It vouches for nothing: whoever uses its nodes compares the root.
pub struct LogTree<'a> {
    catalog: &'a Catalog,
    log: &'a LogName,
    tiles: LruCache<(u8, u64), Vec<Digest>>,
}

impl<'a> LogTree<'a> {
    /// The tree of a log.
    pub fn new(catalog: &'a Catalog, log: &'a LogName) -> Self {
        Self {
            catalog,
            log,
            tiles: LruCache::new(KEPT_TILES),
        }
    }

    /// The partial tree that, with the known leaves (ascending), gives the root of `size` leaves.
    pub async fn partial(&mut self, size: u64, known: &[u64]) -> Result<PartialTree, AuditError> {
        let mut nodes = Vec::new();
        for (level, index) in needed(size, known) {
            nodes.push((level, index, self.node(level, index).await?));
        }
        Ok(PartialTree { nodes })
    }

    /// The root of a complete subtree.
    async fn node(&mut self, level: u8, index: u64) -> Result<Digest, AuditError> {
        let (tile_level, within) = (level / TILE_LEVELS, level % TILE_LEVELS);
        let first = index << within;
        let (tile, start) = (first >> TILE_LEVELS, (first & 0xFF) as usize);
        if !self.tiles.contains(&(tile_level, tile)) {
            let hashes = self.catalog.tile(self.log, tile_level, tile).await?;
            self.tiles.put((tile_level, tile), hashes);
        }
        let hashes = self
            .tiles
            .get(&(tile_level, tile))
            .map_or(&[][..], Vec::as_slice);
        let leaves = hashes.get(start..start + (1 << within));
        leaves
            .map(root)
            .ok_or_else(|| AuditError::Unavailable(Said::new("refusal-tree").arg("log", self.log)))
    }
}
