// The verifier, part 3 of 3: the eight steps, in the order of the format's page, "Bundle".
//
// A step that fails does not excuse the later ones that can still be checked. A finding is data, and
// has no words: keys of messages, and what is put into them. Only a zip that cannot be read at all is
// an error.

const GRAVEST_FIRST = ["ALTERED", "MISSING", "TRUNCATED", "UNKNOWN KEY"];
const LOG_FILES = ["checkpoint.txt", "entries.ndjson", "proof.json"];
const LOG_STEPS = ["checkpoint", "proof", "links", "entries", "count", "subject", "coverage"];
const MAX_FINDINGS = 1000;
const MAX_LINE = 64 * 2 ** 20; // the format bounds an entry only by its batch
const MAX_ROWS = 1000;
const MAX_ROW_TEXT = 64 * 2 ** 10;
const PACE_MILLIS = 50;
const PACE_ENTRIES = 128;

/** Text from a bundle with every character visible: none may turn or hide the words around it. */
const printable = (value) =>
  String(value).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (c) => `\\u{${c.codePointAt(0).toString(16)}}`);

/** A value as a finding has it: a number, a printable text, or what is said by a key. */
function shown(value) {
  if (value instanceof Uint8Array) return hex(value);
  if (typeof value === "number") return value;
  if (!isObject(value)) return printable(value);
  const args = Object.entries(value.args).map(([name, arg]) => [name, shown(arg)]);
  return said(value.key, Object.fromEntries(args));
}

/** Where findings are made: in a file, and in a part of it. */
class Place {
  constructor(check, step, log, ...where) {
    Object.assign(this, { check, step, log, where });
  }
  /** `part` is the key of a part that has a number. */
  inside(part, n) {
    return new Place(this.check, this.step, this.log, ...this.where, said(part, { n }));
  }
  add(verdict, what, expected, found) {
    const { check, step, log } = this;
    const { report } = check;
    check.verdicts.add(verdict);
    check.found(step, log).add(verdict);
    if (report.findings.length >= MAX_FINDINGS) return void report.unlisted_findings++;
    const where = this.where.map(shown);
    report.findings.push({ step, verdict, where, what, expected: shown(expected), found: shown(found) });
  }
  altered(what, expected, found) {
    this.add("ALTERED", what, expected, found);
  }
  missing(what, expected) {
    this.add("MISSING", what, expected, said("fact-nothing"));
  }
  equal(what, expected, found) {
    const [a, b] = [expected, found].map((value) => (value instanceof Uint8Array ? hex(value) : value));
    if (a !== b) this.altered(what, a, b);
  }
  /** What `read` gives; null and a finding if it meets a flaw. */
  async try(what, expected, read) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof Bad)) throw error;
      this.altered(what, expected, error.said());
      return null;
    }
  }
}

/** One check of one bundle, and all that is to be said of it. */
class Check {
  report = {
    verdict: null,
    question: null,
    steps: [],
    findings: [],
    unlisted_findings: 0,
    coverage: [],
    counts: { entries: 0, withheld: 0, erased: 0, not_covered: false },
    manifest_note: null,
    signed_by: null,
    claimed_keys: [],
    rows: [],
    links: {},
    logs: {},
  };
  verdicts = new Set();
  #foundIn = new Map();
  #paced = 0;

  constructor(zip, keys, onProgress, pause) {
    Object.assign(this, { zip, keys, onProgress, pause });
  }
  at(step, log, where) {
    return new Place(this, step, log, where);
  }

  /** The verdicts of a step's findings. */
  found(step, log) {
    const name = `${log} ${step}`;
    if (!this.#foundIn.has(name)) this.#foundIn.set(name, new Set());
    return this.#foundIn.get(name);
  }

  /** Tells how far it is, and lets a page breathe. */
  async pace(step, log, done, total) {
    if (performance.now() - this.#paced < PACE_MILLIS) return;
    this.onProgress({ step, log, state: "running", done, total });
    await this.pause?.();
    this.#paced = performance.now();
  }

  /** Runs a step, whose `check` says false if there was nothing that it could look at. */
  async step(step, log, check) {
    this.onProgress({ step, log, state: "running" });
    const looked = await check();
    const found = [...this.found(step, log)];
    const unknown = found.every((verdict) => verdict === "UNKNOWN KEY") ? "unknown" : "failed";
    const state = found.length > 0 ? unknown : looked === false ? "skipped" : "ok";
    this.report.steps.push({ step, log, state });
    this.onProgress({ step, log, state });
  }

  async run() {
    const { report } = this;
    let folders = [];
    await this.step("manifest", null, async () => {
      folders = await this.#manifest();
    });
    for (const folder of folders) await new LogCheck(this, folder).run();
    report.verdict = GRAVEST_FIRST.find((word) => this.verdicts.has(word)) ?? "VERIFIED";
    return report;
  }

  // ── Step 1: the manifest, its note, and every file that it lists ──

  async #manifest() {
    const { zip, report } = this;
    const at = (where) => this.at("manifest", null, where);
    for (const flaw of zip.flaws) at(said("place-zip")).altered("flaw-zip", said("fact-each-file-once"), flaw);
    if (zip.isBomb) return [];
    const folderOf = (name) => /^logs\/([^/]*)\//.exec(name)?.[1];
    const folders = [...new Set([...zip.files.keys()].map(folderOf))].filter((name) => name !== undefined).sort();
    const bytes = await this.#readManifest(at("manifest.json"));
    await this.#checkNote(bytes, at("manifest.note"));
    const manifest =
      bytes &&
      (await at("manifest.json").try("flaw-no-manifest", "estreat-bundle/1", () =>
        readManifest(readJson(bytes, { deep: true })),
      ));
    if (!manifest) return folders;
    const range = await at("manifest.json").try("flaw-range-none", said("fact-time-or-null"), () =>
      readRange(manifest),
    );
    const { subject, from, to, logs, purpose, requested_by, created_at } = manifest;
    if (range) {
      this.question = { subject, ...range };
      report.question = { subject, from, to, logs, purpose, requested_by, created_at };
      this.onProgress({ question: report.question });
    }
    report.claimed_keys = (manifest.keys ?? []).flatMap(claimedKey);
    this.#checkLogs(manifest, folders, at("manifest.json"));
    await this.#checkFiles(manifest, at);
    return folders;
  }

  async #readManifest(place) {
    if (!this.zip.has("manifest.json")) return void place.missing("flaw-no-manifest", "manifest.json");
    return place.try("flaw-file-unreadable", said("fact-file"), () => this.zip.read("manifest.json", MAX_MANIFEST));
  }

  /** The note is checked with the keys of the names that sign it; its text always. */
  async #checkNote(manifest, place) {
    const { zip, report } = this;
    if (!zip.has("manifest.note")) return;
    report.manifest_note = "fails";
    const note = await place.try("flaw-no-note", said("fact-note"), async () =>
      readNote(await zip.read("manifest.note", MAX_NOTE)),
    );
    if (!note) return;
    const expected = manifest && `estreat-bundle/1\n${hex(await fileHash(manifest))}\n`;
    const fits = !expected || note.text === expected;
    if (!fits) place.altered("flaw-note-other", expected, note.text);
    const signer = await signerOf(note, this.keys);
    if (signer === "bad") {
      place.altered("flaw-signature", said("fact-signature"), said("fact-another"));
    } else if (fits && signer === "unknown") {
      report.manifest_note = "not checked";
    } else if (fits) {
      this.server = report.signed_by = signer.name;
      report.manifest_note = manifest ? "holds" : "not checked";
    }
  }

  /** The logs are the folders under logs/, none twice, each with its three files. */
  #checkLogs(manifest, folders, place) {
    const named = new Set();
    for (const log of manifest.logs) {
      if (named.has(log)) place.altered("flaw-log-twice", said("fact-once"), log);
      named.add(log);
      if (!folders.includes(log)) place.missing("flaw-log-no-folder", `logs/${log}/`);
    }
    if (named.size === 0) place.missing("flaw-no-log", said("fact-log-files"));
    for (const folder of folders) {
      if (!named.has(folder)) place.altered("flaw-log-unnamed", said("fact-no-folder"), `logs/${folder}/`);
      for (const path of LOG_FILES.map((file) => `logs/${folder}/${file}`)) {
        if (!this.zip.has(path) && !manifest.files.has(path)) place.missing("flaw-log-file-gone", path);
      }
    }
  }

  /** Every file that is listed is there with its digest, and no other. */
  async #checkFiles(manifest, at) {
    const own = ["manifest.json", "manifest.note"];
    let done = 0;
    for (const [name, expected] of manifest.files) {
      await this.pace("manifest", null, done++, manifest.files.size);
      if (own.includes(name)) {
        at(name).altered("flaw-lists-itself", said("fact-no-name"), name);
      } else if (!this.zip.has(name)) {
        at(name).missing("flaw-listed-gone", name);
      } else {
        const bytes = await at(name).try("flaw-file-unreadable", expected, () => this.zip.read(name));
        if (bytes) at(name).equal("flaw-file-changed", expected, await fileHash(bytes));
      }
    }
    for (const name of this.zip.files.keys()) {
      const unlisted = !manifest.files.has(name) && !own.includes(name);
      if (unlisted) at(name).altered("flaw-unlisted", said("fact-no-file"), name);
    }
  }
}

function readRange({ from, to }) {
  return { from: from === null ? null : readTime(from), to: to === null ? null : readTime(to) };
}

const inRange = ({ from, to }, time) => (from === null || from <= time) && (to === null || time < to);

/** A key that the bundle itself names: the sender's word. */
function claimedKey(text) {
  try {
    const { name, fingerprint } = readKey(text);
    return [{ name, fingerprint, text }];
  } catch {
    return [];
  }
}

/** Steps 2 to 8 for one log. */
class LogCheck {
  shownLinks = [];
  closes = [];
  shown = [];

  constructor(check, log) {
    Object.assign(this, { check, log, zip: check.zip, report: check.report });
  }

  at(step, file) {
    return this.check.at(step, this.log, this.path(file));
  }
  path(file) {
    return `logs/${this.log}/${file}`;
  }

  async run() {
    for (const step of LOG_STEPS) {
      const needsProof = step !== "checkpoint" && step !== "proof";
      await this.check.step(step, this.log, () => (needsProof && !this.question ? false : this[step]()));
    }
  }

  // ── Step 2 ──

  async checkpoint() {
    if (!this.zip.has(this.path("checkpoint.txt"))) return false; // step 1 has said so
    const place = this.at("checkpoint", "checkpoint.txt");
    const note = await place.try("flaw-no-note", said("fact-note"), async () =>
      readNote(await this.zip.read(this.path("checkpoint.txt"), MAX_NOTE)),
    );
    if (!note) return;
    this.noteText = readText(await this.zip.read(this.path("checkpoint.txt"), MAX_NOTE));
    const checkpoint = await place.try("flaw-no-checkpoint", said("fact-checkpoint"), () => readCheckpoint(note.text));
    if (!checkpoint) return;
    this.tree = checkpoint;
    const { origin } = checkpoint;
    const keys = this.check.keys.filter((key) => key.name === origin);
    const signer = await signerOf(note, keys);
    if (keys.length === 0) {
      place.add("UNKNOWN KEY", "flaw-unknown-key", said("fact-key-of", { name: origin }), said("fact-none"));
    } else if (typeof signer === "string") {
      place.altered("flaw-signature", said("fact-signature-of", { name: origin }), said("fact-another-or-none"));
    }
    place.equal("flaw-folder", checkpoint.folder, this.log);
    const { server } = this.check;
    if (server) place.equal("flaw-other-server", `${server}/${this.log}`, origin);
    this.report.logs[this.log] = {
      origin: printable(origin),
      size: checkpoint.size,
      root: hex(checkpoint.root),
      note: this.noteText,
      signed_by: typeof signer === "string" ? null : signer.fingerprint,
    };
  }

  // ── Step 3 ──

  async proof() {
    const path = this.path("proof.json");
    if (!this.zip.has(path)) return false; // step 1 has said so
    const place = this.at("proof", "proof.json");
    const proof = await place.try("flaw-no-proof", said("fact-proof-form"), async () =>
      readProof(readJson(await this.zip.readProof(path), { deep: true, wholeNumbers: true })),
    );
    if (!proof) return;
    this.claims = proof;
    if (this.noteText !== undefined) {
      place.equal("flaw-other-checkpoint", this.noteText, proof.checkpoint);
    }
    if (this.tree) place.equal("flaw-other-origin", this.tree.origin, proof.origin);
    const range = await place.try("flaw-range-none", said("fact-time-or-null"), () => readRange(proof));
    const asked = this.check.question;
    if (range && asked) {
      place.equal("flaw-other-subject", asked.subject, proof.subject);
      const same = asked.from === range.from && asked.to === range.to;
      if (!same) place.altered("flaw-other-range", rangeFact(asked), rangeFact(range));
    }
    this.question = asked ?? (range && { subject: proof.subject, ...range });
  }

  // ── Step 4: the links, their chain as far as it is shown, and the log tree ──

  async links() {
    const place = this.at("links", "proof.json");
    const origin = this.tree?.origin ?? this.claims.origin;
    this.logId = H(UTF8.encode(origin)).subarray(0, 16);
    this.leaves = this.claims.links.map(({ number, bytes }) => [number, leafHash(bytes)]);
    const byNumber = new Map();
    for (const { number, bytes } of this.claims.links) {
      const inside = place.inside("place-link", number);
      const link = await inside.try("flaw-no-link", said("fact-link"), () => readLink(bytes));
      if (!link) continue;
      inside.equal("flaw-link-number", number, link.number);
      inside.equal("flaw-link-log", this.logId, link.log_id);
      byNumber.set(number, { ...link, bytes, shownAs: number });
    }
    this.byNumber = byNumber;
    this.shownLinks = [...byNumber.values()].sort((a, b) => a.shownAs - b.shownAs);
    this.closes = this.shownLinks.filter((link) => link.kind === CLOSE);
    this.last = this.shownLinks.at(-1);
    this.checkSyncs(place);
    if (this.tree) await this.checkTree(place);
    this.checkCloses(place);
    this.checkEntryIndexes(place);
    this.checkBatchLinks(place);
  }

  /** `previous` where both links are shown; and of any two links, those with one time are of one
   * sync, and the later of two syncs began behind the earlier. */
  checkSyncs(outer) {
    const leaves = new Map(this.leaves);
    let last = null;
    for (const link of this.shownLinks) {
      const place = outer.inside("place-link", link.shownAs);
      const before = link.shownAs === 0 ? new Uint8Array(32) : leaves.get(link.shownAs - 1);
      if (before) place.equal("flaw-previous", before, link.previous);
      if (last && !follows(last, link)) {
        place.altered("flaw-sync", said("fact-sync-after", syncArgs(last)), said("fact-sync", syncArgs(link)));
      }
      last = link;
    }
  }

  async checkTree(place) {
    const { root, size } = this.tree;
    const found = await place.try("flaw-log-tree", hex(root), () => partialRoot(size, this.leaves, this.claims.tree));
    if (found) place.equal("flaw-log-root", root, found);
    if (size === 0) return;
    const last = this.byNumber.get(size - 1);
    if (!last) return place.missing("flaw-last-link-gone", said("place-link", { n: size - 1 }));
    if (last.kind !== CLOSE) {
      place.inside("place-link", size - 1).equal("flaw-last-segment", this.activeSegment(), last.segment);
    }
  }

  activeSegment() {
    return this.closes.length ? this.closes.at(-1).segment + 1 : 0;
  }
  closedEnd() {
    return this.closes.length ? this.closes.at(-1).entries_end : 0;
  }

  /** Close links show that the segments follow each other from 0. */
  checkCloses(outer) {
    let [segment, firstLink, firstEntry] = [0, 0, 0];
    for (const close of this.closes) {
      const place = outer.inside("place-link", close.shownAs);
      if (close.segment > segment) {
        place.missing("flaw-close-gone", said("fact-close-of", { n: segment }));
      } else {
        place.equal("flaw-segment", segment, close.segment);
        place.equal("flaw-first-link", firstLink, close.first_link);
        place.equal("flaw-first-entry", firstEntry, close.first_entry);
      }
      if (close.first_link > close.number) {
        place.altered("flaw-first-link", said("fact-at-most", { n: close.number }), close.first_link);
      }
      place.equal("flaw-index-key", this.closes[0].index_key, close.index_key);
      [segment, firstLink, firstEntry] = [close.segment + 1, close.number + 1, close.entries_end];
    }
  }

  /** Entry indexes run on from link to link, without gap where both are shown. */
  checkEntryIndexes(outer) {
    let [nextLink, nextEntry] = [0, 0];
    for (const link of this.shownLinks) {
      if (link.kind !== BATCH && link.kind !== CLOSE) continue;
      const start = link.kind === CLOSE ? link.entries_end : link.first_entry;
      if (start < nextEntry || (link.shownAs === nextLink && start !== nextEntry)) {
        outer.inside("place-link", link.shownAs).altered("flaw-entry-place", nextEntry, start);
      }
      [nextLink, nextEntry] = [link.shownAs + 1, link.entries_end];
    }
  }

  /** The links of the batches shown are there and in their segments, and no other link is. */
  checkBatchLinks(outer) {
    const wanted = new Set(this.claims.batches.map((batch) => batch.link));
    for (const number of wanted) {
      if (!this.byNumber.has(number)) outer.missing("flaw-batch-link-gone", said("place-link", { n: number }));
    }
    for (const link of this.shownLinks) {
      const place = outer.inside("place-link", link.shownAs);
      if (wanted.has(link.shownAs) && link.kind !== BATCH) {
        place.altered("flaw-kind", said("fact-batch-link"), said("fact-kind", { n: link.kind }));
      }
      if (link.kind === BATCH) this.checkSegmentOf(link, place);
      if (link.kind !== CLOSE && !wanted.has(link.shownAs) && link !== this.last) {
        place.altered("flaw-link-useless", said("fact-links-of-use"), link.shownAs);
      }
    }
  }

  /** A batch link names the segment in whose links, entries and times it lies. */
  checkSegmentOf(link, place) {
    const close = this.closes.find((close) => close.number >= link.number);
    if (!close) return place.equal("flaw-segment", this.activeSegment(), link.segment);
    place.equal("flaw-segment", close.segment, link.segment);
    const inside =
      close.first_link <= link.number && close.first_entry <= link.first_entry && link.entries_end <= close.entries_end;
    if (!inside) {
      place.altered("flaw-segment-place", said("fact-inside", { n: close.segment }), said("fact-outside"));
    }
    if (link.earliest < close.earliest || close.latest < link.latest) {
      place.altered("flaw-link-times", timesFact(close), timesFact(link));
    }
  }

  // ── Steps 5 and 6: every entry has its position in its batch, and there is no other line ──

  async entries() {
    const place = this.at("entries", "entries.ndjson");
    const path = this.path("entries.ndjson");
    // Step 1 has said so if it is not there.
    const bytes = this.zip.has(path) ? await place.try("flaw-file-unreadable", said("fact-file"), () => this.zip.read(path)) : null;
    this.lines = { bytes, at: 0, number: 0 };
    const total = this.claims.batches.reduce((sum, batch) => sum + batch.entries.length, 0);
    let [done, before] = [0, -1];
    for (const batch of this.claims.batches) {
      const inside = this.at("entries", "proof.json").inside("place-batch", batch.link);
      if (batch.link <= before) inside.altered("flaw-batches-order", said("fact-ascending-links"), batch.link);
      if (batch.entries.length === 0) inside.altered("flaw-batch-useless", said("fact-entries"), said("fact-none"));
      before = batch.link;
      const link = this.byNumber.get(batch.link);
      const known = [];
      for (const claim of batch.entries) {
        const leaf = this.entry(claim, link?.kind === BATCH ? link : null, inside);
        if (leaf) known.push([claim.position, leaf]);
        if (++done % PACE_ENTRIES === 0) await this.check.pace("entries", this.log, done, total);
      }
      // Without its link, or without all its lines, a batch gives no root; both were found.
      if (link?.kind !== BATCH || known.length < batch.entries.length) continue;
      const root = await inside.try("flaw-batch-tree", hex(link.entries_root), () =>
        partialRoot(link.entry_count, known, batch.tree),
      );
      if (root) inside.equal("flaw-batch-root", link.entries_root, root);
    }
    return bytes !== null || this.claims.batches.length > 0;
  }

  /** The leaf of one entry; null if its line is not there. */
  entry(claim, link, place) {
    const { position, because } = claim;
    const index = link ? link.first_entry + position : null;
    let [line, leaf, says] = [null, claim.leaf, null];
    if (because === undefined) {
      if (claim.line !== this.lines.number) {
        place.altered("flaw-lines-order", this.lines.number, claim.line);
      }
      line = this.nextLine();
      leaf = line && leafHash(claim.salt, line);
      says = line && this.says(line);
    }
    if (link) {
      this.shown.push({ index, link, line: line !== null, says });
      if (this.report.rows.length < MAX_ROWS) this.addRow({ index, link, claim, line, leaf, says });
    }
    return leaf;
  }

  /** What a line says; null if it is no entry. */
  says(line) {
    try {
      const { time, subjects, entry } = readEntry(line);
      return { time, names: subjects.has(this.question.subject), entry };
    } catch (error) {
      if (error instanceof Bad) return null;
      throw error;
    }
  }

  /** The next line without its 0x0A; null and a finding if there is none. */
  nextLine() {
    const { lines } = this;
    const number = lines.number++;
    if (!lines.bytes || lines.ended) return null;
    const place = this.at("entries", "entries.ndjson").inside("place-line", number);
    const end = lines.bytes.indexOf(10, lines.at);
    if (end < 0) {
      lines.ended = true;
      const cut = lines.at < lines.bytes.length;
      const [expected, found] = cut ? ["0x0A", said("fact-end")] : [said("fact-line"), said("fact-nothing")];
      place.add("TRUNCATED", "flaw-ends-early", expected, found);
      return null;
    }
    const line = lines.bytes.subarray(lines.at, end);
    lines.at = end + 1;
    if (line.length <= MAX_LINE) return line;
    place.altered("flaw-line-long", said("fact-bytes", { n: MAX_LINE }), said("fact-more-bytes"));
    return null;
  }

  count() {
    const { bytes, at, ended, number } = this.lines;
    if (!bytes) return false;
    if (ended || at === bytes.length) return;
    let [rest, from] = [0, at];
    for (; from < bytes.length; rest++) from = bytes.indexOf(10, from) + 1 || bytes.length;
    this.at("count", "entries.ndjson").altered("flaw-extra-lines", number, number + rest);
  }

  // ── Step 7: exactly the entries that name the subject in the range ──

  async subject() {
    const place = this.at("subject", "proof.json");
    const beta = await this.checkTagProof(place);
    this.wanted = new Map(); // times by entry index, as the lists say
    this.unknown = []; // closed segments of whose entries nothing is known
    this.checkSegments(beta, place);
    let done = 0;
    for (const shown of this.shown) {
      if (++done % PACE_ENTRIES === 0) await this.check.pace("subject", this.log, done, this.shown.length);
      this.checkShown(shown, place);
    }
    for (const index of [...this.wanted.keys()].sort((a, b) => a - b)) {
      place.missing("flaw-entry-gone", said("place-entry", { n: index }));
    }
  }

  /** The function's output for the subject, if the proof holds. */
  async checkTagProof(place) {
    const proof = this.claims.tag_proof;
    const [close] = this.closes;
    if (!close) {
      if (proof) place.altered("flaw-tag-proof-extra", "null", said("fact-proof"));
      return null;
    }
    if (!proof) return void place.altered("flaw-tag-proof-gone", said("fact-proof-closed"), "null");
    const alpha = concat(this.logId, UTF8.encode(this.question.subject));
    return place.try("flaw-tag-proof", said("fact-tag-proof"), () => vrfOutput(close.index_key, alpha, proof));
  }

  /** For each closed segment in the range its list, or two neighbours; for no other. */
  checkSegments(beta, outer) {
    const { from, to } = this.question;
    const given = new Map();
    let before = -1;
    for (const segment of this.claims.segments) {
      if (segment.close_link <= before) {
        outer.altered("flaw-segments-order", said("fact-ascending-closes"), segment.close_link);
      }
      before = segment.close_link;
      given.set(before, segment);
    }
    for (const close of this.closes) {
      const reaches = (from === null || close.latest >= from) && (to === null || close.earliest < to);
      if (close.entry_count === 0 || !reaches) continue;
      const place = outer.inside("place-segment", close.segment);
      const segment = given.get(close.shownAs);
      given.delete(close.shownAs);
      if (segment) {
        this.checkSegment(close, segment, beta, place);
      } else {
        place.missing("flaw-segment-gone", said("fact-list-or-neighbours"));
        this.unknown.push(close);
      }
    }
    for (const number of given.keys()) {
      outer.altered("flaw-segment-useless", said("fact-segments-of-use"), said("fact-close-link", { n: number }));
    }
  }

  checkSegment(close, segment, beta, place) {
    // Without the tag proof no claim can be checked, but a list can still be compared.
    const flaw = beta && claimFlaw(close, segment, H(beta, u64Bytes(close.segment)).subarray(0, 16));
    if (flaw) place.altered("flaw-index", said("fact-index-root"), flaw);
    if (flaw && segment.absent) this.unknown.push(close);
    if (!segment.present) return;
    let list;
    try {
      list = readList(segment.present.list);
    } catch (error) {
      if (!(error instanceof Bad)) throw error;
      place.altered("flaw-list", said("fact-list"), error.said());
      this.unknown.push(close);
      return;
    }
    for (const [index, time] of list) {
      const inside = index >= close.first_entry && index < close.entries_end;
      if (!inside || time < close.earliest || time > close.latest) {
        place.altered("flaw-list-outside", said("fact-own-entries"), index);
      }
      if (inRange(this.question, time)) this.wanted.set(index, time);
    }
  }

  /** Shown is what is wanted, nothing else, and each line says what its list says. */
  checkShown({ index, link, line, says }, outer) {
    const place = outer.inside("place-entry", index);
    const listed = this.wanted.get(index);
    if (!this.wanted.delete(index)) {
      const unknown = this.unknown.some((close) => close.first_entry <= index && index < close.entries_end);
      if (!unknown) place.altered("flaw-entry-extra", said("fact-listed-entries"), index);
      return;
    }
    if (listed < link.earliest || link.latest < listed) {
      place.altered("flaw-list-time", timesFact(link), writeTime(listed));
    }
    if (!line) return;
    if (!says) return place.altered("flaw-no-entry", said("fact-entry"), said("fact-other-bytes"));
    if (says.time !== listed) place.altered("flaw-entry-time", writeTime(listed), writeTime(says.time));
    if (!says.names) place.altered("flaw-not-named", said("fact-its-id"), said("fact-others"));
  }

  // ── Step 8: how far the closed segments reach, and what is not shown: no finding ──

  coverage() {
    const { report, log } = this;
    const newest = this.closes.at(-1);
    report.coverage.push({
      log,
      word: "COVERED",
      segments: this.closes.length,
      entries_end: this.closedEnd(),
      committed_at: newest ? writeTime(newest.committed_at) : null,
    });
    if (this.last && this.last.kind !== CLOSE) {
      report.counts.not_covered = true;
      const entries_end = this.last.kind === BATCH ? this.last.entries_end : null;
      report.coverage.push({ log, word: "NOT COVERED", first_entry: this.closedEnd(), entries_end });
    }
    for (const batch of this.claims.batches) {
      for (const { position, because } of batch.entries) {
        report.counts.entries++;
        if (because === undefined) continue;
        report.counts[because]++;
        report.coverage.push({ log, word: because.toUpperCase(), link: batch.link, position });
      }
    }
  }

  // ── What is shown of an entry ──

  addRow({ index, link, claim, line, leaf, says }) {
    const name = `${this.log} ${link.shownAs}`;
    this.report.links[name] ??= linkView(link);
    this.report.rows.push({
      log: this.log,
      index,
      position: claim.position,
      link: name,
      because: claim.because ?? null,
      salt: claim.salt ? hex(claim.salt) : null,
      leaf: leaf && hex(leaf),
      bytes: line?.length ?? null,
      text: line && new TextDecoder().decode(line.subarray(0, MAX_ROW_TEXT)),
      time: says && writeTime(says.time),
      cells: says && Object.fromEntries(CELLS.map((cell) => [cell, cellText(says.entry[cell])])),
    });
  }
}

const CELLS = ["operation", "outcome", "purpose", "actor", "resource"];
const cellText = (value) => (typeof value === "string" ? value.slice(0, 300) : "");

function linkView(link) {
  const view = { leaf: hex(leafHash(link.bytes)), fields: {} };
  for (const [name, value] of Object.entries(link)) {
    if (name === "shownAs" || name === "entries_end") continue; // not in its bytes
    const isTime = typeof value === "bigint";
    view.fields[name] = value instanceof Uint8Array ? hex(value) : isTime ? writeTime(value) : String(value);
  }
  return view;
}

function u64Bytes(number) {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(number));
  return bytes;
}

/** What is wrong with what a segment's index says of a tag; null if nothing. */
function claimFlaw(close, segment, tag) {
  try {
    const count = close.subject_count;
    const known = segment.present ? presentLeaves(segment.present, tag) : absentLeaves(segment.absent, tag, count);
    const root = partialRoot(count, known, segment.tree);
    return equalBytes(root, close.subjects_root) ? null : said("fact-root", { root: hex(root) });
  } catch (error) {
    if (error instanceof Bad) return error.said();
    throw error;
  }
}

function presentLeaves({ position, salt, list }, tag) {
  readList(list);
  return [[position, leafHash(tag, H(salt, list))]];
}

/** Neighbours at p and p+1 with left < tag < right; an end of the index stands for none. */
function absentLeaves({ left, right }, tag, count) {
  const behindLeft = left ? left.position + 1 : 0;
  const atRight = right ? right.position : count;
  const between = (!left || compareBytes(left.tag, tag) < 0) && (!right || compareBytes(tag, right.tag) < 0);
  if (behindLeft !== atRight || !between) throw new Bad("flaw-neighbours");
  return [left, right].filter(Boolean).map((side) => [side.position, leafHash(side.tag, side.digest)]);
}

function follows(last, next) {
  const begin = (link) => link.number - link.sync_position;
  const sameSync = next.committed_at === last.committed_at && begin(next) === begin(last);
  const laterSync = next.committed_at > last.committed_at && begin(next) > last.number;
  return sameSync || laterSync;
}

// ── What findings expect and find ───────────────────────────────────────────────────────

const syncArgs = (link) => ({ n: link.number, at: writeTime(link.committed_at), position: link.sync_position });
const timesFact = ({ earliest, latest }) => said("fact-times", { from: writeTime(earliest), to: writeTime(latest) });
function rangeFact(range) {
  const [from, to] = [range.from, range.to].map((time) => (time === null ? "null" : writeTime(time)));
  return said("fact-times", { from, to });
}

/** Checks a bundle with the verifier keys (as texts) that its reader trusts; without any, all else
 * is checked. `onProgress` hears of the question, the steps, and how far they are; `pause`, if
 * given, is awaited now and then, so that a page without a worker stays responsive. */
async function verifyBundle(bytes, keys, onProgress = () => {}, pause = null) {
  return new Check(new Zip(bytes), keys.map(readKey), onProgress, pause).run();
}

/** Why a bundle could not be looked at. */
const failure = (error) =>
  error instanceof Flaw ? shown(error.said()) : said("flaw-browser", { detail: printable(error.message) });

globalThis.EstreatVerifier = { verifyBundle, readKey, printable, failure };

// ── In a worker ─────────────────────────────────────────────────────────────────────────

if (typeof WorkerGlobalScope === "function" && globalThis instanceof WorkerGlobalScope) {
  globalThis.onmessage = async ({ data: { file, keys } }) => {
    try {
      const bytes = new Uint8Array(await file.arrayBuffer());
      postMessage({ report: await verifyBundle(bytes, keys, (progress) => postMessage({ progress })) });
    } catch (error) {
      postMessage({ failure: failure(error) });
    }
  };
}
