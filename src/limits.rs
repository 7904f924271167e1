//! Every bound of the product, its unit in its name, its derivation beside it.
//!
//! Bounds of the format are constants for ever; the others are defaults of settings.

/// Length of a log's name.
pub const MAX_LOG_NAME_BYTES: usize = 63;
/// Length of a server's origin, so that `<server origin>/<log>` stays below the
/// segment header's bound.
pub const MAX_ORIGIN_BYTES: usize = 255;
/// Entry indexes, link numbers and sizes stay below 2^53: exact in every JSON reader.
pub const NUMBERS_END: u64 = 1 << 53;

// ── Events and requests ─────────────────────────────────────────────────────────────────

/// A stored entry, with `received_at` and all.
pub const MAX_ENTRY_BYTES: usize = 1 << 20;
/// What is read of a connection at once; a request's head that is not whole after about two of
/// these is refused. Pieces of this size stay in a core's cache until they are put together, and
/// keep little memory that they do not need.
pub const MAX_READ_BYTES: usize = 64 << 10;
/// A request's body after unpacking.
pub const MAX_REQUEST_BYTES: usize = 32 << 20;
/// Events of one request; also entries of one batch, since a request is never split.
pub const MAX_BATCH_ENTRIES: usize = 65_536;
/// Ids and names inside an event.
pub const MAX_ID_BYTES: usize = 1024;
/// `operation` and `lawful_basis`.
pub const MAX_WORD_BYTES: usize = 64;
/// Data subjects of one event.
pub const MAX_EVENT_SUBJECTS: usize = 64;
/// Data categories of one event.
pub const MAX_EVENT_CATEGORIES: usize = 16;
/// Depth of JSON; the event object is depth 1.
pub const MAX_JSON_DEPTH: usize = 64;
/// Subjects named by all events of one request together: their tags take about 10 s of one core,
/// and one request cannot bring more than a segment takes.
pub const MAX_REQUEST_POSTINGS: usize = 262_144;
/// Bad events that a refusal names one by one.
pub const MAX_REPORTED_ERRORS: usize = 100;
/// An idempotency key.
pub const MAX_IDEMPOTENCY_KEY_BYTES: usize = 255;
/// Window of a zstd frame in a request (RFC 9659).
pub const MAX_ZSTD_WINDOW_LOG: u32 = 23;

// ── Batches and segments ────────────────────────────────────────────────────────────────

/// Raw bytes of a batch: a request of small events grows by what the server adds to each.
pub const MAX_BATCH_RAW_BYTES: usize = 64 << 20;
/// What the server adds to an event: `time`, `outcome`, `received_at`, `submitted_by`, their
/// names, and the length in the batch.
pub const MAX_ADDED_BYTES: usize = 256;
const _: () = assert!(
    MAX_REQUEST_BYTES + MAX_BATCH_ENTRIES * MAX_ADDED_BYTES + (1 << 20) <= MAX_BATCH_RAW_BYTES,
    "a request must fit in one batch"
);
/// A payload as stored: incompressible raw bytes grow by less than 1 in 128 under zstd.
pub const MAX_PAYLOAD_BYTES: usize = MAX_BATCH_RAW_BYTES + (1 << 20);
/// Raw bytes of a sealed subject index: the postings of a full segment and of the batches
/// that were on their way, 16 bytes each, with 20 bytes for every subject.
pub const MAX_INDEX_RAW_BYTES: usize = 256 << 20;
/// A sealed subject index as stored.
pub const MAX_INDEX_PAYLOAD_BYTES: usize = MAX_INDEX_RAW_BYTES + (2 << 20);
/// A thread keeps a buffer for what it compresses up to this long; a longer one is made anew.
pub const KEPT_BUFFER_BYTES: usize = 8 << 20;
/// Small requests are grouped into batches of about this many raw bytes: zstd works fastest on
/// frames that stay in the second-level cache, and one entry is opened quickly.
pub const BATCH_TARGET_RAW_BYTES: usize = 256 << 10;
/// A segment rolls when its file is longer.
pub const SEGMENT_ROLL_BYTES: u64 = 64 << 20;
/// A segment rolls when it is older.
pub const SEGMENT_ROLL_AGE_MICROS: i64 = 24 * 3600 * 1_000_000;
/// A segment rolls at this many index postings.
pub const SEGMENT_ROLL_POSTINGS: usize = 1_048_576;
/// A segment rolls at this many distinct subjects: their tags take about 10 s of one core.
pub const SEGMENT_ROLL_SUBJECTS: usize = 262_144;
/// An export rolls a log at most this often.
pub const ROLL_ON_REQUEST_MICROS: i64 = 60 * 1_000_000;
/// A segment's header with its origin and key part.
pub const MAX_HEADER_BYTES: usize = 1024;

// ── Ingest ──────────────────────────────────────────────────────────────────────────────

/// Groups of entries waiting to be sealed.
pub const QUEUE_GROUPS: usize = 16_384;
/// Entries waiting to be sealed.
pub const QUEUE_ENTRIES: usize = 1 << 20;
/// Bytes of entries waiting to be sealed. Two of the largest requests fit.
pub const QUEUE_BYTES: usize = 96 << 20;
/// The share of the queue that only the server's own logs use.
pub const ACCESS_QUEUE_BYTES: usize = 4 << 20;
/// Unpacked request bodies in flight.
pub const MAX_IN_FLIGHT_BYTES: usize = 96 << 20;
/// How long a request waits for room in the queue.
pub const QUEUE_WAIT_MILLIS: u64 = 2_000;
/// Subjects whose tags are still to be computed, before sealing takes turns with them: about a
/// second of one core.
pub const TAG_BACKLOG_SLOWS: usize = 32_768;
/// Subjects whose tags are still to be computed, before only the server's own logs are sealed.
pub const MAX_TAG_BACKLOG: usize = 262_144;
/// Subjects whose VRF output is kept; about 150 bytes each.
pub const VRF_CACHE_SUBJECTS: usize = 131_072;
/// Memory for the indexes of active segments.
pub const ACTIVE_INDEX_BYTES: usize = 64 << 20;
/// An index this large is not dropped when memory is short, but its segment closed: to read so many
/// entries again would cost more than one more segment.
pub const ROLL_INDEX_BYTES: usize = 1 << 20;
/// Open segment files.
pub const MAX_OPEN_FILES: usize = 256;
/// How far the clock must stand behind what was committed to be spoken of: less is how machines
/// keep the time.
pub const CLOCK_STEP_MICROS: i64 = 1_000_000;
/// Logs of one server.
pub const MAX_LOGS: usize = 10_000;
/// Disk space that only the server's own logs, close links and SQLite may use.
pub const DISK_RESERVE_BYTES: u64 = 64 << 20;

// ── Audit ───────────────────────────────────────────────────────────────────────────────

/// Entries of one page of a search.
pub const MAX_PAGE_ENTRIES: usize = 1000;
/// Purpose and case of a request.
pub const MAX_PURPOSE_BYTES: usize = 1024;
/// Entries of one export that can be withheld on a ground of law: a form's bytes hold no more.
pub const MAX_WITHHELD: usize = 500;
/// Entries, and readings, shown in a report.
pub const REPORT_ENTRIES: usize = 1000;
/// Readings about one person that are looked through for a report: whom links handed exports to is
/// taken from all of them, at some 10,000 a second.
pub const REPORT_READINGS_READ: usize = 100_000;
/// Recipients whom a report names, of entries and of links each.
pub const REPORT_RECIPIENTS: usize = 200;
/// Batches that are opened for one page of the access log: what is filtered away counts too.
pub const ACCESS_SCAN_BATCHES: usize = 2000;
/// How long a request for a name waits for a second person.
pub const NAME_ASKED_MICROS: i64 = 7 * 24 * 3600 * 1_000_000;
/// How long a name that was allowed can be shown.
pub const NAME_SHOWN_MICROS: i64 = 24 * 3600 * 1_000_000;
/// Rows of a page of anything but entries.
pub const MAX_PAGE_ROWS: u32 = 1000;
/// Checks of logs that wait: two for each of the most logs there may be.
pub const MAX_WAITING_CHECKS: u64 = 2 * MAX_LOGS as u64;
/// How long a check of the schedule that found nothing is kept: that it covered its segments
/// stays known.
pub const CHECKS_KEEP_MICROS: i64 = 90 * 24 * 3600 * 1_000_000;
/// Things of one kind that the overview lists one by one; the others it counts.
pub const MAX_ATTENTION: usize = 20;
/// For how long the overview speaks of an account that can read.
pub const NEW_ACCOUNT_MICROS: i64 = 7 * 24 * 3600 * 1_000_000;
/// How often a log is checked by the schedule.
pub const VERIFY_HOURS: u64 = 24;
/// Of the checkpoints that a log has signed, the last of each hour is kept, for as many hours in
/// which it grew: six weeks of a log that never rests.
pub const CHECKPOINT_HOURS: u32 = 1_008;
/// Of those before, the last of each day (UTC), for as many days in which the log grew: some five
/// years. About 400 bytes each: with the hours 1.2 MB a log.
pub const CHECKPOINT_DAYS: u32 = 1_830;
/// How long an export is kept.
pub const EXPORT_KEEP_MICROS: i64 = 30 * 24 * 3600 * 1_000_000;
/// How long an idempotency key is remembered.
pub const IDEMPOTENCY_MICROS: i64 = 24 * 3600 * 1_000_000;

// ── Connections ─────────────────────────────────────────────────────────────────────────

/// Connections at once: with the segment files they stay below the 1,024 open files that systems
/// allow by default.
pub const MAX_CONNECTIONS: usize = 640;
const _: () = assert!(
    MAX_CONNECTIONS + MAX_OPEN_FILES + 128 <= 1024,
    "connections and segment files together must stay below the usual limit"
);
/// How long a TLS handshake, and the headers of a request, may take.
pub const HEADER_TIMEOUT_SECONDS: u64 = 30;

// ── Accounts ────────────────────────────────────────────────────────────────────────────

/// A password: the only rule (NIST SP 800-63B-4, 3.1.1.2, asks for 8, and 15 where it stands alone).
pub const MIN_PASSWORD_CHARACTERS: usize = 12;
/// A password is hashed whole, so it has an end.
pub const MAX_PASSWORD_BYTES: usize = 1024;
/// Memory of one hash, argon2id (OWASP Password Storage Cheat Sheet).
pub const PASSWORD_MEMORY_KIB: u32 = 19 * 1024;
/// Passes of one hash over its memory.
pub const PASSWORD_PASSES: u32 = 2;
/// Hashes at once, 57 MiB together; one of them is kept for whoever was let in before.
pub const PASSWORD_HASHES_AT_ONCE: usize = 3;
/// Browsers of one person that are remembered.
pub const MAX_DEVICES: u32 = 16;
/// How long an unused browser is remembered.
pub const DEVICE_MICROS: i64 = 180 * 24 * 3600 * 1_000_000;
/// Refused sign-ins of an hour of which the overview speaks: who mistypes a password makes a few.
pub const MANY_REFUSED_SIGN_INS: u64 = 50;
/// How often at most the server's own log speaks of refused sign-ins.
pub const REFUSED_SIGN_INS_LINE_MICROS: i64 = 60 * 1_000_000;
/// Links of one export.
pub const MAX_LINKS: usize = 100;

// ── Bundles ─────────────────────────────────────────────────────────────────────────────

/// Files of a bundle: three of each log, and those of the whole.
pub const MAX_BUNDLE_FILES: usize = 3 * MAX_LOGS + 64;
/// manifest.json: some 200 bytes for each file.
pub const MAX_MANIFEST_BYTES: u64 = 16 << 20;
/// proof.json: some 70 bytes for each entry, which take 48 in memory.
pub const MAX_PROOF_BYTES: u64 = 1 << 30;
/// proof.json unpacked to packed: it is full of hashes, which do not pack, so an honest one
/// stays below 10.
pub const MAX_PROOF_RATIO: u64 = 64;
/// Findings that a verifier lists one by one; the others it counts.
pub const MAX_FINDINGS: usize = 1000;
/// How long a portal session lasts unused.
pub const SESSION_IDLE_MICROS: i64 = 30 * 60 * 1_000_000;
/// How long a portal session lasts at all.
pub const SESSION_MICROS: i64 = 12 * 3600 * 1_000_000;
/// Data subjects of one search or case: ids of one person, each with a bundle of its own.
pub const MAX_CASE_SUBJECTS: usize = 16;
const _: () = assert!(
    MAX_CASE_SUBJECTS <= MAX_EVENT_SUBJECTS,
    "a search must fit in one entry of _access"
);
/// Other ways of writing one id that are looked for: four Unicode forms of four cases, and edge
/// spaces.
pub const MAX_LOOKALIKES: usize = 20;
/// Open cases of one account.
pub const MAX_CASES: u32 = 500;
/// Entries of a case's page.
pub const CASE_PAGE_ENTRIES: usize = 50;
/// Pages of a case that one can go back, step by step; their places stand in its URL.
pub const CASE_PAGES_BACK: usize = 8;
/// Distinct days, else months, else years that are counted apart.
pub const MAX_PLOT_BARS: usize = 400;
/// Segments whose lists of a search are in memory at a time.
pub const SEARCH_SEGMENTS: usize = 64;
/// Results of a search that are read together at least, since filters may leave few of them.
pub const SEARCH_READ_TOGETHER: usize = 128;
/// Results of a search that are sorted in memory at a time.
pub const SEARCH_WINDOW: usize = 8192;
