//! Verification of a folder and indexing of its segments, beside their primitives on all cores.
//!
//! Back of the envelope: without keys a folder is checked at the speed of SHA-256 over its bytes
//! (1.5 GB/s a core), less what it takes to copy them out of the page cache (7 GB/s), since files
//! are read, not mapped: at best 0.83 of it; with the KEK each entry of 450 bytes costs AES-GCM of its tenth, zstd 0.3 µs,
//! SHA-256 0.4 µs and parsing 0.4 µs, so some 900,000 entries/s a core. A posting is 16 bytes of a
//! list, and a row of SQLite for each data subject of a segment; at a million rows a second a
//! closed segment of 64 MiB is indexed in less than the second in which it was filled.

use std::fs::File;
use std::ops::ControlFlow;
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::engine::{Sent, config, folder_bytes, groups, send};
use super::limit::on_all_cores;
use super::workload::{GROUP, Kind, Seeded};
use super::{Row, Wanted};
use crate::catalog::{Catalog, SegmentRow, VerifiedSegment};
use crate::cli::server::Server;
use crate::cli::{Failure, Output};
use crate::config::Config;
use crate::cores;
use crate::digest::{Digest, Hasher};
use crate::event::Entries;
use crate::format::payload::{Batch, Content, Packer, encode_batch, unpack};
use crate::ids::LogName;
use crate::keyring::Keyring;
use crate::merkle;
use crate::postings::PostingList;
use crate::store::{DataFolder, LogFolder, SystemRandom};
use crate::time::Timestamp;
use crate::verifier::{self, Secrets, check_log};

/// Groups of a folder that is verified.
const GROUPS: usize = 4;

/// Makes a log of realistic events, checks it both ways, and indexes it anew.
pub async fn run(scale: f64, output: &Output) -> Result<(), Failure> {
    let folder = tempfile::tempdir()?;
    let config = config(folder.path(), 2)?;
    let name = LogName::new("bench")?;
    let groups = groups(Kind::Events, GROUPS);
    let count = ((800.0 * scale) as usize).max(8);
    let server = Server::start(&config).await?;
    let log = server.audit.ingest().log_or_new(&name)?;
    let Sent { wall, .. } = send(&server, &groups, std::slice::from_ref(&log), count).await?;
    let started = Instant::now();
    let until = server.audit.ingest().roll(&log).await?.size;
    server.wait_until_indexed(&name, until).await?;
    let behind = started.elapsed().as_secs_f64();
    server.stop(&config).await?;
    let entries = (count * GROUP) as f64;
    without_keys(folder.path(), &name, output)?;
    deep(folder.path(), &config, &name, &groups[0], output)?;
    let again = index_again(folder.path(), &config, &name, until).await?;
    // At full ingest: whatever is not indexed when the last entry is on disk comes behind it.
    Row::new("index closed segments of (c) beside ingest")
        .figure("entries_per_s", entries / (wall + behind))
        .target(
            "of_ingest_rate",
            wall / (wall + behind),
            Wanted::AtLeast(0.5),
        )
        .figure("catalog_anew_entries_per_s", entries / again)
        .print(output);
    postings(scale, output).await
}

/// Seconds of a check, and what it read.
fn check(
    folder: &Path,
    name: &LogName,
    secrets: Option<Secrets<'_>>,
) -> Result<(f64, verifier::LogReport), Failure> {
    let root = DataFolder::new(folder).logs().join(name.as_str());
    let started = Instant::now();
    let options = verifier::Options {
        name: Some(name),
        secrets,
        spread: Some(&|count, piece| cores::spread(cores::all(), count, piece)),
        ..verifier::Options::default()
    };
    let report = check_log(&LogFolder::new(&root), options, &mut |_| {
        ControlFlow::Continue(())
    })?;
    if report.findings.is_empty() {
        Ok((started.elapsed().as_secs_f64(), report))
    } else {
        Err(Failure::new(
            "the verification of what was just written has findings",
        ))
    }
}

/// Measurements of what takes a moment; the fastest counts, of the check and of its limit.
const TRIES: usize = 5;

fn without_keys(folder: &Path, name: &LogName, output: &Output) -> Result<(), Failure> {
    let bytes = folder_bytes(&DataFolder::new(folder).logs()) as f64;
    let block = vec![7; 64 << 10];
    let rounds = (bytes / block.len() as f64).ceil() as usize;
    let files = segment_files(folder, name)?;
    let (mut seconds, mut hashing, mut reading) = (f64::MAX, f64::MAX, f64::MAX);
    for _ in 0..TRIES {
        seconds = seconds.min(check(folder, name, None)?.0);
        // The limit: all cores hash as many bytes, each out of its own cache.
        let started = Instant::now();
        cores::spread(cores::all(), rounds, &|_| {
            std::hint::black_box(Digest::of(&[&block]));
        });
        hashing = hashing.min(started.elapsed().as_secs_f64());
        reading = reading.min(read_and_hash(&files)?);
    }
    Row::new("verify a folder without keys")
        .figure("MB_per_s", bytes / seconds / 1e6)
        .target(
            "of_SHA-256_on_all_cores",
            hashing / seconds,
            Wanted::AtLeast(0.8),
        )
        .figure("of_reading_and_SHA-256_on_all_cores", reading / seconds)
        .print(output);
    Ok(())
}

fn segment_files(folder: &Path, name: &LogName) -> Result<Vec<(File, u64)>, Failure> {
    let root = DataFolder::new(folder).logs().join(name.as_str());
    let entries = std::fs::read_dir(root.join("segments"))?;
    entries
        .map(|entry| {
            let file = File::open(entry?.path())?;
            let length = file.metadata()?.len();
            Ok((file, length))
        })
        .collect()
}

/// Seconds in which all cores hash the files as a program does that maps none: each piece is copied
/// out of the page cache first.
fn read_and_hash(files: &[(File, u64)]) -> Result<f64, Failure> {
    const PIECE: u64 = 1 << 20;
    let pieces: Vec<(&File, u64, u64)> = files
        .iter()
        .flat_map(|(file, length)| {
            let starts = (0..*length).step_by(PIECE as usize);
            starts.map(move |start| (file, start, (start + PIECE).min(*length)))
        })
        .collect();
    let failed = AtomicBool::new(false);
    let started = Instant::now();
    cores::spread(cores::all(), pieces.len(), &|n| {
        let (file, mut start, end) = pieces[n];
        let mut buffer = vec![0; 64 << 10];
        let mut hasher = Hasher::default();
        while start < end {
            let length = (end - start).min(buffer.len() as u64) as usize;
            let read = file.read_exact_at(&mut buffer[..length], start);
            failed.fetch_or(read.is_err(), Ordering::Relaxed);
            hasher.update(&buffer[..length]);
            start += length as u64;
        }
        std::hint::black_box(hasher.finish());
    });
    match failed.into_inner() {
        true => Err(Failure::new("a segment cannot be read")),
        false => Ok(started.elapsed().as_secs_f64()),
    }
}

fn deep(
    folder: &Path,
    config: &Config,
    name: &LogName,
    group: &Entries,
    output: &Output,
) -> Result<(), Failure> {
    let keyring = Keyring::open_or_make(&DataFolder::new(folder), &config.keyring, &SystemRandom)?;
    let secrets = Secrets {
        kek: &keyring.kek,
        index: Some(&keyring.index),
    };
    let (mut seconds, mut report) = check(folder, name, Some(secrets))?;
    for _ in 1..TRIES {
        let again = check(folder, name, Some(secrets))?;
        report = again.1;
        seconds = seconds.min(again.0);
    }
    let entries = report.counts.entries as f64;
    let limit = opening_seconds(group)? * entries / group.len() as f64;
    Row::new("verify a folder with --deep")
        .figure("entries_per_s", entries / seconds)
        .target(
            "of_primitives_on_all_cores",
            limit / seconds,
            Wanted::AtLeast(0.8),
        )
        .print(output);
    Ok(())
}

/// Seconds that a group takes of a machine all of whose cores do nothing but what opening takes:
/// SHA-256 of the payload, AES-GCM and zstd, salted leaves and their root, and parsing. Tags are
/// computed once a data subject.
fn opening_seconds(group: &Entries) -> Result<f64, Failure> {
    let dek = crate::envelope::Dek::from_bytes(zeroize::Zeroizing::new([9; 32]));
    // Batches as the engine makes them.
    let mut raw = Vec::new();
    encode_batch(&mut raw, &[7; 32], group.lengths(), group.raw(), &[]);
    let payload = Packer::new(1)?.pack(&raw, &dek, &[1; 12], b"")?;
    let open = |_| {
        std::hint::black_box(Digest::of(&[&payload]));
        let opened = unpack(&payload, &dek, b"", crate::limits::MAX_BATCH_RAW_BYTES);
        let Some(batch) = opened.ok().and_then(|raw| Batch::decode(raw).ok()) else {
            return;
        };
        std::hint::black_box(merkle::root(&batch.leaves()));
        for content in batch.iter() {
            if let Content::Kept(_, entry) = content {
                std::hint::black_box(crate::event::facts(entry).is_ok());
            }
        }
    };
    Ok(on_all_cores(&open))
}

/// Seconds that a catalog takes which has been deleted.
async fn index_again(
    folder: &Path,
    config: &Config,
    name: &LogName,
    links: u64,
) -> Result<f64, Failure> {
    let path = DataFolder::new(folder).catalog_db();
    for suffix in ["", "-wal", "-shm"] {
        let mut name = path.clone().into_os_string();
        name.push(suffix);
        let _ = std::fs::remove_file(name);
    }
    let started = Instant::now();
    let server = Server::start(config).await?;
    server.wait_until_indexed(name, links).await?;
    let seconds = started.elapsed().as_secs_f64();
    server.stop(config).await?;
    Ok(seconds)
}

/// Rows of SQLite for as many data subjects as a segment may have, a posting each.
async fn postings(scale: f64, output: &Output) -> Result<(), Failure> {
    let folder = tempfile::tempdir()?;
    let catalog = Catalog::open(&folder.path().join("catalog.db")).await?;
    let subjects = ((crate::limits::SEGMENT_ROLL_SUBJECTS as f64 * scale) as usize).max(1000);
    const SEGMENTS: u64 = 4;
    let started = Instant::now();
    for number in 0..SEGMENTS {
        let mut random = Seeded(number);
        let mut tags: Vec<[u8; 16]> = (0..subjects)
            .map(|_| (u128::from(random.next()) << 64 | u128::from(random.next())).to_be_bytes())
            .collect();
        tags.sort_unstable();
        let posting = |tag| (tag, PostingList::from_iter([(1 << 40, Timestamp(1 << 50))]));
        let rows = tags.into_iter().map(posting);
        catalog
            .insert_segment(&empty_segment(number)?, rows)
            .await?;
    }
    let seconds = started.elapsed().as_secs_f64();
    catalog.close().await;
    let rate = (SEGMENTS as usize * subjects) as f64 / seconds;
    Row::new("postings into SQLite, each a row of its own")
        .target("postings_per_s", rate, Wanted::AtLeast(1e6))
        .print(output);
    Ok(())
}

fn empty_segment(number: u64) -> Result<VerifiedSegment, Failure> {
    Ok(VerifiedSegment {
        row: SegmentRow {
            log: LogName::new("bench")?,
            number,
            first_link: number,
            close_link: number,
            first_entry: 0,
            entry_count: 0,
            earliest: Timestamp(0),
            latest: Timestamp(0),
            subject_count: 0,
            unnamed: 0,
            quarantined: None,
            closed: (Timestamp(0), 0),
            close_place: 0,
            file_bytes: 0,
            head: Digest([0; 32]),
            edge: Vec::new(),
            index_key: [0; 32],
        },
        batches: Vec::new(),
        link_leaves: Vec::new(),
        requests: Vec::new(),
    })
}
