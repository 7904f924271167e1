//! Recovery: what a log's files say after a stop, whatever kind of stop it was.
//!
//! It reads through the verifier and writes through the committer: it keeps whole frames, moves
//! a torn tail aside, and has the old active segment closed like any other. It trusts the
//! catalog only as far as it hashes to the checkpoint in `state.db`.

use std::sync::Arc;
use std::time::Duration;

use super::IngestError;
use super::core::Core;
use super::index::{SegmentIndex, Untagged};
use super::log::{Commit, Log, OpenSegment, Phase, SegmentKeys, lock};
use super::notary::{Notice, TreeHead};
use super::rebuild::rebuild;
use crate::catalog::SegmentRow;
use crate::chain::Flaw;
use crate::format::header::Header;
use crate::ids::SegmentNumber;
use crate::sequencer::Sequencer;
use crate::state::StoredCheckpoint;
use crate::store::SegmentFile;
use crate::verifier::{Place, ScanEnd, Torn, check_header, read_header, scan, torn_tail};

/// Why a log cannot be opened.
#[derive(Debug)]
pub(super) enum Stop {
    /// It is not what was signed or synced: an operator decides.
    Finding(String),
    /// It could not be read; trying again may help.
    Failed(String),
}

impl<E: std::error::Error> From<E> for Stop {
    fn from(error: E) -> Self {
        Self::Failed(error.to_string())
    }
}

/// Reads a log at the start.
pub(super) fn start(core: &Arc<Core>, log: &Arc<Log>) {
    match recover(core, log) {
        Ok(()) => {}
        Err(Stop::Finding(why)) => refuse(core, log, why),
        Err(Stop::Failed(why)) => {
            log.give_up(Phase::Repairing(why.clone()), &IngestError::Disk(why));
            repair(core.clone(), log.clone());
        }
    }
}

/// Brings a log back after a failed write, in the background, trying ever more seldom.
pub(super) fn repair(core: Arc<Core>, log: Arc<Log>) {
    const FIRST: Duration = Duration::from_millis(200);
    const LAST: Duration = Duration::from_secs(30);
    core.clone().runtime.spawn_blocking(move || {
        let mut pause = FIRST;
        while !core.stopping.load(std::sync::atomic::Ordering::Acquire) {
            std::thread::sleep(pause);
            pause = (pause * 2).min(LAST);
            match cut_to_synced(&core, &log).and_then(|()| recover(&core, &log)) {
                Ok(()) => return tracing::info!("{}: repaired, taking entries again", log.name),
                Err(Stop::Finding(why)) => return refuse(&core, &log, why),
                Err(Stop::Failed(why)) => {
                    core.trouble(format!("{}: not repaired yet: {why}", log.name))
                }
            }
        }
    });
}

/// The log takes nothing more until somebody has decided what is true; reading it goes on.
fn refuse(core: &Core, log: &Log, why: String) {
    core.trouble(format!(
        "{}: refuses entries until an operator decides: {why}",
        log.name
    ));
    log.refuse(why);
}

/// Nothing behind the last synced length was acknowledged, and no later sync vouches for it.
fn cut_to_synced(core: &Core, log: &Log) -> Result<(), Stop> {
    let mut commit = lock(&log.commit);
    if let Some(open) = &commit.open {
        core.storage
            .open(&log.name, open.keys.number)?
            .truncate(open.length)?;
    }
    commit.open = None;
    Ok(())
}

/// Reads what is there and opens the log from it.
///
/// What the catalog knows of closed segments is believed only where its tree hashes to the checkpoint:
/// then reading begins behind the last segment it knows, and a start takes no longer for a long log.
/// Otherwise every segment is read, and the catalog forgets the log.
fn recover(core: &Arc<Core>, log: &Arc<Log>) -> Result<(), Stop> {
    let checkpoint = core.runtime.block_on(core.state.checkpoint(&log.name))?;
    let size = checkpoint.as_ref().map_or(0, |checkpoint| checkpoint.size);
    let tail = core
        .runtime
        .block_on(core.catalog.last_segment_within(&log.name, size))?;
    let read = Reading {
        core,
        log,
        checkpoint: checkpoint.as_ref(),
    };
    let found = match &tail {
        Some(row) => match read.from(Some(row)) {
            // The catalog is a copy: if it leads astray, the segments decide.
            Err(Stop::Finding(_)) => {
                core.runtime.block_on(core.catalog.forget_log(&log.name))?;
                (read.from(None)?, None)
            }
            other => (other?, Some(row.number)),
        },
        None => (read.from(None)?, None),
    };
    settle(core, log, checkpoint, found.0, found.1)
}

/// What was found of a log.
struct FoundLog {
    sequencer: Sequencer,
    open: Option<Active>,
    /// Number of closed segments, from 0.
    closed: u64,
}

/// Puts into memory what was found, and has the rest of the work done by those whose work it is: the
/// indexer is told of closed segments that the catalog lacks, the notary of links that no checkpoint
/// covers, and an active segment gets a close as its first ticket.
fn settle(
    core: &Arc<Core>,
    log: &Arc<Log>,
    checkpoint: Option<StoredCheckpoint>,
    found: FoundLog,
    indexed: Option<SegmentNumber>,
) -> Result<(), Stop> {
    let signed = checkpoint.as_ref().map_or(0, |checkpoint| checkpoint.size);
    let closed = found
        .open
        .is_none()
        .then_some(found.sequencer.chain.next_entry);
    let head = TreeHead::of(&found.sequencer.tree, closed);
    log.forget_indexes();
    log.start_from(checkpoint, closed.filter(|_| signed == head.size), indexed);
    for segment in indexed.map_or(0, |number| number + 1)..found.closed {
        log.keep_unindexed(segment);
        core.notify(Notice::Unindexed {
            log: log.clone(),
            segment,
        });
    }
    let (open, next_segment) = match found.open {
        Some((open, index, fresh)) => {
            let number = open.keys.number;
            log.install_active(number, index);
            core.tags.push(log, number, fresh, true);
            (Some(open), number + 1)
        }
        None => {
            if head.size > signed {
                core.notify(Notice::Grown {
                    log: log.clone(),
                    head,
                });
            }
            (None, found.closed)
        }
    };
    if log.open(
        Commit {
            sequencer: found.sequencer,
            open,
        },
        next_segment,
    ) {
        core.ready.push(log.clone());
    }
    core.wakeup.wake_all();
    Ok(())
}

/// An active segment, its index rebuilt, and the subjects that want tags.
type Active = (OpenSegment, SegmentIndex, Vec<Untagged>);

/// One reading of a log's files, against the newest checkpoint that `state.db` has.
struct Reading<'a> {
    core: &'a Core,
    log: &'a Log,
    checkpoint: Option<&'a StoredCheckpoint>,
}

impl Reading<'_> {
    /// Reads the log from behind a segment that the catalog knows, or from its start.
    fn from(&self, tail: Option<&SegmentRow>) -> Result<FoundLog, Stop> {
        let numbers = self.core.storage.segments(&self.log.name)?;
        if let Some((expected, found)) = (0..)
            .zip(&numbers)
            .find(|(expected, found)| expected != *found)
        {
            return finding(format!(
                "MISSING: segment {expected} is not there, segment {found} is"
            ));
        }
        let (mut sequencer, first) = match tail {
            Some(row) => match row.behind(self.log.log_id) {
                Some(sequencer) => (sequencer, row.number + 1),
                None => return finding("the catalog's tree edge has a wrong length".into()),
            },
            None => (Sequencer::new(self.log.log_id), 0),
        };
        let count = numbers.len() as u64;
        if count < first {
            return finding(format!("MISSING: segment {} is not there", first - 1));
        }
        self.check_root(&sequencer)?;
        if let Some(row) = tail
            && count == first
        {
            self.check_length(row)?;
        }
        let mut found = FoundLog {
            sequencer: sequencer.clone(),
            open: None,
            closed: first,
        };
        for number in first..count {
            found.open = self.segment(number, number + 1 == count, &mut sequencer)?;
            found.closed = sequencer.chain.segment;
        }
        found.sequencer = sequencer;
        self.check_covered(&found.sequencer)?;
        Ok(found)
    }

    /// Reads one segment; gives it if it is active.
    fn segment(
        &self,
        number: SegmentNumber,
        last: bool,
        sequencer: &mut Sequencer,
    ) -> Result<Option<Active>, Stop> {
        let file = self.core.storage.open(&self.log.name, number)?;
        let before = sequencer.chain.next_link;
        let Some(header) = self.header(number, last, &*file, sequencer)? else {
            self.core.storage.move_aside(&self.log.name, number, 0)?;
            return Ok(None);
        };
        let mut root_fits = Ok(());
        let end = scan(&*file, &header, sequencer, last, |_, sequencer| {
            if root_fits.is_ok() {
                root_fits = self.check_root(sequencer);
            }
            Ok(())
        })?;
        root_fits?;
        let Some(end) = self.end(number, last, &*file, end, sequencer)? else {
            return Ok(None);
        };
        if sequencer.chain.next_link == before {
            self.core.storage.move_aside(&self.log.name, number, 0)?;
            return Ok(None);
        }
        if end < file.length()? {
            self.core.storage.move_aside(&self.log.name, number, end)?;
        }
        drop(file);
        self.active(number, header, end).map(Some)
    }

    /// A segment's header; `None` if it is a torn tail.
    fn header(
        &self,
        number: SegmentNumber,
        last: bool,
        file: &dyn SegmentFile,
        sequencer: &Sequencer,
    ) -> Result<Option<Header>, Stop> {
        let key_part = self.core.storage.key_part(&self.log.name, number)?;
        let header = match read_header(file, key_part.as_deref())? {
            Ok(header) => header,
            Err(error) if last => {
                self.torn(
                    number,
                    file,
                    &Place::of_header(),
                    sequencer,
                    &error.to_string(),
                )?;
                return Ok(None);
            }
            Err(error) => return finding(format!("ALTERED: segment {number}: {error}")),
        };
        match check_header(&header, &sequencer.chain) {
            Ok(()) => Ok(Some(header)),
            Err(flaw) => finding(format!("ALTERED: segment {number}: {}", in_words(&flaw))),
        }
    }

    /// Where the whole frames of an active segment end; `None` if it is closed.
    fn end(
        &self,
        number: SegmentNumber,
        last: bool,
        file: &dyn SegmentFile,
        end: ScanEnd,
        sequencer: &Sequencer,
    ) -> Result<Option<u64>, Stop> {
        let at = |offset: u64, what: String| {
            finding(format!("ALTERED: segment {number} at {offset}: {what}"))
        };
        match end {
            ScanEnd::Closed { behind: 0, .. } => Ok(None),
            ScanEnd::Closed { end, behind } => {
                at(end, format!("{behind} bytes stand behind its close link"))
            }
            ScanEnd::Broken { offset, flaw } => at(offset, in_words(&flaw)),
            ScanEnd::Open { end } if last => Ok(Some(end)),
            ScanEnd::Open { end } => at(end, "it has no close link, but is not the last".into()),
            ScanEnd::Damaged(place) if last => {
                self.torn(number, file, &place, sequencer, &place.damage.to_string())?;
                Ok(Some(place.offset))
            }
            ScanEnd::Damaged(place) => at(place.offset, place.damage.to_string()),
        }
    }

    /// Damage in the last segment: a torn tail is recovered from, everything else is a finding.
    fn torn(
        &self,
        number: SegmentNumber,
        file: &dyn SegmentFile,
        place: &Place,
        sequencer: &Sequencer,
        damage: &str,
    ) -> Result<(), Stop> {
        let size = self.checkpoint.map_or(0, |checkpoint| checkpoint.size);
        match torn_tail(file, place, &sequencer.chain, size)? {
            Torn::Tail => {
                tracing::warn!(
                    "{}: the sync that was being written when the server stopped is torn (segment \
                     {number} at {}: {damage}); nothing acknowledged is in it, its bytes are moved aside",
                    self.log.name,
                    place.offset
                );
                Ok(())
            }
            Torn::No(why) => finding(format!(
                "ALTERED: segment {number} at {}: {damage}; {why}",
                place.offset
            )),
        }
    }

    /// The active segment as the committer wants it: synced, and its index in memory.
    fn active(&self, number: SegmentNumber, header: Header, end: u64) -> Result<Active, Stop> {
        let dek = header
            .dek(&self.core.keyring.kek)
            .or_else(|error| finding(format!("segment {number}: {error}")))?;
        let file = self.core.storage.open(&self.log.name, number)?;
        // What was written but not synced before the stop is kept, so it must be synced now.
        file.sync()?;
        let (index, fresh) = rebuild(self.log, &*file, &header, &dek, end)?;
        let keys = Arc::new(SegmentKeys {
            number,
            dek,
            created_at: header.fixed.created_at,
        });
        Ok((
            OpenSegment {
                keys,
                header_digest: header.digest,
                length: end,
            },
            index,
            fresh,
        ))
    }

    /// Where the checkpoint ends, the tree's root must be the checkpoint's.
    fn check_root(&self, sequencer: &Sequencer) -> Result<(), Stop> {
        match self.checkpoint {
            Some(checkpoint)
                if checkpoint.size == sequencer.tree.size()
                    && checkpoint.root != sequencer.tree.root() =>
            {
                finding(format!(
                    "ALTERED: the first {} links hash to {}, the checkpoint says {}",
                    checkpoint.size,
                    sequencer.tree.root(),
                    checkpoint.root
                ))
            }
            _ => Ok(()),
        }
    }

    /// A log with fewer links than were signed has lost some: `TRUNCATED`.
    fn check_covered(&self, sequencer: &Sequencer) -> Result<(), Stop> {
        let links = sequencer.tree.size();
        match self.checkpoint {
            Some(checkpoint) if checkpoint.size > links => finding(format!(
                "TRUNCATED: the checkpoint covers {} links, {links} are there",
                checkpoint.size
            )),
            _ => Ok(()),
        }
    }

    /// A closed segment that is not read is at least as long as when it was closed: bytes behind a close
    /// link are an alteration that no link would show.
    fn check_length(&self, row: &SegmentRow) -> Result<(), Stop> {
        let length = self
            .core
            .storage
            .open(&self.log.name, row.number)?
            .length()?;
        if length == row.file_bytes {
            return Ok(());
        }
        finding(format!(
            "ALTERED: segment {} has {length} bytes, it was closed with {}",
            row.number, row.file_bytes
        ))
    }
}

/// What a link says, and what the one before asks for.
fn in_words(flaw: &Flaw) -> String {
    format!(
        "{} is {}, expected {}",
        flaw.what, flaw.found, flaw.expected
    )
}

fn finding<T>(why: String) -> Result<T, Stop> {
    Err(Stop::Finding(why))
}
