//! The limit: each primitive alone, in CPU time of one thread, on the same buffers.
//!
//! With new subjects t_tag is the VRF's. Hashes are made one after another here, and two at once in
//! the engine (`digest::two`): so its ratio holds a gain that the limit has not. How large that is,
//! is a figure of its own.
//!
//! Back of the envelope, for a batch of B input bytes, n entries, C compressed bytes:
//! L_cpu(1) = B / (t_build + t_salt + t_leaf + t_nodes + t_tag + t_zstd + t_aes + t_write);
//! L_chain = B / t_link; L_disk = B/C · bandwidth; LIMIT(k) = min(k · L_cpu(1), L_chain, L_disk).
//! On a 3 GHz core with SHA and AES instructions one expects about 1.5 GB/s of SHA-256,
//! 1 to 2 GB/s of zstd at level 1 on text of two words, 3 GB/s and more of AES-GCM: some 0.6 GB/s
//! a core for 4 KiB entries.

use std::collections::HashMap;
use std::fs::File;
use std::hint::black_box;
use std::io::Write as _;
use std::time::Instant;

use zeroize::Zeroizing;

use super::rounds::Calibration;
use super::workload::Kind;
use super::{Row, thread_cpu};
use crate::cli::{Failure, Output};
use crate::digest::{Digest, Salt, salt};
use crate::envelope::{Dek, NONCE_BYTES};
use crate::event::Entries;
use crate::format::payload::{self, encode_batch};
use crate::ingest::subject_key;
use crate::merkle::Frontier;
use crate::sealer::entries_root;
use crate::vrf::IndexSecret;

/// What a machine could do with one group.
pub struct Limit {
    /// CPU seconds of all primitives together.
    pub cpu: f64,
    /// Seconds of the links alone.
    chain: f64,
    /// Seconds of the disk alone.
    disk: f64,
    /// What the primitives took, each alone.
    parts: Row,
}

impl Limit {
    /// The fastest that `workers` could be, in seconds a group.
    pub fn seconds(&self, workers: f64) -> f64 {
        (self.cpu / workers).max(self.chain).max(self.disk)
    }

    /// Prints what the primitives took.
    pub fn print(&self, output: &Output) {
        self.parts.print(output);
    }
}

impl Calibration for Limit {
    fn cpu(&self) -> f64 {
        self.cpu
    }
}

/// A group as each primitive takes it.
struct Sample<'a> {
    entries: &'a Entries,
    salts: Vec<Salt>,
    leaves: Vec<Digest>,
    raw: Vec<u8>,
}

impl<'a> Sample<'a> {
    const SEED: [u8; 32] = [7; 32];

    fn new(entries: &'a Entries) -> Self {
        let salts: Vec<Salt> = Self::salts(entries).collect();
        let leaves = entries.iter().zip(&salts);
        let leaves = leaves.map(|(entry, salt)| Digest::leaf(&[salt, entry]));
        let mut raw = Vec::new();
        Self::encode(&mut raw, entries);
        Self {
            entries,
            leaves: leaves.collect(),
            salts,
            raw,
        }
    }

    fn salts(entries: &Entries) -> impl Iterator<Item = Salt> {
        (0..entries.len() as u32).map(|position| salt(&Self::SEED, position))
    }

    fn encode(raw: &mut Vec<u8>, entries: &Entries) {
        encode_batch(raw, &Self::SEED, entries.lengths(), entries.raw(), &[]);
    }
}

/// Measures the primitives on all groups of a run in turn, as the run takes them: a processor that
/// sees one buffer over and over learns it by heart, and is faster than it ever is at work.
pub fn measure(kind: Kind, groups: &[Entries], level: i32) -> Result<Limit, Failure> {
    let samples: Vec<Sample> = groups.iter().map(Sample::new).collect();
    let mut raw = Vec::new();
    let t_build = each(groups, |entries| keep(entries.clone()))
        + each(groups, |entries| Sample::encode(&mut raw, entries));
    let t_salt = each(groups, |entries| Sample::salts(entries).for_each(keep));
    let t_leaf = each(&samples, |sample| {
        let salted = sample.entries.iter().zip(&sample.salts);
        salted.for_each(|(entry, salt)| keep(Digest::leaf(&[salt, entry])));
    });
    let t_nodes = each(&samples, |sample| {
        let mut tree = Frontier::default();
        sample.leaves.iter().for_each(|leaf| tree.push(*leaf));
        keep(tree.root());
    });
    let t_two = each(&samples, |sample| {
        keep(entries_root(&Sample::SEED, sample.entries));
    });
    let t_tag = tags(kind, groups)?;
    let (t_zstd, t_aes, packed) = pack(&samples, level)?;
    let (t_write, disk) = write(&packed)?;
    let t_link = cpu(|| keep(Digest::leaf(&[&[0; 174]])));
    let cpu = t_build + t_salt + t_leaf + t_nodes + t_tag + t_zstd + t_aes + t_write;
    let bytes = groups.iter().map(Entries::byte_len).sum::<usize>() / groups.len().max(1);
    let micros = |seconds: f64| seconds * 1e6;
    let parts = Row::new(format!("limit {}, zstd {level}", kind.name()))
        .figure("build_us", micros(t_build))
        .figure("salt_us", micros(t_salt))
        .figure("leaf_us", micros(t_leaf))
        .figure("nodes_us", micros(t_nodes))
        .figure("salts_leaves_nodes_two_at_once_us", micros(t_two))
        .figure("tag_us", micros(t_tag))
        .figure("zstd_us", micros(t_zstd))
        .figure("aes_us", micros(t_aes))
        .figure("write_us", micros(t_write))
        .figure("ratio", packed.len() as f64 / bytes as f64);
    Ok(Limit {
        cpu,
        chain: t_link,
        disk,
        parts,
    })
}

/// How much faster two threads compress a group each than one compresses both.
pub fn two_threads(entries: &Entries) -> Result<f64, Failure> {
    const ROUNDS: usize = 16;
    let raw = entries.raw();
    let compress = |threads: usize| {
        let started = Instant::now();
        let cores = std::num::NonZeroUsize::new(threads).unwrap_or(std::num::NonZeroUsize::MIN);
        crate::cores::spread(cores, threads, &|_| {
            let Ok(mut compressor) = payload::compressor(1) else {
                return;
            };
            let mut out = vec![0; zstd::zstd_safe::compress_bound(raw.len())];
            for _ in 0..ROUNDS / threads {
                keep(compressor.compress_to_buffer(raw, &mut out));
            }
        });
        started.elapsed().as_secs_f64()
    };
    Ok(compress(1) / compress(2))
}

/// Seconds a piece that the machine takes when all cores do nothing else, the fastest of several.
/// Cores that share a unit of the processor are slower together than each alone.
pub fn on_all_cores(piece: &(dyn Fn(usize) + Sync)) -> f64 {
    const PIECES_A_CORE: usize = 16;
    let cores = crate::cores::all();
    let pieces = cores.get() * PIECES_A_CORE;
    let mut best = f64::MAX;
    for _ in 0..5 {
        let started = Instant::now();
        crate::cores::spread(cores, pieces, piece);
        best = best.min(started.elapsed().as_secs_f64());
    }
    best / pieces as f64
}

/// CPU seconds of the tags of a group: looked up, or computed where every subject is new.
fn tags(kind: Kind, groups: &[Entries]) -> Result<f64, Failure> {
    let names = || groups.iter().flat_map(Entries::postings);
    let cached: HashMap<_, _> = names()
        .map(|(_, name)| (subject_key(name), [0_u8; 64]))
        .collect();
    let looked_up = each(groups, |entries| {
        let names = entries.postings();
        names.for_each(|(_, name)| keep(cached.get(&subject_key(name))));
    });
    if kind != Kind::NewSubjects {
        return Ok(looked_up);
    }
    const SAMPLE: usize = 64;
    let secret = IndexSecret::from_random(&[3; 64]).ok_or_else(|| Failure::new("no index key"))?;
    let computed = cpu(|| {
        let some = names().take(SAMPLE);
        some.for_each(|(_, name)| keep(secret.beta(&[&[0; 16], name.as_bytes()])))
    });
    let postings = names().count() as f64 / groups.len() as f64;
    Ok(looked_up + computed / SAMPLE as f64 * postings)
}

/// CPU seconds of compressing a batch, of sealing and hashing what comes of it, and the last one.
fn pack(samples: &[Sample], level: i32) -> Result<(f64, f64, Vec<u8>), Failure> {
    let mut compressor = payload::compressor(level)?;
    let lengths = samples.iter().map(|sample| sample.raw.len());
    let longest = lengths.max().unwrap_or_default();
    let mut compressed = vec![0; zstd::zstd_safe::compress_bound(longest)];
    let mut written = 0;
    let mut failed = false;
    let t_zstd = each(samples, |sample| {
        match compressor.compress_to_buffer(&sample.raw, &mut compressed) {
            Ok(length) => written = length,
            Err(_) => failed = true,
        }
    });
    if failed {
        return Err(Failure::new("the sample cannot be compressed"));
    }
    let dek = Dek::from_bytes(Zeroizing::new([9; 32]));
    let t_aes = cpu(|| {
        let mut buffer = vec![0; NONCE_BYTES + written];
        keep(dek.seal(&[1; NONCE_BYTES], b"", &mut buffer));
    }) + cpu(|| keep(Digest::of(&[&compressed[..written]])));
    compressed.truncate(written);
    Ok((t_zstd, t_aes, compressed))
}

/// Takes a value that nobody needs, so that it is computed all the same.
fn keep<T>(value: T) {
    black_box(value);
}

/// CPU seconds an item of an action that takes all of them in turn, the fastest of several rounds.
pub fn each<T>(items: &[T], mut action: impl FnMut(&T)) -> f64 {
    cpu(|| items.iter().for_each(&mut action)) / items.len().max(1) as f64
}

/// CPU seconds of an action, the fastest of several.
fn cpu(mut action: impl FnMut()) -> f64 {
    action();
    let mut best = f64::MAX;
    for _ in 0..3 {
        let before = thread_cpu();
        action();
        best = best.min(thread_cpu() - before);
    }
    best
}

/// CPU seconds of appending bytes, and wall seconds a group at the disk's bandwidth with a sync.
fn write(bytes: &[u8]) -> Result<(f64, f64), Failure> {
    let folder = tempfile::tempdir()?;
    let mut file = File::create(folder.path().join("probe"))?;
    let mut best = f64::MAX;
    let started = Instant::now();
    const ROUNDS: u32 = 16;
    for _ in 0..ROUNDS {
        let before = thread_cpu();
        file.write_all(bytes)?;
        best = best.min(thread_cpu() - before);
    }
    file.sync_data()?;
    Ok((best, started.elapsed().as_secs_f64() / f64::from(ROUNDS)))
}

/// Microseconds a file to make many small writes durable, each to its own file: synced one after
/// another, as many at once as there are committers, and by one sync of the whole file system.
pub struct ManyDirty {
    /// One `fdatasync` after another.
    pub one_by_one: f64,
    /// As many `fdatasync` at once as there are committers.
    pub several_at_once: f64,
    /// One `syncfs`, which also writes what other programs have not yet written.
    pub syncfs: f64,
}

/// Measures what a turn of commits to many logs costs.
pub fn many_dirty(committers: usize) -> Result<ManyDirty, Failure> {
    const FILES: usize = 256;
    let folder = tempfile::tempdir()?;
    let files = (0..FILES)
        .map(|n| File::create(folder.path().join(n.to_string())))
        .collect::<Result<Vec<File>, _>>()?;
    let sync = |way: &dyn Fn() -> Result<(), Failure>| {
        for mut file in &files {
            file.write_all(&[1; 4096])?;
        }
        let started = Instant::now();
        way()?;
        Ok::<_, Failure>(started.elapsed().as_secs_f64() * 1e6 / FILES as f64)
    };
    let threads = std::num::NonZeroUsize::new(committers).unwrap_or(std::num::NonZeroUsize::MIN);
    let each = |threads| {
        let failed = std::sync::atomic::AtomicBool::new(false);
        crate::cores::spread(threads, FILES, &|n| {
            failed.fetch_or(
                files[n].sync_data().is_err(),
                std::sync::atomic::Ordering::Relaxed,
            );
        });
        match failed.into_inner() {
            true => Err(Failure::new("a sync failed")),
            false => Ok(()),
        }
    };
    Ok(ManyDirty {
        one_by_one: sync(&|| each(std::num::NonZeroUsize::MIN))?,
        several_at_once: sync(&|| each(threads))?,
        syncfs: sync(&|| Ok(rustix::fs::syncfs(&files[0])?))?,
    })
}

/// The latency floor of a small durable write: its median over many, in microseconds.
pub fn sync_floor() -> Result<f64, Failure> {
    let folder = tempfile::tempdir()?;
    let mut file = File::create(folder.path().join("probe"))?;
    let mut times = Vec::new();
    for _ in 0..200 {
        let started = Instant::now();
        file.write_all(&[1; 4096])?;
        file.sync_data()?;
        times.push(started.elapsed().as_secs_f64() * 1e6);
    }
    times.sort_by(f64::total_cmp);
    Ok(times[times.len() / 2])
}
