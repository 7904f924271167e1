//! The memory that indexes of active segments take, of all logs together.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::core::Core;
use super::log::Log;
use crate::limits::ROLL_INDEX_BYTES;

impl Core {
    /// Lets indexes of active segments go while all together take more memory than they may: large
    /// ones are closed with their segments, the largest first; then small ones are dropped, the
    /// least recently used first. The sum may be a commit behind; the budget is no promise to the
    /// byte.
    pub(super) fn keep_index_budget(&self, log: &Log, bytes_before: usize) {
        let now = log.index_bytes.load(Ordering::Relaxed);
        let grown = now.saturating_sub(bytes_before);
        let since = self.index_growth.fetch_add(grown, Ordering::Relaxed) + grown;
        if since < self.options.active_index_bytes / 16 {
            return;
        }
        self.index_growth.store(0, Ordering::Relaxed);
        // Looked at once: they change while this goes on.
        let with_bytes = |log: Arc<Log>| (log.index_bytes.load(Ordering::Relaxed), log);
        let logs: Vec<_> = self.all_logs().into_iter().map(with_bytes).collect();
        let mut total: usize = logs.iter().map(|(bytes, _)| bytes).sum();
        // The log that is being written is the last one used: dropping its index would only mean
        // to rebuild it.
        let others = logs
            .into_iter()
            .filter(|(_, other)| !std::ptr::eq(&**other, log));
        let (mut large, mut small): (Vec<_>, Vec<_>) =
            others.partition(|(bytes, _)| *bytes >= ROLL_INDEX_BYTES);
        large.sort_by_key(|(bytes, _)| std::cmp::Reverse(*bytes));
        small.sort_by_cached_key(|(_, log)| log.used_at.load(Ordering::Relaxed));
        let mut is_short = |(bytes, _): &(usize, Arc<Log>)| {
            let short = total > self.options.active_index_bytes;
            total = total.saturating_sub(*bytes);
            short
        };
        for (_, log) in large.into_iter().take_while(&mut is_short) {
            log.drop_closed();
            if let Some(segment) = log.active_index() {
                self.roll_segment(&log, segment);
            }
        }
        for (_, log) in small.into_iter().take_while(is_short) {
            log.drop_closed();
            log.drop_active();
        }
    }
}
