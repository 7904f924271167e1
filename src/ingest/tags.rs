//! Computing data subjects' tags beside the acknowledgement path.
//!
//! A tag takes some 40 µs of a core (ECVRF, RFC 9381), so it is not waited for by an answer: until
//! a segment closes its subjects are found by `SubjectKey`, and the close waits for the tags.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

use lru::LruCache;

use super::index::{SubjectKey, Untagged};
use super::log::Log;
use crate::ids::{LogId, SegmentNumber};
use crate::vrf::{self, Beta, IndexSecret};

/// Subjects of one task: a few milliseconds of work, so that nothing else waits long.
const SUBJECTS_PER_TASK: usize = 128;

/// Subjects of one segment that want tags.
pub struct TagTask {
    /// The log.
    pub log: Arc<Log>,
    /// The segment.
    pub segment: SegmentNumber,
    /// The subjects.
    pub subjects: Vec<Untagged>,
}

/// Tasks that wait. Those of a closing segment go first.
#[derive(Default)]
pub struct TagBacklog {
    tasks: Mutex<Tasks>,
}

/// `subjects` is the sum over both queues.
#[derive(Default)]
struct Tasks {
    urgent: VecDeque<TagTask>,
    normal: VecDeque<TagTask>,
    subjects: usize,
}

impl TagBacklog {
    /// Adds subjects in tasks of bounded size.
    pub fn push(
        &self,
        log: &Arc<Log>,
        segment: SegmentNumber,
        subjects: Vec<Untagged>,
        urgent: bool,
    ) {
        let mut tasks = self.lock();
        tasks.subjects += subjects.len();
        let mut subjects = subjects.into_iter().peekable();
        while subjects.peek().is_some() {
            let some = subjects.by_ref().take(SUBJECTS_PER_TASK).collect();
            let task = TagTask {
                log: log.clone(),
                segment,
                subjects: some,
            };
            let queue = if urgent {
                &mut tasks.urgent
            } else {
                &mut tasks.normal
            };
            queue.push_back(task);
        }
    }

    /// Puts a closing segment's tasks ahead.
    pub fn hurry(&self, log: &Arc<Log>) {
        let mut tasks = self.lock();
        let (hurried, rest) = std::mem::take(&mut tasks.normal)
            .into_iter()
            .partition(|task: &TagTask| Arc::ptr_eq(&task.log, log));
        tasks.normal = rest;
        let mut hurried: VecDeque<TagTask> = hurried;
        tasks.urgent.append(&mut hurried);
    }

    /// The next task; only an urgent one, if so asked.
    pub fn pop(&self, urgent_only: bool) -> Option<TagTask> {
        let mut tasks = self.lock();
        let task = match tasks.urgent.pop_front() {
            None if !urgent_only => tasks.normal.pop_front(),
            urgent => urgent,
        }?;
        tasks.subjects -= task.subjects.len();
        Some(task)
    }

    /// Subjects that wait.
    pub fn subjects(&self) -> usize {
        self.lock().subjects
    }

    /// Held for a push or a pop, never while a tag is computed.
    fn lock(&self) -> std::sync::MutexGuard<'_, Tasks> {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// VRF outputs of subjects seen lately.
pub struct BetaCache {
    betas: Mutex<LruCache<(LogId, SubjectKey), Beta>>,
}

impl BetaCache {
    /// A cache of at most `subjects` outputs.
    pub fn new(subjects: NonZeroUsize) -> Self {
        Self {
            betas: Mutex::new(LruCache::new(subjects)),
        }
    }

    /// A subject's output in a log: from the cache, or computed.
    pub fn beta(&self, secret: &IndexSecret, log_id: &LogId, key: &SubjectKey, name: &str) -> Beta {
        let cache_key = (*log_id, *key);
        let lock = || self.betas.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(beta) = lock().get(&cache_key) {
            return *beta;
        }
        // Outside of the lock: two threads may compute the same output, which does no harm.
        let beta = secret.beta(&[&log_id.0, name.as_bytes()]);
        lock().put(cache_key, beta);
        beta
    }
}

/// Does a task: computes its tags and notes them in the log's index. A segment whose index was
/// dropped meanwhile loses the tags; who rebuilds it asks for them again.
pub fn run(task: TagTask, cache: &BetaCache, secret: &IndexSecret) {
    let tags: Vec<_> = task
        .subjects
        .iter()
        .map(|(key, name)| {
            let beta = cache.beta(secret, &task.log.log_id, key, name);
            (*key, vrf::tag(&beta, task.segment))
        })
        .collect();
    task.log.set_tags(task.segment, &tags);
}
