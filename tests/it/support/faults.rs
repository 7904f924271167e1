//! Storage that fails when told to.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use estreat::format::frame::ReadAt;
use estreat::ids::{LogName, SegmentNumber};
use estreat::store::{SegmentFile, Storage};

/// What fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Making a segment file.
    Create,
    /// A write, of which nothing reaches the disk.
    WriteNothing,
    /// A write, of which half reaches the disk.
    WriteHalf,
    /// A sync, after everything has reached the disk.
    SyncPersisted,
}

impl Fault {
    pub const ALL: [Self; 4] = [
        Self::Create,
        Self::WriteNothing,
        Self::WriteHalf,
        Self::SyncPersisted,
    ];
}

/// Storage whose operations of one kind fail, a number of times, after a number of successes.
pub struct FaultyStorage {
    inner: Arc<dyn Storage>,
    switch: Arc<Switch>,
}

/// When faults happen.
pub struct Switch {
    fault: Fault,
    successes: AtomicI64,
    failures: AtomicI64,
    /// How often it failed.
    pub failed: AtomicU64,
}

impl Switch {
    pub fn new(fault: Fault, successes: i64, failures: i64) -> Arc<Self> {
        Arc::new(Self {
            fault,
            successes: AtomicI64::new(successes),
            failures: AtomicI64::new(failures),
            failed: AtomicU64::new(0),
        })
    }

    fn fails(&self, fault: Fault) -> bool {
        let fails = self.fault == fault
            && self.successes.fetch_sub(1, Ordering::SeqCst) <= 0
            && self.failures.fetch_sub(1, Ordering::SeqCst) > 0;
        if fails {
            self.failed.fetch_add(1, Ordering::SeqCst);
        }
        fails
    }
}

impl FaultyStorage {
    pub fn wrap(inner: Arc<dyn Storage>, switch: &Arc<Switch>) -> Arc<dyn Storage> {
        Arc::new(Self {
            inner,
            switch: switch.clone(),
        })
    }
}

fn broken() -> io::Error {
    io::Error::other("the disk broke, as the test asked")
}

impl Storage for FaultyStorage {
    fn logs(&self) -> io::Result<Vec<LogName>> {
        self.inner.logs()
    }

    fn segments(&self, log: &LogName) -> io::Result<Vec<SegmentNumber>> {
        self.inner.segments(log)
    }

    fn create_segment(
        &self,
        log: &LogName,
        number: SegmentNumber,
        header: &[u8],
    ) -> io::Result<()> {
        if self.switch.fails(Fault::Create) {
            return Err(broken());
        }
        self.inner.create_segment(log, number, header)
    }

    fn open(&self, log: &LogName, number: SegmentNumber) -> io::Result<Arc<dyn SegmentFile>> {
        let inner = self.inner.open(log, number)?;
        Ok(Arc::new(FaultyFile {
            inner,
            switch: self.switch.clone(),
        }))
    }

    fn key_part(&self, log: &LogName, number: SegmentNumber) -> io::Result<Option<Vec<u8>>> {
        self.inner.key_part(log, number)
    }

    fn move_aside(&self, log: &LogName, number: SegmentNumber, from: u64) -> io::Result<()> {
        self.inner.move_aside(log, number, from)
    }

    fn publish(&self, log: &LogName, file: &str, content: &[u8]) -> io::Result<()> {
        self.inner.publish(log, file, content)
    }

    fn free_bytes(&self) -> io::Result<u64> {
        self.inner.free_bytes()
    }
}

struct FaultyFile {
    inner: Arc<dyn SegmentFile>,
    switch: Arc<Switch>,
}

impl ReadAt for FaultyFile {
    fn length(&self) -> std::io::Result<u64> {
        self.inner.length()
    }

    fn read_exact_at(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.inner.read_exact_at(offset, out)
    }
}

impl SegmentFile for FaultyFile {
    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        if self.switch.fails(Fault::WriteNothing) {
            return Err(broken());
        }
        if self.switch.fails(Fault::WriteHalf) {
            self.inner.write_at(offset, &bytes[..bytes.len() / 2])?;
            return Err(broken());
        }
        self.inner.write_at(offset, bytes)
    }

    fn sync(&self) -> io::Result<()> {
        self.inner.sync()?;
        match self.switch.fails(Fault::SyncPersisted) {
            true => Err(broken()),
            false => Ok(()),
        }
    }

    fn truncate(&self, length: u64) -> io::Result<()> {
        self.inner.truncate(length)
    }
}
